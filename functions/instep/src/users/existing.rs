//! `instep users existing`: the accounts under names of items that Instep did not make.

use std::process::ExitCode;

use instep_aws::sweep::SweepProgress;
use instep_console::output::Output;
use instep_console::report::progress::RunProgress;
use instep_flow::sweep::{Adoption, ExistingUser};
use instep_model::escaped;
use miette::miette;
use serde_json::json;

use crate::cli::users::UsersArgs;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Lists.
pub(super) async fn run(args: UsersArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, None, Needs::default()).await?;
    let bar = RunProgress::counting();
    let listener = |progress| {
        if let SweepProgress::Pool(count) = progress {
            bar.more(count);
        }
    };
    let listed = workspace.instep.existing_users(&workspace.run, &listener).await;
    bar.end();
    workspace.close().await;
    let existing =
        listed.map_err(|why| miette!(help = "run the same command again", "table or pool cannot be read: {why}"))?;
    for user in &existing {
        out.line(&if args.workspace.json { json!(user).to_string() } else { escaped(&as_text(user)).to_string() })?;
    }
    if !args.workspace.json {
        out.line(&summary(&existing))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn as_text(existing: &ExistingUser) -> String {
    let ExistingUser { user, item, status, enabled, created, addresses, backfill, because } = existing;
    let mut known = vec![status.clone()];
    if !enabled {
        known.push("disabled".to_owned());
    }
    known.extend(created.map(|at| format!("created {}", at.strftime("%Y-%m-%d %H:%M:%SZ"))));
    known.extend(addresses.iter().map(|(name, compared)| format!("{name} {}", compared.word())));
    if addresses.is_empty() {
        known.push("the item has no address".to_owned());
    }
    format!("{:<7} {user}: {item}; {because} ({})", backfill.word(), known.join("; "))
}

fn summary(existing: &[ExistingUser]) -> String {
    let count = existing.len();
    let users = format!("{count} account{} that Instep did not make", if count == 1 { "" } else { "s" });
    let adopted = existing.iter().filter(|user| user.backfill == Adoption::Adopts).count();
    if adopted == 0 {
        return users;
    }
    format!(
        "{users}; `instep backfill --adopt-before TIME` adopts {adopted} of them, as far as they were created before TIME"
    )
}
