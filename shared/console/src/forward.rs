//! Sends events to a URL, as a target that EventBridge calls.

use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, USER_AGENT};
use hyper::{Request, StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use tokio::time::{sleep, timeout};

/// How long a target may take. Source: Amazon EventBridge User Guide, "API destinations as targets": a request has to be answered
/// within five seconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How often an event is sent. EventBridge goes on for a day; who sits before a machine that does not answer wants to know sooner.
const ATTEMPTS: u32 = 5;

/// The wait before the second attempt. Each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// As API destinations name themselves.
const AGENT: &str = "Amazon/EventBridge/ApiDestinations";

/// A URL to which events are sent.
#[derive(Debug, Clone)]
pub struct ForwardTarget {
    client: Client<HttpConnector, Full<Bytes>>,
    url: Uri,
}

impl ForwardTarget {
    /// The target at a URL.
    ///
    /// # Errors
    /// It is no URL, or not one of a plain HTTP server.
    pub fn new(url: &str) -> Result<Self, String> {
        let shown = "write one such as `http://127.0.0.1:3000/events`";
        let uri: Uri = url.parse().map_err(|_| format!("`{url}` is no URL: {shown}"))?;
        match (uri.scheme_str(), uri.host()) {
            (Some("http"), Some(_)) => {
                Ok(Self { client: Client::builder(TokioExecutor::new()).build(HttpConnector::new()), url: uri })
            }
            (Some("https"), _) => Err(format!("events are sent by plain HTTP, to a server on your machine: {shown}")),
            _ => Err(format!("`{url}` is no URL of an HTTP server: {shown}")),
        }
    }

    /// The URL.
    #[must_use]
    pub fn url(&self) -> String {
        self.url.to_string()
    }

    /// Sends an event, as EventBridge delivers it. Tries again where EventBridge does.
    ///
    /// # Errors
    /// Why the target does not have it.
    pub async fn send(&self, event: &Value) -> Result<(), String> {
        let body = Bytes::from(event.to_string());
        let (mut wait, mut attempts) = (FIRST_WAIT, 0);
        // INVARIANT 8: so many times.
        loop {
            attempts += 1;
            let why = match timeout(TIMEOUT, self.post(body.clone())).await {
                Ok(Ok(status)) if status.is_success() => return Ok(()),
                Ok(Ok(status)) if !is_tried_again(status) => return Err(format!("{} answers {status}", self.url)),
                Ok(Ok(status)) => format!("{} answers {status}", self.url),
                Ok(Err(error)) => {
                    let mut why = format!("{}: {error}", self.url);
                    let mut cause = std::error::Error::source(&error);
                    while let Some(error) = cause {
                        why = format!("{why}: {error}");
                        cause = error.source();
                    }
                    why
                }
                Err(_) => format!("{} does not answer within {} seconds", self.url, TIMEOUT.as_secs()),
            };
            if attempts == ATTEMPTS {
                return Err(format!("{why}; it was sent {ATTEMPTS} times"));
            }
            sleep(wait).await;
            wait *= 2;
        }
    }

    async fn post(&self, body: Bytes) -> Result<StatusCode, hyper_util::client::legacy::Error> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = hyper::Method::POST;
        *request.uri_mut() = self.url.clone();
        let json = hyper::header::HeaderValue::from_static("application/json; charset=utf-8");
        request.headers_mut().insert(CONTENT_TYPE, json);
        request.headers_mut().insert(USER_AGENT, hyper::header::HeaderValue::from_static(AGENT));
        self.client.request(request).await.map(|answer| answer.status())
    }
}

/// Another attempt may succeed: the target asks for it, or has failed.
fn is_tried_again(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_cannot_be_sent_to_is_refused() {
        for url in ["", "localhost:3000", "/events", "ftp://host/", "https://host/"] {
            let why = ForwardTarget::new(url).unwrap_err();
            assert!(why.ends_with("write one such as `http://127.0.0.1:3000/events`"), "{url}: {why}");
        }
        assert_eq!(ForwardTarget::new("http://127.0.0.1:3000").unwrap().url(), "http://127.0.0.1:3000/");
    }
}
