//! What cannot be.

/// A change that no template makes, and what to do.
pub(super) struct Contradiction {
    pub(super) what: String,
    pub(super) help: String,
}

impl Contradiction {
    pub(super) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}
