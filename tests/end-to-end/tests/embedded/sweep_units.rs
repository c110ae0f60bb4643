//! The units of a sweep: invocations that die, overlap or are slow count once, and a sweep goes on where it
//! ended.

use std::time::Duration;

use instep_aws::Instep;
use instep_aws::sweep::{Options, Planned, Swept};
use instep_flow::sweep::Mode;
use instep_flow::sweep::plan::Phase;
use instep_flow::sweep::units::Unit;
use instep_local::Fault;
use serde_json::json;
use tokio::time::Instant;

use crate::gate::gated;
use crate::own::put;
use crate::sweep::{BUCKET, GROUP, broken, sweeping, world};
use crate::world::{World, run};

/// More users than a page of ListUsers has.
const USERS: usize = 70;

fn options(repair: bool, sweep: &str) -> Options {
    Options { grace: Duration::ZERO, repair, removals_max: 10, only: None, sweep: Some(sweep.to_owned()) }
}

async fn swept(instep: &Instep, options: &Options) -> Result<Swept, String> {
    instep.sweep(options, &run(), &|_| {}).await
}

/// Does all phases before this one.
async fn before(instep: &Instep, sweep: &str, until: Phase) {
    let mut ask = options(false, sweep).ask();
    instep.begin_sweep(sweep, Mode::Report, &run()).await.unwrap();
    loop {
        let Planned::Run { phase, units, .. } = instep.plan_sweep(sweep, &ask, &run()).await.unwrap() else {
            panic!("the sweep is over");
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
    before(&instep, "s", Phase::Pool).await;
    let (slow, [stop]) = gated(&world, ["ListUsers"]);
    let slow = slow.with_sweeps_in(&world.stack.sdk_config(), BUCKET);
    let now = run();
    let overtaken = stop.then(async {
        assert!(instep.sweep_unit("s", Unit::Users, None, &run(), &|_| {}).await.unwrap());
    });
    // Its time is over after one page.
    let (is_done, ()) = tokio::join!(slow.sweep_unit("s", Unit::Users, Some(Instant::now()), &now, &|_| {}), overtaken);
    is_done.unwrap();
    let swept = swept(&instep, &options(false, "s")).await.unwrap();
    assert_eq!(swept.tally.users, USERS as u64 + 1);
    assert_eq!((swept.tally.found, swept.tally.in_progress), (0, 0), "{:?}", swept.differences);
}

/// Promise 8: an invocation whose time is over ends after a page, and the next one goes on there.
#[tokio::test]
async fn an_invocation_goes_on_where_the_last_one_ended() {
    let world = crowd().await;
    let instep = sweeping(&world);
    before(&instep, "s", Phase::Pool).await;
    let calls = || world.stack.calls().snapshot().get("ListUsers").copied().unwrap_or_default();
    let first = calls();
    let over = async || instep.sweep_unit("s", Unit::Users, Some(Instant::now()), &run(), &|_| {}).await.unwrap();
    assert!(!over().await);
    assert!(over().await);
    assert!(over().await, "it is done");
    assert_eq!(calls() - first, 2);
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
    assert!(why.contains("ListUsersInGroup"), "{why}");
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
    let stopped = swept(&instep, &Options { removals_max: 0, ..options(true, "s") }).await.unwrap();
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
    let late = instep_aws::Run { now: run().now + jiff::SignedDuration::from_hours(25), ..run() };
    let why = instep.begin_sweep("s", Mode::Report, &late).await.unwrap_err();
    assert!(why.contains("too old"), "{why}");
    let settings = instep_aws::Settings { user_pool: None, ..world.settings() };
    let other = Instep::new(world.model(), world.instep.clients().clone(), settings);
    let other = other.with_sweeps_in(&world.stack.sdk_config(), BUCKET);
    let why = other.begin_sweep("s", Mode::Report, &run()).await.unwrap_err();
    assert!(why.contains("another model, table or user pool"), "{why}");
}
