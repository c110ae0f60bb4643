//! Links: which items depend on which, and how each finds the other.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::Condition;
use super::ids::{LinkId, TypeId};
use crate::template::Template;

/// A dependency of one item type on another: a parent, an end of an edge, the owner of a guard, a grant's
/// subject, scope or role.
#[derive(Debug, Clone)]
pub struct Link {
    /// The type that depends.
    pub from: TypeId,
    /// The type that it depends on.
    pub to: TypeId,
    /// The link exists only for items whose name has this value (a reference by type).
    pub when: Option<(String, String)>,
    /// The link exists only for items for which this holds.
    pub condition: Condition,
    /// The key names of the other item, each a template over this item's names and attributes. If
    /// this item does not determine a key name, it is missing here, and [`Link::up`] says how to
    /// find the other item. Several items with the names that are here count as one, which exists while any
    /// of them does. If that is [`ToParent::Index`], the other names that its templates take are
    /// here too.
    pub names: BTreeMap<String, Template>,
    /// Of these names, those that tell the other item apart and that its key does not have: its attributes or an
    /// index key have them. Only the item of a role is known so.
    pub beside_key: BTreeSet<String>,
    /// The name of these templates that has a list: the link leads to an item for each text in it.
    pub each: Option<String>,
    /// How an item finds the other item.
    pub up: ToParent,
    /// How the other item finds its dependents.
    pub find: ToDependents,
    /// The item is deleted with the other item.
    pub deleted_with: bool,
    /// The item has no effect while the other item does not exist (what a grant names). Of a list of roles, each
    /// role has none while its own item does not exist.
    pub needed: bool,
    /// For an edge whose `takes` names its other end: the link of that end. The item at that end is
    /// deleted with the last existing item at this end.
    pub cascades_to: Option<LinkId>,
    /// The part that the reference plays. Links to one item are one link, of the first reference.
    pub role: LinkRole,
    /// Attributes (RFC 3339) of the item with the time of its last write. They tell the children of a parent that was
    /// written again from those of the earlier one.
    pub written: Vec<String>,
}

/// The part that a reference plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkRole {
    /// A parent.
    Parent,
    /// The end of an edge that is called so.
    EdgeEnd(String),
    /// The owner that a guard names in its attributes.
    Owner,
    /// The subject of a grant.
    Subject,
    /// The scope of a grant.
    Scope,
    /// The item of a grant's role.
    Role,
    /// The user of a membership.
    User,
    /// The group of a membership.
    Group,
    /// What an item is in. Only answers read it.
    Within,
    /// The role whose permissions a role has. Only answers read it.
    Inherits,
    /// The role that gets a permission. Only answers read it.
    Permits,
}

impl LinkRole {
    /// The word of the model, or the name of the edge's end.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Parent => "parent",
            Self::EdgeEnd(name) => name,
            Self::Owner => "owner",
            Self::Subject => "subject",
            Self::Scope => "scope",
            Self::Role => "role",
            Self::User => "user",
            Self::Group => "group",
            Self::Within => "within",
            Self::Inherits => "inherits",
            Self::Permits => "permits.role",
        }
    }

    /// Whether only answers read it: no item is deleted, found or in force because of it.
    #[must_use]
    pub const fn is_for_answers(&self) -> bool {
        matches!(self, Self::Within | Self::Inherits | Self::Permits)
    }

    /// Whether an item is deleted with what this leads to.
    #[must_use]
    pub const fn is_deleted_with(&self) -> bool {
        matches!(self, Self::Parent | Self::EdgeEnd(_) | Self::Owner)
    }
}

impl Link {
    /// Whether the other item finds its dependents. If not, they are left to a sweep.
    #[must_use]
    pub const fn leads_down(&self) -> bool {
        !matches!(self.find, ToDependents::Sweep)
    }
}

/// How an item finds the item that it depends on.
#[derive(Debug, Clone)]
pub enum ToParent {
    /// It knows all names of the other item's key.
    Key,
    /// It knows a partition of the table, and some of the names in the sort key: it queries the table
    /// itself, consistently. These queries together cover every spelling of the key.
    Partition(Vec<FindQuery>),
    /// It knows some: it queries an index, then confirms the result by a consistent read.
    Index {
        /// The index.
        index: usize,
        /// The index's partition value, over the names that [`Link::names`] gives.
        pk: Template,
        /// The beginning of the index's sort value, as far as it can be rendered. It is empty if no name
        /// is in it.
        sk_prefix: Template,
        /// Whether that is the whole sort value.
        sk_is_whole: bool,
    },
    /// No key and no index leads to the other item. If an item is needed, Instep notes its address under
    /// the names that the reference gives.
    Unknown,
}

/// One way to the dependents of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way<'a> {
    /// A query.
    Query(&'a FindQuery),
    /// A query for the back-references that Instep keeps.
    BackReference,
}

/// How Instep finds the dependents of an object.
#[derive(Debug, Clone)]
pub enum ToDependents {
    /// Queries that together cover every spelling of their keys.
    Queries(Vec<FindQuery>),
    /// The templates give no way: Instep keeps a back-reference to each under the object.
    BackReference,
    /// They are left to the sweep, because the model says so.
    Sweep,
}

/// A query for the dependents of an object, or for an object of which its dependents know a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindQuery {
    /// The index, or `None` for the table itself.
    pub index: Option<usize>,
    /// The partition, over the object's key names.
    pub pk: Template,
    /// The beginning of the sort keys: as much of the template as the names render that are known. It
    /// has only constants and names, and may be empty.
    pub sk_prefix: Template,
}

impl ToDependents {
    /// The queries. Back-references and the sweep have none.
    #[must_use]
    pub fn queries(&self) -> &[FindQuery] {
        match self {
            Self::Queries(queries) => queries,
            Self::BackReference | Self::Sweep => &[],
        }
    }

    /// The ways, in their order. The sweep is none.
    pub(crate) fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        let reference = matches!(self, Self::BackReference).then_some(Way::BackReference);
        self.queries().iter().map(Way::Query).chain(reference)
    }

    /// Whether an index shows some of the dependents. It may show them late.
    #[must_use]
    pub fn queries_index(&self) -> bool {
        self.queries().iter().any(|query| query.index.is_some())
    }
}
