//! Cognito: users, groups and memberships, without conditions and without transactions.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::effect::Effect;
use instep_flow::reconcile::{Applied, Missing};

use crate::design::{group_of, membership_of, user_of};
use crate::world::SmallMembership;

/// The user pool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SmallPool {
    /// Users, with their attribute.
    pub users: BTreeMap<u8, u8>,
    /// Groups, by group and role.
    pub groups: BTreeSet<(u8, u8)>,
    /// Memberships.
    pub members: BTreeSet<SmallMembership>,
}

impl SmallPool {
    /// People delete an account.
    pub fn leave(&mut self, user: u8) {
        self.users.remove(&user);
        self.members.retain(|member| member.user != user);
    }

    /// Applies an effect. `None` for one that no world expects.
    pub fn apply(&mut self, effect: &Effect) -> Option<Applied> {
        let mut created = false;
        match effect {
            Effect::RemoveMember(of) => drop(self.members.remove(&membership_of(&of.user, &of.group)?)),
            Effect::DeleteGroup { group, .. } => {
                let deleted = group_of(group)?;
                self.groups.remove(&deleted);
                self.members.retain(|member| (member.group, member.role) != deleted);
            }
            Effect::DeleteUser { user, .. } => {
                self.leave(user_of(user)?);
            }
            Effect::EnsureUser(ensure) => {
                let attribute = ensure.state.attributes.get("nickname")?.as_ref()?.parse().ok()?;
                created = self.users.insert(user_of(&ensure.user)?, attribute).is_none();
            }
            Effect::EnsureGroup { group, .. } => created = self.groups.insert(group_of(group)?),
            Effect::AddMember(add) => {
                let membership = membership_of(&add.membership.user, &add.membership.group)?;
                if add.unbound.0.is_some() || !self.users.contains_key(&membership.user) {
                    return Some(Applied::Missing(Missing::User));
                }
                if !self.groups.contains(&(membership.group, membership.role)) {
                    return Some(Applied::Missing(Missing::Group));
                }
                self.members.insert(membership);
            }
            Effect::SignOut { .. }
            | Effect::DisableUser { .. }
            | Effect::Write(_)
            | Effect::MarkDeleted(_)
            | Effect::DeleteSubject(_)
            | Effect::DeletePage(_)
            | Effect::SendObjects(_)
            | Effect::SendDependents(_) => return None,
        }
        Some(Applied::Done { created })
    }
}
