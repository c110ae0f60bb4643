//! The Lambda function that sends what failed to the work queue. Its configuration is documented in `instep_lambda::config`.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve_unverified(instep_redrive_function::handle).await
}
