//! Users, groups, memberships and back-references.

use std::collections::BTreeSet;

use super::{Pass, by_index, values};
use crate::cognito::Membership;
use crate::effect::{Effect, Write};
use crate::message::{Hand, Named};
use crate::rules::Rule;
use crate::table::Item;
use crate::world::{Find, Object, World};

impl Pass<'_> {
    pub(super) fn user(&mut self, user: u8, hand: &Hand, item: Option<Item>) {
        match item {
            Some(item) => self.state(Effect::EnsureUser(user, item.value)),
            None if self.world.keeps_users || !self.may_delete(Object::User(user), hand) => {}
            None => self.state(Effect::DeleteUser(user)),
        }
    }

    pub(super) fn group(&mut self, group: u8, hand: &Hand, item: Option<Item>) {
        if item.is_none() && !self.may_delete(Object::Group(group), hand) {
            return;
        }
        for (group, role) in self.world.group_roles(group) {
            self.state(match item {
                Some(_) => Effect::EnsureGroup(group, role),
                None => Effect::DeleteGroup(group, role),
            });
        }
    }

    /// Whether the user or group of an object that does not exist may be deleted. A message that
    /// only names the object, so that it can be created, does not delete it: its own record does.
    pub(super) fn may_delete(&self, object: Object, hand: &Hand) -> bool {
        !hand.changes.is_empty()
            || hand.was_redelivered()
            || self.memory.created.contains(&object)
            || self.memory.deleted.contains(&object)
    }

    /// Memberships that images in hand name are granted if the table implies them, and removed if
    /// it does not.
    pub(super) fn members(&mut self, grant: Object, hand: &Hand, item: Option<Item>) {
        let mut named = named_memberships(self.world, grant, hand);
        if named.is_empty() {
            return;
        }
        let Some(desired) = self.desired_membership(grant, hand, item) else { return };
        if !self.has(Rule::GrantOnlyInHand) {
            let unnamed = self.memory.unnamed.iter().filter(|(of, _)| *of == grant).map(|(_, membership)| *membership);
            named.extend(unnamed.chain(desired));
        }
        for membership in named {
            self.state(match desired {
                Some(desired) if desired == membership => Effect::AddMember(membership, grant),
                Some(_) | None => Effect::RemoveMember(membership),
            });
        }
    }

    /// The membership that a grant implies now. The outer `None` while it is not known.
    fn desired_membership(&mut self, grant: Object, hand: &Hand, item: Option<Item>) -> Option<Option<Membership>> {
        let Some(item) = item else { return Some(None) };
        let (mut known, mut pending) = (true, false);
        for (link, target) in self.world.targets(grant, item.value) {
            match self.exists(target) {
                None => known = false,
                Some(true) => {}
                Some(false) => {
                    pending = true;
                    if by_index(self.world, link) && !hand.is_late() && self.has(Rule::LatePending) {
                        let named = Named { late: true, ..Named::with(grant, item.value) };
                        self.state(Effect::HandOn(vec![named]));
                    }
                }
            }
        }
        known.then(|| if pending { None } else { self.world.membership(grant, item.value) })
    }

    /// Back-references to what an item no longer refers to are deleted.
    pub(super) fn references(&mut self, grant: Object, hand: &Hand, item: Option<Item>) {
        let world = self.world;
        let present: Vec<Object> = item.map(|item| world.references(grant, item.value)).unwrap_or_default();
        let values = values(hand);
        let targets: BTreeSet<Object> = values.iter().flat_map(|value| world.references(grant, *value)).collect();
        for to in targets.into_iter().filter(|to| !present.contains(to)) {
            self.write(Write::DeleteReference { to, from: grant, read: item.map(|item| item.value) });
        }
        if !self.has(Rule::ReferenceFirst) {
            for effect in written_references(world, grant, hand) {
                self.state(effect);
            }
        }
    }
}

/// The memberships that images in hand name.
pub(super) fn named_memberships(world: &World, grant: Object, hand: &Hand) -> BTreeSet<Membership> {
    let named = hand.named.iter().filter_map(|(named, _)| named.image);
    let roles: BTreeSet<u8> = values(hand).into_iter().chain(named).collect();
    roles.into_iter().filter_map(|role| world.membership(grant, role)).collect()
}

/// The back-references that the new images of records ask for. A write that changed none asks for
/// none.
pub(crate) fn written_references(world: &World, from: Object, hand: &Hand) -> Vec<Effect> {
    let mut effects = Vec::new();
    for record in hand.changes.iter().map(|seen| seen.record) {
        let Some(new) = record.new else { continue };
        for (link, to) in world.targets(from, new.value) {
            let before = record.old.and_then(|old| world.target(link, from, old.value));
            if world.find(link) == Find::Reference && before != Some(to) {
                effects.push(Effect::WriteReference { to, from });
            }
        }
    }
    effects
}
