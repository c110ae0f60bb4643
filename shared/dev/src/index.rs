//! The keys of the table by item type, with what a search looks at, so that a page of a large table needs no scan.
//! Writes are noted as they pass, and what they left is read when somebody looks.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::KeysAndAttributes;
use instep_aws::item_from_sdk;
use instep_aws::key_to_sdk;
use instep_console::sdk_error::explain;
use instep_model::{Identity, Item, Key, Model, TypeId};
use miette::miette;

use super::search::{Needle, shown_text};

/// The maximum keys of one BatchGetItem. Source: DynamoDB API reference, BatchGetItem.
const BATCH_GET_KEYS_MAX: usize = 100;

/// The most bytes of the texts that a search looks at. If the table has more, only labels and keys are searched.
const TEXT_BYTES_MAX: usize = 64 << 20;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    Type(TypeId),
    /// No item type describes it.
    Unknown,
    /// Instep's own.
    Own,
}

impl Of {
    /// What the item under a key is.
    pub(super) fn key(model: &Model, key: &Key) -> Self {
        match model.identify(key) {
            Identity::Item { object, .. } => Self::Type(object.of),
            Identity::Bookkeeping => Self::Own,
            Identity::Unknown(_) => Self::Unknown,
        }
    }
}

/// Keys whose items were written.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) keys: BTreeSet<Key>,
    /// Something was written that is not among the keys.
    pub(super) all: bool,
}

/// The keys of the table.
#[derive(Debug, Default)]
pub(super) struct KeyIndex {
    keys: BTreeMap<Of, BTreeMap<Key, String>>,
    /// The bytes of the texts.
    text_bytes: usize,
    /// Of some items, only label and key are searched.
    is_partial: bool,
    /// What is still to be read. It stays until it is: whoever asks can go away in between.
    unread: Touched,
}

impl KeyIndex {
    /// Reads what writes have left.
    pub(super) async fn update(&mut self, table: &TableReader, touched: Touched) -> miette::Result<()> {
        self.unread.keys.extend(touched.keys);
        self.unread.all |= touched.all;
        if self.unread.all {
            let mut all = Self::default();
            table.each_item(|key, item| all.put(&table.model, key, Some(item))).await?;
            *self = all;
        }
        loop {
            let keys: Vec<Key> = self.unread.keys.iter().take(BATCH_GET_KEYS_MAX).cloned().collect();
            if keys.is_empty() {
                return Ok(());
            }
            let mut there: BTreeMap<Key, Item> = table.items(&keys).await?.into_iter().collect();
            for key in keys {
                self.unread.keys.remove(&key);
                let item = there.remove(&key);
                self.put(&table.model, key, item);
            }
        }
    }

    /// Notes what is under a key.
    fn put(&mut self, model: &Model, key: Key, item: Option<Item>) {
        let keys = self.keys.entry(Of::key(model, &key)).or_default();
        self.text_bytes -= keys.remove(&key).map_or(0, |text| text.len());
        let Some(item) = item else { return };
        let mut text = shown_text(model, &key, Some(&item));
        if self.text_bytes + text.len() > TEXT_BYTES_MAX {
            text = shown_text(model, &key, None);
            self.is_partial = true;
        }
        self.text_bytes += text.len();
        keys.insert(key, text);
    }

    /// Whether only labels and keys of some items are searched.
    pub(super) const fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The number of items.
    pub(super) fn count(&self, of: Of) -> usize {
        self.keys.get(&of).map_or(0, BTreeMap::len)
    }

    /// The number of items with a text.
    pub(super) fn found(&self, of: Of, needle: &Needle) -> usize {
        if needle.is_empty() {
            return self.count(of);
        }
        self.keys.get(&of).map_or(0, |keys| keys.values().filter(|text| needle.is_in_lower(text)).count())
    }

    /// The number of all items.
    pub(super) fn total(&self) -> usize {
        self.keys.values().map(BTreeMap::len).sum()
    }

    /// The keys of items with a text, from a place on, at most `most`, and how many have it.
    pub(super) fn page(&self, of: Of, needle: &Needle, from: usize, most: usize) -> (Vec<Key>, usize) {
        let found = self.keys.get(&of).into_iter().flatten().filter(|(_, text)| needle.is_in_lower(text));
        (found.skip(from).take(most).map(|(key, _)| key.clone()).collect(), self.found(of, needle))
    }
}

/// Reads the table, uncounted.
#[derive(Debug, Clone)]
pub(super) struct TableReader {
    pub(super) client: Client,
    pub(super) table: String,
    pub(super) model: std::sync::Arc<Model>,
}

impl TableReader {
    /// The items of at most 100 keys, in the order of the keys. Those that do not exist are left out.
    pub(super) async fn items(&self, keys: &[Key]) -> miette::Result<Vec<(Key, Item)>> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let asked = keys.iter().map(|key| key_to_sdk(&self.model, key)).collect();
        let asked = KeysAndAttributes::builder().set_keys(Some(asked)).consistent_read(true).build();
        let asked = asked.map_err(|error| miette!("{error}"))?;
        let answer = self.client.batch_get_item().request_items(&self.table, asked).send().await;
        let answer = answer.map_err(|error| miette!("cannot read the table: {}", explain(&error)))?;
        let rows = answer.responses.unwrap_or_default().remove(&self.table).unwrap_or_default();
        let mut found: BTreeMap<Key, Item> = rows
            .into_iter()
            .map(item_from_sdk)
            .filter_map(|item| Some((self.model.table.key_of(&item)?, item)))
            .collect();
        Ok(keys.iter().filter_map(|key| Some((key.clone(), found.remove(key)?))).collect())
    }

    /// Reads the whole table.
    pub(super) async fn each_item(&self, mut each: impl FnMut(Key, Item)) -> miette::Result<()> {
        let mut from = None;
        loop {
            let scan = self.client.scan().table_name(&self.table).consistent_read(true).set_exclusive_start_key(from);
            let answer = scan.send().await.map_err(|error| miette!("cannot read the table: {}", explain(&error)))?;
            for item in answer.items.unwrap_or_default().into_iter().map(item_from_sdk) {
                if let Some(key) = self.model.table.key_of(&item) {
                    each(key, item);
                }
            }
            from = answer.last_evaluated_key;
            if from.is_none() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_without_gap() {
        let key = |n: usize| Key { pk: format!("p{n:03}"), sk: "s".into() };
        let model = Model::shipped("access-management").unwrap();
        let mut index = KeyIndex::default();
        (0..250).for_each(|n| index.put(&model, key(n), Some(Item::new())));
        let mut seen = Vec::new();
        while seen.len() < 250 {
            let (page, total) = index.page(Of::Unknown, &Needle::new(""), seen.len(), 100);
            assert_eq!(total, 250);
            seen.extend(page);
        }
        assert_eq!(seen, (0..250).map(key).collect::<Vec<_>>());
        assert_eq!(index.page(Of::Unknown, &Needle::new("P24"), 0, 100).1, 10);
        assert_eq!(index.page(Of::Own, &Needle::new(""), 0, 100).1, 0);
        assert_eq!((index.total(), index.count(Of::Unknown)), (250, 250));
        (0..250).for_each(|n| index.put(&model, key(n), None));
        assert_eq!((index.total(), index.text_bytes), (0, 0));
    }
}
