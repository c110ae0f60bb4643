//! Requests and answers as they are on the wire.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

use super::COGNITO;
use crate::table::Refused;

/// The service that a request is for, from its target. S3 requests have none.
pub(super) fn service(request: &HttpRequest) -> &str {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    target.split(['.', '_']).next().unwrap_or_default()
}

pub(super) fn is_cognito(request: &HttpRequest) -> bool {
    service(request) == COGNITO
}

pub(super) fn throttle(operation: &str, request: &HttpRequest) -> &'static str {
    match (service(request), operation) {
        ("", _) => "SlowDown",
        (COGNITO, _) => "TooManyRequestsException",
        ("DynamoDB", "TransactWriteItems" | "PutItem" | "UpdateItem") => "ProvisionedThroughputExceededException",
        _ => "ThrottlingException",
    }
}

/// The answer to a transaction that conflicts with another at its first action.
pub(super) fn conflict(body: &Value) -> Result<HttpResponse, ConnectorError> {
    let count = body.get("TransactItems").and_then(Value::as_array).map_or(1, Vec::len);
    let mut reasons = vec!["None"; count];
    if let Some(first) = reasons.first_mut() {
        *first = "TransactionConflict";
    }
    response(400, &refusal(&Refused { code: "TransactionCanceledException", reasons }))
}

pub(super) fn refusal(refused: &Refused) -> Value {
    let reasons: Vec<Value> = refused.reasons.iter().map(|code| json!({ "Code": code })).collect();
    json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{}", refused.code), "message": "refused", "CancellationReasons": reasons})
}

pub(super) fn response(status: u16, body: &Value) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status).map_err(|error| ConnectorError::user(error.into()))?;
    let body = serde_json::to_vec(body).map_err(|error| ConnectorError::user(error.into()))?;
    let mut response = HttpResponse::new(status, SdkBody::from(body));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    Ok(response)
}
