//! The content of a pool.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::CUSTOM_ATTRIBUTE;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::PoolOptions;
use super::request::CognitoRequest;
use crate::wire::ErrorResponse;

/// What users can sign in with besides their names.
const ALIASES: [&str; 3] = ["email", "phone_number", "preferred_username"];

/// A user pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pool {
    pub(super) id: String,
    arn: String,
    case_sensitive: bool,
    #[serde(default)]
    aliases: bool,
    /// The attributes of its schema that not every pool has.
    #[serde(default)]
    pub(super) custom: BTreeSet<String>,
    /// Groups by name.
    pub(super) groups: BTreeMap<String, Group>,
    /// Users by name, as [`Pool::fold`] returns it.
    pub(super) users: BTreeMap<String, User>,
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
            aliases: options.aliases,
            custom: options.custom,
            groups: BTreeMap::new(),
            users: BTreeMap::new(),
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
        if self.users.contains_key(&key) || !self.aliases {
            return key;
        }
        let has = |user: &User| ALIASES.iter().any(|alias| user.attributes.get(*alias).is_some_and(|own| own == name));
        self.users.iter().find(|(_, user)| has(user)).map_or(key, |(own, _)| own.clone())
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
        let declared = |name: &String| json!({"Name": name, "AttributeDataType": "String", "Mutable": true});
        let schema: Vec<Value> = self.custom.iter().map(declared).collect();
        json!({"UserPool": {
            "Id": self.id,
            "Name": "instep",
            "Arn": self.arn,
            "EstimatedNumberOfUsers": self.users.len(),
            "UsernameConfiguration": {"CaseSensitive": self.case_sensitive},
            "SchemaAttributes": schema,
            "AliasAttributes": if self.aliases { &ALIASES[..] } else { &[] },
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
