//! A run: its records and messages, what it has read, and its next call.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use crate::cognito::Membership;
use crate::effect::{Answer, Ask, Effect, Write};
use crate::message::{Message, Named, Plan};
use crate::reconcile::{Memory, reconcile, written_references};
use crate::rules::Rule;
use crate::world::{Object, World};

/// Where a run's records or messages come from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A shard, and how many of its first records. They are delivered again until a run over them
    /// ends.
    Shard(u8, usize),
    /// The work queue. The messages are delivered again until a run over them ends.
    Queue(Vec<Message>),
    /// A delivery that is not repeated.
    Once,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// Where its records and messages come from.
    pub source: Source,
    /// Its records and messages.
    pub plan: Plan,
    /// What it has to read.
    pub asks: BTreeSet<Ask>,
    /// What it has to apply.
    pub due: BTreeSet<Effect>,
    /// It has reconciled, and parks and publishes next.
    pub is_reconciled: bool,
    /// It has applied an effect.
    pub has_acted: bool,
    /// Memberships that were implied at some moment since it began to read. Only where the world
    /// asks for it.
    pub seen: BTreeSet<Membership>,
    answers: BTreeMap<Ask, Answer>,
    again: BTreeSet<Ask>,
    desired: BTreeSet<Effect>,
    memory: Memory,
    started_at: u32,
}

/// The outcome of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The effect's result is in place.
    Done {
        /// A user or group was created, or may have been.
        created: bool,
    },
    /// A condition failed: the table has changed.
    Moved,
    /// Cognito does not know the user or group of a membership.
    Missing(Object),
}

impl Run {
    /// A run over what a plan names.
    #[must_use]
    pub fn begin(world: &World, source: Source, plan: Plan, now: u32) -> Self {
        let references = plan.hands.iter().flat_map(|(object, hand)| written_references(world, *object, hand));
        let first = world.rules.has(Rule::ReferenceFirst);
        let mut run = Self {
            source,
            asks: BTreeSet::new(),
            due: references.filter(|_| first).collect(),
            is_reconciled: false,
            has_acted: false,
            seen: BTreeSet::new(),
            answers: BTreeMap::new(),
            again: BTreeSet::new(),
            desired: BTreeSet::new(),
            memory: Memory::default(),
            started_at: now,
            plan,
        };
        run.advance(world);
        run
    }

    /// Whether it begins to read everything.
    #[must_use]
    pub fn begins_to_read(&self) -> bool {
        self.answers.keys().all(|ask| matches!(ask, Ask::Page(..))) && !self.asks.is_empty()
    }

    /// The effects of the phase that comes next.
    #[must_use]
    pub fn next_effects(&self, world: &World) -> Vec<&Effect> {
        let phase = self.due.iter().map(|effect| effect.phase(&world.rules)).min();
        let now = self.due.iter().filter(|effect| Some(effect.phase(&world.rules)) == phase);
        now.take(if world.any_order { usize::MAX } else { 1 }).collect()
    }

    /// Stores an answer.
    pub fn answer(&mut self, world: &World, ask: Ask, answer: Answer) {
        self.asks.remove(&ask);
        self.answers.insert(ask, answer);
        self.advance(world);
    }

    /// Stores the outcome of an effect.
    pub fn applied(&mut self, world: &World, effect: &Effect, applied: Applied) {
        self.has_acted = true;
        self.due.remove(effect);
        match applied {
            Applied::Done { created } => {
                self.note(world, effect, created);
                self.mark_applied(effect);
            }
            Applied::Moved => self.read_again(),
            Applied::Missing(object) => self.missing(world, effect, object),
        }
        self.advance(world);
    }

    fn mark_applied(&mut self, effect: &Effect) {
        self.memory.applied.retain(|other| !effect.undoes(other));
        self.memory.applied.insert(effect.clone());
    }

    /// A run that holds messages remembers which users and groups it created or deleted.
    fn note(&mut self, world: &World, effect: &Effect, created: bool) {
        if let Effect::Write(Write::DeleteChildren { page: Some(page), .. }) = effect {
            self.memory.pages.insert(*page);
        }
        if let Effect::AddMember(membership, grant) = effect
            && !world.rules.has(Rule::GrantOnlyInHand)
        {
            self.memory.unnamed.insert((*grant, *membership));
        }
        if !self.plan.has_messages() && world.rules.has(Rule::FanOutOfExisting) {
            return;
        }
        if let Some(object) = effect.deleted() {
            self.memory.deleted.insert(object);
            self.memory.created.remove(&object);
        }
        if let Some(object) = effect.ensured().filter(|_| created) {
            self.memory.created.insert(object);
        }
    }

    /// Cognito does not know the user or group of a membership. If this run ensures the user or
    /// group, it ensures it again. Otherwise another run handles the grant.
    fn missing(&mut self, world: &World, effect: &Effect, object: Object) {
        let Effect::AddMember(membership, grant) = effect else { return };
        if self.desired.iter().any(|other| other.ensured() == Some(object)) {
            self.memory.applied.retain(|other| other.ensured() != Some(object));
            return;
        }
        if world.rules.has(Rule::HandOnMissing) {
            let (user, group) =
                (Named::bare(Object::User(membership.user)), Named::bare(Object::Group(membership.group)));
            let named = vec![user, group, Named::with(*grant, membership.role)];
            self.memory.handed_on.insert(Effect::HandOn(named));
        }
        self.mark_applied(effect);
    }

    /// Everything but pages is read again; a run reads a page once. The groups of a user are read
    /// when they are needed.
    fn read_again(&mut self) {
        let answers = mem::take(&mut self.answers);
        let (pages, again): (BTreeMap<_, _>, BTreeMap<_, _>) =
            answers.into_iter().partition(|(ask, _)| matches!(ask, Ask::Page(..)));
        self.answers = pages;
        self.again.extend(again.into_keys().filter(|ask| !matches!(ask, Ask::Groups(_))));
    }

    /// Continues with the next call.
    fn advance(&mut self, world: &World) {
        if !self.asks.is_empty() || !self.due.is_empty() || self.is_reconciled {
            return;
        }
        if !self.again.is_empty() {
            // Items that were read since, before the round ended, are read again, too.
            self.read_again();
            self.asks = mem::take(&mut self.again);
            return;
        }
        let desired = reconcile(world, &self.plan, &self.answers, &self.memory, self.started_at);
        if !desired.asks.is_empty() {
            self.asks = desired.asks;
            return;
        }
        let mut effects = desired.effects;
        effects.extend(self.memory.handed_on.iter().cloned());
        self.memory.applied.retain(|effect| effects.contains(effect));
        self.due = effects.difference(&self.memory.applied).cloned().collect();
        self.desired = effects;
        self.is_reconciled = self.due.is_empty();
        // Everything is read again after these effects, so states that differ only in the answers
        // are equivalent.
        if self.due.iter().any(Effect::needs_second_read) && world.rules.has(Rule::ReadAgain) {
            self.read_again();
        }
    }
}
