//! Golden text: for every captured event file what follows from it, in a few readable lines.
//!
//! `UPDATE_EXPECT=1 cargo test golden` writes them anew; read the difference before you keep it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use expect_test::expect_file;
use serde_json::Value;

use crate::support::{Ran, captures, instep, root};

/// Every file under `events/` has its golden text, and every golden text its file.
#[test]
fn every_capture_has_its_golden_text() {
    let mut known = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("events")).unwrap() {
        let folder = entry.unwrap();
        if !folder.file_type().unwrap().is_dir() {
            continue;
        }
        let folder = folder.file_name().into_string().unwrap();
        std::fs::create_dir_all(root().join("tests/golden").join(&folder)).unwrap();
        for capture in captures(&folder) {
            let name = format!("{folder}/{}.txt", capture.file_stem().unwrap().to_str().unwrap());
            let ran = instep(&["replay", "--json", "--state", capture.strip_prefix(root()).unwrap().to_str().unwrap()]);
            expect_file![root().join("tests/golden").join(&name)].assert_eq(&tell(&ran));
            known.insert(name);
        }
    }
    for folder in std::fs::read_dir(root().join("tests/golden")).unwrap() {
        let folder = folder.unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let name =
                format!("{}/{}", folder.file_name().to_str().unwrap(), file.unwrap().file_name().to_str().unwrap());
            assert!(known.contains(&name), "tests/golden/{name} has no capture under events/: delete it");
        }
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or("-")
}

fn tell(ran: &Ran) -> String {
    let mut out = String::new();
    let mut all: Vec<&Value> = ran.of("record").into_iter().chain(ran.of("message")).collect();
    all.sort_by_key(|line| line["n"].as_u64());
    for record in all {
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
        let mine = |kind| ran.of(kind).into_iter().filter(|line| line["n"] == record["n"]).collect::<Vec<_>>();
        for effect in mine("effect") {
            let why = effect["why"].as_str().map(|why| format!(" ({why})")).unwrap_or_default();
            writeln!(
                out,
                "    {} {} {}{why}",
                text(effect, "outcome"),
                text(effect, "operation"),
                text(effect, "target")
            )
            .unwrap();
        }
        for event in mine("event") {
            let detail = &event["entry"]["Detail"];
            let mut more = String::new();
            for name in ["role", "scope"] {
                if let Some(value) = detail["data"][name].as_str() {
                    write!(more, " {name}={value}").unwrap();
                }
            }
            if detail["metadata"]["parked"] == true {
                more.push_str(" parked");
            }
            if detail["metadata"]["cause"] == "ttl" {
                more.push_str(" by ttl");
            }
            writeln!(
                out,
                "    event {} {}{more}",
                text(&event["entry"], "DetailType"),
                text(&detail["metadata"], "entityId")
            )
            .unwrap();
        }
        for parked in mine("parked") {
            writeln!(out, "    parked {}: {}", text(parked, "code"), text(parked, "reason")).unwrap();
        }
    }
    out.push_str("---\n");
    for state in ran.state() {
        match text(state, "of") {
            "item" => {
                let item = state["item"].as_object().unwrap();
                let key = |names: [&str; 3]| names.iter().find_map(|name| item.get(*name)?["S"].as_str()).unwrap();
                writeln!(out, "item {} {}", key(["pk", "PK", "hk"]), key(["sk", "SK", "rk"])).unwrap();
            }
            "group" => writeln!(out, "group {} {}", text(state, "name"), state["members"]).unwrap(),
            _ => writeln!(out, "user {} enabled={} {}", text(state, "username"), state["enabled"], state["attributes"])
                .unwrap(),
        }
    }
    writeln!(out, "exit {}", ran.status).unwrap();
    out
}
