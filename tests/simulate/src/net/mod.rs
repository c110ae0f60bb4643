//! The network between the processes and the services: the HTTP client of the SDK.
//!
//! - `faults` draws what goes wrong with a call. `hook_call` lets a writer choose the call.
//! - `call` is one call, from the request to the answer. `router` gets the answer from the table or
//!   a service.
//! - `observer` tells the watch what a call has done.
//! - `names` knows users by the names under which they were made.
//! - `people` is what people do to the services, without Instep.

mod call;
mod faults;
mod hook_call;
mod names;
mod observer;
mod people;
mod router;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use instep_local::{Clock, Services};
use instep_model::{Item, Key, Model};
use jiff::Timestamp;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::chance::Chance;
use crate::table::{SimulatedTable, plain};
use crate::watch::{Watch, WatchFinding};
use hook_call::CallHook;

pub use call::ProcessClient;
pub use faults::{QUOTA, Rates};
pub use hook_call::Disturbed;

/// The prefix of Cognito in `x-amz-target`.
const COGNITO: &str = "AWSCognitoIdentityProviderService";

/// The calls that remove access.
const REMOVING: [&str; 3] = ["AdminRemoveUserFromGroup", "DeleteGroup", "AdminDeleteUser"];

/// The log of a run.
#[derive(Debug, Default)]
pub struct Log {
    /// Faults that happened, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Calls, by operation.
    pub calls: BTreeMap<String, u64>,
    /// Writes, deliveries and calls in order. `None` unless `Options::traced` is set.
    pub trace: Option<Vec<String>>,
    /// Broken promises, found while the run was under way.
    pub broken: Vec<String>,
}

/// A record of an item.
#[derive(Debug, Clone)]
pub enum RecordOf {
    /// The first record of the item with this key.
    First(Key),
    /// The last one.
    Last(Key),
}

/// Everything outside the processes.
#[derive(Debug)]
pub struct Net {
    /// The random generator of the run.
    pub chance: Chance,
    /// The stand-ins of all services except DynamoDB.
    pub services: Services,
    /// The table's model.
    pub model: Arc<Model>,
    /// Whether some items are nearly as large as DynamoDB allows.
    pub is_fat: bool,
    /// The model changes: what the watch says of records and calls counts no more, and what it says of the end does.
    is_changing: bool,
    watch: Mutex<Watch>,
    /// When each user or group was created or deleted last, and whether it exists now.
    recent: Mutex<BTreeMap<String, (Instant, bool)>>,
    /// Since when the group quota of Cognito is exhausted.
    full: Mutex<Option<Instant>>,
    /// The service or operation that has an outage, and its end.
    out: Mutex<Option<(String, Instant)>>,
    hook_call: Mutex<Option<CallHook>>,
    /// The record that a writer wants to be replayed.
    rerun: Mutex<Option<RecordOf>>,
    clock: Clock,
    table: Mutex<SimulatedTable>,
    rates: Mutex<Rates>,
    log: Mutex<Log>,
    crashes: Vec<Notify>,
    /// The processes that do not crash now.
    spared: Mutex<BTreeSet<usize>>,
    began: (Instant, Timestamp),
}

impl Net {
    /// A network with so many processes.
    #[must_use]
    pub fn new(
        chance: Chance,
        model: &Arc<Model>,
        (services, clock): (Services, Clock),
        table: SimulatedTable,
        processes: usize,
        traced: bool,
    ) -> Self {
        let log = Log { trace: traced.then(Vec::new), ..Log::default() };
        let began = (Instant::now(), clock.now());
        Self {
            is_fat: chance.of_thousand(30),
            is_changing: false,
            chance,
            services,
            model: Arc::clone(model),
            watch: Mutex::new(Watch::new(model)),
            recent: Mutex::default(),
            full: Mutex::default(),
            out: Mutex::default(),
            hook_call: Mutex::default(),
            rerun: Mutex::default(),
            clock,
            table: Mutex::new(table),
            rates: Mutex::default(),
            log: Mutex::new(log),
            crashes: (0..processes).map(|_| Notify::new()).collect(),
            spared: Mutex::default(),
            began,
        }
    }

    /// The network once another model is deployed. Its watch knows the whole history of the table.
    #[must_use]
    pub(crate) fn under(mut self, model: &Arc<Model>) -> Self {
        let mut watch = Watch::new(model);
        watch.follow(self.table().history().to_vec(), &self.watch());
        self.watch = Mutex::new(watch);
        (self.model, self.is_changing) = (Arc::clone(model), true);
        self.pool();
        self
    }

    /// The table.
    pub fn table(&self) -> MutexGuard<'_, SimulatedTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watch.
    pub fn watch(&self) -> MutexGuard<'_, Watch> {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.pass(self.now_ms());
        watch
    }

    /// The log.
    pub fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current time of the run.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let passed = self.began.0.elapsed();
        let now = self.began.1 + passed;
        self.clock.set(now);
        now
    }

    fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }

    /// Adds a line to the trace.
    pub fn note(&self, line: impl FnOnce() -> String) {
        let at = self.began.0.elapsed().as_millis();
        if let Some(trace) = &mut self.log().trace {
            trace.push(format!("{:>6}.{:03} {}", at / 1000, at % 1000, line()));
        }
    }

    /// Counts a fault.
    pub fn count(&self, fault: &str) {
        *self.log().faults.entry(fault.to_owned()).or_default() += 1;
    }

    /// Records a broken promise.
    pub fn broken(&self, what: String) {
        self.note(|| format!("BROKEN {what}"));
        self.log().broken.push(what);
    }

    /// Records findings of the watch.
    pub fn found(&self, findings: impl IntoIterator<Item = WatchFinding>) {
        for finding in findings {
            match finding {
                WatchFinding::Broken(_) if self.is_changing => {}
                WatchFinding::Broken(what) => self.broken(what),
                WatchFinding::OpenRace(what) => self.count(&format!("(open race: {what})")),
            }
        }
    }

    /// Lets a process live, or no longer. One that makes very many calls would otherwise meet a crash each time, because
    /// each call draws one.
    pub fn spare(&self, process: usize, lives: bool) {
        let mut spared = self.spared.lock().unwrap_or_else(PoisonError::into_inner);
        if lives {
            spared.insert(process)
        } else {
            spared.remove(&process)
        };
    }

    fn is_spared(&self, process: usize) -> bool {
        self.spared.lock().unwrap_or_else(PoisonError::into_inner).contains(&process)
    }

    /// Waits until the process crashes.
    pub async fn crashed(&self, process: usize) {
        match self.crashes.get(process) {
            Some(crash) => crash.notified().await,
            None => std::future::pending().await,
        }
    }

    /// A writer writes to the table.
    pub fn write(&self, key: Key, item: Option<Item>) {
        let (lag, now) = (self.lag(), self.now_ms());
        self.note(|| match &item {
            Some(item) => format!("writer puts {}", plain(&json!(item))),
            None => format!("writer deletes {} | {}", key.pk, key.sk),
        });
        let written = {
            let mut table = self.table();
            table.put((key.pk, key.sk), item.and_then(|item| Some(json!(item).as_object()?.clone())), now, lag);
            table.written()
        };
        let found = self.watch().written(written, None);
        self.found(found);
    }

    /// Time to live deletes an item.
    pub fn expire(&self, key: Key) {
        let (lag, now) = (self.lag(), self.now_ms());
        self.note(|| format!("time to live deletes {} | {}", key.pk, key.sk));
        let written = {
            let mut table = self.table();
            table.expire((key.pk, key.sk), now, lag);
            table.written()
        };
        let found = self.watch().written(written, None);
        self.found(found);
    }

    /// Asks for a replay of a record.
    pub fn ask_for_replay(&self, record: RecordOf) {
        *self.rerun.lock().unwrap_or_else(PoisonError::into_inner) = Some(record);
    }

    /// The record that a writer wants to be replayed.
    pub fn take_asked_replay(&self) -> Option<RecordOf> {
        self.rerun.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Draws how long indexes take to show a write.
    fn lag(&self) -> i64 {
        i64::try_from(self.chance.time(1_500).as_millis()).unwrap_or_default()
    }
}

/// Sleeps for so many milliseconds at most.
pub async fn pause(net: &Net, most_ms: usize) {
    let pause: Duration = net.chance.time(most_ms);
    tokio::time::sleep(pause).await;
}
