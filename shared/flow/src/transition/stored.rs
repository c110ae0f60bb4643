//! A table and a user pool, read whole.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use instep_model::{Item, Key, Model, Value};

use crate::account::SUB;
use crate::answers::{Answers, Asks, Page, Query};
use crate::implied::Membership;
use crate::sweep::{PoolGroup, PoolUser};

/// The items of a table. It answers every query, also that of an index which the table does not have yet.
#[derive(Debug, Default)]
pub struct StoredTable {
    items: BTreeMap<Key, Item>,
    /// The keys of the items that have a text in an attribute, for the attributes that are partition keys.
    partitions: BTreeMap<String, HashMap<String, Vec<Key>>>,
}

impl StoredTable {
    /// A table, for queries of these models. Both have the same keys.
    #[must_use]
    pub fn new(models: [&Model; 2], items: Vec<Item>) -> Self {
        let mut table = Self::default();
        for model in models {
            let of_indexes = model.indexes.iter().filter_map(|index| index.pk.first());
            let attributes = of_indexes.chain([&model.table.pk]).cloned();
            table.partitions.extend(attributes.map(|attribute| (attribute, HashMap::new())));
        }
        let [model, _] = models;
        for item in items {
            let Some(key) = model.table.key_of(&item) else { continue };
            for (attribute, partitions) in &mut table.partitions {
                if let Some(text) = item.get(attribute).and_then(Value::as_s) {
                    partitions.entry(text.to_owned()).or_default().push(key.clone());
                }
            }
            table.items.insert(key, item);
        }
        table
    }

    /// All items.
    #[must_use]
    pub const fn items(&self) -> &BTreeMap<Key, Item> {
        &self.items
    }

    /// Whether there is an item under a key.
    #[must_use]
    pub fn has(&self, key: &Key) -> bool {
        self.items.contains_key(key)
    }

    /// The answers to all of this.
    #[must_use]
    pub fn answers(&self, asks: &Asks, pool: Option<&StoredPool>) -> Answers {
        let mut answers = Answers::default();
        for key in &asks.keys {
            answers.item(key.clone(), self.items.get(key).cloned());
        }
        for query in &asks.queries {
            answers.rows(query.clone(), self.rows(query));
        }
        for ask in &asks.pages {
            // A page that leaves nothing out.
            answers.page(ask.clone(), Page { rows: self.rows(&ask.query), next: None });
        }
        for user in &asks.groups_of {
            answers.groups_of(user.clone(), pool.map(|pool| pool.groups_of(user)).unwrap_or_default());
        }
        answers
    }

    fn rows(&self, query: &Query) -> Vec<Item> {
        let keys = self.partitions.get(&query.pk_attribute).and_then(|of| of.get(&query.pk));
        let rows = keys.into_iter().flatten().filter_map(|key| self.items.get(key)).filter(|item| query.matches(item));
        rows.take(query.limit.unwrap_or(usize::MAX)).cloned().collect()
    }
}

/// What a user pool has, as far as Instep may have made it.
#[derive(Debug, Default)]
pub struct StoredPool {
    /// The users, by the names by which the model knows them.
    pub users: BTreeMap<String, PoolUser>,
    /// The groups.
    pub groups: BTreeMap<String, PoolGroup>,
    /// The memberships in groups of either model.
    pub members: BTreeSet<Membership>,
    /// Whether it was not read.
    pub(super) is_unread: bool,
}

impl StoredPool {
    /// A pool that is not read. It has what the old model makes, and every user and group that people make.
    #[must_use]
    pub fn unread() -> Self {
        Self { is_unread: true, ..Self::default() }
    }

    /// Whether it has the user of a membership.
    pub(super) fn has_user_of(&self, member: &Membership) -> bool {
        if self.is_unread {
            return true;
        }
        if !member.sub {
            return self.users.contains_key(&member.user);
        }
        self.users.values().any(|user| user.attributes.get(SUB) == Some(&member.user))
    }

    /// Whether it has a group.
    pub(super) fn has_group(&self, name: &str) -> bool {
        self.is_unread || self.groups.contains_key(name)
    }

    fn groups_of(&self, user: &str) -> BTreeSet<String> {
        let own = self.members.iter().filter(|member| member.user == user);
        own.map(|member| member.group.clone()).collect()
    }
}
