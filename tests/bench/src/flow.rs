//! The flow over the real SDK clients, whose HTTP client is the stand-in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_types::SdkConfig;
use instep_aws::{Clients, Instep, RunOptions, Settings};
use instep_flow::deletion_limit::DELETIONS_PER_HOUR;
use instep_flow::reconcile::SigningInAccount;
use instep_flow::report::Report;
use instep_model::Model;
use jiff::Timestamp;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::memberships::UserInGroup;
use crate::standin::{CONTENT_TYPE, StandInServices};
use crate::thread_cpu;

/// What a batch cost.
#[derive(Debug, Clone, Default)]
pub struct Cost {
    /// Calls by operation, and their keys, actions, events or rows.
    pub calls: BTreeMap<String, (u64, u64)>,
    /// CPU time, without that of the stand-in.
    pub cpu: Duration,
    /// Time by the clock, which may be a virtual one.
    pub wall: Duration,
}

impl Cost {
    /// All calls.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.calls.values().map(|(calls, _)| calls).sum()
    }

    /// The calls to Cognito.
    #[must_use]
    pub fn cognito(&self) -> u64 {
        self.calls.iter().filter(|(name, _)| name.starts_with("Admin")).map(|(_, (calls, _))| calls).sum()
    }
}

/// The flow, and the services behind it.
pub struct Flow {
    instep: Instep,
    services: InProcess,
}

#[derive(Debug, Clone)]
struct InProcess {
    services: Arc<Mutex<StandInServices>>,
    delay: Duration,
    /// If the answers take random times.
    chance: Arc<Mutex<Option<fastrand::Rng>>>,
    /// CPU time of the stand-in.
    cpu: Arc<Mutex<Duration>>,
    quota: Arc<Mutex<Option<Quota>>>,
}

/// A quota of changes of memberships, as a bucket that fills at its rate and holds what a second brings.
#[derive(Debug)]
pub struct Quota {
    rate: f64,
    left: f64,
    at: Instant,
    refused: u64,
    taken: u64,
}

impl Quota {
    /// So many calls a second.
    #[must_use]
    pub fn new(rate: u32) -> Self {
        Self { rate: rate.into(), left: rate.into(), at: Instant::now(), refused: 0, taken: 0 }
    }

    fn takes(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.at).as_secs_f64() * self.rate).min(self.rate);
        self.at = now;
        let takes = self.left >= 1.0;
        if takes {
            self.left -= 1.0;
            self.taken += 1;
        } else {
            self.refused += 1;
        }
        takes
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Flow {
    /// The flow over services that answer after `delay`.
    #[must_use]
    pub fn new(model: &Arc<Model>, services: StandInServices, delay: Duration) -> Self {
        let (services, chance) = (Arc::new(Mutex::new(services)), Arc::default());
        let services = InProcess { services, delay, chance, cpu: Arc::default(), quota: Arc::default() };
        let config = config(SharedHttpClient::new(services.clone()));
        let settings = Settings {
            table: "app".to_owned(),
            records_of: None,
            table_arn: None,
            user_pool: Some("eu-west-1_abcdefghi".to_owned()),
            bus: "bus".to_owned(),
            work_queue: "http://127.0.0.1:1/123456789012/work".to_owned(),
            cognito_interval: None,
            deletions_per_hour: DELETIONS_PER_HOUR,
            index_lag: Duration::from_secs(2),
            parking: None,
        };
        Self { instep: Instep::new(Arc::clone(model), Clients::new(&config), settings), services }
    }

    /// The same, at a rate of changes a second in Cognito.
    #[must_use]
    pub fn at_rate(model: &Arc<Model>, services: StandInServices, delay: Duration, rate: u32) -> Self {
        let mut flow = Self::new(model, services, delay);
        let settings = Settings { cognito_interval: Some(Duration::from_secs(1) / rate.max(1)), ..flow.settings() };
        flow.instep = Instep::new(Arc::clone(model), flow.instep.clients().clone(), settings);
        flow
    }

    fn settings(&self) -> Settings {
        self.instep.settings().clone()
    }

    /// Lets each answer take a random part of the delay.
    pub fn vary(&self, seed: u64) {
        *lock(&self.services.chance) = Some(fastrand::Rng::with_seed(seed));
    }

    /// Lets Cognito refuse changes of users beyond its quota.
    pub fn enforce(&self, quota: Quota) {
        *lock(&self.services.quota) = Some(quota);
    }

    /// Changes how many changes of users a second Cognito takes: others need their part of the quota.
    pub fn allow(&self, rate: u32) {
        if let Some(quota) = lock(&self.services.quota).as_mut() {
            quota.rate = rate.into();
        }
    }

    /// Calls that Cognito refused, and those that it took.
    #[must_use]
    pub fn refused(&self) -> (u64, u64) {
        lock(&self.services.quota).as_ref().map_or((0, 0), |quota| (quota.refused, quota.taken))
    }

    /// Who is in which group of the user pool.
    #[must_use]
    pub fn members(&self) -> BTreeSet<UserInGroup> {
        lock(&self.services.services).members.clone()
    }

    /// Replaces the services.
    pub fn reset(&self, services: StandInServices) {
        *lock(&self.services.services) = services;
    }

    /// Handles a batch of stream records.
    ///
    /// # Errors
    /// A record was not handled: the figures would be those of a failure.
    pub async fn batch(&self, records: &[Box<RawValue>]) -> Result<Cost, String> {
        let before = self.begin();
        let report = self.instep.handle(records, &run()).await;
        handled(&report)?;
        Ok(self.end(before))
    }

    /// Finds the groups of an account, as the function of tokens does. Returns how many it has.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn token(&self, account: SigningInAccount) -> Result<(usize, Cost), String> {
        let before = self.begin();
        let found = self.instep.reader().groups(account, run().now).await.map_err(|why| why.to_string())?;
        Ok((found.groups.len(), self.end(before)))
    }

    fn begin(&self) -> (Instant, Duration) {
        lock(&self.services.services).calls.clear();
        *lock(&self.services.cpu) = Duration::ZERO;
        (Instant::now(), thread_cpu())
    }

    fn end(&self, (began, cpu): (Instant, Duration)) -> Cost {
        let wall = began.elapsed();
        let cpu = thread_cpu().saturating_sub(cpu).saturating_sub(*lock(&self.services.cpu));
        let calls = lock(&self.services.services).calls.clone();
        Cost { calls, cpu, wall }
    }
}

/// A configuration whose calls use `http` and reach no address of AWS.
fn config(http: SharedHttpClient) -> SdkConfig {
    let credentials = Credentials::from_keys("bench", "bench", None);
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("eu-west-1"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url("http://127.0.0.1:1")
        .retry_config(RetryConfig::disabled())
        .http_client(http)
        .build()
}

fn handled(report: &Report) -> Result<(), String> {
    match report.records.iter().find(|record| record.outcome.is_retry()) {
        None => Ok(()),
        Some(record) => Err(format!("a record was not handled: {:?}", record.outcome)),
    }
}

fn run() -> RunOptions {
    RunOptions {
        now: Timestamp::UNIX_EPOCH,
        publish: true,
        dry_run: false,
        deadline: None,
        adopt_before: None,
        trace: None,
    }
}

impl HttpClient for InProcess {
    fn http_connector(
        &self,
        _settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for InProcess {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let own = self.clone();
        HttpConnectorFuture::new(async move {
            if !own.delay.is_zero() {
                let part = lock(&own.chance).as_mut().map_or(1.0, fastrand::Rng::f64);
                tokio::time::sleep(own.delay.mul_f64(part)).await;
            }
            let began = thread_cpu();
            let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
            let is_change = target.ends_with("UserToGroup") || target.ends_with("UserFromGroup");
            let is_taken = !is_change || lock(&own.quota).as_mut().is_none_or(Quota::takes);
            let refusal = || (400, json!({"__type": "TooManyRequestsException", "message": "Rate exceeded"}));
            let answer = || lock(&own.services).answer(&target, request.body().bytes().unwrap_or_default());
            let (status, body) = if is_taken { answer() } else { refusal() };
            let body = body.to_string();
            *lock(&own.cpu) += thread_cpu().saturating_sub(began);
            let status = StatusCode::try_from(status).map_err(|error| ConnectorError::user(error.into()))?;
            let mut response = HttpResponse::new(status, SdkBody::from(body));
            response.headers_mut().insert("content-type", CONTENT_TYPE);
            Ok(response)
        })
    }
}
