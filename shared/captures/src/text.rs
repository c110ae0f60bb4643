//! The text of a capture's bytes. Bytes that are not UTF-8 damage only the record that they are in.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::entry::{CapturedEntry, GARBLED, Garbled, quoted};
use super::{NotACapture, entries};

/// The characters that stand for bytes that are not UTF-8: a private use plane of Unicode.
const MARKS: std::ops::RangeInclusive<char> = '\u{F0000}'..='\u{FFFFD}';

/// What people see in the place of such bytes.
const SHOWN: char = char::REPLACEMENT_CHARACTER;

/// The text of a capture.
#[derive(Debug, Clone, Default)]
pub struct CaptureText {
    text: String,
    /// For each run of bytes that are not UTF-8: the mark that the text has in its place, and the
    /// offset of its first byte. No mark occurs in the text otherwise, so a value that has one was
    /// damaged, wherever the value ends up.
    damaged: Vec<(char, usize)>,
}

impl CaptureText {
    /// The text of a capture's bytes, without a byte order mark.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => return Self::from(text),
            Err(error) => error.into_bytes(),
        };
        let used: BTreeSet<char> = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).collect();
        let mut marks = MARKS.filter(|mark| !used.contains(mark));
        let mut damaged: Vec<(char, usize)> = Vec::new();
        let (mut text, mut offset) = (String::with_capacity(bytes.len()), 0);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            offset += chunk.valid().len();
            if chunk.invalid().is_empty() {
                continue;
            }
            // Beyond 65,000 runs the last mark stands for all that follow.
            match marks.next().map(|mark| (mark, offset)).or(damaged.last().copied()) {
                Some((mark, first)) => {
                    text.push(mark);
                    if first == offset {
                        damaged.push((mark, offset));
                    }
                }
                None => text.push(SHOWN),
            }
            offset += chunk.invalid().len();
        }
        Self { damaged, ..Self::from(text) }
    }

    /// The text, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        self.without_marks(&self.text)
    }

    /// The whole text of the file named `file`.
    ///
    /// # Errors
    /// Bytes of it are not UTF-8. The error names the first.
    pub fn utf8(&self, file: &str) -> Result<&str, String> {
        match self.damaged.first() {
            Some((_, offset)) => Err(not_utf8(file, *offset)),
            None => Ok(&self.text),
        }
    }

    /// As [`entries`]. A record with bytes that are not UTF-8 is garbled: what it says is unknown.
    ///
    /// # Errors
    /// The text is no capture.
    pub fn entries(&self, file: &str) -> Result<Vec<CapturedEntry>, NotACapture> {
        let found = entries(file, &self.text);
        if self.damaged.is_empty() {
            return found;
        }
        match found {
            Ok(entries) => Ok(entries.into_iter().map(|entry| self.checked(file, entry)).collect()),
            Err(NotACapture { name, what }) => {
                let offset = self.damaged.first().map(|(_, offset)| *offset).unwrap_or_default();
                let what = format!("{}, and {}", self.without_marks(&what), not_utf8(file, offset));
                Err(NotACapture { name, what })
            }
        }
    }

    fn checked(&self, file: &str, entry: CapturedEntry) -> CapturedEntry {
        let garbled = match &entry {
            CapturedEntry::Record(raw, _) | CapturedEntry::Work(raw) => self.garbled(file, raw.get(), raw.get()),
            CapturedEntry::Garbled(garbled) => {
                let text = serde_json::from_str::<String>(garbled.text.get());
                self.garbled(file, garbled.text.get(), text.as_deref().unwrap_or_default())
            }
            CapturedEntry::Batch(batch) => {
                self.garbled(file, &format!("{batch:?}"), "a pointer to records of a stream")
            }
            CapturedEntry::Object(object, _) => {
                self.garbled(file, &format!("{}/{}", object.bucket, object.key), "a pointer to an object")
            }
        };
        garbled.map_or(entry, CapturedEntry::Garbled)
    }

    /// The entry for a part of the text with a mark. `None` for a part without one.
    fn garbled(&self, file: &str, part: &str, text: &str) -> Option<Garbled> {
        let offset = part.chars().find_map(|c| self.offset_of(c))?;
        let text: Box<RawValue> = quoted(&self.without_marks(text));
        Some(Garbled { code: GARBLED, reason: not_utf8(file, offset), text })
    }

    fn without_marks(&self, text: &str) -> String {
        text.chars().map(|c| if self.offset_of(c).is_some() { SHOWN } else { c }).collect()
    }

    /// The offset of the bytes that a mark stands for. `None` for any other character.
    fn offset_of(&self, mark: char) -> Option<usize> {
        // Marks are given in their order.
        let place = self.damaged.binary_search_by_key(&mark, |(own, _)| *own).ok()?;
        self.damaged.get(place).map(|(_, offset)| *offset)
    }
}

impl From<String> for CaptureText {
    fn from(text: String) -> Self {
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        Self { text, damaged: Vec::new() }
    }
}

impl From<&str> for CaptureText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

fn not_utf8(file: &str, offset: usize) -> String {
    format!(
        "`{file}`, byte {offset}: not UTF-8, so what was written is unknown: capture it again, or convert the file \
         to UTF-8"
    )
}
