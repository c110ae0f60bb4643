//! `instep users held`, `go-on`, `keep` and `delete`: the users whose deletion waits.

use std::process::ExitCode;

use instep_aws::{Decision, WaitingUser};
use instep_console::explanation::waiting_as_json;
use instep_console::output::Output;
use instep_flow::account::Waiting;
use instep_model::escaped;
use jiff::Timestamp;
use miette::{Report, miette};

use crate::cli::users::{UserArgs, UsersArgs};
use crate::explain::objects_of;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Lists them.
pub(super) async fn list(args: UsersArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, None, Needs { only_table: true, ..Needs::default() }).await?;
    let listed = workspace.instep.waiting_users(&workspace.run).await;
    let now = workspace.run.now;
    workspace.close().await;
    let users = listed.map_err(|why| unreadable(&why))?;
    for user in &users {
        let line = || escaped(&format!("{:<21} {}", word(user, now), named(user))).to_string();
        out.line(&if args.workspace.json { waiting_as_json(user).to_string() } else { line() })?;
    }
    if !args.workspace.json {
        let held = users.iter().filter(|user| user.waiting.is_held()).count();
        let what = if held == 0 { String::new() } else { format!(", {held} of them held: `instep users go-on`") };
        out.line(&format!("{} to be deleted{what}", users.len()))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Lets those that are held be deleted.
pub(super) async fn go_on(args: UsersArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, None, Needs::default()).await?;
    let gone = workspace.instep.go_on(&workspace.run).await;
    let delivered = workspace.deliver().await;
    workspace.close().await;
    let gone = gone.map_err(|why| unreadable(&why))?;
    delivered?;
    for user in &gone {
        tell(user, "deleted", args.workspace.json, out)?;
    }
    if !args.workspace.json {
        out.line(&format!("{} that were held; users can be deleted again", gone.len()))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Decides about one.
pub(super) async fn decide(args: UserArgs, decision: Decision, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, None, Needs::default()).await?;
    let decided = decide_about(&workspace, &args.what, decision).await;
    let delivered = if decided.is_ok() { workspace.deliver().await } else { Ok(()) };
    workspace.close().await;
    let user = decided?;
    delivered?;
    let word = match decision {
        Decision::Delete => "deleted",
        Decision::Keep => "kept, disabled",
    };
    tell(&user, word, args.workspace.json, out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn decide_about(workspace: &Workspace, what: &str, decision: Decision) -> miette::Result<WaitingUser> {
    let objects = objects_of(workspace.instep.model(), what)?;
    let found = workspace.instep.waiting_of(objects, &workspace.run).await.map_err(|why| unreadable(&why))?;
    let Some(user) = found.into_iter().next() else {
        return Err(miette!(
            help = "`instep users held` lists the users whose deletion waits. A user whose item exists is deleted with \
                    the item",
            "the deletion of this user does not wait"
        ));
    };
    if !workspace.instep.decide(&user, decision, &workspace.run).await.map_err(|why| unreadable(&why))? {
        return Err(miette!(help = "run the same command again", "the table has changed meanwhile"));
    }
    Ok(user)
}

fn tell(user: &WaitingUser, what: &str, json: bool, out: &mut Output) -> miette::Result<()> {
    out.line(&if json {
        waiting_as_json(user).to_string()
    } else {
        escaped(&format!("{what:<8} {}", named(user))).to_string()
    })
}

/// For what it waits.
fn word(user: &WaitingUser, now: Timestamp) -> String {
    match &user.waiting {
        Waiting { is_approved: true, .. } => "is being deleted".to_owned(),
        waiting if waiting.is_held() => "held".to_owned(),
        waiting if waiting.until <= now => "is due".to_owned(),
        waiting => waiting.until.strftime("%Y-%m-%d %H:%M:%SZ").to_string(),
    }
}

fn named(user: &WaitingUser) -> String {
    let replaced = if user.waiting.is_replaced { "; its item was written again, for another account" } else { "" };
    format!("{}: {}{replaced}", user.waiting.username, user.label)
}

fn unreadable(why: &str) -> Report {
    miette!(help = "run the same command again: what was done stays done", "table or queue cannot be used: {why}")
}
