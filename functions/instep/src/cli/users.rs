//! The arguments of `users`.

use clap::{Args, Subcommand};

use super::WorkspaceArgs;

/// List and decide what becomes of accounts in Cognito
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    Existing(Box<ExistingArgs>),
}

/// List the accounts under names of items that Instep did not make
///
/// An account gets what its item is granted only if Instep made it, or if a person vouches for it with
/// `instep backfill --adopt-before TIME`. This says of each account who may have made it, and what that backfill would
/// do with it. `CONFIRMED` says that somebody has a password for it, and not that this is the person whom the
/// item is about. Changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 listed; 2 wrong usage, or a table or pool that cannot be read")]
pub(crate) struct ExistingArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
