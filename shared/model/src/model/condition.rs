//! Conditions on an item's own attributes, and on the names in its key.

use super::ids::Names;
use crate::path::{attribute_of, value_at};
use crate::value::{Item, Value};

/// A condition: all of its tests are true. Without tests it always holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    /// Attributes, paths or names in the key, each with a test.
    pub tests: Vec<(String, Test)>,
}

/// A test of one value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// The value is one of these. Numbers compare by value.
    OneOf(Vec<Value>),
    /// There is a value: neither null nor an empty text.
    Present,
    /// There is no value.
    Absent,
}

impl Condition {
    /// Whether it always holds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Whether it holds for an item.
    #[must_use]
    pub fn holds(&self, names: &Names, item: &Item) -> bool {
        self.tests.iter().all(|(name, test)| {
            let in_key = names.get(name).map(|text| Value::S(text.clone()));
            test.holds(value_at(item, name).or(in_key.as_ref()))
        })
    }

    /// The attributes that it depends on.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|(name, _)| attribute_of(name))
    }
}

impl Test {
    /// Whether a value passes.
    #[must_use]
    pub fn holds(&self, value: Option<&Value>) -> bool {
        let is_there = || match value {
            None | Some(Value::Null(_)) => false,
            Some(Value::S(text)) => !text.is_empty(),
            Some(_) => true,
        };
        match self {
            Self::OneOf(values) => value.is_some_and(|value| values.iter().any(|one| one.is_same(value))),
            Self::Present => is_there(),
            Self::Absent => !is_there(),
        }
    }
}
