//! Conversions of attribute values between Instep's own form and the SDK's.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use instep_model::{Bytes, Item, Key, Model, Value};

/// Converts a value for the SDK.
#[must_use]
pub fn to_sdk(value: &Value) -> AttributeValue {
    match value {
        Value::S(text) => AttributeValue::S(text.clone()),
        Value::N(text) => AttributeValue::N(text.clone()),
        Value::B(bytes) => AttributeValue::B(Blob::new(bytes.0.clone())),
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Null(flag) => AttributeValue::Null(*flag),
        Value::L(values) => AttributeValue::L(values.iter().map(to_sdk).collect()),
        Value::M(values) => {
            AttributeValue::M(values.iter().map(|(name, value)| (name.clone(), to_sdk(value))).collect())
        }
        Value::Ss(texts) => AttributeValue::Ss(texts.clone()),
        Value::Ns(texts) => AttributeValue::Ns(texts.clone()),
        Value::Bs(blobs) => AttributeValue::Bs(blobs.iter().map(|bytes| Blob::new(bytes.0.clone())).collect()),
    }
}

/// `None` for a type of value that this version of the SDK does not know.
#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
fn from_sdk(value: AttributeValue) -> Option<Value> {
    Some(match value {
        AttributeValue::S(text) => Value::S(text),
        AttributeValue::N(text) => Value::N(text),
        AttributeValue::B(blob) => Value::B(Bytes(blob.into_inner())),
        AttributeValue::Bool(flag) => Value::Bool(flag),
        AttributeValue::Null(flag) => Value::Null(flag),
        AttributeValue::L(values) => Value::L(values.into_iter().map(from_sdk).collect::<Option<_>>()?),
        AttributeValue::M(values) => {
            Value::M(values.into_iter().map(|(name, value)| Some((name, from_sdk(value)?))).collect::<Option<_>>()?)
        }
        AttributeValue::Ss(texts) => Value::Ss(sorted(texts)),
        AttributeValue::Ns(texts) => Value::Ns(sorted(texts)),
        AttributeValue::Bs(blobs) => {
            Value::Bs(sorted(blobs.into_iter().map(|blob| Bytes(blob.into_inner())).collect()))
        }
        _ => return None,
    })
}

/// Sets have no order. Instep sorts them, so that equal sets compare as equal.
fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values
}

/// Converts an item for the SDK.
#[must_use]
pub fn item_to_sdk(item: &Item) -> HashMap<String, AttributeValue> {
    item.iter().map(|(name, value)| (name.clone(), to_sdk(value))).collect()
}

/// Converts an item from the SDK.
#[must_use]
pub fn item_from_sdk(item: HashMap<String, AttributeValue>) -> Item {
    item.into_iter().filter_map(|(name, value)| Some((name, from_sdk(value)?))).collect()
}

/// Converts a key for the SDK.
#[must_use]
pub fn key_to_sdk(model: &Model, key: &Key) -> HashMap<String, AttributeValue> {
    HashMap::from([
        (model.table.pk.clone(), AttributeValue::S(key.pk.clone())),
        (model.table.sk.clone(), AttributeValue::S(key.sk.clone())),
    ])
}
