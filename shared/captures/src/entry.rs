//! The entries of a capture.

use instep_contract::{Provenance, S3Object};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::damage::Position;

/// The code of text that is no record.
pub(super) const GARBLED: &str = "garbled";

/// What was found in a text.
#[derive(Debug)]
pub enum CapturedEntry {
    /// A record, with its text unchanged, and where it came from if a message of a parked record
    /// says so.
    Record(Box<RawValue>, Provenance),
    /// A work message, with its text unchanged.
    Work(Box<RawValue>),
    /// Text that is no record.
    Garbled(Garbled),
    /// A pointer to records that only the stream has.
    Batch(StreamBatch),
    /// A pointer to an object in S3 with a record, or with any other form. The provenance is that of
    /// all records there.
    Object(S3Object, Provenance),
}

impl CapturedEntry {
    /// The record itself, for callers that do not follow pointers.
    ///
    /// # Errors
    /// The entry is no record. The error says what it is.
    pub fn record(&self) -> Result<&RawValue, Garbled> {
        let elsewhere = |what: String| Garbled {
            code: "elsewhere",
            reason: format!("{what}: `instep redrive` fetches it from there"),
            text: quoted(&what),
        };
        match self {
            Self::Record(record, _) => Ok(record),
            Self::Work(work) => Err(elsewhere_work(work)),
            Self::Garbled(garbled) => Err(garbled.clone()),
            Self::Batch(StreamBatch { shard_id, first, last, .. }) => {
                Err(elsewhere(format!("records {first} to {last} of shard {shard_id} are in the stream only")))
            }
            Self::Object(S3Object { bucket, key }, _) => {
                Err(elsewhere(format!("the content is in s3://{bucket}/{key}")))
            }
        }
    }

    /// Whether the events of the record are published. Those of a backfill are not, and a message of a record
    /// that was parked in one says so.
    #[must_use]
    pub const fn publishes(&self) -> bool {
        !matches!(self, Self::Record(_, Provenance { publish: false, .. }))
    }

    /// The entry, in a message that says where it came from.
    pub(super) fn within(self, outer: &Provenance) -> Self {
        match self {
            Self::Record(record, own) => Self::Record(record, own.within(outer)),
            Self::Object(object, own) => Self::Object(object, own.within(outer)),
            // A work message says by itself where its records came from.
            other @ (Self::Work(_) | Self::Garbled(_) | Self::Batch(_)) => other,
        }
    }
}

fn elsewhere_work(work: &RawValue) -> Garbled {
    let reason = "a message of the work queue: `instep redrive` sends it there again".to_owned();
    Garbled { code: "work-message", reason, text: quoted(work.get()) }
}

/// What could not be read as a record.
#[derive(Debug, Clone)]
pub struct Garbled {
    /// A stable code.
    pub code: &'static str,
    /// What is wrong, with file, line and column.
    pub reason: String,
    /// The text itself, as a JSON string.
    pub text: Box<RawValue>,
}

/// A batch that Lambda gave up on, as SQS and SNS destinations receive it: a part of a shard, without
/// the records. Source: AWS Lambda Developer Guide, "Retain discarded records for a DynamoDB event
/// source".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamBatch {
    /// The stream.
    pub stream_arn: String,
    /// The shard.
    pub shard_id: String,
    /// The first record's sequence number.
    #[serde(rename = "startSequenceNumber")]
    pub first: String,
    /// The last record's sequence number.
    #[serde(rename = "endSequenceNumber")]
    pub last: String,
}

/// The entry of a text at `at` in `file` that is no record.
pub(super) fn garbled(file: &str, at: Position, why: &str, text: &str) -> CapturedEntry {
    let reason = format!("`{file}`, {at}: {why}");
    CapturedEntry::Garbled(Garbled { code: GARBLED, reason, text: quoted(text.trim_end()) })
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> Box<RawValue> {
    serde_json::value::to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
