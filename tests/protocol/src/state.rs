//! Everything at one moment.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

use instep_flow::bookkeeping::BookkeepingKind;
use instep_flow::effect::Effect;
use instep_flow::entries::Entries;
use instep_flow::plan::{Delivery, Plan};
use instep_flow::work::{NamedObject, Origin, Work};

use crate::breach::Breach;
use crate::cognito::SmallPool;
use crate::design::Design;
use crate::item::{SmallItem, SmallRecord};
use crate::message::{Message, plan_of_messages, plan_of_records};
use crate::rules::Rule;
use crate::run::{Ask, Run, Source};
use crate::table::SmallTable;
use crate::world::{Budget, Race, SmallObject, SmallWorld};

/// Everything at one moment.
#[derive(Debug, Clone)]
pub struct State<'d> {
    /// The table model.
    pub design: &'d Design,
    /// The table.
    pub table: SmallTable,
    /// Cognito.
    pub cognito: SmallPool,
    /// Records of each shard that no run has handled.
    pub shards: BTreeMap<u8, Vec<SmallRecord>>,
    /// Messages that no run holds.
    pub queue: Vec<Message>,
    /// Runs in progress.
    pub runs: Vec<Run<'d>>,
    /// Calls to Cognito whose runs were given up.
    pub late: Vec<Effect>,
    /// What may still happen.
    pub left: Budget,
    /// When objects were deleted last.
    pub deleted: BTreeMap<SmallObject, u32>,
    /// When items were written last.
    pub written: BTreeMap<SmallObject, u32>,
    /// Objects of which Instep has never handled a record.
    pub never_handled: BTreeSet<SmallObject>,
    /// What writers wrote last of each user. Only in worlds with last revocations.
    pub last_written: BTreeMap<u8, Option<u8>>,
    /// When a grant of each user was last revoked. Only in worlds with last revocations.
    pub revoked: BTreeMap<u8, u32>,
    /// Records of writes, to be replayed. Only in worlds with last revocations and replays.
    pub history: BTreeSet<SmallRecord>,
    /// Breaches that occurred on the way.
    pub breaches: BTreeSet<Breach>,
}

impl<'d> State<'d> {
    /// The state at the start.
    #[must_use]
    pub fn first(world: &SmallWorld, design: &'d Design) -> Self {
        let mut table = world.first_table(design);
        let mut known = table.clone();
        known.items.retain(|object, _| !world.never_handled.contains(object));
        let mut cognito = world.implied(&known);
        table.bookkeeping.extend(cognito.users.keys().filter_map(|user| design.account(world, *user)));
        if world.signs_up {
            let has_account = |user: &u8| world.start.contains(&SmallObject::User(*user));
            cognito.users.extend((0..world.users).filter(has_account).map(|user| (user, 1)));
            cognito.members.retain(|member| has_account(&member.user));
        }
        let users = (0..world.users).filter(|_| world.last_revocation);
        let last_written = users.map(|user| (user, table.items.get(&SmallObject::User(user)).map(|item| item.value)));
        Self {
            design,
            cognito,
            never_handled: world.never_handled.clone(),
            last_written: last_written.collect(),
            table,
            shards: BTreeMap::new(),
            queue: Vec::new(),
            runs: Vec::new(),
            late: Vec::new(),
            left: world.budget,
            deleted: BTreeMap::new(),
            written: BTreeMap::new(),
            revoked: BTreeMap::new(),
            history: BTreeSet::new(),
            breaches: BTreeSet::new(),
        }
    }

    /// Whether nothing is left to handle.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.runs.is_empty() && self.queue.is_empty() && self.late.is_empty() && self.shards.is_empty()
    }

    /// A writer writes an item.
    pub(crate) fn write(&mut self, world: &SmallWorld, object: SmallObject, value: Option<u8>) {
        let is_user = matches!(object, SmallObject::User(_));
        let written = if world.last_revocation && is_user { self.table.clock + 1 } else { 0 };
        let record = self.table.put(world, object, value.map(|value| SmallItem { value, written }));
        if let (SmallObject::User(user), true) = (object, world.last_revocation) {
            self.last_written.insert(user, value);
        }
        self.record(world, record);
    }

    /// Somebody signs up, and the function behind the trigger tells Instep.
    pub(crate) fn sign_up(&mut self, world: &SmallWorld, user: u8) {
        self.cognito.users.insert(user, 1);
        let named = self.design.named(world, SmallObject::User(user));
        let named = named.map(|of| NamedObject::new(&self.design.model, &of, None));
        self.send(Work::Reconcile(named.into_iter().collect()), false);
    }

    /// The stream takes records.
    pub(crate) fn record(&mut self, world: &SmallWorld, records: impl IntoIterator<Item = SmallRecord>) {
        for record in records {
            self.shards.entry(world.shard(record.object)).or_default().push(record);
            self.never_handled.remove(&record.object);
            let at = if record.new.is_none() { &mut self.deleted } else { &mut self.written };
            at.insert(record.object, record.at);
            if world.last_revocation {
                if let (SmallObject::Grant(user, _), None) = (record.object, record.new) {
                    self.revoked.insert(user, record.at);
                }
                if world.budget.replays > 0 {
                    self.history.insert(record);
                }
            }
        }
        if world.closed.contains(&Race::TornRead) {
            let implied = world.implied_members(&self.table);
            self.runs.iter_mut().for_each(|run| run.seen.extend(&implied));
        }
    }

    /// A run starts. One that the product does not begin is a breach.
    pub(crate) fn begin(&mut self, world: &SmallWorld, source: Source, plan: Option<Plan>) {
        let Some(mut plan) = plan else {
            self.breaches.insert(Breach::Strange(format!("{source:?}")));
            return;
        };
        self.name_present(world, &mut plan);
        let mut run = Run::begin(self.design, &world.rules, source, plan, self.table.clock);
        if world.closed.contains(&Race::TornRead) {
            run.seen = world.implied_members(&self.table);
        }
        self.runs.push(run);
        self.go_on(world, self.runs.len() - 1);
    }

    /// A run starts over the first records of a shard.
    pub(crate) fn deliver(&mut self, world: &SmallWorld, shard: u8, count: usize) {
        let records = self.shards.get(&shard).into_iter().flatten().take(count);
        let plan = plan_of_records(world, self.design, records, Delivery::STREAM);
        self.begin(world, Source::Shard(shard, count), plan);
    }

    /// A run starts over messages.
    pub(crate) fn receive(&mut self, world: &SmallWorld, first: usize, count: usize) {
        let messages: Vec<Message> = self.queue.drain(first..first + count).collect();
        let plan = plan_of_messages(self.design, &messages, world.rules.has(Rule::RedeliveryCounts));
        self.begin(world, Source::Queue(messages), plan);
    }

    /// A run starts over a message, which is not delivered again if the run dies.
    pub(crate) fn abandon(&mut self, world: &SmallWorld, message: Message) {
        let plan = plan_of_messages(self.design, &[message], world.rules.has(Rule::RedeliveryCounts));
        self.begin(world, Source::Once, plan);
    }

    /// A record is replayed.
    pub(crate) fn replay(&mut self, world: &SmallWorld, record: SmallRecord) {
        if world.rules.has(Rule::ReplayByQueue) {
            self.queue.extend(Message::replay(world, self.design, &record));
        } else {
            let delivery = Delivery { origin: Origin::Captured, ..Delivery::STREAM };
            self.begin(world, Source::Once, plan_of_records(world, self.design, [&record], delivery));
        }
    }

    /// A message is sent. A delayed one is delivered when the index has caught up.
    pub(crate) fn send(&mut self, work: Work, is_delayed: bool) {
        let unseen = self.table.unseen.iter().filter(|_| is_delayed);
        let until = unseen.map(|(object, writes)| (*object, u8::try_from(writes.len()).unwrap_or(u8::MAX)));
        self.queue.extend(Message::new(self.design, work, until.collect()));
    }

    /// The index shows one more write of an object.
    pub(crate) fn catch_up(&mut self, object: SmallObject) {
        self.table.catch_up(object);
        for message in &mut self.queue {
            if let Some(count) = message.until.get_mut(&object) {
                *count -= 1;
                message.until.retain(|_, count| *count > 0);
            }
        }
    }

    /// After a call: a run that begins to read again forgets which memberships were implied, and a
    /// run that has reconciled ends.
    pub(crate) fn go_on(&mut self, world: &SmallWorld, at: usize) {
        let implied = world.closed.contains(&Race::TornRead).then(|| world.implied_members(&self.table));
        let Some(run) = self.runs.get_mut(at) else { return };
        if let Some(implied) = implied
            && run.begins_to_read()
        {
            run.seen = implied;
        }
        // An account item is written together with its user, so when it is read matters no more than when the user is.
        let is_account =
            |ask: &&Ask| matches!(ask, Ask::Item(key) if BookkeepingKind::of(key) == Some(BookkeepingKind::Account));
        while let Some(ask) = self.runs.get(at).and_then(|run| run.asks.iter().find(is_account)).cloned() {
            let answer = self.look_up(world, at, &ask);
            if let Some(run) = self.runs.get_mut(at) {
                run.answer(&world.rules, ask, answer);
            }
        }
        let Some(run) = self.runs.get(at) else { return };
        if run.is_reconciled && run.has_failed {
            self.end(at, 0);
        } else if run.is_reconciled && self.left.unpublished == 0 {
            self.end(at, usize::MAX);
        }
    }

    /// A run ends. Its first `done` records or messages are handled, and the rest is delivered
    /// again.
    pub(crate) fn end(&mut self, at: usize, done: usize) {
        match self.runs.remove(at).source {
            Source::Shard(shard, count) => self.drop_records(shard, count.min(done)),
            Source::Queue(messages) => self.redeliver(messages.into_iter().skip(done)),
            Source::Once => {}
        }
    }

    /// A call of a run fails, and the run ends.
    pub(crate) fn fail(&mut self, world: &SmallWorld, at: usize) {
        let Some(run) = self.runs.get(at) else { return };
        let whole = world.rules.has(Rule::RetryWholeBatch) || !matches!(run.source, Source::Shard(..));
        let first = run.due.values().filter_map(Entries::first).min();
        self.end(at, first.filter(|_| !whole).map_or(0, |first| first.0));
    }

    fn drop_records(&mut self, shard: u8, count: usize) {
        let Some(records) = self.shards.get_mut(&shard) else { return };
        let rest = mem::take(records).into_iter().skip(count).collect::<Vec<_>>();
        if rest.is_empty() {
            self.shards.remove(&shard);
        } else {
            *records = rest;
        }
    }

    fn redeliver(&mut self, messages: impl Iterator<Item = Message>) {
        self.queue.extend(messages.map(|message| Message { redelivered: true, ..message }));
    }

    /// The state as a number. The order of runs says nothing: states that differ in it alone are
    /// one.
    #[must_use]
    pub fn print(&self) -> u64 {
        let print = |what: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            what(&mut hasher);
            hasher.finish()
        };
        let mut runs: Vec<u64> = self.runs.iter().map(|run| print(&|to| run.hash(to))).collect();
        runs.sort_unstable();
        let Self { design: _, table, cognito, shards, queue, runs: _, late, left, deleted, written, .. } = self;
        print(&|to| {
            (table, cognito, shards, queue, &runs, late, left, deleted, written).hash(to);
            (&self.never_handled, &self.last_written, &self.revoked, &self.history, &self.breaches).hash(to);
        })
    }
}
