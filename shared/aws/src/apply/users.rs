//! Cognito: users. An effect also succeeds if its result already exists.

use aws_sdk_cognitoidentityprovider::types::{AttributeType, MessageActionType};
use instep_flow::effect::{CreatePolicy, EnsureUser};
use instep_flow::reconcile::{Applied, Missing};
use instep_flow::report::EffectOutcome;
use instep_model::VERIFIED_ATTRIBUTE;

use super::EffectLines;
use super::cognito::{NO_POOL, NO_USER, SERVICE, already, done, is_unsure, skipped};
use super::refused::{ANOTHER_USER, failed, user_failed};
use crate::call::{Backoff, CallFailure};
use crate::cognito::Cognito;
use crate::pace::Category;
use crate::run_options::RunOptions;

/// The user was created, and its invitation was not delivered. Source: Amazon Cognito User Pools API
/// Reference, AdminCreateUser, "Errors".
const NOT_DELIVERED: &str = "CodeDeliveryFailureException";

/// The attribute with the id that Cognito generates.
const SUB: &str = "sub";

impl Cognito {
    pub(super) async fn disable_user(&self, user: &str, run: &RunOptions, lines: &mut EffectLines) -> Applied {
        const OPERATION: &str = "AdminDisableUser";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        let disable = || self.cognito.admin_disable_user().user_pool_id(pool).username(user).send();
        match self.call(Category::Users, run, disable).await {
            Ok(_) => done(lines, OPERATION, user),
            // Just after its creation Cognito may not know a user yet.
            Err(failure) if failure.is(NO_USER) => {
                already(lines, OPERATION, user);
                Applied::Missing(Missing::User)
            }
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    pub(super) async fn delete_user(&self, user: &str, run: &RunOptions, lines: &mut EffectLines) -> Applied {
        const OPERATION: &str = "AdminDeleteUser";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        let delete = || self.cognito.admin_delete_user().user_pool_id(pool).username(user).send();
        match self.call(Category::Users, run, delete).await {
            Ok(_) => done(lines, OPERATION, user),
            Err(failure) if failure.is(NO_USER) => already(lines, OPERATION, user),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// If the item was just created, AdminCreateUser is called first: that saves a read of the
    /// user.
    pub(super) async fn ensure_user(&self, ensure: &EnsureUser, run: &RunOptions, lines: &mut EffectLines) -> Applied {
        let user = ensure.user.as_str();
        let Some(pool) = &self.pool else { return skipped(lines, "AdminCreateUser", user, NO_POOL) };
        let is_fresh = ensure.fresh && ensure.create != CreatePolicy::Never;
        if !is_fresh && let Some(applied) = self.update_user(pool, ensure, false, run, lines).await {
            return applied;
        }
        if ensure.create == CreatePolicy::Never {
            return skipped(lines, "AdminCreateUser", user, "pending: Instep does not create this user");
        }
        let (mut attempts, mut backoff) = (0, Backoff::new(run.deadline));
        loop {
            match self.create_user(pool, ensure, &mut attempts, run, lines).await {
                Ok(created) => return created,
                Err(failure) if failure.is("UsernameExistsException") => {}
                Err(failure) if failure.is(NOT_DELIVERED) => return self.not_invited(pool, ensure, run, lines).await,
                Err(failure) => return user_failed(&self.model, ensure, "AdminCreateUser", &failure),
            }
            if let Some(applied) = self.update_user(pool, ensure, is_unsure(attempts), run, lines).await {
                return applied;
            }
            // The user was deleted between two calls, or never was the one that exists.
            if !backoff.wait().await {
                return if backoff.is_used_up() { of_another_user() } else { Applied::Changed };
            }
        }
    }

    async fn create_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        attempts: &mut u32,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<Applied, CallFailure> {
        let attributes: Vec<AttributeType> =
            ensure.state.attributes.iter().filter_map(|(name, value)| attribute(name, value.as_deref()?)).collect();
        let silent = (ensure.create == CreatePolicy::Silent).then_some(MessageActionType::Suppress);
        let create = || {
            let request = self.cognito.admin_create_user().user_pool_id(pool).username(&ensure.user);
            request.set_user_attributes(Some(attributes.clone())).set_message_action(silent.clone()).send()
        };
        let (answer, made) = self.attempts(Category::UserCreation, run, create).await;
        *attempts += made;
        if let Some(user) = answer?.user
            && is_other(&ensure.user, user.username(), user.attributes())
        {
            return Ok(other_user("AdminCreateUser"));
        }
        lines.add(SERVICE, "AdminCreateUser", &ensure.user, EffectOutcome::Done, None);
        if !ensure.state.enabled {
            let disable = || self.cognito.admin_disable_user().user_pool_id(pool).username(&ensure.user).send();
            self.call(Category::Users, run, disable).await?;
            lines.add(SERVICE, "AdminDisableUser", &ensure.user, EffectOutcome::Done, None);
        }
        Ok(Applied::Done { created: true })
    }

    /// Cognito has created a user although it could not deliver the invitation. The user gets the
    /// state that its item implies, and the record is parked, so that somebody learns of it.
    async fn not_invited(&self, pool: &str, ensure: &EnsureUser, run: &RunOptions, lines: &mut EffectLines) -> Applied {
        let why = "the user was created, but Cognito could not deliver the invitation".to_owned();
        lines.add(SERVICE, "AdminCreateUser", &ensure.user, EffectOutcome::NotDone, Some(why.clone()));
        match self.update_user(pool, ensure, true, run, lines).await {
            None => Applied::Changed,
            Some(Applied::Done { .. }) => {
                let reason = format!(
                    "AdminCreateUser answered {NOT_DELIVERED}: {why}; correct the address in the item and invite the \
                     user again (AdminCreateUser with MessageAction RESEND), then redrive the record"
                );
                Applied::CreatedInPart { code: "not-invited", reason }
            }
            Some(other) => other,
        }
    }

    /// Makes only the calls that the present state of a user needs. `None` if the user does not
    /// exist. `created` tells whether this run may have created the user.
    async fn update_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        created: bool,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Option<Applied> {
        let get = || self.cognito.admin_get_user().user_pool_id(pool).username(&ensure.user).send();
        let present = match self.call(Category::UserRead, run, get).await {
            Ok(answer) => answer,
            Err(failure) if failure.is(NO_USER) => return None,
            Err(failure) => return Some(failed("AdminGetUser", &failure)),
        };
        if is_other(&ensure.user, Some(present.username()), present.user_attributes()) {
            return Some(other_user("AdminGetUser"));
        }
        let steps = lines.reports.len();
        if let Err((operation, failure)) =
            self.update_attributes(pool, ensure, present.user_attributes(), run, lines).await
        {
            return Some(self.user_step_failed(ensure, operation, &failure));
        }
        let user = ensure.user.as_str();
        if present.enabled() && !ensure.state.enabled {
            let disabled = self.disable_user(user, run, lines).await;
            return Some(if disabled == Applied::DONE {
                Applied::Done { created }
            } else if matches!(disabled, Applied::Missing(_)) {
                Applied::Changed
            } else {
                disabled
            });
        }
        // Without a rule in the model, the table does not say whether a user is enabled, and people
        // may have disabled the user.
        let rule = self.model.item(ensure.of.of).user.as_ref().is_some_and(|user| user.disabled.is_some());
        if rule && !present.enabled() && ensure.state.enabled {
            let enable = || self.cognito.admin_enable_user().user_pool_id(pool).username(user).send();
            if let Err(failure) = self.call(Category::Users, run, enable).await {
                return Some(self.user_step_failed(ensure, "AdminEnableUser", &failure));
            }
            lines.add(SERVICE, "AdminEnableUser", user, EffectOutcome::Done, None);
        }
        if lines.reports.len() == steps {
            lines.add(SERVICE, "AdminCreateUser", user, EffectOutcome::Already, None);
        }
        Some(Applied::Done { created })
    }

    /// Sets and deletes the attributes that differ.
    async fn update_attributes(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        present: &[AttributeType],
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<(), (&'static str, CallFailure)> {
        let (user, cognito) = (ensure.user.as_str(), &self.cognito);
        let has = |name: &str| {
            present.iter().find(|attribute| attribute.name() == name).and_then(|attribute| attribute.value())
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
                let request = cognito.admin_update_user_attributes().user_pool_id(pool).username(user);
                request.set_user_attributes(Some(set.clone())).send()
            };
            self.call(Category::Users, run, update).await.map_err(|failure| (OPERATION, failure))?;
            lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None);
        }
        if !unset.is_empty() {
            const OPERATION: &str = "AdminDeleteUserAttributes";
            let delete = || {
                let request = cognito.admin_delete_user_attributes().user_pool_id(pool).username(user);
                request.set_user_attribute_names(Some(unset.clone())).send()
            };
            self.call(Category::Users, run, delete).await.map_err(|failure| (OPERATION, failure))?;
            lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None);
        }
        Ok(())
    }

    fn user_step_failed(&self, ensure: &EnsureUser, operation: &'static str, failure: &CallFailure) -> Applied {
        // The user was deleted between two calls: read again.
        if failure.is(NO_USER) { Applied::Changed } else { user_failed(&self.model, ensure, operation, failure) }
    }
}

/// Whether an answer is about another user than the one that was asked for: in a pool with sign-in
/// aliases, a name may be the alias of another user. Where users sign in by an attribute, Cognito
/// generates the names, and they are equal to `sub`.
fn is_other(asked: &str, answered: Option<&str>, attributes: &[AttributeType]) -> bool {
    let Some(answered) = answered else { return false };
    let sub = attributes.iter().find(|attribute| attribute.name() == SUB).and_then(|attribute| attribute.value());
    answered.to_lowercase() != asked.to_lowercase() && sub != Some(answered)
}

fn other_user(operation: &str) -> Applied {
    let reason = format!(
        "{operation} answered for another user, of whom the name is an alias: use a user pool without sign-in aliases, \
         or remove the alias from that user, then redrive the record"
    );
    Applied::Refused { code: "other-user", reason }
}

/// INVARIANT 6: the batch does not wait for a user that can never be created.
fn of_another_user() -> Applied {
    let reason = format!(
        "AdminCreateUser answers that the user exists, and AdminGetUser that it does not: {ANOTHER_USER}, then redrive \
         the record"
    );
    Applied::Refused { code: "other-user", reason }
}

fn attribute(name: &str, value: &str) -> Option<AttributeType> {
    AttributeType::builder().name(name).value(value).build().ok()
}
