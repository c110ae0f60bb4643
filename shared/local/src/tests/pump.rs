//! The pump's rules, each in the words of the AWS Lambda Developer Guide.

use std::time::Duration;

use instep_model::Key;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{NOON, open, put, stack, text};
use crate::{Drained, Handler, LocalError, Overlay, PumpOptions, ReadFrom, Stack};

/// A function that does what a test says, and records the batches that it received.
struct Function<F> {
    act: F,
    got: Vec<Vec<String>>,
}

impl<F: FnMut(&[String]) -> Result<Vec<String>, String>> Handler for Function<F> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let keys: Vec<String> = records.iter().map(|record| key(record)).collect();
        let sequences: Vec<String> = records.iter().map(|record| sequence(record)).collect();
        self.got.push(keys.clone());
        let reported = (self.act)(&keys)?;
        let place = |id: &String| keys.iter().position(|key| key == id);
        Ok(reported.iter().map(|id| place(id).map_or(id.clone(), |place| sequences[place].clone())).collect())
    }
}

fn parse(record: &RawValue) -> Value {
    serde_json::from_str(record.get()).unwrap()
}

fn key(record: &RawValue) -> String {
    parse(record)["dynamodb"]["Keys"]["pk"]["S"].as_str().unwrap().to_owned()
}

fn sequence(record: &RawValue) -> String {
    parse(record)["dynamodb"]["SequenceNumber"].as_str().unwrap().to_owned()
}

/// Drains with a function that acts on the keys of a batch, and returns the batches that it
/// received.
async fn run(
    stack: &Stack,
    options: PumpOptions,
    act: impl FnMut(&[String]) -> Result<Vec<String>, String>,
) -> (Vec<String>, Drained) {
    let mut function = Function { act, got: Vec::new() };
    let drained = stack.pump(options).unwrap().drain(&mut function).await.unwrap();
    (function.got.iter().map(|keys| keys.concat()).collect(), drained)
}

async fn written(keys: &str) -> Stack {
    let stack = stack().await;
    for key in keys.chars() {
        put(&stack, &key.to_string(), &[]).await;
    }
    stack
}

fn options() -> PumpOptions {
    PumpOptions::default()
}

fn no_bisect() -> PumpOptions {
    PumpOptions { bisect_on_error: false, ..options() }
}

fn reported(ids: &[&str]) -> Result<Vec<String>, String> {
    Ok(ids.iter().map(|id| (*id).to_owned()).collect())
}

/// Drains with a function that reports these records when it is called first, and none afterwards.
async fn run_first(stack: &Stack, first: &[&str]) -> (Vec<String>, Drained) {
    let mut first = Some(first);
    run(stack, no_bisect(), |_| reported(first.take().unwrap_or_default())).await
}

/// The keys of the records of a batch.
fn keys(records: &[Box<RawValue>]) -> String {
    records.iter().map(|record| key(record)).collect()
}

/// "If the batchItemFailures list is empty, Lambda treats the batch as a complete success". Records
/// are delivered in order, in batches of the batch size.
#[tokio::test]
async fn successful_batches_are_delivered_in_order() {
    let stack = written("abcde").await;
    let (got, drained) = run(&stack, PumpOptions { batch_size: 2, ..options() }, |_| reported(&[])).await;
    assert_eq!(got, ["ab", "cd", "e"]);
    assert_eq!((drained.batches, drained.records, drained.retries.len(), drained.given_up.len()), (3, 5, 0, 0));
    let (got, _) = run(&stack, options(), |_| reported(&[])).await;
    assert!(got.is_empty(), "what is handled does not come again");
}

/// "Lambda uses the lowest sequence number as the checkpoint ... retries all records starting from
/// that checkpoint."
#[tokio::test]
async fn the_lowest_reported_is_the_checkpoint() {
    let stack = written("abcde").await;
    let (got, drained) = run_first(&stack, &["d", "b"]).await;
    assert_eq!(got, ["abcde", "bcde"]);
    assert_eq!(drained.retries[0].records, 4);
    assert_eq!(drained.retries[0].why, "2 of 5 records reported");
}

/// "the batch is bisected at the returned sequence number, and Lambda retries only the remaining
/// records". "Bisecting a batch doesn't use up retry quota".
#[tokio::test]
async fn with_bisect_a_cut_uses_up_no_retry() {
    let stack = written("abcd").await;
    let once = PumpOptions { maximum_retry_attempts: 0, ..options() };
    let mut next = ["b", "c", "d"].into_iter();
    let (got, drained) = run(&stack, once, |_| reported(next.next().as_slice())).await;
    assert_eq!(got, ["abcd", "bcd", "cd", "d"]);
    assert!(drained.given_up.is_empty());

    let stack = written("abcd").await;
    let once = PumpOptions { maximum_retry_attempts: 0, ..no_bisect() };
    let (got, drained) = run(&stack, once, |_| reported(&["b"])).await;
    assert_eq!(got, ["abcd"]);
    assert_eq!(keys(&drained.given_up[0].records), "bcd");
}

/// "an empty string itemIdentifier, a null itemIdentifier, an itemIdentifier with a bad key name":
/// complete failure.
#[tokio::test]
async fn an_identifier_that_is_empty_or_unknown_fails_the_whole_batch() {
    for bad in ["", "123"] {
        let stack = written("abc").await;
        assert_eq!(run_first(&stack, &["c", bad]).await.0, ["abc", "abc"], "{bad:?}");
    }
}

/// "splits a failed batch into two smaller batches, isolating bad records ... Splitting batches
/// doesn't consume the retry quota." Only the bad record is given up; the records after it are
/// delivered.
#[tokio::test]
async fn bisecting_isolates_the_bad_record() {
    let stack = written("abcde").await;
    let fail_on_c =
        |keys: &[String]| if keys.contains(&"c".to_owned()) { Err("boom".to_owned()) } else { reported(&[]) };
    let once = PumpOptions { maximum_retry_attempts: 1, ..options() };
    let (got, drained) = run(&stack, once, fail_on_c).await;
    assert_eq!(got, ["abcde", "ab", "cde", "c", "c", "de"]);
    assert_eq!(drained.given_up.len(), 1);
    assert_eq!(drained.given_up[0].first, drained.given_up[0].last);
    assert_eq!(drained.given_up[0].condition, "RetryAttemptsExhausted");
    let (got, _) = run(&stack, options(), |_| reported(&[])).await;
    assert!(got.is_empty(), "the pump is behind what was given up");
}

/// "MaximumRetryAttempts": the number of retries after the first invocation. Then "Lambda discards
/// the records and continues processing batches from the stream".
#[tokio::test]
async fn without_bisect_the_whole_batch_is_given_up_after_its_retries() {
    let stack = written("abc").await;
    let before = stack.clock().now();
    let pair = PumpOptions { batch_size: 2, maximum_retry_attempts: 2, ..no_bisect() };
    let (got, drained) =
        run(&stack, pair, |keys| if keys[0] == "a" { Err("boom".to_owned()) } else { reported(&[]) }).await;
    assert_eq!(got, ["ab", "ab", "ab", "c"]);
    assert_eq!(drained.retries.iter().map(|retry| retry.why.as_str()).collect::<Vec<_>>(), ["boom", "boom"]);
    assert_eq!(drained.given_up[0].records.len(), 2);
    let waited = stack.clock().now().duration_since(before);
    assert_eq!(waited.as_secs(), 1 + 2, "retries wait on the stack's clock");
}

/// If the first record is reported again and again, there is nothing to split off: the whole batch
/// is given up.
#[tokio::test]
async fn the_first_record_reported_uses_up_retries() {
    let stack = written("abc").await;
    let (got, drained) =
        run(&stack, PumpOptions { maximum_retry_attempts: 2, ..options() }, |_| reported(&["a"])).await;
    assert_eq!(got, ["abc", "abc", "abc"]);
    assert_eq!(drained.given_up[0].records.len(), 3);
}

/// The S3 example of "Retain discarded records for a DynamoDB event source", with each of its
/// members.
#[tokio::test]
async fn a_given_up_batch_is_stored_completely() {
    let stack = written("ab").await;
    let none = PumpOptions { maximum_retry_attempts: 0, ..no_bisect() };
    let (_, drained) = run(&stack, none, |_| Err("boom".to_owned())).await;
    let given_up = &drained.given_up[0];
    let object: Value = serde_json::from_str(&given_up.object).unwrap();
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(members(&object), "requestContext responseContext version timestamp DDBStreamBatchInfo payload");
    assert_eq!(members(&object["requestContext"]), "requestId functionArn condition approximateInvokeCount");
    assert_eq!(
        members(&object["DDBStreamBatchInfo"]),
        "shardId startSequenceNumber endSequenceNumber approximateArrivalOfFirstRecord approximateArrivalOfLastRecord \
         batchSize streamArn"
    );
    assert_eq!(object["requestContext"]["condition"], "RetryAttemptsExhausted");
    assert_eq!(object["requestContext"]["approximateInvokeCount"], 1);
    let response = serde_json::json!({"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"});
    assert_eq!(object["responseContext"], response);
    assert_eq!((&object["version"], &object["timestamp"]), (&"1.0".into(), &"2026-11-20T12:00:00.000Z".into()));
    let batch = &object["DDBStreamBatchInfo"];
    assert_eq!(batch["approximateArrivalOfFirstRecord"], NOON);
    assert_eq!(batch["batchSize"], 2);
    assert_eq!(batch["startSequenceNumber"], given_up.first.as_str());
    assert_eq!(batch["endSequenceNumber"], given_up.last.as_str());
    let payload: Value = serde_json::from_str(object["payload"].as_str().unwrap()).unwrap();
    let records: Vec<Value> = given_up.records.iter().map(|record| parse(record)).collect();
    assert_eq!(payload["Records"], Value::Array(records));
    assert_eq!(payload["Records"][0]["eventSourceARN"], batch["streamArn"]);
}

/// "MaximumRecordAgeInSeconds": older records are discarded; later, younger ones are delivered.
#[tokio::test]
async fn records_that_are_too_old_are_not_delivered() {
    let stack = stack().await;
    put(&stack, "a", &[]).await;
    stack.clock().advance(Duration::from_secs(61));
    put(&stack, "b", &[]).await;
    let aged = PumpOptions { maximum_record_age: Some(Duration::from_secs(60)), ..options() };
    let (got, drained) = run(&stack, aged, |_| reported(&[])).await;
    assert_eq!(got, ["b"]);
    assert_eq!(drained.given_up[0].condition, "RecordAgeExceeded");
    assert_eq!(key(&drained.given_up[0].records[0]), "a");
    let object: Value = serde_json::from_str(&drained.given_up[0].object).unwrap();
    assert_eq!(object["requestContext"]["approximateInvokeCount"], 0);
    assert_eq!(object.get("responseContext"), None);
}

/// A record becomes too old while it is retried.
#[tokio::test]
async fn retries_end_with_age() {
    let stack = written("a").await;
    let aged =
        PumpOptions { maximum_record_age: Some(Duration::from_secs(60)), maximum_retry_attempts: 10_000, ..options() };
    let (got, drained) = run(&stack, aged, |_| Err("boom".to_owned())).await;
    assert_eq!(got.len(), 6, "1 + 2 + 4 + 8 + 16 + 32 seconds");
    assert_eq!(drained.given_up[0].condition, "RecordAgeExceeded");
}

/// The function's own writes are delivered in the same drain.
#[tokio::test]
async fn a_drain_ends_when_the_stream_is_quiet() {
    struct Chain<'a>(&'a Stack, Vec<String>);
    impl Handler for Chain<'_> {
        async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
            for record in records {
                let key = key(record);
                if key.len() < 4 {
                    put(self.0, &format!("{key}x"), &[]).await;
                }
                self.1.push(key);
            }
            Ok(Vec::new())
        }
    }
    let stack = written("a").await;
    let mut chain = Chain(&stack, Vec::new());
    let drained = stack.pump(options()).unwrap().drain(&mut chain).await.unwrap();
    assert_eq!(chain.1, ["a", "ax", "axx", "axxx"]);
    assert_eq!((drained.batches, drained.records), (4, 4));
}

/// INVARIANT 8: writes that cause each other end a drain with an error.
#[tokio::test]
async fn a_stream_that_never_becomes_empty_is_an_error() {
    struct Again<'a>(&'a Stack, u32);
    impl Handler for Again<'_> {
        async fn handle(&mut self, _: &[Box<RawValue>]) -> Result<Vec<String>, String> {
            self.1 += 1;
            put(self.0, "a", &[("n", text(&self.1.to_string()))]).await;
            Ok(Vec::new())
        }
    }
    let stack = written("a").await;
    let error = stack.pump(options()).unwrap().drain(&mut Again(&stack, 0)).await.unwrap_err();
    assert!(matches!(error, LocalError::StreamNeverEmpty { deliveries: 200 }), "{error}");
}

/// An invocation has a payload of at most 6 MB.
#[tokio::test]
async fn a_batch_fits_an_invocation() {
    let stack = stack().await;
    let long = text(&"x".repeat(350_000));
    for number in 0..20 {
        put(&stack, &format!("{number:02}"), &[("long", long.clone())]).await;
    }
    let (got, drained) = run(&stack, options(), |_| reported(&[])).await;
    assert_eq!(got.iter().map(String::len).collect::<Vec<_>>(), [17 * 2, 3 * 2]);
    assert_eq!(drained.records, 20);
}

#[tokio::test]
async fn overlays_go_to_the_records_of_their_key_in_order() {
    let stack = stack().await;
    let pump = stack.pump(options()).unwrap();
    let key = |pk: &str| Key { pk: pk.to_owned(), sk: "s".to_owned() };
    let raw = |json: &str| RawValue::from_string(json.to_owned()).ok();
    pump.overlay(key("a"), Overlay { time: raw("1700000000.50"), user_identity: None });
    pump.overlay(key("a"), Overlay { time: raw("1700000001"), user_identity: None });
    pump.overlay(key("a"), Overlay { time: None, user_identity: raw(r#"{"type":"Service"}"#) });
    put(&stack, "a", &[]).await;
    put(&stack, "a", &[]).await;
    put(&stack, "b", &[]).await;
    put(&stack, "a", &[("n", text("1"))]).await;
    put(&stack, "a", &[("n", text("2"))]).await;
    let mut seen = Vec::new();
    struct Look<'a>(&'a mut Vec<String>);
    impl Handler for Look<'_> {
        async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
            self.0.extend(records.iter().map(|record| record.get().to_owned()));
            Ok(Vec::new())
        }
    }
    stack.pump(options()).unwrap().drain(&mut Look(&mut seen)).await.unwrap();
    assert_eq!(seen.len(), 4, "the write that changed nothing is left out, and took its overlay");
    assert!(seen[0].contains(r#""ApproximateCreationDateTime":1700000000.50,"#), "{}", seen[0]);
    assert!(seen[1].contains(r#""ApproximateCreationDateTime":1795176000,"#), "{}", seen[1]);
    assert!(seen[2].contains(r#""userIdentity":{"type":"Service"}"#), "{}", seen[2]);
    assert!(!seen[3].contains("userIdentity"), "{}", seen[3]);
}

#[tokio::test]
async fn records_can_be_skipped_to_the_end() {
    let stack = written("ab").await;
    let mut pump = stack.pump(options()).unwrap();
    pump.skip_to_end().unwrap();
    put(&stack, "c", &[]).await;
    assert_eq!(keys(&pump.read_all(ReadFrom::TrimHorizon).unwrap()), "abc");
    assert_eq!(keys(&pump.read_all(ReadFrom::Checkpoint).unwrap()), "c");
    let (got, _) = run(&stack, options(), |_| reported(&[])).await;
    assert_eq!(got, ["c"]);
}

#[tokio::test]
async fn options_have_the_limits_of_lambda() {
    let stack = stack().await;
    for batch_size in [0, 10_001] {
        let error = stack.pump(PumpOptions { batch_size, ..options() }).unwrap_err();
        assert!(matches!(error, LocalError::Option { what: "the batch size", .. }));
    }
    stack.pump(PumpOptions { batch_size: 10_000, ..options() }).unwrap();
}

/// A batch is larger than one page of GetRecords.
#[tokio::test]
async fn a_batch_is_read_in_several_calls() {
    let stack = stack().await;
    for number in 0..1_100 {
        put(&stack, &number.to_string(), &[]).await;
    }
    let (got, drained) = run(&stack, PumpOptions { batch_size: 10_000, ..options() }, |_| reported(&[])).await;
    assert_eq!((got.len(), drained.records), (1, 1_100));
}

/// With a directory, the object is also a file.
#[tokio::test]
async fn a_directory_keeps_what_was_given_up() {
    let dir = tempfile::tempdir().unwrap();
    let stack = open(Some(dir.path())).await.unwrap();
    put(&stack, "a", &[]).await;
    let none = PumpOptions { maximum_retry_attempts: 0, ..options() };
    let (_, drained) = run(&stack, none, |_| Err("boom".to_owned())).await;
    let path = drained.given_up[0].path.as_ref().unwrap();
    assert_eq!(path.parent().unwrap(), dir.path().join("on-failure"));
    assert_eq!(std::fs::read_to_string(path).unwrap(), drained.given_up[0].object);
}

/// A step delivers one batch once. What failed, and what follows it, is delivered by the next one, and no time passes.
#[tokio::test]
async fn a_step_delivers_one_batch_once() {
    let stack = written("abcd").await;
    let mut pump = stack.pump(PumpOptions { batch_size: 3, ..options() }).unwrap();
    let mut fails = true;
    let act = |keys: &[String]| {
        let failing = std::mem::take(&mut fails) && keys.contains(&"b".to_owned());
        if failing { reported(&["b"]) } else { reported(&[]) }
    };
    let mut function = Function { act, got: Vec::new() };
    let mut steps = Vec::new();
    while let Some(step) = pump.step(&mut function).await.unwrap() {
        steps.push((step.handled, step.failed.is_some()));
    }
    assert_eq!(function.got.iter().map(|keys| keys.concat()).collect::<Vec<_>>(), ["abc", "bcd"]);
    assert_eq!(steps, [(1, true), (3, false)]);
    assert_eq!(stack.clock().now(), NOON.parse().unwrap());
}
