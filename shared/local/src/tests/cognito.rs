//! Cognito's behavior, as its API reference describes it.

use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::types::{AttributeType, MessageActionType};

use super::{clock, code, cognito, model, stack};
use crate::{APP_CLIENT, CONFIRMATION_CODE, PoolOptions, SignIn, Stack, StackOptions};

const POOL: &str = "us-east-1_instep000";

async fn group(client: &Client, name: &str) {
    client.create_group().user_pool_id(POOL).group_name(name).send().await.unwrap();
}

async fn user(client: &Client, name: &str) {
    client.admin_create_user().user_pool_id(POOL).username(name).send().await.unwrap();
}

async fn add(client: &Client, user: &str, group: &str) {
    client.admin_add_user_to_group().user_pool_id(POOL).username(user).group_name(group).send().await.unwrap();
}

fn attribute(name: &str, value: &str) -> AttributeType {
    AttributeType::builder().name(name).value(value).build().unwrap()
}

#[tokio::test]
async fn missing_objects_have_their_own_errors() {
    let stack = stack().await;
    let client = cognito(&stack);
    let add = || client.admin_add_user_to_group().user_pool_id(POOL).username("bob").group_name("staff");
    assert_eq!(code(add().send().await), "UserNotFoundException");
    user(&client, "bob").await;
    assert_eq!(code(add().send().await), "ResourceNotFoundException");
    group(&client, "staff").await;
    add().send().await.unwrap();
    let elsewhere = client.get_group().user_pool_id("us-east-1_another00").group_name("staff");
    assert_eq!(code(elsewhere.send().await), "ResourceNotFoundException");
    let pool = client.describe_user_pool().user_pool_id(POOL).send().await.unwrap().user_pool.unwrap();
    // As in the template: all user names of this model are in lower case.
    assert!(!pool.username_configuration.unwrap().case_sensitive);
}

#[tokio::test]
async fn existing_objects_are_not_created_again() {
    let stack = stack().await;
    let client = cognito(&stack);
    user(&client, "bob").await;
    group(&client, "staff").await;
    let again = client.admin_create_user().user_pool_id(POOL).username("bob");
    assert_eq!(code(again.clone().send().await), "UsernameExistsException");
    again.message_action(MessageActionType::Resend).send().await.unwrap();
    let again = client.create_group().user_pool_id(POOL).group_name("staff");
    assert_eq!(code(again.send().await), "GroupExistsException");
}

#[tokio::test]
async fn names_have_1_to_128_characters_and_no_space() {
    let stack = stack().await;
    let client = cognito(&stack);
    for bad in ["two words", "tab\t", "zero\u{200b}width", "private\u{e000}", "no\u{a0}break", "", &"x".repeat(129)] {
        let create = client.create_group().user_pool_id(POOL).group_name(bad);
        assert_eq!(code(create.send().await), "InvalidParameterException", "{bad:?}");
        let create = client.admin_create_user().user_pool_id(POOL).username(bad);
        assert_eq!(code(create.send().await), "InvalidParameterException", "{bad:?}");
    }
    for good in ["/|||admin", "a+b@c.example", "Füße-日本-€", &"x".repeat(128)] {
        group(&client, good).await;
        user(&client, good).await;
    }
}

#[tokio::test]
async fn memberships_are_deleted_with_the_group_and_with_the_user() {
    let stack = stack().await;
    let client = cognito(&stack);
    for name in ["ann", "bob"] {
        user(&client, name).await;
    }
    for name in ["staff", "admins"] {
        group(&client, name).await;
    }
    for (user, group) in [("ann", "staff"), ("bob", "staff"), ("bob", "admins"), ("bob", "admins")] {
        add(&client, user, group).await;
    }
    let groups = || client.admin_list_groups_for_user().user_pool_id(POOL).username("bob").send();
    assert_eq!(groups().await.unwrap().groups().len(), 2);
    client.delete_group().user_pool_id(POOL).group_name("admins").send().await.unwrap();
    assert_eq!(groups().await.unwrap().groups().len(), 1);
    group(&client, "admins").await;
    assert_eq!(groups().await.unwrap().groups().len(), 1);

    client.admin_delete_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    let members = client.list_users_in_group().user_pool_id(POOL).group_name("staff").send().await.unwrap();
    assert_eq!(members.users().iter().map(|user| user.username().unwrap()).collect::<Vec<_>>(), ["ann"]);
    user(&client, "bob").await;
    assert_eq!(groups().await.unwrap().groups().len(), 0);

    let remove = client.admin_remove_user_from_group().user_pool_id(POOL).username("ann").group_name("staff");
    remove.clone().send().await.unwrap();
    remove.send().await.unwrap();
}

#[tokio::test]
async fn a_disabled_user_keeps_memberships() {
    let stack = stack().await;
    let client = cognito(&stack);
    user(&client, "bob").await;
    group(&client, "staff").await;
    add(&client, "bob", "staff").await;
    client.admin_disable_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    client.admin_disable_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    let members = client.list_users_in_group().user_pool_id(POOL).group_name("staff").send().await.unwrap();
    assert!(!members.users()[0].enabled);
    client.admin_enable_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    let user = client.admin_get_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    assert!(user.enabled);
    assert_eq!(user.user_create_date.unwrap().to_millis().unwrap(), clock().now_ms());
}

#[tokio::test]
async fn attributes_are_set_changed_and_deleted_by_an_empty_value() {
    let stack =
        stack_with(PoolOptions { custom: ["custom:team".to_owned()].into(), ..PoolOptions::of(&model()) }).await;
    let client = cognito(&stack);
    let create = client.admin_create_user().user_pool_id(POOL).username("bob");
    let create =
        create.user_attributes(attribute("email", "b@x.example")).user_attributes(attribute("custom:team", "a"));
    let sub = create.send().await.unwrap().user.unwrap().attributes()[2].clone();
    assert_eq!(sub.name(), "sub");
    let update = || client.admin_update_user_attributes().user_pool_id(POOL).username("bob");
    update()
        .user_attributes(attribute("custom:team", ""))
        .user_attributes(attribute("name", "Bob"))
        .send()
        .await
        .unwrap();
    let delete = client.admin_delete_user_attributes().user_pool_id(POOL).username("bob");
    delete.user_attribute_names("email").user_attribute_names("locale").send().await.unwrap();
    let left = client.admin_get_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    assert_eq!(left.user_attributes(), [attribute("name", "Bob"), sub]);
    for (name, value) in [
        ("sub", "x"),
        ("shoe_size", "x"),
        ("custom:", "x"),
        ("custom:undeclared", "x"),
        ("name", &*"x".repeat(2049)),
        ("email", "not an address"),
        ("phone_number", "555-1234"),
        ("birthdate", "1 May 1990"),
        ("updated_at", "yesterday"),
        ("email_verified", "yes"),
    ] {
        let update = update().user_attributes(attribute(name, value));
        assert_eq!(code(update.send().await), "InvalidParameterException", "{name}");
    }
    let delete = client.admin_delete_user_attributes().user_pool_id(POOL).username("bob");
    assert_eq!(code(delete.user_attribute_names("custom:undeclared").send().await), "InvalidParameterException");
    let other = stack_with(PoolOptions::of(&model())).await;
    user(&cognito(&other), "bob").await;
    let same = cognito(&other).admin_get_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    assert_eq!(same.user_attributes()[0].value(), left.user_attributes()[1].value(), "sub follows from the name");
}

async fn stack_with(pool: PoolOptions) -> Stack {
    let options = StackOptions { dir: None, table: "objects".to_owned(), clock: clock() };
    Stack::open_with_pool(&model(), options, pool).await.unwrap()
}

/// The user of a name.
async fn shown(
    client: &Client,
    name: &str,
) -> aws_sdk_cognitoidentityprovider::operation::admin_get_user::AdminGetUserOutput {
    client.admin_get_user().user_pool_id(POOL).username(name).send().await.unwrap()
}

async fn sub_of(client: &Client, name: &str) -> String {
    let user = shown(client, name).await;
    user.user_attributes().iter().find(|own| own.name() == "sub").unwrap().value().unwrap().to_owned()
}

async fn status_of(client: &Client, name: &str) -> String {
    shown(client, name).await.user_status.unwrap().as_str().to_owned()
}

#[tokio::test]
async fn a_name_that_is_created_again_has_another_sub() {
    let stack = stack().await;
    let client = cognito(&stack);
    let mut subs = std::collections::BTreeSet::new();
    for _ in 0..3 {
        user(&client, "bob").await;
        subs.insert(sub_of(&client, "bob").await);
        client.admin_delete_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    }
    assert_eq!(subs.len(), 3);
}

#[tokio::test]
async fn a_user_who_signs_up_is_confirmed_by_the_code() {
    let stack = stack_with(PoolOptions { sign_up: true, ..PoolOptions::of(&model()) }).await;
    let client = cognito(&stack);
    let sign_up = |name: &str| client.sign_up().client_id(APP_CLIENT).username(name).password("Correct-horse-1");
    let confirm = |code: &str| client.confirm_sign_up().client_id(APP_CLIENT).username("ann").confirmation_code(code);
    assert_eq!(code(sign_up("ann").client_id("another").send().await), "ResourceNotFoundException");
    assert_eq!(
        code(sign_up("ann").user_attributes(attribute("email_verified", "true")).send().await),
        "NotAuthorizedException"
    );
    assert_eq!(code(confirm(CONFIRMATION_CODE).send().await), "UserNotFoundException");
    let made = sign_up("ann").user_attributes(attribute("email", "ann@x.example")).send().await.unwrap();
    assert_eq!((made.user_confirmed, &*made.user_sub), (false, &*sub_of(&client, "ann").await));
    assert_eq!(status_of(&client, "ann").await, "UNCONFIRMED");
    assert_eq!(code(sign_up("ann").send().await), "UsernameExistsException");
    assert_eq!(code(confirm("000000").send().await), "CodeMismatchException");
    confirm(CONFIRMATION_CODE).send().await.unwrap();
    assert_eq!(status_of(&client, "ann").await, "CONFIRMED");
    assert!(shown(&client, "ann").await.user_attributes().contains(&attribute("email_verified", "true")));
    assert_eq!(code(confirm(CONFIRMATION_CODE).send().await), "NotAuthorizedException");

    sign_up("bob").send().await.unwrap();
    client.admin_confirm_sign_up().user_pool_id(POOL).username("bob").send().await.unwrap();
    assert_eq!(status_of(&client, "bob").await, "CONFIRMED");

    let closed = stack_with(PoolOptions::of(&model())).await;
    let sign_up = cognito(&closed).sign_up().client_id(APP_CLIENT).username("ann").password("Correct-horse-1");
    assert_eq!(code(sign_up.send().await), "NotAuthorizedException");
}

#[tokio::test]
async fn an_administrator_sets_and_resets_passwords() {
    let stack = stack().await;
    let client = cognito(&stack);
    user(&client, "bob").await;
    assert_eq!(status_of(&client, "bob").await, "FORCE_CHANGE_PASSWORD");
    let set = |is_permanent| {
        let set = client.admin_set_user_password().user_pool_id(POOL).username("bob").password("Correct-horse-1");
        set.permanent(is_permanent).send()
    };
    set(true).await.unwrap();
    assert_eq!(status_of(&client, "bob").await, "CONFIRMED");
    client.admin_reset_user_password().user_pool_id(POOL).username("bob").send().await.unwrap();
    assert_eq!(status_of(&client, "bob").await, "RESET_REQUIRED");
    set(false).await.unwrap();
    assert_eq!(status_of(&client, "bob").await, "FORCE_CHANGE_PASSWORD");
}

#[tokio::test]
async fn a_verified_alias_has_one_owner() {
    let pool = PoolOptions { sign_in: SignIn::Aliases, sign_up: true, ..PoolOptions::of(&model()) };
    let stack = stack_with(pool).await;
    let client = cognito(&stack);
    let create = |name: &str, verified: &str| {
        let create = client.admin_create_user().user_pool_id(POOL).username(name);
        create.user_attributes(attribute("email", "a@x.example")).user_attributes(attribute("email_verified", verified))
    };
    let found = || client.admin_get_user().user_pool_id(POOL).username("a@x.example").send();
    create("ann", "false").send().await.unwrap();
    assert_eq!(code(found().await), "UserNotFoundException");
    create("bob", "true").send().await.unwrap();
    assert_eq!(found().await.unwrap().username, "bob");
    assert_eq!(code(create("eve", "true").send().await), "AliasExistsException");
    create("eve", "true").force_alias_creation(true).send().await.unwrap();
    assert_eq!(found().await.unwrap().username, "eve");

    let sign_up = client.sign_up().client_id(APP_CLIENT).username("zoe").password("Correct-horse-1");
    sign_up.user_attributes(attribute("email", "a@x.example")).send().await.unwrap();
    let confirm = client.confirm_sign_up().client_id(APP_CLIENT).username("zoe").confirmation_code(CONFIRMATION_CODE);
    assert_eq!(code(confirm.send().await), "AliasExistsException");
    assert_eq!(status_of(&client, "zoe").await, "UNCONFIRMED");
}

#[tokio::test]
async fn where_users_sign_in_by_an_address_the_pool_makes_their_names() {
    let pool = PoolOptions { sign_in: SignIn::Addresses, sign_up: true, ..PoolOptions::of(&model()) };
    let stack = stack_with(pool).await;
    let client = cognito(&stack);
    let create = |name: &str| client.admin_create_user().user_pool_id(POOL).username(name);
    assert_eq!(code(create("ann").send().await), "InvalidParameterException");
    user(&client, "ann@x.example").await;
    assert_eq!(code(create("ann@x.example").send().await), "UsernameExistsException");
    let first = shown(&client, "ann@x.example").await;
    assert_eq!(first.username, sub_of(&client, "ann@x.example").await);
    // Its owner changes the address, and another person takes the old one.
    let update = client.admin_update_user_attributes().user_pool_id(POOL).username(&first.username);
    update.user_attributes(attribute("email", "new@x.example")).send().await.unwrap();
    let sign_up = client.sign_up().client_id(APP_CLIENT).username("ann@x.example").password("Correct-horse-1");
    sign_up.send().await.unwrap();
    assert_ne!(shown(&client, "ann@x.example").await.username, first.username);
    assert_eq!(shown(&client, "new@x.example").await.username, first.username);
    client.admin_delete_user().user_pool_id(POOL).username("ann@x.example").send().await.unwrap();
    assert_eq!(stack.state().await.unwrap().users.len(), 1);
}

#[tokio::test]
async fn a_pool_is_case_sensitive_or_not() {
    let sensitive = stack_with(PoolOptions { case_sensitive: true, ..PoolOptions::of(&model()) }).await;
    let client = cognito(&sensitive);
    user(&client, "Bob").await;
    user(&client, "bob").await;
    let insensitive = stack_with(PoolOptions { case_sensitive: false, ..PoolOptions::of(&model()) }).await;
    let client = cognito(&insensitive);
    user(&client, "Bob").await;
    group(&client, "staff").await;
    add(&client, "BOB", "staff").await;
    let again = client.admin_create_user().user_pool_id(POOL).username("bob");
    assert_eq!(code(again.send().await), "UsernameExistsException");
    assert_eq!(insensitive.state().await.unwrap().groups[0].members, ["Bob"]);
}

#[tokio::test]
async fn lists_have_pages() {
    let stack = stack().await;
    let client = cognito(&stack);
    user(&client, "bob").await;
    for number in 0..70 {
        let name = format!("g{number:02}");
        group(&client, &name).await;
        add(&client, "bob", &name).await;
    }
    let first = client.list_groups().user_pool_id(POOL).send().await.unwrap();
    assert_eq!(first.groups().len(), 60);
    let rest = client.list_groups().user_pool_id(POOL).next_token(first.next_token.unwrap()).send().await.unwrap();
    assert_eq!((rest.groups().len(), rest.next_token), (10, None));

    let pages = client.admin_list_groups_for_user().user_pool_id(POOL).username("bob").limit(35);
    let pages: Vec<_> = pages.into_paginator().send().collect::<Result<_, _>>().await.unwrap();
    assert_eq!(pages.iter().map(|page| page.groups().len()).collect::<Vec<_>>(), [35, 35]);

    let list = client.list_groups().user_pool_id(POOL);
    assert_eq!(code(list.clone().limit(61).send().await), "InvalidParameterException");
    assert_eq!(code(list.next_token("nonsense").send().await), "InvalidParameterException");
}

#[tokio::test]
async fn users_are_found_by_a_filter() {
    let stack = stack().await;
    let client = cognito(&stack);
    for name in ["ann", "anton", "bob"] {
        let create = client.admin_create_user().user_pool_id(POOL).username(name);
        create.user_attributes(attribute("email", &format!("{name}@x.example"))).send().await.unwrap();
    }
    client.admin_disable_user().user_pool_id(POOL).username("bob").send().await.unwrap();
    let list = |filter: &str| client.list_users().user_pool_id(POOL).filter(filter).send();
    for (filter, found) in
        [(r#"username ^= "an""#, 2), (r#"email = "bob@x.example""#, 1), (r#"status = "Enabled""#, 2), ("", 3)]
    {
        assert_eq!(list(filter).await.unwrap().users().len(), found, "{filter}");
    }
    for bad in [r#"custom:team = "a""#, "username", "username = bob"] {
        assert_eq!(code(list(bad).await), "InvalidParameterException", "{bad}");
    }
    let only = client.list_users().user_pool_id(POOL).attributes_to_get("email").send().await.unwrap();
    assert_eq!(only.users()[0].attributes().len(), 1);
}

#[tokio::test]
async fn a_user_is_in_100_groups_and_a_pool_has_10_000() {
    let stack = stack().await;
    let client = cognito(&stack);
    user(&client, "bob").await;
    let services = |operation: &str, group: &str| {
        let body = format!(r#"{{"UserPoolId":"{POOL}","GroupName":"{group}","Username":"bob"}}"#);
        stack.in_process(operation, &body)
    };
    for number in 0..10_000 {
        services("CreateGroup", &format!("g{number}")).unwrap();
    }
    assert_eq!(services("CreateGroup", "more").unwrap_err().code, "LimitExceededException");
    assert_eq!(services("CreateGroup", "g0").unwrap_err().code, "GroupExistsException");
    for number in 0..100 {
        services("AdminAddUserToGroup", &format!("g{number}")).unwrap();
    }
    let add = client.admin_add_user_to_group().user_pool_id(POOL).username("bob");
    assert_eq!(code(add.clone().group_name("g100").send().await), "LimitExceededException");
    add.group_name("g99").send().await.unwrap();
}

#[tokio::test]
async fn groups_keep_their_description_and_change_it() {
    let stack = stack().await;
    let client = cognito(&stack);
    let create = client.create_group().user_pool_id(POOL).group_name("staff").description("instep:x").precedence(3);
    create.send().await.unwrap();
    client.update_group().user_pool_id(POOL).group_name("staff").description("instep:y").send().await.unwrap();
    let group = client.get_group().user_pool_id(POOL).group_name("staff").send().await.unwrap().group.unwrap();
    assert_eq!((group.description(), group.precedence()), (Some("instep:y"), Some(3)));
    let absent = client.update_group().user_pool_id(POOL).group_name("none").description("x");
    assert_eq!(code(absent.send().await), "ResourceNotFoundException");
    let long = client.create_group().user_pool_id(POOL).group_name("long").description("x".repeat(2049));
    assert_eq!(code(long.send().await), "InvalidParameterException");
}

#[tokio::test]
async fn an_unknown_operation_is_refused() {
    let stack = stack().await;
    let client = cognito(&stack);
    assert_eq!(code(client.list_user_pools().max_results(1).send().await), "UnknownOperationException");
}
