//! A snapshot, step by step: its beginning, the items page by page, its end. What a step leaves is data, so that another
//! invocation can go on from there.

use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::events::Snapshot;
use instep_flow::report::EventEntry;
use instep_model::{Item, Key, Model};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::attributes::{item_from_sdk, key_to_sdk};
use crate::instep::Instep;
use crate::run_options::RunOptions;
use crate::scan::as_created;

/// How far a snapshot is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SnapshotProgress {
    snapshot: Snapshot,
    /// The hash of the model that its events are of.
    model: String,
    next: NextStep,
    /// The events between the beginning and the end, so far.
    count: usize,
}

/// What comes next of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum NextStep {
    /// Its beginning.
    Start,
    /// A page, which begins after this key. Without one, the first.
    Page { after: Option<(String, String)> },
    /// Its end.
    End,
    /// Nothing.
    Nothing,
}

/// Why a step cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// A service failed. The same step can be tried again.
    #[error("{0}")]
    Failed(String),
    /// Another model is deployed than the one that the snapshot began with.
    #[error("another model was deployed while the snapshot was taken: what was sent is of the former one")]
    OtherModel,
}

impl SnapshotProgress {
    /// Whether the end was made.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.next == NextStep::Nothing
    }

    /// The events between the beginning and the end, so far.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }
}

/// The name of the object that says how far a scheduled snapshot is.
const PROGRESS: &str = "progress";

impl Instep {
    /// Keeps how far a scheduled snapshot is, beside what sweeps keep. INVARIANT 9: it has a key of the table, which a state
    /// machine would show to everybody who may see its executions.
    ///
    /// # Errors
    /// S3 failed.
    pub async fn keep_snapshot(
        &self,
        started_at: Timestamp,
        progress: &SnapshotProgress,
        run: &RunOptions,
    ) -> Result<(), String> {
        self.keep_json(&kept_as(started_at), PROGRESS, progress, run).await
    }

    /// How far the scheduled snapshot is that began at this time. `None`: nothing was sent yet.
    ///
    /// # Errors
    /// S3 failed.
    pub async fn kept_snapshot(
        &self,
        started_at: Timestamp,
        run: &RunOptions,
    ) -> Result<Option<SnapshotProgress>, String> {
        self.kept_if_there(&kept_as(started_at), PROGRESS, run).await
    }

    /// A snapshot that begins now, before the first read of the table, and whose events are for a bus.
    #[must_use]
    pub fn begin_snapshot(&self, bus: &str, now: Timestamp) -> SnapshotProgress {
        let snapshot = Snapshot::begin(&self.model, &self.settings.table, bus, now);
        let model = self.model.text_hash();
        SnapshotProgress { snapshot, model, next: NextStep::Start, count: 0 }
    }

    /// The events of the next step of a snapshot, and how far it is after them. Of the items, only those that are
    /// wanted.
    ///
    /// # Errors
    /// See [`SnapshotError`].
    pub async fn snapshot_step(
        &self,
        progress: &SnapshotProgress,
        is_wanted: impl Fn(&EventEntry) -> bool,
        run: &RunOptions,
    ) -> Result<(Vec<EventEntry>, SnapshotProgress), SnapshotError> {
        if progress.model != self.model.text_hash() {
            return Err(SnapshotError::OtherModel);
        }
        let SnapshotProgress { snapshot, next, count, .. } = progress;
        let (entries, next) = match next {
            NextStep::Start => (snapshot.started(&self.model).into_iter().collect(), NextStep::Page { after: None }),
            NextStep::Page { after } => self.snapshot_page(snapshot, after.as_ref(), run).await?,
            NextStep::End => return Ok((self.snapshot_end(progress, true), progress.at(NextStep::Nothing, *count))),
            NextStep::Nothing => (Vec::new(), NextStep::Nothing),
        };
        if matches!(progress.next, NextStep::Page { .. }) {
            let entries: Vec<EventEntry> = entries.into_iter().filter(|entry| is_wanted(entry)).collect();
            let count = count + entries.len();
            return Ok((entries, progress.at(next, count)));
        }
        Ok((entries, progress.at(next, *count)))
    }

    /// The end of a snapshot. If it is not complete, a subscriber deletes nothing.
    #[must_use]
    pub fn snapshot_end(&self, progress: &SnapshotProgress, is_complete: bool) -> Vec<EventEntry> {
        progress.snapshot.ended(&self.model, progress.count, is_complete).into_iter().collect()
    }

    async fn snapshot_page(
        &self,
        snapshot: &Snapshot,
        after: Option<&(String, String)>,
        run: &RunOptions,
    ) -> Result<(Vec<EventEntry>, NextStep), SnapshotError> {
        let model = &self.model;
        let from = after.map(|(pk, sk)| key_to_sdk(model, &Key { pk: pk.clone(), sk: sk.clone() }));
        // A write that the read does not show, and whose event came before the subscription, would be lost.
        let page = self.scan_page_consistently(from, run.deadline).await;
        let page =
            page.map_err(|why| SnapshotError::Failed(format!("cannot read the table: {}", why.words("Scan"))))?;
        let changes: Vec<Change> = page.items.iter().filter_map(|item| created(model, item)).collect();
        let tenants = self.tenants(&changes, run).await;
        let tenants = tenants
            .map_err(|why| SnapshotError::Failed(format!("cannot read the subjects and scopes of grants: {why}")))?;
        let entries = changes.iter().flat_map(|change| snapshot.entries(model, change, &tenants)).collect();
        let next = match page.next {
            None => NextStep::End,
            Some(key) => {
                let key = model.table.key_of(&item_from_sdk(key));
                let key = key.ok_or_else(|| SnapshotError::Failed("Scan: the last key is no key".to_owned()))?;
                NextStep::Page { after: Some((key.pk, key.sk)) }
            }
        };
        Ok((entries, next))
    }
}

impl SnapshotProgress {
    fn at(&self, next: NextStep, count: usize) -> Self {
        Self { next, count, ..self.clone() }
    }
}

fn kept_as(started_at: Timestamp) -> String {
    format!("snapshot-{}", started_at.as_millisecond())
}

/// The creation of an item.
fn created(model: &Model, item: &Item) -> Option<Change> {
    let record = as_created(model, item)?;
    // An item that asks for something impossible is in the table all the same.
    let change = match decode(model, None, &record) {
        Ok(Decoded::Change(change)) => change,
        Err(reject) => reject.change?,
        Ok(Decoded::Bookkeeping(_) | Decoded::Nothing(_)) => return None,
    };
    Some(Change::clone(&change))
}
