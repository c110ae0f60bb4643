//! The dependents of an object: deleted with it, or sent to the work queue after it was created or
//! restored.
//!
//! The first page of each link is handled at once. A message continues with the rest.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{CognitoMember, ExtraPolicy, GroupOwner, Item, Key, Link, LinkId, Object, Subject};
use jiff::Timestamp;

use super::Pass;
use super::pages::PageStart;
use crate::doubt::Doubt;
use crate::effect::{Effect, MarkDeleted};
use crate::entries::Entries;
use crate::known::{Known, all};
use crate::plan::{Continued, DeliveredChange, Mentions};
use crate::queries::{self, LinkQuery, Presence};
use crate::work::{self, Dependents, Extent, NamedObject, Which};
use crate::{bookkeeping, implied};

/// How far the deletion of an object, and of what belongs to it, has come.
enum Cascade {
    /// Its user and groups are deleted. Then everything is read again.
    Revoking,
    /// It is a subject that was deleted with its last grant, and has a grant after all: it is restored.
    Restoring,
    /// These tombstones are written before its dependents are looked for: who writes one meanwhile is found by this
    /// run, or finds the tombstone.
    Marking(Vec<Effect>),
    /// This run has written these, or others have. The first page of its dependents is deleted, and a message continues
    /// with the next one.
    Deleting(Vec<Effect>),
    /// This run deletes nothing with it.
    Done,
}

impl Pass<'_> {
    /// The dependents of an object that was created or deleted.
    pub(super) fn dependents(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) -> Known<()> {
        // An object that the model assumes to exist is neither created nor deleted with an item.
        if self.model.item(object.of).assumed.contains(&object.names) {
            return Ok(());
        }
        let entries = mentions.entries();
        match item {
            Some(item) => {
                let counted = self.count_children_kept(object, mentions);
                counted.and(self.present(object, item, mentions, &entries))
            }
            None => self.absent(object, mentions, &entries),
        }
    }

    /// Sends the items that name somebody who has signed up to the work queue.
    ///
    /// INVARIANT 1: an item writes its back-reference before its run asks Cognito for the user. So that run finds the
    /// user, or this one finds the item.
    pub(super) fn signed_up(&mut self, object: &Object, mentions: &Mentions) -> Known<()> {
        self.send_dependents(object, Presence::Present, Extent::All, &mentions.entries())
    }

    /// Sends the dependents of an existing object to the work queue if it was created, if it got or
    /// lost its user or groups, if an index leads to it now, or if this run or an earlier one may have
    /// created these.
    fn present(&mut self, object: &Object, item: &Item, mentions: &Mentions, entries: &Entries) -> Known<()> {
        let (created, deleted) = (self.progress.created.contains(object), self.progress.deleted.contains(object));
        let unsure = deleted || mentions.by_message() && mentions.may_be_done();
        // Who restores a deleted subject, or forgets its item, deletes the tombstone first.
        let may_have_forgotten = mentions.was_created() && self.may_be_kept(object);
        let restored = self.was_deleted_before(object) || mentions.shows_removal() || may_have_forgotten;
        let changed = self.user_or_groups_changed(object, mentions);
        if mentions.was_deleted() || unsure || changed {
            self.ask_for_dependents_late(object, entries);
        }
        if mentions.was_created() {
            self.forget_kept_item(object, entries);
        }
        // What the account of somebody else has is taken back.
        let is_foreign = self.progress.foreign.contains(object);
        let is_news = mentions.was_created() || created || unsure || changed || is_foreign;
        // Its user and groups must exist before anything is granted in them.
        if is_news && self.is_ensured(object) && self.is_deleted(object) {
            self.send_itself(object, item, entries);
            let presence = if restored { Presence::Restored } else { Presence::Present };
            let sent = self.send_dependents(object, presence, Extent::All, entries);
            sent.and(self.send_those_that_know_attributes(object, Some(item), mentions))?;
        }
        Ok(())
    }

    /// Whether a record shows that an existing item got or lost its user or groups, or that an index
    /// leads to it by other attributes: the memberships of its dependents must be reconciled.
    pub(super) fn user_or_groups_changed(&self, object: &Object, mentions: &Mentions) -> bool {
        let model = self.model;
        let counts = |image| {
            let groups = implied::active_groups(model, object, image);
            let known = implied::known_by_attributes(model, object, image);
            (implied::has_user(model, object, image), groups, queries::looked_up_by(model, object.of, image), known)
        };
        mentions.changes().any(|change| {
            change.old.as_ref().zip(change.new.as_ref()).is_some_and(|(old, new)| counts(old) != counts(new))
        })
    }

    /// Deletes the dependents of an object that does not exist.
    fn absent(&mut self, object: &Object, mentions: &Mentions, entries: &Entries) -> Known<()> {
        let deleted = match self.stage(object, mentions)? {
            Cascade::Revoking => return Ok(()),
            Cascade::Restoring => return self.restore(object, entries),
            Cascade::Marking(marks) => {
                marks.into_iter().for_each(|mark| self.add_effect(mark, entries));
                return Ok(());
            }
            Cascade::Deleting(marks) => {
                // What this run has done is desired in each later pass, too.
                marks.into_iter().for_each(|mark| self.add_effect(mark, entries));
                let is_live = self.is_live(object, mentions);
                self.delete_pages(object, Extent::All, is_live, entries)
            }
            Cascade::Done => Ok(()),
        };
        if !self.may_delete(object, mentions) {
            return deleted;
        }
        let sent = self.absence(object).and_then(|absence| self.send_dependents(object, absence, Extent::All, entries));
        let sent = sent.and(self.send_those_that_know_attributes(object, None, mentions));
        // INVARIANT 2: a message of now would repeat the cascade of an old record.
        if mentions.starts_cascade() && self.is_live(object, mentions) {
            self.ask_for_dependents_late(object, entries);
        }
        deleted.and(sent)
    }

    /// How an object is absent. If its user is deleted later, the items that stay lose its memberships.
    fn absence(&mut self, object: &Object) -> Known<Presence> {
        let waits = self.account(object)?.is_some_and(|account| account.waiting().is_some());
        Ok(if waits { Presence::AbsentWithUser } else { Presence::Absent })
    }

    /// The stage of the cascade of an object that does not exist. It follows from what was read and what this run has
    /// done, in each pass anew: the object may be written again meanwhile.
    fn stage(&mut self, object: &Object, mentions: &Mentions) -> Known<Cascade> {
        if !self.is_deleted(object) {
            return Ok(Cascade::Revoking);
        }
        if !mentions.shows_removal() {
            return Ok(Cascade::Done);
        }
        let is_kept = self.own_last_revocation(object, mentions)?;
        // INVARIANT 2: no dependent is deleted with a subject that has a grant after all.
        if is_kept && self.has_grants(object)? {
            return Ok(Cascade::Restoring);
        }
        // INVARIANT 2: children may have been written since a captured deletion. They are pending.
        let model = self.model;
        let is_found = |link: &Link| link.leads_down() || model.orphans == ExtraPolicy::Remove;
        let has_any = model
            .links_to(object.of)
            .any(|(id, link)| queries::follows(model, id, Presence::Deleted) && is_found(link));
        if !mentions.starts_cascade() || !has_any {
            return Ok(Cascade::Done);
        }
        let marks = self.marks(object, is_kept)?;
        let are_written = marks.iter().all(|mark| self.progress.applied.contains(mark));
        Ok(if are_written { Cascade::Deleting(marks) } else { Cascade::Marking(marks) })
    }

    /// Continues with the dependents of an object, for messages.
    pub(super) fn continue_dependents(&mut self, dependents: &Dependents, continued: &Continued) -> Known<()> {
        let model = self.model;
        let Some(object) = dependents.object(model) else { return Ok(()) };
        let entries = &continued.entries;
        let absence = self.absence(&object);
        let tombstone = self.view.item(&bookkeeping::tombstone_key(model, &object));
        let exists = self.exists(&object)?;
        let (tombstone, absence) = (tombstone?, absence?);
        // INVARIANT 2: the children of an object that never existed are pending.
        let is_deleted = !exists && tombstone.is_some();
        let extent = dependents.extent;
        // INVARIANT 2: an index that has caught up may show a grant that it did not show when the
        // subject was deleted.
        let may_show_a_grant = extent == Extent::Late && dependents.which != Which::Groups && !exists;
        if may_show_a_grant && self.restore_if_granted(&object, entries)? {
            return Ok(());
        }
        match &dependents.which {
            Which::Groups if is_deleted => self.delete_groups_on_demand(&object, extent, entries),
            // INVARIANT 1: a group on demand may have been deleted after its parent was written again, together with the
            // group's new members.
            Which::Groups => {
                let may_be_deleted = self.progress.deleted.contains(&object) || continued.doubt == Doubt::MayBeDone;
                if exists && may_be_deleted {
                    self.send_dependents(&object, Presence::Restored, Extent::All, entries)?;
                }
            }
            Which::From(cursor) => {
                let Some(query) = cursor.query(model, &object) else { return Ok(()) };
                let start = PageStart { query, after: Some(cursor.after.clone()), extent };
                if is_deleted && queries::follows(model, query.link, Presence::Deleted) {
                    self.delete_page(&object, start, continued.is_live, entries)?;
                } else if exists || queries::follows(model, query.link, absence) {
                    self.send_page(&object, start, entries)?;
                }
            }
            Which::All => {
                let deleted =
                    if is_deleted { self.delete_pages(&object, extent, continued.is_live, entries) } else { Ok(()) };
                let presence = if exists { Presence::Restored } else { absence };
                self.send_dependents(&object, presence, extent, entries)?;
                deleted?;
            }
        }
        Ok(())
    }

    /// The tombstones of a deleted object that say too little, or of an earlier deletion. `is_kept`: its own one keeps the
    /// item of a subject, and stays as it is.
    fn marks(&mut self, object: &Object, is_kept: bool) -> Known<Vec<Effect>> {
        let model = self.model;
        let latest = match self.latest_deleted.take() {
            Some(latest) => latest,
            None => self.latest_deleted(),
        };
        let tombstones = queries::tombstones(model, object).into_iter();
        let tombstones = tombstones.filter(|(_, known)| !is_kept || known != object);
        let marks: Known<Vec<_>> = all(tombstones, |(key, known)| {
            let before = self.view.item(&key)?;
            let Some((removed_at, latest)) = latest.get(&key) else { return Ok(None) };
            let is_noted = before.and_then(bookkeeping::removed_at).is_some_and(|noted| noted >= *removed_at)
                && before.and_then(bookkeeping::deleted_item).is_none();
            let mark = || MarkDeleted {
                target: format!("tombstone of {}", self.label(&known)),
                item: bookkeeping::tombstone(model, &key, latest, *removed_at, self.times.now, None),
                expect: bookkeeping::as_read(before),
                key: key.clone(),
            };
            Ok((!is_noted).then(|| Effect::MarkDeleted(mark())))
        });
        self.latest_deleted = Some(latest);
        Ok(marks?.into_iter().flatten().collect())
    }

    /// Whether no child that exists now can have been written long after the deletion began its cascade: the record is
    /// recent, or the cascade is, or no run has begun it.
    ///
    /// INVARIANT 2: the cascade of an old record that is redriven ended long ago, if a run began it then. Children that
    /// were written since are pending.
    fn is_live(&mut self, object: &Object, mentions: &Mentions) -> bool {
        let removals = || mentions.changes.iter().filter(|delivered| delivered.change.new.is_none());
        let is_recent = |delivered: &DeliveredChange| work::is_live(delivered.change.recorded_at, self.times.now);
        if removals().any(is_recent) {
            return true;
        }
        let Some(removed_at) = removals().filter_map(|delivered| delivered.change.recorded_at).max() else {
            return false;
        };
        let has_begun = |tombstone: &Item| bookkeeping::removed_at(tombstone).is_some_and(|noted| noted >= removed_at);
        let tombstone = self.view.item(&bookkeeping::tombstone_key(self.model, object)).ok().flatten();
        tombstone
            .filter(|tombstone| has_begun(tombstone))
            .is_none_or(|tombstone| work::is_live(bookkeeping::begun_at(tombstone), self.times.now))
    }

    /// For each tombstone, the object in the batch that was deleted last. Dependents may refer to
    /// several objects by the same names. Then these objects share a tombstone.
    fn latest_deleted(&mut self) -> BTreeMap<Key, (Timestamp, Object)> {
        let mut latest: BTreeMap<Key, (Timestamp, Object)> = BTreeMap::new();
        for (object, mentions) in &self.plan.objects {
            let removals = mentions.changes().filter(|change| change.new.is_none());
            let Some(removed_at) = removals.map(|change| change.recorded_at.unwrap_or(self.times.now)).max() else {
                continue;
            };
            if self.view.object(object) != Ok(None) {
                continue;
            }
            for key in queries::tombstones(self.model, object).into_keys() {
                let deleted = (removed_at, object.clone());
                let known = latest.entry(key).or_insert_with(|| deleted.clone());
                *known = deleted.max(known.clone());
            }
        }
        latest
    }

    /// Deletes the first page of each query for dependents.
    fn delete_pages(&mut self, object: &Object, extent: Extent, is_live: bool, entries: &Entries) -> Known<()> {
        self.delete_groups_on_demand(object, extent, entries);
        all(self.queries(object, Presence::Deleted, extent), |query| {
            // INVARIANT 2: another object may have the parent's name by now, and the index may show
            // that too late for the first pass.
            if extent == Extent::All && queries::resolves_by_index(self.model.link(query.link)) {
                return Ok(());
            }
            self.delete_page(object, PageStart { query, after: None, extent }, is_live, entries)
        })
    }

    /// Sends the first page of each query for dependents to the work queue.
    fn send_dependents(&mut self, object: &Object, presence: Presence, extent: Extent, entries: &Entries) -> Known<()> {
        all(self.queries(object, presence, extent), |query| {
            self.send_page(object, PageStart { query, after: None, extent }, entries)
        })
    }

    /// Sends those dependents that know an object by attributes beside its key to the work queue: by those that it has,
    /// and by those that the records of the batch show. The key of a deleted object does not say which it had.
    fn send_those_that_know_attributes(
        &mut self,
        object: &Object,
        item: Option<&Item>,
        mentions: &Mentions,
    ) -> Known<()> {
        let model = self.model;
        let images = mentions.changes().flat_map(|change| change.old.iter().chain(&change.new)).chain(item);
        let known: BTreeSet<(LinkId, Object)> =
            images.flat_map(|image| implied::known_by_attributes(model, object, image)).collect();
        let entries = mentions.entries();
        all(known, |(link, known)| {
            if !model.link(link).needed {
                return Ok(());
            }
            all(queries::queries(model, link), |query| {
                self.send_page(&known, PageStart { query, after: None, extent: Extent::All }, &entries)
            })
        })
    }

    /// An item may imply a membership of its own user, or in its own group. Then it is a dependent of
    /// itself.
    fn send_itself(&mut self, object: &Object, item: &Item, entries: &Entries) {
        let mut members = self.model.item(object.of).members.iter();
        let is_own = |member: &CognitoMember| {
            matches!(member.user, Subject::Itself) || matches!(member.group_owner, GroupOwner::Itself(_))
        };
        if members.any(is_own) && !self.is_in_hand(object, item) {
            let image = implied::needed_image(self.model, object, item);
            self.add_effect(Effect::SendObjects(vec![NamedObject::new(self.model, object, Some(image))]), entries);
        }
    }

    /// Whether images in the batch already name all memberships that a dependent implies, and this run
    /// reconciles them.
    pub(super) fn is_in_hand(&self, object: &Object, item: &Item) -> bool {
        let Some(mentions) = self.plan.objects.get(object).filter(|mentions| !mentions.is_of_rules_only()) else {
            return false;
        };
        let named = self.named_memberships(object, mentions);
        implied::memberships(self.model, object, item).iter().all(|membership| named.contains(membership))
    }

    /// The queries for dependents.
    pub(super) fn queries(&self, object: &Object, presence: Presence, extent: Extent) -> Vec<LinkQuery> {
        let model = self.model;
        let by_index = |query: &LinkQuery| {
            queries::is_by_index(model, *query) || queries::resolves_by_index(model.link(query.link))
        };
        let links = model.links_to(object.of).filter(|(id, _)| queries::follows(model, *id, presence));
        let links = links.filter(|(_, link)| queries::says_all_names(link, object));
        let queries = links.flat_map(|(id, _)| queries::queries(model, id));
        queries.filter(|query| extent == Extent::All || by_index(query)).collect()
    }

    /// Whether this run has applied the effects that ensure the object's user and groups.
    fn is_ensured(&self, object: &Object) -> bool {
        self.are_applied(|effect| effect.ensures() == Some(object))
    }

    /// Whether this run has applied the effects that delete the object's user and groups.
    fn is_deleted(&self, object: &Object) -> bool {
        self.are_applied(|effect| effect.deletes() == Some(object))
    }

    fn are_applied(&self, is_meant: impl Fn(&Effect) -> bool) -> bool {
        self.desired
            .effects
            .keys()
            .filter(|effect| is_meant(effect))
            .all(|effect| self.progress.applied.contains(effect))
    }

    /// Whether an existing object was deleted before, if that matters to its dependents.
    pub(super) fn was_deleted_before(&mut self, object: &Object) -> bool {
        let keys = queries::suspending_tombstones(self.model, object);
        let found: Vec<_> = keys.iter().filter_map(|key| self.view.item(key).ok()).collect();
        found.iter().any(Option::is_some)
    }

    /// Asks for the tombstones of a deleted object together with the object itself.
    pub(super) fn ask_for_tombstones(&mut self, object: &Object) {
        let mut links = self.model.links_to(object.of);
        if links.any(|(_, link)| link.deleted_with) {
            for key in queries::tombstones(self.model, object).into_keys() {
                let _ = self.view.item(&key);
            }
        }
    }
}
