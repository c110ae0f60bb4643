//! The keys of the table by item type, so that a page of a large table needs no scan. Writes are noted as they
//! pass, and what they left is read when somebody looks.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::KeysAndAttributes;
use instep_aws::item_from_sdk;
use instep_aws::key_to_sdk;
use instep_console::sdk_error::explain;
use instep_model::{Identity, Item, Key, Model, TypeId};
use miette::miette;

/// The maximum keys of one BatchGetItem. Source: DynamoDB API reference, BatchGetItem.
const BATCH_GET_KEYS_MAX: usize = 100;

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
    keys: BTreeMap<Of, BTreeSet<Key>>,
    /// What is still to be read. It stays until it is: whoever asks can go away in between.
    unread: Touched,
}

impl KeyIndex {
    /// Reads what writes have left.
    pub(super) async fn update(&mut self, table: &TableReader, touched: Touched) -> miette::Result<()> {
        self.unread.keys.extend(touched.keys);
        self.unread.all |= touched.all;
        if self.unread.all {
            let keys = table.all_keys().await?;
            (self.keys, self.unread) = (BTreeMap::new(), Touched::default());
            for key in keys {
                self.keys.entry(Of::key(&table.model, &key)).or_default().insert(key);
            }
        }
        loop {
            let keys: Vec<Key> = self.unread.keys.iter().take(BATCH_GET_KEYS_MAX).cloned().collect();
            if keys.is_empty() {
                return Ok(());
            }
            let there = table.keys(&keys).await?;
            for key in keys {
                let of = self.keys.entry(Of::key(&table.model, &key)).or_default();
                self.unread.keys.remove(&key);
                if there.contains(&key) {
                    of.insert(key)
                } else {
                    of.remove(&key)
                };
            }
        }
    }

    /// The number of items.
    pub(super) fn count(&self, of: Of) -> usize {
        self.keys.get(&of).map_or(0, BTreeSet::len)
    }

    /// The keys that contain a text, from a place on, at most `most`, and how many contain it.
    pub(super) fn page(&self, of: Of, text: &str, from: usize, most: usize) -> (Vec<Key>, usize) {
        let Some(keys) = self.keys.get(&of) else { return (Vec::new(), 0) };
        let has = |key: &&Key| text.is_empty() || key.pk.contains(text) || key.sk.contains(text);
        let total = if text.is_empty() { keys.len() } else { keys.iter().filter(has).count() };
        let page = keys.iter().filter(has).skip(from).take(most).cloned().collect();
        (page, total)
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

    async fn keys(&self, keys: &[Key]) -> miette::Result<BTreeSet<Key>> {
        Ok(self.items(keys).await?.into_iter().map(|(key, _)| key).collect())
    }

    /// The keys of the whole table.
    async fn all_keys(&self) -> miette::Result<Vec<Key>> {
        let mut keys = Vec::new();
        let mut from = None;
        loop {
            let scan = self.client.scan().table_name(&self.table).consistent_read(true).set_exclusive_start_key(from);
            let scan = scan
                .projection_expression("#pk, #sk")
                .expression_attribute_names("#pk", &self.model.table.pk)
                .expression_attribute_names("#sk", &self.model.table.sk);
            let answer = scan.send().await.map_err(|error| miette!("cannot read the table: {}", explain(&error)))?;
            let rows = answer.items.unwrap_or_default().into_iter().map(item_from_sdk);
            keys.extend(rows.filter_map(|item| self.model.table.key_of(&item)));
            from = answer.last_evaluated_key;
            if from.is_none() {
                return Ok(keys);
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
        let index =
            KeyIndex { keys: BTreeMap::from([(Of::Unknown, (0..250).map(key).collect())]), ..KeyIndex::default() };
        let mut seen = Vec::new();
        while seen.len() < 250 {
            let (page, total) = index.page(Of::Unknown, "", seen.len(), 100);
            assert_eq!(total, 250);
            seen.extend(page);
        }
        assert_eq!(seen, (0..250).map(key).collect::<Vec<_>>());
        assert_eq!(index.page(Of::Unknown, "p24", 0, 100).1, 10);
        assert_eq!(index.page(Of::Own, "", 0, 100).1, 0);
    }
}
