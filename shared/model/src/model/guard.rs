//! Guards: items that reserve unique values.

use std::collections::BTreeMap;

use super::condition::Condition;
use super::ids::{LinkId, TypeId};
use crate::template::Template;

/// An item whose existence reserves a unique value for its owner.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The owner's type.
    pub owner: TypeId,
    /// The attribute of the guard for each key name of the owner: (key name, attribute).
    pub owner_attributes: Vec<(String, String)>,
    /// The link to the owner that these attributes name, if a deleted owner finds its guards by more than its claims.
    pub owner_link: Option<LinkId>,
    /// The unique values of an owner. Empty if writers alone make the guards.
    pub claims: Vec<Claim>,
    /// What Instep writes to a guard beside its key, its type and its owner.
    pub writes: Vec<(String, Template)>,
}

/// One unique value of an owner.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The claim exists for owners for which this holds.
    pub when: Condition,
    /// The guard's key names, each a template over the owner's names and attributes. An owner
    /// without a value for one of them claims nothing.
    pub names: BTreeMap<String, Template>,
    /// A claimant for which this holds takes the value from a holder for which it does not.
    pub transfer: Option<Condition>,
}
