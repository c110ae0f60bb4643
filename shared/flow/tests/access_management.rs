//! The pure stages on access-management, with random histories: Cognito is what the table implies,
//! and replays change nothing.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops where it cannot go on")]

mod world;

use std::collections::BTreeSet;

use instep_flow::bookkeeping::Kind;
use instep_flow::read::Membership;
use instep_model::{Item, Key, Value};
use proptest::prelude::*;
use world::{CAPTURED, World};

const ROLES: [&str; 3] = ["admin", "contributor", "reader"];

#[derive(Debug, Clone)]
enum Op {
    User {
        user: usize,
        disabled: bool,
        alternative: bool,
    },
    UserGone {
        user: usize,
    },
    Group {
        group: usize,
    },
    GroupGone {
        group: usize,
    },
    Grant {
        user: usize,
        group: usize,
        role: usize,
    },
    Revoke {
        user: usize,
        group: usize,
    },
    Nest {
        parent: usize,
        child: usize,
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
    let (user, group) = (0..2usize, 0..3usize);
    prop_oneof![
        2 => (user.clone(), any::<bool>(), any::<bool>()).prop_map(|(user, disabled, alternative)| Op::User { user, disabled, alternative }),
        1 => user.clone().prop_map(|user| Op::UserGone { user }),
        2 => (1..3usize).prop_map(|group| Op::Group { group }),
        1 => (1..3usize).prop_map(|group| Op::GroupGone { group }),
        4 => (user.clone(), group.clone(), 0..3usize).prop_map(|(user, group, role)| Op::Grant { user, group, role }),
        3 => (user, group.clone()).prop_map(|(user, group)| Op::Revoke { user, group }),
        1 => (group.clone(), group).prop_map(|(parent, child)| Op::Nest { parent, child }),
        3 => (1..6usize).prop_map(|batch| Op::Drain { batch }),
        2 => (0..40usize).prop_map(|place| Op::Replay { place }),
    ]
}

fn email(user: usize) -> String {
    format!("u{user}@example.com")
}

fn group(group: usize) -> String {
    ["/", "/a", "/a/b"][group].to_owned()
}

fn item(pairs: &[(&str, String)]) -> Item {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), Value::S(value.clone()))).collect()
}

type Write = (Key, Option<Item>);

/// The writes of an operation on the present table.
fn writes(world: &World, op: &Op) -> Vec<Write> {
    let put = |item: Item| vec![(world.key(&item), Some(item))];
    match op {
        Op::User { user, disabled, alternative } => {
            let pk = format!("U:{}", email(*user));
            // Some writers use the other spelling of the sort key for a new item.
            let key = |sk: &str| Key { pk: pk.clone(), sk: sk.to_owned() };
            let there = ["U", pk.as_str()].into_iter().find(|sk| world.table.contains_key(&key(sk)));
            let sk = there.unwrap_or(if *alternative { "U" } else { &pk });
            let state = if *disabled { "disabled" } else { "enabled" };
            put(item(&[
                ("pk", pk.clone()),
                ("sk", sk.to_owned()),
                ("email", email(*user)),
                ("state", state.to_owned()),
                ("updatedAt", world.now().to_string()),
            ]))
        }
        Op::UserGone { user } => {
            let pk = format!("U:{}", email(*user));
            ["U", pk.as_str()].into_iter().map(|sk| (Key { pk: pk.clone(), sk: sk.to_owned() }, None)).collect()
        }
        Op::Group { group: of } => {
            let key = format!("G:{}", group(*of));
            put(item(&[("pk", key.clone()), ("sk", key), ("id", group(*of))]))
        }
        Op::GroupGone { group: of } => {
            let key = format!("G:{}", group(*of));
            vec![(Key { pk: key.clone(), sk: key }, None)]
        }
        Op::Grant { user, group: of, role } => put(item(&[
            ("pk", format!("U:{}", email(*user))),
            ("sk", format!("G:{}", group(*of))),
            ("role", ROLES[*role].to_owned()),
            // Writing the same grant again is a change, too.
            ("createdAt", world.now().to_string()),
        ])),
        Op::Revoke { user, group: of } => {
            vec![(Key { pk: format!("U:{}", email(*user)), sk: format!("G:{}", group(*of)) }, None)]
        }
        Op::Nest { parent, child } if parent != child => {
            put(item(&[("pk", format!("G:{}", group(*parent))), ("sk", format!("G:{}", group(*child)))]))
        }
        Op::Nest { .. } | Op::Drain { .. } | Op::Replay { .. } => Vec::new(),
    }
}

fn run(world: &mut World, op: &Op) {
    match op {
        Op::Drain { batch } => world.drain(*batch),
        Op::Replay { place } if !world.log.is_empty() => world.handle(&[place % world.log.len()], CAPTURED),
        Op::User { .. }
        | Op::UserGone { .. }
        | Op::Group { .. }
        | Op::GroupGone { .. }
        | Op::Grant { .. }
        | Op::Revoke { .. }
        | Op::Nest { .. }
        | Op::Replay { .. } => {
            for (key, item) in writes(world, op) {
                world.write(key, item);
            }
        }
    }
}

/// What the table implies, computed without the stages.
fn implied(world: &World) -> BTreeSet<Membership> {
    let has = |pk: &str, sk: &str| world.table.keys().any(|key| key.pk == pk && key.sk == sk);
    let mut members = BTreeSet::new();
    for (key, item) in &world.table {
        let (Some(email), Some(group)) = (key.pk.strip_prefix("U:"), key.sk.strip_prefix("G:")) else { continue };
        let user = has(&key.pk, &key.pk) || has(&key.pk, "U");
        if user && (group == "/" || has(&key.sk, &key.sk)) {
            let role = item["role"].as_s().unwrap();
            members.insert(Membership { user: email.to_owned(), group: format!("{group}|||{role}") });
        }
    }
    members
}

fn orphans(world: &World) -> Vec<String> {
    let gone: BTreeSet<&str> = world.table.keys().filter_map(|key| key.pk.strip_prefix("INSTEP#GONE#")).collect();
    let is_gone = |text: String| gone.contains(text.as_str());
    let mut found = Vec::new();
    for key in world.table.keys() {
        if let (Some(email), Some(group)) = (key.pk.strip_prefix("U:"), key.sk.strip_prefix("G:")) {
            let user = world.table.keys().any(|other| other.pk == key.pk && !other.sk.starts_with("G:"));
            let escaped = group.replace('/', "%2F");
            let there = group == "/" || world.table.keys().any(|other| other.pk == key.sk && other.sk == key.sk);
            let is_user = |other: &Key| other.pk == key.pk && !other.sk.starts_with("G:");
            let is_group = |other: &Key| other.pk == key.sk && other.sk == key.sk;
            let lost_user = !user && is_gone(format!("User/email={email}")) && world.was_created_before(key, is_user);
            let lost_group =
                !there && is_gone(format!("Group/groupId={escaped}")) && world.was_created_before(key, is_group);
            if lost_user || lost_group {
                found.push(format!("{key:?}"));
            }
        }
    }
    found
}

/// Promises 1, 2 and 8 of a drained world.
fn assert_in_step(world: &World) -> Result<(), TestCaseError> {
    prop_assert_eq!(&world.members, &implied(world));
    let is_user = |key: &&Key| !key.sk.starts_with("G:");
    let users = world.table.keys().filter(is_user).filter_map(|key| key.pk.strip_prefix("U:").map(str::to_owned));
    prop_assert_eq!(world.users.keys().cloned().collect::<BTreeSet<_>>(), users.collect::<BTreeSet<_>>());
    prop_assert_eq!(world.bookkeeping(Kind::Claim), 0);
    prop_assert!(orphans(world).is_empty(), "orphans: {:?}", orphans(world));
    for (key, item) in &world.table {
        match (key.pk.strip_prefix("U:"), key.sk.starts_with("G:")) {
            (Some(email), false) => {
                prop_assert_eq!(world.users[email].enabled, item["state"].as_s() == Some("enabled"))
            }
            // A membership that its group cannot find would remain when the group is deleted.
            (Some(_), true) => prop_assert!(world.is_referred_to(key), "no back-reference of {:?}", key),
            (None, _) => {}
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(world::config())]

    /// When everything is handled, Cognito is what the table implies, whatever was replayed
    /// meanwhile, and no loop remains.
    #[test]
    fn converges(ops in prop::collection::vec(op(), 1..40)) {
        let mut world = World::new("access-management");
        for op in &ops {
            run(&mut world, op);
        }
        world.drain(4);
        assert_in_step(&world)?;
    }

    /// The same with other writers that write between any two effects.
    #[test]
    fn converges_while_others_write(ops in prop::collection::vec(op(), 1..30), meanwhile in prop::collection::vec(op(), 1..20)) {
        let mut world = World::new("access-management");
        for op in meanwhile {
            world.meanwhile.push_back(Box::new(move |world| writes(world, &op)));
        }
        for op in &ops {
            run(&mut world, op);
        }
        world.drain(4);
        while !world.meanwhile.is_empty() {
            world.write_meanwhile();
            world.drain(4);
        }
        assert_in_step(&world)?;
    }

    /// Promise 2: replaying every record of a complete history, in any order, changes nothing.
    #[test]
    fn replays_change_nothing(ops in prop::collection::vec(op(), 1..30), order in prop::collection::vec(0..200usize, 1..30)) {
        let mut world = World::new("access-management");
        for op in &ops {
            run(&mut world, op);
        }
        world.drain(3);
        let (before, after) = world.replay(&order);
        prop_assert_eq!(before, after);
    }
}
