//! An item, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{
    CognitoUser, Create, Identity, Item, Key, LinkId, Made, Names, Object, Scope, Subject, TypeId, Up, Value,
};

use super::{Fact, Implied, user_facts};

/// A membership that an item asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedMembership {
    /// Cognito user and group.
    pub pair: (String, String),
    /// The objects that must exist.
    pub needs: Vec<Object>,
    /// Only people create the group.
    pub by_hand: bool,
}

/// A parent: the item is deleted with it.
#[derive(Debug, Clone)]
pub struct Parent {
    /// The link to the parent.
    pub link: LinkId,
    /// The names of the parent's key that the item knows: all or some.
    pub known: Object,
    /// Other names by which an index leads to the parent.
    pub(super) more: Names,
    /// Since when the item has this parent, in milliseconds.
    pub linked_ms: i64,
}

/// An item, and what it implies.
#[derive(Debug, Clone)]
pub struct Row {
    /// The object that it is.
    pub object: Object,
    /// The item.
    pub item: Item,
    /// It asks for something impossible and is parked. Everything else that it asks for counts.
    pub is_bad: bool,
    /// Its key is not canonical: it implies nothing.
    pub(super) is_void: bool,
    /// The memberships that it asks for.
    pub asks: Vec<WantedMembership>,
    /// The facts of its Cognito user.
    pub user: Vec<(Fact, String)>,
    /// The Cognito groups that it defines.
    pub groups: Vec<String>,
    /// The unique values that it claims, and whether each claim is strong: a strong claim takes the
    /// value from a weak one.
    pub values: BTreeMap<Object, bool>,
    /// Its parents.
    pub parents: Vec<Parent>,
    /// Since when all its parents are as they are now, in milliseconds.
    pub linked_ms: i64,
    /// When it was written last, in milliseconds.
    pub(super) written_ms: i64,
    /// The owner that it names, if it is a guard.
    pub owner: Option<Object>,
}

impl Implied {
    /// Reads an item.
    #[must_use]
    pub fn row(&self, object: Object, canonical: bool, item: Item) -> Row {
        let is_void = !canonical;
        let is_bad = is_void || self.asks_the_impossible(&object, &item) || self.refers_to_nothing(&object, &item);
        let (asks, user, groups, values) = if is_void {
            (Vec::new(), Vec::new(), Vec::new(), BTreeMap::new())
        } else {
            let groups = self.groups(&object);
            (self.asks(&object, &item), self.user(&object, &item), groups, self.values(&object, &item))
        };
        let (parents, owner) = (self.parents(&object, &item), self.owner(&object, &item));
        Row { object, item, is_bad, is_void, asks, user, groups, values, parents, linked_ms: 0, written_ms: 0, owner }
    }

    /// The memberships that an item asks for.
    fn asks(&self, object: &Object, item: &Item) -> Vec<WantedMembership> {
        let model = &self.model;
        let Some(member) = &model.item(object.of).member else { return Vec::new() };
        let lookup = model.lookup(object.of, &object.names, Some(item));
        let user = match &member.user {
            Subject::Itself => self.user_name(object),
            Subject::Link(id) => self.target(*id, object, item).and_then(|user| self.user_name(&user)),
        };
        let group_of = member.group_of.map(|id| self.target(id, object, item));
        // A member of a group that the item does not name in full asks for nothing.
        let (Some(user), false) = (user, matches!(group_of, Some(None))) else { return Vec::new() };
        let group_of = group_of.flatten();
        let of = group_of.as_ref().map_or(object.of, |group| group.of);
        let needs = self.needs(object, item);
        let by_hand = member.made == Made::ByHand;
        let group = |role: &Option<String>| {
            let text = |name: &str| match (&group_of, name) {
                (_, name) if role.is_some() && name == member.role => role.clone(),
                (Some(group), _) => model.lookup(group.of, &group.names, None)(name),
                (None, _) => lookup(name),
            };
            model.cognito_name(of, &member.group, &text).ok()
        };
        let groups = self.given(object, Some(item)).into_iter().filter_map(|role| group(&role));
        groups.map(|group| WantedMembership { pair: (user.clone(), group), needs: needs.clone(), by_hand }).collect()
    }

    /// The objects on which an item's memberships depend.
    fn needs(&self, object: &Object, item: &Item) -> Vec<Object> {
        let links = self.needed(object.of).into_iter();
        // A reference with a type attribute leads to one type only. The links to other types have
        // no target.
        let targets = links.filter_map(|id| Some((id, self.target(id, object, item)?)));
        targets.filter(|(id, _)| matches!(self.model.link(*id).up, Up::Key)).map(|(_, target)| target).collect()
    }

    /// The facts of the Cognito user that an item defines.
    fn user(&self, object: &Object, item: &Item) -> Vec<(Fact, String)> {
        let Some(user) = &self.model.item(object.of).user else { return Vec::new() };
        let Some(name) = self.user_name(object) else { return Vec::new() };
        let lookup = self.model.lookup(object.of, &object.names, Some(item));
        let is_off =
            !user.disabled.is_empty() && user.disabled.iter().all(|(name, value)| has_value(object, item, name, value));
        let attributes =
            user.attributes.iter().filter_map(|(name, text)| Some((name.as_str(), text.render(&lookup).ok()?)));
        user_facts(&name, !is_off, attributes)
    }

    /// The parents of an item.
    fn parents(&self, object: &Object, item: &Item) -> Vec<Parent> {
        let deleted_with = self.model.links_from(object.of).filter(|(_, link)| link.deleted_with);
        let parents = deleted_with.filter_map(|(link, _)| {
            let known = self.target(link, object, item)?;
            let mut more = self.model.link_target(self.model.link(link), &object.names, Some(item))?;
            more.retain(|name, _| !known.names.contains_key(name));
            Some(Parent { link, known, more, linked_ms: 0 })
        });
        parents.collect()
    }

    /// The owner that a guard names.
    fn owner(&self, object: &Object, item: &Item) -> Option<Object> {
        let guard = self.model.item(object.of).guard.as_ref()?;
        let names = guard.owner_attributes.iter();
        let is_lower = |name: &str| {
            let forms = self.model.item(guard.owner).forms.iter();
            let mut texts = forms.flat_map(|form| [form.pk.source(), form.sk.source()]);
            texts.any(|text| text.contains(&format!("{{{name}|lower")))
        };
        let text = |name: &str, text: String| if is_lower(name) { text.to_lowercase() } else { text };
        let names = names.map(|(name, attribute)| Some((name.clone(), text(name, item.get(attribute)?.to_text()?))));
        Some(Object { of: guard.owner, names: names.collect::<Option<Names>>()? })
    }

    /// The links on which the memberships of a type depend.
    fn needed(&self, of: TypeId) -> BTreeSet<LinkId> {
        let ty = self.model.item(of);
        let mut links = BTreeSet::new();
        let mut subject = |subject: &Subject| {
            if let Subject::Link(id) = subject {
                links.insert(*id);
            }
        };
        ty.grant.iter().for_each(|grant| subject(&grant.subject));
        ty.member.iter().for_each(|member| subject(&member.user));
        if let Some(Scope::Links(ids)) = ty.grant.as_ref().map(|grant| &grant.scope) {
            links.extend(ids);
        }
        links.extend(ty.member.iter().filter_map(|member| member.group_of));
        links
    }

    /// The target of a link, as far as the item knows it.
    #[must_use]
    pub fn target(&self, id: LinkId, object: &Object, item: &Item) -> Option<Object> {
        let link = self.model.link(id);
        let mut names = self.model.link_target(link, &object.names, Some(item))?;
        let key_names = self.model.key_order(link.to);
        names.retain(|name, _| key_names.contains(&name.as_str()));
        let target = Object { of: link.to, names };
        (!self.is_void(&target)).then_some(target)
    }

    /// Whether no canonical item can have the key of an object.
    fn is_void(&self, target: &Object) -> bool {
        let is_whole = self.model.item(target.of).forms.iter().any(|form| form.names.iter().eq(target.names.keys()));
        let is_canonical = |key: &Key| matches!(self.model.identify(key), Identity::Item { canonical: true, .. });
        is_whole && !self.model.keys(target).is_ok_and(|keys| keys.iter().all(is_canonical))
    }

    /// Whether an item refers to, or claims, an item that cannot exist.
    pub(super) fn refers_to_nothing(&self, object: &Object, item: &Item) -> bool {
        let targets = self.model.links_from(object.of).filter_map(|(_, link)| {
            let mut names = self.model.link_target(link, &object.names, Some(item))?;
            let key_names = self.model.key_order(link.to);
            names.retain(|name, _| key_names.contains(&name.as_str()));
            Some(Object { of: link.to, names })
        });
        let claimed = self.claimed(object, item).into_iter().map(|(guard, _)| guard);
        targets.chain(claimed).any(|target| self.is_void(&target))
    }

    /// The name of an object's Cognito user. `None` if neither Instep nor people create the user.
    fn user_name(&self, object: &Object) -> Option<String> {
        let user = self.model.item(object.of).user.as_ref()?;
        let lookup = self.model.lookup(object.of, &object.names, None);
        let name = self.model.cognito_name(object.of, &user.name, &lookup).ok()?;
        (user.create != Create::Never || self.users_by_hand.contains(&name)).then_some(name)
    }

    /// Whether any type defines users like this.
    #[must_use]
    pub fn users_are(&self, said: impl Fn(&CognitoUser) -> bool) -> bool {
        self.model.items.iter().filter_map(|ty| ty.user.as_ref()).any(said)
    }

    /// The Cognito groups that an object defines.
    #[must_use]
    pub fn groups(&self, object: &Object) -> Vec<String> {
        let Some(groups) = &self.model.item(object.of).groups else { return Vec::new() };
        let lookup = self.model.lookup(object.of, &object.names, None);
        let each: Vec<Option<(&String, &String)>> = match &groups.each {
            Some(name) => self.closed(object.of, name).iter().map(|value| Some((name, value))).collect(),
            None => vec![None],
        };
        let named = |each: Option<(&String, &String)>| {
            let text = |name: &str| match each {
                Some((own, value)) if own == name => Some(value.clone()),
                Some(_) | None => lookup(name),
            };
            self.model.cognito_name(object.of, &groups.name, &text).ok()
        };
        each.into_iter().filter_map(named).collect()
    }

    /// The values that a name may have. Empty means any.
    #[must_use]
    pub fn closed(&self, of: TypeId, name: &str) -> &[String] {
        let own = self.model.item(of).values.get(name);
        own.or_else(|| self.model.names.get(name).map(|rule| &rule.values)).map_or(&[], Vec::as_slice)
    }
}

/// Whether an attribute, or a name of the key, has a value. `1` and `1.0` are one number.
pub(super) fn has_value(object: &Object, item: &Item, name: &str, value: &Value) -> bool {
    let in_key = || object.names.get(name).cloned().map(Value::S);
    match (item.get(name).cloned().or_else(in_key), value) {
        (Some(Value::N(one)), Value::N(other)) => one.parse::<f64>().ok() == other.parse::<f64>().ok(),
        (one, other) => one.as_ref() == Some(other),
    }
}
