//! A child that edges give its parents is deleted with the last of them.

use serde_json::json;

use crate::gate::take_records;
use crate::own::{keys, put, world};
use crate::world::World;

const FOLDERS: &str = r#"
[items.Folder]
pk = "FOLDER#{folderId}"
sk = "FOLDER"
[items.File]
pk = "FILE#{fileId}"
sk = "FILE"
"#;

/// An edge whose key names neither of its ends.
const LINKS: &str = r#"
[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
GSI2 = { pk = "g2p", sk = "g2s" }
[items.Link]
pk = "LINK#{linkId}"
sk = "LINK"
GSI1 = { pk = "FOLDER#{folderId}", sk = "LINK#{linkId}" }
GSI2 = { pk = "FILE#{fileId}", sk = "LINK#{linkId}" }
edge = { folder = "Folder", file = "File", takes = "file" }
"#;

const FILE: (&str, &str) = ("FILE#x", "FILE");

async fn put_all(world: &World, keys: &[(&str, &str)]) {
    for key in keys {
        put(world, *key, json!({})).await;
    }
}

async fn delete(world: &World, key: (&str, &str)) {
    world.delete(("pk", "sk"), key).await;
}

async fn has_file(world: &World) -> bool {
    keys(world).await.contains(&"FILE#x FILE".to_owned())
}

/// The file stays until the second of its parents is deleted, too.
async fn goes_with_the_last(world: &World, parents: [(&str, &str); 2]) {
    world.drain().await;
    delete(world, parents[0]).await;
    world.drain().await;
    assert!(has_file(world).await, "it has another parent");
    delete(world, parents[1]).await;
    world.drain().await;
    assert_eq!(keys(world).await, [""; 0]);
}

/// Edges that a file finds by back-references.
const WITHIN: &str = r#"
[items.Within]
pk = "FOLDER#{folder.folderId}"
sk = "FILE#{file.fileId}"
edge = { folder = "Folder", file = { type = "File", find = "back-reference" }, takes = "file" }
"#;

async fn with_references() -> (World, [(&'static str, &'static str); 2]) {
    let world = world(&format!("{FOLDERS}{WITHIN}")).await;
    let parents = [("FOLDER#a", "FOLDER"), ("FOLDER#b", "FOLDER")];
    put_all(&world, &[parents[0], parents[1], FILE, ("FOLDER#a", "FILE#x"), ("FOLDER#b", "FILE#x")]).await;
    (world, parents)
}

/// Promise 2: the edges of a child that back-references name count.
#[tokio::test]
async fn a_child_with_back_references_goes_with_its_last_parent() {
    let (world, parents) = with_references().await;
    goes_with_the_last(&world, parents).await;
}

/// Promise 1: an edge that was deleted keeps no child, although its back-reference is still there.
#[tokio::test]
async fn a_deleted_edge_keeps_no_child() {
    let (world, parents) = with_references().await;
    world.drain().await;
    delete(&world, ("FOLDER#b", "FILE#x")).await;
    take_records(&world).await;
    delete(&world, parents[0]).await;
    world.drain().await;
    assert_eq!(keys(&world).await, ["FOLDER#b FOLDER"]);
}

async fn put_link(world: &World, link: &str, folder: &str) {
    let key = format!("LINK#{link}");
    let more = json!({"g1p": format!("FOLDER#{folder}"), "g1s": key, "g2p": "FILE#x", "g2s": key});
    put(world, (&key, "LINK"), more).await;
}

async fn put_linked(world: &World) -> [(&'static str, &'static str); 2] {
    let parents = [("FOLDER#a", "FOLDER"), ("FOLDER#b", "FOLDER")];
    put_all(world, &[parents[0], parents[1], FILE]).await;
    put_link(world, "1", "a").await;
    put_link(world, "2", "b").await;
    parents
}

/// Promise 2: the attributes of an edge may name its parent.
#[tokio::test]
async fn a_child_of_edges_with_attributes_goes_with_its_last_parent() {
    let world = world(&format!("{LINKS}{FOLDERS}")).await;
    let parents = put_linked(&world).await;
    goes_with_the_last(&world, parents).await;
}

/// Promise 2: the parents of a child may have several types.
#[tokio::test]
async fn a_child_of_parents_of_two_types_goes_with_the_last() {
    let edge = r#"
[oneof.Place]
by = "kind"
folder = { type = "Folder", folderId = "{placeId}" }
shelf = { type = "Shelf", shelfId = "{placeId}" }
[items.Shelf]
pk = "SHELF#{shelfId}"
sk = "SHELF"
[items.Within]
pk = "IN#{kind}#{placeId}"
sk = "FILE#{fileId}"
edge = { place = "Place", file = { type = "File", find = "back-reference" }, takes = "file" }
"#;
    let parents = [("FOLDER#a", "FOLDER"), ("SHELF#a", "SHELF")];
    for parents in [parents, [parents[1], parents[0]]] {
        let world = world(&format!("{FOLDERS}{edge}")).await;
        put_all(&world, &[parents[0], parents[1], FILE, ("IN#folder#a", "FILE#x"), ("IN#shelf#a", "FILE#x")]).await;
        goes_with_the_last(&world, parents).await;
    }
}

/// Promise 2: the edges of a child may have several types.
#[tokio::test]
async fn a_child_of_edges_of_two_types_goes_with_the_last() {
    let shelves = r#"
[items.Shelf]
pk = "SHELF#{shelfId}"
sk = "SHELF"
[items.On]
pk = "SHELF#{shelf.shelfId}"
sk = "FILE#{file.fileId}"
edge = { shelf = "Shelf", file = { type = "File", find = "back-reference" }, takes = "file" }
"#;
    let world = world(&format!("{FOLDERS}{WITHIN}{shelves}")).await;
    let parents = [("FOLDER#a", "FOLDER"), ("SHELF#a", "SHELF")];
    put_all(&world, &[parents[0], parents[1], FILE, ("FOLDER#a", "FILE#x"), ("SHELF#a", "FILE#x")]).await;
    goes_with_the_last(&world, parents).await;
}

/// Promise 2: an edge may know only the id of its parent, whether or not an index leads to the parent.
#[tokio::test]
async fn a_child_of_parents_known_by_id_goes_with_the_last() {
    for index in ["GSI1 = { pk = \"BOX#{boxId}\", sk = \"BOX\" }", ""] {
        let edge = format!(
            r#"
[indexes]
GSI1 = {{ pk = "g1p", sk = "g1s" }}
[items.File]
pk = "FILE#{{fileId}}"
sk = "FILE"
[items.Box]
pk = "ROOM#{{roomId}}"
sk = "BOX#{{boxId}}"
{index}
[items.Within]
pk = "IN#{{boxId}}"
sk = "FILE#{{fileId}}"
edge = {{ box = "Box", file = {{ type = "File", find = "back-reference" }}, takes = "file" }}
"#
        );
        let world = world(&edge).await;
        for id in ["a", "b"] {
            let more = json!({"g1p": format!("BOX#{id}"), "g1s": "BOX"});
            put(&world, ("ROOM#1", &format!("BOX#{id}")), more).await;
        }
        put_all(&world, &[FILE, ("IN#a", "FILE#x"), ("IN#b", "FILE#x")]).await;
        goes_with_the_last(&world, [("ROOM#1", "BOX#a"), ("ROOM#1", "BOX#b")]).await;
    }
}
