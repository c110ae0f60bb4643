//! The SDK's attribute values as the model's: nothing is lost, numbers stay text.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodbstreams::types::AttributeValue as StreamValue;
use instep_model::{Bytes, Item, Value};

/// A value of a type that this SDK does not know yet.
#[derive(Debug, thiserror::Error)]
#[error("an attribute value is of a type that is not known")]
pub(crate) struct UnknownType;

/// The SDK has one attribute value type for each of its two services, alike to the letter.
macro_rules! convert {
    ($item:ident, $value:ident, $from:ident) => {
        /// An item.
        pub(crate) fn $item(item: &HashMap<String, $from>) -> Result<Item, UnknownType> {
            item.iter().map(|(name, value)| Ok((name.clone(), $value(value)?))).collect()
        }

        fn $value(value: &$from) -> Result<Value, UnknownType> {
            Ok(match value {
                $from::S(text) => Value::S(text.clone()),
                $from::N(digits) => Value::N(digits.clone()),
                $from::B(bytes) => Value::B(Bytes(bytes.as_ref().to_vec())),
                $from::Bool(flag) => Value::Bool(*flag),
                $from::Null(flag) => Value::Null(*flag),
                $from::L(values) => Value::L(values.iter().map($value).collect::<Result<_, _>>()?),
                $from::M(map) => Value::M($item(map)?),
                $from::Ss(texts) => Value::Ss(texts.clone()),
                $from::Ns(numbers) => Value::Ns(numbers.clone()),
                $from::Bs(all) => Value::Bs(all.iter().map(|bytes| Bytes(bytes.as_ref().to_vec())).collect()),
                _ => return Err(UnknownType),
            })
        }
    };
}

convert!(table_item, table_value, AttributeValue);
convert!(stream_item, stream_value, StreamValue);
