//! What can never be done is charged to the record that asks for it, and parked; everything else goes on.

use std::time::Duration;

use instep_flow::report::{Outcome, Report};
use instep_local::{PoolOptions, SignIn};
use instep_model::Model;
use serde_json::json;

use crate::world::World;

/// The codes of parked records, in order.
fn codes(reports: &[Report]) -> Vec<&'static str> {
    let records = reports.iter().flat_map(|report| &report.records);
    let parked = records
        .filter_map(|record| if let Outcome::Parked(parked) = &record.outcome { Some(parked.code) } else { None });
    parked.collect()
}

/// The reasons of parked records, in order.
fn reasons(reports: &[Report]) -> Vec<&str> {
    let records = reports.iter().flat_map(|report| &report.records);
    let parked = records
        .filter_map(|record| if let Outcome::Parked(parked) = &record.outcome { Some(&*parked.reason) } else { None });
    parked.collect()
}

async fn user(world: &World, name: &str, state: &str) {
    let key = format!("U:{name}@example.com");
    world.put(json!({"pk": key, "sk": key, "email": format!("{name}@example.com"), "state": state})).await;
}

/// In a pool with sign-in aliases, Cognito may answer for another user.
#[tokio::test]
async fn an_alias_of_another_user_changes_nothing() {
    let world = World::with_pool("access-management", |pool| pool.sign_in = SignIn::Aliases).await;
    user(&world, "a", "enabled").await;
    world.drain().await;
    let pool = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
    let id = world.stack.user_pool();
    pool.admin_delete_user().user_pool_id(id).username("a@example.com").send().await.unwrap();
    let mut create = pool.admin_create_user().user_pool_id(id).username("somebody");
    for (name, value) in [("email", "a@example.com"), ("email_verified", "true")] {
        let attribute = aws_sdk_cognitoidentityprovider::types::AttributeType::builder().name(name).value(value);
        create = create.user_attributes(attribute.build().unwrap());
    }
    create.send().await.unwrap();
    let before = world.state().await.users;
    let key = "U:a@example.com";
    world.put(json!({"pk": key, "sk": key, "email": "other@example.com", "state": "enabled"})).await;
    let reports = world.drain().await;
    let is_touched = world.state().await.users != before;
    assert!(!is_touched, "{:?}", world.state().await.users);
    assert!(codes(&reports).iter().all(|code| *code == "other-user"), "{:?}", codes(&reports));
}

/// Promise 9: the deletion of an item, and its account, never reach the user that has its name for an alias, whoever made it.
#[tokio::test]
async fn an_alias_of_one_user_is_no_name_of_another() {
    const MODEL: &str = r#"
        model = "club"
        table = { pk = "pk", sk = "sk" }
        [items.Person]
        pk = "P:{personId}"
        sk = "P"
        cognito.user = { name = "{personId}", create = "silent", attributes = { preferred_username = "{nick}" } }
    "#;
    let by_people = MODEL.replace("create = \"silent\"", "create = false, delete = true");
    for text in [MODEL, &by_people] {
        let model = Model::parse("club.toml", text).unwrap();
        let pool = PoolOptions { sign_in: SignIn::Aliases, ..PoolOptions::of(&model) };
        let world = World::of_pool(model, Duration::ZERO, pool).await;
        let (cognito, id) =
            (aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config()), world.stack.user_pool());
        if text == by_people {
            for name in ["ann", "bob"] {
                cognito.admin_create_user().user_pool_id(id).username(name).send().await.unwrap();
            }
        }
        world.put(json!({"pk": "P:bob", "sk": "P", "nick": "ann"})).await;
        world.put(json!({"pk": "P:ann", "sk": "P"})).await;
        world.drain().await;
        cognito.admin_delete_user().user_pool_id(id).username("ann").send().await.unwrap();
        world.delete(("pk", "sk"), ("P:ann", "P")).await;
        world.drain().await;
        let names: Vec<String> = world.state().await.users.into_iter().map(|user| user.username).collect();
        assert_eq!(names, ["bob"], "{text}");
    }
}

/// Promise 2: a membership of people who sign up, or of a user whom people make for an item, goes by the name, never by what
/// else somebody signs in by. Where the pool makes the names, that is the `sub`. A pool without any such thing is not asked
/// for the account.
#[tokio::test]
async fn what_somebody_signs_in_by_is_no_name() {
    const SIGNS_UP: &str = r#"
        model = "club"
        table = { pk = "pk", sk = "sk" }
        [items.Club]
        pk = "C:{clubId}"
        sk = "C"
        cognito.groups = "club:{clubId}"
        [items.Seat]
        pk = "C:{clubId}"
        sk = "S:{userName}"
        parent = "Club"
        cognito.member = { user = { name = "{userName}" }, group = "Club" }
    "#;
    let person =
        "[items.Person]\npk = \"P:{userName}\"\nsk = \"P\"\ncognito.user = { name = \"{userName}\", create = false }";
    let made = SIGNS_UP.replace("{ name = \"{userName}\" }", "\"Person\"");
    let made =
        made.replace("parent = \"Club\"", "parent = [\"Club\", { type = \"Person\", find = \"back-reference\" }]");
    for text in [SIGNS_UP.to_owned(), format!("{made}{person}")] {
        let model = Model::parse("club.toml", &text).unwrap();
        for (sign_in, name) in
            [(SignIn::Addresses, "ann@example.com"), (SignIn::Aliases, "ann"), (SignIn::Names, "ann@example.com")]
        {
            let pool = PoolOptions { sign_in, ..PoolOptions::of(&model) };
            let world = World::of_pool(model.clone(), Duration::ZERO, pool).await;
            let pool = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
            let mut create = pool.admin_create_user().user_pool_id(world.stack.user_pool());
            create = if sign_in == SignIn::Addresses {
                create.username(name)
            } else {
                let alias = aws_sdk_cognitoidentityprovider::types::AttributeType::builder().name("preferred_username");
                create.username("stranger").user_attributes(alias.value(name).build().unwrap())
            };
            let made = create.send().await.unwrap().user.unwrap();
            world.put(json!({"pk": "C:1", "sk": "C"})).await;
            let names = [name, made.username().unwrap()];
            let has_item = model.items.iter().any(|item| item.name == "Person");
            for name in names.iter().filter(|_| has_item) {
                world.put(json!({"pk": format!("P:{name}"), "sk": "P"})).await;
            }
            world.drain().await;
            world.put(json!({"pk": "C:1", "sk": format!("S:{name}")})).await;
            let reports = world.drain().await;
            let has_aliases = sign_in != SignIn::Names;
            let expected: &[&str] = if has_aliases { &["other-user"] } else { &[] };
            assert_eq!(codes(&reports), expected, "{sign_in:?}: {:?}\n{text}", reasons(&reports));
            assert!(world.members("club:1").await.is_empty(), "{sign_in:?}\n{text}");
            world.put(json!({"pk": "C:1", "sk": format!("S:{}", made.username().unwrap())})).await;
            assert_eq!(codes(&world.drain().await), [] as [&str; 0]);
            assert_eq!(world.members("club:1").await, [made.username().unwrap()]);
            let calls = world.stack.calls().snapshot();
            assert_eq!(calls.get("DescribeUserPool"), Some(&1), "{sign_in:?}\n{text}");
            let looked = if has_aliases { Some(&2) } else { None };
            assert_eq!(calls.get("AdminGetUser"), looked, "{sign_in:?}\n{text}");
        }
    }
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
