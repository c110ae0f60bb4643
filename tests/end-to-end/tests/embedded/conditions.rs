//! Conditions, paths into maps, several groups, and words for verbs: what a model says of an item's
//! own attributes.

use serde_json::{Value, json};

use crate::gate::take_records;
use crate::own::{put, world};
use crate::world::{World, run};

const REQUESTS: &str = r#"
[table]
ttl = "expires"
[items.Request]
pk = "R#{requestId}"
sk = "R"
entity = "Request"
events = ["status"]
[items.Request.verb]
updated = [
  { word = "approved", when = { status = "APPROVED" } },
  { word = "{status}", changed = ["status"] },
  { word = "renamed", changed = ["title"], when = { title = { present = true } } },
]
deleted = [{ word = "expired", cause = "ttl" }, "withdrawn"]
"#;

/// Promise 4: a word stands for a verb where it applies, once.
#[tokio::test]
async fn words_follow_from_what_changed_and_why() {
    let table = "model = \"own\"\ntable = { pk = \"pk\", sk = \"sk\", ttl = \"expires\" }\n";
    let text = format!("{table}{}", REQUESTS.replace("[table]\nttl = \"expires\"\n", ""));
    let model = instep_model::Model::parse("own.toml", &text).unwrap();
    let world = World::of(model, std::time::Duration::ZERO).await;
    let request = [
        json!({"status": "open"}),
        json!({"status": "APPROVED"}),
        json!({"status": "APPROVED", "title": "x"}),
        json!({"status": "APPROVED", "title": "x", "note": "y"}),
        json!({"status": "shut", "title": "x", "note": "y"}),
    ];
    for item in request {
        put(&world, ("R#1", "R"), item).await;
    }
    world.delete(("pk", "sk"), ("R#1", "R")).await;
    put(&world, ("R#2", "R"), json!({"status": "open"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("R#2", "R")).await;
    let records = take_records(&world).await;
    let mut expired: Value = serde_json::from_str(records[0].get()).unwrap();
    expired["userIdentity"] = json!({"type": "Service", "principalId": "dynamodb.amazonaws.com"});
    world.instep.handle(&[serde_json::value::to_raw_value(&expired).unwrap()], &run()).await;
    let mut words: Vec<String> = world.verbs();
    words.sort();
    let expected = ["Approved", "Created", "Created", "Expired", "Renamed", "Shut", "Updated", "Withdrawn"]
        .map(|word| format!("Request {word}"));
    assert_eq!(words, expected);
}

const BADGES: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
cognito.user = { name = "{personId}", disabled = { state = "off" } }
"#;

/// Promise 1: Cognito takes a new address for one that is not verified, unless the same request says
/// that it is.
#[tokio::test]
async fn a_new_address_is_as_verified_as_its_item_says() {
    let rule = "attributes = { email = \"{email}\", email_verified = \"{verified}\" }, disabled";
    let world = world(&BADGES.replace("disabled", rule)).await;
    for (email, verified) in [("a@x.example", "true"), ("b@x.example", "true"), ("c@x.example", "false")] {
        put(&world, ("P#ann", "P"), json!({"email": email, "verified": verified})).await;
        world.drain().await;
        let user = world.state().await.users.pop().unwrap();
        let found = ["email", "email_verified"].map(|name| user.attributes[name].clone());
        assert_eq!(found, [email, verified]);
    }
}
