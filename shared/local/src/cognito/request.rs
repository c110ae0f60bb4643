//! Requests: one struct for all operations, with only the members that the stand-in uses. It has no
//! temporary password, so that no password reaches the journal.

use serde::{Deserialize, Serialize};

use super::names;
use crate::wire::Refusal;

/// A request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Request {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_pool_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role_arn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) precedence: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_attributes: Option<Vec<Attribute>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_attribute_names: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message_action: Option<String>,
    #[serde(skip_serializing)]
    pub(super) limit: Option<i64>,
    #[serde(skip_serializing)]
    pub(super) next_token: Option<String>,
    #[serde(skip_serializing)]
    pub(super) pagination_token: Option<String>,
    #[serde(skip_serializing)]
    pub(super) filter: Option<String>,
    #[serde(skip_serializing)]
    pub(super) attributes_to_get: Option<Vec<String>>,
}

/// A user attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Attribute {
    pub(super) name: String,
    #[serde(default)]
    pub(super) value: String,
}

impl Request {
    /// The user's name, if Cognito accepts it.
    pub(super) fn username(&self) -> Result<&str, Refusal> {
        let name = required("username", self.username.as_deref())?;
        names::check("username", name)?;
        Ok(name)
    }

    /// The group's name, if Cognito accepts it.
    pub(super) fn group_name(&self) -> Result<&str, Refusal> {
        let name = required("groupName", self.group_name.as_deref())?;
        names::check("groupName", name)?;
        Ok(name)
    }
}

/// A required member.
pub(super) fn required<'a, T: ?Sized>(member: &str, value: Option<&'a T>) -> Result<&'a T, Refusal> {
    value.ok_or_else(|| {
        constraint(&format!("Value null at '{member}' failed to satisfy constraint: Member must not be null"))
    })
}

/// The error of a member that violates a constraint.
pub(super) fn constraint(what: &str) -> Refusal {
    invalid(format!("1 validation error detected: {what}"))
}

/// The error of an invalid parameter.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::new("InvalidParameterException", message)
}
