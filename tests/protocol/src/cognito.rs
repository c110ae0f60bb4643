//! Cognito: users, groups and memberships, without conditions and without transactions.

use std::collections::{BTreeMap, BTreeSet};

use crate::effect::Effect;
use crate::world::Object;

/// A user in the Cognito group of a group and a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Membership {
    /// The user.
    pub user: u8,
    /// The group.
    pub group: u8,
    /// The role.
    pub role: u8,
}

/// The user pool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Cognito {
    /// Users, with their attribute.
    pub users: BTreeMap<u8, u8>,
    /// Groups, by group and role.
    pub groups: BTreeSet<(u8, u8)>,
    /// Memberships.
    pub members: BTreeSet<Membership>,
}

/// What Cognito answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// The effect's result is in place.
    Done {
        /// A user or group did not exist before.
        created: bool,
    },
    /// The user or group of a membership does not exist.
    NotFound(Object),
}

impl Cognito {
    /// Applies an effect.
    pub fn apply(&mut self, effect: &Effect) -> Answered {
        let mut created = false;
        match effect {
            Effect::RemoveMember(membership) => drop(self.members.remove(membership)),
            Effect::DeleteGroup(group, role) => {
                self.groups.remove(&(*group, *role));
                self.members.retain(|member| (member.group, member.role) != (*group, *role));
            }
            Effect::DeleteUser(user) => {
                self.users.remove(user);
                self.members.retain(|member| member.user != *user);
            }
            Effect::EnsureUser(user, attribute) => created = self.users.insert(*user, *attribute).is_none(),
            Effect::EnsureGroup(group, role) => created = self.groups.insert((*group, *role)),
            Effect::AddMember(membership, _) => {
                if !self.users.contains_key(&membership.user) {
                    return Answered::NotFound(Object::User(membership.user));
                }
                if !self.groups.contains(&(membership.group, membership.role)) {
                    return Answered::NotFound(Object::Group(membership.group));
                }
                self.members.insert(*membership);
            }
            Effect::WriteReference { .. } | Effect::Write(_) | Effect::HandOn(_) | Effect::Continue(_) => {}
        }
        Answered::Done { created }
    }
}
