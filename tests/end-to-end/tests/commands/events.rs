//! `instep events` and `instep contract snapshot`, as a subscriber uses them.

use std::process::{Command, Stdio};

use contract_check::Contract;
use instep_model::Model;
use serde_json::Value;

use crate::support::{binary, instep, root};

const HISTORY: &str = "events/access-management/13-role-changed.json";

/// A kept stack in which the history was replayed.
fn kept(history: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data").to_str().unwrap().to_owned();
    assert_eq!(instep(&["replay", history, "--data", &data]).status, 0);
    (dir, data)
}

#[test]
fn published_events_are_listed_and_filtered() {
    let (_dir, data) = kept(HISTORY);
    let all = instep(&["events", "--data", &data, "--until-empty", "--json"]);
    let types: Vec<&str> = all.lines.iter().map(|event| event["detail-type"].as_str().unwrap()).collect();
    let expected = ["Group Created", "User Created", "User Granted", "User Revoked", "User Granted"];
    assert_eq!(types, expected, "{}", all.stderr);
    let grants = "{\"detail\": {\"metadata\": {\"verb\": [\"granted\", \"revoked\"]}}}";
    let found = instep(&["events", "--data", &data, "--until-empty", "--pattern", grants]);
    let lines = [
        "2026-03-13T09:02:00Z  User Granted  kofi.mensah@example.com: reader in /ghana",
        "2026-03-13T10:00:00Z  User Revoked  kofi.mensah@example.com: reader in /ghana",
        "2026-03-13T10:00:00Z  User Granted  kofi.mensah@example.com: admin in /ghana",
    ];
    assert_eq!(found.stdout.lines().collect::<Vec<_>>(), lines, "{}", found.stderr);
}

/// Who follows gets what another process publishes meanwhile.
#[test]
fn events_are_followed_live() {
    let (_dir, data) = kept("events/access-management/01-user-created.json");
    let before = instep(&["events", "--data", &data, "--until-empty", "--json"]).lines.len();
    let most = (before + 6).to_string();
    let follower = Command::new(binary())
        .args(["events", "--data", &data, "--json", "--most", &most])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    assert_eq!(instep(&["replay", HISTORY, "--data", &data]).status, 0);
    let output = follower.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(0), before + 6));
}

/// A snapshot is events of the contract that come before every real one.
#[test]
fn a_snapshot_is_what_the_table_says() {
    let (_dir, data) = kept(HISTORY);
    let taken = instep(&["contract", "snapshot", "--data", &data]);
    assert_eq!(taken.status, 0, "{}", taken.stderr);
    let contract = Contract::of(&Model::shipped("access-management").unwrap());
    let mut types = Vec::new();
    for event in &taken.lines {
        let text = |name: &str| event[name].as_str().unwrap();
        assert_eq!(contract.check(text("source"), text("detail-type"), &event["detail"].to_string()), Ok(()));
        let metadata = &event["detail"]["metadata"];
        assert_eq!((&metadata["sequence"], &metadata["replay"]), (&Value::from("0".repeat(40)), &Value::Bool(true)));
        types.push(format!("{} {}", text("detail-type"), event["detail"]["data"]["role"].as_str().unwrap_or("-")));
    }
    types.sort();
    assert_eq!(types, ["Group Created -", "User Created -", "User Granted admin"]);
}

#[test]
fn wrong_usage_says_what_to_do() {
    let (dir, data) = kept(HISTORY);
    let refused = |args: &[&str], says: &str| {
        let ran = instep(args);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    };
    refused(&["events"], "--data <DIR>");
    refused(&["events", "--data", dir.path().to_str().unwrap()], "contains no stack");
    refused(&["events", "--data", &data, "--pattern", "granted"], "the pattern is no JSON");
    refused(&["events", "--data", &data, "--pattern", "{\"detail\": {\"role\": \"x\"}}"], "`detail.role` is no list");
    refused(&["events", "--data", &data, "--until-empty", "--endpoint", "http://127.0.0.1:1"], "cannot be used with");
}
