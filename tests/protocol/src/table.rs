//! The table: items, an index over them, and Instep's bookkeeping items.

use std::collections::{BTreeMap, BTreeSet};

use crate::effect::Write;
use crate::rules::Rule;
use crate::world::{Find, Link, Object, World};

/// An item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    /// A user's attribute, a grant's role.
    pub value: u8,
    /// When a writer wrote it. Always 0 in worlds without last revocations.
    pub written: u32,
}

/// A stream record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// Whose item was written.
    pub object: Object,
    /// The item before.
    pub old: Option<Item>,
    /// The item after.
    pub new: Option<Item>,
    /// When it was written.
    pub at: u32,
}

/// A tombstone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tombstone {
    /// When the object was deleted.
    pub removed_at: u32,
    /// The item of a subject that a last revocation deleted.
    pub kept: Option<Item>,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Table {
    /// Items.
    pub items: BTreeMap<Object, Item>,
    /// What the index shows.
    pub index: BTreeMap<Object, Item>,
    /// Writes that the index does not show yet, of each object in order.
    pub unseen: BTreeMap<Object, Vec<Option<Item>>>,
    /// Back-references: to what, from which object.
    pub references: BTreeSet<(Object, Object)>,
    /// Tombstones.
    pub tombstones: BTreeMap<Object, Tombstone>,
    /// The time: writes so far. Always 0 in worlds without last revocations.
    pub clock: u32,
}

/// What a conditional write does to items: objects and their new items. `None` where a condition
/// fails.
type Changes = Option<Vec<(Object, Option<Item>)>>;

impl Table {
    /// Whether an object exists.
    #[must_use]
    pub fn has(&self, object: Object) -> bool {
        self.items.contains_key(&object)
    }

    /// Writes an item and returns its record. `None` where nothing changes: DynamoDB records no
    /// such write.
    pub fn put(&mut self, world: &World, object: Object, new: Option<Item>) -> Option<Record> {
        let old = self.items.get(&object).copied();
        if old == new {
            return None;
        }
        match new {
            Some(item) => drop(self.items.insert(object, item)),
            None => drop(self.items.remove(&object)),
        }
        self.clock += u32::from(world.last_revocation);
        let values = old.into_iter().chain(new).map(|item| item.value);
        let mut targets = values.flat_map(|value| world.targets(object, value));
        if targets.any(|(link, _)| world.find(link) == Find::Index) {
            self.unseen.entry(object).or_default().push(new);
        }
        Some(Record { object, old, new, at: self.clock })
    }

    /// The index shows one more write of an object.
    pub fn catch_up(&mut self, object: Object) {
        let Some(unseen) = self.unseen.get_mut(&object).filter(|unseen| !unseen.is_empty()) else { return };
        match unseen.remove(0) {
            Some(item) => drop(self.index.insert(object, item)),
            None => drop(self.index.remove(&object)),
        }
        if unseen.is_empty() {
            self.unseen.remove(&object);
        }
    }

    /// The rows that a query finds behind a link: an index shows them as they were, and a
    /// back-reference shows no item.
    #[must_use]
    pub fn rows(&self, world: &World, of: Object, link: Link) -> Vec<(Object, Option<Item>)> {
        let depends = |(object, item): &(&Object, &Item)| world.target(link, **object, item.value) == Some(of);
        let row = |(object, item): (&Object, &Item)| (*object, Some(*item));
        match world.find(link) {
            Find::Partition => self.items.iter().filter(depends).map(row).collect(),
            Find::Index => self.index.iter().filter(depends).map(row).collect(),
            Find::Reference => {
                self.references.iter().filter(|(to, _)| *to == of).map(|(_, from)| (*from, None)).collect()
            }
        }
    }

    /// Applies a conditional write. Returns the records, or `None` where a condition fails.
    pub fn apply(&mut self, world: &World, write: &Write) -> Option<Vec<Record>> {
        let changes = self.bookkeeping(world, write).or_else(|| self.changes(world, write))?;
        Some(changes.into_iter().filter_map(|(object, new)| self.put(world, object, new)).collect())
    }

    /// Writes of bookkeeping items alone. `None` for other writes, and where a condition fails.
    fn bookkeeping(&mut self, world: &World, write: &Write) -> Changes {
        match write {
            Write::DeleteReference { to, from, read } => {
                if self.items.get(from).map(|item| item.value) != *read {
                    return None;
                }
                self.references.remove(&(*to, *from));
            }
            Write::Tombstone { of, tombstone, before } => {
                if self.tombstones.get(of) != before.as_ref() {
                    return None;
                }
                self.tombstones.insert(*of, *tombstone);
            }
            Write::Forget { user, tombstone } => {
                let exists = self.has(*user) || !world.rules.has(Rule::ForgetChecksSubject);
                if self.tombstones.get(user) != Some(tombstone) || !exists {
                    return None;
                }
                self.tombstones.remove(user);
            }
            Write::DeleteChildren { .. } | Write::DeleteSubject { .. } | Write::Restore { .. } => return None,
        }
        Some(vec![])
    }

    /// Writes of items.
    fn changes(&mut self, world: &World, write: &Write) -> Changes {
        match write {
            Write::DeleteChildren { parent, link, rows, page } => {
                let linked = |(row, _): &(Object, u8)| {
                    let item = self.items.get(row);
                    item.is_some_and(|item| world.target(*link, *row, item.value) == Some(*parent))
                };
                let checks_parent = world.rules.has(Rule::ParentIsAbsent);
                let keeps = self.tombstones.get(parent).is_some_and(|tombstone| tombstone.kept.is_some());
                let spares = world.is_last(*link) && keeps && world.rules.has(Rule::CascadeChecksTombstone);
                let may_delete = !(spares || checks_parent && self.has(*parent));
                let rows: Vec<_> = rows.iter().filter(|row| may_delete && linked(row)).collect();
                // A row of a page that has changed since does not prevent the deletion of other
                // rows.
                let holds = page.is_some() || !rows.is_empty();
                holds.then(|| rows.iter().map(|(row, _)| (*row, None)).collect())
            }
            Write::DeleteSubject { user, item, tombstone, before } => {
                let present = self.items.get(user);
                let unchanged = present == Some(item) || !world.rules.has(Rule::SubjectIsUnchanged);
                if present.is_none() || !unchanged || self.tombstones.get(user) != before.as_ref() {
                    return None;
                }
                self.tombstones.insert(*user, *tombstone);
                Some(vec![(*user, None)])
            }
            Write::Restore { user, tombstone } => {
                if self.has(*user) || self.tombstones.get(user) != Some(tombstone) {
                    return None;
                }
                self.tombstones.remove(user);
                Some(vec![(*user, tombstone.kept)])
            }
            Write::DeleteReference { .. } | Write::Tombstone { .. } | Write::Forget { .. } => None,
        }
    }
}
