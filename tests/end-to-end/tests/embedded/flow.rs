//! The handler on the embedded stack, with failing services: promises that no captured file can
//! show.

use std::time::Duration;

use instep_aws::RunOptions;
use instep_flow::report::{Outcome, Report};
use instep_local::{Fault, PumpOptions, WorldState};
use instep_model::Item;
use tokio::time::Instant;

use crate::gate::{gated, take_records};
use crate::world::{World, pk, run};

async fn user_in_group(world: &World) {
    world.put(serde_json::json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(serde_json::json!({"pk": "U:x@example.com", "sk": "U:x@example.com", "email": "x@example.com"})).await;
    world.put(serde_json::json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
}

fn parked(reports: &[Report]) -> Vec<&'static str> {
    let outcomes = reports.iter().flat_map(|report| &report.records).map(|record| &record.outcome);
    outcomes
        .filter_map(|outcome| if let Outcome::Parked(parked) = outcome { Some(parked.code) } else { None })
        .collect()
}

/// Promise 6: a call that is throttled for a moment is retried in place.
#[tokio::test]
async fn throttling_is_waited_out() {
    let world = World::open("access-management").await;
    for operation in ["AdminAddUserToGroup", "CreateGroup", "AdminCreateUser"] {
        world.stack.faults().next(operation, 2, Fault::refuse("TooManyRequestsException"));
    }
    world.stack.faults().next("BatchGetItem", 1, Fault::refuse("ProvisionedThroughputExceededException"));
    world.stack.faults().next("PutEvents", 1, Fault::Refuse { status: 500, code: "InternalException".to_owned() });
    user_in_group(&world).await;
    let reports = world.drain().await;
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert!(reports.iter().all(|report| report.retry_from().is_none()));
    assert_eq!(world.verbs(), ["Group Created", "User Created", "User Granted"]);
}

/// Promise 6: a service that keeps failing stops the batch at that record and parks nothing. The
/// records are delivered again.
#[tokio::test]
async fn a_failing_service_stops_the_batch() {
    let world = World::open("access-management").await;
    world.stack.faults().next("AdminAddUserToGroup", 7, Fault::refuse("InternalErrorException"));
    user_in_group(&world).await;
    let reports = world.drain().await;
    assert_eq!(reports[0].retry_from(), Some(0), "what depends on the group is not in step yet");
    assert_eq!(parked(&reports), [""; 0]);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(
        world.verbs(),
        ["Group Created", "User Created", "User Granted"],
        "nothing twice, nothing before its effect"
    );
}

/// Promise 3: while a revocation cannot be applied, nothing is granted.
#[tokio::test]
async fn no_grant_before_a_revocation() {
    let world = World::open("access-management").await;
    user_in_group(&world).await;
    world.put(serde_json::json!({"pk": "U:y@example.com", "sk": "U:y@example.com", "email": "y@example.com"})).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    world.put(serde_json::json!({"pk": "U:y@example.com", "sk": "G:/a", "role": "admin"})).await;
    world.stack.faults().next("AdminRemoveUserFromGroup", 6, Fault::refuse("TooManyRequestsException"));
    let reports = world.drain().await;
    assert!(
        reports[0].effects.iter().all(|effect| effect.operation != "AdminAddUserToGroup"),
        "granted before the revocation"
    );
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    assert_eq!(world.members("/a|||admin").await, ["y@example.com"]);
}

/// Promise 6: a hard quota is not throttling: the record is parked at once, and its event says so.
#[tokio::test]
async fn a_hard_quota_parks_at_once() {
    let world = World::open("access-management").await;
    world.stack.faults().next("CreateGroup", 100, Fault::refuse("LimitExceededException"));
    user_in_group(&world).await;
    let calls = world.stack.calls().snapshot();
    assert_eq!(calls.get("CreateGroup"), None);
    let reports = world.drain().await;
    assert_eq!(world.stack.calls().snapshot()["CreateGroup"], 3, "one for each role, and none again");
    assert_eq!(parked(&reports), ["quota-reached"; 2], "the group and the membership");
    let parked = world.stack.published().iter().filter(|event| event.detail.contains("\"parked\":true")).count();
    assert_eq!(parked, 2);
    assert_eq!(world.verbs().len(), 3, "every change is heard");
}

/// Effects are idempotent: a lost answer changes nothing (promise 1).
#[tokio::test]
async fn lost_answers_do_no_harm() {
    let world = World::open("access-management").await;
    let operations = [
        "CreateGroup",
        "AdminCreateUser",
        "AdminAddUserToGroup",
        "AdminRemoveUserFromGroup",
        "BatchWriteItem",
        "PutEvents",
    ];
    for operation in operations {
        world.stack.faults().next(operation, 1, Fault::LoseAnswer);
    }
    user_in_group(&world).await;
    world.put(serde_json::json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "admin"})).await;
    world.drain().await;
    assert_eq!(world.members("/a|||admin").await, ["x@example.com"]);
    assert_eq!(world.members("/a|||reader").await, [""; 0]);
    let ids: std::collections::BTreeSet<String> = world
        .stack
        .published()
        .iter()
        .map(|event| serde_json::from_str::<serde_json::Value>(&event.detail).unwrap()["metadata"]["id"].to_string())
        .collect();
    assert_eq!(ids.len(), 5, "what is published again has the id that it had");
}

/// Promise 4: PutEvents fails entry by entry with status 200. Only failed entries are put again.
#[tokio::test]
async fn entries_that_failed_are_put_again() {
    let world = World::open("access-management").await;
    world.stack.faults().next(
        "PutEvents",
        1,
        Fault::Entries { places: vec![0, 2], code: "ThrottlingException".to_owned() },
    );
    user_in_group(&world).await;
    world.drain().await;
    let mut verbs = world.verbs();
    verbs.sort();
    assert_eq!(verbs, ["Group Created", "User Created", "User Granted"]);
    assert_eq!(world.stack.calls().snapshot()["PutEvents"], 2);
}

/// Promise 5: an event is put again after an earlier one of its item that failed in the same call, so that
/// the newest one comes last.
#[tokio::test]
async fn an_event_does_not_overtake_one_that_failed() {
    let world = World::open("access-management").await;
    for name in ["one", "two"] {
        world.put(serde_json::json!({"pk": "G:/a", "sk": "G:/a", "id": "/a", "name": name})).await;
    }
    world.put(serde_json::json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    let fault = Fault::Entries { places: vec![0], code: "InternalFailure".to_owned() };
    world.stack.faults().next("PutEvents", 1, fault);
    world.drain().await;
    assert_eq!(world.verbs(), ["Group Updated", "Group Created", "Group Created", "Group Updated"]);
}

/// Promise 4: an event that waits for an earlier one of its item is not lost if the event of a later
/// record fails meanwhile.
#[tokio::test]
async fn an_event_that_waits_is_published_later() {
    let world = World::open("access-management").await;
    // Two calls for one item, of which the second waits for the first, and a third for another item.
    for nth in 0..20 {
        world.put(serde_json::json!({"pk": "G:/a", "sk": "G:/a", "id": "/a", "name": format!("{nth}")})).await;
    }
    world.put(serde_json::json!({"pk": "G:/b", "sk": "G:/b", "id": "/b"})).await;
    let records = take_records(&world).await;
    world.stack.faults().next("PutEvents", 1, Fault::refuse("AccessDeniedException"));
    let (handler, [first]) = gated(&world, ["PutEvents"]);
    let run = run();
    let handled = async {
        let report = handler.handle(&records, &run).await;
        drop(handler);
        report
    };
    let third_fails = async {
        while !world.stack.calls().snapshot().contains_key("PutEvents") {
            tokio::task::yield_now().await;
        }
    };
    let (report, ()) = tokio::join!(handled, first.then(third_fails));
    assert_eq!((world.verbs().len(), report.retry_from()), (10, Some(10)));
    world.instep.handle(&records[10..], &run).await;
    assert_eq!(world.verbs().len(), 21);
}

/// Unprocessed keys and items are requested again.
#[tokio::test]
async fn unprocessed_is_not_lost() {
    let world = World::open("access-management").await;
    world.stack.faults().next("BatchGetItem", 2, Fault::Unprocessed { count: 1 });
    world.stack.faults().next("BatchWriteItem", 1, Fault::Unprocessed { count: 1 });
    user_in_group(&world).await;
    world.drain().await;
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert!(world.state().await.items.iter().any(|item| pk(item, "pk").starts_with("INSTEP#REF#")));
}

/// Promise 6: DynamoDB answers with 1 MB of a partition at a time, however often that takes.
#[tokio::test]
async fn answers_in_many_parts_are_read_to_the_end() {
    let world = World::open("access-management").await;
    for place in 0..12 {
        let group = format!("G:/g{place}");
        world.put(serde_json::json!({"pk": group, "sk": group, "id": format!("/g{place}")})).await;
    }
    for (call, count) in (1..12).rev().enumerate() {
        let call = u64::try_from(call).unwrap();
        world.stack.faults().on("BatchGetItem", call..call + 1, Fault::Unprocessed { count });
    }
    let records = take_records(&world).await;
    assert_eq!(world.instep.handle(&records, &run()).await.retry_from(), None);
    assert_eq!(world.state().await.groups.len(), 36);
}

/// Promise 6: of a hundred records with one poison record, ninety-nine are handled and one is
/// parked.
#[tokio::test]
async fn one_poison_record_in_a_hundred() {
    let world = World::open("access-management").await;
    for place in 0..100 {
        let user = format!("U:u{place}@example.com");
        if place == 50 {
            world.put(serde_json::json!({"pk": "U:u@example.com", "sk": "X:poison"})).await;
        } else {
            world.put(serde_json::json!({"pk": user, "sk": user, "email": format!("u{place}@example.com")})).await;
        }
    }
    let reports = world.drain().await;
    assert_eq!(parked(&reports), ["unknown-item"]);
    assert!(reports.iter().all(|report| report.retry_from().is_none()));
    assert_eq!(world.state().await.users.len(), 99);
}

/// Promise 8: a cascade that is wider than a page continues through the work queue, one page a
/// message, until it is complete.
#[tokio::test]
async fn a_wide_cascade_continues_by_itself() {
    const CHILDREN: usize = 450;
    let world = World::open("relational-store").await;
    let urn = |name: &str| format!("urn:pp:Object::{name}");
    let resource = |name: &str| serde_json::json!({"PK": format!("Resource#{}", urn(name)), "SK": format!("Resource#{}", urn(name))});
    world.put(resource("parent")).await;
    for child in 0..CHILDREN {
        let child = format!("c{child:05}");
        world.put(resource(&child)).await;
        world
            .put(serde_json::json!({"PK": format!("Parent#{}", urn("parent")), "SK": format!("Child#{}", urn(&child))}))
            .await;
    }
    world.stack.pump(PumpOptions::default()).unwrap().skip_to_end().unwrap();
    let key = format!("Resource#{}", urn("parent"));
    world.delete(("PK", "SK"), (&key, &key)).await;
    let reports = world.drain().await;
    let left: Vec<Item> = world.state().await.items;
    assert!(left.iter().all(|item| pk(item, "PK").starts_with("INSTEP#GONE#")), "{} items are left", left.len());
    // The record of the deletion deleted one page. Messages deleted the others.
    let first = reports[0].effects.len();
    assert!(first > 100 && first < 2 * CHILDREN, "{first} in the first run");
    assert_eq!(world.verbs().iter().filter(|verb| *verb == "Object Deleted").count(), CHILDREN + 1);
}

/// Promise 8: a cascade that a failing service interrupts is completed when the record is delivered
/// again.
#[tokio::test]
async fn a_broken_cascade_is_finished() {
    let world = World::open("access-management").await;
    user_in_group(&world).await;
    world.drain().await;
    world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
    world.stack.faults().next(
        "TransactWriteItems",
        6,
        Fault::Refuse { status: 500, code: "InternalServerError".to_owned() },
    );
    let reports = world.drain().await;
    assert_eq!(reports[0].retry_from(), Some(0));
    let state = world.state().await;
    assert!(state.items.iter().all(|item| !pk(item, "sk").starts_with("G:")), "the membership is left");
    assert!(state.groups.is_empty());
}

/// Promise 9: Instep does not delete a group without its mark. A group that an item names comes
/// under management.
#[tokio::test]
async fn groups_of_others_are_left_alone() {
    let world = World::open("access-management").await;
    let cognito = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
    let by_hand =
        || cognito.create_group().user_pool_id(world.stack.user_pool()).group_name("/a|||admin").description("by hand");
    by_hand().send().await.unwrap();
    // An old removal of a group item that Instep never handled.
    world.put(serde_json::json!({"pk": "G:/a", "sk": "G:/a"})).await;
    world.delete(("pk", "sk"), ("G:/a", "G:/a")).await;
    let reports = world.drain().await;
    let kept = reports
        .iter()
        .flat_map(|report| &report.effects)
        .find(|effect| effect.operation == "DeleteGroup" && effect.target == "/a|||admin");
    assert!(kept.unwrap().why.as_deref().unwrap().contains("not made by Instep"));
    assert!(world.state().await.groups.iter().any(|group| group.name == "/a|||admin"));
    world.put(serde_json::json!({"pk": "G:/a", "sk": "G:/a"})).await;
    world.drain().await;
    let group =
        cognito.get_group().user_pool_id(world.stack.user_pool()).group_name("/a|||admin").send().await.unwrap();
    assert_eq!(group.group().unwrap().description(), Some("instep:access-management"));
}

/// A last revocation does not delete a user whom Cognito reports in another group. A replayed
/// revocation deletes nobody (promise 2).
#[tokio::test]
async fn the_last_revocation_is_careful() {
    let world = World::open("access-management").await;
    let cognito = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
    let user = serde_json::json!({"pk": "U:x@example.com", "sk": "U:x@example.com", "email": "x@example.com", "createdAt": "2026-01-01T00:00:00Z"});
    world.put(serde_json::json!({"pk": "G:/a", "sk": "G:/a", "id": "/a"})).await;
    world.put(user).await;
    world.put(serde_json::json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    let by_hand = cognito.create_group().user_pool_id(world.stack.user_pool()).group_name("operators");
    by_hand.send().await.unwrap();
    let add = cognito
        .admin_add_user_to_group()
        .user_pool_id(world.stack.user_pool())
        .username("x@example.com")
        .group_name("operators");
    add.send().await.unwrap();
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    let before = world.stack.pump(PumpOptions::default()).unwrap();
    drop(before);
    world.drain().await;
    let state = world.state().await;
    assert_eq!(state.users.len(), 1, "Cognito reports another group: the user stays");
    assert!(state.users[0].enabled);
    let remove = cognito
        .admin_remove_user_from_group()
        .user_pool_id(world.stack.user_pool())
        .username("x@example.com")
        .group_name("operators");
    remove.send().await.unwrap();
    // The same revocation, replayed: the user is kept.
    world.put(serde_json::json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    let mut pump = world.stack.pump(PumpOptions::default()).unwrap();
    let records = pump.read_all(instep_local::ReadFrom::Checkpoint).unwrap();
    pump.skip_to_end().unwrap();
    world.replay(&records).await;
    assert_eq!(world.state().await.users.len(), 1);
    // From the stream, it deletes the user.
    world.put(serde_json::json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
    world.drain().await;
    assert!(world.state().await.users.is_empty());
}

/// Promise 8: near the deadline, the rest is left to a retry.
#[tokio::test(start_paused = true)]
async fn a_deadline_is_respected() {
    let world = World::open("access-management").await;
    user_in_group(&world).await;
    world.stack.faults().next("CreateGroup", 1_000, Fault::refuse("TooManyRequestsException"));
    let records =
        world.stack.pump(PumpOptions::default()).unwrap().read_all(instep_local::ReadFrom::Checkpoint).unwrap();
    let deadline = Instant::now() + Duration::from_millis(120);
    let report = world.instep.handle(&records, &RunOptions { deadline: Some(deadline), ..run() }).await;
    assert_eq!(report.retry_from(), Some(0));
    // With enough time, a failing call is tried six times. Here the waits between the attempts are
    // longer than the remaining time.
    assert!(Instant::now() < deadline, "{:?}", world.stack.calls().snapshot());
}

/// Promise 7: of two claimants of one value in a batch, one gets the value. The other's claim is
/// pending, and a conflict is published.
#[tokio::test]
async fn one_of_two_claimants_holds() {
    let world = World::open("relational-store").await;
    let user = |id: &str, email: Option<&str>| {
        let key = format!("Resource#urn:pp:System.User::{id}");
        let mut item = serde_json::json!({"PK": key, "SK": key, "_resourceType": "System.User"});
        if let Some(email) = email {
            item["emailAddress"] = email.into();
        }
        item
    };
    let guard = |state: &WorldState| {
        let guard = state.items.iter().find(|item| pk(item, "PK").starts_with("UniqueKeyValue#"));
        guard.map(|guard| pk(guard, "associatedRecordUrn").to_owned())
    };
    world.put(user("1", Some("e@example.com"))).await;
    world.put(user("2", Some("e@example.com"))).await;
    world.drain().await;
    assert_eq!(guard(&world.state().await).as_deref(), Some("urn:pp:System.User::1"));
    assert_eq!(world.verbs().iter().filter(|verb| verb.ends_with("Conflicted")).count(), 1);
    world.put(user("1", None)).await;
    world.drain().await;
    let state = world.state().await;
    assert_eq!(guard(&state).as_deref(), Some("urn:pp:System.User::2"), "the one that waited takes over");
    assert!(!state.items.iter().any(|item| pk(item, "PK").starts_with("INSTEP#CLAIM#")));
    world.put(user("2", None)).await;
    world.drain().await;
    assert_eq!(guard(&world.state().await), None, "released with its last holder");
}

/// Instep adds members to a group that people create, and removes them, but never creates it. A
/// membership in a missing group is pending.
#[tokio::test]
async fn groups_that_people_make_are_joined_and_not_made() {
    let world = World::open("platform").await;
    let cognito = aws_sdk_cognitoidentityprovider::Client::new(&world.stack.uncounted_config());
    for group in ["viewers", "editors"] {
        cognito.create_group().user_pool_id(world.stack.user_pool()).group_name(group).send().await.unwrap();
    }
    let assign = async |group: &str| {
        world.put(serde_json::json!({"PK": "USER#u", "SK": "METADATA", "assignedGroup": group})).await;
        world.drain().await
    };
    assign("viewers").await;
    assert_eq!(world.members("viewers").await, ["u"]);
    assign("editors").await;
    assert_eq!((world.members("viewers").await, world.members("editors").await), (vec![], vec!["u".to_owned()]));
    let reports = assign("nobody-made-this").await;
    assert_eq!(world.members("editors").await, [""; 0], "the old group is left, whatever becomes of the new one");
    let waits = reports.iter().flat_map(|report| &report.effects).find(|effect| effect.why.is_some()).unwrap();
    assert!(waits.why.as_deref().unwrap().contains("people create this group"), "{waits:?}");
    assert!(reports.iter().all(|report| report.retry_from().is_none()) && parked(&reports).is_empty());
    world.delete(("PK", "SK"), ("USER#u", "METADATA")).await;
    world.drain().await;
    let state = world.state().await;
    assert!(state.users.is_empty());
    let groups: Vec<&str> = state.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(groups, ["editors", "viewers"], "what people made stays");
}

/// Promise 1: an update of a user that Cognito does not know yet hands on its grants, too: a table
/// may be older than Instep.
#[tokio::test]
async fn an_update_of_an_unknown_user_hands_its_grants_on() {
    let world = World::open("access-management").await;
    user_in_group(&world).await;
    let key = "U:x@example.com";
    let user = |state: &str| serde_json::json!({"pk": key, "sk": key, "email": "x@example.com", "state": state});
    world.put(user("disabled")).await;
    world.stack.pump(PumpOptions::default()).unwrap().skip_to_end().unwrap();
    world.put(user("enabled")).await;
    world.drain().await;
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}
