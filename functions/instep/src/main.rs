#![doc = include_str!("../README.md")]

mod backfill;
mod capture;
mod check;
mod cli;
mod contract;
mod doctor;
mod due;
mod events;
mod explain;
mod init;
mod names;
mod redrive;
mod remote;
mod replay;
mod sweep;
mod template;
mod workspace;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Parser as _;
use instep_console::output::{self, Output};
use tracing_subscriber::EnvFilter;

use crate::cli::{Cli, Command};

/// The exit status for wrong usage, or input that cannot be read. clap uses the same.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    install_error_handler();
    let filter = EnvFilter::builder().parse_lossy(&cli.log);
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    match run(cli.command) {
        Ok(code) => code,
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(USAGE_ERROR)
        }
    }
}

fn run(command: Command) -> miette::Result<ExitCode> {
    let mut out = Output::stdout();
    // The port of `dev` is served beside the deliveries.
    let mut runtime = if matches!(command, Command::Dev(_)) {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    let runtime = runtime.enable_all().build().map_err(|error| miette::miette!("cannot start the runtime: {error}"))?;
    runtime.block_on(async {
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
            Command::Check(args) => check::run(*args, &mut out).await,
            Command::Contract(args) => contract::run(*args, &mut out).await,
            Command::Events(args) => events::run(*args, &mut out).await,
            Command::Template(args) => template::run(args, &mut out),
            Command::Doctor(args) => doctor::run(*args, &mut out).await,
        }
    })
}

/// Errors have colours and lines on a terminal, and are plain text in a file.
fn install_error_handler() {
    let terminal = std::io::stderr().is_terminal();
    let set = miette::set_hook(Box::new(move |_| {
        let handler = miette::MietteHandlerOpts::new().width(output::WIDTH).unicode(terminal).terminal_links(false);
        let handler = if terminal { handler } else { handler.color(false) };
        Box::new(handler.build())
    }));
    if set.is_err() {
        tracing::debug!("errors keep the style that was set before");
    }
}
