//! Instep on services that are not embedded: AWS, or an endpoint that stands in for it.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use aws_credential_types::provider::ProvideCredentials as _;
use aws_types::SdkConfig;
use instep_aws::calls::Calls;
use instep_aws::{Clients, Instep, Parking, Settings, call, connect};
use instep_console::model_source;
use instep_doctor::{Doctor, Level};
use instep_flow::table_id::TableId;
use instep_model::Model;
use miette::miette;
use serde::Deserialize;

use crate::cli::{At, Deployment, Environment};
use crate::names;

/// The assumed lag of an index. It is usually a fraction of a second, but has no guaranteed limit.
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
    /// The target that `--endpoint` names. Without the option, AWS.
    pub(crate) fn of_endpoint(endpoint: Option<&'a str>) -> Self {
        endpoint.map_or(Self::Aws, Self::Endpoint)
    }

    /// The target that `--against` names. `None` for a directory.
    pub(crate) fn named(name: &'a str) -> Option<Self> {
        if name == "aws" {
            return Some(Self::Aws);
        }
        let is_url = ["http://", "https://"].iter().any(|scheme| name.starts_with(scheme));
        is_url.then_some(Self::Endpoint(name))
    }

    /// The configuration for its clients. Their calls are counted.
    pub(crate) async fn connect(self, calls: &Calls) -> SdkConfig {
        match self {
            Self::Aws => connect::aws(calls).await,
            Self::Endpoint(url) => connect::endpoint(url, calls).await,
        }
    }
}

/// The part of the settings that a [`Deployment`] does not have.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// The table that records must come from.
    pub(crate) records_of: Option<String>,
    pub(crate) parking: Option<Parking>,
    /// Work is sent to the work queue.
    pub(crate) needs_queue: bool,
    /// Neither the user pool nor the bus is used.
    pub(crate) only_table: bool,
    /// Items are read by their keys alone: a kept table may have the indexes of another model.
    pub(crate) any_indexes: bool,
    /// The bucket, if nothing is parked.
    pub(crate) bucket: Option<String>,
}

impl Needs {
    /// Only what the table says of the models that were deployed.
    pub(crate) fn history() -> Self {
        Self { only_table: true, any_indexes: true, ..Self::default() }
    }
}

/// Instep on a target.
pub(crate) struct Remote {
    pub(crate) instep: Instep,
    pub(crate) calls: Calls,
}

/// What an `instep dev` says of itself, so that no option has to.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Whereabouts {
    model: String,
    table: String,
    user_pool: String,
    bus: String,
    work_queue: String,
}

impl Target<'_> {
    /// `None` if it is no `instep dev`. That listens on the loopback interface only, so nothing else is asked.
    async fn whereabouts(self) -> Option<Whereabouts> {
        let Self::Endpoint(url) = self else { return None };
        let url = url.trim_end_matches('/');
        let host = url.strip_prefix("http://")?;
        let is_loopback = ["127.0.0.1:", "localhost:", "[::1]:"].iter().any(|loopback| host.starts_with(loopback));
        let body = if is_loopback { connect::get(&format!("{url}/.instep")).await? } else { return None };
        serde_json::from_slice(&body).ok()
    }
}

impl At {
    /// Takes what no option says from the endpoint, if that is an `instep dev`.
    pub(crate) async fn complete(&mut self) {
        self.deployment.complete(Target::of_endpoint(self.endpoint.as_deref())).await;
    }

    /// The services.
    pub(crate) fn target(&self) -> Target<'_> {
        Target::of_endpoint(self.endpoint.as_deref())
    }

    /// The model, which an option or the environment must name.
    pub(crate) fn model(&self) -> miette::Result<Arc<Model>> {
        Ok(Arc::new(model_source::needed(self.deployment.model(self.model.as_deref()))?.load()?))
    }
}

impl Deployment {
    /// As [`At::complete`]. What the environment names is another deployment.
    pub(crate) async fn complete(&mut self, target: Target<'_>) {
        let Some(Whereabouts { model, table, user_pool, bus, work_queue }) = target.whereabouts().await else { return };
        self.environment =
            Environment { model: Some(model), table: Some(table), user_pool: Some(user_pool), bus: Some(bus) };
        self.work_queue.get_or_insert(work_queue);
    }

    /// The model that is named, here or in the environment.
    pub(crate) fn model<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        named.or(self.environment.model.as_deref())
    }

    /// The table that is named, here or in the environment.
    pub(crate) fn table(&self) -> Option<&String> {
        self.table.as_ref().or(self.environment.table.as_ref())
    }

    /// Checks the names that the environment has and no option replaces. Options were checked when they were read.
    fn check_environment(&self) -> miette::Result<()> {
        type Read = fn(&str) -> Result<String, String>;
        let Environment { model: _, table, user_pool, bus } = &self.environment;
        let all: [(_, _, _, Read); 3] = [
            ("table", &self.table, table, names::table),
            ("user-pool", &self.user_pool, user_pool, names::user_pool),
            ("bus", &self.bus, bus, names::bus),
        ];
        for (option, _, name, read) in all.into_iter().filter(|(_, option, ..)| option.is_none()) {
            let read = name.as_deref().map(read).transpose();
            read.map_err(|why| miette!(help = format!("or set `--{option}`"), "{}: {why}", variable(option)))?;
        }
        Ok(())
    }

    fn settings(&self, model: &Model, target: Target<'_>, needs: Needs) -> miette::Result<Settings> {
        self.check_environment()?;
        let user_pool = self.user_pool.as_ref().or(self.environment.user_pool.as_ref()).cloned();
        let bus = self.bus.as_ref().or(self.environment.bus.as_ref()).cloned();
        let bus = bus.or(needs.only_table.then(String::new));
        let table = self.table().cloned();
        let needs_pool = model.uses_cognito() && user_pool.is_none() && !needs.only_table;
        let work_queue = self.work_queue.clone();
        let needs_queue = needs.needs_queue && work_queue.is_none();
        let missing = [
            (table.is_none(), "table"),
            (needs_pool, "user-pool"),
            (bus.is_none(), "bus"),
            (needs_queue, "work-queue"),
        ];
        let missing: Vec<String> = missing
            .iter()
            .filter(|(is_missing, _)| *is_missing)
            .map(|(_, option)| format!("`--{option}` (or {})", variable(option)))
            .collect();
        let (Some(table), Some(bus), true) = (table, bus, missing.is_empty()) else {
            return Err(miette!(
                help = "the outputs of the deployed stack have these values",
                "AWS or an endpoint needs {}",
                missing.join(", ")
            ));
        };
        let table_arn = TableId::named(&table).filter(TableId::is_arn).map(|arn| arn.to_string());
        Ok(Settings {
            table: names::name_of_table(&table),
            records_of: needs.records_of,
            table_arn,
            user_pool,
            bus,
            work_queue: work_queue.unwrap_or_default(),
            deletions_per_hour: self.max_user_deletions,
            cognito_interval: (target == Target::Aws).then(|| Duration::from_secs(1) / self.cognito_rate.max(1)),
            index_lag: INDEX_LAG,
            parking: needs.parking.or(needs.bucket.map(only_bucket)),
        })
    }
}

impl Remote {
    pub(crate) async fn open(
        model: &Arc<Model>,
        target: Target<'_>,
        at: &Deployment,
        needs: Needs,
    ) -> miette::Result<Self> {
        let settings = at.settings(model, target, needs)?;
        let calls = Calls::default();
        let config = config(target, &calls).await?;
        let remote = Self { instep: Instep::new(Arc::clone(model), Clients::new(&config), settings), calls };
        remote.check_table().await?;
        Ok(remote)
    }

    /// An ARN names one table. The calls have its name, so they must reach its account and region.
    async fn check_table(&self) -> miette::Result<()> {
        let settings = self.instep.settings();
        let Some(named) = settings.table_arn.as_deref().and_then(TableId::parse) else { return Ok(()) };
        let describe = || self.instep.clients().dynamodb().describe_table().table_name(&settings.table).send();
        let described = call(None, describe).await.map_err(|failure| {
            miette!(help = "`instep doctor` prints the details", "{} for `{named}`", failure.words("DescribeTable"))
        })?;
        let reached = described.table.and_then(|table| TableId::parse(&table.table_arn?));
        if reached.as_ref() == Some(&named) {
            return Ok(());
        }
        let reached = reached.map_or_else(|| "a table without an ARN".to_owned(), |reached| format!("`{reached}`"));
        Err(miette!(
            help = "set the region and the credentials of the table's account, or correct `--table`",
            "`{named}` is another table than the one that these credentials reach, {reached}"
        ))
    }

    /// As [`Remote::open`], but also checks that table, pool and bus exist and match the model, as
    /// each function does before it handles anything. PutEvents to a bus that does not exist
    /// returns no error.
    ///
    /// # Errors
    /// Also if one of these checks fails.
    pub(crate) async fn open_verified(
        model: &Arc<Model>,
        target: Target<'_>,
        at: &Deployment,
        needs: Needs,
    ) -> miette::Result<Self> {
        let remote = Self::open(model, target, at, needs).await?;
        let found = Doctor::of(&remote.instep).verify(None).await;
        let wrong: Vec<String> = found
            .into_iter()
            .filter(|finding| finding.level > Level::Note)
            .map(|finding| format!("{}: {}", finding.resource, finding.message))
            .collect();
        if wrong.is_empty() {
            return Ok(remote);
        }
        Err(miette!(help = "`instep doctor` prints the details and the fix", "{}", wrong.join("; ")))
    }
}

/// The configuration for clients of a target.
pub(crate) async fn config(target: Target<'_>, calls: &Calls) -> miette::Result<SdkConfig> {
    let config = target.connect(calls).await;
    reachable(&config).await?;
    Ok(config)
}

/// Checks that there are credentials and a region. Otherwise every call would fail without a clear
/// reason.
async fn reachable(config: &SdkConfig) -> miette::Result<()> {
    if config.region().is_none() {
        return Err(miette!(help = "set AWS_REGION, or choose a profile that has a region", "no AWS region is set"));
    }
    let credentials = match config.credentials_provider() {
        Some(provider) => provider.provide_credentials().await.map(drop),
        None => Ok(()),
    };
    credentials.map_err(|error| {
        let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        miette!(help = "sign in, or choose a profile with AWS_PROFILE", "there are no AWS credentials: {why}")
    })
}

/// A bucket, without a queue of parked records.
fn only_bucket(bucket: String) -> Parking {
    Parking { queue_url: String::new(), bucket }
}

/// The environment variable that an option is read from.
fn variable(option: &str) -> String {
    let unit = if option == "work-queue" { "_URL" } else { "" };
    format!("INSTEP_{}{unit}", option.replace('-', "_").to_uppercase())
}
