//! Two pending grants get their missing dependencies in one batch.
//!
//! Each grant lacks one dependency. A writer creates both dependencies at once, so that one batch
//! gives both grants. While Instep creates the first membership, the writer deletes the first
//! grant. The removal of that membership fails for longer than any invocation lasts.

use std::time::Duration;

use super::{Played, WRITE_ON};
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const DRAWS: usize = 10;

/// Which dependency both grants lack is drawn among the first two.
const DEPENDENCIES: usize = 2;

/// Longer than any invocation lasts.
const REMOVAL_FAILS_FOR: Duration = Duration::from_secs(400);
const WRITERS_STOP: Odds = Odds::EVEN;

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let mut places = (0..DRAWS).filter_map(|_| writer.place_where(|of| writer.gives_access(of)));
    let first = places.next()?;
    let is_like_first = |object: &instep_model::Object| object.of == first.object.of && *object != first.object;
    let Some(second) = places.find(|place| is_like_first(&place.object)) else { return WRITE_ON };
    let first_key = first.key.clone();
    let mut missing = Vec::new();
    let missing_place = writer.below(DEPENDENCIES);
    for place in [first, second] {
        let grant = writer.actor_at(place);
        for (place, dependency) in writer.dependencies_of(&grant.object, &grant.item).enumerate() {
            if place == missing_place {
                writer.delete(&dependency.key);
                missing.push(dependency);
            } else {
                writer.put(&dependency);
            }
        }
        writer.put(&grant);
    }
    writer.let_reconcile().await;
    writer.put_all(&missing);
    if writer.disturb(&[calls::ADD_USER_TO_GROUP]).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.fail(calls::REMOVE_USER_FROM_GROUP, REMOVAL_FAILS_FOR);
    writer.delete(&first_key);
    writer.stop_with(WRITERS_STOP)
}
