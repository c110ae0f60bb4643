//! Conditions on an item's own attributes, and on the names in its key.

use std::fmt;

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
        self.tests.iter().all(|(name, test)| match (value_at(item, name), names.get(name)) {
            (None, Some(text)) => test.holds_in_key(text),
            (value, _) => test.holds(value),
        })
    }

    /// The attributes that it depends on.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|(name, _)| attribute_of(name))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, test)) in self.tests.iter().enumerate() {
            f.write_str(if place > 0 { " and " } else { "" })?;
            match test {
                Test::OneOf(values) => {
                    let values: Vec<_> = values.iter().filter_map(Value::to_text).collect();
                    write!(f, "{name} is {}", values.join(" or "))?;
                }
                Test::Present => write!(f, "{name} is present")?,
                Test::Absent => write!(f, "{name} is absent")?,
            }
        }
        Ok(())
    }
}

impl Test {
    /// Whether the text of a name in the key passes: as a number by its digits, as a boolean by its word.
    fn holds_in_key(&self, text: &str) -> bool {
        match self {
            Self::OneOf(values) => values.iter().any(|value| match value {
                Value::S(one) | Value::N(one) => one == text,
                Value::Bool(flag) => text == if *flag { "true" } else { "false" },
                Value::B(_)
                | Value::Null(_)
                | Value::L(_)
                | Value::M(_)
                | Value::Ss(_)
                | Value::Ns(_)
                | Value::Bs(_) => false,
            }),
            Self::Present => !text.is_empty(),
            Self::Absent => text.is_empty(),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_the_key_is_compared_by_its_digits() {
        let is = |value: Value| Condition { tests: vec![("no".to_owned(), Test::OneOf(vec![value]))] };
        let names = Names::from([("no".to_owned(), "42".to_owned())]);
        let holds = |value: Value| is(value).holds(&names, &Item::new());
        assert!(holds(Value::N("42".to_owned())) && holds(Value::S("42".to_owned())));
        assert!(!holds(Value::N("43".to_owned())) && !holds(Value::Bool(true)));
        let is_true = Names::from([("no".to_owned(), "true".to_owned())]);
        assert!(
            is(Value::Bool(true)).holds(&is_true, &Item::new())
                && !is(Value::Bool(false)).holds(&is_true, &Item::new())
        );
        let item = Item::from([("no".to_owned(), Value::N("7".to_owned()))]);
        assert!(!is(Value::N("42".to_owned())).holds(&names, &item), "an attribute of this name comes first");
    }
}
