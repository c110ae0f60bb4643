#![doc = include_str!("../README.md")]

use std::sync::Arc;

use instep_aws::noting_unlisted;
use instep_lambda::{Function, InvocationFailure};
use lambda_runtime::LambdaEvent;
use serde_json::value::RawValue;

/// Ticks.
///
/// # Errors
/// A service failed. The next tick sends what this one did not.
pub async fn handle(function: Arc<Function>, event: LambdaEvent<Box<RawValue>>) -> Result<(), InvocationFailure> {
    let run = function.run(&event.context);
    let before = function.calls();
    let (ticked, unlisted) = noting_unlisted(function.instep.tick(&run)).await;
    function.report_calls(ticked.as_ref().ok(), &unlisted, &before, run.now);
    ticked.map(drop).map_err(|message| InvocationFailure { kind: "ClockFailed", message })
}
