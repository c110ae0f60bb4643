//! What holds of the history of every system, whatever the system is about.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Ran, captures, instep, instep_with, items, replayed, s, users_that_wait};

const SYSTEMS: [&str; 5] = ["access-management", "account-management", "authorization", "platform", "relational-store"];

/// Systems whose groups are created with their first member, so not for one that was added and removed in a batch.
const ON_DEMAND: [&str; 2] = ["account-management", "authorization"];

fn folder(system: &str) -> String {
    format!("events/{system}")
}

/// The state, without what two runs have of their own: sequence numbers, which in a kept table depend on the machine's
/// time, each `sub`, which depends on how often a user was created, how many were deleted, and the attributes of users
/// whose item is gone: the second time, another item may hold their unique values. And without the marks of claims that
/// were pending.
fn comparable(ran: &Ran) -> Vec<Value> {
    let mut state: Vec<Value> = ran.state().into_iter().cloned().collect();
    state.retain(|entry| entry.pointer("/item/instep/N").is_none());
    // Only a kept table says which model is deployed.
    let is_of_models = |entry: &Value| {
        let key = |name: &str| entry["item"][name]["S"] == "INSTEP#MODEL";
        ["pk", "PK"].into_iter().any(key)
    };
    state.retain(|entry| !is_of_models(entry));
    let waiting = users_that_wait(ran);
    for entry in &mut state {
        if entry["of"] == "user" && waiting.contains_key(entry["username"].as_str().unwrap()) {
            entry["attributes"] = Value::Null;
        }
        // Whether a claim was ever pending depends on the batches.
        if let Some(marked) = entry.pointer_mut("/item/instep/M").and_then(Value::as_object_mut) {
            marked.remove("resolved");
        }
        if entry.pointer("/item/instep/M").is_some_and(|marked| *marked == json!({})) {
            entry["item"].as_object_mut().unwrap().shift_remove("instep");
        }
        let of_items = ["epoch", "sequence", "nonce", "since", "sub", "after"].map(|name| ("/item/instep/M", name));
        let of_users = ["sub", "custom:instep"].map(|name| ("/attributes", name));
        for (place, name) in of_items.into_iter().chain(of_users) {
            if let Some(fields) = entry.pointer_mut(place).and_then(Value::as_object_mut) {
                fields.remove(name);
            }
        }
    }
    state
}

/// The same input gives the same bytes.
#[test]
fn a_replay_is_deterministic() {
    for system in SYSTEMS {
        let again = instep(&["replay", &folder(system), "--why", "--json", "--state"]);
        assert!(replayed(&folder(system)).stdout == again.stdout, "{system}");
    }
}

/// Promise 2: replaying a folder again into the same table leaves the same state.
#[test]
fn a_folder_twice_leaves_the_same_state() {
    for system in SYSTEMS {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let run = || instep(&["replay", &folder(system), "--json", "--state", "--data", data.to_str().unwrap()]);
        let (first, second) = (run(), run());
        assert_eq!((first.status, second.status), (0, 0), "{system}: {} {}", first.stderr, second.stderr);
        assert!(comparable(&first) == comparable(&second), "{system}: the second time changed something");
        let memory = replayed(&folder(system));
        let is_alike = comparable(&first) == comparable(memory);
        assert!(is_alike, "{system}: a kept table differs from one in memory");
    }
}

/// When the time of each deletion that waits has come.
const LATER: [&str; 4] = ["--now", "2026-06-01T00:00:00Z", "--max-user-deletions", "1000"];

/// Promise 1: batches of any size, and one record at a time, lead to the same users and members, and to the same items
/// where no batch has the deletion and the creation of a parent, or two claims of one value. Until no deletion waits, the
/// users of deleted items differ: no user is made for an item that is created and deleted in one batch, and one that is
/// changed and deleted in one batch keeps what it was.
#[test]
fn the_batch_size_does_not_matter() {
    for system in SYSTEMS {
        let is_on_demand = ON_DEMAND.contains(&system);
        let world = |size: &str| {
            let ran =
                instep(&[&["replay", &folder(system), "--json", "--state", "--batch", size][..], &LATER].concat());
            assert_eq!(ran.status, 0, "{system}: {}", ran.stderr);
            let counts = |state: &Value| match state["of"].as_str() {
                Some("item") => is_on_demand && !s(&state["item"], "PK").unwrap().starts_with("INSTEP#"),
                Some("group") => !is_on_demand || state["members"] != json!([]),
                _ => true,
            };
            comparable(&ran).into_iter().filter(counts).map(|state| state.to_string()).collect::<BTreeSet<_>>()
        };
        let single = world("1");
        for size in ["7", "100"] {
            let batched = world(size);
            let differing: Vec<_> = single.symmetric_difference(&batched).collect();
            assert!(differing.is_empty(), "{system}, batches of {size}: {differing:?}");
        }
    }
}

/// Promise 2: replaying the records of a history against its final state changes nothing, in their order one at a time,
/// and in reverse order in one batch: an old grant after its revocation, an old deletion of a group or parent that was
/// created again.
#[test]
fn old_records_against_the_present_change_nothing() {
    for system in SYSTEMS {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let data = data.to_str().unwrap();
        let played = instep(&["replay", &folder(system), "--json", "--state", "--data", data]);
        assert_eq!(played.status, 0, "{system}: {}", played.stderr);
        let mut records: Vec<Value> = captures(system)
            .iter()
            .flat_map(|path| {
                let capture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
                capture["Records"].as_array().unwrap().clone()
            })
            .collect();
        for size in ["1", "1000"] {
            let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
            let more = ["--json", "--state", "--batch", size, "--against", data];
            let stale = instep_with(&[&["replay", "-", "--model", system][..], &more].concat(), &lines);
            assert_eq!(stale.status, 0, "{system}: {}", stale.stderr);
            assert!(played.state() == stale.state(), "{system}: old records in batches of {size} changed something");
            let is_replay = |event: &&Value| event["event"]["detail"]["metadata"]["replay"] == true;
            assert!(stale.of("event").iter().all(is_replay), "{system}");
            records.reverse();
        }
    }
}

/// Promise 1: the user of a deleted item is disabled and in no group until its time has come, and gone after that, with
/// all that Instep noted of it.
#[test]
fn a_user_is_deleted_when_its_time_has_come() {
    for (file, before, after) in [
        ("access-management/16-last-membership-revoked", "2026-03-23T16:59:00Z", "2026-03-23T17:01:00Z"),
        ("authorization/38-user-removed-with-grants", "2026-05-07T12:59:00Z", "2026-05-07T13:01:00Z"),
        ("account-management/27-user-removed-with-all-that-is-theirs", "2026-04-26T11:59:00Z", "2026-04-26T12:01:00Z"),
        ("platform/27-user-removed", "2026-04-26T09:07:00Z", "2026-04-26T09:09:00Z"),
    ] {
        let ran = |now: &str| {
            let ran = instep(&["replay", &format!("events/{file}.json"), "--json", "--state", "--now", now]);
            assert_eq!(ran.status, 0, "{file}: {}", ran.stderr);
            ran
        };
        let users = |ran: &Ran, is_enabled: bool| -> BTreeSet<String> {
            let users = ran.state().into_iter().filter(|state| state["of"] == "user" && state["enabled"] == is_enabled);
            users.map(|user| user["username"].as_str().unwrap().to_owned()).collect()
        };
        let accounts = |ran: &Ran| {
            let keys = items(ran).into_iter().map(|item| s(item, "PK").or_else(|| s(item, "pk")).unwrap());
            keys.filter(|pk| pk.starts_with("INSTEP#ACCOUNT#")).count()
        };
        let (waits, gone) = (ran(before), ran(after));
        let disabled = users(&waits, false);
        assert_eq!(disabled.len(), 1, "{file}: {disabled:?}");
        let members = |state: &&Value| state["of"] == "group" && state["members"] != json!([]);
        let members: Vec<Value> =
            waits.state().into_iter().filter(members).map(|state| state["members"].clone()).collect();
        assert!(
            !members.iter().any(|of| of
                .as_array()
                .unwrap()
                .iter()
                .any(|name| disabled.contains(name.as_str().unwrap())))
        );
        assert_eq!((users_that_wait(&waits).len(), users_that_wait(&gone).len()), (1, 0), "{file}");
        assert_eq!(accounts(&gone), accounts(&waits) - 1, "{file}");
        assert_eq!((users(&gone, false), users(&gone, true)), (BTreeSet::new(), users(&waits, true)), "{file}");
    }
}
