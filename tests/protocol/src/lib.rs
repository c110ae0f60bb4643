//! The protocol by which memberships and their groups are brought in step, as a model of which every state is explored: writers, runs
//! beside each other, replays and crashes between any two calls. The simulation runs the shipped code through some of the histories; this
//! runs a sketch of it through all that are small enough.
//!
//! Pure stages are no steps: nobody sees them. So a step is a write, a delivery, a crash, or one call ([`Call`]) of a run, and what stands
//! between two calls is computed with the one before. Publishing changes nothing that is looked at here: a run ends with its last look.
//!
//! Left out: users (to memberships they are much what groups are), what goes with a removed group (its grants stay and wait), tombstones,
//! windows of grants, guards, indexes that lag, parking, marks of groups, more dependents than fit one page, the limits of rounds, and
//! batches that have both a group and grants.

pub mod run;
pub mod settle;
pub mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use stateright::{Checker as _, Model, Property};

pub use run::{Call, Run};
pub use settle::Effect;
pub use world::{Cognito, Item, Object, Record, Role, Table, User};

/// What holds in every state.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// What it says.
    pub name: &'static str,
    holds: fn(&Protocol, &State) -> bool,
}

/// Convergence, whenever every record is settled.
pub const IN_STEP: Promise = Promise {
    name: "at rest, Cognito and the back-references are what the table implies",
    holds: |protocol, state| !state.at_rest() || state.is_in_step(protocol),
};

/// The same, but for groups that nobody is in and back-references that lead nowhere.
pub const MEMBERS_IN_STEP: Promise = Promise {
    name: "at rest, memberships are what the table implies",
    holds: |protocol, state| !state.at_rest() || state.cognito.members == state.table.implied(protocol.roles).members,
};

/// Nothing is in Cognito of which a part never was in the table.
pub const NEVER_MADE_UP: Promise = Promise {
    name: "what is in Cognito is made of parts that were in the table",
    holds: |_, state| state.is_made_of_parts(),
};

/// Nobody is in a group who never was to be, at any one moment.
pub const NEVER_TORN: Promise = Promise {
    name: "each membership was implied at one moment",
    holds: |_, state| state.cognito.members.is_subset(&state.implied),
};

/// Revocation first: a user whose role changes has at no moment both.
pub const TAKEN_FIRST: Promise =
    Promise { name: "a user has one role at a time", holds: |_, state| state.has_one_role_each() };

/// The protocol, or one that differs from it in one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// As it is shipped.
    Shipped,
    /// A proposal, which closes the windows that a crash goes through. Who brings a group's members notes what they are before it gives,
    /// for the run after a crash (here notes stay for good). Who finds a group missing leaves it to a job, whose own record brings the
    /// group and its members: so nobody makes or deletes a group that their record does not name.
    Mended,
    /// The images of records say what is true.
    EffectsFromImages,
    /// Nothing is looked at after acting.
    OneRead,
    /// Who brings a group's members takes back what the first look at them gave, not what a later one did.
    RememberTheFirstLook,
    /// The deletion of a group ends a run.
    NoLookAfterDelete,
    /// A group whose removal was seen and that lives is restored without its members.
    RestoreTheGroupAlone,
    /// Back-references are written after what they refer to was looked at.
    LookBeforeReference,
    /// Grants before revocations.
    GiveBeforeTake,
}

/// A variant of the protocol, in a world of some size.
#[derive(Debug, Clone)]
pub struct Protocol {
    /// The protocol.
    pub variant: Variant,
    /// Roles that can be granted.
    pub roles: &'static [Role],
    /// Objects that can be written, and so shards: each has one of its own, unless grants are together.
    pub objects: &'static [Object],
    /// Grants have one shard, that of the first, and so may be in one batch.
    pub grants_together: bool,
    /// The table to begin with; Cognito is in step with it.
    pub table: Table,
    /// Writes, of anything at any time.
    pub writes: u8,
    /// Most records of a batch.
    pub batch: usize,
    /// Records replayed beside the stream, whether there ever was such a write or not.
    pub replays: u8,
    /// Crashes; what crashed runs again.
    pub crashes: u8,
    /// Calls of streams to Cognito that fail and change nothing; none of those that a page makes.
    pub failures: u8,
    /// Replays that are broken off and do not run again.
    pub abandoned: u8,
    /// Requests that land in Cognito after the run that made them was given up.
    pub late: u8,
    /// What is checked.
    pub promise: Promise,
}

/// Where a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The shard of an object, or of all grants: one run at a time, and its records again until one has ended.
    Shard(Object),
    /// A redrive or replay, by number.
    Replay(u8),
    /// The shard of the jobs.
    Jobs,
}

/// All that there is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The table.
    pub table: Table,
    /// Cognito.
    pub cognito: Cognito,
    /// Records that are not settled.
    pub shards: BTreeMap<Object, Vec<Record>>,
    /// The runs under way.
    pub runs: BTreeMap<Origin, Run>,
    /// A request that was given up and has not landed.
    pub late: Option<Effect>,
    /// All items that there have been.
    pub been: BTreeSet<(Object, Item)>,
    /// All memberships that were implied.
    pub implied: BTreeSet<(User, Role)>,
    left: Left,
}

/// What may still happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Left {
    writes: u8,
    replays: u8,
    crashes: u8,
    failures: u8,
    abandoned: u8,
    late: u8,
}

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A writer puts or deletes an item.
    Write(Object, Option<Item>),
    /// Lambda invokes `functions/stream` with a shard's first records, `Instep::batch` plans them.
    Plan(Object, usize),
    /// `redrive` or `replay` hands `Instep::batch` a record.
    Replay(Record),
    /// The same for a job's record.
    Resume,
    /// A run makes a call.
    Call(Origin, Call),
    /// A run dies, and what it had to do is delivered again.
    Crash(Origin),
    /// A call fails, the last of its phase: the phases after it are held back.
    Fail(Origin, Effect),
    /// A replay is broken off for good.
    Abandon(Origin),
    /// A run dies with a request to Cognito under way.
    TimeOut(Origin, Effect),
    /// That request lands.
    Land(Effect),
}

/// What came of exploring.
#[derive(Debug)]
pub struct Explored {
    /// How many states there are, as far as was looked.
    pub states: usize,
    /// The shortest way to a broken promise; none: it holds in every state.
    pub broken: Option<Vec<Step>>,
}

impl Explored {
    /// The way to the broken promise, a line each step; empty: it holds.
    #[must_use]
    pub fn path(&self) -> String {
        self.broken.iter().flatten().map(|step| format!("{step}\n")).collect()
    }
}

impl Protocol {
    /// The shipped protocol where these objects can be written, from a table with these items: one role, and nothing happens yet.
    #[must_use]
    pub fn shipped(objects: &'static [Object], items: &[(Object, Item)]) -> Self {
        Self {
            variant: Variant::Shipped,
            roles: &[Role::Admin],
            objects,
            grants_together: false,
            table: Table::with(items.iter().copied()),
            writes: 0,
            batch: 1,
            replays: 0,
            crashes: 0,
            failures: 0,
            abandoned: 0,
            late: 0,
            promise: IN_STEP,
        }
    }

    /// Goes to every state that can be reached, the near ones first, until the promise is broken.
    #[must_use]
    pub fn explore(self) -> Explored {
        let promise = self.promise.name;
        let checker = self.checker().spawn_bfs().join();
        let broken = checker.discovery(promise).map(stateright::Path::into_actions);
        Explored { states: checker.unique_state_count(), broken }
    }

    /// Whether the members of a group that lives are ensured also where only its removal was seen.
    #[must_use]
    pub fn restores_members(&self) -> bool {
        self.variant != Variant::RestoreTheGroupAlone
    }

    /// The object whose shard has its records.
    fn shard(&self, object: Object) -> Object {
        let first = self.objects.iter().copied().find(|object| object.user().is_some());
        first.filter(|_| self.grants_together && object.user().is_some()).unwrap_or(object)
    }

    /// The items that an object can be.
    fn items(&self, object: Object) -> Vec<Option<Item>> {
        let some: Vec<_> = match object {
            Object::Group => vec![Item::Group],
            Object::Grant(_) => self.roles.iter().map(|role| Item::Grant(*role)).collect(),
        };
        some.into_iter().map(Some).chain([None]).collect()
    }

    fn records(&self) -> impl Iterator<Item = Record> {
        self.objects.iter().flat_map(|object| {
            let items = self.items(*object);
            let pairs =
                items.clone().into_iter().flat_map(move |old| items.clone().into_iter().map(move |new| (old, new)));
            pairs.filter(|(old, new)| old != new).map(|(old, new)| Record { object: *object, old, new })
        })
    }
}

impl State {
    /// Nothing is under way and no record waits.
    #[must_use]
    pub fn at_rest(&self) -> bool {
        self.runs.is_empty()
            && self.late.is_none()
            && self.table.jobs.is_empty()
            && self.shards.values().all(Vec::is_empty)
    }

    fn is_in_step(&self, protocol: &Protocol) -> bool {
        let granted: BTreeSet<_> = self.table.items.keys().filter_map(|object| object.user()).collect();
        self.cognito == self.table.implied(protocol.roles) && self.table.references == granted
    }

    fn is_made_of_parts(&self) -> bool {
        let granted = |(user, role): &(User, Role)| self.been.contains(&(Object::Grant(*user), Item::Grant(*role)));
        (self.cognito.groups.is_empty() || self.been.contains(&(Object::Group, Item::Group)))
            && self.cognito.members.iter().all(granted)
    }

    fn has_one_role_each(&self) -> bool {
        let users: BTreeSet<_> = self.cognito.members.iter().map(|(user, _)| user).collect();
        users.len() == self.cognito.members.len()
    }

    fn remember(&mut self, protocol: &Protocol) {
        // What a promise does not ask for would only multiply the states.
        if protocol.promise.name == NEVER_MADE_UP.name {
            self.been.extend(self.table.items.iter().map(|(object, item)| (*object, *item)));
        }
        if protocol.promise.name == NEVER_TORN.name {
            self.implied.extend(self.table.implied(protocol.roles).members);
        }
    }

    /// A run that ended has settled its records.
    fn report(&mut self, origin: Origin) {
        let Some(run) = self.runs.get(&origin).filter(|run| run.ended()) else { return };
        if let Origin::Shard(object) = origin
            && let Some(shard) = self.shards.get_mut(&object)
        {
            shard.drain(..run.records.len());
        }
        if origin == Origin::Jobs {
            self.table.jobs.pop();
        }
        self.runs.remove(&origin);
    }

    /// A run ended with a call that failed: what is before the first record that asked for anything left undone is settled.
    fn failed(&mut self, object: Object) {
        let Some(run) = self.runs.remove(&Origin::Shard(object)) else { return };
        if let Some(shard) = self.shards.get_mut(&object) {
            shard.drain(..run.first_left().unwrap_or(run.records.len()));
        }
    }

    /// What a run was about to do is to be done again.
    fn again(&mut self, origin: Origin, protocol: &Protocol) {
        let Some(run) = self.runs.remove(&origin) else { return };
        if matches!(origin, Origin::Replay(_)) {
            self.runs.insert(origin, Run::begin(run.records, protocol));
        }
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        let Self { writes, replays, crashes, failures, abandoned, late, .. } = *self;
        let mut state = State {
            table: self.table.clone(),
            cognito: self.table.implied(self.roles),
            shards: BTreeMap::new(),
            runs: BTreeMap::new(),
            late: None,
            been: BTreeSet::new(),
            implied: BTreeSet::new(),
            left: Left { writes, replays, crashes, failures, abandoned, late },
        };
        state.remember(self);
        vec![state]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        let State { left, .. } = state;
        for object in self.objects {
            if left.writes > 0 {
                let new = self.items(*object).into_iter().filter(|item| *item != state.table.get(*object));
                steps.extend(new.map(|item| Step::Write(*object, item)));
            }
            if self.shard(*object) == *object && !state.runs.contains_key(&Origin::Shard(*object)) {
                let records = state.shards.get(object).map_or(0, Vec::len).min(self.batch);
                steps.extend((1..=records).map(|count| Step::Plan(*object, count)));
            }
        }
        if !state.table.jobs.is_empty() && !state.runs.contains_key(&Origin::Jobs) {
            steps.push(Step::Resume);
        }
        if left.replays > 0 {
            steps.extend(self.records().map(Step::Replay));
        }
        for (origin, run) in &state.runs {
            let calls = run.calls(self);
            for call in &calls {
                if let Call::Apply(effect) = call
                    && left.late > 0
                    && effect.is_of_cognito()
                {
                    steps.push(Step::TimeOut(*origin, *effect));
                }
                steps.push(Step::Call(*origin, *call));
            }
            if let ([Call::Apply(effect)], Origin::Shard(_)) = (calls.as_slice(), origin)
                && left.failures > 0
                && effect.is_of_cognito()
                && !run.is_in_page()
            {
                steps.push(Step::Fail(*origin, *effect));
            }
            if left.crashes > 0 {
                steps.push(Step::Crash(*origin));
            }
            if left.abandoned > 0 && matches!(origin, Origin::Replay(_)) {
                steps.push(Step::Abandon(*origin));
            }
        }
        steps.extend(state.late.map(Step::Land));
    }

    fn next_state(&self, last: &State, step: Step) -> Option<State> {
        let mut state = last.clone();
        match step {
            Step::Write(object, item) => {
                state.left.writes -= 1;
                let record = state.table.write(object, item)?;
                state.shards.entry(self.shard(object)).or_default().push(record);
                state.remember(self);
            }
            Step::Plan(object, count) => {
                let records = state.shards.get(&object)?.iter().take(count).copied().collect();
                state.runs.insert(Origin::Shard(object), Run::begin(records, self));
            }
            Step::Replay(record) => {
                state.left.replays -= 1;
                state.runs.insert(Origin::Replay(state.left.replays), Run::begin(vec![record], self));
            }
            Step::Resume => {
                state.runs.insert(Origin::Jobs, Run::begin(state.table.jobs.get(..1)?.to_vec(), self));
            }
            Step::Call(origin, call) => {
                let run = state.runs.get_mut(&origin)?;
                run.call(call, self, &mut state.table, &mut state.cognito);
                state.report(origin);
            }
            Step::Crash(origin) => {
                state.left.crashes -= 1;
                state.again(origin, self);
            }
            Step::Fail(origin, _) => {
                state.left.failures -= 1;
                let Origin::Shard(object) = origin else { return None };
                state.failed(object);
            }
            Step::Abandon(origin) => {
                state.left.abandoned -= 1;
                state.runs.remove(&origin);
            }
            Step::TimeOut(origin, effect) => {
                state.left.late -= 1;
                state.late = Some(effect);
                state.again(origin, self);
            }
            Step::Land(effect) => {
                state.late = None;
                state.cognito.apply(effect);
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(self.promise.name, self.promise.holds)]
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(object, None) => write!(f, "writer: delete {object:?}"),
            Self::Write(object, Some(item)) => write!(f, "writer: put {object:?}, {item:?}"),
            Self::Plan(object, records) => write!(f, "{}: plan, records: {records}", Origin::Shard(*object)),
            Self::Replay(Record { object, old, new }) => write!(f, "replay: plan {object:?}, {old:?} to {new:?}"),
            Self::Resume => f.write_str("job: plan"),
            Self::Call(origin, call) => write!(f, "{origin}: {call:?}"),
            Self::Crash(origin) => write!(f, "{origin}: crash"),
            Self::Fail(origin, effect) => write!(f, "{origin}: {effect:?} fails"),
            Self::Abandon(origin) => write!(f, "{origin}: abandoned"),
            Self::TimeOut(origin, effect) => write!(f, "{origin}: {effect:?} times out"),
            Self::Land(effect) => write!(f, "{effect:?} lands"),
        }
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shard(object) => write!(f, "stream of {object:?}"),
            Self::Replay(_) => f.write_str("replay"),
            Self::Jobs => f.write_str("job"),
        }
    }
}
