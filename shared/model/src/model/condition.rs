//! Conditions on an item's own attributes, and on the names in its key.

use std::borrow::Cow;
use std::fmt;

use super::ids::Names;
use crate::path::{attribute_of, value_at};
use crate::value::{Item, Value};

/// The tests of attributes, paths or names in the key that all have to be true.
pub type Tests = Vec<(String, Test)>;

/// A condition: all tests of one of its alternatives are true. Without alternatives it always holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    /// Each has a test.
    pub alternatives: Vec<Tests>,
}

/// A test of one value: it is one of some values, or it is none of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Test {
    /// The values. Numbers compare by value.
    pub values: Vec<Value>,
    /// Whether no value is one of them, too: null and an empty text are no value.
    pub absent: bool,
    /// Whether it has to be none of them.
    pub not: bool,
}

impl Condition {
    /// Whether it always holds.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Whether it holds for an item.
    #[must_use]
    pub fn holds(&self, names: &Names, item: &Item) -> bool {
        let passes = |(name, test): &(String, Test)| match (value_at(item, name), names.get(name)) {
            (None, Some(text)) => test.holds_in_key(text),
            (value, _) => test.holds(value),
        };
        self.is_empty() || self.alternatives.iter().any(|tests| tests.iter().all(passes))
    }

    /// The tests of all alternatives.
    pub fn tests(&self) -> impl Iterator<Item = &(String, Test)> {
        self.alternatives.iter().flatten()
    }

    /// The attributes that it depends on.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tests().map(|(name, _)| attribute_of(name))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |tests: &Tests| {
            let tests: Vec<String> = tests.iter().map(|(name, test)| format!("{name} is {test}")).collect();
            tests.join(" and ")
        };
        let alternatives: Vec<String> = self.alternatives.iter().map(all).collect();
        f.write_str(if alternatives.len() > 1 { "either " } else { "" })?;
        f.write_str(&alternatives.join(", or "))
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.iter().filter_map(Value::to_text);
        let values: Vec<Cow<'_, str>> = values.chain(self.absent.then_some(Cow::Borrowed("absent"))).collect();
        match (self.not, values.as_slice()) {
            (true, [_]) if self.values.is_empty() => f.write_str("present"),
            (true, [value]) => write!(f, "not {value}"),
            (true, values) => write!(f, "neither {}", values.join(" nor ")),
            (false, values) => f.write_str(&values.join(" or ")),
        }
    }
}

impl Test {
    /// That there is a value.
    #[must_use]
    pub const fn present() -> Self {
        Self { values: Vec::new(), absent: true, not: true }
    }

    /// That the value is one of these.
    #[must_use]
    pub const fn one_of(values: Vec<Value>) -> Self {
        Self { values, absent: false, not: false }
    }

    /// The only value that passes, if there is one.
    #[must_use]
    pub fn only_value(&self) -> Option<&Value> {
        match self.values.as_slice() {
            [value] if !self.absent && !self.not => Some(value),
            _ => None,
        }
    }

    /// Whether the text of a name in the key passes: as a number by its digits, as a boolean by its word.
    pub(crate) fn holds_in_key(&self, text: &str) -> bool {
        let is = |value: &Value| match value {
            Value::S(one) | Value::N(one) => one == text,
            Value::Bool(flag) => text == if *flag { "true" } else { "false" },
            Value::B(_) | Value::Null(_) | Value::L(_) | Value::M(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
                false
            }
        };
        self.not != (self.absent && text.is_empty() || self.values.iter().any(is))
    }

    /// Whether a value passes.
    #[must_use]
    pub fn holds(&self, value: Option<&Value>) -> bool {
        let is_there = match value {
            None | Some(Value::Null(_)) => false,
            Some(Value::S(text)) => !text.is_empty(),
            Some(_) => true,
        };
        let is = value.is_some_and(|value| self.values.iter().any(|one| one.is_same(value)));
        self.not != (self.absent && !is_there || is)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_the_key_is_compared_by_its_digits() {
        let is = |value: Value| Condition { alternatives: vec![vec![("no".to_owned(), Test::one_of(vec![value]))]] };
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

    /// A writer that removes an attribute, sets it to null or empties it means the same.
    #[test]
    fn no_value_is_none_of_any_values_and_is_absent() {
        let yes = || vec![Value::Bool(true)];
        let is_not = Test { not: true, ..Test::one_of(yes()) };
        let is_or_absent = Test { absent: true, ..Test::one_of(yes()) };
        let is_there_and_not = Test { absent: true, ..is_not.clone() };
        for value in [None, Some(Value::Null(true)), Some(Value::S(String::new()))] {
            let value = value.as_ref();
            assert!(is_not.holds(value) && is_or_absent.holds(value) && !is_there_and_not.holds(value), "{value:?}");
            assert!(!Test::present().holds(value), "{value:?}");
        }
        for (value, is) in [(Value::Bool(true), true), (Value::Bool(false), false), (Value::S("true".into()), false)] {
            let value = Some(&value);
            assert_eq!([is_not.holds(value), is_or_absent.holds(value), is_there_and_not.holds(value)], [!is, is, !is]);
        }
        let says = [&is_not, &is_or_absent, &is_there_and_not, &Test::present()].map(Test::to_string);
        assert_eq!(says, ["not true", "true or absent", "neither true nor absent", "present"]);
    }
}
