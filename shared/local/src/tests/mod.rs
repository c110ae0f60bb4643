//! The stack, as a client of the SDK sees it.

mod cognito;
mod dynamodb;
mod eventbridge;
mod faults;
mod folder;
mod keeping;
mod pump;
mod queue_pump;
mod sqs;
mod stream;
mod upstream;

use std::collections::HashMap;
use std::path::Path;

use aws_sdk_cognitoidentityprovider::Client as CognitoClient;
use aws_sdk_dynamodb::Client as TableClient;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::AttributeValue;
use instep_model::Model;
use jiff::Timestamp;

use crate::{Clock, LocalError, Stack, StackOptions};

const NOON: &str = "2026-11-20T12:00:00Z";
const TABLE: &str = "objects";

fn model() -> Model {
    Model::shipped("access-management").unwrap()
}

fn clock() -> Clock {
    Clock::new(NOON.parse::<Timestamp>().unwrap())
}

async fn stack() -> Stack {
    open(None).await.unwrap()
}

async fn open(dir: Option<&Path>) -> Result<Stack, LocalError> {
    let options = StackOptions { dir: dir.map(Path::to_owned), table: TABLE.to_owned(), clock: clock() };
    Stack::open(&model(), options).await
}

fn cognito(stack: &Stack) -> CognitoClient {
    CognitoClient::new(&stack.sdk_config())
}

fn table(stack: &Stack) -> TableClient {
    TableClient::new(&stack.sdk_config())
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn item(key: &str, attributes: &[(&str, AttributeValue)]) -> HashMap<String, AttributeValue> {
    let mut item = HashMap::from([("pk".to_owned(), text(key)), ("sk".to_owned(), text("s"))]);
    item.extend(attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    item
}

async fn put(stack: &Stack, key: &str, attributes: &[(&str, AttributeValue)]) {
    let put = table(stack).put_item().table_name(TABLE).set_item(Some(item(key, attributes)));
    put.send().await.unwrap();
}

/// The error code of a refused call.
fn code<T: std::fmt::Debug, E: ProvideErrorMetadata + std::fmt::Debug, R: std::fmt::Debug>(
    answer: Result<T, SdkError<E, R>>,
) -> String {
    let error = answer.unwrap_err();
    error.as_service_error().unwrap_or_else(|| panic!("{error:?}")).code().unwrap().to_owned()
}
