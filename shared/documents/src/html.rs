//! The page for people: the envelope, a table of events, their items, and an example. One file without
//! scripts or links to elsewhere.

use std::fmt::Write as _;

use instep_contract::CONTRACT_VERSION;
use instep_model::Model;
use serde_json::{Map, Value};

use crate::declared::{Declared, DeclaredEvent, DeclaredField, DeclaredShape, FieldType, NOTHING, PARAMETERS};
use crate::event_type::EventType;
use crate::patterns::RulePattern;

const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1, h2 { line-height: 1.2 } h2 { border-top: 1px solid #8886; margin-top: 3rem; padding-top: 1.5rem }
code, pre { font: 0.875em ui-monospace, monospace }
pre { background: #8881; overflow-x: auto; padding: 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid #8884; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top }
td:first-child { white-space: nowrap }";

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
         <li>A later version may add fields, values and events: ignore what you do not know.</li>\n</ul>\n",
        escaped(&model.source)
    );
    let declared = Declared::of(model, schemas);
    table_of_events(events, &declared.events, &mut text);
    table_of_shapes(&declared.shapes, &mut text);
    envelope(&declared.parts, &mut text);
    example(examples, &mut text);
    text.push_str(
        "<h2 id=\"rule-patterns\">Rule patterns</h2>\n<p>Replace the values that come from the examples.</p>\n\
         <table>\n<tr><th>name<th>what it matches<th>pattern\n",
    );
    for rule in patterns {
        let (name, says, pattern) =
            (escaped(&rule.name), escaped(&rule.description), escaped(&rule.pattern.to_string()));
        let _ = writeln!(text, "<tr><td>{name}<td>{says}<td><code>{pattern}</code>");
    }
    text.push_str("</table>\n</html>\n");
    text
}

/// A row for each event, and for each item type that it can be about.
fn table_of_events(events: &[EventType], declared: &[DeclaredEvent], text: &mut String) {
    text.push_str(
        "<h2 id=\"events\">Events</h2>\n<table>\n<tr><th>detail-type<th>when<th>entity<th>verb<th>kind<th>cause<th>keys\
         <th>old<th>new<th>more\n",
    );
    for (event, own) in events.iter().zip(declared) {
        for (nth, variant) in own.variants.iter().enumerate() {
            let (name, when) =
                if nth == 0 { (event.shown(), own.when.clone()) } else { (String::new(), String::new()) };
            let id = if nth == 0 { format!(" id=\"{}\"", own.name) } else { String::new() };
            let _ = write!(text, "<tr{id}><td>{}<td>{}", escaped(&name), escaped(&when));
            for ty in [&variant.entity, &variant.verb, &variant.kind, &variant.cause] {
                let _ = write!(text, "<td>{}", escaped(&words(ty)));
            }
            for shape in [Some(&variant.keys), variant.old.as_ref(), variant.new.as_ref()] {
                let shape = shape.filter(|name| *name != NOTHING);
                let _ = write!(text, "<td>{}", shape.map_or_else(String::new, |name| link(name)));
            }
            let more = variant.more.iter().map(|field| format!("{}{}", with_values(field), often(field)));
            let mark = variant.mark.iter().map(|_| "<code>metadata.snapshot</code>".to_owned());
            let _ = writeln!(text, "<td>{}", more.chain(mark).collect::<Vec<_>>().join(", "));
        }
    }
    text.push_str("</table>\n");
}

/// The names in keys, and the attributes: each list once.
fn table_of_shapes(shapes: &[DeclaredShape], text: &mut String) {
    text.push_str("<h2 id=\"items\">Keys and attributes</h2>\n<table>\n<tr><th>name<th>what<th>fields\n");
    for shape in shapes {
        let fields = shape.fields.iter().map(with_values).collect::<Vec<_>>().join(", ");
        let (name, says) = (escaped(&shape.name), escaped(&shape.says));
        let _ = writeln!(text, "<tr id=\"{name}\"><td>{name}<td>{says}<td>{fields}");
    }
    text.push_str("</table>\n");
}

/// What every event has.
fn envelope(parts: &[DeclaredShape], text: &mut String) {
    text.push_str("<h2 id=\"envelope\">Fields of every event</h2>\n<table>\n<tr><th>field<th>type<th>what\n");
    let whole = parts.iter().find(|part| part.name == "InstepEvent");
    whole.into_iter().for_each(|whole| rows("", whole, parts, text));
    text.push_str("</table>\n");
}

fn rows(above: &str, shape: &DeclaredShape, parts: &[DeclaredShape], text: &mut String) {
    let parameters = PARAMETERS.iter().find(|(name, _)| *name == shape.name).map_or(&[][..], |(_, own)| own);
    for field in &shape.fields {
        let part = parts.iter().find(|part| field.ty == FieldType::Named(part.name.clone()));
        let is_of_event = part.is_none() && parameters.iter().any(|(name, _)| *name == field.name);
        let ty = if is_of_event { "as the table of events says".to_owned() } else { words(&field.ty) };
        let _ = writeln!(
            text,
            "<tr><td><code>{}{}</code>{}<td>{}<td>{}",
            escaped(above),
            escaped(&field.name),
            often(field),
            escaped(&ty),
            escaped(&field.says)
        );
        part.into_iter().for_each(|part| rows(&format!("{above}{}.", field.name), part, parts, text));
    }
}

/// One example: the folder `examples` has the others. A grant shows the most.
fn example(examples: &Map<String, Value>, text: &mut String) {
    let is_grant = |one: &&Value| one.pointer("/detail/data/role").is_some();
    let Some(example) = examples.values().find(is_grant).or_else(|| examples.values().next()) else { return };
    let example = serde_json::to_string_pretty(example).unwrap_or_default();
    let _ = write!(
        text,
        "<h2 id=\"example\">An example</h2>\n<p>The folder <code>examples</code> has one of each event that a capture \
         has.</p>\n<pre>{}</pre>\n",
        escaped(&example)
    );
}

/// A field, and its values if the model says which it has.
fn with_values(field: &DeclaredField) -> String {
    let values = if let FieldType::OneOf(_) = field.ty { format!(" {}", words(&field.ty)) } else { String::new() };
    format!("<code>{}</code>{}", escaped(&field.name), escaped(&values))
}

fn link(name: &str) -> String {
    let name = escaped(name);
    format!("<a href=\"#{name}\">{name}</a>")
}

const fn often(field: &DeclaredField) -> &'static str {
    if field.is_required { "" } else { " <em>if there is one</em>" }
}

fn words(ty: &FieldType) -> String {
    match ty {
        FieldType::Any => "any JSON".to_owned(),
        FieldType::Text => "string".to_owned(),
        FieldType::Count => "integer".to_owned(),
        FieldType::Truth => "boolean".to_owned(),
        FieldType::OneOf(values) => values.join(" or "),
        FieldType::OrNull(ty) => format!("{} or null", words(ty)),
        FieldType::List(ty) => format!("list of {}", words(ty)),
        FieldType::ByName(ty) => format!("object of {}", words(ty)),
        FieldType::Named(_) => "object".to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
