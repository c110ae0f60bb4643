//! Apply: runs the effects of one phase, in order where they touch the same, otherwise concurrently.

mod accounts;
mod cognito;
mod delete_page;
mod deletions;
mod refused;
mod table;
mod users;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::stream::{self, StreamExt as _};
use instep_flow::effect::{self, Action, Aside, Check, DeleteSubject, Effect, Effects, Write};
use instep_flow::entries::{Entries, EntryId};
use instep_flow::reconcile::Applied;
use instep_flow::report::{EffectOutcome, EffectReport};
use instep_flow::work;

pub use delete_page::CONCURRENT_TRANSACTIONS;
pub(crate) use table::{Transacted, WriteResult, new_token};

use crate::instep::Instep;
use crate::run_options::RunOptions;
use accounts::Accounts;
use cognito::Creations;
use refused::{failed, write_failed};

/// The number of lanes whose effects are applied concurrently. The pace of the calls limits what is
/// under way, not this number: at Cognito's quota of 25 calls a second, a few are.
pub const CONCURRENT_LANES: usize = 128;

/// An effect, and the entries that cause it.
type CausedEffect = (Arc<Effect>, Entries);

/// Effects with their outcomes.
pub(crate) type Outcomes = Vec<(Arc<Effect>, Entries, Applied)>;

/// The outcome of one effect, call by call.
#[derive(Debug)]
pub(crate) struct EffectLines {
    effect: Arc<Effect>,
    /// The entries that cause it.
    records: Vec<EntryId>,
    reports: Vec<EffectReport>,
}

impl EffectLines {
    fn of(effect: &Arc<Effect>, entries: &Entries) -> Self {
        Self { effect: Arc::clone(effect), records: entries.iter().collect(), reports: Vec::new() }
    }

    fn add(
        &mut self,
        service: &'static str,
        operation: &'static str,
        target: impl Into<String>,
        outcome: EffectOutcome,
        why: Option<String>,
    ) {
        let (effect, records, target) = (Arc::clone(&self.effect), self.records.clone(), target.into());
        self.reports.push(EffectReport { records, effect, service, operation, target, outcome, why });
    }
}

impl Instep {
    /// Applies the effects of one phase. `hops` has, for each entry, the number of
    /// runs that led to the entry.
    pub(crate) async fn apply(
        &self,
        effects: Effects,
        hops: &[u32],
        run: &RunOptions,
        reports: &mut Vec<EffectReport>,
    ) -> Outcomes {
        let (sent, effects): (Effects, _) = effects
            .into_iter()
            .partition(|(effect, _)| matches!(**effect, Effect::SendObjects(_) | Effect::SendDependents(_)));
        let mut outcomes = Outcomes::new();
        let (tombstones, effects): (BTreeMap<_, _>, _) =
            effects.into_iter().partition(|(effect, _)| matches!(**effect, Effect::MarkDeleted(_)));
        outcomes.extend(self.write_tombstones(tombstones, run, reports).await);
        let (pages, effects): (BTreeMap<_, _>, _) =
            effects.into_iter().partition(|(effect, _)| matches!(**effect, Effect::DeletePage(_)));
        let creations = Creations::new(&self.table);
        let lanes = in_lanes(effects);
        let firsts: Vec<Option<EntryId>> = lanes.iter().map(|effects| first_entry(effects)).collect();
        // On the heap: the SDK's futures are large, and a stream of them is moved several times.
        let apply = |effects| Box::pin(self.lane(effects, run, &creations));
        let lanes = stream::iter(lanes).map(apply).buffered(CONCURRENT_LANES).collect::<Vec<_>>();
        let pages: Vec<CausedEffect> = pages.into_iter().collect();
        let first_page = first_entry(&pages);
        let (mut done, deleted) = futures::join!(lanes, self.table.delete_pages(pages, run));
        // The report is in the order of the batch.
        let place = firsts.iter().position(|first| *first >= first_page).unwrap_or(firsts.len());
        done.insert(place, deleted);
        for (lines, applied) in done {
            reports.extend(lines);
            outcomes.extend(applied);
        }
        if !sent.is_empty() {
            outcomes.extend(self.send_all(sent, hops, run, reports).await);
        }
        outcomes
    }

    async fn send_all(
        &self,
        sent: Effects,
        hops: &[u32],
        run: &RunOptions,
        reports: &mut Vec<EffectReport>,
    ) -> Outcomes {
        let outcomes = if run.dry_run {
            sent.into_iter().map(|(effect, entries)| (effect, entries, Applied::DONE)).collect()
        } else {
            self.queue.send_effects(sent, hops, run).await
        };
        for (effect, entries, applied) in &outcomes {
            let (outcome, why) = match applied {
                Applied::Failed(why) | Applied::Refused { reason: why, .. } => {
                    (EffectOutcome::NotDone, Some(why.clone()))
                }
                _ if run.dry_run => (EffectOutcome::NotDone, Some(DRY_RUN.to_owned())),
                Applied::Done { .. }
                | Applied::CreatedInPart { .. }
                | Applied::Skipped
                | Applied::Changed
                | Applied::Missing(_) => (EffectOutcome::Done, None),
            };
            let mut lines = EffectLines::of(effect, entries);
            let (service, operation, target) = name(effect);
            lines.add(service, operation, target, outcome, why);
            reports.extend(lines.reports);
        }
        outcomes
    }

    /// The tombstones of a batch are written together, so the deletion of many parents needs few
    /// calls.
    async fn write_tombstones(
        &self,
        tombstones: Effects,
        run: &RunOptions,
        reports: &mut Vec<EffectReport>,
    ) -> Outcomes {
        let mut outcomes = Outcomes::new();
        let all: Vec<CausedEffect> = tombstones.into_iter().collect();
        for pack in all.chunks(table::TRANSACTION_ACTIONS_MAX) {
            let marked = pack.iter().filter_map(|(effect, _)| {
                if let Effect::MarkDeleted(marked) = &**effect { Some(marked.action()) } else { None }
            });
            let actions: Vec<Action> = marked.collect();
            let operation = if actions.len() == 1 { "PutItem" } else { "TransactWriteItems" };
            let applied = match run.dry_run {
                true => Applied::DONE,
                false => match self.table.write(&[], &actions, run.deadline).await {
                    Ok(WriteResult::Done) => Applied::DONE,
                    Ok(WriteResult::Changed) => Applied::Changed,
                    Err(failure) => failed(operation, &failure),
                },
            };
            for (effect, entries) in pack {
                if let Applied::Failed(why) = &applied {
                    let mut lines = EffectLines::of(effect, entries);
                    lines.add("dynamodb", operation, name(effect).2, EffectOutcome::NotDone, Some(why.clone()));
                    reports.extend(lines.reports);
                }
                outcomes.push((Arc::clone(effect), entries.clone(), applied.clone()));
            }
        }
        outcomes
    }

    async fn lane(
        &self,
        effects: Vec<CausedEffect>,
        run: &RunOptions,
        creations: &Creations<'_>,
    ) -> (Vec<EffectReport>, Outcomes) {
        let mut reports = Vec::new();
        let mut outcomes = Outcomes::new();
        for (effect, entries) in effects {
            let mut lines = EffectLines::of(&effect, &entries);
            let applied = Box::pin(self.effect(&effect, run, creations, &mut lines)).await;
            if let Applied::Failed(why)
            | Applied::Refused { reason: why, .. }
            | Applied::CreatedInPart { reason: why, .. } = &applied
                && !lines.reports.iter().any(|line| line.outcome == EffectOutcome::NotDone)
            {
                let (service, operation, target) = name(&effect);
                lines.add(service, operation, target, EffectOutcome::NotDone, Some(why.clone()));
            }
            reports.extend(lines.reports);
            outcomes.push((effect, entries, applied));
        }
        (reports, outcomes)
    }

    async fn effect(
        &self,
        effect: &Effect,
        run: &RunOptions,
        creations: &Creations<'_>,
        lines: &mut EffectLines,
    ) -> Applied {
        if run.dry_run {
            let (service, operation, target) = name(effect);
            lines.add(service, operation, target, EffectOutcome::NotDone, Some(DRY_RUN.to_owned()));
            return Applied::DONE;
        }
        // Most effects change memberships, and many are under way: the larger futures of the others are on
        // the heap, so that they take no memory of these.
        match effect {
            Effect::RemoveMember(membership) => self.cognito.remove_member(membership, run, lines).await,
            Effect::SignOut { user, sub, username } => {
                Box::pin(self.cognito.sign_out((user, *sub, username), run, lines)).await
            }
            Effect::AddMember(add) => self.cognito.add_member(add, run, creations, lines).await,
            Effect::DeleteGroup { group, .. } => Box::pin(self.cognito.delete_group(group, run, lines)).await,
            Effect::DisableUser { user, username } => {
                let username = username.0.as_ref().unwrap_or(user);
                Box::pin(self.cognito.disable_user(user, username, run, lines)).await
            }
            Effect::DeleteUser { user, account: Aside(Some(account)), removal, .. } => {
                let Some(pool) = &self.cognito.pool else {
                    return cognito::skipped(lines, "AdminDeleteUser", user, cognito::NO_POOL);
                };
                let of = Accounts { pool, table: &self.table, run, removal: removal.0.as_ref() };
                Box::pin(self.cognito.delete_account(user, account, of, lines)).await
            }
            Effect::DeleteUser { user, .. } => Box::pin(self.cognito.delete_user(user, &self.table, run, lines)).await,
            Effect::EnsureGroup { group, settings, removal, .. } => {
                Box::pin(self.cognito.ensure_group(group, settings, removal.0.as_ref(), run, lines)).await
            }
            Effect::EnsureUser(user) => Box::pin(self.cognito.ensure_user(user, &self.table, run, lines)).await,
            Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => {
                Box::pin(self.conditional_write(write, run, lines)).await
            }
            // They are written, deleted or sent together.
            Effect::MarkDeleted(_) | Effect::DeletePage(_) | Effect::SendObjects(_) | Effect::SendDependents(_) => {
                Applied::DONE
            }
        }
    }

    async fn conditional_write(&self, write: &Write, run: &RunOptions, lines: &mut EffectLines) -> Applied {
        let operation = operation(&write.checks, &write.actions);
        match self.table.write(&write.checks, &write.actions, run.deadline).await {
            Ok(WriteResult::Done) => {
                lines.add("dynamodb", operation, &write.target, EffectOutcome::Done, None);
                Applied::DONE
            }
            Ok(WriteResult::Changed) => {
                let why = "the item has changed since: it is read again".to_owned();
                lines.add("dynamodb", operation, &write.target, EffectOutcome::NotDone, Some(why));
                Applied::Changed
            }
            Err(failure) => write_failed(&self.model, write, operation, &failure),
        }
    }
}

/// Why an effect was not applied in a dry run.
const DRY_RUN: &str = "dry run";

/// The lanes of effects, with those of the batch's first entries first. If the time runs out, these are
/// already done.
fn in_lanes(effects: Effects) -> Vec<Vec<CausedEffect>> {
    let mut effects: Vec<Option<CausedEffect>> = effects.into_iter().map(Some).collect();
    let lanes = effect::lanes(effects.iter().flatten().map(|(effect, _)| &**effect));
    let mut take = |place: usize| effects.get_mut(place).and_then(Option::take);
    let mut lanes: Vec<Vec<_>> =
        lanes.into_iter().map(|lane| lane.into_iter().filter_map(&mut take).collect()).collect();
    lanes.sort_by_key(|effects| first_entry(effects));
    lanes
}

/// The first entry that causes one of these effects.
fn first_entry(effects: &[CausedEffect]) -> Option<EntryId> {
    effects.iter().filter_map(|(_, entries)| entries.first()).min()
}

/// The operation of a write, named after its main action.
fn operation(checks: &[Check], actions: &[Action]) -> &'static str {
    match (checks, actions) {
        ([], [Action::Put { .. }]) => "PutItem",
        ([], [Action::Delete { .. }]) => "DeleteItem",
        ([], [Action::Set { .. }]) => "UpdateItem",
        (_, _) => "TransactWriteItems",
    }
}

/// Service, operation and target of an effect.
fn name(effect: &Effect) -> (&'static str, &'static str, String) {
    match effect {
        Effect::DeleteGroup { group, .. } => ("cognito", "DeleteGroup", group.clone()),
        Effect::RemoveMember(membership) => ("cognito", "AdminRemoveUserFromGroup", cognito::target(membership)),
        Effect::SignOut { user, .. } => ("cognito", "AdminUserGlobalSignOut", user.clone()),
        Effect::DisableUser { user, .. } => ("cognito", "AdminDisableUser", user.clone()),
        Effect::DeleteUser { user, .. } => ("cognito", "AdminDeleteUser", user.clone()),
        Effect::EnsureGroup { group, .. } => ("cognito", "CreateGroup", group.clone()),
        Effect::EnsureUser(user) => ("cognito", "AdminCreateUser", user.user.clone()),
        Effect::AddMember(add) => ("cognito", "AdminAddUserToGroup", cognito::target(&add.membership)),
        Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => {
            ("dynamodb", operation(&write.checks, &write.actions), write.target.clone())
        }
        Effect::MarkDeleted(marked) => ("dynamodb", "PutItem", marked.target.clone()),
        Effect::DeletePage(page) => ("dynamodb", "TransactWriteItems", format!("what belongs to {}", page.target)),
        Effect::SendObjects(objects) => ("sqs", "SendMessageBatch", format!("reconcile {}", work::counted(objects))),
        Effect::SendDependents(dependents) => ("sqs", "SendMessageBatch", dependents.summary()),
    }
}
