//! A snapshot, step by step: its beginning, the items page by page, its end. What a step leaves is data, so that another
//! invocation can go on from there.

use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::events::{ChangedSince, Snapshot};
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
    /// The items that were left out, so far.
    #[serde(default)]
    left_out: usize,
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

    /// The items that were left out, so far, as they say that they have not changed.
    #[must_use]
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// With only the items that may have changed since a time.
    #[must_use]
    pub fn of_changes(self, since: ChangedSince) -> Self {
        Self { snapshot: self.snapshot.of_changes(since), ..self }
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
        SnapshotProgress { snapshot, model, next: NextStep::Start, count: 0, left_out: 0 }
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
        let SnapshotProgress { snapshot, next, .. } = progress;
        match next {
            NextStep::Start => {
                let entries = snapshot.started(&self.model).into_iter().collect();
                Ok((entries, progress.at(NextStep::Page { after: None })))
            }
            NextStep::Page { after } => {
                let page = self.snapshot_page(snapshot, after.as_ref(), run).await?;
                let entries: Vec<EventEntry> = page.entries.into_iter().filter(|entry| is_wanted(entry)).collect();
                let count = progress.count + entries.len();
                let left_out = progress.left_out + page.left_out;
                Ok((entries, SnapshotProgress { count, left_out, ..progress.at(page.next) }))
            }
            NextStep::End => Ok((self.snapshot_end(progress, true), progress.at(NextStep::Nothing))),
            NextStep::Nothing => Ok((Vec::new(), progress.at(NextStep::Nothing))),
        }
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
    ) -> Result<SnapshotPage, SnapshotError> {
        let model = &self.model;
        let from = after.map(|(pk, sk)| key_to_sdk(model, &Key { pk: pk.clone(), sk: sk.clone() }));
        // A write that the read does not show, and whose event came before the subscription, would be lost.
        let page = self.scan_page_consistently(from, run.deadline).await;
        let page =
            page.map_err(|why| SnapshotError::Failed(format!("cannot read the table: {}", why.words("Scan"))))?;
        let all = page.items.iter().filter_map(|item| created(model, item));
        let (changes, left_out): (Vec<Change>, Vec<Change>) = all.partition(|change| snapshot.has(model, change));
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
        Ok(SnapshotPage { entries, left_out: left_out.len(), next })
    }
}

/// What a page of the table makes of a snapshot.
struct SnapshotPage {
    entries: Vec<EventEntry>,
    /// The items that it leaves out.
    left_out: usize,
    next: NextStep,
}

impl SnapshotProgress {
    fn at(&self, next: NextStep) -> Self {
        Self { next, ..self.clone() }
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
