//! SQS: standard queues with delays, visibility timeouts, receive counts and dead-letter queues.
//!
//! A queue exists once somebody made it. A directory keeps the queues as a journal of the requests
//! that changed them. A message that is delayed or in flight shows itself when the stack's clock
//! says so.

mod request;
mod state;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::dir::Lines;
use crate::error::LocalError;
use crate::faults::Fault;
use crate::wire::{Answer, Refusal};
use request::{Batch, Receipt, Receive, Request};
use state::{Done, State, failure};

/// How long a queue hides a received message unless it says otherwise.
/// Source: Amazon SQS API Reference, CreateQueue, `VisibilityTimeout`.
const VISIBILITY_TIMEOUT: Duration = Duration::from_secs(30);

/// Lines of the journal beyond which an opening puts them together into one.
const JOURNAL_LINES_MAX: usize = 1_000;

/// A queue as it is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueOptions {
    /// After so many receives a message goes to the queue of that URL.
    pub dead_letters: Option<(u32, String)>,
    /// How long the queue hides a new message, unless the sender says otherwise.
    pub delay: Duration,
    /// How long the queue hides a received message, unless the receiver says otherwise.
    pub visibility_timeout: Duration,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { dead_letters: None, delay: Duration::ZERO, visibility_timeout: VISIBILITY_TIMEOUT }
    }
}

/// A message as it lies in a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its id.
    pub id: String,
    /// Its body.
    pub body: String,
    /// How often it was received.
    pub receives: u32,
}

/// How many messages a queue holds, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// Anybody may receive them now.
    pub visible: usize,
    /// Somebody received them, and their visibility timeout runs.
    pub not_visible: usize,
    /// Nobody received them yet, and their delay runs.
    pub delayed: usize,
}

/// A message that somebody received.
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

/// The queues, and the journal that keeps them.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    persisted: Mutex<Persisted>,
}

#[derive(Debug, Default)]
struct Persisted {
    state: State,
    journal: Option<Lines>,
    /// The journal cannot be written: the queues are ahead of it, so nothing more may happen to them.
    broken: Option<String>,
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
enum Entry {
    /// The queues as they were.
    Queues(State),
    /// Somebody made a queue, or gave one other options.
    Made { url: String, options: QueueOptions },
    /// A request changed a queue.
    Request { at_ms: i64, request: Request },
}

impl Queues {
    /// The queues that the journal at `path` tells of; none where there is no journal.
    pub(crate) fn open(path: &Path) -> Result<Self, LocalError> {
        let (mut journal, lines) = Lines::open(path)?;
        let mut state = State::default();
        for (place, line) in lines.iter().enumerate() {
            match serde_json::from_str(line).map_err(|error| journal.damaged(place, error.to_string()))? {
                Entry::Queues(persisted) => state = persisted,
                Entry::Made { url, options } => {
                    state.make(&url, &options);
                }
                Entry::Request { at_ms, request } => {
                    // The journal has only requests that succeeded, and from the same state they do again.
                    state.apply(&request, at_ms).map_err(|refusal| journal.damaged(place, refusal.message))?;
                }
            }
        }
        if lines.len() > JOURNAL_LINES_MAX {
            // An `Entry::Queues` that borrows.
            let line = serde_json::to_vec(&json!({ "Queues": &state }));
            journal.replace(line.map_err(LocalError::engine("write the queues"))?)?;
        }
        Ok(Self { persisted: Mutex::new(Persisted { state, journal: Some(journal), broken: None }) })
    }

    fn persisted(&self) -> MutexGuard<'_, Persisted> {
        self.persisted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a queue, or gives one that is there these options.
    pub(crate) fn make(&self, url: &str, options: QueueOptions) {
        let mut persisted = self.persisted();
        if persisted.state.make(url, &options) {
            // Where this cannot be written, the next request says so.
            let _ = persisted.note(&Entry::Made { url: url.to_owned(), options });
        }
    }

    /// A queue's options; none: there is no such queue.
    pub(crate) fn options(&self, url: &str) -> Option<QueueOptions> {
        self.persisted().state.options(url).cloned()
    }

    /// The messages of a queue, oldest first, hidden ones too.
    pub(crate) fn messages(&self, url: &str) -> Vec<Message> {
        self.persisted().state.messages(url)
    }

    pub(crate) fn counts(&self, url: &str, now_ms: i64) -> QueueCounts {
        self.persisted().state.counts(url, now_ms)
    }

    /// When the next hidden message shows itself; none: the queue hides no message.
    pub(crate) fn next_visible_ms(&self, url: &str, now_ms: i64) -> Option<i64> {
        self.persisted().state.next_visible_ms(url, now_ms)
    }

    /// Receives up to `most` messages, which the queue hides for its visibility timeout.
    pub(crate) fn receive(&self, url: &str, most: usize, now_ms: i64) -> Result<Vec<Received>, LocalError> {
        let request = Receive {
            queue_url: url.to_owned(),
            max_number_of_messages: Some(most),
            message_system_attribute_names: vec!["ApproximateReceiveCount".to_owned()],
            ..Receive::default()
        };
        let answer = self.persisted().run(Request::ReceiveMessage(request), now_ms);
        let mut answer = answer.map_err(|refusal| failed("receive messages", refusal))?;
        let messages = answer.get_mut("Messages").map(Value::take).unwrap_or_default();
        serde_json::from_value(messages).map_err(LocalError::engine("receive messages"))
    }

    /// Deletes messages by their receipts, as many as one call takes.
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
        let request = Request::DeleteMessageBatch(Batch { queue_url: url.to_owned(), entries });
        self.persisted().run(request, now_ms).map(drop).map_err(|refusal| failed("delete messages", refusal))
    }

    /// Answers one call. Of a fault only what concerns entries counts.
    pub(crate) fn call(&self, operation: &str, body: &[u8], now_ms: i64, fault: Option<&Fault>) -> Answer {
        let mut request = Request::read(operation, body)?;
        let faulty = take_failing_entries(&mut request, fault);
        let is_empty = matches!(&request, Request::SendMessageBatch(batch) if batch.entries.is_empty());
        if is_empty && !faulty.is_empty() {
            return Ok(json!({"Successful": [], "Failed": faulty}));
        }
        let mut answer = self.persisted().run(request, now_ms)?;
        if let Some(failed) = answer.get_mut("Failed").and_then(Value::as_array_mut) {
            failed.extend(faulty);
        }
        Ok(answer)
    }
}

impl Persisted {
    /// Does what a request asks for, and journals it where it changed something.
    fn run(&mut self, request: Request, now_ms: i64) -> Answer {
        if let Some(why) = &self.broken {
            return Err(internal(why));
        }
        let Done { answer, changed } = self.state.apply(&request, now_ms)?;
        if changed {
            self.note(&Entry::Request { at_ms: now_ms, request })?;
        }
        Ok(answer)
    }

    fn note(&mut self, entry: &Entry) -> Result<(), Refusal> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let line = serde_json::to_vec(entry).map_err(LocalError::engine("write the queues"));
        line.and_then(|line| journal.append(line)).map_err(|error| {
            let why = error.to_string();
            let refusal = internal(&why);
            self.broken = Some(why);
            refusal
        })
    }
}

/// Takes the entries out of a send that a fault lets fail, and says how they fail.
fn take_failing_entries(request: &mut Request, fault: Option<&Fault>) -> Vec<Value> {
    let (Request::SendMessageBatch(batch), Some(fault)) = (request, fault) else { return Vec::new() };
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

fn failed(what: &'static str, refusal: Refusal) -> LocalError {
    LocalError::Engine { what, why: format!("{}: {}", refusal.code, refusal.message) }
}

fn internal(message: &str) -> Refusal {
    Refusal { status: 500, code: "InternalFailure".to_owned(), message: message.to_owned() }
}
