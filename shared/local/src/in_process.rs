//! The engine's HTTP client. It makes no request for a call that succeeds: that would cost several times what
//! most operations cost.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use dynoxide::Database;
use dynoxide::actions::update_item::UpdateItemRequest;
use dynoxide::errors::DynoxideError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::dialect;
use crate::wire::{operation, respond_with};

/// Calls the engine in this process, or through its server. For the requests of the SDK: the server also checks
/// what the SDK never sends.
#[derive(Clone)]
pub(crate) struct InProcess<H> {
    pub(crate) database: Database,
    /// A plain HTTP client for the engine's server.
    pub(crate) http: H,
}

impl<H> std::fmt::Debug for InProcess<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InProcess").finish_non_exhaustive()
    }
}

impl HttpClient for InProcess<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let http = self.http.http_connector(settings, components);
        SharedHttpConnector::new(InProcess { database: self.database.clone(), http })
    }
}

impl HttpConnector for InProcess<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        match call(&self.database, &request) {
            Some(response) => HttpConnectorFuture::ready(response),
            None => {
                let http = self.http.clone();
                HttpConnectorFuture::new(async move { dialect::call(&http, request).await })
            }
        }
    }
}

/// The response to a request that succeeds. `None` if it does not: then it had no effect, and the engine's
/// server has the words for its error. `None` also for an operation that is rare.
fn call(database: &Database, request: &HttpRequest) -> Option<Result<HttpResponse, ConnectorError>> {
    let body = request.body().bytes()?;
    match operation(request) {
        "BatchGetItem" => run(body, |request| database.batch_get_item(request)),
        "BatchWriteItem" => run(body, |request| database.batch_write_item(request)),
        "DeleteItem" => run(body, |request| database.delete_item(request)),
        "GetItem" => run(body, |request| database.get_item(request)),
        "PutItem" => run(body, |request| database.put_item(request)),
        "Query" => run(body, |request| database.query(request)),
        "Scan" => run(body, |request| database.scan(request)),
        "TransactWriteItems" => run(body, |request| database.transact_write_items(request)),
        "UpdateItem" => run(body, |request: UpdateItemRequest| {
            let key = dialect::returns_old(request.return_values.as_deref()).then(|| request.key.clone());
            let mut answer = database.update_item(request)?;
            answer.attributes = answer.attributes.filter(|old| Some(old) != key.as_ref());
            Ok(answer)
        }),
        _ => None,
    }
}

fn run<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    act: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Option<Result<HttpResponse, ConnectorError>> {
    let request = serde_json::from_slice(body).ok()?;
    let answer = act(request).ok()?;
    // From here on the operation has had its effect: it must not reach the server, too.
    Some(respond_with(200, &answer))
}
