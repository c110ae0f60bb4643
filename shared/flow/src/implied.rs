//! What an item implies, according to its key and attributes. Images show what a write touched; the
//! present item shows the desired state.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use crate::attributes::{
    attributes_in_use, attributes_needed, attributes_of_secret_keys, attributes_tested, lists, names_read, names_shown,
    values_read,
};
pub use crate::attributes::{attributes_read, attributes_read_of_others, needed_item};
pub use crate::claims::{Claimed, claim_attributes, claims, guard_of_edge, owner};
pub(crate) use crate::claims::{claimed_values, guards_of, may_be_claimed, unique_attributes, unwritable_claim};
pub(crate) use crate::image::image_of_membership;
pub use crate::image::needed_image;

use instep_model::template::Template;
use instep_model::{
    CognitoGroups, CognitoMember, CognitoNameError, CognitoUser, Condition, Create, Grant, Item, ItemType, Link,
    LinkId, Model, Names, Object, RenderError, Roles, Scope, Subject, TypeId, UserValue, Value, beginning, end,
    first_value, value_at,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::table_write::Aside;

/// The value of the first of these attributes that has one.
pub(crate) fn time<'a>(spellings: &[String], image: &'a Item) -> Option<&'a Value> {
    first_value(image, spellings).map(|(_, value)| value)
}

/// The roles that an item grants. A grant without roles has one role without a name. Values outside
/// a closed set grant nothing.
#[must_use]
pub fn roles(model: &Model, object: &Object, item: &Item) -> Vec<Option<String>> {
    let Some(grant) = &model.item(object.of).grant else { return vec![None] };
    if !grant.when.holds(&object.names, item) {
        return Vec::new();
    }
    let mut found = match &grant.roles {
        Roles::None => return vec![None],
        Roles::Template(template) => role_of(model, object, item, template).ok().flatten().into_iter().collect(),
        Roles::Attribute(spellings) => {
            let mut texts = first_value(item, spellings).and_then(|(_, value)| value.texts()).unwrap_or_default();
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

/// Whether a text is in the closed set of a name, or the name has no closed set.
fn is_value(model: &Model, object: &Object, name: &str, text: &str) -> bool {
    let allowed = model.closed_set(object.of, name);
    allowed.is_empty() || allowed.iter().any(|value| value == text)
}

/// The role that a template makes of an item, or why it can be none. A role in the name of a group has to be read
/// back from there.
fn role_of(model: &Model, object: &Object, item: &Item, template: &Template) -> Result<Option<String>, String> {
    let lookup = model.lookup(object.of, &object.names, Some(item));
    if model.item(object.of).members.is_empty() {
        let is_outside = |name: &&str| lookup(name).is_some_and(|text| !is_value(model, object, name, &text));
        return match template.names().find(is_outside) {
            Some(name) => Err(none_of(model, object, name)),
            None => Ok(template.render(&lookup).ok()),
        };
    }
    match model.checked_text(object.of, template, &lookup) {
        Ok(role) => Ok(Some(role)),
        Err(CognitoNameError::Refused { name, why, .. }) => Err(format!("`{name}` cannot stand in a role: {why}")),
        Err(_) => Ok(None),
    }
}

fn none_of(model: &Model, object: &Object, name: &str) -> String {
    format!("`{name}` is none of {}", model.closed_set(object.of, name).join(", "))
}

/// Why an item's roles can be none. A value that is absent gives none.
pub(crate) fn refused_role(model: &Model, object: &Object, item: &Item) -> Option<String> {
    let grant = model.item(object.of).grant.as_ref()?;
    match &grant.roles {
        Roles::None => None,
        Roles::Template(template) => role_of(model, object, item, template).err(),
        Roles::Attribute(spellings) => {
            let (attribute, value) = first_value(item, spellings)?;
            let texts = value.texts().unwrap_or_default();
            let is_outside = |name: &&String| texts.iter().any(|text| !is_value(model, object, name, text));
            let name = grant.role_names.iter().find(is_outside)?;
            let is = if texts.len() > 1 { "has a value that is" } else { "is" };
            Some(format!("`{attribute}` {is} none of {}", model.closed_set(object.of, name).join(", ")))
        }
    }
}

/// Whether the window of a grant is open at `now`. A moment that cannot be parsed closes it.
#[must_use]
pub fn in_window(grant: &Grant, item: &Item, now: Timestamp) -> bool {
    let open = time(&grant.from, item).is_none_or(|from| beginning(from).is_some_and(|from| from <= now));
    let closed = time(&grant.until, item).is_some_and(|until| end(until).is_none_or(|until| until <= now));
    open && !closed
}

/// The window of a grant as an image has it, so that a change of the window counts as a change of
/// what the grant grants.
pub(crate) fn window(ty: &ItemType, image: &Item) -> Vec<Option<Value>> {
    let grant = ty.grant.iter();
    grant.flat_map(|grant| grant.from.iter().chain(&grant.until)).map(|path| value_at(image, path).cloned()).collect()
}

/// A Cognito membership that an item implies while the objects that it depends on exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Membership {
    /// The Cognito user's name, or its `sub`.
    pub user: String,
    /// The Cognito group's name.
    pub group: String,
    /// Whether that is the user's `sub`. A `sub` is never used as a name: somebody else may have that name.
    #[serde(default, skip_serializing_if = "is_name")]
    pub sub: bool,
    /// The name of the user's account, if the pool has made another one.
    #[serde(skip)]
    pub username: Aside<Option<String>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_name(sub: &bool) -> bool {
    !*sub
}

impl Membership {
    /// That of a user with this name.
    #[must_use]
    pub fn named(user: impl Into<String>, group: impl Into<String>) -> Self {
        Self { user: user.into(), group: group.into(), sub: false, username: Aside(None) }
    }
}

/// A Cognito name that an item asks for, or why Cognito refuses it.
pub(crate) type NameOrError = Result<String, CognitoNameError>;

/// The memberships in the pool that an item implies, without those whose names Cognito refuses, and without those that are
/// in tokens alone.
#[must_use]
pub fn memberships(model: &Model, object: &Object, item: &Item) -> BTreeSet<Membership> {
    let rules = model.item(object.of).members.iter().filter(|rule| !rule.in_token);
    let roles = roles(model, object, item);
    rules.flat_map(|member| implied(model, member, object, item, &roles)).map(|(_, membership)| membership).collect()
}

/// The memberships that an item implies, also those that are in tokens alone.
#[must_use]
pub fn memberships_anywhere(model: &Model, object: &Object, item: &Item) -> BTreeSet<Membership> {
    let rules = model.item(object.of).members.iter();
    let roles = roles(model, object, item);
    rules.flat_map(|member| implied(model, member, object, item, &roles)).map(|(_, membership)| membership).collect()
}

/// The Cognito memberships that an item implies by one of its rules.
#[must_use]
pub fn memberships_of(model: &Model, member: &CognitoMember, object: &Object, item: &Item) -> BTreeSet<Membership> {
    let roles = roles(model, object, item);
    implied(model, member, object, item, &roles).map(|(_, membership)| membership).collect()
}

/// The memberships that an item implies by one of its rules while it has these of its roles, keyed by the
/// object that has the group. The key is `None` if no object has it.
#[must_use]
pub fn memberships_by_group(
    model: &Model,
    member: &CognitoMember,
    object: &Object,
    item: &Item,
    roles: &[Option<String>],
) -> BTreeMap<Option<Object>, BTreeSet<Membership>> {
    let mut found: BTreeMap<Option<Object>, BTreeSet<Membership>> = BTreeMap::new();
    for (of, membership) in implied(model, member, object, item, roles) {
        found.entry(of).or_default().insert(membership);
    }
    found
}

/// The memberships that an item implies by one of its rules, each with the object that has its group.
fn implied(
    model: &Model,
    member: &CognitoMember,
    object: &Object,
    item: &Item,
    roles: &[Option<String>],
) -> impl Iterator<Item = (Option<Object>, Membership)> {
    // The record of an item whose key is not canonical is parked: it grants nothing until it is written under
    // another key, also if the item is found by another one.
    let applies = member.when.holds(&object.names, item) && model.has_canonical_key(object);
    let user = applies.then(|| member_user(model, member, object, item)?.ok()).flatten();
    let sub = user_value(model, member) == Some(UserValue::Sub);
    user.into_iter().flat_map(move |user| {
        let groups = member_groups(model, member, object, item, (roles, targets)).into_iter();
        groups.filter_map(move |(of, group)| {
            Some((of, Membership { sub, ..Membership::named(user.clone(), group.ok()?) }))
        })
    })
}

/// By what a rule names people who sign up. `None` if it names the users of items.
#[must_use]
pub fn user_value(model: &Model, member: &CognitoMember) -> Option<UserValue> {
    match member.user {
        Subject::Link(link) => model.item(model.link(link).to).user_value,
        Subject::Itself => None,
    }
}

/// The user of a rule of an item.
fn member_user(model: &Model, member: &CognitoMember, object: &Object, item: &Item) -> Option<NameOrError> {
    let user = subject(model, &member.user, object, Some(item))?;
    // INVARIANT 2: a name that people choose has to be read back from its template, as all others are: no value of an
    // attribute makes it the name of an item's user.
    let of_name = match member.user {
        Subject::Link(link) if user_value(model, member) == Some(UserValue::Name) => {
            let lookup = model.lookup(object.of, &object.names, Some(item));
            let mut templates = model.link(link).names.values();
            templates.find_map(|template| model.cognito_name(object.of, template, &lookup).err())
        }
        Subject::Link(_) | Subject::Itself => None,
    };
    of_name.map_or_else(|| asked_user_name(model, &user), |error| Some(Err(error)))
}

/// The objects that a link of an item leads to.
type Targets = fn(&Model, LinkId, &Object, Option<&Item>) -> BTreeSet<Object>;

/// The groups that a rule of an item names for some of its roles, each with the object that has it.
pub(crate) fn member_groups(
    model: &Model,
    member: &CognitoMember,
    object: &Object,
    item: &Item,
    (roles, targets): (&[Option<String>], Targets),
) -> Vec<(Option<Object>, NameOrError)> {
    let Some(link) = member.group_link() else {
        let lookup = model.lookup(object.of, &object.names, Some(item));
        let Some(each) = member.group.each() else {
            let names = group_names(model, member, object.of, roles, &lookup);
            return names.into_iter().map(|name| (None, name)).collect();
        };
        let texts = model.list(each, Some(item)).unwrap_or_default();
        let names = texts.iter().flat_map(|text| {
            let with_text = |name: &str| if name == each { Some(Cow::from(text)) } else { lookup(name) };
            group_names(model, member, object.of, roles, &with_text)
        });
        return names.map(|name| (None, name)).collect();
    };
    let names = targets(model, link, object, Some(item)).into_iter().flat_map(|group| {
        let names = group_names(model, member, group.of, roles, &model.lookup(group.of, &group.names, None));
        names.into_iter().map(move |name| (Some(group.clone()), name)).collect::<Vec<_>>()
    });
    names.collect()
}

/// The name of a group for each role.
fn group_names<'l>(
    model: &Model,
    member: &CognitoMember,
    of: TypeId,
    roles: &'l [Option<String>],
    lookup: &dyn Fn(&str) -> Option<Cow<'l, str>>,
) -> Vec<NameOrError> {
    let group = |role: &Option<String>| {
        let is_role = |name: &str| *name == member.role;
        let with_role = |name: &str| role.as_ref().filter(|_| is_role(name)).map(Cow::from).or_else(|| lookup(name));
        model.cognito_name(of, &member.group, &with_role)
    };
    roles.iter().map(group).collect()
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
    targets(model, link, object, item).into_iter().next()
}

/// The objects that a link leads to: one, or one for each text of a list.
#[must_use]
pub fn targets(model: &Model, link: LinkId, object: &Object, item: Option<&Item>) -> BTreeSet<Object> {
    let targets = asked_targets(model, link, object, item);
    // No item has such a key. The record was parked.
    targets.filter(|target| model.check_names(target).is_ok()).collect()
}

/// The objects that a link names, whether or not their keys can exist.
pub(crate) fn named_targets(model: &Model, link: LinkId, object: &Object, item: Option<&Item>) -> BTreeSet<Object> {
    asked_targets(model, link, object, item).collect()
}

/// The object that a subject names, whether or not its key can exist: for events, whose names must not
/// depend on that, and for what an earlier model made.
pub(crate) fn named_subject(model: &Model, subject: &Subject, object: &Object, item: Option<&Item>) -> Option<Object> {
    match subject {
        Subject::Itself => Some(object.clone()),
        Subject::Link(link) => asked_targets(model, *link, object, item).next(),
    }
}

/// The object that a scope names, whether or not its item can exist.
pub(crate) fn named_scope_object(model: &Model, links: &[LinkId], object: &Object, item: &Item) -> Option<Object> {
    links.iter().find_map(|link| asked_targets(model, *link, object, Some(item)).next())
}

fn asked_targets(model: &Model, link: LinkId, object: &Object, item: Option<&Item>) -> impl Iterator<Item = Object> {
    let link = model.link(link);
    model.link_targets(link, &object.names, item).into_iter().map(|names| identified(model, link, names))
}

/// The object that a link names. The link may also have names for an index query, which are no part of
/// the object's identity.
#[must_use]
pub fn identified(model: &Model, link: &Link, mut names: Names) -> Object {
    names.retain(|name, _| link.beside_key.contains(name) || model.item(link.to).has_in_key(name));
    Object { of: link.to, names }
}

/// Whether an object that is known by some names can be the one with these.
pub(crate) fn has_names(names: &Names, known: &Object) -> bool {
    known.names.iter().all(|(name, text)| names.get(name) == Some(text))
}

/// The same for an object that a link names: those beside the key are no names of it.
pub(crate) fn has_names_in_key(link: &Link, names: &Names, known: &Object) -> bool {
    let has = |(name, text): (&String, &String)| link.beside_key.contains(name) || names.get(name) == Some(text);
    known.names.iter().all(has)
}

/// The objects as which an item of this object is known by attributes that its key does not have: under each link of
/// items that refer to it so.
pub(crate) fn known_by_attributes(model: &Model, object: &Object, item: &Item) -> BTreeSet<(LinkId, Object)> {
    let lookup = model.lookup(object.of, &object.names, Some(item));
    let links = model.links_to(object.of).filter(|(_, link)| !link.beside_key.is_empty());
    let known = links.filter_map(|(id, link)| {
        let beside_key = link.beside_key.iter().map(|name| Some((name.clone(), lookup(name)?.into_owned())));
        let mut names = beside_key.collect::<Option<Names>>()?;
        let in_key = object.names.iter().filter(|(name, _)| link.names.contains_key(*name));
        names.extend(in_key.map(|(name, text)| (name.clone(), text.clone())));
        Some((id, Object { of: object.of, names }))
    });
    known.collect()
}

/// The error if a link of an item leads to a key that cannot exist.
pub(crate) fn unwritable_reference(model: &Model, object: &Object, item: &Item) -> Option<RenderError> {
    // A guard whose attributes are no name of an owner stays as it is, as one without an owner.
    let links = model.links_from(object.of).filter(|(_, link)| !model.is_of_owner(link));
    let mut targets = links.flat_map(|(id, _)| asked_targets(model, id, object, Some(item)));
    targets.find_map(|mut target| {
        let ty = model.item(target.of);
        // Names beside the key say nothing about it.
        target.names.retain(|name, _| ty.has_in_key(name));
        let forms = &ty.forms;
        let is_whole = forms.iter().any(|form| form.names.iter().eq(target.names.keys()));
        // The names of two spellings are no part of a key.
        let is_part = forms.iter().any(|form| target.names.keys().all(|name| form.names.contains(name)));
        let is_written = || if is_whole || !is_part { model.keys(&target).map(drop) } else { Ok(()) };
        model.check_names(&target).and_then(|()| is_written()).err()
    })
}

/// The scope of a grant as a text for events: the id of its item, or its value.
#[must_use]
pub fn scope_text(model: &Model, grant: &Grant, object: &Object, item: &Item) -> Option<String> {
    match &grant.scope {
        Scope::Global => None,
        Scope::Links(_) => scope_item(model, grant, object, item).map(|scope| model.id_text(&scope)),
        Scope::Value(template) => template.render(&model.lookup(object.of, &object.names, Some(item))).ok(),
    }
}

/// The item that is the scope of a grant, if one is.
#[must_use]
pub fn scope_item(model: &Model, grant: &Grant, object: &Object, item: &Item) -> Option<Object> {
    let Scope::Links(links) = &grant.scope else { return None };
    links.iter().find_map(|link| target(model, *link, object, Some(item)))
}

/// The Cognito user name of an item that has a user. `None` if Cognito refuses the name.
#[must_use]
pub fn user_name(model: &Model, object: &Object) -> Option<String> {
    asked_user_name(model, object)?.ok()
}

fn asked_user_name(model: &Model, object: &Object) -> Option<NameOrError> {
    let user = model.item(object.of).user.as_ref()?;
    Some(user_name_by(model, &user.name, object))
}

/// The Cognito user name that a template makes of an object.
pub(crate) fn user_name_by(model: &Model, template: &Template, object: &Object) -> NameOrError {
    model.cognito_name(object.of, template, &model.lookup(object.of, &object.names, None))
}

/// The desired state of a Cognito user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DesiredUser {
    /// Whether the user can sign in.
    pub enabled: bool,
    /// Cognito attributes. `None` if the item lacks what the value is made of, or does not hold the value.
    pub attributes: BTreeMap<String, Option<String>>,
}

/// The state of the Cognito user of an item that holds all its unique values.
#[must_use]
pub fn user_state(model: &Model, user: &CognitoUser, object: &Object, item: &Item) -> DesiredUser {
    let lookup = model.lookup(object.of, &object.names, Some(item));
    let attributes =
        user.attributes.iter().map(|(name, template)| (name.clone(), template.render(&lookup).ok())).collect();
    let is_disabled = user.disabled.as_ref().is_some_and(|disabled| disabled.holds(&object.names, item));
    DesiredUser { enabled: !is_disabled, attributes }
}

/// What an image says about the Cognito user of its item: the user's state, the secrets from which the state follows,
/// and the unique values among its attributes. An image from the work queue has its secrets masked. It shows only
/// whether a secret was changed: then the present item says what follows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UserImage<'m> {
    state: DesiredUser,
    secrets: Vec<Option<Value>>,
    unique: BTreeMap<&'m str, BTreeSet<Object>>,
}

pub(crate) fn user_image<'m>(model: &Model, user: &'m CognitoUser, object: &Object, image: &Item) -> UserImage<'m> {
    let disabled = user.disabled.iter().flat_map(Condition::attributes);
    let secrets = disabled.filter(|name| model.secret.contains(*name)).map(|name| image.get(name).cloned()).collect();
    let (state, unique) = (user_state(model, user, object, image), unique_attributes(model, user, object, image));
    UserImage { state, secrets, unique }
}

/// Whether people alone decide about the Cognito user of an item: Instep neither creates it, nor
/// keeps anything of it.
#[must_use]
pub fn is_left_to_people(user: &CognitoUser) -> bool {
    user.create == Create::Never && user.attributes.is_empty() && user.disabled.is_none()
}

/// Whether an item has a Cognito user.
#[must_use]
pub fn has_user(model: &Model, object: &Object, item: &Item) -> bool {
    model.item(object.of).user.as_ref().is_some_and(|user| user.when.holds(&object.names, item))
}

/// For each rule for the groups of an item, whether its condition is met now.
#[must_use]
pub fn active_groups(model: &Model, object: &Object, item: &Item) -> Vec<bool> {
    model.item(object.of).groups.iter().map(|groups| groups.when.holds(&object.names, item)).collect()
}

/// All groups of the pool that an object may have, without those whose names Cognito refuses. Each with
/// the index of its rule.
#[must_use]
pub fn groups(model: &Model, object: &Object) -> Vec<(usize, String)> {
    groups_by_rule(model, object).map(|(place, _, _, name)| (place, name)).collect()
}

/// The same, each with its rule, and with the value that it is for if the rule gives a group for each value.
pub(crate) fn groups_by_rule<'m>(
    model: &'m Model,
    object: &Object,
) -> impl Iterator<Item = (usize, &'m CognitoGroups, Option<&'m str>, String)> {
    let rules = model.item(object.of).groups.iter().enumerate().filter(|(_, groups)| !groups.in_token);
    rules.flat_map(move |(place, groups)| {
        let asked = asked_groups(model, groups, object).into_iter();
        asked.filter_map(move |(value, name)| Some((place, groups, value, name.ok()?)))
    })
}

/// The groups of a rule: the name of each, with the value that it is for if the rule gives a group for each value.
pub(crate) fn asked_groups<'m>(
    model: &'m Model,
    groups: &CognitoGroups,
    object: &Object,
) -> Vec<(Option<&'m str>, NameOrError)> {
    let lookup = model.lookup(object.of, &object.names, None);
    let Some(each) = &groups.each else { return vec![(None, model.cognito_name(object.of, &groups.name, &lookup))] };
    let values = model.closed_set(object.of, each).iter();
    let group = |value: &'m String| {
        let with_value = |name: &str| if name == each { Some(Cow::from(value)) } else { lookup(name) };
        (Some(value.as_str()), model.cognito_name(object.of, &groups.name, &with_value))
    };
    values.map(group).collect()
}

/// Why Cognito refuses names that an item asks for. An item that lacks a part of a name does not
/// ask for that name.
pub(crate) fn refused_names(model: &Model, object: &Object, item: &Item) -> Vec<CognitoNameError> {
    let groups = &model.item(object.of).groups;
    let own = groups.iter().flat_map(|groups| asked_groups(model, groups, object));
    let mut names: Vec<NameOrError> = own.map(|(_, name)| name).collect();
    names.extend(asked_user_name(model, object));
    let roles = roles(model, object, item);
    for member in &model.item(object.of).members {
        names.extend(member_user(model, member, object, item));
        names.extend(member_groups(model, member, object, item, (&roles, targets)).into_iter().map(|(_, name)| name));
    }
    let errors = names.into_iter().filter_map(Result::err);
    errors.filter(|error| !matches!(error, CognitoNameError::Missing { .. })).collect()
}
