//! Redrive: failed work in every stored form is sent to the work queue, and none of it is lost.

use std::time::Duration;

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use instep_aws::redrive::{Redrive, RedriveOutcome, RedriveProgress, RedriveTally, Store};
use instep_aws::{Clients, Instep, RunOptions, Settings};
use instep_flow::work::Origin;
use instep_local::{Fault, PumpOptions, ReadFrom};
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{take_records, take_work};
use crate::world::{BUCKET, DEAD_LETTERS, QUEUE, RECEIVES_MAX, World, run};

/// The outcome of a redrive, and the progress that it reported.
pub struct Redriven {
    pub tally: RedriveTally,
    pub unreadable: Vec<String>,
    pub left: Vec<String>,
}

#[derive(Default)]
pub struct Observed {
    pub unreadable: Vec<String>,
    pub left: Vec<String>,
}

impl Observed {
    pub fn observe(&mut self, progress: &RedriveProgress<'_>) {
        match progress {
            RedriveProgress::Sent { .. } => {}
            RedriveProgress::Unreadable { name, garbled } => {
                self.unreadable.push(format!("{name}: {}: {}", garbled.code, garbled.reason));
            }
            RedriveProgress::Left { name, why } => self.left.push(format!("{name}: {why}")),
        }
    }

    fn with(self, redrive: &Redrive<'_>) -> Redriven {
        Redriven { tally: redrive.tally().clone(), unreadable: self.unreadable, left: self.left }
    }
}

pub async fn redrive_of(instep: &Instep, place: &Store, run: RunOptions) -> Redriven {
    let (mut observed, mut redrive) = (Observed::default(), Redrive::new(instep, run));
    redrive.send_stored(place, &mut |progress| observed.observe(&progress)).await.unwrap();
    observed.with(&redrive)
}

/// Sends what is in a store, and delivers the work queue.
pub async fn redrive(world: &World, place: &Store) -> Redriven {
    let redriven = redrive_of(&world.instep, place, run()).await;
    world.drain_work().await;
    redriven
}

/// Sends the records of a text, and delivers the work queue.
pub async fn redrive_text(world: &World, text: &str, origin: Origin) -> Redriven {
    let (mut observed, mut redrive) = (Observed::default(), Redrive::new(&world.instep, run()));
    redrive.text("text", text, origin, &mut |progress| observed.observe(&progress)).await;
    world.drain_work().await;
    observed.with(&redrive)
}

pub fn parked_queue() -> Store {
    Store::Queue(QUEUE.to_owned())
}

pub fn on_failure_objects() -> Store {
    Store::Bucket { bucket: BUCKET.to_owned(), prefix: "aws/lambda/".to_owned() }
}

pub async fn membership(world: &World, user: &str, role: &str) {
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    let key = format!("U:{user}@example.com");
    world.put(json!({"pk": key, "sk": key, "email": format!("{user}@example.com")})).await;
    world.put(json!({"pk": key, "sk": "G:/a", "role": role})).await;
}

pub async fn records(world: &World) -> Vec<Box<RawValue>> {
    world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::TrimHorizon).unwrap()
}

pub fn event(records: &[Box<RawValue>]) -> String {
    let records: Vec<&str> = records.iter().map(|record| record.get()).collect();
    format!("{{\"Records\":[{}]}}", records.join(","))
}

/// An object of Lambda's on-failure destination, as Lambda's documents show it.
pub fn on_failure(records: &[Box<RawValue>]) -> Vec<u8> {
    json!({
        "requestContext": {"requestId": "r", "functionArn": "f", "condition": "RetryAttemptsExhausted", "approximateInvokeCount": 501},
        "responseContext": {"statusCode": 200, "executedVersion": "$LATEST", "functionError": ""},
        "version": "1.0",
        "timestamp": "2026-05-01T09:00:00.000Z",
        "DDBStreamBatchInfo": {"shardId": "shardId-1", "startSequenceNumber": "1", "endSequenceNumber": "2", "batchSize": 2, "streamArn": "arn"},
        "payload": event(records),
    })
    .to_string()
    .into_bytes()
}

/// A hard quota parks a record. When there is room again, a redrive sends the record and deletes it
/// from the queue.
#[tokio::test]
async fn parked_records_are_handled_once_their_cause_is_fixed() {
    let world = World::with_parking("access-management").await;
    world.stack.faults().next("CreateGroup", 100, Fault::refuse("LimitExceededException"));
    membership(&world, "x", "reader").await;
    world.drain().await;
    assert_eq!(world.parked(QUEUE).len(), 2, "the group and the membership");
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    world.stack.faults().clear();

    let dry = redrive_of(&world.instep, &parked_queue(), RunOptions { dry_run: true, publish: false, ..run() }).await;
    assert_eq!((dry.tally.sent, dry.tally.done), (2, 2), "what a redrive would do");
    assert_eq!(world.drain_work().await.len(), 0, "a dry run sends nothing");
    assert_eq!(world.parked(QUEUE).len(), 2, "and deletes nothing");

    let redriven = redrive(&world, &parked_queue()).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.parked(QUEUE).len(), 0);
    assert_eq!(redrive(&world, &parked_queue()).await.tally, RedriveTally::default(), "nothing is left to do");
}

/// A record never changes, but its item may have been corrected or deleted since. Then the record
/// does not park again, unless the model does not describe it: nothing tells what was granted for it.
#[tokio::test]
async fn a_record_whose_item_was_corrected_or_deleted_does_not_park_again() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "king").await;
    membership(&world, "y", "king").await;
    world.put(json!({"pk": "U:z@example.com", "sk": "X:poison"})).await;
    world.put(json!({"pk": "U:Z@example.com", "sk": "U:Z@example.com"})).await;
    world.drain().await;
    assert_eq!(world.parked(QUEUE).len(), 4);
    redrive(&world, &parked_queue()).await;
    assert_eq!(world.parked(QUEUE).len(), 4, "nothing is corrected yet");
    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.delete(("pk", "sk"), ("U:y@example.com", "G:/a")).await;
    world.delete(("pk", "sk"), ("U:z@example.com", "X:poison")).await;
    world.delete(("pk", "sk"), ("U:Z@example.com", "U:Z@example.com")).await;
    world.drain().await;
    let redriven = redrive(&world, &parked_queue()).await;
    // The deletion of the item that no item type describes was parked, too.
    assert!(redriven.tally.is_complete() && redriven.tally.done == 5, "{:?}", redriven.tally);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    let codes: Vec<_> = world.parked(QUEUE).into_iter().map(|parked| parked["code"].clone()).collect();
    assert_eq!(codes, ["unknown-item", "unknown-item"], "its creation and its deletion");
}

/// Promise 4: a record that Lambda gave up on before its event was published is published, although
/// its item is deleted.
#[tokio::test]
async fn an_event_is_published_although_the_item_is_deleted() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:Z@example.com", "sk": "U:Z@example.com"})).await;
    let never_ran = records(&world).await;
    world.delete(("pk", "sk"), ("U:Z@example.com", "U:Z@example.com")).await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/x", on_failure(&never_ran));
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert_eq!(world.verbs(), ["User Created"]);
    assert_eq!(world.parked(QUEUE).len(), 0);
    assert!(world.state().await.users.is_empty(), "a key that is not canonical creates no user");
}

/// Promise 4: a record that is parked for the first time by a redrive keeps its event. So what was
/// published as created is published as deleted.
#[tokio::test]
async fn a_record_that_a_redrive_parks_first_keeps_its_event() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:Z@example.com", "sk": "U:Z@example.com"})).await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/x", on_failure(&take_records(&world).await));
    redrive(&world, &on_failure_objects()).await;
    assert_eq!(world.parked(QUEUE)[0]["code"], "key-not-canonical");
    let published = || {
        let details = world.stack.published().into_iter();
        let details = details.map(|event| serde_json::from_str::<serde_json::Value>(&event.detail).unwrap());
        details.map(|mut detail| detail["metadata"].take()).collect::<Vec<_>>()
    };
    let [created] = &published()[..] else { unreachable!("one event") };
    assert_eq!(
        (&created["verb"], &created["parked"], &created["replay"]),
        (&"created".into(), &true.into(), &false.into())
    );

    world.delete(("pk", "sk"), ("U:Z@example.com", "U:Z@example.com")).await;
    world.instep.handle(&take_records(&world).await, &run()).await;
    let [_, deleted] = &published()[..] else { unreachable!("two events") };
    assert_eq!((&deleted["verb"], &deleted["item"]), (&"deleted".into(), &created["item"]));

    redrive(&world, &parked_queue()).await;
    let [_, _, again] = &published()[..] else { unreachable!("three events") };
    assert_eq!((&again["id"], &again["parked"]), (&created["id"], &false.into()), "the same event, now handled");
    assert_eq!(world.parked(QUEUE).len(), 0);
}

/// Promise 8: a record that parks again becomes a new message, which the same redrive does not
/// send.
#[tokio::test]
async fn a_redrive_does_not_feed_itself() {
    let world = World::with_parking("access-management").await;
    for user in 0..12 {
        world.put(json!({"pk": format!("U:{user}@example.com"), "sk": "X:poison"})).await;
    }
    world.drain().await;
    assert_eq!(world.parked(QUEUE).len(), 12);
    let started = run();
    world.stack.clock().advance(Duration::from_secs(3600));
    // Some of the records were handled, and parked again, before the redrive had read its queue.
    let halves: Vec<_> = records(&world).await.into_iter().take(6).collect();
    world.replay(&halves).await;
    assert_eq!(world.parked(QUEUE).len(), 18);
    let redriven = redrive_of(&world.instep, &parked_queue(), started).await;
    assert_eq!((redriven.tally.sent, redriven.tally.done), (12, 12), "{:?}", redriven.tally);
    assert_eq!(world.parked(QUEUE).len(), 6, "the next redrive sends these");
}

/// A message that can never be sent is tried a few times, and then moved to the dead-letter queue.
#[tokio::test]
async fn a_message_that_cannot_be_sent_ends_in_the_dead_letter_queue() {
    let world = World::with_parking("access-management").await;
    let masked = r#"{"instepParked":"1","code":"c","reason":"r","record":"***"}"#;
    let client = aws_sdk_sqs::Client::new(&world.stack.uncounted_config());
    let entry = SendMessageBatchRequestEntry::builder().id("0").message_body(masked).build().unwrap();
    client.send_message_batch().queue_url(QUEUE).entries(entry).send().await.unwrap();
    for receives in 1..=RECEIVES_MAX {
        let redriven = redrive(&world, &parked_queue()).await;
        assert_eq!((redriven.tally.sent, redriven.tally.kept), (0, 1));
        assert_eq!(redriven.unreadable.len(), 1, "{:?}", redriven.unreadable);
        assert_eq!(world.stack.messages(QUEUE)[0].receives, receives);
    }
    assert_eq!(redrive(&world, &parked_queue()).await.tally, RedriveTally::default());
    assert_eq!((world.parked(QUEUE).len(), world.parked(DEAD_LETTERS).len()), (0, 1));
    // A redrive can read the dead-letter queue as well.
    assert_eq!(redrive(&world, &Store::Queue(DEAD_LETTERS.to_owned())).await.tally.kept, 1);
}

/// Promise 2: a redrive of a grant that was revoked since grants nothing.
#[tokio::test]
async fn a_redrive_grants_nothing_that_was_revoked() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let old = records(&world).await;
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    world.drain().await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/x", on_failure(&old));
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    let published = world.stack.published().into_iter();
    let ids: Vec<_> = published.map(|event| detail(&event.detail)["metadata"]["id"].clone()).collect();
    let (before, again) = ids.split_at(ids.len() - 3);
    assert!(again.iter().all(|id| before.contains(id)), "what happened is published again, under the same ids");
}

fn detail(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

/// Whether the table has the user `x`.
async fn is_there(world: &World) -> bool {
    let key = Some(instep_model::Value::S("U:x@example.com".to_owned()));
    world.state().await.items.iter().any(|item| item.get("sk") == key.as_ref())
}

/// Promise 1: a last revocation that failed at first still deletes its subject. A capture, which
/// may be of any age, deletes none.
#[tokio::test]
async fn a_last_revocation_that_failed_still_deletes_its_subject() {
    let world = World::with_parking("access-management").await;
    let user = json!({"pk": "U:x@example.com", "sk": "U:x@example.com", "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z"});
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(user).await;
    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    let before = records(&world).await.len();
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    let revoked = records(&world).await.split_off(before);

    let redriven = redrive_text(&world, &event(&revoked), Origin::Captured).await;
    assert!(redriven.tally.is_complete());
    assert!(is_there(&world).await, "a capture deletes no subject");

    world.stack.put_object(BUCKET, "aws/lambda/1", on_failure(&revoked));
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert!(!is_there(&world).await);
}

/// Without a queue for parked records, work that can never be handled becomes a dead letter of the
/// work queue.
#[tokio::test]
async fn without_parking_nothing_is_lost() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.stack.put_object(BUCKET, "aws/lambda/1", on_failure(&records(&world).await));
    world.stack.faults().on("SendMessageBatch", 0..u64::MAX, Fault::refuse("InternalError"));
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert!(redriven.tally.more && redriven.tally.done == 0, "{:?}", redriven.tally);
    assert_eq!(redriven.left.len(), 1, "{:?}", redriven.left);
    assert_eq!(world.stack.objects(BUCKET).len(), 1, "what the work queue did not take stays");
}

/// A failing service ends a redrive, which can be started again: records that were sent are
/// handled, the others are still stored.
#[tokio::test]
async fn a_redrive_that_breaks_off_can_be_started_again() {
    let world = World::with_parking("access-management").await;
    for (place, user) in ["x", "y", "z"].into_iter().enumerate() {
        membership(&world, user, "reader").await;
        let new = records(&world).await.split_off(if place == 0 { 0 } else { 3 + 2 * (place - 1) });
        world.stack.put_object(BUCKET, &format!("aws/lambda/{place}"), on_failure(&new));
    }
    // The second object cannot be sent.
    world.stack.faults().on("SendMessageBatch", 1..200, Fault::refuse("InternalError"));
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert!(redriven.tally.more && redriven.left.len() == 1 && redriven.tally.done == 1, "{:?}", redriven.tally);
    assert_eq!(world.stack.objects(BUCKET).len(), 2);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    world.stack.faults().clear();
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert_eq!(world.stack.objects(BUCKET).len(), 0);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com", "y@example.com", "z@example.com"]);
}

/// A record that was too large for its message is fetched from the object that the message names.
#[tokio::test]
async fn a_message_leads_to_a_record_in_the_bucket() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let records = records(&world).await;
    world.stack.put_object(BUCKET, "parked/m/1.json", records[2].get().as_bytes().to_vec());
    let message =
        json!({"instepParked": "1", "code": "c", "reason": "r", "s3": {"bucket": BUCKET, "key": "parked/m/1.json"}});
    let redriven = redrive_text(&world, &message.to_string(), Origin::Failed).await;
    assert_eq!((redriven.tally.sent, redriven.tally.done), (1, 1));
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    let missing = json!({"instepParked": "1", "s3": {"bucket": BUCKET, "key": "parked/m/2.json"}});
    let redriven = redrive_text(&world, &missing.to_string(), Origin::Failed).await;
    assert_eq!((redriven.tally.unreadable, redriven.tally.kept), (1, 1));
    let expected = "GetObject answered NoSuchKey for s3://bucket/parked/m/2.json";
    assert!(redriven.unreadable[0].contains(expected), "{:?}", redriven.unreadable);
}

/// Promise 8: a redrive starts nothing that the remaining time does not allow.
#[tokio::test]
async fn a_deadline_ends_a_redrive_between_two_messages() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.drain().await;
    let soon = Some(tokio::time::Instant::now() + Duration::from_secs(5));
    let redriven = redrive_of(&world.instep, &parked_queue(), RunOptions { deadline: soon, ..run() }).await;
    assert!(redriven.tally.more && !redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert_eq!(world.stack.messages(QUEUE)[0].receives, 0, "no message was received");
}

/// Records of another table are handled if the sender names that table, and are parked otherwise.
#[tokio::test]
async fn records_of_another_table_are_handled_if_the_sender_says_so() {
    let world = World::with_parking("access-management").await;
    let parked = World::with_parking("access-management").await;
    for world in [&world, &parked] {
        membership(world, "x", "reader").await;
    }
    let elsewhere = |records: Vec<Box<RawValue>>| {
        let text = event(&records).replace("table/table/", "table/elsewhere/");
        assert!(text.contains("table/elsewhere/"));
        text
    };
    let own = Settings { records_of: Some("table".to_owned()), ..world.settings() };
    for (world, of, is_handled) in [(&world, "elsewhere", true), (&parked, "table", false)] {
        let clients = || Clients::new(&world.stack.sdk_config());
        let sender = Settings { records_of: Some(of.to_owned()), ..own.clone() };
        let sender = Instep::new(world.model(), clients(), sender);
        let text = elsewhere(records(world).await);
        let mut redrive = Redrive::new(&sender, run());
        let outcome = redrive.text("text", text.as_str(), Origin::Captured, &mut |_| {}).await;
        assert_eq!(outcome, RedriveOutcome::Sent);
        let worker =
            Instep::new(world.model(), clients(), Settings { parking: world.settings().parking, ..own.clone() });
        worker.work(&take_work(world).await, &run()).await;
        let expected: &[&str] = if is_handled { &["x@example.com"] } else { &[] };
        assert_eq!(world.members("/a|||reader").await, expected);
        assert_eq!(world.parked(QUEUE).len(), if is_handled { 0 } else { 3 });
    }
}
