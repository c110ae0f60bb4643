//! A model that changed: what was made under the old one is found under the new one.

use std::time::Duration;

use instep_flow::bookkeeping;
use instep_model::Model;
use serde_json::json;

use crate::gate::take_work;
use crate::world::{QUEUE, World, run};

const HEAD: &str = "model = \"own\"\ntable = { pk = \"pk\", sk = \"sk\" }\n";

const FOLDERS: &str = r#"
[items.Folder]
pk = "F#{folderId}"
sk = "F"
entity = "Folder"
[items.Note]
pk = "N#{noteId}"
sk = "N"
entity = "Note"
parent = [
  { type = "Folder", folderId = "{folder}", find = "back-reference" },
  { type = "Folder", folderId = "{copy}", find = "back-reference" },
]
"#;

fn model(text: &str) -> Model {
    Model::parse("own.toml", &format!("{HEAD}{text}")).unwrap()
}

async fn folder_with_notes(count: usize) -> World {
    let world = World::of(model(FOLDERS), Duration::ZERO).await;
    world.put(json!({"pk": "F#1", "sk": "F"})).await;
    for note in 0..count {
        let link = if note % 2 == 0 { "folder" } else { "copy" };
        world.put(json!({"pk": format!("N#{note}"), "sk": "N", link: "1"})).await;
    }
    world.drain().await;
    world
}

/// Promise 6: a message that the new model cannot continue is parked with the reason, and never taken for another.
#[tokio::test]
async fn a_message_of_a_reference_that_is_gone_is_refused() {
    let world = folder_with_notes(250).await;
    world.delete(("pk", "sk"), ("F#1", "F")).await;
    let records = crate::gate::take_records(&world).await;
    world.instep.handle(&records, &run()).await;
    let messages = take_work(&world).await;
    let gone =
        model(&FOLDERS.replace("  { type = \"Folder\", folderId = \"{copy}\", find = \"back-reference\" },\n", ""));
    let parse = |body: &str| instep_flow::work::WorkMessage::parse(&gone, "table", body);
    let errors: Vec<String> =
        messages.iter().filter_map(|message| parse(&message.body).err()).map(|error| error.code().to_owned()).collect();
    assert_eq!(errors, ["unknown-item-type"], "of {} messages", messages.len());
}

/// Bookkeeping says under which identities it was written, so that `doctor` finds what a change left behind.
#[tokio::test]
async fn bookkeeping_has_the_fingerprint_of_its_model() {
    let world = folder_with_notes(1).await;
    let items = world.state().await.items;
    let own = || items.iter().filter(|item| item.contains_key("instep"));
    assert_eq!(own().count(), 1);
    let renamed = model(&FOLDERS.replace("folderId", "id"));
    let reordered = model(&FOLDERS.replace("entity = \"Note\"\n", ""));
    assert!(own().all(|item| bookkeeping::is_of_another_model(&renamed, item)));
    assert!(!own().any(|item| bookkeeping::is_of_another_model(&reordered, item)));
}

const SEATS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }
[items.Seat]
pk = "P#{personId}"
sk = "S#{teamId}"
cognito.member = { user = "Person", group = "team-{teamId}", made = "on-demand" }
"#;

/// A world with one seat, whose person is a member, and another model that is deployed then.
async fn seat_under_another_model(new: &str) -> World {
    let mut world = World::of(model(SEATS), Duration::ZERO).await.parking();
    world.instep.note_model(&run()).await.unwrap();
    world.put(json!({"pk": "P#p", "sk": "P"})).await;
    world.put(json!({"pk": "P#p", "sk": "S#t"})).await;
    world.drain().await;
    assert_eq!(world.members("team-t").await, ["p"]);
    // A process of the deployment starts before the function of sweeps has noted the model.
    world.deploy(model(new).into());
    world.instep.look_back(&run()).await.unwrap();
    world.instep.note_model(&run()).await.unwrap();
    world
}

/// Promise 1: a membership that only the former model implies goes with the item that implied it, whatever the deployed
/// model makes of its images.
#[tokio::test]
async fn what_a_former_model_made_goes_with_its_item() {
    let new = SEATS.replace("group = \"team-{teamId}\"", "group = \"club-{teamId}\"");
    let world = seat_under_another_model(&new).await;
    world.delete(("pk", "sk"), ("P#p", "S#t")).await;
    world.drain().await;
    assert_eq!(world.members("team-t").await, [""; 0]);
}

/// Promise 1: the same of an item that the deployed model does not know, whose records are parked. INVARIANT 1: also that of its
/// deletion, because the model may be a mistake, and the one that is deployed next knows what goes with the item.
#[tokio::test]
async fn what_a_former_model_made_goes_with_an_item_that_is_unknown_now() {
    let new = SEATS.replace("[items.Seat]", "[items.Place]").replace("sk = \"S#{teamId}\"", "sk = \"PLACE#{teamId}\"");
    let world = seat_under_another_model(&new).await;
    world.delete(("pk", "sk"), ("P#p", "S#t")).await;
    world.drain().await;
    assert_eq!((world.members("team-t").await, world.parked(QUEUE).len()), (vec![], 1));
}

/// Promise 2: what the deployed model implies stays, also if a former model implied it by another item.
#[tokio::test]
async fn what_the_deployed_model_implies_stays() {
    let new = SEATS.replace("[items.Seat]", "[items.Place]").replace("sk = \"S#{teamId}\"", "sk = \"PLACE#{teamId}\"");
    let world = seat_under_another_model(&new).await;
    world.put(json!({"pk": "P#p", "sk": "PLACE#t"})).await;
    world.delete(("pk", "sk"), ("P#p", "S#t")).await;
    world.drain().await;
    assert_eq!(world.members("team-t").await, ["p"]);
    world.delete(("pk", "sk"), ("P#p", "PLACE#t")).await;
    world.drain().await;
    assert_eq!(world.members("team-t").await, [""; 0]);
}

/// Promise 5: the children of a deleted parent go with it before the index keys are written by which the deployed model
/// finds them.
#[tokio::test]
async fn children_are_found_as_a_former_model_found_them() {
    let by_reference = "parent = { type = \"Folder\", folderId = \"{folder}\", find = \"back-reference\" }";
    let folders = "[items.Folder]\npk = \"F#{folderId}\"\nsk = \"F\"\n[items.Note]\npk = \"N#{noteId}\"\nsk = \"N\"\n";
    let mut world = World::of(model(&format!("{folders}{by_reference}\n")), Duration::ZERO).await;
    world.instep.note_model(&run()).await.unwrap();
    world.put(json!({"pk": "F#1", "sk": "F"})).await;
    world.put(json!({"pk": "N#1", "sk": "N", "folder": "1"})).await;
    world.drain().await;
    let by_index = "GSI1 = { pk = \"F#{folder}\", sk = \"N#{noteId}\", keep = true }\nparent = { type = \"Folder\", folderId = \
                    \"{folder}\" }";
    let indexed = format!("[indexes]\nGSI1 = {{ pk = \"g1p\", sk = \"g1s\" }}\n{folders}{by_index}\n");
    world.stack.follow(&model(&indexed)).await.unwrap();
    world.deploy(model(&indexed).into());
    world.instep.look_back(&run()).await.unwrap();
    world.delete(("pk", "sk"), ("F#1", "F")).await;
    world.drain().await;
    let notes = world.state().await.items.iter().filter(|item| crate::world::pk(item, "pk") == "N#1").count();
    assert_eq!(notes, 0);
}

/// Promise 6: what only another model has waits for a process with that model, and holds up nothing.
#[tokio::test]
async fn a_message_for_another_model_stays_on_the_queue() {
    let world = seat_under_another_model(&SEATS.replace("sk = \"P\"", "sk = \"PERSON\"")).await;
    let message = |id: &str, of: &str, hash: &str| {
        let named = json!([{"type": of, "names": {"personId": "p"}}]);
        let body = json!({"version": "1", "model": "own", "modelHash": hash, "table": "table", "hops": 0, "work": {"reconcile": named}});
        instep_aws::QueueMessage { id: id.to_owned(), body: body.to_string(), receives: 1 }
    };
    let own = world.model().text_hash();
    let messages = [message("1", "Place", "of-another"), message("2", "Person", &own), message("3", "Place", &own)];
    let report = world.instep.work(&messages, &run()).await;
    assert_eq!(report.failed, ["1"]);
    assert_eq!(world.parked(QUEUE).len(), 1, "nobody has sent the third");
}

const OWNERS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
[items.Email]
pk = "E#{email}"
sk = "E"
guard = { owner = "Person" }
claims = [{ email = "{email}" }]
"#;

/// A world with two owners of one value, and another model that is deployed then.
async fn owners_under_another_model(new: &str) -> World {
    let mut world = World::of(model(OWNERS), Duration::ZERO).await;
    world.instep.note_model(&run()).await.unwrap();
    for person in ["P#a", "P#b"] {
        world.put(json!({"pk": person, "sk": "P", "email": "m@x.example"})).await;
        world.drain().await;
    }
    assert_eq!(guards_and_claims(&world).await, ["E#m@x.example", "INSTEP#CLAIM#Email/email=m@x.example"]);
    world.deploy(model(new).into());
    world.instep.look_back(&run()).await.unwrap();
    world.instep.note_model(&run()).await.unwrap();
    world
}

/// The partitions of guards and pending claims.
async fn guards_and_claims(world: &World) -> Vec<String> {
    let items = world.state().await.items;
    let keys = items.iter().filter_map(|item| item.get("pk")?.as_s()).map(ToString::to_string);
    keys.filter(|key| key.starts_with("INSTEP#CLAIM") || key.starts_with("E#")).collect()
}

/// Promise 7: a pending claim that only the former model made ends with its owner, although the deployed model leaves the
/// guard to people, as no claim of it can lead there.
#[tokio::test]
async fn a_claim_that_only_a_former_model_made_ends() {
    let world = owners_under_another_model(&OWNERS.replace("\"{email}\"", "\"X{email}\"")).await;
    world.delete(("pk", "sk"), ("P#b", "P")).await;
    world.drain().await;
    assert_eq!(guards_and_claims(&world).await, ["E#m@x.example"]);
}

/// Promise 7: a guard whose owner is deleted is released, although only the former model claimed it for that owner.
#[tokio::test]
async fn a_guard_that_only_a_former_model_claimed_goes_with_its_owner() {
    let new = OWNERS.replace("email = \"{email}\" }", "email = \"{email}\", when = { state = \"sure\" } }");
    let world = owners_under_another_model(&new).await;
    world.delete(("pk", "sk"), ("P#a", "P")).await;
    world.drain().await;
    assert_eq!(guards_and_claims(&world).await, [""; 0]);
}
