#![doc = include_str!("../README.md")]

mod rows;

pub use rows::{Row, RowChange, Rows, RowsError};

use aws_lambda_events::streams::{SqsBatchItemFailure, SqsEventResponse};
use instep_contract::{Detail, Event};
use instep_lambda::InvocationFailure;
use lambda_runtime::LambdaEvent;
use serde::Deserialize;
use serde_json::value::RawValue;
use tracing::{info, warn};

/// The environment variable with the table's name.
pub const TABLE: &str = "CONSUMER_TABLE";

#[derive(Debug, Deserialize)]
struct Batch {
    #[serde(rename = "Records")]
    records: Vec<Message>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_id: String,
    body: String,
}

/// A rule delivers the whole event, or with `InputPath: $.detail` what Instep published of it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Body {
    Event(Box<Event>),
    Detail(Box<Detail>),
}

/// Applies a batch of deliveries. The answer names those that must be delivered again: after too many
/// receives, SQS moves them to the dead-letter queue, from where they can be redriven at any time.
///
/// # Errors
/// This is not an event of a queue.
pub async fn handle(rows: &Rows, event: LambdaEvent<Box<RawValue>>) -> Result<SqsEventResponse, InvocationFailure> {
    let Batch { records } = serde_json::from_str(event.payload.get()).map_err(|_| InvocationFailure {
        kind: "NoQueueEvent",
        message: "the event has no list `Records` of messages: invoke this function from its queue".to_owned(),
    })?;
    let mut response = SqsEventResponse::default();
    let mut applied = 0_u32;
    for Message { message_id, body } in records {
        match deliver(rows, &body).await {
            Ok(RowChange::Changed | RowChange::Swept) => applied += 1,
            Ok(RowChange::Older | RowChange::OfNoGrant) => {}
            Err(why) => {
                // No body: it has personal data.
                warn!(messageId = message_id, problem = %why, "not applied");
                let mut failure = SqsBatchItemFailure::default();
                failure.item_identifier = Some(message_id);
                response.batch_item_failures.push(failure);
            }
        }
    }
    info!(applied, failed = response.batch_item_failures.len(), "batch");
    Ok(response)
}

/// Applies one delivery. The place of an event shows whether it was applied before: no id has to be kept for that.
async fn deliver(rows: &Rows, body: &str) -> Result<RowChange, RowsError> {
    let detail = match serde_json::from_str(body)? {
        Body::Event(event) => event.detail,
        Body::Detail(detail) => *detail,
    };
    rows.apply(&detail).await
}
