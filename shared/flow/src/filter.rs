//! Filter: filter criteria for Lambda's event source mapping. Lambda then invokes no function for a
//! record that can have no effect and no event.
//!
//! INVARIANT 4: a filter may pass records that have no effect and no event, but must never drop a
//! record that has one. So a record of an item that the model describes passes by its key and by
//! the images that it has, with operators that Lambda documents for DynamoDB streams (prefix,
//! equals, exists).

use std::collections::BTreeSet;

use instep_model::{BOOKKEEPING_PREFIX, ItemPart, Model, TypeId, Unknown, Verb};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::bookkeeping::{BookkeepingKind, FIELDS};
use crate::due::has_moments;

/// The maximum numbers of patterns of one mapping and of characters of one pattern. Source: AWS
/// Lambda Developer Guide, "Control which events Lambda sends to your function", and AWS Lambda API
/// Reference, "Filter".
pub const PATTERNS_MAX: usize = 5;
const PATTERN_CHARS_MAX: usize = 4_096;

/// Patterns. A record passes if it matches one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    patterns: Vec<Value>,
}

impl Filter {
    /// The filter of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let mut patterns = match model.table.unknown {
            Unknown::Skip => described(model),
            Unknown::Park => vec![by_key(model, all_prefixes(model), &[]), unmarked()],
        };
        patterns.extend(bookkeeping(model));
        debug_assert!(patterns.len() <= PATTERNS_MAX, "more patterns than a mapping takes");
        Self { patterns }
    }

    /// The patterns, each as text.
    #[must_use]
    pub fn patterns(&self) -> Vec<String> {
        self.patterns.iter().map(Value::to_string).collect()
    }

    /// Whether a record passes. A record that cannot be read passes.
    #[must_use]
    pub fn lets_through(&self, record: &RawValue) -> bool {
        let Ok(record) = serde_json::from_str::<Value>(record.get()) else { return true };
        self.patterns.iter().any(|pattern| matches(pattern, Some(&record)))
    }
}

/// The kinds of writes to an item that can have effects or events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct RelevantWrites {
    insert: bool,
    modify: bool,
    remove: bool,
}

impl RelevantWrites {
    const ALL: Self = Self { insert: true, modify: true, remove: true };

    fn of(model: &Model, of: TypeId) -> Self {
        if has_effects(model, of) {
            return Self::ALL;
        }
        let ty = model.item(of);
        let mut relevant = Self::default();
        for verb in &ty.publish {
            match verb {
                Verb::Created => relevant.insert = true,
                Verb::Deleted => relevant.remove = true,
                // A grant that grants nothing is published as updated when it is created and when
                // it is deleted.
                Verb::Updated if ty.grant.is_some() => relevant = Self::ALL,
                Verb::Updated => relevant.modify = true,
                Verb::Granted => (relevant.insert, relevant.modify) = (true, true),
                Verb::Revoked => (relevant.remove, relevant.modify) = (true, true),
                // Only an item type with claims, and its guards, have such events. They have effects, so they
                // returned above.
                Verb::Conflicted | Verb::Resolved => {}
            }
        }
        if ty.index_keys.iter().any(|keys| keys.keep.writes()) {
            (relevant.insert, relevant.modify) = (true, true);
        }
        relevant
    }
}

/// Whether every kind of write to items of a type can have effects. Kept index keys do not count
/// here: only creations and updates affect them.
fn has_effects(model: &Model, of: TypeId) -> bool {
    let has_effects = |part| match part {
        ItemPart::User
        | ItemPart::Groups
        | ItemPart::Member
        | ItemPart::Guard
        | ItemPart::Claim(_)
        | ItemPart::Due
        | ItemPart::Link(_) => true,
        // Its links and memberships are parts of their own.
        ItemPart::Grant => has_moments(model.item(of)),
        ItemPart::Event | ItemPart::Word(_) | ItemPart::IndexKeys | ItemPart::LastRevocation(_) => false,
    };
    model.parts(of).any(has_effects) || model.links_to(of).any(|(_, link)| link.needed || link.deleted_with)
}

/// Patterns for the item types whose writes have effects or events. The images of a record show
/// whether it is a creation, an update or a deletion. No pattern requires an image to be absent,
/// since Lambda documents that less clearly.
fn described(model: &Model) -> Vec<Value> {
    let (mut any, mut with_new, mut with_old) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for place in 0..model.items.len() {
        let prefixes = prefixes(model, TypeId(place));
        if model.item(TypeId(place)).user_value.is_some() {
            continue;
        }
        match RelevantWrites::of(model, TypeId(place)) {
            RelevantWrites { insert: true, remove: true, .. } => any.extend(prefixes),
            RelevantWrites { insert: false, modify: false, remove: false } => {}
            RelevantWrites { remove: true, .. } => with_old.extend(prefixes),
            RelevantWrites { .. } => with_new.extend(prefixes),
        }
    }
    let sets = [(any, &[][..]), (with_new, &["NewImage"]), (with_old, &["OldImage"])];
    let patterns = sets.into_iter().filter(|(prefixes, _)| !prefixes.is_empty());
    patterns.map(|(prefixes, images)| by_key(model, prefixes, images)).collect()
}

fn all_prefixes(model: &Model) -> BTreeSet<String> {
    (0..model.items.len()).flat_map(|place| prefixes(model, TypeId(place))).collect()
}

/// The prefixes of the partition keys of an item type.
fn prefixes(model: &Model, of: TypeId) -> Vec<String> {
    // No item has the key of a value.
    let forms = model.item(of).forms.iter().filter(|_| model.item(of).user_value.is_none());
    forms.map(|form| form.pk.leading_constant().to_owned()).collect()
}

/// A pattern for records that have these images and a key with one of these prefixes.
fn by_key(model: &Model, prefixes: BTreeSet<String>, images: &[&str]) -> Value {
    let pk = model.table.pk.as_str();
    let mut body = Map::new();
    // In sorted order, a prefix comes before all entries that begin with it, and nothing else is
    // between them.
    let mut shortest: Vec<String> = Vec::new();
    for prefix in prefixes {
        if !shortest.last().is_some_and(|before| prefix.starts_with(before.as_str())) {
            shortest.push(prefix);
        }
    }
    let conditions: Vec<Value> = shortest.iter().map(|prefix| json!({ "prefix": prefix })).collect();
    if shortest.iter().any(String::is_empty) || json!(conditions).to_string().len() > PATTERN_CHARS_MAX / 2 {
        // This matches every record: each has a partition key.
        body.insert("Keys".to_owned(), json!({pk: {"S": [{"exists": true}]}}));
    } else {
        body.insert("Keys".to_owned(), json!({pk: {"S": conditions}}));
    }
    for image in images {
        body.insert((*image).to_owned(), json!({pk: {"S": [{"exists": true}]}}));
    }
    json!({ "dynamodb": body })
}

/// A pattern for items without the attribute that marks bookkeeping items: an item that no item
/// type describes must be parked. Items that have the attribute, but that the model describes, pass
/// by their keys.
fn unmarked() -> Value {
    let unmarked = json!({FIELDS: {"M": {"of": {"S": [{"exists": false}]}}}});
    json!({"dynamodb": {"NewImage": unmarked, "OldImage": unmarked}})
}

/// Patterns for the bookkeeping items that have effects: pending claims.
fn bookkeeping(model: &Model) -> Vec<Value> {
    let pk = model.table.pk.as_str();
    if !model.items.iter().any(|item| item.guard.is_some()) {
        return Vec::new();
    }
    let keys = json!({pk: {"S": [{"prefix": format!("{BOOKKEEPING_PREFIX}{}#", BookkeepingKind::Claim.word())}]}});
    vec![json!({"dynamodb": {"Keys": keys, "NewImage": json!({pk: {"S": [{"exists": true}]}})}})]
}

/// Whether a value matches a pattern. Only the operators above are supported.
fn matches(pattern: &Value, value: Option<&Value>) -> bool {
    match pattern {
        Value::Object(members) => {
            members.iter().all(|(name, pattern)| matches(pattern, value.and_then(|v| v.get(name))))
        }
        Value::Array(conditions) => conditions.iter().any(|condition| condition_holds(condition, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn condition_holds(condition: &Value, value: Option<&Value>) -> bool {
    if let Some(exists) = condition.get("exists").and_then(Value::as_bool) {
        return value.is_some() == exists;
    }
    match condition.get("prefix").and_then(Value::as_str) {
        Some(prefix) => value.and_then(Value::as_str).is_some_and(|text| text.starts_with(prefix)),
        None => value == Some(condition),
    }
}
