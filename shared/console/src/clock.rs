//! The machine's clock, for work on an existing table. A replay on the embedded stack uses the
//! captures' time.

use jiff::Timestamp;

/// The present time.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub fn now() -> Timestamp {
    Timestamp::now()
}
