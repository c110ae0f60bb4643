//! A world in memory to which effects are applied as data: a table with a stream, and Cognito. It
//! is kept small so that it is easy to verify.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use instep_flow::bookkeeping::{self, Kind};
use instep_flow::decode::{Decoded, decode};
use instep_flow::effect::{Action, AddMember, Check, CreatePolicy, DeleteSubject, Effect, Expect, IfMissing};
use instep_flow::plan::{Delivery, Plan};
use instep_flow::read::{Membership, UserState};
use instep_flow::reads::{Answers, Asks, Page, PageAsk, Query};
use instep_flow::reconcile::{Applied, Missing, Next, Reconciler};
use instep_flow::work::{Origin, Work};
use instep_model::{Item, Key, Model, Value};
use jiff::Timestamp;
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use serde_json::json;
use serde_json::value::RawValue;

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).unwrap()
}

/// The histories are the same in every run, so that a failure comes from a change of the code.
/// `PROPTEST_RNG_SEED=n` gives others.
pub(crate) fn config() -> ProptestConfig {
    let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { config.rng_seed };
    ProptestConfig { rng_seed, ..config }
}

/// A record of a capture, handled beside the live stream.
pub(crate) const CAPTURED: Delivery = Delivery { origin: Origin::Captured, redelivered: false };

/// The number of rows of a page.
const PAGE_ROWS: usize = 2;

/// A writer that writes according to the present table.
pub(crate) type Writer = Box<dyn FnOnce(&World) -> Vec<(Key, Option<Item>)>>;

/// The table, and Cognito's users, groups and members.
pub(crate) type State = (BTreeMap<Key, Item>, BTreeMap<String, UserState>, BTreeSet<String>, BTreeSet<Membership>);

pub(crate) struct World {
    pub(crate) model: Model,
    pub(crate) table: BTreeMap<Key, Item>,
    pub(crate) users: BTreeMap<String, UserState>,
    pub(crate) groups: BTreeSet<String>,
    pub(crate) members: BTreeSet<Membership>,
    /// Every record ever written, as raw JSON.
    pub(crate) log: Vec<Box<RawValue>>,
    /// Writes that other writers make between effects, one at a time.
    pub(crate) meanwhile: VecDeque<Writer>,
    stream: VecDeque<usize>,
    queue: VecDeque<Work>,
    clock: i64,
}

impl World {
    pub(crate) fn new(model: &str) -> Self {
        Self {
            model: Model::shipped(model).unwrap(),
            table: BTreeMap::new(),
            users: BTreeMap::new(),
            groups: BTreeSet::new(),
            members: BTreeSet::new(),
            log: Vec::new(),
            meanwhile: VecDeque::new(),
            stream: VecDeque::new(),
            queue: VecDeque::new(),
            clock: 0,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        at(self.clock)
    }

    pub(crate) fn key(&self, item: &Item) -> Key {
        let part = |name: &str| item.get(name).and_then(Value::as_s).unwrap().to_owned();
        Key { pk: part(&self.model.table.pk), sk: part(&self.model.table.sk) }
    }

    /// Writes or deletes an item. A write that changes nothing gives no record.
    pub(crate) fn write(&mut self, key: Key, new: Option<Item>) {
        let old = match &new {
            Some(item) => self.table.insert(key.clone(), item.clone()),
            None => self.table.remove(&key),
        };
        if old == new {
            return;
        }
        self.clock += 10;
        let name = match (&old, &new) {
            (None, _) => "INSERT",
            (_, None) => "REMOVE",
            _ => "MODIFY",
        };
        let mut body = json!({
            "ApproximateCreationDateTime": self.now().as_second(),
            "Keys": {&self.model.table.pk: {"S": key.pk}, &self.model.table.sk: {"S": key.sk}},
            "SequenceNumber": format!("{:021}", 100 + self.log.len()),
        });
        for (image, item) in [("OldImage", &old), ("NewImage", &new)] {
            if let Some(item) = item {
                body[image] = serde_json::to_value(item).unwrap();
            }
        }
        let record = json!({"eventName": name, "dynamodb": body});
        self.stream.push_back(self.log.len());
        self.log.push(serde_json::value::to_raw_value(&record).unwrap());
    }

    /// Whether a child was created before the last deletion of a parent, or within the grace of it.
    pub(crate) fn was_created_before(&self, child: &Key, is_parent: impl Fn(&Key) -> bool) -> bool {
        let (mut created, mut deleted) = (None, None);
        for record in &self.log {
            let record: serde_json::Value = serde_json::from_str(record.get()).unwrap();
            let body = &record["dynamodb"];
            let part = |name: &str| body["Keys"][name]["S"].as_str().unwrap().to_owned();
            let key = Key { pk: part(&self.model.table.pk), sk: part(&self.model.table.sk) };
            let at = body["ApproximateCreationDateTime"].as_i64();
            match record["eventName"].as_str() {
                Some("INSERT") if key == *child => created = at,
                Some("REMOVE") if is_parent(&key) => deleted = at,
                _ => {}
            }
        }
        created.zip(deleted).is_some_and(|(created, deleted)| created <= deleted + 10)
    }

    /// Makes the next write of the other writers.
    pub(crate) fn write_meanwhile(&mut self) {
        if let Some(writer) = self.meanwhile.pop_front() {
            for (key, item) in writer(self) {
                self.write(key, item);
            }
        }
    }

    /// Handles the stream, `batch` records at a time, and the work queue, until both are empty.
    pub(crate) fn drain(&mut self, batch: usize) {
        for _ in 0..10_000 {
            let places: Vec<usize> = (0..batch).map_while(|_| self.stream.pop_front()).collect();
            if !places.is_empty() {
                self.handle(&places, Delivery::STREAM);
            } else if let Some(message) = self.queue.pop_front() {
                self.work(message);
            } else {
                return;
            }
        }
        panic!("the stream or the queue never ends");
    }

    /// Handles records together.
    pub(crate) fn handle(&mut self, places: &[usize], delivery: Delivery) {
        let decoded: Vec<Decoded> =
            places.iter().filter_map(|place| decode(&self.model, None, &self.log[*place]).ok()).collect();
        let mut plan = Plan::default();
        for (place, decoded) in decoded.iter().enumerate() {
            match decoded {
                Decoded::Change(change) => plan.add(&self.model, place, change, delivery),
                Decoded::Bookkeeping(change) => plan.add_bookkeeping(&self.model, place, change),
                Decoded::Nothing(_) => {}
            }
        }
        self.run(plan);
    }

    fn work(&mut self, message: Work) {
        let mut plan = Plan::default();
        match message {
            Work::Reconcile(objects) => {
                objects.iter().for_each(|object| plan.add_named(&self.model, 0, object, false));
            }
            Work::Dependents(dependents) => plan.add_dependents(0, &dependents, false, true),
            Work::Extra(extra) => plan.add_extra(0, &extra),
            Work::Records(_) | Work::Kept(_) => {}
        }
        self.run(plan);
    }

    /// Drives the same loop as production.
    fn run(&mut self, plan: Plan) {
        let model = self.model.clone();
        for (key, (item, _)) in &plan.references {
            self.write(key.clone(), Some(item.clone()));
        }
        let mut reconciler = Reconciler::new(&model, plan, self.now());
        loop {
            match reconciler.next() {
                Next::Read(asks) => {
                    self.write_meanwhile();
                    reconciler.answer(self.read(asks), std::time::Duration::ZERO);
                }
                Next::Apply(effects) => {
                    for (effect, places) in effects {
                        let applied = self.apply(&effect);
                        self.write_meanwhile();
                        reconciler.applied(&effect, &places, applied);
                    }
                }
                Next::Done(reconciled) => {
                    assert_eq!(reconciled.failed, None);
                    return;
                }
            }
        }
    }

    fn read(&self, asks: Asks) -> Answers {
        let mut answers = Answers::default();
        for key in asks.keys {
            let item = self.table.get(&key).cloned();
            answers.item(key, item);
        }
        for query in asks.queries {
            let rows = self.rows(&query);
            answers.rows(query, rows);
        }
        for ask in asks.pages {
            let page = self.page(&ask);
            answers.page(ask, page);
        }
        for user in asks.groups_of {
            let of_user = self.members.iter().filter(|member| member.user == user);
            let groups = of_user.map(|member| member.group.clone()).collect();
            answers.groups_of(user, groups);
        }
        answers
    }

    /// Small pages, so that histories need more than one.
    fn page(&self, ask: &PageAsk) -> Page {
        let keys = |item: &Item| Key { pk: self.key(item).pk, sk: self.key(item).sk };
        let after = ask.after.as_ref().map(&keys);
        let mut rows = self.rows(&ask.query);
        rows.retain(|row| after.as_ref().is_none_or(|after| keys(row) > *after));
        let more = rows.len() > PAGE_ROWS;
        rows.truncate(PAGE_ROWS);
        let is_key = |name: &String| *name == self.model.table.pk || *name == self.model.table.sk;
        let last = rows.last().filter(|_| more);
        let next =
            last.map(|row| row.iter().filter(|(name, _)| is_key(name)).map(|(n, v)| (n.clone(), v.clone())).collect());
        Page { rows, next }
    }

    fn rows(&self, query: &Query) -> Vec<Item> {
        let text = |item: &Item, name: &str| item.get(name).and_then(Value::as_s).map(str::to_owned);
        let matches = |item: &&Item| {
            text(item, &query.pk_attribute).as_ref() == Some(&query.pk)
                && (query.sk_prefix.is_empty()
                    || text(item, &query.sk_attribute).is_some_and(|sk| sk.starts_with(&query.sk_prefix)))
        };
        self.table.values().filter(matches).cloned().collect()
    }

    fn apply(&mut self, effect: &Effect) -> Applied {
        match effect {
            Effect::DeleteGroup { group, .. } => {
                self.groups.remove(group);
                self.members.retain(|member| member.group != *group);
            }
            Effect::RemoveMember(membership) => {
                self.members.remove(membership);
            }
            Effect::DisableUser { user } => {
                if let Some(user) = self.users.get_mut(user) {
                    user.enabled = false;
                }
            }
            Effect::DeleteUser { user, .. } => {
                self.users.remove(user);
                self.members.retain(|member| member.user != *user);
            }
            Effect::EnsureGroup { group, .. } => return Applied::Done { created: self.groups.insert(group.clone()) },
            Effect::EnsureUser(ensure) => {
                if ensure.create != CreatePolicy::Never || self.users.contains_key(&ensure.user) {
                    let before = self.users.insert(ensure.user.clone(), ensure.state.clone());
                    return Applied::Done { created: before.is_none() };
                }
            }
            Effect::AddMember(add) => return self.add_member(add),
            Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => {
                return self.transact(&write.checks, &write.actions);
            }
            Effect::MarkDeleted(marked) => return self.transact(&[], &[marked.action()]),
            Effect::DeletePage(page) => {
                for unit in &page.units {
                    let keys: BTreeSet<&Key> = unit.actions.iter().map(Action::key).collect();
                    let checks = page.checks.iter().chain(&unit.checks).filter(|check| !keys.contains(&check.key));
                    let checks: BTreeMap<&Key, &Check> = checks.map(|check| (&check.key, check)).collect();
                    let checks: Vec<Check> = checks.into_values().cloned().collect();
                    if self.transact(&checks, &unit.actions) == Applied::Moved && !unit.checks.is_empty() {
                        return Applied::Moved;
                    }
                }
            }
            Effect::HandOn(objects) => self.queue.push_back(Work::Reconcile(objects.clone())),
            Effect::Continue(dependents) => self.queue.push_back(Work::Dependents(dependents.clone())),
        }
        Applied::DONE
    }

    fn add_member(&mut self, add: &AddMember) -> Applied {
        let Membership { user, group } = &add.membership;
        if !self.users.contains_key(user) {
            return Applied::Missing(Missing::User);
        }
        let mut created = false;
        if let IfMissing::Create(entries) = &add.if_no_group
            && !self.groups.contains(group)
        {
            self.transact(&[], entries);
            created = self.groups.insert(group.clone());
        }
        if !self.groups.contains(group) {
            return Applied::Missing(Missing::Group);
        }
        self.members.insert(add.membership.clone());
        Applied::Done { created }
    }

    fn transact(&mut self, checks: &[Check], actions: &[Action]) -> Applied {
        let mut keys = BTreeSet::new();
        for key in checks.iter().map(|check| &check.key).chain(actions.iter().map(Action::key)) {
            assert!(keys.insert(key.clone()), "one item twice in a transaction: {key:?}");
        }
        let holds = |key: &Key, expect: &Expect| match (expect, self.table.get(key)) {
            (Expect::Any, _) | (Expect::Absent, None) | (Expect::Present, Some(_)) => true,
            (Expect::Like(attributes), Some(item)) => {
                attributes.iter().all(|(name, value)| item.get(name) == value.as_ref())
            }
            _ => false,
        };
        let held = checks.iter().all(|check| holds(&check.key, &check.expect))
            && actions.iter().all(|action| match action {
                Action::Put { key, expect, .. } | Action::Delete { key, expect } | Action::Set { key, expect, .. } => {
                    holds(key, expect)
                }
            });
        if !held {
            return Applied::Moved;
        }
        for action in actions {
            match action {
                Action::Put { key, item, .. } => self.write(key.clone(), Some(item.clone())),
                Action::Delete { key, .. } => self.write(key.clone(), None),
                Action::Set { key, attributes, .. } => {
                    let mut item = self.table.get(key).cloned().unwrap_or_default();
                    for (name, value) in attributes {
                        match value {
                            Some(value) => item.insert(name.clone(), value.clone()),
                            None => item.remove(name),
                        };
                    }
                    self.write(key.clone(), Some(item));
                }
            }
        }
        Applied::DONE
    }

    /// Handles old records again in this order, after everything else is handled. Returns the world
    /// before and after.
    pub(crate) fn replay(&mut self, order: &[usize]) -> (State, State) {
        let before = self.state();
        for place in order {
            if !self.log.is_empty() {
                self.handle(&[place % self.log.len()], CAPTURED);
            }
        }
        self.drain(3);
        (before, self.state())
    }

    /// The state that the stages act on: everything but the stream.
    pub(crate) fn state(&self) -> State {
        (self.table.clone(), self.users.clone(), self.groups.clone(), self.members.clone())
    }

    /// Whether a back-reference exists for the item under a key.
    #[allow(dead_code, reason = "not every test file asks")]
    pub(crate) fn is_referred_to(&self, key: &Key) -> bool {
        let instep_model::Identity::Item { object, .. } = self.model.identify(key) else { return false };
        let links =
            self.model.links_from(object.of).filter(|(_, link)| matches!(link.find, instep_model::Find::BackReference));
        let mut targets = links.filter_map(|(id, _)| instep_flow::read::target(&self.model, id, &object, None));
        targets.all(|target| self.table.contains_key(&bookkeeping::reference_key(&self.model, &target, &object)))
    }

    /// The bookkeeping items of a kind.
    pub(crate) fn bookkeeping(&self, kind: Kind) -> usize {
        self.table.keys().filter(|key| Kind::of(key) == Some(kind)).count()
    }
}
