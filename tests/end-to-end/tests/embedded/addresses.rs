//! Pools whose users sign in by an address, and which make their names (`UsernameAttributes`).

use std::time::Duration;

use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::types::AttributeType;
use instep_flow::report::{Outcome, Report};
use instep_flow::{account, queries};
use instep_local::{PoolOptions, SignIn};
use instep_model::Model;
use serde_json::json;

use crate::sweep::{options, sweep_at};
use crate::world::{World, run};

const MODEL: &str = r#"
    model = "people"
    table = { pk = "pk", sk = "sk" }
    cognito.extra = { users = "remove", members = "remove" }
    [items.Person]
    pk = "P#{address}"
    sk = "P"
    cognito.user = { name = "{address|lower}", create = "silent", disabled = { state = "off" }, attributes = { ATTRIBUTE = "{address}" } }
    [items.Team]
    pk = "T#{teamId}"
    sk = "T"
    cognito.groups = "{teamId}"
    [items.Seat]
    pk = "P#{address}"
    sk = "SEAT#{teamId}"
    grant = { subject = "Person", scope = "Team" }
    cognito.member = { user = "Person", group = "Team", sign_out = true }
    [indexes]
    GSI1 = { pk = "sk", sk = "pk" }
"#;

async fn world(attribute: &str) -> World {
    let model = Model::parse("people.toml", &MODEL.replace("ATTRIBUTE", attribute)).unwrap();
    let pool = PoolOptions { sign_in: SignIn::Addresses, ..PoolOptions::of(&model) };
    World::of_pool(model, Duration::ZERO, pool).await
}

fn email(address: &str) -> AttributeType {
    AttributeType::builder().name("email").value(address).build().unwrap()
}

/// The addresses of the members of a group.
async fn members(world: &World, group: &str) -> Vec<String> {
    let (names, state) = (world.members(group).await, world.state().await);
    let users = state.users.iter().filter(|user| names.contains(&user.username));
    users.map(|user| user.attributes["email"].clone()).collect()
}

/// Promise 2: whoever takes the address of a user gets nothing of hers, and who has changed it loses what she loses.
#[tokio::test]
async fn an_address_that_changes_hands_takes_no_membership_along() {
    let world = world("email").await;
    world.put(json!({"pk": "T#red", "sk": "T"})).await;
    world.put(json!({"pk": "T#blue", "sk": "T"})).await;
    world.put(json!({"pk": "P#ann@x.example", "sk": "P"})).await;
    world.put(json!({"pk": "P#ann@x.example", "sk": "SEAT#red"})).await;
    world.drain().await;
    assert_eq!(members(&world, "red").await, ["ann@x.example"]);

    let (pool, id) = (Client::new(&world.stack.uncounted_config()), world.stack.user_pool());
    let moved = pool.admin_update_user_attributes().user_pool_id(id).username("ann@x.example");
    moved.user_attributes(email("new@x.example")).send().await.unwrap();
    let other = pool.admin_create_user().user_pool_id(id).username("ann@x.example");
    other.user_attributes(email("ann@x.example")).send().await.unwrap();

    world.put(json!({"pk": "P#ann@x.example", "sk": "SEAT#blue"})).await;
    world.drain().await;
    assert_eq!(members(&world, "blue").await, ["new@x.example"], "a grant is for the account that serves the item");
    for team in ["red", "blue"] {
        let sk = format!("SEAT#{team}");
        world.delete(("pk", "sk"), ("P#ann@x.example", &sk)).await;
    }
    world.drain().await;
    assert_eq!(members(&world, "red").await, [""; 0], "a revocation, too");
    assert_eq!(members(&world, "blue").await, [""; 0]);
    world.delete(("pk", "sk"), ("P#ann@x.example", "P")).await;
    world.drain().await;
    let left: Vec<String> = world.state().await.users.iter().map(|user| user.attributes["email"].clone()).collect();
    assert_eq!(left, ["ann@x.example"], "and the deletion of the item deletes her account, not the other one");
}

/// Promise 1: a sweep removes each membership of an item's user that no item implies, also of one whose address was changed: a
/// list of the pool shows that one under an address of no item. What an item implies stays, and so does what somebody has
/// who may be an item's.
#[tokio::test]
async fn a_sweep_knows_users_by_their_account_items() {
    for moves in [false, true] {
        let world = world("email").await;
        for item in ["T#red P#ann@x.example", "T#blue P#bob@x.example"] {
            let (team, person) = item.split_once(' ').unwrap();
            world.put(json!({"pk": team, "sk": "T"})).await;
            world.put(json!({"pk": person, "sk": "P"})).await;
        }
        world.put(json!({"pk": "P#ann@x.example", "sk": "SEAT#red"})).await;
        world.drain().await;
        let (pool, id) = (Client::new(&world.stack.uncounted_config()), world.stack.user_pool());
        pool.admin_create_user().user_pool_id(id).username("eve@x.example").send().await.unwrap();
        for user in ["ann@x.example", "eve@x.example"] {
            let add = pool.admin_add_user_to_group().user_pool_id(id).group_name("blue");
            add.username(user).send().await.unwrap();
        }
        if moves {
            let moved = pool.admin_update_user_attributes().user_pool_id(id).username("ann@x.example");
            moved.user_attributes(email("new@x.example")).send().await.unwrap();
        }
        sweep_at(&world, &options(true), &run()).await;
        world.drain().await;
        assert_eq!(members(&world, "blue").await, ["eve@x.example"], "{moves}");
        assert_eq!(members(&world, "red").await, ["ann@x.example"], "{moves}");
        let left = sweep_at(&world, &options(true), &run()).await.differences;
        let left: Vec<String> = left.iter().map(|found| format!("{} {}", found.kind.word(), found.about)).collect();
        assert_eq!(left, ["extra-member eve@x.example in blue", "extra-user eve@x.example"], "{moves}");
    }
}

/// Promises 1 and 9: a sweep deletes an account that Instep made for an item that is gone, such as one whose creation was
/// answered too late, also if no account item is left. It only reports one with another's address.
#[tokio::test]
async fn a_sweep_deletes_an_account_that_is_left_over() {
    let world = world("email").await;
    let (pool, id) = (Client::new(&world.stack.uncounted_config()), world.stack.user_pool());
    for (address, made_for) in [("ann@x.example", "ann@x.example"), ("bob@x.example", "eve@x.example")] {
        let of = queries::objects_with_user(&world.model, made_for).remove(0);
        let nonce = format!("{}{}", "0".repeat(32), account::nonce_end(&world.model, &of));
        let mark = AttributeType::builder().name("custom:instep").value(account::mark(&world.model, &nonce));
        let create = pool.admin_create_user().user_pool_id(id).username(address);
        create.user_attributes(email(address)).user_attributes(mark.build().unwrap()).send().await.unwrap();
    }
    sweep_at(&world, &options(true), &run()).await;
    world.drain().await;
    let left = sweep_at(&world, &options(true), &run()).await.differences;
    let left: Vec<String> = left.iter().map(|found| format!("{} {}", found.kind.word(), found.about)).collect();
    assert_eq!(left, ["extra-user bob@x.example"]);
}

/// Promises 2 and 9: who changes the own address to that of an item keeps the own account, and gets nothing of that item.
#[tokio::test]
async fn who_takes_the_address_of_a_later_item_keeps_the_own_account() {
    let world = world("email").await;
    world.put(json!({"pk": "T#red", "sk": "T"})).await;
    world.put(json!({"pk": "P#ann@x.example", "sk": "P"})).await;
    world.drain().await;
    let (pool, id) = (Client::new(&world.stack.uncounted_config()), world.stack.user_pool());
    let moved = pool.admin_update_user_attributes().user_pool_id(id).username("ann@x.example");
    moved.user_attributes(email("bob@x.example")).send().await.unwrap();
    let before = world.state().await.users;

    world.put(json!({"pk": "P#bob@x.example", "sk": "P"})).await;
    world.put(json!({"pk": "P#bob@x.example", "sk": "SEAT#red"})).await;
    let reports = world.drain().await;
    let records = reports.iter().flat_map(|report| &report.records);
    let parked = records.filter_map(|record| {
        let Outcome::Parked(parked) = &record.outcome else { return None };
        Some(&*parked.reason)
    });
    let parked: Vec<&str> = parked.collect();
    assert!(parked.iter().any(|reason| reason.contains("another item's")), "{parked:?}");
    assert_eq!(world.state().await.users, before);
    assert_eq!(members(&world, "red").await, [""; 0]);
    world.delete(("pk", "sk"), ("P#bob@x.example", "SEAT#red")).await;
    world.delete(("pk", "sk"), ("P#bob@x.example", "P")).await;
    world.drain().await;
    assert_eq!(world.state().await.users, before, "nor is it deleted with that item");
    sweep_at(&world, &options(true), &run()).await;
    world.drain().await;
    let addresses: Vec<String> =
        world.state().await.users.iter().map(|user| user.attributes["email"].clone()).collect();
    assert_eq!(addresses, ["ann@x.example"], "a sweep gives it the address of its own item again");
}

/// Promise 6: Instep cannot know such a user by its name, and says what to change.
#[tokio::test]
async fn a_user_whose_name_is_no_address_of_the_model_is_refused() {
    let world = world("nickname").await;
    world.put(json!({"pk": "P#ann@x.example", "sk": "P"})).await;
    let reports: Vec<Report> = world.drain().await;
    let records = reports.iter().flat_map(|report| &report.records);
    let reason = records.filter_map(|record| {
        let Outcome::Parked(parked) = &record.outcome else { return None };
        Some(format!("{}: {}", parked.code, parked.reason))
    });
    let reasons: Vec<String> = reason.collect();
    assert!(
        reasons[0].starts_with("other-user: Cognito answered for a user whose name the pool has generated"),
        "{reasons:?}"
    );
    // What was made for the item goes with it.
    world.delete(("pk", "sk"), ("P#ann@x.example", "P")).await;
    world.drain().await;
    assert_eq!(world.state().await.users, []);
}
