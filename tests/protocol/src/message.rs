//! What a run holds: records of the stream, and messages of the work queue.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::{Item, Record};
use crate::world::{Link, Object};

/// A message of the work queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// What it asks for.
    pub work: Work,
    /// The queue delivered it before.
    pub redelivered: bool,
    /// It is delivered when the index has shown so many more writes of these objects.
    pub until: BTreeMap<Object, u8>,
}

/// What a message asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// Reconcile these objects.
    Reconcile(Vec<Named>),
    /// Continue with the dependents of an object.
    Dependents(Dependents),
    /// Handle a record again: a replay.
    Record(Record),
}

/// An object that a message names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named {
    /// The object.
    pub object: Object,
    /// The value that led to the message: what it implied may be granted.
    pub image: Option<u8>,
    /// The message was delayed until the index had caught up.
    pub late: bool,
}

/// The dependents of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dependents {
    /// The object.
    pub of: Object,
    /// Behind which link, and after which row. `None` starts with the first page of every link.
    pub place: Option<(Link, Object)>,
    /// Only what an index leads to, now that the index has caught up.
    pub late: bool,
}

/// A record that a run holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seen {
    /// The record.
    pub record: Record,
    /// It comes from the work queue: a replay.
    pub replayed: bool,
    /// The queue delivered it before.
    pub redelivered: bool,
}

/// What a run holds of one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hand {
    /// Records of writes to it.
    pub changes: Vec<Seen>,
    /// Messages that name it, and whether each was delivered before.
    pub named: Vec<(Named, bool)>,
}

/// What a run holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Plan {
    /// Objects.
    pub hands: BTreeMap<Object, Hand>,
    /// Dependents to continue with.
    pub dependents: BTreeSet<Dependents>,
}

impl Named {
    /// An object without an image.
    #[must_use]
    pub const fn bare(object: Object) -> Self {
        Self { object, image: None, late: false }
    }

    /// An object with an image.
    #[must_use]
    pub const fn with(object: Object, image: u8) -> Self {
        Self { object, image: Some(image), late: false }
    }
}

impl Plan {
    /// Adds a record.
    pub fn add(&mut self, seen: Seen) {
        self.hands.entry(seen.record.object).or_default().changes.push(seen);
    }

    /// Adds a message.
    pub fn add_message(&mut self, message: &Message, counts_redelivery: bool) {
        let redelivered = message.redelivered && counts_redelivery;
        match &message.work {
            Work::Reconcile(all) => {
                for named in all {
                    self.hands.entry(named.object).or_default().named.push((*named, redelivered));
                }
            }
            Work::Dependents(dependents) => drop(self.dependents.insert(*dependents)),
            Work::Record(record) => self.add(Seen { record: *record, replayed: true, redelivered }),
        }
    }

    /// Whether any of it comes from the work queue.
    #[must_use]
    pub fn has_messages(&self) -> bool {
        !self.dependents.is_empty() || self.hands.values().any(Hand::by_message)
    }
}

impl Hand {
    /// The images of its records.
    pub fn images(&self) -> impl Iterator<Item = Item> {
        self.changes.iter().flat_map(|seen| seen.record.old.into_iter().chain(seen.record.new))
    }

    /// Whether a record says that the item was created. A replayed record always counts as one that
    /// says so: the record of the creation may never have been handled.
    #[must_use]
    pub fn was_created(&self) -> bool {
        self.changes.iter().any(|seen| seen.replayed || seen.record.old.is_none())
    }

    /// Whether a record says that the item was deleted. A replayed record always counts as one that
    /// says so.
    #[must_use]
    pub fn was_deleted(&self) -> bool {
        self.shows_removal() || self.changes.iter().any(|seen| seen.replayed)
    }

    /// Whether a record shows the item's removal.
    #[must_use]
    pub fn shows_removal(&self) -> bool {
        self.changes.iter().any(|seen| seen.record.new.is_none())
    }

    /// Whether a message names it or carries its record.
    #[must_use]
    pub fn by_message(&self) -> bool {
        !self.named.is_empty() || self.changes.iter().any(|seen| seen.replayed)
    }

    /// Whether a run over it may have died before.
    #[must_use]
    pub fn was_redelivered(&self) -> bool {
        self.named.iter().any(|(_, redelivered)| *redelivered) || self.changes.iter().any(|seen| seen.redelivered)
    }

    /// Whether a message that names it was delayed until the index had caught up.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.named.iter().any(|(named, _)| named.late)
    }
}
