//! A parked record takes away what its old image gave, and gives nothing.

use std::time::Duration;

use instep_aws::Settings;
use instep_flow::report::Outcome;
use instep_local::{Fault, PumpOptions, ReadFrom};
use instep_model::Model;
use serde_json::json;
use serde_json::value::RawValue;

use crate::gate::{take_records, take_work};
use crate::own::{self, parked};
use crate::world::{World, run};

const TEAMS: &str = r#"
model = "seats"
[table]
pk = "pk"
sk = "sk"
[names]
role = ["owner", "editor", "viewer"]
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
cognito.user = { name = "{personId}", create = "silent", disabled = { state = "off" } }
due = [{ at = "ends", when = { state = "on" }, set = { state = "off" } }]
[names.ends]
is = "date"
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team"
cognito.groups = "{teamId}:{role}"
due = [{ at = "ends", when = { state = "on" }, set = { state = "off" } }]
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
parent = ["Team", { type = "Person", find = "back-reference" }]
grant = { subject = "Person", scope = "Team", roles = "role", from = "from" }
cognito.member = { user = "Person", group = "Team" }
"#;

async fn world() -> World {
    let world = World::of(Model::parse("seats.toml", TEAMS).unwrap(), Duration::ZERO).await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    world.put(json!({"pk": "T#red", "sk": "T"})).await;
    world.drain().await;
    world
}

async fn seat(world: &World, more: serde_json::Value) {
    let mut item = json!({"pk": "T#red", "sk": "SEAT#ann"});
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.put(item).await;
}

async fn groups(world: &World) -> Vec<String> {
    let all = world.state().await.groups.into_iter();
    all.filter(|group| !group.members.is_empty()).map(|group| group.name).collect()
}

/// What a person or a team says that asks for something impossible, and that asks for nothing impossible.
const BAD: &str = "soon";
const GOOD: &str = "2027-01-01";

async fn put_end(world: &World, key: (&str, &str), ends: &str) {
    own::put(world, key, json!({"state": "on", "ends": ends})).await;
}

/// Promise 2: a work message creates nothing of an item that asks for something impossible by the time that the
/// message is handled.
#[tokio::test]
async fn a_message_creates_no_user_and_no_group_of_an_impossible_item() {
    let world = World::of(Model::parse("seats.toml", TEAMS).unwrap(), Duration::ZERO).await;
    put_end(&world, ("P#ann", "P"), GOOD).await;
    put_end(&world, ("T#red", "T"), GOOD).await;
    let ends = take_records(&world).await;
    seat(&world, json!({"role": "viewer"})).await;
    // Cognito does not know the user and the group: the run sends them to the work queue, with the grant.
    world.instep.handle(&take_records(&world).await, &run()).await;
    put_end(&world, ("P#ann", "P"), BAD).await;
    put_end(&world, ("T#red", "T"), BAD).await;
    assert_eq!(parked(&world.drain().await), ["wrong-type"; 2], "the grant waits, and is not sent again and again");
    world.replay(&ends).await;
    let state = world.state().await;
    assert_eq!((state.users.len(), state.groups.len()), (0, 0));
    put_end(&world, ("P#ann", "P"), GOOD).await;
    put_end(&world, ("T#red", "T"), GOOD).await;
    world.drain().await;
    assert_eq!(groups(&world).await, ["red:viewer"]);
}

/// Promise 6: nor does it send a grant to the work queue, whose run would give what the record asks for.
#[tokio::test]
async fn a_record_that_is_parked_sends_no_grant_to_the_work_queue() {
    let world = World::of(Model::parse("seats.toml", TEAMS).unwrap(), Duration::ZERO).await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    world.put(json!({"pk": "T#red", "sk": "T"})).await;
    take_records(&world).await;
    seat(&world, json!({"role": ["viewer", "editor"]})).await;
    world.stack.faults().next("AdminAddUserToGroup", 1, Fault::refuse("InvalidParameterException"));
    // Of the other role, Cognito says that it does not know the user.
    let report = world.instep.handle(&take_records(&world).await, &run()).await;
    assert!(matches!(report.records[0].outcome, Outcome::Parked(_)), "{report:?}");
    assert_eq!(take_work(&world).await.len(), 0);
}

/// Promise 6: a record of a table of this name in another account or region is parked, without an event.
#[tokio::test]
async fn a_record_of_a_namesake_in_another_account_is_parked() {
    let world = world().await;
    seat(&world, json!({"role": "owner"})).await;
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).unwrap();
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
        assert_eq!((world.verbs().len(), groups(&world).await), (events, vec![]));
    }
    let report = instep.handle(&[RawValue::from_string(text).unwrap()], &run()).await;
    assert!(matches!(report.records[0].outcome, Outcome::Handled), "{report:?}");
}
