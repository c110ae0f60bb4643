//! The Cognito users, groups and memberships of items.

use std::collections::BTreeMap;
use std::time::Duration;

use super::condition::Condition;
use super::grant::Subject;
use super::ids::{LinkId, TypeId};
use crate::template::Template;

/// The Cognito user of an item.
#[derive(Debug, Clone)]
pub struct CognitoUser {
    /// User name, a template over the item's key names.
    pub name: Template,
    /// While this does not hold, the item has no user.
    pub when: Condition,
    /// How users are created.
    pub create: Create,
    /// Whether the user is deleted with the item.
    pub delete: bool,
    /// How long the user is kept after that, disabled. `None`: it is deleted at once.
    pub grace: Option<Duration>,
    /// The user is disabled while this holds. `None` if Instep neither disables nor enables it.
    pub disabled: Option<Condition>,
    /// Cognito attributes, each a template over the item's names and attributes.
    pub attributes: Vec<(String, Template)>,
    /// Those of the attributes that are unique values.
    pub unique: Vec<UniqueAttribute>,
    /// Whether the name is one of [`ADDRESSES`]. Only then can the pool be one that makes the names of users, equal to
    /// `sub`, and takes an address for a name (`UsernameAttributes`).
    pub named_by_address: bool,
}

/// The attributes with an address by which Cognito reaches a person.
pub const ADDRESSES: [&str; 2] = ["email", "phone_number"];

/// An attribute of a Cognito user that is made of what a claim makes unique. The user has it only while the guards of
/// the value name the item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueAttribute {
    /// The attribute.
    pub attribute: String,
    /// The guard's type.
    pub guard: TypeId,
    /// The place of the claim among those of the guard's type.
    pub claim: usize,
}

/// By what items name the account of somebody who signs up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserValue {
    /// By its `sub`, which Cognito makes.
    Sub,
    /// By its user name, which people choose.
    Name,
}

impl UserValue {
    /// The name of their item type. No item type of a model file can have it: a `/` is refused there.
    pub const TYPE: &str = "/user";

    /// The name that has the value. No name in a template can be like it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sub => "/sub",
            Self::Name => "/name",
        }
    }

    /// What people call such a user.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Sub => "user by sub",
            Self::Name => "user by name",
        }
    }

    /// The word in a model file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sub => "sub",
            Self::Name => "name",
        }
    }
}

/// How Cognito users are created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// Created with Cognito's invitation.
    Invite,
    /// Created without a message.
    Silent,
    /// Not by Instep.
    Never,
}

/// Cognito groups of an item.
#[derive(Debug, Clone)]
pub struct CognitoGroups {
    /// Group name, a template over the item's key names and at most one name that the key does not
    /// bind. That name has a closed set, and each of its values gives a group.
    pub name: Template,
    /// That name.
    pub each: Option<String>,
    /// While this does not hold, the item has no such groups.
    pub when: Condition,
    /// Their precedence. `None` if people alone set it.
    pub precedence: Option<Precedence>,
    /// The ARNs of their IAM roles. `None` if people alone set them. No item gives one: whoever can write an item could
    /// choose what members may do in AWS.
    pub iam_role: Option<OfGroups<String>>,
    /// Whether they are in tokens alone, because a membership says so: the pool does not have them.
    pub in_token: bool,
}

/// The precedence of groups: of a member's groups, the one with the lowest number gives the IAM role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precedence {
    /// The model has it.
    Fixed(OfGroups<i32>),
    /// A template over the item's names and attributes. An item without a value for one of them says nothing.
    OfItem(Template),
}

/// A setting of the groups of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfGroups<T> {
    /// All have this.
    All(T),
    /// For these values of [`CognitoGroups::each`]. The model says nothing of the others.
    Each(BTreeMap<String, T>),
}

impl<T> OfGroups<T> {
    /// What the group has that is for this value.
    #[must_use]
    pub fn of(&self, value: Option<&str>) -> Option<&T> {
        match self {
            Self::All(all) => Some(all),
            Self::Each(each) => each.get(value?),
        }
    }

    /// What any group has.
    pub fn all(&self) -> Vec<&T> {
        match self {
            Self::All(all) => vec![all],
            Self::Each(each) => each.values().collect(),
        }
    }
}

/// How Instep tells its own Cognito groups from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// The group's description begins with `instep:` and the model's name.
    Description,
    /// Every group whose name matches a group template of the model belongs to Instep.
    Name,
}

/// What a sweep does with what is in Cognito and no item implies. People may have made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtraPolicy {
    /// It is reported.
    Report,
    /// It is removed.
    Remove,
}

/// A Cognito membership that an item implies.
#[derive(Debug, Clone)]
pub struct CognitoMember {
    /// The user.
    pub user: Subject,
    /// Group name: a template over the item's names and attributes. With [`GroupOwner::Link`], it is over the
    /// key names of the item at that link.
    pub group: Template,
    /// The name in the group's template that stands for a role of the grant; empty if an item has
    /// the group and it is not one of several for each role. Without a grant, no role stands for it.
    pub role: String,
    /// What has the group.
    pub group_owner: GroupOwner,
    /// While this does not hold, the item does not imply the membership.
    pub when: Condition,
    /// Whether the user is signed out after the membership was removed.
    pub sign_out: bool,
    /// Whether the group is in tokens alone: the pool has neither it nor the membership.
    pub in_token: bool,
    /// The item types whose items can imply the same membership. Usually there are none: then user
    /// and group determine the item.
    pub shared_with: Vec<TypeId>,
}

/// What has the group of a membership, and so when it is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupOwner {
    /// The item at this link: the group at this place among those of its type.
    Link(LinkId, usize),
    /// The item itself: the group at this place among those of its type.
    Itself(usize),
    /// No item: it is created on demand, with its first member.
    Nothing {
        /// The links to the parents that the group's name determines. Everything that grants a membership in it is
        /// deleted with such a parent, so the group is, too.
        deleted_with: Vec<LinkId>,
    },
    /// People: while it does not exist, the membership is pending.
    People,
}

impl CognitoMember {
    /// The link to the item that has the group.
    #[must_use]
    pub const fn group_link(&self) -> Option<LinkId> {
        if let GroupOwner::Link(link, _) = self.group_owner { Some(link) } else { None }
    }

    /// Whether the group is created on demand.
    #[must_use]
    pub const fn is_on_demand(&self) -> bool {
        matches!(self.group_owner, GroupOwner::Nothing { .. })
    }

    /// Whether people create the group.
    #[must_use]
    pub const fn is_by_hand(&self) -> bool {
        matches!(self.group_owner, GroupOwner::People)
    }

    /// For a group on demand: the links to the parents with which it is deleted.
    #[must_use]
    pub const fn group_deleted_with(&self) -> &[LinkId] {
        if let GroupOwner::Nothing { deleted_with } = &self.group_owner { deleted_with.as_slice() } else { &[] }
    }
}

/// When the group of a membership is created, in a model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// With the item that has it, and on demand while that item exists.
    WithItem,
    /// When its first membership is added.
    OnDemand,
    /// By people: while the group does not exist, the membership is pending.
    ByHand,
}
