//! A DynamoDB table, as far as Instep needs it: conditions, transactions, indexes that lag, a
//! stream with shards.
//!
//! It is independent of the product. It knows JSON, and of the model only the names of keys.

mod expression;
mod reads;
mod shown;
mod writes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::cause::WriteCause;
use shown::Shown;

/// The label of the table's stream.
pub const STREAM_LABEL: &str = "2026-01-01T00:00:00.000";

/// An item in DynamoDB's JSON.
pub type JsonItem = Map<String, Value>;

/// A primary key.
pub type JsonKey = (String, String);

/// An error answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The error code.
    pub code: &'static str,
    /// The reason for each action, if a transaction was cancelled.
    pub reasons: Vec<&'static str>,
}

/// The stream record of a write.
#[derive(Debug, Clone)]
pub struct Record {
    /// The record as Lambda delivers it.
    pub raw: Box<RawValue>,
    /// Its item's key.
    pub key: JsonKey,
    /// Its sequence number.
    pub sequence: u128,
}

/// One write to the table.
#[derive(Debug, Clone)]
pub struct Written {
    /// The item's key.
    pub key: instep_model::Key,
    /// The item before the write.
    pub old: Option<instep_model::Item>,
    /// The item after the write.
    pub new: Option<instep_model::Item>,
    /// Who made it.
    pub cause: WriteCause,
    /// The sequence number of its record.
    pub sequence: u128,
    /// When it happened, in milliseconds.
    pub at_ms: i64,
}

/// The table.
#[derive(Debug)]
pub struct SimulatedTable {
    /// The table's name.
    pub name: String,
    names: (String, String),
    items: BTreeMap<JsonKey, JsonItem>,
    /// What the indexes show, and the writes that they do not show yet.
    shown: Shown,
    coming: VecDeque<(i64, JsonKey, Option<JsonItem>)>,
    shards: Vec<Vec<Record>>,
    written: u64,
    /// Writes since the last call of [`SimulatedTable::written`].
    news: Vec<Written>,
    /// All writes, if they are kept.
    history: Option<Vec<Written>>,
    /// Whether a query read a stale index since the last call of [`SimulatedTable::lagged`].
    lagged: bool,
    /// Tokens of transactions that succeeded. A repeated transaction succeeds without an effect.
    tokens: BTreeSet<String>,
}

type Answer = Result<Value, Refused>;

fn invalid() -> Refused {
    Refused { code: "ValidationException", reasons: Vec::new() }
}

impl SimulatedTable {
    /// An empty table with so many shards.
    #[must_use]
    pub fn new(name: &str, names: (&str, &str), shards: usize) -> Self {
        Self {
            name: name.to_owned(),
            names: (names.0.to_owned(), names.1.to_owned()),
            items: BTreeMap::new(),
            shown: Shown::default(),
            coming: VecDeque::new(),
            shards: vec![Vec::new(); shards.max(1)],
            written: 0,
            news: Vec::new(),
            history: None,
            lagged: false,
            tokens: BTreeSet::new(),
        }
    }

    /// Every item.
    #[must_use]
    pub fn items(&self) -> &BTreeMap<JsonKey, JsonItem> {
        &self.items
    }

    /// Whether two partition keys belong to different shards.
    #[must_use]
    pub fn are_apart(&self, one: &str, other: &str) -> bool {
        shard_of(one, self.shards.len()) != shard_of(other, self.shards.len())
    }

    /// The records of each shard.
    #[must_use]
    pub fn shards(&self) -> &[Vec<Record>] {
        &self.shards
    }

    /// The writes since the last call.
    pub fn written(&mut self) -> Vec<Written> {
        std::mem::take(&mut self.news)
    }

    /// Keeps all writes from now on.
    pub fn keep_history(&mut self) {
        self.history = Some(Vec::new());
    }

    /// All writes, if they are kept.
    #[must_use]
    pub fn history(&self) -> &[Written] {
        self.history.as_deref().unwrap_or_default()
    }

    /// Whether a query has read a stale index since the last call.
    pub fn lagged(&mut self) -> bool {
        std::mem::take(&mut self.lagged)
    }

    /// Puts an item, or deletes it. `lag_ms` is how long the indexes take to show it.
    pub fn put(&mut self, key: JsonKey, item: Option<JsonItem>, now_ms: i64, lag_ms: i64) {
        self.write(key, item, WriteCause::Write, now_ms, lag_ms);
    }

    /// Time to live deletes an item.
    pub fn expire(&mut self, key: JsonKey, now_ms: i64, lag_ms: i64) {
        self.write(key, None, WriteCause::TimeToLive, now_ms, lag_ms);
    }

    fn write(&mut self, key: JsonKey, item: Option<JsonItem>, cause: WriteCause, now_ms: i64, lag_ms: i64) {
        let old = match &item {
            Some(item) => self.items.insert(key.clone(), item.clone()),
            None => self.items.remove(&key),
        };
        if old == item {
            return;
        }
        let due = self.coming.back().map_or(0, |(due, ..)| *due).max(now_ms + lag_ms);
        self.coming.push_back((due, key.clone(), item.clone()));
        self.written += 1;
        let record = self.record(key, old.as_ref(), item.as_ref(), cause, now_ms);
        let read = |item: Option<JsonItem>| item.and_then(|item| serde_json::from_value(Value::Object(item)).ok());
        let written = Written {
            key: instep_model::Key { pk: record.key.0.clone(), sk: record.key.1.clone() },
            old: read(old),
            new: read(item),
            cause,
            sequence: record.sequence,
            at_ms: now_ms,
        };
        self.history.as_mut().into_iter().for_each(|history| history.push(written.clone()));
        self.news.push(written);
        let place = shard_of(&record.key.0, self.shards.len());
        if let Some(shard) = self.shards.get_mut(place) {
            shard.push(record);
        }
    }

    fn record(
        &self,
        key: JsonKey,
        old: Option<&JsonItem>,
        new: Option<&JsonItem>,
        cause: WriteCause,
        now_ms: i64,
    ) -> Record {
        let name = match (&old, &new) {
            (None, _) => "INSERT",
            (Some(_), Some(_)) => "MODIFY",
            (Some(_), None) => "REMOVE",
        };
        let sequence = 100_000_000_000_000_000_000_u128 + u128::from(self.written);
        let mut keys = Map::new();
        keys.insert(self.names.0.clone(), json!({"S": key.0}));
        keys.insert(self.names.1.clone(), json!({"S": key.1}));
        let mut body = json!({
            "ApproximateCreationDateTime": now_ms / 1000,
            "Keys": keys,
            "SequenceNumber": sequence.to_string(),
            "SizeBytes": 1,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        });
        if let Some(body) = body.as_object_mut() {
            body.extend(old.map(|old| ("OldImage".to_owned(), Value::Object(old.clone()))));
            body.extend(new.map(|new| ("NewImage".to_owned(), Value::Object(new.clone()))));
        }
        let mut record = json!({
            "eventID": format!("{:032x}", self.written),
            "eventName": name,
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": "us-east-1",
            "dynamodb": body,
            "eventSourceARN": format!("arn:aws:dynamodb:us-east-1:000000000000:table/{}/stream/{STREAM_LABEL}", self.name),
        });
        if let Some(record) = record.as_object_mut().filter(|_| cause == WriteCause::TimeToLive) {
            let service = json!({"type": "Service", "principalId": "dynamodb.amazonaws.com"});
            record.insert("userIdentity".to_owned(), service);
        }
        let raw = RawValue::from_string(plain(&record).to_string()).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Record { raw, key, sequence }
    }

    /// Handles an operation. `spare` is how many keys or items of a batch are left unprocessed.
    /// `lag_ms` is as for [`SimulatedTable::put`].
    ///
    /// # Errors
    /// The errors of DynamoDB.
    pub fn call(&mut self, operation: &str, body: &Value, now_ms: i64, lag_ms: i64, spare: usize) -> Answer {
        match operation {
            "BatchGetItem" => self.batch_get(body, spare),
            "BatchWriteItem" => self.batch_write(body, now_ms, lag_ms, spare),
            "PutItem" => self.act("Put", body, now_ms, lag_ms),
            "DeleteItem" => self.act("Delete", body, now_ms, lag_ms),
            "UpdateItem" => self.act("Update", body, now_ms, lag_ms),
            "TransactWriteItems" => self.transact(body, now_ms, lag_ms),
            "Query" => self.query(body, now_ms),
            "Scan" => self.scan(body),
            "DescribeTable" => Ok(json!({"Table": {"ItemCount": self.counted()}})),
            _ => Err(invalid()),
        }
    }

    /// The number of items, as DynamoDB knows it from some hours ago: here it is any.
    fn counted(&self) -> u64 {
        self.written % 3 * 1_100_000
    }

    fn key(&self, item: &Value) -> Result<JsonKey, Refused> {
        let part =
            |name: &str| item.get(name).and_then(|value| value.get("S")).and_then(Value::as_str).map(str::to_owned);
        part(&self.names.0).zip(part(&self.names.1)).ok_or_else(invalid)
    }

    /// The items, a line each.
    #[must_use]
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for ((pk, sk), item) in &self.items {
            let _ = writeln!(text, "  {pk} | {sk}  {}", plain(&Value::Object(item.clone())));
        }
        text
    }
}

/// JSON with sorted keys and without the SDK's random tokens, so that two runs are comparable.
#[must_use]
pub fn plain(body: &Value) -> Value {
    match body {
        Value::Object(members) => {
            let sorted: BTreeMap<&String, Value> = members
                .iter()
                .filter(|(name, _)| *name != "ClientRequestToken")
                .map(|(name, value)| (name, plain(value)))
                .collect();
            Value::Object(sorted.into_iter().map(|(name, value)| (name.clone(), value)).collect())
        }
        Value::Array(values) => Value::Array(values.iter().map(plain).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => body.clone(),
    }
}

/// The shard of a partition key.
fn shard_of(pk: &str, shards: usize) -> usize {
    let hash = pk.bytes().fold(0_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
    hash % shards
}
