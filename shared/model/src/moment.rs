//! The times that an attribute can contain.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::value::Value;

/// The digits of a number of seconds since 1970: from 2001-09-09 to 2286-11-20. Fewer may be a compact date
/// (`20270101`, `2027`), and more may be milliseconds.
const SECONDS_DIGITS: usize = 10;

/// The first year that no time may be in. A later time is more likely a mistake than meant. It does not depend on
/// when the item was written, so that an item by itself says whether its time is valid.
const TOO_FAR_YEAR: i16 = 2200;

/// When a period begins that is written as RFC 3339, epoch seconds, or a date: its first instant, UTC.
#[must_use]
pub fn beginning(value: &Value) -> Option<Timestamp> {
    let text = value.to_text()?;
    instant(&text).or_else(|| Some(midnight(date(&text)?)))
}

/// When a period ends that is written in the same ways. A date belongs to the period, so it ends with
/// the day.
#[must_use]
pub fn end(value: &Value) -> Option<Timestamp> {
    let text = value.to_text()?;
    instant(&text).or_else(|| Some(date(&text)?.tomorrow().map_or(Timestamp::MAX, midnight)))
}

/// Whether a time is later than any that an item may have.
#[must_use]
pub fn is_too_far(at: Timestamp) -> bool {
    Date::new(TOO_FAR_YEAR, 1, 1).is_ok_and(|limit| midnight(limit) <= at)
}

/// A text of digits alone is a number of seconds or no time: never a guess.
fn instant(text: &str) -> Option<Timestamp> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = (text.len() == SECONDS_DIGITS).then(|| text.parse().ok()).flatten()?;
        return Timestamp::from_second(seconds).ok();
    }
    text.parse().ok()
}

/// A date and nothing else. A time without an offset says no moment, and no day either.
fn date(text: &str) -> Option<Date> {
    text.parse::<Date>().ok().filter(|date| date.to_string() == text)
}

/// The first instant of a day. That of the last day is later than the last instant that can be written.
fn midnight(date: Date) -> Timestamp {
    format!("{date}T00:00:00Z").parse().unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begins(value: Value) -> Option<String> {
        beginning(&value).map(|at| at.to_string())
    }

    /// Promise 6: digits are seconds or no time, whether they are a number or a string.
    #[test]
    fn digits_are_never_taken_for_a_date_nor_a_date_for_seconds() {
        for text in ["0", "-1", "+1798761600", "2027", "202701", "270101", "2027001", "20270101", "999999999"] {
            for value in [Value::S(text.to_owned()), Value::N(text.to_owned())] {
                assert_eq!((beginning(&value), end(&value)), (None, None), "{text}");
            }
        }
        for text in ["202701010000", "20270101000000", "1798761600000", "1798761600.5", "1.7987616E+9", "2027-1-1"] {
            assert_eq!(begins(Value::S(text.to_owned())), None, "{text}");
        }
        for value in [Value::S("1798761600".to_owned()), Value::N("1798761600".to_owned())] {
            assert_eq!(begins(value).as_deref(), Some("2027-01-01T00:00:00Z"));
        }
        assert_eq!(begins(Value::S("1000000000".to_owned())).as_deref(), Some("2001-09-09T01:46:40Z"));
        assert_eq!(begins(Value::S("2027-01-01".to_owned())).as_deref(), Some("2027-01-01T00:00:00Z"));
        assert_eq!(begins(Value::S("20270101T000000Z".to_owned())).as_deref(), Some("2027-01-01T00:00:00Z"));
    }

    #[test]
    fn a_time_is_too_far_from_the_year_2200() {
        let far = |text: &str| end(&Value::S(text.to_owned())).is_some_and(is_too_far);
        assert!(far("2199-12-31") && far("9999-12-31") && far("9999999999"));
        assert!(!far("2199-12-30") && !far("2199-12-31T23:59:59Z"));
    }
}
