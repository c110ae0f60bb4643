//! The notes on what waits for an item that does not exist.

use instep_model::{Link, Model, Object};

use crate::queries;

/// What such a note begins with.
const PENDING: &str = "pending: ";

/// The note on an item whose link leads to nothing.
pub(crate) fn on_link(model: &Model, link: &Link, target: &Object) -> String {
    on(&queries::label_through(model, link, target))
}

/// The note on an item that was written after its parent was deleted.
pub(crate) fn on_deleted(model: &Model, link: &Link, parent: &Object) -> String {
    format!("{PENDING}{} was deleted before this was written", queries::label_through(model, link, parent))
}

/// The note on what waits for the item that reports call so.
#[must_use]
pub fn on(label: &str) -> String {
    format!("{PENDING}{label} does not exist")
}

/// Whether a note says that something waits.
#[must_use]
pub fn is_pending(note: &str) -> bool {
    note.starts_with(PENDING)
}
