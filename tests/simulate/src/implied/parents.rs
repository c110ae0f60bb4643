//! Which objects exist, and which items belong to one that was deleted.

use std::collections::BTreeSet;

use instep_model::{Link, Names, Object, ToParent, TypeId};

use super::row::{ImpliedRow, Parent};
use super::said::said;
use super::{Implied, ObjectHistory};

/// How long after its parent's deletion a child may be written and is still deleted with it.
const DELETION_GRACE_MS: i64 = 10_000;

/// Record times have no fractions of a second.
pub const RECORD_TIME_MS: i64 = 1_000;

impl ImpliedRow {
    /// Sets since when the item has its parents: since a write, unless it had them before.
    pub(super) fn link(&mut self, before: Option<&Self>, at_ms: i64) {
        self.written_ms = at_ms;
        let known = |row: &Self| -> Vec<_> {
            row.parents.iter().map(|parent| (parent.link, parent.known.clone(), parent.more.clone())).collect()
        };
        let same = before.filter(|before| known(before) == known(self));
        self.linked_ms = same.map_or(at_ms, |before| before.linked_ms);
        let changes = before.is_some_and(|before| before.item != self.item);
        for parent in &mut self.parents {
            let is_it = |other: &&Parent| other.link == parent.link && other.known == parent.known;
            let linked = before.and_then(|before| before.parents.iter().find(is_it));
            parent.linked_ms = linked.map_or(at_ms, |linked| linked.linked_ms);
            parent.has_changed_since = linked.is_some_and(|linked| linked.has_changed_since || changes);
        }
    }
}

impl Implied {
    /// Whether an object exists. For a partly known object: whether any object matches.
    #[must_use]
    pub fn exists(&self, known: &Object) -> bool {
        self.model.item(known.of).assumed.contains(&known.names) || self.like(known).any(|(_, life)| life.items > 0)
    }

    /// Whether an object, or one that matches it, was ever deleted.
    #[must_use]
    pub fn was_ever_deleted(&self, known: &Object) -> bool {
        self.like(known).any(|(_, life)| life.deleted_ms.is_some())
    }

    /// Whether an item was surely linked to a parent before the parent's last deletion, or within
    /// the grace of it.
    #[must_use]
    pub fn was_linked_before(&self, row: &ImpliedRow, parent: &Parent) -> bool {
        let deleted = self.deleted_ms(&parent.known);
        deleted.is_some_and(|deleted| row.linked_ms <= deleted + DELETION_GRACE_MS - RECORD_TIME_MS)
    }

    /// Whether a moment in milliseconds may be before the last deletion of a parent, or within the
    /// grace of it.
    #[must_use]
    pub fn may_be_before_deletion(&self, parent: &Parent, at_ms: i64) -> bool {
        let deleted = self.deleted_ms(&parent.known);
        deleted.is_some_and(|deleted| at_ms < deleted + DELETION_GRACE_MS + RECORD_TIME_MS)
    }

    /// Whether a moment in milliseconds is after the last deletion of a parent.
    #[must_use]
    pub fn is_after_deletion(&self, parent: &Parent, at_ms: i64) -> bool {
        self.deleted_ms(&parent.known).is_some_and(|deleted| at_ms > deleted)
    }

    /// When an object, or one that matches it, was deleted last.
    fn deleted_ms(&self, known: &Object) -> Option<i64> {
        self.like(known).filter_map(|(_, life)| life.deleted_ms).max()
    }

    /// The histories of the objects that match a partly known object.
    fn like<'a>(&'a self, known: &'a Object) -> impl Iterator<Item = (&'a Object, &'a ObjectHistory)> {
        let is_whole = known.names.len() == self.model.key_order(known.of).len();
        let first = if is_whole { known.clone() } else { Object { of: known.of, names: Names::new() } };
        let from = self
            .objects
            .range(first..)
            .take_while(move |(object, _)| if is_whole { *object == known } else { object.of == known.of });
        from.filter(|(object, _)| is_like(known, object))
    }

    /// Whether a parent of an item was deleted.
    #[must_use]
    pub fn is_orphan(&self, row: &ImpliedRow) -> bool {
        row.parents.iter().any(|parent| self.is_deleted(parent))
    }

    /// Whether a parent was deleted and does not exist.
    #[must_use]
    pub fn is_deleted(&self, parent: &Parent) -> bool {
        match self.model.link(parent.link).up {
            // The item does not know which of several objects with that id is its parent.
            ToParent::Unknown => self.like(&parent.known).any(|(_, life)| life.deleted_ms.is_some() && life.items == 0),
            // Several in a partition count as one.
            ToParent::Key | ToParent::Partition(_) => {
                !self.exists(&parent.known) && !self.is_assumed(&parent.known) && self.was_ever_deleted(&parent.known)
            }
            ToParent::Index { .. } => self.namesakes(parent).next().is_none() && self.was_ever_deleted(&parent.known),
        }
    }

    /// Whether what a membership waits for exists.
    pub(super) fn is_met(&self, need: &Parent) -> bool {
        match self.model.link(need.link).up {
            ToParent::Index { .. } => self.namesakes(need).next().is_some() || self.is_assumed(&need.known),
            ToParent::Key | ToParent::Partition(_) => self.exists(&need.known) || self.is_assumed(&need.known),
            ToParent::Unknown => self.exists(&need.known),
        }
    }

    /// The objects like an existing one under whose names Instep notes where it is: of each item that needs
    /// the object and knows only a part of its key.
    #[must_use]
    pub fn addressed(&self, object: &Object) -> BTreeSet<Object> {
        let by_part = |of: TypeId, link: &Link| {
            let is_needed = self.needed(of).iter().any(|id| std::ptr::eq(self.model.link(*id), link)) && link.needed;
            is_needed && link.to == object.of && matches!(link.up, ToParent::Unknown)
        };
        let types = (0..self.model.items.len()).map(TypeId);
        let links = types.flat_map(|of| self.model.links_from(of).map(move |(_, link)| (of, link)));
        let known = links.filter(|(of, link)| by_part(*of, link)).map(|(_, link)| {
            let mut known = object.clone();
            known.names.retain(|name, _| link.names.contains_key(name));
            known
        });
        known.collect()
    }

    /// Whether an object that is like this one counts as existing without an item.
    #[must_use]
    pub fn is_assumed(&self, known: &Object) -> bool {
        let mut assumed = self.model.item(known.of).assumed.iter();
        assumed.any(|names| is_like(known, &Object { of: known.of, names: names.clone() }))
    }

    /// The existing objects that match a partly known object.
    pub fn existing_like<'a>(&'a self, known: &'a Object) -> impl Iterator<Item = &'a Object> {
        self.rows.values().map(|row| &row.object).filter(move |object| is_like(known, object))
    }

    /// The existing objects that a parent may be which an index leads to.
    pub fn namesakes(&self, parent: &Parent) -> impl Iterator<Item = &Object> {
        let agrees = |row: &&ImpliedRow| {
            let lookup = said(&self.model, &row.object, Some(&row.item));
            is_like(&parent.known, &row.object)
                && parent.more.iter().all(|(name, text)| lookup(name).as_ref() == Some(text))
        };
        self.rows.values().filter(agrees).map(|row| &row.object)
    }

    /// Whether a parent that an index leads to was deleted, and all objects that match are so new
    /// that the index may not show them.
    #[must_use]
    pub fn is_shadowed(&self, parent: &Parent, is_fresh: impl Fn(&Object) -> bool) -> bool {
        let mut like = self.existing_like(&parent.known).peekable();
        matches!(self.model.link(parent.link).up, ToParent::Index { .. })
            && self.was_ever_deleted(&parent.known)
            && like.peek().is_some()
            && like.all(is_fresh)
    }
}

pub(crate) fn is_like(known: &Object, object: &Object) -> bool {
    known.of == object.of && known.names.iter().all(|(name, text)| object.names.get(name) == Some(text))
}
