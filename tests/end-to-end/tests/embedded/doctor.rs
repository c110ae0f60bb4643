//! The doctor finds errors, names the fix, and changes nothing.

use instep_aws::{Clients, Instep};
use instep_doctor::{CheckResult, Doctor, Examination, Level};
use instep_local::Fault;
use serde_json::json;

use crate::world::{BUCKET, DEAD_LETTERS, QUEUE, World};

async fn examine(instep: &Instep, scan: bool) -> Vec<CheckResult> {
    let mut found = Vec::new();
    let told = |finding| -> Result<(), std::convert::Infallible> {
        found.push(finding);
        Ok(())
    };
    Doctor::of(instep).examine(Examination { is_aws: true, scan }, told).await.unwrap();
    found
}

/// Findings above the level `fine`.
fn complaints(found: &[CheckResult]) -> Vec<String> {
    let worse = found.iter().filter(|finding| finding.level > Level::Fine);
    worse.map(|finding| format!("{:?} {}: {}", finding.level, finding.resource, finding.message)).collect()
}

#[tokio::test]
async fn a_sound_deployment_has_nothing_wrong_and_is_not_changed() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a", "siKey1": "G"})).await;
    world.drain().await;
    let before = world.state().await;
    let found = examine(&world.instep, true).await;
    assert_eq!(complaints(&found), [""; 0]);
    let says: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert!(says.contains(&"the caller may call 28 of the 28 actions of the stream function"), "{says:?}");
    assert!(
        says.iter().any(|says| says.contains("`groupId` may have 114 characters, without white space")),
        "{says:?}"
    );
    assert!(says.contains(&"3 groups are in the pool; Cognito allows 10000"), "{says:?}");
    assert_eq!(before, world.state().await);
    assert_eq!((world.stack.published().len(), world.parked(QUEUE).len()), (1, 0), "nothing is sent");
}

/// Each denied action is named, with its resource.
#[tokio::test]
async fn denied_actions_are_named() {
    let world = World::with_parking("access-management").await;
    for operation in ["PutItem", "AdminAddUserToGroup", "PutEvents"] {
        world.stack.faults().next(operation, 1, Fault::refuse("AccessDeniedException"));
    }
    // The queue of parked records, and the work queue.
    world.stack.faults().next("SendMessageBatch", 2, Fault::refuse("AccessDeniedException"));
    world.stack.faults().next("PutObject", 1, Fault::Refuse { status: 403, code: "AccessDenied".to_owned() });
    let found = complaints(&examine(&world.instep, false).await);
    for expected in [
        "Wrong permissions: dynamodb:PutItem on table `table` is denied",
        "Wrong permissions: cognito-idp:AdminAddUserToGroup on the user pool is denied",
        "Wrong permissions: events:PutEvents on bus `instep` is denied",
        "Wrong permissions: sqs:SendMessage on the queue of parked records is denied",
        "Wrong permissions: sqs:SendMessage on the work queue is denied",
        "Wrong permissions: s3:PutObject on the bucket is denied",
    ] {
        assert!(found.iter().any(|complaint| complaint == expected), "{expected}\n{found:?}");
    }
}

/// Expired credentials are no matter of policies.
#[tokio::test]
async fn expired_credentials_are_no_missing_permission() {
    let world = World::with_parking("access-management").await;
    world.stack.faults().next("PutItem", 1, Fault::refuse("ExpiredTokenException"));
    let found = complaints(&examine(&world.instep, false).await);
    assert!(found.iter().any(|complaint| complaint.contains("the credentials have expired")), "{found:?}");
    assert!(!found.iter().any(|complaint| complaint.contains("denied")), "{found:?}");
    world.stack.faults().next("DescribeTable", 1, Fault::refuse("ExpiredTokenException"));
    let found = complaints(&examine(&world.instep, false).await);
    assert!(found.iter().any(|complaint| complaint.contains("the credentials have expired")), "{found:?}");
    assert!(!found.iter().any(|complaint| complaint.contains("allow the caller")), "{found:?}");
}

/// A missing resource is reported once, and is not checked further.
#[tokio::test]
async fn missing_resources_are_named() {
    let world = World::with_parking("access-management").await;
    let missing = |change: fn(&mut instep_aws::Settings)| {
        let mut settings = world.settings();
        change(&mut settings);
        Instep::new(world.model(), Clients::new(&world.stack.sdk_config()), settings)
    };
    let found = complaints(&examine(&missing(|settings| settings.table = "nowhere".to_owned()), true).await);
    assert_eq!(found.first().unwrap(), "Wrong table: `nowhere` does not exist");
    assert!(
        found.iter().all(|complaint| !complaint.contains("permissions") && !complaint.contains("scan")),
        "{found:?}"
    );
    let found = complaints(&examine(&missing(|settings| settings.bus = "nowhere".to_owned()), false).await);
    assert!(found.contains(&"Wrong bus: `nowhere` does not exist".to_owned()), "{found:?}");
    let found = examine(&missing(|settings| settings.user_pool = Some("us-east-1_nowhere".to_owned())), false).await;
    assert!(complaints(&found).contains(&"Wrong pool: `us-east-1_nowhere` does not exist".to_owned()), "{found:?}");
    let found =
        examine(&missing(|settings| settings.parking.as_mut().unwrap().queue_url = "https://q/none".to_owned()), false)
            .await;
    assert!(
        complaints(&found).contains(&"Wrong parked queue: `https://q/none` does not exist".to_owned()),
        "{found:?}"
    );
    let found =
        examine(&missing(|settings| settings.parking.as_mut().unwrap().bucket = "none".to_owned()), false).await;
    assert!(complaints(&found).contains(&"Wrong bucket: `none` does not exist".to_owned()), "{found:?}");
}

/// A scan counts items that could not be handled, and shows no values of them.
#[tokio::test]
async fn a_scan_finds_what_could_not_be_handled() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.put(json!({"pk": "U:Y@example.com", "sk": "U:Y@example.com"})).await;
    let long = format!("G:/{}", "x".repeat(120));
    world.put(json!({"pk": long, "sk": long})).await;
    for group in 0..101 {
        world.put(json!({"pk": "U:z@example.com", "sk": format!("G:/{group}"), "role": "reader"})).await;
    }
    let found = complaints(&examine(&world.instep, true).await).join("\n");
    for expected in [
        "1 item would be parked (unknown-item)",
        "1 item would be parked (key-not-canonical)",
        "1 item would be parked (cognito-name)",
        "1 user would be in more than 100 groups, one in 101",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    assert!(found.contains("[U:x@example.com | X:poison]"), "which one is it? {found}");
}

/// Promise 9: no key is shown of an item that is secret, or may be.
#[tokio::test]
async fn a_scan_shows_no_secret() {
    let world = World::with_parking("account-management").await;
    let key = json!({"PK": "TOKEN#hush", "SK": "TOKEN#hush-other"});
    world.put(key).await;
    let found = complaints(&examine(&world.instep, true).await).join("\n");
    assert!(found.contains("1 item would be parked") && !found.contains("hush"), "{found}");
}

/// Parked records and dead letters are counted. If no queue is named, that is reported.
#[tokio::test]
async fn queues_are_looked_at() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.drain().await;
    let found = complaints(&examine(&world.instep, false).await);
    assert_eq!(found, ["Note parked queue: it has about 1 parked records"]);
    let url = DEAD_LETTERS.to_owned() + ".fifo";
    let dead_letters = Some((1, QUEUE.to_owned()));
    world.stack.make_queue(&url, instep_local::QueueOptions { dead_letters, ..Default::default() });
    let settings = |parking| instep_aws::Settings { parking, ..world.settings() };
    let with = |parking| Instep::new(world.model(), Clients::new(&world.stack.sdk_config()), settings(parking));
    let fifo = with(Some(instep_aws::Parking { queue_url: url, bucket: BUCKET.to_owned() }));
    let found = complaints(&examine(&fifo, false).await).join("\n");
    assert!(found.contains("Wrong parked queue: it is a FIFO queue"), "{found}");
    assert!(found.contains("Note dead letters: it has about 1 messages"), "{found}");
    let found = complaints(&examine(&with(None), false).await).join("\n");
    assert!(found.contains("Note parked queue: not checked, nor the bucket"), "{found}");
}

/// A name of the model may be the alias of another user.
#[tokio::test]
async fn a_pool_with_sign_in_aliases_is_named() {
    let world = World::with_pool("access-management", |pool| pool.sign_in = instep_local::SignIn::Aliases).await;
    let found = complaints(&examine(&world.instep, false).await).join("\n");
    assert!(
        found.contains("Wrong pool: its users can also sign in by email or phone_number or preferred_username"),
        "{found}"
    );
}

/// An address by which users sign in is no name: it can become another person's.
#[tokio::test]
async fn a_pool_that_generates_names_is_wrong_unless_people_are_known_by_sub() {
    let world = World::with_pool("access-management", |pool| pool.sign_in = instep_local::SignIn::Addresses).await;
    let found = complaints(&examine(&world.instep, false).await).join("\n");
    assert!(found.contains("Wrong pool: its users sign in by email or phone_number, and Cognito generates"), "{found}");
}
