//! The library for writers: keys, conditions and guards from the model, and errors classified by
//! what a writer can do about them.

use instep_aws::writer::WriteError;
use instep_flow::writer::{WriterError, create, delete, replace};
use instep_local::Fault;
use instep_model::{Item, Model, Names, Value};

use crate::world::{World, now};

fn attributes(pairs: &[(&str, &str)]) -> Item {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), Value::S((*text).to_owned()))).collect()
}

fn names(id: &str) -> Names {
    Names::from([("userId".to_owned(), id.to_owned())])
}

fn guards(items: &[Item]) -> Vec<String> {
    let keys = items.iter().map(|item| item["PK"].as_s().unwrap().to_owned());
    keys.filter(|key| key.starts_with("USER_") || key.starts_with("INSTEP#CLAIM")).collect()
}

/// Promise 7 for writers: a taken value fails the whole transaction.
#[tokio::test]
async fn unique_values_are_claimed_with_their_owner() {
    let world = World::open("authorization").await;
    let model = Model::shipped("authorization").unwrap();
    let ann = attributes(&[("email", "a@example.com"), ("phone", "+1"), ("preferredUsername", "ann")]);
    world.instep.make(&create(&model, "User", &names("u1"), &ann, now()).unwrap(), None).await.unwrap();
    let before = world.state().await.items;
    assert_eq!(guards(&before), ["USER_EMAIL#a@example.com", "USER_PHONE#+1", "USER_PREFERREDUSERNAME#ann"]);

    let taken = attributes(&[("email", "b@example.com"), ("phone", "+1")]);
    let second = create(&model, "User", &names("u2"), &taken, now()).unwrap();
    assert_eq!(world.instep.make(&second, None).await, Err(WriteError::Conflict));
    let again = create(&model, "User", &names("u1"), &ann, now()).unwrap();
    assert_eq!(world.instep.make(&again, None).await, Err(WriteError::Conflict));
    assert_eq!(world.state().await.items, before, "a refused write leaves nothing behind");

    let moved = attributes(&[("email", "c@example.com"), ("phone", "+1")]);
    let change = replace(&model, "User", &names("u1"), &ann, &moved, now()).unwrap();
    world.instep.make(&change, None).await.unwrap();
    assert_eq!(guards(&world.state().await.items), ["USER_EMAIL#c@example.com", "USER_PHONE#+1"]);
    assert_eq!(world.instep.make(&change, None).await, Err(WriteError::Conflict), "it has changed since");

    // Instep accepts the writers' items, and corrects nothing.
    let reports = world.drain().await;
    assert!(reports.iter().flat_map(|report| &report.effects).all(|effect| effect.service == "cognito"));

    world.instep.make(&delete(&model, "User", &names("u1"), &moved).unwrap(), None).await.unwrap();
    assert_eq!(guards(&world.state().await.items), [""; 0]);
}

/// A busy service is distinguished from a conflict: only the former should be retried.
#[tokio::test]
async fn errors_are_sorted() {
    let world = World::open("authorization").await;
    let model = Model::shipped("authorization").unwrap();
    let write = create(&model, "User", &names("u1"), &attributes(&[("email", "a@example.com")]), now()).unwrap();
    // Only calls of the handler's own client fail.
    world.stack.faults().next("TransactWriteItems", 100, Fault::refuse("ThrottlingException"));
    assert!(matches!(world.instep.make(&write, None).await, Err(WriteError::Retryable(_))));
    world.stack.faults().clear();
    world.stack.faults().next("TransactWriteItems", 1, Fault::refuse("ValidationException"));
    assert!(matches!(world.instep.make(&write, None).await, Err(WriteError::Refused(_))));
    assert_eq!(world.instep.make(&write, None).await, Ok(()));
}

/// Keys cannot be forged through values.
#[test]
fn a_key_that_would_be_anothers_is_refused() {
    let model = Model::shipped("access-management").unwrap();
    let group =
        |id: &str| create(&model, "Group", &Names::from([("groupId".to_owned(), id.to_owned())]), &Item::new(), now());
    assert!(group("/a").is_ok());
    assert!(matches!(group("/a|||admin"), Err(WriterError::Key(_))));
    assert!(matches!(create(&model, "Grup", &Names::new(), &Item::new(), now()), Err(WriterError::UnknownType(_))));
    let other = attributes(&[("groupId", "/b")]);
    let differs = create(&model, "Group", &Names::from([("groupId".to_owned(), "/a".to_owned())]), &other, now());
    assert_eq!(differs, Err(WriterError::Differs("groupId".to_owned())));
}
