//! Valid user and group names: 1 to 128 characters of letters, marks, symbols, numbers and
//! punctuation.
//!
//! Source: Amazon Cognito User Pools API Reference, `GroupName` and `Username`, pattern
//! `[\p{L}\p{M}\p{S}\p{N}\p{P}]+`. The pattern excludes separators and the "other" categories. Of
//! the latter, unassigned characters are accepted here, because rejecting them needs tables of all
//! assigned characters.

use super::request::constraint;
use crate::wire::Refusal;

/// The maximum length of a name. Source: as above.
const NAME_CHARS_MAX: usize = 128;

/// Unicode's format characters (Cf). Source: Unicode 16, `DerivedGeneralCategory.txt`.
const FORMAT: [(u32, u32); 21] = [
    (0x00AD, 0x00AD),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x206F),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0x0001_10BD, 0x0001_10BD),
    (0x0001_10CD, 0x0001_10CD),
    (0x0001_3430, 0x0001_343F),
    (0x0001_BCA0, 0x0001_BCA3),
    (0x0001_D173, 0x0001_D17A),
    (0x000E_0001, 0x000E_0001),
    (0x000E_0020, 0x000E_007F),
];

/// Unicode's private use areas (Co). Source: as above.
const PRIVATE_USE: [(u32, u32); 3] = [(0xE000, 0xF8FF), (0x000F_0000, 0x000F_FFFD), (0x0010_0000, 0x0010_FFFD)];

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
    if !name.chars().all(is_allowed) {
        return failed(r"satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+");
    }
    Ok(())
}

fn is_allowed(char: char) -> bool {
    let is_in = |ranges: &[(u32, u32)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&u32::from(char)));
    // Every separator (Zs, Zl, Zp) is white space. All other white space is control characters.
    !char.is_whitespace() && !char.is_control() && !is_in(&FORMAT) && !is_in(&PRIVATE_USE)
}
