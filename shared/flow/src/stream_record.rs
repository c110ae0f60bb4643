//! A stream record as Lambda, DynamoDB Streams and captures write it, parsed once, at the edge.

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

/// A stream record. Nothing of it is checked against a model. Of a record that is malformed, the
/// parts that can be read are here.
#[derive(Debug, Default)]
pub struct StreamRecord {
    /// The table's name, from the stream's ARN.
    pub table: Option<String>,
    /// What was done. The text of a name that is none of DynamoDB's is the error.
    pub event: Option<Result<Event, String>>,
    /// The key attributes.
    pub keys: Option<Item>,
    /// The item before. Some libraries write an absent image as an empty one, which is `None` here.
    pub old: Option<Item>,
    /// The item after.
    pub new: Option<Item>,
    /// The sequence number, as it is written. It may be no number.
    pub sequence_number: Option<String>,
    /// `ApproximateCreationDateTime`, as it is written.
    pub time: Option<Box<RawValue>>,
    /// Who made a change that is not a writer's, as it is written.
    pub user_identity: Option<Box<RawValue>>,
    /// Whether the record has the object that holds all of these.
    pub has_body: bool,
    /// Why the text is no record.
    pub malformed: Option<String>,
    recorded_at: Option<Timestamp>,
    is_ttl: bool,
}

/// What was done to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It was created.
    Insert,
    /// It was changed.
    Modify,
    /// It was deleted.
    Remove,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    event_name: Option<String>,
    dynamodb: Option<Body>,
    #[serde(default)]
    user_identity: Option<Box<RawValue>>,
    #[serde(rename = "eventSourceARN")]
    source_arn: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Body {
    keys: Option<Item>,
    new_image: Option<Item>,
    old_image: Option<Item>,
    sequence_number: Option<String>,
    approximate_creation_date_time: Option<Box<RawValue>>,
}

// Lambda spells these in camel case, GetRecords in Pascal case. Captures contain both.
#[derive(Deserialize)]
struct UserIdentity {
    #[serde(alias = "PrincipalId", rename = "principalId", default)]
    principal_id: Option<String>,
    #[serde(alias = "Type", rename = "type", default)]
    kind: Option<String>,
}

impl StreamRecord {
    /// Parses a record.
    #[must_use]
    pub fn parse(raw: &RawValue) -> Self {
        match serde_json::from_str::<Envelope>(raw.get()) {
            Ok(envelope) => Self::of(envelope),
            Err(error) => {
                let parts = serde_json::from_str(raw.get()).map_or_else(|_| Self::default(), |json| Self::salvage(&json));
                Self { malformed: Some(not_a_record(&error)), ..parts }
            }
        }
    }

    /// Reads a record that is parsed as JSON already. What is wrong with it has no line and column.
    pub(crate) fn of_json(json: &serde_json::Value) -> Self {
        match Envelope::deserialize(json) {
            Ok(envelope) => Self::of(envelope),
            Err(error) => Self { malformed: Some(not_a_record(&error)), ..Self::salvage(json) },
        }
    }

    fn of(envelope: Envelope) -> Self {
        let Envelope { event_name, dynamodb, user_identity, source_arn } = envelope;
        let has_body = dynamodb.is_some();
        let mut record = Self {
            table: source_arn.as_deref().and_then(table_of).map(str::to_owned),
            event: event_name.map(Event::named),
            user_identity,
            has_body,
            ..Self::default()
        };
        if let Some(body) = dynamodb {
            record.keys = body.keys;
            record.old = body.old_image.filter(|image| !image.is_empty());
            record.new = body.new_image.filter(|image| !image.is_empty());
            record.sequence_number = body.sequence_number;
            record.time = body.approximate_creation_date_time;
        }
        let parsed = record.parse_time_and_identity();
        record.malformed = parsed.err().map(|error| not_a_record(&error));
        record
    }

    fn parse_time_and_identity(&mut self) -> Result<(), serde_json::Error> {
        if let Some(time) = &self.time {
            self.recorded_at = moment(&serde_json::from_str(time.get())?);
        }
        if let Some(identity) = &self.user_identity {
            self.is_ttl = serde_json::from_str::<UserIdentity>(identity.get())?.is_ttl();
        }
        Ok(())
    }

    /// What can be read of a text that is no record.
    fn salvage(value: &serde_json::Value) -> Self {
        let body = |name: &str| value.get("dynamodb").and_then(|body| body.get(name));
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let time = body("ApproximateCreationDateTime").and_then(|time| serde_json::value::to_raw_value(time).ok());
        Self {
            table: value.get("eventSourceARN").and_then(|arn| table_of(arn.as_str()?)).map(str::to_owned),
            keys: body("Keys").and_then(|keys| serde_json::from_value(keys.clone()).ok()),
            sequence_number: body("SequenceNumber").and_then(text),
            recorded_at: body("ApproximateCreationDateTime").and_then(|time| moment(time.as_number()?)),
            time,
            ..Self::default()
        }
    }

    /// The key of the record's item. `None` if it cannot be read.
    #[must_use]
    pub fn key(&self, table: &Table) -> Option<Key> {
        table.key_of(self.keys.as_ref()?)
    }

    /// When the table was written. `None` if the record does not say it, or if it cannot be read.
    #[must_use]
    pub const fn recorded_at(&self) -> Option<Timestamp> {
        self.recorded_at
    }

    /// The sequence number. `None` if the record has none, or if it is no number.
    #[must_use]
    pub fn sequence(&self) -> Option<&str> {
        self.sequence_number.as_deref().filter(|text| is_sequence(text))
    }

    /// Whether TTL deleted the item.
    #[must_use]
    pub const fn is_ttl(&self) -> bool {
        self.is_ttl
    }
}

impl UserIdentity {
    fn is_ttl(&self) -> bool {
        self.principal_id.as_deref() == Some(TTL_PRINCIPAL_ID) && self.kind.as_deref() == Some(TTL_PRINCIPAL_TYPE)
    }
}

impl Event {
    fn named(name: String) -> Result<Self, String> {
        match name.as_str() {
            "INSERT" => Ok(Self::Insert),
            "MODIFY" => Ok(Self::Modify),
            "REMOVE" => Ok(Self::Remove),
            _ => Err(name),
        }
    }
}

/// The sequence number of a record. `None` if it has none, or if it is no number.
#[must_use]
pub fn sequence(raw: &RawValue) -> Option<String> {
    StreamRecord::parse(raw).sequence().map(str::to_owned)
}

/// Why a text is no record. INVARIANT 9: serde_json quotes a value of an unexpected type, this text
/// does not.
fn not_a_record(error: &serde_json::Error) -> String {
    if error.is_data() {
        let (line, column) = (error.line(), error.column());
        return format!(
            "not a DynamoDB stream record: what ends at line {line}, column {column} is not what stands there in one"
        );
    }
    format!("not a DynamoDB stream record: {error}")
}

/// The moment of an `ApproximateCreationDateTime`: whole seconds in DynamoDB's records, fractions
/// or milliseconds in captures from other tools. `None` if there is no such date.
fn moment(number: &Number) -> Option<Timestamp> {
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

/// The table's name in a stream's ARN (`arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`).
fn table_of(arn: &str) -> Option<&str> {
    arn.split(":table/").nth(1)?.split('/').next()
}
