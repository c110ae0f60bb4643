//! One call, from the request of a process to the answer.

use std::sync::Arc;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use instep_local::{operation, refuse};
use serde_json::Value;

use super::faults::{Fate, QUOTA};
use super::wire::{conflict, service, throttle};
use super::{Net, REMOVING};
use crate::table::plain;

/// How long a request may hang. In an invocation with a short deadline it hangs no longer than an
/// invocation may exceed its deadline, because Instep awaits calls to Cognito.
const HANGS_MS: usize = 3_000;
const SHORT_HANGS_MS: usize = 900;

/// How many of a thousand calls of the clock that are no queries are its last.
const CLOCK_DIES: usize = 250;

/// How long after its timeout a request may take effect.
const LATE_MS: usize = 30_000;

/// The HTTP client of a process.
#[derive(Debug, Clone)]
pub struct ProcessClient {
    /// The network.
    pub net: Arc<Net>,
    /// The number of the process.
    pub process: usize,
}

impl HttpClient for ProcessClient {
    fn http_connector(
        &self,
        _settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for ProcessClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self { net, process } = self.clone();
        HttpConnectorFuture::new(async move { net.call(process, request).await })
    }
}

/// One call of a process.
#[derive(Debug)]
pub(super) struct SeenCall {
    pub(super) process: usize,
    pub(super) operation: String,
    pub(super) request: HttpRequest,
    /// The request's body.
    pub(super) body: Value,
    pub(super) fate: Fate,
    /// The error with which Cognito ignores a recent change, if the fate is [`Fate::Flap`].
    flap: Option<&'static str>,
    /// The delay that a hook chose.
    held: Option<Duration>,
}

impl Net {
    async fn call(self: Arc<Self>, process: usize, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let call = self.meet_fate(process, request);
        let (way_there, way_back) = (self.chance.time(20), self.chance.time(20));
        self.count_call(&call);
        tokio::time::sleep(way_there).await;
        self.note(|| format!("process {process} {} {:?} {}", call.operation, call.fate, plain(&call.body)));
        let hangs = self.chance.time(if self.watch().is_short(process) { SHORT_HANGS_MS } else { HANGS_MS });
        let hangs = call.held.unwrap_or(hangs);
        match call.fate {
            Fate::Throttle | Fate::Server | Fate::Outage | Fate::Quota | Fate::Flap | Fate::Conflict => {
                return call.refused();
            }
            Fate::TimeoutBefore => {
                tokio::time::sleep(hangs).await;
                return Err(ConnectorError::timeout("no answer".into()));
            }
            Fate::Late => {
                let (net, lands) = (Arc::clone(&self), hangs + self.chance.time(LATE_MS));
                tokio::task::spawn_local(async move { net.land(call, lands).await });
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
        let answer = self.answer(&call)?;
        tokio::time::sleep(way_back).await;
        if matches!(call.fate, Fate::TimeoutAfter | Fate::SlowAfter) {
            tokio::time::sleep(hangs).await;
        }
        match call.fate {
            Fate::TimeoutAfter => Err(ConnectorError::timeout("the answer is lost".into())),
            Fate::Reset => Err(ConnectorError::io("the connection broke".into())),
            Fate::CrashAfter => self.crash(process).await,
            Fate::Fine
            | Fate::Unprocessed
            | Fate::Partial
            | Fate::SlowBefore
            | Fate::SlowAfter
            | Fate::Throttle
            | Fate::Server
            | Fate::Outage
            | Fate::Quota
            | Fate::Flap
            | Fate::Conflict
            | Fate::TimeoutBefore
            | Fate::Late
            | Fate::CrashBefore => Ok(answer),
        }
    }

    /// Draws the fate of a call. An ambush replaces it if the draw is [`Fate::Fine`].
    fn meet_fate(&self, process: usize, request: HttpRequest) -> SeenCall {
        let operation = operation(&request);
        let body: Value =
            request.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
        let flap = self.flap(&operation, &body);
        let drawn = self.fate(&operation, service(&request), flap.is_some());
        let lives = matches!(drawn, Fate::CrashBefore | Fate::CrashAfter) && self.is_spared(process);
        let drawn = if lives { Fate::Fine } else { drawn };
        let drawn = self.end_of_the_clock(process, &operation).filter(|_| drawn == Fate::Fine).unwrap_or(drawn);
        let hooked_fate = if drawn == Fate::Fine { self.hooked_fate(process, &operation) } else { None };
        let (fate, held) = hooked_fate.map_or((drawn, None), |(fate, held)| (fate, Some(held)));
        SeenCall { process, operation, request, body, fate, flap, held }
    }

    /// The clock dies between two of its calls. It makes few, and most of them are queries.
    fn end_of_the_clock(&self, process: usize, operation: &str) -> Option<Fate> {
        let is_meant = operation != "Query" && self.watch().is_clock(process) && self.chance.of_thousand(CLOCK_DIES);
        if is_meant { self.chance.pick(&[Fate::CrashBefore, Fate::CrashAfter]).copied() } else { None }
    }

    fn count_call(&self, call: &SeenCall) {
        *self.log().calls.entry(call.operation.clone()).or_default() += 1;
        if call.fate != Fate::Fine {
            self.count(&format!("{:?}", call.fate));
        }
        if call.fate == Fate::Quota {
            let facts = self.facts(&call.body);
            self.watch().met_quota(call.process, facts);
        }
        if REMOVING.contains(&call.operation.as_str()) {
            let facts = self.facts(&call.body);
            self.watch().tried_to_remove(call.process, facts, call.fate.has_failed());
        }
    }

    /// A request takes effect after its timeout. No caller awaits it any more.
    async fn land(&self, call: SeenCall, lands: Duration) {
        tokio::time::sleep(lands).await;
        let SeenCall { process, operation, .. } = &call;
        self.note(|| format!("process {process} {operation} lands late"));
        let _ = self.answer(&call);
    }

    async fn crash(&self, process: usize) -> Result<HttpResponse, ConnectorError> {
        if let Some(crash) = self.crashes.get(process) {
            crash.notify_one();
        }
        std::future::pending().await
    }
}

impl SeenCall {
    /// The answer to a call that is refused and has no effect.
    fn refused(&self) -> Result<HttpResponse, ConnectorError> {
        match self.fate {
            Fate::Throttle => refuse(&self.request, 400, throttle(&self.operation, &self.request)),
            Fate::Quota => refuse(&self.request, 400, QUOTA),
            Fate::Flap => refuse(&self.request, 400, self.flap.unwrap_or_default()),
            Fate::Conflict => conflict(&self.body),
            Fate::Server
            | Fate::Outage
            | Fate::Fine
            | Fate::TimeoutBefore
            | Fate::TimeoutAfter
            | Fate::Reset
            | Fate::CrashBefore
            | Fate::CrashAfter
            | Fate::Unprocessed
            | Fate::Partial
            | Fate::Late
            | Fate::SlowBefore
            | Fate::SlowAfter => refuse(&self.request, 500, "InternalServerError"),
        }
    }
}
