//! Cognito: one user pool with the service's own semantics, as far as its API reference states them.
//!
//! Not stated there, and chosen here: adding a member twice and removing one that is none both succeed, lists are in
//! the order of names, and of two objects that do not exist the user is reported before the group. `sub` is drawn by
//! the service; here it follows from the user name, so that a history played twice leaves the same state. Any
//! `custom:` attribute counts as part of the pool's schema.

mod groups;
mod names;
mod page;
mod pool;
mod request;
mod users;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::dir::Lines;
use crate::error::LocalError;
use crate::wire::{Answer, Refusal};

pub(crate) use pool::Pool;
pub use pool::{GroupState, UserState};
use request::Request;

/// Lines of the journal beyond which it is put together into one when it is opened.
const JOURNAL_LINES_MAX: usize = 1_000;

/// What is settled when a user pool is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolOptions {
    /// Whether `Bob` and `bob` are two users. Pools made by API tell them apart unless told otherwise, so this is the
    /// default. Where they are one, the spelling of the creation stays.
    pub case_sensitive: bool,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self { case_sensitive: true }
    }
}

/// The pool, and the journal that keeps it.
#[derive(Debug)]
pub(crate) struct Cognito {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    pool: Pool,
    journal: Option<Lines>,
    /// The journal could not be written: the pool is ahead of it, so nothing may be built on the pool any more.
    is_broken: bool,
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
enum Entry {
    /// The pool as it was.
    Pool(Box<Pool>),
    /// A request that changed it.
    Request { at_ms: i64, operation: Operation, request: Box<Request> },
}

/// The operations that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Operation {
    AdminAddUserToGroup,
    AdminCreateUser,
    AdminDeleteUser,
    AdminDeleteUserAttributes,
    AdminDisableUser,
    AdminEnableUser,
    AdminGetUser,
    AdminListGroupsForUser,
    AdminRemoveUserFromGroup,
    AdminUpdateUserAttributes,
    CreateGroup,
    DeleteGroup,
    DescribeUserPool,
    GetGroup,
    ListGroups,
    ListUsers,
    ListUsersInGroup,
    UpdateGroup,
}

impl Operation {
    fn named(name: &str) -> Option<Self> {
        serde_json::from_value(serde_json::Value::from(name)).ok()
    }

    const fn writes(self) -> bool {
        match self {
            Self::AdminAddUserToGroup
            | Self::AdminCreateUser
            | Self::AdminDeleteUser
            | Self::AdminDeleteUserAttributes
            | Self::AdminDisableUser
            | Self::AdminEnableUser
            | Self::AdminRemoveUserFromGroup
            | Self::AdminUpdateUserAttributes
            | Self::CreateGroup
            | Self::DeleteGroup
            | Self::UpdateGroup => true,
            Self::AdminGetUser
            | Self::AdminListGroupsForUser
            | Self::DescribeUserPool
            | Self::GetGroup
            | Self::ListGroups
            | Self::ListUsers
            | Self::ListUsersInGroup => false,
        }
    }

    fn apply(self, pool: &mut Pool, request: &Request, now_ms: i64) -> Answer {
        pool.check_id(request)?;
        match self {
            Self::AdminAddUserToGroup => pool.add_member(request),
            Self::AdminCreateUser => pool.create_user(request, now_ms),
            Self::AdminDeleteUser => pool.delete_user(request),
            Self::AdminDeleteUserAttributes => pool.delete_attributes(request, now_ms),
            Self::AdminDisableUser => pool.set_enabled(request, false, now_ms),
            Self::AdminEnableUser => pool.set_enabled(request, true, now_ms),
            Self::AdminGetUser => pool.get_user(request),
            Self::AdminListGroupsForUser => pool.list_groups_for_user(request),
            Self::AdminRemoveUserFromGroup => pool.remove_member(request),
            Self::AdminUpdateUserAttributes => pool.update_attributes(request, now_ms),
            Self::CreateGroup => pool.create_group(request, now_ms),
            Self::DeleteGroup => pool.delete_group(request),
            Self::DescribeUserPool => Ok(pool.describe()),
            Self::GetGroup => pool.get_group(request),
            Self::ListGroups => pool.list_groups(request),
            Self::ListUsers => pool.list_users(request),
            Self::ListUsersInGroup => pool.list_users_in_group(request),
            Self::UpdateGroup => pool.update_group(request, now_ms),
        }
    }
}

impl Cognito {
    /// An empty pool in memory.
    pub(crate) fn in_memory(pool: Pool) -> Self {
        Self { state: Mutex::new(State { pool, journal: None, is_broken: false }) }
    }

    /// The pool that the journal at `path` tells of; `pool` where there is none.
    pub(crate) fn open(mut pool: Pool, path: &Path) -> Result<Self, LocalError> {
        let (mut journal, lines) = Lines::open(path)?;
        for (place, line) in lines.iter().enumerate() {
            match serde_json::from_str(line).map_err(|error| journal.damaged(place, error.to_string()))? {
                Entry::Pool(kept) => pool = *kept,
                Entry::Request { at_ms, operation, request } => {
                    // Only requests that succeeded are written, and from the same state the same succeed.
                    operation
                        .apply(&mut pool, &request, at_ms)
                        .map_err(|refusal| journal.damaged(place, refusal.message))?;
                }
            }
        }
        if lines.len() > JOURNAL_LINES_MAX {
            let line = serde_json::to_vec(&Entry::Pool(Box::new(pool.clone())));
            journal.replace(line.map_err(LocalError::engine("write the user pool"))?)?;
        }
        Ok(Self { state: Mutex::new(State { pool, journal: Some(journal), is_broken: false }) })
    }

    /// Answers one call.
    pub(crate) fn call(&self, operation: &str, body: &[u8], now_ms: i64) -> Answer {
        let Some(operation) = Operation::named(operation) else {
            return Err(Refusal::unknown_operation(&format!("AWSCognitoIdentityProviderService.{operation}")));
        };
        let request: Request = serde_json::from_slice(body).map_err(|error| Refusal::unreadable(&error))?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_broken {
            return Err(internal("the journal could not be written"));
        }
        let answer = operation.apply(&mut state.pool, &request, now_ms)?;
        if operation.writes()
            && let Some(journal) = &mut state.journal
        {
            let entry = Entry::Request { at_ms: now_ms, operation, request: Box::new(request) };
            let written = serde_json::to_vec(&entry)
                .map_err(LocalError::engine("write the user pool"))
                .and_then(|line| journal.append(line));
            if let Err(error) = written {
                state.is_broken = true;
                return Err(internal(&error.to_string()));
            }
        }
        Ok(answer)
    }

    /// Reads the pool.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        read(&self.state.lock().unwrap_or_else(PoisonError::into_inner).pool)
    }
}

fn internal(message: &str) -> Refusal {
    Refusal { status: 500, code: "InternalErrorException".to_owned(), message: message.to_owned() }
}
