//! The state of each record of a batch, from decoding to the report.

use std::collections::{BTreeMap, BTreeSet};

use std::sync::Arc;

use instep_flow::decode::{Change, Decoded, Reject};
use instep_flow::entries::EntryId;
use instep_flow::mask;
use instep_flow::report::{ChangeReport, Outcome, Parked, RecordReport};
use instep_flow::stream_record;
use instep_flow::work::Origin;
use instep_model::Model;

use super::entries::{BatchEntry, Meaning};
use crate::park::ToPark;

/// The entries of a batch.
pub(super) struct Tracker<'a> {
    model: &'a Model,
    all: Vec<TrackedEntry<'a>>,
}

struct TrackedEntry<'a> {
    entry: &'a BatchEntry<'a>,
    change: Option<Arc<Change>>,
    state: State,
}

/// Why an entry cannot be reported as handled.
pub(super) enum Unhandled {
    /// A service failed: it must be delivered again.
    Failed(String),
    /// It can never be handled.
    Refused {
        /// A stable code.
        code: &'static str,
        /// What is wrong and how to fix it.
        reason: String,
    },
}

enum State {
    Handled,
    Skipped(&'static str),
    Parked {
        parked: Box<Parked>,
        /// The queue has acknowledged it.
        acknowledged: bool,
    },
    Retry(String),
}

impl<'a> Tracker<'a> {
    pub(super) fn new(model: &'a Model, entries: &'a [BatchEntry<'a>], meanings: Vec<Meaning>) -> Self {
        let tracked = |(entry, meaning)| TrackedEntry::new(model, entry, meaning);
        let mut all = Self { model, all: entries.iter().zip(meanings).map(tracked).collect() };
        let retries = |tracked: &TrackedEntry<'_>| matches!(tracked.state, State::Retry(_));
        if let Some(first) = all.all.iter().position(retries) {
            all.retry_from(EntryId(first), "a record could not be fetched");
        }
        all
    }

    /// A failing service takes precedence over a record that can never be handled, because the next
    /// attempt may decide otherwise about that record. Lambda delivers the first record that needs
    /// a retry again, and everything after it.
    pub(super) fn mark_unhandled(&mut self, entry: EntryId, unhandled: &Unhandled) {
        match unhandled {
            Unhandled::Failed(why) => self.retry_from(entry, why),
            Unhandled::Refused { code, reason } => {
                let Some(tracked) = self.all.get_mut(entry.0) else { return };
                if matches!(tracked.state, State::Handled | State::Skipped(_)) {
                    tracked.state = State::parked(self.model, tracked.entry, code, reason.clone());
                }
            }
        }
    }

    /// A call failed: everything must be delivered again, because earlier records may depend on a
    /// read that the failure prevented.
    pub(super) fn all_failed(&mut self, why: &str) {
        self.retry_from(EntryId(0), why);
    }

    fn retry_from(&mut self, first: EntryId, why: &str) {
        for (at, tracked) in self.all.iter_mut().enumerate().skip(first.0) {
            if !matches!(tracked.state, State::Retry(_)) {
                let why = if at == first.0 { why } else { "an entry before it is to be retried" };
                tracked.state = State::Retry(why.to_owned());
            }
        }
    }

    /// Records that must be parked and are not parked yet.
    pub(super) fn to_park(&self) -> Vec<ToPark<'_>> {
        let entries = self.all.iter().enumerate();
        let due = entries.filter_map(|(place, tracked)| match &tracked.state {
            State::Parked { parked, acknowledged: false } => {
                let (sequence, redrives) = (tracked.sequence(), tracked.entry.history().redrives);
                Some(ToPark {
                    entry: EntryId(place),
                    sequence,
                    redrives,
                    provenance: tracked.entry.provenance(),
                    parked,
                })
            }
            State::Parked { .. } | State::Handled | State::Skipped(_) | State::Retry(_) => None,
        });
        due.collect()
    }

    /// Marks the records that had to be parked, and did not change state since, as parked.
    pub(super) fn all_parked(&mut self) {
        for tracked in &mut self.all {
            if let State::Parked { acknowledged, .. } = &mut tracked.state {
                *acknowledged = true;
            }
        }
    }

    /// The changes whose events must be published, with their entries, and whether their records are
    /// parked. INVARIANT 4: no event before its effects. A record that needs a retry, and all after
    /// it, are delivered again.
    pub(super) fn to_publish(&self) -> Vec<(EntryId, bool, Origin, &Change)> {
        let entries = self.all.iter().enumerate();
        let due = entries.take_while(|(_, tracked)| !matches!(tracked.state, State::Retry(_)));
        let published = due.filter(|(_, tracked)| tracked.entry.is_published());
        published
            .filter_map(|(place, tracked)| match tracked.state {
                State::Handled => Some((EntryId(place), false, tracked.entry.origin(), tracked.change.as_deref()?)),
                State::Parked { .. } => {
                    Some((EntryId(place), true, tracked.entry.origin(), tracked.change.as_deref()?))
                }
                State::Skipped(_) | State::Retry(_) => None,
            })
            .collect()
    }

    /// Whether what an entry asks for is done.
    pub(super) fn is_handled(&self, entry: EntryId) -> bool {
        self.all.get(entry.0).is_some_and(|tracked| matches!(tracked.state, State::Handled))
    }

    /// The report of each record. `notes` are remarks on entries.
    pub(super) fn into_reports(self, notes: BTreeSet<(EntryId, String)>) -> Vec<RecordReport> {
        let model = self.model;
        let mut of: BTreeMap<EntryId, Vec<String>> = BTreeMap::new();
        for (entry, note) in notes {
            of.entry(entry).or_default().push(note);
        }
        let report = |(place, tracked): (usize, TrackedEntry<'_>)| {
            tracked.into_report(model, of.remove(&EntryId(place)).unwrap_or_default())
        };
        self.all.into_iter().enumerate().map(report).collect()
    }
}

impl<'a> TrackedEntry<'a> {
    fn new(model: &Model, entry: &'a BatchEntry<'a>, meaning: Meaning) -> Self {
        let (change, state) = match meaning {
            Meaning::Record(Ok(Decoded::Change(change))) => (Some(change), State::Handled),
            Meaning::Record(Ok(Decoded::Bookkeeping(_))) => (None, State::Skipped("Instep's own bookkeeping")),
            Meaning::Record(Ok(Decoded::Nothing(why))) => (None, State::Skipped(why)),
            Meaning::Record(Err(Reject { code, reason, change, .. })) => {
                (change, State::parked(model, entry, code, reason))
            }
            Meaning::Work => (None, State::Handled),
            Meaning::Unread(why) => (None, State::Retry(why)),
        };
        Self { entry, change, state }
    }

    /// The record's sequence number. Even a record that could not be decoded may have one.
    fn sequence(&self) -> Option<String> {
        self.change.as_ref().map(|change| change.sequence.clone()).or_else(|| stream_record::sequence(self.entry.raw()))
    }

    fn into_report(self, model: &Model, notes: Vec<String>) -> RecordReport {
        let sequence = match self.state {
            State::Parked { .. } | State::Retry(_) => self.sequence(),
            State::Handled | State::Skipped(_) => self.change.as_ref().map(|change| change.sequence.clone()),
        };
        let change = self.change.as_ref().map(|change| change_report(model, change, notes));
        let outcome = match self.state {
            State::Handled => Outcome::Handled,
            State::Skipped(why) => Outcome::Skipped { why },
            State::Retry(why) => Outcome::Retry { why },
            State::Parked { parked, .. } => Outcome::Parked(parked),
        };
        let work = match self.entry {
            BatchEntry::Work { work, .. } => Some(work.summary()),
            BatchEntry::Record { .. } | BatchEntry::Bad { .. } | BatchEntry::Unread { .. } => None,
        };
        RecordReport { sequence, change, work, outcome }
    }
}

impl State {
    fn parked(model: &Model, entry: &BatchEntry<'_>, code: &'static str, reason: String) -> Self {
        let record = match entry {
            BatchEntry::Record { raw, .. } => mask::record(model, raw),
            BatchEntry::Work { raw, .. } => mask::message(model, raw),
            BatchEntry::Bad { raw, .. } | BatchEntry::Unread { raw, .. } => mask::text(model, raw),
        };
        let parked = Box::new(Parked { code, reason, record });
        Self::Parked { parked, acknowledged: false }
    }
}

fn change_report(model: &Model, change: &Change, notes: Vec<String>) -> ChangeReport {
    let ty = model.item(change.object.of);
    let verb = match (&change.old, &change.new) {
        (None, _) => "created",
        (_, None) => "deleted",
        (Some(_), Some(_)) => "updated",
    };
    let old = change.old.iter().flatten();
    let new = change.new.iter().flatten();
    let mut changed: Vec<String> = match (&change.old, &change.new) {
        (Some(before), Some(after)) => old
            .chain(new)
            .filter(|(name, _)| before.get(*name) != after.get(*name))
            .map(|(name, _)| name.clone())
            .collect(),
        (_, _) => Vec::new(),
    };
    changed.sort();
    changed.dedup();
    let id = if ty.secret { String::new() } else { model.id_text(&change.object) };
    ChangeReport {
        item: ty.name.clone(),
        id,
        verb,
        changed,
        notes: change.notes.iter().cloned().chain(notes).collect(),
    }
}
