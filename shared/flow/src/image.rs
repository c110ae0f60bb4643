//! The part of an item's image that a message on the work queue carries: what its memberships depend on,
//! and no more.
//!
//! Of an attribute with parts, it carries the parts that the model names. A value that only has to be there
//! is replaced by a mark, because it may be as large as an item.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{
    Item, ItemPart, Model, Object, Purpose, Reads, Sources, Test, Use, Value, attribute_of, leads_into, put, value_at,
};

use crate::implied::{self, Membership};

/// What stands for a value that is neither absent nor a text.
const MARK: Value = Value::M(BTreeMap::new());

/// How a run reads the value that a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading<'m> {
    /// As a text.
    Text,
    /// As a list of texts.
    List,
    /// By a test of a condition.
    Tests(&'m Test),
}

/// The parts of an item's image on which its memberships depend, for a message on the work queue. It implies
/// what the image implies. INVARIANT 9: it contains no secret.
#[must_use]
pub fn needed_image(model: &Model, object: &Object, item: &Item) -> Item {
    of_parts(model, &parts(model, object), item)
}

fn of_parts(model: &Model, Parts { paths, attributes }: &Parts<'_>, item: &Item) -> Item {
    let is_shown = |path: &str| !model.secret.contains(attribute_of(path));
    let mut needed = Item::new();
    // An attribute comes before the paths into it.
    for (path, readings) in paths.iter().filter(|(path, _)| is_shown(path)) {
        let is_inside = |other: &String| leads_into(path, other);
        if paths.range(..path.clone()).any(|(other, _)| is_inside(other)) {
            continue;
        }
        let Some(value) = value_at(item, path) else { continue };
        let is_whole = paths.keys().any(|other| leads_into(other, path));
        put(&mut needed, path, if is_whole { value.clone() } else { reduced(value, readings) });
    }
    let own = item.iter().filter(|(name, _)| attributes.contains(*name) && is_shown(name));
    needed.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    needed
}

/// As [`needed_image`], of each list only the text that leads to this membership: an item may imply thousands,
/// and each may be sent by itself.
#[must_use]
pub(crate) fn image_of_membership(model: &Model, object: &Object, item: &Item, membership: &Membership) -> Item {
    let parts = parts(model, object);
    let mut image = of_parts(model, &parts, item);
    for (path, _) in parts.paths.iter().filter(|(_, readings)| readings.contains(&Reading::List)) {
        let Some(whole @ (Value::L(_) | Value::Ss(_))) = value_at(&image, path).cloned() else { continue };
        let texts: BTreeSet<String> = whole.texts().unwrap_or_default().into_iter().collect();
        if texts.len() < 2 {
            continue;
        }
        let mut suffices = |text: String| {
            put(&mut image, path, Value::L(vec![Value::S(text)]));
            implied::memberships(model, object, &image).contains(membership)
        };
        // The name of the group usually contains the role. So of thousands of roles, few are tried.
        let (likely, others): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| membership.group.contains(text));
        if !likely.into_iter().chain(others).any(&mut suffices) {
            put(&mut image, path, whole);
        }
    }
    image
}

/// What an image is read for.
#[derive(Debug, Default)]
struct Parts<'m> {
    /// Attributes, or paths into them, and how each is read.
    paths: BTreeMap<String, Vec<Reading<'m>>>,
    /// Key attributes of indexes. Their names may look like paths.
    attributes: BTreeSet<String>,
}

fn parts<'m>(model: &'m Model, object: &Object) -> Parts<'m> {
    let mut parts = Parts::default();
    let mut add = |path: String, reading| parts.paths.entry(path).or_default().push(reading);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let is_read = |of: &&Use| match of.part {
        ItemPart::Grant => of.purpose != Purpose::Scope,
        ItemPart::Link(_) => of.purpose != Purpose::Written,
        ItemPart::Member => true,
        ItemPart::Event
        | ItemPart::Word(_)
        | ItemPart::IndexKeys
        | ItemPart::User
        | ItemPart::Groups
        | ItemPart::Due
        | ItemPart::Guard
        | ItemPart::Claim(_)
        | ItemPart::LastRevocation(_) => false,
    };
    for of in model.uses(object.of).iter().filter(is_read) {
        match &of.reads {
            Reads::Name(name) => drop(names.insert(name)),
            Reads::List(name) => model.attributes_of(name).into_iter().for_each(|path| add(path, Reading::List)),
            Reads::Paths(paths) => {
                let reading = if of.purpose == Purpose::Role { Reading::List } else { Reading::Text };
                paths.iter().for_each(|path| add(path.clone(), reading));
            }
            Reads::Test(path, test) => add(path.clone(), Reading::Tests(test)),
        }
    }
    for name in names {
        let Sources { paths, attributes } = model.source_paths(object.of, &object.names, name);
        paths.into_iter().for_each(|path| add(path, Reading::Text));
        parts.attributes.extend(attributes);
    }
    parts
}

/// A value without what none of its readings needs. A value that is read in several ways stays as it is.
fn reduced(value: &Value, readings: &[Reading<'_>]) -> Value {
    let is = |wanted: fn(&Reading<'_>) -> bool| readings.iter().all(wanted);
    if value.is_empty() {
        value.clone()
    } else if is(|reading| matches!(reading, Reading::List)) {
        list(value)
    } else if is(|reading| matches!(reading, Reading::Text)) {
        if value.to_text().is_some() { value.clone() } else { MARK }
    } else if is(|reading| matches!(reading, Reading::List | Reading::Text)) {
        if value.to_text().is_some() { value.clone() } else { list(value) }
    } else if is(|reading| matches!(reading, Reading::Tests(_))) {
        tested(value, readings)
    } else {
        value.clone()
    }
}

/// A list with each of its texts once. It is no list of texts if it has something else.
fn list(value: &Value) -> Value {
    match value {
        Value::S(_) | Value::Ss(_) => value.clone(),
        Value::L(_) => {
            let texts: Option<BTreeSet<String>> = value.texts().map(|texts| texts.into_iter().collect());
            texts.map_or(MARK, |texts| Value::L(texts.into_iter().map(Value::S).collect()))
        }
        Value::N(_) | Value::B(_) | Value::Bool(_) | Value::Null(_) | Value::M(_) | Value::Ns(_) | Value::Bs(_) => MARK,
    }
}

/// The value if a test compares it with an equal one, otherwise a mark that it is there.
fn tested(value: &Value, readings: &[Reading<'_>]) -> Value {
    let has_outcome = |reading: &Reading<'_>| match reading {
        Reading::Tests(test) => test.holds(Some(&MARK)) == test.holds(Some(value)),
        Reading::Text | Reading::List => false,
    };
    if readings.iter().all(has_outcome) { MARK } else { value.clone() }
}

#[cfg(test)]
mod tests;
