//! Indexes lag behind their table: what a cascade does about it. An index that lags is played by writing a row only when the
//! first pass is over, and by never delivering that row's own record.

use std::time::Duration;

use instep_aws::Run;
use instep_flow::work::Origin;
use instep_local::{PumpOptions, ReadFrom};
use instep_model::Value;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::world::{World, pk, run};

const LAG: Duration = Duration::from_millis(150);

/// The records that the stream holds and nobody was given yet; they count as given now.
async fn take_records(world: &World) -> Vec<Box<RawValue>> {
    let mut pump = world.stack.pump(PumpOptions::default()).unwrap();
    let records = pump.read_all(ReadFrom::Checkpoint).await.unwrap();
    pump.skip_to_end().await.unwrap();
    records
}

/// Delivers what has `word` in its key, and nothing else of what the stream holds.
async fn deliver_only(world: &World, word: &str) {
    let key = |record: &RawValue| {
        let record: serde_json::Value = serde_json::from_str(record.get()).unwrap();
        record.pointer("/dynamodb/Keys").unwrap().to_string()
    };
    let mut records = take_records(world).await;
    records.retain(|record| key(record).contains(word));
    assert!(!records.is_empty(), "nothing speaks of {word}");
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(report.retry_from(), None);
}

async fn put_account(world: &World, id: &str) {
    world.put(json!({"PK": format!("ACCOUNT#{id}"), "SK": "METADATA"})).await;
}

async fn put_user(world: &World, id: &str, account: &str) {
    let account = format!("ACCOUNT#{account}#USERS");
    let user = format!("USER#{id}");
    world.put(json!({"PK": user, "SK": "METADATA", "GSI2PK": account, "GSI2SK": user})).await;
}

async fn put_workstream(world: &World, id: &str, account: &str) {
    let sk = format!("WORKSTREAM#{id}");
    let account = format!("ACCOUNT#{account}");
    world.put(json!({"PK": account, "SK": sk, "GSI1PK": "ENTITY#WORKSTREAM", "GSI1SK": sk})).await;
}

async fn put_tool(world: &World, id: &str, workstream: &str) {
    world.put(json!({"PK": format!("WORKSTREAM#{workstream}"), "SK": format!("TOOL#{id}")})).await;
}

async fn holds(world: &World, wanted: &str) -> bool {
    world.state().await.items.iter().any(|item| pk(item, "PK") == wanted)
}

async fn job_of(world: &World, tombstone: &str) -> Option<String> {
    let state = world.state().await;
    let item = state.items.iter().find(|item| pk(item, "PK") == tombstone)?;
    let Some(Value::M(fields)) = item.get("instep") else { unreachable!("{item:?}") };
    fields.get("state").and_then(Value::as_s).map(str::to_owned)
}

const GONE_ACCOUNT: &str = "INSTEP#GONE#Account/account_id=a";
const GONE_WORKSTREAM: &str = "INSTEP#GONE#Workstream/account_id=a/workstream_id=w";

/// Promise 1: a child that the index shows only after the first pass goes with the last one, which waits for the index.
#[tokio::test(start_paused = true)]
async fn a_child_that_the_index_shows_late_goes_with_the_last_pass() {
    let world = World::lagging("platform", LAG).await;
    put_account(&world, "a").await;
    put_user(&world, "early", "a").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    deliver_only(&world, "ACCOUNT#a").await;
    assert!(!holds(&world, "USER#early").await);
    assert_eq!(job_of(&world, GONE_ACCOUNT).await.as_deref(), Some("open"), "a last pass is owed");
    put_user(&world, "late", "a").await;
    let started = Instant::now();
    deliver_only(&world, "INSTEP#GONE#Account").await;
    assert!(started.elapsed() >= LAG, "the last pass did not wait for the index: {:?}", started.elapsed());
    assert!(!holds(&world, "USER#late").await, "it stays behind its account");
    assert_eq!(job_of(&world, GONE_ACCOUNT).await.as_deref(), Some("done"));
}

/// Promise 2: a parent made again before the last pass keeps what was written since, and no tombstone stays.
#[tokio::test(start_paused = true)]
async fn a_parent_made_again_before_the_last_pass_keeps_its_children() {
    let world = World::lagging("platform", LAG).await;
    put_account(&world, "a").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "METADATA")).await;
    deliver_only(&world, "ACCOUNT#a").await;
    put_account(&world, "a").await;
    put_user(&world, "late", "a").await;
    deliver_only(&world, "INSTEP#GONE#Account").await;
    assert!(holds(&world, "USER#late").await, "a live account's user was taken");
    assert_eq!(job_of(&world, GONE_ACCOUNT).await, None, "a tombstone of what is there");
}

/// Promise 2: who is known by id only may have moved, and the index says so late: nothing is taken before it can.
#[tokio::test(start_paused = true)]
async fn a_move_that_the_index_shows_late_takes_nothing() {
    let world = World::lagging("platform", LAG).await;
    put_workstream(&world, "w", "a").await;
    put_tool(&world, "t", "w").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "WORKSTREAM#w")).await;
    deliver_only(&world, "ACCOUNT#a").await;
    assert!(holds(&world, "WORKSTREAM#w").await, "taken before the index could say that the workstream moved");
    put_workstream(&world, "w", "b").await;
    deliver_only(&world, "INSTEP#GONE#Workstream").await;
    assert!(holds(&world, "WORKSTREAM#w").await, "a tool of a live workstream was taken");
    assert_eq!(job_of(&world, GONE_WORKSTREAM).await.as_deref(), Some("done"));
    // One written after the move stays too, though the old workstream's tombstone is there.
    put_tool(&world, "t2", "w").await;
    world.drain().await;
    let tools = world.state().await.items.iter().filter(|item| pk(item, "PK") == "WORKSTREAM#w").count();
    assert_eq!(tools, 2);
}

/// Promise 1: where none of that name is left, what belongs to it goes with the last pass.
#[tokio::test(start_paused = true)]
async fn what_knows_a_parent_by_id_goes_when_no_such_parent_is_left() {
    let world = World::lagging("platform", LAG).await;
    put_workstream(&world, "w", "a").await;
    put_workstream(&world, "w2", "a").await;
    put_tool(&world, "t", "w").await;
    put_tool(&world, "t", "w2").await;
    world.drain().await;
    world.delete(("PK", "SK"), ("ACCOUNT#a", "WORKSTREAM#w")).await;
    world.drain().await;
    assert!(!holds(&world, "WORKSTREAM#w").await);
    assert!(holds(&world, "WORKSTREAM#w2").await, "another workstream whose id begins alike");
}

/// Its own wait of a second, so that what comes meanwhile comes meanwhile.
const LONG_LAG: Duration = Duration::from_secs(1);

async fn put_tenant(world: &World) {
    world.put(json!({"PK": "TENANT#t", "SK": "TENANT#t", "name": "T"})).await;
}

async fn put_person(world: &World) {
    world.put(json!({"PK": "USER#u", "SK": "USER#u", "email": "u@x.example"})).await;
}

async fn put_grant(world: &World) {
    let index = json!({"GSI1PK": "USER#u", "GSI1SK": "TENANT#t", "roles": ["owner"]});
    let mut item = json!({"PK": "TENANT#t", "SK": "USER#u"});
    item.as_object_mut().unwrap().extend(index.as_object().unwrap().clone());
    world.put(item).await;
}

/// A tenant that is in step, and the record of a grant whose user is not there.
async fn grant_comes() -> (World, Vec<Box<RawValue>>) {
    let world = World::lagging("authorization", LONG_LAG).await;
    put_tenant(&world).await;
    world.drain().await;
    put_grant(&world).await;
    let records = take_records(&world).await;
    (world, records)
}

const OWNERS: &str = "tenant|t|owner";

/// Promise 1: a user who comes when an index does not show their grants yet has them: the grant's own run looks again.
#[tokio::test(start_paused = true)]
async fn a_grant_that_an_index_need_not_show_yet_looks_again() {
    let (world, records) = grant_comes().await;
    let comes = async {
        tokio::time::sleep(LONG_LAG / 3).await;
        put_person(&world).await;
    };
    let run = run();
    let (report, ()) = tokio::join!(world.instep.handle(&records, &run), comes);
    assert_eq!(report.retry_from(), None);
    assert_eq!(world.members(OWNERS).await, ["u"]);
}

/// Promise 8: what an index shows by now waits for nothing, and neither does what comes from a capture.
#[tokio::test(start_paused = true)]
async fn what_an_index_shows_is_not_waited_for() {
    let (world, records) = grant_comes().await;
    let later = Run { now: run().now + LONG_LAG * 3, ..run() };
    let captured = Run { origin: Origin::Captured, ..run() };
    for run in [later, captured] {
        let started = Instant::now();
        assert_eq!(world.instep.handle(&records, &run).await.retry_from(), None);
        assert!(started.elapsed() < LONG_LAG, "waited for {:?}", started.elapsed());
    }
}

/// Promise 8: where there is no time to wait, the record comes again, and nothing of it is lost.
#[tokio::test(start_paused = true)]
async fn a_wait_that_does_not_fit_is_left_to_the_next_invocation() {
    let (world, records) = grant_comes().await;
    let deadline = Instant::now() + LONG_LAG / 2;
    let report = world.instep.handle(&records, &Run { deadline: Some(deadline), ..run() }).await;
    assert_eq!(report.retry_from(), Some(0));
    assert!(Instant::now() < deadline);
}

/// Promise 1: a grant that gave nothing while its role was gone, and was not taken along, gives again when the role is back.
#[tokio::test(start_paused = true)]
async fn what_gave_nothing_while_a_parent_was_gone_gives_again() {
    let world = World::open("account-management").await;
    let role = || world.put(json!({"PK": "SYSTEM", "SK": "ROLE#r"}));
    let role_goes = || world.delete(("PK", "SK"), ("SYSTEM", "ROLE#r"));
    role().await;
    world.drain().await;
    role_goes().await;
    world.drain().await;
    role().await;
    world.put(json!({"PK": "SYSTEM", "SK": "ROLE#other"})).await;
    world.put(json!({"PK": "CLIENT#c", "SK": "METADATA"})).await;
    world.drain().await;
    world.put(json!({"PK": "USER#u", "SK": "METADATA", "client_id": "c"})).await;
    let user_comes = take_records(&world).await;
    world.instep.handle(&user_comes, &run()).await;
    world.put(json!({"PK": "USER#u", "SK": "ROLE#client#c#r"})).await;
    world.put(json!({"PK": "USER#u", "SK": "ROLE#client#c#other"})).await;
    world.drain().await;
    assert_eq!(world.members("client:c:r").await, ["u"]);
    role_goes().await;
    // Another run that brings the user all that he has finds that the role is gone.
    world.instep.handle(&user_comes, &Run { origin: Origin::Captured, ..run() }).await;
    assert_eq!(world.members("client:c:r").await, Vec::<String>::new());
    role().await;
    world.drain().await;
    assert!(holds(&world, "USER#u").await);
    assert_eq!(world.members("client:c:r").await, ["u"]);
}
