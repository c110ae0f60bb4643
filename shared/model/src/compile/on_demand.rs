//! Groups that are created on demand, and the parents with which they are deleted.

use crate::model::{CognitoMember, GroupOwner, ItemType, Link, LinkId, TypeId};

use super::context::Context;
use super::unique_names::{determined_by_group, sources};

/// Sets the parents with which a group is deleted.
pub(super) fn relate(context: &Context<'_>, items: &mut [ItemType], links: &[Link]) {
    let places: Vec<(usize, usize)> =
        items.iter().enumerate().flat_map(|(of, item)| (0..item.members.len()).map(move |nth| (of, nth))).collect();
    for (of, nth) in places {
        let Some(member) = items.get(of).and_then(|item| item.members.get(nth)) else { continue };
        // No pool has a group that is in tokens alone.
        if !member.is_on_demand() || member.in_token {
            continue;
        }
        let parents = links.iter().enumerate().filter(|(_, link)| {
            is_parent(context, items, (TypeId(of), link), member) && all_have(context, items, links, link, member)
        });
        let parents = parents.map(|(nth, _)| LinkId(nth)).collect();
        if let Some(member) = items.get_mut(of).and_then(|item| item.members.get_mut(nth)) {
            member.group_owner = GroupOwner::Nothing { deleted_with: parents };
        }
    }
}

/// Whether a link leads to a parent that the name of the group determines, and that every item of
/// the type which names the group has.
fn is_parent(context: &Context<'_>, items: &[ItemType], (of, link): (TypeId, &Link), member: &CognitoMember) -> bool {
    let Some(item) = items.get(of.0) else { return false };
    let by = link.when.iter().map(|(name, _)| (name.clone(), false));
    let mut sources = sources(link.names.values()).into_iter().chain(by);
    link.from == of
        && link.deleted_with
        && link.each.is_none()
        && link.condition.is_empty()
        && link.leads_down()
        && sources.all(|(name, in_lower)| determined_by_group(context, (of, item), member, (&name, in_lower)))
}

/// Whether all memberships in this group are of items that have this parent.
fn all_have(context: &Context<'_>, items: &[ItemType], links: &[Link], parent: &Link, member: &CognitoMember) -> bool {
    let names = |link: &Link| -> Vec<(String, String)> {
        link.names.iter().map(|(name, template)| (name.clone(), template.to_string())).collect()
    };
    let is_same = |link: &Link| link.to == parent.to && link.when == parent.when && names(link) == names(parent);
    let mut others = items.iter().enumerate().flat_map(|(of, item)| item.members.iter().map(move |their| (of, their)));
    others.all(|(of, their)| {
        !their.is_on_demand()
            || their.group != member.group
            || links.iter().any(|link| is_parent(context, items, (TypeId(of), link), their) && is_same(link))
    })
}
