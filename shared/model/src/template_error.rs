//! Templates that cannot be parsed.

use thiserror::Error;

/// A template that cannot be parsed. `at` is a byte offset into it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// `{` without `}`.
    #[error("a `{{` is never closed")]
    Unclosed {
        /// Where the brace is.
        at: usize,
    },
    /// `}` without `{`.
    #[error("a `}}` closes nothing")]
    Unopened {
        /// Where the brace is.
        at: usize,
    },
    /// `{}` or a name with characters that no name has.
    #[error("`{name}` is not a name")]
    NotAName {
        /// Where it begins.
        at: usize,
        /// What is there.
        name: String,
    },
    /// `{a}{b}`.
    #[error("nothing separates `{first}` from `{second}`")]
    Adjacent {
        /// Where the second name's brace is.
        at: usize,
        /// The first name.
        first: String,
        /// The second name.
        second: String,
    },
    /// A word after `|` that is no transform, or is in the wrong order.
    #[error("`{word}` is not a transform that can stand here")]
    Transform {
        /// Where it begins.
        at: usize,
        /// The word.
        word: String,
    },
}

impl TemplateError {
    /// Where in the template the error is, as a byte offset and a length.
    #[must_use]
    pub fn span(&self) -> (usize, usize) {
        match self {
            Self::Unclosed { at } | Self::Unopened { at } => (*at, 1),
            Self::NotAName { at, name } => (*at, name.len().max(1)),
            Self::Adjacent { at, second, .. } => (*at, second.len() + 1),
            Self::Transform { at, word } => (*at, word.len().max(1)),
        }
    }

    /// How to fix it.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Unclosed { .. } => "close the name with `}`, or write `{{` for a literal brace".to_owned(),
            Self::Unopened { .. } => "open a name with `{`, or write `}}` for a literal brace".to_owned(),
            Self::NotAName { .. } => {
                "a name has letters, digits and `_ - . : $ @`, with no dot at its ends, such as `{groupId}`".to_owned()
            }
            Self::Adjacent { first, second, .. } => format!(
                "put a constant between them, such as `{{{first}}}#{{{second}}}`: otherwise a text of both could not be \
                 taken apart. If your application writes them so, name an attribute that has the whole text"
            ),
            Self::Transform { .. } => {
                "the transforms are `lower`, `pad:10`, `urlencode` and `each`, each at most once and in this order"
                    .to_owned()
            }
        }
    }
}
