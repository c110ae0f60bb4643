//! Parking: a record that can never be handled is sent to a queue. It counts as parked when the
//! queue has acknowledged it.

use instep_flow::report::{Outcome, Report};
use instep_local::{Fault, PumpOptions, ReadFrom};
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::gated;
use crate::world::{BUCKET, QUEUE, World, now, run};

fn outcomes(report: &Report) -> String {
    let letter = |outcome: &Outcome| match outcome {
        Outcome::Handled => 's',
        Outcome::Skipped { .. } => '-',
        Outcome::Parked(_) => 'p',
        Outcome::Retry { .. } => 'r',
    };
    report.records.iter().map(|record| letter(&record.outcome)).collect()
}

async fn user(world: &World, name: &str) {
    let key = format!("U:{name}@example.com");
    world.put(json!({"pk": key, "sk": key, "email": format!("{name}@example.com")})).await;
}

/// A record that no item type describes.
async fn poison(world: &World, name: &str) {
    world.put(json!({"pk": format!("U:{name}@example.com"), "sk": "X:poison", "note": name})).await;
}

/// The records of the stream so far, which remain to be delivered.
async fn records(world: &World) -> Vec<Box<RawValue>> {
    world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).unwrap()
}

/// Promise 6: the whole record, the reason and a stable code are in the queue, and the other
/// records of the batch are handled.
#[tokio::test]
async fn a_parked_record_is_in_the_queue_with_all_that_it_takes_to_run_it_again() {
    let world = World::with_parking("access-management").await;
    user(&world, "a").await;
    poison(&world, "b").await;
    user(&world, "c").await;
    let records = records(&world).await;
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(outcomes(&report), "sps");
    let parked = world.parked(QUEUE);
    assert_eq!(parked.len(), 1);
    let raw: serde_json::Value = serde_json::from_str(records[1].get()).unwrap();
    assert_eq!(parked[0]["record"], raw);
    let about = ["instepParked", "model", "table", "code", "parkedAt"].map(|name| parked[0][name].as_str().unwrap());
    assert_eq!(about, ["1", "access-management", "table", "unknown-item", &now().to_string()]);
    assert!(parked[0]["reason"].as_str().unwrap().contains("no item type of the model has such a key"));
    assert_eq!(world.stack.calls().snapshot()["SendMessageBatch"], 1);
}

/// A record that does not fit a message is in the bucket, and the message names the object.
#[tokio::test]
async fn a_record_that_does_not_fit_is_written_to_the_bucket() {
    let world = World::with_parking("access-management").await;
    poison(&world, "a").await;
    let small = records(&world).await.remove(0);
    // Two images of 400 KB, whose quotes need an escape each: a message has at most 1 MiB.
    let large =
        small.get().replace("\"note\":{\"S\":\"a\"}", &format!("\"note\":{{\"S\":\"{}\"}}", "\\\"".repeat(600_000)));
    let large = RawValue::from_string(large).unwrap();
    let report = world.instep.handle(&[large.clone(), small], &run()).await;
    assert_eq!(outcomes(&report), "pp");
    let parked = world.parked(QUEUE);
    assert_eq!(parked.len(), 2);
    assert!(parked[0].get("record").is_none() && parked[1].get("s3").is_none());
    let key = parked[0]["s3"]["key"].as_str().unwrap();
    let sequence = instep_flow::stream_record::sequence(&large).unwrap();
    assert!(key.starts_with(&format!("parked/access-management/{sequence}-")), "{key}");
    let objects = world.stack.objects(BUCKET);
    assert_eq!(objects, [(key.to_owned(), large.get().as_bytes().to_vec())]);
    // An error of the bucket is a service failure.
    world.stack.faults().next("PutObject", 6, Fault::Refuse { status: 503, code: "SlowDown".to_owned() });
    assert_eq!(outcomes(&world.instep.handle(&[large], &run()).await), "r");
}

/// Promise 9: values that the model calls secret are masked in the queue and in the bucket.
#[tokio::test]
async fn secrets_are_masked() {
    let world = World::with_parking("account-management").await;
    let token = |token: &str| {
        let keys = json!({"PK": {"S": "USER#u1"}, "SK": {"S": "TOKEN#t1"}});
        let image = json!({"PK": {"S": "USER#u1"}, "SK": {"S": "TOKEN#t1"}, "token": {"S": token}, "bad": {"N": "9".repeat(50)}});
        let record =
            json!({"eventName": "INSERT", "dynamodb": {"Keys": keys, "NewImage": image, "SequenceNumber": "1"}});
        RawValue::from_string(record.to_string()).unwrap()
    };
    let report = world.instep.handle(&[token("hush"), token(&"hush".repeat(300_000))], &run()).await;
    assert_eq!(outcomes(&report), "pp");
    let text = world.stack.messages(QUEUE).iter().map(|message| message.body.as_str()).collect::<String>();
    let kept = world
        .stack
        .objects(BUCKET)
        .iter()
        .map(|(_, body)| String::from_utf8_lossy(body).into_owned())
        .collect::<String>();
    assert!(!text.contains("hush") && !kept.contains("hush"));
    assert!(text.contains("\"token\":{\"S\":\"***\"}"), "{text}");
}

/// Characters that SQS does not accept are written as escapes.
#[tokio::test]
async fn a_record_with_any_character_can_be_parked() {
    let world = World::with_parking("access-management").await;
    poison(&world, "\u{FFFE}\u{FFFF}\u{1}\u{10FFFF}").await;
    let report = world.instep.handle(&records(&world).await, &run()).await;
    assert_eq!(outcomes(&report), "p");
    let parked = world.parked(QUEUE);
    assert_eq!(parked[0]["record"]["dynamodb"]["NewImage"]["note"]["S"], "\u{FFFE}\u{FFFF}\u{1}\u{10FFFF}");
}

/// The trace header of an invocation is passed on with its events.
#[tokio::test]
async fn the_trace_is_handed_on() {
    let world = World::with_parking("access-management").await;
    user(&world, "a").await;
    let trace = "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1".to_owned();
    let traced = instep_aws::RunOptions { trace: Some(trace.clone()), ..run() };
    world.instep.handle(&records(&world).await, &traced).await;
    assert_eq!(world.stack.published()[0].trace_header, Some(trace));
}

/// Promise 4: an event that waits for an earlier one of its item is not lost if the event of a later
/// record fails meanwhile.
#[tokio::test]
async fn an_event_that_waits_is_published_later() {
    let world = World::open("access-management").await;
    // Two calls for one item, of which the second waits for the first, and a third for another item.
    for nth in 0..20 {
        world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a", "name": format!("{nth}")})).await;
    }
    world.put(json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    let records = records(&world).await;
    world.stack.faults().next("PutEvents", 1, Fault::refuse("AccessDeniedException"));
    let (handler, [first]) = gated(&world, ["PutEvents"]);
    let run = run();
    let handled = async {
        let report = handler.handle(&records, &run).await;
        drop(handler);
        report
    };
    let third_fails = async {
        while !world.stack.calls().snapshot().contains_key("PutEvents") {
            tokio::task::yield_now().await;
        }
    };
    let (report, ()) = tokio::join!(handled, first.then(third_fails));
    assert_eq!((world.verbs().len(), report.retry_from()), (10, Some(10)));
    world.instep.handle(&records[10..], &run).await;
    assert_eq!(world.verbs().len(), 21);
}
