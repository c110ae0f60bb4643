//! Instep's own items in the table: back-references, addresses, tombstones, pending claims, groups that were
//! created on demand, moments that are still to come, and which Cognito users serve which objects. The key of each
//! follows from the identity of its object, so writing an item twice is the same as writing it once. The limit of
//! deletions and the models that were deployed have modules of their own.

use std::collections::BTreeMap;

use instep_model::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Item, Key, Model, Names, Object, ToDependents, Value};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::due::{Moment, MomentKind};
use crate::implied;
use crate::known_names::addressed;
use crate::stream_record::RecordPlace;
use crate::table_write::Expect;

/// Sort key of a tombstone.
const TOMBSTONE_SK: &str = "GONE";

/// The only attribute of a bookkeeping item besides its key and its TTL. Without other attributes,
/// no bookkeeping item is in a secondary index.
pub const FIELDS: &str = BOOKKEEPING_ATTRIBUTE;

/// The longest readable text of an identity in a key. A longer one is hashed. A sort key has at
/// most 1,024 bytes. Source: Amazon DynamoDB Developer Guide, "Service, account, and table quotas".
const IDENTITY_MAX_BYTES: usize = 900;

/// The longest image in the item of a moment, in bytes of its JSON form. An item has at most 400 KB (source: as
/// above), and a message on the work queue has up to 25 moments.
const NOTED_BYTES_MAX: usize = 64 * 1024;

/// The levels of maps and lists in a value that fits into a bookkeeping item. An attribute has at most 32. Source:
/// as above.
const NESTING_MAX: usize = 28;

/// The field of a tombstone that keeps the deleted item.
pub(crate) const DELETED_ITEM: &str = "item";

/// The field of a tombstone with the time when it was written.
const BEGUN: &str = "begunAt";

/// The field of a group's item with the time when the group was created.
const CREATED: &str = "created";

/// The field with the fingerprint of the model under which the item was written.
pub const MODEL: &str = "model";

/// How long a tombstone is kept: longer than any record can be handled again. A record spends a day in
/// the stream, 75 days in the bucket of failed batches, where S3 deletes it up to a day late, 14 days as
/// a work message, and 14 days as a parked record (`GivenUpRetentionDays` in the template).
pub const TOMBSTONE_SECONDS: i64 = 105 * 24 * 60 * 60;

/// The kind of a bookkeeping item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookkeepingKind {
    /// `INSTEP#REF#…`: a back-reference, from an object to an item that refers to it.
    Reference,
    /// `INSTEP#AT#…`: an address, from some names of an object's key to the object.
    Address,
    /// `INSTEP#GONE#…`: a tombstone. It records when an object was deleted, and the item of a
    /// subject that a last revocation deleted.
    Tombstone,
    /// `INSTEP#CLAIM#…`: a pending claim, of an owner whose value another owner has.
    Claim,
    /// `INSTEP#GROUP#…`: a Cognito group that was created on demand, under an object with which it
    /// is deleted.
    Group,
    /// `INSTEP#DUE#…`: a moment that is still to come.
    Due,
    /// `INSTEP#ACCOUNT#…`: which Cognito user serves an object whose user Instep creates.
    Account,
    /// `INSTEP#LIMIT`: how many users are deleted in an hour, and whether that was stopped.
    Limit,
    /// `INSTEP#MODEL`: the models that were deployed, and which of them is.
    Model,
}

impl BookkeepingKind {
    const ALL: [Self; 9] = [
        Self::Reference,
        Self::Address,
        Self::Tombstone,
        Self::Claim,
        Self::Group,
        Self::Due,
        Self::Account,
        Self::Limit,
        Self::Model,
    ];

    /// The word for the kind in keys.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reference => "REF",
            Self::Address => "AT",
            Self::Tombstone => "GONE",
            Self::Claim => "CLAIM",
            Self::Group => "GROUP",
            Self::Due => "DUE",
            Self::Account => "ACCOUNT",
            Self::Limit => "LIMIT",
            Self::Model => "MODEL",
        }
    }

    /// The kind of a bookkeeping key.
    #[must_use]
    pub fn of(key: &Key) -> Option<Self> {
        let rest = key.pk.strip_prefix(BOOKKEEPING_PREFIX)?;
        let word = rest.split('#').next()?;
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The partition of an object's bookkeeping items of one kind.
#[must_use]
pub fn partition(model: &Model, kind: BookkeepingKind, of: &Object) -> String {
    format!("{BOOKKEEPING_PREFIX}{}#{}", kind.word(), identity(model, of))
}

/// An identity as a text. No other identity has the same text.
fn identity(model: &Model, object: &Object) -> String {
    let mut text = model.item(object.of).stable_name().to_owned();
    for (name, value) in &object.names {
        // That of a value begins with it.
        if !name.starts_with('/') {
            text.push('/');
        }
        text.push_str(name);
        text.push('=');
        // `%` and `/` are escaped, so that no value can contain the separator.
        if value.contains(['%', '/']) {
            text.push_str(&value.replace('%', "%25").replace('/', "%2F"));
        } else {
            text.push_str(value);
        }
    }
    if text.len() <= IDENTITY_MAX_BYTES {
        return text;
    }
    let hash = Sha256::digest(text.as_bytes());
    format!("{}/~{}", model.item(object.of).stable_name(), hex(&hash))
}

/// Whether the key of a bookkeeping item contains the names of an item that is secret.
#[must_use]
pub(crate) fn names_a_secret(model: &Model, key: &Key) -> bool {
    // The identity of the object that a partition is of, that of an item that refers to it, and that of a moment.
    let of_partition = key.pk.splitn(3, '#').nth(2);
    let identities = of_partition.into_iter().chain([key.sk.as_str()]).chain(key.sk.splitn(3, '/').nth(2));
    let types = || model.items.iter().filter(|ty| ty.secret);
    let is_of = |identity: &str, name: &str| identity.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    identities.into_iter().any(|identity| types().any(|ty| is_of(identity, ty.stable_name())))
}

/// Whether a bookkeeping item was written under a model with another fingerprint.
#[must_use]
pub fn is_of_another_model(model: &Model, item: &Item) -> bool {
    let written = fields(item).and_then(|fields| fields.get(MODEL)).and_then(Value::as_s);
    written.is_some_and(|written| written != model.fingerprint())
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

/// The key of the back-reference that shows that the item `from` refers to `to`.
#[must_use]
pub fn reference_key(model: &Model, to: &Object, from: &Object) -> Key {
    Key { pk: partition(model, BookkeepingKind::Reference, to), sk: identity(model, from) }
}

/// The back-reference from `to` to `from`, which refers to it.
#[must_use]
pub fn reference(model: &Model, to: &Object, from: &Object) -> (Key, Item) {
    let key = reference_key(model, to, from);
    let item = item(model, &key, from, []);
    (key, item)
}

/// The address that leads from `known`, which has some names of the key of `object`, to `object`.
#[must_use]
pub fn address(model: &Model, known: &Object, object: &Object) -> (Key, Item) {
    let key = Key { pk: partition(model, BookkeepingKind::Address, known), sk: identity(model, object) };
    let item = item(model, &key, object, []);
    (key, item)
}

/// The back-references and addresses that an item needs, each with what it leads from.
#[must_use]
pub fn references(model: &Model, object: &Object, item: &Item) -> BTreeMap<Key, (Object, Item)> {
    let links = model.links_from(object.of).filter(|(_, link)| matches!(link.find, ToDependents::BackReference));
    let targets = links.flat_map(|(id, _)| implied::targets(model, id, object, Some(item)));
    let back = targets.map(|target| (reference(model, &target, object), target));
    let addresses = addressed(model, object).into_iter().map(|known| (address(model, &known, object), known));
    back.chain(addresses).map(|((key, item), from)| (key, (from, item))).collect()
}

/// The key of a deleted object's tombstone.
#[must_use]
pub fn tombstone_key(model: &Model, of: &Object) -> Key {
    Key { pk: partition(model, BookkeepingKind::Tombstone, of), sk: TOMBSTONE_SK.to_owned() }
}

/// The tombstone of an object that was deleted at `removed_at`, written at `now`: then its cascade begins. `deleted`
/// is the item of a subject that a last revocation deleted: Instep may have to restore it.
#[must_use]
pub fn tombstone(
    model: &Model,
    key: &Key,
    object: &Object,
    removed_at: Timestamp,
    now: Timestamp,
    deleted: Option<&Item>,
) -> Item {
    let expires = removed_at.as_second().saturating_add(TOMBSTONE_SECONDS);
    let mut fields = vec![("removedAt", Value::S(removed_at.to_string())), (BEGUN, Value::S(now.to_string()))];
    fields.extend(deleted.map(|item| (DELETED_ITEM, Value::M(item.clone()))));
    let mut item = item(model, key, object, fields);
    item.insert(model.table.ttl.clone(), Value::N(expires.to_string()));
    item
}

/// The item that a tombstone keeps: that of a subject that a last revocation deleted.
#[must_use]
pub fn deleted_item(tombstone: &Item) -> Option<&Item> {
    map(fields(tombstone)?.get(DELETED_ITEM)?)
}

/// The condition that a bookkeeping item is unchanged since it was read.
#[must_use]
pub fn as_read(read: Option<&Item>) -> Expect {
    match read.and_then(|item| item.get(FIELDS)) {
        Some(fields) => Expect::Like(BTreeMap::from([(FIELDS.to_owned(), Some(fields.clone()))])),
        None => Expect::Absent,
    }
}

/// When the object of a tombstone was deleted.
#[must_use]
pub fn removed_at(item: &Item) -> Option<Timestamp> {
    fields(item)?.get("removedAt")?.as_s()?.parse().ok()
}

/// When the cascade of a tombstone began.
pub(crate) fn begun_at(item: &Item) -> Option<Timestamp> {
    fields(item)?.get(BEGUN)?.as_s()?.parse().ok()
}

/// The key of the pending claim of `owner` to the value of `guard`.
#[must_use]
pub fn claim_key(model: &Model, guard: &Object, owner: &Object) -> Key {
    Key { pk: partition(model, BookkeepingKind::Claim, guard), sk: identity(model, owner) }
}

/// The pending claim of `owner` to the value of `guard`. It is pending since `since`.
#[must_use]
pub fn claim(model: &Model, guard: &Object, owner: &Object, since: Timestamp) -> (Key, Item) {
    let key = claim_key(model, guard, owner);
    let fields = [
        ("since", Value::S(since.to_string())),
        ("guard", Value::S(model.item(guard.of).stable_name().to_owned())),
        ("guardNames", names_value(&guard.names)),
    ];
    let item = item(model, &key, owner, fields);
    (key, item)
}

/// The bookkeeping items by which the parents of a group find it that is created on demand. With
/// each parent come the names by which an index leads to it, if only an index does. All items of a
/// group are alike, and each creation of the group has its own.
#[must_use]
pub fn groups(
    model: &Model,
    group: &str,
    parents: Vec<(Object, Option<Names>)>,
    created: Timestamp,
) -> BTreeMap<Key, Item> {
    let as_value = |(parent, names): &(Object, Option<Names>)| {
        let mut fields = BTreeMap::from([
            ("of".to_owned(), Value::S(model.item(parent.of).stable_name().to_owned())),
            ("names".to_owned(), names_value(&parent.names)),
        ]);
        fields.extend(names.as_ref().map(|names| ("by".to_owned(), names_value(names))));
        Value::M(fields)
    };
    let listed = Value::L(parents.iter().map(as_value).collect());
    let Some(first) = parents.first().map(|(parent, _)| parent.clone()) else { return BTreeMap::new() };
    let entry = |parent: &Object| {
        let key = group_key(model, parent, group);
        let fields = [(CREATED, Value::S(created.to_string())), ("parents", listed.clone())];
        let item = item(model, &key, &first, fields);
        (key, item)
    };
    parents.iter().map(|(parent, _)| entry(parent)).collect()
}

/// When the group of a bookkeeping item was created.
#[must_use]
pub fn created(row: &Item) -> Option<String> {
    fields(row)?.get(CREATED)?.as_s().map(str::to_owned)
}

fn group_key(model: &Model, parent: &Object, group: &str) -> Key {
    Key { pk: partition(model, BookkeepingKind::Group, parent), sk: group.to_owned() }
}

/// The keys of all bookkeeping items of the group of one of them.
pub(crate) fn group_keys(model: &Model, row: &Item) -> Vec<Key> {
    let Some(key) = model.table.key_of(row) else { return Vec::new() };
    group_parents(model, row).map(|(parent, _)| group_key(model, &parent, &key.sk)).chain([key.clone()]).collect()
}

/// The names by which an index leads to one of the parents of a group.
pub(crate) fn found_by(model: &Model, row: &Item, parent: &Object) -> Option<Names> {
    group_parents(model, row).find(|(other, _)| other == parent).and_then(|(_, names)| names)
}

fn group_parents(model: &Model, row: &Item) -> impl Iterator<Item = (Object, Option<Names>)> {
    let listed = fields(row).and_then(|fields| match fields.get("parents") {
        Some(Value::L(listed)) => Some(listed),
        Some(_) | None => None,
    });
    listed.into_iter().flatten().filter_map(|listed| {
        let listed = map(listed)?;
        let of = model.type_named(listed.get("of")?.as_s()?)?;
        let parent = Object { of, names: names(listed.get("names")?)? };
        Some((parent, listed.get("by").and_then(names)))
    })
}

/// The partitions of the moments that are still to come. Their number spreads many items with one
/// moment, and each costs a query a minute: a partition takes 1,000 writes a second, of which a moment
/// needs two. Source: Amazon DynamoDB Developer Guide, "Designing partition keys to distribute your workload".
pub const DUE_SHARDS: u8 = 4;

/// The partition of a shard of the moments.
#[must_use]
pub fn due_partition(shard: u8) -> String {
    format!("{BOOKKEEPING_PREFIX}{}#{shard:02}", BookkeepingKind::Due.word())
}

/// The start of the sort keys of all moments at `at`. As texts they have the order of the times.
#[must_use]
pub fn due_prefix(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%9fZ").to_string()
}

/// When a moment comes, as the key of its item says. `None` if the key is of another item.
#[must_use]
pub fn due_at(key: &Key) -> Option<Timestamp> {
    let (at, _) = key.sk.split_once('/').filter(|_| BookkeepingKind::of(key) == Some(BookkeepingKind::Due))?;
    at.parse().ok()
}

/// What happens at a moment, as the key of its item says.
#[must_use]
pub(crate) fn due_kind(key: &Key) -> Option<MomentKind> {
    let word = key.sk.split('/').nth(1).filter(|_| BookkeepingKind::of(key) == Some(BookkeepingKind::Due))?;
    MomentKind::ALL.into_iter().find(|kind| kind.word() == word)
}

/// The key of an object's moment.
#[must_use]
pub fn due_key(model: &Model, object: &Object, moment: Moment) -> Key {
    let identity = identity(model, object);
    let shard = Sha256::digest(identity.as_bytes()).first().map_or(0, |byte| byte % DUE_SHARDS);
    let sk = format!("{}/{}/{identity}", due_prefix(moment.at), moment.kind.word());
    Key { pk: due_partition(shard), sk }
}

/// The item of an object's moment: what a work message about it has to say. `place` is that of the
/// last record of the object.
#[must_use]
pub fn due(model: &Model, object: &Object, image: Option<&Item>, moment: Moment, place: &RecordPlace) -> (Key, Item) {
    let key = due_key(model, object, moment);
    let mut fields = vec![
        ("at", Value::S(moment.at.to_string())),
        ("turn", Value::S(moment.kind.word().to_owned())),
        ("epoch", Value::S(place.epoch.clone())),
        ("sequence", Value::S(place.sequence.clone())),
    ];
    let image = image.and_then(|image| noted_image(model, object, image));
    fields.extend(image.map(|image| ("image", Value::M(image))));
    let item = item(model, &key, object, fields);
    (key, item)
}

/// What the item of a moment has of an image. `None` if that is too large for it. Then the run over the moment
/// goes by the present item alone. INVARIANT 1: a moment is noted, however large its item is.
pub(crate) fn noted_image(model: &Model, object: &Object, image: &Item) -> Option<Item> {
    Some(implied::needed_image(model, object, image)).filter(|image| fits(image, NOTED_BYTES_MAX))
}

/// The image in the item of a moment.
pub(crate) fn image_of_moment(fields: &BTreeMap<String, Value>) -> Option<Item> {
    // An earlier version of Instep noted images of any size.
    fields.get("image").and_then(map).filter(|image| fits(image, NOTED_BYTES_MAX)).cloned()
}

/// Whether a bookkeeping item can contain this, if it may have so many bytes in its JSON form.
pub(crate) fn fits(contained: &Item, bytes_max: usize) -> bool {
    contained.values().all(|value| is_flat(value, NESTING_MAX))
        && serde_json::to_vec(contained).is_ok_and(|bytes| bytes.len() <= bytes_max)
}

/// Whether a value has at most so many levels of maps and lists.
fn is_flat(value: &Value, levels: usize) -> bool {
    let are_flat = |inner: &Value| levels > 0 && is_flat(inner, levels - 1);
    match value {
        Value::L(elements) => elements.iter().all(are_flat),
        Value::M(members) => members.values().all(are_flat),
        Value::S(_)
        | Value::N(_)
        | Value::B(_)
        | Value::Bool(_)
        | Value::Null(_)
        | Value::Ss(_)
        | Value::Ns(_)
        | Value::Bs(_) => true,
    }
}

/// Since when a claim is pending.
#[must_use]
pub fn since(item: &Item) -> Option<Timestamp> {
    fields(item)?.get("since")?.as_s()?.parse().ok()
}

/// The guard of the value that a pending claim asks for.
#[must_use]
pub fn claimed_guard(model: &Model, item: &Item) -> Option<Object> {
    let item = fields(item)?;
    let of = model.type_named(item.get("guard")?.as_s()?).filter(|of| model.item(*of).guard.is_some())?;
    Some(Object { of, names: names(item.get("guardNames")?)? })
}

/// The object that a bookkeeping item names: the item that refers, the deleted object, or the
/// claimant.
#[must_use]
pub fn object(model: &Model, item: &Item) -> Option<Object> {
    named_object(model, fields(item)?)
}

/// The object that the fields of an item name.
pub(crate) fn named_object(model: &Model, fields: &BTreeMap<String, Value>) -> Option<Object> {
    let of = model.type_named(fields.get("of")?.as_s()?)?;
    Some(Object { of, names: names(fields.get("names")?)? })
}

/// The fields that name an object.
pub(crate) fn names_object(model: &Model, object: &Object) -> BTreeMap<String, Value> {
    let of = Value::S(model.item(object.of).stable_name().to_owned());
    [("of".to_owned(), of), ("names".to_owned(), names_value(&object.names))].into()
}

pub(crate) fn names(value: &Value) -> Option<Names> {
    map(value)?.iter().map(|(name, value)| Some((name.clone(), value.as_s()?.to_owned()))).collect()
}

fn names_value(names: &Names) -> Value {
    Value::M(names.iter().map(|(name, value)| (name.clone(), Value::S(value.clone()))).collect())
}

pub(crate) fn fields(item: &Item) -> Option<&BTreeMap<String, Value>> {
    map(item.get(FIELDS)?)
}

fn map(value: &Value) -> Option<&BTreeMap<String, Value>> {
    if let Value::M(map) = value { Some(map) } else { None }
}

pub(crate) fn item<'a>(
    model: &Model,
    key: &Key,
    of: &Object,
    more: impl IntoIterator<Item = (&'a str, Value)>,
) -> Item {
    let mut fields: BTreeMap<_, _> = more.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    fields.extend(names_object(model, of));
    fields.insert(MODEL.to_owned(), Value::S(model.fingerprint().to_owned()));
    Item::from([
        (model.table.pk.clone(), Value::S(key.pk.clone())),
        (model.table.sk.clone(), Value::S(key.sk.clone())),
        (FIELDS.to_owned(), Value::M(fields)),
    ])
}
