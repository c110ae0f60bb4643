//! Delivery of batches: deliver, checkpoint, retry, bisect, give up.
//!
//! The documents leave some behavior open. Here:
//! - A split at the reported record uses up no retry, like bisecting. If the first record of a
//!   batch is reported, there is nothing to split off, so the retry counts.
//! - The parts of a batch inherit the retries that the whole batch has used up.
//! - Records that are too old are given up before a delivery. The later, younger records are
//!   delivered.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::value::RawValue;

use super::batch::DeliveryBatch;
use super::on_failure::{self, FailureCondition};
use super::source::{PendingRecord, ReadFrom, StreamReader, StreamSource};
use super::{Handler, PumpOptions};
use crate::error::LocalError;

/// The maximum number of bytes of a batch, so that the event fits the payload of an invocation.
/// Source: AWS Lambda Developer Guide, "Lambda quotas", invocation payload: 6 MB.
const BATCH_BYTES_MAX: usize = 6 * 1024 * 1024;

/// INVARIANT 8: the maximum number of batches of records that were written during a drain. A
/// cascade writes such records and ends. Writes that cause each other do not end. A cascade of ten
/// million children in pages of a hundred stays below the limit. Tests use a lower limit.
const OWN_DELIVERIES_MAX: u64 = if cfg!(test) { 200 } else { 200_000 };

/// The number of batches after which a drain looks up the end of the stream: what is behind it was
/// written during the drain. Most drains end before, and the engine reads the whole stream to tell.
const END_LOOKED_UP_AT: u64 = 100;

/// The first and the longest wait between retries, on the stack's clock. Each wait is twice as long
/// as the one before.
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MAX: Duration = Duration::from_secs(60);

/// The outcome of a drain.
#[derive(Debug, Clone, Default)]
pub struct Drained {
    /// The number of delivered batches, including retries.
    pub batches: u64,
    /// The number of records, without those of writes that changed nothing.
    pub records: u64,
    /// The batches that were delivered again.
    pub retries: Vec<Retry>,
    /// The batches that were given up.
    pub given_up: Vec<GivenUp>,
}

/// A batch, or the rest of one, that must be delivered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// The first record's sequence number.
    pub first: String,
    /// The number of records.
    pub records: usize,
    /// Why.
    pub why: String,
}

/// A batch that will not be delivered again.
#[derive(Debug, Clone)]
pub struct GivenUp {
    /// `RetryAttemptsExhausted` or `RecordAgeExceeded`.
    pub condition: &'static str,
    /// The first record's sequence number.
    pub first: String,
    /// The last record's sequence number.
    pub last: String,
    /// The records.
    pub records: Vec<Box<RawValue>>,
    /// The on-failure object, as Lambda writes it to S3.
    pub object: String,
    /// The file of the object, if the stack has a directory.
    pub path: Option<PathBuf>,
}

/// The outcome of an invocation for its batch.
enum BatchOutcome {
    /// All records are handled.
    Done,
    /// The records before this place are handled.
    From { place: usize, why: String },
    /// No record is handled.
    Whole { why: String },
}

/// Delivers the stream until it is empty.
pub(super) async fn drain<H: Handler>(
    source: &StreamSource,
    options: &PumpOptions,
    handler: &mut H,
) -> Result<Drained, LocalError> {
    let mut drain = Drain::begin(source, options)?;
    while let Some(batch) = drain.next_batch()? {
        drain.deliver(batch, handler).await?;
    }
    Ok(drain.drained)
}

/// The outcome of one delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryOutcome {
    /// The number of records at the beginning of the batch that are handled.
    pub handled: usize,
    /// Why the others must be delivered again, if there are others.
    pub failed: Option<String>,
}

/// Delivers one batch once.
pub(super) async fn step<H: Handler>(
    source: &StreamSource,
    options: &PumpOptions,
    handler: &mut H,
) -> Result<Option<DeliveryOutcome>, LocalError> {
    let mut drain = Drain::begin(source, options)?;
    let Some(mut batch) = drain.next_batch()? else { return Ok(None) };
    let (handled, failed) = match drain.invoke(&mut batch, handler).await? {
        BatchOutcome::Done => (batch.records.len(), None),
        BatchOutcome::From { place, why } => (place, Some(why)),
        BatchOutcome::Whole { why } => (0, Some(why)),
    };
    drop(batch.split_off(handled));
    if handled > 0 {
        drain.checkpoint(&batch.last())?;
    }
    Ok(Some(DeliveryOutcome { handled, failed }))
}

struct Drain<'a> {
    source: &'a StreamSource,
    options: &'a PumpOptions,
    reader: StreamReader<'a>,
    buffer: VecDeque<PendingRecord>,
    deliveries: u64,
    /// The sequence number of the stream's last record at [`END_LOOKED_UP_AT`].
    end: Option<String>,
    own_deliveries: u64,
    drained: Drained,
}

impl<'a> Drain<'a> {
    fn begin(source: &'a StreamSource, options: &'a PumpOptions) -> Result<Self, LocalError> {
        Ok(Self {
            source,
            options,
            reader: source.reader(ReadFrom::Checkpoint)?,
            buffer: VecDeque::new(),
            deliveries: 0,
            end: None,
            own_deliveries: 0,
            drained: Drained::default(),
        })
    }

    /// The next batch: all available records, up to the batch size and the payload of an
    /// invocation.
    fn next_batch(&mut self) -> Result<Option<DeliveryBatch>, LocalError> {
        let mut passed = None;
        while self.buffer.len() < self.options.batch_size {
            let records = self.reader.read(self.options.batch_size - self.buffer.len())?;
            let Some(last) = records.last() else { break };
            passed = Some(last.dynamodb.sequence_number.clone());
            for record in records {
                self.buffer.extend(self.source.deliver(record)?);
            }
        }
        if let (true, Some(passed)) = (self.buffer.is_empty(), passed) {
            self.checkpoint(&passed)?;
        }
        let mut bytes = 0;
        let mut records = Vec::new();
        while let Some(record) = self.buffer.pop_front() {
            bytes += record.json.get().len();
            if bytes > BATCH_BYTES_MAX && !records.is_empty() {
                self.buffer.push_front(record);
                break;
            }
            records.push(record);
        }
        self.drained.records += records.len() as u64;
        let batch = DeliveryBatch { records, retries: 0, invocations: 0, has_error: false };
        Ok((!batch.records.is_empty()).then_some(batch))
    }

    /// Delivers a batch and its parts in stream order until each is handled or given up. This ends:
    /// each iteration delivers a shorter part, or uses up one of a limited number of retries.
    async fn deliver<H: Handler>(&mut self, batch: DeliveryBatch, handler: &mut H) -> Result<(), LocalError> {
        let mut todo = vec![batch];
        while let Some(mut batch) = todo.pop() {
            let old = self.too_old(&batch);
            if old > 0 {
                let rest = batch.split_off(old);
                self.give_up(&batch, FailureCondition::RecordAgeExceeded)?;
                batch = rest;
            }
            if batch.records.is_empty() {
                continue;
            }
            match self.invoke(&mut batch, handler).await? {
                BatchOutcome::Done => self.checkpoint(&batch.last())?,
                BatchOutcome::From { place, why } => {
                    let rest = batch.split_off(place);
                    if !batch.records.is_empty() {
                        self.checkpoint(&batch.last())?;
                    }
                    let is_free = self.options.bisect_on_error && place > 0;
                    todo.extend(self.retry(rest, why, is_free)?);
                }
                BatchOutcome::Whole { why } if self.options.bisect_on_error && batch.records.len() > 1 => {
                    let second = batch.split_off(batch.records.len() / 2);
                    todo.push(second);
                    todo.extend(self.retry(batch, why, true)?);
                }
                BatchOutcome::Whole { why } => todo.extend(self.retry(batch, why, false)?),
            }
        }
        Ok(())
    }

    async fn invoke<H: Handler>(
        &mut self,
        batch: &mut DeliveryBatch,
        handler: &mut H,
    ) -> Result<BatchOutcome, LocalError> {
        self.count_delivery(&batch.first()).await?;
        let records: Vec<Box<RawValue>> = batch.records.iter().map(|record| record.json.clone()).collect();
        let outcome = handler.handle(&records).await;
        self.drained.batches += 1;
        batch.invocations += 1;
        batch.has_error = outcome.is_err();
        Ok(interpret(outcome, &batch.records))
    }

    /// INVARIANT 8: a drain ends.
    async fn count_delivery(&mut self, first: &str) -> Result<(), LocalError> {
        self.deliveries += 1;
        if self.deliveries == END_LOOKED_UP_AT {
            self.end = Some(self.source.end()?.unwrap_or_default());
        }
        if self.end.as_ref().is_some_and(|end| is_after(first, end)) {
            self.own_deliveries += 1;
        }
        if self.own_deliveries > OWN_DELIVERIES_MAX {
            return Err(LocalError::StreamNeverEmpty { deliveries: OWN_DELIVERIES_MAX });
        }
        Ok(())
    }

    /// The batch for another delivery. `None` if it has no retry left.
    fn retry(
        &mut self,
        mut batch: DeliveryBatch,
        why: String,
        is_free: bool,
    ) -> Result<Option<DeliveryBatch>, LocalError> {
        if !is_free {
            if batch.retries >= self.options.maximum_retry_attempts {
                self.give_up(&batch, FailureCondition::RetryAttemptsExhausted)?;
                return Ok(None);
            }
            batch.retries += 1;
        }
        let doubled = BACKOFF_FIRST.saturating_mul(2_u32.saturating_pow(batch.invocations.saturating_sub(1)));
        self.source.clock.advance(doubled.min(BACKOFF_MAX));
        self.drained.retries.push(Retry { first: batch.first(), records: batch.records.len(), why });
        Ok(Some(batch))
    }

    /// The number of records at the beginning of the batch that are too old.
    fn too_old(&self, batch: &DeliveryBatch) -> usize {
        let Some(age) = self.options.maximum_record_age else { return 0 };
        let age_ms = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let oldest_ms = self.source.clock.now_ms().saturating_sub(age_ms);
        let is_too_old = |record: &&PendingRecord| record.written_ms.is_some_and(|written_ms| written_ms < oldest_ms);
        batch.records.iter().take_while(is_too_old).count()
    }

    fn give_up(&mut self, batch: &DeliveryBatch, condition: FailureCondition) -> Result<(), LocalError> {
        let kept = on_failure::keep(self.source, &self.reader.shard_id, batch, condition)?;
        self.drained.given_up.push(GivenUp {
            condition: condition.word(),
            first: batch.first(),
            last: batch.last(),
            records: batch.records.iter().map(|record| record.json.clone()).collect(),
            object: kept.object,
            path: kept.path,
        });
        // After the object is written: a process that is killed in between delivers the batch again
        // and loses nothing.
        self.checkpoint(&batch.last())
    }

    fn checkpoint(&self, sequence: &str) -> Result<(), LocalError> {
        self.source.set_checkpoint(&self.reader.shard_id, sequence)
    }
}

/// Interprets the handler's response. Source: AWS Lambda Developer Guide, "Configuring partial
/// batch response with DynamoDB and Lambda", success and failure conditions.
fn interpret(outcome: Result<Vec<String>, String>, records: &[PendingRecord]) -> BatchOutcome {
    let reported = match outcome {
        Ok(reported) => reported,
        Err(why) => return BatchOutcome::Whole { why },
    };
    let mut lowest = None;
    for identifier in &reported {
        let Some(place) = records.iter().position(|record| record.sequence == *identifier) else {
            return BatchOutcome::Whole { why: format!("`{identifier}` was reported, which is not in the batch") };
        };
        lowest = Some(lowest.map_or(place, |lowest: usize| lowest.min(place)));
    }
    match lowest {
        None => BatchOutcome::Done,
        Some(place) => {
            BatchOutcome::From { place, why: format!("{} of {} records reported", reported.len(), records.len()) }
        }
    }
}

/// Whether a sequence number is greater than another. Both are numbers of many digits as text.
fn is_after(sequence: &str, other: &str) -> bool {
    (sequence.len(), sequence) > (other.len(), other)
}
