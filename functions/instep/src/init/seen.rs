//! What the input says was written: the images of items, and the items that are left at its end.

use std::collections::{BTreeMap, BTreeSet};

use instep_draft::Schema;
use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Value};

/// The writes of the input, in order.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) changes: Vec<Change>,
    /// The key attributes that stream records name.
    pub(super) keys: BTreeSet<String>,
}

/// One write.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// An item, as it is from then on.
    Put(Item),
    /// An item that was there before the input began.
    Before(Item),
    Update {
        key: Item,
        set: Item,
        remove: Vec<String>,
    },
    /// The key, or the whole item.
    Delete(Item),
}

/// The writes, when the table's keys are known.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) images: Vec<Item>,
    /// Each write: the key, the item before it and after it.
    pub(super) writes: Vec<(Key, Option<Item>, Option<Item>)>,
    /// The items that are left.
    pub(super) left: BTreeMap<Key, Item>,
}

impl Seen {
    /// The images that are written as a whole.
    pub(super) fn images(&self) -> Vec<Item> {
        let image = |change: &Change| match change {
            Change::Put(item) | Change::Before(item) => Some(item.clone()),
            Change::Update { .. } | Change::Delete(_) => None,
        };
        self.changes.iter().filter_map(image).collect()
    }

    /// The history under a schema. Items without its keys stay images, which the draft counts.
    pub(super) fn history(self, schema: &Schema) -> History {
        let mut history = History::default();
        for change in self.changes {
            history.add(schema, change);
        }
        history
    }
}

impl History {
    fn add(&mut self, schema: &Schema, change: Change) {
        let key = |item: &Item| {
            let text = |name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
            Some(Key { pk: text(&schema.pk)?, sk: text(&schema.sk)? })
        };
        let (key, new) = match change {
            Change::Before(item) => {
                match key(&item) {
                    Some(key) if self.left.contains_key(&key) => {}
                    _ => self.add(schema, Change::Put(item)),
                }
                return;
            }
            Change::Put(item) => {
                self.images.push(item.clone());
                (key(&item), Some(item))
            }
            Change::Delete(item) => (key(&item), None),
            Change::Update { key: of, set, remove } => {
                let key = key(&of);
                let mut item = key.as_ref().and_then(|key| self.left.get(key)).cloned().unwrap_or(of);
                item.extend(set);
                item.retain(|name, _| !remove.contains(name));
                self.images.push(item.clone());
                (key, Some(item))
            }
        };
        // Instep's own items are no items of the application.
        let Some(key) = key.filter(|key| !key.pk.starts_with(BOOKKEEPING_PREFIX)) else { return };
        let old = match &new {
            Some(item) => self.left.insert(key.clone(), item.clone()),
            None => self.left.remove(&key),
        };
        if old.is_some() || new.is_some() {
            self.writes.push((key, old, new));
        }
    }
}
