//! The report as JSON, one object a line. The same input gives the same bytes.

use instep_aws::redrive::RedriveTally;
use instep_flow::report::{BusPlace, EffectReport, EventEntry};
use instep_local::{ACCOUNT, GroupState, REGION, UserState, WorldState};
use instep_model::Item;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::report::{LineOutcome, ParkedLine, RecordLine, RunSummary};

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line<'a> {
    Record {
        n: u64,
        sequence: Option<&'a str>,
        item: Option<&'a str>,
        id: Option<&'a str>,
        verb: Option<&'a str>,
        changed: &'a [String],
        notes: &'a [String],
        outcome: LineOutcome,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'a str>,
        own: bool,
        file: Option<&'a str>,
    },
    Message {
        n: u64,
        asks: &'a str,
        outcome: LineOutcome,
    },
    Effect {
        n: u64,
        #[serde(flatten)]
        effect: &'a EffectReport,
        #[serde(skip_serializing_if = "Option::is_none")]
        because: Option<&'a str>,
    },
    Because {
        n: u64,
        why: &'a str,
    },
    Event {
        n: u64,
        bus: &'a str,
        event: Value,
    },
    Parked {
        n: u64,
        code: &'a str,
        reason: &'a str,
        record: &'a RawValue,
    },
    Retry {
        n: u64,
        why: &'a str,
    },
    Summary(&'a RunSummary),
    Redrive(&'a RedriveTally),
    State(State<'a>),
}

#[derive(Serialize)]
#[serde(tag = "of", rename_all = "lowercase")]
enum State<'a> {
    Item { item: &'a Item },
    Group(&'a GroupState),
    User(&'a UserState),
}

fn line(line: &Line<'_>) -> String {
    // A line has only strings, numbers and string keys, so writing it as JSON cannot fail.
    serde_json::to_string(line).unwrap_or_default()
}

pub(super) fn record(record: &RecordLine<'_>) -> String {
    let change = record.change;
    if let Some(asks) = record.work {
        return line(&Line::Message { n: record.n, asks, outcome: record.outcome });
    }
    line(&Line::Record {
        n: record.n,
        sequence: record.sequence,
        item: change.map(|change| change.item.as_str()),
        id: change.map(|change| change.id.as_str()),
        verb: change.map(|change| change.verb),
        changed: change.map_or(&[], |change| &change.changed),
        notes: change.map_or(&[], |change| &change.notes),
        outcome: record.outcome,
        why: record.why,
        own: record.own(),
        file: record.file,
    })
}

pub(super) fn effect(n: u64, effect: &EffectReport, because: Option<&str>) -> String {
    line(&Line::Effect { n, effect, because })
}

pub(super) fn because(n: u64, why: &str) -> String {
    line(&Line::Because { n, why })
}

pub(super) fn event(n: u64, entry: &EventEntry) -> String {
    line(&Line::Event { n, bus: &entry.event_bus_name, event: entry.delivered(&embedded_bus()) })
}

/// Where the bus of the embedded stack is. What a replay prints is from there, wherever it publishes: captured records
/// need not say whose they are.
#[must_use]
pub fn embedded_bus() -> BusPlace {
    BusPlace { account: ACCOUNT.to_owned(), region: REGION.to_owned() }
}

pub(super) fn parked(parked: &ParkedLine<'_>) -> String {
    let record = on_one_line(parked.record);
    line(&Line::Parked { n: parked.n, code: parked.code, reason: parked.reason, record: &record })
}

/// The record without the line ends and spaces between its values. The values do not change.
fn on_one_line(raw: &RawValue) -> Box<RawValue> {
    let mut text = String::with_capacity(raw.get().len());
    let (mut inside, mut escaped) = (false, false);
    for c in raw.get().chars() {
        if inside || !c.is_ascii_whitespace() {
            text.push(c);
        }
        match c {
            '"' if !escaped => inside = !inside,
            _ => {}
        }
        escaped = inside && c == '\\' && !escaped;
    }
    RawValue::from_string(text).unwrap_or_else(|_| raw.to_owned())
}

/// A parked record as a directory stores it.
pub(super) fn kept(parked: &ParkedLine<'_>) -> String {
    #[derive(Serialize)]
    struct Kept<'a> {
        code: &'a str,
        reason: &'a str,
        record: &'a RawValue,
    }
    let record = on_one_line(parked.record);
    let kept = Kept { code: parked.code, reason: parked.reason, record: &record };
    serde_json::to_string(&kept).unwrap_or_default()
}

pub(super) fn retry(n: u64, why: &str) -> String {
    line(&Line::Retry { n, why })
}

pub(super) fn summary(summary: &RunSummary) -> String {
    line(&Line::Summary(summary))
}

pub(super) fn tally(tally: &RedriveTally) -> String {
    line(&Line::Redrive(tally))
}

pub(super) fn state(state: &WorldState) -> impl Iterator<Item = String> + '_ {
    let items = state.items.iter().map(|item| State::Item { item });
    let groups = state.groups.iter().map(State::Group);
    let users = state.users.iter().map(State::User);
    items.chain(groups).chain(users).map(|state| line(&Line::State(state)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parked_record_is_one_line_and_the_same_record() {
        let record =
            RawValue::from_string("{\n  \"a\": { \"S\": \"x \\\" y\\\\\" },\n  \"t\": 1.10\n}".to_owned()).unwrap();
        let line = parked(&ParkedLine { n: 7, code: "c", reason: "r", record: &record, is_nameless: true });
        let expected = r#"{"kind":"parked","n":7,"code":"c","reason":"r","record":{"a":{"S":"x \" y\\"},"t":1.10}}"#;
        assert_eq!(line, expected);
    }
}
