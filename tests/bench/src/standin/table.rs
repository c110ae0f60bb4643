//! A DynamoDB table in memory, with one index that has the keys the other way round.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The rows of a page. DynamoDB's pages have 1 MB.
const ROWS_MAX: usize = 1_000;

type Key = (String, String);

#[derive(Debug, Default)]
pub(super) struct StandInTable {
    items: BTreeMap<Key, Value>,
    by_sort_key: BTreeMap<String, BTreeSet<String>>,
    /// Writes are accepted, and change nothing: every batch finds the same table.
    pub(super) is_frozen: bool,
}

fn key(of: &Value) -> Key {
    let part = |name: &str| of.pointer(&format!("/{name}/S")).and_then(Value::as_str).unwrap_or_default().to_owned();
    (part("PK"), part("SK"))
}

fn refused(code: &str) -> Value {
    json!({"__type": code, "message": "refused"})
}

impl StandInTable {
    pub(super) fn new(items: Vec<Value>) -> Self {
        let mut table = Self::default();
        items.into_iter().for_each(|item| table.put(item));
        table
    }

    fn put(&mut self, item: Value) {
        let key = key(&item);
        self.by_sort_key.entry(key.1.clone()).or_default().insert(key.0.clone());
        self.items.insert(key, item);
    }

    fn delete(&mut self, key: &Key) {
        self.items.remove(key);
        if let Some(partitions) = self.by_sort_key.get_mut(&key.1) {
            partitions.remove(&key.0);
        }
    }

    /// The answer, and how many keys, rows or actions the call has.
    pub(super) fn call(&mut self, operation: &str, body: &Value) -> (Result<Value, Value>, u64) {
        match operation {
            "DescribeTable" => (Ok(described()), 1),
            "DescribeTimeToLive" => {
                let ttl = json!({"TimeToLiveStatus": "ENABLED", "AttributeName": "instepTtl"});
                (Ok(json!({"TimeToLiveDescription": ttl})), 1)
            }
            "BatchGetItem" => self.batch_get(body),
            "BatchWriteItem" => self.batch_write(body),
            "TransactWriteItems" => self.transact(body),
            "PutItem" | "DeleteItem" => {
                let kind = operation.trim_end_matches("Item");
                let done = if self.holds(kind, body) {
                    Ok(json!({}))
                } else {
                    Err(refused("ConditionalCheckFailedException"))
                };
                if done.is_ok() {
                    self.act(kind, body);
                }
                (done, 1)
            }
            "Query" => self.query(body),
            _ => (Err(refused("UnknownOperationException")), 0),
        }
    }

    fn batch_get(&self, body: &Value) -> (Result<Value, Value>, u64) {
        let Some((name, asked)) = first_table(body) else { return (Err(refused("ValidationException")), 0) };
        let keys = asked.get("Keys").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let found: Vec<&Value> = keys.iter().filter_map(|asked| self.items.get(&key(asked))).collect();
        (Ok(json!({"Responses": {name: found}, "UnprocessedKeys": {}})), keys.len() as u64)
    }

    fn batch_write(&mut self, body: &Value) -> (Result<Value, Value>, u64) {
        let Some((_, requests)) = first_table(body) else { return (Err(refused("ValidationException")), 0) };
        let requests = requests.as_array().cloned().unwrap_or_default();
        let count = if self.is_frozen { 0 } else { requests.len() };
        for request in requests.iter().take(count) {
            if let Some(item) = request.pointer("/PutRequest/Item") {
                self.put(item.clone());
            } else if let Some(deleted) = request.pointer("/DeleteRequest/Key") {
                self.delete(&key(deleted));
            }
        }
        (Ok(json!({"UnprocessedItems": {}})), requests.len() as u64)
    }

    fn transact(&mut self, body: &Value) -> (Result<Value, Value>, u64) {
        let actions = body.get("TransactItems").and_then(Value::as_array).cloned().unwrap_or_default();
        let actions: Vec<(String, Value)> =
            actions.into_iter().filter_map(|action| action.as_object()?.clone().into_iter().next()).collect();
        let hold: Vec<bool> = actions.iter().map(|(kind, action)| self.holds(kind, action)).collect();
        let count = actions.len() as u64;
        if hold.contains(&false) {
            let code = |holds: &bool| json!({"Code": if *holds { "None" } else { "ConditionalCheckFailed" }});
            let mut answer = refused("TransactionCanceledException");
            if let Some(answer) = answer.as_object_mut() {
                answer.insert("CancellationReasons".to_owned(), hold.iter().map(code).collect());
            }
            return (Err(answer), count);
        }
        actions.iter().for_each(|(kind, action)| self.act(kind, action));
        (Ok(json!({})), count)
    }

    fn act(&mut self, kind: &str, action: &Value) {
        if self.is_frozen {
            return;
        }
        match (kind, action.get("Item"), action.get("Key")) {
            ("Put", Some(item), _) => self.put(item.clone()),
            ("Delete", _, Some(deleted)) => self.delete(&key(deleted)),
            (_, _, _) => {}
        }
    }

    /// Whether the condition of an action holds. It has terms as Instep writes them.
    fn holds(&self, kind: &str, action: &Value) -> bool {
        let of = key(action.get(if kind == "Put" { "Item" } else { "Key" }).unwrap_or(&Value::Null));
        let found = self.items.get(&of);
        let condition = action.get("ConditionExpression").and_then(Value::as_str).unwrap_or_default();
        condition.split(" AND ").filter(|term| !term.is_empty()).all(|term| {
            let inner = |word: &str| Some(name(action, term.strip_prefix(word)?.strip_suffix(')')?));
            if let Some(name) = inner("attribute_not_exists(") {
                return found.is_none_or(|item| item.get(&name).is_none());
            }
            if let Some(name) = inner("attribute_exists(") {
                return found.is_some_and(|item| item.get(&name).is_some());
            }
            let Some((left, right)) = term.split_once(" = ") else { return false };
            let wanted = action.get("ExpressionAttributeValues").and_then(|values| values.get(right.trim()));
            found.and_then(|item| item.get(name(action, left))) == wanted
        })
    }

    fn query(&self, body: &Value) -> (Result<Value, Value>, u64) {
        let expression = body.get("KeyConditionExpression").and_then(Value::as_str).unwrap_or_default();
        let value = |place: &str| {
            let text = body.pointer(&format!("/ExpressionAttributeValues/{}/S", place.trim()));
            text.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (mut equal, mut prefix) = (Map::new(), (String::new(), String::new()));
        for term in expression.split(" AND ").map(str::trim) {
            let inner =
                term.strip_prefix("begins_with").map(|rest| rest.trim().trim_start_matches('(').trim_end_matches(')'));
            if let Some((left, right)) = inner.and_then(|inner| inner.split_once(',')) {
                prefix = (name(body, left), value(right));
            } else if let Some((left, right)) = term.split_once('=') {
                equal.insert(name(body, left), value(right).into());
            }
        }
        let of = |attribute: &str| equal.get(attribute).and_then(Value::as_str).unwrap_or_default();
        let limit = body.get("Limit").and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
        let limit = limit.unwrap_or(ROWS_MAX).min(ROWS_MAX);
        let after = body.get("ExclusiveStartKey").map(key);
        let (pk, sk) = (of("PK"), of("SK"));
        let rows: Vec<Value> = if equal.contains_key("PK") {
            let from = after.clone().unwrap_or_else(|| (pk.to_owned(), prefix.1.clone()));
            let rows = self.items.range(from..).take_while(|(key, _)| key.0 == pk && key.1.starts_with(&prefix.1));
            rows.filter(|(key, _)| after.as_ref() != Some(key)).take(limit).map(|(_, item)| item.clone()).collect()
        } else {
            let partitions = self.by_sort_key.get(sk).into_iter().flatten().filter(|pk| pk.starts_with(&prefix.1));
            let keys = partitions
                .map(|pk| (pk.clone(), sk.to_owned()))
                .filter(|key| after.as_ref().is_none_or(|after| key > after));
            keys.take(limit).filter_map(|key| self.items.get(&key).cloned()).collect()
        };
        let mut answer = json!({"Count": rows.len(), "ScannedCount": rows.len()});
        if let (true, Some(last), Some(answer)) = (rows.len() == limit, rows.last().map(key), answer.as_object_mut()) {
            answer.insert("LastEvaluatedKey".to_owned(), json!({"PK": {"S": last.0}, "SK": {"S": last.1}}));
        }
        let count = rows.len() as u64;
        if let Some(answer) = answer.as_object_mut() {
            answer.insert("Items".to_owned(), rows.into());
        }
        (Ok(answer), count)
    }
}

/// The name of an attribute in an expression.
fn name(body: &Value, place: &str) -> String {
    let place = place.trim();
    let named = body.get("ExpressionAttributeNames").and_then(|names| names.get(place));
    named.and_then(Value::as_str).unwrap_or(place).to_owned()
}

fn first_table(body: &Value) -> Option<(&String, &Value)> {
    body.get("RequestItems")?.as_object()?.iter().next()
}

fn described() -> Value {
    let keys = |hash: &str, range: &str| json!([{"AttributeName": hash, "KeyType": "HASH"}, {"AttributeName": range, "KeyType": "RANGE"}]);
    json!({"Table": {
        "TableName": "app", "TableStatus": "ACTIVE", "TableArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/app",
        "KeySchema": keys("PK", "SK"),
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "InvertedIndex", "IndexStatus": "ACTIVE", "KeySchema": keys("SK", "PK"),
            "Projection": {"ProjectionType": "ALL"},
        }],
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        "LatestStreamArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/app/stream/2025-01-01T00:00:00.000",
    }})
}
