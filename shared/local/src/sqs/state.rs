//! The content of the queues, and the effect of each request.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::request::{BatchRequest, GetAttributes, GetUrl, Receipt, Receive, Send, SqsRequest, asks_for};
use super::{QueueCounts, QueueOptions, QueuedMessage};
use crate::ident::{self, ACCOUNT, REGION};
use crate::wire::{ErrorResponse, md5};

/// The maximum number of entries of one batch call. Source: Amazon SQS API Reference,
/// SendMessageBatch.
pub(super) const ENTRIES_MAX: usize = 10;

/// The maximum number of bytes of a message, and of all messages of one call. Source: as above.
const BYTES_MAX: usize = 1_048_576;

/// The maximum delay of a message, in seconds. Source: as above, `DelaySeconds`.
const DELAY_MAX_S: i64 = 900;

/// The default retention period, in seconds. Source: Amazon SQS API Reference, CreateQueue,
/// `MessageRetentionPeriod`. The stand-in never deletes messages because of their age.
const RETENTION_S: i64 = 345_600;

/// All queues, by URL.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct QueueState {
    queues: BTreeMap<String, Queue>,
    /// The number of ids that were generated.
    last: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Queue {
    options: QueueOptions,
    messages: Vec<StoredMessage>,
}

/// A message in its queue, with its delivery state.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredMessage {
    message: QueuedMessage,
    sent_ms: i64,
    first_received_ms: Option<i64>,
    /// The latest receipt handle.
    receipt: Option<String>,
    /// The time until which it is hidden: by its delay, or by the visibility timeout of its latest
    /// receive.
    hidden_until_ms: i64,
}

/// The outcome of a request.
pub(super) struct Done {
    pub(super) answer: Value,
    /// Whether the request changed the queues.
    pub(super) changed: bool,
}

type Outcome = Result<Done, ErrorResponse>;

impl QueueState {
    /// Creates a queue, or changes the options of an existing one. Returns whether anything
    /// changed.
    pub(super) fn make(&mut self, url: &str, options: &QueueOptions) -> bool {
        if self.queues.get(url).is_some_and(|queue| queue.options == *options) {
            return false;
        }
        self.queues.entry(url.to_owned()).or_default().options = options.clone();
        true
    }

    /// A queue's options. `None` if there is no such queue.
    pub(super) fn options(&self, url: &str) -> Option<&QueueOptions> {
        self.queues.get(url).map(|queue| &queue.options)
    }

    pub(super) fn messages(&self, url: &str) -> impl Iterator<Item = &QueuedMessage> {
        self.stored(url).map(|stored| &stored.message)
    }

    pub(super) fn counts(&self, url: &str, now_ms: i64) -> QueueCounts {
        let mut counts = QueueCounts::default();
        for stored in self.stored(url) {
            *match (stored.hidden_until_ms <= now_ms, &stored.receipt) {
                (true, _) => &mut counts.visible,
                (false, Some(_)) => &mut counts.not_visible,
                (false, None) => &mut counts.delayed,
            } += 1;
        }
        counts
    }

    /// When the next hidden message becomes visible. `None` if no message is hidden.
    pub(super) fn next_visible_ms(&self, url: &str, now_ms: i64) -> Option<i64> {
        self.stored(url).map(|stored| stored.hidden_until_ms).filter(|until_ms| *until_ms > now_ms).min()
    }

    fn stored(&self, url: &str) -> impl Iterator<Item = &StoredMessage> {
        self.queues.get(url).into_iter().flat_map(|queue| &queue.messages)
    }

    fn queue(&mut self, url: &str) -> Result<&mut Queue, ErrorResponse> {
        self.queues.get_mut(url).ok_or_else(missing)
    }

    /// Applies a request.
    pub(super) fn apply(&mut self, request: &SqsRequest, now_ms: i64) -> Outcome {
        match request {
            SqsRequest::SendMessageBatch(batch) => self.send(batch, now_ms),
            SqsRequest::ReceiveMessage(receive) => self.receive(receive, now_ms),
            SqsRequest::DeleteMessageBatch(batch) => self.delete(batch),
            SqsRequest::ChangeMessageVisibilityBatch(batch) => self.change_visibility(batch, now_ms),
            SqsRequest::GetQueueAttributes(get) => self.attributes(get, now_ms),
            SqsRequest::GetQueueUrl(get) => self.url(get),
        }
    }

    fn send(&mut self, batch: &BatchRequest<Send>, now_ms: i64) -> Outcome {
        let url = &batch.queue_url;
        let delay = self.queue(url)?.options.delay;
        check_count(batch.entries.len())?;
        if batch.entries.iter().map(|entry| entry.message_body.len()).sum::<usize>() > BYTES_MAX {
            return Err(ErrorResponse::new("BatchRequestTooLong", "The length of all the messages is over the limit."));
        }
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for entry in &batch.entries {
            if let Err(refusal) = check_entry(entry) {
                failed.push(failure(&entry.id, &refusal.code, true, &refusal.message));
                continue;
            }
            self.last += 1;
            let id = ident::uuid(&["message", &self.last.to_string()]);
            let body = entry.message_body.clone();
            successful.push(json!({"Id": entry.id, "MessageId": id, "MD5OfMessageBody": md5(body.as_bytes())}));
            let delay_ms = entry.delay_seconds.map_or_else(|| millis(delay), |seconds| seconds * 1000);
            self.queue(url)?.messages.push(StoredMessage {
                message: QueuedMessage { id, body, receives: 0 },
                sent_ms: now_ms,
                first_received_ms: None,
                receipt: None,
                hidden_until_ms: if delay_ms > 0 { now_ms.saturating_add(delay_ms) } else { i64::MIN },
            });
        }
        let changed = !successful.is_empty();
        Ok(Done { answer: json!({"Successful": successful, "Failed": failed}), changed })
    }

    fn receive(&mut self, request: &Receive, now_ms: i64) -> Outcome {
        let moved = self.move_dead_letters(&request.queue_url, now_ms)?;
        let most = request.max_number_of_messages.unwrap_or(1).clamp(1, ENTRIES_MAX);
        let mut last = self.last;
        let queue = self.queue(&request.queue_url)?;
        let hidden_ms =
            request.visibility_timeout.map_or_else(|| millis(queue.options.visibility_timeout), |s| s * 1000);
        let mut received = Vec::new();
        for stored in queue.messages.iter_mut().filter(|stored| stored.hidden_until_ms <= now_ms).take(most) {
            last += 1;
            let receipt = ident::uuid(&["receipt", &last.to_string()]);
            stored.hidden_until_ms = now_ms.saturating_add(hidden_ms);
            stored.message.receives += 1;
            stored.first_received_ms.get_or_insert(now_ms);
            received.push(stored.seen(&receipt, request));
            stored.receipt = Some(receipt);
        }
        self.last = last;
        let changed = moved || !received.is_empty();
        Ok(Done { answer: json!({ "Messages": received }), changed })
    }

    /// Moves messages that were received too often, and are not hidden, to the dead-letter queue.
    /// They keep their ids, their time and their receive count, which counts across all queues.
    fn move_dead_letters(&mut self, url: &str, now_ms: i64) -> Result<bool, ErrorResponse> {
        let queue = self.queue(url)?;
        let Some((most, dead_letters)) = queue.options.dead_letters.clone() else { return Ok(false) };
        let dead = |stored: &mut StoredMessage| stored.hidden_until_ms <= now_ms && stored.message.receives >= most;
        let moved: Vec<StoredMessage> = queue.messages.extract_if(.., dead).collect();
        let changed = !moved.is_empty();
        if let Some(queue) = self.queues.get_mut(&dead_letters) {
            let as_new = |stored| StoredMessage { receipt: None, hidden_until_ms: i64::MIN, ..stored };
            queue.messages.extend(moved.into_iter().map(as_new));
        }
        Ok(changed)
    }

    fn delete(&mut self, batch: &BatchRequest<Receipt>) -> Outcome {
        let queue = self.queue(&batch.queue_url)?;
        check_count(batch.entries.len())?;
        let before = queue.messages.len();
        let mut successful = Vec::new();
        for entry in &batch.entries {
            queue.messages.retain(|stored| !stored.has(&entry.receipt_handle));
            successful.push(json!({ "Id": entry.id }));
        }
        let changed = queue.messages.len() < before;
        Ok(Done { answer: json!({"Successful": successful, "Failed": []}), changed })
    }

    fn change_visibility(&mut self, batch: &BatchRequest<Receipt>, now_ms: i64) -> Outcome {
        let queue = self.queue(&batch.queue_url)?;
        check_count(batch.entries.len())?;
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for entry in &batch.entries {
            match queue.messages.iter_mut().find(|stored| stored.has(&entry.receipt_handle)) {
                Some(stored) => {
                    let hidden_ms = entry.visibility_timeout.unwrap_or_default() * 1000;
                    stored.hidden_until_ms = now_ms.saturating_add(hidden_ms);
                    successful.push(json!({ "Id": entry.id }));
                }
                None => failed.push(failure(&entry.id, "MessageNotInflight", true, "It is not in flight.")),
            }
        }
        let changed = !successful.is_empty();
        Ok(Done { answer: json!({"Successful": successful, "Failed": failed}), changed })
    }

    fn attributes(&mut self, request: &GetAttributes, now_ms: i64) -> Outcome {
        let url = &request.queue_url;
        let counts = self.counts(url, now_ms);
        let options = &self.queue(url)?.options;
        let policy = options.dead_letters.as_ref().map(|(most, dead_letters)| {
            json!({"deadLetterTargetArn": arn(dead_letters), "maxReceiveCount": most}).to_string()
        });
        let all = [
            ("ApproximateNumberOfMessages", counts.visible.to_string()),
            ("ApproximateNumberOfMessagesNotVisible", counts.not_visible.to_string()),
            ("ApproximateNumberOfMessagesDelayed", counts.delayed.to_string()),
            ("DelaySeconds", options.delay.as_secs().to_string()),
            ("MaximumMessageSize", BYTES_MAX.to_string()),
            ("MessageRetentionPeriod", RETENTION_S.to_string()),
            ("QueueArn", arn(url)),
            ("VisibilityTimeout", options.visibility_timeout.as_secs().to_string()),
        ];
        let asked = |(name, _): &(&str, String)| asks_for(&request.attribute_names, name);
        let all = all.into_iter().chain(policy.map(|policy| ("RedrivePolicy", policy)));
        let attributes: BTreeMap<_, _> = all.filter(asked).collect();
        Ok(Done { answer: json!({ "Attributes": attributes }), changed: false })
    }

    fn url(&self, request: &GetUrl) -> Outcome {
        let url = self.queues.keys().find(|url| name(url) == request.queue_name);
        Ok(Done { answer: json!({ "QueueUrl": url.ok_or_else(missing)? }), changed: false })
    }
}

impl StoredMessage {
    fn has(&self, receipt: &str) -> bool {
        self.receipt.as_deref() == Some(receipt)
    }

    /// The message as a receive returns it, with the requested attributes.
    fn seen(&self, receipt: &str, request: &Receive) -> Value {
        let QueuedMessage { id, body, receives } = &self.message;
        let attributes = [
            ("SentTimestamp", Some(self.sent_ms.to_string())),
            ("ApproximateReceiveCount", Some(receives.to_string())),
            ("ApproximateFirstReceiveTimestamp", self.first_received_ms.map(|ms| ms.to_string())),
        ];
        let (names, older) = (&request.message_system_attribute_names, &request.attribute_names);
        let asked = attributes.into_iter().filter(|(name, _)| asks_for(names, name) || asks_for(older, name));
        let asked: Map<String, Value> =
            asked.filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))).collect();
        let mut message =
            json!({"MessageId": id, "ReceiptHandle": receipt, "MD5OfBody": md5(body.as_bytes()), "Body": body});
        if let (false, Some(members)) = (asked.is_empty(), message.as_object_mut()) {
            members.insert("Attributes".to_owned(), Value::Object(asked));
        }
        message
    }
}

/// The error of one entry of a batch call.
pub(super) fn failure(id: &str, code: &str, is_senders: bool, message: &str) -> Value {
    json!({"Id": id, "Code": code, "SenderFault": is_senders, "Message": message})
}

fn missing() -> ErrorResponse {
    ErrorResponse::new("QueueDoesNotExist", "The specified queue does not exist.")
}

/// The name in a queue's URL.
fn name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or(url)
}

fn arn(url: &str) -> String {
    format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{}", name(url))
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn check_count(entries: usize) -> Result<(), ErrorResponse> {
    match entries {
        0 => Err(ErrorResponse::new("EmptyBatchRequest", "The batch request doesn't contain any entries.")),
        1..=ENTRIES_MAX => Ok(()),
        _ => Err(ErrorResponse::new(
            "TooManyEntriesInBatchRequest",
            "The batch request contains more entries than permissible.",
        )),
    }
}

fn check_entry(entry: &Send) -> Result<(), ErrorResponse> {
    if let Some(seconds) = entry.delay_seconds.filter(|seconds| !(0..=DELAY_MAX_S).contains(seconds)) {
        let reason = format!("Reason: DelaySeconds must be >= 0 and <= {DELAY_MAX_S}.");
        let message = format!("Value {seconds} for parameter DelaySeconds is invalid. {reason}");
        return Err(ErrorResponse::new("InvalidParameterValue", message));
    }
    if entry.message_body.is_empty() || !entry.message_body.chars().all(is_allowed) {
        return Err(ErrorResponse::new("InvalidMessageContents", "The message is empty or holds invalid characters."));
    }
    Ok(())
}

/// The characters that a message may contain. Source: Amazon SQS API Reference, SendMessage,
/// `MessageBody`.
fn is_allowed(c: char) -> bool {
    matches!(c, '\u{9}' | '\u{A}' | '\u{D}' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}
