//! Groups and their members.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;

use serde_json::{Map, Value, json};

use super::page::page;
use super::pool::{Group, Pool, epoch_seconds};
use super::request::{CognitoRequest, invalid};
use crate::wire::{ErrorResponse, OperationResult};

/// The maximum number of groups in a pool. Source: Amazon Cognito Developer Guide, "Quotas",
/// resource quotas: groups per user pool.
const GROUPS_MAX: usize = 10_000;

/// The maximum number of groups of a user. Source: as above: groups that a user can belong to.
const GROUPS_OF_USER_MAX: usize = 100;

impl Pool {
    pub(super) fn create_group(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        check_precedence(request)?;
        let name = &request.group_name;
        let count = self.groups.len();
        let Entry::Vacant(place) = self.groups.entry(name.clone()) else {
            return Err(ErrorResponse::new("GroupExistsException", "A group with the name already exists."));
        };
        if count >= GROUPS_MAX {
            return Err(ErrorResponse::new(
                "LimitExceededException",
                "The number of groups in the user pool is at its limit.",
            ));
        }
        let group = place.insert(Group {
            description: request.description.clone(),
            role_arn: request.role_arn.clone(),
            precedence: request.precedence,
            created_ms: now_ms,
            modified_ms: now_ms,
            members: BTreeSet::new(),
        });
        Ok(json!({"Group": shown(&self.id, name, group)}))
    }

    /// Deletes a group and all its memberships.
    pub(super) fn delete_group(&mut self, request: &CognitoRequest) -> OperationResult {
        let name = &request.group_name;
        let group = self.groups.remove(name).ok_or_else(not_found)?;
        for member in &group.members {
            if let Some(user) = self.users.get_mut(member) {
                user.groups.remove(name);
            }
        }
        Ok(json!({}))
    }

    pub(super) fn get_group(&self, request: &CognitoRequest) -> OperationResult {
        let name = &request.group_name;
        let group = self.groups.get(name).ok_or_else(not_found)?;
        Ok(json!({"Group": shown(&self.id, name, group)}))
    }

    /// Changes only what the request names. Source: AWS CLI Command Reference, `cognito-idp update-group`: its example
    /// names no role, and the answer has one.
    pub(super) fn update_group(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        check_precedence(request)?;
        let name = &request.group_name;
        let group = self.groups.get_mut(name).ok_or_else(not_found)?;
        if let Some(description) = &request.description {
            group.description = Some(description.clone());
        }
        if let Some(role_arn) = &request.role_arn {
            group.role_arn = Some(role_arn.clone());
        }
        if let Some(precedence) = request.precedence {
            group.precedence = Some(precedence);
        }
        group.modified_ms = now_ms;
        Ok(json!({"Group": shown(&self.id, name, group)}))
    }

    pub(super) fn list_groups(&self, request: &CognitoRequest) -> OperationResult {
        let groups = self.groups.iter().map(|(name, group)| (name.as_str(), shown(&self.id, name, group)));
        let page = page(groups, request.limit, request.next_token.as_deref())?;
        Ok(listed("Groups", page.entries, "NextToken", page.next_token))
    }

    pub(super) fn list_users_in_group(&self, request: &CognitoRequest) -> OperationResult {
        let group = self.groups.get(&request.group_name).ok_or_else(not_found)?;
        let users = group.members.iter().filter_map(|key| Some((key.as_str(), self.users.get(key)?.shown(None))));
        let page = page(users, request.limit, request.next_token.as_deref())?;
        Ok(listed("Users", page.entries, "NextToken", page.next_token))
    }

    pub(super) fn list_groups_for_user(&self, request: &CognitoRequest) -> OperationResult {
        let user = self.user(request)?;
        let groups =
            user.groups.iter().filter_map(|name| Some((name.as_str(), shown(&self.id, name, self.groups.get(name)?))));
        let page = page(groups, request.limit, request.next_token.as_deref())?;
        Ok(listed("Groups", page.entries, "NextToken", page.next_token))
    }

    /// Adds a member. The API reference does not say what happens if the user is a member already.
    /// Here the call succeeds.
    pub(super) fn add_member(&mut self, request: &CognitoRequest) -> OperationResult {
        let (key, name) = self.membership(request)?;
        let (Some(user), Some(group)) = (self.users.get_mut(&key), self.groups.get_mut(name)) else {
            return Err(not_found());
        };
        if !user.groups.contains(name) && user.groups.len() >= GROUPS_OF_USER_MAX {
            return Err(ErrorResponse::new(
                "LimitExceededException",
                "The number of groups of the user is at its limit.",
            ));
        }
        user.groups.insert(name.to_owned());
        group.members.insert(key);
        Ok(json!({}))
    }

    /// Removes a member. The API reference does not say what happens if the user is not a member.
    /// Here the call succeeds.
    pub(super) fn remove_member(&mut self, request: &CognitoRequest) -> OperationResult {
        let (key, name) = self.membership(request)?;
        if let Some(user) = self.users.get_mut(&key) {
            user.groups.remove(name);
        }
        if let Some(group) = self.groups.get_mut(name) {
            group.members.remove(&key);
        }
        Ok(json!({}))
    }

    /// The user's key and the group's name, if both exist.
    fn membership<'a>(&self, request: &'a CognitoRequest) -> Result<(String, &'a str), ErrorResponse> {
        let name = &request.group_name;
        let key = self.fold(&self.user(request)?.name);
        if self.groups.contains_key(name) { Ok((key, name)) } else { Err(not_found()) }
    }
}

/// The API's model has only the lower limit. Source: Amazon Cognito User Pools API Reference, CreateGroup, `Precedence`.
fn check_precedence(request: &CognitoRequest) -> Result<(), ErrorResponse> {
    match request.precedence {
        Some(precedence) if precedence > i64::from(i32::MAX) => Err(invalid("The precedence is too high.")),
        Some(_) | None => Ok(()),
    }
}

fn not_found() -> ErrorResponse {
    ErrorResponse::new("ResourceNotFoundException", "Group not found.")
}

fn shown(pool: &str, name: &str, group: &Group) -> Value {
    let mut shown = Map::new();
    shown.insert("GroupName".to_owned(), json!(name));
    shown.insert("UserPoolId".to_owned(), json!(pool));
    if let Some(description) = &group.description {
        shown.insert("Description".to_owned(), json!(description));
    }
    if let Some(role_arn) = &group.role_arn {
        shown.insert("RoleArn".to_owned(), json!(role_arn));
    }
    if let Some(precedence) = group.precedence {
        shown.insert("Precedence".to_owned(), json!(precedence));
    }
    shown.insert("LastModifiedDate".to_owned(), json!(epoch_seconds(group.modified_ms)));
    shown.insert("CreationDate".to_owned(), json!(epoch_seconds(group.created_ms)));
    Value::Object(shown)
}

/// A list, with the token of the next page if there is one.
pub(super) fn listed(of: &str, entries: Vec<Value>, token: &str, next: Option<String>) -> Value {
    let mut listed = Map::new();
    listed.insert(of.to_owned(), Value::Array(entries));
    if let Some(next) = next {
        listed.insert(token.to_owned(), Value::String(next));
    }
    Value::Object(listed)
}
