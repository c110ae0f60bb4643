//! What is known of the names in the keys of all items, before it is known what the item types are to each other.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::Item;

use crate::slots::{TypeGuess, Types};
use crate::text::slots;
use crate::tokens::SampleTable;
use crate::words::{is_empty_word, norm};

/// What is known of the names of all items.
pub(crate) struct ItemNames<'k> {
    pub(crate) table: &'k SampleTable<'k>,
    pub(crate) types: &'k Types,
    /// By item type and item: the names in its key, and in its index keys.
    keys: Vec<BTreeMap<usize, BTreeMap<&'k str, &'k str>>>,
    indexes: Vec<BTreeMap<usize, BTreeMap<&'k str, &'k str>>>,
    /// By name: the item type that it identifies.
    pub(crate) homes: BTreeMap<&'k str, usize>,
}

impl<'k> ItemNames<'k> {
    pub(crate) fn of(table: &'k SampleTable<'k>, types: &'k Types) -> Self {
        let values = |of: &TypeGuess, in_index: bool| {
            let mut all: BTreeMap<usize, BTreeMap<&'k str, &'k str>> = BTreeMap::new();
            let own: Vec<usize> = if in_index { of.index_slots().collect() } else { of.key_slots().collect() };
            for slot in own.into_iter().filter_map(|at| types.slots.get(at)) {
                for (item, value) in slot.items.iter().zip(&slot.values) {
                    all.entry(*item).or_default().entry(slot.name.as_str()).or_insert(value.as_str());
                }
            }
            all
        };
        let keys = types.types.iter().map(|of| values(of, false)).collect();
        let indexes = types.types.iter().map(|of| values(of, true)).collect();
        let mut names = Self { table, types, keys, indexes, homes: BTreeMap::new() };
        names.find_homes();
        names
    }

    /// The names in the key of an item type.
    pub(crate) fn key_names(&self, of: usize) -> BTreeSet<&'k str> {
        self.slot_names(self.types.types.get(of).into_iter().flat_map(TypeGuess::key_slots))
    }

    pub(crate) fn slot_names(&self, slots: impl Iterator<Item = usize>) -> BTreeSet<&'k str> {
        slots.filter_map(|at| self.types.slots.get(at)).map(|slot| slot.name.as_str()).collect()
    }

    /// The items of an item type, by their places.
    pub(crate) fn items(&self, of: usize) -> impl Iterator<Item = (usize, &'k Item)> {
        let places = self.types.types.get(of).into_iter().flat_map(|of| &of.items);
        places.filter_map(|place| Some((*place, self.table.items.get(*place)?)))
    }

    /// A name's value in the key of an item.
    pub(crate) fn in_key(&self, of: usize, item: usize, name: &str) -> Option<&'k str> {
        self.keys.get(of)?.get(&item)?.get(name).copied()
    }

    pub(crate) fn in_index(&self, of: usize, item: usize, name: &str) -> Option<&'k str> {
        self.indexes.get(of)?.get(&item)?.get(name).copied()
    }

    /// The attributes of an item type's items.
    pub(crate) fn attributes(&self, of: usize) -> BTreeSet<&'k str> {
        self.items(of).flat_map(|(_, item)| self.table.attributes(item)).map(|(name, _)| name).collect()
    }

    /// For each name, the item type whose items it identifies: it is the only one in their keys, or the last.
    fn find_homes(&mut self) {
        let mut found: BTreeMap<&'k str, (usize, usize)> = BTreeMap::new();
        for (at, of) in self.types.types.iter().enumerate() {
            for name in self.key_names(at) {
                let values: BTreeSet<_> = of.items.iter().map(|item| self.in_key(at, *item, name)).collect();
                // Nearly each value is in one item.
                if values.len() * 100 < of.items.len() * 85 {
                    continue;
                }
                let last = slots(&of.sk).last().and_then(|slot| self.types.slots.get(slot));
                let is_last = last.is_some_and(|last| last.name == name) && of.ends.is_empty();
                let rank = match (self.key_names(at).len() == 1, is_last) {
                    (true, _) if !self.is_satellite(at) => 0,
                    (_, true) => 1,
                    (true, false) => 2,
                    (false, false) => continue,
                };
                if found.get(name).is_none_or(|(best, _)| rank < *best) {
                    found.insert(name, (rank, at));
                }
            }
        }
        self.homes = found.into_iter().map(|(name, (_, at))| (name, at)).collect();
    }

    /// Whether the sort key is a constant that names another thing than the partition: `USER#…` / `SETTINGS`.
    pub(crate) fn is_satellite(&self, at: usize) -> bool {
        let Some(of) = self.types.types.get(at) else { return false };
        if slots(&of.sk).next().is_some() {
            return false;
        }
        let sk: String = crate::text::constants(&of.sk).collect();
        let word = sk.split(self.table.separator).find(|word| !word.is_empty()).unwrap_or_default();
        let first = slots(&of.pk).next().and_then(|slot| self.types.slots.get(slot));
        !word.is_empty() && !is_empty_word(word) && first.is_some_and(|first| norm(&first.context) != norm(word))
    }
}
