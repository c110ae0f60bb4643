//! The services that are answered in this process, and their requests.

use std::time::Duration;

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;

use crate::clock::Clock;
use crate::cognito::{GroupState, LocalCognito, Pool, PoolOptions, SUB, SignIn, SignUpWatcher, UserState};
use crate::dir::{Dir, LineFile};
use crate::error::LocalError;
use crate::eventbridge::{EventBus, EventWatcher, PublishedEntry};
use crate::faults::Fault;
use crate::ident::{self, ACCOUNT, REGION};
use crate::s3::{self, Buckets};
use crate::sqs::{QueueCounts, QueueOptions, QueuedMessage, Queues};
use crate::wire::{self, COGNITO, DYNAMODB, DYNAMODB_STREAMS, EVENT_BRIDGE, ErrorResponse, SQS, respond};
use crate::{constraints, operands};

/// The user pool's id. Cognito's ids are the region and nine letters or digits.
pub const USER_POOL: &str = "us-east-1_instep000";
/// The `sub` of the first user that is created under a name in lower case.
#[must_use]
pub fn first_sub(name: &str) -> String {
    ident::uuid(&[SUB, USER_POOL, name])
}

/// The event bus's name.
pub const BUS: &str = "instep";
/// The URL of the work queue.
pub const WORK_QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
/// The URL of the work queue's dead-letter queue.
pub const WORK_DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/work-dead-letters";

/// The number of receives after which a work message is moved to the dead-letter queue, as in
/// `template.yaml`.
const WORK_RECEIVES_MAX: u32 = 30;

/// The timeout of the work function, as in `template.yaml`.
pub(crate) const FUNCTION_TIMEOUT: Duration = Duration::from_secs(120);

/// The visibility timeout of a queue, in timeouts of its function. Source: AWS Lambda Developer
/// Guide, "Configuring a queue to use with Lambda".
const VISIBILITY_PER_TIMEOUT: u32 = 6;

/// The services that are answered in process: all but DynamoDB.
#[derive(Debug)]
pub struct Services {
    pub(crate) cognito: LocalCognito,
    pub(crate) bus: EventBus,
    pub(crate) queues: Queues,
    pub(crate) buckets: Buckets,
    pub(crate) clock: Clock,
}

/// The operation of a request.
#[must_use]
pub fn operation(request: &HttpRequest) -> String {
    match wire::operation(request) {
        "" => Buckets::operation(request).to_owned(),
        operation => operation.to_owned(),
    }
}

/// The response of a service that refuses a request.
///
/// # Errors
/// Only errors of the client itself.
pub fn refuse(request: &HttpRequest, status: u16, code: &str) -> Result<HttpResponse, ConnectorError> {
    if request.headers().get("x-amz-target").is_none() {
        return s3::refuse(status, code);
    }
    let message = "a fault, as the test asked for".to_owned();
    respond(Err(ErrorResponse { status, code: code.to_owned(), message }))
}

impl Services {
    /// Services in memory: an empty pool for `model`, a bus, the work queue with its dead-letter queue, and no
    /// bucket.
    ///
    /// # Errors
    /// In memory, none.
    pub fn in_memory(pool: PoolOptions, clock: &Clock) -> Result<Self, LocalError> {
        Self::open(None, pool, clock)
    }

    /// Services that `dir` persists, or in memory: an empty pool, a bus, the work queue with its dead-letter queue, and no
    /// bucket.
    pub(crate) fn open(dir: Option<&Dir>, pool: PoolOptions, clock: &Clock) -> Result<Self, LocalError> {
        let pool = Pool::new(USER_POOL, &format!("arn:aws:cognito-idp:{REGION}:{ACCOUNT}:"), pool);
        let (cognito, events, queues) = match dir {
            Some(dir) => {
                let events = LineFile::open(&dir.events())?;
                (LocalCognito::open(pool, &dir.cognito())?, Some(events), Queues::open(&dir.queues())?)
            }
            None => (LocalCognito::in_memory(pool), None, Queues::default()),
        };
        queues.make(WORK_DEAD_LETTERS, QueueOptions::default());
        let dead_letters = Some((WORK_RECEIVES_MAX, WORK_DEAD_LETTERS.to_owned()));
        let visibility_timeout = FUNCTION_TIMEOUT * VISIBILITY_PER_TIMEOUT;
        queues.make(WORK_QUEUE, QueueOptions { dead_letters, visibility_timeout, ..QueueOptions::default() });
        let bus = EventBus::new(BUS, &format!("arn:aws:events:{REGION}:{ACCOUNT}:"), events)?;
        Ok(Self { cognito, bus, queues, buckets: Buckets::default(), clock: clock.clone() })
    }

    /// What the users of the pool sign in with.
    #[must_use]
    pub fn sign_in(&self) -> SignIn {
        self.cognito.read(|pool| pool.sign_in)
    }

    /// Groups and users of the pool, sorted.
    #[must_use]
    pub fn pool(&self) -> (Vec<GroupState>, Vec<UserState>) {
        self.cognito.read(|pool| (pool.group_states(), pool.user_states()))
    }

    /// The user of the pool that a name stands for.
    #[must_use]
    pub fn user(&self, name: &str) -> Option<UserState> {
        self.cognito.read(|pool| pool.user_state(name))
    }

    /// A group of the pool, if it exists.
    #[must_use]
    pub fn group(&self, group: &str) -> Option<GroupState> {
        self.cognito.read(|pool| pool.group_state(group))
    }

    /// Whether a user is a member of a group.
    #[must_use]
    pub fn is_member(&self, user: &str, group: &str) -> bool {
        self.cognito.read(|pool| pool.is_member(user, group))
    }

    /// The entries that were put on the bus, in order. With a directory, those of earlier runs come
    /// first.
    #[must_use]
    pub fn published(&self) -> Vec<PublishedEntry> {
        self.bus.published()
    }

    /// Tells `watcher` of each entry that a bus accepts. The first watcher stays.
    pub fn watch_events(&self, watcher: EventWatcher) {
        self.bus.watch(watcher);
    }

    /// Sets the pool's trigger PostConfirmation: it is told of each confirmed sign-up. The first one stays.
    pub fn watch_sign_ups(&self, watcher: SignUpWatcher) {
        self.cognito.watch(watcher);
    }

    /// Creates an SQS queue, or changes the options of an existing one. The work queue is there from
    /// the beginning.
    pub fn make_queue(&self, url: &str, options: QueueOptions) {
        self.queues.make(url, options);
    }

    /// The messages of a queue, oldest first, including hidden ones.
    #[must_use]
    pub fn messages(&self, url: &str) -> Vec<QueuedMessage> {
        self.with_messages(url, |messages| messages.cloned().collect())
    }

    /// Reads the messages of a queue, oldest first, including hidden ones.
    pub fn with_messages<T>(&self, url: &str, read: impl FnOnce(&mut dyn Iterator<Item = &QueuedMessage>) -> T) -> T {
        self.queues.with_messages(url, read)
    }

    /// The number of messages in a queue, by state.
    #[must_use]
    pub fn queue_counts(&self, url: &str) -> QueueCounts {
        self.queues.counts(url, self.clock.now_ms())
    }

    /// Creates an S3 bucket. Buckets are kept in memory only.
    pub fn make_bucket(&self, name: &str) {
        self.buckets.make(name);
    }

    /// Puts an object, as another writer would.
    pub fn put_object(&self, bucket: &str, key: &str, body: Vec<u8>) {
        self.buckets.put(bucket, key, body);
    }

    /// The objects of a bucket, sorted by key.
    #[must_use]
    pub fn objects(&self, bucket: &str) -> Vec<(String, Vec<u8>)> {
        self.buckets.objects(bucket)
    }

    /// The response to a request. `None` if it is for DynamoDB. Of a fault, only the part about
    /// entries applies.
    pub fn answer(&self, request: &HttpRequest, fault: Option<&Fault>) -> Option<Result<HttpResponse, ConnectorError>> {
        let Some(target) = request.headers().get("x-amz-target") else { return Some(self.buckets.call(request)) };
        let (service, operation) = target.split_once('.').unwrap_or((target, ""));
        let body = request.body().bytes().unwrap_or_default();
        let is_dynamodb = matches!(service, DYNAMODB | DYNAMODB_STREAMS);
        match constraints::check(service, operation, body) {
            // The engine may have operations of which nothing is known here.
            Err(refusal) if !(is_dynamodb && refusal.is_unknown_operation()) => return Some(respond(Err(refusal))),
            Err(_) | Ok(()) if is_dynamodb => return operands::check(body).err().map(|refusal| respond(Err(refusal))),
            Err(_) | Ok(()) => {}
        }
        Some(respond(match service {
            COGNITO => self.cognito.call(operation, body, self.clock.now_ms()),
            EVENT_BRIDGE => self.bus.call(operation, body, &self.clock, fault),
            SQS => self.queues.call(operation, body, self.clock.now_ms(), fault),
            _ => Err(ErrorResponse::unknown_operation(target)),
        }))
    }
}
