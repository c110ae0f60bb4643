//! A grant and its dependency flicker while Instep gives or takes access.
//!
//! At first the grant is pending, or its dependency is in the table, or neither is. Then a writer
//! creates, deletes and changes both in any order. Most writes hit a call that creates or deletes a
//! user, a group or a membership.
//!
//! Other grants may join the same batch. Cognito may have no room for another group.

use super::{NextWrites, Played};
use crate::writers::cast::DrawnGrant;
use crate::writers::odds::{Choice, Odds};
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

/// The calls that give access or take it away.
const GIVING_AND_TAKING: [&str; 6] = [
    calls::CREATE_GROUP,
    calls::CREATE_USER,
    calls::ADD_USER_TO_GROUP,
    calls::REMOVE_USER_FROM_GROUP,
    calls::DELETE_GROUP,
    calls::DELETE_USER,
];

const GRANT_IS_PENDING: Odds = Odds::percent(40);
const DEPENDENCY_IS_NEW: Odds = Odds::percent(30);
const ROUNDS_LEAST: usize = 2;
const ROUNDS_MORE: usize = 4;
const GRANT_IS_CHANGED: Odds = Odds::percent(20);
const QUOTA_IS_EXHAUSTED: Odds = Odds::percent(20);
const WRITERS_STOP_AFTER_THE_LAST_WRITE: Odds = Odds::EVEN;
const OTHERS_JOIN_THE_BATCH: Odds = Odds::percent(20);
const OTHER_SHARES_A_NAME: Odds = Odds::percent(70);
const THERE_IS_A_PAUSE: Odds = Odds::EVEN;
const PAUSE_MS: usize = 1_000;
const NEXT_WRITE_WAITS_FOR_A_CALL: Odds = Odds::percent(70);
const NEXT_WRITE_IS_THE_LAST: Odds = Odds::percent(30);

/// Whose item is written next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Turn {
    Grant,
    #[default]
    Dependency,
}

impl Choice for Turn {
    const ALL: &'static [Self] = &[Self::Grant, Self::Dependency];

    fn shares(self) -> usize {
        1
    }
}

/// Whether the grant is in the table at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GrantAtFirst {
    Pending,
    Absent,
}

/// Whether the dependency is in the table at first. It is absent for a pending grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DependencyAtFirst {
    /// The writer creates it just before the race.
    New,
    Reconciled,
}

/// How far the scene is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Flickering,
    /// The next write is at a worst moment and is the last.
    LastWrite,
    /// The last write is done.
    Over(NextWrites),
}

/// Who is in the scene.
struct Race<'a> {
    writer: &'a DrawnWriter<'a>,
    grant: Actor,
    dependency: Actor,
    grant_at_first: GrantAtFirst,
}

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let DrawnGrant { own, dependencies } = writer.draw_grant()?;
    let dependency = writer.pick(&dependencies)?;
    let grant_at_first = if writer.happens(GRANT_IS_PENDING) { GrantAtFirst::Pending } else { GrantAtFirst::Absent };
    let dependency_at_first =
        if writer.happens(DEPENDENCY_IS_NEW) { DependencyAtFirst::New } else { DependencyAtFirst::Reconciled };
    let race = Race { writer, grant: own, dependency, grant_at_first };
    race.open(&dependencies, dependency_at_first).await;
    let mut turn = match grant_at_first {
        GrantAtFirst::Pending => Turn::Dependency,
        GrantAtFirst::Absent => Turn::Grant,
    };
    let mut stage = Stage::Flickering;
    for _ in 0..ROUNDS_LEAST + writer.below(ROUNDS_MORE) {
        stage = race.write_one(turn, stage);
        if let Stage::Over(next) = stage {
            return Some(next);
        }
        stage = race.wait(stage).await;
        turn = writer.choose();
    }
    Some(if stage == Stage::LastWrite { NextWrites::Stop } else { NextWrites::Continue })
}

impl Race<'_> {
    /// Brings the table to where the scene starts.
    async fn open(&self, dependencies: &[Actor], dependency_at_first: DependencyAtFirst) {
        let Self { writer, grant, dependency, grant_at_first } = self;
        writer.put_all(dependencies.iter().filter(|other| *other != dependency));
        match (grant_at_first, dependency_at_first) {
            (GrantAtFirst::Absent, DependencyAtFirst::Reconciled) => writer.put(dependency),
            (GrantAtFirst::Pending, _) | (_, DependencyAtFirst::New) => writer.delete(&dependency.key),
        }
        match grant_at_first {
            GrantAtFirst::Pending => writer.put(grant),
            GrantAtFirst::Absent => writer.delete(&grant.key),
        }
        writer.let_reconcile().await;
        if dependency_at_first == DependencyAtFirst::New {
            writer.put(dependency);
        }
    }

    fn write_one(&self, turn: Turn, stage: Stage) -> Stage {
        let writer = self.writer;
        let actor = match turn {
            Turn::Grant => &self.grant,
            Turn::Dependency => &self.dependency,
        };
        let is_changed = turn == Turn::Grant && writer.happens(GRANT_IS_CHANGED);
        let is_pending = self.grant_at_first == GrantAtFirst::Pending;
        let is_full = is_pending && writer.happens(QUOTA_IS_EXHAUSTED);
        if is_full {
            writer.exhaust_group_quota();
        }
        writer.write(writer.toggled(actor, || is_changed));
        if stage != Stage::LastWrite && !is_full {
            return Stage::Flickering;
        }
        let writers_stop = writer.happens(WRITERS_STOP_AFTER_THE_LAST_WRITE) || stage == Stage::LastWrite;
        Stage::Over(if writers_stop { NextWrites::Stop } else { NextWrites::Continue })
    }

    /// Waits for any moment, or for the worst. The run for the write may be over by then.
    async fn wait(&self, stage: Stage) -> Stage {
        let writer = self.writer;
        if writer.happens(OTHERS_JOIN_THE_BATCH) {
            let mut names = self.grant.object.names.clone();
            names.retain(|_, _| writer.happens(OTHER_SHARES_A_NAME));
            writer.create(self.grant.object.of, &names).into_iter().for_each(|write| writer.write(write));
        }
        if writer.happens(THERE_IS_A_PAUSE) {
            writer.pause(PAUSE_MS).await;
        }
        if !writer.happens(NEXT_WRITE_WAITS_FOR_A_CALL) {
            return stage;
        }
        match writer.disturb(&GIVING_AND_TAKING).await {
            Disturbed::Caught if writer.happens(NEXT_WRITE_IS_THE_LAST) => Stage::LastWrite,
            Disturbed::Caught | Disturbed::Missed => Stage::Flickering,
        }
    }
}
