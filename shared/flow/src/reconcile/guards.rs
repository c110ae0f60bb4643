//! Guards of unique values: claimed, moved, released and passed on, according to the present guard,
//! its holder and the claimants.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Object, Value};
use jiff::{SignedDuration, Timestamp};

use super::finding::FindingKind;
use super::touched::touched;
use super::{LostClaim, Pass};
use crate::bookkeeping::{self, FIELDS};
use crate::effect::{Action, Check, Expect, Phase, Write, WriteReason};
use crate::entries::{Entries, EntryId};
use crate::implied::{self, Claimed};
use crate::items;
use crate::known::{Known, Unread, all};
use crate::plan::Mentions;
use crate::queries;
use crate::resolution;

/// How long a claim is pending on an owner that does not exist, and that no record or tombstone shows
/// to be deleted, before it gets the value. Writers may reserve a value first, and write its owner
/// after a person has confirmed. A day is also how long a stream keeps a record: an owner that was
/// deleted has been handled by then. Source: Amazon DynamoDB Developer Guide, "Change data capture for
/// DynamoDB Streams".
const OWNER_GRACE: SignedDuration = SignedDuration::from_hours(24);

/// What the batch says about one guard.
#[derive(Debug, Default, Clone)]
pub(super) struct Touch {
    pub(super) records: Entries,
    /// Owners that had or have the value. For each, the record that made it claim the value, if
    /// that is in the batch.
    owners: BTreeMap<Object, Option<EntryId>>,
    /// Owners that had the value, as their own records show, and that do not exist any more.
    deleted: BTreeSet<Object>,
    /// The value may be free now.
    pub(super) released: bool,
    /// An owner's claim is no longer the stronger one: another claimant may take the value from it.
    weakened: bool,
    /// Its own record shows that it named another owner: the users of both follow.
    pub(super) moved: bool,
}

impl Touch {
    fn owner(&mut self, owner: &Object, claims: Option<EntryId>) {
        let first = self.owners.entry(owner.clone()).or_default();
        *first = [*first, claims].into_iter().flatten().min();
    }
}

/// An owner as it is in the table.
#[derive(Debug, Clone)]
struct Candidate {
    object: Object,
    /// The key under which it exists.
    key: Option<Key>,
    /// Its claim to the value, if it has the value.
    claimed: Option<Claimed>,
    /// The record that made it claim the value. INVARIANT 4: only that record publishes a lost
    /// claim, in whatever batch.
    claims: Option<EntryId>,
    /// All spellings of its key.
    keys: Vec<Key>,
    /// The attributes that its claim depends on, with their present values.
    depends_on: BTreeMap<String, Option<Value>>,
}

/// A guard as it was read, and the owner that it names.
struct HeldGuard {
    key: Key,
    /// The condition that it still names the same owner.
    expect: Expect,
    holder: Candidate,
}

impl Candidate {
    /// The conditions that the owner is unchanged since it was read.
    fn checks(&self) -> Vec<Check> {
        match &self.key {
            Some(key) => vec![Check { key: key.clone(), expect: Expect::Like(self.depends_on.clone()) }],
            None => self.keys.iter().map(|key| Check { key: key.clone(), expect: Expect::Absent }).collect(),
        }
    }
}

impl Pass<'_> {
    /// The unique values of an owner: those in its images, and those that it has now.
    pub(super) fn claims(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) {
        let model = self.model;
        if implied::guards_of(model, object.of).next().is_none() || mentions.changes.is_empty() {
            return;
        }
        let view = |image: &Item| {
            let claims = implied::claims(model, object, image).into_iter();
            claims.map(|(guard, claimed)| (guard, claimed.stronger)).collect::<BTreeMap<_, _>>()
        };
        let Some(views) = touched(mentions, view) else { return };
        let held = item.map(|item| implied::claims(model, object, item)).unwrap_or_default();
        let records = mentions.entries();
        let was_strong = |guard: &Object| views.iter().any(|view| view.get(guard) == Some(&true));
        let mut guards: BTreeSet<Object> = views.iter().flat_map(BTreeMap::keys).chain(held.keys()).cloned().collect();
        if !model.has_canonical_key(object) {
            // It gives values up, keeps those that it has, and takes none.
            guards.retain(|guard| !held.contains_key(guard));
        }
        for guard in guards {
            let claims = |image: &Option<Item>| {
                image.as_ref().is_some_and(|image| implied::claims(model, object, image).contains_key(&guard))
            };
            let claimed_by = mentions
                .changes
                .iter()
                .find(|delivered| !claims(&delivered.change.old) && claims(&delivered.change.new));
            let touch = self.guards.entry(guard.clone()).or_default();
            touch.owner(object, claimed_by.map(|delivered| delivered.entry));
            touch.records.extend(&records);
            touch.deleted.extend(item.is_none().then(|| object.clone()));
            match held.get(&guard) {
                None => touch.released = true,
                Some(claimed) => touch.weakened |= !claimed.stronger && was_strong(&guard),
            }
        }
    }

    /// A guard's own record: if somebody deleted the guard or gave it to another owner, its owner
    /// claims the value again.
    pub(super) fn own_guard(&mut self, object: &Object, mentions: &Mentions) {
        if self.model.item(object.of).guard.is_none() {
            return;
        }
        for delivered in &mentions.changes {
            // An INSERT leads to nothing: writers reserve a value before they write its owner.
            let Some(old) = &delivered.change.old else { continue };
            let touch = self.guards.entry(object.clone()).or_default();
            touch.records.insert(delivered.entry);
            touch.released |= delivered.change.new.is_none();
            let named = |image: &Item| implied::owner(self.model, object, image);
            let (old, new) = (named(old), delivered.change.new.as_ref().and_then(named));
            touch.moved |= old != new;
            if let Some(owner) = old {
                touch.owner(&owner, Some(delivered.entry));
            }
        }
    }

    /// The owner that a guard names in the table.
    pub(super) fn holder(&mut self, guard: &Object) -> Known<Option<Object>> {
        let there = self.view.object(guard)?;
        Ok(there.and_then(|(_, item)| implied::owner(self.model, guard, item)))
    }

    /// A value that another item holds, or none, of a user that is about to be ensured.
    pub(super) fn touch_guard(&mut self, guard: &Object, owner: &Object, entries: &Entries) {
        let touch = self.guards.entry(guard.clone()).or_default();
        touch.owner(owner, None);
        touch.records.extend(entries);
    }

    /// The users of those who had or get the value of a guard that is given to another owner.
    pub(super) fn users_of_owners(&mut self, guard: &Object, touch: &Touch) -> Known<()> {
        if !touch.moved && !self.given.contains_key(guard) {
            return Ok(());
        }
        let owners = self.owners_before_and_now(guard, touch)?;
        all(owners, |owner| self.user_of_owner(&owner, guard, &touch.records))
    }

    /// The owners that a guard named before, if its own record shows that it named others, and those that have it or get
    /// it now.
    pub(super) fn owners_before_and_now(&mut self, guard: &Object, touch: &Touch) -> Known<BTreeSet<Object>> {
        let had = touch.owners.keys().filter(|_| touch.moved).cloned();
        let given = self.given.get(guard).map(|(_, owner)| owner.clone());
        let holder = self.holder(guard)?;
        Ok(had.chain(given).chain(holder).collect())
    }

    /// An owner as it is in the table.
    fn owner(&mut self, guard: &Object, object: &Object, claims: Option<EntryId>) -> Known<Candidate> {
        let model = self.model;
        let (key, item) = self.view.object(object)?.unzip();
        let claimed = item.and_then(|item| implied::claims(model, object, item).remove(guard));
        let depends_on = item.map(|item| implied::claim_attributes(model, object, item)).unwrap_or_default();
        let keys = model.keys(object).unwrap_or_default();
        Ok(Candidate { object: object.clone(), key, claimed, claims, keys, depends_on })
    }

    /// An owner that may take a guard. INVARIANT 1: an item whose key is not canonical takes no value, also not one
    /// that its claim is pending for, since an item in lower case may come to have the same Cognito name.
    fn claimant(&mut self, guard: &Object, object: &Object, claims: Option<EntryId>) -> Known<Candidate> {
        let may_take = self.model.has_canonical_key(object);
        let owner = self.owner(guard, object, claims)?;
        Ok(Candidate { claimed: owner.claimed.filter(|_| may_take), ..owner })
    }

    /// Effects for one guard. INVARIANT 7: a value has one holder. Its guard is released only for
    /// the holder, and only if the holder no longer has the value. The claim of a second owner is
    /// pending, and takes over when the value is free.
    pub(super) fn guard(&mut self, guard: &Object, touch: &Touch) -> Known<()> {
        let model = self.model;
        let found = self.view.object(guard);
        let mut candidates: Vec<Candidate> = all(&touch.owners, |(owner, claims)| {
            let _ = self.view.item(&bookkeeping::claim_key(model, guard, owner));
            self.claimant(guard, owner, *claims)
        })?;
        // Of two claimants in one batch, the first in the stream gets the value.
        candidates.sort_by_key(|candidate| candidate.claims.unwrap_or(EntryId(usize::MAX)));
        let Some((key, item)) = found? else {
            return self.assign(guard, None, &candidates, touch);
        };
        let Some(holder) = implied::owner(model, guard, item) else {
            self.adopt(guard, &key, item, &candidates, touch);
            return Ok(());
        };
        let holder = self.owner(guard, &holder, None)?;
        let held_guard = HeldGuard { key, expect: self.owner_unchanged(guard, item), holder };
        if held_guard.holder.claimed.is_some() {
            self.keep_holder(guard, held_guard, &candidates, touch)
        } else if !self.is_free(guard, &held_guard.holder, touch)? {
            self.leave_to_people(guard, held_guard, &candidates, touch)
        } else if touch.released || candidates.iter().any(|found| found.claimed.is_some()) {
            self.assign(guard, Some(held_guard), &candidates, touch)
        } else {
            Ok(())
        }
    }

    /// A guard whose owner was deleted: it is released, or given to who claims its value.
    pub(super) fn release_of_deleted(&mut self, guard: &Object, owner: &Object, entries: &Entries) {
        let touch = self.guards.entry(guard.clone()).or_default();
        touch.records.extend(entries);
        touch.deleted.insert(owner.clone());
        touch.released = true;
    }

    /// Whether a holder that does not have the value gives it up: it exists, or it was deleted. An owner
    /// of which nothing is known may still be written. A guard that no claim of the model leads to says by itself
    /// whose value it is: it goes with its owner if the model says how that finds it, and is not Instep's to release
    /// otherwise. INVARIANT 9.
    fn is_free(&mut self, guard: &Object, holder: &Candidate, touch: &Touch) -> Known<bool> {
        let is_claimed = implied::may_be_claimed(self.model, guard);
        if !is_claimed && (holder.key.is_some() || !self.goes_with_owner(guard)) {
            return Ok(false);
        }
        // Its own record shows its deletion, also if only an earlier model made its claim.
        let mentions = self.plan.objects.get(&holder.object);
        let is_shown = mentions.is_some_and(|mentions| mentions.last_removal().is_some());
        if holder.key.is_some() || touch.deleted.contains(&holder.object) || is_shown {
            return Ok(true);
        }
        Ok(self.view.item(&bookkeeping::tombstone_key(self.model, &holder.object))?.is_some())
    }

    /// Whether a deleted owner finds the guards that name it, also those of values that it never had.
    fn goes_with_owner(&self, guard: &Object) -> bool {
        self.model.item(guard.of).guard.as_ref().is_some_and(|rule| rule.owner_link.is_some())
    }

    /// The guard names an owner that does not exist, or no claim leads to it: it stays as it is. Claims to
    /// its value are pending. One that has been pending for [`OWNER_GRACE`] gets the value.
    fn leave_to_people(
        &mut self,
        guard: &Object,
        held_guard: HeldGuard,
        candidates: &[Candidate],
        touch: &Touch,
    ) -> Known<()> {
        let goes_with_owner = self.goes_with_owner(guard);
        if held_guard.holder.key.is_some() && goes_with_owner {
            // Its owner exists, and whether that has the value is the writers' to know.
            return Ok(());
        }
        let (kind, why) = if goes_with_owner || implied::may_be_claimed(self.model, guard) {
            let owner = queries::label_named_by(self.model, guard.of, &held_guard.holder.object);
            (FindingKind::OwnerMissing, format!("{} stays: its owner {owner} does not exist", self.label(guard)))
        } else {
            let why = format!("{} stays: no claim of the model leads to it", self.label(guard));
            (FindingKind::GuardOfNoClaim, why)
        };
        self.finding(&touch.records, kind, guard.of, &why, 1);
        let pending_claims = self.pending_claims(guard)?;
        let has_waited = |(since, claimant): &(Timestamp, Candidate)| {
            claimant.claimed.is_some() && self.times.now.duration_since(*since) >= OWNER_GRACE
        };
        if pending_claims.iter().any(has_waited) {
            let touch = Touch { released: true, ..touch.clone() };
            return self.assign(guard, Some(held_guard), candidates, &touch);
        }
        // Of a claim that only an earlier model made, no record of its owner tells.
        let is_named = |claimant: &Candidate| candidates.iter().any(|named| named.object == claimant.object);
        let over = pending_claims.into_iter().map(|(_, claimant)| claimant);
        let over: Vec<Candidate> = over.filter(|claimant| claimant.claimed.is_none() && !is_named(claimant)).collect();
        for candidate in candidates.iter().chain(&over) {
            if candidate.claimed.is_some() {
                self.add_pending_claim(guard, candidate, &held_guard.holder.object, touch);
            } else {
                self.withdraw(guard, candidate, candidate.checks(), touch);
            }
        }
        Ok(())
    }

    /// The holder has the value: other claims are pending, unless one is stronger.
    fn keep_holder(
        &mut self,
        guard: &Object,
        held_guard: HeldGuard,
        candidates: &[Candidate],
        touch: &Touch,
    ) -> Known<()> {
        let HeldGuard { key, mut expect, mut holder } = held_guard;
        let (mut candidates, first) = (candidates.to_vec(), holder.object.clone());
        // An owner that took the value while it was free did not read the pending claims.
        if touch.weakened || touch.released {
            let pending_claims = self.pending_claims(guard)?;
            let known: BTreeSet<Object> = candidates.iter().map(|candidate| candidate.object.clone()).collect();
            let pending_claims = pending_claims.into_iter().map(|(_, claimant)| claimant);
            candidates.extend(pending_claims.filter(|claimant| !known.contains(&claimant.object)));
        }
        for candidate in &candidates {
            if candidate.object == holder.object {
                continue;
            }
            match &candidate.claimed {
                Some(claimed) if claimed.stronger && holder.claimed.as_ref().is_some_and(|held| !held.stronger) => {
                    let mut actions = self.give(guard, &key, candidate, expect.clone());
                    let (claim_key, claim) = bookkeeping::claim(self.model, guard, &holder.object, self.times.now);
                    actions.push(Action::Put { key: claim_key, item: claim, expect: Expect::Any });
                    let checks = [candidate.checks(), holder.checks()].concat();
                    let label = format!("{} taken over by {}", self.label(guard), self.label(&candidate.object));
                    let reason = WriteReason::TakenOver(guard.of);
                    let taken = Write::in_phase(Phase::Release, reason, label, actions).checking(checks);
                    self.write(taken.and_read_again(), &touch.records);
                    expect = self.names_owner(guard, &candidate.object);
                    holder = candidate.clone();
                }
                Some(_) => self.add_pending_claim(guard, candidate, &holder.object, touch),
                None => self.withdraw(guard, candidate, candidate.checks(), touch),
            }
        }
        // The holder's own pending claim may have been written while a writer gave it the guard. It
        // needs none while it has the value. An owner that takes over deletes its pending claim in
        // the same transaction.
        if holder.object == first && (touch.released || candidates.iter().any(|candidate| candidate.object == first)) {
            self.resolve(guard, &holder, (key, expect), touch);
        }
        Ok(())
    }

    /// The value is free, or its holder no longer has it. The first pending claim gets it, or else
    /// the first new claim. Without claims, the guard is released.
    fn assign(
        &mut self,
        guard: &Object,
        held: Option<HeldGuard>,
        candidates: &[Candidate],
        touch: &Touch,
    ) -> Known<()> {
        let pending_claims = if touch.released { self.pending_claims(guard)? } else { Vec::new() };
        let mut pending_claims: Vec<Candidate> = pending_claims.into_iter().map(|(_, claimant)| claimant).collect();
        let known: BTreeSet<Object> = pending_claims.iter().map(|claimant| claimant.object.clone()).collect();
        pending_claims.extend(candidates.iter().filter(|candidate| !known.contains(&candidate.object)).cloned());
        for lapsed in pending_claims.iter().filter(|candidate| candidate.claimed.is_none()) {
            self.withdraw(guard, lapsed, lapsed.checks(), touch);
        }
        // A stronger claim comes first: it would take the value from any other holder.
        let valid = pending_claims.iter().filter_map(|candidate| Some((candidate, candidate.claimed.as_ref()?)));
        let next = valid.min_by_key(|(_, claimed)| !claimed.stronger).map(|(candidate, _)| candidate);
        let own = self.model.keys(guard).ok().and_then(|keys| keys.into_iter().next());
        match (next, held, own) {
            (Some(next), held, Some(own)) => {
                let (key, expect, holder) = match held {
                    Some(HeldGuard { key, expect, holder }) => (key, expect, Some(holder)),
                    None => (own, Expect::Absent, None),
                };
                let actions = self.give(guard, &key, next, expect);
                let checks = [next.checks(), holder.iter().flat_map(Candidate::checks).collect()].concat();
                let label = format!("{} claimed for {}", self.label(guard), self.label(&next.object));
                let claimed = Write::in_phase(Phase::Release, WriteReason::Claimed(guard.of), label, actions);
                let claimed = claimed.checking(checks);
                self.write(claimed.and_read_again(), &touch.records);
            }
            (None, Some(HeldGuard { key, expect, holder }), _) => {
                let actions = vec![Action::Delete { key, expect }];
                let label = format!("{} released", self.label(guard));
                let reason = WriteReason::Released(guard.of);
                let released = Write::in_phase(Phase::Release, reason, label, actions).checking(holder.checks());
                self.write(released.and_read_again(), &touch.records);
            }
            (None, None, _) | (Some(_), _, None) => {}
        }
        if let Some(next) = next {
            for candidate in candidates.iter().filter(|c| c.claimed.is_some() && c.object != next.object) {
                self.add_pending_claim(guard, candidate, &next.object, touch);
            }
        }
        Ok(())
    }

    /// A guard that its writer left without an owner is given to the first owner that has the
    /// value.
    fn adopt(&mut self, guard: &Object, key: &Key, item: &Item, candidates: &[Candidate], touch: &Touch) {
        let Some(next) = candidates.iter().find(|candidate| candidate.claimed.is_some()) else {
            let why = format!("{} stays: it names no owner, and no item here has its value", self.label(guard));
            return self.finding(&touch.records, FindingKind::OwnerUnnamed, guard.of, &why, 1);
        };
        let attributes = items::owner_attributes(self.model, guard, &next.object);
        // INVARIANT 9: what is there may be the application's, and only people know what it means.
        let written =
            attributes.iter().find(|(name, value)| item.get(name.as_str()).is_some_and(|there| there != *value));
        if let Some((name, _)) = written {
            let why = format!("{} stays: its `{name}` names no owner as the model does", self.label(guard));
            return self.finding(&touch.records, FindingKind::OwnerUnnamed, guard.of, &why, 1);
        }
        self.given.insert(guard.clone(), (key.clone(), next.object.clone()));
        let attributes = attributes.into_iter().map(|(name, value)| (name, Some(value)));
        let actions = vec![self.set_in_guard(key, attributes, self.owner_unchanged(guard, item))];
        let label = format!("{} adopted for {}", self.label(guard), self.label(&next.object));
        let reason = WriteReason::Adopted(guard.of);
        let adopted = Write::in_phase(Phase::Release, reason, label, actions).checking(next.checks());
        self.write(adopted.and_read_again(), &touch.records);
    }

    /// The owners with a pending claim, and since when, the oldest claim first.
    fn pending_claims(&mut self, guard: &Object) -> Known<Vec<(Timestamp, Candidate)>> {
        let query = queries::claims(self.model, guard);
        let rows = self.view.rows(&query)?;
        let mut pending_claims: Vec<_> = rows
            .iter()
            .filter_map(|row| Some((bookkeeping::since(row)?, bookkeeping::object(self.model, row)?)))
            .collect();
        pending_claims.sort();
        all(pending_claims, |(since, object)| {
            let _ = self.view.item(&bookkeeping::claim_key(self.model, guard, &object));
            Ok((since, self.claimant(guard, &object, None)?))
        })
    }

    /// Writes the pending claim of a claimant that lost, and a conflict for the record that made it
    /// claim.
    fn add_pending_claim(&mut self, guard: &Object, candidate: &Candidate, holder: &Object, touch: &Touch) {
        let key = bookkeeping::claim_key(self.model, guard, &candidate.object);
        if let Some(record) = candidate.claims {
            let (guard, claimant, holder) = (guard.clone(), candidate.object.clone(), holder.clone());
            let of = &self.model.item(guard.of).name;
            // The caller has read it.
            let text = if self.exists(&holder) == Ok(false) {
                let owner = queries::label_named_by(self.model, guard.of, &holder);
                let hours = OWNER_GRACE.as_hours();
                format!(
                    "conflict: its {of} names {owner}, which does not exist: the claim gets the value after {hours} \
                     hours, unless that owner is written"
                )
            } else {
                format!("conflict: {} has the value of its {of}", self.label(&holder))
            };
            self.note(&Entries::from(record), &text);
            self.note_edge_that_waits(&guard, &claimant, &holder, record);
            self.desired.conflicts.insert(LostClaim { record, guard, claimant, holder });
        }
        if self.view.item(&key) == Ok(None) {
            let (key, item) = bookkeeping::claim(self.model, guard, &candidate.object, self.times.now);
            let actions = vec![Action::Put { key, item, expect: Expect::Any }];
            let reason = WriteReason::ClaimWaits(guard.of);
            let claimed = Write::in_phase(Phase::Grant, reason, self.pending_claim_label(guard), actions);
            self.write(claimed.checking(candidate.checks()).and_read_again(), &touch.records);
        }
    }

    /// Deletes an owner's pending claim, if there is one, on condition that nothing changed since.
    fn withdraw(&mut self, guard: &Object, owner: &Candidate, checks: Vec<Check>, touch: &Touch) {
        let actions = self.forget(guard, &owner.object);
        if !actions.is_empty() {
            let reason = WriteReason::ClaimEnds(guard.of);
            let withdrawn = Write::follow(reason, self.pending_claim_label(guard), actions).checking(checks);
            self.write(withdrawn.and_read_again(), &touch.records);
        }
    }

    /// Ends the pending claim of an owner whose guard names it. INVARIANT 4: the same transaction marks the guard, and
    /// the record of that is published.
    fn resolve(&mut self, guard: &Object, owner: &Candidate, (key, expect): (Key, Expect), touch: &Touch) {
        let ended = self.forget(guard, &owner.object);
        if !ended.is_empty() {
            let mark = resolution::mark(self.model, &owner.object, self.times.now);
            let marked = Action::Set { key, attributes: [(FIELDS.to_owned(), Some(mark))].into(), expect };
            let actions = std::iter::once(marked).chain(ended).collect();
            let reason = WriteReason::ClaimEnds(guard.of);
            let resolved = Write::follow(reason, self.pending_claim_label(guard), actions).checking(owner.checks());
            self.write(resolved.and_read_again(), &touch.records);
        }
    }

    /// Deletes an owner's pending claim, if there is one. INVARIANT 4: only one that is as it was read. It may have been
    /// withdrawn since, and then it gets no value.
    fn forget(&mut self, guard: &Object, owner: &Object) -> Vec<Action> {
        let key = bookkeeping::claim_key(self.model, guard, owner);
        match self.view.item(&key) {
            Ok(Some(claim)) => vec![Action::Delete { key, expect: bookkeeping::as_read(Some(claim)) }],
            Ok(None) | Err(Unread) => Vec::new(),
        }
    }

    fn pending_claim_label(&self, guard: &Object) -> String {
        format!("{}: pending claim", self.label(guard))
    }

    /// The condition that the attributes of a guard that name its owner are as they were read.
    fn owner_unchanged(&self, guard: &Object, item: &Item) -> Expect {
        let rule = self.model.item(guard.of).guard.iter();
        let attributes = rule.flat_map(|rule| &rule.owner_attributes);
        Expect::Like(attributes.map(|(_, name)| (name.clone(), item.get(name).cloned())).collect())
    }

    fn names_owner(&self, guard: &Object, owner: &Object) -> Expect {
        items::names_owner(self.model, guard, owner)
    }

    /// Gives a guard to an owner. INVARIANT 4: if the owner's claim was pending, it ends in the same transaction, which
    /// marks the guard.
    fn give(&mut self, guard: &Object, key: &Key, owner: &Candidate, expect: Expect) -> Vec<Action> {
        self.given.insert(guard.clone(), (key.clone(), owner.object.clone()));
        let ended = self.forget(guard, &owner.object);
        let mark = (!ended.is_empty()).then(|| resolution::mark(self.model, &owner.object, self.times.now));
        let mut item = items::guard(self.model, guard, &owner.object, key, self.times.now);
        let given = if expect == Expect::Absent {
            item.extend(mark.map(|mark| (FIELDS.to_owned(), mark)));
            Action::Put { key: key.clone(), item, expect }
        } else {
            let table = &self.model.table;
            item.retain(|name, _| *name != table.pk && *name != table.sk);
            let attributes = item.into_iter().map(|(name, value)| (name, Some(value)));
            // A mark of an earlier owner goes.
            self.set_in_guard(key, attributes.chain([(FIELDS.to_owned(), mark)]), expect)
        };
        std::iter::once(given).chain(ended).collect()
    }

    /// Sets attributes of a guard that exists and gets an owner. INVARIANT 9: it keeps every other attribute, which the
    /// application may have written, but for the TTL of a reservation: that would delete the guard of its new owner.
    fn set_in_guard(
        &self,
        key: &Key,
        set: impl IntoIterator<Item = (String, Option<Value>)>,
        expect: Expect,
    ) -> Action {
        let expires = [(self.model.table.ttl.clone(), None)];
        let attributes = expires.into_iter().chain(set).collect();
        Action::Set { key: key.clone(), attributes, expect }
    }
}
