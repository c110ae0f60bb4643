//! The units of a sweep: invocations that die, overlap or are slow count once, and a sweep goes on where it
//! ended.

use std::time::Duration;

use instep_aws::Instep;
use instep_aws::sweep::{Planned, SweepOptions, SweepResult};
use instep_flow::sweep::plan::{Mode, SweepPhase};
use instep_flow::sweep::units::SweepUnit;
use instep_local::{Fault, PoolOptions};
use instep_model::Model;
use serde_json::json;
use tokio::time::Instant;

use crate::gate::gated;
use crate::own::{self, put};
use crate::sweep::{BUCKET, GROUP, MODEL, broken, filled, found, sweeping, world};
use crate::world::{World, run};

/// More users than a page of ListUsers has.
const USERS: usize = 70;

fn options(repair: bool, sweep: &str) -> SweepOptions {
    SweepOptions { grace: Duration::ZERO, repair, removals_max: 10, only: None, sweep: Some(sweep.to_owned()) }
}

async fn swept(instep: &Instep, options: &SweepOptions) -> Result<SweepResult, String> {
    instep.sweep(options, &run(), &|_| {}).await
}

/// Does all phases before this one.
async fn before(instep: &Instep, sweep: &str, until: SweepPhase) {
    let mut ask = options(false, sweep).ask();
    instep.begin_sweep(sweep, Mode::Report, &run()).await.unwrap();
    loop {
        let Planned::Run { phase, units, .. } = instep.plan_sweep(sweep, &ask, &run()).await.unwrap() else {
            unreachable!("the sweep is over");
        };
        if phase == until {
            return;
        }
        for unit in units {
            assert!(instep.sweep_unit(sweep, unit, None, &run(), &|_| {}).await.unwrap());
        }
        ask.ran = Some(phase);
    }
}

/// A world with more than a page of users, which all have items.
async fn crowd() -> World {
    let world = world().await;
    for nth in 0..USERS {
        put(&world, (&format!("P#u{nth}"), "P"), json!({"email": format!("u{nth}@x.example")})).await;
    }
    world.drain().await;
    world
}

/// Promise 1: an invocation that is slow, and reads less than the one that overtakes it, changes nothing. Its
/// results count nowhere, and it does not set the finished unit back.
#[tokio::test]
async fn a_slow_invocation_changes_nothing() {
    let world = crowd().await;
    let instep = sweeping(&world);
    before(&instep, "s", SweepPhase::Pool).await;
    let (slow, [stop]) = gated(&world, ["ListUsers"]);
    let slow = slow.with_sweeps_in(&world.stack.sdk_config(), BUCKET);
    let now = run();
    let overtaken = stop.then(async {
        assert!(instep.sweep_unit("s", SweepUnit::Users, None, &run(), &|_| {}).await.unwrap());
    });
    // Its time is over after one page.
    let (is_done, ()) =
        tokio::join!(slow.sweep_unit("s", SweepUnit::Users, Some(Instant::now()), &now, &|_| {}), overtaken);
    is_done.unwrap();
    let standing = instep.standing("s", Mode::Report, &run()).await.unwrap();
    assert!(matches!(standing.phase, Some((SweepPhase::Pool, 1, _))), "the unit stays done: {standing:?}");
    let swept = swept(&instep, &options(false, "s")).await.unwrap();
    assert_eq!(swept.tally.users, USERS as u64 + 1);
    assert_eq!((swept.tally.found, swept.tally.in_progress), (0, 0), "{:?}", swept.differences);
}

/// Promise 8: an invocation whose time is over ends after a page, and the next one goes on there.
#[tokio::test]
async fn an_invocation_goes_on_where_the_last_one_ended() {
    let world = crowd().await;
    let instep = sweeping(&world);
    before(&instep, "s", SweepPhase::Pool).await;
    let calls = || world.stack.calls().snapshot().get("ListUsers").copied().unwrap_or_default();
    let first = calls();
    let over = async || instep.sweep_unit("s", SweepUnit::Users, Some(Instant::now()), &run(), &|_| {}).await.unwrap();
    assert!(!over().await);
    assert!(over().await);
    assert!(over().await, "it is done");
    assert_eq!(calls() - first, 2);
}

/// Promise 1: the units of a phase are those of its list, whoever wrote it: an earlier version of Instep may have
/// divided the work in another way, and its units are done under its names.
#[tokio::test]
async fn a_list_of_units_is_written_once() {
    let world = crowd().await;
    let instep = sweeping(&world);
    before(&instep, "s", SweepPhase::Pool).await;
    let list = "sweeps/s/lists/pool.json";
    world.stack.put_object(BUCKET, list, br#"[{"sweep": "s", "unit": "users-0"}]"#.to_vec());
    let planned = instep.plan_sweep("s", &options(false, "s").ask(), &run()).await.unwrap();
    assert!(matches!(&planned, Planned::Run { units, .. } if units.as_slice() == [SweepUnit::Users]), "{planned:?}");
}

/// Promise 1: two drivers over one sweep find each difference once, and repair it.
#[tokio::test]
async fn two_drivers_share_a_sweep() {
    let world = world().await;
    for kind in ["missing-member", "extra-user", "index key"] {
        broken(&world, kind).await;
    }
    let instep = sweeping(&world);
    let both = options(true, "s");
    let (one, other) = tokio::join!(swept(&instep, &both), swept(&instep, &both));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    assert_eq!((one.differences.len(), one.tally.users, one.tally.sent), (3, 2, 3), "{one:?}");
    world.drain().await;
    assert_eq!(world.members(GROUP).await, ["p"]);
}

/// Promise 1: a sweep that a failing service has ended goes on with the units that are left, and finds what it
/// would have found.
#[tokio::test]
async fn a_sweep_goes_on_where_it_ended() {
    let world = world().await;
    broken(&world, "missing-member").await;
    let instep = sweeping(&world);
    let refused = Fault::Refuse { status: 400, code: "NotAuthorizedException".to_owned() };
    world.stack.faults().on("ListUsersInGroup", 1..2, refused);
    let why = swept(&instep, &options(true, "s")).await.unwrap_err();
    assert!(why.to_string().contains("ListUsersInGroup"), "{why}");
    let swept = swept(&instep, &options(true, "s")).await.unwrap();
    assert_eq!((swept.differences.len(), swept.tally.users, swept.tally.sent), (1, 1, 1), "{swept:?}");
    let made = world.stack.calls().snapshot();
    assert_eq!((made.get("ListGroups"), made.get("ListUsers")), (Some(&1), Some(&1)), "what is done is not done again");
}

/// Promise 1: people read a report, and then let the same sweep repair: first below its limit, then with a
/// higher one. Lost back-references are written first.
#[tokio::test]
async fn a_report_is_repaired_afterwards() {
    let world = world().await;
    broken(&world, "extra-member").await;
    world.delete(("pk", "sk"), ("INSTEP#REF#Team/teamId=t", "Badge/badgeId=b")).await;
    let instep = sweeping(&world);
    let report = swept(&instep, &options(false, "s")).await.unwrap();
    assert_eq!((report.tally.sent, report.is_stopped), (0, false), "{report:?}");
    let stopped = swept(&instep, &SweepOptions { removals_max: 0, ..options(true, "s") }).await.unwrap();
    assert_eq!((stopped.tally.sent, stopped.is_stopped), (0, true));
    let writes = || world.stack.calls().snapshot().get("BatchWriteItem").copied().unwrap_or_default();
    let before = writes();
    let repaired = swept(&instep, &options(true, "s")).await.unwrap();
    assert_eq!((repaired.differences.len() as u64, repaired.is_stopped), (repaired.tally.sent, false));
    assert_eq!(writes() - before, 1, "the back-reference is written by the sweep");
    let again = swept(&instep, &options(true, "s")).await.unwrap();
    assert_eq!((again.tally.sent, writes() - before), (repaired.tally.sent, 1), "it counts what was sent, once");
}

/// Promise 2: what a sweep has read is old after a day, and is not that of another table.
#[tokio::test]
async fn an_old_sweep_or_another_one_does_not_go_on() {
    let world = world().await;
    let instep = sweeping(&world);
    instep.begin_sweep("s", Mode::Report, &run()).await.unwrap();
    let late = instep_aws::RunOptions { now: run().now + jiff::SignedDuration::from_hours(25), ..run() };
    let why = instep.begin_sweep("s", Mode::Report, &late).await.unwrap_err();
    assert!(why.to_string().contains("too old"), "{why}");
    let settings = instep_aws::Settings { user_pool: None, ..world.settings() };
    let other = Instep::new(world.model(), world.instep.clients().clone(), settings);
    let other = other.with_sweeps_in(&world.stack.sdk_config(), BUCKET);
    let why = other.begin_sweep("s", Mode::Report, &run()).await.unwrap_err();
    assert!(why.to_string().contains("another model, table or user pool"), "{why}");
}

/// Promise 1: an invocation that dies at any call is followed by one that goes on.
#[tokio::test]
async fn an_invocation_that_dies_is_followed_by_another() {
    for operation in ["ListGroups", "ListUsers", "ListUsersInGroup", "Scan", "BatchGetItem", "SendMessageBatch"] {
        // What it reads is in the bucket of the deployment.
        let world = filled(own::world(MODEL).await.parking()).await;
        broken(&world, "missing-member").await;
        let (dying, [stop]) = gated(&world, [operation]);
        let of = options(true, "s");
        tokio::select! {
            biased;
            ended = swept(&dying, &of) => panic!("{operation}: it ended: {ended:?}"),
            () = stop.reached() => {}
        }
        let swept = swept(&world.instep, &of).await.unwrap();
        assert_eq!((swept.tally.users, swept.tally.drift(), swept.tally.sent), (1, 1, 1), "{operation}");
        world.drain().await;
        assert_eq!(world.members(GROUP).await, ["p"], "{operation}");
    }
}

/// Promise 1: Cognito forgets the token of a page after some time. The list begins again, and what is read twice is one.
#[tokio::test]
async fn a_list_whose_page_is_forgotten_begins_again() {
    let world = crowd().await;
    let instep = sweeping(&world);
    world.stack.faults().on("ListUsers", 1..2, Fault::refuse("InvalidParameterException"));
    let again = swept(&instep, &options(true, "s")).await.unwrap();
    assert_eq!((again.tally.found, again.tally.sent), (0, 0), "{:?}", again.differences);
    // INVARIANT 8: not for ever.
    world.stack.faults().on("ListUsers", 0..1000, Fault::refuse("InvalidParameterException"));
    let why = swept(&instep, &options(true, "t")).await.unwrap_err();
    assert!(why.contains("ListUsers"), "{why}");
}

/// Promise 1: more differences than a unit confirms are all confirmed, and all repaired.
#[tokio::test]
async fn more_differences_than_a_chunk_has_are_all_repaired() {
    let world = world().await;
    let teams: Vec<String> = (0..60).map(|nth| format!("team|{nth}")).collect();
    for nth in 0..teams.len() {
        put(&world, (&format!("T#{nth}"), "T"), json!({})).await;
    }
    world.drain().await;
    for group in &teams {
        let delete = world.instep.clients().cognito().delete_group().user_pool_id(world.stack.user_pool());
        delete.group_name(group).send().await.unwrap();
    }
    let swept = swept(&sweeping(&world), &options(true, "s")).await.unwrap();
    assert_eq!((swept.differences.len(), swept.tally.drift(), swept.tally.sent), (60, 60, 60));
    let chunks = world.stack.objects(BUCKET).iter().filter(|(key, _)| key.starts_with("sweeps/s/chunks/")).count();
    assert_eq!(chunks, 3);
    world.drain().await;
    assert_eq!(found(&world).await, [""; 0]);
}

/// A table without a pool is swept, too.
#[tokio::test]
async fn a_table_without_a_pool_is_swept() {
    let world = world().await;
    broken(&world, "index key").await;
    let settings = instep_aws::Settings { user_pool: None, ..world.settings() };
    let instep = Instep::new(world.model(), world.instep.clients().clone(), settings);
    world.stack.make_bucket(BUCKET);
    let instep = instep.with_sweeps_in(&world.stack.sdk_config(), BUCKET);
    let swept = swept(&instep, &options(true, "s")).await.unwrap();
    assert_eq!((swept.tally.users, swept.tally.sent), (0, 1));
    assert_eq!(swept.differences[0].about, "Seat t/p");
}

/// Promise 2: a pool that takes no notice of case: names that differ in case only are one user there, who may
/// be that of another item. A sweep removes nobody by such a name.
#[tokio::test]
async fn names_of_a_pool_that_folds_case_agree() {
    let text = format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{MODEL}");
    let model = Model::parse("own.toml", &text).unwrap();
    let pool = PoolOptions { case_sensitive: false, ..PoolOptions::of(&model) };
    let world = World::of_pool(model, Duration::ZERO, pool).await;
    put(&world, ("P#Ann", "P"), json!({"email": "a@x.example"})).await;
    put(&world, ("T#t", "T"), json!({})).await;
    put(&world, ("T#t", "SEAT#Ann"), json!({"g1p": "P#Ann", "g1s": "SEAT#t"})).await;
    world.drain().await;
    let instep = sweeping(&world);
    let first = swept(&instep, &options(true, "s")).await.unwrap();
    assert_eq!((first.tally.users, first.tally.found), (1, 0), "{:?}", first.differences);
    let cognito = world.instep.clients().cognito();
    cognito.admin_create_user().user_pool_id(world.stack.user_pool()).username("Ben").send().await.unwrap();
    let second = swept(&instep, &options(true, "t")).await.unwrap();
    assert_eq!((second.tally.found, second.tally.sent), (1, 0), "{:?}", second.differences);
    assert_eq!(world.state().await.users.len(), 2);
}
