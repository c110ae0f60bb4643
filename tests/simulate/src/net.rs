//! The network between the processes and the services: the SDK's HTTP client, which delays calls, loses, refuses and cuts them, and
//! now and then takes the process with it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use instep_flow::work::NamedObject;
use instep_local::{Clock, Fault, Services, operation, refuse};
use instep_model::{Create, Item, Key, Model};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use crate::chance::Chance;
use crate::implied::Fact;
use crate::table::{Refused, Table, plain};
use crate::watch::{Finding, OTHERS, STRANGER, Watch};
use crate::writers::SECRET;
use crate::{QUEUE, WORK, WORK_DEAD_LETTERS};

/// How long a request may hang before it is answered or given up: where time is short no longer than an invocation may outlive its
/// deadline, for those to Cognito are waited for.
const HANGS_MS: usize = 3_000;
const SHORT_HANGS_MS: usize = 900;

/// How long a service fails where it fails for everybody: longer than a call is tried again.
const OUTAGE_LEAST: Duration = Duration::from_secs(4);
const OUTAGE_MORE_MS: usize = 12_000;

/// How long a call takes that somebody waited for: long enough for what is written then to be handled by others.
const HELD_LEAST: Duration = Duration::from_millis(1_500);
const HELD_MORE_MS: usize = 2_500;

/// How long somebody waits for a call to begin, beside one that may be held.
const WAITS: Duration = Duration::from_secs(3);

/// Cognito, as the target of a request names it.
const COGNITO: &str = "AWSCognitoIdentityProviderService";

/// The calls that take something away.
const TAKING: [&str; 3] = ["AdminRemoveUserFromGroup", "DeleteGroup", "AdminDeleteUser"];

/// How long after its timeout a request may land.
const LATE_MS: usize = 30_000;

/// How long after a creation or a deletion Cognito may answer as if it had not been.
const FLAPS: Duration = Duration::from_millis(800);

/// How long Cognito has no room for a group, once it has none.
const FULL: Duration = Duration::from_secs(10);

/// What it answers then.
pub const QUOTA: &str = "LimitExceededException";

/// How often in a thousand calls each fault comes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rates {
    /// The service refuses for the rate.
    pub throttle: usize,
    /// The service fails.
    pub server: usize,
    /// No answer, and no effect.
    pub timeout_before: usize,
    /// No answer, after the effect.
    pub timeout_after: usize,
    /// The connection breaks after the effect.
    pub reset: usize,
    /// The process ends before the call.
    pub crash_before: usize,
    /// The process ends after the effect.
    pub crash_after: usize,
    /// A batch hands back some of its keys or items.
    pub unprocessed: usize,
    /// Some entries of a batch fail.
    pub partial: usize,
    /// A transaction meets another.
    pub conflict: usize,
    /// Cognito has no room for a group.
    pub quota: usize,
    /// A service, or an operation of it, fails for some seconds, whoever calls it.
    pub outage: usize,
    /// A request takes long to come, or its answer does.
    pub slow: usize,
    /// Cognito answers as if what was just made were not there, or what just went still were.
    pub flap: usize,
    /// A request to Cognito has its effect long after its timeout. Off unless asked for.
    pub late: usize,
}

/// What comes of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Fine,
    Throttle,
    Server,
    TimeoutBefore,
    TimeoutAfter,
    Reset,
    CrashBefore,
    CrashAfter,
    Unprocessed,
    Partial,
    Conflict,
    Quota,
    Flap,
    Late,
    Outage,
    SlowBefore,
    SlowAfter,
}

impl Fate {
    /// Whether the call fails, or some of it: it is not only late.
    const fn has_failed(self) -> bool {
        !matches!(self, Self::Fine | Self::SlowBefore | Self::SlowAfter)
    }
}

/// Somebody waits for a call, to write at its worst moment.
#[derive(Debug)]
struct Ambush {
    operations: &'static [&'static str],
    fate: Fate,
    held: Duration,
    /// The operation fails for everybody else meanwhile, or nothing can be given, or taken back.
    with_outage: bool,
    caught: oneshot::Sender<()>,
}

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

    /// Sets how often faults come.
    pub fn set_rates(&self, rates: Rates) {
        *self.rates.lock().unwrap_or_else(PoisonError::into_inner) = rates;
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

    /// Waits for a call of one of these operations, which then takes long, or whose answer is lost. One at a time waits; who came
    /// before goes on. Whether one came.
    pub async fn ambush(&self, operations: &'static [&'static str]) -> bool {
        let fates = [Fate::SlowBefore, Fate::SlowBefore, Fate::SlowAfter, Fate::TimeoutAfter];
        let fate = self.chance.pick(&fates).copied().unwrap_or(Fate::SlowBefore);
        let with_outage = self.chance.of_thousand(200);
        self.wait_for(operations, fate, HELD_LEAST + self.chance.time(HELD_MORE_MS), with_outage).await
    }

    /// Waits for such a call, which then has its effect so much later, and nothing else comes in between.
    pub async fn hold(&self, operations: &'static [&'static str], held: Duration) -> bool {
        self.wait_for(operations, Fate::SlowBefore, held, false).await
    }

    /// Waits for such a call, which then is answered so much later.
    pub async fn hold_answer(&self, operations: &'static [&'static str], held: Duration) -> bool {
        self.wait_for(operations, Fate::SlowAfter, held, false).await
    }

    /// Waits for such a call, after whose effect the process ends.
    pub async fn crash_after(&self, operations: &'static [&'static str]) -> bool {
        self.wait_for(operations, Fate::CrashAfter, Duration::ZERO, false).await
    }

    /// Waits for such a call, which then has its effect, and whose answer is lost.
    pub async fn lose_answer(&self, operations: &'static [&'static str]) -> bool {
        self.wait_for(operations, Fate::Reset, Duration::ZERO, false).await
    }

    async fn wait_for(
        &self,
        operations: &'static [&'static str],
        fate: Fate,
        held: Duration,
        with_outage: bool,
    ) -> bool {
        let (caught, is_caught) = oneshot::channel();
        let ambush = Ambush { operations, fate, held, with_outage, caught };
        *self.ambush.lock().unwrap_or_else(PoisonError::into_inner) = Some(ambush);
        matches!(tokio::time::timeout(WAITS, is_caught).await, Ok(Ok(())))
    }

    /// The fate of a call for which somebody waited, and how long it takes.
    fn ambushed(&self, process: usize, operation: &str) -> Option<(Fate, Duration)> {
        if self.watch().is_short(process) {
            return None;
        }
        let is_waited_for = |ambush: &mut Ambush| ambush.operations.contains(&operation) && !ambush.caught.is_closed();
        let ambush = self.ambush.lock().unwrap_or_else(PoisonError::into_inner).take_if(is_waited_for)?;
        if ambush.with_outage {
            let broken = self.chance.pick(&[operation, "AdminAddUserToGroup", TAKING[0]]).copied();
            self.breaks(broken.unwrap_or(operation), ambush.held + OUTAGE_LEAST);
        }
        let _ = ambush.caught.send(());
        self.count("Ambush");
        self.note(|| format!("somebody waited for {operation}"));
        Some((ambush.fate, ambush.held))
    }

    /// A service, or an operation of it, fails for so long.
    pub fn breaks(&self, what: &str, how_long: Duration) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        *out = Some((what.to_owned(), Instant::now() + how_long));
    }

    /// Cognito has no room for a group for a while, where quotas are reached at all.
    pub fn fill(&self) {
        *self.full.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// A user and a group that are somebody else's, and groups of theirs that have the names of ours.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn others(&self) -> Result<(), String> {
        let pool = instep_local::USER_POOL;
        let alike = crate::writers::groups_alike(self);
        for group in alike.iter().map(String::as_str).chain([OTHERS]) {
            self.by_hand("CreateGroup", &json!({"UserPoolId": pool, "GroupName": group}))?;
        }
        self.by_hand("AdminCreateUser", &json!({"UserPoolId": pool, "Username": STRANGER}))?;
        self.by_hand("AdminAddUserToGroup", &json!({"UserPoolId": pool, "Username": STRANGER, "GroupName": OTHERS}))?;
        self.watch().of_others.extend(alike);
        Ok(())
    }

    /// People make groups and users that the model leaves to them.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn people_make(&self, groups: &[&str], users: &[&str]) -> Result<(), String> {
        let pool = instep_local::USER_POOL;
        for group in groups {
            self.by_hand("CreateGroup", &json!({"UserPoolId": pool, "GroupName": group}))?;
        }
        for user in users {
            self.by_hand("AdminCreateUser", &json!({"UserPoolId": pool, "Username": user}))?;
        }
        self.watch().implied.made_by_hand(groups, users);
        self.pool();
        Ok(())
    }

    /// A call to SQS beside those of the processes: the event source mapping's own.
    pub fn sqs(&self, operation: &str, queue: &str, mut body: Value) -> Value {
        let _ = self.now();
        if let Some(body) = body.as_object_mut() {
            body.insert("QueueUrl".to_owned(), json!(queue));
        }
        let mut request = HttpRequest::new(SdkBody::from(body.to_string()));
        request.headers_mut().insert("x-amz-target", format!("AmazonSQS.{operation}"));
        let answer = self.services.answer(&request, None).and_then(Result::ok);
        let answer = answer.as_ref().and_then(|answer| answer.body().bytes());
        answer.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
    }

    fn by_hand(&self, operation: &str, body: &Value) -> Result<(), String> {
        let mut request = HttpRequest::new(SdkBody::from(body.to_string()));
        request.headers_mut().insert("x-amz-target", format!("{COGNITO}.{operation}"));
        match self.services.answer(&request, None) {
            Some(Ok(answer)) if answer.status().is_success() => Ok(()),
            answer => Err(format!("{operation} by hand: {answer:?}")),
        }
    }

    /// How long indexes take to see a write.
    fn lag(&self) -> i64 {
        i64::try_from(self.chance.time(1_500).as_millis()).unwrap_or_default()
    }

    fn pool(&self) {
        let (groups, users) = self.services.pool();
        self.watch().pool(&groups, &users);
    }

    /// The code with which Cognito would answer as if the last moment had not been. What is taken away is spared: a "not found" is
    /// believed there.
    fn flap(&self, operation: &str, body: &Value) -> Option<&'static str> {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let state = |kind: &str, name: &str| {
            let (at, is_there) = recent.get(&format!("{kind}:{}", text(name)?))?;
            (at.elapsed() < FLAPS).then_some(*is_there)
        };
        let (group, user) = (state("group", "GroupName"), state("user", "Username"));
        match operation {
            "CreateGroup" => (group == Some(false)).then_some("GroupExistsException"),
            "AdminCreateUser" => (user == Some(false)).then_some("UsernameExistsException"),
            "UpdateGroup" => (group == Some(true)).then_some("ResourceNotFoundException"),
            "AdminGetUser" | "AdminUpdateUserAttributes" | "AdminEnableUser" => {
                (user == Some(true)).then_some("UserNotFoundException")
            }
            "AdminAddUserToGroup" if user == Some(true) => Some("UserNotFoundException"),
            "AdminAddUserToGroup" => (group == Some(true)).then_some("ResourceNotFoundException"),
            _ => None,
        }
    }

    fn fate(&self, operation: &str, service: &str, flaps: bool) -> Fate {
        let is_cognito = service == COGNITO;
        let rates = *self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        let is_batch = operation.starts_with("Batch");
        let is_entries = ["PutEvents", "SendMessageBatch"].contains(&operation);
        let kinds = [
            (rates.throttle, Fate::Throttle),
            (rates.server, Fate::Server),
            (rates.timeout_before, Fate::TimeoutBefore),
            (rates.timeout_after, Fate::TimeoutAfter),
            (rates.reset, Fate::Reset),
            (rates.crash_before, Fate::CrashBefore),
            (rates.crash_after, Fate::CrashAfter),
            (if is_batch { rates.unprocessed } else { 0 }, Fate::Unprocessed),
            (if is_entries { rates.partial } else { 0 }, Fate::Partial),
            (if operation == "TransactWriteItems" { rates.conflict } else { 0 }, Fate::Conflict),
            (if operation == "CreateGroup" { rates.quota } else { 0 }, Fate::Quota),
            (if flaps { rates.flap } else { 0 }, Fate::Flap),
            (if is_cognito { rates.late } else { 0 }, Fate::Late),
            (rates.slow, Fate::SlowBefore),
            (rates.slow, Fate::SlowAfter),
        ];
        let drawn =
            kinds.into_iter().find(|(rate, _)| self.chance.of_thousand(*rate)).map_or(Fate::Fine, |(_, fate)| fate);
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = operation == "CreateGroup" && rates.quota > 0 && full.is_some_and(|at| at.elapsed() < FULL);
        if drawn == Fate::Quota {
            *full = Some(Instant::now());
        }
        if self.is_out([service, operation], rates.outage) {
            Fate::Outage
        } else if !drawn.has_failed() && is_full {
            Fate::Quota
        } else {
            drawn
        }
    }

    /// Whether a service, or one operation of it, fails for everybody, as it does now and then for some seconds.
    fn is_out(&self, what: [&str; 2], often: usize) -> bool {
        if self.chance.of_thousand(often) {
            let of = self.chance.pick(&what).copied().unwrap_or_default();
            self.breaks(of, OUTAGE_LEAST + self.chance.time(OUTAGE_MORE_MS));
        }
        let out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        often > 0 && out.as_ref().is_some_and(|(of, until)| what.contains(&of.as_str()) && Instant::now() < *until)
    }

    async fn call(self: Arc<Self>, process: usize, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let operation = operation(&request);
        let body: Value =
            request.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
        let service = service(&request).to_owned();
        let flap = self.flap(&operation, &body);
        let mut fate = self.fate(&operation, &service, flap.is_some());
        let ambushed = if fate == Fate::Fine { self.ambushed(process, &operation) } else { None };
        if let Some((held, _)) = ambushed {
            fate = held;
        }
        let took = (self.chance.time(20), self.chance.time(20));
        *self.log().calls.entry(operation.clone()).or_default() += 1;
        if fate != Fate::Fine {
            self.count(&format!("{fate:?}"));
        }
        if TAKING.contains(&operation.as_str()) {
            self.watch().tried_to_take(process, facts(&operation, &body), fate.has_failed());
        }
        tokio::time::sleep(took.0).await;
        self.note(|| format!("process {process} {operation} {fate:?} {}", plain(&body)));
        let hangs = self.chance.time(if self.watch().is_short(process) { SHORT_HANGS_MS } else { HANGS_MS });
        let hangs = ambushed.map_or(hangs, |(_, held)| held);
        match fate {
            Fate::Throttle => return refuse(&request, 400, throttle(&operation, &request)),
            Fate::Server | Fate::Outage => return refuse(&request, 500, "InternalServerError"),
            Fate::Quota => return refuse(&request, 400, QUOTA),
            Fate::Flap => return refuse(&request, 400, flap.unwrap_or_default()),
            Fate::Conflict => return conflict(&body),
            Fate::TimeoutBefore => {
                tokio::time::sleep(hangs).await;
                return Err(ConnectorError::timeout("no answer".into()));
            }
            Fate::Late => {
                let (net, lands) = (Arc::clone(&self), hangs + self.chance.time(LATE_MS));
                tokio::task::spawn_local(async move { net.land(process, (operation, request, body), lands).await });
                tokio::time::sleep(hangs).await;
                return Err(ConnectorError::timeout("no answer yet".into()));
            }
            Fate::CrashBefore => return self.crash(process).await,
            Fate::SlowBefore => tokio::time::sleep(hangs).await,
            Fate::Fine
            | Fate::TimeoutAfter
            | Fate::Reset
            | Fate::CrashAfter
            | Fate::Unprocessed
            | Fate::Partial
            | Fate::SlowAfter => {}
        }
        let answer = self.answer(process, &operation, &request, &body, fate)?;
        tokio::time::sleep(took.1).await;
        if matches!(fate, Fate::TimeoutAfter | Fate::SlowAfter) {
            tokio::time::sleep(hangs).await;
        }
        if fate == Fate::TimeoutAfter {
            return Err(ConnectorError::timeout("the answer is lost".into()));
        }
        if fate == Fate::Reset {
            return Err(ConnectorError::io("the connection broke".into()));
        }
        if fate == Fate::CrashAfter { self.crash(process).await } else { Ok(answer) }
    }

    /// A request has its effect, and nobody waits for it any more.
    async fn land(&self, process: usize, (operation, request, body): (String, HttpRequest, Value), lands: Duration) {
        tokio::time::sleep(lands).await;
        self.note(|| format!("process {process} {operation} lands late"));
        let facts = facts(&operation, &body);
        let members = |fact: &Fact| match (fact, operation.as_str()) {
            (Fact::Member(user, _), "AdminDeleteUser") | (Fact::Attribute(user, _), _) => {
                body.get("Username") == Some(&json!(user))
            }
            (Fact::Member(_, group), "DeleteGroup") => body.get("GroupName") == Some(&json!(group)),
            (_, _) => false,
        };
        let touched = || {
            let mut watch = self.watch();
            let also: Vec<Fact> = watch.actual().filter(|fact| members(fact)).cloned().collect();
            watch.late.extend(also);
        };
        touched();
        self.watch().late.extend(facts);
        let _ = self.answer(process, &operation, &request, &body, Fate::Late);
        // What it brought.
        touched();
    }

    async fn crash(&self, process: usize) -> Result<HttpResponse, ConnectorError> {
        if let Some(crash) = self.crashes.get(process) {
            crash.notify_one();
        }
        std::future::pending().await
    }

    fn answer(
        &self,
        process: usize,
        operation: &str,
        request: &HttpRequest,
        body: &Value,
        fate: Fate,
    ) -> Result<HttpResponse, ConnectorError> {
        let now_ms = self.now_ms();
        let entries = body.get("Entries").and_then(Value::as_array).map_or(0, Vec::len);
        let fault = (fate == Fate::Partial).then(|| Fault::Entries {
            places: (0..entries).filter(|_| self.chance.of_thousand(500)).collect(),
            code: "InternalFailure".to_owned(),
        });
        if is_cognito(request) && fate != Fate::Late {
            let found = facts(operation, body).iter().find_map(|fact| self.watch().takes(process, fact, now_ms));
            self.found(found.filter(|_| TAKING.contains(&operation)));
        }
        if let Some(answer) = self.services.answer(request, fault.as_ref()) {
            let answer = answer?;
            if answer.status().is_success() {
                self.answered(process, operation, request, body, (&answer, fate));
            }
            self.check_limits(operation, request, &answer);
            return Ok(answer);
        }
        let spare = if fate == Fate::Unprocessed { 1 + self.chance.below(5) } else { 0 };
        let lag = self.lag();
        let (answer, written, lagged) = {
            let mut table = self.table();
            (table.call(operation, body, now_ms, lag, spare), table.written(), table.lagged())
        };
        if lagged {
            self.count("IndexLag");
        }
        if !written.is_empty() {
            let found = self.watch().written(written, Some(process));
            self.found(found);
        }
        match answer {
            Ok(answer) => {
                let found =
                    answer.pointer("/Items").or_else(|| answer.pointer(&format!("/Responses/{}", self.table().name)));
                let rows = found.and_then(Value::as_array).map_or(0, Vec::len);
                let found = self.watch().reads(process, rows);
                self.found(found);
                response(200, &answer)
            }
            Err(refused) => {
                if refused.code == "ValidationException" {
                    self.broken(format!("8: DynamoDB refuses {operation}: {body}"));
                }
                response(400, &refusal(&refused))
            }
        }
    }

    /// Promise 8: no limit of a call is exceeded. The stand-ins refuse what the services would.
    fn check_limits(&self, operation: &str, request: &HttpRequest, answer: &HttpResponse) {
        const INVALID: [&str; 5] = [
            "ValidationException",
            "InvalidParameter",
            "TooManyEntries",
            "BatchRequestTooLong",
            "InvalidMessageContents",
        ];
        let text = answer.body().bytes().and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        if answer.status().as_u16() == 400 && INVALID.iter().any(|code| text.contains(code)) {
            self.broken(format!("8: {operation} is refused: {text}"));
        }
        let sent = request.body().bytes().and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        if operation == "PutObject" && sent.contains(SECRET) {
            self.broken(format!("9: an object tells a secret: {sent}"));
        }
    }

    /// Takes note of what a service did.
    fn answered(
        &self,
        process: usize,
        operation: &str,
        request: &HttpRequest,
        body: &Value,
        (answer, fate): (&HttpResponse, Fate),
    ) {
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let answer = || -> Value {
            answer.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
        };
        let recent = |kind: &str, name: &str, is_there| {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            recent.insert(format!("{kind}:{}", text(name)), (Instant::now(), is_there));
        };
        match operation {
            "AdminAddUserToGroup" => {
                let (user, group) = (text("Username"), text("GroupName"));
                let found = self.watch().granted(&user, &group);
                self.found(found);
                // What lands late another invocation asked for.
                let found = self.watch().gives(process, Fact::Member(user, group));
                self.found(found.filter(|_| fate != Fate::Late));
            }
            "CreateGroup" => recent("group", "GroupName", true),
            // Its description marks it.
            "UpdateGroup" => drop(self.watch().of_others.remove(&text("GroupName"))),
            "DeleteGroup" => {
                recent("group", "GroupName", false);
                if self.watch().of_others.remove(&text("GroupName")) {
                    self.broken(format!("9: {}, which somebody else made, was deleted", text("GroupName")));
                }
            }
            "AdminCreateUser" => {
                recent("user", "Username", true);
                if self.watch().implied.users_are(|user| user.create == Create::Never) {
                    self.broken(format!("9: {}, whom people make, was made", text("Username")));
                }
            }
            "AdminDeleteUser" => {
                recent("user", "Username", false);
                if self.watch().implied.users_are(|user| !user.delete) {
                    self.broken(format!("9: {}, whom the model keeps, was deleted", text("Username")));
                }
            }
            "PutEvents" => {
                self.note_handed_on();
                let (answer, nothing) = (answer(), Vec::new());
                let results = answer.get("Entries").and_then(Value::as_array).unwrap_or(&nothing);
                let entries = body.get("Entries").and_then(Value::as_array).unwrap_or(&nothing);
                let put = entries.iter().zip(results).filter(|(_, result)| result.get("ErrorCode").is_none());
                let word =
                    |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                let put: Vec<_> = put.map(|(entry, _)| (word(entry, "DetailType"), word(entry, "Detail"))).collect();
                let found = self.watch().events(&put);
                self.found(found);
            }
            "SendMessageBatch" => self.sent(body, &answer()),
            _ => {}
        }
        if is_cognito(request) {
            self.pool();
        }
    }
}

impl Net {
    /// Takes note of messages that a queue has taken: work messages, or parked records.
    fn sent(&self, body: &Value, answer: &Value) {
        if body.get("QueueUrl") == Some(&json!(WORK)) {
            let text = body.to_string();
            if text.contains(SECRET) {
                self.broken(format!("9: a work message tells a secret: {text}"));
            }
            return;
        }
        let nothing = Vec::new();
        let sent = answer.get("Successful").and_then(Value::as_array).unwrap_or(&nothing);
        let is_sent = |entry: &&Value| sent.iter().any(|sent| sent.get("Id") == entry.get("Id"));
        let is_full = self.log().faults.contains_key("Quota");
        let entries = body.get("Entries").and_then(Value::as_array).unwrap_or(&nothing);
        for entry in entries.iter().filter(is_sent) {
            let text = entry.get("MessageBody").and_then(Value::as_str).unwrap_or_default();
            let found = self.watch().parked(text, is_full);
            self.found(found);
        }
    }

    /// Tells the watch what work messages on their way name.
    pub fn note_handed_on(&self) {
        let bodies = [WORK, WORK_DEAD_LETTERS, QUEUE].into_iter().flat_map(|url| self.services.messages(url));
        let objects = bodies.flat_map(|message| named(&message.body));
        let objects = objects.filter_map(|object| object.object(&self.model)).collect();
        self.watch().handed_on(objects);
    }
}

/// The objects that a work message names, also one that is parked.
fn named(body: &str) -> Vec<NamedObject> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let body = body.get("record").unwrap_or(&body);
    let objects = body.pointer("/work/reconcile").cloned().unwrap_or_default();
    serde_json::from_value(objects).unwrap_or_default()
}

/// What a request is for: the service in its target; S3 has none.
fn service(request: &HttpRequest) -> &str {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    target.split(['.', '_']).next().unwrap_or_default()
}

fn is_cognito(request: &HttpRequest) -> bool {
    service(request) == COGNITO
}

/// What a request to Cognito is about.
fn facts(operation: &str, body: &Value) -> Vec<Fact> {
    let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
    match (operation, text("Username"), text("GroupName")) {
        (_, Some(user), Some(group)) => vec![Fact::Member(user, group)],
        (_, Some(user), None) => vec![Fact::User(user)],
        (_, None, Some(group)) => vec![Fact::Group(group)],
        (_, None, None) => Vec::new(),
    }
}

fn throttle(operation: &str, request: &HttpRequest) -> &'static str {
    match (service(request), operation) {
        ("", _) => "SlowDown",
        (COGNITO, _) => "TooManyRequestsException",
        ("DynamoDB", "TransactWriteItems" | "PutItem" | "UpdateItem") => "ProvisionedThroughputExceededException",
        _ => "ThrottlingException",
    }
}

/// A transaction that meets another, at one of its actions.
fn conflict(body: &Value) -> Result<HttpResponse, ConnectorError> {
    let count = body.get("TransactItems").and_then(Value::as_array).map_or(1, Vec::len);
    let mut reasons = vec!["None"; count];
    if let Some(first) = reasons.first_mut() {
        *first = "TransactionConflict";
    }
    response(400, &refusal(&Refused { code: "TransactionCanceledException", reasons }))
}

fn refusal(refused: &Refused) -> Value {
    let reasons: Vec<Value> = refused.reasons.iter().map(|code| json!({ "Code": code })).collect();
    json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{}", refused.code), "message": "refused", "CancellationReasons": reasons})
}

fn response(status: u16, body: &Value) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status).map_err(|error| ConnectorError::user(error.into()))?;
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    Ok(response)
}

/// The HTTP client of one process.
#[derive(Debug, Clone)]
pub struct Line {
    /// The network.
    pub net: Arc<Net>,
    /// Whose it is.
    pub process: usize,
}

impl HttpClient for Line {
    fn http_connector(
        &self,
        _settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Line {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self { net, process } = self.clone();
        HttpConnectorFuture::new(async move { net.call(process, request).await })
    }
}

/// A pause of a person.
pub async fn pause(net: &Net, most_ms: usize) {
    let pause: Duration = net.chance.time(most_ms);
    tokio::time::sleep(pause).await;
}
