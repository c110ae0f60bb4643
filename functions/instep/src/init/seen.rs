//! What the input says was written: the images of items, and the items that are left at its end.

use std::collections::{BTreeMap, BTreeSet};

use instep_draft::Schema;
use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Value};

/// The writes of the input, in order.
#[derive(Debug, Default)]
pub(super) struct SeenWrites {
    pub(super) changes: Vec<SeenWrite>,
    /// The key attributes that stream records name.
    pub(super) keys: BTreeSet<String>,
}

/// One write.
#[derive(Debug, Clone)]
pub(super) enum SeenWrite {
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
pub(super) struct SeenHistory {
    pub(super) images: Vec<Item>,
    /// Each write: the key, the item before it and after it.
    pub(super) writes: Vec<(Key, Option<Item>, Option<Item>)>,
    /// The items that are left.
    pub(super) left: BTreeMap<Key, Item>,
}

impl SeenWrites {
    /// The images that are written as a whole.
    pub(super) fn images(&self) -> Vec<Item> {
        let image = |change: &SeenWrite| match change {
            SeenWrite::Put(item) | SeenWrite::Before(item) => Some(item.clone()),
            SeenWrite::Update { .. } | SeenWrite::Delete(_) => None,
        };
        self.changes.iter().filter_map(image).collect()
    }

    /// The history under a schema. Items without its keys stay images, which the draft counts.
    pub(super) fn history(self, schema: &Schema) -> SeenHistory {
        let mut history = SeenHistory::default();
        for change in self.changes {
            history.add(schema, change);
        }
        history
    }
}

impl SeenHistory {
    fn add(&mut self, schema: &Schema, change: SeenWrite) {
        let key = |item: &Item| {
            let text = |name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
            Some(Key { pk: text(&schema.pk)?, sk: text(&schema.sk)? })
        };
        let (key, new) = match change {
            SeenWrite::Before(item) => {
                match key(&item) {
                    Some(key) if self.left.contains_key(&key) => {}
                    _ => self.add(schema, SeenWrite::Put(item)),
                }
                return;
            }
            SeenWrite::Put(item) => {
                self.images.push(item.clone());
                (key(&item), Some(item))
            }
            SeenWrite::Delete(item) => (key(&item), None),
            SeenWrite::Update { key: of, set, remove } => {
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
