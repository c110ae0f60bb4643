#![doc = include_str!("../README.md")]

use std::sync::Arc;
use std::time::Duration;

use instep_aws::token::{IssuedGroups, TokenRequest};
use instep_lambda::{Function, InvocationFailure};
use lambda_runtime::LambdaEvent;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};

/// The time for an answer. Cognito waits for five seconds, and asks three times. Source: Amazon Cognito Developer Guide,
/// "Customizing user pool workflows with Lambda triggers".
const ANSWER: Duration = Duration::from_secs(3);

/// What users may see. It does not say why.
const REFUSED: &str = "sign-in is not possible now";

/// Answers which groups a token gets.
///
/// # Errors
/// They are not known: then there is no token. The event as it is would give the groups of the pool, and an empty list would
/// look like a revocation.
pub async fn handle(function: Arc<Function>, event: LambdaEvent<Box<RawValue>>) -> Result<Value, InvocationFailure> {
    let LambdaEvent { payload, context } = event;
    let run = function.run(&context);
    let answered = answer(&function, payload.get(), run.now).await;
    function.report_token(answered.as_ref().map(|(_, issued)| issued.as_ref()), run.now);
    answered.map(|(event, _)| event).map_err(|_| InvocationFailure { kind: "NoToken", message: REFUSED.to_owned() })
}

/// The answer, and what it says of groups: nothing of those of an application.
async fn answer(
    function: &Function,
    event: &str,
    now: jiff::Timestamp,
) -> Result<(Value, Option<IssuedGroups>), String> {
    let settings = &function.tokens;
    let request = TokenRequest::read(event, settings.pool.as_deref(), settings.ignores_case);
    let request = request.map_err(|why| why.to_string())?;
    let Some(account) = request.account().cloned() else { return Ok((request.unchanged(), None)) };
    let deadline = Instant::now() + ANSWER;
    let reader = function.instep.reader().until(deadline);
    let groups = timeout_at(deadline, reader.groups(account, now)).await;
    let groups = groups.map_err(|_| "the table did not answer in time".to_owned())?.map_err(|why| why.to_string())?;
    let mut issued = request.answer(function.instep.model(), &groups, settings.group_bytes);
    Ok((std::mem::take(&mut issued.event), Some(issued)))
}
