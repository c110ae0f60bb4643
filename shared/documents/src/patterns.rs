//! EventBridge rule patterns for the usual subscriptions. What matches entries of a snapshot matches its beginning and its
//! end, too: the end says what to delete. What matches no entry must not match the end, after which all rows would go.

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
        all.add_one(&format!("entity-{entity}"), &description, "metadata", "entity", &json!(entity));
    }
    let verbs: BTreeSet<Verb> =
        events.iter().flat_map(|event| &event.variants).map(|variant| variant.published.verb).collect();
    for verb in &verbs {
        let (word, described) = (verb.word(), format!("Events with the verb `{}`, of every entity", verb.word()));
        let (verbs, description) = if matches!(verb, Verb::Created | Verb::Granted) {
            (vec![word, "started", "ended"], format!("{described}, and where a snapshot begins and ends."))
        } else {
            (vec![word], format!("{described}. A snapshot has none."))
        };
        all.add(&format!("verb-{word}"), &description, Some(json!({"metadata": {"verb": verbs}})));
    }
    if verbs.contains(&Verb::Granted) {
        let verbs = json!({"metadata": {"verb": ["granted", "revoked", "started", "ended"]}});
        all.add("grants-only", "Who gets and who loses a role, and where a snapshot begins and ends.", Some(verbs));
    }
    let example = |pointer: &str| {
        let of_items = examples.values().filter(|event| event.pointer("/detail/metadata/snapshot").is_none());
        let mut values = of_items.filter_map(|event| event.pointer(&format!("/detail/{pointer}")));
        values.next().filter(|value| value.is_string())
    };
    let placeholder = json!(PLACEHOLDER);
    for part in ["scope", "role"] {
        if let Some(value) = example(&format!("data/{part}")) {
            all.add_one(&format!("one-{part}"), &format!("Grants and revocations of one {part}."), "data", part, value);
        }
    }
    if !model.tenant.is_empty() {
        let tenant = examples.values().filter_map(|event| event.pointer("/detail/metadata/tenant"));
        let tenant = tenant.into_iter().find(|tenant| tenant.is_string()).unwrap_or(&placeholder);
        all.add_one("one-tenant", "Events of one tenant.", "metadata", "tenant", tenant);
    }
    let item = example("metadata/item").unwrap_or(&placeholder);
    all.add_one("one-item", "Every event of one item.", "metadata", "item", item);
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
    /// Adds a pattern for one value of a field, and for where a snapshot begins and ends.
    fn add_one(&mut self, name: &str, description: &str, part: &str, field: &str, value: &Value) {
        let of_a_snapshot = json!({"metadata": {"verb": ["started", "ended"]}});
        let detail = json!({"$or": [{part: {field: [value]}}, of_a_snapshot]});
        let description = format!("{}, and where a snapshot begins and ends.", description.trim_end_matches('.'));
        self.add(name, &description, Some(detail));
    }

    fn add(&mut self, name: &str, description: &str, detail: Option<Value>) {
        let mut pattern = json!({"source": [self.model.source]});
        if let Some(detail) = detail {
            crate::schema::set(&mut pattern, "detail", detail);
        }
        self.found.push(RulePattern { name: name.to_owned(), description: description.to_owned(), pattern });
    }
}
