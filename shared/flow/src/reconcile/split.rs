//! The parts of a batch: entries that have something to do with each other are in one part.
//!
//! A part is reconciled as if it were a batch of its own. That is safe, because any two entries may
//! also be delivered in different batches, which are handled at the same time. So what has to hold
//! together is only what saves work if it is in one batch, and what only one batch can decide:
//!
//! - an object, the grants and children that refer to it, and what one message names: the run that
//!   has a grant, its user and its group may create these;
//! - the grants of a subject that is deleted with its last grant;
//! - the claims of one unique value, and the items that can imply one membership.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use instep_model::{Item, Model, Object};

use super::subjects::is_last_link;
use crate::plan::{Mentions, Plan};
use crate::sets::Sets;
use crate::{implied, queries};

/// The parts of a plan.
#[derive(Debug, Default)]
pub(super) struct BatchParts {
    /// A plan for each part.
    pub(super) plans: Vec<Plan>,
    /// For each place in the batch, its part.
    pub(super) part_of: BTreeMap<usize, usize>,
}

/// Divides a plan into its parts, in the order of their first entries.
pub(super) fn split(model: &Model, plan: Plan) -> BatchParts {
    let mut sets = Sets::default();
    // What a sweep has found leads to objects that it does not name.
    let found = [plan.members.len(), plan.groups.len(), plan.entries.len(), plan.orphans.len()];
    if found == [0; 4] {
        join(model, &plan, &mut sets);
    } else {
        sets.join(places(&plan));
    }
    divide(plan, &mut sets)
}

/// All places of a plan.
fn places(plan: &Plan) -> BTreeSet<usize> {
    let objects = plan.objects.values().flat_map(Mentions::places);
    let sets = plan.guards.values().chain(plan.dependents.values()).chain(plan.members.values());
    let sets = sets.chain(plan.groups.values()).chain(plan.entries.values()).chain(plan.orphans.values());
    objects.chain(sets.flatten().copied()).collect()
}

fn join(model: &Model, plan: &Plan, sets: &mut Sets) {
    let mut owned = Tokens::default();
    for (object, mentions) in &plan.objects {
        owned.add_names(model, object, mentions.places(), sets);
    }
    for (dependents, places) in &plan.dependents {
        sets.join(places.iter().copied());
        if let Some(object) = dependents.object(model) {
            owned.add_names(model, &object, places.iter().copied(), sets);
        }
    }
    for (guard, places) in &plan.guards {
        owned.add(guard, places.iter().copied(), sets);
    }
    let mut shared = Tokens::default();
    for (object, mentions) in &plan.objects {
        let Some(first) = first_place(mentions) else { continue };
        let changes = mentions.changes().flat_map(|change| change.old.iter().chain(&change.new));
        for image in changes.chain(mentions.named.iter().filter_map(|named| named.image.as_ref())) {
            join_image(model, object, image, first, (&mut owned, &mut shared), sets);
        }
    }
}

fn join_image(
    model: &Model,
    object: &Object,
    image: &Item,
    place: usize,
    (owned, shared): (&mut Tokens, &mut Tokens),
    sets: &mut Sets,
) {
    let ty = model.item(object.of);
    for (id, link) in model.links_from(object.of) {
        let is_last = is_last_link(model, id, link.from);
        for target in implied::targets(model, id, object, Some(image)) {
            if is_last {
                owned.add(&target, [place], sets);
            } else {
                owned.meet(&target, place, sets);
            }
        }
    }
    for guard in implied::claims(model, object, image).into_keys() {
        owned.add(&guard, [place], sets);
    }
    if ty.guard.is_some()
        && let Some(owner) = implied::owner(model, object, image)
    {
        owned.meet(&owner, place, sets);
    }
    for rule in ty.members.iter().filter(|rule| !rule.shared_with.is_empty()) {
        for membership in implied::memberships_of(model, rule, object, image) {
            shared.add(&membership, [place], sets);
        }
    }
}

fn first_place(mentions: &Mentions) -> Option<usize> {
    let changes = mentions.changes.iter().map(|delivered| delivered.place);
    changes.chain(mentions.named.iter().map(|named| named.place)).next()
}

fn divide(plan: Plan, sets: &mut Sets) -> BatchParts {
    let mut parts = BatchParts::default();
    let Plan { objects, guards, dependents, redelivered, old, references: _, members, groups, entries, orphans } = plan;
    for place in sets.places() {
        let root = sets.root(place);
        let part = match parts.part_of.get(&root) {
            Some(part) => *part,
            None => {
                parts.plans.push(Plan::default());
                parts.plans.len() - 1
            }
        };
        parts.part_of.insert(place, part);
        parts.part_of.insert(root, part);
    }
    for (object, mentions) in objects {
        if let Some(plan) = first_place(&mentions).and_then(|place| parts.plan(place)) {
            plan.objects.insert(object, mentions);
        }
    }
    move_all(guards, &mut parts, |plan| &mut plan.guards);
    move_all(dependents, &mut parts, |plan| &mut plan.dependents);
    move_all(redelivered, &mut parts, |plan| &mut plan.redelivered);
    move_all(old, &mut parts, |plan| &mut plan.old);
    move_all(members, &mut parts, |plan| &mut plan.members);
    move_all(groups, &mut parts, |plan| &mut plan.groups);
    move_all(entries, &mut parts, |plan| &mut plan.entries);
    move_all(orphans, &mut parts, |plan| &mut plan.orphans);
    parts
}

fn move_all<T: Ord>(
    from: BTreeMap<T, BTreeSet<usize>>,
    parts: &mut BatchParts,
    to: impl Fn(&mut Plan) -> &mut BTreeMap<T, BTreeSet<usize>>,
) {
    for (named, places) in from {
        if let Some(plan) = places.first().and_then(|place| parts.plan(*place)) {
            to(plan).insert(named, places);
        }
    }
}

impl BatchParts {
    fn plan(&mut self, place: usize) -> Option<&mut Plan> {
        self.plans.get_mut(*self.part_of.get(&place)?)
    }
}

/// What entries name, by its hash, each with the place of an entry that names it. If two hashes are
/// equal by chance, two parts are one, which costs a read and changes no result.
#[derive(Debug, Default)]
struct Tokens(HashMap<u64, usize>);

impl Tokens {
    /// Joins all entries that name the same.
    fn add(&mut self, named: &impl Hash, places: impl IntoIterator<Item = usize>, sets: &mut Sets) {
        let Some(place) = sets.join(places) else { return };
        match self.0.entry(hash(named)) {
            Entry::Occupied(other) => drop(sets.join([*other.get(), place])),
            Entry::Vacant(entry) => drop(entry.insert(place)),
        }
    }

    /// Adds an object under all the names by which others may refer to it.
    fn add_names(&mut self, model: &Model, object: &Object, places: impl IntoIterator<Item = usize>, sets: &mut Sets) {
        let Some(place) = sets.join(places) else { return };
        self.add(object, [place], sets);
        for (_, link) in model.links_to(object.of) {
            if queries::is_partly_known(link, object) {
                self.add(&queries::as_known(link, object), [place], sets);
            }
        }
    }

    /// Joins an entry that refers to something with the one that names it, if there is one.
    fn meet(&self, named: &impl Hash, place: usize, sets: &mut Sets) {
        if let Some(other) = self.0.get(&hash(named)) {
            sets.join([*other, place]);
        }
    }
}

fn hash(named: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    named.hash(&mut hasher);
    hasher.finish()
}
