//! Plays the steps of a story in a world.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use instep_aws::clock::Tick;
use instep_aws::redrive::{Redrive, Store};
use instep_aws::{Decision, Instep, QueueMessage, RunOptions, Sending, SignUp, WorkReport};
use instep_doctor::access::{self, FunctionRole};
use instep_flow::report::Report;
use instep_local::{APP_CLIENT, CONFIRMATION_CODE, Fault, PoolOptions, first_sub};
use instep_model::Model;
use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::page::{Background, Case, PageStep, expected, filled};
use crate::gate::{ANY, gated, once_more, stopping, take_records, take_work};
use crate::sweep;
use crate::world::{QUEUE, World, now, run};

/// What the text of a model begins with that says neither its name nor its table.
const HEAD: &str = "model = \"own\"\ntable = { pk = \"pk\", sk = \"sk\" }\n";

/// A world, and what the steps of a story have done in it.
pub struct Stage {
    pub(super) world: Arc<World>,
    models: BTreeMap<String, Arc<Model>>,
    /// The events of the pool's trigger that no function was given yet.
    sign_ups: Arc<Mutex<Vec<String>>>,
    case: Case,
    taken: Taken,
    /// What the last step that delivered something led to.
    pub(super) done: Delivered,
    /// The calls before that step.
    pub(super) calls: BTreeMap<String, u64>,
    /// The events before that are not told of.
    pub(super) forgotten: usize,
}

/// The records that `take` took last, and the messages that `take work` took.
#[derive(Default, Clone)]
struct Taken {
    records: Vec<Box<RawValue>>,
    messages: Vec<QueueMessage>,
}

#[derive(Default)]
pub(super) struct Delivered {
    pub(super) reports: Vec<Report>,
    /// The messages that are to be delivered again; 1 for a step that is to be done again.
    pub(super) failed: usize,
    pub(super) tick: Tick,
}

impl Taken {
    /// Runs a handler over the records, over the messages, or as the clock does.
    async fn delivered(&self, over: &str, instep: &Instep, run: &RunOptions) -> Delivered {
        match over {
            "handle" => Delivered { reports: vec![instep.handle(&self.records, run).await], ..Delivered::default() },
            "work" => {
                let WorkReport { failed, report, .. } = instep.work(&self.messages, run).await;
                Delivered { reports: vec![report], failed: failed.len(), ..Delivered::default() }
            }
            "tick" => match instep.tick(run).await {
                Ok(tick) => Delivered { tick, ..Delivered::default() },
                Err(_) => Delivered { failed: 1, ..Delivered::default() },
            },
            over => unreachable!("no such step: {over}"),
        }
    }
}

impl Stage {
    pub async fn set(setting: &Background, case: &Case) -> Self {
        let load = |(name, text): (&String, &String)| (name.clone(), Arc::new(model(&filled(text, case))));
        let models: BTreeMap<_, _> = setting.models.iter().map(load).collect();
        let model = Model::clone(&models[""]);
        // People can sign up in it, whatever the model says of them.
        let pool = PoolOptions { sign_up: true, ..PoolOptions::of(&model) };
        let world = World::of_pool(model, Duration::from_secs(setting.lag_s), pool).await.parking();
        let (world, case) = (Arc::new(world), case.clone());
        let (taken, done) = (Taken::default(), Delivered::default());
        let sign_ups = Arc::new(Mutex::new(Vec::new()));
        let events = Arc::clone(&sign_ups);
        world.stack.watch_sign_ups(Box::new(move |event| events.lock().unwrap().push(event.to_owned())));
        Self { world, models, sign_ups, case, taken, done, calls: BTreeMap::new(), forgotten: 0 }
    }

    /// Plays steps, until one does not find what it says. The error is that step, and what it found.
    pub async fn play(&mut self, steps: &[PageStep]) -> Result<(), String> {
        for step in steps {
            let text = with_subs(&filled(&step.text, &self.case));
            if let Some((what, expected)) = expected(&text) {
                let found = self.found(what).await;
                if found != expected.trim() {
                    return Err(format!("line {}: {text}\n    found: {found}", step.line));
                }
            } else if step.inner.is_empty() {
                self.act(&text).await;
                if matches!(text.split(' ').next(), Some("drain" | "handle" | "work")) {
                    self.assert_permitted();
                }
            } else {
                Box::pin(self.within(&text, &step.inner)).await?;
            }
        }
        Ok(())
    }

    /// A step with others under it.
    async fn within(&mut self, text: &str, inner: &[PageStep]) -> Result<(), String> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["hold", operation] => self.hold("handle", operation, inner).await,
            ["hold", over, operation] => self.hold(over, operation, inner).await,
            ["for", times] => {
                for n in 1..=times.parse().unwrap() {
                    self.case.insert("n".to_owned(), format!("{n:03}"));
                    self.play(inner).await?;
                }
                Ok(())
            }
            _ => unreachable!("no such step: {text}"),
        }
    }

    /// Runs a handler, and plays the steps under it while the handler waits with its first call of an operation. What is
    /// under `until` happens at the first such call after that, and `die` ends the handler at its next call.
    async fn hold(&mut self, over: &str, operation: &str, inner: &[PageStep]) -> Result<(), String> {
        let texts: Vec<String> = inner.iter().map(|step| filled(&step.text, &self.case)).collect();
        let next = texts.iter().filter_map(|text| if text == "die" { Some(ANY) } else { text.strip_prefix("until ") });
        let operations: Vec<&str> = iter::once(operation).chain(next).collect();
        let (handler, mut stops) = stopping(&self.world, &operations);
        let death = stops.pop_if(|_| operations.last() == Some(&ANY));
        let (taken, run, over) = (self.taken.clone(), self.run(), over.to_owned());
        let is_work = over == "work";
        // A task has a stack of its own. Its handler is dropped with it: then nobody waits for a call that it did not
        // make.
        let handled = tokio::task::spawn_local(async move { taken.delivered(&over, &handler, &run).await });
        let ends = handled.abort_handle();
        let mut played = Ok(());
        let others = async {
            let parts = inner.split(|step| step.text == "die" || step.text.starts_with("until "));
            for (stop, steps) in stops.into_iter().zip(parts) {
                let play = async {
                    if played.is_ok() {
                        played = Box::pin(self.play(steps)).await;
                    }
                };
                stop.then(play).await;
            }
        };
        match death {
            Some(death) => {
                tokio::join!(death.crash(handled), others);
                ends.abort();
            }
            None => self.done = tokio::join!(handled, others).0.unwrap(),
        }
        if is_work {
            self.taken.messages = once_more(&self.taken.messages);
        }
        played
    }

    async fn act(&mut self, text: &str) {
        self.calls = self.world.stack.calls().snapshot();
        let words: Vec<&str> = text.splitn(4, ' ').collect();
        match words[..] {
            ["put", pk, sk] => self.put((pk, sk), "{}").await,
            ["put", pk, sk, more] => self.put((pk, sk), more).await,
            ["delete", pk, sk] => self.world.delete(self.key_names(), (pk, sk)).await,
            ["drain"] => self.done.reports = self.world.drain_with(self.run()).await,
            ["drain", "work"] => self.done.reports = self.world.drain_work_with(self.run()).await,
            ["drain", "due"] => self.done.reports = self.world.drain_due(self.run()).await,
            ["take"] => self.taken.records = take_records(&self.world).await,
            ["take", "work"] => self.taken.messages = take_work(&self.world).await,
            ["message", ..] => self.taken.messages = vec![self.message(&text["message ".len()..])],
            ["handle", ref which @ ..] => self.deliver("handle", self.taken_of(which)).await,
            ["die", "at", operation] => {
                let (handler, [stop]) = gated(&self.world, [operation]);
                stop.crash(self.taken.delivered("handle", &handler, &self.run())).await;
            }
            ["work"] => {
                self.deliver("work", self.taken.clone()).await;
                self.taken.messages = once_more(&self.taken.messages);
            }
            ["send", origin] => {
                let origin = serde_json::from_value(origin.into()).unwrap();
                let sending = Sending { origin, ..Sending::REPLAY };
                let sent = self.world.instep.send_records(&self.taken.records, sending, &self.run()).await;
                self.done = Delivered { failed: usize::from(sent.is_err()), ..Delivered::default() };
            }
            ["replay"] => {
                self.world.instep.send_records(&self.taken.records, Sending::REPLAY, &self.run()).await.unwrap();
                self.done.reports = self.world.drain_work_with(self.run()).await;
            }
            ["redrive"] => {
                let mut redrive = Redrive::new(&self.world.instep, self.run());
                redrive.send_stored(&Store::Queue(QUEUE.to_owned()), &mut |_| {}).await.unwrap();
            }
            ["fault", operation, times, what] => {
                self.world.stack.faults().next(operation, times.parse().unwrap(), fault(what));
            }
            ["no", "faults"] => self.world.stack.faults().clear(),
            ["at", seconds] => self.world.stack.clock().set(after(seconds)),
            ["tick"] => {
                self.deliver("tick", Taken::default()).await;
                self.done.reports = self.world.drain_with(self.run()).await;
            }
            ["tick", "only"] => self.deliver("tick", Taken::default()).await,
            ["wait", seconds] => self.world.stack.clock().advance(Duration::from_secs(seconds.parse().unwrap())),
            ["forget", "events"] => self.forgotten = self.world.verbs().len(),
            ["repair"] => drop(sweep::sweep_at(&self.world, &sweep::options(true), &self.run()).await),
            ["deploy"] => Arc::get_mut(&mut self.world).unwrap().deploy(Arc::clone(&self.models[""])),
            ["deploy", name] => Arc::get_mut(&mut self.world).unwrap().deploy(Arc::clone(&self.models[name])),
            ["limit", deletions] => Arc::get_mut(&mut self.world).unwrap().limit(deletions.parse().unwrap()),
            ["people", "let", "deletions", "go-on"] => drop(self.world.instep.go_on(&self.run()).await.unwrap()),
            ["people", "decide", "keep", user] => self.decide(user, Decision::Keep).await,
            ["people", "decide", "delete", user] => self.decide(user, Decision::Delete).await,
            ["people", ..] => self.people(&text.split(' ').skip(1).collect::<Vec<_>>()).await,
            _ => unreachable!("no such step: {text}"),
        }
    }

    /// The functions of the stream and of the work queue may make the calls to Cognito that they have made, as the template
    /// and `instep doctor` say.
    fn assert_permitted(&self) {
        let functions = [FunctionRole::Stream, FunctionRole::Work];
        let may = functions.iter().flat_map(|function| access::needed(&self.world.model, *function));
        let may: BTreeSet<String> = may.map(|access| access.action.replace("cognito-idp:", "")).collect();
        let is_of_cognito = |operation: &str| {
            operation.starts_with("Admin") || operation.contains("Group") || operation == "DescribeUserPool"
        };
        for (operation, made) in self.world.stack.calls().snapshot() {
            if is_of_cognito(&operation) && self.calls.get(&operation) != Some(&made) {
                assert!(may.contains(&operation), "the policies of the functions do not allow {operation}");
            }
        }
    }

    /// All records that were taken, the first ones, or those of an item.
    fn taken_of(&self, which: &[&str]) -> Taken {
        let is_one = |(place, record): (usize, &RawValue)| match *which {
            ["first", count] => place < count.parse().unwrap(),
            [pk, sk] => is_of(record, (self.key_names(), (pk, sk))),
            [] => true,
            _ => unreachable!("no such records: {which:?}"),
        };
        let records = self.taken.records.iter().enumerate().filter(|(place, record)| is_one((*place, record)));
        Taken { records: records.map(|(_, record)| record.clone()).collect(), ..Taken::default() }
    }

    async fn deliver(&mut self, over: &str, taken: Taken) {
        self.done = taken.delivered(over, &self.world.instep, &self.run()).await;
    }

    /// What people do in Cognito.
    async fn people(&self, words: &[&str]) {
        let (pool, cognito) = (self.world.stack.user_pool(), self.world.instep.clients().cognito());
        match *words {
            ["make", group] => {
                let make = cognito.create_group().user_pool_id(pool).group_name(group);
                make.description("by hand").send().await.unwrap();
            }
            ["set", group, "precedence", number] => {
                let update = cognito.update_group().user_pool_id(pool).group_name(group);
                update.precedence(number.parse().unwrap()).send().await.unwrap();
            }
            ["set", group, "role", arn] => {
                cognito.update_group().user_pool_id(pool).group_name(group).role_arn(arn).send().await.unwrap();
            }
            ["add", user, group] => {
                let add = cognito.admin_add_user_to_group().user_pool_id(pool).group_name(group);
                add.username(user).send().await.unwrap();
            }
            ["remove", user, group] => {
                let remove = cognito.admin_remove_user_from_group().user_pool_id(pool).group_name(group);
                remove.username(user).send().await.unwrap();
            }
            ["make", "user", user] => {
                cognito.admin_create_user().user_pool_id(pool).username(user).send().await.unwrap();
            }
            ["delete", user] => {
                cognito.admin_delete_user().user_pool_id(pool).username(user).send().await.unwrap();
            }
            ["begin", "sign", "up", user] => begin_sign_up(cognito, user).await,
            ["sign", "up", user] => {
                sign_up(cognito, user).await;
                self.heard().await;
            }
            ["sign", "up", user, "unheard"] => {
                sign_up(cognito, user).await;
                self.sign_ups.lock().unwrap().clear();
            }
            ["disable", user] => {
                cognito.admin_disable_user().user_pool_id(pool).username(user).send().await.unwrap();
            }
            _ => unreachable!("people do not {words:?}"),
        }
    }

    /// What somebody decides about a user whose deletion waits.
    async fn decide(&self, user: &str, decision: Decision) {
        let waiting = self.world.instep.waiting_users(&self.run()).await.unwrap();
        let found = waiting.iter().find(|waiting| waiting.waiting.username == user).unwrap();
        assert!(self.world.instep.decide(found, decision, &self.run()).await.unwrap());
    }

    /// Tells Instep of the sign-ups, as the function behind the trigger does.
    async fn heard(&self) {
        let events = std::mem::take(&mut *self.sign_ups.lock().unwrap());
        for sign_up in events.iter().filter_map(|event| SignUp::of_event(event)) {
            self.world.instep.signed_up(&sign_up, &self.run()).await.unwrap();
        }
    }

    /// A message with this work, as the work queue delivers it.
    fn message(&self, work: &str) -> QueueMessage {
        let (model, work) = (&self.models[""].name, serde_json::from_str::<Value>(work).unwrap());
        let table = self.world.settings().table;
        let body = json!({"version": "1", "model": model, "table": table, "hops": 1, "work": work});
        QueueMessage { id: "1".to_owned(), body: body.to_string(), receives: 1 }
    }

    pub(super) fn run(&self) -> RunOptions {
        RunOptions { now: self.world.stack.clock().now(), ..run() }
    }

    pub(super) fn key_names(&self) -> (&str, &str) {
        let table = &self.models[""].table;
        (&table.pk, &table.sk)
    }

    async fn put(&self, key: (&str, &str), more: &str) {
        let (pk, sk) = self.key_names();
        let mut item = json!({pk: key.0, sk: key.1});
        let more = valued(serde_json::from_str(more).unwrap());
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.world.put(item).await;
    }
}

/// What a service does to a call: the code that it refuses with, after the status if that is not 400; or another fault.
fn fault(what: &str) -> Fault {
    let words: Vec<&str> = what.split(' ').collect();
    match words[..] {
        ["lost", "answer"] => Fault::LoseAnswer,
        ["unprocessed", count] => Fault::Unprocessed { count: count.parse().unwrap() },
        ["complaint", code] => Fault::Complain { code: code.to_owned() },
        ["entries", places, code] => {
            let places = places.split(',').map(|place| place.parse().unwrap()).collect();
            Fault::Entries { places, code: code.to_owned() }
        }
        [status, code] => Fault::Refuse { status: status.parse().unwrap(), code: code.to_owned() },
        _ => Fault::refuse(what),
    }
}

/// Whether a record is of the item with this key.
fn is_of(record: &RawValue, (names, key): ((&str, &str), (&str, &str))) -> bool {
    let record: Value = serde_json::from_str(record.get()).unwrap();
    record["dynamodb"]["Keys"] == json!({names.0: {"S": key.0}, names.1: {"S": key.1}})
}

fn model(text: &str) -> Model {
    if let Some(name) = text.strip_prefix("shipped = ") {
        return Model::shipped(name.trim().trim_matches('"')).unwrap();
    }
    let head = if text.contains("model = ") { "" } else { HEAD };
    Model::parse("story.toml", &format!("{head}{text}")).unwrap_or_else(|errors| unreachable!("{errors:?}\n{text}"))
}

/// Somebody signs up, and has not confirmed it.
async fn begin_sign_up(cognito: &aws_sdk_cognitoidentityprovider::Client, user: &str) {
    let sign_up = cognito.sign_up().client_id(APP_CLIENT).username(user).password("Pass-w0rd!");
    sign_up.send().await.unwrap();
}

/// Somebody signs up, and confirms it.
async fn sign_up(cognito: &aws_sdk_cognitoidentityprovider::Client, user: &str) {
    begin_sign_up(cognito, user).await;
    let confirm = cognito.confirm_sign_up().client_id(APP_CLIENT).username(user).confirmation_code(CONFIRMATION_CODE);
    confirm.send().await.unwrap();
}

/// A step with the `sub` of the first account of each name in place of `~name`.
fn with_subs(text: &str) -> String {
    let mut parts = text.split('~');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        filled.push_str(&first_sub(&part[..end]));
        filled.push_str(&part[end..]);
    }
    filled
}

/// So many seconds after the beginning of a story.
fn after(seconds: &str) -> Timestamp {
    now().checked_add(SignedDuration::from_secs(seconds.parse().unwrap())).unwrap()
}

/// The value with moments and long texts written out: `"@60"` is a minute after the beginning of the story, and
/// `{"times": [3000, "x"]}` is a text of 3,000 characters.
fn valued(value: Value) -> Value {
    match value {
        Value::String(text) if text.starts_with('@') => after(&text[1..]).to_string().into(),
        Value::Object(fields) if fields.contains_key("times") => {
            let times = usize::try_from(fields["times"][0].as_u64().unwrap()).unwrap();
            fields["times"][1].as_str().unwrap().repeat(times).into()
        }
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, valued(value))).collect(),
        Value::Array(values) => values.into_iter().map(valued).collect(),
        value @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => value,
    }
}
