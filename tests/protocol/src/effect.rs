//! The calls of a run: what it reads, and its effects.

use std::collections::BTreeSet;

use crate::cognito::Membership;
use crate::message::{Dependents, Named};
use crate::rules::{Rule, Rules};
use crate::table::{Item, Tombstone};
use crate::world::{Link, Object};

/// What a run reads with one call. The product reads many items with one call, but not as a
/// snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    /// An item.
    Item(Object),
    /// A tombstone.
    Tombstone(Object),
    /// A page of dependents: of what, behind which link, after which row.
    Page(Object, Link, Option<Object>),
    /// All grants of a user.
    Grants(Object),
    /// The Cognito groups of a user.
    Groups(u8),
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// To [`Ask::Item`].
    Item(Option<Item>),
    /// To [`Ask::Tombstone`].
    Tombstone(Option<Tombstone>),
    /// To [`Ask::Page`] and [`Ask::Grants`]: rows, and whether more follow.
    Rows(Vec<(Object, Option<Item>)>, bool),
    /// To [`Ask::Groups`].
    Groups(BTreeSet<Membership>),
}

/// What a run does with one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Writes a back-reference.
    WriteReference {
        /// To what.
        to: Object,
        /// From which object.
        from: Object,
    },
    /// Removes a member from a Cognito group.
    RemoveMember(Membership),
    /// Deletes the Cognito group of a group and a role.
    DeleteGroup(u8, u8),
    /// Deletes a Cognito user.
    DeleteUser(u8),
    /// Ensures a Cognito user, with an attribute.
    EnsureUser(u8, u8),
    /// Ensures the Cognito group of a group and a role.
    EnsureGroup(u8, u8),
    /// Adds a member to a Cognito group, as a grant implies.
    AddMember(Membership, Object),
    /// Writes to the table.
    Write(Write),
    /// Sends objects to the work queue.
    HandOn(Vec<Named>),
    /// Sends a continuation to the work queue.
    Continue(Dependents),
}

/// A conditional write to the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Write {
    /// Deletes a back-reference, if the referring item is what was read.
    DeleteReference {
        /// To what.
        to: Object,
        /// From which object.
        from: Object,
        /// The value of the referring item as it was read.
        read: Option<u8>,
    },
    /// Writes a tombstone, if the present one is what was read.
    Tombstone {
        /// Of what.
        of: Object,
        /// The tombstone.
        tombstone: Tombstone,
        /// The one that was read.
        before: Option<Tombstone>,
    },
    /// Deletes dependents, if they are linked as they were read and the parent does not exist.
    DeleteChildren {
        /// The parent.
        parent: Object,
        /// The link.
        link: Link,
        /// The page that showed them. `None` where a child's own record leads to its deletion.
        page: Option<Ask>,
        /// The dependents, as they were read.
        rows: Vec<(Object, u8)>,
    },
    /// Deletes a subject, if its item and tombstone are what was read, and writes its tombstone.
    DeleteSubject {
        /// The subject.
        user: Object,
        /// Its item as it was read.
        item: Item,
        /// The tombstone, with the item.
        tombstone: Tombstone,
        /// The tombstone that was read.
        before: Option<Tombstone>,
    },
    /// Restores a subject from its tombstone, if it does not exist, and deletes the tombstone.
    Restore {
        /// The subject.
        user: Object,
        /// Its tombstone as it was read.
        tombstone: Tombstone,
    },
    /// Deletes the tombstone of a subject that exists again.
    Forget {
        /// The subject.
        user: Object,
        /// Its tombstone as it was read.
        tombstone: Tombstone,
    },
}

/// Phases of a round. A phase begins when the one before it has succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Write back-references.
    Refer,
    /// Take access away.
    Revoke,
    /// Create users and groups.
    Ensure,
    /// Grant.
    Grant,
    /// Revocations that are late because [`Rule::RevokeFirst`] is off.
    RevokeLate,
    /// Back-references that are late because [`Rule::ReferenceFirst`] is off.
    ReferLate,
    /// Write to the table.
    Follow,
    /// Send messages.
    HandOn,
}

impl Effect {
    /// Its phase.
    #[must_use]
    pub fn phase(&self, rules: &Rules) -> Phase {
        match self {
            Self::WriteReference { .. } if rules.has(Rule::ReferenceFirst) => Phase::Refer,
            Self::RemoveMember(_) | Self::DeleteGroup(..) | Self::DeleteUser(_) => {
                if rules.has(Rule::RevokeFirst) {
                    Phase::Revoke
                } else {
                    Phase::RevokeLate
                }
            }
            Self::EnsureUser(..) | Self::EnsureGroup(..) => Phase::Ensure,
            Self::AddMember(..) => Phase::Grant,
            Self::WriteReference { .. } => Phase::ReferLate,
            Self::Write(_) => Phase::Follow,
            Self::HandOn(_) | Self::Continue(_) => Phase::HandOn,
        }
    }

    /// Whether it takes access away.
    #[must_use]
    pub const fn revokes(&self) -> bool {
        matches!(self, Self::RemoveMember(_) | Self::DeleteGroup(..) | Self::DeleteUser(_))
    }

    /// Whether it is a call to Cognito.
    #[must_use]
    pub const fn is_of_cognito(&self) -> bool {
        self.revokes() || self.ensured().is_some() || matches!(self, Self::AddMember(..))
    }

    /// Whether everything is read again after it.
    #[must_use]
    pub const fn needs_second_read(&self) -> bool {
        self.is_of_cognito() || matches!(self, Self::Write(Write::DeleteSubject { .. } | Write::Restore { .. }))
    }

    /// The object whose user or group it ensures.
    #[must_use]
    pub const fn ensured(&self) -> Option<Object> {
        match self {
            Self::EnsureUser(user, _) => Some(Object::User(*user)),
            Self::EnsureGroup(group, _) => Some(Object::Group(*group)),
            Self::WriteReference { .. }
            | Self::RemoveMember(_)
            | Self::DeleteGroup(..)
            | Self::DeleteUser(_)
            | Self::AddMember(..)
            | Self::Write(_)
            | Self::HandOn(_)
            | Self::Continue(_) => None,
        }
    }

    /// The object whose user or group it deletes.
    #[must_use]
    pub const fn deleted(&self) -> Option<Object> {
        match self {
            Self::DeleteUser(user) => Some(Object::User(*user)),
            Self::DeleteGroup(group, _) => Some(Object::Group(*group)),
            Self::WriteReference { .. }
            | Self::RemoveMember(_)
            | Self::EnsureUser(..)
            | Self::EnsureGroup(..)
            | Self::AddMember(..)
            | Self::Write(_)
            | Self::HandOn(_)
            | Self::Continue(_) => None,
        }
    }

    /// Whether this effect reverses another.
    #[must_use]
    pub fn undoes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RemoveMember(one), Self::AddMember(two, _)) | (Self::AddMember(one, _), Self::RemoveMember(two)) => {
                one == two
            }
            (Self::DeleteGroup(group, role), Self::EnsureGroup(same, of))
            | (Self::EnsureGroup(group, role), Self::DeleteGroup(same, of)) => (group, role) == (same, of),
            (Self::DeleteGroup(group, role), Self::AddMember(member, _)) => {
                (*group, *role) == (member.group, member.role)
            }
            (Self::DeleteUser(user), Self::EnsureUser(same, _))
            | (Self::EnsureUser(user, _), Self::DeleteUser(same)) => user == same,
            (Self::DeleteUser(user), Self::AddMember(member, _)) => *user == member.user,
            (Self::EnsureUser(user, one), Self::EnsureUser(same, two)) => user == same && one != two,
            (_, _) => false,
        }
    }

    /// The object whose record or message causes the effect, if there is exactly one.
    #[must_use]
    pub fn subject(&self) -> Option<Object> {
        match self {
            Self::AddMember(_, grant) => Some(*grant),
            Self::WriteReference { from, .. } | Self::Write(Write::DeleteReference { from, .. }) => Some(*from),
            Self::RemoveMember(member) => Some(Object::User(member.user)),
            Self::HandOn(named) => named.last().map(|named| named.object),
            Self::Continue(dependents) => Some(dependents.of),
            Self::Write(
                Write::Tombstone { of: object, .. }
                | Write::DeleteChildren { parent: object, .. }
                | Write::DeleteSubject { user: object, .. }
                | Write::Restore { user: object, .. }
                | Write::Forget { user: object, .. },
            ) => Some(*object),
            Self::DeleteGroup(..) | Self::DeleteUser(_) | Self::EnsureUser(..) | Self::EnsureGroup(..) => {
                self.ensured().or(self.deleted())
            }
        }
    }
}
