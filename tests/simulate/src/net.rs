//! The network between the processes and the services: the SDK's HTTP client, which delays calls, loses, refuses and cuts them, and
//! now and then takes the process with it.

use std::collections::{BTreeMap, BTreeSet};
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
use instep_local::{Clock, Fault, Services, operation, refuse};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::chance::Chance;
use crate::check;
use crate::table::{Item, Key, Refused, Table, plain};

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
    /// Memberships that the table implied at some moment: user and group.
    pub implied: BTreeSet<(String, String)>,
    /// What each of these is made of, and was there at some moment, though perhaps not at the same.
    pub parts: BTreeSet<check::Part>,
}

/// Everything that is outside of the processes.
#[derive(Debug)]
pub struct Net {
    /// The run's chance.
    pub chance: Chance,
    /// All services but the table's.
    pub services: Services,
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
    pub fn new(chance: Chance, services: Services, clock: Clock, table: Table, processes: usize, traced: bool) -> Self {
        let log = Log { trace: traced.then(Vec::new), ..Log::default() };
        let began = (Instant::now(), clock.now());
        Self {
            chance,
            services,
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

    /// Waits until the process crashes.
    pub async fn crashed(&self, process: usize) {
        match self.crashes.get(process) {
            Some(crash) => crash.notified().await,
            None => std::future::pending().await,
        }
    }

    /// Somebody writes the table, beside Instep.
    pub fn write(&self, key: Key, item: Option<Item>) {
        let lag = self.lag();
        let now = self.now_ms();
        self.note(|| format!("writer {} {} | {}", if item.is_some() { "puts" } else { "deletes" }, key.0, key.1));
        self.table().write(key, item, now, lag);
        self.truth();
    }

    /// How long indexes take to see a write.
    fn lag(&self) -> i64 {
        i64::try_from(self.chance.time(1_500).as_millis()).unwrap_or_default()
    }

    /// What the table implies now has been true once.
    fn truth(&self) {
        let (implied, parts) = {
            let table = self.table();
            (check::memberships(table.items()), check::parts(table.items()))
        };
        let mut log = self.log();
        log.implied.extend(implied);
        log.parts.extend(parts);
    }

    fn fate(&self, operation: &str) -> Fate {
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
        ];
        kinds.into_iter().find(|(rate, _)| self.chance.of_thousand(*rate)).map_or(Fate::Fine, |(_, fate)| fate)
    }

    async fn call(&self, process: usize, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let operation = operation(&request);
        let fate = self.fate(&operation);
        let took = (self.chance.time(20), self.chance.time(20));
        *self.log().calls.entry(operation.clone()).or_default() += 1;
        if fate != Fate::Fine {
            self.count(&format!("{fate:?}"));
        }
        tokio::time::sleep(took.0).await;
        let body: Value =
            request.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
        self.note(|| format!("process {process} {operation} {fate:?} {}", plain(&body)));
        match fate {
            Fate::Throttle => return refuse(&request, 400, throttle(&operation, &request)),
            Fate::Server => return refuse(&request, 500, "InternalServerError"),
            Fate::Quota => return refuse(&request, 400, "LimitExceededException"),
            Fate::Conflict => return conflict(&body),
            Fate::TimeoutBefore => {
                tokio::time::sleep(self.chance.time(3_000)).await;
                return Err(ConnectorError::timeout("no answer".into()));
            }
            Fate::CrashBefore => return self.crash(process).await,
            Fate::Fine | Fate::TimeoutAfter | Fate::Reset | Fate::CrashAfter | Fate::Unprocessed | Fate::Partial => {}
        }
        let answer = self.answer(&operation, &request, &body, fate)?;
        tokio::time::sleep(took.1).await;
        if fate == Fate::TimeoutAfter {
            tokio::time::sleep(self.chance.time(3_000)).await;
            return Err(ConnectorError::timeout("the answer is lost".into()));
        }
        if fate == Fate::Reset {
            return Err(ConnectorError::io("the connection broke".into()));
        }
        if fate == Fate::CrashAfter { self.crash(process).await } else { Ok(answer) }
    }

    async fn crash(&self, process: usize) -> Result<HttpResponse, ConnectorError> {
        if let Some(crash) = self.crashes.get(process) {
            crash.notify_one();
        }
        std::future::pending().await
    }

    fn answer(
        &self,
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
        if let Some(answer) = self.services.answer(request, fault.as_ref()) {
            let answer = answer?;
            if operation == "AdminAddUserToGroup" && answer.status().is_success() {
                self.granted(body);
            }
            return Ok(answer);
        }
        let spare = if fate == Fate::Unprocessed { 1 + self.chance.below(5) } else { 0 };
        let lag = self.lag();
        let answer = self.table().call(operation, body, now_ms, lag, spare);
        self.truth();
        match answer {
            Ok(answer) => response(200, &answer),
            Err(refused) => {
                // Promise 8: no limit of a call is exceeded.
                if refused.code == "ValidationException" {
                    self.broken(format!("DynamoDB refuses {operation}: {body}"));
                }
                response(400, &refusal(&refused))
            }
        }
    }

    /// Promise 2: what is granted was true at some moment. A look is no snapshot, so it may be made of parts that were not there at the
    /// same moment: that is counted.
    fn granted(&self, body: &Value) {
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let pair = (text("Username"), text("GroupName"));
        if self.log().implied.contains(&pair) {
            return;
        }
        let is_made = check::parts_of(&pair.0, &pair.1).iter().all(|part| self.log().parts.contains(part));
        if is_made {
            self.count("(window: parts of two moments)");
        } else {
            self.broken(format!("2: {} was added to {}, which was never true", pair.0, pair.1));
        }
    }
}

fn throttle(operation: &str, request: &HttpRequest) -> &'static str {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    match (target, operation) {
        ("", _) => "SlowDown",
        (target, _) if target.starts_with("AWSCognito") => "TooManyRequestsException",
        (target, "TransactWriteItems" | "PutItem" | "UpdateItem") if target.starts_with("DynamoDB") => {
            "ProvisionedThroughputExceededException"
        }
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
