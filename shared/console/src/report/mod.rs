//! The report of a run: counts it once, and writes it for people or for programs.

mod json;
mod layout;
pub mod progress;
pub mod reported;
pub mod run;
mod text;

pub use json::embedded_bus;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use instep_aws::redrive::RedriveTally;
use instep_captures::Garbled;
use instep_flow::decode::{Decoded, decode};
use instep_flow::report::{ChangeReport, EffectOutcome, EffectReport, EventEntry};
use instep_flow::{mask, reason};
use instep_local::private;
use instep_model::Model;
use jiff::Timestamp;
use miette::{IntoDiagnostic as _, WrapErr as _};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::output::Output;
use crate::report::layout::Layout;
use crate::report::progress::RunProgress;

/// The outcome of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineOutcome {
    /// Its effects are in place.
    Handled,
    /// It was not replayed.
    Skipped,
    /// It was parked.
    Parked,
    /// It is left to the next delivery.
    Retry,
}

/// A record, for its line in the report.
#[derive(Debug)]
pub struct RecordLine<'a> {
    /// Its number in the report.
    pub n: u64,
    /// Its sequence number.
    pub sequence: Option<&'a str>,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// The change that it is under the model.
    pub change: Option<&'a ChangeReport>,
    /// What came of it.
    pub outcome: LineOutcome,
    /// Why a record was skipped.
    pub why: Option<&'a str>,
    /// The work of a work message. `None` for a record.
    pub work: Option<&'a str>,
    /// The captured record's file, or that time to live deleted the item. `None` for a record that Instep's own write
    /// caused.
    pub file: Option<&'a str>,
}

impl<'a> RecordLine<'a> {
    /// For text that could not be read as a record.
    pub fn nothing(n: u64, file: &'a str) -> Self {
        let file = Some(file);
        Self { n, sequence: None, time: None, change: None, outcome: LineOutcome::Parked, why: None, work: None, file }
    }

    /// Whether one of Instep's own writes caused it.
    pub fn own(&self) -> bool {
        self.file.is_none() && self.work.is_none()
    }
}

/// A parked record.
#[derive(Debug, Clone, Copy)]
pub struct ParkedLine<'a> {
    /// The number of its line.
    pub n: u64,
    /// The code of the reason.
    pub code: &'a str,
    /// The reason, for people.
    pub reason: &'a str,
    /// The record, as far as it may be shown.
    pub record: &'a RawValue,
    /// No other line names its item.
    pub is_nameless: bool,
}

/// The summary of a run.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// Captured records.
    pub records: u64,
    /// Records that Instep's own writes caused.
    pub own: u64,
    /// Messages of the work queue.
    pub messages: u64,
    /// Records of both kinds that are a change under the model.
    pub changes: u64,
    /// Records that were not replayed.
    pub skipped: u64,
    /// Effects.
    pub effects: u64,
    /// Effects that were applied.
    pub done: u64,
    /// Effects that were in place.
    pub already: u64,
    /// Effects that were not applied.
    pub not_done: u64,
    /// Published events.
    pub events: u64,
    /// Parked records.
    pub parked: u64,
    /// Deliveries that were repeated or must be repeated.
    pub retries: u64,
    /// Records that no delivery handled.
    pub left: u64,
    /// By operation: the calls.
    pub api_calls: BTreeMap<String, u64>,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For programs: one JSON object a line.
    Json,
}

/// Writes the report while the run proceeds.
pub struct Reporter<'a> {
    out: &'a mut Output,
    format: Format,
    layout: Layout,
    progress: RunProgress,
    parked_file: Option<File>,
    summary: RunSummary,
    last_n: u64,
    /// The model, if reasons are reported.
    why: Option<Arc<Model>>,
    /// The reason that was reported last, and of which record.
    said: Option<(u64, String)>,
}

impl<'a> Reporter<'a> {
    /// Writes to `out`. The run has `total` records.
    pub fn new(out: &'a mut Output, format: Format, total: u64) -> Self {
        let layout = Layout::new(out.columns());
        let progress = RunProgress::new(total);
        let (summary, parked_file) = (RunSummary::default(), None);
        Self { out, format, layout, progress, parked_file, summary, last_n: 0, why: None, said: None }
    }

    /// Also reports why each effect follows, and why none does.
    pub fn with_reasons(&mut self, model: &Arc<Model>) {
        self.why = Some(Arc::clone(model));
    }

    /// Writes to `out`. The number of records is unknown.
    pub fn counting(out: &'a mut Output, format: Format) -> Self {
        Self { progress: RunProgress::counting(), ..Self::new(out, format, 0) }
    }

    /// Also appends parked records to this file.
    pub fn keep_parked(&mut self, path: &Path) -> miette::Result<()> {
        let file = private::options()
            .append(true)
            .create(true)
            .open(path)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot write `{}`", path.display()))?;
        self.parked_file = Some(file);
        Ok(())
    }

    /// The number of the next record.
    pub fn next_n(&mut self) -> u64 {
        self.last_n += 1;
        self.last_n
    }

    /// Reports a record.
    pub fn record(&mut self, record: &RecordLine<'_>) -> miette::Result<()> {
        if record.work.is_some() {
            self.summary.messages += 1;
        } else if record.own() {
            self.summary.own += 1;
        } else {
            self.summary.records += 1;
            self.progress.one();
        }
        match record.outcome {
            LineOutcome::Skipped => self.summary.skipped += 1,
            LineOutcome::Retry => self.summary.left += 1,
            LineOutcome::Handled | LineOutcome::Parked => {}
        }
        if record.change.is_some() && record.outcome != LineOutcome::Skipped {
            self.summary.changes += 1;
        }
        match self.format {
            Format::Json => self.write(|_, _| json::record(record)),
            // Bookkeeping is internal: programs may count it, people need not read it.
            Format::Text if record.own() && record.outcome == LineOutcome::Skipped => Ok(()),
            Format::Text => self.write(|_, layout| text::record(layout, record)),
        }
    }

    /// A work message without effects: programs may count it, people need not read it.
    pub fn idle_message(&mut self, record: &RecordLine<'_>) -> miette::Result<()> {
        match self.format {
            Format::Json => self.record(record),
            Format::Text => {
                self.summary.messages += 1;
                Ok(())
            }
        }
    }

    /// Reports an effect of the record with the number `n`.
    pub fn effect(&mut self, n: u64, effect: &EffectReport) -> miette::Result<()> {
        self.summary.effects += 1;
        match effect.outcome {
            EffectOutcome::Done => self.summary.done += 1,
            EffectOutcome::Already => self.summary.already += 1,
            EffectOutcome::NotDone => self.summary.not_done += 1,
        }
        let because = self.why.as_ref().map(|model| reason::because(model, &effect.effect));
        if self.format == Format::Json {
            return self.write(|_, _| json::effect(n, effect, because.as_deref()));
        }
        // Effects that follow each other for one reason have one line of it.
        if let Some(because) = because.map(|because| (n, because)).filter(|because| self.said.as_ref() != Some(because))
        {
            self.write(|_, layout| text::because(layout, &because.1))?;
            self.said = Some(because);
        }
        self.write(|_, layout| text::effect(layout, effect))
    }

    /// Reports why less follows from a record than one might expect. `is_idle`: nothing does.
    pub fn nothing(&mut self, n: u64, raw: &RawValue, is_idle: bool) -> miette::Result<()> {
        let Some(model) = &self.why else { return Ok(()) };
        let Ok(Decoded::Change(change)) = decode(model, None, raw) else { return Ok(()) };
        let why = reason::nothing(model, &change, is_idle);
        why.iter().try_for_each(|why| {
            self.write(|format, layout| match format {
                Format::Json => json::because(n, why),
                Format::Text => text::because(layout, why),
            })
        })
    }

    /// Reports events of a record.
    pub fn events(&mut self, n: u64, entries: &[&EventEntry]) -> miette::Result<()> {
        self.summary.events += u64::try_from(entries.len()).unwrap_or(u64::MAX);
        match self.format {
            Format::Json => entries.iter().try_for_each(|entry| self.write(|_, _| json::event(n, entry))),
            Format::Text if entries.is_empty() => Ok(()),
            Format::Text => self.write(|_, layout| text::events(layout, entries)),
        }
    }

    /// Reports a parked record.
    pub fn parked(&mut self, parked: &ParkedLine<'_>) -> miette::Result<()> {
        self.summary.parked += 1;
        if let Some(file) = &mut self.parked_file {
            let line = json::kept(parked) + "\n";
            file.write_all(line.as_bytes()).into_diagnostic().wrap_err("cannot keep a parked record")?;
        }
        self.write(|format, layout| match format {
            Format::Json => json::parked(parked),
            Format::Text => text::parked(layout, parked),
        })
    }

    /// Text that is not a record.
    pub fn garbled(&mut self, model: &Model, name: &str, garbled: &Garbled) -> miette::Result<()> {
        let n = self.next_n();
        self.record(&RecordLine::nothing(n, name))?;
        let Garbled { code, reason, text } = garbled;
        self.parked(&ParkedLine { n, code, reason, record: &mask::text(model, text), is_nameless: false })
    }

    /// Reports that a record is left to the next delivery.
    pub fn retry(&mut self, n: u64, why: &str) -> miette::Result<()> {
        self.summary.retries += 1;
        self.write(|format, layout| match format {
            Format::Json => json::retry(n, why),
            Format::Text => text::retry(layout, n, why),
        })
    }

    /// A remark that belongs to no record. Programs do not receive it.
    pub fn remark(&mut self, text: &str) -> miette::Result<()> {
        if self.format == Format::Text { self.write(|_, _| text::remark(text)) } else { Ok(()) }
    }

    /// Items older than the first record that no delivery handled.
    pub fn left_before(&mut self, count: usize) {
        self.summary.left += u64::try_from(count).unwrap_or(u64::MAX);
    }

    /// The end of the run.
    pub fn summary(
        &mut self,
        api_calls: BTreeMap<String, u64>,
        took: std::time::Duration,
    ) -> miette::Result<RunSummary> {
        self.progress.end();
        self.summary.api_calls = api_calls;
        let summary = self.summary.clone();
        // A wall time would make two runs differ.
        self.write(|format, layout| match format {
            Format::Json => json::summary(&summary),
            Format::Text => text::summary(layout, &summary, took),
        })?;
        Ok(summary)
    }

    /// Records of one message, object or file were sent to the work queue.
    pub fn sent(&mut self, name: &str, records: usize) -> miette::Result<()> {
        self.progress.one();
        self.remark(&format!("{records} {} of {name} sent", if records == 1 { "record" } else { "records" }))
    }

    /// The calls of a command that only sends.
    pub fn sent_in_all(&mut self, api_calls: BTreeMap<String, u64>, took: std::time::Duration) -> miette::Result<()> {
        self.progress.end();
        match self.format {
            Format::Json => Ok(()),
            Format::Text => self.write(|_, layout| text::calls(layout, &api_calls, took)),
        }
    }

    /// The counts of a redrive, beside its records.
    pub fn tally(&mut self, tally: &RedriveTally, dry_run: bool) -> miette::Result<()> {
        self.write(|format, _| match format {
            Format::Json => json::tally(tally),
            Format::Text => text::tally(tally, dry_run),
        })
    }

    /// The items of the table, and the users and groups of Cognito.
    pub fn state(&mut self, model: &Model, mut state: instep_local::WorldState) -> miette::Result<()> {
        // INVARIANT 9: attributes that the model calls secret are never printed.
        state.items = state.items.into_iter().map(|item| mask::item(model, item)).collect();
        match self.format {
            Format::Json => json::state(&state).try_for_each(|line| self.write(|_, _| line.clone())),
            Format::Text => self.write(|_, layout| text::state(layout, &state, (&model.table.pk, &model.table.sk))),
        }
    }

    fn write(&mut self, text: impl FnOnce(Format, Layout) -> String) -> miette::Result<()> {
        let text = text(self.format, self.layout);
        let out = &mut self.out;
        self.progress.without_bar(|| out.line(&text))
    }

    /// Flushes the output so far.
    pub fn flush(&mut self) -> miette::Result<()> {
        self.out.flush()
    }
}

impl RunSummary {
    /// Whether everything was handled.
    pub fn is_complete(&self) -> bool {
        self.parked == 0 && self.left == 0
    }
}
