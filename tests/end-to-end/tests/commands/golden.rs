//! Golden texts: the consequences of each captured event file, in a few readable lines, and its API
//! calls.
//!
//! `UPDATE_EXPECT=1 cargo test golden` updates them. Review the difference before you commit it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use expect_test::expect_file;
use serde_json::Value;

use crate::support::{Ran, captures, replayed, root};

/// Every file under `events/` has a golden text, and every golden text has a file.
#[test]
fn every_capture_has_its_golden_text() {
    let mut known = BTreeSet::new();
    let (mut costs, mut reasons) = (BTreeMap::new(), BTreeMap::new());
    // By name: of each kind of reason, the first one is kept.
    let entries = std::fs::read_dir(root().join("events")).unwrap().map(|entry| entry.unwrap());
    let folders: BTreeSet<String> = entries
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    for folder in folders {
        std::fs::create_dir_all(root().join("tests/golden").join(&folder)).unwrap();
        for capture in captures(&folder) {
            let name = format!("{folder}/{}.txt", capture.file_stem().unwrap().to_str().unwrap());
            let ran = replayed(capture.strip_prefix(root()).unwrap().to_str().unwrap());
            expect_file![root().join("tests/golden").join(&name)].assert_eq(&render(ran));
            note_reasons(&mut reasons, ran);
            costs.insert(name.replace(".txt", ""), calls(ran));
            known.insert(name);
        }
    }
    // A history that needs more calls than before is red: this says which, and of which operation.
    let costs: String = costs.iter().map(|(name, calls)| format!("{name}: {calls}\n")).collect();
    expect_file![root().join("tests/costs/histories.txt")].assert_eq(&costs);
    let reasons: String = reasons.into_values().map(|reason| reason + "\n").collect();
    expect_file![root().join("tests/reasons.txt")].assert_eq(&reasons);
    for folder in std::fs::read_dir(root().join("tests/golden")).unwrap() {
        let folder = folder.unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let name =
                format!("{}/{}", folder.file_name().to_str().unwrap(), file.unwrap().file_name().to_str().unwrap());
            assert!(known.contains(&name), "tests/golden/{name} has no capture under events/: delete it");
        }
    }
}

/// Notes each kind of reason once: by the operation of its effect, and its words before the first name.
fn note_reasons(known: &mut BTreeMap<String, String>, ran: &Ran) {
    for effect in ran.of("effect") {
        let because = text(effect, "because");
        assert_ne!(because, "-", "{effect} has no reason");
        let target = effect["target"].as_str().unwrap();
        let shown = format!("{} {target}\n    because {because}", text(effect, "operation"));
        known.entry(format!("{} {}", text(effect, "operation"), general(because))).or_insert(shown);
    }
    for nothing in ran.of("because") {
        let why = text(nothing, "why");
        known.entry(format!("nothing {}", general(why))).or_insert(format!("nothing\n    because {why}"));
    }
}

/// The words before the first name of an item type.
fn general(why: &str) -> String {
    why.split(' ').take_while(|word| !word.starts_with(char::is_uppercase)).collect::<Vec<_>>().join(" ")
}

/// The API calls of a run: all of them, and by operation.
fn calls(ran: &Ran) -> String {
    let summary = ran.of("summary");
    let calls = summary[0]["apiCalls"].as_object().unwrap();
    let all: u64 = calls.values().filter_map(Value::as_u64).sum();
    let each: Vec<String> = calls.iter().map(|(name, count)| format!("{name} {count}")).collect();
    format!("{all} ({})", each.join(", "))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or("-")
}

/// The consequences of a run: its records and work messages in order, then the final state.
fn render(ran: &Ran) -> String {
    let mut out = String::new();
    let mut all: Vec<&Value> = ran.of("record").into_iter().chain(ran.of("message")).collect();
    all.sort_by_key(|line| line["n"].as_u64());
    for record in all {
        render_record(&mut out, ran, record);
    }
    out.push_str("---\n");
    for state in ran.state() {
        render_state(&mut out, state);
    }
    writeln!(out, "exit {}", ran.status).unwrap();
    out
}

/// A record or work message, its effects, its events, and why it was parked.
fn render_record(out: &mut String, ran: &Ran, record: &Value) {
    let own = if record["own"] == true { " (Instep's own write)" } else { "" };
    let what = match text(record, "item") {
        "-" if record["kind"] == "message" => format!("work message, {}", text(record, "asks")),
        "-" => text(record, "why").to_owned(),
        item => format!("{item} {} {}", text(record, "id"), text(record, "verb")),
    };
    writeln!(out, "{} {what}: {}{own}", record["n"], text(record, "outcome")).unwrap();
    for note in record["notes"].as_array().into_iter().flatten() {
        writeln!(out, "    note {}", note.as_str().unwrap()).unwrap();
    }
    let of_record = |kind| ran.of(kind).into_iter().filter(|line| line["n"] == record["n"]).collect::<Vec<_>>();
    for effect in of_record("effect") {
        let why = effect["why"].as_str().map(|why| format!(" ({why})")).unwrap_or_default();
        let (outcome, operation) = (text(effect, "outcome"), text(effect, "operation"));
        writeln!(out, "    {outcome} {operation} {}{why}", text(effect, "target")).unwrap();
    }
    for event in of_record("event") {
        render_event(out, &event["event"]);
    }
    for parked in of_record("parked") {
        writeln!(out, "    parked {}: {}", text(parked, "code"), text(parked, "reason")).unwrap();
    }
}

/// An EventBridge entry.
fn render_event(out: &mut String, entry: &Value) {
    let detail = &entry["detail"];
    write!(out, "    event {} {}", text(entry, "detail-type"), text(&detail["metadata"], "entityId")).unwrap();
    for name in ["role", "scope"] {
        if let Some(value) = detail["data"][name].as_str() {
            write!(out, " {name}={value}").unwrap();
        }
    }
    // Of a grant, another item may say it.
    if let (Some("granted" | "revoked"), Some(tenant)) =
        (detail["metadata"]["verb"].as_str(), detail["metadata"]["tenant"].as_str())
    {
        write!(out, " tenant={tenant}").unwrap();
    }
    if detail["metadata"]["parked"] == true {
        out.push_str(" parked");
    }
    if detail["metadata"]["cause"] == "ttl" {
        out.push_str(" by ttl");
    }
    out.push('\n');
}

/// An item of the table, or a group or user in Cognito.
fn render_state(out: &mut String, state: &Value) {
    match text(state, "of") {
        "item" => {
            let item = state["item"].as_object().unwrap();
            let key = |names: [&str; 3]| names.iter().find_map(|name| item.get(*name)?["S"].as_str()).unwrap();
            writeln!(out, "item {} {}", key(["pk", "PK", "hk"]), key(["sk", "SK", "rk"])).unwrap();
        }
        "group" => writeln!(out, "group {} {}", text(state, "name"), state["members"]).unwrap(),
        _ => {
            writeln!(out, "user {} enabled={} {}", text(state, "username"), state["enabled"], state["attributes"])
                .unwrap();
        }
    }
}
