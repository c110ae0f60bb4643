//! What a request to a service of AWS reads or writes.

use std::collections::BTreeSet;

use instep_flow::bookkeeping::BookkeepingKind;
use instep_flow::{mask, queries};
use instep_model::{Identity, Key, Model};
use serde_json::Value;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Does {
    Read,
    Write,
    Publish,
    Send,
}

/// How a write leaves its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    Item,
    Nothing,
}

/// A request, as far as the page shows it.
#[derive(Debug, Clone)]
pub(super) struct ShownRequest {
    /// `dynamodb`, `cognito`, `eventbridge`, `sqs`.
    pub(super) service: &'static str,
    pub(super) operation: String,
    pub(super) does: Does,
    /// The items that it reads, with their keys, or what else it is about.
    pub(super) about: Vec<RequestTarget>,
    /// The keys that it writes.
    pub(super) writes: Vec<(Key, Leaves)>,
    /// Whether it may write items whose keys it does not show.
    pub(super) writes_unseen: bool,
}

/// One thing that a request is about.
#[derive(Debug, Clone)]
pub(super) struct RequestTarget {
    pub(super) label: String,
    pub(super) key: Option<Key>,
}

/// The services, by the prefix of their targets.
pub(super) fn service(prefix: &str) -> Option<&'static str> {
    match prefix {
        "DynamoDB_20120810" | "DynamoDBStreams_20120810" => Some("dynamodb"),
        "AWSCognitoIdentityProviderService" => Some("cognito"),
        "AWSEvents" => Some("eventbridge"),
        "AmazonSQS" => Some("sqs"),
        _ => None,
    }
}

impl ShownRequest {
    /// Reads a request with this target and body. `None` for one of another service.
    pub(super) fn read(model: &Model, table: &str, target: &str, body: &[u8]) -> Option<Self> {
        let (prefix, operation) = target.split_once('.')?;
        let service = service(prefix)?;
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let mut request = Self {
            service,
            operation: operation.to_owned(),
            does: Does::Read,
            about: Vec::new(),
            writes: Vec::new(),
            writes_unseen: false,
        };
        let reader = Reader { model, table, body: &body };
        match service {
            "dynamodb" => reader.dynamodb(&mut request),
            "cognito" => reader.cognito(&mut request),
            "eventbridge" => reader.event_bridge(&mut request),
            _ => reader.sqs(&mut request),
        }
        Some(request)
    }
}

struct Reader<'a> {
    model: &'a Model,
    table: &'a str,
    body: &'a Value,
}

impl Reader<'_> {
    fn dynamodb(&self, request: &mut ShownRequest) {
        let own = self.body.get("TableName").is_none_or(|name| self.is_own(name));
        match request.operation.as_str() {
            "GetItem" if own => request.about.extend(self.keyed(self.body.get("Key"))),
            "BatchGetItem" => {
                for keys in self.of_table("RequestItems").and_then(|asked| asked.get("Keys")).into_iter() {
                    request.about.extend(list(keys).iter().filter_map(|key| self.keyed(Some(key))));
                }
            }
            "Query" if own => request.about.push(self.query()),
            "PutItem" if own => self.write(request, self.body.get("Item"), Leaves::Item),
            "UpdateItem" if own => self.write(request, self.body.get("Key"), Leaves::Item),
            "DeleteItem" if own => self.write(request, self.body.get("Key"), Leaves::Nothing),
            "BatchWriteItem" => {
                request.does = Does::Write;
                for entry in self.of_table("RequestItems").map(list).unwrap_or_default() {
                    self.write(request, entry.pointer("/PutRequest/Item"), Leaves::Item);
                    self.write(request, entry.pointer("/DeleteRequest/Key"), Leaves::Nothing);
                }
            }
            "TransactWriteItems" => {
                request.does = Does::Write;
                for entry in self.body.get("TransactItems").map(list).unwrap_or_default() {
                    let of = |act: &str| {
                        entry.get(act).filter(|act| act.get("TableName").is_some_and(|name| self.is_own(name)))
                    };
                    self.write(request, of("Put").and_then(|put| put.get("Item")), Leaves::Item);
                    self.write(request, of("Update").and_then(|update| update.get("Key")), Leaves::Item);
                    self.write(request, of("Delete").and_then(|delete| delete.get("Key")), Leaves::Nothing);
                }
            }
            "ExecuteStatement" | "BatchExecuteStatement" | "ExecuteTransaction" => {
                (request.does, request.writes_unseen) = (Does::Write, true);
            }
            _ => {}
        }
    }

    fn write(&self, request: &mut ShownRequest, keyed: Option<&Value>, leaves: Leaves) {
        let Some(about) = self.keyed(keyed) else { return };
        request.does = Does::Write;
        request.writes.extend(about.key.clone().map(|key| (key, leaves)));
        request.about.push(about);
    }

    /// The entry of the table in a map of tables, which may be named by ARN.
    fn of_table(&self, name: &str) -> Option<&Value> {
        let tables = self.body.get(name)?.as_object()?;
        tables.iter().find(|(name, _)| is_table(name, self.table)).map(|(_, of)| of)
    }

    fn is_own(&self, name: &Value) -> bool {
        name.as_str().is_some_and(|name| is_table(name, self.table))
    }

    fn keyed(&self, item: Option<&Value>) -> Option<RequestTarget> {
        let item = item?;
        let part = |name: &str| item.get(name)?.get("S")?.as_str().map(str::to_owned);
        let table = &self.model.table;
        let key = Key { pk: part(&table.pk)?, sk: part(&table.sk)? };
        Some(RequestTarget { label: label(self.model, &key), key: Some(key) })
    }

    fn query(&self) -> RequestTarget {
        let value = |name: &str| self.body.get("ExpressionAttributeValues")?.get(name)?.get("S")?.as_str();
        let index = self.body.get("IndexName").and_then(Value::as_str);
        let pk = value(":pk").unwrap_or_default();
        let key = Key { pk: pk.to_owned(), sk: value(":sk").unwrap_or_default().to_owned() };
        let of = || pk.splitn(3, '#').nth(2).unwrap_or_default().replace("%2F", "/").replace("%25", "%");
        let label = match BookkeepingKind::of(&key) {
            // A key of a secret item would show its values.
            _ if has_secrets(self.model) => "a partition".to_owned(),
            Some(BookkeepingKind::Reference) => format!("what refers to {}", of()),
            Some(BookkeepingKind::Address) => format!("where {} is", of()),
            Some(BookkeepingKind::Claim) => format!("pending claims of {}", of()),
            Some(BookkeepingKind::Group) => format!("groups created on demand under {}", of()),
            Some(BookkeepingKind::Due) => "what becomes due".to_owned(),
            Some(BookkeepingKind::Tombstone) => "a deletion mark".to_owned(),
            Some(BookkeepingKind::Account) => format!("the account of {}", of()),
            Some(BookkeepingKind::Limit) => "how many users are deleted".to_owned(),
            Some(BookkeepingKind::Model) => "the deployed models".to_owned(),
            None => {
                let index = index.map(|index| format!(" in index {index}")).unwrap_or_default();
                let from = if key.sk.is_empty() { String::new() } else { format!(", from {}", key.sk) };
                format!("partition {pk}{from}{index}")
            }
        };
        RequestTarget { label, key: None }
    }

    fn cognito(&self, request: &mut ShownRequest) {
        let reads = ["AdminGetUser", "AdminListGroupsForUser", "DescribeUserPool", "GetGroup"];
        let is_read = reads.contains(&request.operation.as_str()) || request.operation.starts_with("List");
        request.does = if is_read { Does::Read } else { Does::Write };
        let text = |name: &str| self.body.get(name).and_then(Value::as_str);
        let label = match (text("Username"), text("GroupName")) {
            (Some(user), Some(group)) => format!("{user} in {group}"),
            (Some(user), None) if request.operation == "AdminListGroupsForUser" => format!("groups of {user}"),
            (Some(one), None) | (None, Some(one)) => one.to_owned(),
            (None, None) => return,
        };
        request.about.push(RequestTarget { label, key: None });
    }

    fn event_bridge(&self, request: &mut ShownRequest) {
        request.does = Does::Publish;
        let entries = self.body.get("Entries").map(list).unwrap_or_default();
        let names = entries.iter().filter_map(|entry| entry.get("DetailType")?.as_str());
        request.about.extend(names.map(|name| RequestTarget { label: name.to_owned(), key: None }));
    }

    fn sqs(&self, request: &mut ShownRequest) {
        request.does = Does::Send;
        let count = self.body.get("Entries").map(list).unwrap_or_default().len();
        let label = if count == 1 { "1 message".to_owned() } else { format!("{count} messages") };
        request.about.push(RequestTarget { label, key: None });
    }
}

/// Whether a name or an ARN is the table's.
pub(super) fn is_table(name: &str, table: &str) -> bool {
    name.rsplit('/').next() == Some(table)
}

/// The name of an item for people. Of Instep's own items, it says what they are.
pub(super) fn label(model: &Model, key: &Key) -> String {
    match model.identify(key) {
        Identity::Bookkeeping => match BookkeepingKind::of(key) {
            Some(BookkeepingKind::Reference) => "back-reference",
            Some(BookkeepingKind::Address) => "address",
            Some(BookkeepingKind::Tombstone) => "deletion mark",
            Some(BookkeepingKind::Claim) => "pending claim",
            Some(BookkeepingKind::Group) => "group created on demand",
            Some(BookkeepingKind::Due) => "moment to come",
            Some(BookkeepingKind::Account) => "account",
            Some(BookkeepingKind::Limit) => "limit of deletions",
            Some(BookkeepingKind::Model) => "deployed model",
            None => "bookkeeping item",
        }
        .to_owned(),
        Identity::Item { .. } => queries::label(model, key),
        Identity::Unknown(_) => mask::key(model, key).unwrap_or_else(|| "item of no known type".to_owned()),
    }
}

/// Whether some items must not be shown.
fn has_secrets(model: &Model) -> bool {
    model.items.iter().any(|item| item.secret)
}

/// The keys of the items in a response of BatchGetItem or GetItem.
pub(super) fn found(model: &Model, response: &Value) -> BTreeSet<Key> {
    let tables = response.get("Responses").and_then(Value::as_object);
    let many = tables.into_iter().flatten().flat_map(|(_, items)| list(items));
    let items = many.chain(response.get("Item"));
    let part = |item: &Value, name: &str| item.get(name)?.get("S")?.as_str().map(str::to_owned);
    items.filter_map(|item| Some(Key { pk: part(item, &model.table.pk)?, sk: part(item, &model.table.sk)? })).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(target: &str, body: &Value) -> ShownRequest {
        let model = Model::shipped("access-management").unwrap();
        ShownRequest::read(&model, "t", target, body.to_string().as_bytes()).unwrap()
    }

    fn item(pk: &str, sk: &str) -> Value {
        serde_json::json!({"pk": {"S": pk}, "sk": {"S": sk}, "role": {"S": "reader"}})
    }

    #[test]
    fn the_keys_of_each_kind_of_write_are_seen() {
        let put = serde_json::json!({"TableName": "t", "Item": item("U:a@b", "G:/x")});
        let seen = read("DynamoDB_20120810.PutItem", &put);
        assert_eq!(seen.writes, [(Key { pk: "U:a@b".into(), sk: "G:/x".into() }, Leaves::Item)]);
        assert_eq!(seen.about[0].label, "Membership a@b/%2Fx");
        let of_another = serde_json::json!({"TableName": "other", "Item": item("U:a@b", "G:/x")});
        assert!(read("DynamoDB_20120810.PutItem", &of_another).writes.is_empty());
        let batch = serde_json::json!({"RequestItems": {"arn:aws:dynamodb:r:1:table/t": [
            {"PutRequest": {"Item": item("U:a@b", "U:a@b")}}, {"DeleteRequest": {"Key": item("G:/x", "G:/x")}}]}});
        assert_eq!(read("DynamoDB_20120810.BatchWriteItem", &batch).writes.len(), 2);
        let transaction = serde_json::json!({"TransactItems": [
            {"Put": {"TableName": "t", "Item": item("a", "b")}}, {"Delete": {"TableName": "t", "Key": item("c", "d")}},
            {"Update": {"TableName": "t", "Key": item("e", "f")}}, {"ConditionCheck": {"TableName": "t", "Key": item("g", "h")}}]});
        let leaves: Vec<Leaves> = read("DynamoDB_20120810.TransactWriteItems", &transaction)
            .writes
            .into_iter()
            .map(|(_, leaves)| leaves)
            .collect();
        assert_eq!(leaves, [Leaves::Item, Leaves::Nothing, Leaves::Item]);
        assert!(read("DynamoDB_20120810.ExecuteStatement", &serde_json::json!({})).writes_unseen);
    }
}
