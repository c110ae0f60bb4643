//! Parts of a stream record, as far as they can be read from a record of any shape.

use instep_model::{Item, Key, Table};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Number;
use serde_json::value::RawValue;

/// The principal in the record of an item that TTL deleted. Source: Amazon DynamoDB Developer
/// Guide, "DynamoDB Streams and Time to Live".
pub const TTL_PRINCIPAL_ID: &str = "dynamodb.amazonaws.com";

/// The type of that principal.
pub const TTL_PRINCIPAL_TYPE: &str = "Service";

/// From this number on, a record's time is in milliseconds; below it, in seconds. 1e11 seconds is
/// the year 5138.
const MILLISECONDS_FROM: f64 = 1e11;

/// The maximum length of a sequence number, in digits. Source: Amazon DynamoDB Streams API
/// Reference, "StreamRecord".
const SEQUENCE_DIGITS_MAX: usize = 40;

/// Why a text is no record. INVARIANT 9: serde_json quotes a value of an unexpected type, this text
/// does not.
#[must_use]
pub fn not_a_record(error: &serde_json::Error) -> String {
    if error.is_data() {
        let (line, column) = (error.line(), error.column());
        return format!(
            "not a DynamoDB stream record: what ends at line {line}, column {column} is not what stands there in one"
        );
    }
    format!("not a DynamoDB stream record: {error}")
}

/// The key of the record's item. `None` if it cannot be read.
#[must_use]
pub fn key(table: &Table, raw: &RawValue) -> Option<Key> {
    #[derive(Deserialize)]
    struct Envelope {
        dynamodb: Body,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Body {
        keys: Item,
    }
    table.key_of(&serde_json::from_str::<Envelope>(raw.get()).ok()?.dynamodb.keys)
}

/// When the table was written. `None` if the record does not say it, or if it cannot be read.
#[must_use]
pub fn recorded_at(raw: &RawValue) -> Option<Timestamp> {
    #[derive(Deserialize)]
    struct Envelope {
        dynamodb: Body,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Body {
        approximate_creation_date_time: Number,
    }
    moment(&serde_json::from_str::<Envelope>(raw.get()).ok()?.dynamodb.approximate_creation_date_time)
}

/// The moment of an `ApproximateCreationDateTime`: whole seconds in DynamoDB's records, fractions
/// or milliseconds in captures from other tools. `None` if there is no such date.
#[must_use]
pub fn moment(number: &Number) -> Option<Timestamp> {
    let value = number.as_f64()?;
    let ms = if value >= MILLISECONDS_FROM { value } else { value * 1000.0 };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "milliseconds of any date fit; beyond, the cast saturates and the date is refused"
    )]
    Timestamp::from_millisecond(ms.round() as i64).ok()
}

/// Whether a text is a sequence number.
#[must_use]
pub fn is_sequence(text: &str) -> bool {
    (1..=SEQUENCE_DIGITS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The record's sequence number. `None` if it has none, or if it cannot be read.
#[must_use]
pub fn sequence(raw: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Envelope {
        dynamodb: Body,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Body {
        sequence_number: String,
    }
    let sequence = serde_json::from_str::<Envelope>(raw.get()).ok()?.dynamodb.sequence_number;
    is_sequence(&sequence).then_some(sequence)
}

/// The table's name in a stream's ARN (`arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`).
#[must_use]
pub fn table_of(arn: &str) -> Option<&str> {
    arn.split(":table/").nth(1)?.split('/').next()
}
