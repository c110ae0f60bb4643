//! A dependency is deleted just after a user or a group is created for it.
//!
//! A writer creates a grant and its last dependency at once, on two shards. Instep creates the user
//! or the group, perhaps in two runs: one for its own item and one on demand. At that moment the
//! writer deletes or changes the dependency. Adding the user to the group may fail for some
//! seconds.

use std::time::Duration;

use super::{Played, WRITE_ON};
use crate::writers::cast::SplitGrant;
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const CREATING: [&str; 2] = [calls::CREATE_GROUP, calls::CREATE_USER];
const DRAWS: usize = 5;
const BOTH_CREATIONS_ARE_WAITED_FOR: Odds = Odds::EVEN;
const ADDING_FAILS: Odds = Odds::percent(30);
const ADDING_FAILS_FOR: Duration = Duration::from_secs(8);
const DEPENDENCY_IS_CHANGED_NOT_DELETED: Odds = Odds::percent(40);
const WRITERS_STOP: Odds = Odds::percent(70);

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let SplitGrant { own, dependencies, remote } = (0..DRAWS).find_map(|_| writer.draw_split_grant())?;
    writer.delete(&own.key);
    writer.put_all_but(&remote.key, &dependencies);
    writer.let_reconcile().await;
    writer.put(&remote);
    writer.put(&own);
    let are_both_waited_for = writer.happens(BOTH_CREATIONS_ARE_WAITED_FOR);
    if writer.disturb(&CREATING).await == Disturbed::Missed
        || are_both_waited_for && writer.disturb(&CREATING).await == Disturbed::Missed
    {
        return WRITE_ON;
    }
    if writer.happens(ADDING_FAILS) {
        writer.fail(calls::ADD_USER_TO_GROUP, ADDING_FAILS_FOR);
    }
    if writer.happens(DEPENDENCY_IS_CHANGED_NOT_DELETED) {
        let changed = writer.item(&remote.key, &remote.object, Some(&remote.item));
        writer.put_item(&remote.key, changed);
    } else {
        writer.delete(&remote.key);
    }
    writer.stop_with(WRITERS_STOP)
}
