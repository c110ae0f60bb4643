//! What follows from each write: records and work messages, as trees.

use std::collections::{BTreeMap, HashMap, VecDeque};

use instep_flow::report::{EffectReport, EventReport, Outcome, RecordReport};
use serde::Serialize;

use super::request::Does;

/// The records and messages that are remembered. The oldest ripples are forgotten first.
const NODES_MAX: usize = 20_000;

/// The calls that are remembered of one delivery.
const CALLS_MAX: usize = 200;

/// A call of Instep.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TracedCall {
    pub(super) id: u64,
    pub(super) service: &'static str,
    pub(super) operation: String,
    pub(super) does: Does,
    pub(super) about: Vec<Looked>,
    /// How much more it is about.
    pub(super) more: usize,
    /// `running`, `done`, or the code of the error.
    pub(super) outcome: String,
}

/// One thing that a call is about.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Looked {
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<[String; 2]>,
    /// Whether it was there, if the answer says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) there: Option<bool>,
}

/// What one delivery of a batch did.
#[derive(Debug, Clone, Default)]
struct Delivery {
    nodes: Vec<u64>,
    calls: Vec<TracedCall>,
    more_calls: u64,
    /// How many of its nodes were delivered again. What it read and did is over when all were.
    again: usize,
}

/// A record or a work message.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TraceNode {
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) root: u64,
    pub(super) delivery: u64,
    /// `record`, `message` or `clock`.
    pub(super) kind: &'static str,
    /// `application`, `page`, `file`, `instep`, `queue`, `clock`, `unknown`.
    pub(super) origin: &'static str,
    pub(super) file: Option<String>,
    pub(super) at: String,
    pub(super) sequence: Option<String>,
    pub(super) item: Option<String>,
    pub(super) label: String,
    pub(super) key: Option<[String; 2]>,
    pub(super) verb: Option<String>,
    pub(super) changed: Vec<String>,
    pub(super) notes: Vec<String>,
    /// `running`, `handled`, `skipped`, `parked`, `retry`.
    pub(super) outcome: &'static str,
    pub(super) why: Option<String>,
    pub(super) effects: Vec<EffectReport>,
    pub(super) events: Vec<TracedEvent>,
    /// How often it was delivered.
    pub(super) deliveries: u32,
}

/// An event of a node.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TracedEvent {
    pub(super) detail_type: String,
    pub(super) detail: serde_json::Value,
}

/// The counts of a whole ripple.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    pub(super) records: u64,
    pub(super) messages: u64,
    pub(super) effects: u64,
    pub(super) events: u64,
    pub(super) parked: u64,
    /// Records and messages that are to be delivered again.
    pub(super) retrying: u64,
    /// Records and messages that are not done.
    pub(super) open: u64,
}

/// All ripples.
#[derive(Debug, Default)]
pub(super) struct Ripples {
    nodes: BTreeMap<u64, TraceNode>,
    children: HashMap<u64, Vec<u64>>,
    counts: HashMap<u64, Counts>,
    roots: VecDeque<u64>,
    deliveries: HashMap<u64, Delivery>,
    last: u64,
    last_call: u64,
}

impl Ripples {
    /// A new id, of a node or of a delivery.
    pub(super) fn next_id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Adds a node. Its parent is a delivery: of its nodes, the one whose effect has this target.
    pub(super) fn add(&mut self, mut node: TraceNode, parent: Option<(u64, &str)>) -> u64 {
        node.id = self.next_id();
        node.parent = parent.and_then(|(delivery, target)| self.cause(delivery, target));
        node.root = node.parent.and_then(|parent| self.nodes.get(&parent)).map_or(node.id, |parent| parent.root);
        node.outcome = "running";
        let (id, root) = (node.id, node.root);
        match node.parent {
            Some(parent) => self.children.entry(parent).or_default().push(id),
            None => self.roots.push_back(id),
        }
        let counts = self.counts.entry(root).or_default();
        *if node.kind == "message" { &mut counts.messages } else { &mut counts.records } += 1;
        counts.open += 1;
        self.deliveries.entry(node.delivery).or_default().nodes.push(id);
        self.nodes.insert(id, node);
        self.trim();
        id
    }

    fn cause(&self, delivery: u64, target: &str) -> Option<u64> {
        let nodes = &self.deliveries.get(&delivery)?.nodes;
        let has = |id: &&u64, test: &dyn Fn(&EffectReport) -> bool| {
            self.nodes.get(id).is_some_and(|node| node.effects.iter().any(test))
        };
        let named = nodes.iter().find(|id| has(id, &|effect| effect.target == target));
        let sends = || nodes.iter().find(|id| has(id, &|effect| effect.service == "sqs"));
        let known = |id: &&u64| self.nodes.contains_key(id);
        named.or_else(sends).or_else(|| nodes.iter().find(known)).copied()
    }

    /// A node is delivered again.
    pub(super) fn again(&mut self, id: u64, delivery: u64) {
        if let Some(node) = self.nodes.get_mut(&id) {
            if let Some(before) = self.deliveries.get_mut(&node.delivery) {
                before.again += 1;
                if before.again >= before.nodes.len() {
                    before.calls = Vec::new();
                }
            }
            if node.outcome == "retry" {
                let counts = self.counts.entry(node.root).or_default();
                counts.retrying = counts.retrying.saturating_sub(1);
            }
            node.delivery = delivery;
            node.outcome = "running";
            self.deliveries.entry(delivery).or_default().nodes.push(id);
        }
    }

    /// A call begins. Returns its id.
    pub(super) fn call(&mut self, delivery: u64, mut call: TracedCall) -> u64 {
        self.last_call += 1;
        call.id = self.last_call;
        let delivery = self.deliveries.entry(delivery).or_default();
        if delivery.calls.len() < CALLS_MAX {
            delivery.calls.push(call);
        } else {
            delivery.more_calls += 1;
        }
        self.last_call
    }

    /// A call has ended.
    pub(super) fn called(&mut self, delivery: u64, call: u64, end: impl FnOnce(&mut TracedCall)) {
        let calls = self.deliveries.get_mut(&delivery).map(|delivery| &mut delivery.calls);
        if let Some(call) = calls.and_then(|calls| calls.iter_mut().rev().find(|known| known.id == call)) {
            end(call);
        }
    }

    /// Notes the outcome of a node.
    pub(super) fn done(
        &mut self,
        id: u64,
        reports: &[&RecordReport],
        effects: &[&EffectReport],
        events: &[&EventReport],
    ) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.deliveries += 1;
        (node.outcome, node.why) = ("handled", None);
        for report in reports {
            if let Some(change) = &report.change {
                node.item = Some(change.item.clone());
                node.verb = Some(change.verb.to_owned());
                (node.changed, node.notes) = (change.changed.clone(), change.notes.clone());
            }
            if let Some(work) = &report.work {
                node.label.clone_from(work);
            }
            match &report.outcome {
                Outcome::Handled => {}
                Outcome::Skipped { why } => (node.outcome, node.why) = ("skipped", Some((*why).to_owned())),
                Outcome::Parked(parked) => {
                    (node.outcome, node.why) = ("parked", Some(format!("{}: {}", parked.code, parked.reason)));
                }
                Outcome::Retry { why } => (node.outcome, node.why) = ("retry", Some(why.clone())),
            }
        }
        // What a delivery did that failed stays: a later one finds it done.
        node.effects.retain(|old| old.outcome == instep_flow::report::EffectOutcome::Done);
        node.effects.extend(effects.iter().map(|effect| (*effect).clone()));
        node.events.extend(events.iter().map(|event| TracedEvent {
            detail_type: event.entry.detail_type.clone(),
            detail: serde_json::from_str(&event.entry.detail).unwrap_or_default(),
        }));
        let counts = self.counts.entry(node.root).or_default();
        counts.effects += u64::try_from(effects.len()).unwrap_or_default();
        counts.events += u64::try_from(events.len()).unwrap_or_default();
        if node.outcome == "retry" {
            counts.retrying += 1;
        } else {
            counts.open = counts.open.saturating_sub(1);
        }
        if node.outcome == "parked" {
            counts.parked += 1;
        }
    }

    /// Forgets the oldest ripples.
    fn trim(&mut self) {
        while self.nodes.len() > NODES_MAX && self.roots.len() > 1 {
            let Some(root) = self.roots.pop_front() else { return };
            self.counts.remove(&root);
            let mut todo = vec![root];
            while let Some(id) = todo.pop() {
                todo.extend(self.children.remove(&id).unwrap_or_default());
                if let Some(node) = self.nodes.remove(&id) {
                    self.deliveries.remove(&node.delivery);
                }
            }
        }
    }

    /// A node.
    pub(super) fn node(&self, id: u64) -> Option<&TraceNode> {
        self.nodes.get(&id)
    }

    /// The children of a node, in their order.
    pub(super) fn children(&self, id: u64) -> impl Iterator<Item = &TraceNode> {
        self.children.get(&id).into_iter().flatten().filter_map(|id| self.nodes.get(id))
    }

    /// The calls of the delivery of a node, how many more there were, and how many nodes it has.
    pub(super) fn calls(&self, node: &TraceNode) -> (&[TracedCall], u64, usize) {
        match self.deliveries.get(&node.delivery) {
            Some(delivery) => (&delivery.calls, delivery.more_calls, delivery.nodes.len()),
            None => (&[], 0, 1),
        }
    }

    /// The roots of ripples, the newest first, those before `before` only.
    pub(super) fn roots(&self, before: Option<u64>) -> impl Iterator<Item = (&TraceNode, &Counts)> {
        let roots = self.roots.iter().rev().filter(move |id| before.is_none_or(|before| **id < before));
        roots.filter_map(|id| Some((self.nodes.get(id)?, self.counts.get(id)?)))
    }

    /// How much is parked, and how much is to be delivered again, of all that is remembered.
    pub(super) fn unfinished(&self) -> (u64, u64) {
        self.counts.values().fold((0, 0), |(parked, retrying), of| (parked + of.parked, retrying + of.retrying))
    }

    /// The counts of a ripple.
    pub(super) fn counts(&self, root: u64) -> Option<&Counts> {
        self.counts.get(&root)
    }
}
