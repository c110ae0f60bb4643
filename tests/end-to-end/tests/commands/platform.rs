//! The system `platform` end to end, through the command line. Tests derive the expected state from
//! the table alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{
    Ran, assert_deleted_later, assert_no_event_is_missing, assert_only_lasting_bookkeeping, captures, items, replayed,
    root, s,
};

const SYSTEM: &str = "platform";

/// Pairs of an item's attribute and the Cognito attribute with the same value.
const MIRRORED: [(&str, &str); 4] = [
    ("email", "email"),
    ("account_id", "custom:account_id"),
    ("enterprise_id", "custom:enterprise_id"),
    ("role", "custom:role"),
];

fn folder() -> &'static Ran {
    let ran = replayed("events/platform");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran
}

type Table<'a> = BTreeMap<(&'a str, &'a str), &'a Value>;

/// Items by key, without bookkeeping items.
fn table(ran: &Ran) -> Table<'_> {
    let items = items(ran).into_iter().map(|item| ((s(item, "PK").unwrap(), s(item, "SK").unwrap()), item));
    items.filter(|((pk, _), _)| !pk.starts_with("INSTEP#")).collect()
}

/// The keys of an item's parents. Of a workstream only the sort key is known.
fn parents(pk: &str, sk: &str, item: &Value) -> Vec<(Option<String>, String)> {
    let whole = |kind: &str, id: &str| (Some(format!("{kind}#{id}")), "METADATA".to_owned());
    let named = |kind: &str, names: [&str; 2]| names.iter().find_map(|name| s(item, name)).map(|id| whole(kind, id));
    let (kind, id) = pk.split_once('#').unwrap();
    let (part, part_id) = sk.split_once('#').unwrap_or((sk, ""));
    let found = match (kind, part) {
        ("ACCOUNT", "ADDRESS" | "TECH_USER") => vec![Some(whole("ACCOUNT", id))],
        ("ACCOUNT", "LICENSE" | "WORKSTREAM") => {
            vec![Some(whole("ACCOUNT", id)), named("ENTERPRISE", ["enterprise_id", "enterpriseId"])]
        }
        ("ENTERPRISE", "PRODUCT" | "SERVICE") => vec![Some(whole("ENTERPRISE", id))],
        ("WORKSTREAM", "TOOL") => vec![Some((None, pk.to_owned()))],
        ("USER", "WORKSTREAM") => vec![Some(whole("USER", id)), Some((None, format!("WORKSTREAM#{part_id}")))],
        ("ROLE", "PERMISSION") => vec![Some(whole("ROLE", id))],
        // The account may be named by the index key alone.
        ("USER" | "ROLE" | "GROUP", "METADATA") => {
            let in_index = || whole("ACCOUNT", s(item, "GSI2PK")?.strip_prefix("ACCOUNT#")?.split('#').next()?).into();
            vec![named("ACCOUNT", ["account_id", "accountId"]).or_else(in_index)]
        }
        ("ACCOUNT" | "ENTERPRISE" | "PRODUCT" | "SERVICE" | "NOTIFICATION_AUDIT", "METADATA") => vec![],
        _ => unreachable!("{pk} {sk}"),
    };
    found.into_iter().flatten().collect()
}

/// Whether such an item exists. Of a workstream only the sort key is known.
fn is_there<'a>(
    mut keys: impl Iterator<Item = (&'a str, &'a str)>,
    (parent_pk, parent_sk): &(Option<String>, String),
) -> bool {
    keys.any(|(pk, sk)| sk == parent_sk && parent_pk.as_ref().map_or(pk.starts_with("ACCOUNT#"), |parent| parent == pk))
}

/// Promise 1: no item remains whose parent was deleted.
fn assert_no_orphans(table: &Table<'_>) {
    for ((pk, sk), item) in table {
        for parent in parents(pk, sk, item) {
            assert!(is_there(table.keys().copied(), &parent), "{pk} {sk} is an orphan: there is no {parent:?}");
        }
    }
}

/// The items that remain of the captured writes if every item is deleted with a parent whose
/// deletion was captured, and no other item is.
fn survivors(captures: &[PathBuf]) -> BTreeSet<(String, String)> {
    let records: Vec<Value> = captures
        .iter()
        .flat_map(|path| {
            let capture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            capture["Records"].as_array().unwrap().clone()
        })
        .collect();
    let key = |record: &Value| {
        let keys = &record["dynamodb"]["Keys"];
        (s(keys, "PK").unwrap().to_owned(), s(keys, "SK").unwrap().to_owned())
    };
    let mut table: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for record in &records {
        let old = &record["dynamodb"]["OldImage"];
        if known.insert(key(record)) && !old.is_null() {
            table.insert(key(record), old.clone());
        }
    }
    let mut removed: BTreeSet<(String, String)> = BTreeSet::new();
    for record in &records {
        let new = &record["dynamodb"]["NewImage"];
        if new.is_null() {
            table.remove(&key(record));
            removed.insert(key(record));
        } else {
            table.insert(key(record), new.clone());
        }
        loop {
            fn text((pk, sk): &(String, String)) -> (&str, &str) {
                (pk, sk)
            }
            let goes = table.iter().find(|((pk, sk), item)| {
                let mut parents = parents(pk, sk, item).into_iter();
                parents.any(|parent| {
                    !is_there(table.keys().map(text), &parent) && is_there(removed.iter().map(text), &parent)
                })
            });
            let Some((goes, _)) = goes else { break };
            let goes = goes.clone();
            table.remove(&goes);
            removed.insert(goes);
        }
    }
    table.into_keys().collect()
}

/// Promise 1: exactly the items that must be deleted are deleted.
fn assert_the_right_ones_stay(table: &Table<'_>, captures: &[PathBuf]) {
    let found: BTreeSet<(String, String)> = table.keys().map(|(pk, sk)| ((*pk).to_owned(), (*sk).to_owned())).collect();
    assert_eq!(found, survivors(captures));
}

/// Promise 1: the index keys by status are those that status and date imply.
fn assert_index_keys_follow(table: &Table<'_>) {
    for ((pk, sk), item) in table {
        let (kind, id, status, date) = match (pk.split_once('#').unwrap(), sk.split_once('#')) {
            (("ACCOUNT", _), Some(("LICENSE", id))) => ("LICENSE", id, "status", "end_date"),
            (("USER", id), None) => ("USER", id, "status", "end_date"),
            (("NOTIFICATION_AUDIT", id), None) => ("NOTIFICATION", id, "deliveryStatus", "sentAt"),
            _ => continue,
        };
        let should = s(item, status).zip(s(item, date));
        let should = should.map(|(status, date)| (format!("{kind}#STATUS#{status}"), format!("{date}#{id}")));
        let is = s(item, "GSI3PK").map(str::to_owned).zip(s(item, "GSI3SK").map(str::to_owned));
        assert_eq!(is, should, "{pk} {sk}");
        assert_eq!(item.get("GSI3PK").is_some(), item.get("GSI3SK").is_some(), "half a key: {pk} {sk}");
    }
}

/// Promise 1: Cognito has exactly the table's users, with their attributes, each in the group that
/// it names, and those whose deletion waits.
fn assert_cognito_follows(ran: &Ran, table: &Table<'_>) {
    let mut users = BTreeMap::new();
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for ((pk, sk), item) in table {
        let (Some(id), "METADATA") = (pk.strip_prefix("USER#"), *sk) else { continue };
        let attributes =
            MIRRORED.iter().filter_map(|(name, mirrored)| Some(((*mirrored).to_owned(), s(item, name)?.to_owned())));
        users.insert(
            id.to_owned(),
            (s(item, "status") != Some("inactive"), attributes.collect::<BTreeMap<String, String>>()),
        );
        if let Some(group) = s(item, "assignedGroup") {
            members.entry(group.to_owned()).or_default().insert(id.to_owned());
        }
    }
    let waiting = assert_deleted_later(ran, 30);
    let mut found_users = BTreeMap::new();
    let mut found_members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for state in ran.state() {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        if state["of"] == "user" && !waiting.contains(&text(&state["username"])) {
            let attributes = state["attributes"].as_object().unwrap().iter();
            let attributes = attributes.filter(|(name, _)| !["sub", "custom:instep"].contains(&name.as_str()));
            let attributes = attributes.map(|(name, value)| (name.clone(), text(value))).collect();
            found_users.insert(text(&state["username"]), (state["enabled"].as_bool().unwrap(), attributes));
        } else if state["of"] == "group" {
            let members = state["members"].as_array().unwrap().iter().map(text);
            found_members.insert(text(&state["name"]), members.collect());
        }
    }
    assert_eq!(found_users, users);
    // People create these groups. A membership in a missing group is pending, and an existing group
    // may be empty.
    members.retain(|group, _| found_members.contains_key(group));
    found_members.retain(|_, members| !members.is_empty());
    assert_eq!(found_members, members);
}

/// There are back-references for exactly the existing grants of access to workstreams.
fn assert_back_references_exist(ran: &Ran, table: &Table<'_>) {
    let references: BTreeSet<(String, String)> = items(ran)
        .into_iter()
        .filter(|item| s(item, "PK").unwrap().starts_with("INSTEP#REF#"))
        .map(|item| {
            let names = &item["instep"]["M"]["names"]["M"];
            (s(names, "user_id").unwrap().to_owned(), s(names, "workstream_id").unwrap().to_owned())
        })
        .collect();
    let access = table.keys().filter_map(|(pk, sk)| {
        Some((pk.strip_prefix("USER#")?.to_owned(), sk.strip_prefix("WORKSTREAM#")?.to_owned()))
    });
    assert_eq!(references, access.collect());
}

fn assert_reconciled(ran: &Ran, captures: &[PathBuf]) {
    let table = table(ran);
    assert_the_right_ones_stay(&table, captures);
    assert_no_orphans(&table);
    assert_index_keys_follow(&table);
    assert_cognito_follows(ran, &table);
    assert_back_references_exist(ran, &table);
    assert_only_lasting_bookkeeping(ran, "PK");
    assert_no_event_is_missing(ran, &["NotificationAudit"]);
}

#[test]
fn the_folder_is_reconciled() {
    let ran = folder();
    assert_reconciled(ran, &captures(SYSTEM));
    let state = ran.state();
    assert!(state.iter().any(|user| user["of"] == "user" && user["enabled"] == false), "nobody is disabled");
    assert!(state.iter().filter(|group| group["of"] == "group").count() > 1, "nobody is in a group");
    assert!(state.iter().all(|group| group["name"] != "auditors"), "a group was made that is for people to make");
}

#[test]
fn each_capture_is_reconciled_alone() {
    for capture in captures(SYSTEM) {
        let ran = replayed(capture.strip_prefix(root()).unwrap().to_str().unwrap());
        assert_eq!(ran.status, 0, "{}: {}", capture.display(), ran.stderr);
        assert_reconciled(ran, &[capture]);
    }
}

/// Only the creation of a notification is published, under the word for its outcome. The
/// notification remains when its account is deleted.
#[test]
fn notifications_are_published_once_and_kept() {
    let ran = folder();
    let expected =
        ran.of("event").into_iter().filter(|event| event["event"]["detail"]["metadata"]["entity"] == "Notification");
    let expected: BTreeSet<(String, String)> = expected
        .map(|event| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let new = &event["event"]["detail"]["data"]["new"];
            assert!(new["recipientEmail"].is_null() && new["subject"].is_null(), "{new}");
            (text(&event["event"]["detail-type"]), text(&event["event"]["detail"]["metadata"]["entityId"]))
        })
        .collect();
    let created: BTreeSet<(String, String)> = ran
        .of("record")
        .into_iter()
        .filter(|record| record["item"] == "NotificationAudit" && record["verb"] == "created")
        .map(|record| record["id"].as_str().unwrap().to_owned())
        .map(|id| {
            let word = match id.as_str() {
                "not-18a" | "not-24" => "Sent",
                "not-18b" | "not-22" => "Failed",
                // A status that the design does not list, and none.
                "not-18d" => "Queued",
                "not-18e" => "Created",
                _ => "Skipped",
            };
            (format!("Notification {word}"), id)
        })
        .collect();
    assert_eq!(expected, created);
    assert_eq!(expected.len(), 7);
    let table = table(ran);
    let of_nobody = table.iter().find(|((pk, _), item)| {
        let account = s(item, "accountId").map(|id| format!("ACCOUNT#{id}"));
        pk.starts_with("NOTIFICATION_AUDIT#") && account.is_some_and(|pk| !table.contains_key(&(&pk, "METADATA")))
    });
    assert!(of_nobody.is_some(), "no notification outlived its account");
}

/// An event of access names who received it and what it gives access to.
#[test]
fn grants_without_roles_name_their_scope() {
    let ran = folder();
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for event in ran.of("event") {
        let entry = &event["event"];
        let kind = entry["detail-type"].as_str().unwrap();
        if kind.ends_with("Granted") || kind.ends_with("Revoked") {
            assert!(entry["detail"]["data"]["role"].is_null(), "{entry}");
            let scope = entry["detail"]["data"]["scope"].as_str().unwrap();
            expected.entry(kind.to_owned()).or_default().insert(scope.to_owned());
        }
    }
    let kinds: Vec<&str> = expected.keys().map(String::as_str).collect();
    assert_eq!(kinds, ["Role Granted", "Role Revoked", "User Granted", "User Revoked"]);
    assert!(expected["User Granted"].iter().all(|scope| scope.starts_with("wst-")));
    assert_eq!(expected["Role Granted"], BTreeSet::from(["reports".to_owned(), "settings".to_owned()]));
}
