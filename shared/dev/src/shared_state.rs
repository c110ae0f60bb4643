//! What the deliveries, the port and the page share.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use instep_model::{Key, Model};
use jiff::Timestamp;
use serde::Serialize;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use super::clock::LiveClock;
use super::faults::Failures;
use super::index::Touched;
use super::origins::{Origins, Who};
use super::records::KeptRecords;
use super::request::{Leaves, ShownRequest};
use super::traces::Traces;

/// The events that the page can show. Older ones are in the bus's file, if there is one.
pub(super) const EVENTS_MAX: usize = 5_000;

/// The remarks that are shown: a file can have a mistake in each line.
const REMARKS_MAX: usize = 50;

/// An event that went by.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassedEvent {
    pub(super) id: u64,
    /// The node that it follows from.
    pub(super) node: u64,
    pub(super) root: u64,
    pub(super) time: String,
    pub(super) detail_type: String,
    pub(super) detail: serde_json::Value,
}

/// Something that a person asked for.
#[derive(Debug)]
pub(super) enum UserCommand {
    /// Write what a file says.
    Load { name: String, text: String },
    /// Let time pass until then.
    PassTime(Timestamp),
    /// Send the parked record of a node again.
    SendAgain(u64),
}

/// What the files of the model are now.
#[derive(Debug)]
pub(super) enum ModelNews {
    /// Another model.
    Valid(Arc<Model>),
    /// No model: the errors, as `instep check` prints them.
    Invalid(String),
}

/// What has changed, so that a page knows what to read again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Versions {
    pub(super) traces: u64,
    pub(super) table: u64,
    pub(super) cognito: u64,
    pub(super) events: u64,
    pub(super) state: u64,
}

/// What the deliveries, the port and the page share.
#[derive(Debug)]
pub(super) struct Hub {
    model: Mutex<Arc<Model>>,
    pub(super) table: String,
    pub(super) clock: LiveClock,
    pub(super) failures: Failures,
    /// Wakes the deliveries.
    pub(super) wake: Notify,
    /// Held while something is delivered, and by writes of which Instep must not see a part.
    pub(super) delivering: tokio::sync::Mutex<()>,
    pub(super) stop: watch::Sender<bool>,
    versions: watch::Sender<Versions>,
    paused: AtomicBool,
    steps: AtomicU64,
    idle: AtomicBool,
    /// Something was written since the stream was last found empty.
    unread: AtomicBool,
    /// Another one for each start.
    process: u64,
    /// Another one for each model.
    models: AtomicU64,
    model_news: Mutex<Option<ModelNews>>,
    /// Why the model's file, as it is now, does not run.
    model_errors: Mutex<Option<String>>,
    asks: Mutex<VecDeque<UserCommand>>,
    /// What a replay of a file does now.
    loading: Mutex<Option<String>>,
    /// When a failed delivery of the stream is repeated.
    retry_at: Mutex<Option<Instant>>,
    origins: Mutex<Origins>,
    touched: Mutex<Touched>,
    traces: Mutex<Traces>,
    records: Mutex<KeptRecords>,
    events: Mutex<VecDeque<PassedEvent>>,
    remarks: Mutex<Vec<String>>,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    pub(super) fn new(model: Arc<Model>, table: String, clock: LiveClock, failures: Failures) -> Self {
        Self {
            model: Mutex::new(model),
            table,
            clock,
            failures,
            wake: Notify::new(),
            delivering: tokio::sync::Mutex::default(),
            stop: watch::Sender::new(false),
            versions: watch::Sender::new(Versions::default()),
            paused: AtomicBool::new(false),
            steps: AtomicU64::new(0),
            idle: AtomicBool::new(true),
            unread: AtomicBool::new(false),
            process: fastrand::u64(..),
            models: AtomicU64::new(0),
            model_news: Mutex::default(),
            model_errors: Mutex::default(),
            asks: Mutex::default(),
            loading: Mutex::default(),
            retry_at: Mutex::default(),
            origins: Mutex::default(),
            touched: Mutex::new(Touched { all: true, ..Touched::default() }),
            traces: Mutex::default(),
            records: Mutex::default(),
            events: Mutex::default(),
            remarks: Mutex::default(),
        }
    }

    /// The model that runs.
    pub(super) fn model(&self) -> Arc<Model> {
        Arc::clone(&lock(&self.model))
    }

    /// The id of this process, and of its model. When one changes, a page has to begin again.
    pub(super) fn run(&self) -> String {
        format!("{:x}-{}", self.process, self.models.load(Ordering::SeqCst))
    }

    /// Another model runs from now on.
    pub(super) fn set_model(&self, model: Arc<Model>) {
        *lock(&self.model) = model;
        self.models.fetch_add(1, Ordering::SeqCst);
        // The same item can have another type.
        self.touch_all();
    }

    /// The files of the model have changed.
    pub(super) fn tell_of_model(&self, news: ModelNews) {
        *lock(&self.model_news) = Some(news);
        self.wake.notify_one();
    }

    /// What is new of the model since this was last asked.
    pub(super) fn model_news(&self) -> Option<ModelNews> {
        lock(&self.model_news).take()
    }

    /// Why the model's file does not run.
    pub(super) fn model_errors(&self) -> Option<String> {
        lock(&self.model_errors).clone()
    }

    /// Notes why the model's file does not run, or that it does.
    pub(super) fn set_model_errors(&self, errors: Option<String>) {
        *lock(&self.model_errors) = errors;
        self.changed(|versions| versions.state += 1);
    }

    /// The traces.
    pub(super) fn traces(&self) -> MutexGuard<'_, Traces> {
        lock(&self.traces)
    }

    /// The stream records of the traces.
    pub(super) fn records(&self) -> MutexGuard<'_, KeptRecords> {
        lock(&self.records)
    }

    /// Who wrote what.
    pub(super) fn origins(&self) -> MutexGuard<'_, Origins> {
        lock(&self.origins)
    }

    /// The events that went by.
    pub(super) fn events(&self) -> MutexGuard<'_, VecDeque<PassedEvent>> {
        lock(&self.events)
    }

    /// Adds an event.
    pub(super) fn passed(&self, mut event: PassedEvent) {
        let mut events = self.events();
        event.id = events.back().map_or(0, |last| last.id) + 1;
        events.push_back(event);
        if events.len() > EVENTS_MAX {
            events.pop_front();
        }
    }

    /// What was written since the last time that this was asked. Nothing for a run that is over: the next one needs it.
    pub(super) fn take_touched(&self, run: &str) -> Touched {
        let mut touched = lock(&self.touched);
        if run == self.run() { std::mem::take(&mut *touched) } else { Touched::default() }
    }

    /// Some keys were written.
    pub(super) fn touch(&self, keys: impl IntoIterator<Item = Key>) {
        lock(&self.touched).keys.extend(keys);
        self.changed(|versions| versions.table += 1);
    }

    /// Something was written whose keys are not known.
    pub(super) fn touch_all(&self) {
        lock(&self.touched).all = true;
        self.changed(|versions| versions.table += 1);
    }

    /// A request begins, which may write.
    pub(super) fn begins(&self, who: &Who, request: &ShownRequest) {
        let mut origins = self.origins();
        request.writes.iter().for_each(|(key, leaves): &(Key, Leaves)| origins.begins(who, key, *leaves));
    }

    /// The request has ended.
    pub(super) fn ended(&self, who: &Who, request: &ShownRequest, has_succeeded: bool) {
        if request.writes.is_empty() && !request.writes_unseen {
            return;
        }
        if !has_succeeded {
            let mut origins = self.origins();
            request.writes.iter().for_each(|(key, leaves): &(Key, Leaves)| origins.failed(who, key, *leaves));
            return;
        }
        if request.writes_unseen {
            self.touch_all();
        }
        self.unread.store(true, Ordering::SeqCst);
        self.touch(request.writes.iter().map(|(key, _)| key.clone()));
        self.wake.notify_one();
    }

    /// Something has changed.
    pub(super) fn changed(&self, change: impl FnOnce(&mut Versions)) {
        self.versions.send_modify(change);
    }

    /// What has changed.
    pub(super) fn versions(&self) -> watch::Receiver<Versions> {
        self.versions.subscribe()
    }

    /// Whether the deliveries are stopped.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::SeqCst)
    }

    /// Stops the deliveries, or lets them go on.
    pub(super) fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::SeqCst);
        self.steps.store(0, Ordering::SeqCst);
        self.changed(|versions| versions.state += 1);
        self.wake.notify_one();
    }

    /// Lets one record or message through.
    pub(super) fn step(&self) {
        self.steps.fetch_add(1, Ordering::SeqCst);
        self.wake.notify_one();
    }

    /// Whether a delivery may begin.
    pub(super) fn may_deliver(&self) -> bool {
        !self.is_paused() || self.steps.load(Ordering::SeqCst) > 0
    }

    /// A delivery has begun that a step has let through.
    pub(super) fn used_step(&self) {
        let less = |steps: u64| Some(steps.saturating_sub(1));
        // Without a step there is nothing to use up.
        let _ = self.steps.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
    }

    /// Whether the stream may have records. Asking for them next finds them all.
    pub(super) fn may_have_records(&self) -> bool {
        self.unread.load(Ordering::SeqCst)
    }

    /// The stream was not found empty yet.
    pub(super) fn more_records(&self) {
        self.unread.store(true, Ordering::SeqCst);
    }

    /// The stream is asked for its records.
    pub(super) fn asked_stream(&self) {
        self.unread.store(false, Ordering::SeqCst);
    }

    /// Whether nothing is left to deliver.
    pub(super) fn is_idle(&self) -> bool {
        self.idle.load(Ordering::SeqCst)
    }

    /// Notes whether something is left to deliver.
    pub(super) fn set_idle(&self, idle: bool) {
        if self.idle.swap(idle, Ordering::SeqCst) != idle {
            self.changed(|versions| versions.state += 1);
        }
    }

    /// Asks for something.
    pub(super) fn ask(&self, ask: UserCommand) {
        lock(&self.asks).push_back(ask);
        self.set_idle(false);
        self.wake.notify_one();
    }

    /// What was asked for first.
    pub(super) fn next_ask(&self) -> Option<UserCommand> {
        lock(&self.asks).pop_front()
    }

    /// Notes what a replay does now.
    pub(super) fn set_loading(&self, loading: Option<String>) {
        *lock(&self.loading) = loading;
        self.changed(|versions| versions.state += 1);
    }

    /// What a replay does now.
    pub(super) fn loading(&self) -> Option<String> {
        lock(&self.loading).clone()
    }

    /// Notes when a failed delivery of the stream is repeated.
    pub(super) fn set_retry(&self, at: Option<Instant>) {
        *lock(&self.retry_at) = at;
    }

    /// In how many milliseconds a failed delivery of the stream is repeated.
    pub(super) fn retry_in_ms(&self) -> Option<u128> {
        lock(&self.retry_at).map(|at| at.saturating_duration_since(Instant::now()).as_millis())
    }

    /// A remark for the terminal and the page, once.
    pub(super) fn remark(&self, text: String) {
        let mut remarks = lock(&self.remarks);
        if !remarks.contains(&text) && remarks.len() <= REMARKS_MAX {
            let is_last = remarks.len() == REMARKS_MAX;
            remarks.push(if is_last { "further remarks are left out".to_owned() } else { text });
            self.wake.notify_one();
        }
    }

    /// The remarks from this one on.
    pub(super) fn remarks(&self, from: usize) -> Vec<String> {
        lock(&self.remarks).get(from..).unwrap_or_default().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_is_left_for_the_next_run() {
        let model = Arc::new(Model::shipped("access-management").unwrap());
        let clock = LiveClock::starting(Timestamp::UNIX_EPOCH);
        let hub = Hub::new(Arc::clone(&model), "t".to_owned(), clock, Failures::at(0.0));
        let before = hub.run();
        assert!(hub.take_touched(&before).all, "at first, the whole table is unread");
        assert!(!hub.take_touched(&before).all);
        hub.set_model(model);
        assert_ne!(hub.run(), before);
        assert!(!hub.take_touched(&before).all, "a request of the run before leaves it");
        assert!(hub.take_touched(&hub.run()).all);
    }
}
