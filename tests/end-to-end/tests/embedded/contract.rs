//! What is in an event: one id for one change, the tenant, and nothing more than the bus takes.
//!
//! Every event of these tests, as of all others in this folder, is validated against its schema where it
//! arrives (`World::of_pool`).

use std::collections::BTreeMap;
use std::time::Duration;

use instep_aws::Sending;
use instep_flow::events::DETAIL_BYTES_MAX;
use instep_flow::work::Origin;
use instep_local::QueueOptions;
use instep_model::Model;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::gate::take_records;
use crate::world::{World, run};

const BOOKINGS: &str = include_str!("../../../../events/bookings/model.toml");

fn details(world: &World) -> Vec<Value> {
    world.stack.published().iter().map(|event| serde_json::from_str(&event.detail).unwrap()).collect()
}

/// The id, and all that subscribers order or recognise by.
fn identities(details: &[Value]) -> BTreeMap<String, Value> {
    let identity = |detail: &Value| {
        let metadata = &detail["metadata"];
        let id = metadata["id"].as_str().unwrap().to_owned();
        (id, json!([metadata["item"], metadata["sequence"], metadata["index"], metadata["verb"], detail["data"]]))
    };
    details.iter().map(identity).collect()
}

/// The record as GetRecords spells it, where Lambda's form differs.
fn as_get_records(raw: &RawValue) -> Box<RawValue> {
    let mut record: Value = serde_json::from_str(raw.get()).unwrap();
    let fields = record.as_object_mut().unwrap();
    fields.remove("eventSourceARN");
    if let Some(identity) = fields.get_mut("userIdentity").filter(|identity| identity.is_object()) {
        *identity = json!({"PrincipalId": identity["principalId"], "Type": identity["type"]});
    }
    fields.insert("eventID".to_owned(), "another".into());
    serde_json::value::to_raw_value(&record).unwrap()
}

/// Promise 5: the same change has one id, one place and the same data, from whatever source, in whatever batch, and
/// however often it is handled.
#[tokio::test]
async fn one_change_has_one_id_wherever_it_comes_from() {
    let world = World::open("authorization").await;
    for item in [
        json!({"PK": "TENANT#t", "SK": "TENANT#t", "name": "acme"}),
        json!({"PK": "USER#u", "SK": "USER#u", "email": "u@example.com", "roles": ["auditor"]}),
        json!({"PK": "USER#v", "SK": "USER#v", "email": "u@example.com"}),
        json!({"PK": "TENANT#t", "SK": "USER#u", "roles": ["admin", "reader"]}),
        json!({"PK": "TENANT#t", "SK": "USER#u", "roles": ["reader", "writer"]}),
    ] {
        world.put(item).await;
    }
    let records = take_records(&world).await;
    let origin = |origin| Sending { origin, ..Sending::REPLAY };
    let mut all: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
    let mut from = 0;
    let mut note = |what, all_details: Vec<Value>| {
        // A claim that a later run finds lost is published by that run, too.
        let own = all_details[from..].iter().filter(|detail| detail["metadata"]["verb"] != "conflicted").cloned();
        from = all_details.len();
        all.insert(what, identities(&own.collect::<Vec<_>>()));
    };
    world.instep.handle(&records, &run()).await;
    note("one batch", details(&world));
    world.instep.handle(&records, &run()).await;
    note("retried", details(&world));
    for record in &records {
        world.instep.handle(std::slice::from_ref(record), &run()).await;
    }
    note("bisected", details(&world));
    let spelled: Vec<_> = records.iter().map(|record| as_get_records(record)).collect();
    world.instep.handle(&spelled, &run()).await;
    note("from GetRecords", details(&world));
    for (what, sending) in [("redriven", origin(Origin::Failed)), ("replayed", origin(Origin::Captured))] {
        world.instep.send_records(&records, sending, &run()).await.unwrap();
        world.drain_work().await;
        note(what, details(&world));
    }
    let first = all["one batch"].clone();
    assert!(first.len() >= 8, "{first:?}");
    for (what, identities) in &all {
        assert_eq!(*identities, first, "{what}");
    }
}

/// What failed in this deployment was not published before: its event is no replay. A capture's was.
#[tokio::test]
async fn only_captures_are_replayed() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "U:a@example.com", "sk": "U:a@example.com"})).await;
    let records = take_records(&world).await;
    for (origin, is_replay) in [(Origin::Failed, false), (Origin::Captured, true)] {
        world.instep.send_records(&records, Sending { origin, ..Sending::REPLAY }, &run()).await.unwrap();
        world.drain_work().await;
        let last = details(&world).pop().unwrap();
        assert_eq!(last["metadata"]["replay"], is_replay, "{origin:?}");
    }
}

/// An event that the bus would refuse is published without its attributes: the old ones first. Nothing is parked.
#[tokio::test]
async fn a_large_event_leaves_out_what_does_not_fit() {
    let world = World::open("access-management").await;
    // JSON writes each of these characters with six.
    let group = |count: usize, state: &str| {
        let description = "\u{1}".repeat(count);
        json!({"pk": "G:/x", "sk": "G:/x", "siKey1": "G", "description": description, "state": state})
    };
    for item in [group(100_000, "a"), group(100_000, "b"), group(200_000, "c")] {
        world.put(item).await;
    }
    let reports = world.drain().await;
    assert!(reports.iter().flat_map(|report| &report.records).all(|record| !record.outcome.is_retry()));
    assert!(world.stack.published().iter().all(|event| event.detail.len() <= DETAIL_BYTES_MAX));
    let [whole, without_old, without_both] = &details(&world)[..] else { unreachable!("three events") };
    assert!(whole["data"]["omitted"].is_null() && whole["data"]["new"]["state"] == "a");
    let key = json!({"pk": "G:/x", "sk": "G:/x"});
    assert_eq!(without_old["data"]["omitted"], json!({"parts": ["old"], "key": key}));
    assert_eq!((&without_old["data"]["old"], &without_old["data"]["new"]["state"]), (&json!({}), &"b".into()));
    assert_eq!(without_both["data"]["omitted"], json!({"parts": ["old", "new"], "key": key}));
    assert_eq!((&without_both["data"]["new"], &without_both["data"]["keys"]), (&json!({}), &json!({"groupId": "/x"})));
    assert_eq!(without_both["data"]["changed"], json!(["description", "state"]));
    assert_eq!(without_both["metadata"]["parked"], false);
}

/// The tenant comes from the key, an attribute or an index key, as every name does.
#[tokio::test]
async fn an_event_has_the_tenant_where_the_item_says_it() {
    let text = BOOKINGS.replace("model = \"bookings\"\n", "model = \"bookings\"\ntenant = [\"venueId\", \"home\"]\n");
    let world = World::of(Model::parse("bookings.toml", &text).unwrap(), Duration::ZERO).await;
    world.put(json!({"hk": "venue/v1", "rk": "room/1", "title": "one"})).await;
    world.put(json!({"hk": "person/p1", "rk": "person", "home": "v2"})).await;
    world.put(json!({"hk": "person/p2", "rk": "person"})).await;
    world.drain().await;
    let tenants: Vec<Value> = details(&world).iter().map(|detail| detail["metadata"]["tenant"].clone()).collect();
    assert_eq!(tenants, [json!("v1"), json!("v2"), Value::Null]);
}

/// A revocation has the tenant that the grant had.
#[tokio::test]
async fn the_tenant_of_a_revocation_is_the_old_one() {
    const SEATS: &str = r#"
model = "seats"
table = { pk = "pk", sk = "sk" }
tenant = "team"
[items.Person]
pk = "P#{personId}"
sk = "P"
[items.Team]
pk = "T#{teamId}"
sk = "T"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{seatId}"
grant = { subject = "Person", scope = { type = "Team", teamId = "{team}", find = "back-reference" }, roles = "role" }
"#;
    let world = World::of(Model::parse("seats.toml", SEATS).unwrap(), Duration::ZERO).await;
    for team in ["red", "blue"] {
        world.put(json!({"pk": "P#ann", "sk": "SEAT#1", "team": team, "role": "lead"})).await;
        world.drain().await;
    }
    let details = details(&world).into_iter();
    let told = details.map(|detail| format!("{} {}", detail["metadata"]["verb"], detail["metadata"]["tenant"]));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [r#""granted" "red""#, r#""updated" "blue""#, r#""revoked" "red""#, r#""granted" "blue""#]
    );
}

/// A snapshot reaches the queue of a subscriber whole, in calls of ten messages, or an error says how much is missing.
#[tokio::test]
async fn events_are_sent_to_a_queue() {
    let world = World::open("access-management").await;
    let texts = || (0..25).map(|number| format!("{{\"number\": {number:02}}}"));
    for queue in ["subscriber", "subscriber.fifo"] {
        let url = format!("https://sqs.us-east-1.amazonaws.com/000000000000/{queue}");
        let unsent = world.instep.send_texts(&url, texts()).await.unwrap_err();
        assert!(unsent.starts_with("25 of 25 messages were not sent: "), "{unsent}");
        world.stack.make_queue(&url, QueueOptions::default());
        world.instep.send_texts(&url, texts()).await.unwrap();
        let mut bodies: Vec<String> = world.stack.messages(&url).into_iter().map(|message| message.body).collect();
        bodies.sort();
        assert_eq!(bodies, texts().collect::<Vec<_>>(), "{queue}");
    }
}
