//! The items in the table that limit how many users are deleted in an hour. Pure.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_PREFIX, Item, Key, Model, Value};
use jiff::Timestamp;

use crate::bookkeeping::{BookkeepingKind, FIELDS};

/// The limit of a deployment that sets none.
pub const DELETIONS_PER_HOUR: u32 = 20;

/// How long the number of an hour is kept.
const KEPT_SECONDS: i64 = 2 * 24 * 60 * 60;

/// The key of the item that is there while no user is deleted without a person's word.
#[must_use]
pub fn stopped_key() -> Key {
    key("STOPPED".to_owned())
}

/// That item.
#[must_use]
pub fn stopped(model: &Model, now: Timestamp) -> Item {
    let key = stopped_key();
    let fields = BTreeMap::from([("since".to_owned(), Value::S(now.to_string()))]);
    Item::from([
        (model.table.pk.clone(), Value::S(key.pk)),
        (model.table.sk.clone(), Value::S(key.sk)),
        (FIELDS.to_owned(), Value::M(fields)),
    ])
}

/// The key of the number of users that are deleted in the hour of `now`, and when the number is forgotten, in
/// seconds since 1970.
#[must_use]
pub fn count(now: Timestamp) -> (Key, i64) {
    (key(format!("USERS#{}", now.strftime("%Y-%m-%dT%H"))), now.as_second().saturating_add(KEPT_SECONDS))
}

fn key(sk: String) -> Key {
    Key { pk: format!("{BOOKKEEPING_PREFIX}{}", BookkeepingKind::Limit.word()), sk }
}
