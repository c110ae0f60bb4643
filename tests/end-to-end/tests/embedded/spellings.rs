//! A key may have several spellings. Dependents are found under each of them.

use std::time::Duration;

use instep_model::Model;
use serde_json::json;

use crate::world::{World, pk};

/// Seats and notes are in the partition of a team, which some writers spell in full. Keys of a
/// person are in no partition of the person. An index finds them.
const TEAMS: &str = r#"
model = "spelled"
[table]
pk = "pk"
sk = "sk"
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
events = ["updatedAt"]
cognito.user = { name = "{personId}", create = "silent" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
cognito.groups = "{teamId}"
[items.Seat]
pk = ["T#{teamId}", "TEAM#{teamId}"]
sk = "SEAT#{personId}"
parent = ["Team", { type = "Person", find = "back-reference" }]
grant = { subject = "Person", scope = "Team" }
cognito.member = { user = "Person", group = "Team" }
[items.Note]
pk = ["T#{teamId}", "TEAM#{teamId}"]
sk = "NOTE#{noteId}"
parent = "Team"
[items.Key]
pk = ["P#{personId}", "LOST"]
sk = "KEY#{keyId}"
GSI1 = { pk = "P#{personId}", sk = "KEY#{keyId}" }
parent = "Person"
"#;

async fn world(text: &str) -> World {
    World::of(Model::parse("spelled.toml", text).unwrap(), Duration::ZERO).await
}

async fn put(world: &World, pk: &str, sk: &str) {
    world.put(json!({"pk": pk, "sk": sk, "updatedAt": "2026-01-01T00:00:00Z"})).await;
}

async fn keys(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let own = items.iter().filter(|item| !pk(item, "pk").starts_with("INSTEP#"));
    own.map(|item| format!("{} {}", pk(item, "pk"), pk(item, "sk"))).collect()
}

/// Promise 1: the dependents of a deleted parent are deleted under every spelling, page by page.
#[tokio::test]
async fn a_cascade_finds_every_spelling() {
    let world = world(TEAMS).await;
    for (pk, sk) in [("P#ann", "P"), ("P#bob", "P"), ("T#red", "T"), ("T#red", "SEAT#ann"), ("TEAM#red", "SEAT#bob")] {
        put(&world, pk, sk).await;
    }
    for note in 0..250 {
        put(&world, if note % 2 == 0 { "T#red" } else { "TEAM#red" }, &format!("NOTE#{note:03}")).await;
    }
    world.drain().await;
    assert_eq!(world.members("red").await, ["ann", "bob"]);
    world.delete(("pk", "sk"), ("T#red", "T")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["P#ann P", "P#bob P"]);
    assert!(world.state().await.groups.is_empty());
}

/// Promise 1: the pending grants of a created parent are handed on under every spelling.
#[tokio::test]
async fn a_fan_out_finds_every_spelling() {
    let world = world(TEAMS).await;
    for (pk, sk) in [("P#ann", "P"), ("P#bob", "P"), ("T#red", "SEAT#ann"), ("TEAM#red", "SEAT#bob")] {
        put(&world, pk, sk).await;
    }
    world.drain().await;
    assert_eq!(world.members("red").await, [""; 0]);
    put(&world, "T#red", "T").await;
    world.drain().await;
    assert_eq!(world.members("red").await, ["ann", "bob"]);
}

/// Promise 1: if a spelling has no partition of the parent, an index finds the dependents.
#[tokio::test]
async fn an_index_finds_what_no_partition_has() {
    let world = world(TEAMS).await;
    put(&world, "P#ann", "P").await;
    for pk in ["P#ann", "LOST"] {
        for key in 0..120 {
            let sk = format!("KEY#{pk}{key:03}");
            world.put(json!({"pk": pk, "sk": sk, "g1p": "P#ann", "g1s": sk})).await;
        }
    }
    world.drain().await;
    world.delete(("pk", "sk"), ("P#ann", "P")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// Promise 2: a grant under another spelling counts as a grant, so the subject of the revoked one
/// is kept.
#[tokio::test]
async fn a_grant_under_another_spelling_keeps_its_subject() {
    let by_person = TEAMS
        .replace(
            "pk = [\"T#{teamId}\", \"TEAM#{teamId}\"]\nsk = \"SEAT#{personId}\"",
            "pk = [\"P#{personId}\", \"PERSON#{personId}\"]\nsk = \"SEAT#{teamId}\"",
        )
        .replace(
            "[\"Team\", { type = \"Person\", find = \"back-reference\" }]",
            "[\"Person\", { type = \"Team\", find = \"back-reference\" }]",
        )
        .replace(
            "scope = \"Team\" }",
            "scope = \"Team\", last = { delete = \"subject\", written = [\"updatedAt\"] } }",
        );
    let world = world(&by_person).await;
    for (pk, sk) in [("P#ann", "P"), ("T#red", "T"), ("T#tan", "T"), ("P#ann", "SEAT#red"), ("PERSON#ann", "SEAT#tan")]
    {
        put(&world, pk, sk).await;
    }
    world.drain().await;
    world.delete(("pk", "sk"), ("P#ann", "SEAT#red")).await;
    world.drain().await;
    assert_eq!(world.members("tan").await, ["ann"]);
    world.delete(("pk", "sk"), ("PERSON#ann", "SEAT#tan")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["T#red T", "T#tan T"]);
}

/// Promise 1: each item of an object stands for itself, also where two spellings of one key have one.
#[tokio::test]
async fn two_items_of_one_grant_grant_what_either_does() {
    let by_role = TEAMS
        .replace("[table]", "[names]\nrole = [\"owner\", \"guest\"]\n[table]")
        .replace("cognito.groups = \"{teamId}\"", "cognito.groups = \"{teamId}|{role}\"")
        .replace("scope = \"Team\" }", "scope = \"Team\", roles = \"role\" }");
    let world = world(&by_role).await;
    for (pk, sk) in [("P#ann", "P"), ("T#red", "T")] {
        put(&world, pk, sk).await;
    }
    let seat = async |pk: &str, role: &str| {
        world.put(json!({"pk": pk, "sk": "SEAT#ann", "role": role})).await;
        world.drain().await;
    };
    seat("T#red", "owner").await;
    seat("TEAM#red", "guest").await;
    let members = async || [world.members("red|owner").await.len(), world.members("red|guest").await.len()];
    assert_eq!(members().await, [1, 1]);
    seat("T#red", "guest").await;
    assert_eq!(members().await, [0, 1]);
    world.delete(("pk", "sk"), ("TEAM#red", "SEAT#ann")).await;
    world.drain().await;
    assert_eq!(members().await, [0, 1], "the other item still grants it");
    world.delete(("pk", "sk"), ("T#red", "SEAT#ann")).await;
    world.drain().await;
    assert_eq!(members().await, [0, 0]);
}

/// Promise 1: a child is deleted with its parent, even if the last record of the batch deletes the
/// child's item under another spelling.
#[tokio::test]
async fn a_child_that_moved_to_another_spelling_is_deleted_with_its_parent() {
    let world = world(TEAMS).await;
    put(&world, "P#p", "P").await;
    world.drain().await;
    world.delete(("pk", "sk"), ("P#p", "P")).await;
    world.drain().await;
    put(&world, "TEAM#t", "SEAT#p").await;
    put(&world, "T#t", "SEAT#p").await;
    world.delete(("pk", "sk"), ("TEAM#t", "SEAT#p")).await;
    world.drain().await;
    assert_eq!(keys(&world).await, [""; 0]);
}

/// A seat whose writers have two attributes for its end, its roles and its clubs.
const OLD_AND_NEW: &str = r#"
model = "spelled"
correlation = ["trace", "traceId"]
table = { pk = "pk", sk = "sk" }
[names]
role = { values = ["lead", "crew"], attribute = "r" }
clubs = { attribute = ["clubs", "groups"] }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{teamId}"
grant = { subject = "Person", scope = "{teamId}", roles = ["role", "roles"], until = ["expires_at", "expiresAt"] }
[[items.Seat.cognito.member]]
user = "Person"
group = "team:{teamId}:{role}"
[[items.Seat.cognito.member]]
user = "Person"
group = "club:{teamId}:{clubs|each}"
"#;

/// Promises 1 and 7: a value comes from the first attribute that has one. Null, an empty text and an empty
/// list are none, and nothing is parked. A name in `roles` has the attributes that its rule says.
#[tokio::test]
async fn an_empty_value_leaves_the_place_to_the_next_spelling() {
    let world = world(OLD_AND_NEW).await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    let seat = |first: serde_json::Value, end: &str| {
        json!({"pk": "P#ann", "sk": "SEAT#red", "expires_at": first, "expiresAt": end, "r": first, "roles": ["crew"],
            "clubs": first, "groups": ["chess"], "trace": first, "traceId": "t1"})
    };
    for first in [json!(null), json!(""), json!([])] {
        world.put(seat(first.clone(), "2026-06-01")).await;
        assert_eq!(crate::own::parked(&world.drain().await), [""; 0], "{first}");
        assert_eq!(world.members("team:red:crew").await, ["ann"], "{first}");
        assert_eq!(world.members("club:red:chess").await, ["ann"], "{first}");
        let published = world.stack.published();
        assert!(published.last().unwrap().detail.contains(r#""correlationId":"t1""#), "{first}");
        world.put(seat(first.clone(), "2026-04-01")).await;
        world.drain().await;
        assert_eq!(world.members("team:red:crew").await, [""; 0], "{first}: it has expired");
    }
    world.put(json!({"pk": "P#ann", "sk": "SEAT#red", "r": "lead", "roles": "crew"})).await;
    world.drain().await;
    assert_eq!(world.members("team:red:lead").await, ["ann"]);
    assert_eq!(world.members("team:red:crew").await, [""; 0]);
}

/// Promise 4: while another spelling of a key exists, the object exists, and so do the roles that it grants. Its last
/// deletion is published.
#[tokio::test]
async fn the_deletion_of_one_spelling_publishes_nothing_that_is_not_so() {
    let text = TEAMS
        .replace("pk = \"P#{personId}\"\nsk = \"P\"", "pk = [\"P#{personId}\", \"PERSON#{personId}\"]\nsk = \"P\"");
    let world = world(&text).await;
    for (pk, sk) in
        [("P#ann", "P"), ("PERSON#ann", "P"), ("T#red", "T"), ("T#red", "SEAT#ann"), ("TEAM#red", "SEAT#ann")]
    {
        put(&world, pk, sk).await;
    }
    world.drain().await;
    let before = world.verbs().len();
    world.delete(("pk", "sk"), ("T#red", "SEAT#ann")).await;
    world.delete(("pk", "sk"), ("P#ann", "P")).await;
    world.drain().await;
    assert_eq!(world.verbs()[before..], [""; 0]);
    assert_eq!(world.members("red").await, ["ann"]);
    world.delete(("pk", "sk"), ("TEAM#red", "SEAT#ann")).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("PERSON#ann", "P")).await;
    world.drain().await;
    assert_eq!(world.verbs()[before..], ["Person Revoked", "Person Deleted"]);
}
