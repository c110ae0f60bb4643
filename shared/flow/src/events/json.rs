//! Attributes of a table as plain JSON.

use std::collections::{BTreeMap, BTreeSet};

use instep_contract::ValueType;
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
        // A set has no order: two that are equal are shown alike.
        Value::Ss(texts) => texts.iter().map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect(),
        Value::Ns(numbers) => {
            let sorted: BTreeSet<&String> = numbers.iter().collect();
            sorted.into_iter().map(|number| json(&Value::N(number.clone()))).collect()
        }
    }
}

/// Notes what in a value is not what its JSON says. `pointer` is the JSON Pointer to the value.
pub(super) fn note_types(value: &Value, pointer: &str, types: &mut BTreeMap<String, ValueType>) {
    let mut note = |of| {
        types.insert(pointer.to_owned(), of);
    };
    match value {
        Value::N(_) if json(value).is_string() => note(ValueType::N),
        Value::B(_) => note(ValueType::B),
        Value::Ss(_) => note(ValueType::StringSet),
        Value::Ns(_) => note(ValueType::NumberSet),
        Value::Bs(_) => note(ValueType::ByteSet),
        Value::L(values) => {
            values
                .iter()
                .enumerate()
                .for_each(|(place, value)| note_types(value, &member(pointer, &place.to_string()), types));
        }
        Value::M(values) => values.iter().for_each(|(name, value)| note_types(value, &member(pointer, name), types)),
        Value::S(_) | Value::N(_) | Value::Bool(_) | Value::Null(_) => {}
    }
}

/// The JSON Pointer to a member. Source: RFC 6901, section 3.
pub(super) fn member(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set and a list, and a number, bytes and a text, are alike in JSON. The types tell them apart.
    #[test]
    fn what_json_does_not_say_is_told() {
        let value: Value = serde_json::from_value(serde_json::json!({"M": {
            "list": {"L": [{"S": "b"}, {"N": "0.1"}]}, "set": {"SS": ["b", "a"]}, "exact": {"N": "7"},
            "large": {"N": "9007199254740993"}, "bytes": {"B": "AA=="}, "a/b~": {"NS": ["2", "1"]}, "text": {"S": "0.1"},
        }}))
        .unwrap();
        let mut types = BTreeMap::new();
        note_types(&value, "/new/x", &mut types);
        let types = serde_json::to_value(types).unwrap();
        assert_eq!(
            types,
            serde_json::json!({
                "/new/x/a~1b~0": "NS", "/new/x/bytes": "B", "/new/x/large": "N", "/new/x/list/1": "N", "/new/x/set": "SS",
            })
        );
        assert_eq!(json(&value)["set"], serde_json::json!(["a", "b"]), "a set has no order of its own");
    }
}
