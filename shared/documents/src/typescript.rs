//! TypeScript declarations.

use std::fmt::Write as _;

use instep_model::Model;
use serde_json::Value;

use crate::declared::{
    Declared, DeclaredEvent, DeclaredField, DeclaredShape, DeclaredVariant, FieldType, NOTHING, OF_SOME_EVENTS,
    PARAMETERS,
};
use crate::identifier::union;

/// What stands before the declarations.
const HEAD: &str = "\
/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** No fields. */
export type Nothing = Readonly<Record<never, never>>;
";

/// The declarations of a model's events. `schemas` are their names and schemas.
pub(crate) fn declarations(model: &Model, schemas: &[(String, Value)]) -> String {
    let declared = Declared::of(model, schemas);
    let mut text =
        format!("// The events of the table model `{}`. Made by `instep contract`: do not edit.\n\n", model.name);
    text.push_str(HEAD);
    declared.parts.iter().for_each(|shape| part(shape, &mut text));
    for shape in &declared.shapes {
        let _ = write!(text, "\n{}export interface {} {{\n", comment(&shape.says, 0), shape.name);
        shape.fields.iter().for_each(|field| line(field, &of(&field.ty), &mut text));
        text.push_str("}\n");
    }
    declared.events.iter().for_each(|own| event(own, &mut text));
    let all: Vec<&str> = declared.events.iter().map(|event| event.name.as_str()).collect();
    let _ = write!(
        text,
        "\n/** Every event of the model. */\nexport type {} =\n  | {};\n",
        union(model),
        all.join("\n  | ")
    );
    text
}

fn part(shape: &DeclaredShape, text: &mut String) {
    let own = PARAMETERS.iter().find(|(name, _)| *name == shape.name).map_or(&[][..], |(_, own)| own);
    let names: Vec<&str> = own.iter().map(|(_, name)| *name).collect();
    let parameters = if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) };
    let _ = write!(text, "\n{}export interface {}{parameters} {{\n", comment(&shape.says, 0), shape.name);
    for field in shape.fields.iter().filter(|field| shape.name != "Data" || !OF_SOME_EVENTS.contains(&&*field.name)) {
        let parameter = own.iter().find(|(of, _)| *of == field.name);
        let ty = match (parameter, &*field.name) {
            (Some((_, name)), _) => (*name).to_owned(),
            (None, "changed") => "ReadonlyArray<keyof Old | keyof New>".to_owned(),
            (None, _) => of(&field.ty),
        };
        line(field, &ty, text);
    }
    text.push_str("}\n");
}

fn event(event: &DeclaredEvent, text: &mut String) {
    let details: Vec<String> = event.variants.iter().map(detail).collect();
    let _ = write!(
        text,
        "\n{}export interface {} extends InstepEvent<{}, {}> {{}}\n",
        comment(&event.when, 0),
        event.name,
        of(&event.detail_type),
        details.join(" | ")
    );
}

fn detail(variant: &DeclaredVariant) -> String {
    let DeclaredVariant { entity, verb, kind, cause, keys, old, new, more, mark, .. } = variant;
    let [entity, verb, kind, cause] = [entity, verb, kind, cause].map(of);
    let mut metadata = format!("Metadata<{entity}, {verb}, {kind}, {cause}>");
    if let Some(always) = mark {
        let always = if always.is_empty() { String::new() } else { format!(" & {}", inline(always)) };
        let _ = write!(metadata, " & {{ readonly snapshot: SnapshotMark{always} }}");
    }
    let [old, new] = [old, new].map(|shape| shape.as_deref().unwrap_or(NOTHING));
    let more = if more.is_empty() { String::new() } else { format!(" & {}", inline(more)) };
    format!("Detail<{metadata}, Data<{keys}, {old}, {new}>{more}>")
}

fn inline(fields: &[DeclaredField]) -> String {
    let one = |field: &DeclaredField| {
        let mark = if field.is_required { "" } else { "?" };
        format!("readonly {}{mark}: {}", key(&field.name), of(&field.ty))
    };
    format!("{{ {} }}", fields.iter().map(one).collect::<Vec<_>>().join("; "))
}

fn line(field: &DeclaredField, ty: &str, text: &mut String) {
    let mark = if field.is_required { "" } else { "?" };
    let _ = writeln!(text, "{}  readonly {}{mark}: {ty};", comment(&field.says, 1), key(&field.name));
}

fn comment(says: &str, depth: usize) -> String {
    if says.is_empty() {
        return String::new();
    }
    format!("{}/** {} */\n", "  ".repeat(depth), says.replace("*/", "* /"))
}

/// A property's name, in quotes if it is no identifier.
fn key(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if is_plain { name.to_owned() } else { literal(name) }
}

/// JSON is a subset of TypeScript's expressions.
fn literal(text: &str) -> String {
    Value::from(text).to_string()
}

fn of(ty: &FieldType) -> String {
    match ty {
        FieldType::Any => "Json".to_owned(),
        FieldType::Text => "string".to_owned(),
        FieldType::Count => "number".to_owned(),
        FieldType::Truth => "boolean".to_owned(),
        FieldType::OneOf(values) => values.iter().map(|value| literal(value)).collect::<Vec<_>>().join(" | "),
        FieldType::OrNull(ty) => format!("{} | null", of(ty)),
        FieldType::List(ty) => format!("ReadonlyArray<{}>", of(ty)),
        FieldType::ByName(ty) => format!("{{ readonly [name: string]: {} }}", of(ty)),
        FieldType::Named(name) => name.clone(),
    }
}
