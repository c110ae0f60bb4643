//! How the ids of an item type are written.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::ids::TypeId;
use super::item_type::ItemType;
use super::link::Link;

/// How the ids of an item type are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdForm {
    /// The names that its objects can have, in the order in which they are written.
    pub(crate) order: Vec<String>,
    /// Of these, those that no key has.
    pub(crate) beside: BTreeSet<String>,
    /// Whether the values are escaped: an id can have several names.
    pub(crate) is_escaped: bool,
    /// Whether a name that an object does not have leaves its place empty: two objects can have as many names, but not
    /// the same ones. No name has an empty value.
    pub(crate) has_places: bool,
}

impl IdForm {
    pub(crate) fn of(of: TypeId, item: &ItemType, links: &[Link]) -> Self {
        let mut order: Vec<String> = item.key_order().into_iter().map(str::to_owned).collect();
        let mut sets: BTreeSet<BTreeSet<&String>> = item.forms.iter().map(|form| form.names.iter().collect()).collect();
        // An item may know an object by a part of its key, or by names beside it.
        let links = || links.iter().filter(|link| link.to == of);
        let in_key = links().filter(|link| link.beside_key.is_empty());
        sets.extend(in_key.map(|link| link.names.keys().filter(|name| item.has_in_key(name)).collect()));
        let beside: BTreeSet<String> = links().flat_map(|link| &link.beside_key).cloned().collect();
        let sizes: BTreeSet<usize> = sets.iter().map(BTreeSet::len).collect();
        let has_places = sizes.len() < sets.len();
        let is_escaped = has_places || !beside.is_empty() || sizes.iter().any(|size| *size > 1);
        let more: Vec<String> = beside.iter().filter(|name| !order.contains(name)).cloned().collect();
        order.extend(more);
        Self { order, beside, is_escaped, has_places }
    }

    /// The names that have a value, joined. An object that is known by names beside its key leaves the places of those in
    /// the key empty, so that no other one has its text.
    pub(crate) fn text<'v>(&self, value: impl Fn(&str) -> Option<Cow<'v, str>>) -> String {
        let has_places = self.has_places || self.beside.iter().any(|name| value(name).is_some());
        let parts = self.order.iter().map(|name| value(name));
        let parts = parts.filter_map(|part| part.or_else(|| has_places.then_some(Cow::Borrowed(""))));
        parts.collect::<Vec<_>>().join("/")
    }
}
