//! Instep's own items in the table: back-references, tombstones with the job that they carry, waiting claims. Each has its key
//! from the identity of what it speaks of, so writing one twice is writing it once.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Item, Key, Model, Names, Object, Value};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

/// Sort key of a tombstone.
const GONE_SK: &str = "GONE";

/// The one attribute of a bookkeeping item beside its key and its time to live: so none can stand where an index looks.
pub const FIELDS: &str = BOOKKEEPING_ATTRIBUTE;

/// Longest readable text of an identity in a key; a longer one is hashed. A sort key holds 1,024 bytes.
/// Source: DynamoDB developer guide, "Service, account, and table quotas".
const IDENTITY_MAX_BYTES: usize = 900;

/// How long a tombstone stays: well past the 24 hours that a stream keeps records.
pub const TOMBSTONE_SECONDS: i64 = 7 * 24 * 60 * 60;

/// What a bookkeeping key is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `INSTEP#REF#…`: who refers to an object.
    Reference,
    /// `INSTEP#GONE#…`: a removed parent, and the work left to do below it.
    Gone,
    /// `INSTEP#CLAIM#…`: an owner that waits for a value.
    Claim,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Reference => "REF",
            Self::Gone => "GONE",
            Self::Claim => "CLAIM",
        }
    }

    /// The kind of a bookkeeping key.
    #[must_use]
    pub fn of(key: &Key) -> Option<Self> {
        let rest = key.pk.strip_prefix(BOOKKEEPING_PREFIX)?;
        let word = rest.split('#').next()?;
        [Self::Reference, Self::Gone, Self::Claim].into_iter().find(|kind| kind.word() == word)
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
pub fn gone_key(model: &Model, of: &Object) -> Key {
    Key { pk: partition(model, Kind::Gone, of), sk: GONE_SK.to_owned() }
}

/// Where the work below an object stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Job {
    /// Which pass is next. It starts at 1.
    pub pass: u64,
    /// Whether the object was gone when the place below was noted: that of a cascade says nothing of one that ensures.
    pub gone: bool,
    /// Place in the model of the link to go on with.
    pub link: usize,
    /// Key attributes of the last row that was seen.
    pub cursor: Option<BTreeMap<String, Value>>,
    /// Not before this moment (epoch milliseconds): a last pass waits until indexes have caught up.
    pub not_before_ms: Option<i64>,
}

/// The tombstone of an object, with a job while there is work left.
#[must_use]
pub fn tombstone(model: &Model, key: &Key, object: &Object, removed_at: Timestamp, job: Option<&Job>) -> Item {
    let expires = removed_at.as_second().saturating_add(TOMBSTONE_SECONDS);
    let mut fields = vec![
        ("state", Value::S(if job.is_some() { "open" } else { "done" }.to_owned())),
        ("removedAt", Value::S(removed_at.to_string())),
    ];
    if let Some(job) = job {
        fields.push(("pass", Value::N(job.pass.to_string())));
        fields.push(("gone", Value::Bool(job.gone)));
        fields.push(("link", Value::N(job.link.to_string())));
        if let Some(cursor) = &job.cursor {
            fields.push(("cursor", Value::M(cursor.clone())));
        }
        if let Some(at) = job.not_before_ms {
            fields.push(("notBefore", Value::N(at.to_string())));
        }
    }
    let mut item = item(model, key, object, fields);
    // Time to live takes no work that is not done.
    if job.is_none() {
        item.insert(model.table.ttl.clone(), Value::N(expires.to_string()));
    }
    item
}

/// The open job of a tombstone, and when its object was removed.
#[must_use]
pub fn job(item: &Item) -> Option<(Job, Timestamp)> {
    let item = fields(item)?;
    let number = |name: &str| match item.get(name) {
        Some(Value::N(text)) => text.parse::<i64>().ok(),
        Some(_) | None => None,
    };
    if item.get("state").and_then(Value::as_s) != Some("open") {
        return None;
    }
    let cursor = match item.get("cursor") {
        Some(Value::M(map)) => Some(map.clone()),
        Some(_) | None => None,
    };
    let job = Job {
        pass: u64::try_from(number("pass")?).ok()?,
        gone: item.get("gone") == Some(&Value::Bool(true)),
        link: usize::try_from(number("link")?).ok()?,
        cursor,
        not_before_ms: number("notBefore"),
    };
    Some((job, item.get("removedAt")?.as_s()?.parse().ok()?))
}

/// When an object was removed last, as its tombstone and a record say: a record of an earlier removal says nothing new.
#[must_use]
pub fn latest_removal(tombstone: Option<&Item>, removed_at: Timestamp) -> Timestamp {
    tombstone.and_then(self::removed_at).map_or(removed_at, |before| before.max(removed_at))
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
