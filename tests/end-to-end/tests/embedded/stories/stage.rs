//! Plays the steps of a story in a world.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use instep_aws::redrive::{Redrive, Store};
use instep_aws::{RunOptions, Sending};
use instep_flow::report::Report;
use instep_local::Fault;
use instep_model::{Item, Model};
use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::page::{Case, PageStep, Setting, expected, filled};
use crate::gate::{held_at, take_records};
use crate::world::{QUEUE, World, now, pk, run};
use crate::{own, sweep};

/// What the text of a model begins with that says neither its name nor its table.
const HEAD: &str = "model = \"own\"\ntable = { pk = \"pk\", sk = \"sk\" }\n";

/// The calls at which a story holds a run.
const HELD: [&str; 5] =
    ["AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup", "TransactWriteItems", "UpdateItem"];

/// A world, and what the steps of a story have done in it.
pub struct Stage {
    world: Arc<World>,
    models: BTreeMap<String, Arc<Model>>,
    case: Case,
    /// The records that `take` took last.
    taken: Vec<Box<RawValue>>,
    /// The reports of the last step that delivered something.
    reports: Vec<Report>,
    /// The events before that are not told of.
    forgotten: usize,
}

impl Stage {
    pub async fn set(setting: &Setting, case: &Case) -> Self {
        let load = |(name, text): (&String, &String)| (name.clone(), Arc::new(model(&filled(text, case))));
        let models: BTreeMap<_, _> = setting.models.iter().map(load).collect();
        let world = World::of(Model::clone(&models[""]), Duration::from_secs(setting.lag_s)).await.parking();
        let (world, case) = (Arc::new(world), case.clone());
        Self { world, models, case, taken: Vec::new(), reports: Vec::new(), forgotten: 0 }
    }

    /// Plays steps, until one does not find what it says. The error is that step, and what it found.
    pub async fn play(&mut self, steps: &[PageStep]) -> Result<(), String> {
        for step in steps {
            let text = filled(&step.text, &self.case);
            if let Some((what, expected)) = expected(&text) {
                let found = self.found(what).await;
                if found != expected.trim() {
                    return Err(format!("line {}: {text}\n    found: {found}", step.line));
                }
            } else if step.inner.is_empty() {
                self.act(&text).await;
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
            // The steps under it happen while a run over the taken records waits with its first such call.
            ["hold", operation] => {
                let (world, taken, mut played) = (Arc::clone(&self.world), self.taken.clone(), Ok(()));
                let operation = HELD.into_iter().find(|held| *held == operation).unwrap();
                held_at(&world, operation, &taken, async { played = self.play(inner).await }).await;
                played
            }
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

    async fn act(&mut self, text: &str) {
        let words: Vec<&str> = text.splitn(4, ' ').collect();
        match words[..] {
            ["put", pk, sk] => self.put((pk, sk), "{}").await,
            ["put", pk, sk, more] => self.put((pk, sk), more).await,
            ["delete", pk, sk] => self.world.delete(self.key_names(), (pk, sk)).await,
            ["drain"] => self.reports = self.world.drain_with(self.run()).await,
            ["take"] => self.taken = take_records(&self.world).await,
            ["handle"] => self.reports = vec![self.world.instep.handle(&self.taken, &self.run()).await],
            ["replay"] => {
                self.world.instep.send_records(&self.taken, Sending::REPLAY, &self.run()).await.unwrap();
                self.reports = self.world.drain_work().await;
            }
            ["redrive"] => {
                let mut redrive = Redrive::new(&self.world.instep, self.run());
                redrive.send_stored(&Store::Queue(QUEUE.to_owned()), &mut |_| {}).await.unwrap();
            }
            ["fault", operation, times, code] => {
                self.world.stack.faults().next(operation, times.parse().unwrap(), Fault::refuse(code));
            }
            ["no", "faults"] => self.world.stack.faults().clear(),
            ["at", seconds] => self.world.stack.clock().set(after(seconds)),
            ["tick"] => {
                self.world.instep.tick(&self.run()).await.unwrap();
                self.reports = self.world.drain_with(self.run()).await;
            }
            ["wait", seconds] => self.world.stack.clock().advance(Duration::from_secs(seconds.parse().unwrap())),
            ["forget", "events"] => self.forgotten = self.world.verbs().len(),
            ["repair"] => drop(sweep::sweep_at(&self.world, &sweep::options(true), &self.run()).await),
            ["deploy"] => Arc::get_mut(&mut self.world).unwrap().deploy(Arc::clone(&self.models[""])),
            ["deploy", name] => Arc::get_mut(&mut self.world).unwrap().deploy(Arc::clone(&self.models[name])),
            ["people", "make", group] => {
                let make = self.world.instep.clients().cognito().create_group().group_name(group);
                make.user_pool_id(self.world.stack.user_pool()).send().await.unwrap();
            }
            _ => unreachable!("no such step: {text}"),
        }
    }

    fn run(&self) -> RunOptions {
        RunOptions { now: self.world.stack.clock().now(), ..run() }
    }

    fn key_names(&self) -> (&str, &str) {
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

    /// What there is of something.
    async fn found(&self, what: &str) -> String {
        let words: Vec<&str> = what.split(' ').collect();
        let found: Vec<String> = match words[..] {
            ["count", ..] => vec![self.all(&words[1..]).await.len().to_string()],
            ["sorted", ..] => {
                let mut all = self.all(&words[1..]).await;
                all.sort();
                all
            }
            _ => self.all(&words).await,
        };
        found.join(", ")
    }

    async fn all(&self, what: &[&str]) -> Vec<String> {
        let state = self.world.state().await;
        let key = |item: &Item| format!("{} {}", pk(item, self.key_names().0), pk(item, self.key_names().1));
        let records = || self.reports.iter().flat_map(|report| &report.records);
        match *what {
            ["members", group] => self.world.members(group).await,
            ["groups"] => state.groups.into_iter().map(|group| group.name).collect(),
            ["groups", "with", "members"] => {
                let groups = state.groups.into_iter().filter(|group| !group.members.is_empty());
                groups.map(|group| group.name).collect()
            }
            ["users"] => {
                let said = |enabled| if enabled { "" } else { " (disabled)" };
                state.users.into_iter().map(|user| format!("{}{}", user.username, said(user.enabled))).collect()
            }
            ["items"] => state.items.iter().map(key).filter(|key| !key.starts_with("INSTEP#")).collect(),
            ["books", kind] => {
                let of_kind = format!("INSTEP#{kind}#");
                state.items.iter().map(key).filter(|key| key.starts_with(&of_kind)).collect()
            }
            ["value", pk, sk, name] => {
                let item = state.items.iter().find(|item| key(item) == format!("{pk} {sk}"));
                let value = item.and_then(|item| item.get(name));
                value.map(|value| serde_json::to_string(value).unwrap()).into_iter().collect()
            }
            ["events"] => self.world.verbs().split_off(self.forgotten),
            ["event", ref path @ ..] => {
                let event = self.world.stack.published().pop().unwrap();
                let detail: Value = serde_json::from_str(&event.detail).unwrap();
                vec![detail.pointer(path[0]).unwrap().to_string()]
            }
            ["grants"] => {
                let published = self.world.stack.published().into_iter();
                let events = published.map(|event| serde_json::from_str::<Value>(&event.detail).unwrap());
                let said = |event: Value| {
                    let text = |name: &str| event["metadata"][name].as_str().unwrap().to_owned();
                    format!("{} by {}", text("verb"), text("cause"))
                };
                events.map(said).filter(|said| said.starts_with("granted") || said.starts_with("revoked")).collect()
            }
            ["notes"] => {
                records().filter_map(|record| record.change.as_ref()).flat_map(|change| change.notes.clone()).collect()
            }
            ["parked"] => own::parked(&self.reports).into_iter().map(str::to_owned).collect(),
            ["retried"] => {
                let retried = records().filter(|record| record.outcome.is_retry());
                retried.map(|record| record.change.as_ref().unwrap().id.clone()).collect()
            }
            ["delayed"] => vec![self.world.stack.queue_counts(self.world.stack.work_queue()).delayed.to_string()],
            ["queue"] => self.world.parked(QUEUE).iter().map(Value::to_string).collect(),
            ["drift"] => sweep::found(&self.world).await,
            _ => unreachable!("nothing is called {what:?}"),
        }
    }
}

fn model(text: &str) -> Model {
    if let Some(name) = text.strip_prefix("shipped = ") {
        return Model::shipped(name.trim().trim_matches('"')).unwrap();
    }
    let head = if text.contains("model = ") { "" } else { HEAD };
    Model::parse("story.toml", &format!("{head}{text}")).unwrap_or_else(|errors| unreachable!("{errors:?}\n{text}"))
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
