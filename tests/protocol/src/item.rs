//! The items of a world, and their records.

use crate::world::SmallObject;

/// An item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmallItem {
    /// A user's attribute, a grant's role.
    pub value: u8,
    /// When a writer wrote it. Always 0 in worlds without last revocations.
    pub written: u32,
}

/// A stream record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmallRecord {
    /// Whose item was written.
    pub object: SmallObject,
    /// The item before.
    pub old: Option<SmallItem>,
    /// The item after.
    pub new: Option<SmallItem>,
    /// When it was written.
    pub at: u32,
}
