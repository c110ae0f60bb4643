//! Facts outside the table: whether each is as the table implies, and since when.

use std::collections::{BTreeMap, BTreeSet};

use instep_local::{GroupState, UserState};

use super::{OTHERS, STRANGER, Watch};
use crate::implied::{Fact, OFF, State, user_facts};

impl Watch {
    /// Takes note of the pool.
    pub fn pool(&mut self, groups: &[GroupState], users: &[UserState]) {
        let model = &self.implied.model;
        let named: BTreeSet<&String> = model
            .items
            .iter()
            .filter_map(|ty| ty.user.as_ref())
            .flat_map(|user| &user.attributes)
            .map(|(name, _)| name)
            .collect();
        let mut actual = BTreeMap::new();
        for group in groups.iter().filter(|group| group.name != OTHERS) {
            actual.insert(Fact::Group(group.name.clone()), String::new());
            let members = group.members.iter().map(|user| Fact::Member(user.clone(), group.name.clone()));
            actual.extend(members.map(|fact| (fact, String::new())));
        }
        for user in users.iter().filter(|user| user.username != STRANGER) {
            let looks = user.attributes.iter().filter(|(name, _)| named.contains(name));
            let looks = looks.map(|(name, text)| (name.as_str(), text.clone()));
            actual.extend(user_facts(&user.username, user.enabled, looks));
        }
        // What came to be as an earlier record implied was right after that record, whatever is implied by now.
        for (fact, since) in &mut self.wrong {
            let (was, is) = (self.actual.get(fact), actual.get(fact));
            // Who is to be disabled and was not there did nobody harm until another run made him.
            let absent = absent_and_off(&self.facts, &self.actual, fact);
            if absent.is_some_and(|user| actual.contains_key(&user)) {
                *since = (*since).max(self.sequence + 1);
            }
            let fits = |(_, state): &&(u128, Option<State>)| match state {
                None => is.is_none(),
                Some(State::Is(looks)) => is == Some(looks),
                Some(State::Either) => true,
            };
            let then = self.implied_at.get(fact).and_then(|implied| implied.iter().rev().find(fits));
            if let Some((sequence, _)) = then.filter(|_| was != is) {
                *since = (*since).max(sequence + 1);
            }
        }
        self.actual = actual;
        // What was right until now was right after every record so far.
        self.compare(self.sequence + 1);
    }

    /// What is there in the pool.
    pub fn actual(&self) -> impl Iterator<Item = &Fact> {
        self.actual.keys()
    }

    pub(super) fn compare(&mut self, since: u128) {
        self.tick += 1;
        let facts = self.implied.facts();
        self.ever.extend(facts.keys().filter(|fact| matches!(fact, Fact::Member(..) | Fact::Group(_))).cloned());
        for fact in facts.keys().chain(self.facts.keys()).filter(|fact| facts.get(*fact) != self.facts.get(*fact)) {
            self.ticks.insert(fact.clone(), self.tick);
            self.since_ms.insert(fact.clone(), self.written_ms);
            self.implied_at.entry(fact.clone()).or_default().push((self.sequence, facts.get(fact).cloned()));
        }
        let mut wrong: BTreeSet<Fact> = facts
            .iter()
            .filter(|(fact, state)| match state {
                State::Either => false,
                State::Is(looks) => self.actual.get(fact) != Some(looks),
            })
            .map(|(fact, _)| fact.clone())
            .collect();
        let strays = self.actual.keys().filter(|fact| !facts.contains_key(fact));
        // Groups that were made for a member stay, and so do those of others, and users whom the model keeps.
        let keeps_users = self.implied.users_are(|user| !user.delete);
        let stays = |fact: &Fact| match fact {
            Fact::Group(name) => !self.ever.contains(fact) || self.of_others.contains(name),
            Fact::User(_) | Fact::Attribute(..) => keeps_users,
            Fact::Member(..) | Fact::Value(..) => false,
        };
        wrong.extend(strays.filter(|fact| !stays(fact)).cloned());
        wrong.extend(self.implied.wrong_values().into_keys());
        self.wrong.retain(|fact, _| wrong.contains(fact));
        for fact in wrong {
            self.wrong.entry(fact).or_insert(since);
        }
        self.facts = facts;
    }

    /// Whether a replay may mend what a request broke that landed late.
    #[must_use]
    pub fn is_to_mend(&self) -> bool {
        !self.late.is_empty()
    }

    /// Facts that are not as implied, with what was looked for and found; and how many of them a request excuses that landed late.
    #[must_use]
    pub fn wrong(&self) -> (Vec<String>, [(&'static str, usize); 1]) {
        let (late, wrong): (Vec<_>, Vec<_>) = self.wrong.keys().partition(|fact| self.late.contains(fact));
        let values = self.implied.wrong_values();
        let words = |fact: &&Fact| match fact {
            Fact::Value(..) => format!("7: {fact:?}: {}", values.get(fact).cloned().unwrap_or_default()),
            Fact::Member(..) | Fact::User(_) | Fact::Attribute(..) | Fact::Group(_) => {
                format!("1: {fact:?} should be {:?} and is {:?}", self.facts.get(fact), self.actual.get(fact))
            }
        };
        (wrong.iter().map(words).collect(), [("landed late", late.len())])
    }

    /// Promise 1: what is implied and is not so, whatever window it fell into.
    #[must_use]
    pub fn lacking(&self) -> Vec<String> {
        let is_lacking = |fact: &&Fact| matches!(self.facts.get(*fact), Some(State::Is(_)));
        let lacking = self.wrong.keys().filter(is_lacking);
        lacking.map(|fact| format!("1: {fact:?} is implied, and is {:?}", self.actual.get(fact))).collect()
    }
}

/// The user whom a fact is of, where that is to be disabled and is not there.
pub(super) fn absent_and_off(
    facts: &BTreeMap<Fact, State>,
    actual: &BTreeMap<Fact, String>,
    fact: &Fact,
) -> Option<Fact> {
    let user = match fact {
        Fact::User(user) | Fact::Attribute(user, _) => Fact::User(user.clone()),
        Fact::Member(..) | Fact::Group(_) | Fact::Value(..) => return None,
    };
    (facts.get(&user) == Some(&State::Is(OFF.to_owned())) && !actual.contains_key(&user)).then_some(user)
}
