//! The relations of items to each other and to Cognito: parents, edges, grants, guards, users,
//! groups, memberships; and what is published of each.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftEdge, DraftGrant, DraftScope, Reference};
use crate::model::{Grant, ItemType, LastRevoked, LinkRole, Made, Roles, Scope, Subject, TypeId};
use crate::source::Located;
use crate::template::Template;

use super::answers;
use super::cognito::{cognito_groups, cognito_member, cognito_user};
use super::context::{Context, TypeContext};
use super::guards;
use super::items::{check_names, names_from_key, plain, plain_condition};
use super::links::{LinkReason, Links, Resolution};
use super::publish::{check_entity, publish};
use super::roles;
use super::subject::subject;
use super::unique_end::{self, EdgeEnds, EdgeWithUniqueEnd};

/// The Cognito users and groups of items.
pub(super) fn users_and_groups(context: &Context<'_>, items: &mut [ItemType], mistakes: &mut Mistakes) {
    for (entry, item) in context.items.iter().zip(items.iter_mut()) {
        item.user = entry.draft.user.as_ref().map(|user| cognito_user(context, entry, user, mistakes));
        let groups = entry.draft.groups.iter();
        item.groups = groups.map(|groups| cognito_groups(context, entry, groups, mistakes)).collect();
    }
}

/// Adds the relations of item types.
pub(super) fn relate(
    context: &Context<'_>,
    items: &mut [ItemType],
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) {
    let mut owners: BTreeSet<TypeId> = BTreeSet::new();
    let mut with_unique_end = Vec::new();
    for (entry, item) in context.items.iter().zip(items.iter_mut()) {
        for parent in &entry.draft.parents {
            let needed = needs_parent(entry, parent);
            let reason = LinkReason { role: LinkRole::Parent, needed, role_text: None };
            links.resolve(entry.id, parent, &reason, mistakes);
        }
        if let Some(edge) = &entry.draft.edge {
            let ends = relate_edge(entry, edge, links, mistakes);
            let conveys = edge.conveys.as_ref();
            item.conveys = conveys.and_then(|conveys| answers::conveys(conveys, &ends, mistakes));
            with_unique_end.extend(edge.unique.as_ref().map(|unique| EdgeWithUniqueEnd { entry, unique, ends }));
        }
        if let Some(grant) = &entry.draft.grant {
            item.grant = relate_grant(context, entry, grant, links, mistakes);
        }
        for member in &entry.draft.members {
            item.members.extend(cognito_member(context, entry, member, links, mistakes));
        }
        check_made(entry, mistakes);
        item.guard = entry.draft.guard.as_ref().and_then(|guard| guards::guard(context, entry, guard, mistakes));
        if let Some(guard) = &mut item.guard {
            guard.owner_link = guards::owner_link(context, entry, guard, links, mistakes);
            // Nothing conflicts with what nobody claims.
            owners.extend((!guard.claims.is_empty()).then_some(guard.owner));
        }
    }
    for edge in with_unique_end {
        let unique = unique_end::of_edge(context, &edge, items, links, mistakes);
        items.get_mut(edge.entry.id.0).into_iter().for_each(|item| item.unique_end.clone_from(&unique));
    }
    let subjects = check_entities_of_subjects(context, items, links, mistakes);
    for (entry, item) in context.items.iter().zip(items.iter_mut()) {
        publish(entry, item, owners.contains(&entry.id), mistakes);
        if !subjects.contains(&entry.id) {
            check_entity(entry, item, mistakes);
        }
    }
}

/// A grant is in force only while every item that it names exists, unless its subject, scope or role says
/// that this one need not.
fn needs_parent(entry: &TypeContext<'_>, parent: &Reference) -> bool {
    let Some(grant) = &entry.draft.grant else { return false };
    let scope = if let Some(DraftScope::Item(scope)) = &grant.scope { Some(scope) } else { None };
    let mut others = scope.into_iter().chain([&grant.subject]).chain(&grant.role);
    !others.any(|other| other.leads_as(parent) && !other.needed)
}

/// A group is created in one way.
fn check_made(entry: &TypeContext<'_>, mistakes: &mut Mistakes) {
    let mut made: BTreeMap<String, Option<Made>> = BTreeMap::new();
    for member in &entry.draft.members {
        let DraftScope::Value(template) = &member.group else { continue };
        let own = member.made.as_ref().map(|made| made.value).filter(|made| *made != Made::OnDemand);
        if *made.entry(template.value.to_string()).or_insert(own) != own {
            let message = format!("two memberships create the group `{}` in two ways", template.value);
            let help = "write the same `made` in both, or remove it from both";
            mistakes.add(Mistake::new(template.span, message, "by people, or on demand?").help(help));
        }
    }
}

/// An event of a grant knows only the key of its subject. So the subject's entity in events must
/// follow from the key, or have a name that does. The item types that are subjects.
fn check_entities_of_subjects(
    context: &Context<'_>,
    items: &[ItemType],
    links: &Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> BTreeSet<TypeId> {
    let mut checked: BTreeSet<TypeId> = BTreeSet::new();
    for grant in items.iter().filter_map(|item| item.grant.as_ref()) {
        let Subject::Link(link) = grant.subject else { continue };
        let Some(of) = links.leads_to(link).filter(|of| checked.insert(*of)) else { continue };
        let entry = context.entry(of);
        let known = names_from_key(context, of);
        let is_known = |entity: &Located<Template>| entity.value.names().all(|name| known.contains(name));
        let Some(first) = entry.draft.entity.first() else { continue };
        if !entry.draft.entity.iter().any(is_known) {
            let name = &entry.draft.name.value;
            let message = format!("events of grants cannot know the entity of their subject `{name}`");
            let help = format!(
                "they see its key alone: add a name that follows from it, such as `entity = [\"{}\", \"{name}\"]`",
                first.value
            );
            mistakes.add(Mistake::new(first.span, message, "an attribute decides").help(help));
        }
    }
    checked
}

/// Relates an edge to its ends. The links of each end; none if the ends are wrong.
fn relate_edge<'e>(
    entry: &TypeContext<'_>,
    edge: &'e DraftEdge,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> EdgeEnds<'e> {
    let [(one_name, one), (other_name, other)] = edge.ends.as_slice() else {
        let help = "name both, such as `edge = { parent = \"Folder\", child = \"Document\" }`";
        mistakes.add(Mistake::new(edge.span, "an edge has two ends", "here").help(help));
        return Vec::new();
    };
    let mut end = |name: &Located<String>, reference: &Reference, mistakes: &mut Mistakes| {
        let needed = needs_parent(entry, reference);
        let reason = LinkReason { role: LinkRole::EdgeEnd(name.value.clone()), needed, role_text: None };
        match links.resolve(entry.id, reference, &reason, mistakes) {
            Resolution::Links(links) => links,
            Resolution::Itself | Resolution::Failed => Vec::new(),
        }
    };
    let (one_links, other_links) = (end(one_name, one, mistakes), end(other_name, other, mistakes));
    if one_links.iter().any(|link| other_links.contains(link)) {
        let message = format!("`{}` and `{}` are always the same item", one_name.value, other_name.value);
        let help = format!(
            "give each its own names: `{{{0}.…}}` and `{{{1}.…}}` in the key, or \
             `{1} = {{ type = \"{2}\", … = \"{{anAttribute}}\" }}`; or write a `parent` instead of the edge",
            one_name.value, other_name.value, other.to.value
        );
        mistakes.add(Mistake::new(other.to.span, message, "the same").also(one.to.span, "as this").help(help));
        return Vec::new();
    }
    let ends = vec![(one_name.value.as_str(), one_links), (other_name.value.as_str(), other_links)];
    if let Some(takes) = &edge.takes {
        relate_takes(entry, takes, &ends, links, mistakes);
    }
    ends
}

/// What an edge takes along.
fn relate_takes(
    entry: &TypeContext<'_>,
    takes: &Located<String>,
    ends: &EdgeEnds<'_>,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) {
    if let Some(parent) = entry.draft.parents.first() {
        let (edge, parent_name) = (&entry.draft.name.value, &parent.to.value);
        let message = format!("a `{edge}` that is deleted with its `{parent_name}` would leave what it `takes`");
        let help = "remove the `parent`: an edge is deleted with each of its ends; or remove `takes`";
        mistakes
            .add(Mistake::new(parent.to.span, message, "deletes the edge alone").also(takes.span, "this").help(help));
    }
    let Some(to) = unique_end::end_named(takes, ends, mistakes) else { return };
    if let [taken] = to {
        let from = ends.iter().filter(|(name, _)| *name != takes.value).flat_map(|(_, links)| links);
        for link in from {
            links.cascade(*link, *taken);
        }
    } else if !to.is_empty() {
        let message = format!("`{}` can be of several item types", takes.value);
        let help = "name one item type at the end that `takes` names";
        mistakes.add(Mistake::new(takes.span, message, "which of them is deleted?").help(help));
    }
}

fn relate_grant(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    grant: &DraftGrant,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Option<Grant> {
    let who = subject(entry, &grant.subject, LinkRole::Subject, links, mistakes);
    let scope = match &grant.scope {
        None => Some(Scope::Global),
        Some(DraftScope::Value(template)) => {
            check_names(context, entry.id, template, &[], mistakes);
            Some(Scope::Value(template.value.clone()))
        }
        Some(DraftScope::Item(reference)) => {
            let reason = LinkReason { role: LinkRole::Scope, needed: true, role_text: None };
            match links.resolve(entry.id, reference, &reason, mistakes) {
                Resolution::Links(links) => Some(Scope::Links(links)),
                Resolution::Itself => {
                    mistakes.add(scope_itself(context, entry, reference));
                    None
                }
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
        (None, spellings) => Roles::Attribute(context.attributes_of(spellings)),
    };
    let role_links = match &grant.role {
        Some(reference) => roles::items(context, entry, (grant, reference), links, mistakes),
        None => Vec::new(),
    };
    check_same_values(context, entry, grant, mistakes);
    for (word, names) in [("roles", &grant.roles), ("from", &grant.from), ("until", &grant.until)] {
        check_attributes(context, entry.id, word, names, mistakes);
    }
    if let (Some(_), Some(Subject::Itself)) = (&grant.last, &who) {
        let message = format!("a `{}` is its own subject", entry.draft.name.value);
        let help = "`last` deletes another item, the subject, when its last grant is revoked: remove `last`";
        mistakes.add(Mistake::new(grant.subject.to.span, message, "here").help(help));
    }
    if let (Some(written), Some(Subject::Link(link))) = (&grant.last, &who)
        && let Some(of) = links.leads_to(*link)
    {
        check_attributes(context, of, "written", written, mistakes);
    }
    let last = grant.last.as_ref().map(|written| LastRevoked { written: context.attributes_of(written) });
    let (from, until) = (context.attributes_of(&grant.from), context.attributes_of(&grant.until));
    let (role_names, when) = (plain(&grant.roles), plain_condition(&grant.when));
    Some(Grant {
        subject: who?,
        scope: scope?,
        roles,
        role_names,
        role_links,
        same: plain(&grant.same),
        from,
        until,
        when,
        last,
    })
}

/// Of several attributes with roles, the first that has a value counts, and the fixed values of all names hold
/// for it.
fn check_same_values(context: &Context<'_>, entry: &TypeContext<'_>, grant: &DraftGrant, mistakes: &mut Mistakes) {
    let texts = context.texts(entry.id);
    let sets = grant.roles.iter().filter_map(|name| Some((name, texts.values_of(&name.value)?)));
    let mut sets = sets.map(|(name, values)| (name, values.iter().collect::<BTreeSet<_>>()));
    let Some((first, values)) = sets.next() else { return };
    if let Some((other, _)) = sets.find(|(_, others)| *others != values) {
        let message = format!("`{}` and `{}` have different fixed values", first.value, other.value);
        let help = "give both the same: a grant reads its roles from either of them";
        mistakes
            .add(Mistake::new(other.span, message, "which roles are there?").also(first.span, "and this").help(help));
    }
}

/// A name that the key has needs no attribute, and these words read attributes alone.
fn check_attributes(context: &Context<'_>, of: TypeId, word: &str, names: &[Located<String>], mistakes: &mut Mistakes) {
    let entry = context.entry(of);
    let has_rule = |name: &str| context.listed_attributes(name).is_some();
    for Located { span, value: name } in
        names.iter().filter(|name| entry.is_in_every_key(&name.value) && !has_rule(&name.value))
    {
        let message = format!("`{word}` names attributes, and the key of `{}` has `{name}`", entry.draft.name.value);
        let instead = match word {
            "roles" => format!("write `roles = \"{{{name}}}\"`"),
            "from" => "write the time into an attribute, too, such as `from = \"startsAt\"`".to_owned(),
            "until" => "write the time into an attribute, too, such as `until = \"endsAt\"`".to_owned(),
            _ => "name an attribute with the time of the last write, such as `written = [\"updatedAt\"]`".to_owned(),
        };
        let help =
            format!("{instead}; or, if items also have an attribute `{name}`, `names.{name}.attribute = \"{name}\"`");
        mistakes.add(Mistake::new(*span, message, "a name in the key").help(help));
    }
}

/// The scope of a grant is another item, or a value.
fn scope_itself(context: &Context<'_>, entry: &TypeContext<'_>, scope: &Reference) -> Mistake {
    let name = context.name(entry.id);
    let form = entry.forms.first().into_iter().flat_map(|form| form.pk.names().chain(form.sk.names()));
    let mut names: Vec<String> = Vec::new();
    names.extend(form.map(|name| format!("{{{name}}}")));
    names.dedup();
    let help = format!(
        "write the names of its key as a value, `scope = \"{}\"`; or name another item, such as \
         `{{ type = \"{name}\", … = \"{{anAttribute}}\" }}`; or remove `scope`: the grant then applies everywhere",
        names.join("/")
    );
    Mistake::new(scope.to.span, format!("this `{name}` would be its own scope"), "leads back to the item itself")
        .help(help)
}
