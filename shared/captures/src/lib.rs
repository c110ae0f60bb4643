#![doc = include_str!("../README.md")]

mod damage;
mod entry;
mod envelope;
mod shape;
#[cfg(test)]
mod tests;
mod text;

use serde_json::value::RawValue;

use damage::Places;
use entry::garbled;
pub use entry::{CapturedEntry, Garbled, StreamBatch};
use envelope::{Other, damaged, expand, is_known, not_json};
use shape::looks_like_capture;
pub use text::CaptureText;

/// A text contains no record, and nothing that looks like one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a capture of stream records: {what}")]
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

/// The entries of a text named `file`.
///
/// # Errors
/// The text is no capture: it contains no record, and nothing that looks like one.
pub fn entries(file: &str, text: &str) -> Result<Vec<CapturedEntry>, NotACapture> {
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
    entries: &mut Vec<CapturedEntry>,
    file: &str,
    places: &mut Places<'_>,
    values: &[&RawValue],
) -> Result<(), Other> {
    let Some(first) = values.first() else { return Err(Other("it is empty".to_owned())) };
    let (before, mut is_capture) = (entries.len(), false);
    for value in values {
        if is_known(value, 0) && expand(entries, value, 0) {
            is_capture = true;
        } else {
            let at = places.of(damage::offset_in(places.text, value.get()));
            entries.push(garbled(file, at, "is not a stream record", value.get()));
        }
    }
    if !is_capture {
        entries.truncate(before);
        let at = places.of(damage::offset_in(places.text, first.get()));
        return Err(Other(format!("at {at} is JSON of another kind")));
    }
    Ok(())
}

fn lines(
    entries: &mut Vec<CapturedEntry>,
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
                entries.push(garbled(file, at, "is not a stream record", value.get()));
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
