//! For writers: items under the model's keys, with the guards of their unique values, as one transaction each.
//!
//! A writer that uses these never meets a conflict after the fact: the transaction fails instead. Instep adopts what they write,
//! and brings in step what other writers leave out.

use std::collections::BTreeMap;

use instep_model::{Item, Key, Model, Names, RenderError, Thing};
use jiff::Timestamp;

use crate::effect::{Action, Expect, Phase, Write};
use crate::{find, items, read};

/// Why a write cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriterError {
    /// The model has no such item type.
    #[error("the model has no item type `{0}`")]
    UnknownType(String),
    /// The key's names do not make a key of this type, or would make another's.
    #[error(transparent)]
    Key(#[from] RenderError),
    /// An attribute that the key is made of says something else.
    #[error("attribute `{0}` differs from the name in the key")]
    Differs(String),
}

/// A new item, on condition that its key and its unique values are free.
///
/// # Errors
/// Where the names make no key of this type.
pub fn create(model: &Model, of: &str, names: &Names, attributes: &Item, now: Timestamp) -> Result<Write, WriterError> {
    let (thing, key) = place(model, of, names)?;
    let item = complete(model, &thing, &key, attributes)?;
    let mut actions = Vec::new();
    for guard in read::claims(model, &thing, &item).into_keys() {
        actions.push(claim(model, &guard, &thing, now)?);
    }
    actions.push(Action::Put { key, item, expect: Expect::Absent });
    Ok(write(model, &thing, actions))
}

/// An item in the place of `before`, on condition that it still has the unique values that it had then: new ones are claimed,
/// those that it gives up are released.
///
/// # Errors
/// Where the names make no key of this type.
pub fn replace(
    model: &Model,
    of: &str,
    names: &Names,
    before: &Item,
    attributes: &Item,
    now: Timestamp,
) -> Result<Write, WriterError> {
    let (thing, key) = place(model, of, names)?;
    let item = complete(model, &thing, &key, attributes)?;
    let (had, has) = (read::claims(model, &thing, before), read::claims(model, &thing, &item));
    let mut actions = Vec::new();
    for guard in had.keys().filter(|guard| !has.contains_key(*guard)) {
        actions.push(release(model, guard, &thing)?);
    }
    for guard in has.keys().filter(|guard| !had.contains_key(*guard)) {
        actions.push(claim(model, guard, &thing, now)?);
    }
    let expect = Expect::Like(read::claim_attributes(model, &thing, before));
    actions.push(Action::Put { key, item, expect });
    Ok(write(model, &thing, actions))
}

/// The removal of `before` and of the guards that it holds.
///
/// # Errors
/// Where the names make no key of this type.
pub fn delete(model: &Model, of: &str, names: &Names, before: &Item) -> Result<Write, WriterError> {
    let (thing, key) = place(model, of, names)?;
    let mut actions = Vec::new();
    for guard in read::claims(model, &thing, before).into_keys() {
        actions.push(release(model, &guard, &thing)?);
    }
    let expect = Expect::Like(read::claim_attributes(model, &thing, before));
    actions.push(Action::Delete { key, expect });
    Ok(write(model, &thing, actions))
}

fn place(model: &Model, of: &str, names: &Names) -> Result<(Thing, Key), WriterError> {
    let id = model.type_named(of).ok_or_else(|| WriterError::UnknownType(of.to_owned()))?;
    let thing = Thing { of: id, names: names.clone() };
    let key = written(model, &thing)?;
    Ok((thing, key))
}

/// The key that is written. It is read back as this thing and no other: that is what keeps it from being forged.
fn written(model: &Model, thing: &Thing) -> Result<Key, WriterError> {
    let keys = model.keys(thing)?;
    keys.into_iter().next().ok_or_else(|| WriterError::UnknownType(model.item(thing.of).name.clone()))
}

fn complete(model: &Model, thing: &Thing, key: &Key, attributes: &Item) -> Result<Item, WriterError> {
    let differs = |(name, text): &(&String, &String)| {
        attributes.get(*name).is_some_and(|value| value.to_text().as_ref() != Some(*text))
    };
    if let Some((name, _)) = thing.names.iter().find(differs) {
        return Err(WriterError::Differs(name.clone()));
    }
    let mut item = attributes.clone();
    items::complete(model, thing, key, &mut item);
    Ok(item)
}

fn claim(model: &Model, guard: &Thing, owner: &Thing, now: Timestamp) -> Result<Action, WriterError> {
    let key = written(model, guard)?;
    Ok(Action::Put { item: items::guard(model, guard, owner, &key, now), key, expect: Expect::Absent })
}

fn release(model: &Model, guard: &Thing, owner: &Thing) -> Result<Action, WriterError> {
    Ok(Action::Delete { key: written(model, guard)?, expect: items::held_by(model, guard, owner) })
}

fn write(model: &Model, thing: &Thing, actions: Vec<Action>) -> Write {
    let target = find::label_of(model, thing);
    // One item is written once: the last word on it counts.
    let actions: BTreeMap<Key, Action> = actions.into_iter().map(|action| (action.key().clone(), action)).collect();
    Write { phase: Phase::Follow, target, checks: Vec::new(), actions: actions.into_values().collect() }
}
