//! Items on their way to the SDK.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use instep_model::{Bytes, Item, Key, Table, Value};

/// An item as the SDK takes it.
pub(crate) fn to_sdk(item: &Item) -> HashMap<String, AttributeValue> {
    item.iter().map(|(name, value)| (name.clone(), value_to_sdk(value))).collect()
}

/// A key as the SDK takes it.
pub(crate) fn key_to_sdk(table: &Table, key: &Key) -> HashMap<String, AttributeValue> {
    HashMap::from([
        (table.pk.clone(), AttributeValue::S(key.pk.clone())),
        (table.sk.clone(), AttributeValue::S(key.sk.clone())),
    ])
}

/// A value as the SDK takes it.
pub(crate) fn value_to_sdk(value: &Value) -> AttributeValue {
    let blob = |bytes: &Bytes| Blob::new(bytes.0.clone());
    match value {
        Value::S(text) => AttributeValue::S(text.clone()),
        Value::N(text) => AttributeValue::N(text.clone()),
        Value::B(bytes) => AttributeValue::B(blob(bytes)),
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Null(flag) => AttributeValue::Null(*flag),
        Value::L(values) => AttributeValue::L(values.iter().map(value_to_sdk).collect()),
        Value::M(values) => AttributeValue::M(to_sdk(values)),
        Value::Ss(texts) => AttributeValue::Ss(texts.clone()),
        Value::Ns(texts) => AttributeValue::Ns(texts.clone()),
        Value::Bs(values) => AttributeValue::Bs(values.iter().map(blob).collect()),
    }
}
