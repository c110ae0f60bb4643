//! Edges of which an item at one end has at most one. The guard that they claim names the edge in effect. Another
//! edge waits for the guard, and takes nothing along, keeps nothing and grants nothing while that one exists.

use std::collections::BTreeSet;

use instep_model::{Item, Key, Object};

use super::Pass;
use super::guards::Touch;
use crate::effect::Effect;
use crate::entries::{Entries, EntryId};
use crate::implied::Membership;
use crate::known::{Known, all};
use crate::work::NamedObject;
use crate::{bookkeeping, implied, pending, queries};

impl Pass<'_> {
    /// The guard of an edge, if its item at an end has at most one edge.
    fn guard_of_edge(&self, edge: &Object, item: &Item) -> Option<Object> {
        let unique = self.model.item(edge.of).unique_end.as_ref()?;
        implied::guard_of_edge(self.model, unique, edge, item)
    }

    /// Whether the guard of an edge names another one, which exists and has not given the guard up.
    pub(super) fn is_held_by_another(&mut self, edge: &Object, item: &Item) -> Known<bool> {
        let Some(guard) = self.guard_of_edge(edge, item) else { return Ok(false) };
        let Some(holder) = self.holder(&guard)?.filter(|holder| holder != edge) else { return Ok(false) };
        let held_by = self.view.object(&holder)?;
        Ok(held_by.is_some_and(|(_, item)| implied::claims(self.model, &holder, item).contains_key(&guard)))
    }

    /// Whether an edge waits for another one: it claimed the guard after that one, as its pending claim says.
    ///
    /// INVARIANT 1: an edge that Instep has not handled yet may be older than the one in effect.
    pub(super) fn is_set_aside(&mut self, edge: &Object, item: &Item) -> Known<bool> {
        let Some(guard) = self.guard_of_edge(edge, item) else { return Ok(false) };
        let claim = self.view.item(&bookkeeping::claim_key(self.model, &guard, edge));
        Ok(self.is_held_by_another(edge, item)? && claim?.is_some())
    }

    /// The memberships of edges of which it is open whether they count.
    pub(super) fn open_memberships(
        &mut self,
        edge: &Object,
        items: &[(Key, &Item)],
        entries: &Entries,
    ) -> Known<BTreeSet<Membership>> {
        let mut open = BTreeSet::new();
        for (_, item) in items {
            if self.is_open(edge, item, entries)? {
                open.extend(implied::memberships(self.model, edge, item));
            }
        }
        Ok(open)
    }

    /// Whether it is open which edge the guard names: there is no guard, and this run claims it for this edge, or
    /// another one. What an earlier model granted stays until then.
    fn is_open(&mut self, edge: &Object, item: &Item, entries: &Entries) -> Known<bool> {
        let Some(guard) = self.guard_of_edge(edge, item) else { return Ok(false) };
        if self.holder(&guard)?.as_ref() != Some(edge) {
            // A message that only names the edge leads to no claim.
            self.touch_guard(&guard, edge, entries);
        }
        Ok(self.view.object(&guard)?.is_none())
    }

    /// Whether an edge may grant something: its guard names it.
    ///
    /// INVARIANT 2: a guard that is not there, or that names no edge, grants nothing.
    pub(super) fn may_grant(&mut self, edge: &Object, item: &Item, entries: &Entries) -> Known<bool> {
        let Some(unique) = self.model.item(edge.of).unique_end.as_ref() else { return Ok(true) };
        let holder = match self.guard_of_edge(edge, item) {
            Some(guard) => self.holder(&guard)?,
            None => None,
        };
        let may_grant = holder.as_ref() == Some(edge);
        if !may_grant {
            let holder = holder.map(|holder| queries::label_named_by(self.model, unique.guard, &holder));
            self.note(entries, &pending::on_guard(&self.model.item(unique.guard).name, holder.as_deref()));
        }
        Ok(may_grant)
    }

    /// Says of an edge that lost its claim that it has no effect: a sweep lists it.
    pub(super) fn note_edge_that_waits(&mut self, guard: &Object, edge: &Object, holder: &Object, record: EntryId) {
        let model = self.model;
        if model.item(edge.of).unique_end.as_ref().is_some_and(|unique| unique.guard == guard.of) {
            let holder = queries::label_named_by(model, guard.of, holder);
            let note = pending::on_guard(&model.item(guard.of).name, Some(&holder));
            self.note(&Entries::from(record), &note);
        }
    }

    /// The memberships of the edges that a guard named before and names now. The record that gave the edge its
    /// memberships may be long past, so the work queue looks at it.
    pub(super) fn edges_of_owners(&mut self, guard: &Object, touch: &Touch) -> Known<()> {
        let model = self.model;
        let Some(edges) = model.item(guard.of).guard.as_ref().map(|rule| model.item(rule.owner)) else { return Ok(()) };
        let is_by_it =
            edges.unique_end.as_ref().is_some_and(|unique| unique.guard == guard.of) && !edges.members.is_empty();
        // A run that gave the guard away and died has its record delivered again: it finds the new holder.
        if !is_by_it || !touch.moved && !touch.released && !self.given.contains_key(guard) {
            return Ok(());
        }
        let owners = self.owners_before_and_now(guard, touch)?;
        all(owners, |edge| {
            if let Some((_, item)) = self.view.object(&edge)?
                && !self.is_in_hand(&edge, item)
            {
                let image = implied::needed_image(model, &edge, item);
                let named = NamedObject::new(model, &edge, Some(image));
                self.add_effect(Effect::SendObjects(vec![named]), &touch.records);
            }
            Ok(())
        })
    }
}
