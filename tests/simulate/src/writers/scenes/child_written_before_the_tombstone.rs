//! A child is written before the tombstone of its parent.
//!
//! A parent is deleted, and the run for that writes the tombstone late. The children of the parent
//! are found through back-references. Meanwhile a writer creates a child on another shard. The run
//! for the child finds no tombstone, so that it keeps the child. The cascade must delete the child
//! in the end.

use std::time::Duration;

use instep_model::{Link, Names, ToDependents, ToParent};

use super::{NextWrites, Played, WRITE_ON};
use crate::writers::names::back_to;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const DRAWS: usize = 5;

/// The run for the child ends in this time.
const TOMBSTONE_IS_LATE_BY: Duration = Duration::from_secs(3);

/// A parent, and a child on another shard.
struct Family {
    parent: Actor,
    child: Actor,
}

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let Family { parent, child } = (0..DRAWS).find_map(|_| draw_family(writer))?;
    writer.delete(&child.key);
    writer.put_all(writer.dependencies_of(&child.object, &child.item).collect::<Vec<_>>().iter().chain([&parent]));
    writer.let_cascades_reconcile().await;
    writer.delete(&parent.key);
    if writer.delay(&[calls::PUT_ITEM, calls::TRANSACT_WRITE], TOMBSTONE_IS_LATE_BY).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.put(&child);
    Some(NextWrites::Stop)
}

fn draw_family(writer: &DrawnWriter<'_>) -> Option<Family> {
    let by_reference = |link: &&Link| {
        link.deleted_with
            && matches!((&link.find, &link.up), (ToDependents::BackReference, ToParent::Key))
            && link.cascades_to.is_none()
            && !writer.is_guard(link.from)
    };
    let links: Vec<&Link> = writer.model.links.iter().filter(by_reference).collect();
    let link = writer.pick(&links)?;
    let parent = writer.actor_at(writer.place(link.to, &Names::new())?);
    let child = writer.actor_at(writer.place(link.from, &back_to(link, &parent.object))?);
    let depends = writer.dependencies_of(&child.object, &child.item).any(|other| other.object == parent.object);
    let is_remote = writer.net.table().are_apart(&child.key.pk, &parent.key.pk);
    (depends && is_remote).then_some(Family { parent, child })
}
