//! The command line of `instep capture`.

use std::path::PathBuf;

use clap::Args;

use crate::names;

/// Write a table's stream, without loss, to a file for `replay`
///
/// Records have the form in which Lambda receives them, and each value is unchanged.
#[derive(Debug, Args)]
pub(crate) struct CaptureArgs {
    #[command(flatten)]
    pub(crate) from: CaptureSource,
    /// The table's name (or INSTEP_TABLE, with `--aws` and `--endpoint`) [default with `--data`: the
    /// directory's table; with `--writes`: the model's name].
    #[arg(long, value_name = "NAME", value_parser = names::table)]
    pub(crate) table: Option<String>,
    /// The table model for `--writes` and `--data`: the name of a shipped model, or a file [default
    /// with `--data`: the directory's, if it is a shipped one].
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
    /// Replace the values of these attributes wherever they occur, and all email addresses.
    ///
    /// A keyed hash gives the same value the same replacement, with one key in every file: an address becomes
    /// `u-<12 hex>@redacted.example`, digits become other digits, other text becomes
    /// `redacted-<12 hex>`. Keys still agree with attributes. Values are also found percent-encoded
    /// and in upper or lower case; those under four characters only where they are a whole text, or
    /// a whole part between separators such as `#`, `|`, `:` and `/`. Other spellings of a value,
    /// names of attributes that are no address, and binary values of other attributes stay. Sizes
    /// and times of records do not change.
    #[arg(long, value_name = "ATTRIBUTES", value_delimiter = ',')]
    pub(crate) redact: Vec<String>,
    /// The key of the hash (or INSTEP_REDACT_KEY) [default: a new random one, which is printed to
    /// standard error and kept nowhere]. Without the key, hashing likely values does not reveal an
    /// original.
    #[arg(long, value_name = "KEY", requires = "redact")]
    pub(crate) redact_key: Option<String>,
    #[command(flatten)]
    pub(crate) environment: CaptureEnvironment,
}

/// What the environment may give. Unlike options, these may be set where they have no effect.
#[derive(Debug, Args)]
pub(crate) struct CaptureEnvironment {
    #[arg(id = "environment-table", long = "environment-table", env = "INSTEP_TABLE", hide = true)]
    pub(crate) table: Option<String>,
    #[arg(
        id = "environment-redact-key",
        long = "environment-redact-key",
        env = "INSTEP_REDACT_KEY",
        hide = true,
        hide_env_values = true
    )]
    pub(crate) redact_key: Option<String>,
}

/// The source of the records: exactly one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct CaptureSource {
    /// The stream of a kept embedded stack.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// A DynamoDB Streams endpoint, such as DynamoDB Local.
    #[arg(long, value_name = "URL", value_parser = names::url)]
    pub(crate) endpoint: Option<String>,
    /// AWS, with credentials and region from the environment or profile.
    #[arg(long)]
    pub(crate) aws: bool,
    /// A file of writes, made on a fresh embedded table without Instep.
    ///
    /// A JSON array of steps with `at` (RFC 3339), `note`, `before` (true: not captured), and one
    /// of `put` (an item), `update` ({"key", "set", "remove"}), `delete` (a key), `ttl` (the key of
    /// an item whose time is over) and `transact` (an array of such). Values are plain JSON; {"$n":
    /// "…"}, {"$b": base64}, {"$ss": […]}, {"$ns": […]}, {"$bs": […]} for the rest.
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(crate) writes: Option<PathBuf>,
}
