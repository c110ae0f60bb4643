//! `instep sweep`: finds where the table and Cognito differ from what the model says, and sends repairs.

mod answers;
mod machine;

pub(crate) use machine::Machine;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use instep_aws::Instep;
use instep_aws::sweep::{FoundDifference, SweepOptions, SweepProgress, SweepResult, object_named};
use instep_console::output::Output;
use instep_console::report::progress::RunProgress;
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::GRACE_SECONDS;
use instep_local::Folder;
use instep_model::escaped;
use miette::{IntoDiagnostic as _, miette};
use serde_json::json;
use tempfile::TempDir;

use crate::cli;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Differences are left.
const LEFT: u8 = 1;

/// The name of a sweep that is kept: there is one in a folder.
const NAME: &str = "sweep";

/// The bucket that a folder stands for.
const FOLDER: &str = "folder";

/// The folder of what a sweep reads, which may be more than fits the memory.
pub(crate) struct SweepFolder {
    folder: Folder,
    /// Deleted at the end.
    _temporary: Option<TempDir>,
}

impl SweepFolder {
    /// This folder, or a temporary one.
    pub(crate) fn open(keep: Option<&Path>) -> miette::Result<Self> {
        if let Some(path) = keep {
            return Ok(Self { folder: Folder::open(path).into_diagnostic()?, _temporary: None });
        }
        let temporary = tempfile::tempdir().map_err(|error| miette!("there is no temporary folder: {error}"))?;
        Ok(Self { folder: Folder::open(temporary.path()).into_diagnostic()?, _temporary: Some(temporary) })
    }

    /// Instep with this folder for what sweeps read.
    pub(crate) fn of(&self, instep: &Instep) -> Instep {
        instep.clone().with_sweeps_in(&self.folder.sdk_config(), FOLDER)
    }
}

pub(crate) fn show(bar: &RunProgress, progress: SweepProgress) {
    match progress {
        SweepProgress::Pool(count) | SweepProgress::Items(count) => bar.more(count),
        SweepProgress::Waiting(grace) => {
            bar.say(&format!("waits {} s, then reads the differences again", grace.as_secs()));
        }
        SweepProgress::LeftOut(item) => tracing::warn!(item, "left out: the work queue refuses its record"),
        SweepProgress::Backlogged(_) | SweepProgress::Sent(_) => {}
    }
}

/// Sweeps.
pub(crate) async fn run(args: cli::SweepArgs, out: &mut Output) -> miette::Result<ExitCode> {
    if args.start {
        return machine::start(&args, args.grace.unwrap_or(GRACE_SECONDS), out).await;
    }
    if args.stop {
        return machine::stop(&args, out).await;
    }
    if args.status {
        return machine::status(&args, out).await;
    }
    let needs = Needs { needs_queue: args.repair && !args.dry_run, ..Needs::default() };
    let workspace = Workspace::open(&args.workspace, args.now, needs).await?;
    let only = args.only.as_deref().map(|text| object_named(&workspace.model, text)).transpose();
    let only = only.map_err(|why| miette!("`--only`: {why}"))?;
    let grace = args.grace.unwrap_or(if workspace.is_embedded() { 0 } else { GRACE_SECONDS });
    let options = SweepOptions {
        grace: Duration::from_secs(u64::from(grace)),
        repair: args.repair && !args.dry_run,
        removals_max: args.max_removals,
        only,
        sweep: args.keep.is_some().then(|| NAME.to_owned()),
    };
    let kept = SweepFolder::open(args.keep.as_deref())?;
    let instep = kept.of(&workspace.instep);
    let bar = match workspace.instep.size(&workspace.run).await {
        Some(total) if options.only.is_none() => RunProgress::of(total),
        Some(_) | None => RunProgress::counting(),
    };
    let listener = |progress| show(&bar, progress);
    let swept = instep.sweep(&options, &workspace.run, &listener).await;
    bar.end();
    let swept = swept.map_err(|why| {
        let help = if args.keep.is_some() {
            "run the same command again: it goes on where this one ended"
        } else {
            "run the same command again; with `--keep`, it goes on where it ended"
        };
        miette!(help = help, "the sweep did not end: {why}")
    })?;
    let is_stopped = args.repair && swept.tally.removals > args.max_removals;
    for difference in &swept.differences {
        out.line(&if args.workspace.json { json!(difference).to_string() } else { as_text(difference, args.repair) })?;
    }
    if args.answers {
        answers::list(&workspace, options.only.as_ref(), args.workspace.json, out).await?;
    }
    out.line(&if args.workspace.json { summary_json(&swept, is_stopped) } else { summary(&swept, &args, &workspace) })?;
    out.flush()?;
    if swept.tally.sent > 0 {
        workspace.deliver().await?;
    }
    workspace.close().await;
    let is_left = |found: &FoundDifference| !found.kind.is_of_writers() && (swept.tally.sent == 0 || !found.repairable);
    let is_left =
        is_stopped || swept.tally.has_more_drift() || swept.tally.left_out > 0 || swept.differences.iter().any(is_left);
    Ok(if is_left { ExitCode::from(LEFT) } else { ExitCode::SUCCESS })
}

pub(crate) fn as_text(found: &FoundDifference, is_repair: bool) -> String {
    let mut text = format!("{:<15} {}: {}", found.kind.word(), found.about, found.why);
    if let Some(what) = &found.advice
        && (is_repair || found.kind.is_of_writers())
    {
        text.push_str(&format!(" (not repaired: {what})"));
    }
    escaped(&text).to_string()
}

fn summary_json(swept: &SweepResult, is_stopped: bool) -> String {
    let SweepTally { items, users, groups, members, more, in_progress, kinds, removals, sent, left_out, .. } =
        &swept.tally;
    json!({
        "differences": swept.differences.len(), "more": more, "inProgress": in_progress, "kinds": kinds,
        "items": items, "users": users, "groups": groups, "memberships": members,
        "removals": removals, "sent": sent, "leftOut": left_out, "stopped": is_stopped,
    })
    .to_string()
}

fn repairs(count: u64) -> String {
    format!("{count} repair{}", if count == 1 { "" } else { "s" })
}

fn read_line(tally: &SweepTally) -> String {
    let SweepTally { items, users, groups, members, .. } = tally;
    format!("read: {items} items, {users} users, {groups} groups, {members} memberships")
}

/// What a sweep has found. `about_more` says what becomes of more than it keeps.
fn found_lines(tally: &SweepTally, about_more: &str) -> Vec<String> {
    let SweepTally { more, in_progress, kinds, .. } = tally;
    let total: u64 = kinds.values().sum();
    let counts: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {}", kind.word())).collect();
    let kinds = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    let mut lines = vec![format!("{total} difference{}{kinds}", if total == 1 { "" } else { "s" })];
    if *more > 0 {
        lines.push(format!("and {more} more after one read: {about_more}"));
    }
    if *in_progress > 0 {
        lines.push(format!("{in_progress} more were only in progress"));
    }
    lines
}

fn summary(swept: &SweepResult, args: &cli::SweepArgs, workspace: &Workspace) -> String {
    let SweepTally { removals, repairable, sent, left_out, .. } = &swept.tally;
    let mut lines = found_lines(&swept.tally, "repair these, then sweep again");
    lines.push(read_line(&swept.tally));
    if args.repair && *removals > args.max_removals {
        lines.push(format!(
            "nothing was sent: the repairs would remove {removals} memberships, users, groups and orphans, and \
             `--max-removals` is {}. Check the model; if it is right, allow more",
            args.max_removals
        ));
    } else if args.repair && args.dry_run {
        lines.push(format!("{} would be sent", repairs(*repairable)));
    } else if args.repair && workspace.is_embedded() {
        lines.push(format!("{sent} repaired"));
    } else if args.repair {
        lines.push(format!("{} sent to {}", repairs(*sent), workspace.instep.settings().work_queue));
    } else if *repairable > 0 {
        lines.push(format!("`--repair` repairs {repairable} of them"));
    }
    if *left_out > 0 {
        lines.push(format!(
            "{left_out} left out: the work queue refuses their records (docs/operate/runbook.md, Backfill)"
        ));
    }
    lines.join("\n")
}
