//! What a model makes of a whole table: what it implies of Cognito, and what Instep would write.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use instep_model::{Item, Key, Model};
use jiff::Timestamp;

use super::stored::{StoredPool, StoredTable};
use crate::answers::View;
use crate::bookkeeping::BookkeepingKind;
use crate::effect::{Action, AddMember, CreatePolicy, Effect, Effects, EnsureUser, IfMissing, Write};
use crate::group_settings::GroupSettings;
use crate::implied::{DesiredUser, Membership};
use crate::meaning::{ItemMeaning, meaning};
use crate::pending::is_pending;
use crate::plan::Plan;
use crate::reconcile::{Next, Reconciler, RunOutcome};
use crate::sweep::{GroupMark, ItemsPlan, PoolGroup, PoolUser, is_guard};

/// The items that are looked at together. They are read from memory, so only the size of a plan limits it.
const TOGETHER: usize = 500;

/// A user that a model implies.
#[derive(Debug, Clone)]
pub(super) struct ImpliedUser {
    pub(super) create: CreatePolicy,
    pub(super) state: DesiredUser,
    /// Whether the model says who can sign in.
    pub(super) is_state_managed: bool,
}

impl ImpliedUser {
    /// Whether another model says the same of the user's state.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.state == other.state && self.is_state_managed == other.is_state_managed
    }

    /// It as Instep makes it.
    fn in_pool(&self, name: &str) -> PoolUser {
        let attributes = self.state.attributes.iter();
        PoolUser {
            name: name.to_owned(),
            enabled: self.state.enabled,
            attributes: attributes.filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect(),
            username: name.to_owned(),
            status: String::new(),
            created: None,
        }
    }
}

/// What a model makes of a whole table.
#[derive(Debug, Default)]
pub(super) struct ImpliedWhole {
    /// What it says of each item.
    pub(super) meanings: BTreeMap<Key, ItemMeaning>,
    pub(super) users: BTreeMap<String, ImpliedUser>,
    pub(super) groups: BTreeMap<String, GroupSettings>,
    pub(super) members: BTreeSet<Membership>,
    /// What Instep would put into the table.
    pub(super) puts: BTreeSet<Key>,
    /// What it would delete there.
    pub(super) deletes: BTreeSet<Key>,
    /// Items of which it would set attributes.
    pub(super) sets: BTreeSet<Key>,
    /// The entries of groups on demand that it wants.
    pub(super) group_entries: BTreeSet<Key>,
    /// The items that lack what they depend on.
    pub(super) orphans: BTreeSet<Key>,
}

impl ImpliedWhole {
    /// What a model makes of a table.
    pub(super) fn of(
        model: &Model,
        table: &StoredTable,
        pool: Option<&StoredPool>,
        now: Timestamp,
    ) -> Result<Self, String> {
        let mut whole = Self::default();
        for (key, item) in table.items() {
            whole.meanings.extend(meaning(model, item).map(|meaning| (key.clone(), meaning)));
        }
        let items: Vec<&Item> = table.items().values().collect();
        for items in items.chunks(TOGETHER) {
            let page = ItemsPlan::new(model, items.iter().map(|item| (*item).clone()).collect(), now);
            whole.page(model, page, table, pool, now)?;
        }
        Ok(whole)
    }

    /// A pool that was not read: it has what this model makes.
    pub(super) fn pool(&self) -> StoredPool {
        let group = |(name, settings): (&String, &GroupSettings)| {
            let group = PoolGroup { name: name.clone(), mark: GroupMark::Own, settings: settings.clone(), after: None };
            (name.clone(), group)
        };
        StoredPool {
            users: self.users.iter().map(|(name, user)| (name.clone(), user.in_pool(name))).collect(),
            groups: self.groups.iter().map(group).collect(),
            members: self.members.clone(),
            is_unread: true,
        }
    }

    /// What it says of the items whose records are parked: runs over other records still see it in the table.
    pub(super) fn refused(&self) -> impl Iterator<Item = &ItemMeaning> {
        self.meanings.values().filter(|meaning| meaning.refused.is_some())
    }

    fn page(
        &mut self,
        model: &Model,
        mut page: ItemsPlan,
        table: &StoredTable,
        pool: Option<&StoredPool>,
        now: Timestamp,
    ) -> Result<(), String> {
        self.puts.extend(page.references().filter(|key| !table.has(key)).cloned());
        let mut parents = page.parents(model);
        let mut asks = ItemsPlan::asks(model, &parents);
        let accounts = page.accounts_of_parents(model);
        asks.keys.extend(accounts.keys().cloned());
        let answers = table.answers(&asks, pool);
        page.note_removals(accounts, &mut View::new(model, &answers));
        parents.retain(|parent, items| !ItemsPlan::may_exist(model, parent, items, &answers));
        let (effects, outcome) = first_effects(model, page.plan.clone(), table, pool, now)?;
        let pending = outcome.notes.into_iter().filter(|(_, note)| is_pending(note));
        let notes = pending.chain(page.without_parents(model, &parents)).collect();
        self.orphans.extend(page.orphans(model, &notes).iter().filter_map(|orphan| orphan.about.key().cloned()));
        for effect in effects.keys() {
            self.effect(model, effect, pool);
        }
        Ok(())
    }

    fn effect(&mut self, model: &Model, effect: &Effect, pool: Option<&StoredPool>) {
        match effect {
            Effect::AddMember(add) => self.member(add, pool),
            Effect::EnsureUser(EnsureUser { user, of, create, state, .. }) => {
                let is_state_managed = model.item(of.of).user.as_ref().is_some_and(|user| user.disabled.is_some());
                let implied = ImpliedUser { create: *create, state: state.clone(), is_state_managed };
                self.users.insert(user.clone(), implied);
            }
            Effect::EnsureGroup { group, settings, .. } => drop(self.groups.insert(group.clone(), settings.clone())),
            Effect::Write(write) => self.write(model, write),
            Effect::DeleteSubject(deleted) => self.write(model, &deleted.write),
            Effect::DeletePage(page) => {
                let actions = page.units.iter().flat_map(|unit| &unit.actions);
                actions.for_each(|action| self.action(model, action));
            }
            // What has to go is found from the other side: what exists, and is not implied.
            Effect::DeleteGroup { .. }
            | Effect::RemoveMember(_)
            | Effect::SignOut { .. }
            | Effect::DisableUser { .. }
            | Effect::DeleteUser { .. }
            | Effect::MarkDeleted(_)
            | Effect::SendObjects(_)
            | Effect::SendDependents(_) => {}
        }
    }

    fn member(&mut self, add: &AddMember, pool: Option<&StoredPool>) {
        let AddMember { membership, if_no_user, if_no_group, .. } = add;
        let has_user = || pool.is_some_and(|pool| pool.has_user_of(membership));
        let has_group = || pool.is_some_and(|pool| pool.has_group(&membership.group));
        if *if_no_user == IfMissing::Pending && !has_user() || *if_no_group == IfMissing::Pending && !has_group() {
            return;
        }
        if let IfMissing::Create(actions, settings) = if_no_group {
            self.groups.entry(membership.group.clone()).or_insert_with(|| settings.clone());
            self.group_entries.extend(actions.iter().map(|action| action.key().clone()));
        }
        self.members.insert(membership.clone());
    }

    fn write(&mut self, model: &Model, write: &Write) {
        write.actions.iter().for_each(|action| self.action(model, action));
    }

    fn action(&mut self, model: &Model, action: &Action) {
        let key = action.key();
        if BookkeepingKind::of(key) == Some(BookkeepingKind::Group) {
            return;
        }
        match action {
            Action::Put { key, .. } if is_guard(model, key) => drop(self.puts.insert(key.clone())),
            Action::Put { key, .. } if BookkeepingKind::of(key).is_some() => drop(self.puts.insert(key.clone())),
            Action::Put { key, .. } | Action::Set { key, .. } => drop(self.sets.insert(key.clone())),
            Action::Delete { key, .. } => drop(self.deletes.insert(key.clone())),
        }
    }
}

/// What follows from a plan, before anything is applied.
fn first_effects(
    model: &Model,
    plan: Plan,
    table: &StoredTable,
    pool: Option<&StoredPool>,
    now: Timestamp,
) -> Result<(Effects, RunOutcome), String> {
    if plan.is_empty() {
        return Ok((Effects::new(), RunOutcome::default()));
    }
    let mut reconciler = Reconciler::new(model, plan, now);
    // INVARIANT 8: the reconciler limits its reads.
    loop {
        match reconciler.next() {
            Next::Read(asks) => reconciler.answer(table.answers(&asks, pool), Duration::ZERO),
            Next::Apply(effects) => return Ok(reconciler.first_effects(effects)),
            Next::Done(RunOutcome { failed: Some(why), .. }) => return Err(why),
            Next::Done(outcome) => return Ok((Effects::new(), outcome)),
        }
    }
}
