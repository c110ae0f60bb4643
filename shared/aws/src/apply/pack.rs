//! Deletions that belong together, packed into transactions with a check that what they hung on still is gone.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::effect::{Action, Check};
use instep_flow::find;
use instep_flow::report::Done;
use instep_flow::settle::{self, Unit};
use instep_model::{Key, Object};

use super::spread::Stop;
use super::table::TRANSACTION_ACTIONS_MAX;
use super::{Lines, Written};
use crate::handler::{Instep, Run};

impl Instep {
    /// Deletes units, as many to a transaction as fit beside the check that the object still is gone. Those are named that other
    /// parents may have kept.
    pub(super) async fn delete_units(
        &self,
        object: &Object,
        units: Vec<Unit>,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<BTreeSet<String>, Stop> {
        let gone = settle::still_gone(&self.model, object);
        let mut kept = BTreeSet::new();
        let mut pack: Vec<Unit> = Vec::new();
        for unit in units {
            if size(&gone, pack.iter().chain([&unit])) > TRANSACTION_ACTIONS_MAX && !pack.is_empty() {
                kept.extend(self.delete_pack(&gone, std::mem::take(&mut pack), run, lines).await?);
            }
            pack.push(unit);
        }
        if !pack.is_empty() {
            kept.extend(self.delete_pack(&gone, pack, run, lines).await?);
        }
        Ok(kept)
    }

    /// Where a condition fails, halves are tried apart, down to single units: one child that moved holds up no other.
    async fn delete_pack(
        &self,
        gone: &[Check],
        pack: Vec<Unit>,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<BTreeSet<String>, Stop> {
        const OPERATION: &str = "TransactWriteItems";
        let mut kept = BTreeSet::new();
        let mut packs = vec![pack];
        // INVARIANT 8: each round halves a pack or ends it.
        while let Some(mut pack) = packs.pop() {
            let (checks, actions) = join(gone, &pack);
            let written =
                if run.dry_run { Ok(Written::Done) } else { self.write(&checks, &actions, run.deadline).await };
            let split = match written {
                Ok(Written::Done) => {
                    let (outcome, why) =
                        if run.dry_run { (Done::Undone, Some("dry run".to_owned())) } else { (Done::Done, None) };
                    for action in pack.iter().flat_map(|unit| &unit.actions) {
                        lines.add("dynamodb", OPERATION, find::label(&self.model, action.key()), outcome, why.clone());
                    }
                    continue;
                }
                Ok(Written::Moved) => true,
                // A page of large items: DynamoDB takes 4 MB in a transaction.
                Err(failure) if failure.is_permanent() && pack.len() > 1 => true,
                // One that can never go holds up no other; it stays for the sweep to report.
                Err(failure) if failure.is_permanent() => {
                    for unit in pack {
                        lines.add("dynamodb", OPERATION, unit.target, Done::Undone, Some(failure.words(OPERATION)));
                    }
                    continue;
                }
                Err(failure) => return Err(Stop::Failed(OPERATION, failure)),
            };
            if split && pack.len() > 1 {
                let second = pack.split_off(pack.len() / 2);
                packs.extend([second, pack]);
            } else {
                for unit in pack {
                    kept.extend((!unit.checks.is_empty()).then(|| unit.target.clone()));
                    lines.add(
                        "dynamodb",
                        OPERATION,
                        unit.target,
                        Done::Undone,
                        Some("it, or what it belonged to, has changed since".to_owned()),
                    );
                }
            }
        }
        Ok(kept)
    }
}

/// Actions of a transaction over these units.
fn size<'a>(gone: &[Check], units: impl Iterator<Item = &'a Unit>) -> usize {
    units.map(|unit| unit.checks.len() + unit.actions.len()).sum::<usize>() + gone.len()
}

/// The checks and actions of units, no item twice: DynamoDB refuses a transaction that names one item twice.
fn join(gone: &[Check], units: &[Unit]) -> (Vec<Check>, Vec<Action>) {
    let actions: BTreeMap<Key, Action> =
        units.iter().flat_map(|unit| &unit.actions).map(|action| (action.key().clone(), action.clone())).collect();
    let checks: BTreeMap<Key, Check> = gone
        .iter()
        .chain(units.iter().flat_map(|unit| &unit.checks))
        .filter(|check| !actions.contains_key(&check.key))
        .map(|check| (check.key.clone(), check.clone()))
        .collect();
    (checks.into_values().collect(), actions.into_values().collect())
}
