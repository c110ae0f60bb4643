//! The stack for clients outside of the process: one entry for all its services.

use std::sync::Arc;

use aws_smithy_http_client::Connector;
use aws_smithy_runtime_api::client::http::SharedHttpConnector;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;

use crate::cognito::{GroupState, Pool, UserState};
use crate::services::Services;
use crate::stack::Stack;
use crate::wire::{ErrorResponse, respond};
use crate::{constraints, dialect};

/// Passes requests of clients outside of the process to the services of a stack. Their calls are not counted and
/// fail by no fault.
#[derive(Debug, Clone)]
pub struct Front {
    services: Arc<Services>,
    engine: SharedHttpConnector,
    url: String,
}

impl Stack {
    /// An entry for clients outside of the process.
    #[must_use]
    pub fn front(&self) -> Front {
        let engine = SharedHttpConnector::new(Connector::builder().build_http());
        Front { services: self.services(), engine, url: self.engine_url().to_owned() }
    }
}

impl Front {
    /// Answers a request of one of AWS's JSON protocols. S3 is not among them.
    ///
    /// # Errors
    /// The engine of DynamoDB gives no answer.
    pub async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        if target.is_empty() {
            return respond(Err(ErrorResponse::unknown_operation("without `x-amz-target`")));
        }
        if let Some(answer) = self.services.answer(&request, None) {
            return answer;
        }
        // The engine is another server: its address is not the one that the client called.
        request.headers_mut().remove("host");
        request.set_uri(self.url.clone()).map_err(|error| ConnectorError::user(error.into()))?;
        dialect::call(&self.engine, request).await
    }

    /// Groups and users of the pool, sorted.
    #[must_use]
    pub fn pool(&self) -> (Vec<GroupState>, Vec<UserState>) {
        self.services.pool()
    }

    /// Makes the user pool of another stack, which is in memory, a copy of this one's.
    pub fn copy_pool_to(&self, stack: &Stack) {
        stack.services().cognito.set(self.services.cognito.read(Pool::clone));
    }

    /// The operations that a service has, by the prefix of its targets. Empty for an unknown one.
    #[must_use]
    pub fn operations(service: &str) -> Vec<&'static str> {
        constraints::operations(service)
    }
}
