//! Reads: batches of items, queries of the table and of its indexes, scans.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::expression::{name_of, value_of};
use super::{Answer, Item, Key, Refused, Table, invalid};

/// Keys of one BatchGetItem call. Source: Amazon DynamoDB API Reference.
const GET_MAX: usize = 100;

/// Items of one page of a scan. Pages of DynamoDB have 1 MB, which no simulated table reaches.
const SCAN_ROWS: usize = 20;

impl Table {
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
        let items = if is_index { &self.shown } else { &self.items };
        let is_text = |item: &Item, name: &str, is_it: &dyn Fn(&str) -> bool| {
            item.get(name).and_then(|value| value.get("S")).and_then(Value::as_str).is_some_and(is_it)
        };
        let limit = body.get("Limit").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let after = body.get("ExclusiveStartKey").map(|key| self.key(key)).transpose()?;
        let matches = |item: &Item| {
            item.get(pk) == Some(wanted)
                && prefix.is_none_or(|(name, prefix)| is_text(item, name, &|text| text.starts_with(prefix)))
                && equal.is_none_or(|(name, whole)| is_text(item, name, &|text| text == whole))
                && below.is_none_or(|(name, end)| is_text(item, name, &|text| text < end))
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
        let mut answer = self.page(rows, limit);
        for item in answer.get_mut("Items").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(whole) = item.as_object() {
                *item = Value::Object(projected(body, whole)?);
            }
        }
        self.lagged |= lagged;
        Ok(answer)
    }

    pub(super) fn scan(&self, body: &Value) -> Answer {
        let after = body.get("ExclusiveStartKey").map(|key| self.key(key)).transpose()?;
        let number = |name: &str| body.get(name).and_then(Value::as_u64);
        let segments = number("TotalSegments").unwrap_or(1);
        // DynamoDB divides the partitions by a hash of its own.
        let is_in = |key: &Key| {
            let sum: u64 = key.0.bytes().map(u64::from).sum();
            segments > 0 && sum % segments == number("Segment").unwrap_or_default()
        };
        let rows = self.items.iter().filter(|(key, _)| is_in(key));
        let rows = rows.filter(|(key, _)| after.as_ref().is_none_or(|after| *key > after));
        Ok(self.page(rows, SCAN_ROWS))
    }

    /// A page of rows, and the key at which the next page starts.
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
}

/// The attributes of an item that a read asks for.
fn projected(body: &Value, item: &Item) -> Result<Item, Refused> {
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
