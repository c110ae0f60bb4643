//! What is in a user pool, as far as a sweep has read it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::ACCOUNT_MARK;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Wanted;
use crate::account::{FoundUser, SUB};
use crate::group_settings::GroupSettings;
use crate::implied::Membership;

/// Whose a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GroupMark {
    /// It is one of Instep's own: by its mark or, if the model says so, by its name.
    Own,
    /// It has a name that the model gives, and no mark.
    Unmarked,
}

/// A group as Cognito has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolGroup {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub mark: GroupMark,
    /// Its precedence and its IAM role.
    pub settings: GroupSettings,
    /// When the item was deleted after whose deletion it was made, as its description says.
    pub after: Option<Timestamp>,
}

/// What a sweep keeps of a group that it has listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedGroup {
    /// Whose it is.
    pub mark: GroupMark,
    /// As in [`PoolGroup`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Timestamp>,
}

impl PoolGroup {
    /// What a sweep keeps of it.
    #[must_use]
    pub const fn listed(&self) -> ListedGroup {
        ListedGroup { mark: self.mark, after: self.after }
    }
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
    /// `Username`
    pub username: String,
    /// `UserStatus`
    pub status: String,
    /// `UserCreateDate`
    pub created: Option<Timestamp>,
}

impl PoolUser {
    /// Its `sub`.
    #[must_use]
    pub fn sub(&self) -> &str {
        self.attributes.get(SUB).map_or("", String::as_str)
    }

    /// The name that the pool has made for it, if it has.
    #[must_use]
    pub fn made(&self) -> Option<&str> {
        self.found().has_generated_name().then_some(&self.username)
    }

    /// What it has in the attribute that shows which users Instep made.
    #[must_use]
    pub fn mark(&self) -> Option<&String> {
        self.attributes.get(ACCOUNT_MARK)
    }

    /// What decides whose it is.
    #[must_use]
    pub fn found(&self) -> FoundUser {
        FoundUser::new(&self.username, &self.status, self.created, &self.attributes)
    }
}

/// The groups of a pool.
pub type Groups = BTreeMap<String, ListedGroup>;

/// What the pool has of the users and groups that some items imply.
#[derive(Debug, Default)]
pub struct PoolView {
    groups: Groups,
    users: BTreeSet<String>,
    /// The users that are known by the `sub` of their accounts.
    subs: BTreeSet<String>,
    members: BTreeSet<Membership>,
    /// Those of users whose addresses differ from their names in the model.
    drifted: Vec<Membership>,
}

impl PoolView {
    /// Adds a group.
    pub fn add_group(&mut self, group: PoolGroup) {
        let listed = group.listed();
        self.groups.insert(group.name, listed);
    }

    /// Adds a user.
    pub fn add_user(&mut self, user: &str) {
        self.users.insert(user.to_owned());
    }

    /// Adds a user that is known by the `sub` of the account.
    pub fn add_sub(&mut self, sub: &str) {
        self.subs.insert(sub.to_owned());
    }

    /// Adds a membership.
    pub fn add_member(&mut self, membership: Membership) {
        self.members.insert(membership);
    }

    /// Adds a membership of a user whose address differs from its name in the model. A list of the pool shows the user
    /// under that address, so only now it is known whose membership this is.
    pub fn add_drifted(&mut self, membership: Membership) {
        self.drifted.push(membership.clone());
        self.members.insert(membership);
    }

    /// The memberships of such users.
    #[must_use]
    pub fn drifted(&self) -> &[Membership] {
        &self.drifted
    }

    /// The groups.
    #[must_use]
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Whether it lacks what the table wants.
    #[must_use]
    pub fn lacks(&self, wanted: &Wanted) -> bool {
        let users = if wanted.sub { &self.subs } else { &self.users };
        let has_user = users.contains(&wanted.user);
        let Some(group) = &wanted.group else { return !has_user };
        let is_pending = wanted.only_if_user && !has_user;
        let member = Membership { sub: wanted.sub, ..Membership::named(&wanted.user, group) };
        !is_pending && !self.members.contains(&member)
    }
}
