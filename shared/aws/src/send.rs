//! Sends messages to a queue, in batches of ten.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use futures::stream::{self, StreamExt as _};
use instep_flow::work::WorkMessage;
use tokio::time::Instant;

use crate::call::{Backoff, CallFailure, call};
use crate::queue::Queue;

/// The maximum entries of one SendMessageBatch. Source: Amazon SQS API Reference, SendMessageBatch.
pub(crate) const ENTRIES_MAX: usize = 10;

/// The number of concurrent calls. A standard queue keeps no order.
const CONCURRENT_SENDS: usize = 16;

/// The maximum bytes of a message, and of all messages of one SendMessageBatch. Source: as above.
pub(crate) const MESSAGE_BYTES_MAX: usize = 1_048_576;

/// The longest delay of a message, in seconds. Source: Amazon SQS API Reference, SendMessage,
/// `DelaySeconds`.
pub(crate) const DELAY_SECONDS_MAX: i32 = 900;

/// How the names of queues end that keep an order. Source: Amazon SQS API Reference, CreateQueue.
const FIFO: &str = ".fifo";

/// The group of messages in such a queue, as the template's rule for one gives it.
const GROUP: &str = "instep";

/// A message to send.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    /// Its text.
    pub(crate) body: String,
    /// Seconds until it is delivered, at most 900. Source: as above, `DelaySeconds`.
    pub(crate) delay_seconds: i32,
}

impl Outgoing {
    /// A message with this text, delivered at once. SQS accepts only characters that XML allows.
    /// The others are written as JSON escapes.
    pub(crate) fn new(text: &str) -> Self {
        // JSON has such characters only inside strings.
        let body = text.replace('\u{FFFE}', "\\ufffe").replace('\u{FFFF}', "\\uffff");
        Self { body, delay_seconds: 0 }
    }

    /// A message of the work queue, delivered at once.
    pub(crate) fn of_work(message: &WorkMessage) -> Self {
        // A message consists of strings and maps with string keys, so writing it cannot fail.
        Self::new(&serde_json::to_string(message).unwrap_or_default())
    }
}

impl Queue {
    /// Sends messages. Returns the places of those that the queue did not acknowledge, with the
    /// reason.
    pub(crate) async fn send(
        &self,
        queue_url: &str,
        messages: Vec<Outgoing>,
        deadline: Option<Instant>,
    ) -> Vec<(usize, CallFailure)> {
        let messages = messages.into_iter().enumerate().collect();
        let batches =
            chunked(messages, ENTRIES_MAX, MESSAGE_BYTES_MAX, |(_, message): &(_, Outgoing)| message.body.len());
        let send = |batch| Box::pin(self.send_batch(queue_url, batch, deadline));
        stream::iter(batches).map(send).buffered(CONCURRENT_SENDS).collect::<Vec<_>>().await.concat()
    }

    /// SendMessageBatch fails entry by entry, with status 200. Failed entries are sent again.
    ///
    /// INVARIANT 6: a message that the queue refuses for good fails alone.
    async fn send_batch(
        &self,
        queue_url: &str,
        batch: Vec<(usize, Outgoing)>,
        deadline: Option<Instant>,
    ) -> Vec<(usize, CallFailure)> {
        let (mut left, mut unsent) = (batch, Vec::new());
        let mut backoff = Backoff::new(deadline);
        loop {
            let entry = |(id, (_, message)): (usize, &(usize, Outgoing))| entry(queue_url, id, message);
            let entries: Vec<_> = left.iter().enumerate().filter_map(entry).collect();
            let send = || {
                let request = self.clients.sqs().send_message_batch().queue_url(queue_url);
                request.set_entries(Some(entries.clone())).send()
            };
            let answer = match call(deadline, send).await {
                Ok(answer) => answer,
                Err(failure) if failure.is_permanent() && left.len() > 1 => {
                    for message in left {
                        unsent.extend(Box::pin(self.send_batch(queue_url, vec![message], deadline)).await);
                    }
                    return unsent;
                }
                Err(failure) => {
                    unsent.extend(left.into_iter().map(|(place, _)| (place, failure.clone())));
                    return unsent;
                }
            };
            let acknowledged = |id: usize| answer.successful().iter().any(|entry| entry.id() == id.to_string());
            let mut failed: Vec<((usize, Outgoing), CallFailure)> = Vec::new();
            for (id, message) in left.into_iter().enumerate().filter(|(id, _)| !acknowledged(*id)) {
                let refusal = answer.failed().iter().find(|entry| entry.id() == id.to_string());
                match refusal.map(|entry| CallFailure::of_entry(entry.code())) {
                    Some(failure) if failure.is_permanent() => unsent.push((message.0, failure)),
                    Some(failure) => failed.push((message, failure)),
                    None => failed.push((message, CallFailure::Transient("no acknowledgement".to_owned()))),
                }
            }
            if failed.is_empty() {
                return unsent;
            }
            if !backoff.wait().await {
                unsent.extend(failed.into_iter().map(|((place, _), failure)| (place, failure)));
                return unsent;
            }
            left = failed.into_iter().map(|(message, _)| message).collect();
        }
    }
}

/// Divides what is sent into chunks of so many, and so many bytes, in its order.
pub(crate) fn chunked<T>(all: Vec<T>, most: usize, bytes_max: usize, bytes_of: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let (mut chunks, mut bytes): (Vec<Vec<T>>, usize) = (Vec::new(), 0);
    for one in all {
        let length = bytes_of(&one);
        let has_room = |chunk: &&mut Vec<T>| chunk.len() < most && bytes + length <= bytes_max;
        match chunks.last_mut().filter(has_room) {
            Some(chunk) => {
                bytes += length;
                chunk.push(one);
            }
            None => {
                bytes = length;
                chunks.push(vec![one]);
            }
        }
    }
    chunks
}

fn entry(queue_url: &str, id: usize, message: &Outgoing) -> Option<SendMessageBatchRequestEntry> {
    let entry = SendMessageBatchRequestEntry::builder().id(id.to_string()).message_body(&message.body);
    let entry = if queue_url.ends_with(FIFO) {
        entry.message_group_id(GROUP).message_deduplication_id(deduplication_id(&message.body))
    } else {
        entry
    };
    let delay = (message.delay_seconds > 0).then_some(message.delay_seconds);
    entry.set_delay_seconds(delay).build().ok()
}

/// Such a queue drops a message that has the id of one in the five minutes before. Source: as above, SendMessage.
fn deduplication_id(body: &str) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
