//! How the items that depend on an object are found: the query that a link's templates give.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Find, Item, Key, Link, LinkId, Model, Names, Object, Up};

use crate::bookkeeping::{self, Kind};
use crate::reads::Query;

/// Whether an object on which others depend exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It was deleted.
    Deleted,
    /// It exists.
    Present,
    /// It exists, and was deleted before.
    Restored,
}

/// The object as the items behind a link know it: with the names of its key that they hold.
#[must_use]
pub fn as_known(link: &Link, object: &Object) -> Object {
    let names = object.names.iter().filter(|(name, _)| link.names.contains_key(*name));
    Object { of: object.of, names: names.map(|(name, value)| (name.clone(), value.clone())).collect() }
}

/// The query that finds the items which depend on `object` through `link`; none where they are left to the sweep, or where the
/// object's names cannot be written into it.
#[must_use]
pub fn query(model: &Model, link: LinkId, object: &Object) -> Option<Query> {
    let link = model.link(link);
    let lookup = model.lookup(object.of, &object.names, None);
    match &link.find {
        Find::Partition { pk, sk_prefix } => Some(Query {
            index: None,
            pk_attribute: model.table.pk.clone(),
            pk: pk.render(&lookup).ok()?,
            sk_attribute: model.table.sk.clone(),
            sk_prefix: sk_prefix.render(&lookup).ok()?,
        }),
        Find::Index { index, pk, sk_prefix } => {
            let index = model.indexes.get(*index)?;
            Some(Query {
                index: Some(index.name.clone()),
                pk_attribute: index.pk.first()?.clone(),
                pk: pk.render(&lookup).ok()?,
                sk_attribute: index.sk.as_ref().and_then(|sk| sk.first()).cloned().unwrap_or_default(),
                sk_prefix: sk_prefix.render(&lookup).ok()?,
            })
        }
        Find::BackReference => Some(Query {
            index: None,
            pk_attribute: model.table.pk.clone(),
            pk: bookkeeping::partition(model, Kind::Reference, &as_known(link, object)),
            sk_attribute: model.table.sk.clone(),
            sk_prefix: format!("{}/", model.item(link.from).name),
        }),
        Find::Sweep => None,
    }
}

/// Whether the dependents behind a link are reconciled when the object that it leads to was deleted, created or restored.
#[must_use]
pub fn follows(model: &Model, link: &Link, presence: Presence) -> bool {
    match presence {
        Presence::Deleted => link.goes,
        Presence::Present => link.needed,
        Presence::Restored => link.needed || mutes(model, link),
    }
}

/// Whether an item grants nothing while the object that it is linked to is known to be deleted, though the object need not exist.
#[must_use]
pub fn mutes(model: &Model, link: &Link) -> bool {
    link.goes && !link.needed && model.item(link.from).member.is_some()
}

/// Tombstones that say whether an object that exists was deleted before, where that matters to its dependents.
#[must_use]
pub fn muting_tombstones(model: &Model, object: &Object) -> BTreeSet<Key> {
    let links = model.links_to(object.of).filter(|(_, link)| mutes(model, link));
    let known = links.map(|(_, link)| as_known(link, object));
    known.map(|known| bookkeeping::tombstone_key(model, &known)).collect()
}

/// The query that finds what `link` leads to by the names that [`Model::link_target`] gives, where those are not all of a key.
#[must_use]
pub fn up(model: &Model, link: LinkId, names: &Names) -> Option<Query> {
    let Up::Index { index, pk, sk } = &model.link(link).up else { return None };
    let lookup = |name: &str| names.get(name).cloned();
    let index = model.index_at(*index);
    Some(Query {
        index: Some(index.name.clone()),
        pk_attribute: index.pk.first()?.clone(),
        pk: pk.render(&lookup).ok()?,
        sk_attribute: index.sk.as_ref().and_then(|sk| sk.first()).cloned().unwrap_or_default(),
        sk_prefix: sk.as_ref().and_then(|sk| sk.render(&lookup).ok()).unwrap_or_default(),
    })
}

/// The tombstones of an object: one for each set of names under which dependents know it, with those names.
#[must_use]
pub fn tombstones(model: &Model, object: &Object) -> BTreeMap<Key, Object> {
    let links = model.links_to(object.of).filter(|(_, link)| link.goes);
    let known = links.map(|(_, link)| as_known(link, object)).chain([object.clone()]);
    known.map(|known| (bookkeeping::tombstone_key(model, &known), known)).collect()
}

/// Whether the items behind a link are found through an index.
#[must_use]
pub const fn finds_by_index(link: &Link) -> bool {
    matches!(link.find, Find::Index { .. })
}

/// Whether an index says which item a link leads to.
#[must_use]
pub const fn leads_by_index(link: &Link) -> bool {
    matches!(link.up, Up::Index { .. })
}

/// The pending claims of a guard.
#[must_use]
pub fn claims(model: &Model, guard: &Object) -> Query {
    Query {
        index: None,
        pk_attribute: model.table.pk.clone(),
        pk: bookkeeping::partition(model, Kind::Claim, guard),
        sk_attribute: model.table.sk.clone(),
        sk_prefix: String::new(),
    }
}

/// What a row of the table is; none for what the model does not describe.
#[must_use]
pub fn identify(model: &Model, row: &Item) -> Option<(Key, Object)> {
    let key = model.table.key_of(row)?;
    match model.identify(&key) {
        instep_model::Identity::Item { object, .. } => Some((key, object)),
        instep_model::Identity::Bookkeeping | instep_model::Identity::Unknown { .. } => None,
    }
}

/// The object behind a row of a link's query: of a back-reference the item that refers. `None` for what the model does not describe.
#[must_use]
pub fn dependent(model: &Model, link: LinkId, row: &Item) -> Option<Object> {
    match model.link(link).find {
        Find::BackReference => bookkeeping::object(model, row),
        Find::Partition { .. } | Find::Index { .. } | Find::Sweep => identify(model, row).map(|(_, object)| object),
    }
}

/// How the item under a key is called in reports: its type and id; of a secret one the type only.
#[must_use]
pub fn label(model: &Model, key: &Key) -> String {
    match model.identify(key) {
        instep_model::Identity::Item { object, .. } => label_of(model, &object),
        instep_model::Identity::Bookkeeping => "bookkeeping item".to_owned(),
        instep_model::Identity::Unknown { .. } => "item of no known type".to_owned(),
    }
}

/// How an object is called in reports.
#[must_use]
pub fn label_of(model: &Model, object: &Object) -> String {
    let ty = model.item(object.of);
    if ty.secret { ty.name.clone() } else { format!("{} {}", ty.name, model.id_text(object)) }
}
