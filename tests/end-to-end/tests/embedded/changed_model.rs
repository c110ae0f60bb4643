//! A model that changed: what was made under the old one is found under the new one.

use std::time::Duration;

use instep_flow::bookkeeping;
use instep_model::Model;
use serde_json::json;

use crate::gate::take_work;
use crate::world::{World, run};

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
