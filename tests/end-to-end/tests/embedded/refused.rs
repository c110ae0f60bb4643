//! What AWS refuses is refused here, too, and parks the record that asked for it, alone.

use serde_json::json;

use crate::own::{parked, put, world};

/// Promise 6: Cognito refuses malformed values of user attributes. Each parks its own record.
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
        ("email", json!("not an address")),
        ("phone", json!("555-1234")),
        ("birthdate", json!("1 May 1990")),
        ("updatedAt", json!("yesterday")),
        ("verified", json!("yes")),
        ("note", json!("n".repeat(2049))),
    ];
    for (place, (attribute, value)) in malformed.iter().enumerate() {
        put(&world, (&format!("U#bad{place}"), "U"), json!({ *attribute: value })).await;
    }
    let good = json!({"email": "a@example.com", "phone": "+14155550100", "birthdate": "1990-05-01",
        "updatedAt": 1_777_626_000, "verified": true, "note": "n".repeat(2048)});
    put(&world, ("U#good", "U"), good).await;
    let reports = world.drain().await;
    assert_eq!(parked(&reports).len(), malformed.len());
    let state = world.state().await;
    let users: Vec<&str> = state.users.iter().map(|user| user.username.as_str()).collect();
    assert_eq!(users, ["good"]);
    assert_eq!(state.users[0].attributes["updated_at"], "1777626000");
    assert_eq!(state.users[0].attributes["email_verified"], "true");
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
    assert_eq!(parked(&reports).len(), 1);
    // 120, and ` Created`.
    let names: Vec<usize> = world.stack.published().iter().map(|event| event.detail_type.len()).collect();
    assert_eq!(names, [128]);
}
