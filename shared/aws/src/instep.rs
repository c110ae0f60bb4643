//! Instep on one table: the SDK clients, the settings, and the options of one run.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aws_types::SdkConfig;
use instep_flow::table_id::TableId;
use instep_model::Model;
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::cognito::Cognito;
use crate::pace::Pace;
use crate::publish::Bus;
use crate::queue::{NotSent, Queue, Sending};
use crate::table::Table;

/// The SDK clients. Production, local and simulated runs differ only in the HTTP client of the
/// configuration.
#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) cognito: aws_sdk_cognitoidentityprovider::Client,
    pub(crate) events: aws_sdk_eventbridge::Client,
    lazy: LazyClients,
}

/// The clients that not every process needs, each created for its first call.
#[derive(Debug, Clone)]
pub(crate) struct LazyClients(Arc<Others>);

#[derive(Debug)]
struct Others {
    config: SdkConfig,
    sqs: OnceLock<aws_sdk_sqs::Client>,
    s3: OnceLock<aws_sdk_s3::Client>,
    streams: OnceLock<aws_sdk_dynamodbstreams::Client>,
}

impl Clients {
    /// Creates the clients from one configuration. It should disable the SDK's retries
    /// (`RetryConfig::disabled()`), because the SDK treats Cognito's hard quotas as throttling.
    #[must_use]
    pub fn new(config: &SdkConfig) -> Self {
        Self {
            dynamodb: aws_sdk_dynamodb::Client::new(config),
            cognito: aws_sdk_cognitoidentityprovider::Client::new(config),
            events: aws_sdk_eventbridge::Client::new(config),
            lazy: LazyClients(Arc::new(Others {
                config: config.clone(),
                sqs: OnceLock::new(),
                s3: OnceLock::new(),
                streams: OnceLock::new(),
            })),
        }
    }
}

impl Clients {
    /// The client of DynamoDB.
    #[must_use]
    pub const fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        &self.dynamodb
    }

    /// The client of Cognito's user pools.
    #[must_use]
    pub const fn cognito(&self) -> &aws_sdk_cognitoidentityprovider::Client {
        &self.cognito
    }

    /// The client of EventBridge.
    #[must_use]
    pub const fn events(&self) -> &aws_sdk_eventbridge::Client {
        &self.events
    }

    /// The client of SQS.
    #[must_use]
    pub fn sqs(&self) -> &aws_sdk_sqs::Client {
        self.lazy.sqs()
    }

    /// The client of S3.
    #[must_use]
    pub fn s3(&self) -> &aws_sdk_s3::Client {
        self.lazy.s3()
    }

    /// The client of DynamoDB's streams.
    pub(crate) fn streams(&self) -> &aws_sdk_dynamodbstreams::Client {
        let Others { config, streams, .. } = &*self.lazy.0;
        streams.get_or_init(|| aws_sdk_dynamodbstreams::Client::new(config))
    }
}

impl LazyClients {
    pub(crate) fn sqs(&self) -> &aws_sdk_sqs::Client {
        self.0.sqs.get_or_init(|| aws_sdk_sqs::Client::new(&self.0.config))
    }

    pub(crate) fn s3(&self) -> &aws_sdk_s3::Client {
        self.0.s3.get_or_init(|| s3(&self.0.config))
    }
}

/// An endpoint that stands in for AWS has no host name for each bucket, so bucket names are in the
/// path.
fn s3(config: &SdkConfig) -> aws_sdk_s3::Client {
    let path_style = config.endpoint_url().is_some();
    aws_sdk_s3::Client::from_conf(aws_sdk_s3::config::Builder::from(config).force_path_style(path_style).build())
}

/// Where parked records and messages are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parking {
    /// The SQS queue's URL.
    pub queue_url: String,
    /// The S3 bucket for records and work messages that do not fit a queue.
    pub bucket: String,
}

/// The resources that Instep reconciles.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The table's name.
    pub table: String,
    /// The table that records must come from, by its name or its ARN. `None` accepts records of any table. It
    /// differs from [`Settings::table`] if captures of one table are replayed against another.
    pub records_of: Option<String>,
    /// The table's ARN, if it is known: which account and region [`Settings::table`] is in.
    pub table_arn: Option<String>,
    /// The Cognito user pool's id. Without it, Instep makes no calls to Cognito.
    pub user_pool: Option<String>,
    /// The event bus's name.
    pub bus: String,
    /// The URL of the work queue.
    pub work_queue: String,
    /// Time between two calls of this process to Cognito. `None` does not limit them.
    pub cognito_interval: Option<Duration>,
    /// The time after which an index has caught up with the table. What depends on an index is then
    /// read again.
    pub index_lag: Duration,
    /// Where parked records are sent. `None` only reports them.
    pub parking: Option<Parking>,
}

impl Settings {
    /// Whether this name or ARN is that of the deployment's own table. A name is, if it is equal. An ARN is, if it is
    /// known to be the same: a table of this name may be in another account or region.
    pub(crate) fn is_own(&self, table: &str) -> bool {
        let own = self.table_arn.as_deref().and_then(TableId::parse);
        match TableId::parse(table) {
            Some(table) if table.is_arn() => own.is_some_and(|own| own == table),
            Some(table) => table.name() == self.table,
            None => false,
        }
    }
}

/// The options of one run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The present time.
    pub now: Timestamp,
    /// Whether events are published.
    pub publish: bool,
    /// Whether the run only reports what it would do. It then changes nothing and publishes no
    /// events.
    pub dry_run: bool,
    /// When effects, parking and events must be complete.
    pub deadline: Option<Instant>,
    /// The X-Ray trace header of the invocation, which is passed on with events.
    pub trace: Option<String>,
}

impl RunOptions {
    /// The same run, so much later. A run may take so long that windows open and close.
    pub(crate) fn later(&self, passed: Duration) -> Self {
        Self { now: self.now.saturating_add(passed).unwrap_or(self.now), ..self.clone() }
    }

    /// The time that has passed since a moment. It passes only in invocations, which have a deadline: the
    /// clock of a replay stands still during a run.
    pub(crate) fn passed_since(&self, moment: Instant) -> Duration {
        if self.deadline.is_some() { moment.elapsed() } else { Duration::ZERO }
    }
}

/// Instep on one table.
#[derive(Debug, Clone)]
pub struct Instep {
    pub(crate) model: Arc<Model>,
    pub(crate) clients: Clients,
    pub(crate) settings: Arc<Settings>,
    pub(crate) cognito: Cognito,
    pub(crate) table: Table,
    pub(crate) queue: Queue,
    pub(crate) bus: Bus,
    /// Where sweeps keep what they read, if not in the bucket of [`Settings::parking`].
    sweeps: Option<(aws_sdk_s3::Client, String)>,
}

impl Instep {
    /// Instep for a table that `model` describes.
    #[must_use]
    pub fn new(model: Arc<Model>, clients: Clients, settings: Settings) -> Self {
        let settings = Arc::new(settings);
        let pace = Arc::new(Pace::new(settings.cognito_interval));
        let pool = settings.user_pool.clone();
        let cognito = Cognito { client: clients.cognito.clone(), pool, model: Arc::clone(&model), pace };
        let table = Table::new(clients.dynamodb.clone(), settings.table.clone(), Arc::clone(&model));
        let lazy = clients.lazy.clone();
        let queue = Queue { clients: lazy, settings: Arc::clone(&settings), model: Arc::clone(&model) };
        let bus = Bus { client: clients.events.clone() };
        Self { model, clients, settings, cognito, table, queue, bus, sweeps: None }
    }

    /// Sends records to the work queue. Returns how many were sent.
    ///
    /// # Errors
    /// Some were not sent.
    pub async fn send_records(
        &self,
        records: &[Box<RawValue>],
        sending: Sending,
        run: &RunOptions,
    ) -> Result<usize, NotSent> {
        self.queue.send_records(records, sending, run).await
    }

    /// The same, with another S3 and bucket for what sweeps keep while they read.
    #[must_use]
    pub fn with_sweeps_in(self, config: &SdkConfig, bucket: &str) -> Self {
        Self { sweeps: Some((s3(config), bucket.to_owned())), ..self }
    }

    /// Where sweeps keep what they read.
    pub(crate) fn sweeps(&self) -> Option<(&aws_sdk_s3::Client, &str)> {
        match &self.sweeps {
            Some((client, bucket)) => Some((client, bucket)),
            None => self.settings.parking.as_ref().map(|parking| (self.clients.s3(), parking.bucket.as_str())),
        }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The SDK clients.
    #[must_use]
    pub const fn clients(&self) -> &Clients {
        &self.clients
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
