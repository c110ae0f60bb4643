//! The options of `instep plan`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use instep_flow::transition::TransitionKind;
use jiff::Timestamp;

use super::{Deployment, time};
use crate::names;

/// Say what a new model changes, and in which steps to deploy it
///
/// Compares what both models make of each item of a table, and of users, groups and memberships of its pool, with each
/// other and with what exists. Reads the whole table once, into memory, and changes nothing. Without a table it
/// compares the models alone.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 nothing is to be done but to deploy it; 1 it needs steps of people; 2 wrong usage, or a model, table or pool that cannot be read; 3 do not deploy it"
)]
pub(crate) struct PlanArgs {
    /// The new model: a file, or the name of a shipped one.
    #[arg(value_name = "MODEL.toml|NAME")]
    pub(crate) model: String,
    /// The model that is deployed now: a file, the name of a shipped one, or `deployed` for the one that the table says
    /// was deployed before MODEL [default: `deployed`, if a table is named].
    #[arg(long, value_name = "MODEL.toml|NAME|deployed")]
    pub(crate) against: Option<String>,
    /// A kept embedded stack.
    #[arg(long, value_name = "DIR", conflicts_with = "endpoint")]
    pub(crate) data: Option<PathBuf>,
    /// `aws`, or one endpoint for all services.
    ///
    /// On AWS, the scan costs half a read unit for each 4 KB. Users, groups and members are listed, 60 in a call.
    #[arg(long, value_name = "URL|aws", value_parser = names::aws_or_url)]
    pub(crate) endpoint: Option<String>,
    /// Read no users, groups and members, for a large pool: what OLD makes counts as what exists.
    #[arg(long)]
    pub(crate) no_pool: bool,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// The present time, with a table (RFC 3339) [default: the machine's time].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,
    /// Print all that was found of a kind, a line each, and nothing else. `--json` has the kinds.
    #[arg(long, value_name = "KIND", value_parser = kinds(), hide_possible_values = true, conflicts_with = "json")]
    pub(crate) items: Option<String>,
    /// Print one JSON object, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(TransitionKind::ALL.map(|kind| kind.row().word))
}
