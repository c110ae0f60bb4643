//! API Gateway in front of the authorizer: it finds the route of a request, asks, and answers as AWS does.

use instep_authorizer_function::Authorizer;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::super::world::now;

/// The kind of API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiKind {
    Http2,
    Http1,
    Rest,
}

impl ApiKind {
    pub const ALL: [Self; 3] = [Self::Http2, Self::Http1, Self::Rest];
}

/// The routes of the API.
const ROUTES: [&str; 5] = [
    "GET /clients/{client_id}",
    "GET /clients/{client_id}/projects/{project_id}/buildings/{building_id}/meters",
    "PUT /clients/{client_id}/projects/{project_id}/buildings/{building_id}/meters/{meter_id}",
    "ANY /buildings/{building_id}/reports/{path+}",
    "GET /open",
];

/// The route of a path, and its parameters as they were sent.
fn route(method: &str, path: &str) -> Option<(&'static str, Vec<(String, String)>)> {
    ROUTES.into_iter().find_map(|route| {
        let (own, pattern) = route.split_once(' ')?;
        if own != "ANY" && own != method {
            return None;
        }
        let mut parameters = Vec::new();
        let mut sent = path.split('/');
        for segment in pattern.split('/') {
            let text = sent.next()?;
            match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                None if segment == text => {}
                None => return None,
                Some(name) => match name.strip_suffix('+') {
                    Some(name) => {
                        let rest: Vec<&str> = std::iter::once(text).chain(sent.by_ref()).collect();
                        parameters.push((name.to_owned(), rest.join("/")));
                    }
                    None => parameters.push((name.to_owned(), text.to_owned())),
                },
            }
        }
        sent.next().is_none().then_some((route, parameters))
    })
}

/// An HTTP API decodes once.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = (*first == b'%').then(|| std::str::from_utf8(tail.get(..2)?).ok()).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &tail[2..]).1,
            None => (bytes.push(*first), rest = tail).1,
        }
    }
    String::from_utf8(bytes).unwrap()
}

pub const ARN: &str = "arn:aws:execute-api:eu-west-1:111122223333:api1/prod";

/// The event of a request.
pub fn event(kind: ApiKind, method: &str, path: &str, token: &str) -> Value {
    let (route, sent) = route(method, path).unwrap_or(("$default", Vec::new()));
    let parameter =
        |(name, text): (String, String)| (name, Value::from(if kind == ApiKind::Rest { text } else { decoded(&text) }));
    let parameters: Map<String, Value> = sent.into_iter().map(parameter).collect();
    let resource = route.split_once(' ').map_or(route, |(_, path)| path);
    let arn = format!("{ARN}/{method}{path}");
    let mut event = json!({
        "type": "REQUEST",
        "pathParameters": if parameters.is_empty() { Value::Null } else { Value::Object(parameters) },
        "queryStringParameters": { "building_id": "forged" },
    });
    let more = match kind {
        ApiKind::Http2 => json!({
            "version": "2.0",
            "routeArn": arn,
            "routeKey": route,
            "rawPath": decoded(path),
            "identitySource": [token],
            "headers": { "authorization": token, "host": "api.example.com" },
            "requestContext": { "http": { "method": method, "path": decoded(path) }, "routeKey": route },
        }),
        ApiKind::Http1 | ApiKind::Rest => json!({
            "methodArn": arn,
            "httpMethod": method,
            "resource": resource,
            "path": path,
            "headers": { "Authorization": token, "Host": "api.example.com" },
            "requestContext": { "httpMethod": method, "resourcePath": resource },
        }),
    };
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    match kind {
        ApiKind::Http1 => event["version"] = json!("1.0"),
        ApiKind::Rest => event["multiValueHeaders"] = json!({ "Authorization": [token] }),
        ApiKind::Http2 => {}
    }
    event
}

/// The status of a request, and what the application is told of it.
pub async fn send(authorizer: &Authorizer, kind: ApiKind, request: &str, token: &str) -> (u16, Value) {
    let (method, path) = request.split_once(' ').unwrap();
    send_event(authorizer, &event(kind, method, path, &format!("Bearer {token}")), now()).await
}

/// The status of the request of an event.
pub async fn send_event(authorizer: &Authorizer, event: &Value, now: Timestamp) -> (u16, Value) {
    let answer = match authorizer.answer(&event.to_string(), now).await {
        Ok(answer) => answer,
        // API Gateway compares the text.
        Err(failure) if failure.message == "Unauthorized" => return (401, Value::Null),
        Err(_) => return (500, Value::Null),
    };
    let is_allowed = match event["version"].as_str() {
        Some("2.0") => answer["isAuthorized"].as_bool().unwrap(),
        _ => {
            let statement = &answer["policyDocument"]["Statement"];
            assert_eq!(statement.as_array().unwrap().len(), 1, "{answer}");
            assert_eq!(statement[0]["Resource"], event["methodArn"], "for this method alone");
            assert_eq!(statement[0]["Action"], "execute-api:Invoke");
            assert!(answer["principalId"].is_string());
            statement[0]["Effect"] == "Allow"
        }
    };
    if is_allowed { (200, answer["context"].clone()) } else { (403, answer["context"].clone()) }
}
