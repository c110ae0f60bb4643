//! Reads the table's stream from a position, record by record.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dynoxide::Database;
use dynoxide::actions::describe_stream::DescribeStreamRequest;
use dynoxide::actions::get_records::{GetRecordsRequest, Record};
use dynoxide::actions::get_shard_iterator::GetShardIteratorRequest;
use instep_aws::LambdaRecord;
use instep_model::Key;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::Clock;
use crate::dir::{Dir, write_whole};
use crate::error::LocalError;
use crate::ident;
use crate::ident::REGION;

/// The maximum number of records of one GetRecords call. Source: Amazon DynamoDB API Reference,
/// GetRecords, `Limit`.
const READ_MAX: usize = 1_000;

/// The position at which reading starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadFrom {
    /// The oldest available record.
    TrimHorizon,
    /// The first record that is not handled yet.
    Checkpoint,
}

/// Values that replace a record's own.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// `ApproximateCreationDateTime`: JSON as captured.
    pub time: Option<Box<RawValue>>,
    /// `userIdentity`: JSON as captured.
    pub user_identity: Option<Box<RawValue>>,
}

/// A record, ready for delivery.
#[derive(Debug, Clone)]
pub(crate) struct PendingRecord {
    pub(super) sequence: String,
    /// When it was written, according to the record.
    pub(super) written_ms: Option<i64>,
    pub(super) json: Box<RawValue>,
}

/// The position up to which the stream was handled.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Checkpoint {
    shard_id: String,
    sequence_number: String,
}

/// The stream of a stack, and the position in it. The pump stands for Lambda's own pollers, so it
/// reads the engine without the SDK.
pub(crate) struct StreamSource {
    database: Database,
    pub(super) stream_arn: String,
    keys: (String, String),
    pub(super) clock: Clock,
    pub(super) dir: Option<Arc<Dir>>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    checkpoint: Option<Checkpoint>,
    /// The engine's streams have one shard, which does not end.
    shard_id: Option<String>,
    overlays: HashMap<Key, VecDeque<Overlay>>,
}

impl std::fmt::Debug for StreamSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("stream_arn", &self.stream_arn).finish_non_exhaustive()
    }
}

impl StreamSource {
    pub(crate) fn open(
        database: Database,
        stream_arn: &str,
        keys: (String, String),
        clock: Clock,
        dir: Option<Arc<Dir>>,
    ) -> Result<Self, LocalError> {
        let checkpoint = dir.as_ref().map(|dir| read_checkpoint(dir)).transpose()?.flatten();
        let state = Mutex::new(State { checkpoint, shard_id: None, overlays: HashMap::new() });
        Ok(Self { database, stream_arn: stream_arn.to_owned(), keys, clock, dir, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn overlay(&self, key: Key, overlay: Overlay) {
        self.state().overlays.entry(key).or_default().push_back(overlay);
    }

    /// The stream's shard, and the sequence number of its last record. The engine reads all records to
    /// tell the latter.
    fn describe(&self) -> Result<(String, Option<String>), LocalError> {
        let request = DescribeStreamRequest { stream_arn: self.stream_arn.clone(), ..DescribeStreamRequest::default() };
        let answer = self.database.describe_stream(request).map_err(LocalError::engine("describe the stream"))?;
        // The engine reports the end of the shard although it is open.
        let shard = answer.stream_description.shards.into_iter().next();
        let (shard_id, end) = shard.map(|shard| (shard.shard_id, shard.sequence_number_range)).unwrap_or_default();
        self.state().shard_id = Some(shard_id.clone());
        Ok((shard_id, end.ending_sequence_number))
    }

    /// The sequence number of the last record.
    pub(super) fn end(&self) -> Result<Option<String>, LocalError> {
        Ok(self.describe()?.1)
    }

    /// A reader that starts at `from`.
    pub(super) fn reader(&self, from: ReadFrom) -> Result<StreamReader<'_>, LocalError> {
        let known = self.state().shard_id.clone();
        let shard_id = match known {
            Some(shard_id) => shard_id,
            None => self.describe()?.0,
        };
        let after = match from {
            ReadFrom::TrimHorizon => None,
            ReadFrom::Checkpoint => {
                self.state().checkpoint.as_ref().map(|checkpoint| checkpoint.sequence_number.clone())
            }
        };
        let request = GetShardIteratorRequest {
            stream_arn: self.stream_arn.clone(),
            shard_id: shard_id.clone(),
            shard_iterator_type: if after.is_some() { "AFTER_SEQUENCE_NUMBER" } else { "TRIM_HORIZON" }.to_owned(),
            sequence_number: after,
        };
        let answer =
            self.database.get_shard_iterator(request).map_err(LocalError::engine("find a place in the stream"))?;
        Ok(StreamReader { source: self, shard_id, iterator: answer.shard_iterator })
    }

    /// Stores that all records up to `sequence_number` are handled.
    pub(super) fn set_checkpoint(&self, shard_id: &str, sequence_number: &str) -> Result<(), LocalError> {
        let checkpoint = Checkpoint { shard_id: shard_id.to_owned(), sequence_number: sequence_number.to_owned() };
        if let Some(dir) = &self.dir {
            let text = serde_json::to_vec(&checkpoint).map_err(LocalError::engine("write the checkpoint"))?;
            write_whole(&dir.checkpoint(), &text)?;
        }
        self.state().checkpoint = Some(checkpoint);
        Ok(())
    }

    pub(super) fn skip_to_end(&self) -> Result<(), LocalError> {
        if let (shard_id, Some(end)) = self.describe()? {
            self.set_checkpoint(&shard_id, &end)?;
        }
        // The overlays were for records that are skipped now.
        self.state().overlays.clear();
        Ok(())
    }

    pub(super) fn read_all(&self, from: ReadFrom) -> Result<Vec<Box<RawValue>>, LocalError> {
        let mut reader = self.reader(from)?;
        let mut all = Vec::new();
        loop {
            let records = reader.read(READ_MAX)?;
            if records.is_empty() {
                return Ok(all);
            }
            for record in records.iter().filter(|record| !record.changes_nothing()) {
                all.push(record.raw()?);
            }
        }
    }

    /// The record for its delivery. `None` if its write changed nothing. In both cases it uses the
    /// next overlay of its key, which was meant for that write.
    pub(super) fn deliver(&self, mut record: LambdaRecord) -> Result<Option<PendingRecord>, LocalError> {
        let overlay = self.next_overlay(&record.key(&self.keys));
        if record.changes_nothing() {
            return Ok(None);
        }
        if let Some(Overlay { time, user_identity }) = overlay {
            record.dynamodb.approximate_creation_date_time = time.or(record.dynamodb.approximate_creation_date_time);
            record.user_identity = user_identity.or(record.user_identity);
        }
        let written_ms = record.dynamodb.approximate_creation_date_time.as_ref().and_then(|time| epoch_ms(time.get()));
        let json = record.raw()?;
        Ok(Some(PendingRecord { sequence: record.dynamodb.sequence_number, written_ms, json }))
    }

    fn next_overlay(&self, key: &Key) -> Option<Overlay> {
        let overlays = &mut self.state().overlays;
        let waiting = overlays.get_mut(key)?;
        let next = waiting.pop_front();
        if waiting.is_empty() {
            overlays.remove(key);
        }
        next
    }
}

/// Reads the stream in order.
#[derive(Debug)]
pub(super) struct StreamReader<'a> {
    source: &'a StreamSource,
    pub(super) shard_id: String,
    iterator: Option<String>,
}

impl StreamReader<'_> {
    /// The next records, at most `limit`. Empty at the end of the stream.
    pub(super) fn read(&mut self, limit: usize) -> Result<Vec<LambdaRecord>, LocalError> {
        let Some(shard_iterator) = self.iterator.take() else { return Ok(Vec::new()) };
        let request = GetRecordsRequest { shard_iterator, limit: Some(limit.min(READ_MAX)) };
        let answer = self.source.database.get_records(request).map_err(LocalError::engine("read the stream"))?;
        self.iterator = answer.next_shard_iterator;
        answer.records.iter().map(|record| self.localized(record)).collect()
    }

    /// Replaces the values that the engine draws at random by values that are the same in each run.
    fn localized(&self, record: &Record) -> Result<LambdaRecord, LocalError> {
        let json = serde_json::to_string(record).map_err(LocalError::engine("read a record of the stream"))?;
        let mut record = LambdaRecord::from_json(&json, &self.source.stream_arn, REGION)?;
        record.event_id = ident::hex(&["record", &self.source.stream_arn, &record.dynamodb.sequence_number]);
        if self.source.dir.is_some() {
            // With a file, the engine uses the machine's clock for its records.
            let seconds = self.source.clock.now_ms() / 1000;
            record.dynamodb.approximate_creation_date_time = RawValue::from_string(seconds.to_string()).ok();
        }
        Ok(record)
    }
}

fn read_checkpoint(dir: &Dir) -> Result<Option<Checkpoint>, LocalError> {
    let path = dir.checkpoint();
    if !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read(&path).map_err(LocalError::io("read", &path))?;
    let checkpoint = serde_json::from_slice(&text);
    checkpoint.map(Some).map_err(|error| LocalError::Damaged { path, line: error.line(), why: error.to_string() })
}

/// Milliseconds since 1970, from a JSON number of seconds.
#[expect(clippy::cast_possible_truncation, reason = "an age, to be compared; what is out of range is cut off")]
fn epoch_ms(seconds: &str) -> Option<i64> {
    seconds.parse::<f64>().ok().map(|seconds| (seconds * 1000.0) as i64)
}
