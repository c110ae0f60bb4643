//! When a finding is logged: once a minute for each kind and item type. An import without its parents
//! would fill the log otherwise. The metric counts all.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use instep_flow::reconcile::FindingKind;
use jiff::{SignedDuration, Timestamp};

/// How long after a line the next one about the same item type may follow.
const PAUSE: SignedDuration = SignedDuration::from_mins(1);

/// When each kind of finding was logged last, by item type. If the process ends, it is logged again.
#[derive(Debug, Default)]
pub(crate) struct Findings(Mutex<BTreeMap<(FindingKind, String), Timestamp>>);

impl Findings {
    /// The findings that are logged now: kind, item type, and how often. INVARIANT 9: no key and no
    /// attribute.
    pub(crate) fn to_log(
        &self,
        found: &BTreeMap<(FindingKind, String), u64>,
        now: Timestamp,
    ) -> Vec<(FindingKind, String, u64)> {
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = Vec::new();
        for ((kind, item), count) in found {
            let of = (*kind, item.clone());
            if logged.get(&of).is_none_or(|at| now.duration_since(*at) >= PAUSE) {
                logged.insert(of, now);
                lines.push((*kind, item.clone(), *count));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 9, and a log that can be read: one line a minute for each item type.
    #[test]
    fn a_finding_is_logged_once_a_minute_for_each_item_type() {
        let findings = Findings::default();
        let found = |item: &str| BTreeMap::from([((FindingKind::ReferenceToNothing, item.to_owned()), 3)]);
        let at = |second| Timestamp::from_second(second).unwrap();
        let lines = |item: &str, second| findings.to_log(&found(item), at(second)).len();
        let counts = [lines("Task", 0), lines("Task", 59), lines("Note", 59), lines("Task", 60), lines("Task", 61)];
        assert_eq!(counts, [1, 0, 1, 1, 0]);
    }
}
