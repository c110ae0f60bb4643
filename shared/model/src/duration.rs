//! A length of time as a model file has it: `"90s"`, `"30m"`, `"12h"` or `"7d"`.

use std::time::Duration;

/// The longest time that can be written, in days. Instep remembers a deletion for 105 days, in which its record may be
/// handled again.
pub(crate) const DAYS_MAX: u64 = 90;

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// The seconds of each unit.
const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 60 * 60), ('d', DAY_SECONDS)];

/// Reads a length of time, from a second to [`DAYS_MAX`].
pub(crate) fn read_duration(text: &str) -> Option<Duration> {
    seconds(text).filter(|seconds| (1..=DAYS_MAX * DAY_SECONDS).contains(seconds)).map(Duration::from_secs)
}

fn seconds(text: &str) -> Option<u64> {
    let unit = text.chars().next_back()?;
    let (_, seconds) = UNITS.iter().find(|(known, _)| *known == unit)?;
    let digits = text.strip_suffix(unit)?;
    let number: u64 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    number.checked_mul(*seconds)
}

/// A length of time in the largest unit that it is a whole number of.
pub(crate) fn duration_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let whole = UNITS.iter().rev().find(|(_, unit)| seconds.is_multiple_of(*unit));
    whole.map_or_else(|| format!("{seconds}s"), |(name, unit)| format!("{}{name}", seconds / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written is read, and said again in the same words where it is whole.
    #[test]
    fn lengths_of_time() {
        for (text, expected) in [("90s", Some(90)), ("2m", Some(120)), ("12h", Some(43_200)), ("7d", Some(604_800))] {
            assert_eq!(seconds(text), expected);
            assert_eq!(duration_text(Duration::from_secs(expected.unwrap_or_default())), text);
        }
        for text in ["", "d", "7", "+7d", "7 d", "7w", "7D", "1.5d", "99999999999999999999d"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
