//! Which units come next, from what is known of those before them. One order of phases for every driver.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::Key;
use serde::{Deserialize, Serialize};

use super::units::{Division, SweepName, SweepUnit, UnitProgress};
use super::{Candidate, DifferenceKind, SweepTally};
use crate::work::is_false;

/// The maximum differences that one sweep keeps and repairs. It counts the others, and the next sweep finds
/// them. INVARIANT 8.
pub const KEPT_MAX: usize = 10_000;

/// The maximum of each kind that it only reports. They may be there for ever, such as the users of another
/// application, and must leave room for what a sweep repairs.
pub const REPORTED_MAX: usize = 1_000;

/// The maximum number of units into which the members of groups are divided.
const GROUP_UNITS_MAX: u32 = 32;

/// The maximum number of names that a process has in memory: 64 MB of them. INVARIANT 8.
pub const NAMES_MAX: u64 = 4_000_000;

/// The names that a share is to have. Shares are not equally large: below the maximum there is room.
const SHARE_NAMES: u64 = 3_000_000;

/// The maximum number of differences in a chunk: each needs about three calls to Cognito.
const CHUNK_MAX: usize = 25;

/// What a sweep does with what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It only reports.
    Report,
    /// It sends repairs.
    Repair,
    /// It compares nothing, and sends every item of the table as a backfill does.
    Backfill,
    /// A round of the change to the deployed model: as a repair, with what earlier models have left. Without such a
    /// change it does nothing.
    Change,
}

impl Mode {
    /// The mode in messages and reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Repair => "repair",
            Self::Backfill => "backfill",
            Self::Change => "change",
        }
    }

    /// Whether it sends repairs.
    #[must_use]
    pub const fn repairs(self) -> bool {
        matches!(self, Self::Repair | Self::Change)
    }
}

/// A phase: units that may run at the same time, once those of the phases before are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepPhase {
    /// The groups of the pool are listed.
    Groups,
    /// Its users and members are listed, and looked up in the table.
    Pool,
    /// The table is read.
    Table,
    /// What the table wants is compared with the names of the pool.
    Compare,
    /// Each difference is read once more.
    Confirm,
    /// Lost back-references are written. INVARIANT 2: all of them, before any repair is sent. A run over an
    /// extra membership may find the items that imply it only by these.
    References,
    /// Repairs are sent.
    Send,
    /// The items of the table are sent.
    Backfill,
}

impl SweepPhase {
    /// The phases of a sweep or a backfill, in their order.
    #[must_use]
    pub const fn of(mode: Mode) -> &'static [Self] {
        use SweepPhase::{Backfill, Compare, Confirm, Groups, Pool, References, Send, Table};
        match mode {
            Mode::Report | Mode::Repair | Mode::Change => &[Groups, Pool, Table, Compare, Confirm, References, Send],
            Mode::Backfill => &[Backfill],
        }
    }

    /// The phase in names and reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Groups => "groups",
            Self::Pool => "pool",
            Self::Table => "table",
            Self::Compare => "compare",
            Self::Confirm => "confirm",
            Self::References => "references",
            Self::Send => "send",
            Self::Backfill => "backfill",
        }
    }

    /// The units that run at once. Where they call Cognito, its rate is the limit.
    #[must_use]
    pub const fn concurrency(self) -> u32 {
        match self {
            Self::Groups | Self::References | Self::Send => 1,
            Self::Pool | Self::Confirm | Self::Backfill => 2,
            Self::Table | Self::Compare => 4,
        }
    }

    /// Whether only a repair within its limit has it.
    #[must_use]
    pub const fn changes_something(self) -> bool {
        matches!(self, Self::References | Self::Send)
    }
}

/// The seconds between the two reads of a difference, if nothing says another: a record is usually handled within a
/// few seconds.
pub const GRACE_SECONDS: u32 = 60;

/// How a sweep starts: the input of an execution, which a schedule or a person gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SweepStart {
    /// What it does with what it finds.
    pub mode: Mode,
    /// The maximum of what it removes from Cognito.
    #[serde(default)]
    pub max_removals: u64,
    /// The seconds between the two reads of a difference.
    #[serde(default = "grace")]
    pub grace_seconds: u32,
    /// An earlier sweep, of which it does what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepName>,
    /// While a change is under way, it is a round of it, whatever the mode.
    #[serde(default, skip_serializing_if = "is_false")]
    pub change: bool,
}

const fn grace() -> u32 {
    GRACE_SECONDS
}

/// What a driver asks a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepRequest {
    /// What the sweep does with what it finds.
    pub mode: Mode,
    /// The maximum of what it removes from Cognito.
    pub max_removals: u64,
    /// The seconds between the two reads of a difference.
    pub grace_seconds: u32,
    /// The phase that the driver has just run.
    pub ran: Option<SweepPhase>,
}

impl SweepRequest {
    /// That of a backfill.
    pub const BACKFILL: Self = Self { mode: Mode::Backfill, max_removals: 0, grace_seconds: 0, ran: None };
}

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub enum SweepNext {
    /// The units of a phase have to be listed.
    List(SweepPhase),
    /// Units are to be done.
    Run {
        /// The phase.
        phase: SweepPhase,
        /// Those of its units that are not done.
        units: Vec<SweepUnit>,
        /// The seconds to wait before.
        wait: u32,
    },
    /// Nothing.
    Over,
}

/// A driver says that it ran a phase, and units of it are not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{count} units of the phase {} are not done, such as {first}", phase.word())]
pub struct UnitsNotDone {
    phase: SweepPhase,
    count: usize,
    first: SweepUnit,
}

/// What is known of a sweep: the units of the phases that are listed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepUnits {
    phases: BTreeMap<SweepPhase, Vec<(SweepUnit, UnitProgress)>>,
}

impl SweepUnits {
    /// Adds a phase that is listed.
    pub fn add(&mut self, phase: SweepPhase, units: Vec<(SweepUnit, UnitProgress)>) {
        self.phases.insert(phase, units);
    }

    /// The units of a phase.
    #[must_use]
    pub fn units(&self, phase: SweepPhase) -> &[(SweepUnit, UnitProgress)] {
        self.phases.get(&phase).map(Vec::as_slice).unwrap_or_default()
    }

    /// What all units have counted.
    #[must_use]
    pub fn tally(&self) -> SweepTally {
        let mut all = SweepTally::default();
        self.phases.values().flatten().for_each(|(_, progress)| all.add(&progress.tally));
        all
    }

    /// Whether the repairs would remove more than the sweep may: then it sends none.
    #[must_use]
    pub fn is_stopped(&self, ask: &SweepRequest) -> bool {
        ask.mode.repairs() && self.tally().removals > ask.max_removals
    }

    /// The units of the present phase that are done, and all of them. `None` before the first list.
    #[must_use]
    pub fn present(&self, mode: Mode) -> Option<(SweepPhase, usize, usize)> {
        let listed = |phase: &SweepPhase| self.phases.get(phase).map(|all| (*phase, all));
        let (phase, all) = SweepPhase::of(mode).iter().rev().find_map(listed)?;
        Some((phase, all.iter().filter(|(_, progress)| progress.done).count(), all.len()))
    }

    /// What comes next.
    ///
    /// # Errors
    /// The driver has run a phase, and units of it are not done. A plan does not believe the driver: without
    /// these units, the sweep would find too little.
    pub fn next(&self, ask: &SweepRequest) -> Result<SweepNext, UnitsNotDone> {
        for phase in SweepPhase::of(ask.mode).iter().copied() {
            if phase.changes_something() && (!ask.mode.repairs() || self.is_stopped(ask)) {
                return Ok(SweepNext::Over);
            }
            let Some(all) = self.phases.get(&phase) else { return Ok(SweepNext::List(phase)) };
            let left: Vec<SweepUnit> =
                all.iter().filter(|(_, progress)| !progress.done).map(|(unit, _)| *unit).collect();
            let Some(first) = left.first().copied() else { continue };
            if ask.ran == Some(phase) {
                return Err(UnitsNotDone { phase, count: left.len(), first });
            }
            // What is merely in progress is no drift.
            let is_first_read = phase == SweepPhase::Confirm && left.len() == all.len();
            let wait = if is_first_read { ask.grace_seconds } else { 0 };
            return Ok(SweepNext::Run { phase, units: left, wait });
        }
        Ok(SweepNext::Over)
    }

    /// The units of a phase, from what the phases before have found. `groups` is the number of groups whose
    /// members are listed, `chunks` that of the chunks of differences.
    #[must_use]
    pub fn list(&self, phase: SweepPhase, division: &Division, groups: usize, chunks: usize) -> Vec<SweepUnit> {
        let up_to = |count: usize| 0..u32::try_from(count).unwrap_or(u32::MAX);
        let confirmed = |is_wanted: fn(&SweepTally) -> bool| {
            let units = self.units(SweepPhase::Confirm).iter().filter(move |(_, progress)| is_wanted(&progress.tally));
            units.filter_map(|(unit, _)| if let SweepUnit::Confirm(nth) = unit { Some(*nth) } else { None })
        };
        match phase {
            SweepPhase::Groups | SweepPhase::Pool | SweepPhase::Compare if !division.has_pool() => Vec::new(),
            SweepPhase::Groups => vec![SweepUnit::Groups],
            SweepPhase::Pool => {
                [SweepUnit::Users].into_iter().chain((0..group_units(groups)).map(SweepUnit::Members)).collect()
            }
            SweepPhase::Table => (0..division.segments).map(SweepUnit::Segment).collect(),
            SweepPhase::Compare => self.shares(division),
            SweepPhase::Confirm => up_to(chunks).map(SweepUnit::Confirm).collect(),
            SweepPhase::References => confirmed(|tally| tally.kinds.contains_key(&DifferenceKind::Bookkeeping))
                .map(SweepUnit::References)
                .collect(),
            SweepPhase::Send => confirmed(|tally| tally.repairable > 0).map(SweepUnit::Send).collect(),
            SweepPhase::Backfill => (0..division.segments).map(SweepUnit::Backfill).collect(),
        }
    }

    /// Parts were chosen from estimates. Their shares come from what was counted, so that each fits the
    /// memory of a process. INVARIANT 8.
    fn shares(&self, division: &Division) -> Vec<SweepUnit> {
        let mut units = Vec::new();
        for part in 0..division.parts {
            let place = usize::try_from(part).unwrap_or_default();
            let of_unit =
                |(_, progress): &(SweepUnit, UnitProgress)| progress.names.get(place).copied().unwrap_or_default();
            let names: u64 = self.units(SweepPhase::Pool).iter().map(of_unit).sum();
            let of = u32::try_from(names.div_ceil(SHARE_NAMES).max(1)).unwrap_or(u32::MAX);
            units.extend((0..of).map(|share| SweepUnit::Compare { part, share, of }));
        }
        units
    }
}

/// The number of units that list the members of so many groups.
#[must_use]
pub fn group_units(groups: usize) -> u32 {
    u32::try_from(groups).unwrap_or(u32::MAX).min(GROUP_UNITS_MAX)
}

/// All that the first read has found, each difference once, as far as a sweep keeps it.
#[derive(Debug, Default)]
pub struct Gathered {
    found: BTreeSet<Candidate>,
    kept: usize,
    reported: BTreeMap<DifferenceKind, usize>,
    tally: SweepTally,
}

impl Gathered {
    /// Adds a difference.
    pub fn add(&mut self, candidate: Candidate) {
        let is_known = |known: &Candidate| known.kind == candidate.kind && known.about == candidate.about;
        let from = Candidate { keys: BTreeSet::new(), reported: false, ..candidate.clone() };
        if self.found.range(from..).next().is_some_and(is_known) {
            return;
        }
        self.tally.found += 1;
        let (count, most) = if candidate.reported {
            (self.reported.entry(candidate.kind).or_default(), REPORTED_MAX)
        } else {
            (&mut self.kept, KEPT_MAX)
        };
        *count += 1;
        if *count <= most {
            self.found.insert(candidate);
        } else {
            self.tally.more += 1;
            self.tally.more_of_writers += u64::from(candidate.kind.is_of_writers());
        }
    }

    /// The chunks, and what was counted.
    #[must_use]
    pub fn chunks(mut self) -> (Vec<Vec<Candidate>>, SweepTally) {
        let all = without_adopted(&self.found);
        self.tally.found -= (self.found.len() - all.len()) as u64;
        (all.chunks(CHUNK_MAX).map(<[Candidate]>::to_vec).collect(), self.tally)
    }
}

/// All but the guards that an item will adopt: they have no owner yet, and another difference says so.
fn without_adopted(found: &BTreeSet<Candidate>) -> Vec<Candidate> {
    let adopted = found.iter().filter(|candidate| candidate.kind == DifferenceKind::Guard);
    let adopted: BTreeSet<&Key> = adopted.filter_map(|candidate| candidate.about.key()).collect();
    let is_adopted = |candidate: &&Candidate| {
        candidate.kind == DifferenceKind::UnownedGuard && candidate.about.key().is_some_and(|key| adopted.contains(key))
    };
    found.iter().filter(|candidate| !is_adopted(candidate)).cloned().collect()
}

#[cfg(test)]
mod tests;
