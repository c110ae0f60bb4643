//! What only answers read: where access applies beside its scope, and what a role permits.

use super::condition::Condition;
use super::ids::LinkId;
use super::link::Link;
use crate::template::Template;

/// What an item is in: what applies there applies to the item, too.
#[derive(Debug, Clone)]
pub enum Within {
    /// The items that these references lead to.
    Items(Vec<Link>),
    /// The items of the same type that a leading part of the value of a name identifies. `/usa/west` is in `/usa`, and that is
    /// in `/`.
    Path {
        /// The only name in the key.
        name: String,
        /// What separates the parts.
        separator: String,
    },
}

/// An edge along which access flows: what applies to the item at one end applies to the item at the other.
#[derive(Debug, Clone)]
pub struct Conveys {
    /// The name of the end to which it flows.
    pub end: String,
    /// The links of that end.
    pub to: Vec<LinkId>,
    /// The links of the other end.
    pub from: Vec<LinkId>,
    /// It flows while this holds for the edge's item.
    pub when: Condition,
}

/// The permissions that an item gives: a role's item, or an item that links a role to one.
#[derive(Debug, Clone)]
pub struct Permits {
    /// A permission, over the item's names and attributes, or over those of each element of `list`.
    pub permission: Template,
    /// An attribute, or a path, with a list of maps: each is a permission.
    pub list: Option<String>,
    /// The value of a name that stands for every value.
    pub any: Option<String>,
    /// The role that gets it, of an item that links a role to a permission.
    pub role: Option<Link>,
}
