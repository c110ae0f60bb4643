//! The authorizer behind API Gateway: only a valid token of a user to whom the table gives access gets through. The routes are
//! those of `examples/api`.

mod gateway;
mod pool;
mod requests;
mod subjects;
mod tokens;

use std::sync::Arc;

use instep_authorizer_function::{Authorizer, AuthorizerOptions, TokenUse};
use instep_aws::reader::Reader;
use instep_model::Model;
use instep_routes::Routes;
use serde_json::{Value, json};

use super::world::{World, now};
use pool::{Issuer, TestKey, signed};

const CLIENT: &str = "app-client";

/// The route that most tests use.
const METERS: &str = "GET /clients/cl-1/projects/pr-1/buildings/bu-1/meters";

const EXAMPLE: &str = include_str!("../../../../../examples/api/routes.toml");

/// A table, the users of its items, and who issues their tokens.
struct Api {
    world: World,
    issuer: Issuer,
}

fn items() -> [Value; 9] {
    let permissions = json!([{ "module": "energy", "action": "read", "resource": "meters" }]);
    [
        json!({ "PK": "CLIENT#cl-1", "SK": "METADATA", "Type": "Client" }),
        json!({ "PK": "CLIENT#cl-1", "SK": "PROJECT#pr-1", "Type": "Project", "client_id": "cl-1" }),
        json!({ "PK": "PROJECT#pr-1", "SK": "BUILDING#bu-1", "Type": "Building", "client_id": "cl-1" }),
        json!({ "PK": "USER#us-1", "SK": "METADATA", "Type": "User", "client_id": "cl-1", "email": "us-1@example.com" }),
        json!({ "PK": "USER#us-2", "SK": "METADATA", "Type": "User", "client_id": "cl-1", "email": "us-2@example.com" }),
        json!({ "PK": "CLIENT#cl-1", "SK": "ROLE#ro-reader", "Type": "Role", "client_id": "cl-1", "permissions": permissions }),
        json!({
            "PK": "USER#us-1", "SK": "ROLE#project#pr-1#ro-reader", "Type": "UserRoleAssignment",
            "expires_at": "2026-05-01T10:00:00Z",
        }),
        json!({ "PK": "CLIENT#cl-2", "SK": "METADATA", "Type": "Client" }),
        json!({ "PK": "CLIENT#cl-2", "SK": "PROJECT#pr-1", "Type": "Project", "client_id": "cl-2" }),
    ]
}

impl Api {
    async fn open() -> Self {
        let world = World::open("account-management").await;
        for item in items() {
            world.put(item).await;
        }
        world.drain().await;
        Self { world, issuer: Issuer::open().await }
    }

    fn authorizer(&self) -> Authorizer {
        self.authorizer_with("table", TokenUse::Access)
    }

    fn authorizer_with(&self, table: &str, token_use: TokenUse) -> Authorizer {
        authorizer(&self.world, &self.issuer, EXAMPLE, (table, token_use))
    }

    /// The `sub` of an account.
    async fn sub(&self, user: &str) -> String {
        sub(&self.world, user).await
    }

    /// A valid access token of a user.
    async fn token(&self, user: &str) -> String {
        token(&self.issuer, &self.sub(user).await, user)
    }
}

fn authorizer(world: &World, issuer: &Issuer, routes: &str, (table, token_use): (&str, TokenUse)) -> Authorizer {
    let model: Arc<Model> = world.model();
    let options = AuthorizerOptions {
        routes: Routes::parse(&model, "routes.toml", routes).unwrap(),
        issuer: issuer.url.clone(),
        clients: vec!["other-app".to_owned(), CLIENT.to_owned()],
        token_use,
    };
    Authorizer::new(Arc::clone(&model), Reader::new(world.client.clone(), model, table), options)
}

async fn sub(world: &World, user: &str) -> String {
    let found = world.instep.clients().cognito().admin_get_user().user_pool_id(world.stack.user_pool());
    let found = found.username(user).send().await.unwrap();
    found.user_attributes().iter().find(|own| own.name() == "sub").unwrap().value().unwrap().to_owned()
}

fn header(key: TestKey) -> Value {
    json!({ "alg": "RS256", "kid": key.id() })
}

/// What an access token says that Cognito makes.
fn claims(issuer: &Issuer, sub: &str, user: &str) -> Value {
    let seconds = now().as_second();
    json!({
        "iss": issuer.url, "sub": sub, "username": user, "client_id": CLIENT, "token_use": "access",
        "exp": seconds + 60, "iat": seconds - 60, "scope": "openid", "jti": "1", "cognito:groups": ["admin"],
    })
}

fn token(issuer: &Issuer, sub: &str, user: &str) -> String {
    signed(TestKey::Pool, &header(TestKey::Pool), &claims(issuer, sub, user))
}
