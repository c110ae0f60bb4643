//! Deletes a page of the dependents of a deleted object, in transactions with a check that the
//! object still does not exist.

use std::collections::BTreeMap;

use instep_flow::effect::{Action, Check, DeletePage, Unit};
use instep_flow::find;
use instep_flow::reconcile::Applied;
use instep_flow::report::EffectOutcome;
use instep_model::Key;

use super::table::TRANSACTION_ACTIONS_MAX;
use super::{DRY_RUN, Lines, Written, failed};
use crate::instep::{Instep, Run};

const OPERATION: &str = "TransactWriteItems";

impl Instep {
    /// Deletes units. A transaction has as many as fit besides the check that the object still does
    /// not exist.
    pub(super) async fn delete_page(&self, page: &DeletePage, run: &Run, lines: &mut Lines) -> Applied {
        let mut outcome = Applied::DONE;
        for pack in packs(page) {
            match self.delete_pack(&page.checks, pack, run, lines).await {
                Applied::Moved => outcome = Applied::Moved,
                failed @ Applied::Failed(_) => return failed,
                Applied::Done { .. }
                | Applied::CreatedInPart { .. }
                | Applied::Skipped
                | Applied::Missing(_)
                | Applied::Refused { .. } => {}
            }
        }
        outcome
    }

    /// If a condition fails, each half is retried alone, down to single units, so that one changed
    /// child does not block the others. The page is read again for a unit whose deletion depends on
    /// other items: another of its parents may have been created or deleted.
    async fn delete_pack(&self, parent_absent: &[Check], pack: Vec<Unit>, run: &Run, lines: &mut Lines) -> Applied {
        let mut outcome = Applied::DONE;
        let mut packs = vec![pack];
        // INVARIANT 8: each round halves a pack or completes it.
        while let Some(mut pack) = packs.pop() {
            let (checks, actions) = join(parent_absent, &pack);
            let written =
                if run.dry_run { Ok(Written::Done) } else { self.table().write(&checks, &actions, run.deadline).await };
            match written {
                Ok(Written::Done) => {
                    let (done, why) = if run.dry_run {
                        (EffectOutcome::NotDone, Some(DRY_RUN.to_owned()))
                    } else {
                        (EffectOutcome::Done, None)
                    };
                    for action in pack.iter().flat_map(|unit| &unit.actions) {
                        lines.add("dynamodb", OPERATION, find::label(&self.model, action.key()), done, why.clone());
                    }
                }
                // A transaction has at most 4 MB: a page of large items is halved, too.
                Ok(Written::Moved) if pack.len() > 1 => packs.extend(halves(&mut pack)),
                Err(failure) if failure.is_permanent() && pack.len() > 1 => packs.extend(halves(&mut pack)),
                Ok(Written::Moved) => {
                    for unit in pack {
                        if !unit.checks.is_empty() {
                            outcome = Applied::Moved;
                        }
                        let why = "it, or what it belongs to, has changed since".to_owned();
                        lines.add("dynamodb", OPERATION, unit.target, EffectOutcome::NotDone, Some(why));
                    }
                }
                // A unit that can never be deleted does not block the others. It stays, and the
                // report says why.
                Err(failure) if failure.is_permanent() => {
                    for unit in pack {
                        lines.add(
                            "dynamodb",
                            OPERATION,
                            unit.target,
                            EffectOutcome::NotDone,
                            Some(failure.words(OPERATION)),
                        );
                    }
                }
                Err(failure) => return failed(OPERATION, &failure),
            }
        }
        outcome
    }
}

fn halves(pack: &mut Vec<Unit>) -> [Vec<Unit>; 2] {
    let second = pack.split_off(pack.len() / 2);
    [second, std::mem::take(pack)]
}

/// Groups the units into transactions.
fn packs(page: &DeletePage) -> Vec<Vec<Unit>> {
    let mut packs: Vec<Vec<Unit>> = Vec::new();
    for unit in &page.units {
        let fits = |pack: &Vec<Unit>| size(&page.checks, pack.iter().chain([unit])) <= TRANSACTION_ACTIONS_MAX;
        match packs.last_mut().filter(|pack| fits(pack)) {
            Some(pack) => pack.push(unit.clone()),
            None => packs.push(vec![unit.clone()]),
        }
    }
    packs
}

/// The number of actions of a transaction over these units.
fn size<'a>(parent_absent: &[Check], units: impl Iterator<Item = &'a Unit>) -> usize {
    units.map(|unit| unit.checks.len() + unit.actions.len()).sum::<usize>() + parent_absent.len()
}

/// The checks and actions of units, no item twice: DynamoDB refuses a transaction that names one
/// item twice.
fn join(parent_absent: &[Check], units: &[Unit]) -> (Vec<Check>, Vec<Action>) {
    let actions: BTreeMap<Key, Action> =
        units.iter().flat_map(|unit| &unit.actions).map(|action| (action.key().clone(), action.clone())).collect();
    let checks: BTreeMap<Key, Check> = parent_absent
        .iter()
        .chain(units.iter().flat_map(|unit| &unit.checks))
        .filter(|check| !actions.contains_key(&check.key))
        .map(|check| (check.key.clone(), check.clone()))
        .collect();
    (checks.into_values().collect(), actions.into_values().collect())
}
