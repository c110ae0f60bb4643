//! Tokens: what Cognito asks before it issues some, and the groups that they get.
//!
//! Source of events and answers: Amazon Cognito Developer Guide, "Pre token generation Lambda trigger".

use std::collections::BTreeSet;

use instep_flow::reconcile::{ImpliedGroups, SigningInAccount, is_made_by_hand, is_of_model, roles_of_groups};
use instep_model::{ADDRESSES, Model};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

/// How the trigger sources of tokens begin.
const SOURCE: &str = "TokenGeneration_";

/// A token of an application: it has no user.
const OF_CLIENT: &str = "TokenGeneration_ClientCredentials";

/// The claim of a token that lacks some of its groups, and its value.
const CLAIM: &str = "instep_groups";
const INCOMPLETE: &str = "incomplete";

/// What a name takes in a token besides its own bytes: quotes and a comma.
const BYTES_BESIDE_A_NAME: usize = 3;

/// What Cognito asks before it issues tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenRequest {
    event: Value,
    form: ResponseForm,
    account: Option<SigningInAccount>,
    groups: GroupConfiguration,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResponseForm {
    /// Of `V1_0`.
    Claims,
    /// Of `V2_0` and `V3_0`.
    ClaimsAndScopes,
}

/// Cognito asks for something else, or not as it does. Nobody gets a token then. INVARIANT 9: no value of the event is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenRequestError {
    /// It is not an event of this trigger.
    #[error("the event is none of Cognito's trigger before tokens are issued")]
    OtherEvent,
    /// A form of the trigger that this version does not know.
    #[error("the event has a version that is none of 1, 2 and 3: set the trigger to V1_0, V2_0 or V3_0")]
    OtherVersion,
    /// Another pool asks.
    #[error("another user pool asks: its trigger must not be this function")]
    OtherPool,
}

/// What the answer to a request has.
#[derive(Debug, Clone, PartialEq)]
pub struct IssuedGroups {
    /// The event with its answer, for Cognito.
    pub event: Value,
    /// The groups in the token.
    pub groups: usize,
    /// The groups that had no place in it.
    pub left_out: usize,
    /// Whether the token lacks groups, and says so.
    pub is_incomplete: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    version: String,
    trigger_source: String,
    user_pool_id: String,
    user_name: Option<String>,
    request: Request,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(default)]
    user_attributes: Option<Map<String, Value>>,
    #[serde(default)]
    group_configuration: Option<GroupConfiguration>,
}

/// The groups of the pool, with their roles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GroupConfiguration {
    #[serde(default)]
    groups_to_override: Option<Vec<String>>,
    #[serde(default)]
    iam_roles_to_override: Option<Vec<String>>,
    #[serde(default)]
    preferred_role: Option<String>,
}

impl TokenRequest {
    /// Reads an event. `pool` is the one that may ask, if it is known. Of a pool that ignores case, no two accounts have
    /// names that differ only in case.
    ///
    /// # Errors
    /// It is none that this version answers.
    pub fn read(event: &str, pool: Option<&str>, ignores_case: bool) -> Result<Self, TokenRequestError> {
        let whole: Value = serde_json::from_str(event).map_err(|_| TokenRequestError::OtherEvent)?;
        let Event { version, trigger_source, user_pool_id, user_name, request } =
            Event::deserialize(&whole).map_err(|_| TokenRequestError::OtherEvent)?;
        if !trigger_source.starts_with(SOURCE) {
            return Err(TokenRequestError::OtherEvent);
        }
        if pool.is_some_and(|pool| pool != user_pool_id) {
            return Err(TokenRequestError::OtherPool);
        }
        let form = match version.as_str() {
            "1" => ResponseForm::Claims,
            "2" | "3" => ResponseForm::ClaimsAndScopes,
            _ => return Err(TokenRequestError::OtherVersion),
        };
        let groups = request.group_configuration.unwrap_or_default();
        if trigger_source == OF_CLIENT {
            return Ok(Self { event: whole, form, account: None, groups });
        }
        let attributes = request.user_attributes.unwrap_or_default();
        let text = |name: &str| attributes.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (Some(username), Some(sub)) = (user_name.filter(|name| !name.is_empty()), text("sub")) else {
            return Err(TokenRequestError::OtherEvent);
        };
        let addresses = ADDRESSES.into_iter().filter_map(text).map(str::to_owned).collect();
        let account = SigningInAccount { username, sub: sub.to_owned(), addresses, ignores_case };
        Ok(Self { event: whole, form, account: Some(account), groups })
    }

    /// Whose tokens they are. `None` if they are of an application: then the event is the answer.
    #[must_use]
    pub const fn account(&self) -> Option<&SigningInAccount> {
        self.account.as_ref()
    }

    /// The event as it is: the answer for an application.
    #[must_use]
    pub fn unchanged(self) -> Value {
        self.event
    }

    /// The answer: the groups that no name of the model can be, and those that the table implies, up to `bytes_max` bytes.
    ///
    /// INVARIANT 2: what the pool says of groups of the model does not count, and neither does an IAM role that only such a
    /// group gives.
    #[must_use]
    pub fn answer(self, model: &Model, implied: &ImpliedGroups, bytes_max: usize) -> IssuedGroups {
        let of_pool: BTreeSet<String> = self.groups.groups_to_override.into_iter().flatten().collect();
        let others = of_pool.iter().filter(|group| !is_of_model(model, group));
        // While people have not made it, nobody is in a group that they make.
        let is_there = |group: &&String| of_pool.contains(*group) || !is_made_by_hand(model, group);
        let all: BTreeSet<&String> = others.chain(implied.groups.iter().filter(is_there)).collect();
        let (mut groups, mut bytes) = (Vec::new(), 0_usize);
        for group in &all {
            bytes = bytes.saturating_add(group.len() + BYTES_BESIDE_A_NAME);
            if bytes > bytes_max {
                break;
            }
            groups.push((*group).clone());
        }
        let given = roles_of_groups(model, &groups);
        let is_kept = |role: &String| !model.iam_roles().contains(role.as_str()) || given.contains(role);
        let roles: Vec<String> = self.groups.iam_roles_to_override.into_iter().flatten().filter(is_kept).collect();
        let mut configuration = json!({"groupsToOverride": groups, "iamRolesToOverride": roles});
        if let (Some(fields), Some(role)) = (configuration.as_object_mut(), self.groups.preferred_role.filter(is_kept))
        {
            fields.insert("preferredRole".to_owned(), role.into());
        }
        let left_out = all.len() - groups.len();
        let is_incomplete = left_out > 0 || implied.is_cut;
        let response = response(self.form, configuration, is_incomplete);
        let mut event = self.event;
        if let Some(fields) = event.as_object_mut() {
            fields.insert("response".to_owned(), response);
        }
        IssuedGroups { event, groups: groups.len(), left_out, is_incomplete }
    }
}

fn response(form: ResponseForm, groups: Value, is_incomplete: bool) -> Value {
    let claims = json!({"claimsToAddOrOverride": {CLAIM: INCOMPLETE}});
    let mut details = json!({"groupOverrideDetails": groups});
    if let (Some(details), true) = (details.as_object_mut(), is_incomplete) {
        match form {
            ResponseForm::Claims => details.extend(claims.as_object().cloned().unwrap_or_default()),
            ResponseForm::ClaimsAndScopes => {
                details.insert("idTokenGeneration".to_owned(), claims.clone());
                details.insert("accessTokenGeneration".to_owned(), claims);
            }
        }
    }
    match form {
        ResponseForm::Claims => json!({"claimsOverrideDetails": details}),
        ResponseForm::ClaimsAndScopes => json!({"claimsAndScopeOverrideDetails": details}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POOL: &str = "eu-west-1_abc";

    fn event(version: &str, groups: &Value, source: &str) -> String {
        json!({
            "version": version, "triggerSource": source, "region": "eu-west-1", "userPoolId": POOL, "userName": "ann@example.com",
            "callerContext": {"awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": "c1"},
            "request": {
                "userAttributes": {"sub": "0a1b", "email": "ann@example.com"},
                "groupConfiguration": {"groupsToOverride": groups, "iamRolesToOverride": ["arn:aws:iam::1:role/r"], "preferredRole": null},
                "clientMetadata": {"groups": "/usa|||admin"},
            },
            "response": {},
        })
        .to_string()
    }

    fn implied(groups: &[&str]) -> ImpliedGroups {
        ImpliedGroups { groups: groups.iter().map(|&group| group.to_owned()).collect(), is_cut: false }
    }

    fn answered(version: &str, groups: &Value, of: &ImpliedGroups) -> (Value, IssuedGroups) {
        let model = Model::shipped("access-management").unwrap();
        let request =
            TokenRequest::read(&event(version, groups, "TokenGeneration_RefreshTokens"), None, false).unwrap();
        let issued = request.answer(&model, of, 4_096);
        let name = if version == "1" { "claimsOverrideDetails" } else { "claimsAndScopeOverrideDetails" };
        (issued.event["response"][name].clone(), issued)
    }

    /// Promise 2: what the pool says of a group of the model does not count, in each form of the trigger; all other groups stay.
    #[test]
    fn a_token_has_the_groups_that_the_table_implies() {
        for version in ["1", "2", "3"] {
            let groups = |of_pool: &Value, of: &[&str]| {
                let (details, _) = answered(version, of_pool, &implied(of));
                details["groupOverrideDetails"]["groupsToOverride"].clone()
            };
            let of_pool = json!(["/usa|||admin", "staff", "eu-west-1_abc_Google"]);
            let expected = json!(["/usa|||reader", "eu-west-1_abc_Google", "staff"]);
            assert_eq!(groups(&of_pool, &["/usa|||reader"]), expected, "V{version}");
            assert_eq!(groups(&json!(["/usa|||admin"]), &[]), json!([]), "revoked: no groups, and not no word of them");
            assert_eq!(groups(&Value::Null, &["/a|||reader"]), json!(["/a|||reader"]));
            assert_eq!(groups(&json!(["x|||owner"]), &[]), json!(["x|||owner"]), "not of this model");
        }
    }

    /// Promise 8: a token fits a header. One that lacks groups says so.
    #[test]
    fn a_token_has_an_end_and_says_so() {
        let many: Vec<String> = (0..1_000).map(|nth| format!("/g{nth:04}|||reader")).collect();
        let many = implied(&many.iter().map(String::as_str).collect::<Vec<_>>());
        for (version, at) in
            [("1", ""), ("2", "/idTokenGeneration"), ("2", "/accessTokenGeneration"), ("3", "/accessTokenGeneration")]
        {
            let (details, issued) = answered(version, &json!([]), &many);
            assert_eq!((issued.groups, issued.left_out), (227, 773), "of 15 bytes each");
            assert_eq!(
                details.pointer(&format!("{at}/claimsToAddOrOverride")),
                Some(&json!({CLAIM: INCOMPLETE})),
                "V{version}"
            );
        }
        let cut = ImpliedGroups { is_cut: true, ..implied(&["/a|||reader"]) };
        assert!(answered("1", &json!([]), &cut).1.is_incomplete, "there are more grants than were read");
        let (details, issued) = answered("1", &json!([]), &implied(&["/a|||reader"]));
        assert!(!issued.is_incomplete && details.get("claimsToAddOrOverride").is_none(), "{details}");
    }

    /// Promise 9: a token of an application has no user, so nothing is read, and the event stays as it is.
    #[test]
    fn the_token_of_an_application_stays_as_it_is() {
        let text = event("3", &json!([]), OF_CLIENT);
        let request = TokenRequest::read(&text, Some(POOL), false).unwrap();
        assert_eq!(request.account(), None);
        assert_eq!(request.unchanged(), serde_json::from_str::<Value>(&text).unwrap());
    }

    /// Promise 2: an event that is not known as Cognito's gets no answer, so nobody gets a token.
    #[test]
    fn what_is_not_known_is_refused() {
        let read = |text: &str, pool| TokenRequest::read(text, pool, false).map(drop).unwrap_err();
        let sound = event("1", &json!([]), "TokenGeneration_Authentication");
        assert!(TokenRequest::read(&sound, Some(POOL), false).is_ok());
        assert_eq!(read(&sound, Some("eu-west-1_other")), TokenRequestError::OtherPool);
        let of = |version, source| event(version, &json!([]), source);
        assert_eq!(read(&of("9", "TokenGeneration_Authentication"), None), TokenRequestError::OtherVersion);
        assert_eq!(read(&of("1", "PreSignUp_SignUp"), None), TokenRequestError::OtherEvent);
        let others =
            ["{}", "no JSON", &sound.replace("0a1b", ""), &sound.replace("\"userName\":\"ann@example.com\",", "")];
        assert!(others.iter().all(|text| read(text, None) == TokenRequestError::OtherEvent));
        assert_eq!(read(&sound.replace("[]", "\"/usa|||admin\""), None), TokenRequestError::OtherEvent);
    }

    /// Promise 2: an IAM role that only a revoked group gave is in no token.
    #[test]
    fn a_role_stays_only_with_its_group() {
        let text = r#"
            model = "m"
            table = { pk = "PK", sk = "SK" }
            names.role = ["owner", "member"]
            [items.Team]
            pk = "T#{team}"
            sk = "T"
            cognito.groups = { name = "{team}:{role}", iam_role.owner = "arn:aws:iam::111122223333:role/owner" }
            [items.Seat]
            pk = "T#{team}"
            sk = "S#{id}"
            parent = "Team"
            grant = { subject = "Seat", scope = "Team", roles = "role" }
            cognito.member = { user = { sub = "{id}" }, group = "Team" }
        "#;
        let model = Model::parse("m.toml", text).unwrap();
        let owner = "arn:aws:iam::111122223333:role/owner";
        let event = event("1", &json!(["a:owner"]), "TokenGeneration_Authentication");
        let event = event.replace("\"preferredRole\":null", &format!("\"preferredRole\":\"{owner}\""));
        let event = event.replace("\"arn:aws:iam::1:role/r\"", &format!("\"arn:aws:iam::1:role/r\",\"{owner}\""));
        let details = |of: &[&str]| {
            let request = TokenRequest::read(&event, None, false).unwrap();
            request.answer(&model, &implied(of), 4_096).event["response"]["claimsOverrideDetails"]["groupOverrideDetails"].clone()
        };
        let kept = details(&["a:owner"]);
        assert_eq!(
            (kept["iamRolesToOverride"][1].as_str(), kept["preferredRole"].as_str()),
            (Some(owner), Some(owner))
        );
        let revoked = details(&["a:member"]);
        assert_eq!(revoked, json!({"groupsToOverride": ["a:member"], "iamRolesToOverride": ["arn:aws:iam::1:role/r"]}));
    }
}
