//! The errors of a writer, by what the writer can do about them.

use instep_flow::writer::{WriteConflict, WriterError};

use crate::call::CallFailure;

/// Why a read or a write failed. Nothing is written then, except after [`WriteError::Busy`]: the
/// answer may be lost. No message contains a value of an item, except that of
/// [`WriteError::Struct`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The model does not allow it. Nothing was sent.
    #[error(transparent)]
    Invalid(#[from] WriterError),
    /// A struct does not fit the attributes of an item. The message may repeat a value.
    #[error("the struct does not fit the attributes of `{item}`: {why}")]
    Struct {
        /// The item type.
        item: String,
        /// What does not fit.
        why: String,
    },
    /// The item to rename does not exist.
    #[error("there is no `{item}` with these names: create it instead")]
    Missing {
        /// The item type.
        item: String,
    },
    /// Conditions failed. Each conflict says what is taken, or what has changed.
    #[error("{}", lines(.0))]
    Conflict(Vec<WriteConflict>),
    /// An item is too large for DynamoDB.
    #[error("an item of the transaction is above DynamoDB's limit of 400 KB: shorten it, or split it")]
    TooLarge,
    /// DynamoDB refuses the call, however often it is made.
    #[error("DynamoDB refused {operation} with {code}: {}", advice(code))]
    Refused {
        /// The call.
        operation: &'static str,
        /// DynamoDB's error code.
        code: String,
        /// DynamoDB's message. It may repeat values of the item.
        message: String,
    },
    /// DynamoDB was busy or did not answer until the attempts or the time ran out.
    #[error("{0}: try the same call again later")]
    Busy(String),
}

impl WriteError {
    /// Whether the same call can succeed later. If it is the commit of a transaction, call
    /// [`Transaction::commit`](super::Transaction::commit) of that transaction again.
    #[must_use]
    pub const fn can_retry(&self) -> bool {
        match self {
            Self::Busy(_) => true,
            Self::Invalid(_)
            | Self::Struct { .. }
            | Self::Missing { .. }
            | Self::Conflict(_)
            | Self::TooLarge
            | Self::Refused { .. } => false,
        }
    }

    pub(super) fn from_call(operation: &'static str, failure: &CallFailure) -> Self {
        match failure {
            failure if failure.is_item_too_large() => Self::TooLarge,
            CallFailure::Answer { code, message } => {
                Self::Refused { operation, code: code.clone(), message: message.clone() }
            }
            CallFailure::Transient(_) | CallFailure::OutOfTime => Self::Busy(failure.words(operation)),
        }
    }
}

fn lines(conflicts: &[WriteConflict]) -> String {
    conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// How to fix what DynamoDB refuses.
fn advice(code: &str) -> &'static str {
    match code {
        "ValidationException" => "correct the item; `message` says what is wrong",
        "AccessDeniedException" => {
            "allow dynamodb:BatchGetItem, PutItem and DeleteItem on the table, and with a key of KMS, its use"
        }
        "ResourceNotFoundException" => "there is no such table; check its name, the region and the account",
        "UnrecognizedClientException" | "ExpiredTokenException" => "renew the credentials",
        _ => "see DynamoDB's documentation of this code",
    }
}
