//! Named reads, as they are written.

use super::tree::TreeEntry;
use super::words::{Words, entries, text};
use crate::errors::{Mistake, Mistakes};
use crate::source::{Located, Span};

/// An access pattern.
#[derive(Debug)]
pub(crate) struct DraftRead {
    pub(crate) name: Located<String>,
    pub(crate) items: Vec<Located<String>>,
    pub(crate) index: Option<Located<String>>,
    pub(crate) given: Vec<Located<String>>,
    /// The fixed values of names.
    pub(crate) fixed: Vec<(Located<String>, Located<String>)>,
    pub(crate) range: Option<Located<String>>,
    pub(crate) begins: Option<Located<String>>,
    /// The place of `descending = true`.
    pub(crate) descending: Option<Span>,
    /// The place of `partial = true`.
    pub(crate) partial: Option<Span>,
    pub(crate) follow: Option<Located<String>>,
}

/// `{ items = "Booking", index = "byPerson", given = ["personId"], where = { state = "open" }, range = "day" }`.
pub(super) fn read_read(entry: &TreeEntry, mistakes: &mut Mistakes) -> Option<DraftRead> {
    let mut words = Words::of(&entry.node, "a read", mistakes)?;
    let items = words.texts("items", mistakes);
    if items.is_empty() {
        words.required("items", "\"Booking\"", mistakes);
    }
    let index = words.text("index", mistakes);
    let given = words.texts("given", mistakes);
    let fixed = words.get("where").map_or(&[][..], |node| entries(node, "`where`", mistakes));
    let fixed = fixed.iter().filter_map(|entry| Some((entry.name(), text(&entry.node, mistakes)?))).collect();
    let range = words.text("range", mistakes);
    let begins = words.text("begins", mistakes);
    let at = words.get("descending").map(|node| node.span);
    let descending = words.flag("descending", mistakes).filter(|descending| *descending).and(at);
    let at = words.get("partial").map(|node| node.span);
    let partial = words.flag("partial", mistakes).filter(|partial| *partial).and(at);
    let follow = words.text("follow", mistakes);
    words.done(&[], mistakes);
    if let (Some(range), Some(begins)) = (&range, &begins) {
        let mistake =
            Mistake::new(begins.span, "a read has either `range` or `begins`", "here").also(range.span, "and here");
        mistakes.add(mistake.help("remove one of them: a first and a last value limit a name, or how it begins"));
    }
    (!items.is_empty()).then(|| DraftRead {
        name: entry.name(),
        items,
        index,
        given,
        fixed,
        range,
        begins,
        descending,
        partial,
        follow,
    })
}
