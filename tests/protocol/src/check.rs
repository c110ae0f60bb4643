//! The promises: those that apply at any time, and those that apply at rest.

use std::collections::BTreeSet;

use instep_flow::bookkeeping::BookkeepingKind;
use instep_model::Key;

use crate::breach::Breach;
use crate::state::State;
use crate::world::{Race, SmallObject, SmallWorld};

/// How long after an object's deletion a dependent is written and is still deleted with it. One
/// that is written later is pending.
const GRACE_SECONDS: u32 = 10;

/// The most by which a tombstone's time precedes the deletion: the run that deletes a subject notes when it
/// has read, and others may write before it deletes. The clock of a world counts writes.
const READ_BEFORE_SECONDS: u32 = 5;

impl State<'_> {
    /// All breaches.
    #[must_use]
    pub fn breaches(&self, world: &SmallWorld) -> Vec<Breach> {
        let mut found: Vec<Breach> = self.breaches.iter().cloned().collect();
        if self.is_at_rest() {
            access(world, self, &mut found);
            dependents(world, self, &mut found);
            subjects(world, self, &mut found);
        }
        found
    }
}

fn access(world: &SmallWorld, state: &State<'_>, found: &mut Vec<Breach>) {
    let (mut implied, cognito) = (world.implied(&state.table), &state.cognito);
    implied
        .users
        .retain(|user, _| cognito.users.contains_key(user) || !state.never_handled.contains(&SmallObject::User(*user)));
    implied.groups.retain(|of| cognito.groups.contains(of) || !state.never_handled.contains(&SmallObject::Group(of.0)));
    // People made the accounts.
    if world.signs_up {
        implied.users.clone_from(&cognito.users);
    }
    let (users, groups) = (&implied.users, &implied.groups);
    implied.members.retain(|member| users.contains_key(&member.user) && groups.contains(&(member.group, member.role)));
    for user in 0..world.users {
        let (wanted, present) = (implied.users.get(&user), cognito.users.get(&user));
        let stays = world.keeps_users && wanted.is_none();
        if wanted != present && !stays {
            found.push(Breach::User(user));
        }
    }
    let groups = implied.groups.symmetric_difference(&cognito.groups);
    found.extend(groups.map(|(group, role)| Breach::Group(*group, *role)));
    found.extend(implied.members.difference(&cognito.members).map(|member| Breach::NoMember(*member)));
    found.extend(cognito.members.difference(&implied.members).map(|member| Breach::Member(*member)));
}

fn dependents(world: &SmallWorld, state: &State<'_>, found: &mut Vec<Breach>) {
    let table = &state.table;
    for (object, item) in &table.items {
        let parents = world.targets(*object, item.value).into_iter().filter(|(link, _)| world.belongs(*link));
        let mut gone = parents.filter(|(link, parent)| {
            // A grant whose subject a last revocation deleted restores it.
            !table.has(*parent) && was_deleted_with(state, *object, *parent) && !world.is_last(*link)
        });
        if gone.next().is_some() {
            found.push(Breach::Orphan(*object));
        }
    }
    let wanted = table.items.iter().flat_map(|(from, item)| {
        world.references(*from, item.value).into_iter().filter_map(|to| state.design.reference(world, to, *from))
    });
    let wanted: BTreeSet<Key> = wanted.map(|(key, _)| key).collect();
    let present = table.bookkeeping.keys().filter(|key| BookkeepingKind::of(key) == Some(BookkeepingKind::Reference));
    if wanted != present.cloned().collect() {
        found.push(Breach::References);
    }
}

/// Whether a deleted object takes a dependent with it: one that was written before, or so soon
/// after that its writer may have read the object.
fn was_deleted_with(state: &State<'_>, object: SmallObject, parent: SmallObject) -> bool {
    let written = state.written.get(&object).copied().unwrap_or_default();
    state.deleted.get(&parent).is_some_and(|deleted| written + READ_BEFORE_SECONDS <= deleted + GRACE_SECONDS)
}

fn subjects(world: &SmallWorld, state: &State<'_>, found: &mut Vec<Breach>) {
    if !world.last_revocation {
        return;
    }
    for (user, last) in &state.last_written {
        let item = state.table.items.get(&SmallObject::User(*user));
        let mut grants = world.grants.iter().filter(|(of, _)| of == user);
        let granted = grants.any(|(user, group)| state.table.has(SmallObject::Grant(*user, *group)));
        match (item, last) {
            (None, Some(_)) if granted => found.push(Breach::NoSubject(*user)),
            (Some(item), last) if Some(item.value) != *last && world.closed.contains(&Race::SubjectDeletedTwice) => {
                found.push(Breach::Resurrected(*user));
            }
            (None | Some(_), _) => {}
        }
    }
    if world.closed.contains(&Race::ChildrenOfRestored) {
        let stays = |object: &SmallObject| world.start.contains(object) && world.fixed.contains(object);
        let children = (0..).map(SmallObject::Child).zip(&world.children);
        let kept = children.filter(|(child, parent)| stays(child) && stays(parent) && state.table.has(**parent));
        found.extend(kept.filter(|(child, _)| !state.table.has(*child)).map(|(child, _)| Breach::LostChild(child)));
    }
}
