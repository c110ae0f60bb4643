//! The plan of a sweep: which units come next, from what is in the bucket.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::sweep::plan::{Gathered, Mode, SweepNext, SweepPhase, SweepRequest, SweepUnits};
use instep_flow::sweep::units::{Division, Spelling, SweepTarget, SweepUnit, UnitProgress};
use instep_flow::sweep::{Candidate, SweepTally};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::confirm::FoundDifference;
use super::store::{CONCURRENT_OBJECTS, key};
use crate::apply::new_token;
use crate::call::call;
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// The items that one segment of the table is to have.
const SEGMENT_ITEMS: u64 = 100_000;

/// The maximum number of segments.
const SEGMENTS_MAX: u64 = 64;

/// The names of a pool that one part is to have: 32 MB of them.
const PART_NAMES: u64 = 2_000_000;

/// The maximum number of parts: each step writes an object for each.
const PARTS_MAX: u64 = 64;

/// How long after its beginning a sweep may be gone on with. What both its reads showed may be old by then.
const GOES_ON: SignedDuration = SignedDuration::from_hours(24);

/// The name of the object that says how the sweep is divided.
const DIVISION: &str = "division.json";

/// The name of the object that says how much the first read has found.
const GATHERED: &str = "gathered.json";

/// A unit of a list.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PlannedUnit {
    pub(super) sweep: String,
    pub(super) unit: SweepUnit,
}

/// Why a sweep does not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// It cannot go on as it is: a retry does not help.
    #[error("{0}")]
    Refused(String),
    /// A service failed.
    #[error("{0}")]
    Failed(String),
}

impl From<String> for SweepError {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl From<SweepError> for String {
    fn from(why: SweepError) -> Self {
        why.to_string()
    }
}

/// What a plan says.
#[derive(Debug, Clone, PartialEq)]
pub enum Planned {
    /// Units are to be done: those of the phase's list, or only these.
    Run {
        /// The phase.
        phase: SweepPhase,
        /// The key of the list.
        key: String,
        /// What the repairs would remove.
        removals: u64,
        /// Those of its units that are not done.
        units: Vec<SweepUnit>,
        /// The seconds to wait before.
        wait: u32,
    },
    /// The sweep has ended.
    Over(Box<SweepSummary>),
}

/// What a sweep has found and done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepSummary {
    /// When it began.
    pub began: Timestamp,
    /// What was counted.
    pub tally: SweepTally,
    /// The repairs would remove more than the sweep may: nothing was sent.
    pub is_stopped: bool,
}

/// How far a sweep is.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepStatus {
    /// The phase, its units that are done, and all of them. `None` before the first.
    pub phase: Option<(SweepPhase, usize, usize)>,
    /// What was counted so far.
    pub tally: SweepTally,
}

/// The name of the list of a phase's units.
pub(super) fn list_name(phase: SweepPhase) -> String {
    format!("lists/{}.json", phase.word())
}

/// The name of a chunk of differences of one read.
pub(super) fn chunk_name(nth: u32) -> String {
    format!("chunks/{nth}.json")
}

impl Instep {
    /// A name for a new sweep.
    #[must_use]
    pub fn new_sweep(&self, run: &RunOptions) -> String {
        format!("{}-{}", run.now.strftime("%Y%m%dT%H%M%SZ"), new_token().get(..8).unwrap_or_default())
    }

    /// Divides a new sweep. One that has begun goes on as it is.
    ///
    /// # Errors
    /// A service failed, or the sweep began too long ago.
    pub async fn begin_sweep(&self, sweep: &str, mode: Mode, run: &RunOptions) -> Result<(), SweepError> {
        let Some(Division { began, of, .. }) = self.final_if_there(sweep, DIVISION, run).await? else {
            return self.divide(sweep, mode, run).await;
        };
        if of != self.swept(mode, run).await? {
            return Err(SweepError::Refused(format!(
                "the sweep `{sweep}` is of another kind, or of another model, table or user pool: start a new one"
            )));
        }
        if mode != Mode::Backfill && run.now.duration_since(began) > GOES_ON {
            return Err(SweepError::Refused(format!(
                "the sweep `{sweep}` began at {began}: what it has read is too old, so start a new one"
            )));
        }
        Ok(())
    }

    async fn swept(&self, mode: Mode, run: &RunOptions) -> Result<SweepTarget, SweepError> {
        // A backfill reads no pool.
        let user_pool = self.settings.user_pool.clone().filter(|_| mode != Mode::Backfill);
        let former = match mode {
            Mode::Report | Mode::Backfill => Vec::new(),
            Mode::Repair => {
                self.refuse_repair(run).await?;
                Vec::new()
            }
            Mode::Change => self.change_under_way(run).await?.map(|history| history.previous).unwrap_or_default(),
        };
        Ok(SweepTarget { model: self.model.name.clone(), table: self.settings.table.clone(), user_pool, former })
    }

    async fn divide(&self, sweep: &str, mode: Mode, run: &RunOptions) -> Result<(), SweepError> {
        let of = self.swept(mode, run).await?;
        let (segments, parts) = self.sizes(of.user_pool.is_some(), run).await?;
        let spelling = match &of.user_pool {
            Some(pool) => {
                self.cognito.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?
            }
            None => Spelling::default(),
        };
        let division = Division { began: run.now, of, segments, parts, spelling };
        Ok(self.keep_if(sweep, DIVISION, &division, None, run).await.map(drop)?)
    }

    /// The segments of the table, and the parts of the names in the pool. The services know the sizes from some
    /// hours ago: a part is divided further if that is not enough.
    async fn sizes(&self, has_pool: bool, run: &RunOptions) -> Result<(u32, u32), String> {
        let describe = || self.clients.dynamodb.describe_table().table_name(&self.settings.table).send();
        let answer = call(run.deadline, describe).await.map_err(|failure| failure.words("DescribeTable"))?;
        let items = answer.table.and_then(|table| table.item_count).and_then(|items| u64::try_from(items).ok());
        let items = items.unwrap_or_default();
        let names = if has_pool { self.size(run).await.unwrap_or(items) } else { 0 };
        let divided =
            |all: u64, by: u64, least: u64, most: u64| u32::try_from(all.div_ceil(by).clamp(least, most)).unwrap_or(1);
        Ok((divided(items, SEGMENT_ITEMS, 2, SEGMENTS_MAX), divided(names, PART_NAMES, 1, PARTS_MAX)))
    }

    /// How a sweep is divided.
    pub(super) async fn division(&self, sweep: &str, run: &RunOptions) -> Result<Division, String> {
        self.final_json(sweep, DIVISION, run).await
    }

    /// Says which units come next. Lists them if they are not listed.
    ///
    /// # Errors
    /// A service failed, or the driver has run a phase of which units are not done.
    pub async fn plan_sweep(&self, sweep: &str, ask: &SweepRequest, run: &RunOptions) -> Result<Planned, SweepError> {
        let mut known = SweepUnits::default();
        let ask = &self.approved(sweep, ask, run).await?;
        if ask.mode == Mode::Change && self.division(sweep, run).await?.of.former.is_empty() {
            return Ok(Planned::Over(Box::new(self.summary(sweep, &known, ask, run).await?)));
        }
        // INVARIANT 8: each round adds a phase.
        loop {
            match known.next(ask).map_err(|why| SweepError::Refused(why.to_string()))? {
                SweepNext::Run { phase, units, wait } => {
                    let (key, removals) = (key(sweep, &list_name(phase)), known.tally().removals);
                    return Ok(Planned::Run { phase, key, removals, units, wait });
                }
                SweepNext::Over => return Ok(Planned::Over(Box::new(self.summary(sweep, &known, ask, run).await?))),
                SweepNext::List(phase) => {
                    let units = self.listed(sweep, &known, phase, run).await?;
                    known.add(phase, self.with_progress(sweep, units, run).await?);
                }
            }
        }
    }

    /// Units with what is known of each.
    pub(super) async fn with_progress(
        &self,
        sweep: &str,
        units: Vec<SweepUnit>,
        run: &RunOptions,
    ) -> Result<Vec<(SweepUnit, UnitProgress)>, String> {
        let with_progress = |unit: SweepUnit| async move { Ok((unit, self.kept_progress(sweep, unit, run).await?.0)) };
        stream::iter(units).map(with_progress).buffered(CONCURRENT_OBJECTS).try_collect().await
    }

    /// How far a sweep is. It changes nothing.
    ///
    /// # Errors
    /// The bucket cannot be read.
    pub async fn standing(&self, sweep: &str, mode: Mode, run: &RunOptions) -> Result<SweepStatus, String> {
        let mut known = SweepUnits::default();
        for phase in SweepPhase::of(mode) {
            let Some(units) = self.listed_before(sweep, *phase, run).await? else { break };
            known.add(*phase, self.with_progress(sweep, units, run).await?);
        }
        Ok(SweepStatus { phase: known.present(mode), tally: known.tally() })
    }

    /// The differences that both reads of a sweep showed, as far as it has read them twice.
    ///
    /// # Errors
    /// The bucket cannot be read.
    pub async fn differences_found(&self, sweep: &str, run: &RunOptions) -> Result<Vec<FoundDifference>, String> {
        let mut all = Vec::new();
        let units = self.listed_before(sweep, SweepPhase::Confirm, run).await?.unwrap_or_default();
        for (unit, progress) in self.with_progress(sweep, units, run).await? {
            if progress.done {
                all.extend(self.confirmed_by(sweep, unit, &progress, run).await?.differences);
            }
        }
        Ok(all)
    }

    async fn listed_before(
        &self,
        sweep: &str,
        phase: SweepPhase,
        run: &RunOptions,
    ) -> Result<Option<Vec<SweepUnit>>, String> {
        let listed: Option<Vec<PlannedUnit>> = self.final_if_there(sweep, &list_name(phase), run).await?;
        Ok(listed.map(|listed| listed.into_iter().map(|entry| entry.unit).collect()))
    }

    /// The units of a phase. A list, once written, is not written again.
    async fn listed(
        &self,
        sweep: &str,
        known: &SweepUnits,
        phase: SweepPhase,
        run: &RunOptions,
    ) -> Result<Vec<SweepUnit>, String> {
        if let Some(listed) = self.listed_before(sweep, phase, run).await? {
            return Ok(listed);
        }
        let division = self.division(sweep, run).await?;
        let groups = if phase == SweepPhase::Pool && division.has_pool() {
            self.of_sweep(sweep, run).await?.listed_groups(&self.groups_of_sweep(sweep, run).await?).len()
        } else {
            0
        };
        let chunks = if phase == SweepPhase::Confirm { self.gathered(sweep, run).await? } else { 0 };
        let units = known.list(phase, &division, groups, chunks);
        let entries: Vec<PlannedUnit> =
            units.iter().map(|unit| PlannedUnit { sweep: sweep.to_owned(), unit: *unit }).collect();
        if self.keep_if(sweep, &list_name(phase), &entries, None, run).await?.is_some() {
            return Ok(units);
        }
        // Another driver was faster.
        self.listed_before(sweep, phase, run).await?.ok_or_else(|| "S3 has deleted the list of units".to_owned())
    }

    /// Puts together what all units have found, each difference once, and keeps it in chunks. Returns their
    /// number. Two drivers write the same: these units are done.
    async fn gathered(&self, sweep: &str, run: &RunOptions) -> Result<usize, String> {
        let mut gathered = Gathered::default();
        for phase in [SweepPhase::Groups, SweepPhase::Pool, SweepPhase::Table, SweepPhase::Compare] {
            for name in self.results_of(sweep, phase, "found", run).await? {
                let found: Vec<Candidate> = self.kept_json(sweep, &name, run).await?;
                found.into_iter().for_each(|candidate| gathered.add(candidate));
            }
        }
        let (chunks, tally) = gathered.chunks();
        for (nth, chunk) in (0_u32..).zip(&chunks) {
            self.keep_json(sweep, &chunk_name(nth), chunk, run).await?;
        }
        self.keep_json(sweep, GATHERED, &tally, run).await?;
        Ok(chunks.len())
    }

    async fn summary(
        &self,
        sweep: &str,
        known: &SweepUnits,
        ask: &SweepRequest,
        run: &RunOptions,
    ) -> Result<SweepSummary, String> {
        let mut tally = known.tally();
        if let Some(gathered) = self.final_if_there::<SweepTally>(sweep, GATHERED, run).await? {
            tally.add(&gathered);
        }
        let Division { began, .. } = self.division(sweep, run).await?;
        Ok(SweepSummary { began, tally, is_stopped: known.is_stopped(ask) })
    }
}
