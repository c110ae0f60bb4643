//! Apply: effects, in phases; in order for one subject, at the same time for different ones.

mod cognito;
mod end_subject;
mod pack;
mod spread;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::stream::{self, StreamExt as _};
use instep_flow::effect::{Action, Effect, Phase, Write};
use instep_flow::report::{Done, EffectReport};
use instep_model::Object;

pub(crate) use table::Written;

use crate::call::Failure;
use crate::handler::{Instep, Run};

/// Subjects that effects are applied to at the same time.
const CONCURRENT_SUBJECTS: usize = 16;

const HELD_BACK: &str = "held back: an effect before it failed";

/// What came of an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Applied {
    /// It holds now.
    Held,
    /// Rightly left undone: what it waits for is not Instep's to make.
    Left,
    /// The truth has moved on: look again.
    Moved,
    /// A service failed.
    Failed(String),
    /// It can never be done.
    Refused {
        /// A stable code.
        code: &'static str,
        /// What is wrong and how to mend it.
        reason: String,
    },
}

impl Applied {
    fn failed(operation: &str, failure: &Failure) -> Self {
        let words = failure.words(operation);
        match failure {
            Failure::Answer { code, .. } if code == "LimitExceededException" => {
                let reason = format!("{words}: a hard quota is reached; make room, then run the record again");
                Self::Refused { code: "quota-reached", reason }
            }
            failure if failure.is_permanent() => {
                let reason =
                    format!("{words}: the service will never take this; mend the item, then run the record again");
                Self::Refused { code: "service-refused", reason }
            }
            // What is not known is not the record's fault.
            Failure::Answer { .. } | Failure::Transient(_) | Failure::OutOfTime => Self::Failed(words),
        }
    }
}

/// What one effect did, call by call.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    reports: Vec<EffectReport>,
    /// Why something that it brings can never be: code and reason.
    refused: Option<(&'static str, String)>,
    /// Whether a group was to be made for a member. Where an answer was lost nobody knows more.
    made_group: bool,
    /// Whether a user was.
    made_user: bool,
}

impl Lines {
    fn add(
        &mut self,
        service: &'static str,
        operation: &'static str,
        target: impl Into<String>,
        outcome: Done,
        why: Option<String>,
    ) {
        self.reports.push(EffectReport {
            records: Vec::new(),
            service,
            operation,
            target: target.into(),
            outcome,
            why,
        });
    }
}

/// What a run has done: nothing asks for it twice.
#[derive(Debug, Default)]
pub(crate) struct Held(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Effects that hold, and those that can never.
    effects: BTreeSet<Effect>,
    /// Objects whose group or user was made because a membership needed it, or deleted, and whether it was deleted since.
    made: BTreeMap<Object, bool>,
    /// Whether something could not be taken away.
    untaken: bool,
    /// Whether something that the run itself gave or made could not be taken back.
    is_stuck: bool,
}

impl Held {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn contains(&self, effect: &Effect) -> bool {
        self.known().effects.contains(effect)
    }

    /// Objects that something was made for on demand or deleted so far, and whether it was deleted since.
    pub(crate) fn made(&self) -> BTreeMap<Object, bool> {
        self.known().made.clone()
    }

    /// Notes that these are gone, and their users and groups with them.
    pub(crate) fn undone(&self, objects: BTreeSet<Object>) {
        self.known().made.extend(objects.into_iter().map(|object| (object, true)));
    }

    /// INVARIANT 3: whether something could not be taken away, also of what the run itself gave: nobody is brought anything then.
    fn untaken(&self) -> bool {
        self.known().untaken
    }

    /// Notes that something that the run itself gave or made could not be taken back.
    pub(crate) fn stuck(&self) {
        self.known().is_stuck = true;
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.known().is_stuck
    }

    /// Forgets what is no longer asked for: it must be done again if it is asked for again.
    pub(crate) fn retain(&self, asked: &BTreeMap<Effect, BTreeSet<usize>>) {
        self.known().effects.retain(|effect| asked.contains_key(effect));
    }

    fn note(&self, effect: &Effect, applied: &Applied, lines: &Lines) {
        let mut known = self.known();
        known.untaken |= effect.phase() == Phase::Take && matches!(applied, Applied::Failed(_));
        if let Effect::AddMember { group_of, user_of, make_user, .. } = effect {
            let group = group_of.iter().filter(|_| lines.made_group);
            let user = user_of.iter().filter(|_| lines.made_user);
            for object in group.chain(user) {
                known.made.entry(object.clone()).or_default();
            }
            let is_done = |operation: &str| {
                lines.reports.iter().any(|line| line.operation == operation && line.outcome == Done::Done)
            };
            if let Some(made) = make_user
                && is_done("AdminCreateUser")
                && (made.state.enabled || is_done("AdminDisableUser"))
            {
                // It is as it was looked at: the next look asks for it again only where that changed.
                if !made.state.enabled {
                    known.effects.insert(Effect::DisableUser { user: made.user.clone() });
                }
                known.effects.insert(Effect::EnsureUser(made.clone()));
            }
        }
        if matches!(applied, Applied::Held | Applied::Left | Applied::Refused { .. }) {
            known.effects.retain(|other| !effect.undoes(other));
            known.effects.insert(effect.clone());
        }
    }
}

/// Effects with what came of each.
pub(crate) type Outcomes = Vec<(Effect, BTreeSet<usize>, Applied)>;

impl Instep {
    /// Applies effects, phase by phase. Where something that takes access away fails, nothing is given.
    pub(crate) async fn apply(
        &self,
        effects: BTreeMap<Effect, BTreeSet<usize>>,
        held: &Held,
        run: &Run,
        reports: &mut Vec<EffectReport>,
    ) -> Outcomes {
        let mut outcomes = Outcomes::new();
        let mut left = effects;
        for phase in Phase::ALL {
            let (now, later): (BTreeMap<_, _>, _) = left.into_iter().partition(|(effect, _)| effect.phase() == phase);
            left = later;
            let mut running = stream::iter(by_subject(now))
                .map(|effects| self.subject(effects, held, run))
                .buffered(CONCURRENT_SUBJECTS);
            while let Some((lines, done)) = running.next().await {
                reports.extend(lines);
                outcomes.extend(done);
            }
            drop(running);
            // INVARIANT 3: a revocation that failed holds back every grant of the batch.
            if outcomes.iter().any(|(_, _, applied)| matches!(applied, Applied::Failed(_))) {
                outcomes.extend(
                    left.into_iter().map(|(effect, records)| (effect, records, Applied::Failed(HELD_BACK.to_owned()))),
                );
                break;
            }
        }
        outcomes
    }

    async fn subject(
        &self,
        effects: Vec<(Effect, BTreeSet<usize>)>,
        held: &Held,
        run: &Run,
    ) -> (Vec<EffectReport>, Outcomes) {
        let mut reports = Vec::new();
        let mut outcomes = Outcomes::new();
        for (effect, records) in effects {
            let mut lines = Lines::default();
            let applied = self.effect(&effect, held, run, &mut lines).await;
            held.note(&effect, &applied, &lines);
            if let Applied::Failed(why) | Applied::Refused { reason: why, .. } = &applied
                && !lines.reports.iter().any(|line| line.outcome == Done::Undone)
            {
                let (service, operation, target) = name(&effect);
                lines.add(service, operation, target, Done::Undone, Some(why.clone()));
            }
            reports.extend(
                lines
                    .reports
                    .into_iter()
                    .map(|line| EffectReport { records: records.iter().copied().collect(), ..line }),
            );
            outcomes.push((effect, records, applied));
        }
        (reports, outcomes)
    }

    async fn effect(&self, effect: &Effect, held: &Held, run: &Run, lines: &mut Lines) -> Applied {
        if run.dry_run && !matches!(effect, Effect::Spread(_)) {
            let (service, operation, target) = name(effect);
            lines.add(service, operation, target, Done::Undone, Some("dry run".to_owned()));
            return Applied::Held;
        }
        match effect {
            Effect::DeleteGroup { group } => self.delete_group(group, run, lines).await,
            Effect::RemoveMember { user, group } => self.remove_member(user, group, run, lines).await,
            Effect::DisableUser { user } => self.disable_user(user, run, lines).await,
            Effect::DeleteUser { user } => self.delete_user(user, run, lines).await,
            Effect::EnsureGroup { group } => self.ensure_group(group, run, lines).await,
            Effect::EnsureUser(user) => self.ensure_user(user, run, lines).await,
            Effect::AddMember { user, group, make_group, make_user, .. } => {
                self.add_member(user, group, *make_group, make_user.as_ref(), run, lines).await
            }
            Effect::Write(write) => self.conditional_write(write, run, lines).await,
            Effect::Spread(spread) if spread.removed_at.is_none() && held.untaken() => {
                Applied::Failed(HELD_BACK.to_owned())
            }
            Effect::Spread(spread) => self.spread(spread, held, run, lines).await,
            Effect::BringBack { object } => self.bring_back(object, run).await,
            Effect::EndSubject(end) => self.end_subject(end, run, lines).await,
        }
    }

    async fn conditional_write(&self, write: &Write, run: &Run, lines: &mut Lines) -> Applied {
        let operation = operation(write);
        match self.write(&write.checks, &write.actions, run.deadline).await {
            Ok(Written::Done) => {
                lines.add("dynamodb", operation, &write.target, Done::Done, None);
                Applied::Held
            }
            Ok(Written::Moved) => {
                lines.add(
                    "dynamodb",
                    operation,
                    &write.target,
                    Done::Undone,
                    Some("the item has changed since: looking again".to_owned()),
                );
                Applied::Moved
            }
            Err(failure) => Applied::failed(operation, &failure),
        }
    }
}

/// Effects in order for each subject, the subjects of the batch's first records first: where the time ends, the first are done.
fn by_subject(effects: BTreeMap<Effect, BTreeSet<usize>>) -> Vec<Vec<(Effect, BTreeSet<usize>)>> {
    let mut subjects: BTreeMap<String, Vec<(Effect, BTreeSet<usize>)>> = BTreeMap::new();
    for (effect, records) in effects {
        subjects.entry(effect.subject().to_owned()).or_default().push((effect, records));
    }
    let mut subjects: Vec<_> = subjects.into_values().collect();
    subjects.sort_by_key(|effects| effects.iter().flat_map(|(_, records)| records.first()).min().copied());
    subjects
}

/// The operation that a write is, named after what it mainly does.
fn operation(write: &Write) -> &'static str {
    match (write.checks.as_slice(), write.actions.as_slice()) {
        ([], [Action::Put { .. }]) => "PutItem",
        ([], [Action::Delete { .. }]) => "DeleteItem",
        ([], [Action::Set { .. }]) => "UpdateItem",
        (_, _) => "TransactWriteItems",
    }
}

/// Service, operation and target of an effect that was not tried.
fn name(effect: &Effect) -> (&'static str, &'static str, String) {
    match effect {
        Effect::DeleteGroup { group } => ("cognito", "DeleteGroup", group.clone()),
        Effect::RemoveMember { user, group } => ("cognito", "AdminRemoveUserFromGroup", membership(user, group)),
        Effect::DisableUser { user } => ("cognito", "AdminDisableUser", user.clone()),
        Effect::DeleteUser { user } => ("cognito", "AdminDeleteUser", user.clone()),
        Effect::EnsureGroup { group } => ("cognito", "CreateGroup", group.clone()),
        Effect::EnsureUser(user) => ("cognito", "AdminCreateUser", user.user.clone()),
        Effect::AddMember { user, group, .. } => ("cognito", "AdminAddUserToGroup", membership(user, group)),
        Effect::Write(write) => ("dynamodb", operation(write), write.target.clone()),
        Effect::Spread(_) => ("dynamodb", "Query", "dependents".to_owned()),
        Effect::BringBack { .. } => ("dynamodb", "PutItem", "what was undone".to_owned()),
        Effect::EndSubject(end) => ("dynamodb", "TransactWriteItems", end.user.clone().unwrap_or_default()),
    }
}

/// How a membership is called in reports.
fn membership(user: &str, group: &str) -> String {
    format!("{user} in {group}")
}
