//! Parses every form in which records and failed work are kept as text: an event with `Records`,
//! one record, an array of records, JSON Lines of any of these; Lambda's on-failure object with the
//! event as a string in `payload`, or without it as a pointer to a part of the stream; messages of
//! SQS and SNS that contain any of these; parked records; pointers to objects in S3.

mod damage;
#[cfg(test)]
mod tests;

use instep_contract::S3Object;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::value::RawValue;

use damage::{Places, Position};

/// The keys of a stream record. A JSON object with none of them is no record.
const RECORD_KEYS: [&str; 4] = ["dynamodb", "eventName", "eventID", "eventSourceARN"];

/// The keys of a work message. An object with all of them is a work message.
const WORK_KEYS: [&str; 3] = ["version", "hops", "work"];

/// Texts that distinguish a damaged capture from a text that never was a capture.
const CAPTURE_MARKS: [&str; 5] = ["\"Records\"", "\"dynamodb\"", "\"eventName\"", "\"eventID\"", "\"payload\""];

/// The code of text that is no record.
const GARBLED: &str = "garbled";

/// The code of a record that was masked completely, so that it cannot be handled.
const MASKED: &str = "masked";
const MASKED_WHOLE: &str = "the record was parked without its text, as nothing told where in it the model's secrets are: it \
                            cannot be run from here; write the item again, or remove it";

/// How deep forms may be nested. A record in an event in a batch's object in a message in a topic's
/// notification in a dead-letter queue needs about half of this.
const DEPTH_MAX: usize = 16;

/// What was found in a text.
#[derive(Debug)]
pub enum Entry {
    /// A record, with its text unchanged.
    Record(Box<RawValue>),
    /// A work message, with its text unchanged.
    Work(Box<RawValue>),
    /// Text that is no record.
    Garbled(Garbled),
    /// A pointer to records that only the stream has.
    Batch(StreamBatch),
    /// A pointer to an object in S3 with a record, or with any other form.
    Object(S3Object),
}

impl Entry {
    /// The record itself, for callers that do not follow pointers.
    ///
    /// # Errors
    /// The entry is no record. The error says what it is.
    pub fn record(self) -> Result<Box<RawValue>, Garbled> {
        let elsewhere = |what: String| Garbled {
            code: "elsewhere",
            reason: format!("{what}: `instep redrive` fetches it from there"),
            text: quoted(&what),
        };
        match self {
            Self::Record(record) => Ok(record),
            Self::Work(work) => Err(elsewhere_work(&work)),
            Self::Garbled(garbled) => Err(garbled),
            Self::Batch(StreamBatch { shard_id, first, last, .. }) => {
                Err(elsewhere(format!("records {first} to {last} of shard {shard_id} are in the stream only")))
            }
            Self::Object(S3Object { bucket, key }) => {
                Err(elsewhere(format!("what is here lies in s3://{bucket}/{key}")))
            }
        }
    }
}

fn elsewhere_work(work: &RawValue) -> Garbled {
    let reason = "a message of the work queue: `instep redrive` sends it there again".to_owned();
    Garbled { code: "work-message", reason, text: quoted(work.get()) }
}

/// What could not be read as a record.
#[derive(Debug)]
pub struct Garbled {
    /// A stable code.
    pub code: &'static str,
    /// What is wrong, with file, line and column.
    pub reason: String,
    /// The text itself, as a JSON string.
    pub text: Box<RawValue>,
}

/// A batch that Lambda gave up, as SQS and SNS destinations receive it: a part of a shard, without
/// the records. Source: AWS Lambda Developer Guide, "Retain discarded records for a DynamoDB event
/// source".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamBatch {
    /// The stream.
    pub stream_arn: String,
    /// The shard.
    pub shard_id: String,
    /// The first record's sequence number.
    #[serde(rename = "startSequenceNumber")]
    pub first: String,
    /// The last record's sequence number.
    #[serde(rename = "endSequenceNumber")]
    pub last: String,
}

/// A text contains no record, and nothing that looks like one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no capture of stream records: {what}")]
pub struct NotACapture {
    /// The text's name.
    name: String,
    /// What the text is instead of a capture.
    what: String,
}

impl NotACapture {
    /// What a capture is, for messages.
    pub const HELP: &'static str = "a capture is an event with `Records`, one record, an array of records, JSON Lines, an \
                                    on-failure object, or a message with one of these";
}

/// The text of a capture's bytes. Bytes that are not UTF-8 become U+FFFD, so that the damage stays
/// in its place: inside a string it harms that value's record only. A byte order mark is removed.
#[must_use]
pub fn text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// The entries of a text named `file`.
///
/// # Errors
/// The text is no capture: it contains no record, and nothing that looks like one.
pub fn entries(file: &str, text: &str) -> Result<Vec<Entry>, NotACapture> {
    let mut entries = Vec::new();
    let places = &mut Places::new(text);
    let outcome = match documents(text) {
        Ok(values) => expand_all(&mut entries, file, places, &values),
        Err(error) if is_lines(text) => lines(&mut entries, file, places, &error),
        Err(error) => damaged(&mut entries, file, places, text, &error, 0),
    };
    match outcome {
        Ok(()) => Ok(entries),
        Err(Other(what)) => Err(NotACapture { name: file.to_owned(), what }),
    }
}

/// Describes what was found instead of a capture.
struct Other(String);

/// Parses the text as one or more whole JSON values.
fn documents(text: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().collect()
}

/// JSON Lines: the first line that is not empty is a whole value, and more follow.
fn is_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().is_some_and(|line| serde_json::from_str::<&RawValue>(line).is_ok());
    let more: Vec<&str> = lines.take(2).collect();
    // If the first line is damaged, other lines may still be whole.
    !more.is_empty() && (first || more.iter().all(|line| line.trim_start().starts_with('{') && is_whole(line)))
}

fn is_whole(line: &str) -> bool {
    serde_json::from_str::<&RawValue>(line).is_ok()
}

fn expand_all(
    entries: &mut Vec<Entry>,
    file: &str,
    places: &mut Places<'_>,
    values: &[&RawValue],
) -> Result<(), Other> {
    if values.is_empty() {
        return Err(Other("it is empty".to_owned()));
    }
    for value in values {
        if !expand(entries, value, 0) {
            let at = places.of(damage::offset_in(places.text, value.get()));
            if values.len() == 1 {
                return Err(Other(format!("at {at} is JSON of another kind")));
            }
            entries.push(garbled(file, at, "is no stream record", value.get()));
        }
    }
    Ok(())
}

/// Extracts the entries of `value`. False if it is none of the known forms.
fn expand(entries: &mut Vec<Entry>, value: &RawValue, depth: usize) -> bool {
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
        entries.push(Entry::Record(value.to_owned()));
        return true;
    }
    if is_work(value.get()) {
        entries.push(Entry::Work(value.to_owned()));
        return true;
    }
    envelope.expand(entries, depth)
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
}

impl Envelope<'_> {
    /// Whether this is an element of a queue's, topic's or bucket's event. Some of these have
    /// members with the same names as a record's.
    fn is_delivery(&self) -> bool {
        self.source.as_deref().is_some_and(|source| ["aws:sqs", "aws:sns", "aws:s3"].contains(&source))
    }

    fn expand(self, entries: &mut Vec<Entry>, depth: usize) -> bool {
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
        let batch = self.batch.and_then(|batch| serde_json::from_str(batch.get()).ok().map(Entry::Batch));
        let pointer = batch.or_else(|| self.s3.and_then(object).map(Entry::Object));
        if let Some(pointer) = pointer {
            entries.push(pointer);
            return true;
        }
        if let Some(record) = self.record {
            if record.get().starts_with('"') {
                entries.push(Entry::Garbled(Garbled {
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
        match self.body.or(self.message) {
            Some(text) => text_within(entries, &text, depth),
            None => false,
        }
    }
}

/// Extracts the entries of a text inside another. From a text that was cut off, the whole part is
/// used.
fn text_within(entries: &mut Vec<Entry>, text: &str, depth: usize) -> bool {
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
fn element(entries: &mut Vec<Entry>, value: &RawValue, depth: usize) {
    if value.get().starts_with('{') {
        let before = entries.len();
        if !expand(entries, value, depth + 1) {
            entries.truncate(before);
            entries.push(Entry::Record(value.to_owned()));
        }
    } else {
        let reason = "an element of the records is no object".to_owned();
        entries.push(Entry::Garbled(Garbled { code: GARBLED, reason, text: quoted(value.get()) }));
    }
}

/// Whether the text is an object with at least one key of a stream record.
fn is_record(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && damage::top_level_keys(text).iter().any(|key| RECORD_KEYS.contains(&key.as_str()))
}

/// Whether the text is a message of the work queue.
fn is_work(text: &str) -> bool {
    let keys = damage::top_level_keys(text);
    WORK_KEYS.iter().all(|key| keys.iter().any(|own| own == key))
}

fn lines(
    entries: &mut Vec<Entry>,
    file: &str,
    places: &mut Places<'_>,
    error: &serde_json::Error,
) -> Result<(), Other> {
    let text = places.text;
    let before = entries.len();
    let mut records = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let trimmed = line.trim();
        match serde_json::from_str::<&RawValue>(trimmed) {
            Ok(value) if expand(entries, value, 0) => records = true,
            Ok(value) => {
                let at = places.of(damage::offset_in(places.text, value.get()));
                entries.push(garbled(file, at, "is no stream record", value.get()));
            }
            Err(error) => {
                if damaged(entries, file, places, trimmed, &error, 0).is_err() {
                    let at = places.of(damage::offset_in(text, trimmed) + damage::error_offset(trimmed, &error));
                    entries.push(garbled(file, at, &damage::plain(&error), trimmed));
                }
            }
        }
    }
    if !records && !looks_like_capture(text) {
        entries.truncate(before);
        return Err(not_json(error));
    }
    Ok(())
}

/// Extracts the whole records in `part` of a text, and the rest as garbled.
fn damaged(
    entries: &mut Vec<Entry>,
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

fn looks_like_capture(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && CAPTURE_MARKS.iter().any(|mark| text.contains(mark))
}

fn not_json(error: &serde_json::Error) -> Other {
    Other(format!("line {}, column {}: {}", error.line(), error.column(), damage::plain(error)))
}

fn garbled(file: &str, at: Position, why: &str, text: &str) -> Entry {
    let reason = format!("`{file}`, {at}: {why}");
    Entry::Garbled(Garbled { code: GARBLED, reason, text: quoted(text.trim_end()) })
}

/// A text as a JSON string.
fn quoted(text: &str) -> Box<RawValue> {
    serde_json::value::to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
