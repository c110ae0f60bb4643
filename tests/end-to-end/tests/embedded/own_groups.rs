//! An item may be a member of its own groups, and a name of its key may have a role's name.

use serde_json::json;

use crate::own::{groups, put, world};
use crate::world::World;

/// The owner of a team is a member of the team's group, and may have a seat as well.
const TEAMS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
cognito.groups = ["team:{teamId}", { name = "active:{teamId}", when = { active = true } }]
cognito.member = { user = { type = "Person", personId = "{ownerId}", find = "back-reference" }, group = "Team" }
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
parent = ["Team", { type = "Person", find = "back-reference" }]
cognito.member = { user = "Person", group = "Team" }
"#;

const TEAM: (&str, &str) = ("T#red", "T");
const SEAT: (&str, &str) = ("T#red", "SEAT#ann");

async fn put_team(world: &World, owner: &str, is_active: bool) {
    put(world, TEAM, json!({"ownerId": owner, "active": is_active})).await;
    world.drain().await;
}

async fn teams(is_active: bool) -> World {
    let world = world(TEAMS).await;
    put(&world, ("P#ann", "P"), json!({})).await;
    put(&world, ("P#bob", "P"), json!({})).await;
    put_team(&world, "ann", is_active).await;
    world
}

/// Promise 1: an item has a membership in its own group while the condition of the group holds.
#[tokio::test]
async fn an_item_is_a_member_of_those_of_its_groups_that_exist() {
    let world = teams(false).await;
    assert_eq!(groups(&world).await, ["team:red"]);
    assert_eq!(world.members("team:red").await, ["ann"]);
    for _ in 0..2 {
        put_team(&world, "ann", true).await;
        assert_eq!(world.members("active:red").await, ["ann"]);
        put_team(&world, "ann", false).await;
        assert_eq!(groups(&world).await, ["team:red"]);
    }
    put_team(&world, "bob", true).await;
    assert_eq!(world.members("team:red").await, ["bob"]);
    assert_eq!(world.members("active:red").await, ["bob"]);
}

/// Promise 1: a membership that the owner has by the team and by a seat stays until neither implies it.
#[tokio::test]
async fn a_membership_in_an_own_group_stays_while_another_item_implies_it() {
    let world = teams(true).await;
    put(&world, SEAT, json!({})).await;
    world.drain().await;
    world.delete(("pk", "sk"), SEAT).await;
    world.drain().await;
    assert_eq!(world.members("team:red").await, ["ann"], "the team implies it");
    put(&world, SEAT, json!({})).await;
    put_team(&world, "bob", true).await;
    assert_eq!(world.members("active:red").await, ["ann", "bob"], "the seat implies it");
    world.delete(("pk", "sk"), SEAT).await;
    world.drain().await;
    assert_eq!(world.members("active:red").await, ["bob"]);
}

/// The key of a seat has the name `role`, and its roles are others.
const SEATS: &str = r#"
[items.User]
pk = "U#{userId}"
sk = "U"
cognito.user = { name = "{userId}" }
[items.Post]
pk = "POST#{role}"
sk = "POST"
entity = "Post"
cognito.groups = "post:{role}"
[items.Team]
pk = "T#{teamId}#{role}"
sk = "T"
entity = "Team"
[items.Seat]
pk = "U#{userId}"
sk = "SEAT#{teamId}#{role}"
parent = { type = "Team", find = "back-reference" }
grant = { subject = "User", scope = "{teamId}", roles = "perms" }
[[items.Seat.cognito.member]]
user = "User"
group = "t:{teamId}:{role}"
[[items.Seat.cognito.member]]
user = "User"
group = { type = "Post", find = "back-reference" }
"#;

/// Promise 1: `{role}` in the name of a group is a role of the grant, and says nothing about the key. In the
/// name of another item's group it is a name of that item.
#[tokio::test]
async fn a_role_is_told_from_a_name_of_the_key() {
    let world = world(SEATS).await;
    put(&world, ("U#ann", "U"), json!({})).await;
    for role in ["lead", "dev"] {
        put(&world, (&format!("POST#{role}"), "POST"), json!({})).await;
        put(&world, (&format!("T#red#{role}"), "T"), json!({})).await;
        put(&world, ("U#ann", &format!("SEAT#red#{role}")), json!({"perms": ["read"]})).await;
    }
    world.drain().await;
    assert_eq!(world.members("t:red:read").await, ["ann"]);
    assert_eq!(world.members("post:lead").await, ["ann"]);
    world.delete(("pk", "sk"), ("U#ann", "SEAT#red#dev")).await;
    world.drain().await;
    assert_eq!(world.members("t:red:read").await, ["ann"], "the other seat implies it");
    assert_eq!(world.members("post:dev").await, [""; 0]);
    world.delete(("pk", "sk"), ("T#red#lead", "T")).await;
    world.drain().await;
    assert_eq!(world.members("t:red:read").await, [""; 0]);
    assert_eq!(groups(&world).await, ["post:dev", "post:lead", "t:red:read"], "no one parent has the group");
}
