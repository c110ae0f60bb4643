//! The messages in the queue of parked records: one record each, with everything that is needed to
//! run it again.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The version of this form. A change that would break a reader increases it.
pub const PARKED_VERSION: &str = "1";

/// A parked record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParkedMessage {
    /// [`PARKED_VERSION`]. Its key distinguishes such a message from all others.
    #[serde(rename = "instepParked")]
    pub version: String,
    /// The table model's name.
    pub model: String,
    /// The table that the record is from.
    pub table: String,
    /// A stable code for the reason.
    pub code: String,
    /// The reason and how to fix it. It contains no attribute values.
    pub reason: String,
    /// When it was parked (RFC 3339).
    pub parked_at: String,
    /// How often an event source mapping redrove it before it was parked this time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redrives: u32,
    /// The record's sequence number, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// Where the record came from, if not from the live stream.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The whole record, with its secrets masked. Absent if it is too large for a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Box<RawValue>>,
    /// Where a record is kept that is too large for a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s3: Option<S3Object>,
}

/// Where a parked record came from. A redrive handles it as it was handled before it was parked. The
/// default is a record of this table's stream.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// Where it was delivered from, if it is a captured record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Whether its events are published. A backfill publishes nothing.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub publish: bool,
    /// The table of the record, if its sender named another one than the deployment's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records_of: Option<String>,
}

impl Default for Provenance {
    fn default() -> Self {
        Self { origin: None, publish: true, records_of: None }
    }
}

impl Provenance {
    /// The provenance of something in a text or object that has a provenance itself.
    #[must_use]
    pub fn within(self, outer: &Self) -> Self {
        Self {
            origin: self.origin.max(outer.origin),
            publish: self.publish && outer.publish,
            records_of: self.records_of.or_else(|| outer.records_of.clone()),
        }
    }
}

/// Where a record was delivered from. A later one is handled with more caution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The live stream.
    Stream,
    /// The failures of this deployment: the stream delivered the record, and handling it failed.
    Failed,
    /// A capture of any age: its records start no cascade, and no last revocation in it deletes a
    /// subject.
    Captured,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_true(flag: &bool) -> bool {
    *flag
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// An object in S3.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct S3Object {
    /// The bucket's name.
    pub bucket: String,
    /// The object's key.
    pub key: String,
}
