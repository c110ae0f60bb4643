//! What a parked record, a work message and a report may contain of a record: everything that the
//! model does not mark as secret.

use std::collections::BTreeSet;

use instep_model::{Identity, Item, Key, Model, Value as InstepValue};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::secrets::{MASK, is_masked};
use crate::stream_record::StreamRecord;
use crate::{bookkeeping, decode, read};

/// What replaces a secret that a write changed.
const MASK_CHANGED: &str = "*** changed";

/// The parts of a record that contain attributes.
const IMAGES: [&str; 3] = ["Keys", "NewImage", "OldImage"];

/// The record with its secrets masked. Without secrets in the model, the record as it is.
///
/// INVARIANT 9: of a secret item, and of an item that may be one, only attribute names stay.
#[must_use]
pub fn record(model: &Model, raw: &RawValue) -> Box<RawValue> {
    if !has_secrets(model) {
        return raw.to_owned();
    }
    let Ok(json) = serde_json::from_str::<Value>(raw.get()) else { return text(model, raw) };
    let key = StreamRecord::of_json(&json).key(&model.table);
    hidden(model, key.as_ref(), json).unwrap_or_else(|| text(model, raw))
}

/// The record as it is sent to the work queue: with its secret attributes masked. Of a secret item,
/// only the attributes that effects need. INVARIANT 9.
#[must_use]
pub fn for_queue(model: &Model, raw: &RawValue) -> Box<RawValue> {
    if !has_secrets(model) {
        return raw.to_owned();
    }
    let Ok(json) = serde_json::from_str::<Value>(raw.get()) else { return text(model, raw) };
    let record = StreamRecord::of_json(&json);
    let key = record.key(&model.table);
    let identity = key.as_ref().map(|key| model.identify(key));
    let needed = match &identity {
        Some(Identity::Item { object, .. }) => {
            model.item(object.of).secret.then(|| read::attributes_needed(model, object.of))
        }
        // It may be a secret item. A later model that describes it needs only its key.
        Some(Identity::Unknown(_)) => Some([model.table.pk.clone(), model.table.sk.clone()].into()),
        Some(Identity::Bookkeeping) | None => None,
    };
    // For a damaged record it is unknown which attributes effects need, so it is masked like a
    // parked record.
    let masked = if needed.is_some() && decode::record(model, None, record).is_err() {
        hidden(model, key.as_ref(), json)
    } else {
        queued(model, needed.as_ref(), matches!(identity, Some(Identity::Bookkeeping)), json)
    };
    masked.unwrap_or_else(|| text(model, raw))
}

/// A record with masked secrets. `None` if it has no body.
fn hidden(model: &Model, key: Option<&Key>, mut record: Value) -> Option<Box<RawValue>> {
    let secret = is_secret(model, key);
    let body = record.get_mut("dynamodb").and_then(Value::as_object_mut)?;
    mask_attributes(model, body);
    for (part, value) in body {
        match (IMAGES.contains(&part.as_str()), value.as_object_mut()) {
            (true, Some(image)) if secret => image.values_mut().for_each(|value| *value = json!({ "S": MASK })),
            // A part of an unexpected shape may contain anything.
            (true, None) | (false, Some(_)) if secret => *value = json!(MASK),
            (_, _) => {}
        }
    }
    to_raw_value(&record).ok()
}

/// A record with masked secrets and, if `needed` is given, with only those attributes. `None` if it
/// has no body.
fn queued(
    model: &Model,
    needed: Option<&BTreeSet<String>>,
    is_bookkeeping: bool,
    mut record: Value,
) -> Option<Box<RawValue>> {
    let body = record.get_mut("dynamodb").and_then(Value::as_object_mut)?;
    mask_attributes(model, body);
    for (_, image) in body.iter_mut().filter(|(part, _)| IMAGES.contains(&part.as_str())) {
        let Some(image) = image.as_object_mut() else { continue };
        image.retain(|name, _| needed.is_none_or(|needed| needed.contains(name)));
        // A tombstone may contain the item of a deleted subject, with its secrets.
        if is_bookkeeping
            && let Some(fields) = image.get_mut(bookkeeping::FIELDS).and_then(|fields| fields.get_mut("M"))
            && let Some(fields) = fields.as_object_mut()
        {
            fields.remove(bookkeeping::DELETED_ITEM);
        }
    }
    to_raw_value(&record).ok()
}

/// Masks the attributes that the model marks as secret. A write that changed only a secret is still
/// an update, and the present item says what follows from it.
fn mask_attributes(model: &Model, body: &mut Map<String, Value>) {
    let secret_of = |part: &str, name: &str| body.get(part).and_then(|image| image.get(name));
    let is_changed = |name: &&String| secret_of("OldImage", name) != secret_of("NewImage", name);
    let changed: BTreeSet<String> = model.secret.iter().filter(is_changed).cloned().collect();
    for (part, image) in body.iter_mut().filter(|(part, _)| IMAGES.contains(&part.as_str())) {
        let attributes = image.as_object_mut().into_iter().flatten();
        for (name, value) in attributes.filter(|(name, _)| model.secret.contains(*name)) {
            let is_new = part == "NewImage" && changed.contains(name);
            *value = json!({ "S": if is_new { MASK_CHANGED } else { MASK } });
        }
    }
}

/// Whether the record's key was masked. Then the item cannot be identified.
#[must_use]
pub fn is_masked_record(model: &Model, raw: &RawValue) -> bool {
    StreamRecord::parse(raw).key(&model.table).as_ref().is_some_and(is_masked)
}

/// The item with its secrets masked.
#[must_use]
pub fn item(model: &Model, mut item: Item) -> Item {
    let secret = is_secret(model, model.table.key_of(&item).as_ref());
    let hidden = item.iter_mut().filter(|(name, _)| secret || model.secret.contains(*name));
    hidden.for_each(|(_, value)| *value = InstepValue::S(MASK.to_owned()));
    item
}

/// A key as a text for reports. `None` if it is, or may be, a secret item's.
#[must_use]
pub fn key(model: &Model, key: &Key) -> Option<String> {
    (!is_secret(model, Some(key))).then(|| format!("{} | {}", key.pk, key.sk))
}

/// Whether the item under a key is secret, or may be.
fn is_secret(model: &Model, key: Option<&Key>) -> bool {
    match key.map(|key| model.identify(key)) {
        Some(Identity::Item { object, .. }) => model.item(object.of).secret,
        Some(Identity::Bookkeeping) => false,
        Some(Identity::Unknown(_)) | None => model.items.iter().any(|item| item.secret),
    }
}

/// A text that is not a record. If the model has secrets, all of it is masked, since any part may
/// be secret.
#[must_use]
pub fn text(model: &Model, raw: &RawValue) -> Box<RawValue> {
    if has_secrets(model) { to_raw_value(MASK).unwrap_or_else(|_| RawValue::NULL.to_owned()) } else { raw.to_owned() }
}

fn has_secrets(model: &Model) -> bool {
    !model.secret.is_empty() || model.items.iter().any(|item| item.secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = r#"{"dynamodb":{"Keys":{"pk":{"S":"U:a@b.example"},"sk":{"S":"U:a@b.example"}},"NewImage":{"state":{"S":"x"},"email":{"S":"a@b.example"}}}}"#;

    fn shown(change: impl FnOnce(&mut Model)) -> String {
        let mut model = Model::shipped("access-management").unwrap();
        change(&mut model);
        record(&model, &RawValue::from_string(RECORD.to_owned()).unwrap()).get().to_owned()
    }

    #[test]
    fn only_secrets_are_masked() {
        assert_eq!(shown(|_| {}), RECORD);
        let masked = RECORD.replace("\"x\"", "\"*** changed\"");
        assert_eq!(shown(|model| model.secret.extend(["state".to_owned()])), masked);
        let secret = shown(|model| model.items.iter_mut().for_each(|item| item.secret = true));
        assert!(!secret.contains("a@b.example") && secret.contains("\"email\":{\"S\":\"***\"}"), "{secret}");
    }
}
