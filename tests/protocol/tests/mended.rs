//! Where the shipped protocol has windows, [`Variant::Mended`] has none: not even an empty group is left.

use protocol::{Item, Protocol, Role, Thing, Variant};

const BOTH: &[Thing] = &[Thing::Group, Thing::Grant(0)];
const ROLES: &[Role] = &[Role::Admin, Role::Reader];
const GROUP: (Thing, Item) = (Thing::Group, Item::Group);
const ADMIN: (Thing, Item) = (Thing::Grant(0), Item::Grant(Role::Admin));
const OTHER_ADMIN: (Thing, Item) = (Thing::Grant(1), Item::Grant(Role::Admin));

#[track_caller]
fn holds(protocol: Protocol, states: usize) {
    let explored = Protocol { variant: Variant::Mended, ..protocol }.explore();
    assert_eq!(explored.path(), "");
    assert_eq!(explored.states, states);
}

#[test]
fn a_crash_after_making_a_group() {
    holds(Protocol { writes: 3, crashes: 1, ..Protocol::shipped(BOTH, &[GROUP, OTHER_ADMIN]) }, 206_243);
}

#[test]
fn a_crash_while_members_are_brought() {
    holds(Protocol { writes: 3, crashes: 1, ..Protocol::shipped(BOTH, &[ADMIN]) }, 18_532);
}

#[test]
fn a_role_that_changes_while_members_are_brought() {
    holds(Protocol { roles: ROLES, writes: 3, batch: 2, ..Protocol::shipped(BOTH, &[ADMIN]) }, 91_059);
}

#[test]
fn a_replay_and_a_crash() {
    holds(Protocol { writes: 2, replays: 1, crashes: 1, ..Protocol::shipped(BOTH, &[GROUP]) }, 88_271);
}
