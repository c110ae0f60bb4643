//! Repairs: the work messages that a sweep sends.

use std::collections::BTreeSet;

use instep_flow::queries;
use instep_flow::stream_record::StreamRecord;
use instep_flow::sweep::{Difference, DifferenceKind, ItemsPlan, Repair, SweepTally, is_guard};
use instep_flow::work::{Leftovers, NamedObject, OBJECTS_MAX, Work};
use instep_model::{Item, Key};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{SweepListener, SweepProgress};
use crate::instep::Instep;
use crate::run_options::RunOptions;
use crate::scan::{as_deleted, as_found};
use crate::send_work::{RECORD_BYTES_MAX, Sending};

/// How fast the clock of a person's machine may be: AWS refuses requests from one that is faster. A moment
/// that is sent before it has come is lost. Source: AWS General Reference, "Troubleshooting Signature
/// Version 4 signing".
const CLOCKS_DIFFER_BY: SignedDuration = SignedDuration::from_mins(5);

/// What some differences ask for, each once.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Repairs {
    keys: BTreeSet<Key>,
    named: BTreeSet<NamedObject>,
    extra: BTreeSet<Leftovers>,
    /// The clock is behind.
    is_late: bool,
    /// The differences that these repair.
    count: usize,
}

impl Repairs {
    /// The repairs of some differences.
    pub(super) fn of(differences: &[Difference]) -> Self {
        let mut repairs = Self::default();
        for difference in differences {
            repairs.count += usize::from(difference.is_repairable());
            match &difference.repair {
                Repair::Items(of) => repairs.keys.extend(of.iter().cloned()),
                Repair::Named(object) => drop(repairs.named.insert(object.clone())),
                Repair::Extra(more) => drop(repairs.extra.insert(more.clone())),
                Repair::Clock => repairs.is_late = true,
                Repair::Report(_) => {}
            }
        }
        repairs
    }

    /// Those that delete no items of Instep's own.
    pub(super) fn without_own(mut self) -> Self {
        let all = self.extra.len();
        self.extra.retain(|extra| extra.bookkeeping.is_empty());
        self.count = self.count.saturating_sub(all - self.extra.len());
        self
    }
}

/// The items of which some differences say that back-references are missing.
pub(super) fn lost_references(differences: &[Difference]) -> BTreeSet<Key> {
    let lost = differences.iter().filter(|difference| difference.kind == DifferenceKind::Bookkeeping);
    let keys = lost.filter_map(|difference| match &difference.repair {
        Repair::Items(keys) => Some(keys.iter().cloned()),
        Repair::Named(_) | Repair::Extra(_) | Repair::Clock | Repair::Report(_) => None,
    });
    keys.flatten().collect()
}

impl Instep {
    /// Writes the back-references of items that lack some. INVARIANT 2: this precedes all repairs, because a
    /// run over an extra membership may find the items that imply it only by their back-references. A
    /// reference that nothing needs by now is deleted by the run over its item.
    pub(super) async fn write_lost_references(&self, keys: &BTreeSet<Key>, run: &RunOptions) -> Result<(), String> {
        let items = self.items_at(keys, run).await?;
        let page = ItemsPlan::new(&self.model, items, run.now);
        self.write_references(&page.plan, run).await.map_err(|failure| failure.words("BatchWriteItem"))
    }

    /// Sends records of items that a sweep or a backfill has read. They publish nothing, because nothing was written
    /// now. Returns how many it left out.
    ///
    /// INVARIANT 6: an item that the queue refuses for good harms itself only.
    pub(super) async fn send_found(
        &self,
        records: &[Box<RawValue>],
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<u64, String> {
        let refused: Vec<&RawValue> = if run.dry_run {
            let has_bucket = self.settings.parking.is_some();
            let is_refused = |record: &&RawValue| record.get().len() > RECORD_BYTES_MAX && !has_bucket;
            records.iter().map(AsRef::as_ref).filter(is_refused).collect()
        } else {
            let sending = Sending { publish: false, adopt_before: run.adopt_before, ..Sending::REPLAY };
            let sent = self.send_records(records, sending, run).await;
            let unsent = sent.err().unwrap_or_default();
            if let Some(why) = unsent.failed {
                return Err(why);
            }
            unsent.refused.iter().filter_map(|(place, _)| records.get(*place).map(AsRef::as_ref)).collect()
        };
        for record in &refused {
            let key = StreamRecord::parse(record).keys.and_then(|keys| self.model.table.key_of(&keys));
            listener(SweepProgress::LeftOut(key.map(|key| queries::label(&self.model, &key)).unwrap_or_default()));
        }
        Ok(refused.len() as u64)
    }

    /// Sends repairs. Counts the differences that they repair, and the items that were left out.
    pub(super) async fn repair(
        &self,
        repairs: &Repairs,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<SweepTally, String> {
        let Repairs { keys, named, extra, is_late, count } = repairs;
        if *is_late && let Ok(now) = run.now.checked_sub(CLOCKS_DIFFER_BY) {
            self.tick(&RunOptions { now, ..run.clone() }).await?;
        }
        let items: Vec<Item> = self.items_at(keys, run).await?;
        let is_guard = |item: &Item| self.model.table.key_of(item).is_some_and(|key| is_guard(&self.model, &key));
        let record = |item: &Item| {
            if is_guard(item) { as_deleted(&self.model, item) } else { as_found(&self.model, item) }
        };
        let records: Vec<_> = items.iter().filter_map(record).collect();
        let left_out = self.send_found(&records, run, listener).await?;
        let mut work: Vec<Work> = Vec::new();
        let named: Vec<&NamedObject> = named.iter().collect();
        work.extend(named.chunks(OBJECTS_MAX).map(|chunk| Work::Reconcile(chunk.iter().copied().cloned().collect())));
        let extra: Vec<&Leftovers> = extra.iter().collect();
        work.extend(extra.chunks(OBJECTS_MAX).map(|chunk| {
            let all = chunk.iter().copied().cloned();
            Work::Extra(all.fold(Leftovers::default(), Leftovers::with))
        }));
        let message = |work| self.queue.message(0, run, work, false);
        self.queue.send_work(work.into_iter().map(message).collect(), run).await?;
        // An item that was left out has at least one of the differences.
        Ok(SweepTally { sent: (*count as u64).saturating_sub(left_out), left_out, ..SweepTally::default() })
    }
}
