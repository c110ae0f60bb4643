//! Belonging: a child is deleted with its parent, even if the child is handled after its parent's
//! deletion.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, ItemPart, Key, Link, LinkId, Model, Names, Object, ToParent, TypeId, Value};

use jiff::{SignedDuration, Timestamp};

use super::Pass;
use super::index_keys::as_written;
use super::refusal::Refusal;
use super::touched::{own_changes, touched};
use crate::change::Change;
use crate::effect::{Action, CONDITION_ATTRIBUTES_MAX, Check, Expect, Write, WriteReason};
use crate::entries::Entries;
use crate::known::{Known, all, any};
use crate::plan::{DeliveredChange, Mentions};
use crate::work::{self, Origin};
use crate::{bookkeeping, implied, pending, queries, secrets};

/// The maximum number of a child's other parents that a transaction checks. The others were only
/// read, shortly before.
const OTHER_PARENTS_CHECKED_MAX: usize = 10;

/// How long after its parent's deletion a child may be written and is still deleted with it: its
/// writer may have read the parent before. A child that is written later is pending.
const DELETION_GRACE: SignedDuration = SignedDuration::from_secs(10);

impl Pass<'_> {
    /// A child that was written before its parent's deletion, or shortly after it, is deleted with
    /// it. Any other child whose parent does not exist is pending.
    pub(super) fn delete_with_parent(&mut self, object: &Object, mentions: &Mentions, key: &Key, item: &Item) {
        let model = self.model;
        // The other items of the object have records of their own.
        if !mentions.changes().any(|change| change.key == *key) {
            return;
        }
        for (id, link) in model.links_from(object.of) {
            if !link.deleted_with || !link.leads_down() {
                continue;
            }
            let moved = touched(mentions, |image| implied::targets(model, id, object, Some(image))).is_some();
            if !moved && !own_changes(mentions, key).any(|own| self.took_out_of_index(id, object, &own.change)) {
                continue;
            }
            for parent in implied::targets(model, id, object, Some(item)) {
                self.delete_with(id, &parent, object, mentions, key, item);
            }
        }
    }

    fn delete_with(
        &mut self,
        id: LinkId,
        known: &Object,
        object: &Object,
        mentions: &Mentions,
        key: &Key,
        item: &Item,
    ) {
        let model = self.model;
        let is_guard = model.is_of_owner(model.link(id));
        let Ok(Some((parent, deleted_at))) = self.deleted_parent(model.link(id), known) else {
            // Writers reserve a value before they write its owner.
            if !is_guard {
                self.say_if_nothing(id, known, object, mentions, item);
            }
            return;
        };
        let own: Vec<_> = own_changes(mentions, key).collect();
        if !self.was_linked_before(id, known, object, item, &own, deleted_at) {
            if is_guard {
                return self.say_if_stays(object, &parent, mentions);
            }
            // A parent that moved to another key still exists, so its child is not pending.
            if self.has_namesake(id, object, item) == Ok(false) {
                self.note(&mentions.entries(), &pending::on_deleted(model, model.link(id), &parent));
            }
            return;
        }
        // If the parent is a subject whose tombstone keeps its item, the grant restores the subject
        // instead.
        if self.is_last_link(id, object.of) && self.kept_item(&parent) != Ok(None) {
            return;
        }
        let redriven = redriven(mentions, key);
        if is_guard && redriven.is_none() {
            return self.release_of_deleted(object, &parent, &mentions.entries());
        }
        let expect = if redriven.is_some() { self.as_read(id, object, item) } else { self.as_linked(id, object, item) };
        let deletion = self.deletion(id, object, key, item, expect, &mentions.entries());
        let Ok(Some((mut checks, actions))) = deletion else { return };
        // INVARIANT 2: an equal child may have been written since.
        if redriven.is_some_and(|change| !work::is_live(change.recorded_at, self.times.now)) {
            return self.refuse(&mentions.entries(), Refusal::LateCascade);
        }
        checks.extend(absent(model, &parent));
        let (label, entries) = (self.label(object), mentions.entries());
        let parent = queries::label_through(model, model.link(id), &parent);
        self.note(&entries, &format!("deleted with {parent}, which was deleted"));
        self.write(Write::follow(WriteReason::GoesWith(id), label, actions).checking(checks), &entries);
    }

    /// Says that a guard was written long after its owner's deletion, unless this run handles it for another reason: its
    /// owner may be about to be written again.
    fn say_if_stays(&mut self, guard: &Object, owner: &Object, mentions: &Mentions) {
        if !self.guards.contains_key(guard) {
            let owner = queries::label_named_by(self.model, guard.of, owner);
            let text = format!("stays until a sweep: {owner} was deleted before this was written");
            self.note(&mentions.entries(), &text);
        }
    }

    /// Says that a parent does not exist and that no tombstone shows it was deleted. If only a query leads to
    /// the parent, just a grant asks: a query for each child would cost more than the word is worth.
    fn say_if_nothing(&mut self, id: LinkId, parent: &Object, object: &Object, mentions: &Mentions, item: &Item) {
        let link = self.model.link(id);
        let exists = match link.up {
            ToParent::Key => self.exists(parent),
            ToParent::Unknown if self.model.has_addresses(link) => self.exists_by_address(parent),
            ToParent::Partition(_) | ToParent::Index { .. } if link.needed => self.has_namesake(id, object, item),
            ToParent::Partition(_) | ToParent::Index { .. } | ToParent::Unknown => return,
        };
        if exists == Ok(false) {
            self.leads_to_nothing(id, object, mentions, parent);
        }
    }

    /// Whether the records of the batch show that the present item was linked to its parent before
    /// `deleted_at`, or within [`DELETION_GRACE`] after it. If a write hid the item from the index by
    /// which the cascade of its parent finds it, the item was linked then, at the latest.
    fn was_linked_before(
        &self,
        id: LinkId,
        parent: &Object,
        object: &Object,
        item: &Item,
        own: &[&DeliveredChange],
        deleted_at: Timestamp,
    ) -> bool {
        let Some(last) = own.last() else { return false };
        // INVARIANT 2: a record of a failed batch may be old, and the item written again since.
        let is_current = |new: &Item| match last.delivery.origin {
            Origin::Stream => true,
            Origin::Failed | Origin::Captured => {
                let (new, item) = (as_written(self.model, object, new), as_written(self.model, object, item));
                secrets::same(self.model, &new, &item)
            }
        };
        let is_linked = |image: &Option<Item>| {
            image.as_ref().is_some_and(|image| implied::targets(self.model, id, object, Some(image)).contains(parent))
        };
        // INVARIANT 2: if not the last one, a record that comes later links the item.
        let is_shown = is_linked(&last.change.new) && last.change.new.as_ref().is_some_and(is_current);
        let links = |change: &&Change| is_linked(&change.new) && !is_linked(&change.old);
        let changes = || own.iter().map(|delivered| &*delivered.change);
        let took_out_of_index = |change: &&Change| is_linked(&change.new) && self.took_out_of_index(id, object, change);
        let linked_at =
            changes().rfind(links).or_else(|| changes().find(took_out_of_index)).and_then(|change| change.recorded_at);
        is_shown && linked_at.is_some_and(|at| at.duration_since(deleted_at) <= DELETION_GRACE)
    }

    /// The parent, if it does not exist and has a tombstone, and when it was deleted.
    pub(super) fn deleted_parent(&mut self, link: &Link, parent: &Object) -> Known<Option<(Object, Timestamp)>> {
        if matches!(link.up, ToParent::Key) && self.exists(parent)? {
            return Ok(None);
        }
        let Some(tombstone) = self.view.item(&bookkeeping::tombstone_key(self.model, parent))? else {
            return Ok(None);
        };
        let deleted_at = bookkeeping::removed_at(tombstone);
        let Some(deleted) = bookkeeping::object(self.model, tombstone).zip(deleted_at) else { return Ok(None) };
        Ok((!self.exists(&deleted.0)?).then_some(deleted))
    }

    /// Whether a parent of an item has a tombstone. It may have been written again since.
    pub(super) fn had_parent(&mut self, id: LinkId, object: &Object, item: &Item) -> Known<bool> {
        let Some(parent) = implied::target(self.model, id, object, Some(item)) else { return Ok(false) };
        Ok(self.view.item(&bookkeeping::tombstone_key(self.model, &parent))?.is_some())
    }

    /// Whether the names by which a row knows its parent also lead to a parent that exists: an item
    /// that moved to another key keeps its children.
    pub(super) fn has_namesake(&mut self, id: LinkId, row: &Object, item: &Item) -> Known<bool> {
        // A list gives the whole key of each parent, and the others do not matter.
        if self.model.link(id).each.is_some() {
            return Ok(false);
        }
        self.has_namesake_by(id, self.model.link_target(self.model.link(id), &row.names, Some(item)))
    }

    /// Whether names lead over a link to an object that exists: by a query, or by its address. One that was not read
    /// may exist: what is deleted with it stays.
    pub(super) fn has_namesake_by(&mut self, id: LinkId, names: Option<Names>) -> Known<bool> {
        let Some(names) = names else { return Ok(false) };
        let is_found = self.is_found_by(id, &names)?;
        Ok(is_found || queries::up(self.model, id, &names).iter().any(|query| self.view.is_cut(query)))
    }

    /// Whether a link of an item leads to an object that exists.
    ///
    /// INVARIANT 2: one that was not read grants nothing.
    pub(super) fn is_found(&mut self, id: LinkId, object: &Object, item: &Item) -> Known<bool> {
        match self.model.link_target(self.model.link(id), &object.names, Some(item)) {
            Some(names) => self.is_found_by(id, &names),
            None => Ok(false),
        }
    }

    /// Whether names lead over a link to an object that was read. Several with these names count as one.
    pub(super) fn is_found_by(&mut self, id: LinkId, names: &Names) -> Known<bool> {
        let model = self.model;
        let link = model.link(id);
        let known = implied::identified(model, link, names.clone());
        if model.has_addresses(link) {
            return self.exists_by_address(&known);
        }
        let is_it = |other: &Object| {
            other.of == link.to && model.agrees(names, other) && implied::has_names_in_key(link, &other.names, &known)
        };
        let is_assumed = |assumed: &Names| is_it(&Object { of: link.to, names: assumed.clone() });
        if model.item(link.to).assumed.iter().any(is_assumed) {
            return Ok(true);
        }
        let rows: Vec<&[Item]> = all(queries::up(model, id, names), |query| self.view.rows(&query))?;
        let found = rows.into_iter().flatten().filter_map(|row| queries::identify(model, row));
        any(found.filter(|(_, other)| is_it(other)), |(_, other)| self.is_known_as(link, names, &other))
    }

    /// Whether an object that a query shows exists, and has the names beside its key by which it was looked up. An index
    /// may show those that it had before.
    fn is_known_as(&mut self, link: &Link, names: &Names, object: &Object) -> Known<bool> {
        if link.beside_key.is_empty() {
            return self.exists(object);
        }
        let model = self.model;
        let items = self.view.items(object)?;
        let is_it = |item: &Item| {
            let lookup = model.lookup(object.of, &object.names, Some(item));
            link.beside_key.iter().all(|name| lookup(name).as_deref() == names.get(name).map(String::as_str))
        };
        Ok(items.into_iter().any(|(_, item)| is_it(item)))
    }

    /// Whether an object exists that has these names among others. Its address is written before its record
    /// is handled, and before the items that need it are looked for: so of two racing sides one sees the
    /// other. INVARIANT 2.
    pub(super) fn exists_by_address(&mut self, known: &Object) -> Known<bool> {
        let model = self.model;
        let is_it = |names: &Names| implied::has_names(names, known);
        if model.item(known.of).assumed.iter().any(is_it) {
            return Ok(true);
        }
        let rows = self.view.rows(&queries::addresses(model, known))?.iter();
        // INVARIANT 9: an address leads to the item. What it says by itself grants nothing.
        any(rows.filter_map(|row| bookkeeping::object(model, row)), |object| {
            Ok(self.exists(&object)? && object.of == known.of && is_it(&object.names))
        })
    }

    /// What is deleted with a parent for one row of a link: the row and, if the row is an edge
    /// whose child is deleted with the parent, that child, unless it has another parent that
    /// exists. The row has to be as `expect` says. `None`: nothing is deleted.
    pub(super) fn deletion(
        &mut self,
        id: LinkId,
        row: &Object,
        key: &Key,
        item: &Item,
        expect: Expect,
        entries: &Entries,
    ) -> Known<Option<(Vec<Check>, Vec<Action>)>> {
        let model = self.model;
        let link = model.link(id);
        if self.has_namesake(id, row, item)? {
            return Ok(None);
        }
        let mut actions = vec![Action::Delete { key: key.clone(), expect }];
        let mut checks = Vec::new();
        let Some(end) = link.cascades_to else { return Ok(Some((checks, actions))) };
        let Some(child) = implied::target(model, end, row, Some(item)) else { return Ok(Some((checks, actions))) };
        let is_held_by_another = self.is_held_by_another(row, item);
        let items = self.view.items(&child)?;
        if items.is_empty() || is_held_by_another? {
            return Ok(Some((checks, actions)));
        }
        let Some(others) = self.other_parents(&child, key)? else { return Ok(Some((checks, actions))) };
        // An edge that was not read may lead to a parent. The edge of this row stays, too, so that a
        // redrive finds the child.
        if taken_ends(model, child.of).any(|end| self.has_unread_dependents(end, &child)) {
            self.refuse(entries, Refusal::TooManyItems);
            return Ok(None);
        }
        for parent in others {
            if checks.len() < OTHER_PARENTS_CHECKED_MAX {
                checks.extend(absent(model, &parent));
            }
        }
        // One for each spelling of its key.
        actions.extend(items.into_iter().map(|(key, _)| Action::Delete { key, expect: Expect::Any }));
        Ok(Some((checks, actions)))
    }

    /// The parents that edges other than that under a key give a child, if all of them are gone. `None`: one
    /// exists, or the edges cannot be queried.
    fn other_parents(&mut self, child: &Object, except: &Key) -> Known<Option<BTreeSet<Object>>> {
        let model = self.model;
        let mut gone = BTreeSet::new();
        let stays = any(taken_ends(model, child.of), |end| {
            let Some(rows) = self.dependents_of(end, child)? else { return Ok(true) };
            let edges = rows.into_iter().filter_map(|row| queries::dependent(model, row));
            let edges: BTreeSet<Object> = edges.filter(|edge| edge.of == model.link(end).from).collect();
            any(edges, |edge| {
                let parents = self.parents_by(end, &edge, child, except)?;
                let stays = parents.is_none();
                gone.extend(parents.into_iter().flatten());
                Ok(stays)
            })
        })?;
        Ok((!stays).then_some(gone))
    }

    /// The parents that an edge gives a child, if all of them are gone, without the item under a key. An
    /// index or a back-reference may name an edge that was deleted, or that leads to another child now.
    /// `None`: one exists.
    fn parents_by(
        &mut self,
        end: LinkId,
        edge: &Object,
        child: &Object,
        except: &Key,
    ) -> Known<Option<BTreeSet<Object>>> {
        let model = self.model;
        let links = || model.links_from(edge.of).filter(|(_, link)| link.cascades_to == Some(end)).map(|(id, _)| id);
        let mut gone = BTreeSet::new();
        let stays = any(model.keys(edge).unwrap_or_default().iter().filter(|key| *key != except), |key| {
            let item = self.view.item(key).inspect_err(|_| {
                // A parent that the edge's key names is read together with the edge.
                for parent in links().filter_map(|id| implied::target(model, id, edge, None)) {
                    let _ = self.exists(&parent);
                }
            })?;
            let leads_there = |item: &&Item| implied::target(model, end, edge, Some(item)).as_ref() == Some(child);
            let Some(item) = item.filter(leads_there) else { return Ok(false) };
            if self.is_set_aside(edge, item)? {
                return Ok(false);
            }
            any(links(), |id| {
                let Some(parent) = implied::target(model, id, edge, Some(item)) else { return Ok(false) };
                let is_gone = self.is_gone(id, &parent, edge, item)?;
                gone.extend(is_gone.then_some(parent));
                Ok(!is_gone)
            })
        })?;
        Ok((!stays).then_some(gone))
    }

    /// Whether the parent of an edge does not exist. One that nothing leads to counts as existing until
    /// it is deleted.
    fn is_gone(&mut self, id: LinkId, parent: &Object, edge: &Object, item: &Item) -> Known<bool> {
        let link = self.model.link(id);
        match link.up {
            ToParent::Key => Ok(!self.exists(parent)?),
            ToParent::Partition(_) | ToParent::Index { .. } => Ok(!self.has_namesake(id, edge, item)?),
            ToParent::Unknown => Ok(self.deleted_parent(link, parent)?.is_some()),
        }
    }

    /// The condition that a row is linked as it was read: if its key alone links it, that it
    /// exists; otherwise that the linking attributes are unchanged.
    pub(super) fn as_linked(&self, link: LinkId, row: &Object, item: &Item) -> Expect {
        as_they_are(self.linking(link, row, item))
    }

    /// The condition that a row is as it was read, apart from the index keys that Instep corrects.
    /// INVARIANT 2: a write since then is one that a redriven record does not show. Of many attributes,
    /// only the first are compared, and what a write adds is not noticed.
    fn as_read(&self, link: LinkId, row: &Object, item: &Item) -> Expect {
        let written = as_written(self.model, row, item).into_iter().take(CONDITION_ATTRIBUTES_MAX);
        let mut attributes = self.linking(link, row, item);
        attributes.extend(written.map(|(name, value)| (name, Some(value))));
        Expect::Like(attributes)
    }

    /// The attributes that link a row, as they were read.
    pub(super) fn linking(&self, link: LinkId, row: &Object, item: &Item) -> BTreeMap<String, Option<Value>> {
        implied::values_read(self.model, row, item, |of| of.part == ItemPart::Link(link))
    }
}

/// The last record of an item, if it is a redriven one.
fn redriven<'i>(mentions: &'i Mentions, key: &'i Key) -> Option<&'i Change> {
    let last = own_changes(mentions, key).next_back()?;
    matches!(last.delivery.origin, Origin::Failed).then_some(&*last.change)
}

/// The ends of edges at which a child of this type is deleted with its last parent.
fn taken_ends(model: &Model, child: TypeId) -> impl Iterator<Item = LinkId> {
    let takes = |end, from| model.links_from(from).any(|(_, link)| link.cascades_to == Some(end));
    model.links_to(child).filter(move |(end, link)| takes(*end, link.from)).map(|(end, _)| end)
}

/// The condition that an object does not exist under any spelling of its key.
pub(super) fn absent(model: &Model, object: &Object) -> Vec<Check> {
    let keys = model.keys(object).unwrap_or_default();
    keys.into_iter().map(|key| Check { key, expect: Expect::Absent }).collect()
}

/// The condition that an item exists, with these attributes as they were read.
pub(super) fn as_they_are(attributes: BTreeMap<String, Option<Value>>) -> Expect {
    if attributes.is_empty() { Expect::Present } else { Expect::Like(attributes) }
}
