//! Windows that stay open in the shipped protocol: a history of fewest steps that leads through each. Where one is closed, its test fails.

use expect_test::expect;
use protocol::{IN_STEP, Item, MEMBERS_IN_STEP, NEVER_TORN, Object, Protocol, Role, TAKEN_FIRST};

const BOTH: &[Object] = &[Object::Group, Object::Grant(0)];
const ALL: &[Object] = &[Object::Group, Object::Grant(0), Object::Grant(1)];
const ROLES: &[Role] = &[Role::Admin, Role::Reader];
const GROUP: (Object, Item) = (Object::Group, Item::Group);
const ADMIN: (Object, Item) = (Object::Grant(0), Item::Grant(Role::Admin));
const OTHER_ADMIN: (Object, Item) = (Object::Grant(1), Item::Grant(Role::Admin));

fn window(protocol: Protocol) -> String {
    protocol.explore().path()
}

/// A request that lands after its run was given up undoes what came after it.
#[test]
fn a_late_request() {
    let late = Protocol {
        writes: 2,
        late: 1,
        promise: MEMBERS_IN_STEP,
        ..Protocol::shipped(&[Object::Group], &[GROUP, ADMIN])
    };
    expect![[r#"
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: DeleteGroup(Admin) times out
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        writer: put Group, Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(EnsureGroup(Admin))
        stream of Group: Apply(Spread)
        stream of Group: Look(Grant(0))
        stream of Group: Look(Group)
        stream of Group: Apply(AddMember(0, Admin))
        stream of Group: Look(Group)
        stream of Group: Look(Grant(0))
        stream of Group: Look(Group)
        DeleteGroup(Admin) lands
    "#]]
    .assert_eq(&window(late));
}

/// Grant and group are read in two calls, and were never there together.
#[test]
fn a_look_is_no_snapshot() {
    let torn = Protocol { writes: 2, replays: 1, promise: NEVER_TORN, ..Protocol::shipped(BOTH, &[GROUP]) };
    expect![[r#"
        replay: plan Grant(0), None to Some(Grant(Admin))
        replay: WriteReference(0)
        replay: Look(Group)
        writer: delete Group
        writer: put Grant(0), Grant(Admin)
        replay: Look(Grant(0))
        replay: Apply(AddMember(0, Admin))
    "#]]
    .assert_eq(&window(torn));
}

/// A group made on demand for a group item that had just gone stays, without members, where the run dies.
#[test]
fn a_crash_leaves_an_empty_group() {
    let crash = Protocol { writes: 2, crashes: 1, promise: IN_STEP, ..Protocol::shipped(BOTH, &[GROUP]) };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): crash
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(RemoveMember(0, Admin))
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
    "#]]
    .assert_eq(&window(crash));
}

/// A run undoes the group that it made on demand, while it came back, and dies before it looks again: what it did is in no record.
#[test]
fn a_crash_after_undoing_a_group_empties_it() {
    let crash =
        Protocol { writes: 3, crashes: 1, promise: MEMBERS_IN_STEP, ..Protocol::shipped(BOTH, &[GROUP, OTHER_ADMIN]) };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Look(Group)
        writer: put Group, Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(EnsureGroup(Admin))
        stream of Group: Apply(Spread)
        stream of Group: Look(Grant(0))
        stream of Group: Look(Grant(1))
        stream of Group: Look(Group)
        stream of Group: Apply(AddMember(0, Admin))
        stream of Group: Apply(AddMember(1, Admin))
        stream of Group: Look(Group)
        stream of Group: Look(Grant(0))
        stream of Group: Look(Grant(1))
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(DeleteGroup(Admin))
        stream of Grant(0): crash
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
    "#]]
    .assert_eq(&window(crash));
}

/// A group's run gives what a grant gave that goes meanwhile, and dies before it looks again: the next finds no back-reference.
#[test]
fn a_crash_while_members_are_brought_leaves_one() {
    let crash = Protocol { writes: 2, crashes: 1, promise: MEMBERS_IN_STEP, ..Protocol::shipped(BOTH, &[ADMIN]) };
    expect![[r#"
        writer: put Group, Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(EnsureGroup(Admin))
        stream of Group: Apply(Spread)
        stream of Group: Look(Grant(0))
        writer: delete Grant(0)
        stream of Grant(0): plan, records: 1
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(RemoveMember(0, Admin))
        stream of Group: Apply(AddMember(0, Admin))
        stream of Group: crash
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(EnsureGroup(Admin))
        stream of Grant(0): Apply(DeleteReference(0))
        stream of Group: Apply(Spread)
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
    "#]]
    .assert_eq(&window(crash));
}

/// A call fails in a batch: the records before are settled, and what they gave is not looked at again.
#[test]
fn a_failing_call_settles_what_comes_before_it() {
    let failing = Protocol {
        grants_together: true,
        writes: 3,
        batch: 2,
        failures: 1,
        promise: MEMBERS_IN_STEP,
        ..Protocol::shipped(ALL, &[GROUP])
    };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        writer: put Grant(1), Grant(Admin)
        stream of Grant(0): plan, records: 2
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): WriteReference(1)
        stream of Grant(0): Look(Group)
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Look(Grant(1))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): AddMember(1, Admin) fails
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(1)
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(1))
        stream of Grant(0): Apply(RemoveMember(1, Admin))
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(1))
    "#]]
    .assert_eq(&window(failing));
}

/// No record asked for a group that was made on demand to be undone: where that fails, nothing comes again.
#[test]
fn a_failing_undoing_is_lost() {
    let failing = Protocol { writes: 2, failures: 1, ..Protocol::shipped(BOTH, &[GROUP]) };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(RemoveMember(0, Admin))
        stream of Grant(0): DeleteGroup(Admin) fails
    "#]]
    .assert_eq(&window(failing));
}

/// A replay that is broken off for good does not look again.
#[test]
fn an_abandoned_replay() {
    let abandoned = Protocol {
        writes: 2,
        replays: 1,
        abandoned: 1,
        promise: MEMBERS_IN_STEP,
        ..Protocol::shipped(&[Object::Group], &[GROUP, ADMIN])
    };
    expect![[r#"
        replay: plan Group, Some(Group) to None
        replay: Look(Group)
        replay: Apply(EnsureGroup(Admin))
        replay: Apply(Spread)
        replay: Look(Grant(0))
        replay: Look(Group)
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        replay: Apply(AddMember(0, Admin))
        replay: Apply(AddMember(0, Admin))
        replay: abandoned
    "#]]
    .assert_eq(&window(abandoned));
}

/// A batch that is delivered again may be shorter, and say less of what is to be taken away first.
#[test]
fn a_crash_and_a_shorter_batch() {
    let shorter = Protocol {
        roles: ROLES,
        writes: 3,
        batch: 2,
        crashes: 1,
        promise: TAKEN_FIRST,
        ..Protocol::shipped(&[Object::Grant(0)], &[GROUP])
    };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        writer: put Grant(0), Grant(Reader)
        stream of Grant(0): plan, records: 2
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): Apply(RemoveMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Reader))
        stream of Grant(0): crash
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Admin))
    "#]]
    .assert_eq(&window(shorter));
}
