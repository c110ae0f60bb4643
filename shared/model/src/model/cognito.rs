//! The Cognito users, groups and memberships of items.

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
    /// The user is disabled while this holds. `None` if Instep neither disables nor enables it.
    pub disabled: Option<Condition>,
    /// Cognito attributes, each a template over the item's names and attributes.
    pub attributes: Vec<(String, Template)>,
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
pub enum Extra {
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
    /// Group name: a template over the item's names and attributes. With
    /// [`CognitoMember::group_of`], it is over the key names of the item at that link.
    pub group: Template,
    /// The name in the group's template that stands for a role of the grant; empty if an item has
    /// the group and it is not one of several for each role. Without a grant, no role stands for it.
    pub role: String,
    /// The link to the item that has the group, and the place of the group among those of its type.
    pub group_of: Option<(LinkId, usize)>,
    /// If the item itself has the group: the place of the group among those of its type.
    pub own_group: Option<usize>,
    /// When the group is created.
    pub made: Made,
    /// For a group on demand: the links to the parents that the group's name determines. Everything
    /// that grants a membership in it is deleted with such a parent, so the group is, too.
    pub group_deleted_with: Vec<LinkId>,
    /// While this does not hold, the item does not imply the membership.
    pub when: Condition,
    /// The item types whose items can imply the same membership. Usually there are none: then user
    /// and group determine the item.
    pub shared_with: Vec<TypeId>,
}

/// When the group of a membership is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// With the item that has it, and on demand while that item exists.
    WithItem,
    /// When its first membership is added.
    OnDemand,
    /// By people: while the group does not exist, the membership is pending.
    ByHand,
}
