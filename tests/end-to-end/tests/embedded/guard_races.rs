//! Unique values, cascades and parked events with concurrent writers or handlers.

use std::time::Duration;

use instep_aws::RunOptions;
use serde_json::json;
use tokio::time::Instant;

use crate::gate::{held_at, take_records};
use crate::world::{World, pk, run};

fn resource(id: u8, more: serde_json::Value) -> serde_json::Value {
    let key = format!("Resource#urn:pp:System.User::{id}");
    let mut item = json!({"PK": key, "SK": key, "_resourceType": "System.User"});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    item
}

/// The owner of the only email address.
async fn email_holder(world: &World) -> String {
    let state = world.state().await;
    let is_email = |item: &&instep_model::Item| pk(item, "PK").contains("#emailAddress#");
    let holder = state.items.iter().filter(is_email).find_map(|item| item.get("associatedRecordUrn")).unwrap();
    holder.as_s().unwrap().to_owned()
}

/// Promise 7: of two claimants in one batch, the first in the stream gets the value.
#[tokio::test]
async fn the_first_in_the_stream_gets_the_value() {
    let world = World::open("relational-store").await;
    world.put(resource(2, json!({"emailAddress": "e@example.com"}))).await;
    world.put(resource(1, json!({"emailAddress": "e@example.com"}))).await;
    world.drain().await;
    let state = world.state().await;
    let holder = state.items.iter().find_map(|item| item.get("associatedRecordUrn")).unwrap();
    assert_eq!(holder.as_s(), Some("urn:pp:System.User::2"));
}

/// Promise 4: a lost claim is published under one id, however its records are batched.
#[tokio::test]
async fn a_conflict_has_one_id() {
    let world = World::open("relational-store").await;
    world.put(resource(1, json!({"emailAddress": "e@example.com"}))).await;
    world.drain().await;
    world.put(resource(2, json!({"emailAddress": "e@example.com"}))).await;
    world.put(resource(2, json!({"emailAddress": "e@example.com", "name": "b"}))).await;
    let records = take_records(&world).await;
    let mut ids = Vec::new();
    for batch in [&records[..], &records[..1], &records[1..]] {
        for event in world.instep.handle(batch, &run()).await.events {
            let detail: serde_json::Value = serde_json::from_str(&event.entry.detail).unwrap();
            if detail["metadata"]["verb"] == "conflicted" {
                ids.push(detail["metadata"]["id"].clone());
            }
        }
    }
    assert_eq!(ids.len(), 2, "the second record claims nothing new");
    assert_eq!(ids[0], ids[1]);
}

/// Promise 8: a cascade ends even if each invocation has little time.
#[tokio::test(start_paused = true)]
async fn a_cascade_ends_with_little_time() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "U:x@example.com", "email": "x@example.com"})).await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
    for _ in 0..10 {
        let records = take_records(&world).await;
        if records.is_empty() {
            break;
        }
        let deadline = Some(Instant::now() + Duration::from_secs(3));
        world.instep.handle(&records, &RunOptions { deadline, ..run() }).await;
    }
    world.drain().await;
    assert!(world.state().await.items.iter().all(|item| !item["sk"].as_s().unwrap().starts_with("G:")));
}

/// Promise 1: an edge of a deleted parent is deleted, and its child is kept, if another parent of
/// the child is created again at that moment.
#[tokio::test]
async fn another_parent_that_is_created_again_keeps_the_child() {
    let world = World::open("relational-store").await;
    let edge =
        |parent: u8| json!({"PK": format!("Parent#urn:pp:System.User::{parent}"), "SK": "Child#urn:pp:System.User::1"});
    for id in 1..=3 {
        world.put(resource(id, json!({}))).await;
    }
    world.put(edge(2)).await;
    world.put(edge(3)).await;
    world.drain().await;
    for id in [2, 3] {
        let key = format!("Resource#urn:pp:System.User::{id}");
        world.delete(("PK", "SK"), (&key, &key)).await;
    }
    let records = take_records(&world).await;
    held_at(&world, "TransactWriteItems", &records[1..], async {
        world.put(resource(2, json!({}))).await;
    })
    .await;
    world.drain().await;
    let items = world.state().await.items;
    let has = |text: &str| items.iter().any(|item| pk(item, "PK") == text);
    assert!(has("Resource#urn:pp:System.User::1") && has("Parent#urn:pp:System.User::2"));
    assert!(!has("Parent#urn:pp:System.User::3"), "it leads from a deleted parent");
}

/// Promise 7: if the takeover of a stronger claimant fails because the holder changed meanwhile,
/// the claimant keeps its pending claim.
#[tokio::test]
async fn a_takeover_that_fails_is_tried_again() {
    let world = World::open("relational-store").await;
    let verified = json!({"emailAddress": "e@example.com", "emailAddressVerified": true});
    world.put(resource(1, verified.clone())).await;
    world.put(resource(2, verified)).await;
    world.drain().await;
    world.put(resource(1, json!({"emailAddress": "e@example.com"}))).await;
    let records = take_records(&world).await;
    held_at(&world, "TransactWriteItems", &records, async {
        world.put(resource(1, json!({"emailAddress": "e@example.com", "phoneNumber": "+15550001"}))).await;
    })
    .await;
    world.drain().await;
    assert_eq!(email_holder(&world).await, "urn:pp:System.User::2");
}

/// Promise 7: a released value that a claimant took without reading the pending claims goes to the
/// stronger pending claim.
#[tokio::test]
async fn a_stronger_pending_claim_gets_a_value_that_another_took() {
    let world = World::open("relational-store").await;
    let email = json!({"emailAddress": "e@example.com"});
    let verified = json!({"emailAddress": "e@example.com", "emailAddressVerified": true});
    world.put(resource(1, verified.clone())).await;
    world.put(resource(2, verified)).await;
    world.drain().await;
    world.put(resource(1, json!({}))).await;
    let released = take_records(&world).await;
    world.put(resource(3, email)).await;
    world.drain().await;
    world.instep.handle(&released, &run()).await;
    world.drain().await;
    assert_eq!(email_holder(&world).await, "urn:pp:System.User::2");
}

/// Promise 8: two parents that dependents know by one name share a tombstone. Their deletions in
/// one batch write it once.
#[tokio::test]
async fn parents_that_share_a_name_share_a_tombstone() {
    let world = World::open("account-management").await;
    world.put(json!({"PK": "CLIENT#c", "SK": "METADATA"})).await;
    let roles = [("SYSTEM", "ROLE#r"), ("CLIENT#c", "ROLE#r")];
    for (partition, sort) in roles {
        world.put(json!({"PK": partition, "SK": sort})).await;
    }
    world.drain().await;
    for role in roles {
        world.delete(("PK", "SK"), role).await;
    }
    let reports = world.drain().await;
    assert!(reports.iter().all(|report| report.retry_from().is_none()), "{reports:?}");
    let state = world.state().await;
    let tombstones = state.items.iter().filter(|item| pk(item, "PK").starts_with("INSTEP#GONE#Role"));
    assert_eq!(tombstones.map(|item| pk(item, "PK")).collect::<Vec<_>>().len(), 2, "by role, and by client and role");
}
