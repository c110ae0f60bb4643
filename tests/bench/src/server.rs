//! The stand-in on the loopback interface, in a process of its own. It is Lambda's runtime API, too.
//!
//! `POST /batch` has an event for the function, with the items of the table. `POST /load` only replaces
//! the items, and no write changes them: a program that is compared may handle the event several times. `POST
//! /delay/MS` sets how long every answer takes, and `GET /stats` says what was called.

use std::convert::Infallible;
use std::io::Write as _;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::mix;
use crate::standin::{CONTENT_TYPE, StandInServices};

/// How long an invocation may take.
const INVOCATION_MS: u128 = 300_000;

/// The header that names the operation of AWS's JSON protocol.
const TARGET: &str = "x-amz-target";

#[derive(Debug, Default)]
struct State {
    services: StandInServices,
    delay: Duration,
    /// The event that the function has not taken yet.
    event: Option<Bytes>,
    /// When the function first asked for an event, in microseconds since 1970.
    ready_us: Option<u128>,
    invocations: u64,
    responses: u64,
    /// When the function took the last event, and how long it took to answer.
    began: Option<std::time::Instant>,
    took: Duration,
    /// What the function reported as not handled.
    failures: Value,
}

#[derive(Debug, Default)]
struct Server {
    state: Mutex<State>,
    news: Notify,
}

/// Serves until the process is ended. Prints the port.
///
/// # Errors
/// The interface cannot be used.
pub async fn serve() -> Result<(), String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    writeln!(std::io::stdout(), "{port}").map_err(|error| error.to_string())?;
    let server = Arc::new(Server::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let _ = stream.set_nodelay(true);
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let service = service_fn(|request| server.answer(request));
            // A client that goes away ends its connection only.
            let _ = http1::Builder::new().keep_alive(true).serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

impl Server {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let path = request.uri().path().to_owned();
        let target = request.headers().get(TARGET).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        if let Some(target) = target {
            let ((status, answer), delay) = {
                let mut state = self.state();
                (state.services.answer(&target, &body), state.delay)
            };
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            return Ok(response(status, &answer.to_string(), &[]));
        }
        if path.ends_with("/invocation/next") {
            return Ok(self.next_event().await);
        }
        Ok(response(200, &self.control(&path, body).to_string(), &[]))
    }

    async fn next_event(&self) -> Response<Full<Bytes>> {
        self.state().ready_us.get_or_insert_with(now_us);
        loop {
            let event = self.state().event.take();
            if let Some(event) = event {
                let number = {
                    let mut state = self.state();
                    state.invocations += 1;
                    state.began = Some(std::time::Instant::now());
                    state.invocations
                };
                let (id, deadline) = (format!("request-{number}"), (now_us() / 1000 + INVOCATION_MS).to_string());
                let headers = [
                    ("lambda-runtime-aws-request-id", id.as_str()),
                    ("lambda-runtime-deadline-ms", deadline.as_str()),
                    ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-west-1:123456789012:function:bench"),
                ];
                return response(200, std::str::from_utf8(&event).unwrap_or_default(), &headers);
            }
            self.news.notified().await;
        }
    }

    fn control(&self, path: &str, body: Bytes) -> Value {
        let mut state = self.state();
        if let Some(ms) = path.strip_prefix("/delay/") {
            state.delay = Duration::from_millis(ms.parse().unwrap_or_default());
            // Another program follows.
            state.ready_us = None;
        } else if path == "/load" || path == "/batch" {
            let event: Value = serde_json::from_slice(&body).unwrap_or_default();
            let records = event.get("Records").and_then(Value::as_array).cloned().unwrap_or_default();
            let services = StandInServices::new(mix::table(&records));
            state.services = if path == "/load" { services.frozen() } else { services };
            if path == "/batch" {
                state.event = Some(body);
                self.news.notify_one();
            }
        } else if path.contains("/invocation/") {
            state.responses += 1;
            state.took = state.began.map(|began| began.elapsed()).unwrap_or_default();
            state.failures = serde_json::from_slice(&body).unwrap_or_default();
        }
        json!({
            "calls": state.services.calls, "responses": state.responses, "failures": state.failures,
            "took_us": u64::try_from(state.took.as_micros()).unwrap_or(u64::MAX),
            "ready_us": state.ready_us.and_then(|us| u64::try_from(us).ok()),
        })
    }
}

/// Microseconds since 1970: two processes compare them.
pub(crate) fn now_us() -> u128 {
    #[expect(clippy::disallowed_methods, reason = "Lambda's deadline is a time of day")]
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).unwrap_or_default().as_micros()
}

fn response(status: u16, body: &str, headers: &[(&str, &str)]) -> Response<Full<Bytes>> {
    let mut response = Response::builder().status(status).header("content-type", CONTENT_TYPE);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Full::new(Bytes::from(body.to_owned()))).unwrap_or_default()
}
