//! SQS: standard queues with visibility timeouts, receive counts and dead-letter queues. A queue is there when it was made.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use md5::{Digest as _, Md5};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::faults::Fault;
use crate::ident;
use crate::wire::{Answer, Refusal};

/// Entries of one batch call. Source: Amazon SQS API Reference, SendMessageBatch.
const ENTRIES_MAX: usize = 10;

/// Bytes of a message, and of all messages of one call. Source: as above.
const BYTES_MAX: usize = 1_048_576;

/// How long a received message is hidden unless the queue or the call says otherwise. Source: as above, ReceiveMessage.
const VISIBILITY_TIMEOUT_S: i64 = 30;

/// A queue as it is to be made.
#[derive(Debug, Clone, Default)]
pub struct QueueOptions {
    /// After so many receives a message goes to the queue of that URL.
    pub dead_letters: Option<(u32, String)>,
}

/// A message as it lies in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: String,
    /// Its body.
    pub body: String,
    /// How often it was received.
    pub receives: u32,
}

/// The queues.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    queues: BTreeMap<String, Queue>,
    last: u64,
}

#[derive(Debug, Default)]
struct Queue {
    options: QueueOptions,
    messages: Vec<Held>,
}

#[derive(Debug)]
struct Held {
    message: Message,
    receipt: Option<String>,
    hidden_until_ms: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Batch<T> {
    queue_url: String,
    entries: Vec<T>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SendEntry {
    id: String,
    message_body: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ReceiptEntry {
    id: String,
    receipt_handle: String,
    visibility_timeout: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Receive {
    queue_url: String,
    max_number_of_messages: Option<usize>,
    visibility_timeout: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GetAttributes {
    queue_url: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GetUrl {
    queue_name: String,
}

impl Queues {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn make(&self, url: &str, options: QueueOptions) {
        self.state().queues.entry(url.to_owned()).or_default().options = options;
    }

    /// The messages of a queue, oldest first, hidden ones too.
    pub(crate) fn messages(&self, url: &str) -> Vec<Message> {
        let state = self.state();
        let held = state.queues.get(url).into_iter().flat_map(|queue| &queue.messages);
        held.map(|held| held.message.clone()).collect()
    }

    pub(crate) fn call(&self, operation: &str, body: &[u8], now_ms: i64, fault: Option<&Fault>) -> Answer {
        let mut state = self.state();
        match operation {
            "SendMessageBatch" => state.send(parse(body)?, fault),
            "ReceiveMessage" => state.receive(&parse(body)?, now_ms),
            "DeleteMessageBatch" => state.delete(parse(body)?),
            "ChangeMessageVisibilityBatch" => state.change_visibility(parse(body)?, now_ms),
            "GetQueueAttributes" => state.attributes(&parse(body)?),
            "GetQueueUrl" => state.url(&parse(body)?),
            _ => Err(Refusal::unknown_operation(&format!("AmazonSQS.{operation}"))),
        }
    }
}

impl State {
    fn queue(&mut self, url: &str) -> Result<&mut Queue, Refusal> {
        let missing = || Refusal::new("QueueDoesNotExist", "The specified queue does not exist.");
        self.queues.get_mut(url).ok_or_else(missing)
    }

    fn send(&mut self, batch: Batch<SendEntry>, fault: Option<&Fault>) -> Answer {
        self.queue(&batch.queue_url)?;
        check_count(batch.entries.len())?;
        if batch.entries.iter().map(|entry| entry.message_body.len()).sum::<usize>() > BYTES_MAX {
            return Err(Refusal::new("BatchRequestTooLong", "The length of all the messages is over the limit."));
        }
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for (place, entry) in batch.entries.into_iter().enumerate() {
            if let Some(code) = fault.and_then(|fault| fault.of_entry(place)) {
                failed.push(json!({"Id": entry.id, "Code": code, "SenderFault": false}));
                continue;
            }
            if entry.message_body.is_empty() || !entry.message_body.chars().all(is_taken) {
                failed.push(json!({"Id": entry.id, "Code": "InvalidMessageContents", "SenderFault": true}));
                continue;
            }
            self.last += 1;
            let id = ident::uuid(&["message", &self.last.to_string()]);
            let md5 = Md5::digest(entry.message_body.as_bytes());
            let md5: String = md5.iter().map(|byte| format!("{byte:02x}")).collect();
            successful.push(json!({"Id": entry.id, "MessageId": id, "MD5OfMessageBody": md5}));
            let message = Message { id, body: entry.message_body, receives: 0 };
            let held = Held { message, receipt: None, hidden_until_ms: i64::MIN };
            self.queue(&batch.queue_url)?.messages.push(held);
        }
        Ok(json!({"Successful": successful, "Failed": failed}))
    }

    fn receive(&mut self, request: &Receive, now_ms: i64) -> Answer {
        self.bury(&request.queue_url, now_ms)?;
        let most = request.max_number_of_messages.unwrap_or(1).clamp(1, ENTRIES_MAX);
        let hidden_ms = request.visibility_timeout.unwrap_or(VISIBILITY_TIMEOUT_S) * 1000;
        let mut last = self.last;
        let queue = self.queue(&request.queue_url)?;
        let mut received = Vec::new();
        for held in queue.messages.iter_mut().filter(|held| held.hidden_until_ms <= now_ms).take(most) {
            last += 1;
            let receipt = ident::uuid(&["receipt", &last.to_string()]);
            held.hidden_until_ms = now_ms.saturating_add(hidden_ms);
            held.message.receives += 1;
            received.push(json!({
                "MessageId": held.message.id,
                "ReceiptHandle": receipt,
                "Body": held.message.body,
                "Attributes": {"ApproximateReceiveCount": held.message.receives.to_string()},
            }));
            held.receipt = Some(receipt);
        }
        self.last = last;
        Ok(json!({ "Messages": received }))
    }

    /// Messages that were received too often, and are not hidden, go to the dead-letter queue.
    fn bury(&mut self, url: &str, now_ms: i64) -> Result<(), Refusal> {
        let queue = self.queue(url)?;
        let Some((most, dead_letters)) = queue.options.dead_letters.clone() else { return Ok(()) };
        let dead = |held: &mut Held| held.hidden_until_ms <= now_ms && held.message.receives >= most;
        let buried: Vec<Held> = queue.messages.extract_if(.., dead).collect();
        if let Some(queue) = self.queues.get_mut(&dead_letters) {
            queue.messages.extend(buried.into_iter().map(|held| Held {
                message: Message { receives: 0, ..held.message },
                receipt: None,
                hidden_until_ms: i64::MIN,
            }));
        }
        Ok(())
    }

    fn delete(&mut self, batch: Batch<ReceiptEntry>) -> Answer {
        let queue = self.queue(&batch.queue_url)?;
        check_count(batch.entries.len())?;
        let mut successful = Vec::new();
        for entry in batch.entries {
            queue.messages.retain(|held| held.receipt.as_deref() != Some(entry.receipt_handle.as_str()));
            successful.push(json!({ "Id": entry.id }));
        }
        Ok(json!({"Successful": successful, "Failed": []}))
    }

    fn change_visibility(&mut self, batch: Batch<ReceiptEntry>, now_ms: i64) -> Answer {
        let queue = self.queue(&batch.queue_url)?;
        check_count(batch.entries.len())?;
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for entry in batch.entries {
            let with_receipt = |held: &&mut Held| held.receipt.as_deref() == Some(entry.receipt_handle.as_str());
            match queue.messages.iter_mut().find(with_receipt) {
                Some(held) => {
                    held.hidden_until_ms = now_ms.saturating_add(entry.visibility_timeout.unwrap_or_default() * 1000);
                    successful.push(json!({ "Id": entry.id }));
                }
                None => failed.push(json!({"Id": entry.id, "Code": "MessageNotInflight", "SenderFault": true})),
            }
        }
        Ok(json!({"Successful": successful, "Failed": failed}))
    }

    fn attributes(&mut self, request: &GetAttributes) -> Answer {
        let queue = self.queue(&request.queue_url)?;
        let (count, bytes) = (queue.messages.len().to_string(), BYTES_MAX.to_string());
        let policy = queue.options.dead_letters.as_ref().map(|(most, url)| {
            let arn = format!("arn:aws:sqs:us-east-1:000000000000:{}", name(url));
            json!({"deadLetterTargetArn": arn, "maxReceiveCount": most}).to_string()
        });
        let mut attributes = BTreeMap::from([("ApproximateNumberOfMessages", count), ("MaximumMessageSize", bytes)]);
        attributes.extend(policy.map(|policy| ("RedrivePolicy", policy)));
        Ok(json!({ "Attributes": attributes }))
    }

    fn url(&self, request: &GetUrl) -> Answer {
        let url = self.queues.keys().find(|url| name(url) == request.queue_name);
        let missing = || Refusal::new("QueueDoesNotExist", "The specified queue does not exist.");
        Ok(json!({ "QueueUrl": url.ok_or_else(missing)? }))
    }
}

/// The name in a queue's URL.
fn name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or(url)
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::unreadable(&error))
}

fn check_count(entries: usize) -> Result<(), Refusal> {
    match entries {
        0 => Err(Refusal::new("EmptyBatchRequest", "The batch request doesn't contain any entries.")),
        1..=ENTRIES_MAX => Ok(()),
        _ => Err(Refusal::new(
            "TooManyEntriesInBatchRequest",
            "The batch request contains more entries than permissible.",
        )),
    }
}

/// The characters that a message may hold. Source: Amazon SQS API Reference, SendMessage, `MessageBody`.
fn is_taken(c: char) -> bool {
    matches!(c, '\u{9}' | '\u{A}' | '\u{D}' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}
