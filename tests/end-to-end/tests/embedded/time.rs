//! What becomes due by time: windows of grants that open and close, and `due` rules.

use instep_flow::entries::EntryId;
use std::time::Duration;

use instep_aws::RunOptions;
use instep_aws::clock::{SETTLED, Tick};
use instep_local::Fault;
use instep_model::Item;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::gate::{gated, take_records};
use crate::own::{self, put};
use crate::world::{Batches, World, now, pk, run};

/// Persons, teams, and seats with a window. A ticket lapses at its time.
const MODEL: &str = r#"
[names]
ends = { is = "time" }

[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }

[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team|{teamId}"

[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
GSI1 = { pk = "P#{personId}", sk = "SEAT#{teamId}" }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", from = "opens", until = "closes" }
cognito.member = { user = "Person", group = "Team" }
events = ["opens", "closes"]

[items.Ticket]
pk = "T#{teamId}"
sk = "TICKET#{ticketId}"
entity = "Ticket"
due = [{ at = "ends", when = { state = "open" }, set = { state = "lapsed" } }]
events = ["state"]

[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
"#;

const GROUP: &str = "team|t";
const SEAT: (&str, &str) = ("T#t", "SEAT#p");

/// A time, so many seconds after the test's own present.
fn after(seconds: i64) -> Timestamp {
    now().checked_add(SignedDuration::from_secs(seconds)).unwrap()
}

fn at(now: Timestamp) -> RunOptions {
    RunOptions { now, ..run() }
}

/// A person and a team, both reconciled.
async fn world() -> World {
    let world = own::world(MODEL).await;
    put(&world, ("P#p", "P"), json!({})).await;
    put(&world, ("T#t", "T"), json!({})).await;
    world.drain().await;
    world
}

async fn seat(world: &World, window: Value) {
    let mut more = json!({"g1p": "P#p", "g1s": "SEAT#t"});
    more.as_object_mut().unwrap().extend(window.as_object().unwrap().clone());
    put(world, SEAT, more).await;
}

async fn delete_seat(world: &World) {
    world.delete(("pk", "sk"), SEAT).await;
}

/// Delivers what was written, at a time.
async fn drain_at(world: &World, time: Timestamp) {
    world.stack.clock().set(time);
    world.drain_with(at(time)).await;
}

/// Ticks the clock at a time, and delivers what it sends.
async fn tick_at(world: &World, time: Timestamp) -> Tick {
    world.stack.clock().set(time);
    let tick = world.instep.tick(&at(time)).await.unwrap();
    world.drain_with(at(time)).await;
    tick
}

/// The moments that are noted in the table.
async fn noted(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let due = |item: &&Item| pk(item, "pk").starts_with("INSTEP#DUE#");
    let mut moments: Vec<String> = items.iter().filter(due).map(|item| pk(item, "sk").to_owned()).collect();
    moments.sort();
    moments
}

/// The published grants and revocations, with the ids of the events.
fn heard(world: &World) -> Vec<(String, String)> {
    let published = world.stack.published().into_iter();
    let details = published.map(|event| {
        let detail: Value = serde_json::from_str(&event.detail).unwrap();
        let text = |name: &str| detail["metadata"][name].as_str().unwrap().to_owned();
        (text("verb"), text("id"), text("cause"))
    });
    let grants = details.filter(|(verb, ..)| ["granted", "revoked"].contains(&verb.as_str()));
    grants.map(|(verb, id, cause)| (format!("{verb} by {cause}"), id)).collect()
}

fn verbs(heard: &[(String, String)]) -> Vec<&str> {
    heard.iter().map(|(verb, _)| verb.as_str()).collect()
}

/// Promise 2: a window closes while the run that grants waits for its turn at Cognito. The moment's item is
/// gone if the grant was deleted and written again meanwhile, so only this run can take back what it gave.
#[tokio::test(start_paused = true)]
async fn a_window_that_closes_during_a_run_grants_nothing() {
    let world = world().await;
    put(&world, ("P#q", "P"), json!({})).await;
    world.drain().await;
    let world = world.pace(Duration::from_secs(10));
    seat(&world, json!({"closes": after(5).to_string()})).await;
    put(&world, ("T#t", "SEAT#q"), json!({"g1p": "P#q", "g1s": "SEAT#t"})).await;
    let records = take_records(&world).await;
    let run = RunOptions { deadline: Some(Instant::now() + Duration::from_secs(300)), ..run() };
    let report = world.instep.handle(&records, &run).await;
    assert_eq!(report.retry_from(), None);
    assert!(
        report.effects.iter().any(|effect| effect.operation == "AdminAddUserToGroup" && effect.records == [EntryId(0)])
    );
    assert_eq!(world.members(GROUP).await, ["q"]);
}

/// Promises 1 and 4: access begins and ends at its moments, each with its event.
#[tokio::test]
async fn a_window_opens_and_closes_at_its_time() {
    let world = world().await;
    seat(&world, json!({"opens": after(60).to_string(), "closes": after(600).to_string()})).await;
    drain_at(&world, after(1)).await;
    assert_eq!(world.members(GROUP).await, [""; 0]);
    assert_eq!(noted(&world).await.len(), 2);

    assert_eq!(tick_at(&world, after(59)).await, Tick::default());
    let open = tick_at(&world, after(65)).await;
    assert_eq!((open.sent, open.oldest, open.is_behind), (1, Some(after(60)), false));
    assert_eq!(world.members(GROUP).await, ["p"]);
    assert_eq!(verbs(&heard(&world)), ["granted by due"]);
    assert_eq!(noted(&world).await.len(), 1);

    tick_at(&world, after(605)).await;
    assert_eq!(world.members(GROUP).await, [""; 0]);
    assert_eq!(verbs(&heard(&world)), ["granted by due", "revoked by due"]);
    assert_eq!(noted(&world).await, [""; 0]);
}

/// Promise 2: a replay of the grant's own record after its end gives nothing back, and tells
/// subscribers nothing new.
#[tokio::test]
async fn a_grant_is_not_replayed_after_its_end() {
    let world = world().await;
    seat(&world, json!({"closes": after(600).to_string()})).await;
    let records = take_records(&world).await;
    world.stack.clock().set(after(1));
    world.instep.handle(&records, &at(after(1))).await;
    tick_at(&world, after(605)).await;
    let before = heard(&world);
    assert_eq!(verbs(&before), ["granted by write", "revoked by due"]);
    world.instep.send_records(&records, instep_aws::Sending::REPLAY, &at(after(700))).await.unwrap();
    drain_at(&world, after(700)).await;
    tick_at(&world, after(800)).await;
    assert_eq!(world.members(GROUP).await, [""; 0]);
    let ids =
        |heard: &[(String, String)]| heard.iter().map(|(_, id)| id.clone()).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(ids(&heard(&world)), ids(&before));
}

/// Promise 4: a subscriber hears of one end under one id, whether the clock or the deletion tells of
/// it.
#[tokio::test]
async fn an_end_has_one_id() {
    let window = || json!({"closes": after(600).to_string()});
    // The clock is first, and tells of it twice. Then the item is deleted.
    let world = world().await;
    seat(&world, window()).await;
    drain_at(&world, after(1)).await;
    let entries: Vec<Item> = world.state().await.items;
    tick_at(&world, after(605)).await;
    let entry = entries.iter().find(|item| pk(item, "pk").starts_with("INSTEP#DUE#")).unwrap();
    world.put(plain(entry)).await;
    tick_at(&world, after(610)).await;
    delete_seat(&world).await;
    drain_at(&world, after(611)).await;
    let by_clock = heard(&world);
    assert_eq!(verbs(&by_clock), ["granted by write", "revoked by due", "revoked by due", "revoked by due"]);
    let ids: std::collections::BTreeSet<_> = by_clock.iter().skip(1).map(|(_, id)| id).collect();
    assert_eq!(ids.len(), 1);

    // The deletion is first: the clock does not run before.
    let other = self::world().await;
    seat(&other, window()).await;
    drain_at(&other, after(1)).await;
    other.stack.clock().set(after(601));
    delete_seat(&other).await;
    drain_at(&other, after(602)).await;
    tick_at(&other, after(620)).await;
    let by_deletion = heard(&other);
    assert_eq!(verbs(&by_deletion), ["granted by write", "revoked by due"]);
    assert_eq!(by_deletion[1].1, by_clock[1].1);
}

/// Promise 4: a deletion before the end is an event of its own, and the end is none.
#[tokio::test]
async fn a_deletion_before_the_end_is_the_only_one_heard() {
    let world = world().await;
    seat(&world, json!({"closes": after(600).to_string()})).await;
    drain_at(&world, after(1)).await;
    delete_seat(&world).await;
    // Its record is handled after the end, and after the clock.
    tick_without_stream(&world, after(610)).await;
    drain_at(&world, after(620)).await;
    tick_at(&world, after(630)).await;
    assert_eq!(verbs(&heard(&world)), ["granted by write", "revoked by write"]);
    // The same grant again, with the same end: its end is another event.
    assert_eq!(noted(&world).await, [""; 0]);
}

/// Ticks the clock, and delivers the work queue only.
async fn tick_without_stream(world: &World, time: Timestamp) {
    let stream = take_records(world).await;
    world.stack.clock().set(time);
    world.instep.tick(&at(time)).await.unwrap();
    let mut batches = Batches { instep: &world.instep, run: at(time), reports: Vec::new() };
    let mut queue =
        world.stack.queue_pump(world.stack.work_queue(), instep_local::QueuePumpOptions::default()).unwrap();
    queue.drain(&mut batches).await.unwrap();
    // Now the stream.
    world.instep.handle(&stream, &at(time)).await;
}

/// Promise 1: a clock that stood still for a day sends everything in order, and the end of what began
/// meanwhile.
#[tokio::test]
async fn a_clock_catches_up() {
    let world = world().await;
    for number in 0..300 {
        let key = format!("TICKET#{number:03}");
        put(&world, ("T#t", &key), json!({"state": "open", "ends": after(60 + number).to_string()})).await;
    }
    drain_at(&world, after(1)).await;
    assert_eq!(noted(&world).await.len(), 300);
    let tick = tick_at(&world, after(86_400)).await;
    assert_eq!((tick.sent, tick.oldest, tick.is_behind), (300, Some(after(60)), false));
    let items = world.state().await.items;
    let lapsed = items.iter().filter(|item| item.get("state").and_then(|state| state.as_s()) == Some("lapsed"));
    assert_eq!(lapsed.count(), 300);
    assert_eq!(noted(&world).await, [""; 0]);
}

/// Promise 1: a clock that fails to send loses nothing, and one that is not told of its success sends
/// again, which does no harm.
#[tokio::test]
async fn a_clock_that_fails_loses_nothing() {
    let world = world().await;
    seat(&world, json!({"closes": after(600).to_string()})).await;
    drain_at(&world, after(1)).await;
    world.stack.clock().set(after(605));
    let faults = world.stack.faults();
    faults.next("SendMessageBatch", 1, Fault::refuse("AccessDenied"));
    world.instep.tick(&at(after(605))).await.unwrap_err();
    assert_eq!(noted(&world).await.len(), 1);
    faults.next("DeleteItem", 1, Fault::refuse("AccessDeniedException"));
    world.instep.tick(&at(after(605))).await.unwrap_err();
    assert_eq!(noted(&world).await.len(), 1, "it was sent, and will be sent again");
    tick_at(&world, after(606)).await;
    assert_eq!(world.members(GROUP).await, [""; 0]);
    let heard = heard(&world);
    let ends: std::collections::BTreeSet<_> = heard.iter().filter(|(verb, _)| verb == "revoked by due").collect();
    assert_eq!(ends.len(), 1);
}

/// A seat with a role, which gives a membership of its own.
const ROLES: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }

[items.Team]
pk = "T#{teamId}"
sk = "T"

[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
GSI1 = { pk = "P#{personId}", sk = "SEAT#{teamId}" }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", roles = "role", from = "opens", until = "closes" }
cognito.member = { user = "Person", group = "team|{teamId}|{role}" }

[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
"#;

/// A person with role `a` until the tenth minute, and the records of a change to role `b`, not handled yet.
async fn changed_role() -> (World, Vec<Box<serde_json::value::RawValue>>) {
    let world = own::world(ROLES).await;
    put(&world, ("P#p", "P"), json!({})).await;
    put(&world, ("T#t", "T"), json!({})).await;
    seat(&world, json!({"role": "a", "closes": after(600).to_string()})).await;
    drain_at(&world, after(1)).await;
    assert_eq!(world.members("team|t|a").await, ["p"]);
    world.stack.clock().set(after(60));
    seat(&world, json!({"role": "b", "closes": after(600).to_string()})).await;
    let records = take_records(&world).await;
    (world, records)
}

/// Promises 1 and 4: a record of a change was lost, and is replayed. The end that was noted before counts for
/// what the grant says now.
#[tokio::test]
async fn an_end_is_that_of_the_latest_role() {
    let (world, records) = changed_role().await;
    world.stack.clock().set(after(120));
    world.instep.send_records(&records, instep_aws::Sending::REPLAY, &at(after(120))).await.unwrap();
    world.drain_with(at(after(120))).await;
    assert_eq!(world.members("team|t|b").await, ["p"]);
    tick_at(&world, after(610)).await;
    assert_eq!(world.members("team|t|b").await, [""; 0]);
    assert_eq!(verbs(&heard(&world)).last(), Some(&"revoked by due"));
}

/// Promise 1: the same if nothing has noted the change: a sweep has added the membership.
#[tokio::test]
async fn an_end_is_that_of_a_role_that_no_record_told() {
    let (world, _) = changed_role().await;
    let cognito = world.instep.clients().cognito();
    let pool = world.stack.user_pool();
    cognito.create_group().user_pool_id(pool).group_name("team|t|b").send().await.unwrap();
    cognito.admin_add_user_to_group().user_pool_id(pool).group_name("team|t|b").username("p").send().await.unwrap();
    tick_at(&world, after(610)).await;
    for group in ["team|t|a", "team|t|b"] {
        assert_eq!(world.members(group).await, [""; 0], "{group}");
    }
}

/// Promise 4: a moment that is noted again after the clock has read it is sent again.
#[tokio::test]
async fn a_moment_that_is_noted_again_stays() {
    let (world, records) = changed_role().await;
    world.stack.clock().set(after(610));
    let (clock, [delete]) = gated(&world, ["DeleteItem"]);
    let run = at(after(610));
    let meanwhile = async { drop(world.instep.handle(&records, &run).await) };
    let (ticked, ()) = tokio::join!(clock.tick(&run), delete.then(meanwhile));
    ticked.unwrap();
    assert_eq!(noted(&world).await.len(), 1);
    tick_at(&world, after(670)).await;
    assert_eq!(noted(&world).await, [""; 0]);
    assert_eq!(verbs(&heard(&world)).last(), Some(&"revoked by due"));
    assert_eq!(world.members("team|t|b").await, [""; 0]);
}

/// The clock's own time needs no more than a few seconds after a moment.
#[test]
fn a_moment_is_sent_soon() {
    assert!(SETTLED < SignedDuration::from_secs(30));
}

/// An item of texts and maps in plain JSON.
fn plain(item: &Item) -> Value {
    fn value(of: &instep_model::Value) -> Value {
        if let instep_model::Value::M(fields) = of { plain(fields) } else { json!(of.as_s()) }
    }
    item.iter().map(|(name, field)| (name.clone(), value(field))).collect::<serde_json::Map<_, _>>().into()
}
