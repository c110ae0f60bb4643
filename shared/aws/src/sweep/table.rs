//! The table's side: every item is asked what it implies.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::account::{Account, AccountItem};
use instep_flow::answers::{Asks, View};
use instep_flow::effect::Effect;
use instep_flow::implied::Membership;
use instep_flow::pending::is_pending;
use instep_flow::sweep::{Difference, Groups, ItemsPlan, Wanted, former_links, of_items, wanted};
use instep_model::{Item, Key};

use super::PlannedEffects;
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// The items that are checked together: those of one BatchGetItem. Source: DynamoDB API reference,
/// BatchGetItem.
pub(super) const CHECKED: usize = 100;

/// The number of such checks at once.
pub(super) const CONCURRENT_CHECKS: usize = 8;

impl Instep {
    /// The items that exist under these keys.
    pub(crate) async fn items_at(&self, keys: &BTreeSet<Key>, run: &RunOptions) -> Result<Vec<Item>, String> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.read(&Asks { keys: keys.clone(), ..Asks::default() }, run).await?;
        let mut view = View::new(&self.model, &answers);
        Ok(keys.iter().filter_map(|key| view.item(key).ok().flatten().cloned()).collect())
    }
}

/// What some items ask for, apart from the pool.
struct Checked {
    page: ItemsPlan,
    implied: PlannedEffects,
    found: Vec<Difference>,
}

impl Instep {
    /// The differences of some items, without those of users: what they want of users comes with them.
    /// `groups` are those of the pool, if there is one.
    pub(super) async fn check_apart(
        &self,
        items: Vec<Item>,
        groups: Option<&Groups>,
        run: &RunOptions,
    ) -> Result<(Vec<Difference>, Vec<Wanted>), String> {
        let Checked { page, implied, mut found } = checked(self, items, run).await?;
        let (differences, wanted) = wanted(&self.model, &page, &implied.effects, groups);
        found.extend(differences);
        Ok((found, wanted))
    }
}

/// The differences of some items, of which the pool is read as far as they imply something of it.
pub(super) async fn check(instep: &Instep, items: Vec<Item>, run: &RunOptions) -> Result<Vec<Difference>, String> {
    let Checked { page, implied, mut found } = checked(instep, items, run).await?;
    let pool = instep.cognito.pool_of(implied.effects.keys().map(|effect| &**effect), run).await?;
    found.extend(of_items(&instep.model, &page, &implied.effects, pool.as_ref()));
    if let Some(pool) = &pool {
        found.extend(instep.check_drifted(pool, run).await?);
    }
    Ok(found)
}

async fn checked(instep: &Instep, items: Vec<Item>, run: &RunOptions) -> Result<Checked, String> {
    let model = &instep.model;
    let left: Vec<Difference> =
        instep.former.iter().flat_map(|former| former_links(model, &former.model, &items)).collect();
    let mut page = ItemsPlan::new(model, items, run.now);
    let references: BTreeSet<Key> = page.references().cloned().collect();
    let mut parents = page.parents(model);
    let mut asks = ItemsPlan::asks(model, &parents);
    let accounts = page.accounts_of_parents(model);
    asks.keys.extend(references.iter().chain(accounts.keys()).cloned());
    let answers = instep.read(&asks, run).await?;
    let mut view = View::new(model, &answers);
    page.note_removals(accounts, &mut view);
    let absent = references.into_iter().filter(|key| view.item(key) == Ok(None)).collect();
    let mut found = page.without(model, &absent);
    found.extend(left);
    parents.retain(|parent, items| !ItemsPlan::may_exist(model, parent, items, &answers));
    let mut implied = instep.implied(page.plan.clone(), run).await?;
    let notes = std::mem::take(&mut implied.reconciled.notes);
    let pending = notes.into_iter().filter(|(_, note)| is_pending(note));
    let mut orphans = page.orphans(model, &pending.chain(page.without_parents(model, &parents)).collect());
    found.extend(page.guards(model, &implied.reconciled.findings));
    let tombstones = page.tombstones(model, &orphans);
    let there = instep.items_at(&tombstones.keys().cloned().collect(), run).await?;
    let left = there.iter().filter_map(|item| tombstones.get(&model.table.key_of(item)?)).flatten().cloned().collect();
    orphans.iter_mut().for_each(|orphan| orphan.let_go(&left));
    found.extend(orphans);
    let refused = std::mem::take(&mut implied.reconciled.refused).into_iter();
    found.extend(refused.filter_map(|(places, _, reason)| page.refused(model, &places, reason)));
    Ok(Checked { page, implied, found })
}

/// Users by name or, if it is true, by `sub`, with the names that the pool has made for their accounts.
pub(super) type Users = BTreeMap<(String, bool), Option<String>>;

/// The users and groups that effects are about.
pub(super) fn names<'e>(effects: impl Iterator<Item = &'e Effect>) -> (Users, BTreeSet<String>) {
    let (mut users, mut groups) = (Users::new(), BTreeSet::new());
    for effect in effects {
        match effect {
            Effect::AddMember(add) => {
                let Membership { user, group, sub, username } = &add.membership;
                let made = users.entry((user.clone(), *sub)).or_default();
                *made = made.take().or_else(|| username.0.clone());
                groups.insert(group.clone());
            }
            Effect::EnsureUser(ensure) => {
                let account = ensure.account.0.as_ref().and_then(AccountItem::account);
                let username = account.as_ref().and_then(Account::username).filter(|made| **made != *ensure.user);
                let made = users.entry((ensure.user.clone(), false)).or_default();
                *made = made.take().or_else(|| username.map(str::to_owned));
            }
            Effect::EnsureGroup { group, .. } => drop(groups.insert(group.clone())),
            Effect::DeleteGroup { .. }
            | Effect::RemoveMember(_)
            | Effect::SignOut { .. }
            | Effect::DisableUser { .. }
            | Effect::DeleteUser { .. }
            | Effect::Write(_)
            | Effect::MarkDeleted(_)
            | Effect::DeleteSubject(_)
            | Effect::DeletePage(_)
            | Effect::SendObjects(_)
            | Effect::SendDependents(_) => {}
        }
    }
    (users, groups)
}
