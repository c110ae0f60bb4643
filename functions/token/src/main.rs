//! The Lambda function of tokens. `instep_lambda::config` documents its configuration.

use std::process::ExitCode;

use instep_lambda::StartCheck;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(StartCheck::Unverified, instep_token_function::handle).await
}
