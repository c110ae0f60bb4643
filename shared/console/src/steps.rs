//! The steps of a file of writes. No stream record says which records one transaction wrote, but a
//! file of writes does: these are written together here, too.

use instep_model::{Item, Key, TableSchema};
use jiff::Timestamp;
use serde_json::value::{RawValue, to_raw_value};

use crate::scan;
use crate::writes::{self, ItemWrite, StepWrites, WriteStep};

/// The steps of a text: of a file of writes, or one for each item of a scan or an export. `None` if the text is none of these.
pub fn of(file: &str, text: &str) -> miette::Result<Option<Vec<WriteStep>>> {
    if let Some(items) = scan::items(file, text)? {
        let put = |item| WriteStep { at: None, before: false, act: StepWrites::One(ItemWrite::Put(item)) };
        return Ok(Some(items.into_iter().map(put).collect()));
    }
    match writes::parse(file, text) {
        Ok(steps) => Ok(Some(steps).filter(|steps| !steps.is_empty())),
        Err(error) if writes::are_meant(text) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The number of writes.
pub fn count(steps: &[WriteStep]) -> usize {
    steps.iter().map(|step| items(step).len()).sum()
}

/// The time of the last step.
pub fn latest(steps: &[WriteStep]) -> Option<Timestamp> {
    steps.iter().filter_map(|step| step.at).max()
}

/// For each write of a step: the key, and what a record would say of it: time, key, and whether it is a deletion.
pub fn keys(step: &WriteStep, table: &TableSchema) -> Vec<(Key, Box<RawValue>)> {
    let key = |item: &Item| {
        let key = table.key_of(item)?;
        let names = [&table.pk, &table.sk];
        let shown: Item = names.into_iter().filter_map(|name| Some((name.clone(), item.get(name)?.clone()))).collect();
        Some((key, shown))
    };
    let shown = |(item, deletes): (&Item, bool)| {
        let (key, shown) = key(item)?;
        let at = step.at.map(|at| at.to_string());
        let body = serde_json::json!({"Keys": shown, "ApproximateCreationDateTime": at});
        let record = serde_json::json!({"eventName": deletes.then_some("REMOVE"), "dynamodb": body});
        Some((key, to_raw_value(&record).ok()?))
    };
    items(step).into_iter().filter_map(shown).collect()
}

/// The item or the key of each write, and whether the write is a deletion.
fn items(step: &WriteStep) -> Vec<(&Item, bool)> {
    const fn item(write: &ItemWrite) -> (&Item, bool) {
        match write {
            ItemWrite::Put(item) | ItemWrite::Update { key: item, .. } => (item, false),
            ItemWrite::Delete(key) => (key, true),
        }
    }
    match &step.act {
        StepWrites::One(write) => vec![item(write)],
        StepWrites::Transact(writes) => writes.iter().map(item).collect(),
        StepWrites::Ttl(key) => vec![(key, true)],
    }
}
