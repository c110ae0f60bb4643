//! Sessions: whoever loses a membership under a rule that says so is signed out.

use std::collections::{BTreeMap, BTreeSet};

use instep_local::UserState;

use super::{Watch, WatchFinding};
use crate::implied::{Fact, ImpliedRow};

/// A user and a group.
type Pair = (String, String);

/// The sessions that have to end. Each user always has one, which began as soon as it could.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// Memberships that items have asked for under rules which sign users out.
    ended_by: BTreeSet<Pair>,
    /// Sessions that began before a membership was removed and still go on, each with the `sub` of the user.
    going_on: BTreeMap<Pair, String>,
}

impl Watch {
    /// An item asks for these memberships.
    pub(super) fn note_sessions(&mut self, row: &ImpliedRow) {
        let ended = row.asks.iter().filter(|ask| ask.signs_out).map(|ask| ask.pair.clone());
        self.sessions.ended_by.extend(ended);
    }

    /// Instep removes a membership. The user exists and is enabled.
    pub fn lost(&mut self, user: &UserState, group: &str) {
        let pair = |user: &str| (user.to_owned(), group.to_owned());
        let sub = user.attributes.get("sub").cloned().unwrap_or_default();
        let is_known = [&user.username, &sub].into_iter().any(|name| self.sessions.ended_by.contains(&pair(name)));
        let was_member = self.actual.contains_key(&Fact::Member(user.username.clone(), group.to_owned()));
        if is_known && was_member && user.enabled {
            self.sessions.going_on.insert(pair(&user.username), sub);
        }
    }

    /// A membership is there again: the session may have it.
    pub fn has_again(&mut self, user: &str, group: &str) {
        self.sessions.going_on.remove(&(user.to_owned(), group.to_owned()));
    }

    /// The sessions of a user have ended.
    pub fn sessions_end(&mut self, user: &str) {
        self.sessions.going_on.retain(|(of, _), _| of != user);
    }

    /// Promise 3: Instep signs a user out, and never because of a replay.
    #[must_use]
    pub fn signed_out(&mut self, process: usize, user: &str) -> Option<WatchFinding> {
        self.checked(3);
        self.sessions_end(user);
        let is_replay = self.has_captures_only(process);
        is_replay.then(|| WatchFinding::Broken(format!("3: {user} is signed out by a replay")))
    }

    /// Promise 3: sessions that go on, although the user has lost a membership since.
    #[must_use]
    pub fn sessions_left(&self, users: &[UserState]) -> Vec<String> {
        let goes_on = |((name, _), sub): &(&Pair, &String)| {
            let is_it = |user: &&UserState| user.username == *name && user.attributes.get("sub") == Some(sub);
            users.iter().find(is_it).is_some_and(|user| user.enabled)
        };
        let left = self.sessions.going_on.iter().filter(goes_on);
        left.map(|((user, group), _)| format!("3: a session of {user} goes on, which began in {group}")).collect()
    }
}
