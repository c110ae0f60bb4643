//! The handler on an embedded stack, driven by the table's own stream.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use contract_check::Contract;
use instep_aws::{Clients, Instep, Parking, QueueMessage, RunOptions, Sending, Settings, WorkReport};
use instep_flow::deletion_limit::DELETIONS_PER_HOUR;
use instep_flow::report::Report;
use instep_local::{
    Clock, Handler, PoolOptions, PumpOptions, QueueHandler, QueueOptions, QueuePumpOptions, Stack, StackOptions,
    WorldState,
};
use instep_model::{Item, Model};
use serde_json::value::RawValue;

/// The queue of parked records, its dead-letter queue, and the number of receives before a message
/// is moved there.
pub const QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/parked";
pub const DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/dead";
pub const RECEIVES_MAX: u32 = 3;

/// The bucket.
pub const BUCKET: &str = "bucket";

pub struct World {
    pub stack: Stack,
    pub instep: Instep,
    pub client: aws_sdk_dynamodb::Client,
    pub model: Arc<Model>,
    settings: Settings,
}

/// Runs batches as Lambda would, and collects the reports.
pub struct Batches<'a> {
    pub instep: &'a Instep,
    pub run: RunOptions,
    pub reports: Vec<Report>,
}

impl Handler for Batches<'_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let report = self.instep.handle(records, &self.run).await;
        let failed = report.retry_from().map(|place| {
            let record: serde_json::Value = serde_json::from_str(records[place].get()).unwrap();
            record["dynamodb"]["SequenceNumber"].as_str().unwrap().to_owned()
        });
        self.reports.push(report);
        Ok(failed.into_iter().collect())
    }
}

impl QueueHandler for Batches<'_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let WorkReport { failed, report, .. } = self.instep.work(messages, &self.run).await;
        self.reports.push(report);
        Ok(failed)
    }
}

pub fn now() -> jiff::Timestamp {
    "2026-05-01T09:00:00Z".parse().unwrap()
}

pub fn run() -> RunOptions {
    RunOptions { now: now(), publish: true, dry_run: false, deadline: None, adopt_before: None, trace: None }
}

impl World {
    pub async fn open(model: &str) -> Self {
        Self::of(Model::shipped(model).unwrap(), Duration::ZERO).await
    }

    /// A world of any model.
    pub async fn of(model: Model, index_lag: Duration) -> Self {
        let pool = PoolOptions::of(&model);
        Self::of_pool(model, index_lag, pool).await
    }

    /// A world whose pool is of one's own making.
    pub async fn with_pool(model: &str, change: impl FnOnce(&mut PoolOptions)) -> Self {
        let model = Model::shipped(model).unwrap();
        let mut pool = PoolOptions::of(&model);
        change(&mut pool);
        Self::of_pool(model, Duration::ZERO, pool).await
    }

    pub async fn of_pool(model: Model, index_lag: Duration, pool: PoolOptions) -> Self {
        let model = Arc::new(model);
        let options = StackOptions { dir: None, table: "table".to_owned(), clock: Clock::new(now()) };
        let stack = Stack::open_with_pool(&model, options, pool).await.unwrap();
        let contract = Contract::of(&model);
        stack.watch_events(Box::new(move |event| {
            let checked = contract.check(&event.source, &event.detail_type, &event.detail);
            assert_eq!(checked, Ok(()), "a published event");
        }));
        let settings = Settings {
            table: stack.table().to_owned(),
            records_of: None,
            table_arn: None,
            user_pool: Some(stack.user_pool().to_owned()),
            bus: stack.bus().to_owned(),
            work_queue: stack.work_queue().to_owned(),
            cognito_interval: None,
            deletions_per_hour: DELETIONS_PER_HOUR,
            index_lag,
            parking: None,
        };
        let instep = Instep::new(Arc::clone(&model), Clients::new(&stack.sdk_config()), settings.clone());
        let client = aws_sdk_dynamodb::Client::new(&stack.uncounted_config());
        Self { stack, instep, client, model, settings }
    }

    /// From now on, so many users are deleted in an hour.
    pub fn limit(&mut self, deletions_per_hour: u32) {
        self.settings.deletions_per_hour = deletions_per_hour;
        self.instep = self.handler(Clients::new(&self.stack.sdk_config()));
    }

    /// A world with this time between two calls to Cognito.
    pub async fn paced(model: &str, interval: Duration) -> Self {
        Self::open(model).await.pace(interval)
    }

    /// The same world with this time between two calls to Cognito.
    pub fn pace(mut self, interval: Duration) -> Self {
        self.settings.cognito_interval = Some(interval);
        self.instep = self.handler(Clients::new(&self.stack.sdk_config()));
        self
    }

    /// The same world with a queue and a bucket for parked records.
    pub async fn with_parking(model: &str) -> Self {
        Self::open(model).await.parking()
    }

    /// This world with a queue and a bucket for parked records.
    pub fn parking(mut self) -> Self {
        let world = &mut self;
        world.stack.make_queue(DEAD_LETTERS, QueueOptions::default());
        let dead_letters = Some((RECEIVES_MAX, DEAD_LETTERS.to_owned()));
        world.stack.make_queue(QUEUE, QueueOptions { dead_letters, ..QueueOptions::default() });
        world.stack.make_bucket(BUCKET);
        world.settings.parking = Some(Parking { queue_url: QUEUE.to_owned(), bucket: BUCKET.to_owned() });
        world.instep = world.handler(Clients::new(&world.stack.sdk_config()));
        self
    }

    /// The settings of the handler.
    pub fn settings(&self) -> Settings {
        self.settings.clone()
    }

    /// The model.
    pub fn model(&self) -> Arc<Model> {
        Arc::clone(&self.model)
    }

    /// The bodies of the messages of a queue.
    pub fn parked(&self, queue: &str) -> Vec<serde_json::Value> {
        let messages = self.stack.messages(queue).into_iter();
        messages.map(|message| serde_json::from_str(&message.body).unwrap()).collect()
    }

    /// Handles everything from now on under another model.
    pub fn deploy(&mut self, model: Arc<Model>) {
        self.model = model;
        self.instep = self.handler(self.instep.clients().clone());
    }

    /// Another handler of the same world.
    pub fn handler(&self, clients: Clients) -> Instep {
        Instep::new(Arc::clone(&self.model), clients, self.settings.clone())
    }

    pub async fn put(&self, item: serde_json::Value) {
        let AttributeValue::M(item) = attribute(&item) else { unreachable!() };
        self.client.put_item().table_name("table").set_item(Some(item)).send().await.unwrap();
    }

    pub async fn delete(&self, names: (&str, &str), key: (&str, &str)) {
        let delete = self.client.delete_item().table_name("table");
        delete.key(names.0, attribute(&key.0.into())).key(names.1, attribute(&key.1.into())).send().await.unwrap();
    }

    pub async fn drain(&self) -> Vec<Report> {
        self.drain_with(run()).await
    }

    /// Delivers the stream and the work queue until both are empty. Returns the reports of the
    /// stream's batches and of the queue's, in order.
    pub async fn drain_with(&self, run: RunOptions) -> Vec<Report> {
        let mut batches = Batches { instep: &self.instep, run, reports: Vec::new() };
        loop {
            let drained = self.stack.pump(PumpOptions::default()).unwrap().drain(&mut batches).await.unwrap();
            assert!(drained.given_up.is_empty());
            if self.drain_queue(&mut batches).await == 0 {
                return batches.reports;
            }
        }
    }

    /// Delivers the work queue only.
    pub async fn drain_work(&self) -> Vec<Report> {
        self.drain_work_with(run()).await
    }

    pub async fn drain_work_with(&self, run: RunOptions) -> Vec<Report> {
        let mut batches = Batches { instep: &self.instep, run, reports: Vec::new() };
        self.drain_queue(&mut batches).await;
        batches.reports
    }

    /// Delivers the visible messages of the work queue, without the delayed ones.
    pub async fn drain_due(&self, run: RunOptions) -> Vec<Report> {
        let mut batches = Batches { instep: &self.instep, run, reports: Vec::new() };
        let mut pump = self.stack.queue_pump(self.stack.work_queue(), QueuePumpOptions::default()).unwrap();
        while pump.step(&mut batches).await.unwrap().is_some() {}
        batches.reports
    }

    async fn drain_queue(&self, batches: &mut Batches<'_>) -> u64 {
        let mut queue = self.stack.queue_pump(self.stack.work_queue(), QueuePumpOptions::default()).unwrap();
        let drained = queue.drain(batches).await.unwrap();
        assert!(drained.dead_letters.is_empty(), "{:?}", drained.dead_letters);
        drained.batches
    }

    /// Sends records to the work queue, as a replay of captures does, and delivers them.
    pub async fn replay(&self, records: &[Box<RawValue>]) -> Vec<Report> {
        self.instep.send_records(records, Sending::REPLAY, &run()).await.unwrap();
        self.drain_work().await
    }

    pub async fn state(&self) -> WorldState {
        self.stack.state().await.unwrap()
    }

    pub async fn members(&self, group: &str) -> Vec<String> {
        let state = self.state().await;
        state.groups.into_iter().find(|found| found.name == group).map(|found| found.members).unwrap_or_default()
    }

    pub fn verbs(&self) -> Vec<String> {
        self.stack.published().into_iter().map(|event| event.detail_type).collect()
    }
}

pub fn pk<'a>(item: &'a Item, name: &str) -> &'a str {
    item[name].as_s().unwrap()
}

fn attribute(value: &serde_json::Value) -> AttributeValue {
    match value {
        serde_json::Value::Null => AttributeValue::Null(true),
        serde_json::Value::Bool(flag) => AttributeValue::Bool(*flag),
        serde_json::Value::Number(number) => AttributeValue::N(number.to_string()),
        serde_json::Value::String(text) => AttributeValue::S(text.clone()),
        serde_json::Value::Array(values) => AttributeValue::L(values.iter().map(attribute).collect()),
        serde_json::Value::Object(fields) if fields.keys().any(|name| name.starts_with('$')) => typed(fields),
        serde_json::Value::Object(fields) => {
            AttributeValue::M(fields.iter().map(|(name, value)| (name.clone(), attribute(value))).collect())
        }
    }
}

/// A set or a binary value: `{"$ss": ["a"]}`, `{"$ns": ["1"]}`, `{"$b": "text"}`, `{"$bs": ["text"]}`.
fn typed(fields: &serde_json::Map<String, serde_json::Value>) -> AttributeValue {
    let (tag, value) = fields.iter().next().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let texts = || value.as_array().unwrap().iter().map(text);
    match tag.as_str() {
        "$ss" => AttributeValue::Ss(texts().collect()),
        "$ns" => AttributeValue::Ns(texts().collect()),
        "$b" => AttributeValue::B(Blob::new(text(value))),
        "$bs" => AttributeValue::Bs(texts().map(Blob::new).collect()),
        tag => unreachable!("{tag} is no type"),
    }
}
