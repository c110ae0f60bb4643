//! What items say of when they were last written. Pure.

use instep_model::{Item, end, value_at};
use jiff::Timestamp;

/// Whether an item says that it was last written in an earlier second: an attribute has a time, and none has a later one, or
/// something else. A date says no more than that it was written by the end of that day.
pub(crate) fn was_written_before(item: &Item, attributes: &[String], at: Timestamp) -> bool {
    let mut written = attributes.iter().filter_map(|path| value_at(item, path)).peekable();
    written.peek().is_some() && written.all(|value| end(value).is_some_and(|time| time.as_second() < at.as_second()))
}

/// Whether an item says that it was last written in this second, or later: an attribute has such a time.
pub(crate) fn was_written_since(item: &Item, attributes: &[String], at: Timestamp) -> bool {
    let mut written = attributes.iter().filter_map(|path| end(value_at(item, path)?));
    written.any(|time| time.as_second() >= at.as_second())
}
