//! Belonging: a child is deleted with its parent, even if the child is handled after its parent's
//! deletion. Also corrects the index keys that the model asks Instep to keep.

use std::collections::BTreeMap;

use instep_model::{Item, Key, Link, LinkId, Names, Object, Up, Value};

use jiff::{SignedDuration, Timestamp};

use super::Reconciling;
use super::touched::touched;
use crate::change::Change;
use crate::effect::{Action, Check, Expect, Phase};
use crate::plan::{DeliveredChange, Input};
use crate::reads::{Found, is_possible};
use crate::work::Origin;
use crate::{bookkeeping, find, read, secrets};

/// The maximum number of a child's other parents that a transaction checks. The others were only
/// read, shortly before.
const OTHER_PARENTS_CHECKED_MAX: usize = 10;

/// How long after its parent's deletion a child may be written and is still deleted with it: its
/// writer may have read the parent before. A child that is written later is pending.
const DELETION_GRACE: SignedDuration = SignedDuration::from_secs(10);

impl Reconciling<'_> {
    /// A child that was written before its parent's deletion, or shortly after it, is deleted with
    /// it. Any other child whose parent does not exist is pending.
    pub(super) fn belonging(&mut self, object: &Object, input: &Input, key: &Key, item: &Item) {
        let model = self.model;
        // The other items of the object have records of their own.
        if !input.changes().any(|change| change.key == *key) {
            return;
        }
        for (id, link) in model.links_from(object.of) {
            let moved = touched(input, |image| read::targets(model, id, object, Some(image))).is_some();
            if !link.deleted_with || !moved {
                continue;
            }
            for parent in read::targets(model, id, object, Some(item)) {
                self.belonging_to(id, &parent, object, input, (key, item));
            }
        }
    }

    fn belonging_to(&mut self, id: LinkId, known: &Object, object: &Object, input: &Input, (key, item): (&Key, &Item)) {
        let model = self.model;
        let Some(Some((parent, deleted_at))) = self.deleted_parent(model.link(id), known) else { return };
        if !self.was_linked_before((id, known), object, input, (key, item), deleted_at) {
            // A parent that moved to another key still exists, so its child is not pending.
            if self.has_namesake(id, object, item) == Some(false) {
                let why = format!("pending: {} was deleted before this was written", self.label(&parent));
                self.note(&input.places(), &why);
            }
            return;
        }
        // If the parent is a subject whose tombstone keeps its item, the grant restores the subject
        // instead.
        if self.is_last_link(id, object.of) && self.kept_item(&parent).is_none_or(|kept| kept.is_some()) {
            return;
        }
        let Some(Some((mut checks, actions))) = self.deletion(id, object, key, item) else { return };
        checks.extend(absent(model, &parent));
        let (label, places) = (self.label(object), input.places());
        self.note(&places, &format!("deleted with {}, which was deleted", self.label(&parent)));
        self.write((Phase::Follow, false), label, (checks, actions), &places);
    }

    /// Whether the records of the batch show that the present item was linked to its parent before
    /// `deleted_at`, or within [`DELETION_GRACE`] after it.
    fn was_linked_before(
        &self,
        (id, parent): (LinkId, &Object),
        object: &Object,
        input: &Input,
        (key, item): (&Key, &Item),
        deleted_at: Timestamp,
    ) -> bool {
        // INVARIANT 2: a captured record may be of any age, and shows nothing.
        let is_own = |delivered: &&DeliveredChange| {
            delivered.change.key == *key && !matches!(delivered.delivery.origin, Origin::Captured)
        };
        let own = || input.changes.iter().filter(is_own);
        let Some(last) = own().next_back() else { return false };
        // INVARIANT 2: a record of a failed batch may be old, and the item written again since.
        let is_current = |new: &Item| match last.delivery.origin {
            Origin::Stream => true,
            Origin::Failed | Origin::Captured => {
                let (new, item) = (self.as_written(object, new), self.as_written(object, item));
                secrets::same(self.model, &new, &item)
            }
        };
        let is_shown = last.change.new.as_ref().is_some_and(is_current);
        let is_linked = |image: &Option<Item>| {
            image.as_ref().is_some_and(|image| read::targets(self.model, id, object, Some(image)).contains(parent))
        };
        let links = |change: &&Change| is_linked(&change.new) && !is_linked(&change.old);
        let linked_at = own().map(|delivered| &*delivered.change).rfind(links).and_then(|change| change.recorded_at);
        is_shown && linked_at.is_some_and(|at| at.duration_since(deleted_at) <= DELETION_GRACE)
    }

    /// An item without the index keys that Instep corrects: a correction is no change by a writer.
    fn as_written(&self, object: &Object, item: &Item) -> Item {
        let kept = self.model.item(object.of).index_keys.iter().filter(|keys| keys.keep);
        let mut written = item.clone();
        for index in kept.filter_map(|keys| self.model.indexes.get(keys.index)) {
            let attributes = index.pk.first().into_iter().chain(index.sk.as_ref().and_then(|sk| sk.first()));
            attributes.filter(|name| *name != &self.model.table.pk && *name != &self.model.table.sk).for_each(|name| {
                written.remove(name);
            });
        }
        written
    }

    /// The parent, if it does not exist and has a tombstone, and when it was deleted. The outer
    /// `None` means that more must be read first.
    pub(super) fn deleted_parent(&mut self, link: &Link, parent: &Object) -> Option<Option<(Object, Timestamp)>> {
        if matches!(link.up, Up::Key) && self.exists(parent)? {
            return Some(None);
        }
        let Some(tombstone) = self.view.item(&bookkeeping::tombstone_key(self.model, parent))? else {
            return Some(None);
        };
        let deleted_at = bookkeeping::removed_at(tombstone);
        let Some(deleted) = bookkeeping::object(self.model, tombstone).zip(deleted_at) else { return Some(None) };
        Some((!self.exists(&deleted.0)?).then_some(deleted))
    }

    /// Whether a parent of an item has a tombstone. It may have been written again since. `None` if more
    /// must be read first.
    pub(super) fn had_parent(&mut self, id: LinkId, object: &Object, item: &Item) -> Option<bool> {
        let Some(parent) = read::target(self.model, id, object, Some(item)) else { return Some(false) };
        Some(self.view.item(&bookkeeping::tombstone_key(self.model, &parent))?.is_some())
    }

    /// Whether the names by which a row knows its parent also lead to a parent that exists: an item
    /// that moved to another key keeps its children. `None` if more must be read first.
    pub(super) fn has_namesake(&mut self, id: LinkId, row: &Object, item: &Item) -> Option<bool> {
        self.has_namesake_by(id, self.model.link_target(self.model.link(id), &row.names, Some(item)))
    }

    /// Whether names lead over a link to an object that exists. `None` if more must be read first.
    pub(super) fn has_namesake_by(&mut self, id: LinkId, names: Option<Names>) -> Option<bool> {
        let model = self.model;
        let link = model.link(id);
        let Some(names) = names else { return Some(false) };
        let Some(query) = find::up(model, id, &names) else { return Some(false) };
        let found = self.view.rows(&query)?.iter().filter_map(|row| find::identify(model, row));
        let namesakes = found.filter(|(_, parent)| parent.of == link.to && model.agrees(&names, parent));
        let mut known = true;
        for (_, parent) in namesakes.collect::<Vec<_>>() {
            match self.exists(&parent) {
                None => known = false,
                Some(true) => return Some(true),
                Some(false) => {}
            }
        }
        known.then_some(false)
    }

    /// What is deleted with a parent for one row of a link: the row and, if the row is an edge
    /// whose child is deleted with the parent, that child, unless it has another parent that
    /// exists. The inner `None` means that nothing is deleted. The outer `None` means that more
    /// must be read first.
    pub(super) fn deletion(
        &mut self,
        id: LinkId,
        row: &Object,
        key: &Key,
        item: &Item,
    ) -> Option<Option<(Vec<Check>, Vec<Action>)>> {
        let model = self.model;
        let link = model.link(id);
        if self.has_namesake(id, row, item)? {
            return Some(None);
        }
        let mut actions = vec![Action::Delete { key: key.clone(), expect: self.as_linked(link, row, item) }];
        let mut checks = Vec::new();
        let Some(end) = link.cascades_to else { return Some(Some((checks, actions))) };
        let Some(child) = read::target(model, end, row, Some(item)) else { return Some(Some((checks, actions))) };
        let child_key = match self.view.object(&child) {
            Found::Unread => return None,
            Found::Absent => return Some(Some((checks, actions))),
            Found::Present(key, _) => key,
        };
        let Some(rows) = self.dependents_of(end, &child)? else { return Some(Some((checks, actions))) };
        let edges: Vec<_> = rows.iter().filter_map(|row| find::identify(model, row)).collect();
        let mut known = true;
        for (_, edge) in edges.into_iter().filter(|(_, edge)| edge.of == row.of && edge != row) {
            let Some(parent) = read::target(model, id, &edge, None) else { continue };
            match self.exists(&parent) {
                None => known = false,
                Some(true) => return Some(Some((checks, actions))),
                Some(false) if checks.len() < OTHER_PARENTS_CHECKED_MAX => checks.extend(absent(model, &parent)),
                Some(false) => {}
            }
        }
        actions.push(Action::Delete { key: child_key, expect: Expect::Any });
        known.then_some(Some((checks, actions)))
    }

    /// The condition that a row is linked as it was read: if its key alone links it, that it
    /// exists; otherwise that the linking attributes are unchanged.
    pub(super) fn as_linked(&self, link: &Link, row: &Object, item: &Item) -> Expect {
        let names = link.names.values().flat_map(instep_model::template::Template::names);
        // If a name of the item selects the type that it refers to, this name, too.
        let names = names.chain(link.when.iter().map(|(name, _)| name.as_str()));
        let attributes: BTreeMap<String, Option<Value>> = names
            .flat_map(|name| self.model.sources(row.of, &row.names, name))
            .chain(link.condition.attributes().filter(|name| !row.names.contains_key(*name)).map(str::to_owned))
            .map(|name| (name.clone(), item.get(&name).cloned()))
            .collect();
        if attributes.is_empty() { Expect::Present } else { Expect::Like(attributes) }
    }

    /// Corrects the index attributes that Instep keeps. If a template cannot be rendered from the
    /// item, the attribute is removed.
    pub(super) fn index_keys(&mut self, object: &Object, key: &Key, item: &Item, input: &Input) {
        if input.changes.is_empty() {
            return;
        }
        let model = self.model;
        let lookup = model.lookup(object.of, &object.names, Some(item));
        let mut wrong: BTreeMap<String, Option<Value>> = BTreeMap::new();
        let mut sources: BTreeMap<String, Option<Value>> = BTreeMap::new();
        for keys in model.item(object.of).index_keys.iter().filter(|keys| keys.keep) {
            let Some(index) = model.indexes.get(keys.index) else { continue };
            let pk = keys.pk.render(&lookup).ok();
            let sk = keys.sk.as_ref().map(|sk| sk.render(&lookup).ok());
            // With half a key, the item would not be in the index anyway.
            let whole = pk.is_some() && sk.as_ref().is_none_or(Option::is_some);
            // INVARIANT 6: DynamoDB would refuse the write. Under its old key, readers would find the
            // item where it no longer is.
            let text = |part: &Option<String>| part.clone().unwrap_or_default();
            let is_possible = is_possible(&text(&pk), &sk.as_ref().map(text).unwrap_or_default());
            if whole && !is_possible {
                self.desired.refused.insert(input.places());
            }
            let whole = whole && is_possible;
            let parts = [(index.pk.first(), Some(pk)), (index.sk.as_ref().and_then(|sk| sk.first()), sk)];
            for (attribute, text) in parts {
                let (Some(attribute), Some(text)) = (attribute, text) else { continue };
                let should = text.filter(|_| whole).map(Value::S);
                if item.get(attribute) != should.as_ref() {
                    sources.insert(attribute.clone(), item.get(attribute).cloned());
                    wrong.insert(attribute.clone(), should);
                }
            }
            let names = [Some(&keys.pk), keys.sk.as_ref()]
                .into_iter()
                .flatten()
                .flat_map(instep_model::template::Template::names);
            for name in names.flat_map(|name| model.sources(object.of, &object.names, name)) {
                sources.insert(name.clone(), item.get(&name).cloned());
            }
        }
        if !wrong.is_empty() {
            let set = Action::Set { key: key.clone(), attributes: wrong, expect: Expect::Like(sources) };
            let label = format!("index keys of {}", self.label(object));
            self.write((Phase::Follow, false), label, (vec![], vec![set]), &input.places());
        }
    }
}

/// The condition that an object does not exist under any spelling of its key.
pub(super) fn absent(model: &instep_model::Model, object: &Object) -> Vec<Check> {
    let keys = model.keys(object).unwrap_or_default();
    keys.into_iter().map(|key| Check { key, expect: Expect::Absent }).collect()
}
