//! SQS: standard queues with delays, visibility timeouts, receive counts and dead-letter queues.
//!
//! A queue must be created before it is used. A directory persists the queues as a journal of the
//! requests that changed them. A delayed or in-flight message becomes visible at its time on the
//! stack's clock.

mod request;
mod state;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::LocalError;
use crate::faults::Fault;
use crate::journal::Journaled;
use crate::wire::{ErrorResponse, OperationResult};
use request::{BatchRequest, Receipt, Receive, SqsRequest};
use state::{Done, QueueState, failure};

/// The default visibility timeout. Source: Amazon SQS API Reference, CreateQueue,
/// `VisibilityTimeout`.
const VISIBILITY_TIMEOUT: Duration = Duration::from_secs(30);

/// The code of an error of the service itself.
const INTERNAL: &str = "InternalFailure";

/// The options of a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueOptions {
    /// The number of receives after which a message is moved to the dead-letter queue, and that
    /// queue's URL.
    pub dead_letters: Option<(u32, String)>,
    /// The default delay of a message.
    pub delay: Duration,
    /// The default visibility timeout of a received message.
    pub visibility_timeout: Duration,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { dead_letters: None, delay: Duration::ZERO, visibility_timeout: VISIBILITY_TIMEOUT }
    }
}

/// A message in a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedMessage {
    /// Its id.
    pub id: String,
    /// Its body.
    pub body: String,
    /// How often it was received.
    pub receives: u32,
}

/// The number of messages in a queue, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// They can be received now.
    pub visible: usize,
    /// They were received, and their visibility timeout has not ended.
    pub not_visible: usize,
    /// They were never received, and their delay has not ended.
    pub delayed: usize,
}

/// A received message.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Received {
    #[serde(rename = "MessageId")]
    pub(crate) id: String,
    #[serde(rename = "ReceiptHandle")]
    pub(crate) receipt: String,
    pub(crate) body: String,
    attributes: Counted,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Counted {
    approximate_receive_count: String,
}

impl Received {
    pub(crate) fn receives(&self) -> u32 {
        self.attributes.approximate_receive_count.parse().unwrap_or(1)
    }
}

/// The queues.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    queues: Mutex<Journaled<QueueState>>,
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
enum Entry {
    /// A snapshot of the queues.
    Queues(QueueState),
    /// A queue was created, or its options were changed.
    Made { url: String, options: QueueOptions },
    /// A request changed a queue.
    Request { at_ms: i64, request: SqsRequest },
}

impl Queues {
    /// The queues that the journal at `path` describes. None if there is no journal.
    pub(crate) fn open(path: &Path) -> Result<Self, LocalError> {
        let mut queues = Journaled::open(path, QueueState::default(), |state, entry| {
            match entry {
                Entry::Queues(persisted) => *state = persisted,
                Entry::Made { url, options } => drop(state.make(&url, &options)),
                Entry::Request { at_ms, request } => drop(state.apply(&request, at_ms)?),
            }
            Ok(())
        })?;
        queues.compact(|state| Entry::Queues(state.clone()))?;
        Ok(Self { queues: Mutex::new(queues) })
    }

    fn queues(&self) -> MutexGuard<'_, Journaled<QueueState>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a queue, or changes the options of an existing one.
    pub(crate) fn make(&self, url: &str, options: QueueOptions) {
        let mut queues = self.queues();
        if queues.state.make(url, &options) {
            // If this cannot be written, the next request fails.
            let _ = queues.note(&Entry::Made { url: url.to_owned(), options }, INTERNAL);
        }
    }

    /// A queue's options. `None` if there is no such queue.
    pub(crate) fn options(&self, url: &str) -> Option<QueueOptions> {
        self.queues().state.options(url).cloned()
    }

    /// Reads the messages of a queue, oldest first, including hidden ones.
    pub(crate) fn with_messages<T>(
        &self,
        url: &str,
        read: impl FnOnce(&mut dyn Iterator<Item = &QueuedMessage>) -> T,
    ) -> T {
        read(&mut self.queues().state.messages(url))
    }

    pub(crate) fn counts(&self, url: &str, now_ms: i64) -> QueueCounts {
        self.queues().state.counts(url, now_ms)
    }

    /// When the next hidden message becomes visible. `None` if no message is hidden.
    pub(crate) fn next_visible_ms(&self, url: &str, now_ms: i64) -> Option<i64> {
        self.queues().state.next_visible_ms(url, now_ms)
    }

    /// Receives up to `most` messages, with the queue's visibility timeout.
    pub(crate) fn receive(&self, url: &str, most: usize, now_ms: i64) -> Result<Vec<Received>, LocalError> {
        let request = Receive {
            queue_url: url.to_owned(),
            max_number_of_messages: Some(most),
            message_system_attribute_names: vec!["ApproximateReceiveCount".to_owned()],
            ..Receive::default()
        };
        let answer = run(&mut self.queues(), SqsRequest::ReceiveMessage(request), now_ms);
        let mut answer = answer.map_err(|refusal| failed("receive messages", refusal))?;
        let messages = answer.get_mut("Messages").map(Value::take).unwrap_or_default();
        serde_json::from_value(messages).map_err(LocalError::engine("receive messages"))
    }

    /// Deletes messages by their receipts, at most as many as one call accepts.
    pub(crate) fn delete(&self, url: &str, receipts: Vec<String>, now_ms: i64) -> Result<(), LocalError> {
        if receipts.is_empty() {
            return Ok(());
        }
        let entry = |(place, receipt_handle): (usize, String)| Receipt {
            id: place.to_string(),
            receipt_handle,
            visibility_timeout: None,
        };
        let entries = receipts.into_iter().enumerate().map(entry).collect();
        let request = SqsRequest::DeleteMessageBatch(BatchRequest { queue_url: url.to_owned(), entries });
        run(&mut self.queues(), request, now_ms).map(drop).map_err(|refusal| failed("delete messages", refusal))
    }

    /// Answers one call. Of a fault, only the part about entries applies.
    pub(crate) fn call(&self, operation: &str, body: &[u8], now_ms: i64, fault: Option<&Fault>) -> OperationResult {
        let mut request = SqsRequest::read(operation, body)?;
        let faulty = take_failing_entries(&mut request, fault);
        let is_empty = matches!(&request, SqsRequest::SendMessageBatch(batch) if batch.entries.is_empty());
        if is_empty && !faulty.is_empty() {
            return Ok(json!({"Successful": [], "Failed": faulty}));
        }
        let mut answer = run(&mut self.queues(), request, now_ms)?;
        if let Some(failed) = answer.get_mut("Failed").and_then(Value::as_array_mut) {
            failed.extend(faulty);
        }
        Ok(answer)
    }
}

/// Applies a request, and writes it to the journal if it changed something.
fn run(queues: &mut Journaled<QueueState>, request: SqsRequest, now_ms: i64) -> OperationResult {
    queues.check(INTERNAL)?;
    let Done { answer, changed } = queues.state.apply(&request, now_ms)?;
    if changed {
        queues.note(&Entry::Request { at_ms: now_ms, request }, INTERNAL)?;
    }
    Ok(answer)
}

/// Removes the entries that a fault makes fail from a request, and returns their errors.
fn take_failing_entries(request: &mut SqsRequest, fault: Option<&Fault>) -> Vec<Value> {
    let (SqsRequest::SendMessageBatch(batch), Some(fault)) = (request, fault) else { return Vec::new() };
    let mut failed = Vec::new();
    let mut place = 0;
    batch.entries.retain(|entry| {
        let code = fault.of_entry(place);
        place += 1;
        failed.extend(code.map(|code| failure(&entry.id, code, false, "a fault, as the test asked for")));
        code.is_none()
    });
    failed
}

fn failed(what: &'static str, refusal: ErrorResponse) -> LocalError {
    LocalError::Engine { what, why: format!("{}: {}", refusal.code, refusal.message) }
}
