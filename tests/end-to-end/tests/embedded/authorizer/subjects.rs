//! Whom a token stands for.

use instep_authorizer_function::TokenUse;
use instep_local::SignIn;
use instep_model::Model;
use serde_json::json;

use super::gateway::{ApiKind, send};
use super::pool::{Issuer, TestKey, signed};
use super::{Api, METERS, authorizer, claims, header, sub, token};
use crate::world::World;

/// Promise: the account that serves the item is its user, and no other of the same name.
#[tokio::test]
async fn an_account_that_does_not_serve_the_item_gets_nothing() {
    let api = Api::open().await;
    let authorizer = api.authorizer();
    let (own, other) = (api.sub("us-1").await, api.sub("us-2").await);
    let status =
        async |sub: &str, user: &str| send(&authorizer, ApiKind::Http2, METERS, &token(&api.issuer, sub, user)).await.0;
    assert_eq!(status(&own, "us-1").await, 200);
    assert_eq!(status(&other, "us-1").await, 403, "another account under the name, such as an earlier one");
    assert_eq!(status(&own, "us-2").await, 403);
    assert_eq!(status(&own, "nobody").await, 403);
    assert_eq!(status(&own, "us-1#METADATA").await, 403, "a name that no key has");
    api.world.delete(("PK", "SK"), ("USER#us-1", "METADATA")).await;
    assert_eq!(status(&own, "us-1").await, 403, "its item is deleted");
    api.world.drain().await;
    api.world.put(super::items()[3].clone()).await;
    assert_eq!(status(&own, "us-1").await, 403, "and written again: until a run gives it its account");
}

async fn people(member: &str) -> (World, Issuer) {
    let text = format!(
        "model = \"family\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\nnames.role = [\"owner\", \"member\"]\n[items]\n\
         Family = {{ pk = \"FAMILY#{{familyId}}\", sk = \"FAMILY\", cognito.groups = \"family:{{familyId}}:{{role}}\" }}\n\
         Person = {{ pk = \"PERSON#{{personId}}\", sk = \"PERSON\" }}\n\
         [items.Member]\npk = \"FAMILY#{{familyId}}\"\nsk = \"MEMBER#{{memberId}}\"\nparent = \"Family\"\n{member}\n"
    );
    let world = World::of(Model::parse("family.toml", &text).unwrap(), std::time::Duration::ZERO).await;
    let items = [
        json!({ "PK": "FAMILY#f1", "SK": "FAMILY" }),
        json!({ "PK": "FAMILY#f2", "SK": "FAMILY" }),
        json!({ "PK": "FAMILY#f1", "SK": "MEMBER#s-ann", "role": "owner" }),
        json!({ "PK": "PERSON#s-ann", "SK": "PERSON" }),
    ];
    for item in items {
        world.put(item).await;
    }
    (world, Issuer::open().await)
}

const FAMILY: &str = "[\"GET /families/{familyId}\"]\nrole = [\"owner\"]\nat = \"Family\"\n";

async fn family_status(world: &World, issuer: &Issuer, sub: &str, user: &str, family: &str) -> u16 {
    let authorizer = authorizer(world, issuer, FAMILY, ("table", TokenUse::Access));
    let (method, path) = ("GET", format!("/families/{family}"));
    let token = signed(TestKey::Pool, &header(TestKey::Pool), &claims(issuer, sub, user));
    let event = json!({
        "version": "2.0", "type": "REQUEST", "routeKey": "GET /families/{familyId}",
        "pathParameters": { "familyId": family }, "headers": { "authorization": token },
        "requestContext": { "http": { "method": method, "path": path } },
    });
    super::gateway::send_event(&authorizer, &event, crate::world::now()).await.0
}

/// Promise: whom items name by `sub` is the account with this `sub`, whatever its user name.
#[tokio::test]
async fn people_who_sign_up_are_known_by_what_the_model_says() {
    let itself = "grant = { subject = \"Member\", scope = \"Family\", roles = \"role\" }\n\
                  cognito.member = { user = { VALUE = \"{memberId}\" }, group = \"Family\" }";
    let linked = "grant = { subject = { type = \"Person\", personId = \"{memberId}\", find = \"back-reference\" }, scope = \"Family\", roles = \"role\" }\n\
                  cognito.member = { user = { VALUE = \"{memberId}\" }, group = \"Family\" }";
    for member in [itself, linked] {
        let (world, issuer) = people(&member.replace("VALUE", "sub")).await;
        let status =
            async |sub: &str, user: &str, family: &str| family_status(&world, &issuer, sub, user, family).await;
        assert_eq!(status("s-ann", "anything", "f1").await, 200, "{member}");
        assert_eq!(status("s-ann", "anything", "f2").await, 403, "{member}");
        assert_eq!(status("s-bob", "s-ann", "f1").await, 403, "a user name is no `sub`: {member}");
        assert_eq!(status("s-ann", "s-bob", "nothing").await, 403, "{member}");
        let (world, issuer) = people(&member.replace("VALUE", "name")).await;
        let status =
            async |sub: &str, user: &str, family: &str| family_status(&world, &issuer, sub, user, family).await;
        assert_eq!(status("anything", "s-ann", "f1").await, 200, "{member}");
        assert_eq!(status("s-ann", "s-bob", "f1").await, 403, "a `sub` is no user name: {member}");
    }
}

/// Where the pool makes the names of users, only the address of an ID token finds the item, and only its account is its user.
#[tokio::test]
async fn an_address_finds_an_item_and_proves_nothing() {
    let world = World::with_pool("access-management", |pool| pool.sign_in = SignIn::Addresses).await;
    for item in [
        json!({ "pk": "U:ann@example.com", "sk": "U:ann@example.com", "email": "ann@example.com", "state": "enabled" }),
        json!({ "pk": "G:/usa", "sk": "G:/usa" }),
        json!({ "pk": "U:ann@example.com", "sk": "G:/usa", "role": "admin" }),
    ] {
        world.put(item).await;
    }
    world.drain().await;
    let issuer = Issuer::open().await;
    let routes = "[\"DELETE /groups/{groupId+}\"]\nrole = \"admin\"\nat = \"Group\"\n";
    let authorizer = authorizer(&world, &issuer, routes, ("table", TokenUse::Id));
    let own = sub(&world, "ann@example.com").await;
    let status = async |sub: &str, email: &str, group: &str| {
        let mut claims = claims(&issuer, sub, "");
        let name = sub.to_owned();
        for (name, value) in
            [("cognito:username", name.as_str()), ("aud", super::CLIENT), ("token_use", "id"), ("email", email)]
        {
            claims[name] = json!(value);
        }
        let event = json!({
            "type": "REQUEST", "httpMethod": "DELETE", "resource": "/groups/{groupId+}", "methodArn": "arn",
            "pathParameters": { "groupId": group },
            "headers": { "authorization": signed(TestKey::Pool, &header(TestKey::Pool), &claims) },
        });
        super::gateway::send_event(&authorizer, &event, crate::world::now()).await.0
    };
    assert_eq!(status(&own, "ann@example.com", "usa").await, 200);
    assert_eq!(status(&own, "ann@example.com", "usa/west").await, 403, "there is no such group");
    assert_eq!(status("another", "ann@example.com", "usa").await, 403, "somebody has taken the address");
    assert_eq!(status(&own, "bob@example.com", "usa").await, 403);
    for forged in ["usa%252Fwest", "usa%2F", "%2Fusa", "usa//", "usa/..", ""] {
        assert_eq!(status(&own, "ann@example.com", forged).await, 403, "{forged}");
    }
}
