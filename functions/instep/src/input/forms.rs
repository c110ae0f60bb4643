//! The forms in which records are kept: an event with `Records`, one record, an array of records, JSON Lines of any of
//! these, and Lambda's on-failure object with the event as text in `payload`.

use miette::miette;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::damage::{self, Position};
use super::{Entry, Garbled};

/// The keys of a stream record: a JSON object with none of them is something else.
const RECORD_KEYS: [&str; 4] = ["dynamodb", "eventName", "eventID", "eventSourceARN"];

/// What tells a damaged capture from a text that never was one.
const CAPTURE_MARKS: [&str; 5] = ["\"Records\"", "\"dynamodb\"", "\"eventName\"", "\"eventID\"", "\"payload\""];

/// How deep an on-failure object may lie in another: Lambda makes one, a redrive that failed again may make a second.
const PAYLOAD_DEPTH: usize = 4;

/// The records of the text of the file named `file`.
///
/// # Errors
/// The text is no capture: no record is in it and nothing of it looks like one.
pub(crate) fn entries(file: &str, text: &str) -> miette::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let outcome = match documents(text) {
        Ok(values) => expand_all(&mut entries, file, text, &values),
        Err(error) if is_lines(text) => lines(&mut entries, file, text, &error),
        Err(error) => damaged(&mut entries, file, text, text, &error),
    };
    match outcome {
        Ok(()) => Ok(entries),
        Err(NotACapture(what)) => Err(miette!(
            help = "a capture is an event with `Records`, one record, an array of records, JSON Lines, or an on-failure object",
            "`{file}` is no capture of stream records: {what}"
        )),
    }
}

/// What was found in place of a capture.
struct NotACapture(String);

/// The text as one or more whole JSON values.
fn documents(text: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().collect()
}

/// JSON Lines: the first line that is not empty is a whole value, and more follow.
fn is_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().is_some_and(|line| serde_json::from_str::<&RawValue>(line).is_ok());
    let more: Vec<&str> = lines.take(2).collect();
    // A first line that is itself damaged still leaves lines that are whole.
    !more.is_empty() && (first || more.iter().all(|line| line.trim_start().starts_with('{') && is_whole(line)))
}

fn is_whole(line: &str) -> bool {
    serde_json::from_str::<&RawValue>(line).is_ok()
}

fn expand_all(entries: &mut Vec<Entry>, file: &str, text: &str, values: &[&RawValue]) -> Result<(), NotACapture> {
    if values.is_empty() {
        return Err(NotACapture("it is empty".to_owned()));
    }
    for value in values {
        if !expand(entries, value, 0) {
            let at = Position::of(text, damage::offset_in(text, value.get()));
            if values.len() == 1 {
                return Err(NotACapture(format!("at {at} is JSON of another kind")));
            }
            entries.push(garbled(file, at, "is no stream record", value.get()));
        }
    }
    Ok(())
}

/// Takes the records out of `value`; false where it is of another kind.
fn expand(entries: &mut Vec<Entry>, value: &RawValue, depth: usize) -> bool {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow, rename = "Records")]
        records: Option<Vec<&'a RawValue>>,
        #[serde(borrow)]
        payload: Option<&'a RawValue>,
    }
    if let Ok(array) = serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        entries.extend(array.into_iter().map(element));
        return true;
    }
    if is_record(value.get()) {
        entries.push(Entry::Record(value.to_owned()));
        return true;
    }
    // An object with a key twice is no envelope for serde; nor is it one that anybody wrote.
    let Ok(envelope) = serde_json::from_str::<Envelope<'_>>(value.get()) else { return false };
    if let Some(records) = envelope.records {
        entries.extend(records.into_iter().map(element));
        return true;
    }
    match envelope.payload {
        Some(payload) if depth < PAYLOAD_DEPTH => match serde_json::from_str::<String>(payload.get()) {
            Ok(event) => match serde_json::from_str::<&RawValue>(&event) {
                Ok(event) => expand(entries, event, depth + 1),
                Err(_) => entries_of_payload(entries, &event),
            },
            Err(_) => expand(entries, payload, depth + 1),
        },
        Some(_) | None => false,
    }
}

/// An element of an array of records: whatever it is, it is judged as a record.
fn element(value: &RawValue) -> Entry {
    if value.get().starts_with('{') {
        Entry::Record(value.to_owned())
    } else {
        Entry::Garbled(Garbled {
            reason: "an element of the records is no object".to_owned(),
            text: quoted(value.get()),
        })
    }
}

/// A payload that was cut off: what is whole in it still counts.
fn entries_of_payload(entries: &mut Vec<Entry>, event: &str) -> bool {
    match serde_json::from_str::<&RawValue>(event) {
        Ok(_) => false,
        Err(error) => damaged(entries, "payload", event, event, &error).is_ok(),
    }
}

/// Whether the text is an object with at least one key of a stream record.
pub(super) fn is_record(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && damage::top_level_keys(text).iter().any(|key| RECORD_KEYS.contains(&key.as_str()))
}

fn lines(entries: &mut Vec<Entry>, file: &str, text: &str, error: &serde_json::Error) -> Result<(), NotACapture> {
    let before = entries.len();
    let mut records = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let trimmed = line.trim();
        match serde_json::from_str::<&RawValue>(trimmed) {
            Ok(value) if expand(entries, value, 0) => records = true,
            Ok(value) => {
                let at = Position::of(text, damage::offset_in(text, value.get()));
                entries.push(garbled(file, at, "is no stream record", value.get()));
            }
            Err(error) => {
                if damaged(entries, file, text, trimmed, &error).is_err() {
                    let at =
                        Position::of(text, damage::offset_in(text, trimmed) + damage::error_offset(trimmed, &error));
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

/// Takes what is whole out of `part` of `text`, and what is not as garbled.
fn damaged(
    entries: &mut Vec<Entry>,
    file: &str,
    text: &str,
    part: &str,
    error: &serde_json::Error,
) -> Result<(), NotACapture> {
    if !looks_like_capture(part) {
        return Err(not_json(error));
    }
    let base = damage::offset_in(text, part);
    for piece in damage::pieces(part) {
        match piece {
            damage::Piece::Whole(value) => {
                if is_record(value.get()) || !expand(entries, value, 0) {
                    entries.push(element(value));
                }
            }
            damage::Piece::Broken { offset, at, why } => {
                let at = Position::of(text, base + at);
                entries.push(garbled(file, at, &why, part.get(offset.clone()).unwrap_or_default()));
            }
        }
    }
    Ok(())
}

fn looks_like_capture(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && CAPTURE_MARKS.iter().any(|mark| text.contains(mark))
}

fn not_json(error: &serde_json::Error) -> NotACapture {
    NotACapture(format!("line {}, column {}: {}", error.line(), error.column(), damage::plain(error)))
}

fn garbled(file: &str, at: Position, why: &str, text: &str) -> Entry {
    Entry::Garbled(Garbled { reason: format!("`{file}`, {at}: {why}"), text: quoted(text.trim_end()) })
}

/// Any text as a JSON string.
fn quoted(text: &str) -> Box<RawValue> {
    serde_json::value::to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
