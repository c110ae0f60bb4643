//! Positions in a model, and identities of items.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An item type's position in [`Model::items`](super::Model::items).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

/// A link's position in [`Model::links`](super::Model::links).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// Names and their values, as a key's templates bind them (`email` → `a@b.example`).
pub type Names = BTreeMap<String, String>;

/// DynamoDB's limits on key values, in bytes of UTF-8.
pub(crate) const PARTITION_KEY_MAX_BYTES: usize = 2048;
pub(crate) const SORT_KEY_MAX_BYTES: usize = 1024;

/// A primary key: partition key, then sort key. The tables of Instep have string keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The partition key's value.
    pub pk: String,
    /// The sort key's value.
    pub sk: String,
}

/// An item's identity: its type and the names in its key. All spellings of one key are one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The item type.
    pub of: TypeId,
    /// The names in the key.
    pub names: Names,
}
