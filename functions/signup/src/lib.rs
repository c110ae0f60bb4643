#![doc = include_str!("../README.md")]

use std::sync::Arc;
use std::time::Duration;

use instep_aws::SignUp;
use instep_lambda::Function;
use lambda_runtime::LambdaEvent;
use serde_json::value::RawValue;
use tokio::time::timeout;

/// How often it tries to send the message, and the time for each. Cognito waits for five seconds. Source: Amazon
/// Cognito Developer Guide, "Customizing user pool workflows with Lambda triggers".
const TRIES: usize = 2;
const TRY: Duration = Duration::from_millis(1_500);

/// Tells Instep of a sign-up, and returns the event as it is.
pub async fn handle(function: Arc<Function>, event: LambdaEvent<Box<RawValue>>) -> Box<RawValue> {
    let LambdaEvent { payload, context } = event;
    if let Some(sign_up) = SignUp::of_event(payload.get()) {
        let run = function.run(&context);
        let mut is_sent = false;
        for _ in 0..TRIES {
            is_sent = is_sent || matches!(timeout(TRY, function.instep.signed_up(&sign_up, &run)).await, Ok(Ok(())));
        }
        function.report_sign_up(is_sent, run.now);
    }
    payload
}
