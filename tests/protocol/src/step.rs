//! The steps that can follow a state, and the state after each.

use crate::effect::{Ask, Effect, Phase};
use crate::run::Source;
use crate::state::{Call, State};
use crate::table::{Item, Record};
use crate::world::{Find, Object, World};

/// A step. Runs, messages and late calls are named by their place in the state's list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A writer writes an item, or deletes it.
    Write(Object, Option<u8>),
    /// The index shows one more write of an object.
    CatchUp(Object),
    /// Lambda delivers the first records of a shard.
    Deliver(u8, usize),
    /// Lambda delivers messages: the first one, and how many.
    Receive(usize, usize),
    /// A record is replayed.
    Replay(Record),
    /// SQS will deliver a message twice.
    Duplicate(usize),
    /// SQS delivers a message twice, and this delivery is not repeated.
    Abandon(usize),
    /// A delayed message is delivered before the index has caught up.
    Early(usize),
    /// A run reads.
    Read(usize, Ask),
    /// A run applies an effect.
    Apply(usize, Effect),
    /// A run applies an effect, and the answer is lost.
    Lost(usize, Effect),
    /// Cognito answers "not found" to a removal, and does not remove.
    NotFound(usize, Effect),
    /// A run dies with a call to Cognito that takes effect later.
    Late(usize, Effect),
    /// That call takes effect.
    Land(usize),
    /// A call of a run fails, and the run ends.
    Fail(usize),
    /// A run dies.
    Crash(usize),
    /// A run that has reconciled parks and publishes, and ends.
    Publish(usize),
    /// Parking or publishing fails after so many records or messages.
    Unpublished(usize, usize),
}

impl World {
    /// All steps that can follow a state.
    #[must_use]
    pub fn steps(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        self.outside(state, &mut steps);
        self.deliveries(state, &mut steps);
        for at in 0..state.runs.len() {
            self.run_steps(state, at, &mut steps);
        }
        steps.extend((0..state.late.len()).map(Step::Land));
        steps
    }

    /// Only the steps that can differ: a step that commutes with all others, and prevents none, is
    /// taken at once.
    #[must_use]
    pub fn few_steps(&self, state: &State) -> Vec<Step> {
        self.eager(state).map_or_else(|| self.steps(state), |step| vec![step])
    }

    /// A delivery does nothing by itself. An item that no writer writes is the same whenever it is
    /// read.
    fn eager(&self, state: &State) -> Option<Step> {
        if self.last_revocation {
            return None;
        }
        let mut shards = state.shards.keys();
        if let (1, Some(shard)) = (self.batch, shards.find(|shard| !state.has_run_of(**shard))) {
            return Some(Step::Deliver(*shard, 1));
        }
        let faults = state.left.duplicates + state.left.abandoned;
        if let (1, 0, Some(at)) =
            (self.messages, faults, state.queue.iter().position(|message| message.until.is_empty()))
        {
            return Some(Step::Receive(at, 1));
        }
        let writes = self.grants_belong || !self.children.is_empty();
        let stays = |ask: &&Ask| match ask {
            Ask::Item(object) => !writes && (state.left.writes == 0 || self.fixed.contains(object)),
            Ask::Tombstone(_) | Ask::Page(..) | Ask::Grants(_) | Ask::Groups(_) => false,
        };
        let mut runs = state.runs.iter().enumerate();
        runs.find_map(|(at, run)| run.asks.iter().find(stays).map(|ask| Step::Read(at, *ask)))
    }

    /// Writers, replays and indexes.
    fn outside(&self, state: &State, steps: &mut Vec<Step>) {
        for object in self.objects().into_iter().filter(|object| !self.fixed.contains(object)) {
            let present = state.table.items.get(&object).map(|item| item.value);
            let values = || [None].into_iter().chain((1..=self.values(object)).map(Some));
            if state.left.writes > 0 {
                steps.extend(values().filter(|new| *new != present).map(|new| Step::Write(object, new)));
            }
            let made_up = !self.last_revocation || matches!(object, Object::Grant(..));
            if state.left.replays > 0 && made_up {
                let item = |value: Option<u8>| value.map(|value| Item { value, written: 0 });
                let record = |old, new| Record { object, old: item(old), new: item(new), at: state.table.clock };
                for old in values() {
                    let new = values().filter(|new| *new != old);
                    steps.extend(new.map(|new| Step::Replay(record(old, new))));
                }
            }
        }
        if state.left.replays > 0 {
            steps.extend(state.history.iter().map(|record| Step::Replay(*record)));
        }
        steps.extend(state.table.unseen.keys().map(|object| Step::CatchUp(*object)));
    }

    /// Lambda and SQS.
    fn deliveries(&self, state: &State, steps: &mut Vec<Step>) {
        for (shard, records) in state.shards.iter().filter(|(shard, _)| !state.has_run_of(**shard)) {
            steps.extend((1..=records.len().min(self.batch)).map(|count| Step::Deliver(*shard, count)));
        }
        for (at, message) in state.queue.iter().enumerate() {
            if at > 0 && state.queue.get(at - 1) == Some(message) {
                continue;
            }
            if !message.until.is_empty() {
                steps.extend((state.left.early > 0).then_some(Step::Early(at)));
                continue;
            }
            let due = state.queue.iter().skip(at).take(self.messages).take_while(|message| message.until.is_empty());
            steps.extend((1..=due.count()).map(|count| Step::Receive(at, count)));
            steps.extend((state.left.duplicates > 0).then_some(Step::Duplicate(at)));
            steps.extend((state.left.abandoned > 0).then_some(Step::Abandon(at)));
        }
    }

    /// The next call of a run, and its faults.
    fn run_steps(&self, state: &State, at: usize, steps: &mut Vec<Step>) {
        let (Some(run), left) = (state.runs.get(at), &state.left) else { return };
        if run.is_reconciled {
            steps.push(Step::Publish(at));
            let count = match &run.source {
                Source::Shard(_, count) => *count,
                Source::Queue(messages) => messages.len(),
                Source::Once => 0,
            };
            steps.extend((0..count).filter(|_| left.unpublished > 0).map(|done| Step::Unpublished(at, done)));
        }
        let asks = run.asks.iter().take(if self.any_order { usize::MAX } else { 1 });
        steps.extend(asks.map(|ask| Step::Read(at, *ask)));
        if run.asks.is_empty() {
            for effect in run.next_effects(self) {
                self.calls(state, at, effect, steps);
            }
        }
        // A run that has done nothing is equivalent to no run.
        if run.has_acted {
            steps.extend((left.crashes > 0).then_some(Step::Crash(at)));
            steps.extend((left.failures > 0 && !run.due.is_empty()).then_some(Step::Fail(at)));
        }
    }

    /// One effect, and its faults.
    fn calls(&self, state: &State, at: usize, effect: &Effect, steps: &mut Vec<Step>) {
        let left = &state.left;
        steps.push(Step::Apply(at, effect.clone()));
        let matters = effect.ensured().is_some() || matches!(effect, Effect::Write(_));
        if left.lost > 0 && matters && effect.phase(&self.rules) != Phase::Refer {
            steps.push(Step::Lost(at, effect.clone()));
        }
        if left.late > 0 && effect.is_of_cognito() {
            steps.push(Step::Late(at, effect.clone()));
        }
        if left.not_found > 0 && effect.revokes() {
            steps.push(Step::NotFound(at, effect.clone()));
        }
    }

    /// The state that a step leads to.
    #[must_use]
    pub fn next(&self, before: &State, step: &Step) -> State {
        let mut state = before.clone();
        state.spend(step);
        match step {
            Step::Write(object, value) => state.write(self, *object, *value),
            Step::CatchUp(object) => state.catch_up(*object),
            Step::Deliver(shard, count) => state.deliver(self, *shard, *count),
            Step::Receive(first, count) => state.receive(self, *first, *count),
            Step::Replay(record) => state.replay(self, *record),
            Step::Duplicate(at) => state.queue.extend(before.queue.get(*at).cloned()),
            Step::Abandon(at) => before.queue.get(*at).into_iter().for_each(|message| state.abandon(self, message)),
            Step::Early(at) => state.queue.get_mut(*at).into_iter().for_each(|message| message.until.clear()),
            Step::Read(at, ask) => state.read(self, *at, *ask),
            Step::Apply(at, effect) => state.apply(self, *at, effect, Call::Answered),
            Step::Lost(at, effect) => state.apply(self, *at, effect, Call::Lost),
            Step::NotFound(at, effect) => state.apply(self, *at, effect, Call::NotFound),
            Step::Late(at, effect) => {
                state.late.push(effect.clone());
                state.end(*at, 0);
            }
            Step::Land(at) => drop(state.cognito.apply(&state.late.remove(*at))),
            Step::Fail(at) => state.fail(self, *at),
            Step::Crash(at) => state.end(*at, 0),
            Step::Publish(at) => state.end(*at, usize::MAX),
            Step::Unpublished(at, done) => state.end(*at, *done),
        }
        // Their order does not matter: states that differ only in it are equivalent.
        state.queue.sort();
        state.runs.sort();
        state
    }

    /// Whether any dependents are found by an index.
    #[must_use]
    pub fn has_index(&self) -> bool {
        [self.find_by_user, self.find_by_group, self.find_children].contains(&Find::Index)
    }
}

impl State {
    fn has_run_of(&self, shard: u8) -> bool {
        self.runs.iter().any(|run| matches!(run.source, Source::Shard(of, _) if of == shard))
    }

    /// Subtracts a step from the budget.
    const fn spend(&mut self, step: &Step) {
        let left = &mut self.left;
        match step {
            Step::Write(..) => left.writes -= 1,
            Step::Replay(_) => left.replays -= 1,
            Step::Duplicate(_) => left.duplicates -= 1,
            Step::Abandon(_) => left.abandoned -= 1,
            Step::Early(_) => left.early -= 1,
            Step::Lost(..) => left.lost -= 1,
            Step::NotFound(..) => left.not_found -= 1,
            Step::Late(..) => left.late -= 1,
            Step::Fail(_) => left.failures -= 1,
            Step::Crash(_) => left.crashes -= 1,
            Step::Unpublished(..) => left.unpublished -= 1,
            Step::CatchUp(_)
            | Step::Deliver(..)
            | Step::Receive(..)
            | Step::Read(..)
            | Step::Apply(..)
            | Step::Land(_)
            | Step::Publish(_) => {}
        }
    }
}
