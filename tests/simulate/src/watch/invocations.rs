//! What each invocation adds, removes and reads.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping;
use instep_flow::work::Origin;
use instep_model::{Key, Object, Subject, ToDependents, ToParent};

use super::{INDEX_LAG_MS, Watch, WatchFinding};
use crate::implied::{Fact, FactState, ImpliedRow, Parent, is_like};

/// How long Instep may still remove a fact that became implied: calls hang and are retried. An
/// invocation that began before that may do so as long as it runs, because it may have read before.
const STALE_MS: i64 = 60_000;

/// How much slower the clock of a process may be.
pub const SLOW_MS: i64 = 2_000;

/// Items that an invocation may read in addition to those for its records: a page of a cascade, and
/// its last pass in the same invocation.
const PASS_ROWS: usize = 2 * 2_000;

/// Items that an invocation may read for each record, in all rounds.
const RECORD_ROWS: usize = 200;

/// What an invocation is given.
#[derive(Debug, Default)]
pub struct Batch {
    /// Where its records were delivered from, and their sequence numbers.
    pub records: Vec<(Origin, u128)>,
    /// Failed records are in the bucket, and the watch does not know which.
    pub has_failed_pointers: bool,
    /// All its messages carry captured records: those of a replay or a backfill.
    pub has_captures_only: bool,
    /// Objects with whose dependents its messages continue.
    pub continued: Vec<Object>,
    /// Orphans that a sweep asks it to delete.
    pub orphans: BTreeSet<Key>,
    /// Its deadline is short.
    pub is_short: bool,
    /// Its time may not be enough for all records. Then it handles the first alone, and some others after that.
    pub may_start_over: bool,
    /// It is an invocation of the clock, which may die between any two of its calls.
    pub is_clock: bool,
}

/// What one invocation has done so far.
#[derive(Debug, Default)]
pub(super) struct Invocation {
    pub(super) batch: Batch,
    began: u64,
    pub(super) began_ms: i64,
    /// It handles captures. A redriven failure may end a subject, even in a batch with captures.
    pub(super) is_capture: bool,
    moved: BTreeSet<Fact>,
    has_added: bool,
    /// Facts that it removed. Another invocation may add one again, and a second removal is correct
    /// then.
    removed: BTreeSet<Fact>,
    /// Facts that it failed to remove so far.
    not_removed: BTreeSet<Fact>,
    /// Groups that Cognito refused to create because a quota is exhausted, and when, in ticks.
    over_quota: BTreeMap<String, u64>,
    /// It has parked a message.
    pub(super) has_parked: bool,
    /// The number of items that it has read.
    rows: usize,
}

impl Watch {
    /// An invocation begins.
    pub fn began(&mut self, process: usize, batch: Batch, now_ms: i64) {
        let due = batch.records.iter().filter_map(|(_, sequence)| self.due.get(sequence));
        let moved = due.flat_map(|due| due.facts.clone()).collect();
        let (began, began_ms) = (self.tick, now_ms);
        let is_of = |origin| batch.records.iter().any(|(of, _)| *of == origin);
        let failed = batch.records.iter().filter(|(origin, _)| *origin == Origin::Failed);
        let failed = failed.filter_map(|(_, sequence)| self.due.get(sequence)?.written.as_ref());
        self.redriven.extend(failed.map(|write| write.object.clone()));
        self.has_redriven_pointers |= batch.has_failed_pointers;
        let is_capture = is_of(Origin::Captured) && !is_of(Origin::Failed) && !batch.has_failed_pointers;
        let invocation = Invocation { batch, began, began_ms, is_capture, moved, ..Invocation::default() };
        self.invocations.insert(process, invocation);
    }

    /// An invocation got the answer that a quota is exhausted. Retries do not help.
    pub fn met_quota(&mut self, process: usize, facts: Vec<Fact>) {
        let Some(invocation) = self.invocations.get_mut(&process) else { return };
        let groups = facts.into_iter().filter_map(|fact| if let Fact::Group(name) = fact { Some(name) } else { None });
        invocation.over_quota.extend(groups.map(|name| (name, self.tick)));
    }

    /// Promise 6: an invocation has ended. If it reports success, it has parked what a quota
    /// refused, unless the table has stopped to imply the group, or another invocation created it.
    pub fn finished(&mut self, process: usize, is_all_done: bool) -> Option<WatchFinding> {
        let invocation = self.invocations.remove(&process)?;
        let mut refused = invocation.over_quota.iter();
        let is_dropped = is_all_done
            && !invocation.has_parked
            && refused.any(|(name, tick)| {
                let is_named = |fact: &&Fact| matches!(fact, Fact::Group(of) | Fact::Member(_, of) if of == name);
                let is_old = |fact: &Fact| self.ticks.get(fact).is_some_and(|changed| changed <= tick);
                !self.actual.contains_key(&Fact::Group(name.clone())) && self.facts.keys().filter(is_named).any(is_old)
            });
        is_dropped.then(|| WatchFinding::Broken("6: an invocation met a quota, and parked nothing".to_owned()))
    }

    /// Whether a process runs the clock, and may die.
    #[must_use]
    pub fn is_clock(&self, process: usize) -> bool {
        self.invocations.get(&process).is_some_and(|invocation| invocation.batch.is_clock)
    }

    /// Whether an invocation handles nothing but a replay or a backfill.
    pub(super) fn has_captures_only(&self, process: usize) -> bool {
        self.invocations.get(&process).is_some_and(|invocation| invocation.batch.has_captures_only)
    }

    /// Whether the invocation of a process has a short deadline.
    #[must_use]
    pub fn is_short(&self, process: usize) -> bool {
        self.invocations.get(&process).is_some_and(|invocation| invocation.batch.is_short)
    }

    /// Promise 2: a granted membership was implied at some moment. A read is no snapshot, so it may
    /// combine items that did not exist at the same time.
    #[must_use]
    pub fn granted(&mut self, user: &str, group: &str) -> Option<WatchFinding> {
        self.checked(2);
        let pair = (user.to_owned(), group.to_owned());
        if self.ever.contains(&Fact::Member(pair.0.clone(), pair.1.clone())) {
            return None;
        }
        let has_existed = |object: &Object| {
            self.implied.exists(object) || self.existed.iter().any(|existed| is_like(object, existed))
        };
        let was_possible =
            self.asked.get(&pair).is_some_and(|all| all.iter().any(|needs| needs.iter().all(has_existed)));
        Some(if was_possible {
            WatchFinding::OpenRace("a grant read as parts of two moments")
        } else {
            WatchFinding::Broken(format!("2: {user} was added to {group}, which was never implied"))
        })
    }

    /// Promises 2 and 3, before a removal: nothing is removed that the table implies for long, and
    /// a batch removes before it adds.
    pub fn removes(&mut self, process: usize, fact: &Fact, now_ms: i64) -> Option<WatchFinding> {
        [2, 3].into_iter().for_each(|promise| self.checked(promise));
        // A record that is parked, because one of its groups cannot be created, grants nothing, also in its other groups.
        let is_withheld = self.invocations.get(&process).is_some_and(|invocation| {
            !invocation.over_quota.is_empty() && matches!(fact, Fact::Member(..)) && invocation.moved.contains(fact)
        });
        // A user whose deletion waits has no memberships, until a run has seen that its item was written again.
        let began_ms = self.invocations.get(&process).map(|invocation| invocation.began_ms);
        let is_to_be_deleted = matches!(fact, Fact::Member(user, _) if self.is_to_be_deleted(user)
            || began_ms.is_some_and(|began_ms| self.was_to_be_deleted(user, began_ms)));
        if is_withheld || is_to_be_deleted {
            return None;
        }
        let is_long = self
            .since_ms
            .get(fact)
            .is_some_and(|since| now_ms - since > STALE_MS && began_ms.is_none_or(|began_ms| began_ms > *since));
        let is_unaddressed = began_ms.is_some_and(|began_ms| self.is_unaddressed(fact, began_ms));
        if is_long
            && !self.is_waiting(fact)
            && !is_unaddressed
            && matches!(self.facts.get(fact), Some(FactState::Is(_)))
        {
            return Some(WatchFinding::Broken(format!("2: {fact:?} was removed, and has been implied for long")));
        }
        let invocation = self.invocations.get_mut(&process)?;
        let is_first = invocation.removed.insert(fact.clone());
        // The invocation's clock may be slower than this one. A grant that was in force may have been given
        // another window, which opened just now.
        let is_just_opened = self.by_time.get(fact).is_some_and(|at_ms| invocation.began_ms - at_ms <= SLOW_MS);
        if is_just_opened {
            return None;
        }
        let was_so = self.ticks.get(fact).is_none_or(|tick| *tick <= invocation.began);
        if was_so && matches!(self.facts.get(fact), Some(FactState::Is(_))) && self.ticks.contains_key(fact) {
            let began_ms = invocation.began_ms;
            if self.is_hidden(fact, began_ms) {
                return Some(WatchFinding::OpenRace(
                    "a membership removed that an item implies which no query shows yet",
                ));
            }
            if is_unaddressed {
                return Some(WatchFinding::OpenRace("a membership removed before what it needs was noted"));
            }
            return Some(WatchFinding::Broken(format!("2: {fact:?} was removed, and is implied")));
        }
        let is_after = invocation.has_added && !invocation.batch.may_start_over;
        let is_late = is_first && is_after && invocation.moved.contains(fact) && was_so;
        let is_stale = self.actual.contains_key(fact) && !self.facts.contains_key(fact);
        (is_late && is_stale)
            .then(|| WatchFinding::Broken(format!("3: {fact:?} was removed after a membership was added")))
    }

    /// Whether an invocation that began at this moment may not have found what the items that imply a membership
    /// need and know only in part: it was written later, its record was not handled yet, so that its address
    /// was not written, or an index does not show it yet.
    fn is_unaddressed(&self, fact: &Fact, began_ms: i64) -> bool {
        let (Fact::Member(user, group), model) = (fact, &self.implied.model) else { return false };
        let is_noted = |key: &Key| {
            self.implied.books.contains_key(key) && self.noted_at_ms.get(key).is_some_and(|noted| *noted < began_ms)
        };
        let finds = |need: &Parent| {
            match model.link(need.link).up {
                ToParent::Key | ToParent::Partition(_) => true,
                // An index lags. Only what has the id that it is asked for counts.
                ToParent::Index { .. } => {
                    let is_shown = |object: &Object| {
                        let rows = self.implied.rows().values().filter(|row| row.object == *object);
                        rows.map(|row| row.written_ms + INDEX_LAG_MS).max().is_some_and(|shown| shown < began_ms)
                    };
                    self.implied.namesakes(need).any(is_shown)
                }
                ToParent::Unknown => {
                    let mut like = self.implied.existing_like(&need.known);
                    like.any(|object| is_noted(&bookkeeping::address(model, &need.known, object).0))
                }
            }
        };
        let rows = self.implied.asking_for(user, group);
        let mut asks = rows.flat_map(|row| &row.asks).filter(|ask| ask.pair == (user.clone(), group.clone()));
        asks.all(|ask| !ask.needs.iter().all(finds))
    }

    /// Whether no query may have shown the items that imply a membership to an invocation that began
    /// at this moment: they were created later, an index lags, or the back-reference was not written,
    /// because the item's record was not handled yet.
    pub(super) fn is_hidden(&self, fact: &Fact, began_ms: i64) -> bool {
        let (Fact::Member(user, group), model) = (fact, &self.implied.model) else { return false };
        let is_hidden = |row: &ImpliedRow| {
            let mut shared = model.item(row.object.of).members.iter().filter(|member| !member.shared_with.is_empty());
            let Some(Subject::Link(link)) = shared.next().map(|member| &member.user) else { return false };
            let created_ms = self.created_at_ms.get(&row.object).copied().unwrap_or_default();
            if created_ms >= began_ms {
                return true;
            }
            let user = self.implied.target(*link, &row.object, &row.item);
            let reference = user.map(|user| bookkeeping::reference_key(model, &user, &row.object));
            match &model.link(*link).find {
                ToDependents::Queries(_) => {
                    model.link(*link).find.queries_index()
                        && (created_ms + INDEX_LAG_MS >= began_ms || self.is_just_filled_in(row, began_ms))
                }
                ToDependents::BackReference => {
                    let noted_ms = reference
                        .filter(|key| self.implied.books.contains_key(key))
                        .and_then(|key| self.noted_at_ms.get(&key));
                    noted_ms.is_none_or(|noted_ms| *noted_ms >= began_ms)
                }
                ToDependents::Sweep => false,
            }
        };
        self.implied.asking_for(user, group).all(is_hidden)
    }

    /// Whether Instep may have corrected the keys by which an index shows an item so late that the index did not show it
    /// at this moment, or has not corrected them yet.
    pub(super) fn is_just_filled_in(&self, row: &ImpliedRow, began_ms: i64) -> bool {
        let model = &self.implied.model;
        let is_new = row.written_ms + INDEX_LAG_MS >= began_ms;
        let wrong = self.wrong_index_keys(row);
        let is_out_of = |index: usize| {
            let index = model.index_at(index);
            let mut attributes = index.pk.iter().chain(index.sk.iter().flatten());
            !index.pk.iter().any(|name| row.item.contains_key(name)) || attributes.any(|name| wrong.contains(name))
        };
        let mut kept = model.item(row.object.of).index_keys.iter().filter(|keys| keys.keep.writes());
        kept.any(|keys| is_new || is_out_of(keys.index))
    }

    /// Whether the records that say which items imply a membership are all still to come. They may wait for
    /// long behind others, and until then no back-reference shows the items.
    fn is_waiting(&self, fact: &Fact) -> bool {
        self.is_of_items_created_with(fact, |created| !self.passed.contains(&created))
    }

    /// Whether the creations of all items that imply a membership have records like this, or those of all items that
    /// may be what they need, of which they know only a part of the key.
    pub(super) fn is_of_items_created_with(&self, fact: &Fact, is_such: impl Fn(u128) -> bool) -> bool {
        let Fact::Member(user, group) = fact else { return false };
        let is_new = |object: &Object| self.created_with.get(object).is_some_and(|created| is_such(*created));
        let is_of_new = |need: &Parent| {
            let mut like = self.implied.existing_like(&need.known);
            matches!(self.implied.model.link(need.link).up, ToParent::Unknown) && like.all(is_new)
        };
        let pair = (user.clone(), group.clone());
        let waits = |row: &ImpliedRow| {
            let mut asks = row.asks.iter().filter(|ask| ask.pair == pair);
            asks.all(|ask| ask.needs.iter().any(is_of_new))
        };
        self.implied.asking_for(user, group).all(|row| is_new(&row.object) || waits(row))
    }

    /// A call that removes something succeeded or failed.
    pub fn tried_to_remove(&mut self, process: usize, facts: Vec<Fact>, has_failed: bool) {
        let Some(invocation) = self.invocations.get_mut(&process) else { return };
        if has_failed {
            invocation.not_removed.extend(facts);
        } else {
            invocation.not_removed.retain(|fact| !facts.contains(fact));
        }
    }

    /// Promise 3, after a membership was added: the invocation has no failed removal.
    pub fn adds(&mut self, process: Option<usize>, fact: Fact) -> Option<WatchFinding> {
        self.ticks.insert(fact.clone(), self.tick);
        let invocation = self.invocations.get_mut(&process?)?;
        invocation.has_added = true;
        // A fact that is implied again need not be removed.
        let mut left = invocation.not_removed.iter().filter(|fact| !self.facts.contains_key(*fact));
        let left = left.next().filter(|_| !invocation.batch.may_start_over)?;
        Some(WatchFinding::Broken(format!("3: {fact:?} was added, and {left:?} could not be removed")))
    }

    /// Promise 8: the items that an invocation reads do not grow with the width of a cascade.
    pub fn reads(&mut self, process: usize, rows: usize) -> Option<WatchFinding> {
        let invocation = self.invocations.get_mut(&process)?;
        invocation.rows += rows;
        let is_many = invocation.rows > PASS_ROWS + RECORD_ROWS * invocation.batch.records.len();
        is_many.then(|| WatchFinding::Broken(format!("8: an invocation read {} items", invocation.rows)))
    }
}
