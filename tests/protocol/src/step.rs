//! The steps that can follow a state, and the state after each.

use instep_flow::effect::{Effect, Phase};

use crate::calls::Call;
use crate::item::{SmallItem, SmallRecord};
use crate::run::{Ask, Source};
use crate::state::State;
use crate::world::{SmallObject, SmallWorld};

/// A step. Runs, messages, late calls, and the asks and effects of a run are named by their place
/// in their list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A writer writes an item, or deletes it.
    Write(SmallObject, Option<u8>),
    /// Somebody signs up.
    SignUp(u8),
    /// People delete an account.
    Leave(u8),
    /// The index shows one more write of an object.
    CatchUp(SmallObject),
    /// Lambda delivers the first records of a shard.
    Deliver(u8, usize),
    /// Lambda delivers messages: the first one, and how many.
    Receive(usize, usize),
    /// A record is replayed.
    Replay(SmallRecord),
    /// SQS will deliver a message twice.
    Duplicate(usize),
    /// SQS delivers a message twice, and this delivery is not repeated.
    Abandon(usize),
    /// A delayed message is delivered before the index has caught up.
    Early(usize),
    /// A run writes a back-reference before it reads.
    Refer(usize),
    /// A run reads.
    Read(usize, usize),
    /// A run applies an effect.
    Apply(usize, usize),
    /// A run applies an effect, and the answer is lost.
    Lost(usize, usize),
    /// Cognito answers "not found" to a removal, and does not remove.
    NotFound(usize, usize),
    /// A run dies with a call to Cognito that takes effect later.
    Late(usize, usize),
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

impl SmallWorld {
    /// All steps that can follow a state.
    #[must_use]
    pub fn steps(&self, state: &State<'_>) -> Vec<Step> {
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
    pub fn few_steps(&self, state: &State<'_>) -> Vec<Step> {
        self.eager(state).map_or_else(|| self.steps(state), |step| vec![step])
    }

    /// A delivery does nothing by itself. An item that no writer writes is the same whenever it is
    /// read.
    fn eager(&self, state: &State<'_>) -> Option<Step> {
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
        let stays = |ask: &Ask| match ask {
            Ask::Item(key) => state
                .design
                .object(key)
                .is_some_and(|object| !writes && (state.left.writes == 0 || self.fixed.contains(&object))),
            Ask::Page(_) | Ask::Rows(_) | Ask::Groups(_) => false,
        };
        let reads = state.runs.iter().enumerate().filter(|(_, run)| run.references.is_empty());
        reads.into_iter().find_map(|(at, run)| run.asks.iter().position(stays).map(|nth| Step::Read(at, nth)))
    }

    /// Writers, replays and indexes.
    fn outside(&self, state: &State<'_>, steps: &mut Vec<Step>) {
        for object in self.objects().into_iter().filter(|object| !self.fixed.contains(object)) {
            let present = state.table.items.get(&object).map(|item| item.value);
            let values = || [None].into_iter().chain((1..=self.values(object)).map(Some));
            if state.left.writes > 0 {
                steps.extend(values().filter(|new| *new != present).map(|new| Step::Write(object, new)));
            }
            let made_up = !self.last_revocation || matches!(object, SmallObject::Grant(..));
            if state.left.replays > 0 && made_up {
                let item = |value: Option<u8>| value.map(|value| SmallItem { value, written: 0 });
                let record = |old, new| SmallRecord { object, old: item(old), new: item(new), at: state.table.clock };
                for old in values() {
                    let new = values().filter(|new| *new != old);
                    steps.extend(new.map(|new| Step::Replay(record(old, new))));
                }
            }
        }
        if state.left.replays > 0 {
            steps.extend(state.history.iter().map(|record| Step::Replay(*record)));
        }
        for user in (0..self.users).filter(|_| self.signs_up) {
            match state.cognito.users.contains_key(&user) {
                true => steps.extend((state.left.leaves > 0).then_some(Step::Leave(user))),
                false => steps.extend((state.left.sign_ups > 0).then_some(Step::SignUp(user))),
            }
        }
        steps.extend(state.table.unseen.keys().map(|object| Step::CatchUp(*object)));
    }

    /// Lambda and SQS.
    fn deliveries(&self, state: &State<'_>, steps: &mut Vec<Step>) {
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
    fn run_steps(&self, state: &State<'_>, at: usize, steps: &mut Vec<Step>) {
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
        if !run.references.is_empty() {
            steps.push(Step::Refer(at));
        } else if run.asks.is_empty() {
            for nth in run.next_effects(self.any_order) {
                steps.extend(run.effect(nth).into_iter().flat_map(|effect| calls(state, (at, nth), effect)));
            }
        } else {
            let asks = 0..run.asks.len().min(if self.any_order { usize::MAX } else { 1 });
            steps.extend(asks.map(|nth| Step::Read(at, nth)));
        }
        // A run that has done nothing is equivalent to no run.
        if run.has_acted {
            steps.extend((left.crashes > 0).then_some(Step::Crash(at)));
            steps.extend((left.failures > 0 && !run.due.is_empty()).then_some(Step::Fail(at)));
        }
    }

    /// The state that a step leads to.
    #[must_use]
    pub fn next<'d>(&self, before: &State<'d>, step: Step) -> State<'d> {
        let mut state = before.clone();
        state.spend(step);
        match step {
            Step::Write(object, value) => state.write(self, object, value),
            Step::SignUp(user) => state.sign_up(self, user),
            Step::Leave(user) => {
                state.cognito.leave(user);
                // Nobody signs up with the `sub` of an account that was deleted.
                state.left.sign_ups = 0;
            }
            Step::CatchUp(object) => state.catch_up(object),
            Step::Deliver(shard, count) => state.deliver(self, shard, count),
            Step::Receive(first, count) => state.receive(self, first, count),
            Step::Replay(record) => state.replay(self, record),
            Step::Duplicate(at) => state.queue.extend(before.queue.get(at).cloned()),
            Step::Abandon(at) => before.queue.get(at).into_iter().for_each(|it| state.abandon(self, it.clone())),
            Step::Early(at) => state.queue.get_mut(at).into_iter().for_each(|message| message.until.clear()),
            Step::Refer(at) => state.refer(self, at),
            Step::Read(at, ask) => state.read(self, at, ask),
            Step::Apply(at, effect) => state.apply(self, at, effect, Call::Answered),
            Step::Lost(at, effect) => state.apply(self, at, effect, Call::Lost),
            Step::NotFound(at, effect) => state.apply(self, at, effect, Call::NotFound),
            Step::Late(at, effect) => {
                state.late.extend(before.runs.get(at).and_then(|run| run.effect(effect)).cloned());
                state.end(at, 0);
            }
            Step::Land(at) => drop(state.cognito.apply(&state.late.remove(at))),
            Step::Fail(at) => state.fail(self, at),
            Step::Crash(at) => state.end(at, 0),
            Step::Publish(at) => state.end(at, usize::MAX),
            Step::Unpublished(at, done) => state.end(at, done),
        }
        // Their order does not matter: states that differ only in it are equivalent.
        state.queue.sort();
        state
    }
}

/// One effect, and what can go wrong with it.
fn calls(state: &State<'_>, (at, nth): (usize, usize), effect: &Effect) -> Vec<Step> {
    let (left, mut steps) = (&state.left, vec![Step::Apply(at, nth)]);
    let is_write = effect.as_write().is_some() || matches!(effect, Effect::MarkDeleted(_) | Effect::DeletePage(_));
    let is_of_cognito = matches!(effect.phase(), Phase::Revoke | Phase::Ensure | Phase::Grant);
    if left.lost > 0 && (is_write || effect.ensures().is_some()) {
        steps.push(Step::Lost(at, nth));
    }
    if left.late > 0 && is_of_cognito {
        steps.push(Step::Late(at, nth));
    }
    if left.not_found > 0 && effect.phase() == Phase::Revoke {
        steps.push(Step::NotFound(at, nth));
    }
    steps
}

impl State<'_> {
    fn has_run_of(&self, shard: u8) -> bool {
        self.runs.iter().any(|run| matches!(run.source, Source::Shard(of, _) if of == shard))
    }

    /// Subtracts a step from the budget.
    const fn spend(&mut self, step: Step) {
        let left = &mut self.left;
        match step {
            Step::Write(..) => left.writes -= 1,
            Step::SignUp(_) => left.sign_ups -= 1,
            Step::Leave(_) => left.leaves -= 1,
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
            | Step::Refer(_)
            | Step::Read(..)
            | Step::Apply(..)
            | Step::Land(_)
            | Step::Publish(_) => {}
        }
    }
}
