//! Conditions, paths into maps, several groups, and words for verbs: what a model says of an item's
//! own attributes.

use instep_local::Fault;
use serde_json::{Value, json};

use crate::gate::take_records;
use crate::own::{groups, keys, parked, put, world};
use crate::world::{World, run};

const TEAMS: &str = r#"
[names]
role = { values = ["owner", "guest"], attribute = "access.role" }
email = { attribute = "contact.emails[0]" }
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
events = ["contact.emails[0]", "kind"]
cognito.user = { name = "{personId}", when = { kind = ["human", "robot"] }, disabled = { "profile.state" = "off" } }
cognito.member = { user = "Person", group = { name = "people" }, when = { left = { present = false } } }
[items.Email]
pk = "EMAIL#{email}"
sk = "EMAIL"
guard = { owner = "Person" }
[[items.Email.claims]]
when = { kind = ["human", "robot"] }
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
cognito.groups = ["{role}|{teamId}", { name = "all|{teamId}", when = { open = { present = true } } }]
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
parent = ["Team", { type = "Person", find = "back-reference" }]
grant = { subject = "Person", scope = "Team", roles = "role", when = { status = "ACTIVE" } }
events = ["access.role"]
[[items.Seat.cognito.member]]
user = "Person"
group = "Team"
[[items.Seat.cognito.member]]
user = "Person"
group = "crew|{teamId}"
when = { crew = true }
[items.Board]
pk = "T#{teamId}"
sk = "BOARD#{boardId}"
entity = "Board"
parent = { type = "Team", when = { "owned.by" = "team" } }
"#;

const SEAT: (&str, &str) = ("T#red", "SEAT#ann");

fn seat(status: &str) -> Value {
    json!({"access": {"role": "owner"}, "status": status})
}

async fn with_a_seat(person: Value, team: Value) -> World {
    let world = world(TEAMS).await;
    put(&world, ("P#ann", "P"), person).await;
    put(&world, ("T#red", "T"), team).await;
    put(&world, SEAT, seat("ACTIVE")).await;
    world.drain().await;
    world
}

async fn users(world: &World) -> Vec<(String, bool)> {
    world.state().await.users.into_iter().map(|user| (user.username, user.enabled)).collect()
}

/// Promise 1: an item has a user only while its condition holds, and the user's memberships follow.
#[tokio::test]
async fn a_user_exists_while_its_condition_holds() {
    let world = with_a_seat(json!({"kind": "machine"}), json!({})).await;
    assert_eq!(users(&world).await, []);
    for _ in 0..2 {
        put(&world, ("P#ann", "P"), json!({"kind": "human"})).await;
        world.drain().await;
        assert_eq!(users(&world).await, [("ann".to_owned(), true)]);
        assert_eq!(world.members("owner|red").await, ["ann"]);
        assert_eq!(world.members("people").await, ["ann"]);
        put(&world, ("P#ann", "P"), json!({})).await;
        world.drain().await;
        assert_eq!(users(&world).await, []);
    }
    assert_eq!(keys(&world).await, ["P#ann P", "T#red SEAT#ann", "T#red T"], "only the user is deleted");
}

/// Promise 1: a grant that is written while its user's condition is false is pending.
#[tokio::test]
async fn a_grant_waits_for_the_condition_of_its_user() {
    let world = world(TEAMS).await;
    put(&world, ("T#red", "T"), json!({})).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    world.drain().await;
    put(&world, SEAT, seat("ACTIVE")).await;
    world.drain().await;
    assert_eq!(users(&world).await, []);
    put(&world, ("P#ann", "P"), json!({"kind": "robot"})).await;
    world.drain().await;
    assert_eq!(world.members("owner|red").await, ["ann"]);
}

/// Promise 1: an item has those of its groups whose conditions hold.
#[tokio::test]
async fn a_group_exists_while_its_condition_holds() {
    let world = with_a_seat(json!({"kind": "human"}), json!({})).await;
    assert_eq!(groups(&world).await, ["guest|red", "owner|red", "people"]);
    for title in ["first", "second"] {
        put(&world, ("T#red", "T"), json!({"open": title})).await;
        world.drain().await;
        assert_eq!(groups(&world).await, ["all|red", "guest|red", "owner|red", "people"]);
        assert_eq!(world.members("all|red").await, ["ann"]);
        put(&world, ("T#red", "T"), json!({"open": null})).await;
        world.drain().await;
        assert_eq!(groups(&world).await, ["guest|red", "owner|red", "people"]);
    }
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(groups(&world).await, ["people"]);
}

/// Promise 1: each membership of an item follows its own condition.
#[tokio::test]
async fn a_membership_exists_while_its_condition_holds() {
    let world = with_a_seat(json!({"kind": "human"}), json!({})).await;
    let crew = |is_crew: bool| json!({"access": {"role": "owner"}, "status": "ACTIVE", "crew": is_crew});
    put(&world, SEAT, crew(true)).await;
    world.drain().await;
    assert_eq!(world.members("crew|red").await, ["ann"]);
    put(&world, SEAT, crew(false)).await;
    put(&world, ("P#ann", "P"), json!({"kind": "human", "left": "2026"})).await;
    world.drain().await;
    assert_eq!(world.members("crew|red").await, [""; 0]);
    assert_eq!(world.members("people").await, [""; 0]);
    assert_eq!(world.members("owner|red").await, ["ann"]);
}

/// Promises 1 and 4: a grant grants only while its condition holds, and subscribers learn of both.
#[tokio::test]
async fn a_grant_counts_while_its_condition_holds() {
    let world = with_a_seat(json!({"kind": "human"}), json!({})).await;
    put(&world, SEAT, seat("GONE")).await;
    world.drain().await;
    assert_eq!(world.members("owner|red").await, [""; 0]);
    put(&world, SEAT, seat("ACTIVE")).await;
    world.drain().await;
    assert_eq!(world.members("owner|red").await, ["ann"]);
    let is_role = |verb: &String| verb.ends_with("Granted") || verb.ends_with("Revoked");
    let verbs: Vec<String> = world.verbs().into_iter().filter(is_role).collect();
    assert_eq!(verbs, ["Person Granted", "Person Revoked", "Person Granted"]);
}

/// Promise 1: a child whose condition does not hold has no parent.
#[tokio::test]
async fn a_parent_counts_while_the_condition_of_the_child_holds() {
    let world = with_a_seat(json!({}), json!({})).await;
    put(&world, ("T#red", "BOARD#1"), json!({"owned": {"by": "team"}})).await;
    put(&world, ("T#red", "BOARD#2"), json!({"owned": {"by": "nobody"}})).await;
    put(&world, ("T#red", "BOARD#3"), json!({"owned": "team"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["P#ann P", "T#red BOARD#2", "T#red BOARD#3"]);
}

/// Promise 2: a child that lost its parent between the read and the deletion stays.
#[tokio::test]
async fn a_child_whose_condition_changes_during_the_cascade_stays() {
    let world = with_a_seat(json!({}), json!({})).await;
    put(&world, ("T#red", "BOARD#1"), json!({"owned": {"by": "team"}})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    let records = take_records(&world).await;
    let keep = put(&world, ("T#red", "BOARD#1"), json!({"owned": {"by": "nobody"}}));
    crate::gate::held_at(&world, "TransactWriteItems", &records, keep).await;
    world.drain().await;
    assert!(keys(&world).await.contains(&"T#red BOARD#1".to_owned()));
}

/// Promises 1 and 7: attributes inside maps and lists decide as whole ones do.
#[tokio::test]
async fn paths_lead_into_maps_and_lists() {
    let ann =
        |state: &str| json!({"kind": "human", "profile": {"state": state}, "contact": {"emails": ["a@x", "b@x"]}});
    let world = with_a_seat(ann("on"), json!({})).await;
    assert!(keys(&world).await.contains(&"EMAIL#a@x EMAIL".to_owned()));
    put(&world, ("P#bob", "P"), json!({"kind": "human", "contact": {"emails": ["a@x"]}})).await;
    put(&world, ("P#ann", "P"), ann("off")).await;
    world.drain().await;
    assert_eq!(users(&world).await, [("ann".to_owned(), false), ("bob".to_owned(), true)]);
    assert!(world.verbs().contains(&"Person Conflicted".to_owned()));
    let detail: Value = serde_json::from_str(&world.stack.published()[0].detail).unwrap();
    assert_eq!(detail["data"]["new"], json!({"contact.emails[0]": "a@x", "kind": "human"}));
    put(&world, SEAT, json!({"access": {"role": 7}, "status": "ACTIVE"})).await;
    assert_eq!(parked(&world.drain().await), ["wrong-type"]);
    assert_eq!(world.members("owner|red").await, [""; 0]);
}

const REQUESTS: &str = r#"
[table]
ttl = "expires"
[items.Request]
pk = "R#{requestId}"
sk = "R"
entity = "Request"
events = ["status"]
[items.Request.verb]
updated = [
  { word = "approved", when = { status = "APPROVED" } },
  { word = "{status}", changed = ["status"] },
  { word = "renamed", changed = ["title"], when = { title = { present = true } } },
]
deleted = [{ word = "expired", cause = "ttl" }, "withdrawn"]
"#;

/// Promise 4: a word stands for a verb where it applies, once.
#[tokio::test]
async fn words_follow_from_what_changed_and_why() {
    let table = "model = \"own\"\ntable = { pk = \"pk\", sk = \"sk\", ttl = \"expires\" }\n";
    let text = format!("{table}{}", REQUESTS.replace("[table]\nttl = \"expires\"\n", ""));
    let model = instep_model::Model::parse("own.toml", &text).unwrap();
    let world = World::of(model, std::time::Duration::ZERO).await;
    let request = [
        json!({"status": "open"}),
        json!({"status": "APPROVED"}),
        json!({"status": "APPROVED", "title": "x"}),
        json!({"status": "APPROVED", "title": "x", "note": "y"}),
        json!({"status": "shut", "title": "x", "note": "y"}),
    ];
    for item in request {
        put(&world, ("R#1", "R"), item).await;
    }
    world.delete(("pk", "sk"), ("R#1", "R")).await;
    put(&world, ("R#2", "R"), json!({"status": "open"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("R#2", "R")).await;
    let records = take_records(&world).await;
    let mut expired: Value = serde_json::from_str(records[0].get()).unwrap();
    expired["userIdentity"] = json!({"type": "Service", "principalId": "dynamodb.amazonaws.com"});
    world.instep.handle(&[serde_json::value::to_raw_value(&expired).unwrap()], &run()).await;
    let mut words: Vec<String> = world.verbs();
    words.sort();
    let expected = ["Approved", "Created", "Created", "Expired", "Renamed", "Shut", "Updated", "Withdrawn"]
        .map(|word| format!("Request {word}"));
    assert_eq!(words, expected);
}

const BADGES: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
cognito.user = { name = "{personId}", disabled = { state = "off" } }
"#;

/// Promise 1: just after its creation Cognito may not know a user yet. It is disabled all the same.
#[tokio::test]
async fn a_user_that_cognito_does_not_know_yet_is_disabled() {
    let world = world(BADGES).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    world.drain().await;
    world.stack.faults().next("AdminDisableUser", 1, Fault::refuse("UserNotFoundException"));
    put(&world, ("P#ann", "P"), json!({"state": "off"})).await;
    world.drain().await;
    assert_eq!(users(&world).await, [("ann".to_owned(), false)]);
    // The same if the user is found, and not known when it is to be disabled.
    put(&world, ("P#ann", "P"), json!({})).await;
    world.drain().await;
    world.stack.faults().next("AdminDisableUser", 2, Fault::refuse("UserNotFoundException"));
    put(&world, ("P#ann", "P"), json!({"state": "off"})).await;
    world.drain().await;
    assert_eq!(users(&world).await, [("ann".to_owned(), false)]);
}

/// Promise 1: Cognito takes a new address for one that is not verified, unless the same request says
/// that it is.
#[tokio::test]
async fn a_new_address_is_as_verified_as_its_item_says() {
    let rule = "attributes = { email = \"{email}\", email_verified = \"{verified}\" }, disabled";
    let world = world(&BADGES.replace("disabled", rule)).await;
    for (email, verified) in [("a@x.example", "true"), ("b@x.example", "true"), ("c@x.example", "false")] {
        put(&world, ("P#ann", "P"), json!({"email": email, "verified": verified})).await;
        world.drain().await;
        let user = world.state().await.users.pop().unwrap();
        let found = ["email", "email_verified"].map(|name| user.attributes[name].clone());
        assert_eq!(found, [email, verified]);
    }
}
