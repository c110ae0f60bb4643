//! A sign-up: who names the account is found by a message on the work queue.

use instep_flow::work::{NamedObject, Work};
use instep_model::{Model, Names, Object, UserValue};
use serde::Deserialize;

use crate::instep::Instep;
use crate::run_options::RunOptions;

/// What Cognito calls a confirmed sign-up, and a first sign-in through an identity provider. Source: Amazon Cognito
/// Developer Guide, "Post confirmation Lambda trigger".
const CONFIRMED: &str = "PostConfirmation_ConfirmSignUp";

/// The status of an account of an identity provider.
const OF_PROVIDER: &str = "EXTERNAL_PROVIDER";

/// Somebody who has signed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignUp {
    name: String,
    sub: String,
    /// A list of users may show an account late, and nothing else finds it by its `sub`.
    is_of_provider: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    trigger_source: String,
    user_name: String,
    request: Request,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    user_attributes: Attributes,
}

#[derive(Deserialize)]
struct Attributes {
    sub: String,
    #[serde(default, rename = "cognito:user_status")]
    status: String,
}

impl SignUp {
    /// The sign-up that an event of Cognito is about. `None` if it is about something else.
    #[must_use]
    pub fn of_event(event: &str) -> Option<Self> {
        let Event { trigger_source, user_name: name, request } = serde_json::from_str(event).ok()?;
        let Attributes { sub, status } = request.user_attributes;
        (trigger_source == CONFIRMED).then_some(Self { name, sub, is_of_provider: status == OF_PROVIDER })
    }

    /// The value by which items of a model name the account. `None` if they name none.
    fn object(&self, model: &Model) -> Option<Object> {
        let (of, value) = model.user_value()?;
        let text = match value {
            UserValue::Sub => self.sub.clone(),
            UserValue::Name if model.user_values_are_lowered() => self.name.to_lowercase(),
            UserValue::Name => self.name.clone(),
        };
        Some(Object { of, names: Names::from([(value.name().to_owned(), text)]) })
    }
}

impl Instep {
    /// Sends the account of a sign-up to the work queue. The run over the message finds the items that name it.
    ///
    /// # Errors
    /// The message was not sent.
    pub async fn signed_up(&self, sign_up: &SignUp, run: &RunOptions) -> Result<(), String> {
        let Some(object) = sign_up.object(&self.model) else { return Ok(()) };
        let work = Work::Reconcile(vec![NamedObject::new(&self.model, &object, None)]);
        self.queue.send_work(vec![self.queue.message(0, run, work, sign_up.is_of_provider)], run).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(source: &str, name: &str, status: &str) -> String {
        format!(
            r#"{{"version":"1","triggerSource":"{source}","userName":"{name}","callerContext":{{"clientId":"c"}},
            "request":{{"userAttributes":{{"sub":"0a1b","email":"ann@example.com","cognito:user_status":"{status}"}}}},"response":{{}}}}"#
        )
    }

    #[test]
    fn only_a_confirmed_sign_up_counts() {
        let of = |source: &str| SignUp::of_event(&event(source, "ann", "CONFIRMED"));
        assert_eq!(
            of(CONFIRMED).map(|of| (of.name, of.sub, of.is_of_provider)),
            Some(("ann".into(), "0a1b".into(), false))
        );
        let others =
            ["PostConfirmation_ConfirmForgotPassword", "PostAuthentication_Authentication", "PreSignUp_SignUp"];
        assert!(others.iter().all(|source| of(source).is_none()));
        assert!(SignUp::of_event("{}").is_none() && SignUp::of_event("no JSON").is_none());
        let provider = SignUp::of_event(&event(CONFIRMED, "Google_1", OF_PROVIDER));
        assert!(provider.is_some_and(|of| of.is_of_provider), "its name is not its sub");
    }

    #[test]
    fn the_value_is_the_one_by_which_the_model_names_people() {
        let model = |user: &str| {
            let text = format!(
                "model = \"m\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n[items.Member]\npk = \"T#{{team}}\"\nsk = \"M#{{id}}\"\n\
                 cognito.member = {{ user = {user}, group = \"t:{{team}}\" }}"
            );
            Model::parse("m.toml", &text).unwrap()
        };
        let sign_up = SignUp::of_event(&event(CONFIRMED, "Ann", "CONFIRMED")).unwrap();
        let value = |user: &str| sign_up.object(&model(user)).map(|of| of.names.into_values().collect::<Vec<_>>());
        assert_eq!(value("{ sub = \"{id}\" }"), Some(vec!["0a1b".to_owned()]));
        assert_eq!(value("{ name = \"{id}\" }"), Some(vec!["Ann".to_owned()]));
        assert_eq!(value("{ name = \"{id|lower}\" }"), Some(vec!["ann".to_owned()]));
        assert!(sign_up.object(&Model::shipped("teams").unwrap()).is_none());
    }
}
