//! Groups that are created on demand: each is deleted with the parent that its name determines.

use std::time::Duration;

use instep_aws::QueueMessage;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{ANY, gated, once_more, replayed, take_records};
use crate::own::groups;
use crate::world::{World, pk, run};

const GROUP: &str = "tenant|t1|admin";

async fn tenant(world: &World) {
    world.put(json!({"PK": "TENANT#t1", "SK": "TENANT#t1", "name": "Docks"})).await;
}

async fn delete_tenant(world: &World) {
    world.delete(("PK", "SK"), ("TENANT#t1", "TENANT#t1")).await;
}

async fn grant(world: &World, roles: &[String]) {
    world.put(json!({"PK": "TENANT#t1", "SK": "USER#u1", "roles": roles})).await;
}

async fn revoke(world: &World) {
    world.delete(("PK", "SK"), ("TENANT#t1", "USER#u1")).await;
}

/// A tenant and a user, both reconciled.
async fn world() -> World {
    let world = World::open("authorization").await;
    tenant(&world).await;
    world.put(json!({"PK": "USER#u1", "SK": "USER#u1", "email": "u1@example.com"})).await;
    world.drain().await;
    world
}

/// A run created the group of a grant, and then died; and the record of the grant.
async fn created_and_dead() -> (World, Vec<Box<RawValue>>) {
    let world = world().await;
    grant(&world, &["admin".to_owned()]).await;
    let records = take_records(&world).await;
    let run = run();
    let (handler, [created, next]) = gated(&world, ["CreateGroup", ANY]);
    tokio::join!(next.crash(handler.handle(&records, &run)), created.then(async {}));
    assert_eq!(groups(&world).await, [GROUP], "the run died after the creation");
    (world, records)
}

/// The partitions of the bookkeeping items of groups.
async fn entries(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let keys = items.iter().map(|item| item.get("PK").or_else(|| item.get("pk")).unwrap().as_s().unwrap().to_owned());
    keys.filter(|key| key.starts_with("INSTEP#GROUP#")).collect()
}

/// Promises 1 and 8: more groups than a run deletes.
#[tokio::test]
async fn any_number_of_groups_is_deleted() {
    let world = world().await;
    world.put(json!({"PK": "USER#u2", "SK": "USER#u2", "email": "u2@example.com"})).await;
    for user in ["u1", "u2"] {
        let roles: Vec<String> = (0..60).map(|role| format!("{user}{role}")).collect();
        world.put(json!({"PK": "TENANT#t1", "SK": format!("USER#{user}"), "roles": roles})).await;
    }
    world.drain().await;
    assert_eq!(groups(&world).await.len(), 120);
    delete_tenant(&world).await;
    let report = world.instep.handle(&take_records(&world).await, &run()).await;
    assert!(report.records.iter().all(|record| !record.outcome.is_retry()), "a message deletes the rest");
    assert_eq!(groups(&world).await.len(), 110);
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
    assert_eq!(entries(&world).await, [""; 0]);
}

/// Promise 1: the same if the run dies after the creation.
#[tokio::test]
async fn a_group_of_a_run_that_died_is_deleted() {
    let world = world().await;
    grant(&world, &["admin".to_owned()]).await;
    let records = take_records(&world).await;
    let run = run();
    let (handler, [created, next]) = gated(&world, ["CreateGroup", ANY]);
    let others = created.then(async {
        delete_tenant(&world).await;
        world.drain().await;
    });
    tokio::join!(next.crash(handler.handle(&records, &run)), others);
    assert_eq!(groups(&world).await, [GROUP], "the run died after the creation");
    // Promise 2: a grant that is written long after the deletion is pending, and stays.
    world.stack.clock().advance(Duration::from_secs(60));
    world.put(json!({"PK": "TENANT#t1", "SK": "USER#u2", "roles": ["admin"]})).await;
    world.drain().await;
    assert_eq!(world.instep.handle(&records, &run).await.retry_from(), None);
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
    assert_eq!(entries(&world).await, [""; 0]);
    assert!(world.state().await.items.iter().any(|item| pk(item, "SK") == "USER#u2"));
}

/// Promise 1: the same if the grant was revoked before its record is delivered again, so no run needs the group.
#[tokio::test]
async fn a_group_of_a_run_that_died_is_deleted_although_nobody_needs_it() {
    let (world, records) = created_and_dead().await;
    revoke(&world).await;
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    world.drain().await;
    delete_tenant(&world).await;
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
}

/// Promise 1: a run creates a group and dies. The next deletion of its tenant finds the group.
#[tokio::test]
async fn a_group_whose_creator_died_is_found() {
    let (world, records) = created_and_dead().await;
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    world.drain().await;
    assert_eq!(world.members(GROUP).await, ["u1"]);
    delete_tenant(&world).await;
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
}

/// Promise 1: the same if the run dies after the creation. The stream delivers its record again, and
/// does not say so.
#[tokio::test]
async fn a_group_of_a_run_that_died_is_found_after_its_tenant_was_written_again() {
    let world = world().await;
    grant(&world, &["admin".to_owned()]).await;
    let records = take_records(&world).await;
    let run = run();
    let (handler, [create, next]) = gated(&world, ["CreateGroup", ANY]);
    let write_again = async {
        delete_tenant(&world).await;
        world.drain().await;
        tenant(&world).await;
        world.drain().await;
    };
    next.crash(async { tokio::join!(handler.handle(&records, &run), create.then(write_again)) }).await;
    assert_eq!(groups(&world).await, [GROUP], "the run died after the creation");
    assert_eq!(world.instep.handle(&records, &run).await.retry_from(), None);
    world.drain().await;
    delete_tenant(&world).await;
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
    assert_eq!(entries(&world).await, [""; 0]);
}

/// Promise 1: the same with a project, which a run cannot look up by the names that a grant has, and a
/// worker that dies after it has created the group.
#[tokio::test]
async fn a_group_of_a_project_that_was_written_again_is_found_after_a_crash() {
    let world = World::open("account-management").await;
    let project = json!({"PK": "CLIENT#c1", "SK": "PROJECT#p1", "client_id": "c1", "project_id": "p1"});
    let delete_project = || world.delete(("PK", "SK"), ("CLIENT#c1", "PROJECT#p1"));
    world.put(json!({"PK": "CLIENT#c1", "SK": "METADATA", "client_id": "c1"})).await;
    world.put(project.clone()).await;
    world.put(json!({"PK": "SYSTEM", "SK": "ROLE#admin", "role_id": "admin"})).await;
    world
        .put(json!({"PK": "USER#u1", "SK": "METADATA", "user_id": "u1", "email": "u1@example.com", "client_id": "c1"}))
        .await;
    world.drain().await;
    let key = "ROLE#project#p1#admin";
    world.put(json!({"PK": "USER#u1", "SK": key, "user_id": "u1", "scope_type": "project", "scope_id": "p1", "role_id": "admin"})).await;
    let records = take_records(&world).await;
    let messages = replayed(&world, &records).await;
    let (worker, [create, next]) = gated(&world, ["CreateGroup", ANY]);
    let run = run();
    let write_again = async {
        delete_project().await;
        world.drain().await;
        world.put(project.clone()).await;
        world.drain().await;
    };
    next.crash(async { tokio::join!(worker.work(&messages, &run), create.then(write_again)) }).await;
    assert!(world.instep.work(&once_more(&messages), &run).await.failed.is_empty());
    world.drain().await;
    assert_eq!(groups(&world).await, ["project:p1:admin"]);
    delete_project().await;
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
}

/// Promise 1: another run creates the group again after a run has deleted it. That is another group: its
/// bookkeeping item does not go without it.
#[tokio::test]
async fn a_group_that_is_created_again_meanwhile_is_deleted_again() {
    let world = world().await;
    grant(&world, &["admin".to_owned()]).await;
    world.drain().await;
    let partition = entries(&world).await.pop().unwrap();
    delete_tenant(&world).await;
    let records = take_records(&world).await;
    let (handler, [deleted, next]) = gated(&world, ["DeleteGroup", ANY]);
    let meanwhile = async {
        deleted.then(async {}).await;
        let create_again = async {
            let cognito = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.sdk_config());
            let create = cognito.create_group().user_pool_id(world.stack.user_pool()).group_name(GROUP);
            create.description("instep:authorization").send().await.unwrap();
            let fields = json!({"of": "Tenant", "names": {"tenantId": "t1"}, "model": "0", "created": "2026-06-01T00:00:00Z",
                "parents": [{"of": "Tenant", "names": {"tenantId": "t1"}}]});
            world.put(json!({"PK": partition, "SK": GROUP, "instep": fields})).await;
        };
        next.then(create_again).await;
    };
    let run = run();
    let (report, ()) = tokio::join!(handler.handle(&records, &run), meanwhile);
    assert_eq!(report.retry_from(), None);
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
    assert_eq!(entries(&world).await, [""; 0]);
}

/// Promise 2: two roles have one id, and a grant knows no more of its role. The groups of that id stay while one
/// of the two exists, also if the deletion of the other one is handled again.
#[tokio::test]
async fn a_group_stays_while_another_role_of_its_id_exists() {
    let world = World::open("account-management").await;
    world.put(json!({"PK": "CLIENT#c1", "SK": "METADATA"})).await;
    world.put(json!({"PK": "USER#u1", "SK": "METADATA", "email": "u1@example.com", "client_id": "c1"})).await;
    world.put(json!({"PK": "CLIENT#c1", "SK": "ROLE#admin"})).await;
    world.put(json!({"PK": "SYSTEM", "SK": "ROLE#admin"})).await;
    world.drain().await;
    world.delete(("PK", "SK"), ("CLIENT#c1", "ROLE#admin")).await;
    world.drain().await;
    world.put(json!({"PK": "USER#u1", "SK": "ROLE#client#c1#admin"})).await;
    world.drain().await;
    assert_eq!(world.members("client:c1:admin").await, ["u1"]);
    let groups_of =
        json!({"dependents": {"type": "Role", "names": {"client_id": "c1", "role_id": "admin"}, "which": "groups"}});
    let body = json!({"version": "1", "model": "account-management", "table": world.settings().table, "hops": 1, "work": groups_of});
    let message = QueueMessage { id: "1".to_owned(), body: body.to_string(), receives: 1 };
    assert!(world.instep.work(&[message], &run()).await.failed.is_empty());
    world.drain().await;
    assert_eq!(world.members("client:c1:admin").await, ["u1"]);
    world.delete(("PK", "SK"), ("SYSTEM", "ROLE#admin")).await;
    world.drain().await;
    assert_eq!((groups(&world).await, entries(&world).await), (vec![], vec![]), "the last role of this id is deleted");
}

/// Promise 1: a message deletes the groups of a tenant that was written again after the message was read. The
/// group has a new member by then.
#[tokio::test]
async fn a_group_that_a_message_deletes_too_late_comes_again() {
    for is_dead in [false, true] {
        let world = world().await;
        grant(&world, &["admin".to_owned()]).await;
        world.drain().await;
        delete_tenant(&world).await;
        let deletion = take_records(&world).await;
        // The run over the deletion dies before it deletes the group.
        let (handler, [reads]) = gated(&world, ["DeleteGroup"]);
        let run = run();
        reads.crash(handler.handle(&deletion, &run)).await;
        let groups_of = json!({"dependents": {"type": "Tenant", "names": {"tenantId": "t1"}, "which": "groups"}});
        let body = json!({"version": "1", "model": "authorization", "table": world.settings().table, "hops": 1, "work": groups_of});
        let message = QueueMessage { id: "1".to_owned(), body: body.to_string(), receives: 1 };
        let (worker, [delete, next]) = gated(&world, ["DeleteGroup", ANY]);
        let messages = [message];
        let write_again = async {
            tenant(&world).await;
            grant(&world, &["admin".to_owned()]).await;
            world.drain().await;
            assert_eq!(world.members(GROUP).await, ["u1"]);
        };
        let work = async { tokio::join!(worker.work(&messages, &run), delete.then(write_again)) };
        if is_dead {
            next.crash(work).await;
            assert!(world.instep.work(&once_more(&messages), &run).await.failed.is_empty());
        } else {
            let (report, ()) = tokio::join!(work, next.then(async {})).0;
            assert!(report.failed.is_empty());
        }
        world.drain().await;
        assert_eq!(world.members(GROUP).await, ["u1"], "the worker died: {is_dead}");
    }
}
