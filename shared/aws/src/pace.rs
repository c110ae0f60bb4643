//! A process keeps to its share of a service's rate.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Gives turns at an even rate, and counts how often the service found even that too much.
#[derive(Debug)]
pub(crate) struct Pace {
    interval: Option<Duration>,
    next: Mutex<Option<Instant>>,
    throttles: AtomicU64,
}

impl Pace {
    /// A turn each `interval`; none: no limit.
    pub(crate) fn new(interval: Option<Duration>) -> Self {
        Self { interval, next: Mutex::new(None), throttles: AtomicU64::new(0) }
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

    /// Notes that the service refused a call for its rate.
    pub(crate) fn throttled(&self) {
        self.throttles.fetch_add(1, Ordering::Relaxed);
    }

    /// How often that was.
    pub(crate) fn throttles(&self) -> u64 {
        self.throttles.load(Ordering::Relaxed)
    }
}
