//! The machine's clock: for what is done now, to a table as it is now. What is played from captures takes their time.

use jiff::Timestamp;

/// The time that it is.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}
