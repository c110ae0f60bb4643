//! Cognito: the user pool, and calls to it at the rate of the account.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::operation::admin_get_user::AdminGetUserOutput;
use aws_sdk_cognitoidentityprovider::primitives::DateTime;
use aws_sdk_cognitoidentityprovider::types::{AttributeType, GroupType, UserPoolType};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::account::{FoundUser, SUB};
use instep_flow::answers::Asks;
use instep_flow::group_settings::GroupSettings;
use instep_flow::implied::Membership;
use instep_flow::sweep::units::Spelling;
use instep_model::Model;
use jiff::Timestamp;
use tokio::sync::OnceCell;

use crate::call::CONCURRENT_READS;
use crate::call::{CallFailure, classify, is_throttle, is_unanswered, retry};
use crate::pace::{Category, Pace};
use crate::run_options::RunOptions;

/// What a group of Cognito has beside its name.
pub(crate) fn settings_of(group: &GroupType) -> GroupSettings {
    GroupSettings { precedence: group.precedence(), iam_role: group.role_arn().map(str::to_owned) }
}

/// Cognito knows no such user.
pub(crate) const NO_USER: &str = "UserNotFoundException";

/// The longest text that is looked for as a `sub`. Those of Cognito have 36 characters.
const SUB_CHARS_MAX: usize = 128;

/// Whether a text may be a `sub`: it needs no escapes in a filter.
fn may_be_sub(text: &str) -> bool {
    let is_right = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=SUB_CHARS_MAX).contains(&text.len()) && text.bytes().all(is_right)
}

/// The attributes of a user, by their names.
pub(crate) fn texts(attributes: &[AttributeType]) -> BTreeMap<String, String> {
    attributes.iter().filter_map(|text| Some((text.name().to_owned(), text.value()?.to_owned()))).collect()
}

/// A time of Cognito.
pub(crate) fn timestamp(at: &DateTime) -> Option<Timestamp> {
    Timestamp::from_millisecond(at.to_millis().ok()?).ok()
}

/// What decides whose a user is.
pub(crate) fn found(present: &AdminGetUserOutput) -> FoundUser {
    let created = present.user_create_date().and_then(timestamp);
    let status = present.user_status().map_or("", |status| status.as_str());
    FoundUser::new(present.username(), status, created, &texts(present.user_attributes()))
}

fn has_sub(attributes: &[AttributeType], sub: &str) -> bool {
    attributes.iter().any(|attribute| attribute.name() == SUB && attribute.value() == Some(sub))
}

/// What users of a pool are called and sign in by. It never changes once the pool is there. Source: Amazon Cognito User
/// Pools API Reference, CreateUserPool: UpdateUserPool has none of it.
#[derive(Debug, Default)]
pub(crate) struct PoolNaming {
    pub(crate) spelling: Spelling,
    /// Users also sign in by what is not their name, which a call takes for a name.
    pub(crate) has_aliases: bool,
}

impl PoolNaming {
    fn of(pool: &UserPoolType) -> Self {
        let folds_case = pool.username_configuration().is_some_and(|configuration| !configuration.case_sensitive());
        let by: Vec<String> =
            pool.username_attributes().iter().map(|attribute| attribute.as_str().to_owned()).collect();
        let has_aliases = !by.is_empty() || !pool.alias_attributes().is_empty();
        Self { spelling: Spelling { folds_case, by }, has_aliases }
    }
}

/// A user pool, and the client that reads and writes it. Clones share the rate of calls.
#[derive(Debug, Clone)]
pub(crate) struct Cognito {
    pub(crate) cognito: Client,
    /// The pool's id. Without it, nothing is called.
    pub(crate) pool: Option<String>,
    pub(crate) model: Arc<Model>,
    pub(crate) pace: Arc<Pace>,
    /// The most users that are deleted in an hour.
    pub(crate) deletions_per_hour: u32,
    /// One deletion at a time asks for its place in the hour: in DynamoDB, they would be in each other's way.
    pub(crate) asking: Arc<tokio::sync::Mutex<()>>,
    /// Read once.
    pub(crate) naming: Arc<OnceCell<PoolNaming>>,
    /// What the marks of users are made of, if not of the operating system's random numbers.
    pub(crate) marks: Option<Arc<Mutex<fastrand::Rng>>>,
}

impl Cognito {
    /// What users of the pool are called and sign in by.
    pub(crate) async fn naming(&self, pool: &str, run: &RunOptions) -> Result<&PoolNaming, CallFailure> {
        let read = || async {
            let describe = || self.cognito.describe_user_pool().user_pool_id(pool).send();
            let answer = self.call(Category::GroupRead, run, describe).await?;
            Ok(answer.user_pool.as_ref().map(PoolNaming::of).unwrap_or_default())
        };
        self.naming.get_or_try_init(read).await
    }

    /// The Cognito groups of a user, without the groups that an identity provider created: no grant
    /// added the user to those.
    pub(crate) async fn groups_of(&self, user: &str, run: &RunOptions) -> Result<BTreeSet<String>, CallFailure> {
        let mut groups = BTreeSet::new();
        let Some(pool) = &self.pool else { return Ok(groups) };
        let provider = format!("{pool}_");
        let mut next = None;
        loop {
            let list = || {
                let request = self.cognito.admin_list_groups_for_user().user_pool_id(pool).username(user);
                request.set_next_token(next.clone()).send()
            };
            let answer = match self.call(Category::UserGroups, run, list).await {
                Ok(answer) => answer,
                Err(failure) if failure.is(NO_USER) => return Ok(groups),
                Err(failure) => return Err(failure),
            };
            let names = answer.groups().iter().filter_map(|group| group.group_name());
            groups.extend(names.filter(|name| !name.starts_with(&provider)).map(str::to_owned));
            // INVARIANT 8: a user has at most 100 groups, so the number of pages is bounded.
            next = answer.next_token;
            if next.is_none() {
                return Ok(groups);
            }
        }
    }

    /// The name of the user whose account has a `sub`. `None` if none has it.
    ///
    /// INVARIANT 2: a `sub` is not taken for a name. Where people choose their names, a stranger can sign up under the
    /// `sub` of another account. So what a call returns counts only if its own `sub` is equal.
    pub(crate) async fn user_by_sub(
        &self,
        pool: &str,
        sub: &str,
        run: &RunOptions,
    ) -> Result<Option<String>, CallFailure> {
        if !may_be_sub(sub) {
            return Ok(None);
        }
        let filter = format!("sub = \"{sub}\"");
        let list = || self.cognito.list_users().user_pool_id(pool).filter(&filter).send();
        let answer = self.call(Category::UserList, run, list).await?;
        let mut users = answer.users().iter();
        if let Some(user) = users.find(|user| has_sub(user.attributes(), sub)) {
            return Ok(user.username().map(str::to_owned));
        }
        // A list may show an account late. Source: Amazon Cognito User Pools API Reference, ListUsers. This call finds it
        // at once, unless it is of an identity provider. Source: as above, AdminGetUser, `Username`.
        let found = self.get_user(pool, sub, run).await?.filter(|user| has_sub(user.user_attributes(), sub));
        Ok(found.map(|user| user.username().to_owned()))
    }

    /// The user that a name or an alias stands for, if there is one.
    pub(crate) async fn get_user(
        &self,
        pool: &str,
        user: &str,
        run: &RunOptions,
    ) -> Result<Option<AdminGetUserOutput>, CallFailure> {
        let get = || self.cognito.admin_get_user().user_pool_id(pool).username(user).send();
        match self.call(Category::UserRead, run, get).await {
            Ok(answer) => Ok(Some(answer)),
            Err(failure) if failure.is(NO_USER) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The name of the user of a membership. `None` if its `sub` is that of no account.
    pub(crate) async fn user_of<'m>(
        &self,
        pool: &str,
        membership: &'m Membership,
        run: &RunOptions,
    ) -> Result<Option<Cow<'m, str>>, CallFailure> {
        if !membership.sub {
            let made = membership.username.0.as_ref();
            return Ok(Some(Cow::Borrowed(made.unwrap_or(&membership.user))));
        }
        Ok(self.user_by_sub(pool, &membership.user, run).await?.map(Cow::Owned))
    }

    /// As [`Self::groups_of`], for all users that are asked for.
    pub(crate) async fn groups_of_users<'q>(
        &self,
        asks: &'q Asks,
        run: &RunOptions,
    ) -> Result<Vec<(&'q String, BTreeSet<String>)>, String> {
        let read = |user: &'q String| Box::pin(async move { Ok((user, self.groups_of(user, run).await?)) });
        let groups = stream::iter(&asks.groups_of).map(read).buffer_unordered(CONCURRENT_READS);
        groups.try_collect().await.map_err(|failure: CallFailure| failure.words("AdminListGroupsForUser"))
    }

    /// A call to Cognito, within this process's share of the account's rate.
    pub(crate) async fn call<T, E, F, Fut>(
        &self,
        category: Category,
        run: &RunOptions,
        attempt: F,
    ) -> Result<T, CallFailure>
    where
        E: aws_smithy_types::error::metadata::ProvideErrorMetadata,
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>>,
    {
        self.attempts(category, run, attempt).await.0
    }

    /// A call that changes the account, or deletes the group, which has a name. INVARIANT 9: it is not repeated if no answer
    /// comes, because the name may be another's by then. Who repeats it looks at what has the name first.
    pub(crate) async fn call_by_name<T, E, F, Fut>(
        &self,
        category: Category,
        run: &RunOptions,
        mut attempt: F,
    ) -> Result<T, CallFailure>
    where
        E: aws_smithy_types::error::metadata::ProvideErrorMetadata,
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>>,
    {
        let attempt = || {
            let attempt = attempt();
            async {
                match attempt.await {
                    Err(error) if is_unanswered(&error) => Ok(None),
                    answer => answer.map(Some),
                }
            }
        };
        let unanswered = || CallFailure::Transient("no answer".to_owned());
        self.call(category, run, attempt).await?.ok_or_else(unanswered)
    }

    /// As [`Cognito::call`], with the number of attempts. A running attempt is awaited even
    /// after the deadline, because a timed-out request can still complete and overwrite a newer
    /// one.
    pub(crate) async fn attempts<T, E, F, Fut>(
        &self,
        category: Category,
        run: &RunOptions,
        mut attempt: F,
    ) -> (Result<T, CallFailure>, u32)
    where
        E: aws_smithy_types::error::metadata::ProvideErrorMetadata,
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>>,
    {
        let attempts = AtomicU32::new(0);
        let answer = retry(run.deadline, || {
            attempts.fetch_add(1, Ordering::Relaxed);
            // On the heap: the SDK's futures are large, and callers nest several of them.
            let attempt = Box::pin(attempt());
            async {
                if !self.pace.turn(category, run.deadline).await {
                    return Err(CallFailure::OutOfTime);
                }
                let answer = attempt.await;
                if answer.as_ref().is_err_and(is_throttle) {
                    self.pace.throttled(category);
                }
                answer.map_err(classify)
            }
        })
        .await;
        (answer, attempts.into_inner())
    }
}
