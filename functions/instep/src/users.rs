//! `instep users`: what becomes of accounts in Cognito.

mod existing;
mod held;

use std::process::ExitCode;

use instep_aws::Decision;
use instep_console::output::Output;

use crate::cli::UsersCommand;

/// Does what the command names.
pub(crate) async fn run(command: UsersCommand, out: &mut Output) -> miette::Result<ExitCode> {
    match command {
        UsersCommand::Existing(args) => existing::run(*args, out).await,
        UsersCommand::Held(args) => held::list(*args, out).await,
        UsersCommand::GoOn(args) => held::go_on(*args, out).await,
        UsersCommand::Keep(args) => held::decide(*args, Decision::Keep, out).await,
        UsersCommand::Delete(args) => held::decide(*args, Decision::Delete, out).await,
    }
}
