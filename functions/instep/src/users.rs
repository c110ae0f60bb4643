//! `instep users`: what becomes of accounts in Cognito.

mod existing;

use std::process::ExitCode;

use instep_console::output::Output;

use crate::cli::users::UsersCommand;

/// Does what the command names.
pub(crate) async fn run(command: UsersCommand, out: &mut Output) -> miette::Result<ExitCode> {
    match command {
        UsersCommand::Existing(args) => existing::run(*args, out).await,
    }
}
