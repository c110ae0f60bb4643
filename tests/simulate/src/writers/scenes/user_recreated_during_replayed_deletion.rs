//! A user is created again while a replayed record deletes the user.
//!
//! An item implies a user and a membership. A writer creates the item and deletes it. Then the
//! record of the deletion runs again and deletes the user late. Meanwhile the writer creates the
//! item with other attributes. User and membership must be there in the end.

use std::time::Duration;

use instep_model::TypeId;

use super::{NextWrites, Played, WRITE_ON};
use crate::writers::odds::Odds;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const DELETION_IS_LATE_BY: Duration = Duration::from_secs(3);

/// Longer than the run for the new item lasts.
const RUN_OF_THE_CREATION: Duration = Duration::from_secs(2);
const ITEM_CHANGES_ONCE_MORE: Odds = Odds::EVEN;
const MEMBERSHIP_IS_LATE_BY: Duration = Duration::from_secs(3);

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let has_user_and_membership = |of: TypeId| {
        let ty = writer.model.item(of);
        ty.user.is_some() && !ty.members.is_empty()
    };
    let place = writer.place_where(has_user_and_membership)?;
    let (key, object) = (&place.key, &place.object);
    let any_item = || writer.item(key, object, None);
    let some_item = any_item();
    let others = writer.dependencies_of(object, &some_item).filter(|other| other.key != *key);
    let dependencies: Vec<_> = others.collect();
    let first_item = any_item();
    writer.put_all(&dependencies);
    writer.put_item(key, first_item);
    writer.let_reconcile().await;
    writer.delete(key);
    writer.let_reconcile().await;
    writer.replay_last_record_of(key.clone());
    if writer.delay(&[calls::DELETE_USER], DELETION_IS_LATE_BY).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.put_item(key, any_item());
    tokio::time::sleep(RUN_OF_THE_CREATION).await;
    if writer.happens(ITEM_CHANGES_ONCE_MORE)
        && writer.delay(&[calls::ADD_USER_TO_GROUP], MEMBERSHIP_IS_LATE_BY).await == Disturbed::Caught
    {
        writer.put_item(key, any_item());
    }
    Some(NextWrites::Stop)
}
