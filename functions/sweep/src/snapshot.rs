//! Snapshots that are sent to the bus on a schedule.

use instep_aws::{Instep, RunOptions, SnapshotError, SnapshotProgress};
use instep_lambda::InvocationFailure;
use jiff::Timestamp;
use tokio::time::Instant;
use tracing::{info, warn};

/// Sends more of the scheduled snapshot that began at this time. Whether its end was sent.
///
/// # Errors
/// As those of [`send`]; or S3 failed, and what was sent is sent again with the same ids.
pub async fn go_on(
    instep: &Instep,
    started_at: Timestamp,
    stop: Option<Instant>,
    run: &RunOptions,
) -> Result<bool, InvocationFailure> {
    let taken = send(instep, so_far(instep, started_at, run).await?, stop, run).await?;
    let kept = instep.keep_snapshot(started_at, &taken, run).await;
    kept.map_err(|why| failed(&SnapshotError::Failed(why)))?;
    Ok(taken.is_over())
}

/// Sends the end of the scheduled snapshot that began at this time and cannot go on.
///
/// # Errors
/// It was not sent.
pub async fn give_up(instep: &Instep, started_at: Timestamp, run: &RunOptions) -> Result<(), InvocationFailure> {
    end_incomplete(instep, &so_far(instep, started_at, run).await?, run).await
}

async fn so_far(
    instep: &Instep,
    started_at: Timestamp,
    run: &RunOptions,
) -> Result<SnapshotProgress, InvocationFailure> {
    let kept = instep.kept_snapshot(started_at, run).await.map_err(|why| failed(&SnapshotError::Failed(why)))?;
    Ok(kept.unwrap_or_else(|| instep.begin_snapshot(&instep.settings().bus, started_at)))
}

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
