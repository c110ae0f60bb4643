//! Each rule is needed: without it, a small world breaks.

use std::collections::BTreeMap;

use protocol::explore::{every_state, nearest_breach};
use protocol::random::walk_in;
use protocol::{Budget, Find, Rule, Rules, SmallObject, SmallWorld};

/// The number of states that are searched for the nearest breach.
const STATES_MAX: usize = 50_000;

/// The number of walks that are searched for a breach if that many states are too few.
const WALKS_MAX: u64 = 20_000;

/// The number of states and walks without a breach while the rule is on.
const STATES_HELD: usize = 5_000;
const WALKS_HELD: u64 = 300;

const USER: SmallObject = SmallObject::User(0);
const GROUP: SmallObject = SmallObject::Group(0);
const GRANT: SmallObject = SmallObject::Grant(0, 0);
const OTHER_GRANT: SmallObject = SmallObject::Grant(1, 0);
const CHILD: SmallObject = SmallObject::Child(0);

/// Whether a small world breaks without a rule, and not with it. A second rule is off, too, if it
/// alone prevents most of what the first prevents.
fn breaks(rule: Rule, covered_by: &[Rule], world: SmallWorld) {
    breaks_from(0, rule, covered_by, world);
}

/// The same for a world that breaks rarely, with the walks from a number on.
#[expect(clippy::print_stdout, reason = "it shows what a rule is needed for")]
fn breaks_from(first: u64, rule: Rule, covered_by: &[Rule], world: SmallWorld) {
    let rules = match covered_by {
        [] => Rules::without([rule]),
        [other, ..] => Rules::without([rule, *other]),
    };
    let without = SmallWorld { rules, ..world.clone() };
    let nearest = if first == 0 { nearest_breach(&without, STATES_MAX).broken } else { None };
    let mut walks = first..first + WALKS_MAX;
    let broken = nearest.or_else(|| walks.find_map(|seed| walk_in(seed, without.clone()).broken));
    assert!(broken.is_some(), "nothing breaks without the rule {rule}");
    let broken = broken.map(|broken| (broken.breaches, broken.text)).unwrap_or_default();
    println!("without {rule}, before walk {}: {:?}\n{}", walks.start, broken.0, broken.1);
    let held = (0..WALKS_HELD).find_map(|seed| walk_in(seed, world.clone()).broken);
    let held = held.or(every_state(&world, STATES_HELD).broken);
    assert_eq!(held.map(|broken| broken.text), None, "with the rule {rule} the world breaks, too");
}

/// A world with a second user.
fn two_users(start: &[SmallObject], fixed: &[SmallObject], budget: Budget) -> SmallWorld {
    let two = SmallWorld::new(2, 1, 1);
    SmallWorld { users: 2, grants: two.grants, shards: two.shards, ..SmallWorld::of_one(start, fixed, budget) }
}

/// The same with a second group.
fn two_groups(start: &[SmallObject], fixed: &[SmallObject], budget: Budget) -> SmallWorld {
    let two = SmallWorld::new(1, 2, 1);
    SmallWorld { groups: 2, grants: two.grants, shards: two.shards, ..SmallWorld::of_one(start, fixed, budget) }
}

fn writes(writes: u8) -> Budget {
    Budget { writes, ..Budget::default() }
}

#[test]
fn rule_1_grant_only_in_hand() {
    let budget = Budget { crashes: 1, replays: 1, ..writes(2) };
    let world = SmallWorld { roles: 2, ..SmallWorld::of_one(&[USER, GROUP], &[USER, GROUP], budget) };
    breaks(Rule::GrantOnlyInHand, &[], world);
}

#[test]
fn rule_2_revoke_first() {
    let world = SmallWorld { roles: 2, ..SmallWorld::of_one(&[USER, GROUP, GRANT], &[USER, GROUP], writes(1)) };
    breaks(Rule::RevokeFirst, &[], world);
}

#[test]
fn rule_2_read_again() {
    let budget = Budget { replays: 1, ..writes(2) };
    breaks(Rule::ReadAgain, &[], SmallWorld::of_one(&[USER, GROUP], &[USER], budget));
}

#[test]
fn rule_3_hand_on_missing() {
    let world = SmallWorld { find_by_group: Find::Index, ..SmallWorld::of_one(&[USER], &[USER], writes(2)) };
    breaks(Rule::HandOnMissing, &[], world);
}

#[test]
fn rule_4_fan_out() {
    breaks(Rule::FanOut, &[], SmallWorld::of_one(&[USER, GRANT], &[USER, GRANT], writes(1)));
}

#[test]
fn rule_4_fan_out_of_existing() {
    breaks(Rule::FanOutOfExisting, &[], SmallWorld::of_one(&[USER, GROUP], &[USER], writes(3)));
}

#[test]
fn rule_5_late_pending() {
    let world = SmallWorld { find_by_group: Find::Index, ..SmallWorld::of_one(&[USER], &[USER], writes(2)) };
    breaks(Rule::LatePending, &[], world);
}

#[test]
fn rule_5_late_dependents() {
    let world = child(&[USER, GRANT], writes(2));
    let world = SmallWorld { find_children: Find::Index, ..world };
    breaks(Rule::LateDependents, &[], world);
}

#[test]
fn rule_6_replay_by_queue() {
    let budget = Budget { crashes: 1, replays: 1, ..writes(2) };
    breaks(Rule::ReplayByQueue, &[], SmallWorld::of_one(&[USER, GROUP, GRANT], &[USER], budget));
}

#[test]
fn rule_7_retry_whole_batch() {
    let budget = Budget { failures: 1, ..writes(2) };
    let objects = [USER, SmallObject::User(1), GRANT];
    let world = two_users(&objects, &objects, budget);
    breaks(Rule::RetryWholeBatch, &[], SmallWorld { shards: BTreeMap::new(), batch: 2, ..world });
}

/// Instep has never handled a record of the group and of the second user's grant.
fn never_handled(budget: Budget) -> SmallWorld {
    let users = [USER, SmallObject::User(1)];
    let fixed = [USER, SmallObject::User(1), OTHER_GRANT, GROUP];
    SmallWorld { never_handled: [GROUP, OTHER_GRANT].into(), ..two_users(&users, &fixed, budget) }
}

#[test]
fn rule_8_lost_creation_counts() {
    breaks(Rule::LostCreationCounts, &[], never_handled(Budget { lost: 1, ..writes(1) }));
}

#[test]
fn rule_8_redelivery_counts() {
    breaks(Rule::RedeliveryCounts, &[], never_handled(Budget { crashes: 1, ..writes(1) }));
}

#[test]
fn rule_9_reference_first() {
    let world = SmallWorld { find_by_group: Find::Reference, ..SmallWorld::of_one(&[USER, GROUP], &[USER], writes(3)) };
    breaks(Rule::ReferenceFirst, &[], world);
}

/// The run over the grant sees the account, or the run over the sign-up sees the grant.
#[test]
fn rule_9_reference_first_where_people_sign_up() {
    let budget = Budget { sign_ups: 1, ..writes(1) };
    breaks(Rule::ReferenceFirst, &[], SmallWorld::of_one(&[GROUP], &[GROUP], budget).with_sign_ups());
}

/// A group with a child.
fn child(fixed: &[SmallObject], budget: Budget) -> SmallWorld {
    SmallWorld { children: vec![GROUP], ..SmallWorld::of_one(&[GROUP], fixed, budget) }.with_own_shards()
}

#[test]
fn cascade_tombstone_first() {
    breaks(Rule::TombstoneFirst, &[], child(&[USER, GRANT], writes(2)));
}

#[test]
fn cascade_child_reads_tombstone() {
    breaks(Rule::ChildReadsTombstone, &[], child(&[USER, GRANT], writes(2)));
}

#[test]
fn cascade_parent_is_absent() {
    let world = child(&[USER, GRANT], writes(3));
    breaks(Rule::ParentIsAbsent, &[], SmallWorld { start: [GROUP, CHILD].into(), ..world });
}

/// A user is deleted with its last grant. Nobody writes groups.
fn with_last_revocation(world: SmallWorld) -> SmallWorld {
    SmallWorld { last_revocation: true, find_by_user: Find::Partition, find_by_group: Find::Nothing, ..world }
}

/// A user with a grant in each of two groups that no writer writes.
fn subject(budget: Budget) -> SmallWorld {
    let objects = [USER, GROUP, SmallObject::Group(1), GRANT];
    with_last_revocation(two_groups(&objects, &[GROUP, SmallObject::Group(1)], budget))
}

#[test]
fn last_revocation_keep_subject() {
    breaks(
        Rule::KeepSubject,
        &[],
        SmallWorld { fixed: [USER, GROUP, SmallObject::Group(1)].into(), ..subject(writes(2)) },
    );
}

#[test]
fn last_revocation_subject_is_unchanged() {
    let world = SmallWorld { attributes: 2, ..subject(writes(2)) };
    breaks(Rule::SubjectIsUnchanged, &[], world);
}

#[test]
fn last_revocation_grant_restores() {
    breaks(
        Rule::GrantRestores,
        &[],
        SmallWorld { fixed: [USER, GROUP, SmallObject::Group(1)].into(), ..subject(writes(2)) },
    );
}

/// A group of the user does not exist: a grant in it is pending, and Cognito does not know it.
fn pending(budget: Budget) -> SmallWorld {
    let world = subject(budget);
    let fixed = [USER, GROUP, SmallObject::Group(1)].into();
    let (find_by_user, find_by_group) = (Find::Index, Find::Partition);
    SmallWorld { find_by_user, find_by_group, start: [USER, GROUP, GRANT].into(), fixed, ..world }
}

#[test]
fn last_revocation_removal_restores() {
    breaks(Rule::RemovalRestores, &[Rule::LateRestores], pending(writes(2)));
}

/// Without it, a last revocation deletes a subject with a pending grant that the index does not
/// show, and nothing looks for grants when the index has caught up.
#[test]
fn last_revocation_late_restores() {
    breaks(Rule::LateRestores, &[], pending(writes(2)));
}

/// Without it, a run over a subject's creation reads the item before a last revocation deletes it,
/// and the tombstone after that. It deletes the tombstone, and with it the kept item.
#[test]
fn last_revocation_forget_checks_subject() {
    let world = SmallWorld { start: [GROUP, SmallObject::Group(1)].into(), any_order: true, ..subject(writes(4)) };
    breaks(Rule::ForgetChecksSubject, &[], world);
}

/// Without it, a slow run over a subject's first deletion finds no kept item, because the subject
/// was restored. The subject is deleted again, and the run deletes a new grant.
#[test]
fn last_revocation_cascade_checks_tombstone() {
    let world = with_last_revocation(SmallWorld::of_one(&[USER, GROUP, GRANT], &[USER, GROUP], writes(4)));
    breaks_from(
        81_000,
        Rule::CascadeChecksTombstone,
        &[],
        SmallWorld { grants_belong: true, any_order: true, ..world },
    );
}

#[test]
fn last_revocation_replay_revokes_no_subject() {
    let budget = Budget { replays: 1, ..writes(1) };
    breaks(
        Rule::ReplayRevokesNoSubject,
        &[],
        with_last_revocation(SmallWorld::of_one(&[USER, GROUP], &[USER], budget)),
    );
}
