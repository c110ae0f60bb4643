//! Belonging: a removed parent takes what belongs to it along; a child whose parent was seen to go, goes too.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Find, Item, Key, Link, LinkId, Object, Up, Value};

use super::{Settling, came_or_went, went};
use crate::effect::{Action, Check, Effect, Expect, Phase, Spread};
use crate::plan::Seen;
use crate::truth::Found;
use crate::{bookkeeping, find, read};

/// Most other parents of a child that a transaction checks; the rest were looked at a moment before.
const OTHER_PARENTS_CHECKED_MAX: usize = 10;

impl Settling<'_> {
    /// What depends on an object that came or went is brought in step with it.
    pub(super) fn dependents(&mut self, object: &Object, seen: &Seen<'_>, item: Option<&Item>) {
        // What is there without an item neither comes nor goes with one.
        if !came_or_went(seen) || self.model.item(object.of).assumed.contains(&object.names) {
            return;
        }
        // INVARIANT 2: a cascade starts only where the truth says that the parent is gone, whatever a record says.
        let gone = item.is_none();
        let back = !gone && (went(seen) || self.has_tombstone(object));
        let removed = seen.changes.iter().filter(|(_, change)| change.new.is_none());
        let removed_at =
            removed.filter_map(|(_, change)| change.recorded_at).max().or(went(seen).then_some(self.context.now));
        if gone && removed_at.is_none() {
            return;
        }
        let spread = Spread { object: object.clone(), removed_at: removed_at.filter(|_| gone), back };
        let follows = |link: &Link| find::follows(self.model, link, spread.state());
        if !self.model.links_to(object.of).any(|(_, link)| follows(link) && !matches!(link.find, Find::Sweep)) {
            return;
        }
        self.state(Effect::Spread(spread), &seen.records());
    }

    /// Whether an object that is there was gone before; asked where that matters to what depends on it.
    pub(super) fn has_tombstone(&mut self, object: &Object) -> bool {
        let keys = find::tombstones(self.model, object);
        let found: Vec<_> = keys.iter().filter_map(|key| self.view.item(key)).collect();
        found.iter().any(Option::is_some)
    }

    /// A child whose parent was seen to be removed goes with it; one whose parent is only not there yet waits.
    pub(super) fn belonging(&mut self, object: &Object, seen: &Seen<'_>, key: &Key, item: &Item) {
        let model = self.model;
        for (id, link) in model.links_from(object.of) {
            let moved = super::touched(seen, |image| read::target(model, id, object, Some(image))).is_some();
            if !link.goes || !moved || seen.changes.is_empty() {
                continue;
            }
            let Some(parent) = read::target(model, id, object, Some(item)) else { continue };
            let Some(parent) = self.removed_parent(link, &parent) else { continue };
            let Some((mut checks, actions)) = self.take(id, object, key, item) else { continue };
            checks.extend(absent(model, &parent));
            let label = self.label(object);
            self.note(&seen.records(), &format!("goes with {}, which was removed", self.label(&parent)));
            self.write(Phase::Follow, label, (checks, actions), &seen.records());
        }
    }

    /// The parent, where it is gone and was seen to go.
    pub(super) fn removed_parent(&mut self, link: &Link, parent: &Object) -> Option<Object> {
        if matches!(link.up, Up::Key) && self.is_there(parent)? {
            return None;
        }
        let tombstone = self.view.item(&bookkeeping::gone_key(self.model, parent))??;
        let parent = bookkeeping::object(self.model, tombstone)?;
        (!self.is_there(&parent)?).then_some(parent)
    }

    /// Whether what a row knows its parent by also leads to one that is there: an item that moved to another key keeps what
    /// belongs to it. None while it is not known.
    pub(super) fn has_namesake(&mut self, id: LinkId, row: &Object, item: &Item) -> Option<bool> {
        let model = self.model;
        let link = model.link(id);
        let Some(names) = model.link_target(link, &row.names, Some(item)) else { return Some(false) };
        let Some(query) = find::up(model, id, &names) else { return Some(false) };
        let found = self.view.rows(&query)?.iter().filter_map(|row| find::identify(model, row));
        let namesakes = found.filter(|(_, parent)| parent.of == link.to && model.agrees(&names, parent));
        let mut known = true;
        for (_, parent) in namesakes.collect::<Vec<_>>() {
            match self.is_there(&parent) {
                None => known = false,
                Some(true) => return Some(true),
                Some(false) => {}
            }
        }
        known.then_some(false)
    }

    /// What goes with one row behind a link: the row, and for an edge that takes its other end also that item, unless another
    /// live parent holds it. None while it is not known.
    pub(super) fn take(
        &mut self,
        id: LinkId,
        row: &Object,
        key: &Key,
        item: &Item,
    ) -> Option<(Vec<Check>, Vec<Action>)> {
        let model = self.model;
        let link = model.link(id);
        if self.has_namesake(id, row, item)? {
            return None;
        }
        let mut actions = vec![Action::Delete { key: key.clone(), expect: self.as_linked(link, row, item) }];
        let mut checks = Vec::new();
        let Some(end) = link.takes else { return Some((checks, actions)) };
        let Some(child) = read::target(model, end, row, Some(item)) else { return Some((checks, actions)) };
        let child_key = match self.view.object(&child) {
            Found::Unseen => return None,
            Found::Absent => return Some((checks, actions)),
            Found::Present(key, _) => key,
        };
        let Some(query) = find::query(model, end, &child) else { return Some((checks, actions)) };
        let edges: Vec<_> = self.view.rows(&query)?.iter().filter_map(|row| find::identify(model, row)).collect();
        let mut known = true;
        for (_, edge) in edges.into_iter().filter(|(_, edge)| edge.of == row.of && edge != row) {
            let Some(parent) = read::target(model, id, &edge, None) else { continue };
            match self.is_there(&parent) {
                None => known = false,
                Some(true) => return Some((checks, actions)),
                Some(false) if checks.len() < OTHER_PARENTS_CHECKED_MAX => checks.extend(absent(model, &parent)),
                Some(false) => {}
            }
        }
        actions.push(Action::Delete { key: child_key, expect: Expect::Any });
        known.then_some((checks, actions))
    }

    /// The condition that a row still is what was looked at: where its key alone links it, that it is there; otherwise that the
    /// linking attributes are as they were.
    pub(super) fn as_linked(&self, link: &Link, row: &Object, item: &Item) -> Expect {
        let names = link.names.values().flat_map(instep_model::template::Template::names);
        let attributes: BTreeMap<String, Option<Value>> = names
            .flat_map(|name| self.model.sources(row.of, &row.names, name))
            .map(|name| (name.clone(), item.get(&name).cloned()))
            .collect();
        if attributes.is_empty() { Expect::Present } else { Expect::Like(attributes) }
    }

    /// Index attributes that Instep keeps are as their templates say; where those cannot be rendered there are none.
    pub(super) fn index_keys(&mut self, object: &Object, key: &Key, item: &Item, seen: &Seen<'_>) {
        if seen.changes.is_empty() {
            return;
        }
        let model = self.model;
        let lookup = model.lookup(object.of, &object.names, Some(item));
        let mut wrong: BTreeMap<String, Option<Value>> = BTreeMap::new();
        let mut because: BTreeMap<String, Option<Value>> = BTreeMap::new();
        for keys in model.item(object.of).index_keys.iter().filter(|keys| keys.keep) {
            let Some(index) = model.indexes.get(keys.index) else { continue };
            let pk = keys.pk.render(&lookup).ok();
            let sk = keys.sk.as_ref().map(|sk| sk.render(&lookup).ok());
            // Half a key would leave the item out of the index anyway.
            let whole = pk.is_some() && sk.as_ref().is_none_or(Option::is_some);
            let parts = [(index.pk.first(), Some(pk)), (index.sk.as_ref().and_then(|sk| sk.first()), sk)];
            for (attribute, text) in parts {
                let (Some(attribute), Some(text)) = (attribute, text) else { continue };
                let should = text.filter(|_| whole).map(Value::S);
                if item.get(attribute) != should.as_ref() {
                    because.insert(attribute.clone(), item.get(attribute).cloned());
                    wrong.insert(attribute.clone(), should);
                }
            }
            let names = [Some(&keys.pk), keys.sk.as_ref()]
                .into_iter()
                .flatten()
                .flat_map(instep_model::template::Template::names);
            for name in names.flat_map(|name| model.sources(object.of, &object.names, name)) {
                because.insert(name.clone(), item.get(&name).cloned());
            }
        }
        if !wrong.is_empty() {
            let set = Action::Set { key: key.clone(), attributes: wrong, expect: Expect::Like(because) };
            let label = format!("index keys of {}", self.label(object));
            let records: BTreeSet<usize> = seen.records();
            self.write(Phase::Follow, label, (vec![], vec![set]), &records);
        }
    }
}

/// The condition that an object is not there, under any spelling of its key.
pub(super) fn absent(model: &instep_model::Model, object: &Object) -> Vec<Check> {
    let keys = model.keys(object).unwrap_or_default();
    keys.into_iter().map(|key| Check { key, expect: Expect::Absent }).collect()
}
