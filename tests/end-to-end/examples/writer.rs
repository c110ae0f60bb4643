//! Writes with Instep's library for writers, against an embedded DynamoDB. Run it with
//! `cargo run --example writer`.

use std::error::Error;
use std::sync::Arc;

use instep_aws::writer::{WriteConflict, WriteError, Writer};
use instep_local::{Clock, Stack, StackOptions};
use instep_model::Model;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A user of the shipped model `authorization`. Its guards keep `email` unique.
#[derive(Debug, Serialize, Deserialize)]
struct User {
    email: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tenant {
    name: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct TenantGrant {
    roles: Vec<String>,
}

#[tokio::main]
#[allow(dead_code, reason = "a test includes this file, and calls `run` itself")]
#[expect(clippy::print_stdout, reason = "it shows what happens")]
async fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::shipped("authorization").ok_or("no such model")?;
    run(Arc::new(model), Timestamp::UNIX_EPOCH, |line| println!("{line}")).await
}

/// Runs the example, and shows each step with `print`.
///
/// # Errors
/// The stack cannot be opened, or a write fails that is expected to succeed.
pub async fn run(model: Arc<Model>, now: Timestamp, mut print: impl FnMut(String)) -> Result<(), Box<dyn Error>> {
    let options = StackOptions { dir: None, table: "table".to_owned(), clock: Clock::new(now) };
    let stack = Stack::open(&model, options).await?;
    // On AWS: `aws_sdk_dynamodb::Client::new(&aws_config::load_from_env().await)`.
    let dynamodb = aws_sdk_dynamodb::Client::new(&stack.sdk_config());
    let writer = Writer::new(dynamodb, model, "table");

    let mut transaction = writer.begin(now);
    transaction.create("Tenant", &[("tenantId", "t1")], &Tenant { name: "Docks".to_owned() })?;
    transaction.create("User", &[("userId", "ann")], &User { email: "ann@example.com".to_owned() })?;
    let admin = TenantGrant { roles: vec!["admin".to_owned()] };
    transaction.create("TenantGrant", &[("tenantId", "t1"), ("userId", "ann")], &admin)?;
    transaction.commit().await?;
    print("created a tenant, a user and a grant, with their guards, in one transaction".to_owned());

    let mut transaction = writer.begin(now);
    transaction.create("User", &[("userId", "bob")], &User { email: "ann@example.com".to_owned() })?;
    match transaction.commit().await {
        Ok(()) => print("created a second user".to_owned()),
        Err(error) if error.can_retry() => print(format!("DynamoDB is busy: {error}")),
        Err(error) => {
            print(format!("refused: {error}"));
            if let WriteError::Conflict(conflicts) = &error {
                let taken = conflicts.iter().filter_map(|conflict| match conflict {
                    WriteConflict::Taken { values, .. } => Some(values),
                    WriteConflict::Exists { .. } | WriteConflict::Changed { .. } => None,
                });
                taken.for_each(|values| print(format!("taken: {values:?}")));
            }
        }
    }

    let mut user: User = writer.get("User", &[("userId", "ann")]).await?.ok_or("no such user")?;
    print(format!("read {user:?}"));
    user.email = "ann@example.org".to_owned();
    let mut transaction = writer.begin(now);
    transaction.put("User", &[("userId", "ann")], &user).await?;
    transaction.commit().await?;
    print("changed the address: the old value is free, the new one is claimed".to_owned());

    let mut transaction = writer.begin(now);
    transaction.rename("User", &[("userId", "ann")], &[("userId", "anna")], &user).await?;
    transaction.delete("TenantGrant", &[("tenantId", "t1"), ("userId", "ann")]).await?;
    transaction.create("TenantGrant", &[("tenantId", "t1"), ("userId", "anna")], &admin)?;
    transaction.commit().await?;
    print("renamed the user, and replaced the grant".to_owned());

    print("the table:".to_owned());
    for item in stack.state().await?.items {
        let text = |name: &str| item.get(name).and_then(|value| value.to_text()).unwrap_or_default();
        print(format!("  {} | {}", text("PK"), text("SK")));
    }
    Ok(())
}
