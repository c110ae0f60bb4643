//! Requests: one struct for all operations, with only the members that the stand-in uses. It has no
//! password, so that none reaches the journal.
//!
//! [`crate::constraints`] has checked them: a member that an operation requires is there, and in its form.

use serde::{Deserialize, Serialize};

use crate::wire::ErrorResponse;

/// A request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct CognitoRequest {
    pub(super) user_pool_id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) client_id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) username: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) group_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role_arn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) precedence: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) user_attributes: Vec<UserAttribute>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) user_attribute_names: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message_action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confirmation_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) force_alias_creation: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) permanent: Option<bool>,
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
pub(crate) struct UserAttribute {
    pub(super) name: String,
    #[serde(default)]
    pub(super) value: String,
}

/// The error of an invalid parameter.
pub(super) fn invalid(message: impl Into<String>) -> ErrorResponse {
    ErrorResponse::new("InvalidParameterException", message)
}
