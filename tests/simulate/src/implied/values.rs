//! Unique values: which objects claim them, and which object holds each.

use std::collections::BTreeMap;

use instep_model::{Item, Names, Object, TypeId};

use super::condition::meets;
use super::row::Row;
use super::said::said;
use super::{Fact, Implied};

impl Implied {
    /// The objects that claim the value of a guard, and whether each claim is strong.
    #[must_use]
    pub fn claimants(&self, guard: &Object) -> BTreeMap<&Object, bool> {
        let rows = self.rows.values().filter(|row| !row.is_void);
        rows.filter_map(|row| Some((&row.object, *row.values.get(guard)?))).collect()
    }

    /// Objects that claim or hold a value which the wrong object holds, each with an explanation.
    #[must_use]
    pub fn wrong_values(&self) -> BTreeMap<Fact, String> {
        // For each guard: its first item, and the claimants of its value.
        let mut guards: BTreeMap<&Object, (Option<&Row>, BTreeMap<&Object, bool>)> = BTreeMap::new();
        for row in self.rows.values() {
            if self.model.item(row.object.of).guard.is_some() {
                guards.entry(&row.object).or_default().0.get_or_insert(row);
            }
            for (guard, strong) in row.values.iter().filter(|_| !row.is_void) {
                guards.entry(guard).or_default().1.insert(&row.object, *strong);
            }
        }
        let mut wrong = BTreeMap::new();
        for (guard, (held, claimants)) in guards {
            let holder = held.and_then(|row| row.owner.as_ref());
            let strength = holder.and_then(|holder| claimants.get(holder)).copied();
            let mut note =
                |of: &Object, what: &str| wrong.insert(Fact::Value(guard.clone(), of.clone()), what.to_owned());
            match (held, strength) {
                (None, _) => claimants.keys().for_each(|owner| drop(note(owner, "no claimant holds it"))),
                (Some(row), None) => {
                    claimants.keys().for_each(|owner| drop(note(owner, "the holder does not have the value")));
                    note(holder.unwrap_or(&row.object), "holds it, and does not have the value");
                }
                (Some(_), Some(strength)) => {
                    let stronger = claimants.iter().filter(|(_, strong)| **strong && !strength);
                    stronger.for_each(|(owner, _)| {
                        drop(note(owner, "the holder must give it up to this stronger claimant"))
                    });
                }
            }
        }
        wrong
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
