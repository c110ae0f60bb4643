//! Look: the truth of what was asked for, strongly consistent where DynamoDB can.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, PutRequest, WriteRequest};
use futures::stream::{self, StreamExt as _};
use instep_flow::truth::{Asks, Query, Truth};
use instep_model::{Item, Key};
use tokio::time::Instant;

use crate::attributes::{item_from_sdk, item_to_sdk, key_to_sdk};
use crate::call::{Backoff, Failure, call};
use crate::handler::Instep;

/// Keys of one BatchGetItem. Source: DynamoDB API reference, BatchGetItem.
const BATCH_GET_KEYS_MAX: usize = 100;

/// Items of one BatchWriteItem. Source: DynamoDB API reference, BatchWriteItem.
const BATCH_WRITE_ITEMS_MAX: usize = 25;

/// Calls that look at the same time.
const CONCURRENT_LOOKS: usize = 8;

/// Most rows that are looked at for one question (who waits, who else holds): beyond, the first decide.
const ROWS_MAX: usize = 1_000;

/// A page of rows.
pub(crate) struct Rows {
    pub(crate) rows: Vec<Item>,
    /// Where the next page begins.
    pub(crate) next: Option<HashMap<String, AttributeValue>>,
}

impl Instep {
    /// Looks at everything asked for and notes what was found.
    pub(crate) async fn look(&self, asks: &Asks, truth: &mut Truth, deadline: Option<Instant>) -> Result<(), Failure> {
        let keys: Vec<&Key> = asks.keys.iter().collect();
        let batches: Vec<Vec<&Key>> = keys.chunks(BATCH_GET_KEYS_MAX).map(<[_]>::to_vec).collect();
        let mut items = stream::iter(batches).map(|batch| self.batch_get(batch, deadline)).buffered(CONCURRENT_LOOKS);
        while let Some(found) = items.next().await {
            for (key, item) in found? {
                truth.insert(key, item);
            }
        }
        let mut rows = stream::iter(&asks.queries)
            .map(|query| async move { (query, self.all_rows(query, deadline).await) })
            .buffered(CONCURRENT_LOOKS);
        while let Some((query, found)) = rows.next().await {
            truth.insert_rows(query.clone(), found?);
        }
        Ok(())
    }

    async fn batch_get(&self, keys: Vec<&Key>, deadline: Option<Instant>) -> Result<Vec<(Key, Option<Item>)>, Failure> {
        let model = &*self.model;
        let mut found: HashMap<Key, Item> = HashMap::with_capacity(keys.len());
        let mut left: Vec<_> = keys.iter().map(|key| key_to_sdk(model, key)).collect();
        let mut backoff = Backoff::new(deadline);
        loop {
            let request = KeysAndAttributes::builder().set_keys(Some(left)).consistent_read(true).build();
            let request = request.map_err(|error| Failure::Transient(error.to_string()))?;
            let table = &self.settings.table;
            let answer =
                call(deadline, || self.clients.dynamodb.batch_get_item().request_items(table, request.clone()).send())
                    .await?;
            let items = answer.responses.unwrap_or_default().remove(table).unwrap_or_default();
            for item in items.into_iter().map(item_from_sdk) {
                if let Some(key) = model.table.key_of(&item) {
                    found.insert(key, item);
                }
            }
            let unprocessed = answer.unprocessed_keys.unwrap_or_default().remove(table);
            left = unprocessed.map(|unprocessed| unprocessed.keys).unwrap_or_default();
            if left.is_empty() {
                return Ok(keys.into_iter().map(|key| (key.clone(), found.remove(key))).collect());
            }
            if !backoff.wait().await {
                return Err(Failure::Transient("keys left unprocessed".to_owned()));
            }
        }
    }

    async fn all_rows(&self, query: &Query, deadline: Option<Instant>) -> Result<Vec<Item>, Failure> {
        let mut rows = Vec::new();
        let mut next = None;
        loop {
            let page = self.rows(query, next, ROWS_MAX, deadline).await?;
            rows.extend(page.rows);
            next = page.next;
            if next.is_none() || rows.len() >= ROWS_MAX {
                return Ok(rows);
            }
        }
    }

    /// One page of rows, `limit` at most.
    pub(crate) async fn rows(
        &self,
        query: &Query,
        from: Option<HashMap<String, AttributeValue>>,
        limit: usize,
        deadline: Option<Instant>,
    ) -> Result<Rows, Failure> {
        let sorted = !query.sk_prefix.is_empty();
        let condition = if sorted { "#pk = :pk AND begins_with(#sk, :sk)" } else { "#pk = :pk" };
        let answer = call(deadline, || {
            let mut request = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.settings.table)
                .set_index_name(query.index.clone())
                // An index of its own is never consistent; what it shows is confirmed before anything is done about it.
                .consistent_read(query.index.is_none())
                .key_condition_expression(condition)
                .expression_attribute_names("#pk", &query.pk_attribute)
                .expression_attribute_values(":pk", AttributeValue::S(query.pk.clone()))
                .limit(i32::try_from(limit).unwrap_or(i32::MAX))
                .set_exclusive_start_key(from.clone());
            if sorted {
                request = request
                    .expression_attribute_names("#sk", &query.sk_attribute)
                    .expression_attribute_values(":sk", AttributeValue::S(query.sk_prefix.clone()));
            }
            request.send()
        })
        .await?;
        let rows = answer.items.unwrap_or_default().into_iter().map(item_from_sdk).collect();
        Ok(Rows { rows, next: answer.last_evaluated_key })
    }

    /// Puts items whatever was there, 25 to a call.
    pub(crate) async fn put_all(&self, items: &[&Item], deadline: Option<Instant>) -> Result<(), Failure> {
        for batch in items.chunks(BATCH_WRITE_ITEMS_MAX) {
            let requests: Result<Vec<_>, _> = batch
                .iter()
                .map(|item| PutRequest::builder().set_item(Some(item_to_sdk(item))).build())
                .map(|put| put.map(|put| WriteRequest::builder().put_request(put).build()))
                .collect();
            let mut left = requests.map_err(|error| Failure::Transient(error.to_string()))?;
            let mut backoff = Backoff::new(deadline);
            let table = &self.settings.table;
            while !left.is_empty() {
                let answer = call(deadline, || {
                    self.clients.dynamodb.batch_write_item().request_items(table, left.clone()).send()
                })
                .await?;
                left = answer.unprocessed_items.unwrap_or_default().remove(table).unwrap_or_default();
                if !left.is_empty() && !backoff.wait().await {
                    return Err(Failure::Transient("items left unprocessed".to_owned()));
                }
            }
        }
        Ok(())
    }
}
