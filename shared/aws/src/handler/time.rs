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

/// The part of the time that a first attempt at all entries gets. A single entry gets all.
pub(super) const fn first_share(entries: usize) -> f64 {
    if entries < 2 { 1.0 } else { 0.5 }
}

/// The part of the time that is left which an attempt at some of the other entries gets. Lambda must not
/// end the invocation during that attempt: the report of the first entry would be lost.
pub(super) const REST_SHARE: f64 = 0.8;

/// The part of the invocation's time that must be left for that attempt.
const REST_LEAST: f64 = 0.25;

/// Whether enough time is left for an attempt at some of the other entries.
pub(super) fn is_enough_for_the_rest(started: Instant, deadline: Instant) -> bool {
    let left = deadline.saturating_duration_since(Instant::now());
    left >= deadline.saturating_duration_since(started).mul_f64(REST_LEAST)
}

/// Where the entries end that may be handled in the time that is left, after an attempt at all of them
/// had too little time even for the first, and that was handled alone. `failed_from` is the first entry
/// with an effect that was not applied. What precedes it needed the whole time of the attempt, and an
/// attempt applies most effects again: half of it may fit. If nothing precedes it, a read or what the
/// batch revokes took the time: then it is a quarter of the batch. One more entry is always worth an attempt:
/// the attempt at all entries may have sent a message for one that waits.
pub(super) fn rest_end(entries: usize, failed_from: Option<usize>) -> usize {
    let some = failed_from.filter(|failed_from| *failed_from > 1).map_or(entries / 4, |failed_from| failed_from / 2);
    some.max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_fits_into_the_time() {
        let ends = [Some(13), Some(3), Some(1), Some(0), None].map(|failed_from| rest_end(100, failed_from));
        assert_eq!(ends, [6, 2, 25, 25, 25]);
    }

    #[test]
    fn a_part_of_the_time_is_kept_for_the_end() {
        assert_eq!(closing(Duration::from_secs(20)), Duration::from_secs(4));
        assert_eq!(closing(Duration::from_secs(300)), CLOSING_MAX);
    }
}
