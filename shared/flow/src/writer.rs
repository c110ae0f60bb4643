//! For writers: items with the keys of the model, and the guards of their unique values, in one
//! transaction each.
//!
//! With these, a conflict fails the writer's transaction instead of being reported later. Instep
//! adopts the guards, and adds what other writers leave out.

use std::collections::BTreeMap;

use instep_model::{Item, Key, Model, Names, Object, RenderError};
use jiff::Timestamp;

use crate::effect::{Action, Expect, Phase, Write};
use crate::{find, items, read};

/// Why a write cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriterError {
    /// The model has no such item type.
    #[error("the model has no item type `{0}`")]
    UnknownType(String),
    /// The names do not make a key of this type, or make the key of another object.
    #[error(transparent)]
    Key(#[from] RenderError),
    /// An attribute differs from the name in the key.
    #[error("attribute `{0}` differs from the name in the key")]
    Differs(String),
}

/// A new item, on condition that its key and its unique values are free.
///
/// # Errors
/// The names make no key of this type.
pub fn create(model: &Model, of: &str, names: &Names, attributes: &Item, now: Timestamp) -> Result<Write, WriterError> {
    let (object, key) = place(model, of, names)?;
    let item = complete(model, &object, &key, attributes)?;
    let mut actions = Vec::new();
    for guard in read::claims(model, &object, &item).into_keys() {
        actions.push(claim(model, &guard, &object, now)?);
    }
    actions.push(Action::Put { key, item, expect: Expect::Absent });
    Ok(write(model, &object, actions))
}

/// An item that replaces `before`, on condition that it still has the unique values that it had
/// then. New values are claimed, values that it gives up are released.
///
/// # Errors
/// The names make no key of this type.
pub fn replace(
    model: &Model,
    of: &str,
    names: &Names,
    before: &Item,
    attributes: &Item,
    now: Timestamp,
) -> Result<Write, WriterError> {
    let (object, key) = place(model, of, names)?;
    let item = complete(model, &object, &key, attributes)?;
    let (had, has) = (read::claims(model, &object, before), read::claims(model, &object, &item));
    let mut actions = Vec::new();
    for guard in had.keys().filter(|guard| !has.contains_key(*guard)) {
        actions.push(release(model, guard, &object)?);
    }
    for guard in has.keys().filter(|guard| !had.contains_key(*guard)) {
        actions.push(claim(model, guard, &object, now)?);
    }
    let expect = Expect::Like(read::claim_attributes(model, &object, before));
    actions.push(Action::Put { key, item, expect });
    Ok(write(model, &object, actions))
}

/// The deletion of `before` and of its guards.
///
/// # Errors
/// The names make no key of this type.
pub fn delete(model: &Model, of: &str, names: &Names, before: &Item) -> Result<Write, WriterError> {
    let (object, key) = place(model, of, names)?;
    let mut actions = Vec::new();
    for guard in read::claims(model, &object, before).into_keys() {
        actions.push(release(model, &guard, &object)?);
    }
    let expect = Expect::Like(read::claim_attributes(model, &object, before));
    actions.push(Action::Delete { key, expect });
    Ok(write(model, &object, actions))
}

fn place(model: &Model, of: &str, names: &Names) -> Result<(Object, Key), WriterError> {
    let id = model.type_named(of).ok_or_else(|| WriterError::UnknownType(of.to_owned()))?;
    let object = Object { of: id, names: names.clone() };
    let key = written(model, &object)?;
    Ok((object, key))
}

/// The key that is written. Reading it must give this object and no other, so that a value cannot
/// forge a key.
fn written(model: &Model, object: &Object) -> Result<Key, WriterError> {
    let keys = model.keys(object)?;
    keys.into_iter().next().ok_or_else(|| WriterError::UnknownType(model.item(object.of).name.clone()))
}

fn complete(model: &Model, object: &Object, key: &Key, attributes: &Item) -> Result<Item, WriterError> {
    let differs = |(name, text): &(&String, &String)| {
        attributes.get(*name).is_some_and(|value| value.to_text().as_ref() != Some(*text))
    };
    if let Some((name, _)) = object.names.iter().find(differs) {
        return Err(WriterError::Differs(name.clone()));
    }
    let mut item = attributes.clone();
    items::complete(model, object, key, &mut item);
    match read::unwritable_claim(model, object, &item) {
        Some(error) => Err(error.into()),
        None => Ok(item),
    }
}

fn claim(model: &Model, guard: &Object, owner: &Object, now: Timestamp) -> Result<Action, WriterError> {
    let key = written(model, guard)?;
    Ok(Action::Put { item: items::guard(model, guard, owner, &key, now), key, expect: Expect::Absent })
}

fn release(model: &Model, guard: &Object, owner: &Object) -> Result<Action, WriterError> {
    Ok(Action::Delete { key: written(model, guard)?, expect: items::names_owner(model, guard, owner) })
}

fn write(model: &Model, object: &Object, actions: Vec<Action>) -> Write {
    let target = find::label_of(model, object);
    // A transaction may contain only one action on an item: the last one is used.
    let actions: BTreeMap<Key, Action> = actions.into_iter().map(|action| (action.key().clone(), action)).collect();
    Write {
        phase: Phase::Follow,
        second_read: false,
        target,
        checks: Vec::new(),
        actions: actions.into_values().collect(),
    }
}
