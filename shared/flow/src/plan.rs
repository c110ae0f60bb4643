//! Plan: the changes of a batch give the set of objects to bring in step, each once, however many records touched it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Find, Item, Key, Model, Object};

use crate::bookkeeping::{self, Kind};
use crate::decode::{BookkeepingChange, Change};
use crate::read;

/// What a batch touched.
#[derive(Debug, Default)]
pub struct Plan<'a> {
    /// Items that records wrote, and those records.
    pub objects: BTreeMap<Object, Seen<'a>>,
    /// Guards that a waiting claim asks for.
    pub guards: BTreeMap<Object, BTreeSet<usize>>,
    /// Tombstones whose job has work left.
    pub jobs: BTreeMap<Key, BTreeSet<usize>>,
    /// Back-references to be written before anything that they refer to is looked at.
    pub references: BTreeMap<Key, (Item, BTreeSet<usize>)>,
}

/// What was seen of one object.
#[derive(Debug, Default, Clone)]
pub struct Seen<'a> {
    /// Places in the batch of the records, with what they say, in the batch's order.
    pub changes: Vec<(usize, &'a Change)>,
    /// It is brought in step whatever its changes say, for something that it depends on came.
    pub refresh: BTreeSet<usize>,
    /// What it was when this run looked at it first: what that gave is undone where it is no longer held.
    pub was: Option<Item>,
}

impl Seen<'_> {
    /// The places in the batch of the records behind it.
    #[must_use]
    pub fn records(&self) -> BTreeSet<usize> {
        self.changes.iter().map(|(place, _)| *place).chain(self.refresh.iter().copied()).collect()
    }
}

impl<'a> Plan<'a> {
    /// Adds a write to an item that the model describes.
    pub fn add(&mut self, model: &Model, place: usize, change: &'a Change) {
        self.objects.entry(change.object.clone()).or_default().changes.push((place, change));
        let Some(new) = &change.new else { return };
        for (id, link) in model.links_from(change.object.of) {
            let target = |image: &Item| read::target(model, id, &change.object, Some(image));
            // One that was asked for before is there, or was taken back since: a write that changed none asks for nothing, and
            // so nobody would take it back again.
            if matches!(link.find, Find::BackReference)
                && let Some(target) =
                    target(new).filter(|new| change.old.as_ref().and_then(target).as_ref() != Some(new))
            {
                let (key, item) = bookkeeping::reference(model, &target, &change.object);
                self.references.entry(key).or_insert_with(|| (item, BTreeSet::new())).1.insert(place);
            }
        }
    }

    /// Adds a write to a bookkeeping item. Only an open job and a waiting claim ask for anything; what is gone asks for nothing,
    /// so Instep's own deletions end here.
    pub fn add_bookkeeping(&mut self, model: &Model, place: usize, change: &BookkeepingChange) {
        let (Some(kind), Some(new)) = (Kind::of(&change.key), &change.new) else { return };
        match kind {
            Kind::Reference => {}
            Kind::Gone => {
                if bookkeeping::job(new).is_some() {
                    self.jobs.entry(change.key.clone()).or_default().insert(place);
                }
            }
            Kind::Claim => {
                if let Some(guard) = bookkeeping::claimed_guard(model, new) {
                    self.guards.entry(guard).or_default().insert(place);
                }
            }
        }
    }
}
