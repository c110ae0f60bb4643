//! Attributes of a table as plain JSON.

use instep_model::Value;
use serde_json::Map;

/// The largest whole number that every JSON reader represents exactly: 2^53.
const EXACT_MAX: i64 = 1 << 53;

/// An attribute as plain JSON. A number that a reader might round becomes a string.
pub(super) fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::S(text) => text.as_str().into(),
        Value::N(text) => match text.parse::<i64>() {
            Ok(number) if (-EXACT_MAX..=EXACT_MAX).contains(&number) => number.into(),
            Ok(_) | Err(_) => text.as_str().into(),
        },
        Value::B(_) | Value::Bs(_) => {
            // Bytes are base64 strings in the value's own JSON. Only the type around them is
            // dropped.
            let typed = serde_json::to_value(value).unwrap_or_default();
            typed.as_object().and_then(|typed| typed.values().next().cloned()).unwrap_or_default()
        }
        Value::Bool(flag) => (*flag).into(),
        Value::Null(_) => serde_json::Value::Null,
        Value::L(values) => values.iter().map(json).collect(),
        Value::M(values) => {
            values.iter().map(|(name, value)| (name.clone(), json(value))).collect::<Map<_, _>>().into()
        }
        Value::Ss(texts) => texts.iter().map(String::as_str).collect(),
        Value::Ns(numbers) => numbers.iter().map(|number| json(&Value::N(number.clone()))).collect(),
    }
}
