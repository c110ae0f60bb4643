//! A run reads a grant while the parent of the grant is absent.
//!
//! A user has two grants. The first grant is deleted with its parent. A writer deletes the parent,
//! and the cascade to the grant is late. Meanwhile the record of the user runs again and reads that
//! the first grant gives nothing. Then the writer creates the parent again, so that the grant
//! stays. Its membership must be there in the end.

use std::time::Duration;

use instep_model::{Key, Link, Object};

use super::{Played, WRITE_ON};
use crate::writers::cast::DrawnGrant;
use crate::writers::names::back_to;
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const DRAWS: usize = 5;
const CASCADE_IS_LATE_BY: Duration = Duration::from_secs(2);
const BEFORE_THE_PARENT_RETURNS_MS: usize = 1_500;
const WRITERS_STOP: Odds = Odds::percent(70);

/// A grant, its user, and a parent that the grant is deleted with but does not need.
struct Actors<'a> {
    grant: DrawnGrant,
    user: Object,
    user_key: Key,
    user_link: &'a Link,
    parent: Actor,
}

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let Actors { grant, user, user_key, user_link, parent } = draw_cast(writer)?;
    // The parent was deleted once before.
    writer.put(&parent);
    writer.let_reconcile().await;
    writer.delete(&parent.key);
    writer.let_reconcile().await;
    writer.put(&parent);
    writer.let_reconcile().await;
    let other_place = || writer.place(user_link.from, &back_to(user_link, &user));
    let other = (0..DRAWS).find_map(|_| other_place().filter(|place| place.key != grant.own.key))?;
    let other = writer.actor_at(other);
    let more: Vec<_> = writer.dependencies_of(&other.object, &other.item).collect();
    writer.put_all(grant.dependencies.iter().chain(&more).chain([&other, &grant.own, &parent]));
    writer.let_reconcile().await;
    writer.delete(&parent.key);
    let moment = writer.delay(&[calls::TRANSACT_WRITE], CASCADE_IS_LATE_BY).await;
    writer.replay_last_record_of(user_key);
    writer.pause(BEFORE_THE_PARENT_RETURNS_MS).await;
    writer.put(&parent);
    match moment {
        Disturbed::Caught => writer.stop_with(WRITERS_STOP),
        Disturbed::Missed => WRITE_ON,
    }
}

fn draw_cast<'a>(writer: &'a DrawnWriter<'_>) -> Option<Actors<'a>> {
    let grant = writer.draw_grant()?;
    let links = || writer.model.links_from(grant.own.object.of);
    let parents: Vec<_> = links().filter(|(_, link)| link.deleted_with && !link.needed).collect();
    let (to_parent, parent_link) = writer.pick(&parents)?;
    let is_to_user = |link: &Link| link.needed && writer.model.item(link.to).user.is_some();
    let (to_user, user_link) = links().find(|(_, link)| is_to_user(link))?;
    let target = |id| writer.net.watch().implied.target(id, &grant.own.object, &grant.own.item);
    let (user, parent) = (target(to_user)?, target(to_parent)?);
    let user_key = writer.key_of(&user)?;
    let parent = writer.actor_at(writer.place(parent_link.to, &parent.names)?);
    Some(Actors { grant, user, user_key, user_link, parent })
}
