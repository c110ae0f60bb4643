//! SQS's rules, each in the words of its API reference.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::{
    DeleteMessageBatchRequestEntry, Message, MessageSystemAttributeName, QueueAttributeName,
    SendMessageBatchRequestEntry,
};
use jiff::Timestamp;

use super::{NOON, code, stack};
use crate::{Fault, QueueCounts, QueueOptions, Stack};

const QUEUE: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/queue";
const DEAD_LETTERS: &str = "https://sqs.us-east-1.amazonaws.com/000000000000/dead";

fn sqs(stack: &Stack) -> Client {
    Client::new(&stack.sdk_config())
}

async fn with_queue(options: QueueOptions) -> Stack {
    let stack = stack().await;
    stack.make_queue(QUEUE, options);
    stack
}

fn entry(body: &str, delay_seconds: Option<i32>) -> SendMessageBatchRequestEntry {
    let entry = SendMessageBatchRequestEntry::builder().id(format!("entry-{body}")).message_body(body);
    entry.set_delay_seconds(delay_seconds).build().unwrap()
}

/// Sends bodies with their delays, and returns the codes of the entries that failed.
async fn send(stack: &Stack, entries: &[(&str, Option<i32>)]) -> Vec<String> {
    let entries = entries.iter().map(|(body, delay_seconds)| entry(body, *delay_seconds)).collect();
    let send = sqs(stack).send_message_batch().queue_url(QUEUE).set_entries(Some(entries));
    send.send().await.unwrap().failed().iter().map(|failed| failed.code().to_owned()).collect()
}

async fn receive(stack: &Stack, names: &[MessageSystemAttributeName]) -> Vec<Message> {
    let receive = sqs(stack).receive_message().queue_url(QUEUE).max_number_of_messages(10);
    let names = Some(names.to_vec()).filter(|names| !names.is_empty());
    receive.set_message_system_attribute_names(names).send().await.unwrap().messages.unwrap_or_default()
}

async fn bodies(stack: &Stack) -> String {
    receive(stack, &[]).await.into_iter().filter_map(|message| message.body).collect()
}

async fn attributes(stack: &Stack, names: &[QueueAttributeName]) -> BTreeMap<String, String> {
    let get = sqs(stack).get_queue_attributes().queue_url(QUEUE).set_attribute_names(Some(names.to_vec()));
    let answer = get.send().await.unwrap().attributes.unwrap_or_default();
    answer.into_iter().map(|(name, value)| (name.as_str().to_owned(), value)).collect()
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// "Messages with a positive DelaySeconds value become available for processing after the delay
/// period is finished. If you don't specify a value, the default value for the queue is applied."
#[tokio::test]
async fn a_delayed_message_shows_itself_after_its_delay() {
    let stack = with_queue(QueueOptions { delay: seconds(5), ..QueueOptions::default() }).await;
    assert_eq!(send(&stack, &[("a", Some(0)), ("b", None), ("c", Some(900))]).await, [""; 0]);
    assert_eq!(bodies(&stack).await, "a");
    stack.clock().advance(Duration::from_millis(4_999));
    assert_eq!(bodies(&stack).await, "");
    stack.clock().advance(Duration::from_millis(1));
    assert_eq!(bodies(&stack).await, "b");
    stack.clock().advance(seconds(895));
    assert!(bodies(&stack).await.contains('c'));
}

/// "Valid values: 0 to 900": an entry with another value fails alone.
#[tokio::test]
async fn a_delay_beyond_a_quarter_of_an_hour_fails_its_entry_alone() {
    let stack = with_queue(QueueOptions::default()).await;
    let failed = send(&stack, &[("a", Some(901)), ("b", Some(-1)), ("c", Some(1))]).await;
    assert_eq!(failed, ["InvalidParameterValue"; 2]);
    let left: Vec<String> = stack.messages(QUEUE).into_iter().map(|message| message.body).collect();
    assert_eq!(left, ["c"]);
}

/// A fault of one entry does not affect the others, and uses no id.
#[tokio::test]
async fn an_entry_fails_where_a_test_asks_for_it() {
    let stack = with_queue(QueueOptions::default()).await;
    let fault = |places| Fault::Entries { places, code: "InternalFailure".to_owned() };
    stack.faults().next("SendMessageBatch", 1, fault(vec![1]));
    assert_eq!(send(&stack, &[("a", None), ("b", None)]).await, ["InternalFailure"]);
    stack.faults().next("SendMessageBatch", 1, fault(vec![0]));
    assert_eq!(send(&stack, &[("c", None)]).await, ["InternalFailure"]);
    assert_eq!(stack.messages(QUEUE).len(), 1);
}

/// GetQueueAttributes counts each message in exactly one state.
#[tokio::test]
async fn messages_are_counted_by_state() {
    let stack = with_queue(QueueOptions::default()).await;
    send(&stack, &[("a", None)]).await;
    assert_eq!(bodies(&stack).await, "a");
    send(&stack, &[("b", None), ("c", None), ("d", Some(60)), ("e", Some(60)), ("f", Some(60))]).await;
    let counts = |visible, not_visible, delayed| QueueCounts { visible, not_visible, delayed };
    assert_eq!(stack.queue_counts(QUEUE), counts(2, 1, 3));
    let asked = [
        QueueAttributeName::ApproximateNumberOfMessages,
        QueueAttributeName::ApproximateNumberOfMessagesNotVisible,
        QueueAttributeName::ApproximateNumberOfMessagesDelayed,
    ];
    let found: Vec<String> = attributes(&stack, &asked).await.into_values().collect();
    assert_eq!(found, ["2", "3", "1"], "visible, delayed, not visible");
    stack.clock().advance(seconds(60));
    assert_eq!(stack.queue_counts(QUEUE), counts(6, 0, 0));
}

/// "If you don't specify values for this parameter, the request returns empty results."
#[tokio::test]
async fn a_queue_returns_the_requested_attributes() {
    let options = QueueOptions {
        dead_letters: Some((3, DEAD_LETTERS.to_owned())),
        delay: seconds(7),
        visibility_timeout: seconds(90),
    };
    let stack = with_queue(options).await;
    assert_eq!(attributes(&stack, &[]).await, BTreeMap::new());
    let all = attributes(&stack, &[QueueAttributeName::All]).await;
    assert_eq!((all["DelaySeconds"].as_str(), all["VisibilityTimeout"].as_str()), ("7", "90"));
    assert_eq!(all["QueueArn"], "arn:aws:sqs:us-east-1:000000000000:queue");
    let policy = r#"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:dead","maxReceiveCount":3}"#;
    assert_eq!(all["RedrivePolicy"], policy);
    let one = attributes(&stack, &[QueueAttributeName::VisibilityTimeout]).await;
    assert_eq!(one.len(), 1);
}

/// "SentTimestamp", "ApproximateFirstReceiveTimestamp" (epoch milliseconds) and
/// "ApproximateReceiveCount" are returned on request, by either name of the parameter.
#[tokio::test]
async fn a_message_has_the_requested_attributes() {
    let stack = with_queue(QueueOptions::default()).await;
    let noon_ms = NOON.parse::<Timestamp>().unwrap().as_millisecond();
    send(&stack, &[("a", None)]).await;
    stack.clock().advance(seconds(2));
    assert_eq!(receive(&stack, &[]).await[0].attributes, None);
    stack.clock().advance(seconds(30));
    let message = receive(&stack, &[MessageSystemAttributeName::All]).await.remove(0);
    let attributes = message.attributes.unwrap();
    let value = |name: MessageSystemAttributeName| attributes[&name].clone();
    assert_eq!(value(MessageSystemAttributeName::SentTimestamp), noon_ms.to_string());
    let first = MessageSystemAttributeName::ApproximateFirstReceiveTimestamp;
    assert_eq!(value(first), (noon_ms + 2_000).to_string());
    assert_eq!(value(MessageSystemAttributeName::ApproximateReceiveCount), "2");
    assert_eq!(message.md5_of_body.unwrap(), "0cc175b9c0f1b6a831c399e269772661");
    stack.clock().advance(seconds(30));
    #[expect(deprecated, reason = "SQS still takes the parameter")]
    let older = sqs(&stack).receive_message().queue_url(QUEUE).attribute_names(QueueAttributeName::All);
    let message = older.send().await.unwrap().messages.unwrap().remove(0);
    assert_eq!(message.attributes.unwrap()[&MessageSystemAttributeName::ApproximateReceiveCount], "3");
}

/// "If not specified, the default visibility timeout for the queue is used, which is 30 seconds."
#[tokio::test]
async fn a_queue_hides_what_was_received_for_its_own_time() {
    let stack = with_queue(QueueOptions { visibility_timeout: seconds(90), ..QueueOptions::default() }).await;
    send(&stack, &[("a", None)]).await;
    assert_eq!(bodies(&stack).await, "a");
    stack.clock().advance(seconds(89));
    assert_eq!(bodies(&stack).await, "");
    stack.clock().advance(seconds(1));
    assert_eq!(bodies(&stack).await, "a");
}

/// "ApproximateReceiveCount: the number of times a message has been received across all queues":
/// the dead-letter queue continues the count, and the message keeps its id and its time.
#[tokio::test]
async fn a_dead_letter_keeps_its_id_its_time_and_its_receives() {
    let dead_letters = Some((2, DEAD_LETTERS.to_owned()));
    let stack = with_queue(QueueOptions { dead_letters, ..QueueOptions::default() }).await;
    stack.make_queue(DEAD_LETTERS, QueueOptions::default());
    send(&stack, &[("a", None)]).await;
    let id = stack.messages(QUEUE)[0].id.clone();
    for received in ["a", "a", ""] {
        assert_eq!(bodies(&stack).await, received);
        stack.clock().advance(seconds(30));
    }
    assert_eq!(stack.messages(QUEUE), []);
    let receive = sqs(&stack).receive_message().queue_url(DEAD_LETTERS);
    let receive = receive.message_system_attribute_names(MessageSystemAttributeName::All).send();
    let dead = receive.await.unwrap().messages.unwrap().remove(0);
    assert_eq!(dead.message_id.as_deref(), Some(id.as_str()));
    let attributes = dead.attributes.unwrap();
    assert_eq!(attributes[&MessageSystemAttributeName::ApproximateReceiveCount], "3");
    let noon_ms = NOON.parse::<Timestamp>().unwrap().as_millisecond();
    assert_eq!(attributes[&MessageSystemAttributeName::SentTimestamp], noon_ms.to_string());
}

/// Only the receipt of the latest receive deletes a message.
#[tokio::test]
async fn an_old_receipt_deletes_nothing() {
    let stack = with_queue(QueueOptions::default()).await;
    send(&stack, &[("a", None)]).await;
    let mut receipts = Vec::new();
    for _ in 0..2 {
        receipts.push(receive(&stack, &[]).await.remove(0).receipt_handle.unwrap());
        stack.clock().advance(seconds(30));
    }
    for (receipt, left) in receipts.iter().zip([1, 0]) {
        let entry = DeleteMessageBatchRequestEntry::builder().id("0").receipt_handle(receipt).build().unwrap();
        sqs(&stack).delete_message_batch().queue_url(QUEUE).entries(entry).send().await.unwrap();
        assert_eq!(stack.messages(QUEUE).len(), left);
    }
}

#[tokio::test]
async fn a_queue_that_was_not_created_does_not_exist() {
    let stack = stack().await;
    let send = sqs(&stack).send_message_batch().queue_url("https://nowhere").entries(entry("a", None));
    assert_eq!(code(send.send().await), "QueueDoesNotExist");
    let url = sqs(&stack).get_queue_url().queue_name("work").send().await.unwrap().queue_url;
    assert_eq!(url.as_deref(), Some(stack.work_queue()), "the stack makes its work queue by itself");
    let dead = sqs(&stack).get_queue_url().queue_name("work-dead-letters").send().await.unwrap().queue_url;
    assert_eq!(dead.as_deref(), Some(stack.work_dead_letters()));
}
