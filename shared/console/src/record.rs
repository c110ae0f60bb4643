//! A captured record, as far as a replay needs it: the key, the write and its time.

use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_flow::table_id::TableId;
use instep_flow::valid::numbers;
use instep_model::{BOOKKEEPING_PREFIX, Item, Key, TableSchema, Value};
use serde_json::value::RawValue;

/// A record that can be replayed, unless the state of the table prevents it.
#[derive(Debug)]
pub struct Captured {
    /// What the writer did.
    pub event: RecordKind,
    /// The key of its item.
    pub key: Key,
    /// The item before. Records of streams with other view types lack it.
    pub old: Option<Item>,
    /// The item after.
    pub new: Option<Item>,
    /// Who wrote, if the record says so.
    pub user_identity: Option<Box<RawValue>>,
    /// `ApproximateCreationDateTime` as it was captured, in seconds.
    pub time: Option<Box<RawValue>>,
}

/// Why a record cannot be replayed.
#[derive(Debug, PartialEq, Eq)]
pub struct Unplayable {
    /// The code of the reason.
    pub code: &'static str,
    /// The reason, for people.
    pub reason: String,
}

impl Unplayable {
    /// A reason with its code.
    pub fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }
}

/// Reads a record of the table `from` (`None`: of any table), which `table` describes.
pub fn read(raw: &RawValue, table: &TableSchema, from: Option<&TableId>) -> Result<Captured, Unplayable> {
    let record = StreamRecord::parse(raw);
    let time = record.time_in_seconds();
    if let Some(reason) = record.malformed {
        return Err(Unplayable::new("malformed-record", reason));
    }
    if let (Some(from), Some(other)) = (from, record.table)
        && !from.may_be(&other)
    {
        let reason = format!("the record is from table `{other}`, the others are from `{from}`: replay it separately");
        return Err(Unplayable::new("other-table", reason));
    }
    if !record.has_body {
        return Err(Unplayable::new("malformed-record", "the record has no `dynamodb` object"));
    }
    let event = match record.event {
        Some(Ok(event)) => event,
        Some(Err(_)) => {
            return Err(Unplayable::new("malformed-record", "`eventName` is not INSERT, MODIFY or REMOVE"));
        }
        None => return Err(Unplayable::new("malformed-record", "the record has no `eventName`")),
    };
    let old = record.old;
    let new = record.new.filter(|_| event != RecordKind::Remove);
    let key = key(record.keys, table, old.iter().chain(new.iter()))?;
    for image in old.iter().chain(new.iter()) {
        numbers(image).map_err(|reject| Unplayable::new(reject.code, reject.reason))?;
    }
    Ok(Captured { event, key, old, new, user_identity: record.user_identity, time })
}

/// A key for people, of a record of any table.
pub fn key_text(record: &StreamRecord) -> Option<String> {
    let parts = record.keys.as_ref()?.values().map(Value::as_s);
    Some(parts.collect::<Option<Vec<_>>>()?.join(" | "))
}

impl Captured {
    /// Whether this is one of Instep's own items, which a replay writes again.
    pub fn is_bookkeeping(&self) -> bool {
        self.key.pk.starts_with(BOOKKEEPING_PREFIX)
    }

    /// The item to put. `None` for a deletion.
    pub fn put(&self) -> Result<Option<&Item>, Unplayable> {
        match (self.event, &self.new) {
            (RecordKind::Remove, _) => Ok(None),
            (RecordKind::Insert | RecordKind::Modify, Some(new)) => Ok(Some(new)),
            (RecordKind::Insert | RecordKind::Modify, None) => Err(Unplayable::new(
                "missing-image",
                "the record has no NewImage: the stream's view type must be NEW_AND_OLD_IMAGES",
            )),
        }
    }
}

fn key<'a>(
    keys: Option<Item>,
    table: &TableSchema,
    images: impl Iterator<Item = &'a Item> + Clone,
) -> Result<Key, Unplayable> {
    let keys = keys.ok_or_else(|| Unplayable::new("malformed-record", "the record has no `Keys`"))?;
    if let Some(other) = keys.keys().find(|name| **name != table.pk && **name != table.sk) {
        let reason = format!("`Keys` has `{other}`, which is not a key of the table that the model describes");
        return Err(Unplayable::new("other-table", reason));
    }
    let part = |name: &str| {
        let value = keys.get(name).ok_or_else(|| {
            let reason = format!("`Keys` has no `{name}`: is this a record of the table that the model describes?");
            Unplayable::new("other-table", reason)
        })?;
        let text = value.as_s().ok_or_else(|| {
            Unplayable::new("wrong-type", format!("key attribute `{name}` is of type {}, not S", value.type_name()))
        })?;
        if images.clone().any(|image| image.get(name) != Some(value)) {
            let reason = format!("`{name}` in an image differs from `{name}` in `Keys`");
            return Err(Unplayable::new("forged-key", reason));
        }
        Ok(text.to_owned())
    };
    Ok(Key { pk: part(&table.pk)?, sk: part(&table.sk)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(record: &str) -> String {
        let model = instep_model::Model::shipped("access-management").unwrap();
        let raw = RawValue::from_string(record.to_owned()).unwrap();
        match read(&raw, &model.table, TableId::parse("t").as_ref())
            .and_then(|captured| captured.put().map(|put| put.is_some()))
        {
            Ok(put) => if put { "put" } else { "delete" }.to_owned(),
            Err(unplayable) => unplayable.code.to_owned(),
        }
    }

    fn with(event: &str, rest: &str) -> String {
        let keys = r#""Keys":{"pk":{"S":"a"},"sk":{"S":"b"}}"#;
        format!(r#"{{"eventName":"{event}","dynamodb":{{{keys}{rest}}}}}"#)
    }

    #[test]
    fn records_that_cannot_be_replayed_have_a_reason() {
        let new = r#","NewImage":{"pk":{"S":"a"},"sk":{"S":"b"},"n":{"N":"1"}}"#;
        assert_eq!(why(&with("INSERT", new)), "put");
        assert_eq!(why(&with("MODIFY", new)), "put");
        assert_eq!(why(&with("REMOVE", "")), "delete");
        assert_eq!(why(&with("INSERT", "")), "missing-image");
        assert_eq!(why(&with("INSERT", r#","NewImage":{}"#)), "missing-image");
        assert_eq!(why(&with("UPSERT", new)), "malformed-record");
        assert_eq!(why(r#"{"eventName":"INSERT"}"#), "malformed-record");
        assert_eq!(why(r#"{"dynamodb":{}}"#), "malformed-record");
        assert_eq!(why(&with("INSERT", &new.replace("\"N\"", "\"X\""))), "malformed-record");
        assert_eq!(why(&with("INSERT", &new.replace("\"1\"", &format!("\"{}\"", "9".repeat(39))))), "bad-number");
        assert_eq!(why(&with("INSERT", &new.replace("\"b\"", "\"c\""))), "forged-key");
        assert_eq!(why(&with("INSERT", new).replace("\"sk\"", "\"SK\"")), "other-table");
        assert_eq!(why(&with("INSERT", new).replace("{\"S\":\"b\"}", "{\"N\":\"1\"}")), "wrong-type");
        let other =
            with("INSERT", new).replacen('{', r#"{"eventSourceARN":"arn:aws:dynamodb:r:1:table/u/stream/x","#, 1);
        assert_eq!(why(&other), "other-table");
        assert_eq!(why(&other.replace("table/u", "table/t")), "put");
    }

    #[test]
    fn times_are_seconds_fractions_or_milliseconds() {
        for (text, expected) in [
            ("1700000000", Some("2023-11-14T22:13:20Z")),
            ("1700000000.25", Some("2023-11-14T22:13:20.25Z")),
            ("1.7e9", Some("2023-11-14T22:13:20Z")),
            ("1700000000250", Some("2023-11-14T22:13:20.25Z")),
            ("\"soon\"", None),
            ("1e300", None),
        ] {
            let raw = format!(r#"{{"dynamodb":{{"ApproximateCreationDateTime":{text},"SequenceNumber":"7"}}}}"#);
            let record = StreamRecord::parse(&RawValue::from_string(raw).unwrap());
            assert_eq!(record.recorded_at().map(|time| time.to_string()).as_deref(), expected, "{text}");
            assert_eq!(record.sequence(), Some("7"));
        }
        assert!(StreamRecord::parse(&RawValue::from_string("7".to_owned()).unwrap()).recorded_at().is_none());
    }
}
