//! Users who sign up, and what becomes of their passwords. No password and no code is kept: a code is always
//! [`CONFIRMATION_CODE`].

use instep_model::{COGNITO_USER_ATTRIBUTES, VERIFIED_ATTRIBUTE};
use serde_json::json;

use super::pool::{ADDRESSES, Pool, Status, User, verified};
use super::request::CognitoRequest;
use crate::ident::REGION;
use crate::wire::{ErrorResponse, OperationResult};

/// The id of the pool's app client.
pub const APP_CLIENT: &str = "instep00000000000000000000";

/// The code that Cognito would send to a user who signs up.
pub const CONFIRMATION_CODE: &str = "123456";

/// Checks that a request is for the app client.
pub(super) fn check_client(request: &CognitoRequest) -> Result<(), ErrorResponse> {
    let id = &request.client_id;
    if id == APP_CLIENT {
        return Ok(());
    }
    Err(ErrorResponse::new("ResourceNotFoundException", format!("User pool client {id} does not exist.")))
}

impl Pool {
    /// Signs a user up. A client without `WriteAttributes` can write the standard attributes, but for those that say
    /// that an address is verified. Source: Amazon Cognito Developer Guide, "Working with user attributes".
    pub(super) fn sign_up(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        if !self.sign_up {
            return Err(not_authorized("SignUp is not permitted for this user pool"));
        }
        let can_write = |name: &str| COGNITO_USER_ATTRIBUTES.contains(&name) && !name.ends_with(VERIFIED_ATTRIBUTE);
        if !request.user_attributes.iter().all(|attribute| can_write(&attribute.name)) {
            return Err(not_authorized("A client attempted to write unauthorized attribute"));
        }
        let user = self.new_user(request, Status::Unconfirmed, now_ms)?;
        Ok(json!({"UserConfirmed": false, "UserSub": user.sub()}))
    }

    /// Confirms a sign-up by the code that was sent to an address, which is verified by that.
    pub(super) fn confirm(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        let mut user = self.unconfirmed(request)?;
        if request.confirmation_code.as_deref() != Some(CONFIRMATION_CODE) {
            let message = "Invalid verification code provided, please try again.";
            return Err(ErrorResponse::new("CodeMismatchException", message));
        }
        // The code goes to the email address, or to the phone number if there is none.
        if let Some(address) = ADDRESSES.into_iter().find(|name| user.attributes.contains_key(*name)) {
            user.attributes.insert(verified(address), "true".to_owned());
            self.check_aliases(&user, request)?;
        }
        user.status = Status::Confirmed;
        user.modified_ms = now_ms;
        self.users.insert(self.fold(&user.name), user);
        Ok(json!({}))
    }

    /// The event of the trigger PostConfirmation, after a request that confirmed a sign-up. Source: Amazon Cognito
    /// Developer Guide, "Post confirmation Lambda trigger".
    pub(super) fn confirmed_event(&self, request: &CognitoRequest) -> OperationResult {
        let user = self.user(request)?;
        let mut attributes = user.attributes.clone();
        attributes.insert("cognito:user_status".to_owned(), user.status.name().to_owned());
        let client = if request.client_id.is_empty() { "CLIENT_ID_NOT_APPLICABLE" } else { request.client_id.as_str() };
        Ok(json!({
            "version": "1",
            "region": REGION,
            "userPoolId": self.id,
            "userName": user.name,
            "callerContext": {"awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": client},
            "triggerSource": "PostConfirmation_ConfirmSignUp",
            "request": {"userAttributes": attributes},
            "response": {},
        }))
    }

    /// Confirms a sign-up without a code. No address is verified by that.
    pub(super) fn admin_confirm(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        self.unconfirmed(request)?;
        self.set_status(request, Status::Confirmed, now_ms)
    }

    /// Sets a password: for good, or until the user changes it.
    pub(super) fn set_password(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        let is_permanent = request.permanent == Some(true);
        self.set_status(request, if is_permanent { Status::Confirmed } else { Status::ForceChangePassword }, now_ms)
    }

    pub(super) fn set_status(&mut self, request: &CognitoRequest, status: Status, now_ms: i64) -> OperationResult {
        let user = self.user_mut(request)?;
        user.status = status;
        user.modified_ms = now_ms;
        Ok(json!({}))
    }

    /// A user whose sign-up is not confirmed.
    fn unconfirmed(&self, request: &CognitoRequest) -> Result<User, ErrorResponse> {
        let user = self.user(request)?;
        if user.status == Status::Unconfirmed {
            return Ok(user.clone());
        }
        Err(not_authorized(&format!("User cannot be confirmed. Current status is {}", user.status.name())))
    }
}

fn not_authorized(message: &str) -> ErrorResponse {
    ErrorResponse::new("NotAuthorizedException", message)
}
