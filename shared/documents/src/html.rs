//! The page for people: each event, when it comes, its fields and its example. One file without
//! scripts or links to elsewhere.

use std::fmt::Write as _;

use instep_contract::CONTRACT_VERSION;
use instep_model::Model;
use serde_json::{Map, Value};

use crate::event_type::EventType;
use crate::patterns::RulePattern;

const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
h1, h2 { line-height: 1.2 } h2 { border-top: 1px solid #8886; margin-top: 3rem; padding-top: 1.5rem }
code, pre { font: 0.875em ui-monospace, monospace }
pre { background: #8881; overflow-x: auto; padding: 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid #8884; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top }
td:first-child { white-space: nowrap }
nav { columns: 3 14rem }";

/// The page.
pub(crate) fn page(
    model: &Model,
    events: &[EventType],
    schemas: &[(String, Value)],
    examples: &Map<String, Value>,
    patterns: &[RulePattern],
) -> String {
    let name = escaped(&model.name);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Events of {name}</title>\n<style>\n{STYLE}\n</style>\n<h1>Events of {name}</h1>\n"
    );
    let _ = write!(
        text,
        "<p>Instep publishes these events on Amazon EventBridge, with the source <code>{}</code>. This is version \
         {CONTRACT_VERSION} of the contract.</p>\n\
         <ul>\n<li>An event can come more than once, and events can come in any order: of one <code>metadata.item</code>, \
         keep the last by <code>metadata.epoch</code>, then by <code>metadata.sequence</code>, then by \
         <code>metadata.index</code>.</li>\n\
         <li>A snapshot (<code>instep contract snapshot</code>) repairs what was lost: <code>metadata.snapshot</code>.</li>\n\
         <li>No type is declared for an attribute: it is what its JSON says, unless <code>data.types</code> says \
         another.</li>\n\
         <li>An event reports a write to the table, not present access.</li>\n\
         <li>A later version may add fields, values and events: ignore what you do not know.</li>\n</ul>\n<nav>\n",
        escaped(&model.source)
    );
    for event in events {
        let _ = writeln!(text, "<div><a href=\"#{}\">{}</a></div>", event.name, escaped(&event.shown()));
    }
    text.push_str("<div><a href=\"#rule-patterns\">Rule patterns</a></div>\n</nav>\n");
    for (event, (name, schema)) in events.iter().zip(schemas) {
        let _ = write!(
            text,
            "<h2 id=\"{name}\">{}</h2>\n<p>{}</p>\n",
            escaped(&event.shown()),
            escaped(&crate::words::when(model, event))
        );
        fields(schema, &mut text);
        let example = examples.get(name).map(|example| serde_json::to_string_pretty(example).unwrap_or_default());
        let example = example.unwrap_or_else(|| "No capture has such an event.".to_owned());
        let _ = writeln!(text, "<details><summary>Example</summary><pre>{}</pre></details>", escaped(&example));
    }
    text.push_str(
        "<h2 id=\"rule-patterns\">Rule patterns</h2>\n<p>Replace the values that come from the examples.</p>\n",
    );
    for rule in patterns {
        let pattern = serde_json::to_string_pretty(&rule.pattern).unwrap_or_default();
        let (name, says) = (escaped(&rule.name), escaped(&rule.description));
        let _ = writeln!(text, "<h3>{name}</h3>\n<p>{says}</p>\n<pre>{}</pre>", escaped(&pattern));
    }
    text.push_str("</html>\n");
    text
}

/// A table of the fields in `detail`. Of an event about several item types, a table for each.
fn fields(schema: &Value, text: &mut String) {
    let Some(detail) = schema.pointer("/properties/detail") else { return };
    let alone = [detail.clone()];
    let variants = detail.get("anyOf").and_then(Value::as_array).map_or(alone.as_slice(), Vec::as_slice);
    for variant in variants {
        if variants.len() > 1 {
            let title = variant.get("title").and_then(Value::as_str).unwrap_or_default();
            let _ = writeln!(text, "<p>Of an item of type {}:</p>", escaped(title));
        }
        text.push_str("<table>\n<tr><th>field<th>type<th>what\n");
        rows("", variant, text);
        text.push_str("</table>\n");
    }
}

fn rows(above: &str, schema: &Value, text: &mut String) {
    let required = schema.get("required").and_then(Value::as_array);
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
        let often = if is_required { "" } else { " <em>if there is one</em>" };
        let says = property.get("description").and_then(Value::as_str).unwrap_or_default();
        let ty = escaped(&type_text(property));
        let _ = writeln!(text, "<tr><td><code>{}</code>{often}<td>{ty}<td>{}", escaped(&path), escaped(says));
        rows(&path, property, text);
    }
}

fn type_text(schema: &Value) -> String {
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ");
    }
    let empty = if schema.get("maxProperties").is_some() || schema.get("maxItems").is_some() { ", empty" } else { "" };
    let of = schema.get("items").map(|items| format!(" of {}", type_text(items))).unwrap_or_default();
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        Some(Value::String(name)) => format!("{name}{of}{empty}"),
        Some(_) | None => "any JSON".to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
