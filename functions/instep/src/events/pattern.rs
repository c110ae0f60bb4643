//! EventBridge's rule patterns. Source: Amazon EventBridge User Guide, "Creating Amazon EventBridge event
//! patterns" and "Comparison operators for use in event patterns". `cidr` is not among them: no event of
//! Instep has an address.
//!
//! No crate fits, in November 2026: `event-ruler` is an empty package, and `quamina` has no `$or`, no
//! `anything-but` of prefixes, and operators of its own that EventBridge refuses. `tests/contract/matching.py`
//! compares the answers here with those of two engines that this project did not write.

mod read;

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// A rule pattern.
#[derive(Debug)]
pub(super) struct Pattern(Vec<Field>);

/// What an object must have. All of them hold.
#[derive(Debug)]
enum Field {
    /// A field whose value is an object.
    Inner(String, Vec<Field>),
    /// A field for which one of these tests holds.
    Tests(String, Vec<Test>),
    /// `$or`: one of these holds.
    Or(Vec<Vec<Field>>),
}

/// A test of a value that is no object and no list.
#[derive(Debug)]
enum Test {
    Same(Value),
    Exists(bool),
    Text(Text),
    AnythingBut(Vec<Test>),
    Numeric(Vec<(Comparison, f64)>),
}

/// A test of a string.
#[derive(Debug)]
enum Text {
    Prefix(Affix),
    Suffix(Affix),
    IgnoreCase(String),
    /// The parts between asterisks.
    Wildcard(Vec<String>),
}

#[derive(Debug)]
struct Affix {
    text: String,
    ignores_case: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Pattern {
    /// Whether an event matches.
    pub(super) fn matches(&self, event: &Value) -> bool {
        event.as_object().is_some_and(|event| all(&self.0, event))
    }

    /// Whether it tests a field of this name at an event's top.
    pub(super) fn has(&self, name: &str) -> bool {
        has(&self.0, name)
    }
}

fn has(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| match field {
        Field::Inner(other, _) | Field::Tests(other, _) => other == name,
        Field::Or(branches) => branches.iter().any(|branch| has(branch, name)),
    })
}

fn all(fields: &[Field], object: &Map<String, Value>) -> bool {
    fields.iter().all(|field| match field {
        Field::Inner(name, inner) => {
            // Of a list of objects, one has all that is asked for. What is no object has no field.
            let objects = object.get(name).map(objects).unwrap_or_default();
            if objects.is_empty() { all(inner, &Map::new()) } else { objects.iter().any(|one| all(inner, one)) }
        }
        Field::Tests(name, tests) => {
            let leaves = object.get(name).map(leaves).unwrap_or_default();
            tests.iter().any(|test| match test {
                // It speaks of values: an object and an empty list count as absent.
                Test::Exists(wanted) => *wanted != leaves.is_empty(),
                Test::Same(_) | Test::Text(_) | Test::AnythingBut(_) | Test::Numeric(_) => {
                    leaves.iter().any(|leaf| test.holds(leaf))
                }
            })
        }
        Field::Or(branches) => branches.iter().any(|branch| all(branch, object)),
    })
}

/// The value, or the elements of a list, also of lists in it.
fn leaves(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(leaves).collect(),
        Value::Object(_) => Vec::new(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => vec![value],
    }
}

fn objects(value: &Value) -> Vec<&Map<String, Value>> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(objects).collect(),
        Value::Object(fields) => vec![fields],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

impl Test {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Same(wanted) => match (wanted.as_f64(), value.as_f64()) {
                (Some(wanted), Some(value)) => Comparison::Equal.holds(value, wanted),
                (_, _) => wanted == value,
            },
            Self::Exists(wanted) => *wanted,
            Self::Text(test) => value.as_str().is_some_and(|text| test.holds(text)),
            Self::AnythingBut(tests) => !tests.iter().any(|test| test.holds(value)),
            Self::Numeric(limits) => value
                .as_f64()
                .is_some_and(|number| limits.iter().all(|(comparison, limit)| comparison.holds(number, *limit))),
        }
    }
}

impl Text {
    fn holds(&self, text: &str) -> bool {
        match self {
            Self::Prefix(affix) => affix.fold(text).starts_with(&affix.text),
            Self::Suffix(affix) => affix.fold(text).ends_with(&affix.text),
            Self::IgnoreCase(wanted) => text.to_lowercase() == *wanted,
            Self::Wildcard(parts) => wildcard(parts, text),
        }
    }
}

impl Affix {
    fn fold(&self, text: &str) -> String {
        if self.ignores_case { text.to_lowercase() } else { text.to_owned() }
    }
}

impl Comparison {
    fn holds(self, number: f64, limit: f64) -> bool {
        let order = number.partial_cmp(&limit);
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::Greater => order == Some(Ordering::Greater),
            Self::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// Between the parts may be any text.
fn wildcard(parts: &[String], text: &str) -> bool {
    match parts {
        [] => text.is_empty(),
        [only] => only == text,
        [first, middle @ .., last] => {
            let inner = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()));
            // The first place of each part leaves the most for those after it.
            let left = middle.iter().try_fold(inner.unwrap_or_default(), |rest, part| {
                rest.split_once(part.as_str()).map(|(_, after)| after)
            });
            inner.is_some() && left.is_some()
        }
    }
}

#[cfg(test)]
mod tests;
