//! What follows from the items outside of them.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Object, TypeId};

use super::Implied;
use super::row::{Ask, Row};

/// Something outside an item that follows from the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A user in a group.
    Member(String, String),
    /// A Cognito user, who may sign in or not.
    User(String),
    /// A user and an attribute of theirs.
    Attribute(String, String),
    /// A Cognito group that an item brings.
    Group(String),
    /// A unique value, by its guard, and one who has it or holds it.
    Value(Object, Object),
}

/// What a fact is to be. Absent facts are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// There, and so.
    Is(String),
    /// On the way to be gone: there or not, both are right.
    Either,
}

/// The state of a user who may sign in.
const ON: &str = "enabled";

/// That of one who may not.
pub const OFF: &str = "disabled";

/// What is so of a Cognito user.
pub fn user_facts<'a>(
    name: &str,
    is_enabled: bool,
    attributes: impl Iterator<Item = (&'a str, String)>,
) -> Vec<(Fact, String)> {
    let user = (Fact::User(name.to_owned()), if is_enabled { ON } else { OFF }.to_owned());
    let attributes = attributes.map(|(attribute, text)| (Fact::Attribute(name.to_owned(), attribute.to_owned()), text));
    std::iter::once(user).chain(attributes).collect()
}

/// The facts that a write moves.
#[must_use]
pub fn moved(old: Option<&Row>, new: Option<&Row>) -> BTreeSet<Fact> {
    let facts = |row: Option<&Row>| -> Vec<(Fact, String)> {
        let Some(row) = row.filter(|row| !row.is_void) else { return Vec::new() };
        let asks = row.asks.iter().map(|ask| (Fact::Member(ask.pair.0.clone(), ask.pair.1.clone()), String::new()));
        let users = row.user.iter().cloned();
        let groups = row.groups.iter().map(|group| (Fact::Group(group.clone()), String::new()));
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
    /// Whether an ask holds now.
    #[must_use]
    pub fn holds(&self, row: &Row, ask: &Ask) -> Option<State> {
        let is_made = !ask.by_hand || self.by_hand.contains(&ask.pair.1);
        if row.is_void || !is_made || !ask.needs.iter().all(|need| self.is_there(need)) {
            return None;
        }
        Some(if self.is_orphan(row) { State::Either } else { State::Is(String::new()) })
    }

    /// All facts of Cognito.
    #[must_use]
    pub fn facts(&self) -> BTreeMap<Fact, State> {
        let mut facts = BTreeMap::new();
        for row in self.rows.values().filter(|row| !row.is_void) {
            for ask in &row.asks {
                if let Some(state) = self.holds(row, ask) {
                    let fact = Fact::Member(ask.pair.0.clone(), ask.pair.1.clone());
                    // Held by one, it is held, whatever becomes of the other.
                    if facts.get(&fact).is_none_or(|before| *before == State::Either) {
                        facts.insert(fact, state);
                    }
                }
            }
            facts.extend(row.user.iter().map(|(fact, looks)| (fact.clone(), State::Is(looks.clone()))));
            facts.extend(row.groups.iter().map(|group| (Fact::Group(group.clone()), State::Is(String::new()))));
        }
        for (of, ty) in self.model.items.iter().enumerate() {
            for names in ty.assumed.iter().filter(|_| ty.groups.is_some()) {
                // Nobody writes it, so nobody asks for its groups before a member comes.
                let groups = self.groups(&Object { of: TypeId(of), names: names.clone() });
                facts.extend(groups.into_iter().map(|group| (Fact::Group(group), State::Either)));
            }
        }
        facts
    }
}
