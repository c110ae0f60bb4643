//! Redrive behind an event source mapping, which deletes messages that were sent and delivers the
//! others again.

use std::time::Duration;

use aws_sdk_sqs::types::DeleteMessageBatchRequestEntry;
use instep_aws::redrive::{Redrive, RedriveOutcome};
use instep_aws::{Clients, Instep, QueueMessage, RunOptions, Sending, Settings};
use instep_flow::work::Origin;
use instep_local::Fault;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::take_work;
use crate::redrive::{Observed, event, membership, parked_queue, records, redrive_of};
use crate::world::{BUCKET, QUEUE, World, run};

/// Promise 6: each message that Lambda delivers has its own outcome.
#[tokio::test]
async fn each_message_is_judged_by_itself() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    let all = records(&world).await;
    let message = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let parked = |record: &RawValue| {
        format!("{{\"instepParked\":\"1\",\"code\":\"c\",\"reason\":\"r\",\"record\":{}}}", record.get())
    };
    let messages = [
        message("group", &parked(&all[0])),
        message("poison", &parked(&all[3])),
        message("nonsense", "hello"),
        message("masked", r#"{"instepParked":"1","record":"***"}"#),
        message("several", &event(&all[1..3])),
    ];
    let (mut observed, mut redrive) = (Observed::default(), Redrive::new(&world.instep, run()));
    let outcomes = redrive.messages(&messages, &mut |progress| observed.observe(&progress)).await;
    assert_eq!(
        outcomes,
        [RedriveOutcome::Sent, RedriveOutcome::Sent, RedriveOutcome::Kept, RedriveOutcome::Kept, RedriveOutcome::Sent]
    );
    assert_eq!(observed.unreadable.len(), 2, "{:?}", observed.unreadable);
    world.drain_work().await;
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.parked(QUEUE).len(), 1, "the poison is parked");
}

/// Promise 8: an event source mapping redrives a record that parks again every 15 minutes, for a
/// limited number of times.
#[tokio::test]
async fn a_mapping_does_not_redrive_for_ever() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.drain().await;
    let mut sent = 0;
    loop {
        let message = world.stack.messages(QUEUE).pop().unwrap();
        let mut redrive = Redrive::new(&world.instep, run());
        match redrive.messages(&[(message.id, message.body)], &mut |_| {}).await[..] {
            [RedriveOutcome::Sent] => sent += 1,
            [RedriveOutcome::Kept] => break,
            ref other => panic!("{other:?}"),
        }
        // The mapping deletes the messages that were sent.
        purge(&world).await;
        world.drain_work().await;
        let counts = world.stack.queue_counts(QUEUE);
        assert_eq!((counts.visible, counts.delayed), (0, 1), "it is parked again, and delayed");
        assert!(sent <= 50, "without an end");
        world.stack.clock().advance(Duration::from_secs(900));
    }
    assert_eq!(sent, 50);
    // A person can still redrive it, and sees at once that it parks again.
    let now = RunOptions { now: world.stack.clock().now(), ..run() };
    assert_eq!(redrive_of(&world.instep, &parked_queue(), now).await.tally.sent, 1);
    world.drain_work().await;
    assert_eq!(world.stack.queue_counts(QUEUE).visible, 1);
}

/// Promise 8: the same for a work message that cannot be handled: it keeps its count.
#[tokio::test]
async fn a_mapping_does_not_redrive_a_message_for_ever() {
    let world = World::with_parking("access-management").await;
    let object = json!({"type": "Gone", "names": {"id": "1"}});
    let lost = json!({"bucket": BUCKET, "key": "parked/m/lost.json"});
    let works =
        [json!({"reconcile": [object]}), json!({"records": {"origin": "failed", "records": [], "objects": [lost]}})];
    for work in works {
        let body = json!({"version": "1", "model": "access-management", "table": world.settings().table, "hops": 0, "work": work});
        let first = QueueMessage { id: "1".to_owned(), body: body.to_string(), receives: 1 };
        world.instep.work(&[first], &run()).await;
        for redrives in 1..=2 {
            let message = world.stack.messages(QUEUE).pop().unwrap();
            let mut redrive = Redrive::new(&world.instep, run());
            let outcomes = redrive.messages(&[(message.id, message.body)], &mut |_| {}).await;
            assert_eq!(outcomes, [RedriveOutcome::Sent]);
            purge(&world).await;
            world.drain_work().await;
            let counts = world.stack.queue_counts(QUEUE);
            assert_eq!((counts.visible, counts.delayed), (0, 1), "it is parked again, and delayed");
            world.stack.clock().advance(Duration::from_secs(900));
            assert_eq!(world.parked(QUEUE)[0]["redrives"], redrives, "{work}");
        }
        purge(&world).await;
    }
}

/// Promise 6: work that was handed on too often is done by a redrive.
#[tokio::test]
async fn a_redrive_begins_to_count_hops_anew() {
    let world = World::with_parking("access-management").await;
    let group = json!({"type": "Group", "names": {"groupId": "/a"}});
    let body = json!({"version": "1", "model": "access-management", "table": world.settings().table, "hops": 101, "work": {"reconcile": [group]}});
    let message = QueueMessage { id: "1".to_owned(), body: body.to_string(), receives: 1 };
    world.instep.work(&[message], &run()).await;
    assert_eq!(world.parked(QUEUE)[0]["code"], "too-many-hops");
    assert_eq!(redrive_of(&world.instep, &parked_queue(), run()).await.tally.sent, 1);
    world.drain_work().await;
    assert!(world.parked(QUEUE).is_empty(), "{:?}", world.parked(QUEUE));
}

/// Promise 6: the same for a message in the bucket, whose object stays as it is: with the count of hops in the pointer,
/// and with a pointer of an earlier version, which has none.
#[tokio::test]
async fn a_redrive_begins_to_count_hops_of_a_kept_message_anew() {
    for hops in [101, 0] {
        let world = World::with_parking("access-management").await;
        let group = json!({"type": "Group", "names": {"groupId": "/a"}});
        let message = |hops: u32, work: serde_json::Value| {
            json!({"version": "1", "model": "access-management", "table": world.settings().table, "hops": hops, "work": work}).to_string()
        };
        let key = "parked/access-management/work-1.json";
        world.stack.put_object(BUCKET, key, message(101, json!({"reconcile": [group]})).into_bytes());
        let pointer = message(hops, json!({"kept": {"bucket": BUCKET, "key": key}}));
        world.instep.work(&[QueueMessage { id: "1".to_owned(), body: pointer, receives: 1 }], &run()).await;
        if hops > 0 {
            assert_eq!(world.parked(QUEUE)[0]["code"], "too-many-hops");
            assert_eq!(redrive_of(&world.instep, &parked_queue(), run()).await.tally.sent, 1);
            world.drain_work().await;
        }
        assert!(world.parked(QUEUE).is_empty(), "{:?}", world.parked(QUEUE));
    }
}

/// Promise 6: what the work queue refuses for good is refused alone, and stays where it was. All else is sent.
#[tokio::test]
async fn what_the_work_queue_refuses_for_good_stays_alone() {
    let world = World::with_parking("access-management").await;
    let refuse_the_first = || Fault::Entries { places: vec![0], code: "InvalidMessageContents".to_owned() };
    membership(&world, "x", "reader").await;
    let all = records(&world).await;
    let work = |id: &str| {
        let group = json!({"type": "Group", "names": {"groupId": id}});
        json!({"version": "1", "model": "access-management", "table": world.settings().table, "hops": 0, "work": {"reconcile": [group]}}).to_string()
    };
    let works = format!("{}\n{}", work("/a"), work("/b"));
    // The refusals of the whole message, and of the first record when each is sent alone.
    for (text, refusals, sent) in [(event(&all), 2, all.len() - 1), (works, 1, 1)] {
        world.stack.faults().next("SendMessageBatch", refusals, refuse_the_first());
        let (mut observed, mut redrive) = (Observed::default(), Redrive::new(&world.instep, run()));
        let outcome = redrive.text("text", text.as_str(), Origin::Failed, &mut |it| observed.observe(&it)).await;
        let expected = "text: message-refused: SendMessageBatch answered InvalidMessageContents";
        assert_eq!(observed.unreadable, [expected]);
        assert_eq!((outcome, redrive.tally().sent), (RedriveOutcome::Kept, sent as u64));
        assert_eq!((redrive.tally().unreadable, redrive.tally().kept), (1, 1), "it is counted");
    }
}

/// Records of the deployment's own table are not said to be of another one, whether the table is known by its name or
/// by its ARN. Those of a table of the same name in another account are.
#[tokio::test]
async fn own_records_are_not_of_another_table() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let all = records(&world).await;
    let arn = |account: &str| format!("arn:aws:dynamodb:us-east-1:{account}:table/{}", world.settings().table);
    let own = arn("000000000000");
    for (records_of, said) in
        [(world.settings().table, None), (own.clone(), None), (arn("111122223333"), Some(arn("111122223333")))]
    {
        let settings = Settings { records_of: Some(records_of), table_arn: Some(own.clone()), ..world.settings() };
        let sender = Instep::new(world.model(), Clients::new(&world.stack.sdk_config()), settings);
        sender.send_records(&all, Sending::REPLAY, &run()).await.unwrap();
        for message in take_work(&world).await {
            let body: serde_json::Value = serde_json::from_str(&message.body).unwrap();
            assert_eq!(body["work"]["records"]["records_of"].as_str(), said.as_deref(), "{}", message.body);
        }
    }
}

/// Deletes all messages of the queue of parked records.
async fn purge(world: &World) {
    let client = aws_sdk_sqs::Client::new(&world.stack.uncounted_config());
    let answer = client.receive_message().queue_url(QUEUE).max_number_of_messages(10).send().await.unwrap();
    for (place, message) in answer.messages().iter().enumerate() {
        let receipt = message.receipt_handle().unwrap();
        let entry = DeleteMessageBatchRequestEntry::builder().id(place.to_string()).receipt_handle(receipt).build();
        client.delete_message_batch().queue_url(QUEUE).entries(entry.unwrap()).send().await.unwrap();
    }
}
