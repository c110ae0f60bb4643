//! The part of an item that a run reads: what effects depend on, and what makes the item invalid.
//!
//! INVARIANT 8: a batch may delete many parents, each with a page of children of up to 400 KB. Whole items
//! would not fit into the memory of a function.

use std::collections::{BTreeSet, HashMap};

use instep_flow::bookkeeping;
use instep_flow::implied::attributes_read_of_others;
use instep_flow::plan::Plan;
use instep_model::{Identity, Key, Link, Model, Subject, TypeId};

/// The maximum bytes of an expression. Source: Amazon DynamoDB Developer Guide, "Service, account, and table
/// quotas".
const EXPRESSION_BYTES_MAX: usize = 4_096;

/// A list of attributes to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Projection {
    pub(crate) expression: String,
    /// The attribute of each placeholder.
    pub(crate) names: HashMap<String, String>,
}

/// What is read of the items of a table.
#[derive(Debug)]
pub(crate) struct Projections {
    /// Of an item, and of a row of a query of the table. `None` if these are too many to list: then the whole item.
    /// A row of a query may be a part: no item may be put from it.
    pub(crate) of_item: Option<Projection>,
    /// Of a row of an index: the item itself is read by its key.
    pub(crate) of_index: Option<Projection>,
    /// The item types of which a part is read.
    types: BTreeSet<TypeId>,
}

impl Projections {
    /// What is read of the items of a model's table.
    pub(crate) fn of(model: &Model) -> Self {
        let types = || (0..model.items.len()).map(TypeId);
        let keys = [model.table.pk.clone(), model.table.sk.clone()];
        let mut needed = attributes_read_of_others(model);
        needed.extend(keys.clone());
        // Of a bookkeeping item, this is all that it has.
        needed.insert(bookkeeping::FIELDS.to_owned());
        let of_item = projection(&needed);
        let is_partly = |of: &TypeId| !is_whole(model, *of);
        let types = if of_item.is_some() { types().filter(is_partly).collect() } else { BTreeSet::new() };
        Self { of_item, of_index: projection(&keys.into()), types }
    }

    /// Whether of the item under a key a part is read, by a run over a batch that names the objects of `plan`. Of
    /// these, and of a bookkeeping item, all is read: a run may publish them, or compare them with a record.
    pub(crate) fn has_part(&self, model: &Model, own: &BTreeSet<Key>, key: &Key) -> bool {
        if self.types.is_empty() || own.contains(key) {
            return false;
        }
        match model.identify(key) {
            Identity::Item { object, .. } => self.types.contains(&object.of),
            Identity::Bookkeeping | Identity::Unknown { .. } => false,
        }
    }
}

/// The keys of the objects that a plan names.
pub(crate) fn own_keys(model: &Model, plan: &Plan) -> BTreeSet<Key> {
    plan.objects.keys().flat_map(|object| model.keys(object).unwrap_or_default()).collect()
}

/// Whether items of a type are read whole. Instep may write a guard again, and a tombstone keeps the whole item of
/// a subject whose last grant is revoked.
fn is_whole(model: &Model, of: TypeId) -> bool {
    let leads_here = |link: &Link| link.to == of;
    let keeps = |subject: &Subject| matches!(subject, Subject::Link(link) if leads_here(model.link(*link)));
    let mut grants = model.items.iter().filter_map(|ty| ty.grant.as_ref());
    model.item(of).guard.is_some() || grants.any(|grant| grant.last.is_some() && keeps(&grant.subject))
}

fn projection(attributes: &BTreeSet<String>) -> Option<Projection> {
    let place = |at: usize| format!("#a{at}");
    let expression = (0..attributes.len()).map(place).collect::<Vec<_>>().join(",");
    let names = attributes.iter().enumerate().map(|(at, name)| (place(at), name.clone())).collect();
    (expression.len() <= EXPRESSION_BYTES_MAX).then_some(Projection { expression, names })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 8: a list of attributes that DynamoDB would refuse is not sent.
    #[test]
    fn too_many_attributes_are_not_listed() {
        let names = |count: usize| (0..count).map(|name| name.to_string()).collect::<BTreeSet<_>>();
        assert!(projection(&names(600)).is_some_and(|all| all.names.len() == 600));
        assert_eq!(projection(&names(2_000)), None);
    }
}
