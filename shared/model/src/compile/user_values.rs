//! Accounts of people who sign up, as memberships name them: no account is known in two ways, so no two memberships
//! that look different are one.

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftMember, DraftScope};
use crate::model::{CognitoMember, ExtraPolicy, GroupOwner, ItemType, KeyForm, Link, Subject, TypeId, UserValue};
use crate::source::Located;
use crate::template::Template;

use super::context::{Context, TypeContext};
use super::items::check_names;
use super::key_overlap::witness;

pub(super) fn check(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let members = || context.items.iter().flat_map(|entry| entry.draft.members.iter().map(move |own| (entry, own)));
    let values = || members().filter_map(|(entry, own)| Some((entry, own, own.user_value()?)));
    check_extra(context, values().next().map(|(_, _, (_, template))| template), mistakes);
    for (entry, _, (value, template)) in values() {
        check_names(context, entry.id, template, &[], mistakes);
        check_last(entry, value, template, mistakes);
        if value == UserValue::Name {
            check_name(context, entry, template, mistakes);
        }
    }
    if values().any(|(_, _, (value, _))| value == UserValue::Sub) {
        check_groups(context, items, links, mistakes);
    }
}

/// INVARIANT 9: an account whose name the user of an item could have may be one that somebody has made.
fn check_extra(context: &Context<'_>, value: Option<&Located<Template>>, mistakes: &mut Mistakes) {
    let removes = |extra: &&Located<ExtraPolicy>| extra.value == ExtraPolicy::Remove;
    if let (Some(extra), Some(value)) = (context.draft.cognito.extra_users.as_ref().filter(removes), value) {
        let message = "a sweep would delete accounts of people who sign up";
        let help = "write `users = \"report\"`, or remove it: a sweep cannot tell an account that is left of an item from one \
                    that somebody has made under such a name";
        mistakes.add(Mistake::new(extra.span, message, "deletes users").also(value.span, "signs up").help(help));
    }
}

/// `last` deletes the item of a user, and nobody signs up again for that.
fn check_last(entry: &TypeContext<'_>, value: UserValue, template: &Located<Template>, mistakes: &mut Mistakes) {
    if let Some(grant) = entry.draft.grant.as_ref().filter(|grant| grant.last.is_some()) {
        let message = format!("`last` beside a user by `{}`: this user has no item", value.word());
        let help = "remove `last`; or, if Instep creates the users, refer to their item type with `cognito.user`";
        mistakes.add(
            Mistake::new(template.span, message, "signs up")
                .also(grant.subject.to.span, "`last` deletes this subject")
                .help(help),
        );
    }
}

/// INVARIANT 1, one target for one item: the name of a user who signs up is not that of an item's user.
fn check_name(context: &Context<'_>, entry: &TypeContext<'_>, template: &Located<Template>, mistakes: &mut Mistakes) {
    for other in context.items.iter().filter(|other| other.draft.user_value.is_none()) {
        let Some(user) = &other.draft.user else { continue };
        let (one_texts, other_texts) = (context.texts(entry.id), context.texts(other.id));
        let Some(found) = witness(&one_texts, &form(&template.value), &other_texts, &form(&user.name.value)) else {
            continue;
        };
        let (of, name) = (&other.draft.name.value, &found.key.pk);
        let message = format!("this user can be the one of a `{of}`");
        let both = if found.is_sure { "matches" } else { "may match" };
        let help = format!(
            "`{name}` {both} both: if the user is a `{of}`, refer to it, `user = \"{of}\"`; or begin one of the names with \
             its own constant"
        );
        mistakes.add(Mistake::new(template.span, message, "signs up").also(user.name.span, "of an item").help(help));
    }
}

/// Instep knows the members of a group by their user names or by their `sub`. In a group of both, it could not see that
/// two memberships are one.
fn check_groups(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let rules = || {
        let types = items.iter().enumerate();
        types.flat_map(|(of, item)| item.members.iter().map(move |member| (TypeId(of), member)))
    };
    let is_value = |(_, member): &(TypeId, &CognitoMember)| match &member.user {
        Subject::Link(link) => {
            let to = links.get(link.0).and_then(|link| items.get(link.to.0));
            to.is_some_and(|to| to.user_value.is_some())
        }
        Subject::Itself => false,
    };
    for one in rules().filter(is_value) {
        let Some(other) = rules().find(|other| !is_value(other) && may_be_one_group(context, links, one, *other))
        else {
            continue;
        };
        let entry = context.entry(one.0);
        let Some((_, at)) = entry.draft.members.iter().find_map(DraftMember::user_value) else { continue };
        let of = context.name(other.0);
        let message = format!("a `{of}` names members of this group by the user of an item, and this by `sub`");
        let help = "name the members of a group in one way; or write two groups";
        let of_other = context.entry(other.0).draft.members.iter().find(|own| own.user_value().is_none());
        let mistake = Mistake::new(at.span, message, "by its `sub`").help(help);
        let Some(other) = of_other else { return mistakes.add(mistake) };
        let group = match &other.group {
            DraftScope::Value(template) => template.span,
            DraftScope::Item(reference) => reference.to.span,
        };
        return mistakes.add(mistake.also(group, "the same group"));
    }
}

/// Whether two rules can name one group.
pub(super) fn may_be_one_group(
    context: &Context<'_>,
    links: &[Link],
    one: (TypeId, &CognitoMember),
    other: (TypeId, &CognitoMember),
) -> bool {
    let of_item = |(of, member): (TypeId, &CognitoMember)| match member.group_owner {
        GroupOwner::Link(link, place) => Some((links.get(link.0)?.to, place)),
        GroupOwner::Itself(place) => Some((of, place)),
        GroupOwner::Nothing { .. } | GroupOwner::People => None,
    };
    match (of_item(one), of_item(other)) {
        (None, None) => {
            let (one_texts, other_texts) = (context.texts(one.0), context.texts(other.0));
            witness(&one_texts, &form(&one.1.group), &other_texts, &form(&other.1.group)).is_some()
        }
        (one, other) => one == other,
    }
}

/// A template of Cognito names, for the walk over two forms of keys.
fn form(template: &Template) -> KeyForm {
    let names = template.names().map(str::to_owned).collect();
    KeyForm { pk: template.clone(), sk: Template::default(), names }
}
