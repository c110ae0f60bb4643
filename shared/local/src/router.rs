//! The HTTP client of the SDK: passes DynamoDB's calls to the engine, answers those of the other services,
//! and injects faults.

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

use crate::faults::{Fault, Faults};
use crate::services::{Services, operation, refuse};
use crate::unprocessed;

/// Passes each call to its service.
#[derive(Debug, Clone)]
pub(crate) struct Router {
    pub(crate) services: Arc<Services>,
    pub(crate) faults: Faults,
    /// The engine's client.
    pub(crate) http: SharedHttpClient,
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
