//! The present time, and the time that is left.

use std::time::Duration;

use jiff::Timestamp;

/// The part of an invocation's time that the runtime needs for the answer.
const ANSWER: Duration = Duration::from_millis(500);

/// The present time. Only this function asks for it.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// The time left to an invocation that Lambda ends at `deadline_ms` (epoch milliseconds). `None` if
/// that is in the past: emulators of Lambda's runtime send such times.
pub(crate) fn left(now: Timestamp, deadline_ms: u64) -> Option<Duration> {
    let now_ms = u64::try_from(now.as_millisecond()).ok()?;
    let left = Duration::from_millis(deadline_ms.checked_sub(now_ms).filter(|left| *left > 0)?);
    Some(left.saturating_sub(ANSWER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invocation_ends_before_lambda_ends_it() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let at = |ms: i64| left(now, u64::try_from(now.as_millisecond() + ms).unwrap());
        assert_eq!(at(60_000), Some(Duration::from_millis(59_500)));
        assert_eq!(at(100), Some(Duration::ZERO), "there is no time, but an end");
        assert_eq!(at(0), None);
        assert_eq!(left(now, 600_000), None, "in 1970");
    }
}
