//! One API call: its failures, and retries while there is time.

use std::future::Future;
use std::time::Duration;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use tokio::time::Instant;

use crate::codes::{Class, class_of, class_of_streams, note_unlisted};

/// The number of concurrent calls of each kind of read. A page of dependents is a call, and a batch may
/// delete many parents.
pub const CONCURRENT_READS: usize = 100;

/// The number of attempts, including the first, before a failing service is reported.
const ATTEMPTS_MAX: u32 = 6;

/// The wait before the second attempt. It doubles for each further attempt.
const BACKOFF_MS: u64 = 50;

/// The longest wait between two attempts.
const BACKOFF_MAX_MS: u64 = 2_000;

/// The first HTTP status that says that the service failed.
const SERVER_ERROR: u16 = 500;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallFailure {
    /// The service answered with this error code. Its meaning depends on the call.
    Answer {
        /// The code.
        code: String,
        /// The service's message.
        message: String,
    },
    /// The service is busy or failing: a retry may succeed.
    Transient(String),
    /// No time is left for the call.
    OutOfTime,
}

impl CallFailure {
    /// Whether the failure is an answer with this code.
    #[must_use]
    pub fn is(&self, expected: &str) -> bool {
        matches!(self, Self::Answer { code, .. } if code == expected)
    }

    /// Whether this request can never succeed unchanged.
    pub(crate) fn is_permanent(&self) -> bool {
        match self.class() {
            Some(Class::Entry | Class::Record | Class::Call | Class::Quota) => true,
            Some(Class::Transient | Class::Throttled | Class::Denied | Class::Expired | Class::Answer) | None => false,
        }
    }

    /// Whether an item would be above DynamoDB's limit of 400 KB. Source: DynamoDB's messages, "Item size has
    /// exceeded the maximum allowed size" and "Item size to update has exceeded the maximum allowed size".
    pub(crate) fn is_item_too_large(&self) -> bool {
        matches!(self, Self::Answer { message, .. } if message.starts_with("Item size "))
    }

    /// Whether the caller lacks the permission.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.class() == Some(Class::Denied)
    }

    /// Whether the caller's credentials have expired.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.class() == Some(Class::Expired)
    }

    /// Whether a hard quota is reached.
    pub(crate) fn is_quota(&self) -> bool {
        self.class() == Some(Class::Quota)
    }

    fn class(&self) -> Option<Class> {
        match self {
            Self::Answer { code, .. } => class_of(code),
            Self::Transient(_) | Self::OutOfTime => None,
        }
    }

    /// The failure of an entry of a call that answered with a code for it. One that is not listed is retried.
    pub(crate) fn of_entry(code: &str) -> Self {
        match class_of(code) {
            Some(Class::Entry | Class::Record | Class::Call | Class::Quota) => {
                Self::Answer { code: code.to_owned(), message: String::new() }
            }
            Some(Class::Transient | Class::Throttled | Class::Denied | Class::Expired | Class::Answer) => {
                Self::Transient(code.to_owned())
            }
            None => Self::unlisted(code),
        }
    }

    /// A failure with a code that the table of codes does not have.
    fn unlisted(code: &str) -> Self {
        note_unlisted(code);
        Self::Transient(format!("{code}, a code that Instep does not know"))
    }

    /// The failure for a report. It has the code, not the service's message, which may repeat data
    /// of the request.
    #[must_use]
    pub fn words(&self, operation: &str) -> String {
        match self {
            Self::Answer { code, .. } => format!("{operation} answered {code}"),
            Self::Transient(why) => format!("{operation} failed: {why}"),
            Self::OutOfTime => format!("no time was left for {operation}"),
        }
    }
}

/// Repeats a call until it succeeds, a retry cannot help, or the attempts or the time run out.
///
/// # Errors
/// The failure of the last attempt.
pub async fn call<T, E, F, Fut>(deadline: Option<Instant>, attempt: F) -> Result<T, CallFailure>
where
    E: ProvideErrorMetadata,
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
{
    repeat(deadline, class_of, attempt).await
}

/// As [`call`], for a call to DynamoDB Streams.
pub(crate) async fn call_streams<T, E, F, Fut>(deadline: Option<Instant>, attempt: F) -> Result<T, CallFailure>
where
    E: ProvideErrorMetadata,
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
{
    repeat(deadline, class_of_streams, attempt).await
}

/// What the codes of a service mean.
type ClassOf = fn(&str) -> Option<Class>;

async fn repeat<T, E, F, Fut>(deadline: Option<Instant>, class_of: ClassOf, mut attempt: F) -> Result<T, CallFailure>
where
    E: ProvideErrorMetadata,
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
{
    let classify = move |error| classified(error, class_of);
    let limited = || {
        // On the heap: the SDK's futures are large, and callers nest several of them.
        let attempt = Box::pin(attempt());
        async move {
            match deadline {
                Some(deadline) => match tokio::time::timeout_at(deadline, attempt).await {
                    Ok(answer) => answer.map_err(classify),
                    Err(_) => Err(CallFailure::OutOfTime),
                },
                None => attempt.await.map_err(classify),
            }
        }
    };
    retry(deadline, limited).await
}

/// Repeats an attempt until one succeeds, a retry cannot help, or the attempts or the time run out.
pub(crate) async fn retry<T, F, Fut>(deadline: Option<Instant>, mut attempt: F) -> Result<T, CallFailure>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, CallFailure>>,
{
    let mut backoff = Backoff::new(deadline);
    loop {
        // INVARIANT 8: no call starts after the deadline.
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(CallFailure::OutOfTime);
        }
        match attempt().await {
            Err(CallFailure::Transient(why)) => {
                if !backoff.wait().await {
                    return Err(CallFailure::Transient(why));
                }
            }
            ended => return ended,
        }
    }
}

/// Whether a service throttled a call.
pub(crate) fn is_throttle<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>) -> bool {
    let code = error.as_service_error().and_then(ProvideErrorMetadata::code);
    code.and_then(class_of) == Some(Class::Throttled)
}

/// Whether a call has no answer: the service may have done what it asks for.
pub(crate) const fn is_unanswered<E>(error: &SdkError<E, HttpResponse>) -> bool {
    match error {
        SdkError::ServiceError(_) | SdkError::ConstructionFailure(_) => false,
        SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_) | _ => true,
    }
}

pub(crate) fn classify<E: ProvideErrorMetadata>(error: SdkError<E, HttpResponse>) -> CallFailure {
    classified(error, class_of)
}

fn classified<E: ProvideErrorMetadata>(error: SdkError<E, HttpResponse>, class_of: ClassOf) -> CallFailure {
    match error {
        SdkError::ServiceError(context) => {
            let code = context.err().code().unwrap_or_default().to_owned();
            let status = context.raw().status().as_u16();
            match class_of(&code) {
                _ if code.is_empty() => CallFailure::Transient(format!("status {status}")),
                None => CallFailure::unlisted(&code),
                Some(Class::Transient | Class::Throttled) => CallFailure::Transient(code),
                Some(_) if status >= SERVER_ERROR => CallFailure::Transient(code),
                Some(_) => {
                    let message = context.err().message().unwrap_or_default().to_owned();
                    CallFailure::Answer { code, message }
                }
            }
        }
        SdkError::TimeoutError(_) => CallFailure::Transient("no answer in time".to_owned()),
        SdkError::DispatchFailure(failure) if failure.is_timeout() => {
            CallFailure::Transient("no answer in time".to_owned())
        }
        SdkError::DispatchFailure(_) => CallFailure::Transient("no connection".to_owned()),
        SdkError::ResponseError(_) => CallFailure::Transient("an unreadable answer".to_owned()),
        SdkError::ConstructionFailure(_) => CallFailure::Answer {
            code: "ValidationException".to_owned(),
            message: "the request could not be built".to_owned(),
        },
        _ => CallFailure::Transient("an unknown kind of error".to_owned()),
    }
}

/// Waits between attempts, until the attempts or the time run out.
pub(crate) struct Backoff {
    deadline: Option<Instant>,
    attempts: u32,
}

impl Backoff {
    pub(crate) const fn new(deadline: Option<Instant>) -> Self {
        Self { deadline, attempts: 1 }
    }

    /// Whether all attempts were made: no deadline cut them short.
    pub(crate) const fn is_used_up(&self) -> bool {
        self.attempts >= ATTEMPTS_MAX
    }

    /// Waits before the next attempt. `false` if there is no next attempt.
    pub(crate) async fn wait(&mut self) -> bool {
        let delay = Duration::from_millis((BACKOFF_MS << (self.attempts - 1).min(10)).min(BACKOFF_MAX_MS));
        // INVARIANT 8: the loop is bounded, and no wait ends after the deadline.
        if self.attempts >= ATTEMPTS_MAX || self.deadline.is_some_and(|deadline| Instant::now() + delay >= deadline) {
            return false;
        }
        self.attempts += 1;
        tokio::time::sleep(delay).await;
        true
    }
}
