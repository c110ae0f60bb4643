//! Delivers records and work messages to Instep, reports each on the terminal, and remembers it for the page.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use instep_aws::{Instep, QueueMessage, RunOptions, WorkEntry, WorkReport};
use instep_console::report::Reporter;
use instep_console::report::reported::DeliveredRecord;
use instep_console::report::run::{ReportedRun, work_id};
use instep_flow::entries::{Entries, EntryId};
use instep_flow::mask;
use instep_flow::report::Report;
use instep_flow::stream_record::{RecordKind, StreamRecord};
use instep_local::{Handler, QueueHandler};
use instep_model::{BOOKKEEPING_PREFIX, Key};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::http_tap::Running;
use super::origins::Who;
use super::request::{Leaves, label};
use super::shared_state::{Hub, PassedEvent};
use super::traces::TraceNode;

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
        RunOptions { now: self.hub.clock.now(), publish: true, dry_run: false, deadline, trace: None }
    }

    /// A new delivery begins.
    pub(super) fn begin(&self) -> u64 {
        let delivery = self.hub.ripples().next_id();
        self.running.set(delivery);
        delivery
    }

    fn record(&mut self, raw: &RawValue, delivery: u64) -> Seen {
        let record = StreamRecord::parse(raw);
        let id = record.sequence().unwrap_or_default().to_owned();
        if let Some((node, file)) = self.nodes.get(&id) {
            node.iter().for_each(|node| self.hub.ripples().again(*node, delivery));
            return Seen { id, file: file.clone(), node: *node };
        }
        let Some(key) = record.key(&self.hub.model().table) else { return Seen { id, file: None, node: None } };
        let leaves = match record.event {
            Some(Ok(RecordKind::Remove)) => Leaves::Nothing,
            Some(_) | None => Leaves::Item,
        };
        let who = self.hub.origins().of_record(&key, leaves);
        let file = match &who {
            Some(Who::Instep(_)) => None,
            Some(Who::File(name)) => Some(name.clone()),
            Some(Who::Application) | None => Some("an application".to_owned()),
            Some(Who::Page) => Some("the page".to_owned()),
        };
        let node = (!key.pk.starts_with(BOOKKEEPING_PREFIX)).then(|| self.node(&record, &key, who.as_ref(), delivery));
        node.into_iter().for_each(|node| self.hub.records().keep(node, raw));
        self.nodes.insert(id.clone(), (node, file.clone()));
        Seen { id, file, node }
    }

    fn node(&self, record: &StreamRecord, key: &Key, who: Option<&Who>, delivery: u64) -> u64 {
        let label = label(&self.hub.model(), key);
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
            key: mask::key(&self.hub.model(), key).map(|_| [key.pk.clone(), key.sk.clone()]),
            verb: Some(verb.to_owned()),
            ..TraceNode::default()
        };
        self.hub.ripples().add(node, parent)
    }

    fn message(&mut self, message: &QueueMessage, delivery: u64) -> Option<u64> {
        if let Some((node, _)) = self.nodes.get(&message.id) {
            node.iter().for_each(|node| self.hub.ripples().again(*node, delivery));
            return *node;
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
        let node = self.hub.ripples().add(node, cause.map(|cause| (cause, "")));
        self.nodes.insert(message.id.clone(), (Some(node), None));
        Some(node)
    }

    /// Remembers the outcome of some entries for a node.
    fn remember(&mut self, node: Option<u64>, report: &Report, entries: &Entries) {
        let Some(node) = node else { return };
        let reports: Vec<_> = entries.iter().filter_map(|entry| report.records.get(entry.0)).collect();
        let is_own = |first: Option<&EntryId>| first.is_some_and(|first| entries.contains(*first));
        let effects: Vec<_> = report.effects.iter().filter(|effect| is_own(effect.records.first())).collect();
        let events: Vec<_> = report.events.iter().filter(|event| entries.contains(event.record)).collect();
        self.hub.ripples().done(node, &reports, &effects, &events);
        let root = self.hub.ripples().node(node).map_or(node, |node| node.root);
        for event in &events {
            let detail = serde_json::from_str(&event.entry.detail).unwrap_or_default();
            let time = self.hub.clock.now().to_string();
            let detail_type = event.entry.detail_type.clone();
            self.hub.passed(PassedEvent { id: 0, node, root, time, detail_type, detail });
        }
        let count = u64::try_from(events.len()).unwrap_or_default();
        self.hub
            .changed(|versions| (versions.ripples, versions.events) = (versions.ripples + 1, versions.events + count));
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
        self.hub.changed(|versions| versions.ripples += 1);
        let run = self.run();
        let report = self.reported.handle(records, &run).await;
        for (place, seen) in seen.iter().enumerate() {
            self.remember(seen.node, &report, &Entries::from(EntryId(place)));
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
        self.hub.changed(|versions| versions.ripples += 1);
        let WorkReport { failed, report, entries, replaced, .. } =
            self.reported.instep.work(messages, &self.run()).await;
        let delivered = |entry| DeliveredRecord { id: work_id(messages, entry), raw: &entry.raw, file: None };
        let delivered = entries.iter().map(delivered).collect();
        for (message, (node, told)) in nodes.iter().zip(messages).enumerate() {
            let is_own = |(_, entry): &(usize, &WorkEntry)| entry.message == message;
            let own: Entries = entries.iter().enumerate().filter(is_own).map(|(place, _)| EntryId(place)).collect();
            self.remember(*node, &report, &own);
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
