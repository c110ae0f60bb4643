//! The rows of the read model, in a DynamoDB table.

use std::collections::HashMap;
use std::fmt::Write as _;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::scan::ScanError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use instep_contract::{Detail, EventVerb};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The digits of the largest `index`.
const INDEX_DIGITS: usize = 10;

/// The bytes of a row's hash.
const HASH_BYTES: usize = 16;

/// A delivery cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// It is no event of Instep: delivering it again does not help.
    #[error("it is no event: {0}")]
    NoEvent(#[from] serde_json::Error),
    /// The table cannot be written.
    #[error("the table cannot be written: {0}")]
    Write(#[from] Box<SdkError<UpdateItemError>>),
    /// The table cannot be read.
    #[error("the table cannot be read: {0}")]
    Read(#[from] Box<SdkError<ScanError>>),
}

/// What an event did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowChange {
    /// Its row says now what it says.
    Changed,
    /// A later event of its row was applied before, or the same one.
    Older,
    /// It is no event of a grant.
    OfNoGrant,
}

/// Who has which role where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The subject's entity.
    pub entity: String,
    /// The subject's id.
    pub entity_id: String,
    /// The scope. `None`: everywhere.
    pub scope: Option<String>,
    /// The role. `None`: the grant has none.
    pub role: Option<String>,
}

/// The table of rows.
#[derive(Debug, Clone)]
pub struct Rows {
    client: Client,
    table: String,
}

impl Rows {
    /// The rows in this table. Its keys are `subject` and `grant`.
    #[must_use]
    pub const fn new(client: Client, table: String) -> Self {
        Self { client, table }
    }

    /// Applies an event: writes its row, if the row has no later one.
    ///
    /// # Errors
    /// The table cannot be written.
    pub async fn apply(&self, detail: &Detail) -> Result<RowChange, RowsError> {
        let Detail { metadata, data } = detail;
        let is_granted = match metadata.verb {
            EventVerb::Granted => true,
            EventVerb::Revoked => false,
            EventVerb::Created | EventVerb::Updated | EventVerb::Deleted | EventVerb::Conflicted | EventVerb::Other => {
                return Ok(RowChange::OfNoGrant);
            }
        };
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let optional = |value: &Option<String>| value.as_deref().map_or(AttributeValue::Null(true), text);
        // Two items can give one role: each has a row of its own, because only the events of one item have an order.
        let grant = hash(&[Some(&metadata.item), data.scope_entity.as_ref(), data.scope.as_ref(), data.role.as_ref()]);
        let place = format!("{}/{:0>INDEX_DIGITS$}", metadata.sequence, metadata.index);
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .key("subject", text(&format!("{}#{}", metadata.entity, metadata.entity_id)))
            .key("grant", text(&grant))
            .update_expression(
                "SET #place = :place, #granted = :granted, #id = :id, #entity = :entity, #entityId = :entityId, \
                 #scope = :scope, #role = :role, #item = :item",
            )
            .condition_expression("attribute_not_exists(#place) OR #place < :place");
        let names = ["place", "granted", "id", "entity", "entityId", "scope", "role", "item"];
        let update =
            names.iter().fold(update, |update, name| update.expression_attribute_names(format!("#{name}"), *name));
        let update = update
            .expression_attribute_values(":place", text(&place))
            .expression_attribute_values(":granted", AttributeValue::Bool(is_granted))
            .expression_attribute_values(":id", text(&metadata.id))
            .expression_attribute_values(":entity", text(&metadata.entity))
            .expression_attribute_values(":entityId", text(&metadata.entity_id))
            .expression_attribute_values(":scope", optional(&data.scope))
            .expression_attribute_values(":role", optional(&data.role))
            .expression_attribute_values(":item", text(&metadata.item));
        match update.send().await {
            Ok(_) => Ok(RowChange::Changed),
            Err(error) if is_older(&error) => Ok(RowChange::Older),
            Err(error) => Err(Box::new(error).into()),
        }
    }

    /// Every row that is granted now, sorted.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn all(&self) -> Result<Vec<Row>, RowsError> {
        let (mut rows, mut from) = (Vec::new(), None);
        loop {
            let scan = self.client.scan().table_name(&self.table).consistent_read(true);
            let page = scan.set_exclusive_start_key(from).send().await.map_err(Box::new)?;
            rows.extend(page.items.unwrap_or_default().iter().filter_map(row));
            from = page.last_evaluated_key;
            if from.is_none() {
                rows.sort();
                rows.dedup();
                return Ok(rows);
            }
        }
    }
}

fn is_older(error: &SdkError<UpdateItemError>) -> bool {
    error.as_service_error().is_some_and(UpdateItemError::is_conditional_check_failed_exception)
}

fn row(item: &HashMap<String, AttributeValue>) -> Option<Row> {
    let is_granted = item.get("granted").and_then(|value| value.as_bool().ok()).is_some_and(|granted| *granted);
    let text = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).cloned();
    is_granted.then_some(())?;
    Some(Row { entity: text("entity")?, entity_id: text("entityId")?, scope: text("scope"), role: text("role") })
}

/// A short text for what may be longer than a sort key.
fn hash(parts: &[Option<&String>]) -> String {
    let mut hash = Sha256::new();
    // JSON, so that different parts never give the same bytes.
    hash.update(serde_json::to_vec(parts).unwrap_or_default());
    hash.finalize().iter().take(HASH_BYTES).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
