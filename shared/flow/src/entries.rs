//! The entries of a batch: stream records and messages.

use std::iter::Copied;
use std::slice::Iter;

use smallvec::SmallVec;

/// An entry of a batch, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub usize);

impl EntryId {
    /// The entry in a batch that this one's batch is a part of, from the entry at `from` on.
    #[must_use]
    pub const fn in_whole(self, from: usize) -> Self {
        Self(from + self.0)
    }
}

/// Some entries of a batch, each once, in their order.
#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entries(SmallVec<[EntryId; 2]>);

impl Entries {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry.
    pub fn insert(&mut self, entry: EntryId) {
        if let Err(at) = self.0.binary_search(&entry) {
            self.0.insert(at, entry);
        }
    }

    /// Whether `entry` is one of them.
    #[must_use]
    pub fn contains(&self, entry: EntryId) -> bool {
        self.0.binary_search(&entry).is_ok()
    }

    /// Whether all of them are among `others`.
    #[must_use]
    pub fn is_subset(&self, others: &Self) -> bool {
        self.iter().all(|entry| others.contains(entry))
    }

    /// The first one.
    #[must_use]
    pub fn first(&self) -> Option<EntryId> {
        self.0.first().copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> Copied<Iter<'_, EntryId>> {
        self.0.iter().copied()
    }
}

impl From<EntryId> for Entries {
    fn from(entry: EntryId) -> Self {
        Self([entry].into_iter().collect())
    }
}

impl Extend<EntryId> for Entries {
    fn extend<I: IntoIterator<Item = EntryId>>(&mut self, entries: I) {
        entries.into_iter().for_each(|entry| self.insert(entry));
    }
}

impl FromIterator<EntryId> for Entries {
    fn from_iter<I: IntoIterator<Item = EntryId>>(entries: I) -> Self {
        let mut all = Self::new();
        all.extend(entries);
        all
    }
}

impl<'a> IntoIterator for &'a Entries {
    type Item = EntryId;
    type IntoIter = Copied<Iter<'a, EntryId>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Entries {
    type Item = EntryId;
    type IntoIter = smallvec::IntoIter<[EntryId; 2]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
