//! One API call: what its failures mean, and trying again in place while there is time.

use std::future::Future;
use std::time::Duration;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use tokio::time::Instant;

/// Attempts in place, the first included, before a failing service is reported.
const ATTEMPTS_MAX: u32 = 6;

/// Wait before the second attempt; doubled for each further one.
const BACKOFF_MS: u64 = 50;

/// Longest wait between two attempts.
const BACKOFF_MAX_MS: u64 = 2_000;

/// Error codes of a service that is busy or failing rather than of a request that is wrong.
///
/// Cognito's `LimitExceededException` is not among them, although the SDK takes it for throttling: it is a hard quota, and
/// asking again does not raise it. Sources: the services' API references, "Errors" and "Common errors".
const TRANSIENT: [&str; 12] = [
    "RequestTimeout",
    "RequestTimeoutException",
    "InternalServerError",
    "InternalFailure",
    "InternalErrorException",
    "InternalException",
    "ServiceUnavailable",
    "TransactionConflictException",
    "TransactionInProgressException",
    "ConcurrentModificationException",
    // S3 and SQS.
    "OperationAborted",
    "InternalError",
];

/// Error codes of a service that is asked too much at a time. Sources: as above.
const THROTTLED: [&str; 8] = [
    "ThrottlingException",
    "Throttling",
    "ThrottledException",
    "TooManyRequestsException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "SlowDown",
];

/// Error codes that say that this request can never succeed as it is.
const PERMANENT: [&str; 13] = [
    "ValidationException",
    "InvalidParameterException",
    "LimitExceededException",
    "InvalidPasswordException",
    "ItemCollectionSizeLimitExceededException",
    "SerializationException",
    "AliasExistsException",
    // A pool's own triggers, or its delivery, refuse this user.
    "UserLambdaValidationException",
    "UnexpectedLambdaException",
    "PreconditionNotMetException",
    "InvalidLambdaResponseException",
    "CodeDeliveryFailureException",
    "UnsupportedUserStateException",
];

/// Error codes of a caller who is not allowed. Source: IAM User Guide, "Troubleshoot access denied error messages", and the
/// services' "Common errors".
const DENIED: [&str; 5] = [
    "AccessDeniedException",
    "AccessDenied",
    "NotAuthorizedException",
    "AuthorizationErrorException",
    "AllAccessDisabled",
];

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The service answered with an error of this code; what it means depends on the call.
    Answer {
        /// The code.
        code: String,
        /// The service's words.
        message: String,
    },
    /// The service is failing.
    Transient(String),
    /// There is no time left to ask it.
    OutOfTime,
}

impl Failure {
    /// Whether the answer has this code.
    #[must_use]
    pub fn is(&self, expected: &str) -> bool {
        matches!(self, Self::Answer { code, .. } if code == expected)
    }

    /// Whether this request can never succeed as it is.
    pub(crate) fn is_permanent(&self) -> bool {
        matches!(self, Self::Answer { code, .. } if PERMANENT.contains(&code.as_str()))
    }

    /// Whether who asks is not allowed to.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        DENIED.iter().any(|code| self.is(code))
    }

    /// Words for a report: the code, and not the service's words, which may repeat what was sent.
    #[must_use]
    pub fn words(&self, operation: &str) -> String {
        match self {
            Self::Answer { code, .. } => format!("{operation} answered {code}"),
            Self::Transient(why) => format!("{operation} failed: {why}"),
            Self::OutOfTime => format!("no time was left for {operation}"),
        }
    }
}

/// Calls until it succeeds, the answer is one that a further attempt would not change, or time is up.
///
/// # Errors
/// Why it did not succeed.
pub async fn call<T, E, F, Fut>(deadline: Option<Instant>, mut attempt: F) -> Result<T, Failure>
where
    E: ProvideErrorMetadata,
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
{
    let limited = || {
        // On the heap: the SDK's futures are large, and callers hold several of them one in the other.
        let attempt = Box::pin(attempt());
        async move {
            match deadline {
                Some(deadline) => match tokio::time::timeout_at(deadline, attempt).await {
                    Ok(answer) => answer.map_err(classify),
                    Err(_) => Err(Failure::OutOfTime),
                },
                None => attempt.await.map_err(classify),
            }
        }
    };
    retry(deadline, limited).await
}

/// Attempts until one succeeds, its failure is one that another would not mend, or time is up.
pub(crate) async fn retry<T, F, Fut>(deadline: Option<Instant>, mut attempt: F) -> Result<T, Failure>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, Failure>>,
{
    let mut backoff = Backoff::new(deadline);
    loop {
        // INVARIANT 8: nothing is begun past the deadline.
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Failure::OutOfTime);
        }
        match attempt().await {
            Err(Failure::Transient(why)) => {
                if !backoff.wait().await {
                    return Err(Failure::Transient(why));
                }
            }
            ended => return ended,
        }
    }
}

/// Whether a service refused a call for its rate.
pub(crate) fn is_throttle<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>) -> bool {
    let code = error.as_service_error().and_then(ProvideErrorMetadata::code);
    code.is_some_and(|code| THROTTLED.contains(&code))
}

pub(crate) fn classify<E: ProvideErrorMetadata>(error: SdkError<E, HttpResponse>) -> Failure {
    match error {
        SdkError::ServiceError(context) => {
            let code = context.err().code().unwrap_or_default().to_owned();
            let status = context.raw().status().as_u16();
            let is_transient = TRANSIENT.contains(&code.as_str()) || THROTTLED.contains(&code.as_str());
            if status >= 500 || is_transient {
                return Failure::Transient(if code.is_empty() { format!("status {status}") } else { code });
            }
            let message = context.err().message().unwrap_or_default().to_owned();
            Failure::Answer { code, message }
        }
        SdkError::TimeoutError(_) => Failure::Transient("no answer in time".to_owned()),
        SdkError::DispatchFailure(failure) if failure.is_timeout() => {
            Failure::Transient("no answer in time".to_owned())
        }
        SdkError::DispatchFailure(_) => Failure::Transient("no connection".to_owned()),
        SdkError::ResponseError(_) => Failure::Transient("an answer that could not be read".to_owned()),
        SdkError::ConstructionFailure(_) => Failure::Answer {
            code: "ValidationException".to_owned(),
            message: "the request could not be built".to_owned(),
        },
        _ => Failure::Transient("an error of a new kind".to_owned()),
    }
}

/// Waits between attempts, until the attempts or the time are used up.
pub(crate) struct Backoff {
    deadline: Option<Instant>,
    attempts: u32,
}

impl Backoff {
    pub(crate) const fn new(deadline: Option<Instant>) -> Self {
        Self { deadline, attempts: 1 }
    }

    /// Waits before the next attempt; false where there is to be none.
    pub(crate) async fn wait(&mut self) -> bool {
        let delay = Duration::from_millis((BACKOFF_MS << (self.attempts - 1).min(10)).min(BACKOFF_MAX_MS));
        // INVARIANT 8: no loop without a bound, no wait past the deadline.
        if self.attempts >= ATTEMPTS_MAX || self.deadline.is_some_and(|deadline| Instant::now() + delay >= deadline) {
            return false;
        }
        self.attempts += 1;
        tokio::time::sleep(delay).await;
        true
    }
}
