//! The stack: an engine for the table, a user pool, a bus, and the SDK configuration that leads to them.

use std::path::PathBuf;
use std::sync::Arc;

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::behavior_version::BehaviorVersion;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::retry::RetryConfig;
use aws_types::SdkConfig;
use aws_types::region::Region;
use instep_aws::calls::Calls;
use instep_model::{Item, Model};
use jiff::Timestamp;

use crate::clock::Clock;
use crate::cognito::{Cognito, GroupState, Pool, PoolOptions, UserState};
use crate::dir::{Dir, Lines};
use crate::engine::Engine;
use crate::error::LocalError;
use crate::eventbridge::{EventBus, Published};
use crate::faults::Faults;
use crate::pump::{Pump, PumpOptions, Source};
use crate::queue_pump::{FUNCTION_TIMEOUT, QueuePump, QueuePumpOptions, VISIBILITY_PER_TIMEOUT};
use crate::router::{Router, Services};
use crate::s3::Buckets;
use crate::sqs::{Message, QueueCounts, QueueOptions, Queues};
use crate::table;

/// The region that the stack says it is in.
pub const REGION: &str = "us-east-1";
/// The account that the stack says it is.
pub const ACCOUNT: &str = "000000000000";
/// The user pool. Cognito's ids are the region and nine letters or digits.
pub const USER_POOL: &str = "us-east-1_instep000";
/// The bus.
pub const BUS: &str = "instep";
/// The URL of the work queue.
pub const WORK_QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
/// The URL of the work queue's dead-letter queue.
pub const WORK_DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work-dead-letters";

/// Receives of a work message before it goes to the dead-letter queue, as in `template.yaml`.
const WORK_RECEIVES_MAX: u32 = 30;

/// How a stack is to be.
#[derive(Debug, Clone)]
pub struct StackOptions {
    /// Where it is kept; in memory where there is none.
    pub dir: Option<PathBuf>,
    /// The table's name.
    pub table: String,
    /// The time.
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
    source: Arc<Source>,
}

/// What the world of a stack looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldState {
    /// Every item of the table, sorted by key.
    pub items: Vec<Item>,
    /// Every Cognito group, sorted.
    pub groups: Vec<GroupState>,
    /// Every Cognito user, sorted.
    pub users: Vec<UserState>,
}

impl Stack {
    /// Opens a stack for a table that `model` describes. Has to be called within a Tokio runtime, which then serves it.
    ///
    /// # Errors
    ///
    /// When the directory is in use, not Instep's, made for another model or table, or damaged; when its table does
    /// not agree with the model.
    pub async fn open(model: &Model, options: StackOptions) -> Result<Self, LocalError> {
        Self::open_with_pool(model, options, PoolOptions::default()).await
    }

    /// As [`Stack::open`], with a user pool of one's own making. What is in a directory already keeps its pool.
    ///
    /// # Errors
    ///
    /// As [`Stack::open`].
    pub async fn open_with_pool(model: &Model, options: StackOptions, pool: PoolOptions) -> Result<Self, LocalError> {
        let StackOptions { dir, table, clock } = options;
        let dir = dir.map(|path| Dir::open(&path, &model.name, &table)).transpose()?.map(Arc::new);
        let services = Arc::new(services(dir.as_deref(), pool, &clock)?);
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
        table::ensure(&client, &table, model).await?;
        let table_arn = format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}");
        let stream_arn = format!("{table_arn}/stream/{}", stream_label(&client, &table).await?);
        let keys = (model.table.pk.clone(), model.table.sk.clone());
        let source = Arc::new(Source::open(&own_config, &stream_arn, keys.clone(), clock.clone(), dir)?);
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

    /// The configuration for the SDK's clients of the code that is run on the stack. Its calls are counted, and fail
    /// where [`Stack::faults`] says so. The SDK does not retry: who calls does.
    #[must_use]
    pub fn sdk_config(&self) -> SdkConfig {
        self.config.clone()
    }

    /// A configuration for calls beside the code that is run: neither counted nor failing. For who writes the table
    /// that the code is to react to, and for who looks at what came of it.
    #[must_use]
    pub fn uncounted_config(&self) -> SdkConfig {
        self.own_config.clone()
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

    /// The stack's clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The calls that were made with [`Stack::sdk_config`].
    #[must_use]
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// What is to go wrong with calls that are made with [`Stack::sdk_config`].
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The entries that were put on the bus, in order; with a directory, those of earlier runs first.
    #[must_use]
    pub fn published(&self) -> Vec<Published> {
        self.services.published()
    }

    /// Makes an SQS queue, or gives one that is there these options. The stack makes its work queue
    /// by itself.
    pub fn make_queue(&self, url: &str, options: QueueOptions) {
        self.services.make_queue(url, options);
    }

    /// The messages of a queue, oldest first, hidden ones too.
    #[must_use]
    pub fn messages(&self, url: &str) -> Vec<Message> {
        self.services.messages(url)
    }

    /// How many messages a queue holds now, by state.
    #[must_use]
    pub fn queue_counts(&self, url: &str) -> QueueCounts {
        self.services.queue_counts(url)
    }

    /// Makes an S3 bucket. Buckets are kept in memory only.
    pub fn make_bucket(&self, name: &str) {
        self.services.make_bucket(name);
    }

    /// Puts an object, as somebody else would.
    pub fn put_object(&self, bucket: &str, key: &str, body: Vec<u8>) {
        self.services.put_object(bucket, key, body);
    }

    /// The objects of a bucket, sorted by key.
    #[must_use]
    pub fn objects(&self, bucket: &str) -> Vec<(String, Vec<u8>)> {
        self.services.objects(bucket)
    }

    /// A pump that delivers the table's stream. Pumps of one stack share their place in the stream.
    ///
    /// # Errors
    ///
    /// When an option is outside of what Lambda allows.
    pub fn pump(&self, options: PumpOptions) -> Result<Pump, LocalError> {
        Pump::new(Arc::clone(&self.source), options)
    }

    /// A pump that delivers the messages of a queue.
    ///
    /// # Errors
    ///
    /// When the queue is not there, or an option is outside of what Lambda allows.
    pub fn queue_pump(&self, url: &str, options: QueuePumpOptions) -> Result<QueuePump, LocalError> {
        QueuePump::new(Arc::clone(&self.services), url, options)
    }

    /// Removes the items whose TTL is past, as DynamoDB does in its own time, and says how many. Which are past is
    /// judged by the stack's clock in memory, by the machine's with a directory.
    ///
    /// # Errors
    ///
    /// When the engine fails.
    pub fn sweep_ttl(&self) -> Result<usize, LocalError> {
        self.engine.database.sweep_ttl().map_err(LocalError::engine("remove items past their TTL"))
    }

    /// What the table and Cognito hold now.
    ///
    /// # Errors
    ///
    /// When the table cannot be read.
    pub async fn state(&self) -> Result<WorldState, LocalError> {
        let client = aws_sdk_dynamodb::Client::new(&self.own_config);
        let items = table::items(&client, &self.table, (&self.keys.0, &self.keys.1)).await?;
        let (groups, users) = self.services.pool();
        Ok(WorldState { items, groups, users })
    }

    /// Stops the stack when the calls that are under way have ended.
    pub async fn close(self) {
        let Self { engine, config, own_config, source, .. } = self;
        // Connections that are kept alive belong to the configurations' clients.
        drop((config, own_config, source));
        engine.stop().await;
    }
}

pub(crate) fn services(dir: Option<&Dir>, pool: PoolOptions, clock: &Clock) -> Result<Services, LocalError> {
    let pool = Pool::new(USER_POOL, &format!("arn:aws:cognito-idp:{REGION}:{ACCOUNT}:"), pool);
    let (cognito, events, queues) = match dir {
        Some(dir) => {
            let events = Lines::open(&dir.events())?;
            (Cognito::open(pool, &dir.cognito())?, Some(events), Queues::open(&dir.queues())?)
        }
        None => (Cognito::in_memory(pool), None, Queues::default()),
    };
    queues.make(WORK_DEAD_LETTERS, QueueOptions::default());
    let dead_letters = Some((WORK_RECEIVES_MAX, WORK_DEAD_LETTERS.to_owned()));
    let visibility_timeout = FUNCTION_TIMEOUT * VISIBILITY_PER_TIMEOUT;
    queues.make(WORK_QUEUE, QueueOptions { dead_letters, visibility_timeout, ..QueueOptions::default() });
    let bus = EventBus::new(BUS, &format!("arn:aws:events:{REGION}:{ACCOUNT}:"), events)?;
    Ok(Services { cognito, bus, queues, buckets: Buckets::default(), clock: clock.clone() })
}

/// A configuration whose calls go through `http`, to no address of AWS. The SDK does not retry: who calls does.
#[must_use]
pub fn sdk_config(url: &str, http: SharedHttpClient) -> SdkConfig {
    // Nobody checks them: the engine wants a signature, not the right one.
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

/// The stream's label as AWS writes it, from the engine's (epoch seconds with a fraction).
async fn stream_label(client: &aws_sdk_dynamodb::Client, table: &str) -> Result<String, LocalError> {
    let answer = client.describe_table().table_name(table).send().await;
    let description = answer.map_err(LocalError::sdk("describe the table"))?.table;
    let label = description.and_then(|table| table.latest_stream_label).unwrap_or_default();
    let (seconds, fraction) = label.split_once('.').unwrap_or((&label, "0"));
    let epoch_ms = seconds.parse().unwrap_or(0_i64).saturating_mul(1000)
        + fraction.get(..3).and_then(|ms| ms.parse::<i64>().ok()).unwrap_or(0);
    let time = Timestamp::from_millisecond(epoch_ms).unwrap_or_default();
    Ok(time.strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string())
}

#[cfg(test)]
impl Stack {
    /// A call of Cognito without the SDK, for tests that make very many.
    pub(crate) fn in_process(&self, operation: &str, body: &str) -> crate::wire::Answer {
        self.services.cognito.call(operation, body.as_bytes(), self.clock.now_ms())
    }
}
