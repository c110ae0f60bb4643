//! The HTTP client that the SDK is given: DynamoDB's calls go to the engine on the loopback interface, Cognito's and
//! EventBridge's are answered here, and faults are put in between.

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

use crate::clock::Clock;
use crate::cognito::Cognito;
use crate::eventbridge::EventBus;
use crate::faults::{Fault, Faults};
use crate::s3::{self, Buckets};
use crate::sqs::Queues;
use crate::unprocessed;
use crate::wire::{Refusal, respond};

const COGNITO: &str = "AWSCognitoIdentityProviderService";
const EVENT_BRIDGE: &str = "AWSEvents";
const SQS: &str = "AmazonSQS";
const DYNAMODB: &str = "DynamoDB_20120810";
const DYNAMODB_STREAMS: &str = "DynamoDBStreams_20120810";

/// Where a call goes.
#[derive(Debug, Clone)]
pub(crate) struct Router {
    pub(crate) services: Arc<Services>,
    pub(crate) faults: Faults,
    /// Plain HTTP, to the engine.
    pub(crate) http: SharedHttpClient,
}

/// The services that are answered in process.
#[derive(Debug)]
pub(crate) struct Services {
    pub(crate) cognito: Cognito,
    pub(crate) bus: EventBus,
    pub(crate) queues: Queues,
    pub(crate) buckets: Buckets,
    pub(crate) clock: Clock,
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
        let Some(target) = request.headers().get("x-amz-target").map(str::to_owned) else {
            return self.answer_s3(&request);
        };
        let (service, operation) = target.split_once('.').unwrap_or((&target, ""));
        let fault = self.router.faults.take(operation);
        if let Some(Fault::Refuse { status, code }) = fault {
            let message = format!("a fault of {operation}, as the test asked for");
            return respond(Err(Refusal { status, code, message }));
        }
        let services = &self.router.services;
        let body = request.body().bytes().unwrap_or_default();
        let response = match service {
            COGNITO => respond(services.cognito.call(operation, body, services.clock.now_ms())),
            EVENT_BRIDGE => respond(services.bus.call(operation, body, &services.clock, fault.as_ref())),
            SQS => respond(services.queues.call(operation, body, services.clock.now_ms(), fault.as_ref())),
            DYNAMODB | DYNAMODB_STREAMS => match fault {
                Some(Fault::Unprocessed { count }) => unprocessed::call(&self.http, operation, request, count).await,
                Some(Fault::Refuse { .. } | Fault::LoseAnswer | Fault::Entries { .. }) | None => {
                    self.http.call(request).await
                }
            },
            _ => respond(Err(Refusal::unknown_operation(&target))),
        }?;
        if fault == Some(Fault::LoseAnswer) {
            return Err(ConnectorError::timeout("the answer is lost, as the test asked for".into()));
        }
        Ok(response)
    }

    /// S3's protocol names no operation: only its requests have no target.
    fn answer_s3(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let fault = self.router.faults.take(Buckets::operation(request));
        if let Some(Fault::Refuse { status, code }) = &fault {
            return s3::refuse(*status, code);
        }
        let response = self.router.services.buckets.call(request)?;
        if fault == Some(Fault::LoseAnswer) {
            return Err(ConnectorError::timeout("the answer is lost, as the test asked for".into()));
        }
        Ok(response)
    }
}
