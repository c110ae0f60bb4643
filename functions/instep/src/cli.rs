//! The command line: its commands and options, and the environment variables that set defaults.

mod answers;
mod capture;
mod change;
pub(crate) mod contract;
mod dev;
mod diagnostics;
mod drift;
pub(crate) mod help;
mod init;
mod plan;
mod read;
pub(crate) mod template;
pub(crate) mod users;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use instep_flow::deletion_limit::DELETIONS_PER_HOUR;
use jiff::Timestamp;

pub(crate) use answers::{AskedArgs, CanArgs, ScopesArgs, WhatArgs, WhoArgs};
pub(crate) use capture::CaptureArgs;
pub(crate) use change::ChangeArgs;
pub(crate) use dev::DevArgs;
pub(crate) use diagnostics::DiagnosticArgs;
pub(crate) use drift::{ExplainArgs, SweepArgs};
pub(crate) use help::CompletionsArgs;
pub(crate) use init::InitArgs;
pub(crate) use plan::PlanArgs;
pub(crate) use read::ReadArgs;
pub(crate) use template::TemplateCommand;
pub(crate) use users::UsersCommand;

use crate::names;

/// Reconciles Cognito, child items, uniqueness guards and subscribers with a DynamoDB single table.
#[derive(Debug, Parser)]
#[command(name = "instep", version, long_version = help::LONG_VERSION, max_term_width = 100, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) diagnostics: DiagnosticArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_STATUS: &str =
    "Exit status: 0 everything handled; 1 a record was parked or is left to retry; 2 wrong usage or unreadable input";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(Box<InitArgs>),
    Replay(Box<ReplayArgs>),
    Dev(Box<DevArgs>),
    Redrive(Box<RedriveArgs>),
    Backfill(Box<BackfillArgs>),
    Capture(Box<CaptureArgs>),
    Due(Box<DueArgs>),
    Sweep(Box<SweepArgs>),
    Explain(Box<ExplainArgs>),
    Can(Box<CanArgs>),
    What(Box<WhatArgs>),
    Who(Box<WhoArgs>),
    Scopes(Box<ScopesArgs>),
    Read(Box<ReadArgs>),
    #[command(subcommand)]
    Users(UsersCommand),
    Check(Box<CheckArgs>),
    Plan(Box<PlanArgs>),
    Change(Box<ChangeArgs>),
    Contract(Box<contract::ContractArgs>),
    Events(Box<contract::EventsArgs>),
    #[command(subcommand)]
    Template(TemplateCommand),
    Doctor(Box<DoctorArgs>),
    /// Print the JSON Schema of models, for completion in an editor
    #[command(after_help = "Exit status: 0 printed; 2 wrong usage")]
    Schema,
    Completions(CompletionsArgs),
    /// Write a manual page for each command
    #[command(hide = true)]
    Man {
        /// The folder to write.
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
}

impl Command {
    /// Whether it is done once nobody reads its output: it only prints.
    pub(crate) fn only_prints(&self) -> bool {
        match self {
            Self::Init(args) => args.out.is_none(),
            Self::Replay(args) => args.dry_run || args.data.is_none() && args.against.is_none(),
            Self::Capture(args) => args.out.is_none(),
            Self::Sweep(args) => !args.repair && !args.start && !args.stop && args.keep.is_none(),
            Self::Change(args) => args.approve.is_none() && !args.run,
            Self::Contract(args) => args.generate.out.is_none(),
            Self::Template(TemplateCommand::Stack(args)) => args.out.is_none(),
            Self::Due(_)
            | Self::Explain(_)
            | Self::Can(_)
            | Self::What(_)
            | Self::Who(_)
            | Self::Scopes(_)
            | Self::Read(_)
            | Self::Users(UsersCommand::Existing(_) | UsersCommand::Held(_))
            | Self::Check(_)
            | Self::Plan(_)
            | Self::Events(_)
            | Self::Template(TemplateCommand::Filters(_) | TemplateCommand::Table(_) | TemplateCommand::Policies(_))
            | Self::Doctor(_)
            | Self::Schema
            | Self::Completions(_) => true,
            Self::Dev(_)
            | Self::Redrive(_)
            | Self::Backfill(_)
            | Self::Users(UsersCommand::GoOn(_) | UsersCommand::Keep(_) | UsersCommand::Delete(_))
            | Self::Template(TemplateCommand::Functions(_))
            | Self::Man { .. } => false,
        }
    }

    /// The deployment that it uses.
    pub(crate) fn at(&mut self) -> Option<&mut At> {
        match self {
            Self::Redrive(args) => Some(&mut args.at),
            Self::Backfill(args) => Some(&mut args.at),
            Self::Due(args) => Some(&mut args.workspace.at),
            Self::Sweep(args) => Some(&mut args.workspace.at),
            Self::Explain(args) => Some(&mut args.workspace.at),
            Self::Can(args) => Some(&mut args.asked.workspace.at),
            Self::What(args) => Some(&mut args.asked.workspace.at),
            Self::Who(args) => Some(&mut args.asked.workspace.at),
            Self::Scopes(args) => Some(&mut args.asked.workspace.at),
            Self::Read(args) => Some(&mut args.workspace.at),
            Self::Users(UsersCommand::Existing(args) | UsersCommand::Held(args) | UsersCommand::GoOn(args)) => {
                Some(&mut args.workspace.at)
            }
            Self::Users(UsersCommand::Keep(args) | UsersCommand::Delete(args)) => Some(&mut args.workspace.at),
            Self::Change(args) => Some(&mut args.workspace.at),
            Self::Doctor(args) => Some(&mut args.at),
            Self::Contract(args) => match &mut args.command {
                Some(contract::ContractCommand::Snapshot(args)) => Some(&mut args.workspace.at),
                Some(contract::ContractCommand::Diff(_)) | None => None,
            },
            Self::Init(_)
            | Self::Replay(_)
            | Self::Dev(_)
            | Self::Capture(_)
            | Self::Check(_)
            | Self::Plan(_)
            | Self::Events(_)
            | Self::Template(_)
            | Self::Schema
            | Self::Completions(_)
            | Self::Man { .. } => None,
        }
    }
}

/// Replay captured stream events, and print what follows from them
///
/// Without `--against`, replay uses the embedded stack. It first writes the items that the captures
/// show as older than themselves, and publishes nothing for them. Then it writes the captured
/// changes to the embedded table, whose own stream invokes Instep. With `--against`, replay writes
/// no items itself: it sends the records, marked as replayed, and Instep reconciles with the
/// present state of that table.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ReplayArgs {
    /// Captures, files of writes, scans or exports: files, folders (all .json, .jsonl and .ndjson files below,
    /// in path order), or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The table model: the name of a shipped model, or a file [default: from the captures'
    /// folder].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    /// Keep the embedded stack in this directory [default: in memory].
    #[arg(long, value_name = "DIR", conflicts_with = "against")]
    pub(crate) data: Option<PathBuf>,
    /// Send the records to a kept embedded stack, to an endpoint with all services, or to AWS.
    #[arg(long, value_name = "DIR|URL|aws", value_parser = names::dir_or_url)]
    pub(crate) against: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// Let time pass until then, after the last record (RFC 3339): what becomes due is done at its
    /// time. With `--against`, the present time [default: the latest time of any record; with
    /// `--against URL|aws` the machine's time, and another one only for a `--dry-run`].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,
    /// Write this many captured changes before reading the stream.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) batch: u16,
    /// Print what would be done, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Say why: the setting of the model from which each effect follows, and why nothing follows.
    #[arg(long)]
    pub(crate) why: bool,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
    /// At the end, print the items of the table and the users and groups of Cognito.
    #[arg(long)]
    pub(crate) state: bool,
}

/// Where a deployment is, and its model.
#[derive(Debug, Args)]
pub(crate) struct At {
    /// The table model: the name of a shipped model, or a file (or INSTEP_MODEL) [default for `redrive`: from the
    /// files' folder; with `--data`: the directory's, if it is a shipped one].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// One endpoint for all services [default: AWS, with credentials and region from the
    /// environment or profile].
    #[arg(long, value_name = "URL", value_parser = names::url)]
    pub(crate) endpoint: Option<String>,
}

/// Where a deployment keeps what failed.
#[derive(Debug, Args)]
pub(crate) struct FailedAt {
    /// The URL of the queue of parked records.
    #[arg(long, env = "INSTEP_PARKED_QUEUE", value_name = "URL", value_parser = names::url)]
    pub(crate) parked_queue: Option<String>,
    /// The bucket of failed batches, and of records that do not fit a message.
    #[arg(long, env = "INSTEP_BUCKET", value_name = "NAME", value_parser = names::bucket)]
    pub(crate) bucket: Option<String>,
}

/// The resources of a deployment.
#[derive(Debug, Args)]
pub(crate) struct Deployment {
    /// The table's name or ARN (or INSTEP_TABLE) [default for `replay`: the table in the captures].
    #[arg(long, value_name = "NAME", value_parser = names::table)]
    pub(crate) table: Option<String>,
    /// The Cognito user pool's id (or INSTEP_USER_POOL).
    #[arg(long, value_name = "ID", value_parser = names::user_pool)]
    pub(crate) user_pool: Option<String>,
    /// The event bus's name (or INSTEP_BUS).
    #[arg(long, value_name = "NAME", value_parser = names::bus)]
    pub(crate) bus: Option<String>,
    /// The URL of the work queue, which receives the replayed, redriven or backfilled records.
    #[arg(long, env = "INSTEP_WORK_QUEUE_URL", value_name = "URL", value_parser = names::url)]
    pub(crate) work_queue: Option<String>,
    /// Changes of memberships and users per second in Cognito on AWS (or INSTEP_COGNITO_RATE); other calls
    /// in proportion. The deployed functions share the same quotas.
    #[arg(long, env = "INSTEP_COGNITO_RATE", hide_env = true, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) cognito_rate: u32,
    /// The most users that are deleted in an hour (or INSTEP_MAX_USER_DELETIONS_PER_HOUR); the deletion of any other waits
    #[arg(long, env = "INSTEP_MAX_USER_DELETIONS_PER_HOUR", hide_env = true, value_name = "N", default_value_t = DELETIONS_PER_HOUR)]
    pub(crate) max_user_deletions: u32,
    #[command(flatten)]
    pub(crate) environment: Environment,
}

/// Names from the environment. They apply to a deployment, not to the embedded stack.
#[derive(Debug, Args)]
pub(crate) struct Environment {
    #[arg(id = "environment-model", long = "environment-model", env = "INSTEP_MODEL", hide = true)]
    pub(crate) model: Option<String>,
    #[arg(id = "environment-table", long = "environment-table", env = "INSTEP_TABLE", hide = true)]
    pub(crate) table: Option<String>,
    #[arg(id = "environment-user-pool", long = "environment-user-pool", env = "INSTEP_USER_POOL", hide = true)]
    pub(crate) user_pool: Option<String>,
    #[arg(id = "environment-bus", long = "environment-bus", env = "INSTEP_BUS", hide = true)]
    pub(crate) bus: Option<String>,
}

/// Parses a time of the command line.
fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| format!("`{text}` is not a time such as 2026-03-01T00:00:00Z"))
}

/// Send failed work to the work queue again
///
/// Sources are files and folders of captures, on-failure objects, parked records and pointers; `-`
/// for standard input; s3://BUCKET/PREFIX; the URL of an SQS queue; `parked` for the queue of
/// parked records; `failed` for the batches that Lambda gave up on. A message or object is deleted
/// when all its records are sent; any other stays. Files are never deleted. After Ctrl-C it ends
/// with the messages that it has received, and you can run it again at any time. If it is killed
/// instead, SQS hides the messages that it had received for up to 15 minutes, and a redrive does not
/// find them before.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct RedriveArgs {
    /// Where the failed work is stored.
    #[arg(required = true, value_name = "SOURCE")]
    pub(crate) sources: Vec<String>,
    /// The name of the table that the records come from, if it differs [default: the table's name].
    #[arg(long, value_name = "NAME", value_parser = names::table)]
    pub(crate) records_of: Option<String>,
    #[command(flatten)]
    pub(crate) at: At,
    #[command(flatten)]
    pub(crate) failed: FailedAt,
    /// Print what would be sent, and send nothing. Each read of a message counts as a receive, and
    /// after too many receives SQS moves the message to the dead-letter queue.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reconcile a table that had items before Instep
///
/// Reads the whole table and handles each item as if it had just been created. Publishes no events.
/// You can interrupt it and run it again at any time, also while the stream is live.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct BackfillArgs {
    #[command(flatten)]
    pub(crate) at: At,
    /// Let users that were in the pool before this time (RFC 3339) serve the items that have their names. Look at them
    /// first: whoever has such a user gets what its item is granted.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "start")]
    pub(crate) adopt_before: Option<Timestamp>,
    /// Print what would be sent, and send nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Start a backfill of the deployment's state machine instead, for large tables. `instep sweep --status`
    /// says how far it is.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) start: bool,
    /// With `--start`: the ARN of the state machine.
    #[arg(long, env = "INSTEP_SWEEP_MACHINE", value_name = "ARN", value_parser = names::machine)]
    pub(crate) machine: Option<String>,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// List what becomes due: which item, when, and what happens then
///
/// The times are those that Instep has noted in the table. Changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 listed; 2 wrong usage or an unreadable table")]
pub(crate) struct DueArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// Only what becomes due before this time (RFC 3339).
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) until: Option<Timestamp>,
    /// The most lines to print.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) most: u32,
}

/// A deployment, or a kept embedded stack.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceArgs {
    #[command(flatten)]
    pub(crate) at: At,
    /// A kept embedded stack [default: AWS or an endpoint].
    #[arg(long, value_name = "DIR", conflicts_with = "endpoint")]
    pub(crate) data: Option<PathBuf>,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check what a deployment needs: resources, permissions, quotas
///
/// Changes nothing. It checks the permissions of the caller, by calls that have no effect.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 no error found; 1 something is wrong or unknown; 2 wrong usage")]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) at: At,
    #[command(flatten)]
    pub(crate) failed: FailedAt,
    /// Also read the whole table, and report items that no item type describes, names that Cognito
    /// refuses, and quotas that would be exceeded.
    #[arg(long)]
    pub(crate) scan: bool,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check a table model and print what Instep understands
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the model is valid, and nothing is to be done but to deploy it; 1 a change needs steps \
                        of people, or no item of a reference that is not optional leads to one; 2 a model is invalid or cannot be \
                        read; 3 a change must not be deployed"
)]
pub(crate) struct CheckArgs {
    /// A model file, or a shipped model's name.
    #[arg(value_name = "MODEL.toml|NAME")]
    pub(crate) model: String,
    /// The model that is deployed now: explain what a change to MODEL means for items, Cognito,
    /// bookkeeping and subscribers.
    #[arg(long, value_name = "MODEL.toml|NAME")]
    pub(crate) against: Option<String>,
    /// The routes of an API that the authorizer guards: check that each asks what the model can answer, and print what it
    /// needs.
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub(crate) routes: Option<PathBuf>,
    /// A kept embedded stack: count for each reference how many of up to 1,000 items lead to one.
    ///
    /// This scans up to 100,000 items, and for each reference reads up to 1,000 items more, from the table or
    /// from an index.
    #[arg(long, value_name = "DIR", conflicts_with = "against")]
    pub(crate) data: Option<PathBuf>,
    /// `aws`, or one endpoint for all services: the same with the items of this table.
    ///
    /// On AWS, the scan costs half a read unit for each 4 KB, which is 12,500 units for 100,000 items of 1 KB.
    /// Each further read costs a read unit for each 4 KB, or half of that from an index.
    #[arg(long, value_name = "URL|aws", value_parser = names::aws_or_url, conflicts_with_all = ["against", "data"])]
    pub(crate) endpoint: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
}
