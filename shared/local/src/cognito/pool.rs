//! The content of a pool.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{COGNITO_USER_ATTRIBUTES, CUSTOM_ATTRIBUTE, VERIFIED_ATTRIBUTE};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::PoolOptions;
use super::request::CognitoRequest;
use crate::wire::ErrorResponse;

/// The attribute that Cognito gives each user. It cannot be changed.
pub(crate) const SUB: &str = "sub";

/// The addresses of a user.
pub(super) const ADDRESSES: [&str; 2] = ["email", "phone_number"];
/// The attribute that says whether an address is verified.
pub(super) fn verified(address: &str) -> String {
    format!("{address}{VERIFIED_ATTRIBUTE}")
}

/// What users can sign in with besides their names.
const ALIASES: [&str; 3] = ["email", "phone_number", "preferred_username"];

/// What the users of a pool sign in with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignIn {
    /// Their names.
    #[default]
    Names,
    /// Also a verified address or a preferred name: the pool's `AliasAttributes`.
    Aliases,
    /// An address, verified or not. The pool makes their names, equal to `sub`: its `UsernameAttributes`.
    Addresses,
}

/// The status of a user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Status {
    /// Has signed up, and has not confirmed.
    Unconfirmed,
    /// Has confirmed the sign-up, or has a password that an administrator set for good.
    Confirmed,
    /// An administrator has created it or has set a temporary password.
    #[default]
    ForceChangePassword,
    /// An administrator has reset its password.
    ResetRequired,
}

/// A user pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pool {
    pub(super) id: String,
    arn: String,
    case_sensitive: bool,
    #[serde(default)]
    pub(crate) sign_in: SignIn,
    #[serde(default)]
    pub(super) sign_up: bool,
    /// The attributes of its schema that not every pool has.
    #[serde(default)]
    pub(super) custom: BTreeSet<String>,
    /// Groups by name.
    pub(super) groups: BTreeMap<String, Group>,
    /// Users by name, as [`Pool::fold`] returns it.
    pub(super) users: BTreeMap<String, User>,
    /// How many users were created under a name, as [`Pool::fold`] returns it.
    #[serde(default)]
    pub(super) made: BTreeMap<String, u32>,
}

/// A group of users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Group {
    pub(super) description: Option<String>,
    pub(super) role_arn: Option<String>,
    pub(super) precedence: Option<i64>,
    pub(super) created_ms: i64,
    pub(super) modified_ms: i64,
    /// Keys in [`Pool::users`].
    pub(super) members: BTreeSet<String>,
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct User {
    /// The name as it was given at the user's creation.
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) enabled: bool,
    #[serde(default)]
    pub(super) status: Status,
    pub(super) created_ms: i64,
    pub(super) modified_ms: i64,
    /// Keys in [`Pool::groups`].
    pub(super) groups: BTreeSet<String>,
}

/// The present state of a Cognito group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupState {
    /// Its name.
    pub name: String,
    /// User names, sorted.
    pub members: Vec<String>,
    /// Its precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precedence: Option<i64>,
    /// The ARN of its IAM role.
    #[serde(rename = "iamRole", skip_serializing_if = "Option::is_none")]
    pub iam_role: Option<String>,
}

/// The present state of a Cognito user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UserState {
    /// Its name.
    pub username: String,
    /// Whether the user may sign in.
    pub enabled: bool,
    /// Its attributes, including `sub`.
    pub attributes: BTreeMap<String, String>,
}

impl Pool {
    pub(crate) fn new(id: &str, arn_prefix: &str, options: PoolOptions) -> Self {
        Self {
            id: id.to_owned(),
            arn: format!("{arn_prefix}userpool/{id}"),
            case_sensitive: options.case_sensitive,
            sign_in: options.sign_in,
            sign_up: options.sign_up,
            custom: options.custom,
            groups: BTreeMap::new(),
            users: BTreeMap::new(),
            made: BTreeMap::new(),
        }
    }

    /// Adds custom attributes to the schema, and those that users have. As on AWS, none is ever removed.
    pub(super) fn declare(&mut self, custom: BTreeSet<String>) {
        let held = self.users.values().flat_map(|user| user.attributes.keys());
        let held: Vec<String> = held.filter(|name| name.contains(CUSTOM_ATTRIBUTE)).cloned().collect();
        self.custom.extend(custom.into_iter().chain(held));
    }

    /// A user name in the form in which the pool compares names.
    pub(super) fn fold(&self, name: &str) -> String {
        if self.case_sensitive { name.to_owned() } else { name.to_lowercase() }
    }

    /// The key of the user that a name or an alias stands for.
    pub(super) fn key_of(&self, name: &str) -> String {
        let key = self.fold(name);
        if self.users.contains_key(&key) {
            return key;
        }
        // A request can name a user by its `sub`. Source: Amazon Cognito User Pools API Reference, AdminGetUser,
        // `Username`.
        let is_it = |user: &User| user.sub() == name || self.signs_in_with(user, name);
        self.users.iter().find(|(_, user)| is_it(user)).map_or(key, |(own, _)| own.clone())
    }

    /// Whether a user signs in with this text, which is not its name.
    pub(super) fn signs_in_with(&self, user: &User, text: &str) -> bool {
        let has = |attribute: &str| user.attributes.get(attribute).is_some_and(|own| self.fold(own) == self.fold(text));
        let is_verified = |address: &str| user.attributes.get(&verified(address)).is_some_and(|value| value == "true");
        match self.sign_in {
            SignIn::Names => false,
            SignIn::Aliases => ALIASES.iter().any(|name| has(name) && (!ADDRESSES.contains(name) || is_verified(name))),
            SignIn::Addresses => ADDRESSES.iter().any(|name| has(name)),
        }
    }

    /// Checks that a request is for this pool.
    pub(super) fn check_id(&self, request: &CognitoRequest) -> Result<(), ErrorResponse> {
        let id = &request.user_pool_id;
        if *id == self.id {
            return Ok(());
        }
        Err(ErrorResponse::new("ResourceNotFoundException", format!("User pool {id} does not exist.")))
    }

    pub(super) fn describe(&self) -> Value {
        let declared = |name: &str| json!({"Name": name, "AttributeDataType": "String", "Mutable": name != SUB});
        let standard = [SUB].into_iter().chain(COGNITO_USER_ATTRIBUTES);
        let schema: Vec<Value> = standard.chain(self.custom.iter().map(String::as_str)).map(declared).collect();
        json!({"UserPool": {
            "Id": self.id,
            "Name": "instep",
            "Arn": self.arn,
            "EstimatedNumberOfUsers": self.users.len(),
            "UsernameConfiguration": {"CaseSensitive": self.case_sensitive},
            "SchemaAttributes": schema,
            "AliasAttributes": if self.sign_in == SignIn::Aliases { &ALIASES[..] } else { &[] },
            "UsernameAttributes": if self.sign_in == SignIn::Addresses { &ADDRESSES[..] } else { &[] },
            "AdminCreateUserConfig": {"AllowAdminCreateUserOnly": !self.sign_up},
        }})
    }

    /// All groups, also those without members, sorted.
    pub(crate) fn group_states(&self) -> Vec<GroupState> {
        self.groups.iter().map(|(name, group)| self.state_of(name, group)).collect()
    }

    /// A group, if it exists.
    pub(crate) fn group_state(&self, name: &str) -> Option<GroupState> {
        self.groups.get(name).map(|group| self.state_of(name, group))
    }

    fn state_of(&self, name: &str, group: &Group) -> GroupState {
        let user = |key: &String| self.users.get(key).map(|user| user.name.clone());
        let mut members: Vec<String> = group.members.iter().filter_map(user).collect();
        members.sort_unstable();
        GroupState { name: name.to_owned(), members, precedence: group.precedence, iam_role: group.role_arn.clone() }
    }

    /// All users, sorted.
    pub(crate) fn user_states(&self) -> Vec<UserState> {
        let mut users: Vec<UserState> = self.users.values().map(User::state).collect();
        users.sort_unstable_by(|a, b| a.username.cmp(&b.username));
        users
    }

    /// The user that a name or an alias stands for.
    pub(crate) fn user_state(&self, name: &str) -> Option<UserState> {
        self.users.get(&self.key_of(name)).map(User::state)
    }

    pub(crate) fn is_member(&self, user: &str, group: &str) -> bool {
        self.groups.get(group).is_some_and(|group| group.members.contains(&self.key_of(user)))
    }
}

impl Status {
    /// The name, as in `UserStatus`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Unconfirmed => "UNCONFIRMED",
            Self::Confirmed => "CONFIRMED",
            Self::ForceChangePassword => "FORCE_CHANGE_PASSWORD",
            Self::ResetRequired => "RESET_REQUIRED",
        }
    }
}

impl User {
    fn state(&self) -> UserState {
        UserState { username: self.name.clone(), enabled: self.enabled, attributes: self.attributes.clone() }
    }
}

/// A time as the JSON protocols write it: epoch seconds with a fraction.
#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 are far below 2^53")]
pub(super) fn epoch_seconds(epoch_ms: i64) -> f64 {
    epoch_ms as f64 / 1000.0
}
