//! A fixed set of seeds.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use simulate::{Options, run};

/// How many seeds every test run tries.
const SEEDS: u64 = 150;

fn broken(seed: u64) -> Vec<String> {
    let command = format!("cargo run -p simulate -- --seed {seed}");
    run(seed, Options::default()).unwrap().broken.into_iter().map(|what| format!("{what}\n  {command}")).collect()
}

/// Promises 1, 2, 4, 6 and 8, in worlds that do their worst.
#[test]
fn the_promises_hold() {
    let broken: Vec<String> = (0..SEEDS).flat_map(broken).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The same seed is the same run, to the letter.
#[test]
fn a_seed_is_one_run() {
    for seed in 0..10 {
        let traced = Options { traced: true, ..Options::default() };
        let (one, other) = (run(seed, traced).unwrap(), run(seed, traced).unwrap());
        let first = one.trace.iter().zip(&other.trace).find(|(one, other)| one != other);
        assert_eq!(first, None, "seed {seed}");
        assert_eq!((one.trace.len(), one.table), (other.trace.len(), other.table), "seed {seed}");
    }
}
