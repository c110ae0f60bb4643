//! `instep sweep`: finds where the table and Cognito differ from what the model says, and sends repairs.

mod queue;

use std::process::ExitCode;
use std::time::Duration;

use instep_aws::sweep::{Options, Progress, Swept, object_named};
use instep_flow::sweep::Difference;
use instep_model::escaped;
use miette::miette;
use serde_json::json;

use crate::cli;
use crate::output::Output;
use crate::place::Place;
use crate::remote::Scope;
use crate::report::progress::Progress as Bar;

/// Differences are left.
const LEFT: u8 = 1;

/// The seconds between the two reads, if nothing says another: a record is usually handled within a few
/// seconds.
const GRACE_SECONDS: u64 = 60;

/// Sweeps.
///
/// # Errors
/// The table or the pool cannot be read, or the output cannot be written.
pub(crate) async fn run(args: cli::Sweep, out: &mut Output) -> miette::Result<ExitCode> {
    if args.start {
        return queue::start(&args, out).await;
    }
    if args.status {
        return queue::status(&args, out).await;
    }
    let scope = Scope { needs_queue: args.repair && !args.dry_run, ..Scope::default() };
    let place = Place::open(&args.place, args.now, scope).await?;
    let only = args.only.as_deref().map(|text| object_named(&place.model, text)).transpose();
    let only = only.map_err(|why| miette!("`--only`: {why}"))?;
    let grace = args.grace.unwrap_or(if place.is_embedded() { 0 } else { GRACE_SECONDS });
    let options = Options {
        grace: Duration::from_secs(grace),
        repair: args.repair && !args.dry_run,
        removals_max: args.max_removals,
        segments: args.segments,
        only,
    };
    let bar = match place.instep.size(&place.run).await {
        Some(total) if options.only.is_none() => Bar::of(total),
        Some(_) | None => Bar::counting(),
    };
    let listener = |progress| match progress {
        Progress::Pool(count) | Progress::Items(count) => bar.more(count),
        Progress::Waiting(grace) => bar.say(&format!("waits {} s, then reads the differences again", grace.as_secs())),
    };
    let swept = place.instep.sweep(&options, &place.run, &listener).await;
    bar.end();
    let swept = swept.map_err(|why| {
        miette!(help = "nothing was sent; run the same command again", "the sweep could not read everything: {why}")
    })?;
    let is_stopped = args.repair && swept.removals() > args.max_removals;
    for difference in &swept.differences {
        out.line(&if args.place.json { as_json(difference) } else { as_text(difference, args.repair) })?;
    }
    out.line(&if args.place.json { summary_json(&swept, is_stopped) } else { summary(&swept, &args, &place) })?;
    out.flush()?;
    if swept.sent > 0 {
        place.deliver().await?;
    }
    place.close().await;
    let is_left = |found: &Difference| !found.kind.is_of_writers() && (swept.sent == 0 || !found.is_repairable());
    let is_left = is_stopped || swept.has_more_drift() || swept.differences.iter().any(is_left);
    Ok(if is_left { ExitCode::from(LEFT) } else { ExitCode::SUCCESS })
}

fn as_text(found: &Difference, is_repair: bool) -> String {
    let mut text = format!("{:<15} {}: {}", found.kind.word(), found.about, found.why);
    if let Some(what) = found.advice()
        && (is_repair || found.kind.is_of_writers())
    {
        text.push_str(&format!(" (not repaired: {what})"));
    }
    escaped(&text).to_string()
}

fn as_json(found: &Difference) -> String {
    let Difference { kind, about, why, repair: _ } = found;
    json!({
        "kind": kind.word(), "about": about.to_string(), "why": why,
        "repairable": found.is_repairable(), "removes": found.removes(), "advice": found.advice(),
    })
    .to_string()
}

fn summary_json(swept: &Swept, is_stopped: bool) -> String {
    let counts: serde_json::Map<String, serde_json::Value> =
        swept.counts().into_iter().map(|(kind, count)| (kind.word().to_owned(), json!(count))).collect();
    json!({
        "differences": swept.differences.len(), "more": swept.more, "inProgress": swept.in_progress, "kinds": counts,
        "items": swept.items, "users": swept.users, "groups": swept.groups, "memberships": swept.members,
        "removals": swept.removals(), "sent": swept.sent, "stopped": is_stopped,
    })
    .to_string()
}

fn repairs(count: usize) -> String {
    format!("{count} repair{}", if count == 1 { "" } else { "s" })
}

fn summary(swept: &Swept, args: &cli::Sweep, place: &Place) -> String {
    let Swept { items, users, groups, members, .. } = swept;
    let mut lines = Vec::new();
    let counts: Vec<String> =
        swept.counts().into_iter().map(|(kind, count)| format!("{count} {}", kind.word())).collect();
    let kinds = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    let total = swept.differences.len();
    lines.push(format!("{total} difference{}{kinds}", if total == 1 { "" } else { "s" }));
    if swept.more > 0 {
        lines.push(format!("and {} more after one read: repair these, then sweep again", swept.more));
    }
    if swept.in_progress > 0 {
        lines.push(format!("{} more were only in progress", swept.in_progress));
    }
    lines.push(format!("read: {items} items, {users} users, {groups} groups, {members} memberships"));
    let repairable = swept.differences.iter().filter(|found| found.is_repairable()).count();
    if args.repair && swept.removals() > args.max_removals {
        lines.push(format!(
            "nothing was sent: the repairs would remove {} memberships, users, groups and orphans, and \
             `--max-removals` is {}. Check the model; if it is right, allow more",
            swept.removals(),
            args.max_removals
        ));
    } else if args.repair && args.dry_run {
        lines.push(format!("{} would be sent", repairs(repairable)));
    } else if args.repair && place.is_embedded() {
        lines.push(format!("{} repaired", swept.sent));
    } else if args.repair {
        lines.push(format!("{} sent to {}", repairs(swept.sent), place.instep.settings().work_queue));
    } else if repairable > 0 {
        lines.push(format!("`--repair` repairs {repairable} of them"));
    }
    lines.join("\n")
}
