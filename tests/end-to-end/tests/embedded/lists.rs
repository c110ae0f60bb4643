//! Lists as references: each text in a list is a group or a parent, and each is pending by itself.

use serde_json::{Value, json};

use crate::own::{groups, keys, parked, put, world};
use crate::world::World;

const CLUBS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
cognito.user = { name = "{personId}" }
[[items.Person.cognito.member]]
user = "Person"
group = { type = "Team", teamId = "{teams|each}", find = "back-reference" }
[[items.Person.cognito.member]]
user = "Person"
group = "club:{clubs|lower|each}"
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
cognito.groups = "team:{teamId}"
[items.Note]
pk = "N#{noteId}"
sk = "N"
entity = "Note"
parent = { type = "Team", teamId = "{copies.of|each}", find = "back-reference" }
"#;

async fn clubs() -> World {
    world(CLUBS).await
}

async fn put_ann(world: &World, more: Value) {
    put(world, ("P#ann", "P"), more).await;
}

/// Promise 1: a user is a member of each group in the list that exists, and of the others once they do.
#[tokio::test]
async fn each_group_of_a_list_is_pending_by_itself() {
    let world = clubs().await;
    put(&world, ("T#red", "T"), json!({})).await;
    put_ann(&world, json!({"teams": ["red", "blue", "red"], "clubs": ["Chess", ""]})).await;
    world.drain().await;
    assert_eq!(world.members("team:red").await, ["ann"]);
    assert_eq!(world.members("club:chess").await, ["ann"]);
    assert_eq!(groups(&world).await, ["club:chess", "team:red"]);
    put(&world, ("T#blue", "T"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("team:blue").await, ["ann"]);
    put_ann(&world, json!({"teams": ["blue"]})).await;
    world.drain().await;
    assert_eq!(world.members("team:red").await, [""; 0]);
    assert_eq!(world.members("team:blue").await, ["ann"]);
    assert_eq!(world.members("club:chess").await, [""; 0]);
}

/// Promise 1: a deleted group takes its own memberships along, and comes back with them.
#[tokio::test]
async fn a_group_of_a_list_is_deleted_and_created_again() {
    let world = clubs().await;
    for team in ["T#red", "T#blue"] {
        put(&world, (team, "T"), json!({})).await;
    }
    put_ann(&world, json!({"teams": ["red", "blue"]})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(groups(&world).await, ["team:blue"]);
    assert_eq!(world.members("team:blue").await, ["ann"]);
    put(&world, ("T#red", "T"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("team:red").await, ["ann"]);
}

/// Promise 1: each parent in a list deletes the child. A child that no longer lists it stays.
#[tokio::test]
async fn each_parent_of_a_list_is_a_parent() {
    let world = clubs().await;
    for team in ["T#red", "T#blue"] {
        put(&world, (team, "T"), json!({})).await;
    }
    let note = |teams: Value| json!({"copies": {"of": teams}});
    put(&world, ("N#1", "N"), note(json!(["red", "blue"]))).await;
    put(&world, ("N#2", "N"), note(json!(["red"]))).await;
    put(&world, ("N#3", "N"), note(json!("blue"))).await;
    put(&world, ("N#4", "N"), note(json!(["red", "green"]))).await;
    world.drain().await;
    put(&world, ("N#2", "N"), note(json!(["green"]))).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["N#2 N", "N#3 N", "T#blue T"]);
    let left: Vec<String> =
        world.state().await.items.iter().map(|item| item["pk"].as_s().unwrap().to_owned()).collect();
    let references = left.iter().filter(|pk| pk.starts_with("INSTEP#REF#")).count();
    assert_eq!(references, 2, "one for each reference that is left: {left:?}");
}

/// Promise 6: what is no list of texts is parked, and removes what an earlier list gave.
#[tokio::test]
async fn what_is_no_list_is_parked() {
    let world = clubs().await;
    put(&world, ("T#red", "T"), json!({})).await;
    put_ann(&world, json!({"teams": ["red"]})).await;
    world.drain().await;
    put_ann(&world, json!({"teams": ["red", 7]})).await;
    assert_eq!(parked(&world.drain().await), ["wrong-type"]);
    assert_eq!(world.members("team:red").await, [""; 0]);
}

const ROWS: &str = r#"
[items.Invoice]
pk = "C#{customerId}"
sk = "INV#{no|pad:6}"
entity = "Invoice"
id = "{no}"
[items.Line]
pk = "C#{customerId}"
sk = "INV#{no|pad:6}#L#{line|pad:3}"
entity = "Line"
parent = "Invoice"
[items.Refund]
pk = "R#{refundId}"
sk = "R"
entity = "Refund"
parent = { type = "Invoice", customerId = "{customerId}", no = "{invoice}", find = "back-reference" }
"#;

/// Promises 1 and 2: a padded number is one number, whatever its width, and no other text is read as it.
#[tokio::test]
async fn a_padded_number_is_read_and_written_as_a_number() {
    let world = world(ROWS).await;
    for sk in ["INV#000042", "INV#000042#L#001", "INV#000042#L#1000", "INV#000421", "INV#000421#L#001"] {
        put(&world, ("C#c", sk), json!({})).await;
    }
    put(&world, ("C#c", "INV#42"), json!({})).await;
    put(&world, ("R#1", "R"), json!({"customerId": "c", "invoice": 42})).await;
    put(&world, ("R#2", "R"), json!({"customerId": "c", "invoice": "042"})).await;
    assert_eq!(parked(&world.drain().await), ["unknown-item", "wrong-value"]);
    world.delete(("pk", "sk"), ("C#c", "INV#000042")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["C#c INV#000421", "C#c INV#000421#L#001", "C#c INV#42", "R#2 R"]);
    let ids: Vec<Value> =
        world.stack.published().iter().map(|event| serde_json::from_str(&event.detail).unwrap()).collect();
    assert_eq!(ids[0]["metadata"]["entityId"], "42");
}

const SQUADS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team:{teamId}"
[items.Seat]
pk = "P#{personId}"
sk = "SEAT"
parent = { type = "Team", teamId = "{teams|each}", find = "back-reference" }
cognito.member = { user = "Person", group = { type = "Team", teamId = "{teams|each}" } }
"#;

/// Promise 1: the same if the groups are the item's parents. If one of them is deleted, so is the item.
#[tokio::test]
async fn a_list_of_parents_can_be_a_list_of_groups() {
    let world = world(SQUADS).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    put(&world, ("T#red", "T"), json!({})).await;
    put(&world, ("P#ann", "SEAT"), json!({"teams": ["red", "blue"]})).await;
    world.drain().await;
    assert_eq!(world.members("team:red").await, ["ann"], "blue does not exist yet");
    put(&world, ("T#blue", "T"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("team:blue").await, ["ann"]);
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(world.members("team:blue").await, [""; 0]);
    assert_eq!(keys(&world).await, ["P#ann P", "T#blue T"]);
}
