//! References that give their target's names in an unusual way: what `instep check` prints of them comes true.

use serde_json::json;

use crate::own::{keys, put, world, world_with};
use crate::sweep::found;

const PERSON: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
"#;

/// The same with a key in lower case.
fn lowered_person() -> String {
    PERSON.replace("P#{personId}", "P#{personId|lower}")
}

/// Promise 1: two items refer to one person if the key of the person is in lower case and theirs is not, or if one
/// name of theirs could go on where the next begins. The membership stays until none of them implies it, and a
/// sweep finds the one that does.
#[tokio::test]
async fn a_reference_that_two_items_can_give_is_shared() {
    let lower = format!(
        "{}{}",
        lowered_person(),
        r#"
[items.Seat]
pk = "SEAT#{owner}"
sk = "SEAT"
parent = { type = "Person", personId = "{owner}", find = "back-reference" }
cognito.member = { user = { type = "Person", personId = "{owner}" }, group = { name = "staff" } }
"#
    );
    let joined = format!(
        "{PERSON}{}",
        r#"
[items.Seat]
pk = "SEAT#{first}#{last}"
sk = "SEAT"
parent = { type = "Person", personId = "{first}.{last}", find = "back-reference" }
cognito.member = { user = { type = "Person", personId = "{first}.{last}" }, group = { name = "staff" } }
"#
    );
    for (model, person, seats) in
        [(lower, "ann", ["SEAT#Ann", "SEAT#ann"]), (joined, "a.b.c", ["SEAT#a.b#c", "SEAT#a#b.c"])]
    {
        let world = world(&model).await;
        put(&world, (&format!("P#{person}"), "P"), json!({})).await;
        for seat in seats {
            put(&world, (seat, "SEAT"), json!({})).await;
        }
        world.drain().await;
        assert_eq!(found(&world).await, [""; 0], "{model}");
        for (seat, members) in seats.into_iter().zip([&[person][..], &[]]) {
            world.delete(("pk", "sk"), (seat, "SEAT")).await;
            world.drain().await;
            assert_eq!(world.members("staff").await, members, "{model}");
            assert_eq!(found(&world).await, [""; 0], "{model}");
        }
    }
}

/// Promise 1: a sweep does not take the name that a reference gives for that of the item's own key.
#[tokio::test]
async fn a_sweep_finds_the_item_behind_a_changed_name() {
    for seat in ["SEAT#Ann", "SEAT#ann"] {
        let model = format!(
            "{}{}",
            lowered_person(),
            r#"
[items.Seat]
pk = "TEAM#{teamId}"
sk = "SEAT#{personId}"
cognito.member = { user = { type = "Person", find = "back-reference" }, group = "team:{teamId}" }
"#
        );
        let world = world(&model).await;
        put(&world, ("P#ann", "P"), json!({})).await;
        put(&world, ("TEAM#t", seat), json!({})).await;
        world.drain().await;
        assert_eq!(world.members("team:t").await, ["ann"]);
        assert_eq!(found(&world).await, [""; 0], "{seat}");
    }
}

/// Promise 1: a sweep takes nothing for certain that a group's name or a reference says of an attribute: it may be in
/// lower case there, or end where the next one begins.
#[tokio::test]
async fn a_sweep_does_not_read_an_attribute_from_a_name() {
    let lowered = r#"
[items.Seat]
pk = "SEAT#{seatId}"
sk = "SEAT"
parent = { type = "Person", personId = "{login}", find = "back-reference" }
cognito.member = { user = { type = "Person", personId = "{login}" }, group = "login:{login|lower}" }
"#;
    let joined = r#"
[items.Org]
pk = "ORG#{a}.x"
sk = "ORG"
[items.Seat]
pk = "SEAT#{seatId}"
sk = "SEAT"
parent = { type = "Person", personId = "{a}.{b}", find = "back-reference" }
cognito.member = { user = { type = "Person", personId = "{a}.{b}" }, group = "login:{b}:{c}" }
"#;
    let seats = [json!({"login": "Ann"}), json!({"a": "x.y", "b": "z", "c": "k"})];
    for ((model, seat), person) in [lowered, joined].into_iter().zip(seats).zip(["Ann", "x.y.z"]) {
        let world = world(&format!("{PERSON}{model}")).await;
        put(&world, (&format!("P#{person}"), "P"), json!({})).await;
        put(&world, ("SEAT#1", "SEAT"), seat).await;
        world.drain().await;
        assert_eq!(world.state().await.groups[0].members, [person]);
        assert_eq!(found(&world).await, [""; 0], "{model}");
    }
}

/// Promise 1: a group in lower case goes with a parent whose key is in lower case.
#[tokio::test]
async fn a_group_in_lower_case_goes_with_its_parent() {
    let model = format!(
        "{PERSON}{}",
        r#"
[items.Org]
pk = "ORG#{slug|lower}"
sk = "ORG"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{n}"
parent = ["Person", { type = "Org", slug = "{org}", find = "back-reference" }]
cognito.member = { user = "Person", group = "org:{org|lower}" }
"#
    );
    let world = world(&model).await;
    for (key, more) in
        [(("P#ann", "P"), json!({})), (("ORG#acme", "ORG"), json!({})), (("P#ann", "SEAT#1"), json!({"org": "Acme"}))]
    {
        put(&world, key, more).await;
    }
    world.drain().await;
    assert_eq!(world.members("org:acme").await, ["ann"]);
    world.delete(("pk", "sk"), ("ORG#acme", "ORG")).await;
    world.drain().await;
    assert_eq!(crate::own::groups(&world).await, [""; 0]);
}

/// Promise 1: a name with one fixed value need not be given, and a `oneof` may have one case.
#[tokio::test]
async fn a_group_is_found_without_its_fixed_name_or_through_a_oneof() {
    let fixed = r#"
[items.Team]
pk = "T#{region}"
sk = "TEAM#{teamId}"
values.region = ["eu"]
cognito.groups = "team:{teamId}"
[items.Seat]
pk = "S#{teamId}"
sk = "SEAT#{personId}"
cognito.member = { user = { type = "Person", find = "back-reference" }, group = { type = "Team", find = "back-reference" } }
"#;
    let oneof = r#"
[oneof.Unit]
by = "kind"
team = { type = "Team" }
[items.Team]
pk = "T#eu"
sk = "TEAM#{teamId}"
cognito.groups = "team:{teamId}"
[items.Seat]
pk = "S#{teamId}"
sk = "SEAT#{personId}#{kind}"
cognito.member = { user = { type = "Person", find = "back-reference" }, group = { type = "Unit", find = "back-reference" } }
"#;
    for (model, seat) in [(fixed, "SEAT#ann"), (oneof, "SEAT#ann#team")] {
        let world = world(&format!("{PERSON}{model}")).await;
        put(&world, ("P#ann", "P"), json!({})).await;
        put(&world, ("S#red", seat), json!({})).await;
        world.drain().await;
        assert_eq!(world.members("team:red").await, [""; 0], "{model}");
        put(&world, ("T#eu", "TEAM#red"), json!({})).await;
        world.drain().await;
        assert_eq!(world.members("team:red").await, ["ann"], "{model}");
    }
}

/// Promise 1: each parent of a list counts by itself, also beside one that is assumed.
#[tokio::test]
async fn an_assumed_parent_in_a_list_does_not_keep_an_item() {
    let world = world(
        r#"
[items.Team]
pk = "T#{teamId}"
sk = "T"
assumed = [{ teamId = "/" }]
[items.Doc]
pk = "D#{docId}"
sk = "D"
parent = { type = "Team", teamId = "{teams|each}", find = "back-reference" }
"#,
    )
    .await;
    put(&world, ("T#red", "T"), json!({})).await;
    put(&world, ("D#1", "D"), json!({"teams": ["/", "red"]})).await;
    put(&world, ("D#2", "D"), json!({"teams": ["/", "blue"]})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["D#2 D"]);
}

/// Promise 1: an edge takes its child under every spelling of the child's key.
#[tokio::test]
async fn an_edge_takes_every_spelling_of_its_child() {
    let world = world(
        r#"
[items.Folder]
pk = "F#{folderId}"
sk = "F"
[items.File]
pk = "FILE#{fileId}"
sk = ["FILE", "OLD"]
[items.Link]
pk = "F#{folderId}"
sk = "LINK#{fileId}"
edge = { parent = "Folder", child = { type = "File", find = "back-reference" }, takes = "child" }
"#,
    )
    .await;
    for key in [("F#a", "F"), ("FILE#f", "FILE"), ("FILE#f", "OLD"), ("F#a", "LINK#f")] {
        put(&world, key, json!({})).await;
    }
    world.drain().await;
    world.delete(("pk", "sk"), ("F#a", "F")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Promise 1: a sweep removes orphans also if only it finds them.
#[tokio::test]
async fn a_sweep_removes_orphans_that_only_it_finds() {
    let orphans = "pk = \"pk\", sk = \"sk\", orphans = \"remove\"";
    let model = r#"
[items.Team]
pk = "T#{teamId}"
sk = "T"
[items.Note]
pk = "N#{noteId}"
sk = "N"
parent = { type = "Team", teamId = "{team}", find = "sweep" }
"#;
    let world = world_with(orphans, model).await;
    put(&world, ("T#red", "T"), json!({})).await;
    put(&world, ("N#1", "N"), json!({"team": "red"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["N#1 N"]);
    crate::sweep::repair(&world).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Promise 4: the word of an owner's lost claim, also if the record is of the guard.
#[tokio::test]
async fn a_lost_claim_has_the_word_of_its_owner() {
    let world = world(
        r#"
[items.User]
pk = "U#{userId}"
sk = "U"
entity = "User"
verb.conflicted = "rejected"
[items.Email]
pk = "E#{email|lower}"
sk = "E"
guard = { owner = "User" }
[[items.Email.claims]]
email = "{email}"
transfer = { when = { verified = true } }
"#,
    )
    .await;
    put(&world, ("U#a", "U"), json!({"email": "A@x"})).await;
    world.drain().await;
    put(&world, ("U#b", "U"), json!({"email": "a@x", "verified": true})).await;
    put(&world, ("U#c", "U"), json!({"email": "a@x"})).await;
    world.drain().await;
    let mut verbs = world.verbs();
    verbs.sort();
    assert_eq!(verbs, ["User Created", "User Created", "User Created", "User Rejected", "User Rejected"]);
}

/// Promise 1: a condition on a name in the key holds for the word of a boolean.
#[tokio::test]
async fn a_boolean_condition_holds_for_a_name_in_the_key() {
    let world = world(
        r#"
[names]
active = ["true", "false"]
[items.User]
pk = "U#{userId}"
sk = "U#{active}"
cognito.user = { name = "{userId}-{active}", when = { active = true } }
"#,
    )
    .await;
    put(&world, ("U#a", "U#true"), json!({})).await;
    put(&world, ("U#b", "U#false"), json!({})).await;
    world.drain().await;
    let users: Vec<String> = world.state().await.users.into_iter().map(|user| user.username).collect();
    assert_eq!(users, ["a-true"]);
}

/// Promises 1 and 2: two references of an item to one object share a back-reference. It stays while one of them
/// leads there.
#[tokio::test]
async fn a_back_reference_stays_for_the_other_reference() {
    let subject = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
[items.Seat]
pk = "S#{seatId}"
sk = "S#{personId}"
parent = { type = "Person", find = "back-reference", when = { owned = true } }
grant = { subject = { type = "Person", find = "back-reference" }, last = { delete = "subject", written = ["at"] } }
"#;
    let one = world(subject).await;
    put(&one, ("P#ann", "P"), json!({"at": "2026-01-01T00:00:00Z"})).await;
    put(&one, ("S#1", "S#ann"), json!({"owned": true})).await;
    put(&one, ("S#2", "S#ann"), json!({"owned": false})).await;
    one.drain().await;
    put(&one, ("S#1", "S#ann"), json!({"owned": false})).await;
    one.drain().await;
    one.delete(("pk", "sk"), ("S#2", "S#ann")).await;
    one.drain().await;
    assert_eq!(keys(&one).await, ["P#ann P", "S#1 S#ann"]);

    let parents = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
[items.Task]
pk = "T#{taskId}"
sk = "T"
parent = [
  { type = "Person", personId = "{owner}", find = "back-reference" },
  { type = "Person", personId = "{deputy}", find = "back-reference" },
]
"#;
    for deleted in ["P#ann", "P#bob"] {
        let two = world(parents).await;
        for person in ["P#ann", "P#bob"] {
            put(&two, (person, "P"), json!({})).await;
        }
        put(&two, ("T#1", "T"), json!({"owner": "ann", "deputy": "bob"})).await;
        two.drain().await;
        put(&two, ("T#1", "T"), json!({"owner": "bob", "deputy": "ann"})).await;
        two.drain().await;
        two.delete(("pk", "sk"), (deleted, "P")).await;
        two.drain().await;
        assert_eq!(keys(&two).await.len(), 1, "{deleted}");
    }
}

/// Promise 1: two item types may know one parent by the same names, one of them through an index. A group of that one
/// stays while the index leads to another parent.
#[tokio::test]
async fn a_group_on_demand_is_judged_by_its_own_reference() {
    let model = format!(
        "indexes.GSI1 = {{ pk = \"g1p\", sk = \"g1s\" }}\n{PERSON}{}",
        r#"
[items.Team]
pk = "T#{org}"
sk = "T#{teamId}"
GSI1 = { pk = "R#{region}", sk = "T#{teamId}" }
[items.Seat]
pk = "S#{region}#{teamId}"
sk = "S#{personId}"
parent = { type = "Team", find = "back-reference" }
cognito.member = { user = { type = "Person", find = "back-reference" }, group = "d:{teamId}:{region}" }
[items.Log]
pk = "L#{teamId}"
sk = "L#{personId}"
parent = { type = "Team", find = "back-reference" }
cognito.member = { user = { type = "Person", find = "back-reference" }, group = "e:{teamId}" }
"#
    );
    let world = world(&model).await;
    let team = json!({"region": "eu", "g1p": "R#eu", "g1s": "T#x"});
    put(&world, ("P#ann", "P"), json!({})).await;
    put(&world, ("T#1", "T#x"), team.clone()).await;
    put(&world, ("S#eu#x", "S#ann"), json!({})).await;
    world.drain().await;
    put(&world, ("T#2", "T#x"), team).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#1", "T#x")).await;
    world.drain().await;
    assert_eq!(world.members("d:x:eu").await, ["ann"]);
    world.delete(("pk", "sk"), ("T#2", "T#x")).await;
    world.drain().await;
    assert_eq!(crate::own::groups(&world).await, [""; 0]);
}

/// Promise 1: the first spelling of an item's key decides whether it has a user.
#[tokio::test]
async fn a_first_spelling_without_a_user_deletes_that_of_the_second() {
    let world = world(
        r#"
[items.User]
pk = ["U#{u}", "V#{u}"]
sk = "U"
cognito.user = { name = "{u}", when = { on = true } }
"#,
    )
    .await;
    put(&world, ("V#a", "U"), json!({"on": true})).await;
    world.drain().await;
    assert_eq!(world.state().await.users.len(), 1);
    put(&world, ("U#a", "U"), json!({})).await;
    world.drain().await;
    assert_eq!(world.state().await.users.len(), 0);
}
