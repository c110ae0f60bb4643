//! The values of the redacted attributes, searched in other texts.

use std::collections::BTreeMap;
use std::ops::Range;

use percent_encoding::percent_decode_str;

use super::{Cuts, encode};

/// Shorter values are replaced only if they are the whole text or a whole part of it, because `al`
/// also occurs in `final`.
const INSIDE_MIN_CHARS: usize = 4;

/// The known values, and their replacements.
#[derive(Debug, Default)]
pub(super) struct KnownValues {
    /// As they are written.
    all: BTreeMap<String, String>,
    /// In lower case. Longest first, so that no value breaks a longer one that contains it.
    addresses: Vec<(String, String)>,
    values: Vec<(String, String)>,
    short: BTreeMap<String, String>,
}

impl KnownValues {
    pub(super) fn of(all: BTreeMap<String, String>) -> Self {
        let (mut short, mut inside) = (BTreeMap::new(), BTreeMap::new());
        for (text, new) in all.iter().filter(|(text, _)| !text.is_empty()) {
            if text.chars().count() < INSIDE_MIN_CHARS {
                short.insert(fold(text).text, new.clone());
            } else {
                let lower = fold(text).text;
                for encoded in [encode(text), encode(&lower)] {
                    inside.insert(fold(&encoded).text, encode(new));
                }
                inside.insert(lower, new.clone());
            }
        }
        let mut inside: Vec<_> = inside.into_iter().collect();
        inside.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        let (addresses, values) = inside.into_iter().partition(|(text, _)| text.contains('@') || text.contains("%40"));
        Self { all, addresses, values, short }
    }

    /// Whether it is one of the values.
    pub(super) fn has(&self, text: &str) -> bool {
        self.all.contains_key(text)
    }

    /// Cuts out the values that contain an address.
    pub(super) fn addresses(&self, folded: &DerivedText, cuts: &mut Cuts) {
        cut(&self.addresses, folded, cuts);
    }

    /// Cuts out all other values but the short ones.
    pub(super) fn values(&self, folded: &DerivedText, cuts: &mut Cuts) {
        cut(&self.values, folded, cuts);
    }

    /// Cuts out the short values that are the whole text, or a part of it between separators.
    pub(super) fn short(&self, text: &str, cuts: &mut Cuts) {
        if self.short.is_empty() {
            return;
        }
        let new = |part: &str| self.short.get(&fold(&percent_decode_str(part).decode_utf8_lossy()).text);
        if let Some(new) = new(text) {
            return cuts.add(0..text.len(), new.clone());
        }
        let mut from = 0;
        for part in text.split(is_separator) {
            let at = from..from + part.len();
            from = at.end + text.get(at.end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            if let Some(new) = new(part).filter(|_| !is_of_a_time(text, &at)) {
                cuts.add(at, new.clone());
            }
        }
    }
}

/// What parts of keys stand between. An address is one part, and so is a date.
fn is_separator(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '@' | '.' | '-' | '+' | '%' | '\'')
}

/// Whether a part is the minutes, or another part, of a time such as `10:30:00`.
fn is_of_a_time(text: &str, at: &Range<usize>) -> bool {
    let two_digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let before = || text.get(at.start.checked_sub(3)?..at.start)?.strip_suffix(':');
    let after = || text.get(at.end..at.end.checked_add(3)?)?.strip_prefix(':');
    text.get(at.clone()).is_some_and(two_digits)
        && (before().is_some_and(two_digits) || after().is_some_and(two_digits))
}

fn cut(values: &[(String, String)], folded: &DerivedText, cuts: &mut Cuts) {
    for (old, new) in values {
        for (start, _) in folded.text.match_indices(old.as_str()) {
            if let Some(at) = folded.source(start..start + old.len()) {
                cuts.add(at, new.clone());
            }
        }
    }
}

/// A text that was made of another one.
#[derive(Debug, Default)]
pub(super) struct DerivedText {
    pub(super) text: String,
    /// For each byte of the text, the part of the other one that it comes from.
    from: Vec<Range<usize>>,
}

impl DerivedText {
    pub(super) fn push(&mut self, c: char, from: Range<usize>) {
        self.text.push(c);
        self.from.extend(std::iter::repeat_n(from, c.len_utf8()));
    }

    /// The part of the other text that a part of this one comes from.
    pub(super) fn source(&self, part: Range<usize>) -> Option<Range<usize>> {
        Some(self.from.get(part.start)?.start..self.from.get(part.end.checked_sub(1)?)?.end)
    }
}

/// The text in lower case.
pub(super) fn fold(text: &str) -> DerivedText {
    let mut folded = DerivedText::default();
    for (at, c) in text.char_indices() {
        c.to_lowercase().for_each(|lower| folded.push(lower, at..at + c.len_utf8()));
    }
    folded
}
