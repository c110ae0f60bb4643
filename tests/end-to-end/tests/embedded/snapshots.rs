//! Snapshots that are sent to the bus on a schedule, by invocations that end, fail and go on.

use std::collections::BTreeSet;

use instep_aws::{Instep, SnapshotProgress};
use instep_local::Fault;
use instep_model::Model;
use instep_sweep_function::snapshot::{end_incomplete, give_up, go_on, send};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::Instant;

use crate::own::{self, put};
use crate::world::{World, now, run};

const MODEL: &str = "items.Person = { pk = \"P#{id}\", sk = \"P\", entity = \"Person\" }";

/// So many items of this size are more than two pages of Scan have.
const ITEMS: usize = 30;
const ITEM_BYTES: usize = 100_000;

/// A world with several pages of items, of which everything is published.
async fn large() -> World {
    let world = own::world(MODEL).await;
    for nth in 0..ITEMS {
        put(&world, (&format!("P#{nth}"), "P"), json!({"text": "x".repeat(ITEM_BYTES)})).await;
    }
    world.drain().await;
    world
}

/// The metadata of the events of snapshots that are on the bus.
fn sent(world: &World) -> Vec<Value> {
    let details = world.stack.published().into_iter();
    let details = details.map(|event| serde_json::from_str::<Value>(&event.detail).unwrap()["metadata"].clone());
    details.filter(|metadata| metadata.get("snapshot").is_some()).collect()
}

fn ids(sent: &[Value]) -> BTreeSet<String> {
    sent.iter().map(|metadata| metadata["id"].as_str().unwrap().to_owned()).collect()
}

fn ends(sent: &[Value]) -> Vec<&Value> {
    sent.iter().filter(|metadata| metadata["verb"] == "ended").map(|metadata| &metadata["snapshot"]).collect()
}

fn begun(world: &World, instep: &Instep) -> SnapshotProgress {
    instep.begin_snapshot(&world.settings().bus, now())
}

/// What an invocation leaves is kept for the next one.
fn handed_on(taken: &SnapshotProgress) -> SnapshotProgress {
    serde_json::from_str(&serde_json::to_string(taken).unwrap()).unwrap()
}

/// Promise 8: an invocation whose time is over ends after a step, and the next one goes on there. A subscriber of the bus
/// hears one snapshot, whole.
#[tokio::test]
async fn a_snapshot_goes_on_where_the_last_invocation_ended() {
    let world = large().await.parking();
    let mut invocations = 1;
    while !go_on(&world.instep, now(), Some(Instant::now()), &run()).await.unwrap() {
        invocations += 1;
    }
    assert!(invocations > 4, "the beginning, three pages or more, the end: {invocations}");
    let sent = sent(&world);
    assert_eq!((sent[0]["verb"].as_str(), sent.len()), (Some("started"), ITEMS + 2));
    assert_eq!(ids(&sent).len(), sent.len(), "each once");
    let snapshots: BTreeSet<&str> = sent.iter().map(|metadata| metadata["snapshot"]["id"].as_str().unwrap()).collect();
    assert_eq!(snapshots.len(), 1);
    let [end] = ends(&sent)[..] else { panic!("{sent:?}") };
    assert_eq!((&end["complete"], &end["count"]), (&json!(true), &json!(ITEMS)));
    assert_eq!(sent.last().unwrap()["verb"], "ended");
}

/// Promise 8: an invocation that dies, or whose bus fails, is repeated from what it was given: under the same ids.
#[tokio::test]
async fn what_an_invocation_sends_again_has_the_same_ids() {
    let world = large().await;
    let first = send(&world.instep, begun(&world, &world.instep), Some(Instant::now()), &run()).await.unwrap();
    // It dies after all pages: nobody keeps how far it was.
    let whole = send(&world.instep, handed_on(&first), None, &run()).await.unwrap();
    assert!(whole.is_over());
    let before = sent(&world);
    world.stack.faults().next("PutEvents", 1, Fault::refuse("AccessDeniedException"));
    let refused = send(&world.instep, handed_on(&first), None, &run()).await.unwrap_err();
    assert_eq!(refused.kind, "SnapshotFailed");
    let again = send(&world.instep, handed_on(&first), None, &run()).await.unwrap();
    assert!(again.is_over() && again.count() == ITEMS, "{again:?}");
    assert_eq!(ids(&sent(&world)), ids(&before));
    assert!(ends(&sent(&world)).iter().all(|end| end["complete"] == true && end["count"] == ITEMS));
}

/// Promise 4: a snapshot that cannot go on says so. Subscribers then delete nothing.
#[tokio::test]
async fn a_snapshot_that_cannot_go_on_is_not_complete() {
    let mut world = large().await;
    let mut taken = begun(&world, &world.instep);
    for _ in 0..2 {
        taken = send(&world.instep, taken, Some(Instant::now()), &run()).await.unwrap();
    }
    // A step that fails after others have gone leaves how far these were.
    world.stack.faults().next("Scan", 100, Fault::refuse("AccessDeniedException"));
    let failed = send(&world.instep, handed_on(&taken), None, &run()).await.unwrap_err();
    assert!(failed.kind == "SnapshotFailed" && failed.message.contains("Scan"), "{failed}");
    let other = format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{}", MODEL.replace("}\"", "}!\""));
    world.deploy(Arc::new(Model::parse("own.toml", &other).unwrap()));
    let refused = send(&world.instep, handed_on(&taken), None, &run()).await.unwrap_err();
    assert_eq!(refused.kind, "SnapshotRefused", "{refused}");
    end_incomplete(&world.instep, &taken, &run()).await.unwrap();
    let sent = sent(&world);
    let [end] = ends(&sent)[..] else { panic!("{sent:?}") };
    assert_eq!(end["complete"], false);
    assert_eq!(end["count"], sent.len() - 2);
    assert!(sent.len() > 2 && sent.len() < ITEMS, "{}", sent.len());
}

/// Promise 4: the same of one whose invocations have nothing but the time at which it began.
#[tokio::test]
async fn a_snapshot_that_is_given_up_ends_with_what_was_sent() {
    let world = large().await.parking();
    for _ in 0..2 {
        assert!(!go_on(&world.instep, now(), Some(Instant::now()), &run()).await.unwrap());
    }
    give_up(&world.instep, now(), &run()).await.unwrap();
    let sent = sent(&world);
    let [end] = ends(&sent)[..] else { panic!("{sent:?}") };
    assert_eq!((&end["complete"], end["count"].as_u64()), (&json!(false), u64::try_from(sent.len() - 2).ok()));
}
