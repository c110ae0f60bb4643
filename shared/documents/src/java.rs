//! Java declarations: records for Java 17 or later, read by Jackson.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use instep_model::Model;
use serde_json::Value;

use crate::declared::{Declared, DeclaredShape, FieldType, GENERIC};
use crate::identifier::{free_name, identifier};

/// Names that no component of a record has: words of the language, and methods of every object.
/// Source: The Java Language Specification, Java SE 17 Edition, 3.9 and 8.10.1.
const WORDS: &str = " abstract assert boolean break byte case catch char class const continue default do double else enum \
                     extends final finally float for goto if implements import instanceof int interface long native new \
                     package private protected public return short static strictfp super switch synchronized this throw \
                     throws transient try void volatile while true false null clone finalize getClass hashCode notify \
                     notifyAll toString wait ";

/// The components that a record can have. Source: The Java Virtual Machine Specification, Java SE 17 Edition, 4.11.
const COMPONENTS_MAX: usize = 254;

/// The declarations of a model's events. Java has no types of one text, so entity, verb, kind and cause are strings.
pub(crate) fn declarations(model: &Model, schemas: &[(String, Value)]) -> String {
    let mut declared = Declared::of(model, schemas);
    let package: String = model.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut text = format!(
        "package instep.{};\n\nimport com.fasterxml.jackson.annotation.JsonIgnoreProperties;\n\
         import com.fasterxml.jackson.annotation.JsonProperty;\nimport com.fasterxml.jackson.core.type.TypeReference;\n\
         import com.fasterxml.jackson.databind.JsonNode;\nimport java.util.List;\nimport java.util.Map;\n\n\
         /** The events of the table model {}. Made by `instep contract`: do not edit. What is absent is null. */\n\
         public final class Events {{\n  private Events() {{}}\n\n  /** No fields. */\n  @JsonIgnoreProperties(ignoreUnknown = true)\n  \
         public record Nothing() {{}}\n",
        component(&package.to_ascii_lowercase()),
        model.name
    );
    declared.parts.iter().for_each(|part| record(part, &mut text));
    text.push_str(
        "\n  /** An event: what its detail-type is, null if items decide that, and how to read it: \
         `mapper.readValue(text, event.type())`. */\n  public record EventType<K, A>(String detailType, \
         TypeReference<InstepEvent<K, A>> type) {}\n",
    );
    let mut events = String::new();
    for nth in 0..declared.events.len() {
        let (keys, attributes) = declared.merged(nth);
        let Some(event) = declared.events.get(nth) else { continue };
        let fixed = if let FieldType::OneOf(texts) = &event.detail_type { texts.first() } else { None };
        let detail_type = fixed.map_or_else(|| "null".to_owned(), |text| literal(text));
        let _ = write!(
            events,
            "\n  /** {} */\n  public static final EventType<{keys}, {attributes}> {} =\n      new EventType<>({detail_type}, \
             new TypeReference<InstepEvent<{keys}, {attributes}>>() {{}});\n",
            commented(&event.when),
            constant(&event.name)
        );
    }
    declared.shapes.iter().for_each(|shape| record(shape, &mut text));
    text.push_str(&events);
    text.push_str("}\n");
    text
}

fn record(shape: &DeclaredShape, text: &mut String) {
    let parameters = if GENERIC.contains(&&*shape.name) { "<K, A>" } else { "" };
    let mut taken = BTreeSet::new();
    let (mut documents, mut components) = (String::new(), Vec::new());
    for field in shape.fields.iter().take(COMPONENTS_MAX) {
        let name = free_name(&mut taken, &component(&field.name));
        if !field.says.is_empty() {
            let _ = write!(documents, "\n   * @param {name} {}", commented(&field.says));
        }
        let ty = match (&*shape.name, &*field.name) {
            ("Data", "keys") => "K".to_owned(),
            ("Data", "old" | "new") => "A".to_owned(),
            _ => of(&field.ty, field.is_required),
        };
        components.push(format!("\n      @JsonProperty({}) {ty} {name}", literal(&field.name)));
    }
    let _ = write!(
        text,
        "\n  /**\n   * {}{documents}\n   */\n  @JsonIgnoreProperties(ignoreUnknown = true)\n  public record {}{parameters}({}) {{}}\n",
        commented(&shape.says),
        shape.name,
        components.join(",")
    );
}

/// A name for a component: an identifier that begins with a small letter, and is no word of the language.
fn component(name: &str) -> String {
    let own = identifier(name);
    let mut chars = own.chars();
    let small: String = chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect();
    if WORDS.contains(&format!(" {small} ")) { format!("{small}_") } else { small }
}

/// `UserGranted` → `USER_GRANTED`.
fn constant(name: &str) -> String {
    let mut text = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && !before.is_ascii_uppercase() && before != ' ' {
            text.push('_');
        }
        text.push(c.to_ascii_uppercase());
        before = c;
    }
    text
}

fn of(ty: &FieldType, is_required: bool) -> String {
    match ty {
        FieldType::Any => "JsonNode".to_owned(),
        FieldType::Text | FieldType::OneOf(_) => "String".to_owned(),
        FieldType::Count => if is_required { "long" } else { "Long" }.to_owned(),
        FieldType::Truth => if is_required { "boolean" } else { "Boolean" }.to_owned(),
        FieldType::OrNull(ty) => of(ty, false),
        FieldType::List(ty) => format!("List<{}>", of(ty, false)),
        FieldType::ByName(ty) => format!("Map<String, {}>", of(ty, false)),
        FieldType::Named(name) if GENERIC.contains(&&**name) => format!("{name}<K, A>"),
        FieldType::Named(name) => name.clone(),
    }
}

/// In a comment, `*/` would end it, and HTML would be read.
fn commented(says: &str) -> String {
    says.replace("*/", "* /").replace('&', "&amp;").replace('<', "&lt;").replace('@', "&#64;").replace('\\', "&#92;")
}

/// A text as a Java literal: JSON's escapes mean the same in Java.
fn literal(text: &str) -> String {
    Value::from(text).to_string()
}
