//! Memberships that several items can imply. The removal of such a membership asks for the others.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::model::{CognitoMember, GroupOwner, ItemType, Link, LinkId, Subject, ToDependents, TypeId};
use crate::reverse::gives_back;

use super::context::Context;
use super::unique_names::{determined, determined_by_group};

/// Sets [`CognitoMember::shared_with`], and refuses models in which nothing leads to the other
/// items.
pub(super) fn relate(context: &Context<'_>, items: &mut [ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let mut refused: BTreeSet<TypeId> = BTreeSet::new();
    let places: Vec<(usize, usize)> =
        items.iter().enumerate().flat_map(|(of, item)| (0..item.members.len()).map(move |nth| (of, nth))).collect();
    for (of, nth) in places {
        let Some(member) = items.get(of).and_then(|item| item.members.get(nth)) else { continue };
        let types = shared_with(context, items, links, (TypeId(of), nth), member);
        for other in &types {
            let users = items.get(other.0).into_iter().flat_map(|item| &item.members).map(|member| &member.user);
            let is_lost = |user: &Subject| matches!(user, Subject::Link(user) if matches!(links.get(user.0).map(|link| &link.find), Some(ToDependents::Sweep)));
            if users.into_iter().any(is_lost) && refused.insert(*other) {
                refuse(context, TypeId(of), *other, mistakes);
            }
        }
        if let Some(member) = items.get_mut(of).and_then(|item| item.members.get_mut(nth)) {
            member.shared_with = types;
        }
    }
}

/// The item types whose items can imply a membership that an item of a type implies. A membership
/// that one item implies twice is of that item alone.
fn shared_with(
    context: &Context<'_>,
    items: &[ItemType],
    links: &[Link],
    (of, nth): (TypeId, usize),
    member: &CognitoMember,
) -> Vec<TypeId> {
    let is_shared = |other: &TypeId| {
        let their = items.get(other.0).into_iter().flat_map(|item| &item.members).enumerate();
        let mut their = their.filter(|(place, _)| *other != of || *place != nth);
        let is_own = *other == of && !determines(context, items, links, (of, member));
        is_own
            || their.any(|(_, their)| {
                user_type(links, of, member) == user_type(links, *other, their)
                    && may_be_one_group(links, (of, member), (*other, their))
                    && (*other != of || !determines(context, items, links, (of, their)))
            })
    };
    (0..items.len()).map(TypeId).filter(is_shared).collect()
}

/// Whether user and group of a membership determine the item that implies it.
fn determines(
    context: &Context<'_>,
    items: &[ItemType],
    links: &[Link],
    (of, member): (TypeId, &CognitoMember),
) -> bool {
    let of_link = |link: LinkId| links.get(link.0).into_iter().flat_map(|link| link.names.values());
    let user = match &member.user {
        Subject::Itself => return true,
        Subject::Link(link) => of_link(*link),
    };
    let group = member.group_link().into_iter().flat_map(of_link);
    let (texts, forms) = (context.texts(of), &context.entry(of).forms);
    let templates: Vec<_> = user.chain(group).filter(|template| gives_back(&texts, forms, template)).collect();
    let own = items.get(of.0).filter(|_| member.group_link().is_none());
    let is_known = |name: &String| {
        templates.iter().any(|template| determined(context, of, template, (name, false)))
            || own.is_some_and(|item| determined_by_group(context, (of, item), member, (name, false)))
    };
    context.entry(of).key_names.iter().all(is_known)
}

fn user_type(links: &[Link], of: TypeId, member: &CognitoMember) -> Option<TypeId> {
    match &member.user {
        Subject::Itself => Some(of),
        Subject::Link(link) => links.get(link.0).map(|link| link.to),
    }
}

/// Whether two memberships can be of one group. Other templates of groups that Instep creates never
/// give the same name: such models are refused.
fn may_be_one_group(links: &[Link], one: (TypeId, &CognitoMember), other: (TypeId, &CognitoMember)) -> bool {
    let of_item = |(of, member): (TypeId, &CognitoMember)| match member.group_owner {
        GroupOwner::Link(link, place) => Some((links.get(link.0)?.to, place)),
        GroupOwner::Itself(place) => Some((of, place)),
        GroupOwner::Nothing { .. } | GroupOwner::People => None,
    };
    [one, other].iter().any(|(_, member)| member.is_by_hand())
        || of_item(one) == of_item(other) && (of_item(one).is_some() || one.1.group == other.1.group)
}

fn refuse(context: &Context<'_>, of: TypeId, other: TypeId, mistakes: &mut Mistakes) {
    let Some(member) = context.entry(other).draft.members.first() else { return };
    let (of, other, user) = (context.name(of), context.name(other), &member.user.to.value);
    let what = if of == other {
        format!("two `{of}` items can grant one membership")
    } else {
        format!("a `{of}` and a `{other}` can grant one membership")
    };
    let message = format!("{what}, and nothing leads from a `{user}` to its `{other}` items");
    let help = format!(
        "when one of them is deleted, Instep asks whether another still grants it: write \
         `{{ type = \"{user}\", find = \"back-reference\" }}`, or give `{other}` an index whose partition key uses only \
         names from the key of `{user}`; or add names to the group, so that each item has a membership of its own"
    );
    mistakes.add(Mistake::new(member.user.to.span, message, "which of them grants it?").help(help));
}
