//! What the error codes of AWS mean to Instep: one table for all services.
//!
//! A code that is not in it is retried as one of a failing service, counted, and alarmed
//! ([`noting_unlisted`]): Instep must not guess that a record is at fault.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::Future;

/// What a code says, and whom it concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The service is busy or failing. A retry may succeed.
    Transient,
    /// The service throttles the caller. A retry may succeed.
    Throttled,
    /// One entry of a call can never succeed unchanged. The others are not concerned.
    Entry,
    /// What a record asks for can never succeed unchanged.
    Record,
    /// The entries of a call can never succeed together. Each is sent alone.
    Call,
    /// A hard quota is reached: what a record asks for succeeds when a person has made room.
    Quota,
    /// The caller's credentials have expired. It concerns who makes the call, and no policy.
    Expired,
    /// The caller lacks a permission, or a setting of a service forbids the call. It concerns
    /// the deployment, and no record.
    Denied,
    /// An answer, such as that something does not exist. What it means depends on the call.
    Answer,
}

/// The prefix that SQS puts before some codes: it answers with the codes of its older protocol, too. Source:
/// Smithy, "awsQueryCompatible"; the models of the AWS SDKs for SQS.
const SQS_PREFIX: &str = "AWS.SimpleQueueService.";

/// The codes, and the source of each: the page "Errors" of an operation in the API reference of its service, as
/// the models of the AWS SDKs have it, too; the service's page "Common Errors"; or the page that is named.
#[rustfmt::skip]
const CODES: &[(&str, Class, &str)] = &[
    ("InternalServerError", Class::Transient, "DynamoDB"),
    ("TransactionConflictException", Class::Transient, "DynamoDB PutItem"),
    ("TransactionInProgressException", Class::Transient, "DynamoDB TransactWriteItems"),
    // A global table, written in two regions at once.
    ("ReplicatedWriteConflictException", Class::Transient, "DynamoDB PutItem"),
    // The reasons of a cancelled transaction.
    ("TransactionConflict", Class::Transient, "DynamoDB TransactWriteItems"),
    ("InternalErrorException", Class::Transient, "Cognito"),
    ("ConcurrentModificationException", Class::Transient, "Cognito, EventBridge"),
    ("InternalException", Class::Transient, "EventBridge"),
    ("InternalError", Class::Transient, "S3 Error responses; SQS"),
    ("OperationAborted", Class::Transient, "S3 Error responses"),
    ("RequestTimeout", Class::Transient, "S3 Error responses"),
    ("RequestTimeoutException", Class::Transient, "Common Errors"),
    ("RequestAbortedException", Class::Transient, "Common Errors"),
    ("MalformedHttpRequestException", Class::Transient, "Common Errors"),
    // The clocks differ. The SDK corrects its own.
    ("RequestExpired", Class::Transient, "Common Errors"),
    ("InternalFailure", Class::Transient, "Common Errors; EventBridge PutEvents, for an entry"),
    ("ServiceUnavailable", Class::Transient, "Common Errors"),
    ("ThrottlingException", Class::Throttled, "Common Errors"),
    ("Throttling", Class::Throttled, "Common Errors"),
    ("ThrottledException", Class::Throttled, "Common Errors"),
    ("RequestThrottled", Class::Throttled, "SQS SendMessageBatch"),
    ("KmsThrottled", Class::Throttled, "SQS SendMessageBatch"),
    ("KMS.ThrottlingException", Class::Throttled, "SQS SendMessageBatch, in the older protocol"),
    ("OverLimit", Class::Throttled, "SQS ReceiveMessage"),
    ("RequestLimitExceeded", Class::Throttled, "DynamoDB"),
    ("ProvisionedThroughputExceededException", Class::Throttled, "DynamoDB"),
    ("ProvisionedThroughputExceeded", Class::Throttled, "DynamoDB TransactWriteItems, a reason"),
    ("ThrottlingError", Class::Throttled, "DynamoDB TransactWriteItems, a reason"),
    ("TooManyRequestsException", Class::Throttled, "Cognito"),
    ("SlowDown", Class::Throttled, "S3 Error responses"),
    ("InvalidArgument", Class::Entry, "EventBridge PutEvents, for an entry"),
    ("MalformedDetail", Class::Entry, "EventBridge PutEvents, for an entry"),
    ("RedactionFailure", Class::Entry, "EventBridge PutEvents, for an entry"),
    ("InvalidMessageContents", Class::Entry, "SQS SendMessage"),
    ("InvalidParameterValue", Class::Entry, "SQS; Common Errors"),
    ("InvalidAttributeValue", Class::Entry, "SQS SetQueueAttributes"),
    ("BatchRequestTooLong", Class::Call, "SQS SendMessageBatch"),
    ("BatchEntryIdsNotDistinct", Class::Call, "SQS SendMessageBatch"),
    ("TooManyEntriesInBatchRequest", Class::Call, "SQS SendMessageBatch"),
    ("InvalidBatchEntryId", Class::Call, "SQS SendMessageBatch"),
    ("EmptyBatchRequest", Class::Call, "SQS SendMessageBatch"),
    ("ValidationException", Class::Record, "DynamoDB, EventBridge: Common Errors"),
    ("ValidationError", Class::Record, "DynamoDB TransactWriteItems, a reason; Common Errors"),
    ("RequestEntityTooLargeException", Class::Call, "Common Errors"),
    ("SerializationException", Class::Record, "AWS JSON protocols: a request that the service cannot read"),
    ("ItemCollectionSizeLimitExceededException", Class::Record, "DynamoDB PutItem"),
    ("ItemCollectionSizeLimitExceeded", Class::Record, "DynamoDB TransactWriteItems, a reason"),
    ("InvalidParameterException", Class::Record, "Cognito"),
    ("InvalidPasswordException", Class::Record, "Cognito AdminCreateUser"),
    ("AliasExistsException", Class::Record, "Cognito AdminUpdateUserAttributes"),
    ("PreconditionNotMetException", Class::Record, "Cognito AdminCreateUser"),
    ("UnsupportedUserStateException", Class::Record, "Cognito AdminCreateUser"),
    // The pool's own triggers, or its message delivery, refuse this user.
    ("UserLambdaValidationException", Class::Record, "Cognito AdminCreateUser"),
    ("UnexpectedLambdaException", Class::Record, "Cognito AdminCreateUser"),
    ("InvalidLambdaResponseException", Class::Record, "Cognito AdminCreateUser"),
    ("CodeDeliveryFailureException", Class::Record, "Cognito AdminCreateUser"),
    // The SDK treats it as throttling, but a retry does not help.
    ("LimitExceededException", Class::Quota, "Cognito CreateGroup"),
    ("AccessDeniedException", Class::Denied, "Common Errors"),
    ("AccessDenied", Class::Denied, "S3 Error responses; SQS"),
    ("AllAccessDisabled", Class::Denied, "S3 Error responses"),
    ("NotAuthorizedException", Class::Denied, "Cognito; EventBridge PutEvents, for an entry"),
    ("AuthorizationErrorException", Class::Denied, "SNS and SES, through Cognito"),
    ("NotAuthorized", Class::Denied, "Common Errors"),
    ("OptInRequired", Class::Denied, "Common Errors"),
    ("UnrecognizedClientException", Class::Denied, "DynamoDB: Common Errors"),
    ("InvalidSignatureException", Class::Denied, "Common Errors"),
    ("SignatureDoesNotMatch", Class::Denied, "S3 Error responses"),
    ("IncompleteSignature", Class::Denied, "Common Errors"),
    ("MissingAuthenticationToken", Class::Denied, "Common Errors"),
    ("MissingAuthenticationTokenException", Class::Denied, "DynamoDB: Common Errors"),
    ("InvalidClientTokenId", Class::Denied, "Common Errors"),
    ("InvalidAccessKeyId", Class::Denied, "S3 Error responses"),
    ("ExpiredToken", Class::Expired, "S3 Error responses"),
    ("ExpiredTokenException", Class::Expired, "Common Errors"),
    ("TokenRefreshRequired", Class::Expired, "S3 Error responses"),
    ("IncompleteSignatureException", Class::Denied, "DynamoDB: Error handling"),
    ("NotAuthorizedForSourceException", Class::Denied, "EventBridge PutEvents, for an entry"),
    ("NotAuthorizedForDetailTypeException", Class::Denied, "EventBridge PutEvents, for an entry"),
    ("InvalidAccountIdException", Class::Denied, "EventBridge PutEvents, for an entry"),
    // The user pool's own settings for messages.
    ("InvalidSmsRoleAccessPolicyException", Class::Denied, "Cognito AdminCreateUser"),
    ("InvalidSmsRoleTrustRelationshipException", Class::Denied, "Cognito AdminCreateUser"),
    ("InvalidEmailRoleAccessPolicyException", Class::Denied, "Cognito AdminUpdateUserAttributes"),
    // A replica of the user pool in another region.
    ("OperationNotEnabledException", Class::Denied, "Cognito"),
    ("InvalidSecurity", Class::Denied, "SQS SendMessageBatch"),
    ("KmsAccessDenied", Class::Denied, "SQS SendMessageBatch"),
    ("KmsDisabled", Class::Denied, "SQS SendMessageBatch"),
    ("KmsInvalidKeyUsage", Class::Denied, "SQS SendMessageBatch"),
    ("KmsInvalidState", Class::Denied, "SQS SendMessageBatch"),
    ("KmsNotFound", Class::Denied, "SQS SendMessageBatch"),
    ("KmsOptInRequired", Class::Denied, "SQS SendMessageBatch"),
    ("KMS.AccessDeniedException", Class::Denied, "SQS SendMessageBatch, in the older protocol"),
    ("KMS.DisabledException", Class::Denied, "SQS SendMessageBatch, in the older protocol"),
    ("KMS.InvalidKeyUsageException", Class::Denied, "SQS SendMessageBatch, in the older protocol"),
    ("KMS.InvalidStateException", Class::Denied, "SQS SendMessageBatch, in the older protocol"),
    ("KMS.NotFoundException", Class::Denied, "SQS SendMessageBatch, in the older protocol"),
    ("KMS.OptInRequired", Class::Denied, "SQS SendMessageBatch, in the older protocol"),
    ("ConditionalCheckFailedException", Class::Answer, "DynamoDB PutItem"),
    ("ConditionalCheckFailed", Class::Answer, "DynamoDB TransactWriteItems, a reason"),
    ("TransactionCanceledException", Class::Answer, "DynamoDB TransactWriteItems"),
    ("IdempotentParameterMismatchException", Class::Answer, "DynamoDB TransactWriteItems"),
    ("ResourceNotFoundException", Class::Answer, "DynamoDB, Cognito, EventBridge"),
    ("ResourceInUseException", Class::Answer, "DynamoDB CreateTable"),
    ("ExpiredIteratorException", Class::Answer, "DynamoDB Streams GetRecords"),
    ("TrimmedDataAccessException", Class::Answer, "DynamoDB Streams GetRecords"),
    ("UserNotFoundException", Class::Answer, "Cognito AdminGetUser"),
    ("UsernameExistsException", Class::Answer, "Cognito AdminCreateUser"),
    ("GroupExistsException", Class::Answer, "Cognito CreateGroup"),
    ("QueueDoesNotExist", Class::Answer, "SQS SendMessageBatch"),
    ("NonExistentQueue", Class::Answer, "SQS SendMessageBatch, in the older protocol"),
    ("InvalidAddress", Class::Answer, "SQS SendMessageBatch"),
    ("ReceiptHandleIsInvalid", Class::Answer, "SQS DeleteMessage"),
    ("InvalidIdFormat", Class::Answer, "SQS DeleteMessage"),
    ("MessageNotInflight", Class::Answer, "SQS ChangeMessageVisibility"),
    ("InvalidAttributeName", Class::Answer, "SQS GetQueueAttributes"),
    ("UnsupportedOperation", Class::Answer, "SQS"),
    ("NoSuchKey", Class::Answer, "S3 Error responses"),
    ("NoSuchBucket", Class::Answer, "S3 Error responses"),
    ("NoSuchVersion", Class::Answer, "S3 Error responses"),
    ("PreconditionFailed", Class::Answer, "S3 Error responses"),
    ("PermanentRedirect", Class::Answer, "S3 Error responses"),
    ("InvalidObjectState", Class::Answer, "S3 GetObject"),
    ("InvalidRequest", Class::Answer, "S3 PutObject"),
    ("EncryptionTypeMismatch", Class::Answer, "S3 PutObject"),
    ("EntityTooLarge", Class::Answer, "S3 Error responses"),
];

/// The codes that mean something else in answers of DynamoDB Streams, and the source of each.
const CODES_OF_STREAMS: &[(&str, Class, &str)] = &[
    // More than two processes read one shard.
    ("LimitExceededException", Class::Throttled, "DynamoDB Streams GetRecords"),
];

/// As [`class_of`], for an answer of DynamoDB Streams.
pub(crate) fn class_of_streams(code: &str) -> Option<Class> {
    let own = CODES_OF_STREAMS.iter().find(|(listed, _, _)| *listed == code);
    own.map(|(_, class, _)| *class).or_else(|| class_of(code))
}

/// What a code says. `None` if the table does not have it.
pub(crate) fn class_of(code: &str) -> Option<Class> {
    let code = code.strip_prefix(SQS_PREFIX).unwrap_or(code);
    CODES.iter().find(|(listed, _, _)| *listed == code).map(|(_, class, _)| *class)
}

tokio::task_local! {
    static UNLISTED: RefCell<BTreeMap<String, u64>>;
}

/// How often services answered with each code that the table does not have.
pub type Unlisted = BTreeMap<String, u64>;

/// Runs `work`, and notes the codes that the table does not have.
pub async fn noting_unlisted<T>(work: impl Future<Output = T>) -> (T, Unlisted) {
    let noted = async {
        let done = work.await;
        (done, UNLISTED.with(RefCell::take))
    };
    UNLISTED.scope(RefCell::default(), noted).await
}

/// Notes a code that the table does not have.
pub(crate) fn note_unlisted(code: &str) {
    // Commands do not count them: they print the failure.
    let _ = UNLISTED.try_with(|noted| *noted.borrow_mut().entry(code.to_owned()).or_default() += 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_listed_once_with_its_source() {
        for (place, (code, class, source)) in CODES.iter().enumerate() {
            assert!(!source.is_empty() && !code.starts_with(SQS_PREFIX), "{code}");
            let first = CODES.iter().position(|(other, _, _)| other == code);
            assert_eq!(first, Some(place), "{code} is there twice");
            assert_eq!(class_of(&format!("{SQS_PREFIX}{code}")), Some(*class));
        }
        assert_eq!(class_of("Teapot"), None);
    }

    /// Source: Amazon DynamoDB API Reference, GetRecords, "Errors"; the same code of Cognito is a hard quota.
    #[test]
    fn the_limit_of_a_stream_is_throttling() {
        assert_eq!(class_of_streams("LimitExceededException"), Some(Class::Throttled));
        assert_eq!(class_of_streams("TrimmedDataAccessException"), Some(Class::Answer));
        assert_eq!(class_of("LimitExceededException"), Some(Class::Quota));
    }

    /// The SDK shows the codes of SQS's older protocol, where SQS answers with both.
    #[test]
    fn the_codes_of_both_protocols_are_listed() {
        for (code, older) in [
            ("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"),
            ("BatchRequestTooLong", "AWS.SimpleQueueService.BatchRequestTooLong"),
            ("KmsThrottled", "KMS.ThrottlingException"),
            ("KmsAccessDenied", "KMS.AccessDeniedException"),
            ("KmsDisabled", "KMS.DisabledException"),
            ("KmsInvalidKeyUsage", "KMS.InvalidKeyUsageException"),
            ("KmsInvalidState", "KMS.InvalidStateException"),
            ("KmsNotFound", "KMS.NotFoundException"),
            ("KmsOptInRequired", "KMS.OptInRequired"),
        ] {
            assert!(class_of(code).is_some() && class_of(code) == class_of(older), "{code}");
        }
    }

    #[tokio::test]
    async fn codes_that_are_not_listed_are_counted() {
        note_unlisted("Before");
        let ((), noted) = noting_unlisted(async {
            note_unlisted("Teapot");
            tokio::task::yield_now().await;
            note_unlisted("Teapot");
        })
        .await;
        assert_eq!(noted, Unlisted::from([("Teapot".to_owned(), 2)]));
    }
}
