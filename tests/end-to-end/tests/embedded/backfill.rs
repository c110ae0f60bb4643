//! A backfill of items whose records are too large for a message.

use instep_aws::redrive::{Redrive, Tally};
use serde_json::{Value, json};

use crate::gate::take_records;
use crate::redrive::{Observed, membership};
use crate::world::{World, run};

/// A list of 160 KB as DynamoDB counts, and of 1.1 MB in a record.
fn large() -> Value {
    json!(vec![Value::Null; 80_000])
}

/// Backfills without a bucket, as the command line does. Returns the counts, and what was left.
async fn backfill(world: &World) -> (Tally, Vec<String>) {
    let (mut observed, mut redrive) = (Observed::default(), Redrive::new(&world.instep, run()));
    redrive.table(&mut |progress| observed.observe(&progress)).await.unwrap();
    world.drain_work().await;
    (redrive.tally().clone(), observed.left)
}

/// Promise 1: what effects do not depend on need not fit a message.
#[tokio::test]
async fn an_item_that_fits_no_message_is_backfilled() {
    let world = World::open("access-management").await;
    membership(&world, "x", "reader").await;
    world.put(json!({"pk": "U:y@example.com", "sk": "U:y@example.com", "note": large()})).await;
    world.put(json!({"pk": "U:y@example.com", "sk": "G:/a", "role": "admin", "note": large()})).await;
    take_records(&world).await;
    let (tally, left) = backfill(&world).await;
    assert!(tally.is_complete() && tally.sent == 5, "{tally:?} {left:?}");
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.members("/a|||admin").await, ["y@example.com"]);
}

/// Promise 6: one item harms itself only, and the person learns which one it is.
#[tokio::test]
async fn an_item_that_cannot_be_sent_is_named_and_left_out() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "U:a@example.com", "sk": "G:/a", "role": large()})).await;
    membership(&world, "x", "reader").await;
    take_records(&world).await;
    let (tally, left) = backfill(&world).await;
    assert_eq!((tally.sent, tally.left_out, tally.is_complete()), (3, 1, false));
    assert_eq!(left, ["Membership a@example.com//a: left out"]);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}
