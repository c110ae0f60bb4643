//! Instep's own items in the table: back-references, tombstones with the job that they carry, waiting claims. Each has its key
//! from the identity of what it speaks of, so writing one twice is writing it once.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Item, Key, Model, Names, Object, Value};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::effect::Expect;

/// Sort key of a tombstone.
const TOMBSTONE_SK: &str = "GONE";

/// The one attribute of a bookkeeping item beside its key and its time to live: so none can stand where an index looks.
pub const FIELDS: &str = BOOKKEEPING_ATTRIBUTE;

/// Longest readable text of an identity in a key; a longer one is hashed. A sort key holds 1,024 bytes.
/// Source: DynamoDB developer guide, "Service, account, and table quotas".
const IDENTITY_MAX_BYTES: usize = 900;

/// The field of a tombstone that keeps the deleted item.
pub(crate) const DELETED_ITEM: &str = "item";

/// How long a tombstone stays: well past the 24 hours that a stream keeps records.
pub const TOMBSTONE_SECONDS: i64 = 7 * 24 * 60 * 60;

/// What a bookkeeping key is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `INSTEP#REF#…`: who refers to an object.
    Reference,
    /// `INSTEP#GONE#…`: a removed parent, and the work left to do below it.
    Tombstone,
    /// `INSTEP#CLAIM#…`: an owner that waits for a value.
    Claim,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Reference => "REF",
            Self::Tombstone => "GONE",
            Self::Claim => "CLAIM",
        }
    }

    /// The kind of a bookkeeping key.
    #[must_use]
    pub fn of(key: &Key) -> Option<Self> {
        let rest = key.pk.strip_prefix(BOOKKEEPING_PREFIX)?;
        let word = rest.split('#').next()?;
        [Self::Reference, Self::Tombstone, Self::Claim].into_iter().find(|kind| kind.word() == word)
    }
}

/// A partition of bookkeeping items: all that are of one kind and of one object.
#[must_use]
pub fn partition(model: &Model, kind: Kind, of: &Object) -> String {
    format!("{BOOKKEEPING_PREFIX}{}#{}", kind.word(), identity(model, of))
}

/// An identity as a text that no other identity has.
fn identity(model: &Model, object: &Object) -> String {
    let mut text = model.item(object.of).name.clone();
    for (name, value) in &object.names {
        // `%` and `/` are escaped, so that no value can pass for a boundary.
        let value = value.replace('%', "%25").replace('/', "%2F");
        text.push('/');
        text.push_str(name);
        text.push('=');
        text.push_str(&value);
    }
    if text.len() <= IDENTITY_MAX_BYTES {
        return text;
    }
    let hash = Sha256::digest(text.as_bytes());
    format!("{}/~{}", model.item(object.of).name, hex(&hash))
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The key of the back-reference that `from` keeps under `to`.
#[must_use]
pub fn reference_key(model: &Model, to: &Object, from: &Object) -> Key {
    Key { pk: partition(model, Kind::Reference, to), sk: identity(model, from) }
}

/// The back-reference that `from` keeps under `to`.
#[must_use]
pub fn reference(model: &Model, to: &Object, from: &Object) -> (Key, Item) {
    let key = reference_key(model, to, from);
    let item = item(model, &key, from, []);
    (key, item)
}

/// The key of a removed object's tombstone. `names` are those that its children know of it: all of its key's, or fewer.
#[must_use]
pub fn tombstone_key(model: &Model, of: &Object) -> Key {
    Key { pk: partition(model, Kind::Tombstone, of), sk: TOMBSTONE_SK.to_owned() }
}

/// The tombstone of an object: when it was deleted. `deleted` is its item, where Instep deleted it for its last revocation and may
/// have to restore it.
#[must_use]
pub fn tombstone(model: &Model, key: &Key, object: &Object, removed_at: Timestamp, deleted: Option<&Item>) -> Item {
    let expires = removed_at.as_second().saturating_add(TOMBSTONE_SECONDS);
    let mut fields = vec![("removedAt", Value::S(removed_at.to_string()))];
    fields.extend(deleted.map(|item| (DELETED_ITEM, Value::M(item.clone()))));
    let mut item = item(model, key, object, fields);
    item.insert(model.table.ttl.clone(), Value::N(expires.to_string()));
    item
}

/// The item that a tombstone keeps: that of a subject which Instep deleted for its last revocation.
#[must_use]
pub fn deleted_item(tombstone: &Item) -> Option<&Item> {
    map(fields(tombstone)?.get(DELETED_ITEM)?)
}

/// The condition that a bookkeeping item still is what was read.
#[must_use]
pub fn as_read(read: Option<&Item>) -> Expect {
    match read.and_then(|item| item.get(FIELDS)) {
        Some(fields) => Expect::Like(BTreeMap::from([(FIELDS.to_owned(), Some(fields.clone()))])),
        None => Expect::Absent,
    }
}

/// When the object of a tombstone was removed.
#[must_use]
pub fn removed_at(item: &Item) -> Option<Timestamp> {
    fields(item)?.get("removedAt")?.as_s()?.parse().ok()
}

/// The key of the claim with which `owner` waits for the value of `guard`.
#[must_use]
pub fn claim_key(model: &Model, guard: &Object, owner: &Object) -> Key {
    Key { pk: partition(model, Kind::Claim, guard), sk: identity(model, owner) }
}

/// The claim with which `owner` waits for the value of `guard`, since `since`.
#[must_use]
pub fn claim(model: &Model, guard: &Object, owner: &Object, since: Timestamp) -> (Key, Item) {
    let key = claim_key(model, guard, owner);
    let fields = [
        ("since", Value::S(since.to_string())),
        ("guard", Value::S(model.item(guard.of).name.clone())),
        ("guardNames", names_value(&guard.names)),
    ];
    let item = item(model, &key, owner, fields);
    (key, item)
}

/// Since when a claim waits.
#[must_use]
pub fn since(item: &Item) -> Option<Timestamp> {
    fields(item)?.get("since")?.as_s()?.parse().ok()
}

/// The guard that a claim waits for.
#[must_use]
pub fn claimed_guard(model: &Model, item: &Item) -> Option<Object> {
    let item = fields(item)?;
    let of = model.type_named(item.get("guard")?.as_s()?)?;
    Some(Object { of, names: names(item.get("guardNames")?)? })
}

/// The object that a bookkeeping item speaks of: who refers, what is gone, who waits.
#[must_use]
pub fn object(model: &Model, item: &Item) -> Option<Object> {
    let item = fields(item)?;
    let of = model.type_named(item.get("of")?.as_s()?)?;
    Some(Object { of, names: names(item.get("names")?)? })
}

fn names(value: &Value) -> Option<Names> {
    map(value)?.iter().map(|(name, value)| Some((name.clone(), value.as_s()?.to_owned()))).collect()
}

fn names_value(names: &Names) -> Value {
    Value::M(names.iter().map(|(name, value)| (name.clone(), Value::S(value.clone()))).collect())
}

fn fields(item: &Item) -> Option<&BTreeMap<String, Value>> {
    map(item.get(FIELDS)?)
}

fn map(value: &Value) -> Option<&BTreeMap<String, Value>> {
    if let Value::M(map) = value { Some(map) } else { None }
}

fn item<'a>(model: &Model, key: &Key, of: &Object, more: impl IntoIterator<Item = (&'a str, Value)>) -> Item {
    let mut fields: BTreeMap<_, _> = more.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    fields.insert("of".to_owned(), Value::S(model.item(of.of).name.clone()));
    fields.insert("names".to_owned(), names_value(&of.names));
    Item::from([
        (model.table.pk.clone(), Value::S(key.pk.clone())),
        (model.table.sk.clone(), Value::S(key.sk.clone())),
        (FIELDS.to_owned(), Value::M(fields)),
    ])
}
