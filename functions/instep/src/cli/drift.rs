//! The arguments of `sweep` and `explain`.

use std::path::PathBuf;

use clap::Args;
use instep_flow::sweep::units::SweepName;
use jiff::Timestamp;

use crate::names;

use super::{WorkspaceArgs, time};

/// Find where table and Cognito differ from the model, and repair it
///
/// Reads the whole table and the whole user pool, changes nothing, and lists each difference with its
/// reason. A difference counts only if a second read shows it, too: what is in progress is none. With
/// `--repair` it sends work messages, and Instep does the rest. Run it when the stream is not behind.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 nothing differs, or only what is left to your application, such as orphans, or all that can be repaired was sent; 1 differences are left; 2 wrong usage, or a table or pool that cannot be read"
)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// The present time, with `--data` (RFC 3339) [default: the machine's time].
    #[arg(long, value_name = "TIME", value_parser = time, requires = "data")]
    pub(crate) now: Option<Timestamp>,
    /// Send a repair for each difference to the work queue.
    #[arg(long)]
    pub(crate) repair: bool,
    /// With `--repair`: print what would be sent, and send nothing.
    #[arg(long, requires = "repair")]
    pub(crate) dry_run: bool,
    /// With `--repair`: the most memberships, users, groups and orphans to remove. If more would
    /// have to go, nothing is sent: the model may be wrong.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_removals: u64,
    /// Only this object and what refers to it: an item type and an id, such as `User=alice`.
    #[arg(long, value_name = "TYPE=ID")]
    pub(crate) only: Option<String>,
    /// Also list what no answer of `instep can` counts, and why: grants without the item of their role, for example. Asks
    /// for each subject in the table.
    #[arg(long, conflicts_with_all = ["start", "stop", "status"])]
    pub(crate) answers: bool,
    /// The seconds between the two reads of a difference [default: 60, with `--data` 0].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=3_600))]
    pub(crate) grace: Option<u32>,
    /// Start a sweep of the deployment's state machine instead. A schedule does the same.
    #[arg(long, conflicts_with_all = ["dry_run", "only", "data"])]
    pub(crate) start: bool,
    /// With `--start`: do what is left of this sweep, for 24 hours after it began. With `--repair`, repair what
    /// it has found.
    #[arg(long, value_name = "NAME", requires = "start")]
    pub(crate) of: Option<SweepName>,
    /// Stop the sweep or backfill of the state machine that is under way. What it has read is kept.
    #[arg(long, conflicts_with_all = ["start", "repair", "only", "data"])]
    pub(crate) stop: bool,
    /// Print how far the sweep of the state machine is, or what the last one has found.
    #[arg(long, conflicts_with_all = ["start", "stop", "repair", "only", "data"])]
    pub(crate) status: bool,
    /// With `--start`, `--stop` and `--status`: the ARN of the state machine.
    #[arg(long, env = "INSTEP_SWEEP_MACHINE", value_name = "ARN", value_parser = names::machine)]
    pub(crate) machine: Option<String>,
    /// With `--status`: the deployment's bucket, where the differences are.
    #[arg(long, env = "INSTEP_BUCKET", value_name = "NAME", value_parser = names::bucket)]
    pub(crate) bucket: Option<String>,
    /// Keep what the sweep reads in this folder, which only its owner can read: it has names of users. The
    /// same command goes on there, for 24 hours, and with `--repair` repairs what was found [default: a
    /// temporary folder, deleted at the end].
    #[arg(long, value_name = "DIR", conflicts_with_all = ["only", "start", "stop", "status"])]
    pub(crate) keep: Option<PathBuf>,
}

/// Explain why a user is in a group, and what becomes due
///
/// Reads the object, the items that refer to it, and what Cognito has of it. Changes nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 nothing differs; 1 Cognito differs from the table; 2 wrong usage, or no such item"
)]
pub(crate) struct ExplainArgs {
    /// A user name in Cognito, or an item type and an id, such as `Seat=team-1/alice`; `sub=VALUE` for somebody who signs
    /// up.
    #[arg(required_unless_present = "key", value_name = "USER|TYPE=ID")]
    pub(crate) what: Option<String>,
    /// The key of an item: partition key and sort key.
    #[arg(long, num_args = 2, value_names = ["PK", "SK"], conflicts_with = "what")]
    pub(crate) key: Vec<String>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// The present time, with `--data` (RFC 3339) [default: the machine's time].
    #[arg(long, value_name = "TIME", value_parser = time, requires = "data")]
    pub(crate) now: Option<Timestamp>,
}
