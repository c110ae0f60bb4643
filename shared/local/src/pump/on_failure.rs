//! The on-failure object of a batch that was given up, as Lambda writes it to S3.
//!
//! Source of its form: AWS Lambda Developer Guide, "Retain discarded records for a DynamoDB event
//! source", S3 example. The example leaves some details open. Here: the name of the condition for
//! records that are too old; no `functionError` if the function answered and reported records; no
//! `responseContext` if it was never invoked.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use super::batch::DeliveryBatch;
use super::source::StreamSource;
use crate::dir::write_whole;
use crate::error::LocalError;
use crate::ident::{self, ACCOUNT, REGION};
use crate::private;

/// The name of the function that reads the stream.
const FUNCTION: &str = "instep-stream";

/// Why a batch was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureCondition {
    RetryAttemptsExhausted,
    RecordAgeExceeded,
}

impl FailureCondition {
    /// The condition's name in the object.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::RetryAttemptsExhausted => "RetryAttemptsExhausted",
            Self::RecordAgeExceeded => "RecordAgeExceeded",
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    request_context: RequestContext<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_context: Option<ResponseContext>,
    version: &'static str,
    timestamp: String,
    #[serde(rename = "DDBStreamBatchInfo")]
    batch_info: BatchInfo<'a>,
    /// The event: JSON as text.
    payload: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestContext<'a> {
    request_id: &'a str,
    function_arn: String,
    condition: &'static str,
    approximate_invoke_count: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponseContext {
    status_code: u16,
    executed_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_error: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchInfo<'a> {
    shard_id: &'a str,
    start_sequence_number: &'a str,
    end_sequence_number: &'a str,
    approximate_arrival_of_first_record: String,
    approximate_arrival_of_last_record: String,
    batch_size: usize,
    stream_arn: &'a str,
}

/// The event as the function received it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    records: Vec<&'a RawValue>,
}

/// An on-failure object, and its file.
pub(super) struct OnFailureObject {
    pub(super) object: String,
    pub(super) path: Option<PathBuf>,
}

/// Creates the object, and stores it in the directory if there is one.
pub(super) fn keep(
    source: &StreamSource,
    shard_id: &str,
    batch: &DeliveryBatch,
    condition: FailureCondition,
) -> Result<OnFailureObject, LocalError> {
    let (Some(first), Some(last)) = (batch.records.first(), batch.records.last()) else {
        return Ok(OnFailureObject { object: String::new(), path: None });
    };
    let now = source.clock.now();
    let id = ident::uuid(&[condition.word(), &source.stream_arn, &first.sequence, &last.sequence]);
    let written = LocalError::engine::<serde_json::Error>("write an on-failure object");
    let event = Event { records: batch.records.iter().map(|record| record.json.as_ref()).collect() };
    let object = serde_json::to_string(&event).and_then(|payload| {
        serde_json::to_string(&Object {
            request_context: RequestContext {
                request_id: &id,
                function_arn: format!("arn:aws:lambda:{REGION}:{ACCOUNT}:function:{FUNCTION}"),
                condition: condition.word(),
                approximate_invoke_count: batch.invocations,
            },
            response_context: (batch.invocations > 0).then_some(ResponseContext {
                status_code: 200,
                executed_version: "$LATEST",
                function_error: batch.has_error.then_some("Unhandled"),
            }),
            version: "1.0",
            timestamp: now.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            batch_info: BatchInfo {
                shard_id,
                start_sequence_number: &first.sequence,
                end_sequence_number: &last.sequence,
                approximate_arrival_of_first_record: arrival(first.written_ms),
                approximate_arrival_of_last_record: arrival(last.written_ms),
                batch_size: batch.records.len(),
                stream_arn: &source.stream_arn,
            },
            payload,
        })
    });
    let object = object.map_err(written)?;
    let path = source.dir.as_ref().map(|dir| dir.on_failure());
    let path = path.map(|folder| write(folder, &format!("{}-{id}.json", now.strftime("%Y-%m-%dT%H.%M.%S")), &object));
    Ok(OnFailureObject { object, path: path.transpose()? })
}

fn write(folder: PathBuf, name: &str, object: &str) -> Result<PathBuf, LocalError> {
    private::create_folder(&folder).map_err(LocalError::io("make", &folder))?;
    let path = folder.join(name);
    write_whole(&path, object.as_bytes())?;
    Ok(path)
}

/// A record's time in seconds, as the object shows it.
fn arrival(written_ms: Option<i64>) -> String {
    let time = written_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok()).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
