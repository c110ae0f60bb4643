//! Delivers records and work messages to Instep, reports each on the terminal, and remembers it for the page.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use instep_aws::{Instep, QueueMessage, RunOptions, WorkEntry, WorkReport};
use instep_console::report::Reporter;
use instep_console::report::reported::DeliveredRecord;
use instep_console::report::run::{ReportedRun, work_id};
use instep_flow::decode::{Change, Decoded, decode};
use instep_flow::entries::{Entries, EntryId};
use instep_flow::report::{Outcome, Report};
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_flow::work::{Work, WorkMessage};
use instep_flow::{implied, mask, queries, reason};
use instep_local::{Handler, QueueHandler};
use instep_model::{BOOKKEEPING_PREFIX, Key, Model};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::http_tap::Running;
use super::origins::Who;
use super::request::{Leaves, label};
use super::shared_state::{Hub, PassedEvent};
use super::trace_node::{NodeOutcome, TraceNode};

/// The time of one delivery: shorter than the functions' own, so that a person sees a failing service soon.
const TIME: Duration = Duration::from_secs(20);

/// A record that is delivered, as far as it is known before.
struct Seen {
    id: String,
    file: Option<String>,
    /// `None` for one of Instep's own items, which the page does not show.
    node: Option<u64>,
}

/// Runs Instep over what is delivered.
pub(super) struct Deliverer<'a, 'b> {
    pub(super) hub: Arc<Hub>,
    pub(super) reported: ReportedRun<'a, 'b>,
    running: Running,
    /// The nodes of records and messages that are delivered again.
    nodes: HashMap<String, (Option<u64>, Option<String>)>,
}

impl<'a, 'b> Deliverer<'a, 'b> {
    pub(super) fn new(instep: Instep, hub: Arc<Hub>, reporter: &'a mut Reporter<'b>, running: Running) -> Self {
        Self { hub, reported: ReportedRun::new(instep, reporter), running, nodes: HashMap::new() }
    }

    /// The options of a run that begins now.
    pub(super) fn run(&self) -> RunOptions {
        let deadline = Some(Instant::now() + TIME);
        RunOptions {
            now: self.hub.clock.now(),
            publish: true,
            dry_run: false,
            deadline,
            adopt_before: None,
            trace: None,
        }
    }

    /// A new delivery begins.
    pub(super) fn begin(&self) -> u64 {
        let delivery = self.hub.traces().next_id();
        self.running.set(delivery);
        delivery
    }

    fn record(&mut self, raw: &RawValue, delivery: u64) -> Seen {
        let record = StreamRecord::parse(raw);
        let id = record.sequence().unwrap_or_default().to_owned();
        if let Some((node, file)) = self.nodes.get(&id) {
            node.iter().for_each(|node| self.hub.traces().again(*node, delivery));
            return Seen { id, file: file.clone(), node: *node };
        }
        let Some(key) = record.key(&self.hub.model().table) else { return Seen { id, file: None, node: None } };
        let leaves = match record.event {
            Some(Ok(RecordKind::Remove)) => Leaves::Nothing,
            Some(_) | None => Leaves::Item,
        };
        let who = self.hub.origins().of_record(&key, leaves);
        let is_own = key.pk.starts_with(BOOKKEEPING_PREFIX);
        let file = match &who {
            Some(Who::Instep(_)) => None,
            // Which model runs is noted before anything is delivered: no delivery has led to that.
            None if is_own => None,
            Some(Who::File(name)) => Some(name.clone()),
            Some(Who::Application) | None => Some("an application".to_owned()),
            Some(Who::Page) => Some("the page".to_owned()),
        };
        let node = (!is_own).then(|| self.node(raw, &record, &key, (who.as_ref(), delivery)));
        node.into_iter().for_each(|node| self.hub.records().keep(node, raw));
        self.nodes.insert(id.clone(), (node, file.clone()));
        Seen { id, file, node }
    }

    fn node(&self, raw: &RawValue, record: &StreamRecord, key: &Key, (who, delivery): (Option<&Who>, u64)) -> u64 {
        let model = self.hub.model();
        let label = label(&model, key);
        let (origin, parent) = match who {
            Some(Who::Application) => ("application", None),
            Some(Who::Page) => ("page", None),
            Some(Who::File(_)) => ("file", None),
            Some(Who::Instep(cause)) => ("instep", Some((*cause, label.as_str()))),
            None => ("unknown", None),
        };
        let verb = match record.event {
            Some(Ok(RecordKind::Insert)) => "created",
            Some(Ok(RecordKind::Modify)) => "updated",
            Some(Ok(RecordKind::Remove)) => "deleted",
            Some(Err(_)) | None => "written",
        };
        let node = TraceNode {
            delivery,
            kind: "record",
            origin,
            file: if let Some(Who::File(name)) = who { Some(name.clone()) } else { None },
            at: self.hub.clock.now().to_string(),
            sequence: record.sequence().map(str::to_owned),
            label: label.clone(),
            key: mask::key(&model, key).map(|_| [key.pk.clone(), key.sk.clone()]),
            verb: Some(verb.to_owned()),
            names: change_of(&model, raw).map(|change| names(&model, &change)).unwrap_or_default(),
            ..TraceNode::default()
        };
        self.hub.traces().add(node, parent)
    }

    fn message(&mut self, message: &QueueMessage, delivery: u64) -> Option<u64> {
        if let Some((node, _)) = self.nodes.get(&message.id) {
            node.iter().for_each(|node| self.hub.traces().again(*node, delivery));
            return *node;
        }
        // A parked record that is sent again keeps its place.
        if let Some(node) = self.parked(message) {
            self.hub.traces().again(node, delivery);
            self.nodes.insert(message.id.clone(), (Some(node), None));
            return Some(node);
        }
        let cause = self.hub.origins().of_message(&message.id);
        let node = TraceNode {
            delivery,
            kind: "message",
            origin: "queue",
            at: self.hub.clock.now().to_string(),
            label: "work message".to_owned(),
            ..TraceNode::default()
        };
        let node = self.hub.traces().add(node, cause.map(|cause| (cause, "")));
        self.nodes.insert(message.id.clone(), (Some(node), None));
        Some(node)
    }

    /// The node of the parked record that a message has.
    fn parked(&self, message: &QueueMessage) -> Option<u64> {
        let message = WorkMessage::parse(&self.hub.model(), &self.hub.table, &message.body).ok()?;
        let Work::Records(records) = message.work else { return None };
        let [record] = records.records.as_slice() else { return None };
        let record = StreamRecord::parse(record);
        self.hub.traces().parked_as(record.sequence()?)
    }

    /// Remembers the outcome of some entries for a node. `raw` is its record.
    fn remember(&mut self, node: Option<u64>, report: &Report, entries: &Entries, raw: Option<&RawValue>) {
        let Some(node) = node else { return };
        let reports: Vec<_> = entries.iter().filter_map(|entry| report.records.get(entry.0)).collect();
        let is_own = |first: Option<&EntryId>| first.is_some_and(|first| entries.contains(*first));
        let effects: Vec<_> = report.effects.iter().filter(|effect| is_own(effect.records.first())).collect();
        let events: Vec<_> = report.events.iter().filter(|event| entries.contains(event.record)).collect();
        let model = &self.hub.model();
        let is_handled = reports.iter().all(|report| matches!(report.outcome, Outcome::Handled));
        let has_note = reports.iter().flat_map(|report| &report.change).any(|change| !change.notes.is_empty());
        let is_idle = effects.is_empty() && events.is_empty() && !has_note;
        let change = raw.filter(|_| is_handled).and_then(|raw| change_of(model, raw));
        let because = change.map(|change| reason::nothing(model, &change, is_idle)).unwrap_or_default();
        let done = NodeOutcome { reports, effects, events: events.clone(), because };
        self.hub.traces().done(model, node, &done);
        let root = self.hub.traces().node(node).map_or(node, |node| node.root);
        for event in &events {
            let detail = serde_json::from_str(&event.entry.detail).unwrap_or_default();
            let time = self.hub.clock.now().to_string();
            let detail_type = event.entry.detail_type.clone();
            self.hub.passed(PassedEvent { id: 0, node, root, time, detail_type, detail });
        }
        let count = u64::try_from(events.len()).unwrap_or_default();
        self.hub
            .changed(|versions| (versions.traces, versions.events) = (versions.traces + 1, versions.events + count));
    }

    fn report(&mut self, delivered: Vec<DeliveredRecord<'_>>, report: Report) {
        // Records and messages that are delivered again are known until the last of them is done.
        if !report.records.iter().any(|record| record.outcome.is_retry()) {
            self.nodes.clear();
        }
        self.reported.report(delivered, report);
        self.reported.flush();
    }
}

impl Handler for Deliverer<'_, '_> {
    async fn handle(&mut self, records: &[Box<RawValue>]) -> Result<Vec<String>, String> {
        let delivery = self.begin();
        let seen: Vec<Seen> = records.iter().map(|raw| self.record(raw, delivery)).collect();
        let keys = records.iter().filter_map(|raw| StreamRecord::parse(raw).key(&self.hub.model().table));
        self.hub.touch(keys.collect::<Vec<_>>());
        self.hub.changed(|versions| versions.traces += 1);
        let run = self.run();
        let report = self.reported.handle(records, &run).await;
        for (place, (seen, raw)) in seen.iter().zip(records).enumerate() {
            self.remember(seen.node, &report, &Entries::from(EntryId(place)), Some(raw));
        }
        let failed = report.retried();
        let delivered = seen.into_iter().zip(records);
        let delivered = delivered.map(|(Seen { id, file, .. }, raw)| DeliveredRecord { id, raw, file }).collect();
        self.report(delivered, report);
        Ok(failed)
    }
}

impl QueueHandler for Deliverer<'_, '_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let delivery = self.begin();
        let nodes: Vec<Option<u64>> = messages.iter().map(|message| self.message(message, delivery)).collect();
        self.hub.changed(|versions| versions.traces += 1);
        let WorkReport { failed, report, entries, replaced, .. } =
            self.reported.instep.work(messages, &self.run()).await;
        let delivered = |entry| DeliveredRecord { id: work_id(messages, entry), raw: &entry.raw, file: None };
        let delivered = entries.iter().map(delivered).collect();
        for (message, (node, told)) in nodes.iter().zip(messages).enumerate() {
            let is_own = |(_, entry): &(usize, &WorkEntry)| entry.message == message;
            let own = || entries.iter().enumerate().filter(is_own);
            // A parked record that was sent again is the only one of its message.
            let raw = own().next().map(|(_, entry)| &*entry.raw);
            self.remember(*node, &report, &own().map(|(place, _)| EntryId(place)).collect(), raw);
            if !failed.contains(&told.id) {
                self.hub.origins().forget(&told.id);
            }
        }
        self.report(delivered, report);
        for message in replaced.iter().filter_map(|place| messages.get(*place)) {
            self.reported.replaced(&message.id);
        }
        Ok(failed)
    }
}

/// What a record means.
fn change_of(model: &Model, raw: &RawValue) -> Option<Arc<Change>> {
    match decode(model, None, raw) {
        Ok(Decoded::Change(change)) => Some(change),
        Ok(Decoded::Bookkeeping(_) | Decoded::Nothing(_)) | Err(_) => None,
    }
}

/// The items that a record names: its own, what that refers to, and the guards of its unique values.
fn names(model: &Model, change: &Change) -> BTreeSet<String> {
    let object = &change.object;
    let images = || change.old.iter().chain(&change.new);
    let targets = images().flat_map(|image| {
        model.links_from(object.of).flat_map(move |(id, _)| implied::targets(model, id, object, Some(image)))
    });
    let guards = images().flat_map(|image| implied::claims(model, object, image).into_keys());
    targets.chain(guards).chain([object.clone()]).map(|named| queries::label_of(model, &named)).collect()
}
