//! The times that an attribute can contain.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::value::Value;

/// When a period begins that is written as RFC 3339, epoch seconds, or a date: its first instant, UTC.
#[must_use]
pub fn beginning(value: &Value) -> Option<Timestamp> {
    let text = value.to_text()?;
    instant(&text).or_else(|| midnight(date(&text)?))
}

/// When a period ends that is written in the same ways. A date belongs to the period, so it ends with
/// the day.
#[must_use]
pub fn end(value: &Value) -> Option<Timestamp> {
    let text = value.to_text()?;
    instant(&text).or_else(|| midnight(date(&text)?.tomorrow().ok()?))
}

fn instant(text: &str) -> Option<Timestamp> {
    text.parse::<Timestamp>().ok().or_else(|| Timestamp::from_second(text.parse().ok()?).ok())
}

/// A date and nothing else. A time without an offset says no moment, and no day either.
fn date(text: &str) -> Option<Date> {
    text.parse::<Date>().ok().filter(|date| date.to_string() == text)
}

fn midnight(date: Date) -> Option<Timestamp> {
    format!("{date}T00:00:00Z").parse().ok()
}
