//! The last grant of a subject was revoked: the subject is deleted, if the model says so and the
//! conditions for it are met.
//!
//! DynamoDB has no condition "nothing else exists", so a grant may be written while the subject is
//! deleted. The deletion therefore keeps the item in the subject's tombstone, in one transaction.
//! Any run that finds a grant without its subject, and such a tombstone, restores the subject.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{
    Grant, Item, Key, LastRevoked, Link, LinkId, Model, Object, Subject, ToDependents, TypeId, attribute_of,
};

use super::Pass;
use crate::bookkeeping;
use crate::change::Change;
use crate::effect::{Action, CONDITION_ATTRIBUTES_MAX, Check, DeleteSubject, Effect, Expect, Write, WriteReason};
use crate::entries::Entries;
use crate::implied::{self, Membership};
use crate::known::{Known, any};
use crate::plan::Mentions;
use crate::queries;
use crate::secrets;
use crate::work::Origin;
use crate::written;

/// The maximum size of an item that a tombstone keeps, in bytes of its JSON form. An item has at
/// most 400 KB, and the tombstone has fields of its own. Source: Amazon DynamoDB Developer Guide,
/// "Service, account, and table quotas".
const KEPT_BYTES_MAX: usize = 380_000;

impl<'a> Pass<'a> {
    /// Deletes the subject of a revoked grant if it has no other grant. If the subject is already
    /// deleted and has a grant after all, it is restored.
    pub(super) fn last_revoked(&mut self, object: &Object, mentions: &Mentions, item: Option<&Item>) -> Known<()> {
        let model = self.model;
        let Some(grant) = &model.item(object.of).grant else { return Ok(()) };
        let (Some(last), Subject::Link(link)) = (&grant.last, &grant.subject) else { return Ok(()) };
        let mut removals = mentions.changes.iter().rev().filter(|delivered| delivered.change.new.is_none());
        let (None, Some(delivered)) = (item, removals.next()) else { return Ok(()) };
        let Some(subject) = implied::target(model, *link, object, delivered.change.old.as_ref()) else { return Ok(()) };
        match self.view.object(&subject)? {
            None => self.restore_if_granted(&subject, &mentions.entries()).map(drop),
            // INVARIANT 2: no capture deletes a subject.
            Some((key, found)) if delivered.delivery.origin != Origin::Captured => {
                self.delete_subject(last, &subject, &key, found, &delivered.change, mentions)
            }
            Some(_) => Ok(()),
        }
    }

    /// Asks for the subject of a revoked grant, and for its tombstone, together with the grant.
    pub(super) fn ask_for_subject(&mut self, object: &Object, change: &Change) {
        let grant = self.model.item(object.of).grant.as_ref().filter(|grant| grant.last.is_some());
        let Some(Subject::Link(link)) = grant.map(|grant| &grant.subject) else { return };
        let Some(subject) = implied::target(self.model, *link, object, change.old.as_ref()) else { return };
        let _ = self.view.object(&subject);
        let _ = self.view.item(&bookkeeping::tombstone_key(self.model, &subject));
    }

    fn delete_subject(
        &mut self,
        last: &LastRevoked,
        subject: &Object,
        key: &Key,
        item: &Item,
        change: &Change,
        mentions: &Mentions,
    ) -> Known<()> {
        let entries = mentions.entries();
        let keep = |pass: &mut Self, why: &str| {
            pass.note(&entries, &format!("the last grant, but {why}: it is kept"));
            Ok(())
        };
        if !was_written_before(last, item, change) {
            return keep(self, "the subject was written since, or does not say when");
        }
        // An object may have a second item, under another spelling of its key.
        let Some(others) = self.other_spellings(subject, key)? else {
            return keep(self, "the subject has an item under another key, too");
        };
        // The memberships that this run must remove are removed first. Then everything is read
        // again, and this function runs again.
        let Some(removed) = self.removed_groups(subject) else { return Ok(()) };
        let tombstone_key = bookkeeping::tombstone_key(self.model, subject);
        let before = self.view.item(&tombstone_key);
        if self.has_grants(subject)? {
            return Ok(());
        }
        if !bookkeeping::fits(item, KEPT_BYTES_MAX) {
            return keep(self, "the subject's item is too large for its tombstone");
        }
        if self.has_other_groups(subject, &removed)? {
            return keep(self, "Cognito reports other groups of the user");
        }
        let before = before?;
        let tombstone =
            bookkeeping::tombstone(self.model, &tombstone_key, subject, self.times.now, self.times.now, Some(item));
        let actions = vec![
            Action::Delete { key: key.clone(), expect: self.unchanged(last, subject, item) },
            Action::Put { key: tombstone_key.clone(), item: tombstone, expect: bookkeeping::as_read(before) },
        ];
        let reason = WriteReason::LastGrant(subject.of);
        let write = Write::follow(reason, self.label(subject), actions).checking(others).and_read_again();
        self.add_effect(Effect::DeleteSubject(DeleteSubject { write, tombstone: tombstone_key }), &entries);
        Ok(())
    }

    /// The conditions that a subject has no item under another spelling of its key. `None`: it has one.
    fn other_spellings(&mut self, subject: &Object, key: &Key) -> Known<Option<Vec<Check>>> {
        let mut absent = super::children::absent(self.model, subject);
        absent.retain(|check| check.key != *key);
        let exists = any(&absent, |check| Ok(self.view.item(&check.key)?.is_some()))?;
        Ok((!exists).then_some(absent))
    }

    /// The condition that the item is unchanged since it was read, and has no further attribute
    /// that the model names: an attribute that was added meanwhile would be lost if the item is
    /// restored. For an item with many attributes, the condition is on those with the time of its last
    /// write.
    fn unchanged(&self, last: &LastRevoked, subject: &Object, item: &Item) -> Expect {
        let few = item.len() <= CONDITION_ATTRIBUTES_MAX;
        let is_time = |name: &String| last.written.iter().any(|path| attribute_of(path) == name);
        let attributes = item.iter().filter(|(name, _)| few || is_time(name));
        let ty = self.model.item(subject.of);
        let paths = ty.attributes.iter().chain(&last.written).map(|path| attribute_of(path));
        let named = paths.chain(implied::attributes_tested(self.model, subject.of));
        let absent = named.filter(|name| !item.contains_key(*name) && !subject.names.contains_key(*name));
        let read = attributes.map(|(name, value)| (name.clone(), Some(value.clone())));
        Expect::Like(read.chain(absent.map(|name| (name.to_owned(), None))).collect::<BTreeMap<_, _>>())
    }

    /// Whether a subject has a grant of any type.
    pub(super) fn has_grants(&mut self, subject: &Object) -> Known<bool> {
        any(self.last_links(subject.of), |link| self.has_grants_of(link, subject, self.model.link(link).from))
    }

    /// Whether a subject has a grant of this type.
    fn has_grants_of(&mut self, link: LinkId, subject: &Object, of: TypeId) -> Known<bool> {
        let model = self.model;
        if self.has_grant_in_hand(link, subject, of)? {
            return Ok(true);
        }
        let Some(rows) = self.dependents_of(link, subject)? else { return Ok(true) };
        let grants = rows.into_iter().filter_map(|row| Some((queries::dependent(model, row)?, row)));
        let mut grants = grants.filter(|(other, _)| other.of == of);
        // A grant that was not read may exist.
        let may_have_more = self.has_unread_dependents(link, subject);
        let known_as = queries::as_known(model.link(link), subject);
        if matches!(&model.link(link).find, ToDependents::Queries(queries) if queries.iter().all(|query| query.index.is_none()))
        {
            return Ok(may_have_more || grants.any(|(grant, item)| self.depends_on(link, &known_as, &grant, item)));
        }
        // An index or a back-reference may name an item that no longer exists, or no longer names the subject.
        let has_one = any(grants, |(grant, _)| {
            Ok(self.view.items(&grant)?.iter().any(|(_, item)| self.depends_on(link, &known_as, &grant, item)))
        })?;
        Ok(has_one || may_have_more)
    }

    /// Whether a grant of the subject that the batch names exists. A query may not show it yet: an
    /// index lags, and the grant's back-reference may not be written.
    fn has_grant_in_hand(&mut self, link: LinkId, subject: &Object, of: TypeId) -> Known<bool> {
        any(self.plan.objects.keys().filter(|object| object.of == of), |grant| {
            let items = self.view.items(grant)?;
            let mut subjects = items.iter().map(|(_, item)| implied::target(self.model, link, grant, Some(item)));
            Ok(subjects.any(|granted| granted.as_ref() == Some(subject)))
        })
    }

    /// The groups from which this run has removed the subject's user. `None` while one removal is
    /// still due.
    fn removed_groups(&self, subject: &Object) -> Option<BTreeSet<String>> {
        let Some(name) = implied::user_name(self.model, subject) else { return Some(BTreeSet::new()) };
        let mut removed = BTreeSet::new();
        for effect in self.desired.effects.keys() {
            let Effect::RemoveMember(Membership { user, group, sub: false, .. }) = &**effect else { continue };
            if *user == name {
                if !self.progress.applied.contains(effect) {
                    return None;
                }
                removed.insert(group.clone());
            }
        }
        Some(removed)
    }

    /// Whether the subject's user is in other groups in Cognito: people add users to groups by
    /// hand.
    fn has_other_groups(&mut self, subject: &Object, removed: &BTreeSet<String>) -> Known<bool> {
        let Some(user) = implied::user_name(self.model, subject) else { return Ok(false) };
        // What is left in the pool of groups that are in tokens keeps no subject.
        let groups = self.view.groups_of(&user)?;
        Ok(groups.iter().any(|group| !removed.contains(group) && !self.model.is_token_group(group)))
    }

    /// A grant in the table has no subject: the subject is restored if Instep deleted it after its
    /// last revocation.
    pub(super) fn restore_own_subject(&mut self, grant: &Object, mentions: &Mentions, item: &Item) {
        let model = self.model;
        let Some(Subject::Link(link)) = model.item(grant.of).grant.as_ref().map(|grant| &grant.subject) else { return };
        if !self.is_last_link(*link, grant.of) {
            return;
        }
        let Some(subject) = implied::target(model, *link, grant, Some(item)) else { return };
        if self.view.object(&subject) == Ok(None) && matches!(self.kept_item(&subject), Ok(Some(_))) {
            let _ = self.restore(&subject, &mentions.entries());
        }
    }

    /// Restores a subject that Instep deleted after its last revocation, if the subject has a grant
    /// after all. True if it has one.
    pub(super) fn restore_if_granted(&mut self, subject: &Object, entries: &Entries) -> Known<bool> {
        if self.kept_item(subject)?.is_none() || !self.has_grants(subject)? {
            return Ok(false);
        }
        self.restore(subject, entries)?;
        Ok(true)
    }

    /// Whether the deletion of a subject is the one after its last revocation, or an earlier one:
    /// then its tombstone keeps the item. A later deletion has another cause.
    pub(super) fn own_last_revocation(&mut self, subject: &Object, mentions: &Mentions) -> Known<bool> {
        if !self.may_be_kept(subject) {
            return Ok(false);
        }
        let key = bookkeeping::tombstone_key(self.model, subject);
        let Some(tombstone) = self.view.item(&key)? else { return Ok(false) };
        let Some(kept) = bookkeeping::deleted_item(tombstone) else { return Ok(false) };
        // By its last record in the batch, the subject exists; or this run has deleted it. So the removals
        // in the batch are earlier.
        if self.progress.kept.contains(&key)
            || mentions.changes().next_back().is_some_and(|change| change.new.is_some())
        {
            return Ok(true);
        }
        let deleted_at = bookkeeping::removed_at(tombstone).map(|at| at.as_second());
        let Some(last) = mentions.changes().rfind(|change| change.new.is_none()) else { return Ok(false) };
        let is_earlier = last.recorded_at.map(|at| at.as_second()) < deleted_at;
        Ok(is_earlier || last.old.as_ref().is_some_and(|old| secrets::same(self.model, old, kept)))
    }

    /// Asks for the tombstone of a subject together with the subject itself.
    pub(super) fn ask_for_kept_item(&mut self, subject: &Object) {
        if self.may_be_kept(subject) {
            let _ = self.kept_item(subject);
        }
    }

    /// The tombstone of a subject that exists again needs no kept item: a later deletion has
    /// another cause. The write checks that the subject still exists, because another run may have
    /// deleted it, and kept its item, since this run read it.
    pub(super) fn forget_kept_item(&mut self, subject: &Object, entries: &Entries) {
        if !self.may_be_kept(subject) {
            return;
        }
        let key = bookkeeping::tombstone_key(self.model, subject);
        if let Ok(Some(tombstone)) = self.view.item(&key)
            && bookkeeping::deleted_item(tombstone).is_some()
        {
            let label = format!("tombstone of {}", self.label(subject));
            let delete = Action::Delete { key, expect: bookkeeping::as_read(Some(tombstone)) };
            let Ok(Some((own, _))) = self.view.object(subject) else { return };
            let exists = Check { key: own, expect: Expect::Present };
            let reason = WriteReason::WrittenAgain(subject.of);
            self.write(Write::follow(reason, label, vec![delete]).checking([exists]), entries);
        }
    }

    /// The condition that the tombstone of a subject is as this run wrote or read it.
    pub(super) fn same_tombstone(&mut self, subject: &Object) -> Known<Check> {
        let key = bookkeeping::tombstone_key(self.model, subject);
        let written = self.desired.effects.keys().find_map(|effect| {
            let Effect::MarkDeleted(marked) = &**effect else { return None };
            (marked.key == key).then(|| bookkeeping::as_read(Some(&marked.item)))
        });
        let expect = match written {
            Some(written) => written,
            None => bookkeeping::as_read(self.view.item(&key)?),
        };
        Ok(Check { key, expect })
    }

    /// Whether a tombstone of a subject can keep its item.
    pub(super) fn may_be_kept(&self, subject: &Object) -> bool {
        !self.last_links(subject.of).is_empty()
    }

    /// The links from grants of any type to subjects of a type, if these are deleted with their last
    /// grant.
    fn last_links(&self, of: TypeId) -> Vec<LinkId> {
        let links = self.model.links_to(of);
        links.filter(|(id, link)| self.is_last_link(*id, link.from)).map(|(id, _)| id).collect()
    }

    /// Whether a link leads from a grant to the subject that is deleted with its last grant.
    pub(super) fn is_last_link(&self, link: LinkId, of: TypeId) -> bool {
        is_last_link(self.model, link, of)
    }

    /// The item that the tombstone of a subject keeps.
    pub(super) fn kept_item(&mut self, subject: &Object) -> Known<Option<&'a Item>> {
        let tombstone = self.view.item(&bookkeeping::tombstone_key(self.model, subject))?;
        Ok(tombstone.and_then(bookkeeping::deleted_item))
    }

    /// Restores the subject as it was, and deletes the tombstone. The stream records of these
    /// writes lead to everything else.
    pub(super) fn restore(&mut self, subject: &Object, entries: &Entries) -> Known<()> {
        let key = bookkeeping::tombstone_key(self.model, subject);
        let Some(tombstone) = self.view.item(&key)? else { return Ok(()) };
        let (Some(item), expect) = (bookkeeping::deleted_item(tombstone), bookkeeping::as_read(Some(tombstone))) else {
            return Ok(());
        };
        let Some(own) = self.model.table.key_of(item) else { return Ok(()) };
        let actions =
            vec![Action::Put { key: own, item: item.clone(), expect: Expect::Absent }, Action::Delete { key, expect }];
        let label = format!("{}, which has a grant after all", self.label(subject));
        self.write(Write::follow(WriteReason::GrantAfterAll(subject.of), label, actions).and_read_again(), entries);
        Ok(())
    }
}

/// Whether a link leads from a grant to the subject that is deleted with its last grant.
pub(super) fn is_last_link(model: &Model, link: LinkId, of: TypeId) -> bool {
    let is_subject = |link: LinkId, grant: &Grant| matches!(grant.subject, Subject::Link(own) if own == link);
    let ends_subject = |(id, other): (LinkId, &Link)| {
        model.item(other.from).grant.as_ref().is_some_and(|grant| grant.last.is_some() && is_subject(id, grant))
    };
    model.item(of).grant.as_ref().is_some_and(|grant| is_subject(link, grant))
        && model.links_to(model.link(link).to).any(ends_subject)
}

/// Whether the subject was last written in an earlier second than that of the revocation. The time of a record has no
/// fraction.
fn was_written_before(last: &LastRevoked, subject: &Item, change: &Change) -> bool {
    change.recorded_at.is_some_and(|revoked| written::was_written_before(subject, &last.written, revoked))
}
