//! The options of `instep change`.

use clap::Args;

use super::WorkspaceArgs;

/// Say which model is deployed, and what of an earlier may be left
///
/// The table keeps the models that were deployed, until the change to the present one is complete. Without another
/// option, it prints what the table says, and changes nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the change to the deployed model is complete; 1 something of an earlier model may be left; 2 wrong usage, or a table that cannot be read"
)]
pub(crate) struct ChangeArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// Print what the table says. It is what happens without another option.
    #[arg(long, conflicts_with_all = ["text", "complete"])]
    pub(crate) status: bool,
    /// Print the model of this hash, as the table keeps it: one file, with all that it extended.
    #[arg(long, value_name = "HASH", conflicts_with_all = ["complete", "json"])]
    pub(crate) text: Option<String>,
    /// Say that the steps of `instep plan` are done: nothing of the models before the deployed one is left. HASH is that of
    /// the deployed one, so that a change to yet another model is not ended by mistake.
    #[arg(long, value_name = "HASH")]
    pub(crate) complete: Option<String>,
}
