//! `instep change`: which model is deployed, and whether something of an earlier one may be left.

use std::process::ExitCode;

use instep_console::output::Output;
use instep_flow::model_history::ModelHistory;
use miette::{Report, miette};
use serde_json::json;

use crate::cli::ChangeArgs;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Something of an earlier model may be left.
const CHANGING: u8 = 1;

/// Does what the options ask for.
pub(crate) async fn run(args: ChangeArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, None, Needs::history()).await?;
    if let Some(hash) = &args.text {
        let text = workspace.instep.kept_model(hash, &workspace.run).await;
        workspace.close().await;
        out.text(text.map_err(|why| unreadable(&why))?.resolved_text())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let history = match &args.complete {
        Some(hash) => completed(&workspace, hash).await,
        None => present(&workspace).await,
    };
    workspace.close().await;
    let history = history?;
    out.line(&if args.workspace.json { as_json(&history) } else { as_text(&history) })?;
    out.flush()?;
    Ok(if history.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(CHANGING) })
}

async fn present(workspace: &Workspace) -> miette::Result<ModelHistory> {
    let known = workspace.instep.deployed_models(&workspace.run).await.map_err(|why| unreadable(&why))?;
    known.map(|known| known.history).ok_or_else(|| {
        miette!(
            help = "the first sweep after a deployment notes it: `instep sweep --start` starts one",
            "the table does not say which model is deployed"
        )
    })
}

async fn completed(workspace: &Workspace, hash: &str) -> miette::Result<ModelHistory> {
    let history = present(workspace).await?;
    if history.current != hash {
        return Err(miette!(
            help = "plan again, with the model that is deployed",
            "the model {} is deployed, and not {hash}",
            history.current
        ));
    }
    if history.is_complete() {
        return Ok(history);
    }
    let completed = workspace.instep.complete_change(hash, &workspace.run).await.map_err(|why| unreadable(&why))?;
    completed.ok_or_else(|| miette!(help = "look at `instep change --status`", "the table has changed meanwhile"))
}

fn as_text(history: &ModelHistory) -> String {
    let ModelHistory { current, previous, since, completed_at } = history;
    let mut lines = vec![format!("deployed  {current}, since {since}")];
    lines.extend(previous.iter().map(|hash| format!("before    {hash}")));
    lines.push(match completed_at {
        Some(at) => format!("complete since {at}"),
        None => format!(
            "the change is not complete: `instep plan MODEL` says what is left. When that is done: \
             `instep change --complete {current}`"
        ),
    });
    lines.join("\n")
}

fn as_json(history: &ModelHistory) -> String {
    let ModelHistory { current, previous, since, completed_at } = history;
    let state = if history.is_complete() { "complete" } else { "changing" };
    let (is, was) = (current, previous);
    json!({"current": is, "previous": was, "state": state, "since": since, "completedAt": completed_at}).to_string()
}

fn unreadable(why: &str) -> Report {
    miette!(help = "`instep doctor` checks the table", "the models of the table cannot be used: {why}")
}
