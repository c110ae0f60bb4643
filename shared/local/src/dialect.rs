//! Where the engine's answers differ from DynamoDB's in a way that clients notice, and where it is cheap to put them
//! right: region, stream labels, shard ids and principals. `docs/reference/upstream.md` has the whole list.

use aws_smithy_runtime_api::client::http::{HttpConnector as _, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::byte_stream::ByteStream;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::ident::{self, REGION};
use crate::wire::{operation, respond_with, with_body};

/// What the engine writes in the place of a region.
const ENGINE_REGION: &str = "dynoxide";

/// Calls the engine's server.
pub(crate) async fn call(http: &SharedHttpConnector, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let Some(translate) = Translate::of(operation(&request)) else { return http.call(request).await };
    // The engine has the words for a body that is no JSON.
    let Ok(mut asked) = serde_json::from_slice(request.body().bytes().unwrap_or_default()) else {
        return http.call(request).await;
    };
    translate.translate_request(&mut asked);
    let response = http.call(with_body(request, &asked)).await?;
    let status = response.status().as_u16();
    let body =
        ByteStream::new(response.into_body()).collect().await.map_err(|error| ConnectorError::io(error.into()))?;
    let mut body = serde_json::from_slice(&body.into_bytes()).map_err(|error| ConnectorError::io(error.into()))?;
    translate.translate_answer(&asked, &mut body);
    respond_with(status, &body)
}

/// The parts of an operation's messages that are translated.
enum Translate {
    /// ARNs and labels everywhere, and shard ids: there is no attribute of an item in it.
    All,
    /// The regions of records, and who has written them: the rest is data.
    Records,
    /// The old image of an item that did not exist.
    Update,
}

impl Translate {
    fn of(operation: &str) -> Option<Self> {
        match operation {
            "CreateTable" | "DeleteTable" | "DescribeStream" | "DescribeTable" | "GetShardIterator" | "ListStreams"
            | "ListTagsOfResource" | "TagResource" | "UntagResource" | "UpdateTable" => Some(Self::All),
            "GetRecords" => Some(Self::Records),
            "UpdateItem" => Some(Self::Update),
            _ => None,
        }
    }

    fn translate_request(&self, body: &mut Value) {
        let (Self::All, Some(members)) = (self, body.as_object_mut()) else { return };
        let arn = members.get("StreamArn").and_then(Value::as_str).unwrap_or_default();
        let table = arn.split('/').nth(1).unwrap_or_default().to_owned();
        for (name, value) in members {
            let Value::String(text) = value else { continue };
            match name.as_str() {
                "ResourceArn" => *text = text.replacen(&format!(":{REGION}:"), &format!(":{ENGINE_REGION}:"), 1),
                "ShardId" | "ExclusiveStartShardId" if *text == shard_id(&table) => *text = engine_shard_id(&table),
                _ => {}
            }
        }
    }

    fn translate_answer(&self, asked: &Value, body: &mut Value) {
        match self {
            Self::All => {
                let description = body.get("StreamDescription").and_then(|stream| stream.get("TableName"));
                let table = description.and_then(Value::as_str).unwrap_or_default().to_owned();
                each_text(body, &mut |name, text| match name {
                    "StreamLabel" | "LatestStreamLabel" => *text = label(text),
                    "ShardId" if *text == engine_shard_id(&table) => *text = shard_id(&table),
                    _ if text.starts_with("arn:aws:dynamodb:") => *text = arn(text),
                    _ => {}
                });
            }
            Self::Records => {
                for record in body.get_mut("Records").and_then(Value::as_array_mut).into_iter().flatten() {
                    if let Some(region) = record.get_mut("awsRegion") {
                        *region = Value::from(REGION);
                    }
                    if let Some(identity) = record.get_mut("userIdentity").and_then(Value::as_object_mut) {
                        name_identity(identity);
                    }
                }
            }
            Self::Update => without_old_image(asked, body),
        }
    }
}

/// The engine writes who has deleted an item as Lambda's records have it. Clients read other names. Source: Amazon
/// DynamoDB API Reference, Amazon DynamoDB Streams, Identity.
fn name_identity(identity: &mut Map<String, Value>) {
    for (engines, name) in [("type", "Type"), ("principalId", "PrincipalId")] {
        if let Some(value) = identity.remove(engines) {
            identity.insert(name.to_owned(), value);
        }
    }
}

/// Whether an update returns the whole old image.
pub(crate) fn returns_old(return_values: Option<&str>) -> bool {
    return_values == Some("ALL_OLD")
}

/// DynamoDB returns no attributes of an item that did not exist, but the engine returns its key. Source: Amazon
/// DynamoDB API Reference, UpdateItem, `Attributes`. So an item that has existed with its key alone also counts as
/// a new one.
fn without_old_image(asked: &Value, answer: &mut Value) {
    let is_key = answer.get("Attributes").is_some_and(|old| Some(old) == asked.get("Key"));
    let is_asked = returns_old(asked.get("ReturnValues").and_then(Value::as_str));
    if let (true, Some(members)) = (is_key && is_asked, answer.as_object_mut()) {
        members.remove("Attributes");
    }
}

/// Changes each text, given the name of its member.
fn each_text(value: &mut Value, change: &mut dyn FnMut(&str, &mut String)) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| each_text(element, change)),
        Value::Object(members) => {
            for (name, member) in members {
                if let Value::String(text) = member {
                    change(name, text);
                } else {
                    each_text(member, change);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn arn(engines: &str) -> String {
    let own = engines.replacen(&format!(":{ENGINE_REGION}:"), &format!(":{REGION}:"), 1);
    match own.split_once("/stream/") {
        Some((table, old)) => format!("{table}/stream/{}", label(old)),
        None => own,
    }
}

/// A stream's label in DynamoDB's form, from the engine's: seconds since 1970 with a fraction.
fn label(engines: &str) -> String {
    let (seconds, fraction) = engines.split_once('.').unwrap_or((engines, "0"));
    let epoch_ms = seconds.parse().ok().and_then(|seconds: i64| {
        let ms = fraction.get(..3).and_then(|ms| ms.parse::<i64>().ok()).unwrap_or(0);
        seconds.checked_mul(1000)?.checked_add(ms)
    });
    let time = epoch_ms.and_then(|epoch_ms| Timestamp::from_millisecond(epoch_ms).ok());
    time.map_or_else(|| engines.to_owned(), |time| time.strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string())
}

/// The engine's id of the only shard of a table. For a short name it is shorter than DynamoDB's are, and for a long one
/// longer: clients refuse it.
fn engine_shard_id(table: &str) -> String {
    format!("shardId-00000001-{table}")
}

/// An id of DynamoDB's form: 28 to 65 characters. Source: Amazon DynamoDB API Reference, GetShardIterator, `ShardId`.
fn shard_id(table: &str) -> String {
    let hash = ident::hex(&["shard", table]);
    format!("shardId-{:020}-{}", 1, hash.get(..8).unwrap_or_default())
}
