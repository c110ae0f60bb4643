//! What the engine itself answers, where DynamoDB answers otherwise. `docs/reference/upstream.md` has a row for each. A row whose
//! test fails was mended by the engine's authors: delete it, and what Instep does about it.

use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_http_client::Connector;
use aws_smithy_runtime_api::client::http::{HttpConnector as _, SharedHttpConnector};
use serde_json::{Value, json};

use super::dynamodb::{body, request};
use super::{TABLE, put, stack};
use crate::Stack;

const DYNAMODB: &str = "DynamoDB_20120810";
const STREAMS: &str = "DynamoDBStreams_20120810";

/// A call of the engine's server, without what is in front of it.
async fn call(stack: &Stack, service: &str, operation: &str, asked: &Value) -> (u16, Value) {
    let engine = SharedHttpConnector::new(Connector::builder().build_http());
    let mut request = request(&format!("{service}.{operation}"), asked);
    request.set_uri(stack.engine_url().to_owned()).unwrap();
    body(engine.call(request).await.unwrap()).await
}

/// The message of a refusal.
async fn message(stack: &Stack, operation: &str, asked: Value) -> String {
    let (status, answer) = call(stack, DYNAMODB, operation, &asked).await;
    assert_eq!(status, 400, "{operation}: {answer}");
    let message = answer.get("message").or(answer.get("Message"));
    message.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn key(pk: &str) -> Value {
    json!({"pk": {"S": pk}, "sk": {"S": "s"}})
}

#[tokio::test]
async fn answers_of_the_table() {
    let stack = stack().await;
    let update = json!({"TableName": TABLE, "Key": key("a"), "ReturnValues": "ALL_OLD",
        "UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": {"S": "1"}}});
    let (_, created) = call(&stack, DYNAMODB, "UpdateItem", &update).await;
    assert_eq!(created["Attributes"], key("a"), "ALL_OLD of a new item");

    let (_, described) = call(&stack, DYNAMODB, "DescribeTable", &json!({"TableName": TABLE})).await;
    let table = &described["Table"];
    assert_eq!(table["TableArn"], "arn:aws:dynamodb:dynoxide:000000000000:table/objects", "the region");
    let label = table["LatestStreamLabel"].as_str().unwrap();
    assert!(label.parse::<f64>().is_ok(), "the label: {label}");

    let values: serde_json::Map<_, _> = (0..101).map(|n| (format!(":{n}"), json!({"S": n.to_string()}))).collect();
    let operands = values.keys().cloned().collect::<Vec<_>>().join(",");
    let scan = json!({"TableName": TABLE, "FilterExpression": format!("a IN ({operands})"),
        "ExpressionAttributeValues": values});
    assert_eq!(call(&stack, DYNAMODB, "Scan", &scan).await.0, 200, "an IN with 101 operands");
    // Twice as many overflow the stack of a test's thread.
    let many = vec!["a = :a"; 151].join(" OR ");
    let scan = json!({"TableName": TABLE, "FilterExpression": many, "ExpressionAttributeValues": {":a": {"S": "1"}}});
    assert_eq!(call(&stack, DYNAMODB, "Scan", &scan).await.0, 200, "301 operators");
    stack.close().await;
}

#[tokio::test]
async fn words_for_what_is_missing() {
    let stack = stack().await;
    for (operation, asked) in [
        ("BatchGetItem", json!({"RequestItems": {TABLE: {}}})),
        ("BatchGetItem", json!({})),
        ("BatchWriteItem", json!({})),
        ("TransactWriteItems", json!({})),
        ("TransactGetItems", json!({})),
        ("ExecuteStatement", json!({})),
        ("BatchExecuteStatement", json!({})),
        ("ExecuteTransaction", json!({})),
    ] {
        let words = message(&stack, operation, asked).await;
        assert!(words.contains("missing field"), "{operation}: {words}");
    }
    let words = message(&stack, "BatchGetItem", json!({"RequestItems": {TABLE: {"Keys": []}}})).await;
    assert!(words.contains("RequestItems.objects.member.Keys"), "{words}");
    for asked in [json!({"Limit": 0}), json!({"TableName": "t"})] {
        let (status, answer) = call(&stack, STREAMS, "ListStreams", &asked).await;
        assert_eq!(status, 200, "ListStreams {asked}: {answer}");
    }
    stack.close().await;
}

#[tokio::test]
async fn a_projection_that_an_index_lacks() {
    let stack = stack().await;
    let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let keys = |name: &str| json!([{"AttributeName": name, "KeyType": "HASH"}]);
    let index = json!({"IndexName": "by-g", "KeySchema": keys("g"), "Projection": {"ProjectionType": "KEYS_ONLY"}});
    let table = json!({"TableName": "indexed", "BillingMode": "PAY_PER_REQUEST", "KeySchema": keys("pk"),
        "AttributeDefinitions": [attribute("pk"), attribute("g")], "GlobalSecondaryIndexes": [index]});
    assert_eq!(call(&stack, DYNAMODB, "CreateTable", &table).await.0, 200);
    let item = json!({"pk": {"S": "1"}, "g": {"S": "x"}, "secret": {"S": "s"}});
    call(&stack, DYNAMODB, "PutItem", &json!({"TableName": "indexed", "Item": item})).await;
    let query = json!({"TableName": "indexed", "IndexName": "by-g", "KeyConditionExpression": "g = :g",
        "ExpressionAttributeValues": {":g": {"S": "x"}}, "ProjectionExpression": "pk, secret"});
    let (status, answer) = call(&stack, DYNAMODB, "Query", &query).await;
    assert_eq!((status, &answer["Items"]), (200, &json!([{"pk": {"S": "1"}}])));
    stack.close().await;
}

#[tokio::test]
async fn records_of_the_stream() {
    let stack = stack().await;
    let past = AttributeValue::N((stack.clock().now().as_second() - 1).to_string());
    let model = super::model();
    let expired = [(&*model.table.ttl, past)];
    put(&stack, "a", &expired).await;
    put(&stack, "a", &expired).await;
    assert_eq!(stack.sweep_ttl().unwrap(), 1);
    let (_, described) = call(&stack, DYNAMODB, "DescribeTable", &json!({"TableName": TABLE})).await;
    let arn = &described["Table"]["LatestStreamArn"];
    let (_, stream) = call(&stack, STREAMS, "DescribeStream", &json!({"StreamArn": arn})).await;
    let shard = &stream["StreamDescription"]["Shards"][0]["ShardId"];
    assert_eq!(*shard, "shardId-00000001-objects", "24 characters");
    let ask = json!({"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"});
    let (_, iterator) = call(&stack, STREAMS, "GetShardIterator", &ask).await;
    let ask = json!({"ShardIterator": iterator["ShardIterator"]});
    let (_, read) = call(&stack, STREAMS, "GetRecords", &ask).await;
    let records = read["Records"].as_array().unwrap();
    let names: Vec<_> = records.iter().map(|record| record["eventName"].as_str().unwrap()).collect();
    assert_eq!(names, ["INSERT", "MODIFY", "REMOVE"], "a put that changes nothing");
    assert_eq!(records[0]["awsRegion"], "dynoxide");
    let identity = json!({"principalId": "dynamodb.amazonaws.com", "type": "Service"});
    assert_eq!(records[2]["userIdentity"], identity, "a deletion by TTL");
    stack.close().await;
}
