//! What runs act on: the table with its streams, and Cognito.

use std::collections::{BTreeMap, BTreeSet};

/// A user, by number. Users are there all along: to memberships they are what groups are.
pub type User = u8;

/// A role, and the Cognito group that the group item brings for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// One role.
    Admin,
    /// Another.
    Reader,
}

/// What items stand for (`instep_model::Object`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// The group, which brings a Cognito group for each role.
    Group,
    /// What a user is granted in the group.
    Grant(User),
}

/// An item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// Of the group.
    Group,
    /// Of a grant.
    Grant(Role),
}

impl Item {
    /// The role that it grants (`read::memberships`).
    #[must_use]
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Group => None,
            Self::Grant(role) => Some(role),
        }
    }
}

/// A stream record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// What was written.
    pub object: Object,
    /// The item before.
    pub old: Option<Item>,
    /// The item after.
    pub new: Option<Item>,
}

/// The table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Table {
    /// The items.
    pub items: BTreeMap<Object, Item>,
    /// The back-references from the group to grants.
    pub references: BTreeSet<User>,
    /// What grants were when members were brought for them ([`crate::Variant::Mended`]).
    pub given: BTreeSet<(User, Item)>,
    /// Records of jobs that bring the group ([`crate::Variant::Mended`]).
    pub jobs: Vec<Record>,
}

impl Table {
    /// A table in which these objects are there, with their back-references.
    #[must_use]
    pub fn with(items: impl IntoIterator<Item = (Object, Item)>) -> Self {
        let items: BTreeMap<_, _> = items.into_iter().collect();
        let references = items.keys().filter_map(|object| object.user()).collect();
        Self { items, references, ..Self::default() }
    }

    /// What is there of an object.
    #[must_use]
    pub fn get(&self, object: Object) -> Option<Item> {
        self.items.get(&object).copied()
    }

    /// Writes or deletes an item; a write that changes nothing has no record.
    pub fn write(&mut self, object: Object, new: Option<Item>) -> Option<Record> {
        let old = match new {
            Some(item) => self.items.insert(object, item),
            None => self.items.remove(&object),
        };
        (old != new).then_some(Record { object, old, new })
    }

    /// What the items imply in Cognito.
    #[must_use]
    pub fn implied(&self, roles: &[Role]) -> Cognito {
        if self.get(Object::Group).is_none() {
            return Cognito::default();
        }
        let members = self.items.iter().filter_map(|(object, item)| Some((object.user()?, item.role()?)));
        Cognito { groups: roles.iter().copied().collect(), members: members.collect() }
    }
}

impl Object {
    /// The user of a grant.
    #[must_use]
    pub const fn user(self) -> Option<User> {
        match self {
            Self::Group => None,
            Self::Grant(user) => Some(user),
        }
    }
}

/// Cognito: no conditional writes, and a group that is deleted takes its memberships along.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Cognito {
    /// The groups.
    pub groups: BTreeSet<Role>,
    /// Users in groups.
    pub members: BTreeSet<(User, Role)>,
}
