//! A user is created again while a run rolls back what it gave to the user.
//!
//! A user has several grants and gets another. While Instep creates the membership, a writer
//! deletes the item of the user. The run created the user on demand and has to roll that back.
//!
//! The answer to that creation may be lost. Otherwise the removal of memberships may fail. While
//! the run deletes the user, the writer creates the item again.

use std::time::Duration;

use instep_model::Link;

use super::{NextWrites, Played, WRITE_ON};
use crate::writers::cast::SplitGrant;
use crate::writers::names::back_to;
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const DRAWS: usize = 20;
const OTHER_GRANTS: usize = 3;
const MEMBERSHIP_IS_LATE_BY: Duration = Duration::from_secs(3);

/// Longer than the run for the deletion lasts.
const RUN_OF_THE_DELETION: Duration = Duration::from_secs(2);
const ANSWER_TO_CREATION_IS_LOST: Odds = Odds::percent(30);
const REMOVAL_FAILS: Odds = Odds::percent(70);
const REMOVAL_FAILS_FOR: Duration = Duration::from_secs(60);

/// What fails is retried before the user is deleted: the deletion is waited for several times.
const WAITS_FOR_THE_DELETION: usize = 4;
const DELETION_IS_LATE_BY: Duration = Duration::from_secs(4);

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let of_a_user = |grant: &SplitGrant| writer.user_at(&grant.remote.key).is_some();
    let SplitGrant { own, dependencies, remote: user } =
        (0..DRAWS).find_map(|_| writer.draw_split_grant().filter(of_a_user))?;
    writer.delete(&own.key);
    writer.put_all(&dependencies);
    put_other_grants(writer, &own, &user)?;
    writer.let_reconcile().await;
    writer.put(&own);
    if writer.delay(&[calls::ADD_USER_TO_GROUP], MEMBERSHIP_IS_LATE_BY).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.delete(&user.key);
    tokio::time::sleep(RUN_OF_THE_DELETION).await;
    if writer.happens(ANSWER_TO_CREATION_IS_LOST) {
        return Some(NextWrites::after(writer.lose_answer(&[calls::CREATE_USER]).await));
    }
    if writer.happens(REMOVAL_FAILS) {
        writer.fail(calls::REMOVE_USER_FROM_GROUP, REMOVAL_FAILS_FOR);
    }
    for _ in 0..WAITS_FOR_THE_DELETION {
        if writer.delay(&[calls::DELETE_USER], DELETION_IS_LATE_BY).await == Disturbed::Caught {
            writer.put(&user);
            return Some(NextWrites::Stop);
        }
    }
    WRITE_ON
}

/// Puts more grants of the same user. None where the model has no link for them.
fn put_other_grants(writer: &DrawnWriter<'_>, own: &Actor, user: &Actor) -> Option<()> {
    let links = writer.model.links_to(user.object.of).map(|(_, link)| link);
    let giving: Vec<&Link> = links.filter(|link| writer.gives_access(link.from)).collect();
    for _ in 0..OTHER_GRANTS {
        let link = writer.pick(&giving)?;
        let place = writer.place(link.from, &back_to(link, &user.object)).filter(|place| place.key != own.key);
        let Some(place) = place else { continue };
        let grant = writer.actor_at(place);
        writer.dependencies_of(&grant.object, &grant.item).for_each(|dependency| writer.put(&dependency));
        writer.put(&grant);
    }
    Some(())
}
