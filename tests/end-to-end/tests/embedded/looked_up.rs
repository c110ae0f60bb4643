//! A grant whose scope only an index finds: the grant knows a part of the scope's key.

use std::time::Duration;

use instep_model::Model;
use serde_json::json;

use crate::gate::{take_records, take_work};
use crate::own::{put, world};
use crate::world::World;

const BOARDS: &str = r#"
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }
[items.Board]
pk = "T#{teamId}"
sk = "B#{boardId}"
GSI1 = { pk = "B#{boardId}", sk = "B" }
[items.Acl]
pk = "P#{personId}"
sk = "ACL#{boardId}"
grant = { subject = "Person", scope = { type = "Board", find = "back-reference" }, roles = "role" }
cognito.member = { user = "Person", group = "board:{boardId}:{role}" }
"#;

async fn put_grant(world: &World) {
    put(world, ("P#ann", "P"), json!({})).await;
    put(world, ("P#ann", "ACL#1"), json!({"role": "editor"})).await;
}

async fn put_board(world: &World, team: &str) {
    put(world, (&format!("T#{team}"), "B#1"), json!({"g1p": "B#1", "g1s": "B"})).await;
}

async fn delete_board(world: &World, team: &str) {
    world.delete(("pk", "sk"), (&format!("T#{team}"), "B#1")).await;
}

async fn editors(world: &World) -> Vec<String> {
    world.members("board:1:editor").await
}

/// Promise 1: the grant is pending until its scope exists, and again after the scope is deleted.
#[tokio::test]
async fn a_grant_is_in_force_while_its_scope_exists() {
    let world = world(BOARDS).await;
    put_grant(&world).await;
    world.drain().await;
    assert_eq!(editors(&world).await, [""; 0]);
    for team in ["red", "blue"] {
        put_board(&world, team).await;
        world.drain().await;
        assert_eq!(editors(&world).await, ["ann"]);
        delete_board(&world, team).await;
        world.drain().await;
        assert_eq!(editors(&world).await, [""; 0]);
    }
}

/// Promise 2: while a scope moves to another key, its grants stay.
#[tokio::test]
async fn a_grant_stays_while_its_scope_moves() {
    let world = world(BOARDS).await;
    put_grant(&world).await;
    put_board(&world, "red").await;
    world.drain().await;
    put_board(&world, "blue").await;
    world.drain().await;
    delete_board(&world, "red").await;
    world.drain().await;
    assert_eq!(editors(&world).await, ["ann"]);
}

/// Promise 1: an index leads to the scope only after its writer has written its index keys.
#[tokio::test]
async fn a_grant_finds_a_scope_that_gets_its_index_keys_later() {
    let world = world(BOARDS).await;
    put_grant(&world).await;
    put(&world, ("T#red", "B#1"), json!({})).await;
    world.drain().await;
    assert_eq!(editors(&world).await, [""; 0]);
    put_board(&world, "red").await;
    world.drain().await;
    assert_eq!(editors(&world).await, ["ann"]);
}

/// Promise 1: if the index does not show a scope to the runs over it and over the grant, the grant is
/// still applied: it was handed on with a delay.
#[tokio::test]
async fn a_grant_finds_a_scope_that_an_index_shows_late() {
    let text = format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{BOARDS}");
    let world = World::of(Model::parse("own.toml", &text).unwrap(), Duration::from_secs(10)).await;
    put_grant(&world).await;
    let records = take_records(&world).await;
    world.instep.handle(&records, &crate::world::run()).await;
    assert_eq!(world.stack.queue_counts(world.stack.work_queue()).delayed, 1);
    put_board(&world, "red").await;
    take_records(&world).await;
    world.drain_work().await;
    assert_eq!(editors(&world).await, ["ann"]);
}

/// Promise 1: a scope that the model assumes to exist needs no item, whatever the grant knows of it.
#[tokio::test]
async fn a_grant_of_an_assumed_scope_is_in_force() {
    let assumed = "[items.Board]\nassumed = [{ teamId = \"all\", boardId = \"1\" }]";
    let world = world(&BOARDS.replace("[items.Board]", assumed)).await;
    put_grant(&world).await;
    world.drain().await;
    assert_eq!(editors(&world).await, ["ann"]);
}

/// Promise 1: a scope leaves its index, and the index still shows it to the run over the grant. The
/// membership is removed once the index has caught up.
#[tokio::test]
async fn a_grant_of_a_scope_that_left_its_index_ends() {
    let text = format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{BOARDS}");
    let world = World::of(Model::parse("own.toml", &text).unwrap(), Duration::from_secs(10)).await;
    put_grant(&world).await;
    put_board(&world, "red").await;
    world.drain().await;
    assert_eq!(editors(&world).await, ["ann"]);
    put(&world, ("T#red", "B#1"), json!({})).await;
    let left = take_records(&world).await;
    // What the lagging index shows.
    put_board(&world, "red").await;
    take_records(&world).await;
    let run = crate::world::run();
    assert_eq!(world.instep.handle(&left, &run).await.retry_from(), None);
    let (now, later): (Vec<_>, Vec<_>) =
        take_work(&world).await.into_iter().partition(|message| !message.body.contains("\"late\""));
    assert!(world.instep.work(&now, &run).await.failed.is_empty());
    assert_eq!(editors(&world).await, ["ann"], "the index shows the scope");
    put(&world, ("T#red", "B#1"), json!({})).await;
    take_records(&world).await;
    assert!(world.instep.work(&later, &run).await.failed.is_empty());
    world.drain_work().await;
    assert_eq!(editors(&world).await, [""; 0]);
}
