//! The stream pump: passes the table's stream to a handler as Lambda's event source mapping does.
//!
//! The rules are those of the AWS Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB",
//! with `ReportBatchItemFailures`. [`delivery`] lists the choices where the guide leaves something
//! open.

mod batch;
mod delivery;
mod on_failure;
mod source;

use std::sync::Arc;
use std::time::Duration;

use instep_model::Key;
use serde_json::value::RawValue;

use crate::error::LocalError;
pub use delivery::{DeliveryOutcome, Drained, GivenUp, Retry};
pub(crate) use source::StreamSource;
pub use source::{Overlay, ReadFrom};

/// The maximum number of records in a batch. Source: AWS Lambda API Reference,
/// CreateEventSourceMapping, `BatchSize`.
const BATCH_SIZE_MAX: usize = 10_000;

/// The maximum number of retries. Source: as above, `MaximumRetryAttempts`.
const RETRY_ATTEMPTS_MAX: u32 = 10_000;

/// The options of the event source mapping: how batches are formed and retried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PumpOptions {
    /// Records in a batch, 1 to 10,000.
    pub batch_size: usize,
    /// How often a batch is retried before it is given up, 0 to 10,000.
    pub maximum_retry_attempts: u32,
    /// Whether a failed batch is split, and its parts are delivered separately.
    pub bisect_on_error: bool,
    /// The age from which a record is no longer delivered.
    pub maximum_record_age: Option<Duration>,
}

impl Default for PumpOptions {
    fn default() -> Self {
        Self { batch_size: 100, maximum_retry_attempts: 3, bisect_on_error: true, maximum_record_age: None }
    }
}

/// The target of the pump: a Lambda function.
pub trait Handler {
    /// Handles a batch. Returns the identifiers (sequence numbers) of the failed records. An
    /// identifier that is null in Lambda's response is empty here. An error means that the
    /// invocation failed as a whole.
    fn handle(&mut self, records: &[Box<RawValue>]) -> impl Future<Output = Result<Vec<String>, String>>;
}

/// Delivers a table's stream.
#[derive(Debug, Clone)]
pub struct Pump {
    source: Arc<StreamSource>,
    options: PumpOptions,
}

impl Pump {
    pub(crate) fn new(source: Arc<StreamSource>, options: PumpOptions) -> Result<Self, LocalError> {
        let out_of = |what, given: String, allowed| Err(LocalError::Option { what, given, allowed });
        if !(1..=BATCH_SIZE_MAX).contains(&options.batch_size) {
            return out_of("the batch size", options.batch_size.to_string(), "1 to 10,000");
        }
        if options.maximum_retry_attempts > RETRY_ATTEMPTS_MAX {
            return out_of("the retry attempts", options.maximum_retry_attempts.to_string(), "0 to 10,000");
        }
        Ok(Self { source, options })
    }

    /// Delivers the records after the checkpoint until the stream is empty, including those of the
    /// handler's own writes.
    ///
    /// # Errors
    /// The stream cannot be read, or never becomes empty because the handler's own writes do not
    /// end.
    pub async fn drain<H: Handler>(&mut self, handler: &mut H) -> Result<Drained, LocalError> {
        delivery::drain(&self.source, &self.options, handler).await
    }

    /// Delivers one batch once, and no more: who calls decides when the rest of a batch that failed is delivered
    /// again. The clock does not move. `None` if the stream has no record after the checkpoint.
    ///
    /// # Errors
    /// The stream cannot be read, or the checkpoint cannot be written.
    pub async fn step<H: Handler>(&mut self, handler: &mut H) -> Result<Option<DeliveryOutcome>, LocalError> {
        delivery::step(&self.source, &self.options, handler).await
    }

    /// Sets the time or the identity of the next record of `key`, so that replayed writes look as
    /// they were captured. Several overlays of one key apply to its records in the order in which
    /// they were given.
    pub fn overlay(&self, key: Key, overlay: Overlay) {
        self.source.overlay(key, overlay);
    }

    /// Skips all records that are in the stream now.
    ///
    /// # Errors
    /// The stream cannot be read, or the checkpoint cannot be written.
    pub fn skip_to_end(&mut self) -> Result<(), LocalError> {
        self.source.skip_to_end()
    }

    /// The records from `from` on, as the handler would receive them, without delivering them. The
    /// checkpoint does not move, and overlays are not used.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn read_all(&self, from: ReadFrom) -> Result<Vec<Box<RawValue>>, LocalError> {
        self.source.read_all(from)
    }
}
