//! With every rule on, every world ends as it must.

use protocol::Rules;
use protocol::random::walk;

/// Worlds of a fixed range: what broke once must not break again.
const FIXED: std::ops::Range<u64> = 0..5_000;

/// Worlds from a start that differs each time. The test prints the start.
const RANDOM: u64 = 10_000;

#[expect(clippy::print_stdout, reason = "the output of a failing test names the worlds")]
fn all_hold(seeds: std::ops::Range<u64>) {
    let mut steps = 0;
    for seed in seeds.clone() {
        let walk = walk(seed, &Rules::PRODUCT, |_| ());
        steps += walk.steps;
        let shown = walk.broken.map(|broken| format!("{:?}\n{}", broken.breaches, broken.text));
        assert_eq!(shown, None, "the world of seed {seed} breaks: {:?}", walk.world);
    }
    println!("{} worlds, {steps} steps", seeds.count());
}

#[test]
fn a_fixed_range_of_worlds_holds() {
    all_hold(FIXED);
}

#[test]
fn random_worlds_hold() {
    let start = fastrand::u64(..u64::MAX / 2);
    println!("worlds from seed {start}");
    all_hold(start..start + RANDOM);
}
