//! The stack's clock. It changes only when it is set or advanced, so that a run can be repeated
//! byte for byte.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;

/// A virtual clock with millisecond precision. Clones share one time.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    epoch_ms: Arc<AtomicI64>,
}

impl Clock {
    /// A clock that shows `now`, truncated to milliseconds.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        let clock = Self::default();
        clock.set(now);
        clock
    }

    /// The time that the clock shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.now_ms()).unwrap_or_default()
    }

    /// Milliseconds since 1970.
    pub(crate) fn now_ms(&self) -> i64 {
        self.epoch_ms.load(Ordering::SeqCst)
    }

    /// Sets the clock, forward or back.
    pub fn set(&self, now: Timestamp) {
        self.epoch_ms.store(now.as_millisecond(), Ordering::SeqCst);
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let by_ms = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.epoch_ms.fetch_add(by_ms, Ordering::SeqCst);
    }
}

/// The engine uses the same clock. It stamps stream records, sets the minimum of their sequence
/// numbers, and checks TTLs.
impl dynoxide::storage_backend::Clock for Clock {
    fn now_unix_secs(&self) -> u64 {
        u64::try_from(self.now_ms() / 1000).unwrap_or_default()
    }

    fn now_unix_secs_f64(&self) -> f64 {
        Duration::from_millis(u64::try_from(self.now_ms()).unwrap_or_default()).as_secs_f64()
    }
}
