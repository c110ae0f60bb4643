//! Runs Instep over what is delivered, and reports each delivery.

use std::collections::BTreeSet;

use instep_aws::{Instep, QueueMessage, RunOptions, WorkEntry};
use instep_flow::bookkeeping;
use instep_flow::report::Report;
use instep_flow::stream_record::StreamRecord;
use instep_model::{BOOKKEEPING_PREFIX, TableSchema};
use jiff::Timestamp;
use miette::miette;
use serde_json::value::RawValue;

use crate::report::Reporter;
use crate::report::reported::{DeliveredRecord, ReportedRecords};

/// The moments that are read from a table at the beginning.
const KNOWN_MAX: usize = 1_000_000;

/// Instep behind the pumps of an embedded stack, with a report of what is delivered to it.
pub struct ReportedRun<'a, 'b> {
    /// Instep.
    pub instep: Instep,
    /// The writer of the report.
    pub reporter: &'a mut Reporter<'b>,
    /// The moments that are still to come, as far as records showed them.
    pub moments: BTreeSet<Timestamp>,
    reported: ReportedRecords,
    /// The output failed: nothing more is reported, but the running batch is completed.
    failed: Option<miette::Report>,
}

impl<'a, 'b> ReportedRun<'a, 'b> {
    /// Reports with `reporter`.
    pub fn new(instep: Instep, reporter: &'a mut Reporter<'b>) -> Self {
        Self { instep, reporter, moments: BTreeSet::new(), reported: ReportedRecords::default(), failed: None }
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &TableSchema {
        &self.instep.model().table
    }

    /// Learns which moments an earlier process has left.
    pub async fn learn_moments(&mut self, run: &RunOptions) -> miette::Result<()> {
        let known = self.instep.upcoming(None, KNOWN_MAX, run).await;
        let (moments, _) = known.map_err(|why| miette!("cannot read what becomes due: {why}"))?;
        self.moments.extend(moments.iter().filter_map(|moment| moment.moment.as_ref()).map(|moment| moment.at));
        Ok(())
    }

    /// Handles records of the stream. [`ReportedRun::report`] reports them.
    pub async fn handle(&mut self, records: &[Box<RawValue>], run: &RunOptions) -> Report {
        let report = self.instep.handle(records, run).await;
        let table = &self.instep.model().table;
        self.moments.extend(records.iter().filter_map(|raw| noted_moment(raw, table)));
        report
    }

    /// Whether this record was delivered before.
    #[must_use]
    pub fn knows(&self, id: &str) -> bool {
        self.reported.knows(id)
    }

    /// Reports a delivery.
    pub fn report(&mut self, delivered: Vec<DeliveredRecord<'_>>, report: Report) {
        if self.failed.is_none() {
            self.failed = self.reported.report(self.reporter, delivered, report).err();
        }
    }

    /// Writes out what was reported.
    pub fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.reporter.flush().err();
        }
    }

    /// A message is replaced by new ones, and is not delivered again.
    pub fn replaced(&mut self, message: &str) {
        self.reported.replaced(message);
    }

    /// Returns the error of the output, if there was one.
    pub fn failed(&mut self) -> miette::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Ends the deliveries.
    pub fn close(&mut self) -> miette::Result<()> {
        self.reported.close(self.reporter)
    }
}

/// The id in reports of an entry of a message. It is the same in each delivery.
#[must_use]
pub fn work_id(messages: &[QueueMessage], entry: &WorkEntry) -> String {
    let message = messages.get(entry.message).map_or("", |message| message.id.as_str());
    format!("{message}/{}", entry.nth)
}

/// The moment that Instep has noted in the table with this record.
fn noted_moment(raw: &RawValue, table: &TableSchema) -> Option<Timestamp> {
    // Most records are of other items, and need not be read for this.
    raw.get().contains(BOOKKEEPING_PREFIX).then_some(())?;
    let record = StreamRecord::parse(raw);
    record.new.as_ref()?;
    bookkeeping::due_at(&record.key(table)?)
}
