//! The JSON Schema of an event type: that of the types in `instep-contract`, narrowed to what the
//! model says.

use instep_contract::{CONTRACT_VERSION, Event, EventVerb, SNAPSHOT_ENTITY};
use instep_model::{EventKind, KeyName, Model, Name, Published, TextOf, Verb};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::event_type::{EventType, SNAPSHOT_VERBS, Variant};
use crate::identifier::identifier;

/// The dialect of the schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The format that schemars gives a `u32`.
pub(crate) const FORMAT_OF_U32: &str = "uint32";

/// Whether fields that a schema does not name are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openness {
    /// They are, as a later version may add some: the published schemas.
    Open,
    /// They are not: for tests of what is published.
    Closed,
}

/// The schema of an event type, without references: the whole event, as EventBridge delivers it.
#[must_use]
pub fn event_schema(model: &Model, event: &EventType, openness: Openness) -> Value {
    let mut schema = envelope_schema(model);
    set(&mut schema, "$id", json!(format!("urn:instep:{}:{}:{CONTRACT_VERSION}", model.name, event.name)));
    set(&mut schema, "title", json!(event.name));
    set(&mut schema, "description", json!(crate::words::when(model, event)));
    narrow(&mut schema, "/properties/detail-type", detail_type(event));
    let base = schema.pointer("/properties/detail").cloned().unwrap_or_default();
    let of_items = event.variants.iter().map(|variant| detail(model, base.clone(), variant));
    let of_snapshots = SNAPSHOT_VERBS.iter().filter(|(verb, _)| event.snapshot.contains(verb));
    let of_snapshots = of_snapshots.map(|(verb, word)| snapshot_detail(base.clone(), *verb, word));
    let mut details: Vec<Value> = of_items.chain(of_snapshots).collect();
    let is_one = details.len() == 1;
    for detail in &mut details {
        let own = if is_one { String::new() } else { identifier(at(detail, "/title").as_str().unwrap_or_default()) };
        name_parts(detail, &format!("{}{own}", event.name));
    }
    let detail = if details.len() == 1 { details.remove(0) } else { json!({"anyOf": details}) };
    if let Some(properties) = schema.get_mut("properties") {
        set(properties, "detail", detail);
    }
    if openness == Openness::Closed {
        close(&mut schema);
    }
    schema
}

/// The schema of any event of a model, before an event type narrows it.
pub(crate) fn envelope_schema(model: &Model) -> Value {
    let mut schema = of_types();
    narrow(&mut schema, "/properties/source", json!({"const": model.source}));
    let metadata = "/properties/detail/properties/metadata/properties";
    narrow(&mut schema, &format!("{metadata}/version"), json!({"const": CONTRACT_VERSION}));
    narrow(&mut schema, &format!("{metadata}/model"), json!({"const": model.name}));
    let (pk, sk) = (&model.table.pk, &model.table.sk);
    let key = json!({"properties": {pk: {"type": "string"}, sk: {"type": "string"}}, "required": [pk, sk]});
    let omitted = "/properties/detail/properties/data/properties/omitted";
    narrow(&mut schema, &format!("{omitted}/properties/key"), key);
    narrow(&mut schema, omitted, json!({"type": "object"}));
    schema
}

/// The objects in `detail`: where each is, and its name. Those that others have come first.
pub(crate) const PARTS: [(&str, &str); 6] = [
    ("/metadata/snapshot", "SnapshotMark"),
    ("/metadata", "Metadata"),
    ("/data/guard", "Conflict"),
    ("/data/omitted/key", "PrimaryKey"),
    ("/data/omitted", "Omitted"),
    ("/data", "Data"),
];

/// Names for the objects of an event, which generators of code give to their types. Each is unique within a model.
fn name_parts(detail: &mut Value, event: &str) {
    for (path, name) in PARTS.into_iter().chain([("/data/keys", "Keys"), ("/data/old", "Old"), ("/data/new", "New")]) {
        if let Some(part) = detail.pointer_mut(&in_schema(path)) {
            set(part, "title", json!(format!("{event}{name}")));
        }
    }
}

/// The schema of the types, with everything in its place. Enumerations are plain lists of values.
fn of_types() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Event>().to_value();
    set(&mut schema, "$schema", json!(DIALECT));
    plain(&mut schema);
    never_null(&mut schema);
    schema
}

/// A field that can be absent is never null.
fn never_null(schema: &mut Value) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        if !required.contains(&json!(name)) {
            without_null(property);
        }
        never_null(property);
    }
}

fn without_null(property: &mut Value) {
    if let Some([one, null]) = property.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
        && *null == json!({"type": "null"})
    {
        let mut one = one.clone();
        if let Some(description) = property.get("description") {
            set(&mut one, "description", description.clone());
        }
        *property = one;
    }
    if let Some([one, null]) = property.get("type").and_then(Value::as_array).map(Vec::as_slice)
        && *null == json!("null")
    {
        let one = one.clone();
        set(property, "type", one);
    }
}

/// Says things in words that every validator knows: `oneOf` constants, each with its description, becomes `enum`, and
/// a format of Rust's numbers, which JSON Schema does not have, becomes a maximum.
fn plain(schema: &mut Value) {
    let constants: Option<Vec<Value>> = schema
        .get("oneOf")
        .and_then(Value::as_array)
        .and_then(|all| all.iter().map(|one| one.get("const").cloned()).collect());
    match schema {
        Value::Object(fields) => {
            if let Some(constants) = constants {
                fields.remove("oneOf");
                fields.insert("type".to_owned(), json!("string"));
                fields.insert("enum".to_owned(), json!(constants));
            }
            fields.remove("default");
            if fields.get("format") == Some(&json!(FORMAT_OF_U32)) {
                fields.remove("format");
                fields.insert("maximum".to_owned(), json!(u32::MAX));
            }
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            fields.values_mut().for_each(plain);
        }
        Value::Array(values) => values.iter_mut().for_each(plain),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn detail_type(event: &EventType) -> Value {
    if let Some(text) = event.fixed() {
        return json!({"const": text});
    }
    let patterns: Vec<&str> = event
        .detail_types
        .iter()
        .map(|name| match name {
            Name::Fixed(text) => text,
            Name::Open { pattern, .. } => pattern,
        })
        .map(String::as_str)
        .collect();
    json!({"type": "string", "pattern": format!("^(?:{})$", patterns.join("|"))})
}

fn detail(model: &Model, mut schema: Value, variant: &Variant) -> Value {
    let published = &variant.published;
    // The first name: a type that is renamed stays the same one.
    set(&mut schema, "title", json!(model.item(published.of).stable_name()));
    let metadata = "/properties/metadata/properties";
    narrow(&mut schema, &format!("{metadata}/entity"), one_of(&variant.entities));
    narrow(&mut schema, &format!("{metadata}/verb"), json!({"const": published.verb.word()}));
    narrow(&mut schema, &format!("{metadata}/kind"), kinds(model, published));
    narrow(&mut schema, &format!("{metadata}/cause"), json!({"enum": causes(model, variant)}));
    let data = "/properties/data";
    narrow(&mut schema, &format!("{data}/properties/keys"), keys(&published.keys));
    let of_a_claim = matches!(published.verb, Verb::Conflicted | Verb::Resolved);
    for (part, is_there) in [("old", published.verb != Verb::Created), ("new", published.verb != Verb::Deleted)] {
        let attributes = if is_there { attributes(&published.attributes) } else { json!({"maxProperties": 0}) };
        narrow(&mut schema, &format!("{data}/properties/{part}"), attributes);
    }
    let changed = if published.attributes.is_empty() {
        json!({"maxItems": 0})
    } else {
        json!({"items": {"type": "string", "enum": published.attributes}})
    };
    narrow(&mut schema, &format!("{data}/properties/changed"), changed);
    if let Some(data) = schema.pointer_mut(data) {
        text_of(data, "role", &published.role);
        text_of(data, "scope", &published.scope);
        text_of(data, "scopeEntity", &published.scope_entity);
        if of_a_claim {
            narrow(data, "/properties/guard", json!({"type": "object"}));
            narrow(data, "/properties/guard/properties/guard", json!({"type": "string", "enum": published.guards}));
            require(data, "guard");
        } else {
            remove(data, "guard");
        }
    }
    schema
}

/// The beginning or the end of a snapshot: about no item.
fn snapshot_detail(mut schema: Value, verb: EventVerb, word: &str) -> Value {
    let title = if verb == EventVerb::Ended { "End of a snapshot" } else { "Beginning of a snapshot" };
    set(&mut schema, "title", json!(title));
    let metadata = "/properties/metadata/properties";
    let constants =
        [("entity", SNAPSHOT_ENTITY), ("verb", word), ("kind", EventKind::Plain.word()), ("cause", "write")];
    for (name, constant) in constants {
        narrow(&mut schema, &format!("{metadata}/{name}"), json!({"const": constant}));
    }
    if let Some(metadata) = schema.pointer_mut("/properties/metadata") {
        require(metadata, "snapshot");
    }
    if let Some(mark) = schema.pointer_mut(&format!("{metadata}/snapshot")) {
        for name in ["count", "complete"] {
            if verb == EventVerb::Ended { require(mark, name) } else { remove(mark, name) }
        }
    }
    if let Some(data) = schema.pointer_mut("/properties/data") {
        for name in ["keys", "old", "new"] {
            narrow(data, &format!("/properties/{name}"), json!({"maxProperties": 0}));
        }
        narrow(data, "/properties/changed", json!({"maxItems": 0}));
        ["types", "role", "scope", "scopeEntity", "guard", "omitted"].into_iter().for_each(|name| remove(data, name));
    }
    schema
}

/// What the changed item of an event can be. A claim can also become pending by a write of the guard, and that is how
/// it gets its value.
fn kinds(model: &Model, published: &Published) -> Value {
    let own = model.item(published.of).kind();
    if published.verb == Verb::Resolved {
        json!({"const": EventKind::Guard.word()})
    } else if published.verb == Verb::Conflicted && own != EventKind::Guard {
        json!({"enum": [own.word(), EventKind::Guard.word()]})
    } else {
        json!({"const": own.word()})
    }
}

/// The causes that the events of a variant can have.
fn causes(model: &Model, variant: &Variant) -> Vec<&'static str> {
    let item = model.item(variant.published.of);
    let has_window = item.grant.as_ref().is_some_and(|grant| !grant.from.is_empty() || !grant.until.is_empty());
    match variant.published.verb {
        Verb::Created | Verb::Updated | Verb::Resolved => vec!["write"],
        Verb::Deleted | Verb::Conflicted => vec!["write", "ttl"],
        Verb::Granted if has_window => vec!["write", "due"],
        Verb::Granted => vec!["write"],
        Verb::Revoked if has_window => vec!["write", "ttl", "due"],
        Verb::Revoked => vec!["write", "ttl"],
    }
}

fn one_of(names: &[Name]) -> Value {
    let fixed: Option<Vec<&str>> = names
        .iter()
        .map(|name| match name {
            Name::Fixed(text) => Some(text.as_str()),
            Name::Open { .. } => None,
        })
        .collect();
    match fixed.as_deref() {
        Some([one]) => json!({"const": one}),
        Some(several) => json!({"enum": several}),
        None => json!({"type": "string"}),
    }
}

fn keys(names: &[KeyName]) -> Value {
    let text = |name: &KeyName| {
        if name.values.is_empty() { json!({"type": "string"}) } else { json!({"type": "string", "enum": name.values}) }
    };
    let properties: Map<String, Value> = names.iter().map(|name| (name.name.clone(), text(name))).collect();
    let required: Vec<&str> = names.iter().filter(|name| name.is_always).map(|name| name.name.as_str()).collect();
    json!({"properties": properties, "required": required})
}

/// A model declares no types, so the value of an attribute is any JSON. The description of `data` says so, once.
fn attributes(names: &[String]) -> Value {
    let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({}))).collect();
    json!({"properties": properties})
}

fn text_of(data: &mut Value, name: &str, text: &TextOf) {
    let values = match text {
        TextOf::Never => return remove(data, name),
        TextOf::Sometimes(values) => values,
        TextOf::Always(values) => {
            require(data, name);
            values
        }
    };
    let narrowed =
        if values.is_empty() { json!({"type": "string"}) } else { json!({"type": "string", "enum": values}) };
    narrow(data, &format!("/properties/{name}"), narrowed);
}

/// Replaces keywords of a part of a schema. `const` and `enum` replace its type.
fn narrow(schema: &mut Value, pointer: &str, by: Value) {
    let Some(part) = schema.pointer_mut(pointer).and_then(Value::as_object_mut) else { return };
    let Value::Object(by) = by else { return };
    if by.contains_key("const") || by.contains_key("enum") {
        ["type", "enum", "oneOf", "pattern"].into_iter().for_each(|word| drop(part.remove(word)));
        part.insert("type".to_owned(), json!("string"));
    }
    if by.contains_key("properties") || by.contains_key("maxProperties") {
        part.remove("additionalProperties");
    }
    part.remove("anyOf");
    part.extend(by);
}

fn require(schema: &mut Value, name: &str) {
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut)
        && !required.contains(&json!(name))
    {
        required.push(json!(name));
    }
}

fn remove(schema: &mut Value, name: &str) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.remove(name);
    }
}

/// What a pointer leads to; null if it leads nowhere.
#[must_use]
pub fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    static NULL: Value = Value::Null;
    value.pointer(pointer).unwrap_or(&NULL)
}

/// The path of a field of an object as a pointer in its schema.
pub(crate) fn in_schema(path: &str) -> String {
    path.replace('/', "/properties/")
}

pub(crate) fn set(schema: &mut Value, name: &str, value: Value) {
    if let Some(fields) = schema.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

/// Forbids fields that an object's schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) && fields.get("type") == Some(&json!("object")) {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
