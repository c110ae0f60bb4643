//! Cognito: one user pool that behaves as the service's API reference describes.
//!
//! The reference leaves some behavior open. Here, adding a member twice and removing a user who is
//! no member both succeed. Lists are sorted by name. If both user and group do not exist, the error
//! names the user. The service draws `sub` at random; here it is derived from the user name and from
//! how many users were created under it, so that replaying a history twice gives the same state, and a
//! name that is created again has another `sub`. The pool has one app client, of which
//! `WriteAttributes` are not set. Users never sign in, so a sign-out
//! only fails if there is no such user.

mod groups;
mod page;
mod pool;
mod request;
mod sign_up;
mod users;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use instep_model::Model;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, Serialize};

use crate::error::LocalError;
use crate::journal::Journaled;
use crate::wire::{ErrorResponse, OperationResult};

pub(crate) use pool::Pool;
pub(crate) use pool::SUB;
use pool::Status;
pub use pool::{GroupState, SignIn, UserState};
use request::CognitoRequest;
pub use sign_up::{APP_CLIENT, CONFIRMATION_CODE};

/// The code of an error of the service itself.
const INTERNAL: &str = "InternalErrorException";

/// The properties of a user pool that cannot change later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolOptions {
    /// Whether `Bob` and `bob` are two users. In a case-insensitive pool, a user keeps the spelling of its creation.
    pub case_sensitive: bool,
    /// What its users sign in with.
    pub sign_in: SignIn,
    /// Whether users can sign up, or only administrators create users.
    pub sign_up: bool,
    /// The attributes of users that its schema declares, and that not every pool has: `custom:note`.
    pub custom: BTreeSet<String>,
}

impl PoolOptions {
    /// The pool that the deployment's template makes for a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let custom = model.custom_user_attributes().into_iter().map(str::to_owned).collect();
        Self {
            case_sensitive: !model.pool_ignores_case(),
            sign_in: SignIn::Names,
            sign_up: model.user_value().is_some(),
            custom,
        }
    }
}

/// The pool.
pub(crate) struct LocalCognito {
    pool: Mutex<Journaled<Pool>>,
    /// The pool's trigger PostConfirmation.
    confirmed: OnceLock<SignUpWatcher>,
}

/// What a pool tells of a confirmed sign-up: the event of its trigger PostConfirmation.
pub type SignUpWatcher = Box<dyn Fn(&str) + Send + Sync>;

impl fmt::Debug for LocalCognito {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalCognito").field("pool", &self.pool).finish_non_exhaustive()
    }
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
enum Entry {
    /// A snapshot of the pool.
    Pool(Box<Pool>),
    /// A request that changed the pool.
    Request { at_ms: i64, operation: Operation, request: Box<CognitoRequest> },
}

/// The supported operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Operation {
    AdminAddUserToGroup,
    AdminConfirmSignUp,
    AdminCreateUser,
    AdminDeleteUser,
    AdminDeleteUserAttributes,
    AdminDisableUser,
    AdminEnableUser,
    AdminGetUser,
    AdminListGroupsForUser,
    AdminRemoveUserFromGroup,
    AdminResetUserPassword,
    AdminSetUserPassword,
    AdminUpdateUserAttributes,
    AdminUserGlobalSignOut,
    ConfirmSignUp,
    CreateGroup,
    DeleteGroup,
    DescribeUserPool,
    GetGroup,
    ListGroups,
    ListUsers,
    ListUsersInGroup,
    SignUp,
    UpdateGroup,
}

impl Operation {
    fn named(name: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<ValueError>::new(name)).ok()
    }

    const fn writes(self) -> bool {
        match self {
            Self::AdminAddUserToGroup
            | Self::AdminConfirmSignUp
            | Self::AdminCreateUser
            | Self::AdminDeleteUser
            | Self::AdminDeleteUserAttributes
            | Self::AdminDisableUser
            | Self::AdminEnableUser
            | Self::AdminRemoveUserFromGroup
            | Self::AdminResetUserPassword
            | Self::AdminSetUserPassword
            | Self::AdminUpdateUserAttributes
            | Self::ConfirmSignUp
            | Self::CreateGroup
            | Self::DeleteGroup
            | Self::SignUp
            | Self::UpdateGroup => true,
            Self::AdminGetUser
            | Self::AdminListGroupsForUser
            | Self::AdminUserGlobalSignOut
            | Self::DescribeUserPool
            | Self::GetGroup
            | Self::ListGroups
            | Self::ListUsers
            | Self::ListUsersInGroup => false,
        }
    }

    fn apply(self, pool: &mut Pool, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        if matches!(self, Self::SignUp | Self::ConfirmSignUp) {
            sign_up::check_client(request)?;
        } else {
            pool.check_id(request)?;
        }
        match self {
            Self::AdminAddUserToGroup => pool.add_member(request),
            Self::AdminConfirmSignUp => pool.admin_confirm(request, now_ms),
            Self::AdminCreateUser => pool.create_user(request, now_ms),
            Self::AdminDeleteUser => pool.delete_user(request),
            Self::AdminDeleteUserAttributes => pool.delete_attributes(request, now_ms),
            Self::AdminDisableUser => pool.set_enabled(request, false, now_ms),
            Self::AdminEnableUser => pool.set_enabled(request, true, now_ms),
            Self::AdminGetUser => pool.get_user(request),
            Self::AdminListGroupsForUser => pool.list_groups_for_user(request),
            Self::AdminRemoveUserFromGroup => pool.remove_member(request),
            Self::AdminResetUserPassword => pool.set_status(request, Status::ResetRequired, now_ms),
            Self::AdminSetUserPassword => pool.set_password(request, now_ms),
            Self::AdminUpdateUserAttributes => pool.update_attributes(request, now_ms),
            Self::AdminUserGlobalSignOut => pool.sign_out(request),
            Self::ConfirmSignUp => pool.confirm(request, now_ms),
            Self::CreateGroup => pool.create_group(request, now_ms),
            Self::DeleteGroup => pool.delete_group(request),
            Self::DescribeUserPool => Ok(pool.describe()),
            Self::GetGroup => pool.get_group(request),
            Self::ListGroups => pool.list_groups(request),
            Self::ListUsers => pool.list_users(request),
            Self::ListUsersInGroup => pool.list_users_in_group(request),
            Self::SignUp => pool.sign_up(request, now_ms),
            Self::UpdateGroup => pool.update_group(request, now_ms),
        }
    }
}

/// Whether there is an operation of this name.
#[cfg(test)]
pub(crate) fn has_operation(name: &str) -> bool {
    Operation::named(name).is_some()
}

impl LocalCognito {
    /// An empty pool in memory.
    pub(crate) fn in_memory(pool: Pool) -> Self {
        Self { pool: Mutex::new(Journaled::in_memory(pool)), confirmed: OnceLock::new() }
    }

    /// The pool that the journal at `path` describes, or `pool` if there is no journal.
    pub(crate) fn open(pool: Pool, path: &Path) -> Result<Self, LocalError> {
        let custom = pool.custom.clone();
        let mut pool = Journaled::open(path, pool, |pool, entry| {
            match entry {
                Entry::Pool(kept) => *pool = *kept,
                Entry::Request { at_ms, operation, request } => drop(operation.apply(pool, &request, at_ms)?),
            }
            Ok(())
        })?;
        // The model may have another attribute than the one that made the pool.
        pool.state.declare(custom);
        pool.compact(|pool| Entry::Pool(Box::new(pool.clone())))?;
        Ok(Self { pool: Mutex::new(pool), confirmed: OnceLock::new() })
    }

    /// Replaces a pool in memory.
    pub(crate) fn set(&self, pool: Pool) {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).state = pool;
    }

    /// Adds custom attributes to the schema of the pool.
    pub(crate) fn declare(&self, custom: BTreeSet<String>) {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).state.declare(custom);
    }

    /// Answers one call.
    pub(crate) fn call(&self, operation: &str, body: &[u8], now_ms: i64) -> OperationResult {
        let Some(operation) = Operation::named(operation) else {
            return Err(ErrorResponse::unknown_operation(&format!("AWSCognitoIdentityProviderService.{operation}")));
        };
        let request: CognitoRequest =
            serde_json::from_slice(body).map_err(|error| ErrorResponse::unreadable(&error))?;
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.check(INTERNAL)?;
        // A request in the journal is not checked again: a newer Instep may refuse what it says.
        pool.state.check_attributes(&request)?;
        let answer = operation.apply(&mut pool.state, &request, now_ms)?;
        let confirmed = matches!(operation, Operation::ConfirmSignUp | Operation::AdminConfirmSignUp)
            .then(|| pool.state.confirmed_event(&request));
        if operation.writes() {
            pool.note(&Entry::Request { at_ms: now_ms, operation, request: Box::new(request) }, INTERNAL)?;
        }
        drop(pool);
        if let (Some(watcher), Some(Ok(event))) = (self.confirmed.get(), confirmed) {
            watcher(&event.to_string());
        }
        Ok(answer)
    }

    /// Sets the trigger. The first one stays.
    pub(crate) fn watch(&self, watcher: SignUpWatcher) {
        drop(self.confirmed.set(watcher));
    }

    /// Reads the pool.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        read(&self.pool.lock().unwrap_or_else(PoisonError::into_inner).state)
    }
}
