//! Everything at one moment.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use crate::check::{self, Breach};
use crate::cognito::{Answered, Cognito};
use crate::effect::{Answer, Ask, Effect, Write};
use crate::message::{Message, Named, Plan, Seen, Work};
use crate::rules::Rule;
use crate::run::{Applied, Run, Source};
use crate::table::{Item, Record, Table};
use crate::world::{Budget, Link, Object, Window, World};

/// Everything at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The table.
    pub table: Table,
    /// Cognito.
    pub cognito: Cognito,
    /// Records of each shard that no run has handled.
    pub shards: BTreeMap<u8, Vec<Record>>,
    /// Messages that no run holds.
    pub queue: Vec<Message>,
    /// Runs in progress.
    pub runs: Vec<Run>,
    /// Calls to Cognito whose runs were given up.
    pub late: Vec<Effect>,
    /// What may still happen.
    pub left: Budget,
    /// Objects that existed and were deleted.
    pub deleted: BTreeSet<Object>,
    /// Objects of which Instep has never handled a record.
    pub never_handled: BTreeSet<Object>,
    /// What writers wrote last of each user. Only in worlds with last revocations.
    pub last_written: BTreeMap<u8, Option<u8>>,
    /// When a grant of each user was last revoked. Only in worlds with last revocations.
    pub revoked: BTreeMap<u8, u32>,
    /// Records of writes, to be replayed. Only in worlds with last revocations and replays.
    pub history: BTreeSet<Record>,
    /// Breaches that occurred on the way.
    pub breaches: BTreeSet<Breach>,
}

/// The effect of a fault on a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// The call is answered.
    Answered,
    /// The call takes effect, and its answer is lost.
    Lost,
    /// The call is answered "not found" and takes no effect.
    NotFound,
}

impl State {
    /// The state at the start.
    #[must_use]
    pub fn first(world: &World) -> Self {
        let table = world.first_table();
        let mut known = table.clone();
        known.items.retain(|object, _| !world.never_handled.contains(object));
        let users = (0..world.users).filter(|_| world.last_revocation);
        let last_written = users.map(|user| (user, table.items.get(&Object::User(user)).map(|item| item.value)));
        Self {
            cognito: world.implied(&known),
            never_handled: world.never_handled.clone(),
            last_written: last_written.collect(),
            table,
            shards: BTreeMap::new(),
            queue: Vec::new(),
            runs: Vec::new(),
            late: Vec::new(),
            left: world.budget,
            deleted: BTreeSet::new(),
            revoked: BTreeMap::new(),
            history: BTreeSet::new(),
            breaches: BTreeSet::new(),
        }
    }

    /// All breaches.
    #[must_use]
    pub fn breaches(&self, world: &World) -> Vec<Breach> {
        check::breaches(world, self)
    }

    /// Whether nothing is left to handle.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.runs.is_empty() && self.queue.is_empty() && self.late.is_empty() && self.shards.is_empty()
    }

    /// A writer writes an item.
    pub(crate) fn write(&mut self, world: &World, object: Object, value: Option<u8>) {
        let is_user = matches!(object, Object::User(_));
        let written = if world.last_revocation && is_user { self.table.clock + 1 } else { 0 };
        let record = self.table.put(world, object, value.map(|value| Item { value, written }));
        if let (Object::User(user), true) = (object, world.last_revocation) {
            self.last_written.insert(user, value);
        }
        self.record(world, record);
    }

    /// The stream takes records.
    fn record(&mut self, world: &World, records: impl IntoIterator<Item = Record>) {
        for record in records {
            self.shards.entry(world.shard(record.object)).or_default().push(record);
            self.never_handled.remove(&record.object);
            if record.new.is_none() {
                self.deleted.insert(record.object);
            }
            if world.last_revocation {
                if let (Object::Grant(user, _), None) = (record.object, record.new) {
                    self.revoked.insert(user, record.at);
                }
                if world.budget.replays > 0 {
                    self.history.insert(record);
                }
            }
        }
        if world.closed.contains(&Window::TornRead) {
            let implied = world.implied_members(&self.table);
            self.runs.iter_mut().for_each(|run| run.seen.extend(&implied));
        }
    }

    /// A run starts.
    pub(crate) fn begin(&mut self, world: &World, source: Source, plan: Plan) {
        let mut run = Run::begin(world, source, plan, self.table.clock);
        if world.closed.contains(&Window::TornRead) {
            run.seen = world.implied_members(&self.table);
        }
        self.runs.push(run);
    }

    /// A run starts over the first records of a shard.
    pub(crate) fn deliver(&mut self, world: &World, shard: u8, count: usize) {
        let mut plan = Plan::default();
        for record in self.shards.get(&shard).into_iter().flatten().take(count) {
            plan.add(Seen { record: *record, replayed: false, redelivered: false });
        }
        self.begin(world, Source::Shard(shard, count), plan);
    }

    /// A run starts over messages.
    pub(crate) fn receive(&mut self, world: &World, first: usize, count: usize) {
        let messages: Vec<Message> = self.queue.drain(first..first + count).collect();
        let plan = plan_of(world, &messages);
        self.begin(world, Source::Queue(messages), plan);
    }

    /// A run starts over a message, which is not delivered again if the run dies.
    pub(crate) fn abandon(&mut self, world: &World, message: &Message) {
        self.begin(world, Source::Once, plan_of(world, std::slice::from_ref(message)));
    }

    /// A record is replayed.
    pub(crate) fn replay(&mut self, world: &World, record: Record) {
        if world.rules.has(Rule::ReplayByQueue) {
            self.send(Work::Record(record), false);
        } else {
            let mut plan = Plan::default();
            plan.add(Seen { record, replayed: true, redelivered: false });
            self.begin(world, Source::Once, plan);
        }
    }

    fn send(&mut self, work: Work, late: bool) {
        let unseen = self.table.unseen.iter().filter(|_| late);
        let until = unseen.map(|(object, writes)| (*object, u8::try_from(writes.len()).unwrap_or(u8::MAX)));
        let until = until.collect();
        self.queue.push(Message { work, redelivered: false, until });
    }

    /// The index shows one more write of an object.
    pub(crate) fn catch_up(&mut self, object: Object) {
        self.table.catch_up(object);
        for message in &mut self.queue {
            if let Some(count) = message.until.get_mut(&object) {
                *count -= 1;
                message.until.retain(|_, count| *count > 0);
            }
        }
    }

    /// A run reads.
    pub(crate) fn read(&mut self, world: &World, at: usize, ask: Ask) {
        let answer = self.look_up(world, ask);
        if let Some(run) = self.runs.get_mut(at) {
            run.answer(world, ask, answer);
        }
        self.go_on(world, at);
    }

    fn look_up(&self, world: &World, ask: Ask) -> Answer {
        let table = &self.table;
        match ask {
            Ask::Item(object) => Answer::Item(table.items.get(&object).copied()),
            Ask::Tombstone(object) => Answer::Tombstone(table.tombstones.get(&object).copied()),
            Ask::Page(of, link, after) => {
                let mut rows = table.rows(world, of, link);
                rows.retain(|(row, _)| after.is_none_or(|after| *row > after));
                let more = rows.len() > world.page;
                rows.truncate(world.page);
                Answer::Rows(rows, more)
            }
            Ask::Grants(user) => Answer::Rows(table.rows(world, user, Link::GrantOfUser), false),
            Ask::Groups(user) => {
                Answer::Groups(self.cognito.members.iter().filter(|member| member.user == user).copied().collect())
            }
        }
    }

    /// A run applies an effect.
    pub(crate) fn apply(&mut self, world: &World, at: usize, effect: &Effect, call: Call) {
        let applied = self.perform(world, effect, call);
        if let Some(run) = self.runs.get_mut(at) {
            if let (Effect::AddMember(membership, _), Applied::Done { .. }) = (effect, applied) {
                if run.due.iter().any(Effect::revokes) {
                    self.breaches.insert(Breach::GrantedFirst(*membership));
                }
                if world.closed.contains(&Window::TornRead) && !run.seen.contains(membership) {
                    self.breaches.insert(Breach::Torn(*membership));
                }
            }
            run.applied(world, effect, applied);
        }
        self.go_on(world, at);
    }

    fn perform(&mut self, world: &World, effect: &Effect, call: Call) -> Applied {
        match effect {
            Effect::WriteReference { to, from } => drop(self.table.references.insert((*to, *from))),
            Effect::HandOn(named) => {
                self.send(Work::Reconcile(named.clone()), named.iter().any(|named: &Named| named.late));
            }
            Effect::Continue(dependents) => self.send(Work::Dependents(*dependents), dependents.late),
            Effect::Write(write) => {
                let applied = self.write_back(world, write);
                return if applied && call != Call::Lost { Applied::Done { created: false } } else { Applied::Moved };
            }
            Effect::RemoveMember(_)
            | Effect::DeleteGroup(..)
            | Effect::DeleteUser(_)
            | Effect::EnsureUser(..)
            | Effect::EnsureGroup(..)
            | Effect::AddMember(..) => {
                if call == Call::NotFound {
                    return Applied::Done { created: false };
                }
                let unsure = call == Call::Lost && !world.rules.has(Rule::LostCreationCounts);
                return match self.cognito.apply(effect) {
                    Answered::Done { created } => Applied::Done { created: created && !unsure },
                    Answered::NotFound(object) => Applied::Missing(object),
                };
            }
        }
        Applied::Done { created: false }
    }

    /// Writes to the table on behalf of a run. Returns whether the conditions were met.
    fn write_back(&mut self, world: &World, write: &Write) -> bool {
        if let Write::DeleteSubject { user: Object::User(user), item, .. } = write {
            let present = self.table.items.get(&Object::User(*user));
            if present.is_some_and(|present| present != item) && !world.rules.has(Rule::SubjectIsUnchanged) {
                self.breaches.insert(Breach::DeletedAlthoughWritten(*user));
            }
        }
        let Some(records) = self.table.apply(world, write) else { return false };
        match write {
            Write::DeleteChildren { parent: Object::User(user), link, .. }
                if world.is_last(*link) && self.last_written.get(user).is_some_and(Option::is_some) =>
            {
                self.breaches.extend(records.iter().map(|record| Breach::DeletedGrant(record.object)));
            }
            Write::DeleteChildren { parent, .. } if self.table.has(*parent) => {
                self.breaches.extend(records.iter().map(|record| Breach::DeletedBelow(record.object)));
            }
            Write::DeleteSubject { user: Object::User(user), item, .. } => {
                if self.revoked.get(user).is_none_or(|at| *at <= item.written) {
                    self.breaches.insert(Breach::DeletedWithoutRevocation(*user));
                }
            }
            Write::DeleteReference { .. }
            | Write::Tombstone { .. }
            | Write::DeleteChildren { .. }
            | Write::DeleteSubject { .. }
            | Write::Restore { .. }
            | Write::Forget { .. } => {}
        }
        self.record(world, records);
        true
    }

    /// After a call: a run that begins to read again forgets which memberships were implied, and a
    /// run that has reconciled ends.
    fn go_on(&mut self, world: &World, at: usize) {
        let implied = world.closed.contains(&Window::TornRead).then(|| world.implied_members(&self.table));
        let Some(run) = self.runs.get_mut(at) else { return };
        if let Some(implied) = implied
            && run.begins_to_read()
        {
            run.seen = implied;
        }
        if run.is_reconciled && self.left.unpublished == 0 {
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
    pub(crate) fn fail(&mut self, world: &World, at: usize) {
        let Some(run) = self.runs.get(at) else { return };
        let mut done = 0;
        if let (Source::Shard(shard, count), false) = (&run.source, world.rules.has(Rule::RetryWholeBatch)) {
            let undone = |record: &&Record| !run.due.iter().any(|effect| effect.subject() == Some(record.object));
            done = self.shards.get(shard).into_iter().flatten().take(*count).take_while(undone).count();
        }
        self.end(at, done);
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
}

fn plan_of(world: &World, messages: &[Message]) -> Plan {
    let mut plan = Plan::default();
    for message in messages {
        plan.add_message(message, world.rules.has(Rule::RedeliveryCounts));
    }
    plan
}
