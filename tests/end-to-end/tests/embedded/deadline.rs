//! Deadlines that are too short for a batch: the rest is left to the next delivery, and each
//! delivery makes progress (promise 8).

use std::time::Duration;

use instep_aws::{Clients, QueueMessage, RunOptions};
use instep_flow::doubt::Doubt;
use instep_flow::report::Outcome;
use instep_local::{Fault, PumpOptions, ReadFrom};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::gate::{replayed, take_records, take_work};
use crate::world::{BUCKET, World, run};

/// The time between two calls to Cognito, and the time of one invocation: enough for 15 calls.
const INTERVAL: Duration = Duration::from_millis(20);
const INVOCATION: Duration = Duration::from_millis(300);

/// More users than one invocation can create.
const USERS: usize = 30;

/// The groups of each group item of the model.
const ROLES: usize = 3;

/// Delivers what is left of a batch until all of it is handled. Each invocation has this time, and handles
/// at least its first record. Returns the number of invocations.
async fn handle_all(world: &World, records: &[Box<RawValue>], time: Duration) -> usize {
    let (mut from, mut invocations) = (0, 0);
    while from < records.len() {
        let run = RunOptions { deadline: Some(Instant::now() + time), ..run() };
        let report = world.instep.handle(&records[from..], &run).await;
        assert_eq!(report.records.len(), records.len() - from);
        let handled = report.retry_from().unwrap_or(report.records.len());
        assert!(handled > 0, "an invocation without progress would be repeated for ever, from {from}");
        from += handled;
        invocations += 1;
    }
    invocations
}

/// The first record is a grant. In a whole batch it is applied after all users are created. In a
/// batch of its own it must be applied earlier.
#[tokio::test(start_paused = true)]
async fn each_invocation_gets_further_and_ends_in_time() {
    let world = World::paced("access-management", INTERVAL).await;
    world.put(json!({"pk": "U:u00@example.com", "sk": "G:/", "role": "reader"})).await;
    for place in 0..USERS {
        let key = format!("U:u{place:02}@example.com");
        world.put(json!({"pk": key, "sk": key, "email": format!("u{place:02}@example.com")})).await;
    }
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).unwrap();
    let invocations = handle_all(&world, &records, INVOCATION).await;
    assert!(invocations > 2, "all of it would have fitted");
    assert_eq!(world.state().await.users.len(), USERS);
    // The root group has no record of its own: the grant was handed on with it.
    world.drain_work().await;
    assert_eq!(world.members("/|||reader").await, ["u00@example.com"]);
    assert_eq!(world.verbs().len(), USERS + 1, "each change is heard once");
}

/// Enough for 20 revocations in the first attempt, and after that for the groups of one group item. Not
/// for those of two.
const INVOCATION_WITH_GROUPS: Duration = Duration::from_secs(1);

/// Promise 8: an attempt at all records spends its time on what they revoke, which comes first. What is
/// left is enough for the first record alone, and not for several.
#[tokio::test(start_paused = true)]
async fn a_record_that_takes_much_of_the_time_is_handled() {
    let world = World::paced("access-management", INTERVAL).await;
    let grant = |place| (format!("U:u{place:02}@example.com"), "G:/");
    for (user, group) in (0..USERS).map(grant) {
        world.put(json!({"pk": user, "sk": group, "role": "reader"})).await;
    }
    world.stack.pump(PumpOptions::default()).unwrap().skip_to_end().unwrap();
    for group in ["G:/a", "G:/b"] {
        world.put(json!({"pk": group, "sk": group, "id": group})).await;
    }
    for (user, group) in (0..USERS).map(grant) {
        world.delete(("pk", "sk"), (&user, group)).await;
    }
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).unwrap();
    handle_all(&world, &records, INVOCATION_WITH_GROUPS).await;
    assert_eq!(world.state().await.groups.len(), 2 * ROLES);
    assert_eq!(world.verbs().len(), USERS + 2, "each change is heard once");
}

/// Group items that one message names, and the time of an invocation that can create the Cognito groups
/// of about six of them.
const GROUPS: usize = 25;
const INVOCATION_OF_WORK: Duration = Duration::from_secs(2);

/// Delivers messages, and those that follow from them, ten at a time as SQS does, until all are done.
/// None fails. Returns the number of deliveries.
async fn deliver(world: &World, bodies: Vec<String>, time: Duration) -> usize {
    let first = |body| QueueMessage { id: String::new(), body, receives: 1 };
    let mut waiting: Vec<QueueMessage> = bodies.into_iter().map(first).collect();
    let mut deliveries = 0;
    while !waiting.is_empty() {
        deliveries += 1;
        let mut batch: Vec<QueueMessage> = waiting.drain(..waiting.len().min(10)).collect();
        batch.iter_mut().enumerate().for_each(|(place, message)| message.id = place.to_string());
        let run = RunOptions { deadline: Some(Instant::now() + time), ..run() };
        let report = world.instep.work(&batch, &run).await;
        assert_eq!(report.failed, [""; 0], "a message that is only waiting comes closer to the dead-letter queue");
        waiting.extend(take_work(world).await);
    }
    deliveries
}

async fn world_with_groups(count: usize) -> World {
    let world = World::paced("access-management", INTERVAL).await;
    for place in 0..count {
        let key = format!("G:/{place}");
        world.put(json!({"pk": key, "sk": key, "id": format!("/{place}")})).await;
    }
    world
}

/// A message whose work takes longer than an invocation becomes smaller with each delivery: else each
/// would begin with the first record again, until the message is a dead letter. What waits behind it in
/// the batch does not fail.
#[tokio::test(start_paused = true)]
async fn messages_of_many_records_are_done_in_parts() {
    let count = 2 * GROUPS + 1;
    let world = world_with_groups(count).await;
    let messages = replayed(&world, &take_records(&world).await).await;
    assert_eq!(messages.len(), 3);
    let deliveries =
        deliver(&world, messages.into_iter().map(|message| message.body).collect(), INVOCATION_OF_WORK).await;
    assert!(deliveries > 2, "all of it would have fitted");
    assert_eq!(world.state().await.groups.len(), count * ROLES);
    assert_eq!(world.verbs().len(), count, "each change is heard once");
}

/// The same for a message that names objects.
#[tokio::test(start_paused = true)]
async fn a_message_of_many_objects_is_done_in_parts() {
    let world = world_with_groups(GROUPS).await;
    let objects: Vec<_> =
        (0..GROUPS).map(|place| json!({"type": "Group", "names": {"groupId": format!("/{place}")}})).collect();
    let message = json!({"version": "1", "model": "access-management", "table": "table", "hops": 0,
        "work": {"reconcile": objects}});
    let deliveries = deliver(&world, vec![message.to_string()], INVOCATION_OF_WORK).await;
    assert!(deliveries > 2, "all of it would have fitted");
    assert_eq!(world.state().await.groups.len(), GROUPS * ROLES);
}

/// Promise 1: somebody deletes a Cognito group, and messages about new members create it again, in a run that has no
/// time to send the other members to the work queue. The next attempt, or the run over what replaces the
/// messages, does.
#[tokio::test(start_paused = true)]
async fn what_follows_from_an_attempt_without_time_is_done_by_the_next() {
    for (new, refused) in [(60, 0), (5, u64::MAX)] {
        let world = World::paced("access-management", INTERVAL).await;
        let write = async |places: std::ops::Range<usize>| {
            for place in places {
                let user = format!("U:u{place:03}@example.com");
                world.put(json!({"pk": user, "sk": user, "email": format!("u{place:03}@example.com")})).await;
                world.put(json!({"pk": user, "sk": "G:/a", "role": "reader"})).await;
            }
        };
        world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
        write(0..20).await;
        world.drain().await;
        let delete = world.instep.clients().cognito().delete_group().user_pool_id(world.stack.user_pool());
        delete.group_name("/a|||reader").send().await.unwrap();
        write(20..20 + new).await;
        world.instep.handle(&take_records(&world).await, &run()).await;
        let mut messages = take_work(&world).await;
        world.stack.faults().next("AdminAddUserToGroup", refused, Fault::refuse("TooManyRequestsException"));
        if refused > 0 {
            let run = RunOptions { deadline: Some(Instant::now() + INVOCATION_OF_WORK), ..run() };
            assert!(world.instep.work(&messages, &run).await.report.is_out_of_time);
            messages = take_work(&world).await;
            world.stack.faults().clear();
        }
        let bodies = messages.into_iter().map(|message| message.body).collect();
        deliver(&world, bodies, Duration::from_millis(1_200)).await;
        assert_eq!(world.members("/a|||reader").await.len(), 20 + new, "{new} new members");
    }
}

/// A message that names one group item.
fn reconciling(place: usize, receives: u32, doubt: Doubt) -> QueueMessage {
    let object = json!({"type": "Group", "names": {"groupId": format!("/{place}")}});
    let body = json!({"version": "1", "model": "access-management", "table": "table", "hops": 0, "doubt": doubt,
        "work": {"reconcile": [object]}});
    QueueMessage { id: place.to_string(), body: body.to_string(), receives }
}

/// Enough for two of the three groups of an item.
const TOO_SHORT: Duration = Duration::from_millis(400);

/// Promise 6: a message that takes longer than an invocation and cannot be divided fails, and so does what
/// waits with it. Nothing replaces either, so both have to stay in the queue.
#[tokio::test(start_paused = true)]
async fn nothing_is_lost_beside_a_message_that_cannot_be_divided() {
    let world = world_with_groups(2).await;
    let run = RunOptions { deadline: Some(Instant::now() + TOO_SHORT), ..run() };
    let report = world.instep.work(&[reconciling(0, 1, Doubt::Sure), reconciling(1, 2, Doubt::Sure)], &run).await;
    assert!(report.report.is_out_of_time);
    assert_eq!(report.failed, ["0", "1"]);
    assert!(take_work(&world).await.is_empty());
}

/// Promise 8: what was delivered before goes first: otherwise messages that it has sent could go first each
/// time.
#[tokio::test]
async fn what_was_delivered_before_goes_first() {
    let world = world_with_groups(3).await;
    let message =
        |place, receives| reconciling(place, receives, if place == 2 { Doubt::MayBeDone } else { Doubt::Sure });
    let report = world.instep.work(&[message(0, 1), message(1, 2), message(2, 1)], &run()).await;
    assert_eq!(report.entries.iter().map(|entry| entry.message).collect::<Vec<_>>(), [1, 2, 0]);
}

/// Promise 8: a message whose record cannot be fetched is no new one each time: it goes first, and ends in the
/// dead-letter queue.
#[tokio::test]
async fn a_message_that_cannot_be_fetched_goes_first_and_ages() {
    let world = World::with_parking("access-management").await;
    let object = json!({"bucket": BUCKET, "key": "parked/m/1.json"});
    let records = json!({"records": {"origin": "failed", "records": [], "objects": [object]}});
    let body = json!({"version": "1", "model": "access-management", "table": "table", "hops": 0, "work": records});
    let unread = QueueMessage { id: "0".to_owned(), body: body.to_string(), receives: 2 };
    world.stack.faults().next("GetObject", 9, Fault::refuse("AccessDenied"));
    let run = RunOptions { deadline: Some(Instant::now() + INVOCATION), ..run() };
    let report = world.instep.work(&[reconciling(1, 1, Doubt::Sure), unread], &run).await;
    assert!(report.failed.contains(&"0".to_owned()), "{:?}", report.failed);
    assert!(take_work(&world).await.is_empty());
}

/// A service that accepts a call and never answers does not keep the run waiting until Lambda ends
/// the invocation.
#[tokio::test]
async fn a_call_does_not_outlast_the_time_that_is_left() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let world = World::open("access-management").await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).unwrap();
    let config = instep_aws::connect::endpoint(&url, &instep_aws::calls::Calls::default()).await;
    let handler = world.handler(Clients::new(&config));
    let started = Instant::now();
    let run = RunOptions { deadline: Some(started + INVOCATION), ..run() };
    let report = handler.handle(&records, &run).await;
    assert_eq!(report.retry_from(), Some(0));
    assert!(started.elapsed() < INVOCATION * 4, "{:?}", started.elapsed());
    let Outcome::Retry { why } = &report.records[0].outcome else { unreachable!() };
    assert!(why.contains("no time was left"), "{why}");
}

/// Members of one group, whose grants are handled before the records of the group and of its members.
const MEMBERS: usize = 150;

/// Promise 8: a bulk import. Each message names the group of all. If those that only waited sent all members of
/// the group to the work queue, each member would be added as often as there are messages.
#[tokio::test(start_paused = true)]
async fn members_are_not_sent_by_each_message_that_waited() {
    let world = World::paced("access-management", INTERVAL).await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    for place in 0..MEMBERS {
        let user = format!("U:u{place:03}@example.com");
        world.put(json!({"pk": user, "sk": user, "email": format!("u{place:03}@example.com")})).await;
    }
    world.stack.pump(PumpOptions::default()).unwrap().skip_to_end().unwrap();
    for place in 0..MEMBERS {
        world.put(json!({"pk": format!("U:u{place:03}@example.com"), "sk": "G:/a", "role": "reader"})).await;
    }
    world.instep.handle(&take_records(&world).await, &run()).await;
    let messages = take_work(&world).await;
    deliver(&world, messages.into_iter().map(|message| message.body).collect(), INVOCATION_OF_WORK).await;
    assert_eq!(world.members("/a|||reader").await.len(), MEMBERS);
    // Once by the stream, once by its own message, once more after the group was created, and again where an
    // attempt had too little time.
    let calls = world.stack.calls().snapshot();
    assert!(calls["AdminAddUserToGroup"] < 6 * MEMBERS as u64, "{calls:?}");
}

/// Promise 8: near the deadline, the rest is left to a retry.
#[tokio::test(start_paused = true)]
async fn a_deadline_is_respected() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.stack.faults().next("CreateGroup", 1_000, Fault::refuse("TooManyRequestsException"));
    let records = take_records(&world).await;
    let deadline = Instant::now() + Duration::from_millis(120);
    let report = world.instep.handle(&records, &RunOptions { deadline: Some(deadline), ..run() }).await;
    assert_eq!(report.retry_from(), Some(0));
    // With enough time, a failing call is tried six times. Here the waits between the attempts are
    // longer than the remaining time.
    assert!(Instant::now() < deadline, "{:?}", world.stack.calls().snapshot());
}

/// Promise 8: a cascade ends even if each invocation has little time.
#[tokio::test(start_paused = true)]
async fn a_cascade_ends_with_little_time() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "U:x@example.com", "email": "x@example.com"})).await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
    for _ in 0..10 {
        let records = take_records(&world).await;
        if records.is_empty() {
            break;
        }
        let deadline = Some(Instant::now() + Duration::from_secs(3));
        world.instep.handle(&records, &RunOptions { deadline, ..run() }).await;
    }
    world.drain().await;
    assert!(world.state().await.items.iter().all(|item| !item["sk"].as_s().unwrap().starts_with("G:")));
}
