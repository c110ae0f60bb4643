//! Groups that are created on demand: each is deleted with the parent that its name determines.
//!
//! Before such a group is created, a bookkeeping item is written, by which the parent finds it.

use std::collections::BTreeMap;

use instep_model::{CognitoMember, Item, Key, LinkId, Model, Object, ToParent, TypeId};

use super::Pass;
use super::children::absent;
use crate::bookkeeping;
use crate::effect::{Action, Effect, Expect, Write, WriteReason};
use crate::entries::Entries;
use crate::implied::{self, Membership};
use crate::known::{Known, all};
use crate::plan::Mentions;
use crate::queries;
use crate::work::{Dependents, Extent, Which};

/// The maximum number of groups that a run deletes with one object: each needs two calls to Cognito,
/// whose rate is limited, and a run that ends before the last one begins again with the first.
const GROUPS_MAX: usize = 10;

/// The maximum number of their bookkeeping items in a transaction, which has room for its checks.
const DELETED_ENTRIES: usize = 50;

impl<'a> Pass<'a> {
    /// The bookkeeping items by which the parents of an item find a group that is created for it.
    pub(super) fn group_items(&self, member: &CognitoMember, object: &Object, item: &Item, group: &str) -> Vec<Action> {
        let model = self.model;
        let parents = member.group_deleted_with().iter().filter_map(|id| {
            let link = model.link(*id);
            let names = model.link_target(link, &object.names, Some(item)).filter(|_| queries::resolves_by_index(link));
            Some((implied::target(model, *id, object, Some(item))?, names))
        });
        let items = bookkeeping::groups(model, group, parents.collect(), self.times.now).into_iter();
        items.map(|(key, item)| Action::Put { key, item, expect: Expect::Any }).collect()
    }

    /// A group to which this run, or an earlier one over the same entry, added a member needs its
    /// bookkeeping items. While it was created, a parent may have been deleted and written again, and
    /// the bookkeeping items with it.
    pub(super) fn keep_group_items(&mut self, of: TypeId, group: &str, items: &[Action], mentions: &Mentions) {
        let may_exist = self.progress.groups_on_demand.contains(group) || mentions.may_be_done();
        if self.lacks_an_item(items) && may_exist {
            self.write_group_items(of, group, items.to_vec(), &mentions.entries());
        }
    }

    /// Asks in advance for the bookkeeping items of the groups on demand of an image, and for the
    /// tombstones of the parents with which they are deleted.
    pub(super) fn ask_for_group_items(&mut self, object: &Object, image: &Item) {
        let model = self.model;
        for rule in rules_on_demand(model, object) {
            let _ = self.had_a_parent(rule, object, image);
            for membership in implied::memberships_of(model, rule, object, image) {
                let items = self.group_items(rule, object, image, &membership.group);
                let _ = self.lacks_an_item(&items);
            }
        }
    }

    /// Whether a parent with which a rule's groups are deleted has a tombstone. `false` if it must be read
    /// first.
    fn had_a_parent(&mut self, rule: &CognitoMember, object: &Object, image: &Item) -> bool {
        let found: Vec<_> = rule.group_deleted_with().iter().map(|id| self.had_parent(*id, object, image)).collect();
        found.contains(&Ok(true))
    }

    /// Whether one of a group's bookkeeping items does not exist. `false` if they must be read first.
    pub(super) fn lacks_an_item(&mut self, items: &[Action]) -> bool {
        let found: Vec<_> = items.iter().map(|item| self.view.item(item.key())).collect();
        found.contains(&Ok(None))
    }

    /// This run, or an earlier one over the same entry, may have created the group of a membership
    /// that is not implied any more. If a parent of the group was deleted meanwhile, the run over
    /// the parent may have looked for groups too early: it does so again. It deletes no children:
    /// those that were written since are pending. Only a change that by itself names the membership
    /// counts: a run over fewer records, which may follow a failure, must come here, too.
    pub(super) fn delete_group_made_too_late(&mut self, object: &Object, mentions: &Mentions, membership: &Membership) {
        let model = self.model;
        let rules: Vec<&CognitoMember> = rules_on_demand(model, object).collect();
        if rules.is_empty() {
            return;
        }
        let grants = mentions.changes().filter(|change| self.memberships_named_by(object, change).contains(membership));
        // This run may have created the group for another item that implied the same membership.
        let is_shared = rules.iter().any(|rule| !rule.shared_with.is_empty())
            && (self.progress.groups_on_demand.contains(&membership.group) || mentions.may_be_done());
        let images = grants.flat_map(|change| change.new.iter().chain(change.old.iter().filter(|_| is_shared)));
        let images: Vec<&Item> = images.chain(mentions.named.iter().filter_map(|named| named.image.as_ref())).collect();
        for image in images {
            let names =
                |rule: &&&CognitoMember| implied::memberships_of(model, rule, object, image).contains(membership);
            let Some(rule) = rules.iter().find(names) else { continue };
            let items = self.group_items(rule, object, image, &membership.group);
            // Only the deletion of a parent deletes bookkeeping items, and it leaves a tombstone. An item of a
            // group that nobody created leads to nothing, and is deleted with the parent. INVARIANT 8: this run
            // may be the one over the parent, too, which has deleted them together with the group.
            if self.lacks_an_item(&items)
                && !self.progress.groups_gone.contains(&membership.group)
                && (self.progress.groups_on_demand.contains(&membership.group)
                    || mentions.may_be_repeated() && self.had_a_parent(rule, object, image))
            {
                self.write_group_items(object.of, &membership.group, items.clone(), &mentions.entries());
            }
            for id in rule.group_deleted_with() {
                let Some(parent) = implied::target(model, *id, object, Some(image)) else { continue };
                let Ok(Some((parent, _))) = self.deleted_parent(model.link(*id), &parent) else { continue };
                self.write_group_items(object.of, &membership.group, items.clone(), &mentions.entries());
                let is_late = queries::resolves_by_index(model.link(*id));
                let extent = if is_late { Extent::Late } else { Extent::All };
                let again = Dependents::of(model, &parent, Which::Groups, extent);
                self.add_effect(Effect::SendDependents(again), &mentions.entries());
            }
        }
    }

    pub(super) fn write_group_items(&mut self, of: TypeId, group: &str, items: Vec<Action>, entries: &Entries) {
        // A parent that is deleted meanwhile does not find the group: the next read does.
        let target = format!("entry of group {group}");
        self.write(Write::follow(WriteReason::GroupEntry(of), target, items).and_read_again(), entries);
    }

    /// Deletes the groups that were created on demand for items of a deleted object. It runs after
    /// the tombstone was written: a run that creates such a group later finds the tombstone.
    pub(super) fn delete_groups_on_demand(&mut self, object: &Object, extent: Extent, entries: &Entries) {
        let (model, is_late) = (self.model, extent == Extent::Late);
        let mut actions = Vec::new();
        for (known, links) in group_parents(model, object) {
            // INVARIANT 2: another object may have the parent's name by now, and the index may show
            // that too late for the first pass.
            let by_index = links.iter().copied().find(|id| queries::resolves_by_index(model.link(*id)));
            if !links.iter().any(|id| queries::resolves_by_index(model.link(*id)) == is_late) {
                continue;
            }
            let Ok(rows) = self.groups_deleted_with(by_index, &known, is_late) else { continue };
            // INVARIANT 2: the items that know the parent by a part of its key may mean another one that exists.
            // Only a parent with groups asks for others: most have none.
            let may_mean_another = links.iter().copied().find(|id| {
                let link = model.link(*id);
                matches!(link.up, ToParent::Partition(_)) || model.has_addresses(link)
            });
            let namesake = may_mean_another.filter(|_| !rows.is_empty());
            if namesake.is_some_and(|id| self.has_namesake_by(id, Some(known.names.clone())) != Ok(false)) {
                continue;
            }
            // After the first ones are deleted, the run reads again and finds the next ones.
            let deleted = self.progress.groups_deleted.get(object).copied().unwrap_or_default();
            let left = GROUPS_MAX.saturating_sub(deleted);
            for row in rows.iter().take(left) {
                let Some(key) = model.table.key_of(row) else { continue };
                // The group is deleted first, in an earlier phase.
                actions.extend(self.entry_deletions(row));
                let created = bookkeeping::created(row);
                self.add_effect(Effect::DeleteGroup { group: key.sk, of: object.clone(), created }, entries);
            }
            if rows.len() > left {
                let rest = Dependents::of(model, object, Which::Groups, extent);
                self.add_effect(Effect::SendDependents(rest), entries);
            }
        }
        let actions: BTreeMap<Key, Action> = actions.into_iter().collect();
        let actions: Vec<Action> = actions.into_values().collect();
        for actions in actions.chunks(DELETED_ENTRIES) {
            let label = format!("entries of groups of {}", self.label(object));
            let reason = WriteReason::GroupsGo(object.of);
            let deleted = Write::follow(reason, label, actions.to_vec());
            self.write(deleted.checking(absent(model, object)), entries);
        }
    }

    /// Bookkeeping items of the groups that are deleted with a parent: all, or more than a run deletes. Those of
    /// items that find the parent by an index are deleted late.
    fn groups_deleted_with(
        &mut self,
        by_index: Option<LinkId>,
        parent: &Object,
        is_late: bool,
    ) -> Known<Vec<&'a Item>> {
        let model = self.model;
        let mut found = Vec::new();
        // INVARIANT 8: a parent may have thousands of groups, and each run deletes a few of them. It reads
        // no more of them than it needs.
        for limit in [Some(GROUPS_MAX + 1), None] {
            let query = queries::groups_on_demand(model, parent, limit);
            let rows: Vec<Option<&'a Item>> = all(self.view.rows(&query)?, |row| {
                let is_kept = match by_index.map(|id| (id, bookkeeping::found_by(model, row, parent))) {
                    None => false,
                    Some((id, names @ Some(_))) if is_late => self.has_namesake_by(id, names)?,
                    Some((_, names)) => names.is_some() != is_late,
                };
                Ok((!is_kept).then_some(row))
            })?;
            found = rows.into_iter().flatten().collect();
            if found.len() > GROUPS_MAX || !self.view.is_cut(&query) {
                break;
            }
        }
        Ok(found)
    }

    /// The deletions of a group's bookkeeping items, under all of its parents. Each is deleted as it
    /// was read: a new one belongs to a group that was created again.
    fn entry_deletions(&mut self, row: &Item) -> Vec<(Key, Action)> {
        let keys = bookkeeping::group_keys(self.model, row);
        let found: Vec<_> = keys.into_iter().map(|key| (self.view.item(&key), key)).collect();
        let there = found.into_iter().filter_map(|(item, key)| Some((item.ok()??, key)));
        let delete = |(item, key): (&Item, Key)| {
            let expect = bookkeeping::as_read(Some(item));
            (key.clone(), Action::Delete { key, expect })
        };
        there.filter(|(item, _)| item.get(bookkeeping::FIELDS) == row.get(bookkeeping::FIELDS)).map(delete).collect()
    }
}

/// The memberships of an item type whose groups are created on demand and deleted with a parent.
fn rules_on_demand<'m>(model: &'m Model, object: &Object) -> impl Iterator<Item = &'m CognitoMember> + use<'m> {
    model.item(object.of).members.iter().filter(|rule| !rule.group_deleted_with().is_empty())
}

/// The names by which items know an object with which their groups are deleted, and the links for each.
fn group_parents(model: &Model, object: &Object) -> BTreeMap<Object, Vec<LinkId>> {
    let links = model.links_to(object.of).filter(|(id, link)| {
        let mut members = model.item(link.from).members.iter();
        members.any(|member| member.group_deleted_with().contains(id))
    });
    let mut parents: BTreeMap<Object, Vec<LinkId>> = BTreeMap::new();
    for (id, link) in links {
        parents.entry(queries::as_known(link, object)).or_default().push(id);
    }
    parents
}
