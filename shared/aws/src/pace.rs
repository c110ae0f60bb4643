//! A process keeps to its share of a service's rate.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::Instant;

/// Gives turns at an even rate.
#[derive(Debug)]
pub(crate) struct Pace {
    interval: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    /// `per_second` turns a second; none: no limit.
    pub(crate) fn new(per_second: Option<u32>) -> Self {
        let interval = per_second.map(|rate| Duration::from_secs(1) / rate.max(1));
        Self { interval, next: Mutex::new(None) }
    }

    /// Waits for the next turn; false, and no turn is taken, where that comes after the deadline.
    pub(crate) async fn turn(&self, deadline: Option<Instant>) -> bool {
        let Some(interval) = self.interval else { return true };
        let at = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let at = next.map_or(now, |next| next.max(now));
            if deadline.is_some_and(|deadline| at >= deadline) {
                return false;
            }
            *next = Some(at + interval);
            at
        };
        tokio::time::sleep_until(at).await;
        true
    }
}
