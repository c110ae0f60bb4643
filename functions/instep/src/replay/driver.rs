//! The handler behind the pump: runs the flow over each batch of the embedded table's stream, and
//! reports the outcome.

use std::collections::{BTreeMap, HashMap, VecDeque};

use instep_aws::{Instep, QueueMessage, RunOptions, WorkReport};
use instep_console::report::reported::DeliveredRecord;
use instep_console::report::run::{ReportedRun, work_id};
use instep_console::report::{LineOutcome, RecordLine, Reporter};
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_local::{Clock, Handler, Pump, QueueHandler, QueuePump};
use instep_model::Key;
use miette::IntoDiagnostic as _;
use serde_json::value::RawValue;

/// The origin of a record of a deletion that no captured change asked for: the item expired as time passed.
const EXPIRED: &str = "time to live";

/// A captured change that was written, and whose record the stream has not delivered yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) file: String,
    pub(super) captured: Box<RawValue>,
}

/// Runs the flow over what the pump delivers.
pub(super) struct Driver<'a, 'b> {
    /// Instep, and the report.
    pub(super) reported: ReportedRun<'a, 'b>,
    run: RunOptions,
    pending: HashMap<Key, VecDeque<Pending>>,
    /// The files of the captured records that were sent to the work queue, by sequence number and
    /// key.
    sent: HashMap<(Option<String>, Option<Key>), VecDeque<String>>,
    /// The stack's clock, if its time counts instead of the one of `run`.
    clock: Option<Clock>,
}

impl<'a, 'b> Driver<'a, 'b> {
    /// A driver that runs each batch with the options `run`.
    pub(super) fn new(instep: &'a Instep, run: RunOptions, reporter: &'a mut Reporter<'b>) -> Self {
        Self {
            reported: ReportedRun::new(instep.clone(), reporter),
            run,
            pending: HashMap::new(),
            sent: HashMap::new(),
            clock: None,
        }
    }

    /// A driver for which the stack's time counts.
    pub(super) fn with_clock(self, clock: &Clock) -> Self {
        Self { clock: Some(clock.clone()), ..self }
    }

    /// Instep.
    pub(super) const fn instep(&self) -> &Instep {
        &self.reported.instep
    }

    /// The options of a run that begins now.
    pub(super) fn run(&self) -> RunOptions {
        let now = self.clock.as_ref().map_or(self.run.now, Clock::now);
        RunOptions { now, ..self.run.clone() }
    }

    /// The writer of the report.
    pub(super) fn reporter(&mut self) -> &mut Reporter<'b> {
        self.reported.reporter
    }

    /// Expects the record of a captured change that was written under `key`: the key's next record.
    pub(super) fn expect(&mut self, key: Key, pending: Pending) {
        self.pending.entry(key).or_default().push_back(pending);
    }

    /// Notes that a captured record was sent to the work queue.
    pub(super) fn sent(&mut self, raw: &RawValue, file: &str) {
        self.sent.entry(self.place_of(raw)).or_default().push_back(file.to_owned());
    }

    fn place_of(&self, raw: &RawValue) -> (Option<String>, Option<Key>) {
        let record = StreamRecord::parse(raw);
        (record.sequence().map(str::to_owned), record.key(self.reported.table()))
    }

    /// Delivers what the stream and the work queue contain, until both are empty.
    pub(super) async fn drain(&mut self, pump: &mut Pump, queue: &mut QueuePump) -> miette::Result<()> {
        loop {
            self.drain_stream(pump).await?;
            // INVARIANT 8: work ends, and so do the writes that it causes.
            if self.drain_queue(queue).await? == 0 {
                break;
            }
        }
        self.close()
    }

    /// Ends the deliveries.
    pub(super) fn close(&mut self) -> miette::Result<()> {
        self.reported.close()?;
        self.without_record()
    }

    /// Returns the error of the output, if there was one.
    pub(super) fn failed(&mut self) -> miette::Result<()> {
        self.reported.failed()
    }

    /// Delivers the messages of the work queue, and returns the number of batches.
    pub(super) async fn drain_queue(&mut self, queue: &mut QueuePump) -> miette::Result<u64> {
        let drained = queue.drain(self).await;
        self.failed()?;
        let drained = drained.into_diagnostic()?;
        let dead = drained.dead_letters.len();
        if dead > 0 {
            tracing::warn!(messages = dead, "work messages failed too often and were moved to the dead-letter queue");
            self.reported.reporter.left_before(dead);
        }
        Ok(drained.batches)
    }

    async fn drain_stream(&mut self, pump: &mut Pump) -> miette::Result<()> {
        let drained = pump.drain(self).await;
        self.failed()?;
        let drained = drained.into_diagnostic()?;
        for given_up in &drained.given_up {
            tracing::warn!(
                records = given_up.records.len(),
                condition = given_up.condition,
                "a batch was given up; its event is stored as an on-failure object"
            );
        }
        Ok(())
    }

    /// Reports writes without a stream record: they changed nothing.
    fn without_record(&mut self) -> miette::Result<()> {
        let left: BTreeMap<Key, VecDeque<Pending>> = std::mem::take(&mut self.pending).into_iter().collect();
        for Pending { file, captured } in left.into_values().flatten() {
            let is_deletion = matches!(StreamRecord::parse(&captured).event, Some(Ok(RecordKind::Remove)));
            let why = if is_deletion { "the table had no such item" } else { "the table already had this item" };
            skipped(self.reported.reporter, &captured, &file, why)?;
        }
        Ok(())
    }

    /// Assigns records to captured changes: each key's first record belongs to the captured change
    /// that expects it, because Instep's own writes come later.
    fn delivered_records<'r>(&mut self, records: &'r [Box<RawValue>]) -> Vec<DeliveredRecord<'r>> {
        let mut delivered = |raw: &'r RawValue| {
            let record = StreamRecord::parse(raw);
            let id = record.sequence().unwrap_or_default().to_owned();
            // A record that is delivered again is the same record. The key's next captured change
            // still expects its own.
            let is_new = !self.reported.knows(&id);
            let pending = record.key(self.reported.table()).filter(|_| is_new).and_then(|key| {
                let expected = self.pending.get_mut(&key)?;
                let next = expected.pop_front();
                if expected.is_empty() {
                    self.pending.remove(&key);
                }
                next
            });
            let file = pending.map(|pending| pending.file);
            DeliveredRecord { id, raw, file: file.or_else(|| record.is_ttl().then(|| EXPIRED.to_owned())) }
        };
        records.iter().map(|raw| delivered(raw)).collect()
    }
}

impl Handler for Driver<'_, '_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let run = self.run();
        let report = self.reported.handle(records, &run).await;
        let failed = report.retried();
        let delivered = self.delivered_records(records);
        self.reported.report(delivered, report);
        Ok(failed)
    }
}

impl QueueHandler for Driver<'_, '_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let WorkReport { failed, report, entries, .. } = self.reported.instep.work(messages, &self.run()).await;
        let mut delivered = Vec::with_capacity(entries.len());
        for (entry, record) in entries.iter().zip(&report.records) {
            let id = work_id(messages, entry);
            let is_new = !self.reported.knows(&id);
            let is_work = record.work.is_some();
            let file = if is_work || !is_new {
                None
            } else {
                let place = self.place_of(&entry.raw);
                self.sent.get_mut(&place).and_then(VecDeque::pop_front)
            };
            delivered.push(DeliveredRecord { id, raw: &entry.raw, file });
        }
        self.reported.report(delivered, report);
        Ok(failed)
    }
}

/// Reports a captured record without consequences.
pub(super) fn skipped(reporter: &mut Reporter<'_>, raw: &RawValue, file: &str, why: &str) -> miette::Result<()> {
    let record = StreamRecord::parse(raw);
    let n = reporter.next_n();
    let (sequence, time, outcome, why) = (record.sequence(), record.recorded_at(), LineOutcome::Skipped, Some(why));
    reporter.record(&RecordLine { sequence, time, outcome, why, ..RecordLine::nothing(n, file) })
}
