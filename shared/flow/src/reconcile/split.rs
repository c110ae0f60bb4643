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
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

use instep_model::{Item, Model, Object};

use super::subjects::is_last_link;
use crate::entries::{Entries, EntryId};
use crate::plan::{Mentions, Plan};
use crate::sets::Sets;
use crate::{implied, queries};

/// The parts of a plan.
#[derive(Debug, Default)]
pub(super) struct BatchParts {
    /// A plan for each part.
    pub(super) plans: Vec<Plan>,
    /// For each entry, its part.
    pub(super) part_of: BTreeMap<EntryId, usize>,
}

/// Divides a plan into its parts, in the order of their first entries.
pub(super) fn split(model: &Model, plan: Plan) -> BatchParts {
    let mut sets = Sets::default();
    // What a sweep has found leads to objects that it does not name.
    let found = [plan.members.len(), plan.groups.len(), plan.bookkeeping.len(), plan.orphans.len()];
    if found == [0; 4] {
        join(model, &plan, &mut sets);
    } else {
        sets.join(entries(&plan));
    }
    divide(plan, &mut sets)
}

/// All entries of a plan.
fn entries(plan: &Plan) -> Entries {
    let objects = plan.objects.values().flat_map(Mentions::entries);
    let sets = plan
        .guards
        .values()
        .chain(plan.dependents.values().map(|continued| &continued.entries))
        .chain(plan.members.values());
    let sets = sets.chain(plan.groups.values()).chain(plan.bookkeeping.values()).chain(plan.orphans.values());
    objects.chain(sets.flatten()).collect()
}

fn join(model: &Model, plan: &Plan, sets: &mut Sets<EntryId>) {
    let mut owned = Tokens::default();
    for (object, mentions) in &plan.objects {
        owned.add_names(model, object, mentions.entries(), sets);
    }
    for (dependents, continued) in &plan.dependents {
        sets.join(&continued.entries);
        if let Some(object) = dependents.object(model) {
            owned.add_names(model, &object, &continued.entries, sets);
        }
    }
    for (guard, entries) in &plan.guards {
        owned.add(guard, entries, sets);
    }
    let mut shared = Tokens::default();
    for (object, mentions) in &plan.objects {
        let Some(first) = first_entry(mentions) else { continue };
        let changes = mentions.changes().flat_map(|change| change.old.iter().chain(&change.new));
        for image in changes.chain(mentions.named.iter().filter_map(|named| named.image.as_ref())) {
            join_image(model, object, image, first, &mut owned, sets);
            join_memberships(model, object, image, first, &mut shared, sets);
        }
    }
}

/// Joins an entry with those that name what an image refers to.
fn join_image(
    model: &Model,
    object: &Object,
    image: &Item,
    entry: EntryId,
    owned: &mut Tokens,
    sets: &mut Sets<EntryId>,
) {
    let ty = model.item(object.of);
    for (id, link) in model.links_from(object.of) {
        let is_last = is_last_link(model, id, link.from);
        for target in implied::targets(model, id, object, Some(image)) {
            if is_last {
                owned.add(&target, [entry], sets);
            } else {
                owned.meet(&target, entry, sets);
            }
        }
    }
    for guard in implied::claims(model, object, image).into_keys() {
        owned.add(&guard, [entry], sets);
    }
    if ty.guard.is_some()
        && let Some(owner) = implied::owner(model, object, image)
    {
        owned.meet(&owner, entry, sets);
    }
}

/// Joins an entry with those whose items can imply a membership that an image implies.
fn join_memberships(
    model: &Model,
    object: &Object,
    image: &Item,
    entry: EntryId,
    shared: &mut Tokens,
    sets: &mut Sets<EntryId>,
) {
    let ty = model.item(object.of);
    for rule in ty.members.iter().filter(|rule| !rule.shared_with.is_empty()) {
        for membership in implied::memberships_of(model, rule, object, image) {
            shared.add(&membership, [entry], sets);
        }
    }
}

fn first_entry(mentions: &Mentions) -> Option<EntryId> {
    let changes = mentions.changes.iter().map(|delivered| delivered.entry);
    changes.chain(mentions.named.iter().map(|named| named.entry)).next()
}

fn divide(plan: Plan, sets: &mut Sets<EntryId>) -> BatchParts {
    let mut parts = BatchParts::default();
    let Plan { objects, guards, dependents, references: _, members, groups, bookkeeping, orphans } = plan;
    for entry in sets.all() {
        let root = sets.root(entry);
        let part = match parts.part_of.get(&root) {
            Some(part) => *part,
            None => {
                parts.plans.push(Plan::default());
                parts.plans.len() - 1
            }
        };
        parts.part_of.insert(entry, part);
        parts.part_of.insert(root, part);
    }
    for (object, mentions) in objects {
        if let Some(plan) = first_entry(&mentions).and_then(|entry| parts.plan(entry)) {
            plan.objects.insert(object, mentions);
        }
    }
    move_all(guards, &mut parts, |plan| &mut plan.guards);
    for (named, continued) in dependents {
        if let Some(plan) = continued.entries.first().and_then(|entry| parts.plan(entry)) {
            plan.dependents.insert(named, continued);
        }
    }
    move_all(members, &mut parts, |plan| &mut plan.members);
    move_all(groups, &mut parts, |plan| &mut plan.groups);
    move_all(bookkeeping, &mut parts, |plan| &mut plan.bookkeeping);
    move_all(orphans, &mut parts, |plan| &mut plan.orphans);
    parts
}

fn move_all<T: Ord>(
    from: BTreeMap<T, Entries>,
    parts: &mut BatchParts,
    to: impl Fn(&mut Plan) -> &mut BTreeMap<T, Entries>,
) {
    for (named, entries) in from {
        if let Some(plan) = entries.first().and_then(|entry| parts.plan(entry)) {
            to(plan).insert(named, entries);
        }
    }
}

impl BatchParts {
    fn plan(&mut self, entry: EntryId) -> Option<&mut Plan> {
        self.plans.get_mut(*self.part_of.get(&entry)?)
    }
}

/// What entries name, by its hash, each with an entry that names it. If two hashes are
/// equal by chance, two parts are one, which costs a read and changes no result.
#[derive(Debug, Default)]
struct Tokens(HashMap<u64, EntryId>);

impl Tokens {
    /// Joins all entries that name the same.
    fn add(&mut self, named: &impl Hash, entries: impl IntoIterator<Item = EntryId>, sets: &mut Sets<EntryId>) {
        let Some(entry) = sets.join(entries) else { return };
        match self.0.entry(hash(named)) {
            Entry::Occupied(other) => drop(sets.join([*other.get(), entry])),
            Entry::Vacant(vacant) => drop(vacant.insert(entry)),
        }
    }

    /// Adds an object under all the names by which others may refer to it.
    fn add_names(
        &mut self,
        model: &Model,
        object: &Object,
        entries: impl IntoIterator<Item = EntryId>,
        sets: &mut Sets<EntryId>,
    ) {
        let Some(entry) = sets.join(entries) else { return };
        self.add(object, [entry], sets);
        for (_, link) in model.links_to(object.of) {
            if queries::is_partly_known(link, object) {
                self.add(&queries::as_known(link, object), [entry], sets);
            }
        }
    }

    /// Joins an entry that refers to something with the one that names it, if there is one.
    fn meet(&self, named: &impl Hash, entry: EntryId, sets: &mut Sets<EntryId>) {
        if let Some(other) = self.0.get(&hash(named)) {
            sets.join([*other, entry]);
        }
    }
}

fn hash(named: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    named.hash(&mut hasher);
    hasher.finish()
}
