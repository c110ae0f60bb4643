//! Grants: a subject, its roles, and their scope.

use super::condition::Condition;
use super::ids::LinkId;
use crate::template::Template;

/// An item that gives a subject one or more roles in a scope.
#[derive(Debug, Clone)]
pub struct Grant {
    /// The subject that gets the roles.
    pub subject: Subject,
    /// The scope of the roles.
    pub scope: Scope,
    /// The roles.
    pub roles: Roles,
    /// The names whose closed sets the roles are in: those of the attributes with the roles.
    pub role_names: Vec<String>,
    /// The links to the item of each role: of these, the one whose `when` is true. If the roles are a list,
    /// [`Link::each`](super::Link::each) has it. Empty if no items are roles.
    pub role_links: Vec<LinkId>,
    /// Names that subject, scope and role must have in common for the grant to count in answers.
    pub same: Vec<String>,
    /// Attribute spellings: the time from which the grant is valid.
    pub from: Vec<String>,
    /// Attribute spellings: the time from which the grant is no longer valid.
    pub until: Vec<String>,
    /// While this does not hold, the item grants nothing.
    pub when: Condition,
    /// What the last revocation does to the subject.
    pub last: Option<LastRevoked>,
}

/// The subject of a grant or a membership.
#[derive(Debug, Clone)]
pub enum Subject {
    /// The item itself.
    Itself,
    /// The item at the other end of a link.
    Link(LinkId),
}

impl Subject {
    /// The link, if it is another item.
    #[must_use]
    pub const fn link(&self) -> Option<LinkId> {
        match self {
            Self::Itself => None,
            Self::Link(link) => Some(*link),
        }
    }
}

/// The scope of a grant.
#[derive(Debug, Clone)]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In the item that a link leads to: of these links, the one whose `when` is true.
    Links(Vec<LinkId>),
    /// In a scope that is only a value and not an item.
    Value(Template),
}

/// Where a grant's roles are written.
#[derive(Debug, Clone)]
pub enum Roles {
    /// No roles: the grant exists or it does not.
    None,
    /// A template over the item's names and attributes.
    Template(Template),
    /// An attribute (spellings): a string, or a list or set of strings.
    Attribute(Vec<String>),
}

/// The subject is deleted when its last grant of this type is revoked.
#[derive(Debug, Clone)]
pub struct LastRevoked {
    /// Attributes (RFC 3339) of the subject with the time of its last write. The rule applies only
    /// if one of them is present and all are older than the revocation.
    pub written: Vec<String>,
}
