//! The queue pump's rules, each in the words of the AWS Lambda Developer Guide.

use std::path::Path;
use std::time::Duration;

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;

use super::{open, stack};
use instep_aws::QueueMessage;

use crate::{LocalError, QueueCounts, QueueDrained, QueueHandler, QueueOptions, QueuePumpOptions, Stack};

/// A function that does what a test says with the bodies of a batch, and records the batches that
/// it received.
struct Function<F> {
    act: F,
    got: Vec<String>,
}

impl<F: FnMut(&[&QueueMessage]) -> Result<Vec<String>, String>> QueueHandler for Function<F> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        self.got.push(messages.iter().map(|message| message.body.as_str()).collect());
        (self.act)(&messages.iter().collect::<Vec<_>>())
    }
}

async fn send(stack: &Stack, messages: &[(&str, i32)]) {
    let client = aws_sdk_sqs::Client::new(&stack.uncounted_config());
    for (body, delay_seconds) in messages {
        let entry = SendMessageBatchRequestEntry::builder().id("0").message_body(*body).delay_seconds(*delay_seconds);
        let send = client.send_message_batch().queue_url(stack.work_queue()).entries(entry.build().unwrap());
        send.send().await.unwrap();
    }
}

async fn sent(bodies: &str) -> Stack {
    let stack = stack().await;
    send_all(&stack, bodies).await;
    stack
}

async fn send_all(stack: &Stack, bodies: &str) {
    let bodies: Vec<String> = bodies.chars().map(String::from).collect();
    send(stack, &bodies.iter().map(|body| (body.as_str(), 0)).collect::<Vec<_>>()).await;
}

async fn run(
    stack: &Stack,
    options: QueuePumpOptions,
    act: impl FnMut(&[&QueueMessage]) -> Result<Vec<String>, String>,
) -> (Vec<String>, QueueDrained) {
    let mut function = Function { act, got: Vec::new() };
    let drained = stack.queue_pump(stack.work_queue(), options).unwrap().drain(&mut function).await.unwrap();
    (function.got, drained)
}

fn options() -> QueuePumpOptions {
    QueuePumpOptions::default()
}

/// The ids of the messages with these bodies.
fn ids(messages: &[&QueueMessage], bodies: &str) -> Vec<String> {
    let wanted = messages.iter().filter(|message| bodies.contains(&message.body));
    wanted.map(|message| message.id.clone()).collect()
}

fn counts(stack: &Stack) -> (usize, usize, usize) {
    let QueueCounts { visible, not_visible, delayed } = stack.queue_counts(stack.work_queue());
    (visible, not_visible, delayed)
}

fn waited(stack: &Stack) -> i64 {
    stack.clock().now().duration_since(super::clock().now()).as_secs()
}

/// "BatchSize ... Amazon Simple Queue Service – Default 10."
#[tokio::test]
async fn messages_are_delivered_in_batches_and_deleted() {
    let stack = sent("abcdefghijkl").await;
    let (got, drained) = run(&stack, options(), |_| Ok(Vec::new())).await;
    assert_eq!(got, ["abcdefghij", "kl"]);
    assert_eq!((drained.batches, drained.messages, drained.returned.len()), (2, 12, 0));
    assert_eq!(counts(&stack), (0, 0, 0));
    send_all(&stack, "mno").await;
    let (got, _) = run(&stack, QueuePumpOptions { batch_size: 2, ..options() }, |_| Ok(Vec::new())).await;
    assert_eq!(got, ["mn", "o"]);
    assert_eq!(waited(&stack), 0, "nothing was waited for");
}

/// "Only the failed messages become visible in the queue again", after the visibility timeout, and
/// their receive counts go up.
#[tokio::test]
async fn only_a_reported_message_is_delivered_again_after_the_visibility_timeout() {
    let stack = sent("abc").await;
    let mut receives = Vec::new();
    let (got, drained) = run(&stack, options(), |messages| {
        receives.push(messages.iter().map(|message| message.receives).collect::<Vec<_>>());
        Ok(if messages.len() > 1 { ids(messages, "b") } else { Vec::new() })
    })
    .await;
    assert_eq!(got, ["abc", "b"]);
    assert_eq!(receives, [vec![1, 1, 1], vec![2]]);
    assert_eq!(drained.returned[0].why, "1 of 3 messages reported");
    assert_eq!(waited(&stack), 720, "six times the function's timeout");
}

/// "If your function throws an exception, the entire batch is considered a complete failure." So is
/// an identifier "that doesn't exist" in the batch.
#[tokio::test]
async fn an_error_or_an_unknown_id_returns_the_whole_batch() {
    let stack = sent("abc").await;
    let mut outcomes = vec![Ok(Vec::new()), Ok(vec!["nobody".to_owned()]), Err("boom".to_owned())];
    let (got, drained) = run(&stack, options(), |_| outcomes.pop().unwrap()).await;
    assert_eq!(got, ["abc", "abc", "abc"]);
    let why: Vec<&str> = drained.returned.iter().map(|returned| returned.why.as_str()).collect();
    assert_eq!(why, ["boom", "`nobody` was reported, which is not in the batch"]);
    assert_eq!(drained.returned[0].ids.len(), 3);
}

/// "If your function fails to process a message multiple times, Amazon SQS can send it to a
/// dead-letter queue": after as many receives as the queue allows.
#[tokio::test]
async fn a_message_that_fails_for_good_ends_in_the_dead_letter_queue() {
    let stack = sent("ab").await;
    let (got, drained) = run(&stack, options(), |messages| Ok(ids(messages, "b"))).await;
    assert_eq!(got.len(), 30);
    assert_eq!(got[..3], ["ab", "b", "b"]);
    let [dead] = drained.dead_letters.as_slice() else { panic!("{:?}", drained.dead_letters) };
    assert_eq!((dead.body.as_str(), dead.receives), ("b", 30));
    assert_eq!(stack.messages(stack.work_dead_letters()), drained.dead_letters);
    assert_eq!(waited(&stack), 30 * 720, "six hours");
    let (_, drained) = run(&stack, options(), |_| Ok(Vec::new())).await;
    assert_eq!(drained.dead_letters, [], "it was there before");
}

/// A drain advances the clock to delayed messages, and delivers what the handler sends: at its end
/// no message is visible, delayed or in flight.
#[tokio::test]
async fn a_drain_waits_on_the_clock_and_leaves_nothing() {
    struct Chain<'a>(&'a Stack, Vec<(String, i64)>);
    impl QueueHandler for Chain<'_> {
        async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
            for message in messages {
                if message.body.len() < 3 {
                    send(self.0, &[(&format!("{}x", message.body), 60)]).await;
                }
                self.1.push((message.body.clone(), waited(self.0)));
            }
            Ok(Vec::new())
        }
    }
    let stack = stack().await;
    send(&stack, &[("late", 900), ("a", 0)]).await;
    assert_eq!(counts(&stack), (1, 0, 1));
    let mut chain = Chain(&stack, Vec::new());
    stack.queue_pump(stack.work_queue(), options()).unwrap().drain(&mut chain).await.unwrap();
    let got: Vec<(&str, i64)> = chain.1.iter().map(|(body, at)| (body.as_str(), *at)).collect();
    assert_eq!(got, [("a", 0), ("ax", 60), ("axx", 120), ("late", 900)]);
    assert_eq!(counts(&stack), (0, 0, 0));
}

/// A drain also waits for a message that another receiver did not delete.
#[tokio::test]
async fn a_drain_waits_for_what_is_in_flight() {
    let stack = sent("a").await;
    let client = aws_sdk_sqs::Client::new(&stack.sdk_config());
    client.receive_message().queue_url(stack.work_queue()).visibility_timeout(45).send().await.unwrap();
    assert_eq!(counts(&stack), (0, 1, 0));
    let (got, _) = run(&stack, options(), |_| Ok(Vec::new())).await;
    assert_eq!((got, waited(&stack)), (vec!["a".to_owned()], 45));
}

/// A step delivers visible messages only, and does not advance the clock.
#[tokio::test]
async fn a_step_delivers_one_batch_and_does_not_wait() {
    let stack = stack().await;
    send(&stack, &[("a", 0), ("b", 0), ("c", 5)]).await;
    let mut pump = stack.queue_pump(stack.work_queue(), QueuePumpOptions { batch_size: 1, ..options() }).unwrap();
    let mut function = Function { act: |_: &[&QueueMessage]| Ok(Vec::new()), got: Vec::new() };
    for delivered in [Some(1), Some(1), None, None] {
        let stepped = pump.step(&mut function).await.unwrap();
        assert_eq!(stepped.map(|stepped| stepped.messages), delivered);
    }
    assert_eq!((function.got.concat(), waited(&stack), counts(&stack)), ("ab".to_owned(), 0, (0, 0, 1)));
}

/// INVARIANT 8: messages that cause each other end a drain with an error.
#[tokio::test]
async fn a_queue_that_never_becomes_empty_is_an_error() {
    struct Again<'a>(&'a Stack);
    impl QueueHandler for Again<'_> {
        async fn handle(&mut self, _: &[QueueMessage]) -> Result<Vec<String>, String> {
            send_all(self.0, "a").await;
            Ok(Vec::new())
        }
    }
    let stack = sent("a").await;
    let error = stack.queue_pump(stack.work_queue(), options()).unwrap().drain(&mut Again(&stack)).await.unwrap_err();
    assert!(matches!(error, LocalError::QueueNeverEmpty { deliveries: 200, .. }), "{error}");
}

/// "Up to the payload limit for synchronous invocation (6 MB)."
#[tokio::test]
async fn a_batch_of_messages_fits_an_invocation() {
    let stack = stack().await;
    let long = "x".repeat(1024 * 1024);
    for _ in 0..10 {
        send(&stack, &[(&long, 0)]).await;
    }
    let (got, drained) = run(&stack, options(), |_| Ok(Vec::new())).await;
    assert_eq!(got.iter().map(|bodies| bodies.len() / long.len()).collect::<Vec<_>>(), [6, 4]);
    assert_eq!(drained.messages, 10);
}

/// Lambda refuses a mapping if the queue's visibility timeout is shorter than the function's
/// timeout.
#[tokio::test]
async fn options_have_the_limits_of_lambda() {
    let stack = stack().await;
    let refused = |url: &str, options: QueuePumpOptions| {
        let error = stack.queue_pump(url, options).unwrap_err();
        let LocalError::Option { what, .. } = error else { panic!("{error}") };
        what
    };
    let queue = stack.work_queue();
    for batch_size in [0, 11] {
        assert_eq!(refused(queue, QueuePumpOptions { batch_size, ..options() }), "the batch size");
    }
    let hour = QueuePumpOptions { function_timeout: Duration::from_secs(3_600), ..options() };
    assert_eq!(refused(queue, hour), "the function timeout");
    stack.make_queue("https://q/short", QueueOptions::default());
    assert_eq!(refused("https://q/short", options()), "the function timeout");
    assert_eq!(refused("https://q/none", options()), "the queue");
}

async fn reopened(dir: &Path) -> Stack {
    open(Some(dir)).await.unwrap()
}

/// A persisted stack may stop with messages in its queues: visible, delayed and in flight, each
/// with its receive count.
#[tokio::test]
async fn a_directory_keeps_messages_with_their_state() {
    let dir = tempfile::tempdir().unwrap();
    let stack = reopened(dir.path()).await;
    send_all(&stack, "ab").await;
    let client = aws_sdk_sqs::Client::new(&stack.sdk_config());
    client.receive_message().queue_url(stack.work_queue()).send().await.unwrap();
    send(&stack, &[("c", 300)]).await;
    let (messages, before) = (stack.messages(stack.work_queue()), counts(&stack));
    assert_eq!(before, (1, 1, 1));
    // Dropped without closing, as a killed process leaves it.
    drop(stack);
    let stack = reopened(dir.path()).await;
    assert_eq!((stack.messages(stack.work_queue()), counts(&stack)), (messages, before));
    let mut receives = Vec::new();
    let (got, _) = run(&stack, options(), |messages| {
        receives.extend(messages.iter().map(|message| message.receives));
        Ok(Vec::new())
    })
    .await;
    assert_eq!((got.concat(), receives), ("bca".to_owned(), vec![1, 1, 2]));
    drop(stack);
    assert_eq!(counts(&reopened(dir.path()).await), (0, 0, 0), "what is deleted stays deleted");
}

/// A queue that a test created is also persisted, with its options and its dead-letter queue.
#[tokio::test]
async fn a_directory_keeps_every_queue() {
    let dir = tempfile::tempdir().unwrap();
    let stack = reopened(dir.path()).await;
    stack.make_queue("https://q/dead", QueueOptions::default());
    let dead_letters = Some((1, "https://q/dead".to_owned()));
    stack.make_queue("https://q/mine", QueueOptions { dead_letters, ..QueueOptions::default() });
    let client = aws_sdk_sqs::Client::new(&stack.sdk_config());
    let entry = SendMessageBatchRequestEntry::builder().id("0").message_body("a").build().unwrap();
    client.send_message_batch().queue_url("https://q/mine").entries(entry).send().await.unwrap();
    client.receive_message().queue_url("https://q/mine").visibility_timeout(0).send().await.unwrap();
    drop((client, stack));
    let stack = reopened(dir.path()).await;
    let client = aws_sdk_sqs::Client::new(&stack.sdk_config());
    let received = client.receive_message().queue_url("https://q/mine").send().await.unwrap();
    assert_eq!(received.messages().len(), 0);
    drop((client, stack));
    let stack = reopened(dir.path()).await;
    assert_eq!((stack.messages("https://q/mine").len(), stack.messages("https://q/dead").len()), (0, 1));
}
