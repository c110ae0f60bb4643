//! Which requests are allowed: routes, paths, and the shapes of events.

use instep_authorizer_function::TokenUse;
use serde_json::{Value, json};

use super::gateway::{ARN, ApiKind, event, send, send_event};
use super::{Api, METERS};
use crate::world::now;

#[tokio::test]
async fn what_the_table_implies_is_allowed_in_each_kind_of_api() {
    let api = Api::open().await;
    let authorizer = api.authorizer();
    let (reader, nobody) = (api.token("us-1").await, api.token("us-2").await);
    let write = METERS.replacen("GET", "PUT", 1) + "/me-1";
    for kind in ApiKind::ALL {
        let (status, context) = send(&authorizer, kind, METERS, &reader).await;
        let expected = json!({
            "client_id": "cl-1",
            "subject": "User us-1",
            "scope": "Project pr-1",
            "role": "ro-reader",
            "grant": "[\"USER#us-1\",\"ROLE#project#pr-1#ro-reader\"]",
            "until": "2026-05-01T10:00:00Z",
        });
        assert_eq!((status, &context), (200, &expected), "{kind:?}");
        assert!(context.as_object().unwrap().values().all(Value::is_string), "API Gateway passes on nothing else");
        let status = async |request: &str, token: &str| send(&authorizer, kind, request, token).await;
        assert_eq!(status(METERS, &nobody).await, (403, Value::Null), "{kind:?}");
        assert_eq!(status(&write, &reader).await.0, 403, "the role does not permit it");
        assert_eq!(status("GET /clients/cl-1", &reader).await.0, 403, "access never flows up");
        assert_eq!(status("GET /buildings/bu-1/reports/2026/may", &reader).await.0, 200, "one of the roles");
        assert_eq!(status("DELETE /buildings/bu-1/reports/2026/may", &reader).await.0, 200, "any method");
        assert_eq!(status("GET /buildings/bu-1/reports/2026/may", &nobody).await.0, 403);
        assert_eq!(status("GET /open", &reader).await.0, 403, "a route that is not listed");
        assert_eq!(status("GET /nothing/like/it", &reader).await.0, 403, "no route of the API");
        assert_eq!(status("POST /clients/cl-1", &reader).await.0, 403, "another method");
    }
}

/// Promise: the items prove the names of a path, and no value of it stands for another one.
#[tokio::test]
async fn a_forged_path_allows_nothing() {
    let api = Api::open().await;
    let (authorizer, token) = (api.authorizer(), api.token("us-1").await);
    let meters = |client: &str, project: &str, building: &str| {
        format!("GET /clients/{client}/projects/{project}/buildings/{building}/meters")
    };
    let forged = [
        meters("cl-2", "pr-1", "bu-1"),
        meters("cl-1", "pr-2", "bu-1"),
        meters("cl-1", "pr-1", "bu-2"),
        meters("cl-1", "pr-1", ""),
        meters("", "pr-1", "bu-1"),
        meters("cl-1", "pr-1", "bu-1%2F"),
        meters("cl-1", "pr-1", "bu-1%252F"),
        meters("cl-1", "pr-1", "%2562u-1"),
        meters("cl-1", "pr-1%23BUILDING%23bu-1", "bu-1"),
        meters("cl-1", "pr-1", "bu-1%23"),
        meters("cl-1", "pr-1", "BU-1"),
        meters("cl-1", "pr-1", "bu-1%00"),
        meters("cl-1", "..", "bu-1"),
        meters("cl-1", "pr-1", "*"),
        "GET /buildings/bu-1/reports/%252e%252e/secret".to_owned(),
        "GET /buildings/bu-1/reports/../secret".to_owned(),
        "GET /buildings/bu-1/reports/a//b".to_owned(),
        "GET /buildings/bu-1/reports/".to_owned(),
    ];
    for kind in ApiKind::ALL {
        for request in &forged {
            assert_eq!(send(&authorizer, kind, request, &token).await.0, 403, "{kind:?} {request}");
        }
        // Encoded once, it is the value of an application that decodes once.
        assert_eq!(send(&authorizer, kind, &meters("cl-1", "pr-1", "%62u-1"), &token).await.0, 200, "{kind:?}");
    }
    // Parameters that the route does not have, and that are not there.
    for parameters in [json!(null), json!({}), json!({ "client_id": "cl-1", "project_id": "pr-1" })] {
        let (method, path) = METERS.split_once(' ').unwrap();
        let mut event = event(ApiKind::Http2, method, path, &token);
        event["pathParameters"] = parameters;
        assert_eq!(send_event(&authorizer, &event, now()).await.0, 403);
    }
}

/// Promise: a policy allows this request alone. A path that a policy would read as a pattern is denied.
#[tokio::test]
async fn a_policy_is_for_one_request() {
    let api = Api::open().await;
    let (authorizer, token) = (api.authorizer(), api.token("us-1").await);
    for path in ["*", "a?", "${aws:username}", "a*b"] {
        let request = format!("GET /buildings/bu-1/reports/{path}");
        for (kind, status) in [(ApiKind::Http2, 200), (ApiKind::Http1, 403), (ApiKind::Rest, 403)] {
            assert_eq!(send(&authorizer, kind, &request, &token).await.0, status, "{kind:?} {request}");
        }
    }
    let event = event(ApiKind::Rest, "GET", "/buildings/bu-1/reports/a", &token);
    let answer = authorizer.answer(&event.to_string(), now()).await.unwrap();
    let expected = json!([{
        "Action": "execute-api:Invoke", "Effect": "Allow", "Resource": format!("{ARN}/GET/buildings/bu-1/reports/a"),
    }]);
    assert_eq!(answer["policyDocument"]["Statement"], expected);
    assert_eq!(answer["principalId"], api.sub("us-1").await, "no name: it is in the API's log");
}

#[tokio::test]
async fn what_is_no_event_of_an_authorizer_is_an_error() {
    let api = Api::open().await;
    let (authorizer, token) = (api.authorizer(), api.token("us-1").await);
    let (method, path) = METERS.split_once(' ').unwrap();
    let arn = format!("{ARN}/{method}{path}");
    let by_token = json!({ "type": "TOKEN", "methodArn": arn, "authorizationToken": format!("Bearer {token}") });
    let failure = authorizer.answer(&by_token.to_string(), now()).await.unwrap_err();
    assert!(failure.message.contains("make it one of the type REQUEST"), "{failure}");
    assert!(authorizer.answer("{}", now()).await.is_err());
    assert!(authorizer.answer("no JSON", now()).await.is_err());
    for kind in ApiKind::ALL {
        let event = event(kind, method, path, &token);
        assert_eq!(send_event(&authorizer, &event, now()).await.0, 200, "without `Bearer`");
        for name in ["routeKey", "requestContext", "methodArn", "httpMethod", "resource", "type"] {
            let mut event = event.clone();
            let is_needed = name != "requestContext" || kind == ApiKind::Http2;
            if event.as_object_mut().unwrap().remove(name).is_some() && is_needed {
                assert_eq!(send_event(&authorizer, &event, now()).await.0, 500, "{kind:?} without {name}");
            }
        }
        let name = if kind == ApiKind::Http2 { "authorization" } else { "Authorization" };
        for value in [json!(""), json!("Bearer"), json!(format!("Basic {token}")), json!(format!("{token},{token}"))] {
            let mut event = event.clone();
            event["headers"][name] = value.clone();
            assert_eq!(send_event(&authorizer, &event, now()).await.0, 401, "{kind:?} {value}");
        }
        let mut without = event.clone();
        without["headers"] = Value::Null;
        assert_eq!(send_event(&authorizer, &without, now()).await.0, 401, "{kind:?}");
        let mut several = event.clone();
        several["multiValueHeaders"] = json!({ "authorization": [token, token] });
        assert_eq!(send_event(&authorizer, &several, now()).await.0, 401, "{kind:?}: which of them?");
    }
}

/// Promise: nothing is allowed after an error, and nothing that has ended or was revoked.
#[tokio::test]
async fn nothing_is_allowed_after_an_error_or_a_revocation() {
    let api = Api::open().await;
    let (authorizer, token) = (api.authorizer(), api.token("us-1").await);
    for kind in ApiKind::ALL {
        let broken = api.authorizer_with("no-such-table", TokenUse::Access);
        assert_eq!(send(&broken, kind, METERS, &token).await.0, 500, "{kind:?}");
        assert_eq!(send(&authorizer, kind, METERS, &token).await.0, 200, "{kind:?}");
    }
    api.world.delete(("PK", "SK"), ("USER#us-1", "ROLE#project#pr-1#ro-reader")).await;
    assert_eq!(send(&authorizer, ApiKind::Http2, METERS, &token).await.0, 403, "at once: nothing has handled it yet");
}
