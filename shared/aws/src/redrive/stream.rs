//! Records that only the stream has: a pointer to a part of a shard, read again while it lasts.

use aws_sdk_dynamodbstreams::types::ShardIteratorType;
use instep_flow::forms::StreamBatch;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::call::{Failure, call};
use crate::handler::Instep;
use crate::record::{LambdaRecord, RecordError};

/// Empty pages after which a part of a shard is taken to be read: DynamoDB answers with them where it finds nothing within a
/// call, also before records that are still to come.
const EMPTY_PAGES_MAX: usize = 10;

/// Records that Lambda hands over at once, which a pointer cannot exceed. Source: AWS Lambda API Reference,
/// CreateEventSourceMapping, `BatchSize`.
const RECORDS_MAX: usize = 10_000;

/// What came of reading a part of a stream.
pub(super) enum Read {
    Records(Vec<Box<RawValue>>),
    /// They left the stream, after 24 hours. Source: Amazon DynamoDB Developer Guide, "Change data capture for DynamoDB Streams".
    Gone,
}

impl Instep {
    pub(super) async fn read_again(&self, batch: &StreamBatch, deadline: Option<Instant>) -> Result<Read, Failure> {
        let iterator = || {
            let request = self.clients.streams.get_shard_iterator().stream_arn(&batch.stream_arn);
            request
                .shard_id(&batch.shard_id)
                .shard_iterator_type(ShardIteratorType::AtSequenceNumber)
                .sequence_number(&batch.first)
                .send()
        };
        let mut iterator = match call(deadline, iterator).await {
            Ok(answer) => answer.shard_iterator,
            Err(failure) if is_gone(&failure) => return Ok(Read::Gone),
            Err(failure) => return Err(failure),
        };
        let region = batch.stream_arn.split(':').nth(3).unwrap_or_default();
        let mut records = Vec::new();
        let mut empty_pages = 0;
        // INVARIANT 8: each page brings records, of which there are so many at most, or counts as empty.
        while let Some(at) = iterator {
            let page = || self.clients.streams.get_records().shard_iterator(&at).send();
            let answer = match call(deadline, page).await {
                Ok(answer) => answer,
                Err(failure) if is_gone(&failure) => return Ok(Read::Gone),
                Err(failure) => return Err(failure),
            };
            let page = answer.records.unwrap_or_default();
            empty_pages = if page.is_empty() { empty_pages + 1 } else { 0 };
            for record in &page {
                let sequence = record.dynamodb().and_then(|body| body.sequence_number()).unwrap_or_default();
                if is_after(sequence, &batch.last) || records.len() == RECORDS_MAX {
                    return Ok(Read::Records(records));
                }
                let unreadable = |error: RecordError| Failure::Transient(error.to_string());
                let record = LambdaRecord::new(record, &batch.stream_arn, region).map_err(unreadable)?;
                if !record.changes_nothing() {
                    records.push(record.raw().map_err(unreadable)?);
                }
                if sequence == batch.last {
                    return Ok(Read::Records(records));
                }
            }
            if empty_pages == EMPTY_PAGES_MAX {
                break;
            }
            iterator = answer.next_shard_iterator;
        }
        Ok(Read::Records(records))
    }
}

fn is_gone(failure: &Failure) -> bool {
    failure.is("TrimmedDataAccessException") || failure.is("ResourceNotFoundException")
}

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
