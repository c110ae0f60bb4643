//! Drift, as people look for it: `instep sweep` and `instep explain`.

use serde_json::{Value, json};

use crate::support::{DESIGNS, Ran, end, instep, model_of, root};

const GRANT: &str = "events/account-management/19-assignment-inside-its-window.json";
/// After the end of the grant's window.
const LATER: &str = "2027-02-01T00:00:00Z";

/// A kept embedded stack with a user and a grant.
fn granted() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data").to_str().unwrap().to_owned();
    assert_eq!(instep(&["replay", GRANT, "--data", &data]).status, 0);
    (dir, data)
}

fn lines(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().collect()
}

/// Promise 1: what Instep has made of the captures of each design is what the table implies, while deletions of users
/// wait, and when their time has come.
#[test]
fn the_replayed_captures_have_no_drift() {
    for system in DESIGNS {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data").to_str().unwrap().to_owned();
        let events = format!("events/{system}");
        let (_, model) = model_of(system);
        let swept = |now: &str| {
            let swept = instep(&["sweep", "--data", &data, "--model", &model, "--now", now]);
            assert!(
                swept.stdout.contains("0 differences\nread: "),
                "{system} at {now}: {}{}",
                swept.stdout,
                swept.stderr
            );
            assert_eq!(swept.status, 0, "{system}");
        };
        let ran = instep(&["replay", &events, "--data", &data, "--json"]);
        swept(&end(&ran).unwrap().to_string());
        let (later, nothing) = ("2026-06-01T00:00:00Z", dir.path().join("nothing.json"));
        std::fs::write(&nothing, r#"{"Records": []}"#).unwrap();
        let passed = ["replay", nothing.to_str().unwrap(), "--model", &model, "--data", &data, "--now", later];
        // All that waited comes in one hour.
        let passed = instep(&[&passed[..], &["--max-user-deletions", "1000"]].concat());
        assert_eq!(passed.status, 0, "{system}: {}", passed.stderr);
        swept(later);
    }
}

/// What no clock has done is drift. A repair does it, and the next sweep finds nothing.
#[test]
fn drift_is_listed_and_repaired() {
    let (_dir, data) = granted();
    let sweep = |more: &[&str]| instep(&[&["sweep", "--data", &data, "--now", LATER], more].concat());
    let found = sweep(&[]);
    let expected = [
        "extra-member    us-19 in client:cl-19:ro-19: no item implies it",
        "due             UserRoleAssignment us-19/client/cl-19/ro-19: its moment came at 2027-01-01T00:00:00Z, and the clock \
         has not sent it",
        "2 differences: 1 extra-member, 1 due",
        "read: 14 items, 1 users, 1 groups, 1 memberships",
        "`--repair` repairs 1 of them",
    ];
    assert_eq!((lines(&found), found.status), (expected.to_vec(), 1), "{}", found.stderr);
    let tried = sweep(&["--repair", "--dry-run"]);
    assert_eq!((lines(&tried).last().copied(), tried.status), (Some("1 repair would be sent"), 1));
    let refused = sweep(&["--repair", "--max-removals", "0"]);
    assert_eq!(lines(&refused).last().copied(), Some("1 repaired"), "the model does not let sweeps remove members");
    let after = sweep(&[]);
    assert_eq!((lines(&after).first().copied(), after.status), (Some("0 differences"), 0), "{}", after.stdout);
}

/// Promise 1: a wrong model must not empty a user pool.
#[test]
fn a_sweep_stops_before_it_removes_too_much() {
    let (dir, data) = granted();
    let text = std::fs::read_to_string(root().join("shared/model/models/account-management.toml")).unwrap();
    let file = dir.path().join("model.toml");
    std::fs::write(&file, format!("{text}\n[cognito.extra]\nmembers = \"remove\"\n")).unwrap();
    let base = ["sweep", "--data", &data, "--now", LATER, "--model", file.to_str().unwrap(), "--repair", "--json"];
    let stopped = instep(&[&base[..], &["--max-removals", "0"]].concat());
    let summary = stopped.lines.last().unwrap();
    assert_eq!((&summary["stopped"], &summary["sent"], stopped.status), (&json!(true), &json!(0), 1));
    let swept = instep(&base);
    let removed: Vec<&Value> = swept.lines.iter().filter(|line| line["removes"] == json!(true)).collect();
    assert_eq!((removed.len(), &removed[0]["kind"], swept.status), (1, &json!("extra-member"), 0));
}

/// Accounts that Instep made are none of those.
#[test]
fn accounts_that_instep_did_not_make_are_listed() {
    let (_dir, data) = granted();
    let listed = instep(&["users", "existing", "--data", &data]);
    assert_eq!((lines(&listed), listed.status), (vec!["0 accounts that Instep did not make"], 0), "{}", listed.stderr);
    let listed = instep(&["users", "existing", "--data", &data, "--json"]);
    assert_eq!((listed.stdout.as_str(), listed.status), ("", 0), "{}", listed.stderr);
    let wrong = instep(&["users"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("existing"), "{}", wrong.stderr);
    let wrong = instep(&["users", "existing", "--data", "nowhere"]);
    assert_eq!(wrong.status, 2, "{}", wrong.stderr);
}

/// An auditor's first question: why does this user have this group?
#[test]
fn a_membership_is_explained() {
    let (_dir, data) = granted();
    let explain =
        |what: &[&str]| instep(&[&["explain", "--data", &data, "--now", "2026-06-01T00:00:00Z"], what].concat());
    let user = explain(&["us-19"]);
    let expected = [
        "User us-19",
        "  Cognito user us-19: enabled",
        "  User us-19 (USER#us-19 | METADATA)",
        "  UserRoleAssignment us-19/client/cl-19/ro-19 (USER#us-19 | ROLE#client#cl-19#ro-19)",
        "    implies us-19 in client:cl-19:ro-19, since 2026-01-01T00:00:00Z, which is in Cognito",
        "      because `cognito.member` of UserRoleAssignment: UserRoleAssignment us-19/client/cl-19/ro-19 makes User us-19 a member of the group",
        "    2027-01-01T00:00:00Z: its window closes",
        "  nothing differs",
    ];
    assert_eq!((lines(&user), user.status), (expected.to_vec(), 0), "{}", user.stderr);
    let by_key = explain(&["--key", "USER#us-19", "ROLE#client#cl-19#ro-19", "--json"]);
    let grant = &by_key.lines[0]["items"][0];
    let because = grant["memberships"][0]["because"].as_str().unwrap();
    assert!(because.starts_with("`cognito.member` of UserRoleAssignment: "), "{because}");
    let membership =
        json!({"user": "us-19", "group": "client:cl-19:ro-19", "implied": true, "because": because, "inCognito": true});
    assert_eq!((&grant["memberships"][0], &grant["since"]), (&membership, &json!("2026-01-01T00:00:00Z")));
    let late = instep(&["explain", "--data", &data, "--now", LATER, "User=us-19"]);
    assert_eq!(late.status, 1);
    assert!(late.stdout.contains("outside its window: grants nothing now"), "{}", late.stdout);
    assert!(late.stdout.contains("differs: extra-member us-19 in client:cl-19:ro-19"), "{}", late.stdout);
}

/// Where a grant has no window, the times of its item say since when.
#[test]
fn a_membership_is_explained_with_the_times_of_its_item() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data").to_str().unwrap().to_owned();
    assert_eq!(instep(&["replay", "events/access-management/10-membership-granted.json", "--data", &data]).status, 0);
    let user = instep(&["explain", "--data", &data, "hana.sato@example.com"]);
    let expected = [
        "    implies hana.sato@example.com in /japan|||admin, which is in Cognito",
        "      because `cognito.member` of Membership: Membership hana.sato@example.com/%2Fjapan makes User hana.sato@example.com a member of the group of Group /japan for role `admin`",
        "    its times: createdAt 2026-03-10T09:02:00.000Z",
    ];
    assert_eq!(lines(&user).get(4..7), Some(&expected[..]), "{}{}", user.stdout, user.stderr);
}

/// An item that grants nothing by its own attributes says which one.
#[test]
fn a_grant_without_a_role_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (writes, data) = (path("writes.json"), path("data"));
    let put = |item: Value| json!({"at": "2026-06-01T10:00:00Z", "put": item});
    let items = [
        json!({"pk": "U:ann@example.com", "sk": "U:ann@example.com", "state": "enabled"}),
        json!({"pk": "G:/norway", "sk": "G:/norway"}),
        json!({"pk": "U:ann@example.com", "sk": "G:/norway"}),
    ];
    std::fs::write(&writes, Value::from_iter(items.map(put)).to_string()).unwrap();
    assert_eq!(instep(&["replay", &writes, "--model", "access-management", "--data", &data]).status, 0);
    let explained = instep(&["explain", "--data", &data, "--key", "U:ann@example.com", "G:/norway"]);
    let why = "`grant.roles` of Membership: grants nothing, because `role` is absent";
    assert!(explained.stdout.contains(why), "{}{}", explained.stdout, explained.stderr);
}

/// Mistakes that people make get an answer that says what to write.
#[test]
fn mistakes_are_explained() {
    let (_dir, data) = granted();
    let fails = |args: &[&str], expected: &str| {
        let ran = instep(&[args, &["--data", &data]].concat());
        let text = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status == 2 && text.contains(expected), "{args:?}: {} {text}", ran.status);
    };
    fails(&["explain", "nobody"], "neither the table nor Cognito has User nobody");
    fails(&["explain", "Usr=us-19"], "there is no item type `Usr`");
    fails(&["explain", "User="], "write `User={user_id}`");
    fails(&["explain", "--key", "NO#us-19", "METADATA"], "no item type of the model has such a key");
    fails(&["sweep", "--only", "us-19"], "write an item type and an id");
    fails(&["sweep", "--dry-run"], "--repair");
}

/// What cannot go together is refused.
#[test]
fn starting_a_sweep_takes_no_options_of_the_command() {
    for (arguments, expected) in [
        (&["sweep", "--start", "--only", "User=x"][..], "'--start' cannot be used with '--only"),
        (&["sweep", "--start", "--repair", "--dry-run"], "cannot be used with"),
        (&["sweep", "--status", "--data", "x"], "'--status' cannot be used with '--data"),
        (&["sweep", "--start", "--data", "x"], "'--start' cannot be used with '--data"),
        (&["sweep", "--stop", "--repair"], "'--stop' cannot be used with '--repair"),
        (&["sweep", "--of", "s"], "--start"),
        (&["sweep", "--start", "--of", "a/b"], "`a/b` is no name of a sweep"),
        (&["sweep", "--start", "--machine", "sweep"], "`sweep` is no ARN of a state machine"),
        (&["backfill", "--start", "--dry-run"], "cannot be used with"),
    ] {
        let ran = instep(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
    for arguments in [&["sweep", "--start"][..], &["sweep", "--status"], &["sweep", "--stop"], &["backfill", "--start"]]
    {
        let ran = instep(&[arguments, &["--endpoint", "http://127.0.0.1:9"]].concat());
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("`--machine` (or INSTEP_SWEEP_MACHINE)"), "{}", ran.stderr);
    }
}

/// Promise 1: a grant of what does not exist is pending, and `explain` and a sweep say so.
#[test]
fn a_grant_of_nothing_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (writes, data) = (path("writes.json"), path("data"));
    let put = |item: Value| json!({"at": "2026-06-01T10:00:00Z", "put": item});
    let items = [
        json!({"PK": "CLIENT#c", "SK": "METADATA", "GSI1PK": "CLIENT#c", "GSI1SK": "CLIENT#c"}),
        json!({"PK": "USER#u", "SK": "METADATA", "GSI1PK": "CLIENT#c", "GSI1SK": "USER#u"}),
        json!({"PK": "USER#u", "SK": "ROLE#building#none#ghost"}),
    ];
    std::fs::write(&writes, Value::from_iter(items.map(put)).to_string()).unwrap();
    let replayed = instep(&["replay", &writes, "--model", "account-management", "--data", &data]);
    assert!(replayed.stdout.contains("pending: Building none does not exist"), "{}", replayed.stdout);
    let at = ["--data", &data, "--now", "2026-06-02T00:00:00Z"];
    let explained = instep(&[&["explain", "u"][..], &at].concat());
    assert!(explained.stdout.contains("does not imply now u in building:none:ghost"), "{}", explained.stdout);
    let swept = instep(&[&["sweep"][..], &at].concat());
    for missing in ["Building none", "Role ghost"] {
        assert!(explained.stdout.contains(&format!("pending: {missing} does not exist")), "{}", explained.stdout);
    }
    let orphan = "UserRoleAssignment u/building/none/ghost: pending: Building none does not exist";
    assert!(explained.stdout.contains(&format!("differs: orphan {orphan}")), "{}", explained.stdout);
    assert!(swept.stdout.contains(&format!("orphan          {orphan}")), "{}", swept.stdout);
}

const LATER_DELETED: &str = r#"
model = "office"
table = { pk = "PK", sk = "SK" }
[items.Person]
pk = "PERSON#{personId}"
sk = "PERSON"
cognito.user = { name = "{personId}", create = "silent", attributes = { email = "{email}" }<delete> }
[items.Team]
pk = "TEAM#{teamId}"
sk = "TEAM"
cognito.groups.name = "{teamId}"
[items.Seat]
pk = "TEAM#{teamId}"
sk = "SEAT#{personId}"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "Team" }
cognito.member = { user = "Person", group = "Team" }
"#;

/// A kept embedded stack in which the item of a person with a seat was deleted.
fn with_a_deletion(delete: &str, more: &[&str]) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (writes, data, model) = (path("writes.json"), path("data"), path("model.toml"));
    std::fs::write(&model, LATER_DELETED.replace("<delete>", delete)).unwrap();
    let person = json!({"PK": "PERSON#ann", "SK": "PERSON"});
    let steps = json!([
        {"at": "2026-06-01T10:00:00Z", "put": {"PK": "PERSON#ann", "SK": "PERSON", "email": "ann@example.com"}},
        {"at": "2026-06-01T10:00:01Z", "put": {"PK": "TEAM#red", "SK": "TEAM"}},
        {"at": "2026-06-01T10:00:02Z", "put": {"PK": "TEAM#red", "SK": "SEAT#ann"}},
        {"at": "2026-06-01T10:01:00Z", "delete": person},
    ]);
    std::fs::write(&writes, steps.to_string()).unwrap();
    let args = [&["replay", &writes, "--model", &model, "--data", &data], more].concat();
    let ran = instep(&args);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    (folder, data, model)
}

/// Promise 2: a person who is asked about a user learns that it has no access, until when, and what can be done.
#[test]
fn a_deletion_that_waits_is_explained() {
    let (_folder, data, model) = with_a_deletion(r#", delete = { after = "7d" }"#, &[]);
    let explain = |now: &str, what: &[&str]| {
        instep(&[&["explain", "--data", &data, "--model", &model, "--now", now], what].concat())
    };
    let waits = [
        "  deletion of user ann (Person ann): waits until 2026-06-08T10:01:00Z, since 2026-06-01T10:01:00Z; the user is \
         disabled, in no group",
        "    `instep users delete ann` deletes it now, `instep users keep ann` keeps it, disabled, for no item",
    ];
    let user = explain("2026-06-02T00:00:00Z", &["ann"]);
    assert_eq!(
        lines(&user).get(1..4),
        Some(&["  Cognito user ann: disabled", waits[0], waits[1]][..]),
        "{}",
        user.stdout
    );
    let grant = explain("2026-06-02T00:00:00Z", &["Seat=red/ann"]);
    assert_eq!(lines(&grant).get(1..3), Some(&waits[..]), "{}{}", grant.stdout, grant.stderr);
    let due = explain("2026-07-01T00:00:00Z", &["ann"]);
    assert!(due.stdout.contains("was due at 2026-06-08T10:01:00Z, since 2026-06-01T10:01:00Z;"), "{}", due.stdout);
    let json = explain("2026-06-02T00:00:00Z", &["Seat=red/ann", "--json"]);
    let expected = json!([{
        "user": "ann", "item": "Person ann", "held": false, "since": "2026-06-01T10:01:00Z",
        "until": "2026-06-08T10:01:00Z", "approved": false, "replaced": false, "enabled": false, "groups": [],
    }]);
    assert_eq!(json.lines[0]["waiting"], expected);
}

/// The same of a user that is held, which no time lets be deleted.
#[test]
fn a_deletion_that_is_held_is_explained() {
    let (_folder, data, model) = with_a_deletion("", &["--max-user-deletions", "0"]);
    let explain = |more: &[&str]| {
        let now = ["--now", "2026-06-02T00:00:00Z"];
        instep(&[&["explain", "Seat=red/ann", "--data", &data, "--model", &model], &now[..], more].concat())
    };
    let held = [
        "  deletion of user ann (Person ann): held until somebody decides, since 2026-06-01T10:01:00Z; the user is \
         disabled, in no group",
        "    `instep users go-on` lets all be deleted that are held",
        "    `instep users delete ann` deletes it now, `instep users keep ann` keeps it, disabled, for no item",
    ];
    let grant = explain(&[]);
    assert_eq!(lines(&grant).get(1..4), Some(&held[..]), "{}{}", grant.stdout, grant.stderr);
    let waiting = &explain(&["--json"]).lines[0]["waiting"][0];
    assert_eq!((&waiting["held"], &waiting["until"]), (&json!(true), &Value::Null));
    let decide = |what: &[&str]| instep(&[&["users"], what, &["--data", &data, "--model", &model]].concat());
    let gone = decide(&["go-on"]);
    assert_eq!(
        gone.stdout, "deleted  ann: Person ann\n1 that were held; users can be deleted again\n",
        "{}",
        gone.stderr
    );
    let after = explain(&["--json"]);
    assert_eq!(after.lines[0]["waiting"], json!([]), "{}", after.stdout);
}
