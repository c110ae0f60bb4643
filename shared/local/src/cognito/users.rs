//! Users and their attributes.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{AttributeForm, COGNITO_USER_ATTRIBUTES};
use serde_json::{Value, json};

use super::groups::listed;
use super::page::page;
use super::pool::{ADDRESSES, Pool, SUB, SignIn, Status, User, epoch_seconds, verified};
use super::request::{CognitoRequest, UserAttribute, invalid};
use crate::ident;
use crate::wire::{ErrorResponse, OperationResult};

/// The length of a `birthdate`. Source: Amazon Cognito Developer Guide, "Working with user attributes".
const DATE_CHARS: usize = 10;

impl Pool {
    /// The user that a request names.
    pub(super) fn user(&self, request: &CognitoRequest) -> Result<&User, ErrorResponse> {
        let key = self.key_of(&request.username);
        self.users.get(&key).ok_or_else(not_found)
    }

    pub(super) fn user_mut(&mut self, request: &CognitoRequest) -> Result<&mut User, ErrorResponse> {
        let key = self.key_of(&request.username);
        self.users.get_mut(&key).ok_or_else(not_found)
    }

    /// Checks the user attributes of a request against the pool's schema.
    pub(super) fn check_attributes(&self, request: &CognitoRequest) -> Result<(), ErrorResponse> {
        for UserAttribute { name, value } in &request.user_attributes {
            self.check_name(name)?;
            let form = AttributeForm::of(name);
            if !form.accepts(value) {
                return Err(malformed(name, value, form));
            }
        }
        request.user_attribute_names.iter().try_for_each(|name| self.check_name(name))
    }

    fn check_name(&self, name: &str) -> Result<(), ErrorResponse> {
        if name == SUB {
            return Err(invalid("Cannot modify the non-mutable attribute sub"));
        }
        if self.custom.contains(name) || COGNITO_USER_ATTRIBUTES.contains(&name) {
            return Ok(());
        }
        let message = format!("Type for attribute {{{name}}} could not be determined");
        Err(invalid(format!("Attributes did not conform to the schema: {message}")))
    }

    pub(super) fn create_user(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        // Only sends the invitation again.
        if request.message_action.as_deref() == Some("RESEND") {
            return Ok(json!({"User": self.user(request)?.shown(None)}));
        }
        let user = self.new_user(request, Status::ForceChangePassword, now_ms)?;
        Ok(json!({"User": user.shown(None)}))
    }

    /// Creates a user, of a name that no user has.
    pub(super) fn new_user(
        &mut self,
        request: &CognitoRequest,
        status: Status,
        now_ms: i64,
    ) -> Result<&User, ErrorResponse> {
        let asked = self.fold(&request.username);
        let exists = || ErrorResponse::new("UsernameExistsException", "User account already exists");
        if self.users.contains_key(&asked) {
            return Err(exists());
        }
        let sub = match self.made.get(&asked) {
            None => ident::uuid(&[SUB, &self.id, &asked]),
            Some(count) => ident::uuid(&[SUB, &self.id, &asked, &count.to_string()]),
        };
        let mut user = User {
            name: request.username.clone(),
            attributes: BTreeMap::from([(SUB.to_owned(), sub.clone())]),
            enabled: true,
            status,
            created_ms: now_ms,
            modified_ms: now_ms,
            groups: BTreeSet::new(),
        };
        user.set(&request.user_attributes);
        match self.sign_in {
            SignIn::Names => {}
            SignIn::Aliases => self.check_aliases(&user, request)?,
            SignIn::Addresses => {
                let address = if AttributeForm::Email.accepts(&user.name) { "email" } else { "phone_number" };
                if !AttributeForm::of(address).accepts(&user.name) {
                    return Err(invalid("Username should be either an email or a phone number."));
                }
                if self.users.values().any(|other| self.signs_in_with(other, &user.name)) {
                    return Err(exists());
                }
                user.attributes.insert(address.to_owned(), user.name.clone());
                user.name = sub;
            }
        }
        *self.made.entry(asked).or_default() += 1;
        let key = self.fold(&user.name);
        Ok(self.users.entry(key).or_insert(user))
    }

    /// Checks that no other user signs in with an address that this one has verified. `ForceAliasCreation` takes it
    /// from the other. Source: Amazon Cognito User Pools API Reference, AdminCreateUser and ConfirmSignUp.
    pub(super) fn check_aliases(&mut self, user: &User, request: &CognitoRequest) -> Result<(), ErrorResponse> {
        for address in ADDRESSES {
            let Some(value) = user.attributes.get(address).filter(|value| self.signs_in_with(user, value)) else {
                continue;
            };
            let own = self.fold(&user.name);
            let holder = self.users.iter().find(|(key, other)| **key != own && self.signs_in_with(other, value));
            let Some(holder) = holder.map(|(key, _)| key.clone()) else { continue };
            if request.force_alias_creation != Some(true) {
                let message = format!("An account with the {} already exists.", address.replace('_', " "));
                return Err(ErrorResponse::new("AliasExistsException", message));
            }
            if let Some(holder) = self.users.get_mut(&holder) {
                holder.attributes.insert(verified(address), "false".to_owned());
            }
        }
        Ok(())
    }

    pub(super) fn get_user(&self, request: &CognitoRequest) -> OperationResult {
        let mut shown = self.user(request)?.shown(None);
        if let Some(shown) = shown.as_object_mut()
            && let Some(attributes) = shown.remove("Attributes")
        {
            shown.insert("UserAttributes".to_owned(), attributes);
        }
        Ok(shown)
    }

    /// Deletes a user and its memberships.
    pub(super) fn delete_user(&mut self, request: &CognitoRequest) -> OperationResult {
        let key = self.key_of(&request.username);
        let user = self.users.remove(&key).ok_or_else(not_found)?;
        for group in &user.groups {
            if let Some(group) = self.groups.get_mut(group) {
                group.members.remove(&key);
            }
        }
        Ok(json!({}))
    }

    /// Enables or disables a user, which keeps all memberships. It is no error if nothing changes.
    pub(super) fn set_enabled(&mut self, request: &CognitoRequest, enabled: bool, now_ms: i64) -> OperationResult {
        let user = self.user_mut(request)?;
        user.enabled = enabled;
        user.modified_ms = now_ms;
        Ok(json!({}))
    }

    /// Ends the sessions that a user has, which are none here.
    pub(super) fn sign_out(&self, request: &CognitoRequest) -> OperationResult {
        self.user(request).map(|_| json!({}))
    }

    pub(super) fn update_attributes(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        let attributes = &request.user_attributes;
        let user = self.user_mut(request)?;
        user.forget_verifications(attributes);
        user.set(attributes);
        user.modified_ms = now_ms;
        Ok(json!({}))
    }

    pub(super) fn delete_attributes(&mut self, request: &CognitoRequest, now_ms: i64) -> OperationResult {
        let names = &request.user_attribute_names;
        let user = self.user_mut(request)?;
        user.attributes.retain(|name, _| !names.contains(name));
        user.modified_ms = now_ms;
        Ok(json!({}))
    }

    pub(super) fn list_users(&self, request: &CognitoRequest) -> OperationResult {
        let filter = request.filter.as_deref().filter(|text| !text.is_empty()).map(Filter::parse).transpose()?;
        let only = request.attributes_to_get.as_deref();
        let users = self
            .users
            .iter()
            .filter(|(_, user)| filter.as_ref().is_none_or(|filter| filter.matches(user)))
            .map(|(key, user)| (key.as_str(), user.shown(only)));
        let page = page(users, request.limit, request.pagination_token.as_deref())?;
        Ok(listed("Users", page.entries, "PaginationToken", page.next_token))
    }
}

impl User {
    /// A new address is not verified, unless the same request says so. Source: Amazon Cognito User Pools
    /// API Reference, AdminUpdateUserAttributes.
    fn forget_verifications(&mut self, attributes: &[UserAttribute]) {
        for address in ADDRESSES {
            let new = attributes.iter().find(|attribute| attribute.name == address);
            if new.is_some_and(|new| self.attributes.get(address) != Some(&new.value))
                && let Some(verified) = self.attributes.get_mut(&verified(address))
            {
                "false".clone_into(verified);
            }
        }
    }

    /// Sets attributes. An attribute with an empty value is deleted. Source: Amazon Cognito User
    /// Pools API Reference, AdminUpdateUserAttributes: "To delete an attribute from your user,
    /// submit the attribute in your API request with a blank value."
    fn set(&mut self, attributes: &[UserAttribute]) {
        for UserAttribute { name, value } in attributes {
            if value.is_empty() {
                self.attributes.remove(name);
            } else {
                self.attributes.insert(name.clone(), value.clone());
            }
        }
    }

    pub(super) fn sub(&self) -> &str {
        self.attributes.get(SUB).map_or("", String::as_str)
    }

    /// The user as responses show it. `only` restricts the attributes.
    pub(super) fn shown(&self, only: Option<&[String]>) -> Value {
        let attributes: Vec<Value> = self
            .attributes
            .iter()
            .filter(|(name, _)| only.is_none_or(|only| only.contains(name)))
            .map(|(name, value)| json!({"Name": name, "Value": value}))
            .collect();
        json!({
            "Username": self.name,
            "Attributes": attributes,
            "UserCreateDate": epoch_seconds(self.created_ms),
            "UserLastModifiedDate": epoch_seconds(self.modified_ms),
            "Enabled": self.enabled,
            "UserStatus": self.status.name(),
        })
    }
}

fn not_found() -> ErrorResponse {
    ErrorResponse::new("UserNotFoundException", "User does not exist.")
}

/// The error of a value that does not have its attribute's form, in the service's words as far as they are known. Those
/// of `birthdate`: https://github.com/aws/aws-sdk-java/issues/1396, of `phone_number`:
/// https://github.com/amazon-archives/amazon-cognito-identity-js/issues/316.
fn malformed(name: &str, value: &str, form: AttributeForm) -> ErrorResponse {
    let message = match form {
        AttributeForm::Email => return invalid("Invalid email address format."),
        AttributeForm::Phone => return invalid("Invalid phone number format."),
        AttributeForm::Date if value.chars().count() < DATE_CHARS => {
            format!("String must be no shorter than {DATE_CHARS} characters")
        }
        AttributeForm::Date if value.chars().count() > DATE_CHARS => {
            format!("String must be no longer than {DATE_CHARS} characters")
        }
        AttributeForm::Text | AttributeForm::Date | AttributeForm::Number | AttributeForm::Boolean => {
            format!("must be {}", form.words())
        }
    };
    invalid(format!("Attributes did not conform to the schema: {name}: {message}"))
}

/// A filter of ListUsers: one attribute that equals a value or begins with it.
struct Filter<'a> {
    attribute: &'a str,
    is_prefix: bool,
    value: String,
}

impl<'a> Filter<'a> {
    /// Searchable attributes. Source: Amazon Cognito User Pools API Reference, ListUsers, `Filter`.
    const SEARCHABLE: [&'static str; 10] = [
        "username",
        "email",
        "phone_number",
        "name",
        "given_name",
        "family_name",
        "preferred_username",
        "cognito:user_status",
        "status",
        SUB,
    ];

    fn parse(text: &'a str) -> Result<Self, ErrorResponse> {
        let malformed = || invalid("Error while parsing filter string.");
        let (left, right) = text.split_once('=').ok_or_else(malformed)?;
        let (attribute, is_prefix) = left.strip_suffix('^').map_or((left, false), |left| (left, true));
        let attribute = attribute.trim().trim_matches('"');
        let quoted = right.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or_else(malformed)?;
        if !Self::SEARCHABLE.contains(&attribute) {
            return Err(invalid(format!("Attribute {attribute} is not searchable.")));
        }
        Ok(Self { attribute, is_prefix, value: quoted.replace("\\\"", "\"") })
    }

    fn matches(&self, user: &User) -> bool {
        let held = match self.attribute {
            "username" => user.name.as_str(),
            "status" => {
                if user.enabled {
                    "Enabled"
                } else {
                    "Disabled"
                }
            }
            "cognito:user_status" => user.status.name(),
            other => user.attributes.get(other).map_or("", String::as_str),
        };
        if self.is_prefix { held.starts_with(&self.value) } else { held == self.value }
    }
}
