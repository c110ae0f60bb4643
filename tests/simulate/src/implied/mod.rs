//! What a table implies, item by item, read from the model file's own words: who is in which Cognito group, which users and groups
//! there are, who holds which value, what belongs to what. It uses the model's keys and templates and nothing of the product's stages.

mod facts;
mod parents;
mod roles;
mod row;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{Identity, Item, Key, Model, Object, Verb};

pub use facts::{Fact, OFF, State, moved, user_facts};
pub use row::{Ask, Parent, Row};

/// What became of an object.
#[derive(Debug, Default)]
struct Life {
    /// Items that are it: one key may have several spellings.
    items: usize,
    /// It was there no longer at some moment.
    has_gone: bool,
}

/// What must be heard of one record: verb and role.
pub type Heard = (Verb, Option<String>);

/// A table's items, and what follows from them.
#[derive(Debug)]
pub struct Implied {
    /// The model.
    pub model: Arc<Model>,
    /// Groups that people made.
    by_hand: BTreeSet<String>,
    /// Users that people made, where Instep makes none.
    users_by_hand: BTreeSet<String>,
    rows: BTreeMap<Key, Row>,
    objects: BTreeMap<Object, Life>,
    /// Keys that no type describes, or no bookkeeping.
    unknown: BTreeSet<Key>,
    /// Bookkeeping items.
    pub books: BTreeMap<Key, Item>,
}

impl Implied {
    /// Of an empty table.
    #[must_use]
    pub fn new(model: Arc<Model>) -> Self {
        Self {
            model,
            by_hand: BTreeSet::new(),
            users_by_hand: BTreeSet::new(),
            rows: BTreeMap::new(),
            objects: BTreeMap::new(),
            unknown: BTreeSet::new(),
            books: BTreeMap::new(),
        }
    }

    /// Takes note of a write.
    pub fn write(&mut self, key: &Key, item: Option<Item>) {
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
        match item {
            Some(item) => {
                let before = self.rows.insert(key.clone(), self.row(object.clone(), canonical, item));
                self.objects.entry(object).or_default().items += usize::from(before.is_none());
            }
            None => {
                let before = self.rows.remove(key);
                let life = self.objects.entry(object).or_default();
                life.items -= usize::from(before.is_some());
                life.has_gone |= life.items == 0;
            }
        }
    }

    /// Takes note of groups and users that people made: what items ask of these can be given now.
    pub fn made_by_hand(&mut self, groups: &[&str], users: &[&str]) {
        self.by_hand.extend(groups.iter().map(|&group| group.to_owned()));
        self.users_by_hand.extend(users.iter().map(|&user| user.to_owned()));
        for (key, Row { item, .. }) in self.rows.clone() {
            self.write(&key, Some(item));
        }
    }

    /// The items that the model describes.
    #[must_use]
    pub fn rows(&self) -> &BTreeMap<Key, Row> {
        &self.rows
    }

    /// Keys of what asks for the impossible, or is of no type.
    pub fn garbage(&self) -> impl Iterator<Item = &Key> {
        self.unknown.iter().chain(self.rows.iter().filter(|(_, row)| row.is_bad).map(|(key, _)| key))
    }
}
