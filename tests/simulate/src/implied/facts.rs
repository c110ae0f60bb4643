//! Facts outside the table that follow from its items.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Condition, Object};

use super::condition::meets;
use super::fact::{Fact, FactState};
use super::row::{ImpliedRow, WantedMembership};
use super::{EdgeState, Implied};

/// The facts that a write changes.
#[must_use]
pub fn moved(old: Option<&ImpliedRow>, new: Option<&ImpliedRow>) -> BTreeSet<Fact> {
    let facts = |row: Option<&ImpliedRow>| -> Vec<(Fact, String)> {
        let Some(row) = row.filter(|row| !row.is_void) else { return Vec::new() };
        let asks = row.asks.iter().map(|ask| (Fact::Member(ask.pair.0.clone(), ask.pair.1.clone()), String::new()));
        let users = row.user.iter().cloned();
        let groups = row.groups.iter().cloned();
        let value = |guard: &Object| Fact::Value(guard.clone(), row.object.clone());
        let values = row.values.iter().map(|(guard, strong)| (value(guard), strong.to_string()));
        asks.chain(users).chain(groups).chain(values).collect()
    };
    let (old, new) = (facts(old), facts(new));
    let is_moved = |one: &[(Fact, String)], fact: &(Fact, String)| !one.contains(fact);
    let moved = old.iter().filter(|fact| is_moved(&new, fact)).chain(new.iter().filter(|fact| is_moved(&old, fact)));
    moved.map(|(fact, _)| fact.clone()).collect()
}

impl Implied {
    /// The memberships that items ask for in groups that only people make, and have not made.
    #[must_use]
    pub fn asked_of_people(&self) -> BTreeSet<Fact> {
        let asks = self.rows().values().flat_map(|row| &row.asks);
        let asks = asks.filter(|ask| ask.by_hand && !self.by_hand.contains(&ask.pair.1));
        asks.map(|WantedMembership { pair: (user, group), .. }| Fact::Member(user.clone(), group.clone())).collect()
    }

    /// The desired state of a membership that an item asks for. `None` if it must not exist.
    #[must_use]
    pub fn holds(&self, row: &ImpliedRow, ask: &WantedMembership) -> Option<FactState> {
        let is_made = !ask.by_hand || self.by_hand.contains(&ask.pair.1);
        let mut conditions = ask.conditions.iter();
        let is_met = conditions.all(|(object, condition)| self.has(object, condition));
        // A person who has one desk is in the group of that one alone.
        if self.edge_state(row) != EdgeState::Counts {
            return None;
        }
        if row.is_void || !is_made || !is_met || !ask.needs.iter().all(|need| self.is_met(need)) {
            return None;
        }
        // The user and groups of an item that asks for something impossible may exist. If they do, they have members.
        let may_lack_it = ask.conditions.iter().any(|(object, _)| self.rows_of(object).any(|row| row.is_bad));
        Some(if may_lack_it || self.is_orphan(row) { FactState::Either } else { FactState::Is(String::new()) })
    }

    /// Whether an item surely implies a membership now, and whether it may: if only the user or the group lacks its condition,
    /// or people have not made the group, what the item grants is in force all the same.
    #[must_use]
    pub fn in_force(&self, row: &ImpliedRow) -> (bool, bool) {
        let surely = |ask: &WantedMembership| matches!(self.holds(row, ask), Some(FactState::Is(_)));
        let has_roles = !row.is_bad && !self.given(&row.object, Some(&row.item), self.now_ms).is_empty();
        let is_effective = has_roles && self.edge_state(row) == EdgeState::Counts;
        let is_met = |ask: &WantedMembership| ask.needs.iter().all(|need| self.is_met(need));
        // A grant may have no memberships: a list of groups is empty, or people have not made the user.
        let maybe = is_effective && (row.asks.is_empty() || row.asks.iter().any(is_met));
        (row.asks.iter().any(surely), maybe)
    }

    /// The groups of a user that are in tokens alone, and whether each surely is.
    #[must_use]
    pub fn in_tokens(&self, user: &str) -> BTreeMap<String, FactState> {
        let mut groups = BTreeMap::new();
        for row in self.rows.values() {
            for ask in row.in_tokens.iter().filter(|ask| ask.pair.0 == user) {
                let Some(state) = self.holds(row, ask) else { continue };
                let fact = Fact::Member(user.to_owned(), ask.pair.1.clone());
                let state = together(&fact, groups.remove(&ask.pair.1), state);
                groups.insert(ask.pair.1.clone(), state);
            }
        }
        groups
    }

    pub(crate) fn rows_of(&self, object: &Object) -> impl Iterator<Item = &ImpliedRow> {
        self.model.keys(object).unwrap_or_default().into_iter().filter_map(|key| self.rows.get(&key))
    }

    /// Whether an object has an item of which a condition is true. An empty condition needs no item.
    fn has(&self, object: &Object, condition: &Condition) -> bool {
        condition.is_empty() || self.rows_of(object).any(|row| meets(condition, object, &row.item))
    }

    /// The desired state of Cognito.
    #[must_use]
    pub fn facts(&self) -> BTreeMap<Fact, FactState> {
        let mut facts = BTreeMap::new();
        for (fact, state) in self.rows.values().flat_map(|row| self.facts_of(row)) {
            add(&mut facts, fact, state);
        }
        facts.extend(self.assumed_groups().map(|group| (group, FactState::Either)));
        facts
    }

    /// What follows from an item.
    pub(super) fn facts_of(&self, row: &ImpliedRow) -> BTreeMap<Fact, FactState> {
        let mut facts = BTreeMap::new();
        if row.is_void {
            return facts;
        }
        for ask in &row.asks {
            if let Some(state) = self.holds(row, ask) {
                add(&mut facts, Fact::Member(ask.pair.0.clone(), ask.pair.1.clone()), state);
            }
        }
        // What asks for something impossible is given no user and no group, and keeps what it has.
        let state = |value: String| if row.is_bad { FactState::Either } else { FactState::Is(value) };
        let user = row.user.iter().filter(|(fact, _)| self.may_have(row, fact));
        facts.extend(user.map(|(fact, value)| (fact.clone(), state(value.clone()))));
        facts.extend(row.groups.iter().map(|(fact, value)| (fact.clone(), state(value.clone()))));
        facts
    }

    /// The groups of objects that count as existing without an item. No write asks for them before the first member
    /// does.
    pub(super) fn assumed_groups(&self) -> impl Iterator<Item = Fact> {
        let types = self.model.types().filter(|(_, ty)| !ty.groups.is_empty());
        let objects = types.flat_map(|(of, ty)| ty.assumed.iter().map(move |names| (of, names)));
        let groups = objects.flat_map(|(of, names)| self.groups(&Object { of, names: names.clone() }, None));
        groups.map(Fact::Group)
    }
}

fn add(facts: &mut BTreeMap<Fact, FactState>, fact: Fact, state: FactState) {
    let state = together(&fact, facts.remove(&fact), state);
    facts.insert(fact, state);
}

/// The state of a fact that follows from several items. Of a membership, one item that implies it is enough.
pub(super) fn together(fact: &Fact, before: Option<FactState>, state: FactState) -> FactState {
    match before {
        Some(is @ FactState::Is(_)) if matches!(fact, Fact::Member(..)) => is,
        Some(_) | None => state,
    }
}
