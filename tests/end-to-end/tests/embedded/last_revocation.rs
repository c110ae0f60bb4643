//! The last revocation of a subject, with a concurrent grant, a concurrent writer, a lost answer or
//! a crash.

use instep_local::Fault;
use instep_model::Value;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{ANY, gated, held_at, take_records};
use crate::world::{World, pk, run};

const USER: &str = "U:x@example.com";

async fn user(world: &World) {
    world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z"})).await;
}

/// A user whose only grant was revoked, and the record of the revocation. There is another group.
async fn revoked() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("access-management").await;
    user(&world).await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(json!({"pk": USER, "sk": "G:/a", "role": "reader"})).await;
    world.put(json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), (USER, "G:/a")).await;
    let records = take_records(&world).await;
    (world, records)
}

async fn grant(world: &World) {
    world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin"})).await;
}

/// A grant was written while its subject was deleted, and then the run died.
async fn granted_and_dead() -> World {
    let (world, records) = revoked().await;
    grant_and_die(&world, &records).await;
    world
}

/// A run deletes the user after a last revocation, and dies. Meanwhile a grant is written.
async fn grant_and_die(world: &World, records: &[Box<RawValue>]) {
    let (handler, [read, deletes, next]) = gated(world, ["AdminListGroupsForUser", "TransactWriteItems", ANY]);
    let run = run();
    let others = async {
        read.then(grant(world)).await;
        deletes.then(async {}).await;
    };
    tokio::join!(next.crash(handler.handle(records, &run)), others);
}

async fn has_user(world: &World) -> bool {
    let user = Some(Value::S(USER.to_owned()));
    world.state().await.items.iter().any(|item| item.get("sk") == user.as_ref())
}

async fn assert_restored(world: &World) {
    world.drain().await;
    assert!(has_user(world).await, "the table has the user again");
    assert_eq!(world.members("/b|||admin").await, ["x@example.com"]);
    assert!(world.state().await.users[0].enabled);
    let state = world.state().await;
    let kept = state.items.iter().filter(|item| pk(item, "pk").starts_with("INSTEP#GONE#User"));
    assert_eq!(kept.count(), 0, "no tombstone of a user that exists");
}

/// Promise 2: the cascade of a subject deletes no grant if the subject was written again, and then deleted with a last
/// revocation that overlooked this grant: the grant restores it.
#[tokio::test]
async fn a_cascade_deletes_no_grant_that_restores_its_subject() {
    let (world, _) = revoked().await;
    grant(&world).await;
    world.drain().await;
    world.delete(("pk", "sk"), (USER, USER)).await;
    let removed = take_records(&world).await;
    held_at(&world, "TransactWriteItems", &removed, async {
        user(&world).await;
        world.drain().await;
        world.delete(("pk", "sk"), (USER, "G:/b")).await;
        let records = take_records(&world).await;
        grant_and_die(&world, &records).await;
        assert!(!has_user(&world).await, "the run died after the deletion");
    })
    .await;
    assert_restored(&world).await;
}

/// Promise 2: a subject that somebody writes again before a run restores it stays as it was written.
#[tokio::test]
async fn a_subject_is_not_restored_over_one_that_was_written() {
    let world = granted_and_dead().await;
    let records = take_records(&world).await;
    let anew = world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "state": "disabled"}));
    held_at(&world, "TransactWriteItems", &records, anew).await;
    world.drain().await;
    let state = world.state().await;
    let disabled = Value::S("disabled".to_owned());
    assert!(state.items.iter().any(|item| item.get("state") == Some(&disabled)), "{:?}", state.items);
    assert!(!state.users[0].enabled);
}

/// Promise 2: a run over a subject that was written again forgets its tombstone only while the subject exists. If the
/// subject is deleted again meanwhile, a grant restores it.
#[tokio::test]
async fn the_tombstone_of_a_subject_that_is_deleted_again_stays() {
    let (world, records) = revoked().await;
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    world.drain().await;
    assert!(!has_user(&world).await);
    user(&world).await;
    let created = take_records(&world).await;
    held_at(&world, "TransactWriteItems", &created, async {
        world.put(json!({"pk": USER, "sk": "G:/a", "role": "reader"})).await;
        world.drain().await;
        world.delete(("pk", "sk"), (USER, "G:/a")).await;
        world.drain().await;
        assert!(!has_user(&world).await);
    })
    .await;
    grant(&world).await;
    assert_restored(&world).await;
}

/// Promise 2: a grant that is written while its subject is deleted keeps the subject, even if an
/// answer is lost.
#[tokio::test]
async fn a_grant_in_the_same_moment_keeps_its_subject() {
    for is_lost in [false, true] {
        let (world, records) = revoked().await;
        held_at(&world, "AdminListGroupsForUser", &records, async {
            grant(&world).await;
            if is_lost {
                world.stack.faults().next("TransactWriteItems", 1, Fault::LoseAnswer);
            }
        })
        .await;
        assert_restored(&world).await;
    }
}

/// Promise 2: the same if the run dies after it deleted the subject, and its record is never
/// delivered again.
#[tokio::test]
async fn a_crash_after_the_deletion_loses_no_subject() {
    let world = granted_and_dead().await;
    assert!(!has_user(&world).await, "the run died after the deletion");
    assert_restored(&world).await;
}

/// Promise 2: the same if the subject's own removal is handled before the grant's record.
#[tokio::test]
async fn the_removal_of_a_subject_finds_its_grant() {
    let world = granted_and_dead().await;
    let mut records = take_records(&world).await;
    records.retain(|record| !record.get().contains("G:/b"));
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    assert!(has_user(&world).await);
    // The record of the grant is delivered last.
    world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin", "note": "again"})).await;
    world.drain().await;
    assert!(has_user(&world).await);
    assert!(world.state().await.users[0].enabled);
}

/// Promise 2: a subject that a writer deletes during its last revocation is not restored, even if
/// an answer is lost.
#[tokio::test]
async fn a_subject_that_a_writer_deleted_is_not_restored() {
    let (world, records) = revoked().await;
    held_at(&world, "AdminListGroupsForUser", &records, async {
        world.delete(("pk", "sk"), (USER, USER)).await;
        grant(&world).await;
        world.stack.faults().next("TransactWriteItems", 1, Fault::LoseAnswer);
    })
    .await;
    world.drain().await;
    assert!(!has_user(&world).await);
    assert!(world.state().await.users.is_empty());
}

/// Promise 2: a writer's change of a subject during its last revocation is not lost.
#[tokio::test]
async fn a_change_of_the_subject_is_not_lost() {
    let (world, records) = revoked().await;
    held_at(&world, "AdminListGroupsForUser", &records, async {
        let user = json!({"pk": USER, "sk": USER, "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z", "state": "disabled"});
        world.put(user).await;
        grant(&world).await;
    })
    .await;
    world.drain().await;
    let state = world.state().await;
    let user = state.items.iter().find(|item| pk(item, "sk") == USER).unwrap();
    assert_eq!(user.get("state").and_then(Value::as_s), Some("disabled"));
    assert!(!state.users[0].enabled);
}

/// Promise 2: a removal of the subject that was handled in the same batch, and that was earlier, does not make
/// Instep forget the subject that it deleted itself.
#[tokio::test]
async fn a_subject_that_was_written_again_in_the_same_batch_is_restored() {
    let (world, _) = revoked().await;
    world.put(json!({"pk": USER, "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), (USER, USER)).await;
    world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "createdAt": "2026-02-02T00:00:00Z"})).await;
    world.delete(("pk", "sk"), (USER, "G:/a")).await;
    world.drain().await;
    assert!(!has_user(&world).await, "its last grant was revoked");
    grant(&world).await;
    assert_restored(&world).await;
}
