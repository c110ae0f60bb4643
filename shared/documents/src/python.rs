//! Python declarations (`TypedDict`).

use std::fmt::Write as _;

use instep_model::Model;
use serde_json::Value;

use crate::declared::{
    Declared, DeclaredField, DeclaredShape, DeclaredVariant, FieldType, NOTHING, OF_SOME_EVENTS, PARAMETERS,
};
use crate::identifier::{identifier, union};

const HEAD: &str = "\
from typing import Any, Generic, List, Literal, NotRequired, TypedDict, TypeVar, Union

Entity = TypeVar(\"Entity\")
Verb = TypeVar(\"Verb\")
Kind = TypeVar(\"Kind\")
Cause = TypeVar(\"Cause\")
Keys = TypeVar(\"Keys\")
Old = TypeVar(\"Old\")
New = TypeVar(\"New\")
OwnMetadata = TypeVar(\"OwnMetadata\")
OwnData = TypeVar(\"OwnData\")
OwnDetail = TypeVar(\"OwnDetail\")


class Nothing(TypedDict):
    \"\"\"No fields.\"\"\"
";

/// The field of the envelope that no class can have.
const NO_IDENTIFIER: &str = "detail-type";

/// The declarations of a model's events, for Python 3.11 or later.
pub(crate) fn declarations(model: &Model, schemas: &[(String, Value)]) -> String {
    let mut declared = Declared::of(model, schemas);
    let mut text = format!(
        "\"\"\"The events of the table model `{}`. Made by `instep contract`: do not edit.\n\nFor Python 3.11 or later.\n\"\"\"\n\n{HEAD}",
        model.name
    );
    declared.parts.iter().for_each(|shape| part(shape, &mut text));
    for DeclaredShape { name, says, fields } in &declared.shapes {
        let _ = write!(text, "\n{name} = {}\n\"\"\"{says}\"\"\"\n", dict(name, fields));
    }
    let events = std::mem::take(&mut declared.events);
    for event in &events {
        let many = event.variants.len() > 1;
        let mut details = Vec::new();
        for variant in &event.variants {
            let own = if many { identifier(&variant.title) } else { String::new() };
            let data = data(&mut declared, &format!("{}{own}Data", event.name), variant, &mut text);
            details.push(format!("Detail[{}, {data}]", metadata(variant)));
        }
        let detail = match details.as_slice() {
            [one] => one.clone(),
            _ => format!("Union[{}]", details.join(", ")),
        };
        let name = &event.name;
        let names = declared.unique(&format!("{name}Name"));
        let field = DeclaredField {
            name: NO_IDENTIFIER.to_owned(),
            says: String::new(),
            is_required: true,
            ty: event.detail_type.clone(),
        };
        let _ = write!(
            text,
            "\n{names} = {}\n\n\nclass {name}({names}, InstepEvent[{detail}]):\n    {}\n",
            dict(&names, &[field]),
            documented(&event.when)
        );
    }
    let all: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    let own = union(model);
    let _ =
        write!(text, "\n\n{own} = Union[\n    {},\n]\n\"\"\"Every event of the model.\"\"\"\n", all.join(",\n    "));
    text
}

fn part(shape: &DeclaredShape, text: &mut String) {
    if shape.name == "PrimaryKey" {
        // Its names are the table's.
        let _ = write!(text, "\n\nPrimaryKey = {}\n", dict("PrimaryKey", &shape.fields));
        return;
    }
    let own = PARAMETERS.iter().find(|(name, _)| *name == shape.name).map_or(&[][..], |(_, own)| own);
    let own: Vec<&(&str, &str)> = own.iter().filter(|(field, _)| *field != NO_IDENTIFIER).collect();
    let names: Vec<&str> = own.iter().map(|(_, name)| *name).collect();
    let parameters = if names.is_empty() { String::new() } else { format!(", Generic[{}]", names.join(", ")) };
    let _ = write!(text, "\n\nclass {}(TypedDict{parameters}):\n    {}\n\n", shape.name, documented(&shape.says));
    for field in shape.fields.iter().filter(|field| !is_of_some(shape, field)) {
        let parameter = own.iter().find(|(of, _)| *of == field.name);
        let ty = parameter.map_or_else(|| of(&field.ty), |(_, name)| (*name).to_owned());
        line(field, &ty, text);
    }
}

/// Whether only some events have a field, or each event adds it itself.
fn is_of_some(shape: &DeclaredShape, field: &DeclaredField) -> bool {
    field.name == NO_IDENTIFIER || shape.name == "Data" && OF_SOME_EVENTS.contains(&&*field.name)
}

fn line(field: &DeclaredField, ty: &str, text: &mut String) {
    if !field.says.is_empty() {
        let _ = writeln!(text, "    # {}", field.says);
    }
    let _ = writeln!(text, "    {}: {}", field.name, often(field, ty));
}

fn often(field: &DeclaredField, ty: &str) -> String {
    if field.is_required { ty.to_owned() } else { format!("NotRequired[{ty}]") }
}

fn metadata(variant: &DeclaredVariant) -> String {
    let DeclaredVariant { entity, verb, kind, cause, .. } = variant;
    format!("Metadata[{}]", [entity, verb, kind, cause].map(of).join(", "))
}

/// The type of a variant's data. If it has more than the envelope, that is a class of its own, whose declaration is added.
fn data(declared: &mut Declared, name: &str, variant: &DeclaredVariant, text: &mut String) -> String {
    let [old, new] = [&variant.old, &variant.new].map(|shape| shape.as_deref().unwrap_or(NOTHING));
    let envelope = format!("Data[{}, {old}, {new}]", variant.keys);
    if variant.more.is_empty() {
        return envelope;
    }
    let name = declared.unique(name);
    let _ = write!(text, "\n\nclass {name}({envelope}):\n");
    for field in &variant.more {
        let _ = writeln!(text, "    {}: {}", field.name, often(field, &of(&field.ty)));
    }
    text.push('\n');
    name
}

/// In the functional form, as names in a table are not always identifiers.
fn dict(name: &str, fields: &[DeclaredField]) -> String {
    let one = |field: &DeclaredField| format!("{}: {}", literal(&field.name), often(field, &of(&field.ty)));
    format!("TypedDict(\"{name}\", {{{}}})", fields.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn documented(says: &str) -> String {
    format!("\"\"\"{}\"\"\"", says.replace('\\', "\\\\").replace("\"\"\"", "'''"))
}

/// A text as a Python literal: JSON's escapes mean the same in Python.
fn literal(text: &str) -> String {
    Value::from(text).to_string()
}

fn of(ty: &FieldType) -> String {
    match ty {
        FieldType::Any => "Any".to_owned(),
        FieldType::Text => "str".to_owned(),
        FieldType::Count => "int".to_owned(),
        FieldType::Truth => "bool".to_owned(),
        FieldType::OneOf(values) => {
            format!("Literal[{}]", values.iter().map(|value| literal(value)).collect::<Vec<_>>().join(", "))
        }
        FieldType::OrNull(ty) => format!("Union[{}, None]", of(ty)),
        FieldType::List(ty) => format!("List[{}]", of(ty)),
        FieldType::ByName(ty) => format!("dict[str, {}]", of(ty)),
        FieldType::Named(name) => name.clone(),
    }
}
