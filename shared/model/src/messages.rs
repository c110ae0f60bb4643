//! Parts of messages: lists of words, and suggestions for misspelled ones.

/// How similar two words must be for a suggestion, from 0 to 1 (Damerau–Levenshtein, normalised).
const NEAR_ENOUGH: f64 = 0.6;

/// The longest word, in bytes, that is compared. A comparison costs time and memory in proportion
/// to the product of both lengths.
const WORD_MAX: usize = 100;

/// The known word that was probably meant.
pub(crate) fn near_word<'a, W: AsRef<str>>(word: &str, known: &'a [W]) -> Option<&'a str> {
    let likeness = |known: &str| {
        // Differences in case and in the separator of words do not count.
        let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
        strsim::normalized_damerau_levenshtein(&plain(word), &plain(known))
    };
    let known = known.iter().map(AsRef::as_ref).filter(|known| known.len() <= WORD_MAX && word.len() <= WORD_MAX);
    let scored = known.map(|known| (likeness(known), known));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (best.0 >= NEAR_ENOUGH).then_some(best.1)
}

/// A list for people: `a`, `b`.
pub(crate) fn list<T: AsRef<str>>(words: &[T]) -> String {
    words.iter().map(|word| format!("`{}`", word.as_ref())).collect::<Vec<_>>().join(", ")
}
