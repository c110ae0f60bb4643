//! The library for writers: keys, conditions and guards from the model, structs in and out, and
//! errors classified by what a writer can do about them.

use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use instep_aws::writer::{WriteConflict, WriteError, Writer, WriterError};
use instep_local::Fault;
use instep_model::{Item, Model, Names, Value};
use serde::{Deserialize, Serialize};

use crate::world::{World, now, pk};

#[path = "../../examples/writer.rs"]
mod example;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct User {
    email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
}

impl User {
    fn of(email: &str, phone: &str) -> Self {
        Self { email: email.to_owned(), phone: Some(phone.to_owned()), roles: Vec::new() }
    }
}

#[derive(Serialize)]
struct Nothing {}

fn writer(world: &World) -> Writer {
    Writer::new(Client::new(&world.stack.sdk_config()), world.model(), "table")
}

async fn create(writer: &Writer, id: &str, user: &User) -> Result<(), WriteError> {
    let mut transaction = writer.begin(now());
    transaction.create("User", &[("userId", id)], user)?;
    transaction.commit().await
}

async fn put(writer: &Writer, id: &str, user: &User) -> Result<(), WriteError> {
    let mut transaction = writer.begin(now());
    transaction.put("User", &[("userId", id)], user).await?;
    transaction.commit().await
}

async fn delete(writer: &Writer, id: &str) -> Result<(), WriteError> {
    let mut transaction = writer.begin(now());
    transaction.delete("User", &[("userId", id)]).await?;
    transaction.commit().await
}

/// The guards of the table, each with its owner.
async fn guards(world: &World) -> Vec<(String, String)> {
    let items = world.state().await.items;
    let guards = items.iter().filter(|item| pk(item, "PK").starts_with("USER_"));
    guards.map(|item| (pk(item, "PK").to_owned(), pk(item, "userId").to_owned())).collect()
}

fn owned(guards: &[(&str, &str)]) -> Vec<(String, String)> {
    guards.iter().map(|(guard, owner)| ((*guard).to_owned(), (*owner).to_owned())).collect()
}

async fn item(world: &World, partition: &str) -> Item {
    let items = world.state().await.items;
    items.into_iter().find(|item| pk(item, "PK") == partition).unwrap()
}

fn taken(guard: &str, name: &str, value: &str) -> WriteConflict {
    WriteConflict::Taken { guard: guard.to_owned(), values: Names::from([(name.to_owned(), value.to_owned())]) }
}

fn exists(id: &str) -> WriteError {
    let names = Names::from([("userId".to_owned(), id.to_owned())]);
    WriteError::Conflict(vec![WriteConflict::Exists { item: "User".to_owned(), names }])
}

/// Promise 7 for writers: a taken value fails the whole transaction.
#[tokio::test]
async fn unique_values_are_claimed_with_their_owner() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    create(&writer, "u1", &User::of("a@example.com", "+1")).await.unwrap();
    let before = world.state().await.items;
    assert_eq!(guards(&world).await, owned(&[("USER_EMAIL#a@example.com", "u1"), ("USER_PHONE#+1", "u1")]));

    assert!(create(&writer, "u2", &User::of("b@example.com", "+1")).await.is_err());
    assert_eq!(create(&writer, "u1", &User::of("c@example.com", "+3")).await, Err(exists("u1")));
    assert_eq!(world.state().await.items, before, "a refused write leaves nothing behind");

    put(&writer, "u1", &User::of("c@example.com", "+1")).await.unwrap();
    assert_eq!(guards(&world).await, owned(&[("USER_EMAIL#c@example.com", "u1"), ("USER_PHONE#+1", "u1")]));

    // Instep accepts the writers' items, and corrects nothing: it notes only whose account serves them.
    let reports = world.drain().await;
    let mut effects = reports.iter().flat_map(|report| &report.effects);
    assert!(effects.all(|effect| effect.service == "cognito" || effect.target.starts_with("account of ")));

    delete(&writer, "u1").await.unwrap();
    assert_eq!(guards(&world).await, []);
    assert_eq!(delete(&writer, "u1").await, Ok(()), "nothing is left to delete");
}

#[tokio::test]
async fn a_conflict_names_every_value_that_is_taken() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    create(&writer, "u1", &User::of("a@example.com", "+1")).await.unwrap();
    let conflict = create(&writer, "u2", &User::of("a@example.com", "+1")).await.unwrap_err();
    let both = vec![taken("UserEmail", "email", "a@example.com"), taken("UserPhone", "phone", "+1")];
    assert_eq!(conflict, WriteError::Conflict(both));
    let message = conflict.to_string();
    assert!(message.contains("`email`") && message.contains("`UserEmail`") && message.contains("`phone`"), "{message}");
    assert!(!message.contains("a@example.com"), "a message can be logged: {message}");
}

#[tokio::test]
async fn a_write_after_another_writers_change_is_a_conflict() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    create(&writer, "u1", &User::of("a@example.com", "+1")).await.unwrap();
    let mut late = writer.begin(now());
    late.put("User", &[("userId", "u1")], &User::of("b@example.com", "+1")).await.unwrap();
    put(&writer, "u1", &User::of("c@example.com", "+1")).await.unwrap();
    let conflict = late.commit().await.unwrap_err();
    let WriteError::Conflict(conflicts) = &conflict else { panic!("{conflict}") };
    assert!(conflicts.iter().all(|conflict| matches!(conflict, WriteConflict::Changed { item, .. } if item == "User")));
    assert!(!conflict.can_retry());
    assert_eq!(writer.get::<User>("User", &[("userId", "u1")]).await.unwrap().unwrap().email, "c@example.com");
}

/// Only a busy service is a reason to try again.
#[tokio::test]
async fn only_what_can_pass_says_try_again() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    let user = User::of("a@example.com", "+1");
    for (code, can_retry) in [
        ("ThrottlingException", true),
        ("TransactionInProgressException", true),
        ("ReplicatedWriteConflictException", true),
        ("ValidationException", false),
        ("AccessDeniedException", false),
        ("UnrecognizedClientException", false),
    ] {
        world.stack.faults().next("TransactWriteItems", 100, Fault::refuse(code));
        let error = create(&writer, "u1", &user).await.unwrap_err();
        world.stack.faults().clear();
        assert_eq!(error.can_retry(), can_retry, "{code}");
        let message = error.to_string();
        assert!(message.contains(code) && message.contains("TransactWriteItems"), "{message}");
        assert!(!message.contains("Error {") && message.contains(": "), "plain words, with the fix: {message}");
    }
    let elsewhere = Writer::new(Client::new(&world.stack.sdk_config()), world.model(), "tabel");
    let error = create(&elsewhere, "u1", &user).await.unwrap_err();
    assert!(!error.can_retry() && error.to_string().contains("no such table"), "{error}");

    let large = User { roles: vec!["r".repeat(500_000)], ..user.clone() };
    assert_eq!(create(&writer, "u1", &large).await, Err(WriteError::TooLarge));
    assert_eq!(create(&writer, "u1", &user).await, Ok(()));
}

#[tokio::test]
async fn a_writers_own_success_is_no_conflict() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    let ann = User::of("a@example.com", "+1");
    world.stack.faults().next("TransactWriteItems", 1, Fault::LoseAnswer);
    assert_eq!(create(&writer, "u1", &ann).await, Ok(()));

    // One item without guards, too.
    let mut tenant = writer.begin(now());
    tenant.create("Tenant", &[("tenantId", "t1")], &Nothing {}).unwrap();
    world.stack.faults().next("TransactWriteItems", 100, Fault::LoseAnswer);
    let lost = tenant.commit().await.unwrap_err();
    assert!(lost.can_retry(), "{lost}");
    world.stack.faults().clear();
    assert_eq!(tenant.commit().await, Ok(()), "the same transaction again");

    assert_eq!(create(&writer, "u2", &ann).await.map_err(|error| error.can_retry()), Err(false), "not its own");
    let error = create(&writer, "u1", &ann).await.unwrap_err();
    assert!(matches!(error, WriteError::Conflict(_)), "another writer's item, although it is equal: {error}");
}

#[tokio::test]
async fn names_of_the_key_are_attributes_too() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    let mut transaction = writer.begin(now());
    transaction.create("Role", &[("scope", "tenant"), ("name", "admin")], &Nothing {}).unwrap();
    transaction.commit().await.unwrap();
    let role = item(&world, "ROLE_SCOPE#tenant").await;
    assert_eq!((role["scope"].as_s(), role["name"].as_s()), (Some("tenant"), Some("admin")));
}

/// A name in lower case in the key may have upper case in the attribute, and one attribute may be
/// another spelling of a name. A name with a qualifier is no attribute.
#[tokio::test]
async fn an_attribute_that_is_given_stays_as_it_is() {
    let text = r#"
        model = "mine"
        [table]
        pk = "PK"
        sk = "SK"
        [names]
        team = { attribute = ["team", "teamName"] }
        [items.Person]
        pk = "PERSON#{email|lower}"
        sk = "TEAM#{team}"
        [items.Pair]
        pk = "PAIR#{one.email}"
        sk = "PAIR#{other.email}"
    "#;
    let world = World::of(Model::parse("mine.toml", text).unwrap(), std::time::Duration::ZERO).await;
    let writer = writer(&world);
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Person {
        email: &'static str,
        team_name: &'static str,
    }
    let mut transaction = writer.begin(now());
    let (names, ann) = ([("email", "ann@x"), ("team", "t1")], Person { email: "Ann@X", team_name: "t1" });
    transaction.create("Person", &names, &ann).unwrap();
    transaction.create("Pair", &[("one.email", "a@x"), ("other.email", "b@x")], &Nothing {}).unwrap();
    transaction.commit().await.unwrap();
    let person = item(&world, "PERSON#ann@x").await;
    assert_eq!((person["email"].as_s(), person.get("team")), (Some("Ann@X"), None));
    assert_eq!(item(&world, "PAIR#a@x").await.len(), 2);

    let bob = Person { email: "bob@x", team_name: "t1" };
    let differs = writer.begin(now()).create("Person", &names, &bob);
    assert_eq!(differs, Err(WriterError::Differs("email".to_owned()).into()));
}

#[tokio::test]
async fn several_items_are_written_all_or_none() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    let mut both = writer.begin(now());
    both.create("Tenant", &[("tenantId", "t1")], &Nothing {}).unwrap();
    both.create("User", &[("userId", "u1")], &User::of("a@example.com", "+1")).unwrap();
    both.commit().await.unwrap();
    create(&writer, "u2", &User::of("b@example.com", "+2")).await.unwrap();

    let before = world.state().await.items;
    let mut refused = writer.begin(now());
    refused.delete("Tenant", &[("tenantId", "t1")]).await.unwrap();
    refused.create("User", &[("userId", "u3")], &User::of("a@example.com", "+3")).unwrap();
    let conflict = refused.commit().await.unwrap_err();
    assert_eq!(conflict, WriteError::Conflict(vec![taken("UserEmail", "email", "a@example.com")]));
    assert_eq!(world.state().await.items, before);

    // Two owners exchange a value.
    let mut swap = writer.begin(now());
    swap.put("User", &[("userId", "u1")], &User::of("b@example.com", "+1")).await.unwrap();
    swap.put("User", &[("userId", "u2")], &User::of("a@example.com", "+2")).await.unwrap();
    swap.commit().await.unwrap();
    let emails = guards(&world).await.into_iter().filter(|(guard, _)| guard.starts_with("USER_EMAIL"));
    let swapped = owned(&[("USER_EMAIL#a@example.com", "u2"), ("USER_EMAIL#b@example.com", "u1")]);
    assert_eq!(emails.collect::<Vec<_>>(), swapped);
}

#[tokio::test]
async fn a_transaction_that_dynamodb_would_refuse_is_refused_before() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    let mut many = writer.begin(now());
    for n in 0..33 {
        let user = User::of(&format!("{n}@example.com"), &format!("+{n}"));
        many.create("User", &[("userId", &format!("u{n}"))], &user).unwrap();
    }
    let more = many.create("User", &[("userId", "u33")], &User::of("33@example.com", "+33")).unwrap_err();
    assert_eq!(more, WriterError::TooMany(102).into());
    assert!(more.to_string().contains("limit is 100"), "{more}");

    let twice = many.create("User", &[("userId", "u0")], &User::of("x@example.com", "+x"));
    assert_eq!(twice, Err(WriterError::Twice("User".to_owned()).into()));
    let same = many.create("User", &[("userId", "x")], &User::of("0@example.com", "+x"));
    assert_eq!(same, Err(WriterError::Twice("UserEmail".to_owned()).into()));
    assert_eq!(many.commit().await, Ok(()), "what was refused is not in the transaction");
    assert_eq!(guards(&world).await.len(), 66);
}

#[tokio::test]
async fn a_rename_moves_the_item_with_its_guards() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    create(&writer, "old", &User::of("a@example.com", "+1")).await.unwrap();
    create(&writer, "rival", &User::of("b@example.com", "+2")).await.unwrap();
    let rename = async |from: &str, to: &str, user: &User| {
        let mut transaction = writer.begin(now());
        transaction.rename("User", &[("userId", from)], &[("userId", to)], user).await?;
        transaction.commit().await
    };
    let user = User::of("a@example.com", "+9");
    rename("old", "new", &user).await.unwrap();
    let (email, phone) = (("USER_EMAIL#a@example.com", "new"), ("USER_PHONE#+9", "new"));
    let rivals = [("USER_EMAIL#b@example.com", "rival"), ("USER_PHONE#+2", "rival")];
    assert_eq!(guards(&world).await, owned(&[email, rivals[0], rivals[1], phone]));
    assert_eq!(writer.get::<User>("User", &[("userId", "old")]).await, Ok(None));
    assert_eq!(writer.get::<User>("User", &[("userId", "new")]).await, Ok(Some(user.clone())));

    assert_eq!(rename("new", "rival", &user).await, Err(exists("rival")));
    assert_eq!(rename("old", "newer", &user).await, Err(WriteError::Missing { item: "User".to_owned() }));

    let before = guards(&world).await;
    world.drain().await;
    assert_eq!(guards(&world).await, before, "Instep adopts the moved guards");
    let users: Vec<String> = world.state().await.users.into_iter().map(|user| user.username).collect();
    assert_eq!(users, ["new", "rival"]);
}

/// Instep's claim for the second owner is pending. The library leaves it, and the first owner's
/// guard, alone.
#[tokio::test]
async fn an_owner_without_its_guard_can_be_changed_and_deleted() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    create(&writer, "u1", &User::of("a@example.com", "+1")).await.unwrap();
    world.put(serde_json::json!({"PK": "USER#u2", "SK": "USER#u2", "email": "a@example.com"})).await;
    world.drain().await;
    put(&writer, "u2", &User::of("a@example.com", "+2")).await.unwrap();
    let three = owned(&[("USER_EMAIL#a@example.com", "u1"), ("USER_PHONE#+1", "u1"), ("USER_PHONE#+2", "u2")]);
    assert_eq!(guards(&world).await, three);
    delete(&writer, "u2").await.unwrap();
    assert_eq!(guards(&world).await, three[..2]);
}

#[tokio::test]
async fn structs_are_read_as_they_were_written() {
    let world = World::open("authorization").await;
    let writer = writer(&world);
    let user = User { roles: vec!["admin".to_owned()], ..User::of("a@example.com", "+1") };
    create(&writer, "u1", &user).await.unwrap();
    assert_eq!(writer.get("User", &[("userId", "u1")]).await, Ok(Some(user)));
    assert_eq!(writer.get::<User>("User", &[("userId", "u2")]).await, Ok(None));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Other {
        age: u32,
    }
    let error = writer.get::<Other>("User", &[("userId", "u1")]).await.unwrap_err();
    assert_eq!(error.to_string(), "the struct does not fit the attributes of `User`: missing field `age`");
    assert!(!error.can_retry());
}

/// Keys cannot be forged through values.
#[test]
fn a_key_that_would_be_anothers_is_refused() {
    use instep_flow::writer::{create, object};
    let model = Model::shipped("access-management").unwrap();
    let names = |id: &str| Names::from([("groupId".to_owned(), id.to_owned())]);
    let group = |id: &str, attributes: &Item| {
        create(&model, &object(&model, "Group", &names(id)).unwrap(), attributes, now()).map(drop)
    };
    assert_eq!(group("/a", &Item::new()), Ok(()));
    assert!(matches!(group("/a|||admin", &Item::new()), Err(WriterError::Key(_))));
    assert_eq!(object(&model, "Grup", &Names::new()), Err(WriterError::UnknownType("Grup".to_owned())));
    let other = Item::from([("groupId".to_owned(), Value::S("/b".to_owned()))]);
    assert_eq!(group("/a", &other), Err(WriterError::Differs("groupId".to_owned())));
}

#[tokio::test]
async fn the_example_prints_what_happens() {
    let mut text = String::new();
    example::run(Arc::new(Model::shipped("authorization").unwrap()), now(), |line| {
        text.push_str(&line);
        text.push('\n');
    })
    .await
    .unwrap();
    expect_test::expect![[r#"
        created a tenant, a user and a grant, with their guards, in one transaction
        refused: the value of `email` is taken: its guard `UserEmail` belongs to another item; give another value
        taken: {"email": "ann@example.com"}
        read User { email: "ann@example.com" }
        changed the address: the old value is free, the new one is claimed
        renamed the user, and replaced the grant
        the table:
          TENANT#t1 | TENANT#t1
          TENANT#t1 | USER#anna
          TENANT_NAME#Docks | TENANT_NAME#Docks
          USER#anna | USER#anna
          USER_EMAIL#ann@example.org | USER_EMAIL#ann@example.org
    "#]]
    .assert_eq(&text);
}
