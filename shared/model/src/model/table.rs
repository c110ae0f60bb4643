//! The table's own attributes, its indexes, and the rules for names.

use super::ids::Key;
use crate::template::Template;
use crate::value::{Item, Value};

/// The table's own attributes.
#[derive(Debug, Clone)]
pub struct TableSchema {
    /// Partition key attribute.
    pub pk: String,
    /// Sort key attribute.
    pub sk: String,
    /// Attribute that names an item's type. It never decides; a disagreement is reported.
    pub type_attribute: Option<String>,
    /// TTL attribute (epoch seconds). Bookkeeping items use it too.
    pub ttl: String,
    /// What happens to an item that no template matches.
    pub unknown: Unknown,
}

impl TableSchema {
    /// The primary key among an item's attributes. `None` if a part is missing or is not a string.
    #[must_use]
    pub fn key_of(&self, item: &Item) -> Option<Key> {
        let part = |name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
        Some(Key { pk: part(&self.pk)?, sk: part(&self.sk)? })
    }
}

/// What happens to a record of an item that no item type describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is parked, so that a gap in the model is noticed.
    Park,
    /// It is counted and skipped.
    Skip,
}

/// A secondary index.
#[derive(Debug, Clone)]
pub struct Index {
    /// The index's name.
    pub name: String,
    /// Spellings of the partition key attribute; the first is the index's own.
    pub pk: Vec<String>,
    /// Spellings of the sort key attribute.
    pub sk: Option<Vec<String>>,
}

impl Index {
    /// Whether a key has spellings: then items that have another one are not in the index itself.
    #[must_use]
    pub fn has_spellings(&self) -> bool {
        self.pk.len() > 1 || self.sk.as_ref().is_some_and(|sk| sk.len() > 1)
    }
}

/// The rules for a name: its values, and the attributes that contain it.
#[derive(Debug, Clone, Default)]
pub struct NameRule {
    /// The closed set of values, if there is one.
    pub values: Vec<String>,
    /// Attributes that contain it, first spelling first; by default the name itself.
    pub attributes: Vec<String>,
    /// The shape of its value, which binds further names.
    pub like: Option<Template>,
    /// A date or an instant.
    pub is: Option<TimeFormat>,
}

/// How a time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeFormat {
    /// A day in UTC, which is past when it has ended.
    Date,
    /// An instant (RFC 3339, or epoch seconds).
    Time,
}
