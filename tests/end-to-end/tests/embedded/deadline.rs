//! Deadlines that are too short for a batch: the rest is left to the next delivery, and each
//! delivery makes progress (promise 8).

use std::time::Duration;

use instep_aws::{Clients, Run};
use instep_flow::report::Outcome;
use instep_local::{PumpOptions, ReadFrom};
use serde_json::json;
use tokio::time::Instant;

use crate::world::{World, run};

/// The time between two calls to Cognito, and the time of one invocation: enough for 25 calls.
const INTERVAL: Duration = Duration::from_millis(20);
const INVOCATION: Duration = Duration::from_millis(500);

/// More users than one invocation can create.
const USERS: usize = 30;

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
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).await.unwrap();
    let mut from = 0;
    let mut invocations = 0;
    while from < records.len() {
        let run = Run { deadline: Some(Instant::now() + INVOCATION), ..run() };
        let report = world.instep.handle(&records[from..], &run).await;
        assert_eq!(report.records.len(), records.len() - from);
        let handled = report.retry_from().unwrap_or(report.records.len());
        assert!(handled > 0, "an invocation without progress would be repeated for ever");
        from += handled;
        invocations += 1;
    }
    assert!(invocations > 2, "all of it would have fitted");
    assert_eq!(world.state().await.users.len(), USERS);
    // The root group has no record of its own: the grant was handed on with it.
    world.drain_work().await;
    assert_eq!(world.members("/|||reader").await, ["u00@example.com"]);
    assert_eq!(world.verbs().len(), USERS + 1, "each change is heard once");
}

/// A service that accepts a call and never answers does not keep the run waiting until Lambda ends
/// the invocation.
#[tokio::test]
async fn a_call_does_not_outlast_the_time_that_is_left() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let world = World::open("access-management").await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).await.unwrap();
    let config = instep_aws::connect::endpoint(&url, &instep_aws::calls::Calls::default()).await;
    let handler = world.handler(Clients::new(&config));
    let started = Instant::now();
    let run = Run { deadline: Some(started + INVOCATION), ..run() };
    let report = handler.handle(&records, &run).await;
    assert_eq!(report.retry_from(), Some(0));
    assert!(started.elapsed() < INVOCATION * 4, "{:?}", started.elapsed());
    let Outcome::Retry { why } = &report.records[0].outcome else { unreachable!() };
    assert!(why.contains("no time was left"), "{why}");
}
