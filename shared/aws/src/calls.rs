//! Counts API calls by operation, where they leave the SDK.
//!
//! Every attempt counts, so a retried call counts more than once, as the services bill it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::connector_metadata::ConnectorMetadata;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::{RuntimeComponents, RuntimeComponentsBuilder};
use aws_smithy_types::config_bag::ConfigBag;

/// The header in which AWS's JSON protocols name the operation (`DynamoDB_20120810.PutItem`).
const TARGET: &str = "x-amz-target";

/// The name of a call without an operation, such as a call of a credentials provider.
const UNNAMED: &str = "unnamed";

/// The API calls so far, by operation (`AdminAddUserToGroup`). Clones share one count.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    counts: Arc<Mutex<BTreeMap<String, u64>>>,
}

impl Calls {
    /// The counts so far.
    #[must_use]
    pub fn snapshot(&self) -> BTreeMap<String, u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The counts since `before`, an earlier snapshot.
    #[must_use]
    pub fn since(&self, before: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
        let mut calls = self.snapshot();
        for (operation, count) in &mut calls {
            *count -= before.get(operation).copied().unwrap_or_default();
        }
        calls.retain(|_, count| *count > 0);
        calls
    }

    /// An HTTP client that counts each request and passes it to `inner`.
    #[must_use]
    pub fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(CountingClient { calls: self.clone(), inner })
    }

    fn count(&self, request: &HttpRequest) {
        let operation = operation(request).unwrap_or(UNNAMED);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(operation) {
            Some(count) => *count += 1,
            None => {
                counts.insert(operation.to_owned(), 1);
            }
        }
    }
}

/// The operation of a request: the part of its target after the dot, or one derived from its
/// method.
fn operation(request: &HttpRequest) -> Option<&str> {
    match request.headers().get(TARGET) {
        Some(target) => Some(target.split_once('.').map_or(target, |(_, operation)| operation)),
        None => s3_operation(request),
    }
}

/// S3's protocol has no operation names. Each operation that Instep uses has its own method or
/// query.
fn s3_operation(request: &HttpRequest) -> Option<&'static str> {
    if !request.headers().get("user-agent")?.contains("api/s3") {
        return None;
    }
    match request.method() {
        "PUT" => Some("PutObject"),
        "GET" if request.uri().contains("list-type=2") => Some("ListObjectsV2"),
        "GET" => Some("GetObject"),
        "DELETE" => Some("DeleteObject"),
        _ => None,
    }
}

#[derive(Debug)]
struct CountingClient {
    calls: Calls,
    inner: SharedHttpClient,
}

impl HttpClient for CountingClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(CountingConnector { calls: self.calls.clone(), inner })
    }

    fn validate_base_client_config(
        &self,
        _components: &RuntimeComponentsBuilder,
        _config: &ConfigBag,
    ) -> Result<(), BoxError> {
        // The inner client would build a connection with all root certificates here, and drop it: for
        // each service at each start. The first call builds the one that all services share.
        Ok(())
    }

    fn validate_final_config(&self, components: &RuntimeComponents, config: &ConfigBag) -> Result<(), BoxError> {
        self.inner.validate_final_config(components, config)
    }

    fn connector_metadata(&self) -> Option<ConnectorMetadata> {
        self.inner.connector_metadata()
    }
}

#[derive(Debug)]
struct CountingConnector {
    calls: Calls,
    inner: SharedHttpConnector,
}

impl HttpConnector for CountingConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.calls.count(&request);
        self.inner.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(target: Option<&'static str>) -> HttpRequest {
        let mut request = HttpRequest::empty();
        if let Some(target) = target {
            request.headers_mut().insert(TARGET, target);
        }
        request
    }

    #[test]
    fn counts_by_the_operation_behind_the_dot() {
        let calls = Calls::default();
        calls.count(&request(Some("DynamoDB_20120810.PutItem")));
        calls.clone().count(&request(Some("DynamoDB_20120810.PutItem")));
        calls.count(&request(Some("AWSEvents.PutEvents")));
        calls.count(&request(None));
        let counts: Vec<_> = calls.snapshot().into_iter().collect();
        assert_eq!(counts, [("PutEvents".into(), 1), ("PutItem".into(), 2), ("unnamed".into(), 1)]);
    }
}
