//! What a record means under the model, and why a record is rejected.

use std::sync::Arc;

use instep_contract::Cause;
use instep_model::{Item, Key, Object};
use jiff::Timestamp;

use crate::stream_record::RecordPlace;

/// What a record means.
#[derive(Debug)]
pub enum Decoded {
    /// An item that the model describes was written.
    Change(Arc<Change>),
    /// One of Instep's own bookkeeping items was written.
    Bookkeeping(Box<BookkeepingChange>),
    /// The record has no effect and no event. The text says why.
    Nothing(&'static str),
}

/// A write to an item that the model describes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The item's type and the names in its key.
    pub object: Object,
    /// The item's key, as written.
    pub key: Key,
    /// The item before. `None` if the write created it.
    pub old: Option<Item>,
    /// The item after. `None` if the write deleted it.
    pub new: Option<Item>,
    /// The label of the record's stream, in which `sequence` is a number. Empty if the record does not say it.
    pub epoch: String,
    /// The record's sequence number.
    pub sequence: String,
    /// When the table was written, according to the record.
    pub recorded_at: Option<Timestamp>,
    /// Whether a writer or TTL caused the write.
    pub cause: Cause,
    /// Remarks for the report: a type attribute that disagrees with the key.
    pub notes: Vec<String>,
}

impl Change {
    /// The record's place among those of its item.
    #[must_use]
    pub fn place(&self) -> RecordPlace {
        RecordPlace { epoch: self.epoch.clone(), sequence: self.sequence.clone() }
    }
}

/// A write to a bookkeeping item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookkeepingChange {
    /// The item's key.
    pub key: Key,
    /// The item after. `None` if the write deleted it.
    pub new: Option<Item>,
}

/// Why a record cannot be handled. Running it again would not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Reject {
    /// A stable code.
    pub code: &'static str,
    /// What is wrong and how to fix it. It contains no attribute values.
    pub reason: String,
    /// The change, if the record was understood and only what it asks for is impossible.
    pub change: Option<Arc<Change>>,
    /// The item's key, if the present item under it can show whether the record still matters.
    pub key: Option<Key>,
}

/// The code for a key that maps to the same Cognito name as another item's key.
pub const NOT_CANONICAL: &str = "key-not-canonical";

impl Reject {
    /// A rejection of a record that was not understood.
    pub(crate) fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), change: None, key: None }
    }
}
