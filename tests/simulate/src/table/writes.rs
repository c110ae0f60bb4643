//! Single writes, batches and transactions.

use serde_json::{Map, Value, json};

use super::expression::{holds, name_of, number, value_of};
use super::{Answer, JsonItem, JsonKey, Refused, SimulatedTable, invalid};

/// The reason of an action whose condition failed.
const CONDITION: &str = "ConditionalCheckFailed";

/// Items of one call, actions and bytes of one transaction. Source: Amazon DynamoDB API Reference.
const WRITE_MAX: usize = 25;
const TRANSACT_MAX: usize = 100;
const TRANSACT_BYTES_MAX: usize = 4 * 1024 * 1024;

impl SimulatedTable {
    pub(super) fn batch_write(&mut self, body: &Value, now_ms: i64, lag_ms: i64, spare: usize) -> Answer {
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

    pub(super) fn act(&mut self, kind: &str, body: &Value, now_ms: i64, lag_ms: i64) -> Answer {
        let write = self.judge(kind, body)?;
        let Some((key, item)) = write else {
            return Err(Refused { code: "ConditionalCheckFailedException", reasons: Vec::new() });
        };
        self.put(key, item, now_ms, lag_ms);
        Ok(json!({}))
    }

    pub(super) fn transact(&mut self, body: &Value, now_ms: i64, lag_ms: i64) -> Answer {
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

    /// The effect of an action. `None` if its condition fails.
    fn judge(&self, kind: &str, body: &Value) -> Result<Option<(JsonKey, Option<JsonItem>)>, Refused> {
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

    fn updated(&self, key: &JsonKey, there: Option<&JsonItem>, body: &Value) -> Result<JsonItem, Refused> {
        let mut item = there.cloned().unwrap_or_else(|| {
            let mut item = Map::new();
            item.insert(self.names.0.clone(), json!({"S": key.0}));
            item.insert(self.names.1.clone(), json!({"S": key.1}));
            item
        });
        let text = body.get("UpdateExpression").and_then(Value::as_str).ok_or_else(invalid)?;
        let (text, add) = text.split_once("ADD ").unwrap_or((text, ""));
        for term in add.split(", ").filter(|term| !term.is_empty()) {
            let (name, value) = term.split_once(' ').ok_or_else(invalid)?;
            let name = name_of(body, name)?;
            let there = item.get(name).map_or(Some(0), number).ok_or_else(invalid)?;
            let sum = there + number(value_of(body, value)?).ok_or_else(invalid)?;
            item.insert(name.to_owned(), json!({"N": sum.to_string()}));
        }
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
}
