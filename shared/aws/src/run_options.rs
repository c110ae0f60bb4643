//! The options of one run.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

/// The options of one run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The present time.
    pub now: Timestamp,
    /// Whether events are published.
    pub publish: bool,
    /// Whether the run only reports what it would do. It then changes nothing and publishes no
    /// events.
    pub dry_run: bool,
    /// When effects, parking and events must be complete.
    pub deadline: Option<Instant>,
    /// A person vouches for the users of the pool that were created before: they may serve the items of a
    /// backfill.
    pub adopt_before: Option<Timestamp>,
    /// The X-Ray trace header of the invocation, which is passed on with events.
    pub trace: Option<String>,
}

impl RunOptions {
    /// The same run, so much later. A run may take so long that windows open and close.
    pub(crate) fn later(&self, passed: Duration) -> Self {
        Self { now: self.now.saturating_add(passed).unwrap_or(self.now), ..self.clone() }
    }

    /// The time that has passed since a moment. It passes only in invocations, which have a deadline: the
    /// clock of a replay stands still during a run.
    pub(crate) fn passed_since(&self, moment: Instant) -> Duration {
        if self.deadline.is_some() { moment.elapsed() } else { Duration::ZERO }
    }
}
