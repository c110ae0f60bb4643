//! The arguments of `read`.

use clap::Args;

use super::WorkspaceArgs;

/// Read the items of a named read of the model
///
/// The model has named reads under `[reads]`. Reads a page of 100 rows, and changes nothing. Reads of the table are strongly consistent, those of an index eventually. Secret
/// attributes are left out.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 read; 2 wrong usage, or a value that no key has; 3 the table cannot be read")]
pub(crate) struct ReadArgs {
    /// The name of the read. `instep check MODEL` lists them.
    #[arg(value_name = "NAME")]
    pub(crate) read: String,
    /// The values of its names; of a range, `NAME=FROM..TO`: both are included, and either may be left out.
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) names: Vec<String>,
    /// Begin at the cursor with which the page before ended.
    #[arg(long, value_name = "CURSOR")]
    pub(crate) from: Option<String>,
    /// Print what would be asked of DynamoDB, and read nothing.
    #[arg(long, conflicts_with = "from")]
    pub(crate) plan: bool,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
