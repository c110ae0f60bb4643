//! `instep events` and `instep contract snapshot`, as a subscriber uses them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use contract_check::Contract;
use instep_model::Model;
use serde_json::{Value, json};

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
    let most = (before + 5).to_string();
    let follower = Command::new(binary())
        .args(["events", "--data", &data, "--json", "--most", &most])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    assert_eq!(instep(&["replay", HISTORY, "--data", &data]).status, 0);
    let output = follower.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(0), before + 5));
}

/// Takes a snapshot: the marks of its beginning and its end, and what is between.
fn taken(data: &str, options: &[&str]) -> (Value, Vec<Value>, Value) {
    let ran = instep(&[&["contract", "snapshot", "--data", data], options].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let [started, entries @ .., ended] = ran.lines.as_slice() else { panic!("{}", ran.stdout) };
    let names = [started, ended].map(|event| event["detail-type"].as_str().unwrap());
    assert_eq!(names, ["Snapshot Started", "Snapshot Ended"]);
    let mark = |event: &Value| event["detail"]["metadata"]["snapshot"].clone();
    (mark(started), entries.to_vec(), mark(ended))
}

fn ids(entries: &[Value]) -> Vec<&Value> {
    entries.iter().map(|event| &event["detail"]["metadata"]["id"]).collect()
}

/// A snapshot is events of the contract, between a beginning and an end that say how many they are, that they are all,
/// and what they have seen.
#[test]
fn a_snapshot_is_what_the_table_says() {
    let (_dir, data) = kept(HISTORY);
    let (started, entries, ended) = taken(&data, &["--now", "2026-03-20T10:00:00.5Z"]);
    let contract = Contract::of(&Model::shipped("access-management").unwrap());
    let mut types = Vec::new();
    for event in &entries {
        let text = |name: &str| event[name].as_str().unwrap();
        assert_eq!(contract.check(text("source"), text("detail-type"), &event["detail"].to_string()), Ok(()));
        let metadata = &event["detail"]["metadata"];
        let place = [&metadata["epoch"], &metadata["sequence"]].map(|part| part.as_str().unwrap());
        assert_eq!(place, ["", &"0".repeat(40)], "every real event is later");
        assert_eq!((&metadata["recordedAt"], &metadata["replay"]), (&Value::Null, &Value::Bool(true)));
        assert_eq!(metadata["snapshot"], started, "each says what was seen");
        types.push(format!("{} {}", text("detail-type"), event["detail"]["data"]["role"].as_str().unwrap_or("-")));
    }
    types.sort();
    assert_eq!(types, ["Group Created -", "User Created -", "User Granted admin"]);
    assert_eq!(started["watermark"], "2026-03-20T09:55:00Z", "whole seconds, five minutes before");
    assert_eq!((&ended["count"], &ended["complete"]), (&json!(3), &json!(true)));
    assert_eq!((&ended["id"], &ended["watermark"]), (&started["id"], &started["watermark"]));
}

/// What two snapshots differ in has other ids: a snapshot can be taken again, and compared with the one before.
#[test]
fn an_id_in_a_snapshot_follows_from_the_content() {
    let (_dir, data) = kept("events/access-management/10-membership-granted.json");
    let (first, before, _) = taken(&data, &["--now", "2026-03-20T10:00:00Z"]);
    let (second, again, _) = taken(&data, &["--now", "2026-03-21T10:00:00Z"]);
    assert_eq!(ids(&before), ids(&again));
    assert_ne!(first["id"], second["id"]);
    assert_eq!(instep(&["replay", HISTORY, "--data", &data]).status, 0);
    let (_, after, _) = taken(&data, &[]);
    let grants = |entries: &[Value]| -> Vec<Value> {
        let of_grants = entries.iter().filter(|event| event["detail"]["metadata"]["verb"] == "granted");
        of_grants.map(|event| event["detail"]["metadata"]["id"].clone()).collect()
    };
    let known = ids(&before).into_iter().collect::<Vec<_>>();
    assert!(grants(&after).iter().any(|id| !known.contains(&id)), "another role, another id");
}

/// What may have changed since a time: all but the items that say that they were written before it. Its end is never
/// complete, so no subscriber deletes what it lacks.
#[test]
fn a_snapshot_of_changes_leaves_out_what_says_that_it_is_older() {
    let (_dir, data) = kept(HISTORY);
    let of = |since: &str, written: &[&str]| {
        let written = written.iter().flat_map(|attribute| ["--written", attribute]);
        let (_, entries, ended) = taken(&data, &["--since", since].into_iter().chain(written).collect::<Vec<_>>());
        assert_eq!((&ended["complete"], &ended["count"]), (&json!(false), &json!(entries.len())));
        let names = entries.iter().map(|event| event["detail-type"].as_str().unwrap().to_owned());
        names.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
    };
    let all = "Group Created, User Created, User Granted";
    assert_eq!(of("2026-01-01T00:00:00Z", &["createdAt"]), all);
    assert_eq!(of("2026-03-13T09:02:00Z", &["createdAt"]), "User Granted", "in the second of its write");
    assert_eq!(of("2026-03-13T09:02:01Z", &["createdAt"]), "");
    assert_eq!(of("2026-06-01T00:00:00Z", &["changedAt"]), all, "no item says when");
    assert_eq!(of("2026-06-01T00:00:00Z", &["createdAt", "email"]), "User Created", "what is no time says nothing");
    let refused = |options: &[&str]| {
        let ran = instep(&[&["contract", "snapshot", "--data", &data], options].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{options:?}: {}", ran.stderr);
        ran.stderr
    };
    assert!(refused(&["--since", "2026-01-01T00:00:00Z"]).contains("--written <ATTRIBUTE>"));
    assert!(refused(&["--written", "createdAt"]).contains("--since <TIME>"));
    assert!(refused(&["--since", "yesterday", "--written", "createdAt"]).contains("is not a time such as"));
    let future = ["--since", "2027-01-01T00:00:00Z", "--written", "createdAt", "--now", "2026-03-20T10:00:00Z"];
    assert!(refused(&future).contains("is in the future"));
}

/// An attribute that no item has leaves out nothing, and this is said: its name may be wrong.
#[test]
fn a_snapshot_of_changes_says_that_no_item_says_when_it_was_written() {
    let (_dir, data) = kept(HISTORY);
    let of = |written| {
        let ran =
            instep(&["contract", "snapshot", "--data", &data, "--since", "2026-06-01T00:00:00Z", "--written", written]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stderr
    };
    assert!(of("creatdAt").contains("none says by `creatdAt` that it was written before 2026-06-01T00:00:00Z"));
    assert!(!of("createdAt").contains("no item was left out"));
}

/// A form in which an item says that it was written at a moment, or none: with the last moment that it can mean.
fn written(at: i64, random: &mut fastrand::Rng) -> (Value, Option<i64>) {
    let moment = jiff::Timestamp::from_second(at).unwrap();
    match random.u8(0..7) {
        0 => (json!({ "S": moment.to_string() }), Some(at)),
        1 => (json!({ "S": moment.display_with_offset(jiff::tz::offset(5)).to_string() }), Some(at)),
        2 => (json!({ "N": at.to_string() }), Some(at)),
        3 => (json!({ "S": moment.to_string().split_once('T').unwrap().0 }), Some(at - at % DAY + DAY)),
        4 => (json!({ "N": (at * 1000).to_string() }), None),
        5 => (json!({ "S": "last week" }), None),
        _ => (json!({ "NULL": true }), None),
    }
}

const DAY: i64 = 24 * 60 * 60;

/// Of random items, a snapshot of changes has each that was written at the time or later, and each that does not say it.
/// What it leaves out was written before.
#[test]
fn a_snapshot_of_changes_lacks_nothing_that_was_written_since() {
    const FIRST: i64 = 1_772_000_000;
    let mut random = fastrand::Rng::with_seed(58);
    let mut items = Vec::new();
    for nth in 0..60 {
        let mut image = json!({});
        let mut last = Some(i64::MIN);
        for name in ["changedAt", "made.at"] {
            if random.u8(0..4) == 0 {
                continue;
            }
            let (value, at) = written(FIRST + random.i64(0..9 * DAY), &mut random);
            last = last.zip(at).map(|(last, at)| last.max(at));
            match name.split_once('.') {
                Some((outer, inner)) => image[outer] = json!({ "M": { inner: value } }),
                None => image[name] = value,
            }
        }
        items.push((format!("u{nth:02}@example.com"), image, last.filter(|last| *last != i64::MIN)));
    }
    let records = items.iter().enumerate().map(|(nth, (email, image, _))| inserted(nth, email, image));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("written.json");
    std::fs::write(&file, json!({ "Records": records.collect::<Vec<_>>() }).to_string()).unwrap();
    let (file, data) = (file.to_str().unwrap(), dir.path().join("data").to_str().unwrap().to_owned());
    assert_eq!(instep(&["replay", file, "--model", "access-management", "--data", &data]).status, 0);
    let mut left_out = 0;
    for _ in 0..12 {
        let since = FIRST + random.i64(0..9 * DAY);
        let at = jiff::Timestamp::from_second(since).unwrap().to_string();
        let (_, entries, _) = taken(&data, &["--since", &at, "--written", "changedAt", "--written", "made.at"]);
        let has: std::collections::BTreeSet<_> =
            entries.iter().map(|event| event["detail"]["metadata"]["entityId"].as_str().unwrap()).collect();
        for (email, image, last) in &items {
            let is_older = last.is_some_and(|last| last < since);
            assert_eq!(has.contains(email.as_str()), !is_older, "{email} since {at}: {image}");
            left_out += usize::from(is_older);
        }
    }
    assert!((100..500).contains(&left_out), "{left_out}");
}

/// A record of a new user that has some more attributes.
fn inserted(nth: usize, email: &str, more: &Value) -> Value {
    let key = format!("U:{email}");
    let keys = json!({ "pk": { "S": key }, "sk": { "S": key } });
    let mut image = more.clone();
    image.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    image["email"] = json!({ "S": email });
    json!({ "eventID": format!("{nth:032x}"), "eventName": "INSERT", "eventSource": "aws:dynamodb", "dynamodb": {
        "ApproximateCreationDateTime": 1_772_900_000, "Keys": keys, "NewImage": image,
        "SequenceNumber": format!("{:021}", nth + 1), "StreamViewType": "NEW_AND_OLD_IMAGES",
    } })
}

/// A subscriber gets what its own rule would let through, between the beginning and the end.
#[test]
fn a_snapshot_is_selected_and_sent() {
    let (_dir, data) = kept(HISTORY);
    let grants = "{\"detail\": {\"metadata\": {\"verb\": [\"granted\"]}}}";
    let (_, entries, ended) = taken(&data, &["--pattern", grants]);
    assert_eq!((entries.len(), &ended["count"]), (1, &json!(1)));
    let before = instep(&["events", "--data", &data, "--until-empty", "--json"]).lines.len();
    let sent = instep(&["contract", "snapshot", "--data", &data, "--to", "instep"]);
    assert_eq!((sent.status, sent.stdout.as_str()), (0, "sent a snapshot of 3 events\n"), "{}", sent.stderr);
    let published = instep(&["events", "--data", &data, "--until-empty", "--json"]).lines;
    let names: Vec<&str> = published[before..].iter().map(|event| event["detail-type"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[0], names[4]), (5, "Snapshot Started", "Snapshot Ended"));
}

/// A server that answers one status after another, the last one for ever, and what it was sent.
fn server(answers: &'static [u16]) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/events", listener.local_addr().unwrap());
    let got: Arc<Mutex<Vec<Value>>> = Arc::default();
    let taken = Arc::clone(&got);
    std::thread::spawn(move || {
        let mut answers = answers.iter().copied();
        let mut answer = answers.next().unwrap();
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut line = String::new();
            let mut length = 0;
            while stream.read_line(&mut line).unwrap() > 2 {
                if let Some(bytes) = line.to_lowercase().strip_prefix("content-length:") {
                    length = bytes.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            if answer < 300 {
                taken.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
            }
            write!(stream.get_mut(), "HTTP/1.1 {answer} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
            answer = answers.next().unwrap_or(answer);
        }
    });
    (url, got)
}

/// A server gets each event as EventBridge delivers it, again after a failure, and one of them once more.
#[test]
fn events_are_forwarded() {
    let (_dir, data) = kept(HISTORY);
    let (url, got) = server(&[503, 200]);
    let sent = instep(&["events", "--data", &data, "--until-empty", "--json", "--forward", &url]);
    assert_eq!(sent.status, 0, "{}", sent.stderr);
    assert_eq!(*got.lock().unwrap(), sent.lines);
    let members: Vec<&str> = sent.lines[0].as_object().unwrap().keys().map(String::as_str).collect();
    let whole = ["account", "detail", "detail-type", "id", "region", "resources", "source", "time", "version"];
    assert!(whole.iter().all(|name| members.contains(name)) && members.len() == whole.len(), "{members:?}");

    let id = sent.lines[2]["detail"]["metadata"]["id"].as_str().unwrap();
    let again = instep(&["events", "--data", &data, "--id", id, "--json", "--forward", &url]);
    assert_eq!((again.status, &again.lines), (0, &vec![sent.lines[2].clone()]), "{}", again.stderr);
    assert_eq!(got.lock().unwrap().last(), Some(&sent.lines[2]));

    let (url, got) = server(&[200, 400]);
    let refused = instep(&["events", "--data", &data, "--until-empty", "--forward", &url]);
    assert_eq!((refused.status, refused.stdout.lines().count(), got.lock().unwrap().len()), (1, 1, 1));
    assert!(refused.stderr.contains("answers 400"), "{}", refused.stderr);
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
    let selected = ["contract", "snapshot", "--data", &data, "--to", "instep", "--pattern", "{\"source\": [\"x\"]}"];
    refused(&selected, "`--pattern` selects for one subscriber");
    refused(&["contract", "snapshot", "--data", &data, "--to", "no bus"], "no name of an event bus");
    refused(&["events", "--data", dir.path().to_str().unwrap()], "contains no stack");
    refused(&["events", "--data", &data, "--pattern", "granted"], "the pattern is no JSON");
    refused(&["events", "--data", &data, "--pattern", "{\"detail\": {\"role\": \"x\"}}"], "`detail.role` is no list");
    refused(&["events", "--data", &data, "--until-empty", "--endpoint", "http://127.0.0.1:1"], "cannot be used with");
}
