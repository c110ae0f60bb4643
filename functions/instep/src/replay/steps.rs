//! The steps of a file of writes. No stream record says which records one transaction wrote, but a
//! file of writes does: these are written together here, too.

use instep_model::{Item, Key, Table};
use jiff::Timestamp;
use serde_json::value::{RawValue, to_raw_value};

use crate::capture::writes::{self, Act, Step, Write};

/// The steps of a text. `None` if the text is no file of writes.
///
/// # Errors
/// The text is a file of writes with a mistake.
pub(crate) fn of(file: &str, text: &str) -> miette::Result<Option<Vec<Step>>> {
    match writes::parse(file, text) {
        Ok(steps) => Ok(Some(steps).filter(|steps| !steps.is_empty())),
        Err(error) if writes::are_meant(text) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The number of writes.
pub(super) fn count(steps: &[Step]) -> usize {
    steps.iter().map(|step| items(step).len()).sum()
}

/// The time of the last step.
pub(super) fn latest(steps: &[Step]) -> Option<Timestamp> {
    steps.iter().filter_map(|step| step.at).max()
}

/// For each write of a step: the key, and the key as a record shows it.
pub(super) fn keys(step: &Step, table: &Table) -> Vec<(Key, Box<RawValue>)> {
    let key = |item: &Item| {
        let key = table.key_of(item)?;
        let names = [&table.pk, &table.sk];
        let shown: Item = names.into_iter().filter_map(|name| Some((name.clone(), item.get(name)?.clone()))).collect();
        Some((key, to_raw_value(&serde_json::json!({ "dynamodb": { "Keys": shown } })).ok()?))
    };
    items(step).into_iter().filter_map(key).collect()
}

fn items(step: &Step) -> Vec<&Item> {
    const fn item(write: &Write) -> &Item {
        match write {
            Write::Put(item) | Write::Delete(item) | Write::Update { key: item, .. } => item,
        }
    }
    match &step.act {
        Act::One(write) => vec![item(write)],
        Act::Transact(writes) => writes.iter().map(item).collect(),
        Act::Ttl(key) => vec![key],
    }
}
