//! Objects of whose key the items that refer to them contain only some names.

use std::collections::BTreeSet;

use instep_model::{Link, Model, Object};

/// The object with only those names of its key that the items at the other end of the link contain.
#[must_use]
pub fn as_known(link: &Link, object: &Object) -> Object {
    let names = object.names.iter().filter(|(name, _)| link.names.contains_key(*name));
    Object { of: object.of, names: names.map(|(name, value)| (name.clone(), value.clone())).collect() }
}

/// Whether the items at the other end of the link contain only some names of the object's key.
pub(crate) fn is_partly_known(link: &Link, object: &Object) -> bool {
    object.names.keys().any(|name| !link.names.contains_key(name))
}

/// The names under which the address of an object is noted, for the items that need it and know no more.
#[must_use]
pub fn addressed(model: &Model, object: &Object) -> BTreeSet<Object> {
    let links = model.links_to(object.of).filter(|(_, link)| model.has_addresses(link));
    links.map(|(_, link)| as_known(link, object)).collect()
}
