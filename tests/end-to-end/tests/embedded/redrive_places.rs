//! Redrive of objects in a bucket and of parts of the stream.

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use instep_aws::QueueMessage;
use instep_aws::redrive::{RedriveTally, Store};
use instep_flow::work::Origin;
use instep_local::Fault;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::take_work;
use crate::redrive::{membership, on_failure, on_failure_objects, records, redrive, redrive_of, redrive_text};
use crate::world::{BUCKET, DEAD_LETTERS, QUEUE, World, run};

/// Batches that Lambda gave up on are sent from their objects. An object is deleted when all its
/// records are on the work queue.
#[tokio::test]
async fn objects_of_the_on_failure_destination_are_sent_and_deleted() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "admin").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    let all = records(&world).await;
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/1", on_failure(&all[..2]));
    world.stack.put_object(BUCKET, "aws/lambda/m/s/2026/05/01/2", on_failure(&all[2..]));
    world.stack.put_object(BUCKET, "parked/access-management/1.json", b"{}".to_vec());
    let redriven = redrive(&world, &on_failure_objects()).await;
    assert_eq!((redriven.tally.sent, redriven.tally.done, redriven.tally.kept), (4, 2, 0));
    assert_eq!(world.members("/a|||admin").await, ["x@example.com"]);
    let left: Vec<String> = world.stack.objects(BUCKET).into_iter().map(|(key, _)| key).collect();
    assert_eq!(left, ["parked/access-management/1.json"], "a parked record belongs to its message");
    assert_eq!(world.parked(QUEUE).len(), 1, "the poison is parked");
}

/// Promise 6: a redrive of parked records' objects keeps them, because its messages point to them.
#[tokio::test]
async fn objects_of_parked_records_stay() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let all = records(&world).await;
    // A record that fits no message.
    let large = all[1].get().replacen('{', &format!("{{\"padding\":\"{}\",", "x".repeat(1_100_000)), 1);
    world.stack.put_object(BUCKET, "parked/access-management/1.json", large.into_bytes());
    let parked = Store::Bucket { bucket: BUCKET.to_owned(), prefix: "parked/".to_owned() };
    let redriven = redrive(&world, &parked).await;
    assert_eq!((redriven.tally.sent, redriven.tally.kept), (1, 0), "{:?}", redriven.unreadable);
    assert!(world.parked(QUEUE).is_empty(), "{:?}", world.parked(QUEUE));
    assert!(world.stack.objects(BUCKET).iter().any(|(key, _)| key == "parked/access-management/1.json"));
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
    instep_flow::stream_record::sequence(record).unwrap()
}

/// A pointer leads to a part of the stream, which is filtered as the mapping filtered it.
#[tokio::test]
async fn a_pointer_is_read_again_from_the_stream() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    membership(&world, "y", "reader").await;
    world.drain().await;
    let all = records(&world).await;
    let own = all.iter().filter(|record| record.get().contains("INSTEP#")).count();
    assert!(own > 0, "the stream has records that the filter drops");
    let reread = pointer(&world, &sequence(&all[1]), &sequence(all.last().unwrap()));
    let reread = reread.replace("SHARD", &shard(&world).await);
    let before = world.stack.calls().snapshot();
    // Another reader reads the shard, too.
    for operation in ["GetRecords", "GetShardIterator"] {
        world.stack.faults().next(operation, 1, Fault::refuse("LimitExceededException"));
    }
    let redriven = redrive_text(&world, &reread, Origin::Failed).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    assert_eq!(usize::try_from(redriven.tally.sent).unwrap(), all.len() - 1 - own, "{:?}", redriven.tally);
    assert!(world.stack.calls().snapshot()["GetRecords"] > before.get("GetRecords").copied().unwrap_or_default());
}

/// If the stream no longer has the records, the redrive reports that with the fix, and keeps the
/// pointer.
#[tokio::test]
async fn a_pointer_to_expired_records_says_so() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.stack.faults().next("GetShardIterator", 1, Fault::refuse("ResourceNotFoundException"));
    let redriven = redrive_text(&world, &pointer(&world, "100", "200"), Origin::Failed).await;
    let RedriveTally { expired, kept, .. } = redriven.tally;
    assert_eq!((expired, kept, redriven.tally.is_complete()), (1, 1, false), "{:?}", redriven.tally);
    let expected = "left-the-stream: records 100 to 200 of shard SHARD are lost: the shard does not exist, or exists no longer, in arn:";
    assert!(redriven.unreadable[0].contains(expected), "{:?}", redriven.unreadable);

    // All records that are still in the shard are newer.
    world.stack.faults().next("GetShardIterator", 1, Fault::refuse("TrimmedDataAccessException"));
    let old = pointer(&world, "0", "1").replace("SHARD", &shard(&world).await);
    let redriven = redrive_text(&world, &old, Origin::Failed).await;
    let RedriveTally { expired, kept, sent, .. } = redriven.tally;
    assert_eq!((expired, kept, sent), (1, 1, 0), "{:?}", redriven.tally);
    let expected = "left the stream, which keeps them for 24 hours: reconcile the items from the table";
    assert!(redriven.unreadable[0].contains(expected), "{:?}", redriven.unreadable);
}

/// If only the beginning of a part of the stream has expired, the rest is sent.
#[tokio::test]
async fn the_rest_of_a_part_of_the_stream_is_sent() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let all = records(&world).await;
    world.stack.faults().next("GetShardIterator", 1, Fault::refuse("TrimmedDataAccessException"));
    let text = pointer(&world, "0", &sequence(all.last().unwrap())).replace("SHARD", &shard(&world).await);
    let redriven = redrive_text(&world, &text, Origin::Failed).await;
    let RedriveTally { sent, expired, kept, .. } = redriven.tally;
    assert_eq!((sent, expired, kept), (3, 1, 1), "{:?}", redriven.tally);
    assert!(redriven.unreadable[0].contains("the first of records"), "{:?}", redriven.unreadable);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}

/// An object that can never be read is kept, and the objects after it are sent.
#[tokio::test]
async fn an_object_that_cannot_be_read_stops_no_other() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.stack.put_object(BUCKET, "aws/lambda/1", b"damaged".to_vec());
    world.stack.put_object(BUCKET, "aws/lambda/2", on_failure(&records(&world).await));
    world.stack.faults().next("GetObject", 1, Fault::refuse("InvalidObjectState"));
    let redriven = redrive(&world, &on_failure_objects()).await;
    let RedriveTally { sent, unreadable, done, kept, .. } = redriven.tally;
    assert_eq!((sent, unreadable, done, kept), (3, 1, 1, 1), "{:?}", redriven.tally);
    assert!(redriven.unreadable[0].contains("no-object"), "{:?}", redriven.unreadable);
    let left: Vec<String> = world.stack.objects(BUCKET).into_iter().map(|(key, _)| key).collect();
    assert_eq!(left, ["aws/lambda/1"]);
}

/// Promise 6: an object of a work message that is gone, and one that is not a record, are parked for
/// different reasons, and the message's other record is handled.
#[tokio::test]
async fn objects_without_a_record_are_parked_each_with_its_reason() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.stack.put_object(BUCKET, "parked/m/good", records(&world).await[1].get().as_bytes().to_vec());
    world.stack.put_object(BUCKET, "parked/m/other", b"\xffnot a record".to_vec());
    let object = |key: &str| json!({"bucket": BUCKET, "key": format!("parked/m/{key}")});
    let records = json!({"records": {"origin": "failed", "records": [], "objects": [object("gone"), object("other"), object("good")]}});
    let body = json!({"version": "1", "model": "access-management", "table": "table", "hops": 0, "work": records});
    let message = QueueMessage { id: "1".to_owned(), body: body.to_string(), receives: 1 };
    let report = world.instep.work(&[message], &run()).await;
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    let parked: Vec<_> =
        world.parked(QUEUE).into_iter().map(|parked| (parked["code"].clone(), parked["reason"].to_string())).collect();
    assert_eq!(parked.iter().map(|(code, _)| code).collect::<Vec<_>>(), ["no-object", "no-record"]);
    assert!(
        parked[0].1.contains("parked/m/gone is gone")
            && parked[1].1.contains("parked/m/other is neither a record nor a message"),
        "{parked:?}"
    );
    assert_eq!(world.verbs(), ["User Created"]);
}

/// Promise 1: a run over a dead letter may have died. The message that a redrive sends says so.
#[tokio::test]
async fn a_dead_letter_counts_as_delivered_before() {
    let world = World::with_parking("access-management").await;
    let table = world.settings().table;
    let body = json!({"version": "1", "model": "access-management", "table": table, "hops": 1,
        "work": {"dependents": {"type": "Group", "names": {"groupId": "/a"}}}});
    let client = aws_sdk_sqs::Client::new(&world.stack.uncounted_config());
    let entry = SendMessageBatchRequestEntry::builder().id("0").message_body(body.to_string()).build().unwrap();
    client.send_message_batch().queue_url(DEAD_LETTERS).entries(entry).send().await.unwrap();
    let redriven = redrive_of(&world.instep, &Store::Queue(DEAD_LETTERS.to_owned()), run()).await;
    assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
    let sent = take_work(&world).await;
    assert_eq!(sent.len(), 1);
    assert!(sent[0].body.contains("\"doubt\":\"mayBeDone\""), "{}", sent[0].body);
}
