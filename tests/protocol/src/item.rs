//! The items of a world, and their records.

use crate::world::Object;

/// An item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    /// A user's attribute, a grant's role.
    pub value: u8,
    /// When a writer wrote it. Always 0 in worlds without last revocations.
    pub written: u32,
}

/// A stream record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// Whose item was written.
    pub object: Object,
    /// The item before.
    pub old: Option<Item>,
    /// The item after.
    pub new: Option<Item>,
    /// When it was written.
    pub at: u32,
}
