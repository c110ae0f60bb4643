//! The queue pump: passes the messages of a queue to a handler as Lambda's event source mapping
//! does.
//!
//! The rules are those of the AWS Lambda Developer Guide, "Using Lambda with Amazon SQS", with
//! `ReportBatchItemFailures`:
//! - A batch has at most ten messages, and no more than the payload of an invocation allows.
//! - The pump deletes the messages that the handler does not report.
//! - A reported message stays hidden until the queue's visibility timeout ends. So do all messages
//!   of an invocation that fails.
//! - Each receive counts. A message that was received too often is moved to the dead-letter queue.
//!
//! Delayed and in-flight messages depend on the stack's clock, which does not run by itself. So a
//! drain advances the clock to the next message and never sleeps. It ends when the queue has no
//! message at all: none visible, none delayed and none in flight. Therefore captures may set the
//! clock back after a drain.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use instep_aws::QueueMessage;

use crate::error::LocalError;
use crate::services::{FUNCTION_TIMEOUT, Services};
use crate::sqs::{QueuedMessage, Received};

/// The maximum number of messages of a batch without a batching window. Source: AWS Lambda API
/// Reference, CreateEventSourceMapping, `BatchSize`.
const BATCH_SIZE_MAX: usize = 10;

/// The maximum number of bytes of a batch, so that the event fits the payload of an invocation.
/// Source: AWS Lambda Developer Guide, "Lambda quotas", invocation payload: 6 MB.
const BATCH_BYTES_MAX: usize = 6 * 1024 * 1024;

/// The maximum timeout of a function. Source: as above, function timeout.
const FUNCTION_TIMEOUT_MAX: Duration = Duration::from_secs(900);

/// INVARIANT 8: the maximum number of batches of one drain. A message that fails ends in the
/// dead-letter queue, and work that causes work ends. Messages that cause each other do not end.
/// Tests use a lower limit.
const DELIVERIES_MAX: u64 = if cfg!(test) { 200 } else { 200_000 };

/// The options of an event source mapping and of its function. The visibility timeout is an option
/// of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePumpOptions {
    /// Messages in a batch, 1 to 10.
    pub batch_size: usize,
    /// The timeout of the function. The queue's visibility timeout must not be shorter.
    pub function_timeout: Duration,
}

impl Default for QueuePumpOptions {
    fn default() -> Self {
        Self { batch_size: BATCH_SIZE_MAX, function_timeout: FUNCTION_TIMEOUT }
    }
}

/// The target of the pump: a Lambda function behind a queue.
pub trait QueueHandler {
    /// Handles a batch. Returns the ids of the messages that must be delivered again. An error
    /// means that the invocation failed as a whole.
    fn handle(&mut self, messages: &[QueueMessage]) -> impl Future<Output = Result<Vec<String>, String>>;
}

/// The outcome of a drain.
#[derive(Debug, Clone, Default)]
pub struct QueueDrained {
    /// The number of delivered batches.
    pub batches: u64,
    /// The number of delivered messages. A message that is delivered again counts again.
    pub messages: u64,
    /// The messages that were returned to the queue.
    pub returned: Vec<Returned>,
    /// The messages that were moved to the dead-letter queue.
    pub dead_letters: Vec<QueuedMessage>,
}

/// Messages of one batch that were returned to the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// Their ids.
    pub ids: Vec<String>,
    /// Why.
    pub why: String,
}

/// Delivers the messages of a queue.
#[derive(Debug, Clone)]
pub struct QueuePump {
    services: Arc<Services>,
    url: String,
    options: QueuePumpOptions,
}

impl QueuePump {
    /// A pump of a queue.
    ///
    /// # Errors
    /// The queue does not exist, or an option is outside of Lambda's limits.
    pub fn new(services: Arc<Services>, url: &str, options: QueuePumpOptions) -> Result<Self, LocalError> {
        let out_of = |what, given: String, allowed| Err(LocalError::Option { what, given, allowed });
        let Some(queue) = services.queues.options(url) else {
            return out_of("the queue", format!("`{url}`"), "a queue that is there");
        };
        if !(1..=BATCH_SIZE_MAX).contains(&options.batch_size) {
            return out_of("the batch size", options.batch_size.to_string(), "1 to 10");
        }
        let timeout = options.function_timeout;
        if timeout > FUNCTION_TIMEOUT_MAX || timeout > queue.visibility_timeout {
            let given = format!("{} s", timeout.as_secs());
            return out_of("the function timeout", given, "900 s and the queue's visibility timeout");
        }
        Ok(Self { services, url: url.to_owned(), options })
    }

    /// Delivers messages until the queue is empty, including those that the handler sends. Advances
    /// the clock to delayed and in-flight messages.
    ///
    /// # Errors
    /// The queue's journal cannot be written, or the queue never becomes empty.
    pub async fn drain<H: QueueHandler>(&mut self, handler: &mut H) -> Result<QueueDrained, LocalError> {
        let mut drained = QueueDrained::default();
        let dead_before: BTreeSet<String> = self.dead_letters().into_iter().map(|message| message.id).collect();
        loop {
            while self.step_into(handler, &mut drained).await? {
                if drained.batches > DELIVERIES_MAX {
                    return Err(LocalError::QueueNeverEmpty { url: self.url.clone(), deliveries: DELIVERIES_MAX });
                }
            }
            if !self.wait_for_next() {
                break;
            }
        }
        drained.dead_letters = self.dead_letters();
        drained.dead_letters.retain(|message| !dead_before.contains(&message.id));
        Ok(drained)
    }

    /// Delivers one batch of visible messages, without advancing the clock. `None` if no message is
    /// visible.
    ///
    /// # Errors
    /// The queue's journal cannot be written.
    pub async fn step<H: QueueHandler>(&mut self, handler: &mut H) -> Result<Option<QueueDrained>, LocalError> {
        let mut drained = QueueDrained::default();
        Ok(self.step_into(handler, &mut drained).await?.then_some(drained))
    }

    async fn step_into<H: QueueHandler>(
        &mut self,
        handler: &mut H,
        drained: &mut QueueDrained,
    ) -> Result<bool, LocalError> {
        let now_ms = self.services.clock.now_ms();
        let received = self.services.queues.receive(&self.url, self.options.batch_size, now_ms)?;
        let is_any = !received.is_empty();
        for batch in in_payloads(received) {
            self.invoke(&batch, handler, drained).await?;
        }
        Ok(is_any)
    }

    async fn invoke<H: QueueHandler>(
        &self,
        batch: &[Received],
        handler: &mut H,
        drained: &mut QueueDrained,
    ) -> Result<(), LocalError> {
        let delivered = |message: &Received| QueueMessage {
            id: message.id.clone(),
            body: message.body.clone(),
            receives: message.receives(),
        };
        let messages: Vec<QueueMessage> = batch.iter().map(delivered).collect();
        let outcome = handler.handle(&messages).await;
        drained.batches += 1;
        drained.messages += messages.len() as u64;
        let (stays, why) = interpret(outcome, batch);
        let is_done = |message: &&Received| !stays.contains(message.id.as_str());
        let receipts = batch.iter().filter(is_done).map(|message| message.receipt.clone()).collect();
        self.services.queues.delete(&self.url, receipts, self.services.clock.now_ms())?;
        if !stays.is_empty() {
            let ids = stays.into_iter().map(str::to_owned).collect();
            drained.returned.push(Returned { ids, why });
        }
        Ok(())
    }

    /// Advances the clock to the next hidden message. `false` if no message is hidden.
    fn wait_for_next(&self) -> bool {
        let now_ms = self.services.clock.now_ms();
        let Some(next_ms) = self.services.queues.next_visible_ms(&self.url, now_ms) else { return false };
        self.services.clock.advance(Duration::from_millis(next_ms.abs_diff(now_ms)));
        true
    }

    /// The messages in the queue's dead-letter queue.
    fn dead_letters(&self) -> Vec<QueuedMessage> {
        let queue = self.services.queues.options(&self.url);
        let dead_letters = queue.and_then(|queue| queue.dead_letters);
        dead_letters.map(|(_, url)| self.services.messages(&url)).unwrap_or_default()
    }
}

/// Splits messages into batches that fit an invocation.
fn in_payloads(received: Vec<Received>) -> Vec<Vec<Received>> {
    let mut batches: Vec<Vec<Received>> = Vec::new();
    let mut bytes = 0;
    for message in received {
        bytes += message.body.len();
        match batches.last_mut() {
            Some(batch) if bytes <= BATCH_BYTES_MAX => batch.push(message),
            Some(_) | None => {
                bytes = message.body.len();
                batches.push(vec![message]);
            }
        }
    }
    batches
}

/// The messages that are returned to the queue, and why. Source: AWS Lambda Developer Guide,
/// "Implementing partial batch responses" for Amazon SQS, success and failure conditions.
fn interpret(outcome: Result<Vec<String>, String>, batch: &[Received]) -> (BTreeSet<&str>, String) {
    let all = || batch.iter().map(|message| message.id.as_str()).collect();
    let reported = match outcome {
        Ok(reported) => reported,
        Err(why) => return (all(), why),
    };
    if let Some(id) = reported.iter().find(|id| batch.iter().all(|message| message.id != **id)) {
        return (all(), format!("`{id}` was reported, which is not in the batch"));
    }
    let is_reported = |message: &&Received| reported.contains(&message.id);
    let stays: BTreeSet<&str> = batch.iter().filter(is_reported).map(|message| message.id.as_str()).collect();
    let why = format!("{} of {} messages reported", stays.len(), batch.len());
    (stays, why)
}
