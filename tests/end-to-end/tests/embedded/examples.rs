//! The examples of the pages about models do what the pages say of them. `shared/model/tests` checks that every
//! example is accepted, or refused.

use std::time::Duration;

use instep_model::Model;
use serde_json::{Value, json};

use crate::own::{groups, parked};
use crate::world::{World, pk};

/// The blocks of TOML under a heading of a page.
fn examples(page: &str, heading: &str) -> Vec<String> {
    let page = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split_once(&format!("# {heading}\n")).unwrap().1;
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    section.split("```toml\n").skip(1).map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

async fn world(text: &str) -> World {
    let head = "model = \"own\"\ntable = { pk = \"PK\", sk = \"SK\" }\n";
    let text = if text.contains("model = ") { text.to_owned() } else { format!("{head}{text}") };
    World::of(Model::parse("example.toml", &text).unwrap(), Duration::ZERO).await
}

const INDEX: &str = "[indexes]\nGSI1 = { pk = \"GSI1PK\", sk = \"GSI1SK\" }\n";

const TEAM: &str = "[items.Team]\npk = \"TEAM#{teamId}\"\nsk = \"TEAM\"\nentity = \"Team\"\n";

const PERSON: &str = "[items.Person]\npk = \"PERSON#{personId}\"\nsk = \"PERSON\"\nentity = \"Person\"\n\
                      cognito.user = { name = \"{personId}\" }\n";

async fn put(world: &World, key: (&str, &str), more: Value) {
    let mut item = json!({"PK": key.0, "SK": key.1});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.put(item).await;
}

/// Deletes an item, and handles what follows.
async fn delete(world: &World, key: (&str, &str)) {
    world.delete(("PK", "SK"), key).await;
    world.drain().await;
}

/// The items of the table, without Instep's own.
async fn keys(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let own = items.iter().filter(|item| !pk(item, "PK").starts_with("INSTEP#"));
    own.map(|item| format!("{} {}", pk(item, "PK"), pk(item, "SK"))).collect()
}

async fn users(world: &World) -> Vec<(String, bool)> {
    world.state().await.users.into_iter().map(|user| (user.username, user.enabled)).collect()
}

async fn seat(world: &World, person: &str, role: &str) {
    let key = (format!("PERSON#{person}"), format!("SEAT#{person}"));
    put(world, ("TEAM#t1", &key.1), json!({"GSI1PK": key.0, "GSI1SK": "TEAM#t1", "role": role})).await;
}

/// The table of the worked example: a team, a board, and two people with a seat each.
async fn boards() -> World {
    let world = world(&examples("guide/first-model.md", "A worked example")[0]).await;
    put(&world, ("TEAM#t1", "TEAM"), json!({"name": "Red", "plan": "free"})).await;
    put(&world, ("TEAM#t1", "BOARD#b1"), json!({"title": "Plan"})).await;
    for (person, role) in [("p1", "owner"), ("p2", "viewer")] {
        let email = format!("{}@example.com", if person == "p1" { "Ann" } else { "bob" });
        put(&world, (&format!("PERSON#{person}"), "PERSON"), json!({"email": email, "state": "active"})).await;
        seat(&world, person, role).await;
    }
    assert_eq!(parked(&world.drain().await), [""; 0]);
    world
}

/// The worked example: users, groups and memberships.
#[tokio::test]
async fn a_person_has_a_user_and_a_seat_is_a_membership() {
    let world = boards().await;
    assert_eq!(groups(&world).await, ["team:t1:editor", "team:t1:owner", "team:t1:viewer"]);
    assert_eq!(world.members("team:t1:owner").await, ["p1"]);
    seat(&world, "p1", "editor").await;
    put(&world, ("PERSON#p2", "PERSON"), json!({"email": "bob@example.com", "state": "blocked"})).await;
    world.drain().await;
    assert_eq!(world.members("team:t1:owner").await, [""; 0]);
    assert_eq!(world.members("team:t1:editor").await, ["p1"]);
    assert_eq!(users(&world).await, [("p1".to_owned(), true), ("p2".to_owned(), false)]);
    delete(&world, ("TEAM#t1", "SEAT#p1")).await;
    assert_eq!(world.members("team:t1:editor").await, [""; 0]);
}

/// The worked example: what is deleted with a person and with a team.
#[tokio::test]
async fn seats_go_with_their_person_and_with_their_team() {
    let world = boards().await;
    let (p1, p2) = ("PERSON#p1 PERSON", "PERSON#p2 PERSON");
    let (ann, bob) = ("EMAIL#ann@example.com EMAIL", "EMAIL#bob@example.com EMAIL");
    let team = ["TEAM#t1 BOARD#b1", "TEAM#t1 SEAT#p1", "TEAM#t1 SEAT#p2", "TEAM#t1 TEAM"];
    assert_eq!(keys(&world).await, [&[ann, bob, p1, p2][..], &team].concat(), "Instep writes the email items");
    delete(&world, ("PERSON#p1", "PERSON")).await;
    assert_eq!(keys(&world).await, [bob, p2, team[0], team[2], team[3]]);
    delete(&world, ("TEAM#t1", "TEAM")).await;
    assert_eq!(keys(&world).await, [bob, p2]);
    assert_eq!(groups(&world).await, [""; 0]);
}

/// The worked example: an address has one owner, and the next claim is pending until it is free.
#[tokio::test]
async fn an_address_belongs_to_the_first_person_who_claims_it() {
    let world = boards().await;
    put(&world, ("PERSON#p2", "PERSON"), json!({"email": "ANN@example.com"})).await;
    world.drain().await;
    assert_eq!(world.verbs().last().unwrap(), "Person Conflicted");
    put(&world, ("PERSON#p1", "PERSON"), json!({"email": "new@example.com"})).await;
    world.drain().await;
    let emails = world.state().await.items.into_iter().filter(|item| pk(item, "PK").starts_with("EMAIL#"));
    let emails: Vec<String> = emails.map(|item| format!("{} {}", pk(&item, "PK"), pk(&item, "personId"))).collect();
    assert_eq!(emails, ["EMAIL#ann@example.com p2", "EMAIL#new@example.com p1"]);
}

/// The worked example: the names and the content of events.
#[tokio::test]
async fn events_have_the_names_in_the_key_and_the_listed_attributes() {
    let world = boards().await;
    delete(&world, ("TEAM#t1", "TEAM")).await;
    let events = world.stack.published();
    for verb in ["Person Created", "Person Granted", "Team Deleted"] {
        assert!(events.iter().any(|event| event.detail_type == verb), "{verb}");
    }
    assert!(events.iter().all(|event| event.source == "com.example.boards"));
    let team: Value = serde_json::from_str(&events[0].detail).unwrap();
    assert_eq!(team["data"]["keys"], json!({"teamId": "t1"}));
    assert_eq!(team["data"]["new"], json!({"name": "Red"}), "not the plan");
}

/// Conditions: all tests of a condition have to be true.
#[tokio::test]
async fn a_condition_holds_if_all_of_its_tests_are_true() {
    let person = PERSON.replace("cognito.user = { name = \"{personId}\" }", "[items.Person.cognito.user]");
    let world =
        world(&format!("{person}name = \"{{personId}}\"\n{}", examples("reference/templates.md", "Conditions")[0]))
            .await;
    let people = [
        ("human", json!({"status": "ACTIVE", "kind": "human"})),
        ("robot", json!({"status": "ACTIVE", "kind": "robot", "deletedAt": ""})),
        ("other", json!({"status": "ACTIVE", "kind": "other"})),
        ("gone", json!({"status": "ACTIVE", "kind": "human", "deletedAt": "2026-05-01"})),
        ("off", json!({"status": "OFF", "kind": "human"})),
    ];
    for (name, more) in people {
        put(&world, (&format!("PERSON#{name}"), "PERSON"), more).await;
    }
    world.drain().await;
    assert_eq!(users(&world).await, [("human".to_owned(), true), ("robot".to_owned(), true)]);
}

/// References: a name that only an attribute contains leads to the parent.
#[tokio::test]
async fn a_board_goes_with_the_team_that_an_attribute_names() {
    let board = "[items.Board]\npk = \"BOARD#{boardId}\"\nsk = \"BOARD\"\n";
    let world = world(&format!("{TEAM}{board}{}", examples("guide/relations.md", "References")[0])).await;
    put(&world, ("TEAM#t1", "TEAM"), json!({})).await;
    put(&world, ("BOARD#b1", "BOARD"), json!({"ownerTeam": "t1"})).await;
    put(&world, ("BOARD#b2", "BOARD"), json!({"ownerTeam": "t2"})).await;
    world.drain().await;
    delete(&world, ("TEAM#t1", "TEAM")).await;
    assert_eq!(keys(&world).await, ["BOARD#b2 BOARD"]);
}

/// Lists: each text of the lists is a parent, or a group.
#[tokio::test]
async fn lists_name_several_parents_and_groups() {
    let world = world(&format!("{TEAM}{PERSON}{}", examples("guide/relations.md", "Lists")[0])).await;
    put(&world, ("TEAM#t1", "TEAM"), json!({})).await;
    for (person, teams) in [("p1", json!(["t1", "t2"])), ("p2", json!("t2"))] {
        put(&world, (&format!("PERSON#{person}"), "PERSON"), json!({"teams": teams, "clubs": ["chess", "go"]})).await;
    }
    world.drain().await;
    assert_eq!(groups(&world).await, ["club:chess", "club:go"]);
    assert_eq!(world.members("club:go").await, ["p1", "p2"]);
    delete(&world, ("TEAM#t1", "TEAM")).await;
    assert_eq!(keys(&world).await, ["PERSON#p2 PERSON"]);
}

/// References by type: the index key says which item is the parent.
#[tokio::test]
async fn a_note_goes_with_its_team_or_with_its_person() {
    let world =
        world(&format!("{INDEX}{TEAM}{PERSON}{}", examples("guide/relations.md", "References by type")[0])).await;
    put(&world, ("TEAM#t1", "TEAM"), json!({})).await;
    put(&world, ("PERSON#p1", "PERSON"), json!({})).await;
    for (note, owner) in [("n1", "team#t1"), ("n2", "person#p1"), ("n3", "person#t1")] {
        let (pk, sk) = (format!("NOTE#{note}"), "NOTE");
        put(&world, (&pk, sk), json!({"GSI1PK": owner, "GSI1SK": format!("NOTE#{note}")})).await;
    }
    world.drain().await;
    delete(&world, ("TEAM#t1", "TEAM")).await;
    assert_eq!(keys(&world).await, ["NOTE#n2 NOTE", "NOTE#n3 NOTE", "PERSON#p1 PERSON"]);
    delete(&world, ("PERSON#p1", "PERSON")).await;
    assert_eq!(keys(&world).await, ["NOTE#n3 NOTE"]);
}

/// Two item types under one key: one item type, of which only some items have a user.
#[tokio::test]
async fn one_item_type_has_several_kinds() {
    let world = world(&examples("guide/relations.md", "Two item types under one key")[1]).await;
    for (id, more) in [("a", json!({"kind": "person"})), ("b", json!({"kind": "device"})), ("c", json!({}))] {
        put(&world, (&format!("ACCOUNT#{id}"), "ACCOUNT"), more).await;
    }
    world.drain().await;
    delete(&world, ("ACCOUNT#b", "ACCOUNT")).await;
    assert_eq!(users(&world).await, [("a".to_owned(), true)]);
    assert_eq!(world.verbs(), ["person Created", "device Created", "Account Created", "device Deleted"]);
}
