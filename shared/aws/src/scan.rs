//! The table, page by page, and records of its items: as if each had just been created or deleted.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use instep_flow::implied::needed_item;
use instep_model::{Item, Model};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::Instant;

use crate::attributes::item_from_sdk;
use crate::call::{CallFailure, call};
use crate::instep::Instep;
use crate::send_work::RECORD_BYTES_MAX;
use crate::table::Table;

/// The start of a page.
pub(crate) type From = Option<HashMap<String, AttributeValue>>;

/// How the table is read.
#[derive(Default)]
struct How {
    is_consistent: bool,
    /// One of so many segments.
    segment: Option<(u32, u32)>,
    /// At most so many items in a page.
    rows: Option<i32>,
}

/// A page of the table.
#[derive(Debug)]
pub struct ScanPage {
    /// Its items.
    pub items: Vec<Item>,
    /// The start of the next page. `None` after the last.
    pub next: From,
    /// The capacity units that the read consumed.
    pub capacity: f64,
}

impl Instep {
    /// Reads a page of the table, at most 1 MB. Source: Amazon DynamoDB API Reference, Scan.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn scan_page(&self, from: From, deadline: Option<Instant>) -> Result<ScanPage, CallFailure> {
        self.table.scan(from, How::default(), deadline).await
    }

    /// As [`Instep::scan_page`], with everything that was written before. It consumes twice as much.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn scan_page_consistently(&self, from: From, deadline: Option<Instant>) -> Result<ScanPage, CallFailure> {
        self.table.scan(from, How { is_consistent: true, ..How::default() }, deadline).await
    }

    /// A page of a segment: at most `rows` items, and at most 1 MB.
    pub(crate) async fn segment_page(
        &self,
        segment: (u32, u32),
        from: From,
        rows: i32,
        deadline: Option<Instant>,
    ) -> Result<ScanPage, CallFailure> {
        self.table.scan(from, How { segment: Some(segment), rows: Some(rows), ..How::default() }, deadline).await
    }
}

impl Table {
    async fn scan(&self, from: From, how: How, deadline: Option<Instant>) -> Result<ScanPage, CallFailure> {
        let How { is_consistent, segment, rows } = how;
        let as_i32 = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        let scan = || {
            let request = self.dynamodb.scan().table_name(&self.name).consistent_read(is_consistent);
            let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total).set_limit(rows);
            let request = request.set_segment(segment.map(|(nth, _)| as_i32(nth)));
            let request = request.set_total_segments(segment.map(|(_, of)| as_i32(of)));
            request.set_exclusive_start_key(from.clone()).send()
        };
        let answer = call(deadline, scan).await?;
        let consumed = answer.consumed_capacity.as_ref().and_then(|consumed| consumed.capacity_units);
        let items = answer.items.unwrap_or_default().into_iter().map(item_from_sdk).collect();
        Ok(ScanPage { items, next: answer.last_evaluated_key, capacity: consumed.unwrap_or_default() })
    }
}

/// As [`as_created`], for a record that publishes nothing. If it fits no message, it has only what
/// effects depend on: the run over it reads the item.
#[must_use]
pub(crate) fn as_found(model: &Model, item: &Item) -> Option<Box<RawValue>> {
    let record = as_created(model, item)?;
    if record.get().len() <= RECORD_BYTES_MAX { Some(record) } else { as_created(model, &needed_item(model, item)) }
}

/// The stream record that the creation of an item would produce. `None` if it cannot be written as
/// JSON.
#[must_use]
pub fn as_created(model: &Model, item: &Item) -> Option<Box<RawValue>> {
    record(model, item, "INSERT", "NewImage")
}

/// The stream record that the deletion of an item would produce.
#[must_use]
pub(crate) fn as_deleted(model: &Model, item: &Item) -> Option<Box<RawValue>> {
    record(model, item, "REMOVE", "OldImage")
}

fn record(model: &Model, item: &Item, event: &str, image: &str) -> Option<Box<RawValue>> {
    let is_key = |name: &String| *name == model.table.pk || *name == model.table.sk;
    let keys: Item =
        item.iter().filter(|(name, _)| is_key(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
    let body = json!({"Keys": keys, image: item, "SequenceNumber": "0"});
    to_raw_value(&json!({"eventName": event, "dynamodb": body})).ok()
}
