//! The forms that contain records, and forms within these.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use instep_contract::{Provenance, S3Object};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::damage::{self, Places};
use super::entry::{CapturedEntry, GARBLED, Garbled, garbled, quoted};
use super::shape::{is_record, is_work, looks_like_capture};

/// The code of a record that was masked completely, so that it cannot be handled.
const MASKED: &str = "masked";

const MASKED_WHOLE: &str = "the record was parked without its text, because it is unknown which part of it is secret: it \
                            cannot be run from here; write the item again, or remove it";

/// Why a message of a parked record cannot be redriven: its record would be handled as one of the
/// stream.
const NO_PROVENANCE: &str = "the parked message has an `origin`, `publish` or `recordsOf` that this version does not know: \
                             redrive it with the version that parked it";

/// The sources of elements of events that are no stream records themselves.
const DELIVERIES: [&str; 4] = ["aws:sqs", "aws:sns", "aws:s3", "aws:kinesis"];

/// How deep forms may be nested. A record in an event in a batch's object in a message in a topic's
/// notification in a dead-letter queue needs about half of this.
const DEPTH_MAX: usize = 16;

/// Extracts the entries of `value`. False if it is none of the known forms.
pub(super) fn expand(entries: &mut Vec<CapturedEntry>, value: &RawValue, depth: usize) -> bool {
    if depth > DEPTH_MAX {
        return false;
    }
    if let Ok(array) = serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        for value in array {
            element(entries, value, depth);
        }
        return true;
    }
    // Serde accepts no envelope with a duplicate key, and no service writes one.
    let envelope = serde_json::from_str::<Envelope<'_>>(value.get()).unwrap_or_default();
    if envelope.is_delivery() {
        return envelope.expand(entries, depth);
    }
    if is_record(value.get()) {
        entries.push(CapturedEntry::Record(value.to_owned(), Provenance::default()));
        return true;
    }
    if is_work(value.get()) {
        entries.push(CapturedEntry::Work(value.to_owned()));
        return true;
    }
    if envelope.parked.is_some() {
        return parked(entries, envelope, value, depth);
    }
    envelope.expand(entries, depth)
}

/// Extracts the entries of a message of a parked record, which says where the record came from.
fn parked(entries: &mut Vec<CapturedEntry>, envelope: Envelope<'_>, value: &RawValue, depth: usize) -> bool {
    let Ok(provenance) = serde_json::from_str::<Provenance>(value.get()) else {
        let reason = NO_PROVENANCE.to_owned();
        entries.push(CapturedEntry::Garbled(Garbled { code: GARBLED, reason, text: quoted(value.get()) }));
        return true;
    };
    let mut own = Vec::new();
    let is_known = envelope.expand(&mut own, depth);
    entries.extend(own.into_iter().map(|entry| entry.within(&provenance)));
    is_known
}

/// Whether a value can be one of the known forms. An array is one if it is empty, or if any of its
/// elements is: the others then are damaged records.
pub(super) fn is_known(value: &RawValue, depth: usize) -> bool {
    if depth > DEPTH_MAX {
        return false;
    }
    match serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        Ok(elements) => elements.is_empty() || elements.into_iter().any(|element| is_known(element, depth + 1)),
        // `expand` says of an object alone what it is.
        Err(_) => depth == 0 || expand(&mut Vec::new(), value, depth),
    }
}

/// Every form that contains records.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope<'a> {
    /// The elements of an event, also of a queue, a topic or a bucket.
    #[serde(borrow, rename = "Records")]
    records: Option<Vec<&'a RawValue>>,
    /// In an on-failure object: the event as a string.
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    /// The input of an asynchronous invocation, as its on-failure destination receives it. Source:
    /// AWS Lambda Developer Guide, "Capturing records of Lambda asynchronous invocations".
    #[serde(borrow, rename = "requestPayload")]
    request_payload: Option<&'a RawValue>,
    /// In an on-failure object: the part of the stream.
    #[serde(borrow, rename = "DDBStreamBatchInfo")]
    batch: Option<&'a RawValue>,
    /// The version of a message of a parked record.
    #[serde(borrow, rename = "instepParked")]
    parked: Option<&'a RawValue>,
    /// A parked record.
    #[serde(borrow)]
    record: Option<&'a RawValue>,
    /// A parked record that is kept in S3, or a bucket's notification.
    #[serde(borrow)]
    s3: Option<&'a RawValue>,
    /// The source of an element that a queue, a topic or a bucket delivers.
    #[serde(alias = "EventSource", rename = "eventSource")]
    source: Option<String>,
    /// The body of a message, as Lambda receives it or as the queue returns it.
    #[serde(alias = "Body")]
    body: Option<String>,
    /// Messages, as the queue returns them.
    #[serde(borrow, rename = "Messages")]
    messages: Option<Vec<&'a RawValue>>,
    /// A topic's notification, as Lambda receives it.
    #[serde(borrow, rename = "Sns")]
    sns: Option<&'a RawValue>,
    /// A topic's notification.
    #[serde(rename = "Message")]
    message: Option<String>,
    /// A record of a Kinesis stream, as Lambda receives it.
    #[serde(borrow)]
    kinesis: Option<&'a RawValue>,
    /// The content of a record of a Kinesis stream, in base64: as GetRecords returns it, or as a
    /// pipe passes it on.
    #[serde(alias = "Data")]
    data: Option<String>,
    /// The content of an EventBridge event.
    #[serde(borrow)]
    detail: Option<&'a RawValue>,
}

impl Envelope<'_> {
    /// Whether this is an element of a queue's, topic's or bucket's event. Some of these have
    /// members with the same names as a record's.
    fn is_delivery(&self) -> bool {
        // Lambda's event of a tumbling window names the stream beside its records.
        self.records.is_some() || self.source.as_deref().is_some_and(|source| DELIVERIES.contains(&source))
    }

    fn expand(self, entries: &mut Vec<CapturedEntry>, depth: usize) -> bool {
        if let Some(values) = self.records.or(self.messages) {
            for value in values {
                element(entries, value, depth);
            }
            return true;
        }
        if let Some(payload) = self.payload.or(self.request_payload) {
            return match serde_json::from_str::<String>(payload.get()) {
                Ok(event) => text_within(entries, &event, depth),
                Err(_) => expand(entries, payload, depth + 1),
            };
        }
        let batch = self.batch.and_then(|batch| serde_json::from_str(batch.get()).ok().map(CapturedEntry::Batch));
        let pointer = batch
            .or_else(|| self.s3.and_then(object).map(|object| CapturedEntry::Object(object, Provenance::default())));
        if let Some(pointer) = pointer {
            entries.push(pointer);
            return true;
        }
        if let Some(record) = self.record {
            if record.get().starts_with('"') {
                entries.push(CapturedEntry::Garbled(Garbled {
                    code: MASKED,
                    reason: MASKED_WHOLE.to_owned(),
                    text: record.to_owned(),
                }));
            } else {
                element(entries, record, depth);
            }
            return true;
        }
        if let Some(sns) = self.sns {
            return expand(entries, sns, depth + 1);
        }
        if let Some(inner) = self.kinesis.or(self.detail) {
            return inner.get().starts_with(['{', '[']) && expand(entries, inner, depth + 1);
        }
        match self.body.or(self.message).or_else(|| decoded(&self.data?)) {
            Some(text) => text_within(entries, &text, depth),
            None => false,
        }
    }
}

/// The text of a record of a Kinesis stream. `None` if it is no text.
fn decoded(data: &str) -> Option<String> {
    String::from_utf8(BASE64.decode(data).ok()?).ok()
}

/// Extracts the entries of a text inside another. From a text that was cut off, the whole part is
/// used.
fn text_within(entries: &mut Vec<CapturedEntry>, text: &str, depth: usize) -> bool {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(value) => expand(entries, value, depth + 1),
        Err(error) => damaged(entries, "payload", &mut Places::new(text), text, &error, depth + 1).is_ok(),
    }
}

/// The object that a pointer, or a bucket's notification, names.
fn object(s3: &RawValue) -> Option<S3Object> {
    #[derive(Deserialize)]
    struct Notification {
        bucket: Named,
        object: Key,
    }
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    #[derive(Deserialize)]
    struct Key {
        key: String,
    }
    if let Ok(object) = serde_json::from_str::<S3Object>(s3.get()) {
        return Some(object);
    }
    let Notification { bucket, object } = serde_json::from_str(s3.get()).ok()?;
    // A notification's key is encoded as in a form. Source: Amazon S3 User Guide, "Event message
    // structure".
    let key = percent_decode_str(&object.key.replace('+', " ")).decode_utf8().ok()?.into_owned();
    Some(S3Object { bucket: bucket.name, key })
}

/// An element of an array of records. Whatever it is, it is treated as a record.
fn element(entries: &mut Vec<CapturedEntry>, value: &RawValue, depth: usize) {
    if value.get().starts_with('{') {
        let before = entries.len();
        if !expand(entries, value, depth + 1) {
            entries.truncate(before);
            entries.push(CapturedEntry::Record(value.to_owned(), Provenance::default()));
        }
    } else {
        let reason = "an element of the records is not an object".to_owned();
        entries.push(CapturedEntry::Garbled(Garbled { code: GARBLED, reason, text: quoted(value.get()) }));
    }
}

/// Extracts the whole records in `part` of a text, and the rest as garbled.
pub(super) fn damaged(
    entries: &mut Vec<CapturedEntry>,
    file: &str,
    places: &mut Places<'_>,
    part: &str,
    error: &serde_json::Error,
    depth: usize,
) -> Result<(), Other> {
    if !looks_like_capture(part) {
        return Err(not_json(error));
    }
    let base = damage::offset_in(places.text, part);
    for piece in damage::pieces(part) {
        match piece {
            damage::Piece::Whole(value) => {
                element(entries, value, depth);
            }
            damage::Piece::Broken { offset, at, why } => {
                let at = places.of(base + at);
                entries.push(garbled(file, at, &why, part.get(offset.clone()).unwrap_or_default()));
            }
        }
    }
    Ok(())
}

/// Describes what was found instead of a capture.
pub(super) struct Other(pub(super) String);

pub(super) fn not_json(error: &serde_json::Error) -> Other {
    Other(format!("line {}, column {}: {}", error.line(), error.column(), damage::plain(error)))
}
