//! The time of the stack: the machine's, plus what `let time pass` has added.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use instep_console::clock;
use instep_local::Clock;
use jiff::{SignedDuration, Timestamp};

/// A clock that runs. The stack's own clock stands still until it is set.
#[derive(Debug, Clone)]
pub(super) struct LiveClock {
    stack: Clock,
    ahead_ms: Arc<AtomicI64>,
}

impl LiveClock {
    /// A clock that runs from `start` on.
    pub(super) fn starting(start: Timestamp) -> Self {
        let clock = Self { stack: Clock::new(start), ahead_ms: Arc::default() };
        clock.jump(start);
        clock
    }

    /// The clock of the stack.
    pub(super) const fn of_stack(&self) -> &Clock {
        &self.stack
    }

    /// The present time, which the stack has from now on.
    pub(super) fn now(&self) -> Timestamp {
        let ahead = SignedDuration::from_millis(self.ahead_ms.load(Ordering::SeqCst));
        let now = clock::now().checked_add(ahead).unwrap_or(Timestamp::MAX);
        // Time never runs backwards.
        if now > self.stack.now() {
            self.stack.set(now);
        }
        self.stack.now()
    }

    /// Moves to this time, from which it runs on.
    pub(super) fn jump(&self, to: Timestamp) {
        let ahead = to.as_millisecond().saturating_sub(clock::now().as_millisecond());
        self.ahead_ms.store(ahead, Ordering::SeqCst);
        self.stack.set(to);
    }
}
