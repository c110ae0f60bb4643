//! The arguments of `can`, `what`, `who` and `scopes`.

use clap::Args;
use jiff::Timestamp;

use super::{WorkspaceArgs, time};

/// Answer whether somebody may do something somewhere
///
/// Reads the items that decide, strongly consistently, and changes nothing. Cognito is not asked: this is what the table implies
/// at this moment.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 allow; 1 deny; 2 wrong usage, or a question that the model cannot answer; 3 the table cannot be read"
)]
pub(crate) struct CanArgs {
    /// Who: a user name in Cognito, or an item type and an id, such as `Role=r1`.
    #[arg(value_name = "USER|TYPE=ID")]
    pub(crate) subject: String,
    /// A permission, as the model's `permits` writes it [default: any grant suffices].
    #[arg(conflicts_with = "role")]
    pub(crate) permission: Option<String>,
    /// A role.
    #[arg(long)]
    pub(crate) role: Option<String>,
    /// Where: an item type and an id (`Group=/usa`), an item type and names (`Project client_id=c1 project_id=p1`), or a scope
    /// that is only a text [default: only grants without a scope count].
    #[arg(long, num_args = 1.., value_names = ["TYPE=ID", "NAME=VALUE"])]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// List the grants of somebody that count, and the permissions
///
/// Reads the items that decide, strongly consistently, and changes nothing. A grant at a scope also applies to what is in it:
/// that is not listed.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 answered; 1 the subject does not exist or is disabled, or the list is not complete; 2 wrong usage, or a question that the model cannot answer; 3 the table cannot be read"
)]
pub(crate) struct WhatArgs {
    /// Who: a user name in Cognito, or an item type and an id, such as `Role=r1`.
    #[arg(value_name = "USER|TYPE=ID")]
    pub(crate) subject: String,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// List who may do something at a scope
///
/// Follows the grants at the scope, and at what it is in, back to their subjects, and checks each as `can` does. Grants that count
/// everywhere are not found so: the list then says that it is not complete. A page has 100 subjects.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 answered; 1 there is no such scope, or the list is not complete; 2 wrong usage, or a question that the model cannot answer; 3 the table cannot be read"
)]
pub(crate) struct WhoArgs {
    /// Where: an item type and an id (`Group=/usa`), an item type and names (`Project client_id=c1 project_id=p1`), or an id or a
    /// text alone (`/usa`).
    #[arg(required = true, num_args = 1.., value_names = ["TYPE=ID", "NAME=VALUE"])]
    pub(crate) at: Vec<String>,
    /// Only who has this role there [default: any grant suffices].
    #[arg(long)]
    pub(crate) role: Option<String>,
    /// Only who has this permission there, as the model's `permits` writes it.
    #[arg(long, conflicts_with = "role")]
    pub(crate) permission: Option<String>,
    /// Begin at the cursor with which the page before ended.
    #[arg(long, value_name = "CURSOR")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// List the scopes whose grants apply at an item, the nearest first
///
/// For a store of grants of your own, and to see what a grant at each level would mean. Reads the items, strongly consistently,
/// and changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 answered; 1 there is no such item; 2 wrong usage; 3 the table cannot be read")]
pub(crate) struct ScopesArgs {
    /// Where: an item type and an id (`Group=/usa`), or an item type and names (`Project client_id=c1 project_id=p1`).
    #[arg(required = true, num_args = 1.., value_names = ["TYPE=ID", "NAME=VALUE"])]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// What all questions take.
#[derive(Debug, Args)]
pub(crate) struct AskedArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// The time for which the answer is [default: the machine's time].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,
}
