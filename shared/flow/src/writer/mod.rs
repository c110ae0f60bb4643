//! For writers: items with the keys of the model, and the guards of their unique values, as the
//! changes of one transaction.
//!
//! With these, a conflict fails the writer's transaction instead of being reported later. Instep
//! adopts the guards, and adds what other writers leave out.

mod changes;

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Model, Names, Object, RenderError, attribute_of};
use jiff::Timestamp;

pub use changes::{ACTIONS_MAX, Changes, WriteConflict};

use crate::effect::{Action, Expect};
use crate::{implied, items};

/// Why a write cannot be made. No message contains a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriterError {
    /// The model has no such item type.
    #[error("the model has no item type `{0}`")]
    UnknownType(String),
    /// The names do not make a key of this type, or make the key of another object.
    #[error(transparent)]
    Key(#[from] RenderError),
    /// An attribute differs from the name in the key.
    #[error("attribute `{0}` differs from the name in the key; give both the same value, or leave the attribute out")]
    Differs(String),
    /// Two changes of one transaction write the same item.
    #[error("the transaction writes one `{0}` twice; DynamoDB allows one write of each item")]
    Twice(String),
    /// More actions than one transaction can have.
    #[error(
        "the transaction would have {0} actions, each item and each guard counted; DynamoDB's limit is {ACTIONS_MAX}: \
         use several transactions"
    )]
    TooMany(usize),
}

/// An item as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The key that it was read with.
    pub key: Key,
    /// The item.
    pub item: Item,
    /// Those of its guards that exist and name it as their owner, with their keys. The others are
    /// not its own to release.
    pub guards: BTreeMap<Object, Key>,
}

/// The object of these names.
///
/// # Errors
/// The model has no such item type.
pub fn object(model: &Model, of: &str, names: &Names) -> Result<Object, WriterError> {
    let id = model.type_named(of).ok_or_else(|| WriterError::UnknownType(of.to_owned()))?;
    Ok(Object { of: id, names: names.clone() })
}

/// The guards of an item's unique values, by all keys that each can have.
#[must_use]
pub fn guards(model: &Model, object: &Object, item: &Item) -> BTreeMap<Key, Object> {
    let guards = implied::claims(model, object, item).into_keys();
    let keys = |guard: Object| {
        let keys = model.keys(&guard).unwrap_or_default().into_iter();
        keys.map(|key| (key, guard.clone())).collect::<Vec<_>>()
    };
    guards.flat_map(keys).collect()
}

/// A new item, on condition that its key and its unique values are free.
///
/// # Errors
/// The names make no key of this type, or an attribute differs from them.
pub fn create(model: &Model, object: &Object, attributes: &Item, now: Timestamp) -> Result<Changes, WriterError> {
    let key = written(model, object)?;
    let item = complete(model, object, &key, attributes)?;
    let mut changes = Changes::default();
    for guard in implied::claims(model, object, &item).into_keys() {
        claim(&mut changes, model, (object, &item), &guard, now)?;
    }
    let exists = WriteConflict::Exists { item: model.item(object.of).name.clone(), names: object.names.clone() };
    changes.push(Action::Put { key, item, expect: Expect::Absent }, exists)?;
    Ok(changes)
}

/// An item that replaces `before`, on condition that it still has the unique values that it had
/// then. New values are claimed, values that it gives up are released.
///
/// # Errors
/// The names make no key of this type, or an attribute differs from them.
pub fn replace(
    model: &Model,
    object: &Object,
    before: &Stored,
    attributes: &Item,
    now: Timestamp,
) -> Result<Changes, WriterError> {
    let item = complete(model, object, &before.key, attributes)?;
    let had: BTreeSet<Object> = implied::claims(model, object, &before.item).into_keys().collect();
    let has: BTreeSet<Object> = implied::claims(model, object, &item).into_keys().collect();
    let mut changes = Changes::default();
    for (guard, key) in before.guards.iter().filter(|(guard, _)| !has.contains(*guard)) {
        release(&mut changes, model, object, guard, key)?;
    }
    // A value that it had already, and whose guard is missing or names another owner, stays with
    // Instep: the claim is pending.
    for guard in has.difference(&had) {
        claim(&mut changes, model, (object, &item), guard, now)?;
    }
    let expect = Expect::Like(implied::claim_attributes(model, object, &before.item));
    changes.push(Action::Put { key: before.key.clone(), item, expect }, changed(model, object))?;
    Ok(changes)
}

/// The deletion of `before` and of its guards, on condition that it still has the unique values
/// that it had then.
///
/// # Errors
/// Two of its guards have one key.
pub fn delete(model: &Model, object: &Object, before: &Stored) -> Result<Changes, WriterError> {
    let mut changes = Changes::default();
    for (guard, key) in &before.guards {
        release(&mut changes, model, object, guard, key)?;
    }
    let expect = Expect::Like(implied::claim_attributes(model, object, &before.item));
    changes.push(Action::Delete { key: before.key.clone(), expect }, changed(model, object))?;
    Ok(changes)
}

/// An item under new names: the old item is deleted, the new one is created, and the guards that
/// both have name the new one.
///
/// # Errors
/// The new names make no key of this type, or an attribute differs from them.
pub fn rename(
    model: &Model,
    object: &Object,
    before: &Stored,
    to: &Names,
    attributes: &Item,
    now: Timestamp,
) -> Result<Changes, WriterError> {
    let new = Object { of: object.of, names: to.clone() };
    delete(model, object, before)?.join(create(model, &new, attributes, now)?)
}

/// The key that is written. Reading it must give this object and no other, so that a value cannot
/// forge a key.
fn written(model: &Model, object: &Object) -> Result<Key, WriterError> {
    let keys = model.keys(object)?;
    keys.into_iter().next().ok_or_else(|| WriterError::UnknownType(model.item(object.of).name.clone()))
}

/// The item with its keys, its type, and the names of its key as attributes.
fn complete(model: &Model, object: &Object, key: &Key, attributes: &Item) -> Result<Item, WriterError> {
    let mut item = attributes.clone();
    for (name, text) in &object.names {
        let spellings = model.attributes_of(name);
        // A name in a map or list, or one with a qualifier (`parent.urn`), is no attribute of its own.
        let spellings: Vec<&String> = spellings.iter().filter(|path| attribute_of(path) == path.as_str()).collect();
        let given = |attribute: &&&String| attributes.contains_key(attribute.as_str());
        let in_key = |attribute: &String| {
            let given = attributes.get(attribute).and_then(instep_model::Value::to_text);
            given.map(|given| model.as_in_key(object.of, name, &given))
        };
        match (spellings.iter().find(given), spellings.first()) {
            (Some(attribute), _) if in_key(attribute).as_ref() != Some(text) => {
                return Err(WriterError::Differs((*attribute).clone()));
            }
            (None, Some(attribute)) => {
                item.insert((*attribute).clone(), instep_model::Value::S(text.clone()));
            }
            (Some(_), _) | (None, None) => {}
        }
    }
    items::complete(model, object, key, &mut item);
    match implied::unwritable_claim(model, object, &item) {
        Some(error) => Err(error.into()),
        None => Ok(item),
    }
}

fn claim(
    changes: &mut Changes,
    model: &Model,
    (owner, item): (&Object, &Item),
    guard: &Object,
    now: Timestamp,
) -> Result<(), WriterError> {
    let key = written(model, guard)?;
    let put = Action::Put { item: items::guard(model, guard, owner, &key, now), key, expect: Expect::Absent };
    let values = implied::claimed_values(model, owner, item, guard);
    changes.push(put, WriteConflict::Taken { guard: model.item(guard.of).name.clone(), values })
}

fn release(changes: &mut Changes, model: &Model, owner: &Object, guard: &Object, key: &Key) -> Result<(), WriterError> {
    let expect = items::names_owner(model, guard, owner);
    changes.push(Action::Delete { key: key.clone(), expect }, changed(model, owner))
}

fn changed(model: &Model, object: &Object) -> WriteConflict {
    WriteConflict::Changed { item: model.item(object.of).name.clone(), names: object.names.clone() }
}
