//! All randomness, from one seed.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Random first seeds are below this, so that they are short to type.
const STARTS: u64 = 1_000_000_000;

/// A random first seed: a claim over seeds is a claim over fresh ones.
#[must_use]
pub fn fresh_start() -> u64 {
    // fastrand seeds the generator of a thread with random numbers of the operating system.
    fastrand::u64(..STARTS)
}

/// A seeded random generator. Everything in a run shares it: in one thread the order of draws is
/// deterministic.
#[derive(Debug)]
pub struct Chance {
    /// The seed. What depends on it and on no draw leaves the worlds of other seeds as they were.
    pub seed: u64,
    rng: Mutex<fastrand::Rng>,
}

impl Chance {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, rng: Mutex::new(fastrand::Rng::with_seed(seed)) }
    }

    /// Draws a number below `end`. Returns 0 if `end` is 0.
    pub fn below(&self, end: usize) -> usize {
        if end == 0 { 0 } else { self.rng.lock().unwrap_or_else(PoisonError::into_inner).usize(..end) }
    }

    /// Draws whether something happens that happens so often in a thousand cases.
    pub fn of_thousand(&self, often: usize) -> bool {
        often > 0 && self.below(1_000) < often
    }

    /// Draws a duration of at most so many milliseconds.
    pub fn time(&self, most: usize) -> Duration {
        Duration::from_millis(self.below(most + 1) as u64)
    }

    /// Shuffles the values.
    pub fn shuffled<T>(&self, mut of: Vec<T>) -> Vec<T> {
        self.rng.lock().unwrap_or_else(PoisonError::into_inner).shuffle(&mut of);
        of
    }

    /// Draws one of the values.
    pub fn pick<'a, T>(&self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}
