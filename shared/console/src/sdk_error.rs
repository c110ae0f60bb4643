//! The errors of the SDK, for people.

use std::error::Error;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

/// The error of a call in one line: the service's message if it answered, otherwise the causes of
/// the failed call.
pub fn explain<E: ProvideErrorMetadata + Error + 'static>(error: &SdkError<E>) -> String {
    if let Some(service) = error.as_service_error()
        && let Some(code) = service.code()
    {
        return format!("{code}: {}", service.message().unwrap_or("no reason given"));
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
