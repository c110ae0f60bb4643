//! The plan of a sweep: which units come next, from what is in the bucket.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::sweep::plan::{Ask, Gathered, Known, Next, Phase};
use instep_flow::sweep::units::{Division, Progress, Swept, Unit};
use instep_flow::sweep::{Candidate, Mode, Spelling, Tally};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use super::store::CONCURRENT_OBJECTS;
use super::units::progress_name;
use crate::apply::new_token;
use crate::call::call;
use crate::instep::{Instep, Run};

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
pub(super) struct Entry {
    pub(super) sweep: String,
    #[serde(with = "unit_name")]
    pub(super) unit: Unit,
}

/// What a plan says.
#[derive(Debug, Clone, PartialEq)]
pub enum Planned {
    /// Units are to be done, those of the phase's list or these.
    Run {
        /// The phase.
        phase: Phase,
        /// Those of its units that are not done.
        units: Vec<Unit>,
        /// The seconds to wait before.
        wait: u32,
    },
    /// The sweep has ended.
    Over(Box<Summary>),
}

/// What a sweep has found and done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// What was counted.
    pub tally: Tally,
    /// The repairs would remove more than the sweep may: nothing was sent.
    pub is_stopped: bool,
    /// The chunks of differences.
    pub chunks: u32,
}

/// The name of the list of a phase's units.
pub(super) fn list_name(phase: Phase) -> String {
    format!("lists/{}.json", phase.word())
}

/// The name of a chunk of differences of one read.
pub(super) fn chunk_name(nth: u32) -> String {
    format!("chunks/{nth}.json")
}

impl Instep {
    /// A name for a new sweep.
    #[must_use]
    pub fn new_sweep(&self, run: &Run) -> String {
        format!("{}-{}", run.now.strftime("%Y%m%dT%H%M%SZ"), new_token().get(..8).unwrap_or_default())
    }

    /// Divides a new sweep. One that has begun goes on as it is.
    ///
    /// # Errors
    /// A service failed, or the sweep began too long ago.
    pub async fn begin_sweep(&self, sweep: &str, mode: Mode, run: &Run) -> Result<(), String> {
        let Some((Division { began, of, .. }, _)) = self.kept_if_there::<Division>(sweep, DIVISION, run).await? else {
            return self.divide(sweep, mode, run).await;
        };
        if of != self.swept(mode) {
            return Err(format!(
                "the sweep `{sweep}` is of another kind, or of another model, table or user pool: start a new one"
            ));
        }
        if mode != Mode::Backfill && run.now.duration_since(began) > GOES_ON {
            return Err(format!(
                "the sweep `{sweep}` began at {began}: what it has read is too old, so start a new one"
            ));
        }
        Ok(())
    }

    fn swept(&self, mode: Mode) -> Swept {
        // A backfill reads no pool.
        let user_pool = self.settings.user_pool.clone().filter(|_| mode != Mode::Backfill);
        Swept { model: self.model.name.clone(), table: self.settings.table.clone(), user_pool }
    }

    async fn divide(&self, sweep: &str, mode: Mode, run: &Run) -> Result<(), String> {
        let of = self.swept(mode);
        let (segments, parts) = self.sizes(of.user_pool.is_some(), run).await?;
        let spelling = match &of.user_pool {
            Some(pool) => self.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?,
            None => Spelling::default(),
        };
        let division = Division { began: run.now, of, segments, parts, spelling };
        self.keep_if(sweep, DIVISION, &division, None, run).await.map(drop)
    }

    /// The segments of the table, and the parts of the names in the pool. The services know the sizes from some
    /// hours ago: a part is divided further if that is not enough.
    pub(super) async fn sizes(&self, has_pool: bool, run: &Run) -> Result<(u32, u32), String> {
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
    pub(super) async fn division(&self, sweep: &str, run: &Run) -> Result<Division, String> {
        self.kept_json(sweep, DIVISION, run).await
    }

    /// Says which units come next. Lists them if they are not listed.
    ///
    /// # Errors
    /// A service failed, or the driver has run a phase of which units are not done.
    pub async fn plan_sweep(&self, sweep: &str, ask: &Ask, run: &Run) -> Result<Planned, String> {
        let mut known = Known::default();
        // INVARIANT 8: each round adds a phase.
        loop {
            match known.next(ask).map_err(|why| why.to_string())? {
                Next::Run { phase, units, wait } => return Ok(Planned::Run { phase, units, wait }),
                Next::Over => return self.summary(sweep, &known, ask, run).await.map(Box::new).map(Planned::Over),
                Next::List(phase) => {
                    let units = self.listed(sweep, &known, phase, run).await?;
                    let with_progress = |unit: Unit| async move {
                        let read = self.kept_if_there::<Progress>(sweep, &progress_name(unit), run).await?;
                        Ok::<_, String>((unit, read.map(|(progress, _)| progress).unwrap_or_default()))
                    };
                    let units = stream::iter(units).map(with_progress).buffered(CONCURRENT_OBJECTS);
                    known.add(phase, units.try_collect().await?);
                }
            }
        }
    }

    /// The units of a phase. A list, once written, is not written again.
    async fn listed(&self, sweep: &str, known: &Known, phase: Phase, run: &Run) -> Result<Vec<Unit>, String> {
        let name = list_name(phase);
        if let Some((listed, _)) = self.kept_if_there::<Vec<Entry>>(sweep, &name, run).await? {
            return Ok(listed.into_iter().map(|entry| entry.unit).collect());
        }
        let division = self.division(sweep, run).await?;
        let groups = match phase {
            Phase::Pool if division.has_pool() => self.listed_groups(&self.groups_of_sweep(sweep, run).await?).len(),
            _ => 0,
        };
        let chunks = if phase == Phase::Confirm { self.gathered(sweep, run).await? } else { 0 };
        let units = known.list(phase, &division, groups, chunks);
        let entries: Vec<Entry> = units.iter().map(|unit| Entry { sweep: sweep.to_owned(), unit: *unit }).collect();
        if self.keep_if(sweep, &name, &entries, None, run).await? {
            return Ok(units);
        }
        // Another driver was faster.
        let listed: Vec<Entry> = self.kept_json(sweep, &name, run).await?;
        Ok(listed.into_iter().map(|entry| entry.unit).collect())
    }

    /// Puts together what all units have found, each difference once, and keeps it in chunks. Returns their
    /// number. Two drivers write the same: these units are done.
    async fn gathered(&self, sweep: &str, run: &Run) -> Result<usize, String> {
        let mut gathered = Gathered::default();
        for phase in [Phase::Groups, Phase::Pool, Phase::Table, Phase::Compare] {
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

    async fn summary(&self, sweep: &str, known: &Known, ask: &Ask, run: &Run) -> Result<Summary, String> {
        let mut tally = known.tally();
        if let Some((gathered, _)) = self.kept_if_there::<Tally>(sweep, GATHERED, run).await? {
            tally.add(&gathered);
        }
        let chunks = u32::try_from(known.units(Phase::Confirm).len()).unwrap_or(u32::MAX);
        Ok(Summary { tally, is_stopped: known.is_stopped(ask), chunks })
    }
}

/// The name of a unit in a list.
mod unit_name {
    use super::Unit;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(unit: &Unit, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(unit)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Unit, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}
