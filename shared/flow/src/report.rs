//! The outcome of one run over a batch, as plain data for logs, metrics and the command line.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use instep_contract::{DeliveredEvent, delivery_id};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::effect::Effect;
use crate::entries::EntryId;
use crate::reconcile::FindingKind;

/// The outcome of a run over a batch.
#[derive(Debug, Default)]
pub struct Report {
    /// One for each record, in the batch's order.
    pub records: Vec<RecordReport>,
    /// Effects, in the order in which they were applied.
    pub effects: Vec<EffectReport>,
    /// Events, in the order in which they were published.
    pub events: Vec<EventReport>,
    /// Claims of unique values that lost.
    pub conflicts: usize,
    /// What stays as it is, and people should know: of how many items, by kind and item type.
    pub findings: BTreeMap<(FindingKind, String), u64>,
    /// How often Cognito throttled a call.
    pub throttles: u64,
    /// How often services answered with each error code that Instep does not know.
    pub unlisted: BTreeMap<String, u64>,
    /// The time was over before even the first record was handled.
    pub is_out_of_time: bool,
}

impl Report {
    /// Replaces the outcomes of the records at `from` and after it by those of a further run over some of them.
    pub fn replace(&mut self, from: usize, part: Self) {
        let mut after = self.records.split_off(from.min(self.records.len()));
        after.drain(..part.records.len().min(after.len()));
        self.records.extend(part.records);
        self.records.extend(after);
        self.effects.extend(part.effects.into_iter().map(|mut effect| {
            effect.records.iter_mut().for_each(|record| *record = record.in_whole(from));
            effect
        }));
        self.events
            .extend(part.events.into_iter().map(|event| EventReport { record: event.record.in_whole(from), ..event }));
        self.conflicts = if from == 0 { part.conflicts } else { self.conflicts + part.conflicts };
        if from == 0 {
            self.findings.clear();
        }
        for (finding, count) in part.findings {
            *self.findings.entry(finding).or_default() += count;
        }
        self.throttles += part.throttles;
        for (code, count) in part.unlisted {
            *self.unlisted.entry(code).or_default() += count;
        }
    }

    /// The sequence numbers of the records that must be delivered again.
    #[must_use]
    pub fn retried(&self) -> Vec<String> {
        let retried = self.records.iter().filter(|record| record.outcome.is_retry());
        retried.map(|record| record.sequence.clone().unwrap_or_default()).collect()
    }

    /// The place of the first record to retry. Lambda must deliver it, and everything after it,
    /// again.
    #[must_use]
    pub fn retry_from(&self) -> Option<usize> {
        self.records.iter().position(|record| record.outcome.is_retry())
    }
}

/// The outcome of one record.
#[derive(Debug)]
pub struct RecordReport {
    /// The sequence number, if the record has one.
    pub sequence: Option<String>,
    /// What the record means. `None` if it could not be decoded.
    pub change: Option<ChangeReport>,
    /// What a work message asks for. `None` for a record. It contains only item types and numbers.
    pub work: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
}

/// What a record means, for reports. Its only attribute values are the names in the key, and none
/// for a secret item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeReport {
    /// The item type's name.
    pub item: String,
    /// The item's identity: the key's names, joined.
    pub id: String,
    /// `created`, `updated` or `deleted`.
    pub verb: &'static str,
    /// Names of the attributes that differ.
    pub changed: Vec<String>,
    /// Remarks: a pending grant, a type attribute that disagrees with the key.
    pub notes: Vec<String>,
}

/// The outcome of a record.
#[derive(Debug)]
pub enum Outcome {
    /// Its effects are applied or sent to the work queue, and its events are published.
    Handled,
    /// It has no effect and no event.
    Skipped {
        /// Why: bookkeeping, an item unknown to the model, no change.
        why: &'static str,
    },
    /// It was parked: running it again now would not help.
    Parked(Box<Parked>),
    /// A service failed: it must be delivered again.
    Retry {
        /// What failed.
        why: String,
    },
}

impl Outcome {
    /// Whether it must be delivered again.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        matches!(self, Self::Retry { .. })
    }
}

/// A parked record, with everything that is needed to run it again.
#[derive(Debug)]
pub struct Parked {
    /// A stable code for the reason.
    pub code: &'static str,
    /// The reason and how to fix it.
    pub reason: String,
    /// The whole record, with its secrets masked.
    pub record: Box<RawValue>,
}

/// An effect and its outcome.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct EffectReport {
    /// The records that the effect follows from.
    #[serde(skip)]
    pub records: Vec<EntryId>,
    /// The effect, for [`because`](crate::reason::because).
    #[serde(skip)]
    pub effect: Arc<Effect>,
    /// `cognito`, `dynamodb` or `sqs`.
    pub service: &'static str,
    /// The service's operation (`AdminAddUserToGroup`).
    pub operation: &'static str,
    /// The name in reports of what the effect changes.
    pub target: String,
    /// The outcome.
    pub outcome: EffectOutcome,
    /// Why it was not done, or another remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// INVARIANT 9: without the effect, which has images.
impl fmt::Debug for EffectReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, effect: _, service, operation, target, outcome, why } = self;
        f.debug_struct("EffectReport")
            .field("records", records)
            .field("service", service)
            .field("operation", operation)
            .field("target", target)
            .field("outcome", outcome)
            .field("why", why)
            .finish_non_exhaustive()
    }
}

/// The outcome of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectOutcome {
    /// It was applied.
    Done,
    /// There was nothing to do.
    Already,
    /// It was not applied: the table had changed, a service failed, or this is a dry run.
    NotDone,
}

/// An event as it was sent to EventBridge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventReport {
    /// The record that the event follows from.
    #[serde(skip)]
    pub record: EntryId,
    /// The entry.
    pub entry: EventEntry,
}

/// An entry of EventBridge's PutEvents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct EventEntry {
    /// The model's source.
    pub source: String,
    /// Entity and verb.
    pub detail_type: String,
    /// The detail: JSON in a string, as PutEvents requires.
    pub detail: String,
    /// The bus.
    pub event_bus_name: String,
    /// When the table was written, RFC 3339. Absent if the record does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// Where a bus is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusPlace {
    /// The AWS account.
    pub account: String,
    /// The AWS region.
    pub region: String,
}

impl EventEntry {
    /// The event that a target gets from a bus there. EventBridge draws its id at random; here it follows from that of
    /// the change.
    #[must_use]
    pub fn delivered(&self, from: &BusPlace) -> Value {
        let detail: Value = serde_json::from_str(&self.detail).unwrap_or_default();
        let id = detail.pointer("/metadata/id").and_then(Value::as_str).unwrap_or_default();
        let event = DeliveredEvent {
            version: DeliveredEvent::VERSION,
            id: delivery_id(id),
            detail_type: &self.detail_type,
            source: &self.source,
            account: &from.account,
            time: self.time.as_deref(),
            region: &from.region,
            resources: &[],
            detail,
        };
        event.to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report of records that are handled or not, with an event of one of them.
    fn report(handled: &[bool], event_of: usize) -> Report {
        let record = |is_handled: &bool| RecordReport {
            sequence: None,
            change: None,
            work: None,
            outcome: if *is_handled { Outcome::Handled } else { Outcome::Retry { why: String::new() } },
        };
        let [source, detail_type, detail, event_bus_name] = [const { String::new() }; 4];
        let entry = EventEntry { source, detail_type, detail, event_bus_name, time: None };
        let records = handled.iter().map(record).collect();
        Report { records, events: vec![EventReport { record: EntryId(event_of), entry }], ..Report::default() }
    }

    #[test]
    fn a_run_over_some_records_replaces_their_outcomes() {
        let mut whole = report(&[false; 4], 3);
        whole.replace(0, report(&[true], 0));
        whole.replace(1, report(&[true, false], 1));
        let handled: Vec<bool> = whole.records.iter().map(|record| !record.outcome.is_retry()).collect();
        assert_eq!(handled, [true, true, false, false]);
        assert_eq!(whole.events.iter().map(|event| event.record.0).collect::<Vec<_>>(), [3, 0, 2]);
    }
}
