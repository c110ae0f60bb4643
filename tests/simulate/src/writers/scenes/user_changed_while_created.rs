//! A user is enabled or disabled while another run creates the user.
//!
//! A writer creates the item of a user, and on another shard a grant for that user. The run for the
//! grant creates the user from the item that it read. Meanwhile the writer changes the item from
//! enabled to disabled, or back. The run for that change ends before the first run acts on its old
//! read.

use std::time::Duration;

use super::{NextWrites, Played, WRITE_ON};
use crate::implied::{fulfilled, set_value};
use crate::writers::cast::SplitGrant;
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const DRAWS: usize = 20;
const CHANGE_ENABLES: Odds = Odds::EVEN;
const CREATION_BY_OWN_RUN_IS_LATE_BY: Duration = Duration::from_millis(1_500);
const CALL_IS_LATE_BY: Duration = Duration::from_secs(4);

/// A grant, and the item of a user who can be disabled.
struct Actors {
    grant: SplitGrant,
    enabled: Actor,
    disabled: Actor,
}

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let Some(Actors { grant, enabled, disabled }) = (0..DRAWS).find_map(|_| draw_cast(writer)) else { return WRITE_ON };
    let enables = writer.happens(CHANGE_ENABLES);
    let (before, after) = if enables { (disabled, enabled) } else { (enabled, disabled) };
    writer.delete(&grant.own.key);
    writer.put_all_but(&before.key, &grant.dependencies);
    writer.let_reconcile().await;
    writer.put(&before);
    // The run for the user's item is late, so that the run for the grant creates the user.
    if writer.delay(&[calls::CREATE_USER], CREATION_BY_OWN_RUN_IS_LATE_BY).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.put(&grant.own);
    Some(if enables { enable(writer, &after).await } else { disable(writer, &after).await })
}

fn draw_cast(writer: &DrawnWriter<'_>) -> Option<Actors> {
    let grant = writer.draw_split_grant()?;
    let disabled_while = writer.user_at(&grant.remote.key)?.disabled.clone()?;
    let (mut enabled, mut disabled) = (grant.remote.clone(), grant.remote.clone());
    for (name, value) in fulfilled(&disabled_while) {
        set_value(&mut enabled.item, &name, None);
        set_value(&mut disabled.item, &name, value);
    }
    Some(Actors { grant, enabled, disabled })
}

/// The run disables the user late, and the item says by then that the user is enabled.
async fn enable(writer: &DrawnWriter<'_>, enabled: &Actor) -> NextWrites {
    let moment = writer.delay(&[calls::DISABLE_USER], CALL_IS_LATE_BY).await;
    writer.put(enabled);
    NextWrites::after(moment)
}

/// The user is disabled while the membership is given. Whoever enables the user after that acts on
/// an old read, and crashes.
async fn disable(writer: &DrawnWriter<'_>, disabled: &Actor) -> NextWrites {
    if writer.delay_answer(&[calls::ADD_USER_TO_GROUP], CALL_IS_LATE_BY).await == Disturbed::Missed {
        return NextWrites::Continue;
    }
    writer.put(disabled);
    writer.let_reconcile().await;
    NextWrites::after(writer.crash_after(&[calls::ENABLE_USER]).await)
}
