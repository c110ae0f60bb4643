//! Everything that is left to chance, from one seed.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Random starts are below this, so that a seed is quickly typed.
const STARTS: u64 = 1_000_000_000;

/// A seed that no earlier run chose: a claim over seeds is a claim over fresh ones.
#[must_use]
pub fn fresh_start() -> u64 {
    // fastrand seeds the generator of a thread with random numbers of the operating system.
    fastrand::u64(..STARTS)
}

/// A seeded source of chance. All who draw share it: in one thread the order of draws is the order of the run.
#[derive(Debug)]
pub struct Chance(Mutex<fastrand::Rng>);

impl Chance {
    /// The chance of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(fastrand::Rng::with_seed(seed)))
    }

    /// A number below `end`; 0 where there is none.
    pub fn below(&self, end: usize) -> usize {
        if end == 0 { 0 } else { self.0.lock().unwrap_or_else(PoisonError::into_inner).usize(..end) }
    }

    /// Whether something happens that happens so often in a thousand times.
    pub fn of_thousand(&self, often: usize) -> bool {
        often > 0 && self.below(1_000) < often
    }

    /// A time up to `most` milliseconds.
    pub fn time(&self, most: usize) -> Duration {
        Duration::from_millis(self.below(most + 1) as u64)
    }

    /// These in another order.
    pub fn shuffled<T>(&self, mut of: Vec<T>) -> Vec<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).shuffle(&mut of);
        of
    }

    /// One of several.
    pub fn pick<'a, T>(&self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}
