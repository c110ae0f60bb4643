//! What an item permits to those who have a role.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftPermits, Reference};
use crate::model::{ItemType, Link, LinkRole, Permits, ToDependents, TypeId, separators};
use crate::source::{Located, Span};
use crate::template::{Slot, Template};

use super::super::context::{Context, TypeContext};
use super::super::items::{check_names, unbound};
use super::super::links::{Links, Resolution};
use super::super::paths::find;

pub(super) fn permits(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    draft: &DraftPermits,
    roles: &BTreeSet<TypeId>,
    mistakes: &mut Mistakes,
) -> Option<Permits> {
    let DraftPermits { span, permission, list, any, role } = draft;
    check_template(context, entry, draft, mistakes);
    if let Some(list) = list {
        check_list(context, entry, list, mistakes);
    }
    if let Some(any) = any {
        check_any(permission, any, mistakes);
    }
    let role = match role {
        Some(reference) => Some(role_link(context, entry, reference, mistakes)?),
        None => None,
    };
    let of = role.as_ref().map_or(entry.id, |link| link.to);
    if !roles.contains(&of) {
        mistakes.add(no_role(context, entry.id, of, *span, "permits something"));
        return None;
    }
    let text = |text: &Located<String>| text.value.clone();
    Some(Permits {
        permission: permission.value.clone(),
        list: list.as_ref().map(text),
        any: any.as_ref().map(text),
        role,
    })
}

/// Whether an answer reads more of a role's item than that it exists.
pub(super) fn reads(items: &[ItemType], role: TypeId) -> bool {
    let permits = |place: usize, permits: &Permits| permits.role.as_ref().map_or(TypeId(place), |link| link.to) == role;
    let own = items.get(role.0).is_some_and(|item| item.inherits.is_some());
    own || items.iter().enumerate().any(|(place, item)| item.permits.as_ref().is_some_and(|of| permits(place, of)))
}

/// No grant has a role that is such an item.
pub(super) fn no_role(context: &Context<'_>, of: TypeId, role: TypeId, at: Span, does: &str) -> Mistake {
    let (name, to) = (context.name(of), context.name(role));
    let its = if of == role { "it".to_owned() } else { format!("its `{to}`") };
    let message = format!("a `{name}` {does}, and no grant leads to {its}");
    let help =
        format!("add the item of the roles to a grant, such as `role = {{ type = \"{to}\", … = \"{{role}}\" }}`");
    Mistake::new(at, message, "whose permission?").help(help)
}

fn check_template(context: &Context<'_>, entry: &TypeContext<'_>, draft: &DraftPermits, mistakes: &mut Mistakes) {
    let template = &draft.permission;
    if template.value.names().next().is_none() {
        let message = format!("every `{}` would permit `{}`", context.name(entry.id), template.value);
        let help = "name what tells permissions apart, such as `as = \"{action}:{resource}\"`";
        mistakes.add(Mistake::new(template.span, message, "no name").help(help));
    }
    if let Some(slot) = template.value.slots().find(|slot| **slot != Slot::plain(&slot.name)) {
        let message = format!("`{slot}` changes a value, and permissions are compared as items have them");
        let help = format!("write `{{{}}}`", slot.name);
        mistakes.add(Mistake::new(template.span, message, "here").help(help));
    }
    if draft.list.is_none() {
        check_names(context, entry.id, template, &[], mistakes);
    } else if let Some(name) = template.value.names().find(|name| name.contains('.')) {
        mistakes.add(unbound(template, name, &[], ""));
    }
}

/// A name in the key is no list.
fn check_list(context: &Context<'_>, entry: &TypeContext<'_>, list: &Located<String>, mistakes: &mut Mistakes) {
    let name = context.name(entry.id);
    if entry.is_in_every_key(&list.value) && context.listed_attributes(&list.value).is_none() {
        let message = format!("`{}` is in the key of `{name}`, and `list` names an attribute", list.value);
        let help = "name the attribute that is a list of maps; or, for one permission, remove `list`";
        mistakes.add(Mistake::new(list.span, message, "a name in the key").help(help));
    } else if let Some(mistake) = context.other_attribute(list, "`list` reads") {
        mistakes.add(mistake);
    }
}

/// A value with what separates the values of a permission counts for nothing.
fn check_any(permission: &Located<Template>, any: &Located<String>, mistakes: &mut Mistakes) {
    if let Some(c) = separators(&permission.value).find(|c| any.value.contains(*c)) {
        let message = format!("`{}` is one value, and `{c}` separates the values of a permission", any.value);
        let help = "write what stands for every value of one name, such as `any = \"*\"`";
        mistakes.add(Mistake::new(any.span, message, "never a value").also(permission.span, "here").help(help));
    }
}

/// The link to the role that gets a permission, with the way from the role to what permits.
fn role_link(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    reference: &Reference,
    mistakes: &mut Mistakes,
) -> Option<Link> {
    let mut links = Links::new(context);
    let name = context.name(entry.id);
    let at = |message: String, label: &str, help: String| Mistake::new(reference.to.span, message, label).help(help);
    let link = match super::resolve(entry, reference, LinkRole::Permits, &mut links, mistakes) {
        Resolution::Links(ids) => ids.first().and_then(|id| links.get(*id)).cloned()?,
        Resolution::Itself => {
            let message = format!("a `{name}` would permit something to itself");
            mistakes.add(at(message, "leads back to the item itself", "remove `role`: it is the role".to_owned()));
            return None;
        }
        Resolution::Failed => return None,
    };
    if link.when.is_some() {
        let message = format!("`{}` can be of several item types", reference.to.value);
        mistakes.add(at(message, "which of them?", "name the item type of the roles".to_owned()));
        return None;
    }
    let way = find(context, link.from, link.to, None, &link.names).filter(|_| link.beside_key.is_empty());
    let Some(way @ ToDependents::Queries(_)) = way else {
        let to = context.name(link.to);
        let message = format!("no template leads from a `{to}` to its `{name}` items");
        let help = format!("give `{name}` an index whose partition key uses only names from the key of `{to}`");
        mistakes.add(at(message, "answers cannot find them", help));
        return None;
    };
    Some(Link { find: way, ..link })
}
