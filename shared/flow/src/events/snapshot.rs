//! The events of a snapshot: what is in the table now, between a beginning and an end.

use instep_contract::{
    CONTRACT_VERSION, Cause, Data, Detail, EventVerb, ItemKind, Metadata, SNAPSHOT_ENTITY, SnapshotMark,
};
use instep_model::Model;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Publishing, Tenants, events, hash};
use crate::change::Change;
use crate::report::EventEntry;
use crate::stream_record::padded;
use crate::written::was_written_before;

/// How long before the first read the watermark is. The times of records are DynamoDB's, that of the read is this
/// machine's: AWS refuses the requests of a clock that differs by more. Source: AWS Identity and Access Management User
/// Guide, "Troubleshoot AWS API requests with signatures".
const WATERMARK_MARGIN: SignedDuration = SignedDuration::from_mins(5);

/// A snapshot of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Snapshot {
    mark: SnapshotMark,
    bus: String,
    started_at: Timestamp,
    /// Of which items it is, if not of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<ChangedSince>,
}

/// The items that may have changed since a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangedSince {
    /// The time.
    pub at: Timestamp,
    /// The attributes in which writers put the time of an item's last write.
    pub written: Vec<String>,
}

impl ChangedSince {
    /// Whether an item does not say that nothing of it has changed since. The window of a grant opens without a write.
    fn may_have(&self, model: &Model, change: &Change) -> bool {
        let grant = model.item(change.object.of).grant.as_ref();
        let has_window = grant.is_some_and(|grant| !grant.from.is_empty());
        let says = change.new.as_ref().is_some_and(|item| was_written_before(item, &self.written, self.at));
        has_window || !says
    }
}

impl Snapshot {
    /// A snapshot that begins now: before the first read of the table.
    #[must_use]
    pub fn begin(model: &Model, table: &str, bus: &str, now: Timestamp) -> Self {
        let id = hash(&[&model.name, table, &now.to_string()]);
        let watermark = now.saturating_sub(WATERMARK_MARGIN).unwrap_or(Timestamp::MIN).as_second();
        let watermark = Timestamp::from_second(watermark).unwrap_or(Timestamp::MIN);
        let (watermark, started_at) = (watermark.to_string(), now.to_string());
        let mark = SnapshotMark { id, watermark, started_at, count: None, complete: None };
        Self { mark, bus: bus.to_owned(), started_at: now, since: None }
    }

    /// With only the items that may have changed since a time. What such a snapshot lacks may exist, so its end never says
    /// that it is complete.
    #[must_use]
    pub fn of_changes(self, since: ChangedSince) -> Self {
        Self { since: Some(since), ..self }
    }

    /// Whether it has an item, which is there as if this change had created it.
    #[must_use]
    pub fn has(&self, model: &Model, created: &Change) -> bool {
        self.since.as_ref().is_none_or(|since| since.may_have(model, created))
    }

    /// The beginning.
    #[must_use]
    pub fn started(&self, model: &Model) -> Option<EventEntry> {
        self.notice(model, EventVerb::Started, "started", self.mark.clone())
    }

    /// The end: how many events were between it and the beginning, and whether the whole table was read.
    #[must_use]
    pub fn ended(&self, model: &Model, count: usize, is_complete: bool) -> Option<EventEntry> {
        let count = Some(u32::try_from(count).unwrap_or(u32::MAX));
        let complete = Some(is_complete && self.since.is_none());
        let mark = SnapshotMark { count, complete, ..self.mark.clone() };
        self.notice(model, EventVerb::Ended, "ended", mark)
    }

    /// The events of an item that exists, as of a change that creates it.
    #[must_use]
    pub fn entries(&self, model: &Model, created: &Change, tenants: &Tenants) -> Vec<EventEntry> {
        // The time decides whether the window of a grant is open.
        let created = Change { recorded_at: Some(self.started_at), ..created.clone() };
        let publishing =
            Publishing { bus: &self.bus, replay: true, parked: false, tenants, snapshot: Some(&self.mark) };
        events(model, &created, &[], &[], publishing)
    }

    fn notice(&self, model: &Model, verb: EventVerb, word: &str, mark: SnapshotMark) -> Option<EventEntry> {
        let metadata = Metadata {
            id: hash(&[&mark.id, word]),
            version: CONTRACT_VERSION.to_owned(),
            model: model.name.clone(),
            entity: SNAPSHOT_ENTITY.to_owned(),
            entity_id: mark.id.clone(),
            verb,
            item: format!("{SNAPSHOT_ENTITY} {}", mark.id),
            kind: ItemKind::Plain,
            epoch: String::new(),
            sequence: padded(""),
            index: 0,
            recorded_at: None,
            cause: Cause::Write,
            correlation_id: None,
            tenant: None,
            replay: true,
            parked: false,
            snapshot: Some(mark),
        };
        Some(EventEntry {
            source: model.source.clone(),
            detail_type: model.event_name(SNAPSHOT_ENTITY, word)?,
            detail: serde_json::to_string(&Detail { metadata, data: Data::default() }).ok()?,
            event_bus_name: self.bus.clone(),
            time: Some(self.started_at.to_string()),
        })
    }
}

/// An event as one of a snapshot. Its id follows from what it says: it is another one if that has changed.
pub(super) fn entry(mut detail: Detail, mark: &SnapshotMark) -> Detail {
    detail.metadata.recorded_at = None;
    detail.metadata.id = String::new();
    detail.metadata.id = hash(&[&serde_json::to_string(&detail).unwrap_or_default()]);
    detail.metadata.snapshot = Some(mark.clone());
    detail
}
