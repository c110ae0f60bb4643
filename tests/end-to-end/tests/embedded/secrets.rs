//! Secret attributes: they decide as any other attribute does, and leave the process in nothing that Instep sends.

use std::time::Duration;

use instep_aws::Sending;
use instep_flow::report::{Outcome, Report};
use instep_flow::work::{BadMessage, WorkMessage};
use instep_local::{Fault, PumpOptions, ReadFrom};
use instep_model::Model;
use serde_json::json;

use crate::world::{World, run};

/// A value that is only ever in the secret attribute.
const HUSH: &str = "hush-hush";

/// What the pool's user has, and no report.
const PHONE: &str = "+4511223344";

async fn world() -> World {
    let model = r#"
        model = "locks"
        table = { pk = "PK", sk = "SK", secret = ["locked", "phone"] }
        [items.User]
        pk = "USER#{userId}"
        sk = "USER"
        entity = "User"
        events = ["name"]
        cognito.user = { name = "{userId}", disabled = { locked = "hush-hush" }, attributes = { phone_number = "{phone}" } }
    "#;
    World::of(Model::parse("locks.toml", model).unwrap(), Duration::ZERO).await
}

async fn put(world: &World, locked: &str) {
    let key = json!({"PK": "USER#u", "SK": "USER", "name": "U", "locked": locked, "phone": PHONE});
    world.put(key).await;
}

async fn is_enabled(world: &World) -> bool {
    world.state().await.users.into_iter().find(|user| user.username == "u").unwrap().enabled
}

fn shows_nothing(reports: &[Report]) {
    assert!(!reports.is_empty());
    for report in reports {
        let text = format!("{report:?}");
        assert!(!text.contains(HUSH) && !text.contains(PHONE), "{text}");
        assert!(report.records.iter().all(|record| !matches!(record.outcome, Outcome::Parked(_))), "{text}");
    }
}

#[tokio::test]
async fn a_secret_flag_disables_a_user() {
    let world = world().await;
    put(&world, "no").await;
    shows_nothing(&world.drain().await);
    assert!(is_enabled(&world).await);
    put(&world, HUSH).await;
    shows_nothing(&world.drain().await);
    assert!(!is_enabled(&world).await);
    put(&world, "no").await;
    shows_nothing(&world.drain().await);
    assert!(is_enabled(&world).await);
    let phones = world.state().await.users[0].attributes.values().filter(|value| *value == PHONE).count();
    assert_eq!(phones, 1);
}

/// What the work queue delivers has its secrets masked. It still shows that one was changed.
#[tokio::test]
async fn a_record_from_the_queue_acts_on_the_present_secret() {
    let world = world().await;
    put(&world, "no").await;
    world.drain().await;
    put(&world, HUSH).await;
    let records = world.stack.pump(PumpOptions::default()).unwrap().read_all(ReadFrom::Checkpoint).unwrap();
    assert_eq!(records.len(), 1);
    let failed = Sending { origin: instep_flow::work::Origin::Failed, ..Sending::REPLAY };
    world.instep.send_records(&records, failed, &run()).await.unwrap();
    let queued = format!("{:?}", world.stack.messages(world.stack.work_queue()));
    assert!(!queued.contains(HUSH) && !queued.contains(PHONE), "{queued}");
    shows_nothing(&world.drain_work().await);
    assert!(!is_enabled(&world).await);
}

/// Invitations are secret. They grant a role in a team.
const INVITES: &str = r#"
model = "invites"
table = { pk = "PK", sk = "SK" }
[items.Person]
pk = "PERSON#{personId}"
sk = "PERSON"
cognito.user = { name = "{personId}", create = "silent" }
[items.Team]
pk = "TEAM#{teamId}"
sk = "TEAM"
cognito.groups = "{teamId}"
[items.Invite]
pk = "INVITE#{code}"
sk = "INVITE"
secret = true
parent = { type = "Team", teamId = "{teamId}", find = "back-reference" }
grant = { subject = { type = "Person", personId = "{personId}", find = "back-reference" }, scope = { type = "Team", teamId = "{teamId}", find = "back-reference" } }
cognito.member = { user = { type = "Person", personId = "{personId}", find = "back-reference" }, group = { type = "Team", teamId = "{teamId}", find = "back-reference" } }
"#;

/// Promise 9: a parked work message shows no key of a secret item, and is not taken for one about another item.
#[tokio::test]
async fn a_parked_message_shows_no_key_of_a_secret_item() {
    let world = World::of(Model::parse("invites.toml", INVITES).unwrap(), Duration::ZERO).await;
    let invite = json!({"PK": "INVITE#hush-hush", "SK": "INVITE", "personId": "p", "teamId": "t"});
    for item in [json!({"PK": "TEAM#t", "SK": "TEAM"}), invite] {
        world.put(item).await;
        world.drain().await;
    }
    // The record of the person hands the invitation on.
    world.put(json!({"PK": "PERSON#p", "SK": "PERSON"})).await;
    world.stack.faults().next("AdminAddUserToGroup", 1, Fault::refuse("InvalidParameterException"));
    let mut parked = Vec::new();
    for record in world.drain().await.into_iter().flat_map(|report| report.records) {
        if let Outcome::Parked(own) = record.outcome {
            parked.push((record.work.is_some(), own.record.get().to_owned()));
        }
    }
    assert_eq!(parked.len(), 1, "{parked:?}");
    let (is_message, text) = &parked[0];
    assert!(*is_message && !text.contains(HUSH) && text.contains("***"), "{text}");
    let parsed = WorkMessage::parse(&world.model(), "table", text);
    assert!(matches!(parsed, Err(BadMessage::Masked)), "{parsed:?}");
}
