//! Tests of strings.

/// A test of a string.
#[derive(Debug)]
pub(crate) enum TextTest {
    Prefix(Letters),
    Suffix(Letters),
    IgnoreCase(Letters),
    /// The parts between asterisks.
    Wildcard(Vec<String>),
}

/// For each letter, the texts that stand for it: one, or its lower case and its upper case. The engine folds the
/// pattern letter by letter, and never the event.
#[derive(Debug)]
pub(crate) struct Letters(Vec<(String, String)>);

impl Letters {
    pub(crate) fn exact(text: &str) -> Self {
        Self(text.chars().map(|letter| (letter.to_string(), letter.to_string())).collect())
    }

    pub(crate) fn any_case(text: &str) -> Self {
        Self(text.chars().map(|letter| (letter.to_lowercase().collect(), letter.to_uppercase().collect())).collect())
    }

    /// What follows them in a text that starts with them.
    fn after<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.0.iter().try_fold(text, |text, (lower, upper)| {
            text.strip_prefix(lower.as_str()).or_else(|| text.strip_prefix(upper.as_str()))
        })
    }

    fn before<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.0.iter().rev().try_fold(text, |text, (lower, upper)| {
            text.strip_suffix(lower.as_str()).or_else(|| text.strip_suffix(upper.as_str()))
        })
    }
}

impl TextTest {
    pub(crate) fn holds(&self, text: &str) -> bool {
        match self {
            Self::Prefix(letters) => letters.after(text).is_some(),
            Self::Suffix(letters) => letters.before(text).is_some(),
            Self::IgnoreCase(letters) => letters.after(text) == Some(""),
            Self::Wildcard(parts) => wildcard(parts, text),
        }
    }
}

/// Between the parts may be any text.
fn wildcard(parts: &[String], text: &str) -> bool {
    match parts {
        [] => text.is_empty(),
        [only] => only == text,
        [first, middle @ .., last] => {
            let inner = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()));
            // The first place of each part leaves the most for those after it.
            let left = middle.iter().try_fold(inner.unwrap_or_default(), |rest, part| {
                rest.split_once(part.as_str()).map(|(_, after)| after)
            });
            inner.is_some() && left.is_some()
        }
    }
}
