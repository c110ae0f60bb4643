//! Concurrent handlers, and handlers that die: users, groups and memberships.

use std::time::Duration;

use instep_aws::{QueueMessage, RunOptions, Sending};
use instep_flow::work::Origin;
use instep_local::Fault;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{ANY, gated, held_at, once_more, replayed, take_records, take_work, work_held_at};
use crate::own;
use crate::world::{World, run};

const USER: &str = "U:x@example.com";

async fn user(world: &World) {
    world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com"})).await;
}

async fn delete_user(world: &World) {
    world.delete(("pk", "sk"), (USER, USER)).await;
}

async fn group(world: &World) {
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
}

async fn member(world: &World) {
    world.put(json!({"pk": USER, "sk": "G:/a", "role": "reader"})).await;
}

async fn revoke(world: &World) {
    world.delete(("pk", "sk"), (USER, "G:/a")).await;
}

async fn readers(world: &World) -> Vec<String> {
    world.members("/a|||reader").await
}

/// A reconciled user and group, and the record of a grant.
async fn granted() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("access-management").await;
    user(&world).await;
    group(&world).await;
    world.drain().await;
    member(&world).await;
    let records = take_records(&world).await;
    (world, records)
}

/// A user with a pending grant, and the message that hands the grant on after its group was
/// created.
async fn sent() -> (World, Vec<QueueMessage>) {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.drain().await;
    group(&world).await;
    let records = take_records(&world).await;
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    let messages = take_work(&world).await;
    assert_eq!(messages.len(), 1, "a page of pending grants");
    (world, messages)
}

/// A group, a user whose record no run has handled, and the message with the user's grant.
async fn handed_on_with_user() -> (World, Vec<QueueMessage>) {
    let world = World::open("access-management").await;
    group(&world).await;
    world.drain().await;
    user(&world).await;
    member(&world).await;
    let records = take_records(&world).await;
    assert_eq!(world.instep.handle(&records[1..], &run()).await.retry_from(), None);
    let messages = take_work(&world).await;
    assert_eq!(messages.len(), 1, "grant, user and group in one message");
    (world, messages)
}

/// Promise 2: a pending grant that was revoked before its message was delivered is not granted.
#[tokio::test]
async fn a_message_grants_nothing_that_was_revoked() {
    let (world, messages) = sent().await;
    revoke(&world).await;
    world.drain().await;
    world.instep.work(&messages, &run()).await;
    assert_eq!(readers(&world).await, [""; 0]);
}

/// Promise 2: messages and records that come days later grant nothing that was revoked, and take nothing from a grant
/// that is in force again.
#[tokio::test]
async fn an_old_message_changes_no_membership() {
    let (world, mut old) = sent().await;
    world.drain().await;
    member(&world).await;
    let mut records = take_records(&world).await;
    revoke(&world).await;
    records.extend(take_records(&world).await);
    world.instep.handle(&records, &run()).await;
    for origin in [Origin::Captured, Origin::Failed] {
        world.instep.send_records(&records, Sending { origin, ..Sending::REPLAY }, &run()).await.unwrap();
        old.extend(take_work(&world).await);
    }
    world.stack.clock().advance(Duration::from_secs(3 * 24 * 60 * 60));
    let late = || RunOptions { now: world.stack.clock().now(), ..run() };
    for granted in [&[][..], &["x@example.com"]] {
        for messages in [old.clone(), once_more(&old)] {
            world.instep.work(&messages, &late()).await;
            world.drain_with(late()).await;
            assert_eq!(readers(&world).await, granted);
        }
        member(&world).await;
        world.drain_with(late()).await;
    }
}

/// Promise 2: the same if the grant is revoked while the message is handled: the worker reads again
/// what it granted.
#[tokio::test]
async fn a_worker_reads_again_what_it_granted() {
    let (world, messages) = sent().await;
    work_held_at(&world, "AdminAddUserToGroup", &messages, async {
        revoke(&world).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert_eq!(readers(&world).await, [""; 0]);
}

/// Promise 1: a worker that revoked its own grant reads again, too. If the grant was written again meanwhile, and
/// another run granted it, the revocation took that away.
#[tokio::test]
async fn a_worker_grants_again_what_it_revoked() {
    let (world, messages) = sent().await;
    let run = run();
    let (handler, [granted, revoked]) = gated(&world, ["AdminAddUserToGroup", "AdminRemoveUserFromGroup"]);
    let others = async {
        granted
            .then(async {
                revoke(&world).await;
                world.drain().await;
            })
            .await;
        revoked
            .then(async {
                member(&world).await;
                world.drain().await;
            })
            .await;
    };
    let (report, ()) = tokio::join!(handler.work(&messages, &run), others);
    assert!(report.failed.is_empty());
    assert_eq!(readers(&world).await, ["x@example.com"]);
}

/// Promise 2: the same if the worker dies after it granted: the message is delivered again.
#[tokio::test]
async fn a_grant_of_a_worker_that_died_is_revoked() {
    let (world, messages) = sent().await;
    let run = run();
    let (handler, [added, next]) = gated(&world, ["AdminAddUserToGroup", ANY]);
    let others = added.then(async {
        revoke(&world).await;
        world.drain().await;
    });
    let (_, ()) = tokio::join!(next.crash(handler.work(&messages, &run)), others);
    assert_eq!(readers(&world).await, ["x@example.com"], "the worker died between grant and second read");
    assert!(world.instep.work(&once_more(&messages), &run).await.failed.is_empty());
    world.drain().await;
    assert_eq!(readers(&world).await, [""; 0]);
}

/// Promise 1: a run does not create a group on behalf of a grant. A group that was deleted
/// meanwhile stays deleted.
#[tokio::test]
async fn a_grant_creates_no_group_that_was_deleted() {
    let (world, records) = granted().await;
    held_at(&world, "AdminAddUserToGroup", &records, async {
        world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert!(world.state().await.groups.is_empty(), "{:?}", world.state().await.groups);
}

/// Promise 1: the same for a user that a replay is about to add to a group.
#[tokio::test]
async fn a_replay_creates_no_user_who_was_deleted() {
    let (world, records) = granted().await;
    world.instep.handle(&records, &run()).await;
    let messages = replayed(&world, &records).await;
    work_held_at(&world, "AdminAddUserToGroup", &messages, async {
        delete_user(&world).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
}

/// Promise 1: a user that a message created is deleted with its item, even if the answer to the
/// creation was lost.
#[tokio::test]
async fn a_lost_answer_leaves_no_user_behind() {
    let (world, messages) = handed_on_with_user().await;
    work_held_at(&world, "AdminCreateUser", &messages, async {
        delete_user(&world).await;
        world.drain().await;
        world.stack.faults().next("AdminCreateUser", 1, Fault::LoseAnswer);
    })
    .await;
    world.drain().await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
}

/// Promise 1: the same if the worker dies after the creation: a message that is delivered again
/// counts as a creation.
#[tokio::test]
async fn a_worker_that_died_leaves_no_user_behind() {
    let (world, messages) = handed_on_with_user().await;
    let run = run();
    let (handler, [created, next]) = gated(&world, ["AdminCreateUser", ANY]);
    let others = created.then(async {
        delete_user(&world).await;
        world.drain().await;
    });
    tokio::join!(next.crash(handler.work(&messages, &run)), others);
    assert_eq!(world.state().await.users.len(), 1, "the worker died after the creation");
    assert!(world.instep.work(&once_more(&messages), &run).await.failed.is_empty());
    world.drain().await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
}

/// Promise 1: a user that a message updated is read again.
#[tokio::test]
async fn an_update_that_comes_late_is_followed_by_the_latest() {
    let text = "[items.Person]\npk = \"P#{personId}\"\nsk = \"P\"\nentity = \"Person\"\n\
                cognito.user = { name = \"{personId}\", attributes = { name = \"{title}\" } }\n";
    let world = own::world(text).await;
    own::put(&world, ("P#ann", "P"), json!({"title": "A"})).await;
    world.drain().await;
    own::put(&world, ("P#ann", "P"), json!({"title": "B"})).await;
    let records = take_records(&world).await;
    let messages = replayed(&world, &records).await;
    work_held_at(&world, "AdminUpdateUserAttributes", &messages, async {
        own::put(&world, ("P#ann", "P"), json!({"title": "C"})).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert_eq!(world.state().await.users[0].attributes["name"], "C");
}

/// Promise 1: a batch whose work message the queue does not take is delivered again.
#[tokio::test]
async fn a_batch_whose_message_is_not_sent_is_retried() {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.drain().await;
    group(&world).await;
    let records = take_records(&world).await;
    world.stack.faults().next("SendMessageBatch", 12, Fault::refuse("InternalErrorException"));
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), Some(0));
    world.stack.faults().clear();
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    world.drain().await;
    assert_eq!(readers(&world).await, ["x@example.com"]);
}

/// Promises 1 and 2: a user that a message created has the state that its item implies by now.
#[tokio::test]
async fn a_user_that_a_message_created_is_as_its_item_says() {
    let (world, messages) = handed_on_with_user().await;
    work_held_at(&world, "AdminAddUserToGroup", &messages, async {
        world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "state": "disabled"})).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert_eq!(readers(&world).await, ["x@example.com"]);
    assert!(!world.state().await.users[0].enabled, "the table disables the user");
}

/// Promise 3: a worker grants nothing while a revocation of its batch fails.
#[tokio::test]
async fn a_worker_grants_nothing_while_a_revocation_fails() {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.put(json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin"})).await;
    world.drain().await;
    group(&world).await;
    let records = take_records(&world).await;
    world.instep.handle(&records, &run()).await;
    let mut messages = take_work(&world).await;
    world.delete(("pk", "sk"), (USER, "G:/b")).await;
    let revoked = take_records(&world).await;
    messages.extend(replayed(&world, &revoked).await);
    world.stack.faults().next("AdminRemoveUserFromGroup", 12, Fault::refuse("InternalErrorException"));
    let report = world.instep.work(&messages, &run()).await;
    assert_eq!(report.failed.len(), messages.len());
    assert_eq!(readers(&world).await, [""; 0]);
    world.stack.faults().clear();
    assert!(world.instep.work(&once_more(&messages), &run()).await.failed.is_empty());
    assert_eq!(readers(&world).await, ["x@example.com"]);
    assert_eq!(world.members("/b|||admin").await, [""; 0]);
}

/// Promise 1: a replay of an old removal does not delete the back-reference of a grant that exists
/// again.
#[tokio::test]
async fn a_replay_deletes_no_back_reference_that_is_needed() {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.drain().await;
    revoke(&world).await;
    let records = take_records(&world).await;
    world.instep.handle(&records, &run()).await;
    let messages = replayed(&world, &records).await;
    work_held_at(&world, "TransactWriteItems", &messages, async {
        member(&world).await;
        world.drain().await;
        // The second read of the replay fails.
        world.stack.faults().next("BatchGetItem", 6, Fault::refuse("ThrottlingException"));
    })
    .await;
    world.stack.faults().clear();
    group(&world).await;
    world.drain().await;
    assert_eq!(readers(&world).await, ["x@example.com"]);
}

/// Promise 8: an interrupted replay has changed nothing except through its messages, and can be
/// started again.
#[tokio::test]
async fn an_interrupted_replay_can_be_started_again() {
    let (world, records) = granted().await;
    world.instep.handle(&records, &run()).await;
    world.drain().await;
    let before = world.state().await;
    let many: Vec<_> = std::iter::repeat_n(records[0].clone(), 60).collect();
    // Three messages in one call, of which the last is sent.
    let fault = Fault::Entries { places: vec![0, 1], code: "InternalError".to_owned() };
    world.stack.faults().on("SendMessageBatch", 0..200, fault);
    let sent = world.instep.send_records(&many, Sending::REPLAY, &run()).await;
    assert!(sent.is_err(), "{sent:?}");
    assert_eq!(world.state().await.users, before.users, "a replay only sends");
    world.stack.faults().clear();
    world.replay(&many).await;
    assert_eq!(readers(&world).await, ["x@example.com"]);
    let granted: std::collections::BTreeSet<String> = world
        .stack
        .published()
        .iter()
        .filter(|event| event.detail_type == "User Granted")
        .map(|event| serde_json::from_str::<serde_json::Value>(&event.detail).unwrap()["metadata"]["id"].to_string())
        .collect();
    assert_eq!(granted.len(), 1, "one change has one id, however often it is replayed");
}

const OWN: &str = "USER#a";

/// A user item that has roles itself.
async fn own_user(world: &World, roles: &[&str]) {
    world.put(json!({"PK": OWN, "SK": OWN, "email": "a@x.example", "roles": roles})).await;
}

/// A user without a role was created and deleted. The message replays the deletion.
async fn own_user_deleted() -> (World, Vec<QueueMessage>) {
    let world = World::open("authorization").await;
    own_user(&world, &[]).await;
    world.drain().await;
    world.delete(("PK", "SK"), (OWN, OWN)).await;
    let records = take_records(&world).await;
    let messages = replayed(&world, &records).await;
    (world, messages)
}

/// Promises 1 and 2: a replayed old deletion that deletes a new user restores everything that the
/// new item grants.
#[tokio::test]
async fn a_user_that_a_replay_deleted_is_restored_with_its_grants() {
    let (world, messages) = own_user_deleted().await;
    work_held_at(&world, "AdminDeleteUser", &messages, async {
        own_user(&world, &["reader"]).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert_eq!(world.members("global|reader").await, ["a"]);
}

/// Promises 1 and 2: the same if the worker dies after the deletion.
#[tokio::test]
async fn a_worker_that_died_after_a_deletion_is_followed_by_one_that_restores() {
    let (world, messages) = own_user_deleted().await;
    let run = run();
    let (handler, [deleted, next]) = gated(&world, ["AdminDeleteUser", ANY]);
    let others = deleted.then(async {
        own_user(&world, &["reader"]).await;
        world.drain().await;
    });
    tokio::join!(next.crash(handler.work(&messages, &run)), others);
    assert!(world.state().await.users.is_empty(), "the worker died after the deletion");
    assert!(world.instep.work(&once_more(&messages), &run).await.failed.is_empty());
    world.drain().await;
    assert_eq!(world.members("global|reader").await, ["a"]);
}

/// Promise 1: the same if the record is not that of the deletion, but the run finds that the item
/// is deleted.
#[tokio::test]
async fn a_user_that_any_record_deleted_is_restored() {
    let world = World::open("authorization").await;
    own_user(&world, &["reader"]).await;
    let records = take_records(&world).await;
    world.delete(("PK", "SK"), (OWN, OWN)).await;
    world.drain().await;
    let messages = replayed(&world, &records).await;
    work_held_at(&world, "AdminDeleteUser", &messages, async {
        own_user(&world, &["reader", "writer"]).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert_eq!(world.members("global|reader").await, ["a"]);
    assert_eq!(world.members("global|writer").await, ["a"]);
}

/// Promise 2: a grant of a restored user is revoked if the table revoked it meanwhile.
#[tokio::test]
async fn a_restored_user_is_granted_what_the_table_implies_by_then() {
    let (world, messages) = own_user_deleted().await;
    work_held_at(&world, "AdminDeleteUser", &messages, async {
        own_user(&world, &["reader"]).await;
        world.drain().await;
    })
    .await;
    let messages = take_work(&world).await;
    work_held_at(&world, "AdminAddUserToGroup", &messages, async {
        own_user(&world, &["writer"]).await;
        world.drain().await;
    })
    .await;
    world.drain().await;
    assert_eq!(world.members("global|reader").await, [""; 0]);
    assert_eq!(world.members("global|writer").await, ["a"]);
}
