//! Records that only the stream has: resolves a pointer to a range of a shard, while the records
//! exist.

use aws_sdk_dynamodbstreams::types::ShardIteratorType;
use instep_captures::StreamBatch;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::call::{CallFailure, call_streams};
use crate::instep::Instep;
use crate::record::{LambdaRecord, RecordError};

/// The number of consecutive pages without a record after which a range of a shard is left to a
/// retry. DynamoDB returns such pages if it finds nothing within a call, even if further records
/// follow.
const EMPTY_PAGES_MAX: usize = 200;

/// The outcome of reading a range of a stream.
pub(super) enum StreamRange {
    /// All of it.
    Records(Vec<Box<RawValue>>),
    /// Its end: the earlier records have expired.
    Rest(Vec<Box<RawValue>>),
    /// It has expired, after 24 hours. Source: Amazon DynamoDB Developer Guide, "Change data
    /// capture for DynamoDB Streams".
    Gone,
    /// The stream or shard does not exist, or no longer exists.
    Unknown,
}

impl Instep {
    /// Reads the part of a range of a shard that still exists. Reading ends after the last record
    /// of the range, or at the end of a closed shard, but not at an empty page.
    pub(super) async fn read_again(
        &self,
        batch: &StreamBatch,
        wanted: impl Fn(&RawValue) -> bool,
        deadline: Option<Instant>,
    ) -> Result<StreamRange, CallFailure> {
        let (iterator, is_whole) = match self.iterator(batch, ShardIteratorType::AtSequenceNumber, deadline).await {
            Ok(iterator) => (iterator, true),
            Err(failure) if failure.is(TRIMMED) => {
                (self.iterator(batch, ShardIteratorType::TrimHorizon, deadline).await?, false)
            }
            Err(failure) if failure.is("ResourceNotFoundException") => return Ok(StreamRange::Unknown),
            Err(failure) => return Err(failure),
        };
        match self.read_from(iterator, batch, wanted, deadline).await {
            Ok(records) if is_whole => Ok(StreamRange::Records(records)),
            Ok(records) if records.is_empty() => Ok(StreamRange::Gone),
            Ok(records) => Ok(StreamRange::Rest(records)),
            // The range expired while it was read. A retry reads what is left of it.
            Err(failure) if failure.is(TRIMMED) => {
                Err(CallFailure::Transient("the records expired while they were read".to_owned()))
            }
            Err(failure) => Err(failure),
        }
    }

    async fn iterator(
        &self,
        batch: &StreamBatch,
        kind: ShardIteratorType,
        deadline: Option<Instant>,
    ) -> Result<Option<String>, CallFailure> {
        let first = (kind == ShardIteratorType::AtSequenceNumber).then(|| batch.first.clone());
        let iterator = || {
            let request = self.clients.streams().get_shard_iterator().stream_arn(&batch.stream_arn);
            let request = request.shard_id(&batch.shard_id).shard_iterator_type(kind.clone());
            request.set_sequence_number(first.clone()).send()
        };
        Ok(call_streams(deadline, iterator).await?.shard_iterator)
    }

    async fn read_from(
        &self,
        mut iterator: Option<String>,
        batch: &StreamBatch,
        wanted: impl Fn(&RawValue) -> bool,
        deadline: Option<Instant>,
    ) -> Result<Vec<Box<RawValue>>, CallFailure> {
        let region = batch.stream_arn.split(':').nth(3).unwrap_or_default();
        let mut records = Vec::new();
        let mut empty_pages = 0;
        // INVARIANT 8: each page has records, of which the last ends the loop, or counts as empty.
        while let Some(at) = iterator {
            let page = || self.clients.streams().get_records().shard_iterator(&at).send();
            let answer = call_streams(deadline, page).await?;
            let page = answer.records.unwrap_or_default();
            empty_pages = if page.is_empty() { empty_pages + 1 } else { 0 };
            for record in &page {
                let sequence = record.dynamodb().and_then(|body| body.sequence_number()).unwrap_or_default();
                if is_after(sequence, &batch.last) {
                    return Ok(records);
                }
                let unreadable = |error: RecordError| CallFailure::Transient(error.to_string());
                let record = LambdaRecord::new(record, &batch.stream_arn, region).map_err(unreadable)?;
                if !record.changes_nothing() {
                    records.extend(Some(record.raw().map_err(unreadable)?).filter(|record| wanted(record)));
                }
                if sequence == batch.last {
                    return Ok(records);
                }
            }
            if empty_pages == EMPTY_PAGES_MAX {
                return Err(CallFailure::Transient("the stream returns no records now".to_owned()));
            }
            iterator = answer.next_shard_iterator;
        }
        // A closed shard has returned all its records.
        Ok(records)
    }
}

/// The requested records have expired.
const TRIMMED: &str = "TrimmedDataAccessException";

/// Whether a sequence number is after another. Both are whole numbers of up to 40 digits.
fn is_after(number: &str, other: &str) -> bool {
    let (number, other) = (number.trim_start_matches('0'), other.trim_start_matches('0'));
    (number.len(), number) > (other.len(), other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_numbers_are_compared_as_numbers() {
        assert!(is_after("100", "99") && is_after("0000100", "99") && !is_after("99", "100") && !is_after("7", "007"));
    }
}
