//! The table: reads in [`crate::read`], writes in [`crate::apply`], scans in [`crate::scan`].

use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use instep_model::Model;

/// A table that a model describes, and the client that reads and writes it.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) dynamodb: Client,
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
}
