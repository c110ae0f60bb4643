//! A group on demand that another run creates again while a run deletes it.

use serde_json::json;

use crate::gate::{ANY, gated, take_records};
use crate::own::groups;
use crate::world::{World, pk, run};

const GROUP: &str = "tenant|t1|admin";

/// The partitions of the bookkeeping items of groups.
async fn entries(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let keys = items.iter().map(|item| pk(item, "PK").to_owned());
    keys.filter(|key| key.starts_with("INSTEP#GROUP#")).collect()
}

/// Promise 1: another run creates the group again after a run has deleted it. That is another group: its
/// bookkeeping item does not go without it.
#[tokio::test]
async fn a_group_that_is_created_again_meanwhile_is_deleted_again() {
    let world = World::open("authorization").await;
    world.put(json!({"PK": "TENANT#t1", "SK": "TENANT#t1"})).await;
    world.put(json!({"PK": "USER#u1", "SK": "USER#u1", "email": "u1@example.com"})).await;
    world.put(json!({"PK": "TENANT#t1", "SK": "USER#u1", "roles": ["admin"]})).await;
    world.drain().await;
    let partition = entries(&world).await.pop().unwrap();
    world.delete(("PK", "SK"), ("TENANT#t1", "TENANT#t1")).await;
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
