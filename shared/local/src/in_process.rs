//! Calls of the engine in this process. A request over the loopback interface costs several times what most
//! operations cost.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::Database;
use dynoxide::errors::DynoxideError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::respond_with;

/// The response to a request that succeeds. `None` if it does not: then it had no effect, and the engine's
/// server has the words for its error. `None` also for an operation that is rare.
pub(crate) fn call(
    database: &Database,
    operation: &str,
    request: &HttpRequest,
) -> Option<Result<HttpResponse, ConnectorError>> {
    let body = request.body().bytes()?;
    match operation {
        "BatchGetItem" => run(body, |request| database.batch_get_item(request)),
        "BatchWriteItem" => run(body, |request| database.batch_write_item(request)),
        "DeleteItem" => run(body, |request| database.delete_item(request)),
        "GetItem" => run(body, |request| database.get_item(request)),
        "GetRecords" => run(body, |request| database.get_records(request)),
        "GetShardIterator" => run(body, |request| database.get_shard_iterator(request)),
        "PutItem" => run(body, |request| database.put_item(request)),
        "Query" => run(body, |request| database.query(request)),
        "Scan" => run(body, |request| database.scan(request)),
        "TransactWriteItems" => run(body, |request| database.transact_write_items(request)),
        "UpdateItem" => run(body, |request| database.update_item(request)),
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
