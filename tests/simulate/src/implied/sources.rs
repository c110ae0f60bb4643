//! The facts that follow from the table, kept up to date write by write. To read all items after each write would take
//! as long as the items are many, for each of them.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Key, Names, Object, TypeId};

use super::fact::{Fact, FactState};
use super::facts::together;
use super::{Implied, ImpliedRow};

/// From which items each fact follows.
#[derive(Debug, Default)]
pub(super) struct FactSources {
    states: BTreeMap<Fact, BTreeMap<Key, FactState>>,
    of_rows: BTreeMap<Key, Source>,
    /// The items that depend on an object. An object without names stands for all of its type.
    dependents: BTreeMap<Object, BTreeSet<Key>>,
    /// Items of which something may follow now that did not before, or the reverse.
    stale: BTreeSet<Key>,
}

/// What follows from an item, and on which objects that depends.
#[derive(Debug)]
struct Source {
    facts: Vec<Fact>,
    objects: BTreeSet<Object>,
}

const fn any_of(of: TypeId) -> Object {
    Object { of, names: Names::new() }
}

impl FactSources {
    /// An item has changed that is this object.
    pub(super) fn written(&mut self, key: &Key, object: &Object) {
        self.passed(key);
        for on in [object, &any_of(object.of)] {
            self.stale.extend(self.dependents.get(on).into_iter().flatten().cloned());
        }
    }

    /// Time has changed what follows from an item.
    pub(super) fn passed(&mut self, key: &Key) {
        self.stale.insert(key.clone());
    }

    /// Forgets what followed from an item. Returns that.
    fn forget(&mut self, key: &Key) -> Vec<Fact> {
        let Some(Source { facts, objects }) = self.of_rows.remove(key) else { return Vec::new() };
        for fact in &facts {
            self.states.get_mut(fact).into_iter().for_each(|states| _ = states.remove(key));
        }
        for object in &objects {
            self.dependents.get_mut(object).into_iter().for_each(|keys| _ = keys.remove(key));
        }
        facts
    }

    fn note(&mut self, key: &Key, facts: BTreeMap<Fact, FactState>, objects: BTreeSet<Object>) {
        for object in &objects {
            self.dependents.entry(object.clone()).or_default().insert(key.clone());
        }
        let all = facts.keys().cloned().collect();
        for (fact, state) in facts {
            self.states.entry(fact).or_default().insert(key.clone(), state);
        }
        self.of_rows.insert(key.clone(), Source { facts: all, objects });
    }

    fn state(&self, fact: &Fact) -> Option<FactState> {
        let states = self.states.get(fact).into_iter().flat_map(BTreeMap::values);
        states.fold(None, |before, state| Some(together(fact, before, state.clone())))
    }
}

impl Implied {
    /// The facts that may have changed since the last call, each with its state now.
    pub fn news(&mut self) -> BTreeMap<Fact, Option<FactState>> {
        let assumed: BTreeSet<Fact> = self.assumed_groups().collect();
        let mut touched = assumed.clone();
        for key in std::mem::take(&mut self.sources.stale) {
            touched.extend(self.sources.forget(&key));
            if let Some(row) = self.rows.get(&key) {
                let facts = self.facts_of(row);
                touched.extend(facts.keys().cloned());
                self.sources.note(&key, facts, self.objects_behind(row));
            }
        }
        let state =
            |fact: &Fact| if assumed.contains(fact) { Some(FactState::Either) } else { self.sources.state(fact) };
        touched.into_iter().map(|fact| (state(&fact), fact)).map(|(state, fact)| (fact, state)).collect()
    }

    /// The objects on whose items it depends what follows from an item.
    fn objects_behind(&self, row: &ImpliedRow) -> BTreeSet<Object> {
        let asks = row.asks.iter();
        let needs = asks.clone().flat_map(|ask| &ask.needs).chain(&row.parents).map(|parent| &parent.known);
        let all = needs.chain(asks.flat_map(|ask| ask.conditions.iter().map(|(object, _)| object)));
        // Who holds its values decides which attributes its user has, and whether an edge counts.
        let is_decided_by_guards = !row.user.is_empty() || self.model.item(row.object.of).unique_end.is_some();
        let all = all.chain(row.values.keys().filter(|_| is_decided_by_guards));
        let is_whole = |object: &Object| object.names.len() == self.model.key_order(object.of).len();
        all.map(|object| if is_whole(object) { object.clone() } else { any_of(object.of) }).collect()
    }
}
