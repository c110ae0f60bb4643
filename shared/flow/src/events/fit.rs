//! Events that would be too large for the bus: what is left out of them.

use instep_contract::{Detail, Omitted, OmittedPart};
use instep_model::Model;
use serde_json::Map;

use crate::change::Change;

/// The largest `Detail` in bytes. EventBridge takes 1 MiB with source and detail type, and an SQS
/// message has 1 MiB: the rest is for the envelope in which EventBridge puts the event into a queue.
/// Source: Amazon EventBridge User Guide, "PutEvents", and Amazon SQS Developer Guide, "Message quotas".
pub const DETAIL_BYTES_MAX: usize = 1_000_000;

/// The event as text. If it is too large, its old attributes are left out; if that does not suffice,
/// its new ones, too. What orders it, and the names of what changed, always stay.
///
/// The rule depends on the event alone, so that it is the same whenever it is published.
pub(super) fn text(model: &Model, change: &Change, detail: Detail) -> Option<String> {
    let whole = serde_json::to_string(&detail).ok()?;
    if whole.len() <= DETAIL_BYTES_MAX {
        return Some(whole);
    }
    let mut detail = detail;
    detail.data.old = Map::new();
    detail.data.types.retain(|pointer, _| !pointer.starts_with("/old/"));
    let mut omitted = Omitted { parts: vec![OmittedPart::Old], key: key(model, change) };
    detail.data.omitted = Some(omitted.clone());
    let without_old = serde_json::to_string(&detail).ok()?;
    if without_old.len() <= DETAIL_BYTES_MAX {
        return Some(without_old);
    }
    detail.data.new = Map::new();
    detail.data.types.clear();
    omitted.parts.push(OmittedPart::New);
    detail.data.omitted = Some(omitted);
    serde_json::to_string(&detail).ok()
}

/// The primary key of the changed item. An event with attributes is never about a guard, whose key
/// no event shows.
fn key(model: &Model, change: &Change) -> Map<String, serde_json::Value> {
    let table = &model.table;
    [(&table.pk, &change.key.pk), (&table.sk, &change.key.sk)]
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .into_iter()
        .collect()
}
