//! The relations of items to each other and to Cognito: parents, edges, grants, guards, users,
//! groups, memberships; and what is published of each.

use std::collections::BTreeSet;

use crate::cognito::{COGNITO_NAME_MAX_CHARS, has_white_space};
use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftEdge, DraftGrant, DraftMember, DraftScope, DraftUser, Reference};
use crate::messages::list;
use crate::model::{
    CognitoGroups, CognitoMember, CognitoUser, Grant, ItemType, LastRevoked, LinkId, Made, Roles, Scope, Subject,
    TypeId, Verb,
};
use crate::source::At;
use crate::template::{Part, Slot, Template};

use super::context::{Context, Entry};
use super::guards;
use super::items::{check_names, names_from_key, plain, plain_values, unbound};
use super::links::{LinkReason, Links, Resolution};

/// The name for one of a grant's roles.
pub(super) const ROLE: &str = "role";

/// Adds the relations of item types.
pub(super) fn relate(
    context: &Context<'_>,
    items: &mut [ItemType],
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) {
    let mut owners: BTreeSet<TypeId> = BTreeSet::new();
    for (entry, item) in context.items.iter().zip(items.iter_mut()) {
        for parent in &entry.draft.parents {
            let reason = LinkReason { role: "parent", deleted_with: true, needed: false, is_edge_end: false };
            links.resolve(entry.id, parent, reason, mistakes);
        }
        if let Some(edge) = &entry.draft.edge {
            relate_edge(entry, edge, links, mistakes);
        }
        if let Some(grant) = &entry.draft.grant {
            item.grant = relate_grant(context, entry, grant, links, mistakes);
        }
        item.user = entry.draft.user.as_ref().map(|user| cognito_user(context, entry, user, mistakes));
        item.groups = entry.draft.groups.as_ref().map(|groups| cognito_groups(context, entry, groups, mistakes));
        if let Some(member) = &entry.draft.member {
            item.member = cognito_member(context, entry, member, links, mistakes);
        }
        item.guard = entry.draft.guard.as_ref().and_then(|guard| guards::guard(context, entry, guard, mistakes));
        owners.extend(item.guard.as_ref().map(|guard| guard.owner));
    }
    for (entry, item) in context.items.iter().zip(items.iter_mut()) {
        publish(entry, item, owners.contains(&entry.id), mistakes);
    }
}

fn relate_edge(entry: &Entry<'_>, edge: &DraftEdge, links: &mut Links<'_, '_>, mistakes: &mut Mistakes) {
    let [(one_name, one), (other_name, other)] = edge.ends.as_slice() else {
        let help = "name both, such as `edge = { parent = \"Folder\", child = \"Document\" }`";
        mistakes.add(Mistake::new(edge.span, "an edge has two ends", "here").help(help));
        return;
    };
    let mut end = |name: &At<String>, reference: &Reference, mistakes: &mut Mistakes| {
        let reason = LinkReason { role: &name.value, deleted_with: true, needed: false, is_edge_end: true };
        match links.resolve(entry.id, reference, reason, mistakes) {
            Resolution::Links(links) => links,
            Resolution::Itself | Resolution::Failed => Vec::new(),
        }
    };
    let (one_links, other_links) = (end(one_name, one, mistakes), end(other_name, other, mistakes));
    let Some(takes) = &edge.takes else { return };
    let (from, to) = if takes.value == other_name.value {
        (one_links, other_links)
    } else if takes.value == one_name.value {
        (other_links, one_links)
    } else {
        let known = [one_name.value.as_str(), other_name.value.as_str()];
        let message = format!("`{}` is not an end of this edge", takes.value);
        mistakes.add(Mistake::new(takes.span, message, "not known").help(format!("its ends are {}", list(&known))));
        return;
    };
    if let [taken] = to.as_slice() {
        for link in from {
            links.cascade(link, *taken);
        }
    } else if !to.is_empty() {
        let message = format!("`{}` can be of several item types", takes.value);
        let help = "name one item type at the end that `takes` names";
        mistakes.add(Mistake::new(takes.span, message, "which of them is deleted?").help(help));
    }
}

fn subject(
    entry: &Entry<'_>,
    reference: &Reference,
    role: &str,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<Subject> {
    let reason = LinkReason { role, deleted_with: false, needed: true, is_edge_end: false };
    match links.resolve(entry.id, reference, reason, mistakes) {
        Resolution::Itself => Some(Subject::Itself),
        Resolution::Links(links) => match links.as_slice() {
            [link] => Some(Subject::Link(*link)),
            _ => {
                let message = format!("`{}` can be of several item types", reference.to.value);
                let help = format!("a `{role}` is always of one item type: name that");
                mistakes.add(Mistake::new(reference.to.span, message, "which of them?").help(help));
                None
            }
        },
        Resolution::Failed => None,
    }
}

fn relate_grant(
    context: &Context<'_>,
    entry: &Entry<'_>,
    grant: &DraftGrant,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<Grant> {
    let who = subject(entry, &grant.subject, "subject", links, mistakes);
    let scope = match &grant.scope {
        None => Some(Scope::Global),
        Some(DraftScope::Value(template)) => {
            check_names(context, entry.id, template, &[], mistakes);
            Some(Scope::Value(template.value.clone()))
        }
        Some(DraftScope::Item(reference)) => {
            let reason = LinkReason { role: "scope", deleted_with: false, needed: true, is_edge_end: false };
            match links.resolve(entry.id, reference, reason, mistakes) {
                Resolution::Links(links) => Some(Scope::Links(links)),
                Resolution::Itself => Some(Scope::Global),
                Resolution::Failed => None,
            }
        }
    };
    if let Some(template) = &grant.roles_template {
        check_names(context, entry.id, template, &[], mistakes);
    }
    let roles = match (&grant.roles_template, grant.roles.as_slice()) {
        (Some(template), _) => Roles::Template(template.value.clone()),
        (None, []) => Roles::None,
        (None, [one]) => match context.rules.names.get(&one.value) {
            Some(rule) if !rule.attributes.is_empty() => Roles::Attribute(rule.attributes.clone()),
            Some(_) | None => Roles::Attribute(vec![one.value.clone()]),
        },
        (None, spellings) => Roles::Attribute(plain(spellings)),
    };
    if let (Some(_), Some(Subject::Itself)) = (&grant.last, &who) {
        let message = format!("a `{}` is its own subject", entry.draft.name.value);
        let help = "`last` deletes another item, the subject, when its last grant is revoked: remove `last`";
        mistakes.add(Mistake::new(grant.subject.to.span, message, "here").help(help));
    }
    let last = grant.last.as_ref().map(|written| LastRevoked { written: plain(written) });
    Some(Grant { subject: who?, scope: scope?, roles, from: plain(&grant.from), until: plain(&grant.until), last })
}

fn cognito_user(context: &Context<'_>, entry: &Entry<'_>, user: &DraftUser, mistakes: &mut Mistakes) -> CognitoUser {
    let names = names_from_key(context, entry.id);
    for name in user.name.value.names().filter(|name| !names.contains(*name)) {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        mistakes.add(unbound(
            &user.name,
            name,
            &known,
            "a user's name must outlive the item, so it is built from its key:",
        ));
    }
    check_cognito_name(context, entry.id, &user.name, mistakes);
    for (_, template) in &user.attributes {
        check_names(context, entry.id, template, &[], mistakes);
    }
    CognitoUser {
        name: user.name.value.clone(),
        create: user.create,
        delete: user.delete,
        disabled: plain_values(&user.disabled),
        attributes: user
            .attributes
            .iter()
            .map(|(attribute, template)| (attribute.value.clone(), template.value.clone()))
            .collect(),
    }
}

fn cognito_groups(
    context: &Context<'_>,
    entry: &Entry<'_>,
    groups: &At<Template>,
    mistakes: &mut Mistakes,
) -> CognitoGroups {
    let names = names_from_key(context, entry.id);
    let texts = context.texts(entry.id);
    let mut each: Option<String> = None;
    for name in groups.value.names().filter(|name| !names.contains(*name)) {
        if texts.values_of(name).is_some() && each.as_deref().is_none_or(|each| each == name) {
            each = Some(name.to_owned());
        } else {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            mistakes.add(unbound(
                groups,
                name,
                &known,
                "groups are built from one name with a closed set and from the key's names:",
            ));
        }
    }
    check_cognito_name(context, entry.id, groups, mistakes);
    CognitoGroups { name: groups.value.clone(), each }
}

/// Cognito's names are 1 to 128 letters, marks, symbols, digits and punctuation
/// (`[\p{L}\p{M}\p{S}\p{N}\p{P}]+`).
fn check_cognito_name(context: &Context<'_>, of: TypeId, template: &At<Template>, mistakes: &mut Mistakes) {
    let mut constant_chars = 0;
    for part in template.value.parts() {
        match part {
            Part::Constant(constant) => {
                constant_chars += constant.chars().count();
                if has_white_space(constant) {
                    let help = "remove the white space: Cognito refuses such names";
                    let mistake = Mistake::new(template.span, "a Cognito name cannot contain white space", "here");
                    mistakes.add(mistake.help(help));
                }
            }
            Part::Name(slot) if !slot.urlencode => {
                let values = context.texts(of).values_of(&slot.name).unwrap_or_default();
                if let Some(value) = values.iter().find(|value| has_white_space(value)) {
                    let message = format!("the value `{value}` of `{}` contains white space", slot.name);
                    let help = format!("write `{{{}|urlencode}}`, or choose another value", slot.name);
                    mistakes.add(Mistake::new(template.span, message, "Cognito refuses such names").help(help));
                }
            }
            Part::Name(_) => {}
        }
    }
    if constant_chars >= COGNITO_NAME_MAX_CHARS {
        let message = format!("the constants alone have {constant_chars} characters");
        let help = format!("Cognito's names have at most {COGNITO_NAME_MAX_CHARS}");
        mistakes.add(Mistake::new(template.span, message, "too long").help(help));
    }
}

fn cognito_member(
    context: &Context<'_>,
    entry: &Entry<'_>,
    member: &DraftMember,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<CognitoMember> {
    let user = subject(entry, &member.user, "user", links, mistakes);
    let user_type = context.type_id(&member.user.to.value);
    if user_type.is_some_and(|of| context.entry(of).draft.user.is_none()) {
        let message = format!("`{}` does not define a Cognito user (`cognito.user`)", member.user.to.value);
        let help = format!("add `cognito.user = {{ name = \"…\" }}` to `[items.{}]`", member.user.to.value);
        mistakes.add(Mistake::new(member.user.to.span, message, "which user is the member?").help(help));
    }
    let has_roles = entry.draft.grant.as_ref().is_some_and(|g| !g.roles.is_empty() || g.roles_template.is_some());
    let (group, group_of, default) = match &member.group {
        DraftScope::Value(template) => {
            check_names(context, entry.id, template, &[ROLE], mistakes);
            check_cognito_name(context, entry.id, template, mistakes);
            if entry.draft.grant.is_some() && !has_roles && template.value.names().any(|name| name == ROLE) {
                let help =
                    "name the attribute of the roles, such as `roles = \"role\"`, or remove `{role}` from the group";
                mistakes.add(Mistake::new(template.span, "this grant has no roles", "`{role}` has no text").help(help));
            }
            (template.value.clone(), None, Made::OnDemand)
        }
        DraftScope::Item(reference) => {
            let (template, link) = group_of(context, entry, reference, has_roles, links, mistakes)?;
            (template, link, Made::WithItem)
        }
    };
    let with_item = matches!(default, Made::WithItem);
    if let Some(made) = member.made.as_ref().filter(|made| matches!(made.value, Made::WithItem) != with_item) {
        let help = if with_item {
            "an item type creates these groups: remove `made`"
        } else {
            "no item type creates this group: write `on-demand` or `by-hand`"
        };
        mistakes.add(Mistake::new(made.span, "this group is not created in this way", "here").help(help));
    }
    let made = member.made.as_ref().map_or(default, |made| made.value);
    Some(CognitoMember { user: user?, group, group_of, made, shared_with: Vec::new() })
}

/// The group of a membership, if an item type has it: the template of that type, in which the
/// role's name is replaced by [`ROLE`].
fn group_of(
    context: &Context<'_>,
    entry: &Entry<'_>,
    reference: &Reference,
    has_roles: bool,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<(Template, Option<LinkId>)> {
    let reason = LinkReason { role: "group", deleted_with: false, needed: true, is_edge_end: false };
    let link = match links.resolve(entry.id, reference, reason, mistakes) {
        Resolution::Itself => None,
        Resolution::Links(links) => match links.as_slice() {
            [link] => Some(*link),
            _ => {
                let message = format!("`{}` can be of several item types", reference.to.value);
                let help = "write the group's name as a template instead";
                mistakes.add(Mistake::new(reference.to.span, message, "which of them creates it?").help(help));
                return None;
            }
        },
        Resolution::Failed => return None,
    };
    let to = context.type_id(&reference.to.value)?;
    let Some(groups) = &context.entry(to).draft.groups else {
        let message = format!("`{}` creates no Cognito groups", reference.to.value);
        let help = format!(
            "add `cognito.groups = \"…\"` to `[items.{}]`, or write the group's name here as a template",
            reference.to.value
        );
        mistakes.add(Mistake::new(reference.to.span, message, "here").help(help));
        return None;
    };
    let bound = names_from_key(context, to);
    let role_of = |part: &Part| match part {
        Part::Name(slot) if !bound.contains(&slot.name) => Part::Name(Slot { name: ROLE.to_owned(), ..slot.clone() }),
        Part::Name(_) | Part::Constant(_) => part.clone(),
    };
    if !has_roles && groups.value.names().any(|name| !bound.contains(name)) {
        let message = format!("`{}` creates a group for each role, but this item has no role", reference.to.value);
        let help = "add `grant = { …, roles = \"role\" }`, or write the group's name here as a template";
        mistakes.add(Mistake::new(reference.to.span, message, "which of the groups?").help(help));
    }
    Some((Template::from_parts(groups.value.parts().iter().map(role_of)), link))
}

/// The verbs that are published of an item type: those of its kinds, or those that the model lists.
fn publish(entry: &Entry<'_>, item: &mut ItemType, is_owner: bool, mistakes: &mut Mistakes) {
    let quiet = item.secret || item.guard.is_some();
    let mut can: BTreeSet<Verb> = BTreeSet::from([Verb::Created, Verb::Updated, Verb::Deleted]);
    let mut does: BTreeSet<Verb> = BTreeSet::new();
    if item.is_entity && !quiet {
        does.extend([Verb::Created, Verb::Updated, Verb::Deleted]);
    }
    if item.grant.is_some() {
        can.extend([Verb::Granted, Verb::Revoked]);
        does.extend((!quiet).then_some([Verb::Granted, Verb::Revoked, Verb::Updated]).into_iter().flatten());
    }
    if is_owner {
        can.insert(Verb::Conflicted);
        does.extend((!item.secret).then_some(Verb::Conflicted));
    }
    if let Some(said) = &entry.draft.publish {
        does = said.iter().map(|verb| verb.value).collect();
        if let Some(first) = said.first().filter(|_| item.secret) {
            let message = format!("`{}` is secret, so it has no events", item.name);
            mistakes.add(Mistake::new(first.span, message, "here").help("remove `publish` or `secret`"));
        }
        for verb in said.iter().filter(|verb| !can.contains(&verb.value)) {
            let words: Vec<&str> = can.iter().map(|verb| verb.word()).collect();
            let message = format!("`{1}` items have no `{0}` events", verb.value.word(), item.name);
            mistakes.add(Mistake::new(verb.span, message, "here").help(format!("its events are {}", list(&words))));
        }
    }
    for (verb, word) in entry.draft.verb.iter().filter(|(verb, _)| !does.contains(verb)) {
        let words: Vec<&str> = does.iter().map(|verb| verb.word()).collect();
        let message = format!("`{1}` does not publish `{0}`", verb.word(), item.name);
        mistakes.add(Mistake::new(word.span, message, "never used").help(format!("published: {}", list(&words))));
    }
    item.publish = does;
}
