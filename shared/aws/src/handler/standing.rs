//! Where the records of a batch stand, from decoding to the report.

use std::collections::BTreeSet;

use instep_flow::decode::{self, Change, Decoded, Reject};
use instep_flow::mask;
use instep_flow::report::{ChangeReport, Outcome, Parked, RecordReport};
use instep_model::Model;
use serde_json::value::RawValue;

use crate::apply::Applied;
use crate::park::Due;

/// The records of a batch.
pub(super) struct Standings<'a> {
    model: &'a Model,
    all: Vec<Standing<'a>>,
}

struct Standing<'a> {
    raw: &'a RawValue,
    change: Option<Box<Change>>,
    state: State,
}

enum State {
    Settled,
    Skipped(&'static str),
    Parked {
        parked: Box<Parked>,
        /// The queue has it.
        acknowledged: bool,
    },
    Retry(String),
}

impl<'a> Standings<'a> {
    pub(super) fn new(model: &'a Model, decoded: Vec<Result<Decoded, Reject>>, records: &'a [Box<RawValue>]) -> Self {
        let raw = records.iter().map(|record| &**record);
        let all = decoded.into_iter().zip(raw).map(|(decoded, raw)| Standing::new(model, decoded, raw)).collect();
        Self { model, all }
    }

    /// A failing service outweighs a record that can never be served: it may be served yet.
    pub(super) fn worsen(&mut self, place: usize, applied: &Applied) {
        let Some(standing) = self.all.get_mut(place) else { return };
        match (applied, &standing.state) {
            (Applied::Failed(why), State::Settled | State::Skipped(_) | State::Parked { .. }) => {
                standing.state = State::Retry(why.clone());
            }
            (Applied::Refused { code, reason }, State::Settled | State::Skipped(_)) => {
                standing.state = State::parked(self.model, standing.raw, code, reason.clone());
            }
            (Applied::Failed(_) | Applied::Refused { .. }, _) | (Applied::Held | Applied::Left | Applied::Moved, _) => {
            }
        }
    }

    /// Lambda delivers everything after the first record that is to be retried again: it is all left to that.
    pub(super) fn hold_back(&mut self) {
        let is_retry = |standing: &Standing<'_>| matches!(standing.state, State::Retry(_));
        let Some(first) = self.all.iter().position(is_retry) else { return };
        for standing in self.all.iter_mut().skip(first + 1) {
            if !is_retry(standing) {
                standing.state = State::Retry("a record before it is left to retry".to_owned());
            }
        }
    }

    /// Records that are to be parked and are not yet.
    pub(super) fn to_park(&self) -> Vec<Due<'_>> {
        let standings = self.all.iter().enumerate();
        let due = standings.filter_map(|(place, standing)| match &standing.state {
            State::Parked { parked, acknowledged: false } => Some(Due { place, sequence: standing.sequence(), parked }),
            State::Parked { .. } | State::Settled | State::Skipped(_) | State::Retry(_) => None,
        });
        due.collect()
    }

    /// What was to be parked, and has not become something else since, is.
    pub(super) fn all_parked(&mut self) {
        for standing in &mut self.all {
            if let State::Parked { acknowledged, .. } = &mut standing.state {
                *acknowledged = true;
            }
        }
    }

    /// Changes whose events are due, with their places, and whether their records are parked. INVARIANT 4: no event before its
    /// effects; what is to be retried and all after it come again.
    pub(super) fn to_publish(&self) -> Vec<(usize, bool, &Change)> {
        let standings = self.all.iter().enumerate();
        let due = standings.take_while(|(_, standing)| !matches!(standing.state, State::Retry(_)));
        due.filter_map(|(place, standing)| match standing.state {
            State::Settled => Some((place, false, standing.change.as_deref()?)),
            State::Parked { .. } => Some((place, true, standing.change.as_deref()?)),
            State::Skipped(_) | State::Retry(_) => None,
        })
        .collect()
    }

    /// What became of each record. `notes` are of the record at their place.
    pub(super) fn into_reports(self, notes: BTreeSet<(usize, String)>) -> Vec<RecordReport> {
        let model = self.model;
        let report = |(place, standing): (usize, Standing<'_>)| {
            let own = notes.iter().filter(|(record, _)| *record == place).map(|(_, note)| note.clone());
            standing.into_report(model, own.collect())
        };
        self.all.into_iter().enumerate().map(report).collect()
    }
}

impl<'a> Standing<'a> {
    fn new(model: &Model, decoded: Result<Decoded, Reject>, raw: &'a RawValue) -> Self {
        let (change, state) = match decoded {
            Ok(Decoded::Change(change) | Decoded::Told(change)) => (Some(change), State::Settled),
            Ok(Decoded::Bookkeeping(_)) => (None, State::Skipped("Instep's own bookkeeping")),
            Ok(Decoded::Nothing(why)) => (None, State::Skipped(why)),
            Err(Reject { code, reason, change, .. }) => (change, State::parked(model, raw, code, reason)),
        };
        Self { raw, change, state }
    }

    /// The record's sequence number: one that could not be decoded may have one all the same.
    fn sequence(&self) -> Option<String> {
        self.change.as_ref().map(|change| change.sequence.clone()).or_else(|| decode::sequence(self.raw))
    }

    fn into_report(self, model: &Model, notes: Vec<String>) -> RecordReport {
        let sequence = match self.state {
            State::Parked { .. } | State::Retry(_) => self.sequence(),
            State::Settled | State::Skipped(_) => self.change.as_ref().map(|change| change.sequence.clone()),
        };
        let change = self.change.as_ref().map(|change| change_report(model, change, notes));
        let outcome = match self.state {
            State::Settled => Outcome::Settled,
            State::Skipped(why) => Outcome::Skipped { why },
            State::Retry(why) => Outcome::Retry { why },
            State::Parked { parked, .. } => Outcome::Parked(parked),
        };
        RecordReport { sequence, change, outcome }
    }
}

impl State {
    fn parked(model: &Model, raw: &RawValue, code: &'static str, reason: String) -> Self {
        let parked = Box::new(Parked { code, reason, record: mask::record(model, raw) });
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
