//! Filters: the event source mapping drops only records from which nothing follows (promise 4), and
//! it drops every such record that a pattern can recognize.

use std::fmt::Write as _;

use instep_flow::filter::{Filter, PATTERNS_MAX};
use instep_model::{Model, Unknown};
use serde_json::value::RawValue;

use crate::support::{DESIGNS, instep, instep_with, model_of, root};

/// Both options for items that no item type describes.
fn filters(model: &Model) -> [(&'static str, Filter); 2] {
    [("park", Unknown::Park), ("skip", Unknown::Skip)].map(|(word, unknown)| {
        let mut model = model.clone();
        model.table.unknown = unknown;
        (word, Filter::of(&model))
    })
}

/// All records that a system's history leaves in the stream, including those of Instep's own
/// writes.
fn stream(system: &str, data: &str) -> Vec<Box<RawValue>> {
    let (_, name) = model_of(system);
    let played = instep(&["replay", &format!("events/{system}"), "--data", data]);
    assert_eq!(played.status, 0, "{}", played.stderr);
    let captured = instep(&["capture", "--data", data, "--model", &name]);
    assert_eq!(captured.status, 0, "{}", captured.stderr);
    #[derive(serde::Deserialize)]
    struct Event {
        #[serde(rename = "Records")]
        records: Vec<Box<RawValue>>,
    }
    serde_json::from_str::<Event>(&captured.stdout).unwrap().records
}

/// Promise 4: nothing follows from a record that a filter drops: no effect, no event, no parking.
#[test]
fn nothing_follows_from_what_is_left_out() {
    let mut table = String::from("system              records  left out: park  skip\n");
    for system in DESIGNS {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let data = data.to_str().unwrap();
        let records = stream(system, data);
        let (model, name) = model_of(system);
        let mut counts = Vec::new();
        for (word, filter) in filters(&model) {
            let left_out: String = records
                .iter()
                .filter(|record| !filter.lets_through(record))
                .map(|record| record.get().split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
                .collect();
            counts.push(left_out.lines().count());
            let ran = instep_with(&["replay", "-", "--model", &name, "--against", data, "--json"], &left_out);
            let summary = ran.summary();
            for nothing in ["effects", "events", "parked", "left"] {
                assert_eq!(summary[nothing], 0, "{system}, {word}: {}", ran.stdout);
            }
        }
        let _ = writeln!(
            table,
            "{system:<18} {:>8} {:>15} {:>5}",
            records.len(),
            counts.first().unwrap(),
            counts.last().unwrap()
        );
    }
    expect_test::expect_file![root().join("tests/filters.txt")].assert_eq(&table);
}

/// The patterns of every model, with both options for unknown items, stay within Lambda's limits
/// for number and length, and use only operators that Lambda documents for DynamoDB streams.
#[test]
fn patterns_are_what_lambda_takes() {
    fn check(pattern: &serde_json::Value) {
        match pattern {
            serde_json::Value::Object(members) => members.values().for_each(check),
            serde_json::Value::Array(conditions) => {
                for condition in conditions {
                    let is_known = condition.is_string()
                        || condition.get("prefix").is_some_and(serde_json::Value::is_string)
                        || condition.get("exists").is_some_and(serde_json::Value::is_boolean);
                    assert!(is_known, "{condition}");
                }
            }
            serde_json::Value::Null
            | serde_json::Value::Bool(_)
            | serde_json::Value::Number(_)
            | serde_json::Value::String(_) => assert!(pattern.is_object(), "{pattern} is no pattern"),
        }
    }
    for name in instep_model::shipped_names().iter().copied().chain(["bookings", "invoicing", "version-control"]) {
        for (word, filter) in filters(&model_of(name).0) {
            let patterns = filter.patterns();
            assert!((1..=PATTERNS_MAX).contains(&patterns.len()), "{name}, {word}: {patterns:?}");
            for pattern in patterns {
                assert!(pattern.len() <= 4_096);
                let pattern: serde_json::Value = serde_json::from_str(&pattern).unwrap();
                let members = pattern.as_object().unwrap();
                assert!(members.len() == 1 && members.contains_key("dynamodb"), "only `dynamodb` can be filtered on");
                check(&pattern);
            }
        }
    }
}

/// A model with very many item types gets a wider filter, not one that Lambda refuses.
#[test]
fn a_very_long_filter_lets_more_through() {
    let mut text = String::from("model = \"m\"\n[table]\npk = \"PK\"\nsk = \"SK\"\nunknown = \"skip\"\n");
    for place in 0..200 {
        let _ = write!(
            text,
            "[items.Type{place}]\npk = \"A_LONG_PREFIX_OF_TYPE_{place:03}#{{id}}\"\nsk = \"METADATA\"\nentity = \"T{place}\"\n"
        );
    }
    let model = Model::parse("m.toml", &text).unwrap();
    let filter = Filter::of(&model);
    assert_eq!(filter.patterns(), [r#"{"dynamodb":{"Keys":{"PK":{"S":[{"exists":true}]}}}}"#]);
}

/// An item of a known type passes by its key alone: no attribute of a writer can hide it.
#[test]
fn no_attribute_hides_an_item() {
    let model = Model::shipped("access-management").unwrap();
    let hidden = r#"{"eventName":"REMOVE","dynamodb":{"Keys":{"pk":{"S":"U:x@example.com"},"sk":{"S":"G:/a"}},
        "OldImage":{"pk":{"S":"U:x@example.com"},"sk":{"S":"G:/a"},"role":{"S":"admin"},"instep":{"M":{"of":{"S":"x"},"state":{"S":"done"}}}}}}"#;
    let record = RawValue::from_string(hidden.to_owned()).unwrap();
    for (word, filter) in filters(&model) {
        assert!(filter.lets_through(&record), "{word}");
    }
}

/// Each reason for effects lets an item pass, even if none of its events is published.
#[test]
fn every_reason_to_react_lets_through() {
    let published = |items: &str| {
        let text = format!("model = \"m\"\n[table]\npk = \"PK\"\nsk = \"SK\"\nunknown = \"skip\"\n{items}");
        let model = Model::parse("m.toml", &text).unwrap_or_else(|errors| panic!("{:?}", errors.problems()));
        let patterns = Filter::of(&model).patterns().join(" ");
        ["A#", "B#"].map(|prefix| patterns.contains(&format!("{{\"prefix\":\"{prefix}\"}}")))
    };
    let item = |name: &str, more: &str| {
        let letter = &name[..1];
        format!("[items.{name}]\npk = \"{letter}#{{{letter}id}}\"\nsk = \"{name}\"\n{more}\n")
    };
    let (a, b) = (item("A", ""), item("B", ""));
    assert_eq!(published(&format!("{a}{b}")), [false, false], "of plain items nothing follows");
    assert_eq!(published(&format!("{a}{}", item("B", "entity = \"B\""))), [false, true], "events");
    let child = "[items.B]\npk = \"A#{Aid}\"\nsk = \"B#{Bid}\"\nparent = \"A\"\n";
    assert_eq!(published(&format!("{a}{child}")), [true, false], "a parent, and a child in its partition");
    let far = item("B", "parent = { type = \"A\", Aid = \"{Aid}\", find = \"sweep\" }");
    assert_eq!(published(&format!("{a}{far}")), [true, true], "a child that may be an orphan");
    let guard = item("B", "guard = { owner = \"A\" }");
    assert_eq!(published(&format!("{a}{guard}")), [true, true], "a guard and its owner");
    let user = item("A", "cognito.user = { name = \"{Aid}\" }");
    assert_eq!(published(&format!("{user}{b}")), [true, false], "a user");
    let groups = item("B", "cognito.groups = \"g:{Bid}\"");
    assert_eq!(published(&format!("{a}{groups}")), [false, true], "a group");
}

/// If only some changes of an item matter, the images of a record tell which change it is.
#[test]
fn images_tell_which_change_a_record_is() {
    let model = |publish: &str| {
        let text = format!(
            "model = \"m\"\n[table]\npk = \"PK\"\nsk = \"SK\"\nunknown = \"skip\"\n[items.A]\npk = \"A#{{id}}\"\nsk = \"A\"\nentity = \"A\"\nevents = [\"a\"]\npublish = [{publish}]\n"
        );
        Filter::of(&Model::parse("m.toml", &text).unwrap())
    };
    let record = |old: bool, new: bool| {
        let image = r#"{"PK":{"S":"A#1"},"SK":{"S":"A"}}"#;
        let part = |name: &str, there: bool| if there { format!(",\"{name}\":{image}") } else { String::new() };
        let body = format!("{{\"dynamodb\":{{\"Keys\":{image}{}{}}}}}", part("OldImage", old), part("NewImage", new));
        RawValue::from_string(body).unwrap()
    };
    let kinds = |publish: &str| {
        let filter = model(publish);
        [(false, true), (true, true), (true, false)].map(|(old, new)| filter.lets_through(&record(old, new)))
    };
    assert_eq!(
        kinds("\"created\""),
        [true, true, false],
        "wider than it need be, for only images that are there are asked for"
    );
    assert_eq!(kinds("\"deleted\""), [false, true, true]);
    assert_eq!(kinds("\"updated\""), [true, true, false]);
    assert_eq!(kinds("\"created\", \"deleted\""), [true, true, true]);
}
