//! Memberships that several items can imply. The removal of such a membership asks for the others.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::model::{CognitoMember, Find, ItemType, Link, LinkId, Made, Subject, TypeId};

use super::context::Context;
use super::targets::determined;

/// Sets [`CognitoMember::shared_with`], and refuses models in which nothing leads to the other
/// items.
pub(super) fn relate(context: &Context<'_>, items: &mut [ItemType], links: &[Link], mistakes: &mut Mistakes) {
    let shared: Vec<Vec<TypeId>> = (0..items.len()).map(|of| shared_with(context, items, links, TypeId(of))).collect();
    let mut refused: BTreeSet<TypeId> = BTreeSet::new();
    for (place, types) in shared.into_iter().enumerate() {
        for other in &types {
            let member = items.get(other.0).and_then(|item| item.member.as_ref());
            if let Some(Subject::Link(user)) = member.map(|member| &member.user)
                && matches!(links.get(user.0).map(|link| &link.find), Some(Find::Sweep))
                && refused.insert(*other)
            {
                refuse(context, TypeId(place), *other, mistakes);
            }
        }
        if let Some(member) = items.get_mut(place).and_then(|item| item.member.as_mut()) {
            member.shared_with = types;
        }
    }
}

/// The item types whose items can imply a membership that an item of `of` implies.
fn shared_with(context: &Context<'_>, items: &[ItemType], links: &[Link], of: TypeId) -> Vec<TypeId> {
    let member_of = |of: TypeId| items.get(of.0).and_then(|item| item.member.as_ref());
    let Some(member) = member_of(of) else { return Vec::new() };
    let is_shared = |other: &TypeId| {
        let Some(their) = member_of(*other) else { return false };
        if *other == of {
            return !determines(context, links, of, member);
        }
        user_type(links, of, member) == user_type(links, *other, their) && may_be_one_group(links, member, their)
    };
    (0..items.len()).map(TypeId).filter(is_shared).collect()
}

/// Whether user and group of a membership determine the item that implies it.
fn determines(context: &Context<'_>, links: &[Link], of: TypeId, member: &CognitoMember) -> bool {
    let of_link = |link: LinkId| links.get(link.0).into_iter().flat_map(|link| link.names.values());
    let user = match &member.user {
        Subject::Itself => return true,
        Subject::Link(link) => of_link(*link),
    };
    let group = member.group_of.into_iter().flat_map(of_link);
    let own = member.group_of.is_none().then_some(&member.group);
    let templates: Vec<_> = user.chain(group).chain(own).collect();
    let is_known = |name: &String| templates.iter().any(|template| determined(context, of, template, name));
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
fn may_be_one_group(links: &[Link], one: &CognitoMember, other: &CognitoMember) -> bool {
    let group_type = |member: &CognitoMember| member.group_of.and_then(|link| links.get(link.0)).map(|link| link.to);
    [one, other].iter().any(|member| member.made == Made::ByHand)
        || group_type(one) == group_type(other) && (one.group_of.is_some() || one.group == other.group)
}

fn refuse(context: &Context<'_>, of: TypeId, other: TypeId, mistakes: &mut Mistakes) {
    let Some(member) = &context.entry(other).draft.member else { return };
    let (of, other, user) = (context.name(of), context.name(other), &member.user.to.value);
    let what = if of == other {
        format!("two `{of}` items can grant one membership")
    } else {
        format!("a `{of}` and a `{other}` can grant one membership")
    };
    let message = format!("{what}, and nothing leads from a `{user}` to its `{other}` items");
    let help = format!(
        "when one of them is deleted, Instep asks whether another still grants it: write \
         `{{ type = \"{user}\", find = \"back-reference\" }}`, or give `{other}` an index whose keys have the names of \
         `{user}`; or add names to the group, so that each item has a membership of its own"
    );
    mistakes.add(Mistake::new(member.user.to.span, message, "which of them grants it?").help(help));
}
