//! What leaves Instep: the events that subscribers receive, and the messages of parked records, as
//! types that serialise to exactly what is sent.

mod parked;

pub use parked::{PARKED_VERSION, ParkedMessage, S3Object};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of this contract. A change that would break a subscriber increases it.
pub const CONTRACT_VERSION: &str = "1";

/// EventBridge `Detail` of every event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Detail {
    /// What happened, to what, and in which order.
    pub metadata: Metadata,
    /// The item's keys and the attributes that the model publishes.
    pub data: Data,
}

/// What happened, to what, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metadata {
    /// The id. It is the same for the same change, however often and from wherever it is published,
    /// so that subscribers can ignore duplicates.
    pub id: String,
    /// [`CONTRACT_VERSION`].
    pub version: String,
    /// The table model's name.
    pub model: String,
    /// The entity's name. For a grant, that of its subject.
    pub entity: String,
    /// The entity's id. For a grant, that of its subject.
    pub entity_id: String,
    /// `created`, `updated`, `deleted`, `granted`, `revoked` or `conflicted`.
    pub verb: String,
    /// The changed item: its type and the names in its key, as one string.
    pub item: String,
    /// The stream record's sequence number, zero-padded to 40 digits. Empty if the record has none.
    pub sequence: String,
    /// Orders the events of one record.
    pub index: u32,
    /// When the table was written (RFC 3339). `null` if the record does not say it.
    pub recorded_at: Option<String>,
    /// The cause: a write, or TTL.
    pub cause: Cause,
    /// The correlation id, if the model names its attribute and the item has one.
    pub correlation_id: Option<String>,
    /// Whether a replay published the event.
    pub replay: bool,
    /// Whether the record was parked: what it asks for was not done, or only in part.
    pub parked: bool,
}

/// Why an item changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A write.
    Write,
    /// TTL deleted the item.
    Ttl,
    /// A moment came: the window of a grant opened or closed.
    Due,
}

/// The item's keys and the attributes that the model publishes. Numbers that JSON readers would
/// round are strings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The names in the item's key.
    pub keys: Map<String, Value>,
    /// Published attributes before the change. Empty for a created item.
    pub old: Map<String, Value>,
    /// Published attributes after the change. Empty for a deleted item.
    pub new: Map<String, Value>,
    /// Names of the published attributes that differ, sorted.
    pub changed: Vec<String>,
    /// For a grant with roles: the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// For a grant: the scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// For a conflict: the guard's item type, and the owner that has the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Conflict>,
}

/// A claim that lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Conflict {
    /// The guard's item type.
    pub guard: String,
    /// The entity id of the owner that has the value.
    pub holder: String,
}
