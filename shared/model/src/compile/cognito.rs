//! The Cognito users, groups and memberships of item types.

use std::collections::BTreeSet;

use crate::cognito::{COGNITO_NAME_MAX_CHARS, for_people, refused_char};
use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftGroups, DraftMember, DraftScope, DraftUser, ROLE, Reference};
use crate::model::{
    ADDRESSES, CognitoGroups, CognitoMember, CognitoUser, Create, GroupOwner, LinkId, LinkRole, Made, Subject, TypeId,
};
use crate::source::Located;
use crate::template::{Slot, Template, TemplatePart};

use super::context::{Context, TypeContext};
use super::group_settings;
use super::items::{check_names, names_from_key, names_within, plain_condition, unbound};
use super::links::{LinkReason, Links, Resolution};
use super::roles::{check_have_groups, check_have_values, check_is_no_list};
use super::subject::subject;
use super::user_attributes;

pub(super) fn cognito_user(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    user: &DraftUser,
    mistakes: &mut Mistakes,
) -> CognitoUser {
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
    for (attribute, template) in &user.attributes {
        check_names(context, entry.id, template, &[], mistakes);
        user_attributes::check(context, entry, (attribute, template), mistakes);
    }
    if let Some(assumed) = entry.draft.assumed.first().filter(|_| user.create != Create::Never) {
        let message = format!("an assumed `{}` has no item that says whether it has a user", entry.draft.name.value);
        let help = "write the item, or `create = false` if people create these users";
        mistakes.add(Mistake::new(assumed.span, message, "would have a Cognito user").help(help));
    }
    let name = user.name.value.as_written();
    let named_by_address = user.attributes.iter().any(|(attribute, template)| {
        ADDRESSES.contains(&attribute.value.as_str()) && template.value.as_written() == name
    });
    CognitoUser {
        name: user.name.value.clone(),
        create: user.create,
        delete: user.delete,
        grace: user.grace,
        when: plain_condition(&user.when),
        disabled: user.disabled.as_ref().map(plain_condition),
        attributes: user
            .attributes
            .iter()
            .map(|(attribute, template)| (attribute.value.clone(), template.value.clone()))
            .collect(),
        unique: Vec::new(),
        named_by_address,
    }
}

pub(super) fn cognito_groups(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    groups: &DraftGroups,
    mistakes: &mut Mistakes,
) -> CognitoGroups {
    if let (Some(assumed), false) = (entry.draft.assumed.first(), groups.when.is_empty()) {
        let message =
            format!("an assumed `{}` has no item for which the condition of its groups holds", entry.draft.name.value);
        let help = "write the item, or remove `when`";
        mistakes.add(Mistake::new(assumed.span, message, "would never have these groups").help(help));
    }
    let (settings, groups, when) = (groups, &groups.name, plain_condition(&groups.when));
    let names = names_from_key(context, entry.id);
    let in_a_form = names_within(context, entry.key_names.clone());
    let texts = context.texts(entry.id);
    let mut each: Option<String> = None;
    for name in groups.value.names().filter(|name| !names.contains(*name)) {
        if in_a_form.contains(name) {
            let message = format!("only some spellings of the key of `{}` have `{name}`", entry.draft.name.value);
            let help = "split it into an item type for each spelling, or remove the name";
            mistakes.add(Mistake::new(groups.span, message, "whose groups are these?").help(help));
        } else if texts.values_of(name).is_some() && each.as_deref().is_none_or(|each| each == name) {
            each = Some(name.to_owned());
        } else {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            mistakes.add(unbound(
                groups,
                name,
                &known,
                "groups are built from one name with fixed values and from the key's names:",
            ));
        }
    }
    check_cognito_name(context, entry.id, groups, mistakes);
    let of = each.as_deref();
    let precedence =
        settings.precedence.as_ref().map(|draft| group_settings::precedence(context, entry, draft, of, mistakes));
    let iam_role = settings
        .iam_role
        .as_ref()
        .map(|draft| group_settings::of_groups(context, entry, ("iam_role", draft), of, mistakes));
    CognitoGroups { name: groups.value.clone(), each, when, precedence, iam_role, in_token: false }
}

/// Cognito's names are 1 to 128 letters, marks, symbols, digits and punctuation
/// (`[\p{L}\p{M}\p{S}\p{N}\p{P}]+`).
fn check_cognito_name(context: &Context<'_>, of: TypeId, template: &Located<Template>, mistakes: &mut Mistakes) {
    let mut shortest = 0;
    for part in template.value.parts() {
        match part {
            TemplatePart::Constant(constant) => {
                shortest += constant.chars().count();
                if let Some(c) = refused_char(constant) {
                    let message = format!("a Cognito name cannot contain {}", for_people(c));
                    let help = "remove it: Cognito refuses such names";
                    mistakes.add(Mistake::new(template.span, message, "here").help(help));
                }
            }
            TemplatePart::Name(slot) if !slot.urlencode => {
                let values = context.texts(of).values_of(&slot.name).unwrap_or_default();
                let shape = context.texts(of).like_of(&slot.name).filter(|_| slot.pad.is_some());
                let why = values.iter().find_map(|value| slot.refuses_to_pad(value));
                if let Some(why) = why.or(shape.map(|_| "it has a shape")) {
                    let message = format!("`{slot}` cannot have every value of `{}`: {why}", slot.name);
                    let help = "two values could have one Cognito name: change the values, or remove `pad`";
                    mistakes.add(Mistake::new(template.span, message, "Instep refuses such names").help(help));
                }
                if let Some((value, c)) = values.iter().find_map(|value| Some((value, refused_char(value)?))) {
                    let message = format!("the value `{value}` of `{}` contains {}", slot.name, for_people(c));
                    let help = format!("write `{{{}|urlencode}}`, or choose another value", slot.name);
                    mistakes.add(Mistake::new(template.span, message, "Cognito refuses such names").help(help));
                }
            }
            TemplatePart::Name(_) => {}
        }
    }
    let of_name = |slot: &Slot| {
        let values = context.texts(of).values_of(&slot.name).unwrap_or_default();
        let texts = values.iter().map(|value| slot.apply(value).chars().count());
        texts.min().or(slot.pad).unwrap_or(1)
    };
    shortest += template.value.slots().map(of_name).sum::<usize>();
    if shortest > COGNITO_NAME_MAX_CHARS {
        let message = format!("the shortest of these names has {shortest} characters");
        let help = format!("Cognito's names have at most {COGNITO_NAME_MAX_CHARS}");
        mistakes.add(Mistake::new(template.span, message, "too long").help(help));
    }
}

/// The group of a membership: its template, the name in it that stands for the role, the link to the
/// item that has the group, and the place of the group among those of that item. Without a link, the
/// item itself has it.
type MemberGroup = (Template, String, Option<LinkId>, Option<usize>);

pub(super) fn cognito_member(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    member: &DraftMember,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Vec<CognitoMember> {
    let user = subject(entry, &member.user, LinkRole::User, links, mistakes);
    let user_type = match &user {
        Some(Subject::Link(link)) => links.leads_to(*link),
        Some(Subject::Itself) => Some(entry.id),
        None => None,
    };
    if let (Some(Subject::Link(link)), Some(of)) = (&user, user_type)
        && member.user_value().is_none()
        && let Some(own) = &context.entry(of).draft.user
    {
        check_is_named(context, &member.user, links.names_of(*link), &own.name.value, mistakes);
    }
    if let Some(of) = user_type.filter(|of| context.entry(*of).draft.user.is_none()) {
        mistakes.add(no_user(context.name(of), &member.user));
    }
    let has_roles = entry.draft.grant.as_ref().is_some_and(|g| !g.roles.is_empty() || g.roles_template.is_some());
    let (groups, default) = match &member.group {
        DraftScope::Value(template) => {
            check_names(context, entry.id, template, &[ROLE], mistakes);
            check_cognito_name(context, entry.id, template, mistakes);
            check_list(entry, template, mistakes);
            check_is_no_list(entry, template, mistakes);
            check_have_values(context, entry, template, mistakes);
            if entry.draft.grant.is_some() && !has_roles && template.value.names().any(|name| name == ROLE) {
                let help =
                    "name the attribute of the roles, such as `roles = \"role\"`, or remove `{role}` from the group";
                mistakes
                    .add(Mistake::new(template.span, "this grant has no roles", "`{role}` has no value").help(help));
            }
            (vec![(template.value.clone(), ROLE.to_owned(), None, None)], Made::OnDemand)
        }
        DraftScope::Item(reference) => {
            (groups_of(context, entry, reference, has_roles, links, mistakes), Made::WithItem)
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
    let Some(user) = user else { return Vec::new() };
    let member = |(group, role, link, place): MemberGroup| {
        let (user, when, sign_out) = (user.clone(), plain_condition(&member.when), member.sign_out.is_some());
        let in_token = member.in_token.is_some();
        let group_owner = match (link, place) {
            (Some(link), Some(place)) => GroupOwner::Link(link, place),
            (None, Some(place)) => GroupOwner::Itself(place),
            (_, None) if made == Made::ByHand => GroupOwner::People,
            (_, None) => GroupOwner::Nothing { deleted_with: Vec::new() },
        };
        CognitoMember { user, group, role, group_owner, when, sign_out, in_token, shared_with: Vec::new() }
    };
    groups.into_iter().map(member).collect()
}

/// The user of a membership is an item that has none.
fn no_user(of: &str, user: &Reference) -> Mistake {
    let message = format!("`{of}` does not define a Cognito user (`cognito.user`)");
    let help = format!(
        "add `cognito.user = {{ name = \"…\" }}` to `[items.{of}]` if Instep creates the user; if people sign up, write \
         the attribute with the user's `sub`: `user = {{ sub = \"{{…}}\" }}`"
    );
    Mistake::new(user.to.span, message, "which user is the member?").help(help)
}

/// The list in the name of a group.
fn check_list(entry: &TypeContext<'_>, template: &Located<Template>, mistakes: &mut Mistakes) {
    let Some(name) = template.value.each() else { return };
    if template.value.slots().filter(|slot| slot.each).count() > 1 {
        let help = "write two memberships, or put both values into one string";
        mistakes.add(Mistake::new(template.span, "two lists in one name", "which belong together?").help(help));
    }
    if name == ROLE || entry.known.contains(name) {
        let message = format!("`{name}` has one value here");
        let help = "remove `|each`: a role stands for each of the roles already, and a key has one value for a name";
        mistakes.add(Mistake::new(template.span, message, "not a list").help(help));
    }
}

/// The groups of a membership, if an item type has them: the template of each, the name in it that
/// stands for the role, and where it is found.
fn groups_of(
    context: &Context<'_>,
    entry: &TypeContext<'_>,
    reference: &Reference,
    has_roles: bool,
    links: &mut Links<'_, '_>,
    mistakes: &mut Mistakes,
) -> Vec<MemberGroup> {
    let reason = LinkReason { role: LinkRole::Group, needed: true, role_text: None };
    let link = match links.resolve(entry.id, reference, &reason, mistakes) {
        Resolution::Itself => None,
        Resolution::Links(links) => match links.as_slice() {
            [link] => Some(*link),
            _ => {
                let message = format!("`{}` can be of several item types", reference.to.value);
                let help = "write the group's name as a template instead";
                mistakes.add(Mistake::new(reference.to.span, message, "which of them creates it?").help(help));
                return Vec::new();
            }
        },
        Resolution::Failed => return Vec::new(),
    };
    let Some(to) = link.map_or(Some(entry.id), |link| links.leads_to(link)) else { return Vec::new() };
    let groups = &context.entry(to).draft.groups;
    if groups.is_empty() {
        let message = format!("`{}` creates no Cognito groups", context.name(to));
        let help = format!(
            "add `cognito.groups = \"…\"` to `[items.{}]`, or write the group's name here as a template",
            context.name(to)
        );
        mistakes.add(Mistake::new(reference.to.span, message, "here").help(help));
    }
    let bound = names_from_key(context, to);
    let mut found = Vec::new();
    for (place, groups) in groups.iter().enumerate() {
        let each = groups.name.value.names().find(|name| !bound.contains(*name)).map(str::to_owned);
        if let Some(link) = link {
            let is_other =
                |part: &&TemplatePart| !matches!(part, TemplatePart::Name(slot) if each.as_ref() == Some(&slot.name));
            let of_key = Template::from_parts(groups.name.value.parts().iter().filter(is_other).cloned());
            check_is_named(context, reference, links.names_of(link), &of_key, mistakes);
        }
        if !has_roles && each.is_some() {
            let message = format!("`{}` creates a group for each role, but this item has no role", reference.to.value);
            let help = "add `grant = { …, roles = \"role\" }`, or write the group's name here as a template";
            mistakes.add(Mistake::new(reference.to.span, message, "which of the groups?").help(help));
        }
        if let Some(each) = &each {
            check_have_groups(context, entry, (reference, to, each), mistakes);
        }
        let role = each.unwrap_or_default();
        found.push((groups.name.value.clone(), role, link, Some(place)));
    }
    found
}

/// A reference gives all of the key that the Cognito name of the other item has.
fn check_is_named(
    context: &Context<'_>,
    reference: &Reference,
    given: BTreeSet<String>,
    template: &Template,
    mistakes: &mut Mistakes,
) {
    let given = names_within(context, given);
    if let Some(missing) = template.names().find(|name| !given.contains(*name)) {
        let message =
            format!("this item does not know the `{missing}` in the Cognito name of `{}`", reference.to.value);
        let help =
            format!("give it in the reference, `{{ type = \"{}\", {missing} = \"{{…}}\" }}`", reference.to.value);
        mistakes.add(Mistake::new(reference.to.span, message, "no membership would ever be added").help(help));
    }
}
