//! `instep sweep --start` and `--status`: the sweep that the work function does.

use std::process::ExitCode;

use instep_aws::sweep::FoundDifference;
use instep_flow::sweep::{Mode, Start, State, Tally};
use instep_model::escaped;
use miette::miette;
use serde_json::json;

use super::{GRACE_SECONDS, LEFT};
use crate::cli;
use crate::output::Output;
use crate::place::Place;
use crate::remote::Scope;

/// The bucket of an embedded stack.
const BUCKET: &str = "instep";

/// Starts a sweep on the work queue. On an embedded stack, delivers its messages, too.
///
/// # Errors
/// The queue refuses the message, or the output cannot be written.
pub(super) async fn start(args: &cli::Sweep, out: &mut Output) -> miette::Result<ExitCode> {
    let place = open(args, true).await?;
    let grace = args.grace.unwrap_or(if place.is_embedded() { 0 } else { GRACE_SECONDS });
    let start = Start {
        mode: if args.repair { Mode::Repair } else { Mode::Report },
        max_removals: args.max_removals,
        workers: args.workers,
        grace_seconds: u32::try_from(grace).unwrap_or(u32::MAX),
    };
    place.instep.send_start(start, &place.run).await.map_err(|why| miette!("the sweep was not started: {why}"))?;
    if place.is_embedded() {
        place.deliver().await?;
        return report(&place, args.place.json, out).await;
    }
    if !args.place.json {
        out.line(&format!("a sweep starts on {}", place.instep.settings().work_queue))?;
        out.line("`instep sweep --status` says how far it is. If another one is under way, that one goes on")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the sweep that is under way, or the last one.
///
/// # Errors
/// The table or the bucket cannot be read, or the output cannot be written.
pub(super) async fn status(args: &cli::Sweep, out: &mut Output) -> miette::Result<ExitCode> {
    let place = open(args, false).await?;
    report(&place, args.place.json, out).await
}

async fn open(args: &cli::Sweep, needs_queue: bool) -> miette::Result<Place> {
    let bucket = args.bucket.clone().or_else(|| args.place.data.as_ref().map(|_| BUCKET.to_owned()));
    let scope = Scope { needs_queue, only_table: true, bucket, ..Scope::default() };
    Place::open(&args.place, args.now, scope).await
}

async fn report(place: &Place, is_json: bool, out: &mut Output) -> miette::Result<ExitCode> {
    let read = place.instep.last_sweep(&place.run).await;
    let Some(state) = read.map_err(|why| miette!("the state of the sweep cannot be read: {why}"))? else {
        if !is_json {
            out.line("the work function has not swept this table yet")?;
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    let has_bucket = place.instep.settings().parking.is_some();
    if has_bucket && !state.is_under_way() {
        let found = place.instep.differences_of(&state, &place.run).await;
        let found = found.map_err(|why| {
            miette!(help = "S3 deletes what a sweep has found after 14 days", "the differences cannot be read: {why}")
        })?;
        for difference in &found {
            out.line(&if is_json { json!(difference).to_string() } else { as_text(difference) })?;
        }
    }
    out.line(&if is_json { summary_json(&state) } else { summary(&state, has_bucket) })?;
    out.flush()?;
    let has_repaired = state.mode == Mode::Repair && !state.is_stopped();
    let left = if has_repaired { state.tally.reported } else { state.tally.drift() };
    let is_left = left > 0 || state.is_stopped() || state.tally.has_more_drift();
    Ok(if !state.is_under_way() && is_left { ExitCode::from(LEFT) } else { ExitCode::SUCCESS })
}

fn as_text(found: &FoundDifference) -> String {
    let mut text = format!("{:<15} {}: {}", found.kind.word(), found.about, found.why);
    if let Some(advice) = &found.advice {
        text.push_str(&format!(" (not repaired: {advice})"));
    }
    escaped(&text).to_string()
}

fn summary_json(state: &State) -> String {
    json!({
        "id": state.id, "mode": state.mode.word(), "phase": state.phase.word(), "began": state.began.to_string(),
        "moved": state.moved.to_string(), "ended": state.ended.map(|ended| ended.to_string()),
        "stopped": state.is_stopped(), "tally": state.tally,
    })
    .to_string()
}

fn summary(state: &State, has_bucket: bool) -> String {
    let State { id, mode, phase, began, moved, ended, tally, .. } = state;
    let Tally { items, users, groups, members, found, more, in_progress, kinds, sent, removals, .. } = tally;
    let mut lines = vec![match ended {
        Some(ended) => format!("sweep {id} ({}): {began} to {ended}", mode.word()),
        None => {
            format!(
                "sweep {id} ({}) is under way: phase {}, since {began}, last step {moved}",
                mode.word(),
                phase.word()
            )
        }
    }];
    lines.push(format!("read: {items} items, {users} users, {groups} groups, {members} memberships"));
    if *mode == Mode::Backfill {
        lines.push(format!("sent: {sent} items"));
        return lines.join("\n");
    }
    if ended.is_none() {
        lines.push(format!("{found} differences so far, of one read"));
        return lines.join("\n");
    }
    let total: u64 = kinds.values().sum();
    let counts: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {}", kind.word())).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    lines.push(format!("{total} difference{}{counts}", if total == 1 { "" } else { "s" }));
    if *more > 0 {
        lines.push(format!("and {more} more after one read: the next sweep finds them"));
    }
    if *in_progress > 0 {
        lines.push(format!("{in_progress} more were only in progress"));
    }
    if state.is_stopped() {
        lines.push(format!(
            "nothing was sent: the repairs would remove {removals} memberships, users, groups and orphans, and \
             the sweep may remove {}. Check the model; if it is right, allow more",
            state.max_removals
        ));
    } else if *mode == Mode::Repair {
        lines.push(format!("{sent} repair{} sent", if *sent == 1 { "" } else { "s" }));
    }
    if total > 0 && !has_bucket {
        lines.push("`--bucket` (or INSTEP_BUCKET) lists them".to_owned());
    }
    lines.join("\n")
}
