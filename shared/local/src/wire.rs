//! The server side of AWS's JSON protocol.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use md5::{Digest as _, Md5};
use serde::Serialize;
use serde_json::{Value, json};

// The services, by the prefix of their requests' target.
pub(crate) const COGNITO: &str = "AWSCognitoIdentityProviderService";
pub(crate) const EVENT_BRIDGE: &str = "AWSEvents";
pub(crate) const SQS: &str = "AmazonSQS";
pub(crate) const DYNAMODB: &str = "DynamoDB_20120810";
pub(crate) const DYNAMODB_STREAMS: &str = "DynamoDBStreams_20120810";

/// The code for an operation that a service does not have.
const UNKNOWN_OPERATION: &str = "UnknownOperationException";

/// The MD5 digest of some bytes, as services write it.
pub(crate) fn md5(bytes: &[u8]) -> String {
    Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

const CONTENT_TYPE: &str = "application/x-amz-json-1.1";

/// The operation of a request. Empty in S3's protocol, which has no names of operations.
pub(crate) fn operation(request: &HttpRequest) -> &str {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    target.split_once('.').map_or(target, |(_, operation)| operation)
}

/// An error response of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorResponse {
    pub(crate) status: u16,
    pub(crate) code: String,
    pub(crate) message: String,
}

impl ErrorResponse {
    /// An error of the caller.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { status: 400, code: code.to_owned(), message: message.into() }
    }

    /// The error for an operation that the service, or this stand-in, does not have.
    pub(crate) fn unknown_operation(target: &str) -> Self {
        Self::new(UNKNOWN_OPERATION, format!("the local stack has no operation `{target}`"))
    }

    pub(crate) fn is_unknown_operation(&self) -> bool {
        self.code == UNKNOWN_OPERATION
    }

    /// The error for a body that the operation does not accept.
    pub(crate) fn unreadable(error: &serde_json::Error) -> Self {
        Self::new("SerializationException", error.to_string())
    }
}

/// The outcome of an operation.
pub(crate) type OperationResult = Result<Value, ErrorResponse>;

/// The HTTP response for `answer`.
pub(crate) fn respond(answer: OperationResult) -> Result<HttpResponse, ConnectorError> {
    let (status, body) = match answer {
        Ok(body) => (200, body),
        Err(refusal) => (refusal.status, json!({"__type": refusal.code, "message": refusal.message})),
    };
    respond_with(status, &body)
}

/// The HTTP response with this status and body.
pub(crate) fn respond_with<T: Serialize>(status: u16, body: &T) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status).map_err(|error| ConnectorError::user(error.into()))?;
    let body = serde_json::to_vec(body).map_err(|error| ConnectorError::user(error.into()))?;
    let mut response = HttpResponse::new(status, SdkBody::from(body));
    response.headers_mut().insert("content-type", CONTENT_TYPE);
    Ok(response)
}

/// The request with another body.
pub(crate) fn with_body(mut request: HttpRequest, body: &Value) -> HttpRequest {
    let text = body.to_string();
    request.headers_mut().insert("content-length", text.len().to_string());
    *request.body_mut() = SdkBody::from(text);
    request
}
