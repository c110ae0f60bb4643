//! Parts of messages: lists of words, and suggestions for misspelled ones.

/// How similar two words must be for a suggestion, from 0 to 1 (Damerau–Levenshtein, normalised).
const NEAR_ENOUGH: f64 = 0.6;

/// The longest word, in bytes, that is compared. A comparison costs time and memory in proportion
/// to the product of both lengths.
const WORD_MAX: usize = 100;

/// The known word that was probably meant.
pub(crate) fn near_word<'a, W: AsRef<str>>(word: &str, known: &'a [W]) -> Option<&'a str> {
    let known = known.iter().map(AsRef::as_ref).filter(|known| known.len() <= WORD_MAX && word.len() <= WORD_MAX);
    let scored = known.map(|known| (likeness(word, known), known));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (best.0 >= NEAR_ENOUGH).then_some(best.1)
}

fn likeness(word: &str, known: &str) -> f64 {
    // Differences in case and in the separator of words do not count.
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    strsim::normalized_damerau_levenshtein(&plain(word), &plain(known))
}

/// How well a text begins as a known constant does, if it probably was meant to. The text's beginning is as long as
/// it takes to have the constant's last character, its delimiter.
pub(crate) fn near_beginning(text: &str, constant: &str) -> Option<f64> {
    let last = constant.chars().next_back()?;
    let begins = text.find(last).and_then(|at| text.get(..at + last.len_utf8())).unwrap_or(text);
    let is_short = begins.len() <= WORD_MAX && constant.len() <= WORD_MAX;
    is_short.then(|| likeness(begins, constant)).filter(|likeness| *likeness >= NEAR_ENOUGH)
}

/// The maximum number of words in a list.
const LISTED_MAX: usize = 20;

/// A list for people: `a`, `b`.
pub(crate) fn list<T: AsRef<str>>(words: &[T]) -> String {
    let listed: Vec<String> = words.iter().take(LISTED_MAX).map(|word| format!("`{}`", word.as_ref())).collect();
    let more = match words.len() - listed.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", listed.join(", "))
}

/// The word of `known` that was probably meant by `word`.
#[must_use]
pub fn suggestion<'a>(word: &str, known: &'a [&'a str]) -> Option<&'a str> {
    near_word(word, known)
}

/// Whether a terminal would act on a character instead of showing it, or would show what follows it
/// in another order.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text in which control characters are spelled out. Line ends stay.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) && c != '\n' { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// A text of the same length in which `?` replaces the bytes of control characters. Line ends and
/// tabs stay.
pub(crate) fn masked(text: &str) -> String {
    let keep = |c: char| !is_control(c) || matches!(c, '\n' | '\r' | '\t');
    text.chars().map(|c| if keep(c) { c.to_string() } else { "?".repeat(c.len_utf8()) }).collect()
}
