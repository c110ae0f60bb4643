//! The stack: an engine for the table, a user pool, a bus, and the SDK configuration for them.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::behavior_version::BehaviorVersion;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::retry::RetryConfig;
use aws_types::SdkConfig;
use aws_types::region::Region;
use instep_aws::calls::Calls;
use instep_aws::{DELETIONS_PER_HOUR, Settings};
use instep_model::{Item, Model};

use crate::clock::Clock;
use crate::cognito::{GroupState, PoolOptions, UserState};
use crate::dir::Dir;
use crate::engine::{Engine, NotWritten};
use crate::error::LocalError;
use crate::faults::Faults;
use crate::ident::{ACCOUNT, REGION};
use crate::pump::{Pump, PumpOptions, StreamSource};
use crate::queue_pump::{QueuePump, QueuePumpOptions};
use crate::router::Router;
use crate::services::{Services, USER_POOL, WORK_DEAD_LETTERS, WORK_QUEUE};
use crate::table;

/// The options of a stack.
#[derive(Debug, Clone)]
pub struct StackOptions {
    /// The directory that persists it. In memory if there is none.
    pub dir: Option<PathBuf>,
    /// The table's name.
    pub table: String,
    /// The clock.
    pub clock: Clock,
}

/// An embedded stand-in for the services around one table. Runs until it is closed or dropped.
#[derive(Debug)]
pub struct Stack {
    table: String,
    table_arn: String,
    stream_arn: String,
    keys: (String, String),
    clock: Clock,
    calls: Calls,
    faults: Faults,
    services: Arc<Services>,
    config: SdkConfig,
    own_config: SdkConfig,
    engine: Engine,
    source: Arc<StreamSource>,
}

/// The state of the table and of Cognito.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldState {
    /// Every item of the table, sorted by key.
    pub items: Vec<Item>,
    /// Every Cognito group, sorted.
    pub groups: Vec<GroupState>,
    /// Every Cognito user, sorted.
    pub users: Vec<UserState>,
}

/// A stack is its services and a table: what the services have is asked of the stack.
impl Deref for Stack {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
    }
}

impl Stack {
    /// Opens a stack for a table that `model` describes, with a user pool as the deployment's template
    /// makes it. It must be called within a Tokio runtime, which then serves the stack.
    ///
    /// # Errors
    /// The table cannot have this name; or the directory is in use, is not Instep's, was created for another model
    /// or table, or is damaged; or its table differs from the model's.
    pub async fn open(model: &Model, options: StackOptions) -> Result<Self, LocalError> {
        Self::open_with_pool(model, options, PoolOptions::of(model)).await
    }

    /// As [`Stack::open`], with options for a new user pool. An existing directory keeps its pool.
    ///
    /// # Errors
    /// As [`Stack::open`].
    pub async fn open_with_pool(model: &Model, options: StackOptions, pool: PoolOptions) -> Result<Self, LocalError> {
        Self::opened(model, options, pool, true).await
    }

    /// As [`Stack::open`], of a table that may have other indexes than the model's: those of the model before it.
    ///
    /// # Errors
    /// As [`Stack::open`].
    pub async fn open_of_any_indexes(model: &Model, options: StackOptions) -> Result<Self, LocalError> {
        Self::opened(model, options, PoolOptions::of(model), false).await
    }

    /// As [`Stack::open`], for a run that deploys the model: an existing table and pool [follow](Stack::follow) it.
    ///
    /// # Errors
    /// As [`Stack::open`] and [`Stack::follow`].
    pub async fn deploy(model: &Model, options: StackOptions) -> Result<Self, LocalError> {
        let stack = Self::open_of_any_indexes(model, options).await?;
        stack.follow(model).await?;
        Ok(stack)
    }

    async fn opened(
        model: &Model,
        options: StackOptions,
        pool: PoolOptions,
        has_its_indexes: bool,
    ) -> Result<Self, LocalError> {
        let StackOptions { dir, table, clock } = options;
        // It comes from an option or from a capture's ARN.
        if !table::is_table_name(&table) {
            return Err(LocalError::TableName(table));
        }
        let dir = dir.map(|path| Dir::open(&path, &model.name, &table)).transpose()?.map(Arc::new);
        let services = Arc::new(Services::open(dir.as_deref(), pool, &clock)?);
        let engine = Engine::start(dir.as_deref(), &clock).await?;
        let (calls, faults) = (Calls::default(), Faults::default());
        let router = |faults: &Faults| {
            SharedHttpClient::new(Router {
                services: Arc::clone(&services),
                faults: faults.clone(),
                http: engine.http.clone(),
            })
        };
        let config = sdk_config(&engine.url, calls.wrap(router(&faults)));
        let own_config = sdk_config(&engine.url, router(&Faults::default()));
        let client = aws_sdk_dynamodb::Client::new(&own_config);
        table::ensure(&client, &table, model, has_its_indexes).await?;
        let table_arn = format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}");
        let stream_arn = format!("{table_arn}/stream/{}", stream_label(&client, &table).await?);
        let keys = (model.table.pk.clone(), model.table.sk.clone());
        let source =
            Arc::new(StreamSource::open(engine.database.clone(), &stream_arn, keys.clone(), clock.clone(), dir)?);
        Ok(Self {
            table,
            table_arn,
            stream_arn,
            keys,
            clock,
            calls,
            faults,
            services,
            config,
            own_config,
            engine,
            source,
        })
    }

    /// The SDK configuration for the code under test. Its calls are counted, and fail as
    /// [`Stack::faults`] says. The SDK does not retry: the caller does.
    #[must_use]
    pub fn sdk_config(&self) -> SdkConfig {
        self.config.clone()
    }

    /// An SDK configuration for tests and writers. Its calls are not counted, and never fail by
    /// [`Stack::faults`].
    #[must_use]
    pub fn uncounted_config(&self) -> SdkConfig {
        self.own_config.clone()
    }

    /// Puts an item, as a writer would whose calls are not counted. There is no request: it would cost
    /// more than the write.
    ///
    /// # Errors
    /// The table refuses the item, or fails.
    pub fn put(&self, item: &Item) -> Result<(), NotWritten> {
        self.engine.put(&self.table, item)
    }

    /// Puts items into a new table, without records in its stream: they were there before.
    ///
    /// # Errors
    /// The engine failed.
    pub fn import(&self, items: &[Item]) -> Result<(), LocalError> {
        self.engine.import(&self.table, items)
    }

    /// The table's name.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The table's ARN.
    #[must_use]
    pub fn table_arn(&self) -> &str {
        &self.table_arn
    }

    /// The ARN of the table's stream.
    #[must_use]
    pub fn stream_arn(&self) -> &str {
        &self.stream_arn
    }

    /// The user pool's id.
    #[must_use]
    pub fn user_pool(&self) -> &str {
        USER_POOL
    }

    /// The event bus's name.
    #[must_use]
    pub fn bus(&self) -> &str {
        self.services.bus.name()
    }

    /// The URL of the work queue.
    #[must_use]
    pub fn work_queue(&self) -> &str {
        WORK_QUEUE
    }

    /// The URL of the work queue's dead-letter queue.
    #[must_use]
    pub fn work_dead_letters(&self) -> &str {
        WORK_DEAD_LETTERS
    }

    /// The settings of Instep on this stack. Its indexes have no lag, and its Cognito has no quota.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            table: self.table.clone(),
            records_of: None,
            table_arn: None,
            user_pool: Some(USER_POOL.to_owned()),
            bus: self.bus().to_owned(),
            work_queue: WORK_QUEUE.to_owned(),
            cognito_interval: None,
            deletions_per_hour: DELETIONS_PER_HOUR,
            index_lag: Duration::ZERO,
            parking: None,
        }
    }

    /// The stack's clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The counts of the calls with [`Stack::sdk_config`].
    #[must_use]
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The faults of calls with [`Stack::sdk_config`].
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// A pump that delivers the table's stream. The pumps of one stack share a checkpoint.
    ///
    /// # Errors
    /// An option is outside of Lambda's limits.
    pub fn pump(&self, options: PumpOptions) -> Result<Pump, LocalError> {
        Pump::new(Arc::clone(&self.source), options)
    }

    /// A pump that delivers the messages of a queue.
    ///
    /// # Errors
    /// The queue does not exist, or an option is outside of Lambda's limits.
    pub fn queue_pump(&self, url: &str, options: QueuePumpOptions) -> Result<QueuePump, LocalError> {
        QueuePump::new(Arc::clone(&self.services), url, options)
    }

    /// Deletes the items whose TTL has expired, and returns their number. In memory, the stack's
    /// clock decides; with a directory, the machine's.
    ///
    /// # Errors
    /// The engine failed.
    pub fn sweep_ttl(&self) -> Result<usize, LocalError> {
        self.engine.database.sweep_ttl().map_err(LocalError::engine("remove items past their TTL"))
    }

    /// The present state of the table and of Cognito.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn state(&self) -> Result<WorldState, LocalError> {
        let client = aws_sdk_dynamodb::Client::new(&self.own_config);
        let items = table::items(&client, &self.table, (&self.keys.0, &self.keys.1)).await?;
        let (groups, users) = self.services.pool();
        Ok(WorldState { items, groups, users })
    }

    /// Changes the indexes of the table and the attributes of the user pool to those of another model, as a deployment
    /// would. Items, users and events stay.
    ///
    /// # Errors
    /// The models differ in what cannot change: in the key of the table or in its TTL attribute. Or the stack fails.
    pub async fn follow(&self, model: &Model) -> Result<(), LocalError> {
        table::follow(&aws_sdk_dynamodb::Client::new(&self.own_config), &self.table, model).await?;
        self.services.cognito.declare(PoolOptions::of(model).custom);
        Ok(())
    }

    pub(crate) fn services(&self) -> Arc<Services> {
        Arc::clone(&self.services)
    }

    pub(crate) fn engine_url(&self) -> &str {
        &self.engine.url
    }

    /// Stops the stack when the running calls have ended.
    pub async fn close(self) {
        let Self { engine, config, own_config, source, .. } = self;
        // The clients of the configurations have connections that are kept alive.
        drop((config, own_config, source));
        engine.stop().await;
    }
}

/// A configuration whose calls use `http` and reach no address of AWS. The SDK does not retry: the
/// caller does.
#[must_use]
pub fn sdk_config(url: &str, http: SharedHttpClient) -> SdkConfig {
    // The engine requires a signature, but does not check it.
    let credentials = Credentials::from_keys("instep", "instep", None);
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static(REGION))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url(url)
        .retry_config(RetryConfig::disabled())
        .http_client(http)
        .build()
}

/// The stream's label.
async fn stream_label(client: &aws_sdk_dynamodb::Client, table: &str) -> Result<String, LocalError> {
    let answer = client.describe_table().table_name(table).send().await;
    let description = answer.map_err(LocalError::sdk("describe the table"))?.table;
    Ok(description.and_then(|table| table.latest_stream_label).unwrap_or_default())
}

#[cfg(test)]
impl Stack {
    /// A call to Cognito without the SDK, for tests that make many calls.
    pub(crate) fn in_process(&self, operation: &str, body: &str) -> crate::wire::OperationResult {
        self.services.cognito.call(operation, body.as_bytes(), self.clock.now_ms())
    }
}
