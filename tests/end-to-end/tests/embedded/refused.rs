//! What AWS refuses is refused here, too, and parks the record that asked for it, alone.

use instep_flow::report::{Outcome, Report};
use instep_local::Fault;
use serde_json::json;

use crate::own::{parked, put, world};

/// Why records were parked.
fn reasons(reports: &[Report]) -> Vec<&str> {
    let records = reports.iter().flat_map(|report| &report.records);
    let reasons = records.filter_map(|record| match &record.outcome {
        Outcome::Parked(parked) => Some(parked.reason.as_str()),
        Outcome::Handled | Outcome::Skipped { .. } | Outcome::Retry { .. } => None,
    });
    reasons.collect()
}

/// Promise 6: Cognito refuses malformed values of user attributes. Each parks its own record, with the reason.
/// Promise 9: the reason names attributes and shows no value.
#[tokio::test]
async fn a_malformed_user_attribute_parks_its_record_alone() {
    let world = world(
        r#"
[items.User]
pk = "U#{id}"
sk = "U"
[items.User.cognito.user]
name = "{id}"
attributes = { email = "{email}", phone_number = "{phone}", birthdate = "{birthdate}", updated_at = "{updatedAt}", email_verified = "{verified}", "custom:note" = "{note}" }
"#,
    )
    .await;
    let malformed = [
        ("email", json!("not an address"), "`email` (made of the item's `email`): Cognito takes an email address"),
        (
            "phone",
            json!("555-1234"),
            "`phone_number` (made of the item's `phone`): Cognito takes `+`, the country code",
        ),
        ("birthdate", json!("1 May 1990"), "`birthdate` (made of the item's `birthdate`): Cognito takes a date"),
        ("updatedAt", json!("yesterday"), "`updated_at` (made of the item's `updatedAt`): Cognito takes a number"),
        ("verified", json!("yes"), "`email_verified` (made of the item's `verified`): Cognito takes `true` or `false`"),
        ("note", json!("n".repeat(2049)), "`custom:note` (made of the item's `note`): it has 2049 characters"),
    ];
    for (place, (attribute, value, _)) in malformed.iter().enumerate() {
        put(&world, (&format!("U#bad{place}"), "U"), json!({ *attribute: value })).await;
    }
    let good = json!({"email": "a@example.com", "phone": "+14155550100", "birthdate": "1990-05-01",
        "updatedAt": 1_777_626_000, "verified": true, "note": "n".repeat(2048)});
    put(&world, ("U#good", "U"), good).await;
    let reports = world.drain().await;
    let reasons = reasons(&reports);
    assert_eq!(reasons.len(), malformed.len());
    for (reason, (_, value, why)) in reasons.iter().zip(&malformed) {
        assert!(reason.contains(&format!("correct the user's {why}")), "{reason}");
        assert!(!reason.contains(value.as_str().unwrap()), "{reason}");
    }
    let state = world.state().await;
    let users: Vec<&str> = state.users.iter().map(|user| user.username.as_str()).collect();
    assert_eq!(users, ["good"]);
    assert_eq!(state.users[0].attributes["updated_at"], "1777626000");
    assert_eq!(state.users[0].attributes["email_verified"], "true");
}

/// Promise 6: where no form is known to be wrong, the reason has the attribute that Cognito names, or all. Promise 9:
/// it has their lengths, and no value.
#[tokio::test]
async fn the_reason_names_the_attribute_that_cognito_names() {
    let world = world(
        r#"
[items.User]
pk = "U#{id}"
sk = "U"
[items.User.cognito.user]
name = "{id}"
attributes = { name = "{name}", "custom:note" = "{note}" }
"#,
    )
    .await;
    for (code, why) in [
        ("InvalidParameterException", "`custom:note` (made of the item's `note`): 3 characters; `name` (made of"),
        ("UserLambdaValidationException", "a Lambda trigger of the user pool refuses the user"),
        ("InvalidPasswordException", "the service will never accept this"),
    ] {
        world.stack.faults().next("AdminCreateUser", 1, Fault::refuse(code));
        put(&world, (&format!("U#{code}"), "U"), json!({"name": "Ann", "note": "abc"})).await;
        let reports = world.drain().await;
        assert!(reasons(&reports).iter().all(|reason| reason.contains(why)), "{:?}", reasons(&reports));
        assert_eq!(parked(&reports), ["service-refused"]);
    }
}

/// Promise 6: an item that Instep's own attributes would bring above DynamoDB's limit parks its record alone, with
/// the limit and the attributes.
#[tokio::test]
async fn an_item_that_index_keys_would_make_too_large_parks_its_record_alone() {
    // Source: Amazon DynamoDB Developer Guide, "Quotas in Amazon DynamoDB", item size.
    const ITEM_BYTES_MAX: usize = 400 * 1024;
    let world = world(
        r#"
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Task]
pk = "T#{taskId}"
sk = "T"
GSI1 = { pk = "STATUS#{status}", sk = "{due}", keep = true }
"#,
    )
    .await;
    let filler = "x".repeat(ITEM_BYTES_MAX - 60);
    put(&world, ("T#large", "T"), json!({"status": "open", "due": "2026-01-01", "text": filler})).await;
    put(&world, ("T#small", "T"), json!({"status": "open", "due": "2026-01-01"})).await;
    let reports = world.drain().await;
    let [reason] = reasons(&reports)[..] else { panic!("{:?}", reasons(&reports)) };
    let expected = "an item would exceed DynamoDB's limit of 400 KB: the `Task` to which Instep adds `g1p`, `g1s`; \
                    shorten the item, then redrive the record";
    assert!(reason.ends_with(expected), "{reason}");
}

/// Promise 6: EventBridge refuses an event whose name has more than 128 characters.
#[tokio::test]
async fn an_event_name_that_is_too_long_parks_its_record_alone() {
    let world = world(
        r#"
[items.Ticket]
pk = "T#{id}"
sk = "T"
entity = ["{kind}", "Ticket"]
"#,
    )
    .await;
    put(&world, ("T#long", "T"), json!({"kind": "k".repeat(121)})).await;
    put(&world, ("T#fits", "T"), json!({"kind": "k".repeat(120)})).await;
    let reports = world.drain().await;
    let [reason] = reasons(&reports)[..] else { panic!("{:?}", reasons(&reports)) };
    let why = "its name (`DetailType`) has 129 characters, and EventBridge takes at most 128: shorten the attribute";
    assert!(reason.contains(why) && !reason.contains("kkk"), "{reason}");
    // 120, and ` Created`.
    let names: Vec<usize> = world.stack.published().iter().map(|event| event.detail_type.len()).collect();
    assert_eq!(names, [128]);
}
