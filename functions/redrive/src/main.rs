//! The Lambda function that runs again what failed. Its configuration is documented in `instep_lambda::config`.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(instep_redrive_function::handle).await
}
