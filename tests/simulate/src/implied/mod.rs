//! The oracle: what a table implies, item by item. It says who is in which Cognito group, which
//! users and groups exist, who holds which value, and what belongs to what.
//!
//! It reads the model file and uses the model's templates to write keys and names. It has code of
//! its own to read what an item says, and uses none of the product's stages.

mod condition;
mod fact;
mod facts;
mod on_demand;
mod parents;
mod roles;
mod row;
mod said;
mod sources;
mod tenant;
mod time;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{Identity, Item, Key, Model, Object, Verb};

pub(crate) use condition::{decisive, fulfilled, meets, set_value, value_of};
pub use fact::{Fact, FactState, OFF, PRECEDENCE, group_facts, user_facts};
pub use facts::moved;
pub use parents::RECORD_TIME_MS;
pub(crate) use parents::is_like;
pub use row::{ImpliedRow, Parent, WantedMembership};
pub(crate) use said::{noted, said};
use sources::FactSources;
pub use tenant::TenantSource;
pub use time::{Role, moment_ms, window};
pub use values::EdgeState;

/// The history of an object.
#[derive(Debug, Default)]
struct ObjectHistory {
    /// How many items the object has. Several keys may name one object.
    items: usize,
    /// When it was deleted last, in milliseconds.
    deleted_ms: Option<i64>,
}

/// An event that a record must publish: its verb, and its role or the owner whose claim ended.
pub type DueEvent = (Verb, Option<String>);

/// The items of a table, and what they imply.
#[derive(Debug)]
pub struct Implied {
    /// The model.
    pub model: Arc<Model>,
    /// Groups that people have created.
    by_hand: BTreeSet<String>,
    /// Users that people have created, if Instep may not create users.
    users_by_hand: BTreeSet<String>,
    /// The names of accounts of people who have signed up, by their `sub`.
    accounts: BTreeMap<String, String>,
    rows: BTreeMap<Key, ImpliedRow>,
    objects: BTreeMap<Object, ObjectHistory>,
    /// Keys of items that no type describes.
    unknown: BTreeSet<Key>,
    /// Bookkeeping items.
    pub books: BTreeMap<Key, Item>,
    /// The present, in milliseconds.
    now_ms: i64,
    /// When the windows of items open and close from now on.
    moments: BTreeSet<(i64, Key)>,
    sources: FactSources,
    /// The items that claim the value of each guard.
    claims: BTreeMap<Object, BTreeSet<Key>>,
    /// The guards under which something may have changed.
    new_guards: BTreeSet<Object>,
}

impl Implied {
    /// What an empty table implies.
    #[must_use]
    pub fn new(model: Arc<Model>) -> Self {
        Self {
            model,
            by_hand: BTreeSet::new(),
            users_by_hand: BTreeSet::new(),
            accounts: BTreeMap::new(),
            rows: BTreeMap::new(),
            objects: BTreeMap::new(),
            unknown: BTreeSet::new(),
            books: BTreeMap::new(),
            now_ms: 0,
            moments: BTreeSet::new(),
            sources: FactSources::default(),
            claims: BTreeMap::new(),
            new_guards: BTreeSet::new(),
        }
    }

    /// Records a write at a moment in milliseconds.
    pub fn write(&mut self, key: &Key, item: Option<Item>, at_ms: i64) {
        let Identity::Item { object, canonical } = self.model.identify(key) else {
            let list_in = self.model.identify(key) == Identity::Bookkeeping;
            match item {
                Some(item) if list_in => drop(self.books.insert(key.clone(), item)),
                None if list_in => drop(self.books.remove(key)),
                Some(_) => drop(self.unknown.insert(key.clone())),
                None => drop(self.unknown.remove(key)),
            }
            return;
        };
        self.sources.written(key, &object);
        match item {
            Some(item) => {
                self.note_moments(key, &item, &object);
                let mut row = self.row(object.clone(), canonical, item);
                row.link(self.rows.get(key), at_ms);
                let before = self.rows.insert(key.clone(), row);
                self.note_claims(key, &object, before.as_ref());
                self.objects.entry(object).or_default().items += usize::from(before.is_none());
            }
            None => {
                let before = self.rows.remove(key);
                self.note_claims(key, &object, before.as_ref());
                let life = self.objects.entry(object).or_default();
                life.items -= usize::from(before.is_some());
                if life.items == 0 {
                    life.deleted_ms = Some(at_ms);
                }
            }
        }
    }

    /// Records groups and users that people have created. Memberships in them are implied from now
    /// on.
    pub fn made_by_hand(&mut self, groups: &[&str], users: &[&str]) {
        self.by_hand.extend(groups.iter().map(|&group| group.to_owned()));
        self.users_by_hand.extend(users.iter().map(|&user| user.to_owned()));
        self.read_again();
    }

    /// Takes over which groups, users and accounts people have made.
    pub(crate) fn people_as(&mut self, other: &Self) {
        self.by_hand.clone_from(&other.by_hand);
        self.users_by_hand.clone_from(&other.users_by_hand);
        self.accounts.clone_from(&other.accounts);
    }

    /// Records that somebody has signed up. Memberships of the account are implied from now on.
    pub fn signed_up(&mut self, name: &str, sub: &str) {
        self.accounts.insert(sub.to_owned(), name.to_owned());
        self.read_again();
    }

    fn read_again(&mut self) {
        for (key, ImpliedRow { item, written_ms, .. }) in self.rows.clone() {
            self.write(&key, Some(item), written_ms);
        }
    }

    /// The items that the model describes.
    #[must_use]
    pub fn rows(&self) -> &BTreeMap<Key, ImpliedRow> {
        &self.rows
    }

    /// The items that ask for a membership.
    pub fn asking_for<'a>(&'a self, user: &'a str, group: &'a str) -> impl Iterator<Item = &'a ImpliedRow> {
        self.rows.values().filter(move |row| row.asks.iter().any(|ask| ask.pair.0 == user && ask.pair.1 == group))
    }

    /// Keys of items that no type describes or that ask for something impossible.
    pub fn garbage(&self) -> impl Iterator<Item = &Key> {
        self.unknown.iter().chain(self.rows.iter().filter(|(_, row)| row.is_bad).map(|(key, _)| key))
    }
}
