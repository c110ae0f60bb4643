//! The rows of the read model, in a DynamoDB table.

use std::collections::HashMap;
use std::fmt::Write as _;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use instep_contract::{Detail, EventVerb, Metadata};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The digits of the largest `index`.
const INDEX_DIGITS: usize = 10;

/// The bytes of a row's hash.
const HASH_BYTES: usize = 16;

/// Both keys of the item that has the watermark of the last whole snapshot. No subject is called so: its entity would
/// have no name.
const WATERMARK: &str = "#watermark";

/// What stands for the place of an event in a row that is of a snapshot.
const NO_PLACE: &str = "";

/// A snapshot's row: what happened before its watermark is in it.
const ENTRY_IS_NEWER: &str = "attribute_not_exists(#at) OR #at < :at";

/// Events of one item have an order. A snapshot has seen what happened before its watermark.
const EVENT_IS_NEWER: &str = "attribute_not_exists(#at) OR (#place <> :noPlace AND #place < :place) \
                              OR (#place = :noPlace AND #at <= :at)";

/// A delivery cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// It is no event of Instep: delivering it again does not help.
    #[error("it is no event: {0}")]
    NoEvent(#[from] serde_json::Error),
    /// The table cannot be read or written.
    #[error("the table cannot be read or written: {0}")]
    Table(#[from] Box<aws_sdk_dynamodb::Error>),
}

/// What an event did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowChange {
    /// Its row says now what it says.
    Changed,
    /// Its row is newer, or says this already.
    Older,
    /// A whole snapshot ended: what it does not have is deleted.
    Swept,
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

/// What a row is to say.
struct Said<'a> {
    is_granted: bool,
    /// The event's place, or [`NO_PLACE`].
    place: String,
    /// When it happened, or the watermark.
    at: &'a str,
    /// When the row may be written.
    condition: &'static str,
}

impl Rows {
    /// The rows in this table. Its keys are `subject` and `grant`.
    #[must_use]
    pub const fn new(client: Client, table: String) -> Self {
        Self { client, table }
    }

    /// Applies an event: writes its row, if the row is not newer. The end of a whole snapshot deletes what the snapshot
    /// does not have.
    ///
    /// # Errors
    /// The table cannot be read or written.
    pub async fn apply(&self, detail: &Detail) -> Result<RowChange, RowsError> {
        let metadata = &detail.metadata;
        let said = match (metadata.verb, &metadata.snapshot) {
            (EventVerb::Granted, Some(mark)) => {
                Said { is_granted: true, place: NO_PLACE.to_owned(), at: &mark.watermark, condition: ENTRY_IS_NEWER }
            }
            (EventVerb::Granted, None) => of_event(metadata, true),
            (EventVerb::Revoked, _) => of_event(metadata, false),
            (EventVerb::Ended, Some(mark)) if mark.complete == Some(true) => return self.sweep(&mark.watermark).await,
            (
                EventVerb::Created
                | EventVerb::Updated
                | EventVerb::Deleted
                | EventVerb::Conflicted
                | EventVerb::Resolved
                | EventVerb::Started
                | EventVerb::Ended
                | EventVerb::Other,
                _,
            ) => return Ok(RowChange::OfNoGrant),
        };
        self.write(detail, said).await
    }

    async fn write(&self, detail: &Detail, said: Said<'_>) -> Result<RowChange, RowsError> {
        let Detail { metadata, data } = detail;
        let optional = |value: &Option<String>| value.as_deref().map_or(AttributeValue::Null(true), text);
        // Two items can give one role: each has a row of its own, because only the events of one item have an order.
        let grant = hash(&[Some(&metadata.item), data.scope_entity.as_ref(), data.scope.as_ref(), data.role.as_ref()]);
        let values = [
            ("at", text(said.at)),
            ("place", text(&said.place)),
            ("granted", AttributeValue::Bool(said.is_granted)),
            ("entity", text(&metadata.entity)),
            ("entityId", text(&metadata.entity_id)),
            ("scope", optional(&data.scope)),
            ("role", optional(&data.role)),
            ("item", text(&metadata.item)),
        ];
        let set: Vec<String> = values.iter().map(|(name, _)| format!("#{name} = :{name}")).collect();
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .key("subject", text(&format!("{}#{}", metadata.entity, metadata.entity_id)))
            .key("grant", text(&grant))
            .update_expression(format!("SET {}", set.join(", ")))
            .condition_expression(said.condition);
        let update = values.into_iter().fold(update, |update, (name, value)| {
            let update = update.expression_attribute_names(format!("#{name}"), name);
            update.expression_attribute_values(format!(":{name}"), value)
        });
        let update = if said.condition == EVENT_IS_NEWER {
            update.expression_attribute_values(":noPlace", text(NO_PLACE))
        } else {
            update
        };
        changed(update.send().await)
    }

    /// Deletes what was not changed since the watermark of a whole snapshot, and is not in it: roles that somebody has
    /// no more, and rows that were kept only because an older event could come.
    async fn sweep(&self, watermark: &str) -> Result<RowChange, RowsError> {
        // First the watermark: from now on no reader sees what is before it, even if it is written again.
        let update = self.client.update_item().table_name(&self.table);
        let update = update.key("subject", text(WATERMARK)).key("grant", text(WATERMARK));
        let update =
            update.update_expression("SET #at = :at").condition_expression("attribute_not_exists(#at) OR #at <= :at");
        let update = update.expression_attribute_names("#at", "at");
        if changed(update.expression_attribute_values(":at", text(watermark)).send().await)? == RowChange::Older {
            return Ok(RowChange::Older);
        }
        let mut from = None;
        loop {
            let scan = self.client.scan().table_name(&self.table).consistent_read(true).set_exclusive_start_key(from);
            let page = scan.send().await.map_err(failed)?;
            for item in page.items.unwrap_or_default().iter().filter(|item| is_before(item, watermark)) {
                self.delete(item, watermark).await?;
            }
            from = page.last_evaluated_key;
            if from.is_none() {
                return Ok(RowChange::Swept);
            }
        }
    }

    async fn delete(&self, item: &HashMap<String, AttributeValue>, watermark: &str) -> Result<(), RowsError> {
        let delete = self.client.delete_item().table_name(&self.table);
        let delete =
            delete.set_key(Some(["subject", "grant"].map(|name| key(item, name)).into_iter().flatten().collect()));
        // An event may have come since it was read.
        let delete = delete.condition_expression("#at < :at").expression_attribute_names("#at", "at");
        match delete.expression_attribute_values(":at", text(watermark)).send().await {
            Ok(_) => Ok(()),
            Err(error)
                if error.as_service_error().is_some_and(DeleteItemError::is_conditional_check_failed_exception) =>
            {
                Ok(())
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Every row that is granted now, sorted.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn all(&self) -> Result<Vec<Row>, RowsError> {
        let get = self.client.get_item().table_name(&self.table).consistent_read(true);
        let get = get.key("subject", text(WATERMARK)).key("grant", text(WATERMARK)).send().await.map_err(failed)?;
        let watermark = get.item.and_then(|item| text_of(&item, "at")).unwrap_or_default();
        let (mut rows, mut from) = (Vec::new(), None);
        loop {
            let scan = self.client.scan().table_name(&self.table).consistent_read(true);
            let page = scan.set_exclusive_start_key(from).send().await.map_err(failed)?;
            let items = page.items.unwrap_or_default();
            rows.extend(items.iter().filter(|item| !is_before(item, &watermark)).filter_map(row));
            from = page.last_evaluated_key;
            if from.is_none() {
                rows.sort();
                rows.dedup();
                return Ok(rows);
            }
        }
    }
}

fn of_event(metadata: &Metadata, is_granted: bool) -> Said<'_> {
    let place = format!("{}/{}/{:0>INDEX_DIGITS$}", metadata.epoch, metadata.sequence, metadata.index);
    // What says no time was before any snapshot.
    let at = metadata.recorded_at.as_deref().unwrap_or_default();
    Said { is_granted, place, at, condition: EVENT_IS_NEWER }
}

fn changed<T>(answer: Result<T, SdkError<UpdateItemError>>) -> Result<RowChange, RowsError> {
    match answer {
        Ok(_) => Ok(RowChange::Changed),
        Err(error) if error.as_service_error().is_some_and(UpdateItemError::is_conditional_check_failed_exception) => {
            Ok(RowChange::Older)
        }
        Err(error) => Err(failed(error)),
    }
}

fn failed(error: impl Into<aws_sdk_dynamodb::Error>) -> RowsError {
    Box::new(error.into()).into()
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn text_of(item: &HashMap<String, AttributeValue>, name: &str) -> Option<String> {
    item.get(name).and_then(|value| value.as_s().ok()).cloned()
}

fn key(item: &HashMap<String, AttributeValue>, name: &str) -> Option<(String, AttributeValue)> {
    Some((name.to_owned(), item.get(name)?.clone()))
}

fn is_before(item: &HashMap<String, AttributeValue>, watermark: &str) -> bool {
    text_of(item, "at").unwrap_or_default().as_str() < watermark
}

fn row(item: &HashMap<String, AttributeValue>) -> Option<Row> {
    let is_granted = item.get("granted").and_then(|value| value.as_bool().ok()).is_some_and(|granted| *granted);
    is_granted.then_some(())?;
    let text = |name: &str| text_of(item, name);
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
