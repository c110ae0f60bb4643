//! Stream records as Lambda hands them to a function.

use aws_sdk_dynamodbstreams::types::{Identity, OperationType, Record, StreamRecord};
use aws_smithy_types::DateTime;
use instep_model::{Item, Key, Value};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::LocalError;
use crate::values::{UnknownType, stream_item};

/// Who removes items past their TTL. Source: Amazon DynamoDB Developer Guide, "DynamoDB Streams and Time to Live".
const TTL_PRINCIPAL: &str = "dynamodb.amazonaws.com";
const TTL_TYPE: &str = "Service";

/// A record in Lambda's spelling, its fields in the order in which Lambda's documents show them.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LambdaRecord {
    #[serde(rename = "eventID")]
    pub(crate) event_id: String,
    pub(crate) event_name: String,
    event_version: String,
    event_source: &'static str,
    aws_region: String,
    pub(crate) dynamodb: Images,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_identity: Option<Box<RawValue>>,
    #[serde(rename = "eventSourceARN")]
    event_source_arn: String,
}

/// The record's middle.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Images {
    /// A JSON number, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approximate_creation_date_time: Option<Box<RawValue>>,
    keys: Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_image: Option<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_image: Option<Item>,
    pub(crate) sequence_number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_bytes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_view_type: Option<String>,
}

/// Who did it, in Lambda's spelling: DynamoDB Streams' own has capitals.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct UserIdentity<'a> {
    principal_id: &'a str,
    r#type: &'a str,
}

/// A record of a DynamoDB stream as Lambda would hand it to a function that reads the stream `stream_arn` in `region`.
/// Nothing is lost: numbers keep their digits, times what the stream gives.
///
/// # Errors
///
/// When the record lacks what every record has, or holds a type of value that is not known.
pub fn lambda_record(record: &Record, stream_arn: &str, region: &str) -> Result<Box<RawValue>, LocalError> {
    LambdaRecord::new(record, stream_arn, region)?.raw()
}

impl LambdaRecord {
    pub(crate) fn new(record: &Record, stream_arn: &str, region: &str) -> Result<Self, LocalError> {
        let number = record.dynamodb().and_then(StreamRecord::sequence_number);
        let failed = |why: &str| LocalError::Record {
            sequence: number.map_or("without a sequence number".to_owned(), |number| format!("`{number}`")),
            why: why.to_owned(),
        };
        let body = record.dynamodb().ok_or_else(|| failed("it has no content"))?;
        let event_name = record.event_name().ok_or_else(|| failed("it does not say what happened"))?;
        let identity = record.user_identity().map(user_identity).transpose();
        Ok(Self {
            event_id: record.event_id().unwrap_or_default().to_owned(),
            event_name: event_name.as_str().to_owned(),
            event_version: record.event_version().unwrap_or("1.1").to_owned(),
            event_source: "aws:dynamodb",
            aws_region: region.to_owned(),
            dynamodb: Images::new(body).map_err(|error| failed(&error.to_string()))?,
            user_identity: identity.map_err(|error| failed(&error.to_string()))?,
            event_source_arn: stream_arn.to_owned(),
        })
    }

    pub(crate) fn raw(&self) -> Result<Box<RawValue>, LocalError> {
        to_raw_value(self).map_err(|error| LocalError::Record {
            sequence: self.dynamodb.sequence_number.clone(),
            why: error.to_string(),
        })
    }

    /// Whether the record tells of a write that changed nothing. DynamoDB makes none for it, the engine does.
    pub(crate) fn changes_nothing(&self) -> bool {
        let Images { new_image, old_image, .. } = &self.dynamodb;
        self.event_name == OperationType::Modify.as_str()
            && new_image.clone().map(in_order) == old_image.clone().map(in_order)
    }

    /// The item's key, in a table with such key attributes.
    pub(crate) fn key(&self, (pk, sk): &(String, String)) -> Key {
        let text = |name: &String| self.dynamodb.keys.get(name).and_then(Value::as_s).unwrap_or_default().to_owned();
        Key { pk: text(pk), sk: text(sk) }
    }
}

impl Images {
    fn new(record: &StreamRecord) -> Result<Self, UnknownType> {
        Ok(Self {
            approximate_creation_date_time: record.approximate_creation_date_time().and_then(number),
            keys: record.keys().map(stream_item).transpose()?.unwrap_or_default(),
            new_image: record.new_image().map(stream_item).transpose()?,
            old_image: record.old_image().map(stream_item).transpose()?,
            sequence_number: record.sequence_number().unwrap_or_default().to_owned(),
            size_bytes: record.size_bytes(),
            stream_view_type: record.stream_view_type().map(|view| view.as_str().to_owned()),
        })
    }
}

/// Epoch seconds as a JSON number, in the fewest digits that say it: a fraction reached the SDK as a double, whose
/// nanoseconds are not those that were sent.
fn number(time: &DateTime) -> Option<Box<RawValue>> {
    let text = if time.subsec_nanos() == 0 { time.secs().to_string() } else { time.as_secs_f64().to_string() };
    RawValue::from_string(text).ok()
}

/// The engine spells the identity as Lambda does, not as DynamoDB Streams, and so the SDK reads nothing from it. It is
/// there for a TTL removal alone, and that has one identity.
fn user_identity(identity: &Identity) -> Result<Box<RawValue>, serde_json::Error> {
    to_raw_value(&UserIdentity {
        principal_id: identity.principal_id().unwrap_or(TTL_PRINCIPAL),
        r#type: identity.r#type().unwrap_or(TTL_TYPE),
    })
}

/// An image with its sets in one order, since a set has none.
fn in_order(image: Item) -> Item {
    image.into_iter().map(|(name, value)| (name, value_in_order(value))).collect()
}

fn value_in_order(value: Value) -> Value {
    match value {
        Value::Ss(mut texts) => {
            texts.sort_unstable();
            Value::Ss(texts)
        }
        Value::Ns(mut numbers) => {
            numbers.sort_unstable();
            Value::Ns(numbers)
        }
        Value::Bs(mut all) => {
            all.sort_unstable();
            Value::Bs(all)
        }
        Value::L(values) => Value::L(values.into_iter().map(value_in_order).collect()),
        Value::M(map) => Value::M(in_order(map)),
        Value::S(_) | Value::N(_) | Value::B(_) | Value::Bool(_) | Value::Null(_) => value,
    }
}
