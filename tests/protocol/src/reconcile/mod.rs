//! Reconcile: what a run holds and has read gives the effects, or what must be read first. Pure.
//!
//! It follows `shared/flow/src/reconcile` file by file.

mod access;
mod dependents;
mod last_revocation;

pub(crate) use access::written_references;

use std::collections::{BTreeMap, BTreeSet};

use crate::cognito::Membership;
use crate::effect::{Answer, Ask, Effect, Write};
use crate::message::{Hand, Plan};
use crate::rules::Rule;
use crate::table::{Item, Tombstone};
use crate::world::{Link, Object, World};

/// What a run has done so far.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Memory {
    /// Effects that are applied.
    pub applied: BTreeSet<Effect>,
    /// Objects whose user or group this run created, or may have created.
    pub created: BTreeSet<Object>,
    /// Objects whose user or group this run deleted.
    pub deleted: BTreeSet<Object>,
    /// Pages of dependents that this run deleted.
    pub pages: BTreeSet<Ask>,
    /// Messages to send because Cognito did not know a user or group.
    pub handed_on: BTreeSet<Effect>,
    /// Memberships that this run granted without an image. Only without [`Rule::GrantOnlyInHand`].
    pub unnamed: BTreeSet<(Object, Membership)>,
}

/// The result of a pass.
#[derive(Debug, Default)]
pub(crate) struct Desired {
    /// What must be read first.
    pub asks: BTreeSet<Ask>,
    /// Effects.
    pub effects: BTreeSet<Effect>,
}

/// Rows of a query, with the items that were shown or read.
type Rows = Vec<(Object, Option<Item>)>;

/// A pass over everything that a run holds.
struct Pass<'a> {
    world: &'a World,
    answers: &'a BTreeMap<Ask, Answer>,
    memory: &'a Memory,
    plan: &'a Plan,
    started_at: u32,
    desired: Desired,
}

/// Effects for everything that a plan names. `started_at` is the time at which the run started.
pub(crate) fn reconcile(
    world: &World,
    plan: &Plan,
    answers: &BTreeMap<Ask, Answer>,
    memory: &Memory,
    started_at: u32,
) -> Desired {
    let mut pass = Pass { world, answers, memory, plan, started_at, desired: Desired::default() };
    for (object, hand) in &plan.hands {
        pass.object(*object, hand);
    }
    for dependents in &plan.dependents {
        pass.continue_dependents(dependents);
    }
    let counterparts: Vec<Effect> = pass.desired.effects.iter().filter_map(counterpart).collect();
    for effect in counterparts {
        pass.desired.effects.remove(&effect);
    }
    pass.desired
}

impl Pass<'_> {
    fn object(&mut self, object: Object, hand: &Hand) {
        let Some(item) = self.item(object) else { return self.ask_ahead(object, hand) };
        match object {
            Object::User(user) => self.user(user, hand, item),
            Object::Group(group) => self.group(group, hand, item),
            Object::Grant(..) => {
                self.members(object, hand, item);
                self.references(object, hand, item);
            }
            Object::Child(_) => {}
        }
        match item {
            Some(_) => self.present(object, hand),
            None => self.absent(object, hand),
        }
        if self.world.last_revocation && matches!(object, Object::Grant(..)) {
            self.last_revoked(object, hand, item);
        }
        if let Some(item) = item {
            self.belonging(object, hand, item);
        }
    }

    /// The product asks for an object and what it depends on with one call.
    fn ask_ahead(&mut self, object: Object, hand: &Hand) {
        let named = hand.named.iter().filter_map(|(named, _)| named.image);
        let values: Vec<u8> = hand.images().map(|item| item.value).chain(named).collect();
        for (_, target) in values.into_iter().flat_map(|value| self.world.targets(object, value)) {
            let _ = self.item(target);
        }
    }

    fn state(&mut self, effect: Effect) {
        self.desired.effects.insert(effect);
    }

    fn write(&mut self, write: Write) {
        self.state(Effect::Write(write));
    }

    fn has(&self, rule: Rule) -> bool {
        self.world.rules.has(rule)
    }

    fn is_applied(&self, effect: &Effect) -> bool {
        self.memory.applied.contains(effect)
    }

    /// The answer to a question. `None` while it is not known.
    fn answer(&mut self, ask: Ask) -> Option<&Answer> {
        let answer = self.answers.get(&ask);
        if answer.is_none() {
            self.desired.asks.insert(ask);
        }
        answer
    }

    /// The item of an object. The outer `None` while it is not known.
    fn item(&mut self, object: Object) -> Option<Option<Item>> {
        match self.answer(Ask::Item(object))? {
            Answer::Item(item) => Some(*item),
            Answer::Tombstone(_) | Answer::Rows(..) | Answer::Groups(_) => None,
        }
    }

    fn exists(&mut self, object: Object) -> Option<bool> {
        self.item(object).map(|item| item.is_some())
    }

    /// The tombstone of an object. The outer `None` while it is not known.
    fn tombstone(&mut self, object: Object) -> Option<Option<Tombstone>> {
        match self.answer(Ask::Tombstone(object))? {
            Answer::Tombstone(tombstone) => Some(*tombstone),
            Answer::Item(_) | Answer::Rows(..) | Answer::Groups(_) => None,
        }
    }

    /// Rows that a query found, with their items, and whether more follow. A row behind a
    /// back-reference is read by its key.
    fn rows(&mut self, ask: Ask) -> Option<(Rows, bool)> {
        let (rows, more) = match self.answer(ask)? {
            Answer::Rows(rows, more) => (rows.clone(), *more),
            Answer::Item(_) | Answer::Tombstone(_) | Answer::Groups(_) => return None,
        };
        let mut known = true;
        let mut found = Vec::new();
        for (row, shown) in rows {
            let item = if shown.is_some() { Some(shown) } else { self.item(row) };
            known &= item.is_some();
            found.push((row, item.flatten()));
        }
        known.then_some((found, more))
    }
}

/// The effect that must not be applied while this one is desired.
fn counterpart(effect: &Effect) -> Option<Effect> {
    match effect {
        Effect::AddMember(membership, _) => Some(Effect::RemoveMember(*membership)),
        Effect::EnsureGroup(group, role) => Some(Effect::DeleteGroup(*group, *role)),
        Effect::EnsureUser(user, _) => Some(Effect::DeleteUser(*user)),
        Effect::WriteReference { .. }
        | Effect::RemoveMember(_)
        | Effect::DeleteGroup(..)
        | Effect::DeleteUser(_)
        | Effect::Write(_)
        | Effect::HandOn(_)
        | Effect::Continue(_) => None,
    }
}

/// The values that the images of a run's records show.
fn values(hand: &Hand) -> BTreeSet<u8> {
    hand.images().map(|item| item.value).collect()
}

/// Whether a link leads through an index.
fn by_index(world: &World, link: Link) -> bool {
    world.find(link) == crate::world::Find::Index
}
