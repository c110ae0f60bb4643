//! Where events are followed: the file of a kept embedded stack, or a queue that is subscribed to a bus.

use std::collections::{BTreeSet, VecDeque};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

use aws_sdk_sqs::types::DeleteMessageBatchRequestEntry;
use instep_aws::calls::Calls;
use instep_aws::{Clients, call};
use instep_console::data_dir;
use instep_documents::at;
use instep_local::PublishedEntry;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Value, json};

use crate::cli::contract::EventsArgs;
use crate::remote::Target;

/// The time between two looks at the file.
const POLL: Duration = Duration::from_millis(200);

/// The time for which SQS waits for a message. It allows 20 seconds, but the client gives up an attempt after
/// as many, and SQS would hide what it found meanwhile.
const WAIT_SECONDS: i32 = 10;

/// The most messages of one receive, and of one deletion. Source: Amazon SQS API Reference, ReceiveMessage and
/// DeleteMessageBatch.
const MESSAGES_MAX: i32 = 10;

/// The file with the events of a kept stack.
const EVENTS: &str = "events.jsonl";

/// A source of events.
pub(super) struct EventSource {
    from: From,
    read: VecDeque<SourcedEvent>,
}

enum From {
    File { path: PathBuf, at: u64, rest: Vec<u8> },
    Queue(Queue),
}

/// An event, and the receipt handle of its message.
pub(super) struct SourcedEvent {
    pub(super) event: Value,
    pub(super) receipt: Option<String>,
}

/// A queue that is followed.
struct Queue {
    clients: Clients,
    url: String,
    keep: bool,
    /// The ids of messages that stay in the queue: they come again, and are not printed again.
    kept: BTreeSet<String>,
    /// Receipt handles of the messages whose events were handled.
    handled: Vec<String>,
}

impl EventSource {
    /// Opens the source that the arguments name.
    pub(super) async fn open(args: &EventsArgs) -> miette::Result<Self> {
        let from = match (&args.data, &args.queue) {
            (Some(dir), _) => {
                data_dir::manifest(dir)?;
                From::File { path: dir.join(EVENTS), at: 0, rest: Vec::new() }
            }
            (None, Some(url)) => {
                let config = Target::of_endpoint(args.endpoint.as_deref()).connect(&Calls::default()).await;
                return Ok(Self::of_queue(Clients::new(&config), url, args.keep));
            }
            (None, None) => {
                return Err(miette!(help = "`--data DIR` or `--queue URL`", "the source of the events is needed"));
            }
        };
        Ok(Self { from, read: VecDeque::new() })
    }

    pub(super) fn of_queue(clients: Clients, url: &str, keep: bool) -> Self {
        let queue = Queue { clients, url: url.to_owned(), keep, kept: BTreeSet::new(), handled: Vec::new() };
        Self { from: From::Queue(queue), read: VecDeque::new() }
    }

    /// The next event. `None` if there is none now, and `until_empty`. May delete the messages of those handled.
    pub(super) async fn next(&mut self, until_empty: bool) -> miette::Result<Option<SourcedEvent>> {
        loop {
            if let Some(read) = self.read.pop_front() {
                return Ok(Some(read));
            }
            let found = match &mut self.from {
                From::File { path, at, rest } => appended(path, at, rest)?,
                From::Queue(queue) => {
                    queue.delete_handled().await?;
                    queue.receive(until_empty).await?
                }
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

    /// The event with this receipt handle was printed, or left out.
    pub(super) fn handled(&mut self, receipt: Option<String>) {
        if let From::Queue(queue) = &mut self.from {
            queue.handled.extend(receipt);
        }
    }

    /// Deletes the messages whose events were handled. Messages that were received and not handled come again.
    pub(super) async fn finish(mut self) -> miette::Result<()> {
        match &mut self.from {
            From::File { .. } => Ok(()),
            From::Queue(queue) => queue.delete_handled().await,
        }
    }
}

/// The lines that were appended to the file since, without one that is not complete yet.
fn appended(path: &PathBuf, at: &mut u64, rest: &mut Vec<u8>) -> miette::Result<Vec<SourcedEvent>> {
    // The first event makes the file.
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(Vec::new()) };
    let read = file.seek(SeekFrom::Start(*at)).and_then(|_| file.read_to_end(rest));
    *at += read.into_diagnostic().wrap_err_with(|| format!("cannot read `{}`", path.display()))? as u64;
    let Some(end) = rest.iter().rposition(|byte| *byte == b'\n') else { return Ok(Vec::new()) };
    let whole: Vec<u8> = rest.drain(..=end).collect();
    let lines = whole.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<PublishedEntry>(line).ok());
    Ok(entries.map(|entry| SourcedEvent { event: entry.delivered(), receipt: None }).collect())
}

impl Queue {
    /// The events of the messages that the queue has now, or that come while it waits.
    async fn receive(&mut self, until_empty: bool) -> miette::Result<Vec<SourcedEvent>> {
        let wait = if until_empty { 1 } else { WAIT_SECONDS };
        let receive = || {
            let request = self.clients.sqs().receive_message().queue_url(&self.url);
            request.max_number_of_messages(MESSAGES_MAX).wait_time_seconds(wait).send()
        };
        let answer = call(None, receive).await.map_err(|why| failed("ReceiveMessage", &why))?;
        let mut found = Vec::new();
        for message in answer.messages.unwrap_or_default() {
            let id = message.message_id().unwrap_or_default();
            if self.keep && !self.kept.insert(id.to_owned()) {
                continue;
            }
            let event = match message.body().map(serde_json::from_str::<Value>) {
                Some(Ok(event)) if at(&event, "/detail").is_object() => event,
                // A rule with `InputPath: $.detail` delivers the detail alone.
                Some(Ok(detail)) if at(&detail, "/metadata").is_object() => json!({"detail": detail}),
                Some(_) | None => {
                    tracing::warn!("a message of the queue is no event: it stays in the queue");
                    continue;
                }
            };
            found.push(SourcedEvent { event, receipt: message.receipt_handle });
        }
        Ok(found)
    }

    async fn delete_handled(&mut self) -> miette::Result<()> {
        if self.keep {
            self.handled.clear();
        }
        while !self.handled.is_empty() {
            let some = self.handled.len().min(usize::try_from(MESSAGES_MAX).unwrap_or(1));
            let entry = |(place, receipt): (usize, &String)| {
                let entry = DeleteMessageBatchRequestEntry::builder().id(place.to_string());
                entry.receipt_handle(receipt).build().into_diagnostic()
            };
            let entries: Vec<_> =
                self.handled.iter().take(some).enumerate().map(entry).collect::<miette::Result<_>>()?;
            let delete = || {
                let request = self.clients.sqs().delete_message_batch().queue_url(&self.url);
                request.set_entries(Some(entries.clone())).send()
            };
            let answer = call(None, delete).await.map_err(|why| failed("DeleteMessageBatch", &why))?;
            for failure in answer.failed() {
                tracing::warn!(code = failure.code(), "a message was not deleted: its event comes again");
            }
            self.handled.drain(..some);
        }
        Ok(())
    }
}

fn failed(operation: &str, why: &instep_aws::CallFailure) -> miette::Report {
    miette!(help = "the caller needs sqs:ReceiveMessage and sqs:DeleteMessage", "{}", why.words(operation))
}
