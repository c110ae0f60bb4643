//! What is printed beside the results: how much, and whether in colour.

use std::io::IsTerminal as _;

use clap::{ArgAction, Args, ColorChoice};
use instep_console::output;
use instep_console::report::progress;
use tracing_subscriber::EnvFilter;

/// Warnings of the libraries that say nothing to a user. The SDK's remark that an answer that `dev --faults` loses came over no
/// connection is none.
const LIBRARIES: &str = "dynoxide=error,aws_config=off,aws_smithy_runtime::client::http::connection_poisoning=off";

/// Options of every command, listed after its own.
#[derive(Debug, Args)]
pub(crate) struct DiagnosticArgs {
    /// Print more to standard error: what it does, and with `-vv` details for a report of a bug.
    #[arg(short, long, global = true, display_order = 1001, action = ArgAction::Count, conflicts_with_all = ["quiet", "log"])]
    verbose: u8,
    /// Print only errors to standard error: no warnings and no progress.
    #[arg(short, long, global = true, display_order = 1002, conflicts_with = "log")]
    quiet: bool,
    /// In place of `-v` and `-q`, a log filter (`info`, `instep_aws=debug` …) (or INSTEP_LOG).
    #[arg(long, global = true, display_order = 1003, value_name = "FILTER")]
    log: Option<String>,
    #[arg(id = "environment-log", long = "environment-log", env = "INSTEP_LOG", hide = true)]
    environment_log: Option<String>,
    /// When to print in colour. NO_COLOR is heeded, too.
    #[arg(long, global = true, display_order = 1004, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

impl DiagnosticArgs {
    /// Sets it up for the whole process.
    pub(crate) fn install(&self) {
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        let is_colored = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
        let filter = EnvFilter::builder().parse_lossy(self.filter());
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(is_colored);
        log.init();
        if self.quiet {
            progress::hide();
        }
        install_error_handler(is_colored);
    }

    fn filter(&self) -> String {
        let named = self.log.as_ref().or(self.environment_log.as_ref().filter(|_| !self.quiet && self.verbose == 0));
        let level = match (self.quiet, self.verbose) {
            (true, _) => "error",
            (false, 0) => "warn",
            (false, 1) => "info",
            (false, _) => "debug",
        };
        named.cloned().unwrap_or_else(|| format!("{level},{LIBRARIES}"))
    }
}

/// Errors have colours and lines on a terminal, and are plain text in a file.
fn install_error_handler(is_colored: bool) {
    let is_terminal = std::io::stderr().is_terminal();
    let set = miette::set_hook(Box::new(move |_| {
        // A name is not broken at its hyphens.
        let handler = miette::MietteHandlerOpts::new()
            .width(output::WIDTH)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .unicode(is_terminal)
            .terminal_links(false);
        Box::new(handler.color(is_colored).build())
    }));
    if set.is_err() {
        tracing::debug!("errors keep the style that was set before");
    }
}
