//! The arguments of `template`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::names;

/// Print the parts of a deployment, generated from a model
#[derive(Debug, Subcommand)]
pub(crate) enum TemplateCommand {
    Stack(Box<StackArgs>),
    Functions(Box<FunctionsArgs>),
    /// The event source mapping's filter criteria: records without consequences cause no
    /// invocation.
    Filters(OfModel),
    /// The table's properties: keys, indexes, time to live, stream.
    Table(OfModel),
    /// The policy statements of the functions: exactly the actions that they call.
    Policies(OfModel),
}

/// The whole template, for `aws cloudformation deploy`
///
/// It is plain CloudFormation, as JSON. Its functions are those of the release with this program's version:
/// `template functions` copies them to a bucket.
///
/// AWS does not make every change of a stack at once. So the command writes the next step of a change, and says what to
/// wait for before it is run again.
#[derive(Debug, Args)]
pub(crate) struct StackArgs {
    #[command(flatten)]
    pub(crate) of: OfModel,
    /// What the stack creates. The rest exists already, and the template has parameters for it: the
    /// table's stream, the user pool, the event bus.
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',')]
    pub(crate) create: Vec<NewResource>,
    /// Add the example of a subscriber.
    #[arg(long)]
    pub(crate) consumer: bool,
    /// Add an archive of the bus that the stack creates: EventBridge keeps the events for `ArchiveDays`, and can replay
    /// them. AWS charges for it.
    #[arg(long)]
    pub(crate) archive: bool,
    /// Send a snapshot of the table to the bus on a schedule, such as `rate(1 day)`: subscribers then repair themselves. AWS
    /// charges for each event, and the table for reading all of it. As with the dashboard, `aws cloudformation deploy` then
    /// may need `--s3-bucket`.
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule)]
    pub(crate) snapshots: Option<String>,
    /// Add the authorizer of an API, with these routes: a file beside the model's. As with the dashboard, `aws
    /// cloudformation deploy` then may need `--s3-bucket`.
    #[arg(long, value_name = "FILE")]
    pub(crate) routes: Option<PathBuf>,
    /// The kind of the API that gets this authorizer: its id is a parameter then. Without it, you make the authorizer in your
    /// API.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', requires = "routes")]
    pub(crate) api: Vec<GuardedApi>,
    /// Send the alarms to a topic of SNS, which is a parameter then.
    #[arg(long)]
    pub(crate) alarm_topic: bool,
    /// Add the dashboard. With it the template has more than the 51,200 bytes that CloudFormation takes in a request:
    /// `aws cloudformation deploy` then needs `--s3-bucket`.
    #[arg(long)]
    pub(crate) dashboard: bool,
    /// Add the function that sets the groups in tokens to what the table implies. A pool that the stack creates has it as a
    /// trigger. With it the template has more than the 51,200 bytes that CloudFormation takes in a request: `aws
    /// cloudformation deploy` then needs `--s3-bucket`.
    #[arg(long)]
    pub(crate) tokens: bool,
    /// Write the form for `sam build` and `sam deploy`, which builds the functions from source. There
    /// parameters decide what the stack creates.
    #[arg(long, conflicts_with_all = ["create", "consumer", "archive", "alarm_topic", "dashboard"])]
    pub(crate) sam: bool,
    /// The file to write [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the file. What it has is taken as what is deployed: the new template is the next step from there.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// The template that is deployed, if it is not the file to overwrite.
    #[arg(long, value_name = "FILE", requires = "out")]
    pub(crate) against: Option<PathBuf>,
    /// Nothing is deployed: write the template of a new stack.
    #[arg(long, requires = "out", conflicts_with = "against")]
    pub(crate) fresh: bool,
}

/// What a stack creates if it does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewResource {
    /// The table that the model describes.
    Table,
    /// The user pool.
    Pool,
    /// The event bus.
    Bus,
}

/// The kind of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GuardedApi {
    /// An HTTP API.
    Http,
    /// A REST API.
    Rest,
}

/// Copy the functions of a release to a bucket, from which the stack takes them
///
/// The model of a file is copied with them. Lambda takes code only from a bucket in its own region. Needs
/// `s3:PutObject` on the bucket.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 all copied; 2 wrong usage, a file that is missing, or a copy that failed")]
pub(crate) struct FunctionsArgs {
    #[command(flatten)]
    pub(crate) of: OfModel,
    /// The unpacked archive of the functions, such as functions-0.1.0-arm64.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The bucket, which is the stack's parameter CodeBucket.
    #[arg(long, value_name = "NAME", value_parser = names::bucket)]
    pub(crate) bucket: String,
    /// What the names of the objects begin with, up to a `/`: the stack's parameter CodePrefix.
    #[arg(long, value_name = "PREFIX/", default_value = "", value_parser = prefix)]
    pub(crate) prefix: String,
    /// The endpoint of S3 [default: AWS, with credentials and region from the environment or profile].
    #[arg(long, value_name = "URL", value_parser = names::url)]
    pub(crate) endpoint: Option<String>,
}

/// The model of a part of a deployment.
#[derive(Debug, Args)]
pub(crate) struct OfModel {
    /// A model file, or a shipped model's name.
    #[arg(value_name = "MODEL.toml|NAME")]
    pub(crate) model: String,
}

/// As the template's parameter `CodePrefix`.
fn prefix(text: &str) -> Result<String, String> {
    if text.is_empty() || text.len() > 1 && text.ends_with('/') {
        return Ok(text.to_owned());
    }
    Err("a prefix ends with `/`".to_owned())
}

/// As a rule of EventBridge takes it, which checks the rest.
fn schedule(text: &str) -> Result<String, String> {
    let is_one = ["rate(", "cron("].iter().any(|kind| text.starts_with(kind)) && text.ends_with(')');
    let is_plain = !text.chars().any(|character| matches!(character, '"' | '\\' | '$') || character.is_control());
    if is_one && is_plain {
        return Ok(text.to_owned());
    }
    Err("a schedule is `rate(1 day)`, or `cron(0 4 * * ? *)`: minutes, hours, day of month, month, day of week, year"
        .to_owned())
}
