//! Events. The comments of the fields are their descriptions in the published documents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of this contract. A change that would break a subscriber increases it.
pub const CONTRACT_VERSION: &str = "1";

/// The entity of the beginning and the end of a snapshot.
pub const SNAPSHOT_ENTITY: &str = "Snapshot";

/// An event as EventBridge delivers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct Event {
    /// The version of EventBridge's envelope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// EventBridge's id of this delivery. It differs each time the event is published: use the id in
    /// the metadata to recognise duplicates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The entity and the verb.
    pub detail_type: String,
    /// The source of all events of the model.
    pub source: String,
    /// The AWS account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// When the table was written, or when the event was published if the record does not say that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The AWS region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Empty: Instep names no resources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<String>>,
    /// What Instep publishes.
    pub detail: Detail,
}

/// What Instep publishes: EventBridge's `Detail`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// What happened, to what, and in which order.
    pub metadata: Metadata,
    /// The names in the item's key, and the attributes that the model publishes.
    pub data: Data,
}

/// What happened, to what, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The id of the change: the same however often, from wherever and in whatever batch it is
    /// published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{32}$")))]
    pub id: String,
    /// The version of this contract.
    pub version: String,
    /// The table model's name.
    pub model: String,
    /// The entity that the event is about. For a grant, the subject's.
    pub entity: String,
    /// The entity's id. For a grant, the subject's.
    pub entity_id: String,
    /// What happened.
    pub verb: EventVerb,
    /// The changed item: its type and id. No other item has this text: it is the key of a row. If a
    /// write of a guard led to the event, only the guard's type.
    pub item: String,
    /// What the changed item is. An item that is several of these is the first of `guard`, `edge`,
    /// `entity` and `grant`.
    pub kind: ItemKind,
    /// The stream that `sequence` is a number of: the label in its ARN, which is the time at which the
    /// stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    pub epoch: String,
    /// Orders the events of one item, after `epoch`: the stream record's sequence number, padded with
    /// zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a
    /// backfill.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9]{40}$")))]
    pub sequence: String,
    /// Orders the events of one record, after `sequence`.
    pub index: u32,
    /// When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the
    /// window opened or closed. `null` if nothing says it, as in a snapshot.
    pub recorded_at: Option<String>,
    /// Why the item changed.
    pub cause: Cause,
    /// The value of the attribute that the model names as `correlation`, or `null`.
    pub correlation_id: Option<String>,
    /// The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that
    /// of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the
    /// event is published again.
    #[serde(default)]
    pub tenant: Option<String>,
    /// Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the
    /// change was published before.
    pub replay: bool,
    /// Whether the record was parked: its effects are not in place, or only some. When it is redriven,
    /// the event is published again, under the same id and with `parked: false`.
    pub parked: bool,
    /// The snapshot that the event belongs to. Absent if it reports a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<SnapshotMark>,
}

impl Metadata {
    /// The event's place among the events of its item.
    #[must_use]
    pub fn place(&self) -> EventPosition {
        EventPosition { epoch: self.epoch.clone(), sequence: self.sequence.clone(), index: self.index }
    }
}

/// Which snapshot an event belongs to, and what that says of the past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SnapshotMark {
    /// The snapshot's id, the same in all its events.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{32}$")))]
    pub id: String,
    /// The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it
    /// does not have, and what no event with this or a later `recordedAt` reports, is gone.
    pub watermark: String,
    /// When reading the table began (RFC 3339).
    pub started_at: String,
    /// Only of the end: the number of events between the beginning and the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Only of the end: whether all items are in it. If not, what is missing may exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
}

/// The place of an event among the events of one item. Places of different items have no common
/// order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventPosition {
    /// `metadata.epoch`.
    pub epoch: String,
    /// `metadata.sequence`.
    pub sequence: String,
    /// `metadata.index`.
    pub index: u32,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Verb"))]
#[serde(rename_all = "lowercase")]
pub enum EventVerb {
    /// An item was created.
    Created,
    /// An item was changed in what its events show. Of a grant: in anything of that but its roles.
    Updated,
    /// An item was deleted.
    Deleted,
    /// A subject got a role.
    Granted,
    /// A subject lost a role.
    Revoked,
    /// A claim of a unique value is pending, because another owner has the value.
    Conflicted,
    /// A pending claim of a unique value got it.
    Resolved,
    /// A snapshot began.
    Started,
    /// A snapshot ended.
    Ended,
    /// A verb of a later version.
    #[serde(other, skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

/// What a changed item is: which of its events a row follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// It reserves a unique value. `item` is only its type: keep no row of it.
    Guard,
    /// It relates two items, and begins and ends as an entity does.
    Edge,
    /// It begins with `created` and ends with `deleted`.
    Entity,
    /// It gives roles: each begins with `granted` and ends with `revoked`. Its `updated` begins nothing.
    Grant,
    /// None of these: only its conflicts and their ends are published.
    Plain,
    /// A kind of a later version.
    #[serde(other, skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

/// Why an item changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A write.
    Write,
    /// DynamoDB's time to live deleted the item.
    Ttl,
    /// The window of a grant opened or closed.
    Due,
    /// A cause of a later version.
    #[serde(other, skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

/// The names in the item's key, and the attributes that the model publishes. No type is declared for an attribute: it is
/// what its JSON says, unless `types` says another.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Data {
    /// The names in the item's key.
    pub keys: Map<String, Value>,
    /// Published attributes before the change. Empty if there was no item.
    pub old: Map<String, Value>,
    /// Published attributes after the change. Empty if there is no item.
    pub new: Map<String, Value>,
    /// The names of the published attributes that differ, sorted.
    pub changed: Vec<String>,
    /// What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's
    /// type. Absent if everything is what its JSON says.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, ValueType>,
    /// The role. Absent if the grant has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant
    /// applies everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The entity of the scope, which its id alone does not say. Absent if the scope is no item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_entity: Option<String>,
    /// Of a conflict or its end: whose unique value it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Conflict>,
    /// Present if the event would be too large for the bus: what is left out, and where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted: Option<Omitted>,
}

/// A type of DynamoDB that JSON does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ValueType {
    /// A number as a string, because JSON readers would round it: other than a whole number from -2^53 to 2^53.
    N,
    /// Bytes, as a base64 string.
    B,
    /// A set of strings, as a sorted list.
    #[serde(rename = "SS")]
    StringSet,
    /// A set of numbers, as a list. Each is a number, or a string if JSON readers would round it.
    #[serde(rename = "NS")]
    NumberSet,
    /// A set of bytes, as a list of base64 strings.
    #[serde(rename = "BS")]
    ByteSet,
    /// A type of a later version.
    #[serde(other, skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other,
}

/// A claim that is pending, or was until now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// The guard's item type.
    pub guard: String,
    /// The id of the owner that has the value. At the end of a conflict, that is the owner that the event is about.
    pub holder: String,
}

/// What is left out of an event that would be too large for the bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// The parts that are empty for that reason. `changed` is still complete.
    pub parts: Vec<OmittedPart>,
    /// The item's primary key in the table, with which its present attributes can be read.
    pub key: Map<String, Value>,
}

/// A part of the data that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OmittedPart {
    /// `old`.
    Old,
    /// `new`.
    New,
}
