//! What is in a user pool, as far as a sweep has read it.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use super::Wanted;
use crate::read::Membership;

/// Whose a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupMark {
    /// It is one of Instep's own: by its mark or, if the model says so, by its name.
    Own,
    /// It has a name that the model gives, and no mark.
    Unmarked,
}

/// A user as Cognito has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolUser {
    /// The name by which the model knows the user.
    pub name: String,
    /// Whether the user can sign in.
    pub enabled: bool,
    /// The attributes.
    pub attributes: BTreeMap<String, String>,
}

/// The groups of a pool.
pub type Groups = BTreeMap<String, GroupMark>;

/// The names in a pool. Of users and memberships it keeps a 64-bit hash each, so that a pool with ten
/// million memberships needs some 200 MB. Two of ten million have one hash in one of 300,000 sweeps:
/// then that sweep overlooks a missing one.
#[derive(Debug)]
pub struct Pool {
    /// `Bob` and `bob` are one user.
    folds_case: bool,
    hasher: RandomState,
    groups: Groups,
    users: HashSet<u64>,
    members: HashSet<u64>,
}

impl Pool {
    /// A pool of which nothing is read yet.
    #[must_use]
    pub fn new(folds_case: bool) -> Self {
        let (users, members) = (HashSet::new(), HashSet::new());
        Self { folds_case, hasher: RandomState::new(), groups: BTreeMap::new(), users, members }
    }

    fn folded(&self, user: &str) -> String {
        if self.folds_case { user.to_lowercase() } else { user.to_owned() }
    }

    fn hash_of(&self, membership: &Membership) -> u64 {
        self.hasher.hash_one((self.folded(&membership.user), &membership.group))
    }

    /// Adds a group.
    pub fn add_group(&mut self, group: String, mark: GroupMark) {
        self.groups.insert(group, mark);
    }

    /// Adds a user.
    pub fn add_user(&mut self, user: &str) {
        self.users.insert(self.hasher.hash_one(self.folded(user)));
    }

    /// Adds a membership.
    pub fn add_member(&mut self, membership: &Membership) {
        self.members.insert(self.hash_of(membership));
    }

    /// The groups.
    #[must_use]
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Whether a user exists.
    #[must_use]
    pub fn has_user(&self, user: &str) -> bool {
        self.users.contains(&self.hasher.hash_one(self.folded(user)))
    }

    /// Whether a membership exists.
    #[must_use]
    pub fn has_member(&self, membership: &Membership) -> bool {
        self.members.contains(&self.hash_of(membership))
    }

    /// Whether it lacks what the table wants.
    #[must_use]
    pub fn lacks(&self, wanted: &Wanted) -> bool {
        let Some(group) = &wanted.group else { return !self.has_user(&wanted.user) };
        let is_pending = wanted.only_if_user && !self.has_user(&wanted.user);
        !is_pending && !self.has_member(&Membership { user: wanted.user.clone(), group: group.clone() })
    }

    /// How many users and memberships there are.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.users.len(), self.members.len())
    }
}
