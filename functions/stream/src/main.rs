//! The Lambda function behind a table's stream. `instep_lambda::config` documents its
//! configuration.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(instep_lambda::StartCheck::Verified, instep_stream_function::handle).await
}
