//! The Lambda function that sends failed work to the work queue. `instep_lambda::config` documents
//! its configuration.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(instep_lambda::StartCheck::Unverified, instep_redrive_function::handle).await
}
