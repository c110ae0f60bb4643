//! Cognito: users, groups and memberships. An effect succeeds if its result is already there.

use std::sync::atomic::{AtomicU32, Ordering};

use aws_sdk_cognitoidentityprovider::types::{AttributeType, MessageActionType};
use instep_flow::effect::{AddMember, CreatePolicy, EnsureUser, IfMissing};
use instep_flow::read::Membership;
use instep_flow::reconcile::{Applied, Missing};
use instep_flow::report::EffectOutcome;
use instep_model::Marker;

use super::{Lines, failed};
use crate::call::{Backoff, Failure, classify, is_throttle, retry};
use crate::instep::{Instep, Run};

const SERVICE: &str = "cognito";

/// The beginning of the description of a group that Instep created, before the model's name.
const MARK: &str = "instep:";

/// The number of attempts to add a member whose user or group does not exist yet.
const ADD_ATTEMPTS_MAX: usize = 6;

const NOT_FOUND: &str = "ResourceNotFoundException";
const NO_USER: &str = "UserNotFoundException";

/// The reason in a report if no pool is configured.
const NO_POOL: &str = "no user pool is configured";

/// Whether the pool itself does not exist. Then the configuration is wrong, not the group.
fn pool_missing(failure: &Failure) -> bool {
    matches!(failure, Failure::Answer { code, message } if code == NOT_FOUND && message.to_ascii_lowercase().contains("pool"))
}

/// A group that does not exist.
fn group_missing(failure: &Failure) -> bool {
    failure.is(NOT_FOUND) && !pool_missing(failure)
}

fn done(lines: &mut Lines, operation: &'static str, target: &str) -> Applied {
    lines.add(SERVICE, operation, target, EffectOutcome::Done, None);
    Applied::DONE
}

fn already(lines: &mut Lines, operation: &'static str, target: &str) -> Applied {
    lines.add(SERVICE, operation, target, EffectOutcome::Already, None);
    Applied::DONE
}

fn skipped(lines: &mut Lines, operation: &'static str, target: &str, why: &str) -> Applied {
    lines.add(SERVICE, operation, target, EffectOutcome::NotDone, Some(why.to_owned()));
    Applied::Skipped
}

impl Instep {
    fn mark(&self) -> String {
        format!("{MARK}{}", self.model.name)
    }

    /// Whether a group exists, and whether Instep created it.
    async fn owns_group(&self, pool: &str, group: &str, run: &Run) -> Result<bool, Failure> {
        match self.model.marker {
            Marker::Name => Ok(true),
            Marker::Description => {
                let get = || self.clients.cognito.get_group().user_pool_id(pool).group_name(group).send();
                let answer = self.cognito_call(run, get).await?;
                let description = answer.group().and_then(|group| group.description()).unwrap_or_default().to_owned();
                // People may append their own text. Another mark may begin with this one.
                let mark = self.mark();
                Ok(description.strip_prefix(&mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
            }
        }
    }

    /// INVARIANT 9: Instep does not delete a group without its mark.
    pub(super) async fn delete_group(&self, group: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "DeleteGroup";
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, OPERATION, group, NO_POOL) };
        match self.owns_group(pool, group, run).await {
            Ok(true) => {}
            Ok(false) => return skipped(lines, OPERATION, group, "not made by Instep: its description lacks the mark"),
            Err(failure) if group_missing(&failure) => return already(lines, OPERATION, group),
            Err(failure) => return failed("GetGroup", &failure),
        }
        let delete = || self.clients.cognito.delete_group().user_pool_id(pool).group_name(group).send();
        match self.cognito_call(run, delete).await {
            Ok(_) => done(lines, OPERATION, group),
            Err(failure) if group_missing(&failure) => already(lines, OPERATION, group),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    pub(super) async fn ensure_group(&self, group: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "CreateGroup";
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, OPERATION, group, NO_POOL) };
        let mark = self.mark();
        let create =
            || self.clients.cognito.create_group().user_pool_id(pool).group_name(group).description(&mark).send();
        let (answer, attempts) = self.cognito_attempts(run, create).await;
        match answer {
            Ok(_) => {
                lines.add(SERVICE, OPERATION, group, EffectOutcome::Done, None);
                return Applied::Done { created: true };
            }
            Err(failure) if failure.is("GroupExistsException") => {}
            Err(failure) => return failed(OPERATION, &failure),
        }
        // An item in the table names it: it comes under management, whoever created it.
        match self.owns_group(pool, group, run).await {
            Ok(true) => {
                lines.add(SERVICE, OPERATION, group, EffectOutcome::Already, None);
                return Applied::Done { created: is_unsure(attempts) };
            }
            Ok(false) => {}
            // Deleted between the two calls: read again.
            Err(failure) if group_missing(&failure) => return Applied::Moved,
            Err(failure) => return failed("GetGroup", &failure),
        }
        let update =
            || self.clients.cognito.update_group().user_pool_id(pool).group_name(group).description(&mark).send();
        match self.cognito_call(run, update).await {
            Ok(_) => done(lines, "UpdateGroup", group),
            Err(failure) if group_missing(&failure) => Applied::Moved,
            Err(failure) => failed("UpdateGroup", &failure),
        }
    }

    pub(super) async fn remove_member(&self, membership: &Membership, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminRemoveUserFromGroup";
        let (Membership { user, group }, target) = (membership, target(membership));
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, OPERATION, &target, NO_POOL) };
        let remove = || {
            self.clients
                .cognito
                .admin_remove_user_from_group()
                .user_pool_id(pool)
                .username(user)
                .group_name(group)
                .send()
        };
        match self.cognito_call(run, remove).await {
            Ok(_) => done(lines, OPERATION, &target),
            Err(failure) if failure.is(NO_USER) || group_missing(&failure) => already(lines, OPERATION, &target),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// Adds a member. A group that no item defines is created with its first member.
    pub(super) async fn add_member(&self, add: &AddMember, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminAddUserToGroup";
        let (Membership { user, group }, target) = (&add.membership, target(&add.membership));
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, OPERATION, &target, NO_POOL) };
        let mut backoff = Backoff::new(run.deadline);
        for _ in 0..ADD_ATTEMPTS_MAX {
            let add_user = || {
                let request = self.clients.cognito.admin_add_user_to_group().user_pool_id(pool).username(user);
                request.group_name(group).send()
            };
            let (missing, if_missing) = match self.cognito_call(run, add_user).await {
                Ok(_) => return done(lines, OPERATION, &target),
                Err(failure) if failure.is(NO_USER) => (Missing::User, &add.if_no_user),
                Err(failure) if group_missing(&failure) => (Missing::Group, &add.if_no_group),
                Err(failure) => return failed(OPERATION, &failure),
            };
            match (missing, if_missing) {
                (Missing::User, IfMissing::Pending | IfMissing::Create) => {
                    return skipped(lines, OPERATION, &target, "pending: the user is not in Cognito");
                }
                (Missing::Group, IfMissing::Pending) => {
                    return skipped(lines, OPERATION, &target, "pending: people create this group");
                }
                (_, IfMissing::HandOn(_)) => {
                    let why = "Cognito does not know the user or group yet: handed on with them".to_owned();
                    lines.add(SERVICE, OPERATION, &target, EffectOutcome::NotDone, Some(why));
                    return Applied::Missing(missing);
                }
                (Missing::Group, IfMissing::Create) => match self.ensure_group(group, run, lines).await {
                    Applied::Done { .. } => {}
                    // Just after a deletion Cognito can answer both "exists" and "not found".
                    Applied::Moved if backoff.wait().await => {}
                    other @ (Applied::Moved
                    | Applied::Skipped
                    | Applied::Missing(_)
                    | Applied::Failed(_)
                    | Applied::Refused { .. }) => return other,
                },
            }
        }
        Applied::Failed(format!("{OPERATION}: the group is repeatedly created and deleted"))
    }

    pub(super) async fn disable_user(&self, user: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminDisableUser";
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        let disable = || self.clients.cognito.admin_disable_user().user_pool_id(pool).username(user).send();
        match self.cognito_call(run, disable).await {
            Ok(_) => done(lines, OPERATION, user),
            Err(failure) if failure.is(NO_USER) => already(lines, OPERATION, user),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    pub(super) async fn delete_user(&self, user: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminDeleteUser";
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, OPERATION, user, NO_POOL) };
        let delete = || self.clients.cognito.admin_delete_user().user_pool_id(pool).username(user).send();
        match self.cognito_call(run, delete).await {
            Ok(_) => done(lines, OPERATION, user),
            Err(failure) if failure.is(NO_USER) => already(lines, OPERATION, user),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// The user of an item that was just created is created first: that saves a read.
    pub(super) async fn ensure_user(&self, ensure: &EnsureUser, run: &Run, lines: &mut Lines) -> Applied {
        let user = ensure.user.as_str();
        let Some(pool) = &self.settings.user_pool else { return skipped(lines, "AdminCreateUser", user, NO_POOL) };
        let is_fresh = ensure.fresh && ensure.create != CreatePolicy::Never;
        if !is_fresh && let Some(applied) = self.update_user(pool, ensure, false, run, lines).await {
            return applied;
        }
        if ensure.create == CreatePolicy::Never {
            return skipped(lines, "AdminCreateUser", user, "pending: Instep does not create this user");
        }
        let mut attempts = 0;
        match self.create_user(pool, ensure, &mut attempts, run, lines).await {
            Ok(()) => return Applied::Done { created: true },
            Err(failure) if failure.is("UsernameExistsException") => {}
            Err(failure) => return failed("AdminCreateUser", &failure),
        }
        // Deleted between two calls: read again.
        self.update_user(pool, ensure, is_unsure(attempts), run, lines).await.unwrap_or(Applied::Moved)
    }

    async fn create_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        attempts: &mut u32,
        run: &Run,
        lines: &mut Lines,
    ) -> Result<(), Failure> {
        let attributes: Vec<AttributeType> =
            ensure.state.attributes.iter().filter_map(|(name, value)| attribute(name, value.as_deref()?)).collect();
        let silent = (ensure.create == CreatePolicy::Silent).then_some(MessageActionType::Suppress);
        let create = || {
            let request = self.clients.cognito.admin_create_user().user_pool_id(pool).username(&ensure.user);
            request.set_user_attributes(Some(attributes.clone())).set_message_action(silent.clone()).send()
        };
        let answer;
        (answer, *attempts) = self.cognito_attempts(run, create).await;
        answer?;
        lines.add(SERVICE, "AdminCreateUser", &ensure.user, EffectOutcome::Done, None);
        if !ensure.state.enabled {
            let disable = || self.clients.cognito.admin_disable_user().user_pool_id(pool).username(&ensure.user).send();
            self.cognito_call(run, disable).await?;
            lines.add(SERVICE, "AdminDisableUser", &ensure.user, EffectOutcome::Done, None);
        }
        Ok(())
    }

    /// Makes only the calls that the present state of a user needs. `None` if the user does not
    /// exist. `created` tells whether this run may have created the user.
    async fn update_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        created: bool,
        run: &Run,
        lines: &mut Lines,
    ) -> Option<Applied> {
        let get = || self.clients.cognito.admin_get_user().user_pool_id(pool).username(&ensure.user).send();
        let present = match self.cognito_call(run, get).await {
            Ok(answer) => answer,
            Err(failure) if failure.is(NO_USER) => return None,
            Err(failure) => return Some(failed("AdminGetUser", &failure)),
        };
        let steps = lines.0.len();
        if let Err((operation, failure)) =
            self.update_attributes(pool, ensure, present.user_attributes(), run, lines).await
        {
            return Some(user_step_failed(operation, &failure));
        }
        let user = ensure.user.as_str();
        if present.enabled() && !ensure.state.enabled {
            let disabled = self.disable_user(user, run, lines).await;
            return Some(if disabled == Applied::DONE { Applied::Done { created } } else { disabled });
        }
        if !present.enabled() && ensure.state.enabled {
            let enable = || self.clients.cognito.admin_enable_user().user_pool_id(pool).username(user).send();
            if let Err(failure) = self.cognito_call(run, enable).await {
                return Some(user_step_failed("AdminEnableUser", &failure));
            }
            lines.add(SERVICE, "AdminEnableUser", user, EffectOutcome::Done, None);
        }
        if lines.0.len() == steps {
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
        run: &Run,
        lines: &mut Lines,
    ) -> Result<(), (&'static str, Failure)> {
        let (user, cognito) = (ensure.user.as_str(), &self.clients.cognito);
        let has = |name: &str| {
            present.iter().find(|attribute| attribute.name() == name).and_then(|attribute| attribute.value())
        };
        let (mut set, mut unset) = (Vec::new(), Vec::new());
        for (name, value) in &ensure.state.attributes {
            match value {
                Some(value) if has(name) != Some(value) => set.extend(attribute(name, value)),
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
            self.cognito_call(run, update).await.map_err(|failure| (OPERATION, failure))?;
            lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None);
        }
        if !unset.is_empty() {
            const OPERATION: &str = "AdminDeleteUserAttributes";
            let delete = || {
                let request = cognito.admin_delete_user_attributes().user_pool_id(pool).username(user);
                request.set_user_attribute_names(Some(unset.clone())).send()
            };
            self.cognito_call(run, delete).await.map_err(|failure| (OPERATION, failure))?;
            lines.add(SERVICE, OPERATION, user, EffectOutcome::Done, None);
        }
        Ok(())
    }

    /// A call to Cognito, within this process's share of the account's rate.
    pub(crate) async fn cognito_call<T, E, F, Fut>(&self, run: &Run, attempt: F) -> Result<T, Failure>
    where
        E: aws_smithy_types::error::metadata::ProvideErrorMetadata,
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>>,
    {
        self.cognito_attempts(run, attempt).await.0
    }

    /// As [`Instep::cognito_call`], with the number of attempts. A running attempt is awaited even
    /// after the deadline, because a timed-out request can still complete and overwrite a newer
    /// one.
    async fn cognito_attempts<T, E, F, Fut>(&self, run: &Run, mut attempt: F) -> (Result<T, Failure>, u32)
    where
        E: aws_smithy_types::error::metadata::ProvideErrorMetadata,
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>>,
    {
        let attempts = AtomicU32::new(0);
        let answer = retry(run.deadline, || {
            attempts.fetch_add(1, Ordering::Relaxed);
            let attempt = attempt();
            async {
                if !self.pace.turn(run.deadline).await {
                    return Err(Failure::OutOfTime);
                }
                let answer = attempt.await;
                if answer.as_ref().is_err_and(is_throttle) {
                    self.pace.throttled();
                }
                answer.map_err(classify)
            }
        })
        .await;
        (answer, attempts.into_inner())
    }
}

/// Whether an earlier attempt may have created what exists now: its answer was lost.
const fn is_unsure(attempts: u32) -> bool {
    attempts > 1
}

/// The name of a membership in reports.
pub(super) fn target(membership: &Membership) -> String {
    format!("{} in {}", membership.user, membership.group)
}

fn user_step_failed(operation: &'static str, failure: &Failure) -> Applied {
    // Deleted between two calls: read again.
    if failure.is(NO_USER) { Applied::Moved } else { failed(operation, failure) }
}

fn attribute(name: &str, value: &str) -> Option<AttributeType> {
    AttributeType::builder().name(name).value(value).build().ok()
}
