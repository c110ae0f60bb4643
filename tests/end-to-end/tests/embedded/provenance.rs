//! A parked record says where it came from, and a redrive handles it as such.

use instep_aws::redrive::Redrive;
use instep_aws::{Clients, Instep, Settings};
use instep_flow::report::Outcome;
use instep_flow::work::Origin;
use instep_local::Fault;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::gate::{take_records, take_work};
use crate::own::groups;
use crate::redrive::{event, membership, parked_queue, records, redrive, redrive_of, redrive_text};
use crate::sweep::sweeping;
use crate::world::{QUEUE, World, run};

/// The members of the only parked message that say where its record came from.
fn provenance(world: &World) -> Value {
    let parked = world.parked(QUEUE);
    assert_eq!(parked.len(), 1, "{parked:?}");
    let named = ["origin", "publish", "recordsOf"].into_iter();
    named.filter_map(|name| Some((name.to_owned(), parked[0].get(name)?.clone()))).collect()
}

/// A backfill publishes nothing, even of an item that had to be fixed first.
#[tokio::test]
async fn a_parked_record_of_a_backfill_is_redriven_without_events() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "king").await;
    take_records(&world).await;
    sweeping(&world).backfill(&run(), &|_| {}).await.unwrap();
    world.drain_work().await;
    assert_eq!(provenance(&world), json!({"origin": "captured", "publish": false}));

    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    world.drain().await;
    let written = world.verbs();
    redrive(&world, &parked_queue()).await;
    assert!(world.parked(QUEUE).is_empty(), "{:?}", world.parked(QUEUE));
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
    assert_eq!(world.verbs(), written, "only what was written now");
}

/// INVARIANT 2: a captured record may be of any age, whatever parked it and wherever it was kept.
#[tokio::test]
async fn a_parked_record_of_a_capture_stays_one() {
    for padding in ["", &"x".repeat(1_100_000)] {
        let world = World::with_parking("access-management").await;
        membership(&world, "x", "reader").await;
        world.drain().await;
        let before = records(&world).await.len();
        world.delete(("pk", "sk"), ("U:x@example.com", "G:/a")).await;
        let revoked = event(&records(&world).await.split_off(before)).replacen(
            "{\"",
            &format!("{{\"padding\":\"{padding}\",\""),
            2,
        );
        let refused = Fault::Entries { places: vec![0], code: "InvalidArgument".to_owned() };
        world.stack.faults().next("PutEvents", 1, refused);
        redrive_text(&world, &revoked, Origin::Captured).await;
        assert_eq!(provenance(&world), json!({"origin": "captured"}));
        assert_eq!(world.parked(QUEUE)[0].get("s3").is_some(), !padding.is_empty());

        let redriven = redrive(&world, &parked_queue()).await;
        assert!(redriven.tally.is_complete(), "{:?}", redriven.tally);
        assert!(world.parked(QUEUE).is_empty(), "{:?}", world.parked(QUEUE));
        let last = world.stack.published().pop().unwrap();
        let metadata = serde_json::from_str::<Value>(&last.detail).unwrap()["metadata"].take();
        assert_eq!((&metadata["verb"], &metadata["replay"]), (&"revoked".into(), &true.into()));
        let key = Some(instep_model::Value::S("U:x@example.com".to_owned()));
        let items = world.state().await.items;
        assert!(items.iter().any(|item| item.get("sk") == key.as_ref()), "a capture deletes no subject");
    }
}

/// A message of a parked record of the live stream says nothing of it.
#[tokio::test]
async fn a_parked_record_of_the_stream_says_nothing_of_its_origin() {
    let world = World::with_parking("access-management").await;
    world.put(json!({"pk": "U:x@example.com", "sk": "X:poison"})).await;
    world.drain().await;
    assert_eq!(provenance(&world), json!({}));
    redrive(&world, &parked_queue()).await;
    assert_eq!(provenance(&world), json!({}), "nor if it was redriven");
}

/// A record of another table, such as the one before a restore, is still one of that table.
#[tokio::test]
async fn a_parked_record_of_another_table_is_redriven_as_one() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "king").await;
    let text = event(&take_records(&world).await).replace("table/table/", "table/elsewhere/");
    let deployment = Settings { records_of: Some("table".to_owned()), ..world.settings() };
    let instep = |settings| Instep::new(world.model(), Clients::new(&world.stack.sdk_config()), settings);
    let sender = instep(Settings { records_of: Some("elsewhere".to_owned()), ..deployment.clone() });
    let deployment = instep(deployment);
    Redrive::new(&sender, run()).text("text", text.as_str(), Origin::Captured, &mut |_| {}).await;
    deployment.work(&take_work(&world).await, &run()).await;
    assert_eq!(provenance(&world), json!({"origin": "captured", "recordsOf": "elsewhere"}));

    world.put(json!({"pk": "U:x@example.com", "sk": "G:/a", "role": "reader"})).await;
    redrive_of(&deployment, &parked_queue(), run()).await;
    deployment.work(&take_work(&world).await, &run()).await;
    assert!(world.parked(QUEUE).is_empty(), "{:?}", world.parked(QUEUE));
}

/// A file may hold many messages, and each says where its own record came from.
#[tokio::test]
async fn each_message_of_a_file_speaks_for_its_own_record() {
    let world = World::with_parking("access-management").await;
    membership(&world, "x", "reader").await;
    let all = take_records(&world).await;
    let message =
        |record: &RawValue, more: &str| format!("{{\"instepParked\":\"1\"{more},\"record\":{}}}", record.get());
    let lines = [message(&all[0], ",\"publish\":false"), message(&all[1], ""), message(&all[2], ",\"publish\":false")];
    redrive_text(&world, &lines.join("\n"), Origin::Failed).await;
    assert_eq!(world.verbs(), ["User Created"]);
    assert_eq!(world.members("/a|||reader").await, ["x@example.com"]);
}

/// Promise 6: a record of a table of this name in another account or region is parked, without an event.
#[tokio::test]
async fn a_record_of_a_namesake_in_another_account_is_parked() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a"})).await;
    let records = take_records(&world).await;
    let text = records.last().unwrap().get().to_owned();
    let arn = world.stack.stream_arn().split("/stream/").next().unwrap().to_owned();
    let settings = Settings { records_of: Some(arn), ..world.settings() };
    let instep = Instep::new(world.model(), world.instep.clients().clone(), settings);
    let events = world.verbs().len();
    for foreign in [text.replace(":000000000000:", ":999999999999:"), text.replace("us-east-1", "eu-north-1")] {
        assert_ne!(foreign, text);
        let report = instep.handle(&[RawValue::from_string(foreign).unwrap()], &run()).await;
        let Outcome::Parked(parked) = &report.records[0].outcome else { panic!("{report:?}") };
        assert_eq!(parked.code, "other-table");
        assert_eq!((world.verbs().len(), groups(&world).await), (events, vec![]));
    }
    let report = instep.handle(&[RawValue::from_string(text).unwrap()], &run()).await;
    assert!(matches!(report.records[0].outcome, Outcome::Handled), "{report:?}");
}
