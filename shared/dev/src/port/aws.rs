//! AWS's own protocols, for any SDK: DynamoDB and its streams, Cognito, EventBridge and SQS, as far as the stack has
//! them.

use std::sync::Arc;

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use instep_local::Front;
use serde_json::{Value, json};

use super::Port;
use crate::http_tap::take_body;
use crate::origins::Who;
use crate::request::{self, Does, ShownRequest};

/// The headers of a request that the services read.
const PASSED: [&str; 6] =
    ["authorization", "content-type", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "x-amz-target"];

/// The headers of a response that clients read.
const RETURNED: [&str; 4] = ["content-type", "x-amz-crc32", "x-amzn-errortype", "x-amzn-requestid"];

/// What the engine says of an operation that it does not have.
const UNKNOWN: &str = "UnknownOperationException";

pub(super) async fn answer(State(port): State<Arc<Port>>, method: Method, headers: HeaderMap, body: Bytes) -> Response {
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default().to_owned();
    if method != Method::POST || target.is_empty() {
        return elsewhere(&method, &headers, &body);
    }
    let (prefix, operation) = target.split_once('.').unwrap_or((&target, ""));
    let Some(service) = request::service(prefix) else {
        return refuse(UNKNOWN, &format!("`instep dev` has no service for `{target}`, {HAS}"));
    };
    if let Some(why) = forbidden(&port, operation, &body) {
        return refuse("ValidationException", &why);
    }
    let request = ShownRequest::read(port.model(), &port.hub.table, &target, &body);
    let shown = request.iter();
    shown.clone().for_each(|request| port.hub.begins(&Who::Application, request));
    let answered = call(&port.front, &headers, body).await;
    let has_succeeded = answered.as_ref().is_ok_and(|(response, _)| response.status().is_success());
    shown.for_each(|request| port.hub.ended(&Who::Application, request, has_succeeded));
    match answered {
        Ok((response, answer)) => {
            if response.status().is_success() {
                note(&port, request.as_ref());
            } else if is(&answer, UNKNOWN) {
                return refuse(UNKNOWN, &unknown(service, prefix, operation));
            } else if is(&answer, "ResourceNotFoundException") && service == "dynamodb" {
                remark_table(&port, request.as_ref(), &answer);
            }
            response
        }
        Err(why) => (StatusCode::BAD_GATEWAY, why).into_response(),
    }
}

const HAS: &str = "but DynamoDB and its streams, Cognito user pools, EventBridge and SQS: see docs/guide/local.md";

/// What an application must not do to the table.
fn forbidden(port: &Port, operation: &str, body: &Bytes) -> Option<String> {
    if !matches!(operation, "DeleteTable" | "UpdateTable") {
        return None;
    }
    let body: Value = serde_json::from_slice(body).ok()?;
    let is_own = body.get("TableName")?.as_str().is_some_and(|name| request::is_table(name, &port.hub.table));
    let changes_stream = body.get("StreamSpecification").is_some();
    (is_own && (operation == "DeleteTable" || changes_stream)).then(|| {
        format!(
            "`instep dev` keeps the table `{}` and its stream as long as it runs; for an empty table, start it again",
            port.hub.table
        )
    })
}

async fn call(front: &Front, headers: &HeaderMap, body: Bytes) -> Result<(Response, Value), String> {
    let mut http = HttpRequest::new(SdkBody::from(body));
    http.set_method("POST").map_err(|error| error.to_string())?;
    for name in PASSED {
        if let Some(value) = headers.get(name).and_then(|value| value.to_str().ok()) {
            http.headers_mut().insert(name, value.to_owned());
        }
    }
    let answer = front.call(http).await.map_err(|error| format!("the embedded stack gives no answer: {error}"))?;
    response(answer).await
}

async fn response(mut answer: HttpResponse) -> Result<(Response, Value), String> {
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
    let bytes = take_body(&mut answer).await.map_err(|error| error.to_string())?;
    let json = if status.is_success() { Value::Null } else { serde_json::from_slice(&bytes).unwrap_or_default() };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    for name in RETURNED {
        let value = answer.headers().get(name).and_then(|value| HeaderValue::from_str(value).ok());
        value.into_iter().for_each(|value| drop(response.headers_mut().insert(name, value)));
    }
    Ok((response, json))
}

fn note(port: &Port, request: Option<&ShownRequest>) {
    let Some(request) = request else { return };
    if request.service == "cognito" && request.does == Does::Write {
        port.hub.changed(|versions| versions.cognito += 1);
    }
    if request.service == "sqs" {
        port.hub.wake.notify_one();
    }
}

/// The most common mistake of a first try: the application's table has another name.
fn remark_table(port: &Port, request: Option<&ShownRequest>, answer: &Value) {
    let is_data = request.is_some_and(|request| !request.operation.contains("Table"));
    let message = answer.get("message").or_else(|| answer.get("Message")).and_then(Value::as_str).unwrap_or_default();
    if is_data && !message.contains("Backup") {
        port.hub.remark(format!(
            "an application asks for a table that is not here; the one that Instep follows is `{}`: name it in the \
             application, or start with `--table NAME`",
            port.hub.table
        ));
    }
}

fn is(answer: &Value, code: &str) -> bool {
    answer.get("__type").and_then(Value::as_str).is_some_and(|of| of.rsplit('#').next() == Some(code))
}

fn unknown(service: &str, prefix: &str, operation: &str) -> String {
    let has = Front::operations(prefix);
    let has = if has.is_empty() { String::new() } else { format!(": it has {}", has.join(", ")) };
    format!("`instep dev` has no operation `{operation}` of {service}{has}; see docs/guide/local.md")
}

fn refuse(code: &str, message: &str) -> Response {
    let body = json!({"__type": code, "message": message}).to_string();
    let headers = [("content-type", "application/x-amz-json-1.1"), ("x-amzn-errortype", code)];
    (StatusCode::BAD_REQUEST, headers, body).into_response()
}

/// The response to a request that is in no JSON protocol of AWS: S3's, those of older services, or a browser's.
fn elsewhere(method: &Method, headers: &HeaderMap, body: &Bytes) -> Response {
    let is_signed = headers.contains_key("authorization");
    if *method != Method::POST && !is_signed {
        return (StatusCode::NOT_FOUND, "nothing is here: the page is at /\n").into_response();
    }
    let message = format!("`instep dev` has no such service, {HAS}");
    let is_query = body.starts_with(b"Action=");
    let error = format!("<Error><Type>Sender</Type><Code>{UNKNOWN}</Code><Message>{message}</Message></Error>");
    let xml = if is_query { format!("<ErrorResponse>{error}</ErrorResponse>") } else { error };
    (StatusCode::NOT_IMPLEMENTED, [("content-type", "text/xml")], xml).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/guide/local.md has exactly the operations that there are.
    #[test]
    fn the_documents_name_every_operation() {
        let document = include_str!("../../../../docs/guide/local.md");
        let row = |service: &str| document.lines().find(|line| line.starts_with(&format!("| {service} |"))).unwrap();
        let services = [
            ("Cognito user pools", "AWSCognitoIdentityProviderService"),
            ("EventBridge", "AWSEvents"),
            ("SQS", "AmazonSQS"),
        ];
        for (name, prefix) in services {
            let named: Vec<&str> = row(name).split('`').skip(1).step_by(2).collect();
            assert_eq!(named, Front::operations(prefix), "{name}");
        }
    }
}
