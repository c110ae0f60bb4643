//! A grant is created again before an earlier run rolls it back.
//!
//! A writer creates a dependency, and its run gives the membership late. Meanwhile the writer
//! deletes the grant, so that the run has to roll back the membership. The removal fails for a
//! while, or fails for longer than it is retried, or is late.
//!
//! In the last two cases the writer creates the grant again in the meantime. The run for the new
//! grant gives the membership again. The late rollback must not take it away.

use std::time::Duration;

use super::{NextWrites, Played, WRITE_ON};
use crate::writers::cast::SplitGrant;
use crate::writers::odds::Choice;
use crate::writers::writer::{Disturbed, DrawnWriter, calls};

const DRAWS: usize = 5;
const MEMBERSHIP_IS_LATE_BY: Duration = Duration::from_secs(3);

/// Longer than the run for the deletion lasts.
const RUN_OF_THE_DELETION: Duration = Duration::from_secs(2);
const REMOVAL_FAILS_FOR_A_WHILE: Duration = Duration::from_secs(30);
const REMOVAL_FAILS_BEYOND_RETRIES: Duration = Duration::from_secs(120);
const REMOVAL_IS_LATE_BY: Duration = Duration::from_secs(4);

/// How the removal of the membership goes wrong.
#[derive(Debug, Clone, Copy, Default)]
enum Removal {
    FailsForAWhile,
    FailsBeyondRetries,
    #[default]
    IsLate,
}

impl Choice for Removal {
    const ALL: &'static [Self] = &[Self::FailsForAWhile, Self::FailsBeyondRetries, Self::IsLate];

    fn shares(self) -> usize {
        match self {
            Self::FailsForAWhile | Self::FailsBeyondRetries => 1,
            Self::IsLate => 2,
        }
    }
}

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let SplitGrant { own, dependencies, remote } = (0..DRAWS).find_map(|_| writer.draw_split_grant())?;
    writer.put(&own);
    writer.put_all_but(&remote.key, &dependencies);
    writer.let_reconcile().await;
    writer.put(&remote);
    if writer.delay(&[calls::ADD_USER_TO_GROUP], MEMBERSHIP_IS_LATE_BY).await == Disturbed::Missed {
        return WRITE_ON;
    }
    writer.delete(&own.key);
    tokio::time::sleep(RUN_OF_THE_DELETION).await;
    match writer.choose() {
        Removal::FailsForAWhile => writer.fail(calls::REMOVE_USER_FROM_GROUP, REMOVAL_FAILS_FOR_A_WHILE),
        Removal::FailsBeyondRetries => {
            writer.fail(calls::REMOVE_USER_FROM_GROUP, REMOVAL_FAILS_BEYOND_RETRIES);
            writer.let_cascades_reconcile().await;
            writer.put(&own);
        }
        Removal::IsLate => {
            if writer.delay(&[calls::REMOVE_USER_FROM_GROUP], REMOVAL_IS_LATE_BY).await == Disturbed::Missed {
                return WRITE_ON;
            }
            writer.put(&own);
        }
    }
    Some(NextWrites::Stop)
}
