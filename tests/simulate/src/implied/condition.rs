//! Conditions, and paths into maps, read by code of the oracle's own.

use instep_model::{Condition, Item, Object, Test, Value};

/// Whether a condition is true of an item.
pub(crate) fn meets(condition: &Condition, object: &Object, item: &Item) -> bool {
    condition.tests.iter().all(|(name, test)| {
        let value = value_of(item, name).or_else(|| object.names.get(name).cloned().map(Value::S));
        let is_empty = matches!(&value, None | Some(Value::Null(_))) || value == Some(Value::S(String::new()));
        match test {
            // A number in the key is a text there.
            Test::OneOf(wanted) if value_of(item, name).is_none() && object.names.contains_key(name) => {
                wanted.iter().any(|wanted| wanted.to_text().as_deref() == value.as_ref().and_then(Value::as_s))
            }
            Test::OneOf(wanted) => wanted.iter().any(|wanted| are_equal(value.as_ref(), wanted)),
            Test::Present => !is_empty,
            Test::Absent => is_empty,
        }
    })
}

/// `1` and `1.0` are one number.
fn are_equal(value: Option<&Value>, wanted: &Value) -> bool {
    match (value, wanted) {
        (Some(Value::N(one)), Value::N(other)) => one.parse::<f64>().ok() == other.parse::<f64>().ok(),
        (one, other) => one == Some(other),
    }
}

/// The value of an attribute, or of a path into maps: `profile.state`.
pub(crate) fn value_of(item: &Item, path: &str) -> Option<Value> {
    let mut steps = path.split('.');
    let mut value = item.get(steps.next()?)?;
    for step in steps {
        value = if let Value::M(members) = value { members.get(step)? } else { return None };
    }
    Some(value.clone())
}

/// The value of the first of these attributes or paths that has one. Nothing in it is no value.
pub(crate) fn first_of(item: &Item, names: &[String]) -> Option<Value> {
    names.iter().filter_map(|name| value_of(item, name)).find(|value| !is_nothing(value))
}

/// Whether a value has nothing in it.
pub(crate) fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::Null(_)) || [Value::S(String::new()), Value::L(vec![]), Value::Ss(vec![])].contains(value)
}

/// Sets or removes the value of an attribute, or of a path into maps.
pub(crate) fn set_value(item: &mut Item, path: &str, value: Option<Value>) {
    let Some((first, rest)) = path.split_once('.') else {
        item.remove(path);
        item.extend(value.map(|value| (path.to_owned(), value)));
        return;
    };
    let mut members = if let Some(Value::M(members)) = item.remove(first) { members } else { Item::new() };
    set_value(&mut members, rest, value);
    if !members.is_empty() {
        item.insert(first.to_owned(), Value::M(members));
    }
}

/// The values for which a condition is true: one for each attribute. `None` for one that is absent.
pub(crate) fn fulfilled(condition: &Condition) -> Vec<(String, Option<Value>)> {
    let value = |test: &Test| match test {
        Test::OneOf(values) => values.first().cloned(),
        Test::Present => Some(Value::S("there".to_owned())),
        Test::Absent => None,
    };
    condition.tests.iter().map(|(name, test)| (name.clone(), value(test))).collect()
}
