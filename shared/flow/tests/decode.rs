//! Decoding of stream records, and of any other JSON.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it cannot go on")]

use instep_contract::Cause;
use instep_flow::decode::{Change, Decoded, Reject, decode};
use instep_flow::stream_record::RecordPlace;
use instep_flow::valid::is_number;
use instep_model::{Model, Unknown};
use proptest::prelude::*;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

fn model() -> Model {
    Model::shipped("access-management").unwrap()
}

fn outcome(record: &Value) -> Result<Decoded, Reject> {
    decode(&model(), Some("users"), &to_raw_value(record).unwrap())
}

fn change(record: &Value) -> std::sync::Arc<Change> {
    match outcome(record) {
        Ok(Decoded::Change(change)) => change,
        other => panic!("{other:?}"),
    }
}

fn code(record: &Value) -> &'static str {
    outcome(record).unwrap_err().code
}

fn record() -> Value {
    let key = json!({"pk": {"S": "U:x@example.com"}, "sk": {"S": "U:x@example.com"}});
    json!({
        "eventName": "INSERT",
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:000000000000:table/users/stream/2026-01-01T00:00:00.000",
        "dynamodb": {"Keys": key, "NewImage": key, "SequenceNumber": "7", "ApproximateCreationDateTime": 1_780_000_000},
    })
}

fn with(pointer: &str, value: Value) -> Value {
    let mut record = record();
    *record.pointer_mut(pointer).unwrap() = value;
    record
}

#[test]
fn times_of_all_formats_are_parsed() {
    let at =
        |time: Value| change(&with("/dynamodb/ApproximateCreationDateTime", time)).recorded_at.map(|at| at.to_string());
    assert_eq!(at(json!(1_780_000_000)).unwrap(), "2026-05-28T20:26:40Z");
    assert_eq!(at(json!(1_780_000_000.25)).unwrap(), "2026-05-28T20:26:40.25Z");
    assert_eq!(at(json!(1_780_000_000_250_i64)).unwrap(), "2026-05-28T20:26:40.25Z");
    assert_eq!(at(json!(1e300)), None);
    assert_eq!(at(Value::Null), None);
    assert_eq!(at(json!("2026-05-28T20:26:40.25Z")).unwrap(), "2026-05-28T20:26:40.25Z");
    assert_eq!(at(json!("2026-05-28T22:26:40+02:00")).unwrap(), "2026-05-28T20:26:40Z");
    assert_eq!(at(json!("2026-05-28T20:26:40")).unwrap(), "2026-05-28T20:26:40Z");
    assert_eq!(at(json!("1780000000")).unwrap(), "2026-05-28T20:26:40Z");
    assert_eq!(code(&with("/dynamodb/ApproximateCreationDateTime", json!("soon"))), "malformed-record");
    let of = |time: Value, unit: &str| {
        let mut record = with("/dynamodb/ApproximateCreationDateTime", time);
        record["dynamodb"]["ApproximateCreationDateTimePrecision"] = json!(unit);
        change(&record).recorded_at.map(|at| at.to_string())
    };
    assert_eq!(of(json!(1_780_000_000_250_001_i64), "MICROSECOND").unwrap(), "2026-05-28T20:26:40.250001Z");
    assert_eq!(of(json!(1_780_000_000_250_i64), "MILLISECOND").unwrap(), "2026-05-28T20:26:40.25Z");
    assert_eq!(of(json!(5), "MILLISECOND").unwrap(), "1970-01-01T00:00:00.005Z");
}

/// Lambda and GetRecords spell the identity of a deletion by TTL differently.
#[test]
fn both_spellings_of_a_ttl_removal_are_read() {
    for identity in [
        json!({"principalId": "dynamodb.amazonaws.com", "type": "Service"}),
        json!({"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}),
    ] {
        let mut record = record();
        record["userIdentity"] = identity;
        assert_eq!(change(&record).cause, Cause::Ttl);
    }
    let mut by_hand = record();
    by_hand["userIdentity"] = json!({"principalId": "somebody", "type": "Service"});
    assert_eq!(change(&by_hand).cause, Cause::Write);
}

/// Promise 6: each kind of error in a record has its code, and its reason contains no value.
#[test]
fn every_error_has_a_code() {
    let key = |key: &str| json!({"pk": {"S": key}, "sk": {"S": key}});
    let keyed = |text: &str| {
        let mut record = with("/dynamodb/Keys", key(text));
        record["dynamodb"]["NewImage"] = key(text);
        record
    };
    let cases = [
        (json!([]), "malformed-record"),
        (json!({"eventName": "INSERT"}), "malformed-record"),
        (with("/eventName", json!("UPSERT")), "malformed-record"),
        (with("/eventName", json!("MODIFY")), "missing-image"),
        (with("/eventName", json!("REMOVE")), "missing-image"),
        (with("/dynamodb/NewImage", json!({})), "missing-image"),
        (with("/dynamodb/NewImage", key("U:other@example.com")), "forged-key"),
        (with("/dynamodb/NewImage/pk", json!({"X": "?"})), "malformed-record"),
        (with("/dynamodb/Keys", json!({"id": {"S": "1"}})), "other-table"),
        (with("/dynamodb/Keys/pk", json!({"N": "1"})), "wrong-type"),
        (with("/dynamodb/SequenceNumber", json!("")), "missing-sequence"),
        (with("/dynamodb/SequenceNumber", json!("seven")), "malformed-record"),
        (with("/eventSourceARN", json!("arn:aws:dynamodb:us-east-1:000000000000:table/other/stream/x")), "other-table"),
        (keyed("X:1"), "unknown-item"),
        (keyed("u:secret@example.com"), "unknown-item"),
        (keyed("G:/a|||admin"), "forged-key"),
        (keyed("U:Secret@example.com"), "key-not-canonical"),
        (keyed(&format!("G:{}", "a".repeat(115))), "cognito-name"),
        (keyed("G:/a secret"), "cognito-name"),
    ];
    for (record, expected) in cases {
        let reject = outcome(&record).expect_err(expected);
        assert_eq!(reject.code, expected, "{}", reject.reason);
        assert!(!reject.reason.contains("ecret"), "a value in a reason: {}", reject.reason);
    }
    assert!(matches!(outcome(&keyed(&format!("G:{}", "a".repeat(114)))), Ok(Decoded::Change(_))));
    assert_eq!(
        code(&with(
            "/dynamodb/NewImage",
            json!({"pk": {"S": "U:x@example.com"}, "sk": {"S": "U:x@example.com"}, "n": {"N": "1e126"}})
        )),
        "bad-number"
    );
}

/// A template and the writer agree but for upper and lower case: the reason says where, and the fix. If such records are
/// skipped, it is said, too: with a wrong template all of them would be.
#[test]
fn a_key_in_another_case_is_no_other_key() {
    let key = json!({"pk": {"S": "u:x@example.com"}, "sk": {"S": "u:x@example.com"}});
    let mut record = with("/dynamodb/Keys", key.clone());
    record["dynamodb"]["NewImage"] = key;
    assert_eq!(
        outcome(&record).unwrap_err().reason,
        "no item type of the model has such a key (it has the form of User, except for upper and lower case: the model \
         has `U:`, the key `u:`): write both alike, or say `unknown = \"skip\"` under [table]"
    );
    let mut skipping = model();
    skipping.table.unknown = Unknown::Skip;
    match decode(&skipping, Some("users"), &to_raw_value(&record).unwrap()) {
        Ok(Decoded::Nothing(why)) => assert!(why.ends_with("but one has it in another case"), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// A secret decides as any other attribute does: it is masked where it would leave the process.
#[test]
fn secrets_stay_in_the_images_of_a_change() {
    let mut secretive = model();
    secretive.secret.insert("state".to_owned());
    let record = with(
        "/dynamodb/NewImage",
        json!({"pk": {"S": "U:x@example.com"}, "sk": {"S": "U:x@example.com"}, "state": {"S": "x"}}),
    );
    let raw = to_raw_value(&record).unwrap();
    let Ok(Decoded::Change(change)) = decode(&secretive, None, &raw) else { panic!("not a change") };
    assert!(change.new.as_ref().unwrap().contains_key("state"));
}

/// Roles are strings. The reason says whether the attribute or an element of it has the wrong type.
#[test]
fn roles_are_strings() {
    let with_role = |role: Value| {
        let keys = json!({"pk": {"S": "U:x@example.com"}, "sk": {"S": "G:/a"}});
        let mut image = keys.clone();
        image["role"] = role;
        outcome(&json!({"eventName": "INSERT", "dynamodb": {"SequenceNumber": "1", "Keys": keys, "NewImage": image}}))
    };
    assert!(with_role(json!({"SS": ["admin", "reader"]})).is_ok());
    assert!(with_role(json!({"L": [{"S": "admin"}, {"S": "reader"}]})).is_ok());
    let reject = with_role(json!({"N": "5"})).unwrap_err();
    assert!(reject.reason.contains("of type N: roles are"), "{}", reject.reason);
    let reject = with_role(json!({"L": [{"S": "admin"}, {"N": "5"}]})).unwrap_err();
    assert_eq!(reject.code, "wrong-type");
    assert!(reject.reason.contains("not all in it are strings"), "{}", reject.reason);
}

/// DynamoDB's numbers: 38 digits, magnitudes from 1E-130 to 9.99…E+125.
#[test]
fn numbers_are_held_to_dynamodbs_range() {
    let longest = "9".repeat(38);
    for number in [
        "0",
        "-0.0",
        "1",
        "007",
        "-12.50",
        "1E125",
        "9.9e+125",
        "1e-130",
        "0.001",
        ".5",
        "5.",
        &longest,
        &format!("{longest}000"),
    ] {
        assert!(is_number(number), "{number}");
    }
    for number in
        ["", "-", ".", "e5", "1e", "1e126", "1E-131", "0x10", "NaN", "1 ", "１", &"9".repeat(39), "1.2.3", "--1"]
    {
        assert!(!is_number(number), "{number}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-zA-Z:/#|@.é ]{0,12}".prop_map(Value::from),
        prop_oneof![Just("INSERT"), Just("MODIFY"), Just("REMOVE"), Just("U:x@example.com"), Just("G:/a"), Just("7")]
            .prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("eventName"),
        Just("dynamodb"),
        Just("Keys"),
        Just("NewImage"),
        Just("OldImage"),
        Just("SequenceNumber"),
        Just("pk"),
        Just("sk"),
        Just("role"),
        Just("S"),
        Just("N"),
        Just("L"),
        Just("M"),
        Just("BOOL"),
        Just("SS"),
        Just("B"),
        Just("userIdentity"),
        Just("ApproximateCreationDateTime"),
    ];
    leaf.prop_recursive(6, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..8).prop_map(|pairs| pairs
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// No JSON makes decoding panic. JSON that is not understood is rejected, and never decoded as
    /// something else.
    #[test]
    fn any_json_is_decoded_or_rejected(value in any_json()) {
        if let Err(reject) = outcome(&value) {
            prop_assert!(!reject.reason.is_empty());
        }
    }

    /// A record with any one part replaced by any JSON is decoded or rejected.
    #[test]
    fn a_record_with_any_part_replaced(value in any_json(), place in 0..8usize) {
        let pointer = ["/eventName", "/dynamodb", "/dynamodb/Keys", "/dynamodb/NewImage", "/dynamodb/Keys/pk", "/dynamodb/NewImage/sk",
            "/dynamodb/SequenceNumber", "/dynamodb/ApproximateCreationDateTime"][place];
        drop(outcome(&with(pointer, value)));
    }

    /// A change is decoded as it was written: images lose nothing.
    #[test]
    fn images_are_lossless(text in ".*", number in "-?[1-9][0-9]{0,37}", bytes in prop::collection::vec(any::<u8>(), 0..16), flag in any::<bool>()) {
        let image = instep_model::Item::from([
            ("text".to_owned(), instep_model::Value::S(text)),
            ("number".to_owned(), instep_model::Value::N(number)),
            ("bytes".to_owned(), instep_model::Value::B(instep_model::Bytes(bytes))),
            ("flag".to_owned(), instep_model::Value::Bool(flag)),
            ("pk".to_owned(), instep_model::Value::S("U:x@example.com".to_owned())),
            ("sk".to_owned(), instep_model::Value::S("U:x@example.com".to_owned())),
        ]);
        let read = change(&with("/dynamodb/NewImage", serde_json::to_value(&image).unwrap()));
        prop_assert_eq!(read.new.as_ref(), Some(&image));
    }
}

/// Promise 5: the records of a stream that was made later come after all of an earlier one, whatever their numbers are.
#[test]
fn a_later_stream_has_later_places() {
    let place = |epoch: &str, sequence: &str| RecordPlace { epoch: epoch.to_owned(), sequence: sequence.to_owned() };
    let former = "2026-01-01T00:00:00.000";
    let in_order = [
        place("", ""),
        place("", "900"),
        place(former, "9"),
        place(former, "10"),
        place("2026-02-01T00:00:00.000", "1"),
    ];
    assert!(in_order.is_sorted_by(|before, after| before < after));
    assert_eq!(change(&record()).place(), place(former, "7"), "from the ARN of the stream");
}
