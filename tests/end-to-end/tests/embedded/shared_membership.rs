//! Several items can imply one membership. It stays until none of them does.

use std::time::Duration;

use instep_aws::QueueMessage;
use instep_local::{QueueHandler, QueuePumpOptions};
use instep_model::Model;
use serde_json::json;

use crate::gate::{held_at, take_records, take_work};
use crate::own;
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
const LATE: &str = "SEAT#ann#late";
const HELPER: &str = "HELPER#ann#monday";

async fn world() -> World {
    let world = World::of(Model::parse("shifts.toml", TEAMS).unwrap(), Duration::ZERO).await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    world.put(json!({"pk": TEAM, "sk": "T"})).await;
    world.drain().await;
    world
}

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

/// Promise 1: one of two items of a type is deleted. The membership stays until the other is deleted, too.
#[tokio::test]
async fn a_membership_stays_while_another_item_implies_it() {
    for (first, second) in [(EARLY, LATE), (LATE, HELPER), (HELPER, EARLY)] {
        let world = world().await;
        put(&world, first, "crew").await;
        put(&world, second, "crew").await;
        world.drain().await;
        assert_eq!(crew(&world).await, ["ann"]);
        delete(&world, first).await;
        world.drain().await;
        assert_eq!(crew(&world).await, ["ann"], "{second} still implies it");
        delete(&world, second).await;
        world.drain().await;
        assert_eq!(crew(&world).await, [""; 0]);
    }
}

/// Promise 1: the same where the items change at once, or one changes its role only.
#[tokio::test]
async fn a_membership_goes_with_its_last_item() {
    let world = world().await;
    put(&world, EARLY, "crew").await;
    put(&world, LATE, "lead").await;
    world.drain().await;
    put(&world, EARLY, "lead").await;
    world.drain().await;
    assert_eq!(crew(&world).await, [""; 0]);
    assert_eq!(world.members("red|lead").await, ["ann"]);
    delete(&world, EARLY).await;
    delete(&world, LATE).await;
    world.drain().await;
    assert_eq!(world.members("red|lead").await, [""; 0]);
}

/// Promise 1: another item implies the membership while it is being removed.
#[tokio::test]
async fn a_membership_that_another_item_implies_meanwhile_is_added_again() {
    for other in [LATE, HELPER] {
        let world = world().await;
        put(&world, EARLY, "crew").await;
        world.drain().await;
        delete(&world, EARLY).await;
        let records = take_records(&world).await;
        held_at(&world, "AdminRemoveUserFromGroup", &records, async {
            put(&world, other, "crew").await;
            world.drain().await;
        })
        .await;
        world.drain().await;
        assert_eq!(crew(&world).await, ["ann"], "{other} implies it");
    }
}

/// Promise 2: an item that is pending implies nothing, so it keeps no membership of another.
#[tokio::test]
async fn a_pending_item_keeps_no_membership() {
    let world = world().await;
    put(&world, EARLY, "crew").await;
    world.put(json!({"pk": "T#tan", "sk": LATE, "role": "crew"})).await;
    world.drain().await;
    delete(&world, EARLY).await;
    world.drain().await;
    assert_eq!(crew(&world).await, [""; 0]);
    assert_eq!(world.members("tan|crew").await, [""; 0]);
}

/// Promise 2: grants of every type count. A person who still helps out is not deleted with the last seat.
#[tokio::test]
async fn a_grant_of_another_type_keeps_its_subject() {
    let text = TEAMS.replace(
        "sk = \"SEAT#{personId}#{shift}\"\nparent = [\"Team\", { type = \"Person\", find = \"back-reference\" }]\ngrant = { subject = \"Person\", scope = \"Team\", roles = \"role\" }",
        "sk = \"SEAT#{personId}#{shift}\"\nparent = [\"Team\", { type = \"Person\", find = \"back-reference\" }]\ngrant = { subject = \"Person\", scope = \"Team\", roles = \"role\", last = { delete = \"subject\", written = [\"at\"] } }",
    );
    assert_ne!(text, TEAMS);
    let world = World::of(Model::parse("shifts.toml", &text).unwrap(), Duration::ZERO).await;
    world.put(json!({"pk": "P#ann", "sk": "P", "at": "2026-01-01T00:00:00Z"})).await;
    world.put(json!({"pk": TEAM, "sk": "T"})).await;
    put(&world, EARLY, "lead").await;
    put(&world, HELPER, "crew").await;
    world.drain().await;
    delete(&world, EARLY).await;
    world.drain().await;
    assert_eq!(crew(&world).await, ["ann"]);
    put(&world, EARLY, "lead").await;
    delete(&world, HELPER).await;
    world.drain().await;
    assert_eq!(world.state().await.users.len(), 1);
    delete(&world, EARLY).await;
    world.drain().await;
    assert_eq!(world.state().await.users.len(), 0);
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

/// Promise 2: of many items that could imply a membership, a late one counts.
#[tokio::test]
async fn a_membership_stays_while_the_last_of_many_items_implies_it() {
    const SEATS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{seatId}"
parent = "Person"
cognito.member = { user = "Person", group = { name = "staff" }, when = { state = "on" } }
"#;
    let world = own::world(SEATS).await;
    own::put(&world, ("P#ann", "P"), json!({})).await;
    for seat in 0..1_005 {
        own::put(&world, ("P#ann", &format!("SEAT#{seat:04}")), json!({})).await;
    }
    for seat in ["SEAT#8", "SEAT#9"] {
        own::put(&world, ("P#ann", seat), json!({"state": "on"})).await;
    }
    world.drain().await;
    assert_eq!(world.members("staff").await, ["ann"]);
    world.delete(("pk", "sk"), ("P#ann", "SEAT#8")).await;
    world.drain().await;
    assert_eq!(world.members("staff").await, ["ann"], "the last seat implies it");
    world.delete(("pk", "sk"), ("P#ann", "SEAT#9")).await;
    world.drain().await;
    assert_eq!(world.members("staff").await, [""; 0]);
}

/// Promise 1: a run over a deleted item creates the group on demand for another item, whose team is
/// deleted meanwhile. The group is deleted all the same.
#[tokio::test]
async fn a_group_on_demand_that_is_created_for_another_item_is_deleted() {
    let seat = TEAMS.split("[items.Helper]").next().unwrap();
    let text = seat
        .replace("group = \"Team\" }", "group = \"{teamId}|{role}\" }")
        .replace("cognito.groups = \"{teamId}|{role}\"\n", "");
    let world = World::of(Model::parse("shifts.toml", &text).unwrap(), Duration::ZERO).await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    world.put(json!({"pk": TEAM, "sk": "T"})).await;
    put(&world, EARLY, "crew").await;
    put(&world, LATE, "crew").await;
    world.drain().await;
    assert_eq!(crew(&world).await, ["ann"]);
    delete(&world, EARLY).await;
    let records = take_records(&world).await;
    held_at(&world, "AdminAddUserToGroup", &records, async {
        world.delete(("pk", "sk"), (TEAM, "T")).await;
        world.drain().await;
        assert_eq!(own::groups(&world).await, [""; 0]);
    })
    .await;
    world.drain().await;
    assert_eq!(own::groups(&world).await, [""; 0]);
}
