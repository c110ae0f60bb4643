//! Valid user and group names: 1 to 128 characters of letters, marks, symbols, numbers and
//! punctuation.

use instep_model::is_cognito_char;

use super::request::constraint;
use crate::wire::Refusal;

/// The maximum length of a name. Source: Amazon Cognito User Pools API
/// Reference, `GroupName` and `Username`.
const NAME_CHARS_MAX: usize = 128;

/// Checks the name in the request's member `member`.
pub(super) fn check(member: &str, name: &str) -> Result<(), Refusal> {
    let failed = |what: &str| {
        Err(constraint(&format!("Value '{name}' at '{member}' failed to satisfy constraint: Member must {what}")))
    };
    if name.is_empty() {
        return failed("have length greater than or equal to 1");
    }
    if name.chars().count() > NAME_CHARS_MAX {
        return failed("have length less than or equal to 128");
    }
    if !name.chars().all(is_cognito_char) {
        return failed(r"satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+");
    }
    Ok(())
}
