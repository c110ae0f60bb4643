//! What a sweep or a backfill counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::DifferenceKind;

/// What a sweep has counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SweepTally {
    /// The items of the table.
    pub items: u64,
    /// The users of the pool.
    pub users: u64,
    /// Its groups.
    pub groups: u64,
    /// The memberships in groups of the model.
    pub members: u64,
    /// The read units of the scan.
    pub read_units: f64,
    /// Differences of the first read.
    pub found: u64,
    /// Those of them that the sweep does not keep: the next sweep finds them.
    pub more: u64,
    /// Those of them that writers chose.
    pub more_of_writers: u64,
    /// Those that the second read did not show.
    pub in_progress: u64,
    /// Differences that both reads show, by kind.
    pub kinds: BTreeMap<DifferenceKind, u64>,
    /// Those of them that can be repaired.
    pub repairable: u64,
    /// Drift that a sweep only reports.
    pub reported: u64,
    /// Those whose repair takes something out of Cognito.
    pub removals: u64,
    /// Repairs, or items of a backfill, that were sent.
    pub sent: u64,
    /// Items that a repair or a backfill left out, because the work queue refuses their records for good.
    pub left_out: u64,
}

impl SweepTally {
    /// Adds what something else has counted.
    pub fn add(&mut self, more: &Self) {
        self.items += more.items;
        self.users += more.users;
        self.groups += more.groups;
        self.members += more.members;
        self.read_units += more.read_units;
        self.found += more.found;
        self.more += more.more;
        self.more_of_writers += more.more_of_writers;
        self.in_progress += more.in_progress;
        for (kind, count) in &more.kinds {
            *self.kinds.entry(*kind).or_default() += count;
        }
        self.repairable += more.repairable;
        self.reported += more.reported;
        self.removals += more.removals;
        self.sent += more.sent;
        self.left_out += more.left_out;
    }

    /// Whether drift is left that was only counted.
    #[must_use]
    pub const fn has_more_drift(&self) -> bool {
        self.more > self.more_of_writers
    }

    /// The differences that are drift, and not what writers chose.
    #[must_use]
    pub fn drift(&self) -> u64 {
        self.kinds.iter().filter(|(kind, _)| !kind.is_of_writers()).map(|(_, count)| count).sum()
    }
}
