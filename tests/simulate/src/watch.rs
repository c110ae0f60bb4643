//! Who watches a run: holds every write, call, event and message against what the table implies at that moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use instep_local::{GroupState, UserState};
use instep_model::{Find, Identity, Item, Key, Model, Object, Unknown, Verb};
use serde_json::Value;

use crate::implied::{Fact, Heard, Implied, OFF, Row, State, moved, user_facts};
use crate::writers::{SECRET, UNNAMED};

/// A user and a group of somebody else's: nobody but they may touch them.
pub const STRANGER: &str = "stranger";
/// How long an index may take to show what was written, in milliseconds: what Instep is told to wait for.
pub const INDEX_LAG_MS: i64 = 2_000;
/// How long before it writes a redrive, which is no invocation, may have looked: longer than a call hangs and is tried.
const LOOKED_MS: i64 = 15_000;
/// How long after an item came Instep may take away what that implies: it had looked before, and its calls hang and are tried again.
const STALE_MS: i64 = 60_000;
/// Their group.
pub const OTHERS: &str = "others";

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

/// What one invocation has done.
#[derive(Debug, Default)]
struct Invocation {
    began: u64,
    began_ms: i64,
    /// It runs captures.
    is_capture: bool,
    moved: BTreeSet<Fact>,
    gave: bool,
    /// What it took away: another may bring it back, and it has to go again.
    took: BTreeSet<Fact>,
    /// What it tried to take away, and could not so far.
    left: BTreeSet<Fact>,
    /// It may begin again with fewer records, for want of time.
    is_short: bool,
    /// Records handed to it, and items that it was answered.
    records: usize,
    rows: usize,
}

/// Items that an invocation may read beside those for its records: a pass over what depends on an object has at most so many, and its
/// last pass may come in the same invocation.
const PASS_ROWS: usize = 2 * 2_000;
/// Items that an invocation may read for a record, all rounds and looks taken together.
const RECORD_ROWS: usize = 200;

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
    /// Subjects that Instep deleted.
    ended: BTreeMap<Key, Item>,
    /// Groups that somebody else made under a name that items ask for.
    pub of_others: BTreeSet<String>,
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
            ended: BTreeMap::new(),
            of_others: BTreeSet::new(),
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
        for Written { key, old, new, sequence, at_ms } in writes {
            if let (Identity::Item { object, .. }, None) = (self.implied.model.identify(&key), &old) {
                self.came.insert(object, at_ms);
            }
            // A subject that Instep deleted it may restore as it was, unless somebody wrote it since.
            match (process, &old, &new) {
                (Some(_), Some(old), None) => drop(self.ended.insert(key.clone(), old.clone())),
                (None, ..) => drop(self.ended.remove(&key)),
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

    /// Takes note of the pool.
    pub fn pool(&mut self, groups: &[GroupState], users: &[UserState]) {
        let model = &self.implied.model;
        let named: BTreeSet<&String> = model
            .items
            .iter()
            .filter_map(|ty| ty.user.as_ref())
            .flat_map(|user| &user.attributes)
            .map(|(name, _)| name)
            .collect();
        let mut actual = BTreeMap::new();
        for group in groups.iter().filter(|group| group.name != OTHERS) {
            actual.insert(Fact::Group(group.name.clone()), String::new());
            let members = group.members.iter().map(|user| Fact::Member(user.clone(), group.name.clone()));
            actual.extend(members.map(|fact| (fact, String::new())));
        }
        for user in users.iter().filter(|user| user.username != STRANGER) {
            let looks = user.attributes.iter().filter(|(name, _)| named.contains(name));
            let looks = looks.map(|(name, text)| (name.as_str(), text.clone()));
            actual.extend(user_facts(&user.username, user.enabled, looks));
        }
        // What came to be as an earlier record implied was right after that record, whatever is implied by now.
        for (fact, since) in &mut self.wrong {
            let (was, is) = (self.actual.get(fact), actual.get(fact));
            // Who is to be disabled and was not there did nobody harm until another run made him.
            let absent = absent_and_off(&self.facts, &self.actual, fact);
            if absent.is_some_and(|user| actual.contains_key(&user)) {
                *since = (*since).max(self.sequence + 1);
            }
            let fits = |(_, state): &&(u128, Option<State>)| match state {
                None => is.is_none(),
                Some(State::Is(looks)) => is == Some(looks),
                Some(State::Either) => true,
            };
            let then = self.implied_at.get(fact).and_then(|implied| implied.iter().rev().find(fits));
            if let Some((sequence, _)) = then.filter(|_| was != is) {
                *since = (*since).max(sequence + 1);
            }
        }
        self.actual = actual;
        // What was right until now was right after every record so far.
        self.compare(self.sequence + 1);
    }

    /// What is there in the pool.
    pub fn actual(&self) -> impl Iterator<Item = &Fact> {
        self.actual.keys()
    }

    fn compare(&mut self, since: u128) {
        self.tick += 1;
        let facts = self.implied.facts();
        self.ever.extend(facts.keys().filter(|fact| matches!(fact, Fact::Member(..) | Fact::Group(_))).cloned());
        for fact in facts.keys().chain(self.facts.keys()).filter(|fact| facts.get(*fact) != self.facts.get(*fact)) {
            self.ticks.insert(fact.clone(), self.tick);
            self.since_ms.insert(fact.clone(), self.written_ms);
            self.implied_at.entry(fact.clone()).or_default().push((self.sequence, facts.get(fact).cloned()));
        }
        let mut wrong: BTreeSet<Fact> = facts
            .iter()
            .filter(|(fact, state)| match state {
                State::Either => false,
                State::Is(looks) => self.actual.get(fact) != Some(looks),
            })
            .map(|(fact, _)| fact.clone())
            .collect();
        let strays = self.actual.keys().filter(|fact| !facts.contains_key(fact));
        // Groups that were made for a member stay, and so do those of others, and users whom the model keeps.
        let keeps_users = self.implied.users_are(|user| !user.delete);
        let stays = |fact: &Fact| match fact {
            Fact::Group(name) => !self.ever.contains(fact) || self.of_others.contains(name),
            Fact::User(_) | Fact::Attribute(..) => keeps_users,
            Fact::Member(..) | Fact::Value(..) => false,
        };
        wrong.extend(strays.filter(|fact| !stays(fact)).cloned());
        wrong.extend(self.implied.wrong_values().into_keys());
        self.wrong.retain(|fact, _| wrong.contains(fact));
        for fact in wrong {
            self.wrong.entry(fact).or_insert(since);
        }
        self.facts = facts;
    }

    /// Holds what Instep writes against what it may write.
    fn judge(&mut self, writes: &[Written], process: usize) -> Vec<Finding> {
        self.checked(2);
        let found = writes.iter().filter_map(|write| {
            let Identity::Item { object, canonical } = self.implied.model.identify(&write.key) else {
                let is_other = self.implied.model.identify(&write.key) != Identity::Bookkeeping;
                return is_other.then(|| Finding::Broken(format!("2: Instep wrote {:?}", write.key)));
            };
            let row = self.implied.rows().get(&write.key);
            match (row, &write.new) {
                (Some(row), None) => self.judge_delete(row, writes, process),
                (_, Some(new)) => self.judge_put(&write.key, row, &self.implied.row(object, canonical, new.clone())),
                (None, None) => None,
            }
        });
        found.collect()
    }

    /// Promise 2: subjects that Instep deleted for their last revocation, and that have a grant and no item at rest.
    #[must_use]
    pub fn lost_subjects(&self) -> Vec<String> {
        let ended = self.ended.keys().filter(|key| !self.implied.rows().contains_key(*key));
        let subjects = ended.filter_map(|key| match self.implied.model.identify(key) {
            Identity::Item { object, .. } => Some(object),
            Identity::Bookkeeping | Identity::Unknown { .. } => None,
        });
        let lost = subjects.filter(|object| self.is_subject(object) && self.has_grants(object));
        lost.map(|object| format!("2: {object:?} has a grant, and Instep deleted it")).collect()
    }

    /// The links by which grants whose last revocation counts lead to their subjects.
    fn last_links(&self) -> impl Iterator<Item = (usize, instep_model::LinkId)> {
        let types = self.implied.model.items.iter().enumerate();
        types.filter_map(|(of, ty)| {
            let grant = ty.grant.as_ref().filter(|grant| grant.last.is_some())?;
            match grant.subject {
                instep_model::Subject::Link(link) => Some((of, link)),
                instep_model::Subject::Itself => None,
            }
        })
    }

    /// Whether an object goes with its last grant.
    fn is_subject(&self, object: &Object) -> bool {
        self.last_links().any(|(_, link)| self.implied.model.link(link).to == object.of)
    }

    fn has_grants(&self, subject: &Object) -> bool {
        self.last_links().any(|(of, link)| {
            let leads = |row: &Row| self.implied.target(link, &row.object, &row.item).as_ref() == Some(subject);
            self.implied.rows().values().any(|row| row.object.of.0 == of && leads(row))
        })
    }

    fn judge_delete(&self, row: &Row, writes: &[Written], process: usize) -> Option<Finding> {
        let model = &self.implied.model;
        if model.item(row.object.of).guard.is_some() {
            let holder = row.owner.as_ref()?;
            let has = self.implied.claimants(&row.object).contains_key(holder);
            return has.then(|| Finding::Broken(format!("7: {:?} was released, and {holder:?} has it", row.object)));
        }
        if self.implied.is_orphan(row) {
            return None;
        }
        let now = writes.first().map_or(0, |write| write.at_ms);
        // By an index it was there to be seen before the work began; after that it need not have been.
        let began = self.invocations.get(&process).map_or(now - LOOKED_MS, |invocation| invocation.began_ms);
        let is_fresh = |object: &Object| self.came.get(object).is_some_and(|came| came + INDEX_LAG_MS >= began);
        if row.parents.iter().any(|parent| self.implied.is_shadowed(parent, is_fresh)) {
            return Some(Finding::Window("a parent of that id that the index does not show yet"));
        }
        if let Some((edge, link)) = self.taking(row, writes) {
            let is_other = |other: &&Row| {
                let leads = |id| self.implied.target(id, &other.object, &other.item);
                let parent = leads(link).filter(|_| other.object != edge.object && other.object.of == edge.object.of);
                let child = model.link(link).takes.and_then(leads);
                child.as_ref() == Some(&row.object) && parent.is_some_and(|parent| self.implied.is_there(&parent))
            };
            let other = self.implied.rows().values().find(is_other)?;
            // A back-reference may be written later.
            let is_indexed =
                matches!(model.link(link).takes.map(|end| &model.link(end).find), Some(Find::Index { .. }));
            return Some(if is_fresh(&other.object) || !is_indexed {
                Finding::Window("an edge came while its child went")
            } else {
                Finding::Broken(format!("2: {:?} went, and {:?} holds it", row.object, other.object))
            });
        }
        if self.is_subject(&row.object) {
            let is_capture = self.invocations.get(&process).is_some_and(|invocation| invocation.is_capture);
            return is_capture.then(|| Finding::Broken(format!("2: a capture ended {:?}", row.object)));
        }
        Some(Finding::Broken(format!("2: Instep deleted {:?}, and nothing that it belongs to went", row.object)))
    }

    /// The edge that goes and takes this item along.
    fn taking(&self, row: &Row, writes: &[Written]) -> Option<(&Row, instep_model::LinkId)> {
        let model = &self.implied.model;
        let edges =
            writes.iter().filter(|write| write.new.is_none()).filter_map(|write| self.implied.rows().get(&write.key));
        edges.into_iter().find_map(|edge| {
            let (id, end) = model.links_from(edge.object.of).find_map(|(id, link)| Some((id, link.takes?)))?;
            (self.implied.target(end, &edge.object, &edge.item).as_ref() == Some(&row.object)).then_some((edge, id))
        })
    }

    fn judge_put(&self, key: &Key, before: Option<&Row>, row: &Row) -> Option<Finding> {
        let model = &self.implied.model;
        let ty = model.item(row.object.of);
        if ty.guard.is_some() {
            let claimants = self.implied.claimants(&row.object);
            let Some(strong) = row.owner.as_ref().and_then(|owner| claimants.get(owner)) else {
                return Some(Finding::Broken(format!(
                    "7: {:?} was claimed for {:?}, who has it not",
                    row.object, row.owner
                )));
            };
            let holder =
                before.and_then(|before| before.owner.as_ref()).filter(|holder| row.owner.as_ref() != Some(*holder));
            let held = holder.and_then(|holder| claimants.get(holder));
            let is_taken = held.is_some_and(|held| *held || !strong);
            return is_taken
                .then(|| Finding::Broken(format!("7: {:?} was taken from {holder:?}, who has it", row.object)));
        }
        let Some(before) = before else {
            let is_back = self.ended.get(key) == Some(&row.item);
            // Somebody created and deleted it again meanwhile, and the tombstone still keeps what it was.
            if !is_back && self.is_subject(&row.object) {
                return Some(Finding::Window("a subject restored that somebody deleted again"));
            }
            return (!is_back).then(|| Finding::Broken(format!("2: Instep brought {:?}", row.object)));
        };
        let kept = ty.index_keys.iter().filter(|keys| keys.keep);
        let kept: BTreeSet<&String> = kept
            .flat_map(|keys| {
                let index = model.index_at(keys.index);
                index.pk.iter().chain(index.sk.iter().flatten())
            })
            .collect();
        let rest = |item: &Item| -> Item {
            item.iter()
                .filter(|(name, _)| !kept.contains(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        // Another may have become wrong meanwhile: the next look is for that.
        let wrong = self.wrong_index_keys(row);
        let is_wrong = |name: &&&String| before.item.get(**name) != row.item.get(**name) && wrong.contains(**name);
        if rest(&before.item) != rest(&row.item) || kept.iter().any(|name| is_wrong(&name)) {
            return Some(Finding::Broken(format!("2: Instep changed {:?}", row.object)));
        }
        None
    }

    /// Index attributes that Instep keeps and that are not as their templates say.
    #[must_use]
    pub fn wrong_index_keys(&self, row: &Row) -> Vec<String> {
        let model = &self.implied.model;
        let lookup = model.lookup(row.object.of, &row.object.names, Some(&row.item));
        let mut wrong = Vec::new();
        for keys in model.item(row.object.of).index_keys.iter().filter(|keys| keys.keep) {
            let index = model.index_at(keys.index);
            let texts = (keys.pk.render(&lookup).ok(), keys.sk.as_ref().map(|sk| sk.render(&lookup).ok()));
            let is_whole = texts.0.is_some() && texts.1 != Some(None);
            let parts = [(index.pk.first(), texts.0), (index.sk.as_ref().and_then(|sk| sk.first()), texts.1.flatten())];
            for (name, text) in parts.into_iter().filter_map(|(name, text)| Some((name?, text))) {
                let should = text.filter(|_| is_whole).map(instep_model::Value::S);
                if row.item.get(name) != should.as_ref() {
                    wrong.push(name.clone());
                }
            }
        }
        wrong
    }

    /// Promise 2: what is granted was implied at some moment. A look is no snapshot, so it may be made of parts that were not there at
    /// the same moment.
    #[must_use]
    pub fn granted(&mut self, user: &str, group: &str) -> Option<Finding> {
        self.checked(2);
        let pair = (user.to_owned(), group.to_owned());
        if self.ever.contains(&Fact::Member(pair.0.clone(), pair.1.clone())) {
            return None;
        }
        let is_there = |object: &Object| self.there.contains(object) || self.implied.is_there(object);
        let is_made = self.asked.get(&pair).is_some_and(|all| all.iter().any(|needs| needs.iter().all(is_there)));
        Some(if is_made {
            Finding::Window("parts of two moments")
        } else {
            Finding::Broken(format!("2: {user} was added to {group}, which was never true"))
        })
    }

    /// An invocation begins.
    pub fn began(
        &mut self,
        process: usize,
        sequences: impl Iterator<Item = u128>,
        now_ms: i64,
        (is_capture, is_short): (bool, bool),
    ) {
        let sequences: Vec<u128> = sequences.collect();
        let due = sequences.iter().filter_map(|sequence| self.due.get(sequence));
        let moved = due.flat_map(|due| due.facts.clone()).collect();
        let (began, began_ms, records) = (self.tick, now_ms, sequences.len());
        let invocation = Invocation {
            began,
            began_ms,
            is_capture,
            moved,
            gave: false,
            took: BTreeSet::new(),
            left: BTreeSet::new(),
            is_short,
            records,
            rows: 0,
        };
        self.invocations.insert(process, invocation);
    }

    /// An invocation ended.
    pub fn finished(&mut self, process: usize) {
        self.invocations.remove(&process);
    }

    /// Objects that work messages on their way name: what these imply may come later.
    pub fn handed_on(&mut self, objects: BTreeSet<Object>) {
        self.handed_on = objects;
    }

    /// Promise 2: nothing is taken that the table has implied for long. Promise 3: before something is given, all that the batch takes away is
    /// gone. Called before the effect.
    pub fn takes(&mut self, process: usize, fact: &Fact, now_ms: i64) -> Option<Finding> {
        [2, 3].into_iter().for_each(|promise| self.checked(promise));
        let is_long = self.since_ms.get(fact).is_some_and(|since| now_ms - since > STALE_MS);
        if is_long && matches!(self.facts.get(fact), Some(State::Is(_))) {
            return Some(Finding::Broken(format!("2: {fact:?} was taken, and is implied for long")));
        }
        let invocation = self.invocations.get_mut(&process)?;
        let is_first = invocation.took.insert(fact.clone());
        let was_so = self.ticks.get(fact).is_none_or(|tick| *tick <= invocation.began);
        if was_so && matches!(self.facts.get(fact), Some(State::Is(_))) && self.ticks.contains_key(fact) {
            return Some(Finding::Broken(format!("2: {fact:?} was taken, and is implied")));
        }
        let is_late = is_first && invocation.gave && invocation.moved.contains(fact) && was_so;
        let is_stale = self.actual.contains_key(fact) && !self.facts.contains_key(fact);
        (is_late && is_stale).then(|| Finding::Broken(format!("3: {fact:?} was taken after something was given")))
    }

    /// Promise 8: what an invocation reads, and so what it can hold, does not grow with the width of a cascade.
    pub fn reads(&mut self, process: usize, rows: usize) -> Option<Finding> {
        let invocation = self.invocations.get_mut(&process)?;
        invocation.rows += rows;
        let is_many = invocation.rows > PASS_ROWS + RECORD_ROWS * invocation.records;
        is_many.then(|| Finding::Broken(format!("8: an invocation read {} items", invocation.rows)))
    }

    /// Whether a process has little time.
    #[must_use]
    pub fn is_short(&self, process: usize) -> bool {
        self.invocations.get(&process).is_some_and(|invocation| invocation.is_short)
    }

    /// Whether a replay may mend what a request broke that landed late.
    #[must_use]
    pub fn is_to_mend(&self) -> bool {
        !self.late.is_empty()
    }

    /// A call that takes something away was answered, or failed.
    pub fn tried_to_take(&mut self, process: usize, facts: Vec<Fact>, has_failed: bool) {
        let Some(invocation) = self.invocations.get_mut(&process) else { return };
        if has_failed {
            invocation.left.extend(facts);
        } else {
            invocation.left.retain(|fact| !facts.contains(fact));
        }
    }

    /// Promise 3: nothing is given where something could not be taken away. Called after the effect.
    pub fn gives(&mut self, process: usize, fact: Fact) -> Option<Finding> {
        self.ticks.insert(fact.clone(), self.tick);
        let invocation = self.invocations.get_mut(&process)?;
        invocation.gave = true;
        // What is right again by now need not be taken away.
        let mut left = invocation.left.iter().filter(|fact| !self.facts.contains_key(*fact));
        let left = left.next().filter(|_| !invocation.is_short)?;
        Some(Finding::Broken(format!("3: {fact:?} was given, and {left:?} could not be taken away")))
    }

    /// Promises 4, 5 and 9 of the events of one call, as they are heard.
    pub fn events(&mut self, details: &[(String, String)]) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut places: BTreeMap<String, (String, u64)> = BTreeMap::new();
        [4, 5, 9].into_iter().for_each(|promise| self.checked(promise));
        for (detail_type, detail) in details {
            let broken = |what: String| Finding::Broken(format!("{what}: {detail_type} {detail}"));
            if detail.contains(SECRET) || detail.contains(UNNAMED) {
                found.push(broken("9: an event tells what the model does not name".to_owned()));
            }
            let detail: Value = serde_json::from_str(detail).unwrap_or_default();
            let text = |name: &str| detail.pointer(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let (id, item, sequence) = (text("/metadata/id"), text("/metadata/item"), text("/metadata/sequence"));
            let index = detail.pointer("/metadata/index").and_then(Value::as_u64).unwrap_or_default();
            let place = (sequence.clone(), index);
            let is_live = detail.pointer("/metadata/replay") == Some(&Value::Bool(false));
            if is_live && places.get(&item).is_some_and(|before| *before >= place) {
                found.push(broken("5: events of one item in one call are out of order".to_owned()));
            }
            places.insert(item.clone(), place);
            let place = (item, sequence.clone(), index);
            if *self.ids.entry(id.clone()).or_insert_with(|| place.clone()) != place {
                found.push(broken("5: one id has two places".to_owned()));
            }
            if *self.places.entry(place).or_insert_with(|| id.clone()) != id {
                found.push(broken("5: one place has two ids".to_owned()));
            }
            let number: u128 = sequence.parse().unwrap_or_default();
            let verb = Verb::ALL.into_iter().find(|verb| verb.word() == text("/metadata/verb"));
            let role = matches!(verb, Some(Verb::Granted | Verb::Revoked)).then(|| text("/data/role"));
            let (Some(due), Some(verb)) = (self.due.get(&number), verb) else {
                found.push(broken("4: heard of what never was".to_owned()));
                continue;
            };
            let heard = (verb, role.filter(|role| !role.is_empty()));
            if verb != Verb::Conflicted && !due.heard.contains(&heard) {
                found.push(broken("4: heard of what did not happen".to_owned()));
            }
            let is_parked = detail.pointer("/metadata/parked") == Some(&Value::Bool(true));
            if is_parked && is_live && !self.parked.contains(&number) {
                found.push(broken("4: heard as parked before it was".to_owned()));
            }
            if let Some(fact) = self.early(due, number).filter(|_| !is_parked) {
                found.push(broken(format!("4: heard before {fact:?} was so")));
            }
            self.heard.entry(number).or_default().insert(heard);
        }
        found
    }

    /// Promises 6 and 9 of a message in which a record waits.
    pub fn parked(&mut self, body: &str, is_full: bool) -> Option<Finding> {
        self.checked(6);
        let message: Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
        let number: u128 = text("sequence").parse().unwrap_or_default();
        self.parked.insert(number);
        let is_rightly = match self.due.get(&number) {
            Some(due) => due.is_bad || is_full && text("code") == "quota-reached",
            None => text("code") == "quota-reached",
        };
        if body.contains(SECRET) {
            return Some(Finding::Broken(format!("9: a parked record tells a secret: {body}")));
        }
        let is_kept = ["record", "s3"].iter().any(|name| message.get(*name).is_some_and(|kept| !kept.is_null()));
        if text("code").is_empty() || text("reason").is_empty() || !is_kept {
            return Some(Finding::Broken(format!("6: parked without its record or the reason: {body}")));
        }
        (!is_rightly).then(|| Finding::Broken(format!("6: a good record was parked: {body}")))
    }

    /// Promise 6: a shard's place moves past what is settled or parked, and nothing else.
    pub fn passed(&mut self, sequence: u128) -> Option<Finding> {
        self.checked(6);
        let due = self.due.get(&sequence)?;
        if self.parked.contains(&sequence) {
            return None;
        }
        let broken = |what: String| {
            Some(Finding::Broken(format!("6: the place moved past {sequence} of {}: {what}", due.label)))
        };
        if due.is_bad {
            return broken("it is neither settled nor parked".to_owned());
        }
        let nothing = BTreeSet::new();
        let heard = self.heard.get(&sequence).unwrap_or(&nothing);
        if let Some(missing) = due.heard.difference(heard).next() {
            return broken(format!("{missing:?} was not heard"));
        }
        self.early(due, sequence).and_then(|fact| broken(format!("{fact:?} is not so")))
    }

    /// A fact that a record moved and that has not been as implied since. That a user who is to be disabled is not there yet does
    /// nobody harm: its own first record brings it.
    fn early<'a>(&self, due: &'a Due, sequence: u128) -> Option<&'a Fact> {
        due.facts.iter().find(|fact| {
            let is_harmless = absent_and_off(&self.facts, &self.actual, fact).is_some();
            !is_harmless && self.wrong.get(*fact).is_some_and(|since| *since <= sequence) && !self.is_handed_on(fact)
        })
    }

    /// Whether a membership is missing whose grant is on its way in a work message: Cognito did not know its user or group.
    fn is_handed_on(&self, fact: &Fact) -> bool {
        let Fact::Member(user, group) = fact else { return false };
        let implies = |row: &Row| row.asks.iter().any(|ask| ask.pair == (user.clone(), group.clone()));
        let mut rows = self.implied.rows().values().filter(|row| implies(row));
        self.facts.contains_key(fact) && rows.any(|row| self.handed_on.contains(&row.object))
    }

    /// Promise 4: everything was heard.
    #[must_use]
    pub fn unheard(&self) -> Vec<String> {
        let nothing = BTreeSet::new();
        let missing = self.due.iter().flat_map(|(sequence, due)| {
            let heard = self.heard.get(sequence).unwrap_or(&nothing);
            due.heard.difference(heard).map(move |missing| (sequence, due, missing))
        });
        missing
            .map(|(sequence, due, what)| format!("4: {what:?} of {sequence}, {}, was never heard", due.label))
            .collect()
    }

    /// Facts that are not as implied, with what was looked for and found; and how many of them a request excuses that landed late.
    #[must_use]
    pub fn wrong(&self) -> (Vec<String>, [(&'static str, usize); 1]) {
        let (late, wrong): (Vec<_>, Vec<_>) = self.wrong.keys().partition(|fact| self.late.contains(fact));
        let values = self.implied.wrong_values();
        let words = |fact: &&Fact| match fact {
            Fact::Value(..) => format!("7: {fact:?}: {}", values.get(fact).cloned().unwrap_or_default()),
            Fact::Member(..) | Fact::User(_) | Fact::Attribute(..) | Fact::Group(_) => {
                format!("1: {fact:?} should be {:?} and is {:?}", self.facts.get(fact), self.actual.get(fact))
            }
        };
        (wrong.iter().map(words).collect(), [("landed late", late.len())])
    }

    /// Promise 1: what is implied and is not so, whatever window it fell into.
    #[must_use]
    pub fn lacking(&self) -> Vec<String> {
        let is_lacking = |fact: &&Fact| matches!(self.facts.get(*fact), Some(State::Is(_)));
        let lacking = self.wrong.keys().filter(is_lacking);
        lacking.map(|fact| format!("1: {fact:?} is implied, and is {:?}", self.actual.get(fact))).collect()
    }
}

/// The user whom a fact is of, where that is to be disabled and is not there.
fn absent_and_off(facts: &BTreeMap<Fact, State>, actual: &BTreeMap<Fact, String>, fact: &Fact) -> Option<Fact> {
    let user = match fact {
        Fact::User(user) | Fact::Attribute(user, _) => Fact::User(user.clone()),
        Fact::Member(..) | Fact::Group(_) | Fact::Value(..) => return None,
    };
    (facts.get(&user) == Some(&State::Is(OFF.to_owned())) && !actual.contains_key(&user)).then_some(user)
}
