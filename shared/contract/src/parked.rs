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
    /// The whole record, with its secrets masked. Absent if it is too large for a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Box<RawValue>>,
    /// Where a record is kept that is too large for a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s3: Option<S3Object>,
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
