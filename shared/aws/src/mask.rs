//! What of a record may leave the table when it is parked: everything but what the model calls secret.

use instep_flow::decode::Change;
use instep_model::Model;
use serde_json::Value;
use serde_json::value::RawValue;

/// What stands in the place of a secret.
const MASK: &str = "***";

/// The record, secrets masked. Where there is nothing to mask it is the record as it came, byte for byte.
///
/// INVARIANT 9: of a secret item nothing leaves but the names of its key attributes; of other items no attribute that the model
/// calls secret.
pub(crate) fn record(model: &Model, change: Option<&Change>, raw: &RawValue) -> Box<RawValue> {
    let secret = change.is_some_and(|change| model.item(change.thing.of).secret);
    if !secret && model.secret.is_empty() {
        return raw.to_owned();
    }
    let Ok(mut record) = serde_json::from_str::<Value>(raw.get()) else { return raw.to_owned() };
    for part in ["Keys", "NewImage", "OldImage"] {
        let Some(image) = record.pointer_mut(&format!("/dynamodb/{part}")).and_then(Value::as_object_mut) else {
            continue;
        };
        for (name, value) in image.iter_mut() {
            if secret || model.secret.contains(name) {
                *value = serde_json::json!({ "S": MASK });
            }
        }
    }
    serde_json::value::to_raw_value(&record).unwrap_or_else(|_| raw.to_owned())
}
