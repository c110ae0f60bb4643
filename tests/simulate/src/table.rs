//! A table as DynamoDB has it, as far as Instep asks: conditions, transactions, indexes that lag, a stream in shards. Written apart
//! from the product: it knows JSON and no model but keys and indexes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use crate::watch::Written;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// An item in DynamoDB's JSON.
pub type Item = Map<String, Value>;

/// A primary key.
pub type Key = (String, String);

/// A refusal: error code, and for a transaction what each action came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The code.
    pub code: &'static str,
    /// Of a cancelled transaction.
    pub reasons: Vec<&'static str>,
}

/// A written change, as its stream record.
#[derive(Debug, Clone)]
pub struct Record {
    /// The record as Lambda delivers it.
    pub raw: Box<RawValue>,
    /// Its item's key.
    pub key: Key,
    /// Its sequence number.
    pub sequence: u128,
}

/// The table.
#[derive(Debug)]
pub struct Table {
    /// The table's name.
    pub name: String,
    names: (String, String),
    items: BTreeMap<Key, Item>,
    /// What the indexes show, and what is on its way there.
    shown: BTreeMap<Key, Item>,
    coming: VecDeque<(i64, Key, Option<Item>)>,
    shards: Vec<Vec<Record>>,
    written: u64,
    /// What was written since somebody asked.
    news: Vec<Written>,
    /// Whether an index showed what no longer is since somebody asked.
    lagged: bool,
    /// Transactions that had their effect: sent again, they are told so.
    tokens: BTreeSet<String>,
}

type Answer = Result<Value, Refused>;

fn invalid() -> Refused {
    Refused { code: "ValidationException", reasons: Vec::new() }
}

/// The code of a condition that does not hold.
const CONDITION: &str = "ConditionalCheckFailed";

/// Keys and items of one call, actions and bytes of one transaction. Source: Amazon DynamoDB API Reference.
const GET_MAX: usize = 100;
const WRITE_MAX: usize = 25;
const TRANSACT_MAX: usize = 100;
const TRANSACT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Items of one page of a scan: DynamoDB's are as many as have 1 MB, which no world's table has.
const SCAN_ROWS: usize = 20;

impl Table {
    /// An empty table with so many shards.
    #[must_use]
    pub fn new(name: &str, names: (&str, &str), shards: usize) -> Self {
        Self {
            name: name.to_owned(),
            names: (names.0.to_owned(), names.1.to_owned()),
            items: BTreeMap::new(),
            shown: BTreeMap::new(),
            coming: VecDeque::new(),
            shards: vec![Vec::new(); shards.max(1)],
            written: 0,
            news: Vec::new(),
            lagged: false,
            tokens: BTreeSet::new(),
        }
    }

    /// Every item.
    #[must_use]
    pub fn items(&self) -> &BTreeMap<Key, Item> {
        &self.items
    }

    /// Whether what stands under one key and what stands under another come through different shards.
    #[must_use]
    pub fn are_apart(&self, one: &str, other: &str) -> bool {
        shard_of(one, self.shards.len()) != shard_of(other, self.shards.len())
    }

    /// The records of each shard.
    #[must_use]
    pub fn shards(&self) -> &[Vec<Record>] {
        &self.shards
    }

    /// What was written since this was asked last.
    pub fn written(&mut self) -> Vec<Written> {
        std::mem::take(&mut self.news)
    }

    /// Whether an index that was asked did not show what is there since this was asked last.
    pub fn lagged(&mut self) -> bool {
        std::mem::take(&mut self.lagged)
    }

    /// Writes an item, or removes it. `lag_ms` is how long the indexes take to see it.
    pub fn put(&mut self, key: Key, item: Option<Item>, now_ms: i64, lag_ms: i64) {
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
        let record = self.record(key, old.as_ref(), item.as_ref(), now_ms);
        let read = |item: Option<Item>| item.and_then(|item| serde_json::from_value(Value::Object(item)).ok());
        self.news.push(Written {
            key: instep_model::Key { pk: record.key.0.clone(), sk: record.key.1.clone() },
            old: read(old),
            new: read(item),
            sequence: record.sequence,
            at_ms: now_ms,
        });
        let place = shard_of(&record.key.0, self.shards.len());
        if let Some(shard) = self.shards.get_mut(place) {
            shard.push(record);
        }
    }

    fn record(&self, key: Key, old: Option<&Item>, new: Option<&Item>, now_ms: i64) -> Record {
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
        let record = json!({
            "eventID": format!("{:032x}", self.written),
            "eventName": name,
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": "us-east-1",
            "dynamodb": body,
            "eventSourceARN": format!("arn:aws:dynamodb:us-east-1:000000000000:table/{}/stream/2026-01-01T00:00:00.000", self.name),
        });
        let raw = RawValue::from_string(plain(&record).to_string()).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Record { raw, key, sequence }
    }

    /// Answers an operation as DynamoDB would.
    ///
    /// # Errors
    /// The refusals of DynamoDB.
    ///
    /// `spare` is how many keys or items a batch hands back, `lag_ms` as for [`Table::put`].
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
            _ => Err(invalid()),
        }
    }

    fn key(&self, item: &Value) -> Result<Key, Refused> {
        let part =
            |name: &str| item.get(name).and_then(|value| value.get("S")).and_then(Value::as_str).map(str::to_owned);
        part(&self.names.0).zip(part(&self.names.1)).ok_or_else(invalid)
    }

    fn batch_get(&self, body: &Value, spare: usize) -> Answer {
        let keys =
            body.pointer(&format!("/RequestItems/{}/Keys", self.name)).and_then(Value::as_array).ok_or_else(invalid)?;
        let all = keys.iter().map(|key| self.key(key)).collect::<Result<Vec<_>, _>>()?;
        let mut apart = all.clone();
        apart.sort();
        apart.dedup();
        if all.is_empty() || all.len() > GET_MAX || apart.len() < all.len() {
            return Err(invalid());
        }
        let taken = all.len().saturating_sub(spare).max(1);
        let found: Vec<&Item> = all.iter().take(taken).filter_map(|key| self.items.get(key)).collect();
        let left: Vec<&Value> = keys.iter().skip(taken).collect();
        let mut unprocessed = Map::new();
        if !left.is_empty() {
            unprocessed.insert(self.name.clone(), json!({"Keys": left, "ConsistentRead": true}));
        }
        let name = &self.name;
        Ok(json!({"Responses": {name: found}, "UnprocessedKeys": unprocessed}))
    }

    fn batch_write(&mut self, body: &Value, now_ms: i64, lag_ms: i64, spare: usize) -> Answer {
        let requests =
            body.pointer(&format!("/RequestItems/{}", self.name)).and_then(Value::as_array).ok_or_else(invalid)?;
        if requests.is_empty() || requests.len() > WRITE_MAX {
            return Err(invalid());
        }
        let taken = requests.len().saturating_sub(spare).max(1);
        for request in requests.iter().take(taken) {
            let put = request.pointer("/PutRequest/Item");
            let of = put.or_else(|| request.pointer("/DeleteRequest/Key")).ok_or_else(invalid)?;
            self.put(self.key(of)?, put.and_then(Value::as_object).cloned(), now_ms, lag_ms);
        }
        let left: Vec<&Value> = requests.iter().skip(taken).collect();
        let mut unprocessed = Map::new();
        if !left.is_empty() {
            unprocessed.insert(self.name.clone(), json!(left));
        }
        Ok(json!({ "UnprocessedItems": unprocessed }))
    }

    fn act(&mut self, kind: &str, body: &Value, now_ms: i64, lag_ms: i64) -> Answer {
        let write = self.judge(kind, body)?;
        let Some((key, item)) = write else {
            return Err(Refused { code: "ConditionalCheckFailedException", reasons: Vec::new() });
        };
        self.put(key, item, now_ms, lag_ms);
        Ok(json!({}))
    }

    fn transact(&mut self, body: &Value, now_ms: i64, lag_ms: i64) -> Answer {
        let token = body.get("ClientRequestToken").and_then(Value::as_str).map(str::to_owned);
        if token.as_ref().is_some_and(|token| self.tokens.contains(token)) {
            return Ok(json!({}));
        }
        let actions = body.get("TransactItems").and_then(Value::as_array).ok_or_else(invalid)?;
        if actions.is_empty() || actions.len() > TRANSACT_MAX || body.to_string().len() > TRANSACT_BYTES_MAX {
            return Err(invalid());
        }
        let (mut writes, mut reasons, mut touched) = (Vec::new(), Vec::new(), Vec::new());
        for action in actions {
            let (kind, body) = action.as_object().and_then(|action| action.iter().next()).ok_or_else(invalid)?;
            touched.push(self.key(body.get("Key").or_else(|| body.get("Item")).ok_or_else(invalid)?)?);
            match self.judge(kind, body)? {
                Some(write) => {
                    reasons.push("None");
                    writes.extend((kind != "ConditionCheck").then_some(write));
                }
                None => reasons.push(CONDITION),
            }
        }
        let count = touched.len();
        touched.sort();
        touched.dedup();
        if touched.len() < count {
            return Err(invalid());
        }
        if reasons.contains(&CONDITION) {
            return Err(Refused { code: "TransactionCanceledException", reasons });
        }
        for (key, item) in writes {
            self.put(key, item, now_ms, lag_ms);
        }
        self.tokens.extend(token);
        Ok(json!({}))
    }

    /// What an action would write, or none where its condition does not hold.
    fn judge(&self, kind: &str, body: &Value) -> Result<Option<(Key, Option<Item>)>, Refused> {
        let of = if kind == "Put" { body.get("Item") } else { body.get("Key") };
        let key = self.key(of.ok_or_else(invalid)?)?;
        let there = self.items.get(&key);
        let text = body.get("ConditionExpression").and_then(Value::as_str).unwrap_or_default();
        for term in text.split(" AND ").filter(|term| !term.is_empty()) {
            if !holds(term, body, there)? {
                return Ok(None);
            }
        }
        let item = match kind {
            "Put" => of.and_then(Value::as_object).cloned(),
            "Delete" => None,
            "Update" => Some(self.updated(&key, there, body)?),
            "ConditionCheck" => there.cloned(),
            _ => return Err(invalid()),
        };
        Ok(Some((key, item)))
    }

    fn updated(&self, key: &Key, there: Option<&Item>, body: &Value) -> Result<Item, Refused> {
        let mut item = there.cloned().unwrap_or_else(|| {
            let mut item = Map::new();
            item.insert(self.names.0.clone(), json!({"S": key.0}));
            item.insert(self.names.1.clone(), json!({"S": key.1}));
            item
        });
        let text = body.get("UpdateExpression").and_then(Value::as_str).ok_or_else(invalid)?;
        let (set, remove) = text.split_once("REMOVE ").unwrap_or((text, ""));
        for term in set.trim().trim_start_matches("SET ").split(", ").filter(|term| !term.trim().is_empty()) {
            let (name, value) = term.trim().split_once(" = ").ok_or_else(invalid)?;
            item.insert(name_of(body, name)?.to_owned(), value_of(body, value)?.clone());
        }
        for name in remove.split(", ").filter(|name| !name.trim().is_empty()) {
            item.remove(name_of(body, name.trim())?);
        }
        Ok(item)
    }

    fn query(&mut self, body: &Value, now_ms: i64) -> Answer {
        while self.coming.front().is_some_and(|(due, ..)| *due <= now_ms) {
            match self.coming.pop_front() {
                Some((_, key, Some(item))) => drop(self.shown.insert(key, item)),
                Some((_, key, None)) => drop(self.shown.remove(&key)),
                None => {}
            }
        }
        let is_index = body.get("IndexName").is_some();
        if is_index && body.get("ConsistentRead") == Some(&json!(true)) {
            return Err(invalid());
        }
        let text = body.get("KeyConditionExpression").and_then(Value::as_str).ok_or_else(invalid)?;
        let (first, second) = text.split_once(" AND ").map_or((text, None), |(first, second)| (first, Some(second)));
        let (name, value) = first.split_once(" = ").ok_or_else(invalid)?;
        let (pk, wanted) = (name_of(body, name)?, value_of(body, value)?);
        let prefix = match second {
            Some(term) => {
                let inner =
                    term.strip_prefix("begins_with(").and_then(|rest| rest.strip_suffix(')')).ok_or_else(invalid)?;
                let (name, value) = inner.split_once(", ").ok_or_else(invalid)?;
                Some((
                    name_of(body, name)?,
                    value_of(body, value)?.get("S").and_then(Value::as_str).ok_or_else(invalid)?,
                ))
            }
            None => None,
        };
        let items = if is_index { &self.shown } else { &self.items };
        let begins = |item: &Item, name: &str, prefix: &str| {
            item.get(name)
                .and_then(|value| value.get("S"))
                .and_then(Value::as_str)
                .is_some_and(|text| text.starts_with(prefix))
        };
        let limit = body.get("Limit").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let after = body.get("ExclusiveStartKey").map(|key| self.key(key)).transpose()?;
        let matches = |item: &Item| {
            item.get(pk) == Some(wanted) && prefix.is_none_or(|(name, prefix)| begins(item, name, prefix))
        };
        let is_stale = |key: &Key| {
            let (shown, there) = (self.shown.get(key), self.items.get(key));
            shown != there && (shown.is_some_and(matches) || there.is_some_and(matches))
        };
        let lagged = is_index && self.coming.iter().any(|(_, key, _)| is_stale(key));
        let rows = items
            .iter()
            .filter(|(key, _)| after.as_ref().is_none_or(|after| *key > after))
            .filter(|(_, item)| matches(item));
        let answer = self.page(rows, limit);
        self.lagged |= lagged;
        Ok(answer)
    }

    fn scan(&self, body: &Value) -> Answer {
        let after = body.get("ExclusiveStartKey").map(|key| self.key(key)).transpose()?;
        let rows = self.items.iter().filter(|(key, _)| after.as_ref().is_none_or(|after| *key > after));
        Ok(self.page(rows, SCAN_ROWS))
    }

    /// The first rows, and where the next page begins.
    fn page<'a>(&self, rows: impl Iterator<Item = (&'a Key, &'a Item)>, limit: usize) -> Value {
        let page: Vec<(&Key, &Item)> = rows.take(limit).collect();
        let mut answer = json!({"Items": page.iter().map(|(_, item)| item).collect::<Vec<_>>(), "Count": page.len()});
        if page.len() == limit
            && let (Some((key, _)), Some(answer)) = (page.last(), answer.as_object_mut())
        {
            let mut last = Map::new();
            last.insert(self.names.0.clone(), json!({"S": key.0}));
            last.insert(self.names.1.clone(), json!({"S": key.1}));
            answer.insert("LastEvaluatedKey".to_owned(), Value::Object(last));
        }
        answer
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

fn holds(term: &str, body: &Value, item: Option<&Item>) -> Result<bool, Refused> {
    let inner = |word: &str| term.strip_prefix(word).and_then(|rest| rest.strip_suffix(')'));
    let has = |name: &str| Ok(item.is_some_and(|item| item.contains_key(name)));
    if let Some(name) = inner("attribute_exists(") {
        return has(name_of(body, name)?);
    }
    if let Some(name) = inner("attribute_not_exists(") {
        return has(name_of(body, name)?).map(|has: bool| !has);
    }
    let (name, value) = term.split_once(" = ").ok_or_else(invalid)?;
    let (name, value) = (name_of(body, name)?, value_of(body, value)?);
    Ok(item.and_then(|item| item.get(name)) == Some(value))
}

fn name_of<'a>(body: &'a Value, place: &str) -> Result<&'a str, Refused> {
    let names = body.get("ExpressionAttributeNames").and_then(|names| names.get(place));
    names.and_then(Value::as_str).ok_or_else(invalid)
}

fn value_of<'a>(body: &'a Value, place: &str) -> Result<&'a Value, Refused> {
    body.get("ExpressionAttributeValues").and_then(|values| values.get(place)).ok_or_else(invalid)
}

/// JSON in an order of its own, without what the SDK draws by itself: the same run reads the same.
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
