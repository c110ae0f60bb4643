//! An item, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{
    CognitoGroups, CognitoMember, CognitoUser, Condition, Create, ExtraPolicy, GroupOwner, Identity, Item, Key, LinkId,
    Names, Object, OfGroups, Precedence, Scope, Subject, TypeId, UserValue, Value,
};

use super::condition::{first_of, meets, set_value};
use super::said::{said, target};
use super::{Fact, Implied, group_facts, user_facts};

/// A membership that an item asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedMembership {
    /// Cognito user and group.
    pub pair: (String, String),
    /// Whether the user is signed out once it ends.
    pub signs_out: bool,
    /// What must exist.
    pub needs: Vec<Parent>,
    /// The conditions under which the items at the ends have the user and the group.
    pub conditions: Vec<(Object, Condition)>,
    /// Only people create the group.
    pub by_hand: bool,
}

/// A parent: the item is deleted with it. Or what a membership of the item waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// The link to the parent.
    pub link: LinkId,
    /// The names of the parent's key that the item knows: all or some.
    pub known: Object,
    /// Other names by which an index leads to the parent.
    pub(super) more: Names,
    /// Since when the item has this parent, in milliseconds.
    pub linked_ms: i64,
    /// Whether the item has changed since then, maybe within the same millisecond.
    pub has_changed_since: bool,
}

/// An item, and what it implies.
#[derive(Debug, Clone)]
pub struct ImpliedRow {
    /// The object that it is.
    pub object: Object,
    /// The item.
    pub item: Item,
    /// It asks for something impossible and is parked. Everything else that it asks for counts.
    pub is_bad: bool,
    /// Its key is not canonical: it implies nothing.
    pub is_void: bool,
    /// The memberships that it asks for.
    pub asks: Vec<WantedMembership>,
    /// Those of rules whose groups are in tokens alone: the pool has none of them.
    pub in_tokens: Vec<WantedMembership>,
    /// The facts of its Cognito user.
    pub user: Vec<(Fact, String)>,
    /// The facts of the Cognito groups that it defines.
    pub groups: Vec<(Fact, String)>,
    /// The unique values that it claims, and whether each claim is strong: a strong claim takes the
    /// value from a weak one.
    pub values: BTreeMap<Object, bool>,
    /// Its parents.
    pub parents: Vec<Parent>,
    /// The groups on demand that it asks for, each with the parents that it goes with.
    pub(super) on_demand: Vec<(String, Vec<Parent>)>,
    /// Since when all its parents are as they are now, in milliseconds.
    pub linked_ms: i64,
    /// When it was written last, in milliseconds.
    pub(crate) written_ms: i64,
    /// The owner that it names, if it is a guard.
    pub owner: Option<Object>,
}

impl Implied {
    /// Reads an item.
    #[must_use]
    pub fn row(&self, object: Object, canonical: bool, item: Item) -> ImpliedRow {
        let is_void = !canonical;
        let is_bad = is_void || self.asks_the_impossible(&object, &item) || self.refers_to_nothing(&object, &item);
        let ((in_tokens, asks), user, groups, values) = if is_void {
            ((Vec::new(), Vec::new()), Vec::new(), Vec::new(), BTreeMap::new())
        } else {
            let groups = self.group_facts(&object, &item);
            // What asks for something impossible grants nothing, also not the part that is possible.
            let asks = if is_bad { (Vec::new(), Vec::new()) } else { self.asks(&object, &item) };
            (asks, self.user(&object, &item), groups, self.values(&object, &item))
        };
        let (parents, owner) = (self.parents(&object, &item), self.owner(&object, &item));
        let on_demand = if is_bad { Vec::new() } else { self.on_demand(&object, &item, &parents) };
        let (linked_ms, written_ms) = (0, 0);
        ImpliedRow {
            object,
            item,
            is_bad,
            is_void,
            asks,
            in_tokens,
            user,
            groups,
            values,
            parents,
            on_demand,
            linked_ms,
            written_ms,
            owner,
        }
    }

    /// The memberships that an item asks for, in tokens alone and in the pool.
    fn asks(&self, object: &Object, item: &Item) -> (Vec<WantedMembership>, Vec<WantedMembership>) {
        let members = self.model.item(object.of).members.iter().filter(|member| meets(&member.when, object, item));
        let (in_tokens, in_pool): (Vec<&CognitoMember>, Vec<&CognitoMember>) =
            members.partition(|member| member.in_token);
        let of_rules = |rules: Vec<&CognitoMember>| -> Vec<WantedMembership> {
            rules.into_iter().flat_map(|member| self.asks_of(member, object, item)).collect()
        };
        (of_rules(in_tokens), of_rules(in_pool))
    }

    /// The memberships that an item asks for by one rule.
    fn asks_of(&self, member: &CognitoMember, object: &Object, item: &Item) -> Vec<WantedMembership> {
        let model = &self.model;
        let user_of = match &member.user {
            Subject::Itself => Some(object.clone()),
            Subject::Link(id) => self.target(*id, object, item),
        };
        let Some(user) = user_of.as_ref().and_then(|user| self.user_name(user)) else { return Vec::new() };
        let user_when = user_of.and_then(|of| Some((of.clone(), model.item(of.of).user.as_ref()?.when.clone())));
        let asks = self.groups_asked(member, object, item).into_iter().filter_map(|(group_of, group, role)| {
            let of_role = self.needs_of_role(object, item, role.as_deref().unwrap_or_default())?;
            let owner = match member.group_owner {
                GroupOwner::Link(_, place) => group_of.clone().map(|of| (of, place)),
                GroupOwner::Itself(place) => Some((object.clone(), place)),
                GroupOwner::Nothing { .. } | GroupOwner::People => None,
            };
            let group_when = owner.and_then(|(of, place)| {
                let when = model.item(of.of).groups.get(place)?.when.clone();
                Some((of, when))
            });
            let conditions = user_when.clone().into_iter().chain(group_when);
            let needs = self.needs(object, item, (member, group_of.as_ref()));
            Some(WantedMembership {
                pair: (user.clone(), group),
                signs_out: member.sign_out,
                needs: needs.into_iter().chain(of_role).collect(),
                conditions: conditions.collect(),
                by_hand: member.is_by_hand(),
            })
        });
        asks.collect()
    }

    /// The groups of which an item asks to be a member, each with the object that has the group, and the role.
    pub(super) fn groups_asked(
        &self,
        member: &CognitoMember,
        object: &Object,
        item: &Item,
    ) -> Vec<(Option<Object>, String, Option<String>)> {
        let model = &self.model;
        let roles = self.given(object, Some(item), self.now_ms);
        let name = |of: TypeId, lookup: &dyn Fn(&str) -> Option<String>, role: &Option<String>| {
            let text = |name: &str| role.clone().filter(|_| name == member.role).or_else(|| lookup(name));
            model.cognito_name(of, &member.group, &text).ok()
        };
        let mut asked = Vec::new();
        if let Some(id) = member.group_link() {
            // A member of a group that the item does not name in full asks for nothing.
            for group in self.targets(id, object, item) {
                let lookup = said(model, &group, None);
                asked.extend(roles.iter().filter_map(|role| {
                    let name = name(group.of, &lookup, role)?;
                    Some((Some(group.clone()), name, role.clone()))
                }));
            }
            return asked;
        }
        for item in self.one_by_one(member.group.each(), item) {
            let lookup = said(model, object, Some(&item));
            asked.extend(roles.iter().filter_map(|role| Some((None, name(object.of, &lookup, role)?, role.clone()))));
        }
        asked
    }

    /// An item for each text of a list that a name has, with that text alone.
    fn one_by_one(&self, name: Option<&str>, item: &Item) -> Vec<Item> {
        let Some(name) = name else { return vec![item.clone()] };
        let paths = self.model.attributes_of(name);
        let texts: BTreeSet<String> = match first_of(item, &paths) {
            Some(Value::S(text)) => [text].into(),
            Some(Value::Ss(texts)) => texts.into_iter().collect(),
            Some(Value::L(values)) => {
                let texts: Vec<String> = values.iter().filter_map(|value| value.as_s().map(str::to_owned)).collect();
                if texts.len() == values.len() { texts.into_iter().collect() } else { BTreeSet::new() }
            }
            Some(_) | None => BTreeSet::new(),
        };
        texts.into_iter().filter(|text| !text.is_empty()).map(|text| self.with_text(name, item, &text)).collect()
    }

    /// An item with one text in the place of a list.
    fn with_text(&self, name: &str, item: &Item, text: &str) -> Item {
        let paths = self.model.attributes_of(name);
        let mut single = item.clone();
        paths.iter().for_each(|path| set_value(&mut single, path, None));
        paths.first().into_iter().for_each(|path| set_value(&mut single, path, Some(Value::S(text.to_owned()))));
        single
    }

    /// The item that one of several roles needs. `None` if nothing can be that item.
    fn needs_of_role(&self, object: &Object, item: &Item, role: &str) -> Option<Vec<Parent>> {
        let links = self.model.item(object.of).grant.iter().flat_map(|grant| &grant.role_links);
        let mut needs = Vec::new();
        for id in links {
            let link = self.model.link(*id);
            let Some(list) = link.each.as_deref().filter(|_| link.needed) else { continue };
            let is_other_case =
                |(by, value): &(String, String)| said(&self.model, object, Some(item))(by).as_ref() != Some(value);
            if link.when.as_ref().is_some_and(is_other_case) || !meets(&link.condition, object, item) {
                continue;
            }
            let mut more = target(&self.model, link, object, &self.with_text(list, item, role))?;
            let mut known = more.clone();
            known.retain(|name, _| self.model.key_order(link.to).contains(&name.as_str()));
            more.retain(|name, _| !known.contains_key(name));
            let known = Object { of: link.to, names: known };
            needs.push(Parent { link: *id, known, more, linked_ms: 0, has_changed_since: false });
        }
        Some(needs)
    }

    /// The objects on which a membership of an item depends. Of a list, only one group is.
    fn needs(&self, object: &Object, item: &Item, (member, group): (&CognitoMember, Option<&Object>)) -> Vec<Parent> {
        let is_other_group = |id: LinkId| self.model.link(id).each.is_some() && member.group_link() != Some(id);
        let mut needs = Vec::new();
        let is_item = |id: LinkId| self.model.item(self.model.link(id).to).user_value.is_none();
        let is_needed = |id: &LinkId| self.model.link(*id).needed && is_item(*id);
        for id in self.needed(object.of).into_iter().filter(is_needed) {
            if is_other_group(id) {
                continue;
            }
            // A reference with a type attribute leads to one type only. The links to other types
            // have no target.
            let targets = self.referred(id, object, item).into_iter();
            let is_own = |target: &Parent| self.model.link(id).each.is_none() || Some(&target.known) == group;
            needs.extend(targets.filter(is_own));
        }
        needs
    }

    /// The facts of the Cognito user that an item defines.
    fn user(&self, object: &Object, item: &Item) -> Vec<(Fact, String)> {
        let Some(user) = &self.model.item(object.of).user else { return Vec::new() };
        let Some(name) = self.user_name(object).filter(|_| meets(&user.when, object, item)) else { return Vec::new() };
        let lookup = said(&self.model, object, Some(item));
        let is_off = user.disabled.as_ref().is_some_and(|disabled| meets(disabled, object, item));
        let attributes =
            user.attributes.iter().filter_map(|(name, text)| Some((name.as_str(), text.render(&lookup).ok()?)));
        user_facts(&name, !is_off, attributes)
    }

    /// The parents of an item.
    fn parents(&self, object: &Object, item: &Item) -> Vec<Parent> {
        let deleted_with = self.model.links_from(object.of).filter(|(_, link)| link.deleted_with);
        deleted_with.flat_map(|(link, _)| self.referred(link, object, item)).collect()
    }

    /// What a link leads to, with the names by which an index finds it.
    fn referred(&self, link: LinkId, object: &Object, item: &Item) -> Vec<Parent> {
        let parent = |known: Object| {
            let more = target(&self.model, self.model.link(link), object, item);
            let mut more = more.unwrap_or_default();
            more.retain(|name, _| !known.names.contains_key(name));
            if self.model.link(link).each.is_some() {
                more.clear();
            }
            Parent { link, known, more, linked_ms: 0, has_changed_since: false }
        };
        self.targets(link, object, item).into_iter().map(parent).collect()
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
        let text = |name: &str, text: &str| if is_lower(name) { text.to_lowercase() } else { text.to_owned() };
        let names = names.map(|(name, attribute)| Some((name.clone(), text(name, &item.get(attribute)?.to_text()?))));
        Some(Object { of: guard.owner, names: names.collect::<Option<Names>>()? })
    }

    /// The links on which the memberships of a type depend.
    pub(super) fn needed(&self, of: TypeId) -> BTreeSet<LinkId> {
        let ty = self.model.item(of);
        let mut links = BTreeSet::new();
        let mut subject = |subject: &Subject| {
            if let Subject::Link(id) = subject {
                links.insert(*id);
            }
        };
        ty.grant.iter().for_each(|grant| subject(&grant.subject));
        ty.members.iter().for_each(|member| subject(&member.user));
        if let Some(Scope::Links(ids)) = ty.grant.as_ref().map(|grant| &grant.scope) {
            links.extend(ids);
        }
        links.extend(ty.grant.iter().flat_map(|grant| &grant.role_links));
        links.extend(ty.members.iter().filter_map(CognitoMember::group_link));
        if ty.grant.is_some() {
            links.extend(self.model.links_from(of).filter(|(_, link)| link.deleted_with).map(|(id, _)| id));
        }
        links
    }

    /// The target of a link, as far as the item knows it.
    #[must_use]
    pub fn target(&self, id: LinkId, object: &Object, item: &Item) -> Option<Object> {
        self.targets(id, object, item).into_iter().next()
    }

    /// The targets of a link: one, or one for each text of a list.
    #[must_use]
    pub fn targets(&self, id: LinkId, object: &Object, item: &Item) -> BTreeSet<Object> {
        self.asked_targets(id, object, item).into_iter().filter(|target| !self.is_void(target)).collect()
    }

    /// The parents of an item whose keys are not canonical. They imply nothing, but an earlier model may have made
    /// something of them, and their deletion takes it back.
    #[must_use]
    pub fn void_parents(&self, row: &ImpliedRow) -> Vec<Object> {
        let deleted_with = self.model.links_from(row.object.of).filter(|(_, link)| link.deleted_with);
        let targets = deleted_with.flat_map(|(link, _)| self.asked_targets(link, &row.object, &row.item));
        targets.filter(|target| self.is_void(target)).collect()
    }

    /// The targets of a link, also those that cannot exist.
    fn asked_targets(&self, id: LinkId, object: &Object, item: &Item) -> Vec<Object> {
        self.named_targets(id, object, item).into_iter().map(|target| self.by_key(target)).collect()
    }

    /// The targets of a link as its back-references name them: also by what the link knows beside their keys.
    #[must_use]
    pub fn noted_targets(&self, id: LinkId, object: &Object, item: &Item) -> BTreeSet<Object> {
        let can_exist = |target: &Object| !self.is_void(&self.by_key(target.clone()));
        self.named_targets(id, object, item).into_iter().filter(can_exist).collect()
    }

    /// The targets of a link by all that it knows of them, also those that cannot exist.
    pub(super) fn named_targets(&self, id: LinkId, object: &Object, item: &Item) -> Vec<Object> {
        let link = self.model.link(id);
        if !meets(&link.condition, object, item) {
            return Vec::new();
        }
        // A guard names its owner by attributes alone: not by an index key, which gives names to other references.
        if self.model.item(object.of).guard.as_ref().is_some_and(|guard| guard.owner_link == Some(id)) {
            return self.owner(object, item).into_iter().collect();
        }
        let key_names = self.model.key_order(link.to);
        let target = |item: Item| {
            let mut names = target(&self.model, link, object, &item)?;
            names.retain(|name, _| key_names.contains(&name.as_str()) || link.beside_key.contains(name));
            Some(Object { of: link.to, names })
        };
        self.one_by_one(link.each.as_deref(), item).into_iter().filter_map(target).collect()
    }

    fn by_key(&self, mut target: Object) -> Object {
        let key_names = self.model.key_order(target.of);
        target.names.retain(|name, _| key_names.contains(&name.as_str()));
        target
    }

    /// Whether no canonical item can have the key of an object.
    fn is_void(&self, target: &Object) -> bool {
        let forms = &self.model.item(target.of).forms;
        if !forms.iter().any(|form| target.names.keys().all(|name| form.names.contains(name))) {
            return true;
        }
        // No key has a value that is not in the closed set of its name, whatever the rest of the key is.
        let is_outside = |(name, text): (&String, &String)| {
            let closed = self.closed(target.of, name);
            !closed.is_empty() && !closed.contains(text)
        };
        if target.names.iter().any(is_outside) {
            return true;
        }
        let is_whole = forms.iter().any(|form| form.names.iter().eq(target.names.keys()));
        let is_canonical = |key: &Key| matches!(self.model.identify(key), Identity::Item { canonical: true, .. });
        is_whole && !self.model.keys(target).is_ok_and(|keys| keys.iter().all(is_canonical))
    }

    /// Whether an item refers to, or claims, an item that cannot exist.
    pub(super) fn refers_to_nothing(&self, object: &Object, item: &Item) -> bool {
        // A guard whose attributes are no name of an owner has none.
        let owner = self.model.item(object.of).guard.as_ref().and_then(|guard| guard.owner_link);
        let links = self.model.links_from(object.of).filter(|(id, _)| Some(*id) != owner);
        let targets = links.flat_map(|(id, _)| self.asked_targets(id, object, item));
        let claimed = self.claimed(object, item).into_iter().map(|(guard, _)| guard);
        targets.chain(claimed).any(|target| self.is_void(&target))
    }

    /// The name of an object's Cognito user. `None` if neither Instep nor people create the user.
    fn user_name(&self, object: &Object) -> Option<String> {
        // Somebody who signs up has no item.
        match self.model.item(object.of).user_value {
            Some(UserValue::Sub) => return self.accounts.get(object.names.values().next()?).cloned(),
            Some(UserValue::Name) => {
                let name = object.names.values().next()?;
                return self.accounts.values().find(|known| *known == name).cloned();
            }
            None => {}
        }
        let user = self.model.item(object.of).user.as_ref()?;
        let lookup = said(&self.model, object, None);
        let name = self.model.cognito_name(object.of, &user.name, &lookup).ok()?;
        (user.create != Create::Never || self.users_by_hand.contains(&name)).then_some(name)
    }

    /// Whether any type defines users like this.
    #[must_use]
    pub fn users_are(&self, said: impl Fn(&CognitoUser) -> bool) -> bool {
        self.model.with_keys().filter_map(|ty| ty.user.as_ref()).any(said)
    }

    /// Whether the pool has no memberships of this model: they are in tokens alone, and sweeps remove none.
    #[must_use]
    pub fn leaves_members(&self) -> bool {
        let mut rules = self.model.with_keys().flat_map(|ty| &ty.members);
        self.model.extra_members == ExtraPolicy::Report && rules.all(|rule| rule.in_token)
    }

    /// The Cognito groups that an object defines. Without an item: those without a condition.
    #[must_use]
    pub fn groups(&self, object: &Object, item: Option<&Item>) -> Vec<String> {
        let counts = |groups: &&CognitoGroups| match item {
            Some(item) => meets(&groups.when, object, item),
            None => groups.when.is_empty(),
        };
        let rules = self.model.item(object.of).groups.iter().filter(counts);
        rules.flat_map(|groups| self.groups_of(groups, object)).map(|(_, name)| name).collect()
    }

    /// The Cognito groups that an object defines, whatever its item says.
    #[must_use]
    pub fn groups_of_any_item(&self, object: &Object) -> Vec<String> {
        let rules = self.model.item(object.of).groups.iter();
        rules.flat_map(|groups| self.groups_of(groups, object)).map(|(_, name)| name).collect()
    }

    /// The facts of the groups of an item. The model says nothing of a setting that is not among them.
    fn group_facts(&self, object: &Object, item: &Item) -> Vec<(Fact, String)> {
        let rules = self.model.item(object.of).groups.iter().filter(|groups| !groups.in_token);
        let rules = rules.filter(|groups| meets(&groups.when, object, item));
        let facts = rules.flat_map(|rule| {
            self.groups_of(rule, object).into_iter().flat_map(move |(value, name)| {
                let precedence = match &rule.precedence {
                    Some(Precedence::Fixed(OfGroups::All(number))) => Some(number.to_string()),
                    Some(Precedence::Fixed(OfGroups::Each(each))) => {
                        value.and_then(|value| Some(each.get(value)?.to_string()))
                    }
                    Some(Precedence::OfItem(text)) => text.render(&said(&self.model, object, Some(item))).ok(),
                    None => None,
                };
                let iam_role = match &rule.iam_role {
                    Some(OfGroups::All(role)) => Some(role.clone()),
                    Some(OfGroups::Each(each)) => value.and_then(|value| each.get(value)).cloned(),
                    None => None,
                };
                group_facts(&name, precedence, iam_role)
            })
        });
        facts.collect()
    }

    /// The groups of a rule: the value that each is for, and its name.
    fn groups_of(&self, groups: &CognitoGroups, object: &Object) -> Vec<(Option<&String>, String)> {
        let lookup = said(&self.model, object, None);
        let values: Vec<Option<&String>> = match &groups.each {
            Some(name) => self.closed(object.of, name).iter().map(Some).collect(),
            None => vec![None],
        };
        let named = |value: &Option<&String>| {
            let text = |name: &str| match value {
                Some(value) if groups.each.as_deref() == Some(name) => Some((*value).clone()),
                Some(_) | None => lookup(name),
            };
            self.model.cognito_name(object.of, &groups.name, &text).ok()
        };
        values.into_iter().filter_map(|value| Some((value, named(&value)?))).collect()
    }

    /// The values that a name may have. Empty means any.
    #[must_use]
    pub fn closed(&self, of: TypeId, name: &str) -> &[String] {
        let own = self.model.item(of).values.get(name);
        own.or_else(|| self.model.names.get(name).map(|rule| &rule.values)).map_or(&[], Vec::as_slice)
    }
}
