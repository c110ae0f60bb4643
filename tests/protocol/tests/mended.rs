//! Within these bounds a crash takes the shipped protocol out of step, and not [`Variant::Mended`]: not even an empty group is left. What
//! it does not close: late requests, replays that are broken off, a look that is no snapshot.

use protocol::{Item, Object, Protocol, Role, Variant};

const BOTH: &[Object] = &[Object::Group, Object::Grant(0)];
const GROUP: (Object, Item) = (Object::Group, Item::Group);
const ADMIN: (Object, Item) = (Object::Grant(0), Item::Grant(Role::Admin));
const OTHER_ADMIN: (Object, Item) = (Object::Grant(1), Item::Grant(Role::Admin));

#[track_caller]
fn holds(protocol: Protocol, states: usize) {
    assert_ne!(protocol.clone().explore().path(), "", "there would be nothing to mend");
    let explored = Protocol { variant: Variant::Mended, ..protocol }.explore();
    assert_eq!(explored.path(), "");
    assert_eq!(explored.states, states);
}

/// A group that is undone, and empty groups.
#[test]
fn a_crash_after_making_a_group() {
    holds(Protocol { writes: 3, crashes: 1, ..Protocol::shipped(BOTH, &[GROUP, OTHER_ADMIN]) }, 211_770);
}

/// A membership whose grant went while members were brought.
#[test]
fn a_crash_while_members_are_brought() {
    holds(Protocol { writes: 3, crashes: 1, ..Protocol::shipped(BOTH, &[ADMIN]) }, 19_736);
}

/// Both beside a replay.
#[test]
fn a_replay_and_a_crash() {
    holds(Protocol { writes: 2, replays: 1, crashes: 1, ..Protocol::shipped(BOTH, &[GROUP]) }, 80_499);
}
