//! DynamoDB, as clients outside of the process see it: where the engine differs from it.

use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use serde_json::{Value, json};

use super::{TABLE, put, stack, table, text};
use crate::Front;

/// A request as a client in another process makes it.
pub(super) fn request(target: &str, body: &Value) -> HttpRequest {
    let mut request = HttpRequest::new(SdkBody::from(body.to_string()));
    request.set_method("POST").unwrap();
    let authorization = "AWS4-HMAC-SHA256 Credential=a/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, \
                         Signature=0";
    for (name, value) in [
        ("x-amz-target", target),
        ("content-type", "application/x-amz-json-1.0"),
        ("x-amz-date", "20261120T120000Z"),
        ("authorization", authorization),
    ] {
        request.headers_mut().insert(name.to_owned(), value.to_owned());
    }
    request
}

/// The status and the body of an answer.
pub(super) async fn body(answer: HttpResponse) -> (u16, Value) {
    let status = answer.status().as_u16();
    let body = ByteStream::new(answer.into_body()).collect().await.unwrap().into_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

/// A call of a client in another process.
async fn call(front: &Front, target: &str, asked: &Value) -> (u16, Value) {
    body(front.call(request(target, asked)).await.unwrap()).await
}

/// Region, label and shard id have DynamoDB's form, and the stream can be read with them.
#[tokio::test]
async fn a_stream_is_read_with_ids_of_dynamodbs_form() {
    let stack = stack().await;
    put(&stack, "a", &[("arn", text("arn:aws:dynamodb:dynoxide:1:table/t"))]).await;
    let front = stack.front();
    let (_, described) = call(&front, "DynamoDB_20120810.DescribeTable", &json!({"TableName": TABLE})).await;
    assert_eq!(described["Table"]["TableArn"], "arn:aws:dynamodb:us-east-1:000000000000:table/objects");
    let label = described["Table"]["LatestStreamLabel"].as_str().unwrap();
    assert!(label.parse::<jiff::civil::DateTime>().is_ok(), "{label}");
    let arn = described["Table"]["LatestStreamArn"].as_str().unwrap();
    assert_eq!(arn, stack.stream_arn());
    assert!(arn.ends_with(&format!("/stream/{label}")), "{arn}");

    let (_, stream) = call(&front, "DynamoDBStreams_20120810.DescribeStream", &json!({"StreamArn": arn})).await;
    let shard = stream["StreamDescription"]["Shards"][0]["ShardId"].as_str().unwrap();
    assert!((28..=65).contains(&shard.len()), "{shard}");
    let ask = json!({"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"});
    let (_, iterator) = call(&front, "DynamoDBStreams_20120810.GetShardIterator", &ask).await;
    let ask = json!({"ShardIterator": iterator["ShardIterator"]});
    let (_, read) = call(&front, "DynamoDBStreams_20120810.GetRecords", &ask).await;
    assert_eq!(read["Records"][0]["awsRegion"], "us-east-1");
    // What an item says is data.
    assert_eq!(read["Records"][0]["dynamodb"]["NewImage"]["arn"]["S"], "arn:aws:dynamodb:dynoxide:1:table/t");
    let (_, tags) =
        call(&front, "DynamoDB_20120810.ListTagsOfResource", &json!({"ResourceArn": described["Table"]["TableArn"]}))
            .await;
    assert_eq!(tags["Tags"], json!([]));
}

/// An update that creates an item has no old image, for clients in the process and outside of it.
#[tokio::test]
async fn an_update_that_creates_has_no_old_image() {
    let stack = stack().await;
    let key = |pk: &str| json!({"pk": {"S": pk}, "sk": {"S": "s"}});
    let update = |pk: &str, value: &str| {
        json!({"TableName": TABLE, "Key": key(pk), "ReturnValues": "ALL_OLD", "UpdateExpression": "SET a = :a",
            "ExpressionAttributeValues": {":a": {"S": value}}})
    };
    let front = stack.front();
    let (_, created) = call(&front, "DynamoDB_20120810.UpdateItem", &update("a", "1")).await;
    assert_eq!(created.get("Attributes"), None);
    let (_, changed) = call(&front, "DynamoDB_20120810.UpdateItem", &update("a", "2")).await;
    assert_eq!(changed["Attributes"]["a"]["S"], "1");

    let request = table(&stack).update_item().table_name(TABLE).key("pk", text("b")).key("sk", text("s"));
    let request = request.update_expression("SET a = :a").expression_attribute_values(":a", text("1"));
    let request = request.return_values(aws_sdk_dynamodb::types::ReturnValue::AllOld);
    assert_eq!(request.clone().send().await.unwrap().attributes, None);
    assert!(request.send().await.unwrap().attributes.is_some());
}

/// A request that misses a member is refused in DynamoDB's words, not in the engine's.
#[tokio::test]
async fn missing_members_are_refused_in_dynamodbs_words() {
    let stack = stack().await;
    let ask = json!({"RequestItems": {TABLE: {}}});
    let (status, answer) = call(&stack.front(), "DynamoDB_20120810.BatchGetItem", &ask).await;
    assert_eq!((status, answer["__type"].as_str()), (400, Some("ValidationException")));
    let words = "1 validation error detected: Value null at 'requestItems.objects.member.keys' failed to satisfy \
                 constraint: Member must not be null";
    assert_eq!(answer["message"], words);
    // An operation of which nothing is known is the engine's to answer.
    let (_, answer) = call(&stack.front(), "DynamoDB_20120810.DescribeLimits", &json!({})).await;
    assert!(!answer.to_string().contains("the local stack"), "{answer}");
}

/// `IN` takes 100 operands, for clients in the process and outside of it. Source: Amazon DynamoDB Developer Guide,
/// "Constraints in Amazon DynamoDB".
#[tokio::test]
async fn an_in_with_too_many_operands_is_refused() {
    let stack = stack().await;
    put(&stack, "a", &[("n", text("0"))]).await;
    let front = stack.front();
    for (count, status) in [(100, 200), (101, 400)] {
        let values: serde_json::Map<_, _> =
            (0..count).map(|n| (format!(":{n}"), json!({"S": n.to_string()}))).collect();
        let operands = format!("n IN ({})", values.keys().cloned().collect::<Vec<_>>().join(", "));
        let put = json!({"TableName": TABLE, "Item": {"pk": {"S": "a"}, "sk": {"S": "s"}, "n": {"S": "0"}},
            "ConditionExpression": operands, "ExpressionAttributeValues": values});
        let scan = json!({"TableName": TABLE, "FilterExpression": operands, "ExpressionAttributeValues": values});
        let transaction = json!({"TransactItems": [{"Put": put}]});
        for (operation, name, ask) in [
            ("PutItem", "ConditionExpression", &put),
            ("Scan", "FilterExpression", &scan),
            ("TransactWriteItems", "ConditionExpression", &transaction),
        ] {
            let (answered, answer) = call(&front, &format!("DynamoDB_20120810.{operation}"), ask).await;
            assert_eq!(answered, status, "{operation}: {answer}");
            if status == 400 {
                assert_eq!(answer["__type"], "ValidationException");
                let words = "The IN operator is provided with too many operands; number of operands: 101";
                assert_eq!(answer["message"], format!("Invalid {name}: {words}"));
            }
        }
        let mut scan = table(&stack).scan().table_name(TABLE).filter_expression(operands);
        for n in 0..count {
            scan = scan.expression_attribute_values(format!(":{n}"), text(&n.to_string()));
        }
        assert_eq!(scan.send().await.is_ok(), status == 200);
    }
}

/// Who has deleted an item is read by the clients of the SDK.
#[tokio::test]
async fn a_deletion_by_ttl_names_its_principal_to_clients() {
    let stack = stack().await;
    let past = stack.clock().now().as_second() - 1;
    put(&stack, "old", &[(&super::model().table.ttl, AttributeValue::N(past.to_string()))]).await;
    assert_eq!(stack.sweep_ttl().unwrap(), 1);
    let front = stack.front();
    let ask = json!({"StreamArn": stack.stream_arn()});
    let (_, stream) = call(&front, "DynamoDBStreams_20120810.DescribeStream", &ask).await;
    let shard = &stream["StreamDescription"]["Shards"][0]["ShardId"];
    let ask = json!({"StreamArn": stack.stream_arn(), "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"});
    let (_, iterator) = call(&front, "DynamoDBStreams_20120810.GetShardIterator", &ask).await;
    let ask = json!({"ShardIterator": iterator["ShardIterator"]});
    let (_, read) = call(&front, "DynamoDBStreams_20120810.GetRecords", &ask).await;
    let identity = json!({"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"});
    assert_eq!(read["Records"][1]["userIdentity"], identity);
}
