//! JSON Schema draft-04, which EventBridge's schema registry takes (`JSONSchemaDraft4`).
//! Source: Amazon EventBridge Schema Registry API Reference, "CreateSchema".

use serde_json::{Map, Value, json};

/// The dialect.
const DRAFT_04: &str = "http://json-schema.org/draft-04/schema#";

/// A schema of this crate in draft-04.
#[must_use]
pub fn as_draft_04(schema: &Value) -> Value {
    let mut converted = convert(schema);
    if let Some(fields) = converted.as_object_mut() {
        fields.insert("$schema".to_owned(), json!(DRAFT_04));
    }
    converted
}

fn convert(schema: &Value) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut converted = Map::new();
    for (word, value) in fields {
        let (word, value) = match word.as_str() {
            "$id" => ("id", value.clone()),
            "const" => ("enum", json!([value])),
            "properties" => ("properties", of_each(value)),
            "anyOf" => ("anyOf", value.as_array().map(|all| all.iter().map(convert).collect()).unwrap_or_default()),
            "items" | "additionalProperties" => (word.as_str(), convert(value)),
            // Draft-04 allows no empty list here.
            "required" if value.as_array().is_some_and(Vec::is_empty) => continue,
            other => (other, value.clone()),
        };
        converted.insert(word.to_owned(), value);
    }
    Value::Object(converted)
}

fn of_each(properties: &Value) -> Value {
    let fields = properties.as_object().into_iter().flatten();
    fields.map(|(name, schema)| (name.clone(), convert(schema))).collect::<Map<_, _>>().into()
}
