//! The actual state of Cognito, compared with what the table implies.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_flow::bookkeeping::{self, BookkeepingKind};
use instep_local::{GroupState, UserState};
use instep_model::Key;

use super::{OTHERS, STRANGER, Watch};
use crate::implied::{Fact, OFF, Parent, State, user_facts};

/// The groups that have members.
fn groups_with_members(facts: &BTreeMap<Fact, State>) -> BTreeSet<&str> {
    let groups = facts.keys().filter_map(|fact| if let Fact::Member(_, group) = fact { Some(group) } else { None });
    groups.map(String::as_str).collect()
}

impl Watch {
    /// Records the state of the user pool.
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
            let attributes = user.attributes.iter().filter(|(name, _)| named.contains(name));
            let attributes = attributes.map(|(name, text)| (name.as_str(), text.clone()));
            actual.extend(user_facts(&user.username, user.enabled, attributes));
        }
        // A fact that now is as an earlier record implied was correct after that record.
        for (fact, since) in &mut self.wrong {
            let (was, is) = (self.actual.get(fact), actual.get(fact));
            // The absence of a disabled user is harmless until another run creates the user.
            let absent = absent_and_off(&self.facts, &self.actual, fact);
            if absent.is_some_and(|user| actual.contains_key(&user)) {
                *since = (*since).max(self.sequence + 1);
            }
            let fits = |(_, state): &&(u128, Option<State>)| match state {
                None => is.is_none(),
                Some(State::Is(value)) => is == Some(value),
                Some(State::Either) => true,
            };
            let then = self.implied_at.get(fact).and_then(|implied| implied.iter().rev().find(fits));
            if let Some((sequence, _)) = then.filter(|_| was != is) {
                *since = (*since).max(sequence + 1);
            }
        }
        self.actual = actual;
        // What is correct now was correct after the last record.
        self.compare(self.sequence + 1);
    }

    /// The facts of the user pool.
    pub fn actual(&self) -> impl Iterator<Item = &Fact> {
        self.actual.keys()
    }

    /// Notes which facts have changed since the last comparison.
    fn note_changes(&mut self, facts: &BTreeMap<Fact, State>) {
        self.ever.extend(facts.keys().filter(|fact| matches!(fact, Fact::Member(..) | Fact::Group(_))).cloned());
        for fact in facts.keys().chain(self.facts.keys()).filter(|fact| facts.get(*fact) != self.facts.get(*fact)) {
            self.ticks.insert(fact.clone(), self.tick);
            self.since_ms.insert(fact.clone(), self.written_ms);
            self.implied_at.entry(fact.clone()).or_default().push((self.sequence, facts.get(fact).cloned()));
        }
    }

    pub(super) fn compare(&mut self, since: u128) {
        self.tick += 1;
        let changes = Some(self.implied.changes());
        let facts = if self.facts_at == changes {
            Arc::clone(&self.facts)
        } else {
            let facts = Arc::new(self.implied.facts());
            self.facts_at = changes;
            self.wrong_values = self.implied.wrong_values().into_keys().collect();
            self.note_changes(&facts);
            facts
        };
        let mut wrong: BTreeSet<Fact> = facts
            .iter()
            .filter(|(fact, state)| match state {
                State::Either => false,
                State::Is(value) => self.actual.get(fact) != Some(value),
            })
            .map(|(fact, _)| fact.clone())
            .collect();
        let strays = self.actual.keys().filter(|fact| !facts.contains_key(fact));
        // Groups that were created on demand stay until their parent is deleted. So do groups of
        // others, and users whom the model keeps.
        let with_members = LazyCell::new(|| groups_with_members(&facts));
        let is_over = |name: &String| {
            self.on_demand.get(name).is_some_and(|parents| self.implied.is_over(parents))
                && !with_members.contains(name.as_str())
        };
        let keeps_users = self.implied.users_are(|user| !user.delete);
        let stays = |fact: &Fact| match fact {
            Fact::Group(name) => !self.ever.contains(fact) && !is_over(name) || self.of_others.contains(name),
            Fact::User(_) => keeps_users,
            // The user of an item that asks for something impossible keeps what it has, also what the item lacks.
            Fact::Attribute(user, _) => keeps_users || facts.get(&Fact::User(user.clone())) == Some(&State::Either),
            Fact::Member(..) | Fact::Value(..) => false,
        };
        wrong.extend(strays.filter(|fact| !stays(fact)).cloned());
        wrong.extend(self.wrong_values.iter().cloned());
        self.wrong.retain(|fact, _| wrong.contains(fact));
        for fact in wrong {
            // A user who should be disabled need not exist. From now on the user has to.
            let was_harmless = absent_and_off(&self.facts, &self.actual, &fact).is_some();
            let is_harmless = absent_and_off(&facts, &self.actual, &fact).is_some();
            let known = self.wrong.entry(fact).or_insert(since);
            if was_harmless && !is_harmless {
                *known = since;
            }
        }
        self.facts = facts;
    }

    /// The bookkeeping items of groups on demand: those that there have to be, and those that there
    /// may be. An item of a group that nobody was to be a member of leads to nothing.
    #[must_use]
    pub fn group_entries(&self) -> (BTreeSet<Key>, BTreeSet<Key>) {
        let is_group = |key: &&Key| BookkeepingKind::of(key) == Some(BookkeepingKind::Group);
        let is_unknown = |key: &&Key| {
            !self.on_demand.contains_key(&key.sk) && !self.actual.contains_key(&Fact::Group(key.sk.clone()))
        };
        let unknown = self.implied.books.keys().filter(is_group).filter(is_unknown);
        let (mut due, mut allowed): (BTreeSet<Key>, BTreeSet<Key>) = (BTreeSet::new(), unknown.cloned().collect());
        let with_members = groups_with_members(&self.facts);
        for (group, parents) in &self.on_demand {
            // A run over one parent deletes the items of all. If that parent was restored before the
            // run, they stay, and lead to no group.
            let are_over = parents.iter().all(|parent| self.implied.is_deleted(parent)) && !parents.is_empty();
            if are_over && !with_members.contains(group.as_str()) {
                continue;
            }
            let partition =
                |parent: &Parent| bookkeeping::partition(&self.implied.model, BookkeepingKind::Group, &parent.known);
            let keys = parents.iter().map(|parent| Key { pk: partition(parent), sk: group.clone() });
            let keys: BTreeSet<Key> = keys.collect();
            let is_own = self.actual.contains_key(&Fact::Group(group.clone())) && !self.of_others.contains(group);
            due.extend(keys.iter().filter(|_| is_own && !self.implied.is_over(parents)).cloned());
            allowed.extend(keys);
        }
        (due, allowed)
    }

    /// Facts that differ from what the table implies.
    #[must_use]
    pub fn wrong(&self) -> Vec<String> {
        let values = self.implied.wrong_values();
        let words = |fact: &&Fact| match fact {
            Fact::Value(..) => format!("7: {fact:?}: {}", values.get(fact).cloned().unwrap_or_default()),
            Fact::Member(..) | Fact::User(_) | Fact::Attribute(..) | Fact::Group(_) => {
                format!("1: {fact:?} should be {:?} and is {:?}", self.facts.get(fact), self.actual.get(fact))
            }
        };
        self.wrong.keys().collect::<Vec<_>>().iter().map(words).collect()
    }

    /// Whether the parents of a group on demand were deleted. `None` if no group has a parent.
    #[must_use]
    pub fn ends_groups_on_demand(&self) -> Option<bool> {
        let mut with_parents = self.on_demand.values().filter(|parents| !parents.is_empty()).peekable();
        with_parents.peek()?;
        Some(with_parents.any(|parents| self.implied.is_over(parents)))
    }

    /// Promise 1: what the table implies and Cognito lacks, whatever window was hit.
    #[must_use]
    pub fn lacking(&self) -> Vec<String> {
        let is_lacking = |fact: &&Fact| matches!(self.facts.get(*fact), Some(State::Is(_)));
        let lacking = self.wrong.keys().filter(is_lacking);
        lacking.map(|fact| format!("1: {fact:?} is implied, and is {:?}", self.actual.get(fact))).collect()
    }
}

/// The user of a fact, if that user should be disabled and does not exist.
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
