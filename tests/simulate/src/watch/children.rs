//! When a child may be deleted with its parent.

use instep_flow::work::Origin;
use instep_model::{ExtraPolicy, FindQuery, Item, Keep, Key, Object, ToParent};

use super::invocations::Invocation;
use super::{Watch, WrittenObject};
use crate::implied::{ImpliedRow, Parent, is_like};

/// Why an invocation may delete a child with its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReasonToDelete {
    /// The invocation is part of the cascade of the parent's deletion.
    Cascade,
    /// It handles a record of the child, which was linked to the parent before the parent's
    /// deletion, or within the grace of it.
    OwnRecord,
    /// It handles such a record of an earlier child, which was deleted and written again.
    EarlierRecord,
    /// A sweep has found it, and the model lets sweeps delete what is left of deleted parents.
    Orphan,
}

impl Watch {
    /// Promise 2: why an invocation may delete a child. `None` if it may not.
    pub(super) fn reason_to_delete(&self, key: &Key, child: &ImpliedRow, process: usize) -> Option<ReasonToDelete> {
        let invocation = self.invocations.get(&process)?;
        let is_orphan = self.implied.model.orphans == ExtraPolicy::Remove && invocation.batch.orphans.contains(key);
        let deleted = child.parents.iter().filter(|parent| self.implied.is_deleted(parent));
        let reason = |parent: &Parent| {
            if invocation.batch.has_failed_pointers || self.is_cascade_of(invocation, &parent.known) {
                return Some(ReasonToDelete::Cascade);
            }
            self.own_record(invocation, parent, child).or(is_orphan.then_some(ReasonToDelete::Orphan))
        };
        let is_void_cascade = |parent| self.is_cascade_of(invocation, parent);
        let of_void = self.implied.void_parents(child).iter().any(is_void_cascade).then_some(ReasonToDelete::Cascade);
        deleted.filter_map(reason).chain(of_void).min()
    }

    /// Whether a sweep has to delete an item, if the model lets it: surely a parent was deleted. A
    /// grant restores its subject.
    #[must_use]
    pub fn is_left(&self, row: &ImpliedRow) -> bool {
        let is_surely_gone = |parent: &Parent| {
            let up = &self.implied.model.link(parent.link).up;
            let is_sure = matches!(up, ToParent::Key | ToParent::Partition(_));
            is_sure && self.implied.is_deleted(parent) && !self.is_subject(&parent.known)
        };
        row.parents.iter().any(is_surely_gone)
    }

    /// Whether a child may stay: the record that created it was redriven, and the redrive cannot tell
    /// it from a child that was written again. It changed after that record, or the work queue does
    /// not carry the item, because it is secret. Or long after the deletion a writer hid the child from
    /// the index, and only then was the record of the deletion handled. Or it was written without an index key, which
    /// Instep wrote after the deletion. Or the child is not in the index, and only its writer knows the key.
    #[must_use]
    pub fn may_stay(&self, child: &ImpliedRow, parent: &Parent) -> bool {
        let hidden_ms = self.hidden_at_ms.get(&child.object).filter(|hidden_ms| **hidden_ms > parent.linked_ms);
        let is_by_index = self.implied.model.link(parent.link).find.queries_index();
        let corrected_ms = self.corrected_at_ms.get(&child.object);
        let is_too_late = match hidden_ms {
            Some(at_ms) => !self.implied.may_be_before_deletion(parent, *at_ms),
            None => corrected_ms.is_some_and(|at_ms| self.implied.is_after_deletion(parent, *at_ms)),
        };
        if is_by_index && is_too_late {
            return true;
        }
        if self.is_in_no_index(child, parent) {
            return true;
        }
        let is_redriven = self.has_redriven_pointers || self.redriven.contains(&child.object);
        is_redriven && (parent.has_changed_since || self.implied.model.item(child.object.of).secret)
    }

    /// Whether a child lacks the key of its parent in each index by which the parent finds it, where Instep only fills keys
    /// in. The key of another index says whose it is, and leads nowhere.
    fn is_in_no_index(&self, child: &ImpliedRow, parent: &Parent) -> bool {
        let model = &self.implied.model;
        let keys = &model.item(child.object.of).index_keys;
        let lacks = |query: &FindQuery| {
            let Some(place) = query.index else { return false };
            let is_filled = keys.iter().any(|keys| keys.index == place && keys.keep == Keep::Fill);
            let partition = query.pk.render(&|name: &str| parent.known.names.get(name)).ok();
            let mut written = model.index_at(place).pk.iter().filter_map(|name| child.item.get(name)?.to_text());
            is_filled && written.next().as_deref() != partition.as_deref()
        };
        let queries = model.link(parent.link).find.queries();
        !queries.is_empty() && queries.iter().all(lacks)
    }

    /// Whether an invocation continues the cascade of an object, or handles a record of its
    /// deletion that is no capture.
    fn is_cascade_of(&self, invocation: &Invocation, known: &Object) -> bool {
        let mut removals =
            self.handled(invocation).filter(|(origin, write)| write.new.is_none() && *origin != Origin::Captured);
        removals.any(|(_, write)| is_like(known, &write.object))
            || invocation.batch.continued.iter().any(|object| is_like(known, object))
    }

    /// Whether an invocation handles a record of the child for which the child is deleted. A
    /// redriven one has to show the child as it is. A captured one never deletes it.
    fn own_record(&self, invocation: &Invocation, parent: &Parent, child: &ImpliedRow) -> Option<ReasonToDelete> {
        let shown = |item: &Item| -> Item {
            // Instep corrects the keys of some indexes.
            let model = &self.implied.model;
            let kept = model.item(child.object.of).index_keys.iter().filter(|keys| keys.keep != Keep::No);
            let kept: Vec<&String> = kept
                .flat_map(|keys| {
                    let index = model.index_at(keys.index);
                    index.pk.iter().chain(index.sk.iter().flatten())
                })
                .collect();
            let shown = item.iter().filter(|(name, _)| !model.secret.contains(*name) && !kept.contains(name));
            shown.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let is_in_time = |at_ms| self.implied.may_be_before_deletion(parent, at_ms);
        let own = self.handled(invocation).filter(|(_, write)| write.object == child.object);
        let reasons = own.filter_map(|(origin, write)| match (origin, &write.new) {
            (Origin::Stream, Some(_)) if is_in_time(parent.linked_ms) => Some(ReasonToDelete::OwnRecord),
            (Origin::Stream, Some(_)) if is_in_time(write.at_ms) => Some(ReasonToDelete::EarlierRecord),
            (Origin::Failed, Some(new)) if shown(new) == shown(&child.item) => Some(ReasonToDelete::OwnRecord),
            (Origin::Stream | Origin::Failed | Origin::Captured, _) => None,
        });
        reasons.min()
    }

    /// What the records of an invocation wrote, and where each was delivered from.
    fn handled<'a>(&'a self, invocation: &'a Invocation) -> impl Iterator<Item = (Origin, &'a WrittenObject)> {
        let records = invocation.batch.records.iter();
        records.filter_map(|(origin, sequence)| Some((*origin, self.due.get(sequence)?.written.as_ref()?)))
    }
}
