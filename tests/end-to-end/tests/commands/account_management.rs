//! The system `account-management` end to end, through the command line. Tests derive the expected
//! state from the table alone. They also check what the deletion of a scope, a role or a user
//! removes, and that no secret is shown.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::{
    Ran, assert_deleted_later, assert_no_event_is_missing, assert_only_lasting_bookkeeping, captures, instep,
    instep_with, items, replayed, root, s,
};

const SYSTEM: &str = "account-management";

/// Texts that every secret item contains and no other item.
const SECRET: &str = "hush";

type Groups = BTreeMap<String, BTreeSet<String>>;

fn replay(file: &str) -> &'static Ran {
    let ran = replayed(&format!("events/{SYSTEM}/{file}.json"));
    assert_eq!(ran.status, 0, "{file}: {}", ran.stderr);
    ran
}

fn records(path: &std::path::Path) -> Vec<Value> {
    let capture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    capture["Records"].as_array().unwrap().clone()
}

/// The keys in the table, without those of bookkeeping items.
fn keys(ran: &Ran) -> BTreeSet<(&str, &str)> {
    let keys = items(ran).into_iter().map(|item| (s(item, "PK").unwrap(), s(item, "SK").unwrap()));
    keys.filter(|(pk, _)| !pk.starts_with("INSTEP#")).collect()
}

/// Cognito groups that have members.
fn members(ran: &Ran) -> Groups {
    let groups = ran.state().into_iter().filter(|state| state["of"] == "group").map(|group| {
        let members = group["members"].as_array().unwrap().iter().map(|member| member.as_str().unwrap().to_owned());
        (group["name"].as_str().unwrap().to_owned(), members.collect::<BTreeSet<_>>())
    });
    groups.filter(|(_, members)| !members.is_empty()).collect()
}

/// `DetailType` and entity id of the events, with the role and the scope of a grant.
fn published(ran: &Ran) -> Vec<String> {
    let events = ran.of("event").into_iter().map(|event| {
        let (detail, of) = (&event["event"]["detail"], event["event"]["detail-type"].as_str().unwrap());
        let id = detail["metadata"]["entityId"].as_str().unwrap();
        match (detail["data"]["role"].as_str(), detail["data"]["scope"].as_str()) {
            (Some(role), Some(scope)) => format!("{of} {id}: {role} in {scope}"),
            _ => format!("{of} {id}"),
        }
    });
    events.collect()
}

/// The time of the folder's last record, which a replay uses as the present time.
fn now() -> jiff::Timestamp {
    let times = captures(SYSTEM)
        .into_iter()
        .flat_map(|path| records(&path))
        .map(|record| record["dynamodb"]["ApproximateCreationDateTime"].as_i64().unwrap());
    jiff::Timestamp::from_second(times.max().unwrap()).unwrap()
}

/// The keys of an item's parents, as far as its own key and indexes determine them: a partition (or
/// any) and a sort key.
fn parents(pk: &str, sk: &str, item: &Value) -> Vec<(Option<String>, String)> {
    let client = |name: &str| s(item, name).map(|pk| (Some(pk.to_owned()), "METADATA".to_owned()));
    let scope = |kind: &str, id: &str| match kind {
        "client" => (Some(format!("CLIENT#{id}")), "METADATA".to_owned()),
        "project" => (None, format!("PROJECT#{id}")),
        "building" => (None, format!("BUILDING#{id}")),
        _ => unreachable!("{kind}"),
    };
    let (kind, id) = pk.split_once('#').unwrap_or((pk, ""));
    let parts: Vec<&str> = sk.split('#').collect();
    match (kind, parts[0]) {
        ("CLIENT", "METADATA" | "AUDIT") | ("SYSTEM", _) | ("EMAIL", _) => vec![],
        ("CLIENT", "PROJECT" | "ROLE") => vec![(Some(pk.to_owned()), "METADATA".to_owned())],
        ("PROJECT", "BUILDING") => vec![(client("GSI1PK").unwrap().0, format!("PROJECT#{id}"))],
        ("BUILDING", "DEVICE" | "ZONE") => vec![(None, format!("BUILDING#{id}"))],
        ("USER", "METADATA") => client("GSI1PK").into_iter().collect(),
        ("USER", "TOKEN" | "SESSION") => vec![(Some(pk.to_owned()), "METADATA".to_owned())],
        ("USER", "ROLE") => {
            let user = (Some(pk.to_owned()), "METADATA".to_owned());
            vec![user, scope(parts[1], parts[2]), (None, format!("ROLE#{}", parts[3]))]
        }
        ("ROLE", "PERMISSION") => vec![(None, format!("ROLE#{id}"))],
        ("SCOPE", "SUBSCRIPTION" | "SETTING") => {
            let (of, id) = id.split_once('#').unwrap();
            vec![scope(of, id)]
        }
        _ => unreachable!("{pk} {sk}"),
    }
}

/// The number of tokens and sessions that were written last and belong to an existing user.
fn secrets(keys: &BTreeSet<(&str, &str)>) -> usize {
    let mut last = BTreeMap::new();
    for record in captures(SYSTEM).iter().flat_map(|path| records(path)) {
        let key = |name: &str| record["dynamodb"]["Keys"][name]["S"].as_str().unwrap_or_default().to_owned();
        last.insert((key("PK"), key("SK")), record["eventName"] != "REMOVE");
    }
    let is_secret = |sk: &str| sk.starts_with("TOKEN#") || sk.starts_with("SESSION#");
    let left = last
        .into_iter()
        .filter(|((pk, sk), is_there)| *is_there && is_secret(sk) && keys.contains(&(pk.as_str(), "METADATA")));
    left.count()
}

fn is_open(item: &Value, now: jiff::Timestamp) -> bool {
    let at = |name: &str| s(item, name).map(|text| text.parse::<jiff::Timestamp>().unwrap());
    at("start_at").is_none_or(|start| start <= now) && at("expires_at").is_none_or(|end| now < end)
}

/// Promise 1: no orphans, and Cognito and the guards are what the table implies.
#[test]
fn it_is_reconciled() {
    let ran = replayed("events/account-management");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let (keys, now) = (keys(ran), now());
    let mut groups = Groups::new();
    let (mut users, mut guards, mut addresses) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let (mut assignments, mut references, mut masked) = (0, 0, 0);
    for item in items(ran) {
        let (pk, sk) = (s(item, "PK").unwrap(), s(item, "SK").unwrap());
        if pk.starts_with("INSTEP#") {
            references += usize::from(pk.starts_with("INSTEP#REF#"));
            continue;
        }
        if (pk, sk) == ("***", "***") {
            masked += 1;
            continue;
        }
        for (parent, sort) in parents(pk, sk, item) {
            let is_there =
                keys.iter().any(|(pk, sk)| parent.as_deref().is_none_or(|parent| parent == *pk) && sort == *sk);
            assert!(is_there, "{pk} {sk} is left without {parent:?} {sort}");
        }
        if let Some(user) = pk.strip_prefix("USER#") {
            if sk == "METADATA" {
                users.insert(user.to_owned(), s(item, "email").map(str::to_owned));
                addresses.extend(s(item, "email").map(|email| (email, user)));
            } else if let Some(rest) = sk.strip_prefix("ROLE#") {
                assignments += 1;
                if is_open(item, now) {
                    groups.entry(rest.replace('#', ":")).or_default().insert(user.to_owned());
                }
            }
        }
        if let Some(email) = pk.strip_prefix("EMAIL#") {
            guards.insert(email, s(item, "user_id").unwrap());
        }
    }
    assert_eq!(members(ran), groups);
    assert_eq!(guards, addresses, "each address has its one holder, and each holder the address");
    assert_eq!(masked, secrets(&keys), "the secrets of users who are there, and no other's");
    assert!(masked > 2, "the history shows too little");
    assert_eq!(references, 2 * assignments, "each assignment can be found from its scope and from its role");
    let waiting = assert_deleted_later(ran, 30);
    assert!(waiting.len() > 3, "the history shows too little: {waiting:?}");
    let serves = |user: &&Value| user["of"] == "user" && !waiting.contains(user["username"].as_str().unwrap());
    let found = ran.state().into_iter().filter(serves).map(|user| {
        assert_eq!(user["enabled"], true);
        let email = user["attributes"]["email"].as_str().map(str::to_owned);
        (user["username"].as_str().unwrap().to_owned(), email)
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), users);
    assert!(groups.len() > 10 && users.len() > 10 && assignments > groups.len(), "the history shows too little");
    assert_only_lasting_bookkeeping(ran, "PK");
    assert_no_event_is_missing(ran, &["UserEmail", "Token", "Session"]);
}

/// The deletion of a client deletes all four levels below it, and nothing else: not the audit log,
/// and not users who only had a role in it.
#[test]
fn a_client_takes_all_levels_along() {
    let ran = replay("24-client-removed-with-four-levels-below");
    let left = [
        ("CLIENT#cl-24", "AUDIT#2026-03-24T09:31:00.000Z#lo-24"),
        ("CLIENT#cl-24-other", "METADATA"),
        ("EMAIL#bea.jung@example.com", "EMAIL#bea.jung@example.com"),
        ("USER#us-24-c", "METADATA"),
    ];
    assert_eq!(keys(ran), left.into());
    assert_eq!(members(ran), Groups::new());
    let published = published(ran);
    let created: BTreeSet<String> = published
        .iter()
        .filter(|event| event.contains(" Created "))
        .map(|event| event.replace("Created", "Deleted"))
        .collect();
    let deleted: BTreeSet<String> = published.iter().filter(|event| event.contains(" Deleted ")).cloned().collect();
    let stays = ["Client Deleted cl-24-other", "User Deleted us-24-c", "AuditLog Deleted lo-24"].map(str::to_owned);
    assert_eq!(created.difference(&deleted).cloned().collect::<BTreeSet<_>>(), stays.into());
    for grant in published.iter().filter(|event| event.contains(" Granted ")) {
        assert!(published.contains(&grant.replace("Granted", "Revoked")), "{grant}");
    }
}

/// A grant in a scope or role that is deleted by now is never applied, not even for a moment.
#[test]
fn deleted_scopes_and_roles_grant_nothing() {
    let ran = replay("30-children-after-their-parents-removal");
    let given = ran.of("effect").into_iter().filter(|effect| effect["operation"] == "AdminAddUserToGroup");
    let given: Vec<&str> = given.map(|effect| effect["target"].as_str().unwrap()).collect();
    assert_eq!(given, ["us-30 in client:cl-30:ro-30"]);
}

/// An assignment whose window is closed when it is written grants nothing. An event says when it changes what events show.
#[test]
fn a_window_decides() {
    let ran = replay("18-assignment-outside-its-window");
    assert_eq!(members(ran), Groups::new());
    let published_of = |ran: &Ran| published(ran).into_iter().filter(|event| event.contains("us-")).collect::<Vec<_>>();
    let events = published_of(ran);
    assert!(!events.iter().any(|event| event.contains("Granted") || event.contains("Revoked")), "{events:?}");
    assert_eq!(events.iter().filter(|event| event.starts_with("UserRoleAssignment Updated ")).count(), 1);

    let inside = replay("19-assignment-inside-its-window");
    assert_eq!(members(inside), Groups::from([("client:cl-19:ro-19".to_owned(), ["us-19".to_owned()].into())]));
    assert!(published(inside).contains(&"User Granted us-19: ro-19 in cl-19".to_owned()));

    let moved = replay("20-window-moved-to-open-and-to-closed");
    assert_eq!(members(moved), Groups::new());
    let expected = [
        "User Created us-20",
        "UserRoleAssignment Updated us-20/client/cl-20/ro-20",
        "User Granted us-20: ro-20 in cl-20",
        "UserRoleAssignment Updated us-20/client/cl-20/ro-20",
        "User Revoked us-20: ro-20 in cl-20",
    ];
    assert_eq!(published_of(moved), expected);

    // The same captures later: what has become due since is done, and published.
    let later = |name: &str, now: &str| {
        let file = format!("events/account-management/{name}.json");
        instep(&["replay", &file, "--json", "--state", "--now", now])
    };
    let ended = later("19-assignment-inside-its-window", "2027-01-01T00:01:00Z");
    assert_eq!(members(&ended), Groups::new());
    assert_eq!(published(&ended).last().unwrap(), "User Revoked us-19: ro-19 in cl-19");
    let earlier = later("19-assignment-inside-its-window", "2026-01-01T00:00:00Z");
    assert_eq!(earlier.status, 2);
    assert!(earlier.stderr.contains("is before the last record"), "{}", earlier.stderr);
}

/// A window that closes before the last record is closed in the end, also if both are in one batch.
#[test]
fn a_replay_ends_at_the_time_of_its_last_record() {
    let path = root().join("events/account-management/19-assignment-inside-its-window.json");
    let mut batch: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let records = batch["Records"].as_array_mut().unwrap();
    let mut last: Value = serde_json::from_str(&records[0].to_string().replace("cl-19", "cl-20")).unwrap();
    last["dynamodb"]["ApproximateCreationDateTime"] = json!(1_798_848_000); // 2027-01-02
    last["dynamodb"]["SequenceNumber"] = json!("100001798848000000000");
    records.push(last);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("late.json");
    std::fs::write(&file, batch.to_string()).unwrap();
    for size in ["1", "10"] {
        let more = ["--batch", size, "--model", "account-management", "--json", "--state"];
        let ran = instep(&[&["replay", file.to_str().unwrap()], &more[..]].concat());
        assert_eq!(members(&ran), Groups::new(), "{}", ran.stderr);
        assert!(published(&ran).contains(&"User Revoked us-19: ro-19 in cl-19".to_owned()));
    }
}

/// What becomes due is listed: when, what, and for whom. A later replay into the same table does it.
#[test]
fn what_becomes_due_is_listed() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let data = data.to_str().unwrap();
    let file = "events/account-management/19-assignment-inside-its-window.json";
    assert_eq!(instep(&["replay", file, "--data", data]).status, 0);
    let listed = instep(&["due", "--data", data]);
    let line = "2027-01-01 00:00:00Z  revokes  UserRoleAssignment us-19/client/cl-19/ro-19  User us-19: ro-19 in cl-19";
    assert_eq!(listed.stdout.lines().collect::<Vec<_>>(), [line, "1 due"], "{}", listed.stderr);
    let before = instep(&["due", "--data", data, "--until", "2026-12-31T00:00:00Z"]);
    assert_eq!(before.stdout, "0 due\n");
    let json: Value = serde_json::from_str(&instep(&["due", "--data", data, "--json"]).stdout).unwrap();
    let expected = json!({
        "at": "2027-01-01T00:00:00Z", "turn": "closes", "item": "UserRoleAssignment us-19/client/cl-19/ro-19",
        "subject": "User us-19", "roles": ["ro-19"], "scope": "cl-19",
    });
    assert_eq!(json, expected);
    let other = "events/account-management/33-window-opens-and-closes.json";
    let later = instep(&["replay", other, "--data", data, "--json", "--state", "--now", "2027-02-01T00:00:00Z"]);
    assert_eq!(published(&later).last().unwrap(), "User Revoked us-19: ro-19 in cl-19", "{}", later.stderr);
    assert_eq!(instep(&["due", "--data", data]).stdout, "0 due\n");
    let nowhere = instep(&["due", "--data", dir.path().join("nothing").to_str().unwrap()]);
    assert_eq!(nowhere.status, 2);
    assert!(nowhere.stderr.contains("contains no stack"), "{}", nowhere.stderr);
}

/// A deletion by TTL is published as such.
#[test]
fn a_removal_by_time_to_live_says_so() {
    let ran = replay("13-audit-log-created-changed-removed-and-expired");
    let causes = ran.of("event").into_iter().map(|event| {
        let metadata = &event["event"]["detail"]["metadata"];
        (metadata["entityId"].as_str().unwrap().to_owned(), metadata["cause"].as_str().unwrap().to_owned())
    });
    let by_ttl: Vec<_> = causes.filter(|(_, cause)| cause == "ttl").collect();
    assert_eq!(by_ttl, [("lo-13-a".to_owned(), "ttl".to_owned())]);
}

/// Promise 9: nothing of a token or a session is shown in any form of output.
#[test]
fn secrets_are_never_shown() {
    let texts = captures(SYSTEM).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect::<Vec<_>>();
    assert!(texts.iter().filter(|text| text.contains(SECRET)).count() > 3, "the history shows too little");
    let folder = format!("events/{SYSTEM}");
    for more in
        [&["--json"][..], &["--json", "--batch", "9"], &[], &["--dry-run"], &["--state"], &["--state", "--json"]]
    {
        let ran = instep(&[&["replay", &folder][..], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(!ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET), "{more:?}");
    }
    for file in ["14-token-created-changed-removed-and-expired", "15-session-created-changed-removed-and-expired"] {
        let ran = replay(file);
        let secret =
            ran.of("record").into_iter().filter(|record| record["item"] == "Token" || record["item"] == "Session");
        let secret: Vec<u64> = secret.map(|record| record["n"].as_u64().unwrap()).collect();
        assert_eq!(secret.len(), 5);
        assert!(ran.of("event").iter().all(|event| !secret.contains(&event["n"].as_u64().unwrap())));
    }
}

/// Promise 9: a parked record that is damaged and secret shows nothing either.
#[test]
fn damaged_secrets_are_parked_masked() {
    let path = root().join(format!("events/{SYSTEM}/14-token-created-changed-removed-and-expired.json"));
    let all = records(&path);
    let token =
        |name: &str| all.iter().find(|record| record["eventName"] == name && record.to_string().contains(SECRET));
    let (insert, modify) = (token("INSERT").unwrap(), token("MODIFY").unwrap());
    let with = |record: &Value, pointer: &str, value: Value| {
        let mut record = record.clone();
        *record.pointer_mut(pointer).unwrap() = value;
        record.to_string()
    };
    let image = "/dynamodb/NewImage";
    let cases = [
        ("missing-image", with(insert, image, Value::Null)),
        ("missing-image", with(modify, image, Value::Null)),
        ("bad-number", with(insert, &format!("{image}/expires_at"), json!({"N": "1e999"}))),
        ("forged-key", with(insert, &format!("{image}/SK"), json!({"S": "TOKEN#hush-other"}))),
        ("wrong-type", with(insert, "/dynamodb/Keys/SK", json!({"B": "aHVzaA=="}))),
        ("malformed-record", with(insert, &format!("{image}/token"), json!("hush-untyped"))),
        ("malformed-record", with(insert, &format!("{image}/token"), json!({"hush": "hush"}))),
        ("malformed-record", with(insert, "/dynamodb", json!("hush"))),
        ("malformed-record", with(insert, image, json!(["hush"]))),
        ("malformed-record", with(insert, "/eventName", json!("UPSERT"))),
        ("garbled", insert.to_string().replace("\"NewImage\":", "\"NewImage:")),
        ("garbled", insert.to_string().split_at(insert.to_string().find("bearer").unwrap()).0.to_owned()),
    ];
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let data = data.to_str().unwrap();
    assert_eq!(instep(&["replay", path.to_str().unwrap(), "--data", data]).status, 0);
    for (code, record) in cases {
        for more in [&["--json"][..], &[], &["--json", "--against", data]] {
            let ran = instep_with(&[&["replay", "-", "--model", SYSTEM][..], more].concat(), &record);
            assert_eq!(ran.status, 1, "{code} {more:?}: {}", ran.stderr);
            assert!(!ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET), "{code} {more:?}: {}", ran.stdout);
            if more == ["--json"] {
                assert_eq!(ran.of("parked").iter().map(|parked| &parked["code"]).collect::<Vec<_>>(), [code]);
            }
        }
    }
}
