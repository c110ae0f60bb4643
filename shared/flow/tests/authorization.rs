//! The pure stages on authorization, with random histories: lists of roles, a user item that is
//! also a grant, guards of two owners.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops where it cannot go on")]

mod world;

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping::Kind;
use instep_flow::read::Membership;
use instep_model::{Item, Key, Value};
use proptest::prelude::*;
use world::{CAPTURED, World};

const ROLES: [&str; 3] = ["r0", "r1", "r2"];

#[derive(Debug, Clone)]
enum Op {
    Tenant {
        tenant: usize,
        name: usize,
    },
    TenantGone {
        tenant: usize,
    },
    User {
        user: usize,
        email: Option<usize>,
        phone: Option<usize>,
        roles: Vec<usize>,
        /// The writer also writes the guard of the email address, if no one has the address.
        guarded: bool,
    },
    UserGone {
        user: usize,
    },
    Grant {
        tenant: usize,
        user: usize,
        roles: Vec<usize>,
    },
    GrantGone {
        tenant: usize,
        user: usize,
    },
    GuardGone {
        email: usize,
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
    let (tenant, user, roles) = (0..2usize, 0..3usize, prop::collection::vec(0..3usize, 0..4));
    let value = || prop::option::weighted(0.8, 0..2usize);
    prop_oneof![
        2 => (tenant.clone(), 0..2usize).prop_map(|(tenant, name)| Op::Tenant { tenant, name }),
        1 => tenant.clone().prop_map(|tenant| Op::TenantGone { tenant }),
        4 => (user.clone(), value(), value(), roles.clone(), any::<bool>())
            .prop_map(|(user, email, phone, roles, guarded)| Op::User { user, email, phone, roles, guarded }),
        2 => user.clone().prop_map(|user| Op::UserGone { user }),
        4 => (tenant.clone(), user.clone(), roles).prop_map(|(tenant, user, roles)| Op::Grant { tenant, user, roles }),
        1 => (tenant, user).prop_map(|(tenant, user)| Op::GrantGone { tenant, user }),
        1 => (0..2usize).prop_map(|email| Op::GuardGone { email }),
        3 => (1..6usize).prop_map(|batch| Op::Drain { batch }),
        2 => (0..60usize).prop_map(|place| Op::Replay { place }),
    ]
}

fn s(text: impl Into<String>) -> Value {
    Value::S(text.into())
}

fn key(pk: impl Into<String>, sk: impl Into<String>) -> Key {
    Key { pk: pk.into(), sk: sk.into() }
}

/// The key of an item that is the only one in its partition.
fn alone(text: String) -> Key {
    key(text.clone(), text)
}

fn item(key: &Key, more: Vec<(&str, Value)>) -> Item {
    let mut item: Item = more.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    item.extend([("PK".to_owned(), s(&key.pk)), ("SK".to_owned(), s(&key.sk))]);
    item
}

fn roles(of: &[usize]) -> Value {
    Value::L(of.iter().map(|role| s(ROLES[*role])).collect())
}

/// The writes of an operation.
fn writes(world: &World, op: &Op) -> Vec<(Key, Option<Item>)> {
    match op {
        Op::Tenant { tenant, name } => {
            let key = alone(format!("TENANT#{tenant}"));
            let new = item(&key, vec![("name", s(format!("n{name}")))]);
            vec![(world.key(&new), Some(new))]
        }
        Op::TenantGone { tenant } => vec![(alone(format!("TENANT#{tenant}")), None)],
        Op::User { user, email, phone, roles: of, guarded } => {
            let key = alone(format!("USER#{user}"));
            let mut more = vec![("roles", roles(of))];
            more.extend(email.map(|email| ("email", s(format!("e{email}")))));
            more.extend(phone.map(|phone| ("phone", s(format!("p{phone}")))));
            let mut writes = Vec::new();
            if let (Some(email), true) = (email, guarded) {
                let guard = alone(format!("USER_EMAIL#e{email}"));
                if !world.table.contains_key(&guard) {
                    let new = item(&guard, vec![("email", s(format!("e{email}"))), ("userId", s(user.to_string()))]);
                    writes.push((guard, Some(new)));
                }
            }
            writes.push((key.clone(), Some(item(&key, more))));
            writes
        }
        Op::UserGone { user } => vec![(alone(format!("USER#{user}")), None)],
        Op::Grant { tenant, user, roles: of } => {
            let key = key(format!("TENANT#{tenant}"), format!("USER#{user}"));
            let index = [("GSI1PK", s(&key.sk)), ("GSI1SK", s(&key.pk))];
            let new = item(&key, index.into_iter().chain([("roles", roles(of))]).collect());
            vec![(key, Some(new))]
        }
        Op::GrantGone { tenant, user } => vec![(key(format!("TENANT#{tenant}"), format!("USER#{user}")), None)],
        Op::GuardGone { email } => vec![(alone(format!("USER_EMAIL#e{email}")), None)],
        Op::Drain { .. } | Op::Replay { .. } => Vec::new(),
    }
}

fn run(world: &mut World, op: &Op) {
    for (key, item) in writes(world, op) {
        world.write(key, item);
    }
    if let Op::Drain { batch } = op {
        world.drain(*batch);
    }
    if let (Op::Replay { place }, false) = (op, world.log.is_empty()) {
        world.handle(&[place % world.log.len()], CAPTURED);
    }
}

/// Runs operations, with other writers that write between any two effects.
fn play(ops: &[Op], meanwhile: Vec<Op>) -> World {
    let mut world = World::new("authorization");
    for op in meanwhile {
        world.meanwhile.push_back(Box::new(move |world| writes(world, &op)));
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

/// What the table implies, computed without the stages.
fn implied(world: &World) -> BTreeSet<Membership> {
    let there = |key: &str| world.table.contains_key(&alone(key.to_owned()));
    let mut members = BTreeSet::new();
    for (key, item) in &world.table {
        let (Some(user), Some(Value::L(roles))) = (key.sk.strip_prefix("USER#"), item.get("roles")) else { continue };
        for role in roles.iter().filter(|_| there(&key.pk) && there(&key.sk)) {
            let role = role.as_s().unwrap();
            let group = match key.pk.strip_prefix("TENANT#") {
                Some(tenant) => format!("tenant|{tenant}|{role}"),
                None => format!("global|{role}"),
            };
            members.insert(Membership { user: user.to_owned(), group });
        }
    }
    members
}

/// Promise 7 for one kind of guard.
fn assert_held(world: &World, owner: (&str, &str), guard: (&str, &str)) -> Result<usize, TestCaseError> {
    let (prefix, owner_name) = owner;
    let (guard_prefix, value_name) = guard;
    let mut having: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut held: BTreeMap<&str, &str> = BTreeMap::new();
    for (key, item) in &world.table {
        if let (Some(owner), true, Some(value)) =
            (key.pk.strip_prefix(prefix), key.pk == key.sk, text(item, value_name))
        {
            having.entry(value).or_default().insert(owner);
        }
        if let Some(value) = key.pk.strip_prefix(guard_prefix) {
            held.insert(value, text(item, owner_name).unwrap());
        }
    }
    prop_assert_eq!(having.keys().collect::<Vec<_>>(), held.keys().collect::<Vec<_>>());
    for (value, holder) in &held {
        prop_assert!(having[value].contains(holder), "{} does not have {}", holder, value);
    }
    Ok(having.values().map(|owners| owners.len() - 1).sum())
}

/// Promises 1, 2 and 7 of a drained world.
fn assert_in_step(world: &World) -> Result<(), TestCaseError> {
    prop_assert_eq!(&world.members, &implied(world));
    let users = world.table.iter().filter(|(key, _)| key.pk == key.sk && key.pk.starts_with("USER#"));
    let users: BTreeMap<&str, Option<&str>> =
        users.map(|(key, item)| (key.pk.strip_prefix("USER#").unwrap(), text(item, "email"))).collect();
    let found = world.users.iter().map(|(name, state)| (name.as_str(), state.attributes["email"].as_deref()));
    prop_assert_eq!(found.collect::<BTreeMap<_, _>>(), users);
    let mut waiting = assert_held(world, ("USER#", "userId"), ("USER_EMAIL#", "email"))?;
    waiting += assert_held(world, ("USER#", "userId"), ("USER_PHONE#", "phone"))?;
    waiting += assert_held(world, ("TENANT#", "tenantId"), ("TENANT_NAME#", "name"))?;
    prop_assert_eq!(world.bookkeeping(Kind::Claim), waiting);
    for key in world.table.keys().filter(|key| key.pk.starts_with("TENANT#") && key.sk.starts_with("USER#")) {
        for (end, tombstone) in [(&key.pk, "Tenant/tenantId="), (&key.sk, "User/userId=")] {
            let id = end.split_once('#').unwrap().1;
            let gone = world.table.contains_key(&self::key(format!("INSTEP#GONE#{tombstone}{id}"), "GONE"))
                && world.was_created_before(key, |other| *other == alone(end.clone()));
            prop_assert!(world.table.contains_key(&alone(end.clone())) || !gone, "{:?} is left without {}", key, end);
        }
    }
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
