//! The sweep: finds the differences between the table, the user pool and what the model says, and sends
//! repairs to the work queue. It changes nothing itself.
//!
//! What is merely in progress is no drift: each difference is read twice, a grace apart, and counts only
//! if both reads show it.

mod cognito;
mod confirm;
mod explain;
mod lanes;
mod references;
mod related;
mod repairs;
mod table;

pub use explain::{ExplainedItem, Explanation, object_named};
pub use lanes::{FoundDifference, SWEEPS_PREFIX, SweepReport};
pub use references::FollowedReferences;
pub use related::Related;
use repairs::Repairs;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use instep_flow::effect::Effects;
use instep_flow::plan::Plan;
use instep_flow::reconcile::{Next, Reconciled, Reconciler};
use instep_flow::sweep::{Candidate, Difference, Kind, Pool, leave_out_adopted};
use instep_model::{Item, Object};
use tokio::time::Instant;

use crate::instep::{Instep, Run};

/// The maximum differences that one sweep keeps and repairs. It counts the others, and the next sweep
/// finds them. INVARIANT 8.
const KEPT_MAX: usize = 10_000;

/// The maximum of each kind that it only reports. They may be there for ever, such as the users of another
/// application, and must leave room for what a sweep repairs.
const REPORTED_MAX: usize = 1_000;

/// How a sweep sweeps.
#[derive(Debug, Clone)]
pub struct Options {
    /// The time between the two reads of a difference.
    pub grace: Duration,
    /// Whether repairs are sent.
    pub repair: bool,
    /// The maximum of what one sweep removes from Cognito. If there is more, it sends nothing: the
    /// model may be wrong.
    pub removals_max: usize,
    /// The number of segments of the table that are scanned at once.
    pub segments: u32,
    /// Only this object and what depends on it.
    pub only: Option<Object>,
}

/// How far a sweep has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Users, groups or memberships were read.
    Pool(u64),
    /// Items were read.
    Items(u64),
    /// Waits, to read differences once more.
    Waiting(Duration),
}

/// Called with the progress.
pub type Listener<'a> = &'a (dyn Fn(Progress) + Send + Sync);

/// The outcome of a sweep.
#[derive(Debug, Default)]
pub struct Swept {
    /// The differences that both reads show.
    pub differences: Vec<Difference>,
    /// More differences than a sweep keeps: their number, of one read.
    pub more: usize,
    /// Those of them that writers chose.
    pub more_of_writers: usize,
    /// What the first read has found and a sweep only reports.
    reported: BTreeMap<Kind, usize>,
    /// What was only in progress: the second read did not show it.
    pub in_progress: usize,
    /// The items of the table.
    pub items: u64,
    /// The users, groups and memberships of the pool.
    pub users: u64,
    /// The groups.
    pub groups: u64,
    /// The memberships.
    pub members: u64,
    /// The repairs that were sent.
    pub sent: usize,
    /// The repairs would remove more than a sweep may: nothing was sent.
    pub is_stopped: bool,
    /// The read capacity units of the scan.
    pub capacity: f64,
}

impl Swept {
    /// How much the repairs would remove from Cognito.
    #[must_use]
    pub fn removals(&self) -> usize {
        self.differences.iter().filter(|difference| difference.removes()).count()
    }

    /// Whether drift is left that was only counted.
    #[must_use]
    pub const fn has_more_drift(&self) -> bool {
        self.more > self.more_of_writers
    }

    /// Whether the table and Cognito disagree.
    #[must_use]
    pub fn has_drift(&self) -> bool {
        self.has_more_drift() || self.differences.iter().any(|difference| !difference.kind.is_of_writers())
    }

    /// The number of differences of each kind.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Kind, usize> {
        let mut counts = BTreeMap::new();
        for difference in &self.differences {
            *counts.entry(difference.kind).or_default() += 1;
        }
        counts
    }

    fn keep(&mut self, found: Vec<Difference>) {
        for difference in found {
            let is_room = if difference.is_repairable() {
                self.differences.len() < KEPT_MAX
            } else {
                let count = self.reported.entry(difference.kind).or_default();
                *count += 1;
                *count <= REPORTED_MAX
            };
            if is_room {
                self.differences.push(difference);
            } else {
                self.more += 1;
                self.more_of_writers += usize::from(difference.kind.is_of_writers());
            }
        }
    }
}

/// What the table implies for a plan, before anything is applied.
pub(crate) struct Implied {
    /// The effects.
    pub(crate) effects: Effects,
    /// The remarks and refusals.
    pub(crate) reconciled: Reconciled,
}

impl Instep {
    /// Sweeps.
    ///
    /// # Errors
    /// A service failed: the sweep found what it says until then, and sent nothing.
    pub async fn sweep(&self, options: &Options, run: &Run, listener: Listener<'_>) -> Result<Swept, String> {
        let started = Instant::now();
        // A sweep may take hours, in which windows open and close.
        let later = || run.later(started.elapsed());
        let mut swept = Swept::default();
        if let Some(only) = &options.only {
            self.only(only, run, &mut swept).await?;
        } else {
            let pool = self.read_pool(run, listener, &mut swept).await?;
            self.read_table(pool.as_ref(), options, &later(), listener, &mut swept).await?;
        }
        if !swept.differences.is_empty() {
            listener(Progress::Waiting(options.grace));
            tokio::time::sleep(options.grace).await;
            let found: Vec<Candidate> = swept.differences.iter().map(Candidate::of).collect();
            swept.differences = self.confirmed(&found, &later()).await?;
            // An orphan is found once for each of its missing parents.
            let found: BTreeSet<_> = found.iter().map(|candidate| (candidate.kind, &candidate.about)).collect();
            swept.in_progress = found.len().saturating_sub(swept.differences.len());
            leave_out_adopted(&mut swept.differences);
        }
        swept.is_stopped = options.repair && swept.removals() > options.removals_max;
        if options.repair && !swept.is_stopped {
            self.write_lost_references(&swept.differences, &later()).await?;
            swept.sent = self.repair(&Repairs::of(&swept.differences), &later()).await?;
        }
        Ok(swept)
    }

    /// What follows from a plan, without applying anything.
    pub(crate) async fn implied(&self, plan: Plan, run: &Run) -> Result<Implied, String> {
        if plan.is_empty() {
            return Ok(Implied { effects: Effects::new(), reconciled: Reconciled::default() });
        }
        let mut reconciler = Reconciler::new(&self.model, plan, run.now);
        loop {
            match reconciler.next() {
                Next::Read(asks) => reconciler.answer(Box::pin(self.read(&asks, run)).await?, Duration::ZERO),
                Next::Apply(effects) => {
                    let (effects, reconciled) = reconciler.first_effects(effects);
                    return Ok(Implied { effects, reconciled });
                }
                Next::Done(reconciled) => match reconciled.failed {
                    Some(why) => return Err(why),
                    None => return Ok(Implied { effects: Effects::new(), reconciled }),
                },
            }
        }
    }

    /// The differences of some items, of which `pool` has at least what they imply.
    pub(crate) async fn check_items(
        &self,
        items: Vec<Item>,
        pool: &Known<'_>,
        run: &Run,
    ) -> Result<Vec<Difference>, String> {
        table::check(self, items, pool, run).await
    }
}

/// What is known of the pool when items are checked.
pub(crate) enum Known<'a> {
    /// All of it.
    All(Option<&'a Pool>),
    /// Nothing: what the items imply is read.
    Nothing,
}

#[cfg(test)]
mod tests {
    use instep_flow::sweep::{About, Repair};

    use super::*;

    fn difference(kind: Kind, name: usize, repair: Repair) -> Difference {
        Difference { kind, about: About::User(name.to_string()), why: String::new(), repair }
    }

    /// Promise 1: the users of another application leave room for what is missing, and children without a
    /// parent are no drift, however many.
    #[test]
    fn what_is_only_reported_leaves_room_for_what_is_repaired() {
        let mut swept = Swept::default();
        swept.keep((0..20_000).map(|name| difference(Kind::Orphan, name, Repair::Report(""))).collect());
        assert_eq!((swept.differences.len(), swept.more, swept.has_drift()), (1_000, 19_000, false));
        swept.keep((0..20_000).map(|name| difference(Kind::ExtraUser, name, Repair::Report(""))).collect());
        swept.keep(vec![difference(Kind::MissingUser, 0, Repair::Clock)]);
        let counts = swept.counts();
        let expected = [(Kind::MissingUser, 1), (Kind::ExtraUser, 1_000), (Kind::Orphan, 1_000)];
        assert_eq!(counts, BTreeMap::from(expected));
        assert!(swept.has_drift());
    }
}
