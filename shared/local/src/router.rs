//! The HTTP client of the SDK: passes DynamoDB's calls to the engine, answers those of the other services,
//! and injects faults.

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use instep_model::Model;

use crate::clock::Clock;
use crate::cognito::{Cognito, GroupState, PoolOptions, UserState};
use crate::error::LocalError;
use crate::eventbridge::{EventBus, EventWatcher, Published};
use crate::faults::{Fault, Faults};
use crate::s3::{self, Buckets};
use crate::sqs::{Message, QueueCounts, QueueOptions, Queues};
use crate::wire::{Refusal, respond};
use crate::{constraints, operands, stack, unprocessed};

pub(crate) const COGNITO: &str = "AWSCognitoIdentityProviderService";
pub(crate) const EVENT_BRIDGE: &str = "AWSEvents";
pub(crate) const SQS: &str = "AmazonSQS";
pub(crate) const DYNAMODB: &str = "DynamoDB_20120810";
pub(crate) const DYNAMODB_STREAMS: &str = "DynamoDBStreams_20120810";

/// Passes each call to its service.
#[derive(Debug, Clone)]
pub(crate) struct Router {
    pub(crate) services: Arc<Services>,
    pub(crate) faults: Faults,
    /// The engine's client.
    pub(crate) http: SharedHttpClient,
}

/// The services that are answered in process: all but DynamoDB.
#[derive(Debug)]
pub struct Services {
    pub(crate) cognito: Cognito,
    pub(crate) bus: EventBus,
    pub(crate) queues: Queues,
    pub(crate) buckets: Buckets,
    pub(crate) clock: Clock,
}

/// The operation of a request.
#[must_use]
pub fn operation(request: &HttpRequest) -> String {
    match request.headers().get("x-amz-target") {
        Some(target) => target.split_once('.').map_or(target, |(_, operation)| operation).to_owned(),
        // S3's protocol has no operation names: only its requests have no target.
        None => Buckets::operation(request).to_owned(),
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
    respond(Err(Refusal { status, code: code.to_owned(), message }))
}

impl Services {
    /// Services in memory: an empty pool for `model`, a bus, the work queue with its dead-letter queue, and no
    /// bucket.
    ///
    /// # Errors
    /// In memory, none.
    pub fn in_memory(model: &Model, clock: &Clock) -> Result<Self, LocalError> {
        stack::services(None, PoolOptions::of(model), clock)
    }

    /// Groups and users of the pool, sorted.
    #[must_use]
    pub fn pool(&self) -> (Vec<GroupState>, Vec<UserState>) {
        self.cognito.read(|pool| (pool.group_states(), pool.user_states()))
    }

    /// The entries that were put on the bus, in order.
    #[must_use]
    pub fn published(&self) -> Vec<Published> {
        self.bus.published()
    }

    /// Tells `watcher` of each entry that a bus accepts. The first watcher stays.
    pub fn watch_events(&self, watcher: EventWatcher) {
        self.bus.watch(watcher);
    }

    /// Creates an SQS queue, or changes the options of an existing one.
    pub fn make_queue(&self, url: &str, options: QueueOptions) {
        self.queues.make(url, options);
    }

    /// The messages of a queue, oldest first, including hidden ones.
    #[must_use]
    pub fn messages(&self, url: &str) -> Vec<Message> {
        self.queues.messages(url)
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
            _ => Err(Refusal::unknown_operation(target)),
        }))
    }
}

impl HttpClient for Router {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let http = self.http.http_connector(settings, components);
        SharedHttpConnector::new(RouterConnector { router: self.clone(), http })
    }
}

#[derive(Debug, Clone)]
struct RouterConnector {
    router: Router,
    http: SharedHttpConnector,
}

impl HttpConnector for RouterConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connector = self.clone();
        HttpConnectorFuture::new(async move { connector.answer(request).await })
    }
}

impl RouterConnector {
    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let operation = operation(&request);
        let fault = self.router.faults.next_fault(&operation);
        if let Some(Fault::Refuse { status, code }) = &fault {
            return refuse(&request, *status, code);
        }
        // Refusing takes the request for the form of the answer.
        let complaint = match &fault {
            Some(Fault::Complain { code }) => Some(refuse(&request, 400, code)),
            Some(_) | None => None,
        };
        let response = match (self.router.services.answer(&request, fault.as_ref()), &fault) {
            (Some(answer), _) => answer,
            (None, Some(Fault::Unprocessed { count })) => {
                unprocessed::call(&self.http, &operation, request, *count).await
            }
            (None, _) => self.http.call(request).await,
        }?;
        if let Some(complaint) = complaint {
            return complaint;
        }
        if fault == Some(Fault::LoseAnswer) {
            return Err(ConnectorError::timeout("the answer is lost, as the test asked for".into()));
        }
        Ok(response)
    }
}
