//! The handler behind the pump: runs the flow over each batch of the embedded table's stream, and tells what came of it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use instep_aws::{Delivered, Instep, Run, WorkReport};
use instep_flow::report::Outcome as Became;
use instep_flow::stream_record::StreamRecord;
use instep_local::{Handler, Pump, QueueHandler, QueuePump};
use instep_model::{Key, Table};
use miette::IntoDiagnostic as _;
use serde_json::value::RawValue;

use crate::tell::ledger::{Ledger, Slot};
use crate::tell::{Outcome, Record, Teller};

/// A captured change that was written and whose record the stream has not brought yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) file: String,
    pub(super) captured: Box<RawValue>,
}

/// Runs the flow over what the pump brings.
pub(super) struct Driver<'a, 'b> {
    instep: &'a Instep,
    table: &'a Table,
    run: Run,
    teller: &'a mut Teller<'b>,
    pending: HashMap<Key, VecDeque<Pending>>,
    /// Files of the captured records that were sent to the work queue, by sequence number and key.
    sent: HashMap<(Option<String>, Option<Key>), VecDeque<String>>,
    ledger: Ledger,
    tries: u64,
    /// The output failed: nothing is told any more, but the batch under way is finished.
    failed: Option<miette::Report>,
}

impl<'a, 'b> Driver<'a, 'b> {
    /// A driver that runs each batch as `run` says.
    pub(super) fn new(instep: &'a Instep, table: &'a Table, run: Run, teller: &'a mut Teller<'b>) -> Self {
        Self {
            instep,
            table,
            run,
            teller,
            pending: HashMap::new(),
            sent: HashMap::new(),
            ledger: Ledger::default(),
            tries: 0,
            failed: None,
        }
    }

    /// Who is told.
    pub(super) fn teller(&mut self) -> &mut Teller<'b> {
        self.teller
    }

    /// A captured change was written under `key`: the key's next record is its.
    pub(super) fn expect(&mut self, key: Key, pending: Pending) {
        self.pending.entry(key).or_default().push_back(pending);
    }

    /// A captured record was sent to the work queue: the record there is this one.
    pub(super) fn sent(&mut self, raw: &RawValue, file: &str) {
        self.sent.entry(self.place_of(raw)).or_default().push_back(file.to_owned());
    }

    fn place_of(&self, raw: &RawValue) -> (Option<String>, Option<Key>) {
        let record = StreamRecord::parse(raw);
        (record.sequence().map(str::to_owned), record.key(self.table))
    }

    /// Delivers what the stream and the work queue hold until both are at rest.
    ///
    /// # Errors
    /// The stream or the queue cannot be read or does not come to rest, or the output cannot be written.
    pub(super) async fn drain(&mut self, pump: &mut Pump, queue: &mut QueuePump) -> miette::Result<()> {
        loop {
            self.drain_stream(pump).await?;
            // INVARIANT 8: work ends, and so do the writes that it leads to.
            if self.drain_queue(queue).await? == 0 {
                break;
            }
        }
        self.close()
    }

    /// Nothing is delivered any more.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(super) fn close(&mut self) -> miette::Result<()> {
        self.ledger.close(self.teller)?;
        self.without_record()
    }

    /// What kept the output from being written.
    ///
    /// # Errors
    /// That.
    pub(super) fn failed(&mut self) -> miette::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// The id of a message that is handed over and never sent.
    pub(super) fn next_try(&mut self) -> String {
        self.tries += 1;
        format!("dry run {}", self.tries)
    }

    /// Delivers what the work queue holds, and says how many batches that were.
    ///
    /// # Errors
    /// The queue cannot be read or does not come to rest, or the output cannot be written.
    pub(super) async fn drain_queue(&mut self, queue: &mut QueuePump) -> miette::Result<u64> {
        let drained = queue.drain(self).await;
        self.failed()?;
        let drained = drained.into_diagnostic()?;
        let dead = drained.dead_letters.len();
        if dead > 0 {
            tracing::warn!(messages = dead, "work messages failed too often and are dead letters now");
            self.teller.left_before(dead);
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
                "a batch was given up; its event is kept as on-failure object"
            );
        }
        Ok(())
    }

    /// Writes that the stream says nothing of: the table held this already.
    fn without_record(&mut self) -> miette::Result<()> {
        let left: BTreeMap<Key, VecDeque<Pending>> = std::mem::take(&mut self.pending).into_iter().collect();
        for Pending { file, captured } in left.into_values().flatten() {
            skipped(self.teller, &captured, &file, "the table held this already")?;
        }
        Ok(())
    }

    /// Whose records these are: each key's first belongs to the captured change that waits for it, for Instep's own
    /// writes come only after it.
    fn slots<'r>(&mut self, records: &'r [Box<RawValue>]) -> Vec<Slot<'r>> {
        let mut slot = |raw: &'r RawValue| {
            let record = StreamRecord::parse(raw);
            let id = record.sequence().unwrap_or_default().to_owned();
            // Delivered again, it is the same record still, and the key's next captured change waits on.
            let is_new = !self.ledger.knows(&id);
            let pending = record.key(self.table).filter(|_| is_new).and_then(|key| {
                let waiting = self.pending.get_mut(&key)?;
                let next = waiting.pop_front();
                if waiting.is_empty() {
                    self.pending.remove(&key);
                }
                next
            });
            Slot { id, raw, file: pending.map(|pending| pending.file) }
        };
        records.iter().map(|raw| slot(raw)).collect()
    }
}

impl Handler for Driver<'_, '_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let report = self.instep.handle(records, &self.run).await;
        let failed = report
            .records
            .iter()
            .filter(|record| matches!(record.outcome, Became::Retry { .. }))
            .map(|record| record.sequence.clone().unwrap_or_default())
            .collect();
        let slots = self.slots(records);
        if self.failed.is_none()
            && let Err(error) = self.ledger.tell(self.teller, slots, report)
        {
            self.failed = Some(error);
        }
        Ok(failed)
    }
}

impl QueueHandler for Driver<'_, '_> {
    async fn handle(&mut self, messages: &[Delivered]) -> Result<Vec<String>, String> {
        let WorkReport { failed, report, messages: of, raw } = self.instep.work(messages, &self.run).await;
        let mut slots = Vec::with_capacity(raw.len());
        for (place, (raw, message)) in raw.iter().zip(&of).enumerate() {
            let message = messages.get(*message).map_or("", |message| message.id.as_str());
            let first = of.iter().position(|other| other == of.get(place).unwrap_or(other)).unwrap_or_default();
            let id = format!("{message}/{}", place - first);
            let is_new = !self.ledger.knows(&id);
            let is_work = report.records.get(place).is_some_and(|record| record.work.is_some());
            let file = if is_work || !is_new {
                None
            } else {
                let place = self.place_of(raw);
                self.sent.get_mut(&place).and_then(VecDeque::pop_front)
            };
            slots.push(Slot { id, raw, file });
        }
        if self.failed.is_none()
            && let Err(error) = self.ledger.tell(self.teller, slots, report)
        {
            self.failed = Some(error);
        }
        Ok(failed)
    }
}

/// A captured record from which nothing follows.
///
/// # Errors
/// The output cannot be written.
pub(super) fn skipped(teller: &mut Teller<'_>, raw: &RawValue, file: &str, why: &str) -> miette::Result<()> {
    let record = StreamRecord::parse(raw);
    let n = teller.next_n();
    teller.record(&Record {
        n,
        sequence: record.sequence(),
        time: record.recorded_at(),
        change: None,
        outcome: Outcome::Skipped,
        why: Some(why),
        work: None,
        file: Some(file),
    })
}
