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

/// An attempt at a batch. The effects that it applies stay applied for the next attempt and the next
/// invocation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    /// How many of the batch's first entries it handles.
    pub(super) count: usize,
    /// Its share of the remaining time.
    pub(super) share: f64,
    is_first: bool,
}

impl Attempt {
    /// All entries.
    pub(super) const fn first(entries: usize) -> Self {
        Self { count: entries, share: if entries < 2 { 1.0 } else { 0.5 }, is_first: true }
    }

    /// The next attempt, if this one had too little time even for the first entry. `failed_from` is the
    /// first entry with an effect that was not applied. What precedes it needed the whole time, and an
    /// attempt applies most effects again: the next one tries half of that, or a quarter of the batch
    /// if a read took the time. The last one tries the first entry alone.
    pub(super) fn next(self, failed_from: Option<usize>) -> Option<Self> {
        let count = failed_from.map_or(self.count / 4, |failed_from| failed_from / 2);
        match self.count {
            0..=1 => None,
            _ if self.is_first && count > 1 => Some(Self { count, share: 0.8, is_first: false }),
            _ => Some(Self { count: 1, share: 1.0, is_first: false }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_get_smaller_and_end_with_one_entry() {
        for entries in 0..200 {
            for failed_from in (0..entries).map(Some).chain([None]) {
                let attempts: Vec<Attempt> =
                    std::iter::successors(Some(Attempt::first(entries)), |attempt| attempt.next(failed_from)).collect();
                assert_eq!(attempts[0].count, entries);
                assert!(attempts.len() < 4 && attempts.windows(2).all(|pair| pair[0].count > pair[1].count));
                assert_eq!(
                    attempts.last().map(|last| (last.count <= 1, last.share)),
                    Some((true, 1.0)),
                    "{attempts:?}"
                );
            }
        }
    }

    #[test]
    fn the_second_attempt_fits_into_the_time() {
        assert_eq!(Attempt::first(100).next(Some(13)).map(|attempt| attempt.count), Some(6));
        assert_eq!(Attempt::first(100).next(None).map(|attempt| attempt.count), Some(25));
        assert_eq!(Attempt::first(100).next(Some(1)).map(|attempt| attempt.count), Some(1));
    }

    #[test]
    fn a_part_of_the_time_is_kept_for_the_end() {
        assert_eq!(closing(Duration::from_secs(20)), Duration::from_secs(4));
        assert_eq!(closing(Duration::from_secs(300)), CLOSING_MAX);
    }
}
