//! The pure stages on relational-store, with random histories: guards and their holders, edges and
//! their ends.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops where it cannot go on")]

mod world;

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping::Kind;
use instep_model::{Item, Key, Value};
use proptest::prelude::*;
use world::{CAPTURED, World};

#[derive(Debug, Clone)]
enum Op {
    Resource { id: usize },
    User { id: usize, email: Option<usize>, verified: bool },
    Gone { id: usize },
    Edge { collection: bool, from: usize, to: usize },
    EdgeGone { collection: bool, from: usize, to: usize },
    Drain { batch: usize },
    Replay { place: usize },
}

fn op() -> impl Strategy<Value = Op> {
    let id = 0..5usize;
    let edge = (any::<bool>(), id.clone(), id.clone());
    prop_oneof![
        3 => id.clone().prop_map(|id| Op::Resource { id }),
        4 => (0..3usize, prop::option::weighted(0.8, 0..2usize), prop::bool::weighted(0.2)).prop_map(|(id, email, verified)| Op::User { id, email, verified }),
        3 => id.prop_map(|id| Op::Gone { id }),
        4 => edge.clone().prop_map(|(collection, from, to)| Op::Edge { collection, from, to }),
        1 => edge.prop_map(|(collection, from, to)| Op::EdgeGone { collection, from, to }),
        3 => (1..6usize).prop_map(|batch| Op::Drain { batch }),
        2 => (0..60usize).prop_map(|place| Op::Replay { place }),
    ]
}

fn urn(id: usize) -> String {
    // The first three are users and may hold unique values.
    let kind = if id < 3 { "System.User" } else { "System.Job" };
    format!("urn:pp:{kind}::{id}")
}

fn s(text: impl Into<String>) -> Value {
    Value::S(text.into())
}

fn resource(id: usize, more: &[(&str, Value)]) -> Item {
    let key = format!("Resource#{}", urn(id));
    let kind = if id < 3 { "System.User" } else { "System.Job" };
    let mut item: Item = more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    item.extend([
        ("PK".to_owned(), s(&key)),
        ("SK".to_owned(), s(key)),
        ("_recordType".to_owned(), s("Resource")),
        ("_resourceType".to_owned(), s(kind)),
        ("urn".to_owned(), s(urn(id))),
    ]);
    item
}

fn edge_key(collection: bool, from: usize, to: usize) -> Key {
    let (a, b) = if collection { ("Collection", "Member") } else { ("Parent", "Child") };
    Key { pk: format!("{a}#{}", urn(from)), sk: format!("{b}#{}", urn(to)) }
}

/// The write of an operation.
fn write(world: &World, op: &Op) -> Option<(Key, Option<Item>)> {
    match op {
        Op::Resource { id } if *id >= 3 => {
            let item = resource(*id, &[("name", s(format!("{:?}", world.now())))]);
            Some((world.key(&item), Some(item)))
        }
        Op::User { id, email, verified } => {
            let mut more = vec![];
            if let Some(email) = email {
                more.push(("emailAddress", s(format!("e{email}@example.com"))));
                more.push(("emailAddressVerified", Value::Bool(*verified)));
            }
            let item = resource(*id, &more);
            Some((world.key(&item), Some(item)))
        }
        Op::Gone { id } => Some((world.key(&resource(*id, &[])), None)),
        // A tree: no item is its own ancestor.
        Op::Edge { collection, from, to } if from != to && (*collection || from > to) => {
            let key = edge_key(*collection, *from, *to);
            let item = Item::from([("PK".to_owned(), s(&key.pk)), ("SK".to_owned(), s(&key.sk))]);
            Some((key, Some(item)))
        }
        Op::EdgeGone { collection, from, to } => Some((edge_key(*collection, *from, *to), None)),
        Op::Resource { .. } | Op::Edge { .. } | Op::Drain { .. } | Op::Replay { .. } => None,
    }
}

fn run(world: &mut World, op: &Op) {
    match op {
        Op::Drain { batch } => world.drain(*batch),
        Op::Replay { place } if !world.log.is_empty() => world.handle(&[place % world.log.len()], CAPTURED),
        Op::Resource { .. }
        | Op::User { .. }
        | Op::Gone { .. }
        | Op::Edge { .. }
        | Op::EdgeGone { .. }
        | Op::Replay { .. } => {
            if let Some((key, item)) = write(world, op) {
                world.write(key, item);
            }
        }
    }
}

fn play(ops: &[Op]) -> World {
    play_while(ops, Vec::new())
}

/// Runs operations, with other writers that write between any two effects.
fn play_while(ops: &[Op], meanwhile: Vec<Op>) -> World {
    let mut world = World::new("relational-store");
    for op in meanwhile {
        world.meanwhile.push_back(Box::new(move |world| write(world, &op).into_iter().collect()));
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

fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name).and_then(Value::as_s)
}

proptest! {
    #![proptest_config(world::config())]

    /// Promise 7: each value has one holder, which has the value. No guard is left over, and the
    /// claims of all others are pending.
    #[test]
    fn guards_have_their_holders(ops in prop::collection::vec(op(), 1..40), meanwhile in prop::collection::vec(op(), 0..20)) {
        let world = play_while(&ops, meanwhile);
        let mut having: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for item in world.table.values() {
            if let (Some("Resource"), Some(email)) = (text(item, "_recordType"), text(item, "emailAddress")) {
                having.entry(email.to_owned()).or_default().insert(text(item, "urn").unwrap().to_owned());
            }
        }
        let guards: BTreeMap<String, String> = world.table.iter().filter(|(key, _)| key.pk.starts_with("UniqueKeyValue#"))
            .map(|(_, item)| (text(item, "value").unwrap().to_owned(), text(item, "associatedRecordUrn").unwrap().to_owned())).collect();
        prop_assert_eq!(having.keys().collect::<Vec<_>>(), guards.keys().collect::<Vec<_>>());
        for (value, holder) in &guards {
            prop_assert!(having[value].contains(holder), "{} does not have {}", holder, value);
        }
        let waiting: usize = having.values().map(|owners| owners.len() - 1).sum();
        prop_assert_eq!(world.bookkeeping(Kind::Claim), waiting);
    }

    /// Promise 1: there is no edge with a deleted end, and no child whose last parent was deleted.
    #[test]
    fn nothing_is_orphaned(ops in prop::collection::vec(op(), 1..40), meanwhile in prop::collection::vec(op(), 0..20)) {
        let world = play_while(&ops, meanwhile);
        let there = |urn: &str| world.table.keys().any(|key| key.pk == format!("Resource#{urn}"));
        let gone = |urn: &str| !there(urn) && world.table.keys().any(|key| key.pk == format!("INSTEP#GONE#Resource/urn={urn}"));
        for key in world.table.keys() {
            for end in [&key.pk, &key.sk] {
                let Some((kind, urn)) = end.split_once('#') else { continue };
                if ["Parent", "Child", "Collection", "Member"].contains(&kind) {
                    let is_late = !world.was_created_before(key, |other| other.pk == format!("Resource#{urn}"));
                    prop_assert!(!gone(urn) || is_late, "{:?} is left without {}", key, urn);
                }
            }
        }
    }

    /// Promise 2: replaying every record of a complete history, in any order, changes nothing.
    #[test]
    fn replays_change_nothing(ops in prop::collection::vec(op(), 1..30), order in prop::collection::vec(0..200usize, 1..30)) {
        let mut world = play(&ops);
        let (before, after) = world.replay(&order);
        prop_assert_eq!(before, after);
    }
}

/// If another parent of a child exists, only the edge is deleted. Otherwise the child is deleted,
/// too, on every level.
#[test]
fn children_go_with_their_last_parent() {
    let ops = [
        Op::Resource { id: 4 },
        Op::Resource { id: 3 },
        Op::User { id: 2, email: None, verified: false },
        Op::User { id: 1, email: None, verified: false },
        Op::Edge { collection: false, from: 4, to: 3 },
        Op::Edge { collection: false, from: 4, to: 2 },
        Op::Edge { collection: false, from: 3, to: 2 },
        Op::Edge { collection: false, from: 2, to: 1 },
        Op::Drain { batch: 10 },
    ];
    let resources = |world: &World| world.table.keys().filter(|key| key.pk.starts_with("Resource#")).count();
    let mut world = play(&ops);
    assert_eq!(resources(&world), 4);
    run(&mut world, &Op::Gone { id: 3 });
    world.drain(1);
    assert_eq!(resources(&world), 3, "3 went, 2 has another parent");
    run(&mut world, &Op::Gone { id: 4 });
    world.drain(1);
    assert_eq!(resources(&world), 0, "4, 2 and 1 went");
    assert!(!world.table.keys().any(|key| key.pk.starts_with("Parent#")));
}
