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

/// The note on an edge that grants nothing, because its guard does not name it. `holder`: the edge that the guard names.
pub(crate) fn on_guard(guard: &str, holder: Option<&str>) -> String {
    match holder {
        Some(holder) => format!("{PENDING}its {guard} names {holder}"),
        None => format!("{PENDING}no {guard} names it"),
    }
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
