//! Which objects exist, and which items belong to one that was deleted.

use instep_model::{Names, Object, Up};

use super::row::{Parent, Row};
use super::{Implied, Life};

impl Implied {
    /// Whether an object is there; of one that is known in part: whether any like it is.
    #[must_use]
    pub fn is_there(&self, known: &Object) -> bool {
        self.model.item(known.of).assumed.contains(&known.names) || self.like(known).any(|(_, life)| life.items > 0)
    }

    /// Whether an object, or one like it, was there and went.
    #[must_use]
    pub fn was_removed(&self, known: &Object) -> bool {
        self.like(known).any(|(_, life)| life.has_gone)
    }

    /// What is or was there of an object; of one that is known in part: of all that are like it.
    fn like<'a>(&'a self, known: &'a Object) -> impl Iterator<Item = (&'a Object, &'a Life)> {
        let is_whole = known.names.len() == self.model.key_order(known.of).len();
        let first = if is_whole { known.clone() } else { Object { of: known.of, names: Names::new() } };
        let from = self
            .objects
            .range(first..)
            .take_while(move |(object, _)| if is_whole { *object == known } else { object.of == known.of });
        from.filter(|(object, _)| is_like(known, object))
    }

    /// Whether an item goes with something that went.
    #[must_use]
    pub fn is_orphan(&self, row: &Row) -> bool {
        row.parents.iter().any(|parent| self.went(parent))
    }

    /// Whether a parent went.
    #[must_use]
    pub fn went(&self, parent: &Parent) -> bool {
        match self.model.link(parent.link).up {
            // Nothing says whether another of that id is there.
            Up::Unknown => self.like(&parent.known).any(|(_, life)| life.has_gone && life.items == 0),
            Up::Key => !self.is_there(&parent.known) && self.was_removed(&parent.known),
            Up::Index { .. } => self.namesakes(parent).next().is_none() && self.was_removed(&parent.known),
        }
    }

    /// The items that a parent which is known by an index may be.
    fn namesakes(&self, parent: &Parent) -> impl Iterator<Item = &Object> {
        let agrees = |row: &&Row| {
            let lookup = self.model.lookup(row.object.of, &row.object.names, Some(&row.item));
            is_like(&parent.known, &row.object)
                && parent.more.iter().all(|(name, text)| lookup(name).as_ref() == Some(text))
        };
        self.rows.values().filter(agrees).map(|row| &row.object)
    }

    /// Whether a parent that is known by an index went, and all that are like it are so fresh that the index need not show them.
    #[must_use]
    pub fn is_shadowed(&self, parent: &Parent, is_fresh: impl Fn(&Object) -> bool) -> bool {
        let mut like = self.rows.values().map(|row| &row.object).filter(|object| is_like(&parent.known, object));
        matches!(self.model.link(parent.link).up, Up::Index { .. })
            && self.was_removed(&parent.known)
            && like.all(is_fresh)
    }
}

fn is_like(known: &Object, object: &Object) -> bool {
    known.of == object.of && known.names.iter().all(|(name, text)| object.names.get(name) == Some(text))
}
