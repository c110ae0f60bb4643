//! A world in memory: a table with a stream, and Cognito, that effects are applied to as data. Small enough to be believed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use instep_flow::bookkeeping::{self, Kind};
use instep_flow::decode::{Decoded, decode};
use instep_flow::effect::{Action, Check, CreatePolicy, Effect, Expect, Spread};
use instep_flow::find;
use instep_flow::plan::Plan;
use instep_flow::read::{Membership, UserState};
use instep_flow::settle::{self, Context, Settled, settle};
use instep_flow::truth::{Asks, Found, Query, Truth, View};
use instep_model::{Item, Key, Model, Object, Value};
use jiff::Timestamp;
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use serde_json::json;
use serde_json::value::RawValue;

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).unwrap()
}

/// The same histories every time, so that a change is judged by what it changes; `PROPTEST_RNG_SEED=n` gives others.
pub(crate) fn config() -> ProptestConfig {
    let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { config.rng_seed };
    ProptestConfig { rng_seed, ..config }
}

type Effects = BTreeMap<Effect, BTreeSet<usize>>;

/// Items as they were looked at.
type Items = BTreeSet<(Object, Item)>;

/// A writer that writes according to what the table then holds.
pub(crate) type Writer = Box<dyn FnOnce(&World) -> Vec<(Key, Option<Item>)>>;

/// Table, users, groups and members.
pub(crate) type State = (BTreeMap<Key, Item>, BTreeMap<String, UserState>, BTreeSet<String>, BTreeSet<Membership>);

pub(crate) struct World {
    pub(crate) model: Model,
    pub(crate) table: BTreeMap<Key, Item>,
    pub(crate) users: BTreeMap<String, UserState>,
    pub(crate) groups: BTreeSet<String>,
    pub(crate) members: BTreeSet<Membership>,
    /// Every record ever written, as raw JSON.
    pub(crate) log: Vec<Box<RawValue>>,
    /// Writes that come one by one between effects, as those of other writers do.
    pub(crate) meanwhile: VecDeque<Writer>,
    stream: VecDeque<usize>,
    /// Objects whose group or user was made on demand.
    made: BTreeMap<Object, bool>,
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
            made: BTreeMap::new(),
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

    /// Writes or deletes an item; a write that changes nothing makes no record.
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

    /// Lets the next of the other writers write.
    pub(crate) fn write_meanwhile(&mut self) {
        if let Some(writer) = self.meanwhile.pop_front() {
            for (key, item) in writer(self) {
                self.write(key, item);
            }
        }
    }

    /// Handles the stream, `batch` records at a time, until it is quiet.
    pub(crate) fn drain(&mut self, batch: usize) {
        for _ in 0..10_000 {
            let places: Vec<usize> = (0..batch).map_while(|_| self.stream.pop_front()).collect();
            if places.is_empty() {
                return;
            }
            self.handle(&places, true);
        }
        panic!("the stream never ends");
    }

    pub(crate) fn handle(&mut self, places: &[usize], live: bool) {
        let decoded: Vec<Decoded> =
            places.iter().filter_map(|place| decode(&self.model, None, &self.log[*place]).ok()).collect();
        let model = self.model.clone();
        let mut plan = Plan::default();
        for (place, decoded) in decoded.iter().enumerate() {
            match decoded {
                Decoded::Change(change) => plan.add(&model, place, change),
                Decoded::Bookkeeping(change) => plan.add_bookkeeping(&model, place, change),
                Decoded::Told(_) | Decoded::Nothing(_) => {}
            }
        }
        for (key, (item, _)) in &plan.references {
            self.write(key.clone(), Some(item.clone()));
        }
        let mut held: BTreeSet<Effect> = BTreeSet::new();
        self.made.clear();
        for _ in 0..20 {
            let context = Context { now: self.now(), live, made: self.made.clone() };
            let (effects, undone) = self.settled(|truth| {
                let settled = settle(&plan, &model, truth, &context);
                (settled.asks, (settled.effects, settled.undone))
            });
            self.made.extend(undone.into_iter().map(|object| (object, true)));
            let due: Vec<Effect> = effects.keys().filter(|effect| !held.contains(effect)).cloned().collect();
            if due.is_empty() {
                return;
            }
            held.retain(|effect| effects.contains_key(effect));
            let mut due = due;
            due.sort_by_key(Effect::phase);
            for effect in due {
                let applied = self.apply(&effect);
                self.write_meanwhile();
                if applied {
                    held.insert(effect);
                }
            }
        }
        panic!("the batch never stands still");
    }

    /// Settles, answering what it asks for.
    fn settled<T>(&self, settle: impl Fn(&Truth) -> (Asks, T)) -> T {
        let mut truth = Truth::default();
        for _ in 0..20 {
            let (asks, settled) = settle(&truth);
            if asks.is_empty() {
                return settled;
            }
            for key in asks.keys {
                let item = self.table.get(&key).cloned();
                truth.insert(key, item);
            }
            for query in asks.queries {
                let rows = self.rows(&query);
                truth.insert_rows(query, rows);
            }
        }
        panic!("one look leads to another without end");
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

    fn apply(&mut self, effect: &Effect) -> bool {
        match effect {
            Effect::DeleteGroup { group } => {
                self.groups.remove(group);
                self.members.retain(|member| member.group != *group);
            }
            Effect::RemoveMember { user, group } => {
                self.members.remove(&Membership { user: user.clone(), group: group.clone() });
            }
            Effect::DisableUser { user } => {
                if let Some(user) = self.users.get_mut(user) {
                    user.enabled = false;
                }
            }
            Effect::DeleteUser { user } => {
                self.users.remove(user);
                self.members.retain(|member| member.user != *user);
            }
            Effect::EnsureGroup { group } => {
                self.groups.insert(group.clone());
            }
            Effect::EnsureUser(ensure) => {
                if ensure.create != CreatePolicy::Never || self.users.contains_key(&ensure.user) {
                    self.users.insert(ensure.user.clone(), ensure.state.clone());
                }
            }
            Effect::AddMember { user, group, make_group, make_user, group_of, user_of } => {
                if let (false, Some(ensure)) = (self.users.contains_key(user), make_user) {
                    self.users.insert(ensure.user.clone(), ensure.state.clone());
                    self.made.extend(user_of.clone().map(|object| (object, false)));
                }
                if *make_group && self.groups.insert(group.clone()) {
                    self.made.extend(group_of.clone().map(|object| (object, false)));
                }
                if self.users.contains_key(user) && self.groups.contains(group) {
                    self.members.insert(Membership { user: user.clone(), group: group.clone() });
                }
            }
            Effect::Write(write) => return self.transact(&write.checks, &write.actions),
            Effect::Spread(spread) => self.spread(spread),
            Effect::BringBack { object } => self.bring_back(object),
            Effect::EndSubject(end) => {
                let grouped = self.members.iter().any(|member| Some(&member.user) == end.user.as_ref());
                if !grouped && self.table.get(&end.key) == Some(&end.item) {
                    self.write(end.key.clone(), None);
                }
            }
        }
        true
    }

    fn transact(&mut self, checks: &[Check], actions: &[Action]) -> bool {
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
            return false;
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
        true
    }

    /// As the job does that this leaves.
    fn bring_back(&mut self, object: &Object) {
        let model = self.model.clone();
        let context = Context { now: self.now(), live: true, made: BTreeMap::new() };
        let again = |truth: &Truth, items: &Items| settle::itself(&model, truth, &context, object, items);
        let first = self.settled(|truth| {
            let (settled, now) = again(truth, &Items::new());
            (settled.asks, (settled.effects, now))
        });
        self.bring(first, again);
        self.spread(&Spread { object: object.clone(), removed_at: None, back: true });
    }

    fn spread(&mut self, spread: &Spread) {
        let model = self.model.clone();
        let there = self.settled(|truth| {
            let mut view = View::new(&model, truth);
            let found = matches!(view.object(&spread.object), Found::Present(..));
            (view.asks, found)
        }) || model.item(spread.object.of).assumed.contains(&spread.object.names);
        let gone = spread.removed_at.filter(|_| !there);
        if spread.removed_at.is_some() && there {
            return;
        }
        if let Some(removed_at) = gone {
            let links = model.links_to(spread.object.of).filter(|(_, link)| link.goes);
            let known = links.map(|(_, link)| find::as_known(link, &spread.object)).chain([spread.object.clone()]);
            for known in known.collect::<BTreeSet<_>>() {
                let key = bookkeeping::gone_key(&model, &known);
                let latest = bookkeeping::latest_removal(self.table.get(&key), removed_at);
                let item = bookkeeping::tombstone(&model, &key, &spread.object, latest, None);
                self.write(key, Some(item));
            }
        }
        let context = Context { now: self.now(), live: true, made: BTreeMap::new() };
        for (id, link) in model.links_to(spread.object.of) {
            if !find::follows(&model, link, spread.state()) {
                continue;
            }
            let Some(query) = find::query(&model, id, &spread.object) else { continue };
            let rows = self.rows(&query);
            let (units, effects, items) = self.settled(|truth| {
                let page = settle::page(&model, truth, &context, id, &spread.object, gone.is_some(), &rows);
                (page.settled.asks, (page.units, page.settled.effects, page.items))
            });
            for unit in units {
                let mut checks = settle::still_gone(&model, &spread.object);
                checks.extend(unit.checks);
                let keys: BTreeSet<&Key> = unit.actions.iter().map(Action::key).collect();
                let checks: BTreeMap<Key, Check> = checks
                    .into_iter()
                    .filter(|check| !keys.contains(&check.key))
                    .map(|check| (check.key.clone(), check))
                    .collect();
                self.transact(&checks.into_values().collect::<Vec<_>>(), &unit.actions);
            }
            self.bring((effects, items), |truth, items| settle::again(&model, truth, &context, items));
        }
    }

    /// Applies what items ask for, and looks again until nothing is left to do.
    fn bring(&mut self, (mut asked, mut items): (Effects, Items), again: impl Fn(&Truth, &Items) -> (Settled, Items)) {
        let mut holds = BTreeSet::new();
        while asked.keys().any(|effect| !holds.contains(effect)) {
            let due: Vec<Effect> = asked.keys().filter(|effect| !holds.contains(*effect)).cloned().collect();
            let mut moved = BTreeSet::new();
            for effect in due {
                self.write_meanwhile();
                if !self.apply(&effect) {
                    moved.insert(effect);
                }
            }
            holds = asked.into_keys().filter(|effect| !moved.contains(effect)).collect();
            let (effects, now) = self.settled(|truth| {
                let (settled, now) = again(truth, &items);
                (settled.asks, (settled.effects, now))
            });
            asked = effects;
            items.extend(now);
        }
    }

    /// Handles old records of a drained world again, in the order given: the world before and after.
    pub(crate) fn replay(&mut self, order: &[usize]) -> (State, State) {
        let before = self.state();
        for place in order {
            if !self.log.is_empty() {
                self.handle(&[place % self.log.len()], false);
            }
        }
        self.drain(3);
        (before, self.state())
    }

    /// What the stages decide on: everything but the stream.
    pub(crate) fn state(&self) -> State {
        (self.table.clone(), self.users.clone(), self.groups.clone(), self.members.clone())
    }

    /// Whether a back-reference stands for the item under a key.
    #[allow(dead_code, reason = "not every test file asks")]
    pub(crate) fn is_referred_to(&self, key: &Key) -> bool {
        let instep_model::Identity::Item { object, .. } = self.model.identify(key) else { return false };
        let links =
            self.model.links_from(object.of).filter(|(_, link)| matches!(link.find, instep_model::Find::BackReference));
        let mut targets = links.filter_map(|(id, _)| instep_flow::read::target(&self.model, id, &object, None));
        targets.all(|target| self.table.contains_key(&bookkeeping::reference_key(&self.model, &target, &object)))
    }

    /// Bookkeeping items of a kind.
    pub(crate) fn bookkeeping(&self, kind: Kind) -> usize {
        self.table.keys().filter(|key| Kind::of(key) == Some(kind)).count()
    }
}
