//! The Lambda function behind the work queue. `instep_lambda::config` documents its configuration.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(instep_lambda::StartCheck::Verified, instep_work_function::handle).await
}
