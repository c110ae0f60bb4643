//! Decode: a raw stream record and the model give a typed change, or an error of that record alone.

use std::sync::Arc;

use instep_contract::Cause;
use instep_model::{Identity, Item, Key, Model, Object, Table, Value};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{mask, valid};

/// What a record means.
#[derive(Debug)]
pub enum Decoded {
    /// An item that the model describes was written.
    Change(Arc<Change>),
    /// An item was written that gave nothing and is gone: its events are all that is left to do.
    Told(Arc<Change>),
    /// One of Instep's own bookkeeping items was written.
    Bookkeeping(Box<BookkeepingChange>),
    /// Nothing follows from it.
    Nothing(&'static str),
}

/// A write to an item that the model describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The item.
    pub object: Object,
    /// Its key, as written.
    pub key: Key,
    /// The item before; none where it was created.
    pub old: Option<Item>,
    /// The item after; none where it was deleted.
    pub new: Option<Item>,
    /// The record's sequence number.
    pub sequence: String,
    /// When the table was written, as the record says.
    pub recorded_at: Option<Timestamp>,
    /// Why.
    pub cause: Cause,
    /// Objects worth saying.
    pub notes: Vec<String>,
}

/// A write to a bookkeeping item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookkeepingChange {
    /// Its key.
    pub key: Key,
    /// The item after; none where it was deleted.
    pub new: Option<Item>,
}

/// Why a record cannot be used. Running it again would not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Reject {
    /// A stable code.
    pub code: &'static str,
    /// What is wrong and how to mend it. Holds no attribute values.
    pub reason: String,
    /// The change, where the record was understood and only what it asks for cannot be done.
    pub change: Option<Arc<Change>>,
    /// The item's key, where what is under it now can tell whether the record still matters.
    pub key: Option<Key>,
}

/// The code of a key that would share its Cognito name with another item's.
pub const NOT_CANONICAL: &str = "key-not-canonical";

impl Reject {
    /// The change, where what was touched is still to be brought in step with the truth: an item that asks for something
    /// impossible gives nothing, but what it gave before must go. Not that of a key in the place of another: what it touches
    /// is the other's.
    #[must_use]
    pub fn to_reconcile(&self) -> Option<&Arc<Change>> {
        self.change.as_ref().filter(|_| self.code != NOT_CANONICAL)
    }

    /// What the record means where what it asked for has been mended since: the item is gone, or is one that can be served.
    /// `present` is what is under [`Reject::key`] now.
    ///
    /// # Errors
    /// The rejection, which still holds.
    pub fn mended(mut self, model: &Model, present: Option<&Item>) -> Result<Decoded, Self> {
        match (self.change.take(), present) {
            (None, None) if self.key.is_some() => Ok(Decoded::Nothing("the item is gone, which nobody knew")),
            (Some(change), None) if self.code == NOT_CANONICAL => Ok(Decoded::Told(change)),
            (Some(change), present) if self.code != NOT_CANONICAL => {
                let now = Change { new: present.cloned(), ..(*change).clone() };
                match valid::change(model, &now, true) {
                    Ok(()) => Ok(Decoded::Change(change)),
                    Err(_) => Err(Self { change: Some(change), ..self }),
                }
            }
            (change, _) => Err(Self { change, ..self }),
        }
    }

    /// A rejection of a record that was not understood.
    pub(crate) fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), change: None, key: None }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    event_name: Option<String>,
    dynamodb: Option<Body>,
    #[serde(default)]
    user_identity: Option<UserIdentity>,
    #[serde(rename = "eventSourceARN")]
    source_arn: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Body {
    keys: Option<Item>,
    new_image: Option<Item>,
    old_image: Option<Item>,
    sequence_number: Option<String>,
    approximate_creation_date_time: Option<serde_json::Number>,
}

// Lambda spells these in camel case, GetRecords in Pascal case; captures hold both.
#[derive(Deserialize)]
struct UserIdentity {
    #[serde(alias = "PrincipalId", rename = "principalId", default)]
    principal_id: Option<String>,
    #[serde(alias = "Type", rename = "type", default)]
    kind: Option<String>,
}

/// The principal that DynamoDB names in the record of a time-to-live deletion, and its type.
/// Source: DynamoDB developer guide, "DynamoDB Streams and Time to Live".
const TTL_PRINCIPAL: (&str, &str) = ("dynamodb.amazonaws.com", "Service");

/// From here on a record's time is in milliseconds, below it in seconds (1e11 seconds is the year 5138).
const MILLISECONDS_FROM: f64 = 1e11;

/// Decodes one record of the table named `table` (none: any table).
///
/// # Errors
/// A [`Reject`] says what is wrong with this record; it says nothing of any other.
pub fn decode(model: &Model, table: Option<&str>, raw: &RawValue) -> Result<Decoded, Reject> {
    let envelope: Envelope =
        serde_json::from_str(raw.get()).map_err(|error| Reject::new("malformed-record", not_a_record(&error)))?;
    if let (Some(table), Some(arn)) = (table, &envelope.source_arn)
        && let Some(other) = table_of(arn)
        && other != table
    {
        let reason =
            format!("the record is from table `{other}`, not from `{table}`: send it to the Instep of its own table");
        return Err(Reject::new("other-table", reason));
    }
    let ttl = envelope.user_identity.as_ref().is_some_and(|identity| {
        identity.principal_id.as_deref() == Some(TTL_PRINCIPAL.0) && identity.kind.as_deref() == Some(TTL_PRINCIPAL.1)
    });
    let body =
        envelope.dynamodb.ok_or_else(|| Reject::new("malformed-record", "the record has no `dynamodb` object"))?;
    let (old, new) = images(envelope.event_name.as_deref(), body.old_image, body.new_image)?;
    let key = key_of(model, body.keys, old.as_ref(), new.as_ref())?;
    if mask::is_masked(&key) {
        let reason = "the record was parked without its key, which the model keeps secret: it cannot be run from here; \
                      write the item again, or remove it";
        return Err(Reject::new("masked", reason));
    }
    if old == new {
        return Ok(Decoded::Nothing("the write changed nothing"));
    }
    for image in old.iter().chain(new.iter()) {
        valid::numbers(image)?;
    }
    let (object, canonical) = match model.identify(&key) {
        Identity::Item { object, canonical } => (object, canonical),
        Identity::Bookkeeping => return Ok(Decoded::Bookkeeping(Box::new(BookkeepingChange { key, new }))),
        Identity::Unknown { near, name, forged } => {
            return unknown(model, near, name, forged).map_err(|reject| Reject { key: Some(key), ..reject });
        }
    };
    if !canonical && new.is_none() {
        return Ok(Decoded::Nothing("an item went whose key was not canonical: nothing was given for it"));
    }
    let sequence = body.sequence_number.filter(|text| !text.is_empty()).ok_or_else(|| {
        Reject::new("missing-sequence", "the record has no `SequenceNumber`: its events would have no stable id")
    })?;
    if !is_sequence(&sequence) {
        return Err(Reject::new("malformed-record", "`SequenceNumber` is not a number of up to 40 digits"));
    }
    let mut change = Change {
        notes: type_note(model, &object, new.as_ref().or(old.as_ref())),
        object,
        key,
        old,
        new,
        sequence,
        recorded_at: body.approximate_creation_date_time.and_then(|number| moment(&number)),
        cause: if ttl { Cause::Ttl } else { Cause::Write },
    };
    mask_secrets(model, &mut change);
    match valid::change(model, &change, canonical) {
        Ok(()) => Ok(Decoded::Change(Arc::new(change))),
        Err(reject) => Err(Reject { key: Some(change.key.clone()), change: Some(Arc::new(change)), ..reject }),
    }
}

/// Why a text is no record. INVARIANT 9: serde_json quotes a value that is of another type than was asked for; this does not.
#[must_use]
pub fn not_a_record(error: &serde_json::Error) -> String {
    if error.is_data() {
        let (line, column) = (error.line(), error.column());
        return format!(
            "not a DynamoDB stream record: what ends at line {line}, column {column} is not what stands there in one"
        );
    }
    format!("not a DynamoDB stream record: {error}")
}

/// The key of a record; none where it cannot be read.
#[must_use]
pub fn key(table: &Table, raw: &RawValue) -> Option<Key> {
    #[derive(Deserialize)]
    struct Envelope {
        dynamodb: Body,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Body {
        keys: Item,
    }
    table.key_of(&serde_json::from_str::<Envelope>(raw.get()).ok()?.dynamodb.keys)
}

/// When the table was written, as a record says; none where it does not, or cannot be read.
#[must_use]
pub fn recorded_at(raw: &RawValue) -> Option<Timestamp> {
    #[derive(Deserialize)]
    struct Envelope {
        dynamodb: Body,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Body {
        approximate_creation_date_time: serde_json::Number,
    }
    moment(&serde_json::from_str::<Envelope>(raw.get()).ok()?.dynamodb.approximate_creation_date_time)
}

/// Whether a text is a sequence number. Source: DynamoDB Streams API reference, StreamRecord.
fn is_sequence(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A record's sequence number; none where it has none that can be read.
#[must_use]
pub fn sequence(raw: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Envelope {
        dynamodb: Body,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Body {
        sequence_number: String,
    }
    let sequence = serde_json::from_str::<Envelope>(raw.get()).ok()?.dynamodb.sequence_number;
    is_sequence(&sequence).then_some(sequence)
}

/// The table's name in a stream's ARN (`arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`).
#[must_use]
pub fn table_of(arn: &str) -> Option<&str> {
    arn.split(":table/").nth(1)?.split('/').next()
}

fn images(name: Option<&str>, old: Option<Item>, new: Option<Item>) -> Result<(Option<Item>, Option<Item>), Reject> {
    // Some libraries write an absent image as an empty one.
    let old = old.filter(|image| !image.is_empty());
    let new = new.filter(|image| !image.is_empty());
    let missing = |which: &str, name: &str| {
        let reason = format!("the {name} record has no {which}: the stream's view type must be NEW_AND_OLD_IMAGES");
        Err(Reject::new("missing-image", reason))
    };
    match name {
        Some("INSERT") => match new {
            Some(new) => Ok((None, Some(new))),
            None => missing("NewImage", "INSERT"),
        },
        Some("MODIFY") => match (old, new) {
            (Some(old), Some(new)) => Ok((Some(old), Some(new))),
            (None, _) => missing("OldImage", "MODIFY"),
            (Some(_), None) => missing("NewImage", "MODIFY"),
        },
        Some("REMOVE") => match old {
            Some(old) => Ok((Some(old), None)),
            None => missing("OldImage", "REMOVE"),
        },
        Some(_) => Err(Reject::new("malformed-record", "`eventName` is none of INSERT, MODIFY, REMOVE")),
        None => Err(Reject::new("malformed-record", "the record has no `eventName`")),
    }
}

fn key_of(model: &Model, keys: Option<Item>, old: Option<&Item>, new: Option<&Item>) -> Result<Key, Reject> {
    let keys = keys.ok_or_else(|| Reject::new("malformed-record", "the record has no `Keys`"))?;
    let part = |name: &str| -> Result<String, Reject> {
        let value = keys.get(name).ok_or_else(|| {
            let reason = format!("`Keys` has no `{name}`: is this a record of the table that the model describes?");
            Reject::new("other-table", reason)
        })?;
        let text = value.as_s().ok_or_else(|| {
            Reject::new("wrong-type", format!("key attribute `{name}` is of type {}, not S", value.type_name()))
        })?;
        for image in old.iter().chain(new.iter()) {
            if image.get(name) != Some(value) {
                let reason = format!("`{name}` in an image differs from `{name}` in `Keys`");
                return Err(Reject::new("forged-key", reason));
            }
        }
        Ok(text.to_owned())
    };
    Ok(Key { pk: part(&model.table.pk)?, sk: part(&model.table.sk)? })
}

fn unknown(model: &Model, near: Option<String>, name: Option<String>, forged: bool) -> Result<Decoded, Reject> {
    let near = near.unwrap_or_default();
    if forged {
        let name = name.unwrap_or_default();
        let reason = format!(
            "the key is like that of a {near}, but its `{name}` holds a character that would let it pass for another: \
             write the item under an id without it"
        );
        return Err(Reject::new("forged-key", reason));
    }
    match model.table.unknown {
        instep_model::Unknown::Skip => Ok(Decoded::Nothing("no item type of the model has such a key")),
        instep_model::Unknown::Park => {
            let near = if near.is_empty() { String::new() } else { format!(" ({near} comes nearest)") };
            let reason = format!(
                "no item type of the model has such a key{near}: add one, or say `unknown = \"skip\"` under [table]"
            );
            Err(Reject::new("unknown-item", reason))
        }
    }
}

/// A record's time: whole seconds from DynamoDB; fractions or milliseconds in captures from elsewhere.
fn moment(number: &serde_json::Number) -> Option<Timestamp> {
    let value = number.as_f64()?;
    let seconds = if value >= MILLISECONDS_FROM { value / 1000.0 } else { value };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "milliseconds of any date fit; beyond, the cast saturates and the date is refused"
    )]
    Timestamp::from_millisecond((seconds * 1000.0).round() as i64).ok()
}

fn type_note(model: &Model, object: &Object, image: Option<&Item>) -> Vec<String> {
    let ty = model.item(object.of);
    let Some(attribute) = &model.table.type_attribute else { return Vec::new() };
    match image.and_then(|image| image.get(attribute)).and_then(Value::as_s) {
        Some(text) if !ty.type_values.iter().any(|value| value == text) => {
            vec![format!("`{attribute}` disagrees with the key, which is that of a {}; the key decides", ty.name)]
        }
        Some(_) | None => Vec::new(),
    }
}

/// Attributes that the model calls secret are removed here: nothing downstream can show what it does not have.
fn mask_secrets(model: &Model, change: &mut Change) {
    for image in change.old.iter_mut().chain(change.new.iter_mut()) {
        image.retain(|name, _| !model.secret.contains(name));
    }
}

/// An item as the images of a change show it.
pub(crate) fn without_secrets(model: &Model, item: &Item) -> Item {
    item.iter()
        .filter(|(name, _)| !model.secret.contains(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
