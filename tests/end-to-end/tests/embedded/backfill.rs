//! A backfill: of items whose records are too large for a message, and beside much other work.

use std::sync::Mutex;
use std::time::Duration;

use aws_sdk_cognitoidentityprovider::types::AttributeType;
use instep_aws::sweep::SweepProgress;
use instep_aws::{RunOptions, Sending};
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::Mode;
use instep_flow::sweep::units::SweepUnit;
use instep_local::{APP_CLIENT, CONFIRMATION_CODE};
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

/// Promise 2: a person who is to vouch for accounts sees of each what decides.
#[tokio::test]
async fn accounts_that_instep_did_not_make_are_listed_with_what_decides() {
    let world = World::with_pool("access-management", |pool| pool.sign_up = true).await;
    let (cognito, pool) = (world.instep.clients().cognito(), world.stack.user_pool());
    let text = |name: &str, value: &str| AttributeType::builder().name(name).value(value).build().unwrap();
    let made = async |user: &str, attributes: &[(&str, &str)]| {
        let attributes = attributes.iter().map(|(name, value)| text(name, value)).collect();
        let make = cognito.admin_create_user().user_pool_id(pool).username(user).set_user_attributes(Some(attributes));
        make.send().await.unwrap();
    };
    let signed_up = async |user: &str| {
        let email = text("email", user);
        let sign_up = cognito.sign_up().client_id(APP_CLIENT).username(user).password("Pass-w0rd!");
        sign_up.user_attributes(email).send().await.unwrap();
    };
    made("admin@example.com", &[("email", "admin@example.com"), ("email_verified", "true")]).await;
    made("disabled@example.com", &[("email", "another@example.com")]).await;
    cognito.admin_disable_user().user_pool_id(pool).username("disabled@example.com").send().await.unwrap();
    made("of-other@example.com", &[("custom:instep", "instep:other:1")]).await;
    signed_up("waits@example.com").await;
    signed_up("stranger@example.com").await;
    let confirm = cognito.confirm_sign_up().client_id(APP_CLIENT).username("stranger@example.com");
    confirm.confirmation_code(CONFIRMATION_CODE).send().await.unwrap();
    made("nobody@example.com", &[]).await;
    for user in ["admin", "disabled", "of-other", "waits", "stranger", "new"] {
        let key = format!("U:{user}@example.com");
        world.put(json!({"pk": key, "sk": key, "email": format!("{user}@example.com")})).await;
    }
    let listed = async || {
        let existing = world.instep.existing_users(&run(), &|_| {}).await.unwrap();
        let of = existing.into_iter().map(|user| {
            let known = user.addresses.get("email").map_or("no address", |compared| compared.word());
            let enabled = if user.enabled { "" } else { ", disabled" };
            let name = user.user.trim_end_matches("@example.com").to_owned();
            format!("{} {name}: {}{enabled}; {known}; {}", user.backfill.word(), user.status, user.because)
        });
        of.collect::<Vec<_>>()
    };
    let expected = [
        "adopts admin: FORCE_CHANGE_PASSWORD; equal and verified; an administrator made it, and nobody has signed in",
        "adopts disabled: FORCE_CHANGE_PASSWORD, disabled; another one; an administrator made it, and nobody has signed in",
        "parks of-other: FORCE_CHANGE_PASSWORD; none; it has the mark of another model",
        "adopts stranger: CONFIRMED; equal and verified; somebody signed up, or used an invitation",
        "waits waits: UNCONFIRMED; equal, not verified; somebody has signed up, and has not confirmed that",
    ];
    assert_eq!(listed().await, expected, "before a record was handled");
    take_records(&world).await;
    assert_eq!(listed().await, expected, "the account of `new` is Instep's, and `nobody` has no item");
    let run = RunOptions { adopt_before: Some(run().now + Duration::from_secs(60)), ..run() };
    sweeping(&world).backfill(&run, &|_| {}).await.unwrap();
    world.drain_work().await;
    assert_eq!(listed().await, [expected[2], expected[4]], "the backfill did as it was said");
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
    assert_eq!(left, ["Membership a@example.com/%2Fa"]);
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
