//! Cognito: the deletion of users. A user may be kept for a while, and only so many are deleted in an hour: a deletion
//! that waits is noted in the account item, and the user is disabled.
//!
//! Nothing else waits for it: memberships are removed, and users disabled, at once.

use std::slice;
use std::time::Duration;

use aws_sdk_cognitoidentityprovider::operation::admin_get_user::AdminGetUserOutput;
use instep_flow::account::{Account, AccountItem, AccountState, HELD, WHY_HELD, Waiting, is_own_mark};
use instep_flow::deletion_limit;
use instep_flow::effect::{Action, Check, EnsureUser, Expect};
use instep_flow::reconcile::{Applied, USER_HELD};
use instep_flow::report::EffectOutcome;
use instep_model::Object;
use jiff::Timestamp;

use super::accounts::{Accounts, changed};
use super::cognito::{NO_POOL, SERVICE, already, skipped};
use super::refused::failed;
use super::table::Counted;
use super::users::ENABLE;
use super::{EffectLines, WriteResult, operation};
use crate::cognito::{Cognito, NO_USER, found};
use crate::pace::Category;
use crate::run_options::RunOptions;
use crate::table::Table;

/// What came of asking whether a user may be deleted now.
enum Asked {
    /// It may, and what says so is in the table.
    Granted,
    /// The limit of the hour is reached, or deletions were stopped.
    Refused,
}

impl Cognito {
    /// How long the users of a type are kept after their items.
    pub(super) fn grace(&self, of: &Object) -> Option<Duration> {
        self.model.item(of.of).user.as_ref().and_then(|user| user.grace)
    }

    /// Deletes the account of an object, and then its item. Any other account under the name stays.
    pub(super) async fn delete_account(
        &self,
        user: &str,
        item: &AccountItem,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Applied {
        let (Ok(applied) | Err(applied)) = self.try_delete_account(user, item.clone(), of, lines).await;
        applied
    }

    async fn try_delete_account(
        &self,
        user: &str,
        mut item: AccountItem,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Applied, Applied> {
        let account = item.account();
        match self.find(user, account.as_ref(), of).await? {
            None => drop(already(lines, "AdminDeleteUser", user)),
            // The pool takes names that differ in case for one, and no account was ever made for this spelling.
            Some(_) if account.is_none() && !self.model.has_canonical_key(&item.of) => {
                skipped(
                    lines,
                    "AdminDeleteUser",
                    user,
                    "this user has its name from an item whose key is in lower case",
                );
            }
            Some(present) if found(&present).is_own(&self.model, &item.of, account.as_ref()) => {
                let Some(next) = self.decide_deletion(user, &item, account, &present, of, lines).await? else {
                    return Ok(Applied::DONE);
                };
                item = next;
                self.delete(of.pool, user, present.username(), of.run, lines).await?;
            }
            // A person has said that it is kept: that is remembered.
            Some(present) => {
                skipped(lines, "AdminDeleteUser", user, "Instep did not make this user, or a person keeps it");
                let found = found(&present);
                let is_own = found.mark.is_some_and(|mark| is_own_mark(&self.model, &mark));
                if is_own && item.is_foreign(&found.sub) {
                    return Ok(Applied::DONE);
                }
            }
        }
        if item.read.is_some() {
            self.write(&item, &item.delete(&self.model), of, lines).await?;
        }
        Ok(Applied::DONE)
    }

    /// Decides whether an account is deleted now, and notes it. `None` if its deletion waits.
    async fn decide_deletion(
        &self,
        user: &str,
        item: &AccountItem,
        account: Option<Account>,
        present: &AdminGetUserOutput,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Option<AccountItem>, Applied> {
        let sub = found(present).sub;
        if account.is_some_and(
            |account| matches!(account.state, AccountState::Attempt { old } if old.as_deref() == Some(&sub)),
        ) {
            return Ok(Some(item.clone()));
        }
        match item.waiting() {
            Some(waiting) if waiting.is_approved => {
                let (next, _) = self.begin(item, Some(sub), of, lines).await?;
                return Ok(Some(next));
            }
            // Another account of Instep's: it waits instead, unless the account item has changed since it was read.
            Some(waiting) if !waiting.is_over(of.run.now) && waiting.sub != sub => {
                self.wait(user, item, (present, waiting.until, waiting.is_replaced), of, lines).await?;
                return Ok(None);
            }
            Some(waiting) if !waiting.is_over(of.run.now) => {
                self.disable_waiting(user, item, present, of, lines).await?;
                waits(user, waiting.until, lines);
                return Ok(None);
            }
            None if let Some(grace) = self.grace(&item.of) => {
                let until = of.run.now.saturating_add(grace).unwrap_or(HELD);
                self.wait(user, item, (present, until, false), of, lines).await?;
                return Ok(None);
            }
            Some(_) | None => {}
        }
        if let Some((next, _)) = self.begin_if_granted(item, sub, of, lines).await? {
            return Ok(Some(next));
        }
        self.wait(user, item, (present, HELD, false), of, lines).await?;
        Ok(None)
    }

    /// Notes that an account is deleted, if one more may be in this hour.
    async fn begin_if_granted(
        &self,
        item: &AccountItem,
        old: String,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Option<(AccountItem, Account)>, Applied> {
        let account = self.next(item, AccountState::Attempt { old: Some(old) }, of)?;
        let (actions, next) = item.change(&self.model, &account);
        let asked = self.ask(&actions, self.account_of(item), of.table, of.run, lines).await?;
        Ok(matches!(asked, Asked::Granted).then_some((next, account)))
    }

    /// Notes that the deletion of an account waits, and whether another one has to serve its object, and disables it: in this
    /// order, so that a run that dies leaves behind whether Instep has disabled it.
    async fn wait(
        &self,
        user: &str,
        item: &AccountItem,
        (present, until, is_replaced): (&AdminGetUserOutput, Timestamp, bool),
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        let before = item.waiting();
        let was_enabled = present.enabled() || before.as_ref().is_some_and(|waiting| waiting.was_enabled);
        let since = before.map_or(of.run.now, |waiting| waiting.since);
        let (sub, username) = (found(present).sub, present.username().to_owned());
        let waiting = Waiting { sub, username, since, until, is_approved: false, was_enabled, is_replaced };
        let mut account = self.next(item, AccountState::Waiting(waiting), of)?;
        if let Some(before) = item.account() {
            (account.nonce, account.since) = (before.nonce, before.since);
        }
        let item = self.note(item, &account, of, lines).await?;
        self.disable_waiting(user, &item, present, of, lines).await?;
        waits(user, until, lines);
        Ok(())
    }

    /// INVARIANT 3: an account whose deletion waits is disabled.
    ///
    /// INVARIANT 1: a run that is late may disable one that another run has given back to its item meanwhile. So the account
    /// item is read again, and what this call took is given back.
    async fn disable_waiting(
        &self,
        user: &str,
        item: &AccountItem,
        present: &AdminGetUserOutput,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        const OPERATION: &str = "AdminDisableUser";
        if !present.enabled() {
            return Ok(());
        }
        let disable = || self.cognito.admin_disable_user().user_pool_id(of.pool).username(present.username()).send();
        match self.call_by_name(Category::Users, of.run, disable).await {
            Ok(_) => lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None),
            // It was deleted meanwhile: everything is read again.
            Err(failure) if failure.is(NO_USER) => return Err(Applied::Changed),
            Err(failure) => return Err(failed(OPERATION, &failure)),
        }
        let read = of.table.batch_get(vec![&item.key], None, of.run.deadline).await;
        let read = read.map_err(|failure| failed("BatchGetItem", &failure))?.into_iter().find_map(|(_, item)| item);
        let serves = AccountItem { read, ..item.clone() }.serves(&found(present).sub);
        if serves && !self.has_rule(&item.of) {
            let enabled = self.enable_user(of.pool, user, present.username(), of.run, lines).await;
            enabled.map_err(|failure| failed(ENABLE, &failure))?;
            return Err(Applied::Changed);
        }
        Ok(())
    }

    /// The item of an account whose deletion waits was written again, for the same person: it serves the item again.
    pub(super) async fn restore(
        &self,
        ensure: &EnsureUser,
        (item, account, waiting): (&AccountItem, &Account, &Waiting),
        present: &AdminGetUserOutput,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        // A rule of the model decides otherwise.
        if waiting.was_enabled && !present.enabled() && !self.has_rule(&ensure.of) {
            self.enable(of.pool, ensure, present.username(), of.run, lines).await?;
        }
        let state = AccountState::Bound { sub: waiting.sub.clone(), username: waiting.username.clone() };
        let bound = Account { nonce: account.nonce.clone(), ..self.next(item, state, of)? };
        self.note(item, &bound, of, lines).await?;
        // INVARIANT 1: a late run that disables it may have read the account item before that.
        if waiting.was_enabled && !self.has_rule(&ensure.of) {
            let found = self.find(&ensure.user, Some(&bound), of).await?;
            if let Some(found) = found.filter(|found| !found.enabled()) {
                self.enable(of.pool, ensure, found.username(), of.run, lines).await?;
            }
        }
        Ok(())
    }

    /// Deletes an account that has served, and notes that another one is to be made. That counts as a deletion. If it has
    /// to wait, the item has no account, and its record is parked.
    pub(super) async fn replace_served(
        &self,
        user: &str,
        item: &AccountItem,
        present: &AdminGetUserOutput,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(AccountItem, Account), Applied> {
        let (waiting, old) = (item.waiting(), found(present));
        if waiting.as_ref().is_some_and(|waiting| waiting.is_approved) {
            return self.replace(user, item, old, of, lines).await;
        }
        if let Some(next) = self.begin_if_granted(item, old.sub, of, lines).await? {
            self.delete(of.pool, user, present.username(), of.run, lines).await?;
            return Ok(next);
        }
        if !waiting.is_some_and(|waiting| waiting.is_replaced && waiting.until == HELD) {
            self.wait(user, item, (present, HELD, true), of, lines).await?;
        }
        Err(user_held("its item was written again, and its earlier user would be deleted"))
    }

    /// Deletes the earlier account that an attempt has noted.
    pub(super) async fn delete_old(
        &self,
        user: &str,
        account: &Account,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        let AccountState::Attempt { old: Some(old) } = &account.state else { return Ok(()) };
        match self.find(user, None, of).await? {
            Some(present) if found(&present).sub == *old => {
                self.delete(of.pool, user, present.username(), of.run, lines).await
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Deletes the user of an object that Instep does not make users for: the name counts.
    pub(super) async fn delete_user(
        &self,
        user: &str,
        table: &Table,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        const OPERATION: &str = "AdminDeleteUser";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        // A record that is handled again counts once.
        match self.get_user(pool, user, run).await {
            Ok(Some(present)) if !found(&present).is_other_than(user) => {}
            Ok(Some(_) | None) => return already(lines, OPERATION, user),
            Err(failure) => return failed("AdminGetUser", &failure),
        }
        let counted = self.ask(&[], "the number of users that are deleted".to_owned(), table, run, lines).await;
        match counted {
            Ok(Asked::Granted) => match self.delete(pool, user, user, run, lines).await {
                Ok(()) => Applied::DONE,
                Err(applied) => applied,
            },
            Ok(Asked::Refused) => {
                let disabled = self.disable_user(user, user, run, lines).await;
                if matches!(disabled, Applied::Failed(_)) { disabled } else { user_held("its user would be deleted") }
            }
            Err(applied) => applied,
        }
    }

    /// Deletes a user by the name that the pool has for it.
    pub(super) async fn delete(
        &self,
        pool: &str,
        user: &str,
        username: &str,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        const OPERATION: &str = "AdminDeleteUser";
        let delete = || self.cognito.admin_delete_user().user_pool_id(pool).username(username).send();
        let outcome = match self.call_by_name(Category::Users, run, delete).await {
            Ok(_) => EffectOutcome::Done,
            Err(failure) if failure.is(NO_USER) => EffectOutcome::Already,
            Err(failure) => return Err(failed(OPERATION, &failure)),
        };
        lines.add(SERVICE, OPERATION, user, outcome, None);
        Ok(())
    }

    /// Asks whether one more user may be deleted in this hour. If so, `actions` are written.
    ///
    /// The first one that may not stops all others, in later hours too: a program that runs away would otherwise delete
    /// as many users in each hour.
    async fn ask(
        &self,
        actions: &[Action],
        target: String,
        table: &Table,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<Asked, Applied> {
        let stopped = deletion_limit::stopped_key();
        let check = Check { key: stopped.clone(), expect: Expect::Absent };
        let operation = operation(slice::from_ref(&check), actions);
        let limit = self.deletions_per_hour;
        let _asking = self.asking.lock().await;
        match table.count(check, deletion_limit::count(run.now), limit, actions, run.deadline).await {
            Ok(Counted::Done) => {
                if !actions.is_empty() {
                    lines.add("dynamodb", operation, target, EffectOutcome::Done, None);
                }
                return Ok(Asked::Granted);
            }
            Ok(Counted::Stopped) => return Ok(Asked::Refused),
            Ok(Counted::Changed) => return Err(changed(operation, target, lines)),
            Ok(Counted::Full) => {}
            Err(failure) => return Err(failed(operation, &failure)),
        }
        let item = deletion_limit::stopped(&self.model, run.now);
        let stop = Action::Put { key: stopped, item, expect: Expect::Absent };
        match table.write(&[], &[stop], run.deadline).await {
            Ok(WriteResult::Done) => {
                let target = format!("more than {limit} users would be deleted in an hour: deletions are stopped");
                lines.add("dynamodb", "PutItem", target, EffectOutcome::Done, None);
            }
            Ok(WriteResult::Changed) => {}
            Err(failure) => return Err(failed("PutItem", &failure)),
        }
        Ok(Asked::Refused)
    }
}

/// The deletion of a user waits.
fn waits(user: &str, until: Timestamp, lines: &mut EffectLines) {
    let why = if until == HELD { WHY_HELD.to_owned() } else { format!("waits until {until}") };
    skipped(lines, "AdminDeleteUser", user, &why);
}

/// INVARIANT 2: no user is made for an item while the account of an earlier one is there.
fn user_held(what: &str) -> Applied {
    let reason = format!(
        "{what}, but more users were to be deleted in an hour than `MaxUserDeletionsPerHour` allows. `instep users held` \
         lists them. `instep users go-on` lets them be deleted; then redrive the record"
    );
    Applied::Refused { code: USER_HELD, reason }
}
