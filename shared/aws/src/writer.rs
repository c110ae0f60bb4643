//! For writers: runs the transactions of [`instep_flow::writer`], and classifies their errors.

use instep_flow::effect::Write;
use tokio::time::Instant;

use crate::apply::Written;
use crate::instep::Instep;

/// Why a write failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A condition failed: the key or a unique value is taken, or the item has changed. An
    /// unchanged retry does not help.
    #[error("conflict: the key or a unique value is taken, or the item has changed since it was read")]
    Conflict,
    /// The service was busy or failing until the deadline. A retry later helps.
    #[error("{0}; try again later")]
    Retryable(String),
    /// DynamoDB will never accept it.
    #[error("{0}; correct the item")]
    Refused(String),
}

impl Instep {
    /// Makes a write, all of it or nothing. Retries a busy service until `deadline`.
    ///
    /// # Errors
    /// The variants differ in what the writer can do.
    pub async fn make(&self, write: &Write, deadline: Option<Instant>) -> Result<(), WriteError> {
        match self.write(&write.checks, &write.actions, deadline).await {
            Ok(Written::Done) => Ok(()),
            Ok(Written::Moved) => Err(WriteError::Conflict),
            Err(failure) if failure.is_permanent() => Err(WriteError::Refused(failure.words("TransactWriteItems"))),
            Err(failure) => Err(WriteError::Retryable(failure.words("TransactWriteItems"))),
        }
    }
}
