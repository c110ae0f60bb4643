//! The shipped protocol keeps a promise in every state within each of these bounds.

use protocol::{Item, MEMBERS_IN_STEP, NEVER_MADE_UP, Object, Protocol, Role, TAKEN_FIRST};

const BOTH: &[Object] = &[Object::Group, Object::Grant(0)];
const ROLES: &[Role] = &[Role::Admin, Role::Reader];
const GROUP: (Object, Item) = (Object::Group, Item::Group);
const ADMIN: (Object, Item) = (Object::Grant(0), Item::Grant(Role::Admin));
const OTHER_ADMIN: (Object, Item) = (Object::Grant(1), Item::Grant(Role::Admin));

/// Goes to every state. How many there are is said, so that a model that lost some is noticed.
#[track_caller]
fn holds(protocol: Protocol, states: usize) {
    let explored = protocol.explore();
    assert_eq!(explored.path(), "");
    assert_eq!(explored.states, states);
}

/// A grant, with a replay and a crash.
#[test]
fn a_grant() {
    let grant = Protocol::shipped(&[Object::Grant(0)], &[GROUP]);
    holds(Protocol { writes: 4, batch: 2, replays: 1, crashes: 1, ..grant }, 41_374);
}

/// A grant whose role changes, with a replay and a crash.
#[test]
fn a_role() {
    let grant = Protocol::shipped(&[Object::Grant(0)], &[GROUP]);
    holds(Protocol { roles: ROLES, writes: 2, batch: 2, replays: 1, crashes: 1, ..grant }, 69_251);
}

/// What is taken goes before what is given.
#[test]
fn revocation_first() {
    let grant = Protocol::shipped(&[Object::Grant(0)], &[GROUP]);
    holds(Protocol { roles: ROLES, writes: 4, batch: 2, promise: TAKEN_FIRST, ..grant }, 3_720);
}

/// A group that goes and comes while users are in it, with a replay, and with a crash.
#[test]
fn a_group_with_its_members() {
    let group = Protocol::shipped(&[Object::Group], &[GROUP, ADMIN, OTHER_ADMIN]);
    holds(Protocol { writes: 3, replays: 1, ..group.clone() }, 980_958);
    holds(Protocol { writes: 2, replays: 1, crashes: 1, ..group }, 274_452);
}

/// A group and a grant come and go beside each other, with a replay.
#[test]
fn a_group_and_a_grant() {
    holds(Protocol { writes: 3, replays: 1, ..Protocol::shipped(BOTH, &[GROUP]) }, 1_301_331);
}

/// The same where the grant waits, or somebody else is in the group.
#[test]
fn a_group_and_what_waits_for_it() {
    holds(Protocol { writes: 2, replays: 1, ..Protocol::shipped(BOTH, &[ADMIN]) }, 25_728);
    holds(Protocol { writes: 2, replays: 1, ..Protocol::shipped(BOTH, &[GROUP, OTHER_ADMIN]) }, 39_920);
}

/// The same with a role that changes: also while the group's run brings its members.
#[test]
fn a_group_and_a_role() {
    let both = |items| Protocol { roles: ROLES, batch: 2, ..Protocol::shipped(BOTH, items) };
    holds(Protocol { writes: 4, ..both(&[GROUP]) }, 605_762);
    holds(Protocol { writes: 3, ..both(&[ADMIN, OTHER_ADMIN]) }, 25_840);
    holds(Protocol { writes: 2, replays: 1, ..both(&[ADMIN]) }, 226_392);
}

/// The same with crashes, which may leave an empty group: shorter than the windows through which a membership is lost or stays.
#[test]
fn a_group_and_a_grant_with_crashes() {
    let both = |items| Protocol { crashes: 2, promise: MEMBERS_IN_STEP, ..Protocol::shipped(BOTH, items) };
    holds(Protocol { roles: ROLES, writes: 3, batch: 2, ..both(&[GROUP]) }, 171_798);
    holds(Protocol { writes: 2, ..both(&[GROUP, OTHER_ADMIN]) }, 998);
}

/// Whatever fails: nobody gets what nobody wrote.
#[test]
fn nothing_is_made_up() {
    let both = Protocol { crashes: 1, late: 1, promise: NEVER_MADE_UP, ..Protocol::shipped(BOTH, &[]) };
    holds(Protocol { writes: 1, replays: 1, ..both.clone() }, 4_756);
    holds(Protocol { writes: 3, ..both }, 36_948);
}
