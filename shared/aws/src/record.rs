//! Stream records in the form in which Lambda passes them to a function.

use std::borrow::Cow;
use std::collections::HashMap;

use aws_sdk_dynamodbstreams::types::{AttributeValue, Identity, OperationType, Record, StreamRecord};
use aws_smithy_types::DateTime;
use instep_flow::stream_record::{TTL_PRINCIPAL_ID, TTL_PRINCIPAL_TYPE};
use instep_model::{Bytes, Item, Key, Value};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// A stream record that cannot be converted: it lacks a field that every record has, or has a value
/// of an unknown type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("stream record {sequence} cannot be read: {why}")]
pub struct RecordError {
    /// Its sequence number, or `without a sequence number`.
    sequence: String,
    /// What is wrong.
    why: String,
}

/// A value of a type that this SDK does not know yet.
#[derive(Debug, thiserror::Error)]
#[error("an attribute value is of a type that is not known")]
struct UnknownType;

/// A record in Lambda's spelling, with its fields in the order of Lambda's documentation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LambdaRecord {
    /// The record's id.
    #[serde(rename = "eventID")]
    pub event_id: String,
    event_name: String,
    event_version: String,
    event_source: String,
    aws_region: String,
    /// What was written.
    pub dynamodb: Images,
    /// The writer, if that is DynamoDB itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_identity: Option<Box<RawValue>>,
    #[serde(rename = "eventSourceARN", default)]
    event_source_arn: String,
}

/// The part of a record that describes the write.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Images {
    /// A JSON number, unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approximate_creation_date_time: Option<Box<RawValue>>,
    keys: Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_image: Option<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_image: Option<Item>,
    /// Its position in the stream.
    pub sequence_number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_bytes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_view_type: Option<String>,
}

/// The writer, in Lambda's spelling. DynamoDB Streams uses capitals.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UserIdentity<'a> {
    principal_id: Cow<'a, str>,
    r#type: Cow<'a, str>,
}

impl LambdaRecord {
    /// Converts a record of a DynamoDB stream to the form in which Lambda passes it to a function
    /// that reads the stream `stream_arn` in `region`. It loses nothing: numbers keep their digits,
    /// times their precision.
    ///
    /// # Errors
    /// The record lacks a field that every record has, or has a value of an unknown type.
    pub fn new(record: &Record, stream_arn: &str, region: &str) -> Result<Self, RecordError> {
        let number = record.dynamodb().and_then(StreamRecord::sequence_number);
        let failed = |why: &str| RecordError {
            sequence: number.map_or("without a sequence number".to_owned(), |number| format!("`{number}`")),
            why: why.to_owned(),
        };
        let body = record.dynamodb().ok_or_else(|| failed("it has no content"))?;
        let event_name = record.event_name().ok_or_else(|| failed("it has no event name"))?;
        let identity = record.user_identity().map(user_identity).transpose();
        Ok(Self {
            event_id: record.event_id().unwrap_or_default().to_owned(),
            event_name: event_name.as_str().to_owned(),
            event_version: record.event_version().unwrap_or("1.1").to_owned(),
            event_source: "aws:dynamodb".to_owned(),
            aws_region: region.to_owned(),
            dynamodb: Images::new(body).map_err(|error| failed(&error.to_string()))?,
            user_identity: identity.map_err(|error| failed(&error.to_string()))?,
            event_source_arn: stream_arn.to_owned(),
        })
    }

    /// Converts a record in the JSON of DynamoDB Streams' GetRecords, complete and with the identity in
    /// Lambda's spelling, as some stand-ins write it. It loses nothing.
    ///
    /// # Errors
    /// The record lacks a field that every record has, or has a value of an unknown type.
    pub fn from_json(json: &str, stream_arn: &str, region: &str) -> Result<Self, RecordError> {
        let mut record =
            Self::read(json).map_err(|error| RecordError { sequence: "in JSON".to_owned(), why: error.to_string() })?;
        (record.aws_region, record.event_source_arn) = (region.to_owned(), stream_arn.to_owned());
        Ok(record)
    }

    fn read(json: &str) -> Result<Self, serde_json::Error> {
        let mut record: Self = serde_json::from_str(json)?;
        if let Some(time) = &mut record.dynamodb.approximate_creation_date_time {
            // As in `number`: `1.0` is `1`.
            let seconds: f64 = serde_json::from_str(time.get())?;
            *time = RawValue::from_string(seconds.to_string())?;
        }
        if let Some(identity) = &mut record.user_identity {
            *identity = to_raw_value(&serde_json::from_str::<UserIdentity<'_>>(identity.get())?)?;
        }
        Ok(record)
    }

    /// The record as JSON.
    ///
    /// # Errors
    /// The record cannot be written as JSON.
    pub fn raw(&self) -> Result<Box<RawValue>, RecordError> {
        to_raw_value(self)
            .map_err(|error| RecordError { sequence: self.dynamodb.sequence_number.clone(), why: error.to_string() })
    }

    /// Whether the write changed nothing. DynamoDB writes no record for that, but some stand-ins
    /// do.
    #[must_use]
    pub fn changes_nothing(&self) -> bool {
        let Images { new_image, old_image, .. } = &self.dynamodb;
        self.event_name == OperationType::Modify.as_str()
            && new_image.clone().map(in_order) == old_image.clone().map(in_order)
    }

    /// The item's key, in a table with these key attributes.
    #[must_use]
    pub fn key(&self, (pk, sk): &(String, String)) -> Key {
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

/// Epoch seconds as a JSON number, in as few digits as possible. The SDK parses a fraction as a
/// double, whose nanoseconds differ from those that were sent.
fn number(time: &DateTime) -> Option<Box<RawValue>> {
    let text = if time.subsec_nanos() == 0 { time.secs().to_string() } else { time.as_secs_f64().to_string() };
    RawValue::from_string(text).ok()
}

/// Some stand-ins spell the identity as Lambda does, not as DynamoDB Streams, so the SDK cannot
/// read it. Only a deletion by TTL has an identity, and always the same.
fn user_identity(identity: &Identity) -> Result<Box<RawValue>, serde_json::Error> {
    to_raw_value(&UserIdentity {
        principal_id: identity.principal_id().unwrap_or(TTL_PRINCIPAL_ID).into(),
        r#type: identity.r#type().unwrap_or(TTL_PRINCIPAL_TYPE).into(),
    })
}

/// An image with sorted sets, since sets have no order.
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

fn stream_item(item: &HashMap<String, AttributeValue>) -> Result<Item, UnknownType> {
    item.iter().map(|(name, value)| Ok((name.clone(), stream_value(value)?))).collect()
}

/// Sets keep the order of the stream, so that a capture loses nothing.
#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
fn stream_value(value: &AttributeValue) -> Result<Value, UnknownType> {
    let bytes = |bytes: &aws_sdk_dynamodbstreams::primitives::Blob| Bytes(bytes.as_ref().to_vec());
    Ok(match value {
        AttributeValue::S(text) => Value::S(text.clone()),
        AttributeValue::N(digits) => Value::N(digits.clone()),
        AttributeValue::B(blob) => Value::B(bytes(blob)),
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::Null(flag) => Value::Null(*flag),
        AttributeValue::L(values) => Value::L(values.iter().map(stream_value).collect::<Result<_, _>>()?),
        AttributeValue::M(map) => Value::M(stream_item(map)?),
        AttributeValue::Ss(texts) => Value::Ss(texts.clone()),
        AttributeValue::Ns(numbers) => Value::Ns(numbers.clone()),
        AttributeValue::Bs(all) => Value::Bs(all.iter().map(bytes).collect()),
        _ => return Err(UnknownType),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A capture keeps all fields of a record, also those that DynamoDB itself would not write.
    #[test]
    fn any_stream_s_record_can_be_captured() {
        let body = StreamRecord::builder()
            .approximate_creation_date_time(DateTime::from_fractional_secs(1_700_000_000, 0.25))
            .keys("pk", AttributeValue::S("a".to_owned()))
            .sequence_number("111");
        let record = Record::builder()
            .event_id("e1")
            .event_name(OperationType::Remove)
            .event_version("1.1")
            .user_identity(Identity::builder().principal_id("someone").r#type("Other").build())
            .dynamodb(body.build());
        let raw = LambdaRecord::new(&record.clone().build(), "arn:x", "eu-west-1").unwrap().raw().unwrap();
        assert_eq!(
            raw.get(),
            r#"{"eventID":"e1","eventName":"REMOVE","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"eu-west-1","dynamodb":{"ApproximateCreationDateTime":1700000000.25,"Keys":{"pk":{"S":"a"}},"SequenceNumber":"111"},"userIdentity":{"principalId":"someone","type":"Other"},"eventSourceARN":"arn:x"}"#
        );
        let spaced = raw
            .get()
            .replace("00.25", "01.0")
            .replace(r#"{"principalId":"someone","type":"Other"}"#, r#"{"type":"Other","principalId":"someone"}"#);
        let read = LambdaRecord::from_json(&spaced, "arn:y", "eu-west-1").unwrap().raw().unwrap();
        assert_eq!(read.get(), raw.get().replace("00.25", "01").replace("arn:x", "arn:y"));
        assert!(LambdaRecord::from_json("{}", "arn:y", "eu-west-1").unwrap_err().to_string().contains("missing field"));
        let empty = record.set_dynamodb(None).build();
        assert!(LambdaRecord::new(&empty, "arn:x", "eu-west-1").unwrap_err().to_string().contains("no content"));
    }
}
