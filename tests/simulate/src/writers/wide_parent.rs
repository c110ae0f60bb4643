//! A parent has more children than one invocation reconciles.
//!
//! A writer creates a parent and very many children, in this order or in the other. The fan-out
//! takes several invocations. Most of the time the writer deletes the parent in the end. Then the
//! cascade takes several invocations too.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::template::Template;
use instep_model::{Identity, Link, Names, Value};

use super::names::back_to;
use super::odds::Odds;
use super::writer::{DrawnWrite, DrawnWriter};
use crate::net::Net;

/// Groups that a Cognito user can be in. Source: Amazon Cognito Developer Guide, Quotas.
const GROUPS_OF_USER_MAX: usize = 100;

/// Groups that a user may be in because of the children: half of the quota is left to the other items.
const GROUPS_OF_USER_BY_CHILDREN: usize = GROUPS_OF_USER_MAX / 2;

/// Groups that the children may have: a tenth of the pool's quota is left to the other items. Source:
/// as above, groups per user pool.
const GROUPS_OF_CHILDREN_MAX: usize = 9_000;

/// So many children may ask for one unique value.
const RIVALS: usize = 20;

const PARENT_COMES_FIRST: Odds = Odds::EVEN;
const AFTER_THE_CHILDREN_MS: usize = 2_000;
const AFTER_THE_PARENT_MS: usize = 6_000;
const PARENT_IS_DELETED: Odds = Odds::percent(80);

/// Plays the scene with so many children.
pub async fn write_wide_parent(net: &Net, children: usize) {
    let writer = DrawnWriter::of(net);
    let links: Vec<&Link> = net.model.links.iter().filter(|link| can_be_wide(&writer, link, children)).collect();
    let Some(link) = writer.pick(&links) else { return };
    let Some(place) = writer.place(link.to, &Names::new()) else { return };
    let parent = writer.actor_at(place);
    let mut groups_of_users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let is_first = writer.happens(PARENT_COMES_FIRST);
    if is_first {
        writer.put(&parent);
    }
    for number in 0..children {
        let mut names = back_to(link, &parent.object);
        for name in net.model.key_order(link.from) {
            names.entry(name.to_owned()).or_insert_with(|| format!("w{number}"));
        }
        let mut writes = writer.create(link.from, &names);
        if number >= RIVALS {
            // The last write is the item's own. The others are guards of values that it does not have.
            let own = writes.pop().map(|write| with_own_values(&writer, write, number));
            writes = own.into_iter().collect();
        }
        if writes.last().is_none_or(|own| fits_its_users(&writer, own, &mut groups_of_users)) {
            writes.into_iter().for_each(|write| writer.write(write));
        }
    }
    writer.pause(AFTER_THE_CHILDREN_MS).await;
    if !is_first {
        writer.put(&parent);
        writer.pause(AFTER_THE_PARENT_MS).await;
    }
    if link.deleted_with && writer.happens(PARENT_IS_DELETED) {
        writer.delete(&parent.key);
    }
}

/// The write of an item whose unique values nobody else has: a value that thousands ask for is not
/// what the scene is about.
fn with_own_values(writer: &DrawnWriter<'_>, write: DrawnWrite, number: usize) -> DrawnWrite {
    let DrawnWrite::Put(key, mut item) = write else { return write };
    let Identity::Item { object, .. } = writer.model.identify(&key) else { return DrawnWrite::Put(key, item) };
    let guards = writer.model.items.iter().filter_map(|ty| ty.guard.as_ref()).filter(|guard| guard.owner == object.of);
    let claims = guards.flat_map(|guard| &guard.claims);
    let names: BTreeSet<&str> = claims.flat_map(|claim| claim.names.values()).flat_map(Template::names).collect();
    for attribute in names.into_iter().flat_map(|name| writer.model.attributes_of(name)) {
        if let Some(Value::S(text)) = item.get_mut(&attribute) {
            text.insert_str(0, &format!("w{number}"));
        }
    }
    writer.set_index_keys(&object, &mut item);
    DrawnWrite::Put(key, item)
}

/// Whether the users of a child's memberships can be in all groups that the children ask for.
fn fits_its_users(
    writer: &DrawnWriter<'_>,
    child: &DrawnWrite,
    groups_of_users: &mut BTreeMap<String, BTreeSet<String>>,
) -> bool {
    let DrawnWrite::Put(key, item) = child else { return true };
    let Identity::Item { object, canonical } = writer.model.identify(key) else { return true };
    let row = writer.net.watch().implied.row(object, canonical, item.clone());
    row.asks.iter().all(|ask| {
        let (user, group) = &ask.pair;
        let groups = groups_of_users.entry(user.clone()).or_default();
        groups.contains(group) || groups.len() < GROUPS_OF_USER_BY_CHILDREN && groups.insert(group.clone())
    })
}

/// Whether a parent can have so many children by this link.
fn can_be_wide(writer: &DrawnWriter<'_>, link: &Link, children: usize) -> bool {
    let is_user = writer.model.item(link.to).user.is_some();
    let fits_a_user = children <= GROUPS_OF_USER_MAX || writer.model.item(link.from).members.is_empty() || !is_user;
    let fits_the_pool = children * groups_of_each(writer, link) <= GROUPS_OF_CHILDREN_MAX;
    (link.deleted_with || link.needed)
        && link.cascades_to.is_none()
        && !writer.is_guard(link.from)
        && fits_a_user
        && fits_the_pool
}

/// How many groups a child by this link can have, or be a member of, that no other child has.
fn groups_of_each(writer: &DrawnWriter<'_>, link: &Link) -> usize {
    let child = writer.model.item(link.from);
    let values = |name: &Option<String>| name.as_ref().map_or(1, |name| writer.model.closed_set(link.from, name).len());
    child.groups.iter().map(|groups| values(&groups.each)).sum::<usize>() + child.members.len()
}
