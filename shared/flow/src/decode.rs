//! Decode: a raw stream record and the model give a typed change, or an error of that record alone.

use std::sync::Arc;

use instep_contract::Cause;
use instep_model::{Differs, Identity, Item, Key, Model, Near, Object, Value};
use serde_json::value::RawValue;

pub use crate::change::{BookkeepingChange, Change, Decoded, NOT_CANONICAL, Reject};
use crate::stream_record::{RecordKind, StreamRecord, is_sequence};
use crate::table_id::TableId;
use crate::{secrets, valid};

impl Reject {
    /// The change, if what it touched must still be reconciled: an item that asks for something
    /// impossible grants nothing, but what it granted before must be removed. `None` for a new item whose key is not
    /// canonical: nothing was made of it.
    #[must_use]
    pub fn to_reconcile(&self) -> Option<&Arc<Change>> {
        self.change.as_ref().filter(|change| self.code != NOT_CANONICAL || change.old.is_some())
    }

    /// What the record means if its item was fixed since: it was deleted, or asks for nothing
    /// impossible any more. `present` is the item that is under [`Reject::key`] now.
    ///
    /// INVARIANT 1: a record that the model does not understand stays rejected, although its item is gone: the record
    /// may be that of the deletion, or the only one that shows what an item granted.
    ///
    /// # Errors
    /// The same rejection, if the item was not fixed.
    pub fn fixed(mut self, model: &Model, present: Option<&Item>) -> Result<Decoded, Self> {
        match (self.change.take(), present) {
            (Some(change), present) if self.code != NOT_CANONICAL || present.is_none() => {
                let now = Change { new: present.cloned(), ..(*change).clone() };
                match valid::change(model, &now, true) {
                    Ok(()) => Ok(Decoded::Change(change)),
                    Err(_) => Err(Self { change: Some(change), ..self }),
                }
            }
            (change, _) => Err(Self { change, ..self }),
        }
    }
}

/// Decodes one record of `table`, which is a name or an ARN. `None` accepts records of any table.
///
/// # Errors
/// A [`Reject`] says what is wrong with this record, and concerns no other record.
pub fn decode(model: &Model, table: Option<&str>, raw: &RawValue) -> Result<Decoded, Reject> {
    self::record(model, table, StreamRecord::parse(raw))
}

/// Decodes a record that is parsed already.
pub(crate) fn record(model: &Model, table: Option<&str>, record: StreamRecord) -> Result<Decoded, Reject> {
    let is_ttl = record.is_ttl();
    let recorded_at = record.recorded_at();
    if let Some(reason) = record.malformed {
        return Err(Reject::new("malformed-record", reason));
    }
    is_of(table, record.table.as_ref())?;
    if !record.has_body {
        return Err(Reject::new("malformed-record", "the record has no `dynamodb` object"));
    }
    let (old, new) = images(record.event, record.old, record.new)?;
    let key = key_of(model, record.keys, old.as_ref(), new.as_ref())?;
    if secrets::is_masked(&key) {
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
        Identity::Unknown(near) => return unknown(model, near.as_ref()),
    };
    let sequence = record.sequence_number.filter(|text| !text.is_empty()).ok_or_else(|| {
        Reject::new("missing-sequence", "the record has no `SequenceNumber`: its events would have no stable id")
    })?;
    if !is_sequence(&sequence) {
        return Err(Reject::new("malformed-record", "`SequenceNumber` is not a number of up to 40 digits"));
    }
    let change = Change {
        notes: type_note(model, &object, new.as_ref().or(old.as_ref())),
        object,
        key,
        old,
        new,
        epoch: record.epoch,
        sequence,
        recorded_at,
        cause: if is_ttl { Cause::Ttl } else { Cause::Write },
    };
    // Only an item that exists can have a name of another. INVARIANT 1: of a deleted one, what an earlier model made is
    // taken back.
    match valid::change(model, &change, canonical || change.new.is_none()) {
        Ok(()) => Ok(Decoded::Change(Arc::new(change))),
        Err(reject) => Err(Reject { key: Some(change.key.clone()), change: Some(Arc::new(change)), ..reject }),
    }
}

/// A table of the same name in another account or region is another table.
fn is_of(table: Option<&str>, own: Option<&TableId>) -> Result<(), Reject> {
    match (table, own) {
        (Some(table), Some(own)) if !TableId::parse(table).is_some_and(|table| table.may_be(own)) => {
            let fix = "send it to the Instep of its own table";
            Err(Reject::new("other-table", format!("the record is from table `{own}`, not from `{table}`: {fix}")))
        }
        (_, _) => Ok(()),
    }
}

fn images(
    event: Option<Result<RecordKind, String>>,
    old: Option<Item>,
    new: Option<Item>,
) -> Result<(Option<Item>, Option<Item>), Reject> {
    let missing = |which: &str, name: &str| {
        let reason = format!("the {name} record has no {which}: the stream's view type must be NEW_AND_OLD_IMAGES");
        Err(Reject::new("missing-image", reason))
    };
    match event {
        Some(Ok(RecordKind::Insert)) => match new {
            Some(new) => Ok((None, Some(new))),
            None => missing("NewImage", "INSERT"),
        },
        Some(Ok(RecordKind::Modify)) => match (old, new) {
            (Some(old), Some(new)) => Ok((Some(old), Some(new))),
            (None, _) => missing("OldImage", "MODIFY"),
            (Some(_), None) => missing("NewImage", "MODIFY"),
        },
        Some(Ok(RecordKind::Remove)) => match old {
            Some(old) => Ok((Some(old), None)),
            None => missing("OldImage", "REMOVE"),
        },
        Some(Err(_)) => Err(Reject::new("malformed-record", "`eventName` is not INSERT, MODIFY or REMOVE")),
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

pub(crate) fn unknown(model: &Model, near: Option<&Near>) -> Result<Decoded, Reject> {
    if let Some(near @ Near { differs: Differs::Forged { name, character, .. }, .. }) = near {
        let fix =
            format!("write the item under a `{name}` without it, or put another character than `{character}` there");
        return Err(Reject::new("forged-key", format!("{near}: {fix}")));
    }
    let is_case = matches!(near, Some(Near { differs: Differs::Case { .. }, .. }));
    match model.table.unknown {
        instep_model::Unknown::Skip if is_case => {
            Ok(Decoded::Nothing("no item type of the model has such a key, but one has it in another case"))
        }
        instep_model::Unknown::Skip => Ok(Decoded::Nothing("no item type of the model has such a key")),
        instep_model::Unknown::Park => {
            let near = near.map(|near| format!(" ({near})")).unwrap_or_default();
            let fix = if is_case { "write both alike" } else { "add one" };
            let reason = format!(
                "no item type of the model has such a key{near}: {fix}, or say `unknown = \"skip\"` under [table]"
            );
            Err(Reject::new("unknown-item", reason))
        }
    }
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
