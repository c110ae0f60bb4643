#![doc = include_str!("../README.md")]

use std::sync::Arc;

use aws_lambda_events::streams::{SqsBatchItemFailure, SqsEventResponse};
use instep_aws::{QueueMessage, WorkReport};
use instep_lambda::{Function, InvocationFailure, WorkOutcome};
use jiff::Timestamp;
use lambda_runtime::LambdaEvent;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The event of a batch.
#[derive(Debug, Deserialize)]
struct Event {
    #[serde(rename = "Records")]
    records: Vec<Message>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_id: String,
    body: String,
    #[serde(default)]
    attributes: Attributes,
}

/// The attributes that SQS adds to a message. Numbers are strings, and times are epoch
/// milliseconds.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Attributes {
    approximate_receive_count: Option<String>,
    sent_timestamp: Option<String>,
}

/// Handles a batch.
///
/// # Errors
/// A resource is not available, or this is not an event of a queue. The whole batch is then
/// delivered again.
pub async fn handle(
    function: Arc<Function>,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<SqsEventResponse, InvocationFailure> {
    let LambdaEvent { payload, context } = event;
    function.verified().await?;
    let Event { records } = serde_json::from_str(payload.get()).map_err(|_| InvocationFailure {
        kind: "NoWorkEvent",
        message: "the event has no list `Records` of messages: an event source mapping of the work queue invokes this \
                  function; send failed work to the redrive function"
            .to_owned(),
    })?;
    let oldest = oldest(&records);
    let messages: Vec<QueueMessage> = records.into_iter().map(delivered).collect();
    let run = function.run(&context);
    function.look_back(&run).await?;
    let before = function.calls();
    let WorkReport { failed, report, due, replaced, .. } = function.instep.work(&messages, &run).await;
    let handled = messages.len().saturating_sub(failed.len() + replaced.len());
    let outcome = WorkOutcome { handled, replaced: replaced.len(), failed: failed.len(), oldest, due };
    function.report_work(&report, outcome, &before, run.now);
    Ok(response(failed))
}

/// The answer: exactly the messages that must be delivered again.
#[must_use]
pub fn response(failed: Vec<String>) -> SqsEventResponse {
    let mut response = SqsEventResponse::default();
    response.batch_item_failures.extend(failed.into_iter().map(|id| {
        let mut failure = SqsBatchItemFailure::default();
        failure.item_identifier = Some(id);
        failure
    }));
    response
}

/// A message without a receive count was received once.
fn delivered(message: Message) -> QueueMessage {
    let Message { message_id: id, body, attributes } = message;
    let receives = attributes.approximate_receive_count.and_then(|count| count.parse().ok()).unwrap_or(1);
    QueueMessage { id, body, receives }
}

/// When the oldest message was sent.
fn oldest(messages: &[Message]) -> Option<Timestamp> {
    let sent = |message: &Message| message.attributes.sent_timestamp.as_deref()?.parse::<i64>().ok();
    messages.iter().filter_map(sent).min().and_then(|sent_ms| Timestamp::from_millisecond(sent_ms).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the AWS Lambda Developer Guide, "Using Lambda with Amazon SQS", with two
    /// messages.
    const EVENT: &str = r#"{"Records": [
        {
            "messageId": "059f36b4-87a3-44ab-83d2-661975830a7d",
            "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a...",
            "body": "Test message.",
            "attributes": {
                "ApproximateReceiveCount": "3",
                "SentTimestamp": "1545082649183",
                "SenderId": "AIDAIENQZJOLO23YVJ4VO",
                "ApproximateFirstReceiveTimestamp": "1545082649185"
            },
            "messageAttributes": {"myAttribute": {"stringValue": "myValue", "dataType": "String"}},
            "md5OfBody": "e4e68fb7bd0e697a0ae8f1bb342846b3",
            "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:us-east-2:123456789012:my-queue",
            "awsRegion": "us-east-2"
        },
        {"messageId": "2", "body": "b", "attributes": {"SentTimestamp": "1545082649000"}},
        {"messageId": "3", "body": "c"}
    ]}"#;

    fn records(event: &str) -> Vec<Message> {
        serde_json::from_str::<Event>(event).unwrap().records
    }

    #[test]
    fn a_message_has_its_id_its_body_and_its_receives() {
        let delivered: Vec<QueueMessage> = records(EVENT).into_iter().map(delivered).collect();
        let seen: Vec<_> = delivered.iter().map(|d| (d.id.as_str(), d.body.as_str(), d.receives)).collect();
        let first = ("059f36b4-87a3-44ab-83d2-661975830a7d", "Test message.", 3);
        assert_eq!(seen, [first, ("2", "b", 1), ("3", "c", 1)]);
    }

    /// The age of work counts from the send of its oldest message.
    #[test]
    fn the_oldest_message_is_the_one_that_was_sent_first() {
        let expected = Timestamp::from_millisecond(1_545_082_649_000).unwrap();
        assert_eq!(oldest(&records(EVENT)), Some(expected));
        let unknown = r#"{"Records":[{"messageId":"1","body":"","attributes":{"SentTimestamp":"soon"}}]}"#;
        assert_eq!(oldest(&records(unknown)), None);
    }

    /// Promise 6: what is answered is what Lambda's documents say of each answer. An empty list is
    /// success, and a list of ids returns these messages alone.
    #[test]
    fn the_failed_messages_are_reported_and_no_others() {
        let answer = |failed: &[&str]| {
            let failed = failed.iter().map(|id| (*id).to_owned()).collect();
            serde_json::to_string(&response(failed)).unwrap()
        };
        assert_eq!(answer(&[]), r#"{"batchItemFailures":[]}"#);
        let two = r#"{"batchItemFailures":[{"itemIdentifier":"1"},{"itemIdentifier":"3"}]}"#;
        assert_eq!(answer(&["1", "3"]), two);
    }

    /// An event of the table's stream is none of the queue's: it fails as a whole, with a word why.
    #[test]
    fn a_streams_event_is_refused() {
        let stream = r#"{"Records":[{"eventID":"1","dynamodb":{"SequenceNumber":"1"}}]}"#;
        assert!(serde_json::from_str::<Event>(stream).is_err());
    }
}
