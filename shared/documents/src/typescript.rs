//! TypeScript declarations, from the schemas.

use std::fmt::Write as _;

use instep_model::Model;
use serde_json::Value;

use crate::event_type::identifier;

/// What stands before the declarations.
const HEAD: &str = "\
/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
";

/// The declarations of a model's events. `schemas` are their names and schemas.
pub(crate) fn declarations(model: &Model, schemas: &[(String, Value)]) -> String {
    let mut text =
        format!("// The events of the table model `{}`. Made by `instep contract`: do not edit.\n\n", model.name);
    text.push_str(HEAD);
    for (name, schema) in schemas {
        let _ = write!(text, "\n{}export interface {name} {}\n", comment(schema, 0), object(schema, 0));
    }
    let all: Vec<&str> = schemas.iter().map(|(name, _)| name.as_str()).collect();
    let union = if all.is_empty() { "never".to_owned() } else { format!("\n  | {}", all.join("\n  | ")) };
    let own = identifier(&model.name);
    let _ = write!(text, "\n/** Every event of the model. */\nexport type {own}Event ={union};\n");
    text
}

fn comment(schema: &Value, depth: usize) -> String {
    let Some(says) = schema.get("description").and_then(Value::as_str) else { return String::new() };
    format!("{}/** {} */\n", indent(depth), says.replace("*/", "* /"))
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

fn object(schema: &Value, depth: usize) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let mut text = String::from("{\n");
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
        let mark = if is_required { "" } else { "?" };
        text.push_str(&comment(property, depth + 1));
        let _ = writeln!(text, "{}readonly {}{mark}: {};", indent(depth + 1), key(name), of(property, depth + 1));
    }
    let _ = write!(text, "{}}}", indent(depth));
    text
}

/// A property's name, in quotes if it is no identifier.
fn key(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if is_plain { name.to_owned() } else { literal(&Value::from(name)) }
}

/// JSON is a subset of TypeScript's expressions.
fn literal(value: &Value) -> String {
    value.to_string()
}

fn of(schema: &Value, depth: usize) -> String {
    if let Some(constant) = schema.get("const") {
        return literal(constant);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(literal).collect::<Vec<_>>().join(" | ");
    }
    if let Some(all) = schema.get("anyOf").and_then(Value::as_array) {
        return all.iter().map(|one| of(one, depth)).collect::<Vec<_>>().join(" | ");
    }
    match schema.get("type") {
        Some(Value::Array(types)) => types
            .iter()
            .filter_map(Value::as_str)
            .map(|name| named(name, schema, depth))
            .collect::<Vec<_>>()
            .join(" | "),
        Some(Value::String(name)) => named(name, schema, depth),
        Some(_) | None => "Json".to_owned(),
    }
}

fn named(name: &str, schema: &Value, depth: usize) -> String {
    match name {
        "object" if schema.get("maxProperties").is_some() => "{ readonly [name: string]: never }".to_owned(),
        "object" => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) if properties.is_empty() => "{ readonly [name: string]: never }".to_owned(),
            Some(_) => object(schema, depth),
            None => "{ readonly [name: string]: Json }".to_owned(),
        },
        "array" if schema.get("maxItems").is_some() => "readonly []".to_owned(),
        "array" => match schema.get("items") {
            Some(items) => format!("ReadonlyArray<{}>", of(items, depth)),
            None => "readonly Json[]".to_owned(),
        },
        "integer" | "number" => "number".to_owned(),
        "null" => "null".to_owned(),
        "boolean" => "boolean".to_owned(),
        _ => "string".to_owned(),
    }
}
