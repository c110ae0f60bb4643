//! What a parked record, a work message and a report may contain of a record: everything that the
//! model does not mark as secret.

mod message;
mod texts;

use std::collections::BTreeSet;

use instep_model::{Identity, Item, Key, Model, Value as InstepValue};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::secrets::{MASK, is_masked};
use crate::stream_record::StreamRecord;
use crate::{bookkeeping, decode, implied};

pub use message::message;
use texts::SecretTexts;

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
            model.item(object.of).secret.then(|| implied::attributes_needed(model, object.of))
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
        queued(model, needed.as_ref(), key.as_ref(), json)
    };
    masked.unwrap_or_else(|| text(model, raw))
}

/// A record with masked secrets. `None` if it has no body.
fn hidden(model: &Model, key: Option<&Key>, mut record: Value) -> Option<Box<RawValue>> {
    let body = record.get_mut("dynamodb").and_then(Value::as_object_mut)?;
    mask_attributes(model, key, body);
    let secret = is_secret(model, key);
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
    key: Option<&Key>,
    mut record: Value,
) -> Option<Box<RawValue>> {
    let body = record.get_mut("dynamodb").and_then(Value::as_object_mut)?;
    mask_attributes(model, key, body);
    let is_bookkeeping = key.is_some_and(|key| matches!(model.identify(key), Identity::Bookkeeping));
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

/// Masks the attributes that the model marks as secret, and those that contain the value of one, unless effects or
/// events depend on them. A write that changed only a secret is still an update, and the present item says what
/// follows from it.
fn mask_attributes(model: &Model, key: Option<&Key>, body: &mut Map<String, Value>) {
    let texts = SecretTexts::of_images(model, IMAGES.iter().filter_map(|part| body.get(*part)));
    let used = match key.map(|key| model.identify(key)) {
        Some(Identity::Item { object, .. }) => implied::attributes_in_use(model, object.of),
        Some(Identity::Bookkeeping | Identity::Unknown { .. }) | None => {
            [model.table.pk.clone(), model.table.sk.clone()].into()
        }
    };
    let secret_of = |part: &str, name: &str| body.get(part).and_then(|image| image.get(name));
    let is_changed = |name: &&String| secret_of("OldImage", name) != secret_of("NewImage", name);
    let changed: BTreeSet<String> = model.secret.iter().filter(is_changed).cloned().collect();
    for (part, image) in body.iter_mut().filter(|(part, _)| IMAGES.contains(&part.as_str())) {
        for (name, value) in image.as_object_mut().into_iter().flatten() {
            let is_new = part == "NewImage" && changed.contains(name);
            if model.secret.contains(name) {
                *value = json!({ "S": if is_new { MASK_CHANGED } else { MASK } });
            } else if !used.contains(name) && texts.stand_in_json(value) {
                *value = json!({ "S": MASK });
            }
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
    let key = model.table.key_of(&item);
    let texts = SecretTexts::of_items(model, [&item]);
    let secret = is_secret(model, key.as_ref());
    let of_secret_keys = key.as_ref().map(|key| attributes_of_secret_keys(model, key)).unwrap_or_default();
    if !secret && let Some(InstepValue::M(fields)) = item.get_mut(bookkeeping::FIELDS) {
        // A tombstone may keep a whole item, and a moment a part of one.
        for inner in fields.values_mut() {
            if let InstepValue::M(inner) = inner {
                *inner = self::item(model, std::mem::take(inner));
            }
        }
    }
    for (name, value) in &mut item {
        let is_key = *name == model.table.pk || *name == model.table.sk;
        let is_hidden = model.secret.contains(name) || of_secret_keys.contains(name);
        if secret || is_hidden || !is_key && texts.stand_in(value) {
            *value = InstepValue::S(MASK.to_owned());
        }
    }
    item
}

/// The attributes of an item whose values are in the keys of secret items, such as a unique value that is secret.
fn attributes_of_secret_keys(model: &Model, key: &Key) -> BTreeSet<String> {
    match model.identify(key) {
        Identity::Item { object, .. } => implied::attributes_of_secret_keys(model, object.of),
        Identity::Bookkeeping | Identity::Unknown { .. } => BTreeSet::new(),
    }
}

/// A key as a text for reports. `None` if it is, or may be, a secret item's.
#[must_use]
pub fn key(model: &Model, key: &Key) -> Option<String> {
    (!is_secret(model, Some(key))).then(|| format!("{} | {}", key.pk, key.sk))
}

/// The key that replaces one that is not shown.
fn hidden_key() -> Key {
    Key { pk: MASK.to_owned(), sk: MASK.to_owned() }
}

/// Whether the item under a key is secret, or may be.
fn is_secret(model: &Model, key: Option<&Key>) -> bool {
    match key.map(|key| model.identify(key)) {
        Some(Identity::Item { object, .. }) => model.item(object.of).secret,
        Some(Identity::Bookkeeping) => key.is_some_and(|key| bookkeeping::names_a_secret(model, key)),
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

    /// Promise 9: a secret is masked wherever its value is known to stand, and short values mask nothing else.
    #[test]
    fn a_copy_of_a_secret_is_masked() {
        let mut model = Model::shipped("access-management").unwrap();
        model.secret = ["token".to_owned()].into();
        let record = |token: &str| {
            let image = json!({"pk": {"S": "U:a@b.example"}, "sk": {"S": "U:a@b.example"}, "token": {"S": token},
                "GSI9PK": {"S": format!("T#{}", token.to_uppercase())}, "n": {"L": [{"M": {"x": {"S": token}}}]}});
            let keys = json!({"pk": {"S": "U:a@b.example"}, "sk": {"S": "U:a@b.example"}});
            let json = json!({"eventName": "INSERT", "dynamodb": {"Keys": keys, "NewImage": image}});
            [super::record, for_queue].map(|mask| mask(&model, &to_raw_value(&json).unwrap()).get().to_owned())
        };
        for masked in record("tok-1") {
            assert!(!masked.to_lowercase().contains("tok-1") && masked.contains("U:a@b.example"), "{masked}");
        }
        assert!(record("x")[0].contains("T#X"), "a short value is not looked for");
        let shown = item(
            &model,
            [("token", "tok-1"), ("link", "/t/TOK-1"), ("name", "n")]
                .map(|(name, text)| (name.to_owned(), InstepValue::S(text.to_owned())))
                .into(),
        );
        let shown: Vec<&str> = shown.values().filter_map(InstepValue::as_s).collect();
        assert_eq!(shown, [MASK, "n", MASK]);
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
