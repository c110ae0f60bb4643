//! Captures as other tools write them.

use serde_json::{Value, json};

use crate::support::{instep, instep_with};

/// The record of a new user, without a time.
fn record(name: &str, sequence: u32) -> Value {
    let key = json!({"pk": {"S": format!("U:{name}@example.com")}, "sk": {"S": format!("U:{name}@example.com")}});
    let mut image = key.clone();
    image["siKey1"] = json!({"S": "U"});
    let arn = "arn:aws:dynamodb:eu-west-1:000000000000:table/users/stream/s";
    json!({"eventName": "INSERT", "eventSourceARN": arn,
        "dynamodb": {"Keys": key, "NewImage": image, "SequenceNumber": sequence.to_string()}})
}

fn recorded_at(input: &str) -> Vec<Value> {
    let ran = instep_with(&["replay", "--model", "access-management", "--json", "-"], input);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    ran.of("event").iter().map(|event| event["event"]["detail"]["metadata"]["recordedAt"].clone()).collect()
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

/// A folder of captures may have other files.
#[test]
fn other_json_in_a_folder_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("package.json"), r#"{"name": "site", "scripts": {}}"#).unwrap();
    std::fs::write(folder.path().join("people.json"), r#"[{"name": "ann"}, {"name": "bob"}]"#).unwrap();
    std::fs::write(folder.path().join("people.jsonl"), "{\"name\": \"ann\"}\n{\"name\": \"bob\"}\n").unwrap();
    let args = ["replay", "--model", "access-management", "--json", folder.path().to_str().unwrap()];
    let ran = instep(&args);
    assert!(ran.status == 2 && ran.stderr.contains("no file of the folder is a capture"), "{}", ran.stderr);
    std::fs::write(folder.path().join("records.json"), record("a", 100).to_string()).unwrap();
    let ran = instep(&args);
    assert_eq!((ran.status, ran.of("event").len()), (0, 1), "{}", ran.stderr);
    for name in ["package.json", "people.json", "people.jsonl"] {
        assert!(ran.stderr.contains("left out: ") && ran.stderr.contains(name), "{}", ran.stderr);
        let other = folder.path().join(name);
        let named = [&args[..4], &[other.to_str().unwrap()]].concat();
        assert_eq!(instep(&named).status, 2, "{name} is refused if it is named itself");
    }
}

/// Bytes that are no text harm the record that they are in, and nothing is made up in their place.
#[test]
fn a_record_with_bytes_that_are_no_text_is_parked_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("records.jsonl");
    let text = format!("{}\n{}\n", record("a~", 100), record("b", 101)).into_bytes();
    std::fs::write(&file, text.iter().map(|byte| if *byte == b'~' { 0xe9 } else { *byte }).collect::<Vec<_>>())
        .unwrap();
    let ran = instep(&["replay", "--model", "access-management", "--json", file.to_str().unwrap()]);
    assert_eq!((ran.status, ran.of("event").len(), ran.of("parked").len()), (1, 1, 1), "{}", ran.stdout);
    let reason = ran.of("parked")[0]["reason"].as_str().unwrap();
    let at = text.iter().position(|byte| *byte == b'~').unwrap();
    assert!(reason.contains(&format!("records.jsonl`, byte {at}: not UTF-8")), "{reason}");
}

/// A record that was parked in a backfill: its message says that its event is not published.
#[test]
fn a_replay_publishes_nothing_of_a_parked_backfill() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let live = record("a", 100);
    let args = ["replay", "-", "--model", "access-management", "--json"];
    assert_eq!(instep_with(&[&args[..], &["--data", data]].concat(), &live.to_string()).status, 0);
    let parked = |more: &Value| {
        let mut message = json!({"instepParked": "1", "code": "c", "reason": "r", "record": live});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("{message}\n")
    };
    let (failed, backfill) = (parked(&json!({})), parked(&json!({"origin": "captured", "publish": false})));
    for (input, events) in
        [(failed.clone(), 1), (backfill.clone(), 0), (format!("{failed}{backfill}{backfill}{failed}"), 2)]
    {
        let ran = instep_with(&[&args[..], &["--against", data]].concat(), &input);
        assert_eq!((ran.status, ran.of("event").len()), (0, events), "{}{}", ran.stdout, ran.stderr);
    }
}

/// One capture may have records of several tables.
#[test]
fn a_named_table_is_selected_among_mixed_ones() {
    let other = record("b", 101).to_string().replace("table/users", "table/others");
    let input = format!("{other}\n{}\n", record("a", 100));
    let args = ["replay", "--model", "access-management", "--json", "-"];
    let ran = instep_with(&args, &input);
    assert_eq!((ran.status, ran.of("parked").len(), ran.of("event").len()), (1, 1, 1), "{}", ran.stdout);
    let ran = instep_with(&[&args[..], &["--table", "users"]].concat(), &input);
    assert_eq!((ran.status, ran.of("parked").len()), (0, 0), "{}", ran.stdout);
    let event = &ran.of("event")[0]["event"]["detail"]["metadata"]["entityId"];
    assert_eq!(event, "a@example.com");
}

/// Some tools write the newest record first.
#[test]
fn records_are_ordered_by_sequence_number() {
    let mut removed = record("a", 102);
    removed["eventName"] = json!("REMOVE");
    removed["dynamodb"]["OldImage"] = removed["dynamodb"]["NewImage"].take();
    let input = format!("{removed}\n{}\n{}\n", record("b", 101), record("a", 100));
    let ran = instep_with(&["replay", "--model", "access-management", "--json", "-"], &input);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(ran.stderr.contains("ordered by sequence number"), "{}", ran.stderr);
    let of = |event: &&Value| event["event"]["detail-type"].as_str().unwrap().to_owned();
    let events: Vec<String> = ran.of("event").iter().map(of).collect();
    assert_eq!(events, ["User Created", "User Created", "User Deleted"]);
}

/// A file of writes says what one transaction wrote. It is written together, and handled in one batch.
#[test]
fn a_transaction_of_a_file_of_writes_stays_together() {
    let user = json!({"pk": "U:a@example.com", "sk": "U:a@example.com", "siKey1": "U"});
    let group = json!({"pk": "G:/a", "sk": "G:/a", "siKey1": "G"});
    let grant = json!({"pk": "U:a@example.com", "sk": "G:/a", "role": "reader"});
    let together = json!([{"at": "2026-05-28T20:00:00Z", "transact": [{"put": grant}, {"put": group}, {"put": user}]}]);
    let apart = json!([{"at": "2026-05-28T20:00:00Z", "put": grant}, {"put": group}, {"put": user}]);
    let args = ["replay", "--model", "access-management", "--json", "-"];
    let notes = |writes: &Value| {
        let ran = instep_with(&args, &writes.to_string());
        assert_eq!((ran.status, ran.of("event").len()), (0, 3), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.of("event")[0]["event"]["detail"]["metadata"]["recordedAt"], "2026-05-28T20:00:00Z");
        ran.of("record").iter().map(|record| record["notes"].as_array().map_or(0, Vec::len)).sum::<usize>()
    };
    assert!(notes(&apart) > 0, "alone, the grant is pending");
    assert_eq!(notes(&together), 0);
    let against = instep_with(&[&args[..], &["--against", "nowhere"]].concat(), &apart.to_string());
    assert!(against.status == 2 && against.stderr.contains("capture --writes"), "{}", against.stderr);
}

/// A capture of another table is one error, and not one for each record.
#[test]
fn records_of_another_table_are_one_error() {
    let other = record("a", 100).to_string().replace("\"pk\"", "\"PK\"").replace("\"sk\"", "\"SK\"");
    let replay = ["replay", "--model", "access-management", "--json", "-"];
    let ran = instep_with(&replay, &format!("{other}\n{}\n", other.replace("100", "101")));
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("the records have `PK`"), "{}", ran.stderr);
    let ran = instep_with(&replay, &format!("{other}\n{}\n", record("b", 101)));
    assert_eq!(ran.status, 1, "one record of the table is enough: {}", ran.stderr);
}

/// A file of writes with a mistake is told apart from a capture.
#[test]
fn a_mistake_in_a_file_of_writes_is_named() {
    let writes = r#"[{"put": {"pk": "G:/a", "sk": "G:/a"}}, {"delete": {"pk": "G:/a"}, "sets": {}}]"#;
    let ran = instep_with(&["replay", "--model", "access-management", "-"], writes);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("unknown field `sets`") && ran.stderr.contains("--writes"), "{}", ran.stderr);
}

/// The embedded table has a name that DynamoDB takes, whatever the model's name.
#[test]
fn a_model_with_a_short_name_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m.toml");
    let text =
        "model = \"m\"\ntable = { pk = \"pk\", sk = \"sk\" }\n[items.A]\npk = \"A#{id}\"\nsk = \"A\"\nentity = \"A\"\n";
    std::fs::write(&model, text).unwrap();
    let writes = r#"[{"put": {"pk": "A#1", "sk": "A"}}]"#;
    let ran = instep_with(&["replay", "--model", model.to_str().unwrap(), "--json", "-"], writes);
    assert_eq!((ran.status, ran.of("event").len()), (0, 1), "{}", ran.stderr);
}
