//! A grant whose scope only an index finds: the grant knows a part of the scope's key.

use std::time::Duration;

use instep_model::Model;
use serde_json::json;

use crate::gate::{take_records, take_work};
use crate::own::put;
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

async fn editors(world: &World) -> Vec<String> {
    world.members("board:1:editor").await
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
