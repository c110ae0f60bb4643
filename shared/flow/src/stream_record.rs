//! A stream record as Lambda, DynamoDB Streams and captures write it, parsed once, at the edge.

use std::cmp::Ordering;

use instep_model::{Item, Key, TableSchema};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::table_id::TableId;

/// The principal in the record of an item that TTL deleted. Source: Amazon DynamoDB Developer
/// Guide, "DynamoDB Streams and Time to Live".
pub const TTL_PRINCIPAL_ID: &str = "dynamodb.amazonaws.com";

/// The type of that principal.
pub const TTL_PRINCIPAL_TYPE: &str = "Service";

/// From this number on, a record's time is in milliseconds; below it, in seconds. 1e11 seconds is
/// the year 5138.
const MILLISECONDS_FROM: f64 = 1e11;

/// Why a time cannot be read. INVARIANT 9: it does not quote the value.
const NO_TIME: &str =
    "not a DynamoDB stream record: `ApproximateCreationDateTime` is neither a number nor an ISO 8601 time";

/// The maximum length of a sequence number, in digits. Source: Amazon DynamoDB Streams API
/// Reference, "StreamRecord".
const SEQUENCE_DIGITS_MAX: usize = 40;

/// A stream record, not checked against a model. Of a malformed record, it has the parts that can
/// be read.
#[derive(Debug, Default)]
pub struct StreamRecord {
    /// The table, from the stream's ARN, or only its name.
    pub table: Option<TableId>,
    /// The stream's label in its ARN: the time at which it was made. Empty if the record does not say it.
    pub epoch: String,
    /// What was done. The error is an `eventName` that DynamoDB does not use.
    pub event: Option<Result<RecordKind, String>>,
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
    /// `userIdentity`, as it is written. A record of a writer's change has none.
    pub user_identity: Option<Box<RawValue>>,
    /// Whether the record has the `dynamodb` object, which contains keys and images.
    pub has_body: bool,
    /// Why the text is no record.
    pub malformed: Option<String>,
    recorded_at: Option<Timestamp>,
    is_ttl: bool,
    /// The unit of the time, if the record says it.
    precision: Option<String>,
}

/// What was done to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
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
    /// The table's name, instead of the ARN, in a record that came through Kinesis. Source: Amazon
    /// DynamoDB Developer Guide, "Using Kinesis Data Streams to capture changes to DynamoDB".
    table_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Body {
    keys: Option<Item>,
    new_image: Option<Item>,
    old_image: Option<Item>,
    sequence_number: Option<String>,
    approximate_creation_date_time: Option<Box<RawValue>>,
    approximate_creation_date_time_precision: Option<String>,
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
                let parts =
                    serde_json::from_str(raw.get()).map_or_else(|_| Self::default(), |json| Self::salvage(&json));
                Self { malformed: Some(not_a_record(&error)), ..parts }
            }
        }
    }

    /// Reads a record that is parsed as JSON already. Its errors have no line and column.
    pub(crate) fn of_json(json: &serde_json::Value) -> Self {
        match Envelope::deserialize(json) {
            Ok(envelope) => Self::of(envelope),
            Err(error) => Self { malformed: Some(not_a_record(&error)), ..Self::salvage(json) },
        }
    }

    fn of(envelope: Envelope) -> Self {
        let Envelope { event_name, dynamodb, user_identity, source_arn, table_name } = envelope;
        let has_body = dynamodb.is_some();
        let mut record = Self {
            epoch: source_arn.as_deref().and_then(epoch_of).unwrap_or_default().to_owned(),
            table: source_arn.as_deref().and_then(table_of).or_else(|| TableId::parse(&table_name?)),
            event: event_name.map(RecordKind::named),
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
            record.precision = body.approximate_creation_date_time_precision;
        }
        record.malformed = record.parse_time_and_identity().err();
        record
    }

    fn parse_time_and_identity(&mut self) -> Result<(), String> {
        if let Some(time) = &self.time {
            let json = serde_json::from_str(time.get()).map_err(|error| not_a_record(&error))?;
            self.recorded_at = moment(&json, self.precision.as_deref()).map_err(str::to_owned)?;
        }
        if let Some(identity) = &self.user_identity {
            let identity =
                serde_json::from_str::<UserIdentity>(identity.get()).map_err(|error| not_a_record(&error))?;
            self.is_ttl = identity.is_ttl();
        }
        Ok(())
    }

    /// The parts that can be read of JSON that is not a valid record.
    fn salvage(value: &serde_json::Value) -> Self {
        let body = |name: &str| value.get("dynamodb").and_then(|body| body.get(name));
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let time = body("ApproximateCreationDateTime").and_then(|time| serde_json::value::to_raw_value(time).ok());
        Self {
            table: value.get("eventSourceARN").and_then(|arn| table_of(arn.as_str()?)),
            epoch: value.get("eventSourceARN").and_then(|arn| epoch_of(arn.as_str()?)).unwrap_or_default().to_owned(),
            keys: body("Keys").and_then(|keys| serde_json::from_value(keys.clone()).ok()),
            sequence_number: body("SequenceNumber").and_then(text),
            recorded_at: body("ApproximateCreationDateTime").and_then(|time| {
                let precision = body("ApproximateCreationDateTimePrecision").and_then(serde_json::Value::as_str);
                moment(time, precision).ok().flatten()
            }),
            time,
            ..Self::default()
        }
    }

    /// The key of the record's item. `None` if it cannot be read.
    #[must_use]
    pub fn key(&self, table: &TableSchema) -> Option<Key> {
        table.key_of(self.keys.as_ref()?)
    }

    /// When the table was written. `None` if the record does not say it, or if it cannot be read.
    #[must_use]
    pub const fn recorded_at(&self) -> Option<Timestamp> {
        self.recorded_at
    }

    /// `ApproximateCreationDateTime` in DynamoDB's own form: a number of seconds. A number without a
    /// unit is left as it is written. `None` if the record has no time that can be read.
    #[must_use]
    pub fn time_in_seconds(&self) -> Option<Box<RawValue>> {
        let at = self.recorded_at?;
        let written = self.time.as_ref().filter(|time| self.precision.is_none() && !time.get().starts_with('"'));
        if let Some(written) = written {
            return Some(written.clone());
        }
        let seconds = match at.subsec_microsecond() {
            0 => at.as_second().to_string(),
            micros => format!("{}.{micros:06}", at.as_second()),
        };
        RawValue::from_string(seconds).ok()
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

impl RecordKind {
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

/// The moment of an `ApproximateCreationDateTime`: whole seconds in DynamoDB's records; fractions,
/// milliseconds or ISO 8601 in captures from other tools; what `precision` says in records that came
/// through Kinesis. `None` if there is no such date.
fn moment(time: &serde_json::Value, precision: Option<&str>) -> Result<Option<Timestamp>, &'static str> {
    let number = match time {
        serde_json::Value::Null => return Ok(None),
        serde_json::Value::Number(number) => number.clone(),
        serde_json::Value::String(text) => match serde_json::from_str::<Number>(text) {
            Ok(number) => number,
            Err(_) => return iso(text).map(Some).ok_or(NO_TIME),
        },
        serde_json::Value::Bool(_) | serde_json::Value::Array(_) | serde_json::Value::Object(_) => return Err(NO_TIME),
    };
    let per_second: i64 = match precision {
        Some("SECOND") => 1,
        Some("MILLISECOND") => 1_000,
        Some("MICROSECOND") => 1_000_000,
        Some("NANOSECOND") => 1_000_000_000,
        Some(_) | None if number.as_f64().is_some_and(|value| value >= MILLISECONDS_FROM) => 1_000,
        Some(_) | None => 1,
    };
    if let Some(units) = number.as_i64() {
        let (seconds, rest) = (units.div_euclid(per_second), units.rem_euclid(per_second));
        let nanoseconds = i32::try_from(rest * (1_000_000_000 / per_second)).unwrap_or_default();
        return Ok(Timestamp::new(seconds, nanoseconds).ok());
    }
    let Some(value) = number.as_f64() else { return Ok(None) };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "microseconds of any date fit; beyond, the cast saturates and the date is refused"
    )]
    let us = (value * 1_000_000.0 / per_second as f64).round() as i64;
    Ok(Timestamp::from_microsecond(us).ok())
}

/// ISO 8601. A time without an offset is UTC.
fn iso(text: &str) -> Option<Timestamp> {
    let local = || text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
    text.parse().ok().or_else(|| local().map(|at| at.timestamp()))
}

/// Whether a text is a sequence number.
#[must_use]
pub fn is_sequence(text: &str) -> bool {
    (1..=SEQUENCE_DIGITS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// By which sequence numbers compare as the numbers that they are, whatever their lengths.
#[must_use]
pub fn in_order(sequence: &str) -> (usize, &str) {
    let digits = sequence.trim_start_matches('0');
    (digits.len(), digits)
}

/// The place of a record among those of its item. A stream that was made later has later places, whatever their
/// numbers: those of each stream begin anew.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecordPlace {
    /// The label of the stream. Empty if nothing says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub epoch: String,
    /// The sequence number. Empty if there was no record, as in a backfill.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sequence: String,
}

impl Ord for RecordPlace {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = || in_order(&self.sequence).cmp(&in_order(&other.sequence));
        self.epoch.cmp(&other.epoch).then_with(numbers).then_with(|| self.sequence.cmp(&other.sequence))
    }
}

impl PartialOrd for RecordPlace {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A sequence number with so many digits as any has: as texts, these compare as the numbers do.
#[must_use]
pub fn padded(sequence: &str) -> String {
    format!("{sequence:0>SEQUENCE_DIGITS_MAX$}")
}

/// The label in a stream's ARN. Source: Amazon DynamoDB Streams API Reference, "StreamDescription".
fn epoch_of(arn: &str) -> Option<&str> {
    Some(arn.split_once("/stream/")?.1)
}

/// The table of a stream's ARN.
fn table_of(arn: &str) -> Option<TableId> {
    TableId::parse(arn).filter(|_| arn.contains(":table/"))
}
