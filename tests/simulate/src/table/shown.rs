//! What the indexes show of a table.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{JsonItem, JsonKey};

/// The items that the indexes show. A query of an index finds its items by one attribute: without `found`, it would
/// look at all of them.
#[derive(Debug, Default)]
pub(super) struct Shown {
    items: BTreeMap<JsonKey, JsonItem>,
    /// For each attribute that a query has asked for: the keys of the items with each value.
    found: BTreeMap<String, BTreeMap<String, BTreeSet<JsonKey>>>,
}

impl Shown {
    pub(super) fn get(&self, key: &JsonKey) -> Option<&JsonItem> {
        self.items.get(key)
    }

    /// Shows an item as it is now. `None`: it was deleted.
    pub(super) fn show(&mut self, key: &JsonKey, item: Option<JsonItem>) {
        let old = match &item {
            Some(item) => self.items.insert(key.clone(), item.clone()),
            None => self.items.remove(key),
        };
        for (name, keys) in &mut self.found {
            if let Some(of) = old.as_ref().and_then(|item| keys.get_mut(&item.get(name)?.to_string())) {
                of.remove(key);
            }
            if let Some(value) = item.as_ref().and_then(|item| item.get(name)) {
                keys.entry(value.to_string()).or_default().insert(key.clone());
            }
        }
    }

    /// The items whose attribute `name` has this value, sorted by key.
    pub(super) fn with(&mut self, name: &str, value: &Value) -> impl Iterator<Item = (&JsonKey, &JsonItem)> {
        if !self.found.contains_key(name) {
            let mut keys: BTreeMap<String, BTreeSet<JsonKey>> = BTreeMap::new();
            for (key, item) in &self.items {
                if let Some(value) = item.get(name) {
                    keys.entry(value.to_string()).or_default().insert(key.clone());
                }
            }
            self.found.insert(name.to_owned(), keys);
        }
        let keys = self.found.get(name).and_then(|keys| keys.get(&value.to_string()));
        keys.into_iter().flatten().filter_map(|key| self.items.get_key_value(key))
    }
}
