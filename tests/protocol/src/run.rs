//! One run over a batch: what `handler::Instep` does between two calls. Each call to the table or Cognito is a step of its own.

use std::collections::BTreeSet;

use crate::settle::{self, Effect, Phase, Settled, Truth};
use crate::world::{Cognito, Item, Object, Record, Table, User};
use crate::{Protocol, Variant};

/// A run over a batch of records.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Run {
    /// The batch.
    pub records: Vec<Record>,
    work: Work,
    /// `apply::Held`: what this run has done and nothing asks for twice.
    held: BTreeSet<Effect>,
    /// `Held::made`: whether the group was made on demand, and that undone since.
    made: Option<bool>,
    /// The page of `Spread` that is under way.
    page: Option<Page>,
}

/// Rounds of looking and applying: `Instep::work`, and `Instep::page` inside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Work {
    truth: Truth,
    next: Next,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Next {
    /// `write_references`.
    References(BTreeSet<User>),
    /// `look`: one BatchGetItem for all of these; it is no snapshot, so each is read for itself.
    Look(BTreeSet<Object>),
    /// `apply`.
    Apply(BTreeSet<Effect>),
    /// Nothing: published and reported.
    End,
}

impl Default for Next {
    fn default() -> Self {
        Self::Look(BTreeSet::new())
    }
}

/// What depends on the group (`spread::page`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Page {
    rows: BTreeSet<User>,
    /// The grants behind the rows as they were at each look; none before the first.
    items: Option<BTreeSet<(User, Item)>>,
    /// What runs before this one noted, until the first look ([`Variant::Mended`]).
    noted: BTreeSet<(User, Item)>,
    holds: BTreeSet<Effect>,
    work: Work,
}

/// A call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Call {
    /// `Instep::write_references`: PutItem of a back-reference.
    WriteReference(User),
    /// `Instep::look` and `Instep::look_again`: one item of a BatchGetItem. What is asked for was looked at then, it is settled.
    Look(Object),
    /// `Instep::effect`.
    Apply(Effect),
}

impl Run {
    /// `Instep::batch`: plans, and begins to work.
    #[must_use]
    pub fn begin(records: Vec<Record>, protocol: &Protocol) -> Self {
        let (held, work) = (BTreeSet::new(), Work::default());
        let mut run = Self { records, work, held, made: None, page: None };
        let references = settle::references(&run.records);
        if protocol.variant == Variant::EffectsFromImages {
            run.images(protocol);
        } else if references.is_empty() || protocol.variant == Variant::LookBeforeReference {
            run.looked(protocol);
        } else {
            run.work.next = Next::References(references);
        }
        run
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.work.next == Next::End
    }

    /// Whether it is bringing members.
    #[must_use]
    pub const fn is_in_page(&self) -> bool {
        self.page.is_some()
    }

    /// The place of the first record that asked for anything that is due (`Report::retry_from`). Nobody asked for what
    /// `settle::made` states.
    #[must_use]
    pub fn first_left(&self) -> Option<usize> {
        let Next::Apply(due) = &self.work.next else { return None };
        let objects: BTreeSet<_> = due.iter().map(Effect::object).collect();
        self.records.iter().position(|record| objects.contains(&record.object))
    }

    /// The calls that may come next. Within a phase different subjects are served at the same time: in any order.
    #[must_use]
    pub fn calls(&self, protocol: &Protocol) -> Vec<Call> {
        match &self.page.as_ref().map_or(&self.work, |page| &page.work).next {
            Next::References(users) => users.iter().map(|user| Call::WriteReference(*user)).collect(),
            Next::Look(objects) => objects.iter().map(|object| Call::Look(*object)).collect(),
            Next::Apply(due) => {
                let order = |effect: &&Effect| match (protocol.variant, effect.phase()) {
                    (Variant::GiveBeforeTake, Phase::Take) => Phase::Give,
                    (Variant::GiveBeforeTake, Phase::Give) => Phase::Take,
                    (_, phase) => phase,
                };
                let phase = due.iter().map(|effect| order(&effect)).min();
                due.iter().filter(|effect| Some(order(effect)) == phase).map(|effect| Call::Apply(*effect)).collect()
            }
            Next::End => Vec::new(),
        }
    }

    /// Makes a call and goes on to the next.
    pub fn call(&mut self, call: Call, protocol: &Protocol, table: &mut Table, cognito: &mut Cognito) {
        match call {
            Call::WriteReference(user) => {
                table.references.insert(user);
                let Next::References(left) = &mut self.work.next else { return };
                left.remove(&user);
                if left.is_empty() {
                    if protocol.variant == Variant::LookBeforeReference {
                        self.work.next = Next::End;
                    } else {
                        self.looked(protocol);
                    }
                }
            }
            Call::Look(object) => {
                let work = self.page.as_mut().map_or(&mut self.work, |page| &mut page.work);
                let Next::Look(left) = &mut work.next else { return };
                left.remove(&object);
                let is_all = left.is_empty();
                work.truth.insert(object, table.get(object));
                if is_all {
                    self.looked(protocol);
                }
            }
            Call::Apply(effect) => {
                let applied = self.apply(effect, protocol, table, cognito);
                self.applied(effect, applied, protocol);
            }
        }
    }

    /// All that was asked for was looked at: settles; asks again, applies what is new, or ends.
    fn looked(&mut self, protocol: &Protocol) {
        let Some(page) = &mut self.page else {
            let settled = settle::settle(protocol, &settle::plan(&self.records), &self.work.truth, self.made);
            return self.settled(settled, protocol);
        };
        let (mut settled, now) = match &page.items {
            None => settle::page(protocol, &page.rows, &page.work.truth),
            Some(items) => settle::again(protocol, items, &page.work.truth),
        };
        // None after the first look: then they are among the items.
        let (noted, _) = settle::again(protocol, &page.noted, &page.work.truth);
        settled.effects.extend(noted.effects);
        settled.asks.extend(noted.asks);
        if !settled.asks.is_empty() {
            page.work.next = Next::Look(settled.asks);
            return;
        }
        match &mut page.items {
            None => {
                page.holds = settled.effects.intersection(&self.held).copied().collect();
                page.items = Some(now.into_iter().chain(std::mem::take(&mut page.noted)).collect());
            }
            Some(_) if protocol.variant == Variant::RememberTheFirstLook => {}
            Some(items) => items.extend(now),
        }
        let due: BTreeSet<_> = settled.effects.difference(&page.holds).copied().collect();
        page.holds = settled.effects;
        if due.is_empty() {
            self.page = None;
            self.applied(Effect::Spread, true, protocol);
        } else {
            page.work.next = Next::Apply(due);
        }
    }

    /// A round of `Instep::work`.
    fn settled(&mut self, settled: Settled, protocol: &Protocol) {
        if !settled.asks.is_empty() {
            self.work.next = Next::Look(settled.asks);
            return;
        }
        let due: BTreeSet<_> = settled.effects.difference(&self.held).copied().collect();
        if due.is_empty() {
            return self.end(protocol);
        }
        self.held.retain(|effect| settled.effects.contains(effect));
        if settled.undone {
            self.made = Some(true);
        }
        self.work.next = Next::Apply(due);
    }

    /// `Instep::effect`: one call. Whether it holds now; an `AddMember` that had to make its group is not done yet, and a write whose
    /// condition failed has moved.
    fn apply(&mut self, effect: Effect, protocol: &Protocol, table: &mut Table, cognito: &mut Cognito) -> bool {
        match effect {
            Effect::AddMember(..) if protocol.variant == Variant::Mended && self.notes_what_it_gives(table) => false,
            Effect::AddMember(_, role) if protocol.variant == Variant::Mended && !cognito.groups.contains(&role) => {
                table.jobs.push(Record { object: Object::Group, old: None, new: Some(Item::Group) });
                true
            }
            Effect::AddMember(_, role) if cognito.groups.insert(role) => {
                self.made.get_or_insert(false);
                false
            }
            Effect::DeleteReference(user) => {
                let gone = table.get(Object::Grant(user)).is_none();
                if gone {
                    table.references.remove(&user);
                }
                gone
            }
            Effect::BringBack => {
                table.jobs.push(Record { object: Object::Group, old: None, new: Some(Item::Group) });
                true
            }
            Effect::Spread => {
                let (rows, noted) = (table.references.clone(), table.given.clone());
                self.page = Some(Page { rows, noted, items: None, holds: BTreeSet::new(), work: Work::default() });
                false
            }
            Effect::DeleteGroup(_) | Effect::RemoveMember(..) | Effect::EnsureGroup(_) | Effect::AddMember(..) => {
                cognito.apply(effect);
                true
            }
        }
    }

    /// One call, before anything of a page is given: so a run after this one knows what that was.
    fn notes_what_it_gives(&self, table: &mut Table) -> bool {
        let Some(items) = self.page.as_ref().and_then(|page| page.items.as_ref()) else { return false };
        let is_new = !items.is_subset(&table.given);
        table.given.extend(items);
        is_new
    }

    /// What came of a call: the next effect, or the end of the round.
    fn applied(&mut self, effect: Effect, holds: bool, protocol: &Protocol) {
        if holds {
            // `Held::note`.
            self.held.retain(|other| !effect.undoes(other));
            self.held.insert(effect);
        }
        let work = self.page.as_mut().map_or(&mut self.work, |page| &mut page.work);
        if !holds && matches!(effect, Effect::AddMember(..)) {
            return;
        }
        if !holds && effect == Effect::Spread {
            return self.looked(protocol);
        }
        let Next::Apply(due) = &mut work.next else { return };
        due.remove(&effect);
        if due.is_empty() {
            self.round_ended(effect, protocol);
        }
    }

    /// `Instep::look_again`: at everything that was looked at.
    fn round_ended(&mut self, last: Effect, protocol: &Protocol) {
        let looks_again = match protocol.variant {
            Variant::EffectsFromImages | Variant::OneRead => false,
            Variant::NoLookAfterDelete => !matches!(last, Effect::DeleteGroup(_)),
            Variant::Shipped
            | Variant::Mended
            | Variant::RememberTheFirstLook
            | Variant::RestoreTheGroupAlone
            | Variant::LookBeforeReference
            | Variant::GiveBeforeTake => true,
        };
        if looks_again {
            let work = self.page.as_mut().map_or(&mut self.work, |page| &mut page.work);
            let again = std::mem::take(&mut work.truth).into_keys().collect();
            work.next = Next::Look(again);
        } else if self.page.take().is_some() {
            self.applied(Effect::Spread, true, protocol);
        } else {
            self.end(protocol);
        }
    }

    fn end(&mut self, protocol: &Protocol) {
        let references = settle::references(&self.records);
        self.work.next = if protocol.variant == Variant::LookBeforeReference && !references.is_empty() {
            Next::References(references)
        } else {
            Next::End
        };
    }

    /// Takes the images for the truth.
    fn images(&mut self, protocol: &Protocol) {
        self.work.truth = self.records.iter().map(|record| (record.object, record.new)).collect();
        self.work.truth.entry(Object::Group).or_insert(Some(Item::Group));
        self.looked(protocol);
    }
}

impl Cognito {
    /// A call to Cognito.
    pub fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::DeleteGroup(role) => {
                self.groups.remove(&role);
                self.members.retain(|(_, of)| *of != role);
            }
            Effect::EnsureGroup(role) => drop(self.groups.insert(role)),
            Effect::RemoveMember(user, role) => drop(self.members.remove(&(user, role))),
            Effect::AddMember(user, role) => {
                if self.groups.contains(&role) {
                    self.members.insert((user, role));
                }
            }
            Effect::DeleteReference(_) | Effect::Spread | Effect::BringBack => {}
        }
    }
}
