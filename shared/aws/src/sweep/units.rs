//! The units of a sweep: what one invocation after another does, whoever drives them.
//!
//! A step reads the unit's progress, works from its cursor, writes results under a name of its own, and
//! writes the progress on condition that it is as it was read. Nothing is kept in memory between steps.

use std::collections::BTreeSet;
use std::time::Duration;

use aws_sdk_sqs::types::QueueAttributeName;
use instep_flow::sweep::plan::{SweepPhase, group_units};
use instep_flow::sweep::units::{Division, StepResult, SweepUnit, UnitCursor, UnitProgress};
use instep_flow::sweep::{Candidate, Groups, PoolNames};
use instep_model::Key;
use tokio::time::Instant;

use super::confirm::{Confirmed, tally_of};
use super::plan::{PlannedUnit, chunk_name, list_name};
use super::read::{Reading, Segment, share_of};
use super::store::{by_part, part_name, result_name};
use super::{SweepListener, SweepProgress};
use crate::apply::new_token;
use crate::call::call;
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// How long a step reads the pool. An invocation looks at its time between two steps.
const STEP_MS: u64 = 60_000;

/// The maximum number of calls to Cognito of a step, each for a page of 60 names.
const CALLS_MAX: u64 = 160;

/// The items of the table that a step reads before it writes its results: some 8 MB of them. INVARIANT 8.
const STEP_ITEMS: u64 = 10_000;

/// The messages in the work queue with which a backfill waits: they would be before the table's own changes.
const BACKLOG_MAX: u64 = 50;

/// The time between two looks at the work queue.
const BACKLOG_WAIT: Duration = Duration::from_secs(5);

/// A step of a unit.
struct Step<'a> {
    sweep: &'a str,
    unit: SweepUnit,
    /// Where it begins.
    cursor: Option<&'a UnitCursor>,
    /// The name of its results.
    name: String,
    /// When the time of the invocation is over: a step then ends with its next page.
    stop: Option<Instant>,
}

impl Step<'_> {
    fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| Instant::now() >= stop)
    }

    fn result(&self, kind: &str) -> String {
        result_name(self.unit, &self.name, kind)
    }
}

impl Instep {
    /// Does steps of a unit, until it is done or the time is over. Returns whether it is done. Call it again
    /// until it is.
    ///
    /// # Errors
    /// A service failed, or a step got no further.
    pub async fn sweep_unit(
        &self,
        sweep: &str,
        unit: SweepUnit,
        stop: Option<Instant>,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<bool, String> {
        let began = Instant::now();
        let of_sweep = self.of_sweep(sweep, run).await?;
        let (mut progress, mut etag) = self.kept_progress(sweep, unit, run).await?;
        while !progress.done {
            // A unit may take hours, in which windows open and close.
            let now = run.later(began.elapsed());
            if matches!(unit, SweepUnit::Backfill(_)) && !self.may_send_more(stop, &now, listener).await? {
                return Ok(false);
            }
            let step = Step { sweep, unit, cursor: progress.cursor.as_ref(), name: new_token(), stop };
            let outcome =
                Box::pin(of_sweep.step_of(&step, &now, listener)).await.map_err(|why| format!("{unit}: {why}"))?;
            let has_results = !matches!(unit, SweepUnit::References(_) | SweepUnit::Send(_) | SweepUnit::Backfill(_));
            let tally = outcome.tally.clone();
            let next = progress.after(has_results.then(|| step.name.clone()), outcome);
            let next = next.map_err(|why| format!("{unit}: {why}"))?;
            match self.keep_progress(sweep, unit, &next, etag.as_deref(), &now).await? {
                Some(kept) => {
                    listener(SweepProgress::Items(tally.items));
                    listener(SweepProgress::Pool(tally.users + tally.groups + tally.members));
                    listener(SweepProgress::Sent(tally.sent));
                    (progress, etag) = (next, Some(kept));
                }
                // Another invocation was faster: its results count.
                None => (progress, etag) = self.kept_progress(sweep, unit, &now).await?,
            }
            if !progress.done && stop.is_some_and(|stop| Instant::now() >= stop) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The calls to Cognito of a step.
    fn calls_of(&self, step: &Step<'_>) -> u64 {
        if step.is_over() { 1 } else { self.calls_in(STEP_MS, CALLS_MAX) }
    }

    async fn step_of(
        &self,
        step: &Step<'_>,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<StepResult, String> {
        match step.unit {
            SweepUnit::Groups => self.step_groups(step, run).await,
            SweepUnit::Users => self.step_users(step, run).await,
            SweepUnit::Members(nth) => self.step_members(step, nth, run).await,
            SweepUnit::Segment(nth) => self.step_segment(step, nth, run).await,
            SweepUnit::Compare { part, share, of } => self.step_compare(step, part, (share, of), run).await,
            SweepUnit::Confirm(nth) => self.step_confirm(step, nth, run).await,
            SweepUnit::References(nth) => {
                let keys: BTreeSet<Key> = self.confirmed_chunk(step.sweep, nth, run).await?.references;
                self.write_lost_references(&keys, run).await?;
                Ok(StepResult::default())
            }
            SweepUnit::Send(nth) => {
                let Confirmed { mut repairs, .. } = self.confirmed_chunk(step.sweep, nth, run).await?;
                if !self.former.is_empty() && !self.may_delete_own(step.sweep, run).await? {
                    repairs = repairs.without_own();
                }
                Ok(StepResult { tally: self.repair(&repairs, run, listener).await?, ..StepResult::default() })
            }
            SweepUnit::Backfill(nth) => {
                let division = self.division(step.sweep, run).await?;
                let segment = Segment { nth, of: division.segments, from: step.cursor };
                let Reading { cursor, tally, .. } = self.backfill_items(segment, run, listener).await?;
                Ok(StepResult { cursor, tally, ..StepResult::default() })
            }
        }
    }

    async fn step_groups(&self, step: &Step<'_>, run: &RunOptions) -> Result<StepResult, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(StepResult::default()) };
        let reading = self.read_groups(pool, step.cursor, self.calls_of(step), run).await?;
        self.keep_json(step.sweep, &step.result("groups"), &reading.groups, run).await?;
        self.kept_reading(step, reading, Vec::new(), run).await
    }

    async fn step_users(&self, step: &Step<'_>, run: &RunOptions) -> Result<StepResult, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(StepResult::default()) };
        let division = self.division(step.sweep, run).await?;
        let calls = self.calls_of(step);
        let reading = self.read_users(pool, &division.spelling, step.cursor, calls, run).await?;
        self.kept_names(step, reading, division.parts, run).await
    }

    async fn step_members(&self, step: &Step<'_>, nth: u32, run: &RunOptions) -> Result<StepResult, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(StepResult::default()) };
        let division = self.division(step.sweep, run).await?;
        let listed = self.listed_groups(&self.groups_of_sweep(step.sweep, run).await?);
        let units = group_units(listed.len());
        let own = share_of(listed, nth, units);
        let calls = self.calls_of(step);
        let reading = self.read_members((pool, &own), &division.spelling, step.cursor, calls, run).await?;
        self.kept_names(step, reading, division.parts, run).await
    }

    async fn step_segment(&self, step: &Step<'_>, nth: u32, run: &RunOptions) -> Result<StepResult, String> {
        let division = self.division(step.sweep, run).await?;
        let has_pool = division.has_pool();
        let Division { segments, parts, spelling, .. } = division;
        let groups = if has_pool { Some(self.groups_of_sweep(step.sweep, run).await?) } else { None };
        let mut all = Reading { cursor: step.cursor.cloned(), ..Reading::default() };
        loop {
            let segment = Segment { nth, of: segments, from: all.cursor.as_ref() };
            let page = self.read_items(segment, groups.as_ref(), &spelling, run).await?;
            all.cursor = page.cursor;
            all.tally.items += page.tally.items;
            all.tally.read_units += page.tally.read_units;
            all.wanted.extend(page.wanted);
            all.found.extend(page.found);
            if all.cursor.is_none() || all.tally.items >= STEP_ITEMS || step.is_over() {
                break;
            }
        }
        if has_pool {
            let wanted = by_part(std::mem::take(&mut all.wanted), parts)?;
            self.keep_parts(step.sweep, &step.result("wanted"), wanted, run).await?;
        }
        self.kept_reading(step, all, Vec::new(), run).await
    }

    async fn step_compare(
        &self,
        step: &Step<'_>,
        part: u32,
        (share, of): (u32, u32),
        run: &RunOptions,
    ) -> Result<StepResult, String> {
        let Division { parts, .. } = self.division(step.sweep, run).await?;
        let of_part = |name: &String| part_name(name, usize::try_from(part).unwrap_or_default());
        let of_pool = self.results_of(step.sweep, SweepPhase::Pool, "names", run).await?;
        let of_table = self.results_of(step.sweep, SweepPhase::Table, "wanted", run).await?;
        let of_pool: Vec<String> = of_pool.iter().map(of_part).collect();
        let of_table: Vec<String> = of_table.iter().map(of_part).collect();
        let share = (u64::from(of), u64::from(share));
        let lacking = self.lacking(step.sweep, (&of_pool, &of_table), parts, share, run).await?;
        let (found, more) = lacking.ok_or("its names do not fit the memory of a process")?;
        let mut reading = Reading { found, ..Reading::default() };
        (reading.tally.found, reading.tally.more) = (more, more);
        self.kept_reading(step, reading, Vec::new(), run).await
    }

    async fn step_confirm(&self, step: &Step<'_>, nth: u32, run: &RunOptions) -> Result<StepResult, String> {
        let found: Vec<Candidate> = self.kept_json(step.sweep, &chunk_name(nth), run).await?;
        let confirmed = self.confirmed(&found, run).await?;
        self.keep_json(step.sweep, &step.result("confirmed"), &Confirmed::of(&confirmed), run).await?;
        Ok(StepResult { tally: tally_of(found.len(), &confirmed), ..StepResult::default() })
    }

    async fn kept_names(
        &self,
        step: &Step<'_>,
        reading: Reading,
        parts: u32,
        run: &RunOptions,
    ) -> Result<StepResult, String> {
        let names = PoolNames::encode_parts(&reading.names, parts);
        let counts = PoolNames::counts(&reading.names, parts);
        self.keep_parts(step.sweep, &step.result("names"), names, run).await?;
        self.kept_reading(step, reading, counts, run).await
    }

    /// Keeps what a step has found.
    async fn kept_reading(
        &self,
        step: &Step<'_>,
        reading: Reading,
        names: Vec<u64>,
        run: &RunOptions,
    ) -> Result<StepResult, String> {
        let Reading { cursor, tally, found, .. } = reading;
        if !found.is_empty() {
            self.keep_json(step.sweep, &step.result("found"), &found, run).await?;
        }
        Ok(StepResult { cursor, names, found: !found.is_empty(), tally })
    }

    /// The names of the results of a kind that the units of a phase have written. INVARIANT 1: of units that
    /// are done, and of steps that their progress names.
    pub(super) async fn results_of(
        &self,
        sweep: &str,
        phase: SweepPhase,
        kind: &str,
        run: &RunOptions,
    ) -> Result<Vec<String>, String> {
        let listed = self.final_json::<Vec<PlannedUnit>>(sweep, &list_name(phase), run).await?;
        let units = listed.into_iter().map(|entry| entry.unit).collect();
        let mut names = Vec::new();
        for (unit, progress) in self.with_progress(sweep, units, run).await? {
            if !progress.done {
                return Err(format!("the unit {unit} is not done"));
            }
            let steps = progress.steps.iter().filter(|step| kind != "found" || step.found);
            names.extend(steps.map(|step| result_name(unit, &step.name, kind)));
        }
        Ok(names)
    }

    /// The groups of the pool, as the sweep has listed them.
    pub(super) async fn groups_of_sweep(&self, sweep: &str, run: &RunOptions) -> Result<Groups, String> {
        let mut groups = Groups::new();
        for name in self.results_of(sweep, SweepPhase::Groups, "groups", run).await? {
            groups.extend(self.final_json::<Groups>(sweep, &name, run).await?);
        }
        Ok(groups)
    }

    /// Differences that both reads show: the results of a unit that has read a chunk of them again.
    pub(super) async fn confirmed_by(
        &self,
        sweep: &str,
        unit: SweepUnit,
        progress: &UnitProgress,
        run: &RunOptions,
    ) -> Result<Confirmed, String> {
        let Some(step) = progress.steps.last().filter(|_| progress.done) else {
            return Err(format!("the unit {unit} is not done"));
        };
        self.kept_json(sweep, &result_name(unit, &step.name, "confirmed"), run).await
    }

    async fn confirmed_chunk(&self, sweep: &str, nth: u32, run: &RunOptions) -> Result<Confirmed, String> {
        let unit = SweepUnit::Confirm(nth);
        let (progress, _) = self.kept_progress(sweep, unit, run).await?;
        self.confirmed_by(sweep, unit, &progress, run).await
    }

    /// Waits until the work queue has room for a page of a backfill: the queue has no order that would let the
    /// table's own changes pass. Returns whether it has. INVARIANT 8: until the time is over.
    async fn may_send_more(
        &self,
        stop: Option<Instant>,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<bool, String> {
        loop {
            let waiting = if run.dry_run { 0 } else { self.messages_waiting(run).await? };
            if waiting <= BACKLOG_MAX {
                return Ok(true);
            }
            listener(SweepProgress::Backlogged(waiting));
            if stop.is_some_and(|stop| Instant::now() >= stop) {
                return Ok(false);
            }
            tokio::time::sleep(BACKLOG_WAIT).await;
        }
    }

    /// The number of messages in the work queue, as far as SQS knows.
    async fn messages_waiting(&self, run: &RunOptions) -> Result<u64, String> {
        let count = QueueAttributeName::ApproximateNumberOfMessages;
        let get = || {
            let request = self.clients.sqs().get_queue_attributes().queue_url(&self.settings.work_queue);
            request.attribute_names(count.clone()).send()
        };
        let answer = call(run.deadline, get).await.map_err(|failure| failure.words("GetQueueAttributes"))?;
        let waiting = answer.attributes.as_ref().and_then(|all| all.get(&count)?.parse().ok());
        waiting.ok_or_else(|| "GetQueueAttributes: the answer has no number of messages".to_owned())
    }
}
