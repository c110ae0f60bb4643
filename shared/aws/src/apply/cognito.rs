//! Cognito: users, groups, memberships. "Already so" is success.

use aws_sdk_cognitoidentityprovider::types::{AttributeType, MessageActionType};
use instep_flow::effect::{CreatePolicy, EnsureUser};
use instep_flow::report::Done;
use instep_model::Marker;

use super::{Applied, Lines, membership};
use crate::call::{Backoff, Failure, classify, is_throttle, retry};
use crate::handler::{Instep, Run};

const SERVICE: &str = "cognito";

/// What a description begins with of a group that Instep made, before the model's name.
const MARK: &str = "instep:";

/// Attempts to add a member whose user or group is not there yet.
const ADD_ATTEMPTS_MAX: usize = 6;

const NOT_FOUND: &str = "ResourceNotFoundException";
const NO_USER: &str = "UserNotFoundException";

/// What stands in a report where the service could not be asked to change anything.
const NO_POOL: &str = "no user pool is configured";

/// Whether an answer says that the pool itself is missing: then the configuration is wrong, not the group.
fn pool_missing(failure: &Failure) -> bool {
    matches!(failure, Failure::Answer { code, message } if code == NOT_FOUND && message.to_ascii_lowercase().contains("pool"))
}

/// A group that is not there.
fn group_missing(failure: &Failure) -> bool {
    failure.is(NOT_FOUND) && !pool_missing(failure)
}

fn failed(operation: &'static str, failure: &Failure) -> Applied {
    Applied::failed(operation, failure)
}

fn done(lines: &mut Lines, operation: &'static str, target: &str) -> Applied {
    lines.add(SERVICE, operation, target, Done::Done, None);
    Applied::Held
}

fn already(lines: &mut Lines, operation: &'static str, target: &str) -> Applied {
    lines.add(SERVICE, operation, target, Done::Already, None);
    Applied::Held
}

fn left(lines: &mut Lines, operation: &'static str, target: &str, why: &str) -> Applied {
    lines.add(SERVICE, operation, target, Done::Undone, Some(why.to_owned()));
    Applied::Left
}

impl Instep {
    fn mark(&self) -> String {
        format!("{MARK}{}", self.model.name)
    }

    /// Whether a group is there, and ours.
    async fn owns_group(&self, pool: &str, group: &str, run: &Run) -> Result<bool, Failure> {
        match self.model.marker {
            Marker::Name => Ok(true),
            Marker::Description => {
                let get = || self.clients.cognito.get_group().user_pool_id(pool).group_name(group).send();
                let answer = self.cognito_call(run, get).await?;
                let description = answer.group().and_then(|group| group.description()).unwrap_or_default().to_owned();
                // People may add words of their own behind it; another model's mark may begin alike.
                let mark = self.mark();
                Ok(description.strip_prefix(&mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
            }
        }
    }

    /// INVARIANT 9: a group that does not carry our mark is not ours to delete.
    pub(super) async fn delete_group(&self, group: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "DeleteGroup";
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, group, NO_POOL) };
        match self.owns_group(pool, group, run).await {
            Ok(true) => {}
            Ok(false) => return left(lines, OPERATION, group, "not made by Instep: its description lacks the mark"),
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
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, group, NO_POOL) };
        let mark = self.mark();
        let create =
            || self.clients.cognito.create_group().user_pool_id(pool).group_name(group).description(&mark).send();
        match self.cognito_call(run, create).await {
            Ok(_) => return done(lines, OPERATION, group),
            Err(failure) if failure.is("GroupExistsException") => {}
            Err(failure) => return failed(OPERATION, &failure),
        }
        // An item in the table names it: it comes under management, whoever made it.
        match self.owns_group(pool, group, run).await {
            Ok(true) => return already(lines, OPERATION, group),
            Ok(false) => {}
            // Gone between the two calls: look again.
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

    pub(super) async fn remove_member(&self, user: &str, group: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminRemoveUserFromGroup";
        let target = membership(user, group);
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, &target, NO_POOL) };
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

    pub(super) async fn add_member(
        &self,
        user: &str,
        group: &str,
        make_group: bool,
        make_user: Option<&EnsureUser>,
        run: &Run,
        lines: &mut Lines,
    ) -> Applied {
        const OPERATION: &str = "AdminAddUserToGroup";
        let target = membership(user, group);
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, &target, NO_POOL) };
        let mut backoff = Backoff::new(run.deadline);
        // Both the user and the group may have to be made, and each may come and go.
        for _ in 0..ADD_ATTEMPTS_MAX {
            let add = || {
                self.clients
                    .cognito
                    .admin_add_user_to_group()
                    .user_pool_id(pool)
                    .username(user)
                    .group_name(group)
                    .send()
            };
            let made = match self.cognito_call(run, add).await {
                Ok(_) => return done(lines, OPERATION, &target),
                Err(failure) if failure.is(NO_USER) => match make_user {
                    Some(ensure) => self.make_user(ensure, run, lines).await,
                    None => return left(lines, OPERATION, &target, "its user is not in Cognito"),
                },
                Err(failure) if group_missing(&failure) && make_group => {
                    lines.made_group = true;
                    self.ensure_group(group, run, lines).await
                }
                Err(failure) if group_missing(&failure) => {
                    return left(lines, OPERATION, &target, "waits for the group, which people make");
                }
                Err(failure) => return failed(OPERATION, &failure),
            };
            match made {
                Applied::Held => {}
                // For a moment after a deletion, "exists" and "not found" can both be answered.
                Applied::Moved if backoff.wait().await => {}
                Applied::Moved => break,
                Applied::Left | Applied::Failed(_) | Applied::Refused { .. } => return made,
            }
        }
        Applied::Failed(format!("{OPERATION}: user or group comes and goes"))
    }

    pub(super) async fn disable_user(&self, user: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminDisableUser";
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, user, NO_POOL) };
        let disable = || self.clients.cognito.admin_disable_user().user_pool_id(pool).username(user).send();
        match self.cognito_call(run, disable).await {
            Ok(_) => done(lines, OPERATION, user),
            Err(failure) if failure.is(NO_USER) => already(lines, OPERATION, user),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    pub(super) async fn delete_user(&self, user: &str, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminDeleteUser";
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, user, NO_POOL) };
        let delete = || self.clients.cognito.admin_delete_user().user_pool_id(pool).username(user).send();
        match self.cognito_call(run, delete).await {
            Ok(_) => done(lines, OPERATION, user),
            Err(failure) if failure.is(NO_USER) => already(lines, OPERATION, user),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// A user that was just written is probably not there yet: creating it first saves a call.
    pub(super) async fn ensure_user(&self, ensure: &EnsureUser, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminCreateUser";
        let user = ensure.user.as_str();
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, user, NO_POOL) };
        if ensure.fresh && ensure.create != CreatePolicy::Never {
            match self.create_user(pool, ensure, run, lines).await {
                Ok(()) => return Applied::Held,
                Err(failure) if failure.is("UsernameExistsException") => {}
                Err(failure) => return failed(OPERATION, &failure),
            }
        }
        let get = || self.clients.cognito.admin_get_user().user_pool_id(pool).username(user).send();
        let answer = match self.cognito_call(run, get).await {
            Ok(answer) => answer,
            Err(failure) if failure.is(NO_USER) && ensure.create == CreatePolicy::Never => {
                return left(lines, OPERATION, user, "waits for the user, which Instep does not create");
            }
            Err(failure) if failure.is(NO_USER) && ensure.fresh => return Applied::Moved,
            Err(failure) if failure.is(NO_USER) => {
                return match self.create_user(pool, ensure, run, lines).await {
                    Ok(()) => Applied::Held,
                    Err(failure) if failure.is("UsernameExistsException") => Applied::Moved,
                    Err(failure) => failed(OPERATION, &failure),
                };
            }
            Err(failure) => return failed("AdminGetUser", &failure),
        };
        self.mend_user(pool, ensure, answer.user_attributes(), answer.enabled(), run, lines).await
    }

    /// Makes a user for a member. One that is there by now is left to its own item: what this run knows of it may be old.
    async fn make_user(&self, ensure: &EnsureUser, run: &Run, lines: &mut Lines) -> Applied {
        const OPERATION: &str = "AdminCreateUser";
        let user = ensure.user.as_str();
        let Some(pool) = &self.settings.user_pool else { return left(lines, OPERATION, user, NO_POOL) };
        if ensure.create == CreatePolicy::Never {
            return left(lines, OPERATION, user, "waits for the user, which Instep does not create");
        }
        lines.made_user = true;
        match self.create_user(pool, ensure, run, lines).await {
            Ok(()) => Applied::Held,
            Err(failure) if failure.is("UsernameExistsException") => Applied::Moved,
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    async fn create_user(&self, pool: &str, ensure: &EnsureUser, run: &Run, lines: &mut Lines) -> Result<(), Failure> {
        let attributes: Vec<AttributeType> =
            ensure.state.attributes.iter().filter_map(|(name, value)| attribute(name, value.as_deref()?)).collect();
        let silent = (ensure.create == CreatePolicy::Silent).then_some(MessageActionType::Suppress);
        let create = || {
            let request = self.clients.cognito.admin_create_user().user_pool_id(pool).username(&ensure.user);
            request.set_user_attributes(Some(attributes.clone())).set_message_action(silent.clone()).send()
        };
        self.cognito_call(run, create).await?;
        lines.add(SERVICE, "AdminCreateUser", &ensure.user, Done::Done, None);
        if !ensure.state.enabled {
            let disable = || self.clients.cognito.admin_disable_user().user_pool_id(pool).username(&ensure.user).send();
            self.cognito_call(run, disable).await?;
            lines.add(SERVICE, "AdminDisableUser", &ensure.user, Done::Done, None);
        }
        Ok(())
    }

    /// Makes the calls that a user's present state needs, and no other.
    async fn mend_user(
        &self,
        pool: &str,
        ensure: &EnsureUser,
        present: &[AttributeType],
        enabled: bool,
        run: &Run,
        lines: &mut Lines,
    ) -> Applied {
        let user = ensure.user.as_str();
        let cognito = &self.clients.cognito;
        let has = |name: &str| {
            present.iter().find(|attribute| attribute.name() == name).and_then(|attribute| attribute.value())
        };
        let wanted = ensure.state.attributes.iter();
        let (mut set, mut unset) = (Vec::new(), Vec::new());
        for (name, value) in wanted {
            match value {
                Some(value) if has(name) != Some(value) => set.extend(attribute(name, value)),
                None if has(name).is_some_and(|value| !value.is_empty()) => unset.push(name.clone()),
                Some(_) | None => {}
            }
        }
        let mut steps = 0;
        if !set.is_empty() {
            let update = || {
                cognito
                    .admin_update_user_attributes()
                    .user_pool_id(pool)
                    .username(user)
                    .set_user_attributes(Some(set.clone()))
                    .send()
            };
            if let Err(failure) = self.cognito_call(run, update).await {
                return user_step_failed("AdminUpdateUserAttributes", &failure);
            }
            lines.add(SERVICE, "AdminUpdateUserAttributes", user, Done::Done, None);
            steps += 1;
        }
        if !unset.is_empty() {
            let delete = || {
                cognito
                    .admin_delete_user_attributes()
                    .user_pool_id(pool)
                    .username(user)
                    .set_user_attribute_names(Some(unset.clone()))
                    .send()
            };
            if let Err(failure) = self.cognito_call(run, delete).await {
                return user_step_failed("AdminDeleteUserAttributes", &failure);
            }
            lines.add(SERVICE, "AdminDeleteUserAttributes", user, Done::Done, None);
            steps += 1;
        }
        if enabled == ensure.state.enabled {
            return if steps == 0 { already(lines, "AdminCreateUser", user) } else { Applied::Held };
        }
        if !ensure.state.enabled {
            return self.disable_user(user, run, lines).await;
        }
        let enable = || cognito.admin_enable_user().user_pool_id(pool).username(user).send();
        match self.cognito_call(run, enable).await {
            Ok(_) => done(lines, "AdminEnableUser", user),
            Err(failure) => user_step_failed("AdminEnableUser", &failure),
        }
    }

    /// A call to Cognito, within this process's share of the account's rate. One that is under way is waited for also past the
    /// deadline: what lands after it was given up could undo what came after it.
    pub(super) async fn cognito_call<T, E, F, Fut>(&self, run: &Run, mut attempt: F) -> Result<T, Failure>
    where
        E: aws_smithy_types::error::metadata::ProvideErrorMetadata,
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>>,
    {
        retry(run.deadline, || {
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
        .await
    }
}

fn user_step_failed(operation: &'static str, failure: &Failure) -> Applied {
    // Gone between two calls: look again.
    if failure.is(NO_USER) { Applied::Moved } else { failed(operation, failure) }
}

fn attribute(name: &str, value: &str) -> Option<AttributeType> {
    AttributeType::builder().name(name).value(value).build().ok()
}
