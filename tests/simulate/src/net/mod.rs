//! The network between the processes and the services: the HTTP client of the SDK.
//!
//! - `faults` draws what goes wrong with a call. `ambush` lets a writer choose the call.
//! - `call` is one call, from the request to the answer. `router` gets the answer from the table or a
//!   service.
//! - `observer` tells the watch what a call has done.
//! - `people` is what people do to the services, without Instep.

mod ambush;
mod call;
mod faults;
mod observer;
mod people;
mod router;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use instep_local::{Clock, Services};
use instep_model::{Item, Key, Model};
use jiff::Timestamp;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::chance::Chance;
use crate::table::{Table, plain};
use crate::watch::{Finding, Watch};
use ambush::Ambush;

pub use call::Line;
pub use faults::{QUOTA, Rates};

/// Cognito, as the target of a request names it.
const COGNITO: &str = "AWSCognitoIdentityProviderService";

/// The calls that take something away.
const TAKING: [&str; 3] = ["AdminRemoveUserFromGroup", "DeleteGroup", "AdminDeleteUser"];

/// What is remembered of a run.
#[derive(Debug, Default)]
pub struct Log {
    /// Faults that happened, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Calls, by operation.
    pub calls: BTreeMap<String, u64>,
    /// What was written, delivered, called, in order; none where nobody asked for it.
    pub trace: Option<Vec<String>>,
    /// What broke a promise while the run was under way.
    pub broken: Vec<String>,
}

/// Everything that is outside of the processes.
#[derive(Debug)]
pub struct Net {
    /// The run's chance.
    pub chance: Chance,
    /// All services but the table's.
    pub services: Services,
    /// The table's model.
    pub model: Arc<Model>,
    /// Whether some items are as large as they can be.
    pub is_fat: bool,
    watch: Mutex<Watch>,
    /// Users and groups that were made or went a moment ago, and whether they are there now.
    recent: Mutex<BTreeMap<String, (Instant, bool)>>,
    /// Since when Cognito has no room for a group.
    full: Mutex<Option<Instant>>,
    /// The service or operation that fails, and until when.
    out: Mutex<Option<(String, Instant)>>,
    ambush: Mutex<Option<Ambush>>,
    /// The item whose last record somebody wants to be run again.
    rerun: Mutex<Option<Key>>,
    clock: Clock,
    table: Mutex<Table>,
    rates: Mutex<Rates>,
    log: Mutex<Log>,
    crashes: Vec<Notify>,
    began: (Instant, Timestamp),
}

impl Net {
    /// A network with so many processes.
    #[must_use]
    pub fn new(
        chance: Chance,
        model: &Arc<Model>,
        (services, clock): (Services, Clock),
        table: Table,
        processes: usize,
        traced: bool,
    ) -> Self {
        let log = Log { trace: traced.then(Vec::new), ..Log::default() };
        let began = (Instant::now(), clock.now());
        Self {
            is_fat: chance.of_thousand(30),
            chance,
            services,
            model: Arc::clone(model),
            watch: Mutex::new(Watch::new(model)),
            recent: Mutex::default(),
            full: Mutex::default(),
            out: Mutex::default(),
            ambush: Mutex::default(),
            rerun: Mutex::default(),
            clock,
            table: Mutex::new(table),
            rates: Mutex::default(),
            log: Mutex::new(log),
            crashes: (0..processes).map(|_| Notify::new()).collect(),
            began,
        }
    }

    /// The table.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who watches.
    pub fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is remembered.
    pub fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time that it is in the run.
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

    /// Notes something in the trace.
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

    /// Notes that a promise was broken.
    pub fn broken(&self, what: String) {
        self.note(|| format!("BROKEN {what}"));
        self.log().broken.push(what);
    }

    /// Notes what the watch found.
    pub fn found(&self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            match finding {
                Finding::Broken(what) => self.broken(what),
                Finding::Window(what) => self.count(&format!("(window: {what})")),
            }
        }
    }

    /// Waits until the process crashes.
    pub async fn crashed(&self, process: usize) {
        match self.crashes.get(process) {
            Some(crash) => crash.notified().await,
            None => std::future::pending().await,
        }
    }

    /// Somebody writes the table, beside Instep.
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

    /// Somebody wants the last record of an item to be run again, beside the stream.
    pub fn wants_again(&self, key: Key) {
        *self.rerun.lock().unwrap_or_else(PoisonError::into_inner) = Some(key);
    }

    /// The item whose last record somebody wants to be run again.
    pub fn wanted_again(&self) -> Option<Key> {
        self.rerun.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// How long indexes take to see a write.
    fn lag(&self) -> i64 {
        i64::try_from(self.chance.time(1_500).as_millis()).unwrap_or_default()
    }
}

/// A pause of a person.
pub async fn pause(net: &Net, most_ms: usize) {
    let pause: Duration = net.chance.time(most_ms);
    tokio::time::sleep(pause).await;
}
