//! The sweep: finds the differences between the table, the user pool and what the model says, and sends
//! repairs to the work queue. It changes nothing itself but lost back-references.
//!
//! It is divided into units (`units.rs`), of which a plan says which come next (`plan.rs`). What they read is in
//! the bucket. What is merely in progress is no drift: each difference is read twice, a grace apart, and counts
//! only if both reads show it.

mod change;
mod cognito;
mod compare;
mod confirm;
mod driver;
mod explain;
mod plan;
mod read;
mod references;
mod related;
mod repairs;
mod store;
mod table;
mod units;
mod whole;

pub use change::RoundResult;
pub use confirm::FoundDifference;
pub use explain::{AskedMembership, ExplainedItem, ExplainedWaiting, Explanation, object_named};
pub use plan::{Planned, SweepError, SweepStatus, SweepSummary};
pub use references::FollowedReferences;
pub use related::Related;
pub use store::SWEEPS_PREFIX;

use std::collections::BTreeMap;
use std::time::Duration;

use instep_flow::effect::Effects;
use instep_flow::plan::Plan;
use instep_flow::reconcile::{Next, Reconciler, RunOutcome};
use instep_flow::sweep::plan::{Mode, SweepRequest};
use instep_flow::sweep::{Difference, DifferenceKind, SweepTally};
use instep_model::{Item, Object};

use crate::instep::Instep;
use crate::run_options::RunOptions;

/// How a sweep sweeps.
#[derive(Debug, Clone)]
pub struct SweepOptions {
    /// The time between the two reads of a difference, in whole seconds.
    pub grace: Duration,
    /// Whether repairs are sent.
    pub repair: bool,
    /// The maximum of what one sweep removes from Cognito. If there is more, it sends nothing: the
    /// model may be wrong.
    pub removals_max: u64,
    /// Only this object and what depends on it.
    pub only: Option<Object>,
    /// The name of the sweep. One that has begun goes on. `None`: a new one.
    pub sweep: Option<String>,
}

impl SweepOptions {
    /// What these options ask a plan.
    #[must_use]
    pub fn ask(&self) -> SweepRequest {
        let mode = if self.repair { Mode::Repair } else { Mode::Report };
        let seconds = self.grace.as_secs() + u64::from(self.grace.subsec_nanos() > 0);
        let grace_seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
        SweepRequest { mode, max_removals: self.removals_max, grace_seconds, ran: None }
    }
}

/// How far a sweep has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SweepProgress {
    /// Users, groups or memberships were read.
    Pool(u64),
    /// Items were read.
    Items(u64),
    /// Waits, to read differences once more.
    Waiting(Duration),
    /// So many messages are in the work queue that a backfill waits.
    Backlogged(u64),
    /// Repairs, or items of a backfill, were sent.
    Sent(u64),
    /// A repair or a backfill left an item out: the work queue refuses its record for good. The item's name in reports.
    LeftOut(String),
}

/// Called with the progress.
pub type SweepListener<'a> = &'a (dyn Fn(SweepProgress) + Send + Sync);

/// The outcome of a sweep.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepResult {
    /// The differences that both reads show.
    pub differences: Vec<FoundDifference>,
    /// What was counted.
    pub tally: SweepTally,
    /// The repairs would remove more than a sweep may: nothing was sent.
    pub is_stopped: bool,
}

impl SweepResult {
    /// Whether the table and Cognito disagree.
    #[must_use]
    pub fn has_drift(&self) -> bool {
        self.tally.has_more_drift() || self.tally.drift() > 0
    }

    /// The number of differences of each kind.
    #[must_use]
    pub const fn counts(&self) -> &BTreeMap<DifferenceKind, u64> {
        &self.tally.kinds
    }
}

/// What the table implies for a plan, before anything is applied.
pub(crate) struct PlannedEffects {
    /// The effects.
    pub(crate) effects: Effects,
    /// The remarks and refusals.
    pub(crate) reconciled: RunOutcome,
}

impl Instep {
    /// What follows from a plan, without applying anything.
    pub(crate) async fn implied(&self, plan: Plan, run: &RunOptions) -> Result<PlannedEffects, String> {
        if plan.is_empty() {
            return Ok(PlannedEffects { effects: Effects::new(), reconciled: RunOutcome::default() });
        }
        let mut reconciler = Reconciler::new(&self.model, plan, run.now);
        loop {
            match reconciler.next() {
                Next::Read(asks) => reconciler.answer(Box::pin(self.read(&asks, run)).await?, Duration::ZERO),
                Next::Apply(effects) => {
                    let (effects, reconciled) = reconciler.first_effects(effects);
                    return Ok(PlannedEffects { effects, reconciled });
                }
                Next::Done(reconciled) => match reconciled.failed {
                    Some(why) => return Err(why),
                    None => return Ok(PlannedEffects { effects: Effects::new(), reconciled }),
                },
            }
        }
    }

    /// The differences of some items. What the pool has of what they imply is read.
    pub(crate) async fn check_items(&self, items: Vec<Item>, run: &RunOptions) -> Result<Vec<Difference>, String> {
        table::check(self, items, run).await
    }
}
