//! Fresh seeds, and a fixed set of seeds as a regression.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use simulate::chance::fresh_start;
use simulate::{Options, run};

/// How many seeds every test run tries, and how many of crowded worlds.
const SEEDS: u64 = 150;
const CROWDED: u64 = 50;

/// How many fresh seeds of each kind every test run tries.
const FRESH: u64 = 30;

/// Seeds that broke a promise once, and what it was. Crowded worlds changed with each that they found:
/// `tests/end-to-end/tests/embedded/races.rs` has those.
const REGRESSIONS: [(u64, &str); 9] = [
    (12274, "a subject that somebody deleted was brought back, for an answer was lost"),
    (6708, "the simulation wrote an item larger than DynamoDB takes"),
    (11855, "the simulation took a record that was left in the bucket for one that is not settled"),
    (13255, "the simulation did not know that a slow deletion lets another parent come"),
    (20012, "the simulation blamed a run for a user whom another had made a moment before it spoke"),
    (86500, "the simulation held a replay to keep what may go, for one of two of its parent's id went"),
    (91254, "a grant stayed without its membership, for another run found it without a parent that was back at once"),
    (45596285, "two parents that share a tombstone wrote it twice in one transaction"),
    (96251, "a grant stayed without its membership, for its user asked an index that did not show it yet"),
];

fn broken(seed: u64, crowded: bool) -> Vec<String> {
    let command = format!("cargo run -p simulate -- --seed {seed}{}", if crowded { " --crowded" } else { "" });
    let outcome = run(seed, Options { crowded, ..Options::default() }).unwrap();
    outcome.broken.into_iter().map(|what| format!("{what}\n  {command}")).collect()
}

/// All promises, in worlds of fresh seeds.
#[test]
fn the_promises_hold_in_fresh_worlds() {
    let start = fresh_start();
    eprintln!("{FRESH} seeds from {start}, and as many crowded ones");
    let seeds = (start..start + FRESH).flat_map(|seed| [(seed, false), (seed, true)]);
    let broken: Vec<String> = seeds.flat_map(|(seed, crowded)| broken(seed, crowded)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// All promises, in worlds that once held: a regression.
#[test]
fn the_promises_hold() {
    let seeds = (0..SEEDS).map(|seed| (seed, false)).chain((0..CROWDED).map(|seed| (seed, true)));
    let broken: Vec<String> = seeds.flat_map(|(seed, crowded)| broken(seed, crowded)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// What was found once stays mended, as long as the worlds of these seeds stay as they are.
#[test]
fn what_was_found_stays_mended() {
    for (seed, what) in REGRESSIONS {
        let broken = broken(seed, false);
        assert!(broken.is_empty(), "{what}:\n{}", broken.join("\n"));
    }
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
