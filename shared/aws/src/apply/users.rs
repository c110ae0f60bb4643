//! Cognito: users. An effect also succeeds if its result already exists.

use aws_sdk_cognitoidentityprovider::operation::admin_get_user::AdminGetUserOutput;
use aws_sdk_cognitoidentityprovider::types::{AttributeType, MessageActionType, UserType};
use instep_flow::effect::{Aside, CreatePolicy, EnsureUser};
use instep_flow::reconcile::{Applied, Missing};
use instep_flow::report::EffectOutcome;
use instep_model::{ACCOUNT_MARK, Object, VERIFIED_ATTRIBUTE};

use super::EffectLines;
use super::accounts::Accounts;
use super::cognito::{LOOK_UP, NO_POOL, SERVICE, already, done, skipped};
use super::refused::{failed, other_user, user_failed};
use crate::call::CallFailure;
use crate::cognito::{Cognito, NO_USER, found};
use crate::pace::Category;
use crate::run_options::RunOptions;
use crate::table::Table;

/// The operation that enables a user.
pub(super) const ENABLE: &str = "AdminEnableUser";

impl Cognito {
    /// Disables a user by the name that the pool has for it.
    pub(super) async fn disable_user(
        &self,
        user: &str,
        username: &str,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        const OPERATION: &str = "AdminDisableUser";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        let disable = || self.cognito.admin_disable_user().user_pool_id(pool).username(username).send();
        match self.call_by_name(Category::Users, run, disable).await {
            Ok(_) => done(lines, OPERATION, user),
            // Just after its creation Cognito may not know a user yet.
            Err(failure) if failure.is(NO_USER) => {
                already(lines, OPERATION, user);
                Applied::Missing(Missing::User)
            }
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// Ends the sessions of a user, known by name or by `sub`.
    pub(super) async fn sign_out(
        &self,
        (user, is_sub, made): (&str, bool, &Aside<Option<String>>),
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        const OPERATION: &str = "AdminUserGlobalSignOut";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        let by_name = || made.0.clone().unwrap_or_else(|| user.to_owned());
        let username = if is_sub { self.user_by_sub(pool, user, run).await } else { Ok(Some(by_name())) };
        let username = match username {
            Ok(Some(username)) => username,
            Ok(None) => return already(lines, OPERATION, user),
            Err(failure) => return failed(LOOK_UP, &failure),
        };
        let sign_out = || self.cognito.admin_user_global_sign_out().user_pool_id(pool).username(&username).send();
        match self.call(Category::Users, run, sign_out).await {
            Ok(_) => done(lines, OPERATION, user),
            Err(failure) if failure.is(NO_USER) => already(lines, OPERATION, user),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// Ensures the user of an object. One that people make only gets the state that its item implies.
    pub(super) async fn ensure_user(
        &self,
        ensure: &EnsureUser,
        table: &Table,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        let user = ensure.user.as_str();
        let Some(pool) = &self.pool else { return skipped(lines, "AdminCreateUser", user, NO_POOL) };
        if let Aside(Some(account)) = &ensure.account {
            let of = Accounts { pool, table, run, removal: ensure.removal.0.as_ref() };
            let (Ok(applied) | Err(applied)) = self.ensure_account(ensure, account.clone(), of, lines).await;
            return applied;
        }
        match self.get_user(pool, user, run).await {
            Err(failure) => failed("AdminGetUser", &failure),
            Ok(None) => skipped(lines, "AdminCreateUser", user, "pending: Instep does not create this user"),
            Ok(Some(present)) if found(&present).is_other_than(user) => other_user("AdminGetUser", &found(&present)),
            Ok(Some(present)) => self.update_user(pool, ensure, &present, false, run, lines).await,
        }
    }

    /// Creates a user with a mark.
    pub(super) async fn create_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        mark: &str,
        run: &RunOptions,
    ) -> Result<Option<UserType>, CallFailure> {
        let own = ensure.state.attributes.iter().filter_map(|(name, value)| attribute(name, value.as_deref()?));
        let attributes: Vec<AttributeType> = own.chain(attribute(ACCOUNT_MARK, mark)).collect();
        let silent = (ensure.create == CreatePolicy::Silent).then_some(MessageActionType::Suppress);
        let create = || {
            let request = self.cognito.admin_create_user().user_pool_id(pool).username(&ensure.user);
            request.set_user_attributes(Some(attributes.clone())).set_message_action(silent.clone()).send()
        };
        self.call(Category::UserCreation, run, create).await.map(|answer| answer.user)
    }

    /// Makes only the calls that the present state of a user needs. `created` tells whether this run may have made the
    /// user, or bound it to its item.
    pub(super) async fn update_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        present: &AdminGetUserOutput,
        created: bool,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        let steps = lines.reports.len();
        if let Err((operation, failure)) = self.update_attributes(pool, ensure, present, run, lines).await {
            return self.user_step_failed(ensure, operation, &failure);
        }
        let user = ensure.user.as_str();
        if present.enabled() && !ensure.state.enabled {
            let disabled = self.disable_user(user, present.username(), run, lines).await;
            return if disabled == Applied::DONE {
                Applied::Done { created }
            } else if matches!(disabled, Applied::Missing(_)) {
                Applied::Changed
            } else {
                disabled
            };
        }
        // Without a rule in the model, the table does not say whether a user is enabled, and people
        // may have disabled the user.
        if self.has_rule(&ensure.of)
            && !present.enabled()
            && ensure.state.enabled
            && let Err(applied) = self.enable(pool, ensure, present.username(), run, lines).await
        {
            return applied;
        }
        if lines.reports.len() == steps {
            lines.add(SERVICE, "AdminCreateUser", user, EffectOutcome::Already, None);
        }
        Applied::Done { created }
    }

    /// Whether the model says which users of such objects are disabled.
    pub(super) fn has_rule(&self, of: &Object) -> bool {
        self.model.item(of.of).user.as_ref().is_some_and(|user| user.disabled.is_some())
    }

    /// Enables the user of an item, by the name that the pool has for it.
    pub(super) async fn enable(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        username: &str,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<(), Applied> {
        let enabled = self.enable_user(pool, &ensure.user, username, run, lines).await;
        enabled.map_err(|failure| self.user_step_failed(ensure, ENABLE, &failure))
    }

    /// Enables a user by the name that the pool has for it.
    pub(super) async fn enable_user(
        &self,
        pool: &str,
        user: &str,
        username: &str,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<(), CallFailure> {
        let enable = || self.cognito.admin_enable_user().user_pool_id(pool).username(username).send();
        self.call_by_name(Category::Users, run, enable).await?;
        lines.add(SERVICE, ENABLE, user, EffectOutcome::Done, None);
        Ok(())
    }

    /// Sets and deletes the attributes that differ.
    async fn update_attributes(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        present: &AdminGetUserOutput,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<(), (&'static str, CallFailure)> {
        let (user, username, cognito) = (ensure.user.as_str(), present.username(), &self.cognito);
        let has = |name: &str| {
            present
                .user_attributes()
                .iter()
                .find(|attribute| attribute.name() == name)
                .and_then(|attribute| attribute.value())
        };
        // Cognito takes a new address for one that is not verified, unless the same request says that it
        // is. Source: Amazon Cognito User Pools API Reference, AdminUpdateUserAttributes.
        let is_reset = |name: &str| {
            let Some(address) = name.strip_suffix(VERIFIED_ATTRIBUTE) else { return false };
            let new = ensure.state.attributes.get(address).and_then(Option::as_deref);
            new.is_some() && new != has(address)
        };
        let (mut set, mut unset) = (Vec::new(), Vec::new());
        for (name, value) in &ensure.state.attributes {
            match value {
                Some(value) if has(name) != Some(value) || is_reset(name) => set.extend(attribute(name, value)),
                None if has(name).is_some_and(|value| !value.is_empty()) => unset.push(name.clone()),
                Some(_) | None => {}
            }
        }
        if !set.is_empty() {
            const OPERATION: &str = "AdminUpdateUserAttributes";
            let update = || {
                let request = cognito.admin_update_user_attributes().user_pool_id(pool).username(username);
                request.set_user_attributes(Some(set.clone())).send()
            };
            self.call_by_name(Category::Users, run, update).await.map_err(|failure| (OPERATION, failure))?;
            lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None);
        }
        if !unset.is_empty() {
            const OPERATION: &str = "AdminDeleteUserAttributes";
            let delete = || {
                let request = cognito.admin_delete_user_attributes().user_pool_id(pool).username(username);
                request.set_user_attribute_names(Some(unset.clone())).send()
            };
            self.call_by_name(Category::Users, run, delete).await.map_err(|failure| (OPERATION, failure))?;
            lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None);
        }
        Ok(())
    }

    pub(super) fn user_step_failed(
        &self,
        ensure: &EnsureUser,
        operation: &'static str,
        failure: &CallFailure,
    ) -> Applied {
        // The user was deleted between two calls: read again.
        if failure.is(NO_USER) { Applied::Changed } else { user_failed(&self.model, ensure, operation, failure) }
    }
}

fn attribute(name: &str, value: &str) -> Option<AttributeType> {
    AttributeType::builder().name(name).value(value).build().ok()
}
