//! Reads captures, files of writes, scans and exports.

use std::path::PathBuf;

use instep_console::input::{self, CaptureInput};
use instep_console::steps;
use instep_console::writes::{ItemWrite, StepWrites, WriteStep};
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_model::Item;
use miette::miette;
use serde::Deserialize;

use super::seen::{SeenWrite, SeenWrites};

/// What `aws dynamodb scan` prints, or a line of an export to S3. Source: Amazon DynamoDB Developer Guide, "DynamoDB
/// table export output format".
#[derive(Deserialize)]
struct Scanned {
    #[serde(rename = "Items")]
    items: Option<Vec<Item>>,
    #[serde(rename = "Item")]
    item: Option<Item>,
}

/// The writes of all files.
pub(super) fn files(paths: &[PathBuf]) -> miette::Result<SeenWrites> {
    let mut seen = SeenWrites::default();
    let mut is_any = false;
    for source in input::find(paths)? {
        is_any |= file(&source, &mut seen)?;
    }
    if is_any { Ok(seen) } else { Err(input::no_capture()) }
}

/// Reads a file. False for one of a folder that is none of these.
fn file(source: &CaptureInput, seen: &mut SeenWrites) -> miette::Result<bool> {
    let text = source.text()?;
    if let Ok(utf8) = text.utf8(&source.name) {
        if is_scan(utf8) {
            scan(&source.name, utf8, seen)?;
            return Ok(true);
        }
        if let Some(steps) = steps::of(&source.name, utf8)? {
            steps.into_iter().for_each(|step| seen.step(step));
            return Ok(true);
        }
    }
    let Some(entries) = source.capture(&text)? else { return Ok(false) };
    for raw in entries.iter().filter_map(|entry| entry.record().ok()) {
        seen.record(StreamRecord::parse(raw));
    }
    Ok(true)
}

/// Whether the first value of a text has items. The rest may be damaged.
fn is_scan(text: &str) -> bool {
    let Some(object) = text.trim_start().strip_prefix('{') else { return false };
    let first = object.trim_start();
    if first.starts_with("\"Item\"") || first.starts_with("\"Items\"") {
        return true;
    }
    // `Count` may come first.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Map<String, serde_json::Value>>();
    values
        .next()
        .is_some_and(|first| first.is_ok_and(|first| first.contains_key("Items") || first.contains_key("Item")))
}

fn scan(name: &str, text: &str, seen: &mut SeenWrites) -> miette::Result<()> {
    for scanned in serde_json::Deserializer::from_str(text).into_iter::<Scanned>() {
        let scanned = scanned.map_err(|error| not_json(name, &error))?;
        let items = scanned.items.into_iter().flatten().chain(scanned.item);
        seen.changes.extend(items.map(SeenWrite::Put));
    }
    Ok(())
}

/// An error of JSON, without the value that it is about: that may be personal.
pub(super) fn not_json(name: &str, error: &serde_json::Error) -> miette::Report {
    miette!(
        help = "items are in DynamoDB JSON, `{{\"name\": {{\"S\": \"…\"}}}}`, as the AWS CLI and an export write them",
        "`{name}` cannot be read at line {}, column {}",
        error.line(),
        error.column()
    )
}

impl SeenWrites {
    fn record(&mut self, record: StreamRecord) {
        self.keys.extend(record.keys.iter().flat_map(|keys| keys.keys().cloned()));
        let is_removed = matches!(record.event, Some(Ok(RecordKind::Remove)));
        self.changes.extend(record.old.map(SeenWrite::Before));
        match record.new.filter(|_| !is_removed) {
            Some(new) => self.changes.push(SeenWrite::Put(new)),
            None if is_removed => {
                self.changes.extend(record.keys.map(|keys| SeenWrite::Delete(keys.into_iter().collect())))
            }
            None => {}
        }
    }

    fn step(&mut self, step: WriteStep) {
        match step.act {
            StepWrites::One(write) => self.write(write),
            StepWrites::Transact(writes) => writes.into_iter().for_each(|write| self.write(write)),
            StepWrites::Ttl(key) => self.changes.push(SeenWrite::Delete(key)),
        }
    }

    fn write(&mut self, write: ItemWrite) {
        self.changes.push(match write {
            ItemWrite::Put(item) => SeenWrite::Put(item),
            ItemWrite::Delete(key) => SeenWrite::Delete(key),
            ItemWrite::Update { key, set, remove } => SeenWrite::Update { key, set, remove },
        });
    }
}
