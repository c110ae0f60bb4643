//! `instep contract`: writes what subscribers build on, compares two contracts, and takes snapshots.

mod compare;
mod generate;
mod snapshot;

use instep_console::output::Output;

use std::process::ExitCode;

use crate::cli::contract::{ContractArgs, ContractCommand};

/// Runs the command.
pub(crate) async fn run(args: ContractArgs, out: &mut Output) -> miette::Result<ExitCode> {
    match args.command {
        Some(ContractCommand::Diff(args)) => compare::run(&args, out),
        Some(ContractCommand::Snapshot(args)) => snapshot::run(*args, out).await,
        None => generate::run(&args.generate, out).await,
    }
}
