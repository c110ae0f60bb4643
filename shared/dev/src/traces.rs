//! What follows from each write: records and work messages, as trees.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use instep_flow::pending;
use instep_flow::report::EffectOutcome;
use instep_model::Model;
use serde::Serialize;

use super::request::Does;
use super::trace_node::{CascadeLevel, NodeOutcome, StateCounts, TraceNode, TraceState, TracedEffect, level_of, worst};

/// The records and messages that are remembered. The oldest traces are forgotten first.
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

/// The counts of a whole trace. They are kept, so they do not depend on the rows in memory.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    pub(super) records: u64,
    pub(super) messages: u64,
    pub(super) effects: u64,
    pub(super) events: u64,
    /// Records and messages, by their state.
    pub(super) states: StateCounts,
    /// The levels of a cascade: how deep, and of which item type.
    #[serde(skip)]
    pub(super) levels: BTreeMap<(u32, String), CascadeLevel>,
}

impl Counts {
    /// The worst state in the trace. `waits`: a message that it sent waits until an index has caught up.
    pub(super) fn state(&self, waits: bool) -> TraceState {
        worst(&self.states).max(if waits { TraceState::Waits } else { TraceState::Done })
    }
}

/// All traces.
#[derive(Debug, Default)]
pub(super) struct Traces {
    nodes: BTreeMap<u64, TraceNode>,
    children: HashMap<u64, Vec<u64>>,
    counts: HashMap<u64, Counts>,
    roots: VecDeque<u64>,
    deliveries: HashMap<u64, Delivery>,
    /// The nodes that are pending.
    pending: BTreeSet<u64>,
    last: u64,
    last_call: u64,
}

impl Traces {
    /// A new id, of a node or of a delivery.
    pub(super) fn next_id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Adds a node. Its parent is a delivery: of its nodes, the one whose effect has this target.
    pub(super) fn add(&mut self, mut node: TraceNode, parent: Option<(u64, &str)>) -> u64 {
        node.id = self.next_id();
        node.parent = parent.and_then(|(delivery, target)| self.cause(delivery, target));
        let above = node.parent.and_then(|parent| self.nodes.get(&parent));
        node.root = above.map_or(node.id, |parent| parent.root);
        node.level = above.map_or(0, |parent| parent.level + u32::from(node.kind == "record"));
        (node.outcome, node.state) = ("running", TraceState::Waits);
        let (id, root) = (node.id, node.root);
        match node.parent {
            Some(parent) => self.children.entry(parent).or_default().push(id),
            None => self.roots.push_back(id),
        }
        let counts = self.counts.entry(root).or_default();
        *if node.kind == "message" { &mut counts.messages } else { &mut counts.records } += 1;
        *counts.states.entry(TraceState::Waits).or_default() += 1;
        if let Some(level) = level_in(counts, &node) {
            *level.states.entry(TraceState::Waits).or_default() += 1;
        }
        self.deliveries.entry(node.delivery).or_default().nodes.push(id);
        self.nodes.insert(id, node);
        self.trim();
        id
    }

    fn cause(&self, delivery: u64, target: &str) -> Option<u64> {
        let nodes = &self.deliveries.get(&delivery)?.nodes;
        let has = |id: &&u64, test: &dyn Fn(&TracedEffect) -> bool| {
            self.nodes.get(id).is_some_and(|node| node.effects.iter().any(test))
        };
        let named = nodes.iter().find(|id| has(id, &|effect| effect.target == target));
        let sends = || nodes.iter().find(|id| has(id, &|effect| effect.service == "sqs"));
        let known = |id: &&u64| self.nodes.contains_key(id);
        named.or_else(sends).or_else(|| nodes.iter().find(known)).copied()
    }

    /// A node is delivered again.
    pub(super) fn again(&mut self, id: u64, delivery: u64) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        if let Some(before) = self.deliveries.get_mut(&node.delivery) {
            before.again += 1;
            if before.again >= before.nodes.len() {
                before.calls = Vec::new();
            }
        }
        (node.delivery, node.outcome) = (delivery, "running");
        self.deliveries.entry(delivery).or_default().nodes.push(id);
        // A record that is tried again is still one that failed, until it succeeds.
        if self.nodes.get(&id).is_some_and(|node| node.state != TraceState::Retrying) {
            self.set_state(id, TraceState::Waits);
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
    pub(super) fn done(&mut self, model: &Model, id: u64, outcome: &NodeOutcome<'_>) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        let (effects, events) = node.note(model, outcome);
        let state = match node.outcome {
            "parked" => TraceState::Parked,
            "retry" => TraceState::Retrying,
            _ if !node.waits_for().is_empty() => TraceState::Pending,
            _ => TraceState::Done,
        };
        let (label, is_there) = (node.label.clone(), node.verb.as_deref() != Some("deleted"));
        let added: Vec<String> =
            node.effects.iter().filter(|effect| gives(effect)).map(|of| of.target.clone()).collect();
        let counts = self.counts.entry(node.root).or_default();
        counts.effects += effects;
        counts.events += events;
        if let Some(level) = level_in(counts, node) {
            level.events += events;
        }
        for (item, through) in outcome.effects.iter().filter_map(|report| level_of(model, report)) {
            let level = counts.levels.entry((node.level + 1, item)).or_default();
            level.deleted += 1;
            level.through = Some(through);
        }
        let is_record = node.kind == "record";
        self.set_state(id, state);
        if state != TraceState::Retrying {
            self.resolve(id, is_record.then_some((label.as_str(), is_there)), &added);
        }
    }

    /// What is pending no longer: an item or a value that it waited for is there, its own item was written again, or its
    /// membership was added.
    fn resolve(&mut self, by: u64, written: Option<(&str, bool)>, added: &[String]) {
        let of_item = written.map(|(label, is_there)| (label, is_there.then(|| pending::on(label))));
        let mut over = Vec::new();
        for id in self.pending.iter().filter(|id| **id != by) {
            let Some(node) = self.nodes.get_mut(id) else { continue };
            let is_written = of_item.as_ref().is_some_and(|(label, _)| *label == node.label);
            let is_added = |target: &String| {
                node.effects.iter().any(|effect| effect.target == *target)
                    || target.ends_with(&format!(" for {}", node.label))
            };
            if is_written || added.iter().any(is_added) {
                over.push(*id);
            } else if let Some((_, Some(absent))) = &of_item {
                node.notes.retain(|note| note != absent);
                if node.waits_for().is_empty() {
                    over.push(*id);
                }
            }
        }
        over.into_iter().for_each(|id| self.set_state(id, TraceState::Done));
    }

    /// Moves a node to another state, in all counts.
    fn set_state(&mut self, id: u64, state: TraceState) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        let before = std::mem::replace(&mut node.state, state);
        let counts = self.counts.entry(node.root).or_default();
        move_one(&mut counts.states, before, state);
        if let Some(level) = level_in(counts, node) {
            move_one(&mut level.states, before, state);
        }
        if state == TraceState::Pending {
            self.pending.insert(id)
        } else {
            self.pending.remove(&id)
        };
    }

    /// Forgets the oldest traces.
    fn trim(&mut self) {
        while self.nodes.len() > NODES_MAX && self.roots.len() > 1 {
            let Some(root) = self.roots.pop_front() else { return };
            self.counts.remove(&root);
            let mut todo = vec![root];
            while let Some(id) = todo.pop() {
                todo.extend(self.children.remove(&id).unwrap_or_default());
                self.pending.remove(&id);
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

    /// The parked node of the record with this sequence number.
    pub(super) fn parked_as(&self, sequence: &str) -> Option<u64> {
        let parked = self.nodes.values().filter(|node| node.state == TraceState::Parked);
        parked.filter(|node| node.sequence.as_deref() == Some(sequence)).map(|node| node.id).next_back()
    }

    /// A node, and all that is below it.
    pub(super) fn below(&self, id: u64) -> impl Iterator<Item = &TraceNode> {
        let mut todo = vec![id];
        let next = move || {
            let id = todo.pop()?;
            todo.extend(self.children.get(&id).into_iter().flatten());
            Some(id)
        };
        std::iter::from_fn(next).filter_map(|id| self.nodes.get(&id))
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

    /// The roots of traces, the newest first, those before `before` only.
    pub(super) fn roots(&self, before: Option<u64>) -> impl Iterator<Item = (&TraceNode, &Counts)> {
        let roots = self.roots.iter().rev().filter(move |id| before.is_none_or(|before| **id < before));
        roots.filter_map(|id| Some((self.nodes.get(id)?, self.counts.get(id)?)))
    }

    /// The traces of these deliveries.
    pub(super) fn roots_of(&self, deliveries: &BTreeSet<u64>) -> BTreeSet<u64> {
        let nodes = deliveries.iter().filter_map(|id| self.deliveries.get(id)).flat_map(|delivery| &delivery.nodes);
        nodes.filter_map(|id| self.nodes.get(id)).map(|node| node.root).collect()
    }

    /// How many records and messages are in each state, of all that is remembered.
    pub(super) fn states(&self) -> StateCounts {
        let mut all = StateCounts::new();
        for (state, count) in self.counts.values().flat_map(|counts| &counts.states) {
            *all.entry(*state).or_default() += count;
        }
        all
    }

    /// The counts of a trace.
    pub(super) fn counts(&self, root: u64) -> Option<&Counts> {
        self.counts.get(&root)
    }
}

fn move_one(states: &mut StateCounts, from: TraceState, to: TraceState) {
    if let Some(count) = states.get_mut(&from) {
        *count = count.saturating_sub(1);
    }
    *states.entry(to).or_default() += 1;
}

/// Whether an effect gives what something may have waited for.
fn gives(effect: &TracedEffect) -> bool {
    let gives = effect.operation == "AdminAddUserToGroup" || effect.service == "dynamodb";
    gives && effect.outcome != EffectOutcome::NotDone
}

/// The level of a cascade to which a node belongs: it is the record of a child that Instep deleted.
fn level_in<'c>(counts: &'c mut Counts, node: &TraceNode) -> Option<&'c mut CascadeLevel> {
    let is_child = node.kind == "record" && node.origin == "instep" && node.verb.as_deref() == Some("deleted");
    let item = node.label.split(' ').next().unwrap_or_default();
    is_child.then(|| counts.levels.entry((node.level, item.to_owned())).or_default())
}

#[cfg(test)]
mod tests {
    use instep_flow::report::{ChangeReport, Outcome, RecordReport};

    use super::*;

    fn record(label: &str, verb: &str, origin: &'static str, delivery: u64) -> TraceNode {
        let (label, verb) = (label.to_owned(), Some(verb.to_owned()));
        TraceNode { kind: "record", label, verb, origin, delivery, ..TraceNode::default() }
    }

    fn handled(verb: &'static str, notes: &[&str]) -> RecordReport {
        let notes = notes.iter().map(|note| (*note).to_owned()).collect();
        let change = ChangeReport { item: String::new(), id: String::new(), verb, changed: Vec::new(), notes };
        RecordReport { sequence: None, change: Some(change), work: None, outcome: Outcome::Handled }
    }

    fn done(traces: &mut Traces, id: u64, report: &RecordReport) {
        let model = Model::shipped("access-management").unwrap();
        traces.done(&model, id, &NodeOutcome { reports: vec![report], ..NodeOutcome::default() });
    }

    /// What waits for two items is pending until both are there.
    #[test]
    fn a_pending_record_is_done_when_all_that_it_waits_for_is_there() {
        let mut traces = Traces::default();
        let grant = traces.add(record("Membership a//x", "created", "application", 1), None);
        let waits = ["pending: User a does not exist", "pending: Group /x does not exist"];
        done(&mut traces, grant, &handled("created", &waits));
        let state = |traces: &Traces| traces.counts(grant).unwrap().state(false);
        assert_eq!(state(&traces), TraceState::Pending);
        for (label, verb, expected) in [
            ("User a", "deleted", TraceState::Pending),
            ("User a", "created", TraceState::Pending),
            ("Group /x", "created", TraceState::Done),
        ] {
            let other = traces.add(record(label, verb, "application", 2), None);
            done(&mut traces, other, &handled(if verb == "deleted" { "deleted" } else { "created" }, &[]));
            assert_eq!(state(&traces), expected, "{label} {verb}");
        }
        assert_eq!(traces.states().get(&TraceState::Pending), Some(&0));
    }

    #[test]
    fn a_trace_is_in_the_worst_state_of_its_records() {
        let mut traces = Traces::default();
        let parent = traces.add(record("Group /x", "deleted", "application", 1), None);
        done(&mut traces, parent, &handled("deleted", &[]));
        let children: Vec<u64> = (0..3)
            .map(|n| traces.add(record(&format!("Membership {n}"), "deleted", "instep", 2), Some((1, ""))))
            .collect();
        let retry = RecordReport { outcome: Outcome::Retry { why: "down".to_owned() }, ..handled("deleted", &[]) };
        done(&mut traces, children[0], &handled("deleted", &[]));
        done(&mut traces, children[1], &retry);
        let level = |traces: &Traces| {
            let counts = traces.counts(parent).unwrap();
            let states = &counts.levels[&(1, "Membership".to_owned())].states;
            (
                counts.state(false),
                [TraceState::Done, TraceState::Waits, TraceState::Retrying]
                    .map(|state| states.get(&state).copied().unwrap_or_default()),
            )
        };
        assert_eq!(level(&traces), (TraceState::Retrying, [1, 1, 1]));
        traces.again(children[1], 3);
        assert_eq!(level(&traces).0, TraceState::Retrying, "it has not succeeded yet");
        children.iter().for_each(|child| done(&mut traces, *child, &handled("deleted", &[])));
        assert_eq!(level(&traces), (TraceState::Done, [3, 0, 0]));
    }
}
