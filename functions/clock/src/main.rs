//! The Lambda function of the clock. `instep_lambda::config` documents its configuration.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(instep_lambda::StartCheck::Unverified, instep_clock_function::handle).await
}
