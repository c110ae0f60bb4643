//! A parent has more children than one invocation reconciles.
//!
//! A writer creates a parent and very many children, in this order or in the other. The fan-out
//! takes several invocations. Most of the time the writer deletes the parent in the end. Then the
//! cascade takes several invocations too.

use instep_model::{Link, Names};

use super::names::back_to;
use super::odds::Odds;
use super::writer::Writer;
use crate::net::Net;

/// Groups that a Cognito user can be in. Source: Amazon Cognito Developer Guide, Quotas.
const GROUPS_OF_USER_MAX: usize = 100;

const PARENT_COMES_FIRST: Odds = Odds::EVEN;
const AFTER_THE_CHILDREN_MS: usize = 2_000;
const AFTER_THE_PARENT_MS: usize = 6_000;
const PARENT_IS_DELETED: Odds = Odds::percent(80);

/// Plays the scene with so many children.
pub async fn write_wide_parent(net: &Net, children: usize) {
    let writer = Writer::of(net);
    let links: Vec<&Link> = net.model.links.iter().filter(|link| can_be_wide(&writer, link, children)).collect();
    let Some(link) = writer.pick(&links) else { return };
    let Some(place) = writer.place(link.to, &Names::new()) else { return };
    let parent = writer.actor_at(place);
    let is_first = writer.happens(PARENT_COMES_FIRST);
    if is_first {
        writer.put(&parent);
    }
    for number in 0..children {
        let mut names = back_to(link, &parent.object);
        for name in net.model.key_order(link.from) {
            names.entry(name.to_owned()).or_insert_with(|| format!("w{number}"));
        }
        writer.create(link.from, &names).into_iter().for_each(|write| writer.write(write));
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

/// Whether a parent can have so many children by this link.
fn can_be_wide(writer: &Writer<'_>, link: &Link, children: usize) -> bool {
    let is_user = writer.model.item(link.to).user.is_some();
    let fits_a_user = children <= GROUPS_OF_USER_MAX || writer.model.item(link.from).member.is_none() || !is_user;
    (link.deleted_with || link.needed) && link.cascades_to.is_none() && !writer.is_guard(link.from) && fits_a_user
}
