//! Reads: batches of items, queries of the table and of its indexes, scans.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::expression::{name_of, value_of};
use super::{Answer, JsonItem, JsonKey, Refused, SimulatedTable, invalid};

/// Keys of one BatchGetItem call. Source: Amazon DynamoDB API Reference.
const GET_MAX: usize = 100;

/// Items of one page of a scan. Pages of DynamoDB have 1 MB, which no simulated table reaches.
const SCAN_ROWS: usize = 20;

impl SimulatedTable {
    pub(super) fn batch_get(&self, body: &Value, spare: usize) -> Answer {
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
        let asked = body.pointer(&format!("/RequestItems/{}", self.name)).ok_or_else(invalid)?;
        let found = all.iter().take(taken).filter_map(|key| self.items.get(key));
        let found = found.map(|item| projected(asked, item)).collect::<Result<Vec<_>, _>>()?;
        let left: Vec<&Value> = keys.iter().skip(taken).collect();
        let mut unprocessed = Map::new();
        if !left.is_empty() {
            unprocessed.insert(self.name.clone(), json!({"Keys": left, "ConsistentRead": true}));
        }
        let name = &self.name;
        Ok(json!({"Responses": {name: found}, "UnprocessedKeys": unprocessed}))
    }

    pub(super) fn query(&mut self, body: &Value, now_ms: i64) -> Answer {
        while self.coming.front().is_some_and(|(due, ..)| *due <= now_ms) {
            if let Some((_, key, item)) = self.coming.pop_front() {
                self.shown.show(&key, item);
            }
        }
        let is_index = body.get("IndexName").is_some();
        let text = body.get("KeyConditionExpression").and_then(Value::as_str).ok_or_else(invalid)?;
        let (first, second) = text.split_once(" AND ").map_or((text, None), |(first, second)| (first, Some(second)));
        let (name, value) = first.split_once(" = ").ok_or_else(invalid)?;
        let (pk, wanted) = (name_of(body, name)?, value_of(body, value)?);
        let is_allowed = if is_index { body.get("ConsistentRead") != Some(&json!(true)) } else { pk == self.names.0 };
        if !is_allowed {
            return Err(invalid());
        }
        let compared = |by: &str| {
            let sides = second.and_then(|term| term.split_once(by));
            sides.map(|(name, value)| Ok((name_of(body, name)?, text_of(body, value)?))).transpose()
        };
        let (below, equal) = (compared(" < ")?, compared(" = ")?);
        let prefix = match second.filter(|_| below.is_none() && equal.is_none()) {
            Some(term) => {
                let inner =
                    term.strip_prefix("begins_with(").and_then(|rest| rest.strip_suffix(')')).ok_or_else(invalid)?;
                let (name, value) = inner.split_once(", ").ok_or_else(invalid)?;
                Some((name_of(body, name)?, text_of(body, value)?))
            }
            None => None,
        };
        let is_text = |item: &JsonItem, name: &str, is_it: &dyn Fn(&str) -> bool| {
            item.get(name).and_then(|value| value.get("S")).and_then(Value::as_str).is_some_and(is_it)
        };
        let limit = body.get("Limit").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let after = body.get("ExclusiveStartKey").map(|key| self.key(key)).transpose()?;
        let matches = |item: &JsonItem| {
            item.get(pk) == Some(wanted)
                && prefix.is_none_or(|(name, prefix)| is_text(item, name, &|text| text.starts_with(prefix)))
                && equal.is_none_or(|(name, whole)| is_text(item, name, &|text| text == whole))
                && below.is_none_or(|(name, end)| is_text(item, name, &|text| text < end))
        };
        let is_stale = |key: &JsonKey| {
            let (shown, there) = (self.shown.get(key), self.items.get(key));
            shown != there && (shown.is_some_and(matches) || there.is_some_and(matches))
        };
        let lagged = is_index && self.coming.iter().any(|(_, key, _)| is_stale(key));
        let is_next =
            |(key, item): &(&JsonKey, &JsonItem)| after.as_ref().is_none_or(|after| *key > after) && matches(item);
        let rows: Vec<(&JsonKey, &JsonItem)> = if is_index {
            self.shown.with(pk, wanted).filter(is_next).take(limit).collect()
        } else {
            let first = (text_of(body, value)?.to_owned(), String::new());
            let own = self.items.range(&first..).take_while(|(key, _)| key.0 == first.0);
            own.filter(is_next).take(limit).collect()
        };
        let answer = page(&self.names, body, &rows, limit)?;
        self.lagged |= lagged;
        Ok(answer)
    }

    pub(super) fn scan(&self, body: &Value) -> Answer {
        let after = body.get("ExclusiveStartKey").map(|key| self.key(key)).transpose()?;
        let number = |name: &str| body.get(name).and_then(Value::as_u64);
        let segments = number("TotalSegments").unwrap_or(1);
        // DynamoDB divides the partitions by a hash of its own.
        let is_in = |key: &JsonKey| {
            let sum: u64 = key.0.bytes().map(u64::from).sum();
            segments > 0 && sum % segments == number("Segment").unwrap_or_default()
        };
        let rows = self.items.iter().filter(|(key, _)| is_in(key));
        let rows = rows.filter(|(key, _)| after.as_ref().is_none_or(|after| *key > after));
        page(&self.names, body, &rows.take(SCAN_ROWS).collect::<Vec<_>>(), SCAN_ROWS)
    }
}

/// A page of rows, and the key at which the next page starts. `names` are those of the table's key.
fn page((pk, sk): &(String, String), body: &Value, rows: &[(&JsonKey, &JsonItem)], limit: usize) -> Answer {
    let items = rows.iter().map(|(_, item)| Ok(Value::Object(projected(body, item)?)));
    let items = items.collect::<Result<Vec<Value>, Refused>>()?;
    let mut answer = Map::new();
    answer.insert("Count".to_owned(), json!(items.len()));
    answer.insert("Items".to_owned(), Value::Array(items));
    if let Some((key, _)) = rows.last().filter(|_| rows.len() == limit) {
        answer.insert("LastEvaluatedKey".to_owned(), json!({pk: {"S": key.0}, sk: {"S": key.1}}));
    }
    Ok(Value::Object(answer))
}

/// The attributes of an item that a read asks for.
fn projected(body: &Value, item: &JsonItem) -> Result<JsonItem, Refused> {
    let Some(expression) = body.get("ProjectionExpression").and_then(Value::as_str) else { return Ok(item.clone()) };
    let names = expression.split(',').map(|place| name_of(body, place.trim())).collect::<Result<BTreeSet<_>, _>>()?;
    Ok(item
        .iter()
        .filter(|(name, _)| names.contains(name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect())
}

fn text_of<'a>(body: &'a Value, place: &str) -> Result<&'a str, Refused> {
    value_of(body, place)?.get("S").and_then(Value::as_str).ok_or_else(invalid)
}
