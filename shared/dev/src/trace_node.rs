//! A record or a work message of a trace: what came of it, and its state.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::effect::{Action, Effect};
use instep_flow::report::{EffectOutcome, EffectReport, EventReport, Outcome, RecordReport};
use instep_flow::{pending, queries, reason};
use instep_model::Model;
use serde::Serialize;

/// The state of a record, of a message, or of a whole trace: the worst is the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TraceState {
    /// Everything that follows is in place.
    Done,
    /// It is handled now, or a message that it sent is not delivered yet.
    #[default]
    Waits,
    /// An item or a value that does not exist yet would give it its effect.
    Pending,
    /// A service failed, and it is delivered again.
    Retrying,
    /// It can never be handled as it is.
    Parked,
}

/// How many are in each state.
pub(super) type StateCounts = BTreeMap<TraceState, u64>;

/// The worst state that something is in.
pub(super) fn worst(states: &StateCounts) -> TraceState {
    states.iter().rev().find(|(_, count)| **count > 0).map_or(TraceState::Done, |(state, _)| *state)
}

/// A record or a work message.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TraceNode {
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) root: u64,
    pub(super) delivery: u64,
    /// How many records above it in its trace lead to it by Instep's own writes.
    pub(super) level: u32,
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
    /// The items that its images name: of what was read together with other records, these are its own.
    pub(super) names: BTreeSet<String>,
    /// `running`, `handled`, `skipped`, `parked`, `retry`.
    pub(super) outcome: &'static str,
    pub(super) state: TraceState,
    pub(super) why: Option<String>,
    /// Why less follows than one might expect.
    pub(super) because: Vec<String>,
    pub(super) parked: Option<ParkedAs>,
    pub(super) effects: Vec<TracedEffect>,
    pub(super) events: Vec<TracedEvent>,
    /// How often it was delivered.
    pub(super) deliveries: u32,
}

/// Why a record is parked.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ParkedAs {
    pub(super) code: &'static str,
    pub(super) reason: String,
}

/// An effect of a node. Its operation and its target tell it from the others: a retry changes its row.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TracedEffect {
    pub(super) service: &'static str,
    /// What it does to an item of the table: `delete`, `update` or `write`.
    pub(super) verb: &'static str,
    pub(super) operation: &'static str,
    pub(super) target: String,
    pub(super) outcome: EffectOutcome,
    pub(super) why: Option<String>,
    pub(super) because: String,
}

/// An event of a node.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TracedEvent {
    pub(super) detail_type: String,
    pub(super) detail: serde_json::Value,
}

/// Children of a level of a cascade: of one item type, so many records below the first.
#[derive(Debug, Clone, Default)]
pub(super) struct CascadeLevel {
    /// How their parents find them.
    pub(super) through: Option<String>,
    /// How many were deleted with their parents.
    pub(super) deleted: u64,
    /// The records of these deletions.
    pub(super) states: StateCounts,
    pub(super) events: u64,
}

/// What a delivery did for a node.
#[derive(Default)]
pub(super) struct NodeOutcome<'r> {
    pub(super) reports: Vec<&'r RecordReport>,
    pub(super) effects: Vec<&'r EffectReport>,
    pub(super) events: Vec<&'r EventReport>,
    /// Why less follows than one might expect.
    pub(super) because: Vec<String>,
}

impl TraceNode {
    /// Notes what a delivery did. Returns how many effects and events are new.
    pub(super) fn note(&mut self, model: &Model, done: &NodeOutcome<'_>) -> (u64, u64) {
        self.deliveries += 1;
        (self.outcome, self.why, self.parked) = ("handled", None, None);
        for report in &done.reports {
            self.note_report(report);
        }
        self.because.clone_from(&done.because);
        let mut new = 0;
        for effect in &done.effects {
            new += u64::from(self.note_effect(model, effect));
        }
        let events = done.events.iter().filter(|event| self.note_event(event)).count();
        (new, u64::try_from(events).unwrap_or_default())
    }

    /// Notes an event, unless it is one that is published once more: it has the same id.
    fn note_event(&mut self, event: &EventReport) -> bool {
        let detail: serde_json::Value = serde_json::from_str(&event.entry.detail).unwrap_or_default();
        let id = |detail: &serde_json::Value| detail.pointer("/metadata/id").cloned();
        let is_known = id(&detail).is_some() && self.events.iter().any(|known| id(&known.detail) == id(&detail));
        if !is_known {
            self.events.push(TracedEvent { detail_type: event.entry.detail_type.clone(), detail });
        }
        !is_known
    }

    fn note_report(&mut self, report: &RecordReport) {
        if let Some(change) = &report.change {
            self.item = Some(change.item.clone());
            self.verb = Some(change.verb.to_owned());
            (self.changed, self.notes) = (change.changed.clone(), change.notes.clone());
        }
        if let Some(work) = &report.work {
            self.label.clone_from(work);
        }
        match &report.outcome {
            Outcome::Handled => {}
            Outcome::Skipped { why } => (self.outcome, self.why) = ("skipped", Some((*why).to_owned())),
            Outcome::Parked(parked) => {
                (self.outcome, self.why) = ("parked", Some(format!("{}: {}", parked.code, parked.reason)));
                self.parked = Some(ParkedAs { code: parked.code, reason: parked.reason.clone() });
            }
            Outcome::Retry { why } => (self.outcome, self.why) = ("retry", Some(why.clone())),
        }
    }

    /// Notes an effect, in its row if it has one. What a delivery did that failed stays: a later one finds it done.
    fn note_effect(&mut self, model: &Model, report: &EffectReport) -> bool {
        let EffectReport { service, operation, target, outcome, why, effect, .. } = report;
        let known = self.effects.iter_mut().find(|known| known.operation == *operation && known.target == *target);
        let is_new = known.is_none();
        match known {
            Some(known) if known.outcome == EffectOutcome::Done && *outcome == EffectOutcome::Already => {}
            Some(known) => (known.outcome, known.why) = (*outcome, why.clone()),
            None => self.effects.push(TracedEffect {
                service,
                verb: verb(effect),
                operation,
                target: target.clone(),
                outcome: *outcome,
                why: why.clone(),
                because: reason::because(model, effect),
            }),
        }
        is_new
    }

    /// What it waits for, as notes of the run say.
    pub(super) fn waits_for(&self) -> Vec<String> {
        let is_pending = |note: &&String| pending::is_pending(note) || note.starts_with("conflict: ");
        if self.outcome == "handled" { self.notes.iter().filter(is_pending).cloned().collect() } else { Vec::new() }
    }
}

/// What an effect does to the items of the table that it writes.
fn verb(effect: &Effect) -> &'static str {
    if matches!(effect, Effect::DeletePage(_)) {
        return "delete";
    }
    let actions = effect.as_write().map_or(&[][..], |write| write.actions.as_slice());
    match actions {
        [Action::Delete { .. }, rest @ ..] if rest.iter().all(|action| matches!(action, Action::Delete { .. })) => {
            "delete"
        }
        [Action::Set { .. }] => "update",
        _ => "write",
    }
}

/// The level of a cascade to which an effect belongs, and how its items are found. `None` if it deletes no children.
pub(super) fn level_of(model: &Model, report: &EffectReport) -> Option<(String, String)> {
    let Effect::DeletePage(page) = &*report.effect else { return None };
    let link = model.link(page.link.0);
    (report.outcome == EffectOutcome::Done)
        .then(|| (model.item(link.from).name.clone(), queries::found_through(model, link)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use instep_flow::entries::EntryId;
    use instep_flow::report::EventEntry;

    use super::*;

    fn effect(outcome: EffectOutcome) -> EffectReport {
        EffectReport {
            records: Vec::new(),
            effect: Arc::new(Effect::DisableUser { user: "a@b".to_owned(), username: Default::default() }),
            service: "cognito",
            operation: "AdminDisableUser",
            target: "a@b".to_owned(),
            outcome,
            why: None,
        }
    }

    #[test]
    fn an_event_that_is_published_again_is_one_event() {
        let event = |id: &str| EventReport {
            record: EntryId(0),
            entry: EventEntry {
                source: String::new(),
                detail_type: "User Created".to_owned(),
                detail: format!(r#"{{"metadata":{{"id":"{id}"}}}}"#),
                event_bus_name: String::new(),
                time: None,
            },
        };
        let mut node = TraceNode::default();
        let noted = ["a", "a", "b"].map(|id| node.note_event(&event(id)));
        assert_eq!((noted, node.events.len()), ([true, false, true], 2));
    }

    #[test]
    fn a_retry_changes_the_row_of_its_effect() {
        let model = Model::shipped("access-management").unwrap();
        let mut node = TraceNode::default();
        let mut note = |outcome| {
            let effect = effect(outcome);
            let new = node.note(&model, &NodeOutcome { effects: vec![&effect], ..NodeOutcome::default() });
            (new, node.effects.iter().map(|effect| effect.outcome).collect::<Vec<_>>())
        };
        assert_eq!(note(EffectOutcome::NotDone), ((1, 0), vec![EffectOutcome::NotDone]));
        assert_eq!(note(EffectOutcome::Done), ((0, 0), vec![EffectOutcome::Done]));
        assert_eq!(note(EffectOutcome::Already), ((0, 0), vec![EffectOutcome::Done]), "what was done stays done");
    }
}
