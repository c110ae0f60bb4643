//! Read: the items that a run needs, strongly consistent where DynamoDB offers it.

use std::collections::{BTreeSet, HashMap};

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, PutRequest, WriteRequest};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::answers::{Answers, Asks, Page, PageAsk, Query};
use instep_model::{Item, Key};
use tokio::time::Instant;

use crate::attributes::{item_from_sdk, item_to_sdk, key_to_sdk};
use crate::call::{Backoff, CONCURRENT_READS, CallFailure, call};
use crate::instep::Instep;
use crate::part::{Projection, Projections};
use crate::run_options::RunOptions;
use crate::table::Table;

/// The maximum keys of one BatchGetItem. Source: DynamoDB API reference, BatchGetItem.
const BATCH_GET_KEYS_MAX: usize = 100;

/// The maximum items of one BatchWriteItem. Source: DynamoDB API reference, BatchWriteItem.
const BATCH_WRITE_ITEMS_MAX: usize = 25;

/// The number of concurrent calls that write back-references.
const CONCURRENT_WRITES: usize = 8;

/// The maximum rows of a page of a whole query (pending claims, other members), and the rows that are
/// read of it at least.
const ROWS_MAX: usize = 1_000;

/// The pages after which a whole query ends, if it has that many rows. A page has at most 1 MB. What
/// follows from rows that were not read stays as it is. INVARIANT 8.
const PAGES_MAX: usize = 10;

impl Instep {
    /// Reads all of this, at the same time.
    pub(crate) async fn read(&self, asks: &Asks, run: &RunOptions) -> Result<Answers, String> {
        self.read_parts(asks, None, run).await
    }

    /// As [`Instep::read`]. If `own` are the keys of the objects that a batch names, it reads of most other items only
    /// what effects depend on.
    pub(crate) async fn read_parts(
        &self,
        asks: &Asks,
        own: Option<&BTreeSet<Key>>,
        run: &RunOptions,
    ) -> Result<Answers, String> {
        let partly = own.map(|own| (own, &*self.projections));
        let (mut answers, groups) =
            futures::try_join!(self.table.read(asks, partly, run.deadline), self.cognito.groups_of_users(asks, run),)?;
        for (user, found) in groups {
            answers.groups_of(user.clone(), found);
        }
        Ok(answers)
    }
}

impl Table {
    /// Reads all of this that is in the table, at the same time. `partly` are the keys of the items that are read whole, and
    /// what is read of the others.
    pub(crate) async fn read(
        &self,
        asks: &Asks,
        partly: Option<(&BTreeSet<Key>, &Projections)>,
        deadline: Option<Instant>,
    ) -> Result<Answers, String> {
        let parts = partly.map(|(_, parts)| parts);
        let (mut answers, rows, pages) = futures::try_join!(
            self.items(asks, partly, deadline),
            self.rows(asks, parts, deadline),
            self.pages(asks, parts, deadline),
        )?;
        for (query, found, is_cut) in rows {
            answers.rows(query.clone(), found);
            if is_cut {
                answers.cut(query.clone());
            }
        }
        for (ask, found) in pages {
            answers.page(ask.clone(), found);
        }
        Ok(answers)
    }

    async fn items(
        &self,
        asks: &Asks,
        partly: Option<(&BTreeSet<Key>, &Projections)>,
        deadline: Option<Instant>,
    ) -> Result<Answers, String> {
        let mut answers = Answers::default();
        let has_part = |key: &&Key| partly.is_some_and(|(own, of)| of.has_part(&self.model, own, key));
        let of_item = partly.and_then(|(_, of)| of.of_item.as_ref());
        let (parts, whole): (Vec<&Key>, Vec<&Key>) = asks.keys.iter().partition(has_part);
        // One call reads either whole items or parts. Few items are not worth another call.
        let batches = if parts.len() + whole.len() <= BATCH_GET_KEYS_MAX && !whole.is_empty() {
            chunks(&asks.keys.iter().collect::<Vec<_>>(), None)
        } else {
            [chunks(&whole, None), chunks(&parts, of_item)].concat()
        };
        let read = |(batch, projection)| Box::pin(self.batch_get(batch, projection, deadline));
        let mut items = stream::iter(batches).map(read).buffer_unordered(CONCURRENT_READS);
        while let Some(found) = items.next().await {
            for (key, item) in found.map_err(|failure| failure.words("BatchGetItem"))? {
                answers.item(key, item);
            }
        }
        Ok(answers)
    }

    /// The rows of queries, and whether each has more.
    async fn rows<'q>(
        &self,
        asks: &'q Asks,
        parts: Option<&Projections>,
        deadline: Option<Instant>,
    ) -> Result<Vec<(&'q Query, Vec<Item>, bool)>, String> {
        let read = |query| {
            Box::pin(async move {
                let (rows, is_cut) = self.all_rows(query, parts, deadline).await?;
                Ok((query, rows, is_cut))
            })
        };
        let rows = stream::iter(&asks.queries).map(read).buffer_unordered(CONCURRENT_READS);
        rows.try_collect().await.map_err(|failure: CallFailure| failure.words("Query"))
    }

    async fn pages<'q>(
        &self,
        asks: &'q Asks,
        parts: Option<&Projections>,
        deadline: Option<Instant>,
    ) -> Result<Vec<(&'q PageAsk, Page)>, String> {
        let read = |ask| Box::pin(async move { Ok((ask, self.page(ask, parts, deadline).await?)) });
        let pages = stream::iter(&asks.pages).map(read).buffer_unordered(CONCURRENT_READS);
        pages.try_collect().await.map_err(|failure: CallFailure| failure.words("Query"))
    }

    async fn all_rows(
        &self,
        query: &Query,
        parts: Option<&Projections>,
        deadline: Option<Instant>,
    ) -> Result<(Vec<Item>, bool), CallFailure> {
        let (rows_max, pages_max) = query.limit.map_or((ROWS_MAX, PAGES_MAX), |limit| (limit, 1));
        let mut rows = Vec::new();
        let mut after = None;
        for pages in 1.. {
            let ask = PageAsk { query: query.clone(), after, rows_max };
            let page = self.page(&ask, parts, deadline).await?;
            rows.extend(page.rows);
            after = page.next;
            if after.is_none() || rows.len() >= rows_max && pages >= pages_max {
                break;
            }
        }
        Ok((rows, after.is_some()))
    }

    /// One page of a query.
    async fn page(
        &self,
        ask: &PageAsk,
        parts: Option<&Projections>,
        deadline: Option<Instant>,
    ) -> Result<Page, CallFailure> {
        let query = &ask.query;
        let projection =
            parts.and_then(|of| if query.index.is_some() { of.of_index.as_ref() } else { of.of_item.as_ref() });
        let from = ask.after.as_ref().map(item_to_sdk);
        let sorted = !query.sk_prefix.is_empty();
        let condition = query.key_condition();
        let answer = call(deadline, || {
            let mut request = self
                .dynamodb
                .query()
                .table_name(&self.name)
                .set_index_name(query.index.clone())
                // A global secondary index is eventually consistent. What it returns is confirmed
                // by a read of the table before anything is done.
                .consistent_read(query.index.is_none())
                .key_condition_expression(condition)
                .expression_attribute_names("#pk", &query.pk_attribute)
                .expression_attribute_values(":pk", AttributeValue::S(query.pk.clone()))
                .limit(i32::try_from(ask.rows_max).unwrap_or(i32::MAX))
                .set_scan_index_forward(query.descending.then_some(false))
                .set_exclusive_start_key(from.clone());
            if let Some(Projection { expression, names }) = projection {
                request = request.projection_expression(expression);
                for (place, name) in names {
                    request = request.expression_attribute_names(place, name);
                }
            }
            if sorted || query.sk_last.is_some() {
                request = request.expression_attribute_names("#sk", &query.sk_attribute);
            }
            if sorted {
                request = request.expression_attribute_values(":sk", AttributeValue::S(query.sk_prefix.clone()));
            }
            if let Some(last) = &query.sk_last {
                request = request.expression_attribute_values(":last", AttributeValue::S(last.clone()));
            }
            request.send()
        })
        .await?;
        let rows = answer.items.unwrap_or_default().into_iter().map(item_from_sdk).collect();
        Ok(Page { rows, next: answer.last_evaluated_key.map(item_from_sdk) })
    }

    /// Puts items without conditions, in batches of 25.
    pub(crate) async fn put_all(&self, items: &[&Item], deadline: Option<Instant>) -> Result<(), CallFailure> {
        let requests: Result<Vec<_>, _> = items
            .iter()
            .map(|item| PutRequest::builder().set_item(Some(item_to_sdk(item))).build())
            .map(|put| put.map(|put| WriteRequest::builder().put_request(put).build()))
            .collect();
        self.write_all(requests.map_err(|error| CallFailure::Transient(error.to_string()))?, deadline).await
    }

    /// Puts and deletes items without conditions, in batches of 25.
    pub(crate) async fn write_all(
        &self,
        requests: Vec<WriteRequest>,
        deadline: Option<Instant>,
    ) -> Result<(), CallFailure> {
        let batches: Vec<_> = requests.chunks(BATCH_WRITE_ITEMS_MAX).map(<[_]>::to_vec).collect();
        let write = |batch| Box::pin(self.write_batch(batch, deadline));
        stream::iter(batches).map(write).buffer_unordered(CONCURRENT_WRITES).try_collect().await
    }

    async fn write_batch(&self, batch: Vec<WriteRequest>, deadline: Option<Instant>) -> Result<(), CallFailure> {
        let mut left = batch;
        let mut backoff = Backoff::new(deadline);
        let table = &self.name;
        while !left.is_empty() {
            let answer =
                call(deadline, || self.dynamodb.batch_write_item().request_items(table, left.clone()).send()).await?;
            left = answer.unprocessed_items.unwrap_or_default().remove(table).unwrap_or_default();
            if !left.is_empty() && !backoff.wait().await {
                return Err(CallFailure::Transient("items left unprocessed".to_owned()));
            }
        }
        Ok(())
    }

    /// The items with these keys, at most 100, by strongly consistent reads: whole, or these attributes of them.
    pub(crate) async fn batch_get(
        &self,
        keys: Vec<&Key>,
        projection: Option<&Projection>,
        deadline: Option<Instant>,
    ) -> Result<Vec<(Key, Option<Item>)>, CallFailure> {
        let Self { model, dynamodb, name: table, .. } = self;
        let mut found: HashMap<Key, Item> = HashMap::with_capacity(keys.len());
        let mut left: Vec<_> = keys.iter().map(|key| key_to_sdk(model, key)).collect();
        let mut backoff = Backoff::new(deadline);
        loop {
            let asked = left.len();
            let request = KeysAndAttributes::builder().set_keys(Some(left)).consistent_read(true);
            let request = request
                .set_projection_expression(projection.map(|projection| projection.expression.clone()))
                .set_expression_attribute_names(projection.map(|projection| projection.names.clone()))
                .build();
            let request = request.map_err(|error| CallFailure::Transient(error.to_string()))?;
            let answer =
                call(deadline, || dynamodb.batch_get_item().request_items(table, request.clone()).send()).await?;
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
            // An answer has at most 16 MB, and 1 MB of a partition. Source: Amazon DynamoDB API Reference,
            // BatchGetItem.
            if left.len() < asked {
                backoff = Backoff::new(deadline);
            }
            if !backoff.wait().await {
                return Err(CallFailure::Transient("keys left unprocessed".to_owned()));
            }
        }
    }
}

/// The keys of one call, and the attributes that it reads. `None` reads whole items.
type Batch<'k> = (Vec<&'k Key>, Option<&'k Projection>);

fn chunks<'k>(keys: &[&'k Key], projection: Option<&'k Projection>) -> Vec<Batch<'k>> {
    keys.chunks(BATCH_GET_KEYS_MAX).map(|keys| (keys.to_vec(), projection)).collect()
}
