//! Cognito: the account of an object whose user Instep makes.
//!
//! The account item says which account serves the object: see [`instep_flow::account`]. What is done to an account is
//! noted in the item before, so that a run that dies leaves nothing that the next one takes for somebody else's.

use std::sync::PoisonError;
use std::time::Duration;

use aws_sdk_cognitoidentityprovider::operation::admin_get_user::AdminGetUserOutput;
use aws_sdk_cognitoidentityprovider::types::UserType;
use instep_flow::account::{
    Account, AccountItem, AccountState, FoundUser, Removal, Verdict, is_made_for_another, is_named_by_address, judge,
    mark, nonce_end,
};
use instep_flow::effect::{Action, EnsureUser};
use instep_flow::queries;
use instep_flow::reconcile::{Applied, EXISTING_USER};
use instep_flow::report::EffectOutcome;
use instep_model::Object;

use super::cognito::{SERVICE, skipped};
use super::refused::{ANOTHER_USER, failed, other_user, user_failed};
use super::{EffectLines, WriteResult, operation};
use crate::call::Backoff;
use crate::cognito::{Cognito, found, texts};
use crate::pace::Category;
use crate::run_options::RunOptions;
use crate::table::Table;

/// The user was created, and its invitation was not delivered. Source: Amazon Cognito User Pools API
/// Reference, AdminCreateUser, "Errors".
const NOT_DELIVERED: &str = "CodeDeliveryFailureException";

/// How long after its creation Cognito may say that it does not know a user.
const NEW_FOR: Duration = Duration::from_secs(60);

/// Where accounts and account items are.
#[derive(Clone, Copy)]
pub(super) struct Accounts<'a> {
    pub(super) pool: &'a str,
    pub(super) table: &'a Table,
    pub(super) run: &'a RunOptions,
    /// The last deletion of the item that is known.
    pub(super) removal: Option<&'a Removal>,
}

/// What follows from an account that was found.
enum Decided {
    /// It serves the object, as its item now says.
    Serves(Box<AdminGetUserOutput>),
    /// It is deleted. This attempt makes another one.
    Replaced(Box<(AccountItem, Account)>),
    /// Neither.
    Ended(Applied),
}

impl Cognito {
    /// Ensures the account of an object.
    ///
    /// # Errors
    /// What ended it: a condition that was not met, or a failure.
    pub(super) async fn ensure_account(
        &self,
        ensure: &EnsureUser,
        item: AccountItem,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Applied, Applied> {
        let (item, account) = match item.account() {
            Some(account) if of.removal.is_some_and(|removal| account.is_older_than(removal)) => {
                match self.instead_of_older(ensure, &item, account, of, lines).await? {
                    Decided::Serves(found) => {
                        return Ok(self.update_user(of.pool, ensure, &found, false, of.run, lines).await);
                    }
                    Decided::Replaced(next) => *next,
                    Decided::Ended(applied) => return Ok(applied),
                }
            }
            None => self.begin(&item, None, of, lines).await?,
            // Another run's nonce may be of an item that has been deleted since: first, everything is read again.
            Some(Account { state: AccountState::Attempt { .. }, .. }) if !item.is_confirmed => {
                return Err(Applied::Changed);
            }
            Some(account @ Account { state: AccountState::Attempt { .. }, .. }) => {
                self.delete_old(&ensure.user, &account, of, lines).await?;
                (item, account)
            }
            Some(
                account @ Account {
                    state: AccountState::Bound { .. } | AccountState::Waiting(_) | AccountState::Foreign { .. },
                    ..
                },
            ) => match self.find(&ensure.user, Some(&account), of).await? {
                None => self.begin(&item, None, of, lines).await?,
                // The account of the former name stays: nobody is deleted for a change of the model.
                Some(present) if is_of_another_name(ensure, &present) => self.begin(&item, None, of, lines).await?,
                Some(found) => match self.decide(ensure, &item, &account, found, of, lines).await? {
                    Decided::Serves(found) => {
                        let is_new = !matches!(account.state, AccountState::Bound { .. });
                        return Ok(self.update_user(of.pool, ensure, &found, is_new, of.run, lines).await);
                    }
                    Decided::Replaced(next) => *next,
                    Decided::Ended(applied) => return Ok(applied),
                },
            },
        };
        self.make(ensure, item, account, of, lines).await
    }

    /// Makes the account that an attempt has noted.
    async fn make(
        &self,
        ensure: &EnsureUser,
        mut item: AccountItem,
        mut account: Account,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Applied, Applied> {
        let mut backoff = Backoff::new(of.run.deadline);
        loop {
            let mark = mark(&self.model, &account.nonce);
            let is_invited = match self.create_user(of.pool, ensure, &mark, of.run).await {
                Ok(Some(user)) => return self.made(ensure, &item, &account, &user, of, lines).await,
                Ok(None) => true,
                Err(failure) if failure.is("UsernameExistsException") => true,
                Err(failure) if failure.is(NOT_DELIVERED) => false,
                Err(failure) => return Err(user_failed(&self.model, ensure, "AdminCreateUser", &failure)),
            };
            if let Some(found) = self.find(&ensure.user, None, of).await? {
                match self.decide(ensure, &item, &account, found, of, lines).await? {
                    Decided::Serves(found) => {
                        let applied = self.update_user(of.pool, ensure, &found, true, of.run, lines).await;
                        return Ok(if is_invited { applied } else { not_invited(&ensure.user, applied, lines) });
                    }
                    Decided::Replaced(next) => (item, account) = *next,
                    Decided::Ended(applied) => return Ok(applied),
                }
            }
            // The user was deleted between two calls, or never was the one that exists.
            if !backoff.wait().await {
                return Err(if backoff.is_used_up() { of_another_user() } else { Applied::Changed });
            }
        }
    }

    /// The account was made: its item says so, and it is as the item of the object implies.
    async fn made(
        &self,
        ensure: &EnsureUser,
        item: &AccountItem,
        account: &Account,
        user: &UserType,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Applied, Applied> {
        lines.add(SERVICE, "AdminCreateUser", &ensure.user, EffectOutcome::Done, None);
        let status = user.user_status().map_or("", |status| status.as_str());
        let found = FoundUser::new(user.username().unwrap_or(&ensure.user), status, None, &texts(user.attributes()));
        self.bind(&ensure.user, item, account, &found, of, lines).await?;
        if !ensure.state.enabled {
            let disable = || self.cognito.admin_disable_user().user_pool_id(of.pool).username(&found.username).send();
            if let Err(failure) = self.call_by_name(Category::Users, of.run, disable).await {
                return Err(self.user_step_failed(ensure, "AdminDisableUser", &failure));
            }
            lines.add(SERVICE, "AdminDisableUser", &ensure.user, EffectOutcome::Done, None);
        }
        Ok(Applied::Done { created: true })
    }

    /// The item was deleted, and written again, since its account was made. Another one serves it, unless the model keeps
    /// accounts for a while: then the addresses say whether it is the same person.
    async fn instead_of_older(
        &self,
        ensure: &EnsureUser,
        item: &AccountItem,
        account: Account,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Decided, Applied> {
        let present = self.find(&ensure.user, Some(&account), of).await?;
        let own = present.filter(|present| found(present).is_own(&self.model, &item.of, Some(&account)));
        let has_served = matches!(account.state, AccountState::Bound { .. });
        let next = match own {
            None => self.begin(item, None, of, lines).await?,
            Some(present)
                if has_served
                    && self.grace(&ensure.of).is_some()
                    && is_same_person(ensure, &present)
                    && !is_of_another_name(ensure, &present) =>
            {
                let after = account.after.clone().max(of.removal.cloned());
                self.note(item, &Account { after, ..account }, of, lines).await?;
                return Ok(Decided::Serves(Box::new(present)));
            }
            Some(present) if has_served => self.replace_served(&ensure.user, item, &present, of, lines).await?,
            Some(present) => self.replace(&ensure.user, item, found(&present), of, lines).await?,
        };
        Ok(Decided::Replaced(Box::new(next)))
    }

    /// Decides whether an account that was found serves, and notes it.
    async fn decide(
        &self,
        ensure: &EnsureUser,
        item: &AccountItem,
        account: &Account,
        present: AdminGetUserOutput,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<Decided, Applied> {
        let found = found(&present);
        if let AccountState::Waiting(waiting) = &account.state
            && waiting.sub == found.sub
        {
            if waiting.is_replaced || !is_same_person(ensure, &present) {
                let next = self.replace_served(&ensure.user, item, &present, of, lines).await?;
                return Ok(Decided::Replaced(Box::new(next)));
            }
            self.restore(ensure, (item, account, waiting), &present, of, lines).await?;
            return Ok(Decided::Serves(Box::new(present)));
        }
        match judge(&self.model, (&ensure.user, &item.of), account, &found, ensure.adopt_before) {
            Verdict::Serves => {
                let is_noted = matches!(&account.state, AccountState::Bound { sub, .. } if *sub == found.sub);
                if !is_noted {
                    self.bind(&ensure.user, item, account, &found, of, lines).await?;
                }
                Ok(Decided::Serves(Box::new(present)))
            }
            Verdict::Replace => {
                let next = self.replace(&ensure.user, item, found, of, lines).await?;
                Ok(Decided::Replaced(Box::new(next)))
            }
            Verdict::Pending => {
                let why = "pending: a user of this name has signed up, and has not confirmed that";
                Ok(Decided::Ended(skipped(lines, "AdminCreateUser", &ensure.user, why)))
            }
            Verdict::Foreign => {
                let mut marks = found.mark.iter();
                let is_another_items = marks.any(|mark| is_made_for_another(&self.model, &item.of, mark));
                if !account.is_foreign(&found.sub) {
                    let state = AccountState::Foreign { sub: found.sub };
                    self.note(item, &Account { state, ..account.clone() }, of, lines).await?;
                }
                Ok(Decided::Ended(if is_another_items { of_another_item() } else { existing_user() }))
            }
        }
    }

    /// The account that an account item names, or the user under a name. If Instep has just made it, Cognito may not know
    /// it yet.
    pub(super) async fn find(
        &self,
        user: &str,
        account: Option<&Account>,
        of: Accounts<'_>,
    ) -> Result<Option<AdminGetUserOutput>, Applied> {
        let mut backoff = Backoff::new(of.run.deadline);
        let username = account.and_then(Account::username).unwrap_or(user);
        let is_new = |account: &Account| {
            let is_made = !matches!(account.state, AccountState::Foreign { .. });
            is_made && Duration::try_from(of.run.now.duration_since(account.since)).unwrap_or_default() < NEW_FOR
        };
        let is_new = account.is_some_and(is_new);
        loop {
            let present =
                self.get_user(of.pool, username, of.run).await.map_err(|failure| failed("AdminGetUser", &failure))?;
            // INVARIANT 2: what another user signs in by is no name of it.
            let is_named = |present: &AdminGetUserOutput| {
                let found = found(present);
                !found.is_other_than(username) || found.has_generated_name()
            };
            let found = present.filter(is_named);
            if found.is_some() || !is_new || !backoff.wait().await {
                return Ok(found);
            }
        }
    }

    /// Notes that an account is to be made. `old` is deleted first.
    pub(super) async fn begin(
        &self,
        item: &AccountItem,
        old: Option<String>,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(AccountItem, Account), Applied> {
        let account = self.next(item, AccountState::Attempt { old }, of)?;
        Ok((self.note(item, &account, of, lines).await?, account))
    }

    /// Another account of an object, after all deletions of its item that are known.
    pub(super) fn next(&self, item: &AccountItem, state: AccountState, of: Accounts<'_>) -> Result<Account, Applied> {
        let after = item.account().and_then(|account| account.after).max(of.removal.cloned());
        Ok(Account { nonce: self.new_nonce(&item.of)?, since: item.read_at, after, state })
    }

    /// 128 random bits, which nobody can guess, and whom the account is made for, if that is needed.
    fn new_nonce(&self, of: &Object) -> Result<String, Applied> {
        let mut bytes = [0; 16];
        match &self.marks {
            Some(marks) => marks.lock().unwrap_or_else(PoisonError::into_inner).fill(&mut bytes),
            None => {
                getrandom::fill(&mut bytes).map_err(|error| Applied::Failed(format!("no random numbers: {error}")))?
            }
        }
        let random: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(random + &nonce_end(&self.model, of))
    }

    /// Deletes an account of Instep's in whose place another one is to be made.
    pub(super) async fn replace(
        &self,
        user: &str,
        item: &AccountItem,
        old: FoundUser,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(AccountItem, Account), Applied> {
        let next = self.begin(item, Some(old.sub), of, lines).await?;
        self.delete(of.pool, user, &old.username, of.run, lines).await?;
        Ok(next)
    }

    /// Notes that an account serves. INVARIANT 2: what it signs in by is no name of it. Where the pool makes the names, the
    /// model has to say that this one is an address: then memberships go by the name that the pool has made.
    async fn bind(
        &self,
        user: &str,
        item: &AccountItem,
        account: &Account,
        found: &FoundUser,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<AccountItem, Applied> {
        let is_own_address = found.has_generated_name() && is_named_by_address(&self.model, &item.of);
        if found.is_other_than(user) && !is_own_address {
            return Err(other_user("Cognito", found));
        }
        let state = AccountState::Bound { sub: found.sub.clone(), username: found.username.clone() };
        self.note(item, &Account { state, ..account.clone() }, of, lines).await
    }

    pub(super) async fn note(
        &self,
        item: &AccountItem,
        account: &Account,
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<AccountItem, Applied> {
        let (actions, next) = item.change(&self.model, account);
        self.write(item, &actions, of, lines).await?;
        Ok(next)
    }

    /// Writes what an account item says, and what goes with it.
    pub(super) async fn write(
        &self,
        item: &AccountItem,
        actions: &[Action],
        of: Accounts<'_>,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        let operation = operation(&[], actions);
        let target = self.account_of(item);
        match of.table.write(&[], actions, of.run.deadline).await {
            Ok(WriteResult::Done) => {
                lines.add("dynamodb", operation, target, EffectOutcome::Done, None);
                Ok(())
            }
            Ok(WriteResult::Changed) => Err(changed(operation, target, lines)),
            Err(failure) => Err(failed(operation, &failure)),
        }
    }

    /// An account item, for reports.
    pub(super) fn account_of(&self, item: &AccountItem) -> String {
        format!("account of {}", queries::label_of(&self.model, &item.of))
    }
}

/// The table has changed since it was read.
pub(super) fn changed(operation: &'static str, target: String, lines: &mut EffectLines) -> Applied {
    let why = "the item has changed since: it is read again".to_owned();
    lines.add("dynamodb", operation, target, EffectOutcome::NotDone, Some(why));
    Applied::Changed
}

/// Whether an item that was written again is of the person that has an account: it has the account's addresses, as far
/// as the model gives users addresses.
fn is_same_person(ensure: &EnsureUser, present: &AdminGetUserOutput) -> bool {
    let attributes = texts(present.user_attributes());
    ensure.addresses.0.iter().all(|(name, address)| {
        let of_account = attributes.get(name).filter(|text| !text.is_empty());
        let in_lowercase = |text: Option<&String>| text.map(|text| text.to_lowercase());
        in_lowercase(address.as_ref().filter(|text| !text.is_empty())) == in_lowercase(of_account)
    })
}

/// Whether the account that serves an item has another name than the item's user by now: the model has changed. A name that
/// the pool has made says nothing.
fn is_of_another_name(ensure: &EnsureUser, present: &AdminGetUserOutput) -> bool {
    let found = found(present);
    found.is_other_than(&ensure.user) && !found.has_generated_name()
}

/// Cognito has created a user although it could not deliver the invitation. The user has the state that its item
/// implies, and the record is parked, so that somebody learns of it.
fn not_invited(user: &str, applied: Applied, lines: &mut EffectLines) -> Applied {
    let why = "the user was created, but Cognito could not deliver the invitation".to_owned();
    lines.add(SERVICE, "AdminCreateUser", user, EffectOutcome::NotDone, Some(why.clone()));
    if !matches!(applied, Applied::Done { .. }) {
        return applied;
    }
    let reason = format!(
        "AdminCreateUser answered {NOT_DELIVERED}: {why}; correct the address in the item and invite the user again \
         (AdminCreateUser with MessageAction RESEND), then redrive the record"
    );
    Applied::CreatedInPart { code: "not-invited", reason }
}

/// INVARIANT 2: the account under a name gets nothing, unless Instep has made it or a person vouches for it.
fn existing_user() -> Applied {
    let reason = "the user pool has an account of this user's name that Instep did not make: somebody may have signed up \
                  under it. Delete the account if it is not the user's, or let `instep backfill --adopt-before TIME` \
                  take it over, then redrive the record";
    Applied::Refused { code: EXISTING_USER, reason: reason.to_owned() }
}

/// INVARIANT 2: who changes the own address to that of another item keeps the own account, and does not get the other's.
fn of_another_item() -> Applied {
    let reason = "the user who signs in by this address is another item's: its address was changed in Cognito. Correct the \
                  address there, then redrive the record";
    Applied::Refused { code: "other-user", reason: reason.to_owned() }
}

/// INVARIANT 6: the batch does not wait for a user that can never be created.
fn of_another_user() -> Applied {
    let reason = format!(
        "AdminCreateUser answers that the user exists, and AdminGetUser that it does not: {ANOTHER_USER}, then redrive \
         the record"
    );
    Applied::Refused { code: "other-user", reason }
}
