//! AWS's JSON protocol, the answering side.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

const CONTENT_TYPE: &str = "application/x-amz-json-1.1";

/// A refusal by a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Refusal {
    /// A refusal that is the caller's fault.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { status: 400, code: code.to_owned(), message: message.into() }
    }

    /// A refusal of an operation that the service, or this stand-in, does not have.
    pub(crate) fn unknown_operation(target: &str) -> Self {
        Self::new("UnknownOperationException", format!("the local stack has no operation `{target}`"))
    }

    /// A body that is not what the operation takes.
    pub(crate) fn unreadable(error: &serde_json::Error) -> Self {
        Self::new("SerializationException", error.to_string())
    }
}

/// What an operation answers.
pub(crate) type Answer = Result<Value, Refusal>;

/// The HTTP response that says `answer`.
pub(crate) fn respond(answer: Answer) -> Result<HttpResponse, ConnectorError> {
    let (status, body) = match answer {
        Ok(body) => (200, body),
        Err(refusal) => (refusal.status, json!({"__type": refusal.code, "message": refusal.message})),
    };
    let status = StatusCode::try_from(status).map_err(|error| ConnectorError::user(error.into()))?;
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", CONTENT_TYPE);
    Ok(response)
}
