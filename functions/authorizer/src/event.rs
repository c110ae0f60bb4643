//! What API Gateway sends, and what it is answered. Source: Amazon API Gateway Developer Guide, "Control access to HTTP APIs
//! with AWS Lambda authorizers" and "Input to an API Gateway Lambda authorizer".

use std::collections::BTreeMap;

use instep_lambda::InvocationFailure;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The event, of any kind of API.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    /// HTTP APIs alone have it.
    version: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    method_arn: Option<String>,
    /// 2.0
    route_key: Option<String>,
    /// 1.0 and REST
    http_method: Option<String>,
    resource: Option<String>,
    path_parameters: Option<BTreeMap<String, String>>,
    headers: Option<BTreeMap<String, String>>,
    multi_value_headers: Option<BTreeMap<String, Vec<String>>>,
    request_context: Option<RequestContext>,
}

#[derive(Deserialize)]
struct RequestContext {
    http: Option<HttpContext>,
}

#[derive(Deserialize)]
struct HttpContext {
    method: String,
}

/// A request to an API.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiRequest {
    /// The token in the header `Authorization`. `None` if there is none, or several.
    pub token: Option<String>,
    /// The method of the request.
    pub method: String,
    /// The path of the route, with its parameters: `/projects/{project_id}`.
    pub path: String,
    /// The parameters, decoded once. `None` if one cannot be decoded.
    pub parameters: Option<Vec<(String, String)>>,
    /// In which form the answer is.
    pub form: AnswerForm,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerForm {
    /// Yes or no: HTTP APIs with the format 2.0 and simple responses.
    Simple,
    /// A policy for the method with this ARN.
    Policy(String),
}

/// An error whose text API Gateway answers with 401, instead of 500.
#[must_use]
pub fn unauthorized() -> InvocationFailure {
    InvocationFailure { kind: "Unauthorized", message: "Unauthorized".to_owned() }
}

fn no_request(message: &str) -> InvocationFailure {
    InvocationFailure { kind: "NoRequest", message: message.to_owned() }
}

impl ApiRequest {
    /// Reads an event.
    ///
    /// # Errors
    /// It is no event of an authorizer that knows the parameters of the path.
    pub fn of_event(text: &str) -> Result<Self, InvocationFailure> {
        let event: Event =
            serde_json::from_str(text).map_err(|_| no_request("the event is none of API Gateway's for authorizers"))?;
        match event.kind.as_deref() {
            Some("REQUEST") => {}
            Some("TOKEN") => {
                return Err(no_request(
                    "the authorizer has the type TOKEN, which has no parameters of the path: make it one of the type REQUEST",
                ));
            }
            Some(_) | None => return Err(no_request("the event has no type `REQUEST`")),
        }
        let token = token(&event);
        let parameters = event.path_parameters.unwrap_or_default().into_iter();
        match event.version.as_deref() {
            Some("2.0") => {
                let method = event.request_context.and_then(|context| Some(context.http?.method));
                let method = method.ok_or_else(|| no_request("the event has no `requestContext.http.method`"))?;
                let key = event.route_key.ok_or_else(|| no_request("the event has no `routeKey`"))?;
                // `$default` is no route that could be listed.
                let path = key.split_once(' ').map_or(String::new(), |(_, path)| path.to_owned());
                Ok(Self { token, method, path, parameters: Some(parameters.collect()), form: AnswerForm::Simple })
            }
            version => {
                let missing = |what: &str| no_request(&format!("the event has no `{what}`"));
                let form = AnswerForm::Policy(event.method_arn.ok_or_else(|| missing("methodArn"))?);
                let method = event.http_method.ok_or_else(|| missing("httpMethod"))?;
                let path = event.resource.ok_or_else(|| missing("resource"))?;
                // An HTTP API has decoded them. A REST API passes on what was sent.
                let parameters = if version.is_some() {
                    Some(parameters.collect())
                } else {
                    parameters.map(|(name, text)| Some((name, decoded(&text)?))).collect()
                };
                Ok(Self { token, method, path, parameters, form })
            }
        }
    }
}

fn decoded(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

/// The token of a request. INVARIANT 2: of several, nobody knows which one the application takes.
fn token(event: &Event) -> Option<String> {
    let is_it = |name: &String| name.eq_ignore_ascii_case("authorization");
    let several = event.multi_value_headers.iter().flatten().filter(|(name, _)| is_it(name));
    let several: Vec<&String> = several.flat_map(|(_, values)| values).collect();
    let single: Vec<&String> =
        event.headers.iter().flatten().filter(|(name, _)| is_it(name)).map(|(_, value)| value).collect();
    let ([] | [_], [text]) = (several.as_slice(), single.as_slice()) else { return None };
    let text = match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token,
        Some(_) => return None,
        None => text,
    };
    Some(text.to_owned())
}

/// What the application is told of a request that is allowed.
pub type AnswerContext = Map<String, Value>;

impl AnswerForm {
    /// The answer to a request that is allowed. `principal` is the `sub` of the token. `None` if the answer would also allow
    /// other requests.
    #[must_use]
    pub fn allow(&self, principal: &str, context: AnswerContext) -> Option<Value> {
        match self {
            Self::Simple => Some(json!({ "isAuthorized": true, "context": context })),
            // INVARIANT 2: a policy is for this method alone, and the path of a request is in its ARN. Source: IAM User
            // Guide, "IAM JSON policy elements: Resource", on wildcards and variables.
            Self::Policy(arn) if arn.contains(['*', '?']) || arn.contains("${") => None,
            Self::Policy(arn) => {
                let mut answer = policy("Allow", principal, arn);
                if let Some(answer) = answer.as_object_mut() {
                    answer.insert("context".to_owned(), Value::Object(context));
                }
                Some(answer)
            }
        }
    }

    /// The answer to a request that is not allowed.
    #[must_use]
    pub fn deny(&self, principal: &str) -> Value {
        match self {
            Self::Simple => json!({ "isAuthorized": false }),
            Self::Policy(arn) => policy("Deny", principal, arn),
        }
    }
}

fn policy(effect: &str, principal: &str, arn: &str) -> Value {
    json!({
        "principalId": principal,
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{ "Action": "execute-api:Invoke", "Effect": effect, "Resource": arn }],
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 2: no path makes a policy for other requests. The stage `$default` is no variable.
    #[test]
    fn a_policy_is_for_one_request() {
        let allowed = |path: &str| {
            let form = AnswerForm::Policy(format!("arn:aws:execute-api:eu-west-1:111122223333:a1b2/{path}"));
            form.allow("s1", AnswerContext::new()).is_some()
        };
        assert!(allowed("$default/GET/groups/red"));
        assert!(allowed("prod/GET/files/$1"));
        for odd in ["prod/GET/*", "prod/GET/a?", "prod/GET/${aws:username}"] {
            assert!(!allowed(odd), "{odd}");
        }
    }
}
