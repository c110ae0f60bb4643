//! What one pass over a question knows: it finds items in what was read, and asks for the rest.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use instep_flow::answers::{Query, View};
use instep_flow::known::Unread;
use instep_model::{Item, Key, Link, Model, Names, Object, TypeId, WayQuery};
use jiff::Timestamp;

use crate::question::label;

/// Why a pass has no value yet, or never will.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EvaluationStop {
    /// Something must be read first.
    Unread,
    /// There is more to read than one question may.
    Undecided,
}

impl From<Unread> for EvaluationStop {
    fn from(_: Unread) -> Self {
        Self::Unread
    }
}

pub(crate) type Read<T> = Result<T, EvaluationStop>;

/// The values of all elements. Every element is asked, also after one that is unread: one round reads all.
pub(crate) fn each<T, R, C: FromIterator<R>>(
    of: impl IntoIterator<Item = T>,
    value: impl FnMut(T) -> Read<R>,
) -> Read<C> {
    let values: Vec<Read<R>> = of.into_iter().map(value).collect();
    match values.iter().filter_map(|value| value.as_ref().err()).min() {
        Some(stop) => Err(*stop),
        None => values.into_iter().collect(),
    }
}

/// A key, and the item that the table has there.
type Row<'a> = (Key, Option<&'a Item>);

/// An item that was found, read strongly consistently.
#[derive(Debug, Clone)]
pub(crate) struct FoundItem<'a> {
    pub(crate) object: Object,
    /// `None` if the model assumes that it exists and it has no item.
    pub(crate) key: Option<Key>,
    pub(crate) item: Cow<'a, Item>,
}

/// One pass over a question.
pub(crate) struct Evaluation<'v, 'a> {
    pub(crate) view: &'v mut View<'a>,
    pub(crate) model: &'a Model,
    pub(crate) now: Timestamp,
}

impl<'a> Evaluation<'_, 'a> {
    /// The items of a type that have these names, one of each object.
    pub(crate) fn find(&mut self, of: TypeId, names: &Names) -> Read<Vec<FoundItem<'a>>> {
        let mut single: BTreeMap<Object, FoundItem<'a>> = BTreeMap::new();
        for found in self.find_each(of, names)? {
            single.entry(found.object.clone()).or_insert(found);
        }
        Ok(single.into_values().collect())
    }

    /// The items of a type that have these names: an object may have one under each spelling of its key. An index only finds
    /// keys: each item is read from the table.
    ///
    /// INVARIANT 2: what an index shows and the table does not have is not found.
    pub(crate) fn find_each(&mut self, of: TypeId, names: &Names) -> Read<Vec<FoundItem<'a>>> {
        let ways = self.model.ways_to_find(of, names);
        let direct = each(&ways.keys, |key| Ok((key.clone(), self.view.item(key)?)));
        let rows: Read<Vec<Vec<Row<'a>>>> = each(&ways.queries, |way| self.rows(way));
        let (direct, rows): (Vec<_>, _) = (direct?, rows?);
        let mut seen = BTreeSet::new();
        let keyed = direct.into_iter().chain(rows.into_iter().flatten()).filter(|(key, _)| seen.insert(key.clone()));
        let found = keyed.filter_map(|(key, item)| self.as_found(of, key, item?));
        Ok(found.filter(|found| self.agrees(found, names)).collect())
    }

    /// The item of an object, if it is one of this type, under its canonical key.
    pub(crate) fn as_found(&self, of: TypeId, key: Key, item: &'a Item) -> Option<FoundItem<'a>> {
        let instep_model::Identity::Item { object, canonical: true } = self.model.identify(&key) else { return None };
        (object.of == of).then_some(FoundItem { object, key: Some(key), item: Cow::Borrowed(item) })
    }

    /// Whether no name of an item has another value.
    pub(crate) fn agrees(&self, found: &FoundItem<'_>, names: &Names) -> bool {
        names.iter().all(|(name, text)| {
            let own = self.value(found, name);
            own.is_none_or(|own| *own == self.model.as_in_key(found.object.of, name, text))
        })
    }

    /// The value of a name of an item.
    pub(crate) fn value<'f>(&self, found: &'f FoundItem<'_>, name: &str) -> Option<Cow<'f, str>>
    where
        'a: 'f,
    {
        self.model.lookup(found.object.of, &found.object.names, Some(&found.item))(name)
    }

    /// The rows of a query: those of an index are confirmed.
    fn rows(&mut self, way: &WayQuery) -> Read<Vec<Row<'a>>> {
        let rows = self.rows_of(&self.query(way))?;
        let keyed = rows.iter().filter_map(|row| Some((self.model.table.key_of(row)?, row)));
        let keyed: Vec<(Key, &'a Item)> = keyed.collect();
        each(keyed, |(key, row)| {
            let item = if way.index.is_some() { self.view.item(&key)? } else { Some(row) };
            Ok((key, item))
        })
    }

    /// All rows of a query.
    pub(crate) fn rows_of(&mut self, query: &Query) -> Read<&'a [Item]> {
        let rows = self.view.rows(query)?;
        if self.view.is_cut(query) { Err(EvaluationStop::Undecided) } else { Ok(rows) }
    }

    /// The objects that an index shows, whether they exist or not: what is likely to be read next.
    pub(crate) fn shown(&mut self, of: TypeId, names: &Names) -> Vec<Object> {
        let ways = self.model.ways_to_find(of, names);
        let rows: Vec<&Item> =
            ways.queries.iter().filter_map(|way| self.view.rows(&self.query(way)).ok()).flatten().collect();
        let keys = rows.into_iter().filter_map(|row| instep_flow::queries::identify(self.model, row));
        keys.map(|(_, object)| object).filter(|object| object.of == of).collect()
    }

    fn query(&self, WayQuery { index, pk, sk_prefix, sk_is_whole }: &WayQuery) -> Query {
        let (sk_prefix, sk_is_whole) = (sk_prefix.clone(), *sk_is_whole);
        Query { sk_prefix, sk_is_whole, ..Query::of_partition(self.model, *index, pk.clone()) }
    }

    /// The names of what a reference of an item leads to. `gaps` fill in what the item does not say, and never replace what it
    /// says.
    pub(crate) fn names_at(
        &self,
        link: &Link,
        from: &FoundItem<'_>,
        role: Option<&str>,
        gaps: &Names,
    ) -> Option<Names> {
        let item = from.key.is_some().then_some(&*from.item);
        let said = self.model.reference_names(link, &from.object.names, item, role)?;
        let fits = gaps.iter().filter(|(name, _)| self.model.may_be_found_by(link.to, name));
        let mut names: Names = fits.map(|(name, text)| (name.clone(), text.clone())).collect();
        names.extend(said);
        (!names.is_empty()).then_some(names)
    }

    /// What a reference of an item leads to.
    pub(crate) fn at(
        &mut self,
        link: &Link,
        from: &FoundItem<'_>,
        role: Option<&str>,
        gaps: &Names,
    ) -> Read<Option<Vec<FoundItem<'a>>>> {
        let Some(names) = self.names_at(link, from, role, gaps) else { return Ok(None) };
        let mut found = self.find(link.to, &names)?;
        // A constant that a reference gives is one that the item has.
        let constants = link.names.iter().filter(|(_, template)| template.names().next().is_none());
        let constants: Vec<(&String, &str)> = constants.map(|(name, template)| (name, template.source())).collect();
        found.retain(|found| {
            constants.iter().all(|(name, text)| self.value(found, name).is_some_and(|value| value == *text))
        });
        if found.is_empty() {
            found.extend(self.assumed(link.to, &names));
        }
        Ok(Some(found))
    }

    /// The object with these names, if the model assumes that it exists.
    pub(crate) fn assumed(&self, of: TypeId, names: &Names) -> Option<FoundItem<'a>> {
        let object = self.model.object_named(of, names)?;
        let exists = self.model.item(of).exists_without_item(&object.names);
        exists.then(|| FoundItem { object, key: None, item: Cow::Owned(Item::new()) })
    }

    /// Whether a reference of an item leads to another one.
    pub(crate) fn leads_to(&self, link: &Link, from: &FoundItem<'_>, to: &FoundItem<'_>) -> bool {
        let item = from.key.is_some().then_some(&*from.item);
        let Some(names) = self.model.reference_names(link, &from.object.names, item, None) else { return false };
        link.to == to.object.of && !names.is_empty() && self.agrees(to, &names)
    }

    /// Whether a reference that leads to an item leads to no other one: it may give only a part of the key.
    pub(crate) fn leads_to_one(
        &mut self,
        link: &Link,
        from: &FoundItem<'a>,
        to: &FoundItem<'a>,
        gaps: &Names,
    ) -> Read<bool> {
        let names = self.names_at(link, from, None, gaps).unwrap_or_default();
        let is_whole = to.object.names.keys().all(|name| names.contains_key(name));
        // What nothing leads to has only this way.
        if is_whole || self.model.ways_to_find(link.to, &names).is_empty() {
            return Ok(true);
        }
        let found = self.at(link, from, None, gaps)?.unwrap_or_default();
        Ok(found.iter().all(|found| found.object == to.object))
    }

    /// The name of an item in answers.
    pub(crate) fn label(&self, found: &FoundItem<'_>) -> String {
        label(self.model, &found.object, Some(&found.item))
    }
}
