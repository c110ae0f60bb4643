//! A backfill: of items whose records are too large for a message, and beside much other work.

use std::sync::Mutex;
use std::time::Duration;

use instep_aws::sweep::SweepProgress;
use instep_aws::{RunOptions, Sending};
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::Mode;
use instep_flow::sweep::units::SweepUnit;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::gate::take_records;
use crate::own::{self, put};
use crate::redrive::membership;
use crate::sweep::{GROUP, options, sweeping};
use crate::world::{World, run};

/// A list of 160 KB as DynamoDB counts, and of 1.1 MB in a record.
fn large() -> Value {
    json!(vec![Value::Null; 80_000])
}

/// Backfills without a bucket, as the command line does. Returns the counts, and what was left.
async fn backfill(world: &World) -> (SweepTally, Vec<String>) {
    let left = Mutex::new(Vec::new());
    let listener = |progress| {
        if let SweepProgress::LeftOut(item) = progress {
            left.lock().unwrap().push(item);
        }
    };
    let tally = sweeping(world).backfill(&run(), &listener).await.unwrap();
    world.drain_work().await;
    (tally, left.into_inner().unwrap())
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
    assert_eq!((tally.sent, tally.left_out, left), (5, 0, Vec::new()));
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.members("/a|||admin").await, ["y@example.com"]);
}

/// Promise 2: a user who was in the pool before Instep serves an item only if a person vouches for the pool of that time.
#[tokio::test]
async fn users_for_whom_a_person_vouches_serve_their_items() {
    let world = World::open("access-management").await;
    let (cognito, pool) = (world.instep.clients().cognito(), world.stack.user_pool());
    cognito.admin_create_user().user_pool_id(pool).username("x@example.com").send().await.unwrap();
    membership(&world, "x", "reader").await;
    take_records(&world).await;
    let adopting = async |adopt_before| {
        let run = RunOptions { adopt_before, ..run() };
        sweeping(&world).backfill(&run, &|_| {}).await.unwrap();
        world.drain_work().await;
        world.members("/a|||reader").await
    };
    assert_eq!(adopting(None).await, [""; 0]);
    assert_eq!(adopting(Some(run().now)).await, [""; 0], "the user is not older");
    assert_eq!(adopting(Some(run().now + Duration::from_secs(1))).await, ["x@example.com"]);
    assert_eq!(world.stack.calls().snapshot().get("AdminDeleteUser"), None);
}

/// Promise 6: one item harms itself only, and the person learns which one it is.
#[tokio::test]
async fn an_item_that_cannot_be_sent_is_named_and_left_out() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "U:a@example.com", "sk": "G:/a", "role": large()})).await;
    membership(&world, "x", "reader").await;
    take_records(&world).await;
    let (tally, left) = backfill(&world).await;
    assert_eq!((tally.sent, tally.left_out), (3, 1));
    assert_eq!(left, ["Membership a@example.com//a"]);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}

/// Promise 6: the same is true of a repair. The sweep goes on with the other items.
#[tokio::test]
async fn an_item_that_cannot_be_repaired_is_named_and_left_out() {
    let world = own::world(
        r#"
        [items.Person]
        pk = "P#{personId}"
        sk = "P"
        cognito.user = { name = "{personId}", create = "silent" }
        [items.Seat]
        pk = "P#{personId}"
        sk = "SEAT"
        parent = "Person"
        grant = { subject = "Person", roles = "role" }
        cognito.member = { user = "Person", group = "{role}", made = "on-demand" }
        "#,
    )
    .await;
    for (name, role) in [("ann", json!("r")), ("ben", json!(vec!["r"; 110_000]))] {
        let key = format!("P#{name}");
        put(&world, (&key, "P"), json!({})).await;
        put(&world, (&key, "SEAT"), json!({"role": role})).await;
    }
    take_records(&world).await;
    let left = Mutex::new(Vec::new());
    let listener = |progress| {
        if let SweepProgress::LeftOut(item) = progress {
            left.lock().unwrap().push(item);
        }
    };
    let swept = sweeping(&world).sweep(&options(true), &run(), &listener).await.unwrap();
    world.drain_work().await;
    assert_eq!(left.into_inner().unwrap(), ["Seat ben"], "{swept:?}");
    assert_eq!(swept.tally.left_out, 1);
    assert!(world.members("r").await.contains(&"ann".to_owned()), "the others are repaired");
}

/// Promise 8: a backfill waits while much work is in the queue: its messages would be before those of the table's own
/// changes. It goes on when they are done.
#[tokio::test]
async fn a_backfill_waits_for_the_work_queue() {
    let world = World::open("access-management").await;
    membership(&world, "x", "reader").await;
    let records = take_records(&world).await;
    for _ in 0..60 {
        world.instep.send_records(&records, Sending::REPLAY, &run()).await.unwrap();
    }
    let instep = sweeping(&world);
    instep.begin_sweep("s", Mode::Backfill, &run()).await.unwrap();
    let waited = Mutex::new(0);
    let listener = |progress| {
        if let SweepProgress::Backlogged(messages) = progress {
            *waited.lock().unwrap() = messages;
        }
    };
    let soon = Instant::now() + Duration::from_millis(1);
    assert!(!instep.sweep_unit("s", SweepUnit::Backfill(0), Some(soon), &run(), &listener).await.unwrap());
    assert_eq!(*waited.lock().unwrap(), 60);
    world.drain_work().await;
    assert!(instep.sweep_unit("s", SweepUnit::Backfill(0), Some(Instant::now()), &run(), &listener).await.unwrap());
}

/// Promise 1: a backfill creates what is missing, of all segments, and publishes nothing.
#[tokio::test]
async fn a_backfill_creates_what_is_missing() {
    let world = crate::sweep::world().await;
    let (cognito, pool) = (world.instep.clients().cognito(), world.stack.user_pool());
    cognito.delete_group().user_pool_id(pool).group_name(GROUP).send().await.unwrap();
    let (published, items) = (world.stack.published().len(), world.state().await.items.len() as u64);
    let (tally, _) = backfill(&world).await;
    assert_eq!((tally.items, tally.sent, tally.users), (items, items, 0));
    assert_eq!(world.members(GROUP).await, ["p"]);
    assert_eq!(world.stack.published().len(), published);
}
