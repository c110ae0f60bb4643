//! For writers: runs the transactions of [`instep_flow::writer`], and sorts what can go wrong.

use instep_flow::effect::Write;
use tokio::time::Instant;

use crate::apply::Written;
use crate::instep::Instep;

/// Why a write was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A condition did not hold: the key or a unique value is taken, or the item has changed. Trying again as it is does not help.
    #[error("conflict: the key or a unique value is taken, or the item has changed since it was read")]
    Conflict,
    /// The service was busy or failing for longer than was waited: trying again later helps.
    #[error("{0}; try again later")]
    Retryable(String),
    /// DynamoDB will never take it.
    #[error("{0}; mend the item")]
    Refused(String),
}

impl Instep {
    /// Makes a write, all of it or nothing. A busy service is waited out until `deadline`.
    ///
    /// # Errors
    /// Sorted by what the writer can do about it.
    pub async fn make(&self, write: &Write, deadline: Option<Instant>) -> Result<(), WriteError> {
        match self.write(&write.checks, &write.actions, deadline).await {
            Ok(Written::Done) => Ok(()),
            Ok(Written::Moved) => Err(WriteError::Conflict),
            Err(failure) if failure.is_permanent() => Err(WriteError::Refused(failure.words("TransactWriteItems"))),
            Err(failure) => Err(WriteError::Retryable(failure.words("TransactWriteItems"))),
        }
    }
}
