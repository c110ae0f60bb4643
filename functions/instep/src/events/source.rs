//! Where events are followed: the file of a kept embedded stack, or a queue that is subscribed to a bus.

use std::collections::VecDeque;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

use instep_aws::calls::Calls;
use instep_aws::{Clients, call, connect};
use instep_documents::at;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use crate::cli::contract::Events;
use crate::replay::data_dir;

/// The time between two looks at the file.
const POLL: Duration = Duration::from_millis(200);

/// The longest that SQS waits for a message, and the most messages of one receive. Source: Amazon SQS API
/// Reference, ReceiveMessage.
const WAIT_SECONDS: i32 = 20;
const MESSAGES_MAX: i32 = 10;

/// The file with the events of a kept stack.
const EVENTS: &str = "events.jsonl";

/// A source of events.
pub(super) struct Source {
    from: From,
    read: VecDeque<Value>,
}

enum From {
    File { path: PathBuf, at: u64, rest: Vec<u8> },
    Queue { clients: Clients, url: String, keep: bool },
}

impl Source {
    /// Opens the source that the arguments name.
    ///
    /// # Errors
    /// The directory has no stack.
    pub(super) async fn open(args: &Events) -> miette::Result<Self> {
        let from = match (&args.data, &args.queue) {
            (Some(dir), _) => {
                data_dir::manifest(dir)?;
                From::File { path: dir.join(EVENTS), at: 0, rest: Vec::new() }
            }
            (None, Some(url)) => {
                let calls = Calls::default();
                let config = match &args.endpoint {
                    Some(endpoint) => connect::endpoint(endpoint, &calls).await,
                    None => connect::aws(&calls).await,
                };
                From::Queue { clients: Clients::new(&config), url: url.clone(), keep: args.keep }
            }
            (None, None) => {
                return Err(miette!(help = "`--data DIR` or `--queue URL`", "the source of the events is needed"));
            }
        };
        Ok(Self { from, read: VecDeque::new() })
    }

    /// The next event. `None` if there is none now, and `until_empty`.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(super) async fn next(&mut self, until_empty: bool) -> miette::Result<Option<Value>> {
        loop {
            if let Some(event) = self.read.pop_front() {
                return Ok(Some(event));
            }
            let found = match &mut self.from {
                From::File { path, at, rest } => appended(path, at, rest)?,
                From::Queue { clients, url, keep } => received(clients, url, *keep, until_empty).await?,
            };
            if found.is_empty() {
                if until_empty {
                    return Ok(None);
                }
                if matches!(self.from, From::File { .. }) {
                    tokio::time::sleep(POLL).await;
                }
            }
            self.read.extend(found);
        }
    }
}

/// The lines that were appended to the file since, without one that is not complete yet.
fn appended(path: &PathBuf, at: &mut u64, rest: &mut Vec<u8>) -> miette::Result<Vec<Value>> {
    // The first event makes the file.
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(Vec::new()) };
    let read = file.seek(SeekFrom::Start(*at)).and_then(|_| file.read_to_end(rest));
    *at += read.into_diagnostic().wrap_err_with(|| format!("cannot read `{}`", path.display()))? as u64;
    let Some(end) = rest.iter().rposition(|byte| *byte == b'\n') else { return Ok(Vec::new()) };
    let whole: Vec<u8> = rest.drain(..=end).collect();
    let lines = whole.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    Ok(lines.map(|entry| delivered(&entry)).collect())
}

/// An accepted entry as EventBridge would deliver it.
fn delivered(entry: &Value) -> Value {
    let detail = at(entry, "/Detail").as_str().and_then(|detail| serde_json::from_str::<Value>(detail).ok());
    json!({
        "version": "0",
        "id": at(entry, "/EventId"),
        "detail-type": at(entry, "/DetailType"),
        "source": at(entry, "/Source"),
        "time": at(entry, "/Time"),
        "resources": entry.get("Resources").cloned().unwrap_or_else(|| json!([])),
        "detail": detail,
    })
}

/// The events of the messages that the queue has now, or that come while it waits.
async fn received(clients: &Clients, url: &str, keep: bool, until_empty: bool) -> miette::Result<Vec<Value>> {
    let sqs = clients.sqs();
    let wait = if until_empty { 1 } else { WAIT_SECONDS };
    let receive = || {
        let request = sqs.receive_message().queue_url(url).max_number_of_messages(MESSAGES_MAX);
        request.wait_time_seconds(wait).send()
    };
    let failed = |operation: &str, why: &instep_aws::Failure| {
        miette!(help = "the caller needs sqs:ReceiveMessage and sqs:DeleteMessage", "{}", why.words(operation))
    };
    let answer = call(None, receive).await.map_err(|why| failed("ReceiveMessage", &why))?;
    let mut events = Vec::new();
    for message in answer.messages.unwrap_or_default() {
        match message.body().map(serde_json::from_str::<Value>) {
            Some(Ok(event)) if at(&event, "/detail").is_object() => events.push(event),
            // A rule with `InputPath: $.detail` delivers the detail alone.
            Some(Ok(detail)) if at(&detail, "/metadata").is_object() => events.push(json!({
                "detail-type": format!("{} {}", text(&detail, "entity"), text(&detail, "verb")),
                "detail": detail,
            })),
            Some(_) | None => {
                tracing::warn!("a message of the queue is no event: it stays");
                continue;
            }
        }
        if let Some(receipt) = message.receipt_handle().filter(|_| !keep) {
            let delete = || sqs.delete_message().queue_url(url).receipt_handle(receipt).send();
            call(None, delete).await.map_err(|why| failed("DeleteMessage", &why))?;
        }
    }
    Ok(events)
}

fn text<'d>(detail: &'d Value, name: &str) -> &'d str {
    at(detail, &format!("/metadata/{name}")).as_str().unwrap_or_default()
}
