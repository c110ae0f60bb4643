//! Python declarations (`TypedDict`), from the schemas. In their functional form, because fields such
//! as `detail-type` are no identifiers.

use std::fmt::Write as _;

use instep_model::Model;
use serde_json::Value;

use crate::event_type::identifier;

const HEAD: &str = "\
from typing import Any, List, Literal, NotRequired, TypedDict, Union
";

/// The declarations of a model's events, for Python 3.11 or later.
pub(crate) fn declarations(model: &Model, schemas: &[(String, Value)]) -> String {
    let mut text = format!(
        "\"\"\"The events of the table model `{}`. Made by `instep contract`: do not edit.\n\nFor Python 3.11 or later.\n\"\"\"\n\n{HEAD}",
        model.name
    );
    for (name, schema) in schemas {
        let mut found = Vec::new();
        dict(name, schema, &mut found);
        for (name, fields) in found {
            let _ = write!(text, "\n{name} = TypedDict(\"{name}\", {{\n{fields}}})\n");
        }
        if let Some(says) = schema.get("description").and_then(Value::as_str) {
            let _ = writeln!(text, "\"\"\"{}\"\"\"", says.replace('\\', "\\\\").replace("\"\"\"", "'''"));
        }
    }
    let all: Vec<&str> = schemas.iter().map(|(name, _)| name.as_str()).collect();
    let own = identifier(&model.name);
    let union = if all.is_empty() { "None".to_owned() } else { format!("Union[\n    {},\n]", all.join(",\n    ")) };
    let _ = write!(text, "\n{own}Event = {union}\n\"\"\"Every event of the model.\"\"\"\n");
    text
}

/// Adds the declaration of an object, after those of the objects in it. Returns its name.
fn dict(name: &str, schema: &Value, found: &mut Vec<(String, String)>) -> String {
    let required = schema.get("required").and_then(Value::as_array);
    let mut fields = String::new();
    for (field, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let ty = of(&format!("{name}{}", identifier(field)), property, found);
        let is_required = required.is_some_and(|all| all.iter().any(|one| one == field));
        let ty = if is_required { ty } else { format!("NotRequired[{ty}]") };
        if let Some(says) = property.get("description").and_then(Value::as_str) {
            let _ = writeln!(fields, "    # {says}");
        }
        let _ = writeln!(fields, "    {}: {ty},", literal(field));
    }
    found.push((name.to_owned(), fields));
    name.to_owned()
}

/// A text as a Python literal: JSON's escapes mean the same in Python.
fn literal(text: &str) -> String {
    Value::from(text).to_string()
}

fn literals<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    let values: Vec<String> = values.into_iter().map(Value::to_string).collect();
    format!("Literal[{}]", values.join(", "))
}

fn of(name: &str, schema: &Value, found: &mut Vec<(String, String)>) -> String {
    if let Some(constant) = schema.get("const") {
        return literals([constant]);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return literals(values);
    }
    if let Some(all) = schema.get("anyOf").and_then(Value::as_array) {
        let all = all.iter().enumerate().map(|(nth, one)| {
            let title = one.get("title").and_then(Value::as_str).map_or_else(|| nth.to_string(), identifier);
            of(&format!("{name}{title}"), one, found)
        });
        return format!("Union[{}]", all.collect::<Vec<_>>().join(", "));
    }
    match schema.get("type") {
        Some(Value::Array(types)) => {
            let all: Vec<String> =
                types.iter().filter_map(Value::as_str).map(|ty| named(name, ty, schema, found)).collect();
            format!("Union[{}]", all.join(", "))
        }
        Some(Value::String(ty)) => named(name, ty, schema, found),
        Some(_) | None => "Any".to_owned(),
    }
}

fn named(name: &str, ty: &str, schema: &Value, found: &mut Vec<(String, String)>) -> String {
    match ty {
        "object" if schema.get("properties").is_some() => dict(name, schema, found),
        "object" => "dict[str, Any]".to_owned(),
        "array" => match schema.get("items") {
            Some(items) => format!("List[{}]", of(&format!("{name}Item"), items, found)),
            None => "List[Any]".to_owned(),
        },
        "integer" => "int".to_owned(),
        "number" => "float".to_owned(),
        "null" => "None".to_owned(),
        "boolean" => "bool".to_owned(),
        _ => "str".to_owned(),
    }
}
