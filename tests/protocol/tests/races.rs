//! Races that stay open by design, as `docs/design/races.md` lists them: a shortest history
//! through each. If a change closes one, its test fails.

use expect_test::expect;
use protocol::explore::nearest_breach;
use protocol::random::walk_in;
use protocol::{Breach, Budget, Find, Race, SmallObject, SmallWorld};

const USER: SmallObject = SmallObject::User(0);
const GROUP: SmallObject = SmallObject::Group(0);
const GRANT: SmallObject = SmallObject::Grant(0, 0);

fn history(world: &SmallWorld) -> String {
    const STATES_MAX: usize = 500_000;
    let broken = nearest_breach(world, STATES_MAX).broken;
    broken.map_or("none".to_owned(), |broken| format!("{}{:?}\n", broken.text, broken.breaches))
}

/// What a walk finds in a world with too many states for the shortest history.
fn broken_walk(world: &SmallWorld) -> Vec<Breach> {
    const WALKS_MAX: u64 = 20_000;
    let broken = (0..WALKS_MAX).find_map(|seed| walk_in(seed, world.clone()).broken);
    broken.map(|broken| broken.breaches).unwrap_or_default()
}

/// "A late request".
#[test]
fn a_late_request() {
    let budget = Budget { writes: 2, late: 1, ..Budget::default() };
    expect![[r#"
        writer: delete Grant(0, 0)
        deliver records [Grant(0, 0) 1 to none]
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Grant(0, 0) 1 to none]: remove User(0) from Group(0)|1 times out, and the run dies
        deliver records [Grant(0, 0) 1 to none]
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Grant(0, 0) 1 to none]: remove User(0) from Group(0)|1
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        writer: put Grant(0, 0) = 1
        deliver records [Grant(0, 0) none to 1]
        run over [Grant(0, 0) none to 1]: read Grant(0, 0): 1
        run over [Grant(0, 0) none to 1]: read Group(0): exists
        run over [Grant(0, 0) none to 1]: read User(0): 1
        run over [Grant(0, 0) none to 1]: add User(0) to Group(0)|1
        run over [Grant(0, 0) none to 1]: read Grant(0, 0): 1
        run over [Grant(0, 0) none to 1]: read Group(0): exists
        run over [Grant(0, 0) none to 1]: read User(0): 1
        Cognito: remove User(0) from Group(0)|1 takes effect
        [NoMember(SmallMembership { user: 0, group: 0, role: 1 })]
    "#]]
    .assert_eq(&history(&SmallWorld::of_one(&[USER, GROUP, GRANT], &[USER, GROUP], budget)));
}

/// "A torn read".
#[test]
fn a_torn_read() {
    let budget = Budget { writes: 2, replays: 1, ..Budget::default() };
    let world = SmallWorld::of_one(&[USER, GRANT], &[USER], budget);
    expect![[r#"
        replay Grant(0, 0) none to 1
        deliver messages [replay of Grant(0, 0) none to 1]
        run over [replay of Grant(0, 0) none to 1]: read User(0): 1
        run over [replay of Grant(0, 0) none to 1]: read Grant(0, 0): 1
        writer: delete Grant(0, 0)
        deliver records [Grant(0, 0) 1 to none]
        writer: put Group(0) = 1
        deliver records [Group(0) none to 1]
        run over [replay of Grant(0, 0) none to 1]: read Group(0): exists
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Group(0) none to 1]: read Group(0): exists
        run over [Group(0) none to 1]: ensure Group(0)|1
        run over [Group(0) none to 1]: read Group(0): exists
        run over [replay of Grant(0, 0) none to 1]: add User(0) to Group(0)|1
        [Torn(SmallMembership { user: 0, group: 0, role: 1 })]
    "#]]
    .assert_eq(&history(&SmallWorld { any_order: true, closed: [Race::TornRead].into(), ..world }));
}

/// "'Not found' is believed".
#[test]
fn not_found_is_believed() {
    let budget = Budget { writes: 1, not_found: 1, ..Budget::default() };
    expect![[r#"
        writer: delete Grant(0, 0)
        deliver records [Grant(0, 0) 1 to none]
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Grant(0, 0) 1 to none]: remove User(0) from Group(0)|1, answered "not found"
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        [Member(SmallMembership { user: 0, group: 0, role: 1 })]
    "#]]
    .assert_eq(&history(&SmallWorld::of_one(&[USER, GROUP, GRANT], &[USER, GROUP], budget)));
}

/// "A child that an index shows too late".
#[test]
fn a_child_that_an_index_shows_too_late() {
    let budget = Budget { writes: 2, early: 1, ..Budget::default() };
    let world = SmallWorld::of_one(&[GROUP], &[USER, GRANT], budget);
    let world = SmallWorld { children: vec![GROUP], find_children: Find::Index, ..world };
    expect![[r#"
        writer: put Child(0) = 1
        deliver records [Child(0) none to 1]
        run over [Child(0) none to 1]: read Child(0): exists
        run over [Child(0) none to 1]: read Group(0): exists
        writer: delete Group(0)
        deliver records [Group(0) 1 to none]
        run over [Group(0) 1 to none]: read Group(0): none
        run over [Group(0) 1 to none]: read INSTEP#GONE#Group/groupId=g0 GONE: none
        run over [Group(0) 1 to none]: delete Group(0)|1
        run over [Group(0) 1 to none]: read Group(0): none
        run over [Group(0) 1 to none]: read INSTEP#GONE#Group/groupId=g0 GONE: none
        run over [Group(0) 1 to none]: put INSTEP#GONE#Group/groupId=g0 GONE
        run over [Group(0) 1 to none]: read a page of G#g0 CHILD0* of index ByC
        run over [Group(0) 1 to none]: send dependents of Group g0, late
        SQS: the delay of dependents of Group g0, late ends before the index catches up
        deliver messages [dependents of Group g0, late]
        run over [dependents of Group g0, late]: read Group(0): none
        run over [dependents of Group g0, late]: read INSTEP#GONE#Group/groupId=g0 GONE: exists
        run over [dependents of Group g0, late]: read a page of G#g0 CHILD0* of index ByC
        [Orphan(Child(0))]
    "#]]
    .assert_eq(&history(&world.with_own_shards()));
}

/// "A duplicate that dies": a back-reference stays.
#[test]
fn a_duplicate_that_dies_leaves_a_back_reference() {
    let budget = Budget { writes: 1, replays: 1, abandoned: 1, crashes: 1, ..Budget::default() };
    // The grant is pending, so that no membership stays.
    let world = SmallWorld::of_one(&[USER, GRANT], &[USER, GROUP], budget);
    expect![[r#"
        replay Grant(0, 0) none to 1
        SQS: delivers replay of Grant(0, 0) none to 1 once more
        deliver messages [replay of Grant(0, 0) none to 1]
        run over [replay of Grant(0, 0) none to 1]: write a back-reference
        run over [replay of Grant(0, 0) none to 1]: read Group(0): none
        run over [replay of Grant(0, 0) none to 1]: read User(0): 1
        run over [replay of Grant(0, 0) none to 1]: read Grant(0, 0): 1
        run over [replay of Grant(0, 0) none to 1]: remove User(0) from Group(0)|1
        run over [replay of Grant(0, 0) none to 1]: read Group(0): none
        run over [replay of Grant(0, 0) none to 1]: read User(0): 1
        run over [replay of Grant(0, 0) none to 1]: read Grant(0, 0): 1
        writer: delete Grant(0, 0)
        deliver records [Grant(0, 0) 1 to none]
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Grant(0, 0) 1 to none]: remove User(0) from Group(0)|1
        run over [Grant(0, 0) 1 to none]: delete INSTEP#REF#Group/groupId=g0 Grant/groupId=g0/userId=u0
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run that is not retried: write a back-reference
        run that is not retried: read Group(0): none
        run that is not retried: read Grant(0, 0): none
        run that is not retried: read User(0): 1
        run that is not retried: dies
        [References]
    "#]]
    .assert_eq(&history(&SmallWorld { find_by_group: Find::Reference, ..world }));
}

/// "A duplicate that dies": so does a membership, if the duplicate read the grant before a writer
/// deleted it.
#[test]
fn a_duplicate_that_dies_leaves_a_membership() {
    let budget = Budget { writes: 1, replays: 1, abandoned: 1, crashes: 1, ..Budget::default() };
    expect![[r#"
        replay Grant(0, 0) 1 to none
        SQS: delivers replay of Grant(0, 0) 1 to none once more
        deliver messages [replay of Grant(0, 0) 1 to none]
        run that is not retried: read Grant(0, 0): 1
        run that is not retried: read Group(0): exists
        run that is not retried: read User(0): 1
        writer: delete Grant(0, 0)
        deliver records [Grant(0, 0) 1 to none]
        run over [replay of Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [replay of Grant(0, 0) 1 to none]: remove User(0) from Group(0)|1
        run over [replay of Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run over [Grant(0, 0) 1 to none]: remove User(0) from Group(0)|1
        run over [Grant(0, 0) 1 to none]: read Grant(0, 0): none
        run that is not retried: add User(0) to Group(0)|1
        run that is not retried: read Grant(0, 0): none
        run that is not retried: read Group(0): exists
        run that is not retried: read User(0): 1
        run that is not retried: dies
        [Member(SmallMembership { user: 0, group: 0, role: 1 })]
    "#]]
    .assert_eq(&history(&SmallWorld::of_one(&[USER, GROUP, GRANT], &[USER, GROUP], budget)));
}

fn subject(start: &[SmallObject], fixed: &[SmallObject], budget: Budget) -> SmallWorld {
    let (find_by_user, find_by_group) = (Find::Partition, Find::Nothing);
    SmallWorld { last_revocation: true, find_by_user, find_by_group, ..SmallWorld::of_one(start, fixed, budget) }
}

/// "Children of a restored subject".
#[test]
fn children_of_a_restored_subject() {
    let budget = Budget { writes: 2, ..Budget::default() };
    let child = SmallObject::Child(0);
    let world = subject(&[USER, GROUP, GRANT, child], &[USER, GROUP, child], budget);
    let world = SmallWorld { children: vec![USER], closed: [Race::ChildrenOfRestored].into(), ..world };
    assert_eq!(broken_walk(&world.with_own_shards()), [Breach::LostChild(child)]);
}

/// "A subject deleted twice".
#[test]
fn a_subject_deleted_twice() {
    let budget = Budget { writes: 4, ..Budget::default() };
    let world = subject(&[USER, GROUP, GRANT], &[GROUP], budget);
    let world = SmallWorld { closed: [Race::SubjectDeletedTwice].into(), ..world };
    assert_eq!(broken_walk(&world), [Breach::Resurrected(0)]);
}
