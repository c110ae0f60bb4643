//! A model that changed: what was made under the old one is found under the new one.

use std::sync::Arc;
use std::time::Duration;

use instep_aws::{Clients, Instep};
use instep_flow::bookkeeping;
use instep_model::Model;
use serde_json::json;

use crate::gate::take_work;
use crate::own::keys;
use crate::world::{Batches, World, run};

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

/// The same world, handled under another model.
async fn drained_under(world: &World, text: &str) {
    let instep = Instep::new(Arc::new(model(text)), Clients::new(&world.stack.sdk_config()), world.settings());
    let mut batches = Batches { instep: &instep, run: run(), reports: Vec::new() };
    world.stack.pump(instep_local::PumpOptions::default()).unwrap().drain(&mut batches).await.unwrap();
    let options = instep_local::QueuePumpOptions::default();
    let drained = world.stack.queue_pump(world.stack.work_queue(), options).unwrap().drain(&mut batches).await.unwrap();
    assert!(drained.dead_letters.is_empty());
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

/// Promise 1: an item type with another name finds what its former name wrote, and its events keep their ids.
#[tokio::test]
async fn a_renamed_item_type_is_found_under_its_former_name() {
    let world = folder_with_notes(3).await;
    let before = world.stack.published();
    let renamed = FOLDERS
        .replace("[items.Folder]\n", "[items.Directory]\nformerly = \"Folder\"\n")
        .replace("[items.Note]\n", "[items.Page]\nformerly = \"Note\"\n")
        .replace("type = \"Folder\"", "type = \"Directory\"");
    world.delete(("pk", "sk"), ("F#1", "F")).await;
    drained_under(&world, &renamed).await;
    assert_eq!(keys(&world).await, [""; 0]);
    let deleted = &world.stack.published()[before.len()];
    assert!(deleted.detail.contains("\"item\":\"Folder 1\""), "{}", deleted.detail);
}

/// Promise 1: a cascade that is under way continues where it was, although the references stand in another order.
#[tokio::test]
async fn a_cascade_continues_under_a_model_in_another_order() {
    let world = folder_with_notes(250).await;
    world.delete(("pk", "sk"), ("F#1", "F")).await;
    let records = crate::gate::take_records(&world).await;
    world.instep.handle(&records, &run()).await;
    let left = keys(&world).await.len();
    assert!(left > 0, "the rest is on the work queue");
    let reordered =
        FOLDERS.replace("\"{folder}\"", "\"{tmp}\"").replace("\"{copy}\"", "\"{folder}\"").replace("{tmp}", "{copy}");
    assert_ne!(reordered, FOLDERS);
    drained_under(&world, &reordered).await;
    drained_under(&world, &reordered).await;
    assert_eq!(keys(&world).await, [""; 0]);
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
