//! Keeps a process within its share of a service's rate.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Limits calls to an even rate, and counts how often the service throttles them all the same.
#[derive(Debug)]
pub(crate) struct Pace {
    interval: Option<Duration>,
    next: Mutex<Option<Instant>>,
    throttles: AtomicU64,
}

impl Pace {
    /// One call in each `interval`. `None` does not limit the calls.
    pub(crate) fn new(interval: Option<Duration>) -> Self {
        Self { interval, next: Mutex::new(None), throttles: AtomicU64::new(0) }
    }

    /// Waits until the next call is allowed. Returns `false`, without a wait, if that is after the
    /// deadline.
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

    /// Counts a throttled call.
    pub(crate) fn throttled(&self) {
        self.throttles.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of throttled calls.
    pub(crate) fn throttles(&self) -> u64 {
        self.throttles.load(Ordering::Relaxed)
    }
}
