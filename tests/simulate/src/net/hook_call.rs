//! Ambushes: a writer waits for a call, to write at the worst moment.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::oneshot;

use super::faults::{Fate, OUTAGE_LEAST};
use super::{Net, REMOVING};

/// How long a caught call is delayed: long enough for other processes to handle what the writer
/// writes.
const HELD_LEAST: Duration = Duration::from_millis(1_500);
const HELD_MORE_MS: usize = 2_500;

/// How long a writer waits for a call.
const WAITS: Duration = Duration::from_secs(3);

/// Whether Instep made the call that a writer waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Disturbed {
    /// Instep made the call. It is disturbed as the scene asks.
    Caught,
    /// Instep made no such call within some seconds.
    Missed,
}

/// Whether an operation fails while a call is delayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meanwhile {
    /// Meanwhile the operation fails for everybody else, or adding or removing members fails.
    AnOperationFails,
    NothingFails,
}

/// A writer waits for a call.
#[derive(Debug)]
pub(super) struct CallHook {
    operations: &'static [&'static str],
    fate: Fate,
    held: Duration,
    meanwhile: Meanwhile,
    caught: oneshot::Sender<()>,
}

impl Net {
    /// Waits for a call of one of these operations, and disturbs it at random: its effect or its
    /// answer is late, or its answer is lost.
    ///
    /// One writer can wait at a time. A new hook ends the wait of an earlier one.
    pub async fn hook_call(&self, operations: &'static [&'static str]) -> Disturbed {
        let fates = [Fate::SlowBefore, Fate::SlowBefore, Fate::SlowAfter, Fate::TimeoutAfter];
        let fate = self.chance.pick(&fates).copied().unwrap_or(Fate::SlowBefore);
        let fails = self.chance.of_thousand(200);
        let meanwhile = if fails { Meanwhile::AnOperationFails } else { Meanwhile::NothingFails };
        self.wait_for(operations, fate, HELD_LEAST + self.chance.time(HELD_MORE_MS), meanwhile).await
    }

    /// Waits for such a call. Its effect is late by so much.
    pub async fn hold(&self, operations: &'static [&'static str], held: Duration) -> Disturbed {
        self.wait_for(operations, Fate::SlowBefore, held, Meanwhile::NothingFails).await
    }

    /// Waits for such a call. Its answer is late by so much.
    pub async fn hold_answer(&self, operations: &'static [&'static str], held: Duration) -> Disturbed {
        self.wait_for(operations, Fate::SlowAfter, held, Meanwhile::NothingFails).await
    }

    /// Waits for such a call. The process crashes after its effect.
    pub async fn crash_after(&self, operations: &'static [&'static str]) -> Disturbed {
        self.wait_for(operations, Fate::CrashAfter, Duration::ZERO, Meanwhile::NothingFails).await
    }

    /// Waits for such a call. It has its effect, and its answer is lost.
    pub async fn lose_answer(&self, operations: &'static [&'static str]) -> Disturbed {
        self.wait_for(operations, Fate::Reset, Duration::ZERO, Meanwhile::NothingFails).await
    }

    async fn wait_for(
        &self,
        operations: &'static [&'static str],
        fate: Fate,
        held: Duration,
        meanwhile: Meanwhile,
    ) -> Disturbed {
        let (caught, is_caught) = oneshot::channel();
        let hook_call = CallHook { operations, fate, held, meanwhile, caught };
        *self.hook_call.lock().unwrap_or_else(PoisonError::into_inner) = Some(hook_call);
        match tokio::time::timeout(WAITS, is_caught).await {
            Ok(Ok(())) => Disturbed::Caught,
            Ok(Err(_)) | Err(_) => Disturbed::Missed,
        }
    }

    /// The fate of a call that a writer waits for, and its delay.
    pub(super) fn hooked_fate(&self, process: usize, operation: &str) -> Option<(Fate, Duration)> {
        if self.watch().is_short(process) {
            return None;
        }
        let is_waited_for =
            |hook_call: &mut CallHook| hook_call.operations.contains(&operation) && !hook_call.caught.is_closed();
        let hook_call = self.hook_call.lock().unwrap_or_else(PoisonError::into_inner).take_if(is_waited_for)?;
        if hook_call.meanwhile == Meanwhile::AnOperationFails {
            let broken = self.chance.pick(&[operation, "AdminAddUserToGroup", REMOVING[0]]).copied();
            self.breaks(broken.unwrap_or(operation), hook_call.held + OUTAGE_LEAST);
        }
        let _ = hook_call.caught.send(());
        self.count("Ambush");
        self.note(|| format!("a hook caught {operation}"));
        Some((hook_call.fate, hook_call.held))
    }
}
