//! What the pure stages do: `plan.rs` and `settle/` of `shared/flow`, for one group and its grants. Functions are named after those that
//! they stand for.

use std::collections::{BTreeMap, BTreeSet};

use crate::Protocol;
use crate::world::{Item, Object, Record, Role, User};

/// An idempotent step (`effect::Effect`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The Cognito group goes, and with it every membership in it.
    DeleteGroup(Role),
    /// The user is not in the group.
    RemoveMember(User, Role),
    /// The Cognito group is there.
    EnsureGroup(Role),
    /// The user is in the group, which is made where it is missing.
    AddMember(User, Role),
    /// `Effect::Write` of `settle::references`: the back-reference of a grant that is gone goes, on condition that the grant is.
    DeleteReference(User),
    /// What depends on the group is brought in step with it.
    Spread,
    /// The group was made on demand and undone, and is there again: a job brings it back, with all that depends on it.
    BringBack,
}

/// When in a round an effect is applied (`effect::Phase`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Access goes.
    Take,
    /// Groups come to be.
    Ensure,
    /// Access is given.
    Give,
    /// What follows inside the table.
    Follow,
}

impl Effect {
    /// `Effect::phase`.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match self {
            Self::DeleteGroup(_) | Self::RemoveMember(..) | Self::BringBack => Phase::Take,
            Self::EnsureGroup(_) => Phase::Ensure,
            Self::AddMember(..) => Phase::Give,
            Self::DeleteReference(_) | Self::Spread => Phase::Follow,
        }
    }

    /// Whether it is a call to Cognito.
    #[must_use]
    pub const fn is_of_cognito(&self) -> bool {
        !matches!(self.phase(), Phase::Follow)
    }

    /// The object that it follows from.
    #[must_use]
    pub const fn object(&self) -> Object {
        match self {
            Self::DeleteGroup(_) | Self::EnsureGroup(_) | Self::Spread | Self::BringBack => Object::Group,
            Self::RemoveMember(user, _) | Self::AddMember(user, _) | Self::DeleteReference(user) => {
                Object::Grant(*user)
            }
        }
    }

    /// `Effect::undoes`.
    #[must_use]
    pub fn undoes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RemoveMember(user, role), Self::AddMember(u, r))
            | (Self::AddMember(user, role), Self::RemoveMember(u, r)) => (user, role) == (u, r),
            (Self::DeleteGroup(role), Self::EnsureGroup(r) | Self::AddMember(_, r))
            | (Self::EnsureGroup(role), Self::DeleteGroup(r)) => role == r,
            (_, _) => false,
        }
    }
}

/// What was looked at so far (`truth::Truth`).
pub type Truth = BTreeMap<Object, Option<Item>>;

/// What a batch touched (`plan::Plan`).
pub type Plan = BTreeMap<Object, Seen>;

/// What was seen of one object (`plan::Seen`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Seen {
    /// What the records say of it.
    pub changes: Vec<Record>,
    /// It is brought in step for something that it depends on came.
    pub refresh: bool,
    /// What it was at a look before this one.
    pub was: Option<Item>,
}

/// What settling gave (`settle::Settled`).
#[derive(Debug, Default)]
pub struct Settled {
    /// What is to be true.
    pub effects: BTreeSet<Effect>,
    /// What must be looked at before all of it is known.
    pub asks: BTreeSet<Object>,
    /// The group that this run made on demand is gone: what was made is undone.
    pub undone: bool,
}

/// `Plan::add`, for each record.
#[must_use]
pub fn plan(records: &[Record]) -> Plan {
    let mut plan = Plan::new();
    for record in records {
        plan.entry(record.object).or_default().changes.push(*record);
    }
    plan
}

/// The other half of `Plan::add`: the back-references to be written. A write that changed no link asks for none.
#[must_use]
pub fn references(records: &[Record]) -> BTreeSet<User> {
    let linked = records.iter().filter(|record| record.new.is_some() && record.old.is_none());
    linked.filter_map(|record| record.object.user()).collect()
}

/// `settle::settle`. `made` says whether this run made the group on demand, and has undone that since.
#[must_use]
pub fn settle(protocol: &Protocol, plan: &Plan, truth: &Truth, made: Option<bool>) -> Settled {
    let mut settling = Settling { protocol, truth, settled: Settled::default() };
    for (object, seen) in plan {
        settling.object(*object, seen);
    }
    if let Some(undone) = made {
        settling.made(undone);
    }
    settling.settled
}

/// `settle::page`: what the grants behind the group's back-references ask for, and what of them was there.
#[must_use]
pub fn page(protocol: &Protocol, rows: &BTreeSet<User>, truth: &Truth) -> (Settled, BTreeSet<(User, Item)>) {
    let mut settling = Settling { protocol, truth, settled: Settled::default() };
    let mut items = BTreeSet::new();
    for user in rows {
        let Some(Some(item)) = settling.look(Object::Grant(*user)) else { continue };
        settling.object(Object::Grant(*user), &Seen { refresh: true, ..Seen::default() });
        items.insert((*user, item));
    }
    (settling.settled, items)
}

/// `settle::again`: what the grants of a page ask for when they are looked at again, and what they are now.
#[must_use]
pub fn again(protocol: &Protocol, items: &BTreeSet<(User, Item)>, truth: &Truth) -> (Settled, BTreeSet<(User, Item)>) {
    let mut settling = Settling { protocol, truth, settled: Settled::default() };
    let mut now = BTreeSet::new();
    for (user, was) in items {
        let seen = Seen { refresh: true, was: Some(*was), ..Seen::default() };
        settling.object(Object::Grant(*user), &seen);
        if let Some(Some(item)) = settling.look(Object::Grant(*user)) {
            now.insert((*user, item));
        }
    }
    (settling.settled, now)
}

struct Settling<'a> {
    protocol: &'a Protocol,
    truth: &'a Truth,
    settled: Settled,
}

impl Settling<'_> {
    /// `View::object`: none where it was not looked at yet; then it is asked for.
    fn look(&mut self, object: Object) -> Option<Option<Item>> {
        let found = self.truth.get(&object).copied();
        if found.is_none() {
            self.settled.asks.insert(object);
        }
        found
    }

    fn state(&mut self, effect: Effect) {
        self.settled.effects.insert(effect);
    }

    fn object(&mut self, object: Object, seen: &Seen) {
        let Some(item) = self.look(object) else { return self.ask_ahead(object, seen) };
        match object {
            Object::Group => self.groups(seen, item),
            Object::Grant(user) => {
                self.members(user, seen, item);
                self.references(user, seen, item);
            }
        }
    }

    fn ask_ahead(&mut self, object: Object, seen: &Seen) {
        if object != Object::Group && seen.changes.iter().any(|change| change.new.is_some()) {
            self.look(Object::Group);
        }
    }

    /// `groups` and, where the group is there, `dependents`.
    fn groups(&mut self, seen: &Seen, item: Option<Item>) {
        if item.is_none() {
            self.delete_groups();
        } else {
            let came = seen.changes.last().is_some_and(|change| change.new.is_some());
            self.ensure_groups(came || self.protocol.restores_members());
        }
    }

    fn delete_groups(&mut self) {
        for role in self.protocol.roles {
            self.state(Effect::DeleteGroup(*role));
        }
    }

    fn ensure_groups(&mut self, with_members: bool) {
        for role in self.protocol.roles {
            self.state(Effect::EnsureGroup(*role));
        }
        if with_members {
            self.state(Effect::Spread);
        }
    }

    fn made(&mut self, undone: bool) {
        match self.look(Object::Group) {
            None => {}
            Some(Some(_)) if !undone => {}
            Some(Some(_)) => self.state(Effect::BringBack),
            Some(None) => {
                self.delete_groups();
                self.settled.undone = true;
            }
        }
    }

    fn members(&mut self, user: User, seen: &Seen, item: Option<Item>) {
        let mut candidates = moved_memberships(seen);
        candidates.extend(seen.was.and_then(Item::role));
        let Some(held) = self.held(item) else { return };
        if seen.refresh {
            candidates.extend(held);
        }
        for role in candidates {
            let effect =
                if held == Some(role) { Effect::AddMember(user, role) } else { Effect::RemoveMember(user, role) };
            self.state(effect);
        }
    }

    /// The membership in force; none while it is not known. A grant without its group waits.
    fn held(&mut self, item: Option<Item>) -> Option<Option<Role>> {
        let Some(item) = item else { return Some(None) };
        Some(self.look(Object::Group)?.and(item.role()))
    }

    fn references(&mut self, user: User, seen: &Seen, item: Option<Item>) {
        if !seen.changes.is_empty() && item.is_none() {
            self.state(Effect::DeleteReference(user));
        }
    }
}

/// `moved_memberships`: those that the records gave or took.
fn moved_memberships(seen: &Seen) -> BTreeSet<Role> {
    let images = seen.changes.iter().flat_map(|change| change.old.into_iter().chain(change.new));
    images.filter_map(Item::role).collect()
}
