//! Batch calls that process only a part: DynamoDB returns the rest as unprocessed.

use aws_smithy_runtime_api::client::http::{HttpConnector as _, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::byte_stream::ByteStream;
use serde_json::{Map, Value, json};

use crate::wire::{respond, with_body};

/// Executes all but the last `count` keys or writes of a batch call, and returns those as
/// unprocessed. Other operations are passed on.
pub(crate) async fn call(
    http: &SharedHttpConnector,
    operation: &str,
    request: HttpRequest,
    count: usize,
) -> Result<HttpResponse, ConnectorError> {
    let (unprocessed_field, all) = match operation {
        "BatchGetItem" => ("UnprocessedKeys", "Responses"),
        "BatchWriteItem" => ("UnprocessedItems", "ItemCollectionMetrics"),
        _ => return http.call(request).await,
    };
    let Ok(mut asked) = serde_json::from_slice::<Value>(request.body().bytes().unwrap_or_default()) else {
        return http.call(request).await;
    };
    let unprocessed = withhold(&mut asked, count);
    if is_empty(&asked) {
        return respond(Ok(json!({ all: {}, unprocessed_field: unprocessed })));
    }
    let response = http.call(with_body(request, &asked)).await?;
    if !response.status().is_success() {
        return Ok(response);
    }
    let body =
        ByteStream::new(response.into_body()).collect().await.map_err(|error| ConnectorError::io(error.into()))?;
    let mut answer: Value =
        serde_json::from_slice(&body.into_bytes()).map_err(|error| ConnectorError::io(error.into()))?;
    if let Some(answer) = answer.as_object_mut() {
        answer.insert(unprocessed_field.to_owned(), Value::Object(unprocessed));
    }
    respond(Ok(answer))
}

/// Removes the last `count` entries from a request, table by table from the last, and returns them
/// in the same form.
fn withhold(asked: &mut Value, count: usize) -> Map<String, Value> {
    let mut left = count;
    let mut unprocessed = Map::new();
    let Some(tables) = asked.get_mut("RequestItems").and_then(Value::as_object_mut) else { return unprocessed };
    for (table, entries) in tables.iter_mut().rev() {
        let mut rest = entries.clone();
        let (Some(kept), Some(taken)) = (entries_of(entries), entries_of(&mut rest)) else { continue };
        let at = kept.len().saturating_sub(left);
        *taken = kept.split_off(at);
        if !taken.is_empty() {
            left -= taken.len();
            unprocessed.insert(table.clone(), rest);
        }
    }
    tables.retain(|_, entries| entries_of(&mut entries.clone()).is_some_and(|entries| !entries.is_empty()));
    unprocessed
}

/// The keys (BatchGetItem) or writes (BatchWriteItem) of one table.
fn entries_of(table: &mut Value) -> Option<&mut Vec<Value>> {
    if table.is_array() { table.as_array_mut() } else { table.get_mut("Keys").and_then(Value::as_array_mut) }
}

fn is_empty(asked: &Value) -> bool {
    asked.get("RequestItems").and_then(Value::as_object).is_none_or(Map::is_empty)
}
