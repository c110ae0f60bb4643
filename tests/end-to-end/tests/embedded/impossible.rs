//! What can never be done is charged to the record that asks for it, and parked; everything else goes on.

use std::time::Duration;

use instep_flow::report::{Outcome, Report};
use instep_local::Fault;
use instep_model::Model;
use serde_json::json;

use crate::own::{parked, put, world};
use crate::world::World;

/// The codes of parked records, in order.
fn codes(reports: &[Report]) -> Vec<&'static str> {
    let records = reports.iter().flat_map(|report| &report.records);
    let parked = records
        .filter_map(|record| if let Outcome::Parked(parked) = &record.outcome { Some(parked.code) } else { None });
    parked.collect()
}

async fn user(world: &World, name: &str, state: &str) {
    let key = format!("U:{name}@example.com");
    world.put(json!({"pk": key, "sk": key, "email": format!("{name}@example.com"), "state": state})).await;
}

async fn enabled(world: &World, name: &str) -> Option<bool> {
    let name = format!("{name}@example.com");
    world.state().await.users.into_iter().find(|user| user.username == name).map(|user| user.enabled)
}

/// Cognito creates a user also where it cannot deliver the invitation.
#[tokio::test]
async fn a_user_without_an_invitation_has_its_state_and_is_parked() {
    let model = r#"
        model = "guests"
        table = { pk = "pk", sk = "sk" }
        [items.User]
        pk = "U:{email}"
        sk = "U:{email}"
        entity = "User"
        cognito.user = { name = "{email}", create = "invite", disabled = { state = "off" }, attributes = { email = "{email}" } }
    "#;
    let world = World::of(Model::parse("guests.toml", model).unwrap(), Duration::ZERO).await;
    let fault = Fault::Complain { code: "CodeDeliveryFailureException".to_owned() };
    world.stack.faults().next("AdminCreateUser", 1, fault);
    user(&world, "a", "off").await;
    let reports = world.drain().await;
    assert_eq!(codes(&reports), ["not-invited"]);
    assert_eq!(enabled(&world, "a").await, Some(false));
    assert_eq!(world.verbs(), ["User Created"]);
    assert!(world.stack.published()[0].detail.contains("\"parked\":true"));
}

/// Without a rule in the model, the table does not say who may sign in.
#[tokio::test]
async fn without_a_rule_people_disable_users() {
    for (rule, expected) in [("", false), (", disabled = { state = \"off\" }", true)] {
        let model = format!(
            "model = \"m\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n[items.User]\npk = \"U:{{email}}\"\nsk = \"U:{{email}}\"\n\
             cognito.user = {{ name = \"{{email}}\", attributes = {{ nickname = \"{{state}}\" }}{rule} }}"
        );
        let world = World::of(Model::parse("m.toml", &model).unwrap(), Duration::ZERO).await;
        user(&world, "a", "one").await;
        world.drain().await;
        let pool = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
        let disable = pool.admin_disable_user().user_pool_id(world.stack.user_pool()).username("a@example.com");
        disable.send().await.unwrap();
        user(&world, "a", "two").await;
        world.drain().await;
        assert_eq!(enabled(&world, "a").await, Some(expected), "{rule}");
    }
}

/// In a pool with sign-in aliases, Cognito may answer for another user.
#[tokio::test]
async fn an_alias_of_another_user_changes_nothing() {
    let world = World::with_pool("access-management", |pool| pool.aliases = true).await;
    user(&world, "a", "enabled").await;
    world.drain().await;
    let pool = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
    let id = world.stack.user_pool();
    pool.admin_delete_user().user_pool_id(id).username("a@example.com").send().await.unwrap();
    let email = aws_sdk_cognitoidentityprovider::types::AttributeType::builder().name("email").value("a@example.com");
    let create = pool.admin_create_user().user_pool_id(id).username("somebody");
    create.user_attributes(email.build().unwrap()).send().await.unwrap();
    let before = world.state().await.users;
    let key = "U:a@example.com";
    world.put(json!({"pk": key, "sk": key, "email": "other@example.com", "state": "enabled"})).await;
    let reports = world.drain().await;
    let is_touched = world.state().await.users != before;
    assert!(!is_touched, "{:?}", world.state().await.users);
    assert!(codes(&reports).iter().all(|code| *code == "other-user"), "{:?}", codes(&reports));
}

/// Promise 6: another user has a sign-in attribute of a new one, such as the phone number. Cognito then says
/// that the user exists, and that it does not.
#[tokio::test(start_paused = true)]
async fn a_user_that_cannot_be_created_stops_no_other() {
    let world = World::open("access-management").await;
    user(&world, "a", "enabled").await;
    world.stack.faults().next("AdminCreateUser", 6, Fault::refuse("UsernameExistsException"));
    let reports = world.drain().await;
    assert_eq!(codes(&reports), ["other-user"]);
    user(&world, "b", "enabled").await;
    assert_eq!(codes(&world.drain().await), [""; 0]);
    assert_eq!(enabled(&world, "b").await, Some(true));
}

/// Promise 6: no read of a batch asks for a key that no item can have, which DynamoDB would refuse with
/// all others. Its partition key is short enough; the sort key by which an index shows seats is not.
#[tokio::test]
async fn a_name_that_fits_no_index_key_fails_no_batch() {
    let model = r#"
        model = "teams"
        table = { pk = "pk", sk = "sk" }
        [indexes]
        GSI1 = { pk = "g1p", sk = "g1s" }
        [items.Team]
        pk = "T:{teamId}"
        sk = "T"
        entity = "Team"
        [items.Seat]
        pk = "P:{personId}"
        sk = "SEAT:{seatId}"
        GSI1 = { pk = "SEATS", sk = "{teamId}:{personId}" }
        parent = "Team"
        [items.User]
        pk = "U:{id}"
        sk = "U"
        cognito.user = { name = "{id}" }
    "#;
    let world = World::of(Model::parse("teams.toml", model).unwrap(), Duration::ZERO).await;
    let long = format!("T:{}", "x".repeat(1_500));
    world.put(json!({"pk": long, "sk": "T"})).await;
    world.put(json!({"pk": "U:a", "sk": "U"})).await;
    let mut reports = world.drain().await;
    world.delete(("pk", "sk"), (&long, "T")).await;
    world.delete(("pk", "sk"), ("U:a", "U")).await;
    reports.extend(world.drain().await);
    let outcomes = reports.iter().flat_map(|report| &report.records).map(|record| &record.outcome);
    assert_eq!(outcomes.filter(|outcome| outcome.is_retry()).count(), 0, "{reports:?}");
    assert_eq!(codes(&reports), [""; 0]);
    assert_eq!(world.verbs(), ["Team Created", "Team Deleted"]);
    assert!(world.state().await.users.is_empty());
}

/// What was published when it was created is published when it is deleted.
#[tokio::test]
async fn the_deletion_of_an_item_with_a_bad_key_is_published() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "U:A@example.com", "sk": "U:A@example.com", "email": "A@example.com"})).await;
    assert_eq!(codes(&world.drain().await), ["key-not-canonical"]);
    world.delete(("pk", "sk"), ("U:A@example.com", "U:A@example.com")).await;
    world.drain().await;
    assert_eq!(world.verbs(), ["User Created", "User Deleted"]);
    assert!(world.state().await.users.is_empty());
}

/// A member whom Cognito refuses for good keeps no other member out, on no page.
#[tokio::test]
async fn a_refused_member_stops_no_later_page() {
    const MEMBERS: usize = 60;
    let world = World::open("access-management").await;
    for n in 0..MEMBERS {
        user(&world, &format!("u{n}"), "enabled").await;
        world.put(json!({"pk": format!("U:u{n}@example.com"), "sk": "G:/a", "role": "reader"})).await;
    }
    world.drain().await;
    world.stack.faults().on("AdminAddUserToGroup", 3..4, Fault::refuse("InvalidParameterException"));
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    assert_eq!(codes(&world.drain().await), ["service-refused"]);
    assert_eq!(world.members("/a|||reader").await.len(), MEMBERS - 1);
}

const TASKS: &str = r#"
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Task]
pk = "T#{taskId}"
sk = "T"
GSI1 = { pk = "STATUS#{status}", sk = "{due}", keep = true }
entity = "Task"
"#;

/// Promise 6: DynamoDB refuses an index key as long as such an attribute. The record is parked, the
/// item leaves the index, the other records are handled, and a shorter value fixes it.
#[tokio::test]
async fn an_attribute_that_is_too_long_for_an_index_key_is_parked() {
    let world = world(TASKS).await;
    let task = |status: &str, due: &str| json!({"status": status, "due": due});
    for key in ["T#1", "T#2"] {
        put(&world, (key, "T"), task("open", "2026")).await;
    }
    assert_eq!(parked(&world.drain().await), [""; 0]);
    assert_eq!(index_keys(&world).await, ["STATUS#open 2026", "STATUS#open 2026"]);
    for (status, due) in [("x".repeat(3_000), "2026".to_owned()), ("open".to_owned(), "x".repeat(3_000))] {
        put(&world, ("T#1", "T"), json!({"status": status, "due": due, "g1p": "STATUS#open", "g1s": "2026"})).await;
        put(&world, ("T#2", "T"), task("shut", "2027")).await;
        assert_eq!(
            parked(&world.drain().await),
            ["key-too-long", "key-too-long"],
            "the write, and the correction of its keys"
        );
        assert_eq!(index_keys(&world).await, ["none", "STATUS#shut 2027"]);
    }
    put(&world, ("T#1", "T"), task("shut", "2027")).await;
    assert_eq!(parked(&world.drain().await), [""; 0]);
    assert_eq!(index_keys(&world).await, ["STATUS#shut 2027", "STATUS#shut 2027"]);
}

/// The index keys of the items of the table.
async fn index_keys(world: &World) -> Vec<String> {
    let items = world.state().await.items.into_iter();
    let text = |item: &instep_model::Item| Some(format!("{} {}", item.get("g1p")?.as_s()?, item.get("g1s")?.as_s()?));
    items.map(|item| text(&item).unwrap_or_else(|| "none".to_owned())).collect()
}

/// No owner can have the key that such a guard names, so whose the value is remains to be said.
#[tokio::test]
async fn a_guard_of_an_owner_that_cannot_exist_is_parked() {
    let model = r#"
        [items.Person]
        pk = "P#{no|pad:6}"
        sk = "P"
        [items.Email]
        pk = "E#{email}"
        sk = "E"
        guard = { owner = "Person" }
    "#;
    let world = world(model).await;
    put(&world, ("E#a", "E"), json!({"no": "000042"})).await;
    assert_eq!(parked(&world.drain().await), ["wrong-value"]);
    for (email, no) in [("b", json!("42")), ("c", json!("")), ("d", json!(null))] {
        put(&world, (&format!("E#{email}"), "E"), json!({"no": no})).await;
    }
    assert_eq!(parked(&world.drain().await), [""; 0]);
}

/// Promise 2: an item whose key is not in lower case grants nothing, also if the run reads it for the sake of another:
/// of its group, which is created later, or of an item with the same membership, which is deleted.
#[tokio::test]
async fn an_item_whose_key_is_not_canonical_grants_nothing() {
    let model = r#"
        [items.User]
        pk = "U#{userId}"
        sk = "U"
        cognito.user = { name = "{userId}" }
        [items.Team]
        pk = "T#{teamId|lower}"
        sk = "T"
        cognito.groups = "team:{teamId|lower}"
        [items.Seat]
        pk = "U#{userId}"
        sk = "SEAT#{teamId}#{seat}"
        parent = "User"
        cognito.member = { user = "User", group = { type = "Team", find = "back-reference" } }
    "#;
    let world = world(model).await;
    put(&world, ("U#ann", "U"), json!({})).await;
    put(&world, ("U#ann", "SEAT#Acme#1"), json!({})).await;
    assert_eq!(parked(&world.drain().await), ["key-not-canonical"]);
    put(&world, ("T#acme", "T"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("team:acme").await, [""; 0]);
    put(&world, ("U#ann", "SEAT#acme#2"), json!({})).await;
    world.drain().await;
    assert_eq!(world.members("team:acme").await, ["ann"]);
    world.delete(("pk", "sk"), ("U#ann", "SEAT#acme#2")).await;
    world.drain().await;
    assert_eq!(world.members("team:acme").await, [""; 0]);
}
