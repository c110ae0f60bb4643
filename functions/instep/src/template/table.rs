//! The table that a model describes, as CloudFormation properties.

use std::collections::BTreeMap;

use instep_model::{Index, Model};
use serde_json::{Value, json};

use super::expand::{members, merge, text};
use super::yaml::{flow, member};

/// The properties that depend on the model, in the order in which they are written.
const PROPERTIES: [&str; 5] =
    ["AttributeDefinitions", "KeySchema", INDEXES, "TimeToLiveSpecification", "StreamSpecification"];

const INDEXES: &str = "GlobalSecondaryIndexes";

/// The table's properties that depend on the model, as lines.
pub(super) fn properties(model: &Model) -> Vec<String> {
    lines(&of(model))
}

/// The same as an object.
pub(super) fn of(model: &Model) -> Value {
    let table = &model.table;
    let mut made = json!({ "AttributeDefinitions": [], "KeySchema": schema(&table.pk, Some(&table.sk)) });
    if !model.indexes.is_empty() {
        let index = |index: &Index| {
            let (pk, sk) = keys(index);
            json!({ "IndexName": index.name, "KeySchema": schema(pk, sk), "Projection": { "ProjectionType": "ALL" } })
        };
        merge(&mut made, json!({ INDEXES: model.indexes.iter().map(index).collect::<Vec<_>>() }));
    }
    merge(
        &mut made,
        json!({
            "TimeToLiveSpecification": { "AttributeName": table.ttl, "Enabled": true },
            "StreamSpecification": { "StreamViewType": "NEW_AND_OLD_IMAGES" },
        }),
    );
    define(&mut made, &Value::Null);
    made
}

/// Those of a table's properties that depend on a model, as lines.
pub(super) fn lines(table: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for name in PROPERTIES {
        match table.get(name) {
            None => {}
            Some(Value::Array(entries)) => {
                lines.push(format!("{name}:"));
                lines.extend(entries.iter().flat_map(if name == INDEXES { index_lines } else { entry_lines }));
            }
            Some(value) => lines.push(format!("{name}: {}", flow(value))),
        }
    }
    lines
}

fn entry_lines(entry: &Value) -> Vec<String> {
    vec![format!("  - {}", flow(entry))]
}

fn index_lines(index: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, value) in members(index.clone()) {
        let begin = if lines.is_empty() { "  - " } else { "    " };
        if let Value::Array(entries) = value {
            lines.push(format!("{begin}{name}:"));
            lines.extend(entries.iter().map(|entry| format!("      - {}", flow(entry))));
        } else {
            lines.push(format!("{begin}{name}: {}", member(&name, &value)));
        }
    }
    lines
}

/// The indexes of a table.
pub(super) fn indexes(table: &Value) -> &[Value] {
    list(table, INDEXES)
}

/// The index of a name.
pub(super) fn index<'a>(table: &'a Value, name: &str) -> Option<&'a Value> {
    indexes(table).iter().find(|index| text(index, "IndexName") == name)
}

/// A table with one more index, whose attributes have the types that another table gives them.
pub(super) fn with_index(mut table: Value, index: &Value, other: &Value) -> Value {
    let all: Vec<Value> = indexes(&table).iter().chain([index]).cloned().collect();
    merge(&mut table, json!({ INDEXES: all }));
    define(&mut table, other);
    table
}

/// The attribute by which the time to live is enabled. `None`: it is not.
pub(super) fn time_to_live(table: &Value) -> Option<&str> {
    let ttl = table.get("TimeToLiveSpecification")?;
    let is_enabled = ttl.get("Enabled").is_some_and(|enabled| *enabled == true || *enabled == "true");
    is_enabled.then(|| text(ttl, "AttributeName"))
}

/// A table whose time to live is disabled, by the attribute that it has: DynamoDB asks for that name.
pub(super) fn without_time_to_live(mut table: Value) -> Value {
    merge(&mut table, json!({ "TimeToLiveSpecification": { "Enabled": false } }));
    table
}

/// Sets the definitions of attributes: DynamoDB takes those of keys, and no others.
fn define(table: &mut Value, other: &Value) {
    let schemas = [&*table].into_iter().chain(indexes(table)).flat_map(|part| list(part, "KeySchema"));
    let mut types: BTreeMap<String, String> =
        schemas.map(|key| (text(key, "AttributeName").to_owned(), "S".to_owned())).collect();
    for known in list(other, "AttributeDefinitions").iter().chain(list(table, "AttributeDefinitions")) {
        if let Some(kind) = types.get_mut(text(known, "AttributeName")) {
            text(known, "AttributeType").clone_into(kind);
        }
    }
    let definition = |(name, kind): (&String, &String)| json!({ "AttributeName": name, "AttributeType": kind });
    let all: Vec<Value> = types.iter().map(definition).collect();
    merge(table, json!({ "AttributeDefinitions": all }));
}

fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// An index's key attributes: the first spelling of each.
fn keys(index: &Index) -> (&str, Option<&str>) {
    let pk = index.pk.first().map_or("", String::as_str);
    (pk, index.sk.as_ref().and_then(|sk| sk.first()).map(String::as_str))
}

fn schema(pk: &str, sk: Option<&str>) -> Vec<Value> {
    let key = |name: &str, kind: &str| json!({ "AttributeName": name, "KeyType": kind });
    [Some(key(pk, "HASH")), sk.map(|sk| key(sk, "RANGE"))].into_iter().flatten().collect()
}

/// A text as a quoted YAML string.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
