//! Subjects, which Instep deletes when their last grant is revoked.

use instep_flow::bookkeeping;
use instep_model::{Identity, Item, Key, LinkId, Object, Subject};

use super::invocations::SLOW_MS;
use super::{Watch, WatchFinding, WrittenObject};
use crate::implied::{ImpliedRow, RECORD_TIME_MS};
use crate::table::Written;

/// An item that Instep deleted.
#[derive(Debug)]
pub(super) struct Deleted {
    /// The item before the deletion.
    pub(super) item: Item,
    /// It is a subject, and Instep deleted it because its last grant was revoked.
    pub(super) is_last_revocation: bool,
    /// When Instep deleted it, in milliseconds.
    pub(super) at_ms: i64,
}

impl Watch {
    /// Promise 2: subjects that Instep deleted after a last revocation, and that have a grant and
    /// do not exist in a drained world.
    #[must_use]
    pub fn lost_subjects(&self) -> Vec<String> {
        let ended = self.deleted.iter().filter(|(key, _)| !self.implied.rows().contains_key(*key));
        let subjects = ended.filter_map(|(key, deleted)| match self.implied.model.identify(key) {
            Identity::Item { object, .. } => Some((object, deleted)),
            Identity::Bookkeeping | Identity::Unknown(_) => None,
        });
        let lost = subjects.filter(|(object, deleted)| {
            self.is_subject(object) && self.has_grants(object) && !self.is_deleted_twice(object, deleted)
        });
        lost.map(|(object, _)| format!("2: {object:?} has a grant, and Instep deleted it")).collect()
    }

    /// Whether a writer deleted a subject, and wrote it again as an earlier state of it, in the second in which
    /// Instep deleted it. The run over the first deletion takes it for the later one, and forgets the item that
    /// Instep had kept.
    fn is_deleted_twice(&self, subject: &Object, deleted: &Deleted) -> bool {
        let tombstone = self.implied.books.get(&bookkeeping::tombstone_key(&self.implied.model, subject));
        let since_ms = deleted.at_ms - SLOW_MS - RECORD_TIME_MS;
        let is_just_before = |write: &WrittenObject| {
            write.object == *subject && write.new.is_none() && (since_ms..deleted.at_ms).contains(&write.at_ms)
        };
        tombstone.is_none_or(|tombstone| bookkeeping::deleted_item(tombstone).is_none())
            && self.due.values().filter_map(|due| due.written.as_ref()).any(is_just_before)
    }

    /// Whether an item refers to a subject that Instep deleted and that asked for something impossible. A grant
    /// restores it as it was, and its record is parked until a person corrects it.
    #[must_use]
    pub fn may_restore_a_bad_subject(&self, row: &ImpliedRow) -> bool {
        let model = &self.implied.model;
        let is_bad = |(key, deleted): (&Key, &Deleted)| match model.identify(key) {
            Identity::Item { object, canonical } => {
                let is_meant = |id| self.implied.target(id, &row.object, &row.item).as_ref() == Some(&object);
                model.links_from(row.object.of).any(|(id, _)| is_meant(id))
                    && self.implied.row(object.clone(), canonical, deleted.item.clone()).is_bad
            }
            Identity::Bookkeeping | Identity::Unknown(_) => false,
        };
        self.deleted.iter().any(is_bad)
    }

    /// The links from grants to subjects that are deleted with their last grant.
    fn last_links(&self) -> impl Iterator<Item = (usize, LinkId)> {
        let types = self.implied.model.items.iter().enumerate();
        types.filter_map(|(of, ty)| {
            let grant = ty.grant.as_ref().filter(|grant| grant.last.is_some())?;
            match grant.subject {
                Subject::Link(link) => Some((of, link)),
                Subject::Itself => None,
            }
        })
    }

    /// Whether objects of this type are deleted with their last grant.
    pub(super) fn is_subject(&self, object: &Object) -> bool {
        self.last_links().any(|(_, link)| self.implied.model.link(link).to == object.of)
    }

    /// A writer has written an item. Earlier deletions by Instep no longer say why its object is
    /// absent, under whichever of the object's keys.
    pub(super) fn forget_deleted(&mut self, key: &Key) {
        self.deleted.remove(key);
        if let Identity::Item { object, .. } = self.implied.model.identify(key) {
            for other in self.implied.model.keys(&object).unwrap_or_default() {
                self.deleted.remove(&other);
            }
        }
    }

    /// Whether a deletion by Instep must be due to a last revocation: no parent of the subject was
    /// deleted.
    pub(super) fn ends_a_subject(&self, write: &Written, writes: &[Written]) -> bool {
        let Some(row) = self.implied.rows().get(&write.key) else { return false };
        let is_child = || self.implied.is_orphan(row) || self.cascading_edge(row, writes).is_some();
        write.new.is_none() && self.is_subject(&row.object) && !is_child()
    }

    /// Promise 2: no grant is deleted with a subject that Instep itself deleted because it saw no
    /// grant.
    pub(super) fn judge_delete_of_grant(&self, row: &ImpliedRow) -> Option<WatchFinding> {
        let (_, link) = self.last_links().find(|(of, _)| *of == row.object.of.0)?;
        let subject = self.implied.target(link, &row.object, &row.item)?;
        let keys = self.implied.model.keys(&subject).ok()?;
        let mut deleted = keys.iter().filter_map(|key| self.deleted.get(key));
        let is_ended = deleted.any(|deleted| deleted.is_last_revocation) && !self.implied.exists(&subject);
        let has_lost_another = row.parents.iter().any(|parent| parent.link != link && self.implied.is_deleted(parent));
        let what = || {
            format!("2: {:?} was deleted with {subject:?}, which Instep deleted for its last revocation", row.object)
        };
        (is_ended && !has_lost_another).then(|| WatchFinding::Broken(what()))
    }

    fn has_grants(&self, subject: &Object) -> bool {
        self.last_links().any(|(of, link)| {
            let leads = |row: &ImpliedRow| self.implied.target(link, &row.object, &row.item).as_ref() == Some(subject);
            self.implied.rows().values().any(|row| row.object.of.0 == of && leads(row))
        })
    }
}
