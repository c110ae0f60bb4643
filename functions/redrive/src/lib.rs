//! What the redrive function is invoked with, and what it answers.
//!
//! It sends failed work to the work queue, and does nothing else. Invoked by a person or a schedule with `{"redrive": "parked"}` (the
//! queue of parked records), `{"redrive": "failed"}` (batches that Lambda gave up, in the bucket) or `{"redrive": "all"}`, it sends
//! what is kept there and answers with a tally; `"dryRun": true` says what would be sent. Invoked by a queue's event source mapping it
//! answers with the messages that are to stay. Any other form of failed work, as event, is sent as it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use aws_lambda_events::streams::{SqsBatchItemFailure, SqsEventResponse};
use instep_aws::redrive::{Place, Redrive, Tally, Told, Verdict};
use instep_aws::{GIVEN_UP_PREFIX, Run};
use instep_flow::work::Origin;
use instep_lambda::{Failure, Function};
use lambda_runtime::LambdaEvent;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tracing::{info, warn};

/// How to ask.
const ASK: &str = r#"ask with {"redrive": "parked"}, "failed" or "all", and "dryRun": true if nothing is to be done; or hand over what failed"#;

/// A person's request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    redrive: What,
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Parked,
    Failed,
    All,
}

/// What an event source mapping of a queue delivers.
#[derive(Deserialize)]
struct Messages {
    #[serde(rename = "Records")]
    records: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_id: String,
    body: String,
}

/// The answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To an event source mapping: messages that are to stay in their queue.
    Messages(SqsEventResponse),
    /// To anybody else: what it came to.
    Tally(Tally),
}

/// Sends what failed to the work queue.
///
/// # Errors
/// What is needed is not there, the event holds nothing that can be sent, or a service failed.
pub async fn handle(function: Arc<Function>, event: LambdaEvent<Box<RawValue>>) -> Result<Answer, Failure> {
    let LambdaEvent { payload, context } = event;
    let run = function.run(&context);
    let payload = payload.get();
    if let Ok(Messages { records }) = serde_json::from_str(payload) {
        return Ok(Answer::Messages(messages(&function, run, records).await));
    }
    let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(payload).unwrap_or_default();
    if members.contains_key("redrive") {
        let Request { redrive, dry_run } = serde_json::from_str(payload)
            .map_err(|error| Failure { kind: "NoSuchRequest", message: format!("{error}: {ASK}") })?;
        let run = Run { dry_run, ..run };
        return kept(&function, run, redrive).await.map(Answer::Tally);
    }
    event_itself(&function, run, payload).await.map(Answer::Tally)
}

async fn messages(function: &Function, run: Run, messages: Vec<Message>) -> SqsEventResponse {
    let mut redrive = Redrive::new(&function.instep, run);
    let bodies: Vec<_> = messages.into_iter().map(|message| (message.message_id, message.body)).collect();
    let verdicts = redrive.messages(&bodies, &mut log).await;
    let stays = bodies.into_iter().zip(verdicts).filter(|(_, verdict)| *verdict != Verdict::Sent);
    let mut response = SqsEventResponse::default();
    response.batch_item_failures.extend(stays.map(|((id, _), _)| {
        let mut stays = SqsBatchItemFailure::default();
        stays.item_identifier = Some(id);
        stays
    }));
    response
}

/// Sends what is kept in the deployment's own queue and bucket.
async fn kept(function: &Function, run: Run, what: What) -> Result<Tally, Failure> {
    let Some(parking) = &function.instep.settings().parking else { return Ok(Tally::default()) };
    let parked = (what != What::Failed).then(|| Place::Queue(parking.queue_url.clone()));
    let given_up = || Place::Bucket { bucket: parking.bucket.clone(), prefix: GIVEN_UP_PREFIX.to_owned() };
    let failed = (what != What::Parked).then(given_up);
    let mut redrive = Redrive::new(&function.instep, run);
    // Batches that were given up are older than what was parked since, as a rule.
    let mut unread = Vec::new();
    for place in failed.iter().chain(&parked) {
        unread.extend(redrive.place(place, &mut log).await.err().map(|error| error.to_string()));
    }
    let tally = summed_up(&redrive);
    if unread.is_empty() { Ok(tally) } else { Err(Failure { kind: "NotRead", message: unread.join("; ") }) }
}

/// Sends what the event itself holds: an invocation that leaves anything of it fails, so that it is made again.
async fn event_itself(function: &Function, run: Run, payload: &str) -> Result<Tally, Failure> {
    if let Err(error) = instep_captures::entries("event", payload) {
        return Err(Failure { kind: "NoSuchRequest", message: format!("{error}: {ASK}") });
    }
    let mut redrive = Redrive::new(&function.instep, run);
    redrive.text("event", payload, Origin::Failed, &mut log).await;
    let tally = summed_up(&redrive);
    if tally.kept > 0 {
        let message = serde_json::to_string(&tally).unwrap_or_default();
        return Err(Failure { kind: "NotSent", message: format!("not all of the event was sent: {message}") });
    }
    Ok(tally)
}

/// What a redrive came to, which is logged as well.
fn summed_up(redrive: &Redrive<'_>) -> Tally {
    let tally = redrive.tally().clone();
    let Tally { sent, unreadable, expired, done, kept, more } = tally;
    info!(sent, unreadable, expired, done, kept, more, "redriven");
    tally
}

fn log(told: Told<'_>) {
    match told {
        Told::Sent { name, records } => info!(name, records = records.len(), "sent"),
        Told::Unreadable { name, garbled } => {
            warn!(name, code = garbled.code, reason = garbled.reason, "cannot be sent");
        }
        Told::Left { name, why } => warn!(name, why, "left to retry"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_strictly() {
        let read = |text: &str| serde_json::from_str::<Request>(text).map_err(|error| error.to_string());
        assert!(matches!(read(r#"{"redrive":"parked"}"#), Ok(Request { redrive: What::Parked, dry_run: false })));
        assert!(matches!(
            read(r#"{"redrive":"all","dryRun":true}"#),
            Ok(Request { redrive: What::All, dry_run: true })
        ));
        assert!(
            read(r#"{"redrive":"everything"}"#).unwrap_err().contains("one of `parked`, `failed`, `all`"),
            "{:?}",
            read(r#"{"redrive":"everything"}"#)
        );
        // A mistyped word must not do for real what was to be tried only.
        assert!(read(r#"{"redrive":"all","dryrun":true}"#).unwrap_err().contains("unknown field `dryrun`"));
    }

    #[test]
    fn a_queues_event_is_told_from_a_streams() {
        let queue = r#"{"Records":[{"messageId":"m","body":"b","eventSource":"aws:sqs"}]}"#;
        let stream = r#"{"Records":[{"eventID":"1","dynamodb":{}}]}"#;
        assert!(serde_json::from_str::<Messages>(queue).is_ok());
        assert!(serde_json::from_str::<Messages>(stream).is_err());
    }
}
