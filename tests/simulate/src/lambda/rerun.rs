//! Replays, backfills and redrives.

use std::time::Duration;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_aws::redrive::{Redrive, RedriveProgress, RedriveTally, Store};
use instep_aws::sweep::{Planned, SweepOptions, SweepResult, SweepSummary};
use instep_aws::{Decision, Instep, RunOptions, Sending};
use instep_flow::sweep::plan::SweepRequest;
use instep_flow::sweep::units::SweepUnit;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::work_queue::WORK_ATTEMPTS;
use super::{Ended, Lambda, TIMEOUT};
use crate::net::RecordOf;
use crate::{BUCKET, GIVEN_UP, QUEUE, WORK_DEAD_LETTERS};

/// Invocations until a unit or a plan has succeeded, and rounds until a sweep has ended.
const SWEEP_ROUNDS: usize = 200;

/// The invocations in a row that may fail before one is spared crashes.
const FAIL_IN_A_ROW: usize = 50;

impl Lambda {
    /// Replays some earlier records, as from captures.
    pub async fn replay(&self) {
        let records: Vec<_> = {
            let table = self.net.table();
            let all: Vec<_> = table.shards().iter().flatten().collect();
            let count = 1 + self.net.chance.below(8);
            (0..count).filter_map(|_| self.net.chance.pick(&all)).map(|record| record.raw.clone()).collect()
        };
        self.send_again(records).await;
    }

    /// Replays one record of an item.
    pub async fn replay_one(&self, record: &RecordOf) {
        let (RecordOf::First(key) | RecordOf::Last(key)) = record;
        let found = {
            let table = self.net.table();
            let all = table.shards().iter().flatten();
            let own = all.filter(|record| (&record.key.0, &record.key.1) == (&key.pk, &key.sk));
            let found = match record {
                RecordOf::First(_) => own.min_by_key(|record| record.sequence),
                RecordOf::Last(_) => own.max_by_key(|record| record.sequence),
            };
            found.map(|record| record.raw.clone())
        };
        self.send_again(found.into_iter().collect()).await;
    }

    /// Sends records to the work queue. A crash breaks the replay off, and no later replay
    /// completes it.
    async fn send_again(&self, records: Vec<Box<RawValue>>) {
        let Some(process) = self.net.chance.pick(&self.processes) else { return };
        if records.is_empty() {
            return;
        }
        self.net.count("Replayed");
        let _busy = process.busy.lock().await;
        let run = self.run(TIMEOUT);
        let sends = process.instep().send_records(&records, Sending::REPLAY, &run);
        tokio::select! {
            biased;
            () = self.net.crashed(process.id) => self.net.note(|| format!("process {} crashes", process.id)),
            _ = sends => {}
        }
    }

    /// Sweeps.
    ///
    /// # Errors
    /// A service failed.
    pub async fn sweep(&self, options: &SweepOptions) -> Result<SweepResult, String> {
        let Some(process) = self.net.chance.pick(&self.processes) else { return Ok(SweepResult::default()) };
        let _busy = process.busy.lock().await;
        let run = RunOptions { deadline: None, ..self.run(TIMEOUT) };
        process.instep().sweep(options, &run, &|_| {}).await
    }

    /// A name for a sweep.
    pub fn new_sweep(&self) -> String {
        let name = self.processes.first().map(|process| process.instep().new_sweep(&self.run(TIMEOUT)));
        name.unwrap_or_default()
    }

    /// Drives a sweep or a backfill as an engine does: asks the plan, invokes the units of its answer, each until it
    /// is done, and asks again. An invocation may die, or run at the same time as another one over the same unit.
    ///
    /// # Errors
    /// It does not end.
    pub async fn drive(&self, sweep: &str, mut ask: SweepRequest) -> Result<SweepSummary, String> {
        let begin = async |instep: &Instep, run: &RunOptions| {
            instep.begin_sweep(sweep, ask.mode, run).await.map_err(String::from)
        };
        self.until_it_succeeds(begin).await?;
        for _ in 0..SWEEP_ROUNDS {
            let plan = async |instep: &Instep, run: &RunOptions| {
                instep.plan_sweep(sweep, &ask, run).await.map_err(String::from)
            };
            let (phase, units, wait) = match self.until_it_succeeds(plan).await? {
                Planned::Over(summary) => return Ok(*summary),
                Planned::Run { phase, units, wait, .. } => (phase, units, wait),
            };
            tokio::time::sleep(Duration::from_secs(u64::from(wait))).await;
            let at_once = usize::try_from(phase.concurrency()).unwrap_or(1);
            let done = units.into_iter().map(|unit| self.drive_unit(sweep, unit));
            stream::iter(done).buffer_unordered(at_once).try_collect::<()>().await?;
            ask.ran = Some(phase);
        }
        Err("the sweep does not end".to_owned())
    }

    async fn drive_unit(&self, sweep: &str, unit: SweepUnit) -> Result<(), String> {
        let done = async |instep: &Instep, run: &RunOptions| {
            // Its time may be over after any step.
            let time = if self.net.chance.of_thousand(300) { Duration::ZERO } else { TIMEOUT / 2 };
            instep.sweep_unit(sweep, unit, Some(Instant::now() + time), run, &|_| {}).await
        };
        // A backfill waits for the messages that it has sent: in a wide world there are thousands.
        let rounds = if matches!(unit, SweepUnit::Backfill(_)) { WORK_ATTEMPTS } else { SWEEP_ROUNDS };
        for _ in 0..rounds {
            let is_done = if self.net.chance.of_thousand(200) {
                self.net.count("UnitTwiceAtOnce");
                let (one, other) = tokio::join!(self.until_it_succeeds(done), self.until_it_succeeds(done));
                one? && other?
            } else {
                self.until_it_succeeds(done).await?
            };
            if is_done {
                return Ok(());
            }
            if matches!(unit, SweepUnit::Backfill(_)) {
                self.work(false).await;
            }
        }
        Err(format!("the unit {unit} does not end"))
    }

    /// Invokes a process until it succeeds, as an engine retries.
    pub(super) async fn until_it_succeeds<T>(
        &self,
        invoked: impl AsyncFn(&Instep, &RunOptions) -> Result<T, String>,
    ) -> Result<T, String> {
        let mut last = String::new();
        for failed in 0..SWEEP_ROUNDS {
            let Some(process) = self.net.chance.pick(&self.processes) else { return Err("no process".to_owned()) };
            let _busy = process.busy.lock().await;
            let run = self.run(TIMEOUT);
            self.net.spare(process.id, failed >= FAIL_IN_A_ROW);
            let ended = self.until_it_ends(process, TIMEOUT, invoked(process.instep(), &run)).await;
            self.net.spare(process.id, false);
            match ended {
                Ended::Reported(Ok(answer)) => return Ok(answer),
                Ended::Reported(Err(why)) => last = why,
                Ended::Crashed => {}
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        Err(format!("an invocation of a sweep fails again and again: {last}"))
    }

    /// Runs a backfill.
    pub async fn backfill(&self) {
        self.net.count("Backfilled");
        if let Err(why) = self.drive(&self.new_sweep(), SweepRequest::BACKFILL).await {
            self.net.broken(format!("1: a backfill does not complete: {why}"));
        }
    }

    /// A person lets all users be deleted whose deletion waits. Whether any does.
    pub async fn go_on(&self) -> bool {
        let Some(process) = self.net.chance.pick(&self.processes) else { return false };
        let _busy = process.busy.lock().await;
        let (instep, run) = (process.instep(), self.run(Duration::from_secs(600)));
        // What fails is done again.
        if instep.go_on(&run).await.is_ok_and(|gone| !gone.is_empty()) {
            self.net.count("Deletions went on");
        }
        let waiting = instep.waiting_users(&run).await.unwrap_or_default();
        for user in &waiting {
            let _ = instep.decide(user, Decision::Delete, &run).await;
        }
        !waiting.is_empty()
    }

    /// Redrives the on-failure objects, the parked messages and the dead letters.
    pub async fn redrive(&self) -> RedriveTally {
        let Some(process) = self.net.chance.pick(&self.processes) else { return RedriveTally::default() };
        let _busy = process.busy.lock().await;
        let mut redrive = Redrive::new(process.instep(), self.run(Duration::from_secs(600)));
        let places = [
            Store::Bucket { bucket: BUCKET.to_owned(), prefix: GIVEN_UP.to_owned() },
            Store::Queue(QUEUE.to_owned()),
            Store::Queue(WORK_DEAD_LETTERS.to_owned()),
        ];
        self.net.watch().redrive_began(process.id);
        self.net.note(|| format!("process {} redrives", process.id));
        let run = async {
            for place in &places {
                let _ = redrive.send_stored(place, &mut ignore).await;
            }
        };
        tokio::select! {
            biased;
            () = self.net.crashed(process.id) => self.net.note(|| format!("process {} crashes", process.id)),
            () = run => {}
        }
        self.net.count("Redriven");
        redrive.tally().clone()
    }
}

/// A listener that ignores everything.
fn ignore(_: RedriveProgress<'_>) {}
