//! What an item implies, according to its key and attributes. Images show what a write touched; the
//! present item shows the desired state.

use std::collections::{BTreeMap, BTreeSet};

pub use crate::claims::{Claimed, claim_attributes, claims, owner};
pub(crate) use crate::claims::{guards_of, unwritable_claim};
use instep_model::template::Template;

use instep_model::{
    CognitoMember, CognitoNameError, CognitoUser, Grant, Item, ItemType, LinkId, Model, Object, RenderError, Roles,
    Scope, Subject, TypeId, Value,
};
use jiff::Timestamp;

/// A moment written as RFC 3339, as a date (its first instant) or as epoch seconds.
#[must_use]
pub fn moment(value: &Value) -> Option<Timestamp> {
    let text = value.to_text()?;
    text.parse::<Timestamp>()
        .ok()
        .or_else(|| Timestamp::from_second(text.parse().ok()?).ok())
        .or_else(|| format!("{}T00:00:00Z", text.parse::<jiff::civil::Date>().ok()?).parse().ok())
}

/// A string, or a list or set of strings. `None` for any other value.
#[must_use]
pub fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::S(text) => Some(vec![text.clone()]),
        Value::Ss(texts) => Some(texts.clone()),
        Value::L(values) => values.iter().map(|value| value.as_s().map(str::to_owned)).collect(),
        Value::Null(_) => Some(Vec::new()),
        Value::N(_) | Value::B(_) | Value::Bool(_) | Value::M(_) | Value::Ns(_) | Value::Bs(_) => None,
    }
}

/// The attributes whose text becomes part of effects of this item type.
#[must_use]
pub(crate) fn attributes_read(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let mut templates: Vec<&Template> = Vec::new();
    if let Some(user) = &ty.user {
        templates.extend(user.attributes.iter().map(|(_, template)| template));
    }
    if let Some(member) = &ty.member {
        templates.push(&member.group);
    }
    for (_, guard) in guards_of(model, of) {
        templates.extend(guard.claims.iter().flat_map(|claim| claim.names.values()));
    }
    for (_, link) in model.links_from(of) {
        templates.extend(link.names.values());
    }
    let bound: BTreeSet<&String> = ty.forms.iter().flat_map(|form| &form.names).collect();
    let mut names: BTreeSet<String> = templates.iter().flat_map(|t| t.names()).map(str::to_owned).collect();
    names.retain(|name| !bound.contains(name));
    if let (Some(grant), Some(member)) = (&ty.grant, &ty.member) {
        // A role stands for this name.
        names.retain(|name| matches!(grant.roles, Roles::None) || *name != member.role);
    }
    if let Some(Grant { roles: Roles::Attribute(spellings), .. }) = &ty.grant {
        names.retain(|name| !spellings.contains(name));
    }
    names.iter().flat_map(|name| model.attributes_of(name)).collect()
}

/// The attributes of an item type from which something follows: keys, index keys, and what
/// templates and conditions read.
#[must_use]
pub(crate) fn attributes_needed(model: &Model, of: TypeId) -> BTreeSet<String> {
    let ty = model.item(of);
    let mut needed = attributes_read(model, of);
    needed.extend([model.table.pk.clone(), model.table.sk.clone()]);
    needed.extend(model.table.type_attribute.clone());
    for keys in &ty.index_keys {
        let index = model.index_at(keys.index);
        needed.extend(index.pk.iter().chain(index.sk.iter().flatten()).cloned());
        let names = [Some(&keys.pk), keys.sk.as_ref()].into_iter().flatten().flat_map(Template::names);
        needed.extend(names.flat_map(|name| model.attributes_of(name)));
    }
    if let Some(grant) = &ty.grant {
        if let Roles::Attribute(spellings) = &grant.roles {
            needed.extend(spellings.iter().cloned());
        }
        needed.extend(grant.from.iter().chain(&grant.until).cloned());
    }
    let conditions = ty.user.iter().flat_map(|user| &user.disabled);
    needed.extend(conditions.map(|(name, _)| name.clone()));
    for claim in guards_of(model, of).flat_map(|(_, guard)| &guard.claims) {
        needed.extend(claim.when.iter().chain(claim.transfer.iter().flatten()).map(|(name, _)| name.clone()));
    }
    if let Some(guard) = &ty.guard {
        needed.extend(guard.owner_attributes.iter().map(|(_, attribute)| attribute.clone()));
    }
    for (_, link) in model.links_from(of) {
        needed.extend(link.when.iter().flat_map(|(name, _)| model.attributes_of(name)));
    }
    needed
}

/// The roles that an item grants. A grant without roles has one role without a name. Values outside
/// a closed set grant nothing.
#[must_use]
pub fn roles(model: &Model, object: &Object, item: &Item) -> Vec<Option<String>> {
    let Some(grant) = &model.item(object.of).grant else { return vec![None] };
    let mut found = match &grant.roles {
        Roles::None => return vec![None],
        Roles::Template(template) => {
            let lookup = model.lookup(object.of, &object.names, Some(item));
            let role = template.render(&lookup).ok().filter(|_| outside(model, object, item).is_none());
            role.into_iter().collect()
        }
        Roles::Attribute(spellings) => {
            let value = spellings.iter().find_map(|name| item.get(name));
            let mut texts = value.and_then(texts).unwrap_or_default();
            texts.retain(|text| {
                !text.is_empty() && grant.role_names.iter().all(|name| is_value(model, object, name, text))
            });
            texts
        }
    };
    found.sort();
    found.dedup();
    found.into_iter().map(Some).collect()
}

/// Whether a text is in the closed set of a name, or the name has none.
fn is_value(model: &Model, object: &Object, name: &str, text: &String) -> bool {
    let allowed = model.closed_set(object.of, name);
    allowed.is_empty() || allowed.contains(text)
}

/// A name of the roles of an item whose value is outside its closed set.
pub(crate) fn outside(model: &Model, object: &Object, item: &Item) -> Option<String> {
    let grant = model.item(object.of).grant.as_ref()?;
    let is_outside = |name: &str, texts: &[String]| texts.iter().any(|text| !is_value(model, object, name, text));
    match &grant.roles {
        Roles::None => None,
        Roles::Template(template) => {
            let lookup = model.lookup(object.of, &object.names, Some(item));
            let mut names = template.names();
            names.find(|name| lookup(name).is_some_and(|text| is_outside(name, &[text]))).map(str::to_owned)
        }
        Roles::Attribute(spellings) => {
            let texts = spellings.iter().find_map(|name| item.get(name)).and_then(texts).unwrap_or_default();
            grant.role_names.iter().find(|name| is_outside(name, &texts)).cloned()
        }
    }
}

/// Whether the window of a grant is open at `now`. A moment that cannot be parsed closes it.
#[must_use]
pub fn in_window(grant: &Grant, item: &Item, now: Timestamp) -> bool {
    let at = |spellings: &[String]| {
        spellings.iter().find_map(|name| item.get(name)).filter(|v| !matches!(v, Value::Null(_)))
    };
    let open = at(&grant.from).is_none_or(|from| moment(from).is_some_and(|from| from <= now));
    let closed = at(&grant.until).is_some_and(|until| moment(until).is_none_or(|until| until <= now));
    open && !closed
}

/// The window of a grant as an image has it, so that a change of the window counts as a change of
/// what the grant grants.
pub(crate) fn window(ty: &ItemType, image: &Item) -> Vec<Option<Value>> {
    let grant = ty.grant.iter();
    grant.flat_map(|grant| grant.from.iter().chain(&grant.until)).map(|name| image.get(name).cloned()).collect()
}

/// A Cognito membership that an item implies while the objects that it depends on exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Membership {
    /// The Cognito user's name.
    pub user: String,
    /// The Cognito group's name.
    pub group: String,
}

/// A Cognito name that an item asks for, or why Cognito refuses it.
type Name = Result<String, CognitoNameError>;

/// The Cognito memberships that an item implies, without those whose names Cognito refuses.
#[must_use]
pub fn memberships(model: &Model, object: &Object, item: &Item) -> BTreeSet<Membership> {
    let Some(member) = &model.item(object.of).member else { return BTreeSet::new() };
    let subject = subject(model, &member.user, object, Some(item));
    let Some(user) = subject.and_then(|subject| user_name(model, &subject)) else { return BTreeSet::new() };
    let groups = member_groups(model, member, object, item).into_iter().flatten();
    groups.map(|group| Membership { user: user.clone(), group }).collect()
}

/// The groups that an item asks to be a member of.
fn member_groups(model: &Model, member: &CognitoMember, object: &Object, item: &Item) -> Vec<Name> {
    let (of, names, image) = match member.group_of {
        None => (object.of, object.names.clone(), Some(item)),
        Some(link) => match target(model, link, object, Some(item)) {
            Some(group) => (group.of, group.names, None),
            None => return Vec::new(),
        },
    };
    let lookup = model.lookup(of, &names, image);
    let roles = roles(model, object, item).into_iter();
    let group = |role: Option<String>| {
        let with_role = |name: &str| role.clone().filter(|_| *name == member.role).or_else(|| lookup(name));
        model.cognito_name(of, &member.group, &with_role)
    };
    roles.map(group).collect()
}

/// The part of an item's image that its memberships follow from, for a work message. INVARIANT 9:
/// it contains no secret.
#[must_use]
pub fn needed_image(model: &Model, object: &Object, item: &Item) -> Item {
    let ty = model.item(object.of);
    let mut templates: Vec<&Template> = ty.member.iter().map(|member| &member.group).collect();
    templates.extend(model.links_from(object.of).flat_map(|(_, link)| link.names.values()));
    let mut names: BTreeSet<&str> = templates.iter().flat_map(|template| template.names()).collect();
    names.extend(model.links_from(object.of).filter_map(|(_, link)| Some(link.when.as_ref()?.0.as_str())));
    let mut needed: BTreeSet<String> = BTreeSet::new();
    if let Some(grant) = &ty.grant {
        match &grant.roles {
            Roles::None => {}
            Roles::Template(template) => names.extend(template.names()),
            Roles::Attribute(spellings) => needed.extend(spellings.iter().cloned()),
        }
        needed.extend(grant.from.iter().chain(&grant.until).cloned());
    }
    needed.extend(names.into_iter().flat_map(|name| model.sources(object.of, &object.names, name)));
    let is_needed = |name: &String| needed.contains(name) && !model.secret.contains(name);
    item.iter().filter(|(name, _)| is_needed(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The object of a subject.
#[must_use]
pub fn subject(model: &Model, subject: &Subject, object: &Object, item: Option<&Item>) -> Option<Object> {
    match subject {
        Subject::Itself => Some(object.clone()),
        Subject::Link(link) => target(model, *link, object, item),
    }
}

/// The object that a link leads to. If the link's `up` is not a key, its names are not all names of
/// the key.
#[must_use]
pub fn target(model: &Model, link: LinkId, object: &Object, item: Option<&Item>) -> Option<Object> {
    let link = model.link(link);
    let mut names = model.link_target(link, &object.names, item)?;
    // A link may also know names that lead to an index. These are no part of an identity.
    names.retain(|name, _| model.item(link.to).forms.iter().any(|form| form.names.contains(name)));
    let target = Object { of: link.to, names };
    // No item has such a key. The record was parked.
    model.check_names(&target).is_ok().then_some(target)
}

/// Why no item has the key that a link of an item asks for.
pub(crate) fn unwritable_reference(model: &Model, object: &Object, item: &Item) -> Option<RenderError> {
    model.links_from(object.of).find_map(|(_, link)| {
        let mut names = model.link_target(link, &object.names, Some(item))?;
        names.retain(|name, _| model.item(link.to).forms.iter().any(|form| form.names.contains(name)));
        let is_whole = model.item(link.to).forms.iter().any(|form| form.names.iter().eq(names.keys()));
        let target = Object { of: link.to, names };
        let is_written = || if is_whole { model.keys(&target).map(drop) } else { Ok(()) };
        model.check_names(&target).and_then(|()| is_written()).err()
    })
}

/// The scope of a grant as a text for events: the id of its item, or its value.
#[must_use]
pub fn scope_text(model: &Model, grant: &Grant, object: &Object, item: &Item) -> Option<String> {
    match &grant.scope {
        Scope::Global => None,
        Scope::Links(links) => {
            links.iter().find_map(|link| target(model, *link, object, Some(item))).map(|scope| model.id_text(&scope))
        }
        Scope::Value(template) => template.render(&model.lookup(object.of, &object.names, Some(item))).ok(),
    }
}

/// The Cognito user name of an item that has a user. `None` if Cognito refuses the name.
#[must_use]
pub fn user_name(model: &Model, object: &Object) -> Option<String> {
    asked_user_name(model, object)?.ok()
}

fn asked_user_name(model: &Model, object: &Object) -> Option<Name> {
    let user = model.item(object.of).user.as_ref()?;
    Some(model.cognito_name(object.of, &user.name, &model.lookup(object.of, &object.names, None)))
}

/// The desired state of a Cognito user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserState {
    /// Whether the user can sign in.
    pub enabled: bool,
    /// Cognito attributes. `None` if the item lacks what the value is made of.
    pub attributes: BTreeMap<String, Option<String>>,
}

/// The desired state of the Cognito user of an item.
#[must_use]
pub fn user_state(model: &Model, user: &CognitoUser, object: &Object, item: &Item) -> UserState {
    let lookup = model.lookup(object.of, &object.names, Some(item));
    let attributes =
        user.attributes.iter().map(|(name, template)| (name.clone(), template.render(&lookup).ok())).collect();
    UserState { enabled: user.disabled.is_empty() || !holds(&user.disabled, object, item), attributes }
}

/// What an image says about the Cognito user of its item: the user's state, and the secrets from
/// which the state follows. An image from the work queue has its secrets masked. It shows only
/// whether a secret was changed: then the present item says what follows.
#[must_use]
pub fn user_image(model: &Model, user: &CognitoUser, object: &Object, image: &Item) -> (UserState, Vec<Option<Value>>) {
    let secrets = user.disabled.iter().filter(|(name, _)| model.secret.contains(name));
    (user_state(model, user, object, image), secrets.map(|(name, _)| image.get(name).cloned()).collect())
}

/// Whether an item has all of these values: in attributes, or in the names of its key.
#[must_use]
pub fn holds(values: &[(String, Value)], object: &Object, item: &Item) -> bool {
    values.iter().all(|(name, value)| match (item.get(name), object.names.get(name)) {
        (Some(own), _) => own.is_same(value),
        (None, text) => text.is_some_and(|text| value.as_s() == Some(text)),
    })
}

/// The Cognito groups of an item, without those whose names Cognito refuses.
#[must_use]
pub fn groups(model: &Model, object: &Object) -> Vec<String> {
    asked_groups(model, object).into_iter().flatten().collect()
}

fn asked_groups(model: &Model, object: &Object) -> Vec<Name> {
    let Some(groups) = &model.item(object.of).groups else { return Vec::new() };
    let lookup = model.lookup(object.of, &object.names, None);
    let Some(each) = &groups.each else { return vec![model.cognito_name(object.of, &groups.name, &lookup)] };
    let values = model.closed_set(object.of, each).iter();
    let group = |value: &String| {
        let with_value = |name: &str| if name == each { Some(value.clone()) } else { lookup(name) };
        model.cognito_name(object.of, &groups.name, &with_value)
    };
    values.map(group).collect()
}

/// Why Cognito refuses names that an item asks for. An item that lacks a part of a name does not
/// ask for that name.
pub(crate) fn refused_names(model: &Model, object: &Object, item: &Item) -> Vec<CognitoNameError> {
    let mut names = asked_groups(model, object);
    names.extend(asked_user_name(model, object));
    if let Some(member) = &model.item(object.of).member {
        let subject = subject(model, &member.user, object, Some(item));
        names.extend(subject.and_then(|subject| asked_user_name(model, &subject)));
        names.extend(member_groups(model, member, object, item));
    }
    let errors = names.into_iter().filter_map(Result::err);
    errors.filter(|error| !matches!(error, CognitoNameError::Missing { .. })).collect()
}
