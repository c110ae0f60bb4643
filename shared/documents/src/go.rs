//! Go declarations, for Go 1.18 or later.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use instep_model::Model;
use serde_json::Value;

use crate::declared::{Declared, DeclaredField, DeclaredShape, FieldType, GENERIC};
use crate::identifier::{free_name, identifier};

const NOTHING: &str = "\
// Nothing: no fields.
type Nothing struct{}
";

/// What may be in the name of a JSON field, beside letters and digits. Source: Go's package `encoding/json`, "Marshal".
const IN_TAG: &str = "!#$%&()*+-./:;<=>?@[]^_{|}~ ";

/// The declarations of a model's events. Go has no types of one text, so entity, verb, kind and cause are strings.
pub(crate) fn declarations(model: &Model, schemas: &[(String, Value)]) -> String {
    let mut declared = Declared::of(model, schemas);
    let mut text = String::new();
    declared.parts.iter().for_each(|part| envelope(part, &mut text));
    let mut events = String::new();
    let mut names = Vec::new();
    for nth in 0..declared.events.len() {
        let (keys, attributes) = declared.merged(nth);
        let Some(event) = declared.events.get(nth) else { continue };
        let _ = write!(
            events,
            "\n// {}: {}\ntype {} = InstepEvent[{keys}, {attributes}]\n",
            event.name, event.when, event.name
        );
        if let FieldType::OneOf(detail_types) = &event.detail_type
            && let [detail_type] = detail_types.as_slice()
        {
            names.push((format!("DetailType{}", event.name), detail_type.clone()));
        }
    }
    for shape in &declared.shapes {
        let _ = write!(text, "\n// {}: {}\ntype {} struct {{\n", shape.name, shape.says, shape.name);
        fields(&shape.fields, &mut text);
        text.push_str("}\n");
    }
    text.push_str(&events);
    let width = names.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    text.push_str("\n// What DetailType is.\nconst (\n");
    for (name, detail_type) in &names {
        let _ = writeln!(text, "\t{name:width$} = {}", literal(detail_type));
    }
    text.push_str(")\n");
    // Go refuses an import that is not used, and a model may show no attribute.
    let import = if text.contains("json.RawMessage") { "import \"encoding/json\"\n\n" } else { "" };
    format!(
        "// Package events has the events of the table model {}. Made by `instep contract`: do not edit.\npackage events\n\n\
         {import}{NOTHING}{text}",
        model.name
    )
}

fn envelope(part: &DeclaredShape, text: &mut String) {
    let parameters = if GENERIC.contains(&&*part.name) { "[Keys, Attributes any]" } else { "" };
    let _ = write!(text, "\n// {}: {}\ntype {}{parameters} struct {{\n", part.name, part.says, part.name);
    for (nth, field) in part.fields.iter().enumerate() {
        let ty = match (&*part.name, &*field.name) {
            ("Data", "keys") => "Keys".to_owned(),
            ("Data", "old" | "new") => "Attributes".to_owned(),
            _ => typed(field),
        };
        if !field.says.is_empty() {
            let between = if nth == 0 { "" } else { "\n" };
            let _ = writeln!(text, "{between}\t// {}", field.says);
        }
        let _ = writeln!(text, "\t{} {ty} `json:\"{}\"`", identifier(&field.name), tag(field));
    }
    text.push_str("}\n");
}

/// The fields of keys and attributes, in columns as gofmt has them.
fn fields(all: &[DeclaredField], text: &mut String) {
    let mut taken = BTreeSet::new();
    let mut lines = Vec::new();
    for field in all {
        let name = free_name(&mut taken, &identifier(&field.name));
        if field.name.chars().all(|c| c.is_alphanumeric() || IN_TAG.contains(c)) {
            lines.push((name, typed(field), tag(field)));
        }
    }
    let name_width = lines.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    let type_width = lines.iter().map(|(_, ty, _)| ty.len()).max().unwrap_or_default();
    for (name, ty, tag) in lines {
        let _ = writeln!(text, "\t{name:name_width$} {ty:type_width$} `json:\"{tag}\"`");
    }
}

fn tag(field: &DeclaredField) -> String {
    // A dash alone would leave the field out.
    let name = if field.name == "-" && field.is_required { "-," } else { &field.name };
    format!("{name}{}", if field.is_required { "" } else { ",omitempty" })
}

/// What can be absent is a pointer.
fn typed(field: &DeclaredField) -> String {
    let ty = of(&field.ty);
    let is_nil = ["*", "[", "map", "json."].iter().any(|start| ty.starts_with(start));
    if field.is_required || is_nil { ty } else { format!("*{ty}") }
}

fn of(ty: &FieldType) -> String {
    match ty {
        FieldType::Any => "json.RawMessage".to_owned(),
        FieldType::Text | FieldType::OneOf(_) => "string".to_owned(),
        FieldType::Count => "uint32".to_owned(),
        FieldType::Truth => "bool".to_owned(),
        FieldType::OrNull(ty) => format!("*{}", of(ty)),
        FieldType::List(ty) => format!("[]{}", of(ty)),
        FieldType::ByName(ty) => format!("map[string]{}", of(ty)),
        FieldType::Named(name) if GENERIC.contains(&&**name) => format!("{name}[Keys, Attributes]"),
        FieldType::Named(name) => name.clone(),
    }
}

/// A text as a Go literal: JSON's escapes mean the same in Go.
fn literal(text: &str) -> String {
    Value::from(text).to_string().replace("\\/", "/")
}
