//! Replays a capture or a file of writes into the live table, change by change.
//!
//! The writes happen now. Where the file says that time passed between two of them, it passes here, too.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::ReturnValue;
use instep_aws::{item_to_sdk, key_to_sdk};
use instep_captures::{CaptureText, NotACapture};
use instep_console::input::{self, CaptureInput};
use instep_console::record::{self, Captured};
use instep_console::sdk_error::explain;
use instep_console::steps;
use instep_console::writer::{StepWriter, has_item};
use instep_console::writes::WriteStep;
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_local::Stack;
use instep_model::{Item, escaped, example_writes};
use jiff::{SignedDuration, Timestamp};
use miette::{WrapErr as _, miette};
use serde_json::value::RawValue;

use super::http_tap::{Caller, watched};
use super::origins::Who;
use super::shared_state::Hub;

/// One change of a file.
enum Change {
    Record(Box<RawValue>),
    Step(Box<WriteStep>),
}

/// A file that is replayed.
struct File {
    name: String,
    changes: VecDeque<Change>,
    total: usize,
    /// The time of the change before.
    before: Option<Timestamp>,
}

/// Names and texts of the files at these paths. Without a path, the writes with which a shipped model can be tried.
pub(super) fn texts(paths: &[PathBuf], model: &str) -> miette::Result<Vec<(String, String)>> {
    if paths.is_empty() {
        let writes = example_writes(model).ok_or_else(|| {
            miette!(
                help = "write `--load PATH…`: captures, files of writes, scans or exports",
                "`{}` has no example writes",
                escaped(model)
            )
        })?;
        return Ok(vec![("example".to_owned(), writes.to_owned())]);
    }
    let text = |source: &CaptureInput| {
        let text = source.text()?;
        let text = text.utf8(&source.name).map_err(|why| miette!("{why}"))?;
        Ok((source.name.clone(), text.to_owned()))
    };
    input::find(paths)?.iter().map(text).collect()
}

/// Replays files, one after another.
pub(super) struct Loader<'a> {
    stack: &'a Stack,
    files: VecDeque<File>,
}

impl<'a> Loader<'a> {
    pub(super) const fn new(stack: &'a Stack) -> Self {
        Self { stack, files: VecDeque::new() }
    }

    /// Adds a file with this text.
    pub(super) fn add(&mut self, hub: &Hub, name: String, text: &str) -> miette::Result<()> {
        let changes: VecDeque<Change> = if let Some(steps) = steps::of(&name, text)? {
            steps.into_iter().map(|step| Change::Step(Box::new(step))).collect()
        } else {
            let entries = CaptureText::of(text.as_bytes().to_vec()).entries(&name);
            let entries = entries.map_err(|error| miette!(help = NotACapture::HELP, "{error}"))?;
            let records = entries.iter().filter_map(|entry| entry.record().ok());
            let records: VecDeque<Change> = records.map(|raw| Change::Record(raw.to_owned())).collect();
            of_this_table(hub, &name, &records)?;
            records
        };
        hub.set_loading(Some(name.clone()));
        self.files.push_back(File { total: changes.len(), name, changes, before: None });
        Ok(())
    }

    /// The latest and the first time of the files that are left to replay.
    pub(super) fn span(&self) -> SignedDuration {
        let times = |file: &File| file.changes.iter().filter_map(time).collect::<Vec<_>>();
        let gaps = self.files.iter().map(|file| {
            let times = times(file);
            let pairs = times.iter().zip(times.iter().skip(1));
            pairs.map(|(one, next)| next.duration_since(*one).max(SignedDuration::ZERO)).sum::<SignedDuration>()
        });
        gaps.sum()
    }

    /// Writes the next change. `false` if there is none.
    pub(super) async fn next(&mut self, hub: &Arc<Hub>) -> miette::Result<bool> {
        let Some(file) = self.files.front_mut() else { return Ok(false) };
        let Some(change) = file.changes.pop_front() else {
            self.files.pop_front();
            if self.files.is_empty() {
                hub.set_loading(None);
            }
            return Ok(true);
        };
        let name = file.name.clone();
        let place = file.total - file.changes.len();
        hub.set_loading(Some(format!("{name}: {place} of {}", file.total)));
        let at = time(&change);
        let gap = at.zip(file.before).map(|(at, before)| at.duration_since(before)).filter(|gap| gap.is_positive());
        file.before = at.or(file.before);
        if let Some(later) = gap.and_then(|gap| hub.clock.now().checked_add(gap).ok()) {
            hub.clock.jump(later);
        }
        let config = watched(self.stack.uncounted_config(), hub, Caller::Other(Who::File(name.clone())));
        let client = Client::new(&config);
        let written = match change {
            Change::Record(raw) => self.record(hub, &client, &raw).await,
            Change::Step(mut step) => {
                step.at = None;
                StepWriter { client, stack: self.stack }.step(&step).await
            }
        };
        if let Err(error) = written.wrap_err_with(|| format!("`{name}`, change {place}, is left out")) {
            let why: Vec<String> = error.chain().map(ToString::to_string).collect();
            hub.remark(why.join(": "));
        }
        hub.wake.notify_one();
        Ok(true)
    }

    /// Writes the change of a record. An item that the record shows as older is written first.
    async fn record(&self, hub: &Hub, client: &Client, raw: &RawValue) -> miette::Result<()> {
        let captured =
            record::read(raw, &hub.model().table, None).map_err(|why| miette!("{}: {}", why.code, why.reason))?;
        if captured.is_bookkeeping() {
            return Ok(());
        }
        captured.put().map_err(|why| miette!("{}: {}", why.code, why.reason))?;
        let Captured { event, key, old, new, .. } = captured;
        if event != RecordKind::Insert
            && let Some(old) = old
            && !has_item(client, self.stack.table(), key_to_sdk(&hub.model(), &key)).await?
        {
            self.put(client, &old).await?;
        }
        match (event, new) {
            (RecordKind::Insert | RecordKind::Modify, Some(new)) => self.put(client, &new).await,
            (RecordKind::Insert | RecordKind::Modify, None) => Ok(()),
            (RecordKind::Remove, _) => {
                let delete = client.delete_item().table_name(self.stack.table());
                let delete = delete.set_key(Some(key_to_sdk(&hub.model(), &key))).return_values(ReturnValue::None);
                let deleted = delete.send().await;
                deleted.map(drop).map_err(|error| miette!("the table refuses it: {}", explain(&error)))
            }
        }
    }

    async fn put(&self, client: &Client, item: &Item) -> miette::Result<()> {
        let put = client.put_item().table_name(self.stack.table()).set_item(Some(item_to_sdk(item)));
        put.send().await.map(drop).map_err(|error| miette!("the table refuses it: {}", explain(&error)))
    }
}

/// Checks that some record of a capture is one of the table, so that there is one error and not one for each.
fn of_this_table(hub: &Hub, name: &str, records: &VecDeque<Change>) -> miette::Result<()> {
    let mut why = None;
    for change in records {
        let Change::Record(raw) = change else { continue };
        match record::read(raw, &hub.model().table, None) {
            Ok(_) => return Ok(()),
            Err(unplayable) => why = why.or(Some(unplayable.reason)),
        }
    }
    match why {
        Some(why) => Err(miette!(
            help = "name the model of this table, or correct `pk` and `sk` under `[table]`",
            "no record of `{name}` can be replayed: {why}"
        )),
        None => Ok(()),
    }
}

/// When a change was made.
fn time(change: &Change) -> Option<Timestamp> {
    match change {
        Change::Record(raw) => StreamRecord::parse(raw).recorded_at(),
        Change::Step(step) => step.at,
    }
}
