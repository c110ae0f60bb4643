//! The truth: what the table held when it was looked at, and what must still be looked at.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Model, Object};

/// Rows of one partition of the table or of an index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Query {
    /// The index's name; none for the table itself, which is then read strongly consistent.
    pub index: Option<String>,
    /// Partition attribute.
    pub pk_attribute: String,
    /// Partition value.
    pub pk: String,
    /// Sort attribute.
    pub sk_attribute: String,
    /// What the sort value begins with; may be empty.
    pub sk_prefix: String,
}

/// What is to be looked at.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Asks {
    /// Items, by key.
    pub keys: BTreeSet<Key>,
    /// Partitions.
    pub queries: BTreeSet<Query>,
}

impl Asks {
    /// Whether there is nothing to look at.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.queries.is_empty()
    }
}

/// What was looked at and what was found.
#[derive(Debug, Default, Clone)]
pub struct Truth {
    items: BTreeMap<Key, Option<Item>>,
    rows: BTreeMap<Query, Vec<Item>>,
}

impl Truth {
    /// Notes what was found under a key.
    pub fn insert(&mut self, key: Key, item: Option<Item>) {
        self.items.insert(key, item);
    }

    /// Notes the rows of a partition.
    pub fn insert_rows(&mut self, query: Query, rows: Vec<Item>) {
        self.rows.insert(query, rows);
    }

    /// All that was looked at.
    #[must_use]
    pub fn looked_at(&self) -> Asks {
        Asks { keys: self.items.keys().cloned().collect(), queries: self.rows.keys().cloned().collect() }
    }
}

/// What a look at an object found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<'a> {
    /// It was not looked at yet; it is asked for.
    Unseen,
    /// It is not there.
    Absent,
    /// It is there, under this key.
    Present(Key, &'a Item),
}

/// The truth and the questions that it leaves open.
#[derive(Debug)]
pub struct View<'a> {
    /// The model.
    pub model: &'a Model,
    truth: &'a Truth,
    /// What could not be answered.
    pub asks: Asks,
}

impl<'a> View<'a> {
    /// A view on what was looked at so far.
    #[must_use]
    pub fn new(model: &'a Model, truth: &'a Truth) -> Self {
        Self { model, truth, asks: Asks::default() }
    }

    /// What is under a key; none asks for it.
    pub fn item(&mut self, key: &Key) -> Option<Option<&'a Item>> {
        if let Some(found) = self.truth.items.get(key) {
            return Some(found.as_ref());
        }
        self.asks.keys.insert(key.clone());
        None
    }

    /// The rows of a partition; none asks for them.
    pub fn rows(&mut self, query: &Query) -> Option<&'a [Item]> {
        if let Some(rows) = self.truth.rows.get(query) {
            return Some(rows);
        }
        self.asks.queries.insert(query.clone());
        None
    }

    /// What is there of an object, under any spelling of its key. An object whose key cannot be written is not there.
    pub fn object(&mut self, object: &Object) -> Found<'a> {
        let Ok(keys) = self.model.keys(object) else { return Found::Absent };
        let mut found = Found::Absent;
        for key in keys {
            match (self.item(&key), &found) {
                (None, _) => found = Found::Unseen,
                (Some(Some(item)), Found::Absent) => found = Found::Present(key, item),
                (Some(_), _) => {}
            }
        }
        found
    }
}
