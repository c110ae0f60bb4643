//! Which tokens say anything.

use instep_authorizer_function::TokenUse;
use jiff::SignedDuration;
use ring::hmac;
use serde_json::{Value, json};

use super::gateway::{ApiKind, event, send, send_event};
use super::pool::{TestKey, encoded, signed, unsigned};
use super::{Api, CLIENT, METERS, claims, header};
use crate::world::now;

/// The claims with one of them changed, or without it.
fn with(claims: &Value, name: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    if value.is_null() {
        claims.as_object_mut().unwrap().remove(name);
    } else {
        claims[name] = value;
    }
    claims
}

/// Promise: a token counts only if this pool has signed it, for an app client of the list, for this use, and it has not ended.
#[tokio::test]
async fn only_a_valid_token_of_the_pool_counts() {
    let api = Api::open().await;
    let authorizer = api.authorizer();
    let good = claims(&api.issuer, &api.sub("us-1").await, "us-1");
    let status = async |token: &str| send(&authorizer, ApiKind::Http2, METERS, token).await.0;
    let of = |claims: &Value| signed(TestKey::Pool, &header(TestKey::Pool), claims);
    assert_eq!(status(&of(&good)).await, 200);
    let now = now().as_second();
    let changes = [
        ("iss", json!("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_other")),
        ("iss", json!([api.issuer.url])),
        ("iss", json!(format!("{}/", api.issuer.url))),
        ("iss", Value::Null),
        ("exp", json!(now)),
        ("exp", json!(now - 1)),
        ("exp", json!((now + 60).to_string())),
        ("exp", Value::Null),
        ("nbf", json!(now + 1)),
        ("token_use", json!("id")),
        ("token_use", json!("refresh")),
        ("token_use", Value::Null),
        ("client_id", json!("stranger")),
        ("client_id", json!("")),
        ("client_id", json!([CLIENT])),
        ("client_id", Value::Null),
        ("username", json!("")),
        ("username", Value::Null),
        ("sub", Value::Null),
    ];
    for (name, value) in changes {
        assert_eq!(status(&of(&with(&good, name, value.clone()))).await, 401, "{name} {value}");
    }
    // The audience of an ID token does not replace the client of an access token.
    let id = with(&with(&good, "client_id", Value::Null), "aud", json!(CLIENT));
    assert_eq!(status(&of(&id)).await, 401);
    // What Cognito does not say of the subject, nobody can.
    let other = with(&good, "cognito:username", json!("us-2"));
    assert_eq!(status(&of(&other)).await, 200, "only `username` counts");
}

#[tokio::test]
async fn only_the_pools_own_signature_by_rs256_counts() {
    let api = Api::open().await;
    let authorizer = api.authorizer();
    let good = claims(&api.issuer, &api.sub("us-1").await, "us-1");
    let status = async |token: &str| send(&authorizer, ApiKind::Http2, METERS, token).await.0;
    let valid = signed(TestKey::Pool, &header(TestKey::Pool), &good);
    assert_eq!(status(&valid).await, 200);
    // Signed by somebody else, under an id of this pool, an unknown one, and none.
    for kid in [json!(TestKey::Pool.id()), json!(TestKey::OtherPool.id()), json!("../pool-key"), json!(1), Value::Null]
    {
        let header = with(&json!({ "alg": "RS256" }), "kid", kid.clone());
        assert_eq!(status(&signed(TestKey::OtherPool, &header, &good)).await, 401, "{kid}");
        if kid != json!(TestKey::Pool.id()) {
            assert_eq!(status(&signed(TestKey::Pool, &header, &good)).await, 401, "the id has to be right: {kid}");
        }
    }
    // A key that the token brings along.
    let own = json!({ "alg": "RS256", "kid": TestKey::Pool.id(), "jku": format!("{}/keys", api.issuer.url) });
    assert_eq!(status(&signed(TestKey::OtherPool, &own, &good)).await, 401);
    let critical = json!({ "alg": "RS256", "kid": TestKey::Pool.id(), "crit": ["b64"], "b64": false });
    assert_eq!(status(&signed(TestKey::Pool, &critical, &good)).await, 401);
    // No signature, and the public key as the secret of another algorithm.
    for alg in ["none", "None", "NONE", "HS256", "HS512", "RS384", "PS256", "ES256", "EdDSA", ""] {
        let header = json!({ "alg": alg, "kid": TestKey::Pool.id() });
        let text = unsigned(&header, &good);
        let public = TestKey::Pool.pair();
        let secret = hmac::Key::new(hmac::HMAC_SHA256, public.public().as_ref());
        let by_public = encoded(hmac::sign(&secret, text.as_bytes()).as_ref());
        for signature in [String::new(), by_public] {
            assert_eq!(status(&format!("{text}.{signature}")).await, 401, "{alg} {signature}");
        }
        assert_eq!(status(&signed(TestKey::Pool, &header, &good)).await, 401, "{alg}");
    }
    // Parts of valid tokens.
    let parts: Vec<&str> = valid.split('.').collect();
    let admin = unsigned(&header(TestKey::Pool), &with(&good, "username", json!("us-2")));
    let odd = [
        String::new(),
        "a.b.c".to_owned(),
        format!("{}.{}", parts[0], parts[1]),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{valid}."),
        format!("{valid}.{}", parts[2]),
        format!("{admin}.{}", parts[2]),
        format!("{}x", valid),
        "x".repeat(20_000),
    ];
    for token in odd {
        assert_eq!(status(&token).await, 401, "{token}");
    }
}

#[tokio::test]
async fn id_tokens_count_only_where_the_function_is_set_to_them() {
    let api = Api::open().await;
    let (by_id, by_access) = (api.authorizer_with("table", TokenUse::Id), api.authorizer());
    let sub = api.sub("us-1").await;
    let access = claims(&api.issuer, &sub, "us-1");
    let seconds = now().as_second();
    let id = json!({
        "iss": api.issuer.url, "sub": sub, "cognito:username": "us-1", "aud": CLIENT, "token_use": "id",
        "exp": seconds + 60, "email": "us-2@example.com",
    });
    let of = |claims: &Value| signed(TestKey::Pool, &header(TestKey::Pool), claims);
    for (authorizer, token, expected) in
        [(&by_id, &id, 200), (&by_access, &id, 401), (&by_id, &access, 401), (&by_access, &access, 200)]
    {
        assert_eq!(send(authorizer, ApiKind::Http2, METERS, &of(token)).await.0, expected);
    }
    for aud in [json!("stranger"), json!([CLIENT]), Value::Null] {
        assert_eq!(send(&by_id, ApiKind::Http2, METERS, &of(&with(&id, "aud", aud))).await.0, 401);
    }
}

/// Promise: keys are fetched once, again for a new one, and not for every forged token.
#[tokio::test]
async fn keys_are_kept_and_rotated() {
    let api = Api::open().await;
    let authorizer = api.authorizer();
    let sub = api.sub("us-1").await;
    let mut claims = claims(&api.issuer, &sub, "us-1");
    claims["exp"] = json!(now().as_second() + 1_000_000);
    let (method, path) = METERS.split_once(' ').unwrap();
    let status = async |key: TestKey, minutes: i64| {
        let token = format!("Bearer {}", signed(key, &header(key), &claims));
        let at = now() + SignedDuration::from_mins(minutes);
        // The grant has ended after an hour: a valid token is denied then.
        send_event(&authorizer, &event(ApiKind::Http2, method, path, &token), at).await.0
    };
    assert_eq!((status(TestKey::Pool, 0).await, status(TestKey::Pool, 0).await), (200, 200));
    assert_eq!(api.issuer.requests(), 1);
    assert_eq!((status(TestKey::Rotated, 1).await, status(TestKey::OtherPool, 2).await), (401, 401));
    assert_eq!(api.issuer.requests(), 1, "an unknown key is asked for every 5 minutes");
    api.issuer.has(&[TestKey::Pool, TestKey::Rotated]);
    assert_eq!(status(TestKey::Rotated, 4).await, 401);
    assert_eq!((status(TestKey::Rotated, 5).await, api.issuer.requests()), (200, 2));
    assert_eq!((status(TestKey::OtherPool, 6).await, api.issuer.requests()), (401, 2));
    // It fails while a new key may be there: not known is not the same as not valid.
    api.issuer.is_down(true);
    assert_eq!((status(TestKey::OtherPool, 11).await, status(TestKey::OtherPool, 12).await), (500, 500));
    assert_eq!(api.issuer.requests(), 3, "one that is down is not asked each time");
    assert_eq!(status(TestKey::Pool, 12).await, 200, "those that are kept count");
    // A key that was withdrawn does not count after a day, also if nothing else is asked for.
    assert_eq!(status(TestKey::Pool, 5 + 24 * 60).await, 500);
    api.issuer.is_down(false);
    api.issuer.has(&[TestKey::Rotated]);
    assert_eq!(status(TestKey::Pool, 5 + 24 * 60).await, 401);
    assert_eq!(status(TestKey::Rotated, 5 + 24 * 60).await, 403);
}

#[tokio::test]
async fn without_keys_there_is_no_answer() {
    let api = Api::open().await;
    let (authorizer, token) = (api.authorizer(), api.token("us-1").await);
    api.issuer.is_down(true);
    assert_eq!(send(&authorizer, ApiKind::Rest, METERS, &token).await.0, 500);
    api.issuer.is_down(false);
    assert_eq!(send(&authorizer, ApiKind::Rest, METERS, &token).await.0, 200, "the next request tries again");
}
