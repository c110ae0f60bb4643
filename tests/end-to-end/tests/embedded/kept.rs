//! What Instep says of references that lead nowhere.

use instep_aws::RunOptions;
use instep_model::Item;
use serde_json::json;

use crate::own::{put, world};
use crate::sweep::{found, options, sweep_at};
use crate::world::{World, pk, run};

/// The notes on the records of a drained world.
async fn notes(world: &World, run: RunOptions) -> Vec<String> {
    let reports = world.drain_with(run).await;
    let records = reports.iter().flat_map(|report| &report.records);
    records.filter_map(|record| record.change.as_ref()).flat_map(|change| change.notes.clone()).collect()
}

/// Promise 4: a grant says so, too, if only an index leads to its parent, and it makes no one a member of a group.
#[tokio::test]
async fn a_grant_whose_parent_no_index_shows_is_said() {
    let world = World::with_parking("platform").await;
    world.put(json!({"PK": "USER#u", "SK": "WORKSTREAM#w"})).await;
    let said = notes(&world, run()).await;
    assert!(said.iter().any(|note| note == "pending: Workstream w does not exist"), "{said:?}");
    let swept = sweep_at(&world, &options(false), &run()).await;
    let whys: Vec<&str> = swept.differences.iter().map(|found| &*found.why).collect();
    assert!(whys == ["pending: User u does not exist; pending: Workstream w does not exist"], "{whys:?}");
}

/// Promise 4: a reference that leads to no item is said and counted with the first record.
#[tokio::test]
async fn a_parent_that_does_not_exist_is_said() {
    let world = world(
        r#"
[items.Team]
pk = "team-{teamId}"
sk = "TEAM"
[items.Task]
pk = "task-{taskId}"
sk = "TASK"
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
"#,
    )
    .await;
    put(&world, ("team-1", "TEAM"), json!({})).await;
    put(&world, ("task-1", "TASK"), json!({"teamId": "team-1"})).await;
    put(&world, ("task-2", "TASK"), json!({"teamId": "1"})).await;
    let reports = world.drain().await;
    let said: Vec<_> = reports.iter().flat_map(|report| &report.records).flat_map(|record| &record.change).collect();
    let said: Vec<_> = said.into_iter().filter(|change| !change.notes.is_empty()).collect();
    assert_eq!(
        (said[0].id.as_str(), &said[0].notes[..], said.len()),
        ("1", &["pending: Team team-1 does not exist".to_owned()][..], 1)
    );
    assert_eq!(reports.iter().flat_map(|report| report.findings.values()).sum::<u64>(), 1);
    assert_eq!(found(&world).await, ["orphan Task 1"]);
}

/// A user, a role and a grant in a building, of the model account-management.
async fn buildings(missing: &str) -> World {
    let world = World::open("account-management").await;
    for (key, sort, more) in [
        ("CLIENT#c", "METADATA", json!({})),
        ("USER#u", "METADATA", json!({"GSI1PK": "CLIENT#c", "GSI1SK": "USER#u"})),
        ("PROJECT#p", "BUILDING#b", json!({"GSI1PK": "CLIENT#c", "GSI1SK": "BUILDING#b"})),
        ("CLIENT#c", "ROLE#r", json!({})),
        ("USER#u", "ROLE#building#b#r", json!({})),
    ] {
        if sort != missing {
            put_keyed(&world, key, sort, more).await;
        }
    }
    world.drain().await;
    world
}

async fn put_keyed(world: &World, key: &str, sort: &str, more: serde_json::Value) {
    let mut item = json!({"PK": key, "SK": sort});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.put(item).await;
}

/// Promise 1: a grant is in force only while everything that it names exists, also what it knows by an id
/// alone. It begins when that is written, ends when that is deleted, and a sweep lists it meanwhile.
#[tokio::test]
async fn a_grant_of_nothing_is_pending() {
    const GROUP: &str = "building:b:r";
    for (missing, key, more) in [
        ("BUILDING#b", "PROJECT#p", json!({"GSI1PK": "CLIENT#c", "GSI1SK": "BUILDING#b"})),
        ("ROLE#r", "CLIENT#c", json!({})),
    ] {
        let world = buildings(missing).await;
        assert_eq!(world.members(GROUP).await, [""; 0], "{missing}");
        let orphans = found(&world).await.into_iter().filter(|found| found.starts_with("orphan UserRoleAssignment"));
        assert_eq!(orphans.count(), 1, "{missing}");
        put_keyed(&world, key, missing, more).await;
        world.drain().await;
        assert_eq!(world.members(GROUP).await, ["u"], "{missing}");
        world.delete(("PK", "SK"), (key, missing)).await;
        world.drain().await;
        assert_eq!(world.members(GROUP).await, [""; 0], "{missing}");
        let left = world.state().await.items;
        let left: Vec<_> = left.iter().map(|item| pk(item, "PK")).filter(|key| key.starts_with("INSTEP#AT#")).collect();
        assert_eq!(left.len(), 1, "the address of the other one: {left:?}");
    }
}

/// Promise 1: a table from before addresses were kept. A sweep writes them before anything else.
#[tokio::test]
async fn a_sweep_writes_lost_addresses() {
    let world = buildings("").await;
    let addresses = |items: Vec<Item>| -> Vec<(String, String)> {
        let keys = items.iter().map(|item| (pk(item, "PK").to_owned(), pk(item, "SK").to_owned()));
        keys.filter(|(key, _)| key.starts_with("INSTEP#AT#")).collect()
    };
    let written = addresses(world.state().await.items);
    assert_eq!(written.len(), 2);
    for (key, sort) in &written {
        world.delete(("PK", "SK"), (key, sort)).await;
    }
    crate::sweep::repair(&world).await;
    assert_eq!(addresses(world.state().await.items), written);
    world.drain().await;
    assert_eq!(world.members("building:b:r").await, ["u"]);
}
