//! The one loop over a batch. It does no I/O: its driver reads and applies.
//!
//! The entries of a batch that have nothing to do with each other are reconciled in parts. Each part
//! reads again only what it could have changed itself. All parts read together and apply together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use instep_model::{Key, Model};
use jiff::{SignedDuration, Timestamp};

use super::applied::Applied;
use super::batch_part::{BatchPart, RunOutcome};
use super::split::{BatchParts, split};
use crate::answers::{Answers, Asks};
use crate::effect::{Effect, Effects};
use crate::entries::{Entries, EntryId};
use crate::plan::Plan;

/// How slow a process's clock may be. Nothing that a record or message says makes it later than that.
const SLOW_MAX: SignedDuration = SignedDuration::from_secs(60);

/// What the driver has to do next.
#[derive(Debug)]
pub enum Next {
    /// Read this, and pass the answers to [`Reconciler::answer`].
    Read(Asks),
    /// Apply these, and report each to [`Reconciler::applied`]. Each has
    /// the entries that ask for it. Effects of different [`lanes`](crate::effect::lanes) may be applied
    /// concurrently.
    Apply(Effects),
    /// Nothing is left to do.
    Done(RunOutcome),
}

/// The loop over one batch.
#[derive(Debug, Clone, Hash)]
pub struct Reconciler<'a> {
    parts: Vec<BatchPart<'a>>,
    /// For each entry, its part.
    part_of: BTreeMap<EntryId, usize>,
    /// The keys that several parts wait for.
    shared: BTreeSet<Key>,
}

impl<'a> Reconciler<'a> {
    /// The loop over what a plan names. `now` is the present time by this process's clock. If that
    /// clock is slow, what a message or record says has come counts.
    #[must_use]
    pub fn new(model: &'a Model, plan: Plan, now: Timestamp) -> Self {
        let most = now.saturating_add(SLOW_MAX).unwrap_or(now);
        let now = plan.latest_time().map_or(now, |latest| latest.clamp(now, most));
        let BatchParts { plans, part_of } = split(model, plan);
        let parts = plans.into_iter().map(|plan| BatchPart::new(model, plan, now)).collect();
        Self { parts, part_of, shared: BTreeSet::new() }
    }

    /// The next step.
    #[expect(clippy::should_implement_trait, reason = "it ends with a value, and asks its driver in between")]
    pub fn next(&mut self) -> Next {
        self.parts.iter_mut().for_each(BatchPart::advance);
        if self.has_failed() {
            return Next::Done(self.ended());
        }
        // INVARIANT 3: nothing is granted before every part knows what it has to revoke. A phase
        // begins when the one before it has succeeded.
        let are_begun = self.parts.iter().all(BatchPart::is_begun);
        if let Some(phase) = self.parts.iter().filter_map(BatchPart::phase).min().filter(|_| are_begun) {
            let mut effects = Effects::new();
            for (effect, entries) in self.parts.iter_mut().flat_map(|part| part.take(phase)) {
                effects.entry(effect).or_default().extend(entries);
            }
            return Next::Apply(effects);
        }
        let asks = self.asks();
        if asks.is_empty() { Next::Done(self.ended()) } else { Next::Read(asks) }
    }

    /// What the parts wait for, each once.
    fn asks(&mut self) -> Asks {
        self.shared.clear();
        let mut all = Asks::default();
        for asks in self.parts.iter().filter_map(BatchPart::waits_for) {
            for key in &asks.keys {
                if !all.keys.insert(key.clone()) {
                    self.shared.insert(key.clone());
                }
            }
            all.queries.extend(asks.queries.iter().cloned());
            all.pages.extend(asks.pages.iter().cloned());
            all.groups_of.extend(asks.groups_of.iter().cloned());
        }
        all
    }

    /// Everything that follows from the first reads, whatever its phase. A sweep compares it with what
    /// is there, and applies nothing. `effects` are those that [`Reconciler::next`] has returned.
    #[must_use]
    pub fn first_effects(mut self, effects: Effects) -> (Effects, RunOutcome) {
        let mut all = effects;
        for (effect, entries) in self.parts.iter_mut().flat_map(BatchPart::take_all) {
            all.entry(effect).or_default().extend(entries);
        }
        let reconciled = self.ended();
        (all, reconciled)
    }

    fn has_failed(&self) -> bool {
        self.parts.iter().any(|part| part.failure().is_some())
    }

    fn ended(&mut self) -> RunOutcome {
        let mut all = RunOutcome::default();
        for ended in self.parts.iter_mut().map(BatchPart::ended) {
            all.failed = all.failed.or(ended.failed);
            all.failed_from = all.failed_from.into_iter().chain(ended.failed_from).min();
            all.attempted.add_run(0, ended.attempted);
            all.refused.extend(ended.refused);
            all.conflicts.extend(ended.conflicts);
            all.window_changes.extend(ended.window_changes);
            all.others.extend(ended.others);
            all.tenants.extend(ended.tenants);
            all.findings.extend(ended.findings);
            all.notes.extend(ended.notes);
        }
        all
    }

    /// Adds answers, so long after the run began.
    pub fn answer(&mut self, mut answers: Answers, passed: Duration) {
        let shared = &self.shared;
        for part in &mut self.parts {
            part.answer(|asks| answers.take(asks, shared), passed);
        }
    }

    /// Records that a read failed.
    pub fn read_failed(&mut self, why: impl Into<String>) {
        let why = why.into();
        self.parts.iter_mut().filter(|part| part.waits_for().is_some()).for_each(|part| part.read_failed(why.clone()));
    }

    /// Records the outcome of an effect.
    pub fn applied(&mut self, effect: &Arc<Effect>, entries: &Entries, applied: Applied) {
        let parts: BTreeSet<usize> = entries.iter().filter_map(|entry| self.part_of.get(&entry)).copied().collect();
        for part in parts {
            if let Some(part) = self.parts.get_mut(part) {
                part.applied(effect, entries, applied.clone());
            }
        }
    }
}
