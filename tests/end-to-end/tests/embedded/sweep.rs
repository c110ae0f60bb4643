//! Drift: a sweep finds each kind of difference and repairs it, and changes nothing in a world without
//! drift.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_cognitoidentityprovider::types::AttributeType;
use instep_aws::sweep::{SweepOptions, SweepResult};
use instep_aws::{Clients, Instep, RunOptions};
use instep_model::Model;
use serde_json::json;

use crate::gate::{take_records, take_work};
use crate::own::{self, groups, keys, put};
use crate::world::{World, run};

/// Persons with unique emails, teams with seats and boards, badges with groups on demand, and tickets
/// that lapse.
pub const MODEL: &str = r#"
[names]
ends = { is = "time" }

[cognito.extra]
members = "remove"
users = "remove"

[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent", attributes = { email = "{email}" }, disabled = { state = "blocked" } }

[items.Email]
pk = "E#{email|lower}"
sk = "E"
guard = { owner = "Person" }

[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = { name = "team|{teamId}", precedence = 1, iam_role = "arn:aws:iam::123456789012:role/team" }

[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
GSI1 = { pk = "P#{personId}", sk = "SEAT#{teamId}", keep = true }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", from = "opens", until = "closes" }
cognito.member = { user = "Person", group = "Team" }

[items.Badge]
pk = "B#{badgeId}"
sk = "B"
parent = { type = "Team", teamId = "{team}", find = "back-reference" }
grant = { subject = { type = "Person", personId = "{person}", find = "back-reference" } }
cognito.member = { user = { type = "Person", personId = "{person}" }, group = "badge|{team}" }

[items.Board]
pk = "T#{teamId}"
sk = "BOARD#{boardId}"
parent = "Team"

[items.Ticket]
pk = "T#{teamId}"
sk = "TICKET#{ticketId}"
due = [{ at = "ends", when = { state = "open" }, set = { state = "lapsed" } }]

[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
"#;

pub const GROUP: &str = "team|t";
const BADGES: &str = "badge|t";

pub fn options(repair: bool) -> SweepOptions {
    SweepOptions { grace: Duration::ZERO, repair, removals_max: 10, only: None, sweep: None }
}

async fn sweep(world: &World, options: &SweepOptions) -> SweepResult {
    sweep_at(world, options, &run()).await
}

pub async fn sweep_at(world: &World, options: &SweepOptions, run: &RunOptions) -> SweepResult {
    sweeping(world).sweep(options, run, &|_| {}).await.unwrap()
}

/// The bucket of sweeps.
pub const BUCKET: &str = "sweeps";

/// Instep with a bucket for what sweeps read.
pub fn sweeping(world: &World) -> Instep {
    world.stack.make_bucket(BUCKET);
    world.instep.clone().with_sweeps_in(&world.stack.sdk_config(), BUCKET)
}

/// What a sweep reports, a line each.
pub async fn found(world: &World) -> Vec<String> {
    let swept = sweep(world, &options(false)).await;
    swept.differences.iter().map(|found| format!("{} {}", found.kind.word(), found.about)).collect()
}

/// A person in a team by a seat and by a badge, all reconciled.
pub async fn world() -> World {
    filled(own::world(MODEL).await).await
}

/// The same in a world that is there.
pub async fn filled(world: World) -> World {
    put(&world, ("P#p", "P"), json!({"email": "p@x.example"})).await;
    put(&world, ("T#t", "T"), json!({})).await;
    put(&world, ("T#t", "SEAT#p"), json!({"g1p": "P#p", "g1s": "SEAT#t"})).await;
    put(&world, ("B#b", "B"), json!({"team": "t", "person": "p"})).await;
    put(&world, ("T#t", "TICKET#k"), json!({"state": "open", "ends": "2026-05-02T00:00:00Z"})).await;
    world.drain().await;
    assert_eq!(groups(&world).await, [BADGES, GROUP]);
    world
}

/// A user that Instep made and should have deleted.
async fn made_by_instep(world: &World, name: &str) {
    let mark = AttributeType::builder().name("custom:instep").value("instep:own:0").build().unwrap();
    let create = world.instep.clients().cognito().admin_create_user().user_pool_id(world.stack.user_pool());
    create.username(name).user_attributes(mark).send().await.unwrap();
}

/// The kinds of drift of a world without faults, each made by hand.
pub async fn broken(world: &World, kind: &str) {
    let cognito = world.instep.clients().cognito();
    let pool = world.stack.user_pool();
    match kind {
        "missing-member" => {
            let remove = cognito.admin_remove_user_from_group().user_pool_id(pool).username("p");
            remove.group_name(GROUP).send().await.unwrap();
        }
        "extra-member" => {
            made_by_instep(world, "x").await;
            let add = cognito.admin_add_user_to_group().user_pool_id(pool).username("x");
            add.group_name(GROUP).send().await.unwrap();
        }
        "missing-user" => drop(cognito.admin_delete_user().user_pool_id(pool).username("p").send().await.unwrap()),
        "extra-user" => made_by_instep(world, "y").await,
        "stranger" => drop(cognito.admin_create_user().user_pool_id(pool).username("z").send().await.unwrap()),
        "lost account" => world.delete(("pk", "sk"), ("INSTEP#ACCOUNT#Person/personId=p", "ACCOUNT")).await,
        "user-differs" => {
            let email = AttributeType::builder().name("email").value("q@x.example").build().unwrap();
            let update = cognito.admin_update_user_attributes().user_pool_id(pool).username("p");
            update.user_attributes(email).send().await.unwrap();
        }
        "disabled" => drop(cognito.admin_disable_user().user_pool_id(pool).username("p").send().await.unwrap()),
        "missing-group" => drop(cognito.delete_group().user_pool_id(pool).group_name(GROUP).send().await.unwrap()),
        "extra-group" => {
            let create = cognito.create_group().user_pool_id(pool).group_name("team|gone");
            create.description("instep:own").send().await.unwrap();
        }
        "unmarked-group" => {
            let update = cognito.update_group().user_pool_id(pool).group_name(GROUP);
            update.description("staff").send().await.unwrap();
        }
        "precedence" => {
            let update = cognito.update_group().user_pool_id(pool).group_name(GROUP);
            update.precedence(9).send().await.unwrap();
        }
        "role of a group" => {
            let update = cognito.update_group().user_pool_id(pool).group_name(GROUP);
            update.role_arn("arn:aws:iam::123456789012:role/other").send().await.unwrap();
        }
        other => broken_table(world, other).await,
    }
}

/// As [`broken`], in the table: the records are lost.
async fn broken_table(world: &World, kind: &str) {
    let delete = |pk: &'static str, sk: &'static str| world.delete(("pk", "sk"), (pk, sk));
    match kind {
        "owner without guard" => delete("E#p@x.example", "E").await,
        "guard without owner" => put(world, ("E#z@x.example", "E"), json!({"personId": "p"})).await,
        "guard of another" => {
            put(world, ("P#q", "P"), json!({"email": "q@x.example"})).await;
            world.drain().await;
            put(world, ("E#p@x.example", "E"), json!({"personId": "q"})).await;
        }
        "index key" => put(world, ("T#t", "SEAT#p"), json!({"g1p": "P#p", "g1s": "wrong"})).await,
        "no reference" => delete("INSTEP#REF#Team/teamId=t", "Badge/badgeId=b").await,
        "no badge" => delete("B#b", "B").await,
        "due" => put(world, ("T#t", "TICKET#k"), json!({"state": "open", "ends": "2026-04-30T00:00:00Z"})).await,
        "due later" => put(world, ("T#t", "TICKET#m"), json!({"state": "open", "ends": "2026-05-03T00:00:00Z"})).await,
        "no parent" => put(world, ("T#none", "SEAT#p"), json!({"g1p": "P#p", "g1s": "SEAT#none"})).await,
        "no team" => put(world, ("T#none", "BOARD#o"), json!({})).await,
        "bad" => put(world, ("T#t", "TICKET#n"), json!({"state": "open", "ends": "soon"})).await,
        other => assert_eq!(other, "", "no such kind"),
    }
    take_records(world).await;
}

/// Each kind of drift, and what a sweep reports of it.
pub const KINDS: &[(&str, &[&str])] = &[
    ("missing-member", &["missing-member p in team|t"]),
    ("extra-member", &["extra-member x in team|t", "extra-user x"]),
    ("missing-user", &["missing-member p in badge|t", "missing-member p in team|t", "missing-user p"]),
    ("extra-user", &["extra-user y"]),
    ("lost account", &["unbound-user p"]),
    ("user-differs", &["user-differs p"]),
    ("disabled", &["user-differs p"]),
    ("missing-group", &["missing-member p in team|t", "missing-group team|t"]),
    ("extra-group", &["extra-group team|gone"]),
    ("unmarked-group", &["unmarked-group team|t"]),
    ("precedence", &["group-differs team|t"]),
    ("role of a group", &["group-differs team|t"]),
    ("owner without guard", &["guard Email p@x.example"]),
    ("guard without owner", &["guard Email z@x.example"]),
    ("guard of another", &["guard Email p@x.example"]),
    ("index key", &["index-key Seat t/p"]),
    ("no reference", &["bookkeeping Badge b"]),
    (
        "no badge",
        &[
            "extra-member p in badge|t",
            "bookkeeping back-reference from Badge b",
            "bookkeeping back-reference from Badge b",
        ],
    ),
    ("due", &["due Ticket t/k", "bookkeeping moment of Ticket t/k"]),
    ("due later", &["bookkeeping the due time of Ticket t/m"]),
];

/// Promise 1: what drifted is found, and repaired by the one flow.
#[tokio::test]
async fn each_kind_of_drift_is_found_and_repaired() {
    for (kind, expected) in KINDS {
        let world = world().await;
        broken(&world, kind).await;
        assert_eq!(found(&world).await, *expected, "{kind}");
        let swept = sweep(&world, &options(true)).await;
        assert_eq!((swept.tally.sent, swept.is_stopped), (expected.len() as u64, false), "{kind}");
        world.drain().await;
        assert_eq!(found(&world).await, [""; 0], "{kind}");
    }
}

/// Promise 1: also all at once.
#[tokio::test]
async fn drift_of_all_kinds_together_is_repaired() {
    let world = world().await;
    for (kind, _) in KINDS.iter().filter(|(kind, _)| *kind != "missing-user" && *kind != "missing-group") {
        broken(&world, kind).await;
    }
    let before = found(&world).await.len();
    assert!(before > 12, "{before}");
    // A repair may uncover more: a membership in a group that gets its mark.
    for _ in 0..2 {
        sweep(&world, &SweepOptions { removals_max: 100, ..options(true) }).await;
        world.drain().await;
    }
    assert_eq!(found(&world).await, [""; 0]);
    assert_eq!(world.members(GROUP).await, ["p"]);
    assert_eq!(world.members(BADGES).await, [""; 0], "the badge was deleted");
}

/// What writers chose is reported, and stays.
#[tokio::test]
async fn an_orphan_and_a_bad_item_are_reported() {
    let world = world().await;
    broken(&world, "no parent").await;
    broken(&world, "no team").await;
    broken(&world, "bad").await;
    let swept = sweep(&world, &options(true)).await;
    let kinds: Vec<&str> = swept.differences.iter().map(|found| found.kind.word()).collect();
    assert_eq!((kinds, swept.tally.sent, swept.has_drift()), (vec!["orphan", "orphan", "bad-item"], 0, false));
    world.drain().await;
    assert!(keys(&world).await.contains(&"T#none SEAT#p".to_owned()));
}

/// A child that is left of a deleted parent is deleted if the model says so. One whose parent never
/// existed stays: people import children before their parents.
#[tokio::test]
async fn what_is_left_of_a_deleted_parent_is_deleted_if_the_model_says_so() {
    let table = |more: &str| format!("pk = \"pk\", sk = \"sk\"{more}");
    for (more, is_deleted) in [(", orphans = \"remove\"", true), ("", false)] {
        let world = filled(own::world_with(&table(more), MODEL).await).await;
        put(&world, ("T#u", "T"), json!({})).await;
        world.drain().await;
        world.delete(("pk", "sk"), ("T#u", "T")).await;
        world.drain().await;
        put(&world, ("T#u", "BOARD#o"), json!({})).await;
        take_records(&world).await;
        broken(&world, "no team").await;
        let stopped = sweep(&world, &SweepOptions { removals_max: 0, ..options(true) }).await;
        assert_eq!((stopped.is_stopped, stopped.tally.sent), (is_deleted, 0));
        let swept = sweep(&world, &options(true)).await;
        let kinds: Vec<&str> = swept.differences.iter().map(|found| found.kind.word()).collect();
        assert_eq!((kinds, swept.tally.sent), (vec!["orphan", "orphan"], u64::from(is_deleted)));
        world.drain().await;
        let keys = keys(&world).await;
        assert_eq!(keys.contains(&"T#u BOARD#o".to_owned()), !is_deleted, "{keys:?}");
        assert!(keys.contains(&"T#none BOARD#o".to_owned()));
        // A message of an earlier model, or one that comes late, deletes nothing.
        let left = sweep(&world, &options(false)).await;
        assert_eq!(left.differences.len(), if is_deleted { 1 } else { 2 });
    }
}

/// Promise 1: a request to create a group takes effect after the group was deleted with one of its parents.
/// The other parent was never deleted.
#[tokio::test]
async fn a_group_that_one_of_its_parents_took_with_it_is_deleted_again() {
    let world = World::open("account-management").await;
    world.put(json!({"PK": "SYSTEM", "SK": "ROLE#b", "role_id": "b"})).await;
    world.drain().await;
    world.delete(("PK", "SK"), ("SYSTEM", "ROLE#b")).await;
    world.drain().await;
    let create = world.instep.clients().cognito().create_group().user_pool_id(world.stack.user_pool());
    create.group_name("building:a:b").description("instep:account-management").send().await.unwrap();
    assert_eq!(found(&world).await, ["extra-group building:a:b"]);
    assert_eq!(sweep(&world, &options(true)).await.tally.sent, 1);
    world.drain().await;
    assert_eq!(groups(&world).await, [""; 0]);
    assert_eq!(found(&world).await, [""; 0]);
}

/// Promise 9: what people may have made is removed only if the model says so.
#[tokio::test]
async fn what_people_may_have_made_is_only_reported() {
    let world = own::world(&MODEL.replace("\"remove\"", "\"report\"")).await;
    put(&world, ("T#t", "T"), json!({})).await;
    world.drain().await;
    broken(&world, "extra-member").await;
    let swept = sweep(&world, &options(true)).await;
    assert_eq!((swept.differences.len(), swept.tally.sent, swept.has_drift()), (2, 0, true));
    world.drain().await;
    assert_eq!(world.members(GROUP).await, ["x"]);
}

/// Promise 9: a user that Instep did not make stays, whatever the model lets a sweep remove.
#[tokio::test]
async fn a_user_that_instep_did_not_make_is_only_reported() {
    let world = world().await;
    broken(&world, "stranger").await;
    put(&world, ("P#z", "P"), json!({})).await;
    take_records(&world).await;
    assert_eq!(found(&world).await, ["unbound-user z"]);
    world.delete(("pk", "sk"), ("P#z", "P")).await;
    take_records(&world).await;
    let swept = sweep(&world, &options(true)).await;
    assert_eq!((swept.differences.len(), swept.tally.sent, swept.has_drift()), (1, 0, true));
    assert_eq!(found(&world).await, ["extra-user z"]);
}

/// Promise 1: a wrong model must not empty a user pool.
#[tokio::test]
async fn a_sweep_that_would_remove_too_much_sends_nothing() {
    let world = world().await;
    broken(&world, "extra-member").await;
    broken(&world, "missing-member").await;
    let swept = sweep(&world, &SweepOptions { removals_max: 1, ..options(true) }).await;
    assert_eq!((swept.is_stopped, swept.tally.removals, swept.tally.sent), (true, 2, 0));
    assert!(world.drain().await.is_empty(), "nothing was sent");
}

/// A sweep reads, and reads by groups: 60 members a call.
#[tokio::test]
async fn a_sweep_of_a_correct_world_changes_nothing() {
    let world = world().await;
    let before = format!("{:?}", world.state().await);
    let calls = world.stack.calls().snapshot();
    let swept = sweep(&world, &options(true)).await;
    assert_eq!((swept.differences.len(), swept.tally.sent), (0, 0), "{:?}", swept.differences);
    assert_eq!((swept.tally.users, swept.tally.groups, swept.tally.members), (1, 2, 2));
    assert_eq!(format!("{:?}", world.state().await), before);
    let made = world.stack.calls().snapshot();
    let count = |name: &str| made.get(name).copied().unwrap_or_default() - calls.get(name).copied().unwrap_or_default();
    assert_eq!((count("ListGroups"), count("ListUsers"), count("ListUsersInGroup")), (1, 1, 2));
    assert_eq!((count("AdminGetUser"), count("AdminListGroupsForUser"), count("SendMessageBatch")), (0, 0, 0));
}

/// What is in progress is no drift: the second read does not show it.
#[tokio::test]
async fn what_is_in_progress_is_no_drift() {
    let world = world().await;
    broken(&world, "missing-member").await;
    put(&world, ("P#q", "P"), json!({"email": "q@x.example"})).await;
    let slow = SweepOptions { grace: Duration::from_secs(1), ..options(true) };
    let repairs = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        world.drain().await;
    };
    let (swept, ()) = tokio::join!(sweep(&world, &slow), repairs);
    let kinds: Vec<&str> = swept.differences.iter().map(|found| found.kind.word()).collect();
    assert_eq!((kinds, swept.tally.in_progress), (vec!["missing-member"], 2));
}

/// Promise 2: somebody has deleted the back-references by which alone an item is found, and a membership
/// that it implies looked like a wrong one at first. The sweep writes them before it sends that: else the
/// membership would be removed.
#[tokio::test]
async fn lost_references_are_written_before_anything_is_removed() {
    let world = world().await;
    let delete = |pk: &'static str, sk: &'static str| world.delete(("pk", "sk"), (pk, sk));
    delete("INSTEP#REF#Team/teamId=t", "Badge/badgeId=b").await;
    delete("INSTEP#REF#Person/personId=p", "Badge/badgeId=b").await;
    delete("P#p", "P").await;
    let removed = || world.stack.calls().snapshot().get("AdminRemoveUserFromGroup").copied();
    let before = removed();
    let slow = SweepOptions { grace: Duration::from_secs(1), ..options(true) };
    let back = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        put(&world, ("P#p", "P"), json!({"email": "p@x.example"})).await;
        take_records(&world).await;
    };
    tokio::join!(sweep(&world, &slow), back);
    // SQS may deliver them in any order.
    for message in take_work(&world).await.into_iter().rev() {
        world.instep.work(&[message], &run()).await;
    }
    assert_eq!(world.members(BADGES).await, ["p"]);
    assert_eq!(removed(), before);
    assert_eq!(found(&world).await, [""; 0]);
}

/// A grant that waits for people who sign up by themselves, or for a group that people make, is no
/// drift.
#[tokio::test]
async fn what_is_pending_is_no_drift() {
    let people = MODEL
        .replace("users = \"remove\"\n", "")
        .replace(r#"create = "silent", "#, "create = false, ")
        .replace(r#"group = "badge|{team}" }"#, r#"group = "badge|{team}", made = "by-hand" }"#);
    let world = own::world(&people).await;
    let sign_up = world.instep.clients().cognito().admin_create_user().user_pool_id(world.stack.user_pool());
    sign_up.username("p").send().await.unwrap();
    put(&world, ("T#t", "T"), json!({})).await;
    for person in ["p", "q"] {
        put(&world, (&format!("P#{person}"), "P"), json!({"email": format!("{person}@x.example")})).await;
        put(&world, ("T#t", &format!("SEAT#{person}")), json!({"g1p": format!("P#{person}"), "g1s": "SEAT#t"})).await;
        put(&world, (&format!("B#{person}"), "B"), json!({"team": "t", "person": person})).await;
    }
    world.drain().await;
    assert_eq!(world.members(GROUP).await, ["p"]);
    assert_eq!(groups(&world).await, [GROUP]);
    assert_eq!(found(&world).await, [""; 0]);
}

/// What a model no longer says leaves nothing behind: moments that no clock sends any more.
#[tokio::test]
async fn moments_of_an_earlier_model_are_deleted() {
    let mut world = world().await;
    let due = r#"due = [{ at = "ends", when = { state = "open" }, set = { state = "lapsed" } }]"#;
    let text = MODEL.replace(due, "").replace("[names]\nends = { is = \"time\" }", "");
    let text = text.replace(", from = \"opens\", until = \"closes\"", "");
    let model = Model::parse("own.toml", &format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{text}"));
    world.instep = Instep::new(Arc::new(model.unwrap()), Clients::new(&world.stack.sdk_config()), world.settings());
    assert_eq!(found(&world).await, ["bookkeeping moment of Ticket t/k"]);
    let later = RunOptions { now: "2026-06-01T00:00:00Z".parse().unwrap(), ..run() };
    let swept = sweep_at(&world, &options(true), &later).await;
    assert_eq!((swept.differences.len(), swept.tally.sent), (1, 1), "also after the moment");
    world.drain_with(later).await;
    assert_eq!(found(&world).await, [""; 0]);
}
