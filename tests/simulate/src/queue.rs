//! The queues, as a poller of the work queue sees them.

use instep_aws::QueueMessage;
use instep_flow::work::{Dependents, Origin};
use instep_model::Key;
use serde_json::{Value, json};

use crate::WORK;
use crate::net::Net;

/// Messages of one ReceiveMessage call.
const RECEIVED_MAX: usize = 10;

/// A received message.
#[derive(Debug, Clone)]
pub struct ReceivedMessages {
    /// As Lambda passes it to a process.
    pub delivered: QueueMessage,
    receipt: String,
}

/// What a message asks for, as far as the watch needs it.
#[derive(Debug, Clone, Default)]
pub struct MessageWork {
    /// The origin of its records. `None` for a message without records.
    pub origin: Option<Origin>,
    /// The sequence numbers of its records.
    pub sequences: Vec<u128>,
    /// Some of its records are in the bucket.
    pub has_pointers: bool,
    /// The object with whose dependents it continues.
    pub continues: Option<Dependents>,
    /// The orphans that it asks to delete.
    pub orphans: Vec<Key>,
}

/// Parses a message.
#[must_use]
pub fn held(message: &QueueMessage) -> MessageWork {
    let body: Value = serde_json::from_str(&message.body).unwrap_or_default();
    let dependents = body.pointer("/work/dependents").cloned();
    let continues = dependents.and_then(|dependents| serde_json::from_value(dependents).ok());
    let orphans = body.pointer("/work/extra/orphans").cloned();
    let orphans = orphans.and_then(|orphans| serde_json::from_value(orphans).ok()).unwrap_or_default();
    let Some(records) = body.pointer("/work/records") else {
        return MessageWork { continues, orphans, ..MessageWork::default() };
    };
    let sequence = |record: &Value| record.pointer("/dynamodb/SequenceNumber")?.as_str()?.parse().ok();
    let all = records.get("records").and_then(Value::as_array);
    let pointers = records.get("objects").and_then(Value::as_array);
    MessageWork {
        continues,
        orphans,
        has_pointers: pointers.is_some_and(|pointers| !pointers.is_empty()),
        origin: records.get("origin").cloned().and_then(|origin| serde_json::from_value(origin).ok()),
        sequences: all.into_iter().flatten().filter_map(sequence).collect(),
    }
}

/// Whether the queue has no message, visible or not.
#[must_use]
pub fn is_empty(net: &Net) -> bool {
    net.services.with_messages(WORK, |messages| messages.next().is_none())
}

/// Receives visible messages.
#[must_use]
pub fn receive(net: &Net, queue: &str) -> Vec<ReceivedMessages> {
    let names = json!(["ApproximateReceiveCount"]);
    let body = json!({"MaxNumberOfMessages": RECEIVED_MAX, "MessageSystemAttributeNames": names});
    let answer = net.sqs("ReceiveMessage", queue, body);
    let messages = answer.get("Messages").and_then(Value::as_array).cloned().unwrap_or_default();
    let received = |message: Value| {
        let text = |path: &str| message.pointer(path).and_then(Value::as_str).map(str::to_owned);
        let receives = text("/Attributes/ApproximateReceiveCount")?.parse().ok()?;
        let delivered = QueueMessage { id: text("/MessageId")?, body: text("/Body")?, receives };
        Some(ReceivedMessages { delivered, receipt: text("/ReceiptHandle")? })
    };
    messages.into_iter().filter_map(received).collect()
}

/// A person takes parked messages with these codes off a queue. Returns how many.
pub fn take_off(net: &Net, queue: &str, codes: &[&str]) -> usize {
    let is_taken = |message: &ReceivedMessages| {
        codes.iter().any(|code| message.delivered.body.contains(&format!("\"code\":\"{code}\"")))
    };
    let all = std::iter::repeat_with(|| receive(net, queue)).take_while(|received| !received.is_empty());
    let (taken, others): (Vec<_>, Vec<_>) = all.flatten().partition(is_taken);
    for (messages, change) in [(&taken, delete as fn(&Net, &str, &[ReceivedMessages])), (&others, release)] {
        messages.chunks(RECEIVED_MAX).for_each(|batch| change(net, queue, batch));
    }
    taken.len()
}

/// Deletes messages.
pub fn delete(net: &Net, queue: &str, messages: &[ReceivedMessages]) {
    change(net, ("DeleteMessageBatch", queue), messages, &json!({}));
}

/// Makes messages visible.
pub fn release(net: &Net, queue: &str, messages: &[ReceivedMessages]) {
    change(net, ("ChangeMessageVisibilityBatch", queue), messages, &json!({"VisibilityTimeout": 0}));
}

fn change(net: &Net, (operation, queue): (&str, &str), messages: &[ReceivedMessages], more: &Value) {
    let entry = |(place, message): (usize, &ReceivedMessages)| {
        let mut entry = json!({"Id": place.to_string(), "ReceiptHandle": message.receipt});
        if let (Some(entry), Some(more)) = (entry.as_object_mut(), more.as_object()) {
            entry.extend(more.clone());
        }
        entry
    };
    if !messages.is_empty() {
        let entries: Vec<Value> = messages.iter().enumerate().map(entry).collect();
        net.sqs(operation, queue, json!({ "Entries": entries }));
    }
}
