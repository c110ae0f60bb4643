//! Snapshots that are sent to the bus on a schedule.

use instep_aws::{Instep, RunOptions, SnapshotError, SnapshotProgress};
use instep_lambda::InvocationFailure;
use tokio::time::Instant;
use tracing::{info, warn};

/// Sends steps of a snapshot until it is over, or until `stop`. At least one is sent. If a service fails after that, the
/// next invocation goes on: what it sends again has the same ids.
///
/// # Errors
/// Nothing could be sent, or the snapshot cannot go on.
pub async fn send(
    instep: &Instep,
    mut taken: SnapshotProgress,
    stop: Option<Instant>,
    run: &RunOptions,
) -> Result<SnapshotProgress, InvocationFailure> {
    let mut has_sent = false;
    let is_late = |has_sent: bool| has_sent && stop.is_some_and(|stop| Instant::now() >= stop);
    while !(taken.is_over() || is_late(has_sent)) {
        match step(instep, &taken, run).await {
            Ok(after) => (taken, has_sent) = (after, true),
            Err(SnapshotError::Failed(why)) if has_sent => {
                warn!(why, "a step of a snapshot is tried again");
                break;
            }
            Err(why) => return Err(failed(&why)),
        }
    }
    info!(events = taken.count(), over = taken.is_over(), "a snapshot is sent");
    Ok(taken)
}

/// Sends the end of a snapshot that is not complete: no subscriber deletes anything.
///
/// # Errors
/// It was not sent.
pub async fn end_incomplete(
    instep: &Instep,
    taken: &SnapshotProgress,
    run: &RunOptions,
) -> Result<(), InvocationFailure> {
    warn!(events = taken.count(), "a snapshot ends before it is complete");
    let sent = instep.put_events(instep.snapshot_end(taken, false), run).await;
    sent.map_err(|why| failed(&SnapshotError::Failed(why)))
}

async fn step(instep: &Instep, taken: &SnapshotProgress, run: &RunOptions) -> Result<SnapshotProgress, SnapshotError> {
    let (entries, after) = instep.snapshot_step(taken, |_| true, run).await?;
    instep.put_events(entries, run).await.map_err(SnapshotError::Failed)?;
    Ok(after)
}

fn failed(why: &SnapshotError) -> InvocationFailure {
    let kind = match why {
        SnapshotError::Failed(_) => "SnapshotFailed",
        SnapshotError::OtherModel => "SnapshotRefused",
    };
    InvocationFailure { kind, message: why.to_string() }
}
