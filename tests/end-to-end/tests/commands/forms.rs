//! Captures as other tools write them.

use serde_json::{Value, json};

use crate::support::instep_with;

/// The record of a new user, without a time.
fn record(name: &str, sequence: u32) -> Value {
    let key = json!({"pk": {"S": format!("U:{name}@example.com")}, "sk": {"S": format!("U:{name}@example.com")}});
    let arn = "arn:aws:dynamodb:eu-west-1:000000000000:table/users/stream/s";
    json!({"eventName": "INSERT", "eventSourceARN": arn,
        "dynamodb": {"Keys": key, "NewImage": key, "SequenceNumber": sequence.to_string()}})
}

fn recorded_at(input: &str) -> Vec<Value> {
    let ran = instep_with(&["replay", "--model", "access-management", "--json", "-"], input);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    ran.of("event").iter().map(|event| event["detail"]["metadata"]["recordedAt"].clone()).collect()
}

#[test]
fn a_record_without_a_time_has_no_time_in_its_event() {
    assert_eq!(recorded_at(&record("a", 100).to_string()), [Value::Null]);
}

#[test]
fn times_of_other_tools_are_read() {
    let mut iso = record("a", 100);
    iso["dynamodb"]["ApproximateCreationDateTime"] = json!("2026-05-28T20:26:40.5Z");
    let mut micros = record("b", 101);
    micros["dynamodb"]["ApproximateCreationDateTime"] = json!(1_780_000_001_000_250_i64);
    micros["dynamodb"]["ApproximateCreationDateTimePrecision"] = json!("MICROSECOND");
    let input = format!("{iso}\n{micros}\n");
    assert_eq!(recorded_at(&input), [json!("2026-05-28T20:26:40.5Z"), json!("2026-05-28T20:26:41.00025Z")]);
}
