//! Extracts the content of a message, object or text, and fetches what it points to.

use std::collections::{BTreeMap, VecDeque};

use instep_captures::{CaptureText, CapturedEntry, Garbled, StreamBatch};
use instep_contract::{ParkedMessage, Provenance, S3Object};
use instep_flow::mask;
use serde_json::value::{RawValue, to_raw_value};

use super::stream::StreamRange;
use super::{EXPIRED, Redrive};
use crate::call::CallFailure;

/// The maximum depth of pointers from one object to another: from a message to a record, or to a
/// batch's object. INVARIANT 8.
const FETCHES_MAX: usize = 3;

/// Why a parked record of a secret item cannot be redriven.
const MASKED: &str =
    "the record was parked without its key, which the model keeps secret: write the item again, or delete it";

/// The content of one message, object or text.
#[derive(Default)]
pub(super) struct Content {
    pub(super) name: String,
    /// The records, by where they came from.
    pub(super) records: BTreeMap<Provenance, Vec<Box<RawValue>>>,
    /// Parked work messages.
    pub(super) work: Vec<Box<RawValue>>,
    pub(super) unreadable: Vec<Garbled>,
    /// How often an event source mapping has redriven this, including this time.
    pub(super) redrives: u32,
    /// A service failed before everything was fetched.
    pub(super) failed: Option<String>,
}

impl Redrive<'_> {
    /// Parses a text, and fetches what it points to.
    pub(super) async fn gather(&self, name: &str, text: CaptureText) -> Content {
        let mut content = Content::named(name);
        let mut texts = VecDeque::from([(text, 0, Provenance::default())]);
        while let Some((text, depth, outer)) = texts.pop_front() {
            let entries = match text.entries(name) {
                Ok(entries) => entries,
                Err(error) => {
                    content.unreadable(&text.shown(), "no-capture", error.to_string());
                    continue;
                }
            };
            for entry in entries {
                match entry {
                    CapturedEntry::Record(record, _) if mask::is_masked_record(self.instep.model(), &record) => {
                        content.unreadable.push(Garbled { code: "masked", reason: MASKED.to_owned(), text: record });
                    }
                    CapturedEntry::Record(record, own) => {
                        content.records.entry(own.within(&outer)).or_default().push(record)
                    }
                    CapturedEntry::Work(work) => content.work.push(work),
                    CapturedEntry::Garbled(garbled) => content.unreadable.push(garbled),
                    CapturedEntry::Batch(batch) => self.gather_batch(&mut content, &batch).await,
                    CapturedEntry::Object(object, own) if depth < FETCHES_MAX => {
                        match self.instep.read_object(&object, self.run.deadline).await {
                            Ok(bytes) => texts.push_back((CaptureText::of(bytes), depth + 1, own.within(&outer))),
                            Err(failure) => content.not_fetched(&object, &failure),
                        }
                    }
                    CapturedEntry::Object(object, _) => {
                        let reason = "the pointers between objects are nested too deeply".to_owned();
                        content.unreadable(&object.key, "no-capture", reason);
                    }
                }
            }
        }
        content
    }

    async fn gather_batch(&self, content: &mut Content, batch: &StreamBatch) {
        let StreamBatch { stream_arn, shard_id, first, last } = batch;
        let what = format!("records {first} to {last} of shard {shard_id}");
        // The event source mapping had filtered them, but the stream returns all records of the
        // range.
        let wanted = |record: &RawValue| self.filter.lets_through(record);
        let lost = match self.instep.read_again(batch, wanted, self.run.deadline).await {
            Ok(StreamRange::Records(records)) => {
                content.of_the_stream(records);
                return;
            }
            Ok(StreamRange::Rest(records)) => {
                content.of_the_stream(records);
                format!("the first of {what} left the stream, which keeps them for 24 hours; the others are sent")
            }
            Ok(StreamRange::Gone) => format!("{what} left the stream, which keeps them for 24 hours"),
            Ok(StreamRange::Unknown) => {
                format!("{what} are lost: the shard does not exist, or exists no longer, in {stream_arn}")
            }
            Err(failure) => {
                content.failed = Some(failure.words("GetRecords"));
                return;
            }
        };
        let fix = "reconcile the items from the table itself (see Backfill in docs/operate/runbook.md)";
        content.unreadable(&what, EXPIRED, format!("{lost}: {fix}"));
    }
}

/// How often an event source mapping has redriven a parked record before.
pub(super) fn redrives_before(text: &str) -> u32 {
    serde_json::from_str::<ParkedMessage>(text).map_or(0, |message| message.redrives)
}

impl Content {
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    fn of_the_stream(&mut self, records: Vec<Box<RawValue>>) {
        self.records.entry(Provenance::default()).or_default().extend(records);
    }

    fn unreadable(&mut self, text: &str, code: &'static str, reason: String) {
        let text = to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
        self.unreadable.push(Garbled { code, reason, text });
    }

    pub(super) fn not_fetched(&mut self, object: &S3Object, failure: &CallFailure) {
        let name = format!("s3://{}/{}", object.bucket, object.key);
        match failure {
            CallFailure::Transient(_) | CallFailure::OutOfTime => self.failed = Some(failure.words("GetObject")),
            CallFailure::Answer { .. } => {
                let reason = format!("{} for {name}, where the record is kept", failure.words("GetObject"));
                self.unreadable(&name, "no-object", reason);
            }
        }
    }
}
