//! What the protocol would be without one of its rules: a history of fewest steps that breaks it.

use expect_test::expect;
use protocol::{Item, MEMBERS_IN_STEP, NEVER_MADE_UP, Object, Protocol, Role, TAKEN_FIRST, Variant};

const BOTH: &[Object] = &[Object::Group, Object::Grant(0)];
const ROLES: &[Role] = &[Role::Admin, Role::Reader];
const GROUP: (Object, Item) = (Object::Group, Item::Group);
const ADMIN: (Object, Item) = (Object::Grant(0), Item::Grant(Role::Admin));

/// The way in which a variant breaks a promise that the shipped protocol keeps.
fn breaks(variant: Variant, protocol: &Protocol) -> String {
    let shipped = protocol.clone().explore();
    assert_eq!(shipped.path(), "", "the rule would not be what keeps the promise");
    Protocol { variant, ..protocol.clone() }.explore().path()
}

/// A record of last year gives access.
#[test]
fn effects_from_images() {
    let replayed = Protocol { replays: 1, promise: NEVER_MADE_UP, ..Protocol::shipped(BOTH, &[GROUP]) };
    expect![[r#"
        replay: plan Grant(0), None to Some(Grant(Admin))
        replay: Apply(AddMember(0, Admin))
    "#]]
    .assert_eq(&breaks(Variant::EffectsFromImages, &replayed));
}

/// Two shards are enough: no replay, no crash.
#[test]
fn effects_from_images_of_the_stream() {
    let streamed = Protocol { writes: 3, ..Protocol::shipped(BOTH, &[]) };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Admin))
    "#]]
    .assert_eq(&breaks(Variant::EffectsFromImages, &streamed));
}

/// A run that looked before the group came takes away what the group's run gave.
#[test]
fn one_read() {
    let streamed = Protocol { writes: 3, ..Protocol::shipped(BOTH, &[GROUP]) };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): WriteReference(0)
        stream of Grant(0): Look(Group)
        writer: delete Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Admin))
        stream of Grant(0): Apply(AddMember(0, Admin))
    "#]]
    .assert_eq(&breaks(Variant::OneRead, &streamed));
}

/// A late deletion empties a group that lives.
#[test]
fn no_look_after_a_delete() {
    let replayed = Protocol { writes: 2, replays: 1, ..Protocol::shipped(&[Object::Group], &[GROUP, ADMIN]) };
    expect![[r#"
        writer: delete Group
        stream of Group: plan, records: 1
        replay: plan Group, Some(Group) to None
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        replay: Look(Group)
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
        replay: Apply(DeleteGroup(Admin))
    "#]]
    .assert_eq(&breaks(Variant::NoLookAfterDelete, &replayed));
}

/// The group is there again, and nobody is in it.
#[test]
fn the_group_restored_alone() {
    let replayed = Protocol { writes: 2, replays: 1, ..Protocol::shipped(&[Object::Group], &[GROUP, ADMIN]) };
    expect![[r#"
        writer: delete Group
        stream of Group: plan, records: 1
        replay: plan Group, Some(Group) to None
        stream of Group: Look(Group)
        stream of Group: Apply(DeleteGroup(Admin))
        stream of Group: Look(Group)
        replay: Look(Group)
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
        replay: Apply(DeleteGroup(Admin))
        replay: Look(Group)
        replay: Apply(EnsureGroup(Admin))
        replay: Look(Group)
    "#]]
    .assert_eq(&breaks(Variant::RestoreTheGroupAlone, &replayed));
}

/// What was given after the second look is not taken back after the third; the grant's own run had taken it before it was given.
#[test]
fn the_first_look_remembered_alone() {
    let changed =
        Protocol { roles: ROLES, writes: 3, batch: 2, promise: MEMBERS_IN_STEP, ..Protocol::shipped(BOTH, &[ADMIN]) };
    expect![[r#"
        writer: put Group, Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(EnsureGroup(Admin))
        stream of Group: Apply(EnsureGroup(Reader))
        stream of Group: Apply(Spread)
        stream of Group: Look(Grant(0))
        writer: put Grant(0), Grant(Reader)
        stream of Group: Look(Group)
        stream of Group: Apply(AddMember(0, Admin))
        stream of Group: Look(Group)
        stream of Group: Look(Grant(0))
        writer: delete Grant(0)
        stream of Grant(0): plan, records: 2
        stream of Group: Apply(RemoveMember(0, Admin))
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(RemoveMember(0, Admin))
        stream of Grant(0): Apply(RemoveMember(0, Reader))
        stream of Group: Apply(AddMember(0, Reader))
        stream of Group: Look(Group)
        stream of Group: Look(Grant(0))
        stream of Group: Look(Group)
        stream of Grant(0): Apply(DeleteReference(0))
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
    "#]]
    .assert_eq(&breaks(Variant::RememberTheFirstLook, &changed));
}

/// A grant waits for its group for ever: the group's run looked for it too early, and it for the group.
#[test]
fn a_look_before_the_back_reference() {
    let streamed = Protocol { writes: 2, promise: MEMBERS_IN_STEP, ..Protocol::shipped(BOTH, &[]) };
    expect![[r#"
        writer: put Grant(0), Grant(Admin)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(RemoveMember(0, Admin))
        stream of Grant(0): Look(Group)
        writer: put Group, Group
        stream of Group: plan, records: 1
        stream of Group: Look(Group)
        stream of Group: Apply(EnsureGroup(Admin))
        stream of Group: Apply(Spread)
        stream of Group: Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): WriteReference(0)
    "#]]
    .assert_eq(&breaks(Variant::LookBeforeReference, &streamed));
}

/// For a moment a user is what they were and what they become.
#[test]
fn give_before_take() {
    let moved = Protocol {
        roles: ROLES,
        writes: 1,
        promise: TAKEN_FIRST,
        ..Protocol::shipped(&[Object::Grant(0)], &[GROUP, ADMIN])
    };
    expect![[r#"
        writer: put Grant(0), Grant(Reader)
        stream of Grant(0): plan, records: 1
        stream of Grant(0): Look(Group)
        stream of Grant(0): Look(Grant(0))
        stream of Grant(0): Apply(AddMember(0, Reader))
    "#]]
    .assert_eq(&breaks(Variant::GiveBeforeTake, &moved));
}
