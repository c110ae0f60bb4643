//! What only answers read. Its references become links that are not those of the model: nothing is deleted, found or in
//! force because of them.

mod found;
mod path;
mod permits;
mod same;
mod secrets;

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftConveys, DraftWithin, Reference};
use crate::messages::list;
use crate::model::{Conveys, ItemType, Link, LinkRole, Scope, ToDependents, TypeId, Within};
use crate::source::Span;

use super::context::{Context, TypeContext};
use super::items::plain_condition;
use super::link_mistakes;
use super::links::{LinkReason, Links, Resolution};
use super::unique_end::{EdgeEnds, end_named};

pub(super) use secrets::check as check_secrets;

/// Adds what only answers read of item types.
pub(super) fn relate(context: &Context<'_>, items: &mut [ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let roles: BTreeSet<TypeId> = of_roles(items).filter_map(|link| Some(links.get(link.0)?.to)).collect();
    for (entry, item) in context.items.iter().zip(items.iter_mut()) {
        let draft = entry.draft;
        item.within = draft.within.as_ref().and_then(|draft| within(context, entry, draft, mistakes));
        item.inherits = draft.inherits.as_ref().and_then(|draft| inherits(context, entry, draft, &roles, mistakes));
        item.permits =
            draft.permits.as_ref().and_then(|draft| permits::permits(context, entry, draft, &roles, mistakes));
    }
    same::check(context, items, links, mistakes);
    check_found(context, items, links, mistakes);
}

/// The links to the items of roles.
fn of_roles(items: &[ItemType]) -> impl Iterator<Item = crate::model::LinkId> {
    items.iter().filter_map(|item| item.grant.as_ref()).flat_map(|grant| grant.role_links.iter().copied())
}

/// The end of an edge to which access flows.
pub(super) fn conveys(draft: &DraftConveys, ends: &EdgeEnds<'_>, mistakes: &mut Mistakes) -> Option<Conveys> {
    let to = end_named(&draft.to, ends, mistakes)?.to_vec();
    let others = ends.iter().filter(|(name, _)| *name != draft.to.value);
    let from = others.flat_map(|(_, links)| links.iter().copied()).collect();
    Some(Conveys { end: draft.to.value.clone(), to, from, when: plain_condition(&draft.when) })
}

fn within(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    draft: &DraftWithin,
    mistakes: &mut Mistakes,
) -> Option<Within> {
    let references = match draft {
        DraftWithin::Path { name, separator } => return path::path(context, entry, (name, separator), mistakes),
        DraftWithin::Items(references) => references,
    };
    let mut found = Vec::new();
    let mut links = Links::new(context);
    let mut seen = BTreeSet::new();
    for reference in references {
        let of = context.name(entry.id);
        match resolve(entry, reference, LinkRole::Within, &mut links, mistakes) {
            Resolution::Links(ids) if ids.iter().all(|id| seen.contains(id)) => {
                let message = format!("two references lead to one `{}`", reference.to.value);
                mistakes.add(Mistake::new(reference.to.span, message, "the same again").help("remove one of them"));
            }
            Resolution::Links(ids) => {
                found.extend(ids.iter().filter(|id| !seen.contains(*id)).filter_map(|id| links.get(*id).cloned()));
                seen.extend(ids);
            }
            Resolution::Itself => {
                let message = format!("a `{of}` would be within itself");
                let help = format!(
                    "name the other item, such as `{{ type = \"{of}\", … = \"{{parentId}}\" }}`; or, if ids are paths, \
                     write `within = {{ path = \"…\" }}`"
                );
                mistakes.add(Mistake::new(reference.to.span, message, "leads back to the item itself").help(help));
            }
            Resolution::Failed => {}
        }
    }
    (!found.is_empty()).then_some(Within::Items(found))
}

fn inherits(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    reference: &Reference,
    roles: &BTreeSet<TypeId>,
    mistakes: &mut Mistakes,
) -> Option<Link> {
    let name = context.name(entry.id);
    let mut links = Links::new(context);
    let example = format!("write the parent role, such as `{{ type = \"{name}\", … = \"{{parentRoleId}}\" }}`");
    let link = match resolve(entry, reference, LinkRole::Inherits, &mut links, mistakes) {
        Resolution::Links(ids) => ids.first().and_then(|id| links.get(*id)).cloned()?,
        Resolution::Itself => {
            let message = format!("a `{name}` would inherit from itself");
            mistakes.add(Mistake::new(reference.to.span, message, "leads back to the item itself").help(example));
            return None;
        }
        Resolution::Failed => return None,
    };
    if link.to != entry.id || link.when.is_some() {
        let message = format!("a `{name}` can inherit from a `{name}` alone");
        mistakes.add(Mistake::new(reference.to.span, message, "another item type").help(example));
        return None;
    }
    if !roles.contains(&entry.id) {
        mistakes.add(permits::no_role(context, entry.id, entry.id, reference.to.span, "inherits permissions"));
        return None;
    }
    Some(link)
}

/// Follows a reference that only answers read.
fn resolve(
    entry: &TypeContext<'_>,
    reference: &Reference,
    role: LinkRole,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Resolution {
    link_mistakes::of_answers(reference, mistakes);
    links.resolve(entry.id, reference, &LinkReason { role, needed: false, role_text: None }, mistakes)
}

/// Answers find what each reference leads to.
fn check_found(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let with_scope = |item: &&ItemType| item.grant.as_ref().is_some_and(|of| matches!(of.scope, Scope::Links(_)));
    let with_role = |item: &&ItemType| item.grant.as_ref().is_some_and(|of| !of.role_links.is_empty());
    let (of_scopes, of_roles) =
        (same::of_all(items.iter().filter(with_scope)), same::of_all(items.iter().filter(with_role)));
    for (entry, item) in context.items.iter().zip(items) {
        let draft = entry.draft;
        if let (Some(Within::Items(within)), Some(DraftWithin::Items(references))) = (&item.within, &draft.within) {
            let span = |link: &Link| place_of(context, references, link.to).unwrap_or(draft.name.span);
            let lost = within.iter().filter_map(|link| found::lost(context, link, &of_scopes, "within", span(link)));
            lost.for_each(|mistake| mistakes.add(mistake));
        }
        if let (Some(link), Some(reference)) = (&item.inherits, &draft.inherits) {
            let lost = found::lost(context, link, &of_roles, "inherits", reference.to.span);
            lost.into_iter().for_each(|mistake| mistakes.add(mistake));
        }
        if let (Some(conveys), Some(edge)) = (&item.conveys, &draft.edge) {
            check_conveys(context, (conveys, edge.span), links, mistakes);
        }
        if let (Some(grant), Some(draft)) = (&item.grant, &draft.grant)
            && let Some(role) = &draft.role
        {
            let reads_roles = |link: &&Link| !grant.same.is_empty() || permits::reads(items, link.to);
            let same = grant.same.iter().map(String::as_str).collect();
            let of_role = grant.role_links.iter().filter_map(|link| links.get(link.0)).filter(reads_roles);
            let lost = of_role.filter_map(|link| found::lost_role(context, link, &same, role.to.span));
            lost.for_each(|mistake| mistakes.add(mistake));
        }
    }
}

/// Where a reference to an item type is written.
fn place_of(context: &Context<'_>, references: &[Reference], to: TypeId) -> Option<Span> {
    let leads = |name: &str| context.type_id(name).is_none_or(|of| of == to);
    references.iter().find(|reference| leads(&reference.to.value)).map(|reference| reference.to.span)
}

/// From the item at one end of an edge, answers find its edges, and from these the items at the other end.
fn check_conveys(context: &Context<'_>, (conveys, at): (&Conveys, Span), links: &[Link], mistakes: &mut Mistakes) {
    let Conveys { end, to, from, when: _ } = conveys;
    for link in to.iter().filter_map(|link| links.get(link.0)) {
        if !matches!(link.find, ToDependents::Queries(_)) {
            let (edge, item) = (context.name(link.from), context.name(link.to));
            let message = format!("no template leads from a `{item}` to the `{edge}` items of which it is the `{end}`");
            let names: Vec<&String> = link.names.keys().collect();
            let help = format!(
                "give `{edge}` an index whose partition key has {} of its `{end}`, and remove `find`; or remove `conveys`",
                list(&names)
            );
            mistakes.add(Mistake::new(at, message, "nothing would flow").help(help));
        }
    }
    for link in from.iter().filter_map(|link| links.get(link.0)) {
        let lost = found::lost(context, link, &BTreeSet::new(), "edge", at);
        lost.into_iter().for_each(|mistake| mistakes.add(mistake));
    }
}
