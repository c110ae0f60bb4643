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
    /// Those of them whose repair deletes only items of Instep's own.
    pub own: u64,
    /// Those of them whose repair deletes an item that a deleted parent has left. It may stay: a grant restores its subject.
    pub orphans: u64,
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
        self.own += more.own;
        self.orphans += more.orphans;
        self.reported += more.reported;
        self.removals += more.removals;
        self.sent += more.sent;
        self.left_out += more.left_out;
    }

    /// What an earlier model left and people decide about.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.kinds.iter().filter(|(kind, _)| kind.is_left()).map(|(_, count)| count).sum()
    }

    /// Whether a change deletes what earlier models need of Instep's own items: nothing else is to be repaired, and no
    /// item is found by them alone, or that was approved.
    #[must_use]
    pub fn may_delete_own(&self, is_approved: bool) -> bool {
        let links = self.kinds.get(&DifferenceKind::FormerLink).copied().unwrap_or_default();
        self.repairable == self.own + self.orphans && !self.has_more_drift() && (links == 0 || is_approved)
    }

    /// What a round of a change has repaired, or left to the next one. Without what deleted parents have left: a change
    /// need not wait for that, and it may stay.
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.sent.saturating_sub(self.orphans) + self.more.saturating_sub(self.more_of_writers)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A change deletes the way to items only if nothing else is to be repaired, and no item would be lost with it.
    #[test]
    fn what_leads_to_items_goes_last() {
        let tally = |repairable, own, links: u64, more| SweepTally {
            repairable,
            own,
            more,
            kinds: BTreeMap::from([(DifferenceKind::FormerLink, links)]),
            ..SweepTally::default()
        };
        assert!(tally(2, 2, 0, 0).may_delete_own(false));
        assert!(!tally(3, 2, 0, 0).may_delete_own(true), "an index key may not be written yet");
        assert!(!tally(2, 2, 0, 1).may_delete_own(true), "it may be one of those that were only counted");
        assert!(!tally(2, 2, 1, 0).may_delete_own(false) && tally(2, 2, 1, 0).may_delete_own(true));
    }

    /// INVARIANT 8: what a deleted parent has left may stay, if a grant can restore that parent. A change does not try
    /// again and again to delete it.
    #[test]
    fn a_change_does_not_wait_for_orphans() {
        let tally = SweepTally { repairable: 3, own: 2, orphans: 1, sent: 3, ..SweepTally::default() };
        assert!(tally.may_delete_own(false));
        assert_eq!(tally.repaired(), 2);
        let only_orphans = SweepTally { repairable: 1, orphans: 1, sent: 1, more: 2, more_of_writers: 2, ..tally };
        assert_eq!(only_orphans.repaired(), 0);
    }
}
