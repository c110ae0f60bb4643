//! The writer of crowded worlds. It plays scenes, each in a file of its own.
//!
//! A scene is a race about a few objects. It waits for a call of Instep and writes at the worst
//! moment.

pub(crate) mod child_loses_parents_in_turn;
mod child_written_before_the_tombstone;
pub(crate) mod child_written_long_after;
mod dependency_deleted_after_user_is_created;
mod dependency_flickers_while_granted;
mod dependency_recreated_during_rollback;
mod garbage_written_and_deleted;
mod grant_read_without_its_parent;
mod grant_recreated_before_late_rollback;
pub(crate) mod grant_revoked_and_recreated;
mod index_hides_dependency;
pub(crate) mod linked_objects_flicker;
mod parent_recreated_during_cascade;
mod parents_deleted_together;
mod pending_grants_complete_in_one_batch;
mod revocation_during_last_pass;
mod rivals_trade_a_value;
mod subject_regains_its_last_grant;
mod user_changed_while_created;
mod user_recreated_during_replayed_deletion;
mod user_recreated_during_rollback;
mod weak_claim_during_late_release;

use super::odds::{Choice, Odds};
use super::writer::{Disturbed, DrawnWriter};
use crate::net::Net;

/// How often a writer draws a scene that the model has no objects for, before it gives up.
const DRAWS: usize = 10;

/// How long a writer waits after its last scene, in milliseconds at most. Delayed calls have their
/// effect before Instep handles the last records, or after that.
const AFTER_THE_LAST_SCENE_MS: usize = 4_000;

const LAST_SCENE_IS_ABOUT_AN_INDEX: Odds = Odds::EVEN;

const WRITES_ARE_RECONCILED: Odds = Odds::EVEN;
const A_MOMENT_MS: usize = 600;

/// What all writers of a world do after a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextWrites {
    /// They write on. Later writes may fix what the scene broke.
    Continue,
    /// They stop. No later write fixes what the scene broke.
    Stop,
}

impl NextWrites {
    /// Writers stop if the scene caught its moment.
    const fn after(moment: Disturbed) -> Self {
        match moment {
            Disturbed::Caught => Self::Stop,
            Disturbed::Missed => Self::Continue,
        }
    }
}

/// The outcome of a scene. It is none where the model has no objects for the scene.
type Played = Option<NextWrites>;

/// The outcome of a scene that missed its moment or does not need one.
const WRITE_ON: Played = Some(NextWrites::Continue);

/// All scenes that a crowded world plays in any order.
#[derive(Debug, Clone, Copy, Default)]
enum Scene {
    LinkedObjectsFlicker,
    ChildLosesParentsInTurn,
    ChildWrittenBeforeTheTombstone,
    ChildWrittenLongAfter,
    ParentRecreatedDuringCascade,
    ParentsDeletedTogether,
    RivalsTradeAValue,
    DependencyFlickersWhileGranted,
    SubjectRegainsItsLastGrant,
    PendingGrantsCompleteInOneBatch,
    RevocationDuringLastPass,
    DependencyDeletedAfterUserIsCreated,
    DependencyRecreatedDuringRollback,
    GrantRecreatedBeforeLateRollback,
    UserChangedWhileCreated,
    UserRecreatedDuringReplayedDeletion,
    UserRecreatedDuringRollback,
    WeakClaimDuringLateRelease,
    #[default]
    GarbageWrittenAndDeleted,
}

/// How often a scene is played, beside others.
#[derive(Debug, Clone, Copy)]
enum Frequency {
    Seldom,
    Usual,
    Often,
}

impl Scene {
    const fn frequency(self) -> Frequency {
        match self {
            Self::ChildLosesParentsInTurn | Self::GarbageWrittenAndDeleted => Frequency::Seldom,
            Self::LinkedObjectsFlicker
            | Self::ChildWrittenBeforeTheTombstone
            | Self::ChildWrittenLongAfter
            | Self::ParentRecreatedDuringCascade
            | Self::ParentsDeletedTogether
            | Self::PendingGrantsCompleteInOneBatch
            | Self::RevocationDuringLastPass
            | Self::DependencyDeletedAfterUserIsCreated
            | Self::DependencyRecreatedDuringRollback
            | Self::GrantRecreatedBeforeLateRollback
            | Self::UserRecreatedDuringRollback
            | Self::WeakClaimDuringLateRelease => Frequency::Usual,
            Self::RivalsTradeAValue
            | Self::SubjectRegainsItsLastGrant
            | Self::DependencyFlickersWhileGranted
            | Self::UserChangedWhileCreated
            | Self::UserRecreatedDuringReplayedDeletion => Frequency::Often,
        }
    }

    async fn play(self, writer: &DrawnWriter<'_>) -> Played {
        match self {
            Self::LinkedObjectsFlicker => linked_objects_flicker::play(writer).await,
            Self::ChildLosesParentsInTurn => child_loses_parents_in_turn::play(writer).await,
            Self::ChildWrittenBeforeTheTombstone => child_written_before_the_tombstone::play(writer).await,
            Self::ChildWrittenLongAfter => child_written_long_after::play(writer).await,
            Self::ParentRecreatedDuringCascade => parent_recreated_during_cascade::play(writer).await,
            Self::ParentsDeletedTogether => parents_deleted_together::play(writer).await,
            Self::RivalsTradeAValue => rivals_trade_a_value::play(writer).await,
            Self::DependencyFlickersWhileGranted => dependency_flickers_while_granted::play(writer).await,
            Self::SubjectRegainsItsLastGrant => subject_regains_its_last_grant::play(writer).await,
            Self::PendingGrantsCompleteInOneBatch => pending_grants_complete_in_one_batch::play(writer).await,
            Self::RevocationDuringLastPass => revocation_during_last_pass::play(writer).await,
            Self::DependencyDeletedAfterUserIsCreated => dependency_deleted_after_user_is_created::play(writer).await,
            Self::DependencyRecreatedDuringRollback => dependency_recreated_during_rollback::play(writer).await,
            Self::GrantRecreatedBeforeLateRollback => grant_recreated_before_late_rollback::play(writer).await,
            Self::UserChangedWhileCreated => user_changed_while_created::play(writer).await,
            Self::UserRecreatedDuringReplayedDeletion => user_recreated_during_replayed_deletion::play(writer).await,
            Self::UserRecreatedDuringRollback => user_recreated_during_rollback::play(writer).await,
            Self::WeakClaimDuringLateRelease => weak_claim_during_late_release::play(writer).await,
            Self::GarbageWrittenAndDeleted => garbage_written_and_deleted::play(writer).await,
        }
    }
}

impl Choice for Scene {
    const ALL: &'static [Self] = &[
        Self::LinkedObjectsFlicker,
        Self::ChildLosesParentsInTurn,
        Self::ChildWrittenBeforeTheTombstone,
        Self::ChildWrittenLongAfter,
        Self::ParentRecreatedDuringCascade,
        Self::ParentsDeletedTogether,
        Self::RivalsTradeAValue,
        Self::DependencyFlickersWhileGranted,
        Self::SubjectRegainsItsLastGrant,
        Self::PendingGrantsCompleteInOneBatch,
        Self::RevocationDuringLastPass,
        Self::DependencyDeletedAfterUserIsCreated,
        Self::DependencyRecreatedDuringRollback,
        Self::GrantRecreatedBeforeLateRollback,
        Self::UserChangedWhileCreated,
        Self::UserRecreatedDuringReplayedDeletion,
        Self::UserRecreatedDuringRollback,
        Self::WeakClaimDuringLateRelease,
        Self::GarbageWrittenAndDeleted,
    ];

    fn shares(self) -> usize {
        match self.frequency() {
            Frequency::Seldom => 1,
            Frequency::Usual => 2,
            Frequency::Often => 3,
        }
    }
}

/// Plays so many scenes at most. Stops after a scene that says so.
///
/// Where none says so, it plays one of two last scenes. They need a world without
/// later writes.
pub async fn play_scenes(net: &Net, times: usize) -> NextWrites {
    let writer = DrawnWriter::of(net);
    for _ in 0..times {
        for _ in 0..DRAWS {
            match writer.choose::<Scene>().play(&writer).await {
                Some(NextWrites::Stop) => {
                    writer.pause(AFTER_THE_LAST_SCENE_MS).await;
                    return NextWrites::Stop;
                }
                Some(NextWrites::Continue) => break,
                None => {}
            }
        }
    }
    for _ in 0..DRAWS {
        let played = if writer.happens(LAST_SCENE_IS_ABOUT_AN_INDEX) {
            index_hides_dependency::play(&writer).await
        } else {
            grant_read_without_its_parent::play(&writer).await
        };
        if let Some(next) = played {
            writer.pause(AFTER_THE_LAST_SCENE_MS).await;
            return next;
        }
    }
    NextWrites::Continue
}

/// What scenes share.
impl DrawnWriter<'_> {
    /// Waits until earlier writes are reconciled, or only a moment.
    async fn may_let_reconcile(&self) {
        if self.happens(WRITES_ARE_RECONCILED) {
            self.let_reconcile().await;
        } else {
            self.pause(A_MOMENT_MS).await;
        }
    }

    /// The outcome of a scene that wrote at its moment. Writers stop that often.
    fn stop_with(&self, odds: Odds) -> Played {
        Some(if self.happens(odds) { NextWrites::Stop } else { NextWrites::Continue })
    }
}
