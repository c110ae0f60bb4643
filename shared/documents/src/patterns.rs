//! EventBridge rule patterns for the usual subscriptions.

use std::collections::BTreeSet;

use instep_model::{Model, Name, Verb};
use serde_json::{Map, Value, json};

use crate::event_type::EventType;

/// A rule pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePattern {
    /// A short name.
    pub name: String,
    /// What it matches.
    pub description: String,
    /// The pattern, as PutRule takes it.
    pub pattern: Value,
}

/// What stands for a value that no example has.
const PLACEHOLDER: &str = "REPLACE-ME";

/// The rule patterns of a model. Values such as a scope come from the examples: replace them.
#[must_use]
pub fn rule_patterns(model: &Model, events: &[EventType], examples: &Map<String, Value>) -> Vec<RulePattern> {
    let mut all = Patterns { model, found: Vec::new() };
    all.add("everything", "Every event of the model.", None);
    let description = "Every change once: nothing that a replay of captures published again, and no snapshot.";
    all.add("everything-but-replays", description, Some(json!({"metadata": {"replay": [false]}})));
    for entity in entities(events) {
        let description = format!("Events about the entity `{entity}`, with the grants of which it is the subject.");
        all.add(&format!("entity-{entity}"), &description, Some(json!({"metadata": {"entity": [entity]}})));
    }
    let verbs: BTreeSet<Verb> =
        events.iter().flat_map(|event| &event.variants).map(|variant| variant.published.verb).collect();
    for verb in &verbs {
        let word = verb.word();
        let description = format!("Events with the verb `{word}`, of every entity.");
        all.add(&format!("verb-{word}"), &description, Some(json!({"metadata": {"verb": [word]}})));
    }
    if verbs.contains(&Verb::Granted) {
        let verbs = json!({"metadata": {"verb": ["granted", "revoked", "ended"]}});
        all.add("grants-only", "Who gets and who loses a role, and where a snapshot ends.", Some(verbs));
    }
    let example = |pointer: &str| {
        let of_items = examples.values().filter(|event| event.pointer("/detail/metadata/snapshot").is_none());
        let mut values = of_items.filter_map(|event| event.pointer(&format!("/detail/{pointer}")));
        values.next().filter(|value| value.is_string())
    };
    let placeholder = json!(PLACEHOLDER);
    for part in ["scope", "role"] {
        if let Some(value) = example(&format!("data/{part}")) {
            let description = format!("Grants and revocations of one {part}.");
            all.add(&format!("one-{part}"), &description, Some(json!({"data": {part: [value]}})));
        }
    }
    if !model.tenant.is_empty() {
        let tenant = examples.values().filter_map(|event| event.pointer("/detail/metadata/tenant"));
        let tenant = tenant.into_iter().find(|tenant| tenant.is_string()).unwrap_or(&placeholder);
        all.add("one-tenant", "Events of one tenant.", Some(json!({"metadata": {"tenant": [tenant]}})));
    }
    let item = example("metadata/item").unwrap_or(&placeholder);
    all.add("one-item", "Every event of one item.", Some(json!({"metadata": {"item": [item]}})));
    all.found
}

fn entities(events: &[EventType]) -> BTreeSet<&str> {
    let names = events.iter().flat_map(|event| &event.variants).flat_map(|variant| &variant.entities);
    names
        .filter_map(|name| match name {
            Name::Fixed(text) => Some(text.as_str()),
            Name::Open { .. } => None,
        })
        .collect()
}

struct Patterns<'m> {
    model: &'m Model,
    found: Vec<RulePattern>,
}

impl Patterns<'_> {
    fn add(&mut self, name: &str, description: &str, detail: Option<Value>) {
        let mut pattern = json!({"source": [self.model.source]});
        if let Some(detail) = detail {
            crate::schema::set(&mut pattern, "detail", detail);
        }
        self.found.push(RulePattern { name: name.to_owned(), description: description.to_owned(), pattern });
    }
}
