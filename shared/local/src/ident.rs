//! The region and the account of the stack, and ids that are derived from their objects, where AWS draws them at random, so that each run gives
//! the same bytes.

use std::fmt::Write as _;

use instep_contract::delivery_id;
use sha2::{Digest as _, Sha256};

/// The region of the stack.
pub const REGION: &str = "us-east-1";
/// The account of the stack.
pub const ACCOUNT: &str = "000000000000";

/// 32 hexadecimal digits.
pub(crate) fn hex(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(16).fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An id in the form of a UUID.
pub(crate) fn uuid(parts: &[&str]) -> String {
    delivery_id(&hex(parts))
}
