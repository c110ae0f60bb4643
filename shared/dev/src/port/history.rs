//! The stream records of a trace: shown, saved as a capture, and written again.

use std::collections::{BTreeMap, BTreeSet};

use instep_console::capture::{pretty, redact};
use instep_console::record::{self, Captured};
use instep_flow::mask;
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_model::{BOOKKEEPING_ATTRIBUTE, Item, Key};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::Port;
use super::commands::{is_unmet, put_new, refused};
use super::queries::QueryResult;

/// The most items that are written again at once.
const UNDO_MAX: usize = 1_000;

const FORGOTTEN: &str = "the records of this write are not remembered any more";

impl Port {
    /// The stream record of a node, without secrets.
    pub(super) fn shown_write(&self, id: u64) -> QueryResult {
        let records = self.hub.records();
        let raw = records.get(id).ok_or(FORGOTTEN)?;
        let is_secret = self.is_secret(raw);
        let shown = mask::record(self.model(), raw);
        let record: Value = serde_json::from_str(shown.get()).map_err(|error| error.to_string())?;
        // A command with a mask would write the mask.
        let is_whole = !is_secret && shown.get() == raw.get();
        Ok(json!({"record": record, "isWhole": is_whole}))
    }

    /// A capture of a trace: the records in their order, redacted as `instep capture --redact` does it.
    pub(super) fn capture(&self, id: u64) -> QueryResult {
        let mut records = self.records_of(id)?;
        let all = records.len();
        // INVARIANT 9: of a secret item, nothing leaves the table.
        records.retain(|raw| !self.is_secret(raw));
        let key = redact::random_key().map_err(|error| format!("cannot make a key for the redaction: {error}"))?;
        let redaction = redact::Redaction::new(self.model().secret.iter().cloned(), key);
        let redacted = redaction.apply(&records).map_err(|error| format!("cannot redact a record: {error}"))?;
        Ok(json!({"text": pretty::event(&redacted), "records": redacted.len(), "secret": all - redacted.len()}))
    }

    /// How many items a trace has deleted and can write again.
    pub(super) fn removed(&self, id: u64) -> QueryResult {
        let removed = self.removed_items(id)?;
        Ok(json!({"items": removed.len(), "most": UNDO_MAX}))
    }

    /// Writes the deleted items again, parents before children. What somebody has written since stays.
    pub(super) async fn undo(&self, id: u64) -> QueryResult {
        let removed = self.removed_items(id)?;
        if removed.is_empty() {
            return Err("this write has deleted nothing that is still remembered".to_owned());
        }
        if removed.len() > UNDO_MAX {
            return Err(format!("it has deleted {} items: up to {UNDO_MAX} can be written again", removed.len()));
        }
        // The records of Instep's own writes come later, and belong to it.
        if !self.hub.is_idle() || self.hub.may_have_records() {
            return Err("not everything is delivered yet: wait for it, or let the stream run".to_owned());
        }
        // A child that is seen before its parent would be deleted again.
        let _none = self.hub.delivering.lock().await;
        let (mut written, mut kept) = (0, 0);
        for item in removed {
            match put_new(self, &item).send().await {
                Ok(_) => written += 1,
                Err(error) if is_unmet(&error) => kept += 1,
                Err(error) => {
                    return Err(format!("{written} items are written again, then {}", refused(&error, "none")));
                }
            }
        }
        Ok(json!({"written": written, "kept": kept}))
    }

    /// The last image of each application item that a trace has deleted, in the order of the deletions.
    fn removed_items(&self, id: u64) -> Result<Vec<Item>, String> {
        let mut last: BTreeMap<Key, (usize, Option<Item>)> = BTreeMap::new();
        for (place, raw) in self.records_of(id)?.iter().enumerate() {
            let Ok(Captured { event, key, old, .. }) = record::read(raw, &self.model().table, None) else { continue };
            // Instep writes its own guards again.
            let is_written = |item: &Item| !item.contains_key(BOOKKEEPING_ATTRIBUTE);
            let image = old.filter(|old| event == RecordKind::Remove && is_written(old));
            last.insert(key, (place, image));
        }
        let mut removed: Vec<(usize, Item)> =
            last.into_values().filter_map(|(place, item)| Some((place, item?))).collect();
        removed.sort_by_key(|(place, _)| *place);
        Ok(removed.into_iter().map(|(_, item)| item).collect())
    }

    /// The records of a trace, in the order in which they were delivered.
    fn records_of(&self, id: u64) -> Result<Vec<Box<RawValue>>, String> {
        let nodes: BTreeSet<u64> = {
            let traces = self.hub.traces();
            let root = traces.node(id).ok_or(FORGOTTEN)?.root;
            traces.below(root).filter(|node| node.kind == "record").map(|node| node.id).collect()
        };
        let records = self.hub.records();
        let all: Option<Vec<_>> = nodes.into_iter().map(|node| records.get(node).map(ToOwned::to_owned)).collect();
        all.ok_or_else(|| FORGOTTEN.to_owned())
    }

    /// Whether a record is of an item of which nothing is shown.
    fn is_secret(&self, raw: &RawValue) -> bool {
        let model = self.model();
        StreamRecord::parse(raw).key(&model.table).is_none_or(|key| mask::key(model, &key).is_none())
    }
}
