//! How an item is found by names that need not be all of its key, or that its key does not have: whole keys, and queries of
//! the table or of an index.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::model::{Index, IndexKeys, ItemType, Key, KeyForm, Link, Model, Names, Object, TypeId};
use crate::template::Template;
use crate::value::Item;

/// How the items of a type that have some names are found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ways {
    /// The keys that the names give.
    pub keys: Vec<Key>,
    /// Queries for the spellings of the key that the names do not give. What an index returns has to be confirmed.
    pub queries: Vec<WayQuery>,
}

impl Ways {
    /// Whether nothing leads to such an item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.queries.is_empty()
    }
}

/// A query for items that have some names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayQuery {
    /// The index, or `None` for the table itself.
    pub index: Option<usize>,
    /// The partition's value.
    pub pk: String,
    /// The beginning of the sort key's value.
    pub sk_prefix: String,
    /// Whether that is the whole value.
    pub sk_is_whole: bool,
}

/// A query, and what makes it better than another one.
struct Candidate {
    /// The names that it uses: without those of a closed set, which tell little apart.
    uses: usize,
    query: WayQuery,
}

impl Model {
    /// How the items of a type that have these names are found. A value that no key has leads nowhere: no value can turn one
    /// key into another.
    #[must_use]
    pub fn ways_to_find(&self, of: TypeId, names: &Names) -> Ways {
        let ty = self.item(of);
        let (whole, partial): (Vec<&KeyForm>, Vec<&KeyForm>) =
            ty.forms.iter().partition(|form| form.names.iter().all(|name| names.contains_key(name)));
        let told: BTreeSet<&BTreeSet<String>> = whole.iter().map(|form| &form.names).collect();
        let object = |told: &BTreeSet<String>| Object {
            of,
            names: names
                .iter()
                .filter(|(name, _)| told.contains(*name))
                .map(|(name, text)| (name.clone(), text.clone()))
                .collect(),
        };
        let keys = told.into_iter().flat_map(|told| self.keys(&object(told)).unwrap_or_default()).collect();
        let queries = if partial.is_empty() { Vec::new() } else { self.best_queries(ty, names, &partial) };
        Ways { keys, queries }
    }

    /// The queries that use the most names: of the table before those of an index.
    fn best_queries(&self, ty: &ItemType, names: &Names, partial: &[&KeyForm]) -> Vec<WayQuery> {
        let in_table: Vec<Candidate> =
            partial.iter().filter_map(|form| self.candidate(ty, names, None, (&form.pk, Some(&form.sk)))).collect();
        let in_index = self.indexes.iter().enumerate().filter_map(|(place, index)| {
            let (pk, sk) = self.index_templates(ty, place, index)?;
            self.candidate(ty, names, Some(place), (&pk, sk.as_ref()))
        });
        let mut best_of_index: Option<Candidate> = None;
        for candidate in in_index {
            if best_of_index.as_ref().is_none_or(|best| candidate.uses > best.uses) {
                best_of_index = Some(candidate);
            }
        }
        let best_in_table = in_table.iter().map(|candidate| candidate.uses).max();
        match best_of_index {
            Some(by_index) if best_in_table.is_none_or(|uses| by_index.uses > uses) => vec![by_index.query],
            _ => {
                let mut queries: Vec<WayQuery> = Vec::new();
                for Candidate { query, .. } in in_table {
                    if !queries.contains(&query) {
                        queries.push(query);
                    }
                }
                queries
            }
        }
    }

    /// A query with these templates of keys. `None` if the names do not give the partition, or nothing of what is in it.
    fn candidate(
        &self,
        ty: &ItemType,
        names: &Names,
        index: Option<usize>,
        (pk, sk): (&Template, Option<&Template>),
    ) -> Option<Candidate> {
        let texts = self.texts(ty);
        let lookup = |name: &str| names.get(name).filter(|text| texts.check(name, text).is_ok());
        let partition = pk.render(&lookup).ok()?;
        let (sk_prefix, sk_is_whole) = sk.map_or((String::new(), false), |sk| sk.render_known(&lookup));
        let in_sort = sk.into_iter().flat_map(Template::names).take_while(|name| lookup(name).is_some());
        let used: BTreeSet<&str> = pk.names().chain(in_sort).collect();
        // What has the same partition for all items is no way to one of them, but for items of which there are few.
        let uses = used.iter().filter(|name| texts.values_of(name).is_none()).count();
        (!used.is_empty())
            .then_some(Candidate { uses, query: WayQuery { index, pk: partition, sk_prefix, sk_is_whole } })
    }

    /// The templates of an item type's keys in an index, if all its items have the same: its own ones, and those of the table's
    /// keys.
    fn index_templates(&self, ty: &ItemType, place: usize, index: &Index) -> Option<(Template, Option<Template>)> {
        let own: Option<&IndexKeys> = ty.index_keys.iter().find(|keys| keys.index == place);
        // A query reads one attribute: an item that has another spelling is not in the index.
        if index.has_spellings() && !own.is_some_and(|keys| keys.keep.writes()) {
            return None;
        }
        let of_table = |attributes: &[String]| -> Option<Option<Template>> {
            let part = |form: &KeyForm| match () {
                () if attributes.contains(&self.table.pk) => Some(form.pk.clone()),
                () if attributes.contains(&self.table.sk) => Some(form.sk.clone()),
                () => None,
            };
            let mut parts = ty.forms.iter().map(part);
            let first = parts.next()??;
            Some(parts.all(|other| other.as_ref() == Some(&first)).then_some(first))
        };
        let pk = match of_table(&index.pk) {
            Some(same) => same?,
            None => own?.pk.clone(),
        };
        let sk = match index.sk.as_deref() {
            None => None,
            Some(attributes) => match of_table(attributes) {
                Some(same) => same,
                None => Some(own?.sk.clone()?),
            },
        };
        Some((pk, sk))
    }

    /// The names that a reference of an item gives, as far as the item says them: `None` if the item has no such reference.
    /// `role` stands for the role in the reference to the item of a role.
    #[must_use]
    pub fn reference_names(
        &self,
        link: &Link,
        names: &Names,
        item: Option<&Item>,
        role: Option<&str>,
    ) -> Option<Names> {
        if !self.applies(link, names, item) {
            return None;
        }
        let lookup = self.lookup(link.from, names, item);
        let is_role = |name: &str| link.each.as_deref() == Some(name);
        let text = |name: &str| if is_role(name) { role.map(Cow::from) } else { lookup(name) };
        let said = link.names.iter();
        Some(said.filter_map(|(name, template)| Some((name.clone(), template.render(&text).ok()?))).collect())
    }

    /// Whether a key or an index key of an item type has a name.
    #[must_use]
    pub fn may_be_found_by(&self, of: TypeId, name: &str) -> bool {
        let ty = self.item(of);
        let in_index =
            |keys: &IndexKeys| keys.pk.names().chain(keys.sk.iter().flat_map(Template::names)).any(|own| own == name);
        ty.has_in_key(name) || ty.index_keys.iter().any(in_index)
    }

    /// The values that a text gives to the names of a template of `of`. `None` if the template cannot give this text.
    #[must_use]
    pub fn read_text(&self, of: TypeId, template: &Template, text: &str) -> Option<Names> {
        let mut bound = Names::new();
        self.texts(self.item(of)).read(template, text, &mut bound).then_some(bound)
    }
}
