//! Who watches a run: holds every write, call, event and message against what the table implies at that moment.

mod facts;
mod invocations;
mod messages;
mod records;
mod subjects;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_model::{Identity, Item, Key, Model, Object, Unknown};

use crate::implied::{Fact, Heard, Implied, Row, State, moved};
use invocations::Invocation;
use messages::Redrives;
use subjects::Deleted;

/// A user and a group of somebody else's: nobody but they may touch them.
pub const STRANGER: &str = "stranger";

/// Their group.
pub const OTHERS: &str = "others";

/// How long an index may take to show what was written, in milliseconds: what Instep is told to wait for.
pub const INDEX_LAG_MS: i64 = 2_000;

/// One write, as the table had it.
#[derive(Debug, Clone)]
pub struct Written {
    /// The item's key.
    pub key: Key,
    /// Before.
    pub old: Option<Item>,
    /// After.
    pub new: Option<Item>,
    /// Its record's sequence number.
    pub sequence: u128,
    /// When, in milliseconds.
    pub at_ms: i64,
}

/// What is to come of a record.
#[derive(Debug)]
pub struct Due {
    /// The item's key, for people.
    pub label: String,
    /// It asks for the impossible, so it has to park.
    pub is_bad: bool,
    /// What has to be heard of it.
    pub heard: BTreeSet<Heard>,
    /// What it moves.
    facts: BTreeSet<Fact>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A promise is broken.
    Broken(String),
    /// A window that ARCHITECTURE names was hit.
    Window(&'static str),
}

/// The watch over a run.
#[derive(Debug)]
pub struct Watch {
    /// What the table implies.
    pub implied: Implied,
    actual: BTreeMap<Fact, String>,
    /// The last record's sequence number.
    sequence: u128,
    /// Facts that are not as implied, and the first record since which they never were.
    wrong: BTreeMap<Fact, u128>,
    /// What was implied of each fact, from which record on.
    implied_at: BTreeMap<Fact, Vec<(u128, Option<State>)>>,
    /// When a fact changed last, on either side, in changes of this world.
    ticks: BTreeMap<Fact, u64>,
    tick: u64,
    facts: BTreeMap<Fact, State>,
    /// Since when each is what is implied, in milliseconds, and when the last write was.
    since_ms: BTreeMap<Fact, i64>,
    written_ms: i64,
    /// Memberships that were implied at some moment.
    ever: BTreeSet<Fact>,
    /// What the memberships that were asked for at some moment needed.
    asked: BTreeMap<(String, String), BTreeSet<Vec<Object>>>,
    there: BTreeSet<Object>,
    /// When objects came last.
    came: BTreeMap<Object, i64>,
    /// By sequence number.
    pub due: BTreeMap<u128, Due>,
    heard: BTreeMap<u128, BTreeSet<Heard>>,
    places: BTreeMap<(String, String, u64), String>,
    ids: BTreeMap<String, (String, String, u64)>,
    parked: BTreeSet<u128>,
    /// Items that Instep deleted and nobody has written since.
    deleted: BTreeMap<Key, Deleted>,
    /// Groups that somebody else made under a name that items ask for.
    pub of_others: BTreeSet<String>,
    redrives: Redrives,
    invocations: BTreeMap<usize, Invocation>,
    /// Facts that a request touched which landed after its timeout.
    pub late: BTreeSet<Fact>,
    /// Objects that work messages name which are on their way, and what the handed on memberships are of.
    handed_on: BTreeSet<Object>,
    /// How often each promise was checked.
    pub checks: BTreeMap<u8, u64>,
}

impl Watch {
    /// A watch over an empty world.
    #[must_use]
    pub fn new(model: &Arc<Model>) -> Self {
        Self {
            implied: Implied::new(Arc::clone(model)),
            actual: BTreeMap::new(),
            sequence: 0,
            wrong: BTreeMap::new(),
            implied_at: BTreeMap::new(),
            ticks: BTreeMap::new(),
            tick: 0,
            facts: BTreeMap::new(),
            since_ms: BTreeMap::new(),
            written_ms: 0,
            ever: BTreeSet::new(),
            asked: BTreeMap::new(),
            there: BTreeSet::new(),
            came: BTreeMap::new(),
            due: BTreeMap::new(),
            heard: BTreeMap::new(),
            places: BTreeMap::new(),
            ids: BTreeMap::new(),
            parked: BTreeSet::new(),
            deleted: BTreeMap::new(),
            of_others: BTreeSet::new(),
            redrives: Redrives::default(),
            invocations: BTreeMap::new(),
            late: BTreeSet::new(),
            handed_on: BTreeSet::new(),
            checks: BTreeMap::new(),
        }
    }

    /// Counts checks of a promise.
    pub fn checked(&mut self, promise: u8) {
        *self.checks.entry(promise).or_default() += 1;
    }

    /// Takes note of writes that were made together, by a process or by somebody else.
    pub fn written(&mut self, writes: Vec<Written>, process: Option<usize>) -> Vec<Finding> {
        let found = process.map_or_else(Vec::new, |process| self.judge(&writes, process));
        let ended: BTreeSet<Key> =
            writes.iter().filter(|write| self.ends_a_subject(write, &writes)).map(|write| write.key.clone()).collect();
        for Written { key, old, new, sequence, at_ms } in writes {
            if let (Identity::Item { object, .. }, None) = (self.implied.model.identify(&key), &old) {
                self.came.insert(object, at_ms);
            }
            // Instep may restore a subject that it deleted, unless somebody else has written it since.
            match (process, &old, &new) {
                (Some(_), Some(old), None) => {
                    let deleted = Deleted { item: old.clone(), is_last_revocation: ended.contains(&key) };
                    self.deleted.insert(key.clone(), deleted);
                }
                (None, ..) => self.forget_deleted(&key),
                (Some(_), ..) => {}
            }
            let before = self.implied.rows().get(&key).cloned();
            self.implied.write(&key, new.clone());
            self.sequence = sequence;
            self.written_ms = at_ms;
            self.note(&key, before, (old, new));
        }
        self.compare(self.sequence);
        found
    }

    /// What is due for a record.
    fn note(&mut self, key: &Key, before: Option<Row>, (old, new): (Option<Item>, Option<Item>)) {
        let model = Arc::clone(&self.implied.model);
        let (heard, facts, is_bad) = match model.identify(key) {
            Identity::Bookkeeping => return,
            Identity::Unknown { .. } => (BTreeSet::new(), BTreeSet::new(), model.table.unknown == Unknown::Park),
            Identity::Item { object, canonical } => {
                let after = self.implied.rows().get(key);
                if let Some(row) = after {
                    self.there.insert(object.clone());
                    for ask in &row.asks {
                        self.asked.entry(ask.pair.clone()).or_default().insert(ask.needs.clone());
                    }
                }
                let facts = moved(before.as_ref(), after);
                let mut heard = self.implied.heard(&object, old.as_ref(), new.as_ref());
                // Nothing is said of what goes and was nothing.
                if !canonical && new.is_none() {
                    heard.clear();
                }
                (heard, facts, after.is_some_and(|row| row.is_bad))
            }
        };
        self.due.insert(self.sequence, Due { label: format!("{} | {}", key.pk, key.sk), is_bad, heard, facts });
    }
}
