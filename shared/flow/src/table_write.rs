//! The words of a write to the table: its conditions and its actions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use instep_model::{Item, Key, LinkId, TypeId, Value};

/// A condition on one item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Check {
    /// The item.
    pub key: Key,
    /// The condition.
    pub expect: Expect,
}

/// The maximum number of attributes in the condition of a write. An expression has at most 4 KB and 300
/// operators. Source: Amazon DynamoDB Developer Guide, "Service, account, and table quotas".
pub(crate) const CONDITION_ATTRIBUTES_MAX: usize = 100;

/// A condition on an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expect {
    /// Always true.
    Any,
    /// The item does not exist.
    Absent,
    /// The item exists.
    Present,
    /// The item exists, and these attributes have these values. `None`: it lacks the attribute.
    Like(BTreeMap<String, Option<Value>>),
}

/// One write.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Put the whole item.
    Put {
        /// Its key.
        key: Key,
        /// The item.
        item: Item,
        /// The condition on the item before.
        expect: Expect,
    },
    /// Delete the item.
    Delete {
        /// Its key.
        key: Key,
        /// The condition on the item before.
        expect: Expect,
    },
    /// Set attributes, and remove those without a value.
    Set {
        /// Its key.
        key: Key,
        /// The attributes.
        attributes: BTreeMap<String, Option<Value>>,
        /// The condition on the item before.
        expect: Expect,
    },
}

impl Action {
    /// The item that is written.
    #[must_use]
    pub const fn key(&self) -> &Key {
        match self {
            Self::Put { key, .. } | Self::Delete { key, .. } | Self::Set { key, .. } => key,
        }
    }
}

/// What is told of an effect and is no part of it: two effects that differ in nothing else are one, and are applied once.
#[derive(Debug, Default, Clone, Copy)]
pub struct Aside<T>(pub T);

impl<T> PartialEq for Aside<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Aside<T> {}

impl<T> PartialOrd for Aside<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Aside<T> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<T> Hash for Aside<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What of the model a write to the table follows from. It is made with every write, and only
/// [`because`](crate::reason::because) makes words of it: so it has positions in the model, and no text.
#[derive(Debug, Clone, Copy)]
pub enum WriteReason {
    /// What this link leads to was deleted, and an item goes with it.
    GoesWith(LinkId),
    /// The unique value of a guard of this type is free, and an owner has it.
    Claimed(TypeId),
    /// An owner has the value with a stronger claim than the holder.
    TakenOver(TypeId),
    /// An owner has the value of a guard that names no owner.
    Adopted(TypeId),
    /// The holder no longer has the value, and nobody claims it.
    Released(TypeId),
    /// Another owner holds the value.
    ClaimWaits(TypeId),
    /// An owner that waited has the value, or does not claim it any more.
    ClaimEnds(TypeId),
    /// An item of this type refers to something no longer.
    RefersNoMore(TypeId),
    /// An item of this type is found under these names no longer.
    AddressEnds(TypeId),
    /// An item of this type has a moment.
    HasMoment(TypeId),
    /// An item of this type has a moment no longer.
    HasNoMoment(TypeId),
    /// The time of a `due` rule of this type has come.
    Due(TypeId),
    /// The attributes of an index are not what the templates of this type make.
    IndexKeys(TypeId),
    /// A subject of this type has no grant any more.
    LastGrant(TypeId),
    /// A subject of this type has a grant after all.
    GrantAfterAll(TypeId),
    /// A subject of this type was written again.
    WrittenAgain(TypeId),
    /// The items of this type have groups on demand, and a parent of the group has to find it.
    GroupEntry(TypeId),
    /// An object of this type was deleted, and its groups on demand go with it.
    GroupsGo(TypeId),
}
