//! Sets that are joined step by step: of entries into parts, of effects into lanes.

use std::collections::BTreeMap;

/// Sets of things that have an order. The first of a set is its root.
#[derive(Debug)]
pub(crate) struct Sets<T>(BTreeMap<T, T>);

impl<T> Default for Sets<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Copy + Ord> Sets<T> {
    /// Joins some, and returns one of them.
    pub(crate) fn join(&mut self, all: impl IntoIterator<Item = T>) -> Option<T> {
        let mut joined: Option<T> = None;
        for one in all {
            let root = self.root(one);
            let first = joined.map_or(root, |joined| joined.min(root));
            self.0.insert(root, first);
            if let Some(joined) = joined {
                self.0.insert(joined, first);
            }
            joined = Some(first);
        }
        joined
    }

    /// The root of the set that has `one`. INVARIANT 8: each leads to itself or to an earlier one.
    pub(crate) fn root(&mut self, one: T) -> T {
        let mut root = one;
        while let Some(next) = self.0.get(&root).copied().filter(|next| *next != root) {
            root = next;
        }
        self.0.insert(one, root);
        root
    }

    /// All that were joined or asked for.
    pub(crate) fn all(&self) -> Vec<T> {
        self.0.keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_has_one_root() {
        let mut sets = Sets::default();
        for one in 0..10 {
            sets.join([one]);
        }
        sets.join([7, 3]);
        sets.join([9, 7]);
        sets.join([8, 2]);
        let roots: Vec<usize> = (0..10).map(|one| sets.root(one)).collect();
        assert_eq!(roots, [0, 1, 2, 3, 4, 5, 6, 3, 2, 3]);
        sets.join([2, 9]);
        assert_eq!((sets.root(3), sets.root(8)), (2, 2));
    }
}
