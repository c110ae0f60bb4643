//! What the command line says of itself: its commands in groups, examples, completions, and manual pages.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, Styles};
use clap::{Args, CommandFactory as _};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};
use clap_complete::env::Shells;
use instep_console::output::Output;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use super::Cli;

/// The version, and what it was built from: a release sets the variable, with its commit and date.
pub(crate) const LONG_VERSION: &str = match option_env!("INSTEP_BUILD") {
    Some(build) => build,
    None => concat!(env!("CARGO_PKG_VERSION"), " (built from a checkout)"),
};

/// The variable of the environment by which a shell asks the program for completions.
const ASKS: &str = "COMPLETE";

/// Print a script with which a shell completes commands and options
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    pub(crate) shell: String,
}

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Model", &["init", "check", "plan", "change", "schema", "contract"]),
    ("Local", &["dev", "replay", "capture", "events"]),
    ("Answers", &["can", "what", "who", "scopes", "read"]),
    ("AWS", &["doctor", "sweep", "explain", "users", "backfill", "redrive", "due", "template"]),
    ("Shell", &["completions", "help"]),
];

/// Examples of each command. `tests/end-to-end` runs those of `instep` in one folder, those of `replay` first.
const EXAMPLES: [(&str, &[&str]); 24] = [
    (
        "init",
        &[
            "aws dynamodb scan --table-name app --max-items 5000 > scan.json",
            "aws dynamodb describe-table --table-name app > schema.json",
            "instep init scan.json --schema schema.json --out model.toml",
            "instep init --table access-management --endpoint http://127.0.0.1:4747 --yes",
        ],
    ),
    (
        "check",
        &[
            "instep check platform",
            "instep check events/bookings/model.toml",
            "instep check account-management --routes examples/api/routes.toml",
        ],
    ),
    (
        "plan",
        &[
            "instep plan access-management --data data",
            "instep plan access-management --against access-management --data data",
            "instep plan platform --against platform",
        ],
    ),
    (
        "change",
        &[
            "instep change --data data",
            "instep change --model access-management --endpoint http://127.0.0.1:4747 --json",
        ],
    ),
    ("schema", &["instep schema > model.schema.json"]),
    (
        "replay",
        &[
            "instep replay events/platform",
            "instep replay examples/teams/writes.json --model teams",
            "instep replay events/access-management --data data",
        ],
    ),
    ("dev", &["instep dev teams --load", "instep dev model.toml --table app --load scan.json"]),
    (
        "capture",
        &[
            "instep capture --data data --out stream.json",
            "instep capture --writes examples/teams/writes.json --model teams",
        ],
    ),
    (
        "events",
        &[
            "instep events --data data --until-empty",
            r#"instep events --data data --until-empty --pattern '{"detail-type": ["User Granted"]}'"#,
        ],
    ),
    ("contract", &["instep contract platform --out contract", "instep contract diff contract platform"]),
    (
        "doctor",
        &["instep doctor --endpoint http://127.0.0.1:4747", "instep doctor --endpoint http://127.0.0.1:4747 --scan"],
    ),
    ("sweep", &["instep sweep --data data", "instep sweep --endpoint http://127.0.0.1:4747 --repair"]),
    ("explain", &["instep explain ann.lee@example.com --data data"]),
    (
        "can",
        &[
            "instep can hana.sato@example.com --role admin --at /japan --data data",
            "instep can hana.sato@example.com --at Group=/japan --endpoint http://127.0.0.1:4747",
        ],
    ),
    ("what", &["instep what sven.moe@example.com --data data"]),
    ("who", &["instep who Group=/norway/bergen --data data", "instep who /japan --role admin --data data"]),
    ("scopes", &["instep scopes Group=/norway/bergen --data data --json"]),
    (
        "read",
        &[
            "instep read memberships email=sven.moe@example.com --data data",
            "instep read child-groups parent.groupId=/norway --model access-management --plan",
        ],
    ),
    ("users", &["instep users existing --data data", "instep users existing --endpoint http://127.0.0.1:4747 --json"]),
    ("backfill", &["instep backfill --endpoint http://127.0.0.1:4747 --dry-run"]),
    ("redrive", &["instep redrive stream.json --endpoint http://127.0.0.1:4747 --dry-run"]),
    ("due", &["instep due --data data", "instep due --data data --until 2030-01-01T00:00:00Z --json"]),
    (
        "template",
        &[
            "instep template stack platform --out instep.json",
            "instep template stack platform --create table,pool,bus --dashboard --out new.json",
            "instep template stack platform --create table,pool,bus --dashboard --out new.json --force",
            "instep template policies platform",
        ],
    ),
    ("completions", &["source <(instep completions bash)"]),
];

/// The command line, with its groups of commands and their examples.
pub(crate) fn command() -> clap::Command {
    let mut command = Cli::command();
    for (name, examples) in EXAMPLES {
        command = command.mut_subcommand(name, |command| {
            let rest = command.get_after_help().map_or_else(String::new, |rest| format!("\n\n{rest}"));
            command.after_help(format!("Examples:\n  {}{rest}", examples.join("\n  ")))
        });
    }
    let header = *Styles::default().get_header();
    let groups = groups(&command);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    completed(command).help_template(template)
}

fn groups(command: &clap::Command) -> String {
    let (header, literal) = (*Styles::default().get_header(), *Styles::default().get_literal());
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "{header}{group}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map_or_else(|| "Print help, of a command with its name".to_owned(), ToString::to_string);
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#} {about}");
        }
        text.push('\n');
    }
    text
}

/// A shell completes the names of shipped models wherever a model can be named.
fn completed(command: clap::Command) -> clap::Command {
    let names_a_model = |arg: &clap::Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        names.iter().any(|name| ["NAME|FILE", "MODEL.toml|NAME"].contains(&name.as_str()))
    };
    let command = command.mut_args(|arg| match names_a_model(&arg) {
        true => arg.add(ArgValueCompleter::new(models)),
        false => arg,
    });
    command.mut_subcommands(completed)
}

/// Shipped models whose names begin with this, and files.
fn models(begun: &OsStr) -> Vec<CompletionCandidate> {
    let names = begun.to_str().into_iter().flat_map(|begun| {
        instep_model::shipped_names().iter().filter(move |name| name.starts_with(begun)).map(CompletionCandidate::new)
    });
    names.chain(PathCompleter::file().complete(begun)).collect()
}

/// Prints the script for a shell, which asks this program.
pub(crate) fn completions(shell: &str, out: &mut Output) -> miette::Result<ExitCode> {
    let shells = Shells::builtins();
    let completer = shells.completer(shell).ok_or_else(|| miette!("there are no completions for `{shell}`"))?;
    let mut script = Vec::new();
    completer.write_registration(ASKS, "instep", "instep", "instep", &mut script).into_diagnostic()?;
    out.text(&String::from_utf8(script).into_diagnostic()?)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a manual page for each command.
pub(crate) fn manual(dir: &Path) -> miette::Result<ExitCode> {
    let written = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command(), dir));
    written.into_diagnostic().wrap_err_with(|| format!("cannot write into `{}`", dir.display()))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use expect_test::expect_file;

    use super::{EXAMPLES, GROUPS, command};

    const ABOUT: &str = "# Commands

What `instep COMMAND -h` prints. `--help` says more of some options. Every command also takes `--help`,
`-v` and `-vv` for more on standard error, `-q` for errors only, `--log FILTER` in their place, and `--color auto`,
`always` or `never`.
";

    #[test]
    fn each_command_is_in_one_group_and_has_examples() {
        let command = command();
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let names: BTreeSet<&str> = visible.map(clap::Command::get_name).collect();
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| *names).copied().filter(|name| *name != "help").collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), names);
        assert_eq!(grouped.len(), names.len(), "a command is in two groups");
        assert_eq!(EXAMPLES.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>(), names);
    }

    /// The help of a command, and of those below it, each under a heading.
    fn pages(command: &mut clap::Command, text: &mut String) {
        if command.get_subcommands().next().is_none() {
            let of_all =
                |arg: clap::Arg| if arg.is_global_set() || arg.get_id() == "help" { arg.hide(true) } else { arg };
            let help = command.clone().mut_args(of_all).render_help().to_string();
            let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
            let name = command.get_bin_name().unwrap_or_default();
            let _ = write!(text, "\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
        }
        command.get_subcommands_mut().filter(|command| !command.is_hide_set()).for_each(|command| pages(command, text));
    }

    #[test]
    fn the_page_of_commands_is_what_help_prints() {
        let mut command = command().term_width(100).disable_help_subcommand(true);
        command.build();
        let mut page = String::from(ABOUT);
        pages(&mut command, &mut page);
        expect_file!["../../../../docs/reference/commands.md"].assert_eq(&page);
    }

    /// A terminal has 80 columns, and the list of commands is not wrapped.
    #[test]
    fn the_list_of_commands_fits_a_terminal() {
        let help = command().render_help().to_string();
        let list = help.lines().take_while(|line| *line != "Options:");
        let too_long: Vec<&str> = list.filter(|line| line.chars().count() > 80 && line.starts_with("  ")).collect();
        assert!(too_long.is_empty(), "{too_long:#?}");
    }
}
