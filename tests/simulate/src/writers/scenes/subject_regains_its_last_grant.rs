//! A subject regains its last grant while Instep deletes the subject.
//!
//! A writer revokes the last grant of a subject, so that Instep deletes the subject. Meanwhile the
//! writer creates the grant again. The scene has four variants:
//!
//! - The subject gets an attribute that it lacked.
//! - The answer to the deletion of the subject is lost.
//! - The subject is created again while Instep restores it.
//! - The writer may delete the subject by hand.

use std::time::Duration;

use instep_model::{Item, Object, Subject};

use super::{NextWrites, Played, WRITE_ON};
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, Disturbed, DrawnWriter, calls};

const SUBJECT_GETS_AN_ATTRIBUTE: Odds = Odds::percent(30);
const DELETION_IS_LATE_BY: Duration = Duration::from_secs(3);
const ANSWER_IS_LOST: Odds = Odds::percent(20);
const SUBJECT_IS_CREATED_BY_HAND: Odds = Odds::percent(30);
const RESTORE_IS_LATE_BY: Duration = Duration::from_secs(1);
const DELETION_IS_WAITED_FOR: Odds = Odds::EVEN;
const WRITERS_STOP: Odds = Odds::percent(30);
const ANY_MOMENT_MS: usize = 1_200;
const SUBJECT_IS_DELETED_BY_HAND: Odds = Odds::percent(60);
const AFTER_THE_DELETION_MS: usize = 200;

/// Who is in the scene.
struct LastGrant<'a> {
    writer: &'a DrawnWriter<'a>,
    grant: Actor,
    subject: Object,
}

/// A subject that lacks an attribute at first.
struct PoorSubject {
    poor: Actor,
    full: Actor,
}

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let place = writer.place_where(|of| writer.ends_its_subject(of))?;
    let Some(Subject::Link(link)) = writer.model.item(place.object.of).grant.as_ref().map(|grant| &grant.subject)
    else {
        return WRITE_ON;
    };
    let subject_of = |object: &Object, item: &Item| writer.net.watch().implied.target(*link, object, item);
    let grant = writer.actor_at(place);
    let subject = subject_of(&grant.object, &grant.item)?;
    let dependencies: Vec<_> = writer.dependencies_of(&grant.object, &grant.item).collect();
    writer.put_all(dependencies.iter().chain([&grant]));
    let mut others = writer.all();
    others.retain(|other| {
        let is_other_grant = other.key != grant.key && writer.ends_its_subject(other.object.of);
        is_other_grant && subject_of(&other.object, &other.item).as_ref() == Some(&subject)
    });
    others.into_iter().for_each(|other| writer.delete(&other.key));
    let scene = LastGrant { writer, grant, subject };
    let poor_subject = scene.draw_poor_subject();
    if let Some(PoorSubject { poor, .. }) = &poor_subject {
        writer.put(poor);
    }
    writer.let_cascades_reconcile().await;
    writer.delete(&scene.grant.key);
    match poor_subject {
        Some(PoorSubject { full, .. }) => Some(scene.subject_gets_an_attribute(&full).await),
        None if writer.happens(ANSWER_IS_LOST) => Some(scene.answer_to_the_deletion_is_lost().await),
        None => Some(match scene.subject_now().filter(|_| writer.happens(SUBJECT_IS_CREATED_BY_HAND)) {
            Some(subject) => scene.subject_is_created_during_its_restore(&subject).await,
            None => scene.subject_may_be_deleted_by_hand().await,
        }),
    }
}

impl LastGrant<'_> {
    /// The subject as it is in the table.
    fn subject_now(&self) -> Option<Actor> {
        let mut keys = self.writer.model.keys(&self.subject).ok()?.into_iter();
        keys.find_map(|key| {
            let item = self.writer.item_at(&key)?;
            Some(Actor { key, object: self.subject.clone(), item })
        })
    }

    fn draw_poor_subject(&self) -> Option<PoorSubject> {
        let full = self.subject_now().filter(|_| self.writer.happens(SUBJECT_GETS_AN_ATTRIBUTE))?;
        let item = self.writer.without_an_attribute(&full.object, &full.item)?;
        Some(PoorSubject { poor: Actor { item, ..full.clone() }, full })
    }

    async fn subject_gets_an_attribute(&self, full: &Actor) -> NextWrites {
        let moment = self.writer.delay(&[calls::TRANSACT_WRITE], DELETION_IS_LATE_BY).await;
        self.writer.put(full);
        self.writer.put(&self.grant);
        NextWrites::after(moment)
    }

    async fn answer_to_the_deletion_is_lost(&self) -> NextWrites {
        let moment = self.writer.disturb(&[calls::LIST_GROUPS_FOR_USER]).await;
        self.writer.put(&self.grant);
        match moment {
            Disturbed::Caught => NextWrites::after(self.writer.lose_answer(&[calls::TRANSACT_WRITE]).await),
            Disturbed::Missed => NextWrites::Continue,
        }
    }

    /// The grant and its subject are in one partition: no run handles the record of the new subject
    /// before the restore ends.
    async fn subject_is_created_during_its_restore(&self, before: &Actor) -> NextWrites {
        let writer = self.writer;
        writer.let_cascades_reconcile().await;
        if self.subject_now().is_some() {
            return NextWrites::Continue;
        }
        writer.put(&self.grant);
        if writer.delay(&[calls::TRANSACT_WRITE], RESTORE_IS_LATE_BY).await == Disturbed::Missed {
            return NextWrites::Continue;
        }
        writer.put_item(&before.key, writer.item(&before.key, &before.object, None));
        NextWrites::Stop
    }

    async fn subject_may_be_deleted_by_hand(&self) -> NextWrites {
        let writer = self.writer;
        let next = if writer.happens(DELETION_IS_WAITED_FOR) {
            self.wait_for_the_deletion().await
        } else {
            writer.pause(ANY_MOMENT_MS).await;
            NextWrites::Continue
        };
        if let Some(subject) = self.subject_now().filter(|_| writer.happens(SUBJECT_IS_DELETED_BY_HAND)) {
            writer.delete(&subject.key);
            writer.pause(AFTER_THE_DELETION_MS).await;
        }
        writer.put(&self.grant);
        next
    }

    /// Waits for the last call before the deletion, and then for the deletion.
    async fn wait_for_the_deletion(&self) -> NextWrites {
        let is_caught = self.writer.disturb(&[calls::LIST_GROUPS_FOR_USER]).await == Disturbed::Caught
            && self.writer.disturb(&[calls::TRANSACT_WRITE]).await == Disturbed::Caught;
        if is_caught && self.writer.happens(WRITERS_STOP) { NextWrites::Stop } else { NextWrites::Continue }
    }
}
