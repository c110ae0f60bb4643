//! Plan: what a batch of records and work messages names, each object once.

use std::collections::BTreeMap;
use std::sync::Arc;

use instep_model::{Item, Key, Model, Object};
use jiff::Timestamp;

use crate::account::Removal;
use crate::bookkeeping::{self, BookkeepingKind};
use crate::change::{BookkeepingChange, Change};
use crate::doubt::Doubt;
use crate::due::{ArrivedMoment, MomentKind};
use crate::entries::{Entries, EntryId};
use crate::implied::Membership;
use crate::stream_record::padded;
use crate::work::{self, Dependents, Leftovers, NamedObject, Origin};

/// What a batch names.
#[derive(Debug, Default, Clone, Hash)]
pub struct Plan {
    /// The objects that the batch names, and the records and messages that name each.
    pub objects: BTreeMap<Object, Mentions>,
    /// The guards that pending claims name.
    pub guards: BTreeMap<Object, Entries>,
    /// The fan-outs and cascades that messages continue.
    pub dependents: BTreeMap<Dependents, Continued>,
    /// The back-references and addresses that are written before anything is read.
    pub references: BTreeMap<Key, (Item, Entries)>,
    /// Memberships that a sweep has found.
    pub members: BTreeMap<Membership, Entries>,
    /// Groups on demand that a sweep has found.
    pub groups: BTreeMap<String, Entries>,
    /// Bookkeeping items that a sweep has found.
    pub bookkeeping: BTreeMap<Key, Entries>,
    /// Children of deleted parents that a sweep has found.
    pub orphans: BTreeMap<Key, Entries>,
}

/// The messages that continue with the dependents of an object.
#[derive(Debug, Default, Clone, Hash)]
pub struct Continued {
    /// The messages.
    pub entries: Entries,
    /// What an earlier run may have done of it.
    pub doubt: Doubt,
    /// Whether one of them is [`work::is_live`]. If none is, the dependents may have been written since.
    pub is_live: bool,
}

/// Where an entry of a batch was delivered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// Where its records were delivered from.
    pub origin: Origin,
    /// What an earlier run may have done of it.
    pub doubt: Doubt,
    /// A person vouches for the users of the pool that were created before.
    pub adopt_before: Option<Timestamp>,
}

impl Delivery {
    /// The live stream.
    pub const STREAM: Self = Self { origin: Origin::Stream, doubt: Doubt::Sure, adopt_before: None };
}

/// The records and messages of a batch that name one object.
#[derive(Debug, Default, Clone, Hash)]
pub struct Mentions {
    /// Records of writes to it, in the order of the writes. The work queue may deliver them in another.
    pub changes: Vec<DeliveredChange>,
    /// Work messages that name it.
    pub named: Vec<MessageMention>,
}

/// A record of a write.
#[derive(Debug, Clone, Hash)]
pub struct DeliveredChange {
    /// Its entry in the batch.
    pub entry: EntryId,
    /// What it means.
    pub change: Arc<Change>,
    /// Where it was delivered from.
    pub delivery: Delivery,
}

/// A work message that names an object.
#[derive(Debug, Clone, Hash)]
pub struct MessageMention {
    /// Its entry in the batch.
    pub entry: EntryId,
    /// The image that led to it.
    pub image: Option<Item>,
    /// It was delayed until indexes had caught up.
    pub late: bool,
    /// What an earlier run may have done for the object.
    pub doubt: Doubt,
    /// A moment of the object that has come.
    pub moment: Option<ArrivedMoment>,
    /// As in [`NamedObject`].
    pub revokes: bool,
    /// As in [`Delivery`].
    pub adopt_before: Option<Timestamp>,
}

impl Mentions {
    /// Messages that name an object once more, and nothing else: whatever waits, no other message is sent for them.
    pub(crate) fn late(entries: impl IntoIterator<Item = EntryId>) -> Self {
        let named = |entry| MessageMention {
            entry,
            image: None,
            late: true,
            doubt: Doubt::Sure,
            moment: None,
            revokes: false,
            adopt_before: None,
        };
        Self { changes: Vec::new(), named: entries.into_iter().map(named).collect() }
    }

    /// All records and messages that name the object.
    #[must_use]
    pub fn entries(&self) -> Entries {
        self.changes.iter().map(|delivered| delivered.entry).chain(self.named.iter().map(|named| named.entry)).collect()
    }

    /// The changes.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &Change> {
        self.changes.iter().map(|delivered| &*delivered.change)
    }

    /// Whether a record says that the item was created. A record that is handled again always
    /// counts as one that says so: the one that created the item may not be handled again.
    #[must_use]
    pub fn was_created(&self) -> bool {
        self.changes.iter().any(|delivered| delivered.is_by_message() || delivered.change.old.is_none())
    }

    /// Whether a record says that the item was deleted. A record that is handled again always
    /// counts as one that says so.
    #[must_use]
    pub fn was_deleted(&self) -> bool {
        self.changes.iter().any(|delivered| delivered.is_by_message() || delivered.change.new.is_none())
    }

    /// Whether a record shows that the item was deleted.
    #[must_use]
    pub fn shows_removal(&self) -> bool {
        self.changes().any(|change| change.new.is_none())
    }

    /// Whether a record shows that the item was deleted, and so starts a cascade. A captured record
    /// starts none: it may be of any age.
    #[must_use]
    pub fn starts_cascade(&self) -> bool {
        let mut removals = self.changes.iter().filter(|delivered| delivered.change.new.is_none());
        removals.any(|delivered| !matches!(delivered.delivery.origin, Origin::Captured))
    }

    /// Whether a record shows that the item was created or deleted.
    #[must_use]
    pub fn shows_creation_or_removal(&self) -> bool {
        self.changes().any(|change| change.old.is_none() || change.new.is_none())
    }

    /// Whether an earlier run over the same record or message may have crashed.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        let of_messages = self.named.iter().map(|named| named.doubt);
        let of_records = self.changes.iter().map(|delivered| delivered.delivery.doubt);
        of_messages.chain(of_records).max() == Some(Doubt::MayBeDone)
    }

    /// The last deletion of the item that records show. A captured record may be of any age, and says nothing.
    #[must_use]
    pub fn last_removal(&self) -> Option<Removal> {
        let live = self.changes.iter().filter(|delivered| !matches!(delivered.delivery.origin, Origin::Captured));
        let removals = live.filter(|delivered| delivered.change.new.is_none());
        let removal = |delivered: &DeliveredChange| {
            Some(Removal { at: delivered.change.recorded_at?, sequence: padded(&delivered.change.sequence) })
        };
        removals.filter_map(removal).max()
    }

    /// Before when a user was created that may serve the object although Instep did not make it: a person vouches for it.
    #[must_use]
    pub fn adopt_before(&self) -> Option<Timestamp> {
        let of_messages = self.named.iter().map(|named| named.adopt_before);
        let of_records = self.changes.iter().map(|delivered| delivered.delivery.adopt_before);
        of_messages.chain(of_records).max().flatten()
    }

    /// As [`Self::may_be_done`], also of what the stream delivered: it does not say that it delivers a record again, and
    /// a record of its failures was delivered before. So each record that is not captured counts.
    #[must_use]
    pub fn may_be_repeated(&self) -> bool {
        self.may_be_done()
            || self.changes.iter().any(|delivered| !matches!(delivered.delivery.origin, Origin::Captured))
    }

    /// Whether the work queue delivered a record of it or a message that names it.
    #[must_use]
    pub fn by_message(&self) -> bool {
        !self.named.is_empty() || self.changes.iter().any(DeliveredChange::is_by_message)
    }

    /// Whether only messages name it that say that the time of a `due` rule has come.
    #[must_use]
    pub fn is_of_rules_only(&self) -> bool {
        self.changes.is_empty() && self.named.iter().all(|named| work::is_of_rule(named.moment.as_ref()))
    }

    /// Whether only messages name it that were delayed until indexes had caught up. An index may not
    /// show what a record or another message in the batch names.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.changes.is_empty() && !self.named.is_empty() && self.named.iter().all(|named| named.late)
    }
}

impl DeliveredChange {
    /// Whether it was delivered by the work queue and not by the live stream.
    const fn is_by_message(&self) -> bool {
        !matches!(self.delivery.origin, Origin::Stream)
    }

    /// Whether it may be about something that has just ended. A captured record may be of any age.
    pub(crate) fn may_revoke(&self) -> bool {
        self.change.old.is_some() && !matches!(self.delivery.origin, Origin::Captured)
    }
}

impl MessageMention {
    /// Whether it is about something that has just ended.
    pub(crate) fn may_revoke(&self) -> bool {
        self.revokes || self.is_of_an_end()
    }

    /// Whether a window has closed.
    pub(crate) fn is_of_an_end(&self) -> bool {
        self.moment.as_ref().is_some_and(|moment| moment.kind == MomentKind::Closes)
    }
}

impl Plan {
    /// The latest time that has come, as the messages of the clock and the records of the table say. A
    /// capture may say anything.
    #[must_use]
    pub fn latest_time(&self) -> Option<Timestamp> {
        let inputs = || self.objects.values();
        let moment = inputs().flat_map(|input| &input.named).filter_map(|named| Some(named.moment.as_ref()?.at));
        let delivered = inputs().flat_map(|input| &input.changes);
        let own = delivered.filter(|delivered| !matches!(delivered.delivery.origin, Origin::Captured));
        moment.chain(own.filter_map(|delivered| delivered.change.recorded_at)).max()
    }

    /// Whether nothing has to be done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_extra_empty =
            self.members.is_empty() && self.groups.is_empty() && self.bookkeeping.is_empty() && self.orphans.is_empty();
        self.objects.is_empty() && self.guards.is_empty() && self.dependents.is_empty() && is_extra_empty
    }

    /// The entries that may be about something that has just ended.
    pub(crate) fn revoking(&self) -> Entries {
        let mentions = || self.objects.values();
        let changes = mentions().flat_map(|mentions| &mentions.changes).filter(|delivered| delivered.may_revoke());
        let named = mentions().flat_map(|mentions| &mentions.named).filter(|named| named.may_revoke());
        let dependents = self.dependents.iter().filter(|(dependents, _)| dependents.revokes);
        let dependents = dependents.flat_map(|(_, continued)| continued.entries.iter());
        changes.map(|delivered| delivered.entry).chain(named.map(|named| named.entry)).chain(dependents).collect()
    }

    /// Adds a write to an item that the model describes.
    pub fn add(&mut self, model: &Model, entry: EntryId, change: &Arc<Change>, delivery: Delivery) {
        let delivered = DeliveredChange { entry, change: Arc::clone(change), delivery };
        let changes = &mut self.objects.entry(change.object.clone()).or_default().changes;
        let place = change.place();
        let is_written_before = |earlier: &DeliveredChange| earlier.change.place() <= place;
        if changes.is_empty() {
            // Most items have one.
            changes.reserve_exact(1);
        }
        changes.insert(changes.partition_point(is_written_before), delivered);
        let Some(new) = &change.new else { return };
        let needed = |image: &Item| bookkeeping::references(model, &change.object, image);
        // The one that the old image needs exists, or was deleted since. It is not written again: nothing
        // would delete it.
        let before = change.old.as_ref().map(needed).unwrap_or_default();
        for (key, (_, item)) in needed(new).into_iter().filter(|(key, _)| !before.contains_key(key)) {
            self.references.entry(key).or_insert_with(|| (item, Entries::new())).1.insert(entry);
        }
    }

    /// Adds a write to a bookkeeping item. Only a pending claim that exists names a guard, so
    /// Instep's deletions of pending claims lead to no further work.
    pub fn add_bookkeeping(&mut self, model: &Model, entry: EntryId, change: &BookkeepingChange) {
        if BookkeepingKind::of(&change.key) == Some(BookkeepingKind::Claim)
            && let Some(new) = &change.new
            && let Some(guard) = bookkeeping::claimed_guard(model, new)
        {
            self.guards.entry(guard).or_default().insert(entry);
        }
    }

    /// Adds an object that a work message names.
    pub fn add_named(&mut self, model: &Model, entry: EntryId, named: &NamedObject, doubt: Doubt) {
        let Some(object) = named.object(model) else { return };
        let (image, moment, doubt) = (named.image.clone(), named.moment.clone(), doubt.max(named.doubt));
        let NamedObject { late, revokes, adopt_before, .. } = *named;
        let mention = MessageMention { entry, image, late, doubt, moment, revokes, adopt_before };
        self.objects.entry(object).or_default().named.push(mention);
    }

    /// Adds what a sweep has found.
    pub fn add_extra(&mut self, entry: EntryId, extra: &Leftovers) {
        let Leftovers { members, groups, bookkeeping, orphans } = extra;
        for found in members {
            self.members.entry(found.clone()).or_default().insert(entry);
        }
        for found in groups {
            self.groups.entry(found.clone()).or_default().insert(entry);
        }
        for found in bookkeeping {
            self.bookkeeping.entry(found.clone()).or_default().insert(entry);
        }
        for found in orphans {
            self.orphans.entry(found.clone()).or_default().insert(entry);
        }
    }

    /// Adds a fan-out or cascade that a work message continues.
    pub fn add_dependents(&mut self, entry: EntryId, dependents: &Dependents, doubt: Doubt, is_live: bool) {
        let continued = self.dependents.entry(dependents.clone()).or_default();
        continued.entries.insert(entry);
        continued.doubt = continued.doubt.max(doubt);
        continued.is_live |= is_live;
    }
}
