//! The whole flow over one batch: decode, plan, read, reconcile, apply, publish, report.

mod attempts;
mod entries;
mod replace;
mod time;
mod tracker;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use instep_flow::entries::EntryId;
use instep_flow::events::{Publishing, events, window_events};
use instep_flow::plan::Plan;
use instep_flow::reconcile::{Attempted, Next, Reconciler, RunOutcome};
use instep_flow::report::{EffectReport, EventReport, Report};
use instep_flow::work::Origin;
use instep_model::Object;
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::time::Instant;

pub use entries::QueueMessage;
use entries::{BatchEntry, plan};
use tracker::{Tracker, Unhandled};

use crate::call::CallFailure;
use crate::codes::noting_unlisted;
use crate::instep::Instep;
use crate::part::own_keys;
use crate::publish::ToPublish;
use crate::run_options::RunOptions;

/// The outcome of messages of the work queue.
#[derive(Debug, Default)]
pub struct WorkReport {
    /// The ids of the messages that must be delivered again.
    pub failed: Vec<String>,
    /// The report, with a record report for each record and for each other message.
    pub report: Report,
    /// For each record report, what it is about.
    pub entries: Vec<WorkEntry>,
    /// The earliest moment that has come and whose message is handled.
    pub due: Option<Timestamp>,
    /// The places of messages that are replaced by new ones, so they need not be delivered again.
    pub replaced: BTreeSet<usize>,
}

/// A record in a message of the work queue, or another message.
#[derive(Debug)]
pub struct WorkEntry {
    /// The place of its message.
    pub message: usize,
    /// Its place among the records of its message.
    pub nth: usize,
    /// The record, or the text of the message.
    pub raw: Box<RawValue>,
}

impl Instep {
    /// Reconciles the objects that stream records (in Lambda's form) name, parks what can never be
    /// handled, and publishes. It never fails as a whole: the report has the outcome of each
    /// record, and [`Report::retry_from`] the first record that Lambda must deliver again. If the
    /// time until [`RunOptions::deadline`] is too short, it handles as many of the first records as fit.
    pub async fn handle(&self, records: &[Box<RawValue>], run: &RunOptions) -> Report {
        let entries: Vec<BatchEntry> = records.iter().map(|raw| BatchEntry::stream(raw)).collect();
        let ((mut report, _), unlisted) = noting_unlisted(self.entries(&entries, run)).await;
        report.unlisted = unlisted;
        report
    }

    /// Handles messages of the work queue.
    pub async fn work(&self, messages: &[QueueMessage], run: &RunOptions) -> WorkReport {
        let (mut work, unlisted) = noting_unlisted(self.messages(messages, run)).await;
        work.report.unlisted = unlisted;
        work
    }

    async fn messages(&self, messages: &[QueueMessage], run: &RunOptions) -> WorkReport {
        let (mut entries, mut of) = (Vec::new(), Vec::new());
        let (mut all, mut left) = (Vec::with_capacity(messages.len()), Vec::new());
        for (place, message) in messages.iter().enumerate() {
            match self.entries_of(message, run).await {
                Some(own) => all.push((place, own)),
                None => left.push(message.id.clone()),
            }
        }
        // INVARIANT 8: what was delivered before comes first. A run without enough time for it may have sent
        // a message, which would go first each time, without end.
        all.sort_by_key(|(_, own)| !own.iter().any(BatchEntry::was_delivered_before));
        for (place, own) in all {
            of.extend(std::iter::repeat_n(place, own.len()));
            entries.extend(own);
        }
        let (report, attempted) = self.entries(&entries, run).await;
        let replaced = self.replace(messages, &of, &report, attempted, run).await;
        let done = entries.iter().zip(&report.records).filter(|(_, record)| !record.outcome.is_retry());
        let due = done.flat_map(|(entry, _)| entry.moments()).min();
        let failed: BTreeSet<usize> =
            report.records.iter().zip(&of).filter(|(record, _)| record.outcome.is_retry()).map(|(_, of)| *of).collect();
        let failed = failed.difference(&replaced);
        let failed = failed.filter_map(|place| Some(messages.get(*place)?.id.clone())).chain(left).collect();
        let work_entry = |(place, message): (usize, usize)| {
            let first = of.iter().position(|of| *of == message).unwrap_or_default();
            let raw = entries.get(place)?.raw().to_owned();
            Some(WorkEntry { message, nth: place.saturating_sub(first), raw })
        };
        let entries = of.iter().copied().enumerate().filter_map(work_entry).collect();
        WorkReport { failed, report, entries, due, replaced }
    }

    /// Handles entries. Returns the first one with an effect that failed, too, and what was attempted.
    async fn batch(&self, entries: &[BatchEntry<'_>], run: &RunOptions) -> (Report, Option<EntryId>, Attempted) {
        let mut report = Report::default();
        let work = RunOptions { deadline: run.deadline.map(time::work_until), ..run.clone() };
        let meanings = self.meanings(entries, &work).await;
        let mut plan = plan(self.model_of_batches(), entries, &meanings);
        self.look_back_from(&mut plan, entries, &meanings);
        let hops: Vec<u32> = entries.iter().map(|entry| entry.history().hops).collect();
        let reconciled = self.reconcile(plan, &hops, &work, &mut report.effects).await;
        report.conflicts = reconciled.conflicts.len();
        for finding in &reconciled.findings {
            let item = self.model.item(finding.of).name.clone();
            *report.findings.entry((finding.kind, item)).or_default() += finding.count;
        }
        let mut tracker = Tracker::new(&self.model, entries, meanings);
        for (refused, code, reason) in &reconciled.refused {
            for entry in refused {
                tracker.mark_unhandled(entry, &Unhandled::Refused { code, reason: reason.clone() });
            }
        }
        if let Some(why) = &reconciled.failed {
            tracker.all_failed(why);
        }
        if run.dry_run {
            report.events = self.due_events(&tracker, &reconciled, run).into_iter().map(|due| due.event).collect();
        } else {
            self.close(&mut tracker, &reconciled, run, &mut report.events).await;
        }
        report.records = tracker.into_reports(reconciled.notes);
        (report, reconciled.failed_from, reconciled.attempted)
    }

    /// Drives the reconcile loop: reads and applies what it requests.
    async fn reconcile(
        &self,
        plan: Plan,
        hops: &[u32],
        run: &RunOptions,
        reports: &mut Vec<EffectReport>,
    ) -> RunOutcome {
        let started = Instant::now();
        if plan.is_empty() {
            return RunOutcome::default();
        }
        if let Err(failure) = self.write_references(&plan, run).await {
            return RunOutcome { failed: Some(failure.words("BatchWriteItem")), ..RunOutcome::default() };
        }
        let own = own_keys(&self.model, &plan);
        let mut reconciler = Reconciler::new(self.model_of_batches(), plan, run.now);
        // INVARIANT 8: the loop limits its own rounds.
        loop {
            match reconciler.next() {
                Next::Read(asks) => match Box::pin(self.read_parts(&asks, Some(&own), run)).await {
                    Ok(answers) => reconciler.answer(answers, run.passed_since(started)),
                    Err(why) => reconciler.read_failed(why),
                },
                Next::Apply(effects) => {
                    for (effect, entries, applied) in Box::pin(self.apply(effects, hops, run, reports)).await {
                        reconciler.applied(&effect, &entries, applied);
                    }
                }
                Next::Done(reconciled) => return reconciled,
            }
        }
    }

    /// INVARIANT 2: a back-reference is written before the object that it refers to is read, so
    /// that of two racing sides one sees the other.
    pub(crate) async fn write_references(&self, plan: &Plan, run: &RunOptions) -> Result<(), CallFailure> {
        if run.dry_run {
            return Ok(());
        }
        let items: Vec<_> = plan.references.values().map(|(item, _)| item).collect();
        self.table.put_all(&items, run.deadline).await
    }

    /// Parks and publishes. An event with `parked` is published after the queue has acknowledged
    /// the record.
    async fn close(
        &self,
        tracker: &mut Tracker<'_>,
        reconciled: &RunOutcome,
        run: &RunOptions,
        published: &mut Vec<EventReport>,
    ) {
        self.park_all(tracker, run).await;
        self.publish_all(tracker, reconciled, run, published).await;
        // If the bus can never accept an event, its record is parked.
        self.park_all(tracker, run).await;
    }

    async fn park_all(&self, tracker: &mut Tracker<'_>, run: &RunOptions) {
        let unparked = self.queue.park(tracker.to_park(), run).await;
        for record in unparked {
            tracker.mark_unhandled(record.entry, &Unhandled::Failed(record.why));
        }
        tracker.all_parked();
    }

    /// The events of the records that are done or parked, and of the windows that time opened or
    /// closed.
    fn due_events(&self, tracker: &Tracker<'_>, reconciled: &RunOutcome, run: &RunOptions) -> Vec<ToPublish> {
        let mut due = Vec::new();
        if !run.publish {
            return due;
        }
        for (record, parked, origin, change) in tracker.to_publish() {
            let lost: Vec<_> = reconciled.conflicts.iter().filter(|conflict| conflict.record == record).collect();
            // What failed was not published before, or only as parked, or it would not be handled again.
            let replay = origin == Origin::Captured;
            let publishing =
                Publishing { bus: &self.settings.bus, replay, parked, tenants: &reconciled.tenants, snapshot: None };
            let others = reconciled.others.get(&record).map(Vec::as_slice).unwrap_or_default();
            let entries = events(&self.model, change, &lost, others, publishing);
            let item = hash(&change.object);
            due.extend(entries.into_iter().map(|entry| ToPublish { item, event: EventReport { record, entry } }));
        }
        let bus = &self.settings.bus;
        let publishing = Publishing { bus, replay: false, parked: false, tenants: &reconciled.tenants, snapshot: None };
        for change in reconciled.window_changes.iter().filter(|change| tracker.is_handled(change.entry)) {
            let entries = window_events(&self.model, change, publishing);
            let (item, record) = (hash(&change.object), change.entry);
            due.extend(entries.into_iter().map(|entry| ToPublish { item, event: EventReport { record, entry } }));
        }
        due
    }

    async fn publish_all(
        &self,
        tracker: &mut Tracker<'_>,
        reconciled: &RunOutcome,
        run: &RunOptions,
        published: &mut Vec<EventReport>,
    ) {
        let due = self.due_events(tracker, reconciled, run);
        for event in self.bus.publish(due, run, published).await {
            let unhandled = if event.permanent {
                Unhandled::Refused { code: "event-refused", reason: event.why }
            } else {
                Unhandled::Failed(event.why)
            };
            tracker.mark_unhandled(event.record, &unhandled);
        }
    }
}

fn hash(object: &Object) -> u64 {
    let mut hasher = DefaultHasher::new();
    object.hash(&mut hasher);
    hasher.finish()
}
