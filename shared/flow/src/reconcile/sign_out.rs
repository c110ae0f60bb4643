//! Whoever loses a membership is signed out, if the model says so: once for each user and batch, after all removals.
//!
//! It follows from what the live stream, its redrives, the clock and repairs end. A replay or a backfill is about what
//! ended long ago, or about nothing that ended.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Pass;
use crate::askers;
use crate::effect::{Aside, Effect, EnsureUser};
use crate::entries::Entries;
use crate::implied::Membership;
use crate::work::NamedObject;

impl Pass<'_> {
    /// The user of a membership that this run removes is signed out, if a rule says so.
    pub(super) fn sign_out(&mut self, membership: &Membership) {
        if askers::signs_out(self.model, membership) {
            self.sign_outs.insert(membership.clone());
        }
    }

    /// Adds the effects that sign users out, and marks the messages whose runs may have to.
    pub(super) fn sign_outs(&mut self) {
        if !self.model.signs_out() {
            return;
        }
        let mut found: BTreeMap<Effect, Entries> = BTreeMap::new();
        let ended = self.users_whose_sessions_end();
        for removed in std::mem::take(&mut self.sign_outs) {
            let Membership { user, sub, .. } = removed.clone();
            if !sub && ended.contains(&user) {
                continue;
            }
            if let Some(entries) = self.desired.effects.get(&Effect::RemoveMember(removed)) {
                found.entry(Effect::SignOut { user, sub, username: Aside(None) }).or_default().extend(entries);
            }
        }
        for (effect, entries) in found {
            self.add_effect(effect, &entries);
        }
        self.mark_messages();
    }

    /// Users whom this run deletes, or who are disabled: that ends their sessions.
    fn users_whose_sessions_end(&self) -> BTreeSet<String> {
        let user = |effect: &Arc<Effect>| {
            if let Effect::DeleteUser { user, .. } | Effect::DisableUser { user, .. } = &**effect {
                return Some(user.clone());
            }
            let Effect::EnsureUser(EnsureUser { user, state, .. }) = &**effect else { return None };
            (!state.enabled).then(|| user.clone())
        };
        self.desired.effects.keys().filter_map(user).collect()
    }

    /// A message that follows from what has ended says so: its run cannot know.
    fn mark_messages(&mut self) {
        let revoking = self.plan.revoking();
        let effects = std::mem::take(&mut self.desired.effects);
        for (effect, entries) in effects {
            let marked = entries.iter().any(|entry| revoking.contains(entry)).then(|| revokes(&effect)).flatten();
            self.add_effect(marked.map_or(effect, Arc::new), &entries);
        }
    }
}

/// A message of something that has ended. `None` for any other effect.
fn revokes(effect: &Effect) -> Option<Effect> {
    if let Effect::SendObjects(objects) = effect {
        let mark = |named: &NamedObject| NamedObject { revokes: named.image.is_some(), ..named.clone() };
        return Some(Effect::SendObjects(objects.iter().map(mark).collect()));
    }
    let Effect::SendDependents(dependents) = effect else { return None };
    let mut marked = dependents.clone();
    marked.revokes = true;
    Some(Effect::SendDependents(marked))
}
