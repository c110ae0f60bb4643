//! Redrive: whatever failed is run again, from every form in which it lies about, and nothing of it is lost on the way.

use std::time::Duration;

use instep_aws::Run;
use instep_aws::redrive::{Found, Listener, Redrive, Source, Tally, Verdict};
use instep_captures::Garbled;
use instep_flow::report::Report;
use instep_flow::work::Origin;
use instep_local::{Fault, PumpOptions, ReadFrom};
use serde_json::json;
use serde_json::value::RawValue;

use crate::world::{BUCKET, DEAD_LETTERS, QUEUE, RECEIVES_MAX, World, run};

/// Who listens, and keeps what was said.
#[derive(Default)]
struct Heard {
    unreadable: Vec<String>,
    left: Vec<String>,
}

impl Listener for Heard {
    type Error = std::convert::Infallible;

    fn unreadable(&mut self, name: &str, garbled: &Garbled) -> Result<(), Self::Error> {
        self.unreadable.push(format!("{name}: {}: {}", garbled.code, garbled.reason));
        Ok(())
    }

    fn left(&mut self, name: &str, why: &str) -> Result<(), Self::Error> {
        self.left.push(format!("{name}: {why}"));
        Ok(())
    }
}

fn again() -> Run {
    Run { origin: Origin::Failed, ..run() }
}

async fn redrive(world: &World, source: Source, run: Run) -> (Tally, Heard) {
    let mut heard = Heard::default();
    let mut redrive = Redrive::new(&world.instep, run);
    let Ok(read) = redrive.source(source, &mut heard).await;
    read.unwrap();
    (redrive.tally().clone(), heard)
}

async fn failed(world: &World, text: &str) -> (Tally, Heard) {
    let mut heard = Heard::default();
    let mut redrive = Redrive::new(&world.instep, again());
    let Ok(()) = redrive.failed("text", text, &mut heard).await;
    (redrive.tally().clone(), heard)
}

fn parked_queue() -> Source {
    Source::Queue(QUEUE.to_owned())
}

fn given_up() -> Source {
    Source::Bucket { bucket: BUCKET.to_owned(), prefix: "aws/lambda/".to_owned() }
}

async fn membership(world: &World, user: &str, role: &str) {
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    let key = format!("U:{user}@example.com");
    world.put(json!({"pk": key, "sk": key, "email": format!("{user}@example.com")})).await;
    world.put(json!({"pk": key, "sk": "G:/a", "role": role})).await;
}

async fn records(world: &World) -> Vec<Box<RawValue>> {
    world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::TrimHorizon).await.unwrap()
}

fn event(records: &[Box<RawValue>]) -> String {
    let records: Vec<&str> = records.iter().map(|record| record.get()).collect();
    format!("{{\"Records\":[{}]}}", records.join(","))
}

/// An object of Lambda's on-failure destination, as its documents show it.
fn on_failure(records: &[Box<RawValue>]) -> Vec<u8> {
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

/// A hard quota parks; when there is room, a redrive settles what was parked and takes it out of the queue.
#[tokio::test]
async fn parked_records_are_settled_when_what_kept_them_is_mended() {
    let world = World::with_parking("access-management").await;
    world.stack.faults().next("CreateGroup", 100, Fault::refuse("LimitExceededException"));
    membership(&world, "x", "reader").await;
    world.drain().await;
    assert_eq!(world.parked(QUEUE).len(), 2, "the group and the membership");
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    world.stack.faults().clear();

    let (tally, _) = redrive(&world, parked_queue(), Run { dry_run: true, publish: false, ..again() }).await;
    assert_eq!((tally.settled, tally.done), (2, 2), "what would be");
    assert_eq!(world.parked(QUEUE).len(), 2, "a dry run takes nothing away");
    assert_eq!(world.members("/a|||reader").await, [""; 0], "and does nothing");

    let (tally, _) = redrive(&world, parked_queue(), again()).await;
    assert!(tally.is_settled(), "{tally:?}");
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.parked(QUEUE).len(), 0);
    let (tally, _) = redrive(&world, parked_queue(), again()).await;
    assert_eq!(tally, Tally::default(), "there is nothing left to do");
}

/// A record never changes; whether it still matters, its item says: mended or gone, the record is settled.
#[tokio::test]
async fn a_record_whose_item_was_mended_or_is_gone_is_settled() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "king").await;
    membership(&world, "y", "king").await;
    world.put(json!({"pk": "U:z@example.com", "sk": "X:poison"})).await;
    world.put(json!({"pk": "U:Z@example.com", "sk": "U:Z@example.com"})).await;
    world.drain().await;
    assert_eq!(world.parked(QUEUE).len(), 4);
    let (tally, _) = redrive(&world, parked_queue(), again()).await;
    assert_eq!((tally.done, tally.kept), (0, 4), "nothing is mended yet");
    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.delete(("pk", "sk"), ("U:y@example.com", "G:/a")).await;
    world.delete(("pk", "sk"), ("U:z@example.com", "X:poison")).await;
    world.delete(("pk", "sk"), ("U:Z@example.com", "U:Z@example.com")).await;
    world.drain().await;
    let (tally, _) = redrive(&world, parked_queue(), again()).await;
    // The removal of what no item type describes was parked, too.
    assert!(tally.is_settled() && tally.done == 5, "{tally:?}");
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.parked(QUEUE).len(), 0);
}

/// Promise 4: a record that was given up before anybody heard of it is heard, though its item is gone and was given nothing.
#[tokio::test]
async fn a_record_that_nobody_heard_of_is_heard_though_its_item_is_gone() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:Z@example.com", "sk": "U:Z@example.com"})).await;
    let never_ran = records(&world).await;
    world.delete(("pk", "sk"), ("U:Z@example.com", "U:Z@example.com")).await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/x", on_failure(&never_ran));
    let (tally, _) = redrive(&world, given_up(), again()).await;
    assert!(tally.is_settled(), "{tally:?}");
    assert_eq!(world.verbs(), ["User Created"]);
    assert_eq!(world.parked(QUEUE).len(), 0);
    assert!(world.state().await.users.is_empty(), "nothing is done for a key that is not canonical");
}

/// What parks again stays in its message, is tried a few times and ends in the dead-letter queue: no loop feeds itself.
#[tokio::test]
async fn what_parks_again_ends_in_the_dead_letter_queue() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.drain().await;
    for receives in 1..=RECEIVES_MAX {
        let (tally, _) = redrive(&world, parked_queue(), again()).await;
        assert_eq!((tally.parked, tally.kept, tally.is_settled()), (1, 1, false));
        assert_eq!(world.stack.messages(QUEUE)[0].receives, receives);
    }
    let (tally, _) = redrive(&world, parked_queue(), again()).await;
    assert_eq!(tally, Tally::default());
    assert_eq!((world.parked(QUEUE).len(), world.parked(DEAD_LETTERS).len()), (0, 1));
    // From there it can be run as well.
    let (tally, _) = redrive(&world, Source::Queue(DEAD_LETTERS.to_owned()), again()).await;
    assert_eq!(tally.kept, 1);
}

/// Promise 2: a redrive of a grant that was revoked since gives nothing back.
#[tokio::test]
async fn a_redrive_gives_back_nothing_that_was_revoked() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let old = records(&world).await;
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    world.drain().await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/x", on_failure(&old));
    let (tally, _) = redrive(&world, given_up(), again()).await;
    assert!(tally.is_settled(), "{tally:?}");
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    let replayed = world.stack.published().into_iter().filter(|event| event.detail.contains("\"replay\":true"));
    assert_eq!(replayed.count(), 3, "what happened is heard, and marked");
}

/// Whether the table has the user `x`.
async fn is_there(world: &World) -> bool {
    let key = Some(instep_model::Value::S("U:x@example.com".to_owned()));
    world.state().await.items.iter().any(|item| item.get("sk") == key.as_ref())
}

/// Promise 1: the last revocation ends its subject also where it failed at first; a capture, which may be of any age, ends nobody.
#[tokio::test]
async fn a_last_revocation_that_failed_still_ends_its_subject() {
    let world = World::with_parking("access-management").await;
    let user = json!({"pk": "U:x@example.com", "sk": "U:x@example.com", "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z"});
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(user).await;
    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    let before = records(&world).await.len();
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    let revoked = records(&world).await.split_off(before);

    let mut redrive_of = Redrive::new(&world.instep, again());
    redrive_of.capture("capture", &event(&revoked), &mut Heard::default()).await.unwrap();
    assert!(redrive_of.tally().is_settled());
    assert!(is_there(&world).await, "a capture ends nobody");

    world.stack.put_object(BUCKET, "aws/lambda/1", on_failure(&revoked));
    let (tally, _) = redrive(&world, given_up(), again()).await;
    assert!(tally.is_settled(), "{tally:?}");
    assert!(!is_there(&world).await);
}

/// Batches that Lambda gave up are run from their objects, which go when all of theirs is settled or parked anew.
#[tokio::test]
async fn objects_of_the_on_failure_destination_are_run_and_deleted() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "admin").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    let all = records(&world).await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/1", on_failure(&all[..2]));
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/2", on_failure(&all[2..]));
    world.stack.put_object(BUCKET, "parked/access-management/1.json", b"{}".to_vec());
    let (tally, _) = redrive(&world, given_up(), again()).await;
    assert_eq!((tally.settled, tally.parked, tally.done, tally.kept), (3, 1, 2, 0));
    assert_eq!(world.members("/a|||admin").await, ["x@example.com"]);
    let left: Vec<String> = world.stack.objects(BUCKET).into_iter().map(|(key, _)| key).collect();
    assert_eq!(left, ["parked/access-management/1.json"], "a parked record waits for its message");
    assert_eq!(world.parked(QUEUE).len(), 1, "the poison has its place in the queue now");
}

/// Without a queue an object with a record that parks again stays where it is.
#[tokio::test]
async fn an_object_stays_while_nobody_else_has_its_records() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.stack.put_object(BUCKET, "aws/lambda/1", on_failure(&records(&world).await));
    let mut heard = Heard::default();
    let instep = world.instep.without_parking();
    let mut redrive = Redrive::new(&instep, again());
    redrive.source(given_up(), &mut heard).await.unwrap().unwrap();
    assert_eq!((redrive.tally().kept, world.stack.objects(BUCKET).len()), (1, 1));
}

/// A failing service ends a redrive, which can be begun again: what was done stays done, what was not is still there.
#[tokio::test]
async fn a_redrive_that_breaks_off_can_be_begun_again() {
    let world = World::with_parking("access-management").await;
    for (place, user) in ["x", "y", "z"].into_iter().enumerate() {
        membership(&world, user, "reader").await;
        let new = records(&world).await.split_off(if place == 0 { 0 } else { 3 + 2 * (place - 1) });
        world.stack.put_object(BUCKET, &format!("aws/lambda/{place}"), on_failure(&new));
    }
    // The second object's user cannot be added, however often it is tried.
    world.stack.faults().on("AdminAddUserToGroup", 1..200, Fault::refuse("InternalErrorException"));
    let (tally, _) = redrive(&world, given_up(), again()).await;
    assert!(tally.more && tally.left > 0 && tally.done == 1, "{tally:?}");
    assert_eq!(world.stack.objects(BUCKET).len(), 2);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    world.stack.faults().clear();
    let (tally, _) = redrive(&world, given_up(), again()).await;
    assert!(tally.is_settled(), "{tally:?}");
    assert_eq!(world.stack.objects(BUCKET).len(), 0);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com", "y@example.com", "z@example.com"]);
}

/// A record that was too large for its message is fetched from where the message says.
#[tokio::test]
async fn a_message_leads_to_a_record_in_the_bucket() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let records = records(&world).await;
    world.stack.put_object(BUCKET, "parked/m/1.json", records[2].get().as_bytes().to_vec());
    let message =
        json!({"instepParked": "1", "code": "c", "reason": "r", "s3": {"bucket": BUCKET, "key": "parked/m/1.json"}});
    let (tally, _) = failed(&world, &message.to_string()).await;
    assert_eq!((tally.settled, tally.done), (1, 1));
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    let gone = json!({"instepParked": "1", "s3": {"bucket": BUCKET, "key": "parked/m/2.json"}});
    let (tally, heard) = failed(&world, &gone.to_string()).await;
    assert_eq!((tally.unreadable, tally.kept), (1, 1));
    assert!(
        heard.unreadable[0].contains("GetObject answered NoSuchKey for s3://bucket/parked/m/2.json"),
        "{:?}",
        heard.unreadable
    );
}

fn pointer(world: &World, first: &str, last: &str) -> String {
    json!({"DDBStreamBatchInfo": {
        "shardId": "SHARD", "startSequenceNumber": first, "endSequenceNumber": last, "batchSize": 3, "streamArn": world.stack.stream_arn(),
    }})
    .to_string()
}

async fn shard(world: &World) -> String {
    let client = aws_sdk_dynamodbstreams::Client::new(&world.stack.uncounted_config());
    let stream = client.describe_stream().stream_arn(world.stack.stream_arn()).send().await.unwrap();
    stream.stream_description.unwrap().shards()[0].shard_id().unwrap().to_owned()
}

fn sequence(record: &RawValue) -> String {
    instep_flow::decode::sequence(record).unwrap()
}

/// A pointer leads to the part of the stream that it names, filtered as the mapping had filtered it.
#[tokio::test]
async fn a_pointer_is_read_again_from_the_stream() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    membership(&world, "y", "reader").await;
    world.drain().await;
    let all = records(&world).await;
    let own = all.iter().filter(|record| record.get().contains("INSTEP#REF#")).count();
    assert!(own > 0, "the stream has records that nobody reacts to");
    let reread = pointer(&world, &sequence(&all[1]), &sequence(all.last().unwrap()));
    let reread = reread.replace("SHARD", &shard(&world).await);
    let before = world.stack.calls().snapshot();
    let (tally, _) = failed(&world, &reread).await;
    assert!(tally.is_settled(), "{tally:?}");
    let (settled, let_through) = (tally.settled + tally.skipped, all.len() - 1 - own);
    assert_eq!(usize::try_from(settled).unwrap(), let_through, "{tally:?}");
    assert!(world.stack.calls().snapshot()["GetRecords"] > before.get("GetRecords").copied().unwrap_or_default());
}

/// When the stream no longer has it, that is said, with what to do, and the pointer stays.
#[tokio::test]
async fn a_pointer_to_what_left_the_stream_says_so() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.stack.faults().next("GetShardIterator", 1, Fault::refuse("ResourceNotFoundException"));
    let (tally, heard) = failed(&world, &pointer(&world, "100", "200")).await;
    assert_eq!((tally.expired, tally.kept, tally.is_settled()), (1, 1, false), "{tally:?}");
    let word = "left-the-stream: records 100 to 200 of shard SHARD are gone: there is no such shard (any more) in arn:";
    assert!(heard.unreadable[0].contains(word), "{:?}", heard.unreadable);

    // All that the shard still has came later.
    world.stack.faults().next("GetShardIterator", 1, Fault::refuse("TrimmedDataAccessException"));
    let old = pointer(&world, "0", "1").replace("SHARD", &shard(&world).await);
    let (tally, heard) = failed(&world, &old).await;
    assert_eq!((tally.expired, tally.kept, tally.settled), (1, 1, 0), "{tally:?}");
    assert!(
        heard.unreadable[0].contains("left the stream, which keeps them for 24 hours: bring"),
        "{:?}",
        heard.unreadable
    );
}

/// Of a part of the stream whose beginning is gone the rest is run.
#[tokio::test]
async fn the_rest_of_a_part_of_the_stream_is_run() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let all = records(&world).await;
    world.stack.faults().next("GetShardIterator", 1, Fault::refuse("TrimmedDataAccessException"));
    let text = pointer(&world, "0", &sequence(all.last().unwrap())).replace("SHARD", &shard(&world).await);
    let (tally, heard) = failed(&world, &text).await;
    assert_eq!((tally.settled, tally.expired, tally.kept), (3, 1, 1), "{tally:?}");
    assert!(heard.unreadable[0].contains("the first of records"), "{:?}", heard.unreadable);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}

/// A queue is gone through once, also when messages show themselves again before it has been.
#[tokio::test]
async fn messages_that_come_again_hide_no_other() {
    struct Late<'a>(&'a World, usize);
    impl Listener for Late<'_> {
        type Error = std::convert::Infallible;
        fn ran(&mut self, _first: usize, _records: &[Found], _report: Report) -> Result<(), Self::Error> {
            // Longer than a received message is hidden.
            if self.1 == 0 {
                self.0.stack.clock().advance(Duration::from_secs(3600));
            }
            self.1 += 1;
            Ok(())
        }
    }
    let world = World::with_parking("access-management").await;
    for user in 0..12 {
        world.put(json!({"pk": format!("U:{user}@example.com"), "sk": "X:poison"})).await;
    }
    world.drain().await;
    let mut late = Late(&world, 0);
    let mut redrive = Redrive::new(&world.instep, again());
    redrive.source(parked_queue(), &mut late).await.unwrap().unwrap();
    assert_eq!((redrive.tally().parked, redrive.tally().kept), (12, 12), "each once");
}

/// What can never be read stays, and hides nothing that comes after it.
#[tokio::test]
async fn an_object_that_cannot_be_read_stops_no_other() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.stack.put_object(BUCKET, "aws/lambda/1", b"damaged".to_vec());
    world.stack.put_object(BUCKET, "aws/lambda/2", on_failure(&records(&world).await));
    world.stack.faults().next("GetObject", 1, Fault::refuse("InvalidObjectState"));
    let (tally, heard) = redrive(&world, given_up(), again()).await;
    assert_eq!((tally.settled, tally.unreadable, tally.done, tally.kept), (3, 1, 1, 1), "{tally:?}");
    assert!(heard.unreadable[0].contains("no-object"), "{:?}", heard.unreadable);
    let left: Vec<String> = world.stack.objects(BUCKET).into_iter().map(|(key, _)| key).collect();
    assert_eq!(left, ["aws/lambda/1"]);
}

/// Messages that Lambda delivers: each by itself is done, kept or left.
#[tokio::test]
async fn each_message_is_judged_by_itself() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    let all = records(&world).await;
    let message = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let parked = |record: &RawValue| {
        format!("{{\"instepParked\":\"1\",\"code\":\"c\",\"reason\":\"r\",\"record\":{}}}", record.get())
    };
    let messages = [
        message("group", &parked(&all[0])),
        message("poison", &parked(&all[3])),
        message("nonsense", "hello"),
        message("masked", r#"{"instepParked":"1","record":"***"}"#),
        message("several", &event(&all[1..3])),
    ];
    let mut heard = Heard::default();
    let mut redrive = Redrive::new(&world.instep, again());
    let verdicts = redrive.messages(&messages, &mut heard).await.unwrap();
    assert_eq!(verdicts, [Verdict::Done, Verdict::Kept, Verdict::Kept, Verdict::Kept, Verdict::Done]);
    assert_eq!(world.parked(QUEUE).len(), 0, "a message that stays is not sent again");
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(heard.unreadable.len(), 2, "{:?}", heard.unreadable);
}

/// Nothing is begun that the time left would not end.
#[tokio::test]
async fn a_deadline_ends_a_redrive_between_two_messages() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.drain().await;
    let soon = Some(tokio::time::Instant::now() + Duration::from_secs(5));
    let (tally, _) = redrive(&world, parked_queue(), Run { deadline: soon, ..again() }).await;
    assert!(tally.more && !tally.is_settled(), "{tally:?}");
    assert_eq!(world.stack.messages(QUEUE)[0].receives, 0, "nothing was begun that could not be ended");
}
