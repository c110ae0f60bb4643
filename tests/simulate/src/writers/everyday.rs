//! The writer of ordinary worlds.
//!
//! It writes one random step after the other and often pauses in between. Several such writers
//! share a world.

use std::collections::BTreeSet;

use instep_model::template::Template;
use instep_model::{Claim, Condition, Identity, Item, Key, Link, Names, Object, TypeId, Value};

use super::names::back_to;
use super::odds::{Choice, Odds};
use super::scenes::{
    child_loses_parents_in_turn, child_written_long_after, grant_revoked_and_recreated, linked_objects_flicker,
};
use super::writer::{Actor, DrawnWrite, DrawnWriter, Place};
use crate::implied::set_value;
use crate::net::Net;

/// How long a writer pauses, in milliseconds at most.
const SHORT_GAP_MS: usize = 200;
const LONG_GAP_MS: usize = 6_000;
const BETWEEN_STEPS_MS: usize = 800;

const NEXT_STEP_FOLLOWS_AT_ONCE: Odds = Odds::percent(30);
const SOMEBODY_SIGNS_UP: Odds = Odds::percent(6);
const SOMEBODY_TAKES_A_NAME: Odds = Odds::percent(2);
const OWNER_BRINGS_ITS_GUARD: Odds = Odds::percent(30);
const MOVED_OBJECT_KEEPS_NAME: Odds = Odds::percent(60);
const SECOND_OWNER_GETS_VALUE: Odds = Odds::EVEN;
const CHANGE_IS_OF_A_REFERENCE: Odds = Odds::EVEN;
const REFERENCE_LEADS_TO_AN_ITEM: Odds = Odds::percent(60);
const ORDER_IS_REVERSED: Odds = Odds::EVEN;

/// A writer creates fewer children than this, and one more, while it deletes their parent.
const CHILDREN_MORE: usize = 3;

/// Types that give access are written more often than others.
const SHARES_OF_ACCESS_TYPE: usize = 4;
const SHARES_OF_OTHER_TYPE: usize = 2;

/// What a writer does before a step.
#[derive(Debug, Clone, Copy, Default)]
enum BeforeStep {
    RecreateGrant,
    Flicker,
    DeleteParentsInTurn,
    WriteChildLongAfter,
    #[default]
    Nothing,
}

impl Choice for BeforeStep {
    const ALL: &'static [Self] =
        &[Self::RecreateGrant, Self::Flicker, Self::DeleteParentsInTurn, Self::WriteChildLongAfter, Self::Nothing];

    fn shares(self) -> usize {
        match self {
            Self::RecreateGrant => 3,
            Self::Flicker => 9,
            Self::DeleteParentsInTurn | Self::WriteChildLongAfter => 2,
            Self::Nothing => 84,
        }
    }
}

/// One step of a writer. Some steps write several items.
#[derive(Debug, Clone, Copy, Default)]
enum Step {
    /// Puts an item that no type of the model describes.
    WriteGarbage,
    /// Deletes an object and everything that has its names in the key.
    DeleteWithNamesakes,
    /// Deletes any item, even a guard.
    DeleteEvenAGuard,
    /// Deletes an item that is no guard.
    Delete,
    /// DynamoDB's time to live deletes an item that is no guard.
    Expire,
    /// Changes attributes of an item.
    Change,
    /// Two objects swap their unique values, or one takes the other's.
    SwapValues,
    /// Puts an item as it is. The stream has no record of that.
    RewriteUnchanged,
    /// Deletes a parent while its children are written.
    DeleteParentAmongChildren,
    /// Moves an item to another key: a child to another parent, an edge to another end.
    Move,
    /// Creates a grant and everything that it depends on, in any order.
    CreateWholeGrant,
    /// Creates or overwrites an item of any type.
    #[default]
    Create,
}

impl Choice for Step {
    const ALL: &'static [Self] = &[
        Self::WriteGarbage,
        Self::DeleteWithNamesakes,
        Self::DeleteEvenAGuard,
        Self::Delete,
        Self::Expire,
        Self::Change,
        Self::SwapValues,
        Self::RewriteUnchanged,
        Self::DeleteParentAmongChildren,
        Self::Move,
        Self::CreateWholeGrant,
        Self::Create,
    ];

    fn shares(self) -> usize {
        match self {
            Self::DeleteEvenAGuard => 2,
            Self::WriteGarbage | Self::DeleteWithNamesakes | Self::RewriteUnchanged => 3,
            Self::Expire => 4,
            Self::SwapValues | Self::Move => 5,
            Self::DeleteParentAmongChildren => 7,
            Self::CreateWholeGrant => 10,
            Self::Delete => 13,
            Self::Change => 20,
            Self::Create => 25,
        }
    }
}

/// The pause after each write of a step. Somebody else may write in it.
#[derive(Debug, Clone, Copy, Default)]
enum Gap {
    Short,
    /// Long enough for the write to be reconciled.
    Long,
    #[default]
    None,
}

impl Choice for Gap {
    const ALL: &'static [Self] = &[Self::Short, Self::Long, Self::None];

    fn shares(self) -> usize {
        match self {
            Self::Short => 4,
            Self::Long => 1,
            Self::None => 15,
        }
    }
}

/// How garbage differs from a good key.
#[derive(Debug, Clone, Copy, Default)]
enum GarbageKey {
    UnknownSortKey,
    ExtraSeparator,
    #[default]
    WrongCase,
}

impl Choice for GarbageKey {
    const ALL: &'static [Self] = &[Self::UnknownSortKey, Self::ExtraSeparator, Self::WrongCase];

    fn shares(self) -> usize {
        1
    }
}

/// One writer writes so many steps.
pub async fn write_every_day(net: &Net, steps: usize) {
    let writer = DrawnWriter::of(net);
    for _ in 0..steps {
        match writer.choose() {
            BeforeStep::RecreateGrant => grant_revoked_and_recreated::play(&writer).await,
            BeforeStep::Flicker => drop(linked_objects_flicker::play(&writer).await),
            BeforeStep::DeleteParentsInTurn => drop(child_loses_parents_in_turn::play(&writer).await),
            BeforeStep::WriteChildLongAfter => drop(child_written_long_after::play(&writer).await),
            BeforeStep::Nothing => {}
        }
        if net.model.user_value().is_some() && writer.happens(SOMEBODY_SIGNS_UP) {
            net.somebody_signs_up().unwrap_or_else(|why| net.broken(why));
        }
        if writer.happens(SOMEBODY_TAKES_A_NAME) {
            net.somebody_takes_a_name().unwrap_or_else(|why| net.broken(why));
        }
        for write in writer.next_writes() {
            writer.write(write);
            match writer.choose() {
                Gap::Short => writer.pause(SHORT_GAP_MS).await,
                Gap::Long => writer.pause(LONG_GAP_MS).await,
                Gap::None => {}
            }
        }
        if !writer.happens(NEXT_STEP_FOLLOWS_AT_ONCE) {
            writer.pause(BETWEEN_STEPS_MS).await;
        }
    }
}

/// Steps.
impl DrawnWriter<'_> {
    /// Draws a step, and an item that it is about.
    fn next_writes(&self) -> Vec<DrawnWrite> {
        let all = self.all();
        let picked = self.pick(&all);
        let step = self.choose();
        match (step, picked) {
            (Step::WriteGarbage, _) => {
                self.garbage().into_iter().map(|row| DrawnWrite::Put(row.key, row.item)).collect()
            }
            (Step::DeleteWithNamesakes, Some(actor)) => self.delete_with_namesakes(&actor.object, &all),
            (Step::DeleteEvenAGuard, Some(actor)) => vec![DrawnWrite::Delete(actor.key)],
            (Step::Delete, Some(actor)) if !self.is_guard(actor.object.of) => vec![DrawnWrite::Delete(actor.key)],
            (Step::Expire, Some(actor)) if !self.is_guard(actor.object.of) => vec![DrawnWrite::Expire(actor.key)],
            (Step::Change, Some(actor)) if self.changes_references() => self.change_reference(&actor, &all),
            (Step::Change, Some(actor)) => self.change(&actor),
            (Step::SwapValues, Some(actor)) => self.swap_values(&actor, &all),
            (Step::RewriteUnchanged, Some(actor)) => vec![DrawnWrite::Put(actor.key, actor.item)],
            (Step::DeleteParentAmongChildren, Some(actor)) => self.delete_parent_among_children(actor),
            (Step::Move, Some(actor)) => self.move_elsewhere(actor),
            (Step::CreateWholeGrant, _) => self.create_whole_grant(),
            (_, _) => self.create_any(),
        }
    }

    fn delete_with_namesakes(&self, object: &Object, all: &[Actor]) -> Vec<DrawnWrite> {
        let shares = |other: &Object| object.names.iter().all(|(name, text)| other.names.get(name) == Some(text));
        let namesakes = all.iter().filter(|other| shares(&other.object) && !self.is_guard(other.object.of));
        namesakes.map(DrawnWrite::delete).collect()
    }

    fn change(&self, actor: &Actor) -> Vec<DrawnWrite> {
        if self.is_guard(actor.object.of) {
            return Vec::new();
        }
        vec![DrawnWrite::Put(actor.key.clone(), self.item(&actor.key, &actor.object, Some(&actor.item)))]
    }

    /// Whether a change is one of a reference only. In one of ten worlds it often is.
    fn changes_references(&self) -> bool {
        self.net.chance.seed % 10 == 6 && self.happens(CHANGE_IS_OF_A_REFERENCE)
    }

    /// Lets an item refer to another one, and changes nothing else. The item's key must not determine
    /// what the link leads to.
    fn change_reference(&self, actor: &Actor, all: &[Actor]) -> Vec<DrawnWrite> {
        let of = actor.object.of;
        let links: Vec<&Link> = self.model.links_from(of).map(|(_, link)| link).collect();
        let Some(link) = self.pick(&links).filter(|_| !self.is_guard(of)) else { return Vec::new() };
        let present: Vec<&Object> = all.iter().map(|other| &other.object).filter(|other| other.of == link.to).collect();
        let target = match self.pick(&present).filter(|_| self.happens(REFERENCE_LEADS_TO_AN_ITEM)) {
            Some(target) => Some(target.clone()),
            None => self.place(link.to, &Names::new()).map(|place| place.object),
        };
        let mut names = target.map(|target| back_to(link, &target)).unwrap_or_default();
        names.retain(|name, _| !actor.object.names.contains_key(name));
        if names.is_empty() {
            return Vec::new();
        }
        let mut item = actor.item.clone();
        for (name, text) in names {
            let spellings = self.model.attributes_of(&name);
            let is_list = link.each.as_ref() == Some(&name);
            let value = if is_list { Value::L(vec![Value::S(text)]) } else { Value::S(text) };
            for (place, spelling) in spellings.iter().enumerate() {
                set_value(&mut item, spelling, (place == 0).then(|| value.clone()));
            }
        }
        self.set_index_keys(&actor.object, &mut item);
        vec![DrawnWrite::Put(actor.key.clone(), item)]
    }

    fn swap_values(&self, actor: &Actor, all: &[Actor]) -> Vec<DrawnWrite> {
        let of = actor.object.of;
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref()).filter(|guard| guard.owner == of);
        let claims: Vec<&Claim> = guards.flat_map(|guard| &guard.claims).collect();
        let others: Vec<_> = all.iter().filter(|row| row.object.of == of && row.object != actor.object).collect();
        let (Some(other), false) = (self.pick(&others), claims.is_empty()) else { return Vec::new() };
        let names: BTreeSet<String> =
            claims.into_iter().flat_map(names_of).filter(|name| !actor.object.names.contains_key(name)).collect();
        let (mut first, mut second) = (actor.item.clone(), other.item.clone());
        for name in names.iter().flat_map(|name| self.model.attributes_of(name)) {
            let (of_first, of_second) = (first.remove(&name), second.remove(&name));
            second.extend(of_first.map(|value| (name.clone(), value)));
            if self.happens(SECOND_OWNER_GETS_VALUE) {
                first.extend(of_second.map(|value| (name.clone(), value)));
            }
        }
        let mut writes = vec![DrawnWrite::Put(other.key.clone(), second)];
        writes.extend(self.model.table.key_of(&actor.item).map(|key| DrawnWrite::Put(key, first)));
        self.maybe_reversed(writes)
    }

    fn delete_parent_among_children(&self, parent: Actor) -> Vec<DrawnWrite> {
        let mut writes = vec![DrawnWrite::Delete(parent.key)];
        let links = self.model.links_to(parent.object.of).map(|(_, link)| link);
        let links: Vec<_> = links.filter(|link| !self.is_guard(link.from)).collect();
        for _ in 0..1 + self.below(CHILDREN_MORE) {
            let Some(link) = self.pick(&links) else { break };
            writes.extend(self.create(link.from, &back_to(link, &parent.object)));
        }
        if self.happens(ORDER_IS_REVERSED) {
            writes.rotate_left(1);
        }
        writes
    }

    fn move_elsewhere(&self, actor: Actor) -> Vec<DrawnWrite> {
        let Actor { key, object, item } = actor;
        if self.is_guard(object.of) {
            return Vec::new();
        }
        let kept = object.names.iter().filter(|_| self.happens(MOVED_OBJECT_KEEPS_NAME));
        let kept = kept.map(|(name, text)| (name.clone(), text.clone())).collect();
        let Some(to) = self.place(object.of, &kept) else { return Vec::new() };
        let mut moved = item;
        moved.extend(self.keyed(&to.key));
        self.set_index_keys(&to.object, &mut moved);
        self.maybe_reversed(vec![DrawnWrite::Delete(key), DrawnWrite::Put(to.key, moved)])
    }

    fn maybe_reversed(&self, mut writes: Vec<DrawnWrite>) -> Vec<DrawnWrite> {
        if self.happens(ORDER_IS_REVERSED) {
            writes.reverse();
        }
        writes
    }

    fn create_whole_grant(&self) -> Vec<DrawnWrite> {
        let Some(place) = self.place_where(|of| self.gives_access(of)) else { return self.create_any() };
        let own = self.actor_at(place);
        let mut writes = vec![DrawnWrite::put(&own)];
        let absent = |other: &Actor| self.item_at(&other.key).is_none();
        for other in self.dependencies_of(&own.object, &own.item).filter(absent) {
            writes.insert(self.below(writes.len() + 1), DrawnWrite::Put(other.key, other.item));
        }
        writes
    }

    fn create_any(&self) -> Vec<DrawnWrite> {
        let types = 0..self.model.items.len();
        let shares = |place: usize| {
            let ty = self.model.item(TypeId(place));
            let gives = ty.user.is_some() || !ty.groups.is_empty() || ty.grant.is_some() || !ty.members.is_empty();
            std::iter::repeat_n(TypeId(place), if gives { SHARES_OF_ACCESS_TYPE } else { SHARES_OF_OTHER_TYPE })
        };
        match self.pick(&types.flat_map(shares).collect::<Vec<_>>()) {
            Some(of) if !self.is_guard(of) => self.create(of, &Names::new()),
            Some(_) | None => Vec::new(),
        }
    }
}

/// Writes that scenes need too.
impl DrawnWriter<'_> {
    /// An item of a type, with the given names where they fit. Now and then the writer
    /// also creates the guards of its unique values.
    pub(crate) fn create(&self, of: TypeId, given: &Names) -> Vec<DrawnWrite> {
        let Some(place) = self.place(of, given) else { return Vec::new() };
        let actor = self.actor_at(place);
        let mut writes = Vec::new();
        if self.happens(OWNER_BRINGS_ITS_GUARD) {
            let canonical = true;
            let row = self.net.watch().implied.row(actor.object.clone(), canonical, actor.item.clone());
            for guard in row.values.into_keys() {
                let Some(key) = self.key_of(&guard) else { continue };
                if self.item_at(&key).is_none() {
                    let item = self.guard(&key, &guard, &actor.object);
                    writes.push(DrawnWrite::Put(key, item));
                }
            }
        }
        writes.push(DrawnWrite::Put(actor.key, actor.item));
        writes
    }

    /// An item that no program should write: its key is of no type, has a separator in a name, or
    /// is in the wrong case.
    pub(crate) fn garbage(&self) -> Option<Garbage> {
        let of = TypeId(self.below(self.model.items.len()));
        let Place { key, object } = self.place(of, &Names::new())?;
        if self.is_guard(of) {
            return None;
        }
        let key = match self.choose() {
            GarbageKey::UnknownSortKey => Key { pk: key.pk, sk: format!("??{}", key.sk) },
            GarbageKey::ExtraSeparator => Key { pk: format!("{}#x", key.pk), sk: key.sk },
            GarbageKey::WrongCase => Key { pk: key.pk.to_uppercase(), sk: key.sk.to_uppercase() },
        };
        // The key may be a good one of another type.
        let is_garbage = match self.model.identify(&key) {
            Identity::Item { canonical, .. } => !canonical,
            Identity::Unknown(_) => true,
            Identity::Bookkeeping => false,
        };
        if !is_garbage {
            return None;
        }
        let mut item = self.item(&key, &object, None);
        item.extend(self.keyed(&key));
        Some(Garbage { key, item })
    }
}

/// An item that is no object of the model.
#[derive(Debug, Clone)]
pub(crate) struct Garbage {
    pub(crate) key: Key,
    pub(crate) item: Item,
}

/// All names that a claim reads.
fn names_of(claim: &Claim) -> impl Iterator<Item = String> {
    let names = claim.names.values().flat_map(Template::names).map(str::to_owned);
    let conditions = claim.when.tests().chain(claim.transfer.iter().flat_map(Condition::tests));
    names.chain(conditions.map(|(name, _)| name.clone()))
}
