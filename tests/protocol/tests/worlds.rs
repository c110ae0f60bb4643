//! With every rule on, every world ends as it must.

use std::ops::Range;

use protocol::explore::every_state;
use protocol::random::walk;
use protocol::{Budget, Find, Rules, SmallObject, SmallWorld};

/// Worlds of a fixed range, so that a bug that was found stays fixed.
const FIXED: Range<u64> = 0..10_000;

/// Worlds from a start that differs each time. The test prints the start.
const RANDOM: u64 = 2_000;

#[expect(clippy::print_stdout, reason = "the output of a failing test names the worlds")]
fn all_hold(seeds: Range<u64>, rules: &Rules) {
    let mut steps = 0;
    println!("worlds of seeds {seeds:?}");
    for seed in seeds {
        let walk = walk(seed, rules);
        steps += walk.steps;
        let shown = walk.broken.map(|broken| format!("{:?}\n{}", broken.breaches, broken.text));
        assert_eq!(shown, None, "the world of seed {seed} breaks: {:?}", walk.world);
    }
    println!("{steps} steps");
}

#[test]
fn a_fixed_range_of_worlds_holds() {
    all_hold(FIXED, &Rules::ALL);
}

/// Worlds that once broke a promise.
#[test]
fn fixed_bugs_stay_fixed() {
    // The check did not expect that a tombstone's time precedes the deletion of a subject.
    let seed = 1_948_011_012_327_221_457;
    all_hold(seed..seed + 1, &Rules::ALL);
}

#[test]
fn random_worlds_hold() {
    let start = fastrand::u64(..u64::MAX / 2);
    all_hold(start..start + RANDOM, &Rules::ALL);
}

const USER: SmallObject = SmallObject::User(0);
const GROUP: SmallObject = SmallObject::Group(0);
const GRANT: SmallObject = SmallObject::Grant(0, 0);

/// Every state of a world is without a breach, and there are not too many of them.
#[expect(clippy::print_stdout, reason = "it shows how much was explored")]
fn every_state_holds(start: &[SmallObject], fixed: &[SmallObject], budget: Budget, adapt: impl Fn(&mut SmallWorld)) {
    const STATES_MAX: usize = 300_000;
    let mut world = SmallWorld::of_one(start, fixed, budget);
    adapt(&mut world);
    let explored = every_state(&world, STATES_MAX);
    println!("{} states", explored.states);
    assert_eq!(explored.broken.map(|broken| format!("{:?}\n{}", broken.breaches, broken.text)), None);
    assert!(explored.whole, "more states than {STATES_MAX}");
}

#[test]
fn everything_is_written_and_a_run_dies() {
    let budget = Budget { writes: 3, crashes: 1, ..Budget::default() };
    every_state_holds(&[], &[], budget, |world| world.find_by_user = Find::Reference);
    every_state_holds(&[USER, GROUP, GRANT], &[USER], budget, |_| ());
}

#[test]
fn a_role_changes_and_a_record_is_replayed() {
    let budget = Budget { writes: 2, crashes: 1, replays: 1, ..Budget::default() };
    every_state_holds(&[USER, GROUP, GRANT], &[USER, GROUP], budget, |world| world.roles = 2);
}

#[test]
fn a_group_is_replayed_and_delivered_twice() {
    let budget = Budget { writes: 1, replays: 1, duplicates: 1, ..Budget::default() };
    every_state_holds(&[USER, GROUP, GRANT], &[USER, GRANT], budget, |_| ());
    let budget = Budget { writes: 2, replays: 1, ..Budget::default() };
    every_state_holds(&[USER, GROUP, GRANT], &[USER, GRANT], budget, |_| ());
}

#[test]
fn an_index_lags() {
    let budget = Budget { writes: 2, ..Budget::default() };
    every_state_holds(&[USER, GROUP], &[USER], budget, |world| world.find_by_group = Find::Index);
}

#[test]
fn back_references() {
    let budget = Budget { writes: 3, ..Budget::default() };
    every_state_holds(&[USER, GROUP], &[USER], budget, |world| world.find_by_group = Find::Reference);
}

#[test]
fn calls_and_publishing_fail() {
    let budget = Budget { writes: 2, failures: 1, unpublished: 1, lost: 1, ..Budget::default() };
    every_state_holds(&[USER], &[USER], budget, |world| {
        world.shards.clear();
        world.batch = 3;
    });
}

/// A sign-up against a grant, and its revocation, in each order: a membership of an account that exists follows its
/// grant, and never by a name.
#[test]
fn somebody_signs_up() {
    let budget = Budget { writes: 2, crashes: 1, sign_ups: 1, ..Budget::default() };
    let people = |world: &mut SmallWorld| *world = world.clone().with_sign_ups();
    every_state_holds(&[GROUP], &[GROUP], budget, people);
    every_state_holds(&[GROUP, GRANT], &[GROUP], budget, people);
    // The group comes and goes, too, and the role changes.
    every_state_holds(&[GRANT], &[], Budget { crashes: 0, ..budget }, people);
    every_state_holds(&[GROUP, GRANT], &[GROUP], budget, |world| {
        world.roles = 2;
        people(world);
    });
    // An index leads from the group to its grants.
    every_state_holds(&[GROUP], &[GROUP], Budget { crashes: 0, ..budget }, |world| {
        world.find_by_group = Find::Index;
        people(world);
    });
    // Messages come twice, calls fail, answers are lost, and people delete the account.
    let faults = Budget { failures: 1, lost: 1, duplicates: 1, leaves: 1, crashes: 0, ..budget };
    every_state_holds(&[GROUP], &[GROUP], faults, people);
}

/// A replayed record grants nothing that the table does not imply, whoever has signed up or left.
#[test]
fn a_record_of_somebody_who_signs_up_is_replayed() {
    let budget = Budget { writes: 1, replays: 1, sign_ups: 1, leaves: 1, ..Budget::default() };
    every_state_holds(&[USER, GROUP, GRANT], &[GROUP], budget, |world| *world = world.clone().with_sign_ups());
}

#[test]
fn children_go_with_their_parent() {
    let budget = Budget { writes: 3, crashes: 1, ..Budget::default() };
    for find_children in [Find::Partition, Find::Index] {
        every_state_holds(&[USER, GROUP], &[USER, GRANT], budget, |world| {
            world.children = vec![GROUP];
            world.find_children = find_children;
            *world = world.clone().with_own_shards();
        });
    }
}
