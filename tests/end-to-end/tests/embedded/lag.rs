//! Cascades and pending grants with indexes that lag behind their table. To simulate the lag, a
//! test writes a row only after the first pass, and does not deliver that row's own record.

use std::time::Duration;

use instep_aws::QueueMessage;
use instep_local::{QueueHandler, QueuePumpOptions};
use instep_model::Model;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{take_records, take_work, work_held_at};
use crate::world::{World, pk, run};

const LAG: Duration = Duration::from_secs(10);

/// Delivers the record that has `word` in its key, and no other record of the stream.
async fn deliver_only(world: &World, word: &str) {
    let key = |record: &RawValue| {
        let record: serde_json::Value = serde_json::from_str(record.get()).unwrap();
        record.pointer("/dynamodb/Keys").unwrap().to_string()
    };
    let mut records = take_records(world).await;
    records.retain(|record| key(record).contains(word));
    assert!(!records.is_empty(), "no record has {word} in its key");
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(report.retry_from(), None);
}

/// Delivers the visible messages of the work queue, without the delayed ones.
async fn deliver_work_that_is_due(world: &World) {
    struct Worker<'a>(&'a World);
    impl QueueHandler for Worker<'_> {
        async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
            Ok(self.0.instep.work(messages, &run()).await.failed)
        }
    }
    let mut pump = world.stack.queue_pump(world.stack.work_queue(), QueuePumpOptions::default()).unwrap();
    while pump.step(&mut Worker(world)).await.unwrap().is_some() {}
}

/// The delayed messages of the work queue.
fn delayed(world: &World) -> usize {
    world.stack.queue_counts(world.stack.work_queue()).delayed
}

async fn put_account(world: &World, id: &str) {
    world.put(json!({"PK": format!("ACCOUNT#{id}"), "SK": "METADATA"})).await;
}

async fn put_user(world: &World, id: &str, account: &str) {
    let account = format!("ACCOUNT#{account}#USERS");
    let user = format!("USER#{id}");
    world.put(json!({"PK": user, "SK": "METADATA", "GSI2PK": account, "GSI2SK": user})).await;
}

async fn put_workstream(world: &World, id: &str, account: &str) {
    let sk = format!("WORKSTREAM#{id}");
    let account = format!("ACCOUNT#{account}");
    world.put(json!({"PK": account, "SK": sk, "GSI1PK": "ENTITY#WORKSTREAM", "GSI1SK": sk})).await;
}

async fn put_tool(world: &World, id: &str, workstream: &str) {
    world.put(json!({"PK": format!("WORKSTREAM#{workstream}"), "SK": format!("TOOL#{id}")})).await;
}

async fn holds(world: &World, wanted: &str) -> bool {
    world.state().await.items.iter().any(|item| pk(item, "PK") == wanted)
}

/// Promise 1: a child that the index shows only after the first pass is deleted by the pass that
/// waits for the index.
#[tokio::test]
async fn a_child_that_the_index_shows_late_is_deleted() {
    let world = World::lagging("platform", LAG).await;
    put_account(&world, "a").await;
    put_user(&world, "early", "a").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    deliver_only(&world, "ACCOUNT#a").await;
    deliver_work_that_is_due(&world).await;
    assert!(!holds(&world, "USER#early").await);
    assert_eq!(delayed(&world), 1, "one more pass");
    put_user(&world, "late", "a").await;
    take_records(&world).await;
    world.drain_work().await;
    assert!(!holds(&world, "USER#late").await, "it outlives its account");
}

/// Promise 2: a parent that is created again before the late pass keeps its children.
#[tokio::test]
async fn a_parent_that_is_created_again_keeps_its_children() {
    let world = World::lagging("platform", LAG).await;
    put_account(&world, "a").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    deliver_only(&world, "ACCOUNT#a").await;
    put_account(&world, "a").await;
    put_user(&world, "late", "a").await;
    take_records(&world).await;
    world.drain_work().await;
    assert!(holds(&world, "USER#late").await, "a user of an account that exists was deleted");
}

/// Promise 2: a parent that is known only by its id may have moved to another key, and the index
/// may show that late. Nothing is deleted until the index has caught up.
#[tokio::test]
async fn a_move_that_the_index_shows_late_deletes_nothing() {
    let world = World::lagging("platform", LAG).await;
    put_workstream(&world, "w", "a").await;
    put_tool(&world, "t", "w").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "WORKSTREAM#w")).await;
    deliver_only(&world, "ACCOUNT#a").await;
    deliver_work_that_is_due(&world).await;
    assert!(holds(&world, "WORKSTREAM#w").await, "deleted before the index could say that the workstream moved");
    put_workstream(&world, "w", "b").await;
    world.drain().await;
    assert!(holds(&world, "WORKSTREAM#w").await, "a tool of a workstream that exists was deleted");
    // A tool that is written after the move is kept, too, although the old workstream has a
    // tombstone.
    put_tool(&world, "t2", "w").await;
    world.drain().await;
    let tools = world.state().await.items.iter().filter(|item| pk(item, "PK") == "WORKSTREAM#w").count();
    assert_eq!(tools, 2);
}

/// Promise 1: an item that knows its parent only by an id is deleted by the late pass if no parent
/// with that id is left.
#[tokio::test]
async fn dependents_by_id_are_deleted_with_the_last_parent_of_that_id() {
    let world = World::lagging("platform", LAG).await;
    put_workstream(&world, "w", "a").await;
    put_workstream(&world, "w2", "a").await;
    put_tool(&world, "t", "w").await;
    put_tool(&world, "t", "w2").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "WORKSTREAM#w")).await;
    world.drain().await;
    assert!(!holds(&world, "WORKSTREAM#w").await);
    assert!(holds(&world, "WORKSTREAM#w2").await, "another workstream whose id begins alike");
}

async fn put_tenant(world: &World) {
    world.put(json!({"PK": "TENANT#t", "SK": "TENANT#t", "name": "T"})).await;
}

async fn put_person(world: &World) {
    world.put(json!({"PK": "USER#u", "SK": "USER#u", "email": "u@x.example"})).await;
}

fn tenant_grant(tenant: &str) -> serde_json::Value {
    let tenant = format!("TENANT#{tenant}");
    json!({"PK": tenant, "SK": "USER#u", "GSI1PK": "USER#u", "GSI1SK": tenant, "roles": ["owner"]})
}

/// A reconciled tenant, and a grant whose user does not exist.
async fn pending_grant() -> World {
    let world = World::lagging("authorization", LAG).await;
    put_tenant(&world).await;
    world.drain().await;
    world.put(tenant_grant("t")).await;
    deliver_only(&world, "USER#u").await;
    world
}

const OWNERS: &str = "tenant|t|owner";

/// Promise 1: if the index does not show a grant to its user's own run, the grant is still applied:
/// it was handed on with a delay.
#[tokio::test]
async fn a_grant_that_an_index_shows_late_is_granted() {
    let world = pending_grant().await;
    assert_eq!(delayed(&world), 1);
    put_person(&world).await;
    // The index shows nothing to the user's own run, as if the run did not happen.
    take_records(&world).await;
    world.drain_work().await;
    assert_eq!(world.members(OWNERS).await, ["u"]);
}

/// A reconciled grant, and the record of a write that takes it out of the index of its user.
async fn hidden_grant() -> (World, Vec<Box<RawValue>>) {
    let world = World::lagging("authorization", LAG).await;
    put_tenant(&world).await;
    put_person(&world).await;
    world.put(tenant_grant("t")).await;
    world.drain().await;
    assert_eq!(world.members(OWNERS).await, ["u"]);
    let mut grant = tenant_grant("t");
    grant["GSI1SK"] = json!("wrong");
    world.put(grant).await;
    let hidden = take_records(&world).await;
    world.delete(("PK", "SK"), ("USER#u", "USER#u")).await;
    world.drain().await;
    assert_eq!(world.members(OWNERS).await, [""; 0]);
    assert!(holds(&world, "TENANT#t").await, "the index does not show the grant");
    (world, hidden)
}

/// Promise 1: the user of a grant that no index shows is created again. No run over the user finds
/// the grant.
#[tokio::test]
async fn a_grant_that_was_out_of_its_index_is_granted_again() {
    let (world, hidden) = hidden_grant().await;
    put_person(&world).await;
    world.drain().await;
    assert_eq!(world.members(OWNERS).await, [""; 0], "the index does not show the grant");
    let report = world.instep.handle(&hidden, &run()).await;
    assert_eq!((report.retry_from(), delayed(&world)), (None, 1));
    world.drain().await;
    assert_eq!(world.members(OWNERS).await, ["u"]);
}

/// Promise 1: a child that no index shows is deleted with its parent once its own record is handled.
#[tokio::test]
async fn a_child_that_was_out_of_its_index_is_deleted() {
    let (world, hidden) = hidden_grant().await;
    world.instep.handle(&hidden, &run()).await;
    world.drain().await;
    let left = world.state().await.items.into_iter().filter(|item| pk(item, "SK") == "USER#u");
    assert_eq!(left.count(), 0);
}

/// Promise 2: a child that no index shows belonged to another parent when the parent was deleted, and
/// moved to it long afterwards. The record of the write that hid it says nothing of that parent.
#[tokio::test]
async fn a_hidden_child_that_moved_to_a_deleted_parent_later_stays() {
    const TASKS: &str = r#"
model = "tasks"
[table]
pk = "PK"
sk = "SK"
[items.List]
pk = "LIST#{listId}"
sk = "LIST"
[items.Task]
pk = "TASK#{taskId}"
sk = "TASK"
parent = { type = "List", listId = "{list}" }
GSI1 = { pk = "LIST#{list}", sk = "TASK#{taskId}", keep = true }
[indexes]
GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
"#;
    let world = World::of(Model::parse("tasks.toml", TASKS).unwrap(), LAG).await;
    let put_task = |list: &str, sk: &str| {
        let key = format!("LIST#{list}");
        world.put(json!({"PK": "TASK#t", "SK": "TASK", "list": list, "GSI1PK": key, "GSI1SK": sk}))
    };
    for list in ["1", "2"] {
        world.put(json!({"PK": format!("LIST#{list}"), "SK": "LIST"})).await;
    }
    put_task("1", "TASK#t").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("LIST#2", "LIST")).await;
    world.drain().await;
    put_task("1", "wrong").await;
    let hidden = take_records(&world).await;
    world.stack.clock().advance(Duration::from_secs(60));
    put_task("2", "wrong").await;
    world.instep.handle(&hidden, &run()).await;
    world.drain().await;
    assert!(holds(&world, "TASK#t").await);
}

/// Promise 8: a pending grant is handed on once. When the index has caught up, the user's own run
/// finds it.
#[tokio::test]
async fn a_pending_grant_is_handed_on_once() {
    let world = pending_grant().await;
    assert_eq!(world.drain_work().await.len(), 1);
    assert_eq!(world.stack.queue_counts(world.stack.work_queue()), instep_local::QueueCounts::default());
    put_person(&world).await;
    world.drain().await;
    assert_eq!(world.members(OWNERS).await, ["u"]);
}

/// Promise 1: a child that changes between the read and the deletion, and belongs to the deleted parent
/// nevertheless, is deleted. Its own record does not link it, so no other run deletes it.
#[tokio::test]
async fn a_child_that_changes_during_the_cascade_is_deleted() {
    let world = World::open("account-management").await;
    let device = |client: &str| world.put(json!({"PK": "BUILDING#b", "SK": "DEVICE#d", "client_id": client}));
    world.put(json!({"PK": "PROJECT#p", "SK": "BUILDING#b", "client_id": "c"})).await;
    device("other").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("PROJECT#p", "BUILDING#b")).await;
    world.instep.handle(&take_records(&world).await, &run()).await;
    let late = take_work(&world).await;
    assert!(holds(&world, "BUILDING#b").await, "the late pass finds the child");
    work_held_at(&world, "TransactWriteItems", &late, device("c")).await;
    world.drain().await;
    assert!(!holds(&world, "BUILDING#b").await);
}

/// Promise 1: a grant that was pending while its role was deleted, and was not deleted with the
/// role, is applied when the role exists again.
#[tokio::test]
async fn a_grant_of_a_restored_role_is_granted_again() {
    let world = World::open("account-management").await;
    let role = || world.put(json!({"PK": "SYSTEM", "SK": "ROLE#r"}));
    let delete_role = || world.delete(("PK", "SK"), ("SYSTEM", "ROLE#r"));
    role().await;
    world.drain().await;
    delete_role().await;
    world.drain().await;
    role().await;
    world.put(json!({"PK": "SYSTEM", "SK": "ROLE#other"})).await;
    world.put(json!({"PK": "CLIENT#c", "SK": "METADATA"})).await;
    world.drain().await;
    world.put(json!({"PK": "USER#u", "SK": "METADATA", "client_id": "c"})).await;
    let created = take_records(&world).await;
    world.instep.handle(&created, &run()).await;
    world.put(json!({"PK": "USER#u", "SK": "ROLE#client#c#r"})).await;
    world.put(json!({"PK": "USER#u", "SK": "ROLE#client#c#other"})).await;
    world.drain().await;
    assert_eq!(world.members("client:c:r").await, ["u"]);
    delete_role().await;
    // A replay that hands on all grants of the user finds that the role is deleted.
    world.replay(&created).await;
    role().await;
    world.drain().await;
    assert!(holds(&world, "USER#u").await);
    assert_eq!(world.members("client:c:r").await, ["u"]);
}

/// The authorization model, with users that are deleted with their last grant, and whose grants
/// stay when a writer deletes them. An index leads from a user to its grants.
fn with_last_revocation() -> String {
    let text = include_str!("../../../../shared/model/models/authorization.toml");
    let grant = r#"grant = { subject = "User", scope = "Tenant", roles = "roles" }"#;
    let last = grant.replace(" }", r#", last = { delete = "subject", written = ["createdAt"] } }"#);
    let parents = r#"parent = ["Tenant", "User"]"#;
    assert!(text.contains(grant) && text.contains(parents));
    text.replace(grant, &last).replace(parents, r#"parent = "Tenant""#)
}

/// A user whose only grant was revoked. No run has handled the revocation.
async fn last_grant_revoked(model: &str) -> World {
    let world = World::of(Model::parse("test", model).unwrap(), LAG).await;
    put_tenant(&world).await;
    let user = json!({"PK": "USER#u", "SK": "USER#u", "email": "u@x.example", "createdAt": "2026-01-01T00:00:00Z"});
    world.put(user).await;
    world.put(tenant_grant("t")).await;
    world.drain().await;
    assert_eq!(world.members(OWNERS).await, ["u"]);
    world.delete(("PK", "SK"), ("TENANT#t", "USER#u")).await;
    world
}

/// Promise 2: a subject is restored if the index shows a grant of it only later.
#[tokio::test]
async fn a_subject_whose_grant_an_index_shows_late_is_restored() {
    let world = last_grant_revoked(&with_last_revocation()).await;
    deliver_only(&world, "TENANT#t").await;
    assert!(!holds(&world, "USER#u").await, "it was the last grant that the index showed");
    deliver_only(&world, "USER#u").await;
    deliver_work_that_is_due(&world).await;
    // The grant was written before, in a tenant that does not exist yet, and its own record was
    // handled.
    world.put(tenant_grant("later")).await;
    take_records(&world).await;
    world.drain_work().await;
    assert!(holds(&world, "USER#u").await, "the subject has a grant");
}

/// Promise 2: a grant whose record is in the batch of a last revocation keeps its subject, although the index that
/// leads to it does not show it yet.
#[tokio::test]
async fn a_grant_that_no_index_shows_yet_keeps_its_subject() {
    let kept = r#"GSI1 = { pk = "USER#{userId}", sk = "TENANT#{tenantId}", keep = true }"#;
    let text = with_last_revocation();
    assert!(text.contains(kept));
    let world = last_grant_revoked(&text.replace(kept, &kept.replace(", keep = true", ""))).await;
    // Without these attributes the index has no row of it.
    let mut grant = tenant_grant("later");
    grant.as_object_mut().unwrap().retain(|name, _| !name.starts_with("GSI1"));
    world.put(grant).await;
    let records = take_records(&world).await;
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    let written = take_records(&world).await;
    assert!(!written.iter().any(|record| record.get().contains("REMOVE")), "deleted, and restored: {written:?}");
    assert!(holds(&world, "USER#u").await);
}
