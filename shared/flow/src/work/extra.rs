//! The work that deletes what a sweep has found beyond what the table implies.

use instep_model::Key;
use serde::{Deserialize, Serialize};

use super::halves;
use crate::implied::Membership;

/// What a sweep has found in Cognito or among the bookkeeping items, and the table does not imply. The
/// run decides by what it reads.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Leftovers {
    /// Memberships.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Membership>,
    /// Groups that were created on demand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Bookkeeping items.
    #[serde(default, rename = "entries", skip_serializing_if = "Vec::is_empty")]
    pub bookkeeping: Vec<Key>,
    /// Children whose parent was deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orphans: Vec<Key>,
}

impl Leftovers {
    pub(super) fn summary(&self) -> String {
        let Self { members, groups, bookkeeping, orphans } = self;
        format!(
            "delete what is left over of {} memberships, {} groups, {} bookkeeping items, {} children",
            members.len(),
            groups.len(),
            bookkeeping.len(),
            orphans.len()
        )
    }

    /// Two halves, or nothing if it names fewer than two things.
    pub(super) fn divided(self) -> Vec<Self> {
        let Self { members, groups, bookkeeping, orphans } = self;
        let members = members.into_iter().map(|member| Self { members: vec![member], ..Self::default() });
        let groups = groups.into_iter().map(|group| Self { groups: vec![group], ..Self::default() });
        let bookkeeping = bookkeeping.into_iter().map(|key| Self { bookkeeping: vec![key], ..Self::default() });
        let orphans = orphans.into_iter().map(|orphan| Self { orphans: vec![orphan], ..Self::default() });
        let all: Vec<Self> = members.chain(groups).chain(bookkeeping).chain(orphans).collect();
        halves(all).into_iter().map(|half| half.into_iter().fold(Self::default(), Self::with)).collect()
    }

    /// All that two messages name.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.members.extend(other.members);
        self.groups.extend(other.groups);
        self.bookkeeping.extend(other.bookkeeping);
        self.orphans.extend(other.orphans);
        self
    }

    /// Whether it names nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.groups.is_empty() && self.bookkeeping.is_empty() && self.orphans.is_empty()
    }
}
