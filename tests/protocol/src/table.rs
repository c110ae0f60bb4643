//! The table: items, an index over them, and Instep's bookkeeping items.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::answers::{Cursor, Page, PageAsk, Query};
use instep_flow::bookkeeping::BookkeepingKind;
use instep_flow::effect::{Action, Check, Expect};
use instep_model::{Item as Attributes, Key, Value};

use crate::design::{self, Design};
use crate::item::{SmallItem, SmallRecord};
use crate::world::{Find, SmallObject, SmallWorld};

/// The table.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SmallTable {
    /// Items.
    pub items: BTreeMap<SmallObject, SmallItem>,
    /// What the index shows.
    pub index: BTreeMap<SmallObject, SmallItem>,
    /// Writes that the index does not show yet, of each object in order.
    pub unseen: BTreeMap<SmallObject, Vec<Option<SmallItem>>>,
    /// Bookkeeping items.
    pub bookkeeping: BTreeMap<Key, Attributes>,
    /// The time: writes so far. Always 0 in worlds without last revocations.
    pub clock: u32,
}

/// What came of a conditional write.
#[derive(Debug)]
pub enum WriteAnswer {
    /// It was written. The records of the items that changed.
    Done(Vec<SmallRecord>),
    /// A condition failed.
    Moved,
    /// DynamoDB refuses it, or no writer of the world writes such an item.
    Strange,
}

impl SmallTable {
    /// Whether an object exists.
    #[must_use]
    pub fn has(&self, object: SmallObject) -> bool {
        self.items.contains_key(&object)
    }

    /// Writes an item and returns its record. `None` where nothing changes: DynamoDB records no
    /// such write.
    pub fn put(&mut self, world: &SmallWorld, object: SmallObject, new: Option<SmallItem>) -> Option<SmallRecord> {
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
        Some(SmallRecord { object, old, new, at: self.clock })
    }

    /// The index shows one more write of an object.
    pub fn catch_up(&mut self, object: SmallObject) {
        let Some(unseen) = self.unseen.get_mut(&object).filter(|unseen| !unseen.is_empty()) else { return };
        match unseen.remove(0) {
            Some(item) => drop(self.index.insert(object, item)),
            None => drop(self.index.remove(&object)),
        }
        if unseen.is_empty() {
            self.unseen.remove(&object);
        }
    }

    /// The item under a key.
    #[must_use]
    pub fn get(&self, world: &SmallWorld, design: &Design, key: &Key) -> Option<Attributes> {
        match design.object(key) {
            Some(object) => self.items.get(&object).map(|item| design::item(world, object, *item)),
            None => self.bookkeeping.get(key).cloned(),
        }
    }

    /// The rows of a query, in order.
    #[must_use]
    pub fn rows(&self, world: &SmallWorld, query: &Query) -> Vec<Attributes> {
        let shown = if query.index.is_some() { &self.index } else { &self.items };
        let items = shown.iter().map(|(object, item)| design::item(world, *object, *item));
        let bookkeeping = self.bookkeeping.values().filter(|_| query.index.is_none()).cloned();
        let text = |row: &Attributes, name: &str| row.get(name).and_then(Value::as_s).map(str::to_owned);
        let is_row = |row: &Attributes| {
            text(row, &query.pk_attribute).as_ref() == Some(&query.pk)
                && text(row, &query.sk_attribute).is_some_and(|sk| sk.starts_with(&query.sk_prefix))
        };
        let mut rows: Vec<Attributes> = items.chain(bookkeeping).filter(is_row).collect();
        rows.sort_by_key(|row| (text(row, &query.sk_attribute), text(row, "PK"), text(row, "SK")));
        rows
    }

    /// One page of a query. A page has at most as many rows as the world says.
    #[must_use]
    pub fn page(&self, world: &SmallWorld, ask: &PageAsk) -> Page {
        let Query { pk_attribute, sk_attribute, .. } = &ask.query;
        let keys = [pk_attribute.as_str(), sk_attribute.as_str(), "PK", "SK"];
        let cursor = |row: &Attributes| -> Cursor {
            row.iter().filter(|(name, _)| keys.contains(&name.as_str())).map(|(n, v)| (n.clone(), v.clone())).collect()
        };
        let mut rows = self.rows(world, &ask.query);
        if let Some(after) = &ask.after {
            let order = |row: &Cursor| [sk_attribute.as_str(), "PK", "SK"].map(|name| row.get(name).cloned());
            rows.retain(|row| order(&cursor(row)) > order(after));
        }
        let more = rows.len() > world.page.min(ask.rows_max);
        rows.truncate(world.page.min(ask.rows_max));
        let next = rows.last().filter(|_| more).map(cursor);
        Page { rows, next }
    }

    /// Writes all actions if all conditions hold, otherwise none.
    pub fn transact(
        &mut self,
        world: &SmallWorld,
        design: &Design,
        checks: &[Check],
        actions: &[Action],
    ) -> WriteAnswer {
        let mut keys = BTreeSet::new();
        if !checks.iter().map(|check| &check.key).chain(actions.iter().map(Action::key)).all(|key| keys.insert(key)) {
            return WriteAnswer::Strange;
        }
        let holds = |key: &Key, expect: &Expect| is_met(expect, self.get(world, design, key).as_ref());
        let expected = |action: &Action| match action {
            Action::Put { key, expect, .. } | Action::Delete { key, expect } | Action::Set { key, expect, .. } => {
                holds(key, expect)
            }
        };
        if !checks.iter().all(|check| holds(&check.key, &check.expect)) || !actions.iter().all(expected) {
            return WriteAnswer::Moved;
        }
        let mut records = Vec::new();
        for action in actions {
            match self.act(world, design, action) {
                Some(record) => records.extend(record),
                None => return WriteAnswer::Strange,
            }
        }
        WriteAnswer::Done(records)
    }

    /// One action of a write. `None` for one that no world expects.
    fn act(&mut self, world: &SmallWorld, design: &Design, action: &Action) -> Option<Option<SmallRecord>> {
        let object = design.object(action.key());
        match (action, object) {
            (Action::Put { item, .. }, Some(object)) => {
                let item = design::shown(world, object, item)?;
                Some(self.put(world, object, Some(item)))
            }
            (Action::Delete { .. }, Some(object)) => Some(self.put(world, object, None)),
            (Action::Put { key, item, .. }, None) => {
                BookkeepingKind::of(key)?;
                self.bookkeeping.insert(key.clone(), item.clone());
                Some(None)
            }
            (Action::Delete { key, .. }, None) => {
                self.bookkeeping.remove(key);
                Some(None)
            }
            (Action::Set { .. }, _) => None,
        }
    }
}

/// Whether an item meets a condition.
pub(crate) fn is_met(expect: &Expect, item: Option<&Attributes>) -> bool {
    match (expect, item) {
        (Expect::Any, _) | (Expect::Absent, None) | (Expect::Present, Some(_)) => true,
        (Expect::Like(attributes), Some(item)) => {
            attributes.iter().all(|(name, value)| item.get(name) == value.as_ref())
        }
        (Expect::Absent, Some(_)) | (Expect::Present | Expect::Like(_), None) => false,
    }
}
