//! Messages that can never be handled, and why.

use instep_contract::S3Object;

use super::WORK_VERSION;

/// Why a message cannot be handled. Delivering it again would not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMessage {
    /// It is not a work message.
    #[error("not a work message: {0}; take it off the queue")]
    Malformed(String),
    /// It is of another version.
    #[error(
        "a work message of version `{0}`, and this Instep takes version {WORK_VERSION}: run the Instep that sent it, or send it again"
    )]
    Version(String),
    /// It is of another model or table.
    #[error("a work message for model `{model}` and table `{table}`: this queue belongs to another deployment")]
    Elsewhere {
        /// The message's model.
        model: String,
        /// The message's table.
        table: String,
    },
    /// It names an item type or a link that the model does not have.
    #[error(
        "it names a `{0}` as the model does not have it: the model has changed since; write the item again, or run a backfill"
    )]
    Unknown(String),
    /// It names such a type, and another model has sent it.
    #[error("it names a `{0}`, which another model has: a process with that model handles it")]
    Later(String),
    /// The record or message that it points to was deleted.
    #[error("s3://{bucket}/{key} is gone: write the item again, or run a backfill", bucket = .0.bucket, key = .0.key)]
    Lost(S3Object),
    /// The object that it points to is no record, or no message.
    #[error(
        "s3://{bucket}/{key} is neither a record nor a message: something else was written there; write the item again, or run a backfill",
        bucket = .0.bucket,
        key = .0.key
    )]
    NoRecord(S3Object),
    /// It was parked without the keys of the secret items that it is about.
    #[error(
        "it was parked without the keys of its items, which the model keeps secret: write the items again, or run a sweep"
    )]
    Masked,
    /// It has too many hops.
    #[error("it was handed on {0} times: this is a bug in Instep; please report it, then redrive the message")]
    Endless(u32),
}

impl BadMessage {
    /// A stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed-message",
            Self::Version(_) => "message-version",
            Self::Elsewhere { .. } => "other-deployment",
            Self::Unknown(_) | Self::Later(_) => "unknown-item-type",
            Self::Lost(_) => "no-object",
            Self::NoRecord(_) => "no-record",
            Self::Masked => "masked",
            Self::Endless(_) => "too-many-hops",
        }
    }
}
