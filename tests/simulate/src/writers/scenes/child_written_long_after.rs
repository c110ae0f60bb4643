//! A child is written long after the deletion of its parent.
//!
//! A parent is deleted, and its child with it. Many seconds later a writer writes the child again.
//! The new child is pending: neither its own record deletes it, nor a replay of the record of the
//! earlier child or of the parent's deletion.

use std::time::Duration;

use instep_model::{LinkId, Names};

use super::{Played, WRITE_ON};
use crate::writers::names::back_to;
use crate::writers::odds::{Choice, Odds};
use crate::writers::writer::{Actor, DrawnWriter};

const DRAWS: usize = 5;

/// How long after its parent's deletion a child is surely no longer deleted with it.
const LONG_AFTER: Duration = Duration::from_secs(12);

const CHILD_IS_WRITTEN_AS_IT_WAS: Odds = Odds::EVEN;
const BEFORE_A_REPLAY_MS: usize = 2_000;

/// What is replayed in the end.
#[derive(Debug, Clone, Copy, Default)]
enum Replay {
    /// The record that shows how the child was created.
    Creation,
    /// The record of the parent's deletion.
    Deletion,
    #[default]
    Nothing,
}

impl Choice for Replay {
    const ALL: &'static [Self] = &[Self::Creation, Self::Deletion, Self::Nothing];

    fn shares(self) -> usize {
        1
    }
}

pub(crate) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let (parent, child) = (0..DRAWS).find_map(|_| draw_family(writer))?;
    writer.put(&parent);
    writer.put(&child);
    writer.let_cascades_reconcile().await;
    writer.delete(&parent.key);
    tokio::time::sleep(LONG_AFTER).await;
    // Another writer may have created the parent again.
    writer.delete(&parent.key);
    tokio::time::sleep(LONG_AFTER).await;
    writer.delete(&child.key);
    let item = if writer.happens(CHILD_IS_WRITTEN_AS_IT_WAS) {
        child.item.clone()
    } else {
        writer.item(&child.key, &child.object, Some(&child.item))
    };
    writer.put_item(&child.key, item);
    writer.pause(BEFORE_A_REPLAY_MS).await;
    match writer.choose() {
        Replay::Creation => writer.replay_first_record_of(child.key),
        Replay::Deletion => writer.replay_last_record_of(parent.key),
        Replay::Nothing => {}
    }
    writer.let_reconcile().await;
    WRITE_ON
}

/// A parent, and a child that is deleted with it.
fn draw_family(writer: &DrawnWriter<'_>) -> Option<(Actor, Actor)> {
    let links = writer.model.links.iter().enumerate().map(|(place, link)| (LinkId(place), link));
    let links: Vec<_> = links.filter(|(_, link)| link.deleted_with && !writer.is_guard(link.from)).collect();
    let (id, link) = writer.pick(&links)?;
    let parent = writer.actor_at(writer.place(link.to, &Names::new())?);
    let child = writer.actor_at(writer.place(link.from, &back_to(link, &parent.object))?);
    let target = writer.net.watch().implied.target(id, &child.object, &child.item)?;
    let is_its = target.names.iter().all(|(name, text)| parent.object.names.get(name) == Some(text));
    (is_its && child.object != parent.object).then_some((parent, child))
}
