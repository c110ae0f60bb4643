//! The command line: what can be said, and where the environment has its say.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use jiff::Timestamp;

/// Keeps Cognito, child items, uniqueness guards and subscribers in step with a DynamoDB single table.
#[derive(Debug, Parser)]
#[command(name = "instep", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    /// What is logged to standard error (`info`, `instep_aws=debug` …).
    #[arg(
        long,
        global = true,
        env = "INSTEP_LOG",
        default_value = "warn,dynoxide=error,aws_config=off",
        value_name = "FILTER",
        hide_env_values = true
    )]
    pub(crate) log: String,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_STATUS: &str =
    "Exit status: 0 all settled; 1 something parked or left to retry; 2 usage or unreadable input";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Replay(Box<Replay>),
    Redrive(Box<Redrive>),
    Backfill(Box<Backfill>),
    Capture(Box<Capture>),
    Check(Check),
    #[command(subcommand)]
    Template(Template),
    Doctor(Box<Doctor>),
}

/// Play captured stream events and bring in step all that follows from them
///
/// On the embedded stack the history is played: what the captures show to have been there before is put in place without
/// publishing, then the captured changes are written to the embedded table, whose own stream drives Instep. With
/// `--against` nothing is written by replay itself: the records are processed, marked as replay, against what that
/// table holds now.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Replay {
    /// Captures: files, folders (all .json, .jsonl and .ndjson below, in path order), or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The table model: a shipped one's name or a file [default: found from the captures' folder].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    /// Keep the embedded stack in this directory [default: in memory].
    #[arg(long, value_name = "DIR", conflicts_with = "against")]
    pub(crate) data: Option<PathBuf>,
    /// Process the records against a kept embedded stack, an endpoint with all three services, or AWS.
    #[arg(long, value_name = "DIR|URL|aws")]
    pub(crate) against: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// The time that it is (RFC 3339) [default: the latest time of any record; with `--against URL|aws` the machine's].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,
    /// Write this many captured changes before the stream is read.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) batch: u16,
    /// Say what would be done and do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// One JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
    /// At the end, what is in the table and in Cognito.
    #[arg(long)]
    pub(crate) state: bool,
}

/// What Instep works on, outside the embedded stack.
#[derive(Debug, Args)]
pub(crate) struct Deployment {
    /// The table's name (or INSTEP_TABLE) [`replay`: as the captures say].
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// The Cognito user pool's id (or INSTEP_USER_POOL).
    #[arg(long, value_name = "ID")]
    pub(crate) user_pool: Option<String>,
    /// The event bus's name (or INSTEP_BUS).
    #[arg(long, value_name = "NAME")]
    pub(crate) bus: Option<String>,
    /// The work queue's URL: records that are replayed, redriven or backfilled are sent there.
    #[arg(long, env = "INSTEP_WORK_QUEUE_URL", value_name = "URL")]
    pub(crate) work_queue: Option<String>,
    /// Calls a second to Cognito on AWS (or INSTEP_COGNITO_RATE): its quota is shared with the function that runs live.
    #[arg(long, env = "INSTEP_COGNITO_RATE", hide_env = true, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) cognito_rate: u32,
    #[command(flatten)]
    pub(crate) environment: Environment,
}

/// The names in the environment: they count for a deployment, and not for the embedded stack.
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

/// A time as it is given on the command line.
fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| format!("`{text}` is no time such as 2026-03-01T00:00:00Z"))
}

/// Run again whatever failed, against a table as it is
///
/// Sources are files and folders of captures, on-failure objects, parked records and pointers; `-` for standard input;
/// s3://BUCKET/PREFIX; the URL of an SQS queue; `parked` for the queue of parked records; `failed` for the batches that Lambda
/// gave up. A message or object of which all is settled is deleted, everything else stays where it is; files always stay. It can be
/// broken off and begun again at any time.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Redrive {
    /// Where failed work lies.
    #[arg(required = true, value_name = "SOURCE")]
    pub(crate) sources: Vec<String>,
    /// The table model: a shipped one's name or a file (or INSTEP_MODEL) [default: found from the files' folder].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    /// The table that the records are of, where it had another name [default: the table's].
    #[arg(long, value_name = "NAME")]
    pub(crate) records_of: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// One endpoint for all services [default: AWS, with credentials and region from the environment or profile].
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// The queue of parked records: for `parked`, and where what parks again from S3 or the stream goes.
    #[arg(long, env = "INSTEP_PARKED_QUEUE", value_name = "URL")]
    pub(crate) parked_queue: Option<String>,
    /// The bucket of failed batches: for `failed`, and of parked records that do not fit a message.
    #[arg(long, env = "INSTEP_BUCKET", value_name = "NAME")]
    pub(crate) bucket: Option<String>,
    /// Say what would be sent, and send nothing. Each read of a message counts as a receive: too many, and it is a dead letter.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// One JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Bring in step what a table's items imply, for a table that had items before Instep
///
/// Reads the whole table and treats each item as if it had just been created. Publishes nothing. It can be broken off and begun again
/// at any time, and beside the live stream.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Backfill {
    /// The table model: a shipped one's name or a file (or INSTEP_MODEL).
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// One endpoint for all services [default: AWS, with credentials and region from the environment or profile].
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// Say what would be sent, and send nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// One JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print what a deployment is made of, from a model
#[derive(Debug, Subcommand)]
pub(crate) enum Template {
    /// The whole template, for `sam build` and `sam deploy --guided`.
    Stack {
        /// A model file, or a shipped model's name.
        #[arg(value_name = "MODEL.toml|NAME")]
        model: String,
        /// The file to write [default: standard output].
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Overwrite the file.
        #[arg(long, requires = "out")]
        force: bool,
    },
    /// The event source mapping's filter criteria: records that nobody reacts to cost no invocation.
    Filters {
        /// A model file, or a shipped model's name.
        #[arg(value_name = "MODEL.toml|NAME")]
        model: String,
    },
    /// The table's properties: keys, indexes, time to live, stream.
    Table {
        /// A model file, or a shipped model's name.
        #[arg(value_name = "MODEL.toml|NAME")]
        model: String,
    },
    /// The statements of the functions' policies: every action that they call, and no other.
    Policies {
        /// A model file, or a shipped model's name.
        #[arg(value_name = "MODEL.toml|NAME")]
        model: String,
    },
}

/// Check what a deployment needs: table, pool, bus, queue, bucket, permissions, names and quotas
///
/// Nothing is changed. Permissions are those of whoever asks: they are tried by calls that can do nothing.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 all is well; 1 something is wrong; 2 usage")]
pub(crate) struct Doctor {
    /// The table model: a shipped one's name or a file (or INSTEP_MODEL).
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// One endpoint for all services [default: AWS, with credentials and region from the environment or profile].
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// The queue of parked records.
    #[arg(long, env = "INSTEP_PARKED_QUEUE", value_name = "URL")]
    pub(crate) parked_queue: Option<String>,
    /// The bucket of failed batches.
    #[arg(long, env = "INSTEP_BUCKET", value_name = "NAME")]
    pub(crate) bucket: Option<String>,
    /// Read the whole table, too: items that no item type describes, names that Cognito cannot take, quotas that it would exceed.
    #[arg(long)]
    pub(crate) scan: bool,
    /// One JSON object a line, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Record a table's stream in files that `replay` takes, losslessly
///
/// Records are written in the shape in which Lambda receives them, every value letter by letter as the stream has it.
#[derive(Debug, Args)]
pub(crate) struct Capture {
    #[command(flatten)]
    pub(crate) from: CaptureSource,
    /// The table's name [with `--data` and `--writes` the model's name].
    #[arg(long, env = "INSTEP_TABLE", value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// The table model: a shipped one's name or a file, with `--writes` and `--data` [with `--data` the directory's].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    /// Only records after this sequence number.
    #[arg(long = "from", value_name = "SEQUENCE")]
    pub(crate) after: Option<String>,
    /// The file to write [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Replace the values of these attributes, and these values and all email addresses wherever they stand.
    ///
    /// The same value has the same replacement everywhere, in every file: an address becomes `u-<12 hex>@redacted.example`,
    /// digits become other digits, other text `redacted-<12 hex>`, all by a keyed hash. Keys keep agreeing with
    /// attributes, percent-encoded spellings too. Sizes and times of records stay as they are.
    #[arg(long, value_name = "ATTRIBUTES", value_delimiter = ',')]
    pub(crate) redact: Vec<String>,
    /// The key of the hash: without it nobody can look a replacement up by hashing likely values.
    #[arg(long, env = "INSTEP_REDACT_KEY", value_name = "KEY", requires = "redact", hide_env_values = true)]
    pub(crate) redact_key: Option<String>,
}

/// Where records come from: exactly one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct CaptureSource {
    /// The stream of a kept embedded stack.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// A DynamoDB Streams endpoint, such as DynamoDB Local.
    #[arg(long, value_name = "URL", requires = "table")]
    pub(crate) endpoint: Option<String>,
    /// AWS, with credentials and region from the environment or profile.
    #[arg(long, requires = "table")]
    pub(crate) aws: bool,
    /// A file of writes, made on a fresh embedded table without Instep.
    ///
    /// A JSON array of steps with `at` (RFC 3339), `note`, `before` (true: not captured), and one of `put` (an item), `update`
    /// ({"key", "set", "remove"}), `delete` (a key), `ttl` (the key of an item whose time is over) and `transact` (an array
    /// of such). Values are plain JSON; {"$n": "…"}, {"$b": base64}, {"$ss": […]}, {"$ns": […]}, {"$bs": […]} for the rest.
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(crate) writes: Option<PathBuf>,
}

/// Check a table model and print what it says
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 the model is sound; 2 it is not, or cannot be read")]
pub(crate) struct Check {
    /// A model file, or a shipped model's name.
    #[arg(value_name = "MODEL.toml|NAME")]
    pub(crate) model: String,
}
