//! `instep replay` end to end, through the command line: the final state of both original systems.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::{
    Ran, assert_deleted_later, assert_no_event_is_missing, assert_only_lasting_bookkeeping, binary, captures, instep,
    instep_with, items, replayed, root, s,
};

/// Promise 1: Cognito is what the table implies. The expected state is computed from the items
/// alone.
#[test]
fn access_management_is_reconciled() {
    let ran = replayed("events/access-management");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let items = items(ran);
    let keys: BTreeSet<(&str, &str)> =
        items.iter().map(|item| (s(item, "pk").unwrap(), s(item, "sk").unwrap())).collect();
    let user_there = |pk: &str| keys.contains(&(pk, pk)) || keys.contains(&(pk, "U"));
    let group_there = |key: &str| key == "G:/" || keys.contains(&(key, key));
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut users: BTreeMap<String, bool> = BTreeMap::new();
    for item in &items {
        let (pk, sk) = (s(item, "pk").unwrap(), s(item, "sk").unwrap());
        match (pk.strip_prefix("U:"), sk.strip_prefix("G:"), pk.strip_prefix("G:")) {
            (Some(email), Some(group), _) => {
                assert!(user_there(pk) && group_there(sk), "an orphaned or waiting membership: {pk} {sk}");
                let role = s(item, "role").unwrap();
                groups.entry(format!("{group}|||{role}")).or_default().insert(email.to_owned());
            }
            (Some(email), None, _) => {
                users.insert(email.to_owned(), s(item, "state") != Some("disabled"));
            }
            (None, _, Some(group)) if pk == sk => {
                for role in ["admin", "contributor", "reader"] {
                    groups.entry(format!("{group}|||{role}")).or_default();
                }
            }
            (None, Some(_), Some(_)) => {
                assert!(group_there(pk) && group_there(sk), "an orphaned hierarchy row: {pk} {sk}")
            }
            _ => assert!(pk.starts_with("INSTEP#"), "{pk}"),
        }
    }
    let state = ran.state();
    let mut found: BTreeMap<String, BTreeSet<String>> = state
        .iter()
        .filter(|state| state["of"] == "group")
        .map(|group| {
            let members = group["members"].as_array().unwrap().iter().map(|member| member.as_str().unwrap().to_owned());
            (group["name"].as_str().unwrap().to_owned(), members.collect())
        })
        .collect();
    // The root group has no item. Its groups are created with the first grant in it.
    let counts = |name: &String, members: &BTreeSet<String>| !members.is_empty() || !name.starts_with("/|||");
    groups.retain(|name, members| counts(name, members));
    found.retain(|name, members| counts(name, members));
    assert_eq!(found, groups);
    let waiting = assert_deleted_later(ran, 7);
    let serves = |user: &&&Value| user["of"] == "user" && !waiting.contains(user["username"].as_str().unwrap());
    let enabled = state.iter().filter(serves);
    let enabled: BTreeMap<String, bool> = enabled
        .map(|user| {
            assert_eq!(user["attributes"]["email"], user["username"]);
            (user["username"].as_str().unwrap().to_owned(), user["enabled"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(enabled, users);
    assert!(users.values().any(|enabled| !enabled) && users.len() > 10, "the history shows too little");
    assert_only_lasting_bookkeeping(ran, "pk");
    assert_no_event_is_missing(ran, &[]);
}

/// Promises 1 and 7: edges have existing ends, and guards have existing holders.
#[test]
fn relational_store_is_reconciled() {
    let ran = replayed("events/relational-store");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let items = items(ran);
    let resources: BTreeMap<&str, &Value> =
        items.iter().filter_map(|item| Some((s(item, "PK")?.strip_prefix("Resource#")?, *item))).collect();
    let mut held: BTreeMap<(String, String), &str> = BTreeMap::new();
    for item in &items {
        let (pk, sk) = (s(item, "PK").unwrap(), s(item, "SK").unwrap());
        let (kind, rest) = pk.split_once('#').unwrap();
        match kind {
            "Resource" | "INSTEP" => {}
            "Parent" | "Collection" => {
                let (_, end) = sk.split_once('#').unwrap();
                assert!(resources.contains_key(rest) && resources.contains_key(end), "an orphaned edge: {pk} {sk}");
            }
            _ => {
                assert_eq!(kind, "UniqueKeyValue");
                let (name, value) = (s(item, "key").unwrap(), s(item, "value").unwrap());
                let holder = s(item, "associatedRecordUrn").unwrap();
                let is_claimed = s(item, "_resourceType") == Some("System.User");
                assert!(resources.contains_key(holder), "a guard without its holder: {pk} {sk}");
                assert!(
                    !is_claimed || s(resources[holder], name) == Some(value),
                    "{holder} holds what it does not have"
                );
                held.insert((name.to_owned(), value.to_owned()), holder);
            }
        }
    }
    for resource in resources.values().filter(|resource| s(resource, "_resourceType") == Some("System.User")) {
        for name in ["emailAddress", "phoneNumber"] {
            if let Some(value) = s(resource, name) {
                let holder = held.get(&(name.to_owned(), value.to_owned()));
                assert_eq!(holder.copied(), s(resource, "urn").or(s(resource, "_urn")), "a value without its guard");
            }
        }
    }
    assert!(held.len() > 3 && resources.len() > 10, "the history shows too little");
    assert_only_lasting_bookkeeping(ran, "PK");
    assert_no_event_is_missing(ran, &["UniqueKeyValue"]);
}

/// An event has the same id from a replay as from the stream, and says that it was replayed.
#[test]
fn a_replayed_event_keeps_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let data = data.to_str().unwrap();
    let capture = "events/access-management/01-user-created.json";
    assert_eq!(instep(&["replay", capture, "--data", data]).status, 0);
    let first = instep(&["replay", capture, "--json", "--against", data]);
    let second = instep(&["replay", capture, "--json", "--against", data]);
    let id = |ran: &Ran| ran.of("event")[0]["event"]["detail"]["metadata"]["id"].clone();
    assert_eq!(id(&first), id(&second));
}

/// Promise 6: the bad record of a hostile file is parked with its reason, and the other records are
/// handled.
#[test]
fn hostile_records_harm_only_themselves() {
    let codes = BTreeMap::from([
        ("another-table", "other-table"),
        ("enormous-number", "bad-number"),
        ("forged-key", "forged-key"),
        ("garbled-record", "garbled"),
        ("missing-image", "missing-image"),
        ("truncated", "garbled"),
        ("unknown-item", "unknown-item"),
        ("wrong-type", "wrong-type"),
    ]);
    let files = captures("hostile");
    assert_eq!(files.len(), codes.len());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let ran = instep(&["replay", file.to_str().unwrap(), "--json", "--state"]);
        assert_eq!(ran.status, 1, "{name}: {}", ran.stderr);
        let parked = ran.of("parked");
        assert_eq!(parked.len(), 1, "{name}");
        assert_eq!(parked[0]["code"], codes[name]);
        assert!(!parked[0]["reason"].as_str().unwrap().is_empty() && !parked[0]["record"].is_null(), "{name}");
        assert_eq!(ran.of("retry").len(), 0, "{name}");
        assert!(ran.of("record").iter().filter(|record| record["outcome"] == "handled").count() >= 2, "{name}");
        assert!(ran.state().iter().any(|state| state["of"] == "group"), "{name}: the good records did nothing");
    }
    // An invalid role grants nothing, and what the item granted before is revoked (promise 1).
    let ran = instep(&["replay", "events/hostile/wrong-type.json", "--json", "--state"]);
    let members = ran
        .state()
        .into_iter()
        .filter(|state| state["of"] == "group")
        .flat_map(|group| group["members"].as_array().unwrap());
    assert!(
        !members.into_iter().any(|member| member == "uma.reyes@example.com"),
        "access stayed that the table no longer gives"
    );
}

/// A capture can say any table's name: one that DynamoDB refuses is named, with the option for another.
#[test]
fn a_name_that_is_no_tables_is_refused() {
    let text = std::fs::read_to_string(root().join("events/access-management/01-user-created.json")).unwrap();
    let name = text.split(":table/").nth(1).unwrap().split('/').next().unwrap();
    let text = text.replace(&format!(":table/{name}/"), ":table/***/");
    let model = ["--model", "access-management"];
    let ran = instep_with(&[&["replay", "-"][..], &model].concat(), &text);
    assert_ne!(ran.status, 0);
    let words = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("`***` cannot be the name of a table in DynamoDB"), "{words}");
    assert!(words.contains("--table"), "{words}");
    let ran = instep_with(&[&["replay", "-", "--table", "objects"][..], &model].concat(), &text);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for command in [
        &["dev", "access-management", "--table", "am", "--port", "0"][..],
        &["dev", "access-management", "--table", "a b c"],
    ] {
        let ran = instep(command);
        assert!(ran.stderr.contains("cannot be the name of a table"), "{}", ran.stderr);
    }
}

/// A name that no service has is refused before anything is called: what is wrong, of which option, and how to
/// write it.
#[test]
fn names_that_no_service_has_are_refused() {
    let at = ["--model", "access-management", "--endpoint", "http://127.0.0.1:9"];
    let missing = "--work-queue=http://127.0.0.1:9/q";
    for (args, words) in [
        (&["doctor", "--table", "am"][..], "'am' for '--table <NAME>': `am` is no name of a table: write 3 to 255"),
        (&["doctor", "--user-pool", "pool"], "`pool` is no id of a user pool: write one such as"),
        (&["backfill", "--bus", "my bus"], "`my bus` is no name of an event bus: write letters"),
        (&["backfill", "--work-queue", "work"], "`work` is no URL: write one such as"),
        (&["redrive", "parked", "--parked-queue", "parked"], "`parked` is no URL"),
        (&["redrive", "failed", "--bucket", "My_Bucket"], "`My_Bucket` is no name of a bucket: write 3 to 63"),
        (&["redrive", "s3://A/b", missing], "`A` is no name of a bucket"),
        (&["redrive", "http://", missing], "`http://` is no URL"),
        (&["sweep", "--status", "--bucket", "a"], "`a` is no name of a bucket"),
    ] {
        let ran = instep(&[args, &at].concat());
        let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status == 2 && said.contains(words), "{args:?}: {said}");
    }
    for (args, words) in [
        (&["events", "--queue", "queue"][..], "'queue' for '--queue <URL>'"),
        (&["events", "--queue", "http://127.0.0.1:9/q", "--endpoint", "here"], "'here' for '--endpoint <URL>'"),
        (&["capture", "--endpoint", "here", "--table", "teams"], "'here' for '--endpoint <URL>'"),
        (&["capture", "--aws", "--table", "a/b"], "`a/b` is no name of a table"),
        (&["init", "--table", "a/b"], "`a/b` is no name of a table"),
        (&["check", "platform", "--endpoint", "here"], "`here` is neither `aws` nor a URL"),
        (&["replay", "events/platform", "--against", "http://a:port"], "`http://a:port` is no URL"),
        (&["replay", "events/platform", "--data", "Cargo.toml"], "`Cargo.toml` is a file, not a directory"),
    ] {
        let ran = instep(args);
        let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status == 2 && said.contains(words), "{args:?}: {said}");
    }
}

/// The environment has the same names. Only a command that uses them refuses them.
#[test]
fn names_of_the_environment_are_refused_where_they_are_used() {
    let run = |name: &str, value: &str, args: &[&str]| {
        let mut command = std::process::Command::new(binary());
        let ran = command.args(args).env(name, value).current_dir(root()).output().unwrap();
        String::from_utf8_lossy(&ran.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let remote = ["due", "--model", "platform", "--endpoint", "http://127.0.0.1:9"];
    let with_table = [&remote[..], &["--table", "teams"]].concat();
    assert!(run("INSTEP_TABLE", "am", &remote).contains("INSTEP_TABLE: `am` is no name of a table"));
    assert!(!run("INSTEP_TABLE", "am", &with_table).contains("no name"), "an option replaces it");
    assert!(run("INSTEP_BUS", "my bus", &with_table).contains("INSTEP_BUS: `my bus` is no name of an event bus"));
    assert!(run("INSTEP_USER_POOL", "pool", &with_table).contains("INSTEP_USER_POOL: `pool` is no id"));
    assert_eq!(run("INSTEP_TABLE", "am", &["check", "platform"]), "");
}

/// A dry run prints what would be done, and does nothing.
#[test]
fn a_dry_run_does_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let data = data.to_str().unwrap();
    let before =
        instep(&["replay", "events/access-management/10-membership-granted.json", "--json", "--state", "--data", data]);
    let dry =
        instep(&["replay", "events/access-management/20-group-removed.json", "--json", "--dry-run", "--data", data]);
    assert_eq!(dry.status, 0, "{}", dry.stderr);
    assert!(!dry.of("effect").is_empty());
    assert!(dry.of("effect").iter().all(|effect| effect["outcome"] == "not-done"));
    let after =
        instep(&["replay", "events/access-management/10-membership-granted.json", "--json", "--state", "--data", data]);
    assert_eq!(before.state(), after.state());
    let against =
        instep(&["replay", "events/access-management/20-group-removed.json", "--json", "--dry-run", "--against", data]);
    assert_eq!(against.status, 0, "{}", against.stderr);
    let writes =
        ["PutItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem", "CreateGroup", "DeleteGroup", "PutEvents"];
    assert!(writes.iter().all(|write| against.summary()["apiCalls"][*write].is_null()), "{}", against.summary());
}

/// A write that changes nothing has no stream record. The report says which, and when.
#[test]
fn a_repeated_write_says_that_it_changed_nothing() {
    let team = r#"{"PK": "TEAM#red", "SK": "TEAM"}"#;
    let at = |minute: u32, act: &str| format!(r#"{{"at": "2026-04-01T18:0{minute}:00Z", "{act}": {team}}}"#);
    let writes = format!("[{}, {}, {}, {}]", at(0, "put"), at(1, "put"), at(2, "delete"), at(3, "delete"));
    let ran = instep_with(&["replay", "-", "--model", "teams", "--batch", "1"], &writes);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for (time, why) in [("18:01:00", "the table already had this item"), ("18:03:00", "the table had no such item")] {
        let told = ran.stdout.lines().skip_while(|line| !line.contains(time)).nth(1);
        assert!(told.is_some_and(|line| line.contains(why)), "{why}:\n{}", ran.stdout);
    }
}

/// A usage error exits with status 2 and prints the fix on standard error.
#[test]
fn usage_errors_say_how_to_fix_them() {
    let elsewhere = ["--against", "http://127.0.0.1:9", "--now", "2026-03-20T00:00:00Z"];
    let elsewhere = [&["replay", "events/access-management"][..], &elsewhere].concat();
    let cases: [(&[&str], &str); 7] = [
        (&["dev", "platform", "--load"], "`platform` has no example writes"),
        (&elsewhere, "only for a `--dry-run`"),
        (&["replay", "no/such/folder"], "no/such/folder"),
        (&["replay", "README.md", "--model", "access-management"], "README.md"),
        (&["replay", "events/access-management", "--model", "acces-management"], "access-management"),
        (&["replay", "--no-such-flag"], "--no-such-flag"),
        (&["check", "shared/model/models/no-such.toml"], "no-such.toml"),
    ];
    for (args, says) in cases {
        let ran = instep(args);
        assert_eq!(ran.status, 2, "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(says), "{args:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}

/// `instep check` describes every shipped model.
#[test]
fn check_prints_what_it_understood() {
    for model in [
        "teams",
        "access-management",
        "access-management-sif",
        "account-management",
        "authorization",
        "platform",
        "relational-store",
    ] {
        let by_name = instep(&["check", model]);
        let by_file = instep(&["check", &format!("shared/model/models/{model}.toml")]);
        assert_eq!((by_name.status, by_file.status), (0, 0), "{}{}", by_name.stderr, by_file.stderr);
        assert!(by_name.stdout.contains("Access paths") && by_name.stdout.contains("Reactions"), "{}", by_name.stdout);
    }
}

/// Items that the captures show as older than themselves are written, and not published as new.
#[test]
fn a_capture_that_begins_in_the_middle_is_played_from_its_first_old_image() {
    let capture: Value = serde_json::from_str(
        &std::fs::read_to_string(root().join("events/access-management/13-role-changed.json")).unwrap(),
    )
    .unwrap();
    let records = capture["Records"].as_array().unwrap();
    let change = records.iter().find(|record| record["eventName"] == "MODIFY").unwrap();
    let ran = instep_with(&["replay", "-", "--model", "access-management", "--json"], &change.to_string());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let verbs: Vec<&str> =
        ran.of("event").iter().map(|event| event["event"]["detail-type"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["User Revoked", "User Granted"]);
    let mut blind = change.clone();
    blind["dynamodb"].as_object_mut().unwrap().remove("OldImage");
    let ran = instep_with(&["replay", "-", "--model", "access-management", "--json"], &blind.to_string());
    assert_eq!(ran.status, 1);
    assert!(ran.of("parked")[0]["reason"].as_str().unwrap().contains("old image"), "{}", ran.stdout);
}

/// `--why` has one line for the effects of one reason, and says why nothing follows. Without it, nothing is said.
#[test]
fn a_replay_says_why_once_for_each_reason() {
    const REMOVED: &str = "events/access-management/20-group-removed.json";
    let why = instep(&["replay", REMOVED, "--why"]);
    let lines: Vec<&str> = why.stdout.lines().map(str::trim).collect();
    let deleted = lines.iter().position(|line| line.ends_with("Group /spain deleted")).unwrap();
    let expected = [
        "because  `cognito.groups` of Group: Group /spain does not exist",
        "done     cognito DeleteGroup /spain|||admin",
        "done     cognito DeleteGroup /spain|||contributor",
        "done     cognito DeleteGroup /spain|||reader",
        "because  `parent` of Membership: Group /spain was deleted",
    ];
    assert_eq!(lines[deleted + 1..deleted + 6], expected, "{}", why.stdout);
    let without = instep(&["replay", REMOVED]);
    assert!(!without.stdout.contains("because"), "{}", without.stdout);
    let json = instep(&["replay", REMOVED, "--json"]);
    assert!(json.of("effect").iter().all(|effect| effect.get("because").is_none()), "{}", json.stdout);
}

/// Promise 2: an id that is used again has an account of its own, whether Instep handles the deletion by itself, with
/// what follows it, or with all that came before.
#[test]
fn an_id_that_is_used_again_has_a_new_account() {
    const MODEL: &str = r#"
model = "office"
table = { pk = "PK", sk = "SK" }
indexes = { GSI1 = { pk = "SK", sk = "PK" } }
[items]
Person = { pk = "PERSON#{personId}", sk = "PERSON", entity = "Person", cognito.user.name = "{personId}" }
Team = { pk = "TEAM#{teamId}", sk = "TEAM", entity = "Team", cognito.groups = "{teamId}" }
[items.Seat]
pk = "TEAM#{teamId}"
sk = "SEAT#{personId}"
grant = { subject = "Person", scope = "Team" }
cognito.member = { user = "Person", group = "Team" }
"#;
    let writes = serde_json::json!([
        {"at": "2026-06-01T08:00:00Z", "put": {"PK": "TEAM#red", "SK": "TEAM"}},
        {"at": "2026-06-01T08:00:01Z", "put": {"PK": "PERSON#bob", "SK": "PERSON", "name": "Bob"}},
        {"at": "2026-06-01T08:00:02Z", "put": {"PK": "PERSON#ann", "SK": "PERSON", "name": "Ann the First"}},
        {"at": "2026-06-01T08:00:03Z", "put": {"PK": "TEAM#red", "SK": "SEAT#ann"}},
        {"at": "2026-06-01T09:00:00Z", "delete": {"PK": "PERSON#ann", "SK": "PERSON"}},
        {"at": "2026-06-01T09:00:30Z", "put": {"PK": "PERSON#ann", "SK": "PERSON", "name": "Ann the Second"}},
        {"at": "2026-06-01T09:00:31Z", "put": {"PK": "TEAM#red", "SK": "SEAT#bob"}},
    ]);
    let dir = tempfile::tempdir().unwrap();
    let (file, model) = (dir.path().join("writes.json"), dir.path().join("model.toml"));
    std::fs::write(&file, writes.to_string()).unwrap();
    std::fs::write(&model, MODEL).unwrap();
    let mut subs = Vec::new();
    for size in ["1", "4", "7"] {
        let ran = instep(&[
            "replay",
            file.to_str().unwrap(),
            "--model",
            model.to_str().unwrap(),
            "--batch",
            size,
            "--json",
            "--state",
        ]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let calls =
            |operation: &str| ran.stdout.matches(&format!(r#""operation":"{operation}","target":"ann""#)).count();
        // With all in one batch, the first account is never made.
        let expected = if size == "7" { (1, 0) } else { (2, 1) };
        assert_eq!(
            (calls("AdminCreateUser"), calls("AdminDeleteUser")),
            expected,
            "in batches of {size}: {}",
            ran.stdout
        );
        let of = |of: &str| ran.state().into_iter().find(|state| state["of"] == of).unwrap().clone();
        assert_eq!(of("group")["members"], serde_json::json!(["ann", "bob"]), "in batches of {size}");
        subs.push(of("user")["attributes"]["sub"].clone());
    }
    assert!(subs[0] == subs[1] && subs[0] != subs[2], "the second account, not the first one: {subs:?}");
}
