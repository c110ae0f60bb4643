//! Places that are joined step by step: those of a batch into parts, those of effects into lanes.

use std::collections::BTreeMap;

/// Sets of places. The first place of a set is its root.
#[derive(Debug, Default)]
pub(crate) struct Sets(BTreeMap<usize, usize>);

impl Sets {
    /// Joins places, and returns one of them.
    pub(crate) fn join(&mut self, places: impl IntoIterator<Item = usize>) -> Option<usize> {
        let mut joined: Option<usize> = None;
        for place in places {
            let root = self.root(place);
            let first = joined.map_or(root, |joined| joined.min(root));
            self.0.insert(root, first);
            if let Some(joined) = joined {
                self.0.insert(joined, first);
            }
            joined = Some(first);
        }
        joined
    }

    /// The root of a place's set. INVARIANT 8: a place leads to itself or to an earlier one.
    pub(crate) fn root(&mut self, place: usize) -> usize {
        let mut root = place;
        while let Some(next) = self.0.get(&root).copied().filter(|next| *next != root) {
            root = next;
        }
        self.0.insert(place, root);
        root
    }

    /// All places.
    pub(crate) fn places(&self) -> Vec<usize> {
        self.0.keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_joined_have_one_root() {
        let mut sets = Sets::default();
        for place in 0..10 {
            sets.join([place]);
        }
        sets.join([7, 3]);
        sets.join([9, 7]);
        sets.join([8, 2]);
        let roots: Vec<usize> = (0..10).map(|place| sets.root(place)).collect();
        assert_eq!(roots, [0, 1, 2, 3, 4, 5, 6, 3, 2, 3]);
        sets.join([2, 9]);
        assert_eq!((sets.root(3), sets.root(8)), (2, 2));
    }
}
