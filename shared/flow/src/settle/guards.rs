//! Uniqueness guards: claimed, moved, released and handed on as the truth of guard, holder and claimants says.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Thing, Value};

use super::{Conflict, Settling, touched};
use crate::bookkeeping;
use crate::effect::{Action, Check, Expect, Phase};
use crate::find;
use crate::plan::Seen;
use crate::read::{self, Claimed};
use crate::truth::Found;

/// What was seen of one guard.
#[derive(Debug, Default)]
pub(super) struct Touch {
    pub(super) records: BTreeSet<usize>,
    /// Owners that had or have the value, in the order in which they were seen, with the last record of each.
    owners: Vec<(Thing, usize)>,
    /// The value may have come free.
    pub(super) released: bool,
}

impl Touch {
    fn owner(&mut self, owner: &Thing, record: usize) {
        match self.owners.iter_mut().find(|(known, _)| known == owner) {
            Some((_, last)) => *last = (*last).max(record),
            None => self.owners.push((owner.clone(), record)),
        }
    }
}

/// An owner as the truth has it.
#[derive(Debug, Clone)]
struct Candidate {
    thing: Thing,
    key: Option<Key>,
    item: Option<Item>,
    /// Its claim on the value, where it has the value.
    claimed: Option<Claimed>,
    /// The last record that spoke of it.
    record: usize,
    /// The attributes that say whether it has a value, as they are.
    because: BTreeMap<String, Option<Value>>,
}

impl Candidate {
    /// The condition that the owner still is as it was looked at.
    fn check(&self) -> Option<Check> {
        let expect = if self.item.is_some() { Expect::Like(self.because.clone()) } else { Expect::Absent };
        Some(Check { key: self.key.clone()?, expect })
    }
}

impl Settling<'_> {
    /// The unique values of an owner: those seen and those held touch their guards.
    pub(super) fn claims(&mut self, thing: &Thing, seen: &Seen<'_>, item: Option<&Item>) {
        let model = self.model;
        if read::guards_of(model, thing.of).next().is_none() || seen.changes.is_empty() {
            return;
        }
        let view = |image: &Item| {
            let claims = read::claims(model, thing, image).into_iter();
            claims.map(|(guard, claimed)| (guard, claimed.stronger)).collect::<BTreeMap<_, _>>()
        };
        let Some(views) = touched(seen, view) else { return };
        let held = item.map(|item| read::claims(model, thing, item)).unwrap_or_default();
        let records = seen.records();
        let last = records.last().copied().unwrap_or_default();
        let guards: BTreeSet<Thing> =
            views.into_iter().flat_map(BTreeMap::into_keys).chain(held.keys().cloned()).collect();
        for guard in guards {
            let touch = self.guards.entry(guard.clone()).or_default();
            touch.owner(thing, last);
            touch.records.extend(&records);
            touch.released |= !held.contains_key(&guard);
        }
    }

    /// A guard's own record: one that was taken away or given to another by hand leaves its owner to claim again.
    pub(super) fn own_guard(&mut self, thing: &Thing, seen: &Seen<'_>) {
        if self.model.item(thing.of).guard.is_none() {
            return;
        }
        for (record, change) in &seen.changes {
            // An INSERT asks for nothing: writers reserve a value before they write its owner.
            let Some(old) = &change.old else { continue };
            let touch = self.guards.entry(thing.clone()).or_default();
            touch.records.insert(*record);
            touch.released |= change.new.is_none();
            if let Some(owner) = read::owner(self.model, thing, old) {
                touch.owner(&owner, *record);
            }
        }
    }

    /// An owner as the truth has it; none while it is not known.
    fn owner(&mut self, guard: &Thing, thing: &Thing, record: usize) -> Option<Candidate> {
        let model = self.model;
        let (key, item) = match self.view.thing(thing) {
            Found::Unseen => return None,
            Found::Absent => (model.keys(thing).ok().and_then(|keys| keys.into_iter().next()), None),
            Found::Present(key, item) => (Some(key), Some(item)),
        };
        let claimed = item.and_then(|item| read::claims(model, thing, item).remove(guard));
        let because = item.map(|item| read::claim_attributes(model, thing, item)).unwrap_or_default();
        Some(Candidate { thing: thing.clone(), key, item: item.cloned(), claimed, record, because })
    }

    /// Effects for one guard. INVARIANT 7: one holder; released only for its holder and only when that no longer has the value;
    /// a second owner waits and takes over when the value comes free.
    pub(super) fn guard(&mut self, guard: &Thing, touch: &Touch) {
        let model = self.model;
        let found = self.view.thing(guard);
        let mut candidates = Vec::new();
        let mut known = true;
        for (owner, record) in &touch.owners {
            let _ = self.view.item(&bookkeeping::claim_key(model, guard, owner));
            match self.owner(guard, owner, *record) {
                Some(candidate) => candidates.push(candidate),
                None => known = false,
            }
        }
        if !known {
            return;
        }
        match found {
            Found::Unseen => {}
            Found::Absent => self.free(guard, None, &candidates, touch),
            Found::Present(key, item) => match read::owner(model, guard, item) {
                None => self.adopt(guard, &key, item, &candidates, touch),
                Some(holder) => {
                    let Some(holder) = self.owner(guard, &holder, 0) else { return };
                    if holder.claimed.is_some() {
                        self.rightly_held(guard, &key, &holder, &candidates, touch);
                    } else if touch.released || candidates.iter().any(|candidate| candidate.claimed.is_some()) {
                        self.free(guard, Some((&key, &holder)), &candidates, touch);
                    }
                }
            },
        }
    }

    /// The value is held, and rightly so: others wait, unless one is stronger.
    fn rightly_held(&mut self, guard: &Thing, key: &Key, holder: &Candidate, candidates: &[Candidate], touch: &Touch) {
        let mut holder = holder;
        for candidate in candidates.iter().filter(|candidate| candidate.thing != holder.thing) {
            match &candidate.claimed {
                Some(claimed) if claimed.stronger && holder.claimed.as_ref().is_some_and(|held| !held.stronger) => {
                    let mut actions = vec![self.put(guard, key, candidate, self.held_by(guard, &holder.thing))];
                    let (claim_key, claim) = bookkeeping::claim(self.model, guard, &holder.thing, self.context.now);
                    actions.push(Action::Put { key: claim_key, item: claim, expect: Expect::Any });
                    actions.extend(self.forget(guard, &candidate.thing));
                    let checks = vec![candidate.check(), holder.check()].into_iter().flatten().collect();
                    let label = format!("{} taken over by {}", self.label(guard), self.label(&candidate.thing));
                    self.write(Phase::Release, label, (checks, actions), &touch.records);
                    holder = candidate;
                }
                Some(_) => self.wait(guard, candidate, &holder.thing, touch),
                None => {
                    let actions = self.forget(guard, &candidate.thing);
                    if !actions.is_empty() {
                        self.write(Phase::Follow, self.waiting_label(guard), (vec![], actions), &touch.records);
                    }
                }
            }
        }
        let stale = self.forget(guard, &holder.thing);
        if !stale.is_empty() && candidates.iter().any(|candidate| candidate.thing == holder.thing) {
            self.write(Phase::Follow, self.waiting_label(guard), (vec![], stale), &touch.records);
        }
    }

    /// The value is free, or held by one that no longer has it: the first that waits takes it, else the first that claims, else
    /// it is released.
    fn free(&mut self, guard: &Thing, held: Option<(&Key, &Candidate)>, candidates: &[Candidate], touch: &Touch) {
        let Some(mut waiting) = (if touch.released { self.waiting(guard) } else { Some(Vec::new()) }) else { return };
        let lapsed: Vec<Thing> =
            waiting.iter().filter(|waiter| waiter.claimed.is_none()).map(|waiter| waiter.thing.clone()).collect();
        for owner in lapsed.iter().chain(candidates.iter().filter(|c| c.claimed.is_none()).map(|c| &c.thing)) {
            let actions = self.forget(guard, owner);
            if !actions.is_empty() {
                self.write(Phase::Follow, self.waiting_label(guard), (vec![], actions), &touch.records);
            }
        }
        waiting.extend(candidates.iter().cloned());
        let mut valid = waiting.iter().filter(|candidate| candidate.claimed.is_some());
        let next = valid.next();
        let keys = self.model.keys(guard).ok().and_then(|keys| keys.into_iter().next());
        match (next, held, keys) {
            (Some(next), held, Some(own)) => {
                let expect = held.map_or(Expect::Absent, |(_, holder)| self.held_by(guard, &holder.thing));
                let mut actions = vec![self.put(guard, held.map_or(&own, |(key, _)| key), next, expect)];
                actions.extend(self.forget(guard, &next.thing));
                let checks =
                    [next.check(), held.and_then(|(_, holder)| holder.check())].into_iter().flatten().collect();
                let phase = if held.is_some() { Phase::Release } else { Phase::Give };
                let label = format!("{} claimed for {}", self.label(guard), self.label(&next.thing));
                self.write(phase, label, (checks, actions), &touch.records);
            }
            (None, Some((key, holder)), _) => {
                let expect = self.held_by(guard, &holder.thing);
                let checks = holder.check().into_iter().collect();
                let actions = vec![Action::Delete { key: key.clone(), expect }];
                let label = format!("{} released", self.label(guard));
                self.write(Phase::Release, label, (checks, actions), &touch.records);
            }
            (None, None, _) | (Some(_), _, None) => {}
        }
        if let Some(next) = next {
            for candidate in candidates.iter().filter(|c| c.claimed.is_some() && c.thing != next.thing) {
                self.wait(guard, candidate, &next.thing, touch);
            }
        }
    }

    /// A guard that its writer left without an owner goes to the first that has the value.
    fn adopt(&mut self, guard: &Thing, key: &Key, item: &Item, candidates: &[Candidate], touch: &Touch) {
        let Some(next) = candidates.iter().find(|candidate| candidate.claimed.is_some()) else { return };
        let attributes = self.owner_attributes(guard, &next.thing);
        let free = attributes.keys().map(|name| (name.clone(), item.get(name).cloned())).collect();
        let set = attributes.into_iter().map(|(name, value)| (name, Some(value))).collect();
        let actions = vec![Action::Set { key: key.clone(), attributes: set, expect: Expect::Like(free) }];
        let checks = next.check().into_iter().collect();
        let label = format!("{} adopted for {}", self.label(guard), self.label(&next.thing));
        self.write(Phase::Give, label, (checks, actions), &touch.records);
    }

    /// Those that wait for a value, the longest wait first; none while it is not known.
    fn waiting(&mut self, guard: &Thing) -> Option<Vec<Candidate>> {
        let query = find::claims(self.model, guard);
        let rows = self.view.rows(&query)?;
        let mut waiting: Vec<_> = rows
            .iter()
            .filter_map(|row| Some((bookkeeping::since(row)?, bookkeeping::thing(self.model, row)?)))
            .collect();
        waiting.sort();
        let mut found = Vec::new();
        let mut known = true;
        for (_, thing) in waiting {
            let _ = self.view.item(&bookkeeping::claim_key(self.model, guard, &thing));
            match self.owner(guard, &thing, 0) {
                Some(candidate) => found.push(candidate),
                None => known = false,
            }
        }
        known.then_some(found)
    }

    /// A claim that lost waits under the guard's key, and its record says so.
    fn wait(&mut self, guard: &Thing, candidate: &Candidate, holder: &Thing, touch: &Touch) {
        let key = bookkeeping::claim_key(self.model, guard, &candidate.thing);
        let conflict = Conflict {
            record: candidate.record,
            guard: guard.clone(),
            claimant: candidate.thing.clone(),
            holder: holder.clone(),
        };
        self.settled.conflicts.insert(conflict);
        self.note(
            &BTreeSet::from([candidate.record]),
            &format!("conflict: {} has the value of its {}", self.label(holder), self.model.item(guard.of).name),
        );
        if matches!(self.view.item(&key), Some(None)) {
            let (key, item) = bookkeeping::claim(self.model, guard, &candidate.thing, self.context.now);
            let actions = vec![Action::Put { key, item, expect: Expect::Any }];
            self.write(Phase::Give, self.waiting_label(guard), (vec![], actions), &touch.records);
        }
    }

    /// The waiting claim of an owner goes, where there is one.
    fn forget(&mut self, guard: &Thing, owner: &Thing) -> Vec<Action> {
        let key = bookkeeping::claim_key(self.model, guard, owner);
        match self.view.item(&key) {
            Some(Some(_)) => vec![Action::Delete { key, expect: Expect::Any }],
            Some(None) | None => Vec::new(),
        }
    }

    fn waiting_label(&self, guard: &Thing) -> String {
        format!("{}: waiting claim", self.label(guard))
    }

    fn owner_attributes(&self, guard: &Thing, owner: &Thing) -> BTreeMap<String, Value> {
        let rule = self.model.item(guard.of).guard.iter();
        rule.flat_map(|rule| &rule.owner_attributes)
            .filter_map(|(name, attribute)| Some((attribute.clone(), Value::S(owner.names.get(name)?.clone()))))
            .collect()
    }

    fn held_by(&self, guard: &Thing, owner: &Thing) -> Expect {
        Expect::Like(self.owner_attributes(guard, owner).into_iter().map(|(name, value)| (name, Some(value))).collect())
    }

    /// The guard, as Instep writes it.
    fn put(&self, guard: &Thing, key: &Key, owner: &Candidate, expect: Expect) -> Action {
        let model = self.model;
        let ty = model.item(guard.of);
        let mut item: Item = self.owner_attributes(guard, &owner.thing);
        let writes = ty.guard.as_ref().map_or(&[][..], |rule| &rule.writes);
        let lookup = model.lookup(guard.of, &guard.names, None);
        let now = self.context.now.to_string();
        for (name, template) in writes {
            if let Ok(text) = template.render(&|name| if name == "now" { Some(now.clone()) } else { lookup(name) }) {
                item.insert(name.clone(), Value::S(text));
            }
        }
        if writes.is_empty() {
            item.extend(guard.names.iter().map(|(name, value)| (name.clone(), Value::S(value.clone()))));
        }
        if let (Some(attribute), Some(value)) = (&model.table.type_attribute, ty.type_values.first()) {
            item.insert(attribute.clone(), Value::S(value.clone()));
        }
        for keys in &ty.index_keys {
            let Some(index) = model.indexes.get(keys.index) else { continue };
            let parts =
                [(index.pk.first(), Some(&keys.pk)), (index.sk.as_ref().and_then(|sk| sk.first()), keys.sk.as_ref())];
            for (attribute, template) in parts {
                if let (Some(attribute), Some(Ok(text))) =
                    (attribute, template.map(|template| template.render(&lookup)))
                {
                    item.insert(attribute.clone(), Value::S(text));
                }
            }
        }
        item.insert(model.table.pk.clone(), Value::S(key.pk.clone()));
        item.insert(model.table.sk.clone(), Value::S(key.sk.clone()));
        Action::Put { key: key.clone(), item, expect }
    }
}
