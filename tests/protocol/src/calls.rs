//! What the calls of runs do: they read, write, change Cognito and send messages.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::effect::{Action, AddMember, Aside, Check, DeletePage, DeleteSubject, Effect};
use instep_flow::reconcile::Applied;
use instep_flow::work::Work;
use instep_model::Key;

use crate::breach::Breach;
use crate::design::{group_name, membership_of, user_of};
use crate::item::SmallRecord;
use crate::rules::Rule;
use crate::run::{Ask, CallAnswer};
use crate::state::State;
use crate::table::WriteAnswer;
use crate::without::{late_tombstone, told};
use crate::world::{Race, SmallLink, SmallMembership, SmallObject, SmallWorld};

/// The effect of a fault on a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// It is answered.
    Answered,
    /// The call takes effect, and its answer is lost.
    Lost,
    /// The call is answered "not found" and takes no effect.
    NotFound,
}

impl State<'_> {
    /// A run reads: the ask at a place among its asks.
    pub(crate) fn read(&mut self, world: &SmallWorld, at: usize, nth: usize) {
        let Some(ask) = self.runs.get(at).and_then(|run| run.asks.iter().nth(nth)).cloned() else { return };
        let answer = self.look_up(world, at, &ask);
        if let Some(run) = self.runs.get_mut(at) {
            run.answer(&world.rules, ask, answer);
        }
        self.go_on(world, at);
    }

    pub(crate) fn look_up(&self, world: &SmallWorld, at: usize, ask: &Ask) -> CallAnswer {
        match ask {
            Ask::Item(key) if self.hides_tombstone(world, at, key) => CallAnswer::Item(None),
            Ask::Item(key) => CallAnswer::Item(self.table.get(world, self.design, key)),
            Ask::Rows(query) => CallAnswer::Rows(self.table.rows(world, query)),
            Ask::Page(ask) => CallAnswer::Page(self.table.page(world, ask)),
            Ask::Groups(user) => {
                let of_user = |member: &&SmallMembership| user_of(user) == Some(member.user);
                let members = self.cognito.members.iter().filter(of_user);
                CallAnswer::Groups(members.map(|member| group_name(member.group, member.role)).collect())
            }
        }
    }

    /// A run writes a back-reference before it reads.
    pub(crate) fn refer(&mut self, world: &SmallWorld, at: usize) {
        if let Some((key, item)) = self.runs.get_mut(at).and_then(|run| run.refer(&world.rules)) {
            self.table.bookkeeping.insert(key, item);
        }
        self.go_on(world, at);
    }

    /// A run applies an effect: the one at a place among those that are due.
    pub(crate) fn apply(&mut self, world: &SmallWorld, at: usize, nth: usize, call: Call) {
        let Some(effect) = self.runs.get(at).and_then(|run| run.effect(nth)).cloned() else { return };
        let applied = told(&world.rules, self.perform(world, at, &effect, call));
        if let (Effect::AddMember(add), Applied::Done { .. }) = (&effect, &applied)
            && let Some(membership) = membership_of(&add.membership.user, &add.membership.group)
            && let Some(run) = self.runs.get(at)
        {
            if run.has_to_revoke() {
                self.breaches.insert(Breach::GrantedFirst(membership));
            }
            if world.closed.contains(&Race::TornRead) && !run.seen.contains(&membership) {
                self.breaches.insert(Breach::Torn(membership));
            }
        }
        if let Some(run) = self.runs.get_mut(at) {
            run.applied(&world.rules, &effect, applied);
        }
        self.go_on(world, at);
    }

    fn perform(&mut self, world: &SmallWorld, at: usize, effect: &Effect, call: Call) -> Applied {
        match effect {
            Effect::SendObjects(_) | Effect::SendDependents(_) if self.is_unsent(&world.rules, at, effect) => {}
            Effect::SendObjects(objects) => {
                self.send(Work::Reconcile(objects.clone()), objects.iter().any(|object| object.late));
            }
            Effect::SendDependents(dependents) => {
                self.send(Work::Dependents(dependents.clone()), dependents.is_delayed());
            }
            Effect::MarkDeleted(marked) => {
                if let (Some(late), Some(run)) = (late_tombstone(&world.rules, effect), self.runs.get_mut(at)) {
                    run.defer(late);
                    return Applied::DONE;
                }
                let applied = self.write_back(world, Vec::new(), vec![marked.action()]);
                return if call == Call::Lost { Applied::Changed } else { applied };
            }
            Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => {
                if self.leaves_subject(&world.rules, at, &write.actions) {
                    return Applied::Skipped;
                }
                let applied = self.write_back(world, write.checks.clone(), write.actions.clone());
                return if call == Call::Lost { Applied::Changed } else { applied };
            }
            Effect::DeletePage(page) => {
                let applied = self.delete_page(world, page);
                return if call == Call::Lost { Applied::Changed } else { applied };
            }
            // No small world has a model that asks for it.
            Effect::SignOut { .. } => {}
            Effect::RemoveMember(_)
            | Effect::DeleteGroup { .. }
            | Effect::DisableUser { .. }
            | Effect::DeleteUser { .. }
            | Effect::EnsureUser(_)
            | Effect::EnsureGroup { .. }
            | Effect::AddMember(_) => {
                if call == Call::NotFound {
                    return Applied::DONE;
                }
                if let Effect::AddMember(AddMember { membership, .. }) | Effect::RemoveMember(membership) = effect
                    && membership.sub != world.signs_up
                    && let Some(named) = membership_of(&membership.user, &membership.group)
                {
                    self.breaches.insert(Breach::ByName(named));
                }
                let is_unsure = call == Call::Lost && !world.rules.has(Rule::LostCreationCounts);
                let applied = self.cognito.apply(effect);
                if let Some(Applied::Done { .. }) = applied {
                    self.note_account(world, effect);
                }
                return match applied {
                    Some(Applied::Done { created }) => Applied::Done { created: created && !is_unsure },
                    Some(applied) => applied,
                    None => self.is_strange(format!("{effect:?}")),
                };
            }
        }
        Applied::DONE
    }

    /// The account item of a user is written together with the user: `tests/simulate` takes them apart.
    fn note_account(&mut self, world: &SmallWorld, effect: &Effect) {
        if let Effect::DeleteUser { account: Aside(Some(item)), .. } = effect {
            self.table.bookkeeping.remove(&item.key);
        }
        if let Effect::EnsureUser(ensure) = effect {
            let noted = user_of(&ensure.user).and_then(|user| self.design.account(world, user));
            self.table.bookkeeping.extend(noted);
        }
    }

    /// Each unit is a transaction of its own. The page is read again for a unit whose deletion
    /// depends on other items.
    fn delete_page(&mut self, world: &SmallWorld, page: &DeletePage) -> Applied {
        let mut outcome = Applied::DONE;
        for unit in &page.units {
            let written: BTreeSet<&Key> = unit.actions.iter().map(Action::key).collect();
            let checks = page.checks.iter().chain(&unit.checks).filter(|check| !written.contains(&check.key));
            let checks: BTreeMap<&Key, &Check> = checks.map(|check| (&check.key, check)).collect();
            let checks: Vec<Check> = checks.into_values().cloned().collect();
            if self.write_back(world, checks, unit.actions.clone()) == Applied::Changed && !unit.checks.is_empty() {
                outcome = Applied::Changed;
            }
        }
        outcome
    }

    /// Writes to the table on behalf of a run.
    fn write_back(&mut self, world: &SmallWorld, checks: Vec<Check>, actions: Vec<Action>) -> Applied {
        let (checks, actions) = self.weaken(world, (checks, actions));
        let records = match self.table.transact(world, self.design, &checks, &actions) {
            WriteAnswer::Done(records) => records,
            WriteAnswer::Moved => return Applied::Changed,
            WriteAnswer::Strange => return self.is_strange(format!("{checks:?} {actions:?}")),
        };
        for record in &records {
            self.judge(world, record);
        }
        self.record(world, records);
        Applied::DONE
    }

    fn is_strange(&mut self, what: String) -> Applied {
        self.breaches.insert(Breach::Strange(what));
        Applied::Skipped
    }

    /// Whether Instep may have written what a record shows.
    fn judge(&mut self, world: &SmallWorld, record: &SmallRecord) {
        let (Some(old), None) = (record.old, record.new) else { return };
        if let SmallObject::User(user) = record.object {
            if self.revoked.get(&user).is_none_or(|at| *at <= old.written) {
                self.breaches.insert(Breach::DeletedWithoutRevocation(user));
            }
            return;
        }
        let parents = world.targets(record.object, old.value).into_iter().filter(|(link, _)| world.belongs(*link));
        let absent: Vec<(SmallLink, SmallObject)> = parents.filter(|(_, parent)| !self.table.has(*parent)).collect();
        let is_last = |(link, user): &(SmallLink, SmallObject)| match user {
            SmallObject::User(user) => world.is_last(*link) && self.last_written.get(user).is_some_and(Option::is_some),
            SmallObject::Group(_) | SmallObject::Grant(..) | SmallObject::Child(_) => false,
        };
        if absent.is_empty() {
            self.breaches.insert(Breach::DeletedBelow(record.object));
        } else if absent.iter().all(is_last) {
            self.breaches.insert(Breach::DeletedGrant(record.object));
        }
    }
}
