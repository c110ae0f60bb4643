//! `instep init`: a draft that `check` accepts, from every form of input, and what it would do.

use std::path::Path;

use crate::support::{instep, instep_with, items, root, s};

/// Two teams with a seat each, as `aws dynamodb scan` prints them.
const SCAN: &str = r#"{"Count": 4, "Items": [
    {"PK": {"S": "TEAM#t1"}, "SK": {"S": "TEAM"}, "teamId": {"S": "t1"}, "name": {"S": "Red"}},
    {"PK": {"S": "TEAM#t2"}, "SK": {"S": "TEAM"}, "teamId": {"S": "t2"}, "name": {"S": "Blue"}},
    {"PK": {"S": "TEAM#t1"}, "SK": {"S": "SEAT#p1"}, "teamId": {"S": "t1"}, "personId": {"S": "p1"}},
    {"PK": {"S": "TEAM#t2"}, "SK": {"S": "SEAT#p2"}, "teamId": {"S": "t2"}, "personId": {"S": "p2"}}]}"#;

/// The path of a text in a folder.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The draft compiles, and its own replay parks nothing, for the captures of every system and for the foreign designs.
#[test]
fn every_design_has_a_draft_that_check_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let of = |kind: &str, name: &str| -> Vec<String> {
        let entries = std::fs::read_dir(root().join(kind)).unwrap().map(|entry| entry.unwrap().path());
        entries
            .filter(|path| path.is_dir() && !path.ends_with("hostile"))
            .map(|path| path.join(name).display().to_string())
            .collect()
    };
    for (at, input) in of("events", "").into_iter().chain(of("tests/foreign", "writes.json")).enumerate() {
        let out = folder.path().join(format!("{at}.toml")).display().to_string();
        let ran = instep(&["init", &input, "--out", &out]);
        assert_eq!(ran.status, 0, "{input}: {}", ran.stderr);
        assert!(ran.stdout.contains("no record was parked"), "{input}: {}", ran.stdout);
        let checked = instep(&["check", &out]);
        assert_eq!(checked.status, 0, "{input}: {}", checked.stderr);
    }
}

/// A scan, the lines of an export and a file of writes are the same items, and give the same draft.
#[test]
fn every_form_of_input_gives_the_same_draft() {
    let folder = tempfile::tempdir().unwrap();
    let scan = file(folder.path(), "scan.json", SCAN);
    let scanned: Vec<serde_json::Value> =
        serde_json::from_str::<serde_json::Value>(SCAN).unwrap()["Items"].as_array().unwrap().clone();
    let lines = |line: &dyn Fn(&serde_json::Value) -> serde_json::Value| -> String {
        scanned.iter().map(|item| format!("{}\n", line(item))).collect()
    };
    let plain = |item: &serde_json::Value| -> serde_json::Value {
        item.as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.clone(), value["S"].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let export = file(folder.path(), "export.json", &lines(&|item| serde_json::json!({ "Item": item })));
    let writes = file(folder.path(), "writes.jsonl", &lines(&|item| serde_json::json!({ "put": plain(item) })));
    let drafts = [&scan, &export, &writes].map(|path| instep(&["init", path]).stdout);
    assert!(drafts[0].contains("parent = \"Team\" # Team: 2 of 2 exist"), "{}", drafts[0]);
    assert!(drafts[0].contains("no item was deleted, changed or created"), "{}", drafts[0]);
    assert_eq!((&drafts[0], &drafts[0]), (&drafts[1], &drafts[2]));
    assert_eq!(instep_with(&["init", "-"], SCAN).stdout, drafts[0]);
    // The draft handles the same items, without those of the Instep that the table had.
    let model = file(folder.path(), "model.toml", &drafts[0]);
    let own = r#"{"PK": {"S": "INSTEP#deleted#TEAM#t3"}, "SK": {"S": "TEAM"}, "instep": {"M": {}}}, {"PK": {"S": "TEAM#t1"}, "SK": {"S": "TEAM"}"#;
    let scan =
        file(folder.path(), "kept.json", &SCAN.replacen(r#"{"PK": {"S": "TEAM#t1"}, "SK": {"S": "TEAM"}"#, own, 1));
    for input in [&scan, &export, &writes] {
        let ran = instep(&["replay", input, "--model", &model, "--json", "--state"]);
        assert_eq!((ran.status, &ran.summary()["records"]), (0, &serde_json::json!(4)), "{input}: {}", ran.stderr);
        let keys: Vec<&str> =
            items(&ran).iter().map(|item| s(item, "PK").unwrap()).filter(|pk| !pk.starts_with("TEAM#")).collect();
        assert!(keys.is_empty(), "{keys:?}");
    }
}

/// An old address that the writers keep: the draft takes it for a guard, and says that it would delete it.
#[test]
fn what_the_draft_would_delete_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let writes = r#"[
        {"put": {"PK": "USER#u1", "SK": "USER", "userId": "u1", "email": "a@b.example", "name": "x"}},
        {"put": {"PK": "USER#u2", "SK": "USER", "userId": "u2", "email": "c@d.example", "name": "y"}},
        {"put": {"PK": "EMAIL#a@b.example", "SK": "EMAIL", "userId": "u1"}},
        {"put": {"PK": "EMAIL#c@d.example", "SK": "EMAIL", "userId": "u2"}},
        {"update": {"key": {"PK": "USER#u1", "SK": "USER"}, "set": {"email": "new@b.example"}}}]"#;
    let ran = instep(&["init", &file(folder.path(), "writes.json", writes)]);
    assert!(ran.stdout.contains("guard = { owner = \"User\" }"), "{}", ran.stdout);
    assert!(ran.stdout.contains("decide: it created 1 of Email"), "{}", ran.stdout);
    assert!(ran.stdout.contains("decide: it deleted 1 of Email"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("b.example"), "a value is quoted: {}", ran.stdout);
}

/// The replay masks secrets, and that is no change of an item.
#[test]
fn a_masked_item_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let writes = r#"[
        {"put": {"PK": "USER#u1", "SK": "USER", "userId": "u1", "passwordHash": "long-enough", "copy": "x-long-enough"}},
        {"put": {"PK": "USER#u2", "SK": "USER", "userId": "u2", "passwordHash": "another-one"}}]"#;
    let ran = instep(&["init", &file(folder.path(), "writes.json", writes)]);
    assert!(ran.stdout.contains("secret = [\"passwordHash\"]"), "{}", ran.stdout);
    assert!(ran.stdout.contains("no item was deleted, changed or created"), "{}", ran.stdout);
}

#[test]
fn nothing_is_overwritten_and_what_cannot_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let scan = file(folder.path(), "scan.json", SCAN);
    let there = file(folder.path(), "model.toml", "mine");
    let refused = |args: &[&str], what: &str| {
        let ran = instep(args);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
    };
    refused(&["init", &scan, "--out", &there], "already exists");
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "mine");
    let schema = |key: &str, kind: &str| {
        let text = format!(
            r#"{{"Table": {{"KeySchema": [{{"AttributeName": "PK", "KeyType": "HASH"}}{key}],
                "AttributeDefinitions": [{{"AttributeName": "PK", "AttributeType": "{kind}"}}]}}}}"#
        );
        file(folder.path(), "schema.json", &text)
    };
    refused(&["init", &scan, "--schema", &schema("", "S")], "the table has no sort key");
    refused(&["init", &scan, "--schema", &schema("", "N")], "the key `PK` of the table is not a string");
    refused(&["init", &file(folder.path(), "empty.json", r#"{"Items": []}"#)], "no item was seen");
    // The message has the place, and not the value that is wrong.
    let broken = file(folder.path(), "broken.json", r#"{"Items": [{"PK": "hunter2"}]}"#);
    refused(&["init", &broken], "line 1, column");
    assert!(!instep(&["init", &broken]).stderr.contains("hunter2"));
    refused(&["init"], "required");
}

/// A table is read only after a yes: without one, there is no call.
#[test]
fn a_table_is_read_after_a_question() {
    let nobody = ["init", "--table", "app", "--endpoint", "http://127.0.0.1:9"];
    let ran = instep(&nobody);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("asks before it reads `app`"), "{}", ran.stderr);
    let ran = instep(&[&nobody[..], &["--yes"]].concat());
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("cannot describe the table `app`"), "{}", ran.stderr);
}
