//! What Instep leaves as it is and says: guards of the application, and references that lead nowhere.

use std::collections::BTreeMap;

use instep_aws::RunOptions;
use instep_model::{Item, Value};
use jiff::SignedDuration;
use serde_json::json;

use crate::own::{put, world, world_with};
use crate::sweep::{found, options, sweep_at};
use crate::world::{World, now, pk, run};

/// Users whose ids the application writes with a prefix, so that its guards name no user of the model.
const USERS: &str = r#"
[items.User]
pk = "user-{userId}"
sk = "USER"
entity = "User"

[items.Unique]
pk = "UNIQUE#{kind}"
sk = "{value}"
guard = { owner = "User", by = { userId = "owner" } }
[[items.Unique.claims]]
kind = "email"
value = "{email}"
transfer = { when = { verified = true } }
"#;

const EMAIL: (&str, &str) = ("UNIQUE#email", "ann@x.example");

fn user(id: u8) -> String {
    format!("user-{id}")
}

async fn put_user(world: &World, id: u8, more: serde_json::Value) {
    let mut item = json!({"email": EMAIL.1});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    put(world, (&user(id), "USER"), item).await;
}

async fn guard(world: &World, key: (&str, &str)) -> Item {
    let mut items = world.state().await.items.into_iter();
    items.find(|item| (pk(item, "pk"), pk(item, "sk")) == key).unwrap()
}

fn s(text: &str) -> Value {
    Value::S(text.to_owned())
}

/// The notes on the records of a drained world.
async fn notes(world: &World, run: RunOptions) -> Vec<String> {
    let reports = world.drain_with(run).await;
    let records = reports.iter().flat_map(|report| &report.records);
    records.filter_map(|record| record.change.as_ref()).flat_map(|change| change.notes.clone()).collect()
}

/// Repairs what a sweep finds so long after the writes.
async fn repair_after(world: &World, passed: SignedDuration) {
    let later = RunOptions { now: now() + passed, ..run() };
    sweep_at(world, &options(true), &later).await;
    world.drain_with(later).await;
}

/// Promises 7 and 9: a guard that names an owner which does not exist keeps all that the application wrote. It is
/// said, counted, and found by a sweep. A claimant gets the value after a day.
#[tokio::test]
async fn a_guard_of_an_owner_that_does_not_exist_is_left_alone() {
    let world = world(USERS).await;
    put(&world, EMAIL, json!({"owner": "user-1", "verifiedAt": "2026-04-30", "source": "signup"})).await;
    put_user(&world, 1, json!({})).await;
    let written = guard(&world, EMAIL).await;
    let said = notes(&world, run()).await;
    assert!(said.iter().any(|note| note.contains("its owner User user-1 does not exist")), "{said:?}");
    assert!(
        said.iter().any(|note| note.starts_with("conflict: its Unique names User user-1, which does not")),
        "{said:?}"
    );
    assert!(!said.iter().any(|note| note.contains("has the value")), "{said:?}");
    assert_eq!(guard(&world, EMAIL).await, written);
    assert!(world.verbs().contains(&"User Conflicted".to_owned()), "{:?}", world.verbs());
    assert!(found(&world).await.contains(&format!("unowned-guard Unique email/{}", EMAIL.1)));

    repair_after(&world, SignedDuration::from_hours(23)).await;
    assert_eq!(guard(&world, EMAIL).await, written, "its owner may still be written");
    repair_after(&world, SignedDuration::from_hours(25)).await;
    let taken = guard(&world, EMAIL).await;
    let kept = ["verifiedAt", "source"].map(|name| taken.get(name).cloned());
    assert_eq!((taken["owner"].clone(), kept), (s("1"), [Some(s("2026-04-30")), Some(s("signup"))]));
}

/// Promise 7: an owner that comes after its guard has the value, and the claim of another stays pending.
#[tokio::test]
async fn the_owner_of_a_reserved_value_may_come_later() {
    let world = world(USERS).await;
    put(&world, EMAIL, json!({"owner": "2"})).await;
    put_user(&world, 1, json!({})).await;
    world.drain().await;
    assert_eq!(guard(&world, EMAIL).await["owner"], s("2"));
    put_user(&world, 2, json!({})).await;
    world.drain().await;
    assert_eq!(guard(&world, EMAIL).await["owner"], s("2"));
    world.delete(("pk", "sk"), (&user(2), "USER")).await;
    world.drain().await;
    assert_eq!(guard(&world, EMAIL).await["owner"], s("1"), "a deleted owner gives the value up at once");
}

/// Promise 9: a guard that changes its owner keeps the attributes that Instep does not write.
#[tokio::test]
async fn a_guard_that_changes_its_owner_keeps_its_other_attributes() {
    let takes_over = json!({"verified": true});
    for stronger in [Some(takes_over), None] {
        let world = world(USERS).await;
        put_user(&world, 1, json!({})).await;
        put(&world, EMAIL, json!({"owner": "1", "source": "signup", "seen": 3})).await;
        world.drain().await;
        put_user(&world, 2, stronger.clone().unwrap_or(json!({}))).await;
        world.drain().await;
        if stronger.is_none() {
            world.delete(("pk", "sk"), (&user(1), "USER")).await;
            world.drain().await;
        }
        let taken = guard(&world, EMAIL).await;
        let expected = BTreeMap::from([("owner", s("2")), ("source", s("signup")), ("seen", Value::N("3".to_owned()))]);
        let found = expected.keys().map(|name| (*name, taken[*name].clone())).collect::<BTreeMap<_, _>>();
        assert_eq!(found, expected, "{stronger:?}");
    }
}

/// Promise 7: a guard that gets an owner, by adoption or from another owner, is not deleted as the reservation that it
/// was.
#[tokio::test]
async fn a_guard_that_gets_an_owner_has_no_end() {
    for reserved in [json!({"until": 4_102_444_800_u64}), json!({"until": 4_102_444_800_u64, "owner": "2"})] {
        let world = world_with("pk = \"pk\", sk = \"sk\", ttl = \"until\"", USERS).await;
        put_user(&world, 2, json!({})).await;
        world.drain().await;
        put(&world, EMAIL, reserved.clone()).await;
        put_user(&world, 1, json!({"verified": true})).await;
        world.drain().await;
        let taken = guard(&world, EMAIL).await;
        assert_eq!((&taken["owner"], taken.get("until")), (&s("1"), None), "{reserved}");
    }
}

/// Promise 9: a sweep lists the guards that nobody may need, and deletes none of them: one without an owner whose
/// value no item has, and one to which no claim leads, although its owner exists.
#[tokio::test]
async fn a_sweep_lists_guards_that_nobody_may_need() {
    let world = world(USERS).await;
    put_user(&world, 1, json!({})).await;
    put(&world, EMAIL, json!({"source": "imported"})).await;
    put(&world, ("UNIQUE#email", "old@x.example"), json!({})).await;
    put(&world, ("UNIQUE#phone", "+39"), json!({"owner": "1"})).await;
    let unowned = ["unowned-guard Unique email/old@x.example", "unowned-guard Unique phone/+39"];
    assert_eq!(found(&world).await, [&["guard Unique email/ann@x.example"][..], &unowned].concat(), "one is adopted");
    world.drain().await;
    assert_eq!(found(&world).await, unowned);
    repair_after(&world, SignedDuration::from_hours(48)).await;
    assert_eq!(found(&world).await, unowned, "a repair leaves them");
}

/// Promise 9: the name of an owner in another shape is the application's: a claim does not replace it.
#[tokio::test]
async fn a_guard_whose_owner_cannot_be_read_is_left_alone() {
    let world = world(USERS).await;
    put(&world, EMAIL, json!({"owner": ["1"]})).await;
    put_user(&world, 1, json!({})).await;
    let written = guard(&world, EMAIL).await;
    let said = notes(&world, run()).await;
    assert!(said.iter().any(|note| note.contains("its `owner` names no owner")), "{said:?}");
    assert_eq!(guard(&world, EMAIL).await, written);
    assert_eq!(found(&world).await, [format!("unowned-guard Unique email/{}", EMAIL.1)]);
}

/// Promise 4: a grant says so, too, if only an index leads to its parent, and it makes no one a member of a group.
#[tokio::test]
async fn a_grant_whose_parent_no_index_shows_is_said() {
    let world = World::with_parking("platform").await;
    world.put(json!({"PK": "USER#u", "SK": "WORKSTREAM#w"})).await;
    let said = notes(&world, run()).await;
    assert!(said.iter().any(|note| note == "pending: Workstream w does not exist"), "{said:?}");
    let swept = sweep_at(&world, &options(false), &run()).await;
    let whys: Vec<&str> = swept.differences.iter().map(|found| &*found.why).collect();
    assert!(whys == ["pending: User u does not exist; pending: Workstream w does not exist"], "{whys:?}");
}

/// Promise 4: a reference that leads to no item is said and counted with the first record.
#[tokio::test]
async fn a_parent_that_does_not_exist_is_said() {
    let world = world(
        r#"
[items.Team]
pk = "team-{teamId}"
sk = "TEAM"
[items.Task]
pk = "task-{taskId}"
sk = "TASK"
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
"#,
    )
    .await;
    put(&world, ("team-1", "TEAM"), json!({})).await;
    put(&world, ("task-1", "TASK"), json!({"teamId": "team-1"})).await;
    put(&world, ("task-2", "TASK"), json!({"teamId": "1"})).await;
    let reports = world.drain().await;
    let said: Vec<_> = reports.iter().flat_map(|report| &report.records).flat_map(|record| &record.change).collect();
    let said: Vec<_> = said.into_iter().filter(|change| !change.notes.is_empty()).collect();
    assert_eq!(
        (said[0].id.as_str(), &said[0].notes[..], said.len()),
        ("1", &["pending: Team team-1 does not exist".to_owned()][..], 1)
    );
    assert_eq!(reports.iter().flat_map(|report| report.findings.values()).sum::<u64>(), 1);
    assert_eq!(found(&world).await, ["orphan Task 1"]);
}

/// A user, a role and a grant in a building, of the model account-management.
async fn buildings(missing: &str) -> World {
    let world = World::open("account-management").await;
    for (key, sort, more) in [
        ("CLIENT#c", "METADATA", json!({})),
        ("USER#u", "METADATA", json!({"GSI1PK": "CLIENT#c", "GSI1SK": "USER#u"})),
        ("PROJECT#p", "BUILDING#b", json!({"GSI1PK": "CLIENT#c", "GSI1SK": "BUILDING#b"})),
        ("CLIENT#c", "ROLE#r", json!({})),
        ("USER#u", "ROLE#building#b#r", json!({})),
    ] {
        if sort != missing {
            put_keyed(&world, key, sort, more).await;
        }
    }
    world.drain().await;
    world
}

async fn put_keyed(world: &World, key: &str, sort: &str, more: serde_json::Value) {
    let mut item = json!({"PK": key, "SK": sort});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.put(item).await;
}

/// Promise 1: a grant is in force only while everything that it names exists, also what it knows by an id
/// alone. It begins when that is written, ends when that is deleted, and a sweep lists it meanwhile.
#[tokio::test]
async fn a_grant_of_nothing_is_pending() {
    const GROUP: &str = "building:b:r";
    for (missing, key, more) in [
        ("BUILDING#b", "PROJECT#p", json!({"GSI1PK": "CLIENT#c", "GSI1SK": "BUILDING#b"})),
        ("ROLE#r", "CLIENT#c", json!({})),
    ] {
        let world = buildings(missing).await;
        assert_eq!(world.members(GROUP).await, [""; 0], "{missing}");
        let orphans = found(&world).await.into_iter().filter(|found| found.starts_with("orphan UserRoleAssignment"));
        assert_eq!(orphans.count(), 1, "{missing}");
        put_keyed(&world, key, missing, more).await;
        world.drain().await;
        assert_eq!(world.members(GROUP).await, ["u"], "{missing}");
        world.delete(("PK", "SK"), (key, missing)).await;
        world.drain().await;
        assert_eq!(world.members(GROUP).await, [""; 0], "{missing}");
        let left = world.state().await.items;
        let left: Vec<_> = left.iter().map(|item| pk(item, "PK")).filter(|key| key.starts_with("INSTEP#AT#")).collect();
        assert_eq!(left.len(), 1, "the address of the other one: {left:?}");
    }
}

/// Promise 1: a table from before addresses were kept. A sweep writes them before anything else.
#[tokio::test]
async fn a_sweep_writes_lost_addresses() {
    let world = buildings("").await;
    let addresses = |items: Vec<Item>| -> Vec<(String, String)> {
        let keys = items.iter().map(|item| (pk(item, "PK").to_owned(), pk(item, "SK").to_owned()));
        keys.filter(|(key, _)| key.starts_with("INSTEP#AT#")).collect()
    };
    let written = addresses(world.state().await.items);
    assert_eq!(written.len(), 2);
    for (key, sort) in &written {
        world.delete(("PK", "SK"), (key, sort)).await;
    }
    crate::sweep::repair(&world).await;
    assert_eq!(addresses(world.state().await.items), written);
    world.drain().await;
    assert_eq!(world.members("building:b:r").await, ["u"]);
}
