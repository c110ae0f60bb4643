//! EventBridge's limits.

use aws_sdk_eventbridge::Client;
use aws_sdk_eventbridge::operation::put_events::PutEventsOutput;
use aws_sdk_eventbridge::types::PutEventsRequestEntry;

use super::{NOON, code, stack};
use crate::{Fault, Stack};

fn entry(detail: &str) -> PutEventsRequestEntry {
    PutEventsRequestEntry::builder()
        .source("instep.test")
        .detail_type("User Created")
        .detail(detail)
        .event_bus_name("instep")
        .build()
}

async fn put(stack: &Stack, entries: Vec<PutEventsRequestEntry>) -> PutEventsOutput {
    Client::new(&stack.sdk_config()).put_events().set_entries(Some(entries)).send().await.unwrap()
}

fn codes(output: &PutEventsOutput) -> Vec<&str> {
    output.entries().iter().map(|entry| entry.error_code().unwrap_or("-")).collect()
}

#[tokio::test]
async fn entries_fail_one_by_one_with_a_success_for_the_call() {
    let stack = stack().await;
    let none = || PutEventsRequestEntry::builder();
    let (entries, expected): (Vec<_>, Vec<&str>) = [
        (entry("{}"), "-"),
        (none().detail_type("x").detail("{}").build(), "InvalidArgument"),
        (none().source("x").detail("{}").build(), "InvalidArgument"),
        (none().source("x").detail_type("x").build(), "InvalidArgument"),
        (entry("{"), "MalformedDetail"),
        (entry("[1]"), "MalformedDetail"),
        (none().source("aws.s3").detail_type("x").detail("{}").build(), "NotAuthorizedForSourceException"),
        (none().source("x").detail_type("x".repeat(129)).detail("{}").build(), "InvalidArgument"),
        (entry(r#"{"n":12345678901234567890123456789012345678}"#), "-"),
    ]
    .into_iter()
    .unzip();
    let output = put(&stack, entries).await;
    assert_eq!(output.failed_entry_count(), 7);
    assert_eq!(codes(&output), expected);
    let published = stack.published();
    assert_eq!(
        published.iter().map(|event| event.detail.as_str()).collect::<Vec<_>>(),
        ["{}", r#"{"n":12345678901234567890123456789012345678}"#]
    );
    assert_eq!(published[0].time, NOON);
    assert_eq!(output.entries()[0].event_id().unwrap(), published[0].event_id);
}

#[tokio::test]
async fn a_call_has_1_to_10_entries_and_1_mb() {
    let stack = stack().await;
    let client = Client::new(&stack.sdk_config());
    let put_events = |entries: Vec<PutEventsRequestEntry>| client.put_events().set_entries(Some(entries)).send();
    assert_eq!(code(put_events(Vec::new()).await), "ValidationException");
    assert_eq!(code(put_events(vec![entry("{}"); 11]).await), "ValidationException");
    let overhead = "instep.test".len() + "User Created".len();
    let fits = format!(r#"{{"x":"{}"}}"#, "x".repeat(1024 * 1024 - overhead - 8));
    put_events(vec![entry(&fits)]).await.unwrap();
    assert_eq!(code(put_events(vec![entry(&fits), entry("{}")]).await), "ValidationException");
    assert_eq!(stack.published().len(), 1);
}

#[tokio::test]
async fn a_bus_that_does_not_exist_loses_events_silently() {
    let stack = stack().await;
    let mut lost = entry("{}");
    lost.event_bus_name = Some("elsewhere".to_owned());
    let mut by_arn = entry(r#"{"by":"arn"}"#);
    by_arn.event_bus_name = Some("arn:aws:events:us-east-1:000000000000:event-bus/instep".to_owned());
    let output = put(&stack, vec![lost, by_arn]).await;
    assert_eq!(output.failed_entry_count(), 0);
    assert_eq!(stack.published().len(), 1);
    let client = Client::new(&stack.sdk_config());
    assert_eq!(code(client.describe_event_bus().name("elsewhere").send().await), "ResourceNotFoundException");
    let ours = client.describe_event_bus().name(stack.bus()).send().await.unwrap();
    assert_eq!(ours.arn().unwrap(), "arn:aws:events:us-east-1:000000000000:event-bus/instep");
}

#[tokio::test]
async fn entries_fail_where_a_test_asks_for_it() {
    let stack = stack().await;
    stack.faults().next("PutEvents", 1, Fault::Entries { places: vec![1], code: "ThrottlingException".to_owned() });
    let entries = || vec![entry(r#"{"n":0}"#), entry(r#"{"n":1}"#)];
    assert_eq!(codes(&put(&stack, entries()).await), ["-", "ThrottlingException"]);
    assert_eq!(codes(&put(&stack, entries()).await), ["-", "-"]);
    assert_eq!(stack.published().len(), 3);
}
