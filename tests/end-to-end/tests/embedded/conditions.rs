//! Words for the verbs of events, also for what time to live deletes.

use serde_json::{Value, json};

use crate::gate::take_records;
use crate::own::{put, world_with};
use crate::world::run;

const REQUESTS: &str = r#"
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
    let world = world_with("pk = \"pk\", sk = \"sk\", ttl = \"expires\"", REQUESTS).await;
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
    let expected = ["Approved", "Created", "Created", "Expired", "Renamed", "Shut", "Withdrawn"]
        .map(|word| format!("Request {word}"));
    assert_eq!(words, expected);
}
