//! Captures: any text may be a stored form of failed work. Every record in it is handled under
//! every model.

#![cfg_attr(feature = "libfuzzer", no_main)]

use fuzz::designs::DESIGNS;
use fuzz::flow::follow;
use instep_captures::{CapturedEntry, entries};
use serde_json::value::RawValue;

fuzz::target!("captures", check, further: ["events"], mutations: 200);

/// The maximum number of records of one input that are handled: enough for a batch, and fast.
const RECORDS_MAX: usize = 8;

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    harms_only_itself(&text);
    let records = match entries("capture", &text) {
        Ok(entries) => entries.into_iter().filter_map(record).take(RECORDS_MAX).collect::<Vec<_>>(),
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for design in DESIGNS.iter() {
        follow(design, &records);
    }
}

fn record(entry: CapturedEntry) -> Option<Box<RawValue>> {
    match entry.record() {
        Ok(record) => Some(record.to_owned()),
        Err(garbled) => {
            assert!(!garbled.code.is_empty() && !garbled.reason.is_empty());
            assert!(serde_json::from_str::<String>(garbled.text.get()).is_ok(), "no JSON string: {}", garbled.text);
            None
        }
    }
}

const FIRST: &str = r#"{"eventID":"first","eventName":"REMOVE","dynamodb":{}}"#;
const LAST: &str = r#"{"eventID":"last","eventName":"REMOVE","dynamodb":{}}"#;

/// INVARIANT 6: whatever text is between two good records, the first record is found. The last
/// record is found, too, if the text between them is a value of its own, or opens nothing that
/// could contain the last record.
fn harms_only_itself(text: &str) {
    let capture = format!(r#"{{"Records":[{FIRST},{text},{LAST}]}}"#);
    let entries = entries("capture", &capture).unwrap_or_default();
    let is = |entry: Option<&CapturedEntry>, good: &str| matches!(entry, Some(CapturedEntry::Record(record, _)) if record.get() == good);
    assert!(is(entries.first(), FIRST), "the first record is gone: {entries:?}");
    if serde_json::from_str::<&RawValue>(text).is_ok() || !text.contains(['{', '[']) {
        assert!(is(entries.last(), LAST), "the last record is gone: {entries:?}");
    }
}
