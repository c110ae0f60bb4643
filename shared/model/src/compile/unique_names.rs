//! INVARIANT 1, one target for one item: a Cognito name determines the item that has it, and no two
//! templates of Cognito names give the same name.

use std::collections::BTreeMap;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftItem, DraftScope, ROLE};
use crate::matching::Texts;
use crate::messages::list;
use crate::model::{CognitoMember, ItemType, KeyForm, Link, Made, Roles, Scope, TypeId};
use crate::source::Located;
use crate::template::{Slot, Template, TemplatePart, base, prefix};

use super::context::{Context, TypeContext};
use super::items::names_from_key;
use super::key_overlap::pairs;
use super::key_overlap::witness;

/// A template of Cognito names, and its item type.
struct Named<'a> {
    item: &'a DraftItem,
    template: &'a Located<Template>,
    texts: Texts<'a>,
    /// What a group on demand is of. Memberships of one scope with the same template may share a
    /// group: it is one group.
    shared: Option<Vec<ScopeOf>>,
    /// Only people create the group.
    by_hand: bool,
}

/// A scope of a grant, as the names of its item determine it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ScopeOf {
    /// The type of the scope's item. `None` for a scope that is only a value.
    to: Option<TypeId>,
    /// The name and the value that select this scope, for a reference by type.
    when: Option<(String, String)>,
    /// The templates of the scope's names.
    names: Vec<String>,
    /// The names of the item in these templates, and the name that selects the scope. Whether only their text in
    /// lower case matters.
    sources: BTreeMap<String, bool>,
}

pub(super) fn check(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let mut users = Vec::new();
    let mut groups = Vec::new();
    for (entry, item) in context.items.iter().zip(items) {
        let named = |template| Named {
            item: entry.draft,
            template,
            texts: context.texts(entry.id),
            shared: None,
            by_hand: false,
        };
        // Values are kept apart from the users of items by `user_values`.
        if let Some(user) = entry.draft.user.as_ref().filter(|_| item.user_value.is_none()) {
            check_item_named(context, entry, (&user.name, "user"), mistakes);
            users.push(named(&user.name));
        }
        for own in &entry.draft.groups {
            check_item_named(context, entry, (&own.name, "group"), mistakes);
            groups.push(named(&own.name));
        }
        for member in &entry.draft.members {
            let DraftScope::Value(template) = &member.group else { continue };
            let by_hand = member.made.as_ref().is_some_and(|made| made.value == Made::ByHand);
            let scopes = scopes(item, links);
            if !by_hand {
                check_scope_named(context, entry, template, &scopes, mistakes);
            }
            groups.push(Named { shared: Some(scopes), by_hand, ..named(template) });
        }
    }
    apart(&users, "user", mistakes);
    apart(&groups, "group", mistakes);
}

/// The names whose values a template's text determines: those in it, and a name with a shape if all
/// names in the shape are determined, and have their text from there. Only in a key is a name known to be in
/// lower case, or to have one of its fixed values. With `in_lower`, only its text in lower case matters.
pub(super) fn determined(
    context: &Context<'_>,
    of: TypeId,
    template: &Template,
    (wanted, in_lower): (&str, bool),
) -> bool {
    let texts = context.texts(of);
    let in_every_key = names_from_key(context, of).contains(wanted);
    let is_fixed = in_every_key && texts.values_of(wanted).is_some_and(|values| values.len() == 1);
    let is_in_it = |slot: &Slot| slot.name == wanted && (in_every_key || in_lower || !slot.lower);
    // This ends: shapes do not contain themselves.
    let inner = |like: &Template| {
        like.names().map(|name| format!("{}{name}", prefix(wanted))).all(|name| {
            let in_key = |name: &str| context.entry(of).key_names.contains(name);
            determined(context, of, template, (&name, in_lower)) && texts.is_only_source(&in_key, wanted, &name)
        })
    };
    let of_shape = context.rules.names.get(base(wanted)).and_then(|rule| rule.like.as_ref());
    is_fixed || template.slots().any(is_in_it) || of_shape.is_some_and(inner)
}

/// Like [`determined`], by the text of a membership's group. A role of the grant stands in it for one
/// name, whatever the item has under that name.
pub(super) fn determined_by_group(
    context: &Context<'_>,
    (of, item): (TypeId, &ItemType),
    member: &CognitoMember,
    wanted: (&str, bool),
) -> bool {
    let is_role = match item.grant.as_ref().map(|grant| &grant.roles) {
        None | Some(Roles::None) => false,
        Some(Roles::Template(template)) => template.as_single().is_none_or(|slot| *slot != Slot::plain(&member.role)),
        Some(Roles::Attribute(_)) => true,
    };
    let is_other =
        |part: &&TemplatePart| !matches!(part, TemplatePart::Name(slot) if is_role && slot.name == member.role);
    let others = Template::from_parts(member.group.parts().iter().filter(is_other).cloned());
    determined(context, of, &others, wanted)
}

/// The name of an item's user or group has every name of the item's key, in every form of the key.
/// Otherwise two items have one user or group.
fn check_item_named(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (template, what): (&Located<Template>, &str),
    mistakes: &mut Mistakes,
) {
    let lost: Vec<&String> =
        entry.key_names.iter().filter(|name| !determined(context, entry.id, &template.value, (name, false))).collect();
    let bound = names_from_key(context, entry.id);
    let is_free = |name: &str| !bound.contains(name) && context.texts(entry.id).values_of(name).is_none();
    // A name without a source was reported already.
    if lost.is_empty() || template.value.names().any(is_free) {
        return;
    }
    let (item, names) = (&entry.draft.name.value, list(&lost));
    let message = format!("two `{item}` items can have the same Cognito {what}: its name lacks {names}");
    let in_all = |name: &&String| entry.is_in_every_key(name);
    let help = match lost.iter().find(|name| !in_all(name)) {
        Some(name) => {
            format!("only some spellings of the key have `{name}`: split `{item}` into an item type for each")
        }
        None if what == "user" => with_own_user(entry, &template.value),
        None => format!("add {names} to the name, such as `{}`", with_names(&template.value, &lost)),
    };
    mistakes.add(Mistake::new(template.span, message, format!("which `{item}` is this?")).help(help));
}

/// What to do if several items are of one user: the user is somebody who signs up, or an item of its own.
fn with_own_user(entry: &TypeContext<'_>, name: &Template) -> String {
    let item = &entry.draft.name.value;
    let id = name.names().next().unwrap_or("userId");
    let name = format!("{{{id}}}");
    format!(
        "if people sign up, write `cognito.member.user = {{ sub = \"{name}\" }}` instead of `cognito.user`; if Instep \
         creates the user, give the user an item type of its own with a key such as `USER#{name}`, and let `{item}` refer \
         to it"
    )
}

/// A template with names before it: `{t}:{g}` for `{g}`.
fn with_names(template: &Template, names: &[&String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{{{name}}}:")).collect();
    format!("{}{template}", names.concat())
}

/// The scopes of an item's grant. Empty if it has no grant, or one that applies everywhere.
fn scopes(item: &ItemType, links: &[Link]) -> Vec<ScopeOf> {
    let names_of = |template: &Template| sources([template]);
    let mut scopes: Vec<ScopeOf> = match item.grant.as_ref().map(|grant| &grant.scope) {
        None | Some(Scope::Global) => Vec::new(),
        Some(Scope::Value(template)) => {
            let names = vec![template.to_string()];
            vec![ScopeOf { to: None, when: None, names, sources: names_of(template) }]
        }
        Some(Scope::Links(ids)) => {
            let links = ids.iter().filter_map(|id| links.get(id.0));
            let scope = |link: &Link| {
                let by = link.when.iter().map(|(name, _)| (name.clone(), false));
                ScopeOf {
                    to: Some(link.to),
                    when: link.when.clone(),
                    names: link.names.iter().map(|(name, template)| format!("{name}={template}")).collect(),
                    sources: sources(link.names.values()).into_iter().chain(by).collect(),
                }
            };
            links.map(scope).collect()
        }
    };
    scopes.sort();
    scopes
}

/// The names in templates, each with whether all of these write it in lower case.
pub(super) fn sources<'t>(templates: impl IntoIterator<Item = &'t Template>) -> BTreeMap<String, bool> {
    let mut sources = BTreeMap::new();
    for slot in templates.into_iter().flat_map(Template::slots) {
        *sources.entry(slot.name.clone()).or_insert(true) &= slot.lower;
    }
    sources
}

/// The name of a group that is created on demand determines the scope of the grant. Otherwise a
/// grant in one scope gives access in another, and its revocation takes that of another away.
fn check_scope_named(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    template: &Located<Template>,
    scopes: &[ScopeOf],
    mistakes: &mut Mistakes,
) {
    let has_roles = entry.draft.grant.as_ref().is_some_and(|g| !g.roles.is_empty() || g.roles_template.is_some());
    let mut names: BTreeMap<&String, bool> = BTreeMap::new();
    for (name, in_lower) in scopes.iter().flat_map(|scope| &scope.sources) {
        *names.entry(name).or_insert(true) &= in_lower;
    }
    // `{role}` is a role of the grant, not a name of its scope.
    let is_role = |name: &str| has_roles && name == ROLE;
    let lost: Vec<&String> = names
        .into_iter()
        .filter(|(name, in_lower)| is_role(name) || !determined(context, entry.id, &template.value, (name, *in_lower)))
        .map(|(name, _)| name)
        .collect();
    if lost.is_empty() {
        return;
    }
    let (item, names) = (&entry.draft.name.value, list(&lost));
    let is_lowered = |slot: &&Slot| slot.lower && lost.iter().any(|name| **name == slot.name);
    let is_in_parts = |name: &&&String| {
        let like = context.rules.names.get(base(name)).and_then(|rule| rule.like.as_ref());
        like.is_some_and(|like| like.names().all(|inner| template.value.names().any(|own| own == inner)))
    };
    let (why, help) = if let Some(slot) = template.value.slots().find(is_lowered) {
        let help = format!("remove `lower`: an attribute `{}` may have two values that differ in case only", slot.name);
        (format!("`{slot}` is in lower case"), help)
    } else if let Some(name) = lost.iter().find(is_in_parts) {
        let help = format!("write `{{{name}}}` instead: attributes with the names of the parts count before them");
        (format!("its name has only parts of `{name}`"), help)
    } else {
        let help = format!(
            "add {names}, which the scope of `{item}` is made of, such as `{}`; or remove `scope`: \
             the grant then applies everywhere",
            with_names(&template.value, &lost)
        );
        (format!("its name lacks {names}"), help)
    };
    let message = format!("grants in two scopes can have the same Cognito group: {why}");
    mistakes.add(Mistake::new(template.span, message, "of which scope is this group?").help(help));
}

fn apart(named: &[Named<'_>], what: &str, mistakes: &mut Mistakes) {
    let form = |named: &Named<'_>| KeyForm {
        pk: named.template.value.clone(),
        sk: Template::default(),
        names: named.template.value.names().map(str::to_owned).collect(),
    };
    let forms: Vec<KeyForm> = named.iter().map(form).collect();
    for (first, second) in pairs(&forms.iter().collect::<Vec<_>>()) {
        let (Some(one), Some(other)) = (named.get(first), named.get(second)) else { continue };
        let (Some(first), Some(second)) = (forms.get(first), forms.get(second)) else { continue };
        if may_be_one(one, other) {
            continue;
        }
        let Some(found) = witness(&one.texts, first, &other.texts, second) else { continue };
        let both = format!("`{}` {} both", found.key.pk, if found.is_sure { "matches" } else { "may match" });
        mistakes.add(match (one.by_hand, other.by_hand) {
            (true, _) => in_two_ways(one, other, &both),
            (_, true) => in_two_ways(other, one, &both),
            (false, false) => same_name(one, other, what, &both),
        });
    }
}

/// Whether two groups may have one name: both are created by people, or they are one group on demand. One group in
/// two memberships of one item type is checked with these.
fn may_be_one(one: &Named<'_>, other: &Named<'_>) -> bool {
    let is_same = one.shared.is_some() && one.template.value == other.template.value;
    if one.by_hand == other.by_hand {
        one.by_hand || is_same && one.shared == other.shared
    } else {
        is_same && other.shared.is_some() && one.item.name.value == other.item.name.value
    }
}

fn same_name(one: &Named<'_>, other: &Named<'_>, what: &str, both: &str) -> Mistake {
    let (first, second) = (&one.item.name.value, &other.item.name.value);
    let message = format!("`{first}` and `{second}` can have the same Cognito {what}");
    let or = if what == "group" { ", or name the item type that creates the group" } else { "" };
    let help = format!("{both}: begin one of them with its own constant{or}");
    Mistake::new(other.template.span, message, format!("the {what} of `{second}`"))
        .also(one.template.span, format!("the {what} of `{first}`"))
        .help(help)
}

/// Instep deletes the groups that it creates, so it creates none of those that people create.
fn in_two_ways(people: &Named<'_>, created: &Named<'_>, both: &str) -> Mistake {
    let of = &created.item.name.value;
    let message = format!("people create this group, and Instep creates it for `{of}`");
    let instead = if created.shared.is_some() {
        "write the same `made` in both".to_owned()
    } else {
        format!("write `group = \"{of}\"` without `made`")
    };
    Mistake::new(people.template.span, message, "who creates it?")
        .also(created.template.span, "and this")
        .help(format!("{both}: {instead}, or begin one of them with its own constant"))
}
