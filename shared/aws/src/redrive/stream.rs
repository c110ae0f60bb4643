//! Records that only the stream has: a pointer to a part of a shard, read again while it lasts.

use aws_sdk_dynamodbstreams::types::ShardIteratorType;
use instep_captures::StreamBatch;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::call::{Failure, call};
use crate::instep::Instep;
use crate::record::{LambdaRecord, RecordError};

/// Pages without a record, one after the other, after which a part of a shard is left to another try: DynamoDB answers with such
/// pages where it finds nothing within a call, also before records that are still to come.
const EMPTY_PAGES_MAX: usize = 200;

/// What came of reading a part of a stream.
pub(super) enum Read {
    /// All of it.
    Records(Vec<Box<RawValue>>),
    /// Its end: what was before left the stream.
    Rest(Vec<Box<RawValue>>),
    /// It left the stream, after 24 hours. Source: Amazon DynamoDB Developer Guide, "Change data capture for DynamoDB Streams".
    Gone,
    /// There is no such stream or shard, or no longer.
    Unknown,
}

impl Instep {
    /// Reads a part of a shard as far as it is still there. Nothing less than its last record ends it.
    pub(super) async fn read_again(
        &self,
        batch: &StreamBatch,
        wanted: impl Fn(&RawValue) -> bool,
        deadline: Option<Instant>,
    ) -> Result<Read, Failure> {
        let (iterator, is_whole) = match self.iterator(batch, ShardIteratorType::AtSequenceNumber, deadline).await {
            Ok(iterator) => (iterator, true),
            Err(failure) if failure.is(TRIMMED) => {
                (self.iterator(batch, ShardIteratorType::TrimHorizon, deadline).await?, false)
            }
            Err(failure) if failure.is("ResourceNotFoundException") => return Ok(Read::Unknown),
            Err(failure) => return Err(failure),
        };
        match self.read_from(iterator, batch, wanted, deadline).await {
            Ok(records) if is_whole => Ok(Read::Records(records)),
            Ok(records) if records.is_empty() => Ok(Read::Gone),
            Ok(records) => Ok(Read::Rest(records)),
            // It left the stream while it was read: what was read is read again, or is gone by then.
            Err(failure) if failure.is(TRIMMED) => Err(Failure::Transient("the stream moved on".to_owned())),
            Err(failure) => Err(failure),
        }
    }

    async fn iterator(
        &self,
        batch: &StreamBatch,
        kind: ShardIteratorType,
        deadline: Option<Instant>,
    ) -> Result<Option<String>, Failure> {
        let first = (kind == ShardIteratorType::AtSequenceNumber).then(|| batch.first.clone());
        let iterator = || {
            let request = self.clients.streams.get_shard_iterator().stream_arn(&batch.stream_arn);
            let request = request.shard_id(&batch.shard_id).shard_iterator_type(kind.clone());
            request.set_sequence_number(first.clone()).send()
        };
        Ok(call(deadline, iterator).await?.shard_iterator)
    }

    async fn read_from(
        &self,
        mut iterator: Option<String>,
        batch: &StreamBatch,
        wanted: impl Fn(&RawValue) -> bool,
        deadline: Option<Instant>,
    ) -> Result<Vec<Box<RawValue>>, Failure> {
        let region = batch.stream_arn.split(':').nth(3).unwrap_or_default();
        let mut records = Vec::new();
        let mut empty_pages = 0;
        // INVARIANT 8: each page brings records, and the last of them ends it, or counts as empty.
        while let Some(at) = iterator {
            let page = || self.clients.streams.get_records().shard_iterator(&at).send();
            let answer = call(deadline, page).await?;
            let page = answer.records.unwrap_or_default();
            empty_pages = if page.is_empty() { empty_pages + 1 } else { 0 };
            for record in &page {
                let sequence = record.dynamodb().and_then(|body| body.sequence_number()).unwrap_or_default();
                if is_after(sequence, &batch.last) {
                    return Ok(records);
                }
                let unreadable = |error: RecordError| Failure::Transient(error.to_string());
                let record = LambdaRecord::new(record, &batch.stream_arn, region).map_err(unreadable)?;
                if !record.changes_nothing() {
                    records.extend(Some(record.raw().map_err(unreadable)?).filter(|record| wanted(record)));
                }
                if sequence == batch.last {
                    return Ok(records);
                }
            }
            if empty_pages == EMPTY_PAGES_MAX {
                return Err(Failure::Transient("the stream gives nothing now".to_owned()));
            }
            iterator = answer.next_shard_iterator;
        }
        // A shard that has ended has given all that it had.
        Ok(records)
    }
}

/// What is asked for left the stream.
const TRIMMED: &str = "TrimmedDataAccessException";

/// Whether a sequence number comes after another: both are whole numbers of up to 40 digits.
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
