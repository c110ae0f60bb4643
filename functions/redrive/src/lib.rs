#![doc = include_str!("../README.md")]

use std::collections::BTreeMap;
use std::sync::Arc;

use aws_lambda_events::streams::{SqsBatchItemFailure, SqsEventResponse};
use instep_aws::redrive::{Redrive, RedriveOutcome, RedriveProgress, RedriveTally, Store};
use instep_aws::{GIVEN_UP_PREFIX, RunOptions, noting_unlisted};
use instep_flow::work::Origin;
use instep_lambda::{Function, InvocationFailure};
use lambda_runtime::LambdaEvent;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tracing::{info, warn};

/// The help text for requests.
const ASK: &str = r#"send {"redrive": "parked"}, "failed" or "all", with "dryRun": true to change nothing; or send failed work itself"#;

/// A request of a person or a schedule.
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

/// The event of a queue's event source mapping.
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
pub enum RedriveResponse {
    /// For an event source mapping: the messages that must stay in their queue.
    Messages(SqsEventResponse),
    /// For any other caller: the counts.
    Tally(RedriveTally),
}

/// Sends failed work to the work queue.
///
/// # Errors
/// A resource is not available, the event contains no work, or a service failed.
pub async fn handle(
    function: Arc<Function>,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<RedriveResponse, InvocationFailure> {
    let LambdaEvent { payload, context } = event;
    let run = function.run(&context);
    let (now, before) = (run.now, function.calls());
    let (answer, unlisted) = noting_unlisted(answer(&function, run, payload.get())).await;
    function.report_calls(None, &unlisted, &before, now);
    answer
}

async fn answer(function: &Function, run: RunOptions, payload: &str) -> Result<RedriveResponse, InvocationFailure> {
    if let Ok(Messages { records }) = serde_json::from_str(payload) {
        return Ok(RedriveResponse::Messages(messages(function, run, records).await));
    }
    let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(payload).unwrap_or_default();
    if members.contains_key("redrive") {
        let Request { redrive, dry_run } = serde_json::from_str(payload)
            .map_err(|error| InvocationFailure { kind: "NoSuchRequest", message: format!("{error}: {ASK}") })?;
        let run = RunOptions { dry_run, ..run };
        return kept(function, run, redrive).await.map(RedriveResponse::Tally);
    }
    event_itself(function, run, payload).await.map(RedriveResponse::Tally)
}

async fn messages(function: &Function, run: RunOptions, messages: Vec<Message>) -> SqsEventResponse {
    let mut redrive = Redrive::new(&function.instep, run);
    let bodies: Vec<_> = messages.into_iter().map(|message| (message.message_id, message.body)).collect();
    let outcomes = redrive.messages(&bodies, &mut log).await;
    let stays = bodies.into_iter().zip(outcomes).filter(|(_, outcome)| *outcome != RedriveOutcome::Sent);
    let mut response = SqsEventResponse::default();
    response.batch_item_failures.extend(stays.map(|((id, _), _)| {
        let mut stays = SqsBatchItemFailure::default();
        stays.item_identifier = Some(id);
        stays
    }));
    response
}

/// Sends the failed work in the deployment's own queue and bucket.
async fn kept(function: &Function, run: RunOptions, what: What) -> Result<RedriveTally, InvocationFailure> {
    let Some(parking) = &function.instep.settings().parking else { return Ok(RedriveTally::default()) };
    let parked = (what != What::Failed).then(|| Store::Queue(parking.queue_url.clone()));
    let given_up = || Store::Bucket { bucket: parking.bucket.clone(), prefix: GIVEN_UP_PREFIX.to_owned() };
    let failed = (what != What::Parked).then(given_up);
    let mut redrive = Redrive::new(&function.instep, run);
    // Batches that Lambda gave up on are usually older than parked records.
    let mut unread = Vec::new();
    for place in failed.iter().chain(&parked) {
        unread.extend(redrive.send_stored(place, &mut log).await.err().map(|error| error.to_string()));
    }
    let tally = summed_up(&redrive);
    if unread.is_empty() { Ok(tally) } else { Err(InvocationFailure { kind: "NotRead", message: unread.join("; ") }) }
}

/// Sends the content of the event itself. If a part is not sent, the invocation fails, so that it
/// is repeated.
async fn event_itself(function: &Function, run: RunOptions, payload: &str) -> Result<RedriveTally, InvocationFailure> {
    if let Err(error) = instep_captures::entries("event", payload) {
        return Err(InvocationFailure { kind: "NoSuchRequest", message: format!("{error}: {ASK}") });
    }
    let mut redrive = Redrive::new(&function.instep, run);
    redrive.text("event", payload, Origin::Failed, &mut log).await;
    let tally = summed_up(&redrive);
    if tally.kept > 0 {
        let message = serde_json::to_string(&tally).unwrap_or_default();
        return Err(InvocationFailure {
            kind: "NotSent",
            message: format!("some of the event was not sent: {message}"),
        });
    }
    Ok(tally)
}

/// The counts of a redrive, which are also logged.
fn summed_up(redrive: &Redrive<'_>) -> RedriveTally {
    let tally = redrive.tally().clone();
    let RedriveTally { sent, unreadable, expired, done, kept, more } = tally;
    info!(sent, unreadable, expired, done, kept, more, "redriven");
    tally
}

fn log(progress: RedriveProgress<'_>) {
    match progress {
        RedriveProgress::Sent { name, records } => info!(name, records = records.len(), "sent"),
        RedriveProgress::Unreadable { name, garbled } => {
            warn!(name, code = garbled.code, reason = garbled.reason, "cannot be sent");
        }
        // Only a backfill leaves items out. INVARIANT 9: no log names an item.
        RedriveProgress::Left { name, why } => warn!(name, why, "left to retry"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_strictly() {
        let read = |text: &str| serde_json::from_str::<Request>(text).map_err(|error| error.to_string());
        assert!(matches!(read(r#"{"redrive":"parked"}"#), Ok(Request { redrive: What::Parked, dry_run: false })));
        let all = read(r#"{"redrive":"all","dryRun":true}"#);
        assert!(matches!(all, Ok(Request { redrive: What::All, dry_run: true })));
        let said = read(r#"{"redrive":"everything"}"#).unwrap_err();
        assert!(said.contains("one of `parked`, `failed`, `all`"), "{said}");
        // A mistyped word must not do for real what was to be tried only.
        assert!(read(r#"{"redrive":"all","dryrun":true}"#).unwrap_err().contains("unknown field `dryrun`"));
    }

    #[test]
    fn events_of_queues_and_streams_are_distinguished() {
        let queue = r#"{"Records":[{"messageId":"m","body":"b","eventSource":"aws:sqs"}]}"#;
        let stream = r#"{"Records":[{"eventID":"1","dynamodb":{}}]}"#;
        assert!(serde_json::from_str::<Messages>(queue).is_ok());
        assert!(serde_json::from_str::<Messages>(stream).is_err());
    }
}
