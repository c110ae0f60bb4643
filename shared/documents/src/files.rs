//! The files of a model's documents.

use std::collections::BTreeMap;

use instep_answers::read_plan;
use instep_contract::CONTRACT_VERSION;
use instep_model::{Model, NamedRead};
use serde_json::{Map, Value, json};

use crate::event_type::EventType;
use crate::schema::{Openness, at, event_schema, set};
use crate::{as_draft_04, asyncapi, go, html, java, patterns, python, rows, typescript, words};

/// The form of [`contract`]'s document: its member `instepContract`. Two of different forms cannot be compared.
pub const CONTRACT_FORM: u64 = 2;

/// What a model's subscribers rely on, in one document, which [`crate::diff`] compares: all schemas, and what decides
/// the rows that follow from events.
#[must_use]
pub fn contract(model: &Model) -> Value {
    let events = EventType::all(model).into_iter().map(|event| {
        json!({
            "name": event.name,
            "detailType": event.shown(),
            "when": words::when(model, &event),
            "schema": without_text(event_schema(model, &event, Openness::Open)),
        })
    });
    let events: Vec<Value> = events.collect();
    json!({
        "instepContract": CONTRACT_FORM,
        "version": CONTRACT_VERSION,
        "model": model.name,
        "source": model.source,
        "tenant": model.tenant,
        "correlation": model.correlation,
        "rows": rows::rows(model),
        "events": events,
    })
}

/// A schema without what is only for people. An attribute can have the name `description`, too.
fn without_text(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(fields) => {
            fields.retain(|word, value| word != "description" || !value.is_string());
            fields.values_mut().for_each(|value| *value = without_text(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = without_text(value.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    schema
}

/// The documents of a model, by path. `published` are real events of the model: the first of each type
/// becomes its example.
#[must_use]
pub fn documents(model: &Model, published: &[Value]) -> BTreeMap<String, String> {
    let events = EventType::all(model);
    let examples = examples(model, &events, published);
    let schema = |event: &EventType| (event.name.clone(), event_schema(model, event, Openness::Open));
    let schemas: Vec<(String, Value)> = events.iter().map(schema).collect();
    let patterns = patterns::rule_patterns(model, &events, &examples);
    let mut files = BTreeMap::new();
    files.insert("contract.json".to_owned(), by_lines(&contract(model)));
    // For programs: one line.
    files.extend(
        schemas
            .iter()
            .map(|(name, schema)| (format!("schemas-draft-04/{name}.json"), format!("{}\n", as_draft_04(schema)))),
    );
    let mut add = |path: String, value: &Value| files.insert(path, pretty(value));
    add("asyncapi.json".to_owned(), &asyncapi::document(model, &events, &schemas, &examples));
    for (name, schema) in &schemas {
        add(format!("schemas/{name}.json"), schema);
    }
    for (name, example) in &examples {
        add(format!("examples/{name}.json"), example);
    }
    let as_json = |rule: &patterns::RulePattern| json!({"name": rule.name, "description": rule.description, "pattern": rule.pattern});
    add("rule-patterns.json".to_owned(), &patterns.iter().map(as_json).collect());
    if !model.reads.is_empty() {
        add("reads.json".to_owned(), &reads(model));
    }
    files.insert("events.d.ts".to_owned(), typescript::declarations(model, &schemas));
    files.insert("events.py".to_owned(), python::declarations(model, &schemas));
    files.insert("events.go".to_owned(), go::declarations(model, &schemas));
    files.insert("Events.java".to_owned(), java::declarations(model, &schemas));
    files.insert("index.html".to_owned(), html::page(model, &events, &schemas, &examples, &patterns));
    files
}

/// The named reads of a model, for programs in any language: templates in place of texts.
fn reads(model: &Model) -> Value {
    let read = |read: &NamedRead| {
        let mut plan = read_plan(model, read, &read.condition(model));
        set(&mut plan, "given", json!(read.takes().collect::<Vec<_>>()));
        (read.name.clone(), plan)
    };
    let reads: Map<String, Value> = model.reads.iter().map(read).collect();
    json!({"model": model.name, "table": {"pk": model.table.pk, "sk": model.table.sk}, "reads": reads})
}

/// The event types of which none of these events is an example.
#[must_use]
pub fn events_without_example(model: &Model, published: &[Value]) -> Vec<String> {
    let events = EventType::all(model);
    let examples = examples(model, &events, published);
    events.iter().filter(|event| !examples.contains_key(&event.name)).map(EventType::shown).collect()
}

/// The first event of each type.
fn examples(model: &Model, events: &[EventType], published: &[Value]) -> Map<String, Value> {
    let mut found = Map::new();
    for event in events {
        let is_own = |one: &&Value| is_of(model, event, one);
        // Nobody should copy an event of a replay, or of a parked record.
        let is_plain = |one: &&Value| {
            ["replay", "parked"].iter().all(|mark| *at(one, &format!("/detail/metadata/{mark}")) == Value::Bool(false))
        };
        let first = published.iter().filter(is_own).find(is_plain).or_else(|| published.iter().find(is_own));
        if let Some(first) = first {
            found.insert(event.name.clone(), first.clone());
        }
    }
    found
}

/// Whether an event is of this type. An open name takes what no fixed name takes.
fn is_of(model: &Model, event: &EventType, one: &Value) -> bool {
    let detail_type = at(one, "/detail-type").as_str().unwrap_or_default();
    if let Some(fixed) = event.fixed() {
        return fixed == detail_type;
    }
    let is_fixed = EventType::all(model).iter().any(|other| other.fixed() == Some(detail_type));
    let metadata = at(one, "/detail/metadata");
    let is_variant = |variant: &crate::Variant| {
        let item = model.type_text(variant.published.of);
        let own = at(metadata, "/item").as_str().unwrap_or_default().split(' ').next();
        // A write of a guard led to it. A guard has owners of one type.
        let guard = at(one, "/detail/data/guard/guard").as_str();
        let is_of_guard = own.is_some() && own == guard;
        let is_owner = variant.published.guards.iter().any(|owned| guard == Some(owned));
        (own == Some(&*item) || is_of_guard && is_owner)
            && at(metadata, "/verb").as_str() == Some(variant.published.verb.word())
    };
    !is_fixed && event.variants.iter().any(is_variant)
}

/// A contract with a line for each event, so that differences are easy to find.
fn by_lines(contract: &Value) -> String {
    let mut head = contract.clone();
    crate::schema::set(&mut head, "events", json!([]));
    let events = at(contract, "/events").as_array().into_iter().flatten().map(Value::to_string);
    let events = events.collect::<Vec<_>>().join(",\n");
    head.to_string().replacen("\"events\":[]", &format!("\"events\":[\n{events}\n]"), 1) + "\n"
}

fn pretty(value: &Value) -> String {
    // A value in memory has only string keys, so writing it as JSON cannot fail.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
