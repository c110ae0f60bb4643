//! The roles of a grant and the groups of its memberships: each role that there can be has a group.

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftGrant, ROLE, Reference};
use crate::matching::read_loosely;
use crate::messages::list;
use crate::model::{LinkId, LinkRole, TypeId};
use crate::source::Located;
use crate::template::Template;

use super::context::{Context, TypeContext};
use super::links::{LinkReason, Links, Resolution};

/// The links to the item of each role of a grant.
pub(super) fn items(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (grant, reference): (&DraftGrant, &Reference),
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Vec<LinkId> {
    let role_text = match (&grant.roles_template, grant.roles.as_slice()) {
        (Some(template), _) => template.value.clone(),
        (None, [only]) => Template::each_of(&only.value),
        (None, []) => {
            let message = "this grant has no roles, so no item is one of them";
            let help = "add `roles`, such as `roles = \"role\"`; or remove `role`";
            mistakes.add(Mistake::new(reference.to.span, message, "the item of which role?").help(help));
            return Vec::new();
        }
        (None, [first, others @ ..]) => {
            let names = list(&grant.roles.iter().map(|name| &name.value).collect::<Vec<_>>());
            let message = format!("`role` needs one name for the roles, and `roles` has {}", 1 + others.len());
            let help = format!(
                "write `roles = \"{0}\"`, and the attributes that can have them as `names.{0}.attribute`: {names}",
                first.value
            );
            mistakes.add(Mistake::new(reference.to.span, message, "the item of which role?").help(&help));
            return Vec::new();
        }
    };
    let reason = LinkReason { role: LinkRole::Role, needed: true, role_text: Some(role_text) };
    match links.resolve(entry.id, reference, &reason, mistakes) {
        Resolution::Links(links) => links,
        Resolution::Itself => {
            let message = format!("a `{}` would be the item of its own role", context.name(entry.id));
            let help = "name the item type of the roles";
            mistakes.add(Mistake::new(reference.to.span, message, "leads back to the item itself").help(help));
            Vec::new()
        }
        Resolution::Failed => Vec::new(),
    }
}

/// An attribute with roles may have several, and a name in a template has one value.
pub(super) fn check_is_no_list(entry: &TypeContext<'_>, template: &Located<Template>, mistakes: &mut Mistakes) {
    let roles = entry.draft.grant.iter().flat_map(|grant| &grant.roles).map(|role| role.value.as_str());
    let mut roles = roles.filter(|role| *role != ROLE && !entry.is_in_every_key(role));
    if let Some(name) = roles.find(|role| template.value.names().any(|name| name == *role)) {
        let message = format!("`{{{name}}}` can be several roles");
        mistakes.add(Mistake::new(template.span, message, "which of them?").help("write `{role}` for each of them"));
    }
}

/// Each role stands in the name of the group for `{role}`, so it is one of the fixed values of that name.
pub(super) fn check_have_values(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    template: &Located<Template>,
    mistakes: &mut Mistakes,
) {
    let texts = context.texts(entry.id);
    let (Some(grant), Some(values)) = (&entry.draft.grant, texts.values_of(ROLE)) else { return };
    if !template.value.names().any(|name| name == ROLE) {
        return;
    }
    if let Some(role) = never_one_of(grant, values) {
        let message = format!("`{{role}}` is one of {}, and `{}` gives none of them", list(values), role.value);
        mistakes.add(
            Mistake::new(role.span, message, "Instep refuses such a name")
                .help("change the template, or add its texts to the fixed values of `role`"),
        );
    }
    // The fixed values of each name hold for every role.
    let keeps_to = |name: &Located<String>| {
        texts.values_of(&name.value).is_some_and(|own| own.iter().all(|value| values.contains(value)))
    };
    let Some(name) = grant.roles.first().filter(|_| !grant.roles.iter().any(keeps_to)) else { return };
    let message = format!("`{{role}}` is one of {}, and `{}` can be another role", list(values), name.value);
    let help = format!("give `{}` the same fixed values: `names.{}`", name.value, name.value);
    mistakes.add(Mistake::new(template.span, message, "Instep refuses such names").help(help));
}

/// Every value of a grant's roles has a group, if the values are known.
pub(super) fn check_have_groups(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    (reference, to, each): (&Reference, TypeId, &str),
    mistakes: &mut Mistakes,
) {
    let Some(grant) = &entry.draft.grant else { return };
    let of_template = grant.roles_template.as_ref().and_then(|template| template.value.as_single());
    let names = grant.roles.iter().map(|name| name.value.as_str()).chain(of_template.map(|slot| slot.name.as_str()));
    let groups = context.texts(to).values_of(each).unwrap_or_default();
    if let Some(role) = never_one_of(grant, groups) {
        let message = format!("`{}` has no group for the role `{}`", reference.to.value, role.value);
        let help = format!(
            "its groups are one for each `{each}`, {}: change the template so that it gives one of them",
            list(groups)
        );
        mistakes.add(Mistake::new(role.span, message, "a grant of it has no effect").help(help));
    }
    for name in names {
        let values = context.texts(entry.id).values_of(name).unwrap_or_default();
        let without: Vec<&String> = values.iter().filter(|value| !groups.contains(value)).collect();
        if !without.is_empty() {
            let message = format!("`{}` has no group for {} of `{name}`", reference.to.value, list(&without));
            let help =
                format!("its groups are one for each `{each}`, {}: give both names the same values", list(groups));
            mistakes.add(Mistake::new(reference.to.span, message, "a grant of it has no effect").help(help));
        }
    }
}

/// The template of a grant's role, if it gives none of these fixed values.
fn never_one_of<'a>(grant: &'a DraftGrant, values: &[String]) -> Option<&'a Located<Template>> {
    let is_never = |template: &&Located<Template>| {
        !values.is_empty() && !values.iter().any(|value| read_loosely(&template.value, value).is_some())
    };
    grant.roles_template.as_ref().filter(is_never)
}
