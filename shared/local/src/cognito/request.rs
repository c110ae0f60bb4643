//! What requests hold: one form for all operations, in which only what the stand-in uses has a place. A temporary
//! password has none, so that it cannot reach the journal.

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
    /// The user's name, in the form that Cognito takes.
    pub(super) fn username(&self) -> Result<&str, Refusal> {
        let name = required("username", self.username.as_deref())?;
        names::check("username", name)?;
        Ok(name)
    }

    /// The group's name, in the form that Cognito takes.
    pub(super) fn group_name(&self) -> Result<&str, Refusal> {
        let name = required("groupName", self.group_name.as_deref())?;
        names::check("groupName", name)?;
        Ok(name)
    }
}

/// A member that has to be there.
pub(super) fn required<'a, T: ?Sized>(member: &str, value: Option<&'a T>) -> Result<&'a T, Refusal> {
    value.ok_or_else(|| {
        constraint(&format!("Value null at '{member}' failed to satisfy constraint: Member must not be null"))
    })
}

/// A member that is not as it has to be.
pub(super) fn constraint(what: &str) -> Refusal {
    invalid(format!("1 validation error detected: {what}"))
}

/// A parameter that is not as it has to be.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::new("InvalidParameterException", message)
}
