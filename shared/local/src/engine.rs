//! The DynamoDB engine, in this process and on the loopback interface.

use std::net::Ipv4Addr;

use aws_smithy_http_client::Builder;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use dynoxide::actions::put_item::PutItemRequest;
use dynoxide::errors::DynoxideError;
use dynoxide::types::AttributeValue;
use dynoxide::{Database, ImportOptions};
use instep_model::{Item, Value};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::clock::Clock;
use crate::dir::Dir;
use crate::error::LocalError;
use crate::in_process::InProcess;
use crate::stream_index;

/// The DynamoDB engine and the server in front of it.
pub(crate) struct Engine {
    pub(crate) database: Database,
    pub(crate) url: String,
    /// The engine's client for the SDK.
    pub(crate) http: SharedHttpClient,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<Result<(), String>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Engine {
    pub(crate) async fn start(dir: Option<&Dir>, clock: &Clock) -> Result<Self, LocalError> {
        let database = match dir {
            Some(dir) => stream_index::open(&dir.table().to_string_lossy())?,
            None => stream_index::in_memory(clock)?,
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(LocalError::engine("listen"))?;
        let address = listener.local_addr().map_err(LocalError::engine("listen"))?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = dynoxide::server::serve_with_shutdown(listener, database.clone(), async move {
            // An error means that the stack was dropped. The server stops then, too.
            let _ = stopped.await;
        });
        let server = tokio::spawn(serve);
        let http = InProcess { database: database.clone(), http: Builder::new().build_http() };
        let http = SharedHttpClient::new(http);
        Ok(Self { database, url: format!("http://{address}"), http, stop: Some(stop), server })
    }

    /// Puts an item without a request over the loopback interface.
    pub(crate) fn put(&self, table: &str, item: &Item) -> Result<(), NotWritten> {
        let item = item.iter().map(|(name, value)| (name.clone(), attribute_value(value))).collect();
        let request = PutItemRequest { table_name: table.to_owned(), item, ..PutItemRequest::default() };
        match self.database.put_item(request) {
            Ok(_) => Ok(()),
            Err(
                error @ (DynoxideError::ValidationException(_)
                | DynoxideError::KeyEmptyValueValidation(_)
                | DynoxideError::EnvelopedValidation(_)),
            ) => Err(NotWritten::Refused(error.to_string())),
            Err(error) => Err(NotWritten::Failed(error.to_string())),
        }
    }

    /// Puts items without records in the stream.
    pub(crate) fn import(&self, table: &str, items: &[Item]) -> Result<(), LocalError> {
        let attributes =
            |item: &Item| item.iter().map(|(name, value)| (name.clone(), attribute_value(value))).collect();
        let items = items.iter().map(attributes).collect();
        let imported = self.database.import_items(table, items, ImportOptions::default());
        imported.map(drop).map_err(LocalError::engine("copy the table"))
    }

    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        let Self { database, http, server, .. } = self;
        drop((database, http));
        // A server that panicked has stopped, too.
        let _ = server.await;
    }
}

/// Why a write failed.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten {
    /// The table refuses the item permanently.
    #[error("the table refuses it: {0}")]
    Refused(String),
    /// The table failed.
    #[error("cannot write the table: {0}")]
    Failed(String),
}

fn attribute_value(value: &Value) -> AttributeValue {
    match value {
        Value::S(text) => AttributeValue::S(text.clone()),
        Value::N(digits) => AttributeValue::N(digits.clone()),
        Value::B(bytes) => AttributeValue::B(bytes.0.clone()),
        Value::Bool(is) => AttributeValue::BOOL(*is),
        Value::Null(is) => AttributeValue::NULL(*is),
        Value::L(values) => AttributeValue::L(values.iter().map(attribute_value).collect()),
        Value::M(values) => {
            AttributeValue::M(values.iter().map(|(name, value)| (name.clone(), attribute_value(value))).collect())
        }
        Value::Ss(texts) => AttributeValue::SS(texts.clone()),
        Value::Ns(digits) => AttributeValue::NS(digits.clone()),
        Value::Bs(all) => AttributeValue::BS(all.iter().map(|bytes| bytes.0.clone()).collect()),
    }
}
