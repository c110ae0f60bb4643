//! The Lambda function of sign-ups. `instep_lambda::config` documents its configuration.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve_open(instep_signup_function::handle).await
}
