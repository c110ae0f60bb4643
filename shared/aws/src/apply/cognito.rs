//! Cognito: groups and memberships, and calls at the rate of the account. An effect also succeeds
//! if its result already exists.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use instep_flow::account::Removal;
use instep_flow::effect::{Action, AddMember, IfMissing};
use instep_flow::group_mark;
use instep_flow::group_settings::GroupSettings;
use instep_flow::implied::Membership;
use instep_flow::reconcile::{Applied, Missing};
use instep_flow::report::EffectOutcome;
use instep_model::Marker;
use tokio::sync::OnceCell;

use super::EffectLines;
use super::refused::{failed, other_user};
use crate::call::{Backoff, CallFailure};
use crate::cognito::{Cognito, NO_USER, found, settings_of, timestamp};
use crate::pace::Category;
use crate::run_options::RunOptions;
use crate::table::Table;

pub(super) const SERVICE: &str = "cognito";

/// The maximum number of attempts to add a member to a group that has to be created first.
const ADD_ATTEMPTS_MAX: usize = 6;

const NOT_FOUND: &str = "ResourceNotFoundException";

/// The reason in a report if the user has no account.
const NO_ACCOUNT: &str = "pending: the user is not in Cognito";

/// The reason in a report if an account is not known to be the user's.
const UNBOUND: &str = "no account is known to be this user's yet: handed on with it";

/// The call that finds the user of a `sub`.
pub(super) const LOOK_UP: &str = "ListUsers";

/// The reason in a report if no pool is configured.
pub(super) const NO_POOL: &str = "no user pool is configured";

/// Whether the pool itself does not exist. Then the configuration is wrong, not the group.
fn pool_missing(failure: &CallFailure) -> bool {
    matches!(failure, CallFailure::Answer { code, message } if code == NOT_FOUND && message.to_ascii_lowercase().contains("pool"))
}

/// Whether the group does not exist.
fn group_missing(failure: &CallFailure) -> bool {
    failure.is(NOT_FOUND) && !pool_missing(failure)
}

pub(super) fn done(lines: &mut EffectLines, operation: &'static str, target: &str) -> Applied {
    lines.add(SERVICE, operation, target, EffectOutcome::Done, None);
    Applied::DONE
}

pub(super) fn already(lines: &mut EffectLines, operation: &'static str, target: &str) -> Applied {
    lines.add(SERVICE, operation, target, EffectOutcome::Already, None);
    Applied::DONE
}

pub(super) fn skipped(lines: &mut EffectLines, operation: &'static str, target: &str, why: &str) -> Applied {
    lines.add(SERVICE, operation, target, EffectOutcome::NotDone, Some(why.to_owned()));
    Applied::Skipped
}

/// The groups that are created on demand while the effects of a phase are applied: each once,
/// although several members wait for it.
#[derive(Debug)]
pub(super) struct Creations<'t> {
    /// The table that lists them.
    table: &'t Table,
    cells: Mutex<BTreeMap<String, Arc<OnceCell<Applied>>>>,
}

impl<'t> Creations<'t> {
    pub(super) fn new(table: &'t Table) -> Self {
        Self { table, cells: Mutex::default() }
    }

    async fn once(&self, group: &str, create: impl Future<Output = Applied>) -> Applied {
        let cell = {
            let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(group.to_owned()).or_default())
        };
        cell.get_or_init(|| create).await.clone()
    }
}

/// What a group that exists lacks.
#[derive(Debug, Default)]
struct LackingGroup {
    /// Instep's mark.
    mark: bool,
    /// What it should have beside its name.
    settings: GroupSettings,
    /// It is an earlier item's, which was deleted.
    is_older: bool,
}

/// A group that an item implies.
struct WantedGroup<'a> {
    group: &'a str,
    settings: &'a GroupSettings,
    /// The last deletion of its item that is known.
    removal: Option<&'a Removal>,
    description: String,
}

impl Cognito {
    /// Whether Instep manages a group. If the model marks groups by their description, the group is
    /// read, and the call fails if it does not exist. Otherwise, nothing is read.
    async fn owns_group(&self, pool: &str, group: &str, run: &RunOptions) -> Result<bool, CallFailure> {
        match self.model.marker {
            Marker::Name => Ok(true),
            Marker::Description => {
                let get = || self.cognito.get_group().user_pool_id(pool).group_name(group).send();
                let answer = self.call(Category::GroupRead, run, get).await?;
                let description = answer.group().and_then(|group| group.description()).unwrap_or_default();
                Ok(group_mark::is_marked(&self.model, description))
            }
        }
    }

    /// INVARIANT 9: Instep does not delete a group without its mark.
    pub(super) async fn delete_group(&self, group: &str, run: &RunOptions, lines: &mut EffectLines) -> Applied {
        const OPERATION: &str = "DeleteGroup";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, group, NO_POOL) };
        match self.owns_group(pool, group, run).await {
            Ok(true) => {}
            Ok(false) => return skipped(lines, OPERATION, group, "not made by Instep: its description lacks the mark"),
            Err(failure) if group_missing(&failure) => return already(lines, OPERATION, group),
            Err(failure) => return failed("GetGroup", &failure),
        }
        match self.delete_existing(pool, group, run).await {
            Ok(true) => done(lines, OPERATION, group),
            Ok(false) => already(lines, OPERATION, group),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// Deletes a group, whoever made it. False if it does not exist.
    async fn delete_existing(&self, pool: &str, group: &str, run: &RunOptions) -> Result<bool, CallFailure> {
        let delete = || self.cognito.delete_group().user_pool_id(pool).group_name(group).send();
        match self.call_by_name(Category::Groups, run, delete).await {
            Ok(_) => Ok(true),
            Err(failure) if group_missing(&failure) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// Creates a group, or gives an existing one the mark and what it lacks. What the model leaves to people is not in
    /// a request: Cognito keeps it. Source: AWS CLI Command Reference, `cognito-idp update-group`, whose example
    /// names no role, and whose answer has the group's role.
    ///
    /// INVARIANT 2: a group that is older than the last deletion of its item is made again. People may have added members
    /// to it.
    pub(super) async fn ensure_group(
        &self,
        group: &str,
        settings: &GroupSettings,
        removal: Option<&Removal>,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        const OPERATION: &str = "CreateGroup";
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, group, NO_POOL) };
        let wanted =
            WantedGroup { group, settings, removal, description: group_mark::description(&self.model, removal) };
        let attempts = match self.create_group(pool, &wanted, run, lines).await {
            Ok(attempts) => attempts,
            Err(applied) => return applied,
        };
        // An item in the table implies the group, so Instep manages it from now on, whoever created
        // it.
        let lacking = match self.lacking(pool, &wanted, run).await {
            Ok(lacking) => lacking,
            // The group was deleted between the two calls: read again.
            Err(failure) if group_missing(&failure) => return Applied::Changed,
            Err(failure) => return failed("GetGroup", &failure),
        };
        if lacking.is_older {
            return self.make_again(pool, &wanted, run, lines).await;
        }
        let created = is_unsure(attempts) && !lacking.mark;
        if !lacking.mark && lacking.settings.is_empty() {
            lines.add(SERVICE, OPERATION, group, EffectOutcome::Already, None);
            return Applied::Done { created };
        }
        let update = || {
            let request = self.cognito.update_group().user_pool_id(pool).group_name(group);
            let request = request.set_description(lacking.mark.then(|| wanted.description.clone()));
            let GroupSettings { precedence, iam_role } = &lacking.settings;
            request.set_precedence(*precedence).set_role_arn(iam_role.clone()).send()
        };
        match self.call(Category::Groups, run, update).await {
            Ok(_) => {
                lines.add(SERVICE, "UpdateGroup", group, EffectOutcome::Done, None);
                Applied::Done { created }
            }
            Err(failure) if group_missing(&failure) => Applied::Changed,
            Err(failure) => failed("UpdateGroup", &failure),
        }
    }

    /// Creates a group. If it exists, returns the number of attempts.
    ///
    /// # Errors
    /// What came of it otherwise.
    async fn create_group(
        &self,
        pool: &str,
        wanted: &WantedGroup<'_>,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Result<u32, Applied> {
        const OPERATION: &str = "CreateGroup";
        let create = || {
            let GroupSettings { precedence, iam_role } = wanted.settings;
            let request = self.cognito.create_group().user_pool_id(pool).group_name(wanted.group);
            request.description(&wanted.description).set_precedence(*precedence).set_role_arn(iam_role.clone()).send()
        };
        let (answer, attempts) = self.attempts(Category::Groups, run, create).await;
        match answer {
            Ok(_) => {
                lines.add(SERVICE, OPERATION, wanted.group, EffectOutcome::Done, None);
                Err(Applied::Done { created: true })
            }
            Err(failure) if failure.is("GroupExistsException") => Ok(attempts),
            Err(failure) => Err(failed(OPERATION, &failure)),
        }
    }

    /// Makes a group again that is an earlier item's. The memberships that items imply follow, because it is created.
    async fn make_again(
        &self,
        pool: &str,
        wanted: &WantedGroup<'_>,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        match self.delete_existing(pool, wanted.group, run).await {
            Ok(true) => {
                let why = Some("it is older than the last deletion of its item".to_owned());
                lines.add(SERVICE, "DeleteGroup", wanted.group, EffectOutcome::Done, why);
            }
            Ok(false) => {}
            Err(failure) => return failed("DeleteGroup", &failure),
        }
        match self.create_group(pool, wanted, run, lines).await {
            // Another run has made it meanwhile, or Cognito still shows the old one.
            Ok(_) => Applied::Changed,
            Err(applied) => applied,
        }
    }

    /// What an existing group lacks. Nothing is read if neither the mark nor the model says anything of it, and its item
    /// was not deleted.
    async fn lacking(
        &self,
        pool: &str,
        wanted: &WantedGroup<'_>,
        run: &RunOptions,
    ) -> Result<LackingGroup, CallFailure> {
        let is_by_name = self.model.marker == Marker::Name;
        if is_by_name && wanted.settings.is_empty() && wanted.removal.is_none() {
            return Ok(LackingGroup::default());
        }
        let get = || self.cognito.get_group().user_pool_id(pool).group_name(wanted.group).send();
        let answer = self.call(Category::GroupRead, run, get).await?;
        let found = answer.group();
        let description = found.and_then(|group| group.description()).unwrap_or_default();
        let is_own = is_by_name || group_mark::is_marked(&self.model, description);
        let created = found.and_then(|group| group.creation_date()).and_then(timestamp);
        let is_older =
            |removal: &Removal| is_own && group_mark::is_older_than(&self.model, description, created, removal);
        Ok(LackingGroup {
            mark: !is_own,
            settings: wanted.settings.lacking(&found.map(settings_of).unwrap_or_default()),
            is_older: wanted.removal.is_some_and(is_older),
        })
    }

    pub(super) async fn remove_member(
        &self,
        membership: &Membership,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        const OPERATION: &str = "AdminRemoveUserFromGroup";
        let (group, target) = (&membership.group, target(membership));
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, &target, NO_POOL) };
        let user = match self.user_of(pool, membership, run).await {
            Ok(Some(user)) => user,
            Ok(None) => return already(lines, OPERATION, &target),
            Err(failure) => return failed(LOOK_UP, &failure),
        };
        let remove =
            || self.cognito.admin_remove_user_from_group().user_pool_id(pool).username(&*user).group_name(group).send();
        match self.call(Category::Users, run, remove).await {
            Ok(_) => done(lines, OPERATION, &target),
            Err(failure) if failure.is(NO_USER) || group_missing(&failure) => already(lines, OPERATION, &target),
            Err(failure) => failed(OPERATION, &failure),
        }
    }

    /// Adds a member. A group that no item defines is created with its first member.
    pub(super) async fn add_member(
        &self,
        add: &AddMember,
        run: &RunOptions,
        creations: &Creations<'_>,
        lines: &mut EffectLines,
    ) -> Applied {
        const OPERATION: &str = "AdminAddUserToGroup";
        let (group, target) = (&add.membership.group, target(&add.membership));
        let Some(pool) = &self.pool else { return skipped(lines, OPERATION, &target, NO_POOL) };
        // INVARIANT 2: a name alone does not say whose the account is.
        if add.unbound.0.is_some() {
            lines.add(SERVICE, OPERATION, &target, EffectOutcome::NotDone, Some(UNBOUND.to_owned()));
            return Applied::Missing(Missing::User);
        }
        let user = match self.user_of(pool, &add.membership, run).await {
            Ok(Some(user)) => user,
            Ok(None) => return skipped(lines, OPERATION, &target, NO_ACCOUNT),
            Err(failure) => return failed(LOOK_UP, &failure),
        };
        if let Some(applied) = self.is_no_name(pool, add, run).await {
            return applied;
        }
        let (mut backoff, mut created) = (Backoff::new(run.deadline), false);
        for attempt in 0..ADD_ATTEMPTS_MAX {
            let add_user = || {
                let request = self.cognito.admin_add_user_to_group().user_pool_id(pool).username(&*user);
                request.group_name(group).send()
            };
            let (missing, if_missing) = match self.call(Category::Users, run, add_user).await {
                Ok(_) => {
                    done(lines, OPERATION, &target);
                    return Applied::Done { created };
                }
                Err(failure) if failure.is(NO_USER) => (Missing::User, &add.if_no_user),
                Err(failure) if group_missing(&failure) => (Missing::Group, &add.if_no_group),
                Err(failure) => return failed(OPERATION, &failure),
            };
            match (missing, if_missing) {
                (Missing::User, IfMissing::Pending | IfMissing::Create(..)) => {
                    return skipped(lines, OPERATION, &target, NO_ACCOUNT);
                }
                (Missing::Group, IfMissing::Pending) => {
                    return skipped(lines, OPERATION, &target, "pending: people create this group");
                }
                (_, IfMissing::Send(_)) => {
                    let why = "Cognito does not know the user or group yet: handed on with them".to_owned();
                    lines.add(SERVICE, OPERATION, &target, EffectOutcome::NotDone, Some(why));
                    return Applied::Missing(missing);
                }
                (Missing::Group, IfMissing::Create(items, settings)) => {
                    // On the heap: it is seldom needed, and larger than the rest.
                    let create = Box::pin(self.create_on_demand(group, (items, settings), creations.table, run, lines));
                    match if attempt == 0 { creations.once(group, create).await } else { create.await } {
                        Applied::Done { .. } => created = true,
                        // Just after a deletion Cognito can answer both "exists" and "not found".
                        Applied::Changed if backoff.wait().await => {}
                        other @ (Applied::Changed
                        | Applied::Skipped
                        | Applied::Missing(_)
                        | Applied::Failed(_)
                        | Applied::CreatedInPart { .. }
                        | Applied::Refused { .. }) => return other,
                    }
                }
            }
        }
        Applied::Failed(format!("{OPERATION}: the group is repeatedly created and deleted"))
    }

    /// What comes of a membership of somebody whom people make, if the name is only what another user signs in by.
    ///
    /// INVARIANT 2: that can become another user's. Of a user that Instep makes, the account item says who it is.
    async fn is_no_name(&self, pool: &str, add: &AddMember, run: &RunOptions) -> Option<Applied> {
        const OPERATION: &str = "AdminGetUser";
        let Membership { user, sub, .. } = &add.membership;
        if *sub || !matches!(add.if_no_user, IfMissing::Pending) {
            return None;
        }
        match self.naming(pool, run).await {
            Ok(naming) if naming.has_aliases => {}
            Ok(_) => return None,
            Err(failure) => return Some(failed("DescribeUserPool", &failure)),
        }
        match self.get_user(pool, user, run).await {
            Ok(present) => {
                let found = found(&present?);
                found.is_other_than(user).then(|| other_user(OPERATION, &found))
            }
            Err(failure) => Some(failed(OPERATION, &failure)),
        }
    }

    /// Creates a group after the bookkeeping items by which it is found.
    async fn create_on_demand(
        &self,
        group: &str,
        (items, settings): (&[Action], &GroupSettings),
        table: &Table,
        run: &RunOptions,
        lines: &mut EffectLines,
    ) -> Applied {
        if !items.is_empty()
            && let Err(failure) = table.write(&[], items, run.deadline).await
        {
            return failed("PutItem", &failure);
        }
        self.ensure_group(group, settings, None, run, lines).await
    }
}

/// Whether an earlier attempt may have created what exists now: its response may have been lost.
pub(super) const fn is_unsure(attempts: u32) -> bool {
    attempts > 1
}

/// The name of a membership in reports.
pub(super) fn target(membership: &Membership) -> String {
    format!("{} in {}", membership.user, membership.group)
}
