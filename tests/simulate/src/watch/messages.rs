//! Messages of the queues that only a redrive empties: parked messages and dead letters.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Watch, WatchFinding};
use crate::table::plain;

/// What a message keeps until a redrive sends it again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    /// A stream record, by its sequence number.
    Record(u128),
    /// What a work message asks for, as JSON text with sorted keys.
    Work(String),
}

/// What redrives have received and sent.
#[derive(Debug, Default)]
pub(super) struct Redrives {
    /// By receipt handle. Messages that only point to an object are left out.
    received: BTreeMap<String, Content>,
    /// What each process has sent since its redrive began.
    sent: BTreeMap<usize, BTreeSet<Content>>,
}

impl Watch {
    /// A process begins a redrive.
    pub fn redrive_began(&mut self, process: usize) {
        self.redrives.sent.remove(&process);
    }

    /// A process has received a parked message or a dead letter.
    pub fn received(&mut self, receipt: &str, body: &str) {
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        if let Some(content) = content(body.get("record").unwrap_or(&body)) {
            self.redrives.received.insert(receipt.to_owned(), content);
        }
    }

    /// A process has sent a work message, or has put a large record into the bucket.
    pub fn sent_work(&mut self, process: usize, body: &str) {
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let records = body.pointer("/work/records/records").and_then(Value::as_array).into_iter().flatten();
        let contents = records.chain([&body]).filter_map(content);
        self.redrives.sent.entry(process).or_default().extend(contents);
    }

    /// Promise 6, after a process has deleted a message: its content is on the work queue again.
    pub fn deleted(&mut self, process: usize, receipt: &str) -> Option<WatchFinding> {
        self.checked(6);
        let content = self.redrives.received.get(receipt)?;
        let is_sent = self.redrives.sent.get(&process).is_some_and(|sent| sent.contains(content));
        let what = || format!("6: a redrive deleted a message and did not send what it kept: {content:?}");
        (!is_sent).then(|| WatchFinding::Broken(what()))
    }
}

/// The content of a stream record or work message, independent of its formatting.
fn content(body: &Value) -> Option<Content> {
    let sequence = body.pointer("/dynamodb/SequenceNumber").and_then(Value::as_str);
    let record = || sequence?.parse().ok().map(Content::Record);
    body.get("work").map(|work| Content::Work(plain(work).to_string())).or_else(record)
}
