//! What one run over a batch of records did: plain data, for logs, metrics and the command line.

use serde::Serialize;
use serde_json::value::RawValue;

/// What was made of a batch.
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
    /// How often Cognito refused a call for its rate.
    pub throttles: u64,
}

impl Report {
    /// Puts in the place of the first records what a further run over them alone came to.
    pub fn begin_with(&mut self, head: Self) {
        let after = self.records.split_off(head.records.len().min(self.records.len()));
        self.records = head.records;
        self.records.extend(after);
        self.effects.extend(head.effects);
        self.events.extend(head.events);
        self.conflicts = head.conflicts;
        self.throttles += head.throttles;
    }

    /// The place of the first record that is left to retry: Lambda is to deliver it and all after it again.
    #[must_use]
    pub fn retry_from(&self) -> Option<usize> {
        self.records.iter().position(|record| record.outcome.is_retry())
    }
}

/// What became of one record.
#[derive(Debug)]
pub struct RecordReport {
    /// The record's sequence number, where it has one.
    pub sequence: Option<String>,
    /// What the record means; none where it could not be decoded.
    pub change: Option<ChangeReport>,
    /// What a work message asks for; none for a record. Holds item types and numbers only.
    pub work: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What a record means, for people. Holds no attribute values but the key's names, and not those of a secret item.
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
    /// Objects worth saying: a grant that waits, a type attribute that disagrees.
    pub notes: Vec<String>,
}

/// What became of a record.
#[derive(Debug)]
pub enum Outcome {
    /// All that follows from it is in place and published.
    Settled,
    /// Nothing follows from it.
    Skipped {
        /// Why: bookkeeping, an item unknown to the model, no change.
        why: &'static str,
    },
    /// Set aside; running it again now would not help.
    Parked(Box<Parked>),
    /// A service failed: to be delivered again.
    Retry {
        /// What failed.
        why: String,
    },
}

impl Outcome {
    /// Whether it is to be delivered again.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        matches!(self, Self::Retry { .. })
    }
}

/// A record set aside, with all that is needed to run it again.
#[derive(Debug)]
pub struct Parked {
    /// A stable code for the reason.
    pub code: &'static str,
    /// The reason and how to mend it.
    pub reason: String,
    /// The whole record, secrets of the model masked.
    pub record: Box<RawValue>,
}

/// One effect and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EffectReport {
    /// Places in the batch of the records that it stems from.
    #[serde(skip)]
    pub records: Vec<usize>,
    /// `cognito` or `dynamodb`.
    pub service: &'static str,
    /// The service's operation (`AdminAddUserToGroup`).
    pub operation: &'static str,
    /// What it acted on, readable.
    pub target: String,
    /// What came of it.
    pub outcome: Done,
    /// Why it was undone, or what else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What came of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// It was made true.
    Done,
    /// It was true already.
    Already,
    /// It was not made true: the truth moved on, a service failed, or this is a dry run.
    Undone,
}

/// One event as it went to EventBridge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventReport {
    /// Place in the batch of the record that it stems from.
    #[serde(skip)]
    pub record: usize,
    /// The entry.
    pub entry: Entry,
}

/// An entry of EventBridge's PutEvents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Entry {
    /// The model's source.
    pub source: String,
    /// Entity and verb.
    pub detail_type: String,
    /// The detail, JSON in a text, as PutEvents takes it.
    pub detail: String,
    /// The bus.
    pub event_bus_name: String,
    /// When the table was written, RFC 3339; absent where the record does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}
