//! What a parked work message may show. On the work queue, a message has to name the items that it is about.

use instep_model::{Model, Names};
use serde_json::value::{RawValue, to_raw_value};

use super::{hidden_key, key as shown_key, record};
use crate::secrets::{MASK, is_secret_type};
use crate::work::{Which, Work, WorkMessage};

/// A work message without the keys and attributes of secret items. A run over it later handles what is left.
///
/// INVARIANT 9: parked messages are for people to read.
#[must_use]
pub fn message(model: &Model, raw: &RawValue) -> Box<RawValue> {
    let Ok(mut message) = serde_json::from_str::<WorkMessage>(raw.get()) else { return super::text(model, raw) };
    match &mut message.work {
        Work::Reconcile(objects) => {
            for object in objects.iter_mut().filter(|object| is_secret_type(model, &object.of)) {
                mask_names(&mut object.names);
                object.image = None;
            }
        }
        // The row after which it continues may be a secret item's. A run over the first page does no harm.
        Work::Dependents(dependents) if model.items.iter().any(|item| item.secret) => {
            if is_secret_type(model, &dependents.of) {
                mask_names(&mut dependents.names);
            }
            if matches!(dependents.which, Which::From(_)) {
                dependents.which = Which::All;
            }
        }
        Work::Records(records) => {
            records.records.iter_mut().for_each(|raw| *raw = record(model, raw));
        }
        Work::Extra(extra) => {
            let keys = extra.bookkeeping.iter_mut().chain(&mut extra.orphans);
            keys.filter(|key| shown_key(model, key).is_none()).for_each(|key| *key = hidden_key());
        }
        // What a message points to is in the bucket, as that of the work queue is.
        Work::Dependents(_) | Work::Kept(_) => return raw.to_owned(),
    }
    to_raw_value(&message).unwrap_or_else(|_| super::text(model, raw))
}

fn mask_names(names: &mut Names) {
    names.values_mut().for_each(|text| *text = MASK.to_owned());
}
