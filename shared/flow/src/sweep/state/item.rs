//! The bookkeeping item with the state of a sweep.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Model, Value};

use crate::bookkeeping::{FIELDS, Kind};

/// The field with the state.
const STATE: &str = "state";

/// The key of the sweep that the work function does, or did last.
#[must_use]
pub fn state_key() -> Key {
    let word = Kind::Sweep.word();
    Key { pk: format!("{BOOKKEEPING_PREFIX}{word}"), sk: word.to_owned() }
}

/// The item of a sweep. Its state is a text, because only Instep reads it.
#[must_use]
pub fn with_state(model: &Model, state: &str) -> (Key, Item) {
    let key = state_key();
    // Event filters recognise bookkeeping items by `of`.
    let fields = BTreeMap::from([
        ("of".to_owned(), Value::S(Kind::Sweep.word().to_owned())),
        (STATE.to_owned(), Value::S(state.to_owned())),
    ]);
    let item = Item::from([
        (model.table.pk.clone(), Value::S(key.pk.clone())),
        (model.table.sk.clone(), Value::S(key.sk.clone())),
        (FIELDS.to_owned(), Value::M(fields)),
    ]);
    (key, item)
}

/// The state in the item of a sweep.
#[must_use]
pub fn state_of(item: &Item) -> Option<&str> {
    if let Value::M(fields) = item.get(FIELDS)? { fields.get(STATE)?.as_s() } else { None }
}
