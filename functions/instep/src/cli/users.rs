//! The arguments of `users`.

use clap::{Args, Subcommand};

use super::WorkspaceArgs;

/// List and decide what becomes of accounts in Cognito
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// List the accounts under names of items that Instep did not make
    ///
    /// An account gets what its item is granted only if Instep made it, or if a person vouches for it with
    /// `instep backfill --adopt-before TIME`. This says of each account who may have made it, and what that backfill would
    /// do with it. `CONFIRMED` says that somebody has a password for it, and not that this is the person whom the
    /// item is about. Changes nothing.
    #[command(after_help = LISTED)]
    Existing(Box<UsersArgs>),
    /// List the users whose deletion waits
    ///
    /// They are disabled and have no memberships. A user waits for its time (`delete = { after = "7d" }` in the model), or
    /// is held: more users were to be deleted in an hour than `MaxUserDeletionsPerHour` allows. Changes nothing.
    #[command(after_help = LISTED)]
    Held(Box<UsersArgs>),
    /// Let the users that are held be deleted
    ///
    /// Until then no user is deleted. Look at `instep users held` first: a deleted user cannot be restored. If their items
    /// should not have been deleted, write these again instead, from a backup: that restores each user.
    #[command(after_help = DECIDED)]
    GoOn(Box<UsersArgs>),
    /// Keep a user whose deletion waits
    ///
    /// It stays in the pool, disabled, and serves no item. `instep backfill --adopt-before TIME` lets it serve an item of
    /// its name.
    #[command(after_help = DECIDED)]
    Keep(Box<UserArgs>),
    /// Delete a user whose deletion waits, now
    ///
    /// It cannot be restored.
    #[command(after_help = DECIDED)]
    Delete(Box<UserArgs>),
}

const LISTED: &str = "Exit status: 0 listed; 2 wrong usage, or a table or pool that cannot be read";

const DECIDED: &str =
    "Exit status: 0 done, or there was nothing to do; 2 wrong usage, no such user, or a table that cannot be written";

/// Where the table and the pool are.
#[derive(Debug, Args)]
pub(crate) struct UsersArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

/// Where they are, and which user it is.
#[derive(Debug, Args)]
pub(crate) struct UserArgs {
    /// The user name in Cognito, or an item type and an id, such as `User=alice`.
    #[arg(value_name = "USER|TYPE=ID")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
