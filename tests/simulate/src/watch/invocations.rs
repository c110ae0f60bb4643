//! What invocations give, take away and read.

use std::collections::BTreeSet;

use instep_model::Object;

use super::{Finding, Watch};
use crate::implied::{Fact, State};

/// How long after an item came Instep may take away what that implies: it had looked before, and its calls hang and are tried again.
const STALE_MS: i64 = 60_000;

/// Items that an invocation may read beside those for its records: a pass over what depends on an object has at most so many, and its
/// last pass may come in the same invocation.
const PASS_ROWS: usize = 2 * 2_000;

/// Items that an invocation may read for a record, all rounds and looks taken together.
const RECORD_ROWS: usize = 200;

/// What one invocation has done.
#[derive(Debug, Default)]
pub(super) struct Invocation {
    began: u64,
    pub(super) began_ms: i64,
    /// It runs captures.
    pub(super) is_capture: bool,
    moved: BTreeSet<Fact>,
    gave: bool,
    /// What it took away: another may bring it back, and it has to go again.
    took: BTreeSet<Fact>,
    /// What it tried to take away, and could not so far.
    left: BTreeSet<Fact>,
    /// Cognito refused a call for good.
    met_quota: bool,
    /// It has parked a message.
    pub(super) has_parked: bool,
    /// It may begin again with fewer records, for want of time.
    is_short: bool,
    /// Records handed to it, and items that it was answered.
    records: usize,
    rows: usize,
}

impl Watch {
    /// An invocation begins.
    pub fn began(
        &mut self,
        process: usize,
        sequences: impl Iterator<Item = u128>,
        now_ms: i64,
        (is_capture, is_short): (bool, bool),
    ) {
        let sequences: Vec<u128> = sequences.collect();
        let due = sequences.iter().filter_map(|sequence| self.due.get(sequence));
        let moved = due.flat_map(|due| due.facts.clone()).collect();
        let (began, began_ms, records) = (self.tick, now_ms, sequences.len());
        let invocation = Invocation {
            began,
            began_ms,
            is_capture,
            moved,
            gave: false,
            took: BTreeSet::new(),
            left: BTreeSet::new(),
            met_quota: false,
            has_parked: false,
            is_short,
            records,
            rows: 0,
        };
        self.invocations.insert(process, invocation);
    }

    /// Cognito has no room for what an invocation asks for, and retries do not help.
    pub fn met_quota(&mut self, process: usize) {
        if let Some(invocation) = self.invocations.get_mut(&process) {
            invocation.met_quota = true;
        }
    }

    /// Promise 6: an invocation ended. If it says that all is done, what met a quota is parked.
    pub fn finished(&mut self, process: usize, is_all_done: bool) -> Option<Finding> {
        let invocation = self.invocations.remove(&process)?;
        let is_dropped = is_all_done && invocation.met_quota && !invocation.has_parked;
        is_dropped.then(|| Finding::Broken("6: an invocation met a quota, and parked nothing".to_owned()))
    }

    /// Whether a process has little time.
    #[must_use]
    pub fn is_short(&self, process: usize) -> bool {
        self.invocations.get(&process).is_some_and(|invocation| invocation.is_short)
    }

    /// Promise 2: what is granted was implied at some moment. A look is no snapshot, so it may be made of parts that were not there at
    /// the same moment.
    #[must_use]
    pub fn granted(&mut self, user: &str, group: &str) -> Option<Finding> {
        self.checked(2);
        let pair = (user.to_owned(), group.to_owned());
        if self.ever.contains(&Fact::Member(pair.0.clone(), pair.1.clone())) {
            return None;
        }
        let is_there = |object: &Object| self.there.contains(object) || self.implied.is_there(object);
        let is_made = self.asked.get(&pair).is_some_and(|all| all.iter().any(|needs| needs.iter().all(is_there)));
        Some(if is_made {
            Finding::Window("parts of two moments")
        } else {
            Finding::Broken(format!("2: {user} was added to {group}, which was never true"))
        })
    }

    /// Promise 2: nothing is taken that the table has implied for long. Promise 3: before something is given, all that the batch takes away is
    /// gone. Called before the effect.
    pub fn takes(&mut self, process: usize, fact: &Fact, now_ms: i64) -> Option<Finding> {
        [2, 3].into_iter().for_each(|promise| self.checked(promise));
        let is_long = self.since_ms.get(fact).is_some_and(|since| now_ms - since > STALE_MS);
        if is_long && matches!(self.facts.get(fact), Some(State::Is(_))) {
            return Some(Finding::Broken(format!("2: {fact:?} was taken, and is implied for long")));
        }
        let invocation = self.invocations.get_mut(&process)?;
        let is_first = invocation.took.insert(fact.clone());
        let was_so = self.ticks.get(fact).is_none_or(|tick| *tick <= invocation.began);
        if was_so && matches!(self.facts.get(fact), Some(State::Is(_))) && self.ticks.contains_key(fact) {
            return Some(Finding::Broken(format!("2: {fact:?} was taken, and is implied")));
        }
        let is_late = is_first && invocation.gave && invocation.moved.contains(fact) && was_so;
        let is_stale = self.actual.contains_key(fact) && !self.facts.contains_key(fact);
        (is_late && is_stale).then(|| Finding::Broken(format!("3: {fact:?} was taken after something was given")))
    }

    /// A call that takes something away was answered, or failed.
    pub fn tried_to_take(&mut self, process: usize, facts: Vec<Fact>, has_failed: bool) {
        let Some(invocation) = self.invocations.get_mut(&process) else { return };
        if has_failed {
            invocation.left.extend(facts);
        } else {
            invocation.left.retain(|fact| !facts.contains(fact));
        }
    }

    /// Promise 3: nothing is given where something could not be taken away. Called after the effect.
    pub fn gives(&mut self, process: usize, fact: Fact) -> Option<Finding> {
        self.ticks.insert(fact.clone(), self.tick);
        let invocation = self.invocations.get_mut(&process)?;
        invocation.gave = true;
        // What is right again by now need not be taken away.
        let mut left = invocation.left.iter().filter(|fact| !self.facts.contains_key(*fact));
        let left = left.next().filter(|_| !invocation.is_short)?;
        Some(Finding::Broken(format!("3: {fact:?} was given, and {left:?} could not be taken away")))
    }

    /// Promise 8: what an invocation reads, and so what it can hold, does not grow with the width of a cascade.
    pub fn reads(&mut self, process: usize, rows: usize) -> Option<Finding> {
        let invocation = self.invocations.get_mut(&process)?;
        invocation.rows += rows;
        let is_many = invocation.rows > PASS_ROWS + RECORD_ROWS * invocation.records;
        is_many.then(|| Finding::Broken(format!("8: an invocation read {} items", invocation.rows)))
    }
}
