//! Unique values: which objects claim them, and which object holds each.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping;
use instep_model::template::Template;
use instep_model::{Item, Key, Names, Object, TypeId};

use super::condition::meets;
use super::row::ImpliedRow;
use super::said::said;
use super::{Fact, Implied};

impl Implied {
    /// The objects that claim the value of a guard, and whether each claim is strong.
    #[must_use]
    pub fn claimants(&self, guard: &Object) -> BTreeMap<&Object, bool> {
        let rows = self.claims.get(guard).into_iter().flatten().filter_map(|key| self.rows.get(key));
        rows.filter_map(|row| Some((&row.object, *row.values.get(guard)?))).collect()
    }

    /// Notes the claims of an item that is written. `before` is what it was.
    pub(super) fn note_claims(&mut self, key: &Key, object: &Object, before: Option<&ImpliedRow>) {
        let after = self.rows.get(key);
        for guard in before.into_iter().flat_map(|row| row.values.keys()) {
            self.claims.get_mut(guard).into_iter().for_each(|keys| _ = keys.remove(key));
            self.new_guards.insert(guard.clone());
        }
        for guard in after.into_iter().flat_map(|row| row.values.keys()) {
            self.claims.entry(guard.clone()).or_default().insert(key.clone());
            self.new_guards.insert(guard.clone());
        }
        if self.model.item(object.of).guard.is_some() {
            self.new_guards.insert(object.clone());
        }
    }

    /// The guards under which something may have changed since the last call, each with what the wrong object holds under
    /// it.
    pub fn value_news(&mut self) -> BTreeMap<Object, BTreeSet<Fact>> {
        let guards = std::mem::take(&mut self.new_guards).into_iter();
        let wrong = |guard: &Object| {
            let keys = self.model.keys(guard).unwrap_or_default();
            let held = keys.iter().filter_map(|key| self.rows.get_key_value(key)).min_by_key(|(key, _)| *key);
            self.wrong_under(guard, held.map(|(_, row)| row), &self.claimants(guard)).into_keys().collect()
        };
        guards.map(|guard| (wrong(&guard), guard)).map(|(wrong, guard)| (guard, wrong)).collect()
    }

    /// Objects that claim or hold a value which the wrong object holds, each with an explanation.
    #[must_use]
    pub fn wrong_values(&self) -> BTreeMap<Fact, String> {
        // For each guard: its first item, and the claimants of its value.
        let mut guards: BTreeMap<&Object, (Option<&ImpliedRow>, BTreeMap<&Object, bool>)> = BTreeMap::new();
        for row in self.rows.values() {
            if self.model.item(row.object.of).guard.is_some() {
                guards.entry(&row.object).or_default().0.get_or_insert(row);
            }
            for (guard, strong) in &row.values {
                guards.entry(guard).or_default().1.insert(&row.object, *strong);
            }
        }
        guards.into_iter().flat_map(|(guard, (held, claimants))| self.wrong_under(guard, held, &claimants)).collect()
    }

    /// As the function of that name. Of guards that nobody claims, only a deletion of their owner says something.
    fn wrong_under(
        &self,
        guard: &Object,
        held: Option<&ImpliedRow>,
        claimants: &BTreeMap<&Object, bool>,
    ) -> BTreeMap<Fact, String> {
        let is_of_people = self.is_of_writers(guard.of) || self.is_of_nobody(guard);
        if is_of_people { BTreeMap::new() } else { wrong_under(guard, held, claimants) }
    }

    /// Whether no claim can lead to a guard: each has a text before its first name with which the value does not begin.
    fn is_of_nobody(&self, guard: &Object) -> bool {
        let leads = |(name, template): (&String, &Template)| {
            let text = template.to_string();
            let before = text.split('{').next().unwrap_or_default();
            guard.names.get(name).is_some_and(|value| value.starts_with(before))
        };
        let mut claims = self.model.item(guard.of).guard.iter().flat_map(|rule| &rule.claims);
        !claims.any(|claim| claim.names.iter().all(leads))
    }

    /// Whether a type is one of guards that only writers make: no owner claims one.
    #[must_use]
    pub fn is_of_writers(&self, of: TypeId) -> bool {
        self.model.item(of).guard.as_ref().is_some_and(|guard| guard.claims.is_empty())
    }

    /// The guards of a deleted owner that only that owner leads to: writers made them.
    pub fn guards_of_the_deleted(&self) -> impl Iterator<Item = (&Key, &ImpliedRow)> {
        let of_writers = self.rows.iter().filter(|(_, row)| self.is_of_writers(row.object.of));
        of_writers.filter(|(_, row)| {
            row.owner.as_ref().is_some_and(|owner| !self.exists(owner) && self.was_ever_deleted(owner))
        })
    }

    pub(super) fn values(&self, object: &Object, item: &Item) -> BTreeMap<Object, bool> {
        let claimed = self.claimed(object, item).into_iter();
        claimed.filter(|(guard, _)| self.model.keys(guard).is_ok()).collect()
    }

    /// The guards of the values that an item claims, also those that cannot exist.
    pub(super) fn claimed(&self, object: &Object, item: &Item) -> Vec<(Object, bool)> {
        let lookup = said(&self.model, object, Some(item));
        let mut values = Vec::new();
        for (place, ty) in self.model.items.iter().enumerate() {
            let Some(guard) = ty.guard.as_ref().filter(|guard| guard.owner == object.of) else { continue };
            for claim in guard.claims.iter().filter(|claim| meets(&claim.when, object, item)) {
                let names = claim.names.iter().map(|(name, text)| Some((name.clone(), text.render(&lookup).ok()?)));
                let Some(names) = names.collect::<Option<Names>>() else { continue };
                let is_strong = claim.transfer.as_ref().is_some_and(|when| meets(when, object, item));
                values.push((Object { of: TypeId(place), names }, is_strong));
            }
        }
        values
    }
}

/// Of several edges of one item, which counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeState {
    /// Its guard names it, or its item may have any number.
    Counts,
    /// Its guard names no edge that exists and claims it.
    Open,
    /// Its guard names another one, which exists and claims it.
    Waits,
}

impl Implied {
    /// Whether an edge counts, or waits for another one of the same item.
    #[must_use]
    pub fn edge_state(&self, edge: &ImpliedRow) -> EdgeState {
        let Some(one) = &self.model.item(edge.object.of).unique_end else { return EdgeState::Counts };
        let Some(guard) = edge.values.keys().find(|guard| guard.of == one.guard) else { return EdgeState::Open };
        let keys = self.model.keys(guard).unwrap_or_default();
        let held = keys.iter().filter_map(|key| self.rows.get_key_value(key)).min_by_key(|(key, _)| *key);
        match held.and_then(|(_, held)| held.owner.as_ref()) {
            Some(holder) if *holder == edge.object => EdgeState::Counts,
            Some(holder) if self.claimants(guard).contains_key(holder) => EdgeState::Waits,
            Some(_) | None => EdgeState::Open,
        }
    }

    /// Whether Instep has noted that an edge waits.
    #[must_use]
    pub fn is_noted_to_wait(&self, edge: &ImpliedRow) -> bool {
        self.claims_of_waiting(edge).next().is_some()
    }

    /// The bookkeeping items that note that an edge waits.
    pub fn claims_of_waiting<'a>(&'a self, edge: &'a ImpliedRow) -> impl Iterator<Item = Key> + 'a {
        let guards = edge.values.keys().filter(|_| self.edge_state(edge) == EdgeState::Waits);
        let keys = guards.map(|guard| bookkeeping::claim_key(&self.model, guard, &edge.object));
        keys.filter(|key| self.books.contains_key(key))
    }

    /// Whether the user of an item may have what a fact says: an attribute that a claim makes unique is only the
    /// holder's.
    pub(super) fn may_have(&self, row: &ImpliedRow, fact: &Fact) -> bool {
        let Fact::Attribute(_, attribute) = fact else { return true };
        let object = &row.object;
        let said = self.said_of_user(object.of, attribute);
        let (mut is_unique, mut held, mut lost) = (false, 0, 0);
        for (place, ty) in self.model.items.iter().enumerate() {
            let Some(rule) = ty.guard.as_ref().filter(|rule| rule.owner == object.of) else { continue };
            for claim in &rule.claims {
                let asked = claim.names.values().flat_map(|text| self.paths_of(object.of, &text.to_string()));
                if said.is_empty() || asked.collect::<BTreeSet<_>>() != said {
                    continue;
                }
                is_unique = true;
                let lookup = said_by(self, row);
                let names = claim.names.iter().map(|(name, text)| Some((name.clone(), text.render(&lookup).ok()?)));
                let names = names.collect::<Option<Names>>().filter(|_| meets(&claim.when, object, &row.item));
                let Some(names) = names else { continue };
                let keys = self.model.keys(&Object { of: TypeId(place), names }).unwrap_or_default();
                let guard = keys.iter().filter_map(|key| self.rows.get_key_value(key)).min_by_key(|(key, _)| *key);
                let is_own = guard.is_some_and(|(_, guard)| guard.owner.as_ref() == Some(object));
                *if is_own { &mut held } else { &mut lost } += 1;
            }
        }
        !is_unique || held > 0 && lost == 0
    }

    /// The attributes of the item of which an attribute of its user, or the address that it is about, is made.
    fn said_of_user(&self, of: TypeId, attribute: &str) -> BTreeSet<String> {
        let rules = || self.model.item(of).user.iter().flat_map(|user| &user.attributes);
        let text = |wanted: &str| rules().find(|(name, _)| name == wanted).map(|(_, text)| text.to_string());
        let address = attribute.strip_suffix("_verified").and_then(text);
        address.or_else(|| text(attribute)).map(|text| self.paths_of(of, &text)).unwrap_or_default()
    }

    /// The attributes in the braces of a template, without those that the key or the tenant has.
    fn paths_of(&self, of: TypeId, template: &str) -> BTreeSet<String> {
        let slots = template.split('{').skip(1).filter_map(|part| part.split(['}', '|']).next());
        let known = self.model.key_order(of);
        let own = slots.filter(|name| !known.contains(name) && !self.model.tenant.iter().any(|other| other == name));
        own.flat_map(|name| self.model.attributes_of(name)).collect()
    }
}

fn said_by<'a>(implied: &'a Implied, row: &'a ImpliedRow) -> impl Fn(&str) -> Option<String> + 'a {
    said(&implied.model, &row.object, Some(&row.item))
}

/// Who claims or holds the value of a guard wrongly, with an explanation. `held` is the guard's item.
fn wrong_under(
    guard: &Object,
    held: Option<&ImpliedRow>,
    claimants: &BTreeMap<&Object, bool>,
) -> BTreeMap<Fact, String> {
    let mut wrong = BTreeMap::new();
    let holder = held.and_then(|row| row.owner.as_ref());
    let strength = holder.and_then(|holder| claimants.get(holder)).copied();
    let mut note = |of: &Object, what: &str| _ = wrong.insert(Fact::Value(guard.clone(), of.clone()), what.to_owned());
    match (held, strength) {
        (None, _) => claimants.keys().for_each(|owner| note(owner, "no claimant holds it")),
        (Some(row), None) => {
            claimants.keys().for_each(|owner| note(owner, "the holder does not have the value"));
            note(holder.unwrap_or(&row.object), "holds it, and does not have the value");
        }
        (Some(_), Some(strength)) => {
            let stronger = claimants.iter().filter(|(_, strong)| **strong && !strength);
            stronger.for_each(|(owner, _)| note(owner, "the holder must give it up to this stronger claimant"));
        }
    }
    wrong
}
