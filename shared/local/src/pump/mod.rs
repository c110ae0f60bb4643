//! The stream pump: hands the table's stream to a handler as Lambda's event source mapping does.
//!
//! The rules are those of the AWS Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB", with
//! `ReportBatchItemFailures` turned on. Where it leaves something open, [`delivery`] says what was chosen.

mod delivery;
mod on_failure;
mod source;

use std::sync::Arc;
use std::time::Duration;

use instep_model::Key;
use serde_json::value::RawValue;

use crate::error::LocalError;
pub use delivery::{Drained, GivenUp, Retry};
pub(crate) use source::Source;
pub use source::{Overlay, ReadFrom};

/// Records in a batch at most. Source: AWS Lambda API Reference, CreateEventSourceMapping, `BatchSize`.
const BATCH_SIZE_MAX: usize = 10_000;

/// Retries at most. Source: as above, `MaximumRetryAttempts`.
const RETRY_ATTEMPTS_MAX: u32 = 10_000;

/// How batches are cut and retried: the event source mapping's options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PumpOptions {
    /// Records in a batch, 1 to 10,000.
    pub batch_size: usize,
    /// How often a batch is delivered again before it is given up, 0 to 10,000.
    pub maximum_retry_attempts: u32,
    /// Whether a failed batch is cut and its parts are delivered on their own.
    pub bisect_on_error: bool,
    /// From what age on a record is no longer delivered.
    pub maximum_record_age: Option<Duration>,
}

impl Default for PumpOptions {
    fn default() -> Self {
        Self { batch_size: 100, maximum_retry_attempts: 3, bisect_on_error: true, maximum_record_age: None }
    }
}

/// What the pump delivers to: a Lambda function.
pub trait Handler {
    /// Handles a batch and returns the identifiers (sequence numbers) of the records that failed; an identifier that is
    /// null in Lambda's response is empty here. An error is an invocation that failed as a whole.
    fn handle(&mut self, records: &[Box<RawValue>]) -> impl Future<Output = Result<Vec<String>, String>>;
}

/// Delivers a table's stream.
#[derive(Debug, Clone)]
pub struct Pump {
    source: Arc<Source>,
    options: PumpOptions,
}

impl Pump {
    pub(crate) fn new(source: Arc<Source>, options: PumpOptions) -> Result<Self, LocalError> {
        let out_of = |what, given: String, allowed| Err(LocalError::Option { what, given, allowed });
        if !(1..=BATCH_SIZE_MAX).contains(&options.batch_size) {
            return out_of("the batch size", options.batch_size.to_string(), "1 to 10,000");
        }
        if options.maximum_retry_attempts > RETRY_ATTEMPTS_MAX {
            return out_of("the retry attempts", options.maximum_retry_attempts.to_string(), "0 to 10,000");
        }
        Ok(Self { source, options })
    }

    /// Delivers what the stream holds behind the checkpoint until there is nothing more, what the handler itself wrote
    /// included.
    ///
    /// # Errors
    ///
    /// When the stream cannot be read, or does not come to rest because the handler's own writes go on for ever.
    pub async fn drain<H: Handler>(&mut self, handler: &mut H) -> Result<Drained, LocalError> {
        delivery::drain(&self.source, &self.options, handler).await
    }

    /// Gives the next record of `key` a time or an identity of its own: what a replay wrote is to look as it was
    /// captured. Several for one key go to its records in the order in which they were given.
    pub fn overlay(&self, key: Key, overlay: Overlay) {
        self.source.overlay(key, overlay);
    }

    /// Leaves out all that the stream holds now.
    ///
    /// # Errors
    ///
    /// When the stream cannot be read or the checkpoint not be written.
    pub async fn skip_to_end(&mut self) -> Result<(), LocalError> {
        self.source.skip_to_end().await
    }

    /// The records from there on, as the handler would get them, without handing them to it: the checkpoint stays
    /// where it is, and overlays wait.
    ///
    /// # Errors
    ///
    /// When the stream cannot be read.
    pub async fn read_all(&self, from: ReadFrom) -> Result<Vec<Box<RawValue>>, LocalError> {
        self.source.read_all(from).await
    }
}
