//! From an item to the items that it depends on: names, links, and the values that templates take
//! from an item.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::changes::link_text;
use crate::matching::listed;
use crate::model::{
    Index, ItemType, Keep, KeyForm, Link, LinkId, Model, Names, Object, ToDependents, ToParent, TypeId, Way,
};
use crate::path::{attribute_of, first_value, value_at};
use crate::template::{Template, base};
use crate::value::{Item, Value};

/// What of an item decides the value of a name.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Sources {
    /// Attributes, or paths into them, that contain it.
    pub paths: BTreeSet<String>,
    /// Key attributes of indexes, whose templates contain it.
    pub attributes: BTreeSet<String>,
}

impl Model {
    /// Whether Instep notes under which keys the items are that a link leads to: no key and no index leads
    /// to them, and an item needs one of them by the same names.
    #[must_use]
    pub fn has_addresses(&self, link: &Link) -> bool {
        let is_alike = |other: &Link| {
            other.needed && matches!(other.up, ToParent::Unknown) && link.names.keys().eq(other.names.keys())
        };
        matches!(link.up, ToParent::Unknown) && self.links_to(link.to).any(|(_, other)| is_alike(other))
    }

    /// The item type with this name, or with this former name.
    #[must_use]
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        let is_it = |item: &ItemType| item.name == name || item.formerly.as_deref() == Some(name);
        self.items.iter().position(is_it).map(TypeId)
    }

    /// An item type.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "a `TypeId` is a place in the `items` of the model that gave it out")]
    pub fn item(&self, of: TypeId) -> &ItemType {
        &self.items[of.0]
    }

    /// The item types that items have: without that of values by which items name people who sign up.
    pub fn with_keys(&self) -> impl Iterator<Item = &ItemType> {
        self.items.iter().filter(|item| item.user_value.is_none())
    }

    /// The item types.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &ItemType)> {
        self.items.iter().enumerate().map(|(place, ty)| (TypeId(place), ty))
    }

    /// A link.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "a `LinkId` is a place in the `links` of the model that gave it out")]
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.0]
    }

    /// An index, by the position that [`crate::IndexKeys`], [`crate::ToParent`] and [`crate::ToDependents`] give.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "these places are only made by the loader, from `indexes`")]
    pub fn index_at(&self, index: usize) -> &Index {
        &self.indexes[index]
    }

    /// A short text for a query over a link. It is the same wherever the link stands in the model,
    /// and another if the link or the query is another.
    #[must_use]
    pub fn query_name(&self, id: LinkId, nth: usize) -> String {
        let query = self.ways(id).nth(nth).map(|way| match way {
            Way::Query(query) => {
                let index = query.index.map(|index| self.index_at(index).name.as_str()).unwrap_or_default();
                format!("{index} {} / {}", query.pk, query.sk_prefix)
            }
            Way::BackReference => "back-references".to_owned(),
        });
        format!("{} by {}", link_text(self, self.link(id)), query.unwrap_or_default())
    }

    /// The ways to the dependents of a link. Those of former models come last.
    pub fn ways(&self, id: LinkId) -> impl Iterator<Item = Way<'_>> {
        let former = self.derived.former_ways.get(&id).into_iter().flatten();
        [&self.link(id).find].into_iter().chain(former).flat_map(ToDependents::ways)
    }

    /// The indexes that are queried, by place in the model.
    pub fn queried_indexes(&self) -> impl Iterator<Item = usize> {
        self.links.iter().flat_map(|link| {
            let down = link.find.queries().iter().filter_map(|query| query.index);
            let up = if let ToParent::Index { index, .. } = link.up { Some(index) } else { None };
            down.chain(up)
        })
    }

    /// The links from items of this type to what they depend on.
    pub fn links_from(&self, of: TypeId) -> impl Iterator<Item = (LinkId, &Link)> {
        let ids = self.derived.links_from.get(of.0).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|id| (*id, self.link(*id)))
    }

    /// The links from dependents to items of this type.
    pub fn links_to(&self, of: TypeId) -> impl Iterator<Item = (LinkId, &Link)> {
        let ids = self.derived.links_to.get(of.0).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|id| (*id, self.link(*id)))
    }

    /// The values that templates take from an item, in this order: names in its key; names inside
    /// those that have a shape; attributes; names inside those that have a shape; names in index
    /// keys that give names ([`Keep::gives_names`]), and names inside those. Empty values count as absent.
    pub fn lookup<'a>(
        &'a self,
        of: TypeId,
        names: &'a Names,
        item: Option<&'a Item>,
    ) -> impl Fn(&str) -> Option<Cow<'a, str>> {
        move |name| self.text(of, names, item, Keep::gives_names, name)
    }

    /// The text of an index key that follows from the rest of an item: from all that [`Model::lookup`] reads but the index
    /// keys that Instep writes. `None` if a name has no value, or one that would be read back as another.
    #[must_use]
    pub fn index_key(&self, of: TypeId, names: &Names, item: &Item, template: &Template) -> Option<String> {
        let texts = self.texts(self.item(of));
        let lookup = |name: &str| self.text(of, names, Some(item), |keep| !keep.writes(), name);
        template.render(&|name| lookup(name).filter(|text| texts.check(name, text).is_ok())).ok()
    }

    /// `gives_names`: whether the keys of an index that Instep keeps so are read.
    fn text<'a>(
        &'a self,
        of: TypeId,
        names: &'a Names,
        item: Option<&'a Item>,
        gives_names: fn(Keep) -> bool,
        name: &str,
    ) -> Option<Cow<'a, str>> {
        let text = self.said(of, names, item, name).or_else(|| self.text_in_index(of, names, item?, gives_names, name));
        text.filter(|text| !text.is_empty())
    }

    /// The text of a name in the key and the attributes. It is empty if the attribute that counts is no text: nothing
    /// else counts then.
    fn said<'a>(&'a self, of: TypeId, names: &'a Names, item: Option<&'a Item>, name: &str) -> Option<Cow<'a, str>> {
        let bound = names.get(name).filter(|text| !text.is_empty()).map(Cow::from);
        let within = |item: Option<&'a Item>| self.inside(of, name, &|outer| self.said(of, names, item, outer));
        let in_key = bound.or_else(|| within(None));
        in_key.or_else(|| self.in_attribute(item?, name)).or_else(|| within(Some(item?)))
    }

    /// The text of the attribute of a name. If the model lists several, the first that is not empty counts.
    fn in_attribute<'i>(&self, item: &'i Item, name: &str) -> Option<Cow<'i, str>> {
        match self.listed_attributes(name) {
            Some(listed) => counting(item, listed).map(|(_, value)| value.to_text().unwrap_or_default()),
            // Something else may only have the name's name.
            None => text_of(value_at(item, name)),
        }
    }

    /// A name that the shape of another name binds: `resourceId` in the value of `urn`.
    fn inside<'a>(
        &self,
        of: TypeId,
        name: &str,
        outer_text: &dyn Fn(&str) -> Option<Cow<'a, str>>,
    ) -> Option<Cow<'a, str>> {
        let texts = self.texts(self.item(of));
        // This ends: the loader refuses shapes that contain themselves.
        let text =
            texts.outers(name).iter().find_map(|outer| texts.inner(outer, &outer_text(outer)?)?.remove(base(name)));
        text.map(Cow::Owned)
    }

    /// The attribute that counts for a name of an item and is no text, with what it contains.
    #[must_use]
    pub fn no_text<'i>(&self, of: TypeId, names: &Names, item: &'i Item, name: &str) -> Option<(String, &'i Value)> {
        if self.said(of, names, None, name).is_some() {
            return None;
        }
        match counting(item, &self.attributes_of(name)) {
            Some((path, value)) => value.to_text().is_none().then(|| (path.clone(), value)),
            None => {
                let outers = self.texts(self.item(of)).outers(name);
                outers.iter().find_map(|outer| self.no_text(of, names, item, outer))
            }
        }
    }

    /// A name that an index attribute contains.
    fn text_in_index<'a>(
        &'a self,
        of: TypeId,
        names: &'a Names,
        item: &'a Item,
        gives_names: fn(Keep) -> bool,
        name: &str,
    ) -> Option<Cow<'a, str>> {
        let texts = self.texts(self.item(of));
        let direct = self.item(of).index_keys.iter().filter(|keys| gives_names(keys.keep)).find_map(|keys| {
            let index = self.index_at(keys.index);
            let sk = index.sk.as_ref().zip(keys.sk.as_ref());
            [(&index.pk, &keys.pk)]
                .into_iter()
                .chain(sk)
                .filter(|(_, template)| template.names().any(|own| own == name))
                .find_map(|(attributes, template)| {
                    let text = attributes.iter().find_map(|attribute| text_of(item.get(attribute)))?;
                    let mut bound = Names::new();
                    texts.read(template, &text, &mut bound).then(|| bound.remove(name)).flatten()
                })
        });
        let text = |outer: &str| self.text(of, names, Some(item), gives_names, outer);
        direct.map(Cow::Owned).or_else(|| self.inside(of, name, &text))
    }

    /// The whole attributes that decide the value of a name that the key does not bind. [`Model::lookup`]
    /// reads these.
    #[must_use]
    pub fn sources(&self, of: TypeId, names: &Names, name: &str) -> BTreeSet<String> {
        let Sources { paths, attributes } = self.source_paths(of, names, name);
        paths.iter().map(|path| attribute_of(path).to_owned()).chain(attributes).collect()
    }

    /// As [`Model::sources`], and of each attribute only the part that counts.
    #[must_use]
    pub fn source_paths(&self, of: TypeId, names: &Names, name: &str) -> Sources {
        let mut sources = Sources::default();
        if self.said(of, names, None, name).is_some_and(|text| !text.is_empty()) {
            return sources;
        }
        for outer in self.texts(self.item(of)).outers(name) {
            let Sources { paths, attributes } = self.source_paths(of, names, &outer);
            sources.paths.extend(paths);
            sources.attributes.extend(attributes);
        }
        sources.paths.extend(self.attributes_of(name));
        for keys in self.item(of).index_keys.iter().filter(|keys| keys.keep.gives_names()) {
            let index = self.index_at(keys.index);
            let parts = [Some((&index.pk, &keys.pk)), index.sk.as_ref().zip(keys.sk.as_ref())];
            let holding = parts.into_iter().flatten().filter(|(_, template)| template.names().any(|own| own == name));
            sources.attributes.extend(holding.flat_map(|(attributes, _)| attributes.iter().cloned()));
        }
        sources
    }

    /// The attributes, or paths, that contain a name if no key does, first spelling first.
    #[must_use]
    pub fn attributes_of(&self, name: &str) -> Vec<String> {
        self.listed_attributes(name).map_or_else(|| vec![name.to_owned()], <[String]>::to_vec)
    }

    /// The same, if the model lists them: an attribute that only has the name's name may be something else.
    #[must_use]
    pub fn listed_attributes(&self, name: &str) -> Option<&[String]> {
        listed(&self.names, name)
    }

    /// The attributes, or paths, that contain a name if no key does, and those of the names whose shapes contain it.
    #[must_use]
    pub fn paths_with(&self, of: TypeId, name: &str) -> BTreeSet<String> {
        let outers = self.texts(self.item(of)).outers(name);
        let within = outers.iter().flat_map(|outer| self.paths_with(of, outer));
        self.attributes_of(name).into_iter().chain(within).collect()
    }

    /// The attributes of an item type whose values are in the keys of items of another one: of a guard that it
    /// claims, or of what it refers to.
    #[must_use]
    pub fn attributes_in_keys_of(&self, of: TypeId, other: TypeId) -> BTreeSet<String> {
        let guard = self.item(other).guard.as_ref().filter(|guard| guard.owner == of);
        let claims = guard.iter().flat_map(|guard| &guard.claims).flat_map(|claim| claim.names.values());
        let links = self.links_from(of).filter(|(_, link)| link.to == other);
        let names = claims.chain(links.flat_map(|(_, link)| link.names.values())).flat_map(Template::names);
        let unbound = names.filter(|name| !self.item(of).forms.iter().all(|form| form.names.contains(*name)));
        unbound.flat_map(|name| self.paths_with(of, name)).map(|path| attribute_of(&path).to_owned()).collect()
    }

    /// Whether what a link leads to need not exist: the grant that refers to it is in force without it.
    #[must_use]
    pub fn is_optional(&self, link: &Link) -> bool {
        self.item(link.from).grant.is_some() && !link.needed
    }

    /// Whether the keys of a form give a name: by itself, or inside a name with a shape.
    #[must_use]
    pub fn is_given(&self, of: TypeId, form: &KeyForm, name: &str) -> bool {
        self.texts(self.item(of)).is_given(&|own| form.names.contains(own), name)
    }

    /// The closed set of a name for one item type. Empty if it has none.
    #[must_use]
    pub fn closed_set(&self, of: TypeId, name: &str) -> &[String] {
        self.texts(self.item(of)).values_of(name).unwrap_or_default()
    }

    /// The key names of the item that a link leads to. If [`Link::up`] is not
    /// [`ToParent::Key`](crate::ToParent::Key), some are missing. If it is [`ToParent::Index`](crate::ToParent::Index), the
    /// other names that its templates take are added. `None` if the link leads to no item. Of a
    /// link with a list, that of the first text.
    #[must_use]
    pub fn link_target(&self, link: &Link, names: &Names, item: Option<&Item>) -> Option<Names> {
        self.link_targets(link, names, item).into_iter().next()
    }

    /// The key names of the items that a link leads to: of one, or of one for each text of a list.
    #[must_use]
    pub fn link_targets(&self, link: &Link, names: &Names, item: Option<&Item>) -> Vec<Names> {
        if !self.applies(link, names, item) {
            return Vec::new();
        }
        if self.is_of_owner(link) {
            return item.and_then(|item| self.owner_names(link.from, item)).into_iter().collect();
        }
        let lookup = self.lookup(link.from, names, item);
        let Some(each) = &link.each else { return self.target_names(link, &lookup).into_iter().collect() };
        let texts = self.list(each, item).unwrap_or_default();
        texts.iter().filter_map(|text| self.link_target_of(link, names, item, text)).collect()
    }

    /// Whether a link leads from a guard to the owner that its attributes name.
    #[must_use]
    pub fn is_of_owner(&self, link: &Link) -> bool {
        let id = self.item(link.from).guard.as_ref().and_then(|guard| guard.owner_link);
        id.is_some_and(|id| std::ptr::eq(self.link(id), link))
    }

    /// The names in the key of the owner that a guard names. Only its attributes count, also for a name that is in
    /// its own key. An empty value counts as absent.
    #[must_use]
    pub fn owner_names(&self, of: TypeId, item: &Item) -> Option<Names> {
        let guard = self.item(of).guard.as_ref()?;
        let there = |attribute: &str| item.get(attribute)?.to_text().filter(|text| !text.is_empty());
        let text = |name: &str, attribute: &str| Some(self.as_in_key(guard.owner, name, &there(attribute)?));
        guard.owner_attributes.iter().map(|(name, attribute)| Some((name.clone(), text(name, attribute)?))).collect()
    }

    /// Whether an item has a link: one of the case of its `oneof`, and only while its condition holds.
    #[must_use]
    pub fn applies(&self, link: &Link, names: &Names, item: Option<&Item>) -> bool {
        let is_case = |(name, value): &(String, String)| {
            self.text(link.from, names, item, Keep::gives_names, name).is_some_and(|text| text == value.as_str())
        };
        link.when.as_ref().is_none_or(is_case)
            && (link.condition.is_empty() || item.is_some_and(|item| link.condition.holds(names, item)))
    }

    /// The key names of the item that a link with a list leads to by one text of the list, of an item that has the
    /// link. As of [`Model::link_target`], some may be missing, and others be added.
    #[must_use]
    pub fn link_target_of(&self, link: &Link, names: &Names, item: Option<&Item>, text: &str) -> Option<Names> {
        let lookup = self.lookup(link.from, names, item);
        let is_text = |name: &str| link.each.as_deref() == Some(name);
        self.target_names(link, &|name| if is_text(name) { Some(Cow::from(text)) } else { lookup(name) })
    }

    /// The texts of a list that a name has, each once. `None` if its value is no list of texts.
    #[must_use]
    pub fn list(&self, name: &str, item: Option<&Item>) -> Option<BTreeSet<String>> {
        let Some(item) = item else { return Some(BTreeSet::new()) };
        let paths = self.attributes_of(name);
        let Some((_, value)) = first_value(item, &paths) else { return Some(BTreeSet::new()) };
        let mut texts: BTreeSet<String> = value.texts()?.into_iter().collect();
        texts.remove("");
        Some(texts)
    }

    fn target_names<'l>(&self, link: &Link, lookup: &dyn Fn(&str) -> Option<Cow<'l, str>>) -> Option<Names> {
        let forms = &self.item(link.to).forms;
        let mut target = Names::new();
        let mut is_whole = true;
        for (name, template) in &link.names {
            match template.render(lookup) {
                Ok(text) => drop(target.insert(name.clone(), text)),
                Err(_) => is_whole &= !forms.iter().any(|form| form.names.contains(name)),
            }
        }
        // Absent names belong to another form of the key, if the present names complete one. Else
        // there is no link.
        (is_whole || forms.iter().any(|form| form.names.iter().eq(target.keys()))).then_some(target)
    }

    /// Whether an object can be the one that [`Model::link_target`] names, because no name of its
    /// key differs.
    #[must_use]
    pub fn agrees(&self, target: &Names, object: &Object) -> bool {
        object.names.iter().all(|(name, text)| target.get(name).is_none_or(|other| other == text))
    }
}

/// The attribute that counts of these: the first that has more than null or an empty string.
fn counting<'i, 'p>(item: &'i Item, paths: &'p [String]) -> Option<(&'p String, &'i Value)> {
    let is_absent =
        |value: &Value| matches!(value, Value::Null(_)) || matches!(value, Value::S(text) if text.is_empty());
    let mut found = paths.iter().filter_map(|path| Some((path, value_at(item, path)?)));
    found.find(|(_, value)| !is_absent(value))
}

fn text_of(value: Option<&Value>) -> Option<Cow<'_, str>> {
    value.and_then(Value::to_text).filter(|text| !text.is_empty())
}
