//! The Lambda authorizer. `instep_authorizer_function::AuthorizerConfig` documents its configuration.

use std::process::ExitCode;

use instep_authorizer_function::Authorizer;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    instep_lambda::serve_with(Authorizer::start, |authorizer, event, now| async move {
        authorizer.answer(event.payload.get(), now).await
    })
    .await
}
