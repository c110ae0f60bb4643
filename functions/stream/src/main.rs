//! The Lambda function behind a table's stream. Its configuration is documented in `instep_lambda::config`.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve(instep_stream_function::handle).await
}
