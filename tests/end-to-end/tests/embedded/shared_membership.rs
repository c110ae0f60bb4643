//! Several items can imply one membership. It stays until none of them does.

use std::time::Duration;

use instep_aws::QueueMessage;
use instep_local::{QueueHandler, QueuePumpOptions};
use instep_model::Model;
use serde_json::json;

use crate::gate::{take_records, take_work};
use crate::world::{World, run};

/// A person may have a seat for each shift, and help out as well.
const TEAMS: &str = r#"
model = "shifts"
[table]
pk = "pk"
sk = "sk"
[names]
role = ["lead", "crew"]
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "{teamId}|{role}"
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}#{shift}"
parent = ["Team", { type = "Person", find = "back-reference" }]
grant = { subject = "Person", scope = "Team", roles = "role" }
cognito.member = { user = "Person", group = "Team" }
[items.Helper]
pk = "T#{teamId}"
sk = "HELPER#{personId}#{day}"
GSI1 = { pk = "P#{personId}", sk = "HELPER#{teamId}#{day}" }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", roles = "role" }
cognito.member = { user = "Person", group = "Team" }
"#;

const TEAM: &str = "T#red";
const EARLY: &str = "SEAT#ann#early";
const HELPER: &str = "HELPER#ann#monday";

async fn put(world: &World, sk: &str, role: &str) {
    let (pk, g1s) = ("P#ann", "HELPER#red#monday");
    let item = if sk == HELPER {
        json!({"pk": TEAM, "sk": sk, "role": role, "g1p": pk, "g1s": g1s})
    } else {
        json!({"pk": TEAM, "sk": sk, "role": role})
    };
    world.put(item).await;
}

async fn delete(world: &World, sk: &str) {
    world.delete(("pk", "sk"), (TEAM, sk)).await;
}

async fn crew(world: &World) -> Vec<String> {
    world.members("red|crew").await
}

/// The worker of the queue. The index shows the helper only after the first message is handled.
struct CatchesUp<'a> {
    world: &'a World,
    messages: usize,
}

impl QueueHandler for CatchesUp<'_> {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let failed = self.world.instep.work(messages, &run()).await.failed;
        self.messages += messages.len();
        if self.messages == 1 {
            assert_eq!(crew(self.world).await, [""; 0], "the index does not show the helper yet");
            put(self.world, HELPER, "crew").await;
            take_records(self.world).await;
        }
        Ok(failed)
    }
}

/// Promise 1: where the names of a membership lead to the one item of a type that can imply it, that is read by its key:
/// nothing waits for an index.
#[tokio::test]
async fn an_item_that_the_names_lead_to_is_read_by_its_key() {
    let model = Model::parse("shifts.toml", &TEAMS.replace("#{day}", "")).unwrap();
    let world = World::of(model, Duration::from_secs(10)).await;
    let helper = json!({"pk": TEAM, "sk": "HELPER#ann", "role": "crew", "g1p": "P#ann", "g1s": "HELPER#red"});
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    world.put(json!({"pk": TEAM, "sk": "T"})).await;
    put(&world, EARLY, "crew").await;
    world.drain().await;
    world.put(helper).await;
    delete(&world, EARLY).await;
    world.instep.handle(&take_records(&world).await, &run()).await;
    assert_eq!(crew(&world).await, ["ann"]);
    assert!(take_work(&world).await.is_empty(), "nothing is looked at again");
}

/// Promise 1: a run that waited for the index removes a membership, because the index does not show an
/// item that was written meanwhile. The run over that item has another one confirm its grant.
#[tokio::test]
async fn a_grant_is_confirmed_once_the_index_shows_it() {
    let world = World::of(Model::parse("shifts.toml", TEAMS).unwrap(), Duration::from_secs(10)).await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    world.put(json!({"pk": TEAM, "sk": "T"})).await;
    put(&world, EARLY, "crew").await;
    world.drain().await;
    delete(&world, EARLY).await;
    world.instep.handle(&take_records(&world).await, &run()).await;
    world.put(json!({"pk": TEAM, "sk": HELPER, "role": "crew"})).await;
    world.instep.handle(&take_records(&world).await, &run()).await;
    assert_eq!(crew(&world).await, ["ann"]);
    let options = QueuePumpOptions { batch_size: 1, ..QueuePumpOptions::default() };
    let mut pump = world.stack.queue_pump(world.stack.work_queue(), options).unwrap();
    let mut worker = CatchesUp { world: &world, messages: 0 };
    pump.drain(&mut worker).await.unwrap();
    assert!(worker.messages > 1, "the grant was not confirmed");
    assert_eq!(crew(&world).await, ["ann"]);
}
