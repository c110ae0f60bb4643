//! The driver in this process: asks the plan, does its units, and asks again.

use std::time::Duration;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::sweep::SweepTally;
use instep_flow::sweep::plan::{Gathered, Mode, SweepRequest};
use instep_model::Object;
use tokio::time::Instant;

use super::confirm::{FoundDifference, tally_of};
use super::plan::{Planned, SweepSummary};
use super::repairs::{Repairs, lost_references};
use super::{SweepListener, SweepOptions, SweepProgress, SweepResult};
use crate::instep::Instep;
use crate::run_options::RunOptions;

impl Instep {
    /// Sweeps in this process.
    ///
    /// # Errors
    /// A service failed. The units that are done stay done: the same sweep goes on with the others.
    pub async fn sweep(
        &self,
        options: &SweepOptions,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<SweepResult, String> {
        if options.repair {
            self.refuse_repair(run).await?;
        }
        if let Some(only) = &options.only {
            return self.sweep_only(only, options, run, listener).await;
        }
        let sweep = options.sweep.clone().unwrap_or_else(|| self.new_sweep(run));
        let summary = self.drive(&sweep, options.ask(), run, listener).await?;
        let differences = self.differences_found(&sweep, run).await?;
        let SweepSummary { tally, is_stopped, .. } = summary;
        Ok(SweepResult { differences, tally, is_stopped })
    }

    /// Sends all items of the table, in this process. Returns what was counted.
    ///
    /// # Errors
    /// As [`Instep::sweep`]: what was sent was sent.
    pub async fn backfill(&self, run: &RunOptions, listener: SweepListener<'_>) -> Result<SweepTally, String> {
        self.drive(&self.new_sweep(run), SweepRequest::BACKFILL, run, listener).await.map(|summary| summary.tally)
    }

    /// Drives the units of a sweep or a backfill until it is over.
    ///
    /// # Errors
    /// As [`Instep::sweep`].
    pub async fn drive(
        &self,
        sweep: &str,
        mut ask: SweepRequest,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<SweepSummary, String> {
        let started = Instant::now();
        // A sweep may take hours, in which windows open and close.
        let later = || run.later(started.elapsed());
        self.begin_sweep(sweep, ask.mode, run).await?;
        // INVARIANT 8: each round ends a phase, or the plan refuses it.
        loop {
            let (phase, units, wait) = match self.plan_sweep(sweep, &ask, &later()).await? {
                Planned::Over(summary) => return Ok(*summary),
                Planned::Run { phase, units, wait, .. } => (phase, units, wait),
            };
            if wait > 0 {
                let grace = Duration::from_secs(u64::from(wait));
                listener(SweepProgress::Waiting(grace));
                tokio::time::sleep(grace).await;
            }
            let at_once = usize::try_from(phase.concurrency()).unwrap_or(1);
            let done = units.into_iter().map(|unit| {
                let run = later();
                async move { self.sweep_unit(sweep, unit, None, &run, listener).await.map(drop) }
            });
            stream::iter(done).buffer_unordered(at_once).try_collect::<()>().await?;
            ask.ran = Some(phase);
        }
    }

    /// Sweeps one object and what depends on it. That is small: nothing is kept.
    async fn sweep_only(
        &self,
        only: &Object,
        options: &SweepOptions,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<SweepResult, String> {
        let started = Instant::now();
        let (found, mut tally) = self.only(only, run).await?;
        let mut gathered = Gathered::default();
        found.into_iter().for_each(|candidate| gathered.add(candidate));
        let (chunks, counted) = gathered.chunks();
        let found = chunks.concat();
        tally.add(&counted);
        if !found.is_empty() {
            listener(SweepProgress::Waiting(options.grace));
            tokio::time::sleep(options.grace).await;
        }
        let later = run.later(started.elapsed());
        let confirmed = self.confirmed(&found, &later).await?;
        tally.add(&tally_of(found.len(), &confirmed));
        let ask = options.ask();
        let is_stopped = ask.mode == Mode::Repair && tally.removals > ask.max_removals;
        if ask.mode == Mode::Repair && !is_stopped {
            self.write_lost_references(&lost_references(&confirmed), &later).await?;
            tally.add(&self.repair(&Repairs::of(&confirmed), &later, listener).await?);
        }
        Ok(SweepResult { differences: confirmed.iter().map(FoundDifference::of).collect(), tally, is_stopped })
    }
}
