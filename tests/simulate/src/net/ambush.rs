//! Calls that somebody waits for, to write at their worst moment.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::oneshot;

use super::faults::{Fate, OUTAGE_LEAST};
use super::{Net, TAKING};

/// How long a call takes that somebody waited for: long enough for what is written then to be handled by others.
const HELD_LEAST: Duration = Duration::from_millis(1_500);
const HELD_MORE_MS: usize = 2_500;

/// How long somebody waits for a call to begin, beside one that may be held.
const WAITS: Duration = Duration::from_secs(3);

/// Somebody waits for a call, to write at its worst moment.
#[derive(Debug)]
pub(super) struct Ambush {
    operations: &'static [&'static str],
    fate: Fate,
    held: Duration,
    /// The operation fails for everybody else meanwhile, or nothing can be given, or taken back.
    with_outage: bool,
    caught: oneshot::Sender<()>,
}

impl Net {
    /// Waits for a call of one of these operations, which then takes long, or whose answer is lost. One at a time waits; who came
    /// before goes on. Whether one came.
    pub async fn ambush(&self, operations: &'static [&'static str]) -> bool {
        let fates = [Fate::SlowBefore, Fate::SlowBefore, Fate::SlowAfter, Fate::TimeoutAfter];
        let fate = self.chance.pick(&fates).copied().unwrap_or(Fate::SlowBefore);
        let with_outage = self.chance.of_thousand(200);
        self.wait_for(operations, fate, HELD_LEAST + self.chance.time(HELD_MORE_MS), with_outage).await
    }

    /// Waits for such a call, which then has its effect so much later, and nothing else comes in between.
    pub async fn hold(&self, operations: &'static [&'static str], held: Duration) -> bool {
        self.wait_for(operations, Fate::SlowBefore, held, false).await
    }

    /// Waits for such a call, which then is answered so much later.
    pub async fn hold_answer(&self, operations: &'static [&'static str], held: Duration) -> bool {
        self.wait_for(operations, Fate::SlowAfter, held, false).await
    }

    /// Waits for such a call, after whose effect the process ends.
    pub async fn crash_after(&self, operations: &'static [&'static str]) -> bool {
        self.wait_for(operations, Fate::CrashAfter, Duration::ZERO, false).await
    }

    /// Waits for such a call, which then has its effect, and whose answer is lost.
    pub async fn lose_answer(&self, operations: &'static [&'static str]) -> bool {
        self.wait_for(operations, Fate::Reset, Duration::ZERO, false).await
    }

    async fn wait_for(
        &self,
        operations: &'static [&'static str],
        fate: Fate,
        held: Duration,
        with_outage: bool,
    ) -> bool {
        let (caught, is_caught) = oneshot::channel();
        let ambush = Ambush { operations, fate, held, with_outage, caught };
        *self.ambush.lock().unwrap_or_else(PoisonError::into_inner) = Some(ambush);
        matches!(tokio::time::timeout(WAITS, is_caught).await, Ok(Ok(())))
    }

    /// The fate of a call for which somebody waited, and how long it takes.
    pub(super) fn ambushed(&self, process: usize, operation: &str) -> Option<(Fate, Duration)> {
        if self.watch().is_short(process) {
            return None;
        }
        let is_waited_for = |ambush: &mut Ambush| ambush.operations.contains(&operation) && !ambush.caught.is_closed();
        let ambush = self.ambush.lock().unwrap_or_else(PoisonError::into_inner).take_if(is_waited_for)?;
        if ambush.with_outage {
            let broken = self.chance.pick(&[operation, "AdminAddUserToGroup", TAKING[0]]).copied();
            self.breaks(broken.unwrap_or(operation), ambush.held + OUTAGE_LEAST);
        }
        let _ = ambush.caught.send(());
        self.count("Ambush");
        self.note(|| format!("somebody waited for {operation}"));
        Some((ambush.fate, ambush.held))
    }
}
