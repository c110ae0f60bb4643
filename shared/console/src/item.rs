//! Conversions of items for the SDK, and of its errors.

use std::collections::HashMap;
use std::error::Error;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use instep_model::{Bytes, Item, Key, TableSchema, Value};

/// Converts an item for the SDK.
pub fn to_sdk(item: &Item) -> HashMap<String, AttributeValue> {
    item.iter().map(|(name, value)| (name.clone(), value_to_sdk(value))).collect()
}

/// Converts a key for the SDK.
pub fn key_to_sdk(table: &TableSchema, key: &Key) -> HashMap<String, AttributeValue> {
    HashMap::from([
        (table.pk.clone(), AttributeValue::S(key.pk.clone())),
        (table.sk.clone(), AttributeValue::S(key.sk.clone())),
    ])
}

/// Converts a value for the SDK.
pub fn value_to_sdk(value: &Value) -> AttributeValue {
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

/// The error of a call in one line: the service's message if it answered, otherwise the causes of
/// the failed call.
pub fn explain<E: ProvideErrorMetadata + Error + 'static>(error: &SdkError<E>) -> String {
    if let Some(service) = error.as_service_error()
        && let Some(code) = service.code()
    {
        return format!("{code}: {}", service.message().unwrap_or("no reason given"));
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
