//! The HTTP client of the SDK for Instep and for the page: shows the calls, notes the writes, and makes calls fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::{self, ByteStream};
use aws_types::SdkConfig;
use axum::body::Bytes;
use instep_flow::mask;
use serde_json::Value;

use super::faults::Failing;
use super::origins::Who;
use super::request::{self, Does, ShownRequest};
use super::shared_state::Hub;
use super::traces::{Looked, TracedCall};

/// The items of one call that are remembered.
const ABOUT_MAX: usize = 20;

/// The delivery that runs. One runs at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct Running(Arc<AtomicU64>);

impl Running {
    /// Another delivery runs.
    pub(super) fn set(&self, delivery: u64) {
        self.0.store(delivery, Ordering::SeqCst);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Whose calls these are.
#[derive(Debug, Clone)]
pub(super) enum Caller {
    /// Instep's: shown, and failing as a person has asked.
    Instep(Running),
    /// Those of a form or of a replayed file.
    Other(Who),
}

/// A configuration like `config`, whose calls are watched.
pub(super) fn watched(config: SdkConfig, hub: &Arc<Hub>, caller: Caller) -> SdkConfig {
    let Some(inner) = config.http_client() else { return config };
    let client = SharedHttpClient::new(Watched { inner, hub: Arc::clone(hub), caller });
    config.into_builder().http_client(client).build()
}

#[derive(Debug)]
struct Watched {
    inner: SharedHttpClient,
    hub: Arc<Hub>,
    caller: Caller,
}

impl HttpClient for Watched {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        let (hub, caller) = (Arc::clone(&self.hub), self.caller.clone());
        SharedHttpConnector::new(WatchedConnector { inner, hub, caller })
    }
}

#[derive(Debug, Clone)]
struct WatchedConnector {
    inner: SharedHttpConnector,
    hub: Arc<Hub>,
    caller: Caller,
}

impl HttpConnector for WatchedConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connector = self.clone();
        HttpConnectorFuture::new(async move { connector.answer(request).await })
    }
}

impl WatchedConnector {
    async fn answer(&self, http: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let target = http.headers().get("x-amz-target").unwrap_or_default();
        let body = http.body().bytes().unwrap_or_default();
        let request = ShownRequest::read(&self.hub.model(), &self.hub.table, target, body);
        let Some(request) = request else { return self.inner.call(http).await };
        match &self.caller {
            Caller::Instep(running) => self.instep(http, &request, running.get()).await,
            Caller::Other(who) => {
                self.hub.begins(who, &request);
                let answer = self.inner.call(http).await;
                self.hub.ended(who, &request, is_done(&answer));
                answer
            }
        }
    }

    async fn instep(
        &self,
        http: HttpRequest,
        request: &ShownRequest,
        delivery: u64,
    ) -> Result<HttpResponse, ConnectorError> {
        let about = |about: &request::RequestTarget| Looked {
            label: about.label.clone(),
            key: about
                .key
                .clone()
                .filter(|key| mask::key(&self.hub.model(), key).is_some())
                .map(|key| [key.pk, key.sk]),
            there: None,
        };
        let id = self.hub.traces().call(
            delivery,
            TracedCall {
                id: 0,
                service: request.service,
                operation: request.operation.clone(),
                does: request.does,
                about: request.about.iter().take(ABOUT_MAX).map(about).collect(),
                more: request.about.len().saturating_sub(ABOUT_MAX),
                outcome: "running".to_owned(),
            },
        );
        self.hub.changed(|versions| versions.traces += 1);
        let failing = self.hub.failures.next(request.service);
        self.hub.begins(&Who::Instep(delivery), request);
        let answer = match failing {
            Some(Failing::Refused(status, code)) => instep_local::refuse(&http, status, code),
            Some(Failing::Lost) | None => self.inner.call(http).await,
        };
        let is_done = is_done(&answer);
        self.hub.ended(&Who::Instep(delivery), request, is_done);
        let (response, body) = read(answer?).await?;
        if is_done {
            self.note(request, delivery, &body);
        }
        let outcome = match failing {
            Some(Failing::Lost) => "the answer is lost".to_owned(),
            Some(Failing::Refused(..)) | None if is_done => "done".to_owned(),
            Some(Failing::Refused(..)) | None => code(&body),
        };
        self.ended(request, (delivery, id), &body, outcome);
        match failing {
            Some(Failing::Lost) => Err(ConnectorError::timeout("the answer is lost, as a person has asked".into())),
            Some(Failing::Refused(..)) | None => Ok(response),
        }
    }

    /// Notes the messages that were sent, and a change of Cognito.
    fn note(&self, request: &ShownRequest, delivery: u64, body: &Value) {
        let sent = body.get("Successful").and_then(Value::as_array).into_iter().flatten();
        let ids = sent.filter_map(|sent| sent.get("MessageId")?.as_str());
        ids.for_each(|id| self.hub.origins().sent(delivery, id));
        if request.service == "cognito" && request.does == Does::Write {
            self.hub.changed(|versions| versions.cognito += 1);
        }
    }

    fn ended(&self, request: &ShownRequest, (delivery, id): (u64, u64), body: &Value, outcome: String) {
        let found = request::found(&self.hub.model(), body);
        let is_keyed = matches!(request.operation.as_str(), "BatchGetItem" | "GetItem");
        let rows = body.get("Count").and_then(Value::as_u64);
        let listed = body.get("Groups").and_then(Value::as_array).map(Vec::len);
        self.hub.traces().called(delivery, id, |call| {
            for (looked, about) in call.about.iter_mut().zip(&request.about) {
                if is_keyed && outcome == "done" {
                    looked.there = about.key.as_ref().map(|key| found.contains(key));
                }
                if let Some(rows) = rows.or(listed.and_then(|listed| u64::try_from(listed).ok())) {
                    looked.label = format!("{}, {rows} found", looked.label);
                }
            }
            call.outcome = outcome;
        });
        self.hub.changed(|versions| versions.traces += 1);
    }
}

/// The error code in a response.
fn is_done(answer: &Result<HttpResponse, ConnectorError>) -> bool {
    answer.as_ref().is_ok_and(|response| response.status().is_success())
}

fn code(body: &Value) -> String {
    let code = body.get("__type").and_then(Value::as_str).unwrap_or("failed");
    code.rsplit('#').next().unwrap_or(code).to_owned()
}

/// A response with its body, which is read as JSON.
async fn read(mut response: HttpResponse) -> Result<(HttpResponse, Value), ConnectorError> {
    let bytes = take_body(&mut response).await.map_err(|error| ConnectorError::io(error.into()))?;
    let json = serde_json::from_slice(&bytes).unwrap_or_default();
    *response.body_mut() = SdkBody::from(bytes);
    Ok((response, json))
}

/// The body of a response, which has none then.
pub(super) async fn take_body(response: &mut HttpResponse) -> Result<Bytes, byte_stream::error::Error> {
    let body = std::mem::replace(response.body_mut(), SdkBody::taken());
    Ok(ByteStream::new(body).collect().await?.into_bytes())
}
