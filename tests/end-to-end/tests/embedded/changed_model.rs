//! A model that changed: what was made under the old one is found under the new one.

use std::sync::Arc;
use std::time::Duration;

use instep_aws::redrive::{Redrive, Store};
use instep_aws::{Clients, Instep};
use instep_flow::bookkeeping;
use instep_flow::report::{Outcome, Report};
use instep_model::Model;
use serde_json::json;

use crate::gate::take_work;
use crate::own::keys;
use crate::world::{Batches, QUEUE, World, pk, run};

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
async fn drained_under(world: &World, text: &str) -> Vec<Report> {
    let instep = Instep::new(Arc::new(model(text)), Clients::new(&world.stack.sdk_config()), world.settings());
    let mut batches = Batches { instep: &instep, run: run(), reports: Vec::new() };
    world.stack.pump(instep_local::PumpOptions::default()).unwrap().drain(&mut batches).await.unwrap();
    let options = instep_local::QueuePumpOptions::default();
    let drained = world.stack.queue_pump(world.stack.work_queue(), options).unwrap().drain(&mut batches).await.unwrap();
    assert!(drained.dead_letters.is_empty());
    batches.reports
}

/// Sends the parked records to the work queue.
async fn redriven(world: &World) {
    let mut redrive = Redrive::new(&world.instep, run());
    redrive.send_stored(&Store::Queue(QUEUE.to_owned()), &mut |_| {}).await.unwrap();
}

/// The codes of the parked records of some reports.
fn parked(reports: &[Report]) -> Vec<&'static str> {
    let outcomes = reports.iter().flat_map(|report| &report.records).map(|record| &record.outcome);
    let code = |outcome: &Outcome| if let Outcome::Parked(parked) = outcome { Some(parked.code) } else { None };
    outcomes.filter_map(code).collect()
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

const TEAMS: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team:{teamId}:{role}"
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
gsi = { pk = "P#{personId}", sk = "T#{teamId}" }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", roles = "role" }
cognito.member = { user = "Person", group = "Team" }
[items.Desk]
pk = "D#{deskId}"
sk = "D"
grant = { subject = { type = "Person", personId = "{who}", find = "back-reference" }, scope = "Team", roles = "role" }
cognito.member = { user = { type = "Person", personId = "{who}", find = "back-reference" }, group = "Team" }
"#;

fn teams(text: &str) -> String {
    format!("[indexes]\ngsi = {{ pk = \"gpk\", sk = \"gsk\" }}\n[names]\nrole = [\"owner\", \"editor\"]\n{text}")
}

fn seats() -> String {
    let (seats, _) = TEAMS.split_once("[items.Desk]").unwrap();
    teams(seats)
}

async fn put_seat(world: &World, team: &str, person: &str, role: &str) {
    let (pk, gpk) = (format!("T#{team}"), format!("P#{person}"));
    world.put(json!({"pk": pk, "sk": format!("SEAT#{person}"), "gpk": gpk, "gsk": pk, "role": role})).await;
}

/// A world under [`seats`] with a person `Ann` who owns the team `A`.
async fn ann_owns_a() -> World {
    let world = World::of(model(&seats()), Duration::ZERO).await.parking();
    world.put(json!({"pk": "T#A", "sk": "T"})).await;
    world.put(json!({"pk": "P#Ann", "sk": "P"})).await;
    put_seat(&world, "A", "Ann", "owner").await;
    world.drain().await;
    assert_eq!(world.members("team:A:owner").await, ["Ann"]);
    world
}

fn in_lower_case(user: bool, group: bool) -> String {
    let mut text = seats();
    if user {
        text = text.replace("name = \"{personId}\"", "name = \"{personId|lower}\"");
    }
    if group {
        text = text.replace("team:{teamId}:", "team:{teamId|lower}:");
    }
    text
}

/// Promise 1: a deletion takes back what an earlier model made of a key that this model refuses: memberships, users,
/// groups and children.
#[tokio::test]
async fn a_deletion_takes_back_what_an_earlier_model_made_of_its_key() {
    for (user, group) in [(true, false), (false, true), (true, true)] {
        let lower = in_lower_case(user, group);
        let world = ann_owns_a().await;
        world.delete(("pk", "sk"), ("T#A", "SEAT#Ann")).await;
        assert_eq!(parked(&drained_under(&world, &lower).await), [""; 0]);
        assert_eq!(world.members("team:A:owner").await, [""; 0], "user {user}, group {group}");

        let world = ann_owns_a().await;
        world.delete(("pk", "sk"), ("P#Ann", "P")).await;
        assert_eq!(parked(&drained_under(&world, &lower).await), [""; 0]);
        drained_under(&world, &lower).await;
        assert!(world.state().await.users.is_empty());
        assert_eq!(keys(&world).await, ["T#A T"], "the seat is deleted with its person");

        let world = ann_owns_a().await;
        world.delete(("pk", "sk"), ("T#A", "T")).await;
        drained_under(&world, &lower).await;
        drained_under(&world, &lower).await;
        assert_eq!(keys(&world).await, ["P#Ann P"], "the seat is deleted with its team");
        assert!(world.state().await.groups.is_empty());
    }
}

/// Promise 2: what an item in lower case implies stays, and what may be left of the other spelling is parked.
#[tokio::test]
async fn a_deletion_takes_nothing_from_an_item_in_lower_case() {
    let lower = in_lower_case(true, false);
    let world = ann_owns_a().await;
    world.put(json!({"pk": "P#ann", "sk": "P"})).await;
    put_seat(&world, "A", "ann", "owner").await;
    drained_under(&world, &lower).await;
    let both = ["Ann", "ann"];
    assert_eq!(world.members("team:A:owner").await, both);
    world.delete(("pk", "sk"), ("T#A", "SEAT#Ann")).await;
    assert_eq!(parked(&drained_under(&world, &lower).await), ["other-spelling"]);
    world.delete(("pk", "sk"), ("P#Ann", "P")).await;
    assert_eq!(parked(&drained_under(&world, &lower).await), ["other-spelling"]);
    assert_eq!(world.members("team:A:owner").await, both);

    world.delete(("pk", "sk"), ("T#A", "SEAT#ann")).await;
    drained_under(&world, &lower).await;
    redriven(&world).await;
    assert_eq!(parked(&drained_under(&world, &lower).await), ["other-spelling"], "the user");
    assert_eq!(world.members("team:A:owner").await, [""; 0]);
    let users: Vec<_> = world.state().await.users.into_iter().map(|user| user.username).collect();
    assert_eq!(users, both);
}

/// Promise 3: a change of an item that this model refuses revokes what it revoked, and grants nothing.
#[tokio::test]
async fn a_change_under_a_refused_key_revokes() {
    let lower = in_lower_case(true, false);
    let world = ann_owns_a().await;
    put_seat(&world, "A", "Ann", "editor").await;
    assert_eq!(parked(&drained_under(&world, &lower).await), ["key-not-canonical"]);
    assert_eq!(world.members("team:A:owner").await, [""; 0]);
    assert_eq!(world.members("team:A:editor").await, [""; 0]);
    assert_eq!(world.state().await.users.len(), 1);
}

/// A person with a user, a group and a unique email.
const PEOPLE: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", when = { status = ["on", "off"] }, disabled = { status = ["off"] } }
cognito.groups = { name = "of-{personId}", when = { status = ["on"] } }
[items.Email]
pk = "E#{email}"
sk = "E"
guard = { owner = "Person" }
[items.Badge]
pk = "B#{personId}"
sk = "B"
parent = { type = "Folder", folderId = "{folder}", find = "back-reference" }
cognito.member = { user = "Person", group = { name = "staff" }, made = "by-hand" }
[items.Folder]
pk = "F#{folderId}"
sk = "F"
"#;

fn people_in_lower_case() -> String {
    PEOPLE.replace("name = \"{personId}\"", "name = \"{personId|lower}\"")
}

async fn put_person(world: &World, id: &str, email: &str, status: &str) {
    world.put(json!({"pk": format!("P#{id}"), "sk": "P", "email": email, "status": status})).await;
}

/// The owners of the guards.
async fn owners(world: &World) -> Vec<String> {
    let items = world.state().await.items.into_iter();
    let guards = items.filter(|item| pk(item, "pk").starts_with("E#"));
    guards.map(|item| format!("{} {}", pk(&item, "pk"), pk(&item, "personId"))).collect()
}

/// The partition keys of the back-references.
async fn references(world: &World) -> Vec<String> {
    let items = world.state().await.items.into_iter();
    items.map(|item| pk(&item, "pk").to_owned()).filter(|pk| pk.starts_with("INSTEP#REF#")).collect()
}

/// Promise 7: an item under a refused key releases the unique value that it gives up, to the next claimant, and gets
/// no other.
#[tokio::test]
async fn a_change_under_a_refused_key_releases_its_value() {
    for next in [None, Some("bob"), Some("Bob")] {
        let world = World::of(model(PEOPLE), Duration::ZERO).await.parking();
        put_person(&world, "Ann", "a@x", "on").await;
        world.drain().await;
        if let Some(next) = next {
            put_person(&world, next, "a@x", "on").await;
            world.drain().await;
        }
        assert_eq!(owners(&world).await, ["E#a@x Ann"]);
        put_person(&world, "Ann", "b@x", "on").await;
        assert_eq!(parked(&drained_under(&world, &people_in_lower_case()).await), ["key-not-canonical"]);
        let left: Vec<_> = next.filter(|next| *next == "bob").map(|next| format!("E#a@x {next}")).into_iter().collect();
        assert_eq!(owners(&world).await, left, "next: {next:?}");
    }
}

/// Promise 7: it keeps a value that it still has.
#[tokio::test]
async fn a_change_under_a_refused_key_keeps_its_value() {
    let world = World::of(model(PEOPLE), Duration::ZERO).await.parking();
    put_person(&world, "Ann", "a@x", "on").await;
    world.drain().await;
    put_person(&world, "Ann", "a@x", "off").await;
    put_person(&world, "bob", "a@x", "on").await;
    assert_eq!(parked(&drained_under(&world, &people_in_lower_case()).await), ["key-not-canonical"]);
    assert_eq!(owners(&world).await, ["E#a@x Ann"]);
}

/// Promise 3: it disables the user, and deletes the user or the group, that its item gives up.
#[tokio::test]
async fn a_change_under_a_refused_key_disables_and_deletes() {
    let world = World::of(model(PEOPLE), Duration::ZERO).await.parking();
    put_person(&world, "Ann", "a@x", "on").await;
    world.drain().await;
    let before = world.state().await;
    assert!(before.users.iter().all(|user| user.enabled) && before.groups.len() == 1);

    put_person(&world, "Ann", "a@x", "off").await;
    assert_eq!(parked(&drained_under(&world, &people_in_lower_case()).await), ["key-not-canonical"]);
    let disabled = world.state().await;
    assert_eq!(disabled.users.iter().map(|user| user.enabled).collect::<Vec<_>>(), [false]);
    assert!(disabled.groups.is_empty());

    put_person(&world, "Ann", "a@x", "on").await;
    assert_eq!(parked(&drained_under(&world, &people_in_lower_case()).await), ["key-not-canonical"]);
    assert!(!world.state().await.users[0].enabled, "what it takes is not granted");

    put_person(&world, "Ann", "a@x", "gone").await;
    drained_under(&world, &people_in_lower_case()).await;
    assert!(world.state().await.users.is_empty());
}

/// Promise 1: no back-reference of it is left over that its item does not need.
#[tokio::test]
async fn a_change_under_a_refused_key_deletes_its_back_references() {
    let world = World::of(model(PEOPLE), Duration::ZERO).await.parking();
    for folder in ["1", "2"] {
        world.put(json!({"pk": format!("F#{folder}"), "sk": "F"})).await;
    }
    world.put(json!({"pk": "B#Ann", "sk": "B", "folder": "1"})).await;
    world.drain().await;
    assert_eq!(references(&world).await, ["INSTEP#REF#Folder/folderId=1"]);
    world.put(json!({"pk": "B#Ann", "sk": "B"})).await;
    assert_eq!(parked(&drained_under(&world, &people_in_lower_case()).await), ["key-not-canonical"]);
    assert_eq!(references(&world).await, [""; 0]);
}

/// Promise 1: so does the deletion of an item whose reference this model refuses.
#[tokio::test]
async fn a_deletion_takes_back_what_an_earlier_model_made_of_its_reference() {
    let before = teams(TEAMS).replace("scope = \"Team\", roles = \"role\" }\ncognito.member = { user = { type", "scope = { type = \"Team\", teamId = \"{team}\", find = \"back-reference\" }, roles = \"role\" }\ncognito.member = { user = { type")
        .replace("find = \"back-reference\" }, group = \"Team\" }", "find = \"back-reference\" }, group = { type = \"Team\", teamId = \"{team}\", find = \"back-reference\" } }");
    let lower = before.replace("name = \"{personId}\"", "name = \"{personId|lower}\"");
    let world = World::of(model(&before), Duration::ZERO).await.parking();
    world.put(json!({"pk": "T#a", "sk": "T"})).await;
    world.put(json!({"pk": "P#Ann", "sk": "P"})).await;
    world.put(json!({"pk": "D#1", "sk": "D", "who": "Ann", "team": "a", "role": "owner"})).await;
    world.drain().await;
    assert_eq!(world.members("team:a:owner").await, ["Ann"]);
    world.delete(("pk", "sk"), ("D#1", "D")).await;
    assert_eq!(parked(&drained_under(&world, &lower).await), [""; 0]);
    assert_eq!(world.members("team:a:owner").await, [""; 0]);
}

/// Promise 1: a deletion that is redriven before the model is right is parked again, as often as it takes.
#[tokio::test]
async fn a_deletion_is_parked_until_the_model_is_right() {
    let typo = seats().replace("SEAT#", "SEATS#");
    let world = ann_owns_a().await;
    put_seat(&world, "A", "Ann", "editor").await;
    world.delete(("pk", "sk"), ("T#A", "SEAT#Ann")).await;
    assert_eq!(parked(&drained_under(&world, &typo).await), ["unknown-item"; 2]);
    for _ in 0..2 {
        redriven(&world).await;
        assert_eq!(parked(&drained_under(&world, &typo).await), ["unknown-item"; 2]);
        assert_eq!(world.members("team:A:owner").await, ["Ann"]);
    }
    redriven(&world).await;
    assert_eq!(parked(&drained_under(&world, &seats()).await), [""; 0]);
    assert_eq!(world.members("team:A:owner").await, [""; 0]);
    assert_eq!(world.parked(QUEUE).len(), 0);
    assert_eq!(&world.verbs()[world.verbs().len() - 2..], ["Person Granted", "Person Revoked"], "{:?}", world.verbs());
}

/// Promise 1: also if the reference is all that the item has to do with others.
#[tokio::test]
async fn a_deletion_takes_back_what_followed_from_a_refused_reference_alone() {
    let before = r#"
        [items.Person]
        pk = "P#{personId}"
        sk = "P"
        cognito.user = { name = "{personId}" }
        [items.Badge]
        pk = "B#{badgeId}"
        sk = "B"
        cognito.member = { user = { type = "Person", personId = "{who}", find = "back-reference" }, group = { name = "staff" }, made = "by-hand" }
    "#;
    let world = World::of(model(before), Duration::ZERO).await.parking();
    let create = world.instep.clients().cognito().create_group().user_pool_id(world.stack.user_pool());
    create.group_name("staff").send().await.unwrap();
    world.put(json!({"pk": "P#Ann", "sk": "P"})).await;
    world.put(json!({"pk": "B#1", "sk": "B", "who": "Ann"})).await;
    world.drain().await;
    assert_eq!(world.members("staff").await, ["Ann"]);
    world.delete(("pk", "sk"), ("B#1", "B")).await;
    drained_under(&world, &before.replace("\"{personId}\" }", "\"{personId|lower}\" }")).await;
    assert_eq!(world.members("staff").await, [""; 0]);
}

/// A person `XA` under a key that the later model refuses, with a user, a group and a seat, and the later model: there
/// a robot `A` has the same user, and a club `A` the same group and a membership of the same.
async fn what_two_models_make() -> (World, String) {
    let before = r#"
        [items.Person]
        pk = "P#{personId}"
        sk = "P"
        cognito.user = { name = "{personId}", create = "silent" }
        [items.Team]
        pk = "T#{teamId}"
        sk = "T"
        cognito.groups = "{teamId}-crew"
        [items.Seat]
        pk = "P#{personId}"
        sk = "SEAT#{teamId}"
        parent = ["Person", { type = "Team", find = "back-reference" }]
        cognito.member = { user = "Person", group = "Team" }
    "#;
    let others = r#"
        [items.Robot]
        pk = "R#{robot}"
        sk = "R"
        cognito.user = { name = "X{robot}", create = "silent" }
        [items.Club]
        pk = "C#{club}"
        sk = "C"
        cognito.groups = "X{club}-crew"
        [items.Helper]
        pk = "R#{robot}"
        sk = "HELPER#{club}"
        parent = ["Robot", { type = "Club", find = "back-reference" }]
        cognito.member = { user = "Robot", group = "Club" }
    "#;
    let after = before.replace("\"{personId}\"", "\"{personId|lower}\"").replace("{teamId}-", "{teamId|lower}-");
    let world = World::of(model(before), Duration::ZERO).await.parking();
    world.put(json!({"pk": "P#XA", "sk": "P"})).await;
    world.put(json!({"pk": "T#XA", "sk": "T"})).await;
    world.put(json!({"pk": "P#XA", "sk": "SEAT#XA"})).await;
    world.drain().await;
    assert_eq!(world.members("XA-crew").await, ["XA"]);
    (world, after + others)
}

/// Promise 2: what an earlier model made of a refused key stays while an item of another type implies it.
#[tokio::test]
async fn what_an_item_of_another_type_implies_is_not_taken_back() {
    let (world, after) = what_two_models_make().await;
    world.put(json!({"pk": "R#A", "sk": "R"})).await;
    world.put(json!({"pk": "C#A", "sk": "C"})).await;
    world.put(json!({"pk": "R#A", "sk": "HELPER#A"})).await;
    drained_under(&world, &after).await;
    for (key, code) in [
        (("P#XA", "SEAT#XA"), [""; 0].as_slice()),
        (("P#XA", "P"), &["other-spelling"]),
        (("T#XA", "T"), &["other-spelling"]),
    ] {
        world.delete(("pk", "sk"), key).await;
        assert_eq!(parked(&drained_under(&world, &after).await), code, "{key:?}");
        assert_eq!(world.members("XA-crew").await, ["XA"], "after the deletion of {key:?}");
    }
    world.delete(("pk", "sk"), ("R#A", "HELPER#A")).await;
    drained_under(&world, &after).await;
    assert_eq!(world.members("XA-crew").await, [""; 0]);
}

/// Promise 3: what such an item could imply, and does not, is taken back.
#[tokio::test]
async fn what_no_item_of_another_type_implies_is_taken_back() {
    let (world, after) = what_two_models_make().await;
    for key in [("P#XA", "SEAT#XA"), ("P#XA", "P"), ("T#XA", "T")] {
        world.delete(("pk", "sk"), key).await;
        assert_eq!(parked(&drained_under(&world, &after).await), [""; 0], "{key:?}");
    }
    let state = world.state().await;
    assert!(state.users.is_empty() && state.groups.is_empty(), "{:?}, {:?}", state.users, state.groups);
}
