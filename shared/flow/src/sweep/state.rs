//! A sweep that several workers share: its phases, the units of work of each, and the lanes that do
//! them.
//!
//! The state is one bookkeeping item, so that no process has to remember anything. A *lane* does one
//! unit after another, a step at a time. Each step ends with a conditional write of the state, and then
//! sends the message of the next step. So a step that is done twice counts once, and a worker that dies
//! loses one step.

mod item;
mod parts;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

pub use item::{state_key, state_of, with_state};
pub use parts::{Lane, Layout, Piece, Place, Spelling, Tally, Unit};

use super::{Mode, Start, Step};

/// The maximum number of lanes: their messages fit one SendMessageBatch.
const LANES_MAX: u32 = 10;

/// The maximum number of units into which the members of groups are divided.
const GROUP_UNITS_MAX: u32 = 32;

/// The objects of found differences that a sweep keeps. Their names are in the state. INVARIANT 8.
const FOUND_MAX: usize = 500;

/// SQS delivers a duplicate of a message within this time, as a rule. A later one does no harm: it costs
/// a message more.
const DUPLICATES: SignedDuration = SignedDuration::from_secs(30);

/// The time after which a sweep without a step counts as stuck: its messages are lost. The next start
/// sends them again. It is longer than the visibility timeout of the work queue.
const STUCK: SignedDuration = SignedDuration::from_mins(30);

/// The time after which a sweep without a step is given up, and the next start begins a new one. It is
/// longer than the work queue delivers a message again: 30 times in six hours.
const LOST: SignedDuration = SignedDuration::from_hours(12);

/// The phases of a sweep, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The groups of the pool are listed.
    Groups,
    /// Users, members and the table are read. Each is looked up on the other side as far as one read
    /// can do that.
    Read,
    /// What the table implies is compared with the names of the pool.
    Compare,
    /// All differences are put together.
    Gather,
    /// Each difference is read once more.
    Confirm,
    /// Repairs are sent.
    Send,
    /// The sweep has ended.
    Over,
}

impl Phase {
    const fn next(self) -> Self {
        match self {
            Self::Groups => Self::Read,
            Self::Read => Self::Compare,
            Self::Compare => Self::Gather,
            Self::Gather => Self::Confirm,
            Self::Confirm => Self::Send,
            Self::Send | Self::Over => Self::Over,
        }
    }

    /// The phase in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Groups => "groups",
            Self::Read => "read",
            Self::Compare => "compare",
            Self::Gather => "gather",
            Self::Confirm => "confirm",
            Self::Send => "send",
            Self::Over => "over",
        }
    }
}

/// A sweep that several workers share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// Its name.
    pub id: String,
    /// What it does with what it finds.
    pub mode: Mode,
    /// The maximum of what it removes from Cognito.
    pub max_removals: u64,
    /// The seconds between the two reads of a difference.
    pub grace_seconds: u32,
    /// When it began.
    pub began: Timestamp,
    /// When its last step ended.
    pub moved: Timestamp,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// Its phase.
    pub phase: Phase,
    /// The first unit of the phase that no lane has.
    pub next: u32,
    /// How it is divided.
    pub layout: Layout,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// The steps of each unit of [`Phase::Read`].
    pub steps: Vec<u32>,
    /// The objects with differences.
    pub found: Vec<String>,
    /// What was counted.
    pub tally: Tally,
}

impl State {
    /// A sweep that begins. `by` is who began it.
    #[must_use]
    pub fn new(id: String, start: &Start, layout: Layout, now: Timestamp, by: &str) -> Self {
        let lanes = start.workers.clamp(1, LANES_MAX);
        let lane = Lane { by: by.to_owned(), moved: now, ..Lane::default() };
        let mut state = Self {
            id,
            mode: start.mode,
            max_removals: start.max_removals,
            grace_seconds: start.grace_seconds,
            began: now,
            moved: now,
            ended: None,
            phase: Phase::Groups,
            next: 0,
            layout,
            lanes: (0..lanes).map(|_| lane.clone()).collect(),
            steps: Vec::new(),
            found: Vec::new(),
            tally: Tally::default(),
        };
        state.begin_phase(now);
        state
    }

    /// Whether it is under way.
    #[must_use]
    pub const fn is_under_way(&self) -> bool {
        self.ended.is_none()
    }

    /// Whether the repairs would remove more than the sweep may: then it sends none.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        matches!(self.mode, Mode::Repair) && self.tally.removals > self.max_removals
    }

    /// The lanes that have a unit. For each there is a message, or there has to be.
    #[must_use]
    pub fn active(&self) -> Vec<usize> {
        self.lanes.iter().enumerate().filter(|(_, lane)| lane.unit.is_some()).map(|(place, _)| place).collect()
    }

    /// The lanes whose messages the last step of this lane has to send, in that order: what has moved
    /// with it and has a unit. The lane's own message is the last. Once its lane moves on, the message
    /// of the step sends no other lane's again: so a worker that dies between two sends has not sent
    /// its own.
    #[must_use]
    pub fn moved_with(&self, lane: usize) -> Vec<usize> {
        let moved = self.lanes.get(lane).map(|lane| lane.moved);
        let mut lanes = self.active();
        lanes.retain(|other| self.lanes.get(*other).map(|other| other.moved) == moved);
        lanes.sort_by_key(|other| *other == lane);
        lanes
    }

    /// Whether a message of this step, which is done, has to send what follows: the worker that did the
    /// step may have died before it sent that. Then the message is delivered once more; after a while in
    /// the dead-letter queue it even comes as a new one. A new one soon after the step is a duplicate.
    #[must_use]
    pub fn sends_again(&self, step: &Step, redelivered: bool, now: Timestamp) -> bool {
        let lane = self.lanes.get(step.lane).filter(|lane| lane.step == step.step + 1);
        let is_late = lane.is_some_and(|lane| redelivered || now.duration_since(lane.moved) > DUPLICATES);
        is_late && (!self.is_under_way() || !self.moved_with(step.lane).is_empty())
    }

    /// Notes that `by` sends the messages of a lane's last step again. Returns the lanes, as
    /// [`State::moved_with`].
    ///
    /// INVARIANT 8: other copies of the message that come soon afterwards send nothing. If each of them
    /// sent what follows, and the copies of that did the same, there would be more and more.
    pub fn send_again(&mut self, lane: usize, now: Timestamp, by: &str) -> Vec<usize> {
        let sent = self.moved_with(lane);
        for place in sent.iter().copied().chain([lane]) {
            self.lanes.get_mut(place).into_iter().for_each(|lane| lane.moved = now);
        }
        self.lanes.get_mut(lane).into_iter().for_each(|lane| by.clone_into(&mut lane.by));
        sent
    }

    /// Whether a message to start a sweep, while this one is under way, has to send the steps of this
    /// one: the message started it and is delivered once more, or the steps are lost.
    #[must_use]
    pub fn starts_again(&self, redelivered: bool, now: Timestamp) -> bool {
        let is_new = self.lanes.iter().all(|lane| lane.step == 0);
        let patience = if is_new { DUPLICATES } else { STUCK };
        redelivered || now.duration_since(self.moved) > patience
    }

    /// Whether it is under way and can go on: then no other one begins.
    #[must_use]
    pub fn goes_on(&self, now: Timestamp) -> bool {
        self.is_under_way() && !self.is_lost(now)
    }

    /// Whether it cannot go on: it has made no step for so long that every message of it has been tried many
    /// times. What it needs may be missing, as in a restored table with another bucket.
    fn is_lost(&self, now: Timestamp) -> bool {
        now.duration_since(self.moved) > LOST
    }

    /// The units into which the members of groups are divided.
    #[must_use]
    pub fn group_units(&self) -> u32 {
        self.layout.listed.min(GROUP_UNITS_MAX)
    }

    /// The number of units of a phase.
    fn units(&self, phase: Phase) -> u32 {
        let is_backfill = self.mode == Mode::Backfill;
        let of_pool = self.layout.has_pool && !is_backfill;
        match phase {
            Phase::Groups => u32::from(of_pool),
            Phase::Read if of_pool => 1 + self.group_units() + self.layout.segments,
            Phase::Read => self.layout.segments,
            Phase::Compare if of_pool => self.layout.parts,
            Phase::Gather => u32::from(!is_backfill && !self.found.is_empty()),
            Phase::Confirm => self.layout.chunks,
            Phase::Send => {
                let sends = self.mode == Mode::Repair && self.tally.repairable > 0 && !self.is_stopped();
                u32::from(sends)
            }
            Phase::Compare | Phase::Over => 0,
        }
    }

    /// What a lane has to do.
    #[must_use]
    pub fn unit(&self, lane: &Lane) -> Option<Unit> {
        let nth = lane.unit?;
        let of_pool = self.units(Phase::Groups);
        Some(match self.phase {
            Phase::Groups => Unit::Groups,
            Phase::Read if of_pool == 0 => Unit::Segment(nth),
            Phase::Read if nth == 0 => Unit::Users,
            Phase::Read if nth <= self.group_units() => Unit::Members { nth: nth - 1, of: self.group_units() },
            Phase::Read => Unit::Segment(nth - 1 - self.group_units()),
            Phase::Compare => Unit::Part(nth),
            Phase::Gather => Unit::Gather,
            Phase::Confirm => Unit::Chunk(nth),
            Phase::Send => Unit::Send,
            Phase::Over => return None,
        })
    }

    /// The number in [`State::steps`] of a segment's unit.
    #[must_use]
    pub fn place_of_segment(&self, segment: u32) -> u32 {
        if self.units(Phase::Groups) == 0 { segment } else { 1 + self.group_units() + segment }
    }

    /// Takes the outcome of a lane's step, which `by` has done. Returns the lanes whose next step has to
    /// be sent, in the order of [`State::moved_with`].
    pub fn advance(&mut self, place: usize, piece: Piece, now: Timestamp, by: &str) -> Vec<usize> {
        let Some(lane) = self.lanes.get_mut(place) else { return Vec::new() };
        lane.step += 1;
        by.clone_into(&mut lane.by);
        lane.moved = now;
        lane.done += 1;
        lane.place = piece.place;
        let (unit, done, is_done) = (lane.unit, lane.done, lane.place.is_none());
        self.moved = now;
        self.tally.add(&piece.tally);
        match piece.found {
            Some(name) if self.found.len() < FOUND_MAX => self.found.push(name),
            Some(_) => self.tally.more += piece.tally.found,
            None => {}
        }
        self.layout.listed += piece.listed;
        self.layout.chunks += piece.chunks;
        if let Some(spelling) = piece.spelling {
            self.layout.spelling = spelling;
        }
        match self.phase {
            Phase::Groups => self.layout.group_objects = done,
            Phase::Read => {
                let steps = unit.and_then(|unit| usize::try_from(unit).ok()).and_then(|unit| self.steps.get_mut(unit));
                steps.into_iter().for_each(|steps| *steps = done);
            }
            Phase::Compare | Phase::Gather | Phase::Confirm | Phase::Send | Phase::Over => {}
        }
        if !is_done {
            return vec![place];
        }
        self.assign(place);
        if self.lanes.get(place).is_some_and(|lane| lane.unit.is_some()) {
            return vec![place];
        }
        if !self.active().is_empty() {
            return Vec::new();
        }
        self.phase = self.phase.next();
        self.begin_phase(now);
        // A message of an earlier step is void.
        let others = self.lanes.iter_mut().enumerate().filter(|(other, lane)| *other != place && lane.unit.is_some());
        others.for_each(|(_, lane)| (lane.step, lane.moved) = (lane.step + 1, now));
        self.moved_with(place)
    }

    /// Begins the present phase, or the first one after it that has something to do.
    fn begin_phase(&mut self, now: Timestamp) {
        while self.units(self.phase) == 0 && self.phase != Phase::Over {
            self.phase = self.phase.next();
        }
        self.next = 0;
        match self.phase {
            Phase::Over => self.ended = Some(now),
            Phase::Read => self.steps = (0..self.units(Phase::Read)).map(|_| 0).collect(),
            Phase::Groups | Phase::Compare | Phase::Gather | Phase::Confirm | Phase::Send => {}
        }
        (0..self.lanes.len()).for_each(|place| self.assign(place));
    }

    /// Gives a lane the next unit of the phase, if there is one.
    fn assign(&mut self, place: usize) {
        let units = self.units(self.phase);
        let Some(lane) = self.lanes.get_mut(place) else { return };
        (lane.done, lane.place) = (0, None);
        lane.unit = (self.next < units).then_some(self.next);
        self.next += u32::from(lane.unit.is_some());
    }
}

#[cfg(test)]
mod tests;
