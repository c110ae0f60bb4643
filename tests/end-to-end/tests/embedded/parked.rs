//! A record of another table.

use instep_aws::Settings;
use instep_flow::report::Outcome;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::take_records;
use crate::own;
use crate::world::{World, run};

/// Promise 6: a record of a table of this name in another account or region is parked, without an event.
#[tokio::test]
async fn a_record_of_a_namesake_in_another_account_is_parked() {
    let world = World::open("access-management").await;
    world.put(json!({"pk": "G:/a", "sk": "G:/a"})).await;
    let records = take_records(&world).await;
    let text = records.last().unwrap().get().to_owned();
    let arn = world.stack.stream_arn().split("/stream/").next().unwrap().to_owned();
    let settings = Settings { records_of: Some(arn), ..world.settings() };
    let instep = instep_aws::Instep::new(world.model(), world.instep.clients().clone(), settings);
    let events = world.verbs().len();
    for foreign in [text.replace(":000000000000:", ":999999999999:"), text.replace("us-east-1", "eu-north-1")] {
        assert_ne!(foreign, text);
        let report = instep.handle(&[RawValue::from_string(foreign).unwrap()], &run()).await;
        let Outcome::Parked(parked) = &report.records[0].outcome else { panic!("{report:?}") };
        assert_eq!(parked.code, "other-table");
        assert_eq!((world.verbs().len(), own::groups(&world).await), (events, vec![]));
    }
    let report = instep.handle(&[RawValue::from_string(text).unwrap()], &run()).await;
    assert!(matches!(report.records[0].outcome, Outcome::Handled), "{report:?}");
}
