//! Reads captures, files of writes, scans and exports.

use std::path::PathBuf;

use instep_console::input::{self, CaptureInput};
use instep_console::steps;
use instep_console::writes::{ItemWrite, StepWrites, WriteStep};
use instep_flow::stream_record::{RecordKind, StreamRecord};

use super::seen::{SeenWrite, SeenWrites};

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
    if let Ok(utf8) = text.utf8(&source.name)
        && let Some(steps) = steps::of(&source.name, utf8)?
    {
        steps.into_iter().for_each(|step| seen.step(step));
        return Ok(true);
    }
    let Some(entries) = source.capture(&text)? else { return Ok(false) };
    for raw in entries.iter().filter_map(|entry| entry.record().ok()) {
        seen.record(StreamRecord::parse(raw));
    }
    Ok(true)
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
