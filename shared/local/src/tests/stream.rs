//! The records of the stream, in Lambda's form, without loss.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use instep_model::{Model, Value};
use serde_json::json;

use super::{TABLE, clock, item, model, put, stack, table, text};
use crate::{PumpOptions, ReadFrom, Stack, StackOptions};

const LONG: &str = "12345678901234567890123456789012345678";

async fn records(stack: &Stack) -> Vec<String> {
    let pump = stack.pump(PumpOptions::default()).unwrap();
    let records = pump.read_all(ReadFrom::TrimHorizon).unwrap();
    records.iter().map(|record| record.get().to_owned()).collect()
}

fn hostile() -> Vec<(&'static str, AttributeValue)> {
    let number = |digits: &str| AttributeValue::N(digits.to_owned());
    vec![
        ("long", number(LONG)),
        ("small", number("0.00000000000000000000000000000000000001")),
        ("empty", text("")),
        ("binary", AttributeValue::B(Blob::new([0, 255, 128]))),
        ("texts", AttributeValue::Ss(vec!["a".to_owned(), "b".to_owned()])),
        ("numbers", AttributeValue::Ns(vec![LONG.to_owned(), "-1.5".to_owned()])),
        ("binaries", AttributeValue::Bs(vec![Blob::new([0]), Blob::new([1, 2])])),
        ("null", AttributeValue::Null(true)),
        ("flag", AttributeValue::Bool(false)),
        ("list", AttributeValue::L(vec![text(""), number(LONG)])),
        ("map", AttributeValue::M(std::collections::HashMap::from([("\"é\n".to_owned(), text("\u{1F600}"))]))),
    ]
}

#[tokio::test]
async fn values_are_preserved() {
    let stack = stack().await;
    put(&stack, "a", &hostile()).await;
    let records = records(&stack).await;
    let record: serde_json::Value = serde_json::from_str(&records[0]).unwrap();
    let image = &record["dynamodb"]["NewImage"];
    assert_eq!(image["long"], json!({"N": LONG}));
    assert_eq!(image["small"], json!({"N": "0.00000000000000000000000000000000000001"}));
    assert_eq!(image["empty"], json!({"S": ""}));
    assert_eq!(image["binary"], json!({"B": "AP+A"}));
    assert_eq!(image["map"], json!({"M": {"\"é\n": {"S": "\u{1F600}"}}}));
    assert_eq!(image["list"], json!({"L": [{"S": ""}, {"N": LONG}]}));
    let mut numbers: Vec<_> = image["numbers"]["NS"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["-1.5", LONG]);

    let state = stack.state().await.unwrap();
    let kept: instep_model::Item = serde_json::from_value(image.clone()).unwrap();
    assert_eq!(state.items[0]["long"], Value::N(LONG.to_owned()));
    assert_eq!(kept.len(), state.items[0].len());
}

/// Every member that Lambda's documents show, in their order. In memory, two runs give the same
/// bytes.
#[tokio::test]
async fn records_have_lambda_s_shape() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let stack = stack().await;
        put(&stack, "a", &[]).await;
        put(&stack, "a", &[("n", text("1"))]).await;
        table(&stack).delete_item().table_name(TABLE).set_key(Some(item("a", &[]))).send().await.unwrap();
        runs.push(records(&stack).await);
    }
    assert_eq!(runs[0], runs[1]);
    let parsed: Vec<serde_json::Value> = runs[0].iter().map(|record| serde_json::from_str(record).unwrap()).collect();
    let names: Vec<_> = parsed.iter().map(|record| record["eventName"].as_str().unwrap()).collect();
    assert_eq!(names, ["INSERT", "MODIFY", "REMOVE"]);
    let record = &parsed[1];
    let members = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(members(record), "eventID eventName eventVersion eventSource awsRegion dynamodb eventSourceARN");
    assert_eq!(
        members(&record["dynamodb"]),
        "ApproximateCreationDateTime Keys NewImage OldImage SequenceNumber SizeBytes StreamViewType"
    );
    assert_eq!(record["eventVersion"], "1.1");
    assert_eq!(record["eventSource"], "aws:dynamodb");
    assert_eq!(record["awsRegion"], "us-east-1");
    assert_eq!(record["eventID"].as_str().unwrap().len(), 32);
    assert_eq!(record["dynamodb"]["ApproximateCreationDateTime"], 1_795_176_000);
    assert_eq!(record["dynamodb"]["StreamViewType"], "NEW_AND_OLD_IMAGES");
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/objects/stream/2026-11-20T12:00:00.000";
    assert_eq!(record["eventSourceARN"], arn);
    assert!(record["dynamodb"]["SequenceNumber"].as_str().is_some_and(|number| number.len() >= 21));
}

/// DynamoDB writes no record for a write that changes nothing, whatever the order of a set.
#[tokio::test]
async fn a_write_that_changes_nothing_gives_no_record() {
    let stack = stack().await;
    let set = |texts: [&str; 3]| [("set", AttributeValue::Ss(texts.map(str::to_owned).to_vec()))];
    put(&stack, "a", &set(["x", "y", "z"])).await;
    put(&stack, "a", &set(["z", "x", "y"])).await;
    put(&stack, "a", &hostile()).await;
    put(&stack, "a", &hostile()).await;
    assert_eq!(records(&stack).await.len(), 2);
}

#[tokio::test]
async fn a_deletion_by_ttl_names_its_principal() {
    let stack = stack().await;
    let now = stack.clock().now().as_second();
    let ttl = model().table.ttl;
    put(&stack, "old", &[(&ttl, AttributeValue::N((now - 1).to_string()))]).await;
    put(&stack, "young", &[(&ttl, AttributeValue::N((now + 1).to_string()))]).await;
    assert_eq!(stack.sweep_ttl().unwrap(), 1);
    let records = records(&stack).await;
    assert!(!records[1].contains("userIdentity"));
    let removal: serde_json::Value = serde_json::from_str(&records[2]).unwrap();
    assert_eq!(removal["eventName"], "REMOVE");
    assert_eq!(removal["userIdentity"], json!({"principalId": "dynamodb.amazonaws.com", "type": "Service"}));
    stack.clock().set("2026-11-20T12:00:03Z".parse().unwrap());
    assert_eq!(stack.sweep_ttl().unwrap(), 1);
}

/// The tables of two shipped models are created, and their indexes answer.
#[tokio::test]
async fn tables_follow_the_model() {
    for name in ["access-management", "relational-store"] {
        let model = Model::shipped(name).unwrap();
        let options = StackOptions { dir: None, table: TABLE.to_owned(), clock: clock() };
        let stack = Stack::open(&model, options).await.unwrap();
        let key = [(&model.table.pk, "p"), (&model.table.sk, "s")];
        let item = key.map(|(name, value)| (name.clone(), text(value)));
        let put = table(&stack).put_item().table_name(TABLE).set_item(Some(item.into()));
        put.send().await.unwrap();
        for index in &model.indexes {
            let scan = table(&stack).scan().table_name(TABLE).index_name(&index.name);
            let found = scan.send().await.unwrap().count();
            assert_eq!(found == 1, index.pk[0] == model.table.sk, "{name} {}", index.name);
        }
    }
}
