//! Deletes pages of the dependents of deleted objects, in transactions with a check that each object
//! still does not exist.
//!
//! Small pages share transactions. Transactions on different items run at the same time, and those on
//! one item one after another, because they would conflict.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures::stream::{self, StreamExt as _};
use instep_flow::effect::{Action, Check, DeletePage, Effect, JointDeletion};
use instep_flow::entries::Entries;
use instep_flow::queries;
use instep_flow::reconcile::Applied;
use instep_flow::report::{EffectOutcome, EffectReport};
use instep_model::Key;

use super::refused::failed;
use super::table::TRANSACTION_ACTIONS_MAX;
use super::{CausedEffect, DRY_RUN, EffectLines, Outcomes, WriteResult, name};
use crate::run_options::RunOptions;
use crate::table::Table;

const OPERATION: &str = "TransactWriteItems";

/// The number of transactions that run at the same time.
pub const CONCURRENT_TRANSACTIONS: usize = 16;

/// A page, and what came of it.
struct Deletion {
    effect: Arc<Effect>,
    entries: Entries,
    lines: EffectLines,
    applied: Applied,
}

/// A unit of a page.
#[derive(Clone)]
struct PageUnit<'p> {
    /// The place of its page.
    page: usize,
    /// The conditions that the page's object still does not exist.
    parent_absent: &'p [Check],
    unit: &'p JointDeletion,
}

/// What came of some units: lines for the report, and outcomes, each with the place of its page.
#[derive(Default)]
struct Deleted {
    lines: Vec<(usize, EffectOutcome, String, Option<String>)>,
    outcomes: Vec<(usize, Applied)>,
}

impl Table {
    /// Deletes pages.
    pub(super) async fn delete_pages(
        &self,
        effects: Vec<CausedEffect>,
        run: &RunOptions,
    ) -> (Vec<EffectReport>, Outcomes) {
        let pages: Vec<&DeletePage> = effects
            .iter()
            .filter_map(|(effect, _)| if let Effect::DeletePage(page) = &**effect { Some(page) } else { None })
            .collect();
        let chains = chains(&pages);
        let delete = |chain| Box::pin(self.delete_chain(chain, run));
        let done = stream::iter(chains).map(delete).buffered(CONCURRENT_TRANSACTIONS).collect::<Vec<_>>().await;
        let new = |(effect, entries)| {
            let lines = EffectLines::of(&effect, &entries);
            Deletion { effect, entries, lines, applied: Applied::DONE }
        };
        let mut deletions: Vec<Deletion> = effects.into_iter().map(new).collect();
        for Deleted { lines, outcomes } in done {
            for (page, outcome, target, why) in lines {
                if let Some(deletion) = deletions.get_mut(page) {
                    deletion.lines.add("dynamodb", OPERATION, target, outcome, why);
                }
            }
            for (page, applied) in outcomes {
                if let Some(deletion) = deletions.get_mut(page)
                    && weight(&applied) > weight(&deletion.applied)
                {
                    deletion.applied = applied;
                }
            }
        }
        let (mut reports, mut outcomes) = (Vec::new(), Outcomes::new());
        for Deletion { effect, entries, mut lines, applied } in deletions {
            if let Applied::Failed(why) = &applied {
                lines.add("dynamodb", OPERATION, name(&effect).2, EffectOutcome::NotDone, Some(why.clone()));
            }
            reports.extend(lines.reports);
            outcomes.push((effect, entries, applied));
        }
        (reports, outcomes)
    }

    /// Runs transactions one after another, until one fails.
    async fn delete_chain(&self, chain: Vec<Vec<PageUnit<'_>>>, run: &RunOptions) -> Deleted {
        let mut deleted = Deleted::default();
        for pack in chain {
            if !self.delete_pack(pack, run, &mut deleted).await {
                break;
            }
        }
        deleted
    }

    /// If a condition fails, each page is retried alone, then each half of it, down to single units,
    /// so that one changed child does not block the others. The page of a unit that has changed is read
    /// again: the child may still depend on the object, although its new record does not link it, or
    /// another of its parents may have been created or deleted. `false` if the service failed.
    async fn delete_pack(&self, pack: Vec<PageUnit<'_>>, run: &RunOptions, deleted: &mut Deleted) -> bool {
        let mut packs = vec![pack];
        // INVARIANT 8: each round divides a pack or completes it.
        while let Some(pack) = packs.pop() {
            let (checks, actions) = join(&pack);
            let written =
                if run.dry_run { Ok(WriteResult::Done) } else { self.write(&checks, &actions, run.deadline).await };
            match written {
                Ok(WriteResult::Done) => {
                    let (done, why) = if run.dry_run {
                        (EffectOutcome::NotDone, Some(DRY_RUN.to_owned()))
                    } else {
                        (EffectOutcome::Done, None)
                    };
                    for PageUnit { page, unit, .. } in &pack {
                        let labels = unit.actions.iter().map(|action| queries::label(&self.model, action.key()));
                        deleted.lines.extend(labels.map(|label| (*page, done, label, why.clone())));
                    }
                }
                // A transaction has at most 4 MB: a page of large items is halved, too.
                Ok(WriteResult::Changed) if pack.len() > 1 => packs.extend(divided(pack)),
                Err(failure) if failure.is_permanent() && pack.len() > 1 => packs.extend(divided(pack)),
                Ok(WriteResult::Changed) => {
                    for PageUnit { page, unit, .. } in pack {
                        deleted.outcomes.push((page, Applied::Changed));
                        let why = "it, or what it belongs to, has changed since".to_owned();
                        deleted.lines.push((page, EffectOutcome::NotDone, unit.target.clone(), Some(why)));
                    }
                }
                // INVARIANT 6: a unit that can never be deleted does not block the others. It stays, and
                // what led to the page is parked, so that a redrive finds it.
                Err(failure) if failure.is_permanent() => {
                    for PageUnit { page, unit, .. } in pack {
                        let why = failure.words(OPERATION);
                        deleted.lines.push((page, EffectOutcome::NotDone, unit.target.clone(), Some(why)));
                        deleted.outcomes.push((page, failed(OPERATION, &failure)));
                    }
                }
                Err(failure) => {
                    let left = pack.iter().chain(packs.iter().flatten());
                    let pages: BTreeSet<usize> = left.map(|unit| unit.page).collect();
                    let applied = failed(OPERATION, &failure);
                    deleted.outcomes.extend(pages.into_iter().map(|page| (page, applied.clone())));
                    return false;
                }
            }
        }
        true
    }
}

/// Which outcome of its units is that of a page: a failed call is retried, and a page that has moved is read again,
/// before what is left of it is refused.
const fn weight(applied: &Applied) -> u8 {
    match applied {
        Applied::Done { .. } | Applied::CreatedInPart { .. } | Applied::Skipped | Applied::Missing(_) => 0,
        Applied::Refused { .. } => 1,
        Applied::Changed => 2,
        Applied::Failed(_) => 3,
    }
}

/// Divides a pack: into its pages, or into the halves of one page.
fn divided(mut pack: Vec<PageUnit<'_>>) -> Vec<Vec<PageUnit<'_>>> {
    let mut pages: BTreeMap<usize, Vec<PageUnit<'_>>> = BTreeMap::new();
    if pack.iter().any(|unit| Some(unit.page) != pack.first().map(|unit| unit.page)) {
        for unit in pack {
            pages.entry(unit.page).or_default().push(unit);
        }
        // The last one is taken first.
        return pages.into_values().rev().collect();
    }
    let second = pack.split_off(pack.len() / 2);
    vec![second, pack]
}

/// Chains of transactions. Those in one chain run one after another, those in different chains name
/// different items.
fn chains<'p>(pages: &[&'p DeletePage]) -> Vec<Vec<Vec<PageUnit<'p>>>> {
    let mut chains = Vec::new();
    let mut open: Vec<PageUnit<'p>> = Vec::new();
    for group in apart(pages) {
        let units = |(place, page): (usize, &'p DeletePage)| {
            page.units.iter().map(move |unit| PageUnit { page: place, parent_absent: &page.checks, unit })
        };
        let mut packs: Vec<Vec<PageUnit<'p>>> = Vec::new();
        let is_alone = group.len() == 1;
        for page in group {
            packs.extend(packed(units(page)));
        }
        match packs.as_slice() {
            // A small page shares a transaction with others.
            [pack] if is_alone => {
                if size(open.iter().chain(pack)) > TRANSACTION_ACTIONS_MAX {
                    chains.push(vec![std::mem::take(&mut open)]);
                }
                open.extend(packs.into_iter().flatten());
            }
            _ => chains.push(packs),
        }
    }
    if !open.is_empty() {
        chains.push(vec![open]);
    }
    chains
}

/// Groups pages, so that pages of different groups name different items. In the order of the first
/// page of each group.
fn apart<'p>(pages: &[&'p DeletePage]) -> Vec<Vec<(usize, &'p DeletePage)>> {
    let mut groups: Vec<usize> = (0..pages.len()).collect();
    let mut named: HashMap<&Key, usize> = HashMap::new();
    for (place, page) in pages.iter().enumerate() {
        let checks = page.checks.iter().chain(page.units.iter().flat_map(|unit| &unit.checks));
        let keys = checks.map(|check| &check.key);
        for key in keys.chain(page.units.iter().flat_map(|unit| &unit.actions).map(Action::key)) {
            let first = *named.entry(key).or_insert(place);
            let (Some(one), Some(other)) = (groups.get(first).copied(), groups.get(place).copied()) else { continue };
            if one != other {
                let (from, to) = (one.max(other), one.min(other));
                groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let mut apart: BTreeMap<usize, Vec<(usize, &'p DeletePage)>> = BTreeMap::new();
    for (group, page) in groups.into_iter().zip(pages.iter().copied().enumerate()) {
        apart.entry(group).or_default().push(page);
    }
    apart.into_values().collect()
}

/// Divides the units of a page among as few transactions as possible.
fn packed<'p>(units: impl Iterator<Item = PageUnit<'p>>) -> Vec<Vec<PageUnit<'p>>> {
    let mut packs: Vec<Vec<PageUnit<'p>>> = Vec::new();
    for unit in units {
        let fits = |pack: &&mut Vec<PageUnit<'p>>| size(pack.iter().chain([&unit])) <= TRANSACTION_ACTIONS_MAX;
        match packs.last_mut().filter(fits) {
            Some(pack) => pack.push(unit),
            None => packs.push(vec![unit]),
        }
    }
    packs
}

/// The number of actions and checks of a transaction over these units.
fn size<'u, 'p: 'u>(units: impl Iterator<Item = &'u PageUnit<'p>>) -> usize {
    let (mut size, mut page) = (0, None);
    // The units of a page are together.
    for unit in units {
        size += unit.unit.checks.len() + unit.unit.actions.len();
        if page != Some(unit.page) {
            size += unit.parent_absent.len();
            page = Some(unit.page);
        }
    }
    size
}

/// The checks and actions of units, no item twice: DynamoDB refuses a transaction that names one
/// item twice.
fn join(units: &[PageUnit<'_>]) -> (Vec<Check>, Vec<Action>) {
    let actions = units.iter().flat_map(|unit| &unit.unit.actions);
    let actions: BTreeMap<&Key, &Action> = actions.map(|action| (action.key(), action)).collect();
    let checks: BTreeMap<&Key, &Check> = units
        .iter()
        .flat_map(|unit| unit.parent_absent.iter().chain(&unit.unit.checks))
        .filter(|check| !actions.contains_key(&check.key))
        .map(|check| (&check.key, check))
        .collect();
    (checks.into_values().cloned().collect(), actions.into_values().cloned().collect())
}

#[cfg(test)]
mod tests {
    use instep_flow::answers::{PageAsk, Query};
    use instep_flow::effect::{Aside, Expect};
    use instep_model::LinkId;

    use super::*;

    fn key(name: &str) -> Key {
        Key { pk: name.to_owned(), sk: name.to_owned() }
    }

    fn page(parent: &str, children: &[String]) -> DeletePage {
        let text = String::new;
        let query = Query {
            index: None,
            pk_attribute: text(),
            pk: text(),
            sk_attribute: text(),
            sk_prefix: text(),
            sk_is_whole: false,
            sk_last: None,
            descending: false,
            limit: None,
        };
        let unit = |child: &String| JointDeletion {
            target: child.clone(),
            checks: Vec::new(),
            actions: vec![Action::Delete { key: key(child), expect: Expect::Present }],
        };
        DeletePage {
            target: parent.to_owned(),
            link: Aside(LinkId(0)),
            page: PageAsk { query, after: None, rows_max: 1 },
            checks: vec![Check { key: key(parent), expect: Expect::Absent }],
            units: children.iter().map(unit).collect(),
        }
    }

    fn children(of: &str, count: usize) -> Vec<String> {
        (0..count).map(|child| format!("{of}-{child}")).collect()
    }

    /// The pages in each transaction of each chain.
    fn shape(pages: &[DeletePage]) -> Vec<Vec<Vec<usize>>> {
        let pages: Vec<&DeletePage> = pages.iter().collect();
        let shown = |pack: &Vec<PageUnit<'_>>| {
            let pages: BTreeSet<usize> = pack.iter().map(|unit| unit.page).collect();
            assert!(size(pack.iter()) <= TRANSACTION_ACTIONS_MAX);
            pages.into_iter().collect()
        };
        chains(&pages).iter().map(|chain| chain.iter().map(shown).collect()).collect()
    }

    /// Promise 8: a transaction has at most 100 actions and checks.
    #[test]
    fn small_pages_share_transactions() {
        let pages: Vec<DeletePage> =
            (0..20).map(|place| page(&format!("p{place}"), &children(&format!("p{place}"), 10))).collect();
        let expected = vec![vec![(0..9).collect()], vec![(9..18).collect()], vec![vec![18, 19]]];
        assert_eq!(shape(&pages), expected, "11 actions and checks each, nine times");
    }

    #[test]
    fn pages_that_name_one_item_follow_each_other() {
        let shared = ["child".to_owned()];
        let pages = [page("a", &shared), page("b", &children("b", 2)), page("c", &shared)];
        assert_eq!(shape(&pages), [vec![vec![0], vec![2]], vec![vec![1]]]);
    }

    #[test]
    fn a_page_of_several_transactions_runs_by_itself() {
        let pages = [page("a", &children("a", 150)), page("b", &children("b", 1)), page("c", &children("c", 1))];
        assert_eq!(shape(&pages), [vec![vec![0], vec![0]], vec![vec![1, 2]]]);
    }

    #[test]
    fn a_pack_is_divided_into_its_pages_first() {
        let pages = [page("a", &children("a", 4)), page("b", &children("b", 2))];
        let pages: Vec<&DeletePage> = pages.iter().collect();
        let pack = chains(&pages).remove(0).remove(0);
        let parts = divided(pack);
        let sizes: Vec<(usize, usize)> = parts.iter().map(|part| (part[0].page, part.len())).collect();
        assert_eq!(sizes, [(1, 2), (0, 4)], "the last is taken first");
        assert_eq!(divided(parts[1].clone()).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    }
}
