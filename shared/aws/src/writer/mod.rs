//! For writers: items of a model in and out of the table as structs, with their keys and guards.
//!
//! A [`Writer`] needs only a client of DynamoDB, a model and the table's name. It reads items with
//! [`Writer::get`], and writes them in a [`Transaction`]: all of its changes or none.
//!
//! ```no_run
//! # async fn example(dynamodb: aws_sdk_dynamodb::Client, now: jiff::Timestamp) -> Result<(), Box<dyn std::error::Error>> {
//! use instep_aws::writer::Writer;
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct User {
//!     email: String,
//! }
//!
//! let model = instep_model::Model::load("model.toml".as_ref())?;
//! let writer = Writer::new(dynamodb, model.into(), "table");
//! let mut transaction = writer.begin(now);
//! transaction.create("User", &[("userId", "u1")], &User { email: "ann@example.com".to_owned() })?;
//! transaction.commit().await?;
//! let user: Option<User> = writer.get("User", &[("userId", "u1")]).await?;
//! # Ok(())
//! # }
//! ```

mod error;
mod transaction;

use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use instep_flow::writer::{self, Stored};
use instep_model::{Item, Model, Names, Object};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

pub use error::WriteError;
pub use instep_flow::writer::{WriteConflict, WriterError};
pub use transaction::Transaction;

use crate::attributes::{item_from_sdk, item_to_sdk};
use crate::table::Table;

/// The names in a key, with their values: `[("userId", "u1")]`.
pub type KeyNames<'a> = [(&'a str, &'a str)];

/// Reads and writes the items of one table. It needs no bus, pool or queue. Clones share the
/// client.
#[derive(Debug, Clone)]
pub struct Writer {
    model: Arc<Model>,
    table: Table,
    deadline: Option<Instant>,
}

impl Writer {
    /// A writer for the table of this name, which `model` describes.
    #[must_use]
    pub fn new(dynamodb: Client, model: Arc<Model>, table: impl Into<String>) -> Self {
        let table = Table { dynamodb, name: table.into(), model: Arc::clone(&model) };
        Self { model, table, deadline: None }
    }

    /// The same writer, with a time at which its calls must have ended. Without one, the writer
    /// gives up a busy service after six attempts.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// A transaction without changes. `now` is written where the model has `{now}`.
    #[must_use]
    pub fn begin(&self, now: Timestamp) -> Transaction<'_> {
        Transaction::new(self, now)
    }

    /// The item of these names, by a strongly consistent read. `None` if there is none.
    ///
    /// # Errors
    /// The names make no key of this type, the item does not fit the struct, or DynamoDB fails.
    pub async fn get<T: DeserializeOwned>(&self, of: &str, names: &KeyNames<'_>) -> Result<Option<T>, WriteError> {
        let object = self.object(of, names)?;
        let Some((_, item)) = self.read(&object).await? else { return Ok(None) };
        let found = serde_dynamo::from_item(item_to_sdk(&item));
        found.map(Some).map_err(|error| WriteError::Struct { item: of.to_owned(), why: error.to_string() })
    }

    fn object(&self, of: &str, names: &KeyNames<'_>) -> Result<Object, WriteError> {
        Ok(writer::object(&self.model, of, &owned(names))?)
    }

    fn item<T: Serialize>(of: &str, value: &T) -> Result<Item, WriteError> {
        let item = serde_dynamo::to_item(value);
        item.map(item_from_sdk).map_err(|error| WriteError::Struct { item: of.to_owned(), why: error.to_string() })
    }

    /// An object's item, under whichever spelling of its key.
    async fn read(&self, object: &Object) -> Result<Option<(instep_model::Key, Item)>, WriteError> {
        let keys = self.model.keys(object).map_err(WriterError::from)?;
        let found = self.table.batch_get(keys.iter().collect(), None, self.deadline).await;
        let found = found.map_err(|failure| WriteError::from_call("BatchGetItem", &failure))?;
        Ok(found.into_iter().find_map(|(key, item)| Some((key, item?))))
    }

    /// An object's item, and those of its guards that name it.
    async fn stored(&self, object: &Object) -> Result<Option<Stored>, WriteError> {
        let Some((key, item)) = self.read(object).await? else { return Ok(None) };
        let guards = writer::guards(&self.model, object, &item);
        let mut stored = Stored { key, item, guards: std::collections::BTreeMap::new() };
        if guards.is_empty() {
            return Ok(Some(stored));
        }
        let found = self.table.batch_get(guards.keys().collect(), None, self.deadline).await;
        for (key, item) in found.map_err(|failure| WriteError::from_call("BatchGetItem", &failure))? {
            if let (Some(guard), Some(item)) = (guards.get(&key), item)
                && instep_flow::implied::owner(&self.model, guard, &item).as_ref() == Some(object)
            {
                stored.guards.insert(guard.clone(), key);
            }
        }
        Ok(Some(stored))
    }
}

fn owned(names: &KeyNames<'_>) -> Names {
    names.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
