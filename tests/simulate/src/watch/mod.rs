//! The watch checks every write, call, event and message of a run against what the table implies at
//! that moment.

mod children;
mod claims;
mod facts;
mod invocations;
mod messages;
mod records;
mod sessions;
mod subjects;
mod tenants;
mod turns;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use contract_check::Contract;
use instep_model::{Identity, Item, Key, Model, Object, Unknown, Verb};

use crate::cause::WriteCause;
use crate::implied::{DueEvent, Fact, FactState, Implied, ImpliedRow, Parent, moved};
use crate::table::Written;
use facts::user_to_be_deleted;
use invocations::Invocation;
pub use invocations::{Batch, SLOW_MS};
use messages::Redrives;
use subjects::Deleted;

/// A user of somebody else. Instep must not change the user.
pub const STRANGER: &str = "stranger";

/// The group of that user. Instep must not change the group.
pub const OTHERS: &str = "others";

/// The longest lag of an index, in milliseconds. Instep is configured with it.
pub const INDEX_LAG_MS: i64 = 2_000;

/// What must follow from a record.
#[derive(Debug)]
pub struct Due {
    /// The item's key, for messages.
    pub label: String,
    /// What was written, if the model describes the item.
    written: Option<WrittenObject>,
    /// It asks for something impossible, so it must be parked.
    pub is_bad: bool,
    /// The item that it deletes asked for something impossible.
    deletes_bad: bool,
    /// The events that must be published.
    pub events: BTreeSet<DueEvent>,
    /// The facts that it changes.
    facts: BTreeSet<Fact>,
    /// The word that stands for each verb in the types of its events.
    words: BTreeMap<Verb, String>,
    /// Who made the write, as the events say it.
    cause: WriteCause,
}

impl Due {
    /// What was written, if the model describes the item.
    #[must_use]
    pub const fn written(&self) -> Option<&WrittenObject> {
        self.written.as_ref()
    }
}

/// A write to an item that the model describes.
#[derive(Debug)]
pub struct WrittenObject {
    /// The item's object.
    pub object: Object,
    /// The item before the write.
    pub old: Option<Item>,
    /// The item after the write.
    pub new: Option<Item>,
    /// Who made the write.
    pub cause: WriteCause,
    /// When it happened, in milliseconds.
    at_ms: i64,
}

/// What a check has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchFinding {
    /// A promise is broken.
    Broken(String),
    /// An open race that `docs/design/races.md` names was hit.
    OpenRace(&'static str),
}

/// The watch over a run.
#[derive(Debug)]
pub struct Watch {
    /// What the table implies.
    pub implied: Implied,
    actual: BTreeMap<Fact, String>,
    /// The last record's sequence number.
    sequence: u128,
    /// Facts that differ from what the table implies, each with the first record since which it
    /// always did.
    wrong: BTreeMap<Fact, u128>,
    /// Groups of the pool that nothing implies.
    stray_groups: BTreeSet<Fact>,
    /// What was implied for each fact, and from which record on.
    implied_at: BTreeMap<Fact, Vec<(u128, Option<FactState>)>>,
    /// When the desired or the actual state of a fact changed last, in ticks.
    ticks: BTreeMap<Fact, u64>,
    tick: u64,
    facts: BTreeMap<Fact, FactState>,
    /// How many memberships of each group are among them.
    members: BTreeMap<String, usize>,
    /// The unique values that the wrong object holds.
    wrong_values: BTreeSet<Fact>,
    /// Since when each fact is implied as it is now, in milliseconds, and when the last write was.
    since_ms: BTreeMap<Fact, i64>,
    written_ms: i64,
    /// Memberships that were implied at some moment.
    ever: BTreeSet<Fact>,
    /// What each membership that an item ever asked for depends on.
    asked: BTreeMap<(String, String), BTreeSet<Vec<Object>>>,
    /// The groups on demand that items ever asked for, with the parents that each goes with.
    on_demand: BTreeMap<String, Vec<Parent>>,
    /// Objects that existed at some moment.
    existed: BTreeSet<Object>,
    /// The keys under which items of each object have existed.
    spellings: BTreeMap<Object, BTreeSet<Key>>,
    /// When each object was created last, in milliseconds.
    created_at_ms: BTreeMap<Object, i64>,
    /// The sequence number of the record that says so.
    created_with: BTreeMap<Object, u128>,
    /// The sequence numbers that the position of a shard moved past.
    passed: BTreeSet<u128>,
    /// When a write last left the index keys of an existing item wrong, in milliseconds.
    hidden_at_ms: BTreeMap<Object, i64>,
    /// When a write last corrected them, in milliseconds.
    corrected_at_ms: BTreeMap<Object, i64>,
    /// When each bookkeeping item was created last, in milliseconds.
    noted_at_ms: BTreeMap<Key, i64>,
    /// The `sub` of each account whose deletion began to wait while no item had its user.
    pub waited: BTreeSet<String>,
    /// When the deletion of each user ceased to wait, in milliseconds.
    kept_at_ms: BTreeMap<String, i64>,
    /// What must follow from each record, by sequence number.
    pub due: BTreeMap<u128, Due>,
    published: BTreeMap<u128, BTreeSet<DueEvent>>,
    places: BTreeMap<(String, String, u64), String>,
    ids: BTreeMap<String, (String, String, u64)>,
    parked: BTreeSet<u128>,
    /// Items that Instep deleted, and that no writer has written since.
    deleted: BTreeMap<Key, Deleted>,
    /// Groups of somebody else, under names that items ask for.
    pub of_others: BTreeSet<String>,
    /// When Instep made each group last, in milliseconds.
    pub groups_made_ms: BTreeMap<String, i64>,
    /// When an item that may have had each group was deleted last, in milliseconds.
    pub groups_removed_ms: BTreeMap<String, i64>,
    /// When Instep made each account, by `sub`.
    pub made_ms: BTreeMap<String, i64>,
    /// The names under which the users were made whose user names the pool has made.
    pub given: BTreeMap<String, String>,
    /// Accounts that people made under names of users, by `sub`: the name, and since when in milliseconds.
    pub takers: BTreeMap<String, (String, i64)>,
    redrives: Redrives,
    /// The objects of redriven records.
    redriven: BTreeSet<Object>,
    /// Redriven records came from the bucket, and the watch does not know which.
    has_redriven_pointers: bool,
    invocations: BTreeMap<usize, Invocation>,
    /// The objects that undelivered work messages name, by the id of the message. Their memberships may follow later.
    pub handed_on: BTreeMap<String, Vec<Object>>,
    /// When time last opened or closed a window of each fact, in milliseconds: a clock is late, so they
    /// may be wrong for a while.
    by_time: BTreeMap<Fact, i64>,
    turns: turns::Turns,
    tenants: tenants::SaidTenants,
    sessions: sessions::Sessions,
    /// What events may look like: under each model that is deployed.
    contracts: Vec<Contract>,
    /// The code with which records and messages may be parked now: somebody made a mistake, or they came days late.
    pub excused: Option<&'static str>,
    /// How often each promise was checked.
    pub checks: BTreeMap<u8, u64>,
}

/// The code of an item whose key is not in lower case.
pub const NOT_CANONICAL: &str = "key-not-canonical";

/// The code of what may be left of such an item, while another item has the name in lower case: a person has to look.
pub const OTHER_SPELLING: &str = "other-spelling";

/// The code of what came too late to delete the dependents of a deleted object.
pub const LATE_CASCADE: &str = "late-cascade";

impl Watch {
    /// A watch over an empty world.
    #[must_use]
    pub fn new(model: &Arc<Model>) -> Self {
        Self {
            implied: Implied::new(Arc::clone(model)),
            actual: BTreeMap::new(),
            sequence: 0,
            wrong: BTreeMap::new(),
            stray_groups: BTreeSet::new(),
            implied_at: BTreeMap::new(),
            ticks: BTreeMap::new(),
            tick: 0,
            facts: BTreeMap::new(),
            members: BTreeMap::new(),
            wrong_values: BTreeSet::new(),
            since_ms: BTreeMap::new(),
            written_ms: 0,
            ever: BTreeSet::new(),
            asked: BTreeMap::new(),
            on_demand: BTreeMap::new(),
            existed: BTreeSet::new(),
            spellings: BTreeMap::new(),
            created_at_ms: BTreeMap::new(),
            hidden_at_ms: BTreeMap::new(),
            corrected_at_ms: BTreeMap::new(),
            noted_at_ms: BTreeMap::new(),
            waited: BTreeSet::new(),
            kept_at_ms: BTreeMap::new(),
            created_with: BTreeMap::new(),
            passed: BTreeSet::new(),
            due: BTreeMap::new(),
            published: BTreeMap::new(),
            places: BTreeMap::new(),
            ids: BTreeMap::new(),
            parked: BTreeSet::new(),
            deleted: BTreeMap::new(),
            of_others: BTreeSet::new(),
            groups_made_ms: BTreeMap::new(),
            groups_removed_ms: BTreeMap::new(),
            made_ms: BTreeMap::new(),
            given: BTreeMap::new(),
            takers: BTreeMap::new(),
            redrives: Redrives::default(),
            redriven: BTreeSet::new(),
            has_redriven_pointers: false,
            invocations: BTreeMap::new(),
            handed_on: BTreeMap::new(),
            by_time: BTreeMap::new(),
            turns: turns::Turns::default(),
            tenants: tenants::SaidTenants::new(),
            sessions: sessions::Sessions::default(),
            contracts: vec![Contract::of(model)],
            excused: None,
            checks: BTreeMap::new(),
        }
    }

    /// Another model is deployed at some time. It may give events other names.
    pub fn allow_events_of(&mut self, model: &Model) {
        self.contracts.push(Contract::of(model));
    }

    /// Counts checks of a promise.
    pub fn checked(&mut self, promise: u8) {
        *self.checks.entry(promise).or_default() += 1;
    }

    /// Records writes that were made in one call, by a process or by a writer.
    pub fn written(&mut self, writes: Vec<Written>, process: Option<usize>) -> Vec<WatchFinding> {
        let found = process.map_or_else(Vec::new, |process| self.judge(&writes, process));
        let ended: BTreeSet<Key> =
            writes.iter().filter(|write| self.ends_a_subject(write, &writes)).map(|write| write.key.clone()).collect();
        let goes = |write: &Written| write.new.is_none() && self.makes_user(&write.key);
        let has_gone = writes.iter().any(goes);
        let resolved = self.resolved(&writes);
        for Written { key, old, new, cause, sequence, at_ms } in writes {
            self.note_times(&key, (old.as_ref(), new.as_ref()), sequence, at_ms);
            self.waited.extend(new.as_ref().and_then(|item| self.sub_that_waits(item)));
            // Instep may restore a subject that it deleted, unless somebody else has written it
            // since.
            match (process, &old, &new) {
                (Some(_), Some(old), None) => {
                    let deleted = Deleted { item: old.clone(), is_last_revocation: ended.contains(&key), at_ms };
                    self.deleted.insert(key.clone(), deleted);
                }
                (None, ..) => self.forget_deleted(&key),
                (Some(_), ..) => {}
            }
            let before = self.implied.rows().get(&key).cloned();
            let reserved = self.reserved_under(&key);
            self.implied.write(&key, new.clone(), at_ms);
            self.free(reserved, sequence);
            if old.is_some() {
                self.note_index_keys(&key, before.as_ref(), at_ms);
            }
            for (group, parents) in self.implied.rows().get(&key).into_iter().flat_map(ImpliedRow::on_demand) {
                self.on_demand.entry(group.clone()).or_insert_with(|| parents.clone());
            }
            self.sequence = sequence;
            self.written_ms = at_ms;
            if new.is_none() {
                self.forget_turns(&key);
            }
            self.note(&key, before, (old, new), cause);
            if let (Some(event), Some(due)) = (resolved.get(&key), self.due.get_mut(&sequence)) {
                due.events.insert(event.clone());
            }
            if let Identity::Item { object, .. } = self.implied.model.identify(&key) {
                self.note_tenant(&object, at_ms);
            }
            self.note_just_turned(&key, at_ms);
        }
        self.compare(self.sequence, BTreeSet::new());
        // An item may go only after the deletion of its user began to wait.
        if has_gone {
            let waiting = self.implied.books.values().filter_map(|item| self.sub_that_waits(item));
            self.waited.extend(waiting.collect::<Vec<_>>());
        }
        found
    }

    /// Whether an item of this key has a user.
    fn makes_user(&self, key: &Key) -> bool {
        match self.implied.model.identify(key) {
            Identity::Item { object, .. } => self.implied.model.item(object.of).user.is_some(),
            Identity::Bookkeeping | Identity::Unknown(_) => false,
        }
    }

    /// Notes when a write created or removed something.
    fn note_times(&mut self, key: &Key, (old, new): (Option<&Item>, Option<&Item>), sequence: u128, at_ms: i64) {
        match (self.implied.model.identify(key), old) {
            (Identity::Item { object, .. }, None) => {
                self.created_at_ms.insert(object.clone(), at_ms);
                self.created_with.insert(object, sequence);
            }
            (Identity::Item { object, .. }, Some(_)) if new.is_none() => {
                let groups = self.implied.groups_of_any_item(&object).into_iter();
                self.groups_removed_ms.extend(groups.map(|group| (group, at_ms)));
            }
            (Identity::Bookkeeping, None) => drop(self.noted_at_ms.insert(key.clone(), at_ms)),
            (Identity::Bookkeeping, Some(old)) if new.and_then(user_to_be_deleted).is_none() => {
                let kept = user_to_be_deleted(old).map(|user| (self.called(user).to_owned(), at_ms));
                self.kept_at_ms.extend(kept);
            }
            (Identity::Item { .. } | Identity::Bookkeeping | Identity::Unknown(_), _) => {}
        }
    }

    /// Notes that a write left the index keys of an existing item wrong, or corrected them.
    fn note_index_keys(&mut self, key: &Key, before: Option<&ImpliedRow>, at_ms: i64) {
        let is_wrong = |row: &ImpliedRow| !self.wrong_index_keys(row).is_empty();
        let Some(row) = self.implied.rows().get(key) else { return };
        let object = row.object.clone();
        if is_wrong(row) {
            self.hidden_at_ms.insert(object, at_ms);
        } else if before.is_some_and(is_wrong) {
            self.corrected_at_ms.insert(object, at_ms);
        }
    }

    /// Determines what must follow from a record.
    fn note(
        &mut self,
        key: &Key,
        before: Option<ImpliedRow>,
        (old, new): (Option<Item>, Option<Item>),
        cause: WriteCause,
    ) {
        let model = Arc::clone(&self.implied.model);
        let (mut written, mut deletes_bad, label) = (None, false, format!("{} | {}", key.pk, key.sk));
        let mut words = BTreeMap::new();
        let (events, facts, is_bad) = match model.identify(key) {
            Identity::Bookkeeping => return,
            unknown @ Identity::Unknown(_) => {
                (BTreeSet::new(), BTreeSet::new(), unknown.is_forged() || model.table.unknown == Unknown::Park)
            }
            Identity::Item { object, .. } => {
                for image in old.iter().chain(&new) {
                    self.note_window(&object, image);
                }
                if let Some(row) = self.implied.rows().get(key).cloned() {
                    self.note_sessions(&row);
                }
                let after = self.implied.rows().get(key);
                if let Some(row) = after {
                    self.existed.insert(object.clone());
                    self.spellings.entry(object.clone()).or_default().insert(key.clone());
                    for ask in &row.asks {
                        self.asked
                            .entry(ask.pair.clone())
                            .or_default()
                            .insert(ask.needs.iter().map(|need| need.known.clone()).collect());
                    }
                }
                deletes_bad = after.is_none() && before.as_ref().is_some_and(|row| row.is_bad);
                let facts = moved(before.as_ref(), after);
                let events = self.implied.due_events(&object, old.as_ref(), new.as_ref(), self.written_ms);
                words = self.implied.verb_words(&object, old.as_ref(), new.as_ref(), cause);
                written = Some(WrittenObject { object, old, new, cause, at_ms: self.written_ms });
                (events, facts, after.is_some_and(|row| row.is_bad))
            }
        };
        self.due.insert(self.sequence, Due { label, written, is_bad, deletes_bad, events, facts, words, cause });
    }
}
