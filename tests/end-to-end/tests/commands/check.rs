//! `instep check NEW --against OLD`: what a change of a model means.

use std::path::Path;

use expect_test::expect;

use crate::support::instep;

/// The example of `docs/guide/first-model.md`.
fn example() -> String {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/first-model.md")).unwrap();
    page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

/// The status and the output for a change of the example.
fn checked(changes: &[(&str, &str)]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.toml"), folder.path().join("new.toml"));
    let mut text = example();
    std::fs::write(&old, &text).unwrap();
    for (before, after) in changes {
        assert!(text.contains(before), "{before}");
        text = text.replace(before, after);
    }
    std::fs::write(&new, text).unwrap();
    let ran = instep(&["check", new.to_str().unwrap(), "--against", old.to_str().unwrap()]);
    (ran.status, format!("{}{}", ran.stdout, ran.stderr))
}

#[test]
fn a_change_that_leaves_nothing_behind_needs_no_steps() {
    let reordered = [("parent = [\"Team\", \"Person\"]", "parent = [\"Person\", \"Team\"]")];
    let (status, text) = checked(&reordered);
    assert_eq!(status, 0, "{text}");
    expect![[r#"
        Nothing changes for items, users and subscribers: deploy the new one.
    "#]]
    .assert_eq(&text);
    let renamed =
        [("[items.Board]\n", "[items.Card]\nformerly = \"Board\"\n"), ("entity = \"Board\"", "entity = \"Board\"")];
    assert_eq!(checked(&renamed).0, 0);
}

const CHANGES: [(&str, &str); 8] = [
    ("\"editor\", \"viewer\"]", "\"editor\"]"),
    ("[items.Board]", "[items.Card]"),
    ("events = [\"name\", \"state\"]", "events = [\"name\"]"),
    ("disabled = { state = \"blocked\" }", "disabled = { state = [\"blocked\", \"left\"] }"),
    ("pk = \"EMAIL#", "pk = \"MAIL#"),
    ("group = \"Team\" }", "group = \"Team\", when = { active = true } }"),
    ("{ state = [", "{ status = ["),
    ("cognito.groups = \"team:", "cognito.groups = \"teams:"),
];

#[test]
#[expect(clippy::too_many_lines, reason = "most of it is what the command prints")]
fn what_a_change_leaves_behind_is_explained() {
    let (status, text) = checked(&CHANGES);
    assert_eq!(status, 3, "{text}");
    expect![[r#"
        Do not deploy
          items.Board (identity)
            `Card` has its keys: bookkeeping and work messages say `Board` and are not found, and events
            get other ids
            -> write `formerly = "Board"` in `[items.Card]`
        Needs further steps
          names.role.values (values)
            records of items with viewer are parked, also those of deletions, and no `revoked` is
            published; groups of these values stay, without the members that Instep made
            -> under the old model, give each item with such a value another one, or delete it
            -> wait until the work queue is empty
            -> deploy the new model
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
            -> it takes the access that only the old model gives, and waits for a person if that is much
            -> then delete the groups that it leaves, if nobody needs them
            -> after all that, subscribers delete their rows and take a snapshot (`instep contract
               snapshot`): no event tells them
          items.Person.events (events)
            subscribers no longer receive state: what they keep of it stays
            -> before the deployment, tell the subscribers: `instep contract diff OLD NEW` lists what their
               programs miss
          items.Person.cognito.user.disabled (Cognito)
            existing users stay enabled or disabled until their items change
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
          items.Email.pk, sk (keys)
            items with the key EMAIL#{email|lower} / EMAIL belong to no item type any more: they are
            parked, no cascade finds them, and a sweep lists nothing
            -> deploy a model with both spellings, the new one first
            -> write these items under the new key, and delete the old ones
            -> wait until the work queue is empty
            -> then deploy this model
            -> after all that, subscribers delete their rows and take a snapshot (`instep contract
               snapshot`): no event tells them
          items.Team.cognito.groups (Cognito)
            the groups `team:{teamId}:{role}` stay, without the members that Instep made
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
            -> it takes the access that only the old model gives, and waits for a person if that is much
            -> then delete the groups that it leaves, if nobody needs them
          items.Team.cognito.groups (Cognito)
            existing items do not have the new groups yet
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
          items.Seat.cognito.member (Cognito)
            no item implies memberships in `team:{teamId}:{role}` any more
            -> make sure that this is meant: without the table, nothing was counted
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
            -> it takes the access that only the old model gives, and waits for a person if that is much
          items.Seat.cognito.member (Cognito)
            existing items do not have the new memberships yet: each gives access
            -> make sure that this is meant: without the table, nothing was counted
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
        Good to know
          items.Card (identity)
            it has the keys of `Board`
        Subscribers
          Breaking
            `Board`: no event is about items of this type any more, also not when they are deleted: their rows stay. If the type has another name now, `formerly` keeps them
            `Person Conflicted`, field `detail.data.changed[]`: it is never "state" any more
            `Person Conflicted`, field `detail.data.new.state`: it is removed
            `Person Conflicted`, field `detail.data.old.state`: it is removed
            `Person Created`, field `detail.data.changed[]`: it is never "state" any more
            `Person Created`, field `detail.data.new.state`: it is removed
            `Person Deleted`, field `detail.data.changed[]`: it is never "state" any more
            `Person Deleted`, field `detail.data.old.state`: it is removed
            `Person Granted`, field `detail.data.role`: it is never "viewer" any more
            `Person Revoked`, field `detail.data.role`: it is never "viewer" any more
            `Person Updated`, field `detail.data.changed[]`: it is never "state" any more
            `Person Updated`, field `detail.data.new.state`: it is removed
            `Person Updated`, field `detail.data.old.state`: it is removed
          Needs a rebuild
            `Card`: `created` is published from now on: rows do not have what happened before
            `Card`: `deleted` is published from now on: rows do not have what happened before
        Do not deploy the new one as it is.
    "#]]
    .assert_eq(&text);
}

/// Promise 1: nothing says that items of before are in an index from now on.
#[test]
fn index_keys_that_instep_begins_to_write_need_a_backfill() {
    let index = "GSI1 = { pk = \"PERSON#{personId}\", sk = \"TEAM#{teamId}\"";
    assert!(example().contains(index));
    let with = |keep: &str| example().replace(index, &format!("{index}{keep}"));
    let check = |before: &str, after: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str, keep: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, with(keep)).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let ran = instep(&["check", &path("new.toml", after), "--against", &path("old.toml", before)]);
        (ran.status, ran.stdout)
    };
    let (fill, always) = (", keep = \"fill\"", ", keep = true");
    for (before, after) in [("", fill), ("", always), (fill, always)] {
        let (status, text) = check(before, after);
        assert_eq!(status, 1, "{text}");
        assert!(text.contains("items.Seat.GSI1"), "{text}");
        assert!(text.contains("the change that it starts"), "{text}");
    }
    assert_eq!(check(always, fill).0, 0);
    assert_eq!(check(fill, "").0, 0);
}

/// Promise 7: the back-references of guards that exist are still to be written.
#[test]
fn guards_that_go_with_their_owner_from_now_on_need_a_backfill() {
    let guard = "guard = { owner = \"Person\"";
    let found = guard.replace("owner", "find = \"back-reference\", owner");
    let (status, text) = checked(&[(guard, &found)]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("items.Email.guard: Person (finding)\n"), "{text}");
    assert!(text.contains("existing items have no back-references"), "{text}");
    let (status, text) = checked(&[(guard, &format!("claims = []\n{found}"))]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("no owner claims a value any more"), "{text}");
}

/// Promises 1 and 2: which of several edges counts is open until their guard names one.
#[test]
fn edges_that_become_the_only_ones_need_a_backfill() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, unique: &str| {
        let path = folder.path().join(name);
        let text = format!(
            r##"
model = "store"
table = {{ pk = "PK", sk = "SK" }}
[items.Folder]
pk = "FOLDER#{{folderId}}"
sk = "FOLDER"
[items.File]
pk = "FILE#{{fileId}}"
sk = "FILE"
[items.Within]
pk = "FOLDER#{{folderId}}"
sk = "FILE#{{fileId}}"
edge = {{ parent = "Folder", child = {{ type = "File", find = "back-reference" }}, takes = "child"{unique} }}
[items.Place]
pk = "PLACE#{{fileId}}"
sk = "PLACE"
guard.owner = "Within"
"##
        );
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (any, one) = (path("any.toml", ""), path("one.toml", ", unique = \"child\""));
    let described = instep(&["check", &one]);
    let said = "one for each child: another Within has no effect while the one that its Place names exists";
    assert!(words(&described.stdout).contains(said), "{}", described.stdout);
    let (added, removed) = (instep(&["check", &one, "--against", &any]), instep(&["check", &any, "--against", &one]));
    assert_eq!((added.status, removed.status), (1, 1));
    expect![[r#"
        Needs further steps
          items.Within.edge.unique (guards)
            of several edges of one child, all count until their Place names one of them; then the others
            have no effect
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
        Deploy the new one with these steps, in their order. The table was not read: a step is not needed
        if no item is like it.
    "#]]
    .assert_eq(&added.stdout);
    expect![[r#"
        Needs further steps
          items.Within.edge.unique (guards)
            edges that had no effect take effect with their next change
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
        Deploy the new one with these steps, in their order. The table was not read: a step is not needed
        if no item is like it.
    "#]]
    .assert_eq(&removed.stdout);
    assert_eq!(instep(&["check", &one, "--against", &one]).status, 0);
}

/// People who sign up are no item type. What names them by another value from now on needs new back-references, and what
/// was added under the old one stays.
#[test]
fn people_who_sign_up_are_described_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let model = |name, user| family(folder.path(), name, user);
    let (sub, name) = (model("sub.toml", "{ sub = \"{memberId}\" }"), model("name.toml", "{ name = \"{memberId}\" }"));
    let described = instep(&["check", &sub]).stdout;
    assert!(described.contains("1 types;") && !described.contains("/user"), "{described}");
    let said = "the user whose sub is {memberId} is a member of Cognito group f:{familyId}, created for its first member; \
                pending until the user signs up";
    assert!(words(&described).contains(said), "{described}");
    let described = instep(&["check", &name]).stdout;
    assert!(words(&described).contains("write the item only after this user has signed in"), "{described}");
    let changed = instep(&["check", &sub, "--against", &name]);
    assert_eq!(changed.status, 1);
    expect![[r#"
        Needs further steps
          items.Member.cognito.member (Cognito)
            no item implies memberships in `f:{familyId}` any more
            -> make sure that this is meant: without the table, nothing was counted
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
            -> it takes the access that only the old model gives, and waits for a person if that is much
          items.Member.cognito.member (Cognito)
            existing items do not have the new memberships yet: each gives access
            -> make sure that this is meant: without the table, nothing was counted
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
          items of a user by sub (Cognito)
            items name people who sign up by another value
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
            -> it takes the access that only the old model gives, and waits for a person if that is much
          items.Member.cognito.member.user: user by sub (finding)
            existing items have no back-references: a sign-up does not find them
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
          items.Member.cognito.member.user: user by sub (grants)
            what it gives waits for the user by sub from now on, and loses its access where there is none
            -> after the deployment, wait until the change that it starts is complete (`instep change`)
            -> it takes the access that only the old model gives, and waits for a person if that is much
            -> after all that, subscribers delete their rows and take a snapshot (`instep contract
               snapshot`): no event tells them
        Good to know
          cognito.user.name (stack)
            if the stack made the pool, it tells upper case from lower case, and Cognito refuses to change
            that: people type their name in lower case. `instep template stack --force` keeps
            `CaseSensitive: true`
          items.Member.cognito.member.user: user by name (references)
            this reference is gone: cascades that are under way do not continue over it, and its
            back-references stay until a sweep deletes them
        Deploy the new one with these steps, in their order. The table was not read: a step is not needed
        if no item is like it.
    "#]]
    .assert_eq(&changed.stdout);
    assert_eq!(instep(&["check", &sub, "--against", &sub]).status, 0);
}

/// A model of families whose members are these users.
fn family(folder: &Path, name: &str, user: &str) -> String {
    let text = format!(
        "model = \"m\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n[items.Member]\npk = \"FAMILY#{{familyId}}\"\n\
         sk = \"MEMBER#{{memberId}}\"\ncognito.member = {{ user = {user}, group = \"f:{{familyId}}\" }}\n"
    );
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_sign_out_is_described_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let model = |name, user| family(folder.path(), name, user);
    let sub = model("sub.toml", "{ sub = \"{memberId}\" }");
    let out = model("out.toml", "{ sub = \"{memberId}\" }, sign_out = true");
    let described = instep(&["check", &out]).stdout;
    assert!(words(&described).contains("first member; signed out when the membership is removed;"), "{described}");
    let (on, off) = (instep(&["check", &out, "--against", &sub]), instep(&["check", &sub, "--against", &out]));
    assert_eq!((on.status, off.status), (0, 0));
    let (on, off) = (words(&on.stdout), words(&off.stdout));
    assert!(on.contains("items.Member.cognito.member.sign_out (Cognito) users are signed out when a membership is removed from now on; sessions of those who lost one before go on"), "{on}");
    assert!(
        off.contains(
            "items.Member.cognito.member.sign_out (Cognito) users who lose a membership stay signed in from now on"
        ),
        "{off}"
    );
}

/// Bookkeeping has the first name, however often an item type is renamed.
#[test]
fn an_item_type_that_is_renamed_again_keeps_its_first_name() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.toml"), folder.path().join("new.toml"));
    let renamed = |name: &str, first: &str| {
        example().replace("[items.Board]\n", &format!("[items.{name}]\nformerly = \"{first}\"\n"))
    };
    std::fs::write(&old, renamed("Card", "Board")).unwrap();
    for (first, status) in [("Board", 0), ("Card", 3)] {
        std::fs::write(&new, renamed("Slip", first)).unwrap();
        let ran = instep(&["check", new.to_str().unwrap(), "--against", old.to_str().unwrap()]);
        assert_eq!(ran.status, status, "{}{}", ran.stdout, ran.stderr);
        assert_eq!(
            ran.stdout.contains("write `formerly = \"Board\"` in `[items.Slip]`"),
            status == 3,
            "{}",
            ran.stdout
        );
    }
}

/// The owner of a guard can have no second spelling: nothing advises one.
#[test]
fn the_key_of_an_owner_has_to_stay() {
    let key = "pk = \"PERSON#{personId}\"\nsk = \"PERSON\"";
    let (status, text) = checked(&[(key, &key.replace("PERSON", "HUMAN"))]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("-> keep it: the owner of a guard has one spelling of its key"), "{text}");
}

#[test]
fn a_broken_old_model_is_an_error() {
    let ran = instep(&["check", "platform", "--against", "plattform"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("did you mean `platform`?"), "{}", ran.stderr);
}

/// A model whose ids have a prefix, and a replayed table with one task.
fn tasks(team: &str) -> (i32, String) {
    const TASK: &str = "parent = { type = \"Team\", teamId = \"{team}\", find = \"back-reference\" }";
    tasks_with(TASK, team)
}

/// The same with other lines of the task's type.
fn tasks_with(task: &str, team: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, writes, data) = (path("model.toml"), path("writes.json"), path("data"));
    let text = format!(
        r#"
model = "tasks"
table = {{ pk = "pk", sk = "sk" }}
[items.Team]
pk = "team-{{teamId}}"
sk = "TEAM"
entity = "Team"
[items.Task]
pk = "task-{{taskId}}"
sk = "TASK"
entity = "Task"
{task}
"#
    );
    std::fs::write(&model, text).unwrap();
    let put = |item: serde_json::Value| serde_json::json!({"at": "2026-05-01T09:00:00Z", "put": item});
    let items = [
        serde_json::json!({"pk": "team-1", "sk": "TEAM"}),
        serde_json::json!({"pk": "task-1", "sk": "TASK", "team": team}),
    ];
    std::fs::write(&writes, serde_json::Value::from_iter(items.map(put)).to_string()).unwrap();
    assert_eq!(instep(&["replay", &writes, "--model", &model, "--data", &data]).status, 0);
    let ran = instep(&["check", &model, "--data", &data]);
    let counted = ran.stdout.find("References of").and_then(|at| ran.stdout.get(at..));
    (ran.status, counted.unwrap_or_else(|| panic!("{}{}", ran.stdout, ran.stderr)).to_owned())
}

/// A reference that never leads to an item looks right in the model: only real items show it.
#[test]
fn references_of_real_items_are_followed() {
    let (status, text) = tasks("team-1");
    assert_eq!(status, 1, "{text}");
    expect![[r#"
        References of all 2 items
          Task -> Team (parent): 0 of 1 lead to one; there is no Team team-1: compare the values with the
          key of that item: a prefix, upper case, or another attribute
    "#]]
    .assert_eq(&text);
    let (status, text) = tasks("1");
    assert_eq!(status, 0, "{text}");
    expect![[r#"
        References of all 2 items
          Task -> Team (parent): 1 of 1 lead to one
    "#]]
    .assert_eq(&text);
}

/// Where nothing is followed, the reason is said.
#[test]
fn a_check_of_items_without_references_says_why_there_are_none() {
    for (task, why) in [
        ("", "none: no item type of this model refers to another"),
        (
            "parent = { type = \"Team\", teamId = \"{squad}\", find = \"back-reference\" }",
            "none: no item has a type that refers to another and the attributes that it refers by.",
        ),
    ] {
        let (status, text) = tasks_with(task, "1");
        assert_eq!(status, 0, "{text}");
        assert!(text.contains(why), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (writes, data) = (path("writes.json"), path("data"));
    std::fs::write(&writes, "[]").unwrap();
    assert_eq!(instep(&["replay", &writes, "--model", "platform", "--data", &data]).status, 0);
    let ran = instep(&["check", "platform", "--data", &data]);
    assert!(ran.stdout.ends_with("References of all 0 items\n  none: the table has no items\n"), "{}", ran.stdout);
}

/// A grant is in force without an optional scope, so it is no mistake that none exists.
#[test]
fn an_optional_reference_may_lead_nowhere() {
    let found = "find = \"back-reference\"";
    let subject = format!("{{ type = \"Team\", teamId = \"{{team}}\", {found} }}");
    for (scope, expected) in [(format!("\"Team\", {found}"), 1), ("\"Team?\"".to_owned(), 0)] {
        let scope = format!("{{ teamId = \"no-{{team}}\", type = {scope} }}");
        let (status, text) = tasks_with(&format!("grant = {{ subject = {subject}, scope = {scope} }}"), "1");
        assert!(text.contains("0 of 1 lead to one; there is no Team no-1"), "{text}");
        assert_eq!(status, expected, "{text}");
    }
}
