#![doc = include_str!("../README.md")]

mod answers;
mod backfill;
mod capture;
mod change;
mod changes;
mod check;
mod cli;
mod contract;
mod doctor;
mod due;
mod events;
mod explain;
mod init;
mod names;
mod plan;
mod read;
mod redrive;
mod remote;
mod replay;
mod subscribers;
mod sweep;
mod template;
mod users;
mod workspace;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use clap_complete::CompleteEnv;
use instep_console::output::{self, Output, ReaderGone};

use crate::cli::{Cli, Command, help};

/// The exit status for wrong usage, or input that cannot be read. clap uses the same.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    // The shell asks for completions by a variable of the environment, and gets them in place of a run.
    CompleteEnv::with_factory(help::command).complete();
    let cli = help::command().get_matches();
    let cli = Cli::from_arg_matches(&cli).unwrap_or_else(|error| error.exit());
    cli.diagnostics.install();
    match run(cli.command) {
        Ok(code) => code,
        Err(error) if error.is::<ReaderGone>() => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(USAGE_ERROR)
        }
    }
}

fn run(mut command: Command) -> miette::Result<ExitCode> {
    let out = Output::stdout();
    let mut out = if command.only_prints() { out } else { out.outliving_reader() };
    // The port of `dev` is served beside the deliveries.
    let mut runtime = if matches!(command, Command::Dev(_)) {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    let runtime = runtime.enable_all().build().map_err(|error| miette::miette!("cannot start the runtime: {error}"))?;
    runtime.block_on(async {
        if let Some(at) = command.at() {
            at.complete().await;
        }
        match command {
            Command::Init(args) => init::run(*args, &mut out).await,
            Command::Replay(args) => replay::run(*args, &mut out).await,
            Command::Dev(args) => instep_dev::run((*args).into(), &mut out).await,
            Command::Redrive(args) => redrive::run(*args, &mut out).await,
            Command::Backfill(args) => backfill::run(*args, &mut out).await,
            Command::Capture(args) => capture::run(*args, &mut out).await,
            Command::Due(args) => due::run(*args, &mut out).await,
            Command::Sweep(args) => sweep::run(*args, &mut out).await,
            Command::Explain(args) => explain::run(*args, &mut out).await,
            Command::Can(args) => answers::can(*args, &mut out).await,
            Command::What(args) => answers::what(*args, &mut out).await,
            Command::Who(args) => answers::who(*args, &mut out).await,
            Command::Scopes(args) => answers::scopes(*args, &mut out).await,
            Command::Read(args) => read::run(*args, &mut out).await,
            Command::Users(command) => users::run(command, &mut out).await,
            Command::Check(args) => check::run(*args, &mut out).await,
            Command::Plan(args) => plan::run(*args, &mut out).await,
            Command::Change(args) => change::run(*args, &mut out).await,
            Command::Contract(args) => contract::run(*args, &mut out).await,
            Command::Events(args) => events::run(*args, &mut out).await,
            Command::Template(args) => template::run(args, &mut out).await,
            Command::Doctor(args) => doctor::run(*args, &mut out).await,
            Command::Schema => check::print_schema(&mut out),
            Command::Completions(args) => help::completions(&args.shell, &mut out),
            Command::Man { dir } => help::manual(&dir),
        }
    })
}
