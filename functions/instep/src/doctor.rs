//! `instep doctor`.
use crate::cli;
use crate::output::Output;
pub(crate) async fn run(_args: cli::Doctor, _out: &mut Output) -> miette::Result<std::process::ExitCode> {
    Ok(std::process::ExitCode::SUCCESS)
}
