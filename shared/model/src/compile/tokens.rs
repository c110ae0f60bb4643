//! Groups that are in tokens alone: the pool has neither them nor their members.

use std::collections::BTreeMap;

use crate::errors::{Mistake, Mistakes};
use crate::model::{CognitoMember, GroupOwner, ItemType, Link, TypeId};
use crate::source::Span;

use super::context::Context;
use super::user_values::may_be_one_group;

/// A rule for memberships, with the item type that has it.
type Rule<'i> = (TypeId, &'i CognitoMember);

/// Says of the groups of items whether they are in tokens alone, and refuses what would then come to nothing.
pub(super) fn relate(context: &Context<'_>, items: &mut [ItemType], links: &[Link], mistakes: &mut Mistakes) {
    check_apart(context, items, links, mistakes);
    let mut in_tokens: BTreeMap<(usize, usize), TypeId> = BTreeMap::new();
    for (of, member) in rules(items).filter(|(_, member)| member.in_token) {
        in_tokens.extend(owner(links, (of, member)).map(|(owner, place)| ((owner.0, place), of)));
    }
    for ((of, nth), by) in in_tokens {
        let Some(groups) = items.get_mut(of).and_then(|item| item.groups.get_mut(nth)) else { continue };
        groups.in_token = true;
        let settings = [("precedence", groups.precedence.is_some()), ("iam_role", groups.iam_role.is_some())];
        for (word, _) in settings.into_iter().filter(|(_, is_set)| *is_set) {
            let Some(at) = place(context, by) else { continue };
            let message =
                format!("`{word}` of `{}` has no effect: no pool has a group that is in tokens alone", groups.name);
            mistakes.add(Mistake::new(at, message, "in tokens").help(format!("remove `{word}`, or `in = \"token\"`")));
        }
    }
}

fn rules(items: &[ItemType]) -> impl Iterator<Item = Rule<'_>> {
    items.iter().enumerate().flat_map(|(of, item)| item.members.iter().map(move |member| (TypeId(of), member)))
}

/// Where an item type says that its groups are in tokens.
fn place(context: &Context<'_>, of: TypeId) -> Option<Span> {
    context.entry(of).draft.members.iter().find_map(|member| member.in_token)
}

/// The item type that has the group of a rule, and the place of the group there.
fn owner(links: &[Link], (of, member): Rule<'_>) -> Option<(TypeId, usize)> {
    match member.group_owner {
        GroupOwner::Link(link, place) => Some((links.get(link.0)?.to, place)),
        GroupOwner::Itself(place) => Some((of, place)),
        GroupOwner::Nothing { .. } | GroupOwner::People => None,
    }
}

/// Each name is in tokens, or in the pool. Otherwise the pool's groups would decide about some of those in tokens.
fn check_apart(context: &Context<'_>, items: &[ItemType], links: &[Link], mistakes: &mut Mistakes) {
    for one in rules(items).filter(|(_, member)| member.in_token) {
        let in_pool = rules(items).filter(|(_, other)| !other.in_token);
        let Some(other) = in_pool.into_iter().find(|other| may_be_one_group(context, links, one, *other)) else {
            continue;
        };
        let Some(at) = place(context, one.0) else { continue };
        let message = format!("`{}` is in tokens here, and in the pool in `{}`", one.1.group, context.name(other.0));
        let help = "write the same `in` for both; or begin one of the names with a constant of its own";
        return mistakes.add(Mistake::new(at, message, "in tokens").help(help));
    }
}
