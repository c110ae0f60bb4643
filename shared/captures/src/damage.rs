//! Recovers what is left of a damaged capture: the whole records, and the text between them.

use std::fmt;
use std::ops::Range;

use serde_json::value::RawValue;

use super::shape::{is_record, top_level_keys};

/// How much text may be scanned for the next whole record, as a multiple of the length of the
/// capture. Without this limit, a capture with deliberate damage could cost the square of its
/// length.
const SEARCH_LENGTHS: usize = 16;

/// A piece of a damaged capture.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    /// A whole JSON value.
    Whole(&'a RawValue),
    /// Text that is no JSON value.
    Broken {
        /// Where it is.
        offset: Range<usize>,
        /// Where parsing failed.
        at: usize,
        /// Why.
        why: String,
    },
}

/// A place in a text, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    line: usize,
    column: usize,
}

/// Finds the places of offsets in a text. If it is asked in order, it reads the text once.
/// Otherwise a capture with many damaged lines would cost the square of its length.
#[derive(Debug)]
pub(super) struct Places<'t> {
    pub(super) text: &'t str,
    offset: usize,
    position: Position,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, offset: 0, position: Position { line: 1, column: 1 } }
    }

    /// The place of the byte at `offset`.
    pub(super) fn of(&mut self, offset: usize) -> Position {
        if offset < self.offset {
            *self = Self::new(self.text);
        }
        let more = self.text.get(self.offset..offset).unwrap_or_default();
        match more.rsplit_once('\n') {
            Some((_, last)) => {
                self.position.line += more.matches('\n').count();
                self.position.column = last.chars().count() + 1;
            }
            None => self.position.column += more.chars().count(),
        }
        self.offset += more.len();
        self.position
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The message of `error` without its place, since the place in the whole file is reported instead.
pub(super) fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text.get(..at).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// Where in `text`, whose beginning was parsed, `error` occurred.
pub(super) fn error_offset(text: &str, error: &serde_json::Error) -> usize {
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 == error.line() {
            // serde_json counts columns in bytes, from 1; 0 is before the first.
            let mut at = (offset + error.column().saturating_sub(1)).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            return at;
        }
        offset += line.len();
    }
    text.len()
}

/// Where `part`, a slice of `text`, begins in it.
pub(super) fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// The pieces of a damaged capture, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = records_start(text);
    let mut budget = text.len().saturating_mul(SEARCH_LENGTHS);
    loop {
        at = skip(text, at, |c| c.is_ascii_whitespace() || c == ',');
        let rest = text.get(at..).unwrap_or_default();
        // The end of the array and of its event is no record, and its absence damages no record.
        if rest.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, ']' | '}')).is_empty() {
            return pieces;
        }
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        match stream.next() {
            Some(Ok(value)) if value.get().starts_with('{') => {
                pieces.push(Piece::Whole(value));
                at += stream.byte_offset();
            }
            Some(Ok(_)) | None => {
                let end = next_record(text, at, &mut budget);
                pieces.push(Piece::Broken { offset: at..end, at, why: "is not a stream record".to_owned() });
                at = end;
            }
            Some(Err(error)) => {
                let end = next_record(text, at, &mut budget);
                let failed = at + error_offset(rest, &error);
                pieces.push(Piece::Broken { offset: at..end, at: failed, why: plain(&error) });
                at = end;
            }
        }
    }
}

/// Where the records begin: after the bracket of an array of records or of `"Records":`.
fn records_start(text: &str) -> usize {
    let start = skip(text, 0, |c| c.is_ascii_whitespace());
    if text.get(start..).is_some_and(|rest| rest.starts_with('[')) {
        return start + 1;
    }
    if top_level_keys(text).iter().any(|key| key == "Records")
        && let Some(found) = text.find("\"Records\"")
    {
        let bracket = skip(text, found + "\"Records\"".len(), |c| c.is_ascii_whitespace() || c == ':');
        if text.get(bracket..).is_some_and(|rest| rest.starts_with('[')) {
            return bracket + 1;
        }
    }
    start
}

/// The beginning of the next whole record after `from`, or the end.
fn next_record(text: &str, from: usize, budget: &mut usize) -> usize {
    let first = text.get(from..).and_then(|rest| rest.chars().next());
    let mut at = from + first.map_or(1, char::len_utf8);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let read = match stream.next() {
            Some(Ok(value)) if is_record(value.get()) => return start,
            Some(Ok(value)) => value.get().len(),
            Some(Err(error)) => error_offset(rest, &error),
            None => 0,
        };
        // It loses nothing to report the rest as one garbled entry: that is parked with all its
        // text.
        let Some(left) = budget.checked_sub(read + 1) else { return text.len() };
        *budget = left;
        at = start + 1;
    }
    text.len()
}

fn skip(text: &str, from: usize, what: impl Fn(char) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + (rest.len() - rest.trim_start_matches(what).len())
}
