//! Uses: what an item type consists of, and what of an item each part of it reads. `crate::uses` makes them.

use std::collections::BTreeSet;

use super::condition::Test;
use super::ids::{LinkId, TypeId};
use super::item_type::Verb;

/// One thing that items of a type read of themselves.
#[derive(Debug, Clone)]
pub struct Use {
    /// The part of the item type that reads it.
    pub part: ItemPart,
    /// What it is read for.
    pub purpose: Purpose,
    /// What is read.
    pub reads: Reads,
}

/// A part of an item type: what follows from its items. A part may read nothing but the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemPart {
    /// Its events.
    Event,
    /// Words that replace this verb in events.
    Word(Verb),
    /// Its index attributes.
    IndexKeys,
    /// A link to another item.
    Link(LinkId),
    /// Its grant.
    Grant,
    /// Its Cognito user.
    User,
    /// Its Cognito groups.
    Groups,
    /// Its memberships.
    Member,
    /// Its `due` rules.
    Due,
    /// Its owner, as a guard.
    Guard,
    /// Its unique values in guards of this type.
    Claim(TypeId),
    /// Its deletion with its last grant of this type.
    LastRevocation(TypeId),
}

/// What an item type reads something for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It becomes part of a key, a name, a reference or an event, or says a time.
    Text,
    /// It gives the roles of a grant.
    Role,
    /// It says when a grant is valid.
    Window,
    /// It is the scope of a grant, for events.
    Scope,
    /// It selects which of several item types a reference leads to.
    Selects,
    /// It says whether the part applies.
    When,
    /// It says whether a user is disabled.
    Disabled,
    /// It says whether a claim takes a value over.
    Transfer,
    /// It becomes an attribute of a Cognito user.
    UserAttribute,
    /// It becomes the precedence of a Cognito group.
    Precedence,
    /// A word applies if it changed.
    Changed,
    /// Events carry it as it is.
    Shown,
    /// It is the tenant of events.
    Tenant,
    /// It is the correlation id of events.
    Correlation,
    /// It says when the item was last written.
    Written,
}

/// What of an item is read.
#[derive(Debug, Clone)]
pub enum Reads {
    /// The text of a name.
    Name(String),
    /// The list of texts that a name has.
    List(String),
    /// The first of these attributes, or paths into attributes, that has a value.
    Paths(Vec<String>),
    /// An attribute, a path into one, or a name in the key: whether it passes a test.
    Test(String, Test),
}

/// The parts and the uses of one item type.
#[derive(Debug, Clone, Default)]
pub(crate) struct TypeUses {
    pub(crate) parts: BTreeSet<ItemPart>,
    pub(crate) uses: Vec<Use>,
}
