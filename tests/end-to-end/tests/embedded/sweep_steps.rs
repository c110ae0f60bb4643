//! The sweep that the work function does, step by step: it finds and repairs what the command does, and
//! a message that is lost, late or there twice changes nothing.

use std::iter;
use std::time::Duration;

use instep_aws::{Clients, Delivered, Instep, Run};
use instep_flow::sweep::{Mode, Phase, Start, State};
use instep_local::{Fault, PoolOptions};
use instep_model::Model;
use serde_json::json;

use crate::gate::{copies, gated, once_more, take_work};
use crate::own::{self, put};
use crate::sweep::{GROUP, KINDS, MODEL, broken, filled, found};
use crate::world::{World, run};

const TWO_WORKERS: Start = Start { mode: Mode::Repair, max_removals: 10, workers: 2, grace_seconds: 0 };

async fn world() -> World {
    filled(own::world(MODEL).await.parking()).await
}

async fn last(world: &World) -> State {
    world.instep.last_sweep(&run()).await.unwrap().unwrap()
}

/// Sweeps by messages, and delivers the repairs.
async fn swept(world: &World, start: &Start) -> State {
    world.instep.send_start(start.clone(), &run()).await.unwrap();
    world.drain().await;
    let state = last(world).await;
    assert_eq!((state.phase, state.active().len()), (Phase::Over, 0), "{state:?}");
    state
}

/// What the sweep says differs, a line each.
async fn said(world: &World, state: &State) -> Vec<String> {
    let found = world.instep.differences_of(state, &run()).await.unwrap();
    let mut lines: Vec<_> = found.into_iter().map(|found| format!("{} {}", found.kind.word(), found.about)).collect();
    lines.sort();
    lines
}

fn sorted(expected: &[&str]) -> Vec<String> {
    let mut lines: Vec<_> = expected.iter().map(|line| (*line).to_owned()).collect();
    lines.sort();
    lines
}

/// Promise 1: the work function finds what the command finds, and repairs it.
#[tokio::test]
async fn each_kind_of_drift_is_found_and_repaired_by_messages() {
    for (kind, expected) in KINDS {
        let world = world().await;
        broken(&world, kind).await;
        let state = swept(&world, &TWO_WORKERS).await;
        assert_eq!(said(&world, &state).await, sorted(expected), "{kind}");
        assert_eq!((state.tally.sent, state.tally.drift()), (expected.len() as u64, expected.len() as u64), "{kind}");
        assert_eq!(found(&world).await, [""; 0], "{kind}");
        let again = swept(&world, &TWO_WORKERS).await;
        assert_eq!((again.tally.found, again.tally.sent), (0, 0), "{kind}");
    }
}

/// A sweep of a correct world changes nothing but its own state, and reads the pool by groups.
#[tokio::test]
async fn messages_of_a_sweep_change_nothing_in_a_correct_world() {
    let world = world().await;
    let own = |state: instep_local::WorldState| {
        let items = state.items.into_iter().filter(|item| crate::world::pk(item, "pk") != "INSTEP#SWEEP");
        format!("{:?} {:?} {:?}", items.collect::<Vec<_>>(), state.groups, state.users)
    };
    let before = own(world.state().await);
    let calls = world.stack.calls().snapshot();
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.users, state.tally.groups, state.tally.members), (1, 2, 2));
    assert_eq!((state.tally.found, state.tally.drift(), state.layout.chunks), (0, 0, 0));
    assert_eq!(own(world.state().await), before);
    let made = world.stack.calls().snapshot();
    let count = |name: &str| made.get(name).copied().unwrap_or_default() - calls.get(name).copied().unwrap_or_default();
    assert_eq!((count("ListGroups"), count("ListUsers"), count("ListUsersInGroup")), (1, 1, 2));
    assert_eq!((count("AdminGetUser"), count("AdminListGroupsForUser")), (0, 0));
    let report = swept(&world, &Start { mode: Mode::Report, ..TWO_WORKERS }).await;
    assert_ne!(report.id, state.id, "a sweep that has ended makes room for the next");
}

/// Promise 1: each step sends the repairs of a part of the differences, and none is left.
#[tokio::test]
async fn more_differences_than_one_step_repairs_are_all_repaired() {
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
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.drift(), state.tally.sent), (60, 60));
    assert!(state.layout.chunks > 1, "{state:?}");
    assert_eq!(found(&world).await, [""; 0]);
}

/// A report sends nothing.
#[tokio::test]
async fn a_report_by_messages_repairs_nothing() {
    let world = world().await;
    broken(&world, "missing-member").await;
    let state = swept(&world, &Start { mode: Mode::Report, ..TWO_WORKERS }).await;
    assert_eq!((state.tally.drift(), state.tally.repairable, state.tally.sent), (1, 1, 0));
    assert_eq!(world.members(GROUP).await, [""; 0]);
}

/// Promise 1: a wrong model must not empty a user pool.
#[tokio::test]
async fn a_sweep_by_messages_that_would_remove_too_much_sends_nothing() {
    let world = world().await;
    broken(&world, "extra-member").await;
    broken(&world, "missing-member").await;
    let state = swept(&world, &Start { max_removals: 1, ..TWO_WORKERS }).await;
    assert!(state.is_stopped());
    assert_eq!((state.tally.removals, state.tally.sent), (2, 0));
    assert_eq!(world.members(GROUP).await, ["x"]);
}

/// Delivers each message of the work queue several times, the later ones as redeliveries, and the next
/// messages only then.
async fn each_delivered(world: &World, times: u32) {
    for round in 0.. {
        assert!(round < 500, "the sweep does not end");
        let messages = take_work(world).await;
        if messages.is_empty() {
            return;
        }
        let mut again: Vec<Delivered> = messages;
        for _ in 0..times {
            let report = world.instep.work(&again, &run()).await;
            assert_eq!(report.failed, [""; 0]);
            again = once_more(&again);
        }
    }
}

/// A message that is delivered twice counts once.
#[tokio::test]
async fn messages_that_are_there_twice_count_once() {
    let world = world().await;
    for kind in ["missing-member", "extra-user", "index key"] {
        broken(&world, kind).await;
    }
    world.instep.send_start(TWO_WORKERS, &run()).await.unwrap();
    each_delivered(&world, 2).await;
    let state = last(&world).await;
    assert_eq!(said(&world, &state).await, ["extra-user y", "index-key Seat t/p", "missing-member p in team|t"]);
    assert_eq!((state.tally.users, state.tally.members, state.tally.sent), (2, 1, 3));
    world.drain().await;
    assert_eq!(found(&world).await, [""; 0]);
}

/// The message of the step that lists the groups, which is done, and those of two lanes that are to read.
async fn two_lanes(world: &World) -> (Vec<Delivered>, Vec<Delivered>) {
    world.instep.send_start(TWO_WORKERS, &run()).await.unwrap();
    world.instep.work(&take_work(world).await, &run()).await;
    let groups = take_work(world).await;
    world.instep.work(&groups, &run()).await;
    let both = take_work(world).await;
    assert_eq!((groups.len(), both.len()), (1, 2), "one lane lists the groups, two lanes read");
    (groups, both)
}

/// Promise 8: copies of messages have no effect, so that they do not become more and more: not in the
/// batch of another step, not when they come late, and not if what they send comes late, too.
#[tokio::test]
async fn copies_of_messages_do_not_multiply() {
    let world = world().await;
    let at = |seconds: i64| Run { now: run().now + jiff::SignedDuration::from_secs(seconds), ..run() };
    let (groups, both) = two_lanes(&world).await;
    let sent = async |messages: Vec<Delivered>, seconds| {
        let report = world.instep.work(&messages, &at(seconds)).await;
        assert_eq!(report.failed, [""; 0]);
        take_work(&world).await
    };
    // Only the first copy sends both lanes' steps again: the worker of the step may have died.
    assert_eq!(sent(copies(&groups[0], 10), 60).await.len(), 2);
    assert_eq!(sent(copies(&groups[0], 10), 80).await.len(), 0);
    let second = sent(copies(&both[0], 1), 81).await;
    // Copies of a step that is done send nothing, whatever is in the batch before them.
    let third = sent(iter::chain(copies(&second[0], 1), copies(&both[0], 8)).collect(), 82).await;
    assert_eq!((second.len(), third.len()), (1, 1));
    // A step that is still to do is put off once, however many copies of its message there are.
    let after = sent(iter::chain(copies(&third[0], 1), copies(&both[1], 8)).collect(), 83).await;
    let bodies: Vec<_> = after.iter().map(|message| &message.body).collect();
    assert_eq!(bodies.len(), 2);
    assert!(bodies.contains(&&both[1].body), "{bodies:?}");
}

/// An invocation does one step, also if that fails: the next one might not fit into its time.
#[tokio::test]
async fn after_a_failed_step_the_others_are_put_off() {
    let world = world().await;
    let (_, mut both) = two_lanes(&world).await;
    both.reverse();
    let refused = Fault::Refuse { status: 400, code: "NotAuthorizedException".to_owned() };
    world.stack.faults().on("ListUsers", 0..100, refused);
    let report = world.instep.work(&both, &run()).await;
    assert_eq!(report.failed, [both[0].id.clone()]);
    let sent = take_work(&world).await;
    assert_eq!(sent.iter().map(|message| &message.body).collect::<Vec<_>>(), [&both[1].body]);
}

/// A worker that dies at any call of a step, before or after it has written the state, is followed by one
/// that goes on.
#[tokio::test]
async fn a_worker_that_dies_is_followed_by_another() {
    for operation in ["BatchGetItem", "ListUsers", "ListUsersInGroup", "Scan", "PutItem", "SendMessageBatch"] {
        let world = world().await;
        broken(&world, "missing-member").await;
        world.instep.send_start(Start { workers: 1, ..TWO_WORKERS }, &run()).await.unwrap();
        let mut has_died = 0;
        for _ in 0..200 {
            let messages = take_work(&world).await;
            if messages.is_empty() {
                break;
            }
            for message in messages {
                let message = [message];
                let (handler, [stop]) = gated(&world, [operation]);
                let now = run();
                tokio::select! {
                    biased;
                    report = handler.work(&message, &now) => assert_eq!(report.failed, [""; 0]),
                    () = stop.reached() => {
                        has_died += 1;
                        let report = world.instep.work(&once_more(&message), &run()).await;
                        assert_eq!(report.failed, [""; 0], "{operation}");
                    }
                }
            }
        }
        assert!(has_died > 0, "{operation}");
        let state = last(&world).await;
        assert!(!state.is_under_way(), "{operation}: {state:?}");
        assert_eq!((state.tally.users, state.tally.sent, state.tally.drift()), (1, 1, 1), "{operation}");
        world.drain().await;
        assert_eq!(world.members(GROUP).await, ["p"], "{operation}");
    }
}

/// The answer to a write of the state is lost: the write counts once, and the next step is sent.
#[tokio::test]
async fn a_lost_answer_counts_once() {
    let world = world().await;
    broken(&world, "missing-member").await;
    for call in [0, 2, 5] {
        world.stack.faults().on("PutItem", call..call + 1, Fault::LoseAnswer);
    }
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.users, state.tally.sent), (1, 1));
    assert_eq!(world.members(GROUP).await, ["p"]);
}

/// Only one sweep is under way. One whose messages are lost goes on at the next start.
#[tokio::test]
async fn a_start_while_a_sweep_is_under_way_starts_none() {
    let world = world().await;
    world.instep.send_start(TWO_WORKERS, &run()).await.unwrap();
    let start = take_work(&world).await;
    let at = |minutes: i64| Run { now: run().now + jiff::SignedDuration::from_mins(minutes), ..run() };
    let late = |report: instep_aws::WorkReport| report.sweeps.iter().any(|swept| swept.is_late);
    assert!(!late(world.instep.work(&start, &at(0)).await));
    let first = take_work(&world).await;
    assert_eq!(first.len(), 1, "the groups are listed by one lane");
    let soon = Run { now: run().now + jiff::SignedDuration::from_secs(20), ..run() };
    assert!(late(world.instep.work(&start, &soon).await), "the sweep is still under way");
    assert_eq!(take_work(&world).await.len(), 0);
    assert!(late(world.instep.work(&start, &at(40)).await));
    let sent_again = take_work(&world).await;
    assert_eq!(sent_again.iter().map(|message| &message.body).collect::<Vec<_>>(), [&first[0].body], "it goes on");
    assert_eq!(world.instep.work(&sent_again, &at(40)).await.failed, [""; 0]);
    world.drain().await;
    let state = last(&world).await;
    assert_eq!((state.phase, state.tally.users), (Phase::Over, 1));
}

/// A table without a pool is swept, too.
#[tokio::test]
async fn a_table_without_a_pool_is_swept() {
    let mut world = world().await;
    broken(&world, "index key").await;
    let settings = instep_aws::Settings { user_pool: None, ..world.settings() };
    world.instep = Instep::new(world.model(), Clients::new(&world.stack.sdk_config()), settings);
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.users, state.tally.sent), (0, 1));
    assert_eq!(said(&world, &state).await, ["index-key Seat t/p"]);
}

/// Promise 2: a pool that takes no notice of case: names that differ in case only are one user there, who may
/// be that of another item. A sweep removes nobody by such a name.
#[tokio::test]
async fn names_of_a_pool_that_folds_case_agree() {
    let text = format!("model = \"own\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{MODEL}");
    let model = Model::parse("own.toml", &text).unwrap();
    let pool = PoolOptions { case_sensitive: false, ..PoolOptions::of(&model) };
    let world = World::of_pool(model, Duration::ZERO, pool).await.parking();
    put(&world, ("P#Ann", "P"), json!({"email": "a@x.example"})).await;
    put(&world, ("T#t", "T"), json!({})).await;
    put(&world, ("T#t", "SEAT#Ann"), json!({"g1p": "P#Ann", "g1s": "SEAT#t"})).await;
    world.drain().await;
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.users, state.tally.found), (1, 0), "{:?}", said(&world, &state).await);
    let cognito = world.instep.clients().cognito();
    cognito.admin_create_user().user_pool_id(world.stack.user_pool()).username("Ben").send().await.unwrap();
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.found, state.tally.sent), (1, 0), "{:?}", said(&world, &state).await);
    assert_eq!(world.state().await.users.len(), 2);
}

/// A sweep that cannot go on, because what it has read is gone, does not stop the ones after it.
#[tokio::test]
async fn a_sweep_that_cannot_go_on_is_given_up() {
    let world = world().await;
    world.instep.send_start(TWO_WORKERS, &run()).await.unwrap();
    let messages = take_work(&world).await;
    world.instep.work(&messages, &run()).await;
    // Its steps are lost.
    take_work(&world).await;
    let first = last(&world).await;
    broken(&world, "missing-member").await;
    let later = |hours: i64| Run { now: run().now + jiff::SignedDuration::from_hours(hours), ..run() };
    for (hours, is_new) in [(11, false), (13, true)] {
        world.instep.send_start(TWO_WORKERS, &later(hours)).await.unwrap();
        let messages = take_work(&world).await;
        world.instep.work(&messages, &later(hours)).await;
        assert_eq!(last(&world).await.id != first.id, is_new, "after {hours} hours");
        if !is_new {
            take_work(&world).await;
        }
    }
    world.drain_with(later(13)).await;
    assert_eq!(last(&world).await.phase, Phase::Over);
    assert_eq!(world.members(GROUP).await, ["p"]);
}

/// A backfill on the work queue reads the table by segments, and lets what it sends go first.
#[tokio::test]
async fn a_backfill_by_messages_creates_what_is_missing() {
    let world = world().await;
    let cognito = world.instep.clients().cognito();
    let pool = world.stack.user_pool();
    cognito.delete_group().user_pool_id(pool).group_name(GROUP).send().await.unwrap();
    let published = world.stack.published().len();
    let state = swept(&world, &Start { mode: Mode::Backfill, ..TWO_WORKERS }).await;
    let items = world.state().await.items.len() as u64;
    assert_eq!((state.tally.items, state.tally.sent, state.tally.users), (items, items, 0));
    assert_eq!(world.members(GROUP).await, ["p"]);
    assert_eq!(world.stack.published().len(), published, "a backfill publishes nothing");
}

/// What is in progress is no drift: the second read does not show it.
#[tokio::test]
async fn what_a_sweep_by_messages_finds_in_progress_is_no_drift() {
    let world = world().await;
    put(&world, ("P#q", "P"), json!({"email": "q@x.example"})).await;
    world.instep.send_start(Start { workers: 1, ..TWO_WORKERS }, &run()).await.unwrap();
    while !matches!(world.instep.last_sweep(&run()).await.unwrap(), Some(State { phase: Phase::Confirm, .. })) {
        let messages = take_work(&world).await;
        assert!(!messages.is_empty());
        world.instep.work(&messages, &run()).await;
    }
    world.drain().await;
    let state = last(&world).await;
    assert_eq!((state.tally.drift(), state.tally.in_progress, state.tally.sent), (0, 2, 0));
}

/// Another Instep, or a person, wrote something else there: it counts as no sweep.
#[tokio::test]
async fn a_state_that_cannot_be_read_counts_as_none() {
    let world = world().await;
    put(&world, ("INSTEP#SWEEP", "SWEEP"), json!({"instep": {"of": "SWEEP", "state": "{}"}})).await;
    let state = swept(&world, &TWO_WORKERS).await;
    assert_eq!((state.tally.users, state.tally.found), (1, 0));
}
