//! The options of `instep change`.

use clap::Args;
use jiff::Timestamp;

use super::{WorkspaceArgs, time};

/// Say how far the change to the deployed model is, or approve of it
///
/// A deployment of another model starts a change: what the new model implies is made, and what only an earlier one
/// implies is taken away. Without another option, this prints which model is deployed, and for what its change waits.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the change to the model is complete; 1 it goes on, or waits for a person, or another model is deployed; 2 wrong usage, or a table or pool that cannot be used"
)]
pub(crate) struct ChangeArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// Print what the table says. It is what happens without another option.
    #[arg(long, conflicts_with_all = ["text", "approve", "run"])]
    pub(crate) status: bool,
    /// Print the model of this hash, as the table keeps it: one file, with all that it extended.
    #[arg(long, value_name = "HASH", conflicts_with_all = ["approve", "run", "json"])]
    pub(crate) text: Option<String>,
    /// Approve of what the change removes, and of what earlier models have left: it goes on with its next round. HASH is
    /// that of the deployed model, so that nobody approves of another change.
    #[arg(long, value_name = "HASH")]
    pub(crate) approve: Option<String>,
    /// Do the change in this process, until it is complete or waits for a person. A deployment does that by itself.
    #[arg(long)]
    pub(crate) run: bool,
    /// With `--run`: the most memberships, users, groups and orphans to remove in a round. If more would have to go, it
    /// waits for `--approve`.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "run")]
    pub(crate) max_removals: u64,
    /// With `--run`: the seconds between the two reads of a difference [default: 60, with `--data` 0].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=3_600), requires = "run")]
    pub(crate) grace: Option<u32>,
    /// The present time, with `--data` (RFC 3339) [default: the machine's time].
    #[arg(long, value_name = "TIME", value_parser = time, requires = "data")]
    pub(crate) now: Option<Timestamp>,
}
