//! The pure stages on account-management, with random histories: scopes and roles are deleted and
//! created again, while assignments know them only by an id.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops where it cannot go on")]

mod world;

use std::collections::BTreeSet;

use instep_flow::bookkeeping::Kind;
use instep_flow::read::Membership;
use instep_model::{Item, Key, Value};
use proptest::prelude::*;
use world::{CAPTURED, World};

/// The keys of everything that an assignment or a child may belong to.
const PARENTS: [(&str, &str); 8] = [
    ("CLIENT#c0", "METADATA"),
    ("CLIENT#c1", "METADATA"),
    ("CLIENT#c0", "PROJECT#p0"),
    ("PROJECT#p0", "BUILDING#b0"),
    ("CLIENT#c0", "ROLE#r0"),
    ("SYSTEM", "ROLE#r1"),
    ("USER#u0", "METADATA"),
    ("USER#u1", "METADATA"),
];
const SCOPES: [(&str, &str); 4] = [("client", "c0"), ("client", "c1"), ("project", "p0"), ("building", "b0")];

/// The windows of assignments: always open, not open yet, no longer open.
const WINDOWS: [Option<(&str, &str)>; 3] =
    [None, Some(("start_at", "2030-01-01T00:00:00Z")), Some(("expires_at", "2020-01-01T00:00:00Z"))];

#[derive(Debug, Clone)]
enum Op {
    Parent {
        which: usize,
    },
    ParentGone {
        which: usize,
    },
    Assign {
        user: usize,
        scope: usize,
        role: usize,
        window: usize,
    },
    AssignmentGone {
        user: usize,
        scope: usize,
        role: usize,
    },
    /// Another item that belongs to a scope, a building or a role.
    Child {
        scope: usize,
    },
    Device,
    Link {
        role: usize,
    },
    Drain {
        batch: usize,
    },
    /// Handles an old record again, beside the live stream.
    Replay {
        place: usize,
    },
}

fn op() -> impl Strategy<Value = Op> {
    let (which, user, scope, role) = (0..PARENTS.len(), 0..2usize, 0..SCOPES.len(), 0..2usize);
    let assignment = (user, scope.clone(), role.clone());
    prop_oneof![
        6 => which.clone().prop_map(|which| Op::Parent { which }),
        4 => which.prop_map(|which| Op::ParentGone { which }),
        6 => (assignment.clone(), 0..5usize).prop_map(|((user, scope, role), window)| Op::Assign { user, scope, role, window }),
        1 => assignment.prop_map(|(user, scope, role)| Op::AssignmentGone { user, scope, role }),
        1 => scope.prop_map(|scope| Op::Child { scope }),
        1 => Just(Op::Device),
        1 => role.prop_map(|role| Op::Link { role }),
        4 => (1..6usize).prop_map(|batch| Op::Drain { batch }),
        2 => (0..60usize).prop_map(|place| Op::Replay { place }),
    ]
}

fn s(text: impl Into<String>) -> Value {
    Value::S(text.into())
}

fn key(pk: impl Into<String>, sk: impl Into<String>) -> Key {
    Key { pk: pk.into(), sk: sk.into() }
}

fn put(key: Key, more: &[(&str, &str)]) -> (Key, Option<Item>) {
    let mut item: Item = more.iter().map(|(name, text)| ((*name).to_owned(), s(*text))).collect();
    item.extend([("PK".to_owned(), s(&key.pk)), ("SK".to_owned(), s(&key.sk))]);
    (key, Some(item))
}

fn assignment(user: usize, scope: usize, role: usize) -> Key {
    let (of, id) = SCOPES[scope];
    key(format!("USER#u{user}"), format!("ROLE#{of}#{id}#r{role}"))
}

/// The writes of an operation.
fn write(op: &Op) -> Option<(Key, Option<Item>)> {
    match op {
        Op::Parent { which } => {
            let (pk, sk) = PARENTS[*which];
            let client = if pk == "USER#u1" { "CLIENT#c1" } else { "CLIENT#c0" };
            let in_client = if pk.starts_with("USER#") { Some(pk) } else { sk.starts_with("BUILDING#").then_some(sk) };
            let index = in_client.map(|sort| [("GSI1PK", client), ("GSI1SK", sort)]);
            Some(put(key(pk, sk), index.as_ref().map_or(&[][..], |index| &index[..])))
        }
        Op::ParentGone { which } => Some((key(PARENTS[*which].0, PARENTS[*which].1), None)),
        Op::Assign { user, scope, role, window } => {
            let window = WINDOWS.get(*window).copied().flatten();
            Some(put(assignment(*user, *scope, *role), window.as_slice()))
        }
        Op::AssignmentGone { user, scope, role } => Some((assignment(*user, *scope, *role), None)),
        Op::Child { scope } => {
            let (of, id) = SCOPES[*scope];
            Some(put(key(format!("SCOPE#{of}#{id}"), "SETTING#a"), &[]))
        }
        Op::Device => Some(put(key("BUILDING#b0", "DEVICE#d0"), &[("GSI1PK", "CLIENT#c0"), ("GSI1SK", "DEVICE#d0")])),
        Op::Link { role } => Some(put(key(format!("ROLE#r{role}"), "PERMISSION#a"), &[])),
        Op::Drain { .. } | Op::Replay { .. } => None,
    }
}

fn run(world: &mut World, op: &Op) {
    if let Op::Drain { batch } = op {
        world.drain(*batch);
    } else if let Op::Replay { place } = op
        && !world.log.is_empty()
    {
        world.handle(&[place % world.log.len()], CAPTURED);
    } else if let Some((key, item)) = write(op) {
        assert!(item.iter().all(|item| world.key(item) == key));
        world.write(key, item);
    }
}

/// Runs operations, with other writers that write between any two effects.
fn play(ops: &[Op], meanwhile: Vec<Op>) -> World {
    let mut world = World::new("account-management");
    for op in meanwhile {
        world.meanwhile.push_back(Box::new(move |_| write(&op).into_iter().collect()));
    }
    for op in ops {
        run(&mut world, op);
    }
    world.drain(4);
    while !world.meanwhile.is_empty() {
        world.write_meanwhile();
        world.drain(4);
    }
    world
}

/// The parents of an item that is not bookkeeping, as indexes into [`PARENTS`].
fn parents(key: &Key) -> Vec<usize> {
    let of = |wanted: &dyn Fn(&str, &str) -> bool| PARENTS.iter().position(|(pk, sk)| wanted(pk, sk)).unwrap();
    let scope = |kind: &str, id: &str| match kind {
        "client" => of(&|pk, sk| pk == format!("CLIENT#{id}") && sk == "METADATA"),
        _ => of(&|_, sk| sk == format!("{}#{id}", kind.to_uppercase())),
    };
    let parts: Vec<&str> = key.pk.split('#').chain(key.sk.split('#')).collect();
    match parts[..] {
        ["CLIENT", _, "PROJECT" | "ROLE", _] => vec![0],
        ["PROJECT", ..] => vec![2],
        ["BUILDING", ..] => vec![3],
        ["ROLE", role, ..] => vec![of(&|_, sk| sk == format!("ROLE#{role}"))],
        ["USER", user, "METADATA"] => vec![usize::from(user == "u1")],
        ["USER", _, "ROLE", kind, id, role] => {
            vec![
                of(&|pk, sk| pk == key.pk && sk == "METADATA"),
                scope(kind, id),
                of(&|_, sk| sk == format!("ROLE#{role}")),
            ]
        }
        ["SCOPE", kind, id, ..] => vec![scope(kind, id)],
        _ => Vec::new(),
    }
}

fn is_there(world: &World, parent: usize) -> bool {
    world.table.contains_key(&key(PARENTS[parent].0, PARENTS[parent].1))
}

/// The keys that were deleted at some moment, as `PK SK`.
fn deleted(world: &World) -> BTreeSet<String> {
    let removals = world.log.iter().filter(|record| record.get().contains("\"REMOVE\""));
    let keys = removals.map(|record| {
        let record: serde_json::Value = serde_json::from_str(record.get()).unwrap();
        let keys = &record["dynamodb"]["Keys"];
        format!("{} {}", keys["PK"]["S"].as_str().unwrap(), keys["SK"]["S"].as_str().unwrap())
    });
    keys.collect()
}

/// What the table implies, computed without the stages: an assignment is in force while its user, its scope
/// and its role exist. It knows a role, and a scope that is not a client, by their ids alone.
fn implied(world: &World) -> BTreeSet<Membership> {
    let mut members = BTreeSet::new();
    for (key, item) in &world.table {
        let (Some(user), Some(group)) = (key.pk.strip_prefix("USER#"), key.sk.strip_prefix("ROLE#")) else { continue };
        let is_open = !item.contains_key("start_at") && !item.contains_key("expires_at");
        if is_open && parents(key).into_iter().all(|parent| is_there(world, parent)) {
            members.insert(Membership { user: user.to_owned(), group: group.replace('#', ":") });
        }
    }
    members
}

/// Promises 1 and 2 of a drained world.
fn assert_in_step(world: &World) -> Result<(), TestCaseError> {
    let deleted = deleted(world);
    for key in world.table.keys() {
        for parent in parents(key) {
            let (pk, sk) = PARENTS[parent];
            let gone = !is_there(world, parent)
                && deleted.contains(&format!("{pk} {sk}"))
                && world.was_created_before(key, |other| other.pk == pk && other.sk == sk);
            prop_assert!(!gone, "{:?} is left behind by {} {}", key, pk, sk);
        }
        if key.pk.starts_with("USER#") && key.sk.starts_with("ROLE#") {
            prop_assert!(world.is_referred_to(key), "no back-reference of {:?}", key);
        }
    }
    prop_assert_eq!(&world.members, &implied(world));
    // Of projects, buildings and roles: assignments know only their ids.
    let is_addressed = |parent: &usize| !PARENTS[*parent].1.eq("METADATA");
    let addressed = (0..PARENTS.len()).filter(|parent| is_addressed(parent) && is_there(world, *parent)).count();
    prop_assert_eq!(world.bookkeeping(Kind::Address), addressed);
    prop_assert_eq!(world.bookkeeping(Kind::Claim), 0);
    let users = world.table.keys().filter(|key| key.sk == "METADATA").filter_map(|key| key.pk.strip_prefix("USER#"));
    prop_assert_eq!(world.users.keys().map(String::as_str).collect::<BTreeSet<_>>(), users.collect());
    Ok(())
}

proptest! {
    #![proptest_config(world::config())]

    /// When everything is handled, the state is what the table implies, whatever was replayed
    /// meanwhile and written between effects.
    #[test]
    fn converges(ops in prop::collection::vec(op(), 1..40), meanwhile in prop::collection::vec(op(), 0..20)) {
        assert_in_step(&play(&ops, meanwhile))?;
    }

    /// Promise 2: replaying every record of a complete history, in any order, changes nothing.
    #[test]
    fn replays_change_nothing(ops in prop::collection::vec(op(), 1..30), order in prop::collection::vec(0..200usize, 1..30)) {
        let mut world = play(&ops, Vec::new());
        let (before, after) = world.replay(&order);
        prop_assert_eq!(before, after);
    }
}
