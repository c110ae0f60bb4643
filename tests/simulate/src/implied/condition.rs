//! Conditions, and paths into maps, read by code of the oracle's own.

use instep_model::{Condition, Item, Object, Test, Value};

/// Whether a condition is true of an item.
pub(crate) fn meets(condition: &Condition, object: &Object, item: &Item) -> bool {
    let mut alternatives = condition.alternatives.iter();
    condition.is_empty() || alternatives.any(|tests| tests.iter().all(|(name, test)| passes(name, test, object, item)))
}

fn passes(name: &str, test: &Test, object: &Object, item: &Item) -> bool {
    let own = value_of(item, name);
    let in_key = object.names.get(name).filter(|_| own.is_none());
    let is_listed = match (in_key, own) {
        // A number in the key is a text there.
        (Some(text), _) => test.values.iter().any(|wanted| wanted.to_text().as_deref() == Some(text.as_str())),
        (None, None | Some(Value::Null(_))) => test.absent,
        (None, Some(own)) if own == Value::S(String::new()) => {
            test.absent || test.values.iter().any(|wanted| wanted == &own)
        }
        (None, Some(own)) => test.values.iter().any(|wanted| are_equal(Some(&own), wanted)),
    };
    if test.not { !is_listed } else { is_listed }
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

/// Values for which a condition is true: one for each attribute of its first alternative. `None` for one that is absent.
pub(crate) fn fulfilled(condition: &Condition) -> Vec<(String, Option<Value>)> {
    let there = || Some(Value::S("there".to_owned()));
    let value = |test: &Test| match (test.not, test.absent) {
        (false, _) => test.values.first().cloned(),
        (true, true) => there(),
        (true, false) => None,
    };
    let first = condition.alternatives.iter().take(1).flatten();
    first.map(|(name, test)| (name.clone(), value(test))).collect()
}

/// The values on which a condition depends, of each attribute.
pub(crate) fn decisive(condition: &Condition) -> impl Iterator<Item = (String, Vec<Value>)> {
    let there = |test: &Test| (test.absent && test.values.is_empty()).then(|| Value::S("there".to_owned()));
    condition.tests().map(move |(name, test)| (name.clone(), test.values.iter().cloned().chain(there(test)).collect()))
}
