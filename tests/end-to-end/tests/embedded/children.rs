//! When a child is deleted with its parent, and when it is pending.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem};
use instep_aws::redrive::{Redrive, Store};
use instep_aws::{QueueMessage, RunOptions, Sending};
use instep_flow::report::Outcome;
use instep_flow::work::Origin;
use instep_local::Fault;
use instep_model::Model;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{gated, take_records, take_work};
use crate::world::{QUEUE, World, pk, run};
use crate::{own, sweep};

/// How long after its parent's deletion a child is surely no longer deleted with it.
const LONG_AFTER: Duration = Duration::from_secs(60);

const WITHIN_THE_GRACE: Duration = Duration::from_secs(5);

/// A failed record that a redrive sends again.
const REDRIVEN: Sending = Sending { origin: Origin::Failed, ..Sending::REPLAY };

/// A friendship has a row for each of the two, and each row belongs to the other.
const MIRRORS: &str = r#"
model = "mirrors"
[table]
pk = "pk"
sk = "sk"
[items.Asked]
pk = "P#{a}"
sk = "TO#{b}"
parent = "Answered"
[items.Answered]
pk = "P#{b}"
sk = "FROM#{a}"
parent = "Asked"
"#;

const ASKED: (&str, &str) = ("P#ann", "TO#bob");
const ANSWERED: (&str, &str) = ("P#bob", "FROM#ann");

async fn put_account(world: &World) {
    world.put(json!({"PK": "ACCOUNT#a", "SK": "METADATA"})).await;
}

async fn put_address(world: &World, note: &str) {
    world.put(json!({"PK": "ACCOUNT#a", "SK": "ADDRESS#1", "note": note})).await;
}

/// A child of the account that only an index leads to.
async fn put_user(world: &World) {
    let user =
        json!({"PK": "USER#u", "SK": "METADATA", "GSI2PK": "ACCOUNT#a#USERS", "GSI2SK": "USER#u", "account_id": "a"});
    world.put(user).await;
}

async fn has_user(world: &World) -> bool {
    world.state().await.items.iter().any(|item| pk(item, "PK") == "USER#u")
}

async fn has_address(world: &World) -> bool {
    has(world, "ADDRESS#1").await
}

async fn has(world: &World, sk: &str) -> bool {
    world.state().await.items.iter().any(|item| pk(item, "SK") == sk)
}

/// An account that was deleted with its address, and the record of that address's creation.
async fn deleted_account() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("platform").await;
    put_account(&world).await;
    world.drain().await;
    put_address(&world, "first").await;
    let created = take_records(&world).await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    world.drain().await;
    assert!(!has_address(&world).await, "the address was deleted with its account");
    (world, created)
}

async fn replay(world: &World, records: &[Box<RawValue>], sending: Sending) {
    world.instep.send_records(records, sending, &run()).await.unwrap();
    world.drain().await;
}

/// Promise 2: an old record says nothing about a child that was written again.
#[tokio::test]
async fn an_old_record_deletes_no_child_that_was_written_again() {
    let (world, created) = deleted_account().await;
    world.stack.clock().advance(LONG_AFTER);
    put_address(&world, "second").await;
    world.drain().await;
    replay(&world, &created, Sending::REPLAY).await;
    assert!(has_address(&world).await, "a replay deleted it");
    replay(&world, &created, REDRIVEN).await;
    assert!(has_address(&world).await, "a redrive deleted it");
}

/// As [`deleted_account`], with the address written again as it was, long afterwards. Only the record of
/// its first creation is left.
async fn address_as_before() -> (World, Vec<Box<RawValue>>) {
    let (world, created) = deleted_account().await;
    world.stack.clock().advance(LONG_AFTER);
    put_address(&world, "first").await;
    take_records(&world).await;
    (world, created)
}

/// Promise 1: a redriven record deletes the child that it wrote, if the child has not changed since.
#[tokio::test]
async fn a_redriven_record_deletes_the_child_that_it_wrote() {
    let (world, created) = address_as_before().await;
    replay(&world, &created, Sending::REPLAY).await;
    assert!(has_address(&world).await, "a replay deleted it");
    replay(&world, &created, REDRIVEN).await;
    assert!(!has_address(&world).await);
}

/// Promise 2: a child that is written again while the run over a redriven record waits stays.
#[tokio::test]
async fn a_child_that_changes_before_a_redriven_record_deletes_it_stays() {
    let (world, created) = address_as_before().await;
    world.instep.send_records(&created, REDRIVEN, &run()).await.unwrap();
    let messages = take_work(&world).await;
    let (handler, [stop]) = gated(&world, ["TransactWriteItems"]);
    let now = run();
    let (report, ()) = tokio::join!(handler.work(&messages, &now), stop.then(put_address(&world, "second")));
    assert_eq!(report.failed, [""; 0]);
    world.drain().await;
    assert!(has_address(&world).await);
}

async fn mirrored() -> World {
    let world = World::of(Model::parse("mirrors.toml", MIRRORS).unwrap(), Duration::ZERO).await;
    together(&world).await;
    world.drain().await;
    assert_eq!(world.state().await.items.len(), 2);
    world
}

/// Writes both rows in one transaction.
async fn together(world: &World) {
    let put = |(pk, sk): (&str, &str)| {
        let put = Put::builder().table_name("table");
        let put = put.item("pk", AttributeValue::S(pk.to_owned())).item("sk", AttributeValue::S(sk.to_owned()));
        TransactWriteItem::builder().put(put.build().unwrap()).build()
    };
    world.client.transact_write_items().transact_items(put(ASKED)).transact_items(put(ANSWERED)).send().await.unwrap();
}

async fn rows(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let own = items.iter().filter(|item| !pk(item, "pk").starts_with("INSTEP#"));
    own.map(|item| format!("{} {}", pk(item, "pk"), pk(item, "sk"))).collect()
}

const BOTH: [&str; 2] = ["P#ann TO#bob", "P#bob FROM#ann"];

/// Promise 2: written again at once, they stay if one transaction writes both.
#[tokio::test]
async fn mirror_rows_of_one_transaction_stay() {
    let world = mirrored().await;
    world.delete(("pk", "sk"), ASKED).await;
    world.drain().await;
    together(&world).await;
    world.drain().await;
    assert_eq!(rows(&world).await, BOTH);
}

/// Promise 2: a captured deletion may be of any age. It starts no cascade, also not through an index that shows
/// children late.
#[tokio::test]
async fn a_replayed_deletion_deletes_no_pending_child() {
    let world = World::open("platform").await;
    put_account(&world).await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    let deleted = take_records(&world).await;
    replay(&world, &deleted, REDRIVEN).await;
    world.stack.clock().advance(LONG_AFTER);
    put_address(&world, "second").await;
    put_user(&world).await;
    world.drain().await;
    replay(&world, &deleted, Sending::REPLAY).await;
    assert!(has_address(&world).await);
    assert!(has_user(&world).await);
}

/// Promise 2: what is deleted is not corrected first. Its deletion asks for the item as it was read.
#[tokio::test]
async fn what_is_deleted_is_not_corrected_first() {
    let world = own::world(sweep::MODEL).await;
    own::put(&world, ("P#p", "P"), json!({})).await;
    own::put(&world, ("T#t", "T"), json!({})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#t", "T")).await;
    world.drain().await;
    world.stack.clock().advance(WITHIN_THE_GRACE);
    own::put(&world, ("T#t", "SEAT#p"), json!({"g1p": "wrong"})).await;
    let before = world.stack.calls().snapshot();
    world.drain().await;
    assert_eq!(rows(&world).await, ["P#p P"]);
    let updates = |calls: &std::collections::BTreeMap<_, u64>| calls.get("UpdateItem").copied();
    assert_eq!(updates(&world.stack.calls().snapshot()), updates(&before));
}

/// Promise 8: one transaction deletes children of many parents, and checks each of these. It has no more actions than
/// DynamoDB takes.
#[tokio::test]
async fn many_parents_with_a_few_children_each_are_deleted_in_one_run() {
    let text = "[items.Team]\npk = \"T#{teamId}\"\nsk = \"T\"\nentity = \"Team\"\n\
                [items.Note]\npk = \"T#{teamId}\"\nsk = \"N#{noteId}\"\nparent = \"Team\"\n";
    let world = own::world(text).await;
    let teams: Vec<String> = (0..60).map(|team| format!("T#{team}")).collect();
    for team in &teams {
        for sk in ["T", "N#1", "N#2", "N#3"] {
            own::put(&world, (team, sk), json!({})).await;
        }
    }
    world.drain().await;
    for team in &teams {
        world.delete(("pk", "sk"), (team, "T")).await;
    }
    let records = take_records(&world).await;
    let calls = || world.stack.calls().snapshot().get("TransactWriteItems").copied().unwrap_or_default();
    let before = calls();
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    assert_eq!(own::keys(&world).await, [""; 0]);
    // One for the tombstones, and three for 60 times three children and a check. A refused one would be divided.
    assert_eq!(calls() - before, 4);
}

/// Days after a message was sent.
const DAYS: Duration = Duration::from_secs(3 * 24 * 60 * 60);

/// The run of a worker at the present time of a world.
fn now_in(world: &World) -> RunOptions {
    RunOptions { now: world.stack.clock().now(), ..run() }
}

/// The work functions of a world, and those of the stream, at its present time.
async fn drain_now(world: &World) -> Vec<String> {
    let reports = world.drain_with(now_in(world)).await;
    let outcomes = reports.into_iter().flat_map(|report| report.records).map(|record| record.outcome);
    outcomes
        .filter_map(|outcome| if let Outcome::Parked(parked) = outcome { Some(parked.code.to_owned()) } else { None })
        .collect()
}

/// The last of 150 addresses in the order of their keys: on the last page.
const LAST: &str = "ADDRESS#99";

/// A world whose cascade of an account has more than one page, and copies of the messages of that cascade and of its
/// record.
async fn cascade_that_ended() -> (World, Vec<QueueMessage>, Vec<Box<RawValue>>) {
    let world = World::with_parking("platform").await;
    put_account(&world).await;
    for place in 0..150 {
        world.put(json!({"PK": "ACCOUNT#a", "SK": format!("ADDRESS#{place}")})).await;
    }
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    let deletion = take_records(&world).await;
    world.instep.handle(&deletion, &run()).await;
    let messages = take_work(&world).await;
    assert!(messages.iter().any(|message| message.body.contains("\"dependents\"")), "the next page");
    world.instep.work(&messages, &run()).await;
    world.drain().await;
    (world, messages, deletion)
}

/// Promise 2: a cascade's message that comes days later deletes nothing that was written since, and says what is left.
#[tokio::test]
async fn an_old_message_of_a_cascade_deletes_nothing() {
    let (world, messages, _) = cascade_that_ended().await;
    world.stack.clock().advance(DAYS);
    assert_eq!(parked_by(&world, &messages).await, [""; 0], "nothing is left");
    world.put(json!({"PK": "ACCOUNT#a", "SK": LAST})).await;
    assert_eq!(parked_by(&world, &messages).await, ["late-cascade"]);
    assert!(has(&world, LAST).await);
    // A message of an earlier version does not say when it was sent.
    let unknown = |message: &QueueMessage| {
        let mut body: serde_json::Value = serde_json::from_str(&message.body).unwrap();
        body.as_object_mut().unwrap().remove("sentAt").unwrap();
        QueueMessage { body: body.to_string(), ..message.clone() }
    };
    let undated: Vec<QueueMessage> = messages.iter().map(unknown).collect();
    assert_eq!(parked_by(&world, &undated).await, ["late-cascade"]);
    drain_now(&world).await;
    assert!(has(&world, LAST).await);

    put_account(&world).await;
    drain_now(&world).await;
    assert_eq!(parked_by(&world, &messages).await, [""; 0], "the account exists again");
    assert!(has(&world, LAST).await);
}

/// The codes of what a run over messages parks.
async fn parked_by(world: &World, messages: &[QueueMessage]) -> Vec<String> {
    let records = world.instep.work(messages, &now_in(world)).await.report.records.into_iter();
    records
        .filter_map(
            |record| if let Outcome::Parked(parked) = record.outcome { Some(parked.code.to_owned()) } else { None },
        )
        .collect()
}

/// Promise 2: so does a copy of the deletion's record, if its cascade began then. One that no run has handled deletes
/// the children that are there.
#[tokio::test]
async fn an_old_record_of_a_deletion_repeats_no_cascade() {
    let (world, _, deletion) = cascade_that_ended().await;
    world.stack.clock().advance(DAYS);
    put_address(&world, "imported").await;
    world.drain_with(now_in(&world)).await;
    world.instep.send_records(&deletion, REDRIVEN, &now_in(&world)).await.unwrap();
    assert_eq!(drain_now(&world).await, ["late-cascade"]);
    // Nor does the batch that Lambda delivers again, nor a message that says that its records are from the stream.
    let reports = [world.instep.handle(&deletion, &now_in(&world)).await];
    assert_eq!(own::parked(&reports), ["late-cascade"]);
    let live = Sending { origin: Origin::Stream, ..REDRIVEN };
    world.instep.send_records(&deletion, live, &now_in(&world)).await.unwrap();
    assert_eq!(drain_now(&world).await, ["late-cascade"]);
    assert!(has_address(&world).await);

    let world = World::with_parking("platform").await;
    put_account(&world).await;
    put_address(&world, "first").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    let given_up = take_records(&world).await;
    world.stack.clock().advance(DAYS);
    world.instep.send_records(&given_up, REDRIVEN, &now_in(&world)).await.unwrap();
    assert_eq!(drain_now(&world).await, [""; 0]);
    assert!(!has_address(&world).await, "a deletion never vanishes");
}

/// Promise 2: nor does the delayed message, which asks an index once more for children, if the record is old.
#[tokio::test]
async fn an_old_record_of_a_deletion_sends_no_late_message() {
    let world = World::with_parking("platform").await;
    put_account(&world).await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    let deletion = take_records(&world).await;
    world.instep.handle(&deletion, &run()).await;
    world.drain().await;
    world.stack.clock().advance(DAYS);
    put_user(&world).await;
    drain_now(&world).await;
    world.instep.send_records(&deletion, REDRIVEN, &now_in(&world)).await.unwrap();
    assert_eq!(drain_now(&world).await, ["late-cascade"]);
    assert!(has_user(&world).await);
}

/// Promise 2: a child's record that is redriven days later deletes no child that was written again, although it is
/// equal.
#[tokio::test]
async fn an_old_record_of_a_child_deletes_no_equal_child() {
    let world = World::with_parking("platform").await;
    put_account(&world).await;
    world.drain().await;
    put_address(&world, "first").await;
    let created = take_records(&world).await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    world.drain().await;
    world.stack.clock().advance(DAYS);
    put_address(&world, "first").await;
    drain_now(&world).await;
    world.instep.send_records(&created, REDRIVEN, &now_in(&world)).await.unwrap();
    assert_eq!(drain_now(&world).await, ["late-cascade"]);
    assert!(has_address(&world).await);
}

/// Promise 2: what a sweep found days ago is not deleted: it may have been written since, and the next sweep finds what
/// is left.
#[tokio::test]
async fn an_old_finding_of_a_sweep_deletes_nothing() {
    let model = "[items.Folder]\npk = \"F#{folderId}\"\nsk = \"F\"\n[items.Note]\npk = \"F#{folderId}\"\n\
                 sk = \"N#{noteId}\"\nparent = \"Folder\"\n";
    let world = own::world_with("pk = \"pk\", sk = \"sk\", orphans = \"remove\"", model).await;
    world.put(json!({"pk": "F#1", "sk": "F"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("F#1", "F")).await;
    world.drain().await;
    world.put(json!({"pk": "F#1", "sk": "N#1"})).await;
    take_records(&world).await;
    sweep::repair(&world).await;
    let found = take_work(&world).await;
    world.stack.clock().advance(DAYS);
    let report = world.instep.work(&found, &now_in(&world)).await.report;
    assert!(matches!(report.records[0].outcome, Outcome::Skipped { .. }), "{report:?}");
    assert_eq!(own::keys(&world).await, ["F#1 N#1"]);
    world.instep.work(&found, &run()).await;
    assert_eq!(own::keys(&world).await, [""; 0], "in time, it deletes the note");
}

/// Promise 6: a child that DynamoDB refuses to delete for good keeps no other child, and what led to it is parked. So a
/// redrive deletes it.
#[tokio::test]
async fn a_child_that_cannot_be_deleted_is_parked() {
    let world = World::with_parking("platform").await;
    put_account(&world).await;
    put_address(&world, "first").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    let deletion = take_records(&world).await;
    // The first transaction writes the tombstone.
    world.stack.faults().on("TransactWriteItems", 0..3, Fault::refuse("ItemCollectionSizeLimitExceededException"));
    let report = world.instep.handle(&deletion, &run()).await;
    assert!(
        matches!(&report.records[0].outcome, Outcome::Parked(parked) if parked.code == "service-refused"),
        "{report:?}"
    );
    assert!(has_address(&world).await);
    world.stack.faults().clear();
    let mut redrive = Redrive::new(&world.instep, run());
    redrive.send_stored(&Store::Queue(QUEUE.to_owned()), &mut |_| {}).await.unwrap();
    assert_eq!(drain_now(&world).await, [""; 0]);
    assert!(!has_address(&world).await);
}
