//! The options of `instep contract` and `instep events`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use instep_console::forward::ForwardTarget;
use jiff::Timestamp;

use super::{WorkspaceArgs, time};
use crate::names;

/// Write what subscribers build on: schemas, declarations, a page
///
/// JSON Schemas (2020-12 and draft-04), an AsyncAPI 3 document, declarations for TypeScript, Python, Go and
/// Java, EventBridge rule patterns, an example of each event, and a page for people. All of them follow from
/// the model.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 written, or compatible; 1 a difference that is not; 2 wrong usage, or a file that cannot be read or written"
)]
pub(crate) struct ContractArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ContractCommand>,
    #[command(flatten)]
    pub(crate) generate: GenerateArgs,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// A model file, or a shipped model's name.
    #[arg(value_name = "MODEL.toml|NAME", required = true)]
    pub(crate) model: Option<String>,
    /// The folder to write.
    #[arg(long, short, value_name = "DIR", required = true)]
    pub(crate) out: Option<PathBuf>,
    /// Captures to replay for the examples: files, or folders in which each file is a history. Repeatable.
    #[arg(long, value_name = "PATH")]
    pub(crate) events: Vec<PathBuf>,
    /// Replace the documents in the folder.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContractCommand {
    Diff(DiffArgs),
    Snapshot(Box<SnapshotArgs>),
}

/// Say what a change means for a subscriber: it breaks, it has to build its rows anew, or nothing
///
/// Each of the two is a model (a file, or a shipped model's name), a folder that `instep contract` wrote,
/// or the `contract.json` in it.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 compatible; 1 something breaks, or subscribers need a rebuild; 2 wrong usage or unreadable input"
)]
pub(crate) struct DiffArgs {
    /// The contract that subscribers know.
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// The contract that is to replace it.
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    /// Print one JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print or send the present items as events, for a subscriber that starts from nothing or has lost events
///
/// One JSON object a line, in the form in which EventBridge delivers events: a beginning, `created` for each
/// entity, `granted` for each role that a grant gives now, and an end. Each has a watermark, five minutes
/// before the first read: what is not in the snapshot, and was not changed since then, is gone. Subscribe
/// first, then take the snapshot.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 printed or sent, whole; 2 wrong usage, an unreadable table, or events that were not sent"
)]
pub(crate) struct SnapshotArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// The present time, with `--data` (RFC 3339) [default: the machine's time].
    #[arg(long, value_name = "TIME", value_parser = time, requires = "data")]
    pub(crate) now: Option<Timestamp>,
    /// Send it instead: to a queue of one subscriber, by its URL, or to a bus, by its name or ARN.
    #[arg(long, value_name = "QUEUE|BUS", value_parser = recipient)]
    pub(crate) to: Option<Recipient>,
    /// Only items that may have changed since then (RFC 3339): all but those that say by `--written` that they were written
    /// before. What was deleted or revoked since is in no snapshot, so a subscriber deletes nothing after this one.
    #[arg(long, value_name = "TIME", value_parser = time, requires = "written")]
    pub(crate) since: Option<Timestamp>,
    /// An attribute in which every writer puts the time of an item's last write. Can be given several times.
    #[arg(long, value_name = "ATTRIBUTE", requires = "since")]
    pub(crate) written: Vec<String>,
    /// Only events that match the EventBridge rule pattern of the subscriber: JSON, or a file with it. It deletes
    /// whatever else it has.
    #[arg(long, value_name = "JSON|FILE")]
    pub(crate) pattern: Option<String>,
}

/// Who receives the events, of a snapshot if they are not printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Recipient {
    /// The queue with this URL.
    Queue(String),
    /// The bus with this name or ARN.
    Bus(String),
}

/// A queue's URL, or a bus.
fn recipient(text: &str) -> Result<Recipient, String> {
    if text.contains("://") { names::url(text).map(Recipient::Queue) } else { names::bus(text).map(Recipient::Bus) }
}

/// Follow published events, of a kept embedded stack or of a queue
///
/// Prints a line for each event, as it comes, until you interrupt it.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 interrupted, or no more events; 1 the server of `--forward` did not take an event; 2 wrong usage, an unreadable source, or no event with the id"
)]
pub(crate) struct EventsArgs {
    /// A kept embedded stack (`instep replay --data DIR`).
    #[arg(long, value_name = "DIR", required_unless_present = "queue")]
    pub(crate) data: Option<PathBuf>,
    /// The URL of an SQS queue that is a target of a rule of the bus. Its messages are deleted when they are
    /// printed, and when the pattern leaves them out: give this command a queue of its own.
    #[arg(long, value_name = "URL", value_parser = names::url, conflicts_with = "data")]
    pub(crate) queue: Option<String>,
    /// One endpoint for all services [default: AWS, with credentials and region from the environment or profile].
    #[arg(long, value_name = "URL", value_parser = names::url, requires = "queue", conflicts_with = "data")]
    pub(crate) endpoint: Option<String>,
    /// Do not delete messages of the queue. Each is printed once.
    #[arg(long, requires = "queue", conflicts_with = "data")]
    pub(crate) keep: bool,
    /// Only events that match this EventBridge rule pattern: JSON, or a file with it.
    #[arg(long, value_name = "JSON|FILE")]
    pub(crate) pattern: Option<String>,
    /// Print the events that are there, and stop.
    #[arg(long)]
    pub(crate) until_empty: bool,
    /// Stop after this many events.
    #[arg(long, value_name = "N")]
    pub(crate) most: Option<u64>,
    /// Only the event with this `metadata.id`, if it is there.
    #[arg(long, value_name = "ID", conflicts_with_all = ["queue", "most"])]
    pub(crate) id: Option<String>,
    /// Also send each event to this HTTP server, as EventBridge delivers it. One that the server does not take ends the command.
    #[arg(long, value_name = "URL", value_parser = names::forward)]
    pub(crate) forward: Option<ForwardTarget>,
    /// Print one JSON object a line, for programs: the event as EventBridge delivers it.
    #[arg(long)]
    pub(crate) json: bool,
}
