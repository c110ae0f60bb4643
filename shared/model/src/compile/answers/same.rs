//! Names that the subject, the scope and the role of a grant have in common.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::model::{Grant, ItemType, Link, Scope, Subject, TypeId, Within};
use crate::source::Located;

use super::super::context::{Context, TypeContext};
use super::super::ineffective::own_names;

/// The names that all grants of these item types have in common.
pub(super) fn of_all<'m>(items: impl Iterator<Item = &'m ItemType>) -> BTreeSet<&'m str> {
    let sets =
        items.filter_map(|item| item.grant.as_ref()).map(|grant| grant.same.iter().map(String::as_str).collect());
    sets.reduce(|one: BTreeSet<&str>, other| one.intersection(&other).copied().collect()).unwrap_or_default()
}

pub(super) fn check(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    for (entry, item) in context.items.iter().zip(items) {
        if let (Some(grant), Some(draft)) = (&item.grant, &entry.draft.grant) {
            let mut seen = BTreeSet::new();
            for name in &draft.same {
                if !seen.insert(&name.value) {
                    let message = format!("`{}` is listed twice", name.value);
                    mistakes.add(Mistake::new(name.span, message, "again").help("remove one"));
                    continue;
                }
                let mistake = wrong(context, (entry, grant), (items, links), name);
                mistake.into_iter().for_each(|mistake| mistakes.add(mistake));
            }
        }
    }
}

/// What is wrong with a name: with it, no grant would count, or each would.
fn wrong(
    context: &Context<'_>,
    (entry, grant): (&TypeContext<'_>, &Grant),
    (items, links): (&[ItemType], &[Link]),
    name: &Located<String>,
) -> Option<Mistake> {
    let to = |link: &crate::model::LinkId| links.get(link.0).map(|link| link.to);
    let subject = match &grant.subject {
        Subject::Itself => entry.id,
        Subject::Link(link) => to(link)?,
    };
    let of = |of: TypeId| context.name(of);
    let help = |of: &str| {
        format!(
            "add it to a key or an index key of `{of}`, or say where it is, `names.{0}.attribute = \"{0}\"`; or remove it \
             from `same`",
            name.value
        )
    };
    if !has(context, subject, &name.value) {
        let message = format!("a `{}` has no `{}`: no grant could count", of(subject), name.value);
        return Some(Mistake::new(name.span, message, "the subject lacks it").help(help(of(subject))));
    }
    let Scope::Links(scopes) = &grant.scope else {
        let roles: Vec<TypeId> = grant.role_links.iter().filter_map(to).collect();
        if roles.iter().any(|role| has(context, *role, &name.value)) {
            return None;
        }
        let message = format!("neither a scope nor a role has `{}`, so each subject has it in common", name.value);
        return Some(Mistake::new(name.span, message, "has no effect").help("remove it from `same`"));
    };
    let lacks = |scope: &TypeId| !has_or_is_within(context, items, *scope, &name.value);
    let scope = scopes.iter().filter_map(to).find(lacks)?;
    let message = format!(
        "a `{0}` has no `{1}`, nor has what it is within: no grant in a `{0}` could count",
        of(scope),
        name.value
    );
    Some(Mistake::new(name.span, message, "the scope lacks it").help(help(of(scope))))
}

/// Whether items of a type have a name, as far as the model says.
fn has(context: &Context<'_>, of: TypeId, name: &str) -> bool {
    let entry = context.entry(of);
    let is_event = || entry.draft.events.iter().any(|attribute| attribute.value == name);
    let has_rule = || context.listed_attributes(name).is_some();
    entry.known.contains(name) || has_rule() || is_event() || own_names(entry.draft).contains(&name)
}

/// Whether an item of a type, or one that it is within, has a name.
fn has_or_is_within(context: &Context<'_>, items: &[ItemType], of: TypeId, name: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![of];
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        if has(context, next, name) {
            return true;
        }
        if let Some(Within::Items(links)) = items.get(next.0).and_then(|item| item.within.as_ref()) {
            open.extend(links.iter().map(|link| link.to));
        }
    }
    false
}
