//! What Instep may write to the table.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping;
use instep_model::template::Template;
use instep_model::{Identity, IndexKeys, Item, Keep, Key, Object, ToDependents, TypeId, Value};

use super::children::ReasonToDelete;
use super::{INDEX_LAG_MS, Watch, WatchFinding};
use crate::implied::{EdgeState, ImpliedRow, said};
use crate::table::Written;

/// How long before its writes a redrive may have read, in milliseconds. A call hangs and is retried
/// for less than that.
const READ_BEFORE_MS: i64 = 15_000;

impl Watch {
    /// Checks the writes of one call of Instep.
    pub(super) fn judge(&mut self, writes: &[Written], process: usize) -> Vec<WatchFinding> {
        self.checked(2);
        let found = writes.iter().filter_map(|write| {
            let Identity::Item { object, canonical } = self.implied.model.identify(&write.key) else {
                let is_other = self.implied.model.identify(&write.key) != Identity::Bookkeeping;
                return is_other.then(|| WatchFinding::Broken(format!("2: Instep wrote {:?}", write.key)));
            };
            let row = self.implied.rows().get(&write.key);
            match (row, &write.new) {
                (Some(row), None) => self.judge_delete(&write.key, row, writes, process),
                (_, Some(new)) => self.judge_put(&write.key, row, &self.implied.row(object, canonical, new.clone())),
                (None, None) => None,
            }
        });
        found.collect()
    }

    fn judge_delete(&self, key: &Key, row: &ImpliedRow, writes: &[Written], process: usize) -> Option<WatchFinding> {
        if self.implied.model.item(row.object.of).guard.is_some() {
            return self.judge_release(key, row);
        }
        if let Some(found) = self.judge_delete_of_grant(row) {
            return Some(found);
        }
        if let Some(child) = self.left_by_its_only_edge(row, writes, process) {
            return Some(WatchFinding::Broken(format!("1: {:?} was deleted, and leaves {child:?}", row.object)));
        }
        if let Some(reason) = self.reason_to_delete(key, row, process) {
            return match reason {
                ReasonToDelete::Cascade | ReasonToDelete::OwnRecord | ReasonToDelete::Orphan => None,
                ReasonToDelete::EarlierRecord => {
                    Some(WatchFinding::OpenRace("a child written again before its earlier record was handled"))
                }
            };
        }
        let now = writes.first().map_or(0, |write| write.at_ms);
        // An index shows an object for sure only if it existed before the invocation began.
        let began = self.invocations.get(&process).map_or(now - READ_BEFORE_MS, |invocation| invocation.began_ms);
        let is_fresh =
            |object: &Object| self.created_at_ms.get(object).is_some_and(|came| came + INDEX_LAG_MS >= began);
        let is_unseen = |object: &Object| {
            is_fresh(object) || self.implied.rows_of(object).any(|row| self.is_just_filled_in(row, began))
        };
        if row.parents.iter().any(|parent| self.implied.is_shadowed(parent, is_unseen)) {
            return Some(WatchFinding::OpenRace("a parent of that id that an index does not show yet"));
        }
        if let Some(edge) = self.cascading_edge(row, writes) {
            if self.implied.edge_state(edge) == EdgeState::Waits {
                let broken =
                    format!("2: {:?} was deleted with {:?}, which waits for another edge", row.object, edge.object);
                return Some(WatchFinding::Broken(broken));
            }
            let keeps = |other: &&ImpliedRow| other.object != edge.object && self.keeps(other, &row.object);
            let mut others = self.implied.rows().values().filter(keeps).peekable();
            others.peek()?;
            let is_hidden = |other: &ImpliedRow| {
                is_fresh(&other.object)
                    || self.is_just_filled_in(other, began)
                    || self.has_fresh_reference(other, row, began)
            };
            return Some(match others.find(|other| !is_hidden(other)) {
                None => WatchFinding::OpenRace("an edge created while its child was deleted"),
                Some(other) => {
                    WatchFinding::Broken(format!("2: {:?} was deleted, and {:?} keeps it", row.object, other.object))
                }
            });
        }
        if self.is_subject(&row.object) {
            let is_capture = self.invocations.get(&process).is_some_and(|invocation| invocation.is_capture);
            return is_capture.then(|| {
                WatchFinding::Broken(format!("2: a capture led to the deletion of subject {:?}", row.object))
            });
        }
        Some(WatchFinding::Broken(if self.implied.is_orphan(row) {
            format!("2: {:?} was deleted, and neither its record nor a cascade says so", row.object)
        } else {
            format!("2: Instep deleted {:?}, and none of its parents was deleted", row.object)
        }))
    }

    /// A guard that was deleted.
    fn judge_release(&self, key: &Key, guard: &ImpliedRow) -> Option<WatchFinding> {
        let ImpliedRow { object, owner, .. } = guard;
        if self.implied.is_of_writers(object.of) {
            let is_owners = self.implied.guards_of_the_deleted().any(|(own, _)| own == key);
            return (!is_owners)
                .then(|| WatchFinding::Broken(format!("7: {object:?} was released, and {owner:?} was not deleted")));
        }
        let holder = owner.as_ref()?;
        let has = self.implied.claimants(object).contains_key(holder);
        has.then(|| WatchFinding::Broken(format!("7: {object:?} was released, and {holder:?} has the value")))
    }

    /// Whether an edge gives a child a parent that exists, and with which it would be deleted.
    fn keeps(&self, edge: &ImpliedRow, child: &Object) -> bool {
        !self.implied.is_noted_to_wait(edge) && self.gives_parent(edge, child)
    }

    /// As [`Self::keeps`], for an edge that may wait.
    fn gives_parent(&self, edge: &ImpliedRow, child: &Object) -> bool {
        let mut links = self.implied.model.links_from(edge.object.of);
        let target = |id| self.implied.target(id, &edge.object, &edge.item);
        links.any(|(id, link)| {
            link.cascades_to.and_then(target).as_ref() == Some(child)
                && target(id).is_some_and(|parent| self.implied.exists(&parent))
        })
    }

    /// The child that a call leaves although it deletes the child's only edge that counts, and no other edge keeps it. One
    /// that another invocation has noted to wait since this one began may have kept it when this one read. A child that was
    /// written since then is left, as if it had been written after the call.
    fn left_by_its_only_edge(&self, edge: &ImpliedRow, writes: &[Written], process: usize) -> Option<Object> {
        let model = &self.implied.model;
        model.item(edge.object.of).unique_end.as_ref()?;
        let end = model.links_from(edge.object.of).find_map(|(_, link)| link.cascades_to)?;
        let child = self.implied.target(end, &edge.object, &edge.item)?;
        let is_deleted =
            |write: &Written| write.new.is_none() && model.keys(&child).is_ok_and(|keys| keys.contains(&write.key));
        let counts = self.implied.edge_state(edge) == EdgeState::Counts;
        let began_ms = self.invocations.get(&process).map_or(i64::MAX, |invocation| invocation.began_ms);
        let is_new = self.created_at_ms.get(&child).is_some_and(|came_ms| *came_ms >= began_ms);
        let is_left = counts && self.implied.exists(&child) && !is_new && !writes.iter().any(is_deleted);
        let is_noted = |other: &ImpliedRow| {
            let noted_ms = self.implied.claims_of_waiting(other).filter_map(|key| self.noted_at_ms.get(&key)).min();
            noted_ms.is_some_and(|noted_ms| *noted_ms < began_ms)
        };
        let keeps =
            |other: &ImpliedRow| other.object != edge.object && self.gives_parent(other, &child) && !is_noted(other);
        (is_left && !self.implied.rows().values().any(keeps)).then_some(child)
    }

    /// Whether an invocation that began at this moment may not have found an edge by its
    /// back-reference: it was written later, or is not written yet.
    fn has_fresh_reference(&self, edge: &ImpliedRow, child: &ImpliedRow, began_ms: i64) -> bool {
        let model = &self.implied.model;
        let ends = model.links_from(edge.object.of).filter_map(|(_, link)| link.cascades_to);
        let mut ends = ends.filter(|end| matches!(model.link(*end).find, ToDependents::BackReference));
        let key = bookkeeping::reference_key(model, &child.object, &edge.object);
        let noted_ms = self.implied.books.contains_key(&key).then(|| self.noted_at_ms.get(&key)).flatten();
        ends.next().is_some() && noted_ms.is_none_or(|noted_ms| *noted_ms >= began_ms)
    }

    /// The edge that is deleted in the same call and takes this item along: of several, one that waits for no other.
    pub(super) fn cascading_edge(&self, row: &ImpliedRow, writes: &[Written]) -> Option<&ImpliedRow> {
        let model = &self.implied.model;
        let edges =
            writes.iter().filter(|write| write.new.is_none()).filter_map(|write| self.implied.rows().get(&write.key));
        let takes = |edge: &&ImpliedRow| {
            let end = model.links_from(edge.object.of).find_map(|(_, link)| link.cascades_to);
            end.is_some_and(|end| self.implied.target(end, &edge.object, &edge.item).as_ref() == Some(&row.object))
        };
        edges.filter(takes).min_by_key(|edge| self.implied.edge_state(edge) == EdgeState::Waits)
    }

    fn judge_put(&self, key: &Key, before: Option<&ImpliedRow>, row: &ImpliedRow) -> Option<WatchFinding> {
        let ty = self.implied.model.item(row.object.of);
        let is_of_index_keys = before.is_some_and(|before| {
            before.owner == row.owner && self.beside_index_keys(before) == self.beside_index_keys(row)
        });
        if ty.guard.is_some() && !self.implied.is_of_writers(row.object.of) && !is_of_index_keys {
            return self.judge_claim(before, row);
        }
        let Some(before) = before else {
            return self.judge_restore(key, row);
        };
        let rules = self.implied.rules(&before.object, &before.item);
        if rules.iter().any(|(at_ms, after)| *at_ms <= self.implied.now_ms() && *after == row.item) {
            return None;
        }
        // Another index attribute may have become wrong meanwhile. The next read finds it.
        let should = self.kept_index_keys(row);
        let is_wrong = |name: &&String| {
            let (was, is) = (before.item.get(*name), row.item.get(*name));
            // One that only its writer knows stays as it is.
            was != is && should.get(*name).is_none_or(|should| is != should.as_ref())
        };
        (!is_of_index_keys || self.kept_index_attributes(row.object.of).iter().any(is_wrong))
            .then(|| WatchFinding::Broken(format!("2: Instep changed {:?}", row.object)))
    }

    /// Promise 7: a guard is claimed for an owner that has the value, from nobody who has it.
    fn judge_claim(&self, before: Option<&ImpliedRow>, row: &ImpliedRow) -> Option<WatchFinding> {
        let claimants = self.implied.claimants(&row.object);
        let Some(strong) = row.owner.as_ref().and_then(|owner| claimants.get(owner)) else {
            return Some(WatchFinding::Broken(format!(
                "7: {:?} was claimed for {:?}, which does not have the value",
                row.object, row.owner
            )));
        };
        let holder =
            before.and_then(|before| before.owner.as_ref()).filter(|holder| row.owner.as_ref() != Some(*holder));
        let held = holder.and_then(|holder| claimants.get(holder));
        let is_taken = held.is_some_and(|held| *held || !strong);
        is_taken.then(|| {
            WatchFinding::Broken(format!("7: {:?} was taken from {holder:?}, which has the value", row.object))
        })
    }

    /// The attributes of the index keys that Instep keeps.
    fn kept_index_attributes(&self, of: TypeId) -> BTreeSet<&String> {
        let model = &self.implied.model;
        let kept = model.item(of).index_keys.iter().filter(|keys| keys.keep != Keep::No);
        let attributes = kept.flat_map(|keys| {
            let index = model.index_at(keys.index);
            index.pk.iter().chain(index.sk.iter().flatten())
        });
        attributes.collect()
    }

    /// What an item says beside the index keys that Instep keeps.
    fn beside_index_keys(&self, row: &ImpliedRow) -> Item {
        let kept = self.kept_index_attributes(row.object.of);
        let mut item = row.item.clone();
        item.retain(|name, _| !kept.contains(name));
        item
    }

    /// Promise 2: Instep creates no item except a subject that it deleted, and restores that
    /// unchanged.
    fn judge_restore(&self, key: &Key, row: &ImpliedRow) -> Option<WatchFinding> {
        match self.deleted.get(key) {
            Some(deleted) if deleted.item == row.item => None,
            Some(_) => {
                Some(WatchFinding::Broken(format!("2: Instep restored {:?}, and not as it deleted it", row.object)))
            }
            // A writer created and deleted it again, and the tombstone still keeps the earlier
            // item.
            None if self.is_subject(&row.object) => {
                Some(WatchFinding::OpenRace("a subject restored that a writer deleted again"))
            }
            None => Some(WatchFinding::Broken(format!("2: Instep created {:?}", row.object))),
        }
    }

    /// Index attributes that Instep keeps and that do not match their templates.
    #[must_use]
    pub fn wrong_index_keys(&self, row: &ImpliedRow) -> Vec<String> {
        let should = self.kept_index_keys(row).into_iter();
        should.filter(|(name, should)| row.item.get(name) != should.as_ref()).map(|(name, _)| name).collect()
    }

    /// The index attributes that Instep keeps, with the values that they should have. One that is to be filled in and of
    /// which only the item's writer knows the value is not among them.
    fn kept_index_keys(&self, row: &ImpliedRow) -> BTreeMap<String, Option<Value>> {
        let model = &self.implied.model;
        let mut found = BTreeMap::new();
        let attributes = |keys: &IndexKeys| {
            let index = model.index_at(keys.index);
            [index.pk.clone(), index.sk.clone().unwrap_or_default()].concat()
        };
        let all = &model.item(row.object.of).index_keys;
        let filled: Vec<String> = all.iter().filter(|keys| keys.keep == Keep::Fill).flat_map(attributes).collect();
        // What follows from the key that is to be filled in says nothing about it.
        let mut rest = row.item.clone();
        rest.retain(|name, _| !filled.contains(name));
        for keys in all.iter().filter(|keys| keys.keep != Keep::No) {
            let index = model.index_at(keys.index);
            let is_fill = keys.keep == Keep::Fill;
            let lookup = said(model, &row.object, Some(if is_fill { &rest } else { &row.item }));
            let written = |spellings: &Vec<String>| {
                spellings.iter().filter_map(|name| row.item.get(name)?.to_text()).find(|text| !text.is_empty())
            };
            let text = |template: &Template, spellings: &Vec<String>| {
                let text = template.render(&lookup).ok();
                text.or_else(|| is_fill.then(|| written(spellings).map(|text| text.into_owned())).flatten())
            };
            let pk = text(&keys.pk, &index.pk);
            let sk = index.sk.as_ref().zip(keys.sk.as_ref()).map(|(spellings, sk)| text(sk, spellings));
            let is_whole = pk.is_some() && sk != Some(None);
            let parts = [(index.pk.first(), pk), (index.sk.as_ref().and_then(|sk| sk.first()), sk.flatten())];
            for (name, text) in parts.into_iter().filter_map(|(name, text)| Some((name?, text))) {
                let should = text.filter(|_| is_whole).map(Value::S);
                if should.is_some() || !is_fill {
                    found.insert(name.clone(), should);
                }
            }
        }
        found
    }
}
