//! Instep against services that are not embedded: AWS, or an endpoint that stands in for it.

use std::sync::Arc;
use std::time::Duration;

use instep_aws::access::uses_cognito;
use instep_aws::calls::Calls;
use instep_aws::handler::{Clients, Instep, Settings};
use instep_aws::{Parking, connect};
use instep_model::Model;
use miette::miette;

use crate::cli::Deployment;

/// Indexes lag behind their table for fractions of a second as a rule; nobody promises less than this.
const INDEX_LAG: Duration = Duration::from_secs(2);

/// Where the services are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'a> {
    /// AWS, with credentials and region from the environment or profile.
    Aws,
    /// One endpoint for all of them.
    Endpoint(&'a str),
}

impl<'a> Target<'a> {
    /// The target that `--against` names; none where it names a directory.
    pub(crate) fn named(name: &'a str) -> Option<Self> {
        if name == "aws" {
            return Some(Self::Aws);
        }
        let is_url = ["http://", "https://"].iter().any(|scheme| name.starts_with(scheme));
        is_url.then_some(Self::Endpoint(name))
    }
}

/// What Instep works on, beside what a [`Deployment`] says.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// The table that records must come from.
    pub(crate) records_of: Option<String>,
    pub(crate) parking: Option<Parking>,
}

/// Instep on a target.
pub(crate) struct Remote {
    pub(crate) instep: Instep,
    pub(crate) calls: Calls,
}

impl Remote {
    /// # Errors
    /// A name is missing.
    pub(crate) async fn open(
        model: &Arc<Model>,
        target: Target<'_>,
        at: &Deployment,
        scope: Scope,
    ) -> miette::Result<Self> {
        let needed = |value: &Option<String>, option: &str| {
            value.clone().ok_or_else(|| miette!("AWS or an endpoint needs `--{option}` (or {})", variable(option)))
        };
        let user_pool = match &at.user_pool {
            None if uses_cognito(model) => Some(needed(&None, "user-pool")?),
            given => given.clone(),
        };
        let settings = Settings {
            table: needed(&at.table, "table")?,
            records_of: scope.records_of,
            user_pool,
            bus: needed(&at.bus, "bus")?,
            cognito_interval: (target == Target::Aws).then(|| Duration::from_secs(1) / at.cognito_rate.max(1)),
            index_lag: INDEX_LAG,
            parking: scope.parking,
        };
        let calls = Calls::default();
        let config = match target {
            Target::Aws => connect::aws(&calls).await,
            Target::Endpoint(url) => connect::endpoint(url, &calls).await,
        };
        Ok(Self { instep: Instep::new(Arc::clone(model), Clients::new(&config), settings), calls })
    }
}

/// The environment variable that an option is read from.
fn variable(option: &str) -> String {
    format!("INSTEP_{}", option.replace('-', "_").to_uppercase())
}
