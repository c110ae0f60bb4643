//! The arguments of `init`.

use std::path::PathBuf;

use clap::Args;

use crate::names;

const EXIT: &str = "Exit status: 0 a draft; 2 wrong usage, unreadable input, or a table that no model can describe";

/// Draft a table model from the items of a table
///
/// Reads captures, files of writes, the output of `aws dynamodb scan`, and the lines of an export to S3
/// in DynamoDB JSON; or it scans a table. It changes nothing there. The draft compiles: a line that
/// `check` would refuse is a comment with the reason. Read it line by line: comments say what was seen,
/// and `decide:` marks what the items cannot say. At its end is what a replay of the items with the
/// draft did: what was parked, and what it would delete or change. It contains no values of attributes.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct InitArgs {
    /// Files, folders (all .json, .jsonl and .ndjson files below, in path order), or `-` for standard
    /// input.
    #[arg(value_name = "PATH", required_unless_present = "scanned", conflicts_with = "scanned")]
    pub(crate) paths: Vec<PathBuf>,
    /// The output of `aws dynamodb describe-table` [default: the keys are told from the names of
    /// attributes].
    #[arg(long, value_name = "FILE", conflicts_with = "scanned")]
    pub(crate) schema: Option<PathBuf>,
    /// Read this table instead: DescribeTable, DescribeTimeToLive and Scan. Asks first.
    #[arg(id = "scanned", long = "table", value_name = "NAME", value_parser = names::table)]
    pub(crate) table: Option<String>,
    /// With `--table`: the endpoint of DynamoDB, such as that of `instep dev` [default: AWS, with
    /// credentials and region from the environment or profile].
    #[arg(long, value_name = "URL", value_parser = names::url, requires = "scanned")]
    pub(crate) endpoint: Option<String>,
    /// With `--table`: end the scan after so many partitions.
    #[arg(long, value_name = "N", requires = "scanned", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) sample: u32,
    /// With `--table`: read it without asking.
    #[arg(long, requires = "scanned")]
    pub(crate) yes: bool,
    /// The model's name [default: the table's name, or `mine`].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The file to write, which must not exist [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
