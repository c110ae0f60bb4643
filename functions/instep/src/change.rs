//! `instep change`: how far the change to the deployed model is, a person's word on it, and the change itself.

use std::process::ExitCode;

use instep_aws::sweep::{FoundDifference, RoundResult};
use instep_console::output::Output;
use instep_console::report::progress::RunProgress;
use instep_flow::model_history::{ChangeWait, ModelHistory, WaitsFor};
use instep_flow::sweep::plan::GRACE_SECONDS;
use miette::{Report, miette};
use serde_json::json;

use crate::cli::ChangeArgs;
use crate::remote::Needs;
use crate::sweep::{SweepFolder, as_text as difference_text, show};
use crate::workspace::Workspace;

/// The change is not complete.
const CHANGING: u8 = 1;

/// Does what the options ask for.
pub(crate) async fn run(args: ChangeArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let needs = if args.run { Needs { needs_queue: true, ..Needs::default() } } else { Needs::history() };
    let workspace = Workspace::open(&args.workspace, args.now, needs).await?;
    let done = done(&args, &workspace, out).await;
    let own = workspace.model.text_hash();
    let is_local = workspace.is_embedded() || args.workspace.at.endpoint.is_some();
    workspace.close().await;
    let Some(history) = done? else { return Ok(ExitCode::SUCCESS) };
    // What is said of another model is no answer to whether the change to this one is complete.
    let is_deployed = history.current == own;
    if !is_deployed && !args.workspace.json {
        out.line(&format!("the model of this command ({own}) is not deployed, or no sweep has noted it yet"))?;
    }
    out.line(&if args.workspace.json { as_json(&history) } else { as_text(&history, is_local) })?;
    out.flush()?;
    Ok(if history.is_complete() && is_deployed { ExitCode::SUCCESS } else { ExitCode::from(CHANGING) })
}

/// What is known of the models then. `None`: a model's text was printed.
async fn done(args: &ChangeArgs, workspace: &Workspace, out: &mut Output) -> miette::Result<Option<ModelHistory>> {
    if let Some(hash) = &args.text {
        let text = workspace.instep.kept_model(hash, &workspace.run).await;
        out.text(text.map_err(|why| unusable(&why))?.resolved_text())?;
        out.flush()?;
        return Ok(None);
    }
    if let Some(hash) = &args.approve {
        approve(workspace, hash).await?;
    }
    if args.run {
        rounds(args, workspace, out).await?;
    }
    present(workspace).await.map(Some)
}

async fn present(workspace: &Workspace) -> miette::Result<ModelHistory> {
    let known = workspace.instep.deployed_models(&workspace.run).await.map_err(|why| unusable(&why))?;
    known.map(|known| known.history).ok_or_else(|| {
        miette!(
            help = "the first sweep after a deployment notes it: `instep sweep --start` starts one",
            "the table does not say which model is deployed"
        )
    })
}

async fn approve(workspace: &Workspace, hash: &str) -> miette::Result<()> {
    let history = present(workspace).await?;
    if history.current != hash {
        return Err(miette!(
            help = "deploy that model first, or approve of the one that is deployed: `instep plan` over it says what it leaves",
            "the model {} is deployed, and not {hash}",
            history.current
        ));
    }
    if history.is_complete() {
        return Ok(());
    }
    let approved = workspace.instep.approve_change(hash, &workspace.run).await.map_err(|why| unusable(&why))?;
    let changed = || miette!(help = "look at `instep change --status`", "the table has changed meanwhile");
    approved.map(drop).ok_or_else(changed)
}

/// Does round after round. INVARIANT 8: a change has only so many until it waits for a person.
async fn rounds(args: &ChangeArgs, workspace: &Workspace, out: &mut Output) -> miette::Result<()> {
    let history = present(workspace).await?;
    let own = workspace.model.text_hash();
    if history.current != own {
        return Err(miette!(
            help = "name the model that is deployed: `instep change --text HASH` prints it",
            "the model {} is deployed, and not {own}",
            history.current
        ));
    }
    let grace = args.grace.unwrap_or(if workspace.is_embedded() { 0 } else { GRACE_SECONDS });
    let kept = SweepFolder::open(None)?;
    let instep = kept.of(&workspace.instep);
    loop {
        let bar = RunProgress::counting();
        let listener = |progress| show(&bar, progress);
        let round = instep.change_round((args.max_removals, grace), &workspace.run, &listener).await;
        bar.end();
        let help = "run the same command again: what was sent stays sent";
        let round = round.map_err(|why| miette!(help = help, "the change did not end: {why}"))?;
        workspace.deliver().await?;
        let Some(RoundResult { differences, history, .. }) = round else { return Ok(()) };
        for difference in &differences {
            let text = |found: &FoundDifference| difference_text(found, true);
            out.line(&if args.workspace.json { json!(difference).to_string() } else { text(difference) })?;
        }
        if !history.is_some_and(|history| history.goes_on()) {
            return Ok(());
        }
    }
}

/// What people read. On this machine, no schedule does the next round.
fn as_text(history: &ModelHistory, is_local: bool) -> String {
    let ModelHistory { current, previous, since, completed_at, waits, is_approved, .. } = history;
    let mut lines = vec![format!("deployed  {current}, since {since}")];
    lines.extend(previous.iter().map(|hash| format!("before    {hash}")));
    let approve = format!("`instep change --approve {current}`");
    lines.push(match (completed_at, waits) {
        (Some(at), _) => format!("complete since {at}"),
        (None, None) => {
            let approved = if *is_approved { "you have approved of it: " } else { "" };
            let next = if is_local { "`instep change --run` does its next rounds" } else { "it goes on with its next round" };
            format!("the change is not complete. {approved}{next}")
        }
        (None, Some(ChangeWait { what: WaitsFor::Removals, count })) => format!(
            "the change waits: it would remove {count} memberships, users, groups and orphans. `instep plan MODEL` lists \
             them. If they have to go: {approve}"
        ),
        (None, Some(ChangeWait { what: WaitsFor::Decisions, count })) => format!(
            "the change waits: earlier models have left {count} users, groups, or items that stay. `instep plan MODEL` \
             lists them. When you have decided about each: {approve}"
        ),
        (None, Some(ChangeWait { what: WaitsFor::Repairs, count })) => format!(
            "the change waits: {count} differences are found again and again. `instep sweep` lists them. To go on: {approve}"
        ),
    });
    lines.join("\n")
}

fn as_json(history: &ModelHistory) -> String {
    let ModelHistory { current, previous, since, completed_at, rounds, waits, is_approved, left: _ } = history;
    let waits = waits.map(|ChangeWait { what, count }| json!({"for": what.word(), "count": count}));
    json!({
        "current": current, "previous": previous, "state": history.state(), "since": since, "completedAt": completed_at,
        "rounds": rounds, "waits": waits, "approved": is_approved,
    })
    .to_string()
}

fn unusable(why: &str) -> Report {
    miette!(help = "`instep doctor` checks the table", "the models of the table cannot be used: {why}")
}
