//! Two handlers at once: one is held at a call until the other is done. What only a narrow window shows.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use instep_aws::{Clients, Instep, Run};
use instep_flow::bookkeeping;
use instep_flow::report::{Done, EffectReport, Outcome, Report};
use instep_flow::work::Origin;
use instep_local::{Fault, PumpOptions, ReadFrom};
use instep_model::Object;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::world::{World, pk, run};

/// Holds the first call of an operation until it is let go, then that of another.
#[derive(Debug)]
struct Gate(Mutex<VecDeque<Hold>>);

/// The operation, who is told that it is there, and who lets it go.
type Hold = (&'static str, oneshot::Sender<()>, oneshot::Receiver<()>);

#[derive(Debug, Clone)]
struct GatedClient(SharedHttpClient, Arc<Gate>);

#[derive(Debug, Clone)]
struct GatedConnector(SharedHttpConnector, Arc<Gate>);

impl HttpClient for GatedClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(GatedConnector(self.0.http_connector(settings, components), Arc::clone(&self.1)))
    }
}

impl HttpConnector for GatedConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self(inner, gate) = self.clone();
        HttpConnectorFuture::new(async move {
            let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
            let is_next = |hold: &mut Hold| target.ends_with(&format!(".{}", hold.0));
            let hold = gate.0.lock().unwrap().pop_front_if(is_next);
            if let Some((_, reached, go)) = hold {
                reached.send(()).unwrap();
                go.await.unwrap();
            }
            inner.call(request).await
        })
    }
}

/// Where a handler stops: it tells when it is there, and waits to be let go.
type Stop = (oneshot::Receiver<()>, oneshot::Sender<()>);

/// A handler that stops before its first call of each of these operations, one after the other.
fn gated<const N: usize>(world: &World, operations: [&'static str; N]) -> (Instep, [Stop; N]) {
    let mut holds = VecDeque::new();
    let ends = operations.map(|operation| {
        let ((reached, is_there), (go, let_go)) = (oneshot::channel(), oneshot::channel());
        holds.push_back((operation, reached, let_go));
        (is_there, go)
    });
    let config = world.stack.sdk_config();
    let gate = Arc::new(Gate(Mutex::new(holds)));
    let client = SharedHttpClient::new(GatedClient(config.http_client().unwrap(), gate));
    let config = config.to_builder().http_client(client).build();
    (world.handler(Clients::new(&config)), ends)
}

/// The records that the stream has and nobody has handled; they count as handled from now on.
async fn unread(world: &World) -> Vec<Box<RawValue>> {
    let mut pump = world.stack.pump(PumpOptions::default()).unwrap();
    let records = pump.read_all(ReadFrom::Checkpoint).await.unwrap();
    pump.skip_to_end().await.unwrap();
    records
}

const USER: &str = "U:x@example.com";

async fn user(world: &World) {
    world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com"})).await;
}

async fn group(world: &World) {
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
}

async fn member(world: &World) {
    world.put(json!({"pk": USER, "sk": "G:/a", "role": "reader"})).await;
}

/// A user and a group that are in step, and the record of a membership.
async fn member_comes() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("access-management").await;
    user(&world).await;
    group(&world).await;
    world.drain().await;
    member(&world).await;
    let records = unread(&world).await;
    (world, records)
}

/// A user and a membership that waits for its group, and the record of that.
async fn group_comes() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.drain().await;
    group(&world).await;
    let records = unread(&world).await;
    (world, records)
}

/// The user goes, and that is handled, while a redrive is about to add him to his group, which makes him on demand; then `meanwhile`.
async fn user_goes_meanwhile(meanwhile: impl FnOnce(&World)) -> (World, Report) {
    let (world, records) = member_comes().await;
    world.instep.handle(&records, &run()).await;
    let captured = Run { origin: Origin::Captured, ..run() };
    let report = held_once(&world, "AdminAddUserToGroup", captured, &records, async {
        world.delete(("pk", "sk"), (USER, USER)).await;
        world.drain().await;
        meanwhile(&world);
    })
    .await;
    (world, report)
}

/// Handles `records`, held at `operation` while `meanwhile` happens, then all that follows.
async fn held_at(
    world: &World,
    operation: &'static str,
    run: Run,
    records: &[Box<RawValue>],
    meanwhile: impl Future<Output = ()>,
) -> Report {
    let report = held_once(world, operation, run, records, meanwhile).await;
    world.drain().await;
    report
}

/// The same, without what follows.
async fn held_once(
    world: &World,
    operation: &'static str,
    run: Run,
    records: &[Box<RawValue>],
    meanwhile: impl Future<Output = ()>,
) -> Report {
    let (handler, [(reached, go)]) = gated(world, [operation]);
    let (report, ()) = tokio::join!(handler.handle(records, &run), async {
        reached.await.unwrap();
        meanwhile.await;
        go.send(()).unwrap();
    });
    report
}

fn outcome(report: &Report) -> &Outcome {
    &report.records[0].outcome
}

/// Promise 2: what a group's record gives its waiting members is looked at again.
#[tokio::test]
async fn a_group_does_not_give_back_what_was_revoked_meanwhile() {
    let (world, records) = group_comes().await;
    held_at(&world, "AdminAddUserToGroup", run(), &records, async {
        world.delete(("pk", "sk"), (USER, "G:/a")).await;
        world.drain().await;
    })
    .await;
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
}

/// Promise 1: a group that a membership had made on demand goes with its item.
#[tokio::test]
async fn a_group_made_on_demand_does_not_outlive_its_item() {
    let (world, records) = member_comes().await;
    held_at(&world, "AdminAddUserToGroup", run(), &records, async {
        world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
        world.drain().await;
    })
    .await;
    assert!(world.state().await.groups.is_empty(), "{:?}", world.state().await.groups);
}

/// Promises 1 and 2: a user that a redrive had made on demand goes with its item.
#[tokio::test]
async fn a_user_made_on_demand_does_not_outlive_its_item() {
    let (world, _) = user_goes_meanwhile(|_| {}).await;
    world.drain().await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
}

/// Promise 1: a redrive of an old removal does not take away the back-reference of a membership that came back.
#[tokio::test]
async fn a_back_reference_is_not_lost_to_a_redrive() {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.drain().await;
    world.delete(("pk", "sk"), (USER, "G:/a")).await;
    let records = unread(&world).await;
    world.instep.handle(&records, &run()).await;
    held_at(&world, "TransactWriteItems", Run { origin: Origin::Captured, ..run() }, &records, async {
        member(&world).await;
        world.drain().await;
        // The redrive does not come to its second look.
        world.stack.faults().next("BatchGetItem", 6, Fault::refuse("ThrottlingException"));
    })
    .await;
    world.stack.faults().clear();
    group(&world).await;
    world.drain().await;
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}

/// A user whose only membership was revoked, and that record; there is another group.
async fn last_revoked() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("access-management").await;
    world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z"})).await;
    group(&world).await;
    member(&world).await;
    world.put(json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), (USER, "G:/a")).await;
    let records = unread(&world).await;
    (world, records)
}

/// Promise 2: of a last revocation whose answer was lost, a grant that came meanwhile keeps its subject.
#[tokio::test]
async fn a_lost_answer_does_not_end_a_subject_with_a_grant() {
    let (world, records) = last_revoked().await;
    held_at(&world, "AdminListGroupsForUser", run(), &records, async {
        world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin"})).await;
        world.stack.faults().next("TransactWriteItems", 1, Fault::LoseAnswer);
    })
    .await;
    assert_eq!(world.members("/b|||admin").await, ["x@example.com"]);
    assert!(world.state().await.users[0].enabled);
}

/// Promise 2: a subject that somebody deletes during its last revocation is not brought back, whatever answer is lost.
#[tokio::test]
async fn a_lost_answer_does_not_bring_back_a_subject() {
    let (world, records) = last_revoked().await;
    held_at(&world, "AdminListGroupsForUser", run(), &records, async {
        world.delete(("pk", "sk"), (USER, USER)).await;
        world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin"})).await;
        world.stack.faults().next("TransactWriteItems", 1, Fault::LoseAnswer);
    })
    .await;
    let user = Some(instep_model::Value::S(USER.to_owned()));
    assert!(world.state().await.items.iter().all(|item| item.get("sk") != user.as_ref()));
    assert!(world.state().await.users.is_empty());
}

fn resource(id: u8, more: serde_json::Value) -> serde_json::Value {
    let key = format!("Resource#urn:pp:System.User::{id}");
    let mut item = json!({"PK": key, "SK": key, "_resourceType": "System.User"});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    item
}

/// Who has the only email address.
async fn email_holder(world: &World) -> String {
    let state = world.state().await;
    let is_email = |item: &&instep_model::Item| pk(item, "PK").contains("#emailAddress#");
    let holder = state.items.iter().filter(is_email).find_map(|item| item.get("associatedRecordUrn")).unwrap();
    holder.as_s().unwrap().to_owned()
}

/// Promise 7: of two that claim in one batch the first in the stream has the value.
#[tokio::test]
async fn the_first_in_the_stream_has_the_value() {
    let world = World::open("relational-store").await;
    world.put(resource(2, json!({"emailAddress": "e@example.com"}))).await;
    world.put(resource(1, json!({"emailAddress": "e@example.com"}))).await;
    world.drain().await;
    let state = world.state().await;
    let holder = state.items.iter().find_map(|item| item.get("associatedRecordUrn")).unwrap();
    assert_eq!(holder.as_s(), Some("urn:pp:System.User::2"));
}

/// Promise 4: a lost claim is told under one id, however its records are cut into batches.
#[tokio::test]
async fn a_conflict_has_one_id() {
    let world = World::open("relational-store").await;
    world.put(resource(1, json!({"emailAddress": "e@example.com"}))).await;
    world.drain().await;
    world.put(resource(2, json!({"emailAddress": "e@example.com"}))).await;
    world.put(resource(2, json!({"emailAddress": "e@example.com", "name": "b"}))).await;
    let records = unread(&world).await;
    let mut ids = Vec::new();
    for batch in [&records[..], &records[..1], &records[1..]] {
        for event in world.instep.handle(batch, &run()).await.events {
            let detail: serde_json::Value = serde_json::from_str(&event.entry.detail).unwrap();
            if detail["metadata"]["verb"] == "conflicted" {
                ids.push(detail["metadata"]["id"].clone());
            }
        }
    }
    assert_eq!(ids.len(), 2, "the second record claims nothing new");
    assert_eq!(ids[0], ids[1]);
}

/// Promise 6: one event that EventBridge refuses parks its own record only.
#[tokio::test]
async fn one_refused_event_parks_one_record() {
    let world = World::open("access-management").await;
    for place in 0..8 {
        let key = format!("G:/{place}");
        world.put(json!({"pk": key, "sk": key})).await;
    }
    // The call of all eight, then that of the first by itself.
    world.stack.faults().next("PutEvents", 2, Fault::refuse("ValidationException"));
    let reports = world.drain().await;
    let parked =
        reports.iter().flat_map(|report| &report.records).filter(|record| matches!(record.outcome, Outcome::Parked(_)));
    assert_eq!(parked.count(), 1);
    assert_eq!(world.verbs().len(), 7);
}

/// Promise 6: a user that a pool's own trigger refuses is parked; it stops nobody.
#[tokio::test]
async fn a_user_that_a_trigger_refuses_is_parked() {
    let world = World::open("access-management").await;
    world.stack.faults().next("AdminCreateUser", 1, Fault::refuse("UserLambdaValidationException"));
    user(&world).await;
    let reports = world.drain().await;
    assert!(matches!(outcome(&reports[0]), Outcome::Parked(_)), "{:?}", outcome(&reports[0]));
}

/// Promise 8: a cascade ends, however short the time of an invocation is.
#[tokio::test(start_paused = true)]
async fn a_cascade_ends_with_little_time() {
    let world = World::open("access-management").await;
    user(&world).await;
    group(&world).await;
    member(&world).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
    for _ in 0..10 {
        let records = unread(&world).await;
        if records.is_empty() {
            break;
        }
        let deadline = Some(Instant::now() + Duration::from_secs(3));
        world.instep.handle(&records, &Run { deadline, ..run() }).await;
    }
    assert!(unread(&world).await.is_empty(), "it goes on without end");
    assert!(world.state().await.items.iter().all(|item| !item["sk"].as_s().unwrap().starts_with("G:")));
}

/// Promise 1: a group that a membership had made on demand goes with its item also where the membership then fails.
#[tokio::test]
async fn a_group_made_on_demand_goes_where_a_service_fails() {
    let (world, records) = member_comes().await;
    let report = held_at(&world, "AdminAddUserToGroup", run(), &records, async {
        world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
        world.drain().await;
        // The group is made at its first call.
        world.stack.faults().on("AdminAddUserToGroup", 1..8, Fault::refuse("InternalErrorException"));
    })
    .await;
    assert_eq!(report.retry_from(), Some(0));
    assert!(world.state().await.groups.is_empty(), "{:?}", world.state().await.groups);
}

/// Promise 3: where a membership that the run itself gave cannot be taken back, nobody else is brought anything.
#[tokio::test]
async fn nobody_is_brought_anything_after_a_failed_removal() {
    let world = World::open("access-management").await;
    let users = ["x@example.com", "y@example.com"];
    group(&world).await;
    for name in users {
        world.put(json!({"pk": format!("U:{name}"), "sk": "G:/a", "role": "reader"})).await;
    }
    world.drain().await;
    for name in users {
        world.put(json!({"pk": format!("U:{name}"), "sk": format!("U:{name}"), "email": name})).await;
    }
    let records = unread(&world).await;
    let report = held_at(&world, "AdminAddUserToGroup", run(), &records, async {
        world.delete(("pk", "sk"), (USER, "G:/a")).await;
        world.drain().await;
        world.stack.faults().next("AdminRemoveUserFromGroup", 12, Fault::refuse("InternalErrorException"));
    })
    .await;
    let given: Vec<_> = report.effects.iter().filter(|effect| effect.operation == "AdminAddUserToGroup").collect();
    assert!(given.iter().all(|effect| effect.target.contains("x@example.com")), "{given:?}");
    assert_eq!(report.retry_from(), Some(0));
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    world.stack.faults().clear();
    world.instep.handle(&records, &run()).await;
    assert_eq!(world.members("/a|||reader").await, ["y@example.com"]);
}

/// Calls that fail for longer than one is tried, and all of them several times over, yet not for as long as an invocation has.
const LONG_OUT: u64 = 60;

/// Promise 1: what something brought to another that went meanwhile is taken back by the run that brought it, for nobody else knows of
/// it, however long that fails.
#[tokio::test(start_paused = true)]
async fn what_was_brought_is_taken_back_as_long_as_there_is_time() {
    let (world, records) = group_comes().await;
    let report = held_once(&world, "AdminAddUserToGroup", run(), &records, async {
        world.delete(("pk", "sk"), (USER, "G:/a")).await;
        world.drain().await;
        world.stack.faults().next("AdminRemoveUserFromGroup", LONG_OUT, Fault::refuse("InternalErrorException"));
    })
    .await;
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    assert_eq!(report.retry_from(), Some(0));
}

/// Promise 1: the same for a user made on demand.
#[tokio::test(start_paused = true)]
async fn a_user_made_on_demand_goes_as_long_as_there_is_time() {
    let (world, report) = user_goes_meanwhile(|world| {
        world.stack.faults().next("AdminDeleteUser", LONG_OUT, Fault::refuse("InternalErrorException"));
    })
    .await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
    assert_eq!(report.retry_from(), Some(0));
}

/// Promise 1: a table out of reach does not make a run forget what it made.
#[tokio::test(start_paused = true)]
async fn a_user_made_on_demand_goes_when_the_table_is_back() {
    let (world, _) = user_goes_meanwhile(|world| {
        world.stack.faults().next("BatchGetItem", LONG_OUT, Fault::refuse("InternalServerError"));
    })
    .await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
}

/// Promise 3: where something that the run itself gave could not be taken back in all its time, it does not begin again with fewer records,
/// and gives.
#[tokio::test(start_paused = true)]
async fn nothing_more_is_given_where_something_could_not_be_taken_back() {
    let world = World::open("access-management").await;
    for id in ["/a", "/b"] {
        world.put(json!({"pk": format!("G:{id}"), "sk": format!("G:{id}"), "id": id})).await;
    }
    member(&world).await;
    world.drain().await;
    user(&world).await;
    world.put(json!({"pk": "G:/c", "sk": "G:/c", "id": "/c"})).await;
    let records = unread(&world).await;
    let in_time = Run { deadline: Some(Instant::now() + Duration::from_secs(300)), ..run() };
    let report = held_once(&world, "AdminAddUserToGroup", in_time, &records, async {
        world.delete(("pk", "sk"), (USER, "G:/a")).await;
        world.drain().await;
        world.put(json!({"pk": USER, "sk": "G:/b", "role": "reader"})).await;
        world.stack.faults().on("AdminRemoveUserFromGroup", 0..u64::MAX, Fault::refuse("InternalErrorException"));
    })
    .await;
    assert_eq!(report.retry_from(), Some(0));
    assert_eq!(world.members("/b|||reader").await, [""; 0]);
}

/// Promise 2: what could not be taken back is not taken away later, where it is right again by then.
#[tokio::test(start_paused = true)]
async fn what_is_right_again_is_not_taken_back() {
    let (world, records) = group_comes().await;
    let (handler, [added, removed]) = gated(&world, ["AdminAddUserToGroup", "AdminRemoveUserFromGroup"]);
    let others = async {
        added.0.await.unwrap();
        world.delete(("pk", "sk"), (USER, "G:/a")).await;
        world.drain().await;
        added.1.send(()).unwrap();
        removed.0.await.unwrap();
        world.stack.faults().next("AdminRemoveUserFromGroup", LONG_OUT, Fault::refuse("InternalErrorException"));
        removed.1.send(()).unwrap();
        // The first look after it failed has been by then.
        tokio::time::sleep(Duration::from_secs(2)).await;
        member(&world).await;
        world.drain().await;
    };
    let run = run();
    let (report, ()) = tokio::join!(handler.handle(&records, &run), others);
    let taken = |effect: &&EffectReport| effect.operation == "AdminRemoveUserFromGroup" && effect.outcome == Done::Done;
    assert_eq!(report.effects.iter().filter(taken).count(), 0);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}

/// Promise 3: a job, which may give, is held back where a revocation of its batch failed.
#[tokio::test]
async fn a_job_is_held_back_after_a_failed_revocation() {
    let world = World::open("access-management").await;
    user(&world).await;
    member(&world).await;
    world.put(json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin"})).await;
    world.drain().await;
    group(&world).await;
    unread(&world).await;
    world.delete(("pk", "sk"), (USER, "G:/b")).await;
    // What a pass over the members of the group would leave.
    let model = world.model();
    let of = model.type_named("Group").unwrap();
    let object = Object { of, names: [("groupId".to_owned(), "/a".to_owned())].into() };
    let key = bookkeeping::gone_key(&model, &object);
    let fields = json!({"of": "Group", "names": object.names, "removedAt": "2026-05-01T09:00:00Z", "state": "open", "gone": false, "pass": 1, "link": 0});
    world.put(json!({"pk": key.pk, "sk": key.sk, "instep": fields})).await;
    let records = unread(&world).await;
    assert_eq!(records.len(), 2);
    world.stack.faults().next("AdminRemoveUserFromGroup", 12, Fault::refuse("InternalErrorException"));
    let report = world.instep.handle(&records, &run()).await;
    assert_eq!(report.retry_from(), Some(0));
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    world.stack.faults().clear();
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.members("/b|||admin").await, [""; 0]);
}

/// Promise 1: what leads from a removed parent goes, also where another parent of its child comes back at that moment.
#[tokio::test]
async fn another_parent_that_comes_back_keeps_the_child_only() {
    let world = World::open("relational-store").await;
    let edge =
        |parent: u8| json!({"PK": format!("Parent#urn:pp:System.User::{parent}"), "SK": "Child#urn:pp:System.User::1"});
    for id in 1..=3 {
        world.put(resource(id, json!({}))).await;
    }
    world.put(edge(2)).await;
    world.put(edge(3)).await;
    world.drain().await;
    for id in [2, 3] {
        let key = format!("Resource#urn:pp:System.User::{id}");
        world.delete(("PK", "SK"), (&key, &key)).await;
    }
    let records = unread(&world).await;
    held_at(&world, "TransactWriteItems", run(), &records[1..], async {
        world.put(resource(2, json!({}))).await;
    })
    .await;
    let items = world.state().await.items;
    let has = |text: &str| items.iter().any(|item| pk(item, "PK") == text);
    assert!(has("Resource#urn:pp:System.User::1") && has("Parent#urn:pp:System.User::2"));
    assert!(!has("Parent#urn:pp:System.User::3"), "it leads from what is gone");
}

/// Promise 7: a stronger claimant whose takeover fails, for the holder changed meanwhile, goes on waiting.
#[tokio::test]
async fn a_takeover_that_fails_is_tried_again() {
    let world = World::open("relational-store").await;
    let verified = json!({"emailAddress": "e@example.com", "emailAddressVerified": true});
    world.put(resource(1, verified.clone())).await;
    world.put(resource(2, verified)).await;
    world.drain().await;
    world.put(resource(1, json!({"emailAddress": "e@example.com"}))).await;
    let records = unread(&world).await;
    held_at(&world, "TransactWriteItems", run(), &records, async {
        world.put(resource(1, json!({"emailAddress": "e@example.com", "phoneNumber": "+15550001"}))).await;
    })
    .await;
    assert_eq!(email_holder(&world).await, "urn:pp:System.User::2");
}

/// Promise 7: a value that comes free and is taken by one who does not ask who waits goes to the stronger one that does.
#[tokio::test]
async fn the_stronger_that_waits_has_what_another_took() {
    let world = World::open("relational-store").await;
    let email = json!({"emailAddress": "e@example.com"});
    let verified = json!({"emailAddress": "e@example.com", "emailAddressVerified": true});
    world.put(resource(1, verified.clone())).await;
    world.put(resource(2, verified)).await;
    world.drain().await;
    world.put(resource(1, json!({}))).await;
    let released = unread(&world).await;
    world.put(resource(3, email)).await;
    world.drain().await;
    world.instep.handle(&released, &run()).await;
    world.drain().await;
    assert_eq!(email_holder(&world).await, "urn:pp:System.User::2");
}

/// Promise 1: a user made on demand does not outlive its item, also where the answer that it was made is lost.
#[tokio::test]
async fn a_lost_answer_leaves_nobody_behind() {
    let (world, records) = member_comes().await;
    world.instep.handle(&records, &run()).await;
    held_at(&world, "AdminAddUserToGroup", Run { origin: Origin::Captured, ..run() }, &records, async {
        world.delete(("pk", "sk"), (USER, USER)).await;
        world.drain().await;
        world.stack.faults().next("AdminCreateUser", 1, Fault::LoseAnswer);
    })
    .await;
    assert!(world.state().await.users.is_empty(), "{:?}", world.state().await.users);
}

/// Promise 2: what somebody adds to a subject while it is ended is not lost, whether the subject stays or is put back.
#[tokio::test]
async fn what_came_to_a_subject_is_not_lost() {
    let (world, records) = last_revoked().await;
    held_at(&world, "AdminListGroupsForUser", run(), &records, async {
        let user = json!({"pk": USER, "sk": USER, "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z", "state": "disabled"});
        world.put(user).await;
        world.put(json!({"pk": USER, "sk": "G:/b", "role": "admin"})).await;
    })
    .await;
    let state = world.state().await;
    let user = state.items.iter().find(|item| pk(item, "sk") == USER).unwrap();
    assert_eq!(user.get("state").and_then(instep_model::Value::as_s), Some("disabled"));
    assert!(!state.users[0].enabled);
}

/// Promises 1 and 2: a user made on demand is as its item has it by now, where the item's own run came before.
#[tokio::test]
async fn a_user_made_on_demand_is_as_its_item_has_it_by_now() {
    let world = World::open("access-management").await;
    group(&world).await;
    world.drain().await;
    user(&world).await;
    member(&world).await;
    let records = unread(&world).await;
    held_at(&world, "AdminAddUserToGroup", run(), &records[1..], async {
        world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "state": "disabled"})).await;
        world.drain().await;
    })
    .await;
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert!(!world.state().await.users[0].enabled, "the table disables it");
}

/// Promise 2: a user made on demand whom the table disables is disabled, also where that failed at first.
#[tokio::test]
async fn a_user_made_on_demand_is_disabled_where_a_service_failed() {
    let world = World::open("access-management").await;
    group(&world).await;
    world.drain().await;
    world.put(json!({"pk": USER, "sk": USER, "email": "x@example.com", "state": "disabled"})).await;
    member(&world).await;
    let records = unread(&world).await;
    world.stack.faults().next("AdminDisableUser", 6, Fault::refuse("InternalErrorException"));
    let report = world.instep.handle(&records[1..], &run()).await;
    assert_eq!(report.retry_from(), Some(0));
    assert!(!world.state().await.users[0].enabled, "the table disables it");
}

const OWN: &str = "USER#a";

/// A user who has a role of his own, or none.
async fn own_user(world: &World, roles: &[&str]) {
    world.put(json!({"PK": OWN, "SK": OWN, "email": "a@x.example", "roles": roles})).await;
}

/// The record that such a user, without a role, is gone.
async fn own_user_gone() -> (World, Vec<Box<RawValue>>) {
    let world = World::open("authorization").await;
    own_user(&world, &[]).await;
    world.drain().await;
    world.delete(("PK", "SK"), (OWN, OWN)).await;
    let records = unread(&world).await;
    (world, records)
}

/// A user made on demand is deleted, for its item is gone, and that comes back meanwhile; before the run takes anything away, `meanwhile`.
async fn undone_and_back(meanwhile: impl FnOnce(&World)) -> (World, Report) {
    let world = World::open("authorization").await;
    world.put(json!({"PK": "TENANT#t", "SK": "TENANT#t"})).await;
    world.drain().await;
    own_user(&world, &["reader"]).await;
    world.put(json!({"PK": "TENANT#t", "SK": OWN, "GSI1PK": OWN, "GSI1SK": "TENANT#t", "roles": ["writer"]})).await;
    let records = unread(&world).await;
    let (handler, [added, deleted]) = gated(&world, ["AdminAddUserToGroup", "AdminDeleteUser"]);
    let records = &records[1..];
    let others = async {
        added.0.await.unwrap();
        world.delete(("PK", "SK"), (OWN, OWN)).await;
        world.drain().await;
        meanwhile(&world);
        added.1.send(()).unwrap();
        deleted.0.await.unwrap();
        own_user(&world, &["reader"]).await;
        world.drain().await;
        deleted.1.send(()).unwrap();
    };
    let run = run();
    let (report, ()) = tokio::join!(handler.handle(records, &run), others);
    world.drain().await;
    (world, report)
}

/// Promise 1: a user made on demand, and deleted for its item was gone, is there again where that came back meanwhile, with what it has by
/// itself.
#[tokio::test]
async fn a_user_made_on_demand_comes_back_with_its_item() {
    let (world, report) = undone_and_back(|_| {}).await;
    assert_eq!(report.retry_from(), None);
    assert_eq!(world.members("global|reader").await, ["a"]);
}

/// Promise 1: the same where something could not be taken away, so that nothing may be given.
#[tokio::test]
async fn a_user_made_on_demand_comes_back_where_a_service_failed() {
    let (world, report) = undone_and_back(|world| {
        world.stack.faults().next("AdminRemoveUserFromGroup", 6, Fault::refuse("InternalErrorException"));
    })
    .await;
    assert_eq!(report.retry_from(), Some(0));
    assert_eq!(world.members("global|reader").await, ["a"]);
}

/// Promises 1 and 2: what a record of old deletes has all that its item gives by now, also what the record does not show.
#[tokio::test]
async fn a_user_deleted_late_has_what_the_record_does_not_show() {
    let (world, records) = own_user_gone().await;
    held_at(&world, "AdminDeleteUser", Run { origin: Origin::Captured, ..run() }, &records, async {
        own_user(&world, &["reader"]).await;
        world.drain().await;
    })
    .await;
    assert_eq!(world.members("global|reader").await, ["a"]);
}

/// Promise 2: what a job gives without a record that shows it is taken back where it was revoked meanwhile.
#[tokio::test]
async fn what_no_record_shows_is_looked_at_again() {
    let (world, records) = own_user_gone().await;
    held_once(&world, "AdminDeleteUser", Run { origin: Origin::Captured, ..run() }, &records, async {
        own_user(&world, &["reader"]).await;
        world.drain().await;
    })
    .await;
    let job = unread(&world).await;
    held_at(&world, "AdminAddUserToGroup", run(), &job, async {
        own_user(&world, &["writer"]).await;
        world.drain().await;
    })
    .await;
    assert_eq!(world.members("global|reader").await, [""; 0]);
    assert_eq!(world.members("global|writer").await, ["a"]);
}

/// Promise 1: the same where the record is not of its deletion, and only shows that the item is gone.
#[tokio::test]
async fn a_user_deleted_late_by_any_record_comes_back() {
    let world = World::open("authorization").await;
    own_user(&world, &["reader"]).await;
    let records = unread(&world).await;
    world.delete(("PK", "SK"), (OWN, OWN)).await;
    world.drain().await;
    held_at(&world, "AdminDeleteUser", Run { origin: Origin::Captured, ..run() }, &records, async {
        own_user(&world, &["reader", "writer"]).await;
        world.drain().await;
    })
    .await;
    assert_eq!(world.members("global|reader").await, ["a"]);
    assert_eq!(world.members("global|writer").await, ["a"]);
}
