#![doc = include_str!("../README.md")]

use std::sync::Arc;

use aws_lambda_events::streams::{DynamoDbBatchItemFailure, DynamoDbEventResponse};
use instep_flow::report::Report;
use instep_flow::stream_record::{self, StreamRecord};
use instep_lambda::{Function, InvocationFailure};
use lambda_runtime::LambdaEvent;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The event of a batch. Each record is decoded separately and later, so that a malformed one does
/// not fail the batch.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "Records")]
    records: Vec<Box<RawValue>>,
}

/// Handles a batch.
///
/// # Errors
/// A resource is not available, or this is not an event of a stream. Lambda delivers the whole
/// batch again.
pub async fn handle(
    function: Arc<Function>,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<DynamoDbEventResponse, InvocationFailure> {
    let LambdaEvent { payload, context } = event;
    function.verified().await?;
    let Event { records } = serde_json::from_str(payload.get()).map_err(|_| InvocationFailure {
        kind: "NoStreamEvent",
        message: "the event has no list `Records`: an event source mapping of the table's stream invokes this function; send \
                  failed work to the redrive function"
            .to_owned(),
    })?;
    // Each record has its own copy of its text.
    drop(payload);
    let run = function.run(&context);
    function.look_back(&run).await?;
    let before = function.calls();
    let report = function.instep.handle(&records, &run).await;
    // The oldest record is the first.
    let oldest = records.iter().find_map(|record| StreamRecord::parse(record).recorded_at());
    function.report_batch(&report, oldest, &before, run.now);
    Ok(response(&records, &report))
}

/// The answer: empty if every record is handled or parked. Otherwise it names the first record that
/// Lambda must deliver again, with all records after it.
#[must_use]
pub fn response(records: &[Box<RawValue>], report: &Report) -> DynamoDbEventResponse {
    let mut response = DynamoDbEventResponse::default();
    if let Some(place) = report.retry_from() {
        let mut failure = DynamoDbBatchItemFailure::default();
        failure.item_identifier = Some(checkpoint(records, place));
        response.batch_item_failures.push(failure);
    }
    response
}

/// The sequence number of the record at `place`, or of the nearest record before it that has one.
/// Records handled before are then delivered again, which changes nothing. If there is none, the
/// empty identifier: Lambda delivers the whole batch again.
fn checkpoint(records: &[Box<RawValue>], place: usize) -> String {
    let before = records.iter().take(place + 1).rev();
    before.into_iter().find_map(|record| stream_record::sequence(record)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use instep_flow::report::{Outcome, RecordReport};

    use super::*;

    fn answer(records: &[&str], retry_from: Option<usize>) -> String {
        let raw: Vec<_> = records.iter().map(|record| RawValue::from_string((*record).to_owned()).unwrap()).collect();
        let outcome = |place| match retry_from {
            Some(from) if place >= from => Outcome::Retry { why: "busy".to_owned() },
            Some(_) | None => Outcome::Handled,
        };
        let record = |place| RecordReport { sequence: None, change: None, work: None, outcome: outcome(place) };
        let report = Report { records: (0..records.len()).map(record).collect(), ..Report::default() };
        serde_json::to_string(&response(&raw, &report)).unwrap()
    }

    const ONE: &str = r#"{"dynamodb":{"SequenceNumber":"100"}}"#;
    const TWO: &str = r#"{"dynamodb":{"SequenceNumber":"200"}}"#;
    const NONE: &str = r#"{"dynamodb":{}}"#;

    /// Promise 6: what is answered is what Lambda's documents say of each answer.
    #[test]
    fn the_first_record_that_is_left_is_reported_and_no_other() {
        assert_eq!(answer(&[ONE, TWO], None), r#"{"batchItemFailures":[]}"#);
        assert_eq!(answer(&[ONE, TWO], Some(0)), r#"{"batchItemFailures":[{"itemIdentifier":"100"}]}"#);
        assert_eq!(answer(&[ONE, TWO], Some(1)), r#"{"batchItemFailures":[{"itemIdentifier":"200"}]}"#);
    }

    #[test]
    fn a_record_without_a_number_is_reported_by_the_one_before_it_or_fails_all() {
        assert_eq!(answer(&[ONE, NONE, TWO], Some(1)), r#"{"batchItemFailures":[{"itemIdentifier":"100"}]}"#);
        assert_eq!(answer(&[NONE, TWO], Some(0)), r#"{"batchItemFailures":[{"itemIdentifier":""}]}"#);
        assert_eq!(answer(&["7", TWO], Some(1)), r#"{"batchItemFailures":[{"itemIdentifier":"200"}]}"#);
    }
}
