//! Dependents: handed on when an object was created or restored, deleted when it was deleted.

use super::Pass;
use super::access::named_memberships;
use crate::effect::{Ask, Effect, Write};
use crate::message::{Dependents, Hand, Named};
use crate::rules::{FanOut, Rule};
use crate::table::{Item, Tombstone};
use crate::world::{Find, Link, Object, World};

/// Where a run begins or continues with dependents.
#[derive(Clone, Copy)]
struct Place {
    of: Object,
    link: Link,
    after: Option<Object>,
    late: bool,
}

impl Pass<'_> {
    /// An object that exists hands its dependents on if it was created, or if this run or one
    /// before it may have created its user or group.
    pub(super) fn present(&mut self, object: Object, hand: &Hand) {
        let by_message = hand.by_message();
        let unsure = by_message && (self.memory.deleted.contains(&object) || hand.was_redelivered());
        let created = self.memory.created.contains(&object);
        let only_created = !self.has(Rule::FanOutOfExisting);
        let hands_on = if only_created { created } else { hand.was_created() || unsure || by_message && created };
        let ensured = self.is_ensured(object) || self.world.rules.fan_out == FanOut::ByRunAtOnce;
        if hands_on && ensured && self.has(Rule::FanOut) {
            match self.world.rules.fan_out {
                FanOut::ByRun | FanOut::ByRunAtOnce => self.hand_on(object, false),
                FanOut::ByMessage if self.links(object, false, false).is_empty() => {}
                FanOut::ByMessage => self.state(Effect::Continue(Dependents { of: object, place: None, late: false })),
            }
        }
        if hand.was_deleted() || unsure {
            self.once_more_late(object);
        }
        if hand.was_created() {
            self.forget_kept_item(object);
        }
    }

    /// The dependents of an object that does not exist are deleted.
    pub(super) fn absent(&mut self, object: Object, hand: &Hand) {
        if World::links_to(object).is_empty() || !self.is_deleted(object) {
            return;
        }
        if hand.shows_removal() {
            match self.own_last_revocation(object, hand) {
                None => return,
                Some(true) if self.has(Rule::RemovalRestores) && self.restore_if_granted(object) != Some(false) => {
                    return;
                }
                // No page is read before the tombstone is written. The product reads the pages that
                // it deletes apart from those that it hands on.
                Some(is_kept) => {
                    if !self.cascade(object, hand, is_kept) {
                        return;
                    }
                }
            }
        }
        if !self.may_delete(object, hand) {
            return;
        }
        if self.keeps_user(object) {
            // The user stays in Cognito: each of its grants removes its own membership.
            self.hand_on(object, false);
        }
        self.once_more_late(object);
    }

    /// Continues with dependents as a message says.
    pub(super) fn continue_dependents(&mut self, dependents: &Dependents) {
        let Dependents { of, place, late } = *dependents;
        let Some(exists) = self.exists(of) else { return };
        match place {
            Some((link, after)) => {
                let place = Place { of, link, after: Some(after), late };
                if exists {
                    self.hand_on_page(place);
                } else if self.world.belongs(link) {
                    self.delete_page(place);
                } else if self.keeps_user(of) {
                    self.hand_on_page(place);
                }
            }
            None if exists => self.hand_on(of, late),
            None => {
                if late && self.world.last_revocation && self.has(Rule::LateRestores) {
                    let _ = self.restore_if_granted(of);
                }
                self.delete_pages(of, late);
                if self.keeps_user(of) {
                    self.hand_on(of, late);
                }
            }
        }
    }

    fn keeps_user(&self, object: Object) -> bool {
        self.world.keeps_users && matches!(object, Object::User(_))
    }

    /// Writes the tombstone and then deletes the first page of each link, so that of a child that
    /// is written meanwhile either this run or the child's own record reads the other.
    /// Whether the tombstone is written.
    fn cascade(&mut self, object: Object, hand: &Hand, is_kept: bool) -> bool {
        if self.links(object, true, false).is_empty() {
            return true;
        }
        let removals = hand.changes.iter().filter(|seen| seen.record.new.is_none()).map(|seen| seen.record.at);
        let removed_at = removals.max().unwrap_or_default();
        let mut written = true;
        if !is_kept {
            let Some(before) = self.tombstone(object) else { return false };
            let latest = before.map_or(removed_at, |tombstone| tombstone.removed_at.max(removed_at));
            let tombstone = Tombstone { removed_at: latest, kept: None };
            if before != Some(tombstone) {
                let effect = Effect::Write(Write::Tombstone { of: object, tombstone, before });
                written = self.is_applied(&effect);
                self.state(effect);
            }
        }
        let may_read = written || !self.has(Rule::TombstoneFirst);
        if may_read {
            self.delete_pages(object, false);
        }
        may_read
    }

    fn delete_pages(&mut self, of: Object, late: bool) {
        for link in self.links(of, true, late) {
            self.delete_page(Place { of, link, after: None, late });
        }
    }

    fn delete_page(&mut self, place: Place) {
        let Place { of, link, after, .. } = place;
        let ask = Ask::Page(of, link, after);
        let Some((rows, more)) = self.rows(ask) else { return };
        if self.world.is_last(link) && self.has(Rule::CascadeSparesGrants) {
            match self.tombstone(of) {
                None => return,
                Some(Some(Tombstone { kept: Some(_), .. })) => {
                    let _ = self.restore_if_granted(of);
                    return;
                }
                Some(_) => {}
            }
        }
        let last = rows.last().map(|(row, _)| *row);
        let rows: Vec<(Object, u8)> = self.linked(place, &rows).map(|(row, item)| (row, item.value)).collect();
        if !self.memory.pages.contains(&ask) && !rows.is_empty() {
            self.write(Write::DeleteChildren { parent: of, link, page: Some(ask), rows });
        }
        self.continue_after(place, last.filter(|_| more));
    }

    fn hand_on(&mut self, of: Object, late: bool) {
        for link in self.links(of, false, late) {
            self.hand_on_page(Place { of, link, after: None, late });
        }
    }

    fn hand_on_page(&mut self, place: Place) {
        let Some((rows, more)) = self.rows(Ask::Page(place.of, place.link, place.after)) else { return };
        let last = rows.last().map(|(row, _)| *row);
        let linked = self.linked(place, &rows).filter(|(row, item)| !self.is_in_hand(*row, *item));
        let named: Vec<Named> = linked.map(|(row, item)| Named::with(row, item.value)).collect();
        if !named.is_empty() {
            self.state(Effect::HandOn(named));
        }
        self.continue_after(place, last.filter(|_| more));
    }

    fn continue_after(&mut self, place: Place, last: Option<Object>) {
        if let Some(last) = last {
            let Place { of, link, late, .. } = place;
            self.state(Effect::Continue(Dependents { of, place: Some((link, last)), late }));
        }
    }

    /// Asks for the dependents once more when the index has caught up.
    fn once_more_late(&mut self, object: Object) {
        let late = |deleted| !self.links(object, deleted, true).is_empty();
        if (late(true) || late(false)) && self.has(Rule::LateDependents) {
            self.state(Effect::Continue(Dependents { of: object, place: None, late: true }));
        }
    }

    /// A child whose parent was deleted is deleted with it.
    pub(super) fn belonging(&mut self, object: Object, hand: &Hand, item: Item) {
        if hand.changes.is_empty() || !self.has(Rule::ChildReadsTombstone) {
            return;
        }
        for (link, parent) in self.world.targets(object, item.value) {
            if !self.world.belongs(link) || self.exists(parent) != Some(false) {
                continue;
            }
            let Some(Some(tombstone)) = self.tombstone(parent) else { continue };
            // The grant restores its subject instead.
            if self.world.is_last(link) && tombstone.kept.is_some() {
                continue;
            }
            self.write(Write::DeleteChildren { parent, link, page: None, rows: vec![(object, item.value)] });
        }
    }

    /// Rows that depend on an object, with their items.
    fn linked(&self, place: Place, rows: &[(Object, Option<Item>)]) -> impl Iterator<Item = (Object, Item)> {
        let world = self.world;
        let found = rows.iter().filter_map(|(row, item)| item.map(|item| (*row, item)));
        let linked = found.filter(|(row, item)| world.target(place.link, *row, item.value) == Some(place.of));
        linked.collect::<Vec<_>>().into_iter()
    }

    /// Whether this run holds a dependent in an image that names what it implies.
    fn is_in_hand(&self, object: Object, item: Item) -> bool {
        let Some(hand) = self.plan.hands.get(&object) else { return false };
        let named = named_memberships(self.world, object, hand);
        self.world.membership(object, item.value).is_none_or(|membership| named.contains(&membership))
    }

    /// The links that a cascade or a fan-out follows; of a late one only those that an index finds.
    fn links(&self, object: Object, deleted: bool, late: bool) -> Vec<Link> {
        let world = self.world;
        let follows = |link: &Link| if deleted { world.belongs(*link) } else { World::is_needed(*link) };
        let links = World::links_to(object).into_iter().filter(follows);
        links.filter(|link| !late || world.find(*link) == Find::Index).collect()
    }

    /// Whether this run has applied the effects that ensure the object's user and groups.
    fn is_ensured(&self, object: Object) -> bool {
        let mut own = self.desired.effects.iter().filter(|effect| effect.ensured() == Some(object));
        own.all(|effect| self.is_applied(effect))
    }

    /// Whether this run has applied the effects that delete the object's user and groups.
    fn is_deleted(&self, object: Object) -> bool {
        let mut own = self.desired.effects.iter().filter(|effect| effect.deleted() == Some(object));
        own.all(|effect| self.is_applied(effect))
    }
}
