//! The words of a write to the table: its conditions and its actions.

use std::collections::BTreeMap;

use instep_model::{Item, Key, Value};

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
