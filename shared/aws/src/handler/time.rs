//! How the time of an invocation is divided.

use std::time::Duration;

use tokio::time::Instant;

use crate::connect::ATTEMPT_TIMEOUT;

/// The time that is reserved after the effects of a batch: one part in `CLOSING_SHARE` of the
/// batch's time, at most `CLOSING_MAX`. It covers a running call to Cognito, which is awaited, then
/// parking and publishing.
const CLOSING_SHARE: u32 = 5;
const CLOSING_MAX: Duration = Duration::from_secs(10 + ATTEMPT_TIMEOUT.as_secs());

/// When effects must be done, so that the events of handled records can be published by `deadline`.
pub(super) fn work_until(deadline: Instant) -> Instant {
    deadline - closing(deadline.saturating_duration_since(Instant::now()))
}

fn closing(left: Duration) -> Duration {
    (left / CLOSING_SHARE).min(CLOSING_MAX)
}

/// How many of a batch's first records each attempt handles, and its share of the remaining time:
/// all records; if that does not even handle the first, a quarter; then the first alone. The
/// effects that an attempt has applied stay applied for the next attempt and the next invocation.
pub(super) fn attempts(records: usize) -> Vec<(usize, f64)> {
    let mut attempts = match records {
        0..=1 => vec![(records, 1.0)],
        2..=7 => vec![(records, 0.6), (1, 1.0)],
        _ => vec![(records, 0.5), (records / 4, 0.4), (1, 1.0)],
    };
    attempts.dedup_by_key(|(count, _)| *count);
    attempts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_get_smaller_and_end_with_one_record() {
        for records in 0..200 {
            let attempts = attempts(records);
            assert_eq!(attempts[0].0, records);
            assert!(attempts.windows(2).all(|pair| pair[0].0 > pair[1].0), "{attempts:?}");
            assert_eq!(attempts.last().map(|(count, share)| (*count <= 1, *share)), Some((true, 1.0)));
        }
    }

    #[test]
    fn a_part_of_the_time_is_kept_for_the_end() {
        assert_eq!(closing(Duration::from_secs(20)), Duration::from_secs(4));
        assert_eq!(closing(Duration::from_secs(300)), CLOSING_MAX);
    }
}
