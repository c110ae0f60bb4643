//! What leaves Instep: the events that subscribers receive, and the messages in which parked records wait, as types that
//! serialise to exactly what is sent.

mod parked;

pub use parked::{PARKED_VERSION, ParkedMessage, S3Object};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of this contract; a change that would break a subscriber raises it.
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
    /// The same for the same change, however often and from wherever it is published: drop what you have seen.
    pub id: String,
    /// [`CONTRACT_VERSION`].
    pub version: String,
    /// The table model's name.
    pub model: String,
    /// The entity's name; for grants the subject's.
    pub entity: String,
    /// The entity's id; for grants the subject's.
    pub entity_id: String,
    /// `created`, `updated`, `deleted`, `granted`, `revoked` or `conflicted`.
    pub verb: String,
    /// The changed item: its type and its key's names, one text an item.
    pub item: String,
    /// The stream record's sequence number, zero-padded to 40 digits; empty where the record had none.
    pub sequence: String,
    /// Orders the events of one record.
    pub index: u32,
    /// When the table was written (RFC 3339), as the record says; null where it does not.
    pub recorded_at: Option<String>,
    /// Why: somebody's write, or DynamoDB's time to live.
    pub cause: Cause,
    /// The correlation id that the model names, where the item has it.
    pub correlation_id: Option<String>,
    /// Published by a replay.
    pub replay: bool,
    /// The record was parked: what it asks for is not in place, or not all of it.
    pub parked: bool,
}

/// Why an item changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// Somebody's write.
    Write,
    /// DynamoDB removed an item whose time to live was over.
    Ttl,
}

/// The item's keys and the attributes that the model publishes. Numbers that JSON readers would round are strings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The names in the item's key.
    pub keys: Map<String, Value>,
    /// Published attributes before; empty for a created item.
    pub old: Map<String, Value>,
    /// Published attributes after; empty for a deleted item.
    pub new: Map<String, Value>,
    /// Names of the published attributes that differ, sorted.
    pub changed: Vec<String>,
    /// Of a grant: the role, where it has roles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Of a grant: what it is valid in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Of a conflict: the guard's item type, and who holds the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Conflict>,
}

/// A claim that lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Conflict {
    /// The guard's item type.
    pub guard: String,
    /// The holder's entity id.
    pub holder: String,
}
