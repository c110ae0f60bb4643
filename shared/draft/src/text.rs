//! Templates before they are written: constants, and slots that get a name.

use std::fmt;

/// One part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyPart {
    Constant(String),
    /// By its place in [`Types::slots`](crate::slots::Types::slots).
    Slot(usize),
}

/// How an attribute's value is written in a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct ValueForm {
    pub(crate) lower: bool,
    pub(crate) pad: Option<usize>,
    pub(crate) urlencode: bool,
}

impl fmt::Display for ValueForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lower {
            f.write_str("|lower")?;
        }
        if let Some(width) = self.pad {
            write!(f, "|pad:{width}")?;
        }
        if self.urlencode { f.write_str("|urlencode") } else { Ok(()) }
    }
}

/// Parts without adjacent or empty constants.
pub(crate) fn joined(parts: impl IntoIterator<Item = KeyPart>) -> Vec<KeyPart> {
    let mut all: Vec<KeyPart> = Vec::new();
    for part in parts {
        match (all.last_mut(), part) {
            (_, KeyPart::Constant(text)) if text.is_empty() => {}
            (Some(KeyPart::Constant(before)), KeyPart::Constant(text)) => before.push_str(&text),
            (_, part) => all.push(part),
        }
    }
    all
}

/// The slots of parts, in order.
pub(crate) fn slots(parts: &[KeyPart]) -> impl Iterator<Item = usize> {
    parts.iter().filter_map(|part| match part {
        KeyPart::Slot(slot) => Some(*slot),
        KeyPart::Constant(_) => None,
    })
}

/// The constants of parts, in order.
pub(crate) fn constants(parts: &[KeyPart]) -> impl Iterator<Item = &str> {
    parts.iter().filter_map(|part| match part {
        KeyPart::Constant(text) => Some(text.as_str()),
        KeyPart::Slot(_) => None,
    })
}
