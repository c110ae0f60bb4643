//! A sweep that the workers of the work queue share.
//!
//! A message is one step: read what the state says, do it, keep what was found in the bucket, write the
//! state on condition that it is as it was read, and send the next step. So a step that is delivered
//! twice counts once, and a worker that dies loses one step. Nothing is kept in memory between steps.

mod compare;
mod read;
mod store;

use std::time::Duration;

use instep_flow::bookkeeping;
use instep_flow::effect::Action;
use instep_flow::sweep::{
    Lane, Layout, Phase, Piece, Start, State, Step, SweepWork, Unit, state_key, state_of, with_state,
};
use instep_flow::work::{Work, WorkMessage};
use instep_model::Item;

use super::FoundDifference;
use crate::apply::{Written, new_token};
use crate::instep::{Instep, Run};
use crate::send::{DELAY_SECONDS_MAX, Outgoing};

/// The attempts to write the state while other lanes write it.
const CONFLICTS_MAX: u64 = 40;

/// The wait before the next such attempt.
const CONFLICT_WAIT: Duration = Duration::from_millis(20);

/// What a message to a sweep has done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepReport {
    /// The phase of the step.
    pub phase: Option<Phase>,
    /// The sweep, if the message has ended it.
    pub ended: Option<State>,
    /// A sweep was to start, and another one was still under way.
    pub is_late: bool,
}

/// How a step ended.
#[derive(Debug, Clone, Copy)]
enum Ending<'a> {
    /// With this outcome.
    Done(&'a Piece),
    /// It was done before, by a worker that may not have sent what follows.
    Again { redelivered: bool },
}

impl Instep {
    /// The sweep that the work function does, or did last. `None` if there was none.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn last_sweep(&self, run: &Run) -> Result<Option<State>, String> {
        self.sweep_item(run).await.map(|(_, state)| state)
    }

    /// Sends the message that starts a sweep.
    ///
    /// # Errors
    /// The queue refused it.
    pub async fn send_start(&self, start: Start, run: &Run) -> Result<(), String> {
        let message = self.sweep_message(SweepWork::Start(start), 0, run);
        self.send_work(vec![message], run).await
    }

    /// Does what a message to a sweep asks for. A step that is still to do is put off if the run has
    /// had one.
    pub(crate) async fn sweep_work(
        &self,
        work: &SweepWork,
        redelivered: bool,
        had_step: bool,
        run: &Run,
    ) -> Result<SweepReport, String> {
        match work {
            SweepWork::Start(start) => self.start(start, redelivered, run).await,
            SweepWork::Step(step) => self.step(step, redelivered, had_step, run).await,
        }
    }

    async fn start(&self, start: &Start, redelivered: bool, run: &Run) -> Result<SweepReport, String> {
        let (read, state) = self.sweep_item(run).await?;
        if let Some(state) = state.filter(|state| state.goes_on(run.now)) {
            if state.starts_again(redelivered, run.now) {
                self.send_steps(&state, &state.active(), run).await?;
            }
            return Ok(SweepReport { is_late: !redelivered, ..SweepReport::default() });
        }
        let by = new_token();
        let id = format!("{}-{}", run.now.strftime("%Y%m%dT%H%M%SZ"), by.get(..8).unwrap_or_default());
        let (segments, parts) = self.sizes(self.settings.user_pool.is_some(), run).await?;
        let layout = Layout { has_pool: self.settings.user_pool.is_some(), segments, parts, ..Layout::default() };
        let state = State::new(id, start, layout, run.now, &by);
        if self.write_state(read.as_ref(), &state, run).await? || self.is_by(0, &by, run).await? {
            self.send_steps(&state, &state.active(), run).await?;
        }
        Ok(SweepReport { phase: Some(state.phase), ..SweepReport::default() })
    }

    async fn step(&self, step: &Step, redelivered: bool, had_step: bool, run: &Run) -> Result<SweepReport, String> {
        let ignored = SweepReport::default();
        let (_, Some(state)) = self.sweep_item(run).await? else { return Ok(ignored) };
        let Some(lane) = state.lanes.get(step.lane).filter(|_| state.id == step.sweep) else { return Ok(ignored) };
        if state.sends_again(step, redelivered, run.now) {
            let ended = self.end_step(step, Ending::Again { redelivered }, run).await?;
            return Ok(SweepReport { ended, ..ignored });
        }
        let Some(unit) = state.unit(lane).filter(|_| lane.step == step.step) else { return Ok(ignored) };
        if had_step {
            self.send_work(vec![self.sweep_message(SweepWork::Step(step.clone()), 0, run)], run).await?;
            return Ok(ignored);
        }
        let piece = Box::pin(self.piece(&state, lane, unit, run)).await?;
        let phase = Some(state.phase);
        let ended = self.end_step(step, Ending::Done(&piece), run).await?;
        Ok(SweepReport { phase, ended, is_late: false })
    }

    async fn piece(&self, state: &State, lane: &Lane, unit: Unit, run: &Run) -> Result<Piece, String> {
        match unit {
            Unit::Groups => self.list_groups(state, lane, run).await,
            Unit::Users => self.list_users(state, lane, run).await,
            Unit::Members { nth, of } => self.list_members(state, lane, (nth, of), run).await,
            Unit::Segment(segment) => self.read_segment(state, lane, segment, run).await,
            Unit::Part(part) => self.compare_part(state, lane, part, run).await,
            Unit::Gather => self.gather_found(state, run).await,
            Unit::Chunk(chunk) => self.confirm_chunk(state, chunk, run).await,
            Unit::Send => self.send_repairs(state, lane, run).await,
        }
    }

    /// Writes how a step ended, and sends what follows. Returns the sweep if that has ended it.
    async fn end_step(&self, step: &Step, ending: Ending<'_>, run: &Run) -> Result<Option<State>, String> {
        let by = new_token();
        // INVARIANT 8: the loop is bounded.
        for _ in 0..CONFLICTS_MAX {
            let (read, Some(mut state)) = self.sweep_item(run).await? else { return Ok(None) };
            let Some(lane) = state.lanes.get(step.lane).filter(|_| state.id == step.sweep) else { return Ok(None) };
            // Then only the answer to the write was lost.
            let is_written = lane.by == by;
            let next = match ending {
                _ if is_written => state.moved_with(step.lane),
                Ending::Done(piece) if lane.step == step.step => state.advance(step.lane, piece.clone(), run.now, &by),
                Ending::Again { redelivered } if state.sends_again(step, redelivered, run.now) => {
                    state.send_again(step.lane, run.now, &by)
                }
                // A duplicate of the message was faster, and sends what follows.
                Ending::Done(_) | Ending::Again { .. } => return Ok(None),
            };
            if !is_written && !self.write_state(read.as_ref(), &state, run).await? {
                tokio::time::sleep(CONFLICT_WAIT).await;
                continue;
            }
            self.send_steps(&state, &next, run).await?;
            return Ok(state.ended.is_some().then_some(state));
        }
        Err("other lanes of the sweep write its state all the time".to_owned())
    }

    /// Sends the next steps of lanes, that of the last lane at the end.
    async fn send_steps(&self, state: &State, lanes: &[usize], run: &Run) -> Result<(), String> {
        let message = |place: &usize| {
            let lane = state.lanes.get(*place)?;
            let first =
                lane.unit.and_then(|unit| usize::try_from(unit).ok()).is_some_and(|unit| unit < state.lanes.len());
            let is_delayed = state.phase == Phase::Confirm && first;
            let delay = if is_delayed { i32::try_from(state.grace_seconds).unwrap_or(DELAY_SECONDS_MAX) } else { 0 };
            let step = Step { sweep: state.id.clone(), lane: *place, step: lane.step };
            Some(self.sweep_message(SweepWork::Step(step), delay, run))
        };
        let Some((last, others)) = lanes.split_last() else { return Ok(()) };
        self.send_work(others.iter().filter_map(message).collect(), run).await?;
        self.send_work(message(last).into_iter().collect(), run).await
    }

    fn sweep_message(&self, work: SweepWork, delay_seconds: i32, run: &Run) -> Outgoing {
        let message = WorkMessage::new(&self.model, &self.settings.table, 0, run.now, Work::Sweep(work));
        // It says which step it is for, and so by itself whether it is old.
        let message = WorkMessage { sent_at: None, ..message };
        Outgoing { delay_seconds: delay_seconds.min(DELAY_SECONDS_MAX), ..self.outgoing(&message, false) }
    }

    /// The item of the sweep, and its state. An item that this Instep cannot read counts as no sweep.
    async fn sweep_item(&self, run: &Run) -> Result<(Option<Item>, Option<State>), String> {
        let keys = [state_key()].into();
        let item = self.items_at(&keys, run).await?.into_iter().next();
        let state = item.as_ref().and_then(state_of);
        let state = state.and_then(|text| serde_json::from_str(text).ok());
        Ok((item, state))
    }

    /// Writes the state, on condition that the item is as it was read. Returns whether it was.
    async fn write_state(&self, read: Option<&Item>, state: &State, run: &Run) -> Result<bool, String> {
        let text = serde_json::to_string(state).map_err(|error| format!("the sweep cannot be written: {error}"))?;
        let (key, item) = with_state(&self.model, &text);
        let put = Action::Put { key, item, expect: bookkeeping::as_read(read) };
        match self.table().write(&[], &[put], run.deadline).await {
            Ok(Written::Done) => Ok(true),
            Ok(Written::Moved) => Ok(false),
            Err(failure) => Err(failure.words("PutItem")),
        }
    }

    /// Whether `by` has written a lane last: then only the answer to its write was lost.
    async fn is_by(&self, lane: usize, by: &str, run: &Run) -> Result<bool, String> {
        let (_, state) = self.sweep_item(run).await?;
        Ok(state.is_some_and(|state| state.lanes.get(lane).is_some_and(|lane| lane.by == by)))
    }
}
